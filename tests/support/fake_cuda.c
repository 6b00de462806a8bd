/* The driver's functions over host memory; see fake_cuda.h. */
#include "fake_inside.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cutlet/device/staged/staged_job.h>
#include "fake_gemm.h"
#include "fake_vector.h"
#include "../../tools/bench/kernels/plain_copy.h"
#include "kernels/variants.h"

/* As it stands when nobody sets it up: an H200. */
fake_cuda_state fake_cuda = {.version = 13000, .devices = 1, .major = 9};

/* What the environment says, for programs that know nothing of fake_cuda. */
__attribute__((constructor)) static void read_environment(void)
{
    static char function[64];
    const char *fail = getenv("FAKE_CUDA_FAIL");
    const char *arch = getenv("FAKE_CUDA_ARCH");
    if (arch) fake_cuda.major = atoi(arch) / 10;
    if (arch) fake_cuda.minor = atoi(arch) % 10;
    fake_cuda.tiled = getenv("FAKE_CUDA_TILED") != NULL;
    fake_cuda.plans = getenv("FAKE_CUDA_PLANS") != NULL;
    fake_cuda.own = getenv("FAKE_CUDA_OWN") != NULL;
    fake_cuda.wrong = getenv("FAKE_CUDA_WRONG");
    fake_cuda.memory =
        getenv("FAKE_CUDA_MEMORY") ? strtoull(getenv("FAKE_CUDA_MEMORY"), NULL, 10) : 0;
    if (fail && sscanf(fail, "%63s %d", function, &fake_cuda.calls_before) >= 1) {
        fake_cuda.fail = function;
        fake_cuda.result = 2;
    }
}

enum { CAPTURE_UNSUPPORTED = 900 };

/* How a real image begins. It has every kernel that is asked for. */
#define FAT_BINARY 0xba55ed50u

/* One thread at a time launches, loads, and looks at the clock. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int fake_fails(const char *function) { return fake_fails_in(function, fake_context()); }

int fake_fails_in(const char *function, const void *context)
{
    if (!fake_cuda.fail || strcmp(fake_cuda.fail, function) != 0) return 0;
    if (fake_cuda.fail_context && fake_cuda.fail_context != context) return 0;
    return __atomic_fetch_sub(&fake_cuda.calls_before, 1, __ATOMIC_RELAXED) <= 0;
}

void fake_copied(void *stream)
{
    pthread_mutex_lock(&lock);
    fake_cuda.clock += 3;
    fake_cuda.stream = stream;
    fake_cuda.context = fake_context();
    ++fake_cuda.copies;
    pthread_mutex_unlock(&lock);
}

/* ---- the driver and its device --------------------------------------------------------------- */

FAKE(cuInit, (unsigned flags))
{
    MAY_FAIL();
    return flags ? 1 : 0;
}

FAKE(cuDriverGetVersion, (int *version))
{
    MAY_FAIL();
    *version = fake_cuda.version;
    return 0;
}

FAKE(cuGetErrorName, (int result, const char **name))
{
    *name = result == 2 ? "CUDA_ERROR_OUT_OF_MEMORY" : "CUDA_ERROR_FAKE";
    return result == 12345;
}

FAKE(cuGetErrorString, (int result, const char **text))
{
    *text = result == 2 ? "out of memory" : "a planted fault";
    return result == 12345;
}

FAKE(cuDeviceGetCount, (int *count))
{
    MAY_FAIL();
    *count = fake_cuda.devices;
    return 0;
}

FAKE(cuDeviceGet, (int *device, int ordinal))
{
    MAY_FAIL();
    *device = FAKE_DEVICE + ordinal;
    return 0;
}

FAKE(cuDeviceGetName, (char *name, int bytes, int device))
{
    MAY_FAIL();
    snprintf(name, (size_t)bytes, "Fake %d", device);
    return 0;
}

FAKE(cuDeviceTotalMem_v2, (size_t * bytes, int device))
{
    MAY_FAIL();
    *bytes = fake_cuda.memory ? fake_cuda.memory : (size_t)device << 30;
    return 0;
}

FAKE(cuDeviceGetAttribute, (int *value, int attribute, int device))
{
    MAY_FAIL();
    switch (attribute) {
        case 36: *value = 3201000; return 0; /* kHz of its memory */
        case 37: *value = 6144; return 0;    /* bits of its bus */
        case 16: *value = 132; return 0;
        case 38:
            *value = getenv("FAKE_CUDA_L2") ? atoi(getenv("FAKE_CUDA_L2")) : 50 << 20;
            return 0;
        case 75: *value = fake_cuda.major; return 0;
        case 76: *value = fake_cuda.minor; return 0;
        case 97: *value = 227 * 1024; return 0;
        default: return device ? 1 : 101;
    }
}

FAKE(cuDevicePrimaryCtxRetain, (void **context, int device))
{
    MAY_FAIL();
    fake_count(&fake_cuda.contexts, 1);
    *context = fake_pointer(FAKE_CONTEXT + (uint64_t)device);
    return 0;
}

FAKE(cuDevicePrimaryCtxRelease_v2, (int device))
{
    fake_count(&fake_cuda.contexts, -1);
    return device ? 0 : 101;
}

/* ---- kernels --------------------------------------------------------------------------------- */

static char names[128][64]; /* a function is a pointer to its name */
static int name_count;

/* Whether an image was compiled at run time: a cubin, or what fake_nvrtc.c makes. */
static int is_compiled(const void *image)
{
    return strncmp(image, "\177ELF", 4) == 0 || strncmp(image, "plan.cu ", 8) == 0;
}

/* Whether a kernel that was compiled at run time is one of those that do not load. Any thread. */
static int is_refused(void)
{
    pthread_mutex_lock(&lock);
    const int refused = !fake_cuda.own || fake_cuda.own_refused-- > 0;
    pthread_mutex_unlock(&lock);
    return refused;
}

FAKE(cuModuleLoadDataEx,
     (void **module, const void *image, unsigned count, const int *options, void **values))
{
    if (fake_fails(__func__)) {
        if (count == 2 && options[0] == 5 && options[1] == 6)
            snprintf(values[0], (size_t)(uintptr_t)values[1], "line 7: planted");
        return fake_cuda.result;
    }
    if (fake_cuda.captures || fake_cuda.captures_separately) return CAPTURE_UNSUPPORTED;
    if (is_compiled(image) && !fake_compiled_is_image(image) && is_refused())
        return 209; /* no binary for this device */
    pthread_mutex_lock(&lock);
    const size_t used = strlen(fake_cuda.loaded);
    snprintf(fake_cuda.loaded + used, sizeof fake_cuda.loaded - used, "%s%.99s", used ? "; " : "",
             (const char *)image);
    pthread_mutex_unlock(&lock);
    fake_count(&fake_cuda.modules, 1);
    *module = (void *)(uintptr_t)image;
    return 0;
}

FAKE(cuModuleUnload, (void *module))
{
    fake_count(&fake_cuda.modules, -1);
    return module ? 0 : 400;
}

/* The place of a name, which it keeps; NULL where there is no room. */
static char *place_of(const char *name)
{
    int i = 0;
    pthread_mutex_lock(&lock);
    while (i < name_count && strcmp(names[i], name) != 0) ++i;
    if (i == name_count && i < (int)(sizeof names / sizeof *names))
        snprintf(names[name_count++], sizeof *names, "%s", name);
    pthread_mutex_unlock(&lock);
    return i < name_count ? names[i] : NULL;
}

static int has_kernel(const void *image, const char *name)
{
    uint32_t magic;
    memcpy(&magic, image, sizeof magic);
    if (magic == FAT_BINARY) return 1;
    if (is_compiled(image)) return strcmp(name, "ct_own") == 0;
    const size_t length = strlen(name);
    const char *const text = image;
    for (const char *at = strstr(text, name); at; at = strstr(at + 1, name))
        if ((at == text || at[-1] == ' ') && (at[length] == ' ' || at[length] == 0)) return 1;
    return 0;
}

FAKE(cuModuleGetFunction, (void **function, void *module, const char *name))
{
    MAY_FAIL();
    if (fake_compiled_is_image(module)) {
        *function = fake_compiled_function(module, name);
        return *function ? 0 : 500;
    }
    if (!has_kernel(module, name)) return 500;
    *function = place_of(name);
    return *function ? 0 : 2;
}

FAKE(cuFuncGetAttribute, (int *value, int attribute, void *function))
{
    MAY_FAIL();
    *value = 10 * attribute + 7;
    return function ? 0 : 400;
}

FAKE(cuFuncSetAttribute, (void *function, int attribute, int value))
{
    MAY_FAIL();
    if (attribute == 8)
        __atomic_store_n(&fake_cuda.dynamic_bytes, value,
                         __ATOMIC_RELAXED); /* threads load kernels */
    if (attribute == 9) fake_cuda.carveout = value;
    return function ? 0 : 400;
}

FAKE(cuOccupancyMaxActiveBlocksPerMultiprocessor,
     (int *blocks, void *function, int threads, size_t shared_bytes))
{
    MAY_FAIL();
    *blocks = shared_bytes ? 3 : 2048 / threads;
    return function ? 0 : 400;
}

FAKE(cuFuncGetParamInfo, (void *function, size_t index, size_t *at, size_t *bytes))
{
    MAY_FAIL();
    *at = 0;
    *bytes = fake_cuda.args_bytes;
    return function && index == 0 && *bytes ? 0 : 400;
}

/* Lines of memory, each of this many bytes. */
typedef struct lines {
    const unsigned char *src;
    unsigned char *dst;
    int64_t count, bytes, src_step, dst_step;
} lines;

/* Kernels of ours whose arguments are not those of the plain copy do nothing. */
static int is_plain_copy(const char *kernel)
{
    const int ours = strncmp(kernel, "ct_", 3) == 0 || strncmp(kernel, "bench_", 6) == 0;
    return !ours || strcmp(kernel, "ct_plain_copy") == 0;
}

/* What a kernel copies: by its name, which ends in the size of an element, and its argument. */
static lines lines_of(const char *kernel, const void *args)
{
    lines l = {0};
    if (fake_cuda.tiled && strncmp(kernel, "ct_best_copy_", 13) == 0) {
        const ct_staged_args *const a = args;
        l = (lines){a->src.at,        a->dst.at,      a->src.extent[1],
                    a->src.extent[0], a->src.step[1], a->dst.step[1]};
    } else if (fake_cuda.tiled && strncmp(kernel, "ct_copy_", 8) == 0) {
        const ct_variant_args *const a = args;
        const int64_t e = atoi(strrchr(kernel, '_') + 1);
        const int along = strstr(kernel, "_row_") != NULL;
        l = (lines){a->src.at,
                    a->dst.at,
                    a->src.extent[1 - along],
                    a->src.extent[along] * e,
                    a->src.step[1 - along],
                    a->dst.step[1 - along]};
    } else if (is_plain_copy(kernel)) {
        const ct_plain_copy_args *const a = args;
        l = (lines){a->src, a->dst, 1, a->bytes, 0, 0};
    }
    return l;
}

static int run_kernel(const char *kernel, const void *args)
{
    const int blocks = (int)fake_cuda.grid[0];
    if (strcmp(kernel, "ct_own") == 0) {
        ++fake_cuda.own_launches;
        return 0;
    }
    if (fake_cuda.plans && fake_plan_is(kernel))
        return fake_cuda.timing ? 0 : fake_plan_run(kernel, args);
    if (fake_cuda.timing && fake_vector_is(kernel)) return 0;
    if (fake_vector_run(kernel, args, blocks, fake_cuda.wrong && strstr(kernel, fake_cuda.wrong)))
        return 0;
    const int wrong = fake_cuda.wrong && strstr(kernel, fake_cuda.wrong);
    if (fake_gemm_run(kernel, args, wrong)) return 0;
    const lines l = lines_of(kernel, args);
    for (int64_t i = 0; i < l.count; ++i) {
        unsigned char *const dst = l.dst + i * l.dst_step;
        memcpy(dst, l.src + i * l.src_step, (size_t)(l.bytes - (wrong && !fake_cuda.beside)));
        if (wrong && fake_cuda.beside) dst[l.bytes] ^= 1;
    }
    return 0;
}

static int launch(void *function, const unsigned grid[3], const unsigned block[3],
                  unsigned shared_bytes, void *stream, const void *args)
{
    pthread_mutex_lock(&lock);
    memcpy(fake_cuda.grid, grid, sizeof fake_cuda.grid);
    memcpy(fake_cuda.block, block, sizeof fake_cuda.block);
    fake_cuda.shared_bytes = shared_bytes;
    fake_cuda.stream = stream;
    fake_cuda.context = fake_context();
    const int compiled = fake_compiled_is(function);
    snprintf(fake_cuda.launched, sizeof fake_cuda.launched, "%s",
             compiled ? "" : (const char *)function);
    ++fake_cuda.launches;
    if (compiled) fake_cuda.clock += fake_compiled_takes(function);
    else fake_cuda.clock += fake_cuda.takes ? fake_cuda.takes() : 2;
    int status = 0;
    if (compiled) status = fake_cuda.timing ? 0 : fake_compiled_run(function, args);
    else status = run_kernel(function, args);
    pthread_mutex_unlock(&lock);
    return status;
}

/* A launch of a copy plan's kernel that runs when its stream comes to it. */
typedef struct later {
    void *function, *stream;
    unsigned grid[3], block[3], shared_bytes;
    unsigned char args[32768];
} later;

static int launch_later(void *data)
{
    later *const l = data;
    return launch(l->function, l->grid, l->block, l->shared_bytes, l->stream, l->args);
}

FAKE(cuLaunchKernel,
     (void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
      unsigned shared_bytes, void *stream, void **parameters, void **extra))
{
    MAY_FAIL();
    if (!fake_context()) return 201;
    if (extra) return 1;
    const unsigned grid[] = {gx, gy, gz}, block[] = {bx, by, bz};
    if (!fake_cuda.deferred)
        return launch(function, grid, block, shared_bytes, stream, parameters[0]);
    const size_t bytes = fake_plan_args_bytes(function);
    later l = {.function = function, .stream = stream, .shared_bytes = shared_bytes};
    if (bytes == 0 || bytes > sizeof l.args) return 1;
    memcpy(l.grid, grid, sizeof grid);
    memcpy(l.block, block, sizeof block);
    memcpy(l.args, parameters[0], bytes);
    return fake_stream_put(stream, launch_later, NULL, &l, sizeof l);
}

/* Writes down what it is told, of three dimensions. */
FAKE(cuTensorMapEncodeTiled, (uint64_t * map, int elem, uint32_t rank, uint64_t address,
                              const uint64_t *extents, const uint64_t *strides, const uint32_t *box,
                              const uint32_t *steps, int interleave, int swizzle, int l2, int fill))
{
    MAY_FAIL();
    const uint64_t told[14] = {
        (uint64_t)elem, rank,
        address,        extents[0],
        extents[1],     extents[2],
        strides[0],     strides[1],
        box[0],         box[1],
        box[2],         steps[1],
        steps[2],       (uint64_t)(interleave * 1000 + swizzle * 100 + l2 * 10 + fill)};
    memcpy(map, told, sizeof told);
    return rank == 3 ? 0 : 1;
}
