/**
 * NumPy files (.npy, of every format version): matrices in, matrices out.
 *
 * Elements are bytes here: any type of a fixed size up to 16 bytes is read and written unchanged,
 * in C or Fortran order, with any byte order. A file is either read completely or rejected with one
 * line that says why; it is either written completely or not at all.
 *
 * Cost:     O(bytes), read or written once; reading allocates the data.
 * Used by:  tests/io/test_npy_write.c
 * Source:   NumPy enhancement proposal 1 and numpy.lib.format, "The .npy format".
 */
#ifndef CUTLET_HOST_NPY_H
#define CUTLET_HOST_NPY_H

#include <stddef.h>
#include <stdint.h>

#include <cutlet/algebra/layout.h>
#include <cutlet/host/capacity.h>
#include <cutlet/host/message.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The most dimensions that an array may have (as in NumPy 2). */
#define CT_NPY_MAX_RANK 64

/** The largest element. */
#define CT_NPY_MAX_ELEM_BYTES 16

/** Room for the element type as text, its terminating zero included. */
#define CT_NPY_DESCR_BYTES 256

typedef struct ct_npy {
    char descr[CT_NPY_DESCR_BYTES]; /* the type with its order: `<f2`; or a list of fields as in the
                                       file, in UTF-8 for any format */
    char kind;          /* b i u f c as in NumPy, m M times, S U text; V raw bytes or fields */
    int32_t elem_bytes; /* 1 to CT_NPY_MAX_ELEM_BYTES */
    int32_t big_endian; /* whether the bytes of an element run from the highest to the lowest */
    int32_t fortran;    /* whether the first coordinate runs fastest (column-major) */
    int32_t rank;       /* 0 to CT_NPY_MAX_RANK; 0 is a single element */
    int64_t shape[CT_NPY_MAX_RANK];
    int64_t size;       /* the number of elements */
    int64_t data_bytes; /* size * elem_bytes */
    void *data;         /* from malloc; ct_npy_free releases it */
} ct_npy;

/**
 * Reads the file, the first array where numpy.save wrote several. FILE.npz:NAME is the last array
 * NAME of an archive that numpy.savez wrote; a compressed one is an error.
 *
 * Ensures: CT_OK and *array complete; otherwise *array is all zero.
 * Fails:   CT_E_FILE: a file that is missing, truncated or longer than its header says, not a NumPy
 *          file, of an object type or of another type without a fixed size up to 16 bytes, with a
 *          header that breaks the syntax or, in format 3.0, is not UTF-8, with an extent of 0, with
 *          more bytes than 63 bits count, or with another checksum than its archive says.
 *          CT_E_MEMORY.
 */
ct_status ct_npy_read(const char *path, ct_npy *array, char message[CT_MESSAGE_BYTES]);

/**
 * Reads the array from the bytes of a file in memory; not of an archive.
 * Fails:   as ct_npy_read.
 * In C:    unsigned char file[128 + 24] = "\x93NUMPY\x01\x00\x76\x00";
 *          const char *header = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)}";
 *          memset(file + 10, ' ', 117);
 *          memcpy(file + 10, header, strlen(header));
 *          file[127] = '\n';
 *          const float data[6] = {0, 1, 2, 3, 4, 5};
 *          memcpy(file + 128, data, sizeof data);
 *          ct_npy array;
 *          char message[CT_MESSAGE_BYTES];
 *          assert(ct_npy_decode(file, sizeof file, &array, message) == CT_OK);
 *          assert(array.kind == 'f' && array.elem_bytes == 4 && array.rank == 2);
 *          assert(memcmp(array.data, data, sizeof data) == 0);
 *          assert(ct_layout_equal(ct_npy_layout(&array), ct_layout2(2, 3, 3, 1)));
 *          ct_npy_free(&array);
 *          assert(ct_npy_decode(file, sizeof file - 1, &array, message) == CT_E_FILE);
 */
ct_status ct_npy_decode(const void *bytes, size_t count, ct_npy *array,
                        char message[CT_MESSAGE_BYTES]);

/**
 * Writes the file: format 1.0, or 3.0 if a field name is not Latin-1, as NumPy does. descr,
 * fortran, rank, shape and data are written. The other fields are checked unless they are zero.
 *
 * Ensures: CT_OK and the file complete; otherwise path is unchanged.
 * Fails:   CT_E_ARGUMENT: an array that such a file cannot hold, fields that do not agree, no data.
 *          CT_E_FILE: a file that cannot be written. CT_E_MEMORY.
 */
ct_status ct_npy_write(const char *path, const ct_npy *array, char message[CT_MESSAGE_BYTES]);

/**
 * Releases the data and sets *array to zero. A zeroed array may be freed too.
 * Cost:    O(1).
 */
void ct_npy_free(ct_npy *array);

/**
 * The layout of the array: its shape, with strides in elements by its order. A single element is
 * 1:0, one dimension is n:1.
 * Fails:   CT_E_CAPACITY when the array has more than CT_MAX_LEAVES dimensions.
 * Cost:    O(rank), no allocation.
 * In C:    ct_npy array = {.rank = 2, .fortran = 1, .shape = {4, 8}};
 *          assert(ct_layout_equal(ct_npy_layout(&array), ct_layout2(4, 8, 1, 4)));
 */
ct_layout ct_npy_layout(const ct_npy *array);

#ifdef __cplusplus
}
#endif

#endif
