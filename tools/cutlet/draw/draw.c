/* cutlet draw EXPR [-o FILE] */
#include <cutlet/host/draw.h>

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "../access/access.h"
#include "../common/cli.h"
#include "../common/commands.h"
#include "../common/json.h"
#include "../common/operands.h"
#include "../common/options.h"
#include "access.h"
#include "base/number.h"
#include "draw/from_value.h"
#include "text/extents.h"

typedef struct arguments {
    const char *expression, *output, *tile;
    int color; /* -1: where the terminal has it */
    int json;
    ct_draw_options draw;
    ct_draw_access access;
} arguments;

enum { KEY_TITLE = 256, KEY_THEME, KEY_COLOR, KEY_RUN, KEY_COLUMNS, KEY_CELLS, KEY_JSON };

static const struct argp_option options[] = {
    {"output", 'o', "FILE", 0,
     "write to FILE, in the format of its suffix: .svg, .tex or .txt (default: the terminal)", 0},
    {"tile", 't', "SHAPE", 0, "the expression is a thread-value layout over a tile of this shape",
     0},
    {"title", KEY_TITLE, "TEXT", 0, "the title of the picture", 0},
    {"theme", KEY_THEME, "auto|light|dark", 0,
     "the colours of an SVG; auto follows the reader's system (default auto)", 0},
    {"color", KEY_COLOR, "auto|always|never", 0, "colours in the terminal (default auto)", 0},
    {"run", KEY_RUN, "N", 0, "N consecutive offsets share a colour", 0},
    {"columns", KEY_COLUMNS, "N", 0,
     "wrap text after N columns (default: the width of the terminal)", 0},
    {"max-cells", KEY_CELLS, "N", 0,
     "draw the first N cells of a larger grid, and say what is left out (default 4096)", 0},
    {"json", KEY_JSON, NULL, 0, "print the picture's text as JSON", 0},
    {NULL, 0, NULL, 0, "cutlet draw access:", 1},
    {"kind", CT_KEY_KIND, CT_ACCESS_KIND_WORDS, 0, "the instruction (required)", 1},
    {"bits", CT_KEY_BITS, "N", 0,
     "bits per lane (default 128; with EXPR the widest up to 128 that it allows)", 1},
    {"lanes", CT_KEY_LANES, "LIST", 0,
     "the byte offset of each lane, comma-separated, - for an inactive lane (required without "
     "EXPR)",
     1},
    {"memory", CT_KEY_MEMORY, "LAYOUT", 0,
     "layout in memory of the data that EXPR, a tiled copy or a thread-value layout, accesses "
     "(required with EXPR)",
     1},
    {"type", CT_KEY_TYPE, "TYPE", 0,
     "the elements of a thread-value layout, for which it is required; `cutlet help types` lists "
     "them",
     1},
    {"warp", CT_KEY_WARP, "N", 0, "which warp of EXPR (default 0)", 1},
    {"instruction", CT_KEY_INSTRUCTION, "N", 0, "which instruction of that warp (default 0)", 1},
    {"swizzle", CT_KEY_SWIZZLE, "SW", 0,
     "draw the access before and after this swizzle, of bytes or of the elements of --memory", 1},
    {"arch", CT_KEY_ARCH, "ARCH", 0, "count by the rules of this architecture (default sm_90)", 1},
    {0},
};

static error_t parse_style(int key, char *arg, struct argp_state *state)
{
    arguments *a = state->input;
    int64_t n = 0;
    switch (key) {
        case KEY_THEME:
            a->draw.theme = ct_cli_choice(state, key, arg);
            return a->draw.theme < 0 ? EINVAL : 0;
        case KEY_COLOR: a->color = ct_cli_choice(state, key, arg); return a->color < 0 ? EINVAL : 0;
        case KEY_RUN:
            if (ct_number_read(arg, 1, 1 << 20, &n))
                return ct_cli_wrong(state, "--run takes a number, not `%.40s`", arg);
            a->draw.run = (int32_t)n;
            return 0;
        case KEY_COLUMNS:
            if (ct_number_read(arg, 1, 1 << 20, &n))
                return ct_cli_wrong(state, "--columns takes a number, not `%.40s`", arg);
            a->draw.text_columns = (int32_t)n;
            return 0;
        case KEY_CELLS:
            if (ct_number_read(arg, 1, CT_DRAW_CELLS_MAX, &n))
                return ct_cli_wrong(state, "--max-cells takes a number up to %d, not `%.40s`",
                                    CT_DRAW_CELLS_MAX, arg);
            a->draw.max_cells = n;
            return 0;
        default: return ARGP_ERR_UNKNOWN;
    }
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    arguments *a = state->input;
    switch (key) {
        case 'o': a->output = arg; return 0;
        case 't': a->tile = arg; return 0;
        case KEY_TITLE: a->draw.title = arg; return 0;
        case KEY_JSON: a->json = 1; return 0;
        case ARGP_KEY_ARG:
            if (!a->expression && !a->access.wanted && strcmp(arg, "access") == 0) {
                a->access.wanted = 1;
                return 0;
            }
            if (a->expression)
                return ct_cli_wrong(state, "one expression at a time; is it in quotes?");
            a->expression = arg;
            return ct_cli_nearly_word(state, arg);
        case ARGP_KEY_END:
            if (!a->expression && !a->access.wanted)
                return ct_cli_wrong(state,
                                    "an expression is missing, as in: cutlet draw '(8,8):(8,1)'");
            if (a->output && ct_draw_format_of(a->output) < 0)
                return ct_cli_wrong(state, "`%.200s` ends in none of .svg, .tex and .txt",
                                    a->output);
            return ct_draw_access_check(state, &a->access, a->expression);
        default:
            if (key >= CT_KEY_KIND && key <= CT_KEY_ARCH)
                return ct_draw_access_parse(key, arg, state, &a->access);
            return parse_style(key, arg, state);
    }
}

const struct argp ct_draw_argp = CT_ARGP(
    options, parse,
    "EXPR\naccess --kind KIND --lanes LIST\naccess --kind KIND --memory LAYOUT EXPR\n"
    "redistribute --from SHARDED --to SHARDED --shape SHAPE",
    "Draws a layout, a thread-value layout, a tiled copy, a matrix instruction, a tiled MMA or "
    "one memory access of a warp: to a file, or as coloured text in the terminal.\v"
    "  cutlet draw '(8,8):(8,1)'\n"
    "  cutlet draw 'Sw<2,0,3> o 0 o (8,8):(8,1)' -o swizzled.svg\n"
    "  cutlet draw 'tiled_copy(copy_atom(universal64, 16), (4,8), (1,4))' -o copy.svg\n"
    "  cutlet draw --tile '(4,8)' '((2,4),(2,2)):((8,1),(4,16))' -o tv.tex\n"
    "  cutlet draw access --kind lds --bits 32 --lanes 0,128,256,384 -o banks.svg\n"
    "  cutlet draw access --kind lds --type half --memory '(32,64):(64,1)' \\\n"
    "      --swizzle 'Sw<3,3,3>' '(32,8):(1,32)' -o swizzle.svg\n"
    "\n"
    "A layout is drawn as a grid of offsets; a thread-value layout, with --tile, as the thread "
    "and value that hold each element of the tile; a tiled copy as its source beside its "
    "destination; a matrix instruction or a tiled MMA as the threads and values that hold A, B "
    "and C; "
    "a shared-memory access as lanes by banks, coloured by wavefront; a global-memory access as "
    "the sectors that it moves; with `redistribute` and the options of `cutlet redistribute`, who "
    "sends how many bytes to whom. An SVG is self-contained. The file is replaced as a whole or not "
    "at all.");

static ct_picture *make_picture(const arguments *a, const ct_value *v, char *error)
{
    ct_tuple tile;
    ct_diag diag;
    if (!a->tile) return ct_picture_value(v, NULL, &a->draw, error);
    if (ct_extents_read(a->tile, &tile, &diag) == 0)
        return ct_picture_value(v, &tile, &a->draw, error);
    snprintf(error, CT_MESSAGE_BYTES, "--tile %.100s: %.160s", a->tile, diag.message);
    return NULL;
}

/* The columns of the terminal that is written to; 0 where there is none. */
static int terminal_columns(void)
{
    struct winsize w;
    return isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) == 0 ? w.ws_col : 0;
}

/* The lines of the picture as JSON. */
static int print_json(const arguments *a, const ct_picture *p, char *error)
{
    char *const text = ct_picture_render(p, CT_DRAW_PLAIN, &a->draw, error);
    if (!text) return -1;
    const int bad = ct_json_print_lines(a->expression ? a->expression : "access", a->output, text);
    if (bad) snprintf(error, CT_MESSAGE_BYTES, "out of memory");
    free(text);
    return bad;
}

/* Shows the picture and frees it. */
static int show(arguments *a, ct_picture *p)
{
    static const int formats[3] = {-1, CT_DRAW_ANSI256, CT_DRAW_PLAIN};
    char error[CT_MESSAGE_BYTES] = "";
    const int format = a->color > 0 ? formats[a->color] : ct_draw_format_for(stdout);
    if (!a->output && a->draw.text_columns == 0) a->draw.text_columns = terminal_columns();
    int bad = 0;
    if (a->output) bad = ct_picture_write(p, a->output, &a->draw, error) != CT_OK;
    if (!bad && a->json) bad = print_json(a, p, error);
    else if (!a->output) bad = ct_picture_print(p, stdout, format, &a->draw, error) != CT_OK;
    ct_picture_free(p);
    if (bad) ct_cli_complain("draw", "%s", error);
    return bad ? CT_EXIT_BAD : CT_EXIT_OK;
}

static int draw_access(arguments *a)
{
    ct_picture *p = NULL;
    const int status = ct_draw_access_picture(&a->access, a->expression, &a->draw, &p);
    return status == CT_EXIT_OK ? show(a, p) : status;
}

static int draw_expression(arguments *a)
{
    char error[CT_MESSAGE_BYTES] = "";
    ct_value v;
    int status = ct_cli_evaluate("draw", a->expression, &v);
    if (status == CT_EXIT_OK && ct_cli_as_layout("draw", &v)) status = CT_EXIT_BAD;
    if (status == CT_EXIT_OK) {
        ct_picture *p = make_picture(a, &v, error);
        if (!p) ct_cli_complain("draw", "%s", error);
        status = p ? show(a, p) : CT_EXIT_BAD;
    }
    ct_value_free(&v);
    return status;
}

int ct_cmd_draw(int argc, char **argv)
{
    arguments a;
    if (argc > 1 && strcmp(argv[1], "redistribute") == 0)
        return ct_cmd_draw_redistribute(argc - 1, argv + 1);
    memset(&a, 0, sizeof a);
    a.draw.truncate = 1;
    const int parsed = ct_cli_parse(&ct_draw_argp, argc, argv, &a);
    if (parsed != 0) return ct_cli_finish("draw", parsed < 0 ? CT_EXIT_BAD : CT_EXIT_OK);
    return ct_cli_finish("draw", a.access.wanted ? draw_access(&a) : draw_expression(&a));
}
