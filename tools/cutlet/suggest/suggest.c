/* cutlet suggest: the best tiled copy and shared layout for a tile. */
#include "suggest.h"

#include <stdlib.h>
#include <string.h>

#include "../common/cli.h"
#include "../common/commands.h"
#include "../common/operands.h"
#include "../common/options.h"
#include "../common/progress.h"
#include "base/number.h"
#include <cutlet/host/text.h>

enum { MEASURED = 12 }; /* candidates, where nothing else is said */

enum {
    /* clang-format off */
    KEY_TYPE = 256, KEY_TILE, KEY_SRC, KEY_DST, KEY_THREADS, KEY_READ, KEY_READ_BITS, KEY_ALIGN,
    KEY_DST_ALIGN, KEY_NO_CP_ASYNC, KEY_SHARED, KEY_ARCH, KEY_TOP, KEY_ALL, KEY_MEASURE, KEY_EMIT,
    /* clang-format on */
    KEY_JSON
};

enum { COLUMNS = CT_READ_COUNT }; /* another word for cols */

static const char *const reads[CT_READ_COUNT] = {"rows", "cols", "ldmatrix", "ldmatrix.trans"};

typedef struct arguments {
    ct_suggest_query query;
    ct_suggest_report report;
    ct_named_type type;
    char src_text[CT_TEXT_BYTES], dst_text[CT_TEXT_BYTES]; /* of packed elements, in bytes */
    const char *emit; /* the file that the program goes to, "-" standard output; NULL: none */
    int json, all, has_read, has_top;
    int measures;     /* 1: on a GPU, */
    int32_t measured; /* this many; 0: all */
} arguments;

static const struct argp_option options[] = {
    {"type", KEY_TYPE, "TYPE", 0, "the elements (required); `cutlet help types` lists them", 0},
    {"tile", KEY_TILE, "SHAPE", 0, "rows x columns of the tile, such as 128x64 (required)", 0},
    {"src", KEY_SRC, "LAYOUT", 0, "layout of the source in global memory (required)", 0},
    {"threads", KEY_THREADS, "N", 0, "threads of the block (default 128)", 0},
    {"read", KEY_READ, "rows|cols|ldmatrix|ldmatrix.trans|columns", 0,
     "how the tile is read from shared memory; columns is cols (default rows)", 0},
    {"read-bits", KEY_READ_BITS, "N", 0,
     "bits per lane of a read along rows or columns (default: the best)", 0},
    {"dst", KEY_DST, "LAYOUT", 0,
     "copy the tile on to global memory of this layout, by a second tiled copy; replaces "
     "--read",
     0},
    {"align", KEY_ALIGN, "BYTES", 0, "alignment of the source's base address (default 256)", 0},
    {"dst-align", KEY_DST_ALIGN, "BYTES", 0,
     "alignment of the destination's base address "
     "(default 256)",
     0},
    {"no-cp-async", KEY_NO_CP_ASYNC, NULL, 0, "loads and stores only", 0},
    {"shared", KEY_SHARED, "BYTES", 0,
     "the most shared memory that the tile may take (default 232448)", 0},
    {"arch", KEY_ARCH, "ARCH", 0, "count by the rules of this architecture (default sm_90)", 0},
    {"top", KEY_TOP, "N", 0, "print a table of the N best; 0: of all", 0},
    {"all", KEY_ALL, NULL, 0,
     "print a table with one candidate, the simplest, for each distinct cost (takes seconds)", 0},
    {"measure", KEY_MEASURE, "N", OPTION_ARG_OPTIONAL,
     "time the N best on a GPU and rank them by time (default 12); 0: all; with --all N of its "
     "table",
     0},
    {"emit", KEY_EMIT, "FILE.cu", 0,
     "write a program that runs and verifies the best copy, replacing FILE.cu; -: print it; "
     "FILE.h: a table of the layout in shared memory",
     0},
    {"json", KEY_JSON, NULL, 0, "print JSON", 0},
    {0},
};

static error_t parse_number(struct argp_state *state, const char *option, const char *arg,
                            int64_t *out)
{
    if (ct_number_read(arg, 1, INT32_MAX, out) == 0) return 0;
    return ct_cli_wrong(state, "%s is a number of at least 1, not `%.40s`", option, arg);
}

static error_t parse_type(struct argp_state *state, const char *arg, arguments *a)
{
    char why[CT_MESSAGE_BYTES];
    if (ct_packed_type_read(arg, &a->type, why)) return ct_cli_wrong(state, "--type: %s", why);
    if (!a->type.cute)
        return ct_cli_wrong(state, "--type: CuTe has no elements of type %s", a->type.code);
    a->report.type = &a->type;
    a->query.elem_bits = a->type.bits;
    return 0;
}

static error_t parse_read(struct argp_state *state, int key, const char *arg, arguments *a)
{
    const int i = ct_cli_choice(state, key, arg);
    a->has_read = 1;
    a->query.read = i == COLUMNS ? CT_READ_COLS : i;
    return i < 0 ? EINVAL : 0;
}

/* A layout in any notation, and its text. */
static error_t parse_layout(struct argp_state *state, const char *option, const char *arg,
                            ct_layout *out, char text[CT_TEXT_BYTES])
{
    ct_value v;
    error_t wrong = ct_cli_evaluate("suggest", arg, &v) || ct_cli_as_layout("suggest", &v);
    if (!wrong && v.kind != CT_KIND_LAYOUT)
        wrong = ct_cli_wrong(state, "%s takes a layout, without swizzle or offset, not `%.80s`",
                             option, arg);
    if (!wrong) *out = v.as.layout;
    if (!wrong) ct_format_layout(text, CT_TEXT_BYTES, *out);
    ct_value_free(&v);
    return wrong ? EINVAL : 0;
}

static error_t parse_arch(const char *arg, ct_suggest_query *q)
{
    q->rules = ct_cli_rules("suggest", arg);
    return q->rules ? 0 : EINVAL;
}

/* A tile of packed elements, of 4 or 6 bits, is one of bytes along the contiguous mode. */
static error_t pack(struct argp_state *state, arguments *a)
{
    ct_suggest_query *const q = &a->query;
    char why[CT_MESSAGE_BYTES];
    const int32_t bits = q->elem_bits;
    if (ct_suggest_as_bytes(q, why)) return ct_cli_wrong(state, "%s", why);
    if (q->elem_bits == bits) return 0;
    ct_format_layout(a->src_text, sizeof a->src_text, q->src);
    if (q->has_dst) ct_format_layout(a->dst_text, sizeof a->dst_text, q->dst);
    a->type.bits = 8;
    a->type.cute = "uint8_t";
    fprintf(stderr, "cutlet suggest: %s as bytes: a tile of %lld x %lld of %s\n", a->type.name,
            (long long)q->tile_m, (long long)q->tile_n, a->src_text);
    return 0;
}

/* What is missing, or does not go together. */
static error_t check(struct argp_state *state, arguments *a)
{
    if (!a->report.type) return ct_cli_wrong(state, "--type is missing, as in --type half");
    if (a->query.tile_m == 0) return ct_cli_wrong(state, "--tile is missing, as in --tile 128x64");
    if (!a->report.src)
        return ct_cli_wrong(state, "--src is missing, as in --src '(4096,4096):(4096,1)'");
    if (a->query.has_dst && (a->has_read || a->query.read_bits))
        return ct_cli_wrong(state, "--dst says how the tile is read; --read does not go with it");
    if (!a->query.has_dst && a->query.dst_align_bytes)
        return ct_cli_wrong(state, "--dst-align is of --dst, which is missing");
    if (a->all && a->has_top) return ct_cli_wrong(state, "--all or --top, not both");
    if (a->measures && a->has_top)
        return ct_cli_wrong(state, "--measure=N says how many; --top does not go with it");
    if (a->json && a->emit && strcmp(a->emit, "-") == 0)
        return ct_cli_wrong(state, "--json or --emit -: one of them goes to standard output");
    return pack(state, a);
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    arguments *a = state->input;
    ct_suggest_query *const q = &a->query;
    int64_t n = 0;
    error_t wrong;
    switch (key) {
        case KEY_TYPE: return parse_type(state, arg, a);
        case KEY_TILE: return ct_cli_matrix_tile(state, arg, &q->tile_m, &q->tile_n);
        case KEY_SRC:
            a->report.src = a->src_text;
            return parse_layout(state, "--src", arg, &q->src, a->src_text);
        case KEY_DST:
            a->report.dst = a->dst_text;
            q->has_dst = 1;
            return parse_layout(state, "--dst", arg, &q->dst, a->dst_text);
        case KEY_THREADS:
            wrong = parse_number(state, "--threads", arg, &n);
            q->threads = (int32_t)n;
            return wrong;
        case KEY_READ: return parse_read(state, key, arg, a);
        case KEY_READ_BITS:
            wrong = parse_number(state, "--read-bits", arg, &n);
            q->read_bits = (int32_t)n;
            return wrong;
        case KEY_ALIGN: return parse_number(state, "--align", arg, &q->src_align_bytes);
        case KEY_DST_ALIGN: return parse_number(state, "--dst-align", arg, &q->dst_align_bytes);
        case KEY_NO_CP_ASYNC: q->no_cp_async = 1; return 0;
        case KEY_SHARED: return parse_number(state, "--shared", arg, &q->shared_bytes);
        case KEY_ARCH: return parse_arch(arg, q);
        case KEY_TOP:
            if (ct_number_read(arg, 0, INT32_MAX, &n))
                return ct_cli_wrong(state, "--top is a number, 0 for all, not `%.40s`", arg);
            q->top = (int32_t)n;
            a->has_top = 1;
            return 0;
        case KEY_ALL: a->all = 1; return 0;
        case KEY_MEASURE:
            n = MEASURED;
            if (arg && ct_number_read(arg, 0, INT32_MAX, &n))
                return ct_cli_wrong(state, "--measure is a number, 0 for all, not `%.40s`", arg);
            a->measured = (int32_t)n;
            a->measures = 1;
            return 0;
        case KEY_EMIT: a->emit = arg; return 0;
        case KEY_JSON: a->json = 1; return 0;
        case ARGP_KEY_ARG: return ct_cli_wrong(state, "`%.40s`: suggest takes options only", arg);
        case ARGP_KEY_END: return check(state, a);
        default: return ARGP_ERR_UNKNOWN;
    }
}

const struct argp ct_suggest_argp = CT_ARGP(
    options, parse, "",
    "Finds the best tiled copy for a block of threads from global to shared memory.\v"
    "  cutlet suggest --type half --tile 128x64 --read ldmatrix \\\n"
    "      --src '(4096,4096):(4096,1)'\n"
    "  cutlet suggest --type float --tile 64x64 --threads 256 \\\n"
    "      --src '(4096,4096):(4096,1)' --dst '(4096,4096):(1,4096)'\n"
    "  cutlet suggest --type half --tile 64x64 --read cols --top 5 \\\n"
    "      --src '(4096,4096):(4096,1)'\n"
    "\n"
    "LAYOUT is the layout of the whole tensor and has two modes; `cutlet help notation` explains "
    "it. (4096,4096):(4096,1) is row-major with leading dimension 4096.\n"
    "\n"
    "A candidate combines a thread and a value layout (thr and val of CuTe's make_tiled_copy), "
    "an atom and a layout of shared memory: plain, swizzled or padded. There are thousands. Each "
    "is counted lane by lane, as the hardware counts, and ranked by, in this order:\n"
    "\n"
    "  cycles         of a multiprocessor for the tile, estimated\n"
    "  sectors        32-byte sectors of global memory that are moved\n"
    "  instructions   warp instructions: a cp.async is one, a load and a store are two\n"
    "  wavefronts     passes through the banks of shared memory: write, read\n"
    "  shared bytes   of shared memory\n"
    "\n"
    "Cycles are estimated from the counts. Memory moves each sector of the tile once. The "
    "load-store unit takes one cycle for each pass through L1's tags, L1's data and the banks. "
    "The constants are those of an H200.\n"
    "\n"
    "Each count is printed with its lower bound for any layout. A choice that meets every "
    "bound is optimal.\n"
    "\n"
    "--read: with rows and cols, consecutive lanes read consecutive elements of a row or a "
    "column. ldmatrix reads 8 rows of 16 bytes along n for each 8x8 matrix; ldmatrix.trans reads "
    "them along m, as for CuTe's MN-major operands. Every thread of the block takes part.\n"
    "\n"
    "--measure compiles the best candidates with NVRTC and verifies each on a GPU. It times them "
    "alternately, on more copies of the source than the cache holds.\n"
    "\n"
    "Without --top the choice is also printed as C with cutlet and as C++ with CuTe. --emit "
    "writes a program for nvcc (GPU) or a C compiler (CPU grid); it checks each element. "
    "For FILE.h it writes a table: the place in shared memory of each element, for C and CUDA "
    "without cutlet. "
    "The exit status is 1 when nothing fits or a measured candidate is wrong; 2 when the arguments "
    "cannot be read or nothing can be measured.");

static int print(const arguments *a)
{
    if (a->emit && strcmp(a->emit, "-") == 0) return CT_EXIT_OK;
    if (a->json ? ct_suggest_print_json(&a->report, stdout)
                : ct_suggest_print(&a->report, stdout)) {
        fflush(stdout);
        ct_cli_complain("suggest", "out of memory");
        return CT_EXIT_BAD;
    }
    return CT_EXIT_OK;
}

static void tell(const char *what, int32_t done, int32_t all)
{
    if (done < all) ct_cli_progress("suggest", "on the GPU: %s %d of %d", what, done, all);
}

/* Measures; complains of what is wrong. */
static int measure(arguments *a, ct_suggest_result *result, ct_suggest_measured *measured)
{
    ct_suggest_choose(result, a->measured, a->all);
    const ct_status bad = ct_suggest_measure(&a->query, result, measured, tell);
    ct_cli_progress_end();
    if (bad) {
        ct_cli_complain("suggest", "%s", measured->message);
        return CT_EXIT_BAD;
    }
    a->report.measured = measured;
    for (int32_t i = 0; i < measured->count; ++i)
        if (measured->time[i].wrong) ct_cli_complain("suggest", "%s", measured->time[i].message);
    return measured->wrong ? CT_EXIT_FAILED : CT_EXIT_OK;
}

static int report(arguments *a, ct_suggest_result *result)
{
    ct_suggest_measured measured = {.count = 0};
    int status = a->measures ? measure(a, result, &measured) : CT_EXIT_OK;
    int emitted = CT_EXIT_OK; /* a table with a wrong candidate is shown, and nothing is written */
    if (status == CT_EXIT_OK && a->emit) status = emitted = ct_suggest_emit(&a->report, a->emit);
    if (status != CT_EXIT_BAD && emitted == CT_EXIT_OK && print(a)) status = CT_EXIT_BAD;
    ct_suggest_measured_free(&measured);
    return status;
}

static int run(arguments *a)
{
    ct_suggest_result result;
    a->report.query = &a->query;
    a->report.result = &result;
    a->report.lists = a->all || a->has_top || a->measures;
    if (!a->query.has_dst) a->report.read = reads[a->query.read];
    if (a->measures) a->query.top = a->measured;
    if (a->all) a->query.top = 0;
    a->query.one_per_cost = a->all;
    ct_cli_progress_begin("suggest", "counting candidates");
    const ct_status bad = ct_suggest(&a->query, &result);
    ct_cli_progress_end();
    if (bad) {
        ct_cli_complain("suggest", "%s", result.message);
        return CT_EXIT_FAILED;
    }
    const int status = report(a, &result);
    ct_suggest_free(&result);
    return status;
}

int ct_cmd_suggest(int argc, char **argv)
{
    arguments a = {.query = {.threads = 128, .top = 1}};
    const int parsed = ct_cli_parse(&ct_suggest_argp, argc, argv, &a);
    const int status = parsed < 0 ? CT_EXIT_BAD : parsed > 0 ? CT_EXIT_OK : run(&a);
    return ct_cli_finish("suggest", status);
}
