/* A candidate as a kernel on the device API: what the files that write it share. */
#ifndef CUTLET_SRC_SUGGEST_CODE_H
#define CUTLET_SRC_SUGGEST_CODE_H

#include "suggest.h"
#include "text/put.h"

/* ---- read.c: the read of a tile as a tiled copy ---------------------------------------------- */

/* The reads of each thread: consecutive threads make consecutive accesses in the order of
 * CT_READ_.... */
typedef struct suggest_read {
    int32_t threads, steps; /* those that take part, and the accesses of each */
    int32_t matrices;       /* of an ldmatrix; 0 otherwise */
    int32_t values, words;  /* of a thread; words of registers for them */
    ct_layout tv;           /* (thread, value) -> index in the tile */
} suggest_read;

/* Fails where no layout of threads and values is that read. */
ct_status ct_suggest_read_of(suggest_read *read, const ct_suggest_query *query, int32_t read_bits,
                             char message[CT_MESSAGE_BYTES]);

/* ---- kernel.c -------------------------------------------------------------------------------- */

/* The purpose of the kernel. In a program it writes the elements that it read to a tensor like the
 * source. For measurements it adds the values of a warp up to one number, at almost no cost. Blocks
 * along z then take consecutive matrices: a third mode of source and destination. */
enum { SUGGEST_PROGRAM, SUGGEST_MEASURED };

/* A layout of global memory as a kernel knows it: one stride a mode. */
typedef struct suggest_plain {
    int64_t extent[2], stride[2];
} suggest_plain;

/* Fails where a mode has more than one stride. name: "the source". */
ct_status ct_suggest_plain_of(suggest_plain *plain, ct_layout whole, const char *name,
                              char message[CT_MESSAGE_BYTES]);

/* Whether neighbouring blocks, along x, take neighbouring tiles along m; else along n. */
int ct_suggest_along_m(const suggest_plain *src);

/* The destination of the elements that were read: with the layout of the source, or compact if that
 * holds elements twice. */
suggest_plain ct_suggest_back_of(const suggest_plain *src);

/* Writes the kernel copy_tile, its includes and its pieces. For measurements, the headers have the
 * names of those inside libcutlet, which NVRTC gets. */
ct_status ct_suggest_put_kernel(ct_builder *out, const ct_suggest_query *query,
                                const ct_suggestion *s, int use, char message[CT_MESSAGE_BYTES]);

#endif
