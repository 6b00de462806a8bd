/* The tiled copies of device/kernels/variants.h written with CuTe, as an image that
 * `cutlet-bench matrix --peer` loads, verifies and times in turn with cutlet's own: same buffers, grid
 * and process. Part of no build; the headers are those of the PyPI package nvidia-cutlass:
 *
 *     pip download --no-deps nvidia-cutlass==4.2.0.0 && unzip -q nvidia_cutlass-*.whl -d cutlass
 *     nvcc -std=c++17 -O3 -gencode=arch=compute_90a,code=sm_90a -cubin -o cute_copy.cubin
 *          -I cutlass/cutlass_library/source/include bench/peers/cute_copy.cu
 *     cutlet-bench matrix --group peer --peer cute_copy.cubin
 *
 * Each kernel copies global -> shared -> global: a block takes one tile, partitioned by the tiled
 * copy, as device/kernels/tiled_copy.cu does. */
#include <cute/tensor.hpp>

#include "../../tools/bench/matrix/cute_copy.h"

using namespace cute;
using Half = cute::half_t;
using Side = Int<CUTE_COPY_TILE>;

template <bool Row> __device__ auto matrix_layout(int m, int n)
{
    if constexpr (Row) return make_layout(make_shape(m, n), make_stride(n, Int<1>{}));
    else return make_layout(make_shape(m, n), make_stride(Int<1>{}, m));
}

template <bool Row> __device__ constexpr auto tile_layout()
{
    if constexpr (Row) return Layout<Shape<Side, Side>, Stride<Side, _1>>{};
    else return Layout<Shape<Side, Side>, Stride<_1, Side>>{};
}

template <bool Row, bool Async, class In, class Out, class Thr, class Val>
__device__ void copy_tile(const cute_copy_args &args)
{
    __shared__ alignas(128) Half smem[CUTE_COPY_TILE * CUTE_COPY_TILE];
    const auto in = make_tiled_copy(Copy_Atom<In, Half>{}, Thr{}, Val{});
    const auto out = make_tiled_copy(Copy_Atom<Out, Half>{}, Thr{}, Val{});
    const auto layout = matrix_layout<Row>(int(args.m), int(args.n));
    auto g = make_tensor(make_gmem_ptr((Half const *)args.src), layout);
    auto d = make_tensor(make_gmem_ptr((Half *)args.dst), layout);
    auto s = make_tensor(make_smem_ptr(smem), tile_layout<Row>());
    auto at = Row ? make_coord(int(blockIdx.y), int(blockIdx.x))
                  : make_coord(int(blockIdx.x), int(blockIdx.y));
    auto gt = local_tile(g, Shape<Side, Side>{}, at);
    auto dt = local_tile(d, Shape<Side, Side>{}, at);
    auto ti = in.get_slice(threadIdx.x);
    copy(in, ti.partition_S(gt), ti.partition_D(s));
    if constexpr (Async) {
        cp_async_fence();
        cp_async_wait<0>();
    }
    __syncthreads();
    auto to = out.get_slice(threadIdx.x);
    copy(out, to.partition_S(s), to.partition_D(dt));
}

/* The threads of tutorial 000: what local_partition gives a thread, element by element. */
template <bool Row> __device__ void copy_partition(const cute_copy_args &args)
{
    __shared__ alignas(128) Half smem[CUTE_COPY_TILE * CUTE_COPY_TILE];
    const auto layout = matrix_layout<Row>(int(args.m), int(args.n));
    auto g = make_tensor(make_gmem_ptr((Half const *)args.src), layout);
    auto d = make_tensor(make_gmem_ptr((Half *)args.dst), layout);
    auto s = make_tensor(make_smem_ptr(smem), tile_layout<Row>());
    auto at = Row ? make_coord(int(blockIdx.y), int(blockIdx.x))
                  : make_coord(int(blockIdx.x), int(blockIdx.y));
    const auto threads = Layout<Shape<_8, _32>>{};
    auto gt = local_partition(local_tile(g, Shape<Side, Side>{}, at), threads, threadIdx.x);
    auto dt = local_partition(local_tile(d, Shape<Side, Side>{}, at), threads, threadIdx.x);
    auto st = local_partition(s, threads, threadIdx.x);
    copy(gt, st);
    __syncthreads();
    copy(st, dt);
}

using W1 = UniversalCopy<uint16_t>;
using W4 = UniversalCopy<uint64_t>;
using W8 = UniversalCopy<uint128_t>;
using A8 = SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>;
using Rows = Layout<Shape<_16, _8>, Stride<_8, _1>>;
using HalfLine = Layout<Shape<_32, _4>, Stride<_4, _1>>;
using Printed = Layout<Shape<_8, _16>, Stride<_16, _1>>;
using Cols = Layout<Shape<_8, _16>, Stride<_1, _8>>;
using V14 = Layout<Shape<_1, _4>>;
using V18 = Layout<Shape<_1, _8>>;
using V41 = Layout<Shape<_4, _1>>;
using V81 = Layout<Shape<_8, _1>>;

#define KERNEL(name, row, async, in, out, thr, val)                                                \
    extern "C" __global__ void __launch_bounds__(128)                                              \
        cute_##name(const __grid_constant__ cute_copy_args args)                                   \
    {                                                                                              \
        copy_tile<row, async, in, out, thr, val>(args);                                            \
    }

/* One alone, when what it costs to compile is measured. */
#if defined(CUTE_COPY_ONE)
KERNEL(rows8_async_row, true, true, A8, W8, Rows, V18)
#else
KERNEL(rows4_row, true, false, W1, W1, Rows, V14)
KERNEL(rows4_wide_row, true, false, W4, W4, Rows, V14)
KERNEL(rows8_row, true, false, W8, W8, Rows, V18)
KERNEL(rows8_async_row, true, true, A8, W8, Rows, V18)
KERNEL(half_line_row, true, true, A8, W8, HalfLine, V18)
KERNEL(cols4_row, true, false, W1, W1, Cols, V41)
KERNEL(rows4_col, false, false, W1, W1, Rows, V14)
KERNEL(printed4_col, false, false, W1, W1, Printed, V41)
KERNEL(printed8_async_col, false, true, A8, W8, Printed, V81)
KERNEL(cols4_col, false, false, W1, W1, Cols, V41)
KERNEL(cols8_col, false, false, W8, W8, Cols, V81)
KERNEL(cols8_async_col, false, true, A8, W8, Cols, V81)

#define PARTITION(name, row)                                                                       \
    extern "C" __global__ void __launch_bounds__(256)                                              \
        cute_##name(const __grid_constant__ cute_copy_args args)                                   \
    {                                                                                              \
        copy_partition<row>(args);                                                                 \
    }
PARTITION(partition_row, true)
PARTITION(partition_col, false)
#endif
