/**
 * The one way to measure kernels: arrays between guards, launches, verification, time.
 *
 *     bench_target t = {.gpu = gpu};                        a device; or .find, the CPU grid
 *     bench_array_take(&t, &x, bytes, sets, shift)          as many sets as exceed the caches
 *     bench_fill(&t, &x, bench_put_pattern, NULL)           bytes that do not repeat
 *     bench_verify(&t, &work, &y, &right, wrong)            poisons, runs, compares every byte
 *     bench_time(&t, (bench_work[]){memcpy, work}, 2, ...)  in turn with the driver's copy
 *
 * A benchmark adds its jobs, which are launches, the bytes that they move and what is right, and
 * its table. Functions that return int return 0, or -1 with the reason in t->error, unless they say
 * more.
 */
#ifndef CUTLET_TOOLS_BENCH_HARNESS_H
#define CUTLET_TOOLS_BENCH_HARNESS_H

#include <cutlet/algebra/base.h>
#include <cutlet/host/cuda.h>
#include <cutlet/host/grid.h>

enum {
    BENCH_GUARD = 256,    /* bytes on either side of an array that must stay as they were */
    BENCH_POISON = 0xff,  /* each byte before a run: NaN of any type, and never in the pattern */
    BENCH_WRONG = 200,    /* room for a line that says what is wrong */
    BENCH_PART = 4 << 20, /* bytes that go between host and device at once */
    BENCH_ARGS = 1024,
    BENCH_ARRAYS = 6,
    BENCH_WARMUPS = 3,
    BENCH_SETS_MOST = 64
};

/** Where arrays lie and kernels run. */
typedef struct bench_target {
    ct_cuda *gpu;                                    /* NULL: the CPU grid, ... */
    const ct_grid_kernel *(*find)(const char *name); /* ... whose kernels this knows */
    int64_t instructions, requests, sectors;         /* that it counted in all of a run */
    const void *tried;                               /* the comparison that found a planted byte */
    int tried_device;                                /* so did the device's */
    char error[CT_MESSAGE_BYTES];
} bench_target;

/** Writes one line into error, of CT_MESSAGE_BYTES; returns -1. */
int bench_fail(char *error, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** 0 for CT_OK, the status of a call of ct_cuda_...; else -1, and keeps the reason. */
int bench_status(bench_target *t, ct_status status);

/** -1, and the reason. */
int bench_no_memory(bench_target *t);

/* ---- memory ---------------------------------------------------------------------------------- */

/** Several sets of an array, used in turn, each between guards. */
typedef struct bench_array {
    const char *name; /* in messages of the CPU grid */
    int is_result;    /* may be written */
    unsigned char *memory;
    int64_t bytes;       /* of a set; may be made smaller than what was taken */
    int64_t step;        /* from a set to the next */
    int32_t sets, shift; /* shift: bytes past an address that is a multiple of 256 */
} bench_array;

/** Memory that an array takes. */
int64_t bench_array_capacity(int64_t bytes, int32_t sets, int32_t shift);

int bench_array_take(bench_target *t, bench_array *a, int64_t bytes, int32_t sets, int32_t shift);

/** Gives it back, if any was taken. */
void bench_array_drop(bench_target *t, bench_array *a);

unsigned char *bench_array_at(const bench_array *a, int64_t set);

/** Sets of which all together are four times as large as L2, at most BENCH_SETS_MOST: an array of
 *  the next turn is in no cache. moved: the bytes that a launch reads and writes of one set. */
int32_t bench_sets(const bench_target *t, int64_t moved);

/** Writes bytes [at, at + bytes) of a set; `at` is a multiple of 4096. */
typedef void bench_put(const void *user, int64_t set, int64_t at, int64_t bytes, unsigned char *to);

/** Writes all sets, part by part. */
int bench_fill(bench_target *t, const bench_array *a, bench_put *put, const void *user);

/** The pattern (pattern.h), the same in each set; user is not used. */
bench_put bench_put_pattern;

/** Between the host and the target's memory, after all that is queued. */
int bench_read(bench_target *t, void *to, const void *from, int64_t bytes);
int bench_write(bench_target *t, void *to, const void *from, int64_t bytes);

/* ---- work ------------------------------------------------------------------------------------ */

typedef struct bench_launch {
    char kernel[96]; /* empty: the driver's own copy */
    ct_dim3 grid, block;
    size_t shared_bytes, args_bytes;
    _Alignas(16) unsigned char args[BENCH_ARGS];
} bench_launch;

bench_launch bench_launch_of(const char *kernel, ct_dim3 grid, ct_dim3 block, size_t shared_bytes,
                             const void *args, size_t args_bytes);

bench_launch bench_driver_copy(void *dst, const void *src, int64_t bytes);

/** What is verified and timed. */
typedef struct bench_work {
    const bench_launch *launch; /* `parts` for the first set of the arrays, and for each other */
    int32_t parts, sets;
    int32_t repeats; /* one run is this many, back to back, each on the next set */
    int (*peer)(ct_cuda *gpu, void *user, int64_t set); /* instead of launches; NULL: none */
    void *user;
    const bench_array *array[BENCH_ARRAYS]; /* what kernels may touch on the CPU grid */
    int64_t turn;                           /* 0: the first set */
} bench_work;

/** Times in one run that a work over this many bytes is repeated: 256 MiB together, at most 100. */
int32_t bench_repeats(int64_t bytes);

/** Queues the work on a set; on the CPU grid runs it, and adds what it asks of memory. */
int bench_run(bench_target *t, const bench_work *w, int64_t set);

/** Seconds of one launch, over the runs; before: the median over the rounds of this work's time by
 *  that of the work before it in the list. */
typedef struct bench_times {
    double median, least, most, before;
} bench_times;

/** What became of a work: times of a device, counts of the CPU grid. */
typedef struct bench_result {
    int32_t status; /* BENCH_NOT_RUN or another */
    bench_times seconds;
    int64_t instructions, requests, sectors;
} bench_result;

enum { BENCH_NOT_RUN, BENCH_IS_RIGHT, BENCH_IS_WRONG };

/* ---- verification ---------------------------------------------------------------------------- */

/** Compares bytes [at, at + bytes) of a set. 1: right; 0: not, and in wrong why; -1: no memory. */
typedef int bench_compare(const void *user, int64_t set, int64_t at, int64_t bytes,
                          const unsigned char *found, char wrong[BENCH_WRONG]);

/** What a result has to be. Parts to compare begin at multiples of `part` bytes, 0: of 4 MiB. */
typedef struct bench_right {
    bench_compare *compare;
    const void *user;
    int64_t part;
} bench_right;

/** The pattern, as a copy of it has it. On a device more than 64 MiB are compared by a kernel. */
bench_compare bench_compare_pattern;
int bench_is_on_device(const bench_target *t, const bench_right *right, int64_t bytes);

/** Bytes that have to be equal, the first of them byte `at` of the result. 1; or 0 and wrong. */
int bench_same_bytes(const unsigned char *found, const unsigned char *right, int64_t at,
                     int64_t bytes, char wrong[BENCH_WRONG]);

/**
 * Poisons all sets of the destination, runs the work on each, and compares every byte, and what
 * lies beside and between the sets. The first result that a comparison finds right gets a wrong
 * byte, which has to be found.
 *
 * Ensures:  1; 0 and in wrong the first that is wrong, as result->status says, beside the counts of
 *           the CPU grid; or -1 and t->error.
 */
int bench_verify(bench_target *t, const bench_work *w, const bench_array *dst,
                 const bench_right *right, bench_result *result, char wrong[BENCH_WRONG]);

/* ---- time ------------------------------------------------------------------------------------ */

/** Times works in turn (timing.c says how): warm-ups that do not count, then `runs` rounds. */
int bench_time(bench_target *t, bench_work *works, int32_t count, int32_t warmups, int32_t runs,
               bench_times *times);

#endif
