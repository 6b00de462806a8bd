/**
 * Explanations: each operation of an expression in order, with its rule and its numbers.
 */
#ifndef CUTLET_HOST_EXPLAIN_H
#define CUTLET_HOST_EXPLAIN_H

#include <stdio.h>

#include <cutlet/host/eval.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Evaluates the expression and writes how each operation got its result, innermost calls first:
 *
 *     1. coalesce((2,(1,6)):(1,(6,2)))
 *        Leaves merge from the last to the first: s:d below s':d' becomes s*s':d where s*d = d'.
 *        6:2        the last leaf
 *        1:6        size 1: dropped
 *        2:1        2*1 = 2, the stride above: merged to 12:1
 *        = 12:1
 *
 * Fails:   as ct_evaluate. Where an operation failed, the steps up to it, and why it failed, have
 *          been written; nothing has where the text is not an expression.
 * Cost:    that of ct_evaluate twice, and of the text that is written.
 * In C:    FILE *const out = tmpfile();
 *          ct_diag diag;
 *          assert(ct_explain("coalesce((2,(1,6)):(1,(6,2)))", out, &diag) == CT_OK);
 *          char line[160];
 *          rewind(out);
 *          assert(fgets(line, sizeof line, out));
 *          assert(strcmp(line, "1. coalesce((2,(1,6)):(1,(6,2)))\n") == 0);
 *          fclose(out);
 */
ct_status ct_explain(const char *text, FILE *stream, ct_diag *diag);

#ifdef __cplusplus
}
#endif

#endif
