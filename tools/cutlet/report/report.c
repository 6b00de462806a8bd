/* cutlet report TILED_COPY --src LAYOUT --shared LAYOUT -o FILE.html, and of a TILED_MMA */
#include "report.h"

#include <stdlib.h>
#include <string.h>

#include "../common/cli.h"
#include "../common/commands.h"
#include "../common/json.h"
#include "../common/operands.h"
#include "base/whole_file.h"
#include <cutlet/host/text.h>
#include "mma.h"

typedef struct arguments {
    const char *expression, *output, *src, *dst, *shared, *shape, *arch;
    const char *operand[2]; /* A and B of a tiled MMA in shared memory */
    int json;
} arguments;

enum {
    KEY_SRC = 256,
    KEY_DST,
    KEY_SHARED,
    KEY_SHAPE,
    KEY_ARCH,
    KEY_SHARED_A,
    KEY_SHARED_B,
    KEY_JSON
};

static const struct argp_option options[] = {
    {"output", 'o', "FILE", 0, "write the page to FILE, which ends in .html (required)", 0},
    {"src", KEY_SRC, "LAYOUT", 0, "the source, in global memory", 0},
    {"dst", KEY_DST, "LAYOUT", 0, "the destination, in global memory", 0},
    {"shared", KEY_SHARED, "LAYOUT", 0,
     "the side in shared memory: the destination with --src, the source with --dst", 0},
    {"shared-a", KEY_SHARED_A, "LAYOUT", 0, "tiled MMA: layout of A in shared memory", 0},
    {"shared-b", KEY_SHARED_B, "LAYOUT", 0, "the same for B", 0},
    {"shape", KEY_SHAPE, "SHAPE", 0, "the tensor's shape (default: the layout's)", 0},
    {"arch", KEY_ARCH, "ARCH", 0, "count by the rules of this architecture (default sm_90)", 0},
    {"json", KEY_JSON, NULL, 0, "print the verdicts as JSON", 0},
    {0},
};

static error_t check(struct argp_state *state, const arguments *a)
{
    const char *end = a->output ? strrchr(a->output, '.') : NULL;
    if (!a->expression) return ct_cli_wrong(state, "a tiled copy or a tiled MMA is missing");
    if (!a->output) return ct_cli_wrong(state, "-o FILE.html is missing");
    if (!end || strcmp(end, ".html") != 0)
        return ct_cli_wrong(state, "`%.200s` does not end in .html", a->output);
    if (a->src && a->dst && a->shared)
        return ct_cli_wrong(state, "a tiled copy has two sides: two of --src, --dst and --shared");
    return 0;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    arguments *a = state->input;
    switch (key) {
        case 'o': a->output = arg; return 0;
        case KEY_SRC: a->src = arg; return 0;
        case KEY_DST: a->dst = arg; return 0;
        case KEY_SHARED: a->shared = arg; return 0;
        case KEY_SHARED_A: a->operand[0] = arg; return 0;
        case KEY_SHARED_B: a->operand[1] = arg; return 0;
        case KEY_SHAPE: a->shape = arg; return 0;
        case KEY_ARCH: a->arch = arg; return 0;
        case KEY_JSON: a->json = 1; return 0;
        case ARGP_KEY_ARG:
            if (a->expression)
                return ct_cli_wrong(state, "one expression at a time; is it in quotes?");
            a->expression = arg;
            return 0;
        case ARGP_KEY_END: return check(state, a);
        default: return ARGP_ERR_UNKNOWN;
    }
}

const struct argp ct_report_argp = CT_ARGP(
    options, parse, "TILED_COPY|TILED_MMA",
    "Writes a page about a tiled copy: which thread holds which element, the sectors and banks "
    "of its first instruction, and the cost of all instructions. The verdicts say whether the "
    "accesses are coalesced, conflict-free and as wide as possible. For a tiled MMA the page "
    "shows which thread holds which elements of A, B and C. It also shows which ldmatrix or "
    "matrix descriptor reads A and B.\v"
    "  cutlet report 'tiled_copy(copy_atom(universal128, 16), (8,8):(8,1), (1,8):(8,1))' \\\n"
    "      --src '(8,64):(1024,1)' --shared 'Sw<3,3,3> o 0 o (8,64):(64,1)' -o copy.html\n"
    "\n"
    "  cutlet report 'tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2,1), <32,32,16>)' \\\n"
    "      --shared-a 'Sw<3,3,3> o 0 o (64,64):(64,1)' --shared-b '(64,64):(1,64)' -o mma.html\n"
    "\n"
    "The page is one self-contained HTML file without scripts, for light and dark themes. Costs "
    "are counted by the access model; no GPU is used. A side without a layout is in registers. A "
    "layout smaller than the tensor is a buffer that is reused for each tile.");

/* ---- the sides -------------------------------------------------------------------------------- */

/* Which side --shared is: the one that is not given; where neither is, what the atom does. */
static int shared_side(const arguments *a, const ct_copy_atom *atom)
{
    if (a->src || a->dst) return a->src != NULL;
    return atom->kind == CT_ATOM_STMATRIX || atom->kind == CT_ATOM_STMATRIX_TRANS ||
           atom->kind == CT_ATOM_CP_ASYNC_CA || atom->kind == CT_ATOM_CP_ASYNC_CG;
}

static int read_side(ct_report *r, int side, int global, const char *option, const char *text)
{
    ct_report_side *s = &r->side[side];
    if (!text) return CT_EXIT_OK;
    s->text = text;
    s->global = global;
    s->in.kind = ct_cli_access_of(&r->copy.atom, side, global);
    s->in.elem_bits = r->copy.atom.value_bits;
    if (ct_access_is_global(s->in.kind) != global) {
        ct_cli_complain("report", "%s: the %s of this atom is in %s memory", option,
                        ct_report_role(side), global ? "shared" : "global");
        return CT_EXIT_BAD;
    }
    const int status = ct_cli_memory("report", option, text, &s->in.memory);
    if (status != CT_EXIT_OK || !global || s->in.memory.swizzle.bits == 0) return status;
    ct_cli_complain("report", "%s is global memory, and this is swizzled: is it --shared?", option);
    return CT_EXIT_BAD;
}

static int read_sides(ct_report *r, const arguments *a)
{
    const int shared = shared_side(a, &r->copy.atom);
    int status = read_side(r, 0, 1, "--src", a->src);
    if (status == CT_EXIT_OK) status = read_side(r, 1, 1, "--dst", a->dst);
    if (status == CT_EXIT_OK) status = read_side(r, shared, 0, "--shared", a->shared);
    if (status != CT_EXIT_OK) return status;
    const char *from = a->src ? a->src : a->dst ? a->dst : a->shared;
    const int side = r->side[0].text == from ? 0 : 1;
    r->shape = ct_product_each(ct_shape(r->side[side].in.memory.layout));
    if (a->shape && ct_cli_tuple("report", "--shape", a->shape, &r->shape)) return CT_EXIT_BAD;
    return CT_EXIT_OK;
}

/* Whether the options fit what is reported. */
static int check_options(const arguments *a, int is_mma)
{
    const char *wrong = NULL;
    if (is_mma && (a->src || a->dst || a->shared || a->shape))
        wrong = "of a tiled MMA only --shared-a, --shared-b and --arch can be given";
    else if (!is_mma && (a->operand[0] || a->operand[1]))
        wrong = "--shared-a and --shared-b are for a tiled MMA";
    else if (!is_mma && !a->src && !a->dst && !a->shared)
        wrong = "where is the data? --src, --dst or --shared is missing";
    if (wrong) ct_cli_complain("report", "%s", wrong);
    return wrong ? CT_EXIT_BAD : CT_EXIT_OK;
}

/* The tiled copy, or the tiled MMA. An exit status, after a complaint. */
static int read_subject(const arguments *a, ct_report *r, ct_report_mma *m, int *is_mma)
{
    ct_value v;
    int status = ct_cli_evaluate("report", a->expression, &v);
    *is_mma = status == CT_EXIT_OK && (v.kind == CT_KIND_TILED_MMA || v.kind == CT_KIND_MMA_ATOM);
    if (status == CT_EXIT_OK && v.kind == CT_KIND_TILED_COPY) r->copy = v.as.copy;
    else if (*is_mma && v.kind == CT_KIND_TILED_MMA) m->mma = v.as.mma;
    else if (*is_mma) m->mma = ct_make_tiled_mma(v.as.mma_atom, ct_layout1(1, 0), ct_tiler0());
    else if (status == CT_EXIT_OK) {
        ct_cli_complain("report", "a report is about a tiled copy or a tiled MMA, not %s",
                        ct_kind_name(&v));
        status = CT_EXIT_BAD;
    }
    ct_value_free(&v);
    return status == CT_EXIT_OK ? check_options(a, *is_mma) : status;
}

/* Either page: the MMA's, or the copy's where m is NULL. */
static int write_page(const ct_report *r, const ct_report_mma *m, const char *path)
{
    ct_whole_file file;
    char error[CT_MESSAGE_BYTES] = "";
    int bad = ct_whole_open(&file, path, error);
    if (!bad &&
        (m ? ct_report_mma_page(file.stream, m, error) : ct_report_page(file.stream, r, error))) {
        ct_whole_abandon(&file);
        bad = 1;
    } else if (!bad) {
        bad = ct_whole_commit(&file, error);
    }
    if (bad) ct_cli_complain("report", "%s", error);
    return bad ? CT_EXIT_BAD : CT_EXIT_OK;
}

/* The verdicts, a line each. */
static void print_verdicts(FILE *stream, const ct_report *r)
{
    char verdict[64], words[CT_REPORT_WORDS];
    for (int side = 0; side < 2; ++side) {
        if (!r->side[side].text) continue;
        ct_report_memory(r, side, verdict, words, sizeof words);
        fprintf(stream, "%s: %s. %s\n", ct_report_role(side), verdict, words);
    }
    ct_report_width(r, verdict, words, sizeof words);
    fprintf(stream, "width: %s. %s\n", verdict, words);
    ct_report_print_advice(stream, r);
}

/* The verdicts as they are asked for; either report is NULL. An exit status. */
static int show(const arguments *a, const ct_report *r, const ct_report_mma *m)
{
    char *text = NULL;
    size_t size = 0;
    FILE *const stream = a->json ? open_memstream(&text, &size) : stdout;
    if (stream && r) print_verdicts(stream, r);
    else if (stream) ct_report_mma_print(stream, m);
    if (!a->json) return CT_EXIT_OK;
    int bad = !stream || fclose(stream) != 0;
    bad = bad || ct_json_print_lines(a->expression, a->output, text);
    free(text);
    if (bad) ct_cli_complain("report", "out of memory");
    return bad ? CT_EXIT_BAD : CT_EXIT_OK;
}

/* The report of a tiled copy. */
static int report_copy(const arguments *a, ct_report *r)
{
    char message[CT_MESSAGE_BYTES];
    int status = read_sides(r, a);
    if (status == CT_EXIT_OK && ct_report_count(r, message)) {
        const int bits = ct_report_allowed_bits(r);
        if (bits == 0) ct_cli_complain("report", "%s", message);
        else
            ct_cli_complain("report",
                            "%s; the layouts allow %d bits, and `cutlet explain copy` "
                            "shows what would allow more",
                            message, bits);
        status = CT_EXIT_BAD;
    }
    if (status == CT_EXIT_OK) status = write_page(r, NULL, a->output);
    return status == CT_EXIT_OK ? show(a, r, NULL) : status;
}

/* The report of a tiled MMA. */
static int report_mma(const arguments *a, ct_report_mma *m)
{
    static const char *const options_of[] = {"--shared-a", "--shared-b"};
    char message[CT_MESSAGE_BYTES];
    int status = CT_EXIT_OK;
    for (int k = 0; k < 2 && status == CT_EXIT_OK; ++k) {
        m->text[k] = a->operand[k];
        if (m->text[k]) status = ct_cli_memory("report", options_of[k], m->text[k], &m->shared[k]);
    }
    if (status == CT_EXIT_OK && ct_report_mma_count(m, message)) {
        ct_cli_complain("report", "%s", message);
        status = CT_EXIT_BAD;
    }
    if (status == CT_EXIT_OK) status = write_page(NULL, m, a->output);
    return status == CT_EXIT_OK ? show(a, NULL, m) : status;
}

int ct_cmd_report(int argc, char **argv)
{
    static ct_report_mma m;
    arguments a;
    ct_report r;
    int is_mma = 0;
    memset(&a, 0, sizeof a);
    memset(&r, 0, sizeof r);
    const int parsed = ct_cli_parse(&ct_report_argp, argc, argv, &a);
    if (parsed != 0) return ct_cli_finish("report", parsed < 0 ? CT_EXIT_BAD : CT_EXIT_OK);
    r.expression = m.expression = a.expression;
    r.rules = m.rules = ct_cli_rules("report", a.arch);
    int status = r.rules ? read_subject(&a, &r, &m, &is_mma) : CT_EXIT_BAD;
    if (status == CT_EXIT_OK) status = is_mma ? report_mma(&a, &m) : report_copy(&a, &r);
    return ct_cli_finish("report", status);
}
