/* cutlet access EXPR: the accesses of a thread-value layout or of a tiled copy. */
#include <stdlib.h>
#include <string.h>

#include "../common/cli.h"
#include "../common/operands.h"
#include "access.h"
#include <cutlet/host/text.h>
#include "text/extents.h"

enum { STEPS_MAX = 1 << 20, WIDEST = 128 };
enum { MORE = -1, NO_MEMORY = -2 }; /* in place of the number of steps */

#define TOO_MANY                                                                                   \
    "--list prints up to 1048576 instructions, and there are more: leave it out, or give a "       \
    "smaller --shape"
_Static_assert(STEPS_MAX == 1048576, "as TOO_MANY says");

/* ---- what was given -------------------------------------------------------------------------- */

/* A layout from an expression: a bare shape is its compact layout. Returns an exit status. */
static int read_memory(const char *text, const char *option, ct_tensor *out)
{
    ct_value v;
    ct_layout L = {0};
    const int status = ct_cli_evaluate("access", text, &v);
    int known = 1;
    if (status != CT_EXIT_OK) return status;
    if (v.kind == CT_KIND_TENSOR && ct_offset_is_integer(&v.as.tensor.offset))
        *out =
            ct_make_swizzled(v.as.tensor.swizzle, v.as.tensor.offset.value[0], v.as.tensor.layout);
    else if (v.kind == CT_KIND_LAYOUT) *out = ct_make_swizzled(ct_swizzle_none(), 0, v.as.layout);
    else if (v.kind == CT_KIND_TUPLE) {
        L = ct_make_col_major(v.as.tuple);
        *out = ct_make_swizzled(ct_swizzle_none(), 0, L);
    } else known = 0;
    if (!known)
        ct_cli_complain("access", "%s takes a layout, swizzled or not, not %s", option,
                        ct_kind_name(&v));
    ct_value_free(&v);
    if (!known) return CT_EXIT_BAD;
    if (out->layout.err.status) {
        char message[CT_MESSAGE_BYTES];
        ct_error_message(out->layout.err, message, sizeof message);
        ct_cli_complain("access", "%s: %s", option, message);
        return CT_EXIT_FAILED;
    }
    return CT_EXIT_OK;
}

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

/* The widest access that the layouts allow, where --bits gives none. */
static int walk_tv(const ct_access_arguments *a, ct_layout tv, const ct_traffic_side *side,
                   ct_access_report *r, char *message)
{
    int bits = a->bits > 0 ? a->bits : WIDEST, bad = -1;
    for (; bits >= side->elem_bits; bits /= 2) {
        if (bits < WIDEST && !ct_access_has_width(side->kind, bits)) break; /* ldmatrix has one */
        bad = ct_traffic_of_tv(tv, side, bits, a->rules, NULL, NULL, &r->row[0].sum, message);
        if (!bad || a->bits > 0) break;
    }
    if (bad) return -1;
    r->rows = 1;
    r->row[0].side = "";
    r->row[0].kind = side->kind;
    r->row[0].bits = bits;
    return a->list ? ct_traffic_of_tv(tv, side, bits, a->rules, keep, r, &r->row[0].sum, message)
                   : 0;
}

static int run_tv(const ct_access_arguments *a, ct_layout tv, ct_access_report *r)
{
    char message[CT_MESSAGE_BYTES];
    ct_traffic_side side = {.kind = a->kind, .elem_bits = a->elem_bits, .base_bytes = a->base};
    if (a->src || a->dst || a->shape)
        return wrong("--src, --dst and --shape are for a tiled copy; a thread-value layout has "
                     "--memory");
    if (a->kind < 0) return wrong("--kind is missing: ldg, stg, lds, sts, ldgsts, ldmatrix ..");
    if (a->elem_bits < 0) return wrong("--type is missing, such as half or float; or --elem-bits");
    const int64_t reached = ct_max(1, ct_cosize(tv)); /* 1 where it has basis strides: refused */
    side.memory = ct_make_swizzled(ct_swizzle_none(), 0, ct_layout1(reached, 1));
    if (a->memory) {
        const int status = read_memory(a->memory, "--memory", &side.memory);
        if (status != CT_EXIT_OK) return status;
    }
    if (walk_tv(a, tv, &side, r, message) == 0) return CT_EXIT_OK;
    ct_cli_complain("access", "%s", message);
    return CT_EXIT_FAILED;
}

/* The instruction of a side: of the atom; of a universal one as it is told, otherwise shared memory
 * where the side is swizzled or smaller than the tensor, else global memory. */
static int kind_of(const ct_copy_atom *atom, int is_dst, int told, const ct_tensor *memory,
                   int64_t tensor)
{
    if (told >= 0) return told;
    switch (atom->kind) {
        case CT_ATOM_CP_ASYNC_CA: return is_dst ? CT_ACCESS_STS : CT_ACCESS_LDGSTS;
        case CT_ATOM_CP_ASYNC_CG: return is_dst ? CT_ACCESS_STS : CT_ACCESS_LDGSTS_CG;
        case CT_ATOM_LDMATRIX:
        case CT_ATOM_LDMATRIX_TRANS: return CT_ACCESS_LDSM;
        case CT_ATOM_STMATRIX:
        case CT_ATOM_STMATRIX_TRANS: return CT_ACCESS_STSM;
        default: break;
    }
    const int shared = memory->swizzle.bits > 0 || ct_size(memory->layout) < tensor;
    if (is_dst) return shared ? CT_ACCESS_STS : CT_ACCESS_STG;
    return shared ? CT_ACCESS_LDS : CT_ACCESS_LDG;
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
            given[i] ? read_memory(given[i], i ? "--dst" : "--src", &memory[i]) : CT_EXIT_OK;
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
            r->row[r->rows++] = (ct_access_row){names[i], side[i].kind, copy->atom.bits, sum[i]};
    }
    return CT_EXIT_OK;
}

/* ---- the command ----------------------------------------------------------------------------- */

static int run_value(const ct_access_arguments *a, const ct_value *v, ct_access_report *r)
{
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
    int status = ct_cli_evaluate("access", a->expression, &v);
    if (status == CT_EXIT_OK) status = run_value(a, &v, &r);
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
