/**
 * Random layouts of one shape that nest differently: each joins some of its factors, and steps as
 * it likes.
 */
#ifndef CUTLET_TESTS_LAYOUTS_H
#define CUTLET_TESTS_LAYOUTS_H

#include "sweep.h"

/** The shape, nested at random, strides 0. */
static inline ct_layout layout_shape(const int64_t *factor, int factors)
{
    ct_layout L = CT_ZERO;
    int n = 0;
    for (int i = 0; i < factors; ++i) {
        if (n > 0 && sweep_int(0, 2) == 0) L.shape[n - 1] *= factor[i];
        else L.shape[n++] = factor[i];
    }
    L.profile = dice_profile(&sweep_dice, n);
    if (n == 1) L.profile.open[0] = L.profile.close[0] = 0;
    return L;
}

/** Any layout: gaps, repetition, interleaved modes, also backwards. */
static inline ct_layout layout_of(const int64_t *factor, int factors)
{
    ct_layout L = layout_shape(factor, factors);
    const int n = L.profile.leaves, style = (int)sweep_int(0, 3), back = (int)sweep_int(0, n - 1);
    int64_t run = sweep_int(0, 2) == 0 ? 2 : 1;
    for (int i = 0; i < n; ++i) {
        const int k = style & 1 ? n - 1 - i : i;
        L.stride[k] = sweep_int(0, 5) == 0 ? 0 : sweep_int(0, 5) == 0 ? -run : run;
        run *= L.shape[k];
        if (style & 2 && i == back) run += sweep_int(0, 9);
    }
    return L;
}

/** A layout that reaches every offset once, its modes in any order, with gaps, also backwards. */
static inline ct_layout layout_noncontiguous(const int64_t *factor, int factors)
{
    ct_layout L = layout_shape(factor, factors);
    const int n = L.profile.leaves, turn = (int)sweep_int(0, 3) == 0;
    const int gaps = (int)sweep_int(0, 1);
    int64_t run = sweep_int(0, 5) == 0 ? 2 : 1;
    for (int i = 0; i < n; ++i) {
        const int k = turn ? n - 1 - i : i;
        L.stride[k] = sweep_int(0, 7) == 0 ? -run : run;
        run *= L.shape[k];
        if (gaps) run += sweep_int(0, 9);
    }
    return L;
}

#endif
