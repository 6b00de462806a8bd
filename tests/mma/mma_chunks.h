/**
 * Metadata of sparse matrix instructions at random: which elements of a row of A are stored.
 */
#ifndef CUTLET_TESTS_MMA_CHUNKS_H
#define CUTLET_TESTS_MMA_CHUNKS_H

#include <cutlet/mma/mma_atom.h>

#include "mma_numbers.h"

/* Puts a chunk's four bits into E, (m, bit of the row), and the columns of its stored elements into row i of
 * (m, stored element). */
static inline void mma_put_chunk(const ct_mma_op *op, int i, int chunk, int *column,
                                 unsigned char *bits)
{
    const int elems = ct_mma_chunk(*op), stored = elems / 2;
    int low = (int)mma_between(0, 2), high = (int)mma_between(low + 1, 3);
    if (elems == 2) { /* one element of 32 bits is a pair of numbers */
        low = low == 2 ? 2 : 0;
        high = low + 1;
    }
    for (int bit = 0; bit < 4; ++bit)
        bits[i + op->m * (4 * chunk + bit)] = (unsigned char)((low | high << 2) >> bit & 1);
    for (int v = 0; v < stored; ++v) {
        const int number = stored == 4   ? 2 * (v < 2 ? low : high) + v % 2
                           : stored == 2 ? (v ? high : low)
                                         : low / 2;
        column[i + op->m * (chunk * stored + v)] = chunk * elems + number;
    }
}

/* All chunks of A. */
static inline void mma_put_chunks(const ct_mma_op *op, int *column, unsigned char *bits)
{
    for (int i = 0; i < op->m; ++i)
        for (int chunk = 0; chunk < op->k / ct_mma_chunk(*op); ++chunk)
            mma_put_chunk(op, i, chunk, column, bits);
}

/* The register of metadata of each thread; those that the selector does not name have another one. */
static inline void mma_put_metadata(const ct_mma_atom *atom, const unsigned char *bits,
                                    int selector, int threads, uint32_t *words)
{
    const ct_layout e = ct_mma_tv(*atom, CT_MMA_E);
    for (int t = 0; t < threads; ++t) {
        uint32_t word = 0;
        for (int bit = 0; bit < 32; ++bit) word |= (uint32_t)bits[ct_eval2(e, t, bit)] << bit;
        words[t] = ct_mma_reads_e(atom->op, t, selector) ? word : 0x44444444;
    }
}

#endif
