/* Layouts as CuTe writes them: C++ types and calls, what C++ prints, Python, attributes of the IR; and
 * as those write them that follow it: pycute's and Mojo's Layout. */
#include <string.h>

#include <cutlet/algebra/composition.h>
#include <cutlet/algebra/make.h>
#include "cute.h"
#include "cute_tuple.h"
#include "words.h"

/* Swizzle<3,4,3>{}, make_swizzle(3,4,3), Sw<3,4,3>, S<3,4,3>; the name has been read. */
static ct_status read_swizzle(ct_reader *r, ct_swizzle *out)
{
    int64_t n[3];
    int count;
    const size_t at = r->at;
    if (ct_read_integers(r, "<(", 3, n, &count)) return r->failed;
    ct_take_empty_braces(r);
    if (count != 3) return ct_reader_fail(r, at, r->at - at, "a swizzle has 3 integers");
    for (int i = 0; i < 3; ++i) n[i] = ct_max(-1000, ct_min(n[i], 1000));
    *out = ct_make_swizzle((int)n[0], (int)n[1], (int)n[2]);
    if (out->err.status) {
        char message[CT_MESSAGE_BYTES];
        ct_error_message(out->err, message, sizeof message);
        return ct_reader_fail(r, at, r->at - at, "%s", message);
    }
    return CT_OK;
}

static ct_status make(ct_reader *r, size_t at, ct_tensor t, ct_tensor *out)
{
    ct_error e = ct_tensor_check(&t);
    char message[CT_MESSAGE_BYTES];
    *out = t;
    if (e.status == CT_OK) return CT_OK;
    ct_error_message(e, message, sizeof message);
    return ct_reader_fail(r, at, r->at - at, "%s", message);
}

/* A layout behind an offset and a swizzle. A swizzle of no bits leaves an offset, below which the layout may reach. */
static ct_status make_composed(ct_reader *r, size_t at, ct_swizzle s, int64_t offset,
                               ct_tensor *out)
{
    if (s.bits > 0) return make(r, at, ct_make_swizzled(s, offset, out->layout), out);
    if (offset < 0)
        return ct_reader_fail(r, at, r->at - at,
                              "the offset of a composed layout is at least 0, not %lld",
                              (long long)offset);
    out->offset = ct_int(offset);
    return make(r, at, *out, out);
}

/* Behind a shape: `, stride`, or an order; then the closing bracket. */
static ct_status read_stride(ct_reader *r, size_t at, ct_tuple shape, char close, ct_tensor *out)
{
    char word[CT_WORD_BYTES];
    ct_layout L = ct_make_col_major(shape);
    if (ct_reader_take(r, ',')) {
        ct_tuple stride;
        ct_take_text(r, "stride=");
        ct_peek_word(r, word);
        if (ct_is_one_of(word, "LayoutLeft LayoutRight GenColMajor GenRowMajor")) {
            ct_read_word(r, word);
            ct_take_empty_braces(r);
            if (strchr(word, 'R')) L = ct_make_row_major(shape);
        } else {
            if (ct_read_cute_tuple(r, &stride)) return r->failed;
            L = ct_make_layout(shape, stride);
        }
    }
    if (ct_take_closing(r, close)) return r->failed;
    if (close == '>') ct_take_empty_braces(r);
    return make(r, at, ct_make_tensor(L), out);
}

/* A swizzle of bytes as one of elements of so many bits. */
static ct_status to_elements(ct_reader *r, size_t at, int64_t bits, ct_swizzle *s)
{
    *s = bits < 8 && bits > 0 && 8 % bits == 0 ? ct_swizzle_downcast(*s, 8 / bits)
         : bits % 8 == 0                       ? ct_swizzle_upcast(*s, bits / 8)
                                               : ct_swizzle_upcast(*s, 3);
    if (s->err.status == CT_OK) return CT_OK;
    return ct_reader_fail(r, at, r->at - at,
                          "elements of %lld bits do not fit the swizzle of "
                          "bytes",
                          (long long)bits);
}

/* What stands between a swizzle and a layout: an offset, or the bits of an element, by which a
 * swizzle of bytes becomes one of elements. */
static ct_status read_offset(ct_reader *r, ct_swizzle *s, int64_t *offset)
{
    char word[CT_WORD_BYTES];
    ct_tuple t;
    int64_t bits;
    *offset = 0;
    ct_peek_word(r, word);
    const size_t at = r->at;
    if (!ct_is_one_of(word, "smem_ptr_flag_bits smem_ptr")) {
        if (ct_read_cute_tuple(r, &t)) return r->failed;
        if (!ct_is_integer(t) || t.basis[0] != CT_INTEGER)
            return ct_reader_fail(r, at, r->at - at, "the offset behind a swizzle is an integer");
        *offset = t.value[0];
        return CT_OK;
    }
    ct_read_word(r, word);
    const int printed = strcmp(word, "smem_ptr") == 0;
    if (!ct_reader_take(r, printed ? '[' : '<') || ct_read_integer(r, &bits)) return r->failed;
    if (printed ? !ct_take_text(r, "b](unset)") : ct_take_closing(r, '>') != CT_OK)
        return ct_reader_expected(r, "`b](unset)`");
    ct_take_empty_braces(r);
    return to_elements(r, at, bits, s);
}

static ct_status read_layout(ct_reader *r, ct_tensor *out);

/* Behind a swizzle: `between`, an offset, `between`, a layout. */
static ct_status read_composed(ct_reader *r, size_t at, ct_swizzle s, const char *between,
                               ct_tensor *out)
{
    int64_t offset;
    if (!ct_take_text(r, between)) return ct_reader_expected(r, between);
    ct_take_text(r, "offset=");
    if (read_offset(r, &s, &offset)) return r->failed;
    if (!ct_take_text(r, between)) return ct_reader_expected(r, between);
    ct_take_text(r, "outer=");
    const size_t inside = r->at;
    if (read_layout(r, out)) return r->failed;
    if (out->swizzle.bits > 0 || !ct_offset_is_zero(&out->offset))
        return ct_reader_fail(r, inside, r->at - inside,
                              "a composed layout inside another is not "
                              "read");
    return make_composed(r, at, s, offset, out);
}

/* ComposedLayout<Swizzle, offset, Layout>, make_composed_layout(..), composition(Swizzle, Layout).
 */
static ct_status read_composed_call(ct_reader *r, size_t at, int has_offset, ct_tensor *out)
{
    char close, word[CT_WORD_BYTES];
    ct_swizzle s;
    if (ct_take_open(r, "<(", &close)) return r->failed;
    ct_take_text(r, "inner=");
    const size_t outer = ct_read_word(r, word);
    if (!ct_is_one_of(word, "Swizzle make_swizzle Sw S"))
        return ct_reader_fail(r, outer, r->at - outer,
                              "a layout is composed with a swizzle here, "
                              "not with `%s`",
                              word);
    if (read_swizzle(r, &s)) return r->failed;
    if (has_offset) {
        if (read_composed(r, at, s, ",", out)) return r->failed;
    } else {
        if (!ct_reader_take(r, ',')) return ct_reader_expected(r, "`,`");
        if (read_layout(r, out)) return r->failed;
        if (make_composed(r, at, s, 0, out)) return r->failed;
    }
    if (ct_take_closing(r, close)) return r->failed;
    if (close == '>') ct_take_empty_braces(r);
    return CT_OK;
}

/* The bits of a type that stands behind a bracket or a colon: f16, f8E4M3FN, 16b; 0 where none does. */
static int64_t bits_of_type(const ct_reader *r)
{
    size_t i = r->at + 1;
    int64_t bits = 0;
    while (i < r->length && (r->text[i] == ' ' || (r->text[i] | 32) >= 'a')) ++i;
    for (; i < r->length && r->text[i] >= '0' && r->text[i] <= '9' && bits < 4096; ++i)
        bits = 10 * bits + (r->text[i] - '0');
    return bits;
}

/* What a pointer or a memref says up to `end`: the bits of its element, 0 where it does not, and its swizzle. */
static ct_status read_pointer(ct_reader *r, const char *end, ct_swizzle *s, int64_t *bits)
{
    const size_t n = strlen(end);
    const int inside = *end != ' '; /* the brackets of a memref */
    int depth = 0;
    *s = ct_swizzle_none();
    for (*bits = 0; r->at + n < r->length; ++r->at) {
        const char *const at = r->text + r->at;
        if (depth <= inside && memcmp(at, end, n) == 0) return CT_OK;
        if (depth > 0 && (at[-1] == ' ' || at[-1] == ',') && memcmp(at, "S<", 2) == 0) {
            ++r->at;
            if (read_swizzle(r, s)) return r->failed;
            --r->at;
            continue;
        }
        if (*bits == 0 && strchr("<[:", *at)) *bits = bits_of_type(r);
        depth += *at == '<' || *at == '(' || *at == '[';
        depth -= *at == '>' || *at == ')' || *at == ']';
    }
    r->at = r->length;
    return ct_reader_expected(r, inside ? "a layout in quotes"
                                        : "`o` and a layout behind the pointer");
}

/* A layout behind a pointer's swizzle, which is one of bytes. */
static ct_status add_swizzle(ct_reader *r, size_t at, ct_swizzle s, int64_t bits, ct_tensor *out)
{
    if (s.bits == 0) return CT_OK;
    if (bits == 0)
        return ct_reader_fail(r, at, r->at - at, "the pointer has a swizzle of bytes and no type");
    if (out->swizzle.bits > 0 || !ct_offset_is_zero(&out->offset))
        return ct_reader_fail(r, at, r->at - at, "a composed layout inside another is not read");
    return to_elements(r, at, bits, &s) ? r->failed : make_composed(r, at, s, 0, out);
}

/* !cute.layout<"(4,8):(8,1)">: behind the exclamation mark. */
static ct_status read_attribute(ct_reader *r, ct_tensor *out)
{
    char word[CT_WORD_BYTES];
    ct_swizzle s = ct_swizzle_none();
    int64_t bits = 0;
    const size_t at = ct_read_word(r, word);
    if (ct_is_one_of(word, "memref")) {
        if (read_pointer(r, "\"", &s, &bits)) return r->failed;
        ++r->at;
        if (read_layout(r, out) || add_swizzle(r, at, s, bits, out)) return r->failed;
        return ct_take_text(r, "\">") ? CT_OK : ct_reader_expected(r, "`\">`");
    }
    if (!ct_is_one_of(word, "layout composed_layout"))
        return ct_reader_fail(r, at, strlen(word), "the type `!cute.%s` is not a layout", word);
    if (!ct_take_text(r, "<\"")) return ct_reader_expected(r, "`<\"`");
    if (read_layout(r, out)) return r->failed;
    return ct_take_text(r, "\">") ? CT_OK : ct_reader_expected(r, "`\">`");
}

/* shape:stride, of which an outer layout `o 0 o` another is a composition. */
static ct_status read_printed(ct_reader *r, size_t at, ct_tensor *out)
{
    ct_tuple shape, stride;
    if (ct_read_cute_tuple(r, &shape)) return r->failed;
    if (!ct_reader_take(r, ':'))
        return ct_reader_fail(r, at, r->at - at,
                              "a shape alone is not a layout of CuTe: write "
                              "shape:stride");
    if (ct_read_cute_tuple(r, &stride) ||
        make(r, at, ct_make_tensor(ct_make_layout(shape, stride)), out))
        return r->failed;
    if (!ct_take_text(r, "o ")) return CT_OK;
    const ct_layout outer = out->layout;
    int64_t offset;
    const size_t middle = r->at;
    if (ct_read_integer(r, &offset)) return r->failed;
    if (offset != 0)
        return ct_reader_fail(r, middle, r->at - middle,
                              "the offset between two layouts has to be "
                              "0");
    if (!ct_take_text(r, "o ")) return ct_reader_expected(r, "`o`");
    if (read_layout(r, out)) return r->failed;
    if (out->swizzle.bits > 0 || !ct_offset_is_zero(&out->offset))
        return ct_reader_fail(r, at, r->at - at, "only layouts are composed");
    return make(r, at, ct_make_tensor(ct_composition(outer, out->layout)), out);
}

/* Sw<3,4,3>_smem_ptr[16b](0x7f00) o layout: behind the swizzle, which is one of bytes. */
static ct_status read_swizzled_pointer(ct_reader *r, size_t at, ct_swizzle s, ct_tensor *out)
{
    char word[CT_WORD_BYTES];
    ct_swizzle own;
    int64_t bits = 0, other;
    ct_read_word(r, word);
    const size_t of = r->at;
    if (!ct_reader_take(r, '[') || ct_read_integer(r, &bits))
        return ct_reader_expected(r, "`[16b](..) o` and a layout");
    r->at = of;
    if (read_pointer(r, " o ", &own, &other) || to_elements(r, of, bits, &s)) return r->failed;
    ct_take_text(r, "o ");
    if (read_layout(r, out)) return r->failed;
    return make_composed(r, at, s, 0, out);
}

/* Layout.row_major(4, 8), Layout.col_major(4, 8) of Mojo; behind the dot. */
static ct_status read_mojo(ct_reader *r, size_t at, ct_tensor *out)
{
    char word[CT_WORD_BYTES];
    ct_tuple shape;
    const size_t name = ct_read_identifier(r, word);
    const int rows = strcmp(word, "row_major") == 0;
    if (!rows && strcmp(word, "col_major") != 0)
        return ct_reader_fail(r, name, strlen(word),
                              "`Layout.%s` is not read; Layout.row_major and "
                              "Layout.col_major are",
                              word);
    if (!ct_reader_take(r, '(')) return ct_reader_expected(r, "`(`");
    if (ct_read_cute_elements(r, ')', &shape)) return r->failed;
    return make(r, at, ct_make_tensor(rows ? ct_make_row_major(shape) : ct_make_col_major(shape)),
                out);
}

/* make_ordered_layout(shape, order): behind the name. */
static ct_status read_ordered(ct_reader *r, size_t at, ct_tensor *out)
{
    ct_tuple shape, order;
    char close;
    if (ct_take_open(r, "(", &close)) return r->failed;
    ct_take_text(r, "shape=");
    if (ct_read_cute_tuple(r, &shape)) return r->failed;
    if (!ct_reader_take(r, ',')) return ct_reader_expected(r, "`,`");
    ct_take_text(r, "order=");
    if (ct_read_cute_tuple(r, &order) || ct_take_closing(r, close)) return r->failed;
    return make(r, at, ct_make_tensor(ct_make_ordered_layout(shape, order)), out);
}

static ct_status read_layout(ct_reader *r, ct_tensor *out)
{
    char word[CT_WORD_BYTES], close;
    ct_tuple shape;
    if (ct_reader_take(r, '!')) return read_attribute(r, out);
    ct_peek_word(r, word);
    ct_reader_peek(r);
    const size_t at = r->at;
    if (strncmp(r->text + at, "Layout.", 7) == 0) {
        r->at += 7;
        return read_mojo(r, at, out);
    }
    if (ct_is_one_of(word, "make_ordered_layout")) {
        ct_read_word(r, word);
        return read_ordered(r, at, out);
    }
    if (ct_is_one_of(word, "Layout make_layout")) {
        ct_read_word(r, word);
        if (ct_take_open(r, word[0] == 'L' ? "<(" : "(", &close)) return r->failed;
        ct_take_text(r, "shape=");
        if (ct_read_cute_tuple(r, &shape)) return r->failed;
        return read_stride(r, at, shape, close, out);
    }
    if (ct_is_one_of(word, "ComposedLayout make_composed_layout composition")) {
        ct_read_word(r, word);
        return read_composed_call(r, at, word[strlen(word) - 1] != 'n', out);
    }
    if (ct_is_one_of(word, "Sw S Swizzle")) {
        ct_swizzle s;
        ct_read_word(r, word);
        if (read_swizzle(r, &s)) return r->failed;
        if (ct_reader_peek(r) == '_') return read_swizzled_pointer(r, at, s, out);
        return read_composed(r, at, s, "o ", out);
    }
    return read_printed(r, at, out);
}

/* A tensor as it is printed: tensor<ptr<f16, gmem> o (4,8):(8,1)> by Python, gmem_ptr[16b](0x7f00) o (_4,_8):(_8,_1)
 * by C++. Instead of a pointer there may be a coordinate. What stands behind the layout is its data. */
static ct_status read_tensor(ct_reader *r, ct_tensor *out)
{
    char word[CT_WORD_BYTES], close = '\0';
    ct_tuple offset = ct_int(0);
    ct_swizzle s = ct_swizzle_none();
    int64_t bits = 0;
    ct_peek_word(r, word);
    if (ct_is_one_of(word, "tensor Tensor")) {
        ct_read_word(r, word);
        if (ct_take_open(r, "<(", &close)) return r->failed;
        ct_peek_word(r, word);
    }
    ct_reader_peek(r);
    const size_t at = r->at;
    const size_t n = strlen(word);
    const int address = close && strncmp(r->text + at, "0x", 2) == 0; /* 0x00@gmem */
    const int pointer = address || (n >= 3 && strcmp(word + n - 3, "ptr") == 0);
    if (close == '\0' && !pointer && strcmp(word, "ArithTuple") != 0) return read_layout(r, out);
    if (strcmp(word, "ArithTuple") == 0) ct_read_word(r, word);
    if (pointer ? read_pointer(r, " o ", &s, &bits) : ct_read_cute_tuple(r, &offset))
        return r->failed;
    if (!ct_take_text(r, "o ")) return ct_reader_expected(r, "`o` and a layout");
    if (read_layout(r, out) || add_swizzle(r, at, s, bits, out)) return r->failed;
    int nonzero = 0;
    for (int i = 0; i < offset.profile.leaves; ++i) nonzero |= offset.value[i] != 0;
    if (nonzero && out->swizzle.bits == 0 && ct_offset_is_zero(&out->offset)) {
        out->offset = offset;
        if (make(r, at, *out, out)) return r->failed;
    }
    if (!close) return CT_OK;
    if (ct_reader_take(r, ',')) r->at = r->length;
    else return ct_take_closing(r, close);
    return CT_OK;
}

ct_status ct_read_cute_tensor(ct_reader *r, ct_tensor *out)
{
    memset(out, 0, sizeof *out);
    return read_tensor(r, out);
}
