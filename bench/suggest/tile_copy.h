// A tile from global to shared memory by one candidate of `cutlet suggest`, and the read after it,
// folded into a checksum of a thread. nvcc compiles it for the GPU, a C++ compiler for the check
// that needs none. The problem's constants stand before this file: ELEM, TILE_M, TILE_N, THREADS,
// SRC_ROW, READ.
#pragma once
#include <cstdint>
#include <cstring>

#ifdef __CUDACC__
#define FN __host__ __device__ __forceinline__
#else
#define FN inline
#endif

enum { UNIVERSAL, CP_ASYNC_CA, CP_ASYNC_CG };
enum { ROWS, COLS, LDMATRIX, LDMATRIX_TRANS };
enum { BATCH = 8, UNROLL = 32 };  // accesses of a thread in flight; with offsets that are constants

// THR_ROW: the order of the threads. ALONG: 1 where an access of RUN elements runs along n. P, R:
// the accesses of a thread's block. S_LD: elements from one line of shared memory to the next.
template <int TM, int TN, int THR_ROW, int P, int R, int ALONG, int RUN, int KIND, int S_ROW,
          int S_LD, int B, int BASE, int SHIFT, int BYTES, int READ_RUN>
struct candidate {
    static constexpr int bytes = BYTES, read_run = READ_RUN, run = RUN, kind = KIND;
    static constexpr int unit_m = ALONG ? 1 : RUN, unit_n = ALONG ? RUN : 1;
    static constexpr int rest_m = TILE_M / (TM * P * unit_m), rest_n = TILE_N / (TN * R * unit_n);
    static constexpr int steps = rest_m * rest_n * P * R;

    // The place (m,n) that thread t takes in step k.
    static FN void place(int t, int k, int &m, int &n)
    {
        const int i = THR_ROW ? t / TN : t % TM, j = THR_ROW ? t % TN : t / TM;
        const int p = k / R % P, r = k % R, rest = k / (P * R);
        m = ((rest % rest_m * TM + i) * P + p) * unit_m;
        n = ((rest / rest_m * TN + j) * R + r) * unit_n;
    }

    static FN int shared(int m, int n)  // the byte
    {
        const int x = S_ROW ? m * S_LD + n : m + n * S_LD;
        const int field = x & ((1 << B) - 1) << (BASE + SHIFT);
        return (x ^ field >> SHIFT) * ELEM;
    }

    // The byte of a place that lies (m,n) from one at byte `from`, m and n having no bit in common
    // with it: all extents are powers of two, and a swizzle is linear over XOR. So a thread computes
    // one address, and the others by a constant.
    static FN int shared_from(int from, int m, int n)
    {
        static_assert(B == 0 || (S_LD & (S_LD - 1)) == 0, "a swizzle of padded lines");
        return B ? from ^ shared(m, n) : from + shared(m, n);
    }
};

template <int N> struct word;
template <> struct word<1> { typedef uint8_t type; };
template <> struct word<2> { typedef uint16_t type; };
template <> struct word<4> { typedef uint32_t type; };
struct alignas(8) word8 { uint32_t w[2]; };
struct alignas(16) word16 { uint32_t w[4]; };
template <> struct word<8> { typedef word8 type; };
template <> struct word<16> { typedef word16 type; };

FN int64_t source(int64_t ld, int m, int n)  // the byte, from the tile's first
{
    return (SRC_ROW ? m * ld + n : m + n * ld) * ELEM;
}

template <int KIND, int N> FN void copy_async(char *dst, const char *src)
{
#ifdef __CUDA_ARCH__
    const unsigned to = (unsigned)__cvta_generic_to_shared(dst);
    if constexpr (KIND == CP_ASYNC_CG)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(src) : "memory");
    else
        asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(to), "l"(src), "n"(N)
                     : "memory");
#else
    memcpy(dst, src, N);
#endif
}

// What thread t copies.
template <class C> FN void fill(int t, const char *__restrict__ src, int64_t ld, char *smem)
{
    constexpr int bytes = C::run * ELEM, batch = C::steps < BATCH ? C::steps : BATCH;
    typedef typename word<bytes>::type access;
    static_assert(C::steps % batch == 0, "whole batches");
    int m0, n0;
    C::place(t, 0, m0, n0);
    const char *const from = src + source(ld, m0, n0);
    const int to = C::shared(m0, n0);
    constexpr int most = UNROLL / batch * batch, chunk = C::steps < most ? C::steps : most;
#pragma unroll 1
    for (int done = 0; done < C::steps; done += chunk) {
        C::place(0, done, m0, n0);
        const char *const chunk_from = from + source(ld, m0, n0);
        const int chunk_to = C::shared_from(to, m0, n0);
#pragma unroll
        for (int first = 0; first < chunk; first += batch) {
            access held[batch];
#pragma unroll
            for (int k = 0; k < batch; ++k) {
                int m, n;
                C::place(0, first + k, m, n);
                if constexpr (C::kind != UNIVERSAL)
                    copy_async<C::kind, bytes>(smem + C::shared_from(chunk_to, m, n),
                                               chunk_from + source(ld, m, n));
                else held[k] = *(const access *)(chunk_from + source(ld, m, n));
            }
            if constexpr (C::kind == UNIVERSAL) {
#pragma unroll
                for (int k = 0; k < batch; ++k) {
                    int m, n;
                    C::place(0, first + k, m, n);
                    *(access *)(smem + C::shared_from(chunk_to, m, n)) = held[k];
                }
            }
        }
    }
}

FN uint32_t fold(uint32_t sum, uint32_t w) { return sum * 31 + w; }
FN uint32_t fold_access(uint32_t sum, uint8_t v) { return fold(sum, v); }
FN uint32_t fold_access(uint32_t sum, uint16_t v) { return fold(sum, v); }
FN uint32_t fold_access(uint32_t sum, uint32_t v) { return fold(sum, v); }
FN uint32_t fold_access(uint32_t sum, word8 v) { return fold(fold(sum, v.w[0]), v.w[1]); }
FN uint32_t fold_access(uint32_t sum, word16 v)
{
    return fold(fold(fold(fold(sum, v.w[0]), v.w[1]), v.w[2]), v.w[3]);
}

// The place that piece u of the read begins at.
template <int RUN> FN void piece(int u, int &m, int &n)
{
    switch (READ) {
    case ROWS: m = u / (TILE_N / RUN), n = u % (TILE_N / RUN) * RUN; break;
    case COLS: m = u % (TILE_M / RUN) * RUN, n = u / (TILE_M / RUN); break;
    case LDMATRIX: m = u % TILE_M, n = u / TILE_M * RUN; break;
    default: m = u / TILE_N * RUN, n = u % TILE_N; break;
    }
}

template <int RUN> constexpr int pieces = TILE_M * TILE_N / RUN / THREADS;

// What thread t reads along rows or columns.
template <class C> FN uint32_t read(int t, const char *smem)
{
    typedef typename word<C::read_run * ELEM>::type access;
    uint32_t sum = 0;
    int m0, n0;
    piece<C::read_run>(t, m0, n0);
    const int from = C::shared(m0, n0);
    constexpr int count = pieces<C::read_run>, chunk = count < UNROLL ? count : UNROLL;
#pragma unroll 1
    for (int done = 0; done < count; done += chunk) {
        piece<C::read_run>(done * THREADS, m0, n0);
        const int chunk_from = C::shared_from(from, m0, n0);
#pragma unroll
        for (int k = 0; k < chunk; ++k) {
            int m, n;
            piece<C::read_run>(k * THREADS, m, n);
            sum = fold_access(sum, *(const access *)(smem + C::shared_from(chunk_from, m, n)));
        }
    }
    return sum;
}

// The same read of the source itself, element by element: what the sum should be.
template <int RUN> FN uint32_t expected(int t, const char *src, int64_t ld)
{
    uint32_t sum = 0;
    for (int k = 0; k < pieces<RUN>; ++k) {
        int m, n;
        typename word<RUN * ELEM>::type v;
        piece<RUN>(k * THREADS + t, m, n);
        for (int e = 0; e < RUN; ++e) {
            const int along_n = READ == ROWS || READ == LDMATRIX;
            const char *const from = src + source(ld, m + (along_n ? 0 : e), n + (along_n ? e : 0));
            for (int i = 0; i < ELEM; ++i) ((char *)&v)[e * ELEM + i] = from[i];
        }
        sum = fold_access(sum, v);
    }
    return sum;
}

// A matrix of ldmatrix: register q of a lane, given the 16 bytes that each lane's address leads to.
// row(l): those of lane l.
template <class Rows> FN uint32_t matrix_register(const Rows &row, int lane, int q)
{
    if (READ == LDMATRIX) {
        uint32_t r = 0;
        for (int i = 0; i < 4; ++i) r |= (uint32_t)row(8 * q + lane / 4, lane % 4 * 4 + i) << 8 * i;
        return r;
    }
    uint32_t r = 0;  // transposed: rows 2 (lane mod 4) and the next, column lane / 4
    for (int h = 0; h < 2; ++h) {
        for (int i = 0; i < 2; ++i)
            r |= (uint32_t)row(8 * q + lane % 4 * 2 + h, lane / 4 * 2 + i) << (16 * h + 8 * i);
    }
    return r;
}

// Bytes of the source as the lanes of a warp would get them by ldmatrix in round k.
struct source_rows {
    const char *src;
    int64_t ld;
    int first;  // the piece of lane 0
    FN uint8_t operator()(int lane, int byte) const
    {
        int m, n;
        piece<16 / ELEM>(first + lane, m, n);
        const int e = byte / ELEM;
        return src[source(ld, m + (READ == LDMATRIX ? 0 : e), n + (READ == LDMATRIX ? e : 0)) +
                   byte % ELEM];
    }
};

FN uint32_t expected_matrices(int t, const char *src, int64_t ld)
{
    uint32_t sum = 0;
    for (int k = 0; k < pieces<16 / ELEM>; ++k) {
        const source_rows rows = {src, ld, k * THREADS + t / 32 * 32};
        for (int q = 0; q < 4; ++q) sum = fold(sum, matrix_register(rows, t % 32, q));
    }
    return sum;
}

// What a thread adds to the checksum of its warp, an XOR of all lanes.
FN uint32_t mixed(int t, uint32_t sum) { return sum * (2u * (uint32_t)t + 1); }
