/* A candidate as a kernel on the device API: what the files that write it share. */
#ifndef CUTLET_SRC_SUGGEST_CODE_H
#define CUTLET_SRC_SUGGEST_CODE_H

#include "../text/sink.h"
#include "suggest.h"

/* ---- read.c: the read of a tile as a tiled copy ---------------------------------------------- */

/* Which threads read what: accesses of neighbouring threads are neighbours in the order of
 * CT_READ_.... */
typedef struct suggest_read {
    int32_t threads, steps; /* those that take part, and the accesses of each */
    int32_t matrices;       /* of an ldmatrix; 0 otherwise */
    int32_t values, words;  /* of a thread; words of registers for them */
    ct_layout tv;           /* (thread, value) -> index in the tile */
} suggest_read;

/* 0; or -1 and a message. */
int ct_suggest_read_of(suggest_read *read, const ct_suggest_query *query, int32_t read_bits,
                       char message[256]);

/* ---- kernel.c -------------------------------------------------------------------------------- */

/* What the kernel does with what it read: writes it to a tensor like the source; or adds it up to a
 * number a warp, whatever it read being worth as little time as can be. */
enum { SUGGEST_GIVE_BACK, SUGGEST_SUM };

/* A layout of global memory as a kernel knows it: one stride a mode. */
typedef struct suggest_plain {
    int64_t extent[2], stride[2];
} suggest_plain;

/* 0; or -1 and a message. name: "the source". */
int ct_suggest_plain_of(suggest_plain *plain, ct_layout whole, const char *name, char message[256]);

/* Whether neighbouring blocks, along x, take neighbouring tiles along m; else along n. */
int ct_suggest_along_m(const suggest_plain *src);

/* Where what was read is given back: laid out as the source; compact where that holds elements twice. */
suggest_plain ct_suggest_back_of(const suggest_plain *src);

/* Writes the kernel copy_tile, its includes and its pieces. 0; or -1 and a message.
 * embedded: the headers are those inside libcutlet, as NVRTC gets them. */
int ct_suggest_put_kernel(ct_sink *out, const ct_suggest_query *query, const ct_suggestion *s,
                          int use, int embedded, char message[256]);

#endif
