/**
 * The width of one access of a copy, and the limit that prevents a wider one.
 */
#ifndef CUTLET_COPY_COPY_WIDTH_H
#define CUTLET_COPY_COPY_WIDTH_H

#include <cutlet/algebra/divide.h>
#include <cutlet/algebra/vector.h>

/** What limits the width. */
enum {
    CT_WIDTH_FULL = 0,    /* none: it is the widest that was requested */
    CT_WIDTH_CONTIGUOUS,  /* only n elements are contiguous in both layouts */
    CT_WIDTH_SRC_STRIDE,  /* a source stride of n elements would leave the alignment */
    CT_WIDTH_DST_STRIDE,  /* a destination stride of n elements would */
    CT_WIDTH_SRC_POINTER, /* the source address is a multiple of n bytes only */
    CT_WIDTH_DST_POINTER  /* the destination address is a multiple of n bytes only */
};

typedef struct ct_copy_width_result {
    ct_error err;
    int32_t bytes;    /* of one access: a power of two */
    int32_t limit;    /* CT_WIDTH_... */
    int64_t n;        /* the number of the limit */
    ct_layout vector; /* the elements of one access, as indices of the layouts */
} ct_copy_width_result;

/** The widest access that is distinguished, in bytes. */
#define CT_WIDTH_MOST 1073741824

/** @internal n elements in bytes, as far as powers of two divide it; most_bytes where that is
 *  more. */
CT_FN int64_t ct_width_bytes(int64_t n, int64_t elem_bytes, int64_t most_bytes)
{
    const int64_t elem = ct_power_of_two(elem_bytes, most_bytes);
    return elem * ct_power_of_two(n, most_bytes / elem);
}

/** @internal The greatest common divisor of the strides of L between vectors of n elements. */
CT_FN int64_t ct_vector_stride(ct_layout L, ct_layout vector)
{
    const ct_layout rest = ct_logical_divide(L, vector);
    if (rest.err.status) return 1;
    const ct_layout beyond = ct_mode(rest, 1);
    int64_t g = 0;
    CT_FOR(i, beyond.profile.leaves)
    {
        if (beyond.shape[i] > 1) g = ct_gcd(g, beyond.stride[i]);
    }
    return g;
}

/**
 * The widest access that may move a source layout to a destination layout of the same size, element
 * i to element i, with bases at these addresses. The elements of an access must be contiguous in
 * both, and their indices a layout. Every access of the copy must be aligned on both sides.
 * Run-time layouts count as static ones do.
 *
 * Ensures:  bytes is a power of two, at most most_bytes and CT_WIDTH_MOST; no access is misaligned.
 *           [law_copy_width]
 * Fails:    CT_E_ARGUMENT when the sizes differ, elem_bytes is below 1, or most_bytes is not a
 * power of two.
 * Cost:     O(leaves^2).
 * Example:  copy_width((16,8):(1,16), (16,8):(1,16), 2, 16, 0, 0) == 16
 * Example:  copy_width((16,8):(1,15), (16,8):(1,16), 2, 16, 0, 0) == 2
 * Example:  copy_width((16,8):(1,16), (16,8):(1,16), 2, 16, 4, 0) == 4
 */
CT_FN ct_copy_width_result ct_copy_width(ct_layout src, ct_layout dst, int64_t elem_bytes,
                                         int64_t most_bytes, uint64_t src_address,
                                         uint64_t dst_address)
{
    ct_copy_width_result r = CT_ZERO;
    r.err = src.err.status ? src.err : dst.err;
    if (r.err.status) return r;
    if (ct_size(src) != ct_size(dst)) {
        r.err = ct_make_error(CT_E_ARGUMENT, CT_OP_COPY_WIDTH, CT_WHY_SIZES, 0, ct_size(src),
                              ct_size(dst));
        return r;
    }
    if (elem_bytes < 1 || most_bytes < 1) {
        r.err = ct_make_error(CT_E_ARGUMENT, CT_OP_COPY_WIDTH, CT_WHY_NOT_POSITIVE, 0,
                              ct_min(elem_bytes, most_bytes), 0);
        return r;
    }
    if (ct_power_of_two(most_bytes, most_bytes) != most_bytes) {
        r.err = ct_make_error(CT_E_ARGUMENT, CT_OP_COPY_WIDTH, CT_WHY_NOT_POWER, 0, most_bytes, 0);
        return r;
    }
    const ct_layout common = ct_max_common_layout(src, dst);
    r.err = common.err;
    if (r.err.status) return r;
    /* The limits in order; the first that lowers the width is reported. */
    if (most_bytes > CT_WIDTH_MOST) most_bytes = CT_WIDTH_MOST;
    int64_t width = most_bytes;
    const int64_t run = ct_size(common);
    const int64_t limits[5] = {ct_width_bytes(run, elem_bytes, most_bytes), 0, 0,
                               CT_CAST(int64_t, src_address % CT_CAST(uint64_t, most_bytes)),
                               CT_CAST(int64_t, dst_address % CT_CAST(uint64_t, most_bytes))};
    const int64_t numbers[5] = {run, 0, 0, 0, 0};
    for (int i = 0; i < 5; ++i) {
        int64_t limit = limits[i], n = numbers[i];
        if (i == 1 || i == 2) { /* the strides between vectors of the width so far */
            const int64_t elems = ct_max(1, width / elem_bytes);
            n = ct_vector_stride(i == 1 ? src : dst, ct_composition(common, ct_layout1(elems, 1)));
            limit = ct_width_bytes(n, elem_bytes, most_bytes);
        }
        const int64_t p = ct_power_of_two(limit, width);
        if (p < width) {
            width = p;
            r.limit = CT_WIDTH_CONTIGUOUS + i;
            r.n = i >= 3 ? p : n;
        }
    }
    r.bytes = CT_CAST(int32_t, width);
    r.vector = ct_composition(common, ct_layout1(ct_max(1, width / elem_bytes), 1));
    if (r.vector.err.status) r.err = r.vector.err;
    return r;
}

#endif
