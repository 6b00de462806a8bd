/**
 * What the sweeps share: enumerated and random operands, and the report of a broken law.
 */
#ifndef CUTLET_TESTS_SWEEP_H
#define CUTLET_TESTS_SWEEP_H

#include "test.h"

#include "dice.h"
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

/** The dice of the sweeps. */
static dice sweep_dice = {88172645463325252u};

/** A random number from low to high. */
static inline int64_t sweep_int(int64_t low, int64_t high)
{
    return dice_int(&sweep_dice, low, high);
}

/** Takes the seed from CUTLET_SEED, or the given one, and says which. */
static inline void sweep_seed(uint64_t seed)
{
    const char *text = getenv("CUTLET_SEED");
    if (text && *text) seed = strtoull(text, NULL, 0);
    print_message("seed %llu (set CUTLET_SEED to change it)\n", (unsigned long long)seed);
    sweep_dice = dice_of(seed);
}

#endif
