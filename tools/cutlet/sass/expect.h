/**
 * Expectations about generated code, as `LDG.128,STG.64+,!LDL`.
 *
 * NAME wants at least one instruction of that access, NAME.WIDTH one of that width, NAME.WIDTH+
 * one of that width or a wider one, NAME.WIDTH- one of that width or a narrower one. `!` before it
 * wants none. The accesses and their widths are those of access.h; case does not count.
 */
#ifndef CUTLET_TOOLS_SASS_EXPECT_H
#define CUTLET_TOOLS_SASS_EXPECT_H

#include "code.h"
#include <cutlet/host/message.h>

typedef struct ct_expectation {
    ct_sass_access access;
    ct_sass_width first, last;
    int forbids;
    char text[24]; /* as it was written */
} ct_expectation;

typedef struct ct_expectations {
    ct_expectation *item;
    int count;
} ct_expectations;

/** Adds the expectations of a list, with commas between. CT_E_ARGUMENT where one is wrong. */
ct_status ct_expect_read(ct_expectations *expectations, const char *list,
                         char message[CT_MESSAGE_BYTES]);

/** Whether a kernel is as expected. */
int ct_expect_holds(const ct_expectation *expectation, const ct_kernel_code *kernel);

/**
 * Says why it is not.
 *
 * Example: `expected LDG.128; of LDG there is 32:4 8:1`
 */
void ct_expect_explain(const ct_expectation *expectation, const ct_kernel_code *kernel,
                       char text[CT_MESSAGE_BYTES]);

void ct_expect_free(ct_expectations *expectations);

#endif
