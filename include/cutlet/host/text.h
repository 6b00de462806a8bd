/**
 * The text notation: values read from text and written to it, and errors as sentences.
 *
 *     5   (2,(3,4))   3@0   _            tuple: integers, basis elements, `_`
 *     (4,8):(1@0,1@0+1@1)                layout whose stride of mode 1 is a sum of two basis elements
 *     ((2,4),8):((1,16),2)               layout; a bare shape is compact column-major
 *     <4:1,8:2>   <4,_>                  tiler
 *     640@(64,2):(2,1024)                tensor: offset@layout
 *     Sw<3,4,3>                          swizzle
 *     Sw<3,4,3> o 0 o (8,64):(64,1)      tensor with a swizzle: composed layout
 *
 * `_4` reads as 4, spaces are free. What is written reads back as the same value.
 *
 * Cost:     O(length of the text).
 */
#ifndef CUTLET_HOST_TEXT_H
#define CUTLET_HOST_TEXT_H

#include <stddef.h>

#include <cutlet/algebra/tensor.h>
#include <cutlet/copy/tiled_copy.h>
#include <cutlet/mma/tiled_mma.h>
#include <cutlet/algebra/tiler.h>
#include <cutlet/host/capacity.h>
#include <cutlet/host/message.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Room for any layout, tuple, tiler or tensor as text. */
#define CT_TEXT_BYTES (CT_MAX_LEAVES * 96 + 512)

/** The deepest nesting of parentheses, brackets and calls in a text. */
#define CT_TEXT_DEPTH 48

/** The most integers that a flat list may hold. */
#define CT_MAX_LIST (1 << 24)

/** What a ct_value is. */
enum {
    CT_KIND_NONE = 0,
    CT_KIND_ERROR,
    CT_KIND_BOOL,
    CT_KIND_NAME,
    CT_KIND_TUPLE,
    CT_KIND_LIST,
    CT_KIND_LAYOUT,
    CT_KIND_TILER,
    CT_KIND_TENSOR,
    CT_KIND_SWIZZLE,
    CT_KIND_COPY_ATOM,
    CT_KIND_TILED_COPY,
    CT_KIND_MMA_ATOM,
    CT_KIND_TILED_MMA,
    CT_KIND_COUNT
};

/** Flat integers, more than a tuple can hold; item is from malloc. */
typedef struct ct_list {
    int64_t count;
    int64_t *item;
} ct_list;

/** An operation that failed, and the place of its call in the text; or text that is not a layout,
 * as 0:1, which makes it bad. */
typedef struct ct_failure {
    ct_error err;
    size_t at, length;
    int bad_text;
} ct_failure;

/** Anything that the notation can write. An integer and `_` are tuples of a single leaf. Only a
 *  list owns memory; ct_value_free releases it. */
typedef struct ct_value {
    int32_t kind; /* CT_KIND_... */
    union {
        ct_failure failure;
        int boolean;
        char name[32]; /* a word, as universal128 */
        ct_tuple tuple;
        ct_list list;
        ct_layout layout;
        ct_tiler tiler;
        ct_tensor tensor;
        ct_swizzle swizzle;
        ct_copy_atom atom;
        ct_tiled_copy copy;
        ct_mma_atom mma_atom;
        ct_tiled_mma mma;
    } as;
} ct_value;

/** The error of a text and its place. */
typedef struct ct_diag {
    size_t at;     /* the first byte of the place */
    size_t length; /* of the place, in bytes; at least 1, though the text may end before it */
    ct_error err;  /* the error of the operation that failed; its status is CT_OK when the text
                       itself cannot be read */
    char message[CT_MESSAGE_BYTES]; /* one line, without a newline */
} ct_diag;

/**
 * Reads one value of the given kind from the full text. A bare shape is read as a layout if a
 * layout is requested, and a tuple as a tiler if a tiler is.
 *
 * Ensures: CT_OK and *out; otherwise *out as it was, and *diag when diag is not NULL.
 * Fails:   CT_E_TEXT: unbalanced brackets, trailing text, integers beyond 64 bits, more than
 *          CT_MAX_LEAVES leaves, nesting beyond CT_TEXT_DEPTH. CT_E_MEMORY. The status of a value
 *          that fails: shapes below 1, a stride that nests unlike its shape.
 * In C:    int64_t i;
 *          ct_tuple t;
 *          ct_layout L;
 *          ct_tiler tiler;
 *          ct_tensor tensor;
 *          ct_swizzle s;
 *          ct_diag diag;
 *          assert(ct_parse_int("-3", &i, &diag) == CT_OK && i == -3);
 *          assert(ct_parse_tuple("(2,(3,4))", &t, &diag) == CT_OK && ct_product(t) == 24);
 *          assert(ct_parse_layout("(4, _8)", &L, &diag) == CT_OK);
 *          assert(ct_layout_equal(L, ct_layout2(4, 8, 1, 4))); // a bare shape
 *          assert(ct_parse_tiler("<4:1,_>", &tiler, &diag) == CT_OK);
 *          assert(ct_tiler_count(tiler) == 2);
 *          assert(ct_parse_tensor("5@(4,8):(8,1)", &tensor, &diag) == CT_OK);
 *          assert(ct_tensor_eval(tensor, 1) == 13);
 *          assert(ct_parse_swizzle("Sw<3,4,3>", &s, &diag) == CT_OK && s.bits == 3);
 *          assert(ct_parse_layout("(4,8):(8,1", &L, &diag) == CT_E_TEXT && diag.at == 6);
 *          assert(ct_parse_layout("0:1", &L, &diag) == CT_E_ARGUMENT);
 */
ct_status ct_parse_int(const char *text, int64_t *out, ct_diag *diag);
ct_status ct_parse_tuple(const char *text, ct_tuple *out, ct_diag *diag);
ct_status ct_parse_layout(const char *text, ct_layout *out, ct_diag *diag);
ct_status ct_parse_tiler(const char *text, ct_tiler *out, ct_diag *diag);
ct_status ct_parse_tensor(const char *text, ct_tensor *out, ct_diag *diag);
ct_status ct_parse_swizzle(const char *text, ct_swizzle *out, ct_diag *diag);

/**
 * Reads a value of any kind. *out is to be released with ct_value_free.
 * Fails:   as ct_parse_layout.
 * In C:    ct_value v;
 *          assert(ct_parse_value("Sw<3,4,3>", &v, NULL) == CT_OK && v.kind == CT_KIND_SWIZZLE);
 *          ct_value_free(&v);
 *          assert(v.kind == CT_KIND_NONE);
 */
ct_status ct_parse_value(const char *text, ct_value *out, ct_diag *diag);

/**
 * Writes the value to buf, at most size bytes with the terminating zero; a failed value is written
 * as `error: ` and its sentence.
 *
 * Returns: the full length of the text, as snprintf does; CT_TEXT_BYTES are enough for any layout,
 *          tuple, tiler or tensor.
 * In C:    char text[CT_TEXT_BYTES];
 *          const ct_layout L = ct_layout2(4, 8, 8, 1);
 *          const ct_swizzle s = ct_make_swizzle(2, 0, 3);
 *          assert(ct_format_layout(text, sizeof text, L) == 11);
 *          assert(strcmp(text, "(4,8):(8,1)") == 0);
 *          ct_format_tuple(text, sizeof text, ct_tuple2(4, 8));
 *          assert(strcmp(text, "(4,8)") == 0);
 *          ct_format_tiler(text, sizeof text, ct_tiler2(ct_layout1(4, 1), ct_tile_any()));
 *          assert(strcmp(text, "<4:1,_>") == 0);
 *          ct_format_tensor(text, sizeof text, ct_make_swizzled(s, 0, L));
 *          assert(strcmp(text, "Sw<2,0,3> o 0 o (4,8):(8,1)") == 0);
 *          ct_format_swizzle(text, sizeof text, s);
 *          assert(strcmp(text, "Sw<2,0,3>") == 0);
 *          const ct_copy_atom atom = ct_copy_atom_universal(128, 16);
 *          ct_format_copy_atom(text, sizeof text, atom);
 *          assert(strcmp(text, "copy_atom(universal128, 16)") == 0);
 *          const ct_value failed = {.kind = CT_KIND_LAYOUT, .as.layout = ct_layout1(0, 1)};
 *          ct_format_value(text, sizeof text, &failed);
 *          assert(strcmp(text, "error: layout: mode 0 has shape 0; a shape is at least 1") == 0);
 */
int ct_format_tuple(char *buf, size_t size, ct_tuple t);
int ct_format_layout(char *buf, size_t size, ct_layout L);
int ct_format_tiler(char *buf, size_t size, ct_tiler t);
int ct_format_tensor(char *buf, size_t size, ct_tensor t);
int ct_format_swizzle(char *buf, size_t size, ct_swizzle s);
int ct_format_copy_atom(char *buf, size_t size, ct_copy_atom a);
int ct_format_value(char *buf, size_t size, const ct_value *v);

/**
 * Writes a tiled copy, an MMA atom or a tiled MMA as the expression that makes it.
 * Returns: the full length of the text, as snprintf does.
 * In C:    char text[CT_TEXT_BYTES];
 *          const ct_copy_atom atom = ct_copy_atom_universal(128, 16);
 *          const ct_layout thr = ct_layout2(4, 8, 8, 1), val = ct_layout2(1, 8, 8, 1);
 *          ct_format_tiled_copy(text, sizeof text, ct_make_tiled_copy(atom, thr, val));
 *          assert(strcmp(text, "tiled_copy_of(copy_atom(universal128, 16), "
 *                              "((8,4),8):((32,1),4), <4:1,64:1>)") == 0);
 *          const ct_mma_atom mma = ct_make_mma_atom("SM80_16x8x16_F32F16F16F32_TN");
 *          ct_format_mma_atom(text, sizeof text, mma);
 *          assert(strcmp(text, "SM80_16x8x16_F32F16F16F32_TN") == 0);
 *          ct_format_tiled_mma(text, sizeof text,
 *                              ct_make_tiled_mma(mma, ct_layout2(2, 2, 1, 2), ct_tiler0()));
 *          assert(strcmp(text, "tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2,1):(1,2,0), "
 *                              "<32:1,16:1,16:1>)") == 0);
 */
int ct_format_tiled_copy(char *buf, size_t size, ct_tiled_copy c);
int ct_format_mma_atom(char *buf, size_t size, ct_mma_atom a);
int ct_format_tiled_mma(char *buf, size_t size, ct_tiled_mma m);

/**
 * The message of an error: the operation's name, the problem, and its numbers.
 * Returns: its length, as snprintf does; 0 and an empty text when e is not an error.
 * In C:    char message[CT_MESSAGE_BYTES];
 *          const ct_layout L = ct_composition(ct_layout2(4, 2, 1, 8), ct_layout1(3, 3));
 *          assert(ct_error_message(L.err, message, sizeof message) > 0);
 *          assert(strncmp(message, "composition: mode 0 of B has stride 3", 37) == 0);
 */
int ct_error_message(ct_error e, char *buf, size_t size);

/**
 * The name of an operation (CT_OP_...), as in expressions.
 * Cost:    O(1).
 * In C:    const ct_layout L = ct_composition(ct_layout2(4, 2, 1, 8), ct_layout1(3, 3));
 *          assert(strcmp(ct_op_name(L.err.op), "composition") == 0);
 */
const char *ct_op_name(int32_t op);

/**
 * What kind of failure a status is (CT_OK, CT_E_...), in two or three words.
 * Cost:    O(1).
 * In C:    assert(strcmp(ct_status_name(CT_E_NO_LAYOUT), "no layout exists") == 0);
 *          assert(strcmp(ct_status_name(CT_OK), "no error") == 0);
 */
const char *ct_status_name(int32_t status);

/**
 * What a value is, with its article: `a layout`, `an integer`.
 * Cost:    O(1).
 * In C:    ct_value v;
 *          ct_parse_value("3@0", &v, NULL);
 *          assert(strcmp(ct_kind_name(&v), "a basis element") == 0);
 */
const char *ct_kind_name(const ct_value *v);

/**
 * The error that v carries, itself or in a part of it; its status is CT_OK when v has none.
 * Cost:    O(1).
 * In C:    const ct_value v = {.kind = CT_KIND_LAYOUT, .as.layout = ct_layout1(0, 1)};
 *          assert(ct_value_error(&v).why == CT_WHY_SHAPE);
 */
ct_error ct_value_error(const ct_value *v);

/**
 * Releases what v owns and leaves it CT_KIND_NONE; it may be called again. See ct_parse_value.
 * Cost:    O(1).
 * In C:    ct_value v;
 *          ct_evaluate("offsets((8,8):(8,1))", &v, NULL);
 *          assert(v.kind == CT_KIND_LIST && v.as.list.count == 64);
 *          ct_value_free(&v);
 */
void ct_value_free(ct_value *v);

#ifdef __cplusplus
}
#endif

#endif
