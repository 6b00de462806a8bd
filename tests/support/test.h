/**
 * cmocka, and the tests of a program: TEST defines one and puts it into the program's list, which GROUP
 * runs in the order of the file.
 */
#ifndef CUTLET_TESTS_TEST_H
#define CUTLET_TESTS_TEST_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct CMUnitTest registered[64];
static size_t registered_count;

static inline void register_test(struct CMUnitTest test)
{
    if (registered_count == sizeof registered / sizeof *registered) abort();
    registered[registered_count++] = test;
}

/** Runs all tests; setup and teardown: before the first and after the last, or NULL. Returns how many fail. */
static inline int run_registered(const char *name, CMFixtureFunction setup,
                                 CMFixtureFunction teardown)
{
    return _cmocka_run_group_tests(name, registered, registered_count, setup, teardown);
}

/** As run_registered, with setup and teardown around each test that has none of its own. */
static inline int run_each(const char *name, CMFixtureFunction setup, CMFixtureFunction teardown)
{
    for (size_t i = 0; i < registered_count; ++i) {
        if (registered[i].setup_func || registered[i].teardown_func) continue;
        registered[i].setup_func = setup;
        registered[i].teardown_func = teardown;
    }
    return run_registered(name, NULL, NULL);
}

/** A test with setup and teardown around it. */
#define TEST_WITH(test, setup, teardown)                                                           \
    static void test(void **state);                                                                \
    __attribute__((constructor)) static void register_##test(void)                                 \
    {                                                                                              \
        register_test((struct CMUnitTest){#test, test, setup, teardown, NULL});                    \
    }                                                                                              \
    static void test(void **state __attribute__((unused)))
#define TEST(test) TEST_WITH(test, NULL, NULL)

#define GROUP(name, setup, teardown)                                                               \
    int main(void) { return run_registered(name, setup, teardown); }
#define GROUP_OF_EACH(name, setup, teardown)                                                       \
    int main(void) { return run_each(name, setup, teardown); }

#endif
