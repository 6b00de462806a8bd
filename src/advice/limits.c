/* What keeps an access from the next width. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "width.h"

static ct_advice_limit *limit(ct_advice *a, int kind, int side, int64_t n, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
static ct_advice_limit *limit(ct_advice *a, int kind, int side, int64_t n, const char *format, ...)
{
    if (a->limits < CT_ADVICE_LIMITS) ++a->limits; /* past the last, the last is written anew */
    ct_advice_limit *l = &a->limit[a->limits - 1];
    va_list args;
    memset(l, 0, sizeof *l);
    l->kind = kind;
    l->side = side;
    l->mode = l->unit = -1;
    l->n = n;
    va_start(args, format);
    vsnprintf(l->text, sizeof l->text, format, args);
    va_end(args);
    return l;
}

/* The one mode along which two coordinates differ, -1: several. */
static int stepped_mode(const ct_accesses *a, int rank)
{
    int mode = -1;
    for (int k = 0; k < rank; ++k) {
        if (a->coord[0][k] == a->coord[1][k]) continue;
        if (mode >= 0) return -1;
        mode = k;
    }
    return mode;
}

static void limit_step(const ct_advice_job *job, ct_advice *a, const ct_copy_context *context,
                       int s, const ct_accesses *found)
{
    const int mode = stepped_mode(found, context->side[s].rank);
    const int unit = ct_unit_mode(job->memory[s].layout);
    const int64_t distance = found->offset[1] - found->offset[0];
    const ct_hold *x = &context->holders.hold[found->hold[0]],
                  *y = &context->holders.hold[found->hold[1]];
    char step[64] = "through several modes", where[64];
    if (mode >= 0) snprintf(step, sizeof step, "along mode %d", mode);
    if (unit >= 0 && unit == mode)
        snprintf(where, sizeof where, "mode %d has more strides than its 1", unit);
    else if (unit < 0) snprintf(where, sizeof where, "no mode of it has stride 1");
    else snprintf(where, sizeof where, "its stride 1 is on mode %d", unit);
    ct_advice_limit *l =
        job->unknown[s]
            ? limit(a, CT_LIMIT_STEP, s, distance,
                    "a thread's values %lld and %lld step %s, and in the %s the step may not be "
                    "1; %s",
                    (long long)x->value, (long long)y->value, step, ct_side_word(s), where)
            : limit(a, CT_LIMIT_STEP, s, distance,
                    "a thread's values %lld and %lld step %s, %lld elements in the %s; %s",
                    (long long)x->value, (long long)y->value, step, (long long)distance,
                    ct_side_word(s), where);
    l->mode = mode;
    l->unit = unit;
}

/* Whether the starts of accesses of n are aligned with this layout instead. */
static int starts_fit(const ct_copy_context *context, const ct_advice_job *job, int s, int64_t n,
                      ct_layout L, int64_t offset)
{
    ct_advice_job other = *job;
    char message[CT_MESSAGE_BYTES];
    ct_verify_side side;
    other.unknown[s] = 0;
    other.memory[s].layout = L;
    other.memory[s].offset = ct_int(offset);
    const ct_tensor c = ct_cut_down(&other, s);
    const int ok = ct_side_make(&side, &c, "", message) == 0 &&
                   ct_accesses_of(&context->holders, &side, n, n, 1).bad == 0;
    ct_side_free(&side);
    return ok;
}

/* Strides, each of which alone leaves the alignment; the offset; or the place of one access. */
static void limit_start(const ct_advice_job *job, ct_advice *a, const ct_copy_context *context,
                        int s, int64_t n, const ct_accesses *found)
{
    const ct_tensor c = job->memory[s];
    const int32_t before = a->limits;
    const char *side = ct_side_word(s);
    ct_layout fit = c.layout;
    for (int i = 0; i < fit.profile.leaves; ++i) {
        if (ct_abs(fit.stride[i]) != 1 || (job->unknown[s] >> i & 1))
            fit.stride[i] = ct_ceil_div_int(ct_abs(fit.stride[i]), n) * n;
    }
    const int strides = starts_fit(context, job, s, n, fit, 0);
    for (int i = 0; i < fit.profile.leaves && strides; ++i) {
        ct_layout one = fit;
        const int unknown = job->unknown[s] >> i & 1;
        one.stride[i] = unknown ? (1 << 20) + 1 : c.layout.stride[i];
        if (starts_fit(context, job, s, n, one, 0)) continue;
        const int mode = ct_mode_of_leaf(c.layout, i);
        ct_advice_limit *l =
            unknown ? limit(a, CT_LIMIT_STRIDE, s, 0,
                            "mode %d of the %s has a stride that may be not a multiple of %lld "
                            "elements",
                            mode, side, (long long)n)
                    : limit(a, CT_LIMIT_STRIDE, s, c.layout.stride[i],
                            "mode %d of the %s has stride %lld, which is not a multiple of %lld "
                            "elements",
                            mode, side, (long long)c.layout.stride[i], (long long)n);
        l->mode = mode;
    }
    const int64_t offset = c.offset.value[0];
    if (strides && offset % n != 0)
        limit(a, CT_LIMIT_OFFSET, s, offset,
              "the %s begins at offset %lld, which is not a "
              "multiple of %lld elements",
              side, (long long)offset, (long long)n);
    if (a->limits == before)
        limit(a, CT_LIMIT_START, s, found->offset[0],
              "thread %lld's access from its value %lld "
              "begins at offset %lld of the %s, which is not a multiple of %lld elements",
              (long long)context->holders.hold[found->hold[0]].thread,
              (long long)context->holders.hold[found->hold[0]].value, (long long)found->offset[0],
              side, (long long)n);
}

static void limits_of_side(const ct_advice_job *job, ct_advice *a, const ct_copy_context *context,
                           int s, int64_t n)
{
    ct_verify_side plain = context->side[s];
    plain.swizzle = ct_swizzle_none();
    const ct_swizzle sw = job->memory[s].swizzle;
    const ct_accesses run = ct_accesses_of(&context->holders, &context->side[s], n, 1, 1);
    const ct_accesses bare = ct_accesses_of(&context->holders, &plain, n, 1, 1);
    if (bare.bad) limit_step(job, a, context, s, &bare);
    else if (run.bad)
        limit(a, CT_LIMIT_SWIZZLE, s, sw.base,
              "Sw<%d,%d,%d> of the %s moves runs of %lld elements, "
              "and the access has %lld: its base must be at least %d",
              (int)sw.bits, (int)sw.base, (int)sw.shift, ct_side_word(s),
              (long long)1 << ct_min(sw.base, 40), (long long)n,
              __builtin_ctzll((unsigned long long)n));
    else {
        const ct_accesses starts = ct_accesses_of(&context->holders, &context->side[s], n, n, 1);
        if (starts.bad) limit_start(job, a, context, s, n, &starts);
    }
    if (ct_base_align(job, s) < n * job->elem_bytes)
        limit(a, CT_LIMIT_BASE, s, ct_base_align(job, s),
              "the %s's base is aligned to only %lld "
              "bytes",
              ct_side_word(s), (long long)ct_base_align(job, s));
}

void ct_find_limits(const ct_advice_job *job, ct_advice *a, char *message)
{
    ct_copy_context context;
    const int64_t n = a->next / job->elem_bytes;
    if (a->next == 0) return;
    const ct_status bad = ct_copy_context_make(&context, job, message);
    if (bad == CT_E_MEMORY) a->bytes = 0;
    if (!bad) {
        if (context.holders.slots % n != 0)
            limit(a, CT_LIMIT_VALUES, -1, context.holders.slots,
                  "a thread has %lld value%s of %d "
                  "byte%s, not a whole number of "
                  "accesses of %d bytes",
                  (long long)context.holders.slots, context.holders.slots == 1 ? "" : "s",
                  (int)job->elem_bytes, job->elem_bytes == 1 ? "" : "s", (int)a->next);
        if (a->limits == 0) {
            for (int s = 0; s < 2; ++s) {
                if (job->has[s]) limits_of_side(job, a, &context, s, n);
            }
        }
    }
    ct_copy_context_free(&context);
}
