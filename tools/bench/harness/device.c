/* The device, with the kernels of several tables. */
#include "device.h"

#include <stdio.h>
#include <string.h>

#include "base/refuse.h"
#include "driver/cuda/gpu.h"
#include "report.h"

enum { MEMORY_KHZ = 36, MEMORY_BUS_BITS = 37 }; /* attributes of a device */
enum { IMAGES_MOST = 256 };

/* Bytes in a second: two transfers a clock, all of the bus; 0 for what no memory has. */
static double peak_of(const ct_cuda *gpu)
{
    int khz = 0, bits = 0;
    if (gpu->driver.device_attribute(&khz, MEMORY_KHZ, gpu->device) ||
        gpu->driver.device_attribute(&bits, MEMORY_BUS_BITS, gpu->device))
        return 0;
    if (khz < 100000 || khz > 50000000 || bits < 32 || bits > 32768 || bits % 8) return 0;
    return 2e3 * khz * (bits / 8);
}

ct_cuda *bench_open(bench_device *device, int index, const ct_cuda_images *const *tables, int count,
                    char reason[CT_MESSAGE_BYTES])
{
    static ct_cuda_image all[IMAGES_MOST]; /* an open device refers to its images */
    ct_cuda_images images = {tables[0]->toolkit, 0, all};
    for (int i = 0; i < count; ++i) {
        if (images.count + tables[i]->count > IMAGES_MOST) {
            ct_one_line(reason, CT_MESSAGE_BYTES, "no GPU: more than %d images", IMAGES_MOST);
            return NULL;
        }
        for (int32_t k = 0; k < tables[i]->count; ++k) all[images.count++] = tables[i]->image[k];
    }
    ct_cuda *const gpu = ct_cuda_open_with(index, &images, reason);
    if (gpu) *device = (bench_device){*ct_cuda_about(gpu), peak_of(gpu)};
    return gpu;
}

void bench_device_words(const bench_device *device, char *text, size_t size)
{
    const ct_cuda_device *const d = &device->about;
    char memory[BENCH_SIZE_TEXT], l2[BENCH_SIZE_TEXT], peak[64] = "";
    bench_size_text(memory, d->memory_bytes);
    bench_size_text(l2, d->l2_bytes);
    if (device->peak > 0) snprintf(peak, sizeof peak, ", at most %.0f GB/s", 1e-9 * device->peak);
    snprintf(text, size, "%s (sm_%d%d, %d multiprocessors, L2 %s, memory %s%s, CUDA %d.%d)",
             d->name, d->major, d->minor, d->processors, l2, memory, peak, d->driver / 1000,
             d->driver % 1000 / 10);
}
