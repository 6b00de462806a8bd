/* Mbarriers, bulk copies and tile copies on the CPU grid: what they move. The results are computed
 * here from the meaning of a descriptor, element by element. */
#include "tma_launch.h"

#include "tma_kernels.cu"

static uint32_t word(const unsigned char *p, int i)
{
    uint32_t x;
    memcpy(&x, p + 4 * i, 4);
    return x;
}

/* ---- barriers and bulk copies ----------------------------------------------------------------- */

TEST(test_hand_over)
{
    for (int n = 1; n <= 7; ++n) {
        setup(state);
        pass(launch(&tk_hand_over, one, 64, 0, (tma_args){.n = n}));
        for (int i = 0; i < 32 * n; ++i)
            assert_int_equal(word(dst, i), 100 * (i / 32) + (i % 32 ^ 1));
    }
}

TEST(test_poll)
{
    pass(launch(&tk_poll, one, 64, 0, (tma_args){.n = 0}));
    for (int i = 0; i < 32; ++i) assert_int_equal(word(dst, i), i);
}

TEST(test_bulk)
{
    const int sizes[] = {16, 128, 1040, 8192};
    for (int k = 0; k < 4; ++k) {
        setup(state);
        pass(launch(&tk_bulk, one, 64, (size_t)sizes[k], (tma_args){.n = sizes[k]}));
        for (int i = 0; i < sizes[k] / 4; ++i) assert_int_equal(word(dst, i), word(src, i) + 1);
        assert_int_equal(dst[sizes[k]], 0xee);
    }
    pass(launch(&tk_refill, one, 64, 0, (tma_args){.n = 9}));
    assert_memory_equal(dst, src, 9 * 256);
}

static void put16(unsigned char *p, int i, uint16_t x) { memcpy(p + 2 * i, &x, 2); }

TEST(test_bulk_reductions)
{
    const ct_dim3 three = {3, 1, 1};
    memset(dst, 1, 256);
    pass(launch(&tk_bulk_reduce, three, 64, 256, (tma_args){.n = 256, .op = REDUCE_ADD_U32}));
    for (int i = 0; i < 64; ++i)
        assert_int_equal(word(dst, i), (uint32_t)(0x01010101u + 3 * word(src, i)));
    setup(state);
    pass(launch(&tk_bulk_reduce, three, 64, 256, (tma_args){.n = 240, .op = REDUCE_MIN_S32}));
    for (int i = 0; i < 64; ++i) {
        const int32_t a = (int32_t)0xeeeeeeee, b = (int32_t)word(src, i);
        assert_int_equal((int32_t)word(dst, i), i < 60 && b < a ? b : a);
    }
    setup(state);
    pass(launch(&tk_bulk_reduce, three, 64, 256, (tma_args){.n = 256, .op = REDUCE_MAX_U64}));
    for (int i = 0; i < 32; ++i) {
        uint64_t a = 0xeeeeeeeeeeeeeeeeu, b, r;
        memcpy(&b, src + 8 * i, 8);
        memcpy(&r, dst + 8 * i, 8);
        assert_true(r == (a > b ? a : b));
    }
}

/* Sums of 16-bit numbers that show the rounding: what the hardware must give is written down. */
TEST(test_half_reductions)
{
    const struct {
        int op;
        uint16_t into, from, result;
    } rows[] = {
        {REDUCE_ADD_F16, 0x3c00, 0x3c00, 0x4000}, /* 1 + 1 */
        {REDUCE_ADD_F16, 0x6800, 0x3c00, 0x6800}, /* 2048 + 1: to even, down */
        {REDUCE_ADD_F16, 0x6801, 0x3c00, 0x6802}, /* 2050 + 1: to even, up */
        {REDUCE_ADD_F16, 0x0001, 0x0001, 0x0002}, /* below the normal numbers */
        {REDUCE_ADD_F16, 0x03ff, 0x0001, 0x0400}, /* up to the first normal one */
        {REDUCE_ADD_F16, 0x7bff, 0x7bff, 0x7c00}, /* infinity */
        {REDUCE_ADD_F16, 0x7bff, 0x3c00, 0x7bff}, /* 65504 + 1 */
        {REDUCE_ADD_F16, 0xbc00, 0x3c00, 0x0000}, /* -1 + 1 */
        {REDUCE_MIN_F16, 0xbc00, 0x3c00, 0xbc00},
        {REDUCE_MIN_F16, 0x3c00, 0xc000, 0xc000},
        {REDUCE_MIN_F16, 0x0000, 0x8000, 0x8000}, /* +0 and -0 */
        {REDUCE_MIN_F16, 0x8000, 0x0000, 0x8000},
        {REDUCE_MIN_F16, 0x7e00, 0x3c00, 0x3c00}, /* a NaN and 1 */
        {REDUCE_MIN_F16, 0x3c00, 0x7e00, 0x3c00},
        {REDUCE_ADD_BF16, 0x3f80, 0x3f80, 0x4000}, /* 1 + 1 */
        {REDUCE_ADD_BF16, 0x4380, 0x3f80, 0x4380}, /* 256 + 1: to even, down */
        {REDUCE_ADD_BF16, 0x4381, 0x3f80, 0x4382}, /* 258 + 1: to even, up */
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k) {
        for (int i = 0; i < 128; ++i) {
            put16(src, i, rows[k].from);
            put16(dst, i, rows[k].into);
        }
        pass(launch(&tk_bulk_reduce, one, 64, 256, (tma_args){.n = 256, .op = rows[k].op}));
        for (int i = 0; i < 128; ++i) {
            uint16_t r;
            memcpy(&r, dst + 2 * i, 2);
            if (r != rows[k].result) fail_msg("row %zu: 0x%04x", k, r);
        }
    }
}

/* Sums of floats, subnormal ones among them; the last rows as an H200 gave them. */
TEST(test_float_reductions)
{
    const struct {
        uint32_t into, from, result;
    } rows[] = {
        {0x3f800000, 0x3f800000, 0x40000000}, /* 1 + 1 */
        {0x4b800001, 0x3f800000, 0x4b800002}, /* 16777218 + 1: to even, up */
        {0x00000001, 0x00400000, 0x00400001}, /* subnormal ones */
        {0x80000001, 0x80400000, 0x80400001},
        {0x00800001, 0x80800000, 0x00000001}, /* a subnormal sum */
        {0x3f800000, 0x00000001, 0x3f800000},
        {0x7f800000, 0xff800000, 0x7fffffff}, /* no number */
        {0x7fc00001, 0x3f800000, 0x7fffffff},
        {0x00000001, 0x007fffff, 0x00800000},
        {0x80000001, 0x00800000, 0x007fffff},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k) {
        for (int i = 0; i < 64; ++i) {
            memcpy(src + 4 * i, &rows[k].from, 4);
            memcpy(dst + 4 * i, &rows[k].into, 4);
        }
        pass(launch(&tk_bulk_reduce, one, 64, 256, (tma_args){.n = 256, .op = REDUCE_ADD_F32}));
        for (int i = 0; i < 64; ++i)
            if (word(dst, i) != rows[k].result) fail_msg("row %zu: 0x%08x", k, word(dst, i));
    }
}

/* Sums of doubles, as an H200 gave them: which NaN remains. */
TEST(test_double_reductions)
{
    const struct {
        uint64_t into, from, result;
    } rows[] = {
        {0x3ff0000000000000, 0x3ff0000000000000, 0x4000000000000000},
        {0x0000000000000001, 0x000fffffffffffff, 0x0010000000000000}, /* subnormal ones */
        {0x0000000000000000, 0x7ff0000000000001, 0x7ff0000000000001},
        {0x7ff0000000000001, 0x3ff0000000000000, 0x7ff0000000000001},
        {0x7ff0000000000001, 0x7ff8000000000000, 0x7ff8000000000000},
        {0x7ff8000000000000, 0x7ff0000000000001, 0x7ff0000000000001},
        {0xffffffffffffffff, 0x7ff8000000000000, 0x7ff8000000000000},
        {0x7ff0000000000000, 0xfff0000000000000, 0xfff8000000000000},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k) {
        for (int i = 0; i < 32; ++i) {
            memcpy(src + 8 * i, &rows[k].from, 8);
            memcpy(dst + 8 * i, &rows[k].into, 8);
        }
        pass(launch(&tk_bulk_reduce, one, 64, 256, (tma_args){.n = 256, .op = REDUCE_ADD_F64}));
        for (int i = 0; i < 32; ++i) assert_memory_equal(dst + 8 * i, &rows[k].result, 8);
    }
}

/* ---- tiles: the meaning of a descriptor, element by element ----------------------------------- */

/* Where element (i,j) of a tile at (x,y) comes from, NULL for outside; x and y in the layout's modes. */
static const unsigned char *element(ct_layout L, int elem_bytes, int64_t x, int64_t y)
{
    if (x < 0 || y < 0 || x >= L.shape[0] || y >= L.shape[1]) return NULL;
    return src + elem_bytes * (x * L.stride[0] + y * L.stride[1]);
}

static void check_raw(ct_layout L, ct_tuple box, int elem, int swizzle, int x, int y)
{
    const ct_tma_desc d = ct_make_tma_desc(L, box, elem, swizzle, (uintptr_t)src);
    const ct_tensor shared = ct_tma_shared(&d);
    const int bytes = ct_elem_bytes(elem), total = (int)ct_tma_shared_bytes(&d);
    const unsigned char zero[8] = {0};
    tma_args args = {.n = total, .bytes = (int32_t)ct_tma_bytes(&d)};
    assert_int_equal(shared.layout.err.status, CT_OK);
    args.src_map = map_of(d);
    args.c[0] = d.mode[0] == 0 ? x : y;
    args.c[1] = d.mode[0] == 0 ? y : x;
    setup(NULL);
    pass(launch(&tk_tile_raw, one, 64, (size_t)total, args));
    for (int i = 0; i < box.value[0]; ++i) {
        for (int j = 0; j < box.value[1]; ++j) {
            const unsigned char *from = element(L, bytes, x + i, y + j);
            const int64_t at = ct_tensor_eval(shared, i + box.value[0] * j);
            assert_memory_equal(dst + bytes * at, from ? from : zero, (size_t)bytes);
        }
    }
    assert_int_equal(dst[total], 0xee);
}

TEST(test_tiles_in_shared_memory)
{
    const struct {
        int elem, swizzle, inner; /* elements of a row */
    } rows[] = {{CT_ELEM_U8, CT_TMA_SWIZZLE_NONE, 48},
                {CT_ELEM_F16, CT_TMA_SWIZZLE_NONE, 24},
                {CT_ELEM_F16, CT_TMA_SWIZZLE_32B, 16},
                {CT_ELEM_F16, CT_TMA_SWIZZLE_64B, 32},
                {CT_ELEM_F16, CT_TMA_SWIZZLE_128B, 64},
                {CT_ELEM_F32, CT_TMA_SWIZZLE_128B, 32},
                {CT_ELEM_U8, CT_TMA_SWIZZLE_128B, 128},
                {CT_ELEM_F64, CT_TMA_SWIZZLE_64B, 8},
                {CT_ELEM_U8, CT_TMA_SWIZZLE_128B, 48},
                {CT_ELEM_F16, CT_TMA_SWIZZLE_64B, 8},
                {CT_ELEM_F32, CT_TMA_SWIZZLE_128B_ATOM_32B, 32},
                {CT_ELEM_F16, CT_TMA_SWIZZLE_128B_ATOM_64B, 64}};
    /* a row, and the first of its bytes */
    const int at[][2] = {{0, 0}, {5, 16}, {-3, -32}, {60, 80}, {200, 0}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k) {
        for (int p = 0; p < 5; ++p) {
            const int n = rows[k].inner, x = at[p][1] / ct_elem_bytes(rows[k].elem);
            /* row-major and column-major, an odd extent, rows apart by more than they are long */
            check_raw(ct_layout2(65, 101, 112, 1), ct_tuple2(8, n), rows[k].elem, rows[k].swizzle,
                      at[p][0], x);
            check_raw(ct_layout2(101, 65, 1, 112), ct_tuple2(n, 16), rows[k].elem, rows[k].swizzle,
                      x, at[p][0]);
        }
    }
}

/* The swizzles in numbers, apart from ct_swizzle: chunk c of 16 bytes (2c and 4c of the atoms) in row r
 * of 128, 64 or 32. */
TEST(test_swizzles_in_numbers)
{
    for (int r = 0; r < 16; ++r) {
        for (int c = 0; c < 8; ++c) {
            assert_int_equal(
                ct_swizzle_apply(ct_tma_swizzle(CT_TMA_SWIZZLE_128B), 128 * r + 16 * c),
                128 * r + 16 * (c ^ r % 8));
            if (c < 4)
                assert_int_equal(ct_swizzle_apply(ct_tma_swizzle(CT_TMA_SWIZZLE_128B_ATOM_32B),
                                                  128 * r + 32 * c),
                                 128 * r + 32 * (c ^ r % 4));
            if (c < 2)
                assert_int_equal(ct_swizzle_apply(ct_tma_swizzle(CT_TMA_SWIZZLE_128B_ATOM_64B),
                                                  128 * r + 64 * c),
                                 128 * r + 64 * (c ^ r % 2));
            if (c < 4)
                assert_int_equal(
                    ct_swizzle_apply(ct_tma_swizzle(CT_TMA_SWIZZLE_64B), 64 * r + 16 * c),
                    64 * r + 16 * (c ^ r / 2 % 4));
            if (c < 2)
                assert_int_equal(
                    ct_swizzle_apply(ct_tma_swizzle(CT_TMA_SWIZZLE_32B), 32 * r + 16 * c),
                    32 * r + 16 * (c ^ r / 4 % 2));
        }
    }
    for (int mode = 0; mode < CT_TMA_SWIZZLE_COUNT; ++mode) {
        const ct_swizzle s = ct_tma_swizzle(mode);
        const int known = mode != CT_TMA_SWIZZLE_128B_ATOM_32B_FLIP_8B;
        assert_int_equal(s.err.status, known ? CT_OK : CT_E_UNDECIDED);
        for (int64_t x = 0; known && x < 4096; x += 16) { /* the period is what it is said to be */
            const int64_t period = ct_tma_alignment(mode);
            assert_true(ct_swizzle_apply(s, x + period) == ct_swizzle_apply(s, x) + period);
        }
    }
    assert_int_equal(ct_tma_swizzle(7).err.status, CT_E_ARGUMENT);
}

/* Every number of dimensions: the tile moves, and nothing else changes. The third pass loads a tile
 * that begins outside, and stores it further on in each dimension. */
TEST(test_tile_copies)
{
    const int64_t extent[5] = {24, 7, 5, 3, 2}, stride[5] = {1, 32, 224, 1120, 3360};
    const int64_t box[5] = {16, 3, 2, 2, 2};
    for (int rank = 1; rank <= 5; ++rank) {
        for (int pass_number = 0; pass_number < 3; ++pass_number) {
            tma_args args = {.n = rank};
            ct_tuple shape = ct_tuple0(), strides = ct_tuple0(), boxes = ct_tuple0();
            for (int i = 0; i < rank; ++i) {
                shape = ct_append(shape, ct_int(extent[i]));
                strides = ct_append(strides, ct_int(stride[i]));
                boxes = ct_append(boxes, ct_int(box[i]));
                args.c[i] = pass_number == 0 ? 0 : pass_number == 1 ? (int)extent[i] - 2 : -1;
            }
            if (pass_number > 0) args.c[0] = pass_number == 1 ? 16 : -8; /* by 16 bytes of a row */
            args.op = pass_number == 2;
            const ct_layout L = ct_make_layout(shape, strides);
            const ct_tma_desc from = ct_make_tma_desc(L, boxes, CT_ELEM_U16, 0, (uintptr_t)src);
            const ct_tma_desc to = ct_make_tma_desc(L, boxes, CT_ELEM_U16, 0, (uintptr_t)dst);
            args.src_map = map_of(from);
            args.dst_map = map_of(to);
            args.bytes = (int32_t)ct_tma_bytes(&from);
            setup(state);
            pass(launch(&tk_bulk_copy, one, 32, 1024, args));
            static unsigned char right[BUFFER_BYTES];
            memset(right, 0xee, sizeof right);
            for (int64_t k = 0; k < ct_size(L); ++k) {
                int inside = 1, has_source = 1;
                int64_t rest = k, back = 0;
                for (int i = 0; i < rank; ++i) {
                    const int64_t c = rest % extent[i];
                    rest /= extent[i];
                    const int64_t shift = i == 0 ? 8 * args.op : args.op;
                    inside &= c >= args.c[i] + shift && c < args.c[i] + shift + box[i];
                    has_source &= c >= shift;
                    back += shift * stride[i];
                }
                unsigned char *const at = right + 2 * ct_eval(L, k);
                if (inside && has_source) memcpy(at, src + 2 * (ct_eval(L, k) - back), 2);
                else if (inside) memset(at, 0, 2);
            }
            assert_memory_equal(dst, right, sizeof right);
        }
    }
}

/* 8 bytes c of row r, in the mode that no ct_swizzle is. */
TEST(test_flipped_halves)
{
    const ct_tma_desc d =
        ct_make_tma_desc(ct_layout2(32, 64, 1, 32), ct_tuple2(32, 16), CT_ELEM_U32,
                         CT_TMA_SWIZZLE_128B_ATOM_32B_FLIP_8B, (uintptr_t)src);
    tma_args args = {.n = 2048, .c = {0, 3}};
    args.src_map = map_of(d);
    pass(launch(&tk_tile_raw, one, 64, 2048, args));
    for (int r = 0; r < 16; ++r) {
        for (int c = 0; c < 16; ++c) {
            const int place = (c / 4 ^ r % 4) * 4 + (c % 4 ^ r % 2);
            assert_memory_equal(dst + 128 * r + 8 * place, src + 128 * (r + 3) + 8 * c, 8);
        }
    }
}

/* Every second row; and NaN outside. */
TEST(test_steps_and_fill)
{
    const ct_layout L = ct_layout2(16, 40, 1, 16);
    ct_tma_desc d = ct_make_tma_desc(L, ct_tuple2(16, 8), CT_ELEM_F32, 0, (uintptr_t)src);
    d.step[1] = 3;
    d.fill = CT_TMA_FILL_NAN;
    d = ct_tma_check(d);
    assert_int_equal(d.rule, CT_TMA_OK);
    assert_int_equal(ct_tma_bytes(&d), 16 * 3 * 4);
    const tma_args args = {.n = 16 * 3 * 4, .src_map = map_of(d), .c = {4, 5}};
    pass(launch(&tk_tile_raw, one, 32, 1024, args));
    for (int j = 0; j < 3; ++j) {
        for (int i = 0; i < 16; ++i)
            assert_int_equal(word(dst, 16 * j + i),
                             i + 4 < 16 ? word(src, 16 * (5 + 3 * j) + i + 4) : 0x7ff77ff7);
    }
}

/* Numbers of 10 bits, as an H200 rounds them when it loads. */
TEST(test_tf32)
{
    static const uint32_t rows[][2] = {
        {0x40096fe8, 0x40096000}, {0x3fafdcfb, 0x3fafe000}, /* to the nearest, down and up */
        {0x3f801000, 0x3f800000}, {0x3f803000, 0x3f804000}, /* ties */
        {0xbf801000, 0xbf800000}, {0xbf803000, 0xbf804000}, {0x00000001, 0x00000000},
        {0x80000001, 0x80000000}, {0x007fffff, 0x00800000}, {0x00400000, 0x00400000},
        {0x80402000, 0x80402000}, {0x7f7fffff, 0x7f800000}, {0xff800000, 0xff800000},
        {0x7f800001, 0x7fffe000}, {0x7fc00000, 0x7fffe000}, {0xffffffff, 0x7fffe000}};
    for (int elem = CT_ELEM_F32_FTZ; elem <= CT_ELEM_TF32_FTZ; ++elem) {
        const ct_tma_desc d =
            ct_make_tma_desc(ct_layout2(16, 1, 1, 16), ct_tuple2(16, 1), elem, 0, (uintptr_t)src);
        for (int i = 0; i < 16; ++i) memcpy(src + 4 * i, &rows[i][0], 4);
        pass(launch(&tk_tile_raw, one, 32, 64, (tma_args){.n = 64, .src_map = map_of(d)}));
        for (int i = 0; i < 16; ++i)
            assert_int_equal(word(dst, i), rows[i][elem != CT_ELEM_F32_FTZ]);
    }
}

TEST(test_tile_reductions)
{
    const ct_layout L = ct_layout2(64, 64, 1, 64);
    const ct_dim3 four = {2, 2, 1};
    const ct_tma_desc from = ct_make_tma_desc(L, ct_tuple2(16, 16), CT_ELEM_U32, 0, (uintptr_t)src);
    ct_tma_desc to = ct_make_tma_desc(L, ct_tuple2(16, 16), CT_ELEM_U32, 0, (uintptr_t)dst);
    tma_args args = {.n = 16, .bytes = 1024, .op = REDUCE_ADD_U32, .c = {56, 58}};
    args.src_map = map_of(from);
    args.dst_map = map_of(to);
    pass(launch(&tk_tile_reduce, four, 32, 1024, args));
    for (int i = 0; i < 64; ++i) {
        for (int j = 0; j < 64; ++j) {
            uint32_t sum = 0xeeeeeeee;
            for (int b = 0; b < 4 && i >= 56 && j >= 58; ++b)
                sum += word(src, (b % 2 * 16 + i - 56) + 64 * (b / 2 * 16 + j - 58));
            assert_int_equal(word(dst, i + 64 * j), sum);
        }
    }
    setup(state);
    to.elem = CT_ELEM_S32;
    args.dst_map = map_of(ct_tma_check(to));
    args.op = REDUCE_MIN_S32;
    pass(launch(&tk_tile_reduce, four, 32, 1024, args));
    for (int b = 0, j = 58; j < 64; ++j) {
        int32_t least = (int32_t)0xeeeeeeee;
        for (b = 0; b < 4; ++b) {
            const int32_t x = (int32_t)word(src, b % 2 * 16 + 3 + 64 * (b / 2 * 16 + j - 58));
            if (x < least) least = x;
        }
        assert_int_equal((int32_t)word(dst, 59 + 64 * j), least);
    }
}

/* Two clusters of two blocks; what one block loads, both have. */
TEST(test_multicast)
{
    const ct_layout L = ct_layout2(64, 64, 1, 64);
    const ct_dim3 four = {4, 1, 1};
    const ct_tma_desc d =
        ct_make_tma_desc(L, ct_tuple2(32, 8), CT_ELEM_U32, CT_TMA_SWIZZLE_128B, (uintptr_t)src);
    tma_args args = {.n = 3, .bytes = 1024, .c = {16, 8}};
    args.src_map = map_of(d);
    pass(launch(&tk_multicast, four, 64, 2048, args));
    for (int b = 0; b < 4; ++b) {
        for (int row = 0; row < 48; ++row) {
            for (int i = 0; i < 32; ++i) {
                const int at = (i / 4 ^ row % 8) * 4 + i % 4; /* the swizzle, in words */
                assert_int_equal(word(dst, (48 * b + row) * 32 + at),
                                 word(src, 16 + i + 64 * (8 + row)));
            }
        }
    }
}

/* Two clusters of four blocks: each has what all four wrote, its own last. */
TEST(test_read_cluster)
{
    const ct_dim3 eight = {8, 1, 1};
    pass(launch(&tk_read_cluster, eight, 64, 0, (tma_args){.n = 1}));
    for (int b = 0; b < 8; ++b)
        for (int i = 0; i < 4; ++i)
            for (int t = 0; t < 64; ++t)
                for (int k = 0; k < 4; ++k) {
                    const int from = b / 4 * 4 + (b + i + 1) % 4;
                    assert_int_equal(word(dst, 4 * (64 * (4 * b + i) + t) + k),
                                     k ? k : 1000 * from + 63 - t);
                }
}

GROUP_OF_EACH("tma", setup, teardown)
