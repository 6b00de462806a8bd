/* cutlet convert --to SYSTEM TEXT */
#include <cutlet/host/convert.h>

#include <stdlib.h>
#include <string.h>

#include "common/cli.h"
#include "common/commands.h"
#include "common/json.h"
#include "common/operands.h"
#include "common/options.h"
#include "io/types.h"
#include "text/nearest.h"

enum { KEY_FROM = 256, KEY_TO, KEY_SHAPE, KEY_TYPE, KEY_SAME, KEY_JSON };

static const struct argp_option options[] = {
    {"to", KEY_TO, "SYSTEM", 0, "the system to write (required without --same)", 0},
    {"from", KEY_FROM, "SYSTEM", 0, "the system of TEXT (default: the one that it looks like)", 0},
    {"shape", KEY_SHAPE, "SHAPE", 0,
     "the shape of the tensor, for Triton's encodings, which do not have it", 0},
    {"type", KEY_TYPE, "TYPE", 0,
     "the type of the elements, for strides in bytes and nvmma_shared; `cutlet help types` lists "
     "the types",
     0},
    {"same", KEY_SAME, NULL, 0, "compare two texts, of any systems, as functions", 0},
    {"json", KEY_JSON, NULL, 0, "print JSON", 0},
    {0},
};

typedef struct arguments {
    ct_convert_options o;
    char *text[2];
    int count, same, json;
} arguments;

/* The system of a name, or of an encoding's name alone. */
static int system_of(const char *name)
{
    const char *known;
    for (int i = 1; (known = ct_system_name(i, NULL)); ++i)
        if (strcmp(known, name) == 0) return i;
    return 0;
}

static error_t no_system(struct argp_state *state, const char *option, const char *name)
{
    const char *known;
    char ask[CT_NEAREST_BYTES];
    ct_nearest near = {.word = name};
    for (int i = 1; (known = ct_system_name(i, NULL)); ++i) ct_nearest_try(&near, known);
    return ct_cli_wrong(state,
                        "%s: there is no system `%.40s`%s; `cutlet convert --help` lists "
                        "them",
                        option, name, ct_nearest_ask(&near, ask));
}

static error_t read_system(struct argp_state *state, const char *option, const char *name,
                           int32_t *out)
{
    *out = system_of(name);
    if (*out == 0) return no_system(state, option, name);
    if (*out == CT_SYSTEM_TRITON && strcmp(option, "--to") == 0)
        return ct_cli_wrong(state,
                            "--to triton: which encoding? triton-blocked, triton-linear, "
                            "triton-swizzled_shared, triton-nvmma_shared or triton-shared_linear");
    return 0;
}

static error_t read_shape(struct argp_state *state, const char *text, ct_convert_options *o)
{
    ct_tuple shape;
    if (ct_cli_tuple(state->name, "--shape", text, &shape)) return EINVAL;
    if (shape.profile.leaves > CT_CONVERT_RANK)
        return ct_cli_wrong(state, "--shape has up to %d extents", CT_CONVERT_RANK);
    o->rank = shape.profile.leaves;
    for (int d = 0; d < o->rank; ++d) o->shape[d] = shape.value[d];
    return 0;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    arguments *a = state->input;
    ct_named_type type;
    char why[CT_MESSAGE_BYTES];
    switch (key) {
        case KEY_FROM: return read_system(state, "--from", arg, &a->o.from);
        case KEY_TO: return read_system(state, "--to", arg, &a->o.to);
        case KEY_SHAPE: return read_shape(state, arg, &a->o);
        case KEY_JSON: a->json = 1; return 0;
        case KEY_SAME: a->same = 1; return 0;
        case KEY_TYPE:
            if (ct_named_type_read(arg, &type, why)) return ct_cli_wrong(state, "--type: %s", why);
            a->o.element_bits = type.bits;
            return 0;
        case ARGP_KEY_ARG:
            if (a->count == 2) return ct_cli_wrong(state, "more than two texts");
            a->text[a->count++] = arg;
            return 0;
        case ARGP_KEY_END:
            if (a->same && a->o.to)
                return ct_cli_wrong(state, "--same compares, and --to converts");
            if (a->same && a->count != 2)
                return ct_cli_wrong(state, "--same takes two texts, as in: cutlet convert --same "
                                           "'(4,8):(8,1)' 'shape=(4, 8)'");
            if (!a->same && !a->o.to)
                return ct_cli_wrong(state, "--to is missing, as in: cutlet convert --to cute "
                                           "'(4,8):(8,1)'");
            if (!a->same && a->count != 1)
                return ct_cli_wrong(state, "%s",
                                    a->count ? "a second text; --same compares two"
                                             : "a text is missing, as in: cutlet convert --to cute "
                                               "'(4,8):(8,1)'");
            return 0;
        default: return ARGP_ERR_UNKNOWN;
    }
}

const struct argp ct_convert_argp = CT_ARGP(
    options, parse, "TEXT",
    "Writes the layout of one system in another, exactly, or says why that has no such "
    "layout.\v"
    "  cutlet convert --to cute '(4,8):(8,1)'\n"
    "  cutlet convert --to cutlet 'Layout<Shape<_4,Int<8>>,Stride<Int<8>,_1>>'\n"
    "  cutlet convert --to cutlet --shape 64x64 '#ttg.blocked<{sizePerThread = [1, 4], "
    "threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>'\n"
    "  cutlet convert --to triton-nvmma_shared --type half 'Sw<3,3,3> o 0 o (64,64):(64,1)'\n"
    "  cutlet convert --to numpy --type half 'std::layout_left::mapping<std::extents<int, 4, 8>>'\n"
    "  cutlet convert --same '(_4,_8):(_8,_1)' 'shape=(4, 8), strides=(16, 2), itemsize=2'\n"
    "\n"
    "The systems are cutlet, whose notation `cutlet help notation` explains, and\n"
    "\n"
    "  cute                   C++: Layout<Shape<_4,_8>,Stride<_8,_1>>; reads make_layout(..) too\n"
    "  cute-print             what C++ prints: (_4,_8):(_8,_1)\n"
    "  cute-dsl               Python: cute.make_layout((4, 8), stride=(8, 1))\n"
    "  cute-ir                !cute.layout<\"(4,8):(8,1)\">\n"
    "  triton-blocked         #ttg.blocked<{..}>, or tensor<64x64xf16, #ttg.blocked<{..}>>\n"
    "  triton-linear          #ttg.linear<{register = [[0, 1]], lane = .., warp = .., "
    "block = ..}>\n"
    "  triton-swizzled_shared #ttg.swizzled_shared<{..}>\n"
    "  triton-nvmma_shared    #ttg.nvmma_shared<{..}>\n"
    "  triton-shared_linear   #ttg.shared_linear<{offset = [[0, 1]]}, alignment = 16>\n"
    "  triton                 any of these, to read; #ttg.padded_shared<[64:+8] {..}> too\n"
    "  mdspan                 layout_left, layout_right or layout_stride\n"
    "  mdspan-padded          layout_left_padded or layout_right_padded\n"
    "  numpy                  shape=(4, 8), strides=(16, 2), itemsize=2\n"
    "\n"
    "Blocked and linear encodings are thread-value layouts, ((lane,warp),register) -> index in "
    "the tensor, its first dimension fastest; several blocks are a third mode. The way back has "
    "32 threads in a warp. The others map coordinates to offsets in elements. --same prints true, "
    "or false and where the two differ. The exit status is 0; 1 when the system has no such "
    "layout or --same is false; 2 when a text or an option cannot be read.");

/* Complains with the place in the text, where the complaint has one. An exit status. */
static int complain(ct_status bad, const char *text, const ct_diag *diag)
{
    fflush(stdout);
    if (bad == CT_E_TEXT && text) ct_cli_complain_at("convert", text, diag);
    else ct_cli_complain("convert", "%s", diag->message);
    return bad == CT_E_ARGUMENT ? CT_EXIT_BAD : ct_cli_exit_of(bad);
}

/* Prints an object and drops it. An exit status. */
static int print_json(json_t *root, int status)
{
    const int bad = ct_json_write(stdout, root, JSON_INDENT(2));
    json_decref(root);
    if (bad) ct_cli_complain("convert", "out of memory");
    return bad ? CT_EXIT_BAD : status;
}

static int compare(const arguments *a)
{
    ct_diag diag;
    int same, failed;
    const ct_status bad = ct_same_layout(a->text[0], a->text[1], &a->o, &same, &failed, &diag);
    if (bad) return complain(bad, failed < 0 ? NULL : a->text[failed], &diag);
    const int status = same ? CT_EXIT_OK : CT_EXIT_FAILED;
    if (a->json)
        return print_json(
            json_pack("{s:b, s:s?}", "same", same, "difference", same ? NULL : diag.message),
            status);
    if (same) puts("true");
    else printf("false: %s\n", diag.message);
    return status;
}

static int convert(const arguments *a)
{
    ct_diag diag;
    char text[CT_CONVERT_BYTES];
    const ct_status bad = ct_convert_layout(a->text[0], &a->o, text, &diag);
    if (bad) return complain(bad, a->text[0], &diag);
    if (a->json)
        return print_json(json_pack("{s:s, s:s, s:s}", "text", a->text[0], "to",
                                    ct_system_name(a->o.to, NULL), "layout", text),
                          CT_EXIT_OK);
    puts(text);
    return CT_EXIT_OK;
}

int ct_cmd_convert(int argc, char **argv)
{
    arguments a;
    memset(&a, 0, sizeof a);
    const int parsed = ct_cli_parse(&ct_convert_argp, argc, argv, &a);
    if (parsed) return parsed < 0 ? CT_EXIT_BAD : CT_EXIT_OK;
    return ct_cli_finish("convert", a.same ? compare(&a) : convert(&a));
}
