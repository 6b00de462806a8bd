/**
 * The CPU grid: runs a kernel without a GPU, checks each access that it makes by the functions of
 * the device headers, and counts the cost.
 *
 * Blocks run one after another, but for kernels of `together`, and threads in a fixed order: a run
 * repeats exactly. The option `schedules` adds other orders, which repeat too. A launch stops at
 * the first mistake with one line that names kernel, block, thread, instruction, site and buffer.
 * Mistakes are accesses out of bounds or misaligned, reads of shared memory that was never written
 * or whose copy was not waited for, races between barriers, and threads that do not reach the same
 * barrier. The place is the kernel's line, also where a function of cutlet's headers makes the
 * access. Mbarriers, bulk and tile copies, clusters and the matrix instructions of warps and
 * warpgroups run too. The records have neither these copies nor the reads of a wgmma.
 *
 *     ct_grid_buffer buffers[] = {{"src", src, bytes, 0, 0}, {"dst", dst, bytes, 1, 0}};
 *     ct_grid_options options = {.buffers = buffers, .buffer_count = 2};
 *     ct_grid_report report;
 *     if (ct_grid_launch(&copy, grid, block, 0, &args, sizeof args, &options, &report))
 *         fprintf(stderr, "%s\n", report.message);
 *     ct_grid_report_free(&report);
 *
 * Used by:  examples/howto/debug.c, examples/howto/conflicts.c
 */
#ifndef CUTLET_HOST_GRID_H
#define CUTLET_HOST_GRID_H

#include <stddef.h>
#include <stdint.h>

#include <cutlet/host/access.h>
#include <cutlet/host/message.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Three extents or indices, x fastest. */
typedef struct ct_dim3 {
    uint32_t x, y, z;
} ct_dim3;

/** A kernel compiled for the grid; CT_KERNEL defines one under the kernel's name. */
typedef struct ct_grid_kernel {
    const char *name;
    void (*body)(const void *args);
    size_t args_bytes;
    int32_t max_threads;
    int32_t cluster; /* blocks along x that run together, 1 to 8; 0 counts as 1 */
    int32_t
        together; /* 1: its blocks may wait for each other; so up to 32 blocks run together, of up to
                       * 4096 threads in all; not for clusters. -1: they touch nothing in common but
                       * what they only read, and no variable of the program; so several may run at
                       * once, with the results and reports of one after another */
} ct_grid_kernel;

/** Global memory that the kernel may touch. A buffer that begins where another ends, like arrays of
 * one allocation, is copied elsewhere, so that an access past that end is found. So is one with a
 * skew that differs from its base's: the kernel sees the address that counts. Pointers, tensor maps
 * and ct_globals in the kernel's argument follow it, those in memory do not: buffers_touch. */
typedef struct ct_grid_buffer {
    const char *name;
    void *base;
    size_t bytes;
    int32_t writable;
    int32_t skew; /* base counts as this number of bytes past a 256-byte boundary; 0: base % 16 */
} ct_grid_buffer;

/** Why a launch stopped. */
enum {
    CT_GRID_OK = 0,
    CT_GRID_E_LAUNCH,     /* the launch itself: sizes, arguments, buffers */
    CT_GRID_E_BOUNDS,     /* outside every buffer or shared array */
    CT_GRID_E_READ_ONLY,  /* a store to a buffer that is not writable */
    CT_GRID_E_MISALIGNED, /* address not a multiple of the access */
    CT_GRID_E_UNWRITTEN,  /* shared memory read before anything was written to it */
    CT_GRID_E_IN_FLIGHT,  /* memory accessed before a copy into it, or out of it, was waited for;
                             likewise a wgmma's operands and results */
    CT_GRID_E_RACE,       /* two threads, one of them writing, with no barrier between */
    CT_GRID_E_DIVERGENCE, /* threads wait at different places, or read from a lane that has ended */
    CT_GRID_E_ATOM,       /* no such instruction: width, size or lane */
    CT_GRID_E_MEMORY,     /* not enough memory for the run, or a thread's local memory is too
                             large */
    CT_GRID_E_MBARRIER,   /* an mbarrier that is not there, or that gets what it cannot take */
    CT_GRID_E_DEADLOCK, /* threads wait for an mbarrier whose phase will not be complete, or spin */
    CT_GRID_E_PROXY,    /* a bulk or tile copy, or a wgmma, and no fence after the stores that it
                            * sees */
    CT_GRID_E_CONSTANT, /* a constant of the kernel (CT_STATIC) or an operand carries an error */
    CT_GRID_E_ORDER     /* the results of two schedules differ */
};

/** One instruction of one warp, as it was executed. */
typedef struct ct_grid_request {
    const char *name; /* of the buffer or shared array */
    const char *file; /* the place in the kernel's source, not in cutlet's headers, */
    int32_t line;
    const char *function; /* and the function of cutlet's that it calls there; NULL: an atom */
    int32_t kind;         /* CT_ACCESS_... */
    int32_t bits;         /* per lane */
    int32_t buffer;       /* index of the buffer, or -1 for shared memory */
    int32_t async;        /* 1: the shared side of a cp.async */
    ct_dim3 block;
    int32_t warp;          /* of the block */
    const int64_t *offset; /* [32], in the buffer or array; CT_LANE_OFF where a lane is inactive */
    ct_access_count count;
} ct_grid_request;

/** How to run. All zero is a good choice, but for the buffers. */
typedef struct ct_grid_options {
    const ct_grid_buffer *buffers;
    int32_t buffer_count;
    int32_t no_records;      /* no counting: rows stay empty */
    int32_t no_global_races; /* no race check on global memory (it takes 16 bytes per byte used) */
    int32_t buffers_touch;   /* leaves all buffers where they are */
    int64_t spin_accesses;   /* to few places, after which threads count as spinning; 0: 2^23 */
    size_t stack_bytes;      /* of each thread; 0: 768 KiB, for 512 KiB of local memory */
    /* Schedules to run, seed, seed + 1, ..; 0 counts as 1. Each begins with the same memory, and is
     * one order of blocks, warps and lanes, chosen at every barrier, mbarrier, named barrier and
     * atomic reduction; 0 is the fixed order. A message names the schedule of the mistake, which
     * runs alone as seed. Rows and on_request are of the first. */
    int32_t schedules;
    uint64_t seed;
    /* Called for each execution by a warp: in the order of blocks, between two barriers of warps,
     * and in each warp of instructions. Those without an active lane count as instructions and cost
     * nothing; those before the first with one are not told, since they have no memory. */
    void (*on_request)(void *user, const ct_grid_request *request);
    void *user;
    /* Lanes of a warp may store equal values to one address of shared memory, as code of Triton does:
     * one of them is performed, whichever it is (CUDA C++ Programming Guide, SIMT architecture). */
    int32_t equal_stores;
    /* A copy may arrive at an mbarrier that no fence has followed since its init. The PTX ISA asks for one:
     * the init is an access of the generic proxy, the copy's arrival one of the async proxy (9.7.13.4, and
     * fence.mbarrier_init for threads of a cluster). Some code has none behind the init but a barrier. */
    int32_t no_init_fence;
} ct_grid_options;

/** The sum over all executions of one instruction on one buffer. A cp.async has two rows: the
 *  global side counts requests and sectors, the shared side (kind STS) wavefronts. */
typedef struct ct_grid_row {
    const char *name; /* of the buffer or shared array */
    const char *file; /* the place in the kernel's source, not in cutlet's headers, */
    int32_t line;
    const char *function; /* and the function of cutlet's that it calls there; NULL: an atom */
    int32_t kind;
    int32_t bits;
    int32_t buffer;       /* index of the buffer, or -1 for shared memory */
    int32_t async;        /* 1: the shared side of a cp.async */
    int64_t instructions; /* executions by a warp */
    int64_t lanes;        /* executions by an active lane */
    int64_t requests;
    int64_t sectors;
    int64_t bytes_used; /* of 32 * sectors bytes moved */
    int64_t wavefronts;
    int64_t conflicts;
} ct_grid_row;

/** What came of a launch. */
typedef struct ct_grid_report {
    int32_t status;                 /* CT_GRID_OK or CT_GRID_E_... */
    int32_t schedules;              /* that were run */
    char message[CT_MESSAGE_BYTES]; /* one line; without a mistake it is empty, or says how many
                                     * schedules were run: others may still find one */
    int32_t
        at_buffer;   /* 1 + the index of the buffer that the mistaken access is nearest to; or 0 */
    int64_t at_byte; /* where in it: below 0 or past its end when it is out of bounds */
    ct_grid_row *rows; /* in the order of first execution */
    int32_t row_count;
    ct_grid_row global, shared; /* the sums over all rows of either memory */
    int64_t instructions;       /* of PTX, of all threads that ended, in all schedules */
} ct_grid_report;

/**
 * Runs a kernel: grid blocks of block threads, each block with shared_bytes of dynamic shared
 * memory, args the kernel's argument of args_bytes. Fills *report, whose rows the caller frees.
 *
 * Returns:  report->status.
 * Ensures:  after an error the buffers hold what was written until then, in that schedule.
 * Fails:    CT_GRID_E_..., with kernel, block, thread, instruction and place in report->message.
 * Cost:     O(accesses of threads), each checked, for each schedule; 16 bytes of memory for each byte
 *           of a buffer that is used, unless no_global_races; with several schedules, two copies of
 *           the writable buffers.
 */
int ct_grid_launch(const ct_grid_kernel *kernel, ct_dim3 grid, ct_dim3 block, size_t shared_bytes,
                   const void *args, size_t args_bytes, const ct_grid_options *options,
                   ct_grid_report *report);

/**
 * Frees what the report owns and empties it; it may be called again.
 * Cost:     O(1).
 */
void ct_grid_report_free(ct_grid_report *report);

#ifdef __cplusplus
}
#endif

#endif
