/* Kernels that were compiled for plans: each source is one kernel, made once and shared by the
 * plans that use it. The last few unused ones stay; the others are unloaded. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "cuda.h"
#include "driver/nvrtc/cache.h"
#include "driver/nvrtc/compile.h"

enum { KEY_BYTES = CT_CUDA_SOURCE_BYTES + 512, UNUSED_MOST = 32 };

enum { MAKING, READY, FAILED };

struct ct_cuda_own {
    ct_cuda_own *next;
    const ct_plan_device *device;
    char *source;
    void *module, *function;
    int step, uses; /* step: MAKING, READY or FAILED */
    int captures;   /* whether it failed because a stream is being captured */
};

/* The lock of the list, the last released entry first; never held while a kernel is compiled. */
static pthread_mutex_t listing = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t made = PTHREAD_COND_INITIALIZER;
static ct_cuda_own *all;

void *ct_cuda_own_function(const ct_cuda_own *own) { return own->function; }

/* ---- unloading ------------------------------------------------------------------------------- */

static void free_own(ct_cuda_own *own)
{
    free(own->source);
    free(own);
}

static void put_first(ct_cuda_own *own)
{
    own->next = all;
    all = own;
}

/* Unloads unused kernels except the last few. It first waits for copies that may still run them; where that
 * fails they stay, for the next time. */
static void unload_unused(const ct_plan_device *device)
{
    const ct_driver *const driver = &device->gpu->driver;
    ct_cuda_own *unused = NULL;
    int seen = 0;
    pthread_mutex_lock(&listing);
    for (ct_cuda_own **at = &all; *at;) {
        ct_cuda_own *const own = *at;
        if (own->uses > 0 || own->device != device || seen++ < UNUSED_MOST) {
            at = &own->next;
            continue;
        }
        *at = own->next;
        own->next = unused;
        unused = own;
    }
    pthread_mutex_unlock(&listing);
    const int stay = unused && driver->context_wait();
    while (unused) {
        ct_cuda_own *const own = unused;
        unused = own->next;
        if (stay) {
            pthread_mutex_lock(&listing);
            put_first(own);
            pthread_mutex_unlock(&listing);
        } else {
            driver->module_unload(own->module);
            free_own(own);
        }
    }
}

/* ---- making ---------------------------------------------------------------------------------- */

/* The kernel of a compiled image. */
static ct_status load(ct_cuda_own *own, const void *image)
{
    const ct_driver *const driver = &own->device->gpu->driver;
    const int result = driver->module_load(&own->module, image, 0, NULL, NULL);
    own->captures = ct_driver_captures(result);
    if (result) return CT_E_FAILED;
    if (driver->module_function(&own->function, own->module, "ct_own") == 0) {
        /* all the shared memory that a block may have; kernels that need less are not refused
         * here */
        driver->function_set(own->function, CT_FUNCTION_DYNAMIC_BYTES,
                             (int)own->device->gpu->about.shared_bytes);
        return CT_OK;
    }
    driver->module_unload(own->module);
    return CT_E_FAILED;
}

/* Gets the image from disk, or from the compiler, and then writes it to disk. An image that the
 * driver refuses is made anew. */
static ct_status make_image(ct_cuda_own *own)
{
    char key[KEY_BYTES];
    void *image = NULL;
    size_t bytes = 0;
    /* What a compiled kernel depends on: the source, the headers inside and the options, the driver and the
     * device. (Not the compiler's version: to ask for it takes longer than to load what it made.) */
    const size_t key_bytes = (size_t)snprintf(
        key, KEY_BYTES, "cutlet plan kernel\nheaders %016llx\ndriver %d\nsm_%d %s\n%s",
        (unsigned long long)ct_nvrtc_fingerprint(), own->device->gpu->about.driver,
        own->device->arch, own->device->gpu->about.name, own->source);
    if (key_bytes >= sizeof key) return CT_E_CAPACITY;
    if (ct_cache_get(key, key_bytes, &image, &bytes) == 0) {
        const ct_status bad = load(own, image);
        free(image);
        if (!bad || own->captures) return bad;
    }
    ct_status bad = ct_nvrtc_compile(own->source, own->device->arch, &image, &bytes, NULL);
    if (bad) return bad;
    bad = load(own, image);
    if (!bad) ct_cache_put(key, key_bytes, image, bytes);
    free(image);
    return bad;
}

/* In the device's context; others are unloaded only where it could be loaded. */
static ct_status make(ct_cuda_own *own)
{
    const ct_driver *const driver = &own->device->gpu->driver;
    void *context;
    if (driver->context_push(own->device->gpu->context)) return CT_E_FAILED;
    const ct_status bad = make_image(own);
    if (!bad) unload_unused(own->device);
    driver->context_pop(&context);
    return bad;
}

/* ---- sharing --------------------------------------------------------------------------------- */

static ct_cuda_own *find(const ct_plan_device *device, const char *source)
{
    for (ct_cuda_own *own = all; own; own = own->next)
        if (own->device == device && own->step != FAILED && strcmp(own->source, source) == 0)
            return own;
    return NULL;
}

/* A new kernel in the list, whose only user has to compile it; NULL without memory. */
static ct_cuda_own *add(const ct_plan_device *device, const char *source)
{
    ct_cuda_own *const own = calloc(1, sizeof *own);
    if (!own || (own->source = strdup(source)) == NULL) {
        free(own);
        return NULL;
    }
    own->device = device;
    own->uses = 1;
    put_first(own);
    return own;
}

/* Removes a user; a kernel that failed to compile is freed with its last user. Under the lock. */
static void let_go(ct_cuda_own *own)
{
    ct_cuda_own **at = &all;
    if (--own->uses > 0) return;
    while (*at != own) at = &(*at)->next;
    *at = own->next;
    if (own->step == FAILED) free_own(own);
    else put_first(own);
}

/* Waits for the thread that makes it; NULL, and let go, if that failed. Under the lock. */
static ct_cuda_own *when_made(ct_cuda_own *own, int *captures)
{
    while (own->step == MAKING) pthread_cond_wait(&made, &listing);
    if (own->step == READY) return own;
    *captures = own->captures;
    let_go(own);
    return NULL;
}

ct_cuda_own *ct_cuda_own_of(const ct_plan_device *device, const char *source, int *captures)
{
    *captures = 0;
    pthread_mutex_lock(&listing);
    ct_cuda_own *own = find(device, source);
    if (own) {
        ++own->uses;
    } else if ((own = add(device, source)) != NULL) {
        pthread_mutex_unlock(&listing);
        const int bad = make(own);
        pthread_mutex_lock(&listing);
        own->step = bad ? FAILED : READY;
        pthread_cond_broadcast(&made);
    }
    if (own) own = when_made(own, captures);
    pthread_mutex_unlock(&listing);
    return own;
}

void ct_cuda_own_keep(ct_cuda_own *own)
{
    if (!own) return;
    pthread_mutex_lock(&listing);
    ++own->uses;
    pthread_mutex_unlock(&listing);
}

void ct_cuda_own_drop(ct_cuda_own *own)
{
    if (!own) return;
    pthread_mutex_lock(&listing);
    let_go(own);
    pthread_mutex_unlock(&listing);
}
