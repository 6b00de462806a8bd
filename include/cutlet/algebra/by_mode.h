/**
 * Walking a layout mode by mode along a guide, for tilers and target profiles.
 *
 * The guide is a profile. Each of its leaves meets one mode of the layout, however deeply that
 * nests; modes that the guide does not reach are left over.
 */
#ifndef CUTLET_ALGEBRA_BY_MODE_H
#define CUTLET_ALGEBRA_BY_MODE_H

#include <cutlet/algebra/build.h>

typedef struct ct_by_mode {
    ct_error err;
    int32_t count;
    ct_span span[CT_MAX_LEAVES];  /* the leaves of part i */
    int32_t guide[CT_MAX_LEAVES]; /* the guide's leaf that meets part i, -1 for a mode left over */
    uint8_t open[CT_MAX_LEAVES];  /* parentheses around the parts, of the guide's own nesting */
    uint8_t close[CT_MAX_LEAVES];
    uint8_t wrapped[CT_MAX_LEAVES]; /* those of the guide alone: the layout's integer there is
                                     * taken as a tuple of one mode */
} ct_by_mode;

/** @internal Part i: a mode of the layout that was matched. */
CT_FN ct_part ct_by_mode_part(const ct_layout *L, const ct_by_mode *m, int i)
{
    ct_part p = ct_whole(L);
    p.s = m->span[i];
    p.opens = m->open[i] - m->wrapped[i];
    p.closes = m->close[i] - m->wrapped[i];
    return p;
}

/** @internal Adds the n leaves of p from i on to m as the next part, which meets the guide's leaf
 *  `guide`. */
CT_FN void ct_by_mode_push(ct_by_mode *m, int i, int n, int guide, int opens, int closes)
{
    m->span[m->count].first = i;
    m->span[m->count].count = n;
    m->guide[m->count] = guide;
    m->open[m->count] = CT_CAST(uint8_t, opens);
    m->close[m->count] = CT_CAST(uint8_t, closes);
    ++m->count;
}

/** @internal What keeps leaf j of guide from a profile: too many modes, or another nesting. */
CT_FN ct_error ct_match_error(ct_profile p, ct_profile guide, int32_t op, int j)
{
    const int want = ct_profile_rank(guide), have = ct_profile_rank(p);
    return want > have ? ct_make_error(CT_E_ARGUMENT, op, CT_WHY_RANK_MORE, 0, want, have)
                       : ct_make_error(CT_E_ARGUMENT, op, CT_WHY_PROFILE, j, 0, 0);
}

/**
 * @internal Matches the modes of a profile with the leaves of guide. If the guide is a tuple, an
 * integer counts as a tuple of one mode. The empty guide reaches no mode.
 * Fails: CT_E_ARGUMENT when guide has a mode, or nests, where the profile does not.
 */
CT_FN ct_by_mode ct_match_modes(ct_profile p, ct_profile guide, int32_t op)
{
    ct_by_mode m = CT_ZERO;
    int i = 0;
    for (int j = 0; j < guide.leaves && m.err.status == CT_OK; ++j) {
        int have = 0;
        if (i >= p.leaves) {
            m.err = ct_match_error(p, guide, op, j);
            return m;
        }
        if (p.open[i] < guide.open[j]) {
            const int wrapped = guide.open[j] - p.open[i];
            p.open[i] = CT_CAST(uint8_t, p.open[i] + wrapped);
            p.close[i] = CT_CAST(uint8_t, p.close[i] + wrapped);
            m.wrapped[m.count] = CT_CAST(uint8_t, wrapped);
        }
        int n = ct_profile_run(p, i, p.open[i] - guide.open[j], &have);
        ct_by_mode_push(&m, i, n, j, guide.open[j], have);
        i += n;
        while (have < guide.close[j] && i < p.leaves) { /* the guide's tuple ends before L's does */
            int more = 0;
            n = ct_profile_run(p, i, p.open[i], &more);
            ct_by_mode_push(&m, i, n, -1, 0, more);
            i += n;
            have += more;
        }
        if (have != guide.close[j]) m.err = ct_match_error(p, guide, op, j);
    }
    if (guide.leaves > 0) return m;
    const int tuple = !ct_profile_is_integer(p);
    while (i < p.leaves) {
        int beyond = 0;
        const int opens = i == 0 && tuple, n = ct_profile_run(p, i, p.open[i] - opens, &beyond);
        ct_by_mode_push(&m, i, n, -1, opens, beyond);
        i += n;
    }
    return m;
}

#endif
