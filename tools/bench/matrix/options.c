/* The arguments of `cutlet-bench matrix`. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "../commands.h"
#include "base/number.h"
#include "table.h"
#include "tools/cutlet/common/cli.h"

/* clang-format off */
enum { KEY_MIB = 256, KEY_ELEM, KEY_TILE, KEY_GROUP, KEY_ONLY, KEY_PEER, KEY_RUNS, KEY_WARMUPS,
       KEY_TSV, KEY_DEVICE, KEY_LIST };
/* clang-format on */

#define MIB_USUAL 512

static const struct argp_option options[] = {
    {"mib", KEY_MIB, "N", 0, "matrices of N MiB (default 512)", 0},
    {"elem", KEY_ELEM, "LIST", 0,
     "comma-separated sizes of elements in bytes: 1, 2, 4, 8, 16 (default 2,4)", 0},
    {"tile", KEY_TILE, "MxN", 0,
     "the tile of the tiled copies (default: what their kernels were made for)", 0},
    {"group", KEY_GROUP, "LIST", 0,
     "only the jobs of these comma-separated groups; the first column of --list names all", 0},
    {"only", KEY_ONLY, "TEXT", 0, "only the jobs whose `GROUP JOB` contains TEXT", 0},
    {"peer", KEY_PEER, "FILE", 0,
     "an image made from bench/peers/cute_copy.cu: its kernels in turn with ours", 0},
    {"runs", KEY_RUNS, "N", 0, "time N runs of each job and take the median (default 25)", 0},
    {"warmups", KEY_WARMUPS, "N", 0, "runs before them, not timed (default 3)", 0},
    {"tsv", KEY_TSV, "FILE", 0, "also write all figures to FILE as tab-separated values", 0},
    {"device", KEY_DEVICE, "N", 0, "the device (default 0)", 0},
    {"list", KEY_LIST, NULL, 0, "measure nothing: print the jobs; needs no GPU", 0},
    {0},
};

const matrix_options matrix_usual = {
    .mib = MIB_USUAL,
    .runs = 25,
    .warmups = 3,
    .setup = {.bytes = (int64_t)MIB_USUAL << 20, .elem_bytes = {2, 4}, .elem_count = 2},
};

/* ---- arguments ------------------------------------------------------------------------------- */

/* A number from least to most. */
static error_t number(struct argp_state *state, const char *option, const char *text, int64_t least,
                      int64_t most, int *out)
{
    int64_t value;
    if (ct_number_read(text, least, most, &value))
        return ct_cli_wrong(state, "--%s takes %lld to %lld, not `%.40s`", option, (long long)least,
                            (long long)most, text);
    *out = (int)value;
    return 0;
}

static error_t read_mib(struct argp_state *state, matrix_options *o, const char *text)
{
    int mib = 0;
    if (number(state, "mib", text, 1, 1 << 16, &mib)) return EINVAL;
    o->mib = mib;
    o->setup.bytes = o->mib << 20;
    return 0;
}

static error_t read_elems(struct argp_state *state, bench_setup *setup, const char *text)
{
    static const char *const sizes[] = {"1", "2", "4", "8", "16"};
    setup->elem_count = 0;
    for (const char *at = text; at; at = strchr(at, ',')) {
        at += *at == ',';
        int e = 0;
        const size_t length = strcspn(at, ",");
        while (e < 5 && (strlen(sizes[e]) != length || strncmp(at, sizes[e], length))) ++e;
        if (e == 5 || setup->elem_count == 5)
            return ct_cli_wrong(
                state, "--elem takes 1, 2, 4, 8, 16 with commas between, not `%.40s`", text);
        setup->elem_bytes[setup->elem_count++] = 1 << e;
    }
    return 0;
}

static error_t read_tile(struct argp_state *state, bench_setup *setup, const char *text)
{
    int64_t tile[2];
    if (ct_numbers_read(text, 'x', 2, 1, 1 << 16, tile))
        return ct_cli_wrong(state, "--tile takes rows and columns, as 64x64, not `%.40s`", text);
    setup->tile_m = tile[0];
    setup->tile_n = tile[1];
    return 0;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    matrix_options *o = state->input;
    switch (key) {
        case KEY_MIB: return read_mib(state, o, arg);
        case KEY_ELEM: return read_elems(state, &o->setup, arg);
        case KEY_TILE: return read_tile(state, &o->setup, arg);
        case KEY_GROUP: o->groups = arg; return 0;
        case KEY_ONLY: o->only = arg; return 0;
        case KEY_PEER:
            o->peer = arg;
            o->setup.peer = 1;
            return 0;
        case KEY_RUNS: return number(state, "runs", arg, 1, 10000, &o->runs);
        case KEY_WARMUPS: return number(state, "warmups", arg, 0, 10000, &o->warmups);
        case KEY_TSV: o->tsv = arg; return 0;
        case KEY_DEVICE: return number(state, "device", arg, 0, 1000, &o->device);
        case KEY_LIST: o->list = 1; return 0;
        case ARGP_KEY_ARG:
            return ct_cli_wrong(state, "there are only options; what is `%.40s`?", arg);
        default: return ARGP_ERR_UNKNOWN;
    }
}

const struct argp bench_matrix_argp = CT_ARGP(
    options, parse, NULL,
    "Times tiled copies and transposes of matrices on a GPU, in turn with the driver's memcpy of "
    "the same bytes: microseconds, GB/s, read and written, the fraction of memcpy's rate, the "
    "spread of the runs, registers, and blocks resident on a multiprocessor. Every byte of a "
    "result is compared before it is timed.\n"
    "The exit status is 77 without a GPU, 1 where a result was wrong.\v"
    "  cutlet-bench matrix --list --group transpose\n"
    "  cutlet-bench matrix --group plain,best --tsv best.tsv     # needs a GPU\n"
    "  cutlet-bench matrix --only rows8 --elem 2 --mib 1024      # needs a GPU");

int bench_is_wanted(const matrix_options *o, const bench_job *job)
{
    char text[BENCH_NAME + 32];
    snprintf(text, sizeof text, "%s %s", job->group, job->name);
    return bench_is_among(o->groups, job->group) && (!o->only || strstr(text, o->only));
}
