/**
 * Internals of a redistribution: the plan of a rank.
 */
#ifndef CUTLET_SRC_REDISTRIBUTE_PLAN_H
#define CUTLET_SRC_REDISTRIBUTE_PLAN_H

#include "order.h"

/** The sets that a rank shares with each key of the other side along a mode. */
typedef struct ct_shared_sets {
    int64_t count;
    ct_sets *sets;
} ct_shared_sets;

/** Where a transfer's sets are: in the lists of what the rank sends, or receives. */
typedef struct ct_transfer_sets {
    int32_t receives;
    int32_t index[CT_SHARDED_MODES];
} ct_transfer_sets;

/** A part of a piece that is packed, unpacked or written to its place at once. */
typedef struct ct_segment {
    int32_t plan; /* of ct_redistribute.copy: packs where the rank sends, unpacks, or writes */
    int64_t elems;
    int64_t at[2];     /* its first element in the memory of the sender and of the receiver */
    int32_t is_run[2]; /* whether it is contiguous there, in its order */
} ct_segment;

/** What is prepared of a transfer: its chunks, or the copies that write it. */
typedef struct ct_prepared {
    int32_t segments, chunks;
    ct_segment *segment; /* of the chunks; without chunks, straight into the other memory */
    int32_t *chunk;      /* the first segment of each, and one beyond the last; or NULL */
} ct_prepared;

/** A copy plan, and what it copies. */
typedef struct ct_prepared_copy {
    ct_plan *plan;
    int32_t kind, leaves;
    int64_t count[CT_MAX_LEAVES], at[2][CT_MAX_LEAVES];
} ct_prepared_copy;

struct ct_redistribute {
    ct_redistribute_desc desc; /* checked, with defaults */
    ct_sides sides;
    int64_t rank;
    int32_t bytes[2], wire_bytes; /* of an element */
    int32_t wire_side;            /* whose type is sent: 0 the source's, 1 the destination's */
    ct_redistribute_info info;
    ct_shared_sets shared[2][CT_SHARDED_MODES]; /* by what the rank sends and receives */
    int32_t transfers, capacity;
    ct_transfer *transfer;
    ct_transfer_sets *sets_of;
    int32_t carry;         /* what is prepared: CT_CARRY_..., -1 for nothing */
    int64_t slice_bytes;   /* that are written to another rank at once, at most; 0: any number */
    int64_t staging_bytes; /* of scratch that staged transfers need; 0: none is staged here */
    ct_prepared *prepared;
    int32_t copies, copies_capacity;
    ct_prepared_copy *copy;
};

/** A leaf of a piece: its steps in both memories, in elements. */
typedef struct ct_piece_leaf {
    int64_t count, at[2];
} ct_piece_leaf;

/** A piece without the algebra: leaves, the first the fastest. */
typedef struct ct_piece_leaves {
    int32_t leaves;
    int64_t elems, at[2];
    int64_t first[CT_SHARDED_MODES];
    ct_piece_leaf leaf[CT_MAX_LEAVES];
} ct_piece_leaves;

void ct_piece_leaves_of(const ct_redistribute *plan, int32_t t, int32_t k, ct_piece_leaves *out);

/** Whether the leaves are one contiguous run in a memory, in their order. */
int ct_piece_is_run(const ct_piece_leaf *leaf, int32_t leaves, int side);

/** Checks a description, sets its defaults, and an element's bytes on both sides. */
ct_status ct_redistribute_check(ct_redistribute_desc *desc, int32_t bytes[2], char *message);

/* ---- stage.c --------------------------------------------------------------------------------- */

/** Whether a transfer is to be staged, if scratch has room for it. Both its ranks decide alike. */
int ct_staged_wanted(const ct_redistribute *plan, int32_t t, int32_t carry);

/** The most bytes of a chunk of a transfer that is staged. */
int64_t ct_staged_chunk(const ct_redistribute *plan, int32_t t);

/** The bytes of scratch for one transfer to a rank, and for one from it. */
int64_t ct_staged_slot(const ct_redistribute *plan);

/** The bytes that the chunks of a transfer take in its slot: each begins at a multiple of 256. */
int64_t ct_staged_bytes(const ct_redistribute *plan, int32_t t);

/** Whether a transfer between two ranks is prepared to be staged. */
int ct_is_staged(const ct_redistribute *plan, int32_t t);

/** Queues everything that this rank stages. It packs chunks in its scratch, and moves them to the
 * receivers' scratch, or directly to shared[rank] if they are contiguous there. */
ct_status ct_send_staged(const ct_redistribute *plan, ct_engine *engine, char *scratch,
                         void **staged, void **shared, const void *src, void *stream,
                         char *message);

/** Queues the unpacking of everything that is staged for this rank, after each move. */
ct_status ct_receive_staged(const ct_redistribute *plan, ct_engine *engine, const char *scratch,
                            void *dst, void *stream, char *message);

/** ct_redistribute_prepare for an engine that writes at most slice_bytes at once; 0: any number. */
ct_status ct_redistribute_prepare_slices(ct_redistribute *plan, int32_t carry, int64_t slice_bytes,
                                         char *message);

/** Releases the prepared state. */
void ct_redistribute_unprepare(ct_redistribute *plan);

/** ct_redistribute_put, whose copies the engine runs if it has a function for them; engine may be
 * NULL. */
ct_status ct_redistribute_put_by(const ct_redistribute *plan, ct_engine *engine, int32_t t,
                                 void *dst, const void *src, void *stream, char *message);

#endif
