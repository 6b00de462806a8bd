/* What local_partition gives each thread of a block, as coordinates, and the copy of a matrix that
 * they predicate: a thread asks of each element where it lies, not which number it has.
 *
 * The tile and the threads are constants, and so are the coordinates: per thread one multiplication
 * with the steps of the matrix, and per element a comparison with its extents. A launch has a block
 * (x,y) for each tile of 64 x 64, x along n. */
#include "copy_view.h"
#include "static.h"

typedef struct partition_args {
    const void *src;
    void *dst;
    int64_t m, n, src_m, src_n, dst_m, dst_n; /* extents and steps, in elements of 2 bytes */
} partition_args;

CT_KERNEL_THREADS(copy_partitioned, 128, partition_args, args)
{
    CT_STATIC(ct_layout, threads, ct_layout2(4, 32, 32, 1)); /* (m,n) -> thread: a warp along n */
    CT_STATIC(ct_layout, tile, ct_make_identity_layout(ct_tuple2(64, 64))); /* (m,n) -> (m,n) */
    /* Thread -> coordinate of its first element, and element -> coordinate from there. */
    CT_STATIC(ct_layout, first,
              ct_composition(ct_make_identity_layout(ct_tuple2(4, 32)), ct_right_inverse(threads)));
    CT_STATIC(ct_layout, each, ct_local_partition(ct_make_tensor(tile), threads, 0).layout);
    CT_STATIC(ct_layout, first_m, ct_along(first, 0));
    CT_STATIC(ct_layout, first_n, ct_along(first, 1));
    CT_STATIC(ct_layout, each_m, ct_along(each, 0));
    CT_STATIC(ct_layout, each_n, ct_along(each, 1));
    const uint16_t *const src = (const uint16_t *)args.src;
    uint16_t *const dst = (uint16_t *)args.dst;
    const int64_t m0 = 64 * (int64_t)blockIdx.y + ct_offset(&first_m, threadIdx.x);
    const int64_t n0 = 64 * (int64_t)blockIdx.x + ct_offset(&first_n, threadIdx.x);
    CT_UNROLL for (int i = 0; i < 32; ++i) {
        const int64_t m = m0 + ct_offset(&each_m, i), n = n0 + ct_offset(&each_n, i);
        const int inside = m < args.m && n < args.n;
        uint16_t x = 0;
        ct_load_global_if(inside, &x, src + m * args.src_m + n * args.src_n, 16);
        ct_store_global_if(inside, dst + m * args.dst_m + n * args.dst_n, &x, 16);
    }
}
