/* cutlet compare: a matrix through each tiled copy, verified, counted and ranked. */
#include "compare.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../common/cli.h"
#include "../common/commands.h"
#include "../common/operands.h"
#include "../common/options.h"
#include "../common/progress.h"
#include "base/number.h"
#include "kernels/best_copies.h"
#include "kernels/variants.h"
#include "text/nearest.h"

/* clang-format off */
enum { KEY_ROWS = 256, KEY_COLS, KEY_TYPE, KEY_ORDER, KEY_TILE, KEY_VARIANTS, KEY_SVG, KEY_JSON,
       KEY_GPU_MIB, KEY_NO_GPU, KEY_COPY, KEY_SRC, KEY_DST, KEY_SHARED };
/* clang-format on */
enum { GPU_MIB = 512, GPU_MIB_MOST = 1 << 16 };
enum { ORDER_BOTH, ORDER_ROW, ORDER_COL };
enum { WHOLE = 512 * 512 }; /* elements of a matrix that is copied and verified as a whole */

typedef struct arguments {
    const char *input, *output, *type, *variants, *svg;
    int64_t rows, cols, tile_m, tile_n;
    int64_t gpu_mib;
    int order, json, no_gpu;
    ct_own_copies own; /* --copy */
} arguments;

static const struct argp_option options[] = {
    {"input", 'i', "M.npy", 0, "the matrix, a NumPy file with elements of up to 16 bytes", 0},
    {"copy", KEY_COPY, "COPY", 0,
     "a copy of your own, THR x VAL: its thread layout x its value layout; repeat it for each copy",
     0},
    {"src", KEY_SRC, "LAYOUT", 0, "with --copy: the matrix, in global memory (required)", 0},
    {"dst", KEY_DST, "LAYOUT", 0, "with --copy: the copy's layout (default: that of --src)", 0},
    {"shared", KEY_SHARED, "LAYOUT", 0,
     "with --copy: the tile in shared memory (default: plain, in the order of --src)", 0},
    {"rows", KEY_ROWS, "N", 0, "make a matrix of N rows, random bits (default 512)", 0},
    {"cols", KEY_COLS, "N", 0, "make a matrix of N columns (default 512)", 0},
    {"type", KEY_TYPE, "TYPE", 0,
     "element type of that matrix (default half); `cutlet help "
     "types` lists the types",
     0},
    {"order", KEY_ORDER, "both|row|col", 0, "row-major, column-major or both (default both)", 0},
    {"tile", KEY_TILE, "SHAPE", 0,
     "the tile of a block (default 64x64); the variant best "
     "ignores it",
     0},
    {"variants", KEY_VARIANTS, "VARIANTS", 0,
     "comma-separated variants, or all (default: those meant for the order)", 0},
    {"output", 'o', "COPY.npy", 0, "write the copy that the first variant made", 0},
    {"svg", KEY_SVG, "DIR", 0,
     "write a picture for each variant, the banks of its conflicts, and index.html to DIR", 0},
    {"json", KEY_JSON, NULL, 0, "print JSON", 0},
    {"gpu-mib", KEY_GPU_MIB, "N", 0,
     "on a GPU, time copies of N MiB of random bits, with the matrix's leading dimension "
     "(default 512; with --input, the matrix itself)",
     0},
    {"no-gpu", KEY_NO_GPU, NULL, 0, "use no GPU", 0},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    arguments *a = state->input;
    switch (key) {
        case 'i': a->input = arg; return 0;
        case 'o': a->output = arg; return 0;
        case KEY_COPY: a->own.text[a->own.count++] = arg; return 0;
        case KEY_SRC: a->own.src = arg; return 0;
        case KEY_DST: a->own.dst = arg; return 0;
        case KEY_SHARED: a->own.shared = arg; return 0;
        case KEY_TYPE: a->type = arg; return 0;
        case KEY_VARIANTS: a->variants = arg; return 0;
        case KEY_SVG: a->svg = arg; return 0;
        case KEY_JSON: a->json = 1; return 0;
        case KEY_NO_GPU: a->no_gpu = 1; return 0;
        case KEY_GPU_MIB:
            if (ct_number_read(arg, 1, GPU_MIB_MOST, &a->gpu_mib))
                return ct_cli_wrong(state, "--gpu-mib takes 1 to %d, not `%.40s`", GPU_MIB_MOST,
                                    arg);
            return 0;
        case KEY_ROWS:
            if (ct_number_read(arg, 1, INT32_MAX, &a->rows))
                return ct_cli_wrong(state, "--rows takes 1 to 2147483647, not `%.40s`", arg);
            return 0;
        case KEY_COLS:
            if (ct_number_read(arg, 1, INT32_MAX, &a->cols))
                return ct_cli_wrong(state, "--cols takes 1 to 2147483647, not `%.40s`", arg);
            return 0;
        case KEY_TILE: return ct_cli_matrix_tile(state, arg, &a->tile_m, &a->tile_n);
        case KEY_ORDER: a->order = ct_cli_choice(state, key, arg); return a->order < 0 ? EINVAL : 0;
        case ARGP_KEY_ARG:
            return ct_cli_wrong(state, "`%.100s` is not an option; --input names the matrix", arg);
        case ARGP_KEY_END:
            if (!a->own.count && (a->own.src || a->own.dst || a->own.shared))
                return ct_cli_wrong(state, "--src, --dst and --shared are for --copy");
            if (a->own.count && (a->input || a->rows || a->cols || a->variants || a->output ||
                                 a->svg || a->gpu_mib || a->order != ORDER_BOTH))
                return ct_cli_wrong(state,
                                    "with --copy, --src is the matrix: only --dst, --shared, "
                                    "--type, --tile, --json and --no-gpu can be given");
            if (a->own.count && !a->own.src)
                return ct_cli_wrong(state, "--src is missing, as in: --src '(4096,4096):(4096,1)'");
            if (a->input && (a->rows || a->cols || a->type))
                return ct_cli_wrong(
                    state,
                    "--rows, --cols and --type are for a matrix that is made, not for --input");
            return 0;
        default: return ARGP_ERR_UNKNOWN;
    }
}

#define ABOUT(id, name, tm, tn, dm, dn, vm, vn, how, orders, about)                                \
    "  " name "  (" #tm "," #tn "):(" #dm "," #dn ") x (" #vm "," #vn ")\n      " about "\n"

#define ABOUT_BEST(threads, accesses, how)                                                         \
    "  best  (1," #threads "):(" #threads                                                          \
    ",1) x 16 bytes\n      the fastest known: threads along a row "                                \
    "or a column, 16 bytes each\n"

const struct argp ct_compare_argp = CT_ARGP(
    options, parse, NULL,
    "Copies a matrix from global through shared to global memory with each variant of the tiled "
    "copy, or with thread and value layouts of your own (--copy). The copies run on the CPU grid, "
    "are verified bit by bit and ranked by cost; tiles whose addresses are congruent run once. "
    "Copies of your own are counted by the access model. If there is a GPU, each copy is also "
    "verified and timed there.\v"
    "Variants:\n" CT_COPY_VARIANTS(ABOUT) CT_BEST_COPY_CHOSEN(
        ABOUT_BEST) "\n"
                    "  cutlet compare\n"
                    "  cutlet compare --copy '(16,8):(8,1) x (1,8)' --copy '(16,8):(1,16) x (8,1)' \\\n"
                    "      --src '(4096,4096):(4096,1)' --type half\n"
                    "  cutlet compare --rows 300 --cols 200 --output weights.npy\n"
                    "  cutlet compare --input weights.npy --order row --svg pictures\n"
                    "  cutlet compare --rows 300 --cols 1000 --type float --variants rows8,rows8-async --tile 32x128\n");

/* ---- the variants of a run -------------------------------------------------------------------- */

/* One copy that is to be made. */
typedef struct task {
    const ct_copy_variant *variant;
    int row_major;
} task;

/* Whether `name` stands in a list with commas. */
static int listed(const char *list, const char *name)
{
    const size_t n = strlen(name);
    for (const char *p = list; p; p = strchr(p, ',')) {
        p += *p == ',';
        if (strncmp(p, name, n) == 0 && (p[n] == ',' || p[n] == 0)) return 1;
    }
    return 0;
}

/* Each name of the list is that of a variant. */
static int check_list(const char *list)
{
    int count = 0;
    const ct_copy_variant *all = ct_copy_variants(&count);
    for (const char *p = list; p; p = strchr(p, ',')) {
        char name[48] = "";
        p += p != list;
        const size_t n = strcspn(p, ",");
        snprintf(name, sizeof name, "%.*s", (int)ct_min((int64_t)n, (int64_t)sizeof name - 1), p);
        int known = 0;
        char ask[CT_NEAREST_BYTES];
        ct_nearest near = {.word = name};
        for (int i = 0; i < count; ++i) {
            known |= strcmp(all[i].name, name) == 0;
            ct_nearest_try(&near, all[i].name);
        }
        if (known) continue;
        ct_cli_complain("compare", "there is no variant `%s`%s; `cutlet compare --help` lists them",
                        name, ct_nearest_ask(&near, ask));
        return -1;
    }
    return 0;
}

/* Whether a variant is part of the run for data of an order. */
static int wanted(const arguments *a, const ct_copy_variant *v, int row_major)
{
    if (a->order == (row_major ? ORDER_COL : ORDER_ROW)) return 0;
    if (!a->variants) return row_major ? v->for_rows : v->for_cols;
    return strcmp(a->variants, "all") == 0 || listed(a->variants, v->name);
}

/* The copies to make, the row-major ones first; returns how many. */
static int make_tasks(const arguments *a, task *tasks)
{
    int variants = 0, count = 0;
    const ct_copy_variant *all = ct_copy_variants(&variants);
    for (int row_major = 1; row_major >= 0; --row_major) {
        for (int i = 0; i < variants; ++i) {
            if (!wanted(a, &all[i], row_major)) continue;
            tasks[count].variant = &all[i];
            tasks[count++].row_major = row_major;
        }
    }
    return count;
}

/* ---- the run ---------------------------------------------------------------------------------- */

/* What is told while it runs. */
typedef struct progress {
    int at, count;
    const char *name, *order;
} progress;

static void tell(void *user, double done)
{
    const progress *t = user;
    ct_cli_progress("compare", "%d of %d: %s, %s, %d %%", t->at + 1, t->count, t->name, t->order,
                    (int)(100 * done));
}

/* Where the copy for --output goes: the first copy in the order of the file. */
static void *take_copy(const arguments *a, ct_compare_input *s, int row_major, void **copy)
{
    if (!a->output || *copy || row_major != !s->array.fortran) return NULL;
    return *copy = malloc((size_t)s->array.data_bytes);
}

/* The matrix of a task, with the lines that are read. */
static int make_matrix(ct_compare_input *s, const task *t, const ct_compare_options *o,
                       ct_matrix *matrix)
{
    int64_t rows = 0, cols = 0;
    char message[CT_MESSAGE_BYTES]; /* ct_compare_copy says what is wrong */
    ct_compare_input_shape(s, t->row_major, matrix);
    ct_compare_part(t->variant, matrix, o, &rows, &cols, message);
    const int64_t lines = ct_max(1, t->row_major ? rows : cols);
    if (ct_compare_input_matrix(s, t->row_major, lines, matrix) == 0) return 0;
    ct_cli_complain("compare", "not enough memory for the matrix");
    return -1;
}

/* Runs one copy. Returns CT_EXIT_BAD where the arguments do not fit, after a line that says so; a
 * variant that the user did not name is left out then, and its result says why. */
static int run_task(const arguments *a, ct_compare_input *s, const task *t, progress *tell_to,
                    void **copy, ct_compare_result *result)
{
    ct_matrix matrix;
    tell_to->name = t->variant->name;
    tell_to->order = t->row_major ? "row-major" : "column-major";
    const ct_compare_options o = {.tile_m = a->tile_m,
                                  .tile_n = a->tile_n,
                                  .copy = take_copy(a, s, t->row_major, copy),
                                  .congruent = s->rows * s->cols > WHOLE,
                                  .progress = tell,
                                  .user = tell_to};
    if (make_matrix(s, t, &o, &matrix)) return CT_EXIT_BAD;
    const int status = ct_compare_copy(t->variant, &matrix, &o, result);
    if (status == CT_OK) return CT_EXIT_OK;
    if (o.copy) {
        free(*copy);
        *copy = NULL;
    }
    if (status == CT_E_ARGUMENT && !a->variants) return CT_EXIT_OK;
    ct_cli_progress_end();
    ct_cli_complain("compare", "%s", result->message);
    return status == CT_E_ARGUMENT || status == CT_E_MEMORY ? CT_EXIT_BAD : CT_EXIT_FAILED;
}

/* Runs all of them; the results of each order ranked. */
static int run_all(const arguments *a, ct_compare_input *s, ct_ranking *c, void **copy)
{
    int variants = 0;
    ct_copy_variants(&variants);
    task *tasks = malloc(2 * (size_t)variants * sizeof *tasks);
    c->results = malloc(2 * (size_t)variants * sizeof *c->results);
    int status = CT_EXIT_OK;
    if (!tasks || !c->results) {
        ct_cli_complain("compare", "out of memory");
        free(tasks);
        return CT_EXIT_BAD;
    }
    progress t = {0, make_tasks(a, tasks), "", ""};
    char left_out[CT_MESSAGE_BYTES] = "";
    for (; t.at < t.count && status == CT_EXIT_OK; ++t.at) {
        ct_compare_result *r = &c->results[c->count];
        status = run_task(a, s, &tasks[t.at], &t, copy, r);
        if (r->status == CT_OK) ++c->count;
        else memcpy(left_out, r->message, sizeof left_out);
    }
    ct_cli_progress_end();
    free(tasks);
    if (status == CT_EXIT_OK && (c->count == 0 || left_out[0])) {
        ct_cli_complain("compare", "%d of %d copies left out, as %s", t.count - c->count, t.count,
                        left_out);
        if (c->count == 0) status = CT_EXIT_BAD;
    }
    for (int row_major = 0; row_major < 2 && status == CT_EXIT_OK; ++row_major) {
        int first = 0;
        const int n = ct_ranking_part(c, row_major, &first);
        qsort(c->results + first, (size_t)n, sizeof *c->results, ct_compare_rank);
    }
    return status;
}

/* Writes the copy. */
static int write_copy(const arguments *a, const ct_compare_input *s, void *copy)
{
    char error[CT_MESSAGE_BYTES];
    ct_npy array = s->array;
    if (!a->output) return CT_EXIT_OK;
    if (!copy) {
        ct_cli_complain(
            "compare",
            "--output is written in the order of the matrix, %s-major, which --order leaves out",
            s->array.fortran ? "column" : "row");
        return CT_EXIT_BAD;
    }
    array.data = copy;
    if (ct_npy_write(a->output, &array, error) == 0) return CT_EXIT_OK;
    ct_cli_complain("compare", "%s", error);
    return CT_EXIT_BAD;
}

/* Shows what came out: pictures first, so that a table is printed when all is there. */
static int show(const arguments *a, ct_ranking *c, ct_picture_folder *folder)
{
    char error[CT_MESSAGE_BYTES];
    if (a->svg && ct_picture_folder_fill(folder, c, error)) {
        ct_cli_complain("compare", "%s", error);
        return CT_EXIT_BAD;
    }
    if (!a->json) ct_ranking_print(c, stdout);
    else if (ct_ranking_json(c, stdout)) {
        ct_cli_complain("compare", "not enough memory for the JSON text");
        return CT_EXIT_BAD;
    }
    return CT_EXIT_OK;
}

/* The GPU's part. */
static int measure(const arguments *a, ct_ranking *c)
{
    const ct_compare_options o = {.tile_m = a->tile_m, .tile_n = a->tile_n};
    if (a->no_gpu) {
        snprintf(c->gpu.reason, sizeof c->gpu.reason, "no GPU: --no-gpu");
        return CT_EXIT_OK;
    }
    return ct_ranking_measure(c, a->gpu_mib || a->input ? a->gpu_mib : GPU_MIB, &o);
}

static int compare(const arguments *a, ct_compare_input *s)
{
    char error[CT_MESSAGE_BYTES];
    ct_picture_folder folder = {NULL, NULL};
    ct_ranking c;
    void *copy = NULL;
    memset(&c, 0, sizeof c);
    c.input = s;
    c.pictures = a->svg;
    if (a->svg && ct_picture_folder_open(&folder, a->svg, error)) {
        ct_cli_complain("compare", "%s", error);
        ct_picture_folder_close(&folder);
        return CT_EXIT_BAD;
    }
    int status = run_all(a, s, &c, &copy);
    if (status == CT_EXIT_OK) status = write_copy(a, s, copy);
    if (status == CT_EXIT_OK) {
        const int measured = measure(a, &c);
        status = show(a, &c, &folder);
        if (status == CT_EXIT_OK) status = measured;
    }
    ct_picture_folder_close(&folder);
    free(c.gpu.copies);
    free(c.results);
    free(copy);
    return status;
}

static int compare_own(arguments *a)
{
    a->own.type = a->type ? a->type : "half";
    a->own.tile_m = a->tile_m;
    a->own.tile_n = a->tile_n;
    a->own.json = a->json;
    a->own.no_gpu = a->no_gpu;
    return ct_compare_own(&a->own);
}

static int compare_variants(const arguments *a)
{
    ct_compare_input input;
    char error[CT_MESSAGE_BYTES];
    if (a->variants && strcmp(a->variants, "all") != 0 && check_list(a->variants))
        return CT_EXIT_BAD;
    const int bad =
        a->input ? ct_compare_input_read(&input, a->input, error)
                 : ct_compare_input_make(&input, a->rows ? a->rows : 512, a->cols ? a->cols : 512,
                                         a->type ? a->type : "half", error);
    if (bad) {
        ct_cli_complain("compare", "%s", error);
        return CT_EXIT_BAD;
    }
    const int status = compare(a, &input);
    ct_compare_input_free(&input);
    return status;
}

int ct_cmd_compare(int argc, char **argv)
{
    arguments a;
    memset(&a, 0, sizeof a);
    a.own.text = calloc((size_t)argc + 1, sizeof *a.own.text);
    if (!a.own.text) {
        ct_cli_complain("compare", "out of memory");
        return CT_EXIT_BAD;
    }
    const int parsed = ct_cli_parse(&ct_compare_argp, argc, argv, &a);
    int status = parsed < 0 ? CT_EXIT_BAD : CT_EXIT_OK;
    if (parsed == 0) status = a.own.count ? compare_own(&a) : compare_variants(&a);
    free(a.own.text);
    return ct_cli_finish("compare", status);
}
