/**
 * The shared tables as binary records: an assertion of a .check file, with its operands already
 * read, that a kernel works out with the functions of the algebra and compares with what is
 * written.
 *
 * Not among the operations: those that need text (copy_atom by its name) and those whose results
 * are lists (offsets).
 */
#ifndef CUTLET_TESTS_ROWS_H
#define CUTLET_TESTS_ROWS_H

#include <cutlet/cutlet.h>
#include <cutlet/host/text.h>
#include "oracle.h"

enum { ROW_OPERANDS = 6 };

/** One row. Operands and result are numbers of values in a pool. */
typedef struct row_record {
    int32_t op; /* ROW_OP_... */
    int32_t operand[ROW_OPERANDS];
    int32_t want; /* what the file says: a value, or an error */
    int32_t line;
} row_record;

#define L(k) in[k]->as.layout
#define t(k) in[k]->as.tuple
#define T(k) in[k]->as.tiler
#define i(k) in[k]->as.tuple.value[0]
#define x(k) in[k]->as.tensor
#define s(k) in[k]->as.swizzle
#define a(k) in[k]->as.atom
#define k(n) in[n]->as.copy
#define m(k) row_mode(in[k]->as.tuple.value[0])

/** X(id, name in the files, kinds of its operands, kind of its result, the call): L layout,
 *  t tuple, i integer, T tiler, x tensor, s swizzle, a copy atom, k tiled
 *  copy. */
#define ROW_OPS(X) ROW_OPS_TUPLE(X) ROW_OPS_LAYOUT(X) ROW_OPS_TILES(X) ROW_OPS_COPY(X)

#define ROW_OPS_TUPLE(X)                                                                           \
    X(rank_t, "rank", "t", tuple, ct_int(ct_rank(t(0))))                                           \
    X(depth_t, "depth", "t", tuple, ct_int(ct_depth(t(0))))                                        \
    X(size_t, "size", "t", tuple, row_int(ct_product(t(0))))                                       \
    X(product, "product", "t", tuple, row_int(ct_product(t(0))))                                   \
    X(get, "get", "ti", tuple, ct_get(t(0), m(1)))                                                 \
    X(flatten_t, "flatten", "t", tuple, ct_flatten(t(0)))                                          \
    X(congruent, "congruent", "tt", bool, ct_congruent(t(0), t(1)))                                \
    X(weakly_congruent, "weakly_congruent", "tt", bool, ct_weakly_congruent(t(0), t(1)))           \
    X(compatible, "compatible", "tt", bool, ct_compatible(t(0), t(1)))                             \
    X(evenly_divides, "evenly_divides", "tt", bool, ct_evenly_divides(t(0), t(1)))                 \
    X(shape_div, "shape_div", "tt", tuple, ct_shape_div(t(0), t(1)))                               \
    X(ceil_div, "ceil_div", "tt", tuple, ct_ceil_div(t(0), t(1)))                                  \
    X(product_each, "product_each", "t", tuple, ct_product_each(t(0)))                             \
    X(product_like, "product_like", "tt", tuple, ct_product_like(t(0), t(1)))                      \
    X(common_refinement, "common_refinement", "tt", tuple, ct_common_refinement(t(0), t(1)))       \
    X(common_coarsening, "common_coarsening", "tt", tuple, ct_common_coarsening(t(0), t(1)))       \
    X(compact_col_major, "compact_col_major", "t", tuple, ct_compact_col_major(t(0)))              \
    X(compact_row_major, "compact_row_major", "t", tuple, ct_compact_row_major(t(0)))              \
    X(compact_order, "compact_order", "tt", tuple, ct_compact_order(t(0), t(1)))                   \
    X(crd2idx, "crd2idx", "tt", tuple, ct_crd2idx(t(0), t(1)))                                     \
    X(crd2idx_L, "crd2idx", "tL", tuple, ct_at(L(1), t(0)))                                        \
    X(crd2idx_tt, "crd2idx", "ttt", tuple, ct_at(ct_make_layout(t(1), t(2)), t(0)))                \
    X(idx2crd, "idx2crd", "it", tuple, ct_idx2crd(i(0), t(1)))                                     \
    X(crd2crd, "crd2crd", "ttt", tuple, ct_crd2crd(t(0), t(1), t(2)))

#define ROW_OPS_LAYOUT(X)                                                                          \
    X(rank, "rank", "L", tuple, ct_int(ct_layout_rank(L(0))))                                      \
    X(depth, "depth", "L", tuple, ct_int(ct_layout_depth(L(0))))                                   \
    X(size, "size", "L", tuple, row_int(ct_size(L(0))))                                            \
    X(cosize, "cosize", "L", tuple, row_int(ct_cosize(L(0))))                                      \
    X(at, "at", "Lt", tuple, ct_at(L(0), t(1)))                                                    \
    X(make_col_major, "make_col_major", "t", layout, ct_make_col_major(t(0)))                      \
    X(make_row_major, "make_row_major", "t", layout, ct_make_row_major(t(0)))                      \
    X(make_ordered_layout, "make_ordered_layout", "tt", layout,                                    \
      ct_make_ordered_layout(t(0), t(1)))                                                          \
    X(make_layout_like, "make_layout_like", "L", layout, ct_make_layout_like(L(0)))                \
    X(make_fragment_like, "make_fragment_like", "L", layout, ct_make_fragment_like(L(0)))          \
    X(coalesce, "coalesce", "L", layout, ct_coalesce(L(0)))                                        \
    X(coalesce_by, "coalesce", "Lt", layout, ct_coalesce_by(L(0), t(1)))                           \
    X(coalesce_z, "coalesce_z", "L", layout, ct_coalesce_z(L(0)))                                  \
    X(filter, "filter", "L", layout, ct_filter(L(0)))                                              \
    X(filter_by, "filter", "Lt", layout, ct_filter_by(L(0), t(1)))                                 \
    X(composition, "composition", "LL", layout, ct_composition(L(0), L(1)))                        \
    X(composition_by, "composition", "LT", layout, ct_composition_by(L(0), T(1)))                  \
    X(complement, "complement", "Li", layout, ct_complement(L(0), i(1)))                           \
    X(complement_all, "complement", "L", layout, ct_complement(L(0), ct_cosize(L(0))))             \
    X(right_inverse, "right_inverse", "L", layout, ct_right_inverse(L(0)))                         \
    X(left_inverse, "left_inverse", "L", layout, ct_left_inverse(L(0)))                            \
    X(nullspace, "nullspace", "L", layout, ct_nullspace(L(0)))                                     \
    X(max_common_layout, "max_common_layout", "LL", layout, ct_max_common_layout(L(0), L(1)))      \
    X(max_common_vector, "max_common_vector", "LL", tuple,                                         \
      row_int(ct_max_common_vector(L(0), L(1))))                                                   \
    X(max_alignment, "max_alignment", "L", tuple, row_int(ct_max_alignment(L(0))))                 \
    X(upcast, "upcast", "Li", layout, ct_upcast(L(0), i(1)))                                       \
    X(downcast, "downcast", "Li", layout, ct_downcast(L(0), i(1)))                                 \
    X(layout_add, "layout_add", "LL", layout, ct_layout_add(L(0), L(1)))                           \
    X(domain_distribute, "domain_distribute", "ti", layout, ct_domain_distribute(t(0), i(1)))

#define ROW_OPS_TILES(X)                                                                           \
    X(logical_divide, "logical_divide", "LL", layout, ct_logical_divide(L(0), L(1)))               \
    X(logical_divide_by, "logical_divide", "LT", layout, ct_logical_divide_by(L(0), T(1)))         \
    X(zipped_divide, "zipped_divide", "LL", layout, ct_zipped_divide(L(0), L(1)))                  \
    X(zipped_divide_by, "zipped_divide", "LT", layout, ct_zipped_divide_by(L(0), T(1)))            \
    X(tiled_divide, "tiled_divide", "LL", layout, ct_tiled_divide(L(0), L(1)))                     \
    X(tiled_divide_by, "tiled_divide", "LT", layout, ct_tiled_divide_by(L(0), T(1)))               \
    X(flat_divide, "flat_divide", "LL", layout, ct_flat_divide(L(0), L(1)))                        \
    X(flat_divide_by, "flat_divide", "LT", layout, ct_flat_divide_by(L(0), T(1)))                  \
    X(logical_product, "logical_product", "LL", layout, ct_logical_product(L(0), L(1)))            \
    X(logical_product_by, "logical_product", "LT", layout, ct_logical_product_by(L(0), T(1)))      \
    X(zipped_product, "zipped_product", "LL", layout, ct_zipped_product(L(0), L(1)))               \
    X(zipped_product_by, "zipped_product", "LT", layout, ct_zipped_product_by(L(0), T(1)))         \
    X(tiled_product, "tiled_product", "LL", layout, ct_tiled_product(L(0), L(1)))                  \
    X(tiled_product_by, "tiled_product", "LT", layout, ct_tiled_product_by(L(0), T(1)))            \
    X(flat_product, "flat_product", "LL", layout, ct_flat_product(L(0), L(1)))                     \
    X(flat_product_by, "flat_product", "LT", layout, ct_flat_product_by(L(0), T(1)))               \
    X(blocked_product, "blocked_product", "LL", layout, ct_blocked_product(L(0), L(1)))            \
    X(raked_product, "raked_product", "LL", layout, ct_raked_product(L(0), L(1)))                  \
    X(local_tile, "local_tile", "xTt", tensor, ct_local_tile(x(0), T(1), t(2)))                    \
    X(local_partition, "local_partition", "xLi", tensor, ct_local_partition(x(0), L(1), i(2)))     \
    X(slice_and_offset, "slice_and_offset", "tx", tensor, ct_tensor_slice(x(1), t(0)))             \
    X(tensor_slice, "slice", "tx", tensor, ct_tensor_slice(x(1), t(0)))                            \
    X(tensor_coalesce, "coalesce", "x", tensor, ct_tensor_coalesce(x(0)))                          \
    X(inner_partition, "inner_partition", "xTt", tensor, ct_inner_partition(x(0), T(1), t(2)))     \
    X(outer_partition, "outer_partition", "xTt", tensor, ct_outer_partition(x(0), T(1), t(2)))     \
    X(tensor_composition_by, "composition", "xT", tensor, ct_tensor_composition_by(x(0), T(1)))    \
    X(tensor_logical, "logical_divide", "xL", tensor, ct_tensor_logical_divide(x(0), L(1)))        \
    X(tensor_tiled, "tiled_divide", "xT", tensor, ct_tensor_tiled_divide_by(x(0), T(1)))           \
    X(tensor_flat, "flat_divide", "xT", tensor, ct_tensor_flat_divide_by(x(0), T(1)))              \
    X(tensor_common_layout, "max_common_layout", "xx", layout,                                     \
      ct_tensor_max_common_layout(x(0), x(1)))                                                     \
    X(tensor_eval, "eval", "xi", tuple, ct_int(ct_tensor_eval(x(0), i(1))))                        \
    X(tensor_composition, "composition", "xL", tensor, ct_tensor_composition(x(0), L(1)))          \
    X(tensor_divide, "zipped_divide", "xT", tensor, ct_tensor_zipped_divide_by(x(0), T(1)))        \
    X(tensor_common, "max_common_vector", "xx", tuple,                                             \
      row_int(ct_tensor_max_common_vector(x(0), x(1))))                                            \
    X(tensor_alignment, "max_alignment", "x", tuple, row_int(ct_tensor_max_alignment(x(0))))       \
    X(tensor_upcast, "upcast", "xi", tensor, ct_tensor_upcast(x(0), i(1)))                         \
    X(tensor_downcast, "downcast", "xi", tensor, ct_tensor_downcast(x(0), i(1)))                   \
    X(tensor_recast, "recast", "xii", tensor, ct_tensor_recast(x(0), i(1), i(2)))                  \
    X(tensor_at, "at", "xt", tuple, ct_tensor_at(x(0), t(1)))                                      \
    X(tensor_cosize, "cosize", "x", tuple, ct_tensor_cosize(x(0)))                                 \
    X(swizzle_at, "at", "si", tuple, ct_int(ct_swizzle_apply(s(0), i(1))))                         \
    X(make_swizzled, "composition", "sL", tensor, ct_make_swizzled(s(0), 0, L(1)))

#define ROW_OPS_COPY(X)                                                                            \
    X(tiled_copy, "tiled_copy", "aLL", copy, ct_make_tiled_copy(a(0), L(1), L(2)))                 \
    X(make_tiled_copy, "make_tiled_copy", "aLL", copy, ct_make_tiled_copy(a(0), L(1), L(2)))       \
    X(make_cotiled_copy, "make_cotiled_copy", "aLL", copy, ct_make_cotiled_copy(a(0), L(1), L(2))) \
    X(atom_src, "atom_src", "a", layout, a(0).src_tv)                                              \
    X(atom_dst, "atom_dst", "a", layout, a(0).dst_tv)                                              \
    X(tv_layout, "tv_layout", "k", layout, k(0).tv)                                                \
    X(tv_layout_src, "tv_layout_src", "k", layout, ct_tiled_copy_tv(k(0), k(0).atom.src_tv))       \
    X(tv_layout_dst, "tv_layout_dst", "k", layout, ct_tiled_copy_tv(k(0), k(0).atom.dst_tv))       \
    X(tiler, "tiler", "k", tuple, ct_tiled_copy_shape(k(0)))                                       \
    X(threads, "size", "k", tuple, row_int(ct_tiled_copy_threads(k(0))))                           \
    X(partition_src, "partition_src", "kxi", tensor, ct_partition_src(k(0), x(1), i(2)))           \
    X(partition_dst, "partition_dst", "kxi", tensor, ct_partition_dst(k(0), x(1), i(2)))           \
    X(retile, "retile", "kL", layout, ct_retile(k(0), L(1)))                                       \
    X(copy_width, "copy_width", "LLiiii", tuple,                                                   \
      row_int(ct_copy_width(L(0), L(1), i(2), i(3), (uint64_t)i(4), (uint64_t)i(5)).bytes))

#define ROW_OP_NUMBER(id, name, takes, gives, call) ROW_OP_##id,
enum { ROW_OPS(ROW_OP_NUMBER) ROW_OP_COUNT };

/** An integer as a tuple; one that is no integer is an error. */
LAW_FN ct_tuple row_int(int64_t v)
{
    ct_tuple r = ct_int(v);
    if (v == CT_INVALID) r.err.status = CT_E_OVERFLOW;
    return r;
}

/** A mode number; one that no mode has stays one that no mode has. */
LAW_FN int row_mode(int64_t v) { return v < 0 || v > CT_MAX_LEAVES ? -1 : (int)v; }

/* Whether a result is what the row says. Where the row says error, any will do: its text says no
 * more. */
LAW_FN int row_same_tuple(ct_tuple got, const ct_value *want)
{
    if (got.err.status || want->kind == CT_KIND_ERROR)
        return got.err.status && want->kind == CT_KIND_ERROR;
    return want->kind == CT_KIND_TUPLE && ct_tuple_equal(got, want->as.tuple);
}

LAW_FN int row_same_bool(int got, const ct_value *want)
{
    return want->kind == CT_KIND_BOOL && !got == !want->as.boolean;
}

LAW_FN int row_same_layout(ct_layout got, const ct_value *want)
{
    if (got.err.status || want->kind == CT_KIND_ERROR)
        return got.err.status && want->kind == CT_KIND_ERROR;
    return want->kind == CT_KIND_LAYOUT && ct_layout_equal(got, want->as.layout);
}

LAW_FN int row_same_tensor(ct_tensor got, const ct_value *want)
{
    if (got.layout.err.status || want->kind == CT_KIND_ERROR)
        return got.layout.err.status && want->kind == CT_KIND_ERROR;
    const ct_swizzle s = want->as.tensor.swizzle;
    return want->kind == CT_KIND_TENSOR && got.swizzle.bits == s.bits &&
           got.swizzle.base == s.base && got.swizzle.shift == s.shift &&
           ct_tuple_equal(got.offset, want->as.tensor.offset) &&
           ct_layout_equal(got.layout, want->as.tensor.layout);
}

LAW_FN int row_same_copy(ct_tiled_copy got, const ct_value *want)
{
    const int failed = got.atom.err.status || got.tv.err.status || got.tiler.tiles.err.status;
    if (failed || want->kind == CT_KIND_ERROR) return failed && want->kind == CT_KIND_ERROR;
    const ct_tiled_copy *const w = &want->as.copy;
    return want->kind == CT_KIND_TILED_COPY && ct_layout_equal(got.tv, w->tv) &&
           ct_layout_equal(got.tiler.tiles, w->tiler.tiles) &&
           ct_layout_equal(got.atom.ref_tv, w->atom.ref_tv);
}

/* A function for each operation: one function with all of them takes a compiler minutes. */
#define ROW_OP_FUNCTION(id, name, takes, gives, call)                                              \
    LAW_FN int row_op_##id(const ct_value *const *in, const ct_value *want)                        \
    {                                                                                              \
        return row_same_##gives(call, want);                                                       \
    }
ROW_OPS(ROW_OP_FUNCTION)

/** Works a row out: 1 when it gives what the row says, else 0. */
LAW_FN int row_holds(const row_record *row, const ct_value *pool)
{
    const ct_value *in[ROW_OPERANDS] = CT_ZERO;
    for (int n = 0; n < ROW_OPERANDS; ++n)
        if (row->operand[n] >= 0) in[n] = pool + row->operand[n];
#define ROW_OP_CALL(id, name, takes, gives, call)                                                  \
    case ROW_OP_##id: return row_op_##id(in, pool + row->want);
    switch (row->op) {
        ROW_OPS(ROW_OP_CALL)
        default: return 0;
    }
}

#undef L
#undef t
#undef T
#undef i
#undef x
#undef s
#undef a
#undef k
#undef m

#endif
