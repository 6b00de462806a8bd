/* Values as text, in the notation. */
#include "put.h"

/* A leaf: 5, 3@0, 1@1@0 (innermost mode first), 1@0+2@1, `_`. */
static void sink_leaf(ct_builder *s, int64_t value, uint32_t basis)
{
    if (basis == CT_ANY) {
        ct_put_char(s, '_');
        return;
    }
    if (ct_is_sum(basis)) {
        const ct_sum sum = ct_sum_of(value, basis);
        for (int k = 0; k < sum.count; ++k) {
            if (k > 0) ct_put_char(s, '+');
            sink_leaf(s, sum.steps[k], sum.path[k]);
        }
        return;
    }
    ct_put_int(s, value);
    for (int level = 3; level >= 0; --level) {
        const uint32_t mode = (basis >> (8 * level)) & 0xffu;
        if (mode == 0) continue;
        ct_put_char(s, '@');
        ct_put_int(s, (int64_t)mode - 1);
    }
}

/* Leaves in their parentheses; basis NULL: all are integers. */
static void sink_leaves(ct_builder *s, const ct_profile *p, const int64_t *value,
                        const uint32_t *basis)
{
    if (p->leaves == 0) ct_put_text(s, "()");
    for (int i = 0; i < p->leaves; ++i) {
        if (i > 0) ct_put_char(s, ',');
        for (int k = 0; k < p->open[i]; ++k) ct_put_char(s, '(');
        if (!basis || basis[i] == CT_INTEGER) ct_put_int(s, value[i]);
        else sink_leaf(s, value[i], basis[i]);
        for (int k = 0; k < p->close[i]; ++k) ct_put_char(s, ')');
    }
}

void ct_put_tuple(ct_builder *s, ct_tuple t) { sink_leaves(s, &t.profile, t.value, t.basis); }

void ct_put_layout_of(ct_builder *s, const ct_layout *L)
{
    sink_leaves(s, &L->profile, L->shape, NULL);
    ct_put_char(s, ':');
    sink_leaves(s, &L->profile, L->stride, L->basis);
}

void ct_put_layout(ct_builder *s, ct_layout L) { ct_put_layout_of(s, &L); }
