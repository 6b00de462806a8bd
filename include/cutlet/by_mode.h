/**
 * Walking a layout mode by mode along a guide: what tilers and target profiles do.
 *
 * The guide is a profile. Each of its leaves meets one mode of the layout, however deeply that nests;
 * modes that the guide does not reach are left over.
 */
#ifndef CUTLET_BY_MODE_H
#define CUTLET_BY_MODE_H

#include "build.h"

typedef struct ct_by_mode {
    ct_error err;
    int32_t count;
    ct_span span[CT_MAX_LEAVES];   /* the leaves of part i */
    int32_t guide[CT_MAX_LEAVES];  /* the guide's leaf that meets part i, -1 for a mode left over */
    uint8_t open[CT_MAX_LEAVES];   /* parentheses around the parts, those of the guide's own nesting */
    uint8_t close[CT_MAX_LEAVES];
    int32_t wrapped; /* 1: an integer that the guide takes for a tuple of one mode */
} ct_by_mode;

/** Part i: a mode of the layout that was matched. */
CT_FN ct_part ct_by_mode_part(const ct_layout *L, const ct_by_mode *m, int i)
{
    ct_part p = ct_whole(L);
    p.s = m->span[i];
    p.opens = m->open[i] - m->wrapped;
    p.closes = m->close[i] - m->wrapped;
    return p;
}

/**
 * Matches the modes of a profile with the leaves of guide; an integer counts as a tuple of one mode where
 * the guide is a tuple.
 * Fails: CT_E_ARGUMENT when guide has a mode, or nests, where the profile does not.
 */
CT_FN ct_by_mode ct_match_modes(ct_profile p, ct_profile guide, int32_t op)
{
    ct_by_mode m = CT_ZERO;
    int i = 0;
    m.wrapped = ct_profile_is_integer(p) && !ct_profile_is_integer(guide);
    if (m.wrapped) p = ct_profile_wrap(p);
    for (int j = 0; j < guide.leaves && m.err.status == CT_OK; ++j) {
        int have = 0;
        if (i >= p.leaves || p.open[i] < guide.open[j]) {
            m.err = ct_make_error(CT_E_ARGUMENT, op, CT_WHY_RANK_MORE, j,
                                  ct_profile_rank(guide), ct_profile_rank(p));
            return m;
        }
        int n = ct_profile_run(p, i, p.open[i] - guide.open[j], &have);
        m.span[m.count].first = i;
        m.span[m.count].count = n;
        m.guide[m.count] = j;
        m.open[m.count] = guide.open[j];
        m.close[m.count] = (uint8_t)have;
        ++m.count;
        i += n;
        while (have < guide.close[j] && i < p.leaves) { /* the guide's tuple ends before L's does */
            int more = 0;
            n = ct_profile_run(p, i, p.open[i], &more);
            m.span[m.count].first = i;
            m.span[m.count].count = n;
            m.guide[m.count] = -1;
            m.close[m.count] = (uint8_t)more;
            ++m.count;
            i += n;
            have += more;
        }
        if (have != guide.close[j])
            m.err = ct_make_error(CT_E_ARGUMENT, op, CT_WHY_RANK_MORE, j, ct_profile_rank(guide),
                                  ct_profile_rank(p));
    }
    return m;
}

#endif
