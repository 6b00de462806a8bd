/* Linear layouts as encodings of Triton. */
#include <string.h>

#include "exchange.h"
#include "text/triton.h"

static void put_integers(ct_builder *b, const int64_t *list, int count)
{
    ct_put_char(b, '[');
    for (int i = 0; i < count; ++i) ct_put(b, "%s%lld", i ? ", " : "", (long long)list[i]);
    ct_put_char(b, ']');
}

static void put_list(ct_builder *b, const char *name, const int64_t *list, int count)
{
    ct_put(b, "%s = ", name);
    put_integers(b, list, count);
}

/* The coordinate of an index of the tensor. */
static ct_basis_row coordinate(const ct_bases *f, int64_t index)
{
    ct_basis_row row;
    memset(&row, 0, sizeof row);
    for (int d = 0; d < f->rank; ++d) {
        row.at[d] = index & (((int64_t)1 << f->log[d]) - 1);
        index >>= f->log[d];
    }
    return row;
}

static void put_rows(ct_builder *b, const char *name, const ct_basis_row *rows, int count, int rank)
{
    ct_put(b, "%s = [", name);
    for (int k = 0; k < count; ++k) {
        ct_put_text(b, k ? ", " : "");
        put_integers(b, rows[k].at, rank);
    }
    ct_put_char(b, ']');
}

static void put_input(ct_builder *b, const char *name, const ct_bases *f, int in)
{
    ct_basis_row rows[CT_LINEAR_BITS];
    for (int k = 0; k < f->bits[in]; ++k) rows[k] = coordinate(f, f->image[in][k]);
    put_rows(b, name, rows, f->bits[in], f->rank);
}

static ct_status put_linear(ct_builder *b, const ct_bases *f, ct_diag *diag)
{
    const int plain = ct_bases_permute(f);
    const ct_status bad = ct_linear_check(f, diag);
    if (bad) return bad;
    ct_put(b, "#ttg.%s<{", plain ? "linear" : "generic_linear");
    put_input(b, "register", f, CT_IN_REGISTER);
    put_input(b, ", lane", f, CT_IN_LANE);
    put_input(b, ", warp", f, CT_IN_WARP);
    put_input(b, ", block", f, CT_IN_BLOCK);
    ct_put_text(b, "}>");
    return CT_OK;
}

static void put_shared_linear(ct_builder *b, const ct_bases *f)
{
    ct_put_text(b, "#ttg.shared_linear<{");
    put_input(b, "offset", f, CT_IN_OFFSET);
    if (f->bits[CT_IN_BLOCK] > 0) put_input(b, ", block", f, CT_IN_BLOCK);
    ct_put_text(b, "}, alignment = 16>");
}

static void put_encoding(ct_builder *b, const ct_encoding *e)
{
    if (e->kind == CT_SYSTEM_TRITON_BLOCKED) {
        ct_put_text(b, "#ttg.blocked<{");
        put_list(b, "sizePerThread", e->per_thread, e->rank);
        put_list(b, ", threadsPerWarp", e->threads, e->rank);
        put_list(b, ", warpsPerCTA", e->warps, e->rank);
        put_list(b, ", order", e->order, e->rank);
    } else if (e->kind == CT_SYSTEM_TRITON_SWIZZLED) {
        ct_put(b, "#ttg.swizzled_shared<{vec = %lld, perPhase = %lld, maxPhase = %lld",
               (long long)e->vec, (long long)e->per_phase, (long long)e->max_phase);
        put_list(b, ", order", e->order, e->rank);
    } else {
        ct_put(b,
               "#ttg.nvmma_shared<{swizzlingByteWidth = %lld, transposed = %s, "
               "elementBitWidth = %lld",
               (long long)e->swizzle_bytes, e->transposed ? "true" : "false",
               (long long)e->element_bits);
        if (e->rank != 2 && e->blocks == 0) ct_put(b, ", rank = %d", e->rank);
    }
    if (e->blocks > 0) put_rows(b, ", CGALayout", e->cga, e->blocks, e->rank);
    ct_put_text(b, "}>");
}

ct_status ct_write_triton(ct_builder *b, int system, const ct_bases *f, int element_bits,
                          ct_diag *diag)
{
    static const char *const names[CT_SYSTEM_COUNT] = {[CT_SYSTEM_TRITON_BLOCKED] = "blocked",
                                                       [CT_SYSTEM_TRITON_SWIZZLED] = "swizzled_"
                                                                                     "shared",
                                                       [CT_SYSTEM_TRITON_NVMMA] = "nvmma_shared"};
    ct_encoding e;
    memset(&e, 0, sizeof e);
    e.kind = system;
    int bases = 0;
    for (int in = 0; in < CT_IN_COUNT; ++in) bases += f->bits[in];
    if (bases == 0 && (system == CT_SYSTEM_TRITON_LINEAR || system == CT_SYSTEM_TRITON_SHARED))
        return ct_conversion_fail(
            diag, CT_E_NO_LAYOUT,
            "the layout has one element, so no basis: Triton reads the rank from the bases");
    if (system == CT_SYSTEM_TRITON_LINEAR) return put_linear(b, f, diag);
    if (system == CT_SYSTEM_TRITON_SHARED) {
        put_shared_linear(b, f);
        return CT_OK;
    }
    if (system == CT_SYSTEM_TRITON_NVMMA && element_bits == 0)
        return ct_conversion_fail(diag, CT_E_ARGUMENT,
                                  "the type of the elements is missing, as in "
                                  "--type half: nvmma_shared has their bits");
    if (system == CT_SYSTEM_TRITON_NVMMA &&
        (ct_log2(element_bits) < 3 || element_bits > 64 || f->rank > 5))
        return ct_conversion_fail(diag, CT_E_NO_LAYOUT,
                                  "nvmma_shared takes elements of 8, 16, 32 or "
                                  "64 bits and a rank up to 5, not %d bits and %d",
                                  element_bits, f->rank);
    if (!ct_encoding_of_bases(f, element_bits, &e))
        return ct_conversion_fail(diag, CT_E_NO_LAYOUT,
                                  "no %s encoding is this function; "
                                  "triton-%s gives its bases",
                                  names[system],
                                  system == CT_SYSTEM_TRITON_BLOCKED ? "linear" : "shared_linear");
    put_encoding(b, &e);
    return CT_OK;
}
