/* The operands of `cutlet verify` and `cutlet explain copy`. */
#include "copy_options.h"
#include "base/number.h"
#include "io/types.h"
#include "operands.h"

#include <stdlib.h>
#include <string.h>

static error_t number(struct argp_state *state, const char *name, const char *arg, int64_t *out)
{
    if (ct_number_read(arg, 1, INT64_MAX / 16, out) == 0) return 0;
    return ct_cli_wrong(state, "--%s takes a number of at least 1, not `%.40s`", name, arg);
}

static error_t alignment(struct argp_state *state, const char *name, const char *arg, int64_t *out)
{
    const error_t bad = number(state, name, arg, out);
    if (bad) return bad;
    return (*out & (*out - 1)) == 0
               ? 0
               : ct_cli_wrong(state, "--%s takes a power of two, not %lld", name, (long long)*out);
}

static error_t expression(ct_copy_options *o, char *arg, struct argp_state *state)
{
    if (o->expression) return ct_cli_wrong(state, "one expression at a time; is it in quotes?");
    o->expression = arg;
    return 0;
}

error_t ct_copy_option(ct_copy_options *o, int key, char *arg, struct argp_state *state)
{
    switch (key) {
        case CT_KEY_THR: o->thr = arg; return 0;
        case CT_KEY_VAL: o->val = arg; return 0;
        case 't': o->tile = arg; return 0;
        case CT_KEY_SRC: o->src = arg; return 0;
        case CT_KEY_DST: o->dst = arg; return 0;
        case CT_KEY_SHARED: o->shared = arg; return 0;
        case CT_KEY_SHARED_A: o->shared_a = arg; return 0;
        case CT_KEY_SHARED_B: o->shared_b = arg; return 0;
        case CT_KEY_TYPE: o->type = arg; return 0;
        case CT_KEY_JSON: o->json = 1; return 0;
        case CT_KEY_SRC_ALIGN: return alignment(state, "src-align", arg, &o->src_align);
        case CT_KEY_DST_ALIGN: return alignment(state, "dst-align", arg, &o->dst_align);
        case CT_KEY_SHARED_BYTES: return number(state, "shared-bytes", arg, &o->shared_bytes);
        case CT_KEY_BITS: return number(state, "bits", arg, &o->bits);
        case ARGP_KEY_ARG: return expression(o, arg, state);
        default: return ARGP_ERR_UNKNOWN;
    }
}

/* A value as a layout in memory. Any offsets without a swizzle; with one, those of at least 0. */
static int as_memory(const ct_copy_options *o, const char *option, ct_value *v, ct_tensor *out)
{
    int status = ct_cli_as_layout(o->command, v) ? CT_EXIT_BAD : CT_EXIT_OK;
    if (v->kind == CT_KIND_LAYOUT) *out = ct_make_tensor(v->as.layout);
    else if (v->kind == CT_KIND_TENSOR && ct_offset_is_integer(&v->as.tensor.offset))
        *out = v->as.tensor;
    else {
        ct_cli_complain(o->command, "--%s is for a layout, not %s", option, ct_kind_name(v));
        status = CT_EXIT_BAD;
    }
    return status;
}

static int memory(const ct_copy_options *o, const char *option, const char *text, int *has,
                  ct_tensor *out)
{
    ct_value v;
    if (!text) return CT_EXIT_OK;
    int status = ct_cli_evaluate(o->command, text, &v);
    if (status == CT_EXIT_OK) status = as_memory(o, option, &v, out);
    ct_value_free(&v);
    *has = status == CT_EXIT_OK;
    return status;
}

static int plain(const ct_copy_options *o, const char *option, const char *text, ct_layout *out)
{
    ct_tensor c;
    int has = 0;
    if (!text) return CT_EXIT_OK;
    const int status = memory(o, option, text, &has, &c);
    if (status != CT_EXIT_OK) return status;
    if (c.swizzle.bits != 0 || c.offset.value[0] != 0) {
        ct_cli_complain(o->command, "--%s takes a layout without a swizzle or an offset", option);
        return CT_EXIT_BAD;
    }
    *out = c.layout;
    return CT_EXIT_OK;
}

static int tile_of(const ct_copy_options *o, ct_copy_operands *out)
{
    out->tile = ct_tuple0();
    if (!o->tile) return CT_EXIT_OK;
    return ct_cli_tuple(o->command, "--tile", o->tile, &out->tile) ? CT_EXIT_BAD : CT_EXIT_OK;
}

/* The tiled copy or the thread-value layout. */
static int subject_of(const ct_copy_options *o, ct_copy_operands *out)
{
    ct_value v;
    ct_tensor c;
    if (!o->expression) return CT_EXIT_OK;
    int status = ct_cli_evaluate(o->command, o->expression, &v);
    if (status == CT_EXIT_OK && v.kind == CT_KIND_TILED_COPY) {
        out->is_copy = 1;
        out->copy = v.as.copy;
    } else if (status == CT_EXIT_OK && o->takes_mma && v.kind == CT_KIND_TILED_MMA) {
        out->is_mma = 1;
        out->mma = v.as.mma;
    } else if (status == CT_EXIT_OK && o->takes_mma && v.kind == CT_KIND_MMA_ATOM) {
        out->is_mma = 1;
        out->mma = ct_make_tiled_mma(v.as.mma_atom, ct_layout1(1, 0), ct_tiler0());
    } else if (status == CT_EXIT_OK && (v.kind == CT_KIND_LAYOUT || v.kind == CT_KIND_TUPLE)) {
        status = as_memory(o, "tile", &v, &c);
        out->has_tv = status == CT_EXIT_OK;
        if (out->has_tv) out->tv = c.layout;
    } else if (status == CT_EXIT_OK) {
        ct_cli_complain(o->command, "a tiled copy%s or a thread-value layout is needed, not %s",
                        o->takes_mma ? ", a tiled MMA" : "", ct_kind_name(&v));
        status = CT_EXIT_BAD;
    }
    ct_value_free(&v);
    return status;
}

static int check(const ct_copy_options *o, const ct_copy_operands *out)
{
    const char *wrong = NULL;
    if (out->is_mma && (o->tile || o->type || o->bits || o->thr || o->val || o->src || o->dst ||
                        o->shared || o->shared_bytes || o->src_align || o->dst_align))
        wrong = "of a tiled MMA only --shared-a, --shared-b and --arch can be given";
    else if (!out->is_mma && (o->shared_a || o->shared_b || (o->takes_mma && o->arch)))
        wrong = "--shared-a, --shared-b and --arch are for a tiled MMA";
    else if (out->is_copy && (o->tile || o->type || o->bits))
        wrong = "a tiled copy has its tile, its type and its accesses: --tile, --type and --bits "
                "are for layouts";
    else if (out->has_tv && !o->tile)
        wrong = "a thread-value layout needs the shape of its tile, as in --tile '(16,64)'";
    else if (o->expression && (o->thr || o->val))
        wrong = "either a tiled copy or thread-value layout, or --thr and --val";
    else if (!o->expression && !(o->thr && o->val))
        wrong = "a tiled copy is missing, or --thr and --val, as in: --thr '(16,8):(8,1)' --val "
                "'(1,8)'";
    if (wrong) ct_cli_complain(o->command, "%s", wrong);
    return wrong ? CT_EXIT_BAD : CT_EXIT_OK;
}

int ct_copy_operands_of(const ct_copy_options *o, ct_copy_operands *out)
{
    memset(out, 0, sizeof *out);
    char why[CT_MESSAGE_BYTES];
    ct_named_type type;
    if (ct_packed_type_read(o->type ? o->type : "half", &type, why)) {
        ct_cli_complain(o->command, "--type: %s", why);
        return CT_EXIT_BAD;
    }
    int status = subject_of(o, out);
    if (status == CT_EXIT_OK) status = check(o, out);
    if (status == CT_EXIT_OK) status = tile_of(o, out);
    if (status == CT_EXIT_OK) status = plain(o, "thr", o->thr, &out->thr);
    if (status == CT_EXIT_OK) status = plain(o, "val", o->val, &out->val);
    if (status == CT_EXIT_OK) status = memory(o, "src", o->src, &out->has_src, &out->src);
    if (status == CT_EXIT_OK) status = memory(o, "dst", o->dst, &out->has_dst, &out->dst);
    if (status == CT_EXIT_OK)
        status = memory(o, "shared", o->shared, &out->has_shared, &out->shared);
    if (status == CT_EXIT_OK)
        status = memory(o, "shared-a", o->shared_a, &out->has_shared_a, &out->shared_a);
    if (status == CT_EXIT_OK)
        status = memory(o, "shared-b", o->shared_b, &out->has_shared_b, &out->shared_b);
    out->has_blocks = o->thr != NULL;
    out->type_given = o->type != NULL;
    out->elem_bits = out->is_copy ? out->copy.atom.value_bits : type.bits;
    return status;
}
