/* One thread fetches a tile of 64 x 64 from a row-major matrix of uint16_t, the block adds up the
 * rows of it. */
#include <cutlet/device/copy/copy.h>
#include <cutlet/device/element/element.h>
#include <cutlet/device/kernel/static.h>

typedef struct tma_args {
    ct_tma_map map;   /* made on the host: the matrix, the tile, the swizzle */
    ct_global dst;    /* 64:1, the sums */
    int32_t row, col; /* which tile */
} tma_args;

/* part: partition */
/* The tile as its copy brings it, and each thread's row of it. */
CT_FN ct_partition load_into(ct_memory shared)
{
    const ct_copy_atom engine = ct_copy_atom_tile(CT_ATOM_TMA_LOAD, 16);
    return ct_make_partition(ct_make_bulk_copy(engine), ct_tuple2(64, 64), ct_in_global(1), shared);
}

CT_FN ct_partition row_each(ct_memory shared)
{
    const ct_layout thr = ct_layout2(64, 1, 1, 64), val = ct_layout2(1, 64, 64, 1);
    const ct_tiled_copy rows = ct_make_tiled_copy(ct_copy_atom_auto(16), thr, val);
    return ct_make_partition(rows, ct_tuple2(64, 64), shared, ct_in_registers());
}
/* end */

#if CT_HAS_BULK /* sm_90 and later */
/* part: kernel */
CT_DEVICE void add_rows(const ct_partition *load, const ct_partition *row, const tma_args *args,
                        void *tile)
{
    CT_SHARED(uint64_t, bar, 1);
    if (threadIdx.x == 0) {
        ct_mbarrier_init(bar, 1); /* one arrival: that of the thread that asks for the tile */
        ct_fence_mbarrier_init();
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        ct_mbarrier_arrive_expect(bar, ct_tile_bytes(load));
        ct_copy(load, ct_view_map(&args->map, load, ct_index2(args->row, args->col)),
                ct_view_arriving(ct_view_shared(tile), bar, 0));
    }
    ct_mbarrier_wait(bar, 0);
    CT_FRAGMENT(uint32_t, x, 32);
    ct_copy(row, ct_view_shared(tile), ct_view_registers(x));
    int32_t sum = 0;
    CT_UNROLL for (int k = 0; k < 64; ++k) sum += ct_get_uint16(x, k);
    ct_store_element(&args->dst, ct_index1(threadIdx.x), &sum, 32);
}

CT_KERNEL_THREADS(row_sums, 64, tma_args, args)
{
    CT_STATIC(ct_memory, shared, ct_in_shared_plain(ct_layout2(64, 64, 64, 1)));
    CT_STATIC(ct_partition, load, load_into(shared));
    CT_STATIC(ct_partition, row, row_each(shared));
    CT_SHARED_DYNAMIC(uint16_t, tile);
    add_rows(&load, &row, &args, tile);
}
/* part: swizzled */
CT_KERNEL_THREADS(row_sums_swizzled, 64, tma_args, args)
{
    CT_STATIC(ct_tensor, rows,
              ct_make_swizzled(ct_make_swizzle(3, 3, 3), 0, ct_layout2(64, 64, 64, 1)));
    CT_STATIC(ct_memory, shared, ct_in_shared(rows));
    CT_STATIC(ct_partition, load, load_into(shared));
    CT_STATIC(ct_partition, row, row_each(shared));
    CT_SHARED_DYNAMIC(uint16_t, tile);
    add_rows(&load, &row, &args, tile);
}
/* end */
#endif
