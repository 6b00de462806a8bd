/* Python's integers, tuples, None and text, and the values of C. */
#include "core.h"

#include <stddef.h>
#include <string.h>

size_t core_kind_bytes(int kind)
{
    switch (kind) {
        case CT_KIND_LAYOUT: return sizeof(ct_layout);
        case CT_KIND_TILER: return sizeof(ct_tiler);
        case CT_KIND_TENSOR: return sizeof(ct_tensor);
        case CT_KIND_SWIZZLE: return sizeof(ct_swizzle);
        case CT_KIND_COPY_ATOM: return sizeof(ct_copy_atom);
        case CT_KIND_TILED_COPY: return sizeof(ct_tiled_copy);
        case CT_KIND_MMA_ATOM: return sizeof(ct_mma_atom);
        case CT_KIND_TILED_MMA: return sizeof(ct_tiled_mma);
        default: return sizeof(ct_value) - offsetof(ct_value, as);
    }
}

/* To Python. */

static PyObject *leaf(const ct_tuple *t, int i)
{
    if (t->basis[i] == CT_INTEGER) return PyLong_FromLongLong(t->value[i]);
    if (t->basis[i] == CT_ANY) return Py_NewRef(Py_None);
    return core_new_basis(t->value[i], t->basis[i]);
}

/* A tuple whose parenthesis has been opened, `open` more before leaf *i; *i is then the leaf after
   it, *beyond the parentheses that close behind its own. */
static PyObject *modes(const ct_tuple *t, int *i, int open, int *beyond)
{
    PyObject *item[CT_MAX_LEAVES];
    int n = 0, closed = 0, ok = 1;
    while (ok && closed == 0 && *i < t->profile.leaves) {
        if (open > 0) {
            item[n] = modes(t, i, open - 1, &closed);
        } else {
            item[n] = leaf(t, *i);
            closed = t->profile.close[(*i)++];
        }
        ok = item[n] != NULL;
        n += ok;
        if (closed == 0 && *i < t->profile.leaves) open = t->profile.open[*i];
    }
    *beyond = closed - 1;
    PyObject *const tuple = ok ? PyTuple_New(n) : NULL;
    for (int k = 0; k < n; ++k) {
        if (tuple) PyTuple_SET_ITEM(tuple, k, item[k]);
        else Py_DECREF(item[k]);
    }
    return tuple;
}

PyObject *core_from_tuple(const ct_tuple *t)
{
    if (ct_profile_is_integer(t->profile)) return leaf(t, 0);
    if (t->profile.leaves == 0) return PyTuple_New(0);
    int i = 0, beyond = 0;
    return modes(t, &i, t->profile.open[0] - 1, &beyond);
}

static PyObject *from_list(const ct_list *list)
{
    PyObject *const all = PyTuple_New((Py_ssize_t)list->count);
    for (int64_t i = 0; all && i < list->count; ++i) {
        PyObject *const v = PyLong_FromLongLong(list->item[i]);
        if (!v) {
            Py_DECREF(all);
            return NULL;
        }
        PyTuple_SET_ITEM(all, (Py_ssize_t)i, v);
    }
    return all;
}

PyObject *core_from_value(ct_value *v)
{
    PyObject *o = NULL;
    switch (v->kind) {
        case CT_KIND_BOOL: return PyBool_FromLong(v->as.boolean);
        case CT_KIND_NAME: return PyUnicode_FromString(v->as.name);
        case CT_KIND_TUPLE: return core_from_tuple(&v->as.tuple);
        case CT_KIND_LIST:
            o = from_list(&v->as.list);
            ct_value_free(v);
            return o;
        default: return core_new_object(core_type[v->kind], v);
    }
}

/* From Python. */

static int is_sequence(PyObject *o) { return PyTuple_Check(o) || PyList_Check(o); }

/* A leaf that is not a tuple. Anything with __index__ is an integer. */
static int push_leaf(PyObject *o, ct_tuple *t)
{
    if (t->profile.leaves == CT_MAX_LEAVES) {
        const ct_error e = ct_make_error(CT_E_CAPACITY, CT_OP_TUPLE, CT_WHY_LEAVES, 0,
                                         CT_MAX_LEAVES + 1, CT_MAX_LEAVES);
        char message[CT_MESSAGE_BYTES];
        ct_error_message(e, message, sizeof message);
        core_raise(e.status, message, &e, NULL);
        return -1;
    }
    const int i = t->profile.leaves++;
    if (PyLong_Check(o)) {
        t->value[i] = PyLong_AsLongLong(o);
        return t->value[i] == -1 && PyErr_Occurred() ? -1 : 0;
    }
    if (o == Py_None) {
        t->basis[i] = CT_ANY;
        return 0;
    }
    if (Py_IS_TYPE(o, core_basis_type)) {
        t->value[i] = ((core_basis *)o)->value;
        t->basis[i] = ((core_basis *)o)->basis;
        return 0;
    }
    PyObject *const number = PyNumber_Index(o);
    if (!number) {
        PyErr_Format(PyExc_TypeError,
                     "an integer, a tuple, None or a value of pycutlet is expected, not %.80s",
                     core_type_name(Py_TYPE(o)));
        return -1;
    }
    t->value[i] = PyLong_AsLongLong(number);
    Py_DECREF(number);
    return t->value[i] == -1 && PyErr_Occurred() ? -1 : 0;
}

static int push(PyObject *o, ct_tuple *t, int depth)
{
    if (!is_sequence(o)) return push_leaf(o, t);
    const Py_ssize_t n = PySequence_Fast_GET_SIZE(o);
    const int first = t->profile.leaves;
    if (depth > CT_TEXT_DEPTH || (n == 0 && depth > 0)) {
        PyErr_SetString(PyExc_ValueError,
                        n == 0 ? "an empty tuple inside another one" : "a tuple nests too deep");
        return -1;
    }
    for (Py_ssize_t k = 0; k < n; ++k) {
        if (push(PySequence_Fast_GET_ITEM(o, k), t, depth + 1)) return -1;
    }
    if (n > 0) {
        ++t->profile.open[first];
        ++t->profile.close[t->profile.leaves - 1];
    }
    return 0;
}

int core_to_tuple(PyObject *o, ct_tuple *t)
{
    memset(t, 0, sizeof *t);
    return push(o, t, 0);
}

/* Whether a layout or a tiler is somewhere in a tuple, which then is a tiler. */
static int holds_layout(PyObject *o, int depth)
{
    if (!is_sequence(o)) return core_value_of(o) != NULL || PyUnicode_Check(o);
    for (Py_ssize_t k = 0; depth < CT_TEXT_DEPTH && k < PySequence_Fast_GET_SIZE(o); ++k) {
        if (holds_layout(PySequence_Fast_GET_ITEM(o, k), depth + 1)) return 1;
    }
    return 0;
}

/* A tuple with layouts as the text of a tiler. */
static PyObject *tiler_text(PyObject *o, int depth)
{
    if (o == Py_None) return PyUnicode_FromString("_");
    if (!is_sequence(o)) return PyObject_Str(o);
    const int tiler = holds_layout(o, depth);
    const Py_ssize_t n = PySequence_Fast_GET_SIZE(o);
    PyObject *const all = PyList_New(n), *const comma = PyUnicode_FromString(",");
    PyObject *merged = NULL, *text = NULL;
    int ok = all && comma;
    for (Py_ssize_t k = 0; ok && k < n; ++k) {
        PyObject *const part = tiler_text(PySequence_Fast_GET_ITEM(o, k), depth + 1);
        ok = part != NULL;
        if (ok) PyList_SET_ITEM(all, k, part);
    }
    if (ok) merged = PyUnicode_Join(comma, all);
    if (merged) text = PyUnicode_FromFormat(tiler ? "<%U>" : "(%U)", merged);
    Py_XDECREF(merged);
    Py_XDECREF(all);
    Py_XDECREF(comma);
    return text;
}

static int evaluate(const char *text, ct_value *v)
{
    ct_diag diag;
    const ct_status bad = ct_evaluate(text, v, &diag);
    if (bad) core_raise_diag(bad, text, &diag);
    return bad ? -1 : 0;
}

static int to_tiler(PyObject *o, ct_value *v)
{
    PyObject *const text = tiler_text(o, 0);
    const char *const utf8 = text ? PyUnicode_AsUTF8(text) : NULL;
    const int bad = !utf8 || evaluate(utf8, v);
    Py_XDECREF(text);
    return bad ? -1 : 0;
}

int core_to_value(PyObject *o, ct_value *v)
{
    if (core_value_of(o)) {
        core_copy_out(o, v);
        return 0;
    }
    if (PyUnicode_Check(o)) {
        const char *const text = PyUnicode_AsUTF8(o);
        return text ? evaluate(text, v) : -1;
    }
    if (is_sequence(o) && holds_layout(o, 0)) return to_tiler(o, v);
    v->kind = CT_KIND_TUPLE;
    return core_to_tuple(o, &v->as.tuple);
}

/* A value that is of another kind than what is asked for. */
static int wrong_kind(const char *what, ct_value *v)
{
    PyErr_Format(PyExc_TypeError, "%s is expected, not %s", what, ct_kind_name(v));
    ct_value_free(v);
    return -1;
}

static int failed(const ct_error *e)
{
    char message[CT_MESSAGE_BYTES];
    ct_error_message(*e, message, sizeof message);
    core_raise(e->status, message, e, NULL);
    return -1;
}

int core_to_layout(PyObject *o, ct_layout *L)
{
    ct_value v;
    if (core_to_value(o, &v)) return -1;
    if (v.kind == CT_KIND_TUPLE) *L = ct_make_col_major(v.as.tuple);
    else if (v.kind == CT_KIND_LAYOUT) *L = v.as.layout;
    else return wrong_kind("a layout", &v);
    return L->err.status ? failed(&L->err) : 0;
}

int core_to_tensor(PyObject *o, ct_tensor *t)
{
    ct_value v;
    if (core_to_value(o, &v)) return -1;
    if (v.kind == CT_KIND_TENSOR) *t = v.as.tensor;
    else if (v.kind == CT_KIND_LAYOUT) *t = ct_make_tensor(v.as.layout);
    else if (v.kind == CT_KIND_TUPLE) *t = ct_make_tensor(ct_make_col_major(v.as.tuple));
    else return wrong_kind("a layout or a tensor", &v);
    return t->layout.err.status ? failed(&t->layout.err) : 0;
}

PyObject *core_evaluate(const char *text)
{
    ct_value v;
    return evaluate(text, &v) ? NULL : core_from_value(&v);
}
