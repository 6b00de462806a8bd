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

static int seen_before(ct_layout L)
{
    for (int i = seen_count - 1; i >= 0; --i)
        if (ct_layout_equal(seen[i], L)) return 1;
    assert_true(seen_count < (int)(sizeof seen / sizeof *seen));
    seen[seen_count++] = L;
    return 0;
}

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

static void try_operand(const char *name, ct_tiled_mma t, int operand, int tiles)
{
    const int32_t type = operand == CT_MMA_A   ? t.atom.op.a
                         : operand == CT_MMA_B ? t.atom.op.b
                                               : t.atom.op.c;
    const int32_t bits = ct_mma_bits(type);
    ct_tuple tile = ct_tiled_mma_tile(t, operand);
    if (bits < 4 || bits == 6 || bits > 64) return;
    tile.value[0] *= tiles;
    tile.value[1] *= tiles;
    const ct_fragment f = ct_fragment_of_mma(t, tile, operand);
    if (f.err.status) {
        ++refused;
        return;
    }
    ++made;
    const ct_tiled_copy copy =
        ct_make_tiled_copy_mma(ct_copy_atom_universal(bits < 8 ? 8 : bits, bits), t, operand);
    LAW(law_places(&f, copy, tile), name);
    LAW(law_fragment(&f), name);
}

static int try_atom(void *context, ct_mma_op op)
{
    char name[CT_MMA_NAME_BYTES];
    (void)context;
    if (op.kind == CT_MMA_BLOCK || op.kind == CT_MMA_NO_KIND) return 0;
    ct_mma_op_name(name, op);
    const ct_mma_atom a = ct_make_mma_atom(name);
    for (int operand = CT_MMA_A; operand <= CT_MMA_C; ++operand) {
        const int in_registers = operand == CT_MMA_C ||
                                 (operand == CT_MMA_A ? op.a_from : op.b_from) == CT_MMA_REGISTERS;
        if (!in_registers || seen_before(ct_mma_tv(a, operand))) continue;
        try_operand(name, ct_make_tiled_mma(a, ct_layout1(1, 0), ct_tiler0()), operand, 1);
        try_operand(name, ct_make_tiled_mma(a, ct_layout2(2, 2, 1, 2), ct_tiler0()), operand, 2);
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

/* A fragment with a digit off is found. */
TEST(planted_faults)
{
    const ct_tiled_mma t = ct_make_tiled_mma(ct_make_mma_atom("SM80_16x8x16_F32F16F16F32_TN"),
                                             ct_layout2(2, 2, 1, 2), ct_tiler0());
    const ct_tuple tile = ct_tuple2(64, 64);
    const ct_tiled_copy copy = ct_make_tiled_copy_c(ct_copy_atom_universal(32, 32), t);
    const ct_fragment right = ct_fragment_c(t, tile);
    assert_null(law_places(&right, copy, tile));
    assert_null(law_fragment(&right));
    ct_fragment f = right;
    f.coord[1][3] += 1;
    assert_non_null(law_places(&f, copy, tile));
    assert_non_null(law_fragment_rows(&f, 1));
    f = right;
    f.row[1][2] ^= 1;
    assert_non_null(law_fragment_rows(&f, 1));
    f = right;
    f.thread.digit[0].step += 1;
    assert_non_null(law_places(&f, copy, tile));
    assert_non_null(law_fragment_rows(&f, 1));
    f = right;
    f.coord[0][f.count - 1] += 1;
    assert_non_null(law_fragment_parts(&f, 1, 4));
}

/* What has no fragment, no reduction and no part. */
TEST(refusals)
{
    const ct_tiled_mma t = ct_make_tiled_mma(ct_make_mma_atom("SM80_16x8x16_F32F16F16F32_TN"),
                                             ct_layout2(2, 2, 1, 2), ct_tiler0());
    const ct_tiled_copy three =
        ct_make_tiled_copy(ct_copy_atom_auto(32), ct_layout2(2, 3, 3, 1), ct_layout2(1, 4, 4, 1));
    const ct_partition P =
        ct_make_partition(three, ct_tuple2(8, 24), ct_in_global(1), ct_in_registers());
    const ct_partition G =
        ct_make_partition(three, ct_tuple2(8, 24), ct_in_global(1), ct_in_global(1));
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

GROUP("fragments", NULL, NULL)
