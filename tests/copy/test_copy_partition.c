/* The partition that a kernel is compiled with, against the algebra: a table of copies, a random
 * sweep (CUTLET_SEED repeats it), and faults planted in its tables, which the laws must see. */
#include <stdio.h>
#include <string.h>

#include <cutlet/copy/copy_partition.h>

#include <cutlet/device/copy/access.h>
#include "all_cases.h"
#include "sweep.h"

/* The device's functions, or with a fault on, one element too many at an edge, or a step too far: a
 * test sees that the law notices. */
static enum { NO_FAULT, FAULT_OF_EDGE, FAULT_OF_STEP } fault;

static int32_t has_or_fault(const ct_partition *P, const ct_side *side, const ct_view *v, int i)
{
    const int32_t n = ct_access_has(P, side, v, i);
    return n + (fault == FAULT_OF_EDGE && n > 0 && n < side->width);
}

static int64_t step_or_fault(const ct_partition *P, const ct_side *side, const ct_view *v, int i)
{
    return ct_step_to_access(P, side, v, i) + (fault == FAULT_OF_STEP && i > 0);
}

#define ct_access_has has_or_fault
#define ct_step_to_access step_or_fault
#include "laws_partition.h"

#include <cutlet/copy/copy_choice.h>
#undef ct_access_has
#undef ct_step_to_access

/* One side as text: "g0" global along axis 0, "g-" along none, "r" registers, with their layout where
 * they have one, else a layout in shared memory, swizzled where bits is not 0. */
typedef struct side_row {
    const char *at;
    int bits, base, shift, offset;
} side_row;

typedef struct copy_row {
    const char *name;
    int atom, width, bits; /* bits of an access, or matrices; bits of an element */
    const char *thr, *val; /* val "tv": thr is the (thread, value) layout */
    int block[2];          /* of a tv copy */
    const char *tile;
    side_row src, dst;
} copy_row;

enum {
    AUTO = CT_ATOM_AUTO,
    ALL = CT_ATOM_UNIVERSAL,
    CG = CT_ATOM_CP_ASYNC_CG,
    LDM = CT_ATOM_LDMATRIX
};

#define AT(where)                                                                                  \
    {                                                                                              \
        where, 0, 0, 0, 0                                                                          \
    }

static const copy_row rows[] = {
    /* clang-format off */
    {"row to swizzled rows", AUTO, 0, 16, "(16,8):(8,1)", "(1,8):(1,1)", {0}, "(128,64)",
     AT("g1"), {"(128,64):(64,1)", 3, 3, 3, 0}},
    {"cp.async to three stages", CG, 128, 16, "(16,8):(8,1)", "(1,8):(1,1)", {0}, "(128,64)",
     AT("g1"), {"(128,64,3):(64,1,8192)", 3, 3, 3, 0}},
    {"transpose in", AUTO, 0, 32, "(16,16):(16,1)", "(4,4):(4,1)", {0}, "(64,64)",
     AT("g1"), {"(64,64):(1,64)", 3, 2, 6, 0}},
    {"transpose out", AUTO, 0, 32, "(16,16):(1,16)", "(4,1):(1,1)", {0}, "(64,64)",
     {"(64,64):(1,64)", 3, 2, 6, 0}, AT("g0")},
    {"turned in registers", AUTO, 0, 16, "(8,4):(4,1)", "(4,8):(8,1)", {0}, "(32,32)",
     AT("g1"), AT("g0")},
    {"padded rows", AUTO, 0, 32, "(4,8):(8,1)", "(1,4):(1,1)", {0}, "(16,32)",
     AT("g1"), {"(16,32):(36,1)", 0, 0, 0, 0}},
    {"one element wide", ALL, 16, 16, "(4,32):(32,1)", "(1,1):(1,1)", {0}, "(64,64)",
     AT("g-"), AT("g-")},
    {"a column each", ALL, 128, 32, "(1,64):(64,1)", "(4,1):(1,4)", {0}, "(64,64)",
     AT("g0"), AT("g0")},
    {"to registers", AUTO, 0, 32, "64:1", "4:1", {0}, "(512)", AT("g0"), AT("r")},
    {"from registers", AUTO, 0, 8, "(8,4):(1,8)", "(4,4):(1,4)", {0}, "(64,16)",
     AT("r"), {"(64,16):(16,1)", 2, 2, 3, 0}},
    {"an offset in shared memory", AUTO, 0, 16, "(8,4):(4,1)", "(1,8):(1,1)", {0}, "(16,32)",
     AT("g1"), {"(16,32):(32,1)", 2, 3, 3, 64}},
    {"three axes", AUTO, 0, 16, "(4,2,4):(8,4,1)", "(1,2,4):(1,4,1)", {0}, "(8,8,16)",
     AT("g2"), {"(8,8,16):(16,128,1)", 2, 3, 3, 0}},
    {"nibbles", AUTO, 0, 4, "(8,4):(4,1)", "(1,16):(1,1)", {0}, "(16,64)",
     AT("g1"), {"(16,64):(64,1)", 1, 5, 2, 0}},
    {"a swizzle that does not fold", AUTO, 0, 32, "(2,16):(16,1)", "(4,1):(1,1)", {0}, "(8,32)",
     AT("g1"), {"(8,32):(33,1)", 2, 0, 5, 0}},
    {"ldmatrix of a", LDM, 4, 16, "((4,8,2,2),(2,2,2)):((64,1,16,0),(32,8,256))", "tv", {32, 16},
     "(128,64)",
     {"(128,64):(64,1)", 3, 3, 3, 0}, AT("r")},
    {"ldmatrix of b", LDM, 4, 16, "((4,8,2,2),(2,2,2)):((64,1,0,16),(32,256,8))", "tv", {32, 16},
     "(128,64)",
     {"(128,64):(64,1)", 3, 3, 3, 0}, AT("r")},
    {"a tile of rows", AUTO, 0, 16, "(8,8):(8,1)", "(1,8):(1,1)", {0}, "(16,64)",
     AT("g1"), {"(64,64):(64,1)", 3, 3, 3, 0}},
    {"a tile inside a swizzle's period", AUTO, 0, 32, "(4,8):(8,1)", "(1,4):(1,1)", {0}, "(8,32)",
     {"(32,64):(64,1)", 3, 2, 4, 0}, AT("g1")},
    {"a tile of blocks", AUTO, 0, 16, "(8,8):(8,1)", "(1,8):(1,1)", {0}, "(8,64)",
     AT("g1"), {"((8,4),(64,2),3):((64,512),(1,2048),4096)", 3, 3, 3, 0}},
    {"a tile of whose size only a few follow", AUTO, 0, 16, "(8,4):(4,1)", "(1,8):(1,1)", {0}, "(8,32)",
     AT("g1"), {"((8,3,2),64):((64,512,2048),1)", 0, 0, 0, 0}},
    {"nibbles of a tile", AUTO, 0, 4, "(8,4):(4,1)", "(1,16):(1,1)", {0}, "(16,64)",
     AT("g1"), {"(32,128):(128,1)", 1, 5, 2, 0}},
    {"a nested mode of the tile", AUTO, 0, 16, "(16,8):(8,1)", "(1,8):(1,1)", {0}, "((4,8),64)",
     AT("g2"), {"(32,64):(64,1)", 3, 3, 3, 0}},
    {"threads across a nested mode's leaves", AUTO, 0, 32, "(8,4):(1,8)", "(4,2):(1,4)", {0}, "((2,4,4),(2,4))",
     AT("g1"), {"((2,4,4),8,2):((1,64,2),8,256)", 0, 0, 0, 0}},
    {"to registers in an order of their own", AUTO, 0, 16, "(8,4):(4,1)", "(2,8):(8,1)", {0}, "(16,32)",
     AT("g1"), AT("r(2,8):(8,1)")},
    {"from registers in an order of their own", AUTO, 0, 8, "(8,4):(1,8)", "(4,4):(1,4)", {0}, "(64,16)",
     AT("r(4,2,4):(2,1,8)"), {"(64,16):(16,1)", 2, 2, 3, 0}},
    /* clang-format on */
};
enum { ROWS = sizeof rows / sizeof rows[0] };

static ct_memory memory_of(side_row s)
{
    if (s.at[0] == 'r') return s.at[1] ? ct_in_registers_by(L_(s.at + 1)) : ct_in_registers();
    if (s.at[0] == 'g') return ct_in_global(s.at[1] == '-' ? -1 : s.at[1] - '0');
    const ct_swizzle sw = ct_make_swizzle(s.bits, s.base, s.shift);
    return ct_in_shared(ct_make_swizzled(sw, s.offset, L_(s.at)));
}

static ct_copy_atom atom_of(const copy_row *r)
{
    if (r->atom == AUTO) return ct_copy_atom_auto(r->bits);
    if (r->atom == ALL) return ct_copy_atom_universal(r->width, r->bits);
    if (r->atom == CG) return ct_copy_atom_cp_async(CT_ATOM_CP_ASYNC_CG, r->width, r->bits);
    return ct_copy_atom_matrix(r->atom, r->width, r->bits);
}

static partition_case case_of(const copy_row *r)
{
    partition_case c = {.tile = ct_shape(L_(r->tile))};
    const ct_tuple block = ct_tuple2(r->block[0], r->block[1]);
    const int by_tv = strcmp(r->val, "tv") == 0;
    c.src = memory_of(r->src);
    c.dst = memory_of(r->dst);
    c.copy = by_tv ? ct_make_tiled_copy_tv(atom_of(r), L_(r->thr), block)
                   : ct_make_tiled_copy(atom_of(r), L_(r->thr), L_(r->val));
    return c;
}

/* A tensor that the tile is whole in, and one whose end cuts it. */
static void hold(const partition_case *c, const ct_partition *P, const char *name)
{
    int64_t extent[CT_AXES], step[CT_AXES], x[CT_AXES];
    for (int cut = 0; cut < 2; ++cut) {
        for (int a = 0; a < CT_AXES; ++a) {
            extent[a] = a < P->axes ? 3 * P->tile[a] - cut * (a + 1 + P->tile[a] / 3) : 1;
            step[a] = 1000 * (a + 1) + 8;
            x[a] = a < P->axes ? 2 * P->tile[a] : 0;
        }
        LAW(law_partition_of(c, P, extent, step, x), name, show(c->copy.tv), show_tuple(c->tile));
    }
}

TEST(table)
{
    int permuted = 0, folded = 0, together = 0;
    for (int i = 0; i < ROWS; ++i) {
        const partition_case c = case_of(&rows[i]);
        const ct_partition P = ct_make_partition(c.copy, c.tile, c.src, c.dst);
        if (P.err.status) fail_msg("%s: no partition, reason %d", rows[i].name, (int)P.err.why);
        permuted += P.permuted;
        folded += P.dst.separate && P.dst.fold[P.dst.accesses - 1] != 0;
        together += !P.dst.separate;
        hold(&c, &P, rows[i].name);
    }
    if (!permuted || !folded || !together) /* the table has all three */
        fail_msg("%d turned, %d folded, %d not apart", permuted, folded, together);
}

/* A layout of a tile in shared memory: its axes in some order, padded or not, in stages or not,
 * swizzled or not. */
static ct_memory some_shared(ct_tuple tile)
{
    if (sweep_int(0, 1))
        for (int k = 0; k < ct_rank(tile); ++k)
            if (ct_rank(tile) == tile.profile.leaves) tile.value[k] *= sweep_int(1, 3);
    ct_layout L = ct_make_col_major(tile);
    int64_t run = 1;
    const int n = tile.profile.leaves, turn = (int)sweep_int(0, n - 1);
    for (int k = 0; k < n; ++k) {
        const int a = (k + turn) % n;
        L.stride[a] = run;
        run *= L.shape[a];
        if (sweep_int(0, 3) == 0) run += (int64_t)1 << sweep_int(0, 4);
    }
    if (sweep_int(0, 2) == 0)
        L = ct_make_layout(ct_append(tile, ct_int(3)), ct_append(ct_stride(L), ct_int(run)));
    const int bits = (int)sweep_int(0, 3), base = (int)sweep_int(0, 4);
    const int shift = bits + (int)sweep_int(0, 3);
    const int64_t offset = sweep_int(0, 3) ? 0 : sweep_int(0, 8) << sweep_int(0, 4);
    return ct_in_shared(ct_make_swizzled(ct_make_swizzle(bits, base, shift), offset, L));
}

static ct_memory some_memory(ct_tuple tile, int64_t kind)
{
    if (kind == 0) return ct_in_registers();
    const int lowest = sweep_int(0, 5) ? 0 : -1;
    if (kind < 3) return ct_in_global((int32_t)sweep_int(lowest, tile.profile.leaves - 1));
    return some_shared(tile);
}

/* A tile whose first mode that is even is nested: (2,n) or (n,2). */
static ct_tuple nested(ct_tuple tile)
{
    for (int k = 0; k < ct_rank(tile); ++k) {
        const int64_t n = ct_product(ct_get(tile, k));
        if (n % 2 != 0) continue;
        return ct_replace(tile, k, sweep_int(0, 1) ? ct_tuple2(2, n / 2) : ct_tuple2(n / 2, 2));
    }
    return tile;
}

static partition_case some_case(void)
{
    partition_case c = {0};
    const int value = 8 << sweep_int(0, 2);
    const ct_layout thr = dice_layout(&sweep_dice, 3, 64, DICE_COMPACT);
    const ct_layout val = dice_layout(&sweep_dice, 2, 16, DICE_COMPACT);
    const int width = value << sweep_int(0, 2);
    const ct_copy_atom atom =
        sweep_int(0, 3) ? ct_copy_atom_auto(value) : ct_copy_atom_universal(width, value);
    c.copy = ct_make_tiled_copy(atom, thr, val);
    c.tile = ct_tiled_copy_shape(c.copy);
    if (c.tile.err.status) return c;
    for (int k = 0; k < c.tile.profile.leaves; ++k)
        if (sweep_int(0, 2) == 0) c.tile.value[k] *= sweep_int(2, 4);
    if (sweep_int(0, 2) == 0) c.tile = nested(c.tile);
    const int64_t from = sweep_int(0, 5);
    c.src = some_memory(c.tile, from);
    c.dst = some_memory(c.tile, sweep_int(from == 0, 5));
    return c;
}

/* The registers of a copy in an order of their own: the partition with those in order says how many. */
static ct_partition with_order(partition_case *c, ct_partition P)
{
    ct_memory *const side = c->src.space == CT_SPACE_REGISTERS ? &c->src : &c->dst;
    if (P.err.status || side->space != CT_SPACE_REGISTERS || sweep_int(0, 1)) return P;
    int64_t n = sweep_int(1, P.values);
    while (P.values % n != 0) --n;
    *side = ct_in_registers_by(ct_layout2(n, P.values / n, P.values / n, 1));
    return ct_make_partition(c->copy, c->tile, c->src, c->dst);
}

TEST(random_partitions)
{
    const int rounds = all_cases() ? 2000 : 800;
    int made = 0, swizzled = 0, together = 0, permuted = 0, leaves = 0, tiles = 0, tiled = 0;
    sweep_seed(31);
    for (int i = 0; i < rounds; ++i) {
        char name[40];
        partition_case c = some_case();
        if (c.copy.atom.err.status || ct_product(c.tile) > 2048) continue;
        const ct_partition P = with_order(&c, ct_make_partition(c.copy, c.tile, c.src, c.dst));
        snprintf(name, sizeof name, "case %d", i);
        hold(&c, &P, name);
        made += P.err.status == CT_OK;
        leaves += P.err.status == CT_OK && P.inner != 0;
        permuted += P.err.status == CT_OK && P.permuted;
        swizzled +=
            P.err.status == CT_OK && P.dst.space == CT_SPACE_SHARED && P.dst_swizzle.bits > 0;
        together += P.err.status == CT_OK && (!P.dst.separate || !P.src.separate);
        for (int a = 0, n = 0; a < P.axes; ++a) {
            n += P.err.status == CT_OK && P.dst.tiles[a] > 1;
            tiles += n == 1;
            tiled += n == 1 && P.dst_swizzle.bits > 0 &&
                     P.dst.next[a] % ct_swizzle_period(P.dst_swizzle) != 0;
        }
    }
    assert_in_range(made, rounds / 4, rounds - rounds / 20); /* and some are refused */
    assert_in_range(permuted, rounds / 40, rounds);
    assert_in_range(leaves, rounds / 40, rounds);
    assert_in_range(swizzled, rounds / 40, rounds);
    assert_in_range(together, rounds / 100, rounds);
    assert_in_range(tiles, rounds / 40, 3 * rounds);  /* layouts of several tiles, */
    assert_in_range(tiled, rounds / 100, 3 * rounds); /* which a swizzle permutes */
}

/* ---- faults ---------------------------------------------------------------------------------- */

typedef const char *(*law)(const partition_case *c, const ct_partition *P);

static void swap8(uint8_t *a, uint8_t *b)
{
    const uint8_t x = *a;
    *a = *b;
    *b = x;
}

static void value_twice(ct_partition *P) { P->turn[1] = P->turn[0]; }
static void threads_alike(ct_partition *P) { P->threads *= 2; }
static void coordinate_off(ct_partition *P)
{
    P->src.coord[1] += ct_access_coord_bits(&P->src, 0, 1);
}
static void digit_off(ct_partition *P) { P->src.digit[0].step += 1; }
static void fold_lost(ct_partition *P) { P->dst.fold[P->dst.accesses - 1] ^= 16; }
static void add_off(ct_partition *P) { P->dst.add[1] += 16; }
static void separate_lost(ct_partition *P) { P->dst.separate = !P->dst.separate; }
static void wider(ct_partition *P) { P->dst.width *= 2, P->dst.accesses /= 2; }
static void register_off(ct_partition *P) { P->value.digit[0].step += 1; }
static void tiles_off(ct_partition *P) { P->dst.next[0] += 128; }
static void tile_too_many(ct_partition *P) { P->dst.tiles[0] += 1; }
static void orders_alike(ct_partition *P) { P->permuted = !P->permuted; }
static void values_exchanged(ct_partition *P)
{
    swap8(&P->turn[0], &P->turn[P->values - 1]);
    swap8(&P->back[P->turn[0]], &P->back[P->turn[P->values - 1]]);
}

/* The copy of a tile where none is named: every choice holds, and is refused only where threads have no
 * place in the tile, or a thread would have too many accesses. */
TEST(choices)
{
    static const int sizes[] = {1, 3, 8, 12, 32, 64, 96};
    enum { SIZES = sizeof sizes / sizeof *sizes };
    int made = 0, async = 0, wide = 0;
    for (int i = 0; i < SIZES * SIZES * 36; ++i) {
        const int bits = 8 << i % 4, threads = 32 << i / 4 % 3, axis = i / 12 % 3 - 1;
        const int m = sizes[i / 36 % SIZES], n = sizes[i / 36 / SIZES];
        const ct_layout L = i % 2 ? ct_layout2(m, n, n, 1) : ct_layout2(m, n, 1, m);
        partition_case c = {.tile = ct_tuple2(m, n)};
        c.src = i % 5 == 0 ? ct_in_shared_plain(L) : ct_in_global(axis);
        c.dst = i % 5 == 0   ? ct_in_global(axis)
                : i % 5 == 1 ? ct_in_registers()
                             : ct_in_shared_plain(L);
        c.copy = ct_choose_copy(bits, threads, c.tile, c.src, c.dst);
        const ct_partition P = ct_choose_partition(bits, threads, c.tile, c.src, c.dst);
        if (P.err.status == CT_E_CAPACITY && m * n / threads > CT_ACCESSES) continue;
        if (P.err.status) {
            assert_int_equal(P.err.why, CT_WHY_TILE_THREADS);
            assert_true(m * n < threads || m * n % threads != 0 ||
                        ct_gcd(m, threads) * ct_gcd(n, threads) < threads);
            continue;
        }
        hold(&c, &P, "a choice");
        ++made;
        async += P.atom == CT_ATOM_CP_ASYNC_CG || P.atom == CT_ATOM_CP_ASYNC_CA;
        wide += P.src.width * bits == 128 && P.dst.width * bits == 128;
    }
    assert_true(made > 500 && async > 50 && wide > 50);
}

/* A partition whose accesses are tested has no form without tests, nor one at any address. */
TEST(tested_or_not)
{
    const ct_memory g = ct_in_global(1);
    ct_partition p = ct_choose_partition(32, 32, ct_tuple2(8, 64), g, ct_in_registers());
    assert_int_equal(p.err.status, CT_OK);
    assert_true(ct_partition_unchecked(p).unchecked);
    p.predicated = 1;
    assert_int_equal(ct_partition_unchecked(p).err.why, CT_WHY_NO_PREDICATE);
}

TEST(named_choices)
{
    const ct_memory rows = ct_in_shared_plain(ct_layout2(128, 64, 64, 1));
    const ct_tiled_copy copy = ct_choose_copy(16, 128, ct_tuple2(128, 64), ct_in_global(1), rows);
    const ct_partition P = ct_choose_partition(16, 128, ct_tuple2(128, 64), ct_in_global(1), rows);
    const ct_partition permuted =
        ct_choose_partition(16, 128, ct_tuple2(128, 64), ct_in_global(0), rows);
    const ct_tiled_copy by_hand = ct_make_tiled_copy(
        ct_copy_atom_cp_async(CT_ATOM_CP_ASYNC_CG, 128, 16), L_("(16,8):(8,1)"), L_("(1,8):(8,1)"));
    assert_int_equal(P.atom, CT_ATOM_CP_ASYNC_CG);
    assert_true(ct_layout_equal(copy.tv, by_hand.tv));
    assert_true(permuted.permuted && permuted.src.width == 8 && permuted.dst.width == 8);
    assert_int_equal(
        ct_choose_copy(16, 100, ct_tuple2(128, 64), ct_in_global(1), rows).atom.err.why,
        CT_WHY_TILE_THREADS);
}

/* Each fault in the tables of the row of that number is seen by that law. */
TEST(planted_faults)
{
    static const struct {
        const char *name;
        int row;
        law law;
        void (*plant)(ct_partition *P);
    } faults[] = {
        {"a value twice", 0, law_partition_cover, value_twice},
        {"twice the threads", 0, law_partition_cover, threads_alike},
        {"a coordinate off by one", 0, law_partition_coordinates, coordinate_off},
        {"a digit's step off by one", 0, law_partition_coordinates, digit_off},
        {"values exchanged", 2, law_partition_order, values_exchanged},
        {"a fold lost", 2, law_partition_swizzle, fold_lost},
        {"an addition off", 0, law_partition_swizzle, add_off},
        {"apart where they are not", 13, law_partition_swizzle, separate_lost},
        {"an access too wide", 2, law_partition_swizzle, wider},
        {"a tile further on", 16, law_partition_tiles, tiles_off},
        {"a tile too many", 16, law_partition_tiles, tile_too_many},
        {"turned or not", 4, law_partition_order, orders_alike},
        {"a register's step off by one", ROWS - 2, law_partition_order, register_off},
        {"values exchanged between blocks", 0, law_partition_order, values_exchanged},
    };
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; ++i) {
        const partition_case c = case_of(&rows[faults[i].row]);
        ct_partition P = ct_make_partition(c.copy, c.tile, c.src, c.dst);
        const char *const bad = faults[i].law(&c, &P);
        if (bad) fail_msg("%s: %s, without it", faults[i].name, bad);
        faults[i].plant(&P);
        if (!faults[i].law(&c, &P)) fail_msg("%s: not seen", faults[i].name);
    }
}

/* What is in bounds, and where the next access lies, are worked out by the device's functions. */
TEST(planted_faults_of_a_kernel)
{
    const partition_case c = case_of(&rows[7]);
    const ct_partition P = ct_make_partition(c.copy, c.tile, c.src, c.dst);
    const int64_t extent[CT_AXES] = {61, 61}, step[CT_AXES] = {64, 64}, x[CT_AXES] = {0};
    assert_null(law_partition_bounds(&c, &P, extent, step, x));
    fault = FAULT_OF_EDGE;
    assert_non_null(law_partition_bounds(&c, &P, extent, step, x));
    fault = FAULT_OF_STEP;
    assert_non_null(law_partition_bounds(&c, &P, extent, step, x));
    fault = NO_FAULT;
}

/* Permutation number n of 0 .. 4, as powers of two. */
static ct_layout order_of_five(int n, int at[5])
{
    ct_tuple shape = ct_tuple0(), stride = ct_tuple0();
    int left[5] = {0, 1, 2, 3, 4};
    for (int k = 0; k < 5; n /= 5 - k, ++k) {
        const int pick = n % (5 - k);
        at[k] = left[pick];
        for (int i = pick; i + 1 < 5 - k; ++i) left[i] = left[i + 1];
        shape = ct_append(shape, ct_int(2));
        stride = ct_append(stride, ct_int((int64_t)1 << at[k]));
    }
    return ct_make_layout(shape, stride);
}

/* Copies of ct_copy_atom_auto of every width, the 32 contiguous values of a thread in every order:
 * into registers, from them, and into shared memory of that order. Elements of less than a byte
 * keep their order: in the widest accesses whose elements are in it on both sides, and only where
 * those of a byte are not is there no partition. */
TEST(every_order)
{
    int narrowed = 0, refused = 0;
    for (int i = 0; i < 120 * 8 * 3; ++i) {
        const int32_t bits = 1 << i % 8, side = i / 8 % 3;
        int at[5], same = 0, byte = 0;
        const ct_layout order = order_of_five(i / 24, at), memory = ct_layout2(32, 4, 1, 32);
        while (same < 5 && at[same] == same) ++same;
        while (bits << byte < 8) ++byte;
        const ct_layout tv =
            ct_make_layout2(ct_layout1(4, 32), side == 2 ? ct_layout1(32, 1) : order);
        const ct_memory registers = ct_in_registers(),
                        permuted = ct_in_shared_plain(ct_make_layout2(
                            side == 2 ? order : ct_mode(memory, 0), ct_layout1(4, 32)));
        const partition_case c = {
            .copy = ct_make_tiled_copy_tv(ct_copy_atom_auto(bits), tv, ct_tuple2(32, 4)),
            .tile = ct_tuple2(32, 4),
            .src = side == 1 ? registers : ct_in_global(0),
            .dst = side == 0 ? registers : permuted};
        const ct_partition P = ct_make_partition(c.copy, c.tile, c.src, c.dst);
        if (bits < 8 && same < byte) {
            if (P.err.why != CT_WHY_BITS_TURN)
                fail_msg("%d bits, %s: %d", (int)bits, show(order), P.err.why);
            assert_int_equal(P.err.n[0], bits);
            ++refused;
            continue;
        }
        if (P.err.status)
            fail_msg("%d bits, %s: no partition, reason %d", (int)bits, show(order), P.err.why);
        const int64_t most = ct_min(32, 128 / bits), width = side == 1 ? P.dst.width : P.src.width;
        const int64_t wide = bits >= 8 ? most : ct_min(most, (int64_t)1 << same);
        if (side < 2 || bits >= 8) assert_int_equal(width, side < 2 ? wide : most);
        assert_true(width >= wide && (bits >= 8 || !P.permuted));
        narrowed += width < most;
        if (bits >= 8 && i / 24 % 8 != 0) continue;
        hold(&c, &P, show(order));
    }
    print_message("%d narrowed, %d refused\n", narrowed, refused);
    assert_true(narrowed > 20 && refused > 500);
}

GROUP("copy partition", NULL, NULL)
