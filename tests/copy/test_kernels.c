/* The kernels of the tiled copy against plain loops: any extents, leading dimensions, alignments and
 * element sizes, on the CPU grid. */
#include <cutlet/device/copy/copy.h>
#include <cutlet/device/kernel/static.h>
#include "all_cases.h"
#include "compare/launch.h"
#include "on_grid.h"

static int64_t any(int64_t low, int64_t high) { return dice_int(&rolls, low, high); }

/* ---- every kernel ----------------------------------------------------------------------------- */

/* One copy: runs of `inner` elements, `outer` of them; leading dimensions in elements, shifts in bytes. */
typedef struct copy_case {
    const ct_copy_variant *variant;
    int row_major;
    int32_t elem_bytes;
    int64_t inner, outer, src_ld, dst_ld, src_shift, dst_shift, tile_m, tile_n;
} copy_case;

static copy_case random_case(const ct_copy_variant *all, int count)
{
    copy_case c = {.variant = &all[any(0, count - 1)],
                   .row_major = (int)any(0, 1),
                   .elem_bytes = 1 << any(0, 4)};
    const int64_t e = c.elem_bytes;
    /* two of three are aligned as far as the extents go */
    const int64_t unit = any(0, 2) == 0 ? 1 : 16 / e;
    c.inner = any(1, any(0, 3) ? 140 : 9);
    c.outer = any(1, any(0, 3) ? 140 : 5);
    c.src_ld = (c.inner + any(0, 24) + unit - 1) / unit * unit;
    c.dst_ld = (c.inner + any(0, 24) + unit - 1) / unit * unit;
    c.src_shift = any(0, 16 / unit) * unit * e % 256;
    c.dst_shift = any(0, 16 / unit) * unit * e % 256;
    if (any(0, 3)) return c;
    /* another tile than the one that the kernel is made for */
    const int whole = any(0, 1) || c.variant->how == CT_COPY_BEST;
    const ct_tuple block = ct_variant_block(c.variant->thr, c.variant->val);
    c.tile_m = whole ? 64 * any(1, 2) : block.value[0] * any(1, 96 / block.value[0]);
    c.tile_n = whole ? 64 * any(1, 2) : block.value[1] * any(1, 96 / block.value[1]);
    if (c.tile_m * c.tile_n * e > 227 * 1024) c.tile_m = c.tile_n = 0;
    return c;
}

/* Runs a case; z: its tiles along y and z, 0 for those of the launch. */
static ct_copy_launch check_case(const copy_case *c, uint32_t z)
{
    char error[CT_MESSAGE_BYTES];
    ct_copy_launch made;
    const int bits = 8 * c->elem_bytes, row_major = c->row_major;
    const int64_t m = row_major ? c->outer : c->inner, n = row_major ? c->inner : c->outer;
    const tensor src =
        random_tensor(ct_layout2(c->inner, c->outer, 1, c->src_ld), bits, c->src_shift);
    const tensor dst =
        make_tensor(ct_layout2(c->inner, c->outer, 1, c->dst_ld), bits, c->dst_shift);
    const ct_matrix from = {begin(&src), m, n, c->src_ld, row_major, c->elem_bytes};
    const ct_matrix to = {begin(&dst), m, n, c->dst_ld, row_major, c->elem_bytes};
    if (ct_copy_launch_make(&made, c->variant, &from, &to, c->tile_m, c->tile_n, error))
        fail_msg("%s", error);
    if (z) assert_int_equal(made.grid.y, z * z);
    if (z) made.grid.y = made.grid.z = z;
    launch l =
        make_launch(made.kernel, made.grid, made.block.x, (int64_t)made.shared_bytes, &made.args);
    add_sides(&l, &src, &made.args.tiled.src, &dst, &made.args.tiled.dst);
    const char *const failure = copy_failure(&l, on_grid, src, dst);
    if (failure)
        fail_msg("%s, %s-major, tile %lld x %lld, accesses of %d and %d bytes: %s",
                 c->variant->name, row_major ? "row" : "column", (long long)c->tile_m,
                 (long long)c->tile_n, made.load.bytes, made.store.bytes, failure);
    return made;
}

TEST(test_every_kernel)
{
    int count = 0, seen[17] = {0}, runs[64][2] = {{0}};
    const ct_copy_variant *all = ct_copy_variants(&count);
    for (int i = 0; i < (all_cases() ? 700 : 350); ++i) {
        const copy_case c = random_case(all, count);
        ++seen[check_case(&c, 0).load.bytes];
        ++runs[c.variant - all][c.row_major];
    }
    for (int bytes = 1; bytes <= 16; bytes *= 2) assert_true(seen[bytes] > 10);
    for (int v = 0; v < count; ++v) assert_true(runs[v][0] > 0 && runs[v][1] > 0);
}

/* Matrices of several tiles that begin anywhere: tiles inside, and at each edge. */
TEST(test_misaligned)
{
    int count = 0, wide = 0;
    const ct_copy_variant *all = ct_copy_variants(&count);
    for (int i = 0; i < (all_cases() ? 16 : 8) * count; ++i) {
        const int64_t e = (int64_t)1 << any(0, 3), separate = any(0, 2), inner = any(113, 330);
        const int64_t ld = inner + any(0, 40), shift = any(0, 31) * e;
        const copy_case c = {&all[i % count],
                             (int)any(0, 1),
                             (int32_t)e,
                             inner,
                             any(1, 140),
                             ld,
                             ld + (separate == 2 ? any(0, 20) : 0),
                             shift,
                             (shift + (separate ? any(0, 31) * e : 0)) % 256,
                             0,
                             0};
        const ct_copy_launch l = check_case(&c, 0);
        wide += l.load.bytes < l.access_bytes;
    }
    assert_true(wide >
                (all_cases() ? count : count / 2)); /* half of the cases, half of the bound */
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
            int32_t at[2] = {first[0] + ct_access_coord(side, i, 0),
                             first[1] + ct_access_coord(side, i, 1)};
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

TEST(test_partitions_cover)
{
    int count = 0;
    const ct_copy_variant *all = ct_copy_variants(&count);
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
TEST(test_partition_widths)
{
    const ct_layout thr = ct_layout2(16, 8, 8, 1), val = ct_layout2(1, 8, 1, 1);
    static const int along[5] = {8, 16, 16, 16, 16}, across[5] = {1, 2, 4, 8, 16};
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

TEST(test_partitions_refused)
{
    const ct_layout val = ct_layout2(1, 8, 1, 1);
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

/* Whether a launch of rows8 for half has whole tiles only, of matrices in rows at these addresses. */
static int is_whole(int64_t rows, int64_t cols, int64_t src_ld, int64_t dst_ld, uintptr_t src,
                    uintptr_t dst)
{
    const ct_matrix from = {(void *)src, rows, cols, src_ld, 1, 2};
    const ct_matrix to = {(void *)dst, rows, cols, dst_ld, 1, 2};
    char error[CT_MESSAGE_BYTES];
    ct_copy_launch l;
    if (ct_copy_launch_make(&l, ct_copy_variant_named("rows8"), &from, &to, 0, 0, error))
        fail_msg("%s", error);
    return l.args.tiled.is_whole;
}

/* Which launches have whole tiles only: each row changes one thing of a launch that has. */
TEST(test_whole_launches)
{
    assert_true(is_whole(128, 640, 640, 640, 256, 256));
    const int64_t most = INT32_MAX / 16 * 8; /* 2 GiB less 16 bytes */
    assert_true(is_whole(128, 640, most, most, 256, 256));
    assert_false(is_whole(128, 640, most + 8, most + 8, 256, 256));
    assert_false(is_whole(128, 640, 640, 704, 256, 256));
    assert_false(is_whole(128, 639, 640, 640, 256, 256));
    assert_false(is_whole(129, 640, 640, 640, 256, 256));
    assert_true(is_whole(64 * 65535, 640, 640, 640, 256, 256));
    assert_false(is_whole(64 * 65536, 640, 640, 640, 256, 256)); /* blocks along z */
    assert_false(is_whole(128, 640, 640, 640, 264, 256));
    assert_false(is_whole(128, 640, 640, 640, 256, 264));
    assert_false(is_whole(128, 640, 644, 644, 256, 256));
    /* A tile of more than the kernel's is no such launch. */
    unsigned char *const p = aligned_alloc(256, 64 * 128 * 2);
    const ct_matrix m = {p, 64, 128, 128, 1, 2};
    char error[CT_MESSAGE_BYTES];
    ct_copy_launch l;
    assert_int_equal(ct_copy_launch_make(&l, ct_copy_variant_named("rows8"), &m, &m, 0, 0, error),
                     0);
    assert_true(l.args.tiled.is_whole);
    assert_int_equal(
        ct_copy_launch_make(&l, ct_copy_variant_named("rows8"), &m, &m, 64, 128, error), 0);
    assert_false(l.args.tiled.is_whole);
    free(p);
}

/* ---- what is left of a tile after the edge --------------------------------------------------- */

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

/* A tile of a matrix that begins this many bytes past a boundary. */
static void check_tail(int64_t rows, int64_t cols, int32_t shift)
{
    enum { LD = 80 };
    const tensor src = random_tensor(ct_layout2(rows, cols, LD, 1), 16, shift);
    const tensor tile = make_tensor(ct_layout2(64, 64, 64, 1), 16, 0);
    const uint16_t *const from = at_zero(&src), *const out = at_zero(&tile);
    dump_args args = {global_of(&src), begin(&tile)};
    launch l = make_launch(&dump_tile, grid_of(1, 1, 1), 128, 64 * 64 * 2, &args);
    add_buffer(&l, "src", &src, 0, &args.src.at);
    add_buffer(&l, "out", &tile, 1, &args.out);
    run_well(&l, on_grid);
    for (int64_t m = 0; m < 64; ++m)
        for (int64_t n = 0; n < 64; ++n)
            assert_int_equal(out[m * 64 + n], m < rows && n < cols ? from[m * LD + n] : 0);
    drop(&src);
    drop(&tile);
}

TEST(test_tail_is_zero)
{
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
TEST(test_widths)
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
TEST(test_large_launches)
{
    const ct_copy_variant *v = ct_copy_variant_named("rows8");
    char error[CT_MESSAGE_BYTES];
    ct_copy_launch l;
    ct_matrix m = {NULL, INT64_C(64) * 65536, 64, 64, 1, 2};
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
TEST(test_tiles_in_z)
{
    const copy_case c = {ct_copy_variant_named("rows4"), 1, 2, 70, 250, 72, 70, 0, 0, 0, 0};
    check_case(&c, 2);
}

/* A launch of a source onto itself, or onto another destination. */
TEST(test_launches_refused)
{
    static const ct_matrix to = {NULL, 4, 8, 8, 1, 2};
    static const struct {
        const char *variant;
        ct_matrix src;
        const ct_matrix *dst;
        int64_t tile_m, tile_n;
        const char *why;
    } rows[] = {
        // clang-format off
        {"rows8", {NULL, 0, 8, 8, 1, 2}, NULL, 0, 0, "the source has the extents 0 x 8; they are at least 1"},
        {"rows8", {NULL, 4, 8, 8, 1, 3}, NULL, 0, 0, "the source has elements of 3 bytes; they have 1, 2, 4, 8 or 16"},
        {"rows8", {NULL, 4, 8, 7, 1, 2}, NULL, 0, 0, "the source has the leading dimension 7, less than its extent 8"},
        {"rows8", {NULL, 4, 8, INT64_MAX / 8, 1, 2}, NULL, 0, 0, "the source spans more than 2^61 bytes"},
        {"rows8", {(char *)0 + 1, 4, 8, 8, 1, 2}, NULL, 0, 0, "the source lies at an address that is not a multiple of its elements' 2 bytes"},
        {"rows8", {NULL, 1, (int64_t)1 << 40, (int64_t)1 << 40, 1, 1}, NULL, 0, 0, "17179869184 x 1 tiles are more than a grid holds"},
        {"best", {NULL, (int64_t)1 << 29, (int64_t)1 << 29, (int64_t)1 << 29, 1, 1}, NULL, 0, 0, "536870912 x 536870912 elements are more than a grid holds"},
        {NULL, {NULL, 4, 8, 8, 1, 2}, NULL, 0, 0, "there is no such variant"},
        {"rows8", {NULL, 4, 8, 4, 0, 2}, &to, 0, 0, "the source is 4 x 8 elements of 2 bytes, column-major; the destination is 4 x 8 elements of 2 bytes, row-major"},
        {"rows8", {NULL, 64, 64, 64, 1, 2}, NULL, 16, 32, "rows8: its threads cover 16x64 at once; a tile of 16x32 is not a multiple of that"},
        {"rows8", {NULL, 64, 64, 64, 1, 2}, NULL, 1024, 1024, "a tile of 1024x1024 elements of 2 bytes does not fit in 227 KiB of shared memory"},
        // clang-format on
    };
    for (size_t i = 0; i < LENGTH(rows); ++i) {
        char message[CT_MESSAGE_BYTES] = "";
        ct_copy_launch l;
        const ct_copy_variant *const v =
            rows[i].variant ? ct_copy_variant_named(rows[i].variant) : NULL;
        const ct_matrix *const dst = rows[i].dst ? rows[i].dst : &rows[i].src;
        assert_int_equal(
            ct_copy_launch_make(&l, v, &rows[i].src, dst, rows[i].tile_m, rows[i].tile_n, message),
            CT_E_ARGUMENT);
        assert_string_equal(message, rows[i].why);
    }
}

GROUP("kernels", NULL, free_report)
