/* The memory of an array by another layout, for NumPy, PyTorch and others. */
#include <Python.h>

#include "arrays.h"

#include <stddef.h>
#include <string.h>

static PyTypeObject *view_type;

typedef struct view {
    PyObject_HEAD PyObject *layout; /* a Tensor or Layout */
    PyObject *source;               /* the array */
    core_array array;
    core_end end;
    Py_ssize_t shape[CT_MAX_LEAVES], strides[CT_MAX_LEAVES]; /* of the buffer protocol, in bytes */
} view;

static PyObject *new_view(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"array", "layout", NULL};
    PyObject *array, *layout;
    ct_tensor t;
    (void)type;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "OO:view", names, &array, &layout) ||
        core_to_tensor(layout, &t))
        return NULL;
    if (t.swizzle.bits)
        return PyErr_Format(PyExc_ValueError,
                            "strides cannot say what a swizzle does; relayout moves it");
    view *const v = (view *)PyType_GenericAlloc(view_type, 0);
    if (!v) return NULL;
    if (core_array_open(array, 0, NULL, &v->array) ||
        core_array_layout_end(&v->array, &t, core_span_of(&t), &v->end)) {
        Py_DECREF(v);
        return NULL;
    }
    const ct_layout *const L = &v->end.side.memory.layout;
    for (int k = 0; k < L->profile.leaves; ++k) {
        v->shape[k] = (Py_ssize_t)L->shape[k];
        v->strides[k] = (Py_ssize_t)L->stride[k] * v->end.side.elem_bytes;
    }
    v->layout = Py_NewRef(layout);
    v->source = Py_NewRef(array);
    return (PyObject *)v;
}

static void dealloc(PyObject *self)
{
    view *const v = (view *)self;
    core_array_close(&v->array);
    Py_XDECREF(v->layout);
    Py_XDECREF(v->source);
    core_free(self);
}

static PyObject *repr(PyObject *self)
{
    return PyUnicode_FromFormat("view(%S)", ((view *)self)->layout);
}

/* A format for what DLPack alone described. */
static const char *format_of(const view *v)
{
    static const struct {
        const char *type, *format;
    } known[] = {{"float16", "e"},     {"float32", "f"}, {"float64", "d"}, {"complex64", "Zf"},
                 {"complex128", "Zd"}, {"bool", "?"},    {"int8", "b"},    {"int16", "h"},
                 {"int32", "i"},       {"int64", "q"},   {"uint8", "B"},   {"uint16", "H"},
                 {"uint32", "I"},      {"uint64", "Q"}};
    if (v->array.format) return v->array.format;
    for (size_t k = 0; k < sizeof known / sizeof *known && v->array.tensor.lanes == 1; ++k)
        if (strcmp(known[k].type, v->array.type) == 0) return known[k].format;
    return NULL;
}

static int get_buffer(PyObject *self, Py_buffer *b, int flags)
{
    view *const v = (view *)self;
    const char *const format = format_of(v);
    b->obj = NULL;
    if (core_array_on_device(&v->array) || !format) {
        if (format) PyErr_SetString(PyExc_BufferError, "the memory is that of a device");
        else
            PyErr_Format(PyExc_BufferError,
                         "no format of the buffer protocol says elements of type %.100s",
                         v->array.type);
        return -1;
    }
    if ((flags & PyBUF_WRITABLE) && v->array.read_only) {
        PyErr_SetString(PyExc_BufferError, "the array is read-only");
        return -1;
    }
    if ((flags & PyBUF_STRIDES) != PyBUF_STRIDES) {
        PyErr_SetString(PyExc_BufferError, "a view has strides");
        return -1;
    }
    const ct_tuple *const offset = &v->end.side.memory.offset;
    b->buf = (char *)v->end.at +
             (offset->profile.leaves ? offset->value[0] : 0) * v->end.side.elem_bytes;
    b->obj = Py_NewRef(self);
    b->itemsize = v->end.side.elem_bytes;
    b->ndim = v->end.side.memory.layout.profile.leaves;
    b->len = (Py_ssize_t)ct_size(v->end.side.memory.layout) * b->itemsize;
    b->readonly = v->array.read_only;
    b->format = flags & PyBUF_FORMAT ? (char *)(uintptr_t)format : NULL;
    b->shape = v->shape;
    b->strides = v->strides;
    b->suboffsets = NULL;
    b->internal = NULL;
    return 0;
}

/* DLPack. */

static void release_owner(void *owner)
{
    const PyGILState_STATE state = PyGILState_Ensure();
    Py_DECREF((PyObject *)owner);
    PyGILState_Release(state);
}

static void release_capsule(PyObject *capsule)
{
    if (PyCapsule_IsValid(capsule, "dltensor")) {
        ct_dl_managed *const m = PyCapsule_GetPointer(capsule, "dltensor");
        m->deleter(m);
    } else if (PyCapsule_IsValid(
                   capsule, "dltensor_versioned")) { /* else it was taken, and is the taker's */
        ct_dl_versioned *const m = PyCapsule_GetPointer(capsule, "dltensor_versioned");
        m->deleter(m);
    }
}

/* Makes the stream of who asks wait for what made the array. */
static int wait_for_source(const view *v, PyObject *stream)
{
    core_array again;
    if (!core_array_on_device(&v->array)) return 0;
    if (core_array_open(v->source, 0, stream ? stream : Py_None, &again)) return -1;
    core_array_close(&again);
    return 0;
}

/* Whether who asks takes tensors with a version. */
static int takes_version(PyObject *keywords)
{
    PyObject *const most = keywords ? PyDict_GetItemString(keywords, "max_version") : NULL;
    return most && PyTuple_Check(most) && PyTuple_GET_SIZE(most) == 2 &&
           PyLong_AsLong(PyTuple_GET_ITEM(most, 0)) >= CT_DL_MAJOR;
}

static PyObject *dlpack(PyObject *self, PyObject *args, PyObject *keywords)
{
    view *const v = (view *)self;
    ct_dl_managed *given = NULL;
    ct_dl_versioned *versioned = NULL;
    char message[CT_MESSAGE_BYTES];
    (void)args;
    const int version = takes_version(keywords);
    if (PyErr_Occurred()) return NULL;
    if (v->array.read_only && !version)
        return PyErr_Format(PyExc_BufferError, "the array is read-only");
    if (v->array.swap)
        return PyErr_Format(PyExc_BufferError, "DLPack has no elements of the other byte order");
    if (v->array.tensor.code == CT_DL_OPAQUE && v->array.type[0] != 'V')
        return PyErr_Format(PyExc_BufferError, "DLPack has no elements of type %.100s",
                            v->array.type);
    if (wait_for_source(v, keywords ? PyDict_GetItemString(keywords, "stream") : NULL)) return NULL;
    const uint64_t flags = v->array.read_only ? CT_DL_READ_ONLY : 0;
    const ct_status bad =
        version ? ct_plan_give_versioned_dlpack(&v->end.side, v->end.at, flags, Py_NewRef(self),
                                                release_owner, &versioned, message)
                : ct_plan_give_dlpack(&v->end.side, v->end.at, Py_NewRef(self), release_owner,
                                      &given, message);
    if (bad) {
        Py_DECREF(self);
        return core_raise(bad, message, NULL, NULL);
    }
    const ct_dl_tensor *const t = &v->array.tensor;
    ct_dl_tensor *const out = version ? &versioned->tensor : &given->tensor;
    out->device_type = t->device_type;
    out->device_id = t->device_id;
    out->code = t->code;
    out->bits = t->bits;
    out->lanes = t->lanes;
    PyObject *const capsule = version
                                  ? PyCapsule_New(versioned, "dltensor_versioned", release_capsule)
                                  : PyCapsule_New(given, "dltensor", release_capsule);
    if (!capsule && version) versioned->deleter(versioned);
    else if (!capsule) given->deleter(given);
    return capsule;
}

/* NumPy asks for this after it was refused the buffer. */
static PyObject *as_array(PyObject *self, PyObject *args, PyObject *keywords)
{
    (void)args;
    (void)keywords;
    return PyErr_Format(PyExc_TypeError, "no buffer says elements of type %.100s%s",
                        ((view *)self)->array.type,
                        core_array_on_device(&((view *)self)->array) ? " on a device" : "");
}

static PyObject *device(PyObject *self, PyObject *unused)
{
    (void)unused;
    const ct_dl_tensor *const t = &((view *)self)->array.tensor;
    return Py_BuildValue("(ii)", t->device_type, t->device_id);
}

static PyMemberDef members[] = {
    {"layout", T_OBJECT, offsetof(view, layout), READONLY,
     "Where its elements are in the array's memory."},
    {NULL, 0, 0, 0, NULL},
};

static PyMethodDef methods[] = {
    {"__dlpack__", (PyCFunction)(void (*)(void))dlpack, METH_VARARGS | METH_KEYWORDS, NULL},
    {"__array__", (PyCFunction)(void (*)(void))as_array, METH_VARARGS | METH_KEYWORDS, NULL},
    {"__dlpack_device__", device, METH_NOARGS, NULL},
    {0},
};

static PyType_Slot slots[] = {
    {Py_tp_doc, "view(array, layout)\n--\n\nThe memory of an array by a layout: numpy.asarray and "
                "torch.from_dlpack take it, with a\ndimension for each leaf."},
    {Py_tp_new, new_view},
    {Py_tp_dealloc, dealloc},
    {Py_tp_repr, repr},
    {Py_tp_methods, methods},
    {Py_tp_members, members},
    {Py_bf_getbuffer, get_buffer},
    {0, NULL},
};

static PyType_Spec spec = {"pycutlet.view", sizeof(view), 0, Py_TPFLAGS_DEFAULT, slots};

/* array_info(array) -> (Layout or None, shape, name of the type, bytes of an element, strides in bytes, device
   type) */
static PyObject *info(PyObject *self, PyObject *o)
{
    core_array a;
    core_end e;
    PyObject *all = NULL;
    (void)self;
    if (core_array_open(o, 0, NULL, &a)) return NULL;
    PyObject *const shape = PyTuple_New(a.tensor.ndim), *const steps = PyTuple_New(a.tensor.ndim);
    for (int k = 0; shape && steps && k < a.tensor.ndim; ++k) {
        PyTuple_SET_ITEM(shape, k, PyLong_FromLongLong(a.shape[k]));
        PyTuple_SET_ITEM(steps, k, PyLong_FromLongLong(a.steps[k]));
    }
    if (shape && steps && core_array_end(&a, &e) == 0) {
        ct_value v;
        v.kind = CT_KIND_LAYOUT;
        v.as.layout = e.side.memory.layout;
        PyObject *const L =
            v.as.layout.err.status || a.ragged ? Py_NewRef(Py_None) : core_from_value(&v);
        if (L)
            all = Py_BuildValue("(NOsiOi)", L, shape, a.type, a.bytes, steps, a.tensor.device_type);
    }
    Py_XDECREF(shape);
    Py_XDECREF(steps);
    core_array_close(&a);
    return all;
}

static PyMethodDef functions[] = {{"_array_info", info, METH_O, NULL}, {0}};

int core_views_ready(PyObject *module)
{
    view_type = (PyTypeObject *)PyType_FromSpec(&spec);
    return !view_type || PyModule_AddObjectRef(module, "view", (PyObject *)view_type) < 0 ||
           PyModule_AddFunctions(module, functions) < 0;
}
