// The candidates of one problem on a GPU: verified, then timed in turn. Each prints a row:
// problem, candidate, sectors, wavefronts, instructions, shared bytes, us, GB/s, verified, what it
// is.
#pragma once
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

#include "tile_copy.h"

// All are timed in ROUNDS rounds, each in an order of its own; then the first and the FINALISTS
// fastest in FINAL_ROUNDS more, which alone count for them: the fastest of many by a few noisy
// readings is not the fastest.
enum { ROUNDS = 7, FINALISTS = 12, FINAL_ROUNDS = 31, WARPS = THREADS / 32 };

struct entry {
    void (*kernel)(const char *, int64_t, uint32_t *);
    void (*check)(const char *, int64_t, uint32_t *);
    int bytes;
    const char *counts, *about;  // "sectors\twavefronts\tinstructions\tshared bytes"
};

// One block for each tile, along the fast mode of the source first.
__device__ __forceinline__ const char *tile_of(const char *src, int64_t ld)
{
    constexpr int across = SRC_ROW ? COLS_TOTAL / TILE_N : ROWS_TOTAL / TILE_M;
    const int64_t i = blockIdx.x % across, j = blockIdx.x / across;
    return src + (SRC_ROW ? i * TILE_N + j * TILE_M * ld : i * TILE_M + j * TILE_N * ld) * ELEM;
}

__device__ __forceinline__ void give(uint32_t sum, uint32_t *out)
{
    const uint32_t all = __reduce_xor_sync(0xffffffffu, mixed(threadIdx.x, sum));
    if (threadIdx.x % 32 == 0) out[blockIdx.x * WARPS + threadIdx.x / 32] = all;
}

template <class C> __device__ __forceinline__ uint32_t read_matrices(const char *smem)
{
    uint32_t sum = 0;
    int m0, n0;
    piece<16 / ELEM>(threadIdx.x, m0, n0);
    const int from = C::shared(m0, n0);
#pragma unroll(pieces<16 / ELEM> <= UNROLL ? pieces<16 / ELEM> : UNROLL)
    for (int k = 0; k < pieces<16 / ELEM>; ++k) {
        int m, n;
        piece<16 / ELEM>(k * THREADS, m, n);
        const unsigned at =
            (unsigned)__cvta_generic_to_shared(smem + C::shared_from(from, m, n));
        uint32_t r[4];
        if (READ == LDMATRIX)
            asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                         : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(at) : "memory");
        else
            asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
                         : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(at) : "memory");
        for (int q = 0; q < 4; ++q) sum = fold(sum, r[q]);
    }
    return sum;
}

template <class C> __global__ void __launch_bounds__(THREADS)
    copy_tile(const char *__restrict__ src, int64_t ld, uint32_t *__restrict__ out)
{
    extern __shared__ __align__(1024) char smem[];
    fill<C>(threadIdx.x, tile_of(src, ld), ld, smem);
    if (C::kind != UNIVERSAL) asm volatile("cp.async.wait_all;" ::: "memory");
    __syncthreads();
    if constexpr (READ >= LDMATRIX) give(read_matrices<C>(smem), out);
    else give(read<C>(threadIdx.x, smem), out);
}

// The sums that a right copy gives, without shared memory.
template <int RUN> __global__ void expect(const char *src, int64_t ld, uint32_t *out)
{
    const char *const tile = tile_of(src, ld);
    if constexpr (READ >= LDMATRIX) give(expected_matrices(threadIdx.x, tile, ld), out);
    else give(expected<RUN>(threadIdx.x, tile, ld), out);
}

__global__ void scramble(uint32_t *word, int64_t n)
{
    for (int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x; i < n;
         i += (int64_t)gridDim.x * blockDim.x) {
        uint32_t x = (uint32_t)i * 0x9e3779b9u + 0x7f4a7c15u;
        x = (x ^ x >> 16) * 0x85ebca6bu;
        x = (x ^ x >> 13) * 0xc2b2ae35u;
        word[i] = x ^ x >> 16;
    }
}

static void need(cudaError_t e, const char *what)
{
    if (e == cudaSuccess) return;
    fprintf(stderr, "%s: %s: %s\n", PROBLEM, what, cudaGetErrorString(e));
    exit(1);
}

template <class C> entry make(const char *counts, const char *about)
{
    return {copy_tile<C>, expect<C::read_run>, C::bytes, counts, about};
}

struct state {
    char *src;
    uint32_t *sums;
    int tiles;
    std::vector<uint32_t> got, want;
    cudaEvent_t begin, end;
};

static float launch(state &s, const entry &e)
{
    float ms = 0;
    cudaEventRecord(s.begin);
    e.kernel<<<s.tiles, THREADS, e.bytes>>>(s.src, LD, s.sums);
    cudaEventRecord(s.end);
    need(cudaEventSynchronize(s.end), "a candidate");
    cudaEventElapsedTime(&ms, s.begin, s.end);
    return ms * 1000;
}

static bool verify(state &s, const entry &e)
{
    const size_t bytes = s.want.size() * sizeof(uint32_t);
    if (e.bytes > 48 * 1024)
        need(cudaFuncSetAttribute(e.kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, e.bytes),
             "shared memory");
    e.check<<<s.tiles, THREADS>>>(s.src, LD, s.sums);
    need(cudaMemcpy(s.want.data(), s.sums, bytes, cudaMemcpyDeviceToHost), "the sums");
    need(cudaMemset(s.sums, 0xa5, bytes), "memset");
    launch(s, e);
    need(cudaMemcpy(s.got.data(), s.sums, bytes, cudaMemcpyDeviceToHost), "the sums");
    return s.got == s.want;
}

static double median(std::vector<float> us)
{
    std::sort(us.begin(), us.end());
    return us[us.size() / 2];
}

static void time_rounds(state &s, const std::vector<entry> &all, std::vector<size_t> order,
                        int rounds, std::vector<std::vector<float>> &us)
{
    std::mt19937 dice(2026);
    for (int round = 0; round < rounds; ++round) {
        std::shuffle(order.begin(), order.end(), dice);
        for (size_t i : order) us[i].push_back(launch(s, all[i]));
    }
}

static int run_all(const std::vector<entry> &all)
{
    state s;
    const int64_t lines = SRC_ROW ? ROWS_TOTAL : COLS_TOTAL, bytes = lines * LD * ELEM;
    s.tiles = (int)((int64_t)ROWS_TOTAL / TILE_M * (COLS_TOTAL / TILE_N));
    s.got.resize((size_t)s.tiles * WARPS);
    s.want.resize(s.got.size());
    need(cudaMalloc(&s.src, bytes), "the source");
    need(cudaMalloc(&s.sums, s.got.size() * sizeof(uint32_t)), "the sums");
    cudaEventCreate(&s.begin);
    cudaEventCreate(&s.end);
    scramble<<<1024, 256>>>((uint32_t *)s.src, bytes / 4);
    std::vector<bool> right;
    std::vector<size_t> order;
    std::vector<std::vector<float>> us(all.size());
    for (size_t i = 0; i < all.size(); ++i) {
        right.push_back(verify(s, all[i]));
        if (right[i]) order.push_back(i);
    }
    time_rounds(s, all, order, ROUNDS, us);
    std::sort(order.begin(), order.end(),
              [&](size_t a, size_t b) { return median(us[a]) < median(us[b]); });
    std::vector<size_t> last(order.begin(),
                             order.begin() + std::min<size_t>(FINALISTS, order.size()));
    if (right[0] && std::find(last.begin(), last.end(), 0) == last.end()) last.push_back(0);
    for (size_t i : last) us[i].clear();
    time_rounds(s, all, last, FINAL_ROUNDS, us);
    const double moved = (double)ROWS_TOTAL * COLS_TOTAL * ELEM;
    int wrong = 0;
    for (size_t i = 0; i < all.size(); ++i) {
        const double time = right[i] ? median(us[i]) : 0;
        printf("%s\t%d\t%s\t%.2f\t%.1f\t%s\t%s\n", PROBLEM, (int)i, all[i].counts, time,
               right[i] ? moved / time / 1000 : 0, right[i] ? "yes" : "NO", all[i].about);
        wrong += !right[i];
    }
    return wrong > 0;
}
