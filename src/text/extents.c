/* Extents as texts give them. */
#include "extents.h"

#include <stdio.h>
#include <string.h>

/* Whether it is extents with an x or a comma between them, 64x64. */
static int has_crosses(const char *text)
{
    return strpbrk(text, "x,") && text[strspn(text, "0123456789x,")] == '\0';
}

ct_status ct_extents_read(const char *text, ct_tuple *out, ct_diag *diag)
{
    char tuple[64];
    if (!has_crosses(text) || strlen(text) > sizeof tuple - 3)
        return ct_parse_tuple(text, out, diag);
    snprintf(tuple, sizeof tuple, "(%s)", text);
    for (char *c = tuple; *c; ++c)
        if (*c == 'x') *c = ',';
    return ct_parse_tuple(tuple, out, diag);
}
