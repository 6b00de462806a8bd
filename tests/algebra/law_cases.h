/**
 * The laws over random operands, as a table: law number k of case number n under a seed means the
 * same on the host, on the CPU grid and on a GPU. Included instead of laws.h.
 */
#ifndef CUTLET_TESTS_LAW_CASES_H
#define CUTLET_TESTS_LAW_CASES_H

#include "dice.h"

/** Not 0: coalesce is wrong as the laws see it, so that a test can see that they notice. */
#if defined(__CUDACC__)
static __device__ int law_fault;
#else
static int law_fault;
#endif

LAW_FN int law_has_fault(void)
{
#if defined(__CUDACC__) && !defined(__CUDA_ARCH__)
    return 0;
#else
    return law_fault;
#endif
}

/** coalesce, or with the fault on, a layout whose last leaf moves one too far. */
LAW_FN ct_layout law_coalesce_or_fault(ct_layout L)
{
    ct_layout R = ct_coalesce(L);
    if (law_has_fault() && R.profile.leaves > 1) R.stride[R.profile.leaves - 1] += 1;
    return R;
}

#define ct_coalesce law_coalesce_or_fault
#include "laws.h"
#undef ct_coalesce

/** The operands of a case. Every law takes some of them. */
typedef struct law_operands {
    ct_layout any, up, tile, small_a, small_b, other, identity, basis;
    ct_tuple profile, coord, shape, order;
    ct_tiler tiler;
    ct_tensor tensor;
    ct_tiled_copy copy;
    int64_t n, factor, elem, most;
} law_operands;

LAW_FN void law_operands_of_copy(dice *d, law_operands *o)
{
    const ct_layout thr = dice_layout(d, 3, 16, DICE_COMPACT);
    const ct_layout val = dice_layout(d, 2, 8, DICE_COMPACT);
    const int32_t bits = (int32_t)(8 << dice_int(d, 0, 4));
    o->copy = ct_make_tiled_copy(ct_copy_atom_universal(bits, 8), thr, val);
    o->elem = (int64_t)1 << dice_int(d, 0, 3);
    o->most = (int64_t)1 << dice_int(d, 0, 5);
}

LAW_FN void law_operands_by_mode(dice *d, law_operands *o)
{
    o->coord = dice_coordinate(d, o->any);
    o->tiler = dice_tiler(d, o->up);
    o->shape = ct_product_each(ct_shape(o->small_a));
    o->order = o->shape;
    for (int k = 0; k < o->shape.profile.leaves; ++k) {
        o->shape.value[k] *= dice_int(d, 1, 4);
        o->order.value[k] = dice_int(d, -2, 2);
    }
    for (int k = 0; k < o->basis.profile.leaves; ++k)
        o->basis.basis[k] = (uint32_t)dice_int(d, 1, ct_layout_rank(o->up));
    const int bits = (int)dice_int(d, 0, 3);
    const int base = (int)dice_int(d, 0, 4);
    const int shift = bits + (int)dice_int(d, 0, 2);
    const int up = (int)dice_int(d, 0, 1);
    const int64_t offset = dice_int(d, 0, 40);
    o->tensor = ct_make_swizzled(ct_make_swizzle(bits, base, up ? shift : -shift), offset, o->up);
}

/** The operands of case `number`: layouts of at most 512 coordinates. One draw in each statement,
 *  because compilers differ in which argument of a call they evaluate first. */
LAW_FN void law_operands_of(uint64_t seed, uint64_t number, law_operands *o)
{
    dice d = dice_of_case(seed, number);
    o->any = dice_any(&d, 5, ORACLE_MAX);
    o->up = dice_upward(&d, 5, ORACLE_MAX / 2);
    o->tile = number % 4 ? dice_tile(&d, oracle_size(o->up)) : dice_any(&d, 4, 64);
    o->small_a = dice_upward(&d, 3, 24);
    o->small_b = dice_upward(&d, 3, 16);
    o->other = dice_any(&d, 5, ORACLE_MAX / 2);
    if (number % 2) o->other = ct_make_row_major(ct_shape(ct_coalesce_by(o->up, ct_tuple1(1))));
    o->identity = ct_make_identity_layout(dice_shape(&d, 4, ORACLE_MAX / 2));
    o->basis = dice_layout(&d, 3, 32, DICE_PADDED);
    o->profile = dice_shape(&d, 3, 8);
    o->n = dice_int(&d, 1, 64);
    o->factor = dice_int(&d, 1, 8);
    law_operands_by_mode(&d, o);
    law_operands_of_copy(&d, o);
}

/** The tile of the copy, row-major, swizzled and moved as the tensor is. */
LAW_FN ct_tensor law_swizzled_tile(const law_operands *o)
{
    return ct_tensor_with(o->tensor, ct_make_row_major(ct_tiled_copy_shape(o->copy)));
}

/** X(name, law of the operands o). */
#define LAW_CASES(X)                                                                               \
    X(coalesce, law_coalesce(o->any))                                                              \
    X(eval, law_eval(o->any))                                                                      \
    X(hier_coord, law_hier_coord(o->any))                                                          \
    X(coalesce_z, law_coalesce_z(o->any))                                                          \
    X(coalesce_by, law_coalesce_by(o->any, o->profile))                                            \
    X(coalesce_identity, law_coalesce(o->identity))                                                \
    X(filter, law_filter(o->any))                                                                  \
    X(filter_by, law_filter_by(o->any, o->profile))                                                \
    X(right_inverse, law_right_inverse(o->any))                                                    \
    X(left_inverse, law_left_inverse(o->any))                                                      \
    X(nullspace, law_nullspace(o->any))                                                            \
    X(complement, law_complement(o->any, o->n))                                                    \
    X(max_alignment, law_max_alignment(o->any))                                                    \
    X(upcast, law_upcast(o->any, o->factor))                                                       \
    X(downcast, law_downcast(o->any, o->factor))                                                   \
    X(distribute, law_distribute(ct_shape(o->any), o->n))                                          \
    X(reverse, law_reverse(o->any))                                                                \
    X(sort, law_sort(o->any))                                                                      \
    X(squeeze, law_squeeze(o->any))                                                                \
    X(running_product, law_running_product(ct_shape(o->any), o->n))                                \
    X(order, law_order(o->profile, 7))                                                             \
    X(slice, law_slice(ct_make_tensor(o->any), o->coord))                                          \
    X(composition, law_composition(o->up, o->tile))                                                \
    X(composition_identity, law_composition(o->identity, o->tile))                                 \
    X(composition_basis, law_composition_basis(o->up, o->basis))                                   \
    X(composition_by, law_composition_by(o->up, o->tiler))                                         \
    X(divide, law_divide(o->up, o->tile))                                                          \
    X(divide_by, law_divide_by(o->up, o->tiler))                                                   \
    X(product, law_product(o->small_a, o->small_b))                                                \
    X(blocked_product, law_blocked_product(o->small_a, o->small_b))                                \
    X(raked_product, law_raked_product(o->small_a, o->small_b))                                    \
    X(tile_to_shape, law_tile_to_shape(o->small_a, o->shape, o->order))                            \
    X(max_common, law_max_common(o->up, o->small_a))                                               \
    X(common_domain, law_common_domain(ct_shape(o->up), ct_shape(o->small_a)))                     \
    X(common_refinement, law_common_refinement(ct_shape(o->up), ct_shape(o->small_a)))             \
    X(layout_add,                                                                                  \
      oracle_size(o->up) == oracle_size(o->other) ? law_layout_add(o->up, o->other) : NULL)        \
    X(local_partition, law_local_partition(o->tensor, o->small_a))                                 \
    X(tiles, law_tiles(o->tensor, o->tiler))                                                       \
    X(tile_partition, law_tile_partition(o->tensor, o->tiler, o->small_b))                         \
    X(tensor, law_tensor(o->tensor))                                                               \
    X(tensor_coalesce, law_tensor_coalesce(o->tensor, o->profile))                                 \
    X(tensor_composition, law_tensor_composition(o->tensor, o->tile, o->tiler))                    \
    X(tensor_divide, law_tensor_divide(o->tensor, o->tile, o->tiler))                              \
    X(tensor_upcast, law_tensor_upcast(o->tensor, o->elem))                                        \
    X(tensor_downcast, law_tensor_downcast(o->tensor, o->elem))                                    \
    X(tensor_alignment, law_tensor_alignment(o->tensor))                                           \
    X(tensor_max_common, law_tensor_max_common(o->tensor, o->tensor))                              \
    X(copy_width, law_copy_width(o->small_a, ct_make_layout_like(o->small_a), o->elem, o->most,    \
                                 (uint64_t)(8 * o->factor), (uint64_t)(16 * o->n)))                \
    X(copy_atom, law_copy_atom(o->copy.atom))                                                      \
    X(tiled_copy, law_tiled_copy(o->copy))                                                         \
    X(partition, law_partition(o->copy, law_swizzled_tile(o)))

#define LAW_CASE_NUMBER(name, call) LAW_CASE_##name,
enum { LAW_CASES(LAW_CASE_NUMBER) LAW_CASE_COUNT };

#define LAW_CASE_FUNCTION(name, call)                                                              \
    LAW_FN const char *law_case_##name(const law_operands *o) { return call; }
LAW_CASES(LAW_CASE_FUNCTION)

/** Whether law number `law` holds for the operands: NULL, or what is not so. */
LAW_FN const char *law_of_case(int law, const law_operands *o)
{
#define LAW_CASE_CALL(name, call)                                                                  \
    case LAW_CASE_##name: return law_case_##name(o);
    switch (law) {
        LAW_CASES(LAW_CASE_CALL)
        default: return "there is no such law";
    }
}

/** One number from all operands that two sides agree on exactly when they drew the same. */
LAW_FN uint64_t law_operands_print(const law_operands *o)
{
    const ct_layout *const all[] = {
        &o->any,      &o->up,    &o->tile,          &o->small_a,     &o->small_b, &o->other,
        &o->identity, &o->basis, &o->tensor.layout, &o->tiler.tiles, &o->copy.tv,
    };
    uint64_t x = (uint64_t)(o->n + 64 * o->factor + 512 * o->elem + 8192 * o->most);
    for (int i = 0; i < (int)(sizeof all / sizeof all[0]); ++i) {
        x = x * 0x9e3779b97f4a7c15u + (uint64_t)all[i]->err.status;
        for (int k = 0; k < all[i]->profile.leaves; ++k) {
            x = (x ^ (uint64_t)all[i]->shape[k]) * 0xbf58476d1ce4e5b9u;
            x = (x ^ (uint64_t)all[i]->stride[k] ^ all[i]->basis[k]) * 0x94d049bb133111ebu;
            x ^= x >> 29 ^ all[i]->profile.open[k] ^ (uint64_t)all[i]->profile.close[k] << 8;
        }
    }
    for (int k = 0; k < o->coord.profile.leaves; ++k) x = x * 31 + (uint64_t)o->coord.value[k];
    for (int k = 0; k < o->order.profile.leaves; ++k) x = x * 31 + (uint64_t)o->order.value[k];
    return x;
}

#endif
