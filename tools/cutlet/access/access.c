/* cutlet access: what accesses cost, given as lanes, as a file of them, or as layouts. */
#include "access.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../common/cli.h"
#include "../common/commands.h"
#include "../common/options.h"
#include "base/number.h"
#include "io/types.h"

/* clang-format off */
enum { KEY_KIND = 256, KEY_BITS, KEY_LANES, KEY_SHARED, KEY_BATCH, KEY_TYPE, KEY_ELEM_BITS,
       KEY_MEMORY, KEY_SRC, KEY_DST, KEY_SHAPE, KEY_BASE, KEY_DST_BASE, KEY_SRC_KIND, KEY_DST_KIND,
       KEY_ARCH, KEY_LIST, KEY_JSON, KEY_CONFLICTS, KEY_EFFICIENCY, KEY_READ };
/* clang-format on */

static const struct argp_option options[] = {
    {"kind", KEY_KIND, CT_ACCESS_KIND_WORDS, 0,
     "the instruction; ldgsts and ldgsts.bypass are cp.async.ca and .cg (required, except for a "
     "tiled copy and --batch)",
     0},
    {"read", KEY_READ, CT_ACCESS_READ_WORDS, 0,
     "EXPR is the layout of a tile in shared memory, (m,n) -> offset: what it costs a warp to read "
     "it, with consecutive lanes along a row, along a column, or by ldmatrix",
     0},
    {"bits", KEY_BITS, "N", 0,
     "bits per lane: 8 to 128, in global memory also 256 (required with --lanes; default for "
     "layouts: the widest up to 128 that they allow)",
     0},
    {"lanes", KEY_LANES, "O,O,..", 0,
     "count one instruction of a warp: the byte offset of each lane, - for an inactive lane; "
     "lanes that are not given are inactive",
     0},
    {"shared-lanes", KEY_SHARED, "O,O,..", 0, "the bytes of shared memory that ldgsts writes to",
     0},
    {"batch", KEY_BATCH, "FILE", 0,
     "count each row of a table and compare it with the row's counters; - is standard input", 0},
    {"type", KEY_TYPE, "TYPE", 0,
     "the elements of a thread-value layout, for which this or --elem-bits is required; `cutlet "
     "help types` lists them",
     0},
    {"elem-bits", KEY_ELEM_BITS, "N", 0, "their size in bits instead: 4, 6, 8, 16, 32, 64 or 128",
     0},
    {"memory", KEY_MEMORY, "LAYOUT", 0,
     "layout in memory of the elements of a thread-value layout (default: contiguous)", 0},
    {"src", KEY_SRC, "LAYOUT", 0,
     "layout in memory of a tiled copy's source; of a thread-value layout, --memory of a load", 0},
    {"dst", KEY_DST, "LAYOUT", 0, "layout in memory of the destination, or --memory of a store", 0},
    {"shape", KEY_SHAPE, "SHAPE", 0,
     "the tensor that is copied (default: the shape of the source of cp.async, of the side that "
     "is not swizzled, or of the larger one)",
     0},
    {"base", KEY_BASE, "BYTES", 0,
     "start of --memory or --src, in bytes past a multiple of 1024 (default 0)", 0},
    {"dst-base", KEY_DST_BASE, "BYTES", 0, "start of --dst (default 0)", 0},
    {"src-kind", KEY_SRC_KIND, "ldg|lds", 0,
     "how a universal atom loads (default lds where the source is swizzled or smaller than the "
     "tensor, otherwise ldg)",
     0},
    {"dst-kind", KEY_DST_KIND, "stg|sts", 0, "how it stores (default sts or stg, likewise)", 0},
    {"arch", KEY_ARCH, "ARCH", 0, "the architecture (default sm_90); `list` lists the known ones",
     0},
    {"list", KEY_LIST, NULL, 0, "also print each instruction of each warp, with its lanes", 0},
    {"json", KEY_JSON, NULL, 0, "print JSON", 0},
    {"max-conflicts", KEY_CONFLICTS, "N", 0,
     "fail with exit status 1 if a side has more bank conflicts", 0},
    {"min-efficiency", KEY_EFFICIENCY, "X", 0,
     "fail if the efficiency of a side is lower, 0 to 1: bytes used / bytes moved in global "
     "memory, ideal / actual wavefronts in shared memory",
     0},
    {0},
};

/* A kind by one of its words, or by another of its names. */
static error_t set_kind(struct argp_state *state, int key, const char *arg, int32_t *to)
{
    *to = ct_access_kind_named(arg);
    if (*to >= 0) return 0;
    ct_cli_choice(state, key, arg);
    return EINVAL;
}

static error_t set_bits(struct argp_state *state, const char *option, const char *arg, int least,
                        int32_t *to)
{
    int64_t n = 0;
    if (ct_number_read(arg, least, 256, &n))
        return ct_cli_wrong(state, "%s takes a number of bits, %d to 256, not `%.40s`", option,
                            least, arg);
    *to = (int32_t)n;
    return 0;
}

static error_t set_bytes(struct argp_state *state, const char *option, const char *arg, int64_t *to)
{
    if (ct_number_read(arg, 0, INT64_MAX / 8, to) == 0) return 0;
    return ct_cli_wrong(state, "%s takes a number of bytes, 0 or more, not `%.40s`", option, arg);
}

static error_t set_arch(struct argp_state *state, const char *arg, ct_access_arguments *a)
{
    a->rules = strcmp(arg, "list") == 0 ? NULL : ct_access_rules_named(arg);
    if (a->rules || strcmp(arg, "list") == 0) return 0;
    return ct_cli_wrong(state,
                        "--arch: there are no rules for `%.40s`; `cutlet access --arch list` "
                        "lists those that there are",
                        arg);
}

static error_t set_type(struct argp_state *state, const char *arg, int32_t *bits)
{
    char why[CT_MESSAGE_BYTES];
    ct_named_type type;
    if (ct_packed_type_read(arg, &type, why))
        return ct_cli_wrong(state, "--type: %s; --elem-bits takes the bits of any", why);
    *bits = type.bits;
    return 0;
}

/* The numbers. */
static error_t parse_number(int key, char *arg, struct argp_state *state)
{
    ct_access_arguments *a = state->input;
    char *end = NULL;
    switch (key) {
        case KEY_KIND: return set_kind(state, key, arg, &a->kind);
        case KEY_READ:
            a->read = ct_cli_choice(state, key, arg);
            if (a->read == CT_READ_COUNT) a->read = CT_READ_COLS;
            return a->read < 0 ? EINVAL : 0;
        case KEY_SRC_KIND: return set_kind(state, key, arg, &a->src_kind);
        case KEY_DST_KIND: return set_kind(state, key, arg, &a->dst_kind);
        case KEY_BITS: return set_bits(state, "--bits", arg, 8, &a->bits);
        case KEY_ELEM_BITS: return set_bits(state, "--elem-bits", arg, 4, &a->elem_bits);
        case KEY_BASE: return set_bytes(state, "--base", arg, &a->base);
        case KEY_DST_BASE: return set_bytes(state, "--dst-base", arg, &a->dst_base);
        case KEY_TYPE: return set_type(state, arg, &a->elem_bits);
        case KEY_CONFLICTS:
            if (ct_number_read(arg, 0, INT64_MAX / 8, &a->max_conflicts) == 0) return 0;
            return ct_cli_wrong(state, "--max-conflicts takes 0 or more, not `%.40s`", arg);
        case KEY_EFFICIENCY:
            a->min_efficiency = strtod(arg, &end);
            if (end != arg && !*end && a->min_efficiency >= 0 && a->min_efficiency <= 1) return 0;
            return ct_cli_wrong(state, "--min-efficiency takes 0 to 1, not `%.40s`", arg);
        default: return ARGP_ERR_UNKNOWN;
    }
}

/* One of three forms: lanes, a file, an expression. */
static error_t check(const ct_access_arguments *a, struct argp_state *state)
{
    if (!a->rules) return 0; /* --arch list */
    if (!!a->lanes + !!a->batch + !!a->expression != 1)
        return ct_cli_wrong(state, "give one of --lanes, --batch and an expression; see `cutlet "
                                   "access --help`");
    if (a->lanes && a->kind < 0) return ct_cli_wrong(state, "--kind is missing");
    const int is_async = a->kind == CT_ACCESS_LDGSTS || a->kind == CT_ACCESS_LDGSTS_CG;
    if (a->lanes && a->bits < 0 && ct_access_has_width(a->kind, 64))
        return ct_cli_wrong(state, "--bits is missing");
    if (a->shared_lanes && !(a->lanes && is_async))
        return ct_cli_wrong(state, "--shared-lanes is for --lanes of ldgsts");
    if (!a->expression &&
        (a->memory || a->src || a->dst || a->shape || a->elem_bits > 0 || a->list || a->base ||
         a->dst_base || a->src_kind >= 0 || a->dst_kind >= 0 || a->read >= 0))
        return ct_cli_wrong(state,
                            "--memory, --read, --src, --dst, --shape, --type, --elem-bits, --base, "
                            "--dst-base, --src-kind, --dst-kind and --list are for layouts");
    if (a->batch &&
        (a->kind >= 0 || a->bits > 0 || a->json || a->max_conflicts >= 0 || a->min_efficiency > 0))
        return ct_cli_wrong(state, "--batch takes no other option than --arch");
    return 0;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    ct_access_arguments *a = state->input;
    switch (key) {
        case KEY_LANES: a->lanes = arg; return 0;
        case KEY_SHARED: a->shared_lanes = arg; return 0;
        case KEY_BATCH: a->batch = arg; return 0;
        case KEY_MEMORY: a->memory = arg; return 0;
        case KEY_SRC: a->src = arg; return 0;
        case KEY_DST: a->dst = arg; return 0;
        case KEY_SHAPE: a->shape = arg; return 0;
        case KEY_ARCH: return set_arch(state, arg, a);
        case KEY_LIST: a->list = 1; return 0;
        case KEY_JSON: a->json = 1; return 0;
        case ARGP_KEY_ARG:
            if (a->expression)
                return ct_cli_wrong(state, "one expression at a time; is it in quotes?");
            a->expression = arg;
            return 0;
        case ARGP_KEY_END: return check(a, state);
        default: return parse_number(key, arg, state);
    }
}

const struct argp ct_access_argp = CT_ARGP(
    options, parse, "[EXPR]",
    "Counts what memory accesses cost, as a GPU's counters do: requests and 32-byte sectors in "
    "global memory, wavefronts and bank conflicts in shared memory.\v"
    "One instruction of a "
    "warp, from the byte offsets of its lanes:\n"
    "\n"
    "  cutlet access --kind lds --bits 32 --lanes 0,128,256,384\n"
    "  cutlet access --kind ldgsts --bits 128 --lanes 0,16,32 --shared-lanes 0,128,256\n"
    "\n"
    "prints one line: requests, sectors, wavefronts, ideal and conflicts; a number that does not "
    "apply is 0. The ideal number of wavefronts moves 128 bytes in each. For a thread-value "
    "layout, (thread, value) -> index of --memory, or a tiled copy, it prints the input as read, a "
    "verdict, and a table with a row for each side:\n"
    "\n"
    "  cutlet access '(64,64):(64,1)' --read columns --type half\n"
    "  cutlet access '((4,8),8):((512,8),64)' --kind lds --type half\n"
    "  cutlet access 'tiled_copy(copy_atom(universal128,16), (16,8):(8,1), (1,8):(1,1))' \\\n"
    "      --src '(512,512):(512,1)' --dst 'Sw<3,3,3> o 0 o (16,64):(64,1)'\n"
    "\n"
    "A side that is shorter than the tensor is a buffer that is reused for each tile. Lanes that "
    "are out of bounds are inactive, and an access that crosses the edge is made element by "
    "element. The two sides of a cp.async are counted together (with --list each instruction by "
    "itself). When its lanes conflict, the counts are lower bounds: a line says so, and "
    "--max-conflicts and --min-efficiency fail.\n"
    "\n"
    "The columns: instr counts warp instructions, lines 128-byte lines; used is bytes used / "
    "bytes moved, /ideal is wavefronts / ideal wavefronts.\n"
    "\n"
    "--batch reads tab-separated rows: kind, bits, lanes, shared lanes, requests, sectors, "
    "wavefronts, conflicts. The last five may be empty. Kinds may share "
    "a row, as ldg,lds,sts: the counters of each memory are those of its kinds. A comment `# columns: kind bits lanes "
    "shared requests sectors wavefronts conflicts ideal` names other columns; columns of other "
    "names are ignored. ~ marks a counter that varied. A row that differs is printed with "
    "both counts. A row without counters is printed and neither passes nor fails.\n"
    "\n"
    "The rules of sm_90 were measured with the counters of an H200; other architectures are "
    "assumed to follow them (--arch list). The exit status is 0; 1 when a row or a limit fails, "
    "or when the layouts allow no such access; 2 when the input cannot be read.");

static int list_rules(void)
{
    int count = 0;
    const ct_access_rules *all = ct_access_rules_all(&count);
    for (int i = 0; i < count; ++i) {
        if (all[i].measured_on) printf("%-8s measured on %s\n", all[i].arch, all[i].measured_on);
        else printf("%-8s not measured, assumed to follow %s\n", all[i].arch, all[0].arch);
    }
    return CT_EXIT_OK;
}

int ct_cmd_access(int argc, char **argv)
{
    ct_access_arguments a = {.kind = -1,
                             .read = -1,
                             .src_kind = -1,
                             .dst_kind = -1,
                             .bits = -1,
                             .elem_bits = -1,
                             .max_conflicts = -1,
                             .rules = ct_access_rules_all(&(int){0})};
    const int parsed = ct_cli_parse(&ct_access_argp, argc, argv, &a);
    if (parsed != 0) return ct_cli_finish("access", parsed < 0 ? CT_EXIT_BAD : CT_EXIT_OK);
    const int status = !a.rules  ? list_rules()
                       : a.lanes ? ct_access_run_lanes(&a)
                       : a.batch ? ct_access_run_batch(&a)
                                 : ct_access_run_layout(&a);
    return ct_cli_finish("access", status);
}
