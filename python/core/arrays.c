/* Arrays of others: opened, described, given back. */
#include "arrays.h"

#include <string.h>

/* What the letters of the buffer protocol stand for, in memory of this machine's byte order. */
static const struct {
    char letter;
    uint8_t code;
} letters[] = {
    {'e', CT_DL_FLOAT}, {'f', CT_DL_FLOAT}, {'d', CT_DL_FLOAT}, {'b', CT_DL_INT},  {'h', CT_DL_INT},
    {'i', CT_DL_INT},   {'l', CT_DL_INT},   {'q', CT_DL_INT},   {'B', CT_DL_UINT}, {'H', CT_DL_UINT},
    {'I', CT_DL_UINT},  {'L', CT_DL_UINT},  {'Q', CT_DL_UINT},  {'?', CT_DL_BOOL},
};

static void set_type(core_array *a, const char *format, Py_ssize_t bytes)
{
    ct_dl_tensor *const t = &a->tensor;
    const char *letter = format;
    if (*letter == '@' || *letter == '=' || *letter == '|') ++letter;
    const int complex = *letter == 'Z';
    t->code = CT_DL_OPAQUE; /* bytes that are only moved */
    t->bits = 8;
    t->lanes = (uint16_t)bytes;
    for (size_t k = 0; k < sizeof letters / sizeof *letters; ++k) {
        if (letters[k].letter != letter[complex] || letter[complex + 1] != '\0') continue;
        t->code = complex ? CT_DL_COMPLEX : letters[k].code;
        t->bits = (uint8_t)(8 * bytes);
        t->lanes = 1;
    }
}

static int open_buffer(PyObject *o, int writes, core_array *a)
{
    if (PyObject_GetBuffer(o, &a->buffer, writes ? PyBUF_FULL : PyBUF_FULL_RO)) return -1;
    const Py_buffer *const b = &a->buffer;
    ct_dl_tensor *const t = &a->tensor;
    const char *const format = b->format ? b->format : "B";
    if (b->ndim > CT_MAX_LEAVES || b->suboffsets || b->itemsize < 1 || b->itemsize > 16) {
        PyErr_Format(PyExc_ValueError, "an array of %d dimensions, of elements of %zd bytes: at most %d, of 1 "
                     "to 16", b->ndim, b->itemsize, CT_MAX_LEAVES);
        PyBuffer_Release(&a->buffer);
        return -1;
    }
    for (int k = 0; k < b->ndim; ++k) {
        a->shape[k] = b->shape[k];
        a->strides[k] = b->strides[k] / b->itemsize;
        if (b->strides[k] % b->itemsize == 0) continue;
        PyErr_Format(PyExc_ValueError, "dimension %d has a stride of %zd bytes, not a multiple of its elements' %zd",
                     k, b->strides[k], b->itemsize);
        PyBuffer_Release(&a->buffer);
        return -1;
    }
    t->data = b->buf;
    t->device_type = CT_DL_CPU;
    t->ndim = b->ndim;
    t->shape = a->shape;
    t->strides = a->strides;
    set_type(a, format, b->itemsize);
    if (strlen(format) < sizeof a->format) strcpy(a->format, format);
    return 0;
}

/* Asks for a tensor: on a CUDA device for the stream, on the host for none. */
static PyObject *ask(PyObject *o, PyObject *stream)
{
    int type = 0, id = 0;
    PyObject *capsule = NULL;
    PyObject *const device = PyObject_CallMethod(o, "__dlpack_device__", NULL);
    if (device && PyArg_ParseTuple(device, "ii", &type, &id)) {
        if (type != CT_DL_CUDA && type != CT_DL_CUDA_MANAGED) {
            capsule = PyObject_CallMethod(o, "__dlpack__", NULL);
        } else {
            /* DLPack calls the default stream 1, and -1 none */
            PyObject *const one = PyLong_FromLong(stream ? 1 : -1);
            const int given = stream && PyObject_IsTrue(stream);
            PyObject *const names = one ? Py_BuildValue("{sO}", "stream", given ? stream : one) : NULL;
            PyObject *const function = names ? PyObject_GetAttrString(o, "__dlpack__") : NULL;
            PyObject *const none = function ? PyTuple_New(0) : NULL;
            if (none) capsule = PyObject_Call(function, none, names);
            Py_XDECREF(one);
            Py_XDECREF(names);
            Py_XDECREF(function);
            Py_XDECREF(none);
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
        if (ct_plan_open_dlpack(v, writes, &t, message)) PyErr_SetString(PyExc_BufferError, message);
    } else {
        PyErr_SetString(PyExc_TypeError, "__dlpack__() gave no capsule of DLPack that is still to be taken");
    }
    if (t && (t->ndim < 0 || t->ndim > CT_MAX_LEAVES)) {
        PyErr_Format(PyExc_ValueError, "a tensor of %d dimensions; a layout has at most %d", t->ndim,
                     CT_MAX_LEAVES);
        t = NULL;
    }
    if (!t) {
        Py_DECREF(capsule); /* its own destructor releases the tensor */
        return -1;
    }
    a->capsule = capsule;
    a->tensor = *t;
    a->tensor.shape = a->shape;
    if (t->strides) a->tensor.strides = a->strides;
    for (int k = 0; k < t->ndim; ++k) {
        a->shape[k] = t->shape[k];
        a->strides[k] = t->strides ? t->strides[k] : 0;
    }
    return 0;
}

/* Whether an array that refused its buffer is on a CUDA device; its error stays. */
static int is_on_device(PyObject *o)
{
    int kind = 0, id = 0;
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace);
    PyObject *const device = PyObject_CallMethod(o, "__dlpack_device__", NULL);
    const int ok = device && PyArg_ParseTuple(device, "ii", &kind, &id);
    Py_XDECREF(device);
    PyErr_Restore(type, value, trace);
    return ok && (kind == CT_DL_CUDA || kind == CT_DL_CUDA_MANAGED);
}

int core_array_open(PyObject *o, int writes, PyObject *stream, core_array *a)
{
    memset(a, 0, sizeof *a);
    if (PyObject_CheckBuffer(o)) {
        if (open_buffer(o, writes, a) == 0) return 0;
        if (!is_on_device(o)) return -1; /* CuPy's arrays have buffers that are refused */
        PyErr_Clear();
    }
    if (PyCapsule_CheckExact(o) || PyObject_HasAttrString(o, "__dlpack__")) return open_dlpack(o, writes, stream, a);
    PyErr_Format(PyExc_TypeError, "an array is expected (a buffer, or an object with __dlpack__), not %.80s",
                 Py_TYPE(o)->tp_name);
    return -1;
}

/* The capsule was never renamed to `used_..`: it still owns the tensor, and its destructor releases it,
   which may be Python, where no exception must be set. */
void core_array_close(core_array *a)
{
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace);
    if (a->buffer.obj) PyBuffer_Release(&a->buffer);
    Py_CLEAR(a->capsule);
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
    PyErr_Format(PyExc_ValueError, "an array on a device of type %d of DLPack; the host and CUDA are known",
                 t->device_type);
    return -1;
}

int core_arrays_device(const core_array *dst, const core_array *src)
{
    const int to = device_of(dst), from = to < 0 ? -1 : device_of(src);
    if (from < 0 || to == from) return from;
    if (to == 0 || from == 0) PyErr_Format(PyExc_ValueError, "one array is on a device, the other is not");
    else PyErr_Format(PyExc_ValueError, "the source is on CUDA device %d, the destination on %d", from - 1, to - 1);
    return -1;
}

int core_array_side(const core_array *a, ct_plan_side *side, void **at)
{
    char message[CT_MESSAGE_BYTES];
    const ct_status bad = ct_plan_side_from_dlpack(&a->tensor, side, at, message);
    if (bad) core_raise(bad, message, NULL, NULL);
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

int core_array_layout_side(const core_array *a, const ct_tensor *t, core_span span, ct_plan_side *side, void **at)
{
    ct_plan_side own;
    if (core_array_side(a, &own, at)) return -1;
    const ct_layout *const L = &own.memory.layout;
    const int64_t size = L->err.status ? 0 : ct_size(*L);
    if (size == 0 || !ct_is_integral(t->layout) || !ct_offset_is_integer(&t->offset)) {
        PyErr_SetString(PyExc_ValueError, size == 0 ? "the array has no elements"
                                                    : "the layout has coordinates in place of offsets");
        return -1;
    }
    const core_span all = core_span_of(&own.memory);
    if (size != all.high - all.low + 1) {
        PyErr_Format(PyExc_ValueError, "the array has %lld elements within %lld places: a layout is put on "
                     "memory without gaps", (long long)size, (long long)(all.high - all.low + 1));
        return -1;
    }
    if (span.low < 0 || span.high >= size) {
        PyErr_Format(PyExc_ValueError, "the layout reaches offsets %lld to %lld; the array has %lld elements",
                     (long long)span.low, (long long)span.high, (long long)size);
        return -1;
    }
    *side = own;
    side->memory = *t;
    *at = (char *)*at + all.low * own.elem_bytes;
    return 0;
}
