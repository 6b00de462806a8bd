/* Tiles and partitions; tensors. */
#include "cutlet/partition.h"
#include "cutlet/tensor.h"
#include "operations.h"

static void run_slice_and_offset(const ct_value *arg, int count, ct_value *out)
{
    (void)count;
    ct_give_tensor(out, ct_tensor_slice(ct_make_tensor(arg[1].as.layout), arg[0].as.tuple));
}

static void run_slice_and_offset_tensor(const ct_value *arg, int count, ct_value *out)
{
    (void)count;
    ct_give_tensor(out, ct_tensor_slice(arg[1].as.tensor, arg[0].as.tuple));
}

static void run_layout(const ct_value *arg, int count, ct_value *out)
{
    (void)count;
    ct_give_layout(out, arg[0].as.tensor.layout);
}

static void run_offset(const ct_value *arg, int count, ct_value *out)
{
    (void)count;
    ct_give_tuple(out, arg[0].as.tensor.offset);
}

static void run_size(const ct_value *arg, int count, ct_value *out)
{
    (void)count;
    ct_give_int(out, ct_size(arg[0].as.tensor.layout), arg[0].as.tensor.layout.err);
}

static void run_shape(const ct_value *arg, int count, ct_value *out)
{
    (void)count;
    ct_give_tuple(out, ct_shape(arg[0].as.tensor.layout));
}

#define OP CT_OPERATION
#define OWN CT_OPERATION_OWN

const ct_operation ct_operations_partition[] = {
    OP("local_tile", "LTt", x_LTt, ct_local_tile, "the tile of a block, as offset@layout"),
    OP("local_partition", "LLi", x_LLi, ct_local_partition,
       "the elements of a thread of a thread layout"),
    OP("inner_partition", "LTt", x_LTt, ct_inner_partition, "the tile at a coordinate"),
    OP("outer_partition", "LTt", x_LTt, ct_outer_partition, "the same place in every tile"),
    OWN("slice_and_offset", "tl", run_slice_and_offset,
        "the part of a layout at a coordinate with `_`"),
    OWN("slice_and_offset", "tx", run_slice_and_offset_tensor,
        "the part of a tensor at such a coordinate"),
    OWN("layout", "x", run_layout, "the layout of a tensor"),
    OWN("offset", "x", run_offset, "the offset of a tensor"),
    OWN("size", "x", run_size, "the number of coordinates of a tensor"),
    OWN("shape", "x", run_shape, "the shape of a tensor"),
    {0},
};
