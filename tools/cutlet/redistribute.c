/* cutlet redistribute --from S --to T --shape SHAPE --mesh MESH */
#include <cutlet/host/redistribute.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/cli.h"
#include "common/commands.h"
#include "common/json.h"
#include "common/operands.h"
#include "common/options.h"
#include "base/number.h"
#include "base/units.h"
#include "draw/exchange.h"
#include "io/types.h"
#include "text/extents.h"

enum {
    KEY_FROM = 256,
    KEY_TO,
    KEY_SHAPE,
    KEY_MESH,
    KEY_TYPE,
    KEY_TO_TYPE,
    KEY_SCALE,
    KEY_RANK,
    KEY_LINK,
    KEY_EXPLAIN,
    KEY_RUN,
    KEY_CARRY,
    KEY_CHUNK,
    KEY_JSON
};

/* The most ranks whose transfers are shown without --rank, the most that run, and the most elements. */
enum { RANKS_SHOWN = 4, RANKS_RUN = 256, ELEMS_RUN = 1 << 26 };

/* The most ranks whose links are counted one by one. */
enum { RANKS_LINKED = 1024 };

static const struct argp_option options[] = {
    {"from", KEY_FROM, "SHARDED", 0, "who holds what (required)", 0},
    {"to", KEY_TO, "SHARDED", 0, "who needs what (required)", 0},
    {"shape", KEY_SHAPE, "SHAPE", 0, "the shape of the tensor (required)", 0},
    {"mesh", KEY_MESH, "MESH", 0, "the ranks, as 8 or 2x4; a layout brings its own", 0},
    {"type", KEY_TYPE, "TYPE", 0,
     "the type of the elements (default float); `cutlet help types` lists the types", 0},
    {"to-type", KEY_TO_TYPE, "TYPE", 0, "convert to this type on the way", 0},
    {"scale", KEY_SCALE, "NUMBER", 0, "multiply by this number on the way", 0},
    {"explain", KEY_EXPLAIN, NULL, 0, "show the transfers and rounds (default without --run)", 0},
    {"rank", KEY_RANK, "N", 0, "show the transfers of this rank alone", 0},
    {"link", KEY_LINK, "RATE[,RATE:N]", 0,
     "show the least time over links of RATE GB/s each way; with a second rate, the first is for "
     "links inside groups of N ranks, as of a host, and the second for those between them",
     0},
    {"run", KEY_RUN, NULL, 0, "run on the CPU, a thread for each rank, and verify each element", 0},
    {"carry", KEY_CARRY, "direct|messages|staged", 0,
     "how --run carries: straight into the other rank's memory, by packed messages, or packed "
     "through scratch there (default direct)",
     0},
    {"chunk", KEY_CHUNK, "BYTES", 0, "the most bytes of a message at once (default 4M)", 0},
    {"output", 'o', "FILE", 0,
     "draw who sends how many bytes to whom, of up to 64 ranks, in the format of FILE's suffix: "
     ".svg, .tex or .txt",
     0},
    {"json", KEY_JSON, NULL, 0, "print the totals as JSON", 0},
    {0},
};

typedef struct arguments {
    const char *from, *to, *output;
    ct_tuple shape, mesh;
    int has_shape, explains, runs, json;
    int64_t rank;         /* -1: not given */
    double link, between; /* GB/s; between groups of ranks, 0: there are no groups */
    int64_t group;
    ct_named_type type, to_type;
    ct_redistribute_desc desc;
} arguments;

static error_t read_type(struct argp_state *state, const char *option, const char *text,
                         ct_named_type *out)
{
    char why[CT_MESSAGE_BYTES];
    if (ct_named_type_read(text, out, why)) return ct_cli_wrong(state, "%s: %s", option, why);
    return 0;
}

static error_t read_real(struct argp_state *state, const char *option, const char *text,
                         double *out)
{
    char *end;
    *out = strtod(text, &end);
    if (end == text || *end || !isfinite(*out))
        return ct_cli_wrong(state, "%s: `%.40s` is not a number", option, text);
    return 0;
}

static error_t read_extents(struct argp_state *state, const char *option, const char *text,
                            const char *what, ct_tuple *out)
{
    ct_diag diag;
    const int bad = ct_extents_read(text, out, &diag);
    for (int k = 0; !bad && k < out->profile.leaves; ++k)
        if (out->value[k] < 1)
            return ct_cli_wrong(state, "%s: mode %d has the extent %lld; an extent is at least 1",
                                option, k, (long long)out->value[k]);
    if (!bad) return 0;
    const int is_text =
        strncmp(diag.message, "expected ", 9) == 0; /* what any tuple may begin with */
    return ct_cli_wrong(state, "%s: `%.40s` is no %s%s%s", option, text, what, is_text ? "" : "; ",
                        is_text ? "" : diag.message);
}

/* RATE, or RATE,RATE:N. */
static error_t read_link(struct argp_state *state, const char *text, arguments *a)
{
    char *end;
    a->link = strtod(text, &end);
    int good = end != text && isfinite(a->link);
    a->between = 0;
    if (good && *end == ',') {
        const char *const second = end + 1;
        a->between = strtod(second, &end);
        good = end != second && isfinite(a->between) && *end == ':';
        if (good && ct_number_read(end + 1, 1, CT_SHARDED_RANKS, &a->group))
            return ct_cli_wrong(state, "--link: `%.40s` is no number of ranks from 1 to %d",
                                end + 1, CT_SHARDED_RANKS);
        if (good && a->between <= 0)
            return ct_cli_wrong(state, "--link: a rate is more than 0 GB/s");
    } else good = good && !*end;
    if (!good)
        return ct_cli_wrong(
            state, "--link: `%.40s` is no rate, as 350, and no two of them, as 350,45:8", text);
    return a->link > 0 ? 0 : ct_cli_wrong(state, "--link: a rate is more than 0 GB/s");
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    arguments *a = state->input;
    int choice;
    switch (key) {
        case KEY_FROM: a->from = arg; return 0;
        case KEY_TO: a->to = arg; return 0;
        case KEY_SHAPE:
            a->has_shape = 1;
            return read_extents(state, "--shape", arg, "shape, as 1024x512 or (1024,512)",
                                &a->shape);
        case KEY_MESH:
            return read_extents(state, "--mesh", arg,
                                "mesh: the ranks along each of its modes, as 8, 2x4 or (2,4)",
                                &a->mesh);
        case KEY_TYPE: return read_type(state, "--type", arg, &a->type);
        case KEY_TO_TYPE: return read_type(state, "--to-type", arg, &a->to_type);
        case KEY_SCALE:
            a->desc.has_scale = 1;
            return read_real(state, "--scale", arg, &a->desc.scale);
        case KEY_EXPLAIN: a->explains = 1; return 0;
        case KEY_RUN: a->runs = 1; return 0;
        case KEY_JSON: a->json = 1; return 0;
        case KEY_RANK:
            if (ct_number_read(arg, 0, CT_SHARDED_RANKS - 1, &a->rank))
                return ct_cli_wrong(state, "--rank: `%.40s` is no rank from 0 to %d", arg,
                                    CT_SHARDED_RANKS - 1);
            return 0;
        case KEY_LINK: return read_link(state, arg, a);
        case KEY_CARRY:
            if ((choice = ct_cli_choice(state, key, arg)) < 0) return EINVAL;
            a->desc.carry = choice == 0   ? CT_CARRY_DIRECT
                            : choice == 1 ? CT_CARRY_MESSAGES
                                          : CT_CARRY_STAGED;
            return 0;
        case KEY_CHUNK:
            if (ct_bytes_read(arg, &a->desc.chunk_bytes))
                return ct_cli_wrong(
                    state, "--chunk: `%.40s` is not a number of bytes, as 65536, 64K or 4M", arg);
            return 0;
        case 'o':
            a->output = arg;
            if (ct_draw_format_of(arg) >= 0) return 0;
            return ct_cli_wrong(state, "`%.200s` ends in none of .svg, .tex and .txt", arg);
        case ARGP_KEY_ARG: return ct_cli_wrong(state, "`%.40s` belongs to no option", arg);
        case ARGP_KEY_END:
            if (a->from && a->to && a->has_shape) return 0;
            return ct_cli_wrong(
                state,
                "%s is missing, as in: cutlet redistribute --from shard:0 --to shard:1 --shape "
                "1024x1024 --mesh 4",
                !a->from ? "--from"
                : !a->to ? "--to"
                         : "--shape");
        default: return ARGP_ERR_UNKNOWN;
    }
}

const struct argp ct_redistribute_argp = CT_ARGP(
    options, parse, "",
    "Plans how ranks exchange the elements of a tensor that is sharded in one way, so that it is "
    "sharded in another: the transfers and their rounds.\v"
    "  cutlet redistribute --from shard:0 --to shard:1 --shape 1024x1024 --mesh 4\n"
    "  cutlet redistribute --from shard:0 --to shard:1 --shape 1023x1021 --mesh 8 --run\n"
    "  cutlet redistribute --from shard:0,replicate --to shard:1,shard:0 --shape 4096x4096 --mesh "
    "2x4 --rank 3\n"
    "  cutlet redistribute --from cyclic:0:64 --to shard:0 --shape 10000x64 --mesh 8 --type double "
    "--link 25\n"
    "  cutlet redistribute --from shard:0 --to '(4,(8,32)):(8@1,(1@1,1@0))' --shape 32x32 --mesh 4 "
    "--to-type half "
    "--run --carry messages\n"
    "  cutlet redistribute --from shard:0 --to shard:1 --shape 65536x65536 --mesh 65536 --rank 7\n"
    "  cutlet redistribute --from shard:0 --to cyclic:0:3 --shape 40x64 --mesh 4 -o exchange.svg\n"
    "\n"
    "SHARDED is a form for each mode of the mesh, or a layout (mesh, local) -> coordinate:\n"
    "\n"
    "  shard:D      contiguous chunks of mode D\n"
    "  cyclic:D:B   blocks of B along mode D, dealt out in turn\n"
    "  replicate    every rank of the mode holds the same\n"
    "\n"
    "A suffix says how a rank stores its elements: /c, the last mode of the tensor "
    "fastest, "
    "/f, the first one, /(S0,S1), a stride for each mode, or /local, in the order of the layout's "
    "local "
    "mode. Forms are /c and layouts /local, unless they say otherwise.\n"
    "\n"
    "The bytes sent are the least: what ranks need and do not hold, each once, in the smaller of "
    "the two "
    "types. The exit status is 0; 1 when --run finds a wrong element or fails; 2 when an option "
    "cannot "
    "be read.");

/* The link that takes longest: of a rank, inside its group or between groups, one way. */
typedef struct slowest {
    double seconds;
    int64_t rank, bytes;
    int is_between, is_received;
} slowest;

/* Compares the four links of a rank. */
static ct_status add_links(const arguments *a, int64_t rank, slowest *most, char *message)
{
    int64_t bytes[2][2] = {{0}}; /* [between][received] */
    ct_redistribute *plan;
    const ct_transfer *list;
    const ct_status bad = ct_redistribute_create(&a->desc, rank, &plan, message);
    if (bad) return bad;
    const int32_t count = ct_redistribute_transfers(plan, &list);
    for (int32_t t = 0; t < count; ++t)
        if (list[t].from != list[t].to) {
            const int between = list[t].from / a->group != list[t].to / a->group;
            bytes[between][list[t].to == rank] += list[t].bytes;
        }
    ct_redistribute_destroy(plan);
    for (int between = 0; between < 2; ++between)
        for (int received = 0; received < 2; ++received) {
            const int64_t n = bytes[between][received];
            const double seconds = (double)n / ((between ? a->between : a->link) * 1e9);
            if (seconds > most->seconds) *most = (slowest){seconds, rank, n, between, received};
        }
    return CT_OK;
}

/* Prints the time that the slowest link leaves. */
static ct_status put_links(const arguments *a, int64_t ranks, char *message)
{
    slowest most = {0};
    if (ranks > RANKS_LINKED) {
        snprintf(message, CT_MESSAGE_BYTES, "--link: %lld ranks; two rates are for up to %d",
                 (long long)ranks, RANKS_LINKED);
        return CT_E_ARGUMENT;
    }
    for (int64_t r = 0; r < ranks; ++r) {
        const ct_status bad = add_links(a, r, &most, message);
        if (bad) return bad;
    }
    char time[40], size[40];
    ct_builder put_time = ct_builder_fixed(time, sizeof time),
               put_size = ct_builder_fixed(size, sizeof size);
    ct_put_time(&put_time, most.seconds);
    ct_put_size(&put_size, most.bytes);
    ct_builder_end(&put_time);
    ct_builder_end(&put_size);
    printf(
        "time: at least %s, by rank %lld, which %s %s %s groups of %lld over a link of %.4g GB/s each way\n",
        time, (long long)most.rank, most.is_received ? "receives" : "sends", size,
        most.is_between ? "between" : "inside", (long long)a->group,
        most.is_between ? a->between : a->link);
    return CT_OK;
}

/* The plan of a rank in words; of the first one with what all ranks do. */
static int explain_rank(const arguments *a, int64_t rank, int is_first)
{
    char message[CT_MESSAGE_BYTES];
    ct_redistribute *plan;
    ct_redistribute_info info;
    const double rate = a->between > 0 ? 0 : a->link * 1e9;
    if (ct_redistribute_create(&a->desc, rank, &plan, message)) {
        ct_cli_complain("redistribute", "%s", message);
        return CT_EXIT_BAD;
    }
    ct_redistribute_info_of(plan, &info);
    const int length = ct_redistribute_describe(plan, rate, NULL, 0);
    char *const text = malloc((size_t)length + 1);
    if (text) ct_redistribute_describe(plan, rate, text, (size_t)length + 1);
    ct_redistribute_destroy(plan);
    if (!text) {
        ct_cli_complain("redistribute", "not enough memory");
        return CT_EXIT_FAILED;
    }
    char *const own = strstr(text, "\nrank ");
    ct_status bad = CT_OK;
    if (own) *own = 0;
    if (is_first || !own) puts(text);
    if (is_first && a->between > 0) bad = put_links(a, info.ranks, message);
    if (own && !bad) fputs(own + 1, stdout);
    free(text);
    if (bad) ct_cli_complain("redistribute", "%s", message);
    return bad ? CT_EXIT_BAD : CT_EXIT_OK;
}

static int explain(const arguments *a, int64_t ranks)
{
    if (a->rank >= 0) return explain_rank(a, a->rank, 1);
    int status = CT_EXIT_OK;
    for (int64_t r = 0; r < ranks && r < RANKS_SHOWN && !status; ++r)
        status = explain_rank(a, r, r == 0);
    if (!status && ranks > RANKS_SHOWN)
        printf("--rank shows one of the other %lld ranks\n", (long long)(ranks - RANKS_SHOWN));
    return status;
}

/* The tensor, and what each rank has of it. */
typedef struct tensor_run {
    const arguments *a;
    int64_t ranks, size;
    int32_t bytes[2];
    char *whole[2]; /* all elements in both types, the first mode fastest */
    char *memory[2][RANKS_RUN];
} tensor_run;

static void free_run(tensor_run *t)
{
    for (int side = 0; side < 2; ++side) {
        free(t->whole[side]);
        for (int64_t r = 0; r < t->ranks; ++r) free(t->memory[side][r]);
    }
}

/* Visits what a rank holds: copies it from the tensor, or compares. Returns the elements that differ. */
static int64_t visit(const tensor_run *t, int side, int64_t rank, int compares)
{
    const ct_sharded *const s = side ? &t->a->desc.dst.layout : &t->a->desc.src.layout;
    int64_t wrong = 0, extent[CT_SHARDED_MODES];
    ct_sharded_extents(s, rank, extent);
    const int64_t local = extent[0] ? ct_size(ct_mode(s->layout, 1)) : 0;
    for (int64_t i = 0; i < local; ++i) {
        const ct_layout *const L = &s->layout;
        int64_t coord[CT_SHARDED_MODES] = {0}, index = rank, weight = 1, element = 0;
        const int mesh = ct_mode(*L, 0).profile.leaves;
        int inside = 1;
        for (int k = 0; k < L->profile.leaves; ++k) {
            if (k == mesh) index = i;
            if (L->stride[k])
                coord[L->basis[k] ? L->basis[k] - 1 : 0] += index % L->shape[k] * L->stride[k];
            index /= L->shape[k];
        }
        for (int d = 0; d < s->modes; ++d) {
            inside &= coord[d] < s->shape[d];
            element += coord[d] * weight;
            weight *= s->shape[d];
        }
        if (!inside) continue;
        char *const at = t->memory[side][rank] + ct_sharded_offset(s, rank, coord) * t->bytes[side];
        const char *const is = t->whole[side] + element * t->bytes[side];
        if (compares) wrong += memcmp(at, is, (size_t)t->bytes[side]) != 0;
        else memcpy(at, is, (size_t)t->bytes[side]);
    }
    return wrong;
}

/* Converts `size` elements in order. */
static ct_status convert(void *dst, int32_t to, const void *src, int32_t from, int64_t size,
                         const ct_redistribute_desc *scaled, char *message)
{
    ct_plan_desc desc;
    ct_plan *plan;
    memset(&desc, 0, sizeof desc);
    desc.src = ct_plan_side_of(ct_layout1(size, 1), from);
    desc.dst = ct_plan_side_of(ct_layout1(size, 1), to);
    if (scaled) desc.has_scale = scaled->has_scale, desc.scale = scaled->scale;
    ct_status bad = ct_plan_create(&desc, CT_EFFORT_ESTIMATE, &plan, message);
    if (!bad) bad = ct_plan_run(plan, dst, src, NULL, message);
    ct_plan_destroy(plan);
    return bad;
}

/* Fills the tensor, and what the ranks hold of it. */
static ct_status fill(tensor_run *t, char *message)
{
    const ct_redistribute_desc *const d = &t->a->desc;
    for (int side = 0; side < 2; ++side) {
        t->whole[side] = malloc((size_t)(t->size * t->bytes[side]));
        int ok = t->whole[side] != NULL;
        for (int64_t r = 0; r < t->ranks; ++r) {
            const int64_t span = ct_sharded_span(side ? &d->dst.layout : &d->src.layout, r);
            t->memory[side][r] = calloc((size_t)(span ? span : 1), (size_t)t->bytes[side]);
            ok &= t->memory[side][r] != NULL;
        }
        if (!ok) {
            snprintf(message, CT_MESSAGE_BYTES, "not enough memory");
            return CT_E_MEMORY;
        }
    }
    ct_status bad = CT_OK;
    if (d->src.type == CT_TYPE_RAW) {
        for (int64_t i = 0; i < t->size * t->bytes[0]; ++i)
            t->whole[0][i] = (char)(i * 7 + i / 251);
        memcpy(t->whole[1], t->whole[0], (size_t)(t->size * t->bytes[0]));
    } else {
        float *const values = malloc((size_t)t->size * sizeof *values);
        if (!values) {
            snprintf(message, CT_MESSAGE_BYTES, "not enough memory");
            return CT_E_MEMORY;
        }
        for (int64_t i = 0; i < t->size; ++i) values[i] = (float)(i % 241 + i / 241 % 13) - 100;
        bad = convert(t->whole[0], d->src.type, values, CT_TYPE_FLOAT, t->size, NULL, message);
        free(values);
        if (!bad)
            bad = convert(t->whole[1], d->dst.type, t->whole[0], d->src.type, t->size, d, message);
    }
    for (int64_t r = 0; r < t->ranks && !bad; ++r) visit(t, 0, r, 0);
    return bad;
}

static ct_status run_rank(void *user, ct_engine *engine, char message[CT_MESSAGE_BYTES])
{
    const tensor_run *const t = user;
    ct_redistribute *plan;
    ct_status bad = ct_redistribute_create(&t->a->desc, engine->rank, &plan, message);
    if (!bad)
        bad = ct_redistribute_run(plan, engine, t->memory[1][engine->rank],
                                  t->memory[0][engine->rank], NULL, message);
    ct_redistribute_destroy(plan);
    return bad;
}

static int run(const arguments *a, const ct_redistribute_info *info)
{
    static tensor_run t;
    char message[CT_MESSAGE_BYTES] = "";
    ct_thread_group *group = NULL;
    t.a = a;
    t.ranks = info->ranks;
    t.size = 1;
    for (int d = 0; d < a->desc.src.layout.modes; ++d) t.size *= a->desc.src.layout.shape[d];
    t.bytes[0] = a->type.bits / 8;
    t.bytes[1] = a->to_type.bits / 8;
    if (t.ranks > RANKS_RUN || t.size > ELEMS_RUN) {
        ct_cli_complain("redistribute",
                        "--run: %lld elements on %lld ranks; up to %d on %d are run",
                        (long long)t.size, (long long)t.ranks, ELEMS_RUN, RANKS_RUN);
        t.ranks = 0;
        return CT_EXIT_BAD;
    }
    ct_status bad = fill(&t, message);
    if (!bad) bad = ct_thread_group_create((int32_t)t.ranks, &group, message);
    if (!bad) bad = ct_thread_group_run(group, run_rank, &t, message);
    ct_thread_group_destroy(group);
    int64_t wrong = 0, elems = 0;
    for (int64_t r = 0; r < t.ranks && !bad; ++r) {
        wrong += visit(&t, 1, r, 1);
        elems += ct_sharded_elems(&a->desc.dst.layout, r);
    }
    if (bad) ct_cli_complain("redistribute", "--run: %s", message);
    else if (wrong)
        ct_cli_complain("redistribute", "--run: %lld of %lld elements are wrong", (long long)wrong,
                        (long long)elems);
    else
        printf("verified: %lld element%s on %lld rank%s, %lld byte%s sent\n", (long long)elems,
               ct_plural(elems), (long long)t.ranks, ct_plural(t.ranks), (long long)info->all_bytes,
               ct_plural(info->all_bytes));
    free_run(&t);
    return bad || wrong ? CT_EXIT_FAILED : CT_EXIT_OK;
}

/* Reads the sharded layouts. 0, or -1 after a complaint. */
static int read_sides(arguments *a)
{
    char message[CT_MESSAGE_BYTES];
    const char *const text[2] = {a->from, a->to};
    for (int side = 0; side < 2; ++side) {
        ct_redistribute_side *const s = side ? &a->desc.dst : &a->desc.src;
        const ct_named_type *const type = side ? &a->to_type : &a->type;
        if (ct_parse_sharded(text[side], a->shape, a->mesh, &s->layout, message)) {
            ct_cli_complain("redistribute", "%s: %s", side ? "--to" : "--from", message);
            return -1;
        }
        s->type = type->element;
        if (s->type == CT_TYPE_RAW) s->elem_bytes = type->bits / 8;
    }
    if ((a->desc.src.type == CT_TYPE_RAW || a->desc.dst.type == CT_TYPE_RAW) &&
        (strcmp(a->type.name, a->to_type.name) != 0 || a->desc.has_scale)) {
        ct_cli_complain("redistribute", "elements of type %s are not converted to %s, nor scaled",
                        a->type.name, a->to_type.name);
        return -1;
    }
    return 0;
}

/* Draws the exchange: to a file, or to the terminal. */
static int draw(const arguments *a, const ct_redistribute_info *info)
{
    char message[CT_MESSAGE_BYTES] = "";
    ct_picture *const p = ct_draw_exchange(&a->desc, info, message);
    ct_status bad = p ? CT_OK : CT_E_ARGUMENT;
    if (p && a->output) bad = ct_picture_write(p, a->output, NULL, message);
    else if (p) bad = ct_picture_print(p, stdout, ct_draw_format_for(stdout), NULL, message);
    if (p) ct_picture_free(p);
    if (bad) ct_cli_complain("redistribute", "%s", message);
    return bad ? CT_EXIT_BAD : CT_EXIT_OK;
}

/* What all ranks do together, as JSON. */
static int print_json(const ct_redistribute_info *info)
{
    json_t *root = json_pack(
        "{s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I}", "ranks", (json_int_t)info->ranks, "bytes",
        (json_int_t)info->all_bytes, "least_bytes", (json_int_t)info->least_bytes, "messages",
        (json_int_t)info->all_messages, "rounds", (json_int_t)info->rounds, "least_rounds",
        (json_int_t)info->least_rounds, "most_sent", (json_int_t)info->most_sent, "most_received",
        (json_int_t)info->most_received);
    const int bad = ct_json_write(stdout, root, JSON_INDENT(2));
    json_decref(root);
    if (bad) ct_cli_complain("redistribute", "not enough memory");
    return bad ? CT_EXIT_BAD : CT_EXIT_OK;
}

static int redistribute(int argc, char **argv, int draws)
{
    arguments a;
    char message[CT_MESSAGE_BYTES];
    ct_redistribute_info info;
    memset(&a, 0, sizeof a);
    a.rank = -1;
    ct_named_type_read("float", &a.type, NULL);
    const int parsed = ct_cli_parse(&ct_redistribute_argp, argc, argv, &a);
    if (parsed) return parsed < 0 ? CT_EXIT_BAD : CT_EXIT_OK;
    if (!a.to_type.name) a.to_type = a.type;
    if (a.json && (a.runs || a.explains || a.output || draws)) {
        ct_cli_complain("redistribute",
                        "--json prints the totals alone, without --run, --explain or a picture");
        return CT_EXIT_BAD;
    }
    if (read_sides(&a)) return CT_EXIT_BAD;
    if (ct_redistribute_simulate(&a.desc, &info, message)) {
        ct_cli_complain("redistribute", "%s", message);
        return CT_EXIT_BAD;
    }
    draws |= a.output != NULL;
    int status = CT_EXIT_OK;
    if (a.json) status = print_json(&info);
    else if (a.explains || (!a.runs && !draws)) status = explain(&a, info.ranks);
    if (draws && !status) status = draw(&a, &info);
    if (a.runs && !status) status = run(&a, &info);
    return ct_cli_finish("redistribute", status);
}

int ct_cmd_redistribute(int argc, char **argv) { return redistribute(argc, argv, 0); }

int ct_cmd_draw_redistribute(int argc, char **argv) { return redistribute(argc, argv, 1); }
