/* The results of `cutlet-bench width` as tab-separated values. */
#include "../harness/tsv.h"

#include <inttypes.h>

#include "run.h"

void width_tsv(const width_report *r)
{
    static const char *const checkers[] = {"", "host", "device"};
    bench_tsv_run("width", &r->is);
    bench_tsv_about("form", width_form_name(r->form));
    bench_tsv_columns("width\tbytes\tcompared_by", "gb_s\tlaunches", r->is.on_gpu);
    for (int32_t s = 0; s < r->sizes; ++s) {
        for (int32_t i = 0; i < r->lines; ++i) {
            const width_line *const line = &r->line[i];
            printf("%d\t%" PRId64 "\t%s", line->width, r->size[s],
                   checkers[line->at[s].checked_by]);
            bench_tsv_result(&line->at[s].is, r->is.on_gpu);
            if (r->is.on_gpu) {
                bench_tsv_figure(width_rate(r, line, s));
                printf("\t%d", r->launches[s]);
            }
            putchar('\n');
        }
    }
}
