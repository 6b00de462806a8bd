/* NumPy's arrays: shape, strides in bytes, and the size of an element. */
#include <string.h>

#include <cutlet/algebra/make.h>
#include "exchange.h"
#include "io/types.h"
#include "text/words.h"

typedef struct array {
    ct_reader r;
    int has_shape, has_strides;
    int64_t itemsize, offset;
    size_t strides_at, strides_length;
    ct_strided s;
} array;

/* A name, quoted or not, without the modules before it. */
static ct_status read_name(ct_reader *r, char word[CT_WORD_BYTES])
{
    const int quote = ct_reader_peek(r);
    if (quote != '\'' && quote != '"') {
        ct_read_word(r, word);
        return CT_OK;
    }
    size_t n = 0;
    for (++r->at; r->at < r->length && r->text[r->at] != quote; ++r->at)
        if (n + 1 < CT_WORD_BYTES) word[n++] = r->text[r->at];
    word[n] = '\0';
    if (r->at >= r->length) return ct_reader_expected(r, "a closing quote");
    ++r->at;
    return CT_OK;
}

/* A value that says nothing about the layout: up to the comma or the bracket behind it. */
static void skip_value(ct_reader *r)
{
    int depth = 0;
    for (; r->at < r->length; ++r->at) {
        const char c = r->text[r->at];
        if (c == '(' || c == '[' || c == '{') ++depth;
        if ((c == ')' || c == ']' || c == '}') && depth-- == 0) return;
        if (c == ',' && depth == 0) return;
    }
}

/* dtype=np.float32, dtype='<f4', dtype=dtype('float32') */
static ct_status read_type(array *a)
{
    ct_reader *const r = &a->r;
    char word[CT_WORD_BYTES], message[CT_MESSAGE_BYTES];
    ct_named_type type;
    ct_reader_peek(r);
    const size_t at = r->at;
    if (read_name(r, word)) return r->failed;
    if (strcmp(word, "dtype") == 0 && ct_reader_take(r, '(')) {
        if (read_name(r, word) || ct_take_closing(r, ')')) return r->failed;
    }
    if (ct_named_type_read(word, &type, message))
        return ct_reader_fail(r, at, r->at - at, "%s", message);
    if (type.bits % 8 != 0)
        return ct_reader_fail(r, at, r->at - at, "an element of %d bits: NumPy's have whole bytes",
                              type.bits);
    a->itemsize = type.bits / 8;
    return CT_OK;
}

/* A tuple, or an integer, which stands for a tuple of one. */
static ct_status read_tuple(ct_reader *r, int64_t *out, int *count)
{
    const int c = ct_reader_peek(r);
    if (c == '(' || c == '[') return ct_read_integers(r, "([", CT_CONVERT_RANK, out, count);
    *count = 1;
    return ct_read_integer(r, out);
}

static ct_status read_item(array *a, const char *name)
{
    ct_reader *const r = &a->r;
    int count;
    ct_reader_peek(r);
    const size_t at = r->at;
    if (strcmp(name, "shape") == 0) {
        a->has_shape = 1;
        if (read_tuple(r, a->s.shape, &a->s.rank)) return r->failed;
        for (int d = 0; d < a->s.rank; ++d) {
            if (a->s.shape[d] < 1)
                return ct_reader_fail(r, at, r->at - at,
                                      "extent %d is %lld; an extent is at least 1", d,
                                      (long long)a->s.shape[d]);
        }
        return CT_OK;
    }
    if (strcmp(name, "strides") == 0) {
        if (ct_take_text(r, "None")) return CT_OK;
        a->has_strides = 1;
        if (read_tuple(r, a->s.stride, &count)) return r->failed;
        a->strides_at = at;
        a->strides_length = r->at - at;
        if (!a->has_shape || count == a->s.rank) return CT_OK;
        return ct_reader_fail(r, at, r->at - at, "%d strides for %d extents", count, a->s.rank);
    }
    if (strcmp(name, "itemsize") == 0) {
        if (ct_read_integer(r, &a->itemsize)) return r->failed;
        if (a->itemsize >= 1 && a->itemsize <= 1 << 20) return CT_OK;
        return ct_reader_fail(r, at, r->at - at, "an element has at least 1 byte");
    }
    if (strcmp(name, "offset") == 0) return ct_read_integer(r, &a->offset);
    if (strcmp(name, "dtype") == 0 || strcmp(name, "typestr") == 0) return read_type(a);
    skip_value(r);
    return CT_OK;
}

/* shape=(4, 8), strides=(32, 4), ..; the same as a dictionary, or as the arguments of a call. */
static ct_status read_items(array *a)
{
    ct_reader *const r = &a->r;
    char word[CT_WORD_BYTES], close = '\0';
    const size_t begin = r->at;
    ct_read_word(r, word);
    const int bracket = ct_reader_peek(r);
    if (bracket == '(' || bracket == '{') {
        if (ct_take_open(r, "({", &close)) return r->failed;
    } else {
        r->at = begin;
    }
    for (int n = 0; close ? !ct_reader_take(r, close) : ct_reader_peek(r) != 0; ++n) {
        if (n > 0 && !ct_reader_take(r, ',')) return ct_reader_expected(r, "`,`");
        if (close && ct_reader_take(r, close)) break;
        ct_reader_peek(r);
        const size_t at = r->at;
        if (read_name(r, word)) return r->failed;
        if (ct_reader_take(r, '=') || ct_reader_take(r, ':')) {
            if (read_item(a, word)) return r->failed;
        } else if (close == ')') {
            r->at = at;
            skip_value(r); /* the array of as_strided(x, shape=..) */
        } else {
            return ct_reader_expected(r, "`=`, as in shape=(4, 8)");
        }
    }
    if (!a->has_shape) return ct_reader_expected(r, "shape=, as in shape=(4, 8)");
    return ct_read_end(r);
}

/* Strides in bytes become strides in elements. */
static ct_status in_elements(array *a, ct_diag *diag)
{
    for (int d = 0; d < a->s.rank; ++d) {
        const int64_t bytes = a->s.stride[d];
        if (a->s.shape[d] > 1 && bytes % a->itemsize != 0)
            return ct_conversion_fail(diag, CT_E_NO_LAYOUT,
                                      "the stride of axis %d, %lld bytes, is not a "
                                      "multiple of an element of %lld",
                                      d, (long long)bytes, (long long)a->itemsize);
        a->s.stride[d] = bytes / a->itemsize;
    }
    if (a->itemsize > 0 && a->offset % a->itemsize != 0)
        return ct_conversion_fail(diag, CT_E_NO_LAYOUT,
                                  "the offset, %lld bytes, is not a multiple of an "
                                  "element of %lld",
                                  (long long)a->offset, (long long)a->itemsize);
    if (a->itemsize > 0) a->s.offset = a->offset / a->itemsize;
    return CT_OK;
}

ct_status ct_read_numpy(const char *text, const ct_convert_options *o, ct_exchange *out,
                        ct_diag *diag)
{
    array a;
    memset(&a, 0, sizeof a);
    memset(out, 0, sizeof *out);
    a.r = ct_reader_of(text, diag);
    if (read_items(&a)) return a.r.failed;
    if (a.itemsize == 0 && o->element_bits % 8 == 0) a.itemsize = o->element_bits / 8;
    if (a.itemsize == 0 && (a.has_strides || a.offset != 0))
        return ct_conversion_fail(diag, CT_E_ARGUMENT,
                                  "the strides are bytes: give itemsize= or "
                                  "dtype= in the text, or --type");
    out->maps = CT_MAPS_MEMORY;
    out->element_bits = (int32_t)(8 * a.itemsize);
    if (!a.has_strides) { /* in C's order */
        int64_t run = 1;
        int fits = 1;
        for (int d = a.s.rank - 1; d >= 0; --d) {
            a.s.stride[d] = run;
            run = ct_mul(run, a.s.shape[d], &fits);
        }
        if (!fits)
            return ct_conversion_fail(diag, CT_E_OVERFLOW, "the size does not fit in 64 bits");
        if (a.itemsize > 0 && a.offset % a.itemsize == 0) a.s.offset = a.offset / a.itemsize;
        return ct_strided_tensor(&a.s, &out->tensor, diag);
    }
    const ct_status bad = in_elements(&a, diag);
    return bad ? bad : ct_strided_tensor(&a.s, &out->tensor, diag);
}

static void put_tuple(ct_builder *b, const char *name, const int64_t *value, int count)
{
    ct_put(b, "%s=(", name);
    for (int d = 0; d < count; ++d) ct_put(b, "%s%lld", d ? ", " : "", (long long)value[d]);
    ct_put_text(b, count == 1 ? ",)" : ")");
}

ct_status ct_write_numpy(ct_builder *b, const ct_tensor *t, int element_bits, ct_diag *diag)
{
    ct_strided s;
    const ct_status bad = ct_strided_of(t, "NumPy", &s, diag);
    int64_t bytes = element_bits / 8;
    int fits = 1;
    if (bad) return bad;
    if (element_bits == 0)
        return ct_conversion_fail(diag, CT_E_ARGUMENT,
                                  "the type of the elements is missing, as in "
                                  "--type half: NumPy's strides are bytes");
    if (element_bits % 8 != 0)
        return ct_conversion_fail(diag, CT_E_NO_LAYOUT,
                                  "an element of %d bits: NumPy's have whole "
                                  "bytes",
                                  element_bits);
    if (s.offset < 0)
        return ct_conversion_fail(diag, CT_E_NO_LAYOUT,
                                  "the offset is %lld: an array of NumPy begins "
                                  "inside its buffer",
                                  (long long)s.offset);
    for (int d = 0; d < s.rank; ++d) s.stride[d] = ct_mul(s.stride[d], bytes, &fits);
    s.offset = ct_mul(s.offset, bytes, &fits);
    if (!fits) return ct_conversion_fail(diag, CT_E_OVERFLOW, "a stride does not fit in 64 bits");
    put_tuple(b, "shape", s.shape, s.rank);
    put_tuple(b, ", strides", s.stride, s.rank);
    ct_put(b, ", itemsize=%lld", (long long)bytes);
    if (s.offset > 0) ct_put(b, ", offset=%lld", (long long)s.offset);
    return CT_OK;
}
