/* cutlet-bench width: copies by accesses of 1 to 32 bytes, over arrays of many sizes. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../commands.h"
#include "../harness/report.h"
#include "../options.h"
#include "base/number.h"
#include "run.h"
#include "tools/cutlet/common/options.h"

enum { KEY_FROM = BENCH_KEY_OWN, KEY_TO, KEY_WIDTHS, KEY_FORM };

#define GPU_TO (INT64_C(4) << 30) /* without --to, and the most without a GPU */
#define GRID_TO (64 << 10)
#define GRID_MOST (16 << 20)

typedef struct arguments {
    bench_options of;
    int form; /* WIDTH_MANY or another; -1: not given */
    int64_t from, to;
    int32_t widths[WIDTH_KINDS], width_count;
} arguments;

static const struct argp_option options[] = {
    {"from", KEY_FROM, "SIZE", 0,
     "the smallest array (default 1K); K, M, G: times 1024, 1024^2, 1024^3", 0},
    {"to", KEY_TO, "SIZE", 0,
     "the largest array (default 4G; without a GPU 64K); each size is twice the one before", 0},
    {"widths", KEY_WIDTHS, "LIST", 0,
     "comma-separated access widths in bytes (default 1,2,4,8,16, and 32 from sm_100 on)", 0},
    {"form", KEY_FORM, "many|one|loop", 0,
     "how a thread copies: many (16 bytes, in as many accesses as needed; default), one (one "
     "access of up to 16 bytes), loop (a grid-stride loop of such accesses, in blocks of 1024 "
     "threads)",
     0},
    BENCH_OPTIONS,
    {0},
};

/* ---- arguments ------------------------------------------------------------------------------- */

static int is_known_width(int64_t width)
{
    return width >= 1 && width <= 32 && (width & (width - 1)) == 0;
}

/* Adds a width after those that are narrower; -1 when it is there. */
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

static error_t check(const arguments *a, struct argp_state *state)
{
    if (a->form > WIDTH_MANY && a->width_count && a->widths[a->width_count - 1] > 16)
        return ct_cli_wrong(state, "--form %s has accesses of up to 16 bytes, not of %d",
                            width_form_name(a->form), a->widths[a->width_count - 1]);
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
    switch (key) {
        case KEY_WIDTHS: return read_widths(a, arg, state);
        case KEY_FORM: return read_form(a, arg, state);
        case KEY_FROM:
        case KEY_TO:
            if (ct_bytes_read(arg, key == KEY_FROM ? &a->from : &a->to))
                return ct_cli_wrong(
                    state, "--%s takes a number of bytes, as 4096, 64K, 1M or 4G, not `%.40s`",
                    key == KEY_FROM ? "from" : "to", arg);
            return 0;
        case ARGP_KEY_END: return check(a, state);
        default: return bench_option(&a->of, key, arg, state);
    }
}

const struct argp bench_width_argp = CT_ARGP(
    options, parse, NULL,
    "Copies arrays of many sizes by accesses of 1, 2, 4, 8 and 16 bytes, and by the driver's "
    "memcpy: GB/s, read and written, and the three regions of the curve. In the first the latency "
    "of a launch decides, in the second both arrays fit in the L2 cache, in the third memory "
    "decides.\n"
    "Every byte of each copy is compared before it is timed. Without a GPU the same kernels run on "
    "the CPU grid, which counts their instructions, requests and 32-byte sectors, and one line "
    "says why.\v"
    "  cutlet-bench width --no-gpu --to 256K\n"
    "  cutlet-bench width --tsv > width.tsv    # needs a GPU; bench/plot.py draws it");

/* ---- the run --------------------------------------------------------------------------------- */

/* The sizes and widths that are asked for, or what suits where the kernels run. */
static int make_wish(const arguments *a, int on_gpu, int32_t major, width_wish *wish)
{
    static const int32_t usual[] = {1, 2, 4, 8, 16, 32};
    char least[BENCH_SIZE_TEXT], most[BENCH_SIZE_TEXT];
    wish->from = a->from ? a->from : 1 << 10;
    wish->to = a->to ? a->to : ct_max(on_gpu ? GPU_TO : GRID_TO, a->from);
    wish->runs = bench_runs(&a->of);
    wish->form = a->form < 0 ? WIDTH_MANY : a->form;
    const int has_32 = on_gpu && major >= 10 && a->form <= WIDTH_MANY;
    wish->count = a->width_count ? a->width_count : has_32 ? 6 : 5;
    memcpy(wish->widths, a->width_count ? a->widths : usual, (size_t)wish->count * sizeof *usual);
    bench_size_text(least, wish->from);
    bench_size_text(most, wish->to);
    if (wish->from > wish->to) {
        ct_cli_complain(a->of.command, "the smallest array, %s, is larger than the largest, %s",
                        least, most);
        return -1;
    }
    if (on_gpu || wish->to <= GRID_MOST) return 0;
    ct_cli_complain(a->of.command, "arrays of %s take too long without a GPU: --to 16M is the most",
                    most);
    return -1;
}

static int measure_width(const arguments *a, width_report *r)
{
    char error[CT_MESSAGE_BYTES] = "";
    width_wish wish;
    ct_cuda *const gpu = bench_open_wanted(&a->of, &r->is);
    if (make_wish(a, gpu != NULL, r->is.device.about.major, &wish)) {
        ct_cuda_close(gpu);
        return CT_EXIT_BAD;
    }
    width_start(r, &wish);
    const int measured = width_measure(r, gpu, error);
    ct_cuda_close(gpu);
    return bench_exit_status(&a->of, measured, r->sizes > 0, error);
}

static int run_width(const arguments *a)
{
    width_report *const r = calloc(1, sizeof *r);
    if (!r) return bench_bad(&a->of, "out of memory");
    const int status = measure_width(a, r);
    if (status != CT_EXIT_BAD && a->of.tsv) width_tsv(r);
    else if (status != CT_EXIT_BAD) width_print(r, stdout);
    free(r);
    return status;
}

int bench_cmd_width(int argc, char **argv)
{
    arguments a = {.of.command = "width", .form = -1};
    const int parsed = ct_cli_parse(&bench_width_argp, argc, argv, &a);
    if (parsed != 0) return ct_cli_finish("width", parsed < 0 ? CT_EXIT_BAD : CT_EXIT_OK);
    return ct_cli_finish("width", run_width(&a));
}
