/* A and B of a failed composition: found by doing it again. */
#include "note.h"

#include <stdio.h>
#include <string.h>

#include <cutlet/algebra/divide.h>

static int same_error(ct_error a, ct_error b)
{
    return a.op == b.op && a.why == b.why && a.mode == b.mode && a.other == b.other &&
           memcmp(a.n, b.n, sizeof a.n) == 0;
}

/* Where A composed with B fails in the same way: adds both. */
static int try_composition(ct_layout A, ct_layout B, ct_error e, char *message)
{
    char a[CT_TEXT_BYTES], b[CT_TEXT_BYTES], c[CT_TEXT_BYTES];
    ct_layout digits = CT_ZERO;
    if (B.err.status || !same_error(ct_composition(A, B).err, e)) return 0;
    if (ct_is_integral(B)) {
        ct_push_coalesced(&digits, ct_whole(&A), CT_KEEP_LAST);
        if (digits.profile.leaves > 1) digits = ct_layout_wrap(digits);
    } else digits = ct_coalesce_addressed(ct_whole(&A), ct_whole(&B));
    ct_format_layout(a, sizeof a, A);
    ct_format_layout(b, sizeof b, B);
    ct_format_layout(c, sizeof c, digits);
    const size_t n = strlen(message), more = strlen(a) + strlen(b) + strlen(c) + 40;
    const int as_it_is = strcmp(a, c) == 0;
    if (n + more < CT_MESSAGE_BYTES)
        snprintf(message + n, CT_MESSAGE_BYTES - n, "; A is %s%s%s, B is %s", a,
                 as_it_is ? "" : ", coalesced ", as_it_is ? "" : c, b);
    return 1;
}

/* As a composition, and as a divide, which is one with (B, rest). */
static int try_both(ct_layout A, ct_layout B, ct_error e, char *message)
{
    ct_layout rest = CT_ZERO;
    if (try_composition(A, B, e, message)) return 1;
    if (!ct_is_integral(B)) return 0;
    ct_complement_of(&rest, ct_whole(&B), ct_size(A), CT_GAPS_NONE);
    return rest.err.status == CT_OK && try_composition(A, ct_make_layout2(B, rest), e, message);
}

static int layout_of(const ct_value *v, ct_layout *out)
{
    if (v->kind == CT_KIND_TENSOR) *out = v->as.tensor.layout;
    else if (v->kind == CT_KIND_LAYOUT) *out = v->as.layout;
    else return 0;
    return 1;
}

void ct_note_composition(const ct_value *arg, int count, ct_error e, char *message)
{
    ct_layout A, B;
    const int named = e.why == CT_WHY_STRIDE_CROSSES || e.why == CT_WHY_SHAPE_CROSSES ||
                      e.why == CT_WHY_CARRY || e.why == CT_WHY_NEGATIVE;
    if (e.op != CT_OP_COMPOSITION || !named || count < 2 || !layout_of(&arg[0], &A)) return;
    if (layout_of(&arg[1], &B)) {
        try_both(A, B, e, message);
        return;
    }
    if (arg[1].kind != CT_KIND_TILER) return;
    const ct_tiler *const T = &arg[1].as.tiler;
    for (int k = 0; k < ct_tiler_count(*T) && k < ct_layout_rank(A); ++k) {
        const ct_layout tile = ct_tile(*T, k);
        if (!ct_tile_is_any(tile) && try_both(ct_mode(A, k), tile, e, message)) return;
    }
}
