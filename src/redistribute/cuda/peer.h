/**
 * The engine of peer memory: what its parts share.
 */
#ifndef CUTLET_SRC_REDISTRIBUTE_CUDA_PEER_H
#define CUTLET_SRC_REDISTRIBUTE_CUDA_PEER_H

#include "base/refuse.h"
#include "cuda_rank.h"

/** Streams other than the caller's: for elements that stay, for every second copy, for moves. */
enum { CT_PEER_STAYS, CT_PEER_COPIES, CT_PEER_LINE, CT_PEER_SIDES };

/** The most open handles, and the most moves with separate events. */
enum { CT_PEER_OPENED = 32, CT_PEER_MOVES = 64 };

/** Memory of another process that is open here. */
typedef struct ct_peer_opened {
    ct_driver_ipc handle;
    uint64_t base; /* here; 0: none */
    uint64_t used; /* when it was last asked for */
} ct_peer_opened;

/** Who a rank is. */
typedef struct ct_peer_who {
    int64_t process;
    uint64_t host;
    int32_t device; /* as the process numbers them */
    void *context;
} ct_peer_who;

/** What a rank shares: by its address, or by a handle for other processes. */
typedef struct ct_peer_shared {
    void *memory; /* NULL: nothing */
    void *ready;  /* the event after which it may be written */
    ct_driver_ipc handle;
    uint64_t offset;
    int32_t has_handle;
    int32_t failed; /* whether the rank has none of that, and says so */
} ct_peer_shared;

/** The moves of a rank since the last meet: to whom, and the event after which it has come. Later ones have
 *  come with the last of all. */
typedef struct ct_peer_moves {
    int32_t failed; /* whether the rank has announced a failure */
    int32_t count;
    void *last;
    int32_t to[CT_PEER_MOVES];
    void *event[CT_PEER_MOVES];
} ct_peer_moves;
_Static_assert(sizeof(ct_peer_moves) <= CT_ENGINE_RECORD, "the moves of a rank are one record");

/** The engine of a rank. */
typedef struct ct_peer {
    ct_cuda_rank at;
    int64_t row_bytes;
    ct_peer_who *ranks;
    int is_separate;    /* whether a rank is in another process */
    void *ready, *fork; /* events on the caller's stream */
    void *side[CT_PEER_SIDES], *merged[CT_PEER_SIDES];
    int is_forked[CT_PEER_SIDES];   /* whether the other stream has work that was not waited for */
    void *event[CT_PEER_MOVES + 1]; /* of moves, and of the last one */
    ct_peer_moves mine, *met;       /* since the last meet; everybody's at that one */
    unsigned turn;                  /* of copies to other ranks */
    unsigned kept;                  /* copies of this run to the rank itself */
    ct_peer_opened cache[CT_PEER_OPENED];
    uint64_t clock;
} ct_peer;

/* ---- peer_events.c --------------------------------------------------------------------------- */

/** An event that other ranks follow; gives it back. Within ct_cuda_rank_enter. */
ct_status ct_peer_event_take(ct_peer *s, void **taken, char *message);
void ct_peer_event_give(const void *taken);

/* ---- peer_reach.c ---------------------------------------------------------------------------- */

/** A number of this machine since it was started. */
uint64_t ct_peer_host(void);

/** Whether a rank is in this process. */
int ct_peer_is_here(const ct_peer *s, int32_t rank);

/** Lets this rank's kernels reach the memory of all others. */
ct_status ct_peer_reach(ct_peer *s, char *message);

/** The record that announces this rank's memory. */
ct_status ct_peer_describe(ct_peer *s, void *memory, ct_peer_shared *mine, char *message);

/** Where rank i's memory is here. The stream goes on when that rank's has come to its event. */
ct_status ct_peer_find(ct_peer *s, int32_t i, const ct_peer_shared *theirs, void *stream, void **at,
                       char *message);

/** Closes memory of another process. */
void ct_peer_close_opened(ct_peer *s, ct_peer_opened *o);

/* ---- peer_moves.c and peer_memory.c: functions of the engine --------------------------------- */

ct_status ct_peer_move(ct_engine *e, int32_t to, void *dst, const void *src, int64_t bytes,
                       void *stream, char *message);
ct_status ct_peer_meet(ct_engine *e, double limit_seconds, char *message);
ct_status ct_peer_follow(ct_engine *e, int32_t from, int32_t k, void *stream, char *message);
void *ct_peer_take(ct_engine *e, size_t bytes);
void ct_peer_give(ct_engine *e, void *memory);

#endif
