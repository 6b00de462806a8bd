/* The best tiled copy of a tile. */
#include "core.h"

#include <stdlib.h>
#include <string.h>

#include <cutlet/host/suggest.h>

static PyObject *object_of_copy(const ct_suggest_query *q, const ct_suggest_copy *c)
{
    ct_value v;
    if (c->bits == 0) return Py_NewRef(Py_None);
    v.kind = CT_KIND_TILED_COPY;
    v.as.copy = ct_suggest_tiled_copy(q, c);
    return core_from_value(&v);
}

/* Text of a writer that returns the length of the whole; "" where it has none to give. */
static PyObject *code(const ct_suggest_query *q, const ct_suggestion *s, const char *cute)
{
    enum { CAPACITY = 1 << 16 };
    char message[CT_MESSAGE_BYTES];
    char *const buf = malloc(CAPACITY);
    if (!buf) return PyErr_NoMemory();
    const int n = cute ? ct_suggest_as_cute(buf, CAPACITY, q, s, cute)
                       : ct_suggest_as_c(buf, CAPACITY, q, s, message);
    PyObject *const text = PyUnicode_FromString(n > 0 && n < CAPACITY ? buf : "");
    free(buf);
    return text;
}

/* (cycles, sectors, wavefronts, instructions, shared_bytes, read_bits, at_least, copy, store, shared, c, cute) */
static PyObject *item(const ct_suggest_query *q, const ct_suggestion *s, const char *cute)
{
    ct_value shared;
    shared.kind = CT_KIND_TENSOR;
    shared.as.tensor = s->shared;
    PyObject *const part[] = {object_of_copy(q, &s->in), object_of_copy(q, &s->out),
                              core_from_value(&shared), code(q, s, NULL), code(q, s, cute)};
    PyObject *all = NULL;
    int ok = 1;
    for (int k = 0; k < 5; ++k) ok &= part[k] != NULL;
    if (ok)
        all = Py_BuildValue("(LLLLLiiOOOOO)", (long long)s->cycles, (long long)s->cost.sectors,
                            (long long)s->cost.wavefronts, (long long)s->cost.instructions,
                            (long long)s->cost.shared_bytes, s->read_bits, s->at_least, part[0],
                            part[1], part[2], part[3], part[4]);
    for (int k = 0; k < 5; ++k) Py_XDECREF(part[k]);
    return all;
}

static PyObject *result_of(const ct_suggest_query *q, const ct_suggest_result *r, const char *cute)
{
    PyObject *const list = PyList_New(0);
    for (int k = 0; list && k < r->count; ++k) {
        PyObject *const one = item(q, &r->item[k], cute);
        const int bad = !one || PyList_Append(list, one) < 0;
        Py_XDECREF(one);
        if (!bad) continue;
        Py_DECREF(list);
        return NULL;
    }
    return list ? Py_BuildValue("(NsiLi)", list, r->reason, r->optimal, (long long)r->tried,
                                r->placements)
                : NULL;
}

/* suggest_copy(elem_bits, threads, m, n, src, dst, read, read_bits, src_align, dst_align, no_cp_async,
   shared_bytes, arch, top, one_per_cost, cute) */
static PyObject *suggest_copy(PyObject *self, PyObject *args)
{
    (void)self;
    PyObject *src, *dst;
    const char *arch, *cute;
    long long m, n, src_align, dst_align, shared;
    ct_suggest_query q;
    ct_suggest_result r;
    memset(&q, 0, sizeof q);
    if (!PyArg_ParseTuple(args, "iiLLOOiiLLpLzips", &q.elem_bits, &q.threads, &m, &n, &src, &dst,
                          &q.read, &q.read_bits, &src_align, &dst_align, &q.no_cp_async, &shared,
                          &arch, &q.top, &q.one_per_cost, &cute) ||
        core_rules(arch, &q.rules) || core_to_layout(src, &q.src))
        return NULL;
    q.tile_m = m;
    q.tile_n = n;
    q.src_align_bytes = src_align;
    q.dst_align_bytes = dst_align;
    q.shared_bytes = shared;
    q.has_dst = dst != Py_None;
    if (q.has_dst && core_to_layout(dst, &q.dst)) return NULL;
    if (ct_suggest_as_bytes(&q, r.message)) return core_raise(CT_E_ARGUMENT, r.message, NULL, NULL);
    ct_status bad;
    Py_BEGIN_ALLOW_THREADS bad = ct_suggest(&q, &r);
    Py_END_ALLOW_THREADS PyObject *const all =
        bad ? core_raise(bad, r.message, NULL, NULL) : result_of(&q, &r, cute);
    ct_suggest_free(&r);
    return all;
}

PyMethodDef core_suggest_methods[] = {{"_suggest_copy", suggest_copy, METH_VARARGS, NULL}, {0}};
