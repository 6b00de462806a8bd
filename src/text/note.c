/* A and B of a failed composition: found by doing it again. */
#include "note.h"

#include <stdio.h>
#include <string.h>

#include <cutlet/algebra/inverse.h>
#include <cutlet/algebra/make.h>
#include <cutlet/algebra/product.h>

static int same_error(ct_error a, ct_error b)
{
    return a.op == b.op && a.why == b.why && a.mode == b.mode && a.other == b.other &&
           memcmp(a.n, b.n, sizeof a.n) == 0;
}

/* What A is: as written, where `of` is NULL, or made of the layout. */
typedef struct origin {
    const char *words;
    const ct_layout *of;
} origin;

static const origin as_written = {"", NULL};

/* Where A composed with B fails in the same way: adds both. */
static int try_composition(ct_layout A, ct_layout B, origin from, ct_error e, char *message)
{
    char a[CT_TEXT_BYTES], b[CT_TEXT_BYTES], c[CT_TEXT_BYTES];
    ct_layout digits = CT_ZERO;
    if (B.err.status || !same_error(ct_composition(A, B).err, e)) return 0;
    if (ct_is_integral(B)) {
        ct_push_coalesced(&digits, ct_whole(&A), CT_KEEP_LAST);
        if (digits.profile.leaves > 1) digits = ct_layout_wrap(digits);
    } else digits = ct_coalesce_addressed(ct_whole(&A), ct_whole(&B));
    ct_format_layout(a, sizeof a, from.of ? *from.of : A);
    ct_format_layout(b, sizeof b, B);
    ct_format_layout(c, sizeof c, digits);
    const size_t n = strlen(message);
    const size_t more = strlen(from.words) + strlen(a) + strlen(b) + strlen(c) + 40;
    const int as_it_is = strcmp(a, c) == 0;
    if (n + more < CT_MESSAGE_BYTES)
        snprintf(message + n, CT_MESSAGE_BYTES - n, "; A is %s%s%s%s, B is %s", from.words, a,
                 as_it_is ? "" : ", coalesced ", as_it_is ? "" : c, b);
    return 1;
}

/* As a composition, and as a divide, which is one with (B, rest). */
static int try_both(ct_layout A, ct_layout B, ct_error e, char *message)
{
    ct_layout rest = CT_ZERO;
    if (try_composition(A, B, as_written, e, message)) return 1;
    if (!ct_is_integral(B)) return 0;
    ct_complement_of(&rest, ct_whole(&B), ct_size(A), CT_GAPS_NONE);
    return rest.err.status == CT_OK &&
           try_composition(A, ct_make_layout2(B, rest), as_written, e, message);
}

/* As a product, which composes the complement of A with B: that up to the size of the copies, or, where
 * these are too few, up to their extent. */
static int try_product(ct_layout A, ct_layout B, const char *words, ct_error e, char *message)
{
    ct_layout once = CT_ZERO;
    if (!ct_is_integral(A) || !ct_is_integral(B)) return 0;
    ct_push_coalesced(&once, ct_whole(&A), CT_NO_ZEROS);
    const int64_t block[] = {ct_size(A), ct_cosize(once)};
    for (int k = 0; k < 2; ++k) {
        ct_layout places = CT_ZERO;
        int ok = 1;
        const int64_t n = ct_mul(block[k], ct_cosize(B), &ok);
        if (!ok) return 0;
        ct_complement_of(&places, ct_whole(&A), n, CT_GAPS_ROUND);
        if (places.err.status == CT_OK &&
            try_composition(places, B, (origin){words, &A}, e, message))
            return 1;
    }
    return 0;
}

static int layout_of(const ct_value *v, ct_layout *out)
{
    if (v->kind == CT_KIND_TENSOR) *out = v->as.tensor.layout;
    else if (v->kind == CT_KIND_LAYOUT) *out = v->as.layout;
    else return 0;
    return 1;
}

/* As tile_to_shape, which is a product with the copies that fill the shape. */
static void try_tiles(ct_layout A, const ct_value *arg, int count, ct_error e, char *message)
{
    if (arg[1].kind != CT_KIND_TUPLE || (count > 2 && arg[2].kind != CT_KIND_TUPLE)) return;
    ct_tuple copies = ct_product_each(arg[1].as.tuple);
    ct_pad_rank(&A, ct_rank(copies));
    for (int k = 0; k < ct_rank(copies); ++k) copies.value[k] /= ct_size(ct_mode(A, k));
    try_product(
        A, count > 2 ? ct_make_ordered_layout(copies, arg[2].as.tuple) : ct_make_col_major(copies),
        "the complement of ", e, message);
}

/* As make_cotiled_copy, which composes the left inverse of the data with the addresses. */
static void try_cotiled(const ct_value *arg, int count, ct_error e, char *message)
{
    ct_layout addresses, data, inverse = CT_ZERO;
    if (count < 3 || !layout_of(&arg[1], &addresses) || !layout_of(&arg[2], &data)) return;
    ct_left_inverse_any(&inverse, &data);
    const ct_layout back = ct_make_layout2(inverse, ct_layout1(1, 0));
    if (try_composition(back, addresses, (origin){"the left inverse, and a rest, of ", &data}, e,
                        message))
        return;
    const ct_layout tv =
        ct_composition(back, addresses); /* where the threads lie along each mode */
    const ct_tuple shape = ct_product_each(ct_shape(data));
    for (int k = 0; k < ct_rank(shape); ++k) {
        ct_tuple along = shape;
        for (int i = 0; i < ct_rank(shape); ++i) along.value[i] = i == k;
        if (try_composition(ct_make_layout(shape, along), tv, as_written, e, message)) return;
    }
}

void ct_note_composition(const char *name, const ct_value *arg, int count, ct_error e,
                         char *message)
{
    static const char complement[] = "the complement of ";
    ct_layout A, B;
    const int named = e.why == CT_WHY_STRIDE_CROSSES || e.why == CT_WHY_SHAPE_CROSSES ||
                      e.why == CT_WHY_CARRY || e.why == CT_WHY_NEGATIVE;
    const int repeats = strstr(name, "_product") != NULL;
    if (e.op != CT_OP_COMPOSITION || !named || count < 2) return;
    if (arg[0].kind == CT_KIND_MMA_ATOM && layout_of(&arg[1], &B))
        try_product(arg[0].as.mma_atom.thr_id, B, "the complement of the atom's threads ", e,
                    message);
    if (strcmp(name, "make_cotiled_copy") == 0) try_cotiled(arg, count, e, message);
    if (!layout_of(&arg[0], &A)) return;
    if (strcmp(name, "tile_to_shape") == 0) try_tiles(A, arg, count, e, message);
    if (layout_of(&arg[1], &B)) {
        if (repeats) try_product(A, B, complement, e, message);
        else try_both(A, B, e, message);
        return;
    }
    if (arg[1].kind != CT_KIND_TILER) return;
    const ct_tiler *const T = &arg[1].as.tiler;
    const ct_by_mode m = ct_match_modes(A.profile, T->nesting, CT_OP_DIVIDE);
    for (int i = 0; i < m.count && m.err.status == CT_OK; ++i) {
        const ct_layout part = ct_part_layout(ct_by_mode_part(&A, &m, i));
        const ct_layout tile = m.guide[i] < 0 ? ct_tile_any() : ct_tile(*T, m.guide[i]);
        if (ct_tile_is_any(tile)) continue;
        if (repeats ? try_product(part, tile, complement, e, message)
                    : try_both(part, tile, e, message))
            return;
    }
}
