/**
 * Arrays of others: by the buffer protocol, or by DLPack, of CUDA devices too.
 */
#ifndef CUTLET_PYTHON_ARRAYS_H
#define CUTLET_PYTHON_ARRAYS_H

#include "core.h"
#include "cutlet/host/dlpack.h"

/** An array that is open: its tensor, and what keeps its memory. Zero: none. */
typedef struct core_array {
    ct_dl_tensor tensor;
    Py_buffer buffer;   /* buffer.obj is NULL where it came by DLPack */
    PyObject *capsule;  /* then the capsule, whose deleter core_array_close calls */
    char format[8];     /* of the buffer protocol; "" where there is none */
    int64_t shape[CT_MAX_LEAVES], strides[CT_MAX_LEAVES];
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

/** The side of a plan that the array is by itself, and the address of its offset 0. */
int core_array_side(const core_array *a, ct_plan_side *side, void **at);

/** The offsets that a layout reaches, from the lowest to the highest. */
typedef struct core_span {
    int64_t low, high;
} core_span;

/** Those of a tensor: by enumeration where it is swizzled. */
core_span core_span_of(const ct_tensor *t);

/** The side of a layout, whose span that is, in the memory of the array, which has to have no gaps and to
 *  hold all that the layout reaches. */
int core_array_layout_side(const core_array *a, const ct_tensor *t, core_span span, ct_plan_side *side, void **at);

/** view(array, layout): the same memory by another layout. */
int core_views_ready(PyObject *module);

#endif
