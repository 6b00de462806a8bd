/* Copy atoms against the tables of the instructions; tiled copies against their definition: who
 * holds which element, written out; partitions, retiling, checks and the width of an access. */
#include "sweep.h"

TEST(atoms_of_one_thread)
{
    static const int widths[] = {8, 16, 32, 64, 128, 256};
    int made = 0;
    for (int w = 0; w < 6; ++w) {
        for (int value = 8; value <= widths[w]; value *= 2) {
            const ct_copy_atom kinds[3] = {
                ct_copy_atom_universal(widths[w], value),
                ct_copy_atom_cp_async(CT_ATOM_CP_ASYNC_CA, widths[w], value),
                ct_copy_atom_cp_async(CT_ATOM_CP_ASYNC_CG, widths[w], value)};
            for (int k = 0; k < 3; ++k) {
                const int exists = k == 0 || (k == 1 && widths[w] >= 32 && widths[w] <= 128) ||
                                   (k == 2 && widths[w] == 128);
                assert_int_equal(kinds[k].err.status == CT_OK, exists);
                if (!exists) continue;
                ++made;
                LAW(law_copy_atom(kinds[k]), show(kinds[k].src_tv));
                assert_int_equal(ct_atom_threads(kinds[k]), 1);
                assert_int_equal(ct_atom_values(kinds[k]), widths[w] / value);
                assert_int_equal(ct_atom_vector(kinds[k]), widths[w] / value);
                for (int64_t v = 0; v < widths[w] / value; ++v) {
                    assert_int_equal(oracle_eval(kinds[k].src_tv, v), v);
                    assert_int_equal(oracle_eval(kinds[k].dst_tv, v), v);
                }
            }
        }
    }
    assert_int_equal(made, 21 + 12 + 5);
}

/* PTX ISA, ldmatrix and stmatrix. Memory: thread t gives the address of row t mod 8 of matrix t
 * div 8, as many threads as there are rows; 16 bytes each. Registers: register m of thread t has
 * the 32 bits of matrix m at row t div 4, bytes 4 * (t mod 4); transposed, elements (2 (t mod 4)
 * + i, t div 4). */
TEST(matrix_atoms)
{
    static const int kinds[] = {CT_ATOM_LDMATRIX, CT_ATOM_LDMATRIX_TRANS, CT_ATOM_STMATRIX,
                                CT_ATOM_STMATRIX_TRANS};
    int made = 0;
    for (int k = 0; k < 4; ++k) {
        const int trans = k % 2, load = k < 2;
        for (int matrices = 1; matrices <= 4; matrices *= 2) {
            for (int bits = trans ? 16 : 8; bits <= (trans ? 16 : 32); bits *= 2) {
                const ct_copy_atom a = ct_copy_atom_matrix(kinds[k], matrices, bits);
                const ct_layout rows = load ? a.src_tv : a.dst_tv,
                                regs = load ? a.dst_tv : a.src_tv;
                ++made;
                LAW(law_copy_atom(a), show(a.src_tv), show(a.dst_tv));
                assert_int_equal(oracle_size(a.thr_id), 32);
                LAW(law_same("threads are told apart by their registers", a.ref_tv, regs),
                    show(a.ref_tv));
                const int per_row = 128 / bits, per_reg = 32 / bits;
                assert_int_equal(oracle_size(rows), 32 * per_row);
                assert_int_equal(oracle_size(regs), 32 * matrices * per_reg);
                for (int t = 0; t < 32; ++t) {
                    for (int v = 0; v < per_row; ++v) {
                        const int row = t % (8 * matrices);
                        assert_int_equal(oracle_eval(rows, t + 32 * v), row * per_row + v);
                    }
                    for (int v = 0; v < matrices * per_reg; ++v) {
                        const int m = v / per_reg, i = v % per_reg;
                        const int row = trans ? 2 * (t % 4) + i : t / 4;
                        const int col = trans ? t / 4 : t % 4 * per_reg + i;
                        assert_int_equal(oracle_eval(regs, t + 32 * v),
                                         (8 * m + row) * per_row + col);
                    }
                }
            }
        }
    }
    assert_int_equal(made, 2 * 3 * (3 + 1));
}

/* Thread and value layouts: of the article, transposed, nested, of one and of three modes. */
static const char *const PAIRS[][2] = {
    {"(16,8):(8,1)", "(1,4):(1,1)"},
    {"(16,8):(8,1)", "(1,8):(1,1)"},
    {"(32,4):(4,1)", "(1,8):(1,1)"},
    {"(8,16):(16,1)", "(4,1):(1,1)"},
    {"(8,16):(1,8)", "(4,1):(1,1)"},
    {"(8,16):(1,8)", "(8,1):(1,1)"},
    {"(8,4):(4,1)", "(2,2):(2,1)"},
    {"(4,8):(1,4)", "(2,4):(1,2)"},
    {"32:1", "8:1"},
    {"(2,2,4):(8,4,1)", "(2,1,2):(1,1,2)"},
    {"((2,4),4):((16,1),4)", "((2,2),1):((2,1),1)"},
    {"1:0", "(4,2):(2,1)"},
    {"(4,1):(1,4)", "1:0"},
    {"(4,8):(8,1)", "(8,8):(1,8)"},
};
enum { PAIR_COUNT = sizeof PAIRS / sizeof PAIRS[0] };

/* thr(tm, tn, ..) = thread and val(vm, vn, ..) = value at (tm * VM + vm, tn * VN + vn, ..): each
 * thread has its own block of values, the blocks lie side by side. */
TEST(threads_hold_blocks)
{
    for (int p = 0; p < PAIR_COUNT; ++p) {
        const ct_layout thr = L_(PAIRS[p][0]), val = L_(PAIRS[p][1]);
        const ct_tiled_copy tc = ct_make_tiled_copy(ct_copy_atom_universal(16, 16), thr, val);
        LAW(law_tiled_copy(tc), PAIRS[p][0], PAIRS[p][1], show(tc.tv));
        const int64_t threads = oracle_size(thr), values = oracle_size(val);
        int rank = ct_layout_rank(thr);
        if (ct_layout_rank(val) > rank) rank = ct_layout_rank(val);
        assert_int_equal(ct_tiled_copy_threads(tc), threads);
        for (int64_t i = 0; i < threads; ++i) {
            for (int64_t j = 0; j < values; ++j) {
                int64_t at = 0, place = 1, ti = i, vj = j;
                for (int k = 0; k < rank; ++k) {
                    const int64_t tk = k < ct_layout_rank(thr) ? oracle_size(ct_mode(thr, k)) : 1;
                    const int64_t vk = k < ct_layout_rank(val) ? oracle_size(ct_mode(val, k)) : 1;
                    at += place * (ti % tk * vk + vj % vk);
                    place *= tk * vk;
                    ti /= tk;
                    vj /= vk;
                }
                const int64_t thread = oracle_eval(thr, i), value = oracle_eval(val, j);
                assert_int_equal(oracle_eval(tc.tv, thread + threads * value), at);
            }
        }
        const ct_tuple shape = ct_tiled_copy_shape(tc);
        assert_int_equal(ct_rank(shape), rank);
        assert_int_equal(ct_product(shape), threads * values);
    }
}

static ct_copy_atom atom_number(int i)
{
    switch (i) {
        case 0: return ct_copy_atom_universal(16, 16);
        case 1: return ct_copy_atom_universal(64, 16);
        case 2: return ct_copy_atom_universal(128, 16);
        case 3: return ct_copy_atom_cp_async(CT_ATOM_CP_ASYNC_CA, 64, 16);
        case 4: return ct_copy_atom_cp_async(CT_ATOM_CP_ASYNC_CG, 128, 16);
        default:
            if (i < 17) {
                static const int kinds[] = {CT_ATOM_LDMATRIX, CT_ATOM_LDMATRIX_TRANS,
                                            CT_ATOM_STMATRIX, CT_ATOM_STMATRIX_TRANS};
                return ct_copy_atom_matrix(kinds[(i - 5) / 3], 1 << (i - 5) % 3, 16);
            }
            return ct_copy_atom_fail(
                ct_make_error(CT_E_ARGUMENT, CT_OP_COPY_ATOM, CT_WHY_ATOM, 0, 0, 0));
    }
}

/* Every atom on every pair that it fits: over all threads each element of the data once on the
 * register side, and alike on the other, for row-major, column-major, padded, nested and larger
 * data. */
TEST(partitions_cover_once)
{
    int made = 0, refused = 0;
    sweep_count = 0;
    for (int p = 0; p < PAIR_COUNT; ++p) {
        for (int i = 0; i < 17; ++i) {
            const ct_tiled_copy tc =
                ct_make_tiled_copy(atom_number(i), L_(PAIRS[p][0]), L_(PAIRS[p][1]));
            if (tc.atom.err.status) {
                ++refused;
                assert_true(tc.atom.err.why == CT_WHY_THREADS || tc.atom.err.why == CT_WHY_VALUES);
                continue;
            }
            ++made;
            LAW(law_tiled_copy(tc), PAIRS[p][0], PAIRS[p][1], show(tc.tv));
            ct_tuple shape = ct_tiled_copy_shape(tc);
            const ct_layout exact[3] = {ct_make_col_major(shape), ct_make_row_major(shape),
                                        ct_make_identity_layout(shape)};
            for (int k = 0; k < 2; ++k)
                LAW(law_partition(tc, ct_make_tensor(exact[k])), PAIRS[p][0], PAIRS[p][1],
                    show(exact[k]));
            for (int k = 0; k < shape.profile.leaves; ++k) shape.value[k] *= k + 2;
            ct_layout larger = ct_make_row_major(shape);
            LAW(law_partition(tc, ct_make_tensor(larger)), PAIRS[p][0], PAIRS[p][1], show(larger));
            for (int k = 0; k + 1 < larger.profile.leaves; ++k) larger.stride[k] += 8 * (k + 1);
            LAW(law_partition(tc, ct_make_tensor(larger)), PAIRS[p][0], PAIRS[p][1], show(larger));
            /* As coordinates: of offset and layout the same elements as of the column-major
             * index. */
            const ct_tensor at = ct_partition_dst(tc, ct_make_tensor(exact[2]), 0),
                            index = ct_partition_dst(tc, ct_make_tensor(exact[0]), 0);
            if (ct_rank(shape) < 2) continue;
            assert_int_equal(at.layout.err.status, CT_OK);
            for (int64_t v = 0; v < oracle_size(at.layout); ++v) {
                const ct_tuple c = ct_offset_add(at.offset, ct_at(at.layout, ct_int(v)));
                const int64_t e = index.offset.value[0] + oracle_eval(index.layout, v);
                ct_tuple want = ct_idx2crd(e, ct_shape(exact[2])), got = c;
                if (ct_is_integer(got)) got = ct_wrap(got); /* 0: every mode is 0 */
                for (int k = ct_rank(got); k < ct_rank(want); ++k) got = ct_append(got, ct_int(0));
                assert_string_equal(show_tuple(got), show_tuple(want));
            }
        }
    }
    assert_true(made > 60);
    assert_true(refused > 40);
    assert_true(sweep_count > 300);
}

/* Random thread and value layouts: those that cover become tiled copies, all others are refused. */
TEST(coverage_is_checked)
{
    sweep_seed(12);
    int made = 0, refused = 0;
    for (int i = 0; i < 4000; ++i) {
        const ct_layout thr = dice_layout(&sweep_dice, 3, 32, i % 3),
                        val = dice_layout(&sweep_dice, 2, 8, (i / 3) % 3);
        const ct_tiled_copy tc = ct_make_tiled_copy(ct_copy_atom_universal(16, 16), thr, val);
        int64_t t[ORACLE_MAX], v[ORACLE_MAX];
        const int64_t threads = oracle_offsets(thr, t), values = oracle_offsets(val, v);
        const int whole = oracle_distinct(t, threads) == threads && t[threads - 1] == threads - 1 &&
                          oracle_distinct(v, values) == values && v[values - 1] == values - 1;
        if (tc.atom.err.status == CT_OK) {
            ++made;
            LAW(law_tiled_copy(tc), show(thr), show(val));
            if (!whole) print_error("accepted: threads %s, values %s\n", show(thr), show(val));
            assert_true(whole);
        } else {
            ++refused;
            if (whole) print_error("refused: threads %s, values %s\n", show(thr), show(val));
            assert_false(whole);
            assert_true(tc.atom.err.why == CT_WHY_COVER_TWICE ||
                        tc.atom.err.why == CT_WHY_COVER_MISSING);
            assert_int_equal(tc.atom.err.op, CT_OP_TILED_COPY);
        }
    }
    assert_true(made > 500);
    assert_true(refused > 500);
}

/* Whether each access of every thread of a side is contiguous and begins at a multiple of the atom. */
static int accesses_are_legal(ct_tiled_copy tc, ct_layout L)
{
    const int64_t n = ct_atom_vector(tc.atom);
    for (int64_t t = 0; t < ct_tiled_copy_threads(tc); ++t) {
        const ct_tensor part = ct_partition_src(tc, ct_make_tensor(L), t);
        for (int64_t v = 0; v < oracle_size(part.layout); ++v) {
            const int64_t first = part.offset.value[0] + oracle_eval(part.layout, v / n * n);
            const int64_t at = part.offset.value[0] + oracle_eval(part.layout, v);
            if (first % n != 0 || at != first + v % n) return 0;
        }
    }
    return 1;
}

/* Exactly where both sides are legal the copy is allowed. Returns whether it is. */
static int check_is_exact(ct_tiled_copy tc, ct_layout src, ct_layout dst, const char *name)
{
    const int legal = accesses_are_legal(tc, src) && accesses_are_legal(tc, dst);
    const ct_error e = ct_tiled_copy_check(tc, src, dst);
    if ((e.status == CT_OK) != legal)
        print_error("%s: %s\n", name, legal ? "legal, but refused" : "not legal, but allowed");
    assert_int_equal(e.status == CT_OK, legal);
    if (!legal) assert_true(e.why == CT_WHY_CONTIGUOUS || e.why == CT_WHY_ALIGNMENT);
    return legal;
}

/* The atom may be used exactly where each access of every thread is contiguous and aligned. */
TEST(check_copy_finds_misuse)
{
    static const char *const data[] = {"(16,64):(64,1)", "(16,64):(1,16)", "(16,64):(68,1)",
                                       "(16,64):(72,1)", "(16,64):(1,24)", "(16,64):(2,32)",
                                       "(16,64):(1,18)", "(16,64):(65,1)"};
    int allowed = 0, refused = 0;
    for (int p = 0; p < PAIR_COUNT; ++p) {
        for (int i = 0; i < 3; ++i) {
            for (int d = 0; d < 8; ++d) {
                const ct_layout L = L_(data[d]);
                const ct_tiled_copy tc =
                    ct_make_tiled_copy(atom_number(i), L_(PAIRS[p][0]), L_(PAIRS[p][1]));
                if (tc.atom.err.status || ct_rank(ct_tiled_copy_shape(tc)) != 2) continue;
                if (ct_divide_excess_by(L, tc.tiler) != 0) continue;
                if (check_is_exact(tc, L, L, data[d])) ++allowed;
                else ++refused;
            }
        }
    }
    assert_true(allowed > 20);
    assert_true(refused > 20);
}

/* The same for small thread and value layouts, every pair of strides below 10 on either side. */
TEST(check_copy_is_exact)
{
    static const char *const thr[] = {"(4,2):(1,4)", "(2,4):(4,1)", "(8,1):(1,8)", "(2,2):(2,1)"};
    static const char *const val[] = {"(2,1):(1,1)", "(1,4):(1,1)", "(2,4):(4,1)", "(2,2):(1,2)",
                                      "(4,2):(1,4)"};
    int allowed = 0, refused = 0;
    for (int t = 0; t < 4; ++t) {
        for (int v = 0; v < 5; ++v) {
            for (int bits = 16; bits <= 64; bits *= 2) {
                const ct_tiled_copy tc =
                    ct_make_tiled_copy(ct_copy_atom_universal(bits, 16), L_(thr[t]), L_(val[v]));
                if (tc.atom.err.status) continue;
                const ct_tuple shape = ct_tiled_copy_shape(tc);
                for (int64_t a = 0; a < 100; ++a) { /* twice the tile, so that there is a rest */
                    const int64_t m = 2 * shape.value[0], n = shape.value[1];
                    const ct_layout src = ct_layout2(m, n, a / 10, a % 10),
                                    dst = ct_layout2(m, n, n, 1);
                    if (check_is_exact(tc, src, dst, thr[t])) ++allowed;
                    else ++refused;
                    if (check_is_exact(tc, src, src, thr[t])) ++allowed;
                    else ++refused;
                }
            }
        }
    }
    assert_true(allowed > 1000);
    assert_true(refused > 1000);
}

/* The offsets that a thread's values have from its first one, counted out; whether they are a layout. */
static int part_exists(ct_tiled_copy tc, ct_layout data, int64_t thread)
{
    ct_layout tv = CT_ZERO, tiles = CT_ZERO, least;
    int64_t at[ORACLE_MAX];
    ct_thread_values(&tv, &tc, &tc.atom.src_tv);
    ct_divide_zipped(&tiles, &data, &tc.tiler);
    if (tv.err.status || tiles.err.status) return 0;
    const ct_layout tile = ct_mode(tiles, 0), values = ct_mode(tv, 1);
    const int64_t from = oracle_eval(ct_mode(tv, 0), thread), n = oracle_size(values);
    for (int64_t i = 0; i < n; ++i)
        at[i] = oracle_eval(tile, from + oracle_eval(values, i)) - oracle_eval(tile, from);
    return oracle_layout_of(at, n, &least) > 0;
}

/* Where the parts of all threads do not form a layout, each thread whose own part is one gets it. */
TEST(parts_of_single_threads)
{
    sweep_seed(99);
    int together = 0, alone = 0, none = 0;
    for (int i = 0; i < 40000; ++i) {
        const ct_layout thr =
            ct_make_ordered_layout(ct_tuple2(sweep_int(1, 6), sweep_int(1, 6)),
                                   sweep_int(0, 1) ? ct_tuple2(0, 1) : ct_tuple2(1, 0));
        const ct_layout val =
            ct_make_ordered_layout(ct_tuple2(sweep_int(1, 4), sweep_int(1, 4)),
                                   sweep_int(0, 1) ? ct_tuple2(0, 1) : ct_tuple2(1, 0));
        const ct_tiled_copy tc = ct_make_tiled_copy(ct_copy_atom_universal(16, 16), thr, val);
        const ct_layout data = dice_layout(&sweep_dice, 4, 4096, 0);
        if (tc.atom.err.status || ct_layout_rank(data) != 2 ||
            ct_divide_excess_by(data, tc.tiler) != 0)
            continue;
        ct_layout all = CT_ZERO;
        ct_partition_threads(&all, &tc, &data, &tc.atom.src_tv);
        LAW(law_partition(tc, ct_make_tensor(data)), show(tc.tv), show(data));
        if (all.err.status == CT_OK) ++together;
        for (int64_t t = 0; t < ct_tiled_copy_threads(tc) && all.err.status; ++t) {
            const ct_tensor part = ct_partition_src(tc, ct_make_tensor(data), t);
            const int given = part.layout.err.status == CT_OK;
            assert_int_equal(given, part_exists(tc, data, t));
            for (int64_t v = 0; given && v < oracle_size(ct_mode(tc.tv, 1)); ++v) {
                const ct_layout order = ct_tiled_copy_tv(tc, tc.atom.src_tv);
                const int64_t in_tile =
                    oracle_eval(ct_mode(order, 0), t) + oracle_eval(ct_mode(order, 1), v);
                const ct_layout tile = ct_mode(ct_zipped_divide_by(data, tc.tiler), 0);
                assert_int_equal(oracle_tensor(&part, v), oracle_eval(tile, in_tile));
            }
            alone += given;
            none += !given;
        }
    }
    print_message("%d copies whole, %d threads alone, %d not\n", together, alone, none);
    assert_true(together > 500);
    assert_true(alone > 50);
    assert_true(none > 20);
}

/* A cotiled copy touches the addresses it was made of: thread t, value v at atom_tv(t, v). */
TEST(cotiled_copies_touch_the_addresses)
{
    static const char *const cases[][2] = {
        {"(32,8):(8,1)", "(16,16):(16,1)"},
        {"(32,8):(8,1)", "(16,16):(1,16)"},
        {"(16,4):(4,1)", "(8,8):(8,1)"},
        {"((4,8),4):((4,16),1)", "(16,8):(1,16)"},
        {"((8,4),8):((8,64),1)", "(8,32):(32,1)"},
        {"(16,8):(16,1)", "(16,16):(16,1)"},
        {"(8,(2,4)):(8,(1,2))", "((4,2),8):((1,32),4)"},
    };
    for (int i = 0; i < 7; ++i) {
        const ct_layout tv = L_(cases[i][0]), data = L_(cases[i][1]);
        const ct_tiled_copy tc = ct_make_cotiled_copy(ct_copy_atom_universal(16, 16), tv, data);
        LAW(law_tiled_copy(tc), cases[i][0], cases[i][1]);
        const int64_t threads = oracle_size(ct_mode(tv, 0)), values = oracle_size(ct_mode(tv, 1));
        assert_int_equal(ct_tiled_copy_threads(tc), threads);
        for (int64_t t = 0; t < threads; ++t) {
            const ct_tensor part = ct_partition_src(tc, ct_make_tensor(data), t);
            assert_int_equal(part.layout.err.status, CT_OK);
            const int64_t repeats = oracle_size(data) / (threads * values);
            assert_int_equal(oracle_size(part.layout), values * repeats);
            for (int64_t v = 0; v < values; ++v)
                assert_int_equal(part.offset.value[0] + oracle_eval(part.layout, v),
                                 oracle_eval(tv, t + threads * v));
        }
    }
}

/* retile: the registers of a fragment that one copy filled, in the order in which another of the
 * same threads takes the same elements. */
TEST(retile_finds_the_registers)
{
    static const char *const cases[][3] = {
        {"(16,8):(8,1)", "(1,8):(1,1)", "(32,128):(128,1)"},
        {"(8,16):(1,8)", "(8,1):(1,1)", "(128,32):(1,128)"},
        {"(8,4):(4,1)", "(2,8):(8,1)", "(32,32):(32,1)"},
        {"(8,4):(4,1)", "(1,8):(1,1)", "(8,64):(64,1)"},
    };
    for (int i = 0; i < 4; ++i) {
        const ct_layout thr = L_(cases[i][0]), val = L_(cases[i][1]), data = L_(cases[i][2]);
        const ct_tiled_copy narrow = ct_make_tiled_copy(ct_copy_atom_universal(16, 16), thr, val);
        const ct_tiled_copy wide = ct_make_tiled_copy(ct_copy_atom_universal(128, 16), thr, val);
        const ct_layout index = ct_make_col_major(ct_shape(data));
        const ct_tensor mine = ct_partition_dst(narrow, ct_make_tensor(index), 5),
                        theirs = ct_partition_dst(wide, ct_make_tensor(index), 5);
        const ct_layout fragment = ct_make_fragment_like(mine.layout),
                        seen = ct_retile(wide, fragment);
        LAW(law_result(seen), show(fragment));
        assert_int_equal(seen.err.status, CT_OK);
        assert_int_equal(oracle_size(seen), oracle_size(fragment));
        for (int64_t v = 0; v < oracle_size(seen); ++v) {
            const int64_t element = theirs.offset.value[0] + oracle_eval(theirs.layout, v);
            int found = 0;
            for (int64_t r = 0; r < oracle_size(fragment); ++r) {
                if (mine.offset.value[0] + oracle_eval(mine.layout, r) != element) continue;
                assert_int_equal(oracle_eval(seen, v), oracle_eval(fragment, r));
                ++found;
            }
            assert_int_equal(found, 1);
        }
    }
}

/* The width of an access and its reason. */
TEST(widths_and_reasons)
{
    static const struct {
        const char *src, *dst;
        int64_t elem, most;
        uint64_t at, to;
        int bytes, limit;
    } rows[] = {
        {"(16,8):(1,16)", "(16,8):(1,16)", 2, 16, 0, 0, 16, CT_WIDTH_FULL},
        {"(16,8):(1,15)", "(16,8):(1,16)", 2, 16, 0, 0, 2, CT_WIDTH_SRC_STRIDE},
        {"(16,8):(1,16)", "(16,8):(1,18)", 2, 16, 0, 0, 4, CT_WIDTH_DST_STRIDE},
        {"(16,8):(1,16)", "(16,8):(1,16)", 2, 16, 4, 0, 4, CT_WIDTH_SRC_POINTER},
        {"(16,8):(1,16)", "(16,8):(1,16)", 2, 16, 0, 8, 8, CT_WIDTH_DST_POINTER},
        {"(16,8):(1,16)", "(16,8):(8,1)", 2, 16, 0, 0, 2, CT_WIDTH_CONTIGUOUS},
        {"(4,8):(1,4)", "(4,8):(1,8)", 2, 16, 0, 0, 8, CT_WIDTH_CONTIGUOUS},
        {"64:1", "64:1", 1, 32, 0, 0, 32, CT_WIDTH_FULL},
        {"64:1", "64:1", 1, 16, 3, 3, 1, CT_WIDTH_SRC_POINTER},
        {"3:1", "3:1", 4, 16, 0, 0, 4, CT_WIDTH_CONTIGUOUS},
        {"(8,4):(4,1)", "(8,4):(4,1)", 4, 16, 0, 0, 16, CT_WIDTH_FULL},
        {"8:-1", "8:-1", 2, 16, 0, 0, 2, CT_WIDTH_CONTIGUOUS},
        {"(8,4):(1,0)", "(8,4):(1,8)", 2, 16, 0, 0, 16, CT_WIDTH_FULL},
        {"8:1", "8:1", 2, 1, 0, 0, 1, CT_WIDTH_FULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        const ct_layout src = L_(rows[i].src), dst = L_(rows[i].dst);
        const ct_copy_width_result r =
            ct_copy_width(src, dst, rows[i].elem, rows[i].most, rows[i].at, rows[i].to);
        LAW(law_copy_width(src, dst, rows[i].elem, rows[i].most, rows[i].at, rows[i].to),
            rows[i].src, rows[i].dst);
        if (r.bytes != rows[i].bytes || r.limit != rows[i].limit)
            print_error("%s -> %s: %d bytes, limit %d\n", rows[i].src, rows[i].dst, r.bytes,
                        r.limit);
        assert_int_equal(r.bytes, rows[i].bytes);
        assert_int_equal(r.limit, rows[i].limit);
    }
}

GROUP("tiled copies", NULL, NULL)
