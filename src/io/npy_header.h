/**
 * The header of a NumPy file: the text of a Python dictionary with the keys descr, fortran_order
 * and shape.
 */
#ifndef CUTLET_SRC_IO_NPY_HEADER_H
#define CUTLET_SRC_IO_NPY_HEADER_H

#include <stddef.h>

#include "base/whole_file.h"
#include <cutlet/host/npy.h>

/** The longest header that is read, in bytes. */
#define CT_NPY_HEADER_MAX 65535

/** Fills every field of *array except data from the text, which ends with a zero byte after
 * `length` bytes. On a failure, CT_E_FILE and one line without the name of the file. */
ct_status ct_npy_parse(const char *text, size_t length, ct_npy *array, char *message);

/** CT_E_FILE where the array has no elements, which no layout describes. */
ct_status ct_npy_refuse_empty(const ct_npy *array, char *message);

/** Whether the text is UTF-8. */
int ct_npy_is_utf8(const char *text);

/** Makes UTF-8 of Latin-1, in place. 0; or -1 where that does not fit in `room` bytes. */
int ct_npy_from_latin1(char *text, size_t capacity);

/** Makes Latin-1 of UTF-8, in place, and returns 1; or 0 where a character has none there. */
int ct_npy_to_latin1(char *text);

/** Opens a file and reads its header. *stream is then at the first byte of the data, whose size the
 * header gives; it may be 0. array->data is NULL. On a failure *stream is NULL. */
ct_status ct_npy_open(const char *path, FILE **stream, ct_npy *array, char *message);

/** Opens a file that will appear complete and writes its header: descr, fortran, rank and shape.
 * The data are to follow. CT_E_ARGUMENT where the array cannot be written so; CT_E_FILE,
 * _E_MEMORY. */
ct_status ct_npy_begin(ct_whole_file *file, const char *path, const ct_npy *array, char *message);

#endif
