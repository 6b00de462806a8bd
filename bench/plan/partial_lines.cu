/* What memory that is used in part costs: reads, writes and copies of `used` bytes of every `pitch`,
 * beside all of it. It is where the bounds in docs/benchmarks.md for padded rows come from.
 *
 *     nvcc -arch=native -O3 -Iinclude -o partial_lines bench/plan/partial_lines.cu build/src/libcutlet.a
 *     partial_lines > h200_partial_lines.tsv
 */
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include <cutlet/host/cuda.h>

static const int64_t PAYLOAD = int64_t(4) << 30; /* bytes that are used, of each side */
enum { RUNS = 9 };

/* Word w of what is used lies at this word. */
__device__ int64_t place(int64_t w, uint32_t used, uint32_t pitch)
{
    return w / used * pitch + w % used;
}

template <int MODE> /* 1: reads, 2: writes, 3: copies */
__global__ void __launch_bounds__(256) walk(const uint32_t *src, uint32_t *dst, uint32_t used,
                                            uint32_t pitch)
{
    const int64_t first = (int64_t)blockIdx.x * 1024 + threadIdx.x;
    uint32_t v[4] = {1, 2, 3, 4};
    if (MODE & 1)
        for (int i = 0; i < 4; ++i) v[i] = src[place(first + 256 * i, used, pitch)];
    if (MODE & 2)
        for (int i = 0; i < 4; ++i) dst[place(first + 256 * i, used, pitch)] = v[i];
    else if ((v[0] ^ v[1] ^ v[2] ^ v[3]) == 0x12345678u) dst[0] = 1;
}

/* A walk to be timed. */
struct walked {
    int mode;
    const uint32_t *src;
    uint32_t *dst;
    uint32_t used, pitch;
};

static void fail(const char *why)
{
    fprintf(stderr, "partial_lines: %s\n", why);
    exit(2);
}

static ct_status queue(ct_cuda *gpu, void *user, int)
{
    const walked *const w = (const walked *)user;
    const unsigned blocks = unsigned(PAYLOAD / 4 / 1024);
    const cudaStream_t stream = (cudaStream_t)ct_cuda_stream(gpu);
    if (w->mode == 1) walk<1><<<blocks, 256, 0, stream>>>(w->src, w->dst, w->used, w->pitch);
    else if (w->mode == 2) walk<2><<<blocks, 256, 0, stream>>>(w->src, w->dst, w->used, w->pitch);
    else walk<3><<<blocks, 256, 0, stream>>>(w->src, w->dst, w->used, w->pitch);
    const cudaError_t bad = cudaGetLastError();
    if (bad) fail(cudaGetErrorString(bad));
    return CT_OK;
}

int main()
{
    static const uint32_t rows[][2] = {{32, 32}, {32, 64}, {64, 128}, {32, 128}, {64, 256},
                                       {128, 256}, {256, 260}, {228, 232}, {256, 288}, {252, 256}};
    static const char *const modes[] = {"", "read", "write", "copy"};
    char reason[CT_MESSAGE_BYTES];
    ct_cuda *const gpu = ct_cuda_open(0, reason);
    if (!gpu) fail(reason);
    uint32_t *const src = (uint32_t *)ct_cuda_alloc(gpu, PAYLOAD * 4 + (1 << 20));
    uint32_t *const dst = src ? (uint32_t *)ct_cuda_alloc(gpu, PAYLOAD * 4 + (1 << 20)) : nullptr;
    if (!dst || ct_cuda_fill(gpu, src, 0, PAYLOAD * 4)) fail(ct_cuda_error(gpu));
    printf("# %s, payload of %lld bytes a side, medians of %d\n# mode\tused\tpitch\tms\tGB/s of payload\n",
           ct_cuda_about(gpu)->name, (long long)PAYLOAD, RUNS);
    for (const auto &row : rows)
        for (int mode = 1; mode <= 3; ++mode) {
            walked w = {mode, src, dst, row[0] / 4, row[1] / 4};
            const ct_cuda_work work = {queue, &w};
            double seconds[RUNS];
            if (ct_cuda_time(gpu, &work, 1, 1, RUNS, seconds)) fail(ct_cuda_error(gpu));
            const double median = ct_median(seconds, RUNS), sides = mode == 3 ? 2 : 1;
            printf("%s\t%u\t%u\t%.3f\t%.0f\n", modes[mode], row[0], row[1], 1e3 * median,
                   1e-9 * sides * PAYLOAD / median);
        }
    ct_cuda_close(gpu);
    return 0;
}
