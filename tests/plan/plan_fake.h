/**
 * Copy plans on the fake driver, with a fake run-time compiler.
 */
#ifndef CUTLET_TESTS_PLAN_FAKE_H
#define CUTLET_TESTS_PLAN_FAKE_H

#include "fake_cuda_find.h"
#include "plan/kernels/sectors.h"
#include "kernels/transposes.h"
#include "plan_device.h"

#include <sys/wait.h>
#include <unistd.h>

static fake_cuda_state *fake;
static int *compiled; /* what the fake compiler has compiled */

/* The kernels that libcutlet has inside, as the fake driver takes them: in the place of those
 * that nvcc made, so that the tests need no nvcc. */
#define ROW_TEXT(...) ROW_TEXT_OF(CT_TRANSPOSE_NAME(__VA_ARGS__))
#define ROW_TEXT_OF(name) ROW_TEXT_AS_IT_IS(name)
#define ROW_TEXT_AS_IT_IS(name) " " #name
#define SECTORS_TEXT(...) ROW_TEXT_OF(CT_SECTOR_NAME(__VA_ARGS__))
static const ct_cuda_image plan_images[] = {
    {"plan_copy", 80, 1,
     "ct_box_any ct_vectors_any ct_indexed_any ct_misaligned_any" CT_SECTOR_TILES(SECTORS_TEXT), 0},
    {"transpose", 80, 1, "none" CT_TRANSPOSES(ROW_TEXT), 0},
};
const ct_cuda_images ct_cuda_inside = {13000, 2, plan_images};

/** An H200 with a driver for 13.0, whose kernels copy and which takes no image made at run time. */
static inline int reset_fake(void **state)
{
    const fake_cuda_state alive = *fake;
    (void)state;
    memset(fake, 0, sizeof *fake);
    fake->contexts = alive.contexts;
    fake->modules = alive.modules;
    fake->streams = alive.streams;
    fake->version = 13000;
    fake->devices = 1;
    fake->major = 9;
    fake->plans = 1;
    return 0;
}

/** Whether everything is as a plan has to leave it: the devices stay open, nothing else does. */
static inline int nothing_left(void **state)
{
    (void)state;
    assert_int_equal(fake->memories, 0);
    assert_int_equal(fake->events, 0);
    assert_int_equal(fake->pushed, 0);
    return 0;
}

/** Finds both libraries and names them to libcutlet. 0, or -1 and a line. */
static inline int use_fakes(void)
{
    const char *const nvrtc = getenv("FAKE_NVRTC_LIBRARY");
    void *const library = nvrtc ? dlopen(nvrtc, RTLD_NOW | RTLD_LOCAL) : NULL;
    fake = fake_cuda_find();
    compiled = library ? (int *)dlsym(library, "fake_nvrtc_compiled") : NULL;
    if (!compiled) fprintf(stderr, "FAKE_NVRTC_LIBRARY has to name what fake_nvrtc.c is made to\n");
    if (!fake || !compiled) return -1;
    setenv("CUTLET_CUDA_DRIVER", getenv("FAKE_CUDA"), 1);
    setenv("CUTLET_NVRTC", nvrtc, 0);
    setenv("CUTLET_CACHE", "", 0);
    unsetenv("CUTLET_NO_GPU");
    return reset_fake(NULL);
}

/** Opens the test's own device. */
static inline void open_fake_gpu(void)
{
    char reason[CT_MESSAGE_BYTES];
    gpu = ct_cuda_open(0, reason);
    if (!gpu) fail_msg("%s", reason);
}

/** A transpose of floats, of this many rows and columns. */
static inline ct_plan_desc transpose_desc(int64_t rows, int64_t cols, int backend)
{
    ct_plan_desc desc = {.backend = backend};
    desc.src = ct_plan_side_of(ct_layout2(rows, cols, cols, 1), CT_TYPE_FLOAT);
    desc.dst = ct_plan_side_of(ct_layout2(rows, cols, 1, rows), CT_TYPE_FLOAT);
    return desc;
}

/** Promises pointers that 16 bytes divide, so that one kernel serves all of them. */
static inline void promise_aligned(ct_plan_desc *desc)
{
    desc->src.align_bytes = desc->dst.align_bytes = 16;
}

/** 90000 elements whose three modes are turned round: no matrix, and of floats large enough for a
 *  kernel of its own; for pointers that 16 bytes divide. */
static inline ct_plan_desc transposed_desc(int32_t type)
{
    ct_plan_desc desc = {.backend = CT_BACKEND_CUDA};
    desc.src =
        ct_plan_side_of(ct_make_layout2(ct_layout2(50, 60, 1, 50), ct_layout1(30, 3000)), type);
    desc.dst =
        ct_plan_side_of(ct_make_layout2(ct_layout2(50, 60, 1800, 30), ct_layout1(30, 1)), type);
    promise_aligned(&desc);
    return desc;
}

/** A plan that has to be. */
static inline ct_plan *plan_of(const ct_plan_desc *desc, int effort)
{
    ct_plan *plan = NULL;
    if (ct_plan_create(desc, effort, &plan, message)) fail_msg("%s", message);
    assert_string_equal(message, "");
    return plan;
}

#endif
