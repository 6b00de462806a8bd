/**
 * The oracle: layouts as arrays of offsets. Everything here is written a second time, without the
 * library's functions, and as plainly as possible: loops that count, no rule of the algebra.
 *
 * The one fact that it rests on: a function f on [0, n) with f(0) = 0 is a layout exactly when runs
 * can be taken off it greedily. Of a layout without leaves of size 1 whose neighbours are not one
 * run (every layout has such a form) the first leaf s:d is the longest run f(i) = i * d, because
 * f(s) != s * d; i -> f(s * i) is then a layout of n / s with the other leaves. So the form is
 * unique, has the fewest leaves, and finding it decides. test_oracle.c tries all factorizations
 * beside it.
 */
#ifndef CUTLET_TESTS_ORACLE_H
#define CUTLET_TESTS_ORACLE_H

#include <cutlet/cutlet.h>

#if defined(__CUDACC__)
#define LAW_FN static __attribute__((unused)) __noinline__ __host__ __device__
#else
#define LAW_FN static inline
#endif

/** The most indices that are written out; a kernel, whose threads have small stacks, asks for less. */
#ifndef ORACLE_LIMIT
#define ORACLE_LIMIT 4096
#endif
enum { ORACLE_MAX = ORACLE_LIMIT };

/** A number for a basis element, so that sums of different elements do not meet by chance. */
LAW_FN int64_t oracle_weight(uint32_t basis)
{
    if (basis == 0) return 1;
    uint64_t x = basis * 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 31)) * 0xbf58476d1ce4e5b9u;
    return (int64_t)((x ^ (x >> 29)) >> 26);
}

/** The number for a stride of a basis; of a sum of basis elements, digits of 32 or 21 bits with a sign, the
 *  sum of those of its terms. */
LAW_FN int64_t oracle_stride(int64_t d, uint32_t basis)
{
    if ((basis & 255u) != 255u) return d * oracle_weight(basis);
    const int64_t radix = (int64_t)1 << (basis >> 24 ? 21 : 32);
    int64_t sum = 0;
    for (basis >>= 8; basis != 0; basis >>= 8) {
        int64_t digit = d & (radix - 1);
        if (digit >= radix / 2) digit -= radix;
        sum += digit * oracle_weight((basis & 15u) | (basis >> 4 & 15u) << 8);
        d = (d - digit) / radix;
    }
    return sum;
}

/** L with integers for its basis elements. */
LAW_FN ct_layout oracle_integral(ct_layout L)
{
    for (int k = 0; k < L.profile.leaves; ++k) {
        L.stride[k] = oracle_stride(L.stride[k], L.basis[k]);
        L.basis[k] = 0;
    }
    return L;
}

/** The product of the shapes. */
LAW_FN int64_t oracle_size(ct_layout L)
{
    int64_t n = 1;
    for (int k = 0; k < L.profile.leaves; ++k) n *= L.shape[k];
    return n;
}

/** Every offset in order of the index: leaf by leaf, what is there is repeated one stride
 *  further. */
LAW_FN int64_t oracle_offsets(ct_layout L, int64_t *out)
{
    int64_t n = 1;
    out[0] = 0;
    if (oracle_size(L) > ORACLE_MAX) return 0;
    for (int k = 0; k < L.profile.leaves; ++k) {
        for (int64_t i = n; i < n * L.shape[k]; ++i)
            out[i] = out[i - n] + oracle_stride(L.stride[k], L.basis[k]);
        n *= L.shape[k];
    }
    return n;
}

/** The offset of index i; past the size it goes on along the last leaf. */
LAW_FN int64_t oracle_eval(ct_layout L, int64_t i)
{
    int64_t place = 1, sum = 0;
    for (int k = 0; k < L.profile.leaves; ++k) {
        const int last = k + 1 == L.profile.leaves;
        const int64_t digit = last ? i / place : i / place % L.shape[k];
        sum += digit * oracle_stride(L.stride[k], L.basis[k]);
        place *= L.shape[k];
    }
    return sum;
}

/** The swizzle, bit by bit. */
LAW_FN int64_t oracle_swizzle(ct_swizzle s, int64_t x)
{
    int64_t r = x;
    const int from = s.base + (s.shift > 0 ? s.shift : 0),
              to = s.base - (s.shift < 0 ? s.shift : 0);
    for (int k = 0; k < s.bits; ++k) {
        if (x >> (from + k) & 1) r ^= (int64_t)1 << (to + k);
    }
    return r;
}

/** Index i of a tensor whose offset is an integer; past its size it goes on as its layout does. */
LAW_FN int64_t oracle_tensor(const ct_tensor *t, int64_t i)
{
    return oracle_swizzle(t->swizzle, t->offset.value[0] + oracle_eval(t->layout, i));
}

/** Whether f on [0, n) is a layout, and the one with the fewest leaves; n = 1 gives 1:0. Returns
 *  the number of leaves that it needs, 0 when f is not a layout; *out is filled when they fit. */
LAW_FN int oracle_layout_of(const int64_t *f, int64_t n, ct_layout *out)
{
    ct_layout L = CT_ZERO;
    int leaves = 0;
    int64_t place = 1;
    if (f[0] != 0) return 0;
    while (place < n) {
        const int64_t rest = n / place, d = f[place];
        int64_t s = 2;
        while (s < rest && f[s * place] == s * d) ++s;
        if (rest % s != 0) return 0;
        if (leaves < CT_MAX_LEAVES) {
            L.shape[leaves] = s;
            L.stride[leaves] = d;
        }
        ++leaves;
        place *= s;
    }
    for (int64_t i = 0; i < n; ++i) { /* what the runs say of every index */
        int64_t rest = i, sum = 0, at = 1;
        for (int k = 0; k < leaves; ++k) {
            const int64_t s = L.shape[k];
            sum += rest % s * f[at];
            rest /= s;
            at *= s;
        }
        if (sum != f[i]) return 0;
    }
    if (leaves == 0) {
        L.shape[0] = 1;
        leaves = 1;
    }
    L.profile.leaves = leaves;
    if (leaves > 1) {
        L.profile.open[0] = 1;
        L.profile.close[leaves - 1] = 1;
    }
    *out = L;
    return leaves;
}

/**
 * Lays copies of a set (k distinct numbers, the smallest 0) one after another, each where the first
 * number is not yet reached: the only way to tile an interval from 0 on. Writes where each begins.
 * Returns their number once the copies fill [0, N) with N >= n; 0 when one must overlap; -1 when
 * neither has happened up to `limit`.
 */
LAW_FN int64_t oracle_tile(const int64_t *set, int64_t k, int64_t n, int64_t limit, int64_t *begin)
{
    unsigned char taken[2 * ORACLE_MAX] = {0};
    int64_t copies = 0, front = 0, top = 0;
    while (front < limit && copies < ORACLE_MAX) {
        for (int64_t i = 0; i < k; ++i) {
            const int64_t at = front + set[i];
            if (at >= 2 * ORACLE_MAX) return -1;
            if (taken[at]) return 0;
            taken[at] = 1;
            if (at >= top) top = at + 1;
        }
        begin[copies++] = front;
        while (front < top && taken[front]) ++front;
        if (front == top && top >= n) return copies;
    }
    return -1;
}

/** Sorts v and drops repetitions; returns how many are left. */
LAW_FN int64_t oracle_distinct(int64_t *v, int64_t n)
{
    for (int64_t gap = n / 2; gap > 0; gap /= 2) {
        for (int64_t i = gap; i < n; ++i) {
            const int64_t x = v[i];
            int64_t k = i;
            for (; k >= gap && v[k - gap] > x; k -= gap) v[k] = v[k - gap];
            v[k] = x;
        }
    }
    int64_t m = 0;
    for (int64_t i = 0; i < n; ++i) {
        if (i == 0 || v[i] != v[m - 1]) v[m++] = v[i];
    }
    return m;
}

#endif
