/* Copies on a GPU, verified and timed. */
#include "on_gpu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver/cuda/gpu.h"
#include "base/refuse.h"
#include "launch.h"

enum { GUARD_BYTES = 256, GUARD = 0xa5, PART = 1 << 22 };

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

/* ---- the matrix ------------------------------------------------------------------------------ */

/* What bytes [at, at + n) of the memory of the copy should become: the matrix between guards. */
static void expect(const ct_gpu_matrix *m, size_t at, size_t n, unsigned char *to)
{
    const size_t end = GUARD_BYTES + m->bytes;
    const size_t first = at < GUARD_BYTES ? least(GUARD_BYTES - at, n) : 0;
    const size_t last = at + n > end ? least(at + n - end, n) : 0;
    memset(to, GUARD, first);
    if (first + last < n)
        memcpy(to + first, (const unsigned char *)m->host.data + (at + first - GUARD_BYTES),
               n - first - last);
    memset(to + n - last, GUARD, last);
}

/* Fills `before`: guards around the complement of the matrix. */
static ct_status put_before(ct_gpu_matrix *m)
{
    for (size_t at = 0; at < m->capacity; at += PART) {
        const size_t n = least(PART, m->capacity - at);
        expect(m, at, n, m->found);
        for (size_t i = 0; i < n; ++i) {
            if (at + i >= GUARD_BYTES && at + i < GUARD_BYTES + m->bytes)
                m->found[i] = (unsigned char)~m->found[i];
        }
        const ct_status bad = ct_cuda_upload(m->gpu, m->before + at, m->found, n);
        if (bad) return bad;
    }
    return 0;
}

ct_status ct_gpu_matrix_put(ct_gpu_matrix *m, ct_cuda *gpu, const ct_matrix *host)
{
    memset(m, 0, sizeof *m);
    m->gpu = gpu;
    m->host = *host;
    m->bytes = (size_t)host->rows * (size_t)host->cols * (size_t)host->elem_bytes;
    m->capacity = m->bytes + 2 * GUARD_BYTES;
    m->found = malloc(2 * PART);
    if (!m->found) return ct_cuda_fail(gpu, CT_E_MEMORY, "out of host memory");
    m->src = ct_cuda_alloc(gpu, m->bytes);
    m->dst = m->src ? ct_cuda_alloc(gpu, m->capacity) : NULL;
    m->before = m->dst ? ct_cuda_alloc(gpu, m->capacity) : NULL;
    if (!m->before) return CT_E_MEMORY;
    const ct_status bad = ct_cuda_upload(gpu, m->src, host->data, m->bytes);
    return bad ? bad : put_before(m);
}

void ct_gpu_matrix_drop(ct_gpu_matrix *m)
{
    ct_cuda_free(m->gpu, m->before);
    ct_cuda_free(m->gpu, m->dst);
    ct_cuda_free(m->gpu, m->src);
    free(m->found);
    memset(m, 0, sizeof *m);
}

/* ---- one copy -------------------------------------------------------------------------------- */

/* The device refused something. */
static ct_status refused(ct_gpu_copy *copy, ct_status status, const ct_gpu_matrix *m,
                         const ct_copy_variant *variant)
{
    return copy->status =
               ct_refuse(copy->message, status, "%s: %s", variant->name, ct_cuda_error(m->gpu));
}

/* What is timed. */
typedef struct work {
    const ct_gpu_matrix *matrix;
    const ct_copy_launch *launch; /* NULL: the driver's copy */
} work;

static ct_status queue(ct_cuda *gpu, void *user, int run)
{
    const work *w = user;
    const ct_copy_launch *l = w->launch;
    (void)run;
    if (!l)
        return ct_cuda_copy(gpu, w->matrix->dst + GUARD_BYTES, w->matrix->src, w->matrix->bytes);
    return ct_cuda_launch(gpu, l->kernel->name, l->grid, l->block, l->shared_bytes, &l->args,
                          l->kernel->args_bytes);
}

/* Compares all of the copy's memory with what it should hold. */
static ct_status compare(const ct_gpu_matrix *m, const ct_copy_variant *variant, ct_gpu_copy *copy)
{
    unsigned char *const right = m->found + PART;
    for (size_t at = 0; at < m->capacity; at += PART) {
        const size_t n = least(PART, m->capacity - at);
        size_t i = 0;
        const ct_status bad = ct_cuda_download(m->gpu, m->found, m->dst + at, n);
        if (bad) return refused(copy, bad, m, variant);
        expect(m, at, n, right);
        if (memcmp(m->found, right, n) == 0) continue;
        while (m->found[i] == right[i]) ++i;
        const int64_t byte = (int64_t)(at + i) - GUARD_BYTES;
        const int inside = byte >= 0 && byte < (int64_t)m->bytes;
        return copy->status =
                   ct_refuse(copy->message, CT_E_WRONG,
                             "%s: on the GPU byte %lld %s the %s-major copy is %02x, "
                             "expected %02x",
                             variant->name, (long long)byte, inside ? "of" : "beside",
                             m->host.row_major ? "row" : "column", m->found[i], right[i]);
    }
    return CT_OK;
}

/* Each runs twice in a round; the second one counts, because it follows one of its kind. */
static ct_status time_it(const ct_gpu_matrix *m, const ct_copy_variant *variant, work *own,
                         ct_gpu_copy *copy)
{
    work driver = {m, NULL};
    const ct_cuda_work works[] = {{queue, &driver}, {queue, &driver}, {queue, own}, {queue, own}};
    double seconds[4 * CT_GPU_RUNS];
    const ct_status bad = ct_cuda_time(m->gpu, works, 4, CT_GPU_WARMUPS, CT_GPU_RUNS, seconds);
    if (bad) return refused(copy, bad, m, variant);
    copy->memcpy_seconds = ct_median(seconds + CT_GPU_RUNS, CT_GPU_RUNS);
    copy->seconds = ct_median(seconds + 3 * CT_GPU_RUNS, CT_GPU_RUNS);
    return CT_OK;
}

ct_status ct_gpu_copy_run(ct_gpu_matrix *m, const ct_copy_variant *variant, int64_t tile_m,
                          int64_t tile_n, ct_gpu_copy *copy)
{
    ct_matrix src = m->host, dst = m->host;
    ct_copy_launch launch;
    work own = {m, &launch};
    memset(copy, 0, sizeof *copy);
    copy->bytes = 2 * (int64_t)m->bytes;
    src.data = m->src;
    dst.data = m->dst + GUARD_BYTES;
    ct_status bad =
        ct_copy_launch_make(&launch, variant, &src, &dst, tile_m, tile_n, copy->message);
    if (bad) return copy->status = bad;
    bad = ct_cuda_copy(m->gpu, m->dst, m->before, m->capacity);
    if (!bad) bad = queue(m->gpu, &own, 0);
    if (bad) return refused(copy, bad, m, variant);
    bad = compare(m, variant, copy);
    return bad ? bad : time_it(m, variant, &own, copy);
}
