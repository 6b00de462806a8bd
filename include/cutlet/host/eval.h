/**
 * Expressions: operations called by CuTe's names, nested, on values in the text notation.
 *
 *     composition((6,2):(8,2), (4,3):(3,1))        ((2,2),3):((24,2),8)
 *     size(coalesce((2,(1,6)):(1,(6,2))))          12
 *     ((4,8):(8,1))(2,3)                           19: a value at a coordinate
 *     ((4,8):(8,1))(2,_)                           16@(8):(1): a slice
 *     A == B   A ~ B   A == error                  true or false; see check.h
 */
#ifndef CUTLET_HOST_EVAL_H
#define CUTLET_HOST_EVAL_H

#include "text.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Evaluates the expression.
 *
 * Ensures: CT_OK and *out, to be released with ct_value_free. diag may be NULL.
 * Fails:   The status of the operation that failed: *out is then CT_KIND_ERROR, and *diag has its
 *          sentence and the place of its call. CT_E_TEXT when the text is no expression,
 *          CT_E_MEMORY: *out is then CT_KIND_NONE, and *diag says why and where.
 */
ct_status ct_evaluate(const char *text, ct_value *out, ct_diag *diag);

/** A call that has been evaluated, innermost calls first. A value at a coordinate calls `at`. */
typedef struct ct_step {
    const char *name;      /* of the operation */
    int count;             /* of the arguments */
    const ct_value *arg;   /* as the operation took them: a bare shape has become a layout */
    const ct_value *result;
    size_t at, length;     /* the place of the call in the text */
} ct_step;

/** As ct_evaluate, and calls observe for every operation on the way. */
ct_status ct_evaluate_observed(const char *text, ct_value *out, ct_diag *diag,
                               void (*observe)(void *context, const ct_step *step), void *context);

/** The most forms of an operation. */
#define CT_MAX_FORMS 16

/** The forms of an operation: entries of the table that have one name. */
typedef struct ct_forms {
    int32_t count;
    const void *form[CT_MAX_FORMS];
} ct_forms;

/** Finds the forms of the operation of a name, once for many calls. Returns how many there are; 0
 *  where there is no such operation. */
int ct_operation_forms(const char *name, ct_forms *forms);

/**
 * Calls an operation with values. The first form that takes them is called, as by an expression: a
 * bare shape becomes a layout, a tuple or a layout a tiler, a layout a tensor, each in its place in arg.
 *
 *     ct_forms coalesce;
 *     ct_value L = {.kind = CT_KIND_LAYOUT, .as.layout = layout}, out;
 *     char message[CT_MESSAGE_BYTES];
 *     ct_operation_forms("coalesce", &coalesce);
 *     if (ct_operation_call(&coalesce, &L, 1, &out, message)) puts(message);
 *
 * Ensures: CT_OK and *out, to be released with ct_value_free; the arguments remain the caller's.
 *          message may be NULL.
 * Fails:   The status of the operation that failed: *out is then CT_KIND_ERROR. CT_E_TEXT where
 *          no form takes these arguments: *out is then CT_KIND_NONE. One line in message.
 */
ct_status ct_operation_call(const ct_forms *forms, ct_value *arg, int count, ct_value *out,
                            char message[CT_MESSAGE_BYTES]);

/** Whether two values are the same: shape, stride, nesting and kind. A bare shape equals its
 *  compact layout, true equals 1. */
int ct_value_equal(const ct_value *a, const ct_value *b);

/**
 * Whether two layouts, tensors or composed layouts are the same function: the same size and the
 * same offset for every index.
 *
 * Returns: 1 or 0; -1 when they cannot be compared: other kinds of values, or more indices than
 *          CT_MAX_LIST without a shorter proof. *index, when not NULL, is the first index at which
 *          they differ, or -1 where their sizes do.
 */
int ct_value_same_function(const ct_value *a, const ct_value *b, int64_t *index);

/** One entry of the table of operations. An operation with several forms has several entries. */
typedef struct ct_operation_info {
    const char *name;
    const char *help;  /* one line */
    const char *group; /* the heading that it belongs under */
    char takes[96];    /* the kinds of its arguments: "layout, tiler" */
} ct_operation_info;

/** Entry i of the table, sorted by group. Returns 0 past its end. */
int ct_operation_listed(int i, ct_operation_info *info);

/** Where entry i is found in C: the function, or TYPE.MEMBER, and the header to include for it.
 * Returns 0 past the end of the table. */
int ct_operation_source(int i, const char **function, const char **header);

/** Calls visit for each name of an atom, of copies first, then of matrix instructions, until it
 *  returns other than 0; returns that. `what` is the operation that the name is for. */
int ct_atoms_listed(int (*visit)(void *context, const char *name, const char *what), void *context);

#ifdef __cplusplus
}
#endif

#endif
