/**
 * Evaluating a part of a text, and what messages say about operations.
 */
#ifndef CUTLET_SRC_TEXT_EVALUATE_H
#define CUTLET_SRC_TEXT_EVALUATE_H

#include <cutlet/host/eval.h>

/** The bytes [begin, end) of a text; places in messages count from the beginning of the text. */
typedef struct ct_text_span {
    const char *text;
    size_t begin, end;
} ct_text_span;

/** As ct_evaluate for an expression without a comparison. Where a layout in the text has failed,
 *  the result is CT_E_TEXT and *out is CT_KIND_ERROR. */
ct_status ct_evaluate_span(const ct_text_span *span, ct_value *out, ct_diag *diag,
                           void (*observe)(void *, const ct_step *), void *context);

/** Whether ct_evaluate_span read no expression; any other failure is one of an operation. */
static inline int ct_is_unread(ct_status status)
{
    return status == CT_E_TEXT || status == CT_E_MEMORY;
}

/** A comparison found in a text: its two sides and its sign. */
enum {
    CT_COMPARE_NONE,
    CT_COMPARE_EQUAL,
    CT_COMPARE_SAME,
    CT_COMPARE_ERROR,
    CT_COMPARE_MOST,
    CT_COMPARE_LEAST
};
typedef struct ct_assertion {
    int kind; /* CT_COMPARE_ERROR: the right side is the word `error` */
    ct_text_span left, right;
} ct_assertion;

/** Splits text[0, length) at `==`, `~`, `<=` or `>=`. CT_E_TEXT and *diag where there are two of them. */
ct_status ct_find_assertion(const char *text, size_t length, ct_assertion *c, ct_diag *diag);

/** Whether two values are as the assertion says; -1 and *diag where it cannot compare them. *index:
 *  of `~`, the first index at which they differ, or -1. */
int ct_compare_sides(const ct_value *a, const ct_value *b, const ct_assertion *c, int64_t *index,
                     ct_diag *diag);

/** The kinds of the arguments in words: "layout, tiler". */
void ct_describe_takes(const char *takes, char *buf, size_t size);

/** The least number of characters to insert, leave out or exchange that make b of the n characters of a; 64
 *  for words of 64 and more. */
int ct_word_distance(const char *a, size_t n, const char *b);

/** The operation with the name most like this one, NULL when none is much like it. */
const char *ct_nearest_operation(const char *name, size_t length);

#endif
