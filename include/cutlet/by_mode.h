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
} ct_by_mode;

/** Part i: a mode of L. */
CT_FN ct_layout ct_by_mode_part(ct_layout L, ct_by_mode m, int i)
{
    return ct_layout_part(L, m.span[i],
                          ct_profile_part(L.profile, m.span[i], m.open[i], m.close[i]));
}

/** L, as a tuple of one mode where it is an integer and the guide is not. */
CT_FN ct_layout ct_as_guided(ct_layout L, ct_profile guide)
{
    return ct_profile_is_integer(L.profile) && !ct_profile_is_integer(guide) ? ct_layout_wrap(L) : L;
}

/**
 * Matches the modes of L with the leaves of guide.
 * Fails: CT_E_ARGUMENT when guide has a mode, or nests, where L does not.
 */
CT_FN ct_by_mode ct_match_modes(ct_layout L, ct_profile guide, int32_t op)
{
    ct_by_mode m = CT_ZERO;
    const ct_profile p = L.profile;
    int i = 0;
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
