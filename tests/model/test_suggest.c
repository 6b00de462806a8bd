/* The search against a slow one over all thread and value layouts, orders, atoms and swizzles. */
#include "test.h"

#include <cutlet/algebra/tensor_ops.h>
#include "suggest_oracle.h"

/* ---- the slow search ------------------------------------------------------------------------- */

typedef struct copy {
    oracle_accesses accesses;
    ct_layout thr, val;
    int along_n, kind; /* CT_ATOM_... */
    int64_t sectors;
    double tags;
} copy;

/* What is least: the estimate, then the cost. */
typedef struct rank {
    int64_t cycles;
    ct_suggest_cost cost;
} rank;

/* All valid copies of a side, and the best cost found. */
typedef struct slow {
    const ct_suggest_query *query;
    ct_layout tile; /* of the side at hand */
    int64_t align_bytes, src[ORACLE_PLACES];
    copy *in, *out;
    int in_count, out_count;
    oracle_accesses read[8];
    int read_count;
    double least_sectors;
    rank best;
    int64_t tried;
} slow;

static int order_of(const rank *x, const rank *y)
{
    if (x->cycles != y->cycles) return x->cycles < y->cycles ? -1 : 1;
    return oracle_order(&x->cost, &y->cost);
}

/* Appends the copy where it is right on this side: one tile, wherever its alignment lets it lie. */
static void add_copy(slow *s, copy **all, int *count, ct_tiled_copy tiled, ct_layout thr,
                     ct_layout val, int64_t align_bytes)
{
    const ct_suggest_query *const q = s->query;
    int64_t at[ORACLE_PLACES];
    if (tiled.atom.err.status) return;
    oracle_places(q, ct_make_swizzled(ct_swizzle_none(), 0, s->tile), at);
    copy c = {.kind = tiled.atom.kind, .thr = thr, .val = val};
    const ct_layout second = ct_make_col_major(ct_tuple2(q->tile_m, q->tile_n));
    const ct_tensor mine = ct_partition_src(tiled, ct_make_tensor(second), 0);
    const int64_t vector = ct_atom_vector(tiled.atom);
    const int64_t step = vector > 1 ? ct_eval(mine.layout, 1) - ct_eval(mine.layout, 0) : 1;
    for (int64_t k = 1; k < vector; ++k) { /* a run along m or along n, or no candidate */
        if (ct_eval(mine.layout, k) - ct_eval(mine.layout, k - 1) != step) return;
    }
    if (step != 1 && step != q->tile_m) return;
    c.along_n = step != 1;
    c.accesses = oracle_copy(q, tiled);
    if (align_bytes % (c.accesses.bits / 8) != 0 ||
        !oracle_fits(q, &c.accesses, (int)step, at, 0)) {
        free(c.accesses.place);
        return;
    }
    for (int64_t shift = 0; shift < 32; shift += align_bytes < 32 ? align_bytes : 32)
        c.sectors += oracle_count(&c.accesses, CT_ACCESS_LDG, at, shift);
    c.tags = oracle_tags(&c.accesses, CT_ACCESS_LDG, at, align_bytes);
    *all = realloc(*all, (size_t)(*count + 1) * sizeof **all);
    (*all)[(*count)++] = c;
}

/* One pair of thread and value layouts, by every atom. */
static void add_atoms(slow *s, copy **all, int *count, ct_layout thr, ct_layout val, int global_out)
{
    const ct_suggest_query *const q = s->query;
    for (int bits = q->elem_bits; bits <= 128; bits *= 2) {
        add_copy(s, all, count,
                 ct_make_tiled_copy(ct_copy_atom_universal(bits, q->elem_bits), thr, val), thr, val,
                 s->align_bytes);
        if (global_out || q->no_cp_async) continue;
        for (int kind = CT_ATOM_CP_ASYNC_CA; kind <= CT_ATOM_CP_ASYNC_CG; ++kind)
            add_copy(s, all, count,
                     ct_make_tiled_copy(ct_copy_atom_cp_async(kind, bits, q->elem_bits), thr, val),
                     thr, val, s->align_bytes);
    }
}

static ct_layout ordered(int64_t m, int64_t n, int row)
{
    return row ? ct_make_row_major(ct_tuple2(m, n)) : ct_make_col_major(ct_tuple2(m, n));
}

static void add_copies(slow *s, copy **all, int *count, ct_layout tile, int64_t align_bytes,
                       int global_out)
{
    const ct_suggest_query *const q = s->query;
    s->tile = tile;
    s->align_bytes = align_bytes;
    for (int64_t tm = 1; tm <= q->threads; ++tm) {
        const int64_t tn = q->threads / tm;
        if (tm * tn != q->threads) continue;
        for (int64_t vm = 1; tm * vm <= q->tile_m; ++vm) {
            for (int64_t vn = 1; tn * vn <= q->tile_n; ++vn) {
                if (q->tile_m % (tm * vm) != 0 || q->tile_n % (tn * vn) != 0) continue;
                for (int orders = 0; orders < 4; ++orders)
                    add_atoms(s, all, count, ordered(tm, tn, orders & 1),
                              ordered(vm, vn, orders >> 1), global_out);
            }
        }
    }
}

/* What a copy into a shared layout costs. cp.async is counted on both sides at once. */
static ct_suggest_cost write_cost(const slow *s, const copy *in, const int64_t *shared)
{
    const int64_t align = s->query->src_align_bytes ? s->query->src_align_bytes : 256;
    ct_suggest_cost c = {.sectors = in->sectors, .instructions = in->accesses.instructions};
    if (in->kind == CT_ATOM_UNIVERSAL) {
        c.instructions *= 2;
        c.wavefronts = oracle_count(&in->accesses, CT_ACCESS_STS, shared, 0);
        return c;
    }
    const int kind = in->kind == CT_ATOM_CP_ASYNC_CA ? CT_ACCESS_LDGSTS : CT_ACCESS_LDGSTS_CG;
    c.sectors = 0;
    for (int64_t shift = 0; shift < 32; shift += align < 32 ? align : 32) {
        int64_t sectors, wavefronts;
        oracle_count_async(&in->accesses, kind, s->src, shift, shared, &sectors, &wavefronts);
        c.sectors += sectors;
        if (shift == 0) c.wavefronts = wavefronts;
    }
    return c;
}

/* The estimate for a copy; write: its wavefronts, the stores joined; read: with a dst its tags. */
static int64_t cycles_of(const slow *s, const copy *in, int64_t write, int64_t read,
                         double out_tags)
{
    const ct_suggest_query *const q = s->query;
    const double data = (double)(q->tile_m * q->tile_n * (q->elem_bits / 8)) / 128;
    double passes = (double)(write + read) + (q->has_dst ? out_tags + data : 0);
    if (in->kind != CT_ATOM_CP_ASYNC_CG) passes += in->tags;
    if (in->kind == CT_ATOM_UNIVERSAL) passes += data;
    return oracle_cycles(s->least_sectors, passes,
                         in->kind == CT_ATOM_CP_ASYNC_CA ? in->accesses.instructions : 0);
}

/* The copy, if none was better. */
static void try_copy(slow *s, const copy *in, ct_tensor shared, const int64_t *at,
                     const ct_suggest_cost *read, double out_tags)
{
    const ct_suggest_query *const q = s->query;
    const int64_t passes = (q->tile_m * q->tile_n * (q->elem_bits / 8) + 127) / 128;
    if (cycles_of(s, in, passes, read->wavefronts, out_tags) > s->best.cycles) return;
    rank r = {.cost = write_cost(s, in, at)};
    int64_t write = r.cost.wavefronts;
    if (in->kind == CT_ATOM_UNIVERSAL) {
        const int run = in->accesses.bits / q->elem_bits;
        const int merged = oracle_merged_run(q, in->val, run, in->along_n, shared, at);
        if (merged > run) write = oracle_merged_write(q, in->thr, in->val, merged, shared, at);
    }
    r.cycles = cycles_of(s, in, write, read->wavefronts, out_tags);
    r.cost.sectors += read->sectors;
    r.cost.wavefronts += read->wavefronts;
    r.cost.instructions += read->instructions;
    r.cost.shared_bytes = ct_tensor_cosize(shared).value[0] * (q->elem_bits / 8);
    ++s->tried;
    if (order_of(&r, &s->best) < 0) s->best = r;
}

/* The order of reads; tags: of a store to dst. */
static int fewer_passes(const ct_suggest_cost *x, double x_tags, const ct_suggest_cost *y,
                        double y_tags)
{
    const double a = (double)x->wavefronts + x_tags, b = (double)y->wavefronts + y_tags;
    if (x->sectors != y->sectors) return x->sectors < y->sectors;
    return a != b ? a < b : x->instructions < y->instructions;
}

/* The copies into a shared layout, each with its best read. */
static void try_shared(void *user, ct_tensor shared)
{
    slow *const s = user;
    const ct_suggest_query *const q = s->query;
    int64_t at[ORACLE_PLACES];
    ct_suggest_cost read = {.sectors = INT64_MAX};
    double out_tags = 0;
    oracle_places(q, shared, at);
    for (int i = 0; i < s->read_count; ++i) {
        const int along_n = q->read == CT_READ_ROWS || q->read == CT_READ_LDMATRIX;
        const int kind = q->read >= CT_READ_LDMATRIX ? CT_ACCESS_LDSM : CT_ACCESS_LDS;
        if (!oracle_fits(q, &s->read[i], along_n ? (int)q->tile_m : 1, at, 0)) continue;
        const ct_suggest_cost c = {.wavefronts = oracle_count(&s->read[i], kind, at, 0),
                                   .instructions = s->read[i].instructions};
        if (fewer_passes(&c, 0, &read, 0)) read = c;
    }
    for (int i = 0; i < s->out_count; ++i) {
        const copy *const o = &s->out[i];
        if (!oracle_fits(q, &o->accesses, o->along_n ? (int)q->tile_m : 1, at, 0)) continue;
        const ct_suggest_cost c = {.sectors = o->sectors,
                                   .wavefronts = oracle_count(&o->accesses, CT_ACCESS_LDS, at, 0),
                                   .instructions = 2 * o->accesses.instructions};
        if (!fewer_passes(&c, o->tags, &read, out_tags)) continue;
        read = c;
        out_tags = o->tags;
    }
    if (read.sectors == INT64_MAX) return;
    for (int i = 0; i < s->in_count; ++i) {
        const copy *const in = &s->in[i];
        if (oracle_fits(q, &in->accesses, in->along_n ? (int)q->tile_m : 1, at, 0))
            try_copy(s, in, shared, at, &read, out_tags);
    }
}

static void release(copy *all, int count)
{
    for (int i = 0; i < count; ++i) free(all[i].accesses.place);
    free(all);
}

/* The least of all. The tensor is one tile. */
static rank search_slowly(const ct_suggest_query *q)
{
    slow s = {.query = q, .best = {.cycles = INT64_MAX}};
    int64_t dst[ORACLE_PLACES];
    oracle_places(q, ct_make_swizzled(ct_swizzle_none(), 0, q->src), s.src);
    s.least_sectors = oracle_least_sectors(q, s.src, q->src_align_bytes);
    if (q->has_dst) {
        oracle_places(q, ct_make_swizzled(ct_swizzle_none(), 0, q->dst), dst);
        s.least_sectors += oracle_least_sectors(q, dst, q->dst_align_bytes);
    }
    add_copies(&s, &s.in, &s.in_count, q->src, q->src_align_bytes ? q->src_align_bytes : 256, 0);
    if (q->has_dst)
        add_copies(&s, &s.out, &s.out_count, q->dst, q->dst_align_bytes ? q->dst_align_bytes : 256,
                   1);
    for (int bits = q->elem_bits; !q->has_dst && bits <= 128; bits *= 2) {
        const int along_n = q->read == CT_READ_ROWS || q->read == CT_READ_LDMATRIX;
        const int64_t extent = along_n ? q->tile_n : q->tile_m;
        if (extent * q->elem_bits % bits != 0 || (q->read >= CT_READ_LDMATRIX && bits != 128) ||
            (q->read_bits && q->read_bits != bits))
            continue;
        s.read[s.read_count++] = oracle_read(q, bits);
    }
    oracle_shareds(q, try_shared, &s);
    assert_true(s.in_count > 0 && s.tried > 0);
    release(s.in, s.in_count);
    release(s.out, s.out_count);
    for (int i = 0; i < s.read_count; ++i) free(s.read[i].place);
    return s.best;
}

/* ---- the cases ------------------------------------------------------------------------------- */

static ct_layout matrix(int64_t m, int64_t n, int64_t dm, int64_t dn)
{
    return ct_layout2(m, n, dm, dn);
}

static const struct {
    const char *name;
    int bits, threads, m, n;
    int64_t src_m, src_n, dst_m, dst_n; /* strides; dst 0: none */
    int read, read_bits, no_cp_async, align;
} cases[] = {
    {"half rows", 16, 32, 16, 32, 64, 1, 0, 0, CT_READ_ROWS, 0, 0, 0},
    {"half columns", 16, 32, 16, 32, 64, 1, 0, 0, CT_READ_COLS, 0, 0, 0},
    {"half ldmatrix", 16, 32, 16, 32, 64, 1, 0, 0, CT_READ_LDMATRIX, 0, 0, 0},
    {"half ldmatrix, 64 x 16", 16, 64, 64, 16, 64, 1, 0, 0, CT_READ_LDMATRIX, 0, 0, 0},
    {"half ldmatrix.trans of rows", 16, 32, 16, 16, 32, 1, 0, 0, CT_READ_LDMATRIX_TRANS, 0, 0, 0},
    {"half ldmatrix.trans of columns", 16, 32, 32, 16, 1, 64, 0, 0, CT_READ_LDMATRIX_TRANS, 0, 0,
     0},
    {"half, odd rows", 16, 32, 8, 32, 33, 1, 0, 0, CT_READ_ROWS, 0, 0, 0},
    {"half, rows of 4 bytes, columns", 16, 32, 16, 16, 34, 1, 0, 0, CT_READ_COLS, 0, 0, 0},
    {"half, no cp.async, aligned to 8", 16, 32, 16, 16, 32, 1, 0, 0, CT_READ_ROWS, 0, 1, 8},
    {"half, reads of 32 bits", 16, 32, 32, 16, 32, 1, 0, 0, CT_READ_ROWS, 32, 0, 0},
    {"float columns", 32, 32, 32, 8, 64, 1, 0, 0, CT_READ_COLS, 0, 0, 0},
    {"float columns by 32 bits", 32, 32, 32, 16, 64, 1, 0, 0, CT_READ_COLS, 32, 0, 0},
    {"float rows of columns", 32, 64, 16, 16, 1, 64, 0, 0, CT_READ_ROWS, 0, 0, 0},
    {"float ldmatrix", 32, 32, 16, 16, 64, 1, 0, 0, CT_READ_LDMATRIX, 0, 0, 0},
    {"double columns", 64, 32, 16, 8, 64, 1, 0, 0, CT_READ_COLS, 0, 0, 0},
    {"int8 columns", 8, 32, 16, 32, 64, 1, 0, 0, CT_READ_COLS, 0, 0, 0},
    {"16 bytes an element", 128, 32, 8, 8, 8, 1, 0, 0, CT_READ_COLS, 0, 0, 0},
    {"not a power of two", 16, 96, 12, 24, 48, 1, 0, 0, CT_READ_COLS, 0, 0, 0},
    {"not a power of two, rows", 32, 32, 24, 12, 12, 1, 0, 0, CT_READ_COLS, 0, 0, 0},
    {"float transposed", 32, 32, 16, 16, 64, 1, 1, 64, 0, 0, 0, 0},
    {"half copied", 16, 32, 8, 32, 64, 1, 64, 1, 0, 0, 0, 0},
    {"half, rows of 32 bytes", 16, 32, 32, 16, 64, 1, 0, 0, CT_READ_LDMATRIX, 0, 0, 0},
    {"half, rows in half sectors", 16, 32, 16, 16, 24, 1, 0, 0, CT_READ_LDMATRIX, 0, 0, 16},
    {"half transposed", 16, 32, 16, 16, 64, 1, 1, 64, 0, 0, 0, 0},
};

static ct_suggest_query query_of(size_t i)
{
    ct_suggest_query q = {.elem_bits = cases[i].bits,
                          .threads = cases[i].threads,
                          .tile_m = cases[i].m,
                          .tile_n = cases[i].n,
                          .src = matrix(cases[i].m, cases[i].n, cases[i].src_m, cases[i].src_n),
                          .src_align_bytes = cases[i].align,
                          .read = cases[i].read,
                          .read_bits = cases[i].read_bits,
                          .no_cp_async = cases[i].no_cp_async,
                          .top = 1};
    q.has_dst = cases[i].dst_m != 0;
    if (q.has_dst) q.dst = matrix(cases[i].m, cases[i].n, cases[i].dst_m, cases[i].dst_n);
    return q;
}

TEST(the_first_is_the_least_of_all)
{
    int wrong = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        const ct_suggest_query q = query_of(i);
        ct_suggest_result r;
        if (ct_suggest(&q, &r)) fail_msg("%s: %s", cases[i].name, r.message);
        const rank want = search_slowly(&q), got = {r.item[0].cycles, r.item[0].cost};
        if (order_of(&got, &want) != 0) {
            ++wrong;
            print_message("# %s: %lld cycles, %lld %lld %lld %lld; "
                          "the slow search %lld cycles, %lld %lld %lld %lld\n",
                          cases[i].name, (long long)got.cycles, (long long)got.cost.sectors,
                          (long long)got.cost.wavefronts, (long long)got.cost.instructions,
                          (long long)got.cost.shared_bytes, (long long)want.cycles,
                          (long long)want.cost.sectors, (long long)want.cost.wavefronts,
                          (long long)want.cost.instructions, (long long)want.cost.shared_bytes);
        }
        ct_suggest_free(&r);
    }
    assert_int_equal(wrong, 0);
}

GROUP("suggest", NULL, NULL)
