/* Two elements of a layout of any size that have one offset, by its strides. */
#include "verify.h"

#include <cutlet/algebra/coalesce.h>

enum { MOST = 1 << 25 }; /* differences that are tried */

/* A leaf of the layout: its mode, and how far a step goes along that mode. */
typedef struct leaf {
    int64_t shape, stride, step;
    int mode;
} leaf;

/* The leaves of more than one element, the longest last. */
static int leaves_of(const ct_verify_side *s, leaf *all)
{
    int n = 0;
    for (int k = 0; k < s->rank; ++k) {
        const ct_layout mode = ct_coalesce(ct_mode(s->layout, k));
        int64_t step = 1;
        for (int i = 0; i < mode.profile.leaves; step *= mode.shape[i++])
            if (mode.shape[i] > 1) all[n++] = (leaf){mode.shape[i], mode.stride[i], step, k};
    }
    for (int i = 0; i + 1 < n; ++i) {
        const leaf last = all[n - 1];
        if (all[i].shape <= last.shape) continue;
        all[n - 1] = all[i];
        all[i] = last;
    }
    return n;
}

/* The steps along the last leaf that take back r; moved: no step will do too. */
static int take_back(const leaf *last, int64_t r, int moved, int64_t *steps)
{
    *steps = last->stride ? -(r / last->stride) : !moved;
    if (last->stride == 0) return r == 0;
    return r % last->stride == 0 && ct_abs(*steps) < last->shape && (moved || *steps != 0);
}

/* A difference of two coordinates that does not change the offset: 1, 0 where there is none, or -1
 * where too many would have to be tried. */
static int difference(const leaf *all, int n, int64_t *d)
{
    int64_t digit[CT_MAX_LEAVES] = {0}, count = 1;
    for (int i = 0; i + 1 < n; ++i) {
        count *= 2 * all[i].shape - 1;
        if (count > MOST) return -1;
    }
    for (int i = 0; i < n - 1;) { /* the digits 0, 1, 2, 3, .. are 0, 1, -1, 2, .. steps */
        int64_t r = 0;
        int moved = 0;
        for (int k = 0; k < n - 1; ++k) {
            d[k] = digit[k] % 2 ? (digit[k] + 1) / 2 : -digit[k] / 2;
            r += d[k] * all[k].stride;
            moved |= d[k] != 0;
        }
        if (take_back(&all[n - 1], r, moved, &d[n - 1])) return 1;
        for (i = 0; i < n - 1 && ++digit[i] == 2 * all[i].shape - 1; ++i) digit[i] = 0;
    }
    return n == 1 && take_back(all, 0, 0, d);
}

/* The offsets that several elements have, where each such pair differs by multiples of d. */
static int64_t count_shared(const leaf *all, int n, const int64_t *d)
{
    int64_t pairs = 1, inner = 1;
    for (int i = 0; i < n; ++i) {
        pairs *= all[i].shape - ct_abs(d[i]);
        inner *= ct_max(0, all[i].shape - 2 * ct_abs(d[i]));
    }
    return pairs - inner;
}

int ct_side_meet(const ct_verify_side *s, int64_t coord[2][CT_MAX_LEAVES], int64_t *offsets)
{
    leaf all[CT_MAX_LEAVES];
    int64_t d[CT_MAX_LEAVES] = {0};
    const int n = leaves_of(s, all);
    const int found = n ? difference(all, n, d) : 0;
    for (int k = 0; k < s->rank; ++k) coord[0][k] = coord[1][k] = 0;
    for (int i = 0; i < n; ++i) coord[d[i] > 0][all[i].mode] += ct_abs(d[i]) * all[i].step;
    const int by_one = n == 1 || (n == 2 && (all[0].stride || all[1].stride));
    *offsets = found == 1 && by_one ? count_shared(all, n, d) : 0;
    return found;
}
