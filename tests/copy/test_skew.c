/* Skewed tiles on the CPU grid, straight and turned, whose constants the launch tells: random extents,
 * leading dimensions and addresses against the definition, and no byte outside touched. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include <cutlet/host/grid.h>

#include <cutlet/device/unaligned/copy_skew.h>
#include <cutlet/device/tensor/global.h>
#include "dice.h"
#include "grid_report.h"

typedef struct skew_args {
    ct_skew skew;
    ct_global src, dst;
    int32_t fast, tiles; /* along axis 0 */
} skew_args;

CT_KERNEL(skew_copy, skew_args, args)
{
    CT_SHARED_DYNAMIC(unsigned char, tile);
    const ct_index x =
        ct_index2((int32_t)blockIdx.x % args.tiles, (int32_t)blockIdx.x / args.tiles);
    if (args.fast) ct_copy_skewed(&args.skew, &args.src, &args.dst, x, tile);
    else ct_copy_skewed_by(&args.skew, &args.src, &args.dst, x, tile, 31, 0);
}

enum { GUARD = 256, POISON = 0xa5, MOST = 512 * 1024 };

/* One side in memory: poison around what its elements span. */
typedef struct side {
    unsigned char memory[MOST];
    int64_t ld, low, bytes; /* of the span; low: its first byte, beside the element at (0,0) */
    int32_t axis, shift;
    unsigned char *first;
} side;

static side src, dst, right;
static int ran[2]; /* straight tiles, turned ones */

static void make_side(side *s, dice *d, const int64_t *extent, int32_t axis, int e, int down)
{
    const int64_t inner = extent[axis], outer = extent[1 - axis];
    s->axis = axis;
    s->ld = inner + dice_int(d, 0, 3) * dice_int(d, 0, 9);
    if (down) s->ld = -s->ld;
    s->shift = e * (int32_t)dice_int(d, 0, 32 / e - 1);
    s->low = s->ld < 0 ? s->ld * (outer - 1) * e : 0;
    s->bytes = (llabs(s->ld) * (outer - 1) + inner) * e;
    assert_true(s->bytes + 3 * GUARD < MOST);
    memset(s->memory, POISON, sizeof s->memory);
    unsigned char *const base =
        s->memory + (-(uintptr_t)s->memory & (GUARD - 1)) + GUARD + s->shift;
    s->first = base - s->low;
}

static int64_t step_of(const side *s, int axis) { return axis == s->axis ? 1 : s->ld; }

static ct_global global_of(const side *s, const int64_t *extent, int e)
{
    ct_global g = ct_make_global(s->first, 8 * e,
                                 ct_layout2(extent[0], extent[1], step_of(s, 0), step_of(s, 1)));
    g.axis = s->axis;
    return g;
}

static void check(uint64_t number)
{
    dice rolls = dice_of_case(20261122, number), *const d = &rolls;
    const int e = 1 << dice_int(d, 0, 4);
    const int32_t inner = (int32_t)dice_int(d, 0, 1), along = (int32_t)dice_int(d, 0, 1);
    const int32_t threads = 32 << dice_int(d, 0, 1), transposed = inner != along;
    int32_t tile[2];
    tile[along] = (transposed ? 128 << dice_int(d, 0, 1) : 64 << dice_int(d, 0, 2)) / e;
    tile[1 - along] = transposed ? (int32_t)ct_max(8, 16 * dice_int(d, 1, 3) / e) << (e < 4)
                                 : threads * 16 / e * (int32_t)dice_int(d, 1, 2) / tile[along];
    const int32_t chunk = transposed && e >= 4 && dice_int(d, 0, 2) == 0 ? e : 16;
    if (tile[1 - along] < 1) tile[1 - along] = 1;
    skew_args args = {0};
    args.skew = ct_make_skew(e, tile[0], tile[1], threads, inner, along, chunk);
    if (args.skew.err.status) return;
    ran[transposed] += 1;
    const int64_t extent[2] = {1 + dice_int(d, 0, 3 * tile[0]), 1 + dice_int(d, 0, 3 * tile[1])};
    make_side(&src, d, extent, inner, e, dice_int(d, 0, 7) == 0);
    make_side(&dst, d, extent, along, e, dice_int(d, 0, 7) == 0);
    for (int64_t i = 0; i < src.bytes; ++i)
        src.first[src.low + i] = (unsigned char)dice_int(d, 0, 255);
    memcpy(right.memory, dst.memory, sizeof right.memory);
    for (int64_t i = 0; i < extent[0]; ++i)
        for (int64_t j = 0; j < extent[1]; ++j)
            memcpy(right.memory + (dst.first - dst.memory) +
                       (i * step_of(&dst, 0) + j * step_of(&dst, 1)) * e,
                   src.first + (i * step_of(&src, 0) + j * step_of(&src, 1)) * e, (size_t)e);
    args.src = global_of(&src, extent, e);
    args.dst = global_of(&dst, extent, e);
    args.fast = dice_int(d, 0, 3) > 0;
    args.tiles = (int32_t)ct_ceil_div_int(extent[0], tile[0]);
    const ct_grid_buffer buffers[] = {
        {"src", src.first + src.low, (size_t)src.bytes, 0, src.shift},
        {"dst", dst.first + dst.low, (size_t)dst.bytes, 1, dst.shift}};
    const ct_grid_options options = {.buffers = buffers, .buffer_count = 2, .no_records = 1};
    const ct_dim3 grid = {(uint32_t)(args.tiles * ct_ceil_div_int(extent[1], tile[1])), 1, 1};
    const ct_dim3 block = {(uint32_t)threads, 1, 1};
    ct_grid_report_free(&report);
    const int status = ct_grid_launch(&skew_copy, grid, block, (size_t)args.skew.shared_bytes,
                                      &args, sizeof args, &options, &report);
    if (status || memcmp(dst.memory, right.memory, sizeof dst.memory) != 0)
        fail_msg(
            "case %llu: %lld x %lld of %d bytes, tile %d x %d, axes %d -> %d, ld %lld -> %lld, "
            "shift %d -> %d: %s",
            (unsigned long long)number, (long long)extent[0], (long long)extent[1], e, tile[0],
            tile[1], inner, along, (long long)src.ld, (long long)dst.ld, src.shift, dst.shift,
            status ? report.message : "wrong bytes");
}

static void random_tiles(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 600; ++i) check(i);
    if (ran[0] < 200 || ran[1] < 200) fail_msg("%d straight tiles, %d turned", ran[0], ran[1]);
}

static void skews_that_are_refused(void **state)
{
    (void)state;
    assert_int_equal(ct_make_skew(4, 64, 64, 128, 1, 0, 16).err.status, CT_OK);
    assert_int_equal(ct_make_skew(3, 64, 64, 128, 1, 0, 16).err.status, CT_E_ARGUMENT);
    assert_int_equal(ct_make_skew(4, 64, 64, 128, 1, 0, 2).err.status, CT_E_ARGUMENT); /* chunk */
    assert_int_equal(ct_make_skew(8, 64, 64, 128, 1, 0, 4).err.status, CT_E_ARGUMENT);
    assert_int_equal(ct_make_skew(4, 64, 62, 128, 1, 0, 16).err.status, CT_E_ARGUMENT); /* a row */
    assert_int_equal(ct_make_skew(4, 48, 64, 128, 1, 0, 16).err.status, CT_E_ARGUMENT); /* a line */
    assert_int_equal(ct_make_skew(4, 64, 64, 48, 1, 0, 16).err.status, CT_E_ARGUMENT);  /* warps */
    assert_int_equal(ct_make_skew(4, 64, 64, 128, 1, 1, 8).err.status,
                     CT_E_ARGUMENT); /* straight */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(skews_that_are_refused),
        cmocka_unit_test(random_tiles),
    };
    return cmocka_run_group_tests_name("skew", tests, NULL, free_report);
}
