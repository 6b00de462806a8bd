/* Sector-aligned tiles on the CPU grid, straight and turned, whose constants the launch tells: random extents,
 * leading dimensions and addresses against the definition, and no byte outside touched. */
#include "on_grid.h"

#include <cutlet/device/unaligned/copy_sectors.h>

typedef struct sector_args {
    ct_sector_copy sector;
    ct_global src, dst;
    int32_t fast, tiles; /* along axis 0 */
} sector_args;

CT_KERNEL(sector_copy, sector_args, args)
{
    CT_SHARED_DYNAMIC(unsigned char, tile);
    const ct_index x =
        ct_index2((int32_t)blockIdx.x % args.tiles, (int32_t)blockIdx.x / args.tiles);
    if (args.fast) ct_copy_sectors(&args.sector, &args.src, &args.dst, x, tile);
    else ct_copy_sectors_by(&args.sector, &args.src, &args.dst, x, tile, 31, 0);
}

static int ran[2]; /* tiles that are copied in order, transposed ones */

/* A layout of these extents, contiguous along an axis, with gaps or downwards. */
static ct_layout layout_along(dice *d, const int64_t *extent, int axis)
{
    const int64_t down = dice_int(d, 0, 7) == 0 ? -1 : 1;
    const int64_t ld = down * (extent[axis] + dice_int(d, 0, 3) * dice_int(d, 0, 9));
    return ct_layout2(extent[0], extent[1], axis == 0 ? 1 : ld, axis == 1 ? 1 : ld);
}

static void check(uint64_t number)
{
    rolls = dice_of_case(20261122, number);
    dice *const d = &rolls;
    const int e = 1 << dice_int(d, 0, 4);
    const int32_t inner = (int32_t)dice_int(d, 0, 1), along = (int32_t)dice_int(d, 0, 1);
    const int32_t threads = 32 << dice_int(d, 0, 1), transposed = inner != along;
    int32_t tile[2];
    tile[along] = (transposed ? 128 << dice_int(d, 0, 1) : 64 << dice_int(d, 0, 2)) / e;
    tile[1 - along] = transposed ? (int32_t)ct_max(8, 16 * dice_int(d, 1, 3) / e) << (e < 4)
                                 : threads * 16 / e * (int32_t)dice_int(d, 1, 2) / tile[along];
    const int32_t chunk = transposed && e >= 4 && dice_int(d, 0, 2) == 0 ? e : 16;
    if (tile[1 - along] < 1) tile[1 - along] = 1;
    sector_args args = {0};
    args.sector = ct_make_sector_copy(e, tile[0], tile[1], threads, inner, along, chunk);
    if (args.sector.err.status) return;
    ran[transposed] += 1;
    const int64_t extent[2] = {1 + dice_int(d, 0, 3 * tile[0]), 1 + dice_int(d, 0, 3 * tile[1])};
    const tensor src =
        random_tensor(layout_along(d, extent, inner), 8 * e, e * dice_int(d, 0, 32 / e - 1));
    const tensor dst =
        make_tensor(layout_along(d, extent, along), 8 * e, e * dice_int(d, 0, 32 / e - 1));
    args.src = global_of(&src);
    args.dst = global_of(&dst);
    args.src.axis = inner;
    args.dst.axis = along;
    args.fast = dice_int(d, 0, 3) > 0;
    args.tiles = (int32_t)ct_ceil_div_int(extent[0], tile[0]);
    launch l =
        make_launch(&sector_copy, grid_of(args.tiles * ct_ceil_div_int(extent[1], tile[1]), 1, 1),
                    threads, args.sector.shared_bytes, &args);
    l.records = 0;
    add_sides(&l, &src, &args.src, &dst, &args.dst);
    const char *const failure = copy_failure(&l, on_grid, src, dst);
    if (failure)
        fail_msg("case %llu, tile %d x %d, axes %d -> %d: %s", (unsigned long long)number, tile[0],
                 tile[1], inner, along, failure);
}

TEST(random_tiles)
{
    for (uint64_t i = 0; i < 600; ++i) check(i);
    if (ran[0] < 200 || ran[1] < 200) fail_msg("%d tiles in order, %d transposed", ran[0], ran[1]);
}

TEST(tiles_that_are_refused)
{
    assert_int_equal(ct_make_sector_copy(4, 64, 64, 128, 1, 0, 16).err.status, CT_OK);
    assert_int_equal(ct_make_sector_copy(3, 64, 64, 128, 1, 0, 16).err.status, CT_E_ARGUMENT);
    assert_int_equal(ct_make_sector_copy(4, 64, 64, 128, 1, 0, 2).err.status,
                     CT_E_ARGUMENT); /* chunk */
    assert_int_equal(ct_make_sector_copy(8, 64, 64, 128, 1, 0, 4).err.status, CT_E_ARGUMENT);
    assert_int_equal(ct_make_sector_copy(4, 64, 62, 128, 1, 0, 16).err.status,
                     CT_E_ARGUMENT); /* a row */
    assert_int_equal(ct_make_sector_copy(4, 48, 64, 128, 1, 0, 16).err.status,
                     CT_E_ARGUMENT); /* a line */
    assert_int_equal(ct_make_sector_copy(4, 64, 64, 48, 1, 0, 16).err.status,
                     CT_E_ARGUMENT); /* warps */
    assert_int_equal(ct_make_sector_copy(4, 64, 64, 128, 1, 1, 8).err.status,
                     CT_E_ARGUMENT); /* straight */
}

GROUP("sector", NULL, free_report)
