/**
 * Copies of matrices of which only the element size is known at compile time: through shared
 * memory, by the partitions that fit the steps at run time.
 *
 *     CT_STATIC(ct_any_copy, copy, ct_make_any_copy(16, 64, 128));           bits, tile, threads
 *     CT_SHARED_DYNAMIC(unsigned char, memory);                              copy.shared_bytes
 *     ct_copy_any(&copy, &args.src, &args.dst, ct_index2(blockIdx.y, blockIdx.x), memory);
 *
 * A side that is contiguous along either axis has accesses of 16 bytes, at any address as in
 * ct_copy. If the axes of both sides differ, the values are transposed in registers on the way out.
 * A side that is contiguous along no axis is accessed element by element.
 *
 * The tile is square. So a copy whose source runs along axis 0 is the copy of both transposed
 * matrices: the partitions only know sources that run along axis 1.
 *
 * In a kernel:
 *           // out = in transposed: both sides are matrices (32,32) of floats
 *           CT_STATIC(ct_any_copy, copy, ct_make_any_copy(32, 32, 32)); // bits, tile, threads
 *           CT_SHARED(unsigned char, memory, copy.shared_bytes);
 *           ct_global columns = args.dst; // (32,32):(1,32), made on the host as a rule
 *           columns.step[0] = args.dst.step[1], columns.step[1] = args.dst.step[0];
 *           columns.axis = 0;
 *           ct_copy_any(&copy, &args.src, &columns, ct_index2(0, 0), memory);
 *           __syncthreads();
 *           for (int row = 0; row < 32; ++row) {
 *               float x = 0;
 *               ct_load_global(&x, out + 32 * row + threadIdx.x, 32);
 *               assert(x == (float)(32 * threadIdx.x + row));
 *           }
 * Used by:  examples/copy_tiles.cu
 * Source:   NVIDIA, PTX ISA 9.0, ld, st and cp.async.
 */
#ifndef CUTLET_DEVICE_STAGED_COPY_ANY_H
#define CUTLET_DEVICE_STAGED_COPY_ANY_H

#include <cutlet/device/copy/copy.h>
#include <cutlet/device/kernel/static.h>

/** The partitions of a tile whose source runs along axis 1. */
typedef struct ct_any_copy {
    ct_error err;
    int32_t shared_bytes;
    ct_partition in, in_elements;
    ct_partition out, out_transposed, out_elements; /* destinations along axis 1, axis 0, none */
} ct_any_copy;

/** @internal The tiled copy of a block: `wide` threads along `axis`, the others across it, each
 *  with (along, across) values. */
CT_FN ct_tiled_copy ct_any_threads(ct_copy_atom atom, int32_t axis, int32_t threads, int32_t wide,
                                   int32_t along, int32_t across)
{
    const ct_layout thr = axis == 1 ? ct_layout2(threads / wide, wide, wide, 1)
                                    : ct_layout2(wide, threads / wide, 1, wide);
    const ct_layout val =
        axis == 1 ? ct_layout2(across, along, along, 1) : ct_layout2(along, across, 1, along);
    return ct_make_tiled_copy(atom, thr, val);
}

/**
 * The copy of tiles (side, side) of elements of elem_bits bits by a block. In shared memory the
 * rows of the tile run along axis 1. 16 bytes of padding follow each 128 / elem_bits rows, so that
 * neither direction has a bank conflict.
 *
 * Fails:    .err: CT_E_ARGUMENT for elements of other than 8, 16, 32, 64 or 128 bits and for more
 *           threads than the tile has vectors of 16 bytes; as ct_make_partition, if threads and
 *           vectors do not divide the tile.
 * Cost:     that of five partitions, O(values of a thread); a constant in a kernel.
 */
CT_FN ct_any_copy ct_make_any_copy(int32_t elem_bits, int32_t side, int32_t threads)
{
    ct_any_copy c = CT_ZERO;
    if (elem_bits < 8 || elem_bits > 128 || (elem_bits & (elem_bits - 1)) != 0)
        c.err = ct_make_error(CT_E_ARGUMENT, CT_OP_PARTITION, CT_WHY_ATOM, 0, elem_bits, elem_bits);
    else if (side < 1 || threads < 1 || (int64_t)side * side * elem_bits / 128 < threads)
        c.err =
            ct_make_error(CT_E_ARGUMENT, CT_OP_PARTITION, CT_WHY_THREADS_OF_TILE, 0, threads, side);
    if (c.err.status) return c;
    const int32_t w = 128 / elem_bits, across = (int32_t)ct_min(w, side * side / threads / w);
    const ct_tuple tile = ct_tuple2(side, side);
    const ct_layout rows =
        ct_make_layout2(ct_layout2(w, side / w, side, side * w + w), ct_layout1(side, 1));
    const ct_memory shared = ct_in_shared_plain(rows);
    const ct_copy_atom one = ct_copy_atom_universal(elem_bits, elem_bits);
    const ct_tiled_copy async = ct_any_threads(
        ct_copy_atom_cp_async(CT_ATOM_CP_ASYNC_CG, 128, elem_bits), 1, threads, side / w, w, 1);
    const ct_tiled_copy wide =
        ct_any_threads(ct_copy_atom_universal(128, elem_bits), 1, threads, side / w, w, 1);
    const ct_tiled_copy transposed =
        ct_any_threads(ct_copy_atom_auto(elem_bits), 0, threads, side / w, w, across);
    const ct_tiled_copy single = ct_any_threads(one, 1, threads, side, 1, 1);
    c.in = ct_partition_unaligned(ct_make_partition(async, tile, ct_in_global(1), shared));
    c.in_elements =
        ct_partition_unaligned(ct_make_partition(single, tile, ct_in_global(-1), shared));
    c.out = ct_partition_unaligned(ct_make_partition(wide, tile, shared, ct_in_global(1)));
    c.out_transposed =
        ct_partition_unaligned(ct_make_partition(transposed, tile, shared, ct_in_global(0)));
    c.out_elements =
        ct_partition_unaligned(ct_make_partition(single, tile, shared, ct_in_global(-1)));
    const ct_error e[5] = {c.in.err, c.in_elements.err, c.out.err, c.out_transposed.err,
                           c.out_elements.err};
    for (int i = 0; i < 5; ++i)
        if (c.err.status == CT_OK) c.err = e[i];
    c.shared_bytes = (int32_t)ct_cosize(rows) * elem_bits / 8;
    return c;
}

/** @internal The transposed matrix: its axes are exchanged. */
CT_DEVICE ct_global ct_global_transposed(ct_global g)
{
    const int64_t extent = g.extent[0], step = g.step[0];
    g.extent[0] = g.extent[1];
    g.step[0] = g.step[1];
    g.extent[1] = extent;
    g.step[1] = step;
    if (g.axis >= 0) g.axis = 1 - g.axis;
    return g;
}

/** @internal Whether a source runs along axis 0: contiguous along it, or along neither axis but
 *  with the shorter step. */
CT_DEVICE int ct_any_is_transposed(const ct_global *src)
{
    const int64_t m = src->step[0] < 0 ? -src->step[0] : src->step[0];
    const int64_t n = src->step[1] < 0 ? -src->step[1] : src->step[1];
    return src->axis < 0 ? m < n : src->axis == 0;
}

/**
 * Copies tile x of src to tile x of dst by all threads of a block, with one barrier. memory:
 * C->shared_bytes bytes of shared memory, aligned to 16. A second call needs a barrier before it.
 *
 * Fails:    as ct_copy; the CPU grid also ends the launch if C carries an error.
 * Cost:     a barrier. For each 16 bytes a whole, aligned and contiguous tile takes a cp.async, a
 *           load from shared memory and a store. There are no bank conflicts, and each sector moves
 *           once. A side without a contiguous axis takes an access for each element.
 */
CT_DEVICE void ct_copy_any(const ct_any_copy *C, const ct_global *src, const ct_global *dst,
                           ct_index x, void *memory)
{
    ct_global from = *src, to = *dst;
    CT_REFUSE("copy of tiles", C->err);
    CT_REFUSE("copy of tiles", ct_block_refusal(C->in.threads));
    if (ct_any_is_transposed(src)) {
        from = ct_global_transposed(from);
        to = ct_global_transposed(to);
        x = ct_index2(x.at[1], x.at[0]);
    }
    const ct_view tile = ct_view_shared(memory);
    if (from.axis == 1) ct_copy(&C->in, ct_view_tile(&from, &C->in, x), tile);
    else ct_copy(&C->in_elements, ct_view_tile(&from, &C->in_elements, x), tile);
    ct_cp_async_wait_all();
    __syncthreads();
    if (to.axis == 1) ct_copy(&C->out, tile, ct_view_tile(&to, &C->out, x));
    else if (to.axis == 0)
        ct_copy(&C->out_transposed, tile, ct_view_tile(&to, &C->out_transposed, x));
    else ct_copy(&C->out_elements, tile, ct_view_tile(&to, &C->out_elements, x));
}

#define ct_copy_any(...) CT_CALL(ct_copy_any, __VA_ARGS__)

#endif
