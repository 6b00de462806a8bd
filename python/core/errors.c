/* The exception: its sentence, what failed with which numbers, and where in a text. */
#include "core.h"

#include <stdlib.h>
#include <string.h>

#include <cutlet/host/check.h>

PyObject *core_error;

/* The sentence, the text, and a caret under the place. */
static PyObject *with_caret(const char *message, const core_place *p)
{
    char *text = NULL;
    size_t size = 0;
    FILE *const stream = open_memstream(&text, &size);
    if (!stream) return PyErr_NoMemory();
    ct_report_place(stream, "", p->text, strlen(p->text), p->at, p->length, message);
    if (fclose(stream) != 0) {
        free(text);
        return PyErr_NoMemory();
    }
    while (size > 0 && text[size - 1] == '\n') --size;
    const size_t skip = size > 2 && memcmp(text, ": ", 2) == 0 ? 2 : 0;
    PyObject *const all = PyUnicode_DecodeUTF8(text + skip, (Py_ssize_t)(size - skip), "replace");
    free(text);
    return all;
}

static int set(PyObject *object, const char *name, PyObject *value)
{
    const int bad = !value || PyObject_SetAttrString(object, name, value) < 0;
    Py_XDECREF(value);
    return bad;
}

static PyObject *none(void) { return Py_NewRef(Py_None); }

/* What a program may ask of the exception. */
static int set_parts(PyObject *object, ct_status status, const char *message, const ct_error *e,
                     const core_place *p)
{
    const int known = e && e->status != CT_OK;
    return set(object, "message",
               PyUnicode_DecodeUTF8(message, (Py_ssize_t)strlen(message), "replace")) ||
           set(object, "status", PyUnicode_FromString(ct_status_name(status))) ||
           set(object, "operation", known ? PyUnicode_FromString(ct_op_name(e->op)) : none()) ||
           set(object, "mode", known ? PyLong_FromLong(e->mode) : none()) ||
           set(object, "numbers",
               known ? Py_BuildValue("(LLL)", (long long)e->n[0], (long long)e->n[1],
                                     (long long)e->n[2])
                     : none()) ||
           set(object, "text", p ? PyUnicode_FromString(p->text) : none()) ||
           set(object, "at", p ? PyLong_FromSize_t(p->at) : none()) ||
           set(object, "length", p ? PyLong_FromSize_t(p->length) : none());
}

/* The exception itself, in whose sentence a command is the package's. */
static PyObject *raise(ct_status status, const char *message, const ct_error *e,
                       const core_place *p)
{
    if (status == CT_E_MEMORY) {
        PyErr_SetString(PyExc_MemoryError, message);
        return NULL;
    }
    PyObject *const text =
        p ? with_caret(message, p)
          : PyUnicode_DecodeUTF8(message, (Py_ssize_t)strlen(message), "replace");
    PyObject *const object = text ? PyObject_CallOneArg(core_error, text) : NULL;
    if (object && !set_parts(object, status, message, e, p)) PyErr_SetObject(core_error, object);
    Py_XDECREF(text);
    Py_XDECREF(object);
    return NULL;
}

PyObject *core_raise(ct_status status, const char *message, const ct_error *e, const core_place *p)
{
    char *const advised = core_advised(message);
    PyObject *const none = raise(advised ? status : CT_E_MEMORY, advised ? advised : message, e, p);
    free(advised);
    return none;
}

PyObject *core_raise_diag(ct_status status, const char *text, const ct_diag *diag)
{
    const core_place place = {text, diag->at, diag->length};
    return core_raise(status, diag->message, &diag->err, &place);
}

int core_errors_ready(PyObject *module)
{
    core_error = PyErr_NewExceptionWithDoc(
        "pycutlet.Error",
        "An operation that has no exact result, or a text that cannot be read.\n\n"
        "str() is the sentence, for a text with the text and a caret below. message is the sentence\n"
        "alone, status the kind of failure, operation, mode and numbers what it speaks of; text, at\n"
        "and length the place in the text. Those that do not apply are None.",
        PyExc_ValueError, NULL);
    return !core_error || PyModule_AddObjectRef(module, "Error", core_error) < 0;
}
