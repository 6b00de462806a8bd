/* Tensor maps through the driver: what it is told, and what is refused before. */
#include "test.h"

#include <cutlet/cutlet.h>

#include "driver/cuda/gpu.h"
#include <cutlet/host/tma.h>
#include "fake_cuda_find.h"

static fake_cuda_state *fake;
static const ct_cuda_image image = {"first", 80, 1, "one", 0};
static const ct_cuda_images images = {13000, 1, &image};

static ct_cuda *open_fake(int major)
{
    char reason[CT_MESSAGE_BYTES];
    memset(fake, 0, sizeof *fake);
    fake->version = 13000;
    fake->devices = 1;
    fake->major = major;
    setenv("CUTLET_CUDA_DRIVER", getenv("FAKE_CUDA"), 1);
    unsetenv("CUTLET_NO_GPU");
    ct_cuda *const gpu = ct_cuda_open_with(0, &images, reason);
    if (!gpu) fail_msg("%s", reason);
    return gpu;
}

/* (rows, cols, planes) of half, row-major with padded rows: tiles of 8 x 64 x 1. */
static ct_tma_desc some_desc(void)
{
    const int64_t shape[] = {100, 200, 3}, stride[] = {256, 1, 32768};
    ct_layout L = ct_make_layout(ct_tuple3(shape[0], shape[1], shape[2]),
                                 ct_tuple3(stride[0], stride[1], stride[2]));
    return ct_make_tma_desc(L, ct_tuple3(8, 64, 1), CT_ELEM_F16, CT_TMA_SWIZZLE_128B, 0x123400);
}

TEST(test_encode)
{
    ct_cuda *const gpu = open_fake(9);
    ct_tma_map map;
    ct_tma_desc d = some_desc();
    d.l2 = CT_TMA_L2_256;
    d.step[2] = 2;
    d = ct_tma_check(d);
    if (ct_cuda_tma_map(gpu, &d, &map)) fail_msg("%s", ct_cuda_error(gpu));
    /* The fake driver writes down what it is told. */
    const uint64_t told[16] = {
        CT_ELEM_F16, 3,
        0x123400,    200,
        100,         3,
        512,         65536,
        64,          8,
        1,           1,
        2,           0 * 1000 + CT_TMA_SWIZZLE_128B * 100 + CT_TMA_L2_256 * 10 + 0};
    for (int i = 0; i < 14; ++i)
        if (map.opaque[i] != told[i])
            fail_msg("word %d: %llu, not %llu", i, (unsigned long long)map.opaque[i],
                     (unsigned long long)told[i]);
    assert_int_equal(fake->pushed, 0);
    ct_cuda_close(gpu);
}

static void expect_refusal(ct_cuda *gpu, const ct_tma_desc *d, ct_status status, const char *line)
{
    ct_tma_map map;
    memset(&map, 0x5A, sizeof map);
    const ct_tma_map before = map;
    assert_int_equal(ct_cuda_tma_map(gpu, d, &map), status);
    assert_string_equal(ct_cuda_error(gpu), line);
    assert_memory_equal(&map, &before, sizeof map);
    assert_int_equal(fake->pushed, 0);
}

TEST(test_refused)
{
    ct_cuda *gpu = open_fake(9);
    char rule[CT_MESSAGE_BYTES], line[CT_MESSAGE_BYTES + 16];
    ct_tma_desc d = some_desc();
    d.box[1] = 257;
    d = ct_tma_check(d);
    assert_int_equal(d.rule, CT_TMA_RULE_BOX);
    snprintf(line, sizeof line, "tensor map: %s", ct_tma_explain(&d, rule));
    expect_refusal(gpu, &d, CT_E_ARGUMENT, line);
    d = some_desc();
    d.swizzle = CT_TMA_SWIZZLE_128B_ATOM_32B;
    expect_refusal(gpu, &d, CT_E_BACKEND,
                   "tensor map: Fake 40 is sm_90; the swizzles 128B_ATOM need sm_100");
    d = some_desc();
    gpu->driver.tensor_map = NULL;
    expect_refusal(gpu, &d, CT_E_BACKEND,
                   "tensor map: the driver is too old: it has no cuTensorMapEncodeTiled");
    ct_cuda_close(gpu);

    gpu = open_fake(8);
    expect_refusal(gpu, &d, CT_E_BACKEND, "tensor map: Fake 40 is sm_80; tensor maps need sm_90");
    ct_cuda_close(gpu);

    gpu = open_fake(10);
    d.swizzle = CT_TMA_SWIZZLE_128B_ATOM_64B;
    ct_tma_map map;
    assert_int_equal(ct_cuda_tma_map(gpu, &d, &map), 0);
    ct_cuda_close(gpu);
    d = some_desc();

    gpu = open_fake(9);
    fake->fail = "cuTensorMapEncodeTiled";
    fake->result = 1;
    expect_refusal(gpu, &d, CT_E_FAILED,
                   "cuTensorMapEncodeTiled: a planted fault (CUDA_ERROR_FAKE)");
    ct_cuda_close(gpu);
}

int main(void)
{
    fake = fake_cuda_find();
    if (!fake) return 2;
    return run_registered("cuda_tma", NULL, NULL);
}
