/* Sparse matrix instructions: where the stored elements of A belong, by the metadata (mma_sparse.h). */
#include "sparse.h"

#include <string.h>

#include <cutlet/mma/mma_atom.h>

enum { MOST_BITS = 64 * 64, MOST_STORED = 128 };

void ct_grid_check_metadata(ct_thread *t, const ct_operation *op, const ct_mma_op *mma,
                            const ct_metadata *metadata)
{
    const int selectors = ct_mma_selectors(*mma);
    if (!mma->sparse) return;
    if (!metadata)
        ct_grid_fail_at(t, op, CT_GRID_E_ATOM,
                        "a sparse instruction takes metadata, which is not given");
    if (metadata->selector < 0 || metadata->selector >= selectors)
        ct_grid_fail_at(t, op, CT_GRID_E_ATOM, "selector %d of the metadata; it is 0 to %d",
                        metadata->selector, selectors - 1);
}

/* The four bits of each chunk of row i, as they are in the threads' words. */
static void take_bits(const ct_mma_op *mma, int selector, const uint32_t *words,
                      unsigned char *bits)
{
    const ct_layout e = ct_mma_layout_e(*mma);
    const int threads = mma->kind == CT_MMA_WARPGROUP ? WARPGROUP_THREADS : WARP_LANES;
    memset(bits, 0, MOST_BITS);
    for (int t = 0; t < threads; ++t)
        for (int bit = 0; ct_mma_reads_e(*mma, t, selector) && bit < 32; ++bit)
            bits[ct_eval2(e, t, bit)] = words[t] >> bit & 1;
}

/* The two numbers of a chunk differ, and ascend if they are ordered; one element of 32 bits is a pair of
 * them. */
static int is_chunk(int elems, int is_ordered, int low, int high)
{
    if (elems == 2) return (low == 0 && high == 1) || (low == 2 && high == 3);
    return is_ordered ? low < high : low != high;
}

void ct_grid_spread(ct_thread *t, const ct_operation *op, const ct_mma_op *mma,
                    const ct_metadata *metadata, const uint32_t *words, double *a, int row,
                    int column)
{
    const int elems = ct_mma_chunk(*mma), stored = elems / 2;
    unsigned char bits[MOST_BITS];
    double held[MOST_STORED];
    take_bits(mma, metadata->selector, words, bits);
    for (int i = 0; i < mma->m; ++i) {
        for (int k = 0; k < mma->k / 2; ++k) held[k] = a[i * row + k * column];
        for (int k = 0; k < mma->k; ++k) a[i * row + k * column] = 0;
        for (int k = 0; k < mma->k / 2; ++k) {
            const int chunk = k / stored, v = k % stored;
            const unsigned char *const four = &bits[i + mma->m * 4 * chunk];
            const int low = four[0] | four[mma->m] << 1,
                      high = four[2 * mma->m] | four[3 * mma->m] << 1;
            if (!is_chunk(elems, metadata->is_ordered, low, high))
                ct_grid_fail_at(
                    t, op, CT_GRID_E_ATOM,
                    "the metadata of row %d of A has the numbers %d and %d for chunk %d", i, low,
                    high, chunk);
            const int number = stored == 4   ? 2 * (v < 2 ? low : high) + v % 2
                               : stored == 2 ? (v ? high : low)
                                             : low / 2;
            a[i * row + (chunk * elems + number) * column] = held[k];
        }
    }
}
