/* Launches: each of their schedules runs on the same memory, and leaves the same. */
#include "run.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* Adds to the report's message. */
static void say(ct_grid_report *report, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void say(ct_grid_report *report, const char *format, ...)
{
    const size_t n = strlen(report->message);
    va_list args;
    va_start(args, format);
    vsnprintf(report->message + n, sizeof report->message - n, format, args);
    va_end(args);
}

static void say_schedule(ct_grid_report *report, uint64_t schedule)
{
    say(report, "; in schedule %llu, which runs alone with seed %llu", (unsigned long long)schedule,
        (unsigned long long)schedule);
}

/* Reports the first byte of a writable buffer that differs from the result of the first schedule. */
static void compare(const ct_launch *what, const ct_grid_options *options,
                    const unsigned char *result, uint64_t schedule, ct_grid_report *report)
{
    for (int i = 0; i < options->buffer_count && !report->status; ++i) {
        const ct_grid_buffer *const b = &options->buffers[i];
        const unsigned char *const now = b->base;
        size_t at = 0;
        if (!b->writable || b->bytes == 0) continue;
        while (at < b->bytes && now[at] == result[at]) ++at;
        result += b->bytes;
        if (at == b->bytes) continue;
        report->status = CT_GRID_E_ORDER;
        say(report,
            "kernel %s: the results of schedules %llu and %llu differ at byte %zu of %s: they "
            "depend on the order of threads",
            what->kernel->name, (unsigned long long)options->seed, (unsigned long long)schedule, at,
            b->name);
    }
}

/* Runs the other schedules, with room for two copies of the writable buffers: as they were before
 * the first, and as it left them. */
static void run_others(const ct_launch *what, const ct_grid_options *options, unsigned char *begin,
                       unsigned char *result, ct_grid_report *report)
{
    ct_grid_options quiet = *options;
    quiet.no_records = 1;
    quiet.on_request = NULL;
    ct_grid_copy_buffers(options, result, 0);
    while (report->schedules < options->schedules && !report->status) {
        const uint64_t schedule = options->seed + (uint64_t)report->schedules++;
        ct_grid_report one = {0}; /* the rows are of the first */
        ct_grid_copy_buffers(options, begin, 1);
        ct_grid_run(what, &quiet, schedule, &one);
        report->status = one.status;
        report->instructions += one.instructions;
        memcpy(report->message, one.message, sizeof one.message);
        report->at_buffer = one.at_buffer;
        report->at_byte = one.at_byte;
        if (report->status) say_schedule(report, schedule);
        else compare(what, options, result, schedule, report);
    }
    if (!report->status)
        say(report, "kernel %s: %d schedules from %llu on make no mistake; others may",
            what->kernel->name, report->schedules, (unsigned long long)options->seed);
}

int ct_grid_launch(const ct_grid_kernel *kernel, ct_dim3 grid, ct_dim3 block, size_t shared_bytes,
                   const void *args, size_t args_bytes, const ct_grid_options *options,
                   ct_grid_report *report)
{
    const ct_launch what = {kernel, grid, block, shared_bytes, args, args_bytes};
    memset(report, 0, sizeof *report);
    if (!ct_grid_check_launch(kernel, grid, block, shared_bytes, args_bytes, options, report))
        return report->status;
    const int is_one = options->schedules < 2;
    const size_t bytes = is_one ? 0 : ct_grid_writable_bytes(options);
    unsigned char *const saved = is_one ? NULL : malloc(2 * bytes + 1);
    if (!is_one && !saved) {
        report->status = CT_GRID_E_MEMORY;
        say(report, "kernel %s: not enough memory for two copies of the buffers", kernel->name);
        return report->status;
    }
    if (saved) ct_grid_copy_buffers(options, saved, 0);
    report->schedules = 1;
    if (options->seed || !ct_grid_run_parallel(&what, options, report))
        ct_grid_run(&what, options, options->seed, report);
    if (report->status && (saved || options->seed)) say_schedule(report, options->seed);
    if (saved && !report->status) run_others(&what, options, saved, saved + bytes, report);
    free(saved);
    return report->status;
}

void ct_grid_report_free(ct_grid_report *report)
{
    free(report->rows);
    memset(report, 0, sizeof *report);
}
