/* Swizzles. */
#include <limits.h>

#include "cutlet/tensor.h"
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
    ct_give_tensor(out, ct_make_swizzled(arg[0].as.swizzle, 0, arg[1].as.layout));
}

static void run_make_composed(const ct_value *arg, int count, ct_value *out)
{
    (void)count;
    ct_give_tensor(out,
                   ct_make_swizzled(arg[0].as.swizzle, ct_arg_int(&arg[1]), arg[2].as.layout));
}

#define OP CT_OPERATION
#define OWN CT_OPERATION_OWN

const ct_operation ct_operations_swizzle[] = {
    OWN("make_swizzle", "iii", run_make_swizzle, "Sw<bits,base,shift>"),
    OWN("composition", "sL", run_swizzled,
        "a swizzle of the offsets of a layout: Sw<3,4,3> o 0 o L"),
    OWN("make_composed", "siL", run_make_composed, "the same with an offset in between"),
    OP("upcast", "si", s_si, ct_swizzle_upcast, "the same on elements n times as large"),
    OP("downcast", "si", s_si, ct_swizzle_downcast, "the same on elements a factor n smaller"),
    {0},
};
