/* A job with one thing changed, and the words for it. */
#include <cutlet/algebra/tensor_ops.h>
#include "changes.h"

#include <stdio.h>
#include <string.h>

static void say(char *text, const char *joint, const char *what)
{
    const size_t at = strlen(text);
    snprintf(text + at, CT_MESSAGE_BYTES - at, "%s%s", at ? joint : "", what);
}

/* Whether two layouts have one shape and are one function. */
static int is_same(ct_layout a, ct_layout b)
{
    return ct_tuple_equal(ct_shape(a), ct_shape(b)) &&
           ct_layout_equal(ct_coalesce(a), ct_coalesce(b));
}

/* A layout as text: its shape if that is enough. */
static void name_layout(char *text, size_t size, ct_layout L)
{
    if (is_same(L, ct_make_col_major(ct_shape(L)))) ct_format_tuple(text, size, ct_shape(L));
    else ct_format_layout(text, size, L);
}

/* The job with other threads and values; 0 where there is no such copy, or it changes nothing. */
int ct_change_blocks(ct_advice_job *job, const ct_candidate *c, char *text)
{
    char thr[CT_TEXT_BYTES], val[CT_TEXT_BYTES], what[300];
    const int same_thr = job->has_blocks && is_same(job->thr, c->thr);
    const int same_val = job->has_blocks && is_same(job->val, c->val);
    const ct_copy_atom atom =
        ct_copy_atom_universal(8 * ct_min(job->elem_bytes, 16), 8 * ct_min(job->elem_bytes, 16));
    const ct_tiled_copy copy = ct_make_tiled_copy(atom, c->thr, c->val);
    if (copy.atom.err.status || (same_thr && same_val)) return 0;
    job->tv = copy.tv;
    job->tile = ct_tiled_copy_shape(copy);
    job->thr = c->thr;
    job->val = c->val;
    job->has_blocks = 1;
    name_layout(thr, sizeof thr, c->thr);
    name_layout(val, sizeof val, c->val);
    if (same_thr) snprintf(what, sizeof what, "val %.200s", val);
    else if (same_val) snprintf(what, sizeof what, "thr %.200s", thr);
    else snprintf(what, sizeof what, "thr %.140s, val %.140s", thr, val);
    say(text, "; ", what);
    return 1;
}

/* The strides that are not multiples of n rounded up to such, outer ones as far out as inner ones
   need; unit strides stay. Returns how many changed. */
static int pad_strides(ct_layout *L, int64_t n, uint32_t unknown)
{
    int changed = 0;
    int order[CT_MAX_LEAVES];
    const ct_layout old = *L;
    for (int i = 0; i < L->profile.leaves; ++i) { /* by the size of the stride */
        int k = i;
        for (; k > 0 && ct_abs(old.stride[order[k - 1]]) > ct_abs(old.stride[i]); --k)
            order[k] = order[k - 1];
        order[k] = i;
    }
    for (int k = 0; k < L->profile.leaves; ++k) {
        const int i = order[k];
        int64_t d = ct_abs(old.stride[i]);
        if (old.shape[i] == 1 || d <= 1 || (unknown >> i & 1)) continue;
        d = ct_ceil_div_int(d, n) * n;
        for (int j = 0; j < k; ++j) { /* as far out as what lay below it needs now */
            const int64_t below = ct_abs(old.stride[order[j]]) * old.shape[order[j]];
            const int64_t now = ct_abs(L->stride[order[j]]) * old.shape[order[j]];
            if (old.shape[order[j]] > 1 && ct_abs(old.stride[i]) >= below)
                d = ct_max(d, ct_ceil_div_int(now, n) * n);
        }
        if (d == ct_abs(old.stride[i])) continue;
        L->stride[i] = old.stride[i] < 0 ? -d : d;
        ++changed;
    }
    return changed;
}

static int change_strides(ct_advice_job *job, int s, int64_t n, char *text)
{
    ct_layout *L = &job->memory[s].layout;
    const ct_layout old = *L;
    char what[CT_MESSAGE_BYTES] = "";
    int changed = pad_strides(L, n, job->unknown[s]);
    for (int i = 0; i < old.profile.leaves; ++i) {
        const size_t at = strlen(what);
        const char *and = at ? ", " : "";
        if (job->unknown[s] >> i & 1) {
            L->stride[i] = (1 << 20) + 64 * (i + 1);
            snprintf(what + at, sizeof what - at,
                     "%sa stride of the %s's mode %d that is a multiple "
                     "of %lld",
                     and, ct_side_word(s), ct_mode_of_leaf(old, i), (long long)n);
            ++changed;
        } else if (L->stride[i] != old.stride[i]) {
            snprintf(what + at, sizeof what - at,
                     "%sstride %lld instead of %lld on mode %d of the "
                     "%s",
                     and, (long long)L->stride[i], (long long)old.stride[i],
                     ct_mode_of_leaf(old, i), ct_side_word(s));
        }
    }
    job->unknown[s] = 0;
    if (changed) say(text, "; ", what);
    return changed > 0;
}

static int change_swizzle(ct_advice_job *job, int s, int64_t n, char *text)
{
    ct_tensor *c = &job->memory[s];
    char what[200];
    int base = 0;
    while ((int64_t)1 << base < n) ++base;
    if (c->swizzle.bits == 0 || c->swizzle.base >= base) return 0;
    const ct_tuple before = ct_tensor_cosize(*c);
    const ct_swizzle sw = ct_make_swizzle(c->swizzle.bits, base, c->swizzle.shift);
    if (sw.err.status) return 0;
    c->swizzle = sw;
    const ct_tuple after = ct_tensor_cosize(*c); /* it takes no more room */
    if (before.err.status || after.err.status || after.value[0] > before.value[0]) return 0;
    snprintf(what, sizeof what, "Sw<%d,%d,%d> in the %s", (int)sw.bits, (int)sw.base, (int)sw.shift,
             ct_side_word(s));
    say(text, "; ", what);
    return 1;
}

int ct_change_memory(ct_advice_job *job, ct_change c, char *text)
{
    char what[200];
    const int s = c.side;
    const int64_t n = job->most_bytes / job->elem_bytes;
    if (!job->has[s] || n < 2) return 0;
    switch (c.kind) {
        case CT_CHANGE_UNIT:
            if (!(job->unknown[s] >> c.leaf & 1)) return 0;
            job->unknown[s] &= ~(1u << c.leaf);
            job->memory[s].layout.stride[c.leaf] = 1;
            snprintf(what, sizeof what, "a stride of the %s's mode %d that is 1", ct_side_word(s),
                     ct_mode_of_leaf(job->memory[s].layout, c.leaf));
            break;
        case CT_CHANGE_PAD: return change_strides(job, s, n, text);
        case CT_CHANGE_SWIZZLE: return change_swizzle(job, s, n, text);
        case CT_CHANGE_OFFSET:
            if (job->memory[s].offset.value[0] % n == 0) return 0;
            job->memory[s].offset =
                ct_int(ct_ceil_div_int(ct_max(0, job->memory[s].offset.value[0]), n) * n);
            snprintf(what, sizeof what, "begin the %s at an offset that is a multiple of %lld",
                     ct_side_word(s), (long long)n);
            break;
        default:
            if (ct_base_align(job, s) >= job->most_bytes) return 0;
            job->align[s] = job->most_bytes;
            snprintf(what, sizeof what, "a base of the %s that is a multiple of %d bytes",
                     ct_side_word(s), (int)job->most_bytes);
    }
    say(text, "; ", what);
    return 1;
}
