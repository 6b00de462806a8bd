/**
 * Tensor maps: the descriptor of a TMA tile copy, built from the layout of the tensor.
 *
 *     ct_tma_desc d = ct_make_tma_desc(layout, box, CT_ELEM_F16, CT_TMA_SWIZZLE_128B, address);
 *     d.l2 = CT_TMA_L2_256;
 *     d = ct_tma_check(d); // after a change: d.rule is the broken rule, if any
 *
 * The first dimension of a descriptor is the contiguous one; the others keep the order of the
 * layout's modes. ct_tma_coords maps the tensor's coordinates to the descriptor's.
 *
 * Fails:    a descriptor that breaks a rule has it in .rule and its numbers in .err; host/tma.h
 *           says it in words. What is made of it has the same error, or is CT_INVALID.
 * Cost:     O(leaves), no allocation, host and device.
 * In C:     ct_tma_desc d = ct_make_tma_desc(ct_layout2(4096, 4096, 4096, 1), ct_tuple2(128, 32),
 *                                            CT_ELEM_F16, CT_TMA_SWIZZLE_64B, 0x10000);
 *           assert(d.rule == CT_TMA_OK && d.mode[0] == 1); // dimension 0 is n
 *           d.l2 = CT_TMA_L2_256;
 *           d = ct_tma_check(d);
 *           assert(ct_tma_bytes(&d) == 128 * 32 * 2);
 *           assert(ct_tma_shared_bytes(&d) == ct_tma_bytes(&d)); // rows of 64 bytes, the span
 *           assert(ct_tma_row_bytes(&d) == 64);
 *           const ct_layout coords = ct_tma_coords(&d); // (4096,4096):(1@1,1@0)
 *           assert(ct_tuple_equal(ct_at(coords, ct_tuple2(5, 7)), ct_tuple2(7, 5)));
 *           const ct_tensor tile = ct_tma_shared(&d); // Sw<2,3,3> o 0 o (128,32):(32,1)
 *           assert(tile.swizzle.base == 3 && ct_eval2(tile.layout, 1, 0) == 32);
 *           d.box[1] = 257;
 *           d = ct_tma_check(d);
 *           assert(d.rule == CT_TMA_RULE_BOX && d.err.mode == 1 && d.err.n[0] == 257);
 *           assert(ct_tma_bytes(&d) == CT_INVALID);
 * Source:   NVIDIA, CUDA Driver API 13.0, cuTensorMapEncodeTiled; PTX ISA 9.0, tensors.
 */
#ifndef CUTLET_COPY_TMA_H
#define CUTLET_COPY_TMA_H

#include <cutlet/algebra/coalesce.h>
#include <cutlet/algebra/tensor.h>
#include <cutlet/copy/tma_modes.h>

/** The most dimensions of a descriptor. */
#define CT_TMA_RANK 5

/** The most bytes of a tile: the shared memory of a processor, 228 KiB. The driver refuses more. */
#define CT_TMA_TILE_BYTES 233472

/** The map that the driver writes and the copy engine reads, a part of a kernel's argument. */
typedef struct ct_tma_map {
#if defined(__cplusplus)
    alignas(64) uint64_t opaque[16];
#else
    _Alignas(64) uint64_t opaque[16];
#endif
} ct_tma_map;

/** Interleaved channels, of which only CT_TMA_INTERLEAVE_NONE is supported; what L2 fetches at
 *  once, and what elements outside the tensor read as. */
enum { CT_TMA_INTERLEAVE_NONE = 0, CT_TMA_INTERLEAVE_16B, CT_TMA_INTERLEAVE_32B };
enum { CT_TMA_L2_NONE = 0, CT_TMA_L2_64, CT_TMA_L2_128, CT_TMA_L2_256 };
enum { CT_TMA_FILL_ZERO = 0, CT_TMA_FILL_NAN };

/** The rules of a descriptor. Letters are of err: m = mode, a b = n[0] n[1]. m is a dimension of
 * the descriptor or a mode of the layout, as the rule says. */
enum {
    CT_TMA_OK = 0,
    CT_TMA_RULE_RANK,            /* a dimensions; there are 1 to 5 */
    CT_TMA_RULE_ELEM,            /* no element type a */
    CT_TMA_RULE_SWIZZLE,         /* no swizzle mode a */
    CT_TMA_RULE_INTERLEAVE,      /* interleave mode a, which is not supported */
    CT_TMA_RULE_L2,              /* no L2 promotion a */
    CT_TMA_RULE_FILL,            /* no fill a, or NaN for elements that are integers */
    CT_TMA_RULE_LAYOUT,          /* err is that of the layout, or of the box */
    CT_TMA_RULE_INTEGER,         /* a stride of mode m is not an integer */
    CT_TMA_RULE_MODE,            /* mode m has no single stride */
    CT_TMA_RULE_UNIT,            /* no mode has stride 1 */
    CT_TMA_RULE_BOX_RANK,        /* the box has a modes, the layout b */
    CT_TMA_RULE_ADDRESS,         /* address a is not a multiple of 16 */
    CT_TMA_RULE_EXTENT,          /* dimension m: extent a is not 1 to 2^32 */
    CT_TMA_RULE_STRIDE_NEGATIVE, /* dimension m: stride a bytes is negative */
    CT_TMA_RULE_STRIDE_MULTIPLE, /* dimension m: stride a bytes is not a multiple of 16 */
    CT_TMA_RULE_STRIDE_LARGE,    /* dimension m: stride a bytes is not below 2^40 */
    CT_TMA_RULE_BOX,             /* dimension m: box a is not 1 to 256 */
    CT_TMA_RULE_BOX_MULTIPLE,    /* a inner bytes of the box are not a multiple of 16 */
    CT_TMA_RULE_BOX_SWIZZLE,     /* a inner bytes of the box exceed the b of the swizzle */
    CT_TMA_RULE_STEP,            /* dimension m: element stride a is not 1 to 8 */
    CT_TMA_RULE_TILE             /* a tile of a bytes exceeds the b of shared memory */
};

/** What a descriptor says. Entries from rank on are 1. */
typedef struct ct_tma_desc {
    ct_error err;
    int32_t rule; /* CT_TMA_OK, or the rule that it breaks */
    int32_t rank;
    int32_t elem, swizzle, interleave, l2, fill;
    uint64_t address;
    int64_t extent[CT_TMA_RANK]; /* elements */
    int64_t stride[CT_TMA_RANK]; /* bytes; stride[0] is the size of an element */
    int64_t box[CT_TMA_RANK];    /* elements */
    int64_t step[CT_TMA_RANK];   /* 1 of this many elements of the box is copied; not step[0] */
    int32_t mode[CT_TMA_RANK];   /* of the layout, that the dimension is */
} ct_tma_desc;

/** @internal d, breaking a rule. */
CT_FN ct_tma_desc ct_tma_break(ct_tma_desc d, int32_t rule, int32_t m, int64_t a, int64_t b)
{
    d.rule = rule;
    d.err = ct_make_error(CT_E_ARGUMENT, CT_OP_NONE, CT_WHY_NONE, m, a, b);
    return d;
}

/** @internal The rules of the modes alone. */
CT_FN ct_tma_desc ct_tma_check_modes(ct_tma_desc d)
{
    if (d.rank < 1 || d.rank > CT_TMA_RANK) return ct_tma_break(d, CT_TMA_RULE_RANK, 0, d.rank, 0);
    if (ct_elem_bytes(d.elem) == 0) return ct_tma_break(d, CT_TMA_RULE_ELEM, 0, d.elem, 0);
    if (d.swizzle < 0 || d.swizzle >= CT_TMA_SWIZZLE_COUNT)
        return ct_tma_break(d, CT_TMA_RULE_SWIZZLE, 0, d.swizzle, 0);
    if (d.interleave != CT_TMA_INTERLEAVE_NONE)
        return ct_tma_break(d, CT_TMA_RULE_INTERLEAVE, 0, d.interleave, 0);
    if (d.l2 < 0 || d.l2 > CT_TMA_L2_256) return ct_tma_break(d, CT_TMA_RULE_L2, 0, d.l2, 0);
    if (d.fill != CT_TMA_FILL_ZERO && (d.fill != CT_TMA_FILL_NAN || !ct_elem_is_float(d.elem)))
        return ct_tma_break(d, CT_TMA_RULE_FILL, 0, d.fill, 0);
    return d;
}

/** @internal The rules of one dimension. */
CT_FN ct_tma_desc ct_tma_check_dimension(ct_tma_desc d, int32_t i)
{
    const int64_t stride = d.stride[i];
    if (d.extent[i] < 1 || d.extent[i] > CT_CAST(int64_t, 1) << 32)
        return ct_tma_break(d, CT_TMA_RULE_EXTENT, i, d.extent[i], 0);
    if (i > 0 && stride < 0) return ct_tma_break(d, CT_TMA_RULE_STRIDE_NEGATIVE, i, stride, 0);
    if (i > 0 && stride % 16 != 0)
        return ct_tma_break(d, CT_TMA_RULE_STRIDE_MULTIPLE, i, stride, 0);
    if (i > 0 && stride >= CT_CAST(int64_t, 1) << 40)
        return ct_tma_break(d, CT_TMA_RULE_STRIDE_LARGE, i, stride, 0);
    if (d.box[i] < 1 || d.box[i] > 256) return ct_tma_break(d, CT_TMA_RULE_BOX, i, d.box[i], 0);
    if (d.step[i] < 1 || d.step[i] > 8) return ct_tma_break(d, CT_TMA_RULE_STEP, i, d.step[i], 0);
    return d;
}

/** @internal The elements of a tile along dimension i. */
CT_FN int64_t ct_tma_tile(const ct_tma_desc *d, int32_t i)
{
    return i == 0 ? d->box[i] : ct_ceil_div_int(d->box[i], d->step[i]);
}

/** The bytes of a tile, which its mbarrier has to expect, even at an edge. CT_INVALID when d is not
 *  legal. */
CT_FN int64_t ct_tma_bytes(const ct_tma_desc *d)
{
    if (d->rule != CT_TMA_OK) return CT_INVALID;
    int64_t bytes = ct_elem_bytes(d->elem);
    for (int32_t i = 0; i < CT_TMA_RANK; ++i) bytes *= i < d->rank ? ct_tma_tile(d, i) : 1;
    return bytes;
}

/**
 * d with the first rule that it breaks in d.rule, CT_TMA_OK where it is legal; its numbers in
 * d.err. A rule that the layout already broke stays.
 */
CT_FN ct_tma_desc ct_tma_check(ct_tma_desc d)
{
    if (d.rule != CT_TMA_OK && d.rank == 0) return d; /* never was a descriptor */
    const ct_error none = CT_ZERO;
    d.rule = CT_TMA_OK;
    d.err = none;
    d = ct_tma_check_modes(d);
    if (d.rule != CT_TMA_OK) return d;
    if (d.address % 16 != 0)
        return ct_tma_break(d, CT_TMA_RULE_ADDRESS, 0, CT_CAST(int64_t, d.address), 0);
    for (int32_t i = 0; i < CT_TMA_RANK; ++i) {
        if (i < d.rank && d.rule == CT_TMA_OK) d = ct_tma_check_dimension(d, i);
    }
    const int64_t inner = d.box[0] * d.stride[0], span = ct_tma_span(d.swizzle);
    if (d.rule != CT_TMA_OK) return d;
    if (inner % 16 != 0) return ct_tma_break(d, CT_TMA_RULE_BOX_MULTIPLE, 0, inner, 0);
    if (span > 0 && inner > span) return ct_tma_break(d, CT_TMA_RULE_BOX_SWIZZLE, 0, inner, span);
    const int64_t tile = ct_tma_bytes(&d);
    if (tile > CT_TMA_TILE_BYTES)
        return ct_tma_break(d, CT_TMA_RULE_TILE, 0, tile, CT_TMA_TILE_BYTES);
    return d;
}

/** @internal Why a layout and a box make no descriptor: rank stays 0. */
CT_FN ct_tma_desc ct_tma_refuse(int32_t rule, int32_t m, int64_t a, int64_t b)
{
    const ct_tma_desc d = CT_ZERO;
    return ct_tma_break(d, rule, m, a, b);
}

/** @internal Dimension i of d is this mode of one leaf. The stride of a mode of extent 1 is never
 * used, so it is replaced by a legal one. */
CT_FN ct_tma_desc ct_tma_set(ct_tma_desc d, int32_t i, int32_t mode, ct_layout leaf, int64_t box)
{
    const int64_t bytes = ct_elem_bytes(d.elem);
    int ok = 1;
    d.mode[i] = mode;
    d.extent[i] = leaf.shape[0];
    d.stride[i] = i == 0 ? bytes : leaf.shape[0] == 1 ? 16 : ct_mul(leaf.stride[0], bytes, &ok);
    d.box[i] = box;
    if (!ok) d.stride[i] = INT64_MAX - 15; /* a multiple of 16, and too large */
    return d;
}

/** @internal The contiguous mode: one of stride 1, preferably of more than one element, else a mode
 * of a single element with another stride. -1: no mode is contiguous. */
CT_FN int32_t ct_tma_unit_mode(ct_layout L)
{
    int32_t found = -1;
    for (int32_t pass = 0; pass < 3; ++pass) {
        for (int32_t k = 0; k < CT_TMA_RANK; ++k) {
            if (k >= ct_layout_rank(L) || found >= 0) continue;
            const ct_layout mode = ct_mode(L, k), leaf = ct_coalesce(mode);
            if (leaf.profile.leaves != 1) continue;
            const int unit = leaf.shape[0] > 1 ? leaf.stride[0] == 1 : mode.stride[0] == 1;
            if (pass == 0 ? unit && leaf.shape[0] > 1 : pass == 1 ? unit : leaf.shape[0] == 1)
                found = k;
        }
    }
    return found;
}

/**
 * The descriptor of tiles `box` of a tensor of this layout, whose first element is at address.
 * The box has an integer for each mode of the layout.
 *
 * Ensures:  d.rule is CT_TMA_OK, or the rule that it breaks with its numbers in d.err.
 */
CT_FN ct_tma_desc ct_make_tma_desc(ct_layout tensor, ct_tuple box, int32_t elem, int32_t swizzle,
                                   uint64_t address)
{
    ct_tma_desc d = CT_ZERO;
    if (tensor.err.status || box.err.status) {
        d.rule = CT_TMA_RULE_LAYOUT;
        d.err = tensor.err.status ? tensor.err : box.err;
        return d;
    }
    const int32_t rank = ct_layout_rank(tensor);
    if (rank < 1 || rank > CT_TMA_RANK) return ct_tma_refuse(CT_TMA_RULE_RANK, 0, rank, 0);
    if (box.profile.leaves != rank || ct_profile_rank(box.profile) != rank)
        return ct_tma_refuse(CT_TMA_RULE_BOX_RANK, 0, ct_profile_rank(box.profile), rank);
    if (ct_elem_bytes(elem) == 0) return ct_tma_refuse(CT_TMA_RULE_ELEM, 0, elem, 0);
    const int32_t unit = ct_tma_unit_mode(tensor);
    d.elem = elem;
    d.swizzle = swizzle;
    d.address = address;
    int32_t next = 1;
    for (int32_t i = 0; i < CT_TMA_RANK; ++i) {
        d.extent[i] = d.stride[i] = d.box[i] = d.step[i] = 1;
    }
    for (int32_t k = 0; k < CT_TMA_RANK; ++k) {
        if (k >= rank) continue;
        const ct_layout mode = ct_mode(tensor, k);
        if (!ct_is_integral(mode)) return ct_tma_refuse(CT_TMA_RULE_INTEGER, k, 0, 0);
        const ct_layout leaf = ct_coalesce(mode);
        if (leaf.profile.leaves != 1) return ct_tma_refuse(CT_TMA_RULE_MODE, k, 0, 0);
        if (unit < 0) continue;
        d = ct_tma_set(d, k == unit ? 0 : next, k, leaf, box.value[k]);
        if (k != unit) ++next;
    }
    if (unit < 0) return ct_tma_refuse(CT_TMA_RULE_UNIT, 0, 0, 0);
    d.rank = rank;
    return ct_tma_check(d);
}

/** The layout's modes in coordinates of the descriptor: (m,n):(1@1,1@0) for a row-major matrix. */
CT_FN ct_layout ct_tma_coords(const ct_tma_desc *d)
{
    if (d->rule != CT_TMA_OK) return ct_layout_fail(d->err);
    ct_layout L = CT_ZERO;
    L.profile = ct_profile_flat(d->rank);
    for (int32_t i = 0; i < CT_TMA_RANK; ++i) {
        if (i >= d->rank) continue;
        L.shape[d->mode[i]] = d->extent[i];
        L.stride[d->mode[i]] = 1;
        L.basis[d->mode[i]] = CT_CAST(uint32_t, i + 1);
    }
    return L;
}

/** The distance between the rows of a tile in shared memory, in bytes: the span of the swizzle,
 * even for shorter rows. CT_INVALID when d is not legal. */
CT_FN int64_t ct_tma_row_bytes(const ct_tma_desc *d)
{
    if (d->rule != CT_TMA_OK) return CT_INVALID;
    return ct_max(ct_tma_tile(d, 0) * d->stride[0], ct_tma_span(d->swizzle));
}

/** The bytes of shared memory that a tile takes: more than ct_tma_bytes where its rows are shorter
 *  than the span of the swizzle. CT_INVALID when d is not legal. */
CT_FN int64_t ct_tma_shared_bytes(const ct_tma_desc *d)
{
    if (d->rule != CT_TMA_OK) return CT_INVALID;
    return ct_tma_bytes(d) / (ct_tma_tile(d, 0) * d->stride[0]) * ct_tma_row_bytes(d);
}

/**
 * The layout of a tile in shared memory, in elements: a swizzled tensor over the modes of the
 * layout, for ct_in_shared.
 * Fails:    the error of a descriptor that is not legal; as ct_tma_swizzle.
 */
CT_FN ct_tensor ct_tma_shared(const ct_tma_desc *d)
{
    if (d->rule != CT_TMA_OK) return ct_tensor_fail(d->err);
    ct_layout L = CT_ZERO;
    int64_t stride = 1;
    L.profile = ct_profile_flat(d->rank);
    for (int32_t i = 0; i < CT_TMA_RANK; ++i) {
        if (i >= d->rank) continue;
        L.shape[d->mode[i]] = ct_tma_tile(d, i);
        L.stride[d->mode[i]] = stride;
        stride *= i == 0 ? ct_tma_row_bytes(d) / d->stride[0] : ct_tma_tile(d, i);
    }
    ct_swizzle s = ct_tma_swizzle(d->swizzle);
    if (d->swizzle != CT_TMA_SWIZZLE_NONE) s = ct_swizzle_upcast(s, ct_elem_bytes(d->elem));
    return ct_make_swizzled(s, 0, L);
}

#endif
