/* Three statements of the documents, timed on one GPU. Prints tab-separated lines: part, form, value, unit.
 *
 *     nvcc -O3 -std=c++17 -arch=native -Iinclude -Iexamples/vector -o claims bench/documents/claims.cu \
 *         build/src/libcutlet.a
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
 * part take turns. ct_cuda_time takes the seconds; kernels count the clocks. */
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <vector>

#include <cutlet/device/copy/copy.h>
#include <cutlet/device/mma/gemm.h>
#include <cutlet/device/pipeline/pipeline_cp_async.h>
#include <cutlet/device/kernel/static.h>
#include <cutlet/mma/mma_partition.h>
#include <cutlet/algebra/read.h>
#include <cutlet/algebra/tensor_ops.h>
#include <cutlet/host/cuda.h>

#include "../../examples/vector/structures.cu"

static int rounds = 21;
static ct_cuda *gpu;
static cudaStream_t stream; /* in which all is queued */

static void fail(const char *what, const char *why)
{
    fprintf(stderr, "claims: %s: %s\n", what, why);
    exit(2);
}

static void must(ct_status s, const char *what)
{
    if (s) fail(what, ct_cuda_error(gpu));
}

static void must_launch(const char *what)
{
    const cudaError_t e = cudaGetLastError();
    if (e) fail(what, cudaGetErrorString(e));
}

template <class T> static T *take(size_t count)
{
    void *const memory = ct_cuda_alloc(gpu, count * sizeof(T));
    if (!memory) fail("memory", ct_cuda_error(gpu));
    return (T *)memory;
}

static void refuse(const char *what)
{
    fprintf(stderr, "claims: %s is wrong\n", what);
    exit(1);
}

static void say(const char *part, const char *form, double value, const char *unit)
{
    printf("%s\t%s\t%.6g\t%s\n", part, form, value, unit);
    fflush(stdout);
}

using launch = std::function<void()>;

static ct_status queue(ct_cuda *, void *user, int)
{
    (*(const launch *)user)();
    return CT_OK;
}

/* The median of each launch's seconds, all of them timed in turn. */
static std::vector<double> medians_of(std::vector<launch> &launches)
{
    std::vector<ct_cuda_work> works;
    std::vector<double> seconds(launches.size() * rounds), medians;
    for (launch &l : launches) works.push_back({queue, &l});
    must(ct_cuda_time(gpu, works.data(), (int32_t)works.size(), 1, rounds, seconds.data()), "time");
    for (size_t f = 0; f < launches.size(); ++f)
        medians.push_back(ct_median(&seconds[f * rounds], rounds));
    return medians;
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
        asm volatile("ld.global.v2.u32 {%0, %1}, [%2];"
                     : "=r"(w[0]), "=r"(w[1])
                     : "l"(at)
                     : "memory");
    if (BITS == 128)
        asm volatile("ld.global.v4.u32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(w[0]), "=r"(w[1]), "=r"(w[2]), "=r"(w[3])
                     : "l"(at)
                     : "memory");
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
    if (bits == 32) chain<32><<<1, threads, 0, stream>>>(memory, mine, 0, warm, clocks);
    if (bits == 64) chain<64><<<1, threads, 0, stream>>>(memory, mine, 0, warm, clocks);
    if (bits == 128) chain<128><<<1, threads, 0, stream>>>(memory, mine, 0, warm, clocks);
    must_launch("chain");
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
        must(ct_cuda_upload(gpu, memory[w], ring[w].data(), ring[w].size() * 4), "copy");
    }
    for (int threads = 1; threads <= 32; threads += 31) {
        std::vector<double> all[3];
        for (int round = 0; round < rounds; ++round)
            for (int w = 0; w < 3; ++w) {
                long long got[2];
                unsigned at = 0;                                 /* the same chain on the host */
                must(ct_cuda_fill(gpu, other, 0, OTHER), "set"); /* L2 holds nothing of the ring */
                launch_chain(32 << w, threads, memory[w], warm, clocks);
                must(ct_cuda_download(gpu, got, clocks, sizeof got), "copy");
                for (int i = 0; i < warm + LOADS; ++i) at = ring[w][at / 4];
                if (got[1] != (long long)at) refuse("the end of a chain");
                all[w].push_back((double)got[0] / LOADS);
            }
        for (int w = 0; w < 3; ++w) {
            char form[64];
            snprintf(form, sizeof form, "%s, %s, %d bits", name, threads == 1 ? "thread" : "warp",
                     32 << w);
            say("latency", form, ct_median(all[w].data(), rounds), "clocks");
        }
    }
}

static void time_latency(void)
{
    char *memory[3], *const other = take<char>(OTHER);
    long long *const clocks = take<long long>(2);
    for (int w = 0; w < 3; ++w) memory[w] = take<char>((size_t)MOST_LINKS * 512);
    time_chains("L1", 128, 256, memory, other, clocks);
    time_chains("L2", 8192, 8192, memory, other, clocks);
    time_chains("memory", MOST_LINKS, 16, memory, other, clocks); /* no place of it is met twice */
    for (int w = 0; w < 3; ++w) must(ct_cuda_free(gpu, memory[w]), "memory");
    must(ct_cuda_free(gpu, other), "memory");
    must(ct_cuda_free(gpu, clocks), "memory");
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
    float *const out = take<float>(n), *const in[2] = {take<float>((size_t)n * 8),
                                                       take<float>((size_t)n * 8)};
    std::vector<float> host((size_t)n * 8), right(n), got(n);
    std::vector<launch> launches;
    const char *const form[3] = {"array of structures, a thread each",
                                 "array of structures, 16 bytes", "structure of arrays, 16 bytes"};
    for (int i = 0; i < n; ++i) {
        const float x = (float)(i % 17), y = (float)(i % 5), z = (float)(i % 3);
        right[i] = sqrtf(x * x + y * y + z * z);
    }
    for (int f = 0; f < 3; ++f) {
        const int columns = f == 2;
        for (int i = 0; i < n; ++i)
            for (int k = 0; k < 8; ++k)
                host[columns ? (size_t)k * n + i : (size_t)i * 8 + k] = k == 0   ? (float)(i % 17)
                                                                        : k == 1 ? (float)(i % 5)
                                                                        : k == 2 ? (float)(i % 3)
                                                                                 : -1.f;
        must(ct_cuda_upload(gpu, in[columns], host.data(), host.size() * 4), "copy");
        must(ct_cuda_fill(gpu, out, 0, (size_t)n * 4), "set");
        const particles_args args =
            make_particles_args(in[columns], out, n, columns ? 1 : 8, columns ? n : 1);
        if (args.particles.err.status || args.lengths.err.status) refuse("a tensor of particles");
        launches.push_back([=] {
            if (f == 0)
                structure_each<<<n / 256, 256, 0, stream>>>((const particle *)in[0], out, n);
            else
                particle_lengths<<<(unsigned)particles_blocks(n), PARTICLES_THREADS, 0, stream>>>(
                    args);
            must_launch("particles");
        });
        launches[f]();
        must(ct_cuda_download(gpu, got.data(), out, (size_t)n * 4), "copy");
        for (int i = 0; i < n; ++i)
            if (fabsf(got[i] - right[i]) > 1e-6f * right[i]) refuse(form[f]);
    }
    const std::vector<double> seconds = medians_of(launches);
    for (int f = 0; f < 3; ++f) {
        say("structures", form[f], 16.0 * n / seconds[f] / 1e9, "GB/s needed");
        say("structures", form[f], (f == 2 ? 16.0 : 36.0) * n / seconds[f] / 1e9, "GB/s moved");
    }
    for (float *const memory : {in[0], in[1], out}) must(ct_cuda_free(gpu, memory), "memory");
}

/* ---- overlap --------------------------------------------------------------------------------- */

enum { STAGES = 3, TILE = 128, SIDE = 4096, SHARED = 128 << 10 };
enum { COPIES = 1, PRODUCTS = 2, AT_ONCE = 4 };

struct product_args {
    ct_global a, b, d; /* (m,k), (n,k), (m,n) */
};

struct product_plan {
    ct_gemm_partition mma;
    ct_fragment sums;
    ct_partition load, out;
};
CT_PLAN(product_plan);

CT_FN product_plan make_product(void)
{
    product_plan p = CT_ZERO;
    const ct_mma_atom atom = ct_make_mma_atom("SM80_16x8x16_F32F16F16F32_TN");
    const ct_tiler order = ct_tiler2(ct_read("32"), ct_read("(8,2,2):(1,16,8)"));
    const ct_tiled_mma mma = ct_make_tiled_mma(atom, ct_read("(2,2)"), order);
    const ct_tuple tile = ct_tuple2(TILE, 64);
    const ct_memory stage = ct_in_shared(ct_make_swizzled(
        ct_make_swizzle(3, 3, 3), 0, ct_layout3(TILE, 64, STAGES, 64, 1, TILE * 64)));
    const ct_copy_atom async = ct_copy_atom_cp_async(CT_ATOM_CP_ASYNC_CG, 128, 16);
    p.mma = ct_make_gemm(mma, ct_tuple3(TILE, TILE, 64), stage, stage);
    p.sums = ct_fragment_c(mma, ct_tuple2(TILE, TILE));
    p.load = ct_make_partition(ct_make_tiled_copy(async, ct_read("(16,8):(8,1)"), ct_read("(1,8)")),
                               tile, ct_in_global(1), stage);
    p.out = ct_make_partition(ct_make_tiled_copy_c(ct_copy_atom_auto(32), mma),
                              ct_tuple2(TILE, TILE), ct_in_registers(), ct_in_global(1));
    return p;
}

CT_DEVICE void fetch(const ct_partition *P, const product_args *args, void *memory, int stage,
                     int k)
{
    ct_copy(P, ct_view_tile(&args->a, P, ct_index2(blockIdx.y, k)),
            ct_view_stage(&P->dst, memory, stage));
    ct_copy(P, ct_view_tile(&args->b, P, ct_index2(blockIdx.x, k)),
            ct_view_stage(&P->dst, memory, STAGES + stage));
}

/* WHAT: COPIES, PRODUCTS (of the tiles that were fetched first), both in turn, or both AT_ONCE. */
CT_DEVICE void multiply(const product_args &args, const int WHAT)
{
    CT_STATIC_PLAN(product_plan, p, make_product());
    CT_SHARED_DYNAMIC(unsigned char, memory);
    CT_REGISTERS_OF(float, sum, &p, sums);
    ct_clear(sum);
    const ct_gemm_operand a = ct_gemm_a(&p.mma, ct_view_shared(memory), threadIdx.x);
    const ct_gemm_operand b =
        ct_gemm_b(&p.mma, ct_view_stage(&p.load.dst, memory, STAGES), threadIdx.x);
    const int tiles = (int)ct_tiles_along(&args.a, &p.load, 1),
              ahead = WHAT & AT_ONCE ? STAGES - 1 : 0;
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
            ct_gemm(CT_OF(&p, mma), sum, a, b, 1);
            __syncthreads();
            continue;
        }
        if (WHAT != PRODUCTS || k == 0) ct_cp_async_stage_wait(WHAT == PRODUCTS ? 1 : STAGES);
        if (WHAT != PRODUCTS) {
            const int next = k + STAGES - 1;
            if (next < tiles) fetch(&p.load, &args, memory, next % STAGES, next);
            ct_cp_async_commit();
        }
        const int stage = WHAT == PRODUCTS ? 0 : k % STAGES;
        if (WHAT & PRODUCTS)
            ct_gemm(CT_OF(&p, mma), sum, ct_gemm_stage(a, stage), ct_gemm_stage(b, stage), 1);
    }
    ct_copy(&p.out, sum, ct_view_tile(&args.d, &p.out, ct_index2(blockIdx.y, blockIdx.x)));
}
template <int WHAT> __global__ void __launch_bounds__(128) product(const product_args args)
{
    multiply(args, WHAT);
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
    unsigned short *const on_a = take<unsigned short>(n), *const on_b = take<unsigned short>(n);
    float *const on_d = take<float>(n);
    for (size_t i = 0; i < n; ++i) a[i] = half[element(i) + 2], b[i] = half[element(i + n) + 2];
    must(ct_cuda_upload(gpu, on_a, a.data(), 2 * n), "copy");
    must(ct_cuda_upload(gpu, on_b, b.data(), 2 * n), "copy");
    args.a = ct_make_global(on_a, 16, ct_layout2(SIDE, SIDE, SIDE, 1));
    args.b = ct_make_global(on_b, 16, ct_layout2(SIDE, SIDE, SIDE, 1));
    args.d = ct_make_global(on_d, 32, ct_layout2(SIDE, SIDE, SIDE, 1));
    const char *const form[4] = {"copies alone", "products alone", "one after the other",
                                 "at once"};
    void (*const kernel[4])(product_args) = {product<COPIES>, product<PRODUCTS>,
                                             product<COPIES | PRODUCTS>,
                                             product<COPIES | PRODUCTS | AT_ONCE>};
    std::vector<launch> launches;
    for (int f = 0; f < 4; ++f) {
        const auto call = kernel[f];
        if (cudaFuncSetAttribute(call, cudaFuncAttributeMaxDynamicSharedMemorySize, SHARED))
            must_launch(form[f]);
        launches.push_back([=] {
            call<<<dim3(SIDE / TILE, SIDE / TILE), 128, SHARED, stream>>>(args);
            must_launch("product");
        });
        if (f < 2) continue; /* one half of the work has no result that is right */
        must(ct_cuda_fill(gpu, on_d, 0xff, 4 * n), "set");
        launches[f]();
        must(ct_cuda_download(gpu, d.data(), on_d, 4 * n), "copy");
        for (size_t at = 0; at < n; at += 65521) { /* elements from everywhere */
            const size_t i = at / SIDE, j = at % SIDE;
            int sum = 0;
            for (size_t k = 0; k < SIDE; ++k)
                sum += element(i * SIDE + k) * element(j * SIDE + k + n);
            if (d[at] != (float)sum) refuse(form[f]);
        }
    }
    const std::vector<double> seconds = medians_of(launches);
    for (int f = 0; f < 4; ++f) say("overlap", form[f], 1e6 * seconds[f], "us");
}

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "--rounds") == 0) rounds = atoi(argv[2]);
    if (rounds < 1 || (argc != 1 && argc != 3))
        return fprintf(stderr, "usage: claims [--rounds N]\n"), 2;
    char reason[CT_MESSAGE_BYTES];
    gpu = ct_cuda_open(0, reason);
    if (!gpu) return fprintf(stderr, "claims: %s\n", reason), 2;
    stream = (cudaStream_t)ct_cuda_stream(gpu);
    printf("# %s, medians of %d rounds\npart\tform\tvalue\tunit\n", ct_cuda_about(gpu)->name,
           rounds);
    time_latency();
    time_structures();
    time_overlap();
    ct_cuda_close(gpu);
    return 0;
}
