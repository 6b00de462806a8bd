/**
 * The compiled core of the Python package: values of the C library as Python objects.
 *
 * A value of the algebra is one object, which never changes. Integers, tuples of them and None (for
 * `_`) are Python's own; everything else has a type of its own. All functions of the library are
 * those of its public headers.
 */
#ifndef CUTLET_PYTHON_CORE_H
#define CUTLET_PYTHON_CORE_H

#include "python.h"

#include <cutlet/algebra/make.h>
#include <cutlet/host/eval.h>

/** A value with a type of its own. Memory is taken for the kind alone: of `value` only the kind and
 *  that member exist. core_copy_out copies no more than that. */
typedef struct core_object {
    PyObject_HEAD Py_hash_t hash; /* -1: not known yet */
    PyObject *shape, *stride;     /* of a layout or tensor; NULL: not asked for yet */
    PyObject *text, *repr;        /* the same */
    ct_value value;
} core_object;

/** The type of each kind that has one, by CT_KIND_...; the type of basis elements; the exception. */
extern PyTypeObject *core_type[CT_KIND_COUNT];
extern PyTypeObject *core_basis_type, *core_operation_type;
extern PyObject *core_error;

/* errors.c */

/** The places that an error of a text has. */
typedef struct core_place {
    const char *text;
    size_t at, length;
} core_place;

/** Sets the exception for an error of the algebra, err NULL: of a status alone. place is NULL, or
 *  where in a text it happened. Returns NULL. */
PyObject *core_raise(ct_status status, const char *message, const ct_error *err,
                     const core_place *place);

/** The same for what ct_evaluate and ct_parse_.. tell. */
PyObject *core_raise_diag(ct_status status, const char *text, const ct_diag *diag);

/** A text whose `cutlet COMMAND` is the package's own command, from malloc. NULL: there is no memory. */
char *core_advised(const char *text);

int core_errors_ready(PyObject *module);

/* convert.c */

/** Bytes of the member of a kind. */
size_t core_kind_bytes(int kind);

/** The Python value of v, of which nothing remains the caller's. NULL and an exception. */
PyObject *core_from_value(ct_value *v);

/** The C value of an object; text is evaluated. Owns memory only where it is a list. 0, or -1 and an
 *  exception. */
int core_to_value(PyObject *o, ct_value *v);

/** The same for values that have to be of a kind; None is only taken where it stands for `_`. */
int core_to_tuple(PyObject *o, ct_tuple *t);
int core_to_layout(PyObject *o, ct_layout *L);
int core_to_tensor(PyObject *o, ct_tensor *t);

/** The tuple as Python writes it. */
PyObject *core_from_tuple(const ct_tuple *t);

/** Evaluates a text. */
PyObject *core_evaluate(const char *text);

/* values.c */

/** The value of an object of one of our types; NULL for any other object. */
const ct_value *core_value_of(PyObject *o);

/** Copies the value of one of our objects. */
void core_copy_out(PyObject *o, ct_value *v);

/** A new object of a type of ours, a subclass perhaps. */
PyObject *core_new_object(PyTypeObject *type, const ct_value *v);

/** The name of a type without its module; until it is asked for another. */
const char *core_type_name(PyTypeObject *type);

int core_values_ready(PyObject *module);

/* make.c */

/** The constructor of every type. */
PyObject *core_make(PyTypeObject *type, PyObject *args, PyObject *keywords);

/* basis.c */

/** A basis element: value@path. */
typedef struct core_basis {
    PyObject_HEAD int64_t value;
    uint32_t basis;
} core_basis;

PyObject *core_new_basis(int64_t value, uint32_t basis);
int core_basis_ready(PyObject *module);

/* operations.c */

/** An operation that is called from here: its name, and its forms once they are known. */
typedef struct core_operation {
    const char *name;
    ct_forms forms;
} core_operation;

PyObject *core_call(core_operation *o, PyObject *const *arg, Py_ssize_t count);

int core_operations_ready(PyObject *module);

/* text.c, draw.c, model.c, suggest.c, arrays.c, plans.c, redistribute.c; ../command */

extern PyMethodDef core_text_methods[], core_draw_methods[], core_model_methods[],
    core_suggest_methods[], core_command_methods[], core_pycute_methods[];
int core_model_ready(PyObject *module);
int core_plans_ready(PyObject *module);
int core_redistribute_ready(PyObject *module);

/** The table of rules of an architecture, NULL with an exception; None is the first. */
struct ct_access_rules;
int core_rules(const char *arch, const struct ct_access_rules **rules);

/** A new structure sequence of a type: words, then long longs. */
PyObject *core_struct(PyTypeObject *type, const char *const *word, Py_ssize_t words,
                      const int64_t *item, Py_ssize_t count);

#endif
