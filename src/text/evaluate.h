/**
 * Evaluating a part of a text, and what messages say about operations.
 */
#ifndef CUTLET_SRC_TEXT_EVALUATE_H
#define CUTLET_SRC_TEXT_EVALUATE_H

#include <cutlet/host/eval.h>

/** The bytes [begin, end) of a text; places in messages count from the beginning of the text. `assumed` is the
 *  number of its first `?`, 0 where each needs a value (unknown.h). */
typedef struct ct_text_span {
    const char *text;
    size_t begin, end;
    int64_t assumed;
} ct_text_span;

/** As ct_evaluate for an expression without a comparison. Where a layout in the text has failed,
 *  the result is CT_E_TEXT and *out is CT_KIND_ERROR. */
ct_status ct_evaluate_span(const ct_text_span *span, ct_value *out, ct_diag *diag,
                           void (*observe)(void *, const ct_step *), void *context);

/** As ct_evaluate. Where the answer has `?` in it, *text is the answer, from malloc, and *out is only of its kind. */
ct_status ct_evaluate_for_all(const char *expression, ct_value *out, char **text, ct_diag *diag);

/** As ct_evaluate_observed, where each `?` is a number from `assumed` on. */
ct_status ct_evaluate_assumed(const char *text, int64_t assumed, ct_value *out, ct_diag *diag,
                              void (*observe)(void *, const ct_step *), void *context);

/** The value as text, from malloc; NULL without memory. */
char *ct_value_text(const ct_value *v);

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

/** The length of a line up to its comment, which `#` begins where no encoding of Triton does. */
size_t ct_text_without_comment(const char *line, size_t length);

/** Splits text[0, length) at `==`, `~`, `<=` or `>=`. CT_E_TEXT and *diag where there are two of them. */
ct_status ct_find_assertion(const char *text, size_t length, ct_assertion *c, ct_diag *diag);

/** Assumes numbers for `?` where a side has one without a value. */
void ct_assume_unknown(ct_assertion *c);

/** Asks for the values of `?` where the comparison of the sides, which numbers were assumed for, depends on them. */
ct_status ct_check_assumed(const ct_assertion *c, const ct_value *a, const ct_value *b,
                           ct_diag *diag);

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
