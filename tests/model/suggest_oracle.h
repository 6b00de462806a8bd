/* The cost of tiled copies and reads by slow enumeration: the algebra's own partition, lane by
 * lane, no memory, no shortcut. Nothing here is shared with src/suggest. */
#ifndef CUTLET_TESTS_SUGGEST_ORACLE_H
#define CUTLET_TESTS_SUGGEST_ORACLE_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cutlet/host/suggest.h>
#include <cutlet/copy/thread_values.h>

enum { ORACLE_LANES = 32, ORACLE_PLACES = 4096 };

/* -1: x costs less; 0: the same; 1: more. */
static int oracle_order(const ct_suggest_cost *x, const ct_suggest_cost *y)
{
    const int64_t a[] = {x->sectors, x->instructions, x->wavefronts, x->shared_bytes};
    const int64_t b[] = {y->sectors, y->instructions, y->wavefronts, y->shared_bytes};
    for (int i = 0; i < 4; ++i) {
        if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
    }
    return 0;
}

/* What each instruction of each warp begins at: place[instruction * 32 + lane], or -1. */
typedef struct oracle_accesses {
    int bits, instructions;
    int *place;
} oracle_accesses;

/* The accesses of a copy, by ct_partition_src of (M,N):(1,M), whose offsets are places. */
static oracle_accesses oracle_copy(const ct_suggest_query *q, ct_tiled_copy copy)
{
    const ct_layout tile = ct_make_col_major(ct_tuple2(q->tile_m, q->tile_n));
    const int vector = (int)ct_atom_vector(copy.atom), threads = q->threads;
    oracle_accesses a = {.bits = copy.atom.bits};
    const int each = (int)(q->tile_m * q->tile_n / threads / vector);
    a.instructions = threads / ORACLE_LANES * each;
    a.place = malloc((size_t)a.instructions * ORACLE_LANES * sizeof *a.place);
    for (int t = 0; t < threads; ++t) {
        const ct_tensor mine = ct_partition_src(copy, ct_make_tensor(tile), t);
        for (int i = 0; i < each; ++i)
            a.place[(t / ORACLE_LANES * each + i) * ORACLE_LANES + t % ORACLE_LANES] =
                (int)(mine.offset.value[0] + ct_eval(mine.layout, (int64_t)i * vector));
    }
    return a;
}

/* The accesses of a read, in the order that suggest.h gives them. */
static oracle_accesses oracle_read(const ct_suggest_query *q, int bits)
{
    const int m = (int)q->tile_m, n = (int)q->tile_n, run = bits / q->elem_bits;
    const int pieces = m * n / run;
    oracle_accesses a = {.bits = bits, .instructions = (pieces + ORACLE_LANES - 1) / ORACLE_LANES};
    a.place = malloc((size_t)a.instructions * ORACLE_LANES * sizeof *a.place);
    int k = 0;
    switch (q->read) {
        case CT_READ_ROWS:
            for (int i = 0; i < m; ++i)
                for (int j = 0; j < n; j += run) a.place[k++] = i + m * j;
            break;
        case CT_READ_COLS:
            for (int j = 0; j < n; ++j)
                for (int i = 0; i < m; i += run) a.place[k++] = i + m * j;
            break;
        case CT_READ_LDMATRIX:
            for (int j = 0; j < n; j += run)
                for (int i = 0; i < m; ++i) a.place[k++] = i + m * j;
            break;
        default:
            for (int i = 0; i < m; i += run)
                for (int j = 0; j < n; ++j) a.place[k++] = i + m * j;
    }
    while (k < a.instructions * ORACLE_LANES) a.place[k++] = -1;
    return a;
}

/* The sum over all instructions; at: the byte of each place. */
static int64_t oracle_count(const oracle_accesses *a, int kind, const int64_t *at, int64_t shift)
{
    int64_t sum = 0, offset[ORACLE_LANES];
    for (int i = 0; i < a->instructions; ++i) {
        for (int t = 0; t < ORACLE_LANES; ++t) {
            const int place = a->place[i * ORACLE_LANES + t];
            offset[t] = place < 0 ? CT_LANE_OFF : at[place] + shift;
        }
        const ct_access_count count = ct_count_access(kind, a->bits, offset);
        sum += ct_access_is_global(kind) ? count.sectors : count.wavefronts;
    }
    return sum;
}

/* The same of cp.async, both sides at once: sectors and wavefronts. */
static void oracle_count_async(const oracle_accesses *a, int kind, const int64_t *at, int64_t shift,
                               const int64_t *shared, int64_t *sectors, int64_t *wavefronts)
{
    ct_access access = {.kind = kind, .bits = a->bits};
    *sectors = *wavefronts = 0;
    for (int i = 0; i < a->instructions; ++i) {
        for (int t = 0; t < ORACLE_LANES; ++t) {
            const int place = a->place[i * ORACLE_LANES + t];
            access.offset[t] = at[place] + shift;
            access.shared[t] = shared[place];
        }
        const ct_access_count count = ct_count_access_by(NULL, &access, NULL);
        *sectors += count.sectors;
        *wavefronts += count.wavefronts;
    }
}

/* ---- the estimate ---------------------------------------------------------------------------- */

/* The ways a tile can lie in the sectors, for one whose tensor is that tile. */
static inline int64_t oracle_shift_step(int64_t align_bytes)
{
    return align_bytes > 0 && align_bytes < 32 ? align_bytes : 32;
}

/* The different sectors that the places lie in, in the mean of all ways. */
static inline double oracle_least_sectors(const ct_suggest_query *q, const int64_t *at,
                                          int64_t align_bytes)
{
    const int64_t step = oracle_shift_step(align_bytes), places = q->tile_m * q->tile_n;
    int64_t sum = 0;
    for (int64_t shift = 0; shift < 32; shift += step) {
        for (int64_t i = 0; i < places; ++i) {
            int64_t k = 0;
            while (k < i && (at[k] + shift) / 32 != (at[i] + shift) / 32) ++k;
            sum += k == i;
        }
    }
    return (double)sum / (double)(32 / step);
}

/* One for each instruction and each line that it touches, in the mean of all ways. */
static inline double oracle_tags(const oracle_accesses *a, int kind, const int64_t *at,
                                 int64_t align_bytes)
{
    const int64_t step = oracle_shift_step(align_bytes);
    int64_t lines = 0;
    for (int64_t shift = 0; shift < 32; shift += step) {
        for (int i = 0; i < a->instructions; ++i) {
            int64_t offset[ORACLE_LANES];
            for (int t = 0; t < ORACLE_LANES; ++t) {
                const int place = a->place[i * ORACLE_LANES + t];
                offset[t] = place < 0 ? CT_LANE_OFF : at[place] + shift;
            }
            lines += ct_count_access(kind, a->bits, offset).lines;
        }
    }
    return a->instructions + (double)lines / (double)(32 / step);
}

/* The elements that every store takes, at most 16 bytes, where a thread's block of values has runs
 * of this many, each one aligned run of bytes from shared: a power of two times run. along_n: the
 * direction of an access of more than one. */
static inline int oracle_merged_run(const ct_suggest_query *q, ct_layout val, int run, int along_n,
                                    ct_tensor shared, const int64_t *at)
{
    const int unit_n = ct_mode(shared.layout, 1).stride[0] == 1, elem = q->elem_bits / 8;
    const int64_t block = ct_size(ct_mode(val, unit_n)), step = unit_n ? q->tile_m : 1;
    const int64_t extent = unit_n ? q->tile_n : q->tile_m, places = q->tile_m * q->tile_n;
    if (shared.swizzle.bits > 0 || (run > 1 && along_n != unit_n)) return run;
    int best = run;
    for (int w = 2 * run; w * elem <= 16 && block % w == 0; w *= 2) {
        int fits = 1;
        for (int64_t i = 0; i < places && extent % w == 0; ++i) {
            const int64_t along = i / step % extent;
            if (along % w == 0) fits &= at[i] % (w * elem) == 0;
            else fits &= at[i] == at[i - step] + elem;
        }
        if (!fits || extent % w != 0) break;
        best = w;
    }
    return best;
}

/* The wavefronts of stores of run elements each, along the unit stride of shared. */
static inline int64_t oracle_merged_write(const ct_suggest_query *q, ct_layout thr, ct_layout val,
                                          int run, ct_tensor shared, const int64_t *at)
{
    const int unit_n = ct_mode(shared.layout, 1).stride[0] == 1;
    const int64_t tm = ct_size(ct_mode(thr, 0)), tn = ct_size(ct_mode(thr, 1));
    const int64_t vm = ct_size(ct_mode(val, 0)), vn = ct_size(ct_mode(val, 1));
    const int row = ct_mode(thr, 1).stride[0] == 1 || tn == 1;
    int64_t sum = 0;
    for (int64_t m = 0; m < q->tile_m; m += m % vm == vm - 1 ? (tm - 1) * vm + 1 : 1) {
        for (int64_t n = 0; n < q->tile_n; n += n % vn == vn - 1 ? (tn - 1) * vn + 1 : 1) {
            if ((unit_n ? n : m) % run != 0) continue;
            for (int warp = 0; warp < q->threads; warp += ORACLE_LANES) {
                int64_t offset[ORACLE_LANES];
                for (int t = 0; t < ORACLE_LANES; ++t) {
                    const int64_t u = warp + t;
                    const int64_t i = row && tn > 1 ? u / tn : u % tm;
                    const int64_t j = row && tn > 1 ? u % tn : u / tm;
                    offset[t] = at[m + i * vm + q->tile_m * (n + j * vn)];
                }
                sum += ct_count_access(CT_ACCESS_STS, run * q->elem_bits, offset).wavefronts;
            }
        }
    }
    return sum;
}

/* Whole cycles: passes beside the time of memory, and what a cp.async.ca is not hidden by. */
static inline int64_t oracle_cycles(double least_sectors, double passes, int async_instructions)
{
    const double memory = 2.2 * least_sectors;
    const double both = memory * memory * memory * memory + passes * passes * passes * passes;
    return (int64_t)floor(sqrt(sqrt(both)) + 0.3 * async_instructions + 0.5);
}

/* Whether each access is one run of bytes and aligned. */
static int oracle_fits(const ct_suggest_query *q, const oracle_accesses *a, int step,
                       const int64_t *at, int64_t shift)
{
    const int run = a->bits / q->elem_bits, elem = q->elem_bits / 8;
    for (int i = 0; i < a->instructions * ORACLE_LANES; ++i) {
        if (a->place[i] < 0) continue;
        const int64_t first = at[a->place[i]];
        if ((first + shift) % (a->bits / 8) != 0) return 0;
        for (int k = 1; k < run; ++k) {
            if (at[a->place[i] + k * step] != first + k * elem) return 0;
        }
    }
    return 1;
}

/* The bytes of the places of a layout of the tile's shape. */
static void oracle_places(const ct_suggest_query *q, ct_tensor c, int64_t *at)
{
    for (int64_t i = 0; i < q->tile_m * q->tile_n; ++i)
        at[i] = ct_tensor_eval(c, i) * (q->elem_bits / 8);
}

static inline int oracle_log2(int64_t n)
{
    int log = 0;
    while ((int64_t)1 << log < n) ++log;
    return log;
}

/* All shared layouts: either order, every swizzle of up to 5 bits in the tile's offsets, shifted
 * either way, and every padding up to 31 banks. Calls visit for each. */
static inline void oracle_shareds(const ct_suggest_query *q, void (*visit)(void *, ct_tensor),
                                  void *user)
{
    const int bits = oracle_log2(q->tile_m * q->tile_n);
    for (int row = 0; row < 2; ++row) {
        const int64_t line = row ? q->tile_n : q->tile_m;
        for (int64_t pad = 0; pad * q->elem_bits < 32 * 32; ++pad) {
            const ct_layout L = row ? ct_layout2(q->tile_m, q->tile_n, line + pad, 1)
                                    : ct_layout2(q->tile_m, q->tile_n, 1, line + pad);
            visit(user, ct_make_swizzled(ct_swizzle_none(), 0, L));
            for (int b = 1; pad == 0 && b <= 5; ++b) {
                for (int base = 0; base < bits; ++base) {
                    for (int shift = b; base + shift + b <= bits; ++shift) {
                        visit(user, ct_make_swizzled(ct_make_swizzle(b, base, shift), 0, L));
                        visit(user, ct_make_swizzled(ct_make_swizzle(b, base, -shift), 0, L));
                    }
                }
            }
        }
    }
}

#endif
