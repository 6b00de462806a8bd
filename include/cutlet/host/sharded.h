/**
 * Sharded layouts: which rank of a mesh holds which element of a tensor, and where in its memory.
 *
 *     ct_sharded rows;
 *     char message[CT_MESSAGE_BYTES];
 *     if (ct_parse_sharded("shard:0", ct_tuple2(1000, 64), ct_tuple1(8), &rows, message))
 *         fprintf(stderr, "%s\n", message);
 *
 * The value is a layout of two modes, (mesh, local) -> coordinate of the tensor. A stride k@d is k
 * steps along mode d of the tensor. A mesh mode of stride 0 is replicated: its ranks hold the same.
 * Coordinates beyond the tensor's shape are not there, so that shards may be uneven or empty:
 *
 *     (4,(3,8)):(3@0,(1@0,1@1))           10 x 8 by rows over 4 ranks: 3, 3, 3 and 1 rows
 *     ((2,4),(5,8)):((5@0,0),(1@0,1@1))   10 x 8 over 2 ranks, each half held by 4 of 8 ranks
 *     (4,((64,4),8)):(64@0,((1@0,256@0),1@1))   1024 x 8 by blocks of 64 rows in turn
 *
 * A rank is the index of a coordinate of mode 0, the first mesh mode fastest. The named forms take a
 * mesh as PyTorch's DeviceMesh and MPI's MPI_Cart_create do: its last mode is fastest. They are one
 * form for each mode of the mesh, separated by commas:
 *
 *     shard:D         contiguous chunks of mode D; where D is named by several modes of the mesh, the
 *                     first of them is the outermost, and all chunks have the same extent
 *     cyclic:D:B blocks of B along mode D, distributed round-robin, as in ScaLAPACK
 *     replicate       every rank of this mode of the mesh holds the same
 *
 * A suffix gives the layout of a rank's elements in its memory:
 *
 *     /c              compact, the last mode of the tensor fastest: PyTorch's and NumPy's order
 *     /f              compact, the first mode fastest
 *     /(S0,S1,..)     a stride in elements for each mode of the tensor
 *     /local          the offset is the index in the local mode of the layout, first mode fastest
 *
 * Along each mode a rank counts the coordinates that it holds in ascending order; /c, /f and
 * strides apply to these counts. Named forms are /c, layouts /local, unless they say otherwise.
 *
 * Fails:    as each function says; message may be NULL.
 * Cost:     O(leaves) for each call, no allocation, host only.
 * Used by:  examples/redistribute.c, tests/redistribute/test_sharded.c
 */
#ifndef CUTLET_HOST_SHARDED_H
#define CUTLET_HOST_SHARDED_H

#include <stddef.h>

#include <cutlet/algebra/layout.h>
#include <cutlet/host/capacity.h>
#include <cutlet/host/message.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The most modes of a tensor that is sharded. */
#define CT_SHARDED_MODES 8

/** The most ranks of a mesh. */
#define CT_SHARDED_RANKS (1 << 20)

/** The layout of a rank's elements in its memory. */
enum {
    CT_MEMORY_ROWS,    /* compact, the last mode of the tensor fastest */
    CT_MEMORY_COLUMNS, /* compact, the first mode fastest */
    CT_MEMORY_STRIDES, /* one stride for each mode of the tensor */
    CT_MEMORY_LOCAL,   /* the index in the local mode */
    CT_MEMORY_COUNT
};

/** A sharded tensor. The leaves that step along a mode of the tensor divide it: sorted, their
 * strides are 1 and the products of the extents before them. */
typedef struct ct_sharded {
    int32_t modes;                    /* of the tensor */
    int32_t memory;                   /* CT_MEMORY_... */
    int64_t shape[CT_SHARDED_MODES];  /* of the tensor */
    int64_t stride[CT_SHARDED_MODES]; /* of CT_MEMORY_STRIDES, in elements */
    ct_layout layout;                 /* (mesh, local) -> coordinate */
} ct_sharded;

/**
 * Reads a sharded layout of a tensor: named forms over the modes of mesh, or a layout. A layout has
 * its own mesh; mesh is then () or has the same number of ranks.
 *
 * Ensures:  CT_OK and *out, which ct_sharded_check accepts; or another status and a message.
 * Fails:    CT_E_TEXT: no such form, a mode that is not there, a form too many or too few;
 *           as ct_sharded_check.
 */
ct_status ct_parse_sharded(const char *text, ct_tuple shape, ct_tuple mesh, ct_sharded *out,
                           char message[CT_MESSAGE_BYTES]);

/** Writes the layout and the suffix, which ct_parse_sharded reads back with the same shape. Returns
 *  the full length of the text, as snprintf does. */
int ct_format_sharded(char *buf, size_t size, const ct_sharded *s);

/**
 * Decides whether every element of the tensor is held, and by no rank twice.
 *
 * Fails:    CT_E_ARGUMENT: a failed layout, one without two modes, a leaf without a mode of the
 *           tensor, a local leaf of stride 0, leaves that leave gaps or overlap along a mode, a
 *           mode that is not covered, more than CT_SHARDED_RANKS ranks, memory that holds two
 *           elements at one offset; CT_E_CAPACITY; CT_E_OVERFLOW: more than 2^57 - 1 elements, of the
 *           tensor or of memory.
 */
ct_status ct_sharded_check(const ct_sharded *s, char message[CT_MESSAGE_BYTES]);

/** The ranks of the mesh. */
int64_t ct_sharded_ranks(const ct_sharded *s);

/** The ranks that hold each element: the extents of the replicated mesh modes, multiplied. */
int64_t ct_sharded_holders(const ct_sharded *s);

/** The elements that a rank holds; 0 for an empty shard, and for a rank beyond the mesh. */
int64_t ct_sharded_elems(const ct_sharded *s, int64_t rank);

/** The extents of what a rank holds, one for each mode of the tensor. */
void ct_sharded_extents(const ct_sharded *s, int64_t rank, int64_t extent[CT_SHARDED_MODES]);

/** The elements of memory that a rank needs: one more than its largest offset, 0 without elements. */
int64_t ct_sharded_span(const ct_sharded *s, int64_t rank);

/** Where a rank holds the element at a coordinate: its offset in elements, or -1 where it does not
 *  hold it. */
int64_t ct_sharded_offset(const ct_sharded *s, int64_t rank, const int64_t coord[CT_SHARDED_MODES]);

#ifdef __cplusplus
}
#endif

#endif
