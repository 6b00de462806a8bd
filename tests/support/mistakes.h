/**
 * Tables of mistakes on the grid, a line each: the kernel, the numbers of the launch, the status, and the
 * message after `kernel NAME, `.
 */
#ifndef CUTLET_TESTS_MISTAKES_H
#define CUTLET_TESTS_MISTAKES_H

#include "grid_expect.h"
#include "table.h"

typedef struct mistake {
    const ct_grid_kernel *kernel;
    int number[8];
    int status;
    char message[512];
} mistake;

static inline int grid_status_named(const char *name)
{
    static const char *const names[] = {
        [CT_GRID_E_LAUNCH] = "LAUNCH",       [CT_GRID_E_BOUNDS] = "BOUNDS",
        [CT_GRID_E_READ_ONLY] = "READ_ONLY", [CT_GRID_E_MISALIGNED] = "MISALIGNED",
        [CT_GRID_E_UNWRITTEN] = "UNWRITTEN", [CT_GRID_E_IN_FLIGHT] = "IN_FLIGHT",
        [CT_GRID_E_RACE] = "RACE",           [CT_GRID_E_DIVERGENCE] = "DIVERGENCE",
        [CT_GRID_E_ATOM] = "ATOM",           [CT_GRID_E_MBARRIER] = "MBARRIER",
        [CT_GRID_E_DEADLOCK] = "DEADLOCK",   [CT_GRID_E_PROXY] = "PROXY",
    };
    for (int i = 1; i < (int)(sizeof names / sizeof *names); ++i)
        if (names[i] && strcmp(names[i], name) == 0) return i;
    fail_msg("there is no status %s", name);
    return 0;
}

/** The next row, its kernel one of those that the list has up to NULL; 0 after the last row. */
static inline int next_mistake(char **at, const ct_grid_kernel *const *kernels, mistake *m)
{
    char *cell[4];
    if (!table_row(at, cell, 4)) return 0;
    while (*kernels && strcmp((*kernels)->name, cell[0]) != 0) ++kernels;
    if (!*kernels) fail_msg("there is no kernel %s", cell[0]);
    memset(m, 0, sizeof *m);
    m->kernel = *kernels;
    m->status = grid_status_named(cell[2]);
    for (char *c = cell[1], i = 0; *c; ++i) m->number[(int)i] = (int)strtol(c, &c, 10);
    snprintf(m->message, sizeof m->message, "kernel %s, %s", cell[0], cell[3]);
    return 1;
}

#endif
