/* The table of the compiled kernels: which image a device gets, and what this libcutlet carries. */
#include "test.h"

#include "driver/cuda/gpu.h"

#define LENGTH(array) (sizeof(array) / sizeof *(array))

static const ct_cuda_image some_images[] = {
    {"first", 80, 0, "a", 0},  {"first", 90, 0, "b", 0},  {"first", 100, 1, "c", 0},
    {"second", 80, 0, "d", 0}, {"second", 90, 0, "e", 0}, {"second", 100, 1, "f", 0},
    {"alone", 90, 0, "g", 1},
};
static const ct_cuda_images images = {13000, LENGTH(some_images), some_images};

TEST(test_image_for_device)
{
    static const struct {
        int major, minor, arch;
    } rows[] = {
        {7, 5, 0},    {8, 0, 80},   {8, 6, 80},   {8, 9, 80},   {9, 0, 90},
        {10, 0, 100}, {10, 3, 100}, {11, 0, 100}, {12, 0, 100},
    };
    for (size_t i = 0; i < LENGTH(rows); ++i) {
        const ct_cuda_image *const image =
            ct_cuda_image_for(&images, "second", rows[i].major, rows[i].minor);
        if ((image ? image->arch : 0) != rows[i].arch)
            fail_msg("sm_%d%d gets %d", rows[i].major, rows[i].minor, image ? image->arch : 0);
        if (image) assert_string_equal(image->source, "second");
    }
    assert_null(ct_cuda_image_for(&images, "third", 9, 0));
    assert_ptr_equal(ct_cuda_image_for(&images, "alone", 9, 0), &some_images[6]);
    assert_null(ct_cuda_image_for(&images, "alone", 8, 9));
    assert_null(ct_cuda_image_for(&images, "alone", 9, 1));
    assert_null(ct_cuda_image_for(&images, "alone", 10, 0));
}

TEST(test_inside)
{
    char reason[CT_MESSAGE_BYTES];
    if (ct_cuda_inside.count == 0) {
        unsetenv("CUTLET_NO_GPU");
        assert_null(ct_cuda_open(0, reason));
        assert_string_equal(reason, "no GPU: built without nvcc, so it contains no kernels");
        return;
    }
    assert_in_range(ct_cuda_inside.toolkit, 11000, 99990);
    for (int32_t i = 0; i < ct_cuda_inside.count; ++i) {
        const ct_cuda_image *const image = &ct_cuda_inside.image[i];
        uint32_t magic;
        memcpy(&magic, image->bytes, sizeof magic);
        assert_int_equal(magic, 0xba55ed50u); /* of a fat binary */
        assert_int_equal((uintptr_t)image->bytes % 8, 0);
        assert_int_equal(image->has_ptx, image->arch == 100);
    }
    /* A device has the kernels of its generation where they were built; a newer one those of sm_100. */
    for (int major = 8; major <= 12; ++major) {
        int built = 0;
        for (int32_t i = 0; i < ct_cuda_inside.count; ++i)
            built |= ct_cuda_inside.image[i].arch / 10 == (major < 10 ? major : 10);
        assert_int_equal(built, ct_cuda_image_for(&ct_cuda_inside, "tiled_copy", major, 0) != NULL);
    }
}

GROUP("cuda_images", NULL, NULL)
