/* The same tiled copies written with CuTe, to be measured beside cutlet's in one run. Needs the
 * headers of CUTLASS, as the PyPI package nvidia-cutlass brings them; part of no build.
 *
 * Each variant copies global -> shared -> global: a block takes one 64 x 64 tile, partitioned by the
 * tiled copy, as device/kernels/tiled_copy.cu does. Prints name, order and GB/s, verified first. */
#include <cstdio>
#include <cstdint>
#include <cstdlib>
#include <algorithm>
#include <vector>

#include <cute/tensor.hpp>

using namespace cute;
using Half = cute::half_t;

constexpr int TILE = 64;

#define CHECK(call)                                                                        \
    do {                                                                                   \
        cudaError_t e = (call);                                                            \
        if (e != cudaSuccess) {                                                            \
            std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(e));                \
            std::exit(1);                                                                  \
        }                                                                                  \
    } while (0)

template <bool Row> __host__ __device__ auto matrix_layout(int m, int n)
{
    if constexpr (Row) return make_layout(make_shape(m, n), make_stride(n, Int<1>{}));
    else return make_layout(make_shape(m, n), make_stride(Int<1>{}, m));
}

template <bool Row> __host__ __device__ constexpr auto tile_layout()
{
    if constexpr (Row) return Layout<Shape<Int<TILE>, Int<TILE>>, Stride<Int<TILE>, _1>>{};
    else return Layout<Shape<Int<TILE>, Int<TILE>>, Stride<_1, Int<TILE>>>{};
}

template <bool Row, bool Async, class In, class Out>
__global__ void copy_kernel(Half const *src, Half *dst, int m, int n, In in, Out out)
{
    __shared__ alignas(128) Half smem[TILE * TILE];
    auto g = make_tensor(make_gmem_ptr(src), matrix_layout<Row>(m, n));
    auto d = make_tensor(make_gmem_ptr(dst), matrix_layout<Row>(m, n));
    auto s = make_tensor(make_smem_ptr(smem), tile_layout<Row>());
    auto at = Row ? make_coord(int(blockIdx.y), int(blockIdx.x)) : make_coord(int(blockIdx.x), int(blockIdx.y));
    auto gt = local_tile(g, Shape<Int<TILE>, Int<TILE>>{}, at);
    auto dt = local_tile(d, Shape<Int<TILE>, Int<TILE>>{}, at);
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

static double median(std::vector<float> t)
{
    std::sort(t.begin(), t.end());
    return t[t.size() / 2];
}

template <bool Row, bool Async, class InOp, class OutOp, class Thr, class Val>
void measure(const char *name, const Half *src, Half *dst, int m, int n)
{
    auto in = make_tiled_copy(Copy_Atom<InOp, Half>{}, Thr{}, Val{});
    auto out = make_tiled_copy(Copy_Atom<OutOp, Half>{}, Thr{}, Val{});
    const size_t bytes = size_t(m) * n * sizeof(Half);
    const dim3 grid = Row ? dim3(n / TILE, m / TILE) : dim3(m / TILE, n / TILE);
    auto run = [&] { copy_kernel<Row, Async><<<grid, int(size(Thr{}))>>>(src, dst, m, n, in, out); };
    CHECK(cudaMemset(dst, 0xa5, bytes));
    run();
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    std::vector<uint16_t> a(1 << 20), b(1 << 20);
    for (size_t at = 0; at < bytes; at += bytes / 8) { /* eight samples of 2 MiB */
        CHECK(cudaMemcpy(a.data(), (const char *)src + at, 2 << 20, cudaMemcpyDeviceToHost));
        CHECK(cudaMemcpy(b.data(), (const char *)dst + at, 2 << 20, cudaMemcpyDeviceToHost));
        if (a != b) {
            std::printf("%s\twrong result, not timed\n", name);
            return;
        }
    }
    cudaEvent_t e0, e1;
    CHECK(cudaEventCreate(&e0));
    CHECK(cudaEventCreate(&e1));
    std::vector<float> t;
    for (int i = 0; i < 23; ++i) {
        CHECK(cudaEventRecord(e0));
        run();
        CHECK(cudaEventRecord(e1));
        CHECK(cudaEventSynchronize(e1));
        float ms;
        CHECK(cudaEventElapsedTime(&ms, e0, e1));
        if (i >= 3) t.push_back(ms);
    }
    std::printf("cute\t%s\t%s\t%.1f\n", name, Row ? "row" : "col", 2.0 * bytes / median(t) * 1e-6);
}

int main()
{
    const int m = 16384, n = 16384;
    const size_t bytes = size_t(m) * n * sizeof(Half);
    Half *src, *dst;
    CHECK(cudaMalloc(&src, bytes));
    CHECK(cudaMalloc(&dst, bytes));
    std::vector<uint32_t> random(bytes / 4);
    uint32_t x = 12345;
    for (auto &r : random) r = x = x * 1664525u + 1013904223u;
    CHECK(cudaMemcpy(src, random.data(), bytes, cudaMemcpyHostToDevice));
    using E = UniversalCopy<uint16_t>;
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
    measure<true, false, E, E, Rows, V14>("rows4", src, dst, m, n);
    measure<true, false, W4, W4, Rows, V14>("rows4-wide", src, dst, m, n);
    measure<true, false, W8, W8, Rows, V18>("rows8", src, dst, m, n);
    measure<true, true, A8, W8, Rows, V18>("rows8-async", src, dst, m, n);
    measure<true, true, A8, W8, HalfLine, V18>("half-line", src, dst, m, n);
    measure<false, false, E, E, Rows, V14>("rows4", src, dst, m, n);
    measure<false, false, E, E, Printed, V41>("printed4", src, dst, m, n);
    measure<false, true, A8, W8, Printed, V81>("printed8-async", src, dst, m, n);
    measure<false, false, E, E, Cols, V41>("cols4", src, dst, m, n);
    measure<false, false, W8, W8, Cols, V81>("cols8", src, dst, m, n);
    measure<false, true, A8, W8, Cols, V81>("cols8-async", src, dst, m, n);
    return 0;
}
