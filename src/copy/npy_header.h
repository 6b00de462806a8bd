/**
 * The header of a NumPy file: the text of a Python dictionary with the keys descr, fortran_order
 * and shape.
 */
#ifndef CUTLET_SRC_COPY_NPY_HEADER_H
#define CUTLET_SRC_COPY_NPY_HEADER_H

#include <stddef.h>

#include "cutlet/host/npy.h"

/** The longest header that is read, in bytes. */
#define CT_NPY_HEADER_MAX 65535

/** Fills every field of *array but data from the text, which ends with a zero byte behind `length`
 *  bytes. 0, or -1 and one line, without the name of the file. */
int ct_npy_parse(const char *text, size_t length, ct_npy *array, char *error, size_t error_bytes);

#endif
