/**
 * @internal The functions of the CPU grid that kernels call. Kernels do not use this header: the
 * atoms and the macros of kernel.h do, and src/grid implements it.
 *
 * Each call names its site, a line of the source, which identifies the instruction: the records
 * group the k-th execution of a site by the lanes of a warp. A site in cutlet's own headers is
 * reported at the kernel's line that calls them.
 */
#ifndef CUTLET_DEVICE_KERNEL_ON_GRID_H
#define CUTLET_DEVICE_KERNEL_ON_GRID_H

#include <stdint.h>
#include <stdlib.h>

#include <cutlet/algebra/base.h>
#include <cutlet/host/grid.h>
#include <cutlet/mma/mma_op.h>

/** A line of a kernel's source. The grid numbers it when it is first reached. */
typedef struct ct_grid_site {
    const char *file;
    int32_t line;
    int32_t id;
    int32_t own;                       /* whether it is in a header of cutlet; 0: not known yet */
    const char *home;                  /* the path of this header: cutlet's are beside it */
    const char *function;              /* the function of cutlet that is called here, or NULL, */
    const struct ct_grid_site *inside; /* and the site of the access in its header */
} ct_grid_site;

/* The path of this header, as the compiler found it. */
static const char ct_grid_home[] __attribute__((unused)) = __FILE__;

/** The site of this line itself. */
#define CT_GRID_HERE                                                                               \
    (__extension__({                                                                               \
        static ct_grid_site ct_site = {__FILE__, __LINE__, 0, 0, ct_grid_home, 0, 0};              \
        &ct_site;                                                                                  \
    }))

/** The site of this line; in a header of cutlet, as seen from the kernel's call. */
#define CT_GRID_SITE ct_grid_seen(CT_GRID_HERE)
ct_grid_site *ct_grid_seen(ct_grid_site *site);

/**
 * A kernel's call of a function of cutlet's headers: its accesses are reported at this line, which
 * the kernel's author can correct. CT_CALL of kernel.h makes one.
 *
 * A macro with the function's name makes the call, because only its expansion knows the line. Stack
 * frames do not help: optimised code is inlined, and reading its debug information would need a
 * library. The cleanup of a variable ends the call with the expression, for any type of result. So
 * calls nest, in arguments and in functions of the kernel that cutlet calls. Calls from header to
 * header have no effect.
 *
 * One access of a header that two calls reach is two instructions in the records, as in a GPU's
 * code, where both calls are inlined.
 */
enum { CT_GRID_CALL_LISTS = 16 };
typedef struct ct_grid_call {
    ct_grid_site site;
    struct ct_grid_seen **made;                    /* all seen sites of its file */
    struct ct_grid_seen *seen[CT_GRID_CALL_LISTS]; /* the accesses that it reached */
} ct_grid_call;

/* An access of a header, as seen from one call. */
typedef struct ct_grid_seen {
    ct_grid_site site;
    struct ct_grid_seen *next, *made;
} ct_grid_seen_site;

/* The seen sites of this file, freed when its library is closed. */
static struct ct_grid_seen *ct_grid_made;
__attribute__((destructor, used)) static void ct_grid_forget(void)
{
    while (ct_grid_made) {
        struct ct_grid_seen *const first = ct_grid_made;
        ct_grid_made = first->made;
        free(first);
    }
}

ct_grid_call *ct_grid_enter(ct_grid_call *call); /* returns the enclosing call */
void ct_grid_leave(ct_grid_call *const *before);

#define CT_GRID_CALL(name, ...)                                                                    \
    __extension__({                                                                                \
        static ct_grid_call ct_call = {                                                            \
            {__FILE__, __LINE__, 0, 0, ct_grid_home, #name, 0}, &ct_grid_made, {0}};               \
        ct_grid_call *const ct_before __attribute__((cleanup(ct_grid_leave), unused)) =            \
            ct_grid_enter(&ct_call);                                                               \
        name(__VA_ARGS__);                                                                         \
    })

/** The indices and extents that all threads of a block share. */
typedef struct ct_grid_block_indices {
    ct_dim3 block, block_dim, grid_dim;
    int32_t rank; /* of the block in its cluster */
} ct_grid_block_indices;

/** The indices and extents of one thread. */
typedef struct ct_grid_thread_indices {
    ct_dim3 thread;
    const ct_grid_block_indices *launch;
} ct_grid_thread_indices;

/** The running thread. */
extern __thread __attribute__((tls_model("initial-exec")))
const ct_grid_thread_indices *ct_grid_self;

/* Ends the launch: a constant of the kernel carries an error, `why`. */
void ct_grid_no_constant(ct_grid_site *site, const char *name, const ct_error *why);

/* Ends the launch: an operand carries an error, `why`. */
void ct_grid_refuse(ct_grid_site *site, const char *what, const ct_error *why);

/* Ends the launch: the CPU grid does not support the instruction `what`. */
void ct_grid_lacks(ct_grid_site *site, const char *what);

/* Shared memory: a site gives every thread of the block the same address. */
void *ct_grid_shared(ct_grid_site *site, const char *name, size_t bytes);
void *ct_grid_shared_dynamic(ct_grid_site *site, const char *name);

/* A variable in global memory, of the site: each launch has its own, with these values, or zeros where
 * data is NULL. */
void *ct_grid_global(ct_grid_site *site, const char *name, const void *data, size_t bytes,
                     int writable);

/* Universal accesses of 8 to 128 bits; a lane with on = 0 takes part but accesses nothing. */
void ct_grid_load_global(ct_grid_site *site, int on, void *reg, const void *src, int bits);
void ct_grid_store_global(ct_grid_site *site, int on, void *dst, const void *reg, int bits);
void ct_grid_load_shared(ct_grid_site *site, int on, void *reg, const void *src, int bits);
void ct_grid_load_cluster(ct_grid_site *site, void *reg, const void *src, int rank);
void ct_grid_store_shared(ct_grid_site *site, int on, void *dst, const void *reg, int bits);

/* Global accesses of 256 bits, and prefetches, which move nothing. */
void ct_grid_load_global_256(ct_grid_site *site, int on, void *reg, const void *src);
void ct_grid_store_global_256(ct_grid_site *site, int on, void *dst, const void *reg);
void ct_grid_prefetch(ct_grid_site *site, const char *verb, const void *src);
void ct_grid_check_l2(ct_grid_site *site, int bytes); /* bytes that cp.async fetches into L2 */

/* The asynchronous engine. kind is CT_ACCESS_LDGSTS or CT_ACCESS_LDGSTS_CG. */
void ct_grid_cp_async(ct_grid_site *site, int on, int kind, void *dst, const void *src, int bytes,
                      int src_bytes);
void ct_grid_cp_async_commit(void);
void ct_grid_cp_async_wait(int groups); /* all but the newest `groups`; < 0: everything */

/* Barriers in shared memory, named barriers, and fences. order: what an arrival releases and a wait
 * acquires, for threads of the block or of the cluster, or nothing. */
enum { CT_ORDER_CTA, CT_ORDER_CLUSTER, CT_ORDER_RELAXED };
void ct_grid_mbarrier_init(ct_grid_site *site, void *bar, int count);
void ct_grid_mbarrier_invalidate(ct_grid_site *site, void *bar);
int ct_grid_mbarrier_arrive(ct_grid_site *site, void *bar, int arrivals, int bytes, int order);
void ct_grid_mbarrier_remote(ct_grid_site *site, void *bar, int rank, int order);
int ct_grid_mbarrier_wait(ct_grid_site *site, void *bar, int parity, int may_fail, int order);
void ct_grid_named_barrier(ct_grid_site *site, int id, int threads, int waits);
void ct_grid_fence_mbarrier_init(void);
void ct_grid_fence_async(void);
void ct_grid_fence_async_global(void);

/* Bulk and tile copies. mask 0: no multicast; coords: the first n, the contiguous dimension
 * first. */
enum { CT_REDUCE_NONE, CT_REDUCE_ADD, CT_REDUCE_MIN, CT_REDUCE_MAX };
void ct_grid_bulk_load(ct_grid_site *site, void *dst, const void *src, int bytes, void *bar,
                       int mask);
void ct_grid_bulk_store(ct_grid_site *site, void *dst, const void *src, int bytes, int reduce,
                        int elem);
void ct_grid_bulk_prefetch(ct_grid_site *site, const void *src, int bytes);
void ct_grid_bulk_commit(void);
void ct_grid_bulk_wait(int groups); /* all but the newest `groups` */
void ct_grid_bulk_wait_read(int groups);
void ct_grid_tma_load(ct_grid_site *site, void *dst, const void *map, void *bar, int mask, int n,
                      const int32_t *coords);
void ct_grid_tma_store(ct_grid_site *site, const void *map, const void *src, int reduce, int n,
                       const int32_t *coords);
/* Ends the launch if a map's boxes differ from `box`, bytes along dimension 0 and elements along
 * the others, or if its swizzle of bytes differs. */
void ct_grid_map_fits(ct_grid_site *site, const void *map, int n, const int32_t *box, int bits,
                      int base, int shift);
void ct_grid_tma_prefetch(ct_grid_site *site, const void *map, int n, const int32_t *coords);
void ct_grid_tma_prefetch_map(ct_grid_site *site, const void *map);

/* Matrix loads and stores by the whole warp; count is 1, 2 or 4. */
void ct_grid_ldmatrix(ct_grid_site *site, uint32_t *reg, const void *row, int count, int trans);
void ct_grid_stmatrix(ct_grid_site *site, void *row, const uint32_t *reg, int count, int trans);

/* A matrix instruction by the whole warp: D = A * B + C. Operands are the thread's own values. */
void ct_grid_mma(ct_grid_site *site, const ct_mma_op *op, void *d, const void *a, const void *b,
                 const void *c);

/* Matrix instructions of a warpgroup, 128 threads: A is a descriptor, or the thread's words.
 * Descriptors have addresses of ct_grid_shared_address. */
void ct_grid_wgmma_ss(ct_grid_site *site, const ct_mma_op *op, void *d, uint64_t a, uint64_t b,
                      int scale_d);
void ct_grid_wgmma_rs(ct_grid_site *site, const ct_mma_op *op, void *d, const void *a, uint64_t b,
                      int scale_d);
void ct_grid_wgmma_fence(void);
void ct_grid_wgmma_commit(void);
void ct_grid_wgmma_wait(ct_grid_site *site, int groups); /* all but the newest `groups` */
void ct_grid_wgmma_done(ct_grid_site *site, const void *d, int words);

/* Moves the thread's values from registers that a function preserves into its stack frames. The
 * grid searches the frames for values of D that were read too early. */
static inline __attribute__((always_inline)) void ct_grid_spill(void)
{
#if defined(__x86_64__)
    __asm__ volatile("" ::: "rbx", "r12", "r13", "r14", "r15");
#elif defined(__aarch64__)
    __asm__ volatile("" ::
                         : "x19", "x20", "x21", "x22", "x23", "x24", "x25", "x26", "x27", "x28",
                           "v8", "v9", "v10", "v11", "v12", "v13", "v14", "v15");
#endif
}
uint32_t ct_grid_shared_address(ct_grid_site *site, const void *memory);
void ct_grid_setmaxnreg(ct_grid_site *site, int registers);

/* Atomic accesses and fences. kind: what comes next, a load, a store, or both as one; order: it acquires,
 * releases, both as CT_ATOMIC_ACQUIRE | CT_ATOMIC_RELEASE, or neither; | CT_ATOMIC_CLUSTER or
 * CT_ATOMIC_GPU: its scope, otherwise the block. The caller moves the bytes. */
enum { CT_ATOMIC_LOAD, CT_ATOMIC_STORE, CT_ATOMIC_UPDATE };
enum { CT_ATOMIC_ACQUIRE = 1, CT_ATOMIC_RELEASE = 2, CT_ATOMIC_CLUSTER = 4, CT_ATOMIC_GPU = 8 };
enum { CT_SCOPE_BLOCK, CT_SCOPE_CLUSTER, CT_SCOPE_GPU, CT_SCOPES };
/* update: computes with `count` elements CT_ELEM_... at p, and returns what was there. */
enum {
    CT_UPDATE_ADD,
    CT_UPDATE_MIN,
    CT_UPDATE_MAX,
    CT_UPDATE_EXCH,
    CT_UPDATE_CAS,
    CT_UPDATE_AND,
    CT_UPDATE_OR,
    CT_UPDATE_XOR,
    CT_UPDATE_INC,
    CT_UPDATE_DEC
};
uint64_t ct_grid_update(int how, int elem, int count, unsigned char *p, uint64_t b, uint64_t c);
void ct_grid_atomic(ct_grid_site *site, int kind, void *p, int bytes, int is_shared, int order);
void ct_grid_fence(int order); /* its scope alone */

/* Barriers, shuffles and votes. anywhere: warps may come to it at different sites. */
enum { CT_SHUFFLE_INDEX, CT_SHUFFLE_UP, CT_SHUFFLE_DOWN, CT_SHUFFLE_XOR };
void ct_grid_barrier(ct_grid_site *site);
void ct_grid_barrier_anywhere(ct_grid_site *site);
void ct_grid_cluster_barrier(ct_grid_site *site);
void ct_grid_cluster_arrive(ct_grid_site *site, int order);
void ct_grid_cluster_wait(ct_grid_site *site);
void ct_grid_warp_barrier(ct_grid_site *site, uint32_t mask);
int ct_grid_shuffle(ct_grid_site *site, uint32_t mask, int mode, void *value, int bytes, int lane,
                    int width);
/* The threads that come to barrier `id` with a true predicate, of all that come. */
int ct_grid_barrier_votes(ct_grid_site *site, int id, int threads, int predicate, int *all);
uint32_t ct_grid_ballot(ct_grid_site *site, uint32_t mask, int predicate);
enum { CT_REDUX_ADD, CT_REDUX_MIN, CT_REDUX_MAX, CT_REDUX_AND, CT_REDUX_OR, CT_REDUX_XOR };
uint32_t ct_grid_redux(ct_grid_site *site, uint32_t mask, int how, int is_signed, uint32_t value);
/* The lanes with the same value; is_all: all lanes of the mask, or none. */
uint32_t ct_grid_match(ct_grid_site *site, uint32_t mask, uint64_t value, int is_all);

#endif
