/**
 * What the sweeps share: enumerated and random operands, and the report of a broken law.
 */
#ifndef CUTLET_TESTS_SWEEP_H
#define CUTLET_TESTS_SWEEP_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "laws.h"
#include "read.h"

/** Fails the test where the law is broken; `...` are the operands as text. */
#define LAW(call, ...) sweep_holds(call, #call, (const char *[]){__VA_ARGS__, NULL})

/** How many laws were looked at: a sweep that enumerates nothing must not pass. */
static int64_t sweep_count;

static inline void sweep_holds(const char *broken, const char *call, const char *const *operand)
{
    ++sweep_count;
    if (broken == NULL) return;
    print_error("%s: %s\n", call, broken);
    for (; *operand; ++operand) print_error("    %s\n", *operand);
    fail();
}

/** What one leaf may be. */
typedef struct sweep_range {
    int64_t most_shape, low_stride, high_stride;
} sweep_range;

static inline int64_t sweep_leaves(sweep_range r)
{
    return r.most_shape * (r.high_stride - r.low_stride + 1);
}

/** Layout number i of those with n leaves: leaf by leaf a digit of i. */
static inline ct_layout sweep_layout(sweep_range r, int n, int64_t i)
{
    ct_layout L;
    memset(&L, 0, sizeof L);
    L.profile.leaves = n;
    const int64_t strides = r.high_stride - r.low_stride + 1;
    for (int k = 0; k < n; ++k) {
        L.shape[k] = 1 + i % r.most_shape;
        i /= r.most_shape;
        L.stride[k] = r.low_stride + i % strides;
        i /= strides;
    }
    if (n > 1) {
        L.profile.open[0] = 1;
        L.profile.close[n - 1] = 1;
    }
    return L;
}

static inline int64_t sweep_power(int64_t base, int n)
{
    int64_t p = 1;
    for (int k = 0; k < n; ++k) p *= base;
    return p;
}

/** L, nested in one of the ways that its leaves allow (way 0 is flat); 0 when there is no such
 *  way. */
static inline int sweep_nest(ct_layout *L, int way)
{
    const int n = L->profile.leaves;
    if (way == 0) return 1;
    if (way == 1) { /* one more pair around everything */
        L->profile.open[0]++;
        L->profile.close[n - 1]++;
        return 1;
    }
    if (way == 2 && n == 3) { /* ((a,b),c) */
        L->profile.open[0]++;
        L->profile.close[1]++;
        return 1;
    }
    if (way == 3 && n == 3) { /* (a,(b,c)) */
        L->profile.open[1]++;
        L->profile.close[2]++;
        return 1;
    }
    return 0;
}

/** Random numbers: xorshift, so that a seed means the same everywhere. */
static uint64_t sweep_state = 88172645463325252u;

static inline uint64_t sweep_next(void)
{
    sweep_state ^= sweep_state << 13;
    sweep_state ^= sweep_state >> 7;
    sweep_state ^= sweep_state << 17;
    return sweep_state;
}

/** A random number from low to high. */
static inline int64_t sweep_int(int64_t low, int64_t high)
{
    return low + (int64_t)(sweep_next() >> 11) % (high - low + 1);
}

/** Takes the seed from CUTLET_SEED, or the given one, and says which. */
static inline void sweep_seed(uint64_t seed)
{
    const char *text = getenv("CUTLET_SEED");
    if (text && *text) seed = strtoull(text, NULL, 0);
    print_message("seed %llu (set CUTLET_SEED to change it)\n", (unsigned long long)seed);
    sweep_state = (seed + 1) * 0x9e3779b97f4a7c15u | 1;
    for (int i = 0; i < 8; ++i) sweep_next();
}

/** Random parentheses for n leaves, depth at most 3. */
static inline ct_profile sweep_profile(int n)
{
    ct_profile p = ct_profile_flat(n);
    if (n == 1 && sweep_int(0, 2) > 0) {
        p.open[0] = p.close[0] = 0;
        return p;
    }
    for (int round = 0; round < 2; ++round) { /* pairs around runs of leaves, within one another */
        for (int first = 0; first < n; ++first) {
            int last = first + (int)sweep_int(1, 3);
            if (last > n) last = n;
            if (sweep_int(0, 2) != 0) continue;
            int level = 0, lowest = 0; /* the run must be whole modes of one tuple */
            for (int k = first; k < last; ++k) {
                level += k > first ? p.open[k] : 0;
                level -= k + 1 < last ? p.close[k] : 0;
                if (level < lowest) lowest = level;
            }
            const int inner = level == 0 && lowest == 0;
            if (!inner || ct_profile_depth(p) > 3) continue;
            p.open[first]++;
            p.close[last - 1]++;
            first = last - 1;
        }
    }
    return p;
}

/** A random shape of at most `leaves` leaves and `most` coordinates. */
static inline ct_tuple sweep_shape(int leaves, int64_t most)
{
    ct_tuple t;
    memset(&t, 0, sizeof t);
    const int n = (int)sweep_int(1, leaves);
    static const int64_t sizes[] = {1, 2, 2, 2, 3, 4, 4, 5, 6, 7, 8, 8, 9, 12, 16};
    int64_t left = most;
    for (int k = 0; k < n; ++k) {
        int64_t s = sizes[sweep_int(0, 14)];
        if (s > left) s = 1;
        t.value[k] = s;
        left /= s;
    }
    t.profile = sweep_profile(n);
    return t;
}

/** What the strides of a random layout are like. */
enum { SWEEP_COMPACT, SWEEP_PADDED, SWEEP_WILD, SWEEP_NEGATIVE, SWEEP_STYLES };

/** A random layout: compact in any order, with gaps and repetition, anything, also below 0. */
static inline ct_layout sweep_random(int leaves, int64_t most, int style)
{
    const ct_tuple shape = sweep_shape(leaves, most);
    ct_layout L;
    memset(&L, 0, sizeof L);
    L.profile = shape.profile;
    const int n = L.profile.leaves;
    int order[CT_MAX_LEAVES];
    for (int k = 0; k < n; ++k) order[k] = k;
    for (int k = n - 1; k > 0 && sweep_int(0, 2); --k) {
        const int j = (int)sweep_int(0, k), x = order[k];
        order[k] = order[j];
        order[j] = x;
    }
    int64_t run = 1;
    for (int i = 0; i < n; ++i) {
        const int k = order[i];
        L.shape[k] = shape.value[k];
        if (style >= SWEEP_WILD) {
            L.stride[k] = sweep_int(0, 1) ? sweep_int(0, 40) : run;
        } else {
            if (style == SWEEP_PADDED && sweep_int(0, 3) == 0) run *= sweep_int(1, 3);
            L.stride[k] = style == SWEEP_PADDED && sweep_int(0, 9) == 0 ? 0 : run;
        }
        if (style == SWEEP_NEGATIVE && sweep_int(0, 2) == 0) L.stride[k] = -L.stride[k];
        run *= L.shape[k];
    }
    return L;
}

#endif
