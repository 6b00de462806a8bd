/* Branches of tiled copies, partitions and widths that no copy of the other tests takes: failed operands of
 * inner functions, parts that do not match, leaves of one coordinate, numbers at their limits. */
#include "same_error.h"
#include "sweep.h"

#include <cutlet/copy/copy_check.h>
#include <cutlet/copy/copy_choice.h>
#include <cutlet/copy/copy_width.h>
#include <cutlet/copy/retile.h>
#include <cutlet/copy/tile_partition.h>
#include <cutlet/copy/tma.h>

#define LEAVES_KEPT(value) same(#value, (value).err, mark(1))
#define LEAVES_FAIL(value, ...) same(#value, (value).err, ct_make_error(__VA_ARGS__))

static ct_tiled_copy tiles(int bits, int value_bits, ct_layout thr, ct_layout val)
{
    return ct_make_tiled_copy(ct_copy_atom_universal(bits, value_bits), thr, val);
}

TEST(access_leaves)
{
    const ct_layout f = ct_layout_fail(mark(1)), g = ct_layout_fail(mark(2)),
                    L = L_("(4,3):(1@0,4@0)");
    LEAVES_KEPT(ct_make_access_leaves(f, L));
    LEAVES_KEPT(ct_make_access_leaves(L, f));
    LEAVES_KEPT(ct_make_access_leaves(f, g));
    LEAVES_FAIL(ct_make_access_leaves(L, L_("(6,2):(1,6)")), CT_E_NO_LAYOUT, CT_OP_PARTITION_COPY,
                CT_WHY_DIVIDE, 0, 4, 6);
    LEAVES_FAIL(ct_make_access_leaves(L_("(6,2):(1@0,6@0)"), L_("(4,3):(1,4)")), CT_E_NO_LAYOUT,
                CT_OP_PARTITION_COPY, CT_WHY_DIVIDE, 0, 6, 4);
    ct_access_leaves a = CT_ZERO, b = CT_ZERO, full = CT_ZERO;
    const ct_access_leaf four = {4, 1, 0, 1, 0}, six = {6, 1, 0, 1, 0};
    ct_access_leaves_push(&a, four);
    ct_access_leaves_split(&a, 0, 1);
    ct_access_leaves_split(&a, 0, 4);
    assert_int_equal(a.count, 1);
    ct_access_leaves_push(&b, four);
    ct_access_leaves_push(&a, four);
    ct_access_leaves_match(&a, &b); /* b ends first */
    assert_true(a.err.status == CT_OK && a.count == 2 && b.count == 1);
    a.leaf[0] = six;
    ct_access_leaves_match(&a, &b);
    LEAVES_FAIL(a, CT_E_NO_LAYOUT, CT_OP_PARTITION_COPY, CT_WHY_DIVIDE, 0, 6, 4);
    a = b;
    ct_access_leaves_push(&a, four);
    ct_access_leaves_push(&b, four);
    b.leaf[0] = six;
    ct_access_leaves_match(&a, &b);
    LEAVES_FAIL(a, CT_E_NO_LAYOUT, CT_OP_PARTITION_COPY, CT_WHY_DIVIDE, 0, 4, 6);
    for (int i = 0; i < 2 * CT_MAX_LEAVES; ++i) ct_access_leaves_push(&full, four);
    ct_access_leaves_split(&full, 0, 2);
    LEAVES_FAIL(full, CT_E_CAPACITY, CT_OP_PARTITION_COPY, CT_WHY_LEAVES, 0, 2 * CT_MAX_LEAVES + 1,
                2 * CT_MAX_LEAVES);
    assert_int_equal(full.leaf[0].shape, 4);
}

/* Leaves of one coordinate, of none that follows, and those without an axis. */
TEST(side_leaves)
{
    ct_leaves_of_side s = CT_ZERO;
    const ct_memory shared = ct_in_shared_plain(L_("8:1")), global = ct_in_global(0);
    const ct_access_leaf one = {1, 0, 1, 1, -1}, eight = {8, 1, 1, 1, 0},
                         separate = {2, 32, 32, 8, 0};
    assert_false(ct_leaf_is_next(eight, ct_in_registers(), 1));
    assert_true(ct_leaf_is_next(eight, global, 1));
    s.swizzle = ct_swizzle_none();
    ct_access_leaves_push(&s.threads, one);
    ct_access_leaves_push(&s.values, one);
    ct_access_leaves_push(&s.values, eight);
    ct_access_leaves_push(&s.values, separate);
    assert_int_equal(ct_side_run(&s, shared, 16), 8);
    assert_int_equal(ct_side_run(&s, global, 4), 4);
    ct_leaves_of_side whole = s;
    assert_int_equal(ct_side_take_run(&whole, shared, 8), 2); /* leaf 1 alone */
    assert_int_equal(whole.values.count, 3);
    assert_int_equal(ct_side_take_run(&whole, shared, 16), 2); /* none goes on after it */
    ct_leaf_order o = CT_ZERO;
    ct_leaf_order_push(&o, one);
    ct_leaf_order_insert(&o, 0, one, 1);
    assert_int_equal(o.count, 0);
    ct_side side = CT_ZERO;
    side.width = 2;
    o.leaf[0] = (ct_access_leaf){2, 0, 4, 1, -1};
    o.leaf[1] = (ct_access_leaf){2, 3, 8, 2, 0};
    o.leaf[2] = (ct_access_leaf){2, 0, 16, 4, -1};
    o.count = 3;
    ct_value_order order = CT_ZERO;
    assert_int_equal(ct_side_accesses(&side, &o, 8, &order).status, CT_OK);
    assert_true(side.accesses == 4 && ct_access_coord(&side, 1, 0) == 3 &&
                ct_access_coord(&side, 2, 0) == 0);
    assert_true(ct_access_coord(&side, 3, 0) == 3 && side.add[2] == 16 && order.number[7] == 7);
    ct_side far = CT_ZERO; /* back and on, as far as 31 bits go: no axis takes the highest */
    far.width = 1;
    o.leaf[0] = (ct_access_leaf){2, -(1 << 13), 0, 1, 0};
    o.leaf[1] = (ct_access_leaf){2, (1 << 16) - 1, 0, 2, 3};
    o.count = 2;
    assert_int_equal(ct_side_accesses(&far, &o, 4, &order).status, CT_OK);
    assert_true(ct_access_coord(&far, 3, 0) == -(1 << 13) &&
                ct_access_coord(&far, 3, 3) == (1 << 16) - 1);
    assert_true(ct_access_coord(&far, 2, 0) == 0 && ct_access_coord(&far, 3, 1) == 0 &&
                ct_access_coord(&far, 3, 7) == 0);
    o.leaf[1].step += 1;
    same("a bit too many", ct_side_accesses(&far, &o, 4, &order),
         ct_make_error(CT_E_CAPACITY, CT_OP_PARTITION_COPY, CT_WHY_COORD_BITS, 3, 32, 31));
    assert_true(error_says(ct_side_accesses(&far, &o, 4, &order),
                           "partition_src: with axis 3 the coordinates of a thread's accesses take "
                           "32 bits, and a partition holds 31"));
    ct_access_leaves threads = CT_ZERO;
    ct_access_leaves_push(&threads, one);
    ct_access_leaves_push(&threads, (ct_access_leaf){2, 0, 4, 1, -1});
    ct_access_leaves_push(&threads, (ct_access_leaf){4, 0, 0, 2, -1});
    assert_int_equal(ct_side_digits(&side, &threads).status, CT_OK);
    assert_true(side.digits == 1 && side.digit[0].div == 1 && side.digit[0].offset == 4);
    for (int i = 0; i < CT_DIGITS; ++i) ct_access_leaves_push(&threads, eight);
    same("a digit too many", ct_side_digits(&side, &threads),
         ct_make_error(CT_E_CAPACITY, CT_OP_PARTITION_COPY, CT_WHY_LEAVES, 0, CT_DIGITS + 1,
                       CT_DIGITS));
}

/* Which mode of a tile lies side by side; what of a shared memory is refused. */
TEST(memories)
{
    const ct_tuple tile = ct_tuple2(8, 16);
    assert_int_equal(ct_memory_mode(ct_in_global(5), tile), -1);
    assert_int_equal(ct_memory_mode(ct_in_global(1), tile), 1);
    ct_memory shared = ct_in_shared_plain(ct_layout2(8, 16, 16, 1));
    assert_int_equal(ct_memory_mode(shared, tile), 1);
    assert_int_equal(ct_memory_mode(ct_in_shared_plain(ct_layout_fail(mark(1))), tile), -1);
    shared.layout.offset = ct_tuple0();
    assert_int_equal(ct_memory_first(shared), 0);
    assert_int_equal(ct_memory_check(shared, 0, 16).status, CT_OK);
    shared.layout.offset = T("(1,2)");
    same("a coordinate", ct_memory_check(shared, 1, 16),
         ct_make_error(CT_E_ARGUMENT, CT_OP_PARTITION_COPY, CT_WHY_BASIS_MIXED, 1, 0, 0));
    shared = ct_in_shared_plain(ct_layout2(8, 16, 16, 1));
    shared.layout.layout.stride[0] = INT64_MAX; /* its cosize has no number of 64 bits */
    same("a cosize", ct_memory_check(shared, 0, 16),
         ct_make_error(CT_E_OVERFLOW, CT_OP_PARTITION_COPY, CT_WHY_OVERFLOW, 0, 0, 0));
}

/* An access of several runs: each begins at a multiple of it. */
TEST(accesses)
{
    const ct_layout even = L_("((2,((4,2),1)),1):((16,((1,8),0)),0)"),
                    odd = L_("((2,((4,2),1)),1):((16,((1,6),0)),0)"),
                    both = L_("((2,((4,2),1)),1):((10,((1,6),0)),0)"),
                    last = L_("((2,((4,1),1)),1):((8,((1,6),0)),0)");
    same("multiples", ct_access_check(&even, 4, 0), (ct_error){0});
    same("one run, a mode of one coordinate", ct_access_check(&last, 4, 0), (ct_error){0});
    same("a run at 6", ct_access_check(&odd, 4, 1),
         ct_make_error(CT_E_ARGUMENT, CT_OP_TILED_COPY, CT_WHY_ALIGNMENT, 1, 6, 4));
    same("a thread at 10 first", ct_access_check(&both, 4, 1),
         ct_make_error(CT_E_ARGUMENT, CT_OP_TILED_COPY, CT_WHY_ALIGNMENT, 1, 10, 4));
    const ct_tiled_copy store = ct_make_tiled_copy(ct_copy_atom_matrix(CT_ATOM_STMATRIX, 1, 16),
                                                   ct_layout2(8, 4, 4, 1), ct_layout2(1, 2, 1, 1));
    const ct_layout rows = ct_layout2(8, 8, 8, 1), columns = ct_layout2(8, 8, 1, 8);
    same("its source is registers", ct_tiled_copy_check(store, columns, rows), (ct_error){0});
    same("its destination is not", ct_tiled_copy_check(store, rows, columns),
         ct_make_error(CT_E_ARGUMENT, CT_OP_TILED_COPY, CT_WHY_CONTIGUOUS, 1, 8, 1));
    ct_copy_atom a = CT_ZERO;
    a.bits = 6;
    a.value_bits = 2;
    FAILS(ct_copy_atom_of_bits(a, L_("(1,(2,3)):(0,(1,3))"), L_("(1,6):(0,1)"), 0), CT_E_ARGUMENT,
          CT_OP_COPY_ATOM, CT_WHY_ATOM_BITS, 0, 6, 2);
    FAILS(ct_copy_atom_of_bits(a, L_("(1,6):(0,1)"), L_("(1,(2,3)):(0,(1,3))"), 0), CT_E_ARGUMENT,
          CT_OP_COPY_ATOM, CT_WHY_ATOM_BITS, 0, 6, 2);
}

/* The layout of one thread where none is that of all. */
TEST(one_thread)
{
    const ct_layout broken = L_("(3,4):(1,100)");
    const ct_tiled_copy wide = tiles(64, 16, L_("3:1"), L_("4:1")),
                        narrow = tiles(32, 16, L_("3:1"), L_("4:1"));
    const ct_tensor data = ct_make_tensor(ct_layout_wrap(broken));
    const ct_error why = mark(1);
    ct_layout failed = ct_layout_fail(mark(2));
    assert_int_equal(wide.atom.err.status | narrow.atom.err.status, CT_OK);
    KEPT(ct_tiled_copy_tv(wide, ct_layout_fail(why)));
    KEPT(ct_partition_one(&wide, &data, 0, &failed, why));               /* no side of the atom */
    KEPT(ct_partition_one(&wide, &data, 0, &wide.atom.src_tv, why));     /* offsets 0 1 2 100 */
    KEPT(ct_partition_one(&narrow, &data, 0, &narrow.atom.src_tv, why)); /* 0 1, and 2 100 */
    const ct_tiled_copy four = tiles(64, 16, L_("1:1"), L_("4:1"));
    KEPT(ct_partition_one(&four, &data, 0, &four.atom.src_tv, why)); /* a tile of 4 crosses the 3 */
    const ct_tiled_copy many = tiles(16, 16, L_("2:1"), ct_layout1(2 * (int64_t)CT_MAX_PROOF, 1));
    const ct_tensor long_one = ct_make_tensor(ct_layout1(4 * (int64_t)CT_MAX_PROOF, 1));
    KEPT(ct_partition_one(&many, &long_one, 0, &many.atom.src_tv, why));
    ct_tensor far = ct_make_tensor(L_("12:1"));
    far.offset = ct_int(INT64_MAX);
    FAILS(ct_partition_one(&wide, &far, 1, &wide.atom.src_tv, why), CT_E_OVERFLOW, CT_OP_SLICE,
          CT_WHY_OVERFLOW, 0, 0, 0);
    far.offset = ct_int(0);
    const ct_tensor mine = ct_partition_one(&wide, &far, 1, &wide.atom.src_tv, why);
    assert_int_equal(ct_err(mine).status, CT_OK);
    for (int i = 0; i < 4; ++i) assert_int_equal(ct_tensor_eval(mine, i), 4 + i);
    /* coordinates are not compared */
    const ct_tensor crossed = ct_make_tensor(L_("((3,4)):((1@0,1@1))"));
    assert_int_equal(ct_err(ct_partition_src(wide, crossed, 0)).status, CT_E_NO_LAYOUT);
}

/* What a layout of threads or values reaches twice or leaves out, however many there are. */
TEST(covers)
{
    static const struct {
        const char *thr, *val;
        int why, mode, at;
    } rows[] = {
        {"2:1", "(8192,2):(1,0)", CT_WHY_COVER_TWICE, 1, 0},
        {"2:1", "(8192,2):(1,8191)", CT_WHY_COVER_TWICE, 1, 8191},
        {"2:1", "(8192,2):(1,8193)", CT_WHY_COVER_MISSING, 1, 8192},
        {"(4,8192):(2,8)", "2:1", CT_WHY_COVER_MISSING, 0, 1},
        {"16384:-1", "2:1", CT_WHY_NEGATIVE_STRIDE, 0, -1},
        {"2:1", "(2,2):(1,-2)", CT_WHY_NEGATIVE_STRIDE, 1, -2},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i)
        same(rows[i].val, ct_err(tiles(16, 16, L_(rows[i].thr), L_(rows[i].val))),
             ct_make_error(CT_E_ARGUMENT, CT_OP_TILED_COPY, rows[i].why, rows[i].mode, rows[i].at,
                           0));
}

TEST(tiled_copies)
{
    const ct_copy_atom atom = ct_copy_atom_universal(64, 16), one = ct_copy_atom_universal(16, 16);
    const ct_tuple tile = ct_tuple2(4, 8);
    const ct_layout nine = ct_make_col_major(T("(2,2,2,2,2,2,2,2,2)"));
    FAILS(ct_make_tiled_copy(one, nine, nine), CT_E_CAPACITY, CT_OP_MAKE_LAYOUT, CT_WHY_LEAVES, 0,
          CT_MAX_LEAVES + 1, CT_MAX_LEAVES);
    FAILS(ct_make_cotiled_copy(atom, L_("(4,2):(2,1)"), L_("(2,4):(4,1)")), CT_E_ARGUMENT,
          CT_OP_TILED_COPY, CT_WHY_VALUES, 0, 2, 4);
    FAILS(ct_make_tiled_copy_tv(atom, L_("8:1"), tile), CT_E_ARGUMENT, CT_OP_TILED_COPY,
          CT_WHY_RANK, 0, 2, 1);
    KEPT(ct_make_tiled_copy_tv(atom, L_("(8,4):(4,1)"), ct_tuple_fail(mark(1))));
    FAILS(ct_make_tiled_copy_tv(atom, L_("(8,4):(-4,1)"), tile), CT_E_DOMAIN, CT_OP_TILED_COPY,
          CT_WHY_INDEX, 0, 31, 32);
    const ct_tma_desc d = ct_make_tma_desc(L_("(64,64):(64,1)"), T("((8,8))"), CT_ELEM_F16, 0, 0);
    assert_int_equal(d.rule, CT_TMA_RULE_BOX_RANK);
}

#define REFUSED(value, ...) same(#value, (value).err, ct_make_error(CT_E_ARGUMENT, __VA_ARGS__))

TEST(partitions)
{
    const ct_tuple tile = ct_tuple2(16, 8);
    const ct_layout thr = ct_layout2(8, 4, 4, 1), val = ct_layout2(2, 2, 2, 1);
    const ct_memory rows = ct_in_global(1), columns = ct_in_shared_plain(ct_layout2(16, 8, 1, 16));
    const ct_tiled_copy any = ct_make_tiled_copy(ct_copy_atom_auto(32), thr, val);
    const ct_tiled_copy async =
        ct_make_tiled_copy(ct_copy_atom_cp_async(CT_ATOM_CP_ASYNC_CA, 32, 16), thr, val);
    REFUSED(ct_make_partition(async, tile, rows, columns), CT_OP_PARTITION_COPY, CT_WHY_CONTIGUOUS,
            1, 2, 1);
    REFUSED(
        ct_make_partition(any, tile, ct_in_registers_by(L_("3:1")), ct_in_registers_by(L_("4:2"))),
        CT_OP_PARTITION_COPY, CT_WHY_SIZES, 0, 3, 4);
    REFUSED(ct_make_partition(any, tile, rows,
                              ct_with_most(ct_in_shared_plain(ct_layout2(16, 8, 8, 1)), 8)),
            CT_OP_PARTITION_COPY, CT_WHY_ATOM, 1, 256, 32);
    same("a shared layout that the threads do not divide",
         ct_make_partition(any, tile, rows, ct_in_shared_plain(L_("((3,6),8):((8,100),1)"))).err,
         ct_make_error(CT_E_NO_LAYOUT, CT_OP_COMPOSITION, CT_WHY_SHAPE_CROSSES, 0, 16, 3));
    REFUSED(ct_make_partition(any, tile, rows, ct_in_shared_plain(ct_layout2(15, 8, 8, 1))),
            CT_OP_PARTITION_COPY, CT_WHY_TILE_DIVIDES, 0, 15, 16);
    const ct_partition one = ct_make_partition(any, tile, ct_with_most(rows, 1), rows);
    assert_true(one.err.status == CT_OK && one.src.width == 1 && one.dst.width == 2);
    /* 256 values of 8 bytes in 64 accesses */
    const ct_tiled_copy doubles =
        ct_make_tiled_copy(ct_copy_atom_auto(64), thr, ct_layout2(4, 64, 64, 1));
    same(
        "registers",
        ct_make_partition(doubles, ct_tuple2(32, 256), ct_with_most(rows, 4), ct_in_registers())
            .err,
        ct_make_error(CT_E_CAPACITY, CT_OP_PARTITION_COPY, CT_WHY_ACCESSES, 0, 512, CT_COPY_WORDS));
    REFUSED(ct_choose_partition(4, 32, ct_tuple2(64, 64), rows, ct_in_global(0)),
            CT_OP_PARTITION_COPY, CT_WHY_BITS_TURN, 0, 4, 0);
    const ct_memory from = ct_in_shared_plain(ct_layout2(8, 32, 32, 1)),
                    to = ct_in_shared_plain(ct_layout2(8, 32, 1, 8));
    const ct_tiled_copy within = ct_choose_copy(16, 32, ct_tuple2(8, 32), from, to);
    assert_true(ct_layout_equal(within.tv, L_("((4,8),8):((64,1),8)")));
    assert_int_equal(ct_make_partition(within, ct_tuple2(8, 32), from, to).src.width, 8);
}

/* With registers on either side the accesses of the other follow the values of the tiled copy, first all of a block. */
TEST(registers)
{
    static const int32_t rows[8] = {0, 0, 0, 0, 8, 8, 8, 8};
    const ct_tiled_copy t =
        ct_make_tiled_copy(ct_copy_atom_auto(32), ct_layout2(4, 4, 4, 1), L_("(2,4):(1,2)"));
    const ct_tuple tile = ct_tuple2(16, 32);
    const ct_memory columns = ct_in_global(0);
    for (int load = 0; load < 2; ++load) {
        const ct_partition p = load ? ct_make_partition(t, tile, columns, ct_in_registers())
                                    : ct_make_partition(t, tile, ct_in_registers(), columns);
        const ct_side *const global = load ? &p.src : &p.dst;
        assert_true(p.err.status == CT_OK && !p.permuted && global->accesses == 16 &&
                    global->width == 2);
        for (int i = 0; i < 8; ++i)
            assert_true(ct_access_coord(global, i, 0) == rows[i] &&
                        ct_access_coord(global, i, 1) == i % 4);
        for (int v = 0; v < p.values; ++v) assert_int_equal(p.turn[v], v);
    }
}

/* The partition of a tile that one thread moves. */
TEST(whole)
{
    const ct_copy_atom bulk = ct_copy_atom_tile(CT_ATOM_BULK_LOAD, 16);
    const ct_tuple tile = ct_tuple2(8, 16);
    const ct_memory global = ct_in_global(1), shared = ct_in_shared_plain(ct_layout2(8, 16, 16, 1)),
                    failed = ct_in_shared_plain(ct_layout_fail(mark(1)));
    const ct_copy_atom no_atom = ct_copy_atom_fail(mark(1));
    same("atom", ct_make_whole_partition(no_atom, tile, global, shared).err, mark(1));
    same("tile", ct_make_whole_partition(bulk, ct_tuple_fail(mark(1)), global, shared).err,
         mark(1));
    same("source", ct_make_whole_partition(bulk, tile, failed, global).err, mark(1));
    same("destination", ct_make_whole_partition(bulk, tile, global, failed).err, mark(1));
    assert_int_equal(ct_make_whole_partition(bulk, tile, global, shared).src.accesses, 8);
    REFUSED(
        ct_make_whole_partition(bulk, tile, global, ct_in_shared_plain(L_("(8,(4,4)):(4,(1,32))"))),
        CT_OP_PARTITION_COPY, CT_WHY_CONTIGUOUS, 1, 8, 16);
}

/* Widths and fragments of no size, of coordinates, and of shapes that do not go together. */
TEST(widths)
{
    const ct_layout L = L_("(4,2):(1,4)"), none = CT_ZERO;
    REFUSED(ct_copy_width(L, L, 2, 0, 0, 0), CT_OP_COPY_WIDTH, CT_WHY_NOT_POSITIVE, 0, 0, 0);
    REFUSED(ct_copy_width(L_("(4,2):(1@0,1@1)"), L, 2, 16, 0, 0), CT_OP_MAX_COMMON,
            CT_WHY_NOT_INTEGER, 0, 0, 0);
    const ct_tiled_copy t = tiles(32, 16, ct_layout2(8, 4, 4, 1), ct_layout2(2, 2, 2, 1));
    const ct_tiled_copy cut =
        ct_make_tiled_copy_tv(ct_copy_atom_universal(32, 16), L_("(8,4):(4,1)"), ct_tuple2(5, 8));
    FAILS(ct_retile(t, none), CT_E_ARGUMENT, CT_OP_MODE, CT_WHY_MODE, 0, 0, 0);
    FAILS(ct_retile(t, L_("(4,2):(1,4)")), CT_E_ARGUMENT, CT_OP_DIVIDE, CT_WHY_RANK_MORE, 0, 3, 2);
    FAILS(ct_retile(cut, L_("(4,2,2):(1,4,8)")), CT_E_NO_LAYOUT, CT_OP_COMPOSITION,
          CT_WHY_SHAPE_CROSSES, 0, 5, 4);
}

/* The tiles along axis 0 of a shared layout. */
static int tiles_of(const char *layout, ct_tuple tile, int bits)
{
    ct_side s = CT_ZERO;
    ct_side_tiles(&s, ct_in_shared_plain(L_(layout)), tile, bits);
    return s.tiles[0];
}

/* Tiles that a side cannot count, and arguments that no partition has. */
TEST(shared_tiles)
{
    const int64_t large = (int64_t)1 << 40;
    assert_int_equal(tiles_of("8:1", ct_tuple1(4), 32), 2);
    assert_int_equal(tiles_of("8:1", ct_tuple1(4), 0), 0);
    assert_int_equal(tiles_of("8:1", ct_tuple1(0), 32), 1);
    assert_int_equal(tiles_of("8:1", ct_tuple1(3), 4), 1);           /* half a byte further */
    assert_int_equal(tiles_of("(2,8):(1,16)", ct_tuple1(3), 32), 1); /* into the second leaf */
    assert_int_equal(tiles_of("8:1000000000", ct_tuple1(1), 32), 1);
    ct_memory down = ct_in_shared_plain(L_("8:1"));
    down.layout.layout = ct_layout1(8, -1000000000); /* no memory has steps downwards */
    ct_side none = CT_ZERO;
    ct_side_tiles(&none, down, ct_tuple1(1), 32);
    assert_int_equal(none.tiles[0], 1);
    assert_int_equal(
        tiles_of("8:1", ct_shape(L_("((1,1,1,1,1,1,1,1,1)):((0,0,0,0,0,0,0,0,0))")), 32), 0);
    ct_side s = CT_ZERO;
    s.tiles[0] = 2;
    s.next[0] = 16;
    ct_side_limit_tiles(&s, 16, 1);
    assert_int_equal(s.tiles[0], 2);
    ct_side_limit_tiles(&s, 0, 1);
    assert_int_equal(s.tiles[0], 1);
    assert_int_equal(s.next[0], 0);
    const ct_layout box = L_("(8,4):(1,8)");
    assert_int_equal(ct_is_box(box, ct_tuple2(8, 4), 0), 1);
    assert_int_equal(ct_is_box(box, ct_tuple2(8, 4), -1), 0);
    assert_int_equal(ct_is_box(box, ct_tuple2(8, 4), 2), 0);
    assert_int_equal(
        ct_is_box(ct_layout2(large, (int64_t)1 << 22, 1, large), ct_tuple2(large, large), 0), 0);
    assert_int_equal(ct_is_box(box, ct_tuple2(8, 1), 0), 1);
    assert_int_equal(ct_is_box(box, ct_tuple2(8, 4), 1), 0);
    assert_int_equal(ct_is_box(L_("((2,4),4):((1,4),32)"), ct_tuple2(8, 4), 0), 0);
    ct_side_limit_tiles(&s, 16, 0);
    assert_int_equal(s.tiles[0], 1);
    const ct_memory row = ct_in_shared_plain(L_("16:1")),
                    rows = ct_in_shared_plain(L_("(8,8):(8,1)"));
    LEAVES_FAIL(ct_first_tile(row, ct_shape(L_("((2,4)):((1,2))"))), CT_E_ARGUMENT,
                CT_OP_PARTITION_COPY, CT_WHY_TILE_DIVIDES, 0, 16, 8);
    /* Tile copies: axes after those of the layout, a swizzle, a layout that is no box. */
    const ct_copy_atom load = ct_copy_atom_tile(CT_ATOM_TMA_LOAD, 16);
    const ct_memory global = ct_in_global(1), columns = ct_in_shared_plain(L_("(8,8):(1,8)")),
                    swizzled = ct_in_shared(
                        ct_make_swizzled(ct_make_swizzle(3, 3, 3), 0, L_("(16,64):(64,1)")));
    assert_int_equal(ct_make_whole_partition(load, ct_tuple3(8, 8, 2), global, rows).dst.tiles[0],
                     1);
    assert_int_equal(ct_make_whole_partition(load, ct_tuple2(8, 8), global, columns).dst.tiles[0],
                     1);
    assert_int_equal(ct_make_whole_partition(load, ct_tuple2(8, 64), global, swizzled).dst.tiles[0],
                     2);
}

/* A swizzle, with more offsets of other tiles than are enumerated: all bits count as taken. */
TEST(fold_of_many)
{
    for (int threads = 4; threads <= 9000; threads += 8996) {
        ct_side s = CT_ZERO;
        ct_leaves_of_side l = CT_ZERO;
        l.swizzle = ct_make_swizzle(1, 0, 2);
        s.tiles[0] = 2;
        s.next[0] = 2;
        s.accesses = 1;
        s.add[0] = 1;
        ct_side_fold(&s, &l, threads, 8);
        assert_int_equal(s.separate, threads == 4);
    }
}

GROUP("guards of copies", NULL, NULL)
