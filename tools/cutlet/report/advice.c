/* What would make the accesses of a tiled copy wider, in its report: as `cutlet explain copy` finds
   it. */
#include <string.h>

#include "../common/page.h"
#include <cutlet/host/advice.h>
#include "report.h"

enum { BOTH = -1 };

/* The copy with the layouts of one side, the other taken for registers; or of both. */
static ct_advice_job job_of(const ct_report *r, int which)
{
    ct_advice_job job;
    memset(&job, 0, sizeof job);
    job.tv = r->copy.tv;
    job.tile = ct_tiled_copy_shape(r->copy);
    job.elem_bytes = r->copy.atom.value_bits / 8;
    job.most_bytes = (int32_t)ct_max(16, job.elem_bytes);
    for (int side = 0; side < 2; ++side) {
        if (!r->side[side].text || (which != BOTH && which != side)) continue;
        job.memory[side] = r->side[side].in.memory;
        job.has[side] = 1;
    }
    return job;
}

/* Of one access, or of both sides together. 1: there are hints. */
static int advise(const ct_report *r, int which, ct_advice *a)
{
    char message[CT_MESSAGE_BYTES];
    const ct_advice_job job = job_of(r, which);
    return (job.has[0] || job.has[1]) && ct_advise(&job, a, message) == 0 && a->hints > 0;
}

/* Whether explain copy speaks of such atoms: those of matrices have rows of their own. */
static int is_advised(const ct_report *r)
{
    const ct_copy_atom *const atom = &r->copy.atom;
    return atom->matrices == 0 && atom->value_bits % 8 == 0 && atom->bits < 128;
}

/* Calls put for both sides together, and where the two do not go together for each. */
static void each_advice(FILE *f, const ct_report *r,
                        void (*put)(FILE *f, const char *of, const ct_advice *a))
{
    static ct_advice a;
    if (!is_advised(r)) return;
    if (advise(r, BOTH, &a)) {
        put(f, "", &a);
        return;
    }
    for (int side = 0; side < 2; ++side)
        if (advise(r, side, &a)) put(f, side ? "the destination alone" : "the source alone", &a);
}

static void put_list(FILE *f, const char *of, const ct_advice *a)
{
    fprintf(f, "<h2>What would be wider%s%s</h2>\n<ul>\n", of[0] ? ": " : "", of);
    for (int i = 0; i < a->hints; ++i) {
        fprintf(f, "<li><strong>%d-bit accesses</strong>: ", 8 * (int)a->hint[i].bytes);
        ct_page_text(f, a->hint[i].text);
        fputs("</li>\n", f);
    }
    fputs("</ul>\n", f);
}

static void print_first(FILE *f, const char *of, const ct_advice *a)
{
    fprintf(f, "wider%s%s: %d-bit accesses. %s\n", of[0] ? ", " : "", of, 8 * (int)a->hint[0].bytes,
            a->hint[0].text);
}

int ct_report_allowed_bits(const ct_report *r)
{
    char message[CT_MESSAGE_BYTES];
    const ct_advice_job job = job_of(r, BOTH);
    const int32_t bytes = r->copy.atom.matrices == 0 && r->copy.atom.value_bits % 8 == 0
                              ? ct_advice_width(&job, message)
                              : -1;
    return bytes > 0 && 8 * bytes < r->copy.atom.bits ? 8 * bytes : 0;
}

void ct_report_put_advice(FILE *f, const ct_report *r) { each_advice(f, r, put_list); }

void ct_report_print_advice(FILE *f, const ct_report *r) { each_advice(f, r, print_first); }
