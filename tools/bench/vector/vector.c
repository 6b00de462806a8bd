/* cutlet-bench vector: what wide accesses are worth to kernels that compute. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../commands.h"
#include "../harness/report.h"
#include "../options.h"
#include "base/number.h"
#include "base/refuse.h"
#include "run.h"

enum { KEY_MIB = BENCH_KEY_OWN, KEY_ONLY, KEY_SHIFT, KEY_CUB };

typedef struct arguments {
    bench_options of;
    int64_t mib;
    int64_t shift; /* -1: not given */
    const char *only, *cub;
} arguments;

static const struct argp_option options[] = {
    {"mib", KEY_MIB, "N", 0,
     "arrays of N MiB (default: the sizes of the published figures: 256 MiB, and 1 GiB for sum, "
     "read and the large layer norm); the small layer norm always has 512 rows",
     0},
    {"only", KEY_ONLY, "LIST", 0,
     "comma-separated parts: copy, relu, gelu, half-relu, bfloat16, sum, read, layer-norm, "
     "layer-norm-large",
     0},
    {"shift", KEY_SHIFT, "N", 0,
     "the sources of copy, relu, gelu, half-relu and bfloat16 begin N bytes past an aligned address "
     "(default 0); a multiple of the element size, at most 255",
     0},
    {"cub", KEY_CUB, "LIB.so", 0,
     "also time CUB's sum, from a library built from bench/peers/cub_sum.cu", 0},
    BENCH_OPTIONS,
    {0},
};

/* ---- arguments ------------------------------------------------------------------------------- */

/* Each name of the list is that of a group. */
static error_t read_only(arguments *a, const char *list, struct argp_state *state)
{
    for (const char *p = list; p; p = strchr(p, ',')) {
        p += p != list;
        char name[48] = "";
        int known = 0;
        snprintf(name, sizeof name, "%.*s", (int)ct_min((int64_t)strcspn(p, ","), 40), p);
        for (int32_t g = 0; g < vector_group_count; ++g)
            known |= strcmp(vector_groups[g].name, name) == 0;
        if (!known)
            return ct_cli_wrong(
                state, "--only: there is no part `%s`; see `cutlet-bench vector --help`", name);
    }
    a->only = list;
    return 0;
}

/* A shift that some element-wise kernel is to have, and no element of one is cut by. */
static error_t check_shift(const arguments *a, struct argp_state *state)
{
    int shifted = 0;
    for (int32_t i = 0; i < vector_case_count; ++i) {
        const vector_case *const c = &vector_cases[i];
        if (a->shift <= 0 || !bench_is_among(a->only, c->group)) continue;
        if (vector_shift(c, a->shift) % vector_elem_bytes(c))
            return ct_cli_wrong(state,
                                "--shift %lld is not a multiple of the %d bytes of an "
                                "element "
                                "of `%s`: leave that out by --only",
                                (long long)a->shift, vector_elem_bytes(c), c->group);
        shifted |= vector_shift(c, a->shift) > 0;
    }
    if (a->shift <= 0 || shifted) return 0;
    return ct_cli_wrong(state, "--shift is for copy, relu, gelu, half-relu and bfloat16, of which "
                               "--only names none");
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    arguments *a = state->input;
    switch (key) {
        case KEY_CUB: a->cub = arg; return 0;
        case KEY_ONLY: return read_only(a, arg, state);
        case KEY_MIB:
            if (ct_number_read(arg, 1, 1 << 16, &a->mib))
                return ct_cli_wrong(state, "--mib takes 1 to 65536, not `%.40s`", arg);
            return 0;
        case KEY_SHIFT:
            if (ct_number_read(arg, 0, 255, &a->shift))
                return ct_cli_wrong(state, "--shift takes 0 to 255, not `%.40s`", arg);
            return 0;
        case ARGP_KEY_END: return check_shift(a, state);
        default: return bench_option(&a->of, key, arg, state);
    }
}

const struct argp bench_vector_argp = CT_ARGP(
    options, parse, NULL,
    "Runs copy, ReLU, GELU, sum, read and layer norm by scalar and by wide accesses, beside the "
    "figures published for an A100: GB/s, the speed-up over the scalar form, the fraction of the "
    "memory's peak, and that of the driver's memcpy of the same array, timed in turn.\n"
    "Results are compared with a reference in double before they are timed. Arrays come in several "
    "sets that no cache holds. Without a GPU the same kernels run on the CPU grid, which counts "
    "their instructions, requests and 32-byte sectors, and one line says why.\v"
    "  cutlet-bench vector --only gelu,sum\n"
    "  cutlet-bench vector --no-gpu --only layer-norm\n"
    "  cutlet-bench vector --tsv > vector.tsv");

/* ---- the run --------------------------------------------------------------------------------- */

static int measure_vector(const arguments *a, vector_report *r)
{
    char error[CT_MESSAGE_BYTES] = "";
    bench_cub cub = {0};
    vector_wish wish = {.mib = a->mib,
                        .only = a->only,
                        .runs = bench_runs(&a->of),
                        .shift = (int32_t)ct_max(0, a->shift)};
    ct_cuda *const gpu = bench_open_wanted(&a->of, &r->is);
    int opened = 0;
    if (a->cub && !gpu) opened = bench_fail(error, "--cub runs on a GPU; %s", r->is.reason);
    else if (a->cub) opened = bench_cub_open(&cub, a->cub, error);
    if (opened) {
        ct_cuda_close(gpu);
        return bench_bad(&a->of, error);
    }
    wish.cub = a->cub ? &cub : NULL;
    const int measured = vector_measure(r, gpu, &wish, error);
    bench_cub_close(&cub);
    ct_cuda_close(gpu);
    return bench_exit_status(&a->of, measured, vector_any(r), error);
}

static int run_vector(const arguments *a)
{
    vector_report *const r = calloc(1, sizeof *r);
    if (!r) return bench_bad(&a->of, "out of memory");
    const int status = measure_vector(a, r);
    if (status != CT_EXIT_BAD && a->of.tsv) vector_tsv(r);
    else if (status != CT_EXIT_BAD) vector_print(r, stdout);
    free(r);
    return status;
}

int bench_cmd_vector(int argc, char **argv)
{
    arguments a = {.of.command = "vector", .shift = -1};
    const int parsed = ct_cli_parse(&bench_vector_argp, argc, argv, &a);
    if (parsed != 0) return ct_cli_finish("vector", parsed < 0 ? CT_EXIT_BAD : CT_EXIT_OK);
    return ct_cli_finish("vector", run_vector(&a));
}
