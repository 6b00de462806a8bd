/* Which instructions there are: all of the table and none that differs from one in a single field; what
 * is the same instruction; instruction descriptors; the refusals of MMA atoms. */
#include "error_said.h"
#include "sweep.h"

#include "../../src/text/mma_names.h"
#include <cutlet/mma/mma_instruction.h>
#include <cutlet/mma/mma_tensor_memory.h>

/* LISTED: over all families the types and forms, widths, places of A and orders of modes. */
enum { FIELDS = 16, MOST = 1 << 16, LISTED = 24807 };

static ct_mma_op all[MOST];
static int count;

static int *field(ct_mma_op *op, int k)
{
    int *const fields[FIELDS] = {&op->kind,   &op->arch,   &op->m,      &op->n,
                                 &op->k,      &op->d,      &op->a,      &op->b,
                                 &op->c,      &op->blocks, &op->a_from, &op->b_from,
                                 &op->c_from, &op->major,  &op->form,   &op->sparse};
    return fields[k];
}

static int compare(const void *x, const void *y) { return memcmp(x, y, sizeof(ct_mma_op)); }

static int keep(void *context, ct_mma_op op)
{
    (void)context;
    assert_true(count < MOST);
    all[count++] = op;
    return 0;
}

static void list(void)
{
    if (count) return;
    assert_int_equal(ct_mma_each(keep, NULL), 0);
    qsort(all, (size_t)count, sizeof all[0], compare);
}

static int listed(ct_mma_op op)
{
    return bsearch(&op, all, (size_t)count, sizeof all[0], compare) != NULL;
}

/* 1 where what ct_mma_exists says of op is what the list says. */
static int told_right(ct_mma_op op) { return (ct_mma_exists(op) == 2) == listed(op); }

/* Instructions of the list, each fifth, and each that has another number in one field. */
TEST(neighbours)
{
    list();
    assert_int_equal(count, LISTED);
    int wrong = 0, tried = 0;
    for (int i = 0; i < count; i += 5) {
        wrong += !told_right(all[i]);
        for (int k = 0; k < FIELDS; ++k) {
            const int now = *field(&all[i], k);
            const int to[] = {0,  1,  2,       3,       4,       5,       6,       7,      9,
                              15, 19, now - 8, now - 1, now + 1, now + 8, now * 2, now / 2};
            const int sized =
                k < 5 && k > 0; /* arch, m, n, k: numbers; the others are enumerations */
            for (int j = sized ? 11 : 0; j < (sized ? 17 : 11); ++j) {
                ct_mma_op op = all[i];
                *field(&op, k) = to[j];
                ++tried;
                wrong += to[j] >= 0 && !told_right(op);
            }
        }
    }
    print_message("%d instructions, %d others\n", count, tried);
    assert_int_equal(wrong, 0);
}

/* Every instruction of the list, and what is not an instruction: B read from elsewhere, another form. */
TEST(every_family)
{
    list();
    int wrong = 0;
    for (int i = 0; i < count; ++i) {
        ct_mma_op from = all[i], form = all[i];
        from.b_from = (from.b_from + 1) % 3;
        form.form = 31;
        wrong += !told_right(all[i]) + !told_right(from) + !told_right(form);
    }
    assert_int_equal(wrong, 0);
}

TEST(same)
{
    list();
    for (int i = 0; i < count; i += 97) {
        assert_true(ct_mma_same_op(all[i], all[i]));
        for (int k = 0; k < FIELDS; ++k) {
            ct_mma_op op = all[i];
            *field(&op, k) += 1;
            assert_false(ct_mma_same_op(op, all[i]));
            assert_false(ct_mma_same_op(all[i], op));
        }
    }
}

static ct_mma_op block_op(void)
{
    ct_mma_op op = {0};
    op.kind = CT_MMA_BLOCK;
    op.arch = 100;
    op.blocks = 1;
    op.m = 128;
    op.n = 64;
    op.k = 16;
    op.d = op.c = CT_MMA_F32;
    op.a = op.b = CT_MMA_F16;
    op.a_from = op.b_from = CT_MMA_SHARED;
    op.c_from = CT_MMA_TENSOR_MEMORY;
    return op;
}

/* The fields of an instruction descriptor, as the PTX ISA numbers them. */
TEST(instructions)
{
    static const struct {
        int type, number;
    } types[] = {{CT_MMA_F16, 0},  {CT_MMA_BF16, 1}, {CT_MMA_TF32, 2}, {CT_MMA_E4M3, 0},
                 {CT_MMA_E5M2, 1}, {CT_MMA_E2M3, 3}, {CT_MMA_E3M2, 4}, {CT_MMA_E2M1, 5},
                 {CT_MMA_U8, 0},   {CT_MMA_S8, 1}};
    const uint32_t shape = 64u / 8 << 17 | 128u / 16 << 24;
    for (size_t i = 0; i < sizeof types / sizeof types[0]; ++i) {
        ct_mma_op op = block_op();
        op.a = types[i].type;
        assert_int_equal(ct_make_mma_instruction(op).bits,
                         shape | 1u << 4 | (uint32_t)types[i].number << 7);
        op = block_op();
        op.b = types[i].type;
        assert_int_equal(ct_make_mma_instruction(op).bits,
                         shape | 1u << 4 | (uint32_t)types[i].number << 10);
    }
    ct_mma_op op = block_op();
    op.d = CT_MMA_F16;
    assert_int_equal(ct_make_mma_instruction(op).bits, shape);
    op.d = CT_MMA_S32;
    assert_int_equal(ct_make_mma_instruction(op).bits, shape | 2u << 4);
    static const uint32_t transposed[] = {0, 3, 1,
                                          2}; /* TN, NT, NN, TT: bit 0 is A's, bit 1 is B's */
    for (int major = CT_MMA_TN; major <= CT_MMA_TT; ++major) {
        op = block_op();
        op.major = major;
        assert_int_equal(ct_make_mma_instruction(op).bits,
                         shape | 1u << 4 | transposed[major] << 15);
    }
    op = block_op();
    op.form = CT_MMA_SATURATE;
    assert_int_equal(ct_make_mma_instruction(op).bits, shape | 1u << 4 | 1u << 3);
    op = block_op();
    op.n = 8;
    op.m = 64;
    assert_int_equal(ct_make_mma_instruction(op).bits, 1u << 17 | 4u << 24 | 1u << 4);
}

static void no_instruction(ct_mma_op op)
{
    const ct_error e = ct_make_mma_instruction(op).err;
    assert_int_equal(e.status, CT_E_ARGUMENT);
    assert_int_equal(e.op, CT_OP_MMA_ATOM);
    assert_int_equal(e.why, CT_WHY_MMA_INSTRUCTION);
    assert_int_equal(e.other, 100);
    assert_null(error_unsaid(e));
}

TEST(no_instructions)
{
    static const struct {
        int field, number;
    } rows[] = {{0, CT_MMA_WARPGROUP}, {5, CT_MMA_F64},        {5, CT_MMA_BF16},
                {6, CT_MMA_F32},       {7, CT_MMA_S4},         {6, CT_MMA_NO_TYPE},
                {14, CT_MMA_SCALED},   {14, CT_MMA_SCALED_16}, {15, 1}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        ct_mma_op op = block_op();
        *field(&op, rows[i].field) = rows[i].number;
        no_instruction(op);
    }
}

/* The bits of every type. */
TEST(bits)
{
    static const int of[CT_MMA_TYPE_COUNT] = {
        [CT_MMA_F16] = 16, [CT_MMA_BF16] = 16, [CT_MMA_TF32] = 32,  [CT_MMA_F32] = 32,
        [CT_MMA_F64] = 64, [CT_MMA_C64] = 128, [CT_MMA_GC64] = 192, [CT_MMA_U1] = 1,
        [CT_MMA_S4] = 4,   [CT_MMA_U4] = 4,    [CT_MMA_S8] = 8,     [CT_MMA_U8] = 8,
        [CT_MMA_S16] = 16, [CT_MMA_S32] = 32,  [CT_MMA_E2M1] = 4,   [CT_MMA_E2M3] = 6,
        [CT_MMA_E3M2] = 6, [CT_MMA_E4M3] = 8,  [CT_MMA_E5M2] = 8};
    for (int type = -1; type <= CT_MMA_TYPE_COUNT; ++type)
        assert_int_equal(ct_mma_bits(type), type < 0 || type == CT_MMA_TYPE_COUNT ? 0 : of[type]);
}

static ct_error failed(void)
{
    return ct_make_error(CT_E_DOMAIN, CT_OP_MODE, CT_WHY_MODE, 1, 11, 0);
}

/* The error of a failed atom. */
static void kept(const char *text, ct_error e)
{
    if (e.status != CT_E_DOMAIN || e.op != CT_OP_MODE || e.mode != 1 || e.n[0] != 11)
        fail_msg("%s", text);
}
#define KEPT(value) kept(#value, ct_err(value))

/* The refusal of an atom for what it has not: no number but the reason. */
static void refused(const char *text, ct_error e, int why)
{
    if (e.status != CT_E_ARGUMENT || e.op != CT_OP_MMA_ATOM || e.why != why || e.mode != 0 ||
        e.other != 0 || e.n[0] != 0 || e.n[1] != 0 || e.n[2] != 0)
        fail_msg("%s: why %d", text, e.why);
}
#define REFUSED(value, why) refused(#value, (value).err, why)

TEST(operands)
{
    const ct_mma_atom bad = ct_mma_atom_fail(failed()),
                      warp = ct_make_mma_atom("SM80_16x8x16_F32F16F16F32_TN");
    KEPT(ct_mma_shape(bad));
    for (int k = CT_MMA_A; k <= CT_MMA_E; ++k) KEPT(ct_mma_tv(bad, k));
    KEPT(ct_mma_tmem_e(bad));
    KEPT(ct_mma_tmem_scale(bad, CT_MMA_A));
    KEPT(ct_mma_scale_tv(bad, CT_MMA_B));
    REFUSED(ct_mma_tv(warp, CT_MMA_E), CT_WHY_MMA_DENSE);
    REFUSED(ct_mma_tmem_e(warp), CT_WHY_MMA_DENSE);
    const ct_mma_atom sparse = ct_make_mma_atom("SM80_SPARSE_16x8x32_F32F16F16F32_TN");
    REFUSED(ct_mma_tmem_e(sparse), CT_WHY_MMA_NO_TMEM);
    const ct_mma_atom scaled = ct_make_mma_atom("SM120_16x8x64_F32E2M1E2M1F32_TN_VS16");
    const ct_mma_atom block = ct_make_mma_atom("SM100_128x64x64_F32E2M1E2M1_SS_VS16");
    assert_int_equal(ct_mma_scale_tv(scaled, CT_MMA_B).err.status, CT_OK);
    assert_int_equal(ct_mma_tmem_scale(block, CT_MMA_B).err.status, CT_OK);
    REFUSED(ct_mma_scale_tv(scaled, CT_MMA_C), CT_WHY_MMA_NO_SCALE);
    REFUSED(ct_mma_scale_tv(warp, CT_MMA_A), CT_WHY_MMA_NO_SCALE);
    REFUSED(ct_mma_scale_tv(block, CT_MMA_A), CT_WHY_MMA_NO_SCALE);
    REFUSED(ct_mma_tmem_scale(block, CT_MMA_C), CT_WHY_MMA_NO_SCALE);
    REFUSED(ct_mma_tmem_scale(scaled, CT_MMA_A), CT_WHY_MMA_NO_SCALE);
    assert_int_equal(ct_mma_from(sparse.op, CT_MMA_E), CT_MMA_REGISTERS);
    assert_int_equal(ct_mma_from(block_op(), CT_MMA_E), CT_MMA_TENSOR_MEMORY);
    assert_int_equal(ct_mma_from(block_op(), CT_MMA_A), CT_MMA_SHARED);
    assert_int_equal(ct_mma_from(block_op(), CT_MMA_C), CT_MMA_TENSOR_MEMORY);
    assert_int_equal(ct_mma_copies(warp.op, CT_MMA_A), 1);
    assert_int_equal(ct_mma_copies(block_op(), CT_MMA_A), 1);
    assert_int_equal(ct_mma_copies(ct_make_mma_atom("SM90_64x8x16_F32F16F16_RS").op, CT_MMA_A), 1);
    assert_int_equal(ct_mma_copies(ct_make_mma_atom("SM90_64x8x16_F32F16F16_RS").op, CT_MMA_B),
                     128);
    assert_int_equal(ct_mma_scale_factors(scaled.op), 4);
    assert_int_equal(ct_mma_scale_factors(warp.op), 0);
    assert_int_equal(ct_mma_selectors(warp.op), 1);
    assert_int_equal(ct_mma_selectors(sparse.op), 2);
    ct_layout first = CT_ZERO; /* a mode without leaves is one of a single leaf */
    ct_mma_close_first(&first);
    assert_true(ct_layout_equal(first, ct_layout1(1, 0)));
}

TEST(tiled)
{
    ct_tiled_mma t = ct_make_tiled_mma(ct_make_mma_atom("SM80_16x8x16_F32F16F16F32_TN"),
                                       L_("(2,2,1)"), ct_tiler0());
    assert_true(ct_tuple_equal(ct_tiled_mma_shape(t), T("(32,16,16)")));
    t.atom.err = failed();
    KEPT(ct_tiled_mma_shape(t));
    KEPT(ct_tiled_mma_tile(t, CT_MMA_A));
    KEPT(ct_tiled_mma_tv(t, CT_MMA_B));
    KEPT(ct_mma_fragment_shape(t, T("(32,16)"), CT_MMA_C));
}

GROUP("MMA rules", NULL, NULL)
