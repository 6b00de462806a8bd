/* The harnesses with random arguments, extremes mostly, for a build with the sanitisers:
 *
 *     sweep SECONDS SEED [FUNCTION]
 *
 * Every call must end without undefined behaviour, and every layout or tuple be one. A call whose
 * arguments are not what the function asks for does not count. */
#include "any_copy.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static jmp_buf not_assumed;
static uint64_t state;
static int bad_results;
static const char *running;

_Noreturn void ct_not_assumed(void) { longjmp(not_assumed, 1); }

static void check_result(int good, const char *what)
{
    if (good) return;
    if (bad_results < 40) printf("# %s: no %s\n", running, what);
    ++bad_results;
}
#define CT_RESULT(x) check_result(x, #x)

static uint64_t next(void) /* xorshift64* */
{
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return state * 2685821657736338717u;
}

static int below(int n) { return (int)(next() >> 33) % n; }

int64_t nondet_number(void)
{
    const int64_t around = (int64_t)((uint64_t)1 << below(64));
    switch (below(8)) {
        case 0: return (int64_t)next();
        case 1: return INT64_MIN + below(3);
        case 2: return INT64_MAX - below(3);
        case 3: return around + (around < INT64_MAX - 1 ? below(2) : 0);
        case 4: return around > INT64_MIN ? -around : around;
        case 5: return around / 3;
        default: return below(9) - 2;
    }
}

uint32_t nondet_basis(void)
{
    static const uint32_t some[] = {1,         2,   3,      0x101,   0x201,   0x102,    0x10101,
                                    0x1010101, 255, 0xff01, 0x201ff, 0x211ff, 0x30201ff};
    if (below(4)) return CT_INTEGER;
    return below(8) ? some[below(13)] : below(3) ? CT_ANY : (uint32_t)next();
}

static int64_t shape(void)
{
    switch (below(6)) {
        case 0: return (int64_t)1 << below(62);
        case 1: return 1 + ((int64_t)1 << below(40));
        case 2: return below(40) ? 1 : nondet_number();
        default: return 1 + below(6);
    }
}

static int64_t stride(void) { return below(2) ? below(9) - 1 : nondet_number(); }

ct_profile nondet_profile_bytes(void)
{
    ct_profile p = CT_ZERO;
    int level = 0;
    p.leaves = below(CT_MAX_LEAVES + 1);
    const int deep = below(20) ? 2 : CT_MAX_NESTING;
    for (int i = 0; i < p.leaves; ++i) {
        const int open = i == 0 && p.leaves > 1 ? 1 + below(deep) : below(3) ? 0 : below(deep);
        level += open;
        p.open[i] = (uint8_t)open;
        const int most = i + 1 < p.leaves ? level - 1 : level;
        const int close = i + 1 == p.leaves ? level : most > 0 ? below(most + 1) : 0;
        p.close[i] = (uint8_t)close;
        level -= close;
    }
    return p;
}

static ct_error some_error(void)
{
    ct_error e = CT_ZERO;
    if (below(60) == 0) e = ct_make_error(CT_E_ARGUMENT, CT_OP_TUPLE, CT_WHY_SHAPE, 0, 0, 0);
    return e;
}

ct_tuple nondet_tuple_bytes(void)
{
    ct_tuple t = CT_ZERO;
    t.err = some_error();
    t.profile = nondet_profile_bytes();
    const int shapes = below(3), bases = below(3) == 0;
    for (int i = 0; i < CT_MAX_LEAVES; ++i) {
        t.value[i] = shapes == 0 ? shape() : shapes == 1 ? below(4) : nondet_number();
        t.basis[i] = bases ? nondet_basis() : below(4) ? CT_INTEGER : CT_ANY;
        if (shapes == 0) t.basis[i] = CT_INTEGER;
    }
    return t;
}

ct_layout nondet_layout_bytes(void)
{
    ct_layout L = CT_ZERO;
    L.err = some_error();
    L.profile = nondet_profile_bytes();
    const int bases = below(3) == 0, compact = below(3) == 0;
    int64_t run = 1;
    int ok = 1;
    for (int i = 0; i < CT_MAX_LEAVES; ++i) {
        L.shape[i] = shape();
        L.stride[i] = compact ? run : stride();
        run = ct_mul(run, L.shape[i], &ok);
        L.basis[i] = bases ? nondet_basis() : CT_INTEGER;
    }
    return L;
}

ct_swizzle nondet_swizzle_bytes(void)
{
    ct_swizzle s = CT_ZERO;
    s.err = some_error();
    if (below(2)) return s;
    s.bits = s.err.status ? (int)next() : below(5);
    s.base = s.err.status ? (int)next() : below(61);
    s.shift = s.err.status ? (int)next() : below(121) - 60;
    return s;
}

ct_tiler nondet_tiler_bytes(void)
{
    ct_tiler t = CT_ZERO;
    if (below(2)) return ct_tiler_of_shape(ct_any_tuple());
    for (int n = below(CT_MAX_LEAVES + 1); n > 0; --n) {
        if (below(4)) t = ct_tiler_append(t, ct_any_layout());
        else t = ct_tiler_append(t, ct_tile_any());
    }
    return t;
}

ct_terms nondet_terms_bytes(void)
{
    ct_terms t = CT_ZERO;
    t.count = below(CT_MAX_LEAVES + 1);
    for (int i = 0; i < CT_MAX_LEAVES; ++i) {
        t.path[i] = nondet_basis();
        t.steps[i] = nondet_number();
    }
    return t;
}

uint64_t nondet_address(void) { return (uint64_t)nondet_number(); }

const char *nondet_name(void)
{
    static const char *const some[] = {"UniversalFMA",
                                       "SM70_8x8x4_F32F16F16F32_TN",
                                       "SM80_16x8x16_F32F16F16F32_TN",
                                       "SM80_16x8x8_F32TF32TF32F32_TN",
                                       "SM80_16x8x32_S32S8S8S32_TN",
                                       "SM80_8x8x4_F64F64F64F64_TN",
                                       "SM80_SPARSE_16x8x16_F32F16F16F32_TN",
                                       "SM90_64x128x16_F32F16F16_SS",
                                       "SM90_64x64x8_F32TF32TF32_SS_TN",
                                       "SM90_SPARSE_64x8x16_F32TF32TF32_SS_TN",
                                       "SM_",
                                       ""};
    return some[below(12)];
}

#define CT_HARNESS static
#include "harnesses.c"

/* What the sanitisers must find. */
static void harness_planted(void)
{
    volatile int64_t past = nondet_number() | INT64_MAX / 2;
    past = past + past;
}

typedef struct harness {
    const char *name;
    void (*call)(void);
} harness;

#define ROW(f) {#f, harness_##f},
static const harness harnesses[] = {HARNESSES(ROW)};
static const harness planted = {"planted", harness_planted};

/* Calls one harness `times` times, or for two milliseconds; returns how many calls counted. */
static long call(const harness *h, int times)
{
    volatile long counted = 0;
    const clock_t end = clock() + CLOCKS_PER_SEC / 500;
    for (volatile int i = 0; i < times && (i < 1 || clock() < end); ++i) {
        if (setjmp(not_assumed)) continue;
        running = h->name;
        h->call();
        ++counted;
    }
    return counted;
}

int main(int argc, char **argv)
{
    const double seconds = argc > 1 ? atof(argv[1]) : 1;
    const int count = (int)(sizeof harnesses / sizeof *harnesses);
    static long counted[sizeof harnesses / sizeof *harnesses];
    int without = 0;
    state = argc > 2 ? strtoull(argv[2], NULL, 0) : 1;
    const clock_t end = clock() + (clock_t)(seconds * CLOCKS_PER_SEC);
    long all = 0;
    if (argc > 3 && strcmp(argv[3], "planted") == 0) return call(&planted, 200) == 0;
    do {
        for (int i = 0; i < count; ++i) {
            if (argc > 3 && strcmp(argv[3], harnesses[i].name) != 0) continue;
            const long n = call(&harnesses[i], 200);
            counted[i] += n;
            all += n;
        }
    } while (clock() < end);
    for (int i = 0; i < count && argc < 4; ++i) {
        /* Arguments that a function takes may be rare: on a slow machine it gets further rounds. */
        for (int round = 0; round < 5000 && counted[i] < 20; ++round)
            counted[i] += call(&harnesses[i], 200);
        if (counted[i] < 20) printf("# %s: only %ld calls\n", harnesses[i].name, counted[i]);
        without += counted[i] < 20;
    }
    printf("%ld calls of %d functions, %d results that are none\n", all, count, bad_results);
    return bad_results > 0 || without > 0;
}
