/* Paged rows, such as keys of an attention, to contiguous ones: dst(s,t) = pages(table(s, t / 16), t % 16),
 * rows of 128 halves in pages of 16. A page of the table that is no page, such as -1, gives zeros.
 * A launch has a block (x,y) for four pages of sequence y: 256 threads, by way of 16 KiB of swizzled shared memory, as a
 * tiled MMA reads them. */
#include <cutlet/device/copy/copy.h>
#include <cutlet/device/kernel/static.h>
#include <cutlet/algebra/read.h>

typedef struct paged_gather_args {
    ct_global pages;      /* (page, 16, 128) */
    ct_global dst;        /* (sequence, page of it, 16, 128) */
    const int32_t *table; /* of sequence s: those from s * dst.extent[1] on */
} paged_gather_args;

/* part: gather */
CT_KERNEL_THREADS(paged_gather, 256, paged_gather_args, args)
{
    CT_STATIC(ct_tuple, tile, ct_tuple3(4, 16, 128));
    CT_STATIC(
        ct_tensor, rows, /* 64 rows in halves of 128 bytes */
        ct_make_swizzled(ct_make_swizzle(3, 3, 3), 0, ct_read("(4,16,(64,2)):(1024,64,(1,4096))")));
    CT_STATIC(ct_layout, thr, ct_read("(1,16,16):(0,16,1)"));
    CT_STATIC(ct_layout, val, ct_read("(1,1,8):(0,0,1)"));
    CT_STATIC(ct_copy_atom, async, ct_copy_atom_cp_async(CT_ATOM_CP_ASYNC_CG, 128, 16));
    CT_STATIC(ct_partition, in,
              ct_make_predicated_partition(ct_make_tiled_copy(async, thr, val), tile,
                                           ct_in_global(2), ct_in_shared(rows)));
    CT_STATIC(ct_partition, out,
              ct_make_predicated_partition(ct_make_tiled_copy(ct_copy_atom_auto(16), thr, val),
                                           tile, ct_in_shared(rows), ct_in_global(2)));
    CT_SHARED(uint16_t, memory, 64 * 128);
    const ct_index x = ct_index3(blockIdx.x, 0, 0);
    const ct_global dst = ct_global_slice(args.dst, ct_index4(blockIdx.y, CT_ALL, CT_ALL, CT_ALL));
    const int32_t *const table = args.table + blockIdx.y * dst.extent[0];
    const ct_view pages = ct_view_tile(&args.pages, &in, x);
    ct_copy(ct_view_indexed(&in, pages, 0, table, dst.extent[0]), ct_view_shared(memory));
    ct_cp_async_wait_all();
    __syncthreads();
    ct_copy(ct_view_shared(memory), ct_view_tile(&dst, &out, x));
}
/* end */
