/* What memory that is used in part costs: reads, writes and copies of `used` bytes of every `pitch`,
 * beside all of it. It is where the bounds in docs/benchmarks.md for padded rows come from.
 *
 *     nvcc -arch=native -O3 -o partial_lines partial_lines.cu && ./partial_lines > h200_partial_lines.tsv
 */
#include <cstdint>
#include <cstdio>
#include <algorithm>

static const int64_t PAYLOAD = int64_t(4) << 30; /* bytes that are used, of each side */

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

static float run(int mode, const uint32_t *src, uint32_t *dst, uint32_t used, uint32_t pitch)
{
    const unsigned blocks = unsigned(PAYLOAD / 4 / 1024);
    float times[9];
    cudaEvent_t from, to;
    cudaEventCreate(&from);
    cudaEventCreate(&to);
    for (float &t : times) {
        cudaEventRecord(from);
        if (mode == 1) walk<1><<<blocks, 256>>>(src, dst, used, pitch);
        else if (mode == 2) walk<2><<<blocks, 256>>>(src, dst, used, pitch);
        else walk<3><<<blocks, 256>>>(src, dst, used, pitch);
        cudaEventRecord(to);
        cudaEventSynchronize(to);
        cudaEventElapsedTime(&t, from, to);
    }
    std::sort(times, times + 9);
    return times[4];
}

int main()
{
    static const uint32_t rows[][2] = {{32, 32}, {32, 64}, {64, 128}, {32, 128}, {64, 256},
                                       {128, 256}, {256, 260}, {228, 232}, {256, 288}, {252, 256}};
    static const char *const modes[] = {"", "read", "write", "copy"};
    uint32_t *src, *dst;
    cudaDeviceProp device;
    if (cudaGetDeviceProperties(&device, 0) || cudaMalloc(&src, PAYLOAD * 4 + (1 << 20)) ||
        cudaMalloc(&dst, PAYLOAD * 4 + (1 << 20)))
        return 1;
    cudaMemset(src, 0, PAYLOAD * 4);
    printf("# %s, payload of %lld bytes a side, medians of 9\n# mode\tused\tpitch\tms\tGB/s of payload\n",
           device.name, (long long)PAYLOAD);
    for (const auto &row : rows)
        for (int mode = 1; mode <= 3; ++mode) {
            const float ms = run(mode, src, dst, row[0] / 4, row[1] / 4);
            const double sides = mode == 3 ? 2 : 1;
            printf("%s\t%u\t%u\t%.3f\t%.0f\n", modes[mode], row[0], row[1], ms,
                   1e-6 * sides * PAYLOAD / ms);
        }
    return cudaDeviceSynchronize() != cudaSuccess;
}
