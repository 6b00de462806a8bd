/* Branches of matrix instructions that no instruction of the other tests takes: operands that none has,
 * steps below 0, fields past 64 bits, permutations that an atom does not divide. */
#include "same_error.h"
#include "sweep.h"

#include <cutlet/mma/gemm_partition.h>
#include <cutlet/mma/mma_descriptor_bits.h>
#include <cutlet/mma/mma_descriptor_nearest.h>
#include <cutlet/mma/mma_name.h>
#include <cutlet/mma/mma_partition.h>
#include <cutlet/mma/mma_sparse.h>

#define DESC(value, why_, mode_, a, b)                                                             \
    same(#value, (value).err, ct_make_error(CT_E_ARGUMENT, CT_OP_MMA_DESCRIPTOR, why_, mode_, a, b))

TEST(names)
{
    assert_string_equal(ct_mma_type_name(-1), "");
    assert_int_equal(ct_mma_op_named("SM80_16x8y16_F32F16F16F32_TN").kind, CT_MMA_NO_KIND);
    ct_mma_op op = ct_mma_op_named("SM80_16x8x16_F32F16F16F32_TN");
    assert_int_equal(ct_mma_exists(op), 2);
    op.major = CT_MMA_TN - 1;
    assert_int_equal(ct_mma_exists(op), 1);
    assert_int_equal(ct_mma_operand_type(op, CT_MMA_C), CT_MMA_F32);
    assert_int_equal(ct_mma_operand_type(op, CT_MMA_B), CT_MMA_F16);
    assert_int_equal(ct_mma_selectors(ct_mma_op_named("SM100_SPARSE_128x16x32_F32F16F16_SS")), 1);
    const ct_mma_op one =
        ct_mma_op_named("SM80_SPARSE_16x8x64_S32S8S8S32_TN"); /* all threads of four */
    for (int t = 0; t < 4; ++t) assert_true(ct_mma_reads_e(one, t, 0) && ct_mma_reads_e(one, t, 1));
}

TEST(descriptors)
{
    const ct_mma_atom a = ct_make_mma_atom("SM90_64x64x16_F32F16F16_SS");
    ct_tensor t = ct_make_tensor(L_("((8,8),(8,2)):((8,-128),(1,64))"));
    DESC(ct_make_mma_descriptor(t, CT_MMA_A, a), CT_WHY_DESC_FIELD, 0, -256, 262128);
    t = ct_make_tensor(L_("((8,8),(8,2)):((8,128),(1,-64))"));
    DESC(ct_make_mma_descriptor(t, CT_MMA_A, a), CT_WHY_DESC_FIELD, 1, -128, 262128);
    t = ct_make_tensor(L_("((8,8),(8,2)):((8,128),(1,64))"));
    t.offset = ct_int(-8);
    DESC(ct_make_mma_descriptor(t, CT_MMA_A, a), CT_WHY_INDEX, 0, -16, 262144);
    t.offset = ct_tuple0();
    const ct_mma_descriptor d = ct_make_mma_descriptor(t, CT_MMA_A, a);
    assert_true(d.err.status == CT_OK && d.start_bytes == 0 && d.leading_bytes == 128 &&
                d.stride_bytes == 256);
    t = ct_make_tensor(L_("(64,16):(0,0)"));
    t.offset = ct_tuple2(1, 2);
    DESC(ct_make_mma_descriptor(t, CT_MMA_A, a), CT_WHY_NOT_INTEGER, 0, 0, 0);
    DESC(ct_mma_descriptor_of(-1, a), CT_WHY_DESC_OPERAND, -1, 0, 0);
    same("past what a descriptor can name", ct_mma_descriptor_at(d, 262144).err,
         ct_make_error(CT_E_DOMAIN, CT_OP_MMA_DESCRIPTOR, CT_WHY_INDEX, 0, 262144, 262144));
    assert_int_equal(ct_mma_descriptor_at(d, 262128).err.status, CT_OK);
    t = ct_make_tensor(L_("((8,8),(8,2,2)):((8,128),(1,64,0))")); /* the same part of A twice */
    assert_true(ct_layout_equal(ct_make_mma_descriptor(t, CT_MMA_A, a).steps, L_("(1,2):(0,0)")));
    assert_int_equal(ct_mma_line_bytes(CT_MMA_SWIZZLE_128B_32B), 128);
    assert_int_equal(ct_mma_line_bytes(CT_MMA_SWIZZLE_128B), 128);
    assert_int_equal(ct_mma_nearest_major(ct_layout_fail(mark(1))), CT_MMA_K_MAJOR);
    assert_int_equal(ct_mma_nearest_major(L_("(1,64):(1,2)")), CT_MMA_K_MAJOR);
    assert_int_equal(ct_mma_nearest_major(L_("(64,1):(2,1)")), CT_MMA_MN_MAJOR);
    FAILS(ct_mma_descriptor_nearest(ct_make_tensor(L_("(8,32):(1,8)")), CT_MMA_B,
                                    ct_make_mma_atom("SM100_64x8x32_F32E4M3E4M3_SS")),
          CT_E_NO_LAYOUT, CT_OP_MMA_DESCRIPTOR, CT_WHY_TILE_DIVIDES, 0, 8, 8);
}

/* Runs of a mode, and what is said of the first place that is none. */
TEST(runs)
{
    assert_true(ct_mma_times(INT64_MAX, 2) == INT64_MAX &&
                ct_mma_times(-INT64_MAX, -2) == INT64_MAX);
    assert_true(ct_mma_times(INT64_MAX, -2) == INT64_MIN &&
                ct_mma_times(-INT64_MAX, 2) == INT64_MIN);
    assert_false(ct_mma_is_run(L_("3:1"), 2));
    assert_true(ct_mma_is_run(L_("4:1"), 2));
    same("every second", ct_mma_pieces(L_("8:2"), 0, 8, 1).err,
         ct_make_error(CT_E_ARGUMENT, CT_OP_MMA_DESCRIPTOR, CT_WHY_DESC_PIECES, 0, 4, 0));
    same("twelve", ct_mma_pieces(L_("12:1"), 0, 8, 1).err,
         ct_make_error(CT_E_ARGUMENT, CT_OP_MMA_DESCRIPTOR, CT_WHY_DESC_PIECES, 0, 2, 0));
    assert_true(ct_layout_equal(ct_mma_pieces(L_("1:3"), 0, 8, 0), L_("1:0")));
    const ct_mma_runs far = {2, 5, INT64_MAX, 0}, four = {4, 1, 0, 1};
    assert_int_equal(ct_mma_runs_at(far, 3), INT64_MAX);
    assert_int_equal(ct_mma_runs_at(far, 1), 5);
    const ct_error last = ct_mma_runs_error(L_("4:1"), four, 1, CT_WHY_DESC_RUN, 8, 16);
    assert_true(last.mode == 1 && last.other == 24 && last.n[0] == 48 && last.n[1] == 48);
}

TEST(partitions)
{
    const ct_mma_atom atom = ct_make_mma_atom("SM80_16x8x16_F32F16F16F32_TN");
    const ct_tiled_mma t = ct_make_tiled_mma(atom, ct_make_col_major(T("(2,2,1)")), ct_tiler0());
    const ct_tensor batch = ct_make_tensor(L_("(64,32,3):(32,1,2048)"));
    assert_true(ct_layout_equal(ct_partition_a(t, batch, 5).layout,
                                L_("((2,2,2),2,2,3):((1,256,8),1024,16,2048)")));
    FAILS(ct_partition_a(t, ct_make_tensor(L_("((3,5),32):((32,1000),1)")), 5), CT_E_NO_LAYOUT,
          CT_OP_COMPOSITION, CT_WHY_SHAPE_CROSSES, 0, 32, 3);
    FAILS(ct_partition_a(
              t, ct_make_tensor(L_("(64,32,2,2,2,2,2,2,2,2,2):(32,1,1,1,1,1,1,1,1,1,1)")), 5),
          CT_E_CAPACITY, CT_OP_MAKE_LAYOUT, CT_WHY_LEAVES, 0, CT_MAX_LEAVES + 2, CT_MAX_LEAVES);
    const ct_tiled_mma
        three = /* (3,2) atoms of one mode, of which two threads carry out two at once */
        ct_make_tiled_mma(atom, ct_make_col_major(T("(2,2,1)")),
                          ct_tiler_append(ct_tiler0(), L_("96:1")));
    FAILS(ct_partition_a(three, ct_make_tensor(L_("((16,3,2),32):((32,1000,5000),1)")), 5),
          CT_E_NO_LAYOUT, CT_OP_COMPOSITION, CT_WHY_STRIDE_CROSSES, 1, 2, 3);
    const ct_tiled_mma cut = ct_make_tiled_mma(atom, ct_make_col_major(T("(1,1,1)")),
                                               ct_tiler_append(ct_tiler0(), L_("(3,16):(16,1)")));
    FAILS(ct_tiled_mma_tv(cut, CT_MMA_A), CT_E_NO_LAYOUT, CT_OP_COMPOSITION, CT_WHY_SHAPE_CROSSES,
          0, 16, 3);
    assert_int_equal(ct_tiled_mma_tv(cut, CT_MMA_B).err.status, CT_OK);
}

static ct_error descriptor_of(const char *name, int operand, const char *layout, ct_swizzle s)
{
    const ct_tensor by_hand = {s, ct_int(0), L_(layout)};
    return ct_make_mma_descriptor(by_hand, operand, ct_make_mma_atom(name)).err;
}

/* Whole sentences of what no command raises, or only in parts. */
TEST(sentences)
{
    static const char ss[] = "SM90_64x64x16_F32F16F16_SS";
    const ct_swizzle none = ct_swizzle_none();
    ct_tensor second = ct_make_tensor(L_("((8,8),(8,2)):((8,128),(1,64))"));
    second.offset = ct_int(4);
    const struct {
        ct_error e;
        const char *sentence;
    } row[] = {
        {ct_make_mma_atom("SM80_16x16x16_F32F16F16F32_TN").err,
         "mma_atom: sm_80 has no MMA instruction of shape 16 x 16 x 16 by that kind"},
        {ct_make_mma_atom("SM80_16x8x16_F32F16F16F16_TN").err,
         "mma_atom: the MMA instruction of shape 16 x 8 x 16 of sm_80 has no variant with "
         "these types and operands"},
        {ct_make_mma_atom("SM100_SPARSE_64x64x32_F32F16F16_SS").err,
         "mma_atom: tcgen05.mma.sp of shape 64 x 64 x 32 has 64 rows a block; the places of "
         "its metadata are published only as figures, so only 128 rows a block are supported"},
        {ct_make_gemm(ct_make_tiled_mma(ct_make_mma_atom(ss), L_("(1,1,1)"), ct_tiler0()),
                      ct_tuple3(64, 64, 64), ct_in_registers(), ct_in_registers())
             .err,
         "product of tiles: the instruction does not read A from memory 2 and B from memory 2 (0 is global, 1 shared, 2 "
         "registers)"},
        {ct_make_mma_instruction(ct_make_mma_atom(ss).op).err,
         "mma_atom: only dense tcgen05.mma without scales has an instruction descriptor, and "
         "this is another instruction, of sm_90"},
        {descriptor_of("SM100_64x64x16_F32F16F16_SS", CT_MMA_A, "(64,64):(64,1)",
                       ct_make_swizzle(2, 4, 2)),
         "mma_descriptor: sm_100 does not read elements of this type, contiguous in mode 1, "
         "by Sw<2,5,2> of bytes; Sw<2,5,2> is for 32 bits along m or n on sm_100, which have "
         "no other"},
        {descriptor_of(ss, CT_MMA_A, "(64,24):(24,1)", none),
         "mma_descriptor: mode 1 has 24 elements, not a multiple of the 16 that one "
         "instruction reads"},
        {ct_make_mma_descriptor(second, CT_MMA_A, ct_make_mma_atom(ss)).err,
         "mma_descriptor: the tile begins at element 4, not at a multiple of the 8 elements "
         "of 16 bytes"},
        {descriptor_of(ss, CT_MMA_A, "((48,4),16):((1,100),1000)", none),
         "mma_descriptor: the modes of the tile cannot be divided into 64 x 16 elements, "
         "which one instruction reads"},
        {descriptor_of(ss, CT_MMA_A, "(64,16):(1@0,1@1)", none),
         "mma_descriptor: the tile has basis strides where integers are needed"},
        {ct_mma_descriptor_nearest(ct_make_tensor(L_("(8,32):(1,8)")), CT_MMA_B,
                                   ct_make_mma_atom("SM100_64x8x32_F32E4M3E4M3_SS"))
             .layout.err,
         "mma_descriptor: no swizzle row of this instruction divides the 8 bytes of mode 0 "
         "and the 8 of its part"},
    };
    int wrong = 0;
    for (size_t i = 0; i < sizeof row / sizeof *row; ++i)
        wrong += !error_says(row[i].e, row[i].sentence);
    assert_int_equal(wrong, 0);
}

GROUP("guards of matrix instructions", NULL, NULL)
