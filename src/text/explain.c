/* Explanations: the walk over the operations of an expression, and which explanation each has. */
#include <cutlet/host/explain.h>

#include <stdlib.h>
#include <string.h>

#include <cutlet/algebra/complement.h>
#include "evaluate.h"
#include "explainer.h"
#include "offsets.h"
#include "reader.h"
#include "unknown.h"

static int is(const ct_step *s, const char *name) { return strcmp(s->name, name) == 0; }

static int kinds(const ct_step *s, int first, int second)
{
    return s->count >= 1 && s->arg[0].kind == first &&
           (second == CT_KIND_NONE || (s->count >= 2 && s->arg[1].kind == second));
}

static int64_t integer(const ct_value *v) { return v->as.tuple.value[0]; }

static ct_tuple coordinate(const ct_value *v)
{
    return v->kind == CT_KIND_TUPLE ? v->as.tuple : ct_tuple0();
}

/* divide and product, for any nesting of the result */
static const char *nesting_rule(const char *name)
{
    if (strncmp(name, "zipped", 6) == 0) return "zipped: all tiles in mode 0, all rests in mode 1";
    if (strncmp(name, "tiled", 5) == 0)
        return "tiled: the tiles in mode 0, then each rest as a mode of its own";
    if (strncmp(name, "flat", 4) == 0) return "flat: each tile and each rest as a mode of its own";
    return NULL;
}

static int ends_with(const char *name, const char *end)
{
    const size_t n = strlen(name), m = strlen(end);
    return n >= m && strcmp(name + n - m, end) == 0;
}

static int explain_two_layouts(ct_explainer *x, const ct_step *s)
{
    const int by_layout = kinds(s, CT_KIND_LAYOUT, CT_KIND_LAYOUT);
    const int by_tiler = kinds(s, CT_KIND_LAYOUT, CT_KIND_TILER);
    const ct_layout A = s->arg[0].as.layout, B = s->arg[s->count > 1].as.layout;
    void (*each)(ct_explainer *, ct_layout, ct_layout) = NULL;
    if (s->count != 2 || (!by_layout && !by_tiler)) return 0;
    if (is(s, "composition")) each = ct_explain_composition;
    else if (ends_with(s->name, "_divide")) each = ct_explain_divide;
    else if (is(s, "blocked_product") || is(s, "raked_product")) {
        ct_explain_zip(x, A, B, s->name[0] == 'b');
        return 1;
    } else if (ends_with(s->name, "_product")) each = ct_explain_product;
    else if (is(s, "max_common_vector") || is(s, "max_common_layout")) each = ct_explain_common;
    if (!each) return 0;
    if (by_tiler) ct_explain_by_mode(x, A, s->arg[1].as.tiler, each);
    else each(x, A, B);
    if (nesting_rule(s->name)) ct_say(x, "%s.", nesting_rule(s->name));
    return 1;
}

static int explain_one_layout(ct_explainer *x, const ct_step *s)
{
    if (!kinds(s, CT_KIND_LAYOUT, CT_KIND_NONE)) return 0;
    const ct_layout L = s->arg[0].as.layout;
    const int64_t n = s->count == 2 && s->arg[1].kind == CT_KIND_TUPLE ? integer(&s->arg[1]) : 0;
    const int by_integer = s->count == 1 || ct_is_integer(s->arg[1].as.tuple);
    const int of_integers = ct_is_integral(L) && by_integer;
    if (is(s, "coalesce") && s->count == 1) ct_explain_coalesce(x, L);
    else if (is(s, "filter") && s->count == 1) {
        ct_say(x, "Modes of stride 0 reach nothing new: their sizes become 1; then coalesce.");
        ct_say(x, "without stride 0: %s", ct_shown(x, ct_filter_zeros(L)));
        ct_explain_coalesce(x, ct_filter_zeros(L));
    } else if (is(s, "complement") && of_integers) {
        const int64_t up_to = s->count == 2 ? n : ct_cosize(L);
        ct_explain_complement(x, L, up_to, ct_complement(L, up_to));
    } else if (is(s, "right_inverse") && of_integers) ct_explain_right_inverse(x, L);
    else if (is(s, "left_inverse") && of_integers) ct_explain_left_inverse(x, L);
    else if (is(s, "nullspace")) ct_explain_nullspace(x, L);
    else if (is(s, "max_alignment")) ct_explain_alignment(x, L);
    else if (is(s, "upcast")) ct_explain_upcast(x, L, n);
    else if (is(s, "downcast")) ct_explain_downcast(x, L, n);
    else if ((is(s, "at") || is(s, "eval")) && s->count == 2)
        ct_explain_at(x, L, coordinate(&s->arg[1]));
    else return 0;
    return 1;
}

static void explain_tensor_at(ct_explainer *x, const ct_tensor *t, ct_tuple coord)
{
    const ct_tuple in = ct_at(t->layout, coord), sum = ct_offset_add(t->offset, in);
    ct_explain_at(x, t->layout, coord);
    if (sum.err.status) return;
    const char *begin = ct_shown_tuple(x, t->offset), *inside = ct_shown_tuple(x, in);
    ct_say(x, "offset %s + %s = %s", begin, inside, ct_shown_tuple(x, sum));
    if (t->swizzle.bits > 0) ct_explain_swizzle(x, t->swizzle, sum.value[0]);
}

/* What is done to the layout of a tensor; the sum of the offsets, and the swizzle, are the same. */
static int explain_tensor(ct_explainer *x, const ct_step *s)
{
    if (!kinds(s, CT_KIND_TENSOR, CT_KIND_NONE) || is(s, "at") || is(s, "eval")) return 0;
    const ct_tensor *t = &s->arg[0].as.tensor;
    if (is(s, "local_partition"))
        ct_explain_local_partition(x, t->layout, s->arg[1].as.layout, integer(&s->arg[2]));
    else if (is(s, "local_tile") || is(s, "inner_partition") || is(s, "outer_partition"))
        ct_explain_tile(x, t->layout, s->arg[1].as.tiler, coordinate(&s->arg[2]),
                        s->name[0] != 'o');
    else return 0;
    const char *begin = ct_shown_tuple(x, t->offset);
    if (t->swizzle.bits > 0)
        ct_say(x, "The tensor begins at offset %s; Sw<%d,%d,%d> stays outside the sum.", begin,
               (int)t->swizzle.bits, (int)t->swizzle.base, (int)t->swizzle.shift);
    else if (strcmp(begin, "0") != 0)
        ct_say(x, "The tensor begins at offset %s, which is added.", begin);
    return 1;
}

/* What a tiled MMA or its atom does. */
static int explain_mma(ct_explainer *x, const ct_step *s)
{
    const int tiled = s->count > 0 && s->arg[0].kind == CT_KIND_TILED_MMA;
    if (is(s, "mma_atom") && s->result->kind == CT_KIND_MMA_ATOM)
        ct_explain_mma_atom(x, s->result->as.mma_atom);
    else if ((is(s, "tiled_mma") || is(s, "make_tiled_mma")) && s->count > 1)
        ct_explain_tiled_mma(x, s->arg[0].as.mma_atom, s->arg[1].as.layout,
                             s->result->kind == CT_KIND_TILED_MMA ? &s->result->as.mma : NULL);
    else if (tiled && strncmp(s->name, "partition_", 10) == 0 && s->count == 3)
        ct_explain_partition_mma(x, s->arg[0].as.mma, s->arg[1].as.tensor.layout,
                                 integer(&s->arg[2]),
                                 s->name[10] == 'a'   ? CT_MMA_A
                                 : s->name[10] == 'b' ? CT_MMA_B
                                                      : CT_MMA_C);
    else return 0;
    return 1;
}

static int explain_rest(ct_explainer *x, const ct_step *s)
{
    if (explain_mma(x, s)) return 1;
    if (is(s, "at") && kinds(s, CT_KIND_SWIZZLE, CT_KIND_TUPLE)) {
        ct_explain_swizzle(x, s->arg[0].as.swizzle, integer(&s->arg[1]));
    } else if (is(s, "at") && kinds(s, CT_KIND_TENSOR, CT_KIND_TUPLE)) {
        explain_tensor_at(x, &s->arg[0].as.tensor, s->arg[1].as.tuple);
    } else if ((is(s, "tiled_copy") || is(s, "make_tiled_copy")) &&
               kinds(s, CT_KIND_COPY_ATOM, CT_KIND_LAYOUT)) {
        ct_explain_tiled_copy(x, s->arg[0].as.atom, s->arg[1].as.layout, s->arg[2].as.layout);
    } else if (is(s, "partition_src") || is(s, "partition_dst")) {
        ct_explain_partition_copy(x, s->arg[0].as.copy, s->arg[1].as.tensor.layout,
                                  integer(&s->arg[2]), is(s, "partition_dst"));
    } else if (is(s, "crd2idx") && kinds(s, CT_KIND_TUPLE, CT_KIND_LAYOUT)) {
        ct_explain_at(x, s->arg[1].as.layout, s->arg[0].as.tuple);
    } else {
        return 0;
    }
    return 1;
}

/* The arguments as the operation took them. */
static void print_call(ct_explainer *x, const ct_step *s)
{
    fprintf(x->stream, "%d. %s(", ++x->count, s->name);
    for (int i = 0; i < s->count; ++i) {
        char *text = ct_shown_next(x);
        ct_format_value(text, CT_TEXT_BYTES, &s->arg[i]);
        fprintf(x->stream, "%s%s", i ? ", " : "", text);
    }
    fputs(")\n", x->stream);
}

static void print_result(ct_explainer *x, const ct_value *v)
{
    char *text = ct_shown_next(x);
    const int n = ct_format_value(text, CT_TEXT_BYTES, v);
    if (v->kind == CT_KIND_ERROR) ct_say(x, "fails: %s", text + strlen("error: "));
    else ct_say(x, "= %s%s", text, n >= CT_TEXT_BYTES ? "..." : "");
}

static void observe(void *context, const ct_step *s)
{
    ct_explainer *x = context;
    if (x->count > 0) fputc('\n', x->stream);
    print_call(x, s);
    x->indent = 0;
    if (!explain_two_layouts(x, s) && !explain_one_layout(x, s) && !explain_tensor(x, s))
        explain_rest(x, s);
    x->indent = 0;
    print_result(x, s->result);
}

/* A value that no operation made. */
static void explain_value(ct_explainer *x, const ct_value *v)
{
    char *const shown = ct_shown_next(x);
    ct_format_value(shown, CT_TEXT_BYTES, v);
    if (v->kind == CT_KIND_LAYOUT) {
        fprintf(x->stream, "%s is a layout\n", shown);
        ct_explain_the_layout(x, v->as.layout);
    } else if (v->kind == CT_KIND_TUPLE && !ct_is_integer(v->as.tuple) &&
               ct_is_valid(ct_make_col_major(v->as.tuple))) {
        fprintf(x->stream, "%s is a shape; as a layout it is compact, the first mode fastest:\n",
                shown);
        ct_say(x, "%s", ct_shown(x, ct_make_col_major(v->as.tuple)));
        ct_explain_the_layout(x, ct_make_col_major(v->as.tuple));
    } else if (v->kind == CT_KIND_TENSOR && ct_offset_is_integer(&v->as.tensor.offset)) {
        fprintf(x->stream, "%s is a layout behind%s%s\n", shown,
                v->as.tensor.swizzle.bits ? " a swizzle" : "",
                v->as.tensor.offset.value[0]
                    ? v->as.tensor.swizzle.bits ? " and an offset" : " an offset"
                    : "");
        ct_explain_the_layout(x, v->as.tensor.layout);
        if (v->as.tensor.swizzle.bits) ct_explain_the_swizzle(x, v->as.tensor.swizzle);
    } else if (v->kind == CT_KIND_SWIZZLE) {
        fprintf(x->stream, "%s is a swizzle\n", shown);
        ct_explain_the_swizzle(x, v->as.swizzle);
    } else
        fprintf(x->stream, "%s is %s; there is no operation to explain\n", shown, ct_kind_name(v));
}

/* Writes the steps, where each `?` is a number from `assumed` on, and is written as `?`. */
static ct_status explain_assumed(const char *text, int64_t assumed, FILE *stream, ct_diag *diag)
{
    static const ct_explainer none;
    ct_explainer x = none;
    ct_value v;
    x.stream = stream;
    const ct_status result = ct_evaluate_assumed(text, assumed, &v, diag, observe, &x);
    if (x.count == 0 && result == 0 && assumed && v.kind != CT_KIND_BOOL) {
        char *const shown = ct_shown_next(&x);
        ct_format_value(shown, CT_TEXT_BYTES, &v);
        fprintf(stream, "%s is %s for all values of `?`\n", shown, ct_kind_name(&v));
    } else if (x.count == 0 && result == 0) explain_value(&x, &v);
    else if (v.kind == CT_KIND_BOOL)
        fprintf(stream, "\nthe comparison is %s\n", v.as.boolean ? "true" : "false");
    ct_value_free(&v);
    return result;
}

/* The steps for numbers of one sequence, from malloc. */
static char *steps_of(const char *text, int64_t assumed)
{
    char *steps = NULL;
    size_t size;
    FILE *const stream = open_memstream(&steps, &size);
    if (!stream) return NULL;
    explain_assumed(text, assumed, stream, NULL);
    if (fclose(stream) || !steps) return NULL;
    ct_write_unknown(steps, assumed, 0);
    return steps;
}

ct_status ct_explain(const char *text, FILE *stream, ct_diag *diag)
{
    char *answer;
    ct_value v;
    const ct_text_span all = {text, 0, strlen(text), 0};
    /* A first silent run, so that nothing is written about a text that is not an expression. */
    const ct_status result = ct_evaluate_for_all(text, &v, &answer, diag);
    ct_value_free(&v);
    free(answer);
    if (ct_is_unread(result)) return result;
    if (!ct_has_unknown(text, all.end)) return explain_assumed(text, 0, stream, diag);
    char *const steps = steps_of(text, CT_UNKNOWN_FIRST);
    char *const other = steps_of(text, CT_UNKNOWN_OTHER);
    ct_status bad = CT_OK;
    if (!steps || !other) bad = ct_reader_no_memory(&(ct_reader){.diag = diag}, 0);
    else if (strcmp(steps, other) != 0) bad = ct_ask_unknown(&all, diag);
    if (!bad) fputs(steps, stream);
    free(steps);
    free(other);
    return bad;
}
