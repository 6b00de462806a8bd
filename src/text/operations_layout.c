/* Operations on layouts, except divides, products and partitions. */
#include <limits.h>
#include <stdlib.h>

#include <cutlet/algebra/cast.h>
#include <cutlet/algebra/coalesce.h>
#include <cutlet/algebra/combine.h>
#include <cutlet/algebra/complement_shape.h>
#include <cutlet/algebra/composition.h>
#include <cutlet/algebra/coord.h>
#include <cutlet/algebra/distribute.h>
#include <cutlet/algebra/inverse.h>
#include <cutlet/algebra/layout_ops.h>
#include <cutlet/algebra/make.h>
#include <cutlet/algebra/size.h>
#include <cutlet/algebra/sort.h>
#include <cutlet/algebra/vector.h>
#include "offsets.h"
#include "operations.h"

#define L0 arg[0].as.layout
#define UNUSED (void)count

static void run_layout(const ct_value *arg, int count, ct_value *out)
{
    ct_give_layout(out, count == 1 ? ct_layout_of_shape(arg[0].as.tuple)
                                   : ct_make_layout(arg[0].as.tuple, arg[1].as.tuple));
}

/* (A,B,..): each argument a mode. */
static void run_make_layout(const ct_value *arg, int count, ct_value *out)
{
    ct_layout r = ct_layout_wrap(L0);
    for (int k = 1; k < count; ++k) r = ct_layout_concat(r, ct_layout_wrap(arg[k].as.layout));
    ct_give_layout(out, ct_checked(r, CT_OP_MAKE_LAYOUT));
}

CT_GIVES(run_rank, tuple, ct_int(ct_layout_rank(L0)))
CT_GIVES(run_depth, tuple, ct_int(ct_layout_depth(L0)))
CT_GIVES(run_size, int, ct_size(L0), L0.err)
CT_GIVES(run_cosize, int, ct_cosize(L0), ct_integer_error(L0, CT_OP_COSIZE))
CT_GIVES(run_complement, layout, ct_complement(L0, ct_arg_int(&arg[1])))

static void run_max_common_vector(const ct_value *arg, int count, ct_value *out)
{
    UNUSED;
    const ct_layout common = ct_max_common_layout(L0, arg[1].as.layout);
    ct_give_int(out, ct_max_common_vector(L0, arg[1].as.layout), common.err);
}

CT_GIVES(run_max_alignment, int, ct_max_alignment(L0), ct_integer_error(L0, CT_OP_ALIGNMENT))

/* Index or coordinate. */
CT_GIVES(run_at, tuple, ct_at(L0, arg[1].as.tuple))

/* Evaluation at an index that may exceed the size, as in a kernel. */
static void run_eval(const ct_value *arg, int count, ct_value *out)
{
    const ct_layout L = L0;
    const ct_tuple c = arg[1].as.tuple;
    if (!ct_is_integer(c) || c.basis[0] != CT_INTEGER || c.value[0] < ct_size(L) ||
        !ct_is_integral(L)) {
        run_at(arg, count, out);
        return;
    }
    int ok = 1;
    int64_t rest = c.value[0], offset = 0;
    const int n = L.profile.leaves;
    for (int i = 0; i < n; ++i) {
        const int64_t digit = i + 1 < n ? rest % L.shape[i] : rest;
        offset = ct_add(offset, ct_mul(digit, L.stride[i], &ok), &ok);
        rest /= L.shape[i];
    }
    ct_give_int(out, ok ? offset : CT_INVALID, ct_integer_error(L, CT_OP_CRD2IDX));
}

/* Expressions write the coordinate first, as CuTe does. */
CT_GIVES(run_slice, layout, ct_layout_slice(arg[1].as.layout, arg[0].as.tuple))
CT_GIVES(run_dice, layout, ct_layout_dice(arg[1].as.layout, arg[0].as.tuple))

#define OP CT_OPERATION
#define OWN CT_OPERATION_OWN

const ct_operation ct_operations_layout[] = {
    OWN("layout", "tt", run_layout, ct_make_layout, "the layout of a shape and a stride"),
    OWN("layout", "t", run_layout, ct_make_col_major, "the compact column-major layout of a shape"),
    OWN("make_layout", "tt", run_layout, ct_make_layout, "the layout of a shape and a stride"),
    OWN("make_layout", "t", run_layout, ct_make_col_major,
        "the compact column-major layout of a shape"),
    OWN("make_layout", "L+", run_make_layout, ct_layout_concat,
        "the layout whose modes are the given ones"),
    OP("make_col_major", "t", L_t, ct_make_col_major, "compact, first mode fastest"),
    OP("make_row_major", "t", L_t, ct_make_row_major, "compact, last mode fastest"),
    OP("make_ordered_layout", "tt", L_tt, ct_make_ordered_layout,
       "compact, modes in the order of keys"),
    OP("make_layout_like", "L", L_L, ct_make_layout_like,
       "compact, modes in the order of its strides"),
    OP("make_fragment_like", "L", L_L, ct_make_fragment_like,
       "compact as a register fragment: mode 0 fastest"),
    OP("make_identity_layout", "t", L_t, ct_make_identity_layout,
       "each coordinate to itself, by basis strides"),
    OP("shape", "L", t_L, ct_shape, "the shape"),
    OP("stride", "L", t_L, ct_stride, "the stride"),
    OWN("rank", "l", run_rank, ct_layout_rank, "the number of modes"),
    OWN("depth", "l", run_depth, ct_layout_depth, "how deep it nests"),
    OWN("size", "l", run_size, ct_size, "the number of coordinates"),
    OP("coshape", "L", t_L, ct_coshape,
       "the smallest shape of all that it reaches: of a coordinate layout, mode by mode"),
    OWN("cosize", "L", run_cosize, ct_cosize,
        "the number of offsets from the lowest to the highest"),
    OP("mode", "Lm", L_Lm, ct_mode, "one mode, counted from 0"),
    OP("get", "lm", L_Lm, ct_mode, "one mode, counted from 0"),
    OWN("at", "Lt", run_at, ct_at, "the offset of a coordinate or of an index"),
    OWN("eval", "Lt", run_eval, ct_eval,
        "the same; an index may go on past the size, along the last leaf"),
    OP("hier_coord", "Li", t_Li, ct_hier_coord, "the coordinate of an offset"),
    OWN("offsets", "L", ct_run_offsets, ct_at, "the offset of every index, in order"),
    OP("flatten", "l", L_L, ct_layout_flatten, "the leaves side by side"),
    OP("unflatten", "lt", L_Lt, ct_layout_unflatten, "flat leaves nested as a tuple is"),
    OP("group", "lmm", L_Lmm, ct_layout_group, "a range of modes made into one mode"),
    OP("append", "lL", L_LL, ct_layout_append, "one more mode after the last"),
    OP("prepend", "lL", L_LL, ct_layout_prepend, "one more mode before the first"),
    OP("replace", "lmL", L_LmL, ct_layout_replace, "one mode replaced by another"),
    OP("select", "lt", L_Lt, ct_layout_select, "the modes that a tuple names, in that order"),
    OP("reverse", "l", L_L, ct_layout_reverse, "the modes in reverse order"),
    OP("take", "lmm", L_Lmm, ct_layout_take, "the modes from the first up to, not with, the last"),
    OWN("slice", "tl", run_slice, ct_layout_slice, "the modes opposite the `_` of a coordinate"),
    OWN("dice", "tl", run_dice, ct_layout_dice, "the modes opposite the integers of a coordinate"),
    OP("coalesce", "L", L_L, ct_coalesce, "the same function with the fewest leaves"),
    OP("coalesce", "Lt", L_Lt, ct_coalesce_by, "the same, mode by mode of a profile"),
    OP("coalesce_z", "L", L_L, ct_coalesce_z, "coalesce that keeps the function past the size too"),
    OP("filter", "L", L_L, ct_filter, "without modes of stride 0 and of size 1"),
    OP("filter", "Lt", L_Lt, ct_filter_by, "the same, mode by mode of a profile"),
    OP("filter_zeros", "L", L_L, ct_filter_zeros, "modes of stride 0 with size 1"),
    OP("sort", "L", L_L, ct_sort, "the leaves in ascending order of their strides"),
    OP("squeeze", "L", L_L, ct_squeeze, "without modes of size 1"),
    OP("composition", "Ll", L_LL, ct_composition, "R(c) = A(B(c))"),
    OP("composition", "LT", L_LT, ct_composition_by, "the same, mode by mode of a tiler"),
    OWN("complement", "Li", run_complement, ct_complement,
        "what a layout leaves out, up to a size"),
    OP("complement", "Lt", L_Lt, ct_complement_shape,
       "the same, up to a shape; of a coordinate layout mode by mode"),
    OP("complement", "L", L_L, ct_complement_within, "the same, up to its cosize or coshape"),
    OP("right_inverse", "L", L_L, ct_right_inverse, "R with L(R(i)) = i"),
    OP("left_inverse", "L", L_L, ct_left_inverse, "R with R(L(i)) = i"),
    OP("nullspace", "L", L_L, ct_nullspace, "the indices that it maps to 0"),
    OP("max_common_layout", "LL", L_LL, ct_max_common_layout,
       "the largest layout contiguous in both"),
    OWN("max_common_vector", "LL", run_max_common_vector, ct_max_common_vector,
        "how many elements are contiguous in both"),
    OWN("max_alignment", "L", run_max_alignment, ct_max_alignment,
        "what every contiguous run is a multiple of"),
    OP("upcast", "Li", L_Li, ct_upcast, "in elements n times as large"),
    OP("downcast", "Li", L_Li, ct_downcast, "in elements a factor n smaller"),
    OP("recast", "Lii", L_Lii, ct_recast, "from elements of old bits to elements of new bits"),
    OP("layout_add", "LL", L_LL, ct_layout_add, "R(i) = A(i) + B(i)"),
    OP("greatest_common_domain", "tt", L_tt, ct_greatest_common_domain,
       "the indices that lie in one leaf of both shapes"),
    OP("domain_distribute", "ti", L_ti, ct_domain_distribute,
       "up to n places that tile a shape evenly"),
    {0},
};
