/**
 * The state of the fake driver, in the library that the environment names.
 */
#ifndef CUTLET_TESTS_FAKE_CUDA_FIND_H
#define CUTLET_TESTS_FAKE_CUDA_FIND_H

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include "fake_cuda.h"

/** NULL, and a line that says what is missing. */
static inline fake_cuda_state *fake_cuda_find(void)
{
    const char *const path = getenv("FAKE_CUDA");
    void *const library = path ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
    fake_cuda_state *const fake = library ? (fake_cuda_state *)dlsym(library, "fake_cuda") : NULL;
    if (!fake) fprintf(stderr, "FAKE_CUDA has to name the library made from fake_cuda.c\n");
    return fake;
}

#endif
