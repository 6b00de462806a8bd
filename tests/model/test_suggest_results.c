/* What the search hands back: candidates are right and cost what they say; bounds; complaints. */
#include "test.h"

#include <cutlet/cutlet.h>
#include <cutlet/host/text.h>
#include "suggest_oracle.h"

static ct_layout rows(int64_t m, int64_t n) { return ct_make_row_major(ct_tuple2(m, n)); }

static ct_suggest_query half_query(int64_t m, int64_t n, int threads, int read)
{
    const ct_suggest_query q = {.elem_bits = 16,
                                .threads = threads,
                                .tile_m = m,
                                .tile_n = n,
                                .src = rows(256, 256),
                                .read = read,
                                .top = 1};
    return q;
}

/* ---- every candidate ------------------------------------------------------------------------- */

/* The copy covers each place of the tile once, and each access is one aligned run on both sides. */
static void check_copy(const ct_suggest_query *q, const ct_suggest_copy *c, const int64_t *global,
                       const int64_t *shared, ct_layout global_tile, ct_tensor shared_layout)
{
    const ct_tiled_copy tiled = ct_suggest_tiled_copy(q, c);
    const int step =
        ct_size(ct_mode(c->val, 1)) > 1 && ct_mode(c->val, 1).stride[0] == 1 ? (int)q->tile_m : 1;
    char seen[ORACLE_PLACES] = {0};
    assert_int_equal(tiled.atom.err.status, CT_OK);
    assert_int_equal(ct_tiled_copy_threads(tiled), q->threads);
    const oracle_accesses a = oracle_copy(q, tiled);
    for (int i = 0; i < a.instructions * ORACLE_LANES; ++i) {
        for (int k = 0; k < a.bits / q->elem_bits; ++k) {
            assert_int_equal(seen[a.place[i] + k * step], 0);
            seen[a.place[i] + k * step] = 1;
        }
    }
    for (int64_t i = 0; i < q->tile_m * q->tile_n; ++i) assert_int_equal(seen[i], 1);
    assert_true(oracle_fits(q, &a, step, global, 0));
    assert_true(oracle_fits(q, &a, step, shared, 0));
    free(a.place);
    /* and the algebra agrees */
    assert_int_equal(ct_tiled_copy_check(tiled, global_tile, shared_layout.layout).status, CT_OK);
    assert_true((int64_t)q->elem_bits << shared_layout.swizzle.base >= c->bits ||
                shared_layout.swizzle.bits == 0);
    const ct_copy_width_result width =
        ct_copy_width(global_tile, shared_layout.layout, q->elem_bits / 8, 16, 0, 0);
    assert_true(c->bits == q->elem_bits || width.bytes * 8 >= c->bits);
}

/* The passes of the load-store unit beside those through shared memory, and the stores joined. */
static double other_passes(const ct_suggest_query *q, const ct_suggestion *s,
                           const oracle_accesses *a, const int64_t *src, const int64_t *shared)
{
    const double data = (double)(q->tile_m * q->tile_n * (q->elem_bits / 8)) / 128;
    const int run = s->in.bits / q->elem_bits;
    const int along_n = ct_size(ct_mode(s->in.val, 1)) > 1 && ct_mode(s->in.val, 1).stride[0] == 1;
    if (s->in.kind == CT_ATOM_CP_ASYNC_CG) return 0;
    const double tags = oracle_tags(a, CT_ACCESS_LDG, src, 0);
    if (s->in.kind == CT_ATOM_CP_ASYNC_CA) return tags;
    const int merged = oracle_merged_run(q, s->in.val, run, along_n, s->shared, shared);
    if (merged == run) return tags + data;
    return tags + data - (double)s->cost.write +
           (double)oracle_merged_write(q, s->in.thr, s->in.val, merged, s->shared, shared);
}

static void check_cost(const ct_suggest_query *q, const ct_suggestion *s, const int64_t *src,
                       const int64_t *dst, const int64_t *shared)
{
    double passes, least = oracle_least_sectors(q, src, 0);
    const ct_tiled_copy in = ct_suggest_tiled_copy(q, &s->in);
    const int kind_in = s->in.kind == CT_ATOM_CP_ASYNC_CA ? CT_ACCESS_LDGSTS : CT_ACCESS_LDGSTS_CG;
    oracle_accesses a = oracle_copy(q, in);
    ct_suggest_cost want = {.instructions = a.instructions};
    if (s->in.kind == CT_ATOM_UNIVERSAL) {
        want.sectors = oracle_count(&a, CT_ACCESS_LDG, src, 0);
        want.write = oracle_count(&a, CT_ACCESS_STS, shared, 0);
        want.instructions *= 2;
    } else {
        oracle_count_async(&a, kind_in, src, 0, shared, &want.sectors, &want.write);
    }
    passes = other_passes(q, s, &a, src, shared);
    const int async = s->in.kind == CT_ATOM_CP_ASYNC_CA ? a.instructions : 0;
    free(a.place);
    if (q->has_dst) {
        a = oracle_copy(q, ct_suggest_tiled_copy(q, &s->out));
        want.sectors += oracle_count(&a, CT_ACCESS_STG, dst, 0);
        want.read = oracle_count(&a, CT_ACCESS_LDS, shared, 0);
        want.instructions += 2 * a.instructions;
        passes += oracle_tags(&a, CT_ACCESS_STG, dst, 0) +
                  (double)(q->tile_m * q->tile_n * (q->elem_bits / 8)) / 128;
        least += oracle_least_sectors(q, dst, 0);
    } else {
        a = oracle_read(q, s->read_bits);
        const int kind = q->read >= CT_READ_LDMATRIX ? CT_ACCESS_LDSM : CT_ACCESS_LDS;
        want.read = oracle_count(&a, kind, shared, 0);
        want.instructions += a.instructions;
    }
    free(a.place);
    assert_true(s->passes == passes + (double)(want.write + want.read));
    assert_int_equal(s->cycles, oracle_cycles(least, s->passes, async));
    assert_int_equal(s->cost.sectors, want.sectors);
    assert_int_equal(s->cost.write, want.write);
    assert_int_equal(s->cost.read, want.read);
    assert_int_equal(s->cost.wavefronts, want.write + want.read);
    assert_int_equal(s->cost.instructions, want.instructions);
    assert_int_equal(s->cost.shared_bytes,
                     ct_tensor_cosize(s->shared).value[0] * (q->elem_bits / 8));
}

/* No two places of the tile share one of shared memory. */
static void check_injective(const ct_suggest_query *q, const ct_suggestion *s, const int64_t *at)
{
    char *const seen = calloc(1, (size_t)s->cost.shared_bytes);
    for (int64_t i = 0; i < q->tile_m * q->tile_n; ++i) {
        assert_true(at[i] >= 0 && at[i] + q->elem_bits / 8 <= s->cost.shared_bytes);
        assert_int_equal(seen[at[i]], 0);
        seen[at[i]] = 1;
    }
    free(seen);
}

/* What candidates are ranked by. */
static int by_rank(const ct_suggestion *x, const ct_suggestion *y)
{
    if (x->cycles != y->cycles) return x->cycles < y->cycles ? -1 : 1;
    return oracle_order(&x->cost, &y->cost);
}

/* No count is below its least. */
static void check_bounds(const ct_suggest_cost *least, const ct_suggest_cost *c)
{
    assert_true(least->sectors <= c->sectors && least->wavefronts <= c->wavefronts);
    assert_true(least->instructions <= c->instructions && least->shared_bytes <= c->shared_bytes);
}

static void check_all(ct_suggest_query q)
{
    ct_suggest_result r;
    int64_t src[ORACLE_PLACES], dst[ORACLE_PLACES], shared[ORACLE_PLACES];
    oracle_places(&q, ct_make_swizzled(ct_swizzle_none(), 0, q.src), src);
    if (q.has_dst) oracle_places(&q, ct_make_swizzled(ct_swizzle_none(), 0, q.dst), dst);
    if (ct_suggest(&q, &r)) fail_msg("%s", r.message);
    assert_true(r.count > 100 && r.placements == 1);
    for (int i = 0; i < r.count; ++i) {
        const ct_suggestion *const s = &r.item[i];
        const int by = i > 0 ? by_rank(&r.item[i - 1], s) : -1;
        assert_true(q.one_per_cost ? by < 0 : by <= 0);
        if (i > 50 && i % 7 != 0) continue; /* the slow part */
        oracle_places(&q, s->shared, shared);
        check_injective(&q, s, shared);
        check_copy(&q, &s->in, src, shared, q.src, s->shared);
        if (q.has_dst) check_copy(&q, &s->out, dst, shared, q.dst, s->shared);
        check_cost(&q, s, src, dst, shared);
        check_bounds(&r.least, &s->cost);
    }
    ct_suggest_free(&r);
}

TEST(candidates_are_right_and_cost_what_they_say)
{
    ct_suggest_query q = half_query(16, 32, 32, CT_READ_COLS);
    q.src = ct_layout2(16, 32, 32, 1);
    q.top = 0, q.one_per_cost = 1;
    check_all(q);
    q.read = CT_READ_LDMATRIX;
    q.top = 3000, q.one_per_cost = 0;
    check_all(q);
    q.src = ct_layout2(16, 32, 1, 18);
    check_all(q);
    q = half_query(12, 40, 96, CT_READ_COLS); /* instructions that are not alike */
    q.src = ct_layout2(12, 40, 44, 1);
    q.top = 0;
    q.one_per_cost = 1;
    check_all(q);
    q = half_query(16, 32, 32, CT_READ_ROWS);
    q.elem_bits = 32;
    q.src = ct_layout2(16, 32, 32, 1);
    q.top = 0;
    q.one_per_cost = 1;
    q.has_dst = 1;
    q.dst = ct_layout2(16, 32, 1, 16);
    check_all(q);
}

/* The best of a list is the same however long it is, and one per cost keeps the first of each. */
TEST(lists_agree)
{
    ct_suggest_query q = half_query(32, 32, 64, CT_READ_COLS);
    ct_suggest_result all, some, costs;
    q.top = 0;
    assert_int_equal(ct_suggest(&q, &all), 0);
    q.one_per_cost = 1;
    assert_int_equal(ct_suggest(&q, &costs), 0);
    q.one_per_cost = 0;
    for (q.top = 1; q.top <= 200; q.top = q.top * 2 + 1) {
        assert_int_equal(ct_suggest(&q, &some), 0);
        assert_int_equal(some.count, q.top);
        for (int i = 0; i < some.count; ++i)
            assert_memory_equal(&some.item[i], &all.item[i], sizeof all.item[i]);
        ct_suggest_free(&some);
    }
    int k = 0;
    for (int i = 0; i < all.count; ++i) {
        if (i > 0 && by_rank(&all.item[i - 1], &all.item[i]) == 0) continue;
        assert_true(k < costs.count);
        assert_memory_equal(&costs.item[k++], &all.item[i], sizeof all.item[i]);
    }
    assert_int_equal(k, costs.count);
    ct_suggest_free(&all);
    ct_suggest_free(&costs);
}

/* ---- known answers --------------------------------------------------------------------------- */

TEST(known_choices)
{
    char text[CT_TEXT_BYTES];
    ct_suggest_result r;
    ct_suggest_query q = half_query(128, 64, 128, CT_READ_LDMATRIX);
    assert_int_equal(ct_suggest(&q, &r), 0);
    assert_true(r.optimal && r.item[0].in.kind == CT_ATOM_CP_ASYNC_CG);
    ct_format_tensor(text, sizeof text, r.item[0].shared);
    assert_string_equal(text, "Sw<3,3,3> o 0 o (128,64):(64,1)");
    const ct_suggest_cost want = {512, 256, 64, 16384, 128, 128};
    assert_memory_equal(&r.item[0].cost, &want, sizeof want);
    assert_memory_equal(&r.least, &want, sizeof want);
    ct_suggest_free(&r);
    q.read = CT_READ_ROWS; /* nothing to swizzle for */
    q.no_cp_async = 1;
    assert_int_equal(ct_suggest(&q, &r), 0);
    assert_true(r.optimal && r.item[0].shared.swizzle.bits == 0);
    assert_int_equal(r.item[0].cost.instructions, 96);
    ct_suggest_free(&r);
    q.src = ct_layout2(256, 256, 257, 1); /* rows of an odd number of halves: one at a time */
    assert_int_equal(ct_suggest(&q, &r), 0);
    assert_int_equal(r.item[0].in.bits, 16);
    assert_int_equal(r.placements, 1); /* 128 of them are whole sectors again */
    ct_suggest_free(&r);
    q.tile_m = 4, q.tile_n = 64;
    assert_int_equal(ct_suggest(&q, &r), 0);
    assert_int_equal(r.placements, 4);
    ct_suggest_free(&r);
    q.src = ct_make_col_major(ct_tuple2(256, 256));
    q.src_align_bytes = 8;
    q.read = CT_READ_COLS;
    q.tile_m = q.tile_n = 64;
    assert_int_equal(ct_suggest(&q, &r), 0);
    assert_int_equal(r.item[0].in.bits, 64);
    assert_int_equal(r.placements, 4);
    ct_suggest_free(&r);
}

/* The query is refused with a status, by this line. */
static void refused(ct_suggest_query q, ct_status status, const char *line)
{
    ct_suggest_result r;
    assert_int_equal(ct_suggest(&q, &r), status);
    assert_null(r.item);
    assert_string_equal(r.message, line);
}

TEST(complaints_about_sizes)
{
    const ct_suggest_query good = half_query(64, 64, 128, CT_READ_ROWS);
    ct_suggest_query q = good;
    q.elem_bits = 24;
    refused(q, CT_E_ARGUMENT, "an element has 8, 16, 32, 64 or 128 bits, not 24");
    q = good, q.threads = 100;
    refused(q, CT_E_ARGUMENT, "100 threads; a block has a multiple of 32, at most 1024");
    q = good, q.threads = 2048;
    refused(q, CT_E_ARGUMENT, "2048 threads; a block has a multiple of 32, at most 1024");
    q = good, q.threads = 96;
    refused(q, CT_E_NO_LAYOUT,
            "no layout of 96 threads, each with as many elements, covers a tile of 64 x 64");
    q = good, q.tile_m = 0;
    refused(q, CT_E_ARGUMENT, "a tile of 0 x 64; it has 1 to 65536 elements");
    q = good, q.tile_m = 4096;
    refused(q, CT_E_ARGUMENT, "a tile of 4096 x 64; it has 1 to 65536 elements");
    q = good, q.shared_bytes = 4096;
    refused(q, CT_E_NO_LAYOUT, "the tile takes 8192 bytes of shared memory, more than 4096");
}

TEST(complaints_about_reads)
{
    const ct_suggest_query good = half_query(64, 64, 128, CT_READ_ROWS);
    ct_suggest_query q = good;
    q.read = 9;
    refused(q, CT_E_ARGUMENT, "there is no read 9");
    q = good, q.read_bits = 8;
    refused(q, CT_E_ARGUMENT,
            "a read of 8 bits: along rows or columns it has the bits of one element, 16, to 128; "
            "ldmatrix has its own");
    q = good, q.read = CT_READ_LDMATRIX, q.tile_m = 12;
    refused(q, CT_E_ARGUMENT,
            "ldmatrix reads 8 rows of 16 bytes at a time, which do not divide a tile of 12 x 64; "
            "take one of 16 x 64, or read rows");
    q = good, q.read = CT_READ_LDMATRIX_TRANS, q.elem_bits = 32;
    refused(q, CT_E_ARGUMENT, "ldmatrix.trans takes elements of 16 bits, not 32");
}

TEST(complaints_about_layouts)
{
    const ct_suggest_query good = half_query(64, 64, 128, CT_READ_ROWS);
    ct_suggest_query q = good;
    q.src = rows(32, 256);
    refused(q, CT_E_ARGUMENT,
            "mode 0 of the source has 32 elements, which a tile of 64 does not divide");
    q = good, q.src = ct_make_col_major(ct_tuple3(64, 64, 2));
    refused(q, CT_E_ARGUMENT, "the source has 3 modes; a matrix has two, with integer strides");
    q = good, q.src_align_bytes = 1;
    refused(q, CT_E_ARGUMENT,
            "the source is aligned to 1 bytes; an element of 2 bytes needs a power of two of at "
            "least that");
    q = good, q.src = ct_make_layout2(ct_layout2(48, 4, 1, 100), ct_layout1(256, 500));
    refused(
        q, CT_E_NO_LAYOUT,
        "the source does not fall into tiles: composition: mode 0 of B has shape 64: of 64 steps "
        "mode 0 of A coalesced takes 48 at a time, and 64 is not a multiple of 48; the last end "
        "inside the next mode");
    q = good, q.has_dst = 1, q.dst = ct_layout2(64, 64, 1, 1);
    refused(q, CT_E_ARGUMENT, "the destination reaches one element twice");
}

/* The suggestion is not written as code, by this line. */
static void unwritten(ct_suggest_query q, const ct_suggestion *s, int is_program, const char *line)
{
    static char text[1 << 16];
    char message[CT_MESSAGE_BYTES] = "";
    const int length = is_program ? ct_suggest_program(text, sizeof text, &q, s, "a tile", message)
                                  : ct_suggest_as_c(text, sizeof text, &q, s, message);
    assert_int_equal(length, -1);
    assert_string_equal(message, line);
}

TEST(complaints_about_code)
{
    const ct_suggest_query good = half_query(64, 64, 128, CT_READ_ROWS);
    ct_suggest_query q = good;
    ct_suggest_result r;
    q.src = ct_make_row_major(ct_tuple2((int64_t)1 << 32, 64));
    assert_int_equal(ct_suggest(&q, &r), 0);
    unwritten(q, r.item, 1,
              "mode 0 of the source has 4294967296 elements; a program takes 2147483647 at most");
    q.src = ct_layout2(64, 64, -64, 1);
    unwritten(q, r.item, 1,
              "mode 0 of the source has the stride -64; a program takes none below 0");
    q = good, q.has_dst = 1, q.dst = rows(128, 256);
    unwritten(q, r.item, 0, "mode 0 of the source has 256 elements, that of the destination 128");
    q = good, q.src = ct_make_layout2(ct_layout2(64, 4, 1, 100), ct_layout1(256, 500));
    unwritten(q, r.item, 0,
              "mode 0 of the source is (64,4):(1,100); a kernel takes one stride a mode");
    q = good, q.read = CT_READ_LDMATRIX, q.tile_m = 12; /* the suggestion of another query */
    unwritten(q, r.item, 0,
              "the read of 12 x 64 by accesses of 128 bits is not a layout of threads and values");
    q = good, q.elem_bits = 128, r.item->read_bits = 64;
    unwritten(
        q, r.item, 0,
        "a suggestion of another query: it moves 64 bits at a time, and an element of this one "
        "has 128");
    r.item->read_bits = 128;
    q = good, q.tile_m = 256, q.tile_n = 256, q.threads = 64;
    unwritten(
        q, r.item, 0,
        "each of 64 threads reads 512 words of registers; a copy holds at most 256: take more "
        "threads or a smaller tile");
    ct_suggest_free(&r);
}

GROUP("suggest_results", NULL, NULL)
