/* Products of tiles by tiled MMAs of every family, against the enumeration of all products: which elements each
 * instruction reads, and where each sum belongs. Every failure, with its sentence. */
#include "error_said.h"
#include "sweep.h"

#include "laws_partition.h"

#include "laws_mma_descriptor.h"

#include <cutlet/algebra/read.h>
#include <cutlet/mma/gemm_partition.h>
#include <cutlet/mma/mma_descriptor_nearest.h>

#include "laws_gemm.h"

/* A tiled MMA: its atom, its atoms (m,n,k), and the order of each mode; "" leaves the order. */
typedef struct gemm_row {
    const char *atom, *atoms, *m, *n, *k;
} gemm_row;

static ct_tiled_mma mma_of(const gemm_row *r)
{
    const char *const order[3] = {r->m, r->n, r->k};
    ct_tiler by = CT_ZERO;
    for (int mode = 0; mode < 3; ++mode) {
        const ct_layout L = order[mode][0] ? ct_read(order[mode]) : ct_layout1(1, 0);
        if (order[mode][0]) ct_tiler_push(&by, &L);
        else ct_tiler_push_any(&by);
    }
    const ct_tiled_mma t = ct_make_tiled_mma(ct_make_mma_atom(r->atom), ct_read(r->atoms), by);
    if (t.atom.err.status) fail_msg("%s %s: %d", r->atom, r->atoms, t.atom.err.why);
    return t;
}

/* An operand (mn,k) in shared memory, contiguous along k or not, of so many stages. Other instructions than wgmma read
 * it by ldmatrix or loads. */
static ct_memory operand_of(ct_mma_atom atom, int operand, int64_t mn, int64_t k, int mn_major,
                            int stages)
{
    const ct_layout plain = mn_major ? ct_layout2(mn, k, 1, mn) : ct_layout2(mn, k, k, 1);
    const int bits = ct_mma_bits(operand == CT_MMA_A ? atom.op.a : atom.op.b);
    ct_tensor t = ct_make_tensor(plain);
    if (atom.op.kind >= CT_MMA_WARPGROUP) t = ct_mma_descriptor_nearest(t, operand, atom);
    const int64_t step = ct_ceil_div_int(mn * k, 8192 / bits) * (8192 / bits);
    if (stages > 1) t.layout = ct_layout_append(t.layout, ct_layout1(stages, step));
    return ct_in_shared(t);
}

static int made, too_large;

/* The product of a tile of so many tiles of the tiled MMA, with operands in registers as the bits of `held` say. */
static void try_product(const gemm_row *r, const int *repeat, int major, int stages, int held)
{
    const ct_tiled_mma t = mma_of(r);
    const ct_tuple shape = ct_tiled_mma_shape(t);
    const int64_t m = repeat[0] * shape.value[0], n = repeat[1] * shape.value[1],
                  k = repeat[2] * shape.value[2];
    const ct_tuple tile = ct_tuple3(m, n, k);
    const ct_memory a =
        held & 1 ? ct_in_registers() : operand_of(t.atom, CT_MMA_A, m, k, major & 1, stages);
    const ct_memory b =
        held & 2 ? ct_in_registers() : operand_of(t.atom, CT_MMA_B, n, k, major >> 1, stages);
    const ct_gemm_partition g = ct_make_gemm(t, tile, a, b);
    char text[CT_MESSAGE_BYTES] = "", what[160];
    if (g.err.status) ct_error_message(g.err, text, sizeof text);
    snprintf(what, sizeof what, "%s %s %s %s %s, tile (%d,%d,%d), major %d, stages %d", r->atom,
             r->atoms, r->m, r->n, r->k, (int)m, (int)n, (int)k, major, stages);
    if (g.err.status && g.err.why != CT_WHY_ACCESSES && g.err.why != CT_WHY_INDEX)
        fail_msg("%s: %s", what, text);
    ++*(g.err.status ? &too_large : &made);
    if (g.err.status) return;
    LAW(law_gemm(&g, t, tile, a, b, 0), what);
    if (stages > 1 && g.op.kind >= CT_MMA_WARPGROUP)
        LAW(law_gemm(&g, t, tile, a, b, stages - 1), what);
}

static const int repeats[][3] = {{1, 1, 1}, {2, 1, 2}, {1, 2, 4}};

/* wgmma with A in shared memory or in registers: several n and types, and warpgroups along each mode. */
TEST(test_wgmma)
{
    static const char *const atoms[] = {"(1)",   "(2,1)", "(1,2)", "(1,1,2)",
                                        "(2,2)", "(4,1)", "(3,1)"};
    static const char *const names[] = {
        "SM90_64x8x16_F32F16F16_SS",      "SM90_64x24x16_F16F16F16_SS",
        "SM90_64x64x16_F32BF16BF16_SS",   "SM90_64x128x16_F32F16F16_SS",
        "SM90_64x32x8_F32TF32TF32_SS_TN", "SM90_64x64x32_F32E4M3E5M2_SS_TN",
        "SM90_64x16x32_S32S8U8_SS_TN",    "SM90_64x64x16_F32F16F16_RS",
        "SM90_64x16x8_F32TF32TF32_RS_TN", "SM90_64x32x32_F32E4M3E4M3_RS_TN"};
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
        for (size_t x = 0; x < sizeof atoms / sizeof *atoms; ++x)
            for (int major = 0; major < 4; ++major) {
                const gemm_row r = {names[i], atoms[x], "", "", ""};
                const int n = (int)(i + x + (size_t)major) % 3;
                const int shorts = ct_mma_bits(ct_make_mma_atom(r.atom).op.b) == 16;
                const int in_registers = strstr(r.atom, "_RS") != NULL;
                if ((shorts || major == 0) && !(in_registers && major & 1))
                    try_product(&r, repeats[n], major, n == 2 ? 1 : 3, in_registers);
            }
    print_message("%d products, %d too large\n", made, too_large);
    assert_true(made > 150 && too_large < made / 4);
}

/* Orders of the tile that wgmma can have: of whole instructions, alike in all warpgroups. */
TEST(test_orders_of_wgmma)
{
    static const gemm_row rows[] = {
        {"SM90_64x32x16_F32F16F16_SS", "(2,1)", "(64,2,2):(1,128,64)", "", ""},
        {"SM90_64x32x16_F32F16F16_SS", "(1,2)", "", "(32,2,2):(1,64,32)", ""},
        {"SM90_64x32x16_F32F16F16_SS", "(1,1,2)", "", "", "(16,2,2):(1,32,16)"},
        {"SM90_64x32x16_F32F16F16_SS", "(2,2)", "(64,2,2):(1,128,64)", "(32,2,2):(1,64,32)", ""},
        {"SM90_64x32x16_F32F16F16_SS", "(1)", "", "(32,3,2):(1,64,32)", "(16,2,2):(1,32,16)"},
        {"SM90_64x32x16_F32F16F16_RS", "(2,1)", "(64,2,2):(1,128,64)", "(32,2):(1,32)", ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
        for (int n = 0; n < 3; ++n)
            try_product(&rows[i], repeats[n], 0, 2, strstr(rows[i].atom, "_RS") != NULL);
}

/* tcgen05.mma by one block, one instruction along m and n: what it reads. C is in tensor memory. */
TEST(test_tcgen05)
{
    static const gemm_row rows[] = {{"SM100_128x64x16_F32F16F16_SS", "(1)", "", "", ""},
                                    {"SM100_64x32x8_F32TF32TF32_SS", "(1)", "", "", ""},
                                    {"SM100_128x16x32_F32E4M3E5M2_SS", "(1)", "", "", ""}};
    static const int along_k[][3] = {{1, 1, 1}, {1, 1, 4}};
    for (int x = 0; x < 3 * 4; ++x) try_product(&rows[x % 3], along_k[x % 2], x / 3, 2, 0);
}

/* Of threads, quad pairs and warps, with orders: operands in registers, or loaded from either order. */
TEST(test_loads)
{
    static const gemm_row rows[] = {
        {"universal_fma", "(16,16)", "", "", ""},
        {"universal_fma", "(8,4)", "(8,4):(4,1)", "(4,2):(2,1)", ""},
        {"universal_fma", "(4,8)", "(4,2,2):(2,1,8)", "", ""},
        {"SM61_DP4A", "(8,4)", "", "(4,2):(2,1)", ""},
        {"SM80_16x8x16_F32F16F16F32_TN", "(1)", "", "", ""},
        {"SM80_16x8x16_F32F16F16F32_TN", "(2,2)", "(32):(1)", "(8,2,2):(1,16,8)", ""},
        {"SM80_16x8x16_F32BF16BF16F32_TN", "(2,1)", "(8,2,2):(1,16,8)", "(8,4):(1,8)", "(32):(1)"},
        {"SM80_16x8x8_F32TF32TF32F32_TN", "(2,2)", "", "(8,2,2):(1,16,8)", ""},
        {"SM80_16x8x16_F16F16F16F16_TN", "(1,2,2)", "", "", ""},
        {"SM80_16x8x32_S32S8S8S32_TN", "(2,2)", "", "(8,2,2):(1,16,8)", ""},
        {"SM80_8x8x4_F64F64F64F64_TN", "(2,2)", "", "", ""},
        {"SM89_16x8x32_F32E4M3E4M3F32_TN", "(1,2)", "", "", ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
        for (int n = 0; n < 3; ++n)
            for (int major = 0; major < 4; ++major) {
                try_product(&rows[i], repeats[n], major, 2, 0);
                if (major == 0) try_product(&rows[i], repeats[n], major, 1, 3);
            }
}

/* A wrong number in any table is found. */
TEST(test_planted_faults)
{
    static const gemm_row groups = {"SM90_64x64x16_F32F16F16_SS", "(2,2)", "", "", ""};
    static const gemm_row warps = {"SM80_16x8x16_F32F16F16F32_TN", "(2,2)", "", "(8,2,2):(1,16,8)",
                                   ""};
    const ct_tuple large = ct_tuple3(256, 256, 64), small = ct_tuple3(64, 64, 64);
    const ct_tiled_mma t = mma_of(&groups), w = mma_of(&warps);
    const ct_memory a = operand_of(t.atom, CT_MMA_A, 256, 64, 0, 3), b = a;
    const ct_memory rows = operand_of(w.atom, CT_MMA_A, 64, 64, 0, 2);
    for (int fault = 0; fault < 13; ++fault) {
        ct_gemm_partition g = ct_make_gemm(t, large, a, b);
        assert_int_equal(g.err.status, CT_OK);
        if (fault == 1) g.a.step[1] += 1;
        if (fault == 2) g.b.step[7] += 64;
        if (fault == 3) g.a.group[0] += 64;
        if (fault == 4) g.b.group[1] -= 8;
        if (fault == 5) g.b.stage += 64;
        if (fault == 6) g.a.low += 2;
        if (fault == 7) g.a.high ^= 1u << 3;  /* the stride */
        if (fault == 8) g.b.high ^= 1u << 30; /* the swizzle */
        if (fault == 9) g.op.major = CT_MMA_TT;
        if (fault == 10) g.words[CT_MMA_C] /= 2;
        if (fault == 11) g.in[1] = 2;
        if (fault == 12) g.own[2] -= 1;
        if (!law_gemm(&g, t, large, a, b, 1) != !fault) fail_msg("fault %d", fault);
    }
    for (int fault = 0; fault < 6; ++fault) {
        ct_gemm_partition g = ct_make_gemm(w, small, rows, rows);
        assert_int_equal(g.err.status, CT_OK);
        if (fault == 1) g.in[1] = 1;
        if (fault == 2) g.words[CT_MMA_A] = 2;
        if (fault == 3) g.load_b.value.digit[0].step += 1;
        if (fault == 4) g.load_a.value.digit[0].axis ^= 1;
        if (fault == 5) g.own[1] += 1;
        if (!law_gemm(&g, w, small, rows, rows, 0) != !fault) fail_msg("fault %d of loads", fault);
    }
}

static ct_error refused(const gemm_row *r, ct_tuple tile, ct_memory a, ct_memory b)
{
    const ct_error e = ct_make_gemm(mma_of(r), tile, a, b).err;
    const char *const unsaid = e.status ? error_unsaid(e) : "no error";
    if (unsaid) fail_msg("%s of %s", unsaid, r->atom);
    return e;
}

#define REFUSED(row, tile, a, b, sentence)                                                         \
    assert_true(error_says(refused(row, tile, a, b), "product of tiles: " sentence))
#define MEMORIES(a, b)                                                                             \
    "the instruction does not read A from memory " a " and B from memory " b                       \
    " (0 is global, 1 shared, 2 registers)"
#define DIVIDES(mode, a, b)                                                                        \
    "mode " mode " (0 is m, 1 is n, 2 is k) of the tile has " a                                    \
    " elements, not a multiple of the " b " that the tiled MMA covers"
#define SIZES(mode, a, b)                                                                          \
    "mode " mode " (0 is m, 1 is n, 2 is k) has " a " elements in shared memory, and " b           \
    " in the tile"
#define ONE_INSTRUCTION(n, blocks)                                                                 \
    "a product by tcgen05.mma has one instruction of one block along m and n, and this one has " n \
    ", of " blocks " blocks"
static const char no_operand[] =
    "product of tiles: the instruction is sparse or scaled, and a product has no operand for its metadata or its scales";

static const char *permutes(int mode)
{
    static char text[CT_MESSAGE_BYTES];
    snprintf(
        text, sizeof text,
        "product of tiles: the tiled MMA permutes mode %d so that the 16 elements of an instruction are not "
        "consecutive, or not alike in all warpgroups; an instruction that reads shared memory by a descriptor "
        "needs both",
        mode);
    return text;
}

/* What ct_make_gemm refuses, with its sentence. */
TEST(test_refusals)
{
    static const gemm_row two = {"SM90_64x64x16_F32F16F16_SS", "(2,1)", "", "", ""};
    static const gemm_row rs = {"SM90_64x64x16_F32F16F16_RS", "(1)", "", "", ""};
    static const gemm_row warp = {"SM80_16x8x16_F32F16F16F32_TN", "(2,2)", "", "", ""};
    static const gemm_row sparse = {"SM90_SPARSE_64x64x32_F32F16F16_SS", "(1)", "", "", ""};
    static const gemm_row scaled = {"SM100_128x64x64_F32E2M1E2M1_SS_VS", "(1)", "", "", ""};
    static const gemm_row scaled_16 = {"SM100_128x64x64_F32E2M1E2M1_SS_VS16", "(1)", "", "", ""};
    const ct_mma_atom atom = ct_make_mma_atom(two.atom);
    const ct_memory m = operand_of(atom, CT_MMA_A, 128, 64, 0, 1), held = ct_in_registers();
    const ct_memory n = operand_of(atom, CT_MMA_B, 64, 64, 0, 1), global = ct_in_global(1);
    const ct_tuple tile = ct_tuple3(128, 64, 64), square = ct_tuple3(64, 64, 64);
    assert_int_equal(ct_make_gemm(mma_of(&two), tile, m, n).err.status, CT_OK);
    REFUSED(&two, ct_tuple2(128, 64), m, n,
            "a tile has 3 extents, of m, n and k, and this one has 2");
    REFUSED(&two, ct_shape(ct_read("((64,2),64,64)")), m, n,
            "a tile has 3 extents, of m, n and k, and this one has 4");
    REFUSED(&two, ct_shape(ct_read("((128,64),64)")), m, n,
            "a tile has 3 extents, of m, n and k, and this one has 2");
    REFUSED(&two, square, m, n, DIVIDES("0", "64", "128"));
    REFUSED(&two, ct_tuple3(128, 64, 0), m, n, DIVIDES("2", "0", "16"));
    REFUSED(&two, tile, held, n, MEMORIES("2", "1"));
    REFUSED(&two, tile, m, held, MEMORIES("1", "2"));
    REFUSED(&rs, square, n, n, MEMORIES("1", "1"));
    REFUSED(&warp, square, global, global, MEMORIES("0", "0"));
    REFUSED(&warp, square, held, n, MEMORIES("2", "1"));
    REFUSED(&two, tile, n, n, SIZES("0", "64", "128"));
    REFUSED(&two, ct_tuple3(128, 64, 128), m, n, SIZES("2", "64", "128"));
    REFUSED(&two, tile, m, ct_in_shared_plain(ct_layout1(64, 1)), SIZES("2", "1", "64"));
    assert_true(error_says(refused(&sparse, ct_tuple3(64, 64, 64), n, n), no_operand));
    assert_true(error_says(refused(&scaled, ct_tuple3(128, 64, 64), m, n), no_operand));
    assert_true(error_says(refused(&scaled_16, ct_tuple3(128, 64, 64), m, n), no_operand));
    static const gemm_row far = {"SM100_64x64x16_F32F16F16_SS", "(1)", "", "", ""};
    static const gemm_row pair = {"SM100_128x64x16_F32F16F16_2x1SM_SS", "(1)", "", "", ""};
    REFUSED(&far, tile, m, n, ONE_INSTRUCTION("2", "1"));
    REFUSED(&pair, tile, m, n, ONE_INSTRUCTION("1", "2"));
}

/* Orders, stages and sizes that an instruction of a warpgroup cannot have. */
TEST(test_refusals_of_descriptors)
{
    static const gemm_row split = {"SM90_64x16x16_F32F16F16_SS", "(1)", "", "(8,2,2):(1,16,8)", ""};
    static const gemm_row cut = {"SM90_64x8x16_F32F16F16_SS", "(1)", "", "", "(4,16):(16,1)"};
    static const gemm_row uneven = {"SM90_64x8x16_F32F16F16_SS", "(1,1,2)", "", "",
                                    "(16,3,2):(1,32,16)"};
    static const gemm_row six = {"SM90_64x8x16_F32F16F16_SS", "(6,1)", "(64,3,2):(1,128,64)", "",
                                 ""};
    static const gemm_row one = {"SM90_64x8x16_F32F16F16_SS", "(1)", "", "", ""};
    const ct_mma_atom atom = ct_make_mma_atom(one.atom);
    const ct_memory a = operand_of(atom, CT_MMA_A, 64, 64, 0, 1);
    const ct_memory b = operand_of(atom, CT_MMA_B, 8, 64, 0, 1);
    const ct_tuple tile = ct_tuple3(64, 8, 64);
    assert_true(error_says(refused(&split, ct_tuple3(64, 64, 64), a, a), permutes(1)));
    assert_true(error_says(refused(&cut, tile, a, b), permutes(2)));
    assert_true(
        error_says(refused(&uneven, ct_tuple3(64, 8, 96), operand_of(atom, CT_MMA_A, 64, 96, 0, 1),
                           operand_of(atom, CT_MMA_B, 8, 96, 0, 1)),
                   permutes(2)));
    REFUSED(&six, ct_tuple3(384, 8, 64), operand_of(atom, CT_MMA_A, 384, 64, 0, 1), b,
            "mode 0: the part of warpgroup 3 begins 8192 bytes after the first one's, and the "
            "steps to warpgroups 1, 2 and 4 have another sum");
    REFUSED(&one, ct_tuple3(64, 8, 1040), operand_of(atom, CT_MMA_A, 64, 1040, 0, 1),
            operand_of(atom, CT_MMA_B, 8, 1040, 0, 1),
            "a warpgroup has 65 descriptors along k and mode 0 (0 is m, 1 is n), and a product "
            "holds 64");
    ct_memory odd = b;
    odd.layout.layout = ct_layout_append(b.layout.layout, ct_layout1(2, 8 * 64 + 8));
    REFUSED(&one, tile, a, odd,
            "mode 2 of the layout in shared memory, its stages, needs one step, a multiple of 1024 "
            "bytes, and has 1040 (0: no one step)");
    odd.layout.layout = ct_layout_append(b.layout.layout, ct_read("(2,2):(512,4096)"));
    assert_int_equal(refused(&one, tile, a, odd).why, CT_WHY_STAGES);
}

/* Errors of what it is made of are passed on. */
TEST(test_errors_passed_on)
{
    static const gemm_row one = {"SM90_64x8x16_F32F16F16_SS", "(1)", "", "", ""};
    static const gemm_row warp = {"SM80_16x8x16_F32F16F16F32_TN", "(1)", "", "", ""};
    const ct_tiled_mma t = mma_of(&one), w = mma_of(&warp);
    const ct_memory a = operand_of(t.atom, CT_MMA_A, 64, 64, 0, 1);
    const ct_memory b = operand_of(t.atom, CT_MMA_B, 8, 64, 0, 1), held = ct_in_registers();
    const ct_tuple tile = ct_tuple3(64, 8, 64), large = ct_tuple3(512, 512, 16);
    const ct_error domain = ct_make_error(CT_E_DOMAIN, CT_OP_MODE, CT_WHY_MODE, 0, 1, 0);
    const ct_memory plain = ct_in_shared_plain(ct_layout2(64, 64, 64, 1)); /* has no descriptor */
    const ct_memory few = ct_in_shared_plain(ct_layout2(8, 64, 64, 1));
    ct_memory bad = a;
    bad.layout.layout.err = domain;
    assert_int_equal(ct_make_gemm(ct_tiled_mma_fail(domain), tile, a, b).err.status, CT_E_DOMAIN);
    assert_int_equal(ct_make_gemm(t, ct_tuple_fail(domain), a, b).err.status, CT_E_DOMAIN);
    assert_int_equal(ct_make_gemm(t, tile, bad, b).err.status, CT_E_DOMAIN);
    assert_int_equal(ct_make_gemm(t, tile, plain, b).err.op, CT_OP_MMA_DESCRIPTOR);
    assert_int_equal(ct_make_gemm(t, tile, a, few).err.op, CT_OP_MMA_DESCRIPTOR);
    assert_int_equal(ct_make_gemm(w, large, held, held).err.why, CT_WHY_ACCESSES);
    for (int operand = CT_MMA_A; operand <= CT_MMA_B; ++operand) {
        ct_memory in[2] = {plain, few};
        in[operand].layout.layout.basis[1] = 1;
        assert_int_equal(ct_make_gemm(w, tile, in[0], in[1]).err.why, CT_WHY_BASIS_MIXED);
    }
}

GROUP("products of tiles", NULL, NULL)
