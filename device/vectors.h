/**
 * Contiguous elements in memory as vectors in a thread's registers, at any addresses.
 *
 *     CT_STATIC(ct_partition, P, ct_vector_in(4, 32));    4 floats of a thread
 *     const ct_view row = ct_view_row(args.src, args.n, 4);
 *     CT_FRAGMENT(uint32_t, v, 4);
 *     ct_copy_vector_in(&P, &P, row, 4 * i, v);
 *
 * An aligned vector that is whole in the row is one access. A misaligned vector is cut in registers
 * out of the two aligned accesses that hold it. At both ends of the row elements are moved one by
 * one; elements outside read as zero, and are neither read nor written in memory.
 *
 * Stores are not cut: only aligned vectors are stored in one access. So a kernel counts the vectors
 * of a row from an aligned address of the destination: ct_skew_of.
 */
#ifndef CUTLET_DEVICE_VECTORS_H
#define CUTLET_DEVICE_VECTORS_H

#include "copy.h"
#include "static.h"

/** @internal The tiled copy of a tile of one axis: each thread has vectors of `width` contiguous
 *  elements, each moved by one access. */
CT_FN ct_tiled_copy ct_vectors_copy(int32_t width, int32_t threads, int32_t elem_bits)
{
    return ct_make_tiled_copy(ct_copy_atom_universal(width * elem_bits, elem_bits),
                              ct_layout1(threads, 1), ct_layout1(width, 1));
}

/** The partition of such a tile from global memory to registers, and back. Each thread has `each`
 *  vectors, one of every `threads` vectors. */
CT_FN ct_partition ct_vectors_in(int32_t width, int32_t threads, int32_t each, int32_t elem_bits)
{
    return ct_make_partition(ct_vectors_copy(width, threads, elem_bits),
                             ct_tuple1((int64_t)width * threads * each), ct_in_global(0),
                             ct_in_registers());
}
CT_FN ct_partition ct_vectors_out(int32_t width, int32_t threads, int32_t each, int32_t elem_bits)
{
    return ct_make_partition(ct_vectors_copy(width, threads, elem_bits),
                             ct_tuple1((int64_t)width * threads * each), ct_in_registers(),
                             ct_in_global(0));
}

/** @internal The same for one vector of one thread at any address, by accesses of at most 16 bytes,
 *  which can be cut. */
CT_FN ct_tiled_copy ct_vector_copy(int32_t width, int32_t elem_bits)
{
    return ct_make_tiled_copy(ct_copy_atom_auto(elem_bits), ct_layout1(1, 1), ct_layout1(width, 1));
}
CT_FN ct_partition ct_vector_in(int32_t width, int32_t elem_bits)
{
    return ct_make_partition(ct_vector_copy(width, elem_bits), ct_tuple1(width), ct_in_global(0),
                             ct_in_registers());
}
CT_FN ct_partition ct_vector_out(int32_t width, int32_t elem_bits)
{
    return ct_make_partition(ct_vector_copy(width, elem_bits), ct_tuple1(width), ct_in_registers(),
                             ct_in_global(0));
}

/** A row of n contiguous elements. */
CT_DEVICE ct_view ct_view_row(const void *at, int64_t n, const int elem_bytes)
{
    ct_view v = CT_ZERO;
    v.at = (unsigned char *)(uintptr_t)at;
    v.step[0] = elem_bytes;
    v.left[0] = n;
    return v;
}

/** The row from element i on, which may be past its end. */
CT_DEVICE ct_view ct_view_from(ct_view row, int64_t i)
{
    row.at += i * row.step[0];
    row.left[0] -= i;
    row.before += i;
    return row;
}

/** The elements from the last address aligned to a vector of `width` elements to `at`. */
CT_DEVICE int32_t ct_skew_of(const void *at, const int width, const int elem_bytes)
{
    return (int32_t)((uint32_t)(uintptr_t)at & (uint32_t)(width * elem_bytes - 1)) / elem_bytes;
}

/** @internal Whether a vector from element `first` of its row on is whole in the row, and
 *  aligned. */
CT_DEVICE int ct_vector_is_whole(const ct_view v, int64_t first, const int width)
{
    const uint32_t past = (uint32_t)(uintptr_t)v.at & (uint32_t)(width * (int32_t)v.step[0] - 1);
    return first >= 0 && v.left[0] >= width && past == 0;
}

/** @internal Whether the two aligned vectors that hold it are whole in the row. */
CT_DEVICE int ct_vector_can_be_cut(const ct_view v, int64_t first, const int width)
{
    const int32_t e = (int32_t)v.step[0], past = ct_skew_of(v.at, width, e);
    return width * e <= 16 && first >= past && v.left[0] + past >= 2 * width;
}

/** @internal The elements of a vector from element `first` on that are in the row. They are moved
 *  one by one; vectors of more than 16 bytes by cut accesses of 16. */
CT_DEVICE ct_view ct_vector_part(const ct_view row, int64_t first, const int width)
{
    ct_view v = ct_view_from(row, first < 0 ? 0 : first);
    if (first < 0 && v.left[0] > first + width) v.left[0] = first + width;
    v.align = 1;
    v.axis = width * (int32_t)row.step[0] > 16 ? 0 : -1;
    return v;
}

/** Loads the vector that begins at element `first` of a row, which may be before it. A vector that
 *  begins before the row has its elements of the row first, then zeros; elements past the end are
 *  zeros. P: of ct_vector_in, with the vector's width. whole: its partition of one access. */
CT_DEVICE void ct_copy_vector_in(const ct_partition *whole, const ct_partition *P,
                                 const ct_view row, int64_t first, uint32_t *to)
{
    const int width = P->values;
    const ct_view v = ct_view_from(row, first), registers = ct_view_registers(to);
    if (ct_vector_is_whole(v, first, width)) ct_copy_whole(whole, &v, &registers);
    else if (ct_vector_can_be_cut(v, first, width))
        ct_load_cut(to, v.at, ct_bytes_of(P, width), P->elem_bits / 8);
    else ct_copy(P, ct_vector_part(row, first, width), registers);
}

/** Stores the elements of a vector that are in the row. */
CT_DEVICE void ct_copy_vector_out(const ct_partition *whole, const ct_partition *P, uint32_t *from,
                                  const ct_view row, int64_t first)
{
    const ct_view v = ct_view_from(row, first), registers = ct_view_registers(from);
    if (ct_vector_is_whole(v, first, P->values)) ct_copy_whole(whole, &registers, &v);
    else ct_copy(P, registers, ct_vector_part(row, first, P->values));
}

/** The elements of a row before its first aligned vector; at most all of the row. */
CT_DEVICE int32_t ct_head_of(const ct_view row, const int width, const int elem_bytes)
{
    const int32_t head = -ct_skew_of(row.at, width, elem_bytes) & (width - 1);
    return (int32_t)(row.left[0] < head ? row.left[0] : head);
}

/** Loads the vectors of a tile that are whole in its row, all in flight at once; others become
 *  zeros. Their addresses must be aligned. */
CT_DEVICE void ct_copy_vectors_in(const ct_partition *P, const ct_view tile, uint32_t *to)
{
    const ct_side *const s = &P->src;
    const int words = ct_access_words(P, s), bits = 8 * ct_access_bytes(P, s);
    const ct_view from = ct_view_src(P, tile, threadIdx.x);
    CT_UNROLL for (int i = 0; i < s->accesses; ++i) {
        const int on = ct_access_has(P, s, &from, i) == s->width;
        CT_UNROLL for (int w = 0; w < words; ++w) to[i * words + w] = 0;
        ct_load_global_if(on, to + i * words, from.at + ct_along_access(P, s, i), bits);
    }
}

/** Stores the vectors of a tile that are whole in its row. */
CT_DEVICE void ct_copy_vectors_out(const ct_partition *P, const uint32_t *from, const ct_view tile)
{
    const ct_side *const s = &P->dst;
    const int words = ct_access_words(P, s), bits = 8 * ct_access_bytes(P, s);
    const ct_view to = ct_view_dst(P, tile, threadIdx.x);
    CT_UNROLL for (int i = 0; i < s->accesses; ++i) {
        const int on = ct_access_has(P, s, &to, i) == s->width;
        ct_store_global_if(on, to.at + ct_along_access(P, s, i), from + i * words, bits);
    }
}

#define ct_copy_vector_in(...) CT_CALL(ct_copy_vector_in, __VA_ARGS__)
#define ct_copy_vector_out(...) CT_CALL(ct_copy_vector_out, __VA_ARGS__)
#define ct_copy_vectors_in(...) CT_CALL(ct_copy_vectors_in, __VA_ARGS__)
#define ct_copy_vectors_out(...) CT_CALL(ct_copy_vectors_out, __VA_ARGS__)

#endif
