/**
 * What `cutlet-bench width` and `cutlet-bench vector` share: the options of a run on a GPU or on
 * the CPU grid, and how it ends.
 */
#ifndef CUTLET_TOOLS_BENCH_OPTIONS_H
#define CUTLET_TOOLS_BENCH_OPTIONS_H

#include "harness/json.h"
#include "tools/cutlet/common/cli.h"

typedef struct bench_options {
    const char *command; /* for complaints */
    const char *input;
    int32_t runs; /* 0: not given */
    int json, no_gpu;
} bench_options;

/** The keys of these options, and the first of a sub-command's own. */
enum { BENCH_KEY_RUNS = 256, BENCH_KEY_JSON, BENCH_KEY_NO_GPU, BENCH_KEY_OWN };

/** Their rows in a sub-command's table. */
#define BENCH_OPTIONS                                                                              \
    {"runs", BENCH_KEY_RUNS, "N", 0, "time N runs and take the median (default 20)", 0},          \
    {"no-gpu", BENCH_KEY_NO_GPU, NULL, 0, "use no GPU: count on the CPU grid", 0},                 \
    {"json", BENCH_KEY_JSON, NULL, 0, "print JSON; times are seconds of one launch", 0},           \
    {"input", 'i', "RUN.json", 0, "measure nothing: show RUN.json, which --json printed", 0}

/** Takes one of them; ARGP_ERR_UNKNOWN for other keys. */
error_t bench_option(bench_options *o, int key, char *arg, struct argp_state *state);

/** Refuses --input beside --runs, --no-gpu, or `others` that say what to measure; allowed: what may
 *  stand beside it, in words. */
error_t bench_check_input(const bench_options *o, int others, const char *allowed,
                          struct argp_state *state);

int32_t bench_runs(const bench_options *o);

/** The device, or the reason why no device is used. */
ct_cuda *bench_open_wanted(const bench_options *o, bench_about *is);

/** One line on stderr, of the input file where that is read; CT_EXIT_BAD. */
int bench_bad(const bench_options *o, const char *line);
int bench_bad_input(const bench_options *o, const char *line);

/** What a measurement came to: 1 where a result was wrong; -1 where it ended early, with the error:
 *  what there is until then, if anything, is shown. */
int bench_exit_status(const bench_options *o, int measured, int any, const char *error);

/** Prints JSON, which it takes. An exit status. */
int bench_print_json(const bench_options *o, json_t *root);

#endif
