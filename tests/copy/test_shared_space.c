/* The layout of a block's shared memory: by enumeration of the bytes of each element of each stage. */
#include "error_said.h"
#include "sweep.h"

#include <cutlet/algebra/tensor_ops.h>
#include <cutlet/algebra/tensor_product.h>
#include <cutlet/copy/copy_partition.h>
#include <cutlet/copy/shared_space.h>

enum { SPACE = 1 << 18, TENSORS = 4 };

static uint8_t owner[SPACE]; /* of a byte: 1 + the number of a tensor and stage */

/* Each element of each stage lies in the tensor's bytes, at its stage's step from stage 0, and no byte is another
 * tensor's or another stage's. */
static const char *law_shared_space(const ct_shared_tensor *t, int number)
{
    const ct_layout *const L = &t->tensor.layout;
    const int64_t stages = t->stages, each = oracle_size(*L) / stages;
    if (t->offset % 128 != 0)
        return law_broken("a tensor begins at a line", number, t->offset, 128);
    for (int64_t k = 0; k < stages; ++k)
        for (int64_t i = 0; i < each; ++i) {
            const int64_t at = oracle_tensor(&t->tensor, k * each + i) * t->elem_bits / 8;
            const int64_t first = oracle_tensor(&t->tensor, i) * t->elem_bits / 8;
            const uint8_t own = (uint8_t)(1 + 8 * number + k);
            if (at != first + k * t->stage_bytes)
                return law_broken("a stage is one step on", k, at, first + k * t->stage_bytes);
            if (at < 0 || at + t->elem_bits / 8 > t->bytes)
                return law_broken("an element is in the tensor's bytes", i, at, t->bytes);
            for (int b = 0; b < t->elem_bits / 8; ++b) {
                uint8_t *const is = &owner[t->offset + at + b];
                if (*is && *is != own)
                    return law_broken("a byte is one tensor's and stage's", i, *is, own);
                *is = own;
            }
        }
    return NULL;
}

static ct_tensor some_tensor(int bits)
{
    const int sw = (int)sweep_int(0, 3), base = bits == 8 ? 4 : bits == 16 ? 3 : 2;
    const ct_layout block = ct_layout2(8, 1 << (base + 3), 1 << (base + 3), 1);
    const ct_tensor t =
        ct_make_swizzled(sw ? ct_make_swizzle(sw, base, 3) : ct_swizzle_none(), 0, block);
    const ct_tuple shape =
        ct_tuple3(8 * sweep_int(1, 4), sweep_int(1, 2) << (base + 3), sweep_int(1, 5));
    return ct_tensor_tile_to_shape(t, shape,
                                   sweep_int(0, 1) ? ct_tuple3(0, 1, 2) : ct_tuple3(1, 0, 2));
}

TEST(random_spaces)
{
    int staged = 0;
    sweep_seed(77);
    for (int round = 0; round < 300; ++round) {
        ct_shared_space space = CT_ZERO;
        ct_shared_tensor t[TENSORS];
        memset(owner, 0, sizeof owner);
        for (int n = 0; n < TENSORS; ++n) {
            const int bits = 8 << sweep_int(0, 2);
            t[n] = ct_shared_next(&space, bits, some_tensor(bits));
            assert_int_equal(t[n].err.status, CT_OK);
            assert_true(space.bytes == t[n].offset + t[n].bytes && space.bytes <= SPACE);
            LAW(law_shared_space(&t[n], n), show(t[n].tensor.layout));
            staged += t[n].stages > 1;
        }
        const int32_t all = space.bytes;
        const ct_shared_tensor over =
            ct_shared_over(&space, &t[1], 32, ct_make_tensor(ct_layout2(64, 64, 64, 1)));
        assert_int_equal(over.offset, t[1].offset);
        assert_int_equal(space.bytes, ct_max(all, over.offset + 4 * 64 * 64));
    }
    assert_in_range(staged, 300, 1200);
}

/* Stages of a mode whose first leaf is 1: their step is that of the other. And stages that have no step. */
TEST(steps_of_stages)
{
    const ct_tensor rows = ct_make_swizzled(ct_make_swizzle(3, 3, 3), 0, ct_layout2(8, 64, 64, 1));
    const ct_tensor four = ct_tensor_tile_to_shape(rows, ct_tuple3(128, 64, 4), ct_tuple3(0, 1, 2));
    const ct_layout uneven = L_("(16,64,(2,2)):(64,1,(1024,8192))"),
                    close = L_("(16,64,2):(64,1,96)");
    const ct_tiled_copy copy =
        ct_make_tiled_copy(ct_copy_atom_auto(16), ct_layout2(16, 8, 8, 1), ct_layout2(1, 8, 0, 1));
    ct_shared_space space = CT_ZERO;
    assert_string_equal(show(ct_mode(four.layout, 2)), "(1,4):(0,8192)");
    const ct_partition P =
        ct_make_partition(copy, ct_tuple2(128, 64), ct_in_global(1), ct_in_shared(four));
    assert_int_equal(P.err.status, CT_OK);
    assert_int_equal(P.dst.bytes, 16384);
    assert_int_equal(ct_shared_next(&space, 16, four).stage_bytes, 16384);
    assert_int_equal(space.bytes, 65536);
    const ct_partition Q =
        ct_make_partition(copy, ct_tuple2(16, 64), ct_in_global(1), ct_in_shared_plain(uneven));
    assert_true(
        error_says(Q.err, "partition_src: mode 2 of the layout in shared memory, its stages, needs "
                          "one step, a multiple of 2 bytes, and has 0 (0: no one step)"));
    assert_int_equal(ct_shared_next(&space, 16, ct_make_tensor(uneven)).err.why, CT_WHY_STAGES);
    assert_int_equal(ct_shared_next(&space, 16, ct_make_tensor(close)).err.why, CT_WHY_STAGES);
    assert_int_equal(
        ct_shared_next(&space, 16, ct_make_tensor(ct_layout3(64, 8, 3, 8, 1, 0))).err.why,
        CT_WHY_STAGES); /* three stages in one place */
    assert_int_equal(ct_shared_next(&space, 16, ct_make_tensor(ct_layout2(0, 8, 8, 1))).err.status,
                     CT_E_ARGUMENT);
    const ct_shared_tensor failed = ct_shared_next(&space, 16, ct_make_tensor(close));
    assert_int_equal(ct_shared_over(&space, &failed, 16, rows).err.why, CT_WHY_STAGES);
    assert_int_equal(space.bytes, 65536); /* as before */
    space.bytes = INT32_MAX - 1000;
    assert_int_equal(ct_shared_next(&space, 16, four).err.status, CT_E_OVERFLOW);
}

GROUP("shared memory of a block", NULL, NULL)
