/**
 * What `cutlet-bench width` and `cutlet-bench vector` share: the options of a run on a GPU or on
 * the CPU grid, and how it ends.
 */
#ifndef CUTLET_TOOLS_BENCH_OPTIONS_H
#define CUTLET_TOOLS_BENCH_OPTIONS_H

#include "harness/device.h"
#include "tools/cutlet/common/cli.h"

typedef struct bench_options {
    const char *command; /* for complaints */
    int32_t runs;        /* 0: not given */
    int tsv, no_gpu;
} bench_options;

/** The keys of these options, and the first of a sub-command's own. */
enum { BENCH_KEY_RUNS = 256, BENCH_KEY_TSV, BENCH_KEY_NO_GPU, BENCH_KEY_OWN };

/** Their rows in a sub-command's table. */
#define BENCH_OPTIONS                                                                              \
    {"runs", BENCH_KEY_RUNS, "N", 0, "time N runs and take the median (default 20)", 0},           \
        {"no-gpu", BENCH_KEY_NO_GPU, NULL, 0, "use no GPU: count on the CPU grid", 0},             \
    {                                                                                              \
        "tsv", BENCH_KEY_TSV, NULL, 0,                                                             \
            "print tab-separated values; times are seconds of a launch", 0                         \
    }

/** Takes one of them; ARGP_ERR_UNKNOWN for other keys. */
error_t bench_option(bench_options *o, int key, char *arg, struct argp_state *state);

int32_t bench_runs(const bench_options *o);

/** The device, or the reason why no device is used. */
ct_cuda *bench_open_wanted(const bench_options *o, bench_about *is);

/** One line on stderr; CT_EXIT_BAD. */
int bench_bad(const bench_options *o, const char *line);

/** What a measurement came to: 1 where a result was wrong; -1 where it ended early, with the error:
 *  what there is until then, if anything, is shown. */
int bench_exit_status(const bench_options *o, int measured, int any, const char *error);

#endif
