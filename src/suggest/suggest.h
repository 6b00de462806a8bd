/* What the files of the search share. An index of the tile is m + tile_m * n. */
#ifndef CUTLET_SRC_SUGGEST_SUGGEST_H
#define CUTLET_SRC_SUGGEST_SUGGEST_H

#include <cutlet/host/suggest.h>

#include "base/refuse.h"

enum {
    SUGGEST_LANES = 32,
    SUGGEST_ACCESS_BYTES = 16,
    SUGGEST_LEVELS = 5,  /* widths of 1, 2, 4, 8, 16 elements: level 0 to 4 */
    SUGGEST_SHIFTS = 32, /* at most: the placements of a tile in a sector */
    SUGGEST_ALONG_M = 0,
    SUGGEST_ALONG_N = 1
};

/* ---- sides.c: a side in memory, index by index ---------------------------------------------- */

/* The place of each index of a tile, and the width at which it may be accessed. */
typedef struct suggest_side {
    int64_t *at;      /* [index]: the byte */
    int32_t level[2]; /* the widest access along m, along n: 2^level elements */
    int32_t shifts;   /* of a global side: the placements of a tile, as bytes to add */
    int64_t shift[SUGGEST_SHIFTS];
} suggest_side;

/* A global side. name: "the source". */
ct_status ct_suggest_global_side(suggest_side *side, const ct_suggest_query *query, ct_layout whole,
                                 int64_t align_bytes, const char *name,
                                 char message[CT_MESSAGE_BYTES]);

/* The widest accesses along m and n at which every run of the tile is contiguous and aligned. */
void ct_suggest_find_levels(suggest_side *side, const ct_suggest_query *query);

/* ---- count.c: lanes -------------------------------------------------------------------------- */

/* Accesses of 2^level elements: lane t in step i begins at the index lane[t] + step[i]. */
typedef struct suggest_walk {
    int32_t level, lanes, steps;
    int32_t *lane, *step;
} suggest_walk;

static inline int64_t suggest_instructions(const suggest_walk *w)
{
    return (int64_t)((w->lanes + SUGGEST_LANES - 1) / SUGGEST_LANES) * w->steps;
}

/* What instructions cost together. */
typedef struct suggest_tally {
    int64_t sectors, lines, wavefronts;
    int32_t at_least; /* 1: the hardware may take more, see access.h */
} suggest_tally;

/* The sum over all instructions of a walk, the bytes of the side moved by `shift`; shared: of
 * cp.async, where each index goes. More than `most` (wavefronts, or sectors of plain accesses to
 * global memory): some numbers above it. */
suggest_tally ct_suggest_count(const ct_suggest_query *query, int kind, const suggest_walk *walk,
                               const int64_t *at, int64_t shift, const int64_t *shared,
                               int64_t most);

/* The walk that reads the tile at an access of 2^level elements. CT_OK or CT_E_MEMORY. */
ct_status ct_suggest_read_walk(suggest_walk *walk, const ct_suggest_query *query, int level);
void ct_suggest_walk_free(suggest_walk *walk);

/* ---- copies.c: threads and values ------------------------------------------------------------ */

/* The elements of each thread, for any instruction. */
typedef struct suggest_copy {
    int32_t level, along; /* an access: 2^level elements along m or n */
    int32_t thr[2];       /* threads along m, n */
    int32_t row_major;    /* the order of the threads */
    int32_t times[2];     /* accesses of a thread's block along m, n */
    int64_t sectors;      /* over all shifts of its global side; past L1 there may be more */
    double tags;          /* passes through the tags of L1, in the mean over the shifts: one for
                              each instruction and one for each line that it touches */
    int32_t simple;       /* the rank among copies of equal cost: the simplest first */
    suggest_walk walk;
} suggest_copy;

typedef struct suggest_copies {
    suggest_copy *item;
    int32_t count, capacity;
} suggest_copies;

/* All copies that the side allows, by sectors, then the simplest first. CT_OK or CT_E_MEMORY. */
ct_status ct_suggest_copies_make(suggest_copies *all, const ct_suggest_query *query, int kind,
                                 const suggest_side *side);
void ct_suggest_copies_free(suggest_copies *all);

/* ---- shared.c: layouts of shared memory ------------------------------------------------------ */

typedef struct suggest_shared {
    int32_t row_major, pad;    /* pad: elements between one line and the next */
    int32_t bits, base, shift; /* of the swizzle */
    int32_t level[2];          /* as of a side */
    int64_t bytes;
    int32_t read_level;              /* the best read, */
    int64_t read, read_instructions; /* and its cost; read < 0: none is possible */
    int64_t out_sectors;
    double out_tags;
    int32_t out; /* the copy to dst, or -1 */
} suggest_shared;

typedef struct suggest_shareds {
    suggest_shared *item;
    int32_t count, capacity;
} suggest_shareds;

/* All layouts that fit, without their reads. CT_OK or CT_E_MEMORY. */
ct_status ct_suggest_shareds_make(suggest_shareds *all, const ct_suggest_query *query);

ct_tensor ct_suggest_shared_layout(const suggest_shared *s, const ct_suggest_query *query);

/* Fills side->at with the bytes of a layout. */
void ct_suggest_shared_offsets(const suggest_shared *s, const ct_suggest_query *query, int64_t *at);

/* ---- search.c -------------------------------------------------------------------------------- */

typedef struct suggest_candidate {
    int64_t cycles; /* estimated from */
    double passes;
    ct_suggest_cost cost;
    int32_t shared, copy, kind, at_least;
    uint64_t tie; /* among equal ones: the smallest first */
} suggest_candidate;

typedef struct suggest_search {
    const ct_suggest_query *query;
    suggest_side src, dst, scratch; /* scratch: of the layout of shared memory at hand */
    ct_suggest_cost least;          /* what any candidate costs */
    int32_t *merged;                /* room for the steps of a walk */
    suggest_copies in, out;
    suggest_shareds shareds;
    suggest_walk read[SUGGEST_LEVELS]; /* lanes 0: not asked for */
    int32_t src_weight, dst_weight;    /* placements / shifts of either side */
    int32_t placements;
    double memory_cycles; /* for the sectors of the tile */
    suggest_candidate *item;
    int32_t count, capacity;
    int32_t settled; /* of the items, those that are the best so far, sorted */
    int64_t tried;
} suggest_search;

/* The items, the best first. */
ct_status ct_suggest_search_run(suggest_search *s, char message[CT_MESSAGE_BYTES]);
void ct_suggest_search_free(suggest_search *s);

/* The wavefronts of a candidate of this layout: the write by a copy of a kind, and the read. */
int64_t ct_suggest_wavefronts(suggest_search *s, const suggest_shared *shared,
                              const suggest_copy *copy, int kind);

/* The cycles that such a candidate is estimated to take. */
int64_t ct_suggest_cycles_of(suggest_search *s, const suggest_shared *shared,
                             const suggest_copy *copy, int kind);

ct_suggest_copy ct_suggest_copy_public(const suggest_copy *c, int kind, int elem_bits);

/* ---- merged_stores.c: stores that a compiler merges ------------------------------------------------ */

/* A store takes 2^level elements: those of one access of the copy, or more if a thread's values are
 * contiguous in an unswizzled layout. */
int ct_suggest_merged_level(const suggest_copy *copy, const suggest_shared *shared,
                            const ct_suggest_query *query);

/* The wavefronts of the stores so joined, into the layout that is in scratch. More than `most`:
 * some number above it. */
int64_t ct_suggest_merged_write(const suggest_search *s, const suggest_copy *copy, int level,
                                const suggest_shared *shared, int64_t most);

/* ---- cycles.c: the estimate that candidates are ranked by ------------------------------------ */

/* For this number of sectors. */
double ct_suggest_memory_cycles(double sectors);

/* The passes of the load-store unit; write: the wavefronts into shared memory, stores joined. */
double ct_suggest_passes(const suggest_search *s, const suggest_shared *shared,
                         const suggest_copy *copy, int kind, int64_t write);

/* Whole cycles. */
int64_t ct_suggest_cycles(const suggest_search *s, const suggest_copy *copy, int kind,
                          double passes);

/* Passes that take more than these cycles. */
double ct_suggest_most_passes(const suggest_search *s, const suggest_copy *copy, int kind,
                              int64_t cycles);

/* ---- bounds.c, reason.c ---------------------------------------------------------------------- */

/* Overwrites s->scratch.at. */
ct_suggest_cost ct_suggest_least(const suggest_search *s);
void ct_suggest_explain(suggest_search *s, ct_suggest_result *result);

static inline int suggest_elem_bytes(const ct_suggest_query *q) { return q->elem_bits / 8; }
static inline int64_t suggest_size(const ct_suggest_query *q) { return q->tile_m * q->tile_n; }

static inline const ct_access_rules *ct_suggest_rules(const ct_suggest_query *q)
{
    int count;
    return q->rules ? q->rules : ct_access_rules_all(&count);
}

/** A layout of two modes of packed elements in bytes, and the mode that is shorter by that. As
 *  ct_suggest_as_bytes; name is in the message. */
ct_status ct_suggest_layout_as_bytes(ct_layout *L, int bits, const char *name, int *mode,
                                     char *message);

#endif
