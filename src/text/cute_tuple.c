/* Integers and tuples as CuTe writes them: C++ types and calls, and Python. */
#include <string.h>

#include "cute_tuple.h"
#include "notation.h"
#include "words.h"

/* The modes of a basis element: <0,1>, (0), ([0,1]), outermost first. */
static ct_status read_path(ct_reader *r, char close, uint32_t *path)
{
    int64_t mode[4];
    int n = 0;
    if (ct_reader_peek(r) == '[' || ct_reader_peek(r) == '(') {
        if (ct_read_integers(r, "[(", 4, mode, &n)) return r->failed;
    } else {
        while (ct_reader_peek(r) != close && n < 4) {
            if (n > 0 && !ct_reader_take(r, ',')) break;
            if (ct_read_integer(r, &mode[n++])) return r->failed;
        }
    }
    *path = 0;
    for (int k = n - 1; k >= 0; --k) {
        if (mode[k] < 0 || mode[k] > 253)
            return ct_reader_fail(r, r->at - 1, 1, "a basis names modes 0 to 253");
        *path = *path << 8 | (uint32_t)(mode[k] + 1);
    }
    return ct_take_closing(r, close);
}

/* Int<8>, C<8>, integral_constant<int,8>; the name has been read. */
static ct_status read_constant(ct_reader *r, const char *word, int64_t *out)
{
    char close, type[CT_WORD_BYTES];
    if (ct_take_open(r, "<", &close)) return r->failed;
    if (word[0] == 'i') {
        ct_read_word(r, type);
        if (!ct_reader_take(r, ',')) return ct_reader_expected(r, "`,`");
    }
    if (ct_read_integer(r, out) || ct_take_closing(r, close)) return r->failed;
    ct_take_empty_braces(r);
    return CT_OK;
}

/* E<0,1>, E(0), ScaledBasis<Int<3>,0>, ScaledBasis(3, [0]). */
static ct_status read_basis(ct_reader *r, const char *word, ct_tuple *out)
{
    char close;
    *out = ct_int(1);
    if (ct_take_open(r, "<(", &close)) return r->failed;
    if (word[0] == 'S') {
        if (ct_read_cute_tuple(r, out)) return r->failed;
        if (!ct_is_integer(*out) || !ct_reader_take(r, ',')) return ct_reader_expected(r, "`,`");
    }
    if (read_path(r, close, &out->basis[0])) return r->failed;
    ct_take_empty_braces(r);
    return CT_OK;
}

/* A tuple's elements up to `close`; a comma may follow the last. */
ct_status ct_read_cute_elements(ct_reader *r, char close, ct_tuple *out)
{
    ct_tuple all = ct_int(0), one;
    all.profile.leaves = 0;
    if (ct_reader_enter(r)) return r->failed;
    for (int n = 0; !ct_reader_take(r, close); ++n) {
        if (n > 0) {
            if (!ct_reader_take(r, ',')) return ct_take_closing(r, close);
            if (ct_reader_take(r, close)) break;
        }
        ct_reader_peek(r);
        const size_t at = r->at;
        if (ct_read_cute_tuple(r, &one)) return r->failed;
        if (one.profile.leaves == 0)
            return ct_reader_fail(r, at, r->at - at, "an empty tuple cannot stand inside another");
        const int leaves = all.profile.leaves, more = one.profile.leaves;
        if (leaves + more > CT_MAX_LEAVES)
            return ct_reader_fail(r, at, r->at - at, "more than %d leaves", CT_MAX_LEAVES);
        for (int i = 0; i < more; ++i) {
            all.value[leaves + i] = one.value[i];
            all.basis[leaves + i] = one.basis[i];
            all.profile.open[leaves + i] = one.profile.open[i];
            all.profile.close[leaves + i] = one.profile.close[i];
        }
        all.profile.leaves = leaves + more;
    }
    --r->depth;
    *out = all.profile.leaves > 0 ? ct_wrap(all) : all;
    if (out->err.status) return ct_reader_fail(r, r->at - 1, 1, "nested too deep");
    return CT_OK;
}

/* _8 behind a namespace, _m8: the names that CuTe gives to integers. Returns 0 for another word. */
static int read_alias(const char *word, int64_t *out)
{
    const int negative = word[0] == '_' && word[1] == 'm';
    const char *c = word + 1 + negative;
    if (word[0] != '_' || strlen(c) < 1 || strlen(c) > 9 || strspn(c, "0123456789") != strlen(c))
        return 0;
    for (*out = 0; *c; ++c) *out = 10 * *out + *c - '0';
    if (negative) *out = -*out;
    return 1;
}

static ct_status read_named(ct_reader *r, ct_tuple *out)
{
    char word[CT_WORD_BYTES], close;
    const size_t at = ct_read_word(r, word);
    int64_t value;
    if (ct_is_one_of(
            word, "Shape Stride Step Coord Tile tuple IntTuple make_shape make_stride make_tuple "
                  "make_coord make_step")) {
        if (ct_take_open(r, "<({", &close) || ct_read_cute_elements(r, close, out))
            return r->failed;
        if (close == '>') ct_take_empty_braces(r);
        return CT_OK;
    }
    if (ct_is_one_of(word, "Int C integral_constant")) {
        if (read_constant(r, word, &value)) return r->failed;
        *out = ct_int(value);
        return CT_OK;
    }
    if (ct_is_one_of(word, "E ScaledBasis")) return read_basis(r, word, out);
    if (read_alias(word, &value)) {
        ct_take_empty_braces(r);
        *out = ct_int(value);
        return CT_OK;
    }
    if (ct_is_one_of(word, "int int32_t int64_t uint32_t uint64_t unsigned long size_t"))
        return ct_reader_fail(r, at, strlen(word),
                              "`%s` is known only at run time: write its "
                              "value",
                              word);
    return ct_reader_fail(r, at, strlen(word), "`%s` is neither an integer nor a tuple of CuTe",
                          word);
}

/* An integer or basis element of the notation, `_8{}` and `8u` too. */
static ct_status read_number(ct_reader *r, ct_tuple *out)
{
    if (ct_read_leaf(r, out)) return r->failed;
    while (r->at < r->length && strchr("uUlL", r->text[r->at])) ++r->at;
    ct_take_empty_braces(r);
    return CT_OK;
}

static ct_status read_factor(ct_reader *r, ct_tuple *out)
{
    const int c = ct_reader_peek(r);
    if (c == '(') {
        ++r->at;
        return ct_read_cute_elements(r, ')', out);
    }
    if (c == '?') {
        int64_t value = 0;
        if (ct_read_unknown(r, &value)) return r->failed;
        *out = ct_int(value);
        return CT_OK;
    }
    if (ct_begins_integer(r)) return read_number(r, out);
    if (c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) return read_named(r, out);
    return ct_reader_expected(r, "an integer or a tuple");
}

/* A tuple, or a product of integers of which one may be a basis element: E<0>{} * 3. */
static ct_status read_product(ct_reader *r, ct_tuple *out)
{
    if (read_factor(r, out)) return r->failed;
    while (ct_reader_take(r, '*')) {
        const size_t at = r->at;
        ct_tuple other;
        int fits = 1;
        if (read_factor(r, &other)) return r->failed;
        if (!ct_is_integer(*out) || !ct_is_integer(other) ||
            (out->basis[0] != CT_INTEGER && other.basis[0] != CT_INTEGER))
            return ct_reader_fail(r, at, r->at - at, "only integers are multiplied here");
        out->value[0] = ct_mul(out->value[0], other.value[0], &fits);
        if (other.basis[0] != CT_INTEGER) out->basis[0] = other.basis[0];
        if (!fits) return ct_reader_fail(r, at, r->at - at, "the product does not fit in 64 bits");
    }
    return CT_OK;
}

/* A product, or a sum of products that are basis elements: E<0>{} + E<1>{} * 2. */
ct_status ct_read_cute_tuple(ct_reader *r, ct_tuple *out)
{
    ct_reader_peek(r);
    const size_t at = r->at;
    if (read_product(r, out)) return r->failed;
    while (ct_reader_take(r, '+')) {
        ct_tuple other;
        if (read_product(r, &other)) return r->failed;
        *out = ct_basis_add(*out, other);
        if (out->err.status) {
            char message[CT_MESSAGE_BYTES];
            ct_error_message(out->err, message, sizeof message);
            return ct_reader_fail(r, at, r->at - at, "%s", message);
        }
    }
    return CT_OK;
}
