/* cutlet access EXPR: the accesses of a thread-value layout or of a tiled copy. */
#include <stdlib.h>
#include <string.h>

#include "../common/cli.h"
#include "../common/operands.h"
#include "../common/progress.h"
#include "access.h"
#include "verdict.h"
#include <cutlet/host/text.h>
#include "model/traffic_walk.h"
#include "text/cute.h"
#include "text/extents.h"

enum { STEPS_MAX = 1 << 20, WIDEST = 128 };
enum { MORE = -1, NO_MEMORY = -2 }; /* in place of the number of steps */

#define TOO_MANY                                                                                   \
    "--list prints up to 1048576 instructions, and there are more: leave it out, or give a "       \
    "smaller --shape"
_Static_assert(STEPS_MAX == 1048576, "as TOO_MANY says");

/* ---- what was given -------------------------------------------------------------------------- */

static int wrong(const char *message)
{
    ct_cli_complain("access", "%s", message);
    return CT_EXIT_BAD;
}

/* ---- the walk -------------------------------------------------------------------------------- */

static void keep(void *user, const ct_traffic_step *step)
{
    ct_access_report *r = user;
    if (r->capacity < 0) return;
    if (r->steps == r->capacity) {
        const int64_t capacity = r->capacity ? 2 * r->capacity : 64;
        ct_traffic_step *more =
            capacity <= STEPS_MAX ? realloc(r->step, (size_t)capacity * sizeof *more) : NULL;
        if (!more) {
            r->steps = r->capacity = capacity <= STEPS_MAX ? NO_MEMORY : MORE; /* said at the end */
            return;
        }
        r->step = more;
        r->capacity = capacity;
    }
    r->step[r->steps++] = *step;
}

/* `contiguous`, or the layout. */
static void name_memory(const ct_traffic_side *side, int told, char *text, size_t size)
{
    if (!told) snprintf(text, size, "memory contiguous");
    else {
        const int n = snprintf(text, size, "memory ");
        if (side->memory.swizzle.bits || side->memory.offset.value[0])
            ct_format_tensor(text + n, size - (size_t)n, side->memory);
        else ct_format_layout(text + n, size - (size_t)n, side->memory.layout);
    }
}

/* The row of a thread-value layout, at the width that was found; its verdict. */
static int count_tv(const ct_access_arguments *a, ct_layout tv, const ct_traffic_side *side,
                    int bits, ct_access_report *r, char *message)
{
    ct_access_worst worst = {{0}, {0}, {{0}}};
    ct_access_row *const row = &r->row[0];
    r->rows = 1;
    *row = (ct_access_row){.side = "", .kind = side->kind, .bits = bits};
    if (ct_traffic_of_classes(tv, side, bits, a->rules, ct_access_keep_worst, &worst, &row->sum,
                              message))
        return -1;
    ct_access_verdict(row, &worst.step[0], a->rules, row->verdict, sizeof row->verdict);
    const size_t n = strlen(row->verdict);
    if (!ct_access_is_global(side->kind) && row->sum.conflicts > 0)
        ct_access_propose(side, tv, bits, a->rules, row->verdict + n, sizeof row->verdict - n);
    return a->list ? ct_traffic_of_tv(tv, side, bits, a->rules, keep, r, &row->sum, message) : 0;
}

/* The widest access that the layouts allow, where --bits gives none. */
static int walk_tv(const ct_access_arguments *a, ct_layout tv, const ct_traffic_side *side,
                   ct_access_report *r, char *message)
{
    int bits = a->bits > 0 ? a->bits : WIDEST, bad = -1;
    snprintf(message, CT_MESSAGE_BYTES, "no access is as wide as an element of %d bits",
             side->elem_bits);
    for (; bits >= side->elem_bits; bits /= 2) {
        if (bits < WIDEST && !ct_access_has_width(side->kind, bits)) break; /* ldmatrix has one */
        bad = ct_traffic_of_tv(tv, side, bits, a->rules, NULL, NULL, &r->row[0].sum, message);
        if (!bad || a->bits > 0) break;
    }
    return bad ? -1 : count_tv(a, tv, side, bits, r, message);
}

/* The memory of a thread-value layout, and the option that gave it. */
static int tv_memory(const ct_access_arguments *a, ct_layout tv, ct_traffic_side *side, int *told)
{
    const char *const option = a->memory ? "--memory" : a->src ? "--src" : "--dst";
    const char *const text = a->memory ? a->memory : a->src ? a->src : a->dst;
    const int64_t reached = ct_max(1, ct_cosize(tv)); /* 1 where it has basis strides: refused */
    const int stores =
        side->kind == CT_ACCESS_STG || side->kind == CT_ACCESS_STS || side->kind == CT_ACCESS_STSM;
    *told = text != NULL;
    side->memory = ct_make_swizzled(ct_swizzle_none(), 0, ct_layout1(reached, 1));
    if (!!a->memory + !!a->src + !!a->dst > 1)
        return wrong("a thread-value layout has one memory: --memory, --src or --dst");
    if ((a->dst && !stores) || (a->src && stores))
        return wrong(
            "--src is for an instruction that loads, --dst for one that stores, and --kind "
            "names another");
    return text ? ct_cli_memory("access", option, text, &side->memory) : CT_EXIT_OK;
}

/* Packed elements as bytes: where the threads' values lie in memory, with the swizzle behind it. */
static int pack_tv(ct_layout *tv, ct_traffic_side *side)
{
    ct_tensor t = side->memory;
    const int64_t threads = ct_size(ct_mode(*tv, 0));
    t.layout = ct_composition(t.layout, *tv);
    if (t.layout.err.status) {
        char why[CT_MESSAGE_BYTES];
        ct_error_message(t.layout.err, why, sizeof why);
        return wrong(why);
    }
    const int status = ct_cli_bytes_of("access", side->elem_bits, &t);
    if (status != CT_EXIT_OK) return status;
    if (ct_size(ct_mode(t.layout, 0)) != threads)
        return wrong("threads share a byte: the values of a thread have to fill whole bytes");
    *tv = t.layout;
    side->memory = ct_make_swizzled(t.swizzle, t.offset.value[0],
                                    ct_layout1(ct_max(1, ct_cosize(t.layout)), 1));
    side->elem_bits = 8;
    return CT_EXIT_OK;
}

static int run_tv(const ct_access_arguments *a, ct_layout tv, ct_access_report *r)
{
    char message[CT_MESSAGE_BYTES], memory[256];
    ct_traffic_side side = {.kind = a->kind, .elem_bits = a->elem_bits, .base_bytes = a->base};
    int told = 0;
    if (a->shape) return wrong("--shape is for a tiled copy");
    if (a->kind < 0)
        return wrong(
            "say what the layout is: --read rows, columns, ldmatrix .. for a tile in shared "
            "memory; --kind ldg, stg, lds, sts .. for a thread-value layout");
    if (a->elem_bits < 0) return wrong("--type is missing, such as half or float; or --elem-bits");
    int status = tv_memory(a, tv, &side, &told);
    if (status == CT_EXIT_OK && a->elem_bits < 8) status = pack_tv(&tv, &side);
    if (status != CT_EXIT_OK) return status;
    if (walk_tv(a, tv, &side, r, message)) {
        ct_cli_complain("access", "%s", message);
        return CT_EXIT_FAILED;
    }
    if (told && a->elem_bits < 8)
        snprintf(memory, sizeof memory, "memory %.200s",
                 a->memory ? a->memory
                 : a->src  ? a->src
                           : a->dst);
    else name_memory(&side, told, memory, sizeof memory);
    snprintf(r->reading, sizeof r->reading,
             "%lld threads, %lld values of %d bits each, %s, by %s of %d bits",
             (long long)ct_size(ct_mode(tv, 0)), (long long)ct_size(ct_mode(tv, 1)), side.elem_bits,
             memory, ct_access_name(side.kind), r->row[0].bits);
    return CT_EXIT_OK;
}

/* ---- --read ---------------------------------------------------------------------------------- */

static int run_read(const ct_access_arguments *a, const ct_tensor *tile, ct_access_report *r)
{
    static const char *const words[CT_READ_COUNT] = {"rows", "columns", "ldmatrix",
                                                     "ldmatrix.trans"};
    char message[CT_MESSAGE_BYTES], memory[256];
    const int is_matrix = a->read >= CT_READ_LDMATRIX;
    ct_traffic_side side = {.kind = is_matrix ? CT_ACCESS_LDSM : CT_ACCESS_LDS,
                            .elem_bits = a->elem_bits,
                            .base_bytes = a->base,
                            .memory = *tile};
    ct_traffic sum;
    int32_t bits = ct_max(a->bits, 0);
    if (a->src || a->dst || a->shape || a->memory || a->kind >= 0)
        return wrong(
            "with --read the expression is the memory: --type, --bits and --base go with it");
    if (a->elem_bits < 0) return wrong("--type is missing, such as half or float; or --elem-bits");
    if (a->elem_bits < 8) {
        const int status = ct_cli_bytes_of("access", side.elem_bits, &side.memory);
        if (status != CT_EXIT_OK) return status;
        side.elem_bits = 8;
        tile = &side.memory;
    }
    if (ct_traffic_of_read(&side, a->read, &bits, a->rules, NULL, NULL, &sum, message)) {
        ct_cli_complain("access", "%s%s%s", is_matrix ? words[a->read] : "",
                        !is_matrix                    ? ""
                        : a->read == CT_READ_LDMATRIX ? " reads 16 bytes along n: "
                                                      : " reads 16 bytes along m: ",
                        message);
        return CT_EXIT_FAILED;
    }
    const ct_layout tv =
        ct_read_layout(a->read, ct_product_each(ct_shape(tile->layout)), bits / side.elem_bits);
    if (count_tv(a, tv, &side, bits, r, message)) return wrong(message);
    name_memory(&side, 1, memory, sizeof memory);
    snprintf(r->reading, sizeof r->reading,
             "a tile of %lld x %lld elements of %d bits in shared %s, read by %s, "
             "%s of %d bits",
             (long long)ct_size(ct_mode(tile->layout, 0)),
             (long long)ct_size(ct_mode(tile->layout, 1)), side.elem_bits, memory, words[a->read],
             ct_access_name(side.kind), r->row[0].bits);
    return CT_EXIT_OK;
}

/* ---- tiled copies ---------------------------------------------------------------------------- */

/* The instruction of a side: of the atom; of a universal one as it is told, otherwise shared memory
 * where the side is swizzled or smaller than the tensor, else global memory. */
static int kind_of(const ct_copy_atom *atom, int is_dst, int told, const ct_tensor *memory,
                   int64_t tensor)
{
    if (told >= 0) return told;
    const int shared = memory->swizzle.bits > 0 || ct_size(memory->layout) < tensor;
    return ct_cli_access_of(atom, is_dst, !shared);
}

static int is_async(const ct_copy_atom *atom)
{
    return atom->kind == CT_ATOM_CP_ASYNC_CA || atom->kind == CT_ATOM_CP_ASYNC_CG;
}

/* The side whose shape is the tensor's: of two the source of cp.async, or the one that is not
 * swizzled, or else the larger one. */
static int tensor_side(const ct_access_arguments *a, const ct_copy_atom *atom,
                       const ct_tensor memory[2])
{
    if (!a->src || !a->dst) return a->src ? 0 : 1;
    if (is_async(atom)) return 0;
    const int swizzled[2] = {memory[0].swizzle.bits > 0, memory[1].swizzle.bits > 0};
    if (swizzled[0] != swizzled[1]) return swizzled[0];
    return ct_size(memory[1].layout) > ct_size(memory[0].layout);
}

/* The tensor: --shape, or the shape of a side. */
static int read_shape(const ct_access_arguments *a, const ct_copy_atom *atom,
                      const ct_tensor memory[2], ct_tuple *shape)
{
    ct_diag diag;
    const int dst = tensor_side(a, atom, memory);
    *shape = ct_shape(memory[dst].layout);
    if (!a->shape) return CT_EXIT_OK;
    if (ct_extents_read(a->shape, shape, &diag)) {
        ct_cli_complain_at("access", a->shape, &diag);
        return CT_EXIT_BAD;
    }
    for (int i = 0; i < shape->profile.leaves; ++i) {
        if (shape->basis[i] != CT_INTEGER) return wrong("--shape takes integers");
    }
    return CT_EXIT_OK;
}

/* The verdicts, by the worst instruction of the first tile, and the reading. */
static void judge_copy(const ct_access_arguments *a, const ct_tiled_copy *copy, ct_tuple shape,
                       const ct_traffic_side *src, const ct_traffic_side *dst, ct_access_report *r)
{
    ct_access_worst worst = {{0}, {0}, {{0}}};
    ct_traffic sum[2];
    char message[CT_MESSAGE_BYTES], text[2][256] = {"registers", "registers"}, whole[128];
    ct_traffic_of_copy(*copy, ct_cli_first_tile(*copy, shape), src, dst, a->rules,
                       ct_access_keep_worst, &worst, &sum[0], &sum[1], message);
    for (int i = 0; i < r->rows; ++i) {
        const int side = src && i == 0 ? 0 : 1;
        ct_access_verdict(&r->row[i], &worst.step[side], a->rules, r->row[i].verdict,
                          sizeof r->row[i].verdict);
        name_memory(side ? dst : src, 1, text[side], sizeof text[side]);
    }
    ct_format_tuple(whole, sizeof whole, shape);
    snprintf(r->reading, sizeof r->reading,
             "%lld threads, %lld values of %d bits each, over %.128s: from %.128s to %.128s",
             (long long)ct_size(ct_mode(copy->tv, 0)), (long long)ct_size(ct_mode(copy->tv, 1)),
             copy->atom.value_bits, whole, text[0], text[1]);
}

static int run_copy(const ct_access_arguments *a, const ct_tiled_copy *copy, ct_access_report *r)
{
    static const char *const names[2] = {"source", "destination"};
    const char *const given[2] = {a->src, a->dst};
    ct_tensor memory[2];
    ct_traffic_side side[2];
    ct_traffic sum[2];
    ct_tuple shape;
    char message[CT_MESSAGE_BYTES];
    if (a->memory || a->bits > 0 || a->elem_bits > 0 || a->kind >= 0)
        return wrong("--memory, --kind, --bits, --type and --elem-bits are for a thread-value "
                     "layout; a tiled copy has --src, --dst, and an atom");
    if (!a->src && !a->dst) return wrong("--src and --dst are missing: the layouts of the data");
    for (int i = 0; i < 2; ++i) {
        const int status =
            given[i] ? ct_cli_memory("access", i ? "--dst" : "--src", given[i], &memory[i])
                     : CT_EXIT_OK;
        if (status != CT_EXIT_OK) return status;
    }
    const int status = read_shape(a, &copy->atom, memory, &shape);
    if (status != CT_EXIT_OK) return status;
    const int64_t tensor = ct_product(shape);
    for (int i = 0; i < 2; ++i) {
        if (!given[i]) continue;
        side[i].kind = kind_of(&copy->atom, i, i ? a->dst_kind : a->src_kind, &memory[i], tensor);
        side[i].elem_bits = copy->atom.value_bits;
        side[i].base_bytes = i ? a->dst_base : a->base;
        side[i].memory = memory[i];
    }
    const ct_traffic_side *src = given[0] ? &side[0] : NULL, *dst = given[1] ? &side[1] : NULL;
    int bad = 0;
    if (!is_async(&copy->atom) || !src || !dst || a->list)
        bad = ct_traffic_of_copy(*copy, shape, src, dst, a->rules, a->list ? keep : NULL, r,
                                 &sum[0], &sum[1], message);
    if (!bad && is_async(&copy->atom) && src && dst)
        bad = ct_traffic_of_async(*copy, shape, src, dst, a->rules, &sum[0], &sum[1], message);
    if (bad) {
        ct_cli_complain("access", "%s", message);
        return CT_EXIT_FAILED;
    }
    for (int i = 0; i < 2; ++i) {
        if (given[i])
            r->row[r->rows++] =
                (ct_access_row){names[i], side[i].kind, copy->atom.bits, sum[i], ""};
    }
    judge_copy(a, copy, shape, src, dst, r);
    return CT_EXIT_OK;
}

/* ---- the command ----------------------------------------------------------------------------- */

static int run_value(const ct_access_arguments *a, ct_value *v, ct_access_report *r)
{
    ct_tensor tile;
    if (a->read >= 0 && v->kind == CT_KIND_TILED_COPY)
        return wrong("--read takes the layout of a tile, not a tiled copy");
    if (a->read >= 0) {
        const int status = ct_cli_memory_of("access", "--read", v, &tile);
        return status == CT_EXIT_OK ? run_read(a, &tile, r) : status;
    }
    if (v->kind == CT_KIND_LAYOUT) return run_tv(a, v->as.layout, r);
    if (v->kind == CT_KIND_TUPLE) return run_tv(a, ct_make_col_major(v->as.tuple), r);
    if (v->kind == CT_KIND_TILED_COPY) return run_copy(a, &v->as.copy, r);
    ct_cli_complain("access", "a thread-value layout or a tiled copy is needed, not %s",
                    ct_kind_name(v));
    return CT_EXIT_BAD;
}

int ct_access_run_layout(const ct_access_arguments *a)
{
    ct_value v;
    ct_access_report r = {.rows = 0};
    ct_diag diag;
    char reading[sizeof r.reading], packed[40] = "";
    const char *const notation = ct_notation_of(a->expression, strlen(a->expression));
    const ct_status result = ct_evaluate(a->expression, &v, &diag);
    if (result) ct_cli_complain_at("access", a->expression, &diag);
    int status = ct_cli_exit_of(result);
    ct_cli_progress_begin("access", "counting");
    if (status == CT_EXIT_OK) status = run_value(a, &v, &r);
    ct_cli_progress_end();
    if (a->elem_bits > 0 && a->elem_bits < 8)
        snprintf(packed, sizeof packed, "elements of %d bits as bytes: ", a->elem_bits);
    memcpy(reading, r.reading, sizeof reading);
    snprintf(r.reading, sizeof r.reading, "%s%s%s%.430s", notation ? notation : "",
             notation ? ": " : "", packed, reading);
    ct_value_free(&v);
    if (status == CT_EXIT_OK && r.steps < 0)
        status = wrong(r.steps == MORE ? TOO_MANY : "out of memory");
    if (status == CT_EXIT_OK) {
        if (!a->json) ct_access_print(&r, a, stdout);
        else if (ct_access_print_json(&r, a, stdout)) status = wrong("out of memory");
        fflush(stdout);
    }
    if (status == CT_EXIT_OK && ct_access_gate(r.row, r.rows, a)) status = CT_EXIT_FAILED;
    free(r.step);
    return status;
}
