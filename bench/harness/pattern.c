/* The pattern compared on the device. */
#include "pattern.h"

#include "copy/whole_file.h"
#include "inside.h"

/* 1 when the kernel finds every word right, 0 when it does not, or -1. */
static int compare_words(bench_target *t, const unsigned char *bytes, int64_t words)
{
    float wrong[PATTERN_BLOCKS];
    float *const counts = ct_cuda_alloc(t->gpu, sizeof wrong);
    const pattern_args args = {(const uint64_t *)(const void *)bytes, counts, words};
    const ct_dim3 grid = {PATTERN_BLOCKS, 1, 1}, block = {PATTERN_THREADS, 1, 1};
    const int failed =
        !counts || ct_cuda_fill(t->gpu, counts, 0xff, sizeof wrong) || /* not written: NaN */
        ct_cuda_launch(t->gpu, "bench_wrong_words", grid, block, 0, &args, sizeof args) ||
        ct_cuda_download(t->gpu, wrong, counts, sizeof wrong);
    if (bench_status(t, failed)) {
        ct_cuda_free(t->gpu, counts);
        return -1;
    }
    if (bench_status(t, ct_cuda_free(t->gpu, counts))) return -1;
    for (int i = 0; i < PATTERN_BLOCKS; ++i)
        if (wrong[i] != 0) return 0;
    return 1;
}

/* Whether the kernel finds one byte that is wrong, the last of the words. */
static int try_kernel(bench_target *t, unsigned char *bytes, int64_t words)
{
    unsigned char *const last = bytes + 8 * words - 1;
    unsigned char byte = 0;
    if (bench_read(t, &byte, last, 1)) return -1;
    const unsigned char planted = byte ^ 0x80;
    if (bench_write(t, last, &planted, 1)) return -1;
    const int found = compare_words(t, bytes, words);
    if (found < 0 || bench_write(t, last, &byte, 1)) return -1;
    if (found == 1)
        return ct_one_line(t->error, CT_CUDA_LINE,
                           "bench_wrong_words: a planted byte was not found");
    t->tried_device = 1;
    return 0;
}

int64_t bench_pattern_on_device(bench_target *t, unsigned char *bytes, int64_t count)
{
    const int64_t words = count / 8;
    if (!t->tried_device && try_kernel(t, bytes, words)) return -1;
    const int same = compare_words(t, bytes, words);
    return same < 0 ? -1 : same ? 8 * words : 0;
}
