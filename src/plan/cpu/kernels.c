/* Transposes by vectors of 16 bytes, which gcc and clang both have. */
#include "kernels_vector.h"

#if defined(CT_KERNELS_AVX2)
#define NAME "avx2"
#else
#define NAME "any"
#endif

typedef uint16_t words8 __attribute__((vector_size(16)));
typedef uint32_t words4 __attribute__((vector_size(16)));
typedef uint64_t words2 __attribute__((vector_size(16)));

/* The units of two vectors at constant indices; those of b follow those of a. */
#if defined(__clang__)
#define PICK(type, a, b, ...) ((bytes16)__builtin_shufflevector((type)(a), (type)(b), __VA_ARGS__))
#else
#define PICK(type, a, b, ...)                                                                      \
    ((bytes16)__builtin_shuffle((type)(a), (type)(b), (type){__VA_ARGS__}))
#endif

/* The lower halves of two vectors, interleaved: a0 b0 a1 b1 .. */
INLINE bytes16 low_halves(bytes16 a, bytes16 b, const int unit)
{
    if (unit == 1)
        return PICK(bytes16, a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    if (unit == 2) return PICK(words8, a, b, 0, 8, 1, 9, 2, 10, 3, 11);
    if (unit == 4) return PICK(words4, a, b, 0, 4, 1, 5);
    return PICK(words2, a, b, 0, 2);
}

/* The upper halves of two vectors, interleaved. */
INLINE bytes16 high_halves(bytes16 a, bytes16 b, const int unit)
{
    if (unit == 1)
        return PICK(bytes16, a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
    if (unit == 2) return PICK(words8, a, b, 4, 12, 5, 13, 6, 14, 7, 15);
    if (unit == 4) return PICK(words4, a, b, 2, 6, 3, 7);
    return PICK(words2, a, b, 1, 3);
}

/* Transposes n x n units, n = 16 / unit. Each of log2 n rounds interleaves vector i with vector i +
 * n/2: a perfect shuffle of the n * n units, which rotates the bits of a unit's index by one. */
INLINE void square_at(unsigned char *dst, int64_t dst_step, const unsigned char *src,
                      int64_t src_step, const int64_t *src_at, const int unit)
{
    const int n = 16 / unit;
    bytes16 v[16], w[16];
    for (int i = 0; i < n; ++i) v[i] = load(src + (src_at ? src_at[i] : i * src_step));
    for (int round = 1; round < n; round *= 2) {
        for (int i = 0; i < n / 2; ++i) {
            w[2 * i] = low_halves(v[i], v[i + n / 2], unit);
            w[2 * i + 1] = high_halves(v[i], v[i + n / 2], unit);
        }
        for (int i = 0; i < n; ++i) v[i] = w[i];
    }
    for (int i = 0; i < n; ++i) store(dst + i * dst_step, v[i]);
}

INLINE void square(unsigned char *dst, int64_t dst_step, const unsigned char *src, int64_t src_step,
                   const int unit)
{
    square_at(dst, dst_step, src, src_step, NULL, unit);
}

INLINE void by_units(unsigned char *dst, int64_t dst_step, const unsigned char *src,
                     int64_t src_step, int64_t na, int64_t nb, const int unit)
{
    for (int64_t a = 0; a < na; ++a)
        for (int64_t b = 0; b < nb; ++b)
            memcpy(dst + a * dst_step + b * unit, src + b * src_step + a * unit, (size_t)unit);
}

/* Transposes a square with only na columns or nb rows, whose rows have no gaps. A vector also
 * covers the beginning of the next rows: these bytes are read without use, or written too early and
 * then written again. No access goes past the end of all rows. */
INLINE void part_square(unsigned char *dst, int64_t dst_step, const unsigned char *src,
                        int64_t src_step, int64_t na, int64_t nb, const unsigned char *src_end,
                        const unsigned char *dst_end, const int unit)
{
    _Alignas(16) unsigned char in[256] = {0}, out[256];
    for (int64_t i = 0; i < nb; ++i) {
        const unsigned char *const row = src + i * src_step;
        if (src_end - row >= 16) store(in + 16 * i, load(row));
        else memcpy(in + 16 * i, row, (size_t)(na * unit));
    }
    square(out, 16, in, 16, unit);
    for (int64_t i = 0; i < na; ++i) {
        unsigned char *const row = dst + i * dst_step;
        if (dst_end - row >= 16) store(row, load(out + 16 * i));
        else memcpy(row, out + 16 * i, (size_t)(nb * unit));
    }
}

/* Fewer columns than a square, with adjacent rows in the source. */
INLINE void few_columns(unsigned char *dst, int64_t dst_step, const unsigned char *src,
                        int64_t src_step, int64_t na, int64_t nb, const int unit)
{
    const int64_t n = 16 / unit;
    for (int64_t i = 0; i < nb; i += n) {
        const int64_t b = i + n <= nb ? i : nb - n;
        unsigned char *const to = dst + b * unit;
        part_square(to, dst_step, src + b * src_step, src_step, na, n, src + nb * src_step,
                    to + na * dst_step + 16, unit);
    }
}

/* Fewer rows than a square, with adjacent rows in the destination. */
INLINE void few_rows(unsigned char *dst, int64_t dst_step, const unsigned char *src,
                     int64_t src_step, int64_t na, int64_t nb, const int unit)
{
    const int64_t n = 16 / unit;
    for (int64_t k = 0; k < na; k += n) {
        const int64_t a = k + n <= na ? k : na - n;
        const unsigned char *const from = src + a * unit;
        part_square(dst + a * dst_step, dst_step, from, src_step, n, nb, from + nb * src_step + 16,
                    dst + na * dst_step, unit);
    }
}

/* Transposes by squares. The last square along either side overlaps the one before it, so that it
 * fits, and writes some units again. */
INLINE void by_squares(unsigned char *dst, int64_t dst_step, const unsigned char *src,
                       int64_t src_step, int64_t na, int64_t nb, const int unit)
{
    const int64_t n = 16 / unit;
    if (na < n && nb >= n && src_step == na * unit) {
        few_columns(dst, dst_step, src, src_step, na, nb, unit);
        return;
    }
    if (nb < n && na >= n && dst_step == nb * unit) {
        few_rows(dst, dst_step, src, src_step, na, nb, unit);
        return;
    }
    if (na < n || nb < n) {
        by_units(dst, dst_step, src, src_step, na, nb, unit);
        return;
    }
    for (int64_t i = 0; i < nb; i += n) {
        const int64_t b = i + n <= nb ? i : nb - n;
        for (int64_t k = 0; k < na; k += n) {
            const int64_t a = k + n <= na ? k : na - n;
            square(dst + a * dst_step + b * unit, dst_step, src + b * src_step + a * unit, src_step,
                   unit);
        }
    }
}

static void transpose(unsigned char *dst, int64_t dst_step, const unsigned char *src,
                      int64_t src_step, int64_t na, int64_t nb, int32_t unit)
{
    switch (unit) {
        case 1: by_squares(dst, dst_step, src, src_step, na, nb, 1); break;
        case 2: by_squares(dst, dst_step, src, src_step, na, nb, 2); break;
        case 4: by_squares(dst, dst_step, src, src_step, na, nb, 4); break;
        case 8: by_squares(dst, dst_step, src, src_step, na, nb, 8); break;
        default: by_units(dst, dst_step, src, src_step, na, nb, 16);
    }
}

/* Prefetches `count` rows of the source, which are far apart, while earlier rows are transposed. */
INLINE void ask_for(const unsigned char *src, const int64_t *src_at, int64_t count, int64_t bytes)
{
    for (int64_t i = 0; i < count; ++i)
        for (int64_t k = 0; k < bytes + LINE - 1; k += LINE)
            __builtin_prefetch(src + src_at[i] + (k < bytes ? k : bytes - 1));
}

INLINE void gather_of(unsigned char *dst, int64_t dst_step, const unsigned char *src,
                      const int64_t *src_at, int64_t na, int64_t nb, const int unit)
{
    const int64_t n = 16 / unit;
    if (na < n || nb < n) {
        for (int64_t b = 0; b < nb; ++b)
            by_units(dst + b * unit, dst_step, src + src_at[b], 0, na, 1, unit);
        return;
    }
    for (int64_t i = 0; i < nb; i += n) {
        const int64_t b = i + n <= nb ? i : nb - n, next = b + n;
        ask_for(src, src_at + next, next + n <= nb ? n : nb - next, na * unit);
        for (int64_t k = 0; k < na; k += n) {
            const int64_t a = k + n <= na ? k : na - n;
            square_at(dst + a * dst_step + b * unit, dst_step, src + a * unit, 0, src_at + b, unit);
        }
    }
}

static void gather(unsigned char *dst, int64_t dst_step, const unsigned char *src,
                   const int64_t *src_at, int64_t na, int64_t nb, int32_t unit)
{
    switch (unit) {
        case 1: gather_of(dst, dst_step, src, src_at, na, nb, 1); break;
        case 2: gather_of(dst, dst_step, src, src_at, na, nb, 2); break;
        case 4: gather_of(dst, dst_step, src, src_at, na, nb, 4); break;
        case 8: gather_of(dst, dst_step, src, src_at, na, nb, 8); break;
        default: gather_of(dst, dst_step, src, src_at, na, nb, 16);
    }
}

const ct_kernels CT_LOOPS(ct_kernels) = {
    NAME,
    transpose,
    gather,
    CT_LOOPS(ct_rows),
    CT_LOOPS(ct_stream),
    CT_LOOPS(ct_strided),
    CT_LOOPS(ct_settle),
    CT_LOOPS(ct_convert),
};
