/* The types of values: how they are made, written, compared, called and taken apart. */
#include "core.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

PyTypeObject *core_type[CT_KIND_COUNT];

/* The kind of an object, by its type or by a base of it; 0 for other objects. */
static int kind_of(PyObject *o)
{
    PyTypeObject *const type = Py_TYPE(o);
    if (type == core_type[CT_KIND_LAYOUT]) return CT_KIND_LAYOUT;
    if (type == &PyTuple_Type || type == &PyLong_Type) return 0;
    for (int kind = CT_KIND_LAYOUT; kind < CT_KIND_COUNT; ++kind) {
        if (core_type[kind] && PyType_IsSubtype(type, core_type[kind])) return kind;
    }
    return 0;
}

const ct_value *core_value_of(PyObject *o)
{
    return kind_of(o) ? &((core_object *)o)->value : NULL;
}

void core_copy_out(PyObject *o, ct_value *v)
{
    const ct_value *const from = &((core_object *)o)->value;
    memcpy(v, from, offsetof(ct_value, as) + core_kind_bytes(from->kind));
}

PyObject *core_new_object(PyTypeObject *type, const ct_value *v)
{
    core_object *const o = (core_object *)PyType_GenericAlloc(type, 0);
    if (!o) return NULL;
    o->hash = -1;
    memcpy(&o->value, v, offsetof(ct_value, as) + core_kind_bytes(v->kind));
    return (PyObject *)o;
}

static void dealloc(PyObject *self)
{
    core_object *const o = (core_object *)self;
    Py_XDECREF(o->shape);
    Py_XDECREF(o->stride);
    Py_XDECREF(o->text);
    Py_XDECREF(o->repr);
    core_free(self);
}

/* Written. */

/* Room for the text of any value. */
enum { WRITTEN = 4 * CT_TEXT_BYTES };

/* Writes a value, which is ASCII alone; how many bytes. */
static Py_ssize_t write_text(PyObject *self, char *buf)
{
    const int n = ct_format_value(buf, WRITTEN, &((core_object *)self)->value);
    return n < WRITTEN ? n : WRITTEN - 1;
}

/* Made when first asked for, then kept. */
static PyObject *text(PyObject *self)
{
    core_object *const o = (core_object *)self;
    if (!o->text) {
        char buf[WRITTEN];
        const Py_ssize_t n = write_text(self, buf);
        o->text = PyUnicode_FromStringAndSize(buf, n);
    }
    return Py_XNewRef(o->text);
}

const char *core_type_name(PyTypeObject *type)
{
    static char name[100];
    PyObject *const string = PyObject_GetAttrString((PyObject *)type, "__name__");
    const char *const utf8 = string ? PyUnicode_AsUTF8(string) : NULL;
    if (!utf8) PyErr_Clear();
    snprintf(name, sizeof name, "%s", utf8 ? utf8 : "object");
    Py_XDECREF(string);
    return name;
}

/* Name('text'), the name that of a subclass perhaps; kept as the text is. */
static PyObject *repr(PyObject *self)
{
    enum { NAME = 100 };
    core_object *const o = (core_object *)self;
    if (!o->repr) {
        char buf[NAME + WRITTEN + 4];
        const char *const name = core_type_name(Py_TYPE(self));
        Py_ssize_t n = (Py_ssize_t)strnlen(name, NAME);
        memcpy(buf, name, (size_t)n);
        memcpy(buf + n, "('", 2);
        n += 2;
        n += write_text(self, buf + n);
        memcpy(buf + n, "')", 2);
        o->repr = PyUnicode_DecodeUTF8(buf, n + 2, "replace");
    }
    return Py_XNewRef(o->repr);
}

static PyObject *reduce(PyObject *self, PyObject *unused)
{
    (void)unused;
    PyObject *const string = text(self);
    return string ? Py_BuildValue("(O(N))", Py_TYPE(self), string) : NULL;
}

/* Compared. */

static uint64_t mix(uint64_t h, uint64_t x)
{
    h = (h ^ x) * 0x9e3779b97f4a7c15u;
    return h ^ h >> 29;
}

static Py_hash_t hash(PyObject *self)
{
    core_object *const o = (core_object *)self;
    if (o->hash != -1) return o->hash;
    uint64_t h = (uint64_t)o->value.kind;
    if (o->value.kind == CT_KIND_LAYOUT) {
        const ct_layout *const L = &o->value.as.layout;
        for (int i = 0; i < L->profile.leaves; ++i) {
            h = mix(h, (uint64_t)L->shape[i]);
            h = mix(h, (uint64_t)L->stride[i] + (L->basis[i] | (uint64_t)L->profile.open[i] << 32));
            h = mix(h, L->profile.close[i]);
        }
    } else {
        PyObject *const string = text(self);
        if (!string) return -1;
        h = mix(h, (uint64_t)PyObject_Hash(string));
        Py_DECREF(string);
    }
    o->hash = (Py_hash_t)h == -1 ? -2 : (Py_hash_t)h;
    return o->hash;
}

static int layouts_equal(const ct_layout *A, const ct_layout *B)
{
    const ct_profile *const p = &A->profile, *const q = &B->profile;
    if (p->leaves != q->leaves) return 0;
    for (int i = 0; i < p->leaves; ++i) {
        if (A->shape[i] != B->shape[i] || A->stride[i] != B->stride[i] ||
            A->basis[i] != B->basis[i] || p->open[i] != q->open[i] || p->close[i] != q->close[i])
            return 0;
    }
    return 1;
}

static PyObject *compare(PyObject *a, PyObject *b, int op)
{
    const int kind = kind_of(b);
    if ((op != Py_EQ && op != Py_NE) || kind == 0) Py_RETURN_NOTIMPLEMENTED;
    const ct_value *const x = &((core_object *)a)->value, *const y = &((core_object *)b)->value;
    int equal = x->kind == y->kind;
    if (equal && kind == CT_KIND_LAYOUT) {
        equal = layouts_equal(&x->as.layout, &y->as.layout);
    } else if (equal) { /* whole values: of these objects there is but a part */
        ct_value p, q;
        core_copy_out(a, &p);
        core_copy_out(b, &q);
        equal = ct_value_equal(&p, &q);
    }
    return PyBool_FromLong(equal == (op == Py_EQ));
}

/* Called with coordinates. */

/* At an integer or a coordinate: an offset; with None in it: a slice. */
static PyObject *at(PyObject *self, PyObject *coord)
{
    const ct_value *const f = &((core_object *)self)->value;
    ct_tuple c;
    if (f->kind == CT_KIND_SWIZZLE) {
        const long long n = PyLong_AsLongLong(coord);
        if (n == -1 && PyErr_Occurred()) return NULL;
        if (n >= 0) return PyLong_FromLongLong(ct_swizzle_apply(f->as.swizzle, n));
        return PyErr_Format(PyExc_ValueError, "a swizzle takes offsets of at least 0, not %lld", n);
    }
    if (core_to_tuple(coord, &c)) return NULL;
    int slice = 0;
    for (int i = 0; i < c.profile.leaves; ++i) slice |= c.basis[i] == CT_ANY;
    if (slice) {
        static core_operation slice_and_offset = {.name = "slice_and_offset"};
        PyObject *const arg[2] = {coord, self};
        return core_call(&slice_and_offset, arg, 2);
    }
    const ct_tuple r =
        f->kind == CT_KIND_LAYOUT ? ct_at(f->as.layout, c) : ct_tensor_at(f->as.tensor, c);
    if (r.err.status == CT_OK) return core_from_tuple(&r);
    char message[CT_MESSAGE_BYTES];
    ct_error_message(r.err, message, sizeof message);
    return core_raise(r.err.status, message, &r.err, NULL);
}

/* The offset of a flat coordinate of a flat layout with integer strides, all modes in bounds. Returns 0
   for anything else, which at() does. The sum fits: the layout was checked. */
static int flat_offset(PyObject *self, PyObject *args, int64_t *offset)
{
    const ct_value *const f = &((core_object *)self)->value;
    const ct_layout *const L = &f->as.layout;
    const Py_ssize_t n = PyTuple_GET_SIZE(args);
    if (f->kind != CT_KIND_LAYOUT || n != L->profile.leaves || n < 2) return 0;
    *offset = 0;
    for (Py_ssize_t k = 0; k < n; ++k) {
        PyObject *const o = PyTuple_GET_ITEM(args, k);
        if (!PyLong_CheckExact(o) || L->basis[k] != CT_INTEGER || L->profile.open[k] != (k == 0))
            return 0;
        int over = 0;
        const long long c = PyLong_AsLongLongAndOverflow(o, &over);
        if (over || c < 0 || c >= L->shape[k]) return 0;
        *offset += c * L->stride[k];
    }
    return 1;
}

static PyObject *call(PyObject *self, PyObject *args, PyObject *keywords)
{
    int64_t sum;
    if (!keywords && flat_offset(self, args, &sum)) return PyLong_FromLongLong(sum);
    const Py_ssize_t n = PyTuple_GET_SIZE(args);
    if (n == 0 || (keywords && PyDict_GET_SIZE(keywords)))
        return PyErr_Format(PyExc_TypeError, "a coordinate is expected, as in L(2, 3) or L(5)");
    return at(self, n == 1 ? PyTuple_GET_ITEM(args, 0) : args);
}

/* Taken apart. */

/* Of a layout or tensor. */
static const ct_layout *layout_of(PyObject *self)
{
    const ct_value *const v = &((core_object *)self)->value;
    return v->kind == CT_KIND_LAYOUT ? &v->as.layout : &v->as.tensor.layout;
}

static Py_ssize_t length(PyObject *self)
{
    const ct_value *const v = &((core_object *)self)->value;
    if (v->kind == CT_KIND_TILER) return ct_tiler_count(v->as.tiler);
    return ct_profile_rank(layout_of(self)->profile);
}

static PyObject *item(PyObject *self, Py_ssize_t i)
{
    ct_value r;
    const ct_value *const v = &((core_object *)self)->value;
    if (i < 0 || i >= length(self))
        return PyErr_Format(PyExc_IndexError, "there is no mode %zd; the rank is %zd", i,
                            length(self));
    if (v->kind == CT_KIND_TENSOR) {
        r.kind = CT_KIND_TENSOR;
        r.as.tensor = v->as.tensor;
        r.as.tensor.layout = ct_mode(v->as.tensor.layout, (int)i);
        return core_new_object(core_type[CT_KIND_TENSOR], &r);
    }
    r.kind = CT_KIND_LAYOUT;
    r.as.layout =
        v->kind == CT_KIND_TILER ? ct_tile(v->as.tiler, (int)i) : ct_mode(v->as.layout, (int)i);
    if (v->kind == CT_KIND_TILER && ct_tile_is_any(r.as.layout)) return Py_NewRef(Py_None);
    return core_new_object(core_type[CT_KIND_LAYOUT], &r);
}

/* Made when first asked for, then kept. */
static PyObject *shape(PyObject *self, void *unused)
{
    core_object *const o = (core_object *)self;
    (void)unused;
    if (!o->shape) {
        const ct_tuple t = ct_shape(*layout_of(self));
        o->shape = core_from_tuple(&t);
    }
    return Py_XNewRef(o->shape);
}

static PyObject *stride(PyObject *self, void *unused)
{
    core_object *const o = (core_object *)self;
    (void)unused;
    if (!o->stride) {
        const ct_tuple t = ct_stride(*layout_of(self));
        o->stride = core_from_tuple(&t);
    }
    return Py_XNewRef(o->stride);
}

static PyObject *offset(PyObject *self, void *unused)
{
    (void)unused;
    const ct_tuple t = ((core_object *)self)->value.as.tensor.offset;
    return t.profile.leaves == 0 ? PyLong_FromLong(0) : core_from_tuple(&t);
}

static PyObject *swizzle(PyObject *self, void *unused)
{
    (void)unused;
    ct_value v;
    v.kind = CT_KIND_SWIZZLE;
    v.as.swizzle = ((core_object *)self)->value.as.tensor.swizzle;
    return v.as.swizzle.bits ? core_from_value(&v) : Py_NewRef(Py_None);
}

static PyObject *tensor_layout(PyObject *self, void *unused)
{
    (void)unused;
    ct_value v;
    v.kind = CT_KIND_LAYOUT;
    v.as.layout = *layout_of(self);
    return core_from_value(&v);
}

static PyObject *swizzle_part(PyObject *self, void *which)
{
    const ct_swizzle *const s = &((core_object *)self)->value.as.swizzle;
    return PyLong_FromLong(((const int32_t[]){s->bits, s->base, s->shift})[(intptr_t)which]);
}

/* (m,n,k) of an MMA. */
static PyObject *mma_shape(PyObject *self, void *unused)
{
    (void)unused;
    static core_operation shape_of = {.name = "shape"};
    return core_call(&shape_of, &self, 1);
}

static PyObject *value_bits(PyObject *self, void *unused)
{
    (void)unused;
    const ct_value *const v = &((core_object *)self)->value;
    return PyLong_FromLong(v->kind == CT_KIND_COPY_ATOM ? v->as.atom.value_bits
                                                        : v->as.copy.atom.value_bits);
}

static PyObject *access_bits(PyObject *self, void *unused)
{
    (void)unused;
    const ct_value *const v = &((core_object *)self)->value;
    return PyLong_FromLong(v->kind == CT_KIND_COPY_ATOM ? v->as.atom.bits : v->as.copy.atom.bits);
}

/* Operators: the operations that papers on layouts write as signs. */

static core_operation composition = {.name = "composition"},
                      logical_divide = {.name = "logical_divide"},
                      logical_product = {.name = "logical_product"};

static PyObject *binary(core_operation *o, PyObject *a, PyObject *b)
{
    if (!core_value_of(a)) Py_RETURN_NOTIMPLEMENTED;
    PyObject *const arg[2] = {a, b};
    return core_call(o, arg, 2);
}

static PyObject *compose(PyObject *a, PyObject *b) { return binary(&composition, a, b); }
static PyObject *divide(PyObject *a, PyObject *b) { return binary(&logical_divide, a, b); }
static PyObject *multiply(PyObject *a, PyObject *b) { return binary(&logical_product, a, b); }

static PyMethodDef methods[] = {{"__reduce__", reduce, METH_NOARGS, NULL}, {0}};

static PyGetSetDef layout_members[] = {
    {"shape", shape, NULL, "The shape: an integer, or a tuple of shapes.", NULL},
    {"stride", stride, NULL, "The stride, nested as the shape.", NULL},
    {0},
};
static PyGetSetDef tensor_members[] = {
    {"shape", shape, NULL, "The shape of the layout.", NULL},
    {"stride", stride, NULL, "The stride of the layout.", NULL},
    {"layout", tensor_layout, NULL, "The layout.", NULL},
    {"offset", offset, NULL, "Where it begins: an offset, or a coordinate.", NULL},
    {"swizzle", swizzle, NULL, "What swizzles the sum, or None.", NULL},
    {0},
};
static PyGetSetDef swizzle_members[] = {
    {"bits", swizzle_part, NULL, "How many bits it moves.", (void *)0},
    {"base", swizzle_part, NULL, "The lowest bits, which it leaves alone.", (void *)1},
    {"shift", swizzle_part, NULL, "How far the bits move.", (void *)2},
    {0},
};
static PyGetSetDef mma_members[] = {
    {"shape", mma_shape, NULL, "The (m,n,k) that it multiplies.", NULL},
    {0},
};
static PyGetSetDef copy_members[] = {
    {"value_bits", value_bits, NULL, "The bits of a value.", NULL},
    {"access_bits", access_bits, NULL, "The bits of one access of a thread.", NULL},
    {0},
};

/* The slots that every type has, then those of coordinates, of modes, and of operators. */
#define SLOTS_OF_ALL(doc)                                                                          \
    {Py_tp_doc, doc}, {Py_tp_new, core_make}, {Py_tp_dealloc, dealloc}, {Py_tp_repr, repr},        \
        {Py_tp_str, text}, {Py_tp_hash, hash}, {Py_tp_richcompare, compare},                       \
    {                                                                                              \
        Py_tp_methods, methods                                                                     \
    }
#define SLOTS_OF_FUNCTIONS                                                                         \
    {                                                                                              \
        Py_tp_call, call                                                                           \
    }
#define SLOTS_OF_MODES                                                                             \
    {Py_sq_length, length}, { Py_sq_item, item }
#define SLOTS_OF_OPERATORS                                                                         \
    {Py_nb_matrix_multiply, compose}, {Py_nb_true_divide, divide}, { Py_nb_multiply, multiply }

static PyType_Slot layout_slots[] = {
    SLOTS_OF_ALL(
        "Layout(shape, stride=None), or Layout(text): a function from coordinates to offsets.\n\n"
        "L(i) and L(i, j) are offsets, L(None, j) a slice; L[k] is a mode. A @ B composes,\n"
        "A / B divides, A * B multiplies. Without a stride it is compact, mode 0 fastest."),
    SLOTS_OF_FUNCTIONS,
    SLOTS_OF_MODES,
    SLOTS_OF_OPERATORS,
    {Py_tp_getset, layout_members},
    {0, NULL},
};
static PyType_Slot tensor_slots[] = {
    SLOTS_OF_ALL(
        "Tensor(layout, offset=0, swizzle=None), or Tensor(text): swizzle(offset + layout(c)).\n\n"
        "What a slice, a tile or a partition of a layout is; CuTe's composed layout has a swizzle."),
    SLOTS_OF_FUNCTIONS,
    SLOTS_OF_MODES,
    SLOTS_OF_OPERATORS,
    {Py_tp_getset, tensor_members},
    {0, NULL},
};
static PyType_Slot swizzle_slots[] = {
    SLOTS_OF_ALL(
        "Swizzle(bits, base, shift), or Swizzle(text). S @ L swizzles the offsets of a layout."),
    SLOTS_OF_FUNCTIONS,
    {Py_nb_matrix_multiply, compose},
    {Py_tp_getset, swizzle_members},
    {0, NULL},
};
static PyType_Slot tiler_slots[] = {
    SLOTS_OF_ALL(
        "Tiler(tile, ..): a tile for each mode, a layout, a shape, or None, which leaves it alone."),
    SLOTS_OF_MODES,
    {0, NULL},
};
static PyType_Slot copy_atom_slots[] = {
    SLOTS_OF_ALL("CopyAtom(name, bits): a copy instruction and the bits of its values."),
    {Py_tp_getset, copy_members},
    {0, NULL},
};
static PyType_Slot tiled_copy_slots[] = {
    SLOTS_OF_ALL("TiledCopy(atom, thr, val): an atom over a thread layout and a value layout."),
    {Py_tp_getset, copy_members},
    {0, NULL},
};
static PyType_Slot mma_atom_slots[] = {
    SLOTS_OF_ALL("MMAAtom(name): a matrix instruction by CuTe's name."),
    {Py_tp_getset, mma_members},
    {0, NULL},
};
static PyType_Slot tiled_mma_slots[] = {
    SLOTS_OF_ALL("TiledMMA(atom, atoms=1, tile=None): an MMA atom over a layout (m,n,k) of atoms."),
    {Py_tp_getset, mma_members},
    {0, NULL},
};

static const struct {
    int kind;
    const char *name;
    PyType_Slot *slots;
} types[] = {
    {CT_KIND_LAYOUT, "pycutlet.Layout", layout_slots},
    {CT_KIND_TENSOR, "pycutlet.Tensor", tensor_slots},
    {CT_KIND_SWIZZLE, "pycutlet.Swizzle", swizzle_slots},
    {CT_KIND_TILER, "pycutlet.Tiler", tiler_slots},
    {CT_KIND_COPY_ATOM, "pycutlet.CopyAtom", copy_atom_slots},
    {CT_KIND_TILED_COPY, "pycutlet.TiledCopy", tiled_copy_slots},
    {CT_KIND_MMA_ATOM, "pycutlet.MMAAtom", mma_atom_slots},
    {CT_KIND_TILED_MMA, "pycutlet.TiledMMA", tiled_mma_slots},
};

int core_values_ready(PyObject *module)
{
    for (size_t k = 0; k < sizeof types / sizeof *types; ++k) {
        const int kind = types[k].kind;
        PyType_Spec spec = {types[k].name, 0, 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
                            types[k].slots};
        spec.basicsize =
            (int)(offsetof(core_object, value) + offsetof(ct_value, as) + core_kind_bytes(kind));
        core_type[kind] = (PyTypeObject *)PyType_FromSpec(&spec);
        if (!core_type[kind] || PyModule_AddObjectRef(module, strrchr(types[k].name, '.') + 1,
                                                      (PyObject *)core_type[kind]))
            return 1;
    }
    return 0;
}
