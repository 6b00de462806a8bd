/* The device: opened with the kernels of examples/vector and the one that compares. */
#include "device.h"

#include <stdio.h>
#include <string.h>

#include "copy/whole_file.h"
#include "cuda/gpu.h"
#include "json_read.h"
#include "kernels.h"
#include "sizes.h"

extern const ct_cuda_images pattern_images;

enum { MEMORY_KHZ = 36, MEMORY_BUS_BITS = 37 }; /* attributes of a device */
enum { IMAGES_MOST = 128 };

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

ct_cuda *bench_open(bench_device *device, char reason[CT_CUDA_LINE])
{
    static ct_cuda_image all[IMAGES_MOST]; /* an open device refers to its images */
    const ct_cuda_images *const from[] = {&vector_images, &pattern_images};
    ct_cuda_images images = {vector_images.toolkit, 0, all};
    for (int i = 0; i < 2; ++i)
        for (int32_t k = 0; k < from[i]->count && images.count < IMAGES_MOST; ++k)
            all[images.count++] = from[i]->image[k];
    ct_cuda *const gpu = ct_cuda_open_with(0, &images, reason);
    if (!gpu) return NULL;
    const ct_cuda_device *const d = ct_cuda_about(gpu);
    memset(device, 0, sizeof *device);
    memcpy(device->name, d->name, sizeof device->name);
    device->major = d->major;
    device->minor = d->minor;
    device->driver = d->driver;
    device->processors = d->processors;
    device->memory_bytes = d->memory_bytes;
    device->l2_bytes = d->l2_bytes;
    device->peak = peak_of(gpu);
    return gpu;
}

void bench_device_words(const bench_device *d, char *text, size_t size)
{
    char memory[32], l2[32], peak[64] = "";
    bench_size_text(memory, d->memory_bytes);
    bench_size_text(l2, d->l2_bytes);
    if (d->peak > 0) snprintf(peak, sizeof peak, ", at most %.0f GB/s", 1e-9 * d->peak);
    snprintf(text, size, "%s (sm_%d%d, %d multiprocessors, L2 %s, memory %s%s, CUDA %d.%d)",
             d->name, d->major, d->minor, d->processors, l2, memory, peak, d->driver / 1000,
             d->driver % 1000 / 10);
}

json_t *bench_device_json(const bench_device *d)
{
    return json_pack("{s:s, s:i, s:i, s:i, s:i, s:I, s:I, s:o}", "name", d->name, "major", d->major,
                     "minor", d->minor, "driver_cuda", d->driver, "processors", d->processors,
                     "memory_bytes", (json_int_t)d->memory_bytes, "l2_bytes",
                     (json_int_t)d->l2_bytes, "peak_gb_s",
                     d->peak > 0 ? json_real(1e-9 * d->peak) : json_null());
}

int bench_device_read(bench_device *d, json_t *from)
{
    const char *name = NULL;
    int bad = 0;
    memset(d, 0, sizeof *d);
    if (json_unpack(from, "{s:s, s:i, s:i, s:i, s:i}", "name", &name, "major", &d->major, "minor",
                    &d->minor, "driver_cuda", &d->driver, "processors", &d->processors))
        return -1;
    ct_one_line(d->name, sizeof d->name, "%s", name);
    d->memory_bytes = bench_json_integer(from, "memory_bytes", &bad);
    d->l2_bytes = bench_json_integer(from, "l2_bytes", &bad);
    d->peak = 1e9 * bench_json_number(from, "peak_gb_s", &bad);
    return bad;
}
