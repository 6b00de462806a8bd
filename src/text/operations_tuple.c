/* Operations whose first operand is a tuple. */
#include <cutlet/algebra/combine.h>
#include <cutlet/algebra/coord.h>
#include <cutlet/algebra/distribute.h>
#include <cutlet/algebra/make.h>
#include <cutlet/algebra/shape_product.h>
#include <cutlet/algebra/tuple_ops.h>
#include <cutlet/algebra/tuple_order.h>
#include "operations.h"

static ct_error overflow(void)
{
    return ct_make_error(CT_E_OVERFLOW, CT_OP_TUPLE, CT_WHY_OVERFLOW, 0, 0, 0);
}

CT_GIVES(run_rank, tuple, ct_int(ct_rank(arg[0].as.tuple)))
CT_GIVES(run_depth, tuple, ct_int(ct_depth(arg[0].as.tuple)))

static void run_size(const ct_value *arg, int count, ct_value *out)
{
    (void)count;
    const ct_tuple t = arg[0].as.tuple;
    ct_error e = overflow();
    for (int i = 0; i < t.profile.leaves; ++i) {
        if (t.basis[i] != CT_INTEGER && e.status == CT_E_OVERFLOW)
            e = ct_make_error(CT_E_ARGUMENT, CT_OP_TUPLE, CT_WHY_NOT_INTEGER, i, 0, 0);
    }
    ct_give_int(out, ct_product(t), e);
}

CT_GIVES(run_prefix_product, tuple, ct_prefix_product(arg[0].as.tuple, ct_int(1)))
CT_GIVES(run_suffix_product, tuple, ct_suffix_product(arg[0].as.tuple, ct_int(1)))
CT_GIVES(run_crd2idx, tuple, ct_at(arg[1].as.layout, arg[0].as.tuple))
CT_GIVES(run_crd2idx_stride, tuple,
         ct_at(ct_make_layout(arg[1].as.tuple, arg[2].as.tuple), arg[0].as.tuple))

/* The step along a mode of a mode ..: E(0,1) is 1@1@0. */
static void run_basis(const ct_value *arg, int count, ct_value *out)
{
    ct_tuple t = ct_int(1);
    for (int k = 0; k < count; ++k) {
        const int64_t mode = ct_arg_int(&arg[k]);
        const ct_tuple one = ct_basis(1, (int)ct_max(-1, ct_min(mode, CT_MAX_BASIS)));
        if (t.err.status == CT_OK) t.err = one.err;
        if (t.err.status == CT_OK && k < CT_MAX_DEPTH) t.basis[0] |= one.basis[0] << (8 * k);
    }
    if (t.err.status == CT_OK && count > CT_MAX_DEPTH)
        t.err = ct_make_error(CT_E_CAPACITY, CT_OP_TUPLE, CT_WHY_DEPTH, 0, count, CT_MAX_DEPTH);
    ct_give_tuple(out, t);
}

/* Expressions write the coordinate first, as CuTe does. */
CT_GIVES(run_slice, tuple, ct_slice(arg[1].as.tuple, arg[0].as.tuple))
CT_GIVES(run_dice, tuple, ct_dice(arg[1].as.tuple, arg[0].as.tuple))

#define OP CT_OPERATION
#define OWN CT_OPERATION_OWN

const ct_operation ct_operations_tuple[] = {
    OWN("rank", "t", run_rank, ct_tuple_rank, "the number of modes"),
    OWN("depth", "t", run_depth, ct_depth, "how deep it nests; 0 for an integer"),
    OWN("size", "t", run_size, ct_product, "the product of all leaves"),
    OWN("product", "t", run_size, ct_product, "the product of all leaves"),
    OP("is_integer", "t", b_t, ct_is_integer, "whether it is a single leaf and no tuple"),
    OP("get", "tm", t_tm, ct_get, "one mode, counted from 0"),
    OP("take", "tmm", t_tmm, ct_take, "the modes from the first up to, not with, the last"),
    OP("select", "tt", t_tt, ct_select, "the modes that a tuple names, in that order"),
    OP("reverse", "t", t_t, ct_reverse, "the modes in reverse order"),
    OP("flatten", "t", t_t, ct_flatten, "the leaves side by side"),
    OWN("E", "i+", run_basis, ct_basis,
        "a basis element: E(0,1) is 1@1@0, a step along mode 1 of mode 0"),
    OP("basis_like", "t", t_t, ct_basis_like, "the unit basis elements of the leaves"),
    OP("unflatten", "tt", t_tt, ct_unflatten, "flat leaves nested as another tuple is"),
    OP("group", "tmm", t_tmm, ct_group, "a range of modes made into one mode"),
    OP("concat", "tt", t_tt, ct_concat, "the modes of both in one tuple"),
    OP("append", "tt", t_tt, ct_append, "one more mode after the last"),
    OP("prepend", "tt", t_tt, ct_prepend, "one more mode before the first"),
    OP("replace", "tmt", t_tmt, ct_replace, "one mode replaced by another"),
    OWN("slice", "tt", run_slice, ct_slice, "the modes opposite the `_` of a coordinate"),
    OWN("dice", "tt", run_dice, ct_dice, "the modes opposite the integers of a coordinate"),
    OP("congruent", "tt", b_tt, ct_congruent, "whether both nest alike"),
    OP("weakly_congruent", "tt", b_tt, ct_weakly_congruent,
       "whether the second nests as the first or deeper"),
    OP("compatible", "tt", b_tt, ct_compatible,
       "whether coordinates of the first are coordinates of the second"),
    OP("evenly_divides", "tt", b_tt, ct_evenly_divides,
       "whether a tile shape divides a shape without a rest"),
    OP("elem_less", "tt", b_tt, ct_elem_less,
       "whether each integer is less than the one in its place"),
    OP("elem_leq", "tt", b_tt, ct_elem_leq, "whether each integer is at most the one in its place"),
    OP("elem_gtr", "tt", b_tt, ct_elem_gtr,
       "whether each integer is greater than the one in its place"),
    OP("elem_geq", "tt", b_tt, ct_elem_geq,
       "whether each integer is at least the one in its place"),
    OP("lex_less", "tt", b_tt, ct_lex_less,
       "whether the first comes before the second, by the first mode that differs"),
    OP("lex_leq", "tt", b_tt, ct_lex_leq, "the same, or both are equal"),
    OP("lex_gtr", "tt", b_tt, ct_lex_gtr,
       "whether the first comes after the second, by the first mode that differs"),
    OP("lex_geq", "tt", b_tt, ct_lex_geq, "the same, or both are equal"),
    OP("colex_less", "tt", b_tt, ct_colex_less,
       "whether the first comes before the second, by the last mode that differs"),
    OP("colex_leq", "tt", b_tt, ct_colex_leq, "the same, or both are equal"),
    OP("colex_gtr", "tt", b_tt, ct_colex_gtr,
       "whether the first comes after the second, by the last mode that differs"),
    OP("colex_geq", "tt", b_tt, ct_colex_geq, "the same, or both are equal"),
    OP("shape_div", "tt", t_tt, ct_shape_div,
       "the quotient of two shapes, where one divides the other"),
    OP("ceil_div", "tt", t_tt, ct_ceil_div, "the quotient of two shapes, rounded up"),
    OP("product_each", "t", t_t, ct_product_each, "each mode as its product"),
    OP("product_like", "tt", t_tt, ct_product_like, "the product opposite each integer of a guide"),
    OWN("prefix_product", "t", run_prefix_product, ct_prefix_product,
        "for each integer the product of those before it"),
    OP("prefix_product", "tt", t_tt, ct_prefix_product, "the same, times an integer for each mode"),
    OWN("suffix_product", "t", run_suffix_product, ct_suffix_product,
        "for each integer the product of those after it"),
    OP("suffix_product", "tt", t_tt, ct_suffix_product, "the same, times an integer for each mode"),
    OP("common_refinement", "tt", t_tt, ct_common_refinement,
       "the smallest shape that refines both"),
    OP("common_coarsening", "tt", t_tt, ct_common_coarsening,
       "the largest shape that coarsens both"),
    OP("compact_col_major", "t", t_t, ct_compact_col_major, "compact strides, first mode fastest"),
    OP("compact_row_major", "t", t_t, ct_compact_row_major, "compact strides, last mode fastest"),
    OP("compact_order", "tt", t_tt, ct_compact_order,
       "compact strides, modes in the order of keys"),
    OP("crd2idx", "tt", t_tt, ct_crd2idx, "the index of a coordinate in a shape"),
    OWN("crd2idx", "tl", run_crd2idx, ct_at, "the offset of a coordinate in a layout"),
    OWN("crd2idx", "ttt", run_crd2idx_stride, ct_at,
        "the offset of a coordinate for a shape and a stride"),
    OP("idx2crd", "it", t_it, ct_idx2crd, "the coordinate of an index in a shape"),
    OP("crd2crd", "ttt", t_ttt, ct_crd2crd, "a coordinate of one shape as one of another"),
    {0},
};
