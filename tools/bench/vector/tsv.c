/* The results of `cutlet-bench vector` as tab-separated values. */
#include "../harness/tsv.h"

#include <inttypes.h>

#include "../harness/report.h"
#include "run.h"

static void put_row(const vector_report *r, int32_t i)
{
    const vector_case *const c = &vector_cases[i];
    const vector_result *const result = &r->result[i];
    const double rate = vector_rate(r, i);
    printf("%s\t%s\t%s\t%d\t%" PRId64 "\t%" PRId64 "\t%" PRId64, c->group, c->kernel, c->about,
           c->access, result->elements, result->elements * vector_elem_bytes(c),
           vector_moved_bytes(c, result->elements));
    bench_tsv_figure(c->claimed_gb_s);
    bench_tsv_figure(vector_claimed_speedup(i));
    bench_tsv_result(&result->is, r->is.on_gpu);
    if (r->is.on_gpu) {
        bench_tsv_figure(result->memcpy_seconds);
        bench_tsv_figure(rate);
        bench_tsv_figure(bench_over(1e9 * rate, r->is.device.peak));
        bench_tsv_figure(bench_over(rate, vector_memcpy_rate(r, i)));
        bench_tsv_figure(vector_speedup(r, i));
        printf("\t%d\t%d", result->sets, result->launches);
    }
    putchar('\n');
}

void vector_tsv(const vector_report *r)
{
    bench_tsv_run("vector", &r->is);
    printf("# shift_bytes: %d\n", r->shift);
    bench_tsv_about("cub", r->cub);
    bench_tsv_columns("group\tkernel\tabout\taccess_bytes\telements\tarray_bytes\tmoved_bytes\t"
                      "claimed_gb_s\tclaimed_speedup",
                      "memcpy_seconds\tgb_s\tof_peak\tof_memcpy\tspeedup\tsets\tlaunches",
                      r->is.on_gpu);
    for (int32_t i = 0; i < vector_case_count; ++i)
        if (r->result[i].is.status != BENCH_NOT_RUN) put_row(r, i);
}
