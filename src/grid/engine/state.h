/* The state of one launch: its memories, threads and copies in flight. */
#ifndef CUTLET_SRC_GRID_ENGINE_STATE_H
#define CUTLET_SRC_GRID_ENGINE_STATE_H

#include <signal.h>
#include <stdio.h>

#include <cutlet/copy/tma.h>
#include <cutlet/device/kernel/on_grid.h>

#include "context.h"

enum {
    WARP_LANES = 32,
    WARPGROUP_THREADS = 128,
    MAX_THREADS = 1024,
    MAX_CLUSTER = 8, /* blocks that run together */
    MAX_WARPS = MAX_CLUSTER * MAX_THREADS / WARP_LANES,
    MAX_RESIDENT = 32,             /* blocks that run together and wait for each other, */
    RESIDENT_THREADS = 4096,       /* and their threads */
    MAX_MEMORIES = 64,             /* buffers and shared arrays of a launch */
    SHARED_BYTES_MAX = 227 * 1024, /* of a block, on sm_90 */
    SHARED_STATIC_MAX = 48 * 1024,
    MAX_MBARRIERS = 128,             /* of a cluster, initialised at one time */
    CLUSTER_BARRIER = MAX_MBARRIERS, /* the first of the clusters' own */
    ALL_MBARRIERS = MAX_MBARRIERS + MAX_RESIDENT,
    NAMED_BARRIERS = 16, /* of a block; 0 is that of __syncthreads */
    MAX_TRIES = 1000,    /* rounds of waits that may fail, without other progress */
    MAX_POLLS = 1 << 20, /* loads by a thread of its last addresses without a change */
    MAX_IDLE = 1 << 23,  /* accesses of all threads to their last addresses only */
    LAST_ACCESSES = 8,   /* addresses kept of a thread */
    KEPT_FENCES = 16     /* fences of one kind kept of a thread */
};

/* The state of one byte. Ticks count barriers; a stamp is the tick of an action. */
typedef struct ct_shadow {
    uint32_t wrote;  /* stamp of the last write; 0: no write */
    uint32_t read;   /* stamp of the last read, or the set of readers (readers.c); 0: no read since
                      * the last write */
    uint16_t writer; /* thread, or one of the values below */
    uint16_t reader; /* thread, or one of the values below */
    uint32_t flight : 14;     /* 1 + thread whose cp.async will write it, or 0; in global memory the
                           * bulk and tile copies that will write it */
    uint32_t landing : 1;     /* a bulk or tile copy will write it */
    uint32_t leaving : 1;     /* a bulk or tile copy will read it */
    uint32_t by_copy : 1;     /* in global memory: a bulk or tile copy was its last writer */
    uint32_t read_before : 1; /* in global memory: an earlier block has read it */
    uint32_t updated : 1;     /* by atomic operations, of which the writer's was the last */
} ct_shadow;

/* WRITER_MBARRIER + number: copies that arrive there; OBJECT: the byte is a part of an mbarrier. */
enum { WRITER_REDUCTIONS = 0x3fff, WRITER_MBARRIER = 0x4000, WRITER_OBJECT = 0x7fff };
/* READER_COPY + number: copies that arrive at an mbarrier; READER_GROUP + number: the instructions
 * of a warpgroup; MANY: there was no room for the set. */
enum { READER_COPY = 0x4000, READER_GROUP = 0x8000, READERS_SET = 0xfffe, READERS_MANY = 0xffff };

/* A buffer or a shared array. */
typedef struct ct_memory {
    const char *name;
    unsigned char *base;
    size_t bytes;
    int64_t address;    /* of base in the records: number << MEMORY_SHIFT, plus the skew */
    ct_shadow *shadows; /* one for each byte, or NULL without checks of races */
    int32_t writable, is_shared;
    int32_t site; /* of the declaration of a shared array, or of a variable in global memory */
    unsigned char
        *touched; /* of each TOUCHED_BYTES of a buffer: whether it was accessed; NULL: not noted */
} ct_memory;

typedef struct ct_readers ct_readers;
typedef struct ct_released ct_released;
typedef struct ct_reader_step ct_reader_step;
typedef struct ct_wgmmas ct_wgmmas;

enum { MEMORY_SHIFT = 44, TOUCHED_BYTES = 256 };

/* One execution of an instruction by a warp. */
typedef struct ct_execution {
    int64_t address[WARP_LANES];
} ct_execution;

/* The executions of one instruction by one warp since the last barrier of its lanes. */
typedef struct ct_execution_log {
    int32_t times[WARP_LANES]; /* executions by each lane */
    int32_t count, capacity;
    ct_execution *executions;
} ct_execution_log;

/* One instruction: a site, a width, and for cp.async a side. */
typedef struct ct_instruction {
    const ct_grid_site *site;
    int32_t kind, bits, async;
    struct ct_instruction *other; /* the other side of a cp.async, or NULL */
    int32_t last_memory;          /* of the last execution with an active lane, or -1 */
    int64_t idle;                 /* executions before it, without an active lane */
    int64_t lead;                 /* those before the first with one, which count in */
    int32_t first_row, last_row;  /* 1 + its row, and that of the last one */
    int32_t row_of[MAX_MEMORIES]; /* 1 + row of the report */
    ct_execution_log logs[MAX_WARPS];
} ct_instruction;

/* A cp.async that has been issued. */
typedef struct ct_flight {
    unsigned char *dst;
    const unsigned char *src;
    ct_shadow *shadows;    /* of dst */
    const ct_memory *from; /* the memory of src; NULL: nothing is read */
    const ct_grid_site *site;
    uint32_t stamp; /* of the issue */
    int32_t bytes, src_bytes;
    int64_t group;
} ct_flight;

/* A thread that has waited for the last complete phase of an mbarrier, and no arrival since comes
 * after its wait (waits.c). */
typedef struct ct_waiter {
    const ct_grid_site *site;
    uint32_t stamp; /* of the wait */
    int32_t thread;
    uint32_t load_stamp; /* of the first bulk or tile load after it, 0: none, */
    int32_t load_bar;    /* and where that arrives */
} ct_waiter;

/* An mbarrier. Threads that wait for it come after what its arriving threads had seen (clock). */
typedef struct ct_mbarrier {
    unsigned char *at;   /* NULL: not in use */
    int32_t count;       /* arrivals of a phase */
    int32_t pending;     /* arrivals that the current phase lacks */
    int64_t bytes;       /* expected and not yet arrived in the current phase */
    uint32_t phase;      /* completed phases, continuing the count of the previous mbarrier here */
    uint32_t first;      /* phase at the init: an even number */
    uint32_t completed;  /* tick at which the last phase was completed */
    uint32_t copied;     /* the last phase in which a copy arrived */
    uint32_t made;       /* stamp of the init */
    int32_t maker;       /* thread of the init */
    int32_t last_thread; /* of the last copy that arrives at it */
    const ct_grid_site *last_site;
    ct_waiter *waiters;
    int32_t waiter_count, waiter_capacity;
    uint32_t *clock;
} ct_mbarrier;

/* The threads at barrier.red, and those of them with a true predicate, of the last two uses. */
typedef struct ct_barrier_votes {
    uint32_t came, use; /* came: threads to a named barrier */
    int32_t last, yes[2], all[2];
} ct_barrier_votes;

/* A bulk or tile copy that has been issued. A load arrives as late as possible; stores are executed
 * group by group. */
typedef struct ct_transfer {
    const ct_grid_site *site;
    unsigned char *shared, *global; /* global: of a bulk copy */
    ct_shadow *shadows;             /* of shared */
    int64_t bytes;                  /* in shared memory */
    int32_t thread, bar;
    int32_t reduce, elem;
    int32_t is_tile;
    int32_t coords[CT_TMA_RANK];
    ct_tma_desc desc; /* of a tile copy */
    int64_t group;
} ct_transfer;

typedef struct ct_transfers {
    ct_transfer *list; /* in order of issue */
    int32_t count, capacity;
    int32_t read; /* stores: the first this many have read shared memory */
} ct_transfers;

/* The last fences of a thread between its accesses and copies, of one state space. */
typedef struct ct_fences {
    uint32_t at[KEPT_FENCES]; /* stamps; the newest is at[(count - 1) % KEPT_FENCES] */
    uint32_t count;
    uint32_t barrier; /* stamp of the block's barrier before the newest */
} ct_fences;

enum {
    THREAD_READY,
    THREAD_BARRIER,
    THREAD_WARP,
    THREAD_PAUSED,
    THREAD_MBARRIER,
    THREAD_TRY,
    THREAD_CLUSTER,
    THREAD_WARPGROUP,
    THREAD_POLL,
    THREAD_DONE
};

/* The last access of a thread to the shared memory of another block. */
typedef struct ct_peer_access {
    const ct_grid_site *site; /* NULL: none */
    const char *verb;
    uint32_t stamp;
} ct_peer_access;

/* A lane's part in a meeting of its warp or warpgroup: an instruction executed together. */
typedef struct ct_meeting {
    const ct_grid_site *site;
    uint32_t mask;
    int32_t takes_all; /* all 32 lanes must take part; none may have exited */
    int32_t has_met;
    void *data;
} ct_meeting;

/* The last addresses that a thread has accessed, and the first bytes that it loaded there. */
typedef struct ct_last_accesses {
    const void *at[LAST_ACCESSES];
    uint64_t found[LAST_ACCESSES];
    int32_t next;    /* is replaced next */
    int32_t loads;   /* consecutive loads of these addresses that returned the same values, */
    uint32_t loaded; /* and a bit for each of these addresses */
} ct_last_accesses;

typedef struct ct_thread {
    ct_grid_thread_indices indices; /* first, because ct_grid_self points to it */
    struct ct_grid_state *grid;
    ct_context context;
    int32_t index, warp, lane, state; /* index and warp are counted over the cluster's blocks */
    int32_t rank;                     /* of its block in the cluster */
    const ct_grid_site *waits_at;
    ct_grid_call *call; /* the kernel's current call of cutlet's headers, or NULL */
    ct_meeting meeting;
    uint32_t met[WARP_LANES]; /* actions of each lane of the warp at lower stamps come before, by
                               * barriers of some lanes; barriers of all are in warp_tick */
    ct_flight *flights;       /* in order of issue */
    int32_t flight_count, flight_capacity;
    int64_t groups;       /* committed */
    uint32_t *clock;      /* see clock.c; NULL before the first mbarrier */
    ct_fences fences[2];  /* for shared memory, and for global memory */
    uint32_t waited;      /* stamp of its last wait for an mbarrier or a named barrier */
    uint32_t fenced_init; /* stamp of its last fence of either kind */
    ct_last_accesses last;
    ct_mbarrier *waits_for;
    int32_t parity, gave_up;
    uint64_t
        tried[MAX_MBARRIERS / 64]; /* a bit for each mbarrier: a try has failed since a wait, */
    uint64_t waits[MAX_MBARRIERS / 64]; /* and: the thread is among the waiters */
    ct_transfers stores;
    int64_t store_groups; /* committed */
    int64_t wgmma_groups;
    uint32_t wgmma_fenced; /* stamp of its last wgmma.fence */
    const ct_grid_site
        *arrived_at;        /* its arrival at the cluster's barrier without a wait, or NULL */
    uint32_t arrived_phase; /* of that barrier */
    ct_peer_access peers[MAX_CLUSTER];
    int32_t is_anywhere;                            /* its barrier is one for any site */
    uint32_t *found[CT_SCOPES], *fenced[CT_SCOPES]; /* see release.c; NULL until they are needed */
    uint32_t fenced_at[CT_SCOPES];                  /* ticks */
    void *own;                                      /* of what runs the thread, */
    struct ct_arena *owned;                         /* and its memory, freed after the launch */
} ct_thread;

/* A launch as its caller asks for it. */
typedef struct ct_launch {
    const ct_grid_kernel *kernel;
    ct_dim3 grid, block;
    size_t shared_bytes;
    const void *args;
    size_t args_bytes;
} ct_launch;

typedef struct ct_grid_state {
    const ct_grid_kernel *kernel;
    void *args; /* a copy */
    const ct_grid_options *options;
    ct_grid_report *report;
    ct_grid_block_indices blocks[MAX_RESIDENT];
    size_t dynamic_bytes, static_bytes;
    ct_context scheduler;
    ct_thread *threads;
    int32_t thread_count, warp_count; /* of all blocks that run together */
    int32_t cluster, block_threads;
    int32_t resident, present; /* blocks that run together: a cluster, or several blocks; now */
    ct_stacks stacks;
    void *handler_stack; /* the stack of the fault handler, or NULL */
    stack_t handler_before;

    ct_memory memories[MAX_MEMORIES];
    int32_t memory_count;
    ct_memory of_rank;    /* a shared array of another block of the cluster */
    unsigned char *arena; /* the shared arrays of each block, block after block */
    ct_shadow *arena_shadows;
    size_t arena_bytes, arena_used;

    uint32_t tick, block_tick, cluster_tick, barrier_tick[MAX_RESIDENT];
    uint32_t warp_tick[MAX_WARPS];
    unsigned char
        learnt[MAX_RESIDENT]; /* a thread of the block has learnt of others since its barrier */
    uint32_t met[MAX_WARPS],
        gone[MAX_WARPS]; /* lanes that wait at a meeting; that have exited, or are none */

    ct_readers *readers;
    ct_reader_step *reader_steps;
    uint32_t reader_first, reader_count; /* the sets since the last barrier of all threads */
    uint32_t reader_block;               /* the first set of this block or cluster */
    int32_t readers_have_copy;           /* a set of them may have a copy */

    ct_mbarrier mbarriers[ALL_MBARRIERS];
    unsigned char named[MAX_RESIDENT * NAMED_BARRIERS]; /* the addresses of named barriers */
    ct_barrier_votes votes[MAX_RESIDENT * NAMED_BARRIERS];
    uint32_t *clocks; /* of all threads, then of all mbarriers; NULL before the first mbarrier */
    size_t visible_from,
        far_from;          /* from a clock to its other ones; 0: they are the same (clock.c) */
    ct_released *released; /* see release.c; NULL before the first release */
    uint32_t released_count, released_capacity;
    ct_transfers loads;
    const unsigned char *sought; /* an address, and the store to it that was found (parts.c) */
    const ct_transfer *found;
    void *products;      /* of mma.c; NULL before the first mma.sync */
    ct_wgmmas *wgmmas;   /* NULL before the first wgmma */
    const int32_t *stop; /* not 0: no other block begins; or NULL */
    int32_t tries;       /* consecutive rounds in which only waits that may fail made progress */
    int64_t idle; /* accesses and waits since a thread accessed an address not among its last */
    const void *accessed;          /* the address that is checked, or was last */
    uint64_t schedule, random;     /* 0: the fixed order; otherwise it seeds the random numbers */
    unsigned char pace[MAX_WARPS]; /* a warp runs in one of 2^pace rounds */
    unsigned char yields;          /* how often threads yield, 0 to 2 of 3 times */

    ct_instruction **instructions;
    int32_t instruction_count, instruction_capacity;
    ct_instruction **instruction_of; /* [site * SITE_FORMS + form] */
    int32_t instruction_of_capacity;
    int32_t row_capacity;
} ct_grid_state;

/* The operation of a thread, for the checks and their messages. */
typedef struct ct_operation {
    const ct_grid_site *site;
    const char *verb; /* "load from shared memory" */
    int32_t bytes;    /* 0: it has no width */
    int32_t is_shared, is_write;
    int32_t align;  /* 0: the same as bytes */
    int32_t engine; /* 0, or ENGINE_...: the async proxy executes it, and messages omit bytes */
} ct_operation;

enum { ENGINE_COPY = 1, ENGINE_REDUCTION, ENGINE_ATOMIC /* a thread's own atomic operation */ };

/* The block of a thread. */
static inline ct_dim3 ct_grid_block_of(const ct_thread *t) { return t->indices.launch->block; }

/* The rank, among the blocks that run, of block 0 of a thread's cluster. */
static inline int ct_grid_first_rank(const ct_thread *t)
{
    return t->rank - t->rank % t->grid->cluster;
}

/* The rank of the block in whose shared memory an address lies, or -1. */
static inline int ct_grid_rank_at(const ct_grid_state *r, const void *p)
{
    const size_t at = (uintptr_t)p - (uintptr_t)r->arena;
    if (at < r->arena_bytes) return 0;
    return at < r->arena_bytes * (size_t)r->resident ? (int)(at / r->arena_bytes) : -1;
}

/* The address in the shared memory of block `to` that corresponds to p in that of block `from`. */
static inline unsigned char *ct_grid_in_rank(const ct_grid_state *r, const void *p, int from,
                                             int to)
{
    return (unsigned char *)(uintptr_t)p + (ptrdiff_t)(to - from) * (ptrdiff_t)r->arena_bytes;
}

/* The running thread. */
static inline ct_thread *self(void) { return (ct_thread *)(uintptr_t)ct_grid_self; }

/* schedule.c: the order of the threads, fixed or by random numbers. */
uint64_t ct_grid_random(ct_grid_state *r, uint64_t below);
/* The numbers below count, in the order 0, 1, .. if it is fixed; at most count of them are taken. */
typedef struct ct_turns {
    uint64_t next, count, key;
    int32_t bits; /* 0: in order */
} ct_turns;
ct_turns ct_grid_turns(ct_grid_state *r, uint64_t count);
uint64_t ct_grid_random_turn(ct_turns *turns);
static inline uint64_t ct_grid_turn(ct_turns *turns)
{
    return turns->bits ? ct_grid_random_turn(turns) : turns->next++;
}
void ct_grid_paces_begin(ct_grid_state *r);
int ct_grid_is_slow(ct_grid_state *r, int warp); /* whether the warp does not run in this round */
/* Between two instructions of a thread: lets others run first, or not. */
void ct_grid_maybe_yield(ct_thread *t, const ct_grid_site *site);

/* wait.c: suspends the thread; the scheduler resumes it when its state is THREAD_READY. */
void ct_grid_wait(ct_thread *t, int state, const ct_grid_site *site);

#endif
