/* The table of operations, above its groups. */
#include "operations.h"

const ct_operation_group ct_operation_groups[] = {
    {"tuples: shapes, strides, coordinates", ct_operations_tuple},
    {"layouts", ct_operations_layout},
    {"divides and products", ct_operations_divide},
    {"tiles and partitions", ct_operations_partition},
    {"products and inverses of tensors", ct_operations_tensor},
    {"swizzles", ct_operations_swizzle},
    {"copies", ct_operations_copy},
    {"matrix multiplication", ct_operations_mma},
    {"costs", ct_operations_cost},
    {NULL, NULL},
};
