/* Copies of rows and of strided units, and copies of rows with non-temporal stores. */
#include "kernels_vector.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/* The distance of prefetches: rows for rows far apart, bytes for adjacent rows. */
enum { ROWS_AHEAD = 16, AHEAD_BYTES = 1024 };

INLINE void ask_for_row(const unsigned char *dst, int64_t dst_step, const unsigned char *src,
                        int64_t src_step, int64_t left)
{
    if (left <= ROWS_AHEAD) return;
    if (src_step > LINE) __builtin_prefetch(src + ROWS_AHEAD * src_step);
    if (dst_step > LINE) __builtin_prefetch(dst + ROWS_AHEAD * dst_step, 1);
}

INLINE void rows_of(unsigned char *dst, int64_t dst_step, const unsigned char *src,
                    int64_t src_step, int64_t count, const int64_t bytes)
{
    for (int64_t i = 0; i < count; ++i) {
        if (bytes <= LINE) ask_for_row(dst, dst_step, src, src_step, count - i);
        memcpy(dst, src, (size_t)bytes);
        dst += dst_step;
        src += src_step;
    }
}

/* Copies rows of more than `word` bytes and at most two words, by two words that may overlap. */
INLINE void word_rows(unsigned char *dst, int64_t dst_step, const unsigned char *src,
                      int64_t src_step, int64_t count, int64_t bytes, const int word)
{
    for (int64_t i = 0; i < count; ++i) {
        unsigned char last[8];
        memcpy(last, src + bytes - word, (size_t)word);
        memcpy(dst, src, (size_t)word);
        memcpy(dst + bytes - word, last, (size_t)word);
        dst += dst_step;
        src += src_step;
    }
}

/* Copies rows of 17 to 256 bytes by vectors; the last vector overlaps the one before it. */
INLINE void short_rows(unsigned char *dst, int64_t dst_step, const unsigned char *src,
                       int64_t src_step, int64_t count, int64_t bytes)
{
    for (int64_t i = 0; i < count; ++i) {
        const bytes16 last = load(src + bytes - 16);
        if (bytes <= LINE) ask_for_row(dst, dst_step, src, src_step, count - i);
        for (int64_t k = 0; k < bytes - 16; k += 16) store(dst + k, load(src + k));
        store(dst + bytes - 16, last);
        dst += dst_step;
        src += src_step;
    }
}

void CT_LOOPS(ct_rows)(unsigned char *dst, int64_t dst_step, const unsigned char *src,
                       int64_t src_step, int64_t count, int64_t bytes)
{
    switch (bytes) {
        case 3: rows_of(dst, dst_step, src, src_step, count, 3); break;
        case 32: rows_of(dst, dst_step, src, src_step, count, 32); break;
        case 64: rows_of(dst, dst_step, src, src_step, count, 64); break;
        default:
            if (bytes > 16 && bytes <= 256) short_rows(dst, dst_step, src, src_step, count, bytes);
            else if (bytes > 8 && bytes < 16)
                word_rows(dst, dst_step, src, src_step, count, bytes, 8);
            else if (bytes > 4 && bytes < 8)
                word_rows(dst, dst_step, src, src_step, count, bytes, 4);
            else rows_of(dst, dst_step, src, src_step, count, bytes);
    }
}

/* Common steps are constants, so that the compiler can vectorise the loops. */
INLINE void strided_of(unsigned char *dst, int64_t dst_step, const unsigned char *src,
                       int64_t src_step, int64_t n, const int unit)
{
    if (dst_step == unit && src_step == 0) {
        for (int64_t i = 0; i < n; ++i) memcpy(dst + i * unit, src, (size_t)unit);
    } else if (dst_step == unit && src_step == -unit) {
        const unsigned char *const last = src - (n - 1) * unit;
        for (int64_t i = 0; i < n; ++i)
            memcpy(dst + i * unit, last + (n - 1 - i) * unit, (size_t)unit);
    } else if (dst_step == unit) {
        for (int64_t i = 0; i < n; ++i) memcpy(dst + i * unit, src + i * src_step, (size_t)unit);
    } else {
        for (int64_t i = 0; i < n; ++i)
            memcpy(dst + i * dst_step, src + i * src_step, (size_t)unit);
    }
}

void CT_LOOPS(ct_strided)(unsigned char *dst, int64_t dst_step, const unsigned char *src,
                          int64_t src_step, int64_t n, int32_t unit)
{
    switch (unit) {
        case 1: strided_of(dst, dst_step, src, src_step, n, 1); break;
        case 2: strided_of(dst, dst_step, src, src_step, n, 2); break;
        case 4: strided_of(dst, dst_step, src, src_step, n, 4); break;
        case 8: strided_of(dst, dst_step, src, src_step, n, 8); break;
        default: strided_of(dst, dst_step, src, src_step, n, 16);
    }
}

/* Copies a whole line by non-temporal stores on x86, and by a plain copy elsewhere. */
INLINE void stream_line(unsigned char *to, const unsigned char *from)
{
#if defined(__SSE2__)
    __m128i *const at = (__m128i *)(void *)to;
    const bytes16 a = load(from), b = load(from + 16), c = load(from + 32), d = load(from + 48);
    _mm_stream_si128(at, (__m128i)a);
    _mm_stream_si128(at + 1, (__m128i)b);
    _mm_stream_si128(at + 2, (__m128i)c);
    _mm_stream_si128(at + 3, (__m128i)d);
#else
    memcpy(to, from, LINE);
#endif
}

/* The bytes from an address to the next line. */
static int64_t before_line(const unsigned char *at)
{
    return (int64_t)(-(uintptr_t)at & (LINE - 1));
}

/* Prefetches a later row: the hardware prefetcher does not find rows that are far apart. */
INLINE void ask_for_lines(const unsigned char *src, int64_t bytes)
{
    for (int64_t k = 0; k < bytes; k += LINE) __builtin_prefetch(src + k);
}

static void stream_run(unsigned char *dst, const unsigned char *src, int64_t bytes)
{
    const int64_t before = before_line(dst), head = before < bytes ? before : bytes;
    const int64_t end = head + (bytes - head) / LINE * LINE;
    memcpy(dst, src, (size_t)head);
    for (int64_t k = head; k < end; k += LINE) stream_line(dst + k, src + k);
    memcpy(dst + end, src + end, (size_t)(bytes - end));
}

/* Streams adjacent rows of the destination as one run. The last bytes of a row wait in `line` until
 * the next row completes their line. */
static void stream_merged(unsigned char *dst, const unsigned char *src, int64_t src_step,
                          int64_t count, int64_t bytes)
{
    _Alignas(64) unsigned char line[LINE];
    int64_t before = before_line(dst), waiting = 0;
    const int64_t ahead = bytes <= AHEAD_BYTES ? AHEAD_BYTES / bytes : 0;
    for (int64_t i = 0; i < count; ++i, src += src_step) {
        int64_t k = 0;
        if (ahead > 0 && i + ahead < count) ask_for_lines(src + ahead * src_step, bytes);
        if (before > 0) { /* bytes of the first line, part of which is outside the run */
            k = before < bytes ? before : bytes;
            memcpy(dst, src, (size_t)k);
            dst += k;
            before -= k;
        } else if (waiting > 0) {
            k = LINE - waiting < bytes ? LINE - waiting : bytes;
            memcpy(line + waiting, src, (size_t)k);
            waiting += k;
            if (waiting < LINE) continue;
            stream_line(dst, line);
            dst += LINE;
        }
        for (; k + LINE <= bytes; k += LINE, dst += LINE) stream_line(dst, src + k);
        waiting = bytes - k;
        memcpy(line, src + k, (size_t)waiting);
    }
    memcpy(dst, line, (size_t)waiting);
}

void CT_LOOPS(ct_stream)(unsigned char *dst, int64_t dst_step, const unsigned char *src,
                         int64_t src_step, int64_t count, int64_t bytes)
{
    if (dst_step == bytes && count > 1) {
        stream_merged(dst, src, src_step, count, bytes);
        return;
    }
    for (int64_t i = 0; i < count; ++i) stream_run(dst + i * dst_step, src + i * src_step, bytes);
}

void CT_LOOPS(ct_settle)(void)
{
#if defined(__SSE2__)
    __builtin_ia32_sfence();
#endif
}
