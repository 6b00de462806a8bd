/**
 * The fastest tiled copy that is known: global -> shared -> global, one 16-byte access a thread.
 *
 * The tile is a piece of one row (of one column, for column-major data): as many bytes as the block
 * has threads times 16. Each thread fetches 16 bytes into its own place of the tile, waits for them
 * alone, and stores them. No thread waits for another one, and a block that is done makes room at
 * once: consecutive blocks sweep through memory as a plain copy does.
 *
 * Everything here is counted in bytes, so that one kernel serves every type and both orders.
 *
 * A piece whose addresses are no multiples of 16, or that is cut off by the end of its row, goes
 * the careful way: the tile takes the aligned 16 bytes of the source, each thread cuts its own out
 * of two neighbours, and stores them at the aligned addresses of the destination. Only the ends of
 * a row, 16 to 31 bytes each, are moved in smaller pieces. No extent, leading dimension or pointer
 * makes either way fault.
 */
#ifndef CUTLET_DEVICE_BEST_COPY_H
#define CUTLET_DEVICE_BEST_COPY_H

#include "copy_short.h"
#include "transpose_words.h"

/** What the copy is told at run time: `outer` rows of inner_bytes. */
typedef struct ct_best_copy_args {
    const void *src;
    void *dst;
    int64_t src_ld_bytes, dst_ld_bytes; /* from one row to the next */
    int64_t inner_bytes, outer;
} ct_best_copy_args;

/** The arguments for a matrix of elements; rows without a gap between them are one row. */
CT_FN ct_best_copy_args ct_make_best_copy_args(const void *src, void *dst, int64_t src_ld,
                                               int64_t dst_ld, int64_t inner, int64_t outer,
                                               int32_t elem_bytes)
{
    ct_best_copy_args args = CT_ZERO;
    args.src = src;
    args.dst = dst;
    args.src_ld_bytes = src_ld * elem_bytes;
    args.dst_ld_bytes = dst_ld * elem_bytes;
    args.inner_bytes = inner * elem_bytes;
    args.outer = outer;
    if (src_ld == inner && dst_ld == inner) {
        args.inner_bytes *= outer;
        args.outer = outer > 0;
    }
    return args;
}

/** The tile and its threads, in bytes: a tiled copy of threads along a row, 16 bytes each. */
CT_FN ct_tile_plan ct_best_copy_plan(int how, int32_t threads, int32_t accesses)
{
    return ct_plan_tiled_copy(ct_layout2(1, threads, threads, 1), ct_layout2(1, 16, 16, 1),
                              ct_make_plan_job(how, 1, CT_ROW_MAJOR, 1, 16 * threads * accesses));
}

/** The dynamic shared memory of a launch: the tile, and 16 bytes more for the careful way. */
CT_FN int32_t ct_best_copy_shared_bytes(int32_t threads, int32_t accesses)
{
    return 16 * (threads * accesses + 1);
}

/** Blocks of a launch; no blocks in x where there is nothing to do. */
typedef struct ct_best_copy_grid {
    uint32_t x, y, z;
} ct_best_copy_grid;

/**
 * The grid: x along the rows, y, and behind its end z, from row to row. A row that does not begin
 * at a multiple of 16 in the destination may need a tile more.
 *
 * Fails:   x = 0 where the matrix is empty, or has more tiles than a grid has blocks.
 */
CT_FN ct_best_copy_grid ct_best_copy_grid_of(const ct_best_copy_args *args, int64_t dst_address,
                                             int32_t threads, int32_t accesses)
{
    ct_best_copy_grid g = CT_ZERO;
    const int64_t bits = dst_address | (args->outer > 1 ? args->dst_ld_bytes : 0);
    const int64_t odd = bits & 15 ? 15 : 0;
    if (args->inner_bytes < 1 || args->outer < 1) return g;
    const int64_t x = ct_ceil_div_int(args->inner_bytes + odd, 16 * (int64_t)threads * accesses);
    const int64_t z = ct_ceil_div_int(args->outer, 65535);
    if (x > INT32_MAX || z > 65535) return g;
    g.x = (uint32_t)x;
    g.y = (uint32_t)ct_ceil_div_int(args->outer, z);
    g.z = (uint32_t)z;
    return g;
}

/** The tile at the aligned addresses of the destination, from a source that begins anywhere: `at`
 *  is the byte of the row where the tile begins, -15 or more. */
CT_DEVICE void ct_best_copy_middle(const ct_tile_plan *plan, unsigned char *tile,
                                   unsigned char *dst_row, const unsigned char *src_row,
                                   int64_t inner_bytes, int64_t at)
{
    const uint32_t past = (uint32_t)((uintptr_t)src_row + (uint64_t)at) & 15;
    const int64_t aligned = at - past;
    const int32_t chunks = plan->tile_inner / 16;
    CT_ROLL for (int32_t i = (int32_t)threadIdx.x; i <= chunks; i += plan->threads) {
        const int64_t from = aligned + 16 * i;
        ct_cp_async_cg_if(from >= 0 && from + 16 <= inner_bytes, tile + 16 * i, src_row + from, 16);
    }
    ct_cp_async_commit();
    ct_cp_async_wait_all();
    __syncthreads();
    CT_ROLL for (int32_t i = (int32_t)threadIdx.x; i < chunks; i += plan->threads) {
        const int64_t to = at + 16 * i;
        const int on = to >= 16 && to + 32 <= inner_bytes;
        CT_FRAGMENT(uint32_t, w, 8) = {0, 0, 0, 0, 0, 0, 0, 0};
        CT_FRAGMENT(uint32_t, v, 4);
        ct_load_shared_if(on, w, tile + 16 * i, 128);
        ct_load_shared_if(on && past, w + 4, tile + 16 * i + 16, 128);
        ct_vector_from(v, w, past, 1);
        ct_store_global_if(on, dst_row + to, v, 128);
    }
}

/** The ends of a row that ct_best_copy_middle leaves out, [0, head) and [tail, inner_bytes), each
 *  shorter than 32 bytes and without what lies before `done`, in the largest units of 1, 2 or 4
 *  bytes that fit both addresses. */
CT_DEVICE void ct_best_copy_ends(const ct_tile_plan *plan, unsigned char *dst_row,
                                 const unsigned char *src_row, int64_t inner_bytes, int64_t done)
{
    const uint32_t bits = (uint32_t)(uintptr_t)dst_row | (uint32_t)(uintptr_t)src_row |
                          (uint32_t)inner_bytes;
    const int32_t unit = bits & 1 ? 1 : bits & 2 ? 2 : 4;
    const int64_t first = 16 + (-(uintptr_t)dst_row & 15);
    const int64_t head = first < inner_bytes ? first : inner_bytes;
    const int64_t rest = inner_bytes - head - 16;
    const int64_t tail = head + (rest > 0 ? rest & ~(int64_t)15 : 0);
    CT_ROLL for (int32_t i = (int32_t)threadIdx.x * unit; i < 64; i += plan->threads * unit) {
        const int64_t at = i < 32 ? i : tail + i - 32;
        const int on = at >= done && at < (i < 32 ? head : inner_bytes);
        CT_FRAGMENT(uint32_t, x, 1) = {0};
        ct_load_global_if(on && unit == 4, x, src_row + at, 32);
        ct_load_global_if(on && unit == 2, x, src_row + at, 16);
        ct_load_global_if(on && unit == 1, x, src_row + at, 8);
        ct_store_global_if(on && unit == 4, dst_row + at, x, 32);
        ct_store_global_if(on && unit == 2, dst_row + at, x, 16);
        ct_store_global_if(on && unit == 1, dst_row + at, x, 8);
    }
}

/** Copies the tile of this block. */
CT_DEVICE void ct_best_copy(const ct_tile_plan *plan, const ct_best_copy_args *args,
                            unsigned char *tile)
{
    const int64_t row = (int64_t)blockIdx.z * gridDim.y + blockIdx.y;
    const int64_t inner_bytes = args->inner_bytes;
    int64_t at = (int64_t)blockIdx.x * plan->tile_inner;
    if (row >= args->outer) return;
    const unsigned char *src = (const unsigned char *)args->src + row * args->src_ld_bytes;
    unsigned char *dst = (unsigned char *)args->dst + row * args->dst_ld_bytes;
    const int odd = (((uint32_t)(uintptr_t)src | (uint32_t)(uintptr_t)dst) & 15) != 0;
    if (odd || at + plan->tile_inner > inner_bytes) {
        at -= (int64_t)((uintptr_t)dst & 15);
        ct_best_copy_middle(plan, tile, dst, src, inner_bytes, at);
        if (at < inner_bytes && inner_bytes <= at + plan->tile_inner)
            ct_best_copy_ends(plan, dst, src, inner_bytes, odd ? 0 : at);
        return;
    }
    const int32_t own = ct_copy_start(&plan->thread_inner);
    const ct_copy_global from = {(unsigned char *)src + at + own, 0};
    const ct_copy_global to = {dst + at + own, 0};
    const ct_copy_left all = CT_ZERO;
    if (plan->atom == CT_ATOM_UNIVERSAL) {
        ct_copy_in_registers(plan, tile + own, from, 0, all);
    } else {
        ct_copy_in_async(plan, tile + own, from);
        ct_cp_async_wait_all();
    }
    ct_copy_out_registers(plan, to, tile + own, 0, all);
}

#endif
