/* The widest access of a copy, counted out, and what limits it. */
#include "width.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

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

/* ---- the scene ------------------------------------------------------------------------------- */

/* An extent that shows the same: without a swizzle the offsets of tiles along a mode of one leaf
   repeat modulo n, after so many of them. */
static int64_t enough(int64_t extent, int64_t tile, int64_t stride, int64_t n)
{
    const int64_t step = stride % n * (tile % n), period = n / ct_gcd(n, step);
    const int64_t most = tile * period + extent % tile;
    return extent > most ? most : extent;
}

/* The layout with unknown strides made odd and extents cut down. */
static ct_composed cut_down(const ct_advice_job *job, int side)
{
    ct_composed c = job->memory[side];
    const int64_t n = ct_max(1, job->most_bytes / job->elem_bytes);
    for (int i = 0; i < c.layout.profile.leaves; ++i) {
        if (job->unknown[side] >> i & 1) c.layout.stride[i] = (1 << 20) + 2 * i + 1;
    }
    for (int k = 0; k < ct_layout_rank(c.layout) && c.swizzle.bits == 0; ++k) {
        const ct_span s = ct_profile_mode_span(c.layout.profile, k);
        const int64_t tile = k < ct_rank(job->tile) ? ct_product(ct_get(job->tile, k)) : 1;
        if (s.count == 1 && tile >= 1 && tile < INT64_MAX / 64)
            c.layout.shape[s.first] = enough(c.layout.shape[s.first], tile, c.layout.stride[s.first], n);
    }
    return c;
}

static int check_job(const ct_advice_job *job, char *message)
{
    const char *wrong = NULL;
    const int32_t e = job->elem_bytes, most = job->most_bytes;
    if (e < 1 || (e & (e - 1)) || most < e || (most & (most - 1)) || most > 32)
        wrong = "elements are of 1, 2, 4, 8 or 16 bytes, accesses a power of two of up to 32";
    for (int s = 0; s < 2 && !wrong; ++s) {
        const int64_t align = ct_base_align(job, s);
        if (align < 1 || (align & (align - 1))) wrong = "an alignment is a power of two";
        else if (job->has[s] && align < e)
            wrong = "a base that is not aligned to its elements is none of a copy";
        else if (job->has[s] && job->unknown[s] && job->memory[s].swizzle.bits)
            wrong = "a swizzled layout has no unknown strides";
    }
    if (!wrong && !job->has[0] && !job->has[1]) wrong = "a copy has a source or a destination";
    if (!wrong && job->has[0] && job->has[1]) {
        const ct_tuple a = ct_product_each(ct_shape(job->memory[0].layout));
        const ct_tuple b = ct_product_each(ct_shape(job->memory[1].layout));
        if (!a.err.status && !b.err.status && !ct_tuple_equal(a, b))
            wrong = "the source and the destination have different extents";
    }
    if (wrong) snprintf(message, CT_MESSAGE_BYTES, "%s", wrong);
    return wrong ? -1 : 0;
}

int ct_scene_make(ct_copy_scene *scene, const ct_advice_job *job, char *message)
{
    memset(scene, 0, sizeof *scene);
    if (check_job(job, message)) return -1;
    if (ct_holders_of_tv(&scene->holders, job->tv, job->tile, message)) return -1;
    for (int s = 0; s < 2; ++s) {
        if (!job->has[s]) continue;
        if (job->memory[s].layout.err.status) {
            ct_error_message(job->memory[s].layout.err, message, CT_MESSAGE_BYTES);
            return -1;
        }
        const ct_composed c = cut_down(job, s);
        if (ct_side_make(&scene->side[s], &c, ct_side_word(s), message)) return -1;
        if (scene->side[s].rank < scene->holders.rank) {
            snprintf(message, CT_MESSAGE_BYTES, "the %s has %d modes, and the tile has %d",
                     ct_side_word(s), scene->side[s].rank, scene->holders.rank);
            return -1;
        }
    }
    return 0;
}

void ct_scene_free(ct_copy_scene *scene)
{
    ct_holders_free(&scene->holders);
    ct_side_free(&scene->side[0]);
    ct_side_free(&scene->side[1]);
}

/* ---- the width ------------------------------------------------------------------------------- */

static int fits(const ct_copy_scene *scene, const ct_advice_job *job, int64_t bytes)
{
    const int64_t n = bytes / job->elem_bytes;
    if (n == 1) return 1;
    if (scene->holders.slots % n != 0) return 0;
    for (int s = 0; s < 2; ++s) {
        if (!job->has[s]) continue;
        if (ct_base_align(job, s) < bytes) return 0;
        if (ct_accesses_of(&scene->holders, &scene->side[s], n, n, 1).bad) return 0;
    }
    return 1;
}

int32_t ct_advice_width(const ct_advice_job *job, char *message)
{
    ct_copy_scene scene;
    int32_t bytes = -1;
    if (ct_scene_make(&scene, job, message) == 0) {
        bytes = job->most_bytes;
        while (bytes > job->elem_bytes && !fits(&scene, job, bytes)) bytes /= 2;
    }
    ct_scene_free(&scene);
    return bytes;
}

/* ---- what limits it -------------------------------------------------------------------------- */

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

static void limit_step(const ct_advice_job *job, ct_advice *a, const ct_copy_scene *scene, int s,
                       const ct_accesses *found)
{
    const int mode = stepped_mode(found, scene->side[s].rank);
    const int unit = ct_unit_mode(job->memory[s].layout);
    const int64_t apart = found->offset[1] - found->offset[0];
    const ct_hold *x = &scene->holders.hold[found->hold[0]], *y = &scene->holders.hold[found->hold[1]];
    char step[64] = "through several modes", where[64];
    if (mode >= 0) snprintf(step, sizeof step, "along mode %d", mode);
    if (unit >= 0 && unit == mode)
        snprintf(where, sizeof where, "mode %d has more strides than its 1", unit);
    else if (unit < 0) snprintf(where, sizeof where, "no mode of it has stride 1");
    else snprintf(where, sizeof where, "its stride 1 is on mode %d", unit);
    ct_advice_limit *l =
        job->unknown[s]
            ? limit(a, CT_LIMIT_STEP, s, apart,
                    "a thread's values %lld and %lld step %s, and in the %s not by 1 for sure; %s",
                    (long long)x->value, (long long)y->value, step, ct_side_word(s), where)
            : limit(a, CT_LIMIT_STEP, s, apart,
                    "a thread's values %lld and %lld step %s, %lld elements in the %s; %s",
                    (long long)x->value, (long long)y->value, step, (long long)apart,
                    ct_side_word(s), where);
    l->mode = mode;
    l->unit = unit;
}

/* Whether the starts of accesses of n are aligned with this layout instead. */
static int starts_fit(const ct_copy_scene *scene, const ct_advice_job *job, int s, int64_t n,
                      ct_layout L, int64_t offset)
{
    ct_advice_job other = *job;
    char message[CT_MESSAGE_BYTES];
    ct_side side;
    other.unknown[s] = 0;
    other.memory[s].layout = L;
    other.memory[s].offset = offset;
    const ct_composed c = cut_down(&other, s);
    const int ok = ct_side_make(&side, &c, "", message) == 0 &&
                   ct_accesses_of(&scene->holders, &side, n, n, 1).bad == 0;
    ct_side_free(&side);
    return ok;
}

/* Strides, each of which alone leaves the alignment; the offset; or the place of one access. */
static void limit_start(const ct_advice_job *job, ct_advice *a, const ct_copy_scene *scene, int s,
                        int64_t n, const ct_accesses *found)
{
    const ct_composed c = job->memory[s];
    const int32_t before = a->limits;
    const char *side = ct_side_word(s);
    ct_layout fit = c.layout;
    for (int i = 0; i < fit.profile.leaves; ++i) {
        if (ct_abs(fit.stride[i]) != 1 || (job->unknown[s] >> i & 1))
            fit.stride[i] = ct_ceil_div_int(ct_abs(fit.stride[i]), n) * n;
    }
    const int strides = starts_fit(scene, job, s, n, fit, 0);
    for (int i = 0; i < fit.profile.leaves && strides; ++i) {
        ct_layout one = fit;
        const int unknown = job->unknown[s] >> i & 1;
        one.stride[i] = unknown ? (1 << 20) + 1 : c.layout.stride[i];
        if (starts_fit(scene, job, s, n, one, 0)) continue;
        const int mode = ct_mode_of_leaf(c.layout, i);
        ct_advice_limit *l =
            unknown ? limit(a, CT_LIMIT_STRIDE, s, 0,
                            "mode %d of the %s has a stride that may be no multiple of %lld "
                            "elements", mode, side, (long long)n)
                    : limit(a, CT_LIMIT_STRIDE, s, c.layout.stride[i],
                            "mode %d of the %s has stride %lld, which is no multiple of %lld "
                            "elements", mode, side, (long long)c.layout.stride[i], (long long)n);
        l->mode = mode;
    }
    if (strides && c.offset % n != 0)
        limit(a, CT_LIMIT_OFFSET, s, c.offset, "the %s begins at offset %lld, which is no multiple "
              "of %lld elements", side, (long long)c.offset, (long long)n);
    if (a->limits == before)
        limit(a, CT_LIMIT_START, s, found->offset[0], "thread %lld's access from its value %lld "
              "begins at offset %lld of the %s, which is no multiple of %lld elements",
              (long long)scene->holders.hold[found->hold[0]].thread,
              (long long)scene->holders.hold[found->hold[0]].value, (long long)found->offset[0],
              side, (long long)n);
}

static void limits_of_side(const ct_advice_job *job, ct_advice *a, const ct_copy_scene *scene,
                           int s, int64_t n)
{
    ct_side plain = scene->side[s];
    plain.swizzle = ct_swizzle_none();
    const ct_swizzle sw = job->memory[s].swizzle;
    const ct_accesses run = ct_accesses_of(&scene->holders, &scene->side[s], n, 1, 1);
    const ct_accesses bare = ct_accesses_of(&scene->holders, &plain, n, 1, 1);
    if (bare.bad) limit_step(job, a, scene, s, &bare);
    else if (run.bad)
        limit(a, CT_LIMIT_SWIZZLE, s, sw.base, "Sw<%d,%d,%d> of the %s moves runs of %lld elements, "
              "and the access has %lld: its base must be at least %d", (int)sw.bits, (int)sw.base,
              (int)sw.shift, ct_side_word(s), (long long)1 << ct_min(sw.base, 40), (long long)n,
              __builtin_ctzll((unsigned long long)n));
    else {
        const ct_accesses starts = ct_accesses_of(&scene->holders, &scene->side[s], n, n, 1);
        if (starts.bad) limit_start(job, a, scene, s, n, &starts);
    }
    if (ct_base_align(job, s) < n * job->elem_bytes)
        limit(a, CT_LIMIT_BASE, s, ct_base_align(job, s), "the %s's base is a multiple of %lld "
              "bytes only", ct_side_word(s), (long long)ct_base_align(job, s));
}

void ct_find_limits(const ct_advice_job *job, ct_advice *a, char *message)
{
    ct_copy_scene scene;
    const int64_t n = a->next / job->elem_bytes;
    if (a->next == 0) return;
    if (ct_scene_make(&scene, job, message) == 0) {
        if (scene.holders.slots % n != 0)
            limit(a, CT_LIMIT_VALUES, -1, scene.holders.slots, "a thread has %lld value%s of %d "
                  "byte%s, no whole number of accesses of %d bytes",
                  (long long)scene.holders.slots, scene.holders.slots == 1 ? "" : "s",
                  (int)job->elem_bytes, job->elem_bytes == 1 ? "" : "s", (int)a->next);
        if (a->limits == 0) {
            for (int s = 0; s < 2; ++s) {
                if (job->has[s]) limits_of_side(job, a, &scene, s, n);
            }
        }
    }
    ct_scene_free(&scene);
}

int ct_advise(const ct_advice_job *job, ct_advice *a, char *message)
{
    memset(a, 0, sizeof *a);
    a->bytes = ct_advice_width(job, message);
    if (a->bytes < 0) return -1;
    a->next = a->bytes < job->most_bytes ? 2 * a->bytes : 0;
    ct_find_limits(job, a, message);
    if (a->next) ct_find_hints(job, a);
    ct_find_facts(job, a);
    ct_find_notes(job, a);
    return 0;
}
