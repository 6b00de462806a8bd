/**
 * The harness of the tests of copies: tensors between bytes of poison, random numbers, what a copy has to
 * leave, and launches, which on_grid.h runs on the CPU grid and on_gpu.h on a GPU.
 */
#ifndef TESTS_COPY_HARNESS_H
#define TESTS_COPY_HARNESS_H

#include "test.h"

#include <cutlet/host/grid.h>
#include <cutlet/host/text.h>
#include <cutlet/host/tma.h>
#include <cutlet/device/tensor/global.h>
#include <cutlet/algebra/tensor_ops.h>

#include "dice.h"

#define LENGTH(array) ((int)(sizeof(array) / sizeof *(array)))

enum { GUARD = 256, POISON = 0xa5, WHAT_BYTES = 1000 };

/* ---- random numbers ---------------------------------------------------------------------------- */

static dice rolls = {20260101};

static inline unsigned random_bits(void) { return (unsigned)(dice_next(&rolls) >> 32); }
static inline int random_to(int n) { return (int)dice_int(&rolls, 0, n); }

/** What CUTLET_SEED says: a test that prints its seed is repeated by it. */
static inline void seed_rolls(void)
{
    const char *const given = getenv("CUTLET_SEED");
    if (given) rolls.state = strtoull(given, NULL, 0) + !strtoull(given, NULL, 0);
}

/* ---- tensors ----------------------------------------------------------------------------------- */

/** A tensor in memory of its own, whose first byte is `shift` bytes past a multiple of 256. All bytes are
 *  poison, GUARD of them or more before and after. */
typedef struct tensor {
    unsigned char *memory;
    size_t all, bytes; /* of memory; from the first byte to the last */
    int64_t first;     /* byte of the element at coordinate 0, from the first one */
    ct_layout layout;
    int bits, shift;
} tensor;

static inline tensor make_tensor(ct_layout layout, int bits, int64_t shift)
{
    tensor t = {.layout = layout, .bits = bits, .shift = (int)shift};
    t.first = -ct_lowest(layout) * bits / 8;
    t.bytes = (size_t)(ct_cosize(layout) * bits + 7) / 8;
    t.all = (t.bytes + (size_t)shift + 3 * GUARD - 1) / GUARD * GUARD;
    t.memory = aligned_alloc(GUARD, t.all);
    assert_non_null(t.memory);
    memset(t.memory, POISON, t.all);
    return t;
}

static inline unsigned char *begin(const tensor *t) { return t->memory + GUARD + t->shift; }

/** The address of the element at coordinate 0. */
static inline void *at_zero(const tensor *t) { return begin(t) + t->first; }

static inline ct_global global_of(const tensor *t)
{
    const ct_global g = ct_make_global(at_zero(t), t->bits, t->layout);
    assert_int_equal(g.err.status, CT_OK);
    return g;
}

static inline void drop(const tensor *t) { free(t->memory); }

/** One of random bytes, gaps too. */
static inline tensor random_tensor(ct_layout layout, int bits, int64_t shift)
{
    const tensor t = make_tensor(layout, bits, shift);
    for (size_t i = 0; i < t.bytes; ++i) begin(&t)[i] = (unsigned char)random_bits();
    return t;
}

/** Bit of element i, from the first byte. */
static inline int64_t bit_of(const tensor *t, int64_t i)
{
    return 8 * t->first + ct_eval(t->layout, i) * t->bits;
}

/** A copy of all memory of a tensor. */
static inline unsigned char *memory_like(const tensor *t)
{
    unsigned char *const memory = malloc(t->all);
    assert_non_null(memory);
    memcpy(memory, t->memory, t->all);
    return memory;
}

/** What memory of dst must hold after the copy of src, of the same shape: dst(c) = src(c). */
static inline unsigned char *copied(const tensor *dst, const tensor *src)
{
    unsigned char *const right = memory_like(dst), *const to = right + GUARD + dst->shift;
    const ct_layout *const from = &src->layout, *const into = &dst->layout;
    int64_t c[CT_MAX_LEAVES] = {0}, s = 8 * src->first, d = 8 * dst->first;
    const int leaves = from->profile.leaves;
    assert_memory_equal(from->shape, into->shape, (size_t)leaves * sizeof from->shape[0]);
    for (int k = 0; k < leaves;) {
        const unsigned char *const element = begin(src) + s / 8;
        const unsigned mask = (1u << dst->bits % 8) - 1;
        if (mask)
            to[d / 8] = (unsigned char)((to[d / 8] & ~(mask << d % 8)) | (*element >> s % 8 & mask)
                                                                             << d % 8);
        else memcpy(to + d / 8, element, (size_t)dst->bits / 8);
        for (k = 0; k < leaves; ++k) { /* the next coordinate */
            const int64_t steps = ++c[k] < from->shape[k] ? 1 : 1 - from->shape[k];
            s += steps * from->stride[k] * src->bits;
            d += steps * into->stride[k] * dst->bits;
            if (steps == 1) break;
            c[k] = 0;
        }
    }
    return right;
}

/** The first byte of a tensor's memory that is another one, from the tensor's first; ALL_RIGHT for none. */
#define ALL_RIGHT INT64_MAX
static inline int64_t wrong_byte(const tensor *t, const unsigned char *right)
{
    if (memcmp(t->memory, right, t->all) == 0) return ALL_RIGHT;
    size_t i = 0;
    while (t->memory[i] == right[i]) ++i;
    return (int64_t)i - GUARD - t->shift;
}

/* ---- launches ---------------------------------------------------------------------------------- */

/** A launch whose arguments hold addresses of the host: at[i] is where they point into buffers[i]. Whoever
 *  runs it elsewhere moves the bytes and the addresses, and keeps what an address leaves of 256. Maps are made
 *  by the run, maps[i] of buffers[i]. */
enum { LAUNCH_BUFFERS = 4, LAUNCH_MAPS = 2 };
typedef struct launch {
    const ct_grid_kernel *kernel;
    ct_dim3 grid, block;
    size_t shared_bytes;
    void *args;
    int count, records; /* buffers; whether the grid keeps its records */
    ct_grid_buffer buffers[LAUNCH_BUFFERS];
    unsigned char **at[LAUNCH_BUFFERS];
    ct_tma_desc desc[LAUNCH_MAPS];
    ct_tma_map *maps[LAUNCH_MAPS];
} launch;

/** Runs it; 0, or not and what went wrong, of WHAT_BYTES. */
typedef int run_launch(launch *l, char *what);

static inline launch make_launch(const ct_grid_kernel *kernel, ct_dim3 grid, int64_t threads,
                                 int64_t shared_bytes, void *args)
{
    return (launch){.kernel = kernel,
                    .grid = grid,
                    .block = {(uint32_t)threads, 1, 1},
                    .shared_bytes = (size_t)shared_bytes,
                    .args = args,
                    .records = 1};
}

/** A grid whose extents may be any numbers. */
static inline ct_dim3 grid_of(int64_t x, int64_t y, int64_t z)
{
    return (ct_dim3){(uint32_t)x, (uint32_t)y, (uint32_t)z};
}

/** Adds a buffer: a tensor, and the argument that points into it. */
static inline void add_buffer(launch *l, const char *name, const tensor *t, int writable,
                              unsigned char **at)
{
    assert_true(l->count < LAUNCH_BUFFERS);
    l->buffers[l->count] = (ct_grid_buffer){name, begin(t), t->bytes, writable, t->shift};
    l->at[l->count++] = at;
}

/** The two sides of a copy. */
static inline void add_sides(launch *l, const tensor *src, ct_global *from, const tensor *dst,
                             ct_global *to)
{
    add_buffer(l, "src", src, 0, &from->at);
    add_buffer(l, "dst", dst, 1, &to->at);
}

/** The launch, which must end well. */
static inline void run_well(launch *l, run_launch *run)
{
    char what[WHAT_BYTES];
    if (run(l, what)) fail_msg("%s: %s", l->kernel->name, what);
}

/** Runs the copy of src to dst and drops both: NULL, or a sentence on the first wrong byte of dst or around
 *  it. */
static inline const char *copy_failure(launch *l, run_launch *run, tensor src, tensor dst)
{
    static char text[WHAT_BYTES + 800];
    char what[WHAT_BYTES] = "wrong result", from[300], to[300];
    unsigned char *const right = copied(&dst, &src);
    const int status = run(l, what);
    const int64_t wrong = wrong_byte(&dst, right);
    ct_format_layout(from, sizeof from, src.layout);
    ct_format_layout(to, sizeof to, dst.layout);
    snprintf(text, sizeof text, "%s: %d bits, %s -> %s, shifts %d and %d: %s, byte %lld of %zu",
             l->kernel->name, dst.bits, from, to, src.shift, dst.shift, what, (long long)wrong,
             dst.bytes);
    drop(&src);
    drop(&dst);
    free(right);
    return status || wrong != ALL_RIGHT ? text : NULL;
}

static inline void check_copy(launch *l, run_launch *run, tensor src, tensor dst)
{
    const char *const failure = copy_failure(l, run, src, dst);
    if (failure) fail_msg("%s", failure);
}

#endif
