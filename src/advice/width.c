/* The widest access of a copy, by enumeration. */
#include "width.h"

#include <string.h>

#include "base/refuse.h"

const char *ct_side_word(int side) { return side == CT_ADVICE_SRC ? "source" : "destination"; }

int64_t ct_base_align(const ct_advice_job *job, int side)
{
    return job->align[side] > 0 ? job->align[side] : job->most_bytes;
}

int ct_mode_of_leaf(ct_layout L, int leaf)
{
    for (int k = 0; k < ct_layout_rank(L); ++k) {
        const ct_span s = ct_profile_mode_span(L.profile, k);
        if (leaf >= s.first && leaf < s.first + s.count) return k;
    }
    return 0;
}

int ct_unit_mode(ct_layout L)
{
    for (int i = 0; i < L.profile.leaves; ++i) {
        if (L.shape[i] > 1 && L.stride[i] == 1) return ct_mode_of_leaf(L, i);
    }
    return -1;
}

/* ---- the context ------------------------------------------------------------------------------- */

/* A smaller extent with the same result: without a swizzle the offsets of tiles along a mode of one
 * leaf repeat modulo n after this number of tiles. */
static int64_t enough(int64_t extent, int64_t tile, int64_t stride, int64_t n)
{
    const int64_t step = stride % n * (tile % n), period = n / ct_gcd(n, step);
    const int64_t most = tile * period + extent % tile;
    return extent > most ? most : extent;
}

ct_tensor ct_cut_down(const ct_advice_job *job, int side)
{
    ct_tensor c = job->memory[side];
    const int64_t n = ct_max(1, job->most_bytes / job->elem_bytes);
    for (int i = 0; i < c.layout.profile.leaves; ++i) {
        if (job->unknown[side] >> i & 1) c.layout.stride[i] = (1 << 20) + 2 * i + 1;
    }
    for (int k = 0; k < ct_layout_rank(c.layout) && c.swizzle.bits == 0; ++k) {
        const ct_span s = ct_profile_mode_span(c.layout.profile, k);
        const int64_t tile = k < ct_rank(job->tile) ? ct_product(ct_get(job->tile, k)) : 1;
        if (s.count == 1 && tile >= 1 && tile < INT64_MAX / 64)
            c.layout.shape[s.first] =
                enough(c.layout.shape[s.first], tile, c.layout.stride[s.first], n);
    }
    return c;
}

/* Whether sums of a layout's numbers fit in 64 bits with all that is changed about them. */
static int is_small(ct_tensor c)
{
    const int64_t most = (int64_t)1 << 40;
    int yes = c.offset.value[0] >= -most && c.offset.value[0] <= most;
    for (int i = 0; i < c.layout.profile.leaves; ++i)
        yes &=
            c.layout.shape[i] <= most && c.layout.stride[i] >= -most && c.layout.stride[i] <= most;
    return yes;
}

static ct_status check_job(const ct_advice_job *job, char *message)
{
    const char *wrong = NULL;
    const int32_t e = job->elem_bytes, most = job->most_bytes;
    if (e < 1 || (e & (e - 1)) || most < e || (most & (most - 1)) || most > 32)
        wrong = "elements are of 1, 2, 4, 8 or 16 bytes, accesses a power of two of up to 32";
    for (int s = 0; s < 2 && !wrong; ++s) {
        const int64_t align = ct_base_align(job, s);
        if (align < 1 || (align & (align - 1))) wrong = "an alignment is a power of two";
        else if (job->has[s] && align < e) wrong = "the base of a copy is aligned to its elements";
        else if (job->has[s] && !is_small(job->memory[s]))
            wrong = "extents, strides and offsets of up to 2^40 are looked at";
        else if (job->has[s] && job->unknown[s] && job->memory[s].swizzle.bits)
            wrong = "a swizzled layout has no unknown strides";
    }
    if (!wrong && !job->has[0] && !job->has[1]) wrong = "a copy needs a source or a destination";
    if (!wrong && job->has[0] && job->has[1]) {
        const ct_tuple a = ct_product_each(ct_shape(job->memory[0].layout));
        const ct_tuple b = ct_product_each(ct_shape(job->memory[1].layout));
        if (!a.err.status && !b.err.status && !ct_tuple_equal(a, b))
            wrong = "the source and the destination have different extents; of a buffer "
                    "for one tile, give the source of one tile too";
    }
    return wrong ? ct_refuse(message, CT_E_ARGUMENT, "%s", wrong) : CT_OK;
}

ct_status ct_copy_context_make(ct_copy_context *context, const ct_advice_job *job, char *message)
{
    memset(context, 0, sizeof *context);
    ct_status bad = check_job(job, message);
    if (!bad) bad = ct_holders_of_tv(&context->holders, job->tv, job->tile, message);
    for (int s = 0; s < 2 && !bad; ++s) {
        if (!job->has[s]) continue;
        if (job->memory[s].layout.err.status)
            return ct_refuse_error(message, job->memory[s].layout.err);
        const ct_tensor c = ct_cut_down(job, s);
        bad = ct_side_make(&context->side[s], &c, ct_side_word(s), message);
        if (!bad && context->side[s].rank < context->holders.rank)
            bad = ct_refuse(message, CT_E_ARGUMENT, "the %s has %d modes, and the tile has %d",
                            ct_side_word(s), context->side[s].rank, context->holders.rank);
    }
    return bad;
}

void ct_copy_context_free(ct_copy_context *context)
{
    ct_holders_free(&context->holders);
    ct_side_free(&context->side[0]);
    ct_side_free(&context->side[1]);
}

/* ---- the width ------------------------------------------------------------------------------- */

static int fits(const ct_copy_context *context, const ct_advice_job *job, int64_t bytes)
{
    const int64_t n = bytes / job->elem_bytes;
    if (n == 1) return 1;
    if (context->holders.slots % n != 0) return 0;
    for (int s = 0; s < 2; ++s) {
        if (!job->has[s]) continue;
        if (ct_base_align(job, s) < bytes) return 0;
        if (ct_accesses_of(&context->holders, &context->side[s], n, n, 1).bad) return 0;
    }
    return 1;
}

ct_status ct_find_width(const ct_advice_job *job, int32_t *bytes, char *message)
{
    ct_copy_context context;
    const ct_status bad = ct_copy_context_make(&context, job, message);
    if (!bad) {
        *bytes = job->most_bytes;
        while (*bytes > job->elem_bytes && !fits(&context, job, *bytes)) *bytes /= 2;
    }
    ct_copy_context_free(&context);
    return bad;
}

int32_t ct_advice_width(const ct_advice_job *job, char message[CT_MESSAGE_BYTES])
{
    int32_t bytes = -1;
    ct_find_width(job, &bytes, message);
    return bytes;
}

int32_t ct_trial_width(const ct_advice_job *job, ct_advice *advice)
{
    char message[CT_MESSAGE_BYTES];
    int32_t bytes = -1;
    if (ct_find_width(job, &bytes, message) == CT_E_MEMORY) advice->bytes = 0;
    return bytes;
}
