/**
 * What an access costs, in a sentence.
 */
#ifndef CUTLET_TOOLS_ACCESS_VERDICT_H
#define CUTLET_TOOLS_ACCESS_VERDICT_H

#include "access.h"

/** The instruction with the most conflicts, or sectors, of either side. */
typedef struct ct_access_worst {
    int has[2];
    int64_t cost[2];
    ct_traffic_step step[2];
} ct_access_worst;

/** A visitor: user is a ct_access_worst. */
void ct_access_keep_worst(void *user, const ct_traffic_step *step);

/** Writes the sentence, without its end. */
void ct_access_verdict(const ct_access_row *row, const ct_traffic_step *worst,
                       const ct_access_rules *rules, char *text, size_t size);

/** Adds to it which swizzle of the memory has no conflict. */
void ct_access_propose(const ct_traffic_side *side, ct_layout tv, int bits,
                       const ct_access_rules *rules, char *text, size_t size);

#endif
