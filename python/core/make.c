/* How values are made by their types: of text, of parts, of the operation that makes them. */
#include "core.h"

/* A value of the kind out of a single argument: a value of it, or text. */
static PyObject *read_value(PyTypeObject *type, int kind, PyObject *o)
{
    ct_value v;
    if (core_to_value(o, &v)) return NULL;
    if (kind == CT_KIND_LAYOUT && v.kind == CT_KIND_TUPLE) {
        v.as.layout = ct_make_col_major(v.as.tuple);
        v.kind = CT_KIND_LAYOUT;
    }
    if (kind == CT_KIND_TILER && v.kind == CT_KIND_TUPLE) {
        v.as.tiler = ct_tiler_of_shape(v.as.tuple);
        v.kind = CT_KIND_TILER;
    }
    if (kind == CT_KIND_TENSOR && v.kind == CT_KIND_LAYOUT) {
        v.as.tensor = ct_make_tensor(v.as.layout);
        v.kind = CT_KIND_TENSOR;
    }
    if (v.kind != kind) {
        PyErr_Format(PyExc_TypeError, "%s is %s, not what a %s is made of",
                     PyUnicode_Check(o) ? "the text" : "this", ct_kind_name(&v),
                     core_type_name(type));
        ct_value_free(&v);
        return NULL;
    }
    const ct_error e = ct_value_error(&v);
    if (e.status == CT_OK) return core_new_object(type, &v);
    char message[CT_MESSAGE_BYTES];
    ct_error_message(e, message, sizeof message);
    return core_raise(e.status, message, &e, NULL);
}

/* How a type is made of more arguments: which operation takes them. */
static struct {
    int kind;
    core_operation operation;
} made_by[] = {
    {CT_KIND_SWIZZLE, {.name = "make_swizzle"}},  {CT_KIND_COPY_ATOM, {.name = "copy_atom"}},
    {CT_KIND_TILED_COPY, {.name = "tiled_copy"}}, {CT_KIND_TILED_MMA, {.name = "tiled_mma"}},
    {CT_KIND_MMA_ATOM, {.name = "mma_atom"}},
};

static int kind_of_type(PyTypeObject *type)
{
    for (int kind = CT_KIND_LAYOUT; kind < CT_KIND_COUNT; ++kind) {
        if (PyType_IsSubtype(type, core_type[kind])) return kind;
    }
    return 0;
}

/* A Layout of a shape and a stride. */
static PyObject *new_layout(PyTypeObject *type, PyObject *a, PyObject *b)
{
    ct_value v;
    ct_tuple s, d;
    if (!b || b == Py_None) {
        if (PyUnicode_Check(a) || core_value_of(a)) return read_value(type, CT_KIND_LAYOUT, a);
        if (core_to_tuple(a, &s)) return NULL;
        v.as.layout = ct_make_col_major(s);
    } else {
        if (core_to_tuple(a, &s) || core_to_tuple(b, &d)) return NULL;
        v.as.layout = ct_make_layout(s, d);
    }
    v.kind = CT_KIND_LAYOUT;
    const ct_error *const e = &v.as.layout.err;
    if (e->status == CT_OK) return core_new_object(type, &v);
    char message[CT_MESSAGE_BYTES];
    ct_error_message(*e, message, sizeof message);
    return core_raise(e->status, message, e, NULL);
}

/* A Tensor of a layout, an offset and a swizzle. */
static PyObject *new_tensor(PyTypeObject *type, PyObject *L, PyObject *from, PyObject *s)
{
    ct_value v, sw;
    if (!from && !s) return read_value(type, CT_KIND_TENSOR, L);
    if (core_to_layout(L, &v.as.tensor.layout)) return NULL;
    v.as.tensor = ct_make_tensor(v.as.tensor.layout);
    v.kind = CT_KIND_TENSOR;
    if (from && core_to_tuple(from, &v.as.tensor.offset)) return NULL;
    if (s && s != Py_None) {
        if (core_to_value(s, &sw)) return NULL;
        if (sw.kind != CT_KIND_SWIZZLE) {
            PyErr_Format(PyExc_TypeError, "swizzle must be a swizzle, not %s", ct_kind_name(&sw));
            ct_value_free(&sw);
            return NULL;
        }
        v.as.tensor.swizzle = sw.as.swizzle;
    }
    const ct_error e = ct_tensor_check(&v.as.tensor);
    if (e.status == CT_OK) return core_new_object(type, &v);
    char message[CT_MESSAGE_BYTES];
    ct_error_message(e, message, sizeof message);
    return core_raise(e.status, message, &e, NULL);
}

static PyObject *new_by_operation(PyTypeObject *type, int kind, PyObject *args)
{
    PyObject *argument[4];
    const Py_ssize_t n = PyTuple_GET_SIZE(args);
    PyObject *const only = n == 1 ? PyTuple_GET_ITEM(args, 0) : NULL;
    if (only &&
        (PyUnicode_Check(only) || (core_value_of(only) && core_value_of(only)->kind == kind)))
        return read_value(type, kind, only);
    if (kind == CT_KIND_TILER) return read_value(type, kind, args);
    if (n > 4)
        return PyErr_Format(PyExc_TypeError, "%s takes at most 4 arguments, not %zd",
                            core_type_name(type), n);
    for (Py_ssize_t k = 0; k < n; ++k) argument[k] = PyTuple_GET_ITEM(args, k);
    for (size_t k = 0; k < sizeof made_by / sizeof *made_by; ++k) {
        if (made_by[k].kind == kind) return core_call(&made_by[k].operation, argument, n);
    }
    return NULL;
}

PyObject *core_make(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    static char *of_layout[] = {"shape", "stride", NULL},
                *of_tensor[] = {"layout", "offset", "swizzle", NULL};
    PyObject *a = NULL, *b = NULL, *c = NULL;
    const int kind = kind_of_type(type);
    if (kind == CT_KIND_LAYOUT) {
        if (!PyArg_ParseTupleAndKeywords(args, keywords, "O|O:Layout", of_layout, &a, &b))
            return NULL;
        return new_layout(type, a, b);
    }
    if (kind == CT_KIND_TENSOR) {
        if (!PyArg_ParseTupleAndKeywords(args, keywords, "O|OO:Tensor", of_tensor, &a, &b, &c))
            return NULL;
        return new_tensor(type, a, b, c);
    }
    if (keywords && PyDict_GET_SIZE(keywords))
        return PyErr_Format(PyExc_TypeError, "%s takes no keyword arguments", core_type_name(type));
    return new_by_operation(type, kind, args);
}
