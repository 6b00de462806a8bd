/* MMA atoms against the formulas of the PTX ISA and against coverage of their tiles; tiled MMAs,
 * their partitions and the copies that feed them, in a table and at random. */
#include "all_cases.h"
#include "sweep.h"

#include "../../src/text/mma_names.h"
#include <cutlet/host/text.h>
#include <cutlet/host/verify_mma.h>
#include <cutlet/mma/mma_tensor_memory.h>

/* ---- every atom ------------------------------------------------------------------------------ */

/* Layouts that have been looked at: atoms that differ in their types only share them. */
static struct {
    ct_mma_op op;
    ct_layout tv[3], thr;
} seen[4096];
static int seen_count, atom_count;

static int seen_before(ct_mma_atom a, ct_mma_op op)
{
    for (int i = seen_count - 1; i >= 0; --i) {
        int same = 1;
        for (int k = 0; k < 3 && same; ++k) same = ct_layout_equal(seen[i].tv[k], ct_mma_tv(a, k));
        same = same && ct_layout_equal(seen[i].thr, a.thr_id);
        if (same) return 1;
    }
    assert_true(seen_count < (int)(sizeof seen / sizeof *seen));
    for (int k = 0; k < 3; ++k) seen[seen_count].tv[k] = ct_mma_tv(a, k);
    seen[seen_count].thr = a.thr_id;
    seen[seen_count].op = op;
    ++seen_count;
    return 0;
}

static int try_atom(void *context, ct_mma_op op)
{
    (void)context;
    char name[CT_MMA_NAME_BYTES];
    ct_mma_op_name(name, op);
    ++atom_count;
    const ct_mma_atom a = ct_make_mma_atom(name); /* the name reads back as the same instruction */
    if (a.err.status) fail_msg("%s: %d", name, a.err.why);
    if (!ct_mma_same_op(a.op, op)) fail_msg("%s reads back as another atom", name);
    assert_true(ct_mma_bits(op.a) > 0 && ct_mma_bits(op.b) > 0 && ct_mma_bits(op.c) > 0);
    if (seen_before(a, op) || (op.m * op.n > 4096 && seen_count % 4 && !all_cases())) return 0;
    LAW(law_mma_atom(a), name);
    return 0;
}

TEST(atoms_cover_their_tiles)
{
    assert_int_equal(ct_mma_each(try_atom, NULL), 0);
    print_message("%d atoms of %d layouts\n", atom_count, seen_count);
    assert_true(atom_count > 1000 && seen_count > 300);
}

/* One wrong number in the metadata of each kind is found. */
TEST(a_wrong_metadata_is_found)
{
    static const char *const names[] = {
        "SM80_SPARSE_16x8x16_F32F16F16F32_TN", "SM80_SPARSE_16x8x32_F32F16F16F32_TN",
        "SM80_SPARSE_16x8x32_S32S8S8S32_TN", "SM80_SPARSE_16x8x64_S32S8S8S32_TN",
        "SM90_SPARSE_64x8x16_F32TF32TF32_SS_TN"};
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        const ct_mma_atom a = ct_make_mma_atom(names[i]);
        const int64_t bits = (int64_t)a.op.m * ct_mma_row_bits(a.op);
        const ct_layout e = ct_mma_tv(a, CT_MMA_E);
        assert_null(law_mma_metadata(a));
        for (int leaf = 0; leaf < e.profile.leaves; ++leaf) {
            ct_layout wrong = e;
            wrong.stride[leaf] = 2 * wrong.stride[leaf] + (wrong.stride[leaf] == 0);
            if (!law_covers("", wrong, bits, ct_mma_selectors(a.op)))
                fail_msg("%s: leaf %d", names[i], leaf);
        }
    }
}

/* ---- tensor memory --------------------------------------------------------------------------- */

static unsigned char taken[128 * 256 * 2];
static int places_seen;

/* D, and the scale factors: in lanes and columns of their own. */
static int try_tensor_memory(void *context, ct_mma_op op)
{
    static unsigned char seen_place[9][33][3][8][17]
                                   [2]; /* of m, n, blocks, form, k, sparse: types do not matter */
    (void)context;
    if (op.kind != CT_MMA_BLOCK) return 0;
    unsigned char *const done =
        &seen_place[op.m / 32][op.n / 8][op.blocks][op.form][op.k / 8][op.sparse];
    if (*done) return 0;
    *done = 1;
    const ct_mma_atom a = ct_mma_atom_of(op);
    char name[CT_MMA_NAME_BYTES];
    ct_mma_op_name(name, op);
    const int64_t limit[4] = {128, op.n, op.blocks, 1};
    LAW(law_mma_tensor_memory(ct_mma_tmem_c(a), limit, taken), name);
    const int64_t factors[4] = {32, (op.n + 31) / 32 < 4 ? 4 : (op.n + 31) / 32, 4, op.blocks};
    for (int operand = CT_MMA_A; operand <= CT_MMA_B; ++operand) {
        const ct_layout scale = ct_mma_tmem_scale(a, operand);
        if (ct_mma_scale_factors(op) == 0) assert_int_equal(scale.err.why, CT_WHY_MMA_NO_SCALE);
        else LAW(law_mma_tensor_memory(scale, factors, taken), name);
    }
    const int64_t bits[4] = {128, 2, 32, op.blocks};
    if (op.sparse) LAW(law_mma_tensor_memory(ct_mma_tmem_e(a), bits, taken), name);
    ++places_seen;
    return 0;
}

TEST(tensor_memory_holds_each_once)
{
    assert_int_equal(ct_mma_each(try_tensor_memory, NULL), 0);
    print_message("%d forms of D in tensor memory\n", places_seen);
    assert_true(places_seen > 200);
}

/* The PTX ISA's layouts A to G of D: lane and column of one element of each quarter. */
TEST(places_are_those_of_the_ptx_isa)
{
    static const struct {
        const char *name;
        int m, n, lane, column, block;
    } rows[] = {
        {"SM100_256x64x16_F32F16F16_2x1SM_SS", 127, 63, 127, 63, 0}, /* A */
        {"SM100_256x64x16_F32F16F16_2x1SM_SS", 130, 5, 2, 5, 1},
        {"SM100_128x64x16_F32F16F16_2x1SM_SS", 63, 31, 63, 31, 0}, /* B */
        {"SM100_128x64x16_F32F16F16_2x1SM_SS", 66, 33, 66, 1, 1},
        {"SM100_128x64x16_F32F16F16_SS", 127, 63, 127, 63, 0}, /* D */
        {"SM100_64x64x16_F32F16F16_SS_WS", 63, 31, 63, 31, 0}, /* E */
        {"SM100_64x64x16_F32F16F16_SS_WS", 1, 32, 65, 0, 0},
        {"SM100_64x64x16_F32F16F16_SS", 15, 63, 15, 63, 0}, /* F */
        {"SM100_64x64x16_F32F16F16_SS", 33, 2, 65, 2, 0},
        {"SM100_32x64x16_F32F16F16_SS_WS", 31, 15, 31, 15, 0}, /* G */
        {"SM100_32x64x16_F32F16F16_SS_WS", 3, 49, 99, 1, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        const ct_mma_atom a = ct_make_mma_atom(rows[i].name);
        const ct_layout L = ct_mma_tmem_c(a);
        int64_t index = rows[i].m + (int64_t)a.op.m * rows[i].n, at[4] = {0, 0, 0, 0};
        for (int leaf = 0; leaf < L.profile.leaves; ++leaf) {
            if (L.stride[leaf]) at[L.basis[leaf] - 1] += index % L.shape[leaf] * L.stride[leaf];
            index /= L.shape[leaf];
        }
        if (at[0] != rows[i].lane || at[1] != rows[i].column || at[2] != rows[i].block)
            fail_msg("%s, (%d,%d): lane %d, column %d, block %d", rows[i].name, rows[i].m,
                     rows[i].n, (int)at[0], (int)at[1], (int)at[2]);
    }
    assert_int_equal(ct_mma_tmem_c(ct_make_mma_atom("SM61_DP4A")).err.why, CT_WHY_MMA_NO_TMEM);
    assert_int_equal(ct_mma_tmem_c(ct_make_mma_atom("SM61")).err.why, CT_WHY_MMA_NAME);
}

/* The metadata that CuTe has for 128 rows, (m,k) -> lane and, of 128 each, bit or element's share of one. */
TEST(metadata_lies_as_in_cute)
{
    static const struct {
        const char *name, *cute;
        int bits_for; /* this many elements of A */
        int bits;
    } rows[] = {
        {"SM100_SPARSE_128x64x32_F32F16F16_SS", "((8,2,8),(16,2)):((1,2048,16),(128,8))", 1, 1},
        {"SM100_SPARSE_128x64x16_F32TF32TF32_SS", "((8,2,8),(8,2)):((1,1024,16),(128,8))", 1, 2},
        {"SM100_SPARSE_128x64x64_S32S8S8_SS", "(128,64):(1,128)", 1, 1},
        {"SM100_SPARSE_128x64x128_F32E2M1E2M1_SS_VS16", "(128,128):(1,128)", 2, 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        const ct_mma_atom a = ct_make_mma_atom(rows[i].name);
        const ct_layout own = ct_mma_tmem_e(a), cute = L_(rows[i].cute);
        for (int64_t index = 0; index < oracle_size(own); ++index) {
            const int64_t m = index % 128, bit = index / 128;
            const int64_t there =
                oracle_eval(cute, m + 128 * (bit * rows[i].bits_for / rows[i].bits));
            int64_t rest = index, at[4] = {0, 0, 0, 0};
            for (int leaf = 0; leaf < own.profile.leaves; ++leaf) {
                if (own.stride[leaf])
                    at[own.basis[leaf] - 1] += rest % own.shape[leaf] * own.stride[leaf];
                rest /= own.shape[leaf];
            }
            const int64_t place =
                there / 128 * rows[i].bits / rows[i].bits_for + bit % rows[i].bits;
            if (at[0] != there % 128 || 32 * at[1] + at[2] != place)
                fail_msg("%s: (%d,%d) is in lane %d, bit %d", rows[i].name, (int)m, (int)bit,
                         (int)at[0], (int)(32 * at[1] + at[2]));
        }
    }
    assert_int_equal(ct_mma_tmem_e(ct_make_mma_atom("SM100_128x64x16_F32F16F16_SS")).err.why,
                     CT_WHY_MMA_DENSE);
    assert_int_equal(ct_mma_tmem_e(ct_make_mma_atom("SM80_SPARSE_16x8x16_F32F16F16F32_TN")).err.why,
                     CT_WHY_MMA_NO_TMEM);
}

/* The factors that CuTe has for mma.sync, (thread, element) -> (m,k), each for this many elements. */
TEST(scale_factors_are_those_of_cute)
{
    static const struct {
        const char *name, *a, *b;
        int each;
    } rows[] = {
        {"SM120_16x8x64_F32E2M1E2M1F32_TN_VS16", "((2,2,8),64):((8,0,1),16)",
         "((4,8),64):((0,1),8)", 16},
        {"SM120_16x8x64_F32E2M1E2M1F32_TN_VS", "((2,2,8),64):((8,0,1),16)", "((4,8),64):((0,1),8)",
         32},
        {"SM120_16x8x32_F32E4M3E5M2F32_TN_VS", "((2,2,8),32):((8,0,1),16)", "((4,8),32):((0,1),8)",
         32},
        {"SM120_SPARSE_16x8x128_F32E2M1E2M1F32_TN_VS", "((2,2,8),128):((8,0,1),16)",
         "((4,8),128):((0,1),8)", 64},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        const ct_mma_atom atom = ct_make_mma_atom(rows[i].name);
        for (int operand = CT_MMA_A; operand <= CT_MMA_B; ++operand) {
            const ct_layout own = ct_mma_scale_tv(atom, operand);
            const ct_layout cute = L_(operand == CT_MMA_A ? rows[i].a : rows[i].b);
            const int64_t height = operand == CT_MMA_A ? 16 : 8;
            assert_int_equal(oracle_size(own), oracle_size(cute) / rows[i].each);
            for (int64_t at = 0; at < oracle_size(cute); ++at) {
                const int64_t element = oracle_eval(cute, at);
                const int64_t factor = oracle_eval(own, at % 32 + 32 * (at / 32 / rows[i].each));
                if (factor % height != element % height ||
                    factor / height != element / height / rows[i].each)
                    fail_msg("%s: %d", rows[i].name, (int)at);
            }
        }
    }
    const ct_mma_atom none = ct_make_mma_atom("SM120_16x8x32_F32E4M3E5M2F32_TN");
    assert_int_equal(ct_mma_scale_tv(none, CT_MMA_A).err.why, CT_WHY_MMA_NO_SCALE);
}

/* A wrong stride in the data of an atom is found. */
TEST(a_wrong_layout_is_found)
{
    for (int operand = CT_MMA_A; operand <= CT_MMA_C; ++operand) {
        ct_mma_atom a = ct_make_mma_atom("SM80_16x8x16_F32F16F16F32_TN");
        assert_null(law_mma_atom(a));
        ct_layout *const tvs[] = {&a.a_tv, &a.b_tv, &a.c_tv}, *const tv = tvs[operand];
        tv->stride[3] *= 2;
        assert_non_null(law_mma_atom(a));
    }
}

/* The atoms of CuTe, each with its shape. */
TEST(cute_names)
{
    FILE *f = fopen("tests/conformance/mma_atoms.txt", "r");
    char line[256], name[64];
    int count = 0, m = 0, n = 0, k = 0;
    assert_non_null(f);
    while (fgets(line, sizeof line, f)) {
        if (line[0] == '#') continue;
        assert_int_equal(sscanf(line, "%63s (%d,%d,%d)", name, &m, &n, &k), 4);
        const ct_mma_atom a = ct_make_mma_atom(name);
        if (a.err.status) fail_msg("%s: %d", name, a.err.why);
        assert_true(ct_tuple_equal(ct_mma_shape(a), ct_tuple3(m, n, k)));
        ++count;
    }
    fclose(f);
    assert_int_equal(count, 92);
}

TEST(no_such_atom)
{
    static const struct {
        const char *name;
        int why;
    } rows[] = {
        {"", CT_WHY_MMA_NAME},
        {"SM80", CT_WHY_MMA_NAME},
        {"universal_fma2", CT_WHY_MMA_NAME},
        {"SM61_DP4AX", CT_WHY_MMA_NAME},
        {"SM80_16x8x16_F32F16F16F32", CT_WHY_MMA_NAME},
        {"SM80_16x8x16_F32F16F16F32_TN_", CT_WHY_MMA_NAME},
        {"SM80_16x8x16_F32F17F16F32_TN", CT_WHY_MMA_NAME},
        {"SM80_16x8x99999_F32F16F16F32_TN", CT_WHY_MMA_NAME},
        {"SM80_16x16x16_F32F16F16F32_TN", CT_WHY_MMA_SHAPE},
        {"SM86_16x8x16_F32F16F16F32_TN", CT_WHY_MMA_SHAPE},
        {"SM80_16x8x16_F32F16F16F16_TN", CT_WHY_MMA_TYPES},
        {"SM80_16x8x16_F32F16BF16F32_TN", CT_WHY_MMA_TYPES},
        {"SM80_16x8x16_F32F16F16F32_NT", CT_WHY_MMA_TYPES},
        {"SM80_16x8x16_F32F16F16F32_TN_SATURATE", CT_WHY_MMA_TYPES},
        {"SM80_8x8x128_S32U1U1S32_TN", CT_WHY_MMA_TYPES},
        {"SM90_64x264x16_F32F16F16_SS", CT_WHY_MMA_SHAPE},
        {"SM90_64x12x16_F32F16F16_SS", CT_WHY_MMA_SHAPE},
        {"SM90_64x40x32_S32S8S8_SS_TN", CT_WHY_MMA_TYPES}, /* there is one of e4m3 */
        {"SM90_64x32x32_S32S8S8_SS", CT_WHY_MMA_NAME},
        {"SM90_64x32x16_F32F16F16_TS", CT_WHY_MMA_NAME},
        {"SM100_128x24x16_F32F16F16_2x1SM_SS", CT_WHY_MMA_SHAPE},
        {"SM80_SPARSE16x8x16_F32F16F16F32_TN", CT_WHY_MMA_NAME},
        {"SM80_SPARSE_16x8x8_F32F16F16F32_TN", CT_WHY_MMA_TYPES}, /* there is one of tf32 */
        {"SM80_SPARSE_16x8x4_F32TF32TF32F32_TN", CT_WHY_MMA_SHAPE},
        {"SM80_16x8x32_F32F16F16F32_TN", CT_WHY_MMA_TYPES}, /* sparse only */
        {"SM90_SPARSE_64x8x16_F32F16F16_SS", CT_WHY_MMA_TYPES},
        {"SM120_SPARSE_16x8x64_F32E2M1E2M1F32_TN_VS16", CT_WHY_MMA_TYPES},
        {"SM100_SPARSE_64x64x32_F32F16F16_SS", CT_WHY_MMA_METADATA},
        {"SM100_SPARSE_128x64x16_F32TF32TF32_2x1SM_TS", CT_WHY_MMA_METADATA},
        {"SM100_SPARSE_64x32x64_S32S8U8_SS", CT_WHY_MMA_METADATA},
        {"SM100_SPARSE_64x40x64_S32S8U8_SS", CT_WHY_MMA_SHAPE}, /* nor is there one of 128 rows */
        {"SM100_SPARSE_64x64x64_F32E4M3E4M3_SS_VS", CT_WHY_MMA_SHAPE},
        {"SM100_SPARSE_32x64x32_F32F16F16_SS", CT_WHY_MMA_SHAPE},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        const ct_mma_atom a = ct_make_mma_atom(rows[i].name);
        if (a.err.status != CT_E_ARGUMENT || a.err.why != rows[i].why)
            fail_msg("%s: %d", rows[i].name, a.err.why);
        const ct_tiled_mma t = ct_make_tiled_mma(a, ct_layout1(1, 0), ct_tiler0());
        assert_int_equal(t.atom.err.why, rows[i].why); /* and goes on */
        const ct_tensor matrix = ct_make_tensor(ct_layout2(16, 16, 1, 16));
        assert_int_equal(ct_partition_a(t, matrix, 0).layout.err.why, rows[i].why);
        assert_int_equal(ct_tiled_mma_tv(t, CT_MMA_C).err.why, rows[i].why);
    }
}

/* ---- the formulas of the PTX ISA ------------------------------------------------------------- */

/* Element i of thread (group g, place t in it): its row and its column in the matrix as the section
 * writes it. B is k x n there. */
typedef struct place {
    int row, col;
} place;

static place at(int row, int col)
{
    const place p = {row, col};
    return p;
}

/* mma.m8n8k16 (8 bits), k32 (4 bits), k128 (1 bit), and the first operand of mma.m8n8k4 (.f64). */
static place a_m8_f64(int g, int t, int i) { return at(g, t + i); }
static place a_m8_b8(int g, int t, int i) { return at(g, t * 4 + i); }
static place a_m8_b4(int g, int t, int i) { return at(g, t * 8 + i); }
static place a_m8_b1(int g, int t, int i) { return at(g, t * 32 + i); }
static place b_f64(int g, int t, int i) { return at(t + i, g); }
static place b_b8(int g, int t, int i) { return at(t * 4 + i, g); }
static place b_b4(int g, int t, int i) { return at(t * 8 + i, g); }
static place b_b1(int g, int t, int i) { return at(t * 32 + i, g); }
/* mma.m16n8k4, .tf32 and .f64 */
static place a_k4(int g, int t, int i) { return at(i == 0 ? g : g + 8, t); }
/* mma.m16n8k8: .f16 and .bf16; .tf32 and .f64 */
static place a_k8(int g, int t, int i) { return at(i < 2 ? g : g + 8, t * 2 + (i & 1)); }
static place b_k8(int g, int t, int i) { return at(t * 2 + i, g); }
static place a_k8_b32(int g, int t, int i)
{
    return at(i == 0 || i == 2 ? g : g + 8, i < 2 ? t : t + 4);
}
static place b_k8_b32(int g, int t, int i) { return at(i == 0 ? t : t + 4, g); }
/* mma.m16n8k16: .f16 and .bf16; .f64; 8 bits */
static place a_k16(int g, int t, int i)
{
    return at(i < 2 || (i >= 4 && i < 6) ? g : g + 8, t * 2 + (i & 1) + (i < 4 ? 0 : 8));
}
static place b_k16(int g, int t, int i) { return at(t * 2 + (i & 1) + (i < 2 ? 0 : 8), g); }
static place a_k16_f64(int g, int t, int i)
{
    return i % 2 == 0 ? at(g, i * 2 + t) : at(g + 8, i * 2 - 2 + t);
}
static place b_k16_f64(int g, int t, int i) { return at(t + i * 4, g); }
static place a_k16_b8(int g, int t, int i) { return at(i < 4 ? g : g + 8, t * 4 + (i & 3)); }
/* mma.m16n8k32: 4 bits; 8 bits */
static place a_k32_b4(int g, int t, int i) { return at(i < 8 ? g : g + 8, t * 8 + (i & 7)); }
static place a_k32(int g, int t, int i)
{
    return at(i < 4 || (i >= 8 && i < 12) ? g : g + 8, t * 4 + (i & 3) + (i < 8 ? 0 : 16));
}
static place b_k32(int g, int t, int i) { return at(t * 4 + (i & 3) + (i < 4 ? 0 : 16), g); }
/* mma.m16n8k64 */
static place a_k64(int g, int t, int i)
{
    return at(i < 8 || (i >= 16 && i < 24) ? g : g + 8, t * 8 + (i & 7) + (i < 16 ? 0 : 32));
}
static place b_k64(int g, int t, int i) { return at(t * 8 + (i & 7) + (i < 8 ? 0 : 32), g); }
/* mma.m16n8k128, k256 */
static place a_k128(int g, int t, int i) { return at(i < 32 ? g : g + 8, t * 32 + (i & 31)); }
static place a_k256(int g, int t, int i)
{
    return at(i < 32 || (i >= 64 && i < 96) ? g : g + 8, t * 32 + (i & 31) + (i < 64 ? 0 : 128));
}
static place b_k256(int g, int t, int i) { return at(t * 32 + (i & 31) + (i < 32 ? 0 : 128), g); }
/* C of mma.m8n8 and mma.m16n8; of wgmma, every 8 columns */
/* B of the sparse mma.m16n8k64 (8 bits) and k128 (4 bits), k16 (.tf32) */
static place b_k64_b8(int g, int t, int i) { return at(t * 4 + (i & 3) + i / 4 * 16, g); }
static place b_k128_b4(int g, int t, int i) { return at(t * 8 + (i & 7) + i / 8 * 32, g); }
static place b_k32_b16(int g, int t, int i) { return at(t * 2 + (i & 1) + i / 2 * 8, g); }
static place b_k16_b32(int g, int t, int i) { return at(t + i * 4, g); }
static place c_m8(int g, int t, int i) { return at(g, t * 2 + i); }
static place c_m16(int g, int t, int i) { return at(i < 2 ? g : g + 8, t * 2 + (i & 1)); }
static place c_wgmma(int g, int t, int i)
{
    return at(i % 4 < 2 ? g : g + 8, i / 4 * 8 + t * 2 + (i & 1));
}

typedef place formula(int g, int t, int i);
static const struct {
    const char *name;
    formula *a, *b, *c;
} formulas[] = {
    {"SM80_8x8x4_F64F64F64F64_TN", a_m8_f64, b_f64, c_m8},
    {"SM80_8x8x4_C64C64C64C64_TN", a_m8_f64, b_f64, c_m8},
    {"SM75_8x8x16_S32S8S8S32_TN", a_m8_b8, b_b8, c_m8},
    {"SM80_8x8x16_S32U8S8S32_TN", a_m8_b8, b_b8, c_m8},
    {"SM80_8x8x32_S32S4U4S32_TN", a_m8_b4, b_b4, c_m8},
    {"SM80_8x8x128_S32U1U1S32_TN_XORPOPC", a_m8_b1, b_b1, c_m8},
    {"SM80_16x8x4_F32TF32TF32F32_TN", a_k4, b_f64, c_m16},
    {"SM90_16x8x4_F64F64F64F64_TN", a_k4, b_f64, c_m16},
    {"SM75_16x8x8_F32F16F16F32_TN", a_k8, b_k8, c_m16},
    {"SM80_16x8x8_F32BF16BF16F32_TN", a_k8, b_k8, c_m16},
    {"SM80_16x8x8_F32TF32TF32F32_TN", a_k8_b32, b_k8_b32, c_m16},
    {"SM90_16x8x8_F64F64F64F64_TN", a_k8_b32, b_k8_b32, c_m16},
    {"SM80_16x8x16_F16F16F16F16_TN", a_k16, b_k16, c_m16},
    {"SM80_16x8x16_F32F16F16F32_TN", a_k16, b_k16, c_m16},
    {"SM80_16x8x16_F32BF16BF16F32_TN", a_k16, b_k16, c_m16},
    {"SM90_16x8x16_F64F64F64F64_TN", a_k16_f64, b_k16_f64, c_m16},
    {"SM90_16x8x16_C64C64C64C64_TN", a_k16_f64, b_k16_f64, c_m16},
    {"SM80_16x8x16_S32S8U8S32_TN", a_k16_b8, b_b8, c_m16},
    {"SM80_16x8x32_S32S4U4S32_TN", a_k32_b4, b_b4, c_m16},
    {"SM80_16x8x32_S32S8U8S32_TN", a_k32, b_k32, c_m16},
    {"SM89_16x8x32_F32E4M3E5M2F32_TN", a_k32, b_k32, c_m16},
    {"SM120_16x8x32_F32E2M1E5M2F32_TN", a_k32, b_k32, c_m16},
    {"SM80_16x8x64_S32U4S4S32_TN", a_k64, b_k64, c_m16},
    {"SM120_16x8x64_F32E2M1E2M1F32_TN_VS", a_k64, b_k64, c_m16},
    {"SM80_16x8x128_S32U1U1S32_TN_ANDPOPC", a_k128, b_b1, c_m16},
    {"SM80_16x8x256_S32U1U1S32_TN_ANDPOPC", a_k256, b_k256, c_m16},
    /* Of a sparse one a register of A has the elements stored of a run twice as long: as a dense
     * one of half the k. */
    {"SM80_SPARSE_16x8x16_F32F16F16F32_TN", a_k8, b_k16, c_m16},
    {"SM80_SPARSE_16x8x32_F16F16F16F16_TN", a_k16, b_k32_b16, c_m16},
    {"SM80_SPARSE_16x8x8_F32TF32TF32F32_TN", a_k4, b_k8_b32, c_m16},
    {"SM80_SPARSE_16x8x16_F32TF32TF32F32_TN", a_k8_b32, b_k16_b32, c_m16},
    {"SM80_SPARSE_16x8x32_S32S8U8S32_TN", a_k16_b8, b_k32, c_m16},
    {"SM80_SPARSE_16x8x64_S32S8U8S32_TN", a_k32, b_k64_b8, c_m16},
    {"SM80_SPARSE_16x8x64_S32U4S4S32_TN", a_k32_b4, b_k64, c_m16},
    {"SM80_SPARSE_16x8x128_S32U4S4S32_TN", a_k64, b_k128_b4, c_m16},
    {"SM89_SPARSE_16x8x64_F32E4M3E5M2F32_TN", a_k32, b_k64_b8, c_m16},
    {"SM120_SPARSE_16x8x64_F16E2M1E2M3F16_TN", a_k32, b_k64_b8, c_m16},
    {"SM120_SPARSE_16x8x128_F32E2M1E2M1F32_TN_VS16", a_k64, b_k128_b4, c_m16},
    {"SM90_SPARSE_64x8x16_F32TF32TF32_RS_TN", a_k8_b32, NULL, c_wgmma},
    {"SM90_SPARSE_64x48x32_F16F16F16_RS", a_k16, NULL, c_wgmma},
    {"SM90_SPARSE_64x96x64_S32U8S8_RS_TN", a_k32, NULL, c_wgmma},
    {"SM90_64x8x8_F32TF32TF32_RS_TN", a_k8_b32, NULL, c_wgmma},
    {"SM90_64x48x16_F16F16F16_RS", a_k16, NULL, c_wgmma},
    {"SM90_64x256x16_F32BF16BF16_RS", a_k16, NULL, c_wgmma},
    {"SM90_64x96x32_F32E4M3E5M2_RS_TN", a_k32, NULL, c_wgmma},
    {"SM90_64x96x32_S32U8S8_RS_TN", a_k32, NULL, c_wgmma},
};

/* tv, whose second mode is `wide` elements apart, against a formula; warps of 16 rows each. */
static void compare_formula(const char *name, ct_layout tv, formula *f, int64_t distance, int is_b)
{
    const int64_t threads = oracle_size(ct_mode(tv, 0)), values = oracle_size(ct_mode(tv, 1));
    for (int64_t thr = 0; f && thr < threads; ++thr) {
        for (int64_t i = 0; i < values; ++i) {
            place p = f((int)(thr % 32 / 4), (int)(thr % 4), (int)i);
            p.row += is_b ? 0 : (int)(thr / 32) * 16;
            const int64_t want = is_b ? p.col + distance * p.row : p.row + distance * p.col;
            const int64_t got = oracle_eval(tv, thr + threads * i);
            if (got != want)
                fail_msg("%s: thread %d, element %d: %d and not %d", name, (int)thr, (int)i,
                         (int)got, (int)want);
        }
    }
}

TEST(fragments_are_those_of_the_ptx_isa)
{
    for (size_t i = 0; i < sizeof formulas / sizeof *formulas; ++i) {
        const ct_mma_atom a = ct_make_mma_atom(formulas[i].name);
        if (a.err.status) fail_msg("%s: %d", formulas[i].name, a.err.why);
        compare_formula(formulas[i].name, a.a_tv, formulas[i].a, a.op.m, 0);
        compare_formula(formulas[i].name, a.b_tv, formulas[i].b, a.op.n, 1);
        compare_formula(formulas[i].name, a.c_tv, formulas[i].c, a.op.m, 0);
    }
}

/* E of CuTe, (thread, element) -> (m,k), which counts elements of A where four bits are a chunk's. */
TEST(metadata_is_that_of_cute)
{
    static const struct {
        const char *name, *cute;
    } rows[] = {
        {"SM90_SPARSE_64x8x64_S32S8S8_SS_TN", "((2,2,8,4),32):((8,2048,1,16),64)"},
        {"SM90_SPARSE_64x8x32_F32F16F16_SS", "((2,2,8,4),(16,2)):((1024,0,1,16),(64,8))"},
        {"SM90_SPARSE_64x8x16_F32TF32TF32_SS_TN", "((2,2,8,4),(8,2)):((512,0,1,16),(64,8))"},
        {"SM120_SPARSE_16x8x64_F32E4M3E4M3F32_TN", "((2,2,8),32):((8,512,1),16)"},
        {"SM120_SPARSE_16x8x128_F32E2M1E2M1F32_TN_VS", "((2,2,8),64):((8,1024,1),16)"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        const ct_mma_atom a = ct_make_mma_atom(rows[i].name);
        const ct_layout e = ct_mma_tv(a, CT_MMA_E), cute = L_(rows[i].cute);
        const int64_t threads = oracle_size(a.thr_id), values = oracle_size(cute) / threads;
        for (int64_t at = 0; at < oracle_size(e); ++at) {
            const int64_t bit = oracle_eval(e, at), thread = at % threads;
            const int64_t element =
                oracle_eval(cute, thread + threads * (at / threads * values / 32));
            if (bit % a.op.m != element % a.op.m || bit / a.op.m * values / 32 != element / a.op.m)
                fail_msg("%s: thread %d, bit %d", rows[i].name, (int)thread, (int)(at / threads));
        }
    }
}

/* Threads that a selector names: one of each four, two, or all. */
TEST(selectors_name_threads)
{
    static const struct {
        const char *name;
        int selectors, named[4]; /* a bit for each of four threads */
    } rows[] = {
        {"SM80_SPARSE_16x8x16_F32F16F16F32_TN", 4, {1, 2, 4, 8}},
        {"SM80_SPARSE_16x8x8_F32TF32TF32F32_TN", 4, {1, 2, 4, 8}},
        {"SM80_SPARSE_16x8x32_F32BF16BF16F32_TN", 2, {3, 12}},
        {"SM80_SPARSE_16x8x16_F32TF32TF32F32_TN", 2, {3, 12}},
        {"SM80_SPARSE_16x8x32_S32S8S8S32_TN", 2, {3, 12}},
        {"SM80_SPARSE_16x8x64_S32S4S4S32_TN", 2, {3, 12}},
        {"SM80_SPARSE_16x8x64_S32S8S8S32_TN", 1, {15}},
        {"SM80_SPARSE_16x8x128_S32S4S4S32_TN", 1, {15}},
        {"SM89_SPARSE_16x8x64_F32E4M3E4M3F32_TN", 1, {15}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        const ct_mma_op op = ct_make_mma_atom(rows[i].name).op;
        assert_int_equal(ct_mma_selectors(op), rows[i].selectors);
        for (int s = 0; s < rows[i].selectors; ++s)
            for (int thread = 0; thread < 32; ++thread)
                assert_int_equal(ct_mma_reads_e(op, thread, s), rows[i].named[s] >> thread % 4 & 1);
    }
    assert_int_equal(ct_mma_tv(ct_make_mma_atom("SM61_DP4A"), CT_MMA_E).err.why, CT_WHY_MMA_DENSE);
}

/* mma.m8n8k4 (.f16): lane, element -> row and column, as its section has them. */
TEST(quad_pairs_are_those_of_the_ptx_isa)
{
    static const char *const majors[] = {"TN", "NT", "NN", "TT"};
    for (int k = 0; k < 8; ++k) {
        char name[64];
        const char *c = k < 4 ? "F16" : "F32";
        snprintf(name, sizeof name, "SM70_8x8x4_%sF16F16%s_%s", c, c, majors[k % 4]);
        const ct_mma_atom a = ct_make_mma_atom(name);
        const int row_a = majors[k % 4][0] == 'T', col_b = majors[k % 4][1] == 'N';
        for (int thr = 0; thr < 8; ++thr) {
            const int lane = (int)oracle_eval(a.thr_id, thr), half = lane < 16 ? 0 : 4;
            assert_int_equal(lane, thr % 4 + (thr < 4 ? 0 : 16));
            for (int i = 0; i < 4; ++i) {
                const int m = row_a ? lane % 4 + half : i % 4 + half, ka = row_a ? i : lane % 4;
                const int n = col_b ? lane % 4 + half : i + half, kb = col_b ? i : lane % 4;
                assert_int_equal(oracle_eval(a.a_tv, thr + 8 * i), m + 8 * ka);
                assert_int_equal(oracle_eval(a.b_tv, thr + 8 * i), n + 8 * kb);
            }
            for (int i = 0; i < 8; ++i) {
                const int wide = k >= 4;
                const int row = wide ? (lane & 1) + (i & 2) + half : lane % 4 + half;
                const int col = wide ? (i & 4) + (lane & 2) + (i & 1) : i;
                assert_int_equal(oracle_eval(a.c_tv, thr + 8 * i), row + 8 * col);
            }
        }
    }
}

/* ---- tiled MMAs ------------------------------------------------------------------------------ */

static ct_tuple times(ct_tuple shape, int64_t a, int64_t b)
{
    return ct_tuple2(shape.value[0] * a, shape.value[1] * b);
}

/* All laws of a tiled MMA, on its tile and on tensors of several. */
static void laws_of(ct_tiled_mma t, const char *name)
{
    LAW(law_tiled_mma(t), name, show(t.atoms), show(t.tiler.tiles));
    if (t.atom.err.status) return;
    for (int operand = CT_MMA_A; operand <= CT_MMA_C; ++operand) {
        const ct_tuple tile = ct_tiled_mma_tile(t, operand);
        LAW(law_mma_partition(t, times(tile, 2, 3), operand), name, show(t.atoms),
            show(t.tiler.tiles));
        LAW(law_mma_retile(ct_copy_atom_universal(16, 16), t, times(tile, 2, 1), operand), name,
            show(t.atoms), show(t.tiler.tiles));
    }
}

/* A permutation of the tile of one mode: as it is, `_`, larger, or with its parts exchanged. */
static ct_layout some_tile(int64_t at_once)
{
    const int64_t more = sweep_int(1, 3), part = sweep_int(0, 1) ? 2 : 1;
    switch (sweep_int(0, 3)) {
        case 0: return ct_tile_any();
        case 1: return ct_layout1(at_once * more, 1);
        case 2: return ct_layout2(at_once, more, more, 1);
        default:
            return at_once % part == 0 ? ct_layout2(at_once / part, part * more, 1, at_once / part)
                                       : ct_layout1(at_once, 1);
    }
}

TEST(random_tiled_mmas)
{
    static const char *const names[] = {"universal_fma",
                                        "SM61_DP4A",
                                        "SM70_8x8x4_F32F16F16F32_NT",
                                        "SM70_8x8x4_F16F16F16F16_TN",
                                        "SM75_16x8x8_F32F16F16F32_TN",
                                        "SM80_16x8x16_F32F16F16F32_TN",
                                        "SM80_8x8x4_F64F64F64F64_TN",
                                        "SM80_16x8x32_S32S8S8S32_TN",
                                        "SM80_16x8x8_F32TF32TF32F32_TN",
                                        "SM90_64x8x16_F32F16F16_RS",
                                        "SM80_SPARSE_16x8x32_F32F16F16F32_TN",
                                        "SM90_SPARSE_64x8x16_F32TF32TF32_SS_TN",
                                        "SM90_64x16x8_F32TF32TF32_SS_TN"};
    sweep_seed(20250923);
    int made = 0;
    for (int i = 0; i < (all_cases() ? 80 : 40); ++i) {
        const char *const name = names[sweep_int(0, sizeof names / sizeof *names - 1)];
        const ct_mma_atom atom = ct_make_mma_atom(name);
        const int64_t most = oracle_size(atom.thr_id) > 32 ? 2 : 4;
        const int64_t m = sweep_int(1, most), n = sweep_int(1, most), k = sweep_int(1, 2);
        const ct_tuple shape = ct_tuple3(m, n, k);
        const ct_layout atoms =
            sweep_int(0, 1) ? ct_make_col_major(shape) : ct_make_row_major(shape);
        ct_tiler tiles = ct_tiler0();
        const int64_t at_once[3] = {m * atom.op.m, n * atom.op.n, k * atom.op.k};
        for (int mode = 0, modes = (int)sweep_int(0, 3); mode < modes; ++mode)
            tiles = ct_tiler_append(tiles, mode == 2 && atom.op.sparse
                                               ? ct_layout1(at_once[2] * sweep_int(1, 2), 1)
                                               : some_tile(at_once[mode]));
        const ct_tiled_mma t = ct_make_tiled_mma(atom, atoms, tiles);
        /* Three quad pairs do not end where a warp's four do, and no layout goes on from there. */
        if (atom.op.kind == CT_MMA_QUAD_PAIR && m * n * k % 3 == 0) continue;
        if (t.atom.err.status) {
            char text[CT_MESSAGE_BYTES];
            ct_error_message(t.atom.err, text, sizeof text);
            fail_msg("%s, %s, %s: %s", name, show(atoms), show(tiles.tiles), text);
        }
        ++made;
        laws_of(t, name);
    }
    print_message("%d tiled MMAs, %lld laws\n", made, (long long)sweep_count);
}

/* What is refused, with the mode and the numbers. */
TEST(refused)
{
    static const struct {
        const char *atoms, *m, *n, *k;
        int why, mode;
        int64_t a, b;
    } rows[] = {
        {"(2,2,1)", "32:1", "24:1", "16:1", CT_WHY_SIZE_DIVIDES, 1, 24, 16},
        {"(2,2,1)", "16:1", "32:1", "16:1", CT_WHY_SIZE_DIVIDES, 0, 16, 32},
        {"(2,2,2)", "32:1", "16:1", "48:1", CT_WHY_SIZE_DIVIDES, 2, 48, 32},
        {"(2,2,1)", "(16,2):(1,1)", "16:1", "16:1", CT_WHY_COVER_TWICE, 0, 1, 0},
        {"(2,2,1)", "32:1", "16:2", "16:1", CT_WHY_COVER_MISSING, 1, 1, 0},
        {"(2,2,1):(1,1,0)", "32:1", "16:1", "16:1", CT_WHY_COVER_TWICE, 3, 1, 0},
        {"(2,2,1):(1,4,0)", "32:1", "16:1", "16:1", CT_WHY_COVER_MISSING, 3, 2, 0},
        {"(2,2,1,1)", "32:1", "16:1", "16:1", CT_WHY_RANK, 0, 3, 4},
    };
    const ct_mma_atom atom = ct_make_mma_atom("SM80_16x8x16_F32F16F16F32_TN");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        ct_tiler tiles = ct_tiler_append(ct_tiler2(L_(rows[i].m), L_(rows[i].n)), L_(rows[i].k));
        const ct_error e = ct_make_tiled_mma(atom, L_(rows[i].atoms), tiles).atom.err;
        if (e.status != CT_E_ARGUMENT || e.op != CT_OP_TILED_MMA || e.why != rows[i].why ||
            e.mode != rows[i].mode || e.n[0] != rows[i].a || e.n[1] != rows[i].b)
            fail_msg("%s, row %d: why %d, mode %d, %d %d", rows[i].atoms, (int)i, e.why, e.mode,
                     (int)e.n[0], (int)e.n[1]);
    }
}

/* Of k a sparse atom takes a size; of m and n any order. */
TEST(sparse_takes_k_in_order)
{
    const ct_mma_atom atom = ct_make_mma_atom("SM80_SPARSE_16x8x32_F32F16F16F32_TN");
    const ct_layout one = ct_layout1(1, 0);
    const ct_tiler swapped = ct_tiler2(L_("(8,2):(2,1)"), L_("(4,2):(2,1)"));
    const ct_error ok = ct_make_tiled_mma(atom, one, ct_tiler_append(swapped, L_("64:1"))).atom.err;
    assert_int_equal(ok.status, CT_OK);
    const ct_tiled_mma two = ct_make_tiled_mma(atom, one, ct_tiler_append(swapped, L_("64:1")));
    assert_true(ct_tuple_equal(ct_tiled_mma_tile(two, CT_MMA_A), ct_tuple2(16, 32)));
    assert_true(ct_tuple_equal(ct_tiled_mma_tile(two, CT_MMA_B), ct_tuple2(8, 64)));
    const ct_error e =
        ct_make_tiled_mma(atom, one, ct_tiler_append(swapped, L_("(32,2):(2,1)"))).atom.err;
    assert_int_equal(e.why, CT_WHY_MMA_SPARSE_K);
    assert_int_equal(e.mode, 0);
    assert_int_equal(e.n[0], 64);
}

/* Threads and tensors that a tiled MMA has no part for. */
TEST(no_part)
{
    const ct_tiled_mma t = ct_make_tiled_mma(ct_make_mma_atom("SM70_8x8x4_F16F16F16F16_TN"),
                                             ct_layout1(1, 0), ct_tiler0());
    const ct_tensor data = ct_make_tensor(ct_layout2(8, 8, 1, 8));
    assert_int_equal(ct_partition_c(t, data, 16).layout.err.status, CT_OK);
    static const int64_t none[] = {-1, 4, 15, 20, 32};
    for (int i = 0; i < 5; ++i) {
        const ct_error e = ct_partition_c(t, data, none[i]).layout.err;
        assert_int_equal(e.status, CT_E_DOMAIN);
        assert_int_equal(e.op, CT_OP_PARTITION_C);
        assert_int_equal(e.why,
                         none[i] > 0 && none[i] < 19 ? CT_WHY_THREAD_GAP : CT_WHY_THREAD_PAST);
        assert_int_equal(e.n[0], none[i]);
        assert_int_equal(e.n[1], 0); /* the first thread and the last */
        assert_int_equal(e.n[2], 19);
    }
    ct_tiled_mma odd = ct_make_tiled_mma(t.atom, ct_layout2(1, 3, 0, 1), ct_tiler0());
    odd.thr.stride[1] = 17; /* threads 17 .. after 12, by fours */
    assert_int_equal(ct_tiled_mma_tv(odd, CT_MMA_C).err.why, CT_WHY_GAP);
    odd.thr.basis[1] = 1;
    assert_int_equal(ct_tiled_mma_tv(odd, CT_MMA_C).err.why, CT_WHY_NOT_INTEGER);
    const ct_error e = ct_partition_b(t, ct_make_tensor(ct_layout1(8, 1)), 0).layout.err;
    assert_int_equal(e.status, CT_E_ARGUMENT);
    assert_int_equal(e.op, CT_OP_PARTITION_B);
    assert_int_equal(e.why, CT_WHY_RANK);
}

/* Threads of C after the first atom along k hold parts of the same sums. */
static int64_t threads_that_hold(const ct_tiled_mma *t, int operand)
{
    return ct_size(t->thr) / (operand == CT_MMA_C ? ct_size(ct_mode(t->atoms, 2)) : 1);
}

/* Of an operand: over the threads, the thread-value layout holds each element equally often, and the
 * parts of threads, of all where `parts`, are that, value by value. */
static void check_operand(const ct_tiled_mma *t, int operand, const char *name, int parts)
{
    static int32_t held[1 << 20];
    static int64_t of_value[1 << 16];
    const ct_layout tv = ct_tiled_mma_tv(*t, operand);
    if (tv.err.status) fail_msg("%s: no thread-value layout of operand %d", name, operand);
    const ct_tuple tile = ct_tiled_mma_tile(*t, operand);
    const ct_tensor data = ct_make_tensor(ct_make_col_major(tile));
    const ct_layout by_thread = ct_mode(tv, 0), by_value = ct_mode(tv, 1);
    const int64_t n = ct_product(tile), values = ct_size(by_value);
    const int64_t threads = threads_that_hold(t, operand),
                  step = parts ? 1 : ct_max(1, threads / 7);
    assert_true(n <= (int64_t)(sizeof held / sizeof *held) &&
                values <= (int64_t)(sizeof of_value / 8));
    for (int64_t v = 0; v < values; ++v) of_value[v] = ct_eval(by_value, v);
    memset(held, 0, (size_t)n * sizeof *held);
    for (int64_t i = 0; i < threads; ++i) {
        const int64_t thread = ct_eval(t->thr, i), first = ct_eval(by_thread, thread);
        for (int64_t v = 0; v < values; ++v) {
            const int64_t at = first + of_value[v];
            if (at < 0 || at >= n)
                fail_msg("%s: thread %d of operand %d", name, (int)thread, operand);
            held[at]++;
        }
        if (i % step != 0) continue;
        const ct_tensor mine = law_mma_part(t, data, thread, operand);
        if (mine.layout.err.status) fail_msg("%s: thread %d has no part", name, (int)thread);
        assert_int_equal(ct_size(mine.layout), values);
        for (int64_t v = 0; v < values; ++v)
            if (ct_tensor_offset(&mine, v) != first + of_value[v])
                fail_msg("%s: value %d of thread %d of operand %d", name, (int)v, (int)thread,
                         operand);
    }
    for (int64_t e = 0; e < n; ++e)
        if (held[e] * n != threads * values)
            fail_msg("%s: element %d of operand %d", name, (int)e, operand);
}

/* Whether a copy of the operand is refused: of C with several atoms along k, and where a warp has
 * three quad pairs, unless the operand is the same in all of them. */
static int is_refused(const ct_tiled_mma *t, int operand)
{
    const int lacks = operand == CT_MMA_A ? 1 : operand == CT_MMA_B ? 0 : 2;
    const int three = ct_size(t->thr) == 24 && ct_size(ct_mode(t->atoms, lacks)) != 3;
    return (operand == CT_MMA_C && ct_size(ct_mode(t->atoms, 2)) > 1) ||
           (t->atom.op.kind == CT_MMA_QUAD_PAIR && three);
}

/* The copies made of the operands hold each element by as many threads as they say, and `verify`
 * finds nothing in them, nor in the tiled MMA; without half of the threads it does. */
static void check_verified(const ct_tiled_mma *t, const char *name)
{
    static ct_verify_report report;
    static ct_verify_mma_report of_mma;
    char why[CT_MESSAGE_BYTES];
    const ct_verify_mma_job job = {.mma = *t};
    if (ct_verify_mma(&job, &of_mma, why) == CT_OK && of_mma.failed) fail_msg("%s: the MMA", name);
    for (int operand = CT_MMA_A; operand <= CT_MMA_C; ++operand) {
        ct_tiled_copy c = ct_make_tiled_copy_mma(ct_copy_atom_auto(16), *t, operand);
        if ((c.atom.err.status == CT_E_DOMAIN) != is_refused(t, operand))
            fail_msg("%s: a copy", name);
        if (c.atom.err.status) continue;
        LAW(law_mma_copy(&c), name, show(t->atoms));
        ct_verify_job copy = ct_verify_of_copy(&c);
        if (ct_verify(&copy, &report, why) == CT_OK && report.failed)
            fail_msg("%s: copy %d", name, operand);
        const int64_t threads = ct_size(ct_mode(c.tv, 0));
        copy.tv = ct_composition_by(c.tv, ct_tiler2(ct_layout1(threads / 2, 2), ct_tile_any()));
        if (threads > 1 && ct_verify(&copy, &report, why) == CT_OK && !report.failed)
            fail_msg("%s: half of the threads of copy %d", name, operand);
    }
}

/* One atom of each set of layouts, by layouts of atoms in {1,2,3,4}^3; a sample of them, or all. */
TEST(atoms_in_each_layout)
{
    int made = 0, with_gaps = 0;
    if (seen_count == 0) atoms_cover_their_tiles(state);
    for (int i = 0; i < 64 * seen_count; ++i) {
        const ct_mma_op op = seen[i / 64].op;
        const int gaps = op.kind == CT_MMA_QUAD_PAIR, m = 1 + i % 4, n = 1 + i / 4 % 4,
                  k = 1 + i / 16 % 4;
        if (!all_cases() && !gaps && i % 1597 != 0) continue;
        const ct_tiled_mma t = ct_make_tiled_mma(
            ct_mma_atom_of(op), ct_make_col_major(ct_tuple3(m, n, k)), ct_tiler0());
        char name[CT_MMA_NAME_BYTES + 16];
        ct_mma_op_name(name, op);
        snprintf(name + strlen(name), 16, " (%d,%d,%d)", m, n, k);
        if (t.atom.err.status && !gaps) fail_msg("%s: %d", name, (int)t.atom.err.why);
        if (t.atom.err.status || ct_size(t.thr) > 1024) continue; /* of one block */
        ++made;
        with_gaps += ct_cosize(t.thr) > ct_size(t.thr);
        for (int operand = CT_MMA_A; operand <= CT_MMA_C; ++operand)
            check_operand(&t, operand, name, gaps || i % 16 == 0);
        if (gaps || (op.m * op.n < 1024 && i % 4 == 1)) check_verified(&t, name);
    }
    print_message("%d tiled MMAs, %d with gaps between threads\n", made, with_gaps);
    assert_true(made > 80 && with_gaps == 8 * 7);
}

/* ldmatrix feeds the fragments of A and B; what it writes is where the MMA reads it. */
TEST(ldmatrix_feeds_fragments)
{
    const ct_tiled_mma t = ct_make_tiled_mma(ct_make_mma_atom("SM80_16x8x16_F32F16F16F32_TN"),
                                             ct_make_col_major(ct_tuple3(2, 2, 1)),
                                             ct_tiler_of_shape(ct_tuple3(32, 32, 16)));
    for (int trans = 0; trans < 2; ++trans) {
        for (int matrices = 1; matrices <= 4; matrices *= 2) {
            const ct_copy_atom atom = ct_copy_atom_matrix(
                trans ? CT_ATOM_LDMATRIX_TRANS : CT_ATOM_LDMATRIX, matrices, 16);
            LAW(law_mma_retile(atom, t, ct_tuple2(64, 32), CT_MMA_A), "A");
            LAW(law_mma_retile(atom, t, ct_tuple2(64, 32), CT_MMA_B), "B");
        }
    }
}

GROUP("mma", NULL, NULL)
