/* What the environment may say in a program with the rights of another user. */
#define _GNU_SOURCE /* secure_getenv */
#include "trusted.h"

#include <stdlib.h>

const char *ct_trusted_variable(const char *name)
{
#ifdef __GLIBC__
    return secure_getenv(name);
#else
    return getenv(name);
#endif
}
