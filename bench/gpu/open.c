/* The device with the benchmark's kernels beside those of libcutlet. */
#include <stdlib.h>
#include <string.h>

#include "cuda/gpu.h"
#include "jobs_documents.h"

#if defined(CUTLET_BENCH_KERNELS)
extern const ct_cuda_images bench_images;
#else
static const ct_cuda_images bench_images = {0, 0, NULL};
#endif

ct_cuda *bench_open(int device, char reason[CT_CUDA_LINE])
{
    const ct_cuda_images *const own = &bench_images, *const lib = &ct_cuda_inside;
    const size_t count = (size_t)(lib->count + own->count);
    ct_cuda_image *const all = malloc((count + 1) * sizeof *all);
    if (!all) bench_die("out of memory");
    if (lib->count) memcpy(all, lib->image, (size_t)lib->count * sizeof *all);
    if (own->count) memcpy(all + lib->count, own->image, (size_t)own->count * sizeof *all);
    const ct_cuda_images both = {lib->toolkit, (int32_t)count, all};
    ct_cuda *const gpu = ct_cuda_open_with(device, &both, reason);
    if (!gpu) free(all); /* an open device refers to its images as long as the program runs */
    return gpu;
}
