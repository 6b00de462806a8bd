/**
 * Layout assertions for cmocka programs, on libcutlet.
 *
 *     #include <cmocka.h>
 *     #include <cutlet/host/testing.h>
 *
 *     ct_assert_expr("composition((6,2):(8,2), (4,3):(3,1)) == ((2,2),3):((24,2),8)");
 *     ct_assert_layout(ct_coalesce(L), "12:1");
 *     ct_assert_same(ct_coalesce(L), L);
 *
 * Include cmocka.h, with the headers that it asks for, before this one.
 *
 * Used by:  examples/howto/test_layouts.c
 */
#ifndef CUTLET_HOST_TESTING_H
#define CUTLET_HOST_TESTING_H

#include <stdio.h>
#include <string.h>

#include <cutlet/host/check.h>

/** @internal What a failing assertion prints before it fails the test at its own file and line. */
static inline void ct_testing_fail(const char *what, const char *got, const char *expected,
                                   const char *file, int line)
{
    print_error("%s\n  got       %s\n  expected  %s\n", what, got, expected);
    _fail(file, line);
}

/** Fails the test unless the line, as in a file of assertions, holds; prints both sides, or the
 *  place that cannot be read. */
#define ct_assert_expr(line) ct_testing_expr((line), __FILE__, __LINE__)

/** @internal See ct_assert_expr. */
static inline void ct_testing_expr(const char *text, const char *file, int line)
{
    ct_verdict v;
    const int outcome = ct_check_line(text, strlen(text), &v);
    if (outcome == CT_CHECK_FAILED) {
        print_error("%s\n  got       %s\n  expected  %s\n", text, v.got ? v.got : "",
                    v.expected ? v.expected : "");
        if (v.note[0]) print_error("  %s\n", v.note);
    } else if (outcome != CT_CHECK_PASSED) {
        print_error("%s\n  at column %zu: %s\n", text, v.diag.at + 1,
                    outcome == CT_CHECK_BLANK ? "nothing to check" : v.diag.message);
    }
    ct_verdict_free(&v);
    if (outcome != CT_CHECK_PASSED) _fail(file, line);
}

/** Fails the test unless the layout is the one that the text writes: shape, stride and nesting. */
#define ct_assert_layout(layout, text) ct_testing_layout((layout), (text), __FILE__, __LINE__)

/** @internal See ct_assert_layout. */
static inline void ct_testing_layout(ct_layout L, const char *text, const char *file, int line)
{
    ct_layout expected;
    ct_diag diag;
    char got[CT_TEXT_BYTES];
    ct_format_layout(got, sizeof got, L);
    if (ct_parse_layout(text, &expected, &diag))
        ct_testing_fail("the expected layout cannot be read", diag.message, text, file, line);
    else if (!ct_layout_equal(L, expected))
        ct_testing_fail("the layouts differ", got, text, file, line);
}

/** Fails the test unless both layouts are the same function: the same size, the same offset for
 *  every index. A failed layout is the same as none. */
#define ct_assert_same(layout, other) ct_testing_same((layout), (other), __FILE__, __LINE__)

/** @internal See ct_assert_same. */
static inline void ct_testing_same(ct_layout A, ct_layout B, const char *file, int line)
{
    ct_value a, b;
    int64_t index = -1;
    char got[CT_TEXT_BYTES], expected[CT_TEXT_BYTES];
    a.kind = b.kind = CT_KIND_LAYOUT;
    a.as.layout = A;
    b.as.layout = B;
    if (A.err.status == CT_OK && B.err.status == CT_OK &&
        ct_value_same_function(&a, &b, &index) == 1)
        return;
    ct_format_layout(got, sizeof got, A);
    ct_format_layout(expected, sizeof expected, B);
    if (index >= 0) print_error("the functions differ at index %lld\n", (long long)index);
    ct_testing_fail("the layouts are not the same function", got, expected, file, line);
}

/** Fails the test unless the value failed for this reason (CT_WHY_...). */
#define ct_assert_why(error, reason) ct_testing_why((error), (reason), __FILE__, __LINE__)

/** @internal See ct_assert_why. */
static inline void ct_testing_why(ct_error e, int32_t why, const char *file, int line)
{
    char message[CT_MESSAGE_BYTES];
    if (e.status != CT_OK && e.why == why) return;
    ct_error_message(e, message, sizeof message);
    print_error("another failure is expected than: %s (reason %d, not %d)\n",
                e.status == CT_OK ? "none" : message, (int)e.why, (int)why);
    _fail(file, line);
}

#endif
