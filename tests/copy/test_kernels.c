/* The kernels of the tiled copy against plain loops: any extents, leading dimensions, alignments and
 * element sizes, on the CPU grid. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cutlet/device/copy/copy.h>
#include "compare/launch.h"
#include <cutlet/device/kernel/static.h>
#include <cutlet/device/staged/whole_tiles.h>

enum { CASES = 700, CAPACITY = 1 << 20, SHIFT_MAX = 16 };

static uint64_t seed = 20240229;

static int64_t any(int64_t low, int64_t high)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return low + (int64_t)((seed >> 33) % (uint64_t)(high - low + 1));
}

static unsigned char *capacity(void)
{
    unsigned char *p = aligned_alloc(256, CAPACITY);
    assert_non_null(p);
    for (int i = 0; i < CAPACITY; ++i) p[i] = (unsigned char)any(0, 255);
    return p;
}

/* ---- every kernel ----------------------------------------------------------------------------- */

/* One copy: where the matrices lie, and what the launch makes of it. */
typedef struct copy_case {
    const ct_copy_variant *variant;
    ct_matrix src, dst;
    int64_t tile_m, tile_n;
} copy_case;

static int64_t inner_of(const ct_matrix *m) { return m->row_major ? m->cols : m->rows; }
static int64_t outer_of(const ct_matrix *m) { return m->row_major ? m->rows : m->cols; }

static void describe(const copy_case *c, const ct_copy_launch *l, const char *what)
{
    print_message(
        "%s: %s, %s-major, %lld x %lld of %d bytes, ld %lld and %lld, address mod 256 %d and %d, tile "
        "%lld x %lld, accesses of %d and %d bytes\n",
        what, c->variant->name, c->src.row_major ? "row" : "column", (long long)c->src.rows,
        (long long)c->src.cols, c->src.elem_bytes, (long long)c->src.ld, (long long)c->dst.ld,
        (int)((uintptr_t)c->src.data % 256), (int)((uintptr_t)c->dst.data % 256),
        (long long)c->tile_m, (long long)c->tile_n, l->load.bytes, l->store.bytes);
}

/* Runs the kernel with the destination as the only thing that it may write. */
static int run(const ct_copy_launch *l, const copy_case *c, char *message, size_t size)
{
    const int64_t span = (outer_of(&c->src) - 1), e = c->src.elem_bytes;
    const ct_grid_buffer buffers[] = {
        {"src", (void *)c->src.data, (size_t)((span * c->src.ld + inner_of(&c->src)) * e), 0,
         (int32_t)((uintptr_t)c->src.data % 256)},
        {"dst", (void *)c->dst.data, (size_t)((span * c->dst.ld + inner_of(&c->dst)) * e), 1,
         (int32_t)((uintptr_t)c->dst.data % 256)}};
    const ct_grid_options options = {.buffers = buffers, .buffer_count = 2};
    ct_grid_report report;
    const int status = ct_grid_launch(l->kernel, l->grid, l->block, l->shared_bytes, &l->args,
                                      l->kernel->args_bytes, &options, &report);
    snprintf(message, size, "%s", report.message);
    ct_grid_report_free(&report);
    return status;
}

/* The reference: what memory should look like afterwards. */
static void copy_plainly(const copy_case *c, unsigned char *expected, const unsigned char *memory)
{
    const size_t first = (size_t)((const unsigned char *)c->dst.data - memory);
    const int64_t e = c->src.elem_bytes;
    for (int64_t o = 0; o < outer_of(&c->src); ++o)
        for (int64_t i = 0; i < inner_of(&c->src) * e; ++i)
            expected[first + (size_t)(o * c->dst.ld * e + i)] =
                ((const unsigned char *)c->src.data)[o * c->src.ld * e + i];
}

static copy_case random_case(const ct_copy_variant *all, int count, unsigned char *from,
                             unsigned char *to)
{
    copy_case c;
    memset(&c, 0, sizeof c);
    c.variant = &all[any(0, count - 1)];
    const int32_t e = 1 << any(0, 4);
    const int row_major = (int)any(0, 1), unaligned = (int)any(0, 2);
    const int64_t unit =
        unaligned == 0 ? 1 : 16 / e; /* two of three are aligned as far as the extents go */
    const int64_t inner = any(1, any(0, 3) ? 140 : 9), outer = any(1, any(0, 3) ? 140 : 5);
    c.src =
        (ct_matrix){from, row_major ? outer : inner, row_major ? inner : outer, 0, row_major, e};
    c.dst = c.src;
    c.src.ld = (inner + any(0, 24) + unit - 1) / unit * unit;
    c.dst.ld = (inner + any(0, 24) + unit - 1) / unit * unit;
    c.src.data = from + any(0, SHIFT_MAX / unit) * unit * e;
    c.dst.data = to + 512 + any(0, SHIFT_MAX / unit) * unit * e;
    if (any(0, 3) == 0) { /* another tile than the one that the kernel is made for */
        const int whole = any(0, 1) || c.variant->how == CT_COPY_BEST;
        const ct_tuple block = ct_variant_block(c.variant->thr, c.variant->val);
        c.tile_m = whole ? 64 * any(1, 2) : block.value[0] * any(1, 96 / block.value[0]);
        c.tile_n = whole ? 64 * any(1, 2) : block.value[1] * any(1, 96 / block.value[1]);
        if (c.tile_m * c.tile_n * e > 227 * 1024) c.tile_m = c.tile_n = 0;
    }
    return c;
}

/* Runs a case and compares all of the destination's room, in which `to` lies. */
static ct_copy_launch check_case(const copy_case *c, unsigned char *to, unsigned char *expected)
{
    char error[CT_MESSAGE_BYTES];
    ct_copy_launch l;
    if (ct_copy_launch_make(&l, c->variant, &c->src, &c->dst, c->tile_m, c->tile_n, error))
        fail_msg("%s", error);
    memcpy(expected, to, CAPACITY);
    copy_plainly(c, expected, to);
    if (run(&l, c, error, sizeof error)) {
        describe(c, &l, "stopped");
        fail_msg("%s", error);
    }
    if (memcmp(expected, to, CAPACITY) != 0) {
        describe(c, &l, "wrong");
        fail_msg("the copy differs");
    }
    return l;
}

static void test_every_kernel(void **state)
{
    unsigned char *from = capacity(), *to = capacity(), *expected = malloc(CAPACITY);
    int count = 0, seen[17] = {0}, runs[64][2] = {{0}};
    const ct_copy_variant *all = ct_copy_variants(&count);
    (void)state;
    assert_non_null(expected);
    for (int i = 0; i < CASES; ++i) {
        const copy_case c = random_case(all, count, from, to);
        const ct_copy_launch l = check_case(&c, to, expected);
        ++seen[l.load.bytes];
        ++runs[c.variant - all][c.src.row_major];
    }
    for (int bytes = 1; bytes <= 16; bytes *= 2) assert_true(seen[bytes] > 10);
    for (int v = 0; v < count; ++v) assert_true(runs[v][0] > 0 && runs[v][1] > 0);
    free(from);
    free(to);
    free(expected);
}

/* Matrices of several tiles that begin anywhere: tiles inside, and at each edge. */
static void test_misaligned(void **state)
{
    unsigned char *from = capacity(), *to = capacity(), *expected = malloc(CAPACITY);
    int count = 0, wide = 0;
    const ct_copy_variant *all = ct_copy_variants(&count);
    (void)state;
    assert_non_null(expected);
    for (int i = 0; i < 16 * count; ++i) {
        const ct_copy_variant *const v = &all[i % count];
        const int32_t e = 1 << any(0, 3);
        const int row_major = (int)any(0, 1), separate = (int)any(0, 2);
        const int64_t inner = any(113, 330), outer = any(1, 140);
        copy_case c = {
            v,
            {from, row_major ? outer : inner, row_major ? inner : outer, 0, row_major, e},
            {0},
            0,
            0};
        c.src.ld = inner + any(0, 40);
        c.dst = c.src;
        c.dst.ld += separate == 2 ? any(0, 20) : 0;
        const int64_t shift = any(0, 31) * e;
        c.src.data = from + shift;
        c.dst.data = to + 512 + shift + (separate ? any(0, 31) * e : 0);
        const ct_copy_launch l = check_case(&c, to, expected);
        wide += l.load.bytes < l.access_bytes;
    }
    assert_true(wide > count);
    free(from);
    free(to);
    free(expected);
}

/* ---- the partitions --------------------------------------------------------------------------- */

/* Each element of the tile belongs to exactly one access of one thread. */
static void check_cover(const ct_partition *p, const ct_side *side, const char *name)
{
    unsigned char met[CT_COPY_TILE][CT_COPY_TILE] = {{0}};
    assert_int_equal(p->threads * side->accesses * side->width, CT_COPY_TILE * CT_COPY_TILE);
    for (int32_t t = 0; t < p->threads; ++t) {
        int32_t first[2] = {0, 0};
        for (int d = 0; d < side->digits; ++d)
            first[side->digit[d].axis] +=
                t / side->digit[d].div % side->digit[d].mod * side->digit[d].step;
        for (int32_t i = 0; i < side->accesses; ++i) {
            int32_t at[2] = {first[0] + side->coord[i][0], first[1] + side->coord[i][1]};
            assert_int_equal(at[side->axis] % side->width, 0);
            for (int32_t k = 0; k < side->width; ++k, ++at[side->axis]) ++met[at[0]][at[1]];
        }
    }
    for (int i = 0; i < CT_COPY_TILE; ++i)
        for (int j = 0; j < CT_COPY_TILE; ++j)
            if (met[i][j] != 1)
                fail_msg("%s: element (%d,%d) is met %d times", name, i, j, met[i][j]);
}

/* The strips of a variant divide its tile. Two variants have smaller ones, of elements by hand. */
static void check_strips(const ct_copy_variant *v, int e, int axis)
{
    const ct_tuple strip = ct_variant_strip(v->thr, v->val, v->how, e, axis);
    const ct_partition out =
        ct_variant_part(v->thr, v->val, v->how, e, axis, strip, ct_variant_tile(), 0);
    int64_t wanted[2] = {CT_COPY_TILE, CT_COPY_TILE};
    if (strcmp(v->name, "partition") == 0 && e < 4) {
        wanted[0] = axis == 0 ? 16 : 8;
        wanted[1] = axis == 0 ? 32 : 64;
    }
    if (strcmp(v->name, "printed4") == 0 && axis == 0) wanted[0] = 32;
    assert_int_equal(out.err.status, CT_OK);
    for (int a = 0; a < 2; ++a) assert_int_equal(out.tile[a], wanted[a]);
}

static void test_partitions_cover(void **state)
{
    int count = 0;
    const ct_copy_variant *all = ct_copy_variants(&count);
    (void)state;
    for (int v = 0; v < count; ++v)
        for (int axis = 0; axis < 2; ++axis)
            for (int e = 1; e <= 16 && all[v].how != CT_COPY_BEST; e *= 2) {
                const ct_partition in = ct_variant_partition(all[v].thr, all[v].val, all[v].how, e,
                                                             axis, ct_variant_tile(), 1);
                const ct_partition out = ct_variant_partition(all[v].thr, all[v].val, all[v].how, e,
                                                              axis, ct_variant_tile(), 0);
                check_strips(&all[v], e, axis);
                assert_int_equal(in.err.status, CT_OK);
                assert_int_equal(out.err.status, CT_OK);
                assert_int_equal(in.src.width, in.dst.width);
                assert_int_equal(in.src.width, out.dst.width);
                check_cover(&in, &in.src, all[v].name);
                check_cover(&out, &out.dst, all[v].name);
            }
}

/* Widths by hand: a run of 8 values along the contiguous axis, and across it. */
static void test_partition_widths(void **state)
{
    const ct_layout thr = ct_layout2(16, 8, 8, 1), val = ct_layout2(1, 8, 1, 1);
    static const int along[5] = {8, 16, 16, 16, 16}, across[5] = {1, 2, 4, 8, 16};
    (void)state;
    for (int i = 0; i < 5; ++i) {
        const int e = 1 << i;
        ct_partition p = ct_variant_partition(thr, val, CT_BY_CP_ASYNC, e, 1, ct_variant_tile(), 1);
        assert_int_equal(ct_access_bytes(&p, &p.src), along[i]);
        assert_int_equal(p.atom, along[i] == 16 ? CT_ATOM_CP_ASYNC_CG : CT_ATOM_CP_ASYNC_CA);
        p = ct_variant_partition(thr, val, CT_BY_CP_ASYNC, e, 1, ct_variant_tile(), 0);
        assert_int_equal(ct_access_bytes(&p, &p.dst), along[i]);
        assert_int_equal(p.atom, CT_ATOM_UNIVERSAL);
        p = ct_variant_partition(thr, val, CT_BY_CP_ASYNC, e, 0, ct_variant_tile(), 1);
        assert_int_equal(ct_access_bytes(&p, &p.src), across[i]);
        assert_int_equal(p.atom, across[i] < 4     ? CT_ATOM_UNIVERSAL
                                 : across[i] == 16 ? CT_ATOM_CP_ASYNC_CG
                                                   : CT_ATOM_CP_ASYNC_CA);
        p = ct_variant_partition(thr, val, CT_BY_ELEMENT, e, 1, ct_variant_tile(), 1);
        assert_int_equal(ct_access_bytes(&p, &p.src), e);
    }
}

static void test_partitions_refused(void **state)
{
    const ct_layout val = ct_layout2(1, 8, 1, 1);
    (void)state;
    ct_partition p = ct_variant_partition(ct_layout2(16, 6, 6, 1), val, CT_BY_VECTOR, 2, 1,
                                          ct_variant_tile(), 1);
    assert_int_equal(p.err.why, CT_WHY_SIZE_DIVIDES); /* blocks of 16 x 48 */
    p = ct_variant_partition(ct_layout2(4, 8, 8, 1), val, CT_BY_ELEMENT, 2, 1, ct_variant_tile(),
                             1);
    assert_int_equal(p.err.why, CT_WHY_ACCESSES); /* 128 accesses */
    p = ct_variant_partition(ct_layout2(16, 8, 4, 1), val, CT_BY_VECTOR, 2, 1, ct_variant_tile(),
                             1);
    assert_int_equal(p.err.status, CT_E_ARGUMENT); /* two threads of the same number */
}

/* The step of a launch out of rows8 for half, of matrices in rows at these addresses. */
static int32_t whole_step(int64_t rows, int64_t cols, int64_t src_ld, int64_t dst_ld, uintptr_t src,
                          uintptr_t dst)
{
    const ct_layout thr = ct_layout2(16, 8, 8, 1), val = ct_layout2(1, 8, 1, 1);
    const ct_partition in =
        ct_variant_partition(thr, val, CT_BY_VECTOR, 2, 1, ct_variant_tile(), 1);
    const ct_partition out =
        ct_variant_partition(thr, val, CT_BY_VECTOR, 2, 1, ct_variant_tile(), 0);
    const ct_global a = ct_make_global((void *)src, 16, ct_layout2(rows, cols, src_ld, 1));
    const ct_global b = ct_make_global((void *)dst, 16, ct_layout2(rows, cols, dst_ld, 1));
    return ct_whole_step(&in, &out, &a, &b);
}

/* Which launches have whole tiles only: each row changes one thing of a launch that has. */
static void test_whole_launches(void **state)
{
    (void)state;
    assert_int_equal(whole_step(128, 640, 640, 640, 256, 256), 1280);
    const int64_t most = INT32_MAX / 16 * 8; /* 2 GiB less 16 bytes */
    assert_int_equal(whole_step(128, 640, most, most, 256, 256), 2 * most);
    assert_int_equal(whole_step(128, 640, most + 8, most + 8, 256, 256), 0);
    assert_int_equal(whole_step(128, 640, 640, 704, 256, 256), 0);
    assert_int_equal(whole_step(128, 639, 640, 640, 256, 256), 0);
    assert_int_equal(whole_step(129, 640, 640, 640, 256, 256), 0);
    assert_int_equal(whole_step(64 * 65535, 640, 640, 640, 256, 256), 1280);
    assert_int_equal(whole_step(64 * 65536, 640, 640, 640, 256, 256), 0); /* blocks along z */
    assert_int_equal(whole_step(128, 640, 640, 640, 264, 256), 0);
    assert_int_equal(whole_step(128, 640, 640, 640, 256, 264), 0);
    assert_int_equal(whole_step(128, 640, 644, 644, 256, 256), 0);
    assert_int_equal(whole_step(128, 640, -640, -640, 256, 256), 0);
    /* A tile of more than the kernel's is no such launch. */
    unsigned char *const p = aligned_alloc(256, 64 * 128 * 2);
    const ct_matrix m = {p, 64, 128, 128, 1, 2};
    char error[CT_MESSAGE_BYTES];
    ct_copy_launch l;
    assert_int_equal(ct_copy_launch_make(&l, ct_copy_variant_named("rows8"), &m, &m, 0, 0, error),
                     0);
    assert_int_equal(l.args.tiled.step, 256);
    assert_int_equal(
        ct_copy_launch_make(&l, ct_copy_variant_named("rows8"), &m, &m, 64, 128, error), 0);
    assert_int_equal(l.args.tiled.step, 0);
    free(p);
}

/* ---- what is left of a tile behind the edge --------------------------------------------------- */

typedef struct dump_args {
    ct_global src;
    unsigned char *out;
} dump_args;

/* Copies a tile in and writes the whole of the shared tile out. */
CT_KERNEL(dump_tile, dump_args, args)
{
    CT_STATIC(ct_partition, in,
              ct_variant_partition(ct_layout2(16, 8, 8, 1), ct_layout2(1, 8, 1, 1), CT_BY_CP_ASYNC,
                                   2, 1, ct_variant_tile(), 1));
    CT_SHARED_DYNAMIC(unsigned char, tile);
    ct_copy(&in, ct_view_src(&in, ct_view_tile(&args.src, &in, ct_index2(0, 0)), threadIdx.x),
            ct_view_dst(&in, ct_view_shared(tile), threadIdx.x));
    ct_cp_async_commit();
    ct_cp_async_wait_all();
    __syncthreads();
    for (uint32_t i = threadIdx.x; i < 64 * 64 * 2 / 16; i += blockDim.x) {
        CT_FRAGMENT(uint32_t, held, 4);
        ct_load_shared(held, tile + 16 * i, 128);
        ct_store_global(args.out + 16 * i, held, 128);
    }
}

/* A tile of a matrix that begins so many bytes past a boundary. */
static void check_tail(int64_t rows, int64_t cols, int32_t shift)
{
    enum { LD = 80 };
    uint16_t *capacity = aligned_alloc(256, 64 * LD * 2 + 256),
             *out = aligned_alloc(256, 64 * 64 * 2);
    uint16_t *const src = capacity + shift / 2;
    assert_true(capacity && out);
    for (int i = 0; i < 64 * LD; ++i) src[i] = (uint16_t)any(1, 65535);
    const dump_args args = {ct_make_global(src, 16, ct_layout2(rows, cols, LD, 1)),
                            (unsigned char *)out};
    const ct_grid_buffer buffers[] = {{"src", src, (size_t)((rows - 1) * LD + cols) * 2, 0, shift},
                                      {"out", out, 64 * 64 * 2, 1, 0}};
    const ct_grid_options options = {.buffers = buffers, .buffer_count = 2};
    const ct_dim3 one = {1, 1, 1}, block = {128, 1, 1};
    ct_grid_report report;
    if (ct_grid_launch(&dump_tile, one, block, 64 * 64 * 2, &args, sizeof args, &options, &report))
        fail_msg("%s", report.message);
    for (int64_t m = 0; m < 64; ++m)
        for (int64_t n = 0; n < 64; ++n) {
            const int inside = m < rows && n < cols;
            assert_int_equal(out[m * 64 + n], inside ? src[m * LD + n] : 0);
        }
    ct_grid_report_free(&report);
    free(capacity);
    free(out);
}

static void test_tail_is_zero(void **state)
{
    (void)state;
    for (int32_t shift = 2; shift <= 16; shift *= 2) {
        check_tail(64, 64, shift);
        check_tail(1, 1, shift);
        check_tail(64, 61, shift);
        check_tail(37, 64, shift);
        check_tail(63, 9, shift);
    }
}

/* ---- launches --------------------------------------------------------------------------------- */

/* The widths that the addresses allow, by hand. */
static void test_widths(void **state)
{
    unsigned char *p = aligned_alloc(256, 4096);
    const ct_copy_variant *v = ct_copy_variant_named("rows8");
    char error[CT_MESSAGE_BYTES];
    ct_copy_launch l;
    static const struct {
        int64_t src_ld, dst_ld;
        int shift, src_bytes, dst_bytes; /* the source's shift in bytes */
    } rows[] = {{512, 512, 0, 16, 16}, {516, 512, 0, 8, 16}, {512, 514, 0, 16, 4},
                {511, 511, 0, 2, 2},   {512, 512, 8, 8, 16}, {512, 512, 2, 2, 16},
                {516, 512, 4, 4, 16}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        const ct_matrix src = {p + rows[i].shift, 100, 500, rows[i].src_ld, 1, 2};
        const ct_matrix dst = {p, 100, 500, rows[i].dst_ld, 1, 2};
        assert_int_equal(ct_copy_launch_make(&l, v, &src, &dst, 0, 0, error), 0);
        assert_int_equal(l.load.bytes, rows[i].src_bytes);
        assert_int_equal(l.store.bytes, rows[i].dst_bytes);
    }
    const ct_matrix one_row = {p, 1, 500, 501, 1, 2}; /* a leading dimension that leads nowhere */
    assert_int_equal(ct_copy_launch_make(&l, v, &one_row, &one_row, 0, 0, error), 0);
    assert_int_equal(l.load.bytes, 16);
    free(p);
}

/* Extents whose tiles do not fit in y alone go on in z; extents of any size overflow nothing. */
static void test_large_launches(void **state)
{
    const ct_copy_variant *v = ct_copy_variant_named("rows8");
    char error[CT_MESSAGE_BYTES];
    ct_copy_launch l;
    ct_matrix m = {NULL, INT64_C(64) * 65536, 64, 64, 1, 2};
    (void)state;
    assert_int_equal(ct_copy_launch_make(&l, v, &m, &m, 0, 0, error), 0);
    assert_int_equal(l.grid.y, 65535);
    assert_int_equal(l.grid.z, 2);
    m.rows = INT64_MAX / 2;
    assert_int_equal(ct_copy_launch_make(&l, v, &m, &m, 0, 0, error), CT_E_ARGUMENT);
    m.rows = INT64_C(1) << 40;
    assert_int_equal(ct_copy_launch_make(&l, v, &m, &m, 0, 0, error), CT_E_ARGUMENT);
    assert_non_null(strstr(error, "more than a grid holds"));
}

/* The same matrix with its tiles along y and z. */
static void test_tiles_in_z(void **state)
{
    unsigned char *from = capacity(), *to = capacity();
    copy_case c = {
        ct_copy_variant_named("rows4"), {from, 250, 70, 72, 1, 2}, {to, 250, 70, 70, 1, 2}, 0, 0};
    char error[CT_MESSAGE_BYTES];
    ct_copy_launch l;
    (void)state;
    assert_int_equal(ct_copy_launch_make(&l, c.variant, &c.src, &c.dst, 0, 0, error), 0);
    assert_int_equal(l.grid.y, 4);
    l.grid.y = 2;
    l.grid.z = 2;
    if (run(&l, &c, error, sizeof error)) fail_msg("%s", error);
    for (int m = 0; m < 250; ++m) assert_memory_equal(to + 140 * m, from + 144 * m, 140);
    free(from);
    free(to);
}

static void refused(ct_matrix m, int64_t tile_m, int64_t tile_n, const char *because)
{
    char error[CT_MESSAGE_BYTES] = "";
    ct_copy_launch l;
    assert_int_equal(
        ct_copy_launch_make(&l, ct_copy_variant_named("rows8"), &m, &m, tile_m, tile_n, error),
        CT_E_ARGUMENT);
    if (!strstr(error, because)) fail_msg("`%s` does not say `%s`", error, because);
}

static void test_launches_refused(void **state)
{
    (void)state;
    refused((ct_matrix){NULL, 0, 64, 64, 1, 2}, 0, 0, "at least 1");
    refused((ct_matrix){NULL, 64, 64, 63, 1, 2}, 0, 0, "less than its extent 64");
    refused((ct_matrix){NULL, 64, 64, 64, 1, 3}, 0, 0, "elements of 3 bytes");
    refused((ct_matrix){(void *)1, 64, 64, 64, 1, 2}, 0, 0,
            "not a multiple of its elements' 2 "
            "bytes");
    refused((ct_matrix){NULL, 64, 64, 64, 1, 2}, 16, 32, "16x64 at once; a tile of 16x32");
    refused((ct_matrix){NULL, 64, 64, 64, 1, 2}, 1024, 1024, "does not fit in 227 KiB");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_partitions_cover),
        cmocka_unit_test(test_partition_widths),
        cmocka_unit_test(test_partitions_refused),
        cmocka_unit_test(test_tail_is_zero),
        cmocka_unit_test(test_widths),
        cmocka_unit_test(test_large_launches),
        cmocka_unit_test(test_tiles_in_z),
        cmocka_unit_test(test_launches_refused),
        cmocka_unit_test(test_every_kernel),
        cmocka_unit_test(test_misaligned),
        cmocka_unit_test(test_whole_launches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
