/* The memory of an array by another layout, for NumPy, PyTorch and others. */
#include <Python.h>

#include <structmember.h>

#include "arrays.h"

#include <stddef.h>
#include <string.h>

static PyTypeObject *view_type;

typedef struct view {
    PyObject_HEAD
    PyObject *layout; /* a Tensor or Layout */
    PyObject *source; /* the array */
    core_array array;
    ct_plan_side side;
    void *at;
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
        return PyErr_Format(PyExc_ValueError, "strides cannot say what a swizzle does; relayout moves it");
    view *const v = (view *)view_type->tp_alloc(view_type, 0);
    if (!v) return NULL;
    if (core_array_open(array, 0, NULL, &v->array) || core_array_layout_side(&v->array, &t, core_span_of(&t), &v->side, &v->at)) {
        Py_DECREF(v);
        return NULL;
    }
    const ct_layout *const L = &v->side.memory.layout;
    for (int k = 0; k < L->profile.leaves; ++k) {
        v->shape[k] = (Py_ssize_t)L->shape[k];
        v->strides[k] = (Py_ssize_t)L->stride[k] * v->side.elem_bytes;
    }
    v->layout = Py_NewRef(layout);
    v->source = Py_NewRef(array);
    return (PyObject *)v;
}

static void dealloc(PyObject *self)
{
    view *const v = (view *)self;
    PyTypeObject *const type = Py_TYPE(self);
    core_array_close(&v->array);
    Py_XDECREF(v->layout);
    Py_XDECREF(v->source);
    type->tp_free(self);
    Py_DECREF(type);
}

static PyObject *repr(PyObject *self)
{
    return PyUnicode_FromFormat("view(%S)", ((view *)self)->layout);
}

/* A format for what DLPack alone described. */
static const char *format_of(const view *v)
{
    static const char *const by_type[CT_TYPE_COUNT] = {NULL, "e", NULL, "f", "d", "b"};
    const ct_dl_tensor *const t = &v->array.tensor;
    if (v->array.format[0]) return v->array.format;
    if (by_type[v->side.type]) return by_type[v->side.type];
    const int whole = t->lanes == 1 && (t->code == CT_DL_INT || t->code == CT_DL_UINT);
    if (whole && t->bits == 64) return t->code == CT_DL_INT ? "q" : "Q";
    if (whole && t->bits == 32) return t->code == CT_DL_INT ? "i" : "I";
    if (whole && t->bits == 16) return t->code == CT_DL_INT ? "h" : "H";
    if (whole && t->bits == 8) return "B";
    if (t->code == CT_DL_BOOL && t->bits == 8) return "?";
    return NULL;
}

static int get_buffer(PyObject *self, Py_buffer *b, int flags)
{
    view *const v = (view *)self;
    const char *const format = format_of(v);
    b->obj = NULL;
    if (core_array_on_device(&v->array) || !format) {
        PyErr_SetString(PyExc_BufferError, format ? "the memory is that of a device" : "no format says its elements");
        return -1;
    }
    if ((flags & PyBUF_WRITABLE) && v->array.buffer.obj && v->array.buffer.readonly) {
        PyErr_SetString(PyExc_BufferError, "the array is read-only");
        return -1;
    }
    if ((flags & PyBUF_STRIDES) != PyBUF_STRIDES) {
        PyErr_SetString(PyExc_BufferError, "a view has strides");
        return -1;
    }
    const ct_tuple *const offset = &v->side.memory.offset;
    b->buf = (char *)v->at + (offset->profile.leaves ? offset->value[0] : 0) * v->side.elem_bytes;
    b->obj = Py_NewRef(self);
    b->itemsize = v->side.elem_bytes;
    b->ndim = v->side.memory.layout.profile.leaves;
    b->len = (Py_ssize_t)ct_size(v->side.memory.layout) * b->itemsize;
    b->readonly = v->array.buffer.obj ? v->array.buffer.readonly : 0;
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
    if (!PyCapsule_IsValid(capsule, "dltensor")) return; /* it was taken, and is the taker's */
    ct_dl_managed *const m = PyCapsule_GetPointer(capsule, "dltensor");
    m->deleter(m);
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

static PyObject *dlpack(PyObject *self, PyObject *args, PyObject *keywords)
{
    view *const v = (view *)self;
    ct_dl_managed *given;
    char message[CT_MESSAGE_BYTES];
    (void)args; /* a version: 0 serves all */
    if (v->array.buffer.obj && v->array.buffer.readonly)
        return PyErr_Format(PyExc_BufferError, "the array is read-only");
    if (wait_for_source(v, keywords ? PyDict_GetItemString(keywords, "stream") : NULL)) return NULL;
    const ct_status bad = ct_plan_give_dlpack(&v->side, v->at, Py_NewRef(self), release_owner, &given, message);
    if (bad) {
        Py_DECREF(self);
        return core_raise(bad, message, NULL, NULL);
    }
    const ct_dl_tensor *const t = &v->array.tensor;
    given->tensor.device_type = t->device_type;
    given->tensor.device_id = t->device_id;
    given->tensor.code = t->code;
    given->tensor.bits = t->bits;
    given->tensor.lanes = t->lanes;
    PyObject *const capsule = PyCapsule_New(given, "dltensor", release_capsule);
    if (!capsule) given->deleter(given);
    return capsule;
}

static PyObject *device(PyObject *self, PyObject *unused)
{
    (void)unused;
    const ct_dl_tensor *const t = &((view *)self)->array.tensor;
    return Py_BuildValue("(ii)", t->device_type, t->device_id);
}

static PyMemberDef members[] = {
    {"layout", T_OBJECT, offsetof(view, layout), READONLY, "Where its elements are in the array's memory."},
    {NULL, 0, 0, 0, NULL},
};

static PyMethodDef methods[] = {
    {"__dlpack__", (PyCFunction)(void (*)(void))dlpack, METH_VARARGS | METH_KEYWORDS, NULL},
    {"__dlpack_device__", device, METH_NOARGS, NULL},
    {0},
};

static PyType_Slot slots[] = {
    {Py_tp_doc, "view(array, layout)\n--\n\nThe memory of an array by a layout: numpy.asarray and "
                "torch.from_dlpack take it, with a\ndimension for each leaf."},
    {Py_tp_new, new_view}, {Py_tp_dealloc, dealloc}, {Py_tp_repr, repr}, {Py_tp_methods, methods},
    {Py_tp_members, members}, {Py_bf_getbuffer, get_buffer}, {0, NULL},
};

static PyType_Spec spec = {"cutlet.view", sizeof(view), 0, Py_TPFLAGS_DEFAULT, slots};

/* array_info(array) -> (Layout or None, type, bytes of an element, device type, device, address) */
static PyObject *info(PyObject *self, PyObject *o)
{
    static const char *const types[CT_TYPE_COUNT] = {"raw", "half", "bfloat16", "float", "double", "int8"};
    core_array a;
    ct_plan_side side;
    void *at;
    PyObject *all = NULL;
    (void)self;
    if (core_array_open(o, 0, NULL, &a)) return NULL;
    if (core_array_side(&a, &side, &at) == 0) {
        ct_value v;
        v.kind = CT_KIND_LAYOUT;
        v.as.layout = side.memory.layout;
        PyObject *const L = v.as.layout.err.status ? Py_NewRef(Py_None) : core_from_value(&v);
        if (L) all = Py_BuildValue("(NsiiiK)", L, types[side.type], side.elem_bytes, a.tensor.device_type,
                                   a.tensor.device_id, (unsigned long long)(uintptr_t)at);
    }
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
