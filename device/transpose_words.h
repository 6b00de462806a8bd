/**
 * Small blocks in registers: their transposition, and vectors that do not begin at a word.
 */
#ifndef CUTLET_DEVICE_TRANSPOSE_WORDS_H
#define CUTLET_DEVICE_TRANSPOSE_WORDS_H

#include "turn.h"

/** The most words of a block. */
#define CT_BLOCK_WORDS 64

/* Each out[i] of a block of elements of whole words: only the names of the registers change. */
CT_DEVICE void ct_transpose_whole_words(uint32_t *out, const uint32_t *in, const int words,
                                        const int rows, const int cols)
{
    CT_UNROLL for (int i = 0; i < CT_BLOCK_WORDS; ++i) if (i < rows * cols * words) {
        const int w = i % words, c = i / words % cols, r = i / words / cols;
        out[(c * rows + r) * words + w] = in[i];
    }
}

/* Elements of 2 bytes: two rows and two columns at a time, one permutation for each word. */
CT_DEVICE void ct_transpose_halves(uint32_t *out, const uint32_t *in, const int rows,
                                   const int cols)
{
    const int wide = cols / 2, high = rows / 2; /* words of a row, and of a column */
    CT_UNROLL for (int i = 0; i < CT_BLOCK_WORDS / 2; ++i) if (i < wide * high) {
        const int c = i % wide, r = i / wide;
        const uint32_t a = in[2 * r * wide + c], b = in[(2 * r + 1) * wide + c];
        out[2 * c * high + r] = ct_permute(a, b, 0x5410);
        out[(2 * c + 1) * high + r] = ct_permute(a, b, 0x7632);
    }
}

/* Elements of 1 byte: four rows and four columns at a time, two permutations for each word. */
CT_DEVICE void ct_transpose_bytes(uint32_t *out, const uint32_t *in, const int rows, const int cols)
{
    const int wide = cols / 4, high = rows / 4;
    CT_UNROLL for (int i = 0; i < CT_BLOCK_WORDS / 4; ++i) if (i < wide * high) {
        const int c = i % wide, r = i / wide;
        const uint32_t *from = in + 4 * r * wide + c;
        uint32_t *to = out + 4 * c * high + r;
        const uint32_t low01 = ct_permute(from[0], from[wide], 0x5140);
        const uint32_t low23 = ct_permute(from[2 * wide], from[3 * wide], 0x5140);
        const uint32_t high01 = ct_permute(from[0], from[wide], 0x7362);
        const uint32_t high23 = ct_permute(from[2 * wide], from[3 * wide], 0x7362);
        to[0] = ct_permute(low01, low23, 0x5410);
        to[high] = ct_permute(low01, low23, 0x7632);
        to[2 * high] = ct_permute(high01, high23, 0x5410);
        to[3 * high] = ct_permute(high01, high23, 0x7632);
    }
}

/** out = the transpose of in: rows x cols elements of elem_bytes, packed row by row in words. Rows
 *  and columns are whole words, at most CT_BLOCK_WORDS in all; every number but the data is
 *  constant. */
CT_DEVICE void ct_transpose_block(uint32_t *out, const uint32_t *in, const int elem_bytes,
                                  const int rows, const int cols)
{
    if (elem_bytes == 1) ct_transpose_bytes(out, in, rows, cols);
    else if (elem_bytes == 2) ct_transpose_halves(out, in, rows, cols);
    else ct_transpose_whole_words(out, in, elem_bytes / 4, rows, cols);
}

/** v = 16 bytes out of the 32 of w, from byte `from` on: 0 to 15, a multiple of the constant
 *  `unit`. */
CT_DEVICE void ct_vector_from(uint32_t *v, const uint32_t *w, uint32_t from, const int unit)
{
    CT_FRAGMENT(uint32_t, half, 6);
    CT_FRAGMENT(uint32_t, word, 5);
    CT_UNROLL for (int i = 0; i < 6; ++i) half[i] = unit < 16 && from & 8 ? w[i + 2] : w[i];
    CT_UNROLL for (int i = 0; i < 5; ++i)
        word[i] = unit < 8 && from & 4 ? half[i + 1] : half[i];
    CT_UNROLL for (int i = 0; i < 4; ++i)
        v[i] = unit < 4 ? ct_funnel(word[i], word[i + 1], 8 * (from & 3)) : word[i];
}

/** v with its first `bytes` bytes (1, 2 or 4) dropped and as many of x appended. */
CT_DEVICE void ct_vector_append(uint32_t *v, uint32_t x, uint32_t bytes)
{
    CT_UNROLL for (int i = 0; i < 3; ++i) v[i] = ct_funnel(v[i], v[i + 1], 8 * bytes);
    v[3] = ct_funnel(v[3], x, 8 * bytes);
}

#endif
