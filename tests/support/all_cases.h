/* Whether a test takes all of its cases (`./run test all`), or the smaller part that is enough for
 * each change of the code. */
#ifndef CUTLET_TESTS_ALL_CASES_H
#define CUTLET_TESTS_ALL_CASES_H

#include <stdlib.h>

static inline int all_cases(void)
{
    const char *const given = getenv("CUTLET_TEST_ALL");
    return given && given[0];
}

#endif
