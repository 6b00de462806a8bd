/* cutlet draw access --memory LAYOUT EXPR: an instruction of a tiled copy or thread-value layout. */
#include <string.h>

#include "../access/access.h"
#include "../common/operands.h"
#include "access.h"
#include <cutlet/host/text.h>
#include <cutlet/host/traffic.h>
#include "io/types.h"

/* The instruction that is looked for, and how many there are. */
typedef struct search {
    int64_t warp, instruction;
    ct_access *found;
    int is_found;
    int64_t warps, instructions;
} search;

static void look(void *user, const ct_traffic_step *step)
{
    search *s = user;
    if (step->warp >= s->warps) s->warps = step->warp + 1;
    if (step->instruction >= s->instructions) s->instructions = step->instruction + 1;
    if (s->is_found || step->warp != s->warp || step->instruction != s->instruction) return;
    *s->found = step->access;
    s->is_found = 1;
}

static int is_store(int kind)
{
    return kind == CT_ACCESS_STG || kind == CT_ACCESS_STS || kind == CT_ACCESS_STSM;
}

/* The layout by accesses of this many bits; 0: the widest up to 128 that it allows. */
static int walk_tv(ct_layout tv, const ct_traffic_side *side, int64_t bits, search *s,
                   char *message)
{
    ct_traffic sum;
    int32_t widest = bits ? (int32_t)bits : 128;
    while (!bits && widest > side->elem_bits && ct_access_has_width(side->kind, widest / 2) &&
           ct_traffic_of_tv(tv, side, widest, NULL, NULL, NULL, &sum, message))
        widest /= 2;
    return ct_traffic_of_tv(tv, side, widest, NULL, look, s, &sum, message);
}

/* The tiled copy or the layout over the side's memory. 0, or -1 and one line. */
static int walk(const ct_value *v, const ct_traffic_side *side, int64_t bits, search *s,
                char *message)
{
    ct_traffic sum, other;
    if (v->kind == CT_KIND_LAYOUT) return walk_tv(v->as.layout, side, bits, s, message);
    const int store = is_store(side->kind);
    const ct_tuple shape = ct_cli_first_tile(v->as.copy, ct_shape(side->memory.layout));
    return ct_traffic_of_copy(v->as.copy, shape, store ? NULL : side, store ? side : NULL, NULL,
                              look, s, &sum, &other, message);
}

/* The instruction of the side's memory as it is now. An exit status, after a complaint. */
static int find(const ct_draw_access *a, const ct_value *v, const ct_traffic_side *side,
                ct_access *out)
{
    char message[CT_MESSAGE_BYTES];
    search s = {a->warp, a->instruction, out, 0, 0, 0};
    if (walk(v, side, a->bits, &s, message)) {
        ct_cli_complain("draw", "%s", message);
        return CT_EXIT_BAD;
    }
    if (s.is_found) return CT_EXIT_OK;
    ct_cli_complain(
        "draw", "there is no instruction %lld of warp %lld: %lld warp%s of %lld instruction%s",
        (long long)a->instruction, (long long)a->warp, (long long)s.warps, s.warps == 1 ? "" : "s",
        (long long)s.instructions, s.instructions == 1 ? "" : "s");
    return CT_EXIT_BAD;
}

/* The kind and size of the elements, and where they lie. An exit status, after a complaint. */
static int make_side(const ct_draw_access *a, const ct_value *v, ct_traffic_side *side)
{
    char why[CT_MESSAGE_BYTES];
    ct_named_type type = {.bits = 0};
    if (v->kind == CT_KIND_TILED_COPY && (a->type || a->bits)) {
        ct_cli_complain("draw", "a tiled copy knows its own --type and --bits");
        return CT_EXIT_BAD;
    }
    if (v->kind == CT_KIND_TILED_COPY) {
        side->elem_bits = v->as.copy.atom.value_bits;
    } else if (v->kind == CT_KIND_LAYOUT) {
        if (a->type && ct_named_type_read(a->type, &type, why)) {
            ct_cli_complain("draw", "--type: %s", why);
            return CT_EXIT_BAD;
        }
        side->elem_bits = type.bits;
    } else {
        ct_cli_complain("draw", "an access is of a tiled copy or a thread-value layout, not %s",
                        ct_kind_name(v));
        return CT_EXIT_BAD;
    }
    if (side->elem_bits < 1) {
        ct_cli_complain("draw", "--type is missing: the elements, as half or float");
        return CT_EXIT_BAD;
    }
    return ct_cli_memory("draw", "--memory", a->memory, &side->memory);
}

static int find_both(const ct_draw_access *a, int kind, const ct_value *v, ct_swizzle swizzle,
                     ct_access *access, ct_access *after)
{
    ct_traffic_side side = {.kind = kind};
    int status = make_side(a, v, &side);
    if (status == CT_EXIT_OK && after && side.memory.swizzle.bits > 0) {
        ct_cli_complain("draw", "--swizzle: the memory has a swizzle of its own");
        status = CT_EXIT_BAD;
    }
    if (status == CT_EXIT_OK) status = find(a, v, &side, access);
    if (status != CT_EXIT_OK || !after) return status;
    ct_draw_access same = *a; /* the same width, whatever the swizzle would allow */
    same.bits = access->bits;
    side.memory.swizzle = swizzle;
    return find(&same, v, &side, after);
}

int ct_draw_access_of_layout(const ct_draw_access *a, int kind, const char *expression,
                             ct_swizzle swizzle, ct_access *access, ct_access *after)
{
    ct_value v;
    int status = ct_cli_evaluate("draw", expression, &v);
    if (status == CT_EXIT_OK && ct_cli_as_layout("draw", &v)) status = CT_EXIT_BAD;
    if (status == CT_EXIT_OK) status = find_both(a, kind, &v, swizzle, access, after);
    ct_value_free(&v);
    return status;
}
