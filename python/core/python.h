/**
 * Python's C interface: the stable one of Python 3.11 where Py_LIMITED_API asks for it. Functions then stand for
 * macros, under the macros' names.
 */
#ifndef CUTLET_PYTHON_PYTHON_H
#define CUTLET_PYTHON_PYTHON_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <structmember.h>

#ifdef Py_LIMITED_API

#define PyTuple_GET_SIZE PyTuple_Size
#define PyTuple_GET_ITEM PyTuple_GetItem
#define PyTuple_SET_ITEM PyTuple_SetItem
#define PyList_GET_SIZE PyList_Size
#define PyList_GET_ITEM PyList_GetItem
#define PyList_SET_ITEM PyList_SetItem
#define PyDict_GET_SIZE PyDict_Size
#undef PySequence_Fast_GET_SIZE
#undef PySequence_Fast_GET_ITEM
#define PySequence_Fast_GET_SIZE(o) (PyTuple_Check(o) ? PyTuple_Size(o) : PyList_Size(o))
#define PySequence_Fast_GET_ITEM(o, k)                                                             \
    (PyTuple_Check(o) ? PyTuple_GetItem(o, k) : PyList_GetItem(o, k))
#define PyStructSequence_SET_ITEM PyStructSequence_SetItem
#define PyUnicode_AsUTF8(o) PyUnicode_AsUTF8AndSize(o, NULL)
#define PyObject_CallOneArg(function, argument)                                                    \
    PyObject_CallFunctionObjArgs(function, argument, NULL)

/* In the stable interface from 3.12, and the same in 3.11. */
#ifndef Py_TPFLAGS_HAVE_VECTORCALL
#define Py_TPFLAGS_HAVE_VECTORCALL (1UL << 11)
typedef PyObject *(*vectorcallfunc)(PyObject *callable, PyObject *const *arg, size_t flags,
                                    PyObject *names);
static inline Py_ssize_t PyVectorcall_NARGS(size_t flags) { return (Py_ssize_t)(flags << 1 >> 1); }
#endif

#endif

/* The end of an object, whose type is perhaps a subclass that Python made. */
static inline void core_free(PyObject *o)
{
    PyTypeObject *const type = Py_TYPE(o);
    const freefunc give = (freefunc)PyType_GetSlot(type, Py_tp_free);
    give(o);
    Py_DECREF(type);
}

#endif
