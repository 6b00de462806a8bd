/* Layouts whose modes have one stride each, which is all that mdspan and NumPy know. */
#include <string.h>

#include <cutlet/algebra/make.h>
#include "exchange.h"

/* The stride of a mode without a swizzle: its leaves go on where the one before ends. Returns 0 for
 * a mode that has none. */
static int stride_of_mode(ct_layout mode, int64_t *stride)
{
    int64_t reach = 0;
    int have = 0, fits = 1;
    *stride = 0;
    for (int i = 0; i < mode.profile.leaves; ++i) {
        if (mode.shape[i] == 1) continue;
        if (!have) *stride = mode.stride[i];
        else if (mode.stride[i] != reach) return 0;
        have = 1;
        reach = ct_mul(mode.stride[i], mode.shape[i], &fits);
        if (!fits) reach = INT64_MIN; /* no stride goes on there */
    }
    return 1;
}

static int64_t offset_at(const ct_tensor *t, int64_t i)
{
    const int64_t x = t->offset.value[0] + ct_eval(t->layout, i);
    return t->swizzle.bits > 0 ? ct_swizzle_apply(t->swizzle, x) : x;
}

/* Finds the strides of a swizzled tensor and enumerates all coordinates. */
static ct_status enumerate(const ct_tensor *t, const char *system, ct_strided *s, ct_diag *diag)
{
    const int64_t size = ct_size(t->layout);
    if (size > CT_MAX_LIST)
        return ct_conversion_fail(diag, CT_E_UNDECIDED,
                                  "a swizzled layout of more than %d elements "
                                  "is not compared with strides",
                                  CT_MAX_LIST);
    s->offset = offset_at(t, 0);
    int64_t run = 1;
    for (int d = 0; d < s->rank; run *= s->shape[d++])
        s->stride[d] = s->shape[d] > 1 ? offset_at(t, run) - s->offset : 0;
    for (int64_t i = 0; i < size; ++i) {
        int64_t rest = i, x = s->offset;
        for (int d = 0; d < s->rank; rest /= s->shape[d++]) x += rest % s->shape[d] * s->stride[d];
        if (x == offset_at(t, i)) continue;
        return ct_conversion_fail(diag, CT_E_NO_LAYOUT,
                                  "Sw<%d,%d,%d> moves index %lld to offset %lld, "
                                  "where strides have %lld: %s has only strides",
                                  t->swizzle.bits, t->swizzle.base, t->swizzle.shift, (long long)i,
                                  (long long)offset_at(t, i), (long long)x, system);
    }
    return CT_OK;
}

ct_status ct_strided_of(const ct_tensor *t, const char *system, ct_strided *out, ct_diag *diag)
{
    const ct_layout *const L = &t->layout;
    memset(out, 0, sizeof *out);
    out->rank = ct_layout_rank(*L);
    if (out->rank > CT_CONVERT_RANK)
        return ct_conversion_fail(diag, CT_E_NO_LAYOUT, "%d modes: up to %d are converted",
                                  out->rank, CT_CONVERT_RANK);
    for (int i = 0; i < L->profile.leaves; ++i) {
        if (L->basis[i] != CT_INTEGER)
            return ct_conversion_fail(diag, CT_E_NO_LAYOUT,
                                      "a stride is a basis element: %s has "
                                      "integers",
                                      system);
    }
    if (!ct_offset_is_integer(&t->offset))
        return ct_conversion_fail(diag, CT_E_NO_LAYOUT,
                                  "the offset is a coordinate: %s has integers", system);
    const int one = ct_profile_is_integer(L->profile);
    for (int d = 0; d < out->rank; ++d) out->shape[d] = ct_size(one ? *L : ct_mode(*L, d));
    if (t->swizzle.bits > 0) return enumerate(t, system, out, diag);
    out->offset = t->offset.profile.leaves > 0 ? t->offset.value[0] : 0;
    for (int d = 0; d < out->rank; ++d) {
        char text[CT_TEXT_BYTES];
        const ct_layout mode = one ? *L : ct_mode(*L, d);
        if (stride_of_mode(mode, &out->stride[d])) continue;
        ct_format_layout(text, sizeof text, mode);
        return ct_conversion_fail(diag, CT_E_NO_LAYOUT,
                                  "mode %d is %s, which has no single stride: "
                                  "%s has one stride a mode",
                                  d, text, system);
    }
    return CT_OK;
}

ct_status ct_strided_tensor(const ct_strided *s, ct_tensor *out, ct_diag *diag)
{
    ct_layout L;
    memset(&L, 0, sizeof L);
    for (int d = 0; d < s->rank; ++d) ct_push_next_leaf(&L, s->shape[d], s->stride[d], CT_INTEGER);
    L = ct_make_layout(ct_shape(L), ct_stride(L)); /* checked */
    *out = ct_make_tensor(L);
    out->offset = ct_int(s->offset);
    ct_error e = ct_tensor_check(out);
    return ct_conversion_error(diag, e);
}
