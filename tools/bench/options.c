/* The options of a run on a GPU or on the CPU grid. */
#include "options.h"

#include "base/number.h"
#include "base/refuse.h"
#include "kernels.h"

enum { RUNS = 20, RUNS_MOST = 1000 };

extern const ct_cuda_images pattern_images;

error_t bench_option(bench_options *o, int key, char *arg, struct argp_state *state)
{
    int64_t number = 0;
    switch (key) {
        case BENCH_KEY_TSV: o->tsv = 1; return 0;
        case BENCH_KEY_NO_GPU: o->no_gpu = 1; return 0;
        case BENCH_KEY_RUNS:
            if (ct_number_read(arg, 1, RUNS_MOST, &number))
                return ct_cli_wrong(state, "--runs takes 1 to %d, not `%.40s`", RUNS_MOST, arg);
            o->runs = (int32_t)number;
            return 0;
        case ARGP_KEY_ARG:
            return ct_cli_wrong(state, "there are only options; what is `%.40s`?", arg);
        default: return ARGP_ERR_UNKNOWN;
    }
}

int32_t bench_runs(const bench_options *o) { return o->runs ? o->runs : RUNS; }

ct_cuda *bench_open_wanted(const bench_options *o, bench_about *is)
{
    const ct_cuda_images *const tables[] = {&vector_images, &pattern_images};
    if (!o->no_gpu) return bench_open(&is->device, 0, tables, 2, is->reason);
    ct_one_line(is->reason, sizeof is->reason, "no GPU: --no-gpu");
    return NULL;
}

int bench_bad(const bench_options *o, const char *line)
{
    ct_cli_complain(o->command, "%s", line);
    return CT_EXIT_BAD;
}

int bench_exit_status(const bench_options *o, int measured, int any, const char *error)
{
    if (measured < 0) ct_cli_complain(o->command, "%s", error);
    return measured == 0 ? CT_EXIT_OK : measured > 0 || any ? CT_EXIT_FAILED : CT_EXIT_BAD;
}
