/* Arrays of others: opened, described, given back. */
#include "arrays.h"

#include <stdlib.h>
#include <string.h>

/* The extents of an array, and its strides in bytes; NULL: of C order. */
static int set_modes(core_array *a, int64_t bytes, int modes, const int64_t *shape,
                     const int64_t *steps)
{
    ct_dl_tensor *const t = &a->tensor;
    uint64_t step = (uint64_t)bytes;
    if (bytes < 1 || bytes > 1 << 30 || modes > CT_MAX_LEAVES)
        return PyErr_Format(PyExc_ValueError,
                            "an array of %d dimensions with elements of %lld bytes; at most %d "
                            "dimensions and 1 to %d bytes are read",
                            modes, (long long)bytes, CT_MAX_LEAVES, 1 << 30),
               -1;
    a->bytes = (int32_t)bytes;
    for (int k = modes - 1; k >= 0; --k) {
        a->shape[k] = shape[k];
        a->steps[k] = steps ? steps[k] : (int64_t)step;
        a->strides[k] = a->steps[k] / bytes;
        step *= (uint64_t)shape[k];
        if (a->steps[k] % bytes == 0) continue;
        if (shape[k] > 1) a->ragged = k + 1;
        else a->steps[k] = a->strides[k] = 0; /* of which nothing depends */
    }
    t->ndim = modes;
    t->shape = a->shape;
    t->strides = a->strides;
    return 0;
}

/* 1: the object refuses its buffer, and its exception is set. */
static int open_buffer(PyObject *o, int writes, core_array *a)
{
    int64_t shape[PyBUF_MAX_NDIM], steps[PyBUF_MAX_NDIM];
    if (PyObject_GetBuffer(o, &a->buffer, writes ? PyBUF_FULL : PyBUF_FULL_RO)) return 1;
    const Py_buffer *const b = &a->buffer;
    for (int k = 0; k < b->ndim; ++k) {
        shape[k] = b->shape ? b->shape[k] : b->len / (b->itemsize > 0 ? b->itemsize : 1);
        steps[k] = b->strides ? b->strides[k] : 0;
    }
    a->format = b->format ? b->format : "B";
    a->read_only = b->readonly;
    a->tensor.data = b->buf;
    a->tensor.device_type = CT_DL_CPU;
    int bad = 0;
    for (int k = 0; k < b->ndim && b->suboffsets; ++k) bad |= b->suboffsets[k] >= 0;
    if (bad)
        PyErr_SetString(PyExc_ValueError,
                        "an array of pointers to rows; its memory has no strides");
    if (!bad) bad = set_modes(a, b->itemsize, b->ndim, shape, b->strides ? steps : NULL);
    if (!bad) bad = core_type_of_format(a, a->format);
    if (bad) core_array_close(a);
    return bad;
}

/* The integers of a tuple; their number, or -1 and an exception. */
static int read_numbers(PyObject *tuple, int64_t *n)
{
    const Py_ssize_t count = tuple && PyTuple_Check(tuple) ? PyTuple_GET_SIZE(tuple) : -1;
    for (Py_ssize_t k = 0; k < count && k < PyBUF_MAX_NDIM; ++k)
        n[k] = PyLong_AsLongLong(PyTuple_GET_ITEM(tuple, k));
    if (count >= 0 && count <= PyBUF_MAX_NDIM && !PyErr_Occurred()) return (int)count;
    if (!PyErr_Occurred())
        PyErr_SetString(PyExc_TypeError, "__array_interface__ is not as NumPy describes it");
    return -1;
}

/* An array of NumPy whose elements no format of the buffer protocol says: bfloat16, datetime64. 1: it is none. */
static int open_interface(PyObject *o, int writes, core_array *a)
{
    PyObject *type, *value, *trace;
    int64_t shape[PyBUF_MAX_NDIM], steps[PyBUF_MAX_NDIM];
    PyErr_Fetch(&type, &value, &trace);
    PyObject *const all = PyObject_GetAttrString(o, "__array_interface__");
    PyObject *const data = all && PyDict_Check(all) ? PyDict_GetItemString(all, "data") : NULL;
    if (!data || !PyTuple_Check(data) || PyTuple_GET_SIZE(data) != 2) {
        Py_XDECREF(all);
        PyErr_Restore(type, value, trace);
        return 1;
    }
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(trace);
    PyObject *const strides = PyDict_GetItemString(all, "strides");
    const int ordered = !strides || strides == Py_None;
    const int modes = read_numbers(PyDict_GetItemString(all, "shape"), shape);
    a->tensor.data = PyLong_AsVoidPtr(PyTuple_GET_ITEM(data, 0));
    a->tensor.device_type = CT_DL_CPU;
    a->read_only = PyObject_IsTrue(PyTuple_GET_ITEM(data, 1));
    if (writes && a->read_only) PyErr_SetString(PyExc_ValueError, "the array is read-only");
    int bad = modes < 0 || PyErr_Occurred() ||
              (!ordered && read_numbers(strides, steps) != modes) ||
              core_type_of_string(a, o, PyDict_GetItemString(all, "typestr")) ||
              set_modes(a, a->bytes, modes, shape, ordered ? NULL : steps);
    Py_DECREF(all);
    if (bad && !PyErr_Occurred())
        PyErr_SetString(PyExc_TypeError, "__array_interface__ is not as NumPy describes it");
    if (bad) core_array_close(a);
    else a->owner = Py_NewRef(o);
    return bad ? -1 : 0;
}

/* Calls __dlpack__ for a stream or NULL, with the version that is read; without it where the object knows none. */
static PyObject *call_dlpack(PyObject *o, PyObject *stream)
{
    PyObject *capsule = NULL, *const function = PyObject_GetAttrString(o, "__dlpack__");
    PyObject *const none = function ? PyTuple_New(0) : NULL;
    for (int version = CT_DL_MAJOR; none && !capsule && version >= 0; --version) {
        PyObject *const names =
            version ? Py_BuildValue("{s(ii)}", "max_version", CT_DL_MAJOR, CT_DL_MINOR)
                    : PyDict_New();
        PyErr_Clear();
        if (names && (!stream || PyDict_SetItemString(names, "stream", stream) == 0))
            capsule = PyObject_Call(function, none, names);
        Py_XDECREF(names);
        if (!capsule && !PyErr_ExceptionMatches(PyExc_TypeError)) break;
    }
    Py_XDECREF(none);
    Py_XDECREF(function);
    return capsule;
}

/* Asks for a tensor: on a CUDA device for the stream, on the host for none. */
static PyObject *ask(PyObject *o, PyObject *stream)
{
    int type = 0, id = 0;
    PyObject *capsule = NULL;
    PyObject *const device = PyObject_CallMethod(o, "__dlpack_device__", NULL);
    if (device && PyArg_ParseTuple(device, "ii", &type, &id)) {
        if (type != CT_DL_CUDA && type != CT_DL_CUDA_MANAGED) {
            capsule = call_dlpack(o, NULL);
        } else {
            /* DLPack calls the default stream 1, and -1 none */
            PyObject *const one = PyLong_FromLong(stream ? 1 : -1);
            if (one) capsule = call_dlpack(o, stream && PyObject_IsTrue(stream) ? stream : one);
            Py_XDECREF(one);
        }
    }
    Py_XDECREF(device);
    return capsule;
}

static int open_dlpack(PyObject *o, int writes, PyObject *stream, core_array *a)
{
    char message[CT_MESSAGE_BYTES];
    ct_dl_tensor *t = NULL;
    PyObject *const capsule = PyCapsule_CheckExact(o) ? Py_NewRef(o) : ask(o, stream);
    if (!capsule) return -1;
    if (PyCapsule_IsValid(capsule, "dltensor")) {
        t = &((ct_dl_managed *)PyCapsule_GetPointer(capsule, "dltensor"))->tensor;
    } else if (PyCapsule_IsValid(capsule, "dltensor_versioned")) {
        ct_dl_versioned *const v = PyCapsule_GetPointer(capsule, "dltensor_versioned");
        if (ct_plan_open_dlpack(v, writes, &t, message))
            PyErr_SetString(PyExc_BufferError, message);
        a->read_only = (v->flags & CT_DL_READ_ONLY) != 0;
    } else {
        PyErr_SetString(PyExc_TypeError,
                        "__dlpack__() gave no capsule of DLPack that is still to be taken");
    }
    if (t && (t->ndim < 0 || t->ndim > CT_MAX_LEAVES)) {
        PyErr_Format(PyExc_ValueError, "a tensor of %d dimensions; a layout has at most %d",
                     t->ndim, CT_MAX_LEAVES);
        t = NULL;
    }
    if (!t) {
        PyObject *type, *value,
            *trace; /* a destructor written in Python would lose the exception */
        PyErr_Fetch(&type, &value, &trace);
        Py_DECREF(capsule); /* its own destructor releases the tensor */
        PyErr_Restore(type, value, trace);
        return -1;
    }
    a->owner = capsule;
    a->tensor = *t;
    const int64_t bytes = (int64_t)t->bits * t->lanes / 8;
    for (int k = 0; k < t->ndim && t->strides; ++k)
        a->steps[k] = (int64_t)((uint64_t)t->strides[k] * (uint64_t)bytes);
    if (set_modes(a, bytes, t->ndim, t->shape, t->strides ? a->steps : NULL) ||
        core_type_of_tensor(a)) {
        core_array_close(a);
        return -1;
    }
    if (!t->strides) a->tensor.strides = NULL;
    return 0;
}

/* By the first of the ways that the object does not refuse; CuPy's arrays have buffers that they refuse. One of the
   host's that refuses to be written to by its buffer is not written to by DLPack, which need not say so. */
int core_array_open(PyObject *o, int writes, PyObject *stream, core_array *a)
{
    PyObject *type, *value, *trace;
    memset(a, 0, sizeof *a);
    int bad = PyObject_CheckBuffer(o) ? open_buffer(o, writes, a) : 2;
    if (bad == 1) bad = open_interface(o, writes, a);
    if (bad < 1) return bad;
    PyErr_Fetch(&type, &value, &trace);
    const int has = PyCapsule_CheckExact(o) || PyObject_HasAttrString(o, "__dlpack__");
    int opened = has ? open_dlpack(o, writes, stream, a) : -1;
    if (opened == 0 && type && writes && !core_array_on_device(a)) {
        core_array_close(a);
        opened = -1;
    }
    if (opened && type) {
        PyErr_Restore(type, value, trace);
        return -1;
    }
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(trace);
    if (!has)
        PyErr_Format(PyExc_TypeError,
                     "an array is expected (a buffer, or an object with __dlpack__), not %.80s",
                     core_type_name(Py_TYPE(o)));
    return opened;
}

/* The capsule was never renamed to `used_..`: it still owns the tensor, and its destructor releases it,
   which may be Python, where no exception must be set. */
void core_array_close(core_array *a)
{
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace);
    if (a->buffer.obj) PyBuffer_Release(&a->buffer);
    Py_CLEAR(a->owner);
    Py_CLEAR(a->text);
    PyErr_Restore(type, value, trace);
}

int core_array_on_device(const core_array *a)
{
    return a->tensor.device_type == CT_DL_CUDA || a->tensor.device_type == CT_DL_CUDA_MANAGED;
}

/* The same of one array. */
static int device_of(const core_array *a)
{
    const ct_dl_tensor *const t = &a->tensor;
    if (core_array_on_device(a)) return t->device_id + 1;
    if (t->device_type == CT_DL_CPU || t->device_type == CT_DL_CUDA_HOST) return 0;
    PyErr_Format(PyExc_ValueError,
                 "an array on a device of type %d of DLPack; the host and CUDA are known",
                 t->device_type);
    return -1;
}

int core_arrays_device(const core_array *dst, const core_array *src)
{
    const int to = device_of(dst), from = to < 0 ? -1 : device_of(src);
    if (from < 0 || to == from) return from;
    if (to == 0 || from == 0)
        PyErr_Format(PyExc_ValueError, "one array is on a device, the other is not");
    else
        PyErr_Format(PyExc_ValueError, "the source is on CUDA device %d, the destination on %d",
                     from - 1, to - 1);
    return -1;
}

int core_array_end(const core_array *a, core_end *e)
{
    char message[CT_MESSAGE_BYTES];
    ct_dl_tensor t = a->tensor;
    if (a->bytes > 16) t.bits = 8, t.lanes = 1; /* those of the end may be larger than a plan's */
    const ct_status bad = ct_plan_side_from_dlpack(&t, &e->side, &e->at, message);
    if (bad) core_raise(bad, message, NULL, NULL);
    e->side.elem_bytes = a->bytes;
    e->steps = a->steps;
    e->swap = a->swap;
    return bad ? -1 : 0;
}

core_span core_span_of(const ct_tensor *t)
{
    const int64_t n = ct_tensor_size(*t);
    core_span span = {0, 0};
    if (!ct_is_integral(t->layout) || !ct_offset_is_integer(&t->offset)) return span;
    span.low = ct_lowest(t->layout) + (t->offset.profile.leaves ? t->offset.value[0] : 0);
    span.high = span.low + ct_cosize(t->layout) - 1;
    if (t->swizzle.bits == 0) return span;
    span.high = 0;
    for (int64_t i = 0; i < n; ++i) span.high = ct_max(span.high, ct_tensor_offset(t, i));
    return span;
}

/* Whether an array fills memory from its lowest to its highest element, each place once. */
static int is_gapless(const core_array *a, int64_t size)
{
    int64_t step = a->bytes;
    for (int64_t n = 1; n < size;) {
        int k = 0;
        while (k < a->tensor.ndim && (a->shape[k] == 1 || llabs(a->steps[k]) != step)) ++k;
        if (k == a->tensor.ndim) return 0;
        n *= a->shape[k];
        step *= a->shape[k];
    }
    return 1;
}

int core_array_layout_end(const core_array *a, const ct_tensor *t, core_span span, core_end *e)
{
    if (core_array_end(a, e)) return -1;
    const ct_layout *const L = &e->side.memory.layout;
    const int64_t size = L->err.status ? 0 : ct_size(*L);
    if (size == 0 || !ct_is_integral(t->layout) || !ct_offset_is_integer(&t->offset)) {
        PyErr_SetString(PyExc_ValueError, size == 0
                                              ? "the array has no elements"
                                              : "the layout has coordinates in place of offsets");
        return -1;
    }
    const core_span all = core_span_of(&e->side.memory);
    if (!is_gapless(a, size)) {
        PyErr_Format(PyExc_ValueError,
                     "the array has %lld elements within %lld places: a layout is put on "
                     "memory without gaps",
                     (long long)size, (long long)(all.high - all.low + 1));
        return -1;
    }
    if (span.low < 0 || span.high >= size) {
        PyErr_Format(PyExc_ValueError,
                     "the layout reaches offsets %lld to %lld; the array has %lld elements",
                     (long long)span.low, (long long)span.high, (long long)size);
        return -1;
    }
    e->side.memory = *t;
    e->steps = NULL;
    e->at = (char *)e->at + all.low * a->bytes;
    return 0;
}
