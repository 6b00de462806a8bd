/**
 * A fake NCCL: a shared object with its functions for the ranks of one process, on the deferred streams of
 * the fake driver (fake_cuda.h). A test sets it up and looks into it through `fake_nccl`.
 *
 * A group is one piece of work of each stream. It ends when all its sends and receives have met those of
 * their peers, in the order of each pair of ranks, and its bytes have moved.
 */
#ifndef CUTLET_TESTS_FAKE_NCCL_H
#define CUTLET_TESTS_FAKE_NCCL_H

#include <stddef.h>
#include <stdint.h>

enum { FAKE_NCCL_RANKS = 32 };

typedef struct fake_nccl_state {
    /* set by the test */
    const char *fail; /* the function that fails, or NULL ... */
    int fail_rank; /* ... for this rank, -1: for all (also ncclGroupStart and ncclGroupEnd) ... */
    int result;    /* ... with this result ... */
    int calls_before; /* ... after this many calls that succeed */
    int hangs;        /* 1 + the rank whose groups never begin; 0: none */
    int stays;        /* 1 + the rank whose ncclGroupEnd does not end; 0: none ... */
    int blocks;       /* ... 1: nor returns, until its communicator is aborted; 0: is in progress */
    int async_rank;   /* the rank whose communicator has an error ... */
    int async_result; /* ... this one; 0: none */
    int async_after;  /* ... after this many groups of it */
    /* counted */
    int comms, groups, aborts;             /* comms: alive now */
    int mismatches;                        /* sends that met a receive of another size */
    int registered, registrations;         /* blocks of memory: now, and in all */
    int64_t sends, bytes[FAKE_NCCL_RANKS]; /* bytes that each rank has sent to others */
} fake_nccl_state;

extern fake_nccl_state fake_nccl;

#endif
