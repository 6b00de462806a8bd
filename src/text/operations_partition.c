/* Tensors: tiles and partitions, and the operations on layouts. */
#include <cutlet/algebra/partition.h>
#include <cutlet/algebra/tensor_ops.h>
#include <cutlet/algebra/vector.h>
#include "offsets.h"
#include "operations.h"

#define X0 arg[0].as.tensor
#define UNUSED (void)count

/* Expressions write the coordinate first, as CuTe does. */
CT_GIVES(run_slice, tensor, ct_tensor_slice(arg[1].as.tensor, arg[0].as.tuple))
CT_GIVES(run_layout, layout, X0.layout)
CT_GIVES(run_offset, tuple, X0.offset)
CT_GIVES(run_size, int, ct_tensor_size(X0), X0.layout.err)
CT_GIVES(run_shape, tuple, ct_shape(X0.layout))

static void run_max_common_vector(const ct_value *arg, int count, ct_value *out)
{
    UNUSED;
    const ct_layout common = ct_tensor_max_common_layout(X0, arg[1].as.tensor);
    ct_give_int(out, ct_size(common), common.err);
}

CT_GIVES(run_max_alignment, int, ct_tensor_max_alignment(X0),
         ct_make_error(CT_E_ARGUMENT, CT_OP_ALIGNMENT, CT_WHY_NOT_INTEGER, 0, 0, 0))

/* An index may go on past the size, as a kernel's does. */
static void run_eval(const ct_value *arg, int count, ct_value *out)
{
    const ct_tuple c = arg[1].as.tuple;
    const int past =
        ct_offset_is_integer(&c) && c.value[0] >= ct_tensor_size(X0) && ct_is_integral(X0.layout);
    (void)count;
    if (!past) {
        ct_give_tuple(out, ct_tensor_at(X0, c));
        return;
    }
    /* as an index of the layout whose last leaf is long enough */
    ct_tensor t = X0;
    const int last = t.layout.profile.leaves - 1;
    if (last >= 0)
        t.layout.shape[last] = c.value[0] / (ct_tensor_size(t) / t.layout.shape[last]) + 1;
    const ct_error bad = ct_tensor_check(&t);
    const ct_error worse = ct_layout_check(&t.layout, CT_OP_CRD2IDX);
    if (worse.status || bad.status) ct_give_error(out, worse.status ? worse : bad);
    else ct_give_tuple(out, ct_tensor_at(t, c));
}

#define OP CT_OPERATION
#define OWN CT_OPERATION_OWN
#define FIELD CT_OPERATION_FIELD

const ct_operation ct_operations_partition[] = {
    OP("local_tile", "XTt", x_xTt, ct_local_tile, "the tile of a block, as offset@layout"),
    OP("local_partition", "XLi", x_xLi, ct_local_partition,
       "the elements of a thread of a thread layout"),
    OP("inner_partition", "XTt", x_xTt, ct_inner_partition, "the tile at a coordinate"),
    OP("outer_partition", "XTt", x_xTt, ct_outer_partition, "the same place in every tile"),
    OWN("slice_and_offset", "tX", run_slice, ct_tensor_slice,
        "the part at a coordinate with `_`, and its offset"),
    OWN("slice", "tx", run_slice, ct_tensor_slice, "the same of a tensor"),
    FIELD("layout", "x", run_layout, ct_tensor, layout, "the layout of a tensor"),
    FIELD("offset", "x", run_offset, ct_tensor, offset, "the offset of a tensor"),
    OWN("size", "x", run_size, ct_tensor_size, "the number of coordinates"),
    OP("cosize", "x", t_x, ct_tensor_cosize, "the offsets from the base to the highest"),
    OWN("shape", "x", run_shape, ct_shape, "the shape of a tensor"),
    OP("at", "xt", t_xt, ct_tensor_at, "the offset of a coordinate or of an index"),
    OWN("eval", "xt", run_eval, ct_tensor_at, "the same; an index may go on past the size"),
    OWN("offsets", "x", ct_run_offsets, ct_tensor_at, "the offset of every index, in order"),
    OP("coalesce", "x", x_x, ct_tensor_coalesce, "the same tensor with the fewest leaves"),
    OP("coalesce", "xt", x_xt, ct_tensor_coalesce_by, "the same, mode by mode of a profile"),
    OP("composition", "xl", x_xL, ct_tensor_composition, "R(c) = T(B(c))"),
    OP("composition", "xT", x_xT, ct_tensor_composition_by, "the same, mode by mode of a tiler"),
    OP("logical_divide", "xl", x_xL, ct_tensor_logical_divide, "(tile, rest)"),
    OP("logical_divide", "xT", x_xT, ct_tensor_logical_divide_by, "((tile, rest), ..)"),
    OP("zipped_divide", "xl", x_xL, ct_tensor_zipped_divide, "(tile, rest)"),
    OP("zipped_divide", "xT", x_xT, ct_tensor_zipped_divide_by, "((tile, ..), (rest, ..))"),
    OP("tiled_divide", "xl", x_xL, ct_tensor_tiled_divide, "(tile, rest modes ..)"),
    OP("tiled_divide", "xT", x_xT, ct_tensor_tiled_divide_by, "((tile, ..), rest, ..)"),
    OP("flat_divide", "xl", x_xL, ct_tensor_flat_divide, "(tile modes .., rest modes ..)"),
    OP("flat_divide", "xT", x_xT, ct_tensor_flat_divide_by, "(tile, .., rest, ..)"),
    OP("max_common_layout", "XX", L_xx, ct_tensor_max_common_layout,
       "the largest layout contiguous in both"),
    OWN("max_common_vector", "XX", run_max_common_vector, ct_tensor_max_common_layout,
        "how many elements are contiguous in both"),
    OWN("max_alignment", "x", run_max_alignment, ct_tensor_max_alignment,
        "what every contiguous run is a multiple of"),
    OP("upcast", "xi", x_xi, ct_tensor_upcast, "in elements n times as large"),
    OP("downcast", "xi", x_xi, ct_tensor_downcast, "in elements a factor n smaller"),
    OP("recast", "xii", x_xii, ct_tensor_recast,
       "from elements of old bits to elements of new bits"),
    {0},
};
