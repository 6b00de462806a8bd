/* Operations on tensors that repeat, rearrange and invert them. */
#include "operations.h"

#include <cutlet/algebra/tensor_composition.h>
#include <cutlet/algebra/tensor_ops.h>
#include <cutlet/algebra/tensor_product.h>

static void run_tile_to_shape(const ct_value *arg, int count, ct_value *out)
{
    ct_give_tensor(
        out, ct_tensor_tile_to_shape(arg[0].as.tensor, arg[1].as.tuple, ct_arg_order(arg, count)));
}

/* One of two operands is a tensor; the other may be a layout. */
CT_GIVES(run_composition, tensor, ct_tensor_of_tensor(arg[0].as.tensor, arg[1].as.tensor))
CT_GIVES(run_swizzled, tensor, ct_swizzle_tensor(arg[0].as.swizzle, arg[1].as.tensor))
CT_GIVES(run_divide, tensor, ct_tensor_divide_by_tensor(arg[0].as.tensor, arg[1].as.tensor))
CT_GIVES(run_product, tensor, ct_tensor_product_by_tensor(arg[0].as.tensor, arg[1].as.tensor))
CT_GIVES(run_blocked_product, tensor,
         ct_tensor_blocked_product_by_tensor(arg[0].as.tensor, arg[1].as.tensor))
CT_GIVES(run_raked_product, tensor,
         ct_tensor_raked_product_by_tensor(arg[0].as.tensor, arg[1].as.tensor))

static void run_complement(const ct_value *arg, int count, ct_value *out)
{
    ct_give_layout(out, count == 2 ? ct_tensor_complement(arg[0].as.tensor, arg[1].as.tuple)
                                   : ct_tensor_complement_within(arg[0].as.tensor));
}

#define OP CT_OPERATION
#define OWN CT_OPERATION_OWN

const ct_operation ct_operations_tensor[] = {
    OP("logical_product", "xl", x_xL, ct_tensor_logical_product, "(block, copies)"),
    OP("logical_product", "xT", x_xT, ct_tensor_logical_product_by, "mode by mode of a tiler"),
    OP("zipped_product", "xl", x_xL, ct_tensor_zipped_product, "(block, copies)"),
    OP("zipped_product", "xT", x_xT, ct_tensor_zipped_product_by, "((block, ..), (copies, ..))"),
    OP("tiled_product", "xl", x_xL, ct_tensor_tiled_product, "(block, modes of the copies ..)"),
    OP("tiled_product", "xT", x_xT, ct_tensor_tiled_product_by, "((block, ..), copies, ..)"),
    OP("flat_product", "xl", x_xL, ct_tensor_flat_product,
       "(block modes .., modes of the copies ..)"),
    OP("flat_product", "xT", x_xT, ct_tensor_flat_product_by, "(block, .., copies, ..)"),
    OP("blocked_product", "xL", x_xL, ct_tensor_blocked_product, "mode by mode, the block inside"),
    OP("raked_product", "xL", x_xL, ct_tensor_raked_product,
       "mode by mode, the block outside: interleaved"),
    OWN("tile_to_shape", "xt", run_tile_to_shape, ct_tensor_tile_to_shape,
        "a block repeated up to a shape, column-major"),
    OWN("tile_to_shape", "xtt", run_tile_to_shape, ct_tensor_tile_to_shape,
        "the same in the order of keys"),
    OP("get", "xm", x_xm, ct_tensor_mode, "one mode of a tensor"),
    OP("take", "xmm", x_xmm, ct_tensor_take, "the modes from the first up to, not with, the last"),
    OP("group", "xmm", x_xmm, ct_tensor_group, "those modes as one"),
    OP("select", "xt", x_xt, ct_tensor_select, "the modes that a tuple names, in that order"),
    OP("flatten", "x", x_x, ct_tensor_flatten, "the leaves as modes"),
    OP("composition", "Lx", x_Lx, ct_composition_of_tensor,
       "R(c) = A(T(c)): a layout of a tensor's offsets"),
    OWN("composition", "xx", run_composition, ct_tensor_of_tensor,
        "R(c) = T(U(c)), where one swizzle does what both do"),
    OWN("composition", "sx", run_swizzled, ct_swizzle_tensor,
        "the offsets of a tensor swizzled once more"),
    OWN("logical_divide", "Xx", run_divide, ct_tensor_divide_by_tensor,
        "(tile, rest) by a swizzled tile"),
    OWN("logical_product", "Xx", run_product, ct_tensor_product_by_tensor,
        "(block, copies) in a swizzled pattern"),
    OWN("blocked_product", "Xx", run_blocked_product, ct_tensor_blocked_product_by_tensor,
        "mode by mode in a swizzled pattern, the block inside"),
    OWN("raked_product", "Xx", run_raked_product, ct_tensor_raked_product_by_tensor,
        "mode by mode in a swizzled pattern, the copies interleaved"),
    OWN("complement", "xt", run_complement, ct_tensor_complement,
        "that of its layout: copies are swizzled as it is"),
    OWN("complement", "x", run_complement, ct_tensor_complement_within,
        "the same, up to the cosize of the layout"),
    OP("filter", "x", x_x, ct_tensor_filter, "without modes of stride 0 and of size 1"),
    OP("filter", "xt", x_xt, ct_tensor_filter_by, "the same, mode by mode of a profile"),
    OP("sort", "x", x_x, ct_tensor_sort, "the leaves in ascending order of their strides"),
    OP("squeeze", "x", x_x, ct_tensor_squeeze, "without modes of size 1"),
    OP("reverse", "x", x_x, ct_tensor_reverse, "the modes in reverse order"),
    OP("right_inverse", "x", x_x, ct_tensor_right_inverse,
       "T(R(i)) = i, the swizzle moved after the layout"),
    OP("left_inverse", "x", x_x, ct_tensor_left_inverse, "R(T(i)) = i"),
    {0},
};
