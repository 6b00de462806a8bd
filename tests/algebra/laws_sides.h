/**
 * The law of several layouts at once: what ct_normalize leaves of them, against their elements one
 * by one.
 */
#ifndef CUTLET_TESTS_LAWS_SIDES_H
#define CUTLET_TESTS_LAWS_SIDES_H

#include <stdlib.h>

#include "laws.h"

/** A number for the bytes of element i on all sides; other bytes give, but by chance, another one.
 *  */
static inline uint64_t sides_mix(uint64_t sum, int side, int64_t byte)
{
    return sum +
           (uint64_t)byte * (0x9e3779b97f4a7c15u * (2 * (uint64_t)side + 1) ^ 0x94d049bb133111ebu);
}

static inline int sides_order(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/** Whether shapes have a common refinement: of any two places at which modes end that do not go on,
 *  one divides the other. */
static inline int sides_refine(const ct_normal_side *side, int sides)
{
    int64_t end[CT_SIDES * CT_MAX_LEAVES], ends = 0, f[ORACLE_MAX];
    for (int k = 0; k < sides; ++k) {
        ct_layout flat = CT_ZERO;
        const int leaves = oracle_layout_of(f, oracle_offsets(side[k].layout, f), &flat);
        int64_t place = 1;
        for (int i = 0; i < leaves; ++i) end[ends++] = place *= flat.shape[i];
    }
    for (int64_t i = 0; i < ends; ++i)
        for (int64_t j = 0; j < ends; ++j)
            if (end[i] % end[j] != 0 && end[j] % end[i] != 0) return 0;
    return 1;
}

/** normalize: the same elements together, side 0 forward and ascending, nothing left to join. */
static inline const char *law_normalize(const ct_normal_side *side, int sides)
{
    static uint64_t want[ORACLE_MAX], got[ORACLE_MAX];
    static int64_t offset[ORACLE_MAX];
    const ct_normal_form f = ct_normalize(side, sides);
    const int64_t n = oracle_size(side[0].layout);
    if (f.err.status == CT_E_ARGUMENT && f.err.why == CT_WHY_DIVIDE)
        return sides_refine(side, sides) ? law_broken("refused, but they refine", f.err.mode, 0, 1)
                                         : NULL;
    if (f.err.status) return law_broken("no error", f.err.mode, f.err.why, 0);
    memset(want, 0, sizeof want);
    memset(got, 0, sizeof got);
    for (int k = 0; k < sides; ++k) {
        oracle_offsets(side[k].layout, offset);
        for (int64_t i = 0; i < n; ++i)
            want[i] = sides_mix(want[i], k, offset[i] * side[k].elem_bytes);
    }
    int64_t all = 1;
    for (int m = 0; m < f.modes; ++m) {
        all *= f.mode[m].extent;
        if (f.mode[m].extent < 2)
            return law_broken("extents of 2 and more", m, f.mode[m].extent, 2);
        if (f.mode[m].step[0] < (m ? f.mode[m - 1].step[0] : 0))
            return law_broken("steps of side 0 ascend", m, f.mode[m].step[0], 0);
        int goes_on = m > 0;
        for (int k = 0; k < sides; ++k)
            goes_on &= m > 0 && f.mode[m].step[k] == f.mode[m - 1].extent * f.mode[m - 1].step[k];
        if (goes_on) return law_broken("no mode goes on in the next", m, 1, 0);
    }
    if (all != n) return law_broken("as many coordinates as elements", 0, all, n);
    for (int64_t i = 0; i < n; ++i) {
        for (int k = 0; k < sides; ++k) {
            int64_t rest = i, byte = f.first[k];
            for (int m = 0; m < f.modes; ++m) {
                byte += rest % f.mode[m].extent * f.mode[m].step[k];
                rest /= f.mode[m].extent;
            }
            got[i] = sides_mix(got[i], k, byte);
        }
    }
    qsort(want, (size_t)n, sizeof *want, sides_order);
    qsort(got, (size_t)n, sizeof *got, sides_order);
    for (int64_t i = 0; i < n; ++i)
        if (want[i] != got[i])
            return law_broken("the elements of all sides meet as before", i, (int64_t)got[i],
                              (int64_t)want[i]);
    return NULL;
}

#endif
