/**
 * Where plans run: each backend of the library, and the memory that it copies.
 */
#ifndef CUTLET_TESTS_PLAN_PLACES_H
#define CUTLET_TESTS_PLAN_PLACES_H

#include "test.h"

#include "driver/cuda/gpu.h"
#include "plan_cases.h"

/** A backend, and the device where its memory is not the host's. */
typedef struct plan_place {
    int32_t backend;
    const char *name;
    ct_cuda *gpu;
} plan_place;

/** Every backend by its number. */
static const plan_place plan_places[] = {{CT_BACKEND_CPU, "cpu", NULL},
                                         {CT_BACKEND_GRID, "grid", NULL},
                                         {CT_BACKEND_CUDA, "cuda", NULL}};
enum { PLAN_PLACES = sizeof plan_places / sizeof *plan_places };

/** Opens the place; 0, after a line that says why, where this machine does not have it. */
static int place_open(plan_place *place, int number)
{
    char message[CT_MESSAGE_BYTES], reason[CT_MESSAGE_BYTES] = "";
    ct_plan_desc desc = {0};
    ct_plan *plan = NULL;
    *place = plan_places[number];
#if defined(__SANITIZE_THREAD__)
    if (place->backend == CT_BACKEND_GRID) {
        print_message("# skipped: grid: ThreadSanitizer does not follow contexts of one thread\n");
        return 0;
    }
#endif
    desc.src = desc.dst = ct_plan_side_raw(ct_layout1(8, 1), 4);
    desc.backend = place->backend;
    const int status = ct_plan_create(&desc, CT_EFFORT_ESTIMATE, &plan, message);
    ct_plan_destroy(plan);
    if (status == CT_E_BACKEND) {
        print_message("# skipped: %s: %s\n", place->name, message);
        return 0;
    }
    if (status) fail_msg("%s: %s", place->name, message);
    if (place->backend != CT_BACKEND_CUDA) return 1;
    place->gpu = ct_cuda_open(0, reason);
    if (!place->gpu) fail_msg("%s", reason);
    return 1;
}

static void place_close(plan_place *place) { ct_cuda_close(place->gpu); }

/* Memory on the device with the bytes of m, as far from an aligned address. */
static unsigned char *on_device(ct_cuda *gpu, plan_memory m)
{
    unsigned char *const all = ct_cuda_alloc(gpu, m.bytes);
    if (!all || ct_cuda_upload(gpu, all, m.all, m.bytes)) fail_msg("%s", ct_cuda_error(gpu));
    return all;
}

/** Runs a plan from one memory to the other, both of the host, guards and all; its status. */
static int place_run(const plan_place *place, const ct_plan *plan, plan_memory dst, plan_memory src,
                     char *message)
{
    ct_cuda *const gpu = place->gpu;
    if (!gpu) return ct_plan_run(plan, dst.at, src.at, NULL, message);
    unsigned char *const from = on_device(gpu, src), *const to = on_device(gpu, dst);
    const int status =
        ct_plan_run(plan, to + (dst.at - dst.all), from + (src.at - src.all), gpu->stream, message);
    if (ct_cuda_download(gpu, dst.all, to, dst.bytes) || ct_cuda_free(gpu, from) ||
        ct_cuda_free(gpu, to))
        fail_msg("%s", ct_cuda_error(gpu));
    return status;
}

#endif
