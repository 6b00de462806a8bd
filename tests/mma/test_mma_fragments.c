/* The fragments of the operands of tiled MMAs, of every distinct atom, against the algebra: thread by thread and value
 * by value. */
#include "all_cases.h"
#include "error_said.h"
#include "sweep.h"

#include "laws_partition.h"

#include "../../src/text/mma_names.h"
#include <cutlet/host/text.h>
#include <cutlet/mma/mma_fragment.h>

static ct_layout seen[4096];
static int seen_count, made, refused;

/* Element i of thread t is where the tiled copy of the operand has value i. */
static const char *law_places(const ct_fragment *f, ct_tiled_copy copy, ct_tuple tile)
{
    for (int64_t t = 0; t < f->threads; t += 1 + f->threads / 32) {
        const ct_tensor at = ct_partition_dst(copy, ct_make_tensor(ct_make_col_major(tile)), t);
        if (oracle_size(at.layout) != f->count)
            return law_broken("a thread has all its values", t, f->count, oracle_size(at.layout));
        for (int i = 0; i < f->count; ++i) {
            const int64_t x = law_fragment_first(f, t, 0) + f->coord[0][i];
            const int64_t y = law_fragment_first(f, t, 1) + f->coord[1][i];
            if (x + y * tile.value[0] != oracle_tensor(&at, i))
                return law_broken("a value lies where the tiled MMA has it", i,
                                  x + y * tile.value[0], oracle_tensor(&at, i));
        }
    }
    return NULL;
}

static void try_operand(const char *name, ct_tiled_mma t, int operand, int32_t bits, int tiles)
{
    const ct_tuple one = ct_tiled_mma_tile(t, operand);
    const ct_tuple tile = ct_tuple2(tiles * one.value[0], tiles * one.value[1]);
    const ct_fragment f = ct_fragment_of_mma(t, tile, operand);
    const ct_copy_atom atom = ct_copy_atom_universal(bits < 8 ? 8 : bits, bits);
    ++*(f.err.status ? &refused : &made);
    if (f.err.status) return;
    LAW(law_places(&f, ct_make_tiled_copy_mma(atom, t, operand), tile), name);
    LAW(law_fragment(&f), name);
}

static int try_atom(void *context, ct_mma_op op)
{
    const int32_t types[3] = {op.a, op.b, op.c};
    const int from[3] = {op.a_from, op.b_from, CT_MMA_REGISTERS};
    char name[CT_MMA_NAME_BYTES];
    (void)context;
    if (op.kind == CT_MMA_BLOCK || op.kind == CT_MMA_NO_KIND) return 0;
    ct_mma_op_name(name, op);
    const ct_mma_atom a = ct_make_mma_atom(name);
    for (int operand = CT_MMA_A; operand <= CT_MMA_C; ++operand) {
        const int32_t bits = ct_mma_bits(types[operand]);
        int i = from[operand] == CT_MMA_REGISTERS && bits >= 4 && bits != 6 && bits <= 64
                    ? 0
                    : seen_count + 1;
        while (i < seen_count && !ct_layout_equal(seen[i], ct_mma_tv(a, operand))) ++i;
        if (i != seen_count) continue;
        seen[seen_count++] = ct_mma_tv(a, operand);
        try_operand(name, ct_make_tiled_mma(a, ct_layout1(1, 0), ct_tiler0()), operand, bits, 1);
        try_operand(name, ct_make_tiled_mma(a, ct_layout2(2, 2, 1, 2), ct_tiler0()), operand, bits,
                    2);
    }
    return 0;
}

TEST(operands_of_every_atom)
{
    assert_int_equal(ct_mma_each(try_atom, NULL), 0);
    print_message("%d fragments of %d layouts; %d have too many values\n", made, seen_count,
                  refused);
    assert_true(made > 60 && refused < made / 2);
}

static ct_tiled_mma four(void)
{
    return ct_make_tiled_mma(ct_make_mma_atom("SM80_16x8x16_F32F16F16F32_TN"),
                             ct_layout2(2, 2, 1, 2), ct_tiler0());
}

/* A number off in any of the tables is found. */
TEST(planted_faults)
{
    const ct_tuple tile = ct_tuple2(64, 64);
    const ct_tiled_copy copy = ct_make_tiled_copy_c(ct_copy_atom_universal(32, 32), four());
    for (int fault = 0; fault < 5; ++fault) {
        ct_fragment f = ct_fragment_c(four(), tile);
        if (fault == 1) f.coord[1][3] += 1;
        if (fault == 2) f.row[1][2] ^= 1;
        if (fault == 3) f.thread.digit[0].step += 1;
        if (fault == 4) f.coord[0][f.count - 1] += 1;
        assert_int_equal(law_places(&f, copy, tile) != NULL, fault != 0 && fault != 2);
        assert_int_equal(law_fragment_rows(&f, 1) != NULL, fault != 0);
        assert_int_equal(law_fragment_parts(&f, 1, 4) != NULL, fault == 1 || fault == 4);
    }
}

/* What has no fragment, no reduction and no part. */
TEST(refusals)
{
    const ct_tiled_mma t = four();
    const ct_tiled_copy three =
        ct_make_tiled_copy(ct_copy_atom_auto(32), ct_layout2(2, 3, 3, 1), ct_layout2(1, 4, 4, 1));
    const ct_memory global = ct_in_global(1);
    const ct_partition P = ct_make_partition(three, ct_tuple2(8, 24), global, ct_in_registers());
    const ct_partition G = ct_make_partition(three, ct_tuple2(8, 24), global, global);
    const ct_fragment f = ct_fragment_of_partition(P), c = ct_fragment_c(t, ct_tuple2(64, 64));
    assert_int_equal(ct_fragment_of_partition(G).err.why, CT_WHY_SPACE);
    assert_int_equal(ct_fragment_reduced(f, 1).err.why, CT_WHY_ROW_THREADS);
    assert_int_equal(ct_fragment_reduced(f, 0).err.why, CT_WHY_ROW_THREADS); /* three apart */
    assert_int_equal(ct_fragment_reduced(f, 2).err.why, CT_WHY_MODE);
    assert_true(error_says(ct_fragment_part(c, ct_tuple2(8, 64)).err,
                           "register tensor: parts of extent 8 along axis 0 are not consecutive "
                           "elements of each thread's registers"));
    assert_int_equal(ct_fragment_part(c, ct_tuple2(64, 48)).err.why, CT_WHY_PART);
    assert_int_equal(ct_fragment_c(t, ct_tuple2(48, 24)).err.why, CT_WHY_SIZE_DIVIDES);
    assert_int_equal(ct_fragment_c(t, ct_tuple2(512, 512)).err.why, CT_WHY_ACCESSES);
    ct_fragment twice = c;
    twice.value.digit[0].axis = CT_AXIS_NONE;
    assert_true(error_says(ct_fragment_reduced(twice, 0).err,
                           "register tensor: axis 0: the threads hold 128 elements of each row of "
                           "64, and a reduction needs each once"));
    twice = f;
    twice.err = ct_make_error(CT_E_DOMAIN, CT_OP_NONE, CT_WHY_NONE, 0, 0, 0); /* passed on */
    assert_int_equal(ct_fragment_reduced(twice, 0).err.status, CT_E_DOMAIN);
    assert_int_equal(ct_fragment_part(twice, ct_tuple2(8, 24)).err.status, CT_E_DOMAIN);
}

/* A tile of any extents has a part that the law confirms, or is refused; so has one whose values repeat. */
TEST(parts_of_all_extents)
{
    ct_fragment f = ct_fragment_c(four(), ct_tuple2(64, 64));
    int parts = 0;
    f.value.digit[f.value.count - 1].axis = CT_AXIS_NONE;
    const ct_fragment repeated =
        ct_make_fragment_of(f.threads, &f.thread, &f.value, f.tile, f.axes);
    assert_int_equal(repeated.count, f.count);
    f = ct_fragment_c(four(), ct_tuple2(64, 64));
    for (int m = 0; m <= 64; m += m < 4 ? 1 : 4)
        for (int n = 0; n <= 64; n += n < 4 ? 1 : 4) {
            const ct_fragment part = ct_fragment_part(f, ct_tuple2(m, n));
            const ct_fragment other = ct_fragment_part(repeated, ct_tuple2(m, n));
            if (part.err.status) assert_int_equal(part.err.why, CT_WHY_PART);
            else assert_int_equal(part.count * part.threads, m * n);
            if (other.err.status) assert_int_equal(other.err.why, CT_WHY_PART);
            parts += !part.err.status;
        }
    assert_true(parts > 1);
    assert_int_equal(ct_fragment_part(f, ct_tuple0()).err.why, CT_WHY_PART);
    assert_int_equal(ct_fragment_reduced(f, -1).err.why, CT_WHY_MODE);
    assert_int_equal(ct_make_fragment_of(32, &f.thread, &f.value, f.tile, 5).err.why,
                     CT_WHY_RANK_MORE);
    ct_partition bad = CT_ZERO;
    bad.err = ct_make_error(CT_E_DOMAIN, CT_OP_NONE, CT_WHY_NONE, 0, 0, 0);
    assert_int_equal(ct_fragment_of_partition(bad).err.status, CT_E_DOMAIN);
}

/* More digits than a number may have: none is lost in silence. */
/* Sums of atoms along k, whose threads follow those of the other atoms; in another order they have no place. */
TEST(sums_of_atoms_along_k)
{
    const ct_mma_atom atom = ct_make_mma_atom("SM80_16x8x16_F32F16F16F32_TN");
    const ct_layout last = ct_layout3(2, 1, 2, 1, 0, 2), first = ct_layout3(2, 1, 2, 2, 0, 1);
    const ct_tuple tile = ct_tuple2(32, 8);
    const ct_fragment one =
        ct_fragment_c(ct_make_tiled_mma(atom, ct_layout1(2, 1), ct_tiler0()), tile);
    const ct_fragment two = ct_fragment_c(ct_make_tiled_mma(atom, last, ct_tiler0()), tile);
    assert_true(two.err.status == CT_OK && two.threads == 2 * one.threads &&
                two.count == one.count);
    for (int i = 0; i < two.count; ++i)
        assert_true(two.coord[0][i] == one.coord[0][i] && two.coord[1][i] == one.coord[1][i]);
    const ct_tiled_mma mixed = ct_make_tiled_mma(atom, first, ct_tiler0());
    assert_int_equal(ct_fragment_c(mixed, tile).err.why, CT_WHY_MMA_PARTS);
    assert_int_equal(
        ct_fragment_c(ct_make_tiled_mma(atom, last, ct_tiler0()), ct_tuple2(33, 8)).err.status,
        CT_E_ARGUMENT);
}

TEST(too_many_digits)
{
    ct_digits full = CT_ZERO;
    for (int k = 0; k < CT_DIGITS; ++k)
        assert_true(ct_digits_push(&full, (ct_value_digit){1 << 2 * k, 2, 0, 1 << 2 * k}));
    ct_digits d = full;
    assert_false(ct_digits_push(&d, (ct_value_digit){1 << 30, 2, 0, 1}));
    assert_int_equal(d.count, CT_DIGITS);
    ct_fragment f = {.threads = 1, .thread = full};
    assert_int_equal(ct_fragment_repeated(f, 2).err.status, CT_E_CAPACITY);
    f.err = ct_make_error(CT_E_DOMAIN, CT_OP_FRAGMENT, CT_WHY_NONE, 0, 0, 0);
    assert_int_equal(ct_fragment_repeated(f, 2).err.status, CT_E_DOMAIN);
    const ct_digit gap = {.div = 2, .mod = 2, .axis = 0, .step = 0}; /* thread 1 moves nothing */
    assert_false(ct_digits_of_threads(&d, &gap, 1, 8));
    const ct_digit first = {.div = 1, .mod = 2, .axis = 0, .step = 5};
    assert_false(ct_digits_of_threads(&d, &first, 1, 2));
    ct_access_leaves leaves = CT_ZERO;
    ct_side side = CT_ZERO;
    ct_partition p = CT_ZERO;
    const ct_layout none = CT_ZERO;
    leaves.count = CT_DIGITS + 2;
    for (int k = 0; k < leaves.count; ++k)
        leaves.leaf[k] = (ct_access_leaf){2, k % 2 ? 0 : 1 << k, 0, 1 << 2 * k, k % 2 ? -1 : 0};
    assert_false(ct_digits_of_leaves(&d, &leaves));
    p.threads = 1 << 30;
    ct_partition_digits(&p, &side, &leaves, none);
    assert_int_equal(p.hash, 0);
    leaves.count = 1;
    side.digits = CT_DIGITS;
    for (int k = 0; k < CT_DIGITS; ++k)
        side.digit[k] = (ct_digit){.div = 2 << 2 * k, .mod = 2, .axis = 0, .step = 1 << k};
    ct_partition_digits(&p, &side, &leaves, none);
    assert_int_equal(p.hash, 0);
    ct_side tiles = CT_ZERO;
    tiles.tiles[0] = 4;
    tiles.next[0] = 8;
    ct_side_limit_tiles(&tiles, 16, 1);
    assert_int_equal(tiles.tiles[0], 1);
}

GROUP("fragments", NULL, NULL)
