/* The report of a launch on the CPU grid, which every launch of a test writes anew. */
#ifndef CUTLET_TESTS_GRID_REPORT_H
#define CUTLET_TESTS_GRID_REPORT_H

#include <cutlet/host/grid.h>

static ct_grid_report report;

/* What a group of tests does at its end. */
static inline int free_report(void **state)
{
    (void)state;
    ct_grid_report_free(&report);
    return 0;
}

#endif
