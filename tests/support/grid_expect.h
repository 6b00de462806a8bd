/* What the grid says of a launch, compared with what it should say. */
#ifndef CUTLET_TESTS_GRID_EXPECT_H
#define CUTLET_TESTS_GRID_EXPECT_H

#include "test.h"

#include <ctype.h>

#include <cutlet/host/grid.h>

/* Of the latest launch. */
static ct_grid_report report;

static inline void pass(int status)
{
    if (status) fail_msg("%s", report.message);
    assert_int_equal(report.message[0], 0);
}

/* Compares the message; the line numbers in it read "N", and must be there. */
static inline void expect(int status, int wanted, const char *message)
{
    char text[sizeof report.message];
    const char *from = report.message;
    size_t n = 0;
    while (*from) {
        text[n++] = *from;
        if (*from++ != ':' || n < 4 || memcmp(text + n - 4, ".cu:", 4) != 0) continue;
        assert_true(isdigit((unsigned char)*from) && *from != '0');
        while (isdigit((unsigned char)*from)) ++from;
        text[n++] = 'N';
    }
    text[n] = 0;
    assert_string_equal(text, message);
    assert_int_equal(status, wanted);
    assert_int_equal(report.status, wanted);
}

#endif
