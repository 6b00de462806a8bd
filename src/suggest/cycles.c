/* The estimated time of a multiprocessor for a tile, by which candidates are ranked.
 *
 * Two units work at once. Memory moves each sector of the tile once; sectors that are asked for
 * again come from a cache. The load-store unit takes a cycle for each pass: through the tags of L1,
 * through its data, through the banks of shared memory. docs/model.md has its accuracy. */
#include <math.h>

#include "suggest.h"

/* Fitted to measured times, as is the exponent below: */
static const double sector_cycles = 2.2; /* of memory: a multiprocessor's share, 14.5 bytes each */
static const double async_cycles = 0.3;  /* of each cp.async.ca, and hidden by neither unit */

static double fourth_power(double x) { return x * x * x * x; }
static double fourth_root(double x) { return sqrt(sqrt(x)); }

double ct_suggest_memory_cycles(double sectors) { return sector_cycles * sectors; }

/* The passes of a load or a store of the tile through the data of L1. */
static double data_passes(const ct_suggest_query *q)
{
    const ct_access_rules *const rules = ct_suggest_rules(q);
    return (double)(suggest_size(q) * suggest_elem_bytes(q)) / rules->line_bytes;
}

double ct_suggest_passes(const suggest_search *s, const suggest_shared *shared,
                         const suggest_copy *copy, int kind, int64_t write)
{
    double passes = (double)(shared->read + write);
    if (shared->out >= 0) passes += shared->out_tags + data_passes(s->query);
    if (kind != CT_ATOM_CP_ASYNC_CG) passes += copy->tags; /* cg goes past L1 */
    if (kind == CT_ATOM_UNIVERSAL) passes += data_passes(s->query);
    return passes;
}

static double unhidden(const suggest_copy *copy, int kind)
{
    return kind == CT_ATOM_CP_ASYNC_CA ? async_cycles * (double)suggest_instructions(&copy->walk)
                                       : 0;
}

int64_t ct_suggest_cycles(const suggest_search *s, const suggest_copy *copy, int kind,
                          double passes)
{
    const double both = fourth_root(fourth_power(s->memory_cycles) + fourth_power(passes));
    return (int64_t)(both + unhidden(copy, kind) + 0.5);
}

double ct_suggest_most_passes(const suggest_search *s, const suggest_copy *copy, int kind,
                              int64_t cycles)
{
    const double both = (double)(cycles + 1) - unhidden(copy, kind);
    if (both <= s->memory_cycles) return 0;
    return fourth_root(fourth_power(both) - fourth_power(s->memory_cycles));
}
