/* Every way in which an operation of the notation fails: messages.txt has the expression, what
 * kind of failure that is and the sentence, as it has to be. */
#include "test.h"

#include <cutlet/host/eval.h>
#include "error_said.h"
#include "table.h"

/* 1 where the expression fails as it has to. */
static int fails_so(const char *text, const char *want)
{
    ct_value value;
    ct_diag diag;
    char got[CT_MESSAGE_BYTES * 2];
    const int failed = ct_evaluate(text, &value, &diag) != 0;
    ct_value_free(&value);
    if (!failed) {
        print_error("%s does not fail\n", text);
        return 0;
    }
    const char *const unsaid = error_unsaid(diag.err);
    if (unsaid)
        print_error("%s: %s of the error is %lld, and its sentence does not say it\n", text, unsaid,
                    (long long)(unsaid[0] == 'm' ? diag.err.mode : diag.err.n[0]));
    snprintf(got, sizeof got, "%s: %s", ct_status_name(diag.err.status), diag.message);
    if (strcmp(got, want) == 0) return !unsaid;
    print_error("%s\n    %s\n    expected:\n    %s\n", text, got, want);
    return 0;
}

TEST(messages)
{
    char *const text = table_text("tests/text/messages.txt"), *at = text, *cell[2];
    int rows = 0, right = 0;
    for (; table_row(&at, cell, 2); ++rows) right += fails_so(cell[0], cell[1]);
    free(text);
    assert_true(rows > 100);
    assert_int_equal(right, rows);
}

GROUP("messages", NULL, NULL)
