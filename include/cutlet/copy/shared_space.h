/**
 * The shared memory of a block: tensors one after the other, with their stages, and tensors that lie over others.
 *
 *     typedef struct plan { ct_error err; ct_shared_tensor a, b, d; int32_t bytes; } plan;
 *     ct_shared_space space = CT_ZERO;
 *     p.a = ct_shared_next(&space, 16, rows);        (128,64,STAGES), swizzled
 *     p.b = ct_shared_next(&space, 16, columns);     after it
 *     p.d = ct_shared_over(&space, &p.a, 32, sums);  the epilogue's, over both
 *     p.bytes = space.bytes;                         of the launch
 *
 * The first two modes are those of a tile, and the third, if there is one, counts stages. What a kernel does with them
 * is in device/tensor/shared.h.
 *
 * Cost:     O(leaves), for the compiler.
 * In C:     ct_shared_space space = CT_ZERO;
 *           const ct_tensor rows = ct_tensor_tile_to_shape(
 *               ct_make_swizzled(ct_make_swizzle(3, 3, 3), 0, ct_layout2(8, 64, 64, 1)), ct_tuple3(128, 64, 3),
 *               ct_tuple3(0, 1, 2));
 *           const ct_shared_tensor a = ct_shared_next(&space, 16, rows);
 *           const ct_shared_tensor b = ct_shared_next(&space, 8, ct_make_tensor(ct_layout2(100, 3, 3, 1)));
 *           assert(a.stages == 3 && a.stage_bytes == 16384 && b.offset == 3 * 16384 && b.bytes == 300);
 *           const ct_shared_tensor d = ct_shared_over(&space, &b, 32, ct_make_tensor(ct_layout2(8, 64, 64, 1)));
 *           assert(d.offset == b.offset && space.bytes == d.offset + 2048);
 */
#ifndef CUTLET_COPY_SHARED_SPACE_H
#define CUTLET_COPY_SHARED_SPACE_H

#include <cutlet/copy/copy_memory.h>

/** A tensor in the shared memory of a block, from byte `offset` of it on. */
typedef struct ct_shared_tensor {
    ct_error err;
    ct_tensor tensor;
    int32_t elem_bits, offset, bytes;
    int32_t stages, stage_bytes; /* of mode 2; 1 stage without one */
} ct_shared_tensor;

/** The bytes that tensors take; at first none. */
typedef struct ct_shared_space {
    int32_t bytes;
} ct_shared_space;

/** @internal The bytes to a multiple of which a tensor begins: of a line, and of its swizzle's period. */
CT_FN int64_t ct_shared_alignment(const ct_tensor *t, int32_t elem_bits)
{
    const ct_swizzle sw = ct_swizzle_of_bytes(t->swizzle, elem_bits);
    return ct_max(sw.bits > 0 ? ct_swizzle_period(sw) : 1, 128);
}

/** @internal The tensor at the first place from byte `at` of a space on. */
CT_FN ct_shared_tensor ct_shared_at(ct_shared_space *space, int64_t at, int32_t elem_bits,
                                    ct_tensor t)
{
    ct_shared_tensor r = CT_ZERO;
    const ct_memory m = ct_in_shared(t);
    r.err = ct_memory_check(m, 1, elem_bits);
    if (r.err.status == CT_OK) r.err = ct_stages_check(m, 2, elem_bits);
    if (r.err.status) return r;
    const int64_t align = ct_shared_alignment(&t, elem_bits);
    const int64_t bits = (ct_memory_first(m) + ct_cosize(t.layout)) * elem_bits;
    at = ct_ceil_div_int(at, align) * align;
    r.tensor = t;
    r.elem_bits = elem_bits;
    r.bytes = (int32_t)ct_ceil_div_int(bits, 8);
    r.stages = 1;
    if (ct_layout_rank(t.layout) > 2) r.stages = (int32_t)ct_size(ct_mode(t.layout, 2));
    r.stage_bytes = ct_stage_bytes(m, 2, elem_bits);
    if (r.stages > 1 && (r.stage_bytes == 0 || r.stage_bytes % align != 0))
        r.err = ct_make_error(CT_E_ARGUMENT, CT_OP_TENSOR, CT_WHY_STAGES, 2, r.stage_bytes, align);
    else if (at > INT32_MAX - r.bytes)
        r.err = ct_make_error(CT_E_OVERFLOW, CT_OP_TENSOR, CT_WHY_OVERFLOW, 0, 0, 0);
    if (r.err.status) return r;
    r.offset = (int32_t)at;
    space->bytes = (int32_t)ct_max(space->bytes, at + r.bytes);
    return r;
}

/**
 * The next tensor of a space, of elements of elem_bits bits. It begins at a multiple of 128 bytes and of its swizzle's
 * period.
 *
 * Ensures:  tensors of ct_shared_next share no byte, and stages of one neither.
 * Fails:    CT_E_ARGUMENT when the stages are not one step apart, a multiple of that alignment; CT_E_OVERFLOW; as
 *           ct_make_partition of such a memory. The space stays.
 */
CT_FN ct_shared_tensor ct_shared_next(ct_shared_space *space, int32_t elem_bits, ct_tensor t)
{
    return ct_shared_at(space, space->bytes, elem_bits, t);
}

/**
 * A tensor over others: from where `first` begins on, whatever lies there. The space grows if it is longer.
 * Fails:    as ct_shared_next; with the error of `first`.
 */
CT_FN ct_shared_tensor ct_shared_over(ct_shared_space *space, const ct_shared_tensor *first,
                                      int32_t elem_bits, ct_tensor t)
{
    ct_shared_tensor r = CT_ZERO;
    r.err = first->err;
    return r.err.status ? r : ct_shared_at(space, first->offset, elem_bits, t);
}

#endif
