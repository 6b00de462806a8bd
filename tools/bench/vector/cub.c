/* CUB's sum, from a library. It works in the context and the stream of the open device. */
#include "cub.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "../harness/harness.h"
#include "driver/cuda/gpu.h"

/* Writes CUB's version, of which 300001 is 3.0.1; nothing where the library does not say. */
static void read_version(bench_cub *cub)
{
    int (*version)(void) = NULL;
    void *const found = dlsym(cub->library, "cub_version");
    memcpy(&version, &found, sizeof found);
    const int number = found ? version() : 0;
    if (number > 0)
        snprintf(cub->version, sizeof cub->version, "%d.%d.%d", number / 100000,
                 number / 100 % 1000, number % 100);
}

int bench_cub_open(bench_cub *cub, const char *path, char error[CT_MESSAGE_BYTES])
{
    memset(cub, 0, sizeof *cub);
    cub->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!cub->library) return bench_fail(error, "--cub: %s", dlerror());
    void *const found = dlsym(cub->library, "cub_sum");
    memcpy(&cub->sum, &found, sizeof found); /* C knows no cast from data to a function */
    if (found) {
        read_version(cub);
        return 0;
    }
    bench_cub_close(cub);
    return bench_fail(error, "--cub: %.300s has no function cub_sum", path);
}

void bench_cub_close(bench_cub *cub)
{
    if (cub->gpu) ct_cuda_free(cub->gpu, cub->scratch);
    if (cub->library) dlclose(cub->library);
    memset(cub, 0, sizeof *cub);
}

static ct_status take_scratch(bench_cub *cub, ct_cuda *gpu, int64_t n)
{
    size_t bytes = 0;
    if (cub->sum(NULL, NULL, n, NULL, &bytes, gpu->stream))
        return ct_cuda_fail(gpu, CT_E_FAILED, "CUB does not say how much memory a sum needs");
    if (cub->scratch && bytes <= cub->scratch_bytes) return 0;
    ct_cuda_free(gpu, cub->scratch);
    cub->gpu = gpu;
    cub->scratch_bytes = bytes ? bytes : 1;
    cub->scratch = ct_cuda_alloc(gpu, cub->scratch_bytes);
    return cub->scratch ? CT_OK : CT_E_MEMORY;
}

ct_status bench_cub_queue(bench_cub *cub, ct_cuda *gpu, const float *src, float *dst, int64_t n)
{
    ct_status status = ct_cuda_enter(gpu);
    if (status) return status;
    status = take_scratch(cub, gpu, n);
    size_t bytes = cub->scratch_bytes;
    if (status == 0) {
        const int failed = cub->sum(src, dst, n, cub->scratch, &bytes, gpu->stream);
        if (failed) status = ct_cuda_fail(gpu, CT_E_FAILED, "CUB's sum: CUDA error %d", failed);
    }
    return ct_cuda_leave(gpu, status);
}
