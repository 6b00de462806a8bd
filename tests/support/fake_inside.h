/**
 * Between the files of the fake driver (fake_cuda.h).
 */
#ifndef CUTLET_TESTS_FAKE_INSIDE_H
#define CUTLET_TESTS_FAKE_INSIDE_H

#include "fake_cuda.h"

/** Defines a function of the driver. A macro, because each needs its prototype first. */
#define FAKE(name, parameters)                                                                     \
    int name parameters;                                                                           \
    int name parameters
#define MAY_FAIL()                                                                                 \
    if (fake_fails(__func__)) return fake_cuda.result

/** Whether this call of the function is one that fails. */
int fake_fails(const char *function);

/** The same where the context is an argument. */
int fake_fails_in(const char *function, const void *context);

/** Counts up or down. Any thread. */
static inline void fake_count(int *counter, int by)
{
    __atomic_add_fetch(counter, by, __ATOMIC_RELAXED);
}

/** The context of the calling thread, or NULL. */
void *fake_context(void);

/** Makes a context the calling thread's while a stream's work runs. */
void fake_context_begin(void *context);
void fake_context_end(void);

/** Puts work in a stream of the calling thread's context: run(data) when all before it has run, and
 *  ready(data), if it is not NULL, is not 0. The data, of at most this many bytes, is copied. If streams are
 *  not deferred it runs at once. 0, or a driver's result. Exported for fake_nccl.c. */
int fake_stream_put(void *stream, int (*run)(void *data), int (*ready)(void *data),
                    const void *data, size_t bytes);

/** Runs all that can run now. */
void fake_streams_settle(void);

/** Writes a copy inside the device down. Any thread. */
void fake_copied(void *stream);

static inline void *fake_pointer(uint64_t address) { return (void *)(uintptr_t)address; }

/** Memory that kernels reach: what the test has allocated, and what it says is pinned. */
typedef struct fake_block {
    unsigned char *base;
    size_t bytes;
    void *context;   /* in which it was allocated */
    int is_shared;   /* with processes that are forked from one */
    int is_opened;   /* by its handle */
    int owner, file; /* of shared memory: the process that allocated it, and its file there */
    int is_foreign;  /* allocated by another process after the fork: it is here while it is open */
} fake_block;

/** Copies as many of them as there is room for, of those that the calling thread's context reaches;
 *  returns their number. */
int fake_blocks(fake_block *blocks, int most);

struct ct_grid_kernel;

/** The transposes that plans launch; the last is NULL. */
extern const struct ct_grid_kernel *const fake_transposes[];

/** Whether it is a kernel of copy plans. */
int fake_plan_is(const char *kernel);

/** The bytes of its argument; 0 where it is none. */
size_t fake_plan_args_bytes(const char *kernel);

/** Runs one on the CPU grid. 0, or a driver's result and a line on stderr. By one thread at a time. */
int fake_plan_run(const char *kernel, const void *args);

/** Of a kernel that was compiled for the grid while the program runs: whether an image is one, the
 *  handle of its kernel, whether a handle is one, its run, and what it takes, each less than the last. */
int fake_compiled_is_image(const void *image);
void *fake_compiled_function(const void *image, const char *name);
int fake_compiled_is(const void *function);
int fake_compiled_run(const void *function, const void *args);
double fake_compiled_takes(const void *function);

#endif
