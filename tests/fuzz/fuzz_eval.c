/* Any text is evaluated, refused, or fails with a reason; what it gives can be written, read again,
 * checked and explained. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cutlet/host/check.h"
#include "cutlet/host/explain.h"

static void require(int holds)
{
    if (!holds) abort();
}

/* Layouts that the library makes are valid. */
static void check_value(const ct_value *v)
{
    require(v->kind > CT_KIND_ERROR && v->kind < CT_KIND_COUNT);
    require(ct_value_error(v).status == CT_OK);
    if (v->kind == CT_KIND_LAYOUT) require(ct_is_valid(v->as.layout));
    if (v->kind == CT_KIND_TENSOR) require(ct_is_valid(v->as.tensor.layout));
}

static void check_round_trip(const ct_value *v)
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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static FILE *nowhere;
    ct_value v;
    ct_diag diag;
    ct_verdict verdict;
    if (!nowhere) nowhere = fopen("/dev/null", "w");
    char *text = malloc(size + 1);
    if (!text || !nowhere) return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    memset(&diag, 0, sizeof diag);
    const int result = ct_evaluate(text, &v, &diag);
    if (result == 0) {
        check_value(&v);
        if (v.kind != CT_KIND_LIST || v.as.list.count < 1000) check_round_trip(&v);
    } else {
        require(diag.at <= strlen(text) && diag.length >= 1 && diag.message[0] != '\0');
        if (result == 1) require(diag.err.status != CT_OK && v.kind == CT_KIND_ERROR);
    }
    ct_value_free(&v);
    require(ct_explain(text, nowhere, &diag) == result);
    ct_check_line(text, strlen(text), &verdict);
    ct_verdict_free(&verdict);
    free(text);
    return 0;
}
