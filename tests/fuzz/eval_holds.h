/**
 * What holds of any text that is evaluated: it has a value, is refused, or fails with a reason; a
 * value can be written, read again as the same, explained and checked.
 */
#ifndef CUTLET_TESTS_FUZZ_EVAL_HOLDS_H
#define CUTLET_TESTS_FUZZ_EVAL_HOLDS_H

#include "bytes.h"
#include <cutlet/host/check.h>
#include <cutlet/host/explain.h>

/** Layouts that the library makes are valid. */
static inline void check_value(const ct_value *v)
{
    require(v->kind > CT_KIND_ERROR && v->kind < CT_KIND_COUNT);
    require(ct_value_error(v).status == CT_OK);
    if (v->kind == CT_KIND_LAYOUT) require(ct_is_valid(v->as.layout));
    if (v->kind == CT_KIND_TENSOR) require(ct_is_valid(v->as.tensor.layout));
}

static inline void check_round_trip(const ct_value *v)
{
    ct_value again;
    ct_diag diag;
    const int n = ct_format_value(NULL, 0, v);
    char *written = malloc((size_t)n + 1);
    require(written != NULL);
    ct_format_value(written, (size_t)n + 1, v);
    require(ct_evaluate(written, &again, &diag) == 0);
    require(ct_value_equal(v, &again));
    ct_value_free(&again);
    free(written);
}

static inline void check_evaluation(const char *text)
{
    static FILE *nowhere;
    ct_value v;
    ct_diag diag;
    ct_verdict verdict;
    if (!nowhere) nowhere = fopen("/dev/null", "w");
    if (!nowhere) return;
    memset(&diag, 0, sizeof diag);
    const ct_status result = ct_evaluate(text, &v, &diag);
    if (result == 0) {
        check_value(&v);
        if (v.kind != CT_KIND_LIST || v.as.list.count < 1000) check_round_trip(&v);
    } else {
        require(diag.at <= strlen(text) && diag.length >= 1 && diag.message[0] != '\0');
        if (result == CT_E_TEXT || result == CT_E_MEMORY) require(v.kind == CT_KIND_NONE);
        else require(diag.err.status == result && v.kind == CT_KIND_ERROR);
    }
    ct_value_free(&v);
    require(ct_explain(text, nowhere, &diag) == result);
    ct_check_line(text, strlen(text), &verdict);
    ct_verdict_free(&verdict);
}

#endif
