/**
 * Arrays of others: by the buffer protocol, or by DLPack, of CUDA devices too.
 */
#ifndef CUTLET_PYTHON_ARRAYS_H
#define CUTLET_PYTHON_ARRAYS_H

#include "core.h"
#include <cutlet/host/dlpack.h>

/** An array that is open: its tensor, and what keeps its memory. Zero: none. */
typedef struct core_array {
    ct_dl_tensor tensor;
    Py_buffer buffer;   /* buffer.obj is NULL where it did not come by the buffer protocol */
    PyObject *owner;    /* then the capsule of DLPack, or the object with __array_interface__ */
    PyObject *text;     /* holds the name of a type that is long, or NULL */
    const char *format; /* of the buffer protocol; NULL where there is none */
    const char *type;   /* its elements: float32, datetime64[ns], V5, a format for fields */
    char name[48];
    int32_t bytes; /* of an element */
    int32_t swap;  /* bytes of a number whose byte order is not this machine's; 0: it is */
    int32_t read_only;
    int32_t ragged; /* the first dimension with a stride of broken elements, plus 1; 0: none has */
    int64_t shape[CT_MAX_LEAVES], strides[CT_MAX_LEAVES];
    int64_t steps[CT_MAX_LEAVES]; /* strides in bytes */
} core_array;

/** Opens an array, or a capsule of DLPack that nobody has taken, to be written to where `writes` is not 0. stream is that of the work on a CUDA
 *  device, which waits for what made the array: an integer, None or 0 the default one. NULL: there is no
 *  work, nothing waits. 0, or -1 and an exception. */
int core_array_open(PyObject *o, int writes, PyObject *stream, core_array *a);

/** Gives the array back. */
void core_array_close(core_array *a);

/** The number of the CUDA device plus 1 that has the memory of two arrays, 0 where the host has. -1 and an
 *  exception where they are apart, or on a device of another kind. */
int core_arrays_device(const core_array *dst, const core_array *src);

/** Whether its memory is that of a CUDA device. */
int core_array_on_device(const core_array *a);

/** Sets the type of an array from a format of the buffer protocol, a type string of NumPy, or its tensor. 0, or
 *  -1 and an exception: elements that are Python objects or pointers. */
int core_type_of_format(core_array *a, const char *format);
int core_type_of_string(core_array *a, PyObject *o, PyObject *string);
int core_type_of_tensor(core_array *a);

/** Whether elements become those of dst as they are, but for their byte order (0), or are converted (1). -1 and
 *  an exception where neither is defined. */
int core_types_agree(const core_array *dst, const core_array *src, int scaled);

/** One end of a copy: memory by a layout, or by an array's own strides. */
typedef struct core_end {
    ct_plan_side side; /* elements may have more than 16 bytes here */
    void *at;
    const int64_t *steps; /* the array's own, in bytes; NULL: the side's layout says all */
    int32_t swap;         /* as in core_array */
} core_end;

/** Whether a plan takes the end as it is: its elements are aligned, of at most 16 bytes, in the machine's order. */
int core_end_is_plain(const core_end *e);

/** Turns the bytes of numbers around. */
void core_swap_bytes(void *at, int64_t bytes, int32_t number_bytes);

/** Copies once, by a plan for these two ends: what a plan does not take by memory between. converts: as
 *  core_types_agree. d has the backend and the scale. 0, or -1 and an exception. */
int core_move(core_end *to, core_end *from, int converts, ct_plan_desc *d, int effort,
              void *stream);

/** The end that the array is by itself, and the address of its offset 0. */
int core_array_end(const core_array *a, core_end *e);

/** The offsets that a layout reaches, from the lowest to the highest. */
typedef struct core_span {
    int64_t low, high;
} core_span;

/** Those of a tensor: by enumeration where it is swizzled. */
core_span core_span_of(const ct_tensor *t);

/** The end of a layout, whose span that is, in the memory of the array, which has to have no gaps and to
 *  hold all that the layout reaches. */
int core_array_layout_end(const core_array *a, const ct_tensor *t, core_span span, core_end *e);

/** view(array, layout): the same memory by another layout. */
int core_views_ready(PyObject *module);

#endif
