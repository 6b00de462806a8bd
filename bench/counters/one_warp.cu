/* Executes patterns of one warp, one launch of one memory instruction each, to be run under a
 * profiler:
 *
 *     one_warp PATTERNS.tsv
 *
 * A line is: kind, bits, 32 byte offsets (`-`: the lane is off) and, for cp.async, 32 byte offsets
 * of shared memory; further columns are ignored, and so are lines that begin with #. Launch n, from
 * 0, is the n-th pattern. The offsets come as kernel parameters, so that the instruction is the
 * only one that touches global or shared memory. */
#include <cstdio>
#include <cstdlib>
#include <cstring>

enum { LANES = 32, GLOBAL_BYTES = 1 << 22, SHARED_BYTES = 160 << 10 };

/* off: no byte offset is so large. */
static const unsigned OFF = ~0u;

struct lanes {
    unsigned offset[LANES], shared[LANES];
    char *global;
    unsigned *out;
    unsigned never; /* what no memory holds: a load is used, or the compiler would move it away */
};

enum kind { LDG, STG, LDS, STS, LDGSTS, LDGSTS_CG, LDSM, STSM, KINDS };

static const char *const names[KINDS] = {"ldg",    "stg",           "lds",  "sts",
                                         "ldgsts", "ldgsts.bypass", "ldsm", "stsm"};

/* What a load gets, so that the compiler keeps it. */
struct words {
    unsigned w[4];
};

template <int BITS> __device__ words load_global(const char *p)
{
    unsigned short h = 0;
    words v = {};
    if (BITS == 8) asm volatile("ld.global.u8 %0, [%1];" : "=h"(h) : "l"(p) : "memory");
    if (BITS == 16) asm volatile("ld.global.u16 %0, [%1];" : "=h"(h) : "l"(p) : "memory");
    if (BITS == 32) asm volatile("ld.global.u32 %0, [%1];" : "=r"(v.w[0]) : "l"(p) : "memory");
    if (BITS == 64)
        asm volatile("ld.global.v2.u32 {%0, %1}, [%2];"
                     : "=r"(v.w[0]), "=r"(v.w[1])
                     : "l"(p)
                     : "memory");
    if (BITS == 128)
        asm volatile("ld.global.v4.u32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(v.w[0]), "=r"(v.w[1]), "=r"(v.w[2]), "=r"(v.w[3])
                     : "l"(p)
                     : "memory");
    v.w[0] |= h;
    return v;
}

template <int BITS> __device__ void store_global(char *p)
{
    const unsigned short h = 1;
    if (BITS == 8) asm volatile("st.global.u8 [%0], %1;" ::"l"(p), "h"(h) : "memory");
    if (BITS == 16) asm volatile("st.global.u16 [%0], %1;" ::"l"(p), "h"(h) : "memory");
    if (BITS == 32) asm volatile("st.global.u32 [%0], %1;" ::"l"(p), "r"(1) : "memory");
    if (BITS == 64) asm volatile("st.global.v2.u32 [%0], {%1, %1};" ::"l"(p), "r"(1) : "memory");
    if (BITS == 128)
        asm volatile("st.global.v4.u32 [%0], {%1, %1, %1, %1};" ::"l"(p), "r"(1) : "memory");
}

template <int BITS> __device__ words load_shared(unsigned p)
{
    unsigned short h = 0;
    words v = {};
    if (BITS == 8) asm volatile("ld.shared.u8 %0, [%1];" : "=h"(h) : "r"(p) : "memory");
    if (BITS == 16) asm volatile("ld.shared.u16 %0, [%1];" : "=h"(h) : "r"(p) : "memory");
    if (BITS == 32) asm volatile("ld.shared.u32 %0, [%1];" : "=r"(v.w[0]) : "r"(p) : "memory");
    if (BITS == 64)
        asm volatile("ld.shared.v2.u32 {%0, %1}, [%2];"
                     : "=r"(v.w[0]), "=r"(v.w[1])
                     : "r"(p)
                     : "memory");
    if (BITS == 128)
        asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(v.w[0]), "=r"(v.w[1]), "=r"(v.w[2]), "=r"(v.w[3])
                     : "r"(p)
                     : "memory");
    v.w[0] |= h;
    return v;
}

template <int BITS> __device__ void store_shared(unsigned p)
{
    const unsigned short h = 1;
    if (BITS == 8) asm volatile("st.shared.u8 [%0], %1;" ::"r"(p), "h"(h) : "memory");
    if (BITS == 16) asm volatile("st.shared.u16 [%0], %1;" ::"r"(p), "h"(h) : "memory");
    if (BITS == 32) asm volatile("st.shared.u32 [%0], %1;" ::"r"(p), "r"(1) : "memory");
    if (BITS == 64) asm volatile("st.shared.v2.u32 [%0], {%1, %1};" ::"r"(p), "r"(1) : "memory");
    if (BITS == 128)
        asm volatile("st.shared.v4.u32 [%0], {%1, %1, %1, %1};" ::"r"(p), "r"(1) : "memory");
}

/* ldmatrix and stmatrix of one, two or four matrices; every lane executes them. */
template <int BITS> __device__ words load_matrix(unsigned p)
{
    words v = {};
    if (BITS == 1)
        asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];"
                     : "=r"(v.w[0])
                     : "r"(p)
                     : "memory");
    if (BITS == 2)
        asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
                     : "=r"(v.w[0]), "=r"(v.w[1])
                     : "r"(p)
                     : "memory");
    if (BITS == 4)
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(v.w[0]), "=r"(v.w[1]), "=r"(v.w[2]), "=r"(v.w[3])
                     : "r"(p)
                     : "memory");
    return v;
}

template <int BITS> __device__ void store_matrix(unsigned p)
{
    if (BITS == 1)
        asm volatile("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%0], {%1};" ::"r"(p), "r"(1)
                     : "memory");
    if (BITS == 2)
        asm volatile("stmatrix.sync.aligned.m8n8.x2.shared.b16 [%0], {%1, %1};" ::"r"(p), "r"(1)
                     : "memory");
    if (BITS == 4)
        asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %1, %1, %1};" ::"r"(p),
                     "r"(1)
                     : "memory");
}

/* BITS of a matrix instruction: the number of matrices. */
template <int KIND, int BITS> __global__ void one_warp(const __grid_constant__ lanes at)
{
    extern __shared__ __align__(1024) char memory[];
    const unsigned offset = at.offset[threadIdx.x];
    const unsigned base = (unsigned)__cvta_generic_to_shared(memory);
    words v = {};
    if (KIND == LDSM) v = load_matrix<BITS>(base + (offset == OFF ? 0 : offset));
    if (KIND == STSM) store_matrix<BITS>(base + (offset == OFF ? 0 : offset));
    if (KIND == LDGSTS || KIND == LDGSTS_CG) {
        const unsigned to = base + at.shared[threadIdx.x];
        if (offset != OFF) {
            const char *const from = at.global + offset;
            if (KIND == LDGSTS)
                asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(to), "l"(from),
                             "n"(BITS >= 32 ? BITS / 8 : 4)
                             : "memory");
            else
                asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from)
                             : "memory");
        }
        asm volatile("cp.async.wait_all;" ::: "memory");
    }
    if (KIND != LDSM && offset == OFF) return;
    if (KIND == LDG) v = load_global<BITS>(at.global + offset);
    if (KIND == STG) store_global<BITS>(at.global + offset);
    if (KIND == LDS) v = load_shared<BITS>(base + offset);
    if (KIND == STS) store_shared<BITS>(base + offset);
    if (KIND == LDG || KIND == LDS || KIND == LDSM) {
        const unsigned all = v.w[0] | v.w[1] | v.w[2] | v.w[3];
        if (all == at.never) *at.out = all;
    }
}

static void check(cudaError_t error, int line)
{
    if (error == cudaSuccess) return;
    fprintf(stderr, "one_warp: pattern on line %d: %s\n", line, cudaGetErrorString(error));
    exit(1);
}

template <int KIND, int BITS> static void launch(const lanes &at, int line)
{
    check(cudaFuncSetAttribute(one_warp<KIND, BITS>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               SHARED_BYTES),
          line);
    one_warp<KIND, BITS><<<1, LANES, SHARED_BYTES>>>(at);
    check(cudaGetLastError(), line);
    check(cudaDeviceSynchronize(), line);
}

template <int KIND> static int launch_width(int bits, const lanes &at, int line)
{
    switch (bits) {
        case 8: launch<KIND, 8>(at, line); return 1;
        case 16: launch<KIND, 16>(at, line); return 1;
        case 32: launch<KIND, 32>(at, line); return 1;
        case 64: launch<KIND, 64>(at, line); return 1;
        case 128: launch<KIND, 128>(at, line); return 1;
        default: return 0;
    }
}

/* The matrices: those whose rows have addresses. */
template <int KIND> static int launch_matrix(const lanes &at, int line)
{
    int n = 0;
    while (n < LANES && at.offset[n] != OFF) ++n;
    for (int t = n; t < LANES; ++t) {
        if (at.offset[t] != OFF) return 0;
    }
    if (n == 8) launch<KIND, 1>(at, line);
    else if (n == 16) launch<KIND, 2>(at, line);
    else if (n == 32) launch<KIND, 4>(at, line);
    else return 0;
    return 1;
}

static int run(int kind, int bits, const lanes &at, int line)
{
    switch (kind) {
        case LDG: return launch_width<LDG>(bits, at, line);
        case STG: return launch_width<STG>(bits, at, line);
        case LDS: return launch_width<LDS>(bits, at, line);
        case STS: return launch_width<STS>(bits, at, line);
        case LDGSTS:
            if (bits == 32) launch<LDGSTS, 32>(at, line);
            else if (bits == 64) launch<LDGSTS, 64>(at, line);
            else if (bits == 128) launch<LDGSTS, 128>(at, line);
            else return 0;
            return 1;
        case LDGSTS_CG:
            if (bits != 128) return 0;
            launch<LDGSTS_CG, 128>(at, line);
            return 1;
        case LDSM: return launch_matrix<LDSM>(at, line);
        case STSM: return launch_matrix<STSM>(at, line);
        default: return 0;
    }
}

/* 32 offsets separated by commas. Returns 0 where there are others. */
static int read_lanes(const char *text, int bits, unsigned limit, unsigned offset[LANES])
{
    for (int t = 0; t < LANES; ++t) {
        char *end;
        if (*text == '-') {
            offset[t] = OFF;
            end = (char *)text + 1;
        } else {
            offset[t] = (unsigned)strtoul(text, &end, 10);
            if (end == text || offset[t] % (unsigned)(bits / 8) || offset[t] >= limit) return 0;
        }
        if (*end != (t < LANES - 1 ? ',' : '\0')) return 0;
        text = end + 1;
    }
    return 1;
}

static int kind_named(const char *name)
{
    int kind = 0;
    while (kind < KINDS && strcmp(names[kind], name) != 0) ++kind;
    return kind;
}

int main(int argc, char **argv)
{
    static char line[8192];
    FILE *const file = argc == 2 ? fopen(argv[1], "r") : NULL;
    if (!file) {
        fprintf(stderr, "usage: one_warp PATTERNS.tsv\n");
        return 2;
    }
    lanes at = {};
    check(cudaMalloc(&at.global, GLOBAL_BYTES), 0); /* aligned to 256 bytes and more */
    check(cudaMemset(at.global, 0, GLOBAL_BYTES), 0);
    check(cudaMalloc(&at.out, sizeof *at.out), 0);
    at.never = 0x9e3779b9;
    for (int n = 1; fgets(line, sizeof line, file); ++n) {
        char *column[4] = {line, NULL, NULL, NULL};
        line[strcspn(line, "\r\n")] = 0;
        if (*line == '#' || !*line) continue;
        for (int i = 1; i < 4 && column[i - 1]; ++i) {
            column[i] = strchr(column[i - 1], '\t');
            if (column[i]) *column[i]++ = 0;
        }
        if (column[3]) column[3][strcspn(column[3], "\t")] = 0;
        const int bits = column[1] ? atoi(column[1]) : 0;
        const int kind = kind_named(column[0]);
        const int is_async = kind == LDGSTS || kind == LDGSTS_CG;
        const unsigned limit = kind <= STG || is_async ? GLOBAL_BYTES : SHARED_BYTES;
        memset(at.shared, 0, sizeof at.shared);
        if (bits < 8 || !column[2] || !read_lanes(column[2], bits, limit, at.offset) ||
            (is_async && (!column[3] || !read_lanes(column[3], bits, SHARED_BYTES, at.shared))) ||
            !run(kind, bits, at, n)) {
            fprintf(stderr, "one_warp: line %d is no pattern\n", n);
            return 2;
        }
    }
    fclose(file);
    return 0;
}
