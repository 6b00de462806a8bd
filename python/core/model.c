/* What accesses cost: one instruction of a warp. */
#include "core.h"

#include <string.h>

#include <cutlet/host/traffic.h>

static PyTypeObject *count_type;

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

static PyStructSequence_Desc count_desc = {
    "pycutlet.AccessCount", "What one instruction of one warp costs.", count_fields, 11};

PyObject *core_struct(PyTypeObject *type, const char *const *word, Py_ssize_t words,
                      const int64_t *item, Py_ssize_t count)
{
    PyObject *const s = PyStructSequence_New(type);
    for (Py_ssize_t k = 0; s && k < words + count; ++k) {
        PyObject *const v =
            k < words ? PyUnicode_FromString(word[k]) : PyLong_FromLongLong(item[k - words]);
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
    return core_struct(count_type, NULL, 0, item, 11);
}

PyMethodDef core_model_methods[] = {
    {"_access_lanes", access_lanes, METH_VARARGS, NULL},
    {0},
};

int core_model_ready(PyObject *module)
{
    count_type = PyStructSequence_NewType(&count_desc);
    return !count_type || PyModule_AddObjectRef(module, "AccessCount", (PyObject *)count_type) < 0;
}
