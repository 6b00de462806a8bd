/**
 * Whether the description of a plan is of a launch that was made.
 */
#ifndef CUTLET_TESTS_PLAN_LAUNCHED_H
#define CUTLET_TESTS_PLAN_LAUNCHED_H

#include "test.h"

#include <cutlet/host/grid.h>

/** A launch: the kernel's name without ct_. */
typedef struct launched {
    char kernel[128];
    unsigned blocks[3], threads;
} launched;

/** The description of the kernel that a run at addresses so far past aligned ones launches. Ends it. */
static inline char *described_kernel(char *text, const char *backend, int past)
{
    static const char other[] = "; for pointers that 16 bytes do not divide: ";
    char name[32];
    snprintf(name, sizeof name, "backend %s: ", backend);
    char *const how = strstr(text, name) + strlen(name), *const two = strstr(how, other);
    how[strcspn(how, "\n")] = 0;
    if (two && past % 16 == 0) *two = 0;
    return two && past % 16 != 0 ? two + strlen(other) : how;
}

/** Whether a description is of a launch for a copy of (m,n): the name of the kernel, and each number
 *  that it has. */
static inline int is_of_launch(const char *how, const launched *l, int64_t m, int64_t n)
{
    static const char *const words[][2] = {{"box_any", " boxes of "},
                                           {"vectors_any", " vectors of "},
                                           {"indexed_any", " elements a thread"},
                                           {"misaligned_any", " at any address"},
                                           {"own", ", a kernel compiled for it"}};
    char name[160];
    int rows, cols, of_threads;
    unsigned count = 0;
    snprintf(name, sizeof name, "ct_%s,", l->kernel);
    if (strncmp(how, "ct_", 3) == 0 && strncmp(how, name, strlen(name)) != 0) return 0;
    if (sscanf(l->kernel, "transpose_%*d_%dx%d_%dx", &rows, &cols, &of_threads) == 3) {
        snprintf(name, sizeof name, "tiles of %d x %d", rows, cols);
        return strstr(how, name) && (int)l->threads == of_threads &&
               l->blocks[0] * l->blocks[1] * l->blocks[2] >=
                   ct_ceil_div_int(m, rows) * ct_ceil_div_int(n, cols);
    }
    if (strncmp(l->kernel, "sectors", 7) == 0)
        return sscanf(how, "%*[^,], %u", &count) == 1 && count == l->blocks[0];
    for (size_t k = 0; k < sizeof words / sizeof *words; ++k)
        if (strcmp(l->kernel, words[k][0]) == 0 && !strstr(how, words[k][1])) return 0;
    return strncmp(how, "one copy", 8) == 0 ||
           (sscanf(how, "%u", &count) == 1 && count == l->blocks[0]);
}

#endif
