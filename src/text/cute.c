/* Where a form of CuTe begins in an expression, and in whose notation it is. */
#include <string.h>

#include "cute.h"
#include "cute_tuple.h"
#include "triton_text.h"

#define TUPLES "Shape Stride Step Coord Tile make_shape make_stride make_coord make_step make_tuple"

/* Whether a call is written as in C++ or in Python: up to its end there are words and braces that the
 * notation does not have. */
static int is_foreign_call(const ct_reader *r, size_t at)
{
    static const char *const marks[] = {"shape=",      "make_shape", "make_stride", "make_coord",
                                        "make_tuple",  "Shape<",     "Stride<",     "Step<",
                                        "Int<",        "C<",         "{}",          "stride",
                                        "order=",      "LayoutLeft", "LayoutRight", "GenColMajor",
                                        "GenRowMajor", "Swizzle<",   "smem_ptr"};
    int depth = 0;
    for (; at < r->length; ++at) {
        for (size_t i = 0; i < sizeof marks / sizeof *marks; ++i) {
            const size_t n = strlen(marks[i]);
            if (r->length - at >= n && memcmp(r->text + at, marks[i], n) == 0) return 1;
        }
        depth += r->text[at] == '(' || r->text[at] == '<';
        depth -= r->text[at] == ')' || r->text[at] == '>';
        if (depth == 0) return 0;
    }
    return 0;
}

/* The character behind a word, which begins at the cursor. */
static char behind(const ct_reader *r, size_t length)
{
    return r->at + length < r->length ? r->text[r->at + length] : '\0';
}

int ct_begins_cute(const ct_reader *r)
{
    ct_reader ahead = *r;
    char name[CT_WORD_BYTES], word[CT_WORD_BYTES];
    if (ct_begins_cute_object(r)) return 1;
    ct_read_identifier(&ahead, name);
    const size_t n = strlen(name);
    const char next = behind(r, n);
    if (r->at < r->length && r->text[r->at] == '!')
        return strncmp(r->text + r->at, "!cute.", 6) == 0;
    if (ct_is_one_of(name, "cute cutlass pycute") && (next == '.' || next == ':')) {
        ahead.at = r->at;
        ct_read_word(&ahead, word);
        return ct_is_one_of(word, "Layout ComposedLayout make_layout make_ordered_layout "
                                  "make_composed_layout " TUPLES);
    }
    if (n >= 3 && strcmp(name + n - 3, "ptr") == 0)
        return next == '[' || next == '<' || next == '(';
    if (ct_is_one_of(name, "Layout ComposedLayout"))
        return next == '<' || next == '(' || next == '.';
    if (ct_is_one_of(name, "Tensor tensor")) return next == '<' || next == '(';
    if (ct_is_one_of(name, "ArithTuple")) return next == '(';
    if (ct_is_one_of(name, "Shape Stride Step Coord Tile")) return next == '<' || next == '(';
    if (ct_is_one_of(name, "make_shape make_stride make_coord make_step make_tuple"))
        return next == '(';
    ct_peek_word(&ahead, word);
    return ct_is_one_of(name, "make_layout make_ordered_layout make_composed_layout") &&
           next == '(' && is_foreign_call(r, r->at + n);
}

/* Shape<..>, make_shape(..): a tuple. */
static int begins_tuple(ct_reader *r)
{
    char word[CT_WORD_BYTES];
    ct_peek_word(r, word);
    return ct_is_one_of(word, TUPLES);
}

ct_status ct_read_cute_value(ct_reader *r, ct_value *out)
{
    ct_tensor t;
    if (ct_begins_cute_object(r)) return ct_read_cute_object(r, out);
    if (begins_tuple(r)) {
        out->kind = CT_KIND_TUPLE;
        return ct_read_cute_tuple(r, &out->as.tuple);
    }
    if (ct_read_cute_tensor(r, &t)) return r->failed;
    ct_value_of_tensor(out, t);
    return CT_OK;
}

/* ---- whose notation it is -------------------------------------------------------------------- */

/* The notation of a call or a type whose name is `name`, at the cursor. */
static const char *named_notation(const ct_reader *r, const char *name)
{
    const char next = behind(r, strlen(name));
    const size_t n = strlen(name);
    if (ct_is_one_of(name, "cute cutlass")) return next == '.' ? "CuTe DSL" : "CuTe C++";
    if (n >= 3 && strcmp(name + n - 3, "ptr") == 0)
        return next == '[' ? "a print of CuTe C++" : "a print of CuTe DSL";
    if (ct_is_one_of(name, "Tensor tensor")) return "a print of CuTe DSL";
    if (ct_is_one_of(name, "ArithTuple")) return "a print of CuTe C++";
    if (ct_is_one_of(name, "Layout") && next == '.') return "Mojo";
    if (ct_is_one_of(name, "pycute") || (ct_is_one_of(name, "Layout") && next == '('))
        return "pycute";
    return "CuTe C++";
}

/* The same where no layout begins that only CuTe writes: a swizzle, or an atom by its type. */
static const char *other_notation(const ct_reader *r, const char *name)
{
    const char next = behind(r, strlen(name));
    if (ct_is_one_of(name, "cute") && (next == '.' || next == ':'))
        return next == '.' ? "CuTe DSL" : "CuTe C++";
    if (strcmp(name, "S") == 0 && next == '<') return "CuTe DSL";
    if (strcmp(name, "Swizzle") == 0 && next == '<') return "CuTe C++";
    if (ct_is_one_of(name, "Copy_Atom MMA_Atom TiledMMA") && next == '<') return "CuTe C++";
    if (strcmp(name, "Sw") == 0 && next == '<') {
        const char *const end = memchr(r->text + r->at, '>', r->length - r->at);
        ct_reader behind_it = *r;
        behind_it.at = end ? (size_t)(end + 1 - r->text) : r->length;
        if (ct_take_text(&behind_it, "_smem_ptr[") || ct_take_text(&behind_it, "o smem_ptr"))
            return "a print of CuTe C++";
    }
    return NULL;
}

const char *ct_notation_of(const char *text, size_t length)
{
    ct_reader r = {.text = text, .length = length};
    char name[CT_WORD_BYTES];
    while (ct_reader_peek(&r)) {
        const size_t at = r.at;
        ct_reader ahead = r;
        ct_read_identifier(&ahead, name);
        const char *const triton = ct_begins_triton(&r);
        if (triton) return triton;
        if (ct_begins_cute_object(&r)) return ct_cute_object_notation(&r);
        if (r.text[at] == '!' && ct_begins_cute(&r)) return "CuTe IR";
        if (name[0]) {
            if (ct_begins_cute(&r)) return named_notation(&r, name);
            const char *const other = other_notation(&r, name);
            if (other) return other;
        }
        r.at = name[0] ? ahead.at : at + 1;
    }
    return NULL;
}
