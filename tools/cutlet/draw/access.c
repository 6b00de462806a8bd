/* cutlet draw access: one memory instruction of one warp. */
#include "access.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../access/access.h"
#include "../common/operands.h"
#include "../common/options.h"
#include "base/number.h"
#include <cutlet/host/text.h>

static error_t read_bits(const char *arg, struct argp_state *state, ct_draw_access *a)
{
    if (ct_number_read(arg, 8, 256, &a->bits) == 0) return 0;
    return ct_cli_wrong(state, "--bits takes a width of 8 to 256, not `%.40s`", arg);
}

static error_t read_place(const char *name, const char *arg, struct argp_state *state, int64_t *out)
{
    if (ct_number_read(arg, 0, INT32_MAX, out) == 0) return 0;
    return ct_cli_wrong(state, "%s takes a number from 0, not `%.40s`", name, arg);
}

static error_t read_kind(int key, const char *arg, struct argp_state *state, ct_draw_access *a)
{
    a->kind = arg;
    if (ct_access_kind_named(arg) >= 0) return 0;
    ct_cli_choice(state, key, arg);
    return EINVAL;
}

error_t ct_draw_access_parse(int key, char *arg, struct argp_state *state, ct_draw_access *a)
{
    a->given = 1;
    switch (key) {
        case CT_KEY_KIND: return read_kind(key, arg, state, a);
        case CT_KEY_LANES: a->lanes = arg; return 0;
        case CT_KEY_MEMORY: a->memory = arg; return 0;
        case CT_KEY_TYPE: a->type = arg; return 0;
        case CT_KEY_SWIZZLE: a->swizzle = arg; return 0;
        case CT_KEY_ARCH: a->arch = arg; return 0;
        case CT_KEY_BITS: return read_bits(arg, state, a);
        case CT_KEY_WARP: return read_place("--warp", arg, state, &a->warp);
        default: return read_place("--instruction", arg, state, &a->instruction);
    }
}

error_t ct_draw_access_check(struct argp_state *state, const ct_draw_access *a,
                             const char *expression)
{
    if (!a->wanted)
        return a->given ? ct_cli_wrong(state, "options of an access are for `cutlet draw access`")
                        : 0;
    if (!a->kind)
        return ct_cli_wrong(state, "--kind is missing, as in: cutlet draw access --kind lds "
                                   "--bits 32 --lanes 0,128,256");
    if (!a->lanes == !expression)
        return ct_cli_wrong(state, "an access takes --lanes or an expression with --memory, one of "
                                   "the two");
    if (!a->lanes && !a->memory)
        return ct_cli_wrong(state, "--memory is missing: where the data of the expression lies");
    if (a->lanes && (a->memory || a->type || a->warp || a->instruction))
        return ct_cli_wrong(state, "--lanes says all by itself; --memory, --type, --warp and "
                                   "--instruction are of an expression");
    return 0;
}

/* ---- what is drawn ---------------------------------------------------------------------------- */

/* The value of an option as an expression. An exit status, after a complaint. */
static int read_swizzle(const char *text, ct_swizzle *out)
{
    ct_value v;
    const int status = ct_cli_evaluate("draw", text, &v);
    if (status == CT_EXIT_OK && v.kind == CT_KIND_SWIZZLE) *out = v.as.swizzle;
    else if (status == CT_EXIT_OK)
        ct_cli_complain("draw", "--swizzle takes a swizzle as Sw<3,4,3>, not %s", ct_kind_name(&v));
    const int is_one = v.kind == CT_KIND_SWIZZLE;
    ct_value_free(&v);
    return status != CT_EXIT_OK ? status : is_one ? CT_EXIT_OK : CT_EXIT_BAD;
}

/* The access through a swizzle of its bytes. */
static int swizzle_bytes(const ct_access *access, ct_swizzle sw, ct_access *out)
{
    *out = *access;
    if (sw.bits > 0 && (sw.base > 31 || 1 << sw.base < access->bits / 8)) {
        ct_cli_complain("draw",
                        "Sw<%d,%d,%d> moves runs of %lld bytes, and an access has %d: it would be "
                        "torn apart",
                        sw.bits, sw.base, sw.shift, (long long)1 << sw.base, access->bits / 8);
        return -1;
    }
    for (int t = 0; t < 32; ++t)
        if (out->offset[t] != CT_LANE_OFF) out->offset[t] = ct_swizzle_apply(sw, out->offset[t]);
    return 0;
}

/* What is asked for, and through the swizzle in `after`. An exit status, after a complaint. */
static int find_access(const ct_draw_access *a, const char *expression, ct_swizzle sw,
                       ct_access *access, ct_access *after)
{
    char why[CT_MESSAGE_BYTES];
    const int kind = ct_access_kind_named(a->kind);
    if (expression) return ct_draw_access_of_layout(a, kind, expression, sw, access, after);
    memset(access, 0, sizeof *access);
    access->kind = kind;
    for (int t = 0; t < 32; ++t) access->shared[t] = CT_LANE_OFF;
    access->bits = a->bits ? (int32_t)a->bits : 128;
    if (ct_access_read_lanes(a->lanes, access->offset, why)) {
        ct_cli_complain("draw", "--lanes: %s", why);
        return CT_EXIT_BAD;
    }
    return after && swizzle_bytes(access, sw, after) ? CT_EXIT_BAD : CT_EXIT_OK;
}

int ct_draw_access_picture(const ct_draw_access *a, const char *expression,
                           const ct_draw_options *draw, ct_picture **picture)
{
    char error[CT_MESSAGE_BYTES] = "";
    ct_access access, after;
    ct_swizzle sw = ct_swizzle_none();
    const ct_access_rules *rules = ct_cli_rules("draw", a->arch);
    int status = rules ? CT_EXIT_OK : CT_EXIT_BAD;
    if (status == CT_EXIT_OK && a->swizzle) status = read_swizzle(a->swizzle, &sw);
    if (status == CT_EXIT_OK)
        status = find_access(a, expression, sw, &access, a->swizzle ? &after : NULL);
    if (status != CT_EXIT_OK) return status;
    *picture = a->swizzle ? ct_picture_banks_beside(rules, &access, "without a swizzle", &after,
                                                    a->swizzle, draw, error)
                          : ct_picture_access(rules, &access, draw, error);
    if (!*picture) ct_cli_complain("draw", "%s", error);
    else if (expression)
        ct_picture_note(*picture, "Instruction %lld of warp %lld of %.160s over %.160s.",
                        (long long)a->instruction, (long long)a->warp, expression, a->memory);
    return *picture ? CT_EXIT_OK : CT_EXIT_BAD;
}
