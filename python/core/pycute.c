/* The right inverse as pycute defines it: the leaves by their strides, as long as each goes on where the last ended. */
#include "core.h"

#include <string.h>

#include <cutlet/algebra/coalesce.h>

/* A leaf that moves: its stride, its extent, and what an index steps by. */
typedef struct leaf {
    int64_t stride, extent, step;
} leaf;

static int is_before(const leaf *a, const leaf *b)
{
    if (a->stride != b->stride) return a->stride < b->stride;
    return a->extent != b->extent ? a->extent < b->extent : a->step < b->step;
}

/* The leaves in their order; how many. */
static int sort(const ct_layout *L, leaf *sorted)
{
    int count = 0;
    int64_t step = 1;
    for (int i = 0; i < L->profile.leaves; step *= L->shape[i++]) {
        const leaf one = {L->stride[i], L->shape[i], step};
        int k = count;
        if (one.extent == 1) continue;
        for (; k > 0 && is_before(&one, &sorted[k - 1]); --k) sorted[k] = sorted[k - 1];
        sorted[k] = one;
        ++count;
    }
    return count;
}

static PyObject *right_inverse(PyObject *self, PyObject *o)
{
    leaf sorted[CT_MAX_LEAVES];
    ct_value v;
    ct_layout L;
    (void)self;
    if (core_to_layout(o, &L)) return NULL;
    if (!ct_is_integral(L))
        return PyErr_Format(PyExc_TypeError, "pycute has no layouts of coordinates");
    const int count = sort(&L, sorted);
    ct_tuple shape = ct_int(1), stride = ct_int(0);
    int64_t reached = 1;
    int n = 0;
    for (; n < count && sorted[n].stride == reached; reached *= sorted[n++].extent) {
        shape.value[n] = sorted[n].extent;
        stride.value[n] = sorted[n].step;
    }
    if (n > 1) {
        shape.profile.leaves = n;
        shape.profile.open[0] = shape.profile.close[n - 1] = 1;
        stride.profile = shape.profile;
    }
    v.kind = CT_KIND_LAYOUT;
    v.as.layout = ct_coalesce(ct_make_layout(shape, stride));
    return core_from_value(&v);
}

PyMethodDef core_pycute_methods[] = {{"_pycute_right_inverse", right_inverse, METH_O, NULL}, {0}};
