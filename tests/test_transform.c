/* How a transform is planned: runs, ways, vectors, and what is refused; and the elements of
 * fragments against the compiler's own conversions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cutlet/host/text.h"
#include "cutlet/host/grid.h"
#include "transform_kernels.cu"

static ct_layout L_(const char *text)
{
    ct_layout L;
    ct_diag diag;
    if (ct_parse_layout(text, &L, &diag)) fail_msg("%s: %s", text, diag.message);
    return L;
}

static _Alignas(256) unsigned char memory[2][4096];

/* The plan of floats at so many bytes past a boundary. */
static ct_transform_args plan(const char *src, int src_at, const char *dst, int dst_at)
{
    return ct_make_transform(ct_make_transform_side(memory[0] + src_at, L_(src), 4),
                             ct_make_transform_side(memory[1] + dst_at, L_(dst), 4), 16);
}

#define PLANNED(a, run_, runs_, vectors_, whole_, way_)   \
    do {                                                  \
        const ct_transform_args p = a;                    \
        assert_int_equal(p.err.status, CT_OK);            \
        assert_int_equal(p.run.extent, run_);             \
        assert_int_equal(p.runs, runs_);                  \
        assert_int_equal(p.vectors, vectors_);            \
        assert_int_equal(p.whole, whole_);                \
        assert_int_equal(p.way, way_);                    \
    } while (0)

static void runs(void **state)
{
    (void)state;
    PLANNED(plan("100:1", 0, "100:1", 0), 100, 1, 25, 25, CT_TRANSFORM_WHOLE);
    PLANNED(plan("102:1", 0, "102:1", 0), 102, 1, 26, 25, CT_TRANSFORM_WHOLE);
    /* One element further on both sides: a vector more may be needed, and all lie alike. */
    PLANNED(plan("100:1", 4, "100:1", 4), 100, 1, 26, 0, CT_TRANSFORM_WHOLE);
    PLANNED(plan("100:1", 4, "100:1", 8), 100, 1, 26, 0, CT_TRANSFORM_CUT);
    PLANNED(plan("100:1", 4, "100:1", 0), 100, 1, 25, 0, CT_TRANSFORM_CUT);
    /* Compact matrices of one order are one run, in any nesting; padded ones a run for each row. */
    PLANNED(plan("(8,6):(6,1)", 0, "(8,6):(6,1)", 0), 48, 1, 12, 12, CT_TRANSFORM_WHOLE);
    PLANNED(plan("((2,4),6):((6,12),1)", 0, "(8,6):(6,1)", 0), 48, 1, 12, 12, CT_TRANSFORM_WHOLE);
    PLANNED(plan("(8,6):(8,1)", 0, "(8,6):(6,1)", 0), 6, 8, 3, 0, CT_TRANSFORM_SHORT);
    PLANNED(plan("(8,18):(20,1)", 0, "(8,18):(18,1)", 0), 18, 8, 6, 0, CT_TRANSFORM_CUT);
    PLANNED(plan("(8,8):(12,1)", 0, "(8,8):(8,1)", 0), 8, 8, 2, 0, CT_TRANSFORM_WHOLE);
    PLANNED(plan("(8,6):(1,8)", 0, "(8,6):(6,1)", 0), 6, 8, 6, 0, CT_TRANSFORM_BY_ELEMENT);
    /* Runs of less than two vectors are little but ends. */
    PLANNED(plan("(9,3):(4,1)", 0, "(9,3):(4,1)", 0), 3, 9, 1, 0, CT_TRANSFORM_SHORT);
    PLANNED(plan("(9,7):(8,1)", 0, "(9,7):(8,1)", 0), 7, 9, 2, 0, CT_TRANSFORM_SHORT);
    PLANNED(plan("(9,8):(12,1)", 0, "(9,8):(12,1)", 0), 8, 9, 2, 0, CT_TRANSFORM_WHOLE);
    PLANNED(plan("3:1", 0, "3:1", 0), 3, 1, 1, 0, CT_TRANSFORM_WHOLE);
    /* Both sides go down: the same elements from the other end. */
    PLANNED(plan("100:-1", 396, "100:-1", 396), 100, 1, 25, 25, CT_TRANSFORM_WHOLE);
    PLANNED(plan("100:-1", 396, "100:1", 0), 100, 1, 100, 0, CT_TRANSFORM_BY_ELEMENT);
    PLANNED(plan("100:0", 0, "100:1", 0), 100, 1, 100, 0, CT_TRANSFORM_BY_ELEMENT);
    PLANNED(plan("1:0", 4, "1:5", 0), 1, 1, 1, 0, CT_TRANSFORM_CUT);
}

static void from_the_other_end(void **state)
{
    const ct_transform_args p = plan("(4,25):(-1,-4)", 396, "(4,25):(-1,-4)", 396);
    (void)state;
    assert_ptr_equal(p.src, memory[0]);
    assert_ptr_equal(p.dst, memory[1]);
    assert_int_equal(p.blocks, 1);
    assert_int_equal(plan("513:1", 0, "513:1", 0).blocks, 2);
}

static void refused(const ct_transform_args p, int status, int why, const char *message)
{
    char text[256];
    assert_int_equal(p.err.status, status);
    assert_int_equal(p.err.why, why);
    assert_int_equal(p.blocks, 0);
    ct_error_message(p.err, text, sizeof text);
    assert_string_equal(text, message);
}

/* Doubles to a destination of that layout. */
static ct_transform_args wide_steps(const char *dst)
{
    const ct_layout to = L_(dst);
    return ct_make_transform(ct_make_transform_side(memory[0], ct_make_col_major(ct_shape(to)), 8),
                             ct_make_transform_side(memory[1], to, 8), 16);
}

static const char overflows[] =
    "transform: mode 1: the size or an offset does not fit in 64 bits";

/* The plan of elements of so many bytes by accesses of so many. */
static ct_transform_args by(int from, int to, int bytes)
{
    return ct_make_transform(ct_make_transform_side(memory[0], L_("8:1"), from),
                             ct_make_transform_side(memory[1], L_("8:1"), to), bytes);
}

static void refusals(void **state)
{
    (void)state;
    refused(plan("8:1", 0, "9:1", 0), CT_E_ARGUMENT, CT_WHY_SIZES,
            "common_refinement: the sizes 8 and 9 differ, and must be equal");
    refused(plan("8:1", 0, "8:0", 0), CT_E_ARGUMENT, CT_WHY_OVERLAP,
            "transform: elements of the destination meet or interleave: a step of 0 elements, and "
            "what lies below it takes 1");
    refused(plan("(4,2):(1,4)", 0, "(4,2):(1,3)", 0), CT_E_ARGUMENT, CT_WHY_OVERLAP,
            "transform: elements of the destination meet or interleave: a step of 3 elements, and "
            "what lies below it takes 4");
    refused(plan("8:1", 2, "8:1", 0), CT_E_ARGUMENT, CT_WHY_ADDRESS,
            "transform: the source's address is 2 past a multiple of 4, the bytes of an element");
    refused(plan("8:1", 0, "8:1", 1), CT_E_ARGUMENT, CT_WHY_ADDRESS,
            "transform: the destination's address is 1 past a multiple of 4, the bytes of an "
            "element");
    refused(by(4, 4, 2), CT_E_ARGUMENT, CT_WHY_ATOM_BITS,
            "transform: an access of 16 bits is no whole number of values of 32 bits");
    refused(by(4, 4, 12), CT_E_ARGUMENT, CT_WHY_ATOM,
            "transform: there is no access of 96 bits to elements of 32; powers of two of 8 to "
            "256, and of 8 to 64");
    refused(by(4, 4, 64), CT_E_ARGUMENT, CT_WHY_ATOM,
            "transform: there is no access of 512 bits to elements of 32; powers of two of 8 to "
            "256, and of 8 to 64");
    refused(by(4, 3, 16), CT_E_ARGUMENT, CT_WHY_ATOM,
            "transform: there is no access of 128 bits to elements of 24; powers of two of 8 to "
            "256, and of 8 to 64");
    refused(by(0, 4, 16), CT_E_ARGUMENT, CT_WHY_ATOM,
            "transform: there is no access of 128 bits to elements of 0; powers of two of 8 to "
            "256, and of 8 to 64");
    refused(plan("8:1@0", 0, "8:1", 0), CT_E_ARGUMENT, CT_WHY_NOT_INTEGER,
            "transform: leaf 0 is `_` or a basis element where an integer is needed");
    refused(plan("(2,15):(1,2)", 0, "(6,5):(1,6)", 0), CT_E_ARGUMENT, CT_WHY_SIZES,
            "common_refinement: the sizes 2 and 6 differ, and must be equal");
    refused(plan("2:1", 0, "2:4611686018427387904", 0), CT_E_OVERFLOW, CT_WHY_OVERFLOW,
            "transform: mode 0: the size or an offset does not fit in 64 bits");
    refused(plan("4398046511104:1", 0, "4398046511104:1", 0), CT_E_CAPACITY, CT_WHY_LEAVES,
            "transform: 8589934592 blocks are needed, and a launch has at most 2147483647");
    /* Steps in bytes that overflow, alone, together, and when they are turned round. */
    refused(wide_steps("(2,2):(1152921504606846975,1152921504606846975)"), CT_E_OVERFLOW,
            CT_WHY_OVERFLOW, overflows);
    refused(wide_steps("(2,2):(576460752303423488,1152921504606846975)"), CT_E_OVERFLOW,
            CT_WHY_OVERFLOW, overflows);
    refused(wide_steps("2:-1152921504606846976"), CT_E_OVERFLOW, CT_WHY_OVERFLOW,
            "transform: mode 0: the size or an offset does not fit in 64 bits");
    ct_layout failed = ct_composition(L_("(4,2):(1,8)"), L_("3:3"));
    const ct_transform_args p =
        ct_make_transform(ct_make_transform_side(memory[0], failed, 4),
                          ct_make_transform_side(memory[1], L_("3:1"), 4), 16);
    assert_int_equal(p.err.op, CT_OP_COMPOSITION);
}

/* ---- elements -------------------------------------------------------------------------------- */

static int same(float a, float b) { return isnan(a) ? isnan(b) : a == b && signbit(a) == signbit(b); }

/* Every half; floats of every exponent about the middle between two halves. */
static void halves(void **state)
{
    (void)state;
#if defined(__FLT16_MANT_DIG__)
    for (uint32_t bits = 0; bits < 0x10000; ++bits) {
        const uint16_t stored = (uint16_t)bits;
        _Float16 h;
        memcpy(&h, &stored, sizeof h);
        if (!same(ct_float_of_half(bits), (float)h)) fail_msg("half %04x", (unsigned)bits);
        if (!isnan((float)h)) assert_int_equal(ct_half_of_float((float)h), bits);
    }
    for (uint32_t high = 0; high < 0x20000; ++high) {
        static const uint32_t lows[] = {0, 1, 0xfff, 0x1000, 0x1001, 0x1fff, 0x2000, 0x3000, 0x3001, 0x7fff};
        for (int k = 0; k < 10; ++k) {
            const float x = ct_float_of_bits(high << 15 | lows[k]);
            const _Float16 h = (_Float16)x;
            uint16_t bits;
            memcpy(&bits, &h, sizeof bits);
            const uint32_t found = ct_half_of_float(x);
            if (isnan(x) ? !isnan(ct_float_of_half(found)) : found != bits)
                fail_msg("%a gives %04x, not %04x", (double)x, (unsigned)found, (unsigned)bits);
        }
    }
#else
    skip();
#endif
}

/* A bfloat16 is the nearest of the two around x, the even one between them. */
static void bfloat16s(void **state)
{
    (void)state;
    for (uint32_t high = 0; high < 0x10000; ++high) {
        static const uint32_t lows[] = {0, 1, 0x7fff, 0x8000, 0x8001, 0xffff};
        for (int k = 0; k < 6; ++k) {
            const float x = ct_float_of_bits(high << 16 | lows[k]);
            const uint32_t found = ct_bfloat16_of_float(x);
            const uint32_t up = lows[k] > 0x8000 || (lows[k] == 0x8000 && (high & 1));
            if (isnan(x) ? !isnan(ct_float_of_bfloat16(found)) : found != high + up)
                fail_msg("%a gives %04x", (double)x, (unsigned)found);
        }
    }
}

/* Put in order, elements of every type come back, and lie as in memory. */
static void places(void **state)
{
    uint32_t w[4];
    (void)state;
#define PLACES(type, ctype, count, values)                                       \
    do {                                                                         \
        const ctype all[count] = values;                                         \
        memset(w, 0xff, sizeof w);                                               \
        for (int i = 0; i < count; ++i) ct_put_##type(w, i, all[i]);             \
        assert_memory_equal(w, all, sizeof all);                                 \
        for (int i = 0; i < count; ++i) assert_true(ct_get_##type(w, i) == all[i]); \
    } while (0)
#define LIST(...) {__VA_ARGS__}
    PLACES(int8, int8_t, 16, LIST(-1, 2, -3, 4, 5, -128, 127, 8, 9, 10, 11, 12, 13, 14, 15, -16));
    PLACES(uint8, uint8_t, 16, LIST(1, 2, 3, 4, 255, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 128));
    PLACES(int16, int16_t, 8, LIST(-1, 2, -32768, 32767, 5, -6, 7, 8));
    PLACES(uint16, uint16_t, 8, LIST(1, 65535, 3, 4, 5, 6, 7, 8));
    PLACES(int32, int32_t, 4, LIST(-1, 2, INT32_MIN, 4));
    PLACES(uint32, uint32_t, 4, LIST(1, UINT32_MAX, 3, 4));
    PLACES(int64, int64_t, 2, LIST(-1, INT64_MIN));
    PLACES(uint64, uint64_t, 2, LIST(UINT64_MAX, 2));
    PLACES(float, float, 4, LIST(-0.0f, 1e-40f, INFINITY, 3));
    PLACES(double, double, 2, LIST(1e-310, -INFINITY));
}

/* ---- types of different sizes ---------------------------------------------------------------- */

/* Runs a kernel over n elements at so many elements past a boundary. */
static void launch(const ct_grid_kernel *kernel, ct_transform_args args, size_t src_bytes, size_t dst_bytes)
{
    const ct_grid_buffer buffers[] = {
        {"src", (void *)(uintptr_t)args.src, src_bytes, args.src == args.dst,
         (int32_t)((uintptr_t)args.src % 256)},
        {"dst", args.dst, dst_bytes, 1, (int32_t)((uintptr_t)args.dst % 256)}};
    const ct_grid_options options = {.buffers = buffers, .buffer_count = args.src == args.dst ? 1 : 2,
                                     .no_records = 1};
    const ct_dim3 grid = {(uint32_t)args.blocks, 1, 1}, block = {CT_TRANSFORM_THREADS, 1, 1};
    ct_grid_report report;
    assert_int_equal(args.err.status, CT_OK);
    args.number[0] = 0.5f;
    args.number[1] = 1;
    args.number[2] = -3;
    args.number[3] = 0.25f;
    if (ct_grid_launch(kernel, grid, block, 0, &args, sizeof args, &options, &report))
        fail_msg("%s", report.message);
    ct_grid_report_free(&report);
}

/* All sizes to 70 and a larger one, from each of some addresses to each of others. */
#define CONVERSION(kernel, access, from, to, source, right)                                        \
    do {                                                                                           \
        for (int64_t n = 1; n < 1500; n += n < 70 ? 1 : 700) {                                     \
            const int src_at = (int)(n * 5 % 19), dst_at = (int)(n * 7 % 17);                      \
            from *const src = (from *)(void *)(wide[0] + 256) + src_at;                            \
            to *const dst = (to *)(void *)(wide[1] + 256) + dst_at;                                \
            memset(wide, 0xa5, sizeof wide);                                                       \
            for (int64_t i = 0; i < n; ++i) src[i] = (from)(source);                               \
            launch(&kernel, ct_make_transform(ct_make_transform_side(src, ct_layout1(n, 1), sizeof(from)), \
                                              ct_make_transform_side(dst, ct_layout1(n, 1), sizeof(to)),   \
                                              access),                                             \
                   (size_t)n * sizeof(from), (size_t)n * sizeof(to));                              \
            for (int64_t i = 0; i < n; ++i)                                                        \
                if (dst[i] != (to)(right)) fail_msg(#kernel ": %lld of %lld", (long long)i, (long long)n); \
            const unsigned char *const end = (const unsigned char *)(dst + n);                     \
            for (int i = 1; i < 64; ++i)                                                           \
                assert_true(((unsigned char *)dst)[-i] == 0xa5 && end[i - 1] == 0xa5);             \
        }                                                                                          \
    } while (0)

static _Alignas(256) unsigned char wide[2][16384];

/* A kernel that gets arguments made for another one stops. */
static void wrong_form(void **state)
{
    const ct_transform_args args = by(4, 4, 16); /* float to half takes (4, 2, 16) */
    const ct_grid_buffer buffers[] = {{"src", memory[0], 4096, 0, 0}, {"dst", memory[1], 4096, 1, 0}};
    const ct_grid_options options = {.buffers = buffers, .buffer_count = 2, .no_records = 1};
    ct_grid_report report;
    (void)state;
    ct_grid_launch(&tk_float_half, (ct_dim3){1, 1, 1}, (ct_dim3){CT_TRANSFORM_THREADS, 1, 1}, 0,
                   &args, sizeof args, &options, &report);
    assert_int_equal(report.status, CT_GRID_E_ATOM);
    ct_grid_report_free(&report);
}

static void conversions(void **state)
{
    (void)state;
    CONVERSION(tk_float_half, 16, float, uint16_t, i, ct_half_of_float(0.5f * (float)i + 1));
    CONVERSION(tk_half_float, 16, uint16_t, float, ct_half_of_float((float)i), 2 * i);
    CONVERSION(tk_uint8_float, 16, uint8_t, float, i, 0.5f * (float)(i & 255));
    CONVERSION(tk_double_int8, 16, double, int8_t, i % 100, i % 100 / 2);
    CONVERSION(tk_int32_int64, 16, int32_t, int64_t, -i, -i * 1000000007);
    CONVERSION(tk_float_half_8, 8, float, uint16_t, i, ct_half_of_float((float)i - 3));
    CONVERSION(tk_int8_int16_2, 2, int8_t, int16_t, i, -(int8_t)i);
    CONVERSION(tk_double_8, 8, double, double, i, 0.25 * (double)i);
}

/* The destination is the source: each element once. */
static void in_place(void **state)
{
    (void)state;
    for (int64_t n = 1; n < 1500; n += n < 40 ? 1 : 400) {
        double *const data = (double *)(void *)wide[0] + n % 5;
        for (int64_t i = 0; i < n; ++i) data[i] = (double)i;
        const ct_transform_side side = ct_make_transform_side(data, ct_layout1(n, 1), 8);
        launch(&tk_double_8, ct_make_transform(side, side, 8), (size_t)n * 8, (size_t)n * 8);
        for (int64_t i = 0; i < n; ++i) assert_true(data[i] == 0.25 * (double)i);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs),   cmocka_unit_test(from_the_other_end), cmocka_unit_test(refusals),
        cmocka_unit_test(halves), cmocka_unit_test(bfloat16s),          cmocka_unit_test(places),
        cmocka_unit_test(conversions), cmocka_unit_test(in_place),
        cmocka_unit_test(wrong_form),
    };
    return cmocka_run_group_tests_name("transform", tests, NULL, NULL);
}
