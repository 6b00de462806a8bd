/* How the width depends on strides and extents that are known at run time only; edges. */
#include <stdio.h>
#include <string.h>

#include "width.h"

static void put(ct_advice_fact *f, const char *text)
{
    const size_t at = strlen(f->text);
    snprintf(f->text + at, sizeof f->text - at, "%s", text);
}

/* The residues of one width, as `that is a multiple of 8`, `8k + 4`. */
static void put_residues(ct_advice_fact *f, const char *name, int32_t bytes)
{
    char text[64];
    int first = 1;
    if (f->bytes[0] == bytes) {
        int multiple = f->modulus; /* the largest step whose multiples all have it, and no others */
        for (int m = 1; m < f->modulus; m *= 2) {
            int all = 1;
            for (int r = 0; r < f->modulus; ++r) all &= (f->bytes[r] == bytes) == (r % m == 0);
            if (all && m < multiple) multiple = m;
        }
        snprintf(text, sizeof text,
                 multiple == 1 ? "every %s" : "every %s that is a multiple of %d", name, multiple);
        put(f, text);
        for (int r = 0; r < f->modulus; ++r) first &= f->bytes[r] != bytes || r % multiple == 0;
        if (first) return;
        put(f, " or ");
    }
    first = 1;
    snprintf(text, sizeof text, "%s mod %d = ", name, f->modulus);
    put(f, text);
    for (int r = 0; r < f->modulus; ++r) {
        if (f->bytes[r] != bytes || r == 0) continue;
        snprintf(text, sizeof text, "%s%d", first ? "" : ",", r);
        put(f, text);
        first = 0;
    }
}

static void put_widths(ct_advice_fact *f, const char *name, int32_t elem_bytes, int32_t most)
{
    int first = 1, odd = 1;
    char text[64];
    for (int r = 1; r < f->modulus; r += 2) odd &= f->bytes[r] == f->bytes[1];
    for (int32_t b = most; b >= elem_bytes; b /= 2) {
        int found = 0;
        for (int r = 0; r < f->modulus; ++r) found |= f->bytes[r] == b;
        if (!found) continue;
        snprintf(text, sizeof text, "%s%d-bit for ", first ? "" : "; ", 8 * (int)b);
        put(f, text);
        first = 0;
        int only_odd = odd && f->bytes[0] != b;
        for (int r = 0; r < f->modulus; ++r) only_odd &= (f->bytes[r] == b) == (r % 2 == 1);
        if (only_odd) {
            snprintf(text, sizeof text, "every odd %s", name);
            put(f, text);
        } else put_residues(f, name, b);
    }
}

/* ---- strides --------------------------------------------------------------------------------- */

/* The least multiple of n that is at least v and 2 n. */
static int64_t base_of(int64_t v, int64_t n)
{
    return ct_max(2 * n, ct_ceil_div_int(ct_abs(v), n) * n);
}

static void fact_stride(const ct_advice_job *job, ct_advice *a, int side, int leaf)
{
    ct_advice_fact *f = &a->fact[a->facts];
    const ct_layout L = job->memory[side].layout;
    const int32_t n = job->most_bytes / job->elem_bytes;
    char text[160];
    memset(f, 0, sizeof *f);
    f->kind = CT_FACT_STRIDE;
    f->side = side;
    f->leaf = leaf;
    f->mode = ct_mode_of_leaf(L, leaf);
    f->modulus = n;
    ct_advice_job other = *job;
    for (int s = 0; s < 2; ++s) { /* other unknown strides: multiples */
        for (int i = 0; i < CT_MAX_LEAVES; ++i) {
            if (other.unknown[s] >> i & 1)
                other.memory[s].layout.stride[i] = (1 << 20) + 64 * (i + 1);
        }
        other.unknown[s] = 0;
    }
    int64_t *stride = &other.memory[side].layout.stride[leaf];
    for (int r = 0; r <= n; ++r) {
        *stride = r < n ? base_of(L.stride[leaf], n) + r : 1;
        const int32_t bytes = ct_trial_width(&other, a);
        if (bytes < 0) return;
        if (r < n) f->bytes[r] = bytes;
        else f->at_one = bytes;
    }
    if (ct_profile_mode_span(L.profile, f->mode).count == 1 || (job->unknown[side] >> leaf & 1))
        snprintf(text, sizeof text, "ld, the stride of mode %d of the %s: ", f->mode,
                 ct_side_word(side));
    else
        snprintf(text, sizeof text, "ld, in place of the stride %lld of mode %d of the %s: ",
                 (long long)L.stride[leaf], f->mode, ct_side_word(side));
    put(f, text);
    put_widths(f, "ld", job->elem_bytes, job->most_bytes);
    if (f->at_one != f->bytes[1 % n]) {
        snprintf(text, sizeof text, "; %d-bit for ld = 1, known at run time or before",
                 8 * f->at_one);
        put(f, text);
    }
    ++a->facts;
}

/* ---- extents --------------------------------------------------------------------------------- */

/* The leaf whose stride is the extent of mode u, itself of one leaf and stride 1; -1: not packed.
 */
static int packed_leaf(ct_layout L, int u)
{
    const ct_span s = ct_profile_mode_span(L.profile, u);
    if (s.count != 1 || L.stride[s.first] != 1 || L.shape[s.first] < 2) return -1;
    for (int i = 0; i < L.profile.leaves; ++i) {
        if (i != s.first && L.shape[i] > 1 && L.stride[i] == L.shape[s.first]) return i;
    }
    return -1;
}

/* Extent E of mode u on both sides, and the strides that go with it. */
static void set_extent(ct_advice_job *job, const ct_advice_job *from, int u, int64_t extent)
{
    for (int s = 0; s < 2; ++s) {
        if (!job->has[s]) continue;
        ct_layout *L = &job->memory[s].layout;
        const int leaf = packed_leaf(from->memory[s].layout, u);
        L->shape[ct_profile_mode_span(L->profile, u).first] = extent;
        if (leaf >= 0) L->stride[leaf] = extent;
    }
}

static void fact_extent(const ct_advice_job *job, ct_advice *a, int u)
{
    ct_advice_fact *f = &a->fact[a->facts];
    const int side = job->has[0] ? 0 : 1;
    const int32_t n = job->most_bytes / job->elem_bytes;
    const int64_t extent = ct_size(ct_mode(job->memory[side].layout, u));
    char text[160];
    ct_advice_job other = *job;
    memset(f, 0, sizeof *f);
    f->kind = CT_FACT_EXTENT;
    f->mode = u;
    f->modulus = n;
    for (int r = 0; r < n; ++r) {
        set_extent(&other, job, u, base_of(extent, n) + r);
        f->bytes[r] = ct_trial_width(&other, a);
        if (f->bytes[r] < 0) return;
    }
    snprintf(text, sizeof text, "E, the extent of mode %d, packed: ", u);
    put(f, text);
    put_widths(f, "E", job->elem_bytes, job->most_bytes);
    ++a->facts;
}

/* Whether mode u is packed on some side, has one leaf on each side, and all leaves stay within 3.
 * An extent whose stride is followed by others does not qualify. */
static int is_packed(const ct_advice_job *job, int u)
{
    int packed = 0;
    for (int s = 0; s < 2; ++s) {
        if (!job->has[s]) continue;
        const ct_layout L = job->memory[s].layout;
        if (job->memory[s].swizzle.bits || job->unknown[s] || u >= ct_layout_rank(L)) return 0;
        if (ct_profile_mode_span(L.profile, u).count != 1 || ct_layout_rank(L) != 2 ||
            L.profile.leaves != 2)
            return 0;
        packed |= packed_leaf(L, u) >= 0;
    }
    return packed;
}

void ct_find_facts(const ct_advice_job *job, ct_advice *a)
{
    if (job->most_bytes <= job->elem_bytes) return;
    for (int u = 0; u < 2; ++u) {
        if (is_packed(job, u)) fact_extent(job, a, u);
    }
    for (int s = 0; s < 2; ++s) {
        const ct_layout L = job->memory[s].layout;
        if (!job->has[s] || job->memory[s].swizzle.bits) continue;
        for (int i = 0; i < L.profile.leaves && a->facts < CT_ADVICE_FACTS; ++i) {
            const int unknown = job->unknown[s] >> i & 1;
            if (unknown || (L.shape[i] > 1 && L.stride[i] > 1)) fact_stride(job, a, s, i);
        }
    }
}

/* ---- notes ----------------------------------------------------------------------------------- */

static void note(ct_advice *a, const char *text)
{
    if (a->notes < CT_ADVICE_NOTES) snprintf(a->note[a->notes++], CT_MESSAGE_BYTES, "%s", text);
}

/* The edge: the elements that the last access of a row lacks. */
static void note_edge(const ct_advice_job *job, ct_advice *a)
{
    const int64_t n = a->bytes / job->elem_bytes;
    char text[CT_MESSAGE_BYTES];
    for (int s = 0; s < 2; ++s) {
        const int u = job->has[s] ? ct_unit_mode(job->memory[s].layout) : -1;
        if (u < 0 || n == 1) continue;
        const int64_t extent = ct_size(ct_mode(job->memory[s].layout, u));
        if (extent % n == 0) return;
        snprintf(text, sizeof text,
                 "The extent %lld of mode %d is not a multiple of %lld: the last %lld "
                 "elements along it are less than one access. cutlet's kernels make that access "
                 "element by element and keep all others %d-bit; a kernel with one predicate per "
                 "access would read out of bounds or skip them.",
                 (long long)extent, u, (long long)n, (long long)(extent % n), 8 * (int)a->bytes);
        note(a, text);
        return;
    }
}

void ct_find_notes(const ct_advice_job *job, ct_advice *a)
{
    int aligned_only = a->limits > 0, ld = 0;
    char text[CT_MESSAGE_BYTES];
    note_edge(job, a);
    for (int i = 0; i < a->limits; ++i) {
        aligned_only &= a->limit[i].kind >= CT_LIMIT_STRIDE;
        ld |= a->limit[i].kind == CT_LIMIT_STRIDE;
    }
    for (int s = 0; s < 2; ++s) /* what these kernels take: matrices without a swizzle */
        aligned_only &= !job->has[s] || (job->memory[s].swizzle.bits == 0 && job->unknown[s] == 0 &&
                                         ct_layout_rank(job->memory[s].layout) == 2 &&
                                         job->memory[s].layout.profile.leaves == 2);
    if (!aligned_only) return;
    snprintf(
        text, sizeof text,
        "Only the alignment is insufficient%s: ct_copy (device/copy/copy.h) assembles each in-bounds "
        "load from two aligned ones and stays wide; a tile aligned to its destination's sectors "
        "(device/unaligned/copy_sectors.h) has wide stores, too. Neither faults.",
        ld ? "" : " at the base");
    note(a, text);
}
