/* The checks of a launch before its kernel runs. */
#include "check.h"

#include <stdarg.h>
#include <string.h>

enum { BLOCK_Z_MAX = 64, GRID_YZ_MAX = 65535, SKEW_MAX = 255 };

static int refuse(const ct_grid_kernel *kernel, ct_grid_report *report, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static int refuse(const ct_grid_kernel *kernel, ct_grid_report *report, const char *format, ...)
{
    const size_t capacity = sizeof report->message;
    report->status = CT_GRID_E_LAUNCH;
    int n = snprintf(report->message, capacity, "kernel %s: ", kernel->name);
    if (n >= (int)capacity) n = (int)capacity - 1;
    va_list args;
    va_start(args, format);
    vsnprintf(report->message + n, capacity - (size_t)n, format, args);
    va_end(args);
    return 0;
}

static int are_separate(const ct_grid_buffer *first, const ct_grid_buffer *second)
{
    const uintptr_t begin = (uintptr_t)first->base, end = begin + first->bytes;
    const uintptr_t other_begin = (uintptr_t)second->base, other_end = other_begin + second->bytes;
    return begin >= other_end || other_begin >= end;
}

static int check_schedules(const ct_grid_kernel *kernel, const ct_grid_options *options,
                           ct_grid_report *report)
{
    if (options->schedules >= 0) return 1;
    return refuse(kernel, report, "%d schedules; 1 or more are allowed", options->schedules);
}

static int check_buffers(const ct_grid_kernel *kernel, const ct_grid_options *options,
                         ct_grid_report *report)
{
    const ct_grid_buffer *buffers = options->buffers;
    if (options->buffer_count < 0 || options->buffer_count > MAX_MEMORIES / 2)
        return refuse(kernel, report, "%d buffers; 0 to %d are allowed", options->buffer_count,
                      MAX_MEMORIES / 2);
    for (int i = 0; i < options->buffer_count; ++i) {
        const ct_grid_buffer *b = &buffers[i];
        if (!b->base && b->bytes > 0)
            return refuse(kernel, report, "buffer %s has no memory", b->name);
        if (b->skew < 0 || b->skew > SKEW_MAX)
            return refuse(kernel, report, "buffer %s: skew %d; a skew is 0 to %d", b->name, b->skew,
                          SKEW_MAX);
        if (b->bytes >> (MEMORY_SHIFT - 1))
            return refuse(kernel, report, "buffer %s: %zu bytes are too many", b->name, b->bytes);
        for (int j = 0; j < i; ++j)
            if (!are_separate(&buffers[j], b))
                return refuse(kernel, report, "buffers %s and %s overlap", buffers[j].name,
                              b->name);
    }
    return 1;
}

int ct_grid_check_launch(const ct_grid_kernel *kernel, ct_dim3 grid, ct_dim3 block,
                         size_t shared_bytes, size_t args_bytes, const ct_grid_options *options,
                         ct_grid_report *report)
{
    const uint64_t threads = (uint64_t)block.x * block.y * block.z;
    const int most = kernel->max_threads < MAX_THREADS ? kernel->max_threads : MAX_THREADS;
    if (ct_grid_self) return refuse(kernel, report, "a kernel cannot launch a kernel");
    if (args_bytes != kernel->args_bytes)
        return refuse(kernel, report, "the argument has %zu bytes, %zu are given",
                      kernel->args_bytes, args_bytes);
    if (block.x == 0 || block.y == 0 || block.z == 0 || block.x > MAX_THREADS ||
        block.y > MAX_THREADS || block.z > BLOCK_Z_MAX || threads > (uint64_t)most)
        return refuse(kernel, report,
                      "block (%u,%u,%u): a block of this kernel has 1 to %d threads, %d in z",
                      block.x, block.y, block.z, most, BLOCK_Z_MAX);
    if (grid.x == 0 || grid.y == 0 || grid.z == 0 || grid.x > INT32_MAX || grid.y > GRID_YZ_MAX ||
        grid.z > GRID_YZ_MAX)
        return refuse(kernel, report,
                      "grid (%u,%u,%u): a grid has 1 to 2^31 - 1 blocks in x, 1 to %d in y and z",
                      grid.x, grid.y, grid.z, GRID_YZ_MAX);
    if (kernel->cluster > MAX_CLUSTER)
        return refuse(kernel, report, "a cluster of %d blocks; the maximum is %d", kernel->cluster,
                      MAX_CLUSTER);
    if (kernel->cluster > 1 && grid.x % (uint32_t)kernel->cluster != 0)
        return refuse(kernel, report,
                      "grid (%u,%u,%u): x is not a multiple of the %d blocks of "
                      "a cluster",
                      grid.x, grid.y, grid.z, kernel->cluster);
    if (kernel->cluster > 1 && threads % WARP_LANES != 0)
        return refuse(kernel, report,
                      "%llu threads: the grid runs clusters of blocks of whole warps only",
                      (unsigned long long)threads);
    if (shared_bytes > SHARED_BYTES_MAX)
        return refuse(kernel, report, "%zu bytes of dynamic shared memory; the maximum is %d",
                      shared_bytes, SHARED_BYTES_MAX);
    return check_schedules(kernel, options, report) && check_buffers(kernel, options, report);
}
