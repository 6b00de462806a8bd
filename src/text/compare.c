/* Comparisons: `==`, `~`, `== error`, and expressions that may hold one. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/builder.h"
#include "evaluate.h"
#include "offsets.h"
#include "operations.h"
#include "triton_text.h"
#include "unknown.h"

/* The comparison whose sign begins at a place. The `>` of a bracket may stand before `==`. */
static int comparison_at(const char *text, size_t length, size_t i)
{
    const char next = i + 1 < length ? text[i + 1] : 0;
    if (text[i] == '~') return CT_COMPARE_SAME;
    if (next != '=') return CT_COMPARE_NONE;
    if (text[i] == '=') return CT_COMPARE_EQUAL;
    if (i + 2 < length && text[i + 2] == '=') return CT_COMPARE_NONE;
    return text[i] == '<' ? CT_COMPARE_MOST : text[i] == '>' ? CT_COMPARE_LEAST : CT_COMPARE_NONE;
}

/* Behind a type of CuTe's IR or of Triton's that begins at i, in which `=` names a parameter; i where none does. */
static size_t skip_type(const char *text, size_t length, size_t i)
{
    size_t end = i;
    int depth = 0;
    const size_t rest = length - i;
    const int is_cute = rest >= 5 && memcmp(text + i, "!cute", 5) == 0;
    const int may_be = text[i] == '#' || (rest >= 5 && memcmp(text + i, "!ttg.", 5) == 0) ||
                       (rest >= 7 && memcmp(text + i, "tensor<", 7) == 0);
    if (!is_cute &&
        !(may_be && ct_begins_triton(&(ct_reader){.text = text, .length = length, .at = i})))
        return i;
    do {
        depth += text[end] == '<';
        depth -= text[end] == '>' && text[end - 1] != '-';
    } while (++end < length && (depth > 0 || (text[end - 1] != '>' && text[end - 1] != ' ')));
    return end;
}

size_t ct_text_without_comment(const char *line, size_t length)
{
    size_t n = 0;
    for (int depth = 0; n < length;
         ++n) { /* of brackets, in which `#` is an encoding or its alias */
        const int is_sign = n + 1 < length && line[n + 1] == '=';
        depth += (line[n] == '<') - (line[n] == '>' && depth > 0) - (line[n] == '<' && is_sign);
        if (line[n] == '#' && depth == 0 && !ct_begins_encoding(line + n, length - n)) break;
    }
    return n;
}

ct_status ct_find_assertion(const char *text, size_t length, ct_assertion *c, ct_diag *diag)
{
    size_t sign = length, width = 0;
    int kind = CT_COMPARE_NONE, depth = 0; /* of parentheses, in which `=` names an argument */
    for (size_t i = 0; i < length; ++i) {
        i = skip_type(text, length, i);
        if (i == length) break;
        const int found = comparison_at(text, length, i);
        depth += (text[i] == '(') - (text[i] == ')');
        const int is_value = i > 0 && text[i - 1] == '?';          /* with ?=8 */
        const int is_alias = i + 2 < length && text[i + 2] == '#'; /* #a = #ttg.. */
        if (found == CT_COMPARE_NONE && (text[i] != '=' || depth > 0 || is_value || is_alias))
            continue;
        if (kind != CT_COMPARE_NONE || found == CT_COMPARE_NONE) {
            if (diag) {
                memset(diag, 0, sizeof *diag);
                diag->at = i;
                diag->length = 1;
                strcpy(diag->message, kind != CT_COMPARE_NONE ? "a second comparison in one line"
                                                              : "a comparison is written `==`");
            }
            return CT_E_TEXT;
        }
        kind = found;
        sign = i;
        width = text[i] == '~' ? 1 : 2;
        i += width - 1;
    }
    const ct_text_span left = {text, 0, sign, 0}, right = {text, sign + width, length, 0};
    c->left = left;
    c->right = right;
    size_t begin = right.begin, end = right.end;
    while (begin < end && (unsigned char)text[begin] <= ' ') ++begin;
    while (end > begin && (unsigned char)text[end - 1] <= ' ') --end;
    if (kind == CT_COMPARE_EQUAL && end - begin == 5 && memcmp(text + begin, "error", 5) == 0)
        kind = CT_COMPARE_ERROR;
    c->kind = kind;
    return 0;
}

static int in_order(const ct_value *a, const ct_value *b, const ct_assertion *c, ct_diag *diag)
{
    const ct_value *const side[2] = {a, b};
    const ct_text_span *const span[2] = {&c->left, &c->right};
    for (int i = 0; i < 2; ++i) {
        if (side[i]->kind == CT_KIND_TUPLE && ct_is_integer(side[i]->as.tuple) &&
            side[i]->as.tuple.basis[0] == CT_INTEGER)
            continue;
        memset(diag, 0, sizeof *diag);
        diag->at = span[i]->begin;
        diag->length = span[i]->end - span[i]->begin;
        snprintf(diag->message, sizeof diag->message, "`%s` compares integers, and not %s",
                 c->kind == CT_COMPARE_MOST ? "<=" : ">=", ct_kind_name(side[i]));
        return -1;
    }
    const int64_t x = a->as.tuple.value[0], y = b->as.tuple.value[0];
    return c->kind == CT_COMPARE_MOST ? x <= y : x >= y;
}

/* a as a value of the kind of b, if the notation converts one to the other. */
static ct_value as_kind_of(const ct_value *a, const ct_value *b)
{
    ct_value v = *a;
    if (a->kind == CT_KIND_TUPLE && b->kind == CT_KIND_LAYOUT)
        ct_give_layout(&v, ct_layout_of_shape(a->as.tuple));
    else if (a->kind == CT_KIND_TUPLE && b->kind == CT_KIND_TILER) ct_value_to_tiler(&v);
    else if (a->kind == CT_KIND_BOOL && b->kind == CT_KIND_TUPLE)
        ct_give_tuple(&v, ct_int(a->as.boolean));
    return v;
}

static int tiler_equal(const ct_tiler *a, const ct_tiler *b)
{
    return ct_layout_equal(a->tiles, b->tiles) && ct_profile_difference(a->nesting, b->nesting) < 0;
}

static int swizzle_equal(ct_swizzle a, ct_swizzle b)
{
    return a.bits == b.bits && a.base == b.base && a.shift == b.shift;
}

static int atom_equal(const ct_copy_atom *a, const ct_copy_atom *b)
{
    return a->kind == b->kind && a->bits == b->bits && a->matrices == b->matrices &&
           a->value_bits == b->value_bits && a->elem == b->elem &&
           ct_layout_equal(a->src_tv, b->src_tv) && ct_layout_equal(a->dst_tv, b->dst_tv) &&
           ct_layout_equal(a->ref_tv, b->ref_tv);
}

static int mma_equal(const ct_mma_atom *a, const ct_mma_atom *b)
{
    return ct_mma_same_op(a->op, b->op) && ct_layout_equal(a->thr_id, b->thr_id) &&
           ct_layout_equal(a->a_tv, b->a_tv) && ct_layout_equal(a->b_tv, b->b_tv) &&
           ct_layout_equal(a->c_tv, b->c_tv);
}

int ct_value_equal(const ct_value *first, const ct_value *second)
{
    const ct_value a = as_kind_of(first, second), b = as_kind_of(second, first);
    if (a.kind != b.kind || ct_value_error(&a).status || ct_value_error(&b).status) return 0;
    switch (a.kind) {
        case CT_KIND_BOOL: return a.as.boolean == b.as.boolean;
        case CT_KIND_NAME: return strcmp(a.as.name, b.as.name) == 0;
        case CT_KIND_TUPLE: return ct_tuple_equal(a.as.tuple, b.as.tuple);
        case CT_KIND_LIST:
            return a.as.list.count == b.as.list.count &&
                   memcmp(a.as.list.item, b.as.list.item,
                          sizeof(int64_t) * (size_t)a.as.list.count) == 0;
        case CT_KIND_LAYOUT: return ct_layout_equal(a.as.layout, b.as.layout);
        case CT_KIND_TILER: return tiler_equal(&a.as.tiler, &b.as.tiler);
        case CT_KIND_TENSOR:
            return swizzle_equal(a.as.tensor.swizzle, b.as.tensor.swizzle) &&
                   ct_tuple_equal(a.as.tensor.offset, b.as.tensor.offset) &&
                   ct_layout_equal(a.as.tensor.layout, b.as.tensor.layout);
        case CT_KIND_SWIZZLE: return swizzle_equal(a.as.swizzle, b.as.swizzle);
        case CT_KIND_COPY_ATOM: return atom_equal(&a.as.atom, &b.as.atom);
        case CT_KIND_TILED_COPY:
            return atom_equal(&a.as.copy.atom, &b.as.copy.atom) &&
                   ct_layout_equal(a.as.copy.tv, b.as.copy.tv) &&
                   tiler_equal(&a.as.copy.tiler, &b.as.copy.tiler);
        case CT_KIND_MMA_ATOM: return mma_equal(&a.as.mma_atom, &b.as.mma_atom);
        case CT_KIND_TILED_MMA:
            return mma_equal(&a.as.mma.atom, &b.as.mma.atom) &&
                   ct_layout_equal(a.as.mma.atoms, b.as.mma.atoms) &&
                   tiler_equal(&a.as.mma.tiler, &b.as.mma.tiler);
        default: return 0;
    }
}

/* The leaves of L as a function of the index, each run of equal steps as one leaf. Two layouts are
 * the same function exactly if these are equal. Independent of ct_coalesce, which it checks. */
static int runs(ct_layout L, int64_t *shape, int64_t *stride, uint32_t *basis)
{
    int n = 0;
    for (int i = 0; i < L.profile.leaves; ++i) {
        if (L.shape[i] == 1) continue;
        const uint32_t b = L.stride[i] == 0 ? CT_INTEGER : L.basis[i];
        int fits = 1;
        if (n > 0 && basis[n - 1] == b &&
            ct_step_mul(shape[n - 1], stride[n - 1], b, &fits) == L.stride[i] && fits) {
            shape[n - 1] *= L.shape[i];
            continue;
        }
        shape[n] = L.shape[i];
        stride[n] = L.stride[i];
        basis[n++] = b;
    }
    return n;
}

/* The first index at which two layouts of one size differ, or -1. Up to there their runs are equal;
 * the shorter of two with equal steps ends there. */
static int64_t first_difference(ct_layout a, ct_layout b)
{
    int64_t shape_a[CT_MAX_LEAVES], shape_b[CT_MAX_LEAVES];
    int64_t stride_a[CT_MAX_LEAVES], stride_b[CT_MAX_LEAVES];
    uint32_t basis_a[CT_MAX_LEAVES], basis_b[CT_MAX_LEAVES];
    const int n = runs(a, shape_a, stride_a, basis_a), m = runs(b, shape_b, stride_b, basis_b);
    int64_t before = 1;
    for (int i = 0; i < n && i < m; ++i) {
        if (stride_a[i] != stride_b[i] || basis_a[i] != basis_b[i]) return before;
        if (shape_a[i] != shape_b[i]) return before * ct_min(shape_a[i], shape_b[i]);
        before *= shape_a[i];
    }
    return -1;
}

int ct_value_same_function(const ct_value *first, const ct_value *second, int64_t *index)
{
    ct_value a = *first, b = *second;
    int64_t size_a = 0, size_b = 0;
    if (index) *index = -1;
    if (a.kind == CT_KIND_TUPLE) ct_give_layout(&a, ct_layout_of_shape(a.as.tuple));
    if (b.kind == CT_KIND_TUPLE) ct_give_layout(&b, ct_layout_of_shape(b.as.tuple));
    if (!ct_function_size(&a, &size_a) || !ct_function_size(&b, &size_b)) return -1;
    if (size_a != size_b) return 0;
    if (size_a > CT_MAX_LIST) { /* too many to count out */
        if (a.kind != CT_KIND_LAYOUT || b.kind != CT_KIND_LAYOUT) return -1;
        const int64_t at = first_difference(a.as.layout, b.as.layout);
        if (index) *index = at;
        return at < 0;
    }
    for (int64_t i = 0; i < size_a; ++i) {
        const ct_tuple x = ct_function_at(&a, i), y = ct_function_at(&b, i);
        if (ct_tuple_equal(x, y)) continue;
        if (index) *index = i;
        return 0;
    }
    return 1;
}

static void fail_same(const ct_value *a, const ct_value *b, const ct_assertion *c, ct_diag *diag)
{
    int64_t size = 0;
    if (!diag) return;
    memset(diag, 0, sizeof *diag);
    diag->at = c->left.end;
    diag->length = 1;
    const ct_value *bad = !ct_function_size(a, &size) && a->kind != CT_KIND_TUPLE ? a : b;
    ct_builder s = ct_builder_fixed(diag->message, sizeof diag->message);
    if (ct_function_size(bad, &size))
        ct_put(&s, "`~` compares at most %d indices of tensors and composed layouts", CT_MAX_LIST);
    else ct_put(&s, "`~` compares functions, not %s", ct_kind_name(bad));
    ct_builder_end(&s);
}

int ct_compare_sides(const ct_value *a, const ct_value *b, const ct_assertion *c, int64_t *index,
                     ct_diag *diag)
{
    if (index) *index = -1;
    if (c->kind == CT_COMPARE_EQUAL) return ct_value_equal(a, b);
    if (c->kind != CT_COMPARE_SAME) return in_order(a, b, c, diag);
    const int same = ct_value_same_function(a, b, index);
    if (same < 0) fail_same(a, b, c, diag);
    return same;
}

void ct_assume_unknown(ct_assertion *c)
{
    if (ct_has_unknown(c->left.text, c->right.end))
        c->left.assumed = c->right.assumed = CT_UNKNOWN_FIRST;
}

ct_status ct_check_assumed(const ct_assertion *c, const ct_value *a, const ct_value *b,
                           ct_diag *diag)
{
    const int may_differ = c->kind == CT_COMPARE_EQUAL || c->kind == CT_COMPARE_SAME;
    ct_text_span left = c->left, right = c->right;
    ct_value x, y = {0};
    left.assumed = right.assumed = CT_UNKNOWN_OTHER;
    ct_status bad = ct_evaluate_span(&left, &x, diag, NULL, NULL);
    if (!bad) bad = ct_evaluate_span(&right, &y, diag, NULL, NULL);
    if (!bad && !(ct_value_equal(a, &x) && ct_value_equal(b, &y)) &&
        !(may_differ && ct_value_equal(a, b) && ct_value_equal(&x, &y))) {
        left.end = right.end;
        bad = ct_ask_unknown(&left, diag);
    }
    ct_value_free(&x);
    ct_value_free(&y);
    return bad;
}

static ct_status evaluate_assertion(const ct_assertion *c, ct_value *out, ct_diag *diag,
                                    void (*observe)(void *, const ct_step *), void *context)
{
    ct_value a, b;
    ct_status result = ct_evaluate_span(&c->left, &a, diag, observe, context);
    if (ct_is_unread(result) && a.kind != CT_KIND_ERROR) return result;
    if (c->kind == CT_COMPARE_ERROR) {
        ct_value_free(&a);
        ct_give_bool(out, result != 0);
        return 0;
    }
    if (result) {
        *out = a;
        return result;
    }
    result = ct_evaluate_span(&c->right, &b, diag, observe, context);
    if (result) {
        ct_value_free(&a);
        *out = b;
        return result;
    }
    const int asks = c->left.assumed && ct_check_assumed(c, &a, &b, diag);
    const int equal = asks ? -1 : ct_compare_sides(&a, &b, c, NULL, diag);
    if (equal < 0) {
        result = CT_E_TEXT;
        out->kind = CT_KIND_NONE;
    } else {
        ct_give_bool(out, equal);
    }
    ct_value_free(&a);
    ct_value_free(&b);
    return result;
}

ct_status ct_evaluate_assumed(const char *text, int64_t assumed, ct_value *out, ct_diag *diag,
                              void (*observe)(void *, const ct_step *), void *context)
{
    ct_assertion c;
    out->kind = CT_KIND_NONE;
    ct_status result = ct_find_assertion(text, strlen(text), &c, diag);
    if (result) return result;
    c.left.assumed = c.right.assumed = assumed;
    result = c.kind == CT_COMPARE_NONE ? ct_evaluate_span(&c.left, out, diag, observe, context)
                                       : evaluate_assertion(&c, out, diag, observe, context);
    if (ct_is_unread(result)) out->kind = CT_KIND_NONE;
    return result;
}

ct_status ct_evaluate_for_all(const char *expression, ct_value *out, char **text, ct_diag *diag)
{
    static const int64_t assumed[2] = {CT_UNKNOWN_FIRST, CT_UNKNOWN_OTHER};
    const ct_text_span all = {expression, 0, strlen(expression), 0};
    ct_value other;
    char *of[2] = {NULL, NULL};
    *text = NULL;
    if (!ct_has_unknown(expression, all.end))
        return ct_evaluate_assumed(expression, 0, out, diag, NULL, NULL);
    ct_status bad = ct_evaluate_assumed(expression, assumed[0], out, diag, NULL, NULL);
    if (!bad) bad = ct_evaluate_assumed(expression, assumed[1], &other, diag, NULL, NULL);
    else return bad;
    if (!bad && !ct_value_equal(out, &other)) {
        of[0] = ct_value_text(out);
        of[1] = ct_value_text(&other);
        for (int i = 0; i < 2 && of[i]; ++i) ct_write_unknown(of[i], assumed[i], 1);
        if (!of[0] || !of[1]) bad = ct_reader_no_memory(&(ct_reader){.diag = diag}, 0);
        else if (strcmp(of[0], of[1]) != 0) bad = ct_ask_unknown(&all, diag);
    }
    ct_value_free(&other);
    free(of[1]);
    if (bad) free(of[0]);
    else *text = of[0];
    if (bad) ct_value_free(out);
    return bad;
}

ct_status ct_evaluate_observed(const char *text, ct_value *out, ct_diag *diag,
                               void (*observe)(void *context, const ct_step *step), void *context)
{
    return ct_evaluate_assumed(text, 0, out, diag, observe, context);
}

ct_status ct_evaluate(const char *text, ct_value *out, ct_diag *diag)
{
    char *answer;
    const ct_text_span all = {text, 0, strlen(text), 0};
    const ct_status bad = ct_evaluate_for_all(text, out, &answer, diag);
    if (!answer) return bad;
    free(answer);
    ct_value_free(out);
    return ct_ask_unknown(&all, diag);
}
