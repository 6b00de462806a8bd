/**
 * Expressions: operations called by CuTe's names, nested, on values in the text notation.
 *
 *     composition((6,2):(8,2), (4,3):(3,1))        ((2,2),3):((24,2),8)
 *     size(coalesce((2,(1,6)):(1,(6,2))))          12
 *     ((4,8):(8,1))(2,3)                           19: a value at a coordinate
 *     ((4,8):(8,1))(2,_)                           16@(8):(1): a slice
 *     A == B   A ~ B   A == error                  true or false; see check.h
 *     size((4,8):(?,1))                            32: of `?` the answer that is the same for all its
 *                                                  values, else CT_E_TEXT
 *
 * Cost:     that of the operations that are called, and an allocation a call.
 * In C:     ct_value v;
 *           ct_diag diag;
 *           const char *text = "composition((6,2):(8,2), (4,3):(3,1))";
 *           assert(ct_evaluate(text, &v, &diag) == CT_OK && v.kind == CT_KIND_LAYOUT);
 *           assert(ct_layout_equal(v.as.layout, ct_read("((2,2),3):((24,2),8)")));
 *           ct_value_free(&v);
 *           const ct_status failed = ct_evaluate("size(mode(8:1, 3))", &v, &diag);
 *           assert(failed == CT_E_ARGUMENT && v.kind == CT_KIND_ERROR);
 *           assert(diag.at == 5 && diag.length == 12); // the call of mode
 */
#ifndef CUTLET_HOST_EVAL_H
#define CUTLET_HOST_EVAL_H

#include <cutlet/host/text.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Evaluates the expression.
 *
 * Ensures: CT_OK and *out, to be released with ct_value_free. diag may be NULL.
 * Fails:   The status of the operation that failed: *out is then CT_KIND_ERROR, and *diag has its
 *          sentence and the place of its call. CT_E_TEXT when the text is not an expression,
 *          CT_E_MEMORY: *out is then CT_KIND_NONE, and *diag says why and where.
 */
ct_status ct_evaluate(const char *text, ct_value *out, ct_diag *diag);

/** A call that has been evaluated, innermost calls first. A value at a coordinate calls `at`. */
typedef struct ct_step {
    const char *name;    /* of the operation */
    int count;           /* of the arguments */
    const ct_value *arg; /* as the operation took them: a bare shape has become a layout */
    const ct_value *result;
    size_t at, length; /* the place of the call in the text */
} ct_step;

/**
 * As ct_evaluate, and calls observe, with context, for every operation on the way, innermost calls
 * first. The step and its values last until observe returns. Each `?` needs its value here.
 * Fails:   as ct_evaluate; the operation that failed is observed too.
 * Used by: tests/text/test_eval.c
 */
ct_status ct_evaluate_observed(const char *text, ct_value *out, ct_diag *diag,
                               void (*observe)(void *context, const ct_step *step), void *context);

/** The most forms of an operation. */
#define CT_MAX_FORMS 16

/** The forms of an operation: entries of the table that have one name. */
typedef struct ct_forms {
    int32_t count;
    const void *form[CT_MAX_FORMS];
} ct_forms;

/**
 * Finds the forms of the operation of a name, once for many calls.
 * Returns: how many there are; 0 where there is no such operation.
 * Cost:    O(operations).
 * In C:    ct_forms size;
 *          assert(ct_operation_forms("size", &size) > 0);
 *          assert(ct_operation_forms("no_such_name", &size) == 0);
 */
int ct_operation_forms(const char *name, ct_forms *forms);

/**
 * Calls an operation with values. The first form that takes them is called, as by an expression. A
 * bare shape becomes a layout, a tuple or a layout a tiler, a layout a tensor, each in its place in
 * arg.
 *
 * Ensures: CT_OK and *out, to be released with ct_value_free; the arguments remain the caller's.
 *          message may be NULL.
 * Fails:   The status of the operation that failed: *out is then CT_KIND_ERROR. CT_E_TEXT where
 *          no form takes these arguments: *out is then CT_KIND_NONE. One line in message.
 * Cost:    that of the operation; O(forms) to find the one that takes the arguments.
 * In C:    ct_forms coalesce;
 *          ct_value L = {.kind = CT_KIND_LAYOUT, .as.layout = ct_layout2(4, 8, 1, 4)}, out;
 *          char message[CT_MESSAGE_BYTES];
 *          ct_operation_forms("coalesce", &coalesce);
 *          assert(ct_operation_call(&coalesce, &L, 1, &out, message) == CT_OK);
 *          assert(ct_layout_equal(out.as.layout, ct_layout1(32, 1)));
 *          ct_value_free(&out);
 */
ct_status ct_operation_call(const ct_forms *forms, ct_value *arg, int count, ct_value *out,
                            char message[CT_MESSAGE_BYTES]);

/**
 * Whether two values are the same: shape, stride, nesting and kind. A bare shape equals its compact
 * layout, true equals 1. A value that carries an error equals none.
 * Cost:    O(leaves), of lists O(count), no allocation.
 * In C:    ct_value shape, layout;
 *          ct_parse_value("(4,8)", &shape, NULL);
 *          ct_parse_value("(4,8):(1,4)", &layout, NULL);
 *          assert(ct_value_equal(&shape, &layout));
 *          ct_parse_value("32:1", &layout, NULL);
 *          assert(!ct_value_equal(&shape, &layout)); // the same function, another layout
 *          assert(ct_value_same_function(&shape, &layout, NULL) == 1);
 */
int ct_value_equal(const ct_value *a, const ct_value *b);

/**
 * Whether two layouts, tensors or composed layouts are the same function: the same size and the
 * same offset for every index.
 *
 * Returns: 1 or 0; -1 when they cannot be compared: other kinds of values, or more indices than
 *          CT_MAX_LIST of a tensor or composed layout. *index, when not NULL, is the first index at
 *          which they differ, or -1 where their sizes do.
 * Cost:    O(size); O(leaves) for two layouts of more indices than CT_MAX_LIST. No allocation.
 * In C:    ct_value a, b;
 *          int64_t index;
 *          ct_parse_value("(4,8):(8,1)", &a, NULL);
 *          ct_parse_value("(4,8):(8,2)", &b, NULL);
 *          assert(ct_value_same_function(&a, &b, &index) == 0);
 *          assert(index == 4); // the coordinate (0,1)
 */
int ct_value_same_function(const ct_value *a, const ct_value *b, int64_t *index);

/** One entry of the table of operations. An operation with several forms has several entries. */
typedef struct ct_operation_info {
    const char *name;
    const char *help;  /* one line */
    const char *group; /* the heading that it belongs under */
    char takes[96];    /* the kinds of its arguments: "layout, tiler" */
} ct_operation_info;

/**
 * Entry i of the table, sorted by group.
 * Returns: 1; 0 past its end.
 * Cost:    O(operations).
 * In C:    ct_operation_info info;
 *          int found = 0;
 *          for (int i = 0; ct_operation_listed(i, &info); ++i)
 *              found |= strcmp(info.name, "composition") == 0;
 *          assert(found);
 */
int ct_operation_listed(int i, ct_operation_info *info);

/**
 * Where entry i is found in C: the function, or TYPE.MEMBER, and the header to include for it.
 * Returns: 1; 0 past the end of the table.
 * Cost:    O(operations).
 * In C:    ct_operation_info info;
 *          const char *function = NULL, *header = NULL;
 *          for (int i = 0; ct_operation_listed(i, &info) && strcmp(info.name, "complement"); ++i)
 *              assert(ct_operation_source(i + 1, &function, &header));
 *          assert(strcmp(function, "ct_complement") == 0);
 *          assert(strcmp(header, "cutlet/algebra/complement.h") == 0);
 */
int ct_operation_source(int i, const char **function, const char **header);

/**
 * Calls visit for each name of an atom, of copies first, then of matrix instructions, until it
 * returns other than 0. `what` is the operation of the name.
 * Returns: what visit returned last.
 * Cost:    O(atoms): some 25,000 names.
 * Used by: tests/fuzz/fuzz_expression.c
 */
int ct_atoms_listed(int (*visit)(void *context, const char *name, const char *what), void *context);

#ifdef __cplusplus
}
#endif

#endif
