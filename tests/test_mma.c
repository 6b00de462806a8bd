/* MMA atoms against the formulas of the PTX ISA and against coverage of their tiles; tiled MMAs,
 * their partitions and the copies that feed them, in a table and at random. */
#include "sweep.h"

#include "../src/text/mma_names.h"
#include "cutlet/host/text.h"

/* ---- every atom ------------------------------------------------------------------------------ */

/* Layouts that have been looked at: atoms that differ in their types only share them. */
static struct {
    ct_layout tv[3];
} seen[4096];
static int seen_count, atom_count;

static int seen_before(ct_mma_atom a)
{
    for (int i = seen_count - 1; i >= 0; --i) {
        int same = 1;
        for (int k = 0; k < 3 && same; ++k) same = ct_layout_equal(seen[i].tv[k], ct_mma_tv(a, k));
        if (same) return 1;
    }
    assert_true(seen_count < (int)(sizeof seen / sizeof *seen));
    for (int k = 0; k < 3; ++k) seen[seen_count].tv[k] = ct_mma_tv(a, k);
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
    if (seen_before(a)) return 0;
    LAW(law_mma_atom(a), name);
    return 0;
}

static void atoms_cover_their_tiles(void **state)
{
    (void)state;
    assert_int_equal(ct_mma_each(try_atom, NULL), 0);
    print_message("%d atoms of %d layouts\n", atom_count, seen_count);
    assert_true(atom_count > 1000 && seen_count > 300);
}

/* A wrong stride in the data of an atom is found. */
static void a_wrong_layout_is_found(void **state)
{
    (void)state;
    for (int operand = CT_MMA_A; operand <= CT_MMA_C; ++operand) {
        ct_mma_atom a = ct_make_mma_atom("SM80_16x8x16_F32F16F16F32_TN");
        assert_null(law_mma_atom(a));
        ct_layout *const tvs[] = {&a.a_tv, &a.b_tv, &a.c_tv}, *const tv = tvs[operand];
        tv->stride[3] *= 2;
        assert_non_null(law_mma_atom(a));
    }
}

/* The atoms of CuTe, each with its shape. */
static void cute_names(void **state)
{
    (void)state;
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

static void no_such_atom(void **state)
{
    (void)state;
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
    {"SM90_64x8x8_F32TF32TF32_RS_TN", a_k8_b32, NULL, c_wgmma},
    {"SM90_64x48x16_F16F16F16_RS", a_k16, NULL, c_wgmma},
    {"SM90_64x256x16_F32BF16BF16_RS", a_k16, NULL, c_wgmma},
    {"SM90_64x96x32_F32E4M3E5M2_RS_TN", a_k32, NULL, c_wgmma},
    {"SM90_64x96x32_S32U8S8_RS_TN", a_k32, NULL, c_wgmma},
};

/* tv, whose second mode is `wide` elements apart, against a formula; warps of 16 rows each. */
static void compare_formula(const char *name, ct_layout tv, formula *f, int64_t apart, int is_b)
{
    const int64_t threads = oracle_size(ct_mode(tv, 0)), values = oracle_size(ct_mode(tv, 1));
    for (int64_t thr = 0; f && thr < threads; ++thr) {
        for (int64_t i = 0; i < values; ++i) {
            place p = f((int)(thr % 32 / 4), (int)(thr % 4), (int)i);
            p.row += is_b ? 0 : (int)(thr / 32) * 16;
            const int64_t want = is_b ? p.col + apart * p.row : p.row + apart * p.col;
            const int64_t got = oracle_eval(tv, thr + threads * i);
            if (got != want)
                fail_msg("%s: thread %d, element %d: %d and not %d", name, (int)thr, (int)i,
                         (int)got, (int)want);
        }
    }
}

static void fragments_are_those_of_the_ptx_isa(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof formulas / sizeof *formulas; ++i) {
        const ct_mma_atom a = ct_make_mma_atom(formulas[i].name);
        if (a.err.status) fail_msg("%s: %d", formulas[i].name, a.err.why);
        compare_formula(formulas[i].name, a.a_tv, formulas[i].a, a.op.m, 0);
        compare_formula(formulas[i].name, a.b_tv, formulas[i].b, a.op.n, 1);
        compare_formula(formulas[i].name, a.c_tv, formulas[i].c, a.op.m, 0);
    }
}

/* mma.m8n8k4 (.f16): lane, element -> row and column, as its section has them. */
static void quad_pairs_are_those_of_the_ptx_isa(void **state)
{
    (void)state;
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
        LAW(law_mma_partition(t, tile, operand), name, show(t.atoms), show(t.tiler.tiles));
        LAW(law_mma_partition(t, times(tile, 2, 3), operand), name, show(t.atoms),
            show(t.tiler.tiles));
        const int several_k = oracle_size(ct_mode(t.atoms, 2)) > 1;
        if ((operand == CT_MMA_C && several_k) || ct_cosize(t.thr) != oracle_size(t.thr)) continue;
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

static void random_tiled_mmas(void **state)
{
    (void)state;
    static const char *const names[] = {
        "universal_fma", "SM61_DP4A", "SM70_8x8x4_F32F16F16F32_NT", "SM70_8x8x4_F16F16F16F16_TN",
        "SM75_16x8x8_F32F16F16F32_TN", "SM80_16x8x16_F32F16F16F32_TN", "SM80_8x8x4_F64F64F64F64_TN",
        "SM80_16x8x32_S32S8S8S32_TN", "SM80_16x8x8_F32TF32TF32F32_TN", "SM90_64x8x16_F32F16F16_RS",
        "SM90_64x16x8_F32TF32TF32_SS_TN"};
    sweep_seed(20250923);
    int made = 0;
    for (int i = 0; i < 80; ++i) {
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
            tiles = ct_tiler_append(tiles, some_tile(at_once[mode]));
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
static void refused(void **state)
{
    (void)state;
    static const struct {
        const char *atoms, *m, *n, *k;
        int why, mode;
        int64_t a, b;
    } rows[] = {
        {"(2,2,1)", "32:1", "24:1", "16:1", CT_WHY_SIZE_DIVIDES, 1, 24, 16},
        {"(2,2,1)", "16:1", "32:1", "16:1", CT_WHY_SIZE_DIVIDES, 0, 16, 32},
        {"(2,2,2)", "32:1", "16:1", "48:1", CT_WHY_SIZE_DIVIDES, 2, 48, 32},
        {"(2,2,1)", "(16,2):(1,1)", "16:1", "16:1", CT_WHY_COVER_TWICE, 0, 1, 32},
        {"(2,2,1)", "32:1", "16:2", "16:1", CT_WHY_COVER_MISSING, 1, 1, 16},
        {"(2,2,1):(1,1,0)", "32:1", "16:1", "16:1", CT_WHY_COVER_TWICE, 3, 1, 4},
        {"(2,2,1):(1,4,0)", "32:1", "16:1", "16:1", CT_WHY_COVER_MISSING, 3, 2, 4},
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

/* Threads and tensors that a tiled MMA has no part for. */
static void no_part(void **state)
{
    (void)state;
    const ct_tiled_mma t = ct_make_tiled_mma(ct_make_mma_atom("SM70_8x8x4_F16F16F16F16_TN"),
                                             ct_layout1(1, 0), ct_tiler0());
    const ct_tensor data = ct_make_tensor(ct_layout2(8, 8, 1, 8));
    assert_int_equal(ct_partition_c(t, data, 16).layout.err.status, CT_OK);
    static const int64_t none[] = {-1, 4, 15, 20, 32};
    for (int i = 0; i < 5; ++i) {
        const ct_error e = ct_partition_c(t, data, none[i]).layout.err;
        assert_int_equal(e.status, CT_E_DOMAIN);
        assert_int_equal(e.op, CT_OP_PARTITION_C);
        assert_int_equal(e.n[0], none[i]);
        assert_int_equal(e.n[1], 8);
    }
    const ct_error e = ct_partition_b(t, ct_make_tensor(ct_layout1(8, 1)), 0).layout.err;
    assert_int_equal(e.status, CT_E_ARGUMENT);
    assert_int_equal(e.op, CT_OP_PARTITION_B);
    assert_int_equal(e.why, CT_WHY_RANK);
}

/* ldmatrix feeds the fragments of A and B; what it writes is where the MMA reads it. */
static void ldmatrix_feeds_fragments(void **state)
{
    (void)state;
    const ct_tiled_mma t =
        ct_make_tiled_mma(ct_make_mma_atom("SM80_16x8x16_F32F16F16F32_TN"),
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(atoms_cover_their_tiles),
        cmocka_unit_test(a_wrong_layout_is_found),
        cmocka_unit_test(cute_names),
        cmocka_unit_test(no_such_atom),
        cmocka_unit_test(fragments_are_those_of_the_ptx_isa),
        cmocka_unit_test(quad_pairs_are_those_of_the_ptx_isa),
        cmocka_unit_test(random_tiled_mmas),
        cmocka_unit_test(refused),
        cmocka_unit_test(no_part),
        cmocka_unit_test(ldmatrix_feeds_fragments),
    };
    return cmocka_run_group_tests_name("mma", tests, NULL, NULL);
}
