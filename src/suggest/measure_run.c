/* The kernels of candidates: compiled, loaded, launched, verified. */
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cutlet/device/tensor/global.h>

#include "base/pool.h"
#include "driver/cuda/gpu.h"
#include "driver/nvrtc/compile.h"
#include "measure.h"

enum {
    CACHES = 4, /* the source takes this many times the cache */
    FREE_SHARED_BYTES = 48 * 1024,
    GRID_MAX = 65535, /* along y and z */
    SOURCE_BYTES = 16384,
    ALIGN_BYTES = 256
};

/* As the kernels declare it. */
typedef struct copy_tile_args {
    ct_global src, dst;
} copy_tile_args;

static ct_status fail_gpu(suggest_bench *b, ct_status status)
{
    return ct_refuse(b->message, status, "%s", ct_cuda_error(b->gpu));
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* Elements up to a layout's last one, rounded up to the alignment. */
static int64_t span_of(const suggest_plain *p, int elem_bytes)
{
    int64_t last = 0;
    for (int k = 0; k < 2; ++k) last += (p->extent[k] - 1) * p->stride[k];
    const int64_t unit = ALIGN_BYTES / elem_bytes;
    return (last + unit) / unit * unit;
}

static ct_status check_side(suggest_bench *b, const suggest_plain *p, const char *name)
{
    for (int k = 0; k < 2; ++k)
        if (p->stride[k] < 0)
            return ct_refuse(b->message, CT_E_ARGUMENT,
                             "mode %d of %s has the stride %" PRId64 "; none below 0 is "
                             "measured",
                             k, name, p->stride[k]);
    return 0;
}

static ct_status find_sides(suggest_bench *b)
{
    const ct_suggest_query *const q = b->query;
    ct_status bad = ct_suggest_plain_of(&b->src, q->src, "the source", b->message);
    if (!bad && q->has_dst)
        bad = ct_suggest_plain_of(&b->dst, q->dst, "the destination", b->message);
    if (!bad) bad = check_side(b, &b->src, "the source");
    if (!bad && q->has_dst) bad = check_side(b, &b->dst, "the destination");
    return bad;
}

/* One block a tile; tiles along y, matrices along z. */
static ct_status find_grid(suggest_bench *b)
{
    const ct_suggest_query *const q = b->query;
    const int64_t m = (b->src.extent[0] + q->tile_m - 1) / q->tile_m;
    const int64_t n = (b->src.extent[1] + q->tile_n - 1) / q->tile_n;
    const int along_m = ct_suggest_along_m(&b->src);
    const int64_t x = along_m ? m : n, y = along_m ? n : m;
    if (x > INT32_MAX || y > GRID_MAX)
        return ct_refuse(b->message, CT_E_ARGUMENT,
                         "%" PRId64 " x %" PRId64 " tiles; a launch takes at most %d x %d", x, y,
                         INT32_MAX, GRID_MAX);
    b->grid = (ct_dim3){(uint32_t)x, (uint32_t)y, (uint32_t)b->matrices};
    return 0;
}

/* As many matrices as exceed the cache, in at most half of the memory. */
static ct_status find_sizes(suggest_bench *b)
{
    const ct_suggest_query *const q = b->query;
    const ct_cuda_device *const d = ct_cuda_about(b->gpu);
    const int bytes = suggest_elem_bytes(q);
    b->src_step = span_of(&b->src, bytes);
    b->dst_step = q->has_dst ? span_of(&b->dst, bytes) : 0;
    const int64_t own = b->src.extent[0] * b->src.extent[1] * bytes;
    const int64_t each = (b->src_step + b->dst_step) * bytes;
    const int64_t wanted = CACHES * d->l2_bytes;
    const int64_t smaller = ct_max(b->src_step * bytes, own); /* one that holds elements twice */
    b->matrices = (wanted + smaller - 1) / smaller;
    b->matrices = ct_max(1, ct_min(ct_min(b->matrices, GRID_MAX), d->memory_bytes / 2 / each));
    const ct_status bad = find_grid(b);
    if (bad) return bad;
    b->warps = q->threads / 32;
    b->src_bytes = (size_t)(b->matrices * b->src_step * bytes);
    b->dst_bytes = q->has_dst ? (size_t)(b->matrices * b->dst_step * bytes)
                              : (size_t)b->grid.x * b->grid.y * b->grid.z * (size_t)b->warps * 4;
    return 0;
}

static ct_status take_memory(suggest_bench *b)
{
    b->host = malloc(b->src_bytes);
    b->got = malloc(b->dst_bytes);
    b->sums = b->query->has_dst ? NULL : malloc(b->dst_bytes);
    if (!b->host || !b->got || (!b->sums && !b->query->has_dst))
        return ct_refuse(b->message, CT_E_MEMORY, "out of host memory: %zu and %zu bytes",
                         b->src_bytes, b->dst_bytes);
    b->on_src = ct_cuda_alloc(b->gpu, b->src_bytes);
    b->on_dst = b->on_src ? ct_cuda_alloc(b->gpu, b->dst_bytes) : NULL;
    if (!b->on_dst) return fail_gpu(b, CT_E_MEMORY);
    ct_suggest_fill(b);
    const ct_status bad = ct_cuda_upload(b->gpu, b->on_src, b->host, b->src_bytes);
    return bad ? fail_gpu(b, bad) : CT_OK;
}

ct_status ct_suggest_bench_open(suggest_bench *b)
{
    const ct_cuda_device *const d = ct_cuda_about(b->gpu);
    b->arch = 10 * d->major + d->minor;
    ct_status bad = find_sides(b);
    if (!bad) bad = find_sizes(b);
    if (!bad) bad = take_memory(b);
    return bad;
}

void ct_suggest_bench_close(suggest_bench *b)
{
    if (b->gpu && ct_cuda_enter(b->gpu) == 0) {
        b->gpu->driver.stream_wait(b->gpu->stream);
        for (int i = 0; i < b->count; ++i)
            if (b->trial[i].module) b->gpu->driver.module_unload(b->trial[i].module);
        ct_cuda_leave(b->gpu, 0);
    }
    ct_cuda_close(b->gpu);
    for (int i = 0; i < b->count; ++i) {
        free(b->trial[i].cubin);
        free(b->trial[i].seconds);
    }
    free(b->trial);
    free(b->host);
    free(b->got);
    free(b->sums);
}

/* ---- compiling ------------------------------------------------------------------------------- */

typedef struct compiling {
    suggest_bench *bench;
    pthread_mutex_t mutex; /* of all below */
    int32_t done;
    ct_status failed; /* of the first candidate that does not compile */
} compiling;

static ct_status compile(const suggest_bench *b, suggest_trial *t, char *message)
{
    char source[SOURCE_BYTES];
    ct_builder out = ct_builder_fixed(source, sizeof source);
    if (ct_suggest_put_kernel(&out, b->query, t->item, SUGGEST_MEASURED, t->message)) return 0;
    if (ct_builder_end(&out) >= SOURCE_BYTES)
        return ct_refuse(message, CT_E_CAPACITY, "a kernel of %zu characters", out.length);
    return ct_nvrtc_compile(source, b->arch, &t->cubin, &t->cubin_bytes, message);
}

static void compile_task(void *user, int64_t task)
{
    compiling *const c = user;
    suggest_bench *const b = c->bench;
    char message[CT_MESSAGE_BYTES];
    const ct_status bad = compile(b, &b->trial[task], message);
    pthread_mutex_lock(&c->mutex);
    if (bad && !c->failed)
        c->failed = ct_refuse(b->message, bad, "candidate %d does not compile: %s",
                              b->trial[task].rank + 1, message);
    b->tell("compiled", ++c->done, b->count);
    pthread_mutex_unlock(&c->mutex);
}

static ct_status load(suggest_bench *b, suggest_trial *t)
{
    const ct_driver *const driver = &b->gpu->driver;
    const int bytes = (int)t->item->cost.shared_bytes;
    ct_status bad = ct_cuda_check(b->gpu, driver->module_load(&t->module, t->cubin, 0, NULL, NULL),
                                  "cuModuleLoadDataEx(candidate %d)", t->rank + 1);
    if (bad) t->module = NULL;
    if (!bad)
        bad = ct_cuda_check(b->gpu, driver->module_function(&t->function, t->module, "copy_tile"),
                            "cuModuleGetFunction(copy_tile)");
    if (!bad && bytes > FREE_SHARED_BYTES)
        bad = ct_cuda_check(
            b->gpu, driver->function_set(t->function, CT_FUNCTION_DYNAMIC_BYTES, bytes),
            "cuFuncSetAttribute(candidate %d, %d bytes of shared memory)", t->rank + 1, bytes);
    return bad ? fail_gpu(b, bad) : CT_OK;
}

ct_status ct_suggest_bench_compile(suggest_bench *b)
{
    compiling c = {b, PTHREAD_MUTEX_INITIALIZER, 0, CT_OK};
    ct_pool_run(ct_pool_threads(), b->count, compile_task, &c);
    if (c.failed) return c.failed;
    ct_status status = ct_cuda_enter(b->gpu);
    if (status) return fail_gpu(b, status);
    for (int i = 0; i < b->count && status == 0; ++i)
        if (b->trial[i].cubin) status = load(b, &b->trial[i]);
    ct_cuda_leave(b->gpu, 0);
    return status;
}

/* ---- running --------------------------------------------------------------------------------- */

/* A matrix of elements of this number of bits; those of a batch follow one another. */
static ct_global batch_of(const void *at, int bits, const suggest_plain *p, int64_t count,
                          int64_t step)
{
    return ct_make_global(at, bits,
                          ct_make_layout(ct_tuple3(p->extent[0], p->extent[1], count),
                                         ct_tuple3(p->stride[0], p->stride[1], step)));
}

static ct_global sums_of(const suggest_bench *b)
{
    ct_tuple shape = ct_append(ct_tuple3(b->warps, b->grid.x, b->grid.y), ct_int(b->grid.z));
    return ct_make_global(b->on_dst, 32, ct_make_col_major(shape));
}

ct_status ct_suggest_bench_queue(ct_cuda *gpu, void *user, int run)
{
    const suggest_trial *const t = user;
    const suggest_bench *const b = t->bench;
    const int bits = b->query->elem_bits;
    copy_tile_args args;
    void *parameters[] = {&args};
    (void)run;
    args.src = batch_of(b->on_src, bits, &b->src, b->matrices, b->src_step);
    args.dst = b->query->has_dst ? batch_of(b->on_dst, bits, &b->dst, b->matrices, b->dst_step)
                                 : sums_of(b);
    return ct_cuda_check(gpu,
                         gpu->driver.launch(t->function, b->grid.x, b->grid.y, b->grid.z,
                                            (unsigned)b->query->threads, 1, 1,
                                            (unsigned)t->item->cost.shared_bytes, gpu->stream,
                                            parameters, NULL),
                         "cuLaunchKernel(candidate %d, grid %u x %u x %u, block %d, %" PRId64
                         " bytes of shared memory)",
                         t->rank + 1, b->grid.x, b->grid.y, b->grid.z, b->query->threads,
                         t->item->cost.shared_bytes);
}

/* In the context of the device. */
static ct_status run_once(suggest_bench *b, suggest_trial *t)
{
    ct_status bad = ct_cuda_fill(b->gpu, b->on_dst, 0xa5, b->dst_bytes);
    if (!bad) bad = ct_cuda_enter(b->gpu);
    if (!bad) bad = ct_cuda_leave(b->gpu, ct_suggest_bench_queue(b->gpu, t, 0));
    if (!bad) bad = ct_cuda_download(b->gpu, b->got, b->on_dst, b->dst_bytes);
    return bad;
}

ct_status ct_suggest_bench_verify(suggest_bench *b, suggest_trial *t)
{
    int64_t where[3];
    ct_status bad = b->query->has_dst ? CT_OK : ct_suggest_expect(b, t->item->read_bits);
    if (bad) return bad;
    bad = run_once(b, t);
    if (bad)
        return ct_refuse(b->message, bad, "candidate %d: %s", t->rank + 1, ct_cuda_error(b->gpu));
    t->wrong = ct_suggest_differs(b, where);
    if (t->wrong)
        snprintf(t->message, sizeof t->message,
                 "candidate %d is wrong at (%" PRId64 ",%" PRId64 ") of "
                 "matrix %" PRId64 "%s",
                 t->rank + 1, where[1], where[2], where[0],
                 b->query->has_dst ? "" : " or after it in the tile");
    return 0;
}
