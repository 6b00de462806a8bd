/* The kernel of bench/compile/unchecked.cu written with CuTe: matrix blockIdx.z of a batch, a tile at
 * blockIdx, its partition at threadIdx and two copies, of whole tiles. Part of no build; counted by
 * bench/compile/sass_count.py --slice. Strides have 64 bits, as ours have, or 32 with
 * -DCUTE_SLICE_INT=int. */
#include <cute/tensor.hpp>

using namespace cute;
using Half = cute::half_t;
#ifndef CUTE_SLICE_INT
#define CUTE_SLICE_INT int64_t
#endif

struct slice_args {
    Half const *src;
    Half *dst;
    int m, n, batches, src_row, dst_row; /* promised: rows are less than 2 GiB apart */
    CUTE_SLICE_INT src_batch, dst_batch;
};

extern "C" __global__ void __launch_bounds__(128)
    cute_slice(const __grid_constant__ slice_args args)
{
    using Tile = Shape<_64, _64>;
    using Threads = Layout<Shape<_16, _8>, Stride<_8, _1>>;
    using Values = Layout<Shape<_1, _8>>;
    __shared__ alignas(128) Half smem[64 * 64];
    const auto in = make_tiled_copy(Copy_Atom<SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>, Half>{},
                                    Threads{}, Values{});
    const auto out =
        make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, Half>{}, Threads{}, Values{});
    const auto shape = make_shape(args.m, args.n, args.batches);
    auto g = make_tensor(make_gmem_ptr(args.src),
                         make_layout(shape, make_stride(args.src_row, Int<1>{}, args.src_batch)));
    auto d = make_tensor(make_gmem_ptr(args.dst),
                         make_layout(shape, make_stride(args.dst_row, Int<1>{}, args.dst_batch)));
    auto s = make_tensor(make_smem_ptr(smem), Layout<Shape<_64, _64>, Stride<_64, _1>>{});
    const auto at = make_coord(int(blockIdx.y), int(blockIdx.x));
    auto gt = local_tile(g(_, _, int(blockIdx.z)), Tile{}, at);
    auto dt = local_tile(d(_, _, int(blockIdx.z)), Tile{}, at);
    auto ti = in.get_slice(threadIdx.x);
    copy(in, ti.partition_S(gt), ti.partition_D(s));
    cp_async_fence();
    cp_async_wait<0>();
    __syncthreads();
    auto to = out.get_slice(threadIdx.x);
    copy(out, to.partition_S(s), to.partition_D(dt));
}
