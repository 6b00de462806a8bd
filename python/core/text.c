/* Expressions, explanations and files of assertions. */
#include "core.h"

#include <stdlib.h>
#include <string.h>

#include <cutlet/host/check.h>
#include <cutlet/host/explain.h>

static PyObject *evaluate(PyObject *self, PyObject *text)
{
    (void)self;
    const char *const utf8 = PyUnicode_AsUTF8(text);
    return utf8 ? core_evaluate(utf8) : NULL;
}

/* A stream into memory: what was written, in the package's words; it is the caller's no more. */
static PyObject *written(FILE *stream, char **text)
{
    PyObject *string = NULL;
    char *const told = fclose(stream) == 0 ? core_advised(*text) : NULL;
    if (told) string = PyUnicode_DecodeUTF8(told, (Py_ssize_t)strlen(told), "replace");
    else PyErr_NoMemory();
    free(told);
    free(*text);
    return string;
}

static PyObject *explain(PyObject *self, PyObject *text)
{
    (void)self;
    const char *const utf8 = PyUnicode_AsUTF8(text);
    char *buf = NULL;
    size_t size = 0;
    ct_diag diag;
    FILE *const stream = utf8 ? open_memstream(&buf, &size) : NULL;
    if (!stream) return utf8 ? PyErr_NoMemory() : NULL;
    const ct_status bad = ct_explain(utf8, stream, &diag);
    PyObject *const all = written(stream, &buf);
    if (!bad || !all) return all;
    core_raise_diag(bad, utf8, &diag);
    PyObject *type, *value, *trace; /* the steps up to the failure go with the exception */
    PyErr_Fetch(&type, &value, &trace);
    PyErr_NormalizeException(&type, &value, &trace);
    if (value) PyObject_SetAttrString(value, "steps", all);
    PyErr_Restore(type, value, trace);
    Py_DECREF(all);
    return NULL;
}

/* check(text, name) -> (passed, failed, report) */
static PyObject *check(PyObject *self, PyObject *args)
{
    (void)self;
    const char *text, *name;
    Py_ssize_t length;
    char *buf = NULL;
    size_t size = 0;
    ct_check_counts counts = {0, 0, 0};
    if (!PyArg_ParseTuple(args, "s#s", &text, &length, &name)) return NULL;
    FILE *const stream = open_memstream(&buf, &size);
    if (!stream) return PyErr_NoMemory();
    ct_check_text(name, text, (size_t)length, CT_CHECK_LINES, stream, &counts);
    PyObject *const report = written(stream, &buf);
    return report
               ? Py_BuildValue("(LLN)", (long long)counts.passed, (long long)counts.failed, report)
               : NULL;
}

/* same(a, b): whether two are the same function. */
static PyObject *same(PyObject *self, PyObject *const *arg, Py_ssize_t count)
{
    (void)self;
    ct_value v[2];
    int n = 0, yes = -1;
    if (count != 2) return PyErr_Format(PyExc_TypeError, "same takes two layouts or tensors");
    for (; n < 2 && core_to_value(arg[n], &v[n]) == 0; ++n) {
        if (v[n].kind != CT_KIND_TUPLE) continue;
        v[n].as.layout = ct_make_col_major(v[n].as.tuple);
        v[n].kind = CT_KIND_LAYOUT;
    }
    if (n == 2) {
        yes = ct_value_same_function(&v[0], &v[1], NULL);
        if (yes < 0)
            PyErr_Format(PyExc_TypeError, "%s and %s cannot be compared", ct_kind_name(&v[0]),
                         ct_kind_name(&v[1]));
    }
    for (int k = 0; k < n; ++k) ct_value_free(&v[k]);
    return yes < 0 ? NULL : PyBool_FromLong(yes);
}

static int add_name(void *list, const char *name, const char *what)
{
    PyObject *const pair = Py_BuildValue("(ss)", name, what);
    const int bad = !pair || PyList_Append(list, pair) < 0;
    Py_XDECREF(pair);
    return bad;
}

static PyObject *atoms(PyObject *self, PyObject *unused)
{
    (void)self;
    (void)unused;
    PyObject *const list = PyList_New(0);
    if (list && ct_atoms_listed(add_name, list) == 0) return list;
    Py_XDECREF(list);
    return NULL;
}

PyMethodDef core_text_methods[] = {
    {"evaluate", evaluate, METH_O,
     "evaluate(text)\n--\n\nThe value of an expression in the text notation."},
    {"_explain_text", explain, METH_O, NULL},
    {"_check_text", check, METH_VARARGS, NULL},
    {"same", (PyCFunction)(void (*)(void))same, METH_FASTCALL,
     "same(a, b)\n--\n\nWhether two layouts or tensors are the same function: the same size, and the\n"
     "same offset for every index."},
    {"atoms", atoms, METH_NOARGS,
     "atoms()\n--\n\nThe names of all atoms, each with the operation that takes it."},
    {0},
};
