/* cutlet relayout IN.npy OUT.npy: the elements of an array moved to another layout. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../common/cli.h"
#include "../common/commands.h"
#include "../common/json.h"
#include "../common/options.h"
#include "base/clock.h"
#include "base/number.h"
#include <cutlet/host/npy.h>
#include "guard.h"
#include "relayout/relayout.h"

/* clang-format off */
enum { KEY_FROM = 256, KEY_TO, KEY_SHAPE, KEY_BACKEND, KEY_EFFORT, KEY_TYPE, KEY_VERIFY,
       KEY_INVERSE, KEY_MEMORY, KEY_PROGRESS, KEY_JSON };
/* clang-format on */

static const struct argp_option options[] = {
    {"to", KEY_TO, "LAYOUT", 0,
     "the new layout: c, f, tiled:128x64, swizzled:B,M,S or a layout (required)", 0},
    {"from", KEY_FROM, "LAYOUT", 0,
     "the layout of the input, in the same words (default: the order stored in the file)", 0},
    {"inverse", KEY_INVERSE, NULL, 0, "exchange --to and --from, which undoes a relayout", 0},
    {"shape", KEY_SHAPE, "SHAPE", 0,
     "the shape of the array, for flat input (with --inverse or --from LAYOUT)", 0},
    {"type", KEY_TYPE, "TYPE", 0, "convert to half, float, double or int8 (default: no conversion)",
     0},
    {"backend", KEY_BACKEND, "auto|cpu|grid|cuda", 0, "where to run; auto is cpu (default auto)",
     0},
    {"effort", KEY_EFFORT, "estimate|measure", 0, "measure: time the candidates (default estimate)",
     0},
    {"memory", KEY_MEMORY, "SIZE", 0,
     "at most this much memory for elements, such as 512K or 4G (default 1G, or half of the "
     "machine's memory if less)",
     0},
    {"verify", KEY_VERIFY, NULL, 0,
     "check every element before the output is renamed into "
     "place",
     0},
    {"progress", KEY_PROGRESS, NULL, 0,
     "print progress (on a terminal: by default after a "
     "second)",
     0},
    {"json", KEY_JSON, NULL, 0, "print JSON", 0},
    {0},
};

/* What the command line says. */
typedef struct asked {
    ct_relayout_options options;
    int progress, json;
} asked;

static error_t parse(int key, char *arg, struct argp_state *state)
{
    asked *const a = state->input;
    ct_relayout_options *const o = &a->options;
    switch (key) {
        case KEY_FROM: o->from = arg; return 0;
        case KEY_TO: o->to = arg; return 0;
        case KEY_SHAPE: o->shape = arg; return 0;
        case KEY_TYPE: o->type = arg; return 0;
        case KEY_VERIFY: o->verify = 1; return 0;
        case KEY_INVERSE: o->inverse = 1; return 0;
        case KEY_PROGRESS: a->progress = 1; return 0;
        case KEY_JSON: a->json = 1; return 0;
        case KEY_BACKEND:
            o->backend = ct_cli_choice(state, key, arg);
            return o->backend < 0 ? EINVAL : 0;
        case KEY_EFFORT:
            o->effort = ct_cli_choice(state, key, arg);
            return o->effort < 0 ? EINVAL : 0;
        case KEY_MEMORY:
            if (ct_bytes_read(arg, &o->memory) == 0) return 0;
            return ct_cli_wrong(state, "--memory is as 512M or 4G, not `%.40s`", arg);
        case ARGP_KEY_ARG:
            if (o->output) return ct_cli_wrong(state, "one input and one output");
            if (strcmp(arg, "-") == 0)
                return ct_cli_wrong(state, "-: a file is needed, not a stream: blocks are read and "
                                           "written in any order");
            *(o->input ? &o->output : &o->input) = arg;
            return 0;
        case ARGP_KEY_END:
            if (!o->output)
                return ct_cli_wrong(state, "an input and an output are needed: IN.npy OUT.npy");
            return o->to ? 0
                         : ct_cli_wrong(state, "--to is missing: where are the elements to go?");
        default: return ARGP_ERR_UNKNOWN;
    }
}

const struct argp ct_relayout_argp = CT_ARGP(
    options, parse, "IN.npy OUT.npy",
    "Moves the elements of a NumPy array to another layout.\v"
    "  cutlet compare --rows 512 --cols 256 --output A.npy      # a matrix to try\n"
    "  cutlet relayout A.npy B.npy --to f\n"
    "  cutlet relayout A.npy tiles.npy --to tiled:128x64 --verify\n"
    "  cutlet relayout tiles.npy A.npy --to tiled:128x64 --inverse --shape '(512,256)'\n"
    "  cutlet relayout A.npy swizzled.npy --to swizzled:3,3,3\n"
    "  cutlet relayout A.npy B.npy --to '((8,64),256):((1,2048),8)' --memory 512M\n"
    "\n"
    "c and f are NumPy's orders: the output has the shape of the input. tiled:128x64 stores "
    "tiles of these extents, one for each mode of the array, one after another. They are row-major "
    "within and across tiles, and padded with zeros at the edges. swizzled:B,M,S moves the element at offset x of C order to "
    "Sw<B,M,S>(x), in elements. A layout maps each index of the array, the first mode fastest, "
    "to an offset. These outputs are one-dimensional, with zeros in the gaps of the layout. "
    "--inverse restores C order, or the order of --from, bit by bit.\n"
    "\n"
    "The input FILE.npz:NAME is the array NAME of an archive that numpy.savez wrote. Compressed "
    "members are not read, and damaged ones are refused.\n"
    "\n"
    "Files may be larger than --memory: they are processed in blocks. The output is replaced as "
    "a whole or not at all, and it may be the input. A symbolic link stays: its target is "
    "replaced. A dangling link is an error.");

/* What is said while it takes its time. */
static struct progress {
    int asked, terminal;
    double begin, last; /* seconds */
} progress;

/* How far it is, how fast, and how long it will take: five times a second, and at the end; on a
 * terminal that did not ask for it after a second only. */
static void tell(int64_t done, int64_t all)
{
    const double at = ct_now(), took = at - progress.begin;
    if ((!progress.asked && took < 1) || (at - progress.last < 0.2 && done < all)) return;
    progress.last = at;
    fprintf(stderr, "%srelayout: %d %%, %.0f MB/s, %.0f s left%s",
            progress.terminal ? "\r\033[K" : "", (int)(100.0 * (double)done / (double)all),
            1e-6 * (double)done / (took > 0 ? took : 1), took * (double)(all - done) / (double)done,
            progress.terminal ? "" : "\n");
}

static void tell_end(void)
{
    if (progress.terminal && progress.last > 0) fputs("\r\033[K", stderr);
}

/* What --verify has compared, and what it has not. */
static void tell_verified(const ct_relayout_options *o, const ct_relayout_result *r)
{
    const int64_t n = r->elems;
    printf("verified: %lld element%s of %s, read again, %s bit by bit %s of %s", (long long)n,
           n == 1 ? "" : "s", o->output, n == 1 ? "is" : "are", n == 1 ? "that" : "those",
           o->input);
    if (r->gaps > 0) printf("; not the %lld in gaps", (long long)r->gaps);
    printf("\n");
}

/* What was done, as JSON. 0, or -1 when memory runs out. */
static int print_json(const ct_relayout_options *o, const ct_relayout_result *r)
{
    json_t *root = json_pack("{s:s, s:s, s:s, s:I, s:I, s:b}", "input", o->input, "output",
                             o->output, "to", o->to, "elements", (json_int_t)r->elems, "gaps",
                             (json_int_t)r->gaps, "verified", o->verify != 0);
    const int bad = ct_json_write(stdout, root, JSON_INDENT(2));
    json_decref(root);
    return bad;
}

/* Half of the machine's memory, but no more than a gigabyte, beyond which nothing becomes faster. */
static int64_t usual_memory(void)
{
    const long pages = sysconf(_SC_PHYS_PAGES), bytes = sysconf(_SC_PAGESIZE);
    const int64_t most = (int64_t)1 << 30;
    return pages > 0 && bytes > 0 ? ct_min(most, (int64_t)pages * bytes / 2) : most;
}

int ct_cmd_relayout(int argc, char **argv)
{
    asked a = {0};
    ct_relayout_options *const o = &a.options;
    ct_relayout_result result;
    char error[CT_MESSAGE_BYTES] = "";
    const int parsed = ct_cli_parse(&ct_relayout_argp, argc, argv, &a);
    if (parsed != 0) return ct_cli_finish("relayout", parsed < 0 ? CT_EXIT_BAD : CT_EXIT_OK);
    if (o->memory == 0) o->memory = usual_memory();
    progress = (struct progress){a.progress, isatty(STDERR_FILENO), ct_now(), 0};
    signal(SIGXFSZ, SIG_IGN); /* a file that may not become so large: write says so */
    const ct_relayout_watch watch = {progress.asked || progress.terminal ? tell : NULL,
                                     ct_relayout_hold, ct_relayout_guard};
    const int bad = ct_relayout(o, &watch, &result, error);
    tell_end();
    if (bad && result.wrong) ct_cli_complain("relayout", "--%s: %s", result.wrong, error);
    else if (bad) ct_cli_complain("relayout", "%s", error);
    if (o->from) ct_cli_say_notation("relayout", o->from);
    ct_cli_say_notation("relayout", o->to);
    if (!bad && a.json) {
        if (print_json(o, &result)) ct_cli_complain("relayout", "out of memory");
    } else if (!bad && o->verify) tell_verified(o, &result);
    return ct_cli_finish("relayout", bad ? CT_EXIT_BAD : CT_EXIT_OK);
}
