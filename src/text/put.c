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

void ct_put_tuple(ct_builder *s, ct_tuple t)
{
    if (t.profile.leaves == 0) ct_put_text(s, "()");
    for (int i = 0; i < t.profile.leaves; ++i) {
        if (i > 0) ct_put_char(s, ',');
        for (int k = 0; k < t.profile.open[i]; ++k) ct_put_char(s, '(');
        sink_leaf(s, t.value[i], t.basis[i]);
        for (int k = 0; k < t.profile.close[i]; ++k) ct_put_char(s, ')');
    }
}

void ct_put_layout(ct_builder *s, ct_layout L)
{
    ct_put_tuple(s, ct_shape(L));
    ct_put_char(s, ':');
    ct_put_tuple(s, ct_stride(L));
}
