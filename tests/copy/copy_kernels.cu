/* A tile from global to shared memory and on to global memory, or straight, by partitions that the
 * launch tells: the same copy that kernels make by constant ones. */
#include <cutlet/device/copy/copy.h>

#include "copy_kernels.h"

/* The tile of this block: its number along the axes, the first one fastest. */
CT_DEVICE ct_index tile_of(const ct_partition *P, const ct_global *g)
{
    ct_index x = CT_ZERO;
    int64_t rest = blockIdx.x;
    for (int a = 0; a < CT_AXES; ++a) {
        if (a >= g->axes) continue;
        const int64_t n = a < P->axes ? (g->extent[a] + P->tile[a] - 1) / P->tile[a] : g->extent[a];
        x.at[a] = rest % n;
        rest /= n;
    }
    return x;
}

CT_KERNEL_THREADS(copy_through_shared, 512, copy_case_args, args)
{
    CT_SHARED_DYNAMIC(unsigned char, memory);
    const ct_partition *const in = &args.in, *const out = &args.out;
    const ct_view shared = ct_view_shared(memory);
    ct_copy(in, ct_view_tile(&args.src, in, tile_of(in, &args.src)), shared);
    ct_cp_async_commit();
    ct_cp_async_wait_all();
    __syncthreads();
    ct_copy(out, ct_view_src(out, shared, threadIdx.x),
            ct_view_dst(out, ct_view_tile(&args.dst, out, tile_of(out, &args.dst)), threadIdx.x));
}

CT_KERNEL_THREADS(copy_in_order, 512, copy_case_args, args)
{
    const ct_partition *const P = &args.in;
    const ct_index x = tile_of(P, &args.src);
    ct_copy(P, ct_view_src(P, ct_view_tile(&args.src, P, x), threadIdx.x),
            ct_view_dst(P, ct_view_tile(&args.dst, P, x), threadIdx.x));
}

/* By way of the thread's registers, which hold its values in order. */
CT_KERNEL_THREADS(copy_through_registers, 512, copy_case_args, args)
{
    const ct_partition *const in = &args.in, *const out = &args.out;
    CT_FRAGMENT(uint32_t, words, CT_VALUES);
    const ct_view held = ct_view_registers(words);
    const ct_index x = tile_of(in, &args.src);
    ct_copy(in, ct_view_src(in, ct_view_tile(&args.src, in, x), threadIdx.x), held);
    ct_copy(out, held, ct_view_dst(out, ct_view_tile(&args.dst, out, x), threadIdx.x));
}
