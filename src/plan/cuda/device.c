/* The devices that plans run on: opened when first asked for, and kept. */
#include <pthread.h>
#include <string.h>

#include "cuda.h"

enum { DEVICES = 64, HOST = 1, MEMORY_TYPE = 2, CLOCK_KHZ = 36, BUS_BITS = 37 };

static pthread_mutex_t opening = PTHREAD_MUTEX_INITIALIZER;
static ct_plan_device devices[DEVICES];

/* The peak rate of the memory: two transfers in each clock. */
static double memory_rate(const ct_cuda *gpu)
{
    int khz = 0, bits = 0;
    if (gpu->driver.device_attribute(&khz, CLOCK_KHZ, gpu->device) ||
        gpu->driver.device_attribute(&bits, BUS_BITS, gpu->device))
        return 0;
    return 2e3 * khz * bits / 8;
}

/* The number of the device whose context the calling thread has made current; the first where it has
 * none. */
static int current_device(const ct_cuda *gpu)
{
    void *context = NULL;
    int device = 0, other = 0;
    if (!gpu->driver.context_current || gpu->driver.context_current(&context) || !context) return 0;
    if (!gpu->driver.context_device || gpu->driver.context_device(&device)) return 0;
    for (int ordinal = 0; ordinal < DEVICES; ++ordinal) {
        if (gpu->driver.device_get(&other, ordinal)) return 0;
        if (other == device) return ordinal;
    }
    return 0;
}

static ct_plan_device *open_ordinal(int ordinal, char *message)
{
    char reason[CT_MESSAGE_BYTES];
    if (ordinal < 0 || ordinal >= DEVICES) {
        ct_refuse(message, CT_E_BACKEND, "no GPU: no device %d; 0 to %d have numbers", ordinal,
                  DEVICES - 1);
        return NULL;
    }
    ct_plan_device *const d = &devices[ordinal];
    if (d->gpu) return d;
    d->gpu = ct_cuda_open(ordinal, reason);
    if (!d->gpu) {
        ct_refuse(message, CT_E_BACKEND, "%s", reason);
        return NULL;
    }
    d->ordinal = ordinal;
    d->arch = 10 * d->gpu->about.major + d->gpu->about.minor;
    d->bytes_per_second = memory_rate(d->gpu);
    return d;
}

ct_plan_device *ct_plan_device_open(char *message) { return ct_plan_device_numbered(0, message); }

ct_plan_device *ct_plan_device_numbered(int32_t number, char *message)
{
    pthread_mutex_lock(&opening);
    ct_plan_device *d = open_ordinal(number ? number - 1 : 0, message);
    const int current = d && number == 0 ? current_device(d->gpu) : 0;
    if (current > 0) d = open_ordinal(current, message);
    pthread_mutex_unlock(&opening);
    return d;
}

int ct_plan_device_memory(const ct_plan_device *device, const void *at)
{
    unsigned type = 0;
    if (!device->gpu->driver.pointer_attribute) return CT_MEMORY_DEVICE; /* it has to be believed */
    if (device->gpu->driver.pointer_attribute(&type, MEMORY_TYPE, (uint64_t)(uintptr_t)at))
        return CT_MEMORY_HOST;
    return type == HOST ? CT_MEMORY_PINNED : CT_MEMORY_DEVICE;
}
