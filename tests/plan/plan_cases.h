/**
 * Random copies for the plans: two layouts of the same size in memory with guards, and what the
 * destination is to hold afterwards, by enumeration.
 */
#ifndef CUTLET_TESTS_PLAN_CASES_H
#define CUTLET_TESTS_PLAN_CASES_H

#include <stdlib.h>
#include <string.h>

#include <cutlet/host/text.h>
#include "dice.h"
#include "plan/front/plan.h"

enum { PLAN_GUARD = 256 };

/** The offsets of a side in order of the index: the layout's by enumeration, then the swizzle, bit by
 *  bit. */
static int64_t side_offsets(const ct_plan_side *s, int64_t *out)
{
    const int64_t n = oracle_offsets(s->memory.layout, out);
    const ct_swizzle w = s->memory.swizzle;
    for (int64_t i = 0; i < n; ++i) {
        int64_t x = out[i] + s->memory.offset.value[0];
        for (int bit = 0; bit < w.bits; ++bit) {
            const int from = w.base + bit + (w.shift > 0 ? w.shift : 0);
            const int to = w.base + bit - (w.shift < 0 ? w.shift : 0);
            if ((x >> from & 1) != 0) x ^= (int64_t)1 << to;
        }
        out[i] = x;
    }
    return n;
}

/** Memory of one side: guards around all that its offsets reach; `at` is the address of offset 0. */
typedef struct plan_memory {
    unsigned char *all, *at;
    size_t bytes;
} plan_memory;

static inline plan_memory memory_of(const ct_plan_side *s, const int64_t *offset, int64_t n,
                                    int shift)
{
    plan_memory m;
    int64_t low = 0, high = 0;
    for (int64_t i = 0; i < n; ++i) {
        low = ct_min(low, offset[i]);
        high = ct_max(high, offset[i]);
    }
    const int64_t before = (-low * s->elem_bytes + 63) / 64 * 64 + PLAN_GUARD;
    m.bytes = (size_t)(before + (high + 1) * s->elem_bytes + shift + PLAN_GUARD + 63) / 64 * 64;
    m.all = aligned_alloc(64, m.bytes);
    m.at = m.all + before + shift;
    return m;
}

/** Shapes of up to 8 leaves, nested at random. */
static ct_tuple random_shape(dice *d) { return dice_shape(d, 8, 2048); }

/** Another shape of the same size: one extent, or extents taken off in turn. */
static ct_tuple random_shape_of(dice *d, int64_t size)
{
    ct_tuple t = CT_ZERO;
    int n = 0;
    while (size > 1 && n < 7) {
        int64_t part = dice_int(d, 2, 9);
        if (size % part != 0) part = dice_int(d, 0, 3) ? 1 : size;
        if (part == 1 && dice_int(d, 0, 5)) continue;
        t.value[n++] = part;
        size /= part;
    }
    if (size > 1 || n == 0) t.value[n++] = size;
    t.profile = dice_profile(d, n);
    return t;
}

/** Strides without two offsets alike: leaves in any order, with gaps, of either sign. */
static ct_layout random_noncontiguous(dice *d, ct_tuple shape)
{
    ct_layout L = CT_ZERO;
    int order[CT_MAX_LEAVES];
    int64_t run = 1;
    const int n = shape.profile.leaves, padded = dice_int(d, 0, 2) == 0;
    L.profile = shape.profile;
    for (int k = 0; k < n; ++k) order[k] = k;
    for (int k = n - 1; k > 0; --k) {
        const int j = (int)dice_int(d, 0, k), x = order[k];
        order[k] = order[j];
        order[j] = x;
    }
    for (int i = 0; i < n; ++i) {
        const int k = order[i];
        L.shape[k] = shape.value[k];
        if (padded && dice_int(d, 0, 2) == 0) run += dice_int(d, 0, 3);
        L.stride[k] = dice_int(d, 0, 5) ? run : -run;
        run *= L.shape[k];
    }
    return L;
}

/** Any strides at all. */
static ct_layout random_any(dice *d, ct_tuple shape)
{
    ct_layout L = random_noncontiguous(d, shape);
    for (int k = 0; k < L.profile.leaves; ++k)
        if (dice_int(d, 0, 3) == 0) L.stride[k] = dice_int(d, 0, 1) ? 0 : dice_int(d, -20, 20);
    return L;
}

/** A side in memory that is swizzled, where its offsets are not negative. */
static void maybe_swizzle(dice *d, ct_plan_side *s)
{
    if (dice_int(d, 0, 3) != 0 || ct_lowest(s->memory.layout) < 0) return;
    const int bits = (int)dice_int(d, 1, 3), shift = (int)dice_int(d, bits, 4);
    s->memory.swizzle =
        ct_make_swizzle(bits, (int)dice_int(d, 0, 4), dice_int(d, 0, 3) ? shift : -shift);
    s->memory.offset = ct_int(dice_int(d, 0, 2) ? 0 : dice_int(d, 0, 40));
}

/** A random copy of raw elements. */
static inline ct_plan_desc random_desc(dice *d)
{
    static const int sizes[] = {1, 2, 4, 8, 16, 1, 2, 4, 8, 16, 3, 6, 12, 5};
    ct_plan_desc desc = {0};
    const int32_t bytes = sizes[dice_int(d, 0, 13)];
    const ct_tuple shape = random_shape(d);
    int64_t size = 1;
    for (int k = 0; k < shape.profile.leaves; ++k) size *= shape.value[k];
    const ct_tuple other = dice_int(d, 0, 2) ? shape : random_shape_of(d, size);
    desc.dst = ct_plan_side_raw(random_noncontiguous(d, shape), bytes);
    desc.src = ct_plan_side_raw(
        dice_int(d, 0, 1) ? random_any(d, other) : random_noncontiguous(d, other), bytes);
    maybe_swizzle(d, &desc.src);
    maybe_swizzle(d, &desc.dst);
    return desc;
}

/** A copy as text, for a case that fails. */
static const char *desc_text(const ct_plan_desc *desc)
{
    static char text[2 * CT_TEXT_BYTES + 64];
    char a[CT_TEXT_BYTES], b[CT_TEXT_BYTES];
    ct_format_tensor(a, sizeof a, desc->src.memory);
    ct_format_tensor(b, sizeof b, desc->dst.memory);
    snprintf(text, sizeof text, "%s -> %s, %d bytes", a, b, desc->dst.elem_bytes);
    return text;
}

#endif
