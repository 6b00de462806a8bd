/* Proofs by enumeration, of copies and of MMAs. */
#include "core.h"

#include <stdlib.h>

#include <cutlet/host/verify.h>
#include <cutlet/host/verify_mma.h>

/* (name, True, False or None where it was skipped, sentence) */
static int add_finding(PyObject *list, const char *name, int state, const char *text)
{
    PyObject *const ok = state == CT_VERIFY_SKIPPED ? Py_None
                         : state == CT_VERIFY_OK    ? Py_True
                                                    : Py_False;
    PyObject *const item = Py_BuildValue("(sOs)", name, ok, state == CT_VERIFY_SKIPPED ? "" : text);
    const int bad = !item || PyList_Append(list, item) < 0;
    Py_XDECREF(item);
    return bad;
}

static PyObject *findings(const ct_verify_report *r)
{
    PyObject *const list = PyList_New(0);
    for (int p = 0; list && p < CT_VERIFY_PROPERTIES; ++p) {
        if (!add_finding(list, ct_verify_name(p), r->of[p].state, r->of[p].text)) continue;
        Py_DECREF(list);
        return NULL;
    }
    return list ? Py_BuildValue("(LLLN)", (long long)r->threads, (long long)r->values,
                                (long long)r->elements, list)
                : NULL;
}

/* An optional tensor: *to is NULL for None. */
static int optional(PyObject *o, ct_tensor *t, const ct_tensor **to)
{
    *to = o == Py_None ? NULL : t;
    return *to ? core_to_tensor(o, t) : 0;
}

/* verify_copy(copy or tv, tile, elem_bits, access_bits, src, dst, shared, src_align, dst_align, shared_bytes) */
static PyObject *verify_copy(PyObject *self, PyObject *args)
{
    (void)self;
    PyObject *object, *tile, *given[3], *result = NULL;
    int elem_bits, access_bits;
    long long align[2], shared_bytes;
    ct_value v;
    ct_tuple shape;
    ct_tensor memory[3];
    char message[CT_MESSAGE_BYTES];
    if (!PyArg_ParseTuple(args, "OOiiOOOLLL", &object, &tile, &elem_bits, &access_bits, &given[0],
                          &given[1], &given[2], &align[0], &align[1], &shared_bytes) ||
        core_to_value(object, &v))
        return NULL;
    ct_verify_job job;
    if (v.kind == CT_KIND_TILED_COPY) {
        job = ct_verify_of_copy(&v.as.copy);
    } else {
        ct_value_free(&v);
        if (core_to_layout(object, &v.as.layout) || core_to_tuple(tile, &shape)) return NULL;
        job = ct_verify_of_tv(v.as.layout, shape, elem_bits);
        if (access_bits > 0) job.access_bits = access_bits;
    }
    if (optional(given[0], &memory[0], &job.src) || optional(given[1], &memory[1], &job.dst) ||
        optional(given[2], &memory[2], &job.shared))
        return NULL;
    job.src_align = align[0];
    job.dst_align = align[1];
    job.shared_bytes = shared_bytes;
    ct_verify_report *const report = malloc(sizeof *report);
    if (!report) return PyErr_NoMemory();
    ct_status bad;
    Py_BEGIN_ALLOW_THREADS bad = ct_verify(&job, report, message);
    Py_END_ALLOW_THREADS result = bad ? core_raise(bad, message, NULL, NULL) : findings(report);
    free(report);
    return result;
}

/* verify_mma(mma, shared_a, shared_b, arch) */
static PyObject *verify_mma(PyObject *self, PyObject *args)
{
    (void)self;
    PyObject *object, *given[2], *list = NULL;
    const char *arch;
    ct_value v;
    ct_tensor shared[2];
    ct_verify_mma_job job = {0};
    char message[CT_MESSAGE_BYTES];
    if (!PyArg_ParseTuple(args, "OOOz", &object, &given[0], &given[1], &arch) ||
        core_rules(arch, &job.rules) || core_to_value(object, &v) ||
        optional(given[0], &shared[0], &job.shared[0]) ||
        optional(given[1], &shared[1], &job.shared[1]))
        return NULL;
    job.mma = v.kind == CT_KIND_MMA_ATOM
                  ? ct_make_tiled_mma(v.as.mma_atom, ct_layout1(1, 0), ct_tiler0())
                  : v.as.mma;
    ct_verify_mma_report *const report = malloc(sizeof *report);
    if (!report) return PyErr_NoMemory();
    const ct_status bad = ct_verify_mma(&job, report, message);
    if (bad) core_raise(bad, message, NULL, NULL);
    else list = PyList_New(0);
    for (int p = 0; list && p < CT_VERIFY_MMA_PROPERTIES; ++p) {
        if (add_finding(list, ct_verify_mma_name(p), report->of[p].state, report->of[p].text))
            Py_CLEAR(list);
    }
    PyObject *const result = list ? Py_BuildValue("(LN)", (long long)report->threads, list) : NULL;
    free(report);
    return result;
}

PyMethodDef core_verify_methods[] = {
    {"_verify_copy", verify_copy, METH_VARARGS, NULL},
    {"_verify_mma", verify_mma, METH_VARARGS, NULL},
    {0},
};
