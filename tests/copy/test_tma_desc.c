/* Tensor maps: every rule of a descriptor is kept, and broken with the sentence that names it. */
#include "test.h"

#include <cutlet/cutlet.h>
#include <cutlet/host/tma.h>

static void refuse(ct_tma_desc d, int rule, const char *sentence)
{
    char text[CT_MESSAGE_BYTES];
    ct_tma_map map;
    assert_string_equal(ct_tma_explain(&d, text), sentence);
    assert_int_equal(d.rule, rule);
    assert_int_equal(d.err.status, CT_E_ARGUMENT);
    assert_int_equal(ct_grid_tma_map(&d, &map, text), CT_E_ARGUMENT);
    assert_string_equal(text, sentence);
}

/* The legal descriptor of a 64 x 64 matrix of half, row-major, with one number changed. */
static ct_tma_desc matrix(ct_layout L, ct_tuple box, int elem, int swizzle, uint64_t address)
{
    return ct_make_tma_desc(L, box, elem, swizzle, address);
}

TEST(test_rules)
{
    const ct_layout L = ct_layout2(64, 64, 64, 1);
    const ct_tuple box = ct_tuple2(16, 64);
    const int64_t far = (int64_t)1 << 40;
    ct_layout six = ct_make_col_major(ct_tuple3(2, 2, 2));
    six = ct_layout_append(six, ct_layout1(2, 8));
    six = ct_layout_append(ct_layout_append(six, ct_layout1(2, 16)), ct_layout1(2, 32));
    const ct_tma_desc d = matrix(L, box, CT_ELEM_F16, CT_TMA_SWIZZLE_128B, 4096);
    assert_int_equal(d.rule, CT_TMA_OK);
    assert_int_equal(d.mode[0], 1);
    assert_int_equal(d.extent[0], 64);
    assert_int_equal(d.stride[1], 128);
    assert_int_equal(d.box[1], 16);
    refuse(matrix(six, box, CT_ELEM_U8, 0, 0), CT_TMA_RULE_RANK,
           "6 dimensions; a tensor map has 1 to 5");
    refuse(matrix(L, box, 13, 0, 0), CT_TMA_RULE_ELEM, "there is no element type 13");
    refuse(matrix(L, box, CT_ELEM_F16, 7, 0), CT_TMA_RULE_SWIZZLE, "there is not a swizzle mode 7");
    refuse(matrix(L, ct_int(64), CT_ELEM_F16, 0, 0), CT_TMA_RULE_BOX_RANK,
           "the box has 1 modes and the layout 2; the box needs an integer for each");
    refuse(matrix(L, box, CT_ELEM_F16, 0, 4104), CT_TMA_RULE_ADDRESS,
           "the address 0x1008 is not a multiple of 16");
    refuse(matrix(ct_layout2(64, 64, 128, 2), box, CT_ELEM_F16, 0, 0), CT_TMA_RULE_UNIT,
           "no mode has stride 1; the first dimension needs it");
    refuse(matrix(ct_layout2(64, 63, 63, 1), box, CT_ELEM_F16, 0, 0), CT_TMA_RULE_STRIDE_MULTIPLE,
           "dimension 1 has stride 126 bytes, not a multiple of 16");
    refuse(matrix(ct_layout2(64, 64, -64, 1), box, CT_ELEM_F16, 0, 0), CT_TMA_RULE_STRIDE_NEGATIVE,
           "dimension 1 has the negative stride -128 bytes");
    refuse(matrix(ct_layout2(2, 64, far, 1), box, CT_ELEM_U8, 0, 0), CT_TMA_RULE_STRIDE_LARGE,
           "dimension 1 has stride 1099511627776 bytes; a stride is below 2^40");
    assert_int_equal(matrix(ct_layout2(2, 64, far - 16, 1), box, CT_ELEM_U8, 0, 0).rule, CT_TMA_OK);
    refuse(matrix(ct_layout2(2, (far >> 8) + 1, 16, 1), box, CT_ELEM_U8, 0, 0), CT_TMA_RULE_EXTENT,
           "dimension 0 has extent 4294967297; an extent is 1 to 2^32");
    assert_int_equal(matrix(ct_layout2(2, far >> 8, 16, 1), box, CT_ELEM_U8, 0, 0).rule, CT_TMA_OK);
    refuse(matrix(L, ct_tuple2(257, 8), CT_ELEM_F16, 0, 0), CT_TMA_RULE_BOX,
           "dimension 1 of the box is 257; it is 1 to 256");
    refuse(matrix(L, ct_tuple2(0, 8), CT_ELEM_F16, 0, 0), CT_TMA_RULE_BOX,
           "dimension 1 of the box is 0; it is 1 to 256");
    refuse(matrix(L, ct_tuple2(8, 12), CT_ELEM_F16, 0, 0), CT_TMA_RULE_BOX_MULTIPLE,
           "the first dimension of the box is 24 bytes, not a multiple of 16");
    for (int swizzle = 1; swizzle < CT_TMA_SWIZZLE_COUNT; ++swizzle) {
        const int64_t span = swizzle == 1 ? 32 : swizzle == 2 ? 64 : 128;
        char sentence[CT_MESSAGE_BYTES] = "the first dimension of the box is 48 bytes, more than "
                                          "the 32 of the swizzle";
        assert_int_equal(matrix(L, ct_tuple2(8, span), CT_ELEM_U8, swizzle, 0).rule, CT_TMA_OK);
        if (span == 64)
            memcpy(strstr(sentence, "48"), "80", 2), memcpy(strstr(sentence, "32"), "64", 2);
        if (span < 128)
            refuse(matrix(L, ct_tuple2(8, span + 16), CT_ELEM_U8, swizzle, 0),
                   CT_TMA_RULE_BOX_SWIZZLE, sentence);
        else
            assert_int_equal(matrix(L, ct_tuple2(8, 144), CT_ELEM_U8, swizzle, 0).rule,
                             CT_TMA_RULE_BOX_SWIZZLE);
    }
    const ct_layout nested = ct_make_layout2(ct_layout2(4, 16, 64, 1024), ct_layout1(64, 1));
    refuse(matrix(nested, box, CT_ELEM_F16, 0, 0), CT_TMA_RULE_MODE,
           "mode 0 has no single stride: it does not coalesce to one integer");
    const ct_layout merged = ct_make_layout2(ct_layout2(4, 16, 64, 256), ct_layout1(64, 1));
    assert_int_equal(matrix(merged, box, CT_ELEM_F16, 0, 0).rule, CT_TMA_OK);
    refuse(matrix(ct_make_identity_layout(ct_tuple2(8, 8)), box, CT_ELEM_F16, 0, 0),
           CT_TMA_RULE_INTEGER, "mode 0 has a basis stride; it needs an integer");
    const ct_tma_desc failed = matrix(ct_layout1(0, 1), box, CT_ELEM_F16, 0, 0);
    refuse(failed, CT_TMA_RULE_LAYOUT, "the layout, or the box, is a failed one");
}

/* The rules of what is set after the layout. */
TEST(test_rules_of_modes)
{
    ct_tuple shape = ct_tuple3(64, 8, 4), box = ct_tuple3(32, 8, 1);
    const ct_layout L = ct_make_layout(shape, ct_tuple3(1, 64, 512));
    const ct_tma_desc legal = ct_make_tma_desc(L, box, CT_ELEM_U8, CT_TMA_SWIZZLE_32B, 32);
    ct_tma_desc d = legal;
    assert_int_equal(legal.rule, CT_TMA_OK);
    d.interleave = CT_TMA_INTERLEAVE_32B;
    refuse(ct_tma_check(d), CT_TMA_RULE_INTERLEAVE,
           "interleave mode 2; only maps that are not interleaved, 0, are supported");
    d = legal;
    d.l2 = 4;
    refuse(ct_tma_check(d), CT_TMA_RULE_L2, "there is no L2 promotion 4");
    d = legal;
    d.fill = CT_TMA_FILL_NAN;
    refuse(ct_tma_check(d), CT_TMA_RULE_FILL,
           "only floating-point elements can be filled with NaN");
    d.fill = 2;
    refuse(ct_tma_check(d), CT_TMA_RULE_FILL, "there is no such fill");
    d = legal;
    d.step[2] = 9;
    refuse(ct_tma_check(d), CT_TMA_RULE_STEP, "dimension 2 has element stride 9; it is 1 to 8");
    d.step[2] = 0;
    refuse(ct_tma_check(d), CT_TMA_RULE_STEP, "dimension 2 has element stride 0; it is 1 to 8");
    d.step[2] = 8;
    assert_int_equal(ct_tma_check(d).rule, CT_TMA_OK); /* mended, it is legal again */
    d.box[1] = 228;
    d.box[2] = 256; /* 32 of them, 32 bytes each */
    assert_int_equal(ct_tma_bytes(&d), CT_TMA_TILE_BYTES);
    assert_int_equal(ct_tma_check(d).rule, CT_TMA_OK);
    d.box[1] = 229;
    refuse(ct_tma_check(d), CT_TMA_RULE_TILE,
           "a tile has 234496 bytes, more than the 233472 of shared memory");
    const ct_tma_desc wrong = ct_tma_check(d); /* its numbers may be any */
    assert_int_equal(ct_tma_bytes(&wrong), CT_INVALID);
    assert_int_equal(ct_tma_row_bytes(&wrong), CT_INVALID);
    assert_int_equal(ct_tma_shared_bytes(&wrong), CT_INVALID);
}

/* The coordinates of a descriptor, and a matrix of one row, whose stride nobody walks. */
TEST(test_coordinates)
{
    const ct_tma_desc d =
        ct_make_tma_desc(ct_layout2(64, 32, 32, 1), ct_tuple2(16, 32), CT_ELEM_F16, 0, 0);
    const ct_layout coords = ct_tma_coords(&d);
    assert_int_equal(coords.shape[0], 64);
    assert_int_equal(coords.basis[0], 2); /* 1@1 */
    assert_int_equal(coords.basis[1], 1); /* 1@0 */
    const ct_tma_desc row =
        ct_make_tma_desc(ct_layout2(1, 64, 1, 1), ct_tuple2(1, 64), CT_ELEM_F16, 0, 0);
    assert_int_equal(row.rule, CT_TMA_OK);
    assert_int_equal(row.mode[0], 1);
}

GROUP("tma descriptors", NULL, NULL)
