/* The traffic of tiled copies against the CPU grid: every variant, order and size of elements,
 * whole and ragged matrices. The instructions are the same, lane by lane, and so are the sums. */
#include "test.h"

#include "compare/launch.h"
#include <cutlet/host/traffic.h>
#include "kernels/variants.h"

enum {
    TILE = CT_COPY_TILE,
    RECORDS = 1 << 17,
    CAPACITY = 1 << 20,
    SOURCE = 0,
    DESTINATION = 1,
    SHARED_IN = 2,
    SHARED_OUT = 3
};

/* One instruction, as the grid or the model has it. */
typedef struct record {
    int64_t block_m, block_n; /* the tile of the block */
    int32_t warp, place;      /* place: SOURCE .. SHARED_OUT */
    int32_t kind, bits;
    int64_t offset[32];
    ct_access_count count;
} record;

typedef struct records {
    record *item;
    int count;
} records;

static records from_grid, from_model;

static int order_of(const void *a, const void *b) { return memcmp(a, b, sizeof(record)); }

static void keep(records *to, const record *r)
{
    if (to->count == RECORDS) fail_msg("more than %d instructions", RECORDS);
    to->item[to->count++] = *r;
}

/* ---- the grid -------------------------------------------------------------------------------- */

static void on_request(void *user, const ct_grid_request *q)
{
    const int row_major = *(const int *)user;
    record r;
    if (q->count.lanes == 0) return;
    memset(&r, 0, sizeof r);
    r.block_m = row_major ? q->block.y : q->block.x;
    r.block_n = row_major ? q->block.x : q->block.y;
    r.warp = q->warp;
    r.kind = q->kind;
    r.bits = q->bits;
    r.place = q->buffer >= 0 ? q->buffer : q->kind == CT_ACCESS_STS ? SHARED_IN : SHARED_OUT;
    memcpy(r.offset, q->offset, sizeof r.offset);
    r.count = q->count;
    keep(&from_grid, &r);
}

static void run_grid(const ct_copy_launch *l, int64_t bytes[2])
{
    int row_major = l->src.row_major;
    const ct_grid_buffer buffers[] = {{"src", (void *)l->src.data, (size_t)bytes[0], 0, 0},
                                      {"dst", (void *)l->dst.data, (size_t)bytes[1], 1, 0}};
    const ct_grid_options options = {.buffers = buffers,
                                     .buffer_count = 2,
                                     .no_global_races = 1,
                                     .on_request = on_request,
                                     .user = &row_major};
    ct_grid_report report;
    if (ct_grid_launch(l->kernel, l->grid, l->block, l->shared_bytes, &l->args,
                       l->kernel->args_bytes, &options, &report))
        fail_msg("%s", report.message);
    ct_grid_report_free(&report);
}

/* ---- the model ------------------------------------------------------------------------------- */

/* Which place a side of the copy is, and where its tiles are. */
typedef struct told {
    int32_t place[2];
    int64_t tiles_m, block_m, block_n;
    int64_t steps;
} told;

static void on_step(void *user, const ct_traffic_step *s)
{
    told *t = user;
    record r;
    memset(&r, 0, sizeof r);
    r.block_m = s->tile % t->tiles_m * t->block_m / TILE;
    r.block_n = s->tile / t->tiles_m * t->block_n / TILE;
    r.warp = s->warp;
    r.place = t->place[s->side];
    r.kind = s->access.kind;
    r.bits = s->access.bits;
    memcpy(r.offset, s->access.offset, sizeof r.offset);
    r.count = s->count;
    ++t->steps;
    keep(&from_model, &r);
}

static ct_traffic_side side_of(int kind, int elem_bytes, ct_layout memory)
{
    return (ct_traffic_side){.kind = kind,
                             .elem_bits = 8 * elem_bytes,
                             .memory = ct_make_swizzled(ct_swizzle_none(), 0, memory)};
}

static ct_layout matrix_layout(const ct_matrix *m)
{
    return ct_layout2(m->rows, m->cols, m->row_major ? m->ld : 1, m->row_major ? 1 : m->ld);
}

static int load_kind(int atom)
{
    return atom == CT_ATOM_UNIVERSAL     ? CT_ACCESS_LDG
           : atom == CT_ATOM_CP_ASYNC_CA ? CT_ACCESS_LDGSTS
                                         : CT_ACCESS_LDGSTS_CG;
}

static void add_count(ct_traffic *sum, const ct_access_count *c)
{
    const ct_traffic one = {
        1,        c->lanes,     c->requests,  c->sectors,    c->lines,       c->wavefronts,
        c->ideal, c->conflicts, c->broadcast, c->bytes_used, c->bytes_moved, 0};
    ct_traffic_add(sum, &one);
}

/* One way of the copy by the model; sums with and without a visitor agree. */
static void run_way(const ct_copy_launch *l, const ct_copy_atom *atom, const ct_traffic_side *src,
                    const ct_traffic_side *dst, int src_place, int dst_place)
{
    const ct_tiled_copy copy = ct_make_tiled_copy(*atom, l->thr, l->val);
    const ct_tuple block = ct_tiled_copy_shape(copy), shape = ct_tuple2(l->src.rows, l->src.cols);
    ct_traffic sum[2], again[2], counted = {0}, told_of = {0};
    char message[CT_MESSAGE_BYTES] = "";
    told t = {{src_place, dst_place},
              ct_ceil_div_int(l->src.rows, block.value[0]),
              block.value[0],
              block.value[1],
              0};
    const int first = from_model.count;
    if (ct_traffic_of_copy(copy, shape, src, dst, NULL, on_step, &t, &sum[0], &sum[1], message))
        fail_msg("%s", message);
    if (ct_traffic_of_copy(copy, shape, src, dst, NULL, NULL, NULL, &again[0], &again[1], message))
        fail_msg("%s", message);
    assert_memory_equal(sum, again, sizeof sum);
    assert_int_equal(sum[0].instructions + sum[1].instructions, t.steps);
    for (int i = first; i < from_model.count; ++i) add_count(&told_of, &from_model.item[i].count);
    ct_traffic_add(&counted, &sum[0]);
    ct_traffic_add(&counted, &sum[1]);
    assert_memory_equal(&counted, &told_of, sizeof counted);
}

/* The grid counts a cp.async by both sides: the model's two records of one have their part of that. */
static void count_together(record *from, record *to)
{
    ct_access both = {.kind = from->kind, .bits = from->bits};
    memcpy(both.offset, from->offset, sizeof both.offset);
    memcpy(both.shared, to->offset, sizeof both.shared);
    for (int t = 0; t < 32; ++t)
        if ((from->offset[t] == CT_LANE_OFF) != (to->offset[t] == CT_LANE_OFF)) return;
    const ct_access_count count = ct_count_access_by(NULL, &both, NULL);
    from->count.sectors = count.sectors;
    to->count.wavefronts = count.wavefronts;
    to->count.conflicts = count.conflicts;
}

static void run_model(const ct_copy_launch *l, const ct_copy_variant *v)
{
    const int e = l->src.elem_bytes, bits = 8 * l->access_bytes;
    const ct_layout tile =
        l->src.row_major ? ct_layout2(TILE, TILE, TILE, 1) : ct_layout2(TILE, TILE, 1, TILE);
    const ct_copy_atom out = ct_copy_atom_universal(bits, 8 * e);
    const ct_copy_atom in = ct_variant_atom(v->how, l->access_bytes, e);
    const ct_traffic_side src = side_of(load_kind(in.kind), e, matrix_layout(&l->src));
    const ct_traffic_side dst = side_of(CT_ACCESS_STG, e, matrix_layout(&l->dst));
    const ct_traffic_side to = side_of(CT_ACCESS_STS, e, tile);
    const ct_traffic_side of = side_of(CT_ACCESS_LDS, e, tile);
    run_way(l, &in, &src, &to, SOURCE, SHARED_IN);
    for (int i = 0; i + 1 < from_model.count && in.kind != CT_ATOM_UNIVERSAL; ++i) {
        record *const r = &from_model.item[i];
        if (r[0].place == SOURCE && r[1].place == SHARED_IN) count_together(&r[0], &r[1]);
    }
    run_way(l, &out, &of, &dst, SHARED_OUT, DESTINATION);
}

/* ---- both ------------------------------------------------------------------------------------ */

/* Leaves what is compared: shared memory only where each tile is whole, for the kernels fill a
 * ragged one with zeros, and read it whole. */
static void select_places(records *r, int whole)
{
    int n = 0;
    for (int i = 0; i < r->count; ++i) {
        if (whole || r->item[i].place <= DESTINATION) r->item[n++] = r->item[i];
    }
    r->count = n;
    qsort(r->item, (size_t)n, sizeof *r->item, order_of);
}

static int64_t leading(int64_t inner, int e) { return (inner * e + 31) / 32 * 32 / e; }

/* 0 where the accesses of the kernel are narrower than the plan's: the model does not apply. */
static int check_case(const ct_copy_variant *v, int row_major, int e, int64_t rows, int64_t cols,
                      unsigned char *memory)
{
    char error[CT_MESSAGE_BYTES];
    ct_copy_launch l;
    const int64_t ld = leading(row_major ? cols : rows, e), outer = row_major ? rows : cols;
    const ct_matrix src = {memory, rows, cols, ld, row_major, e};
    ct_matrix dst = src;
    int64_t bytes[2] = {ld * outer * e, (ld + 32) * outer * e};
    dst.data = memory + CAPACITY / 2;
    dst.ld = ld + 32;
    assert_true(bytes[1] <= CAPACITY / 2);
    if (ct_copy_launch_make(&l, v, &src, &dst, 0, 0, error)) fail_msg("%s: %s", v->name, error);
    if (l.load.bytes != l.access_bytes || l.store.bytes != l.access_bytes) return 0;
    from_grid.count = from_model.count = 0;
    run_grid(&l, bytes);
    run_model(&l, v);
    const int whole = rows % TILE == 0 && cols % TILE == 0;
    select_places(&from_grid, whole);
    select_places(&from_model, whole);
    int k = 0;
    while (k < from_grid.count && k < from_model.count &&
           order_of(&from_grid.item[k], &from_model.item[k]) == 0)
        ++k;
    if (k == from_grid.count && k == from_model.count) return 1;
    const record *g = &from_grid.item[k], *m = &from_model.item[k];
    fail_msg("%s, %s-major, %lld x %lld of %d bytes: %d and %d instructions; number %d is on the "
             "grid block (%lld,%lld) warp %d place %d kind %d bits %d lane 0 at %lld, in the model "
             "(%lld,%lld) %d %d %d %d %lld",
             v->name, row_major ? "row" : "column", (long long)rows, (long long)cols, e,
             from_grid.count, from_model.count, k, (long long)g->block_m, (long long)g->block_n,
             g->warp, g->place, g->kind, g->bits, (long long)g->offset[0], (long long)m->block_m,
             (long long)m->block_n, m->warp, m->place, m->kind, m->bits, (long long)m->offset[0]);
    return 0;
}

TEST(test_variants)
{
    static const int64_t shapes[][2] = {{64, 64}, {128, 64}, {64, 128}, {1, 1},   {65, 70},
                                        {7, 100}, {100, 9},  {63, 63},  {72, 130}};
    int count = 0, checked = 0, left_out = 0;
    const ct_copy_variant *all = ct_copy_variants(&count);
    unsigned char *memory = aligned_alloc(256, CAPACITY);
    from_grid.item = calloc(RECORDS, sizeof(record));
    from_model.item = calloc(RECORDS, sizeof(record));
    assert_true(memory && from_grid.item && from_model.item);
    memset(memory, 1, CAPACITY);
    for (int i = 0; i < count; ++i) {
        if (all[i].how == CT_COPY_BEST) continue;
        for (int e = 1; e <= 16; e *= 2) {
            for (int row_major = 0; row_major < 2; ++row_major) {
                for (size_t s = 0; s < sizeof shapes / sizeof *shapes; ++s) {
                    if (check_case(&all[i], row_major, e, shapes[s][0], shapes[s][1], memory))
                        ++checked;
                    else ++left_out;
                }
            }
        }
    }
    print_message("%d copies agree instruction by instruction\n", checked);
    assert_int_equal(left_out, 0);
    assert_int_equal(checked, (count - 1) * 5 * 2 * (int)(sizeof shapes / sizeof *shapes));
    free(memory);
    free(from_grid.item);
    free(from_model.item);
}

/* ---- matrices -------------------------------------------------------------------------------- */

/* The rows of an instruction, as a plain formula has them. */
typedef struct rows {
    int matrices, trans, ld;
    ct_swizzle swizzle;
    int64_t steps;
} rows;

static void on_rows(void *user, const ct_traffic_step *s)
{
    rows *r = user;
    const int n = r->matrices;
    for (int lane = 0; lane < 32; ++lane) {
        const int i = lane / 8, row = lane % 8;
        const int m = r->trans ? 2 * n * (row / 2) + 2 * i + row % 2 : n * row + i;
        const int64_t element = ct_swizzle_apply(r->swizzle, m * r->ld + 8 * s->tile);
        assert_int_equal(s->access.offset[lane], i < n ? 2 * element : CT_LANE_OFF);
    }
    assert_int_equal(s->count.lanes, 8 * n);
    ++r->steps;
}

TEST(test_matrices)
{
    char message[CT_MESSAGE_BYTES];
    ct_traffic sum;
    for (int n = 1; n <= 4; n *= 2) {
        for (int form = 0; form < 4; ++form) {
            for (int ld = 64; ld <= 72; ld += 8) {
                for (int swizzled = 0; swizzled < 2; ++swizzled) {
                    const int trans = form % 2, store = form / 2;
                    const ct_copy_atom atom = ct_copy_atom_matrix(
                        store   ? trans ? CT_ATOM_STMATRIX_TRANS : CT_ATOM_STMATRIX
                        : trans ? CT_ATOM_LDMATRIX_TRANS
                                : CT_ATOM_LDMATRIX,
                        n, 16);
                    const ct_tiled_copy copy =
                        trans ? ct_make_tiled_copy(atom, ct_layout2(4, 8, 1, 4),
                                                   ct_layout2(2 * n, 1, 1, 1))
                              : ct_make_tiled_copy(atom, ct_layout2(8, 4, 4, 1),
                                                   ct_layout2(n, 2, 2, 1));
                    rows r = {n, trans, ld, ct_make_swizzle(swizzled ? 3 : 0, 3, 3), 0};
                    ct_traffic_side side = side_of(store ? CT_ACCESS_STSM : CT_ACCESS_LDSM, 2,
                                                   ct_layout2(8 * n, 64, ld, 1));
                    side.memory.swizzle = r.swizzle;
                    if (ct_traffic_of_copy(copy, ct_tuple2(8 * n, 64), store ? NULL : &side,
                                           store ? &side : NULL, NULL, on_rows, &r, &sum, &sum,
                                           message))
                        fail_msg("x%d form %d: %s", n, form, message);
                    assert_int_equal(r.steps, 8);
                    assert_int_equal(sum.ideal, 8 * n);
                }
            }
        }
    }
}

/* ---- cp.async -------------------------------------------------------------------------------- */

static void on_async(void *user, const ct_traffic_step *s)
{
    static int64_t shared[32];
    int *steps = user;
    assert_int_equal(s->piece, -1);
    if (s->side == 0) memcpy(shared, s->access.shared, sizeof shared);
    if (s->side == 1) assert_memory_equal(shared, s->access.offset, sizeof shared);
    assert_int_equal(s->access.kind, s->side ? CT_ACCESS_STS : CT_ACCESS_LDGSTS);
    *steps += 1;
}

/* The source's instruction says where it writes to, and that is the destination's. An access
 * of which one element is inside remains one, filled with zeros. */
TEST(test_async)
{
    char message[CT_MESSAGE_BYTES];
    for (int bits = 32; bits <= 128; bits *= 2) {
        int steps = 0;
        ct_traffic sum[2];
        const ct_copy_atom atom = ct_copy_atom_cp_async(CT_ATOM_CP_ASYNC_CA, bits, 16);
        const ct_tiled_copy copy =
            ct_make_tiled_copy(atom, ct_layout2(8, 4, 4, 1), ct_layout2(1, bits / 16, 1, 1));
        const ct_traffic_side src = side_of(CT_ACCESS_LDGSTS, 2, ct_layout2(8, 65, 72, 1));
        ct_traffic_side dst = side_of(CT_ACCESS_STS, 2, ct_layout2(8, bits / 4, bits / 4, 1));
        dst.memory.swizzle = ct_make_swizzle(1, 3, 3);
        dst.base_bytes = 2048;
        if (ct_traffic_of_copy(copy, ct_tuple2(8, 65), &src, &dst, NULL, on_async, &steps, &sum[0],
                               &sum[1], message))
            fail_msg("%s", message);
        assert_int_equal(steps, 2 * (64 / (bits / 4) + 1));
        assert_int_equal(sum[0].bytes_used, 8 * 64 * 2 + 8 * bits / 8);
        assert_int_equal(sum[0].lanes, 8 * 64 / (bits / 16) + 8);
        assert_int_equal(sum[1].lanes, sum[0].lanes);
    }
}

/* ---- what is no access ----------------------------------------------------------------------- */

static void refused(ct_layout tv, int kind, int bits, int elem_bytes, ct_tensor memory,
                    int64_t base, ct_status status, const char *message)
{
    char got[CT_MESSAGE_BYTES] = "";
    const ct_traffic none = {0};
    ct_traffic sum = {.lanes = 1};
    ct_traffic_side side = {kind, 8 * elem_bytes, base, memory};
    assert_int_equal(ct_traffic_of_tv(tv, &side, bits, NULL, NULL, NULL, &sum, got), status);
    assert_string_equal(got, message);
    assert_memory_equal(&sum, &none, sizeof sum);
    assert_int_equal(ct_traffic_of_tv(tv, &side, bits, NULL, NULL, NULL, &sum, NULL), status);
}

static ct_tensor plain(ct_layout L) { return ct_make_swizzled(ct_swizzle_none(), 0, L); }

TEST(test_refused_tv)
{
    const ct_layout tv = ct_layout2(32, 8, 8, 1);
    const ct_tensor line = plain(ct_layout1(256, 1));
    const ct_tensor cut = ct_make_swizzled(ct_make_swizzle(2, 2, 4), 0, line.layout);
    ct_tensor negative = line;
    negative.layout = ct_layout1(256, -1);
    refused(tv, CT_ACCESS_LDS, 128, 2, line, 8, CT_E_ARGUMENT,
            "thread 0: the access at value 0 begins at byte 8, not a multiple of its 16 bytes");
    refused(tv, CT_ACCESS_LDS, 128, 2, plain(ct_layout1(256, 2)), 0, CT_E_ARGUMENT,
            "thread 0: the values of an access of 128 bits are not contiguous: value 0 is element "
            "0, value 1 element 2");
    refused(tv, CT_ACCESS_LDS, 128, 2, cut, 0, CT_E_ARGUMENT,
            "thread 8: the swizzle Sw<2,2,4> cuts its access of 128 bits: value 3 is element 71, "
            "value 4 element 64");
    refused(tv, CT_ACCESS_LDS, 128, 2, negative, 0, CT_E_DOMAIN,
            "the memory reaches element -255, below 0");
    refused(tv, CT_ACCESS_LDS, 128, 2, plain(ct_layout1(255, 1)), 0, CT_E_DOMAIN,
            "the thread-value layout reaches index 255; there are 255");
    refused(ct_layout1(256, 1), CT_ACCESS_LDS, 128, 2, line, 0, CT_E_ARGUMENT,
            "a thread-value layout has two modes with integer strides; this one has rank 1");
    refused(ct_layout2(32, 6, 8, 1), CT_ACCESS_LDS, 128, 2, line, 0, CT_E_ARGUMENT,
            "a thread has 6 values of 16 bits, not a multiple of the 8 that an access of 128 "
            "bits takes");
    refused(tv, CT_ACCESS_LDS, 256, 2, line, 0, CT_E_ARGUMENT, "there is no LDS of 256 bits");
    refused(tv, CT_ACCESS_LDGSTS, 16, 2, line, 0, CT_E_ARGUMENT, "there is no LDGSTS of 16 bits");
    refused(tv, CT_ACCESS_LDS, 8, 2, line, 0, CT_E_ARGUMENT,
            "an access of 8 bits is not a whole number of elements of 16");
    refused(tv, CT_ACCESS_LDS, 128, 3, line, 0, CT_E_ARGUMENT,
            "elements of 24 bits; they have 8, 16, 32, 64 or 128");
    refused(tv, CT_ACCESS_LDS, 128, 2, line, -1, CT_E_ARGUMENT,
            "the base is -1 bytes; it is at least 0");
    refused(tv, 77, 128, 2, line, 0, CT_E_ARGUMENT, "there is no kind of access 77");
    refused(ct_layout2(24, 8, 8, 1), CT_ACCESS_LDSM, 128, 2, line, 0, CT_E_ARGUMENT,
            "24 threads give the addresses of rows; a warp gives 8, 16 or 32");
    refused(tv, CT_ACCESS_LDS, 128, 2, line, INT64_MAX - 7, CT_E_OVERFLOW,
            "the addresses do not fit in 64 bits");
    refused(tv, CT_ACCESS_LDS, 128, 2, ct_make_tensor(ct_make_identity_layout(ct_tuple1(256))), 0,
            CT_E_ARGUMENT, "the memory has basis strides; an address is an integer");
    negative.layout = ct_layout1(0, 1);
    refused(tv, CT_ACCESS_LDS, 128, 2, negative, 0, CT_E_ARGUMENT, "the memory is not a layout");
}

static void refused_copy(ct_tiled_copy copy, ct_tuple shape, const ct_traffic_side *src,
                         const ct_traffic_side *dst, ct_status status, const char *message)
{
    char got[CT_MESSAGE_BYTES] = "";
    ct_traffic sum[2];
    assert_int_equal(
        ct_traffic_of_copy(copy, shape, src, dst, NULL, NULL, NULL, &sum[0], &sum[1], got), status);
    assert_string_equal(got, message);
}

TEST(test_refused_copy)
{
    const ct_layout thr = ct_layout2(16, 8, 8, 1), val = ct_layout2(1, 8, 1, 1);
    const ct_tiled_copy wide = ct_make_tiled_copy(ct_copy_atom_universal(128, 16), thr, val);
    const ct_tiled_copy async =
        ct_make_tiled_copy(ct_copy_atom_cp_async(CT_ATOM_CP_ASYNC_CG, 128, 16), thr, val);
    const ct_tiled_copy rows = ct_make_tiled_copy(ct_copy_atom_matrix(CT_ATOM_LDMATRIX, 1, 16),
                                                  ct_layout2(8, 4, 4, 1), ct_layout2(1, 2, 1, 1));
    const ct_traffic_side good = side_of(CT_ACCESS_LDG, 2, ct_layout2(64, 64, 64, 1));
    const ct_traffic_side matrix = side_of(CT_ACCESS_LDSM, 2, ct_layout2(64, 64, 64, 1));
    ct_traffic_side s = good;
    refused_copy(async, ct_tuple2(64, 64), &good, NULL, CT_E_ARGUMENT,
                 "source: LDG is not what the atom does there; it is LDGSTS.BYPASS");
    refused_copy(wide, ct_tuple2(64, 64), NULL, &good, CT_E_ARGUMENT,
                 "destination: LDG is not what the atom does there; it is STG or STS");
    refused_copy(rows, ct_tuple2(64, 64), NULL, &matrix, CT_E_ARGUMENT,
                 "destination: this side of the atom is registers");
    refused_copy(rows, ct_tuple2(63, 64), &matrix, NULL, CT_E_ARGUMENT,
                 "source: thread 7: its row lies beyond the tensor; ldmatrix and stmatrix take "
                 "whole matrices");
    refused_copy(wide, ct_tuple1(64), &good, NULL, CT_E_ARGUMENT,
                 "the tile has 2 modes, and the tensor 1");
    refused_copy(wide, ct_tuple3(64, 64, 2), &good, NULL, CT_E_ARGUMENT,
                 "source: the memory has 2 modes, and the tensor 3");
    s.memory.layout = ct_layout2(64, 96, 96, 1);
    refused_copy(wide, ct_tuple2(64, 160), &s, NULL, CT_E_ARGUMENT,
                 "source: mode 1 of the memory has 96, less than the tensor's 160 and not a "
                 "multiple of the tile's 64");
    s.elem_bits = 32;
    refused_copy(wide, ct_tuple2(64, 64), &s, NULL, CT_E_ARGUMENT,
                 "source: elements of 32 bits, and the atom has values of 16");
    refused_copy(ct_make_bulk_copy(ct_copy_atom_tile(CT_ATOM_BULK_LOAD, 16)), ct_tuple2(64, 64),
                 &good, NULL, CT_E_ARGUMENT,
                 "source: the accesses of one thread that moves a whole tile are not counted");
    ct_tiled_copy separate = wide;
    separate.tiler = ct_tiler2(ct_layout1(16, 2), ct_layout1(64, 1));
    refused_copy(separate, ct_tuple2(64, 64), &good, NULL, CT_E_ARGUMENT,
                 "mode 0: the elements of the tile are not next to each other");
}

GROUP("traffic", NULL, NULL)
