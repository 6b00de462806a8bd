/**
 * The traffic of layouts: the access model's counts of a thread-value layout or a tiled copy over
 * data with a layout in memory, swizzled or not. No kernel is run.
 *

 * The warps go one after another, and of a warp its instructions. An instruction takes the next
 * `bits` bits of the values of each thread. After the swizzle they must be contiguous in memory, in
 * this order, and begin at a multiple of their width.
 *
 * In C:     const ct_tuple shape = ct_tuple2(64, 64); // of halves
 *           const ct_tiled_copy tiles = ct_make_tiled_copy(
 *               ct_copy_atom_cp_async(CT_ATOM_CP_ASYNC_CG, 128, 16), ct_layout2(16, 8, 8, 1),
 *               ct_layout2(1, 8, 1, 1)); // of (16,64)
 *           const ct_traffic_side matrix = {CT_ACCESS_LDGSTS_CG, 16, 0,
 *                                           ct_make_tensor(ct_make_row_major(shape))};
 *           const ct_traffic_side buffer = {CT_ACCESS_STS, 16, 0,
 *                                           ct_make_tensor(ct_layout2(16, 64, 64, 1))};
 *           ct_traffic src, dst;
 *           char message[CT_MESSAGE_BYTES];
 *           if (ct_traffic_of_copy(tiles, shape, &matrix, &buffer, NULL, NULL, NULL, &src, &dst,
 *                                  message))
 *               puts(message);
 *           assert(src.sectors == 64 * 64 * 2 / 32 && dst.conflicts == 0);
 *           assert(ct_traffic_efficiency(&src, 1) == 1 && ct_traffic_efficiency(&dst, 0) == 1);
 *           ct_traffic both[2];
 *           ct_traffic_of_async(tiles, shape, &matrix, &buffer, NULL, &both[0], &both[1], message);
 *           assert(both[0].sectors == src.sectors && both[1].wavefronts == dst.wavefronts);
 */
#ifndef CUTLET_HOST_TRAFFIC_H
#define CUTLET_HOST_TRAFFIC_H

#include <cutlet/algebra/tensor.h>
#include <cutlet/copy/tiled_copy.h>
#include <cutlet/host/access.h>
#include <cutlet/host/message.h>

#ifdef __cplusplus
extern "C" {
#endif

/** One side of a copy in memory: the instruction and the layout of the elements. */
typedef struct ct_traffic_side {
    int32_t kind;       /* CT_ACCESS_... */
    int32_t elem_bits;  /* 8, 16, 32, 64 or 128 */
    int64_t base_bytes; /* the address of element 0, above a 1024-byte boundary; at least 0 */
    ct_tensor memory;   /* coordinate or index -> element; no swizzle: ct_swizzle_none */
} ct_traffic_side;

/** How a tile is read from shared memory. A read takes the tile in pieces of one access, piece
 *  after piece, neighbouring lanes taking neighbouring pieces, the last lane's followed by the next
 *  warp's first. */
enum {
    CT_READ_ROWS,           /* pieces along n; the pieces of a row, then the next row */
    CT_READ_COLS,           /* pieces along m; the pieces of a column, then the next column */
    CT_READ_LDMATRIX,       /* 16 bytes along n; down the rows, then the next 16 bytes: 8 x 8 */
    CT_READ_LDMATRIX_TRANS, /* 16 bytes along m; along the columns: CuTe's (MN,K) with M fastest */
    CT_READ_COUNT
};

/** Sums over all instructions of all warps; the fields of ct_access_count. */
typedef struct ct_traffic {
    int64_t instructions; /* that at least one lane took part in */
    int64_t lanes, requests, sectors, lines, wavefronts, ideal, conflicts, broadcast;
    int64_t bytes_used, bytes_moved;
    int64_t at_least; /* instructions whose counts are lower bounds */
} ct_traffic;

/** One instruction of one warp, as passed to a visitor. */
typedef struct ct_traffic_step {
    int32_t side;        /* 0: the source; 1: the destination; of a thread-value layout 0 */
    int32_t tile;        /* counted along mode 0 first; of a thread-value layout 0 */
    int32_t warp;        /* of the tile's threads */
    int32_t instruction; /* which access of each thread */
    int32_t piece;       /* -1; or the value of that access, where it is cut at an edge */
    ct_access access;    /* LDGSTS: shared holds the destination's offsets, where it is given */
    ct_access_count count;
} ct_traffic_step;

typedef void ct_traffic_visit(void *user, const ct_traffic_step *step);

/**
 * The traffic of a thread-value layout: (thread, value) -> index in the shape of side->memory,
 * `bits` of each thread at a time. For LDSM and STSM a thread gives the address of a row, 8, 16 or
 * 32 of them in a warp. The last warp may be partial, as for any kind.
 *
 * rules: NULL is sm_90. visit, unless NULL, is called for every instruction, with user. *sum: the
 * sums.
 * Ensures: CT_OK; otherwise *sum is all 0. message may be NULL.
 * Fails:   CT_E_ARGUMENT: a width that the kind does not have, or that is not a whole number of
 *          elements; a rank other than 2; an access whose values are not contiguous, or whose
 *          address is not a multiple of its width. CT_E_DOMAIN: an index past the memory, a
 *          negative address. CT_E_OVERFLOW: an address beyond 64 bits. CT_E_CAPACITY: more than
 *          2^31 accesses. A failed layout: its status.
 * Cost:    O(size of tv), no allocation.
 * In C:    const ct_layout column = ct_layout2(32, 4, 1, 64); // lane t: elements (t,0) to (t,3)
 *          const ct_traffic_side side = {CT_ACCESS_LDG, 16, 0,
 *                                        ct_make_tensor(ct_make_row_major(ct_tuple2(64, 64)))};
 *          ct_traffic wide, narrow;
 *          char message[CT_MESSAGE_BYTES];
 *          assert(ct_traffic_of_tv(column, &side, 64, NULL, NULL, NULL, &wide, message) == CT_OK);
 *          assert(wide.instructions == 1 && wide.sectors == 32);
 *          ct_traffic_of_tv(column, &side, 16, NULL, NULL, NULL, &narrow, message);
 *          assert(narrow.instructions == 4 && narrow.sectors == 4 * 32);
 */
ct_status ct_traffic_of_tv(ct_layout tv, const ct_traffic_side *side, int32_t bits,
                           const ct_access_rules *rules, ct_traffic_visit *visit, void *user,
                           ct_traffic *sum, char message[CT_MESSAGE_BYTES]);

/**
 * A read of a tile as a thread-value layout of one warp, or of fewer lanes where they do not divide
 * the pieces: (lane, value) -> index in the tile, the first mode fastest, `run` elements an access.
 * Of ldmatrix a lane has the 16 bytes whose address it gives.
 * Fails:   CT_E_ARGUMENT: a tile that is not whole accesses of this many, or not two modes.
 * Cost:    that of ct_composition.
 * In C:    const ct_layout rows = ct_read_layout(CT_READ_ROWS, ct_tuple2(64, 64), 8);
 *          assert(ct_eval(rows, 1) == 8 * 64); // lane 1: the next 8 elements of row 0
 *          const ct_layout matrices = ct_read_layout(CT_READ_LDMATRIX, ct_tuple2(64, 64), 8);
 *          assert(ct_eval(matrices, 1) == 1); // lane 1: row 1
 */
ct_layout ct_read_layout(int32_t read, ct_tuple tile, int64_t run);

/**
 * The traffic of reading a whole tile from shared memory: by LDS of *bits, or, where that is 0, by
 * the widest up to 128 that the tile allows; by ldmatrix.
 *
 * side: its kind is not looked at; memory: (m,n) -> element. The other arguments are those of
 * ct_traffic_of_tv. *bits: those of an access.
 * Fails:   as ct_traffic_of_tv; CT_E_ARGUMENT: as ct_read_layout, no such read.
 * Cost:    O(size of the tile).
 * In C:    const ct_traffic_side plain = {CT_ACCESS_LDS, 16, 0,
 *                                         ct_make_tensor(ct_layout2(64, 64, 64, 1))};
 *          ct_traffic sum;
 *          int32_t bits = 0;
 *          char message[CT_MESSAGE_BYTES];
 *          ct_traffic_of_read(&plain, CT_READ_LDMATRIX, &bits, NULL, NULL, NULL, &sum, message);
 *          assert(bits == 128 && sum.conflicts == 7 * 64); // 8-way
 */
ct_status ct_traffic_of_read(const ct_traffic_side *side, int32_t read, int32_t *bits,
                             const ct_access_rules *rules, ct_traffic_visit *visit, void *user,
                             ct_traffic *sum, char message[CT_MESSAGE_BYTES]);

/**
 * The traffic of a tiled copy over a tensor of a shape, tile after tile, on each given side (NULL:
 * registers, or not requested). The atom gives the instructions: LDG or LDS to STG or STS for
 * universal, LDGSTS to STS for cp_async_ca, LDGSTS_CG to STS for cp_async_cg, LDSM for ldmatrix,
 * STSM for stmatrix. elem_bits is that of its values.
 *
 * The sides of a cp.async are counted separately, as on the CPU grid: the sectors of its global
 * addresses, and an STS of its shared ones. A visitor has both in access; ct_traffic_of_async
 * counts the two together.
 *
 * A memory has the rank of the shape. One that is shorter than the tensor along a mode is a buffer
 * that is reused for each tile: its extent is then a multiple of the tile's. So a shared buffer for
 * one tile is a layout of the tile's shape.
 *
 * Ragged edges: lanes whose access is beyond the shape are inactive. An access partly beyond it
 * goes element by element, as in device/copy/copy.h. Its lanes take no part in the wide
 * instruction. One instruction of elem_bits for each value follows, of the lanes that have this
 * value inside. A cp.async whose end is beyond the shape counts as one full access: it fills the
 * rest with zeros. Other fills with zeros are not counted. Rows of ldmatrix and stmatrix cannot be
 * inactive: beyond the shape they are an error.
 *
 * The other arguments are those of ct_traffic_of_tv; src requires *src_sum, and dst requires
 * *dst_sum.
 * Fails:   as ct_traffic_of_tv; CT_E_ARGUMENT: a side that the atom does not have, ranks or extents
 *          that do not fit, a tile whose elements are not next to each other.
 * Cost:    O(size of the tensor); without a visitor, of one tile where the others repeat it.
 */
ct_status ct_traffic_of_copy(ct_tiled_copy copy, ct_tuple shape, const ct_traffic_side *src,
                             const ct_traffic_side *dst, const ct_access_rules *rules,
                             ct_traffic_visit *visit, void *user, ct_traffic *src_sum,
                             ct_traffic *dst_sum, char message[CT_MESSAGE_BYTES]);

/**
 * The traffic of a cp.async whose two sides are counted together, as in the hardware. *src_sum has
 * the requests and sectors, *dst_sum the wavefronts, ideal and conflicts of ct_count_access_by with
 * both sides. ct_traffic_of_copy gives the same numbers unless banks of L1 or pieces of sectors
 * conflict.
 * Requires: both sides.
 * Fails:   as ct_traffic_of_copy; CT_E_ARGUMENT: an atom that is not a cp.async.
 * Cost:    as ct_traffic_of_copy.
 */
ct_status ct_traffic_of_async(ct_tiled_copy copy, ct_tuple shape, const ct_traffic_side *src,
                              const ct_traffic_side *dst, const ct_access_rules *rules,
                              ct_traffic *src_sum, ct_traffic *dst_sum,
                              char message[CT_MESSAGE_BYTES]);

/**
 * Adds the sums of one walk to those of another.
 * Cost:    O(1).
 * In C:    ct_traffic sum = {.instructions = 4, .sectors = 128};
 *          const ct_traffic more = {.instructions = 1, .sectors = 32};
 *          ct_traffic_add(&sum, &more);
 *          assert(sum.instructions == 5 && sum.sectors == 160);
 */
void ct_traffic_add(ct_traffic *sum, const ct_traffic *more);

/**
 * The efficiency, 0 to 1: bytes used of bytes moved if global is 1, ideal of all wavefronts if it
 * is 0. 1 where nothing was moved.
 * Cost:    O(1).
 */
double ct_traffic_efficiency(const ct_traffic *sum, int global);

#ifdef __cplusplus
}
#endif

#endif
