/**
 * The kernels of examples/vector on random arrays: every size, address and layout, compared with
 * sums and functions of doubles, and every byte around the result.
 */
#ifndef CUTLET_TESTS_VECTOR_CASES_H
#define CUTLET_TESTS_VECTOR_CASES_H

#include "vector_arrays.h"

/* ---- element-wise ---------------------------------------------------------------------------- */

static double half_of(double x) { return 0.5 * x; }
static double relu_of(double x) { return x < 0 ? 0 : x; }
/* 1 + tanh u = 2 / (1 + e^z) with z = -2u: that does not cancel where u is large and negative. */
static double gelu_power(double x) { return -2 * 0.7978845608028654 * (x + 0.044715 * x * x * x); }
static double gelu_of(double x) { return x / (1 + exp(gelu_power(x))); }
static double twice_and_one(double x) { return 2 * x + 1; }

/**
 * How far the kernel's x / (1 + e^z) may be from gelu_of(x), in halves of a unit in the last place
 * of a float, 2^-24 of the result each:
 *
 *   z    z = c1 (x + c2 x x x): two constants and the five operations that follow one another are
 *        each off by 1 at most, and as both terms have one sign, nothing cancels: 7. e^z turns an
 *        error that is relative to z into one of |z| times as much: 7 |z|.
 *   e^z  device/element/fast_math.h: 2 + |1.173 z| units in the last place, each of 2 such halves.
 *   +    1 + e^z is off by s = e^z / (1 + e^z) times that, and is rounded: 1.
 *   /    2 units in the last place: 4.
 *
 * So the bound grows with |z| where z is positive: it is 243 at x = -6, where z is 25, and 5 at
 * x = 6. Products of errors are another thousandth at most. From e^z = 2^126 on the division may
 * give 0, which is off by all of the result.
 */
static double gelu_units(double x)
{
    const double z = gelu_power(x), s = 1 / (1 + exp(-z));
    if (exp(z) > 0x1p125) return 1 / type_unit(FLOAT);
    return 1.001 * (s * (7 * fabs(z) + 2 * (2 + 1.173 * fabs(z))) + 1 + 4);
}

/** A kernel, its types, the bytes of its accesses, its function; how far off it may be: units of
 *  the type, and where there is a function, those of a float. */
typedef struct elementwise_row {
    const char *name;
    int type, access;
    double (*of)(double x);
    double units;
    double (*float_units)(double x);
} elementwise_row;

/* What is computed as a float is then rounded once, to a half or bfloat16. */
static const elementwise_row elementwise_rows[] = {
    {"scale_float", FLOAT, 16, half_of, 1, NULL},
    {"scale_half", HALF, 16, half_of, 1, NULL},
    {"scale_bfloat16", BFLOAT16, 16, half_of, 1, NULL},
    {"scale_float_scalar", FLOAT, 4, half_of, 1, NULL},
    {"relu_float", FLOAT, 16, relu_of, 0, NULL},
    {"relu_half", HALF, 16, relu_of, 0, NULL},
    {"relu_bfloat16", BFLOAT16, 16, relu_of, 0, NULL},
    {"relu_float_scalar", FLOAT, 4, relu_of, 0, NULL},
    {"relu_half_scalar", HALF, 2, relu_of, 0, NULL},
    {"relu_half_2", HALF, 4, relu_of, 0, NULL},
    {"gelu_float", FLOAT, 16, gelu_of, 0, gelu_units},
    {"gelu_half", HALF, 16, gelu_of, 1, gelu_units},
    {"gelu_bfloat16", BFLOAT16, 16, gelu_of, 1, gelu_units},
    {"gelu_float_scalar", FLOAT, 4, gelu_of, 0, gelu_units},
    {"remainder_any", FLOAT, 16, twice_and_one, 2, NULL},
};

enum { ELEMENTWISE_ROWS = sizeof elementwise_rows / sizeof *elementwise_rows };

/** The units of its type by which a kernel may be off at x. */
static inline double units_at(const elementwise_row *row, double x)
{
    const double of_float = type_unit(FLOAT) / type_unit(row->type);
    return row->units + (row->float_units ? row->float_units(x) * of_float : 0);
}

/** The bound of GELU is one: what is off by less passes, what is off by twice as much does not. */
static inline void check_gelu_bound(void)
{
    for (int r = 0; r < ELEMENTWISE_ROWS; ++r) {
        const elementwise_row *const row = &elementwise_rows[r];
        for (int i = -96; i <= 96 && row->float_units; ++i) {
            const double x = i / 16.0, right = gelu_of(x), units = units_at(row, x);
            const double step = units * type_unit(row->type);
            if (fabs(right) < 0x1p-12 && row->type == HALF) continue; /* steps, no longer units */
            if (i == 0) continue;
            for (int sign = -1; sign <= 1; sign += 2) {
                assert_true(is_near(right * (1 + sign * 0.99 * step), right, row->type, units));
                assert_false(is_near(right * (1 + sign * 2 * step), right, row->type, units));
            }
        }
    }
}

/** One launch over layouts with src and dst this many elements past a boundary. */
static inline void check_elementwise(const elementwise_row *row, ct_layout src, ct_layout dst,
                                     dice *d, const char *what)
{
    const int e = type_bytes[row->type];
    const int64_t n = oracle_size(src), low_src = -ct_lowest(src), low_dst = -ct_lowest(dst);
    const int64_t src_elems = ct_cosize(src), dst_elems = ct_cosize(dst);
    unsigned char *const in = numbers(d, src_elems, row->type, 12, 1);
    guarded from = array_take("src", in, (size_t)(src_elems * e), (size_t)(dice_int(d, 0, 17) * e));
    guarded to = array_take("dst", NULL, (size_t)(dst_elems * e), (size_t)(dice_int(d, 0, 17) * e));
    const ct_operand input = ct_make_operand(from.at + low_src * e, src, e);
    const ct_operand output = ct_make_operand(to.at + low_dst * e, dst, e);
    ct_elementwise_args args = ct_make_elementwise(&input, 1, output, row->access);
    assert_int_equal(args.err.status, CT_OK);
    args.number[0] = 0.5f;
    const guarded both[] = {from, to};
    vector_run(row->name, args.blocks, CT_ELEMENTWISE_THREADS, &args, sizeof args, both, 2);
    free(array_give(&from, what));
    unsigned char *const out = array_give(&to, what);
    unsigned char *const reached = calloc((size_t)dst_elems, 1);
    assert_non_null(reached);
    for (int64_t i = 0; i < n; ++i) {
        const int64_t at = ct_eval(dst, i) + low_dst;
        const double x = number_at(in, ct_eval(src, i) + low_src, row->type);
        const double found = number_at(out, at, row->type), right = row->of(x);
        reached[at] = 1;
        if (!is_near(found, right, row->type, units_at(row, x)))
            fail_msg("%s, %s: element %lld: f(%.9g) is %.9g, not %.9g", row->name, what,
                     (long long)i, x, found, right);
    }
    for (int64_t i = 0; i < dst_elems * e; ++i) {
        if (!reached[i / e] && out[i] != POISON)
            fail_msg("%s, %s: byte %lld, in a gap, was written", row->name, what, (long long)i);
    }
    free(reached);
    free(out);
    free(in);
}

/** Arrays of up to `most` elements. */
static inline void check_elementwise_arrays(uint64_t seed, int cases, int64_t most)
{
    for (int r = 0; r < ELEMENTWISE_ROWS; ++r) {
        for (int k = 0; k < cases; ++k) {
            dice d = dice_of_case(seed, (uint64_t)(k * 100 + r));
            const int64_t n = k < 20 ? 1 + k : dice_int(&d, 1, most);
            char what[64];
            snprintf(what, sizeof what, "%lld elements, case %d", (long long)n, k);
            check_elementwise(&elementwise_rows[r], ct_layout1(n, 1), ct_layout1(n, 1), &d, what);
        }
    }
}

/** Layouts of rank 1 to 4 of one shape: compact in any two orders, with gaps, downwards,
 *  broadcast. */
static inline void check_elementwise_layouts(uint64_t seed, int cases)
{
    for (int k = 0; k < cases; ++k) {
        dice d = dice_of_case(seed, (uint64_t)k);
        const elementwise_row *const row = &elementwise_rows[dice_int(&d, 0, ELEMENTWISE_ROWS - 1)];
        const int leaves = (int)dice_int(&d, 1, 4);
        const ct_layout compact = ct_make_col_major(dice_shape(&d, leaves, 400));
        ct_layout side[2];
        side[0] = side[1] = compact;
        for (int s = 0; s < 2; ++s) {
            ct_layout *const L = &side[s];
            const int n = L->profile.leaves;
            int order[CT_MAX_LEAVES] = {0};
            for (int i = 0; i < n; ++i) order[i] = i;
            for (int i = n - 1; i > 0; --i) {
                const int j = (int)dice_int(&d, 0, i), x = order[i];
                if (dice_int(&d, 0, 1)) continue;
                order[i] = order[j];
                order[j] = x;
            }
            int64_t run = dice_int(&d, 0, 5) == 0 ? 2 : 1;
            for (int i = 0; i < n; ++i) {
                const int leaf = order[i];
                L->stride[leaf] = dice_int(&d, 0, 5) == 0 ? -run : run;
                run = run * L->shape[leaf] + (dice_int(&d, 0, 3) == 0 ? dice_int(&d, 0, 9) : 0);
                if (s == 0 && dice_int(&d, 0, 7) == 0) L->stride[leaf] = 0;
            }
        }
        char text[2][CT_TEXT_BYTES], what[2 * CT_TEXT_BYTES + 64];
        ct_format_layout(text[0], sizeof text[0], side[0]);
        ct_format_layout(text[1], sizeof text[1], side[1]);
        snprintf(what, sizeof what, "case %d: %s -> %s", k, text[0], text[1]);
        check_elementwise(row, side[0], side[1], &d, what);
    }
}

/** Bytes from any address to any address. */
static inline void check_width_copies(uint64_t seed, int cases, int64_t most, const int *widths,
                                      int count)
{
    for (int w = 0; w < count; ++w) {
        for (int k = 0; k < cases; ++k) {
            dice d = dice_of_case(seed, (uint64_t)(k * 100 + w));
            const int64_t n = k < 40 ? 1 + k : dice_int(&d, 1, most);
            char name[32], what[96];
            snprintf(name, sizeof name, "width_copy_%d", widths[w]);
            unsigned char *const in = malloc((size_t)n);
            assert_non_null(in);
            for (int64_t i = 0; i < n; ++i) in[i] = (unsigned char)(dice_next(&d) >> 24);
            guarded from = array_take("src", in, (size_t)n, (size_t)dice_int(&d, 0, 33));
            guarded to = array_take("dst", NULL, (size_t)n,
                                    k % 3 ? (size_t)dice_int(&d, 0, 33) : from.shift);
            snprintf(what, sizeof what, "%s, %lld bytes, case %d", name, (long long)n, k);
            const ct_operand input = ct_make_operand(from.at, ct_layout1(n, 1), 1);
            const ct_operand output = ct_make_operand(to.at, ct_layout1(n, 1), 1);
            const ct_elementwise_args args = ct_make_elementwise(&input, 1, output, widths[w]);
            assert_int_equal(args.err.status, CT_OK);
            const guarded both[] = {from, to};
            vector_run(name, args.blocks, CT_ELEMENTWISE_THREADS, &args, sizeof args, both, 2);
            free(array_give(&from, what));
            unsigned char *const out = array_give(&to, what);
            for (int64_t i = 0; i < n; ++i)
                if (out[i] != in[i]) fail_msg("%s: byte %lld is wrong", what, (long long)i);
            free(out);
            free(in);
        }
    }
}

/** One copy of n bytes in a form of width_forms.cu, this many vectors past a boundary. */
static inline void check_width_form(dice *d, int is_loop, int32_t width, int64_t n, int64_t vectors)
{
    const int64_t blocks = is_loop ? width_loop_blocks(n, width, 1) : width_one_blocks(n, width);
    char name[32], what[64];
    snprintf(name, sizeof name, "width_%s_%d", is_loop ? "loop" : "one", width);
    snprintf(what, sizeof what, "%s, %lld bytes", name, (long long)n);
    unsigned char *const in = malloc((size_t)n);
    assert_non_null(in);
    for (int64_t i = 0; i < n; ++i) in[i] = (unsigned char)(dice_next(d) >> 24);
    guarded from = array_take("src", in, (size_t)n, (size_t)(width * vectors));
    guarded to = array_take("dst", NULL, (size_t)n, (size_t)(width * dice_int(d, 0, 17)));
    const width_args args = make_width_args(from.at, to.at, n);
    const guarded both[] = {from, to};
    assert_true(width_is_aligned(&args, width));
    vector_run(name, blocks, is_loop ? WIDTH_LOOP_THREADS : WIDTH_ONE_THREADS, &args, sizeof args,
               both, 2);
    free(array_give(&from, what));
    unsigned char *const out = array_give(&to, what);
    for (int64_t i = 0; i < n; ++i)
        if (out[i] != in[i]) fail_msg("%s: byte %lld is wrong", what, (long long)i);
    free(out);
    free(in);
}

/** The forms of width_forms.cu, from and to addresses that the width divides. */
static inline void check_width_forms(uint64_t seed, int cases, int64_t most)
{
    static const int32_t widths[] = {1, 2, 4, 8, 16};
    for (int k = 0; k < 10 * cases; ++k) {
        dice d = dice_of_case(seed, (uint64_t)k);
        const int64_t n = k < 200 ? 1 + k / 10 : dice_int(&d, 1, most);
        check_width_form(&d, k / 5 % 2, widths[k % 5], n, dice_int(&d, 0, 17));
    }
}

/** The strategies that need aligned addresses, at those; `padded` writes its padding too. */
static inline void check_remainders(uint64_t seed, int cases, int64_t most)
{
    static const char *const names[] = {"remainder_bulk", "remainder_padded", "remainder_width_4",
                                        "remainder_width_8", "remainder_width_16"};
    static const int elems[] = {4, 4, 1, 2, 4};
    for (int k = 0; k < 5 * cases; ++k) {
        const int which = k % 5;
        dice d = dice_of_case(seed, (uint64_t)k);
        int64_t n = dice_int(&d, 1, most);
        if (which >= 2) n = ct_ceil_div_int(n, elems[which]) * elems[which];
        const int64_t capacity = which == 1 ? ct_ceil_div_int(n, 4) * 4 : n;
        unsigned char *const in = numbers(&d, capacity, FLOAT, 100, 0);
        guarded from = array_take("src", in, (size_t)(4 * capacity), 0);
        guarded to = array_take("dst", NULL, (size_t)(4 * capacity), 0);
        const remainder_args args = make_remainder_args(from.at, to.at, n);
        const guarded both[] = {from, to};
        assert_true(which < 2 || remainder_width(&args) >= 4 * elems[which]);
        vector_run(names[which], remainder_blocks(n, elems[which]), REMAINDER_THREADS, &args,
                   sizeof args, both, 2);
        free(array_give(&from, names[which]));
        unsigned char *const out = array_give(&to, names[which]);
        for (int64_t i = 0; i < capacity; ++i) {
            if (!is_near(number_at(out, i, FLOAT), 2 * number_at(in, i, FLOAT) + 1, FLOAT, 2))
                fail_msg("%s: element %lld of %lld", names[which], (long long)i, (long long)n);
        }
        free(out);
        free(in);
    }
}

#endif
