/* Variables of the environment that lead to code: libraries to open, programs to run, folders of
 * compiled kernels. */
#ifndef CUTLET_SRC_BASE_TRUSTED_H
#define CUTLET_SRC_BASE_TRUSTED_H

/* The value of a variable, or NULL. Always NULL if the program has more rights than the user who
 * started it, as a set-user-ID one; that user must not choose its code. */
const char *ct_trusted_variable(const char *name);

#endif
