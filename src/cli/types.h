/**
 * Element types by the names of the command line: the same ones for every sub-command.
 */
#ifndef CUTLET_SRC_CLI_TYPES_H
#define CUTLET_SRC_CLI_TYPES_H

#include <stdint.h>

typedef struct ct_cli_type {
    const char *name; /* "half" */
    const char *cute; /* in CuTe C++: "half_t" */
    const char *code; /* of NumPy, "f2"; V is bytes to NumPy */
    int32_t bits;
} ct_cli_type;

/** The type of that name, or NULL. */
const ct_cli_type *ct_cli_type_named(const char *name);

/** The bytes of an element by the name of its type (half, int8, f2, V16), 0: there is no such. */
int ct_cli_type_bytes(const char *type);

#endif
