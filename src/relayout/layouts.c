/* Where the elements of an array are in memory, by the name of a layout. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include <cutlet/host/eval.h>
#include "job.h"

/* The layout that an expression is, in any notation. */
static ct_status read_expression(const char *name, ct_tensor *out, char *message)
{
    ct_value v;
    ct_diag diag;
    ct_status bad = ct_evaluate(name, &v, &diag);
    if (bad) return ct_refuse(message, bad, "%.60s: %s", name, diag.message);
    if (v.kind == CT_KIND_TUPLE) *out = ct_make_tensor(ct_make_col_major(v.as.tuple));
    else if (v.kind == CT_KIND_LAYOUT) *out = ct_make_tensor(v.as.layout);
    else if (v.kind == CT_KIND_TENSOR && ct_offset_is_integer(&v.as.tensor.offset))
        *out = v.as.tensor;
    else
        bad = ct_refuse(message, CT_E_ARGUMENT, "%.60s: a layout is expected, not %s", name,
                        ct_kind_name(&v));
    ct_value_free(&v);
    return bad;
}

/* A layout as text, or a swizzle of the array in C order. */
static ct_status read_tensor(const char *name, const ct_npy *a, ct_tensor *out, char *message)
{
    int64_t n[3]; /* bits, base, shift */
    ct_npy rows = *a;
    rows.fortran = 0;
    if (strncmp(name, "swizzled:", 9) == 0) {
        if (ct_numbers_read(name + 9, ',', 3, -62, 62, n))
            return ct_refuse(message, CT_E_ARGUMENT,
                             "%.60s is not a swizzle; it is as swizzled:3,3,3, numbers of -62 to "
                             "62",
                             name);
        *out = ct_make_swizzled(ct_make_swizzle((int)n[0], (int)n[1], (int)n[2]), 0,
                                ct_npy_layout(&rows));
    } else if (!name[strcspn(name, "<([:0123456789")]) {
        return ct_refuse(
            message, CT_E_ARGUMENT,
            "%.60s is not a layout; take c, f, tiled:128x64, swizzled:3,3,3, or a layout "
            "such as (8,8):(1,8)",
            name);
    } else return read_expression(name, out, message);
    return 0;
}

/* How far a layout reaches, where elements do not meet if they are to be written. */
static ct_status check_reach(const char *name, const ct_relayout_job *j, const ct_tensor *c,
                             int64_t *elems, char *message)
{
    int64_t size = 0;
    ct_plan_span span;
    ct_plan_side side = ct_plan_side_raw(c->layout, j->flat.elem_bytes);
    side.memory = *c;
    ct_status bad = ct_plan_check_side(&side, "layout", &size, message);
    if (!bad) bad = ct_plan_span_of(&side, "layout", &span, message);
    if (!bad && j->forward) bad = ct_plan_injective(c->layout, message);
    if (bad) return bad;
    if (size != j->array.size)
        return ct_refuse(message, CT_E_ARGUMENT, "%.60s has %lld elements, the array %lld", name,
                         (long long)size, (long long)j->array.size);
    if (span.low < 0)
        return ct_refuse(message, CT_E_ARGUMENT,
                         "%.60s reaches offset %lld; in a file offsets begin at 0", name,
                         (long long)(span.low / side.elem_bytes));
    *elems = span.high / side.elem_bytes;
    return 0;
}

ct_status ct_relayout_parts(const char *name, ct_relayout_job *j, int64_t *elems, char *message)
{
    char why[CT_MESSAGE_BYTES];
    ct_tensor c;
    const ct_layout array = ct_npy_layout(&j->array);
    j->swizzle = ct_swizzle_none();
    if (array.err.status) {
        ct_error_message(array.err, why, sizeof why);
        return ct_refuse(message, array.err.status, "the array: %s", why);
    }
    j->tiled = strncmp(name, "tiled:", 6) == 0;
    if (j->tiled) return ct_relayout_read_tiles(name + 6, j, elems, message);
    ct_status bad = read_tensor(name, &j->array, &c, message);
    if (bad) return bad;
    if (c.layout.err.status) {
        ct_error_message(c.layout.err, why, sizeof why);
        return ct_refuse(message, c.layout.err.status, "%.60s: %s", name, why);
    }
    bad = check_reach(name, j, &c, elems, message);
    if (bad) return bad;
    j->swizzle = c.swizzle;
    j->parts = 1;
    j->whole = (ct_relayout_part){array, c.layout, 0, c.offset.value[0]};
    return 0;
}
