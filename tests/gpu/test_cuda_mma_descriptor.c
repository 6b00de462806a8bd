/* Where wgmma really reads by a matrix descriptor, on a GPU of sm_90: random fields against the
 * rule of addresses that test_mma_descriptor goes by, and whole tiles by the descriptors that the
 * library makes of their layouts. Skipped, with the reason, where there is no such GPU. */
#include "gpu_memory.h"

#include <stdio.h>
#include <string.h>

#include <cutlet/host/text.h>
#include "dice.h"
#include "laws.h"
#include "laws_mma_descriptor.h"
#include "mma_descriptor_args.h"

/* What nvcc made of the kernel. */
extern const ct_cuda_images ct_test_images;

enum { MOST = 96 };

static const struct {
    const char *atom;
    int columns, k, bytes, mn_major;
} kinds[MD_KINDS] = {
    {"SM90_64x128x16_F32F16F16_RS", 128, 16, 2, 0},
    {"SM90_64x128x16_F32F16F16_RS", 128, 16, 2, 1},
    {"SM90_64x8x16_F32F16F16_RS", 8, 16, 2, 0},
    {"SM90_64x8x16_F32F16F16_RS", 8, 16, 2, 1},
    {"SM90_64x128x8_F32TF32TF32_RS_TN", 128, 8, 4, 0},
    {"SM90_64x128x32_S32S8S8_RS_TN", 128, 32, 1, 0},
};

static uint64_t descriptors[MOST];
static int32_t read_at[MOST][MD_MOST];

/* Runs the first this many descriptors; read_at says where each element was. */
static void read_by(int kind, int count)
{
    uint64_t *const d = device_take(sizeof descriptors);
    int32_t *const to = device_take(sizeof read_at);
    const md_args args = {d, to, count, kind};
    const ct_dim3 one = {1, 1, 1}, warpgroup = {128, 1, 1};
    device_put(d, descriptors, sizeof descriptors);
    expect(ct_cuda_fill(gpu, to, 0, sizeof read_at));
    expect(ct_cuda_launch(gpu, "md_read", one, warpgroup, MD_WINDOW + 1024, &args, sizeof args));
    expect(ct_cuda_wait(gpu));
    device_get(read_at, to, sizeof read_at);
    device_give(d);
    device_give(to);
}

/* ---- the rule -------------------------------------------------------------------------------- */

/* Random fields; with_base: also base offsets. */
static void random_fields(int kind, dice *d, int with_base)
{
    for (int i = 0; i < MOST; ++i) {
        const uint64_t mode = (uint64_t)i % 4;
        const uint64_t start = (uint64_t)(dice_int(d, 0, 511) & (i % 8 < 4 ? ~(int64_t)63 : -1));
        const uint64_t leading = (uint64_t)dice_int(d, 0, 255),
                       stride = (uint64_t)dice_int(d, 0, 255);
        const uint64_t base = with_base ? (uint64_t)dice_int(d, 0, 7) : 0;
        descriptors[i] = start | leading << 16 | stride << 32 | base << 49 | mode << 62;
    }
    read_by(kind, MOST);
}

static void follows_the_rule(int with_base)
{
    dice d = dice_of(number_of("CUTLET_SEED", 20260212));
    int64_t wrong = 0, elements = 0;
    for (int kind = 0; kind < MD_KINDS; ++kind) {
        random_fields(kind, &d, with_base);
        for (int i = 0; i < MOST; ++i) {
            const law_fields f = law_fields_of(descriptors[i], 90);
            int64_t here = 0;
            for (int e = 0; e < kinds[kind].columns * kinds[kind].k; ++e, ++elements) {
                const int n = e % kinds[kind].columns, k = e / kinds[kind].columns;
                const int mn_major = kinds[kind].mn_major, bytes = kinds[kind].bytes;
                const int64_t at =
                    law_address(&f, mn_major, (mn_major ? n : k) * bytes, mn_major ? k : n);
                if (read_at[i][e] != at && here++ == 0)
                    print_message("kind %d, %016llx: element (%d,%d) is read at %d, not at %lld\n",
                                  kind, (unsigned long long)descriptors[i], n, k, read_at[i][e],
                                  (long long)at);
            }
            wrong += here;
        }
    }
    print_message("%lld of %lld elements are read elsewhere\n", (long long)wrong,
                  (long long)elements);
    assert_int_equal(wrong, 0);
}

TEST(fields_at_any_start) { follows_the_rule(0); }

TEST(fields_with_base_offsets) { follows_the_rule(1); }

/* ---- tiles ----------------------------------------------------------------------------------- */

/* Every part of a tile, its base at that byte of the window, is read where it lies. */
static void read_tile(int kind, ct_tensor tile, uint32_t base)
{
    char text[CT_TEXT_BYTES];
    const ct_mma_descriptor d = ct_mma_descriptor_at(
        ct_make_mma_descriptor(tile, CT_MMA_B, ct_make_mma_atom(kinds[kind].atom)), base);
    const int64_t rows = oracle_size(ct_mode(tile.layout, 0)), n = d.mn;
    const int64_t parts = oracle_size(d.steps), along = rows / n;
    ct_format_tensor(text, sizeof text, tile);
    if (d.err.status) fail_msg("%s: reason %d", text, d.err.why);
    assert_true(parts <= MOST);
    for (int64_t p = 0; p < parts; ++p)
        descriptors[p] = ct_mma_descriptor_step(ct_mma_descriptor_pack(d), oracle_eval(d.steps, p));
    read_by(kind, (int)parts);
    for (int64_t p = 0; p < parts; ++p) {
        for (int64_t e = 0; e < n * d.k; ++e) {
            const int64_t row = p % along * n + e % n, col = p / along * d.k + e / n;
            const int64_t lies = base + kinds[kind].bytes * oracle_tensor(&tile, row + rows * col);
            if (read_at[p][e] != lies)
                fail_msg("%s at %u: (%d,%d) is read at %d and lies at %d", text, (unsigned)base,
                         (int)row, (int)col, (int)read_at[p][e], (int)lies);
        }
    }
}

/* The canonical tiles of each kind, of every swizzle that fits, on and off the swizzle's pattern.
 */
TEST(tiles)
{
    static const uint32_t bases[] = {0, 1024, 128, 640, 3 * 1024 + 7 * 128};
    int count = 0;
    for (int kind = 0; kind < MD_KINDS; ++kind) {
        for (int64_t line = 16; line <= 128; line *= 2) {
            const int64_t elems = line / kinds[kind].bytes, mn_major = kinds[kind].mn_major;
            const int64_t mn = 2 * ct_max(kinds[kind].columns, mn_major ? elems : 1);
            const int64_t k = 2 * ct_max(kinds[kind].k, mn_major ? 1 : elems);
            const ct_layout block =
                mn_major ? ct_layout2(elems, 8, 1, elems) : ct_layout2(8, elems, elems, 1);
            const int log = line == 128 ? 3 : line == 64 ? 2 : line == 32;
            const int down = kinds[kind].bytes == 4 ? 2 : kinds[kind].bytes - 1;
            for (int order = 0; order < 2; ++order) {
                const ct_layout L =
                    ct_tile_to_shape(block, ct_tuple2(mn, k), ct_tuple2(order, 1 - order));
                const ct_tensor tile = ct_make_swizzled(ct_make_swizzle(log, 4 - down, 3), 0, L);
                for (int b = 0; b < 5; ++b, ++count) read_tile(kind, tile, bases[b]);
            }
        }
    }
    print_message("%d tiles\n", count);
}

GPU_GROUP("matrix descriptors on the GPU", &ct_test_images, 9)
