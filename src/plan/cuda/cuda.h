/**
 * Inside of the CUDA backend: the device that plans run on, and the kernels made for it.
 */
#ifndef CUTLET_SRC_PLAN_CUDA_CUDA_H
#define CUTLET_SRC_PLAN_CUDA_CUDA_H

#include "driver/cuda/gpu.h"
#include "plan/gpu/gpu.h"

/** A separately compiled kernel does not pay for a copy that reads and writes fewer bytes. */
#define CT_CUDA_SMALL_BYTES (256 * 1024)

/** Room for the source of a kernel. */
enum { CT_CUDA_SOURCE_BYTES = 32768 };

/** A device, opened once and kept until the process ends. */
typedef struct ct_plan_device {
    ct_cuda *gpu;
    int32_t ordinal, arch;   /* 90 for sm_90 */
    double bytes_per_second; /* of its memory at best; 0 if it does not report it */
} ct_plan_device;

/** A kernel that was compiled for plans, which may share it. */
typedef struct ct_cuda_own ct_cuda_own;

/** A launch with its kernel. */
typedef struct ct_cuda_kernel_of {
    ct_gpu_launch launch;
    void *function;   /* NULL of RUN */
    ct_cuda_own *own; /* compiled for this launch; NULL: the plan is a launch argument */
} ct_cuda_kernel_of;

/** The device of the calling thread's context, or the first. NULL and one line without a device. */
ct_plan_device *ct_plan_device_open(char *message);

/** The device of a number plus 1; 0: as above. */
ct_plan_device *ct_plan_device_numbered(int32_t number, char *message);

/** Where memory is: the host's, a device's, or neither's as far as the driver knows (0). */
enum { CT_MEMORY_HOST, CT_MEMORY_DEVICE, CT_MEMORY_PINNED };
int ct_plan_device_memory(const ct_plan_device *device, const void *at);

/** Finds or makes the kernel of a launch, which ct_cuda_kernel_drop gives back. CT_OK, or
 *  a status and a line. Any thread. */
ct_status ct_cuda_kernel_for(ct_plan_device *device, ct_cuda_kernel_of *kernel, int is_small,
                             char *message);

/** Gives a kernel back. Any thread. */
void ct_cuda_kernel_drop(ct_cuda_kernel_of *kernel);

/** Whether kernels may be loaded now: CT_OK, or a status and a line while a stream is
 *  captured. */
ct_status ct_cuda_may_load(const ct_plan_device *device, char *message);

/** The kernel of a source: found, or made by this thread while others that want it wait. NULL
 *  where it cannot be had; *captures then says whether that is because a stream is being
 *  captured. It has one more user; ct_cuda_own_drop takes that away. Kernels without users, but
 *  for the last few, are unloaded when the next one is loaded. Any thread. */
ct_cuda_own *ct_cuda_own_of(const ct_plan_device *device, const char *source, int *captures);
void *ct_cuda_own_function(const ct_cuda_own *own);

/** Adds or removes a user; NULL is allowed. Any thread. */
void ct_cuda_own_keep(ct_cuda_own *own);
void ct_cuda_own_drop(ct_cuda_own *own);

/** Queues it in a stream of the device, whose context is current. 0, or the driver's result. */
int ct_cuda_start(const ct_plan_device *device, const ct_cuda_kernel_of *kernel, void *dst,
                  const void *src, double scale, void *stream);

/** What decides the launch of a plan, and its kernel: plans with the same key share both. */
typedef struct ct_cuda_key {
    const ct_plan_device *device;
    int64_t size, src_align, dst_align;
    int32_t from, to, has_scale, elem_bytes, variant, is_small;
    ct_plan_form form;
    ct_plan_span src_span;
    ct_tensor src, dst; /* where each offset is worked out; else zero */
} ct_cuda_key;

/** The key of a variant of a plan for pointers of these alignments. */
void ct_cuda_key_of(const ct_plan *plan, const ct_plan_device *device, int64_t src_align,
                    int64_t dst_align, int32_t variant, int is_small, ct_cuda_key *key);

/** The kernel of a key: 0, or -1 where it is not remembered. The caller drops it. Any thread. */
int ct_cuda_recall(const ct_cuda_key *key, ct_cuda_kernel_of *kernel);

/** Remembers it among the last few dozen, as a user of its kernel. */
void ct_cuda_remember(const ct_cuda_key *key, const ct_cuda_kernel_of *kernel);

/** Chooses among the variants of a plan by timing their kernels on the device. *variant gets the
 * fastest, which is cached on disk, so that the next plan needs no timing. *best gets its kernel if
 * it was timed, to be dropped. CT_OK, or a status and a line. */
ct_status ct_cuda_measure(ct_plan *plan, ct_plan_device *device, int is_small, int32_t *variant,
                          ct_cuda_kernel_of *best, char *message);

#endif
