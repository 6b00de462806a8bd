/* Whether points are one layout. */
#include "points.h"

/* Adds the digits of the points to *out, from the smallest on. The step of the smallest is that to
 * the second point, since the least sum of digits above 0 is the least step. Each extent is tried. */
static int add_digits(const ct_point *p, int count, int digits, ct_set *out)
{
    if (count == 1) return 1;
    if (out->digits == digits) return 0;
    const ct_point step = {p[1].first - p[0].first,
                           {p[1].at[0] - p[0].at[0], p[1].at[1] - p[0].at[1]}};
    for (int extent = count; extent >= 2; --extent) {
        if (count % extent) continue;
        ct_point rest[CT_POINTS_TRIED];
        char used[CT_POINTS_TRIED] = {0};
        int kept = 0, fits = 1;
        for (int i = 0; i < count && fits; ++i) {
            if (used[i]) continue;
            rest[kept++] = p[i];
            for (int e = 0, k = i; e < extent && fits;
                 ++e) { /* a run of the digit begins at p[i] */
                const int64_t first = p[i].first + e * step.first;
                while (k < count && p[k].first < first) ++k;
                fits = k < count && p[k].first == first && !used[k] &&
                       p[k].at[0] == p[i].at[0] + e * step.at[0] &&
                       p[k].at[1] == p[i].at[1] + e * step.at[1];
                if (fits) used[k] = 1;
            }
        }
        if (!fits) continue;
        out->digit[out->digits++] = (ct_set_digit){extent, step.first, {step.at[0], step.at[1]}};
        if (add_digits(rest, kept, digits, out)) return 1;
        out->digits--;
    }
    return 0;
}

int ct_points_layout(const ct_point *p, int count, int digits, ct_set *out)
{
    out->first = p[0].first;
    for (int i = 0; i < 2; ++i) out->at[i] = p[0].at[i];
    out->digits = 0;
    for (int i = 1, k = count - 2; i < k; ++i, --k) /* a layout is the same from its other end */
        if (p[i].first - p[0].first != p[count - 1].first - p[k].first) return 0;
    if (!add_digits(p, count, digits, out)) return 0;
    for (int i = 0, k = out->digits - 1; i < k; ++i, --k) { /* sets have the largest first */
        const ct_set_digit digit = out->digit[i];
        out->digit[i] = out->digit[k];
        out->digit[k] = digit;
    }
    return 1;
}
