/**
 * The best tiled copy and the best layout of shared memory for a tile, found by counting.
 *
 * A block of threads moves a tile of M x N elements from global to shared memory and then reads it
 * there. It reads along rows, along columns, by ldmatrix, or by a second tiled copy back to global
 * memory. The search counts its candidates lane by lane, by the rules of access.h, and ranks them
 * by
 *
 *     the cycles that a multiprocessor takes for the tile, estimated from these counts,
 *     then sectors, then instructions,
 *     then wavefronts (the write into shared memory and the read after it),
 *     then bytes of shared memory,
 *
 * the first number that differs deciding. A candidate that costs too much is not counted to the
 * end. docs/model.md describes the estimate of cycles. The counts are as exact as in access.h; some
 * of cp.async are lower bounds. The cycles are for an otherwise idle H200.
 *
 * In C:     const ct_suggest_query query = {.elem_bits = 16, .tile_m = 64, .tile_n = 64,
 *                                           .threads = 128, .read = CT_READ_LDMATRIX, .top = 1,
 *                                           .src = ct_make_row_major(ct_tuple2(4096, 4096))};
 *           ct_suggest_result result;
 *           assert(ct_suggest(&query, &result) == CT_OK && result.optimal);
 *           const ct_suggestion *best = &result.item[0];
 *           assert(best->in.kind == CT_ATOM_CP_ASYNC_CG && best->cost.wavefronts == 128);
 *           assert(best->shared.swizzle.bits == 3); // Sw<3,3,3>
 *           const ct_tiled_copy tiles = ct_suggest_tiled_copy(&query, &best->in);
 *           assert(ct_layout_equal(tiles.tv, ct_read("((8,16),8):((128,1),16)")));
 *           char text[16384], message[CT_MESSAGE_BYTES];
 *           assert(ct_suggest_as_c(text, sizeof text, &query, best, message) > 0);
 *           assert(strstr(text, "CT_KERNEL_THREADS(copy_tile, 128, copy_tile_args, args)"));
 *           assert(ct_suggest_program(text, sizeof text, &query, best, "mine", message) > 0);
 *           assert(strstr(text, "int main("));
 *           assert(ct_suggest_as_cute(text, sizeof text, &query, best, "half_t") > 0);
 *           assert(strstr(text, "SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>, half_t"));
 *           ct_suggest_free(&result);
 */
#ifndef CUTLET_HOST_SUGGEST_H
#define CUTLET_HOST_SUGGEST_H

#include <stddef.h>
#include <stdint.h>

#include <cutlet/algebra/tensor.h>
#include <cutlet/copy/tiled_copy.h>
#include <cutlet/host/access.h>
#include <cutlet/host/message.h>
#include <cutlet/host/traffic.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The most elements of a tile. */
#define CT_SUGGEST_TILE_MAX 65536

/** What is to be copied. */
typedef struct ct_suggest_query {
    int32_t elem_bits; /* 8, 16, 32, 64 or 128 */
    int32_t threads;   /* of the block: a multiple of 32, at most 1024; each takes part */
    int64_t tile_m, tile_n;
    ct_layout src;           /* (m,n) -> element of global memory: the full tensor, two modes.
                                Tiles that its edge cuts are left out */
    int64_t src_align_bytes; /* the alignment of its address: a power of two; 0: 256 */
    int32_t has_dst;         /* 1: the tile is copied on to dst, and read is not looked at */
    ct_layout dst;           /* as src */
    int64_t dst_align_bytes;
    int32_t read;                 /* CT_READ_... */
    int32_t read_bits;            /* of a lane's read along rows or columns; 0: the best */
    int32_t no_cp_async;          /* 1: loads and stores only */
    int64_t shared_bytes;         /* the most that the tile may take; 0: 227 KiB */
    const ct_access_rules *rules; /* NULL: sm_90 */
    int32_t top;                  /* this many candidates, the best first; 0: all */
    int32_t one_per_cost;         /* 1: of candidates with the same counts and cycles, the first */
} ct_suggest_query;

/** What the copy of one tile costs, all warps together. Wavefronts are those of the first tile. */
typedef struct ct_suggest_cost {
    int64_t sectors;      /* of global memory, summed over the result's placements of the tile */
    int64_t wavefronts;   /* write + read */
    int64_t instructions; /* executions by a warp; a cp.async is one, a load and a store are two */
    int64_t shared_bytes;
    int64_t write, read; /* wavefronts of either side of shared memory */
} ct_suggest_cost;

/** A tiled copy. */
typedef struct ct_suggest_copy {
    int32_t kind;       /* CT_ATOM_UNIVERSAL, CT_ATOM_CP_ASYNC_CA, CT_ATOM_CP_ASYNC_CG */
    int32_t bits;       /* of an access */
    ct_layout thr, val; /* as ct_make_tiled_copy takes them */
} ct_suggest_copy;

/** A candidate. */
typedef struct ct_suggestion {
    int64_t cycles;      /* of a multiprocessor for one tile, estimated; the ranking key */
    double passes;       /* of its load-store unit for one tile; the estimate's input */
    ct_suggest_copy in;  /* global to shared memory */
    ct_suggest_copy out; /* shared to global memory, with a dst; all zero otherwise */
    int32_t read_bits;   /* of a lane's read */
    ct_tensor shared;    /* (m,n) of the tile -> element of shared memory */
    ct_suggest_cost cost;
    int32_t at_least; /* 1: the hardware may take more wavefronts or sectors: a cp.async whose
                            cost is known from below only, see access.h */
} ct_suggestion;

#define CT_SUGGEST_TEXT_BYTES 1024

/** What was found. */
typedef struct ct_suggest_result {
    char message[CT_MESSAGE_BYTES]; /* one line, where there is no result */
    int32_t count;
    ct_suggestion *item;   /* from malloc; the best first */
    ct_suggest_cost least; /* the lower bounds, from the data alone */
    int32_t optimal;       /* 1: the first meets every bound: no layout has better counts */
    int32_t placements;    /* the number of placements of a tile in the sectors: cost.sectors /
                              placements is the mean cost of a tile; 1 if all tiles are placed
                              alike */
    int64_t tried;         /* candidates that were counted to the end or until they cost too much */
    char reason[CT_SUGGEST_TEXT_BYTES]; /* why the first is the first: sentences, on one line */
} ct_suggest_result;

/**
 * Searches. The candidates are all of
 *
 *   thr     (a,b) of `threads` threads, row- or column-major
 *   val     one run of an access along m or n, repeated (p,q) times in a thread's block; any p, q
 *           with which the blocks tile the tile
 *   atom    universal of 8 to 128 bits, cp.async.ca of 4, 8, 16 bytes, cp.async.cg of 16
 *   shared  row- or column-major: plain; swizzled by any Sw<B,M,S> that moves bits of the
 *           bank number (B 1 to 5, S at least B, within the tile); or padded by 1 to 31 banks
 *
 * that are right: each access contiguous and aligned on both sides, the tile covered exactly once.
 * Ties are broken in this order: exact cost; fewest swizzle bits; cp.async.cg, ca, universal;
 * fewest values of a thread; thr in the order of the source, with the longest row in that order;
 * shared memory in the order of an access; the largest M; the smallest S.
 *
 * Ensures: no candidate comes before the first item in the order above; all items are counted to
 *          the end.
 * Fails:   CT_E_ARGUMENT: sizes out of range; layouts that a tile does not divide; a base that is
 *          not aligned to an element; ldmatrix of elements or tiles that it does not take.
 *          CT_E_NO_LAYOUT: a layout that does not fall into tiles; no candidate at all. CT_E_MEMORY.
 *          A failed layout: its status.
 * Cost:    below a second for a tile of 128 x 128 halves; seconds with top = 0.
 */
ct_status ct_suggest(const ct_suggest_query *query, ct_suggest_result *result);

/**
 * A query about packed elements, of 4 or 6 bits, becomes one about bytes; others stay.
 * Fails:   as ct_tensor_recast, where elements do not fill bytes; CT_E_ARGUMENT where they are not
 *          contiguous, along one mode of both sides.
 * Cost:    O(leaves).
 * In C:    ct_suggest_query q = {.elem_bits = 4, .tile_m = 64, .tile_n = 64};
 *          char why[CT_MESSAGE_BYTES];
 *          q.src = ct_make_row_major(ct_tuple2(4096, 4096));
 *          assert(ct_suggest_as_bytes(&q, why) == CT_OK && q.elem_bits == 8 && q.tile_n == 32);
 */
ct_status ct_suggest_as_bytes(ct_suggest_query *query, char message[CT_MESSAGE_BYTES]);

/**
 * Releases the items.
 * Cost:    O(1).
 */
void ct_suggest_free(ct_suggest_result *result);

/**
 * The tiled copy of a candidate: its `in`, or its `out` where the query has a dst.
 * Fails:   as ct_make_tiled_copy, for a copy that does not come from the query.
 * Cost:    that of ct_make_tiled_copy.
 */
ct_tiled_copy ct_suggest_tiled_copy(const ct_suggest_query *query, const ct_suggest_copy *copy);

/**
 * Writes the candidate as C on the device API: its copies, its shared layout, and the kernel
 * copy_tile that copies tiles by them. At most size bytes with the terminating zero.
 *
 * Ensures: the full length of the text, as snprintf does; or -1 and message.
 * Fails:   a mode of the source or destination that has more than one stride; source and
 *          destination of different extents; a read of more words a thread than a copy holds; a
 *          suggestion of another query, of accesses narrower than an element.
 * Cost:    O(length of the text).
 */
int ct_suggest_as_c(char *buf, size_t size, const ct_suggest_query *query, const ct_suggestion *s,
                    char message[CT_MESSAGE_BYTES]);

/**
 * Writes a program, with a host part, that runs the kernel over the full source and verifies every
 * element. It runs on a GPU if nvcc compiles it, and on the CPU grid if a C compiler does. What was
 * read of shared memory is given back to a tensor like the source. about: the first line's comment.
 *
 * Ensures: the full length of the text, as snprintf does; or -1 and message.
 * Fails:   as ct_suggest_as_c.
 * Cost:    O(length of the text).
 */
int ct_suggest_program(char *buf, size_t size, const ct_suggest_query *query,
                       const ct_suggestion *s, const char *about, char message[CT_MESSAGE_BYTES]);

/**
 * Writes the candidate's copies and its shared layout as CuTe C++; type is an element there,
 * "half_t".
 * Returns: the full length of the text, as snprintf does.
 * Cost:    O(length of the text).
 */
int ct_suggest_as_cute(char *buf, size_t size, const ct_suggest_query *query,
                       const ct_suggestion *s, const char *type);

#ifdef __cplusplus
}
#endif

#endif
