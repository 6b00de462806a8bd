/* The grammar of values; see reader.h. */
#include <stdlib.h>
#include <string.h>

#include <cutlet/algebra/make.h>
#include "cute.h"
#include "notation.h"
#include "triton_text.h"

static ct_status read_unit(ct_reader *r, ct_value *out);

void ct_value_fail(ct_value *v, ct_error e, size_t at, size_t length)
{
    v->kind = CT_KIND_ERROR;
    v->as.failure.err = e;
    v->as.failure.at = at;
    v->as.failure.length = length;
    v->as.failure.bad_text = 0;
}

/* The failure of a layout that is written out: the text is bad, not an operation. */
void ct_fail_literal(ct_value *v, ct_error e, size_t at, size_t end)
{
    ct_value_fail(v, e, at, end - at);
    v->as.failure.bad_text = 1;
}

ct_layout ct_layout_of_shape(ct_tuple shape) { return ct_make_col_major(shape); }

ct_status ct_reader_enter(ct_reader *r)
{
    if (++r->depth <= CT_TEXT_DEPTH) return 0;
    return ct_reader_fail(r, r->at, 1, "nested too deep: at most %d levels are read",
                          CT_TEXT_DEPTH);
}

static int is_digit_at(const ct_reader *r, size_t i)
{
    return i < r->length && r->text[i] >= '0' && r->text[i] <= '9';
}

static int is_letter(int c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

int ct_begins_integer(const ct_reader *r)
{
    size_t i = r->at;
    if (i < r->length && r->text[i] == '_') ++i;
    if (i < r->length && r->text[i] == '-') ++i;
    return is_digit_at(r, i);
}

/* Whether the integer after the `@` at the cursor is a mode: v@m. It is the shape of a layout when
 * `:` follows: offset@shape:stride. */
static int at_basis_mode(const ct_reader *r)
{
    size_t i = r->at + 1;
    while (i < r->length && r->text[i] == ' ') ++i;
    if (!is_digit_at(r, i)) return 0;
    while (is_digit_at(r, i)) ++i;
    while (i < r->length && r->text[i] == ' ') ++i;
    return i >= r->length || r->text[i] != ':';
}

/* An integer, v@m, v@m@n or `_`, as a tuple of one leaf. */
ct_status ct_read_leaf(ct_reader *r, ct_tuple *out)
{
    uint32_t path = 0;
    int levels = 0;
    if (r->text[r->at] == '_' && !ct_begins_integer(r)) {
        ++r->at;
        *out = ct_any();
        return 0;
    }
    int64_t v = 0;
    if (ct_read_integer(r, &v)) return r->failed;
    *out = ct_int(v);
    while (ct_reader_peek(r) == '@' && at_basis_mode(r)) { /* innermost mode first */
        ++r->at;
        int64_t mode = 0;
        ct_reader_peek(r);
        const size_t at = r->at;
        if (ct_read_integer(r, &mode)) return r->failed;
        if (mode > 253) return ct_reader_fail(r, at, r->at - at, "a basis names modes 0 to 253");
        if (++levels > 4)
            return ct_reader_fail(r, at, r->at - at, "a basis names at most 4 levels of modes");
        path = path << 8 | (uint32_t)(mode + 1);
    }
    out->basis[0] = path;
    return 0;
}

/* The arguments of a call, each an expression. arg and arg_at have room for CT_MAX_ARGUMENTS. */
static ct_status read_arguments(ct_reader *r, ct_call *call, size_t *arg_at)
{
    const size_t start = r->at++;
    if (ct_reader_enter(r)) return r->failed;
    while (ct_reader_peek(r) != ')') {
        if (call->count > 0 && !ct_reader_take(r, ',')) {
            if (r->at >= r->length)
                return ct_reader_fail(r, start, 1, "this parenthesis is never closed");
            return ct_reader_expected(r, "`,` or `)`");
        }
        ct_reader_peek(r);
        if (call->count == CT_MAX_ARGUMENTS)
            return ct_reader_fail(r, r->at, 1, "%.*s: more than %d arguments",
                                  (int)call->name_length, call->name, CT_MAX_ARGUMENTS);
        arg_at[call->count] = r->at;
        if (r->at >= r->length)
            return ct_reader_fail(r, start, 1, "this parenthesis is never closed");
        if (ct_read_expr(r, &call->arg[call->count])) return r->failed;
        ++call->count;
    }
    arg_at[call->count] = r->at;
    ++r->at;
    --r->depth;
    return 0;
}

/* Whether the word that ends here is Sw, S or Swizzle, in front of `<`. */
static int is_swizzle(const ct_reader *r, size_t end)
{
    const size_t n = end - r->at;
    const char *const word = r->text + r->at;
    if (n == 2 && memcmp(word, "Sw", 2) == 0) return 1;
    return end < r->length && r->text[end] == '<' &&
           ((n == 1 && word[0] == 'S') || (n == 7 && memcmp(word, "Swizzle", 7) == 0));
}

static ct_status read_name(ct_reader *r, ct_value *out)
{
    const size_t start = r->at;
    size_t end = start;
    while (end < r->length &&
           (is_letter(r->text[end]) || r->text[end] == '_' || is_digit_at(r, end)))
        ++end;
    if (is_swizzle(r, end)) return ct_read_swizzle(r, end - start, out);
    if (ct_begins_cute(r)) return ct_read_cute_value(r, out);
    if (ct_take_text(r, "cute::") || ct_take_text(r, "cute.")) return read_name(r, out);
    if (!r->call) return ct_reader_expected(r, "an integer, `(`, `<` or `Sw<`");
    r->at = end;
    ct_call call = {r->text + start, end - start, start, 0, -1, NULL, NULL};
    if (ct_reader_peek(r) != '(') {
        r->at = end;
        call.length = end - start;
        return r->call(r, &call, out); /* a word by itself */
    }
    size_t arg_at[CT_MAX_ARGUMENTS + 1];
    ct_value *arg = malloc(sizeof *arg * CT_MAX_ARGUMENTS);
    if (!arg) return ct_reader_no_memory(r, start);
    call.arg = arg;
    call.arg_at = arg_at;
    call.count = 0;
    ct_status bad = read_arguments(r, &call, arg_at);
    call.length = r->at - start;
    if (!bad) bad = r->call(r, &call, out);
    for (int i = 0; i < call.count; ++i) ct_value_free(&arg[i]);
    free(arg);
    return bad;
}

static ct_status read_term(ct_reader *r, ct_value *out)
{
    const int c = ct_reader_peek(r);
    if (c == '(') return ct_read_parenthesis(r, out);
    if (ct_begins_triton(r)) return ct_read_triton_value(r, out);
    if (c == '<') return ct_read_tiler(r, out);
    if (is_letter(c)) return read_name(r, out);
    if (c == '!' && ct_begins_cute(r)) return ct_read_cute_value(r, out);
    if (c == '_' || c == '-' || (c >= '0' && c <= '9')) {
        out->kind = CT_KIND_TUPLE;
        return ct_read_leaf(r, &out->as.tuple);
    }
    if (c == '?') {
        int64_t value = 0;
        if (ct_read_unknown(r, &value)) return r->failed;
        out->kind = CT_KIND_TUPLE;
        out->as.tuple = ct_int(value);
        return CT_OK;
    }
    return ct_reader_expected(r, r->call ? "an expression" : "an integer, `(`, `<` or `Sw<`");
}

/* Whether v may be a term of a sum; otherwise reports its kind. */
static int is_term(ct_reader *r, const ct_value *v, size_t at)
{
    if (v->kind == CT_KIND_ERROR) return 1;
    if (v->kind == CT_KIND_TUPLE && ct_is_integer(v->as.tuple) &&
        v->as.tuple.basis[0] != CT_INTEGER && v->as.tuple.basis[0] != CT_ANY)
        return 1;
    ct_reader_fail(r, at, r->at - at, "`+` adds basis elements, as in 1@0+2@1, and not %s",
                   ct_kind_name(v));
    return 0;
}

/* A term, or a sum of basis elements. */
static ct_status read_operand(ct_reader *r, ct_value *out)
{
    ct_reader_peek(r);
    const size_t at = r->at;
    if (read_term(r, out)) return r->failed;
    size_t term_at = at, term_end = r->at;
    while (ct_reader_peek(r) == '+') {
        ct_value more;
        const size_t plus = r->at;
        r->at = term_end;
        const int fits = is_term(r, out, term_at);
        r->at = plus + 1;
        ct_reader_peek(r);
        term_at = r->at;
        if (!fits || read_term(r, &more)) {
            ct_value_free(out);
            return r->failed;
        }
        term_end = r->at;
        if (!is_term(r, &more, term_at)) {
            ct_value_free(out);
            ct_value_free(&more);
            return r->failed;
        }
        term_at = at;
        if (out->kind == CT_KIND_ERROR) continue;
        if (more.kind == CT_KIND_ERROR) {
            *out = more;
            continue;
        }
        out->as.tuple = ct_basis_add(out->as.tuple, more.as.tuple);
        if (out->as.tuple.err.status) ct_fail_literal(out, out->as.tuple.err, at, r->at);
    }
    r->at = term_end; /* not after the spaces that follow */
    return 0;
}

/* shape : stride */
static ct_status read_stride(ct_reader *r, ct_value *shape, size_t at)
{
    ct_value stride;
    const size_t colon = r->at++;
    if (shape->kind != CT_KIND_TUPLE && shape->kind != CT_KIND_ERROR)
        return ct_reader_fail(r, at, colon - at, "a shape is a tuple, not %s", ct_kind_name(shape));
    ct_reader_peek(r);
    const size_t stride_at = r->at;
    if (read_operand(r, &stride)) return r->failed;
    if (stride.kind != CT_KIND_TUPLE && stride.kind != CT_KIND_ERROR) {
        ct_reader_fail(r, stride_at, r->at - stride_at, "a stride is a tuple, not %s",
                       ct_kind_name(&stride));
        ct_value_free(&stride);
        return r->failed;
    }
    if (shape->kind == CT_KIND_ERROR) return 0;
    if (stride.kind == CT_KIND_ERROR) {
        *shape = stride;
        return 0;
    }
    const ct_layout L = ct_make_layout(shape->as.tuple, stride.as.tuple);
    if (L.err.status) {
        ct_fail_literal(shape, L.err, at, r->at);
    } else {
        shape->kind = CT_KIND_LAYOUT;
        shape->as.layout = L;
    }
    return 0;
}

/* The layout after `@` or `o`: a layout, a bare shape, or a failure. */
static ct_status read_layout(ct_reader *r, ct_value *out, char sign)
{
    ct_reader_peek(r);
    const size_t at = r->at;
    if (ct_reader_enter(r) || read_unit(r, out)) return r->failed;
    --r->depth;
    if (out->kind == CT_KIND_TUPLE) {
        const ct_layout L = ct_layout_of_shape(out->as.tuple);
        out->kind = CT_KIND_LAYOUT;
        out->as.layout = L;
        if (L.err.status) ct_fail_literal(out, L.err, at, r->at);
    }
    if (out->kind == CT_KIND_LAYOUT || out->kind == CT_KIND_ERROR) return 0;
    const int swizzled = out->kind == CT_KIND_TENSOR && out->as.tensor.swizzle.bits > 0;
    ct_reader_fail(
        r, at, r->at - at, "behind `%c` stands a layout, not %s%s", sign, ct_kind_name(out),
        swizzled ? "; composition(Sw<..>, L) swizzles it once more, linear_images(Sw<..>, L) "
                   "gives the bits of both"
                 : "");
    ct_value_free(out);
    return r->failed;
}

/* offset @ layout */
static ct_status read_tensor(ct_reader *r, ct_value *offset, size_t at)
{
    ct_value v;
    const size_t sign = r->at++;
    if (offset->kind != CT_KIND_TUPLE && offset->kind != CT_KIND_ERROR)
        return ct_reader_fail(r, at, sign - at, "an offset is an integer or a coordinate, not %s",
                              ct_kind_name(offset));
    if (read_layout(r, &v, '@')) return r->failed;
    if (offset->kind == CT_KIND_ERROR) return 0;
    if (v.kind == CT_KIND_ERROR) {
        *offset = v;
        return 0;
    }
    ct_tensor t = ct_make_tensor(v.as.layout);
    t.offset = offset->as.tuple;
    offset->kind = CT_KIND_TENSOR;
    offset->as.tensor = t;
    return 0;
}

/* Whether the word `o` is at the cursor; takes it. */
static int take_o(ct_reader *r)
{
    if (ct_reader_peek(r) != 'o') return 0;
    const size_t i = r->at + 1;
    if (i < r->length && (is_letter(r->text[i]) || r->text[i] == '_' || is_digit_at(r, i)))
        return 0;
    r->at = i;
    return 1;
}

/* swizzle o offset o layout */
static ct_status read_composed(ct_reader *r, ct_value *swizzle, size_t at)
{
    ct_value offset, v;
    ct_reader_peek(r);
    const size_t offset_at = r->at;
    if (read_operand(r, &offset)) return r->failed;
    const size_t offset_end = r->at;
    const int is_offset = offset.kind == CT_KIND_TUPLE && ct_is_integer(offset.as.tuple) &&
                          offset.as.tuple.basis[0] == CT_INTEGER;
    if (!is_offset && offset.kind != CT_KIND_ERROR) {
        ct_reader_fail(r, offset_at, offset_end - offset_at,
                       "an integer offset is expected, not %s", ct_kind_name(&offset));
        ct_value_free(&offset);
        return r->failed;
    }
    if (!take_o(r))
        return ct_reader_expected(r, "`o` and a layout, as in Sw<3,4,3> o 0 o (8,64):(64,1)");
    if (read_layout(r, &v, 'o')) return r->failed;
    if (swizzle->kind == CT_KIND_ERROR) return 0;
    if (offset.kind == CT_KIND_ERROR || v.kind == CT_KIND_ERROR) {
        *swizzle = offset.kind == CT_KIND_ERROR ? offset : v;
        return 0;
    }
    ct_tensor t = ct_make_swizzled(swizzle->as.swizzle, offset.as.tuple.value[0], v.as.layout);
    if (swizzle->as.swizzle.bits == 0 &&
        t.layout.err.why == CT_WHY_NEGATIVE) { /* it moves no offset */
        t = ct_make_tensor(v.as.layout);
        t.offset = offset.as.tuple;
    }
    if (t.layout.err.status) {
        ct_fail_literal(swizzle, t.layout.err, at, r->at);
    } else {
        swizzle->kind = CT_KIND_TENSOR;
        swizzle->as.tensor = t;
    }
    return 0;
}

static ct_status read_unit(ct_reader *r, ct_value *out)
{
    ct_reader_peek(r);
    const size_t at = r->at;
    if (read_operand(r, out)) return r->failed;
    ct_status bad = CT_OK;
    const int next = ct_reader_peek(r);
    if (next == ':') bad = read_stride(r, out, at);
    else if (next == '@') bad = read_tensor(r, out, at);
    else if ((out->kind == CT_KIND_SWIZZLE || out->kind == CT_KIND_ERROR) && take_o(r))
        bad = read_composed(r, out, at);
    if (bad) ct_value_free(out);
    return bad;
}

ct_status ct_read_expr(ct_reader *r, ct_value *out)
{
    ct_reader_peek(r);
    const size_t at = r->at;
    if (read_unit(r, out)) return r->failed;
    while (ct_reader_peek(r) == '(') {
        ct_value v[2] = {*out, {0}};
        size_t arg_at[3] = {at, r->at, 0};
        if (!r->apply) {
            ct_value_free(out);
            return ct_reader_expected(r, "the end");
        }
        if (ct_read_parenthesis(r, &v[1])) {
            ct_value_free(out);
            return r->failed;
        }
        arg_at[2] = r->at;
        const ct_call call = {r->text + at, 0, at, r->at - at, 2, v, arg_at};
        const ct_status bad = r->apply(r, &call, out);
        ct_value_free(&v[0]);
        ct_value_free(&v[1]);
        if (bad) return bad;
    }
    return 0;
}

ct_status ct_read_whole(ct_reader *r, ct_value *out)
{
    if (ct_reader_peek(r) == 0 && r->at >= r->length)
        return ct_reader_fail(r, r->at, 1, "the text is empty");
    if (ct_read_expr(r, out)) return r->failed;
    ct_reader_take(r, ';'); /* of a statement */
    ct_reader_peek(r);
    if (r->at >= r->length && (r->unknowns <= 1 || r->taken == r->unknowns)) return 0;
    ct_value_free(out);
    if (r->at < r->length) return ct_reader_expected(r, "the end");
    return ct_reader_fail(r, r->length, 5,
                          "`with ?=` gives %d values, and the expression has %d `?`", r->unknowns,
                          r->taken);
}
