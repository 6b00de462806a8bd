/**
 * Element types by name: one table for all that reads or writes them, and for the types of files.
 */
#ifndef CUTLET_SRC_IO_TYPES_H
#define CUTLET_SRC_IO_TYPES_H

#include <stdint.h>

#include <cutlet/host/message.h>

typedef struct ct_named_type {
    const char *name;    /* "half" */
    const char *aliases; /* other names, blanks between: "float16 f16" */
    const char *cute;    /* in CuTe C++: "half_t"; NULL: it has none */
    char code[8]; /* of NumPy, "f2"; V is bytes to NumPy; "": less than a byte, it has none */
    int32_t bits;
    int32_t element; /* CT_TYPE_...; CT_TYPE_RAW: only copied */
} ct_named_type;

/** The type of a name (half, f16, bf16), or of a code of NumPy (f2, <f2, V16). CT_E_ARGUMENT for
 * any other; message may be NULL. */
ct_status ct_named_type_read(const char *name, ct_named_type *out, char *message);

/** The same, where elements of 4 and 6 bits, packed into bytes, are taken too. */
ct_status ct_packed_type_read(const char *name, ct_named_type *out, char *message);

/** Type i of the table, NULL past its end. */
const ct_named_type *ct_named_type_listed(int i);

/** The type as the description of NumPy, "<f2", - where it has none; text has at least 10 bytes. */
void ct_named_type_describe(const ct_named_type *type, char *text);

/** What is computed with the elements of a file: CT_TYPE_..., CT_TYPE_RAW for none. kind and bytes
 * as NumPy has them, of either byte order. */
int32_t ct_named_type_of_file(char kind, int32_t bytes);

#endif
