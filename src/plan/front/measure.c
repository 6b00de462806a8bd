/* Effort MEASURE: times the candidates of a backend in memory of the plan's size; keeps the
 * fastest. */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "plan.h"

enum { RUNS = 5 };

/* The shortest time of RUNS runs after one warm-up run. *bad is the status of a failed run. */
static double time_plan(const ct_plan *p, void *dst, const void *src, char *message, int *bad)
{
    double best = -1;
    for (int i = 0; i <= RUNS; ++i) {
        const double before = ct_now();
        *bad = p->backend->run(p, dst, src, NULL, message);
        if (*bad) return best;
        const double took = ct_now() - before;
        if (i > 0 && (best < 0 || took < best)) best = took;
    }
    return best;
}

static double time_memcpy(unsigned char *dst, const unsigned char *src, size_t bytes)
{
    double best = -1;
    for (int i = 0; i <= RUNS; ++i) {
        const double before = ct_now();
        memcpy(dst, src, bytes);
        __asm__ volatile("" : : "r"(dst) : "memory");
        const double took = ct_now() - before;
        if (i > 0 && (best < 0 || took < best)) best = took;
    }
    return best;
}

/* Allocates memory for a span. *at: its byte 0, aligned like the plan's pointer; NULL without
 * memory. */
static void *capacity_for(ct_plan_span span, int64_t align, unsigned char **at)
{
    const int64_t line = ct_max(64, align), past = (span.low % line + line) % line;
    unsigned char *memory = NULL;
    if (align > 1 << 20 ||
        posix_memalign((void **)&memory, (size_t)line, (size_t)(span.high - span.low + past)))
        return NULL;
    memset(memory, 1, (size_t)(span.high - span.low + past));
    *at = memory + past - span.low;
    return memory;
}

static ct_status try_all(ct_plan *p, unsigned char *dst, const unsigned char *src, char *message)
{
    ct_plan_choice choice, best = p->choice;
    double least = -1;
    for (int k = 0; p->backend->candidate(p, k, &choice); ++k) {
        p->choice = choice;
        ct_status bad = CT_OK;
        const double took = time_plan(p, dst, src, message, &bad);
        if (bad) return bad;
        if (least < 0 || took < least) {
            least = took;
            best = choice;
        }
    }
    p->choice = best;
    p->seconds = least;
    return CT_OK;
}

ct_status ct_plan_measure(ct_plan *p, char *message)
{
    unsigned char *src = NULL, *dst = NULL;
    if (!p->backend->candidate || !p->backend->host_memory)
        return ct_refuse(message, CT_E_BACKEND, "%s: there is nothing to measure",
                         p->backend->name);
    void *const a = capacity_for(p->src_span, p->desc.src.align_bytes, &src);
    void *const b = a ? capacity_for(p->dst_span, p->desc.dst.align_bytes, &dst) : NULL;
    ct_status bad = CT_OK;
    if (!b) {
        bad = ct_refuse(message, CT_E_MEMORY,
                        "not enough memory to measure in: %lld and %lld bytes; effort estimate "
                        "needs none",
                        (long long)(p->src_span.high - p->src_span.low),
                        (long long)(p->dst_span.high - p->dst_span.low));
    } else {
        bad = try_all(p, dst, src, message);
        const int64_t bytes =
            ct_min(p->src_span.high - p->src_span.low, p->dst_span.high - p->dst_span.low);
        const double each = time_memcpy(b, a, (size_t)bytes) / (double)bytes;
        ct_plan_info info;
        ct_plan_info_of(p, &info);
        /* memcpy of n bytes reads n and writes n: 16 bytes of it move a sector */
        p->bound_seconds = each * 16 * (double)(info.src_sectors + info.dst_sectors);
    }
    free(a);
    free(b);
    return bad;
}
