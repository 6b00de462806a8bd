/**
 * The matrix instructions, or multiply-adds, of one thread for one step along k of a tile of C.
 *
 *     CT_STATIC(ct_mma_loop, loop, ct_make_mma_loop(mma, ct_tuple2(128, 256)));
 *     ct_mma_step(&loop, c, a, b);   // c += the product of the fragments a and b
 *
 * A fragment is a thread's array in the order of a copy's registers: the values of an atom, then
 * the thread's atoms in one tile of the tiled MMA, then these tiles. The operand's first mode runs
 * fastest in each. So a fragment holds exactly what a partition of ct_make_tiled_copy_a, _b or _c
 * moves.
 *
 * In a kernel:
 *           // one warp, C (32,16): atoms of (16,8,8), two along each mode
 *           CT_STATIC(ct_tiled_mma, mma,
 *                     ct_make_tiled_mma(ct_make_mma_atom("SM80_16x8x8_F32F16F16F32_TN"),
 *                                       ct_layout1(1, 0), ct_tiler0()));
 *           CT_STATIC(ct_mma_loop, loop, ct_make_mma_loop(mma, ct_tuple2(32, 16)));
 *           assert(loop.tiles_m == 2 && loop.tiles_n == 2 && loop.words_c == 4);
 *           CT_FRAGMENT(float, c, 16) = {0};
 *           CT_FRAGMENT(uint32_t, a, 4); // two words for each of two atoms
 *           CT_FRAGMENT(uint32_t, b, 2);
 *           CT_UNROLL for (int i = 0; i < 4; ++i) a[i] = ct_half_pair_of_floats(i / 2 + 1, 0);
 *           CT_UNROLL for (int i = 0; i < 2; ++i) b[i] = ct_half_pair_of_floats(i + 1, 0);
 *           ct_mma_step(&loop, c, a, b);
 *           // four of eight products are not 0; atom (m,n) is at 4 (m + 2 n)
 *           assert(c[0] == 4 && c[4] == 8 && c[8] == 8 && c[12] == 16);
 * Used by:  examples/tutorial/mma.cu
 * Source:   NVIDIA, PTX ISA 9.0, mma.
 */
#ifndef CUTLET_DEVICE_MMA_MMA_LOOP_H
#define CUTLET_DEVICE_MMA_MMA_LOOP_H

#include <cutlet/mma/tiled_mma.h>

#include <cutlet/device/arch/mma_sync.h>

typedef struct ct_mma_loop {
    ct_error err;
    ct_mma_op op;
    int32_t m, n, k;          /* atoms of a thread along each mode of a tile of the tiled MMA */
    int32_t tiles_m, tiles_n; /* such tiles in the tile of C */
    int32_t words_a, words_b, words_c; /* 32-bit words of a thread for one atom */
} ct_mma_loop;

/** @internal The 32-bit words of a thread for one operand of an atom. */
CT_FN int32_t ct_mma_words(ct_mma_atom a, int operand, int32_t type)
{
    const int64_t values = ct_size(ct_mma_tv(a, operand)) / ct_size(a.thr_id);
    return (int32_t)(values * ct_mma_bits(type) / 32);
}

/**
 * The loop by which a thread multiplies one step along k of a tile (m,n) of C, as a constant.
 *
 * Fails:    .err: CT_E_ARGUMENT if the tiled MMA's tile does not divide the tile of C, or if its
 *           instructions are those of a warpgroup; as the tiled MMA.
 * Cost:     O(leaves of the atom's layouts), no allocation, host and device; a constant in a
 *           kernel.
 */
CT_FN ct_mma_loop ct_make_mma_loop(ct_tiled_mma t, ct_tuple tile)
{
    ct_mma_loop r = CT_ZERO;
    r.err = t.atom.err.status ? t.atom.err : tile.err;
    if (r.err.status == CT_OK && t.atom.op.kind >= CT_MMA_WARPGROUP)
        r.err =
            ct_make_error(CT_E_ARGUMENT, CT_OP_TILED_MMA, CT_WHY_MMA_LOOP, 0, t.atom.op.kind, 0);
    if (r.err.status) return r;
    const ct_tuple shape = ct_tiled_mma_shape(t);
    for (int mode = 0; mode < 2; ++mode)
        if (tile.value[mode] % shape.value[mode] != 0)
            r.err = ct_make_error(CT_E_ARGUMENT, CT_OP_TILED_MMA, CT_WHY_SIZE_DIVIDES, mode,
                                  tile.value[mode], shape.value[mode]);
    int64_t atoms[3] = {1, 1, 1}; /* of all threads, along each mode */
    for (int mode = 0; mode < 3; ++mode) atoms[mode] = ct_size(ct_mode(t.atoms, mode));
    r.op = t.atom.op;
    r.m = (int32_t)(shape.value[0] / (r.op.m * atoms[0]));
    r.n = (int32_t)(shape.value[1] / (r.op.n * atoms[1]));
    r.k = (int32_t)(shape.value[2] / (r.op.k * atoms[2]));
    r.tiles_m = (int32_t)(tile.value[0] / shape.value[0]);
    r.tiles_n = (int32_t)(tile.value[1] / shape.value[1]);
    r.words_a = ct_mma_words(t.atom, CT_MMA_A, r.op.a);
    r.words_b = ct_mma_words(t.atom, CT_MMA_B, r.op.b);
    r.words_c = ct_mma_words(t.atom, CT_MMA_C, r.op.c);
    return r;
}

/** @internal Executes the thread's atoms in one tile of the tiled MMA, k slowest. */
CT_DEVICE void ct_mma_one_tile(const ct_mma_loop *L, uint32_t *c, const uint32_t *a,
                               const uint32_t *b)
{
    CT_UNROLL for (int k = 0; k < L->k; ++k) CT_UNROLL for (int n = 0; n < L->n; ++n)
        CT_UNROLL for (int m = 0; m < L->m; ++m)
    {
        uint32_t *const sum = c + (n * L->m + m) * L->words_c;
        const uint32_t *const of_a = a + (k * L->m + m) * L->words_a;
        const uint32_t *const of_b = b + (k * L->n + n) * L->words_b;
        if (!ct_mma_floats(&L->op, sum, of_a, of_b, sum)) ct_mma(&L->op, sum, of_a, of_b, sum);
    }
}

/**
 * c += a * b, for all tiles of the tile of C. Each step along n reverses the direction along m, so
 * that consecutive instructions share a fragment.
 *
 * Fails:    as ct_mma.
 * Cost:     tiles_m * tiles_n * m * n * k instructions of ct_mma, unrolled; no memory traffic.
 */
CT_DEVICE void ct_mma_step(const ct_mma_loop *L, void *c, const void *a, const void *b)
{
    CT_UNROLL for (int n = 0; n < L->tiles_n; ++n) CT_UNROLL for (int i = 0; i < L->tiles_m; ++i)
    {
        const int m = n % 2 ? L->tiles_m - 1 - i : i;
        ct_mma_one_tile(L, (uint32_t *)c + (n * L->tiles_m + m) * L->m * L->n * L->words_c,
                        (const uint32_t *)a + m * L->m * L->k * L->words_a,
                        (const uint32_t *)b + n * L->n * L->k * L->words_b);
    }
}

#define ct_mma_step(...) CT_CALL(ct_mma_step, __VA_ARGS__)

#endif
