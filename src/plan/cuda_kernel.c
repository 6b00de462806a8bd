/* The kernel of a launch: from memory, from disk, from the compiler; or the one that libcutlet has
 * inside for all plans, where none of these can be had or it would not pay. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "cuda.h"
#include "nvrtc/cache.h"
#include "nvrtc/compile.h"
#include "nvrtc/library.h"

enum { SOURCE_BYTES = 32768 };

/* The kernels that were made for a plan in this process. They stay. */
typedef struct made {
    const ct_plan_device *device;
    char *source;
    void *function;
} made;

static pthread_mutex_t making = PTHREAD_MUTEX_INITIALIZER;
static made *all_made;
static int made_count;

static void *find_made(const ct_plan_device *device, const char *source)
{
    for (int i = 0; i < made_count; ++i)
        if (all_made[i].device == device && strcmp(all_made[i].source, source) == 0)
            return all_made[i].function;
    return NULL;
}

/* Without memory it is made once more the next time. */
static void keep_made(const ct_plan_device *device, const char *source, void *function)
{
    char *const copy = strdup(source);
    made *const grown = copy ? realloc(all_made, ((size_t)made_count + 1) * sizeof *grown) : NULL;
    if (grown) {
        all_made = grown;
        grown[made_count++] = (made){device, copy, function};
    } else {
        free(copy);
    }
}

/* The kernel of a compiled image, or NULL where the driver does not take it. */
static void *load(const ct_plan_device *device, const void *image)
{
    const ct_driver *const driver = &device->gpu->driver;
    void *module = NULL, *function = NULL;
    if (driver->module_load(&module, image, 0, NULL, NULL)) return NULL;
    if (driver->module_function(&function, module, "ct_own")) {
        driver->module_unload(module);
        return NULL;
    }
    return function;
}

/* What a compiled kernel depends on: the source, the headers inside and the options, the driver and the
 * device. (Not the compiler's version: to ask for it takes longer than to load what it made.) */
static int key_of(const ct_plan_device *device, const char *source, char *key, size_t size)
{
    return snprintf(key, size, "cutlet plan kernel\nheaders %016llx\ndriver %d\nsm_%d %s\n%s",
                    (unsigned long long)ct_nvrtc_fingerprint(),
                    device->gpu->about.driver, device->arch, device->gpu->about.name, source);
}

/* From disk, or from the compiler, and then to disk. An image that the driver refuses is made anew. */
static void *make(const ct_plan_device *device, const char *source)
{
    char key[SOURCE_BYTES + 512];
    void *image = NULL, *function = NULL;
    size_t bytes = 0;
    const size_t key_bytes = (size_t)key_of(device, source, key, sizeof key);
    if (key_bytes >= sizeof key) return NULL;
    if (ct_cache_get(key, key_bytes, &image, &bytes) == 0) {
        function = load(device, image);
        free(image);
        if (function) return function;
    }
    if (ct_nvrtc_compile(source, device->arch, &image, &bytes, NULL)) return NULL;
    function = load(device, image);
    if (function) ct_cache_put(key, key_bytes, image, bytes);
    free(image);
    return function;
}

/* The kernel of that source; NULL where there is none. */
static void *own_kernel(const ct_plan_device *device, const ct_gpu_launch *launch)
{
    char source[SOURCE_BYTES];
    if (ct_nvrtc_is_off() || ct_cuda_source(launch, source, sizeof source) >= SOURCE_BYTES) return NULL;
    void *function = find_made(device, source);
    if (function) return function;
    function = make(device, source);
    if (function) keep_made(device, source, function);
    return function;
}

static const char *inside(const ct_gpu_launch *launch)
{
    switch (launch->kind) {
    case CT_GPU_BOXES: return "ct_box_any";
    case CT_GPU_WINDOWS: return "ct_window_any";
    case CT_GPU_INDICES: return "ct_index_any";
    default: return launch->kernel;
    }
}

int ct_cuda_kernel_for(ct_plan_device *device, ct_cuda_kernel_of *kernel, int is_small,
                       char *message)
{
    ct_gpu_launch *const l = &kernel->launch;
    int bad = CT_PLAN_OK;
    kernel->function = NULL;
    kernel->is_own = 0;
    if (l->kind == CT_GPU_RUN) return CT_PLAN_OK;
    pthread_mutex_lock(&making);
    if (ct_cuda_enter(device->gpu)) {
        bad = ct_plan_refuse(message, CT_PLAN_E_FAILED, "%s", ct_cuda_error(device->gpu));
    } else {
        if (!is_small && l->kind < CT_GPU_SKEWED) kernel->function = own_kernel(device, l);
        kernel->is_own = kernel->function != NULL;
        if (!kernel->function &&
            ct_cuda_function_for(device->gpu, inside(l), (size_t)l->shared_bytes, &kernel->function))
            bad = ct_plan_refuse(message, CT_PLAN_E_BACKEND, "cuda: %s", ct_cuda_error(device->gpu));
        ct_cuda_leave(device->gpu, 0);
    }
    pthread_mutex_unlock(&making);
    return bad;
}

int ct_cuda_start(const ct_plan_device *device, const ct_cuda_kernel_of *kernel, void *dst,
                  const void *src, double scale, void *stream)
{
    const ct_gpu_launch *const l = &kernel->launch;
    const ct_driver *const driver = &device->gpu->driver;
    ct_gpu_told told;
    void *argument = &told;
    ct_gpu_tell(l, kernel->is_own, dst, src, scale, &told);
    if (l->kind == CT_GPU_RUN)
        return driver->copy((uint64_t)(uintptr_t)told.args.dst, (uint64_t)(uintptr_t)told.args.src,
                            (size_t)l->bytes, stream);
    return driver->launch(kernel->function, l->grid[0], l->grid[1], l->grid[2], l->threads, 1, 1,
                          (unsigned)l->shared_bytes, stream, &argument, NULL);
}
