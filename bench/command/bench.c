/* cutlet bench width|vector: what wide accesses are worth, measured. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/whole_file.h"
#include "kernels.h"
#include "report.h"
#include "tools/cutlet/common/cli.h"
#include "tools/cutlet/common/options.h"
#include "vector_run.h"
#include "width_run.h"

enum { KEY_FROM = 256, KEY_TO, KEY_WIDTHS, KEY_SVG, KEY_MIB, KEY_ONLY, KEY_RUNS, KEY_JSON,
       KEY_NO_GPU, KEY_CUB, KEY_SHIFT, KEY_FORM };
enum { BENCH_NONE, BENCH_WIDTH, BENCH_VECTOR };

static const char *const names[] = {"", "width", "vector"};

enum { RUNS = 20, RUNS_MOST = 1000 };

extern const ct_cuda_images pattern_images;

#define GPU_TO (INT64_C(4) << 30) /* without --to, and the most without a GPU */
#define GRID_TO (64 << 10)
#define GRID_MOST (16 << 20)

typedef struct arguments {
    int what, form; /* form: WIDTH_MANY or another; -1: not given */
    int64_t from, to, mib;
    int64_t shift; /* -1: not given */
    int32_t widths[WIDTH_KINDS], width_count, runs;
    const char *svg, *only, *input, *cub;
    int json, no_gpu;
} arguments;

static const struct argp_option options[] = {
    {NULL, 0, NULL, 0, "Of both:", 1},
    {"runs", KEY_RUNS, "N", 0, "time N runs and take the median (default 20)", 1},
    {"input", 'i', "RUN.json", 0,
     "measure nothing: show RUN.json, written by --json of the same subcommand", 1},
    {"json", KEY_JSON, NULL, 0, "print JSON", 1},
    {"no-gpu", KEY_NO_GPU, NULL, 0, "use no GPU: count on the CPU grid", 1},
    {NULL, 0, NULL, 0, "Of `bench width`:", 2},
    {"from", KEY_FROM, "SIZE", 0,
     "the smallest array (default 1K); K, M, G: times 1024, 1024^2, 1024^3", 2},
    {"to", KEY_TO, "SIZE", 0,
     "the largest array (default 4G; without a GPU 64K); each size is twice the one before", 2},
    {"widths", KEY_WIDTHS, "LIST", 0,
     "comma-separated access widths in bytes (default 1,2,4,8,16, and 32 from sm_100 on)", 2},
    {"form", KEY_FORM, "many|one|loop", 0,
     "how a thread copies: many (16 bytes, in as many accesses as needed; default), one (one "
     "access of up to 16 bytes), loop (a grid-stride loop of such accesses, in blocks of 1024 "
     "threads)",
     2},
    {"svg", KEY_SVG, "FILE", 0, "draw GB/s against the size of the array", 2},
    {NULL, 0, NULL, 0, "Of `bench vector`:", 3},
    {"mib", KEY_MIB, "N", 0,
     "arrays of N MiB (default: the sizes of the published figures: 256 MiB, and 1 GiB for sum, "
     "read and the large layer norm); the small layer norm always has 512 rows",
     3},
    {"only", KEY_ONLY, "LIST", 0,
     "comma-separated parts: copy, relu, gelu, half-relu, sum, read, layer-norm, layer-norm-large",
     3},
    {"shift", KEY_SHIFT, "N", 0,
     "the sources of copy, relu, gelu and half-relu begin N bytes past an aligned address "
     "(default 0); a multiple of the element size, at most 255",
     3},
    {"cub", KEY_CUB, "LIB.so", 0,
     "also time CUB's sum, from a library built from bench/gpu/peers/cub_sum.cu", 3},
    {0},
};

/* ---- arguments ------------------------------------------------------------------------------- */

static int is_known_width(int64_t width)
{
    return width >= 1 && width <= 32 && (width & (width - 1)) == 0;
}

/* Adds a width behind those that are narrower; -1 when it is there. */
static int add_width(arguments *a, int32_t width)
{
    int32_t at = a->width_count;
    while (at > 0 && a->widths[at - 1] > width) --at;
    if (at > 0 && a->widths[at - 1] == width) return -1;
    memmove(a->widths + at + 1, a->widths + at, (size_t)(a->width_count - at) * sizeof *a->widths);
    a->widths[at] = width;
    ++a->width_count;
    return 0;
}

static error_t read_widths(arguments *a, const char *list, struct argp_state *state)
{
    a->width_count = 0;
    for (const char *p = list;; ++p) {
        int64_t width = 0;
        if (ct_number_begin(p, 1, 32, &width, &p) || !is_known_width(width) || (*p && *p != ','))
            return ct_cli_wrong(
                state, "--widths takes 1, 2, 4, 8, 16, 32 with commas between, not `%.40s`", list);
        if (add_width(a, (int32_t)width))
            return ct_cli_wrong(state, "--widths names %d twice", (int)width);
        if (!*p) return 0;
    }
}

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
            return ct_cli_wrong(state, "--only: there is no part `%s`; see `cutlet bench --help`",
                                name);
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
            return ct_cli_wrong(state, "--shift %lld is not a multiple of the %d bytes of an "
                                       "element "
                                "of `%s`: leave that out by --only", (long long)a->shift,
                                vector_elem_bytes(c), c->group);
        shifted |= vector_shift(c, a->shift) > 0;
    }
    if (a->shift <= 0 || shifted) return 0;
    return ct_cli_wrong(state, "--shift is for copy, relu, gelu and half-relu, of which --only "
                        "names none");
}

/* An option of the other sub-command, or one that does nothing together with another. */
static error_t check(const arguments *a, struct argp_state *state)
{
    const int of_width = a->from || a->to || a->width_count || a->svg || a->form >= 0,
              of_vector = a->mib || a->only || a->cub || a->shift >= 0;
    if (!a->what)
        return ct_cli_wrong(state, "which one? `cutlet bench width` or `cutlet bench vector`");
    if (a->what == BENCH_WIDTH && of_vector)
        return ct_cli_wrong(state,
                            "--mib, --only, --shift and --cub are for `cutlet bench vector`");
    if (a->what == BENCH_VECTOR && of_width)
        return ct_cli_wrong(state, "--from, --to, --widths, --form and --svg are for "
                                   "`cutlet bench width`");
    if (a->form > WIDTH_MANY && a->width_count && a->widths[a->width_count - 1] > 16)
        return ct_cli_wrong(state, "--form %s has accesses of up to 16 bytes, not of %d",
                            width_form_name(a->form), a->widths[a->width_count - 1]);
    if (check_shift(a, state)) return EINVAL;
    if (a->input && (a->from || a->to || a->width_count || a->form >= 0 || of_vector || a->runs ||
                     a->no_gpu))
        return ct_cli_wrong(state,
                            "--input shows a run as it was: only --json and --svg go with it");
    if (a->from && a->to && a->from > a->to)
        return ct_cli_wrong(state, "--from is %lld bytes and --to only %lld", (long long)a->from,
                            (long long)a->to);
    return 0;
}

static error_t read_form(arguments *a, const char *name, struct argp_state *state)
{
    a->form = ct_cli_choice(state, KEY_FORM, name);
    return a->form < 0 ? EINVAL : 0;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    arguments *a = state->input;
    int64_t number = 0;
    switch (key) {
    case 'i': a->input = arg; return 0;
    case KEY_SVG: a->svg = arg; return 0;
    case KEY_CUB: a->cub = arg; return 0;
    case KEY_JSON: a->json = 1; return 0;
    case KEY_NO_GPU: a->no_gpu = 1; return 0;
    case KEY_WIDTHS: return read_widths(a, arg, state);
    case KEY_ONLY: return read_only(a, arg, state);
    case KEY_FROM:
    case KEY_TO:
        if (ct_bytes_read(arg, key == KEY_FROM ? &a->from : &a->to))
            return ct_cli_wrong(state,
                                "--%s takes a number of bytes, as 4096, 64K, 1M or 4G, not `%.40s`",
                                key == KEY_FROM ? "from" : "to", arg);
        return 0;
    case KEY_MIB:
        if (ct_number_read(arg, 1, 1 << 16, &a->mib))
            return ct_cli_wrong(state, "--mib takes 1 to 65536, not `%.40s`", arg);
        return 0;
    case KEY_FORM: return read_form(a, arg, state);
    case KEY_SHIFT:
        if (ct_number_read(arg, 0, 255, &a->shift))
            return ct_cli_wrong(state, "--shift takes 0 to 255, not `%.40s`", arg);
        return 0;
    case KEY_RUNS:
        if (ct_number_read(arg, 1, RUNS_MOST, &number))
            return ct_cli_wrong(state, "--runs takes 1 to %d, not `%.40s`", RUNS_MOST, arg);
        a->runs = (int32_t)number;
        return 0;
    case ARGP_KEY_ARG:
        if (a->what)
            return ct_cli_wrong(state, "one of width and vector at a time, not `%.40s` as well",
                                arg);
        for (int i = 1; i <= BENCH_VECTOR; ++i) a->what = strcmp(arg, names[i]) == 0 ? i : a->what;
        return a->what ? 0 : ct_cli_wrong(state, "there is width and vector, no `%.40s`", arg);
    case ARGP_KEY_END: return check(a, state);
    default: return ARGP_ERR_UNKNOWN;
    }
}

const struct argp ct_bench_argp = {
    options,
    parse,
    "width|vector",
    "Measures on a GPU how much faster 16-byte accesses are than accesses of one element. Every "
    "result is verified before it is timed; a wrong one is not timed. Without a GPU, the same "
    "kernels run on the CPU grid, which counts their instructions, requests and 32-byte sectors, "
    "and one line says why.\v"
    "  width   copies arrays of many sizes, from a cache's to far beyond it, by accesses\n" "    "
    "      of 1, 2, 4, 8 and 16 bytes: GB/s, and the three regions of the curve\n" "  vector  "
    "runs copy, ReLU, GELU, sum, read and layer norm by scalar and by wide\n" "          "
    "accesses, beside the figures published for an A100\n\n"
    "  cutlet bench width --svg width.svg                    # needs a GPU\n"
    "  cutlet bench vector --only gelu,sum\n"
    "  cutlet bench width --json > run.json\n"
    "  cutlet bench width --input run.json",
    NULL,
    NULL,
    NULL};

/* ---- the run --------------------------------------------------------------------------------- */

static int bad(const char *line)
{
    ct_cli_complain("bench", "%s", line);
    return CT_EXIT_BAD;
}

static int bad_input(const arguments *a, const char *line)
{
    ct_cli_complain("bench", "%.200s: %s", a->input, line);
    return CT_EXIT_BAD;
}

/* What a measurement came to: 1 where a result was wrong; -1 where it ended early, with the error:
 * what there is until then, if anything, is shown. */
static int status_of(int measured, int any, const char *error)
{
    if (measured < 0) ct_cli_complain("bench", "%s", error);
    return measured == 0 ? CT_EXIT_OK : measured > 0 || any ? CT_EXIT_FAILED : CT_EXIT_BAD;
}

static int print_json(json_t *root)
{
    if (!root) return bad("not enough memory for the JSON text");
    json_dumpf(root, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(8));
    putchar('\n');
    json_decref(root);
    return CT_EXIT_OK;
}

/* The device, or the reason why no device is used. */
static ct_cuda *open_device(const arguments *a, bench_about *is)
{
    const ct_cuda_images *const tables[] = {&vector_images, &pattern_images};
    if (!a->no_gpu) return bench_open(&is->device, 0, tables, 2, is->reason);
    ct_one_line(is->reason, sizeof is->reason, "no GPU: --no-gpu");
    return NULL;
}

/* The sizes and widths that are asked for, or what suits where the kernels run. */
static int make_wish(const arguments *a, int on_gpu, int32_t major, width_wish *wish)
{
    static const int32_t usual[] = {1, 2, 4, 8, 16, 32};
    char least[BENCH_SIZE_TEXT], most[BENCH_SIZE_TEXT];
    wish->from = a->from ? a->from : 1 << 10;
    wish->to = a->to ? a->to : ct_max(on_gpu ? GPU_TO : GRID_TO, a->from);
    wish->runs = a->runs ? a->runs : RUNS;
    wish->form = a->form < 0 ? WIDTH_MANY : a->form;
    const int has_32 = on_gpu && major >= 10 && a->form <= WIDTH_MANY;
    wish->count = a->width_count ? a->width_count : has_32 ? 6 : 5;
    memcpy(wish->widths, a->width_count ? a->widths : usual, (size_t)wish->count * sizeof *usual);
    bench_size_text(least, wish->from);
    bench_size_text(most, wish->to);
    if (wish->from > wish->to) {
        ct_cli_complain("bench", "the smallest array, %s, is larger than the largest, %s", least,
                        most);
        return -1;
    }
    if (on_gpu || wish->to <= GRID_MOST) return 0;
    ct_cli_complain("bench", "arrays of %s take too long without a GPU: --to 16M is the most",
                    most);
    return -1;
}

static int measure_width(const arguments *a, width_run *r)
{
    char error[CT_CUDA_LINE] = "";
    width_wish wish;
    ct_cuda *const gpu = open_device(a, &r->is);
    if (make_wish(a, gpu != NULL, r->is.device.about.major, &wish)) {
        ct_cuda_close(gpu);
        return CT_EXIT_BAD;
    }
    width_start(r, &wish);
    if (!gpu && a->svg) {
        ct_cli_complain("bench", "--svg draws GB/s, which need a GPU (%s)",
                        r->is.reason);
        return CT_EXIT_BAD;
    }
    const int measured = width_measure(r, gpu, error);
    ct_cuda_close(gpu);
    return status_of(measured, r->sizes > 0, error);
}

static int run_width(const arguments *a, json_t *input)
{
    char error[CT_CUDA_LINE] = "";
    width_run *const r = calloc(1, sizeof *r);
    if (!r) return bad("out of memory");
    int status = CT_EXIT_OK;
    if (a->svg && width_svg_check(a->svg, error)) status = bad(error); /* before minutes pass */
    else if (!input) status = measure_width(a, r);
    else if (width_read(r, input, error)) status = bad_input(a, error);
    else if (a->svg && !r->is.on_gpu) status = bad("--svg draws GB/s, and this run has none");
    if (status != CT_EXIT_BAD) {
        const int no_picture = a->svg && width_svg(r, a->svg, error);
        if (!a->json) width_print(r, stdout);
        else if (print_json(width_json(r))) status = CT_EXIT_BAD;
        if (no_picture) status = bad(error);
    }
    free(r);
    return status;
}

static int measure_vector(const arguments *a, vector_run *r)
{
    char error[CT_CUDA_LINE] = "";
    bench_cub cub = {0};
    vector_wish wish = {.mib = a->mib,
                        .only = a->only,
                        .runs = a->runs ? a->runs : RUNS,
                        .shift = (int32_t)ct_max(0, a->shift)};
    ct_cuda *const gpu = open_device(a, &r->is);
    int opened = 0;
    if (a->cub && !gpu)
        opened = ct_one_line(error, CT_CUDA_LINE, "--cub runs on a GPU; %s", r->is.reason);
    else if (a->cub) opened = bench_cub_open(&cub, a->cub, error);
    if (opened) {
        ct_cuda_close(gpu);
        return bad(error);
    }
    wish.cub = a->cub ? &cub : NULL;
    const int measured = vector_measure(r, gpu, &wish, error);
    bench_cub_close(&cub);
    ct_cuda_close(gpu);
    return status_of(measured, vector_any(r), error);
}

static int run_vector(const arguments *a, json_t *input)
{
    char error[CT_CUDA_LINE] = "";
    vector_run *const r = calloc(1, sizeof *r);
    if (!r) return bad("out of memory");
    int status = CT_EXIT_OK;
    if (!input) status = measure_vector(a, r);
    else if (vector_read(r, input, error)) status = bad_input(a, error);
    if (status != CT_EXIT_BAD && a->json && print_json(vector_json(r))) status = CT_EXIT_BAD;
    if (status != CT_EXIT_BAD && !a->json) vector_print(r, stdout);
    free(r);
    return status;
}

int ct_cmd_bench(int argc, char **argv)
{
    char error[CT_CUDA_LINE] = "";
    arguments a;
    memset(&a, 0, sizeof a);
    a.shift = -1;
    a.form = -1;
    const int parsed = ct_cli_parse(&ct_bench_argp, argc, argv, &a);
    if (parsed != 0) return ct_cli_finish("bench", parsed < 0 ? CT_EXIT_BAD : CT_EXIT_OK);
    json_t *const input = a.input ? bench_json_load(a.input, names[a.what], error) : NULL;
    if (a.input && !input) return bad(error);
    const int status = a.what == BENCH_WIDTH ? run_width(&a, input) : run_vector(&a, input);
    json_decref(input);
    return ct_cli_finish("bench", status);
}
