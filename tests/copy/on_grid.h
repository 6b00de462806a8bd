/**
 * Runs the launches of harness.h on the CPU grid.
 */
#ifndef TESTS_COPY_ON_GRID_H
#define TESTS_COPY_ON_GRID_H

#include "grid_report.h"
#include "harness.h"

static inline int on_grid(launch *l, char *what)
{
    const ct_grid_options options = {
        .buffers = l->buffers, .buffer_count = l->count, .no_records = !l->records};
    char text[CT_MESSAGE_BYTES];
    int status = 0;
    ct_grid_report_free(&report);
    for (int i = 0; i < 2 && !status; ++i)
        if (l->maps[i]) status = ct_grid_tma_map(&l->desc[i], l->maps[i], text);
    if (status) return snprintf(what, WHAT_BYTES, "%s", text), -1;
    status = ct_grid_launch(l->kernel, l->grid, l->block, l->shared_bytes, l->args,
                            l->kernel->args_bytes, &options, &report);
    if (status) snprintf(what, WHAT_BYTES, "%s", report.message);
    return status;
}

#endif
