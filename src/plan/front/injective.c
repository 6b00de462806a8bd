/* Decides exactly whether a layout is injective. Two indices have one offset if the difference of
 * their coordinates is not zero but has offset zero. It is at most extent - 1 in each mode. The
 * search goes from the longest stride to the shortest. It omits differences that the shorter
 * strides cannot bring back to zero, by their range or by their common divisor. */
#include "plan.h"

typedef struct search {
    int modes;
    int64_t extent[CT_MAX_LEAVES], stride[CT_MAX_LEAVES]; /* the longest stride first */
    int leaf[CT_MAX_LEAVES];
    int64_t reach[CT_MAX_LEAVES + 1], divisor[CT_MAX_LEAVES + 1]; /* of all modes from here on */
    int64_t x[CT_MAX_LEAVES];
    int64_t steps;
} search;

/* Starts a search: the leaves of more than one coordinate, sorted by stride. */
static void begin(search *s, ct_layout L)
{
    s->modes = 0;
    s->steps = 0;
    for (int i = 0; i < L.profile.leaves; ++i) {
        const int64_t stride = ct_abs(L.stride[i]);
        if (L.shape[i] == 1) continue;
        int k = s->modes++;
        for (; k > 0 && s->stride[k - 1] < stride; --k) {
            s->stride[k] = s->stride[k - 1];
            s->extent[k] = s->extent[k - 1];
            s->leaf[k] = s->leaf[k - 1];
        }
        s->stride[k] = stride;
        s->extent[k] = L.shape[i];
        s->leaf[k] = i;
    }
    s->reach[s->modes] = s->divisor[s->modes] = 0;
    for (int k = s->modes - 1; k >= 0; --k) { /* no overflow: the layout's cosize fits */
        s->reach[k] = s->reach[k + 1] + (s->extent[k] - 1) * s->stride[k];
        s->divisor[k] = ct_gcd(s->divisor[k + 1], s->stride[k]);
    }
}

static int64_t floor_div(int64_t a, int64_t b) { return a / b - (a % b < 0); }

/* Whether modes k and on bring `rest` to zero, by the coordinates x[k] and on. moved: whether an
 * earlier coordinate is not 0. Returns 1, 0, or -1 after CT_MAX_PROOF steps. By symmetry, the first
 * coordinate that is not 0 is positive. */
static int meets(search *s, int k, int64_t rest, int moved)
{
    if (k == s->modes) return rest == 0 && moved;
    const int64_t beyond = s->reach[k + 1], d = s->stride[k], most = s->extent[k] - 1;
    /* |rest + x d| <= beyond */
    const int64_t low = ct_max(moved ? -most : 0, -floor_div(rest + beyond, d));
    const int64_t high = ct_min(most, floor_div(beyond - rest, d));
    const int64_t divisor = s->divisor[k + 1];
    int64_t step = 1;
    for (int64_t x = low; x <= high; x += step) {
        const int64_t left = rest + x * d;
        if (++s->steps > CT_MAX_PROOF) return -1;
        if (divisor ? left % divisor != 0 : left != 0) continue;
        if (divisor) step = divisor / ct_gcd(divisor, d); /* to the next x with a multiple */
        s->x[k] = x;
        const int found = meets(s, k + 1, left, moved || x != 0);
        if (found) return found;
    }
    return 0;
}

ct_status ct_plan_injective(ct_layout L, char *message)
{
    search s;
    begin(&s, L);
    for (int k = 0; k < s.modes; ++k)
        if (s.stride[k] == 0)
            return ct_refuse(message, CT_E_ARGUMENT,
                             "destination: mode %d has stride 0 and extent %lld: its elements lie "
                             "at one offset",
                             s.leaf[k], (long long)s.extent[k]);
    const int found = meets(&s, 0, 0, 0);
    if (found == 0) return CT_OK;
    if (found < 0)
        return ct_refuse(message, CT_E_UNDECIDED,
                         "destination: its modes interleave, and %d steps did not decide whether "
                         "elements overlap",
                         CT_MAX_PROOF);
    int k = 0;
    while (s.x[k] == 0) ++k;
    int other = s.modes - 1;
    while (s.x[other] == 0) --other;
    return ct_refuse(message, CT_E_ARGUMENT,
                     "destination: elements overlap: %lld step%s of %lld along mode %d: an offset "
                     "that mode %d (stride %lld, extent %lld) reaches, too",
                     (long long)s.x[k], s.x[k] == 1 ? "" : "s", (long long)s.stride[k], s.leaf[k],
                     s.leaf[other], (long long)s.stride[other], (long long)s.extent[other]);
}
