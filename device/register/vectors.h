/**
 * Contiguous elements in memory as vectors in a thread's registers, at any addresses.
 *
 *     CT_STATIC(ct_partition, P, ct_vector_in(4, 32));    a vector of 4 floats of a thread
 *     const ct_view row = ct_view_row(args.src, args.n, 4);
 *     CT_FRAGMENT(uint32_t, v, 4);
 *     ct_copy_vector_in(&P, &P, row, 4 * i, v);
 *
 * An aligned vector that is whole in the row is one access. A misaligned vector is cut in registers
 * out of the two aligned accesses that hold it. At both ends of the row elements are moved one by
 * one; elements outside read as zero, and are neither read nor written in memory.
 *
 * Stores are not cut: only aligned vectors are stored in one access. So a kernel counts the vectors
 * of a row from an aligned address of the destination: ct_misalignment_of.
 *
 * In a kernel:
 *           // out + 3 = in + 1, 1000 floats: vectors of 4, whole and aligned in the destination
 *           CT_STATIC(ct_partition, load, ct_vector_in(4, 32));
 *           CT_STATIC(ct_partition, store, ct_vector_out(4, 32));
 *           const ct_view from = ct_view_row(in + 1, 1000, 4), to = ct_view_row(out + 3, 1000, 4);
 *           const int misalignment = ct_misalignment_of(out + 3, 4, 4);
 *           assert(misalignment == 3);
 *           CT_FRAGMENT(uint32_t, v, 4);
 *           for (int first = 4 * (int)threadIdx.x - misalignment; first < 1000; first += 4 * 32) {
 *               ct_copy_vector_in(&load, &load, from, first, v);
 *               if (first >= 0 && first < 997) assert(ct_get_float(v, 3) == (float)(first + 4));
 *               ct_copy_vector_out(&store, &store, v, to, first);
 *           }
 *           __syncthreads();
 *           for (int i = (int)threadIdx.x; i < 1024; i += 32) {
 *               float x = 0;
 *               ct_load_global(&x, out + i, 32);
 *               assert(x == (i < 3 || i >= 1003 ? 0.0f : (float)(i - 2)));
 *           }
 * In a kernel:
 *           // the same by tiles of two vectors for each thread, from the first aligned vector on
 *           CT_STATIC(ct_partition, load, ct_vectors_in(4, 32, 2, 32)); // 256 floats
 *           CT_STATIC(ct_partition, store, ct_vectors_out(4, 32, 2, 32));
 *           const ct_view row = ct_view_row(in + 1, 1000, 4);
 *           const int head = ct_head_of(row, 4, 4);
 *           assert(head == 3);
 *           CT_FRAGMENT(uint32_t, v, 8);
 *           for (int first = head; first < 1000; first += 256) {
 *               ct_copy_vectors_in(&load, ct_view_from(row, first), v);
 *               // vector 32 k + i of the tile is vector k of thread i; those past the end are 0
 *               const int at = first + 4 * (int)threadIdx.x;
 *               assert(ct_get_float(v, 0) == (at + 4 <= 1000 ? (float)(at + 1) : 0.0f));
 *               ct_copy_vectors_out(&store, v, ct_view_row(out + first - head, 1000 - first, 4));
 *           }
 * Source:   NVIDIA, PTX ISA 9.0, ld, st and shf.
 */
#ifndef CUTLET_DEVICE_REGISTER_VECTORS_H
#define CUTLET_DEVICE_REGISTER_VECTORS_H

#include <cutlet/device/copy/copy.h>
#include <cutlet/device/kernel/static.h>

/** @internal The tiled copy of a tile of one axis: each thread has vectors of `width` contiguous
 *  elements, each moved by one access. */
CT_FN ct_tiled_copy ct_vectors_copy(int32_t width, int32_t threads, int32_t elem_bits)
{
    return ct_make_tiled_copy(ct_copy_atom_universal(width * elem_bits, elem_bits),
                              ct_layout1(threads, 1), ct_layout1(width, 1));
}

/**
 * The partition of a tile of one axis from global memory to registers. Each thread has `each`
 * vectors of `width` elements of elem_bits bits: one of every `threads` vectors.
 *
 * Fails:    .err as ct_make_tiled_copy and ct_make_partition.
 * Cost:     O(values of a thread); a constant in a kernel.
 */
CT_FN ct_partition ct_vectors_in(int32_t width, int32_t threads, int32_t each, int32_t elem_bits)
{
    return ct_make_partition(ct_vectors_copy(width, threads, elem_bits),
                             ct_tuple1((int64_t)width * threads * each), ct_in_global(0),
                             ct_in_registers());
}

/**
 * The partition of ct_vectors_in, from registers to global memory.
 *
 * Fails:    .err as ct_make_tiled_copy and ct_make_partition.
 * Cost:     O(values of a thread); a constant in a kernel.
 */
CT_FN ct_partition ct_vectors_out(int32_t width, int32_t threads, int32_t each, int32_t elem_bits)
{
    return ct_make_partition(ct_vectors_copy(width, threads, elem_bits),
                             ct_tuple1((int64_t)width * threads * each), ct_in_registers(),
                             ct_in_global(0));
}

/** @internal The tiled copy of one vector of one thread at any address, by accesses of at most 16
 *  bytes, which can be cut. */
CT_FN ct_tiled_copy ct_vector_copy(int32_t width, int32_t elem_bits)
{
    return ct_make_tiled_copy(ct_copy_atom_auto(elem_bits), ct_layout1(1, 1), ct_layout1(width, 1));
}

/**
 * The partition of one vector of one thread at any address: `width` elements of elem_bits bits,
 * from global memory to registers.
 *
 * Fails:    .err as ct_make_tiled_copy and ct_make_partition.
 * Cost:     O(width); a constant in a kernel.
 */
CT_FN ct_partition ct_vector_in(int32_t width, int32_t elem_bits)
{
    return ct_make_partition(ct_vector_copy(width, elem_bits), ct_tuple1(width), ct_in_global(0),
                             ct_in_registers());
}

/**
 * The partition of ct_vector_in, from registers to global memory.
 *
 * Fails:    .err as ct_make_tiled_copy and ct_make_partition.
 * Cost:     O(width); a constant in a kernel.
 */
CT_FN ct_partition ct_vector_out(int32_t width, int32_t elem_bits)
{
    return ct_make_partition(ct_vector_copy(width, elem_bits), ct_tuple1(width), ct_in_registers(),
                             ct_in_global(0));
}

/**
 * A row of n contiguous elements of elem_bytes bytes, at any address of an element.
 * Cost:     registers only.
 */
CT_DEVICE ct_view ct_view_row(const void *at, int64_t n, const int elem_bytes)
{
    ct_view v = CT_ZERO;
    v.at = (unsigned char *)(uintptr_t)at;
    v.step[0] = elem_bytes;
    v.left[0] = n;
    return v;
}

/**
 * The row from element i on, which may be past its end.
 * Cost:     a multiplication and three additions of 64 bits.
 */
CT_DEVICE ct_view ct_view_from(ct_view row, int64_t i)
{
    row.at += i * row.step[0];
    row.left[0] -= i;
    row.before += i;
    return row;
}

/**
 * The elements from the last address aligned to a vector of `width` elements to `at`. width and
 * elem_bytes are powers of two.
 * Cost:     a mask and a shift.
 */
CT_DEVICE int32_t ct_misalignment_of(const void *at, const int width, const int elem_bytes)
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
    const int32_t e = (int32_t)v.step[0], past = ct_misalignment_of(v.at, width, e);
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

/**
 * Loads the vector that begins at element `first` of a row, which may be before it. A vector that
 * begins before the row has its elements of the row first, then zeros; elements past the end are
 * zeros. P: of ct_vector_in, with the vector's width. whole: its partition of one access, P itself
 * for vectors of up to 16 bytes.
 *
 * Fails:    as its loads: the CPU grid ends the launch at elements outside of the buffers.
 * Cost:     one load; two and ct_cut if the vector is misaligned, with registers for both. At an
 *           end of the row a load for each element that is there.
 */
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

/**
 * Stores the elements of a vector that are in the row. Its registers are as ct_copy_vector_in
 * leaves them. P: of ct_vector_out; whole: its partition of one access.
 *
 * Fails:    as its stores.
 * Cost:     one store if the vector is whole and aligned, otherwise one for each element.
 */
CT_DEVICE void ct_copy_vector_out(const ct_partition *whole, const ct_partition *P, uint32_t *from,
                                  const ct_view row, int64_t first)
{
    const ct_view v = ct_view_from(row, first), registers = ct_view_registers(from);
    if (ct_vector_is_whole(v, first, P->values)) ct_copy_whole(whole, &registers, &v);
    else ct_copy(P, registers, ct_vector_part(row, first, P->values));
}

/**
 * The elements of a row before its first aligned vector; at most all of the row.
 * Cost:     a mask, a shift and a comparison.
 */
CT_DEVICE int32_t ct_head_of(const ct_view row, const int width, const int elem_bytes)
{
    const int32_t head = -ct_misalignment_of(row.at, width, elem_bytes) & (width - 1);
    return (int32_t)(row.left[0] < head ? row.left[0] : head);
}

/**
 * Loads the vectors of a tile that are whole in its row, all in flight at once; others become
 * zeros. tile: a row from the tile's first element on, whose address is aligned to a vector. P: of
 * ct_vectors_in.
 *
 * Fails:    the CPU grid ends the launch at a misaligned address.
 * Cost:     one load for each vector of a thread, off where it is not whole, and a comparison. A
 *           warp's load of vectors of 16 bytes moves 16 whole sectors.
 */
CT_DEVICE void ct_copy_vectors_in(const ct_partition *P, const ct_view tile, uint32_t *to)
{
    const ct_side *const s = &P->src;
    const int words = ct_access_words(P, s), bits = 8 * ct_access_bytes(P, s);
    CT_REFUSE("copy", ct_block_refusal(P->threads));
    const ct_view from = ct_view_src(P, tile, threadIdx.x);
    CT_UNROLL for (int i = 0; i < s->accesses; ++i)
    {
        const int on = ct_access_has(P, s, &from, i) == s->width;
        CT_UNROLL for (int w = 0; w < words; ++w) to[i * words + w] = 0;
        ct_load_global_if(on, to + i * words, from.at + ct_along_access(P, s, i), bits);
    }
}

/**
 * Stores the vectors of a tile that are whole in its row; others are not written. P: of
 * ct_vectors_out.
 *
 * Fails:    the CPU grid ends the launch at a misaligned address.
 * Cost:     one store for each vector of a thread, off where it is not whole, and a comparison.
 */
CT_DEVICE void ct_copy_vectors_out(const ct_partition *P, const uint32_t *from, const ct_view tile)
{
    const ct_side *const s = &P->dst;
    const int words = ct_access_words(P, s), bits = 8 * ct_access_bytes(P, s);
    CT_REFUSE("copy", ct_block_refusal(P->threads));
    const ct_view to = ct_view_dst(P, tile, threadIdx.x);
    CT_UNROLL for (int i = 0; i < s->accesses; ++i)
    {
        const int on = ct_access_has(P, s, &to, i) == s->width;
        ct_store_global_if(on, to.at + ct_along_access(P, s, i), from + i * words, bits);
    }
}

#define ct_copy_vector_in(...) CT_CALL(ct_copy_vector_in, __VA_ARGS__)
#define ct_copy_vector_out(...) CT_CALL(ct_copy_vector_out, __VA_ARGS__)
#define ct_copy_vectors_in(...) CT_CALL(ct_copy_vectors_in, __VA_ARGS__)
#define ct_copy_vectors_out(...) CT_CALL(ct_copy_vectors_out, __VA_ARGS__)

#endif
