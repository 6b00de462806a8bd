/* Swizzles and composed layouts. */
#include <limits.h>

#include "cutlet/composed.h"
#include "offsets.h"
#include "operations.h"

static int bound(int64_t v) { return v > 1000 ? 1000 : v < -1000 ? -1000 : (int)v; }

static void run_make_swizzle(const ct_value *arg, int count, ct_value *out)
{
    (void)count;
    ct_give_swizzle(out, ct_make_swizzle(bound(ct_arg_int(&arg[0])), bound(ct_arg_int(&arg[1])),
                                         bound(ct_arg_int(&arg[2]))));
}

static void run_swizzled(const ct_value *arg, int count, ct_value *out)
{
    (void)count;
    ct_give_composed(out, ct_make_composed(arg[0].as.swizzle, 0, arg[1].as.layout));
}

static void run_make_composed(const ct_value *arg, int count, ct_value *out)
{
    (void)count;
    ct_give_composed(out,
                     ct_make_composed(arg[0].as.swizzle, ct_arg_int(&arg[1]), arg[2].as.layout));
}

static void run_layout(const ct_value *arg, int count, ct_value *out)
{
    (void)count;
    ct_give_layout(out, arg[0].as.composed.layout);
}

static void run_shape(const ct_value *arg, int count, ct_value *out)
{
    (void)count;
    ct_give_tuple(out, ct_shape(arg[0].as.composed.layout));
}

static void run_size(const ct_value *arg, int count, ct_value *out)
{
    (void)count;
    ct_give_int(out, ct_size(arg[0].as.composed.layout), arg[0].as.composed.layout.err);
}

#define OP CT_OPERATION
#define OWN CT_OPERATION_OWN

const ct_operation ct_operations_swizzle[] = {
    OWN("make_swizzle", "iii", run_make_swizzle, "Sw<bits,base,shift>"),
    OWN("composition", "sL", run_swizzled,
        "a swizzle of the offsets of a layout: Sw<3,4,3> o 0 o L"),
    OWN("make_composed", "siL", run_make_composed, "the same with an offset in between"),
    OP("composition", "cl", c_cL, ct_composed_composition, "the layout inside composed"),
    OP("composition", "cT", c_cT, ct_composed_composition_by, "the same, mode by mode of a tiler"),
    OP("upcast", "si", s_si, ct_swizzle_upcast, "the same on elements n times as large"),
    OP("downcast", "si", s_si, ct_swizzle_downcast, "the same on elements a factor n smaller"),
    OP("upcast", "ci", c_ci, ct_composed_upcast, "in elements n times as large"),
    OP("downcast", "ci", c_ci, ct_composed_downcast, "in elements a factor n smaller"),
    OP("slice", "tc", c_tc, ct_composed_slice, "over the modes at the `_` of a coordinate"),
    OP("at", "ct", t_ct, ct_composed_at, "the swizzled offset of a coordinate or an index"),
    OP("cosize", "c", t_c, ct_composed_cosize, "one more than the highest offset"),
    OWN("layout", "c", run_layout, "the layout inside"),
    OWN("shape", "c", run_shape, "the shape"),
    OWN("size", "c", run_size, "the number of coordinates"),
    OWN("offsets", "c", ct_run_offsets, "the offset of every index, in order"),
    OWN("offsets", "x", ct_run_offsets, "the same of a tensor"),
    {0},
};
