/* The GPU's part of `cutlet compare`: each copy verified and timed, or one line that says why not. */
#include <stdlib.h>
#include <string.h>

#include "../common/cli.h"
#include "../common/progress.h"
#include "base/whole_file.h"
#include "compare.h"

enum { MIB_SHIFT = 20 };

const ct_gpu_copy *ct_ranking_gpu(const ct_ranking *c, const ct_compare_result *r)
{
    return c->gpu.copies ? &c->gpu.copies[r - c->results] : NULL;
}

double ct_gpu_copy_rate(const ct_gpu_copy *copy)
{
    return copy->seconds > 0 ? 1e-9 * (double)copy->bytes / copy->seconds : 0;
}

double ct_gpu_copy_of_memcpy(const ct_gpu_copy *copy)
{
    return copy->seconds > 0 ? copy->memcpy_seconds / copy->seconds : 0;
}

/* Why nothing, or nothing more, is measured; returns CT_E_BACKEND. */
static ct_status give_up(ct_ranking *c, int measured, const char *why)
{
    return ct_refuse(c->gpu.reason, CT_E_BACKEND, "no GPU%s: %s", measured ? " for the rest" : "",
                     why);
}

/* The matrix that is measured in one order: the input, or random bits in lines as long that fill
 * `mib` MiB; *random owns those. */
static int make_matrix(const ct_ranking *c, int row_major, ct_matrix *m, void **random)
{
    free(*random);
    *random = NULL;
    ct_compare_input_shape(c->input, row_major, m);
    if (!c->gpu.mib) return ct_compare_input_matrix((ct_compare_input *)c->input, row_major, 0, m);
    const int64_t line = m->ld * m->elem_bytes;
    const int64_t lines = ((c->gpu.mib << MIB_SHIFT) + line - 1) / line;
    *random = ct_random_bits(lines * line);
    m->data = *random;
    *(row_major ? &m->rows : &m->cols) = lines;
    return *random ? 0 : -1;
}

/* The copy that is measured next, and the rate of the last one. */
static void tell(const ct_ranking *c, int at)
{
    const ct_compare_result *r = &c->results[at];
    char last[64] = "";
    if (at == c->count) {
        ct_cli_progress_end();
        return;
    }
    if (at > 0)
        snprintf(last, sizeof last, "; the last one %.0f GB/s",
                 ct_gpu_copy_rate(&c->gpu.copies[at - 1]));
    ct_cli_progress("compare", "%d of %d: %s, %s-major, on the GPU%s", at + 1, c->count,
                    r->variant->name, r->row_major ? "row" : "column", last);
}

/* The matrix for result `at` on the device. */
static int put_matrix(ct_ranking *c, int at, ct_cuda *gpu, ct_gpu_matrix *m, void **random)
{
    const ct_compare_result *r = &c->results[at];
    ct_matrix host;
    if (at > 0 && r->row_major == r[-1].row_major) return 0;
    ct_gpu_matrix_drop(m);
    if (make_matrix(c, r->row_major, &host, random))
        return give_up(c, at, "no host memory for the matrix");
    return ct_gpu_matrix_put(m, gpu, &host) ? give_up(c, at, ct_cuda_error(gpu)) : 0;
}

/* Measures all, or those before the first that the device refuses. */
static int measure_all(ct_ranking *c, ct_cuda *gpu, const ct_compare_options *o)
{
    ct_gpu_matrix m = {0};
    void *random = NULL;
    int status = CT_EXIT_OK;
    for (int i = 0; i < c->count && !c->gpu.reason[0]; ++i) {
        const ct_compare_result *r = &c->results[i];
        ct_gpu_copy *copy = &c->gpu.copies[i];
        tell(c, i);
        if (put_matrix(c, i, gpu, &m, &random)) break;
        ct_gpu_copy_run(&m, r->variant, o->tile_m, o->tile_n, copy);
        if (copy->status == CT_E_WRONG) {
            tell(c, c->count);
            ct_cli_complain("compare", "%s", copy->message);
            status = CT_EXIT_FAILED;
        } else if (copy->status != CT_OK) give_up(c, i, copy->message);
    }
    tell(c, c->count);
    ct_gpu_matrix_drop(&m);
    free(random);
    return status;
}

void ct_ranking_gpu_words(const ct_ranking *c, char *text, size_t size)
{
    const ct_gpu_part *g = &c->gpu;
    char matrix[96] = "this matrix", cache[128] = "";
    text[0] = 0;
    if (!g->copies) return;
    const double taken = (double)g->copies[0].bytes / (1 << MIB_SHIFT);
    const double held = (double)g->device.l2_bytes / (1 << MIB_SHIFT);
    if (g->mib)
        snprintf(matrix, sizeof matrix, "%lld MiB of random bits in lines as long as these",
                 (long long)g->mib);
    if (taken < 2 * held)
        snprintf(cache, sizeof cache,
                 " Matrix and copy take %.3g MiB, the L2 cache %.3g: caches decide, not memory.",
                 taken, held);
    snprintf(text, size,
             "GB/s: read and written by %s, copying %s; the median of %d runs, after every byte "
             "was compared. /memcpy: of the rate of the driver's device-to-device memcpy of the "
             "same bytes, timed in turn.%s",
             g->device.name, matrix, CT_GPU_RUNS, cache);
}

int ct_ranking_measure(ct_ranking *c, int64_t mib, const ct_compare_options *o)
{
    ct_gpu_part *g = &c->gpu;
    ct_cuda *gpu = ct_cuda_open(0, g->reason);
    if (!gpu) return CT_EXIT_OK;
    if (!c->input->path || (mib << MIB_SHIFT) > c->input->array.data_bytes) g->mib = mib;
    g->device = *ct_cuda_about(gpu);
    g->copies = calloc((size_t)c->count, sizeof *g->copies);
    int status = CT_EXIT_OK, measured = 0;
    for (int i = 0; g->copies && i < c->count; ++i) g->copies[i].status = CT_E_FAILED;
    if (g->copies) status = measure_all(c, gpu, o);
    else give_up(c, 0, "no host memory");
    ct_cuda_close(gpu);
    for (int i = 0; g->copies && i < c->count; ++i)
        measured |= g->copies[i].status == CT_OK || g->copies[i].status == CT_E_WRONG;
    if (!measured) {
        free(g->copies);
        g->copies = NULL;
    }
    return status;
}
