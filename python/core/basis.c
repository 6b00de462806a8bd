/* Basis elements: 3@0, a step of 3 along mode 0; 1@1@0, along mode 1 of mode 0. */
#include "core.h"

PyTypeObject *core_basis_type;

PyObject *core_new_basis(int64_t value, uint32_t basis)
{
    core_basis *const b = PyObject_New(core_basis, core_basis_type);
    if (!b) return NULL;
    b->value = value;
    b->basis = basis;
    return (PyObject *)b;
}

static PyObject *text(PyObject *self)
{
    const core_basis *const b = (core_basis *)self;
    ct_tuple t = ct_int(b->value);
    char buf[CT_TEXT_BYTES];
    t.basis[0] = b->basis;
    ct_format_tuple(buf, sizeof buf, t);
    return PyUnicode_FromString(buf);
}

static PyObject *path(PyObject *self, void *unused)
{
    (void)unused;
    uint32_t code = ((core_basis *)self)->basis;
    if (ct_is_sum(code)) {
        PyErr_SetString(PyExc_ValueError,
                        "a sum of basis elements has no one path; terms are its parts");
        return NULL;
    }
    PyObject *const all = PyList_New(0);
    for (; all && code; code >>= 8) {
        PyObject *const mode = PyLong_FromLong((long)(code & 255) - 1);
        if (!mode || PyList_Append(all, mode)) {
            Py_XDECREF(mode);
            Py_DECREF(all);
            return NULL;
        }
        Py_DECREF(mode);
    }
    PyObject *const tuple = all ? PyList_AsTuple(all) : NULL;
    Py_XDECREF(all);
    return tuple;
}

static PyObject *value(PyObject *self, void *unused)
{
    (void)unused;
    if (ct_is_sum(((core_basis *)self)->basis)) {
        PyErr_SetString(PyExc_ValueError,
                        "a sum of basis elements has no one length; terms are its parts");
        return NULL;
    }
    return PyLong_FromLongLong(((core_basis *)self)->value);
}

static PyObject *terms(PyObject *self, void *unused)
{
    (void)unused;
    const core_basis *const b = (core_basis *)self;
    const ct_sum s = ct_sum_of(b->value, b->basis);
    PyObject *const all = PyTuple_New(s.count);
    for (int k = 0; all && k < s.count; ++k) {
        PyObject *const term = core_new_basis(s.steps[k], s.path[k]);
        if (!term) {
            Py_DECREF(all);
            return NULL;
        }
        PyTuple_SET_ITEM(all, k, term);
    }
    return all;
}

static Py_hash_t hash(PyObject *self)
{
    const core_basis *const b = (core_basis *)self;
    const uint64_t h = ((uint64_t)b->value * 0x9e3779b97f4a7c15u) ^ b->basis;
    return (Py_hash_t)h == -1 ? -2 : (Py_hash_t)h;
}

static PyObject *compare(PyObject *a, PyObject *b, int op)
{
    if ((op != Py_EQ && op != Py_NE) || !Py_IS_TYPE(b, core_basis_type)) Py_RETURN_NOTIMPLEMENTED;
    const core_basis *const x = (core_basis *)a, *const y = (core_basis *)b;
    return PyBool_FromLong((x->value == y->value && x->basis == y->basis) == (op == Py_EQ));
}

/* 3 * E(0) */
static PyObject *multiply(PyObject *a, PyObject *b)
{
    const int left = Py_IS_TYPE(a, core_basis_type);
    PyObject *const factor = left ? b : a;
    if (!PyLong_Check(factor)) Py_RETURN_NOTIMPLEMENTED;
    const core_basis *const e = (core_basis *)(left ? a : b);
    const long long n = PyLong_AsLongLong(factor);
    int ok = 1;
    if (n == -1 && PyErr_Occurred()) return NULL;
    ct_sum s = ct_sum_of(e->value, e->basis);
    ct_tuple product = ct_int(0);
    for (int k = 0; k < s.count; ++k) s.steps[k] = ct_mul(s.steps[k], n, &ok);
    if (ok) product.err = ct_sum_leaf(s, 0, CT_OP_TUPLE, &product.value[0], &product.basis[0]);
    if (ok && product.err.status == CT_OK)
        return core_new_basis(product.value[0], product.basis[0]);
    PyErr_SetString(PyExc_OverflowError, ok ? "a step that does not fit in a sum of basis elements"
                                            : "a step that does not fit in 64 bits");
    return NULL;
}

/* E(0) + E(1) */
static PyObject *add(PyObject *a, PyObject *b)
{
    if (!Py_IS_TYPE(a, core_basis_type) || !Py_IS_TYPE(b, core_basis_type))
        Py_RETURN_NOTIMPLEMENTED;
    ct_tuple x = ct_int(((core_basis *)a)->value), y = ct_int(((core_basis *)b)->value);
    x.basis[0] = ((core_basis *)a)->basis;
    y.basis[0] = ((core_basis *)b)->basis;
    const ct_tuple sum = ct_basis_add(x, y);
    if (sum.err.status == CT_OK) return core_new_basis(sum.value[0], sum.basis[0]);
    char message[CT_MESSAGE_BYTES];
    ct_error_message(sum.err, message, sizeof message);
    return core_raise(sum.err.status, message, &sum.err, NULL);
}

static PyObject *reduce(PyObject *self, PyObject *unused)
{
    (void)unused;
    PyObject *const module = PyImport_ImportModule("pycutlet");
    PyObject *const function = module ? PyObject_GetAttrString(module, "evaluate") : NULL;
    PyObject *const string = text(self);
    PyObject *const r = function && string ? Py_BuildValue("(O(O))", function, string) : NULL;
    Py_XDECREF(module);
    Py_XDECREF(function);
    Py_XDECREF(string);
    return r;
}

static PyMethodDef methods[] = {{"__reduce__", reduce, METH_NOARGS, NULL}, {0}};

static PyGetSetDef members[] = {
    {"value", value, NULL, "The length of the step.", NULL},
    {"path", path, NULL, "The modes that it goes along, outermost first.", NULL},
    {"terms", terms, NULL, "The basis elements of a sum, or itself alone.", NULL},
    {0},
};

static PyType_Slot slots[] = {
    {Py_tp_doc, "A basis element: value@mode@..; E(0,1) makes one. Strides of coordinate layouts."},
    {Py_tp_repr, text},
    {Py_tp_hash, hash},
    {Py_tp_richcompare, compare},
    {Py_tp_getset, members},
    {Py_tp_methods, methods},
    {Py_nb_multiply, multiply},
    {Py_nb_add, add},
    {0, NULL},
};

static PyType_Spec spec = {"pycutlet.Basis", sizeof(core_basis), 0,
                           Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};

int core_basis_ready(PyObject *module)
{
    core_basis_type = (PyTypeObject *)PyType_FromSpec(&spec);
    return !core_basis_type ||
           PyModule_AddObjectRef(module, "Basis", (PyObject *)core_basis_type) < 0;
}
