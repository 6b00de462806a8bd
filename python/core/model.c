/* What accesses cost: one instruction of a warp, a thread-value layout, a tiled copy. */
#include "core.h"

#include <string.h>

#include <cutlet/host/traffic.h>

static PyTypeObject *count_type, *traffic_type;

static PyStructSequence_Field count_fields[] = {
    {"requests", "of global memory: 1, or 0 where no lane took part"},
    {"sectors", "32-byte sectors of global memory that are moved"},
    {"lines", "128-byte lines of global memory that are touched"},
    {"wavefronts", "passes through the banks of shared memory"},
    {"ideal", "passes for this many lanes of this width, 128 bytes in each"},
    {"conflicts", "passes beyond one for each group of lanes that is taken together"},
    {"at_least", "1 where the hardware may take more than this"},
    {"lanes", "lanes that took part"},
    {"broadcast", "lanes that another lane's bytes served"},
    {"bytes_used", "different bytes that the lanes asked for"},
    {"bytes_moved", "bytes of the sectors, or 128 for each wavefront"},
    {NULL, NULL},
};

static PyStructSequence_Field traffic_fields[] = {
    {"kind", "the instruction"},
    {"bits", "of one access of a thread"},
    {"instructions", "executions by a warp"},
    {"lanes", "lanes that took part, summed over the instructions, as all that follows"},
    {"requests", "of global memory"},
    {"sectors", "32-byte sectors of global memory that are moved"},
    {"lines", "128-byte lines of global memory that are touched"},
    {"wavefronts", "passes through the banks of shared memory"},
    {"ideal", "passes for this many bytes, 128 in each"},
    {"conflicts", "passes beyond one for each group of lanes that is taken together"},
    {"broadcast", "lanes that another lane's bytes served"},
    {"bytes_used", "different bytes that the lanes asked for"},
    {"bytes_moved", "bytes of the sectors, or 128 for each wavefront"},
    {"at_least", "instructions whose numbers are the least that the hardware takes"},
    {"efficiency", "0 to 1: bytes used of bytes moved, or ideal of all wavefronts"},
    {NULL, NULL},
};

static PyStructSequence_Desc count_desc = {
    "pycutlet.AccessCount", "What one instruction of one warp costs.", count_fields, 11};
static PyStructSequence_Desc traffic_desc = {"pycutlet.Traffic", "What one side of a copy costs.",
                                             traffic_fields, 15};

PyObject *core_struct(PyTypeObject *type, const char *const *word, Py_ssize_t words,
                      const int64_t *item, Py_ssize_t count, const double *last)
{
    PyObject *const s = PyStructSequence_New(type);
    for (Py_ssize_t k = 0; s && k < words + count + (last != NULL); ++k) {
        PyObject *const v = k < words           ? PyUnicode_FromString(word[k])
                            : k < words + count ? PyLong_FromLongLong(item[k - words])
                                                : PyFloat_FromDouble(*last);
        if (!v) {
            Py_DECREF(s);
            return NULL;
        }
        PyStructSequence_SET_ITEM(s, k, v);
    }
    return s;
}

int core_rules(const char *arch, const ct_access_rules **rules)
{
    *rules = arch ? ct_access_rules_named(arch) : NULL;
    if (!arch || *rules) return 0;
    PyErr_Format(PyExc_ValueError, "there are no rules for `%.40s`", arch);
    return -1;
}

/* The words of the command for the kinds of accesses. */
static const struct {
    const char *word;
    int kind;
} kinds[] = {
    {"ldg", CT_ACCESS_LDG},       {"stg", CT_ACCESS_STG},
    {"lds", CT_ACCESS_LDS},       {"sts", CT_ACCESS_STS},
    {"ldgsts", CT_ACCESS_LDGSTS}, {"ldgsts.bypass", CT_ACCESS_LDGSTS_CG},
    {"ldmatrix", CT_ACCESS_LDSM}, {"stmatrix", CT_ACCESS_STSM},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* The kind of a word; -1 for NULL, -2 and an exception for another word. */
static int kind_of(const char *word)
{
    if (!word) return -1;
    for (int k = 0; k < KINDS; ++k) {
        if (strcmp(kinds[k].word, word) == 0) return kinds[k].kind;
    }
    PyErr_Format(PyExc_ValueError,
                 "there is no access `%.40s`: ldg, stg, lds, sts, ldgsts, ldgsts.bypass, "
                 "ldmatrix or stmatrix",
                 word);
    return -2;
}

static const char *word_of(int kind)
{
    for (int k = 0; k < KINDS; ++k) {
        if (kinds[k].kind == kind) return kinds[k].word;
    }
    return "";
}

/* The bytes of lanes: integers, None for an inactive lane. */
static int read_lanes(PyObject *o, int bytes, int64_t lane[32])
{
    PyObject *const all = PySequence_Fast(o, "lanes are a sequence of byte offsets");
    const Py_ssize_t n = all ? PySequence_Fast_GET_SIZE(all) : 0;
    int bad = !all;
    for (int k = 0; k < 32; ++k) lane[k] = CT_LANE_OFF;
    if (n > 32) {
        PyErr_Format(PyExc_ValueError, "%zd lanes; a warp has 32", n);
        bad = 1;
    }
    for (Py_ssize_t k = 0; !bad && k < n; ++k) {
        PyObject *const item = PySequence_Fast_GET_ITEM(all, k);
        if (item == Py_None) continue;
        lane[k] = PyLong_AsLongLong(item);
        bad = lane[k] == -1 && PyErr_Occurred();
        if (bad || (lane[k] >= 0 && lane[k] < INT64_MAX / 8 && lane[k] % bytes == 0)) continue;
        PyErr_Format(PyExc_ValueError,
                     "lane %zd begins at byte %lld, which is not a multiple of its %d bytes", k,
                     (long long)lane[k], bytes);
        bad = 1;
    }
    Py_XDECREF(all);
    return bad ? -1 : 0;
}

/* access_lanes(lanes, kind, bits, shared, arch) -> AccessCount */
static PyObject *access_lanes(PyObject *self, PyObject *args)
{
    (void)self;
    PyObject *lanes, *shared;
    const char *word, *arch;
    const ct_access_rules *rules;
    ct_access a;
    if (!PyArg_ParseTuple(args, "OsiOz", &lanes, &word, &a.bits, &shared, &arch)) return NULL;
    a.kind = kind_of(word);
    if (a.kind < 0 || core_rules(arch, &rules)) return NULL;
    if (!ct_access_has_width(a.kind, a.bits))
        return PyErr_Format(PyExc_ValueError, "%s has no accesses of %d bits", word, a.bits);
    if (shared != Py_None && a.kind != CT_ACCESS_LDGSTS && a.kind != CT_ACCESS_LDGSTS_CG)
        return PyErr_Format(PyExc_ValueError,
                            "only ldgsts has lanes in shared memory beside its own");
    for (int k = 0; k < 32; ++k) a.shared[k] = CT_LANE_OFF;
    if (read_lanes(lanes, a.bits / 8, a.offset)) return NULL;
    if (shared != Py_None && read_lanes(shared, a.bits / 8, a.shared)) return NULL;
    const ct_access_count c = ct_count_access_by(rules, &a, NULL);
    const int64_t item[] = {c.requests,  c.sectors,    c.lines,      c.wavefronts,
                            c.ideal,     c.conflicts,  c.at_least,   c.lanes,
                            c.broadcast, c.bytes_used, c.bytes_moved};
    return core_struct(count_type, NULL, 0, item, 11, NULL);
}

static PyObject *from_traffic(int kind, int bits, const ct_traffic *t)
{
    const char *const word = word_of(kind);
    const double efficiency = ct_traffic_efficiency(t, ct_access_is_global(kind));
    const int64_t item[] = {bits,          t->instructions, t->lanes,   t->requests,  t->sectors,
                            t->lines,      t->wavefronts,   t->ideal,   t->conflicts, t->broadcast,
                            t->bytes_used, t->bytes_moved,  t->at_least};
    return core_struct(traffic_type, &word, 1, item, 13, &efficiency);
}

/* traffic_tv(tv, kind, elem_bits, memory, base, bits, arch) -> Traffic */
static PyObject *traffic_tv(PyObject *self, PyObject *args)
{
    (void)self;
    PyObject *layout, *memory;
    const char *word, *arch;
    const ct_access_rules *rules;
    ct_layout tv;
    ct_traffic_side side;
    ct_traffic sum;
    char message[CT_MESSAGE_BYTES];
    int asked;
    long long base;
    if (!PyArg_ParseTuple(args, "OsiOLiz", &layout, &word, &side.elem_bits, &memory, &base, &asked,
                          &arch))
        return NULL;
    side.kind = kind_of(word);
    side.base_bytes = base;
    if (side.kind < 0 || core_rules(arch, &rules) || core_to_layout(layout, &tv)) return NULL;
    side.memory = ct_make_tensor(ct_layout1(ct_max(1, ct_cosize(tv)), 1));
    if (memory != Py_None && core_to_tensor(memory, &side.memory)) return NULL;
    ct_status bad = CT_E_ARGUMENT;
    int bits = asked > 0 ? asked : 128;
    snprintf(message, sizeof message, "no access is as wide as an element of %d bits",
             side.elem_bits);
    for (; bits >= side.elem_bits;
         bits /= 2) { /* the widest that the layouts allow, unless one is asked for */
        if (asked <= 0 && bits < 128 && !ct_access_has_width(side.kind, bits)) break;
        bad = ct_traffic_of_tv(tv, &side, bits, rules, NULL, NULL, &sum, message);
        if (!bad || asked > 0) break;
    }
    return bad ? core_raise(bad, message, NULL, NULL) : from_traffic(side.kind, bits, &sum);
}

static int is_async(const ct_copy_atom *a)
{
    return a->kind == CT_ATOM_CP_ASYNC_CA || a->kind == CT_ATOM_CP_ASYNC_CG;
}

/* The instruction of a side of a copy, as `cutlet access` takes it. */
static int kind_of_side(const ct_copy_atom *atom, int is_dst, int told, const ct_tensor *memory,
                        int64_t tensor)
{
    if (told >= 0) return told;
    switch (atom->kind) {
        case CT_ATOM_CP_ASYNC_CA: return is_dst ? CT_ACCESS_STS : CT_ACCESS_LDGSTS;
        case CT_ATOM_CP_ASYNC_CG: return is_dst ? CT_ACCESS_STS : CT_ACCESS_LDGSTS_CG;
        case CT_ATOM_LDMATRIX:
        case CT_ATOM_LDMATRIX_TRANS: return CT_ACCESS_LDSM;
        case CT_ATOM_STMATRIX:
        case CT_ATOM_STMATRIX_TRANS: return CT_ACCESS_STSM;
        default: break;
    }
    const int shared = memory->swizzle.bits > 0 || ct_size(memory->layout) < tensor;
    if (is_dst) return shared ? CT_ACCESS_STS : CT_ACCESS_STG;
    return shared ? CT_ACCESS_LDS : CT_ACCESS_LDG;
}

/* The side whose shape is that of the tensor: the source of cp.async, or the one that is not swizzled,
   or the larger one. */
static int tensor_side(const ct_copy_atom *atom, const ct_tensor memory[2], const int has[2])
{
    if (!has[0] || !has[1]) return has[0] ? 0 : 1;
    if (is_async(atom)) return 0;
    const int swizzled[2] = {memory[0].swizzle.bits > 0, memory[1].swizzle.bits > 0};
    if (swizzled[0] != swizzled[1]) return swizzled[0];
    return ct_size(memory[1].layout) > ct_size(memory[0].layout);
}

/* traffic_copy(copy, src, dst, shape, src_kind, dst_kind, base, dst_base, arch) -> (Traffic, Traffic) */
static PyObject *traffic_copy(PyObject *self, PyObject *args)
{
    (void)self;
    PyObject *object, *given[2], *of;
    const char *word[2], *arch;
    const ct_access_rules *rules;
    ct_value v;
    ct_tensor memory[2];
    ct_traffic_side side[2];
    ct_traffic sum[2];
    ct_tuple shape;
    long long base[2];
    char message[CT_MESSAGE_BYTES];
    if (!PyArg_ParseTuple(args, "OOOOzzLLz", &object, &given[0], &given[1], &of, &word[0], &word[1],
                          &base[0], &base[1], &arch))
        return NULL;
    const int has[2] = {given[0] != Py_None, given[1] != Py_None};
    const int told[2] = {kind_of(word[0]), kind_of(word[1])};
    if (told[0] < -1 || told[1] < -1 || core_rules(arch, &rules) || core_to_value(object, &v))
        return NULL;
    for (int i = 0; i < 2; ++i) {
        if (has[i] && core_to_tensor(given[i], &memory[i])) return NULL;
    }
    shape = ct_shape(memory[tensor_side(&v.as.copy.atom, memory, has)].layout);
    if (of != Py_None && core_to_tuple(of, &shape)) return NULL;
    for (int i = 0; i < 2; ++i) {
        if (!has[i]) continue;
        side[i].kind = kind_of_side(&v.as.copy.atom, i, told[i], &memory[i], ct_product(shape));
        side[i].elem_bits = v.as.copy.atom.value_bits;
        side[i].base_bytes = base[i];
        side[i].memory = memory[i];
    }
    const ct_status bad = is_async(&v.as.copy.atom) && has[0] && has[1]
                              ? ct_traffic_of_async(v.as.copy, shape, &side[0], &side[1], rules,
                                                    &sum[0], &sum[1], message)
                              : ct_traffic_of_copy(v.as.copy, shape, has[0] ? &side[0] : NULL,
                                                   has[1] ? &side[1] : NULL, rules, NULL, NULL,
                                                   &sum[0], &sum[1], message);
    if (bad) return core_raise(bad, message, NULL, NULL);
    PyObject *const pair = PyTuple_New(2);
    for (int i = 0; pair && i < 2; ++i) {
        PyObject *const t =
            has[i] ? from_traffic(side[i].kind, v.as.copy.atom.bits, &sum[i]) : Py_NewRef(Py_None);
        if (!t) {
            Py_DECREF(pair);
            return NULL;
        }
        PyTuple_SET_ITEM(pair, i, t);
    }
    return pair;
}

PyMethodDef core_model_methods[] = {
    {"_access_lanes", access_lanes, METH_VARARGS, NULL},
    {"_traffic_tv", traffic_tv, METH_VARARGS, NULL},
    {"_traffic_copy", traffic_copy, METH_VARARGS, NULL},
    {0},
};

int core_model_ready(PyObject *module)
{
    count_type = PyStructSequence_NewType(&count_desc);
    traffic_type = PyStructSequence_NewType(&traffic_desc);
    return !count_type || !traffic_type ||
           PyModule_AddObjectRef(module, "AccessCount", (PyObject *)count_type) < 0 ||
           PyModule_AddObjectRef(module, "Traffic", (PyObject *)traffic_type) < 0;
}
