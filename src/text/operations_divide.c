/* Divides and products. */
#include <cutlet/algebra/divide.h>
#include <cutlet/algebra/product.h>
#include "operations.h"

static void run_excess(const ct_value *arg, int count, ct_value *out)
{
    (void)count;
    const ct_layout A = arg[0].as.layout, B = arg[1].as.layout;
    ct_give_int(out, ct_divide_excess(A, B), ct_logical_divide(A, B).err);
}

static void run_excess_by(const ct_value *arg, int count, ct_value *out)
{
    (void)count;
    const ct_layout A = arg[0].as.layout;
    ct_give_int(out, ct_divide_excess_by(A, arg[1].as.tiler),
                ct_logical_divide_by(A, arg[1].as.tiler).err);
}

static void run_tile_to_shape(const ct_value *arg, int count, ct_value *out)
{
    ct_give_layout(out,
                   ct_tile_to_shape(arg[0].as.layout, arg[1].as.tuple, ct_arg_order(arg, count)));
}

#define OP CT_OPERATION
#define OWN CT_OPERATION_OWN

const ct_operation ct_operations_divide[] = {
    OP("logical_divide", "Ll", L_LL, ct_logical_divide, "(tile, rest)"),
    OP("logical_divide", "LT", L_LT, ct_logical_divide_by,
       "((tile, rest), (tile, rest), ..) mode by mode"),
    OP("zipped_divide", "Ll", L_LL, ct_zipped_divide, "(tile, rest)"),
    OP("zipped_divide", "LT", L_LT, ct_zipped_divide_by, "((tile, tile, ..), (rest, rest, ..))"),
    OP("tiled_divide", "Ll", L_LL, ct_tiled_divide, "(tile, rest modes ..)"),
    OP("tiled_divide", "LT", L_LT, ct_tiled_divide_by, "((tile, tile, ..), rest, rest, ..)"),
    OP("flat_divide", "Ll", L_LL, ct_flat_divide, "(tile modes .., rest modes ..)"),
    OP("flat_divide", "LT", L_LT, ct_flat_divide_by, "(tile, tile, .., rest, rest, ..)"),
    OWN("divide_excess", "Ll", run_excess, ct_divide_excess,
        "how many elements rounding up adds to a divide"),
    OWN("divide_excess", "LT", run_excess_by, ct_divide_excess_by,
        "the same for a divide mode by mode"),
    OP("logical_product", "Ll", L_LL, ct_logical_product, "(tile, where its copies lie)"),
    OP("logical_product", "LT", L_LT, ct_logical_product_by, "mode by mode of a tiler"),
    OP("zipped_product", "Ll", L_LL, ct_zipped_product, "(tile, where its copies lie)"),
    OP("zipped_product", "LT", L_LT, ct_zipped_product_by, "((block, ..), (copies, ..))"),
    OP("tiled_product", "Ll", L_LL, ct_tiled_product, "(tile, modes of the copies ..)"),
    OP("tiled_product", "LT", L_LT, ct_tiled_product_by, "((block, ..), copies, ..)"),
    OP("flat_product", "Ll", L_LL, ct_flat_product, "(tile modes .., modes of the copies ..)"),
    OP("flat_product", "LT", L_LT, ct_flat_product_by, "(block, .., copies, ..)"),
    OP("blocked_product", "LL", L_LL, ct_blocked_product, "mode by mode, the tile inside"),
    OP("raked_product", "LL", L_LL, ct_raked_product,
       "mode by mode, the tile outside: interleaved"),
    OWN("tile_to_shape", "Lt", run_tile_to_shape, ct_tile_to_shape,
        "a block repeated up to a shape, column-major"),
    OWN("tile_to_shape", "Ltt", run_tile_to_shape, ct_tile_to_shape,
        "the same, modes in the order of keys"),
    {0},
};
