/* The operations: a callable object for each name of the table of expressions. */
#include "core.h"

#include <stddef.h>
#include <string.h>

PyTypeObject *core_operation_type;

/* The forms of a name. As a member of a type it is a method: the object is its first argument, or
   the one behind a coordinate. */
typedef struct operation {
    PyObject_HEAD vectorcallfunc vectorcall;
    ct_forms forms;
    int coordinate_first;
    int integer; /* its place in integers[], -1: none */
    PyObject *name;
} operation;

enum { FEW = 4, MOST = 64 };

static PyObject *run(const ct_forms *forms, PyObject *const *arg, Py_ssize_t count, int swapped)
{
    ct_value few[FEW], out;
    ct_value *v = few;
    char message[CT_MESSAGE_BYTES];
    Py_ssize_t n = 0;
    PyObject *r = NULL;
    if (count > MOST)
        return PyErr_Format(PyExc_TypeError, "%zd arguments; at most %d are taken", count, MOST);
    if (count > FEW && !(v = PyMem_Malloc((size_t)count * sizeof *v))) return PyErr_NoMemory();
    while (n < count && core_to_value(arg[swapped && n < 2 ? 1 - n : n], &v[n]) == 0) ++n;
    if (n == count) {
        const ct_status bad = ct_operation_call(forms, v, (int)count, &out, message);
        if (!bad) r = core_from_value(&out);
        else if (out.kind == CT_KIND_ERROR) core_raise(bad, message, &out.as.failure.err, NULL);
        else if (bad == CT_E_TEXT) PyErr_SetString(PyExc_TypeError, message);
        else core_raise(bad, message, NULL, NULL);
    }
    for (Py_ssize_t k = 0; k < n; ++k) ct_value_free(&v[k]);
    if (v != few) PyMem_Free(v);
    return r;
}

PyObject *core_call(core_operation *o, PyObject *const *arg, Py_ssize_t count)
{
    if (o->forms.count == 0) ct_operation_forms(o->name, &o->forms);
    return run(&o->forms, arg, count, 0);
}

/* Integers that are asked for often: of a layout, which is valid as an object, without a ct_value for the
   argument and one for the result. */
static int64_t rank_of(const ct_layout *L) { return ct_profile_rank(L->profile); }
static int64_t depth_of(const ct_layout *L) { return ct_profile_depth(L->profile); }
static int64_t cosize_of(const ct_layout *L) { return ct_cosize(*L); }

static int64_t size_of(const ct_layout *L)
{
    int64_t size = 1;
    for (int i = 0; i < L->profile.leaves; ++i) size *= L->shape[i];
    return size;
}

enum { RANK, DEPTH, SIZE, COSIZE, INTEGERS };

static struct {
    int64_t (*of_layout)(const ct_layout *L);
    core_operation operation;
} integers[INTEGERS] = {
    {rank_of, {.name = "rank"}},
    {depth_of, {.name = "depth"}},
    {size_of, {.name = "size"}},
    {cosize_of, {.name = "cosize"}},
};

static PyObject *integer_of(int which, PyObject *const *arg, Py_ssize_t count)
{
    if (count == 1 && Py_IS_TYPE(arg[0], core_type[CT_KIND_LAYOUT])) {
        const int64_t v = integers[which].of_layout(&((core_object *)arg[0])->value.as.layout);
        if (v != CT_INVALID) return PyLong_FromLongLong(v);
    }
    return core_call(&integers[which].operation, arg, count);
}

/* As functions these are built-in ones, which the interpreter calls faster than objects. */
#define INTEGER_FUNCTION(name, which)                                                              \
    static PyObject *name(PyObject *module, PyObject *const *arg, Py_ssize_t count)                \
    {                                                                                              \
        (void)module;                                                                              \
        return integer_of(which, arg, count);                                                      \
    }
INTEGER_FUNCTION(rank, RANK)
INTEGER_FUNCTION(depth, DEPTH)
INTEGER_FUNCTION(size, SIZE)
INTEGER_FUNCTION(cosize, COSIZE)

#define FAST(function) (PyCFunction)(void (*)(void)) function, METH_FASTCALL
static PyMethodDef integer_functions[INTEGERS + 1] = {
    {"rank", FAST(rank), NULL},
    {"depth", FAST(depth), NULL},
    {"size", FAST(size), NULL},
    {"cosize", FAST(cosize), NULL},
    {0},
};

static PyObject *call(PyObject *self, PyObject *const *arg, size_t flags, PyObject *names)
{
    operation *const o = (operation *)self;
    const Py_ssize_t n = PyVectorcall_NARGS(flags);
    if (names && PyTuple_GET_SIZE(names) > 0)
        return PyErr_Format(PyExc_TypeError, "%U takes no keyword arguments", o->name);
    if (o->integer >= 0) return integer_of(o->integer, arg, n);
    /* L.slice(coord): the operation takes the coordinate first */
    const int swapped =
        o->coordinate_first && n == 2 && core_value_of(arg[0]) && !core_value_of(arg[1]);
    return run(&o->forms, arg, n, swapped);
}

/* The same with a tuple of arguments, as callables of Python's own call it. */
static PyObject *call_by_tuple(PyObject *self, PyObject *args, PyObject *keywords)
{
    PyObject *arg[MOST];
    const Py_ssize_t n = PyTuple_GET_SIZE(args);
    if (n > MOST)
        return PyErr_Format(PyExc_TypeError, "%zd arguments; at most %d are taken", n, MOST);
    if (keywords && PyDict_GET_SIZE(keywords))
        return PyErr_Format(PyExc_TypeError, "%U takes no keyword arguments",
                            ((operation *)self)->name);
    for (Py_ssize_t k = 0; k < n; ++k) arg[k] = PyTuple_GET_ITEM(args, k);
    return call(self, arg, (size_t)n, NULL);
}

/* The type of a method that is bound to an object. */
static PyObject *method_type;

static PyObject *bind(PyObject *self, PyObject *object, PyObject *type)
{
    (void)type;
    return !object || object == Py_None
               ? Py_NewRef(self)
               : PyObject_CallFunctionObjArgs(method_type, self, object, NULL);
}

static PyObject *repr(PyObject *self)
{
    return PyUnicode_FromFormat("<operation %U>", ((operation *)self)->name);
}

static void dealloc(PyObject *self)
{
    operation *const o = (operation *)self;
    Py_XDECREF(o->name);
    core_free(self);
}

static PyObject *reduce(PyObject *self, PyObject *unused)
{
    operation *const o = (operation *)self;
    (void)unused;
    if (o->integer < 0) return Py_NewRef(o->name); /* a name of the module */
    PyObject *const get = PyDict_GetItemString(PyEval_GetBuiltins(), "getattr");
    return Py_BuildValue("O(OO)", get, core_type[CT_KIND_LAYOUT], o->name);
}

static PyMethodDef methods[] = {{"__reduce__", reduce, METH_NOARGS, NULL}, {0}};

static PyMemberDef members[] = {
    {"__name__", T_OBJECT, offsetof(operation, name), READONLY, NULL},
    {"__qualname__", T_OBJECT, offsetof(operation, name), READONLY, NULL},
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(operation, vectorcall), READONLY, NULL},
    {NULL, 0, 0, 0, NULL},
};

/* The table, read once. */
static struct {
    int count;
    ct_operation_info entry[512];
} table;

static void read_table(void)
{
    while (table.count < 512 && ct_operation_listed(table.count, &table.entry[table.count]))
        ++table.count;
}

/* One line for each form: "complement(layout, integer): what a layout leaves out, up to a size". */
static PyObject *describe(PyObject *self, void *unused)
{
    (void)unused;
    const char *const name = PyUnicode_AsUTF8(((operation *)self)->name);
    PyObject *all = PyUnicode_FromString("");
    for (int i = 0; all && i < table.count; ++i) {
        const ct_operation_info *const info = &table.entry[i];
        if (strcmp(info->name, name) != 0) continue;
        PyObject *const line = PyUnicode_FromFormat(
            "%s%s(%s): %s", PyUnicode_GetLength(all) ? "\n" : "", name, info->takes, info->help);
        PyUnicode_AppendAndDel(&all, line);
    }
    return all;
}

static PyGetSetDef described[] = {{"__doc__", describe, NULL, NULL, NULL}, {0}};

static PyType_Slot slots[] = {
    {Py_tp_call, call_by_tuple}, {Py_tp_descr_get, bind},
    {Py_tp_repr, repr},          {Py_tp_dealloc, dealloc},
    {Py_tp_members, members},    {Py_tp_methods, methods},
    {Py_tp_getset, described},   {0, NULL},
};

static PyType_Spec spec = {"pycutlet.Operation", sizeof(operation), 0,
                           Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL |
                               Py_TPFLAGS_METHOD_DESCRIPTOR | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                           slots};

/* The kinds that a form may begin with, by the first letter of what it takes in words. */
static int takes_kind(const char *takes, int kind)
{
    static const struct {
        int kind;
        const char *word;
    } words[] = {
        {CT_KIND_LAYOUT, "layout"},         {CT_KIND_LAYOUT, "tensor or a layout"},
        {CT_KIND_TENSOR, "tensor"},         {CT_KIND_TENSOR, "tensor or a layout"},
        {CT_KIND_SWIZZLE, "swizzle"},       {CT_KIND_COPY_ATOM, "copy atom"},
        {CT_KIND_TILED_COPY, "tiled copy"}, {CT_KIND_MMA_ATOM, "MMA atom"},
        {CT_KIND_TILED_MMA, "tiled MMA"},
    };
    const size_t n = strcspn(takes, ",");
    for (size_t k = 0; k < sizeof words / sizeof *words; ++k) {
        if (words[k].kind == kind && strlen(words[k].word) == n &&
            strncmp(takes, words[k].word, n) == 0)
            return 1;
    }
    return 0;
}

/* Operations whose first argument is a coordinate and whose second is what it is a coordinate of. */
static int is_coordinate_first(const char *name)
{
    return strcmp(name, "slice") == 0 || strcmp(name, "dice") == 0 ||
           strcmp(name, "slice_and_offset") == 0 || strcmp(name, "crd2idx") == 0;
}

/* Makes it a method of each type that a form takes first, unless the type has such a member. */
static int add_methods(PyObject *o, const char *name)
{
    for (int i = 0; i < table.count; ++i) {
        if (strcmp(table.entry[i].name, name) != 0) continue;
        const char *takes = table.entry[i].takes;
        if (is_coordinate_first(name) && strncmp(takes, "tuple, ", 7) == 0) takes += 7;
        for (int kind = CT_KIND_LAYOUT; kind < CT_KIND_COUNT; ++kind) {
            PyTypeObject *const type = core_type[kind];
            if (!takes_kind(takes, kind) || PyObject_HasAttrString((PyObject *)type, name))
                continue;
            if (PyObject_SetAttrString((PyObject *)type, name, o)) return 1;
        }
    }
    return 0;
}

/* The place of a name in integers[], -1 for another. */
static int integer_named(const char *name)
{
    for (int k = 0; k < INTEGERS; ++k) {
        if (strcmp(integers[k].operation.name, name) == 0) return k;
    }
    return -1;
}

/* The function of an operation in the module. The text of a built-in one is kept for good. */
static PyObject *function_of(PyObject *module, operation *o)
{
    if (o->integer < 0) return Py_NewRef((PyObject *)o);
    PyMethodDef *const f = &integer_functions[o->integer];
    PyObject *const doc = f->ml_doc ? NULL : describe((PyObject *)o, NULL);
    if (doc) f->ml_doc = PyUnicode_AsUTF8(doc);
    PyObject *const home = f->ml_doc ? PyModule_GetNameObject(module) : NULL;
    PyObject *const function = home ? PyCFunction_NewEx(f, module, home) : NULL;
    Py_XDECREF(home);
    return function;
}

static int add(PyObject *module, PyObject *names, const char *name)
{
    operation *const o = PyObject_New(operation, core_operation_type);
    if (!o) return 1;
    o->vectorcall = call;
    o->coordinate_first = is_coordinate_first(name);
    o->integer = integer_named(name);
    ct_operation_forms(name, &o->forms);
    o->name = PyUnicode_InternFromString(name);
    PyObject *const function = o->name ? function_of(module, o) : NULL;
    const int bad = !function || PyModule_AddObjectRef(module, name, function) < 0 ||
                    PyList_Append(names, o->name) < 0 || add_methods((PyObject *)o, name);
    Py_XDECREF(function);
    Py_DECREF(o);
    return bad;
}

int core_operations_ready(PyObject *module)
{
    core_operation_type = (PyTypeObject *)PyType_FromSpec(&spec);
    PyObject *const names = PyList_New(0), *const types = PyImport_ImportModule("types");
    method_type = types ? PyObject_GetAttrString(types, "MethodType") : NULL;
    int bad = !core_operation_type || !names || !method_type;
    read_table();
    for (int i = 0; !bad && i < table.count; ++i) {
        const char *const name = table.entry[i].name;
        if (!PyObject_HasAttrString(module, name)) bad = add(module, names, name);
    }
    bad = bad || PyModule_AddObjectRef(module, "operations", names) < 0;
    Py_XDECREF(types);
    Py_XDECREF(names);
    return bad;
}
