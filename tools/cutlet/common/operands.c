/* Values that options take as expressions. */
#include "operands.h"

#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include <cutlet/host/text.h>
#include "text/extents.h"

int ct_cli_as_layout(const char *command, ct_value *v)
{
    char message[CT_MESSAGE_BYTES];
    if (v->kind != CT_KIND_TUPLE) return 0;
    v->kind = CT_KIND_LAYOUT;
    v->as.layout = ct_make_col_major(v->as.tuple);
    if (v->as.layout.err.status == CT_OK) return 0;
    ct_error_message(v->as.layout.err, message, sizeof message);
    ct_cli_complain(command, "%s", message);
    return 1;
}

int ct_cli_memory_of(const char *command, const char *option, ct_value *v, ct_tensor *out)
{
    int status = CT_EXIT_OK;
    if (ct_cli_as_layout(command, v)) status = CT_EXIT_BAD;
    else if (v->kind == CT_KIND_LAYOUT) *out = ct_make_swizzled(ct_swizzle_none(), 0, v->as.layout);
    else if (v->kind == CT_KIND_TENSOR && ct_offset_is_integer(&v->as.tensor.offset))
        *out = ct_make_swizzled(v->as.tensor.swizzle, v->as.tensor.offset.value[0],
                                v->as.tensor.layout);
    else {
        ct_cli_complain(command, "%s takes a layout, swizzled or not, not %s", option,
                        ct_kind_name(v));
        status = CT_EXIT_BAD;
    }
    if (status == CT_EXIT_OK && out->layout.err.status) {
        char why[CT_MESSAGE_BYTES];
        const int plain = v->kind == CT_KIND_LAYOUT && ct_is_integral(v->as.layout);
        const int64_t low = plain ? ct_lowest(v->as.layout) : 0;
        ct_error_message(out->layout.err, why, sizeof why);
        if (low < 0)
            snprintf(why, sizeof why,
                     "a negative stride reaches offset %lld; write %lld@ before the layout",
                     (long long)low, -(long long)low);
        ct_cli_complain(command, "%s: %s", option, why);
        status = CT_EXIT_BAD;
    }
    return status;
}

int ct_cli_memory(const char *command, const char *option, const char *text, ct_tensor *out)
{
    ct_value v;
    int status = ct_cli_evaluate(command, text, &v);
    if (status == CT_EXIT_OK) status = ct_cli_memory_of(command, option, &v, out);
    ct_value_free(&v);
    return status;
}

int ct_cli_access_of(const ct_copy_atom *atom, int side, int global)
{
    switch (atom->kind) {
        case CT_ATOM_CP_ASYNC_CA: return side ? CT_ACCESS_STS : CT_ACCESS_LDGSTS;
        case CT_ATOM_CP_ASYNC_CG: return side ? CT_ACCESS_STS : CT_ACCESS_LDGSTS_CG;
        case CT_ATOM_LDMATRIX:
        case CT_ATOM_LDMATRIX_TRANS: return CT_ACCESS_LDSM;
        case CT_ATOM_STMATRIX:
        case CT_ATOM_STMATRIX_TRANS: return CT_ACCESS_STSM;
        default: break;
    }
    if (side) return global ? CT_ACCESS_STG : CT_ACCESS_STS;
    return global ? CT_ACCESS_LDG : CT_ACCESS_LDS;
}

int ct_cli_bytes_of(const char *command, int32_t elem_bits, ct_tensor *t)
{
    char why[CT_MESSAGE_BYTES];
    const ct_tensor bytes = ct_tensor_recast(*t, elem_bits, 8);
    if (!bytes.layout.err.status) {
        *t = bytes;
        return CT_EXIT_OK;
    }
    ct_error_message(bytes.layout.err, why, sizeof why);
    ct_cli_complain(command, "elements of %d bits do not fill bytes: %s", (int)elem_bits, why);
    return CT_EXIT_FAILED;
}

int ct_cli_tuple(const char *command, const char *option, const char *text, ct_tuple *out)
{
    ct_diag diag;
    if (ct_extents_read(text, out, &diag) == 0) return 0;
    ct_cli_complain(command, "%s %.100s: %s", option, text, diag.message);
    return -1;
}

static int is_extent(ct_tuple t, int k)
{
    return t.basis[k] == CT_INTEGER && t.value[k] >= 1 && t.value[k] <= INT32_MAX;
}

error_t ct_cli_matrix_tile(struct argp_state *state, const char *text, int64_t *m, int64_t *n)
{
    ct_tuple tile;
    ct_diag diag;
    if (ct_extents_read(text, &tile, &diag) || tile.profile.leaves != 2 || ct_rank(tile) != 2 ||
        !is_extent(tile, 0) || !is_extent(tile, 1))
        return ct_cli_wrong(state, "--tile is as 128x64 or (128,64), not `%.40s`", text);
    *m = tile.value[0];
    *n = tile.value[1];
    return 0;
}

const ct_access_rules *ct_cli_rules(const char *command, const char *arch)
{
    int n;
    const ct_access_rules *all = ct_access_rules_all(&n);
    const ct_access_rules *rules = arch ? ct_access_rules_named(arch) : all;
    char names[256] = "";
    if (rules) return rules;
    for (int i = 0; i < n; ++i)
        snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", i ? ", " : "",
                 all[i].arch);
    ct_cli_complain(command, "there are no rules for `%.40s`; there are for %s", arch, names);
    return NULL;
}

ct_tuple ct_cli_first_tile(ct_tiled_copy copy, ct_tuple shape)
{
    const ct_tuple tile = ct_tiled_copy_shape(copy), whole = ct_product_each(shape);
    ct_tuple first = ct_tuple0();
    for (int k = 0; k < ct_rank(whole); ++k) {
        const int64_t n = ct_product(ct_get(whole, k));
        first = ct_append(first,
                          ct_int(k < ct_rank(tile) ? ct_min(n, ct_product(ct_get(tile, k))) : 1));
    }
    return first;
}
