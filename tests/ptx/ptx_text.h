/* Texts of PTX for the tests, and their launches. */
#ifndef CUTLET_TESTS_PTX_TEXT_H
#define CUTLET_TESTS_PTX_TEXT_H

#include "grid_buffers.h"

#include <stdio.h>
#include <stdlib.h>

#include <cutlet/host/ptx.h>

#define HEAD ".version 9.0\n.target sm_90a\n.address_size 64\n"
/* A kernel of two pointers, which are in %d1 and %d2, with the number of the thread in %t. */
#define BEFORE BEFORE_OF("")
#define BEFORE_OF(attributes)                                                                      \
    HEAD ".visible .entry k(.param .u64 .ptr .global .align 16 src, .param .u64 dst) " attributes  \
         " {\n"                                                                                    \
         ".reg .b16 %h<16>; .reg .b32 %r<32>; .reg .b32 %t; .reg .b64 %d<16>; .reg .pred %p<8>;\n" \
         "ld.param.u64 %d1, [src]; ld.param.u64 %d2, [dst]; mov.u32 %t, %tid.x;\n"
#define KERNEL(body) BEFORE body "}\n"

/* Runs kernel k of the text, with src and dst; returns its status. */
static inline int run_text(const char *text, uint32_t blocks, uint32_t threads)
{
    char message[CT_MESSAGE_BYTES] = "";
    const uint64_t args[] = {(uintptr_t)src, (uintptr_t)dst};
    const ct_dim3 grid = {blocks, 1, 1}, block = {threads, 1, 1};
    ct_ptx *const module = ct_ptx_load(text, message);
    if (!module) fail_msg("%s", message);
    const ct_grid_kernel *const kernel = ct_ptx_kernel(module, "k");
    assert_non_null(kernel);
    ct_ptx_limit(module, 100000);
    const int status =
        launch_with(kernel, grid, block, 0, args, sizeof args, BUFFER_BYTES, BUFFER_BYTES);
    free(report.rows); /* their names end with the module */
    report.rows = NULL;
    ct_ptx_free(module);
    return status;
}

#endif
