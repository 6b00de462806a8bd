/* Where wgmma reads each element of B by a matrix descriptor: A is the identity, in registers, and
 * shared memory holds the number of each element, a digit at a time: D is where B was read from. */
#include "mma_descriptor_args.h"

#define R8(v, i) v(i), v(i + 1), v(i + 2), v(i + 3), v(i + 4), v(i + 5), v(i + 6), v(i + 7)
#define R64(v) R8(v, 0), R8(v, 8), R8(v, 16), R8(v, 24), R8(v, 32), R8(v, 40), R8(v, 48), R8(v, 56)
#define FLOAT(at) "+f"(d.real[at])
#define INT(at) "+r"(d.whole[at])
#define D64                                                                                            \
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, " \
    "%21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, "  \
    "%40, %41, %42, %43, %44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, "  \
    "%59, %60, %61, %62, %63}, {%64, %65, %66, %67}, %68, p"
#define WGMMA(form, text, tail, outs)                                                              \
    asm volatile("{\n.reg .pred p;\nsetp.eq.b32 p, 0, 1;\n"                                        \
                 "wgmma.fence.sync.aligned;\n"                                                     \
                 "wgmma.mma_async.sync.aligned." form " " text tail ";\n"                          \
                 "wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\n}\n"         \
                 : outs                                                                            \
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b)                              \
                 : "memory")
#define COMMA ,

union md_sums {
    float real[64];
    int whole[64];
};

/* One instruction: B by the descriptor b. */
template <int kind> __device__ void multiply(md_sums &d, const uint32_t a[4], uint64_t b)
{
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
    if constexpr (kind == MD_HALF_K) WGMMA("m64n128k16.f32.f16.f16", D64, ", 1, 1, 0", R64(FLOAT));
    if constexpr (kind == MD_HALF_N) WGMMA("m64n128k16.f32.f16.f16", D64, ", 1, 1, 1", R64(FLOAT));
    if constexpr (kind == MD_HALF_K_8)
        WGMMA("m64n8k16.f32.f16.f16", "{%0, %1, %2, %3}, {%4, %5, %6, %7}, %8, p", ", 1, 1, 0",
              FLOAT(0) COMMA FLOAT(1) COMMA FLOAT(2) COMMA FLOAT(3));
    if constexpr (kind == MD_HALF_N_8)
        WGMMA("m64n8k16.f32.f16.f16", "{%0, %1, %2, %3}, {%4, %5, %6, %7}, %8, p", ", 1, 1, 1",
              FLOAT(0) COMMA FLOAT(1) COMMA FLOAT(2) COMMA FLOAT(3));
    if constexpr (kind == MD_TF32) WGMMA("m64n128k8.f32.tf32.tf32", D64, ", 1, 1", R64(FLOAT));
    if constexpr (kind == MD_S8) WGMMA("m64n128k32.s32.s8.s8", D64, "", R64(INT));
#endif
}

/* The identity: the register of row `row` that begins with column `col`. */
template <int bytes> __device__ uint32_t identity(int row, int col)
{
    const uint32_t one = bytes == 1 ? 1 : bytes == 2 ? 0x3c00 : 0x3f800000;
    const int at = row - col;
    return at >= 0 && at < 4 / bytes ? one << (8 * bytes * at) : 0;
}

/* One digit of each element's number, from the window on; the type holds every digit. */
template <int bytes> __device__ void fill(unsigned char *window, int digit)
{
    const int bits = bytes == 1 ? 7 : 10;
    for (int e = (int)threadIdx.x; e < MD_WINDOW / bytes; e += (int)blockDim.x) {
        const int v = e >> (digit * bits) & ((1 << bits) - 1);
        if constexpr (bytes == 1) window[e] = (unsigned char)v;
        if constexpr (bytes == 4) ((float *)window)[e] = (float)v;
        if constexpr (bytes == 2) {
            unsigned short half = 0;
            asm("cvt.rn.f16.f32 %0, %1;" : "=h"(half) : "f"((float)v));
            ((unsigned short *)window)[e] = half;
        }
    }
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
}

template <int kind, int bytes> __device__ void read_all(const md_args &args, unsigned char *window)
{
    const int columns = kind == MD_HALF_K_8 || kind == MD_HALF_N_8 ? 8 : 128, k = 32 / bytes;
    const int lane = (int)threadIdx.x % 32, group = lane / 4, place = lane % 4;
    const int row = (int)threadIdx.x / 32 * 16 + group, run = 4 / bytes;
    const uint32_t base = (uint32_t)__cvta_generic_to_shared(window);
    const uint32_t a[4] = {identity<bytes>(row, run * place), identity<bytes>(row + 8, run * place),
                           identity<bytes>(row, run * (place + 4)),
                           identity<bytes>(row + 8, run * (place + 4))};
    for (int digit = 0; digit < (bytes == 1 ? 3 : 2); ++digit) {
        __syncthreads();
        fill<bytes>(window, digit);
        for (int n = 0; n < args.count; ++n) {
            md_sums d = {};
            multiply<kind>(d, a, args.descriptor[n] + (base >> 4));
            int32_t *const to = args.address + (size_t)n * MD_MOST;
            for (int i = 0; i < columns / 2; ++i) {
                const int r = row + i % 4 / 2 * 8, c = i / 4 * 8 + 2 * place + i % 2;
                const int v = bytes == 1 ? d.whole[i] : (int)d.real[i];
                if (r < k) to[c + columns * r] += (v << (digit * (bytes == 1 ? 7 : 10))) * bytes;
            }
        }
    }
}

extern "C" __global__ void __launch_bounds__(128) md_read(const md_args args)
{
    extern __shared__ unsigned char memory[];
    const uint32_t at = (uint32_t)__cvta_generic_to_shared(memory);
    unsigned char *const window = memory + (1024 - at % 1024) % 1024;
    switch (args.kind) {
        case MD_HALF_K: read_all<MD_HALF_K, 2>(args, window); break;
        case MD_HALF_N: read_all<MD_HALF_N, 2>(args, window); break;
        case MD_HALF_K_8: read_all<MD_HALF_K_8, 2>(args, window); break;
        case MD_HALF_N_8: read_all<MD_HALF_N_8, 2>(args, window); break;
        case MD_TF32: read_all<MD_TF32, 4>(args, window); break;
        case MD_S8: read_all<MD_S8, 1>(args, window); break;
        default: break;
    }
}
