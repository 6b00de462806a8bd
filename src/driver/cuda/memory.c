/* Memory of the device: taken, given back, filled, copied. */
#include "gpu.h"

static uint64_t address(const void *memory) { return (uint64_t)(uintptr_t)memory; }

void *ct_cuda_alloc(ct_cuda *gpu, size_t bytes)
{
    uint64_t found = 0;
    uint64_t *const grown = ct_cuda_grow(gpu, gpu->memory, gpu->memory_count, sizeof *gpu->memory);
    if (!grown) return NULL;
    gpu->memory = grown;
    if (ct_cuda_enter(gpu)) return NULL;
    const ct_status status =
        ct_cuda_check(gpu, gpu->driver.memory_alloc(&found, bytes), "cuMemAlloc(%zu bytes)", bytes);
    if (status == 0) gpu->memory[gpu->memory_count++] = found;
    return ct_cuda_leave(gpu, status) ? NULL : (void *)(uintptr_t)found;
}

ct_status ct_cuda_free(ct_cuda *gpu, void *memory)
{
    if (!memory) return 0;
    int32_t at = 0;
    while (at < gpu->memory_count && gpu->memory[at] != address(memory)) ++at;
    if (at == gpu->memory_count)
        return ct_cuda_fail(gpu, CT_E_POINTER, "ct_cuda_free: not an address of ours");
    const ct_status bad = ct_cuda_enter(gpu);
    if (bad) return bad;
    const int result = gpu->driver.memory_free(address(memory));
    if (result == CT_DRIVER_OK) gpu->memory[at] = gpu->memory[--gpu->memory_count];
    return ct_cuda_leave(gpu, ct_cuda_check(gpu, result, "cuMemFree"));
}

static ct_status wait_here(ct_cuda *gpu)
{
    return ct_cuda_check(gpu, gpu->driver.stream_wait(gpu->stream), "cuStreamSynchronize");
}

ct_status ct_cuda_wait(ct_cuda *gpu)
{
    const ct_status bad = ct_cuda_enter(gpu);
    if (bad) return bad;
    return ct_cuda_leave(gpu, wait_here(gpu));
}

ct_status ct_cuda_upload(ct_cuda *gpu, void *dst, const void *src, size_t bytes)
{
    if (bytes == 0) return 0;
    const ct_status bad = ct_cuda_enter(gpu);
    if (bad) return bad;
    ct_status status = ct_cuda_check(gpu, gpu->driver.upload(address(dst), src, bytes, gpu->stream),
                                     "cuMemcpyHtoDAsync(%zu bytes)", bytes);
    if (status == 0) status = wait_here(gpu);
    return ct_cuda_leave(gpu, status);
}

ct_status ct_cuda_download(ct_cuda *gpu, void *dst, const void *src, size_t bytes)
{
    if (bytes == 0) return ct_cuda_wait(gpu);
    const ct_status bad = ct_cuda_enter(gpu);
    if (bad) return bad;
    ct_status status =
        ct_cuda_check(gpu, gpu->driver.download(dst, address(src), bytes, gpu->stream),
                      "cuMemcpyDtoHAsync(%zu bytes)", bytes);
    if (status == 0) status = wait_here(gpu);
    return ct_cuda_leave(gpu, status);
}

ct_status ct_cuda_fill(ct_cuda *gpu, void *dst, uint8_t value, size_t bytes)
{
    if (bytes == 0) return 0;
    const ct_status bad = ct_cuda_enter(gpu);
    if (bad) return bad;
    const int result = gpu->driver.fill(address(dst), value, bytes, gpu->stream);
    return ct_cuda_leave(gpu, ct_cuda_check(gpu, result, "cuMemsetD8Async(%zu bytes)", bytes));
}

ct_status ct_cuda_copy(ct_cuda *gpu, void *dst, const void *src, size_t bytes)
{
    if (bytes == 0) return 0;
    const ct_status bad = ct_cuda_enter(gpu);
    if (bad) return bad;
    const int result = gpu->driver.copy(address(dst), address(src), bytes, gpu->stream);
    return ct_cuda_leave(gpu, ct_cuda_check(gpu, result, "cuMemcpyDtoDAsync(%zu bytes)", bytes));
}
