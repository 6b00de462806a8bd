/**
 * The device that was measured, and how it is opened.
 */
#ifndef CUTLET_BENCH_COMMAND_DEVICE_H
#define CUTLET_BENCH_COMMAND_DEVICE_H

#include <jansson.h>

#include "cutlet/host/cuda.h"

typedef struct bench_device {
    char name[128];
    int32_t major, minor, driver, processors;
    int64_t memory_bytes, l2_bytes;
    double peak; /* bytes of memory in a second, by its clock and bus; 0: not told */
} bench_device;

/** Opens the first device with the kernels that are measured, and tells what it is; or NULL, and in
 *  reason one line that begins with "no GPU: ". */
ct_cuda *bench_open(bench_device *device, char reason[CT_CUDA_LINE]);

/** What is under the title of a table: name, capability, caches, memory, CUDA version. */
void bench_device_words(const bench_device *device, char *text, size_t size);

json_t *bench_device_json(const bench_device *device);

/** Reads what bench_device_json wrote. 0, or -1 where it is something else. */
int bench_device_read(bench_device *device, json_t *from);

#endif
