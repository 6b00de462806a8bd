/**
 * Where run.c runs its kernels: on the GPU where there is one, on the CPU grid otherwise. Arrays
 * that begin at any address, a launch, the line that is printed of it.
 */
#ifndef CUTLET_EXAMPLES_VECTOR_MACHINE_H
#define CUTLET_EXAMPLES_VECTOR_MACHINE_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cutlet/host/cuda.h>
#include <cutlet/host/text.h>

#include <cutlet/device/element/element.h>
#include <cutlet/device/elementwise/elementwise_args.h>

#include "kernels.h"
#include "vector.h"

static ct_cuda *gpu; /* NULL: the grid */

/** Ends the program with a line. */
static inline void stop(int status, const char *message)
{
    fprintf(stderr, "run: %s\n", message);
    exit(status);
}

/* ---- arrays ---------------------------------------------------------------------------------- */

typedef enum type { UINT8, HALF, BFLOAT16, FLOAT } type;
static const int type_bytes[] = {1, 2, 2, 4};

/** n elements that begin `past` bytes past a 256-byte boundary. The kernel is told `at`; host is
 *  what the program reads and writes, on the grid the same place. */
typedef struct array {
    const char *name;
    type type;
    int64_t n;
    int past, writable;
    unsigned char *memory, *host, *at;
} array;

static inline size_t bytes_of(const array *a) { return (size_t)(a->n * type_bytes[a->type]); }

static inline double get(const array *a, int64_t i)
{
    uint32_t w = 0;
    memcpy(&w, a->host + i * type_bytes[a->type], (size_t)type_bytes[a->type]);
    return a->type == FLOAT      ? ct_get_float(&w, 0)
           : a->type == HALF     ? ct_get_half(&w, 0)
           : a->type == BFLOAT16 ? ct_get_bfloat16(&w, 0)
                                 : w;
}

static inline void put(array *a, int64_t i, double x)
{
    uint32_t w = (uint32_t)(int32_t)x;
    if (a->type == FLOAT) ct_put_float(&w, 0, (float)x);
    if (a->type == HALF) ct_put_half(&w, 0, (float)x);
    if (a->type == BFLOAT16) ct_put_bfloat16(&w, 0, (float)x);
    memcpy(a->host + i * type_bytes[a->type], &w, (size_t)type_bytes[a->type]);
}

/** Whether element i is what it should be, but for its rounding and so much room. */
static inline int is_near(const array *a, int64_t i, double right, double capacity)
{
    static const double part[] = {0, 0x1p-10, 0x1p-7, 1e-5};
    return fabs(get(a, i) - right) <= part[a->type] * fabs(right) + capacity;
}

/** An array of numbers that each type holds exactly, -4 to 4 in quarters (bytes: 0 to 32); or,
 *  where it is writable, one that a kernel is to fill. */
static inline array take(const char *name, type type, int64_t n, int past, int writable)
{
    array a = {name, type, n, past, writable, NULL, NULL, NULL};
    const size_t capacity = (bytes_of(&a) + (size_t)past + 255) / 256 * 256;
    a.memory = aligned_alloc(256, capacity);
    if (!a.memory) stop(1, "out of memory");
    memset(a.memory, 0xa5, capacity);
    a.host = a.memory + past;
    for (int64_t i = 0; i < n && !writable; ++i)
        put(&a, i, type == UINT8 ? (double)(7 * i % 33) : (double)(7 * i % 33 - 16) / 4);
    unsigned char *const there = gpu ? ct_cuda_alloc(gpu, capacity) : a.memory;
    if (!there) stop(1, ct_cuda_error(gpu));
    a.at = there + past;
    return a;
}

static inline void give(array *a)
{
    if (gpu && ct_cuda_free(gpu, a->at - a->past)) stop(1, ct_cuda_error(gpu));
    free(a->memory);
}

/* ---- what the results are compared with ------------------------------------------------------ */

typedef double (*function)(double x);

static inline double same(double x) { return x; }
static inline double half_of(double x) { return 0.5 * x; }
static inline double relu(double x) { return x < 0 ? 0 : x; }
static inline double twice_and_one(double x) { return 2 * x + 1; }
static inline double gelu(double x)
{
    return 0.5 * x * (1 + tanh(0.7978845608028654 * (x + 0.044715 * x * x * x)));
}

/* ---- launches -------------------------------------------------------------------------------- */

/** What a launch cost, as the grid counts it. */
typedef struct cost {
    long long instructions, sectors, bytes_used;
} cost;

/** Runs a kernel that may touch these arrays, adds to what it cost. A fault ends the program. */
static inline void launch(const char *kernel, int64_t blocks, int threads, const void *args,
                          size_t args_bytes, array *const *arrays, int count, cost *cost)
{
    const ct_dim3 grid = {(uint32_t)blocks, 1, 1}, block = {(uint32_t)threads, 1, 1};
    ct_grid_buffer buffers[4];
    for (int i = 0; i < count; ++i) {
        const array *const a = arrays[i];
        buffers[i] = (ct_grid_buffer){a->name, a->at, bytes_of(a), a->writable, a->past % 256};
        if (gpu && ct_cuda_upload(gpu, a->at, a->host, bytes_of(a))) stop(1, ct_cuda_error(gpu));
    }
    if (gpu) {
        if (ct_cuda_launch(gpu, kernel, grid, block, 0, args, args_bytes) || ct_cuda_wait(gpu))
            stop(1, ct_cuda_error(gpu));
        for (int i = 0; i < count; ++i) {
            const array *const a = arrays[i];
            if (a->writable && ct_cuda_download(gpu, a->host, a->at, bytes_of(a)))
                stop(1, ct_cuda_error(gpu));
        }
        return;
    }
    const ct_grid_options options = {.buffers = buffers, .buffer_count = count};
    ct_grid_report report;
    if (ct_grid_launch(vector_kernel(kernel), grid, block, 0, args, args_bytes, &options, &report))
        stop(1, report.message);
    cost->instructions += report.global.instructions;
    cost->sectors += report.global.sectors;
    cost->bytes_used += report.global.bytes_used;
    ct_grid_report_free(&report);
}

/* ---- what is printed ------------------------------------------------------------------------- */

static const char *wanted = "", *heading = "";
static int wrong;

/** Whether the user asked for a kernel. */
static inline int is_wanted(const char *kernel)
{
    return strncmp(kernel, wanted, strlen(wanted)) == 0;
}

/** The heading of what follows, if anything does. */
static inline void lesson(const char *about) { heading = about; }

/** A line: the kernel, how it went, how many elements, how far past a 16-byte boundary the source
 *  and the destination begin; then the cost, and whether the result is right. */
static inline void show(const char *kernel, const char *how, int64_t n, int src_past, int dst_past,
                        const cost *cost, int right)
{
    const int longer = strlen(kernel) > 18 ? (int)strlen(kernel) - 18 : 0;
    if (*heading)
        printf("\n%s\n%-18s %-35s %7s  src dst%s\n", heading, "kernel", "how", "n",
               gpu ? "" : "   instr sectors   used");
    heading = "";
    printf("%-18s %-*s %7lld  +%-2d +%-2d", kernel, 35 - longer, how, (long long)n, src_past % 16,
           dst_past % 16);
    if (!gpu)
        printf(" %7lld %7lld %4lld %%", cost->instructions, cost->sectors,
               100 * cost->bytes_used / (32 * cost->sectors));
    printf(" %s\n", right ? "right" : "WRONG");
    wrong += !right;
}

/** The line of a launch that the host refuses. */
static inline void show_refused(const char *kernel, const char *why)
{
    if (*heading) printf("\n%s\n", heading);
    heading = "";
    printf("%-18s refused: %s\n", kernel, why);
}

/** Whether the host's check found something: then the line says what. */
static inline int is_refused(const char *kernel, ct_error e)
{
    char why[512];
    if (e.status == CT_OK) return 0;
    ct_error_message(e, why, sizeof why);
    show_refused(kernel, why);
    return 1;
}

#endif
