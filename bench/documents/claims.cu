/* Three statements of the documents, timed on one GPU. Prints tab-separated lines: part, form, value, unit.
 *
 *     nvcc -O3 -std=c++17 -arch=native -Iinclude -Iexamples/vector -o claims bench/documents/claims.cu
 *     claims [--rounds N]
 *
 * latency      One thread, or one warp, loads from a chain of addresses: each load needs the one before it.
 *              Accesses of 32, 64 and 128 bits, in L1, in L2 and in memory. Clocks of one load.
 * structures   The length of (x,y,z) of particles of 8 floats. GB/s: bytes that the kernel needs, 12 read and
 *              4 written; moved: whole sectors, 36 or 16. The document's kernel for an array of structures,
 *              then examples/vector/structures.cu for both layouts.
 * overlap      The product of matrices of halves, 4096 cubed, by tiles of (128,128) with one block on each
 *              multiprocessor. Copies alone, products alone, one after the other, and at once. Seconds.
 *
 * Each result is compared before it is timed. Every figure is the median of the rounds, and the forms of a
 * part take turns. */
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <cutlet/device/copy.h>
#include <cutlet/device/mma_loop.h>
#include <cutlet/device/pipeline_cp_async.h>
#include <cutlet/device/static.h>
#include <cutlet/mma/mma_partition.h>
#include <cutlet/algebra/read.h>
#include <cutlet/algebra/tensor_ops.h>

#include "../../examples/vector/structures.cu"

static int rounds = 21;

static void must(cudaError_t e, const char *what)
{
    if (e == cudaSuccess) return;
    fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(e));
    exit(2);
}

static void refuse(const char *what)
{
    fprintf(stderr, "%s is wrong\n", what);
    exit(1);
}

static double median(std::vector<double> x)
{
    std::sort(x.begin(), x.end());
    return x[x.size() / 2];
}

static void say(const char *part, const char *form, double value, const char *unit)
{
    printf("%s\t%s\t%.6g\t%s\n", part, form, value, unit);
    fflush(stdout);
}

template <class F> static double seconds_of(F launch)
{
    static cudaEvent_t begin, end;
    if (!begin) must(cudaEventCreate(&begin), "event"), must(cudaEventCreate(&end), "event");
    float ms = 0;
    must(cudaEventRecord(begin), "record");
    launch();
    must(cudaEventRecord(end), "record");
    must(cudaEventSynchronize(end), "wait");
    must(cudaEventElapsedTime(&ms, begin, end), "time");
    return 1e-3 * ms;
}

/* ---- latency --------------------------------------------------------------------------------- */

enum { LOADS = 512, MOST_LINKS = 1 << 20, OTHER = 256 << 20 };

/* One link of the chain: the first word says where the next access is, the others are 0. All four are added,
 * so that every word must have come; `zero` stands for those that a width lacks, so that each width has the
 * same arithmetic. */
template <int BITS> __device__ unsigned follow(const char *at, unsigned zero)
{
    unsigned w[4] = {0, zero, zero, zero};
    if (BITS == 32) asm volatile("ld.global.u32 %0, [%1];" : "=r"(w[0]) : "l"(at) : "memory");
    if (BITS == 64)
        asm volatile("ld.global.v2.u32 {%0, %1}, [%2];" : "=r"(w[0]), "=r"(w[1]) : "l"(at) : "memory");
    if (BITS == 128)
        asm volatile("ld.global.v4.u32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(w[0]), "=r"(w[1]), "=r"(w[2]), "=r"(w[3]) : "l"(at) : "memory");
    return w[0] + w[1] + (w[2] ^ w[3]);
}

/* clocks[0]: of LOADS loads after `warm` others; clocks[1]: where the chain ended. zero is 0. */
template <int BITS>
__global__ void chain(const char *memory, unsigned mine, unsigned zero, int warm, long long *clocks)
{
    unsigned at = zero;
    const char *const base = memory + threadIdx.x * mine;
    for (int i = 0; i < warm; ++i) at = follow<BITS>(base + at, zero);
    const long long begin = clock64();
    for (int i = 0; i < LOADS; ++i) at = follow<BITS>(base + at, zero);
    const long long end = clock64();
    if (threadIdx.x == 0) clocks[0] = end - begin, clocks[1] = at;
}

static void launch_chain(int bits, int threads, const char *memory, int warm, long long *clocks)
{
    const unsigned mine = bits / 8; /* bytes from a lane's access to the next lane's */
    if (bits == 32) chain<32><<<1, threads>>>(memory, mine, 0, warm, clocks);
    if (bits == 64) chain<64><<<1, threads>>>(memory, mine, 0, warm, clocks);
    if (bits == 128) chain<128><<<1, threads>>>(memory, mine, 0, warm, clocks);
    must(cudaGetLastError(), "chain");
}

/* A ring through `links` places of 512 bytes in a random order, the same for every width: the first word of
 * each access has the byte offset of the next place, the other words are 0. */
static std::vector<unsigned> make_ring(int links, int bits)
{
    std::vector<unsigned> order(links), words((size_t)links * 128, 0);
    unsigned random = 1;
    for (int i = 0; i < links; ++i) order[i] = i;
    for (int i = links - 1; i > 0; --i) {
        random = random * 1664525u + 1013904223u;
        std::swap(order[i], order[(unsigned)((unsigned long long)random * (i + 1) >> 32)]);
    }
    for (int i = 0; i < links; ++i)
        for (int word = 0; word < 128; word += bits / 32)
            words[(size_t)order[i] * 128 + word] = order[(i + 1) % links] * 512;
    return words;
}

static void time_chains(const char *name, int links, int warm, char *const memory[3], char *other,
                        long long *clocks)
{
    std::vector<unsigned> ring[3];
    for (int w = 0; w < 3; ++w) {
        ring[w] = make_ring(links, 32 << w);
        must(cudaMemcpy(memory[w], ring[w].data(), ring[w].size() * 4, cudaMemcpyHostToDevice), "copy");
    }
    for (int threads = 1; threads <= 32; threads += 31) {
        std::vector<double> all[3];
        for (int round = 0; round < rounds; ++round)
            for (int w = 0; w < 3; ++w) {
                long long got[2];
                unsigned at = 0; /* the same chain on the host */
                must(cudaMemset(other, 0, OTHER), "set"); /* L2 holds nothing of the ring */
                launch_chain(32 << w, threads, memory[w], warm, clocks);
                must(cudaMemcpy(got, clocks, sizeof got, cudaMemcpyDeviceToHost), "copy");
                for (int i = 0; i < warm + LOADS; ++i) at = ring[w][at / 4];
                if (got[1] != (long long)at) refuse("the end of a chain");
                all[w].push_back((double)got[0] / LOADS);
            }
        for (int w = 0; w < 3; ++w) {
            char form[64];
            snprintf(form, sizeof form, "%s, %s, %d bits", name, threads == 1 ? "thread" : "warp", 32 << w);
            say("latency", form, median(all[w]), "clocks");
        }
    }
}

static void time_latency(void)
{
    char *memory[3] = {nullptr, nullptr, nullptr}, *other = nullptr;
    long long *clocks = nullptr;
    for (int w = 0; w < 3; ++w) must(cudaMalloc(&memory[w], (size_t)MOST_LINKS * 512), "memory");
    must(cudaMalloc(&other, OTHER), "memory");
    must(cudaMalloc(&clocks, 2 * sizeof *clocks), "memory");
    time_chains("L1", 128, 256, memory, other, clocks);
    time_chains("L2", 8192, 8192, memory, other, clocks);
    time_chains("memory", MOST_LINKS, 16, memory, other, clocks); /* no place of it is met twice */
    for (int w = 0; w < 3; ++w) cudaFree(memory[w]);
    cudaFree(other);
    cudaFree(clocks);
}

/* ---- structures ------------------------------------------------------------------------------ */

struct particle {
    float x, y, z, vx, vy, vz, mass, padding;
};

/* A thread for each structure, as the document has it. */
__global__ void structure_each(const particle *p, float *out, int n)
{
    const int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i >= n) return;
    const particle a = p[i];
    out[i] = sqrtf(a.x * a.x + a.y * a.y + a.z * a.z);
}

static void time_structures(void)
{
    const int n = 1 << 25;
    float *in = nullptr, *out = nullptr;
    std::vector<float> host((size_t)n * 8), right(n), got(n);
    must(cudaMalloc(&in, (size_t)n * 32), "memory");
    must(cudaMalloc(&out, (size_t)n * 4), "memory");
    std::vector<double> all[3];
    const char *const form[3] = {"array of structures, a thread each", "array of structures, 16 bytes",
                                 "structure of arrays, 16 bytes"};
    for (int i = 0; i < n; ++i) {
        const float x = (float)(i % 17), y = (float)(i % 5), z = (float)(i % 3);
        right[i] = sqrtf(x * x + y * y + z * z);
    }
    for (int f = 0; f < 3; ++f) {
        const int columns = f == 2;
        for (int i = 0; i < n; ++i)
            for (int k = 0; k < 8; ++k)
                host[columns ? (size_t)k * n + i : (size_t)i * 8 + k] =
                    k == 0 ? (float)(i % 17) : k == 1 ? (float)(i % 5) : k == 2 ? (float)(i % 3) : -1.f;
        must(cudaMemcpy(in, host.data(), host.size() * 4, cudaMemcpyHostToDevice), "copy");
        must(cudaMemset(out, 0, (size_t)n * 4), "set");
        const particles_args args = make_particles_args(in, out, n, columns ? 1 : 8, columns ? n : 1);
        if (args.particles.err.status || args.lengths.err.status) refuse("a tensor of particles");
        const auto launch = [&] {
            if (f == 0) structure_each<<<n / 256, 256>>>((const particle *)in, out, n);
            else particle_lengths<<<(unsigned)particles_blocks(n), PARTICLES_THREADS>>>(args);
            must(cudaGetLastError(), "launch");
        };
        launch();
        must(cudaMemcpy(got.data(), out, (size_t)n * 4, cudaMemcpyDeviceToHost), "copy");
        for (int i = 0; i < n; ++i)
            if (fabsf(got[i] - right[i]) > 1e-6f * right[i]) refuse(form[f]);
        for (int round = 0; round < rounds; ++round) all[f].push_back(seconds_of(launch));
    }
    for (int f = 0; f < 3; ++f) {
        say("structures", form[f], 16.0 * n / median(all[f]) / 1e9, "GB/s needed");
        say("structures", form[f], (f == 2 ? 16.0 : 36.0) * n / median(all[f]) / 1e9, "GB/s moved");
    }
    cudaFree(in);
    cudaFree(out);
}

/* ---- overlap --------------------------------------------------------------------------------- */

enum { STAGES = 3, STEPS = 4, WORDS = 16, TILE = 128, C_WORDS = 128, SIDE = 4096, SHARED = 128 << 10 };
enum { COPIES = 1, PRODUCTS = 2, AT_ONCE = 4 };

struct product_args {
    ct_global a, b, d; /* (m,k), (n,k), (m,n) */
};

struct product_plan {
    ct_mma_loop loop;
    ct_partition load, part_a, part_b, out;
};

CT_FN product_plan make_product(void)
{
    product_plan p = CT_ZERO;
    const ct_mma_atom atom = ct_make_mma_atom("SM80_16x8x16_F32F16F16F32_TN");
    const ct_tiler order = ct_tiler2(ct_read("32"), ct_read("(8,2,2):(1,16,8)"));
    const ct_tiled_mma mma = ct_make_tiled_mma(atom, ct_read("(2,2)"), order);
    const ct_tuple tile = ct_tuple2(TILE, 64);
    const ct_memory stage =
        ct_in_shared(ct_make_swizzled(ct_make_swizzle(3, 3, 3), 0, ct_layout2(TILE, 64, 64, 1)));
    const ct_copy_atom async = ct_copy_atom_cp_async(CT_ATOM_CP_ASYNC_CG, 128, 16);
    const ct_copy_atom matrices = ct_copy_atom_matrix(CT_ATOM_LDMATRIX, 4, 16);
    p.loop = ct_make_mma_loop(mma, ct_tuple2(TILE, TILE));
    p.load = ct_make_partition(ct_make_tiled_copy(async, ct_read("(16,8):(8,1)"), ct_read("(1,8)")), tile,
                               ct_in_global(1), stage);
    p.part_a = ct_make_partition(ct_make_tiled_copy_a(matrices, mma), tile, stage, ct_in_registers());
    p.part_b = ct_make_partition(ct_make_tiled_copy_b(matrices, mma), tile, stage, ct_in_registers());
    p.out = ct_make_partition(ct_make_tiled_copy_c(ct_copy_atom_auto(32), mma), ct_tuple2(TILE, TILE),
                              ct_in_registers(), ct_in_global(1));
    return p;
}

CT_DEVICE void fetch(const ct_partition *P, const product_args *args, void *memory, int stage, int k)
{
    ct_copy(P, ct_view_tile(&args->a, P, ct_index2(blockIdx.y, k)), ct_view_stage(&P->dst, memory, stage));
    ct_copy(P, ct_view_tile(&args->b, P, ct_index2(blockIdx.x, k)),
            ct_view_stage(&P->dst, memory, STAGES + stage));
}

CT_DEVICE void multiply(const product_plan *p, void *memory, int stage, uint32_t *sum)
{
    CT_FRAGMENT(uint32_t, a, STEPS * WORDS);
    CT_FRAGMENT(uint32_t, b, STEPS * WORDS);
    const ct_view of_a = ct_view_stage(&p->load.dst, memory, stage);
    const ct_view of_b = ct_view_stage(&p->load.dst, memory, STAGES + stage);
    CT_UNROLL for (int step = 0; step < STEPS; ++step) {
        ct_copy_part(&p->part_a, of_a, ct_view_registers(a), step, STEPS);
        ct_copy_part(&p->part_b, of_b, ct_view_registers(b), step, STEPS);
        ct_mma_step(&p->loop, sum, a + step * WORDS, b + step * WORDS);
    }
}

/* WHAT: COPIES, PRODUCTS (of the tiles that were fetched first), both in turn, or both AT_ONCE. */
template <int WHAT> __global__ void __launch_bounds__(128) product(const product_args args)
{
    CT_STATIC(product_plan, p, make_product());
    CT_SHARED_DYNAMIC(unsigned char, memory);
    CT_FRAGMENT(uint32_t, sum, C_WORDS);
    CT_UNROLL for (int i = 0; i < C_WORDS; ++i) sum[i] = 0;
    const int tiles = (int)ct_tiles_along(&args.a, &p.load, 1), ahead = WHAT & AT_ONCE ? STAGES - 1 : 0;
    const int first = WHAT == COPIES ? STAGES - 1 : WHAT == PRODUCTS ? 1 : ahead;
    for (int k = 0; k < first; ++k) {
        fetch(&p.load, &args, memory, k, k);
        ct_cp_async_commit();
    }
    for (int k = 0; k < tiles; ++k) {
        if (WHAT == (COPIES | PRODUCTS)) { /* fetch, wait, multiply */
            fetch(&p.load, &args, memory, 0, k);
            ct_cp_async_commit();
            ct_cp_async_wait_all();
            __syncthreads();
            multiply(&p, memory, 0, sum);
            __syncthreads();
            continue;
        }
        if (WHAT != PRODUCTS || k == 0) ct_cp_async_stage_wait(WHAT == PRODUCTS ? 1 : STAGES);
        if (WHAT != PRODUCTS) {
            const int next = k + STAGES - 1;
            if (next < tiles) fetch(&p.load, &args, memory, next % STAGES, next);
            ct_cp_async_commit();
        }
        if (WHAT & PRODUCTS) multiply(&p, memory, WHAT == PRODUCTS ? 0 : k % STAGES, sum);
    }
    ct_copy(&p.out, ct_view_registers(sum), ct_view_tile(&args.d, &p.out, ct_index2(blockIdx.y, blockIdx.x)));
}

/* Small integers: every sum is exact. Halves of -2, -1, 0, 1, 2. */
static int element(size_t i) { return (int)((i * 2654435761u >> 13) % 5) - 2; }

static void time_overlap(void)
{
    static const unsigned short half[5] = {0xc000, 0xbc00, 0, 0x3c00, 0x4000};
    const size_t n = (size_t)SIDE * SIDE;
    std::vector<unsigned short> a(n), b(n);
    std::vector<float> d(n);
    product_args args = CT_ZERO;
    void *on_a = nullptr, *on_b = nullptr, *on_d = nullptr;
    for (size_t i = 0; i < n; ++i) a[i] = half[element(i) + 2], b[i] = half[element(i + n) + 2];
    must(cudaMalloc(&on_a, 2 * n), "memory");
    must(cudaMalloc(&on_b, 2 * n), "memory");
    must(cudaMalloc(&on_d, 4 * n), "memory");
    must(cudaMemcpy(on_a, a.data(), 2 * n, cudaMemcpyHostToDevice), "copy");
    must(cudaMemcpy(on_b, b.data(), 2 * n, cudaMemcpyHostToDevice), "copy");
    args.a = ct_make_global(on_a, 16, ct_layout2(SIDE, SIDE, SIDE, 1));
    args.b = ct_make_global(on_b, 16, ct_layout2(SIDE, SIDE, SIDE, 1));
    args.d = ct_make_global(on_d, 32, ct_layout2(SIDE, SIDE, SIDE, 1));
    const char *const form[4] = {"copies alone", "products alone", "one after the other", "at once"};
    void (*const kernel[4])(product_args) = {product<COPIES>, product<PRODUCTS>, product<COPIES | PRODUCTS>,
                                             product<COPIES | PRODUCTS | AT_ONCE>};
    std::vector<double> all[4];
    for (int f = 0; f < 4; ++f)
        must(cudaFuncSetAttribute(kernel[f], cudaFuncAttributeMaxDynamicSharedMemorySize, SHARED), "shared");
    for (int round = -1; round < rounds; ++round)
        for (int f = 0; f < 4; ++f) {
            const double s = seconds_of([&] {
                kernel[f]<<<dim3(SIDE / TILE, SIDE / TILE), 128, SHARED>>>(args);
                must(cudaGetLastError(), "launch");
            });
            if (round >= 0) all[f].push_back(s);
            if (round >= 0 || f < 2) continue;
            must(cudaMemcpy(d.data(), on_d, 4 * n, cudaMemcpyDeviceToHost), "copy");
            for (size_t at = 0; at < n; at += 65521) { /* elements from everywhere */
                const size_t i = at / SIDE, j = at % SIDE;
                int sum = 0;
                for (size_t k = 0; k < SIDE; ++k) sum += element(i * SIDE + k) * element(j * SIDE + k + n);
                if (d[at] != (float)sum) refuse(form[f]);
            }
        }
    for (int f = 0; f < 4; ++f) say("overlap", form[f], 1e6 * median(all[f]), "us");
}

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "--rounds") == 0) rounds = atoi(argv[2]);
    if (rounds < 1 || (argc != 1 && argc != 3))
        return fprintf(stderr, "usage: claims [--rounds N]\n"), 2;
    cudaDeviceProp about;
    must(cudaGetDeviceProperties(&about, 0), "device");
    printf("# %s, medians of %d rounds\npart\tform\tvalue\tunit\n", about.name, rounds);
    time_latency();
    time_structures();
    time_overlap();
    return 0;
}
