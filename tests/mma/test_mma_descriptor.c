/* Matrix descriptors against the hardware's rule of addresses: every canonical form, of every
 * width, size and place; random layouts, which are refused rightly or described rightly; numbers
 * worked out by hand. */
#include "error_said.h"
#include "sweep.h"

#include <cutlet/host/text.h>
#include "laws_mma_descriptor.h"

static const char *text_of(ct_tensor t)
{
    static char text[CT_TEXT_BYTES];
    ct_format_tensor(text, sizeof text, t);
    return text;
}

static ct_mma_atom atom_named(const char *name)
{
    const ct_mma_atom a = ct_make_mma_atom(name);
    if (a.err.status) fail_msg("%s: %d", name, a.err.why);
    return a;
}

/* A layout, swizzled or not. */
static ct_tensor tile_of(const char *text)
{
    ct_layout L;
    ct_tensor t;
    ct_diag diag;
    if (ct_parse_layout(text, &L, NULL) == 0) return ct_make_tensor(L);
    if (ct_parse_tensor(text, &t, &diag)) fail_msg("%s: %s", text, diag.message);
    return t;
}

/* ---- the swizzle of elements ----------------------------------------------------------------- */

/* Elements of a power of two of bits, up to the pieces that move, have a swizzle; no others. */
TEST(test_swizzle_of_elements)
{
    for (int mode = CT_MMA_SWIZZLE_32B; mode < CT_MMA_SWIZZLE_COUNT; ++mode)
        for (int bits = -1; bits <= 512; ++bits) {
            const int piece = mode == CT_MMA_SWIZZLE_128B_32B ? 256 : 128;
            const int fits = bits >= 1 && bits <= piece && (bits & (bits - 1)) == 0;
            const ct_swizzle s = ct_mma_swizzle_of(mode, bits);
            assert_int_equal(s.err.status, fits ? CT_OK : CT_E_ARGUMENT);
            if (fits) assert_int_equal(ct_mma_swizzle_mode(s, bits), mode);
            if (fits) assert_int_equal((1 << s.base) * bits, piece);
        }
    assert_int_equal(ct_mma_swizzle_of(CT_MMA_SWIZZLE_NONE, 16).bits, 0);
    assert_int_equal(ct_mma_swizzle_of(-1, 16).err.status, CT_E_ARGUMENT);
}

/* ---- the canonical forms --------------------------------------------------------------------- */

/* The instructions of the sweep, and the bits of their elements. */
static const struct {
    const char *name;
    int bits;
} instructions[] = {
    {"SM90_64x8x16_F32F16F16_SS", 16},           {"SM90_64x24x16_F32F16F16_SS", 16},
    {"SM90_64x96x16_F32F16F16_RS", 16},          {"SM90_64x128x16_F32BF16BF16_SS", 16},
    {"SM90_64x256x16_F32F16F16_SS", 16},         {"SM90_64x16x8_F32TF32TF32_SS_TN", 32},
    {"SM90_64x128x8_F32TF32TF32_SS_TN", 32},     {"SM90_64x64x32_S32S8S8_SS_TN", 8},
    {"SM90_64x128x32_F32E4M3E5M2_SS_TN", 8},     {"SM100_64x8x16_F32F16F16_SS", 16},
    {"SM100_128x96x16_F32BF16BF16_TS", 16},      {"SM100_256x128x16_F32F16F16_2x1SM_SS", 16},
    {"SM100_64x32x8_F32TF32TF32_SS", 32},        {"SM100_128x64x8_F32TF32TF32_SS", 32},
    {"SM100_256x64x8_F32TF32TF32_2x1SM_SS", 32}, {"SM100_128x16x32_F32E4M3E5M2_SS", 8},
    {"SM100_128x256x32_S32S8U8_SS", 8},          {"SM100_256x256x32_F32E2M1E3M2_2x1SM_SS", 8},
    {"SM90_SPARSE_64x96x32_F32F16F16_SS", 16},   {"SM90_SPARSE_64x16x16_F32TF32TF32_SS_TN", 32},
    {"SM90_SPARSE_64x64x64_S32S8S8_SS_TN", 8},   {"SM100_128x64x64_F32E2M1E2M1_SS_VS", 4},
};
enum { INSTRUCTIONS = sizeof instructions / sizeof *instructions };

/* A canonical layout by its strides in elements: lines of `line` elements along mode `major`,
 * `lines` of them together, groups along the major mode P apart and groups across Q apart. */
static ct_layout form(int major, int64_t along, int64_t across, int64_t line, int64_t lines,
                      int64_t P, int64_t Q)
{
    const ct_layout one = ct_layout2(ct_min(line, along), ct_ceil_div_int(along, line), 1, P);
    const ct_layout other = ct_layout2(lines, across / lines, line, Q);
    const ct_layout L = major ? ct_make_layout2(other, one) : ct_make_layout2(one, other);
    return ct_coalesce_by(L, ct_tuple2(1, 1));
}

/* The elements along k that an instruction reads of an operand: of a sparse A half of its k. */
static int64_t columns(ct_mma_atom atom, int operand)
{
    return operand == CT_MMA_A && atom.op.sparse ? atom.op.k / 2 : atom.op.k;
}

/* Whether the PTX ISA has this form for the operand: written out here as its tables are. */
static int has_form(int arch, int bits, int real_bits, int mn_major, int pieces)
{
    if (pieces == 32) return arch == 100 && bits == 32 && mn_major;
    if (!mn_major) return 1;
    if (arch == 90) return bits == 16;
    return real_bits == 8 || real_bits == 16;
}

static int forms_seen, forms_refused;

static void try_form(ct_mma_atom atom, int operand, int arch, int bits, int mn_major, int line,
                     int pieces, int64_t mn, int64_t k)
{
    const int64_t T = 128 / bits, elems = 8 * line / bits, lines = pieces == 32 ? 4 : 8;
    const int64_t along = mn_major ? mn : k, across = mn_major ? k : mn;
    const int real_bits = ct_mma_bits(operand == CT_MMA_A ? atom.op.a : atom.op.b);
    const int64_t part = mn_major ? (operand == CT_MMA_A ? atom.op.m : atom.op.n) / atom.op.blocks
                                  : columns(atom, operand);
    if (along % T || (along > elems && along % elems)) return;
    if (along > part && elems % part && part % elems)
        return; /* an instruction would begin within a group */
    const int64_t block = elems * lines, groups = ct_ceil_div_int(along, elems);
    const int log = bits == 32 ? 2 : bits == 16 ? 1 : bits == 8 ? 0 : -1;
    const ct_swizzle s = line == 16     ? ct_swizzle_none()
                         : pieces == 32 ? ct_make_swizzle(2, 5 - log, 2)
                                        : ct_make_swizzle(line == 128  ? 3
                                                          : line == 64 ? 2
                                                                       : 1,
                                                          4 - log, 3);
    const int64_t strides[][2] = {
        {block * (across / lines), block},             /* groups across first */
        {block, block * groups},                       /* groups along first */
        {block * (across / lines) + 3 * T, block + T}, /* gaps of pieces */
    };
    for (int way = 0; way < 3; ++way) {
        const ct_layout L =
            form(!mn_major, along, across, elems, lines, strides[way][0], strides[way][1]);
        const int64_t offset = way == 0 ? 0 : way == 1 ? T : 5 * T;
        const ct_tensor tile = ct_make_swizzled(s, offset, L);
        const ct_mma_descriptor d = ct_make_mma_descriptor(tile, operand, atom);
        char name[CT_MESSAGE_BYTES] = "";
        if (d.err.status) ct_error_message(d.err, name, sizeof name);
        const int runs_past = !mn_major && line > 16 && part * bits / 8 > line;
        const int should = has_form(arch, bits, real_bits, mn_major, pieces) && !runs_past;
        const int fits = d.err.why != CT_WHY_INDEX; /* not all of shared memory can be named */
        if (should && fits && d.err.status) fail_msg("%s: %s", text_of(tile), name);
        if (!should && !d.err.status) fail_msg("%s was not refused", text_of(tile));
        if (d.err.status) {
            ++forms_refused;
            continue;
        }
        ++forms_seen;
        assert_int_equal(d.major, mn_major);
        static const uint32_t bases[] = {0, 1024, 2048 + 128, 5 * 128, 512, 128 * 7};
        for (int b = 0; b < (mn * k > 8192 ? 1 : way == 0 ? 6 : 2); ++b) {
            const uint32_t base = line == 16 ? bases[b] + 16 * (uint32_t)b : bases[b];
            if (ct_mma_descriptor_at(d, base).err.status) continue;
            LAW(law_mma_descriptor_fields(d, tile, base), text_of(tile), name);
        }
    }
}

TEST(every_form)
{
    static const int lines[] = {16, 32, 64, 128, 128};
    for (int i = 0; i < INSTRUCTIONS; ++i) {
        const ct_mma_atom atom = atom_named(instructions[i].name);
        for (int operand = CT_MMA_A; operand <= CT_MMA_B; ++operand) {
            if (ct_mma_from(atom.op, operand) != CT_MMA_SHARED) continue;
            const int64_t mn = (operand == CT_MMA_A ? atom.op.m : atom.op.n) / atom.op.blocks;
            for (int mode = 0; mode < 5; ++mode) {
                for (int which = 0; which < 2 * 9; ++which)
                    try_form(atom, operand, atom.op.arch, instructions[i].bits, which % 2,
                             lines[mode], mode == 4 ? 32 : 16, mn * (1 + which / 2 % 3),
                             columns(atom, operand) * ((int64_t)1 << which / 6));
            }
        }
    }
    print_message("%d forms, %d refused\n", forms_seen, forms_refused);
    assert_true(forms_seen > 2000 && forms_refused > 500);
}

/* ---- planted faults -------------------------------------------------------------------------- */

/* Each field that is read matters: with a wrong one, some element is read elsewhere. */
TEST(a_wrong_field_is_seen)
{
    int looked = 0;
    for (int i = 0; i < INSTRUCTIONS; ++i) {
        const ct_mma_atom atom = atom_named(instructions[i].name);
        for (int major = 0; major < 2; ++major) {
            const int64_t mn = 2 * atom.op.n / atom.op.blocks, k = 4 * atom.op.k;
            const ct_layout any = major ? ct_layout2(mn, k, 1, mn) : ct_layout2(mn, k, k, 1);
            const ct_tensor tile = ct_mma_descriptor_nearest(ct_make_tensor(any), CT_MMA_B, atom);
            if (tile.layout.err.status) continue;
            const ct_mma_descriptor d = ct_make_mma_descriptor(tile, CT_MMA_B, atom);
            assert_int_equal(d.err.status, CT_OK);
            assert_null(law_mma_descriptor_fields(d, tile, 0));
            ct_mma_descriptor bad = d;
            bad.leading_bytes += 16;
            assert_int_equal(law_mma_descriptor_fields(bad, tile, 0) != NULL,
                             ct_mma_reads_leading(&d));
            bad = d;
            bad.stride_bytes += 16;
            assert_int_equal(law_mma_descriptor_fields(bad, tile, 0) != NULL,
                             ct_mma_reads_stride(&d));
            bad = d;
            bad.start_bytes += 16;
            assert_non_null(law_mma_descriptor_fields(bad, tile, 0));
            bad = d;
            bad.version = !d.version;
            assert_non_null(law_mma_descriptor_fields(bad, tile, 0));
            if (d.swizzle != CT_MMA_SWIZZLE_NONE) {
                bad = d;
                bad.base_offset = 1;
                assert_non_null(law_mma_descriptor_fields(bad, tile, 0));
                bad = d;
                bad.swizzle = CT_MMA_SWIZZLE_NONE;
                assert_non_null(law_mma_descriptor_fields(bad, tile, 0));
            }
            ++looked;
        }
    }
    assert_true(looked > 20);
}

/* ---- random layouts -------------------------------------------------------------------------- */

/* Layouts near the canonical ones: one number of a canonical one is changed, or the swizzle is. */
static ct_tensor near_canonical(ct_mma_atom atom, int operand)
{
    const int64_t mn =
        (operand == CT_MMA_A ? atom.op.m : atom.op.n) / atom.op.blocks * sweep_int(1, 2);
    const int64_t k = columns(atom, operand) * sweep_int(1, 4);
    const ct_layout any = sweep_int(0, 1) ? ct_layout2(mn, k, 1, mn) : ct_layout2(mn, k, k, 1);
    ct_tensor t = ct_mma_descriptor_nearest(ct_make_tensor(any), operand, atom);
    if (t.layout.err.status) t = ct_make_tensor(any);
    const int leaf = (int)sweep_int(0, t.layout.profile.leaves - 1);
    static const int64_t steps[] = {1, 2, 4, 8, 16, 24, 32, 64, 128, 256, 512, 1024, 4096, 0};
    const int64_t change = sweep_int(0, 5);
    if (change == 0) t.layout.stride[leaf] = steps[sweep_int(0, 13)];
    else if (change == 1) t.layout.stride[leaf] += 8 * sweep_int(0, 4);
    else if (change == 2) t.layout.stride[leaf] = 128 * sweep_int(0, 80);
    else if (change == 3) t.offset.value[0] = sweep_int(0, 64) * (sweep_int(0, 1) ? 16 : 1);
    if (sweep_int(0, 2) == 0) {
        const int bits = (int)sweep_int(0, 4);
        t.swizzle = ct_make_swizzle(bits, (int)sweep_int(0, 5), (int)sweep_int(bits, 4));
    } else if (sweep_int(0, 2) == 0) {
        t.swizzle = ct_swizzle_none();
        if (sweep_int(0, 1)) t.layout = any;
    } else if (sweep_int(0, 3) == 0) { /* a swizzle of the hardware, perhaps too narrow */
        const int32_t type = operand == CT_MMA_A ? atom.op.a : atom.op.b;
        t.swizzle = ct_mma_swizzle_of((int32_t)sweep_int(1, 3), ct_mma_bits_held(atom.op, type));
    }
    return ct_tensor_with(t, t.layout);
}

/* The first instruction's part of a refused tile is described rightly, or nothing describes it. */
static const char *law_refused_part(ct_tensor tile, int operand, ct_mma_atom atom)
{
    const ct_mma_descriptor d = ct_mma_descriptor_of(operand, atom);
    const ct_tiler by = ct_tiler2(ct_layout1(d.mn, 1), ct_layout1(d.k, 1));
    const ct_tensor part = ct_tensor_with(tile, ct_mode(ct_zipped_divide_by(tile.layout, by), 0));
    if (part.layout.err.status) return NULL;
    if (ct_make_mma_descriptor(part, operand, atom).err.status == CT_OK)
        return law_mma_descriptor(part, operand, atom, 0);
    return part.offset.value[0] >= 65536 ? NULL : law_no_descriptor(part, operand, atom);
}

TEST(random_layouts)
{
    sweep_seed(20260211);
    int made = 0, refused = 0, by[CT_WHY_NO_TILE + 1] = {0};
    for (int round = 0; round < 8000; ++round) {
        const ct_mma_atom atom = atom_named(instructions[sweep_int(0, INSTRUCTIONS - 1)].name);
        const int operand = atom.op.a_from == CT_MMA_SHARED ? (int)sweep_int(0, 1) : CT_MMA_B;
        const ct_tensor tile = near_canonical(atom, operand);
        if (tile.layout.err.status) continue;
        const ct_mma_descriptor d = ct_make_mma_descriptor(tile, operand, atom);
        if (d.err.status == CT_OK) {
            ++made;
            if (made % 8 == 0) LAW(law_mma_descriptor(tile, operand, atom, 0), text_of(tile));
        } else {
            ++refused;
            ++by[d.err.why];
            LAW(law_error(d.err), text_of(tile));
            LAW(law_refused_part(tile, operand, atom), text_of(tile));
        }
        const ct_tensor nearest = ct_mma_descriptor_nearest(tile, operand, atom);
        if (nearest.layout.err.status) continue;
        const ct_mma_descriptor n = ct_make_mma_descriptor(nearest, operand, atom);
        if (n.err.status && n.err.why != CT_WHY_INDEX) fail_msg("nearest: %s", text_of(nearest));
    }
    print_message("%d made, %d refused\n", made, refused);
    for (int why = CT_WHY_DESC_SWIZZLE; why <= CT_WHY_DESC_GROUPS; ++why) {
        if (why == CT_WHY_DESC_MAJOR) continue;
        if (!by[why]) fail_msg("no layout was refused for reason %d", why);
    }
    assert_true(made > 1000 && refused > 1000);
}

/* ---- numbers by hand ------------------------------------------------------------------------- */

TEST(numbers)
{
    static const struct {
        const char *tile;
        int operand;
        const char *atom, *steps;
        uint64_t bits;
    } rows[] = {
        {"Sw<3,3,3> o 0 o (64,64):(64,1)", CT_MMA_A, "SM90_64x128x16_F32F16F16_SS", "(1,4):(0,32)",
         0x4000004000010000},
        {"Sw<2,3,3> o 0 o (64,32):(32,1)", CT_MMA_A, "SM90_64x128x16_F32F16F16_SS", "(1,2):(0,32)",
         0x8000002000010000},
        {"Sw<1,3,3> o 0 o (64,16):(16,1)", CT_MMA_A, "SM90_64x128x16_F32F16F16_SS", "(1,1):(0,0)",
         0xc000001000010000},
        /* K-major without a swizzle: columns of 16 bytes, 64 * 16 bytes apart; 8 rows are 128
           bytes. */
        {"(64,(8,2)):(8,(1,512))", CT_MMA_A, "SM90_64x128x16_F32F16F16_SS", "(1,1):(0,0)",
         0x0000000800400000},
        /* MN-major: 128 of n are two lines, 8 KiB apart; 8 of k are 1 KiB. */
        {"Sw<3,3,3> o 0 o ((64,2),64):((1,4096),64)", CT_MMA_B, "SM90_64x128x16_F32F16F16_SS",
         "(1,4):(0,2048)", 0x4000004002000000},
        /* Without a swizzle the fields change places: pieces along n 128 bytes apart, 8 of k 2 KiB.
         */
        {"((8,16),(8,2)):((1,64),(8,1024))", CT_MMA_B, "SM90_64x128x16_F32F16F16_SS", "(1,1):(0,0)",
         0x0000000800800000},
        {"Sw<3,3,3> o 0 o (128,128):(64,1)", CT_MMA_A, "SM90_64x128x16_F32F16F16_SS",
         "(2,8):(8192,32)", 0x4000004000010000}, /* elements may share their places */
        {"Sw<3,3,3> o 0 o (128,(64,2)):(64,(1,8192))", CT_MMA_A, "SM90_64x128x16_F32F16F16_SS",
         "(2,(4,2)):(8192,(32,16384))", 0x4000004000010000},
        {"Sw<3,3,3> o 0 o (128,64):(64,1)", CT_MMA_A, "SM100_128x128x16_F32F16F16_SS",
         "(1,4):(0,32)", 0x4000404000010000},
        {"Sw<3,4,3> o 0 o (128,128):(128,1)", CT_MMA_A, "SM100_128x128x32_F32E4M3E4M3_SS",
         "(1,4):(0,32)", 0x4000404000010000},
        {"Sw<3,2,3> o 0 o (128,32):(32,1)", CT_MMA_A, "SM100_128x128x8_F32TF32TF32_SS",
         "(1,4):(0,32)", 0x4000404000010000},
        {"Sw<2,3,2> o 0 o ((32,4),16):((1,512),32)", CT_MMA_A, "SM100_128x128x8_F32TF32TF32_SS",
         "(1,2):(0,1024)", 0x2000402000800000},
        {"Sw<3,3,3> o 16 o (64,16):(64,1)", CT_MMA_A, "SM90_64x128x16_F32F16F16_SS", "(1,1):(0,0)",
         0x4000004000010002},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        char steps[CT_TEXT_BYTES];
        const ct_tensor tile = tile_of(rows[i].tile);
        const ct_mma_descriptor d =
            ct_make_mma_descriptor(tile, rows[i].operand, atom_named(rows[i].atom));
        if (d.err.status) fail_msg("%s: reason %d", rows[i].tile, d.err.why);
        assert_null(law_mma_descriptor_fields(d, tile, 0));
        ct_format_layout(steps, sizeof steps, d.steps);
        assert_string_equal(steps, rows[i].steps);
        if (ct_mma_descriptor_pack(d) != rows[i].bits)
            fail_msg("%s: %016llx", rows[i].tile, (unsigned long long)ct_mma_descriptor_pack(d));
    }
}

/* ---- bases ----------------------------------------------------------------------------------- */

TEST(bases)
{
    const ct_mma_atom atom = atom_named("SM90_64x128x16_F32F16F16_SS");
    const ct_tensor tile = ct_make_swizzled(ct_make_swizzle(3, 3, 3), 0, ct_layout2(64, 64, 64, 1));
    const ct_tensor narrow =
        ct_make_swizzled(ct_make_swizzle(2, 3, 3), 0, ct_layout2(64, 32, 32, 1));
    const ct_mma_descriptor d = ct_make_mma_descriptor(tile, CT_MMA_A, atom);
    const ct_mma_descriptor e = ct_make_mma_descriptor(narrow, CT_MMA_A, atom);
    assert_int_equal(ct_mma_descriptor_at(d, 1024).base_offset, 0);
    assert_int_equal(ct_mma_descriptor_at(d, 1024 + 3 * 128).base_offset, 3);
    assert_int_equal(ct_mma_descriptor_at(e, 512).base_offset, 0); /* its pattern has 512 bytes */
    assert_int_equal(ct_mma_descriptor_at(e, 512 + 128).base_offset, 5);
    assert_int_equal(ct_mma_descriptor_at(d, 1024 + 16).err.why, CT_WHY_ADDRESS);
    assert_int_equal(ct_mma_descriptor_at(d, 262144 - 1024).err.status, CT_OK);
    assert_int_equal(ct_mma_descriptor_at(d, 262144).err.status, CT_E_DOMAIN);
    assert_int_equal(ct_mma_descriptor_pack(ct_mma_descriptor_at(d, 262144)), 0);
    const uint64_t first = ct_mma_descriptor_pack(d);
    assert_int_equal(ct_mma_descriptor_pack(ct_mma_descriptor_at(d, 4096)),
                     ct_mma_descriptor_step(first, 4096));
}

/* ---- what is refused ------------------------------------------------------------------------- */

TEST(refusals)
{
    static const char half[] = "SM90_64x128x16_F32F16F16_SS";
    static const struct {
        const char *tile;
        int operand;
        const char *atom, *says;
    } rows[] = {
        {"(64,64):(64,1)", CT_MMA_C, half,
         "only A and B in shared memory of wgmma and tcgen05.mma"},
        {"(64,64):(64,1)", CT_MMA_A, "SM90_64x128x16_F32F16F16_RS", "operand 0 (0 is A"},
        {"(64,64):(64,1)", CT_MMA_A, "SM80_16x8x16_F32F16F16F32_TN", "operand 0 (0 is A"},
        {"(64,64,2):(64,1,4096)", CT_MMA_A, half, "the tile has rank 3, and an operand has rank 2"},
        {"(64,64):(1@0,1@1)", CT_MMA_A, half, "basis strides"},
        {"(96,64):(64,1)", CT_MMA_A, half, "mode 0 has 96 elements, not a multiple of the 64"},
        {"(64,24):(24,1)", CT_MMA_A, half, "mode 1 has 24 elements, not a multiple of the 16"},
        {"(64,64):(128,2)", CT_MMA_A, half, "neither mode has 8 contiguous elements"},
        {"(64,(4,16)):(4,(1,256))", CT_MMA_A, half, "neither mode has 8 contiguous elements"},
        {"(64,64):(1,64)", CT_MMA_A, "SM90_64x128x8_F32TF32TF32_SS_TN",
         "mode 0, along m or n, is contiguous, and sm_90 reads elements of 32 bits only with k "
         "contiguous"},
        {"Sw<3,4,3> o 0 o (64,64):(64,1)", CT_MMA_A, half,
         "Sw<3,4,3> of elements of 16 bits is Sw<3,5,3> of bytes"},
        {"Sw<2,4,2> o 0 o (64,64):(64,1)", CT_MMA_A, half,
         "sm_90 does not read elements of this type, contiguous in mode 1, by Sw<2,5,2> of bytes"},
        {"Sw<3,3,3> o 0 o (64,64):(68,1)", CT_MMA_A, half,
         "mode 0: element 1 is 136 bytes from element 0, and the hardware reads 16-byte chunks "
         "at multiples of 16"},
        {"Sw<3,3,3> o 0 o (64,64):(72,1)", CT_MMA_A, half,
         "mode 0: element 1 is 144 bytes from element 0, and consecutive rows of 128 bytes "
         "have it at byte 128"},
        {"Sw<3,3,3> o 0 o ((4,16),64):((64,512),1)", CT_MMA_A, half,
         "mode 0: element 4 is 1024 bytes from element 0, and consecutive rows of 128 bytes "
         "have it at byte 512"},
        {"Sw<3,3,3> o 0 o ((8,4,2),64):((64,512,8192),1)", CT_MMA_A, half,
         "mode 0: element 32 is 16384 bytes from element 0, and groups of 8 elements at one "
         "stride have "
         "it at byte 4096"},
        {"Sw<3,3,3> o 0 o ((32,4),64):((1,4096),64)", CT_MMA_B, half,
         "mode 0: element 32 is 8192 bytes from element 0, and in a row of 128 bytes it must be "
         "at byte 64"},
        {"Sw<1,3,3> o 0 o (64,(16,2)):(16,(1,1024))", CT_MMA_B, "SM90_SPARSE_64x64x32_F32F16F16_SS",
         "the swizzle's rows have 32 bytes along k, and one instruction reads 64 of a row"},
        {"(64,64):(64,1)", CT_MMA_A, half,
         "mode 0: element 1 is 128 bytes from element 0, and consecutive rows of 16"},
        {"Sw<1,3,3> o 0 o ((16,3),16):((1,256),16)", CT_MMA_B, "SM90_64x24x16_F32F16F16_SS",
         "the modes of the tile cannot be divided into 24 x 16 elements"},
        {"Sw<3,3,3> o 4 o (64,64):(64,1)", CT_MMA_A, half, "the tile begins at element 4"},
        {"Sw<3,3,3> o 0 o ((8,8),64):((64,131072),1)", CT_MMA_A, half,
         "mode 0: a step of 262144 bytes does not fit into a field of the descriptor, which holds "
         "0 to "
         "262128"},
        {"(64,(8,2)):(8,(1,131072))", CT_MMA_A, half,
         "mode 1: a step of 262144 bytes does not fit into a field of the descriptor, which holds "
         "0 to 262128"},
        {"1024@((64,2),(8,2)):((8,-1024),(1,512))", CT_MMA_A, half,
         "mode 0: a step of -2048 bytes does not fit into a field of the descriptor, which holds "
         "0 to 262128"},
        {"1024@(64,(8,2,2)):(8,(1,512,-1024))", CT_MMA_A, half,
         "mode 1: a step of -2048 bytes does not fit into a field of the descriptor, which holds "
         "0 to 262128"},
        {"Sw<3,3,3> o 0 o ((64,64),64):((64,4096),1)", CT_MMA_A, half,
         "the tile reaches byte 516192, and a descriptor names bytes 0 to 262143"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        char says[CT_MESSAGE_BYTES];
        const ct_mma_descriptor d = ct_make_mma_descriptor(tile_of(rows[i].tile), rows[i].operand,
                                                           atom_named(rows[i].atom));
        if (d.err.status == CT_OK) fail_msg("%s was not refused", rows[i].tile);
        ct_error_message(d.err, says, sizeof says);
        if (!strstr(says, rows[i].says)) fail_msg("%s: %s", rows[i].tile, says);
        const char *const unsaid = error_unsaid(d.err);
        if (unsaid) fail_msg("%s: %s is not 0, and not said", rows[i].tile, unsaid);
    }
    /* Just within the field. */
    const ct_mma_descriptor wide =
        ct_make_mma_descriptor(tile_of("(64,(8,2)):(8,(1,130000))"), CT_MMA_A, atom_named(half));
    assert_int_equal(wide.err.status, CT_OK);
    assert_int_equal(wide.leading_bytes, 260000);
}

/* The instruction descriptors of tcgen05.mma: field by field as the PTX ISA's table has them. */
TEST(instruction_descriptors)
{
    static const struct {
        const char *atom;
        int major;
        uint32_t d, a, b, a_transposed, b_transposed, saturates, n8, m16;
    } rows[] = {
        {"SM100_128x256x16_F32F16F16_SS", CT_MMA_TN, 1, 0, 0, 0, 0, 0, 32, 8},
        {"SM100_128x256x16_F32BF16BF16_SS", CT_MMA_NT, 1, 1, 1, 1, 1, 0, 32, 8},
        {"SM100_64x8x16_F16F16F16_SS", CT_MMA_NN, 0, 0, 0, 1, 0, 0, 1, 4},
        {"SM100_256x128x16_F32F16F16_2x1SM_SS", CT_MMA_TT, 1, 0, 0, 0, 1, 0, 16, 16},
        {"SM100_128x128x8_F32TF32TF32_SS", CT_MMA_TN, 1, 2, 2, 0, 0, 0, 16, 8},
        {"SM100_128x256x32_F32E4M3E5M2_SS", CT_MMA_TN, 1, 0, 1, 0, 0, 0, 32, 8},
        {"SM100_128x256x32_F32E2M3E3M2_SS", CT_MMA_TN, 1, 3, 4, 0, 0, 0, 32, 8},
        {"SM100_128x256x32_F32E2M1E2M1_SS", CT_MMA_TN, 1, 5, 5, 0, 0, 0, 32, 8},
        {"SM100_128x256x32_S32S8U8_SS", CT_MMA_TN, 2, 1, 0, 0, 0, 0, 32, 8},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        ct_mma_op op = atom_named(rows[i].atom).op;
        op.major = rows[i].major;
        const ct_mma_instruction d = ct_make_mma_instruction(op);
        if (d.err.status) fail_msg("%s is refused", rows[i].atom);
        assert_int_equal(d.bits & 7, 0);
        assert_int_equal(d.bits >> 3 & 1, rows[i].saturates);
        assert_int_equal(d.bits >> 4 & 3, rows[i].d);
        assert_int_equal(d.bits >> 7 & 7, rows[i].a);
        assert_int_equal(d.bits >> 10 & 7, rows[i].b);
        assert_int_equal(d.bits >> 15 & 1, rows[i].a_transposed);
        assert_int_equal(d.bits >> 16 & 1, rows[i].b_transposed);
        assert_int_equal(d.bits >> 17 & 63, rows[i].n8);
        assert_int_equal(d.bits >> 24 & 31, rows[i].m16);
        assert_int_equal((d.bits & (1u << 6 | 3u << 13 | 1u << 23)) | d.bits >> 29, 0);
    }
    assert_int_equal(ct_make_mma_instruction(atom_named("SM90_64x128x16_F32F16F16_SS").op).err.why,
                     CT_WHY_MMA_INSTRUCTION);
}

GROUP("mma descriptor", NULL, NULL)
