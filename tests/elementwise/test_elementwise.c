/* Element-wise kernels on the CPU grid: how their arguments are made, and what is refused; random
 * operands against the definition; and the elements of fragments against the compiler's own
 * conversions. */
#include "sweep.h"

#include <math.h>

#include <cutlet/host/grid.h>
#include <cutlet/host/text.h>
#include "elementwise_kernels.cu"
#include "layouts.h"

static _Alignas(256) unsigned char memory[2][8192];

/* The arguments for floats at this many bytes past a boundary. */
static ct_elementwise_args plan(const char *src, int src_at, const char *dst, int dst_at)
{
    const ct_operand from = ct_make_operand(memory[0] + src_at, L_(src), 4);
    return ct_make_elementwise(&from, 1, ct_make_operand(memory[1] + dst_at, L_(dst), 4), 16);
}

#define PLANNED(a, extent_, runs_, vectors_, whole_, way_)                                         \
    do {                                                                                           \
        const ct_elementwise_args p = a;                                                           \
        assert_int_equal(p.err.status, CT_OK);                                                     \
        assert_int_equal(p.extent[0], extent_);                                                    \
        assert_int_equal(p.runs, runs_);                                                           \
        assert_int_equal(p.vectors, vectors_);                                                     \
        assert_int_equal(p.whole, whole_);                                                         \
        assert_int_equal(p.path, CT_ELEMENTWISE_##way_);                                           \
    } while (0)

TEST(runs)
{
    PLANNED(plan("100:1", 0, "100:1", 0), 100, 1, 25, 0, WHOLE);
    PLANNED(plan("1200:1", 0, "1200:1", 0), 1200, 1, 300, 2, WHOLE); /* a tile has 512 elements */
    PLANNED(plan("102:1", 0, "102:1", 0), 102, 1, 26, 0, WHOLE);
    /* One element further on both sides: a vector more may be needed, and all lie alike. */
    PLANNED(plan("1200:1", 4, "1200:1", 4), 1200, 1, 301, 0, WHOLE);
    PLANNED(plan("100:1", 4, "100:1", 8), 100, 1, 26, 0, CUT);
    PLANNED(plan("100:1", 4, "100:1", 0), 100, 1, 25, 0, CUT);
    /* Compact matrices of one order are one run, in any nesting; padded ones a run for each row. */
    PLANNED(plan("(8,6):(6,1)", 0, "(8,6):(6,1)", 0), 48, 1, 12, 0, WHOLE);
    PLANNED(plan("((2,4),6):((6,12),1)", 0, "(8,6):(6,1)", 0), 48, 1, 12, 0, WHOLE);
    PLANNED(plan("(2,15):(1,2)", 0, "(6,5):(1,6)", 0), 30, 1, 8, 0, WHOLE);
    PLANNED(plan("(8,6):(8,1)", 0, "(8,6):(6,1)", 0), 6, 8, 6, 0, SHORT);
    PLANNED(plan("(8,18):(20,1)", 0, "(8,18):(18,1)", 0), 18, 8, 6, 0, CUT);
    PLANNED(plan("(8,8):(12,1)", 0, "(8,8):(8,1)", 0), 8, 8, 2, 0, WHOLE);
    PLANNED(plan("(8,6):(1,8)", 0, "(8,6):(6,1)", 0), 6, 8, 6, 0, BY_ELEMENT);
    /* Long rows have blocks of their own, and whole tiles where all of them are aligned. */
    PLANNED(plan("(3,600):(608,1)", 0, "(3,600):(608,1)", 0), 600, 3, 150, 0, WHOLE);
    PLANNED(plan("(3,1020):(1024,1)", 0, "(3,1020):(1020,1)", 0), 1020, 3, 255, 1, WHOLE);
    PLANNED(plan("(3,1020):(1024,1)", 0, "(3,1020):(1021,1)", 0), 1020, 3, 256, 0, CUT);
    /* Runs of less than two vectors are little but ends. */
    PLANNED(plan("(9,3):(4,1)", 0, "(9,3):(4,1)", 0), 3, 9, 3, 0, SHORT);
    PLANNED(plan("(9,7):(8,1)", 0, "(9,7):(8,1)", 0), 7, 9, 7, 0, SHORT);
    PLANNED(plan("(9,8):(12,1)", 0, "(9,8):(12,1)", 0), 8, 9, 2, 0, WHOLE);
    PLANNED(plan("(9,4):(12,1)", 0, "(9,4):(12,1)", 0), 4, 9, 1, 0, WHOLE);
    PLANNED(plan("3:1", 0, "3:1", 0), 3, 1, 1, 0, WHOLE);
    /* Both sides go down: the same elements from the other end. */
    PLANNED(plan("100:-1", 396, "100:-1", 396), 100, 1, 25, 0, WHOLE);
    PLANNED(plan("100:-1", 396, "100:1", 0), 100, 1, 100, 0, BY_ELEMENT);
    /* One element for all, one for each row, one row for all. */
    PLANNED(plan("1200:0", 4, "1200:1", 0), 1200, 1, 300, 0, WHOLE);
    PLANNED(plan("(3,1024):(1,0)", 4, "(3,1024):(1024,1)", 0), 1024, 3, 256, 0, WHOLE);
    PLANNED(plan("(3,1024):(0,1)", 0, "(3,1024):(1024,1)", 0), 1024, 3, 256, 2, WHOLE);
    PLANNED(plan("(3,1024):(0,1)", 4, "(3,1024):(1024,1)", 0), 1024, 3, 256, 0, CUT);
    PLANNED(plan("1:0", 4, "1:5", 0), 1, 1, 1, 0, CUT);
}

TEST(blocks)
{
    const ct_elementwise_args p = plan("(4,25):(-1,-4)", 396, "(4,25):(-1,-4)", 396);
    assert_ptr_equal(p.side[1].at, memory[0]);
    assert_ptr_equal(p.side[0].at, memory[1]);
    assert_int_equal(p.blocks, 1);
    assert_int_equal(plan("513:1", 0, "513:1", 0).blocks, 2);
    assert_int_equal(plan("(3,1020):(1024,1)", 0, "(3,1020):(1020,1)", 0).blocks, 6);
    assert_int_equal(plan("(30,600):(608,1)", 0, "(30,600):(608,1)", 0).blocks, 36); /* go on */
    assert_int_equal(plan("(30,6):(8,1)", 0, "(30,6):(8,1)", 0).blocks, 2);
}

static void refused(const ct_elementwise_args p, int status, int why, const char *message)
{
    char text[256];
    assert_int_equal(p.err.status, status);
    assert_int_equal(p.err.why, why);
    assert_int_equal(p.blocks, 0);
    ct_error_message(p.err, text, sizeof text);
    assert_memory_equal(text, "elementwise: ", 13);
    assert_string_equal(text + 13, message);
}

/* Doubles to a destination of that layout. */
static ct_elementwise_args wide_steps(const char *dst)
{
    const ct_layout to = L_(dst);
    const ct_operand from = ct_make_operand(memory[0], ct_make_col_major(ct_shape(to)), 8);
    return ct_make_elementwise(&from, 1, ct_make_operand(memory[1], to, 8), 16);
}

/* Elements of this many bytes by accesses of this many. */
static ct_elementwise_args by(int from, int to, int bytes)
{
    const ct_operand in = ct_make_operand(memory[0], L_("8:1"), from);
    return ct_make_elementwise(&in, 1, ct_make_operand(memory[1], L_("8:1"), to), bytes);
}

/* Float to float from one layout and address to another. */
TEST(refused_copies)
{
    static const struct {
        const char *src;
        int src_at;
        const char *dst;
        int dst_at;
        int status, why;
        const char *message;
    } rows[] = {
        {"8:1", 0, "9:1", 0, CT_E_ARGUMENT, CT_WHY_SIZES,
         "input 0 has 8 elements, and the destination has 9"},
        {"8:1", 0, "8:0", 0, CT_E_ARGUMENT, CT_WHY_OVERLAP,
         "elements of the destination meet or interleave: a step of 0 elements, and what lies "
         "below it takes 1"},
        {"(4,2):(1,4)", 0, "(4,2):(1,3)", 0, CT_E_ARGUMENT, CT_WHY_OVERLAP,
         "elements of the destination meet or interleave: a step of 3 elements, and what lies "
         "below it takes 4"},
        {"8:1", 2, "8:1", 0, CT_E_ARGUMENT, CT_WHY_ADDRESS,
         "the address of input 0 is 2 past a multiple of 4, the bytes of an element"},
        {"8:1", 0, "8:1", 1, CT_E_ARGUMENT, CT_WHY_ADDRESS,
         "the destination's address is 1 past a multiple of 4, the bytes of an element"},
        {"8:1@0", 0, "8:1", 0, CT_E_ARGUMENT, CT_WHY_NOT_INTEGER,
         "input 0 has `_` or a basis stride where integers are needed"},
        {"8:1", 0, "8:1@0", 0, CT_E_ARGUMENT, CT_WHY_NOT_INTEGER,
         "the destination has `_` or a basis stride where integers are needed"},
        {"(6,5):(1,9)", 0, "(5,6):(1,7)", 0, CT_E_ARGUMENT, CT_WHY_DIVIDE,
         "the shapes of input 0 and the destination have no common refinement: of 6 and 5 "
         "elements, neither divides the other"},
        {"(5,6):(1,9)", 0, "(6,5):(1,7)", 0, CT_E_ARGUMENT, CT_WHY_DIVIDE,
         "the shapes of the destination and input 0 have no common refinement: of 6 and 5 "
         "elements, neither divides the other"},
        {"2:1", 0, "2:4611686018427387904", 0, CT_E_OVERFLOW, CT_WHY_OVERFLOW,
         "the destination has an offset in bytes that does not fit in 64 bits"},
        {"2:4611686018427387904", 0, "2:1", 0, CT_E_OVERFLOW, CT_WHY_OVERFLOW,
         "input 0 has an offset in bytes that does not fit in 64 bits"},
        {"4398046511104:1", 0, "4398046511104:1", 0, CT_E_CAPACITY, CT_WHY_LEAVES,
         "8589934592 blocks are needed, and a launch has at most 2147483647"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i)
        refused(plan(rows[i].src, rows[i].src_at, rows[i].dst, rows[i].dst_at), rows[i].status,
                rows[i].why, rows[i].message);
}

/* Accesses that there are not: of this many bytes to elements of this many. */
TEST(refused_accesses)
{
    static const struct {
        int from, to, bytes, named; /* the element that the message names */
    } rows[] = {{4, 4, 12, 4}, {4, 4, 64, 4}, {4, 3, 16, 3}, {0, 4, 16, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        char message[160];
        snprintf(
            message, sizeof message,
            "there is no access of %d bits to elements of %d; powers of two of 8 to 256, and of "
            "8 to 64",
            8 * rows[i].bytes, 8 * rows[i].named);
        refused(by(rows[i].from, rows[i].to, rows[i].bytes), CT_E_ARGUMENT, CT_WHY_ATOM, message);
    }
    refused(by(4, 4, 2), CT_E_ARGUMENT, CT_WHY_ATOM_BITS,
            "an access of 16 bits is not a whole number of values of 32 bits");
}

/* Steps in bytes that overflow, alone, together, and when they are turned round. */
TEST(refused_steps)
{
    static const char *const layouts[] = {"(2,2):(1152921504606846975,1152921504606846975)",
                                          "(2,2):(576460752303423488,1152921504606846975)",
                                          "2:-1152921504606846976"};
    for (size_t i = 0; i < sizeof layouts / sizeof layouts[0]; ++i)
        refused(wide_steps(layouts[i]), CT_E_OVERFLOW, CT_WHY_OVERFLOW,
                "the destination has an offset in bytes that does not fit in 64 bits");
}

/* An error that an operand brings along is passed on. */
TEST(failed_operand)
{
    ct_layout failed = ct_composition(L_("(4,2):(1,8)"), L_("3:3"));
    const ct_operand from = ct_make_operand(memory[0], failed, 4);
    const ct_elementwise_args p =
        ct_make_elementwise(&from, 1, ct_make_operand(memory[1], L_("3:1"), 4), 16);
    assert_int_equal(p.err.op, CT_OP_COMPOSITION);
}

/* What several inputs can have wrong: the message names the one. */
TEST(refusals_of_several)
{
    const ct_operand to = ct_make_operand(memory[1], L_("(4,6):(1,4)"), 4);
    ct_operand from[9];
    for (int k = 0; k < 9; ++k) from[k] = ct_make_operand(memory[0], L_("(4,6):(6,1)"), 4);
    refused(ct_make_elementwise(from, 9, to, 16), CT_E_CAPACITY, CT_WHY_RANGE,
            "there are 9 inputs, and 0 to 8 are possible");
    refused(ct_make_elementwise(from, -1, to, 16), CT_E_CAPACITY, CT_WHY_RANGE,
            "there are -1 inputs, and 0 to 8 are possible");
    from[5].layout = L_("25:0");
    refused(ct_make_elementwise(from, 8, to, 16), CT_E_ARGUMENT, CT_WHY_SIZES,
            "input 5 has 25 elements, and the destination has 24");
    from[5].layout = L_("(6,4):(4,1)");
    refused(ct_make_elementwise(from, 8, to, 16), CT_E_ARGUMENT, CT_WHY_DIVIDE,
            "the shapes of inputs 5 and 0 have no common refinement: of 6 and 4 "
            "elements, neither divides the other");
    from[5].layout = L_("(4,6):(6,1)");
    from[7].at = memory[0] + 1;
    refused(ct_make_elementwise(from, 8, to, 16), CT_E_ARGUMENT, CT_WHY_ADDRESS,
            "the address of input 7 is 1 past a multiple of 4, the bytes of an element");
    from[0].layout = L_("(2,2,2,2,2,2,2,2,2):(1,3,7,15,31,63,127,255,511)");
    refused(ct_make_elementwise(from, 1, ct_make_operand(memory[1], L_("512:1"), 1), 16),
            CT_E_CAPACITY, CT_WHY_RANK_MORE,
            "9 modes are left of the layouts, and at most 8 are possible");
}

/* ---- elements -------------------------------------------------------------------------------- */

static int same(float a, float b)
{
    return isnan(a) ? isnan(b) : a == b && signbit(a) == signbit(b);
}

/* Every half; floats of every exponent about the middle between two halves. */
TEST(halves)
{
#if defined(__FLT16_MANT_DIG__)
    for (uint32_t bits = 0; bits < 0x10000; ++bits) {
        const uint16_t stored = (uint16_t)bits;
        _Float16 h;
        memcpy(&h, &stored, sizeof h);
        if (!same(ct_float_of_half(bits), (float)h)) fail_msg("half %04x", (unsigned)bits);
        if (!isnan((float)h)) assert_int_equal(ct_half_of_float((float)h), bits);
    }
    for (uint32_t high = 0; high < 0x20000; ++high) {
        static const uint32_t lows[] = {0,      1,      0xfff,  0x1000, 0x1001,
                                        0x1fff, 0x2000, 0x3000, 0x3001, 0x7fff};
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
TEST(bfloat16s)
{
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

/* Put in any order and in place, elements of every type come back, and lie as in memory. */
TEST(arrays)
{
    uint32_t w[4];
#define PLACES(type, ctype, count, values)                                                         \
    do {                                                                                           \
        const ctype all[count] = values;                                                           \
        memset(w, 0xff, sizeof w);                                                                 \
        for (int i = 0; i < count; ++i) ct_fill_##type(w, i, all[i]);                              \
        assert_memory_equal(w, all, sizeof all);                                                   \
        for (int step = 1; step < 2 * count; step += 2)                                            \
            for (int k = 0; k < count; ++k) { /* powers of two: each i once */                     \
                const int i = (k * step + step / 2) % count;                                       \
                ct_put_##type(w, i, (ctype)0);                                                     \
                assert_true(ct_get_##type(w, i) == (ctype)0);                                      \
                ct_put_##type(w, i, all[i]);                                                       \
                assert_memory_equal(w, all, sizeof all);                                           \
            }                                                                                      \
        for (int i = 0; i < count; ++i) assert_true(ct_get_##type(w, i) == all[i]);                \
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
#define HALVES(type)                                                                               \
    do {                                                                                           \
        for (int i = 0; i < 8; ++i) ct_put_##type(w, i, 8 - (float)i);                             \
        for (int i = 7; i >= 0; --i) ct_put_##type(w, i, 2 * ct_get_##type(w, i));                 \
        for (int i = 0; i < 8; ++i) ct_put_##type(w, i, 1 + ct_get_##type(w, i));                  \
        for (int i = 0; i < 8; ++i) assert_true(ct_get_##type(w, i) == 17 - 2 * (float)i);         \
    } while (0)
    HALVES(half);
    HALVES(bfloat16);
}

/* ---- types of different sizes ---------------------------------------------------------------- */

/* Runs a kernel over n elements at this many elements past a boundary. */
static void launch(const ct_grid_kernel *kernel, ct_elementwise_args args, size_t src_bytes,
                   size_t dst_bytes)
{
    unsigned char *const src = args.side[1].at, *const dst = args.side[0].at;
    const ct_grid_buffer buffers[] = {
        {"src", src, src_bytes, src == dst, (int32_t)((uintptr_t)src % 256)},
        {"dst", dst, dst_bytes, 1, (int32_t)((uintptr_t)dst % 256)}};
    const ct_grid_options options = {
        .buffers = buffers, .buffer_count = src == dst ? 1 : 2, .no_records = 1};
    const ct_dim3 grid = {(uint32_t)args.blocks, 1, 1}, block = {CT_ELEMENTWISE_THREADS, 1, 1};
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
            const ct_operand in = ct_make_operand(src, ct_layout1(n, 1), sizeof(from));            \
            const ct_operand out = ct_make_operand(dst, ct_layout1(n, 1), sizeof(to));             \
            launch(&kernel, ct_make_elementwise(&in, 1, out, access), (size_t)n * sizeof(from),    \
                   (size_t)n * sizeof(to));                                                        \
            for (int64_t i = 0; i < n; ++i)                                                        \
                if (dst[i] != (to)(right))                                                         \
                    fail_msg(#kernel ": %lld of %lld", (long long)i, (long long)n);                \
            const unsigned char *const end = (const unsigned char *)(dst + n);                     \
            for (int i = 1; i < 64; ++i)                                                           \
                assert_true(((unsigned char *)dst)[-i] == 0xa5 && end[i - 1] == 0xa5);             \
        }                                                                                          \
    } while (0)

static _Alignas(256) unsigned char wide[2][16384];

/* A kernel that gets arguments made for another one stops. */
TEST(wrong_form)
{
    const ct_elementwise_args args = by(4, 4, 16); /* float to half takes (4, 2, 16) */
    const ct_grid_buffer buffers[] = {{"src", memory[0], 4096, 0, 0},
                                      {"dst", memory[1], 4096, 1, 0}};
    const ct_grid_options options = {.buffers = buffers, .buffer_count = 2, .no_records = 1};
    ct_grid_report report;
    ct_grid_launch(&ek_float_half, (ct_dim3){1, 1, 1}, (ct_dim3){CT_ELEMENTWISE_THREADS, 1, 1}, 0,
                   &args, sizeof args, &options, &report);
    assert_int_equal(report.status, CT_GRID_E_ATOM);
    ct_grid_report_free(&report);
}

TEST(conversions)
{
    CONVERSION(ek_float_half, 16, float, uint16_t, i, ct_half_of_float(0.5f * (float)i + 1));
    CONVERSION(ek_half_float, 16, uint16_t, float, ct_half_of_float((float)i), 2 * i);
    CONVERSION(ek_uint8_float, 16, uint8_t, float, i, 0.5f * (float)(i & 255));
    CONVERSION(ek_double_int8, 16, double, int8_t, i % 100, i % 100 / 2);
    CONVERSION(ek_int32_int64, 16, int32_t, int64_t, -i, -i * 1000000007);
    CONVERSION(ek_float_half_8, 8, float, uint16_t, i, ct_half_of_float((float)i - 3));
    CONVERSION(ek_int8_int16_2, 2, int8_t, int16_t, i, -(int8_t)i);
    CONVERSION(ek_double_8, 8, double, double, i, 0.25 * (double)i);
}

/* The destination is the source: each element once. */
TEST(in_place)
{
    for (int64_t n = 1; n < 1500; n += n < 40 ? 1 : 400) {
        double *const data = (double *)(void *)wide[0] + n % 5;
        for (int64_t i = 0; i < n; ++i) data[i] = (double)i;
        const ct_operand side = ct_make_operand(data, ct_layout1(n, 1), 8);
        launch(&ek_double_8, ct_make_elementwise(&side, 1, side, 8), (size_t)n * 8, (size_t)n * 8);
        for (int64_t i = 0; i < n; ++i) assert_true(data[i] == 0.25 * (double)i);
    }
}

/* ---- any number of inputs -------------------------------------------------------------------- */

/* A kernel, the bytes of its elements, side 0 the destination, and what it makes of a value each.
 * */
typedef struct kernel_row {
    const ct_grid_kernel *kernel;
    int inputs, access, bytes[CT_SIDES];
    int64_t (*of)(const int64_t *x);
} kernel_row;

static int64_t fill_of(const int64_t *x)
{
    (void)x;
    return 7;
}
static int64_t copy_of(const int64_t *x) { return x[0]; }
static int64_t sum_of(const int64_t *x) { return x[0] + x[1]; }
static int64_t mixed_of(const int64_t *x) { return x[0] + 3 * (int8_t)x[1] + 5 * x[2]; }
static int64_t mixed_8_of(const int64_t *x) { return x[0] + 3 * x[1] + 5 * x[2]; }
static int64_t eight_of(const int64_t *x)
{
    static const int by[] = {1, 3, 5, 7, 11, 13, 17, 19};
    int64_t sum = 0;
    for (int k = 0; k < 8; ++k) sum += by[k] * x[k];
    return sum;
}

/* Halves, a float between them: the C compiler's own rounding is not in question here. */
static int64_t halves_of(const int64_t *x)
{
    return ct_half_of_float(ct_float_of_half((uint32_t)x[0]) * ct_float_of_bits((uint32_t)x[1]) +
                            ct_float_of_half((uint32_t)x[2]));
}

static const kernel_row kernel_rows[] = {
    {&ek_fill, 0, 16, {4}, fill_of},
    {&ek_copy, 1, 16, {4, 4}, copy_of},
    {&ek_copy_4, 1, 4, {4, 4}, copy_of},
    {&ek_bytes, 2, 16, {1, 1, 1}, sum_of},
    {&ek_bytes_1, 2, 1, {1, 1, 1}, sum_of},
    {&ek_bytes_32, 2, 32, {1, 1, 1}, sum_of},
    {&ek_mixed, 3, 16, {8, 8, 1, 2}, mixed_of},
    {&ek_mixed_8, 3, 8, {2, 8, 1, 2}, mixed_8_of},
    {&ek_halves, 3, 16, {2, 2, 4, 2}, halves_of},
    {&ek_eight, 8, 16, {4, 4, 4, 4, 4, 4, 4, 4, 4}, eight_of},
};

/* A tensor in a buffer of its own. */
typedef struct tensor {
    unsigned char *memory, *at, *begin; /* element at offset 0, and the lowest byte */
    size_t all, bytes;
    ct_layout layout;
    int elem;
} tensor;

enum { GUARD = 256, POISON = 0xa5 };

static tensor take(ct_layout layout, int elem)
{
    tensor t = {.layout = layout, .elem = elem};
    const int64_t low = ct_lowest(layout);
    const size_t past = (size_t)(sweep_int(0, 2) == 0 ? 0 : sweep_int(0, 32) * elem);
    t.bytes = (size_t)(ct_cosize(layout) * elem);
    t.all = (t.bytes + past + 3 * GUARD - 1) / GUARD * GUARD;
    t.memory = aligned_alloc(GUARD, t.all);
    assert_non_null(t.memory);
    memset(t.memory, POISON, t.all);
    t.begin = t.memory + GUARD + past;
    t.at = t.begin - low * elem;
    return t;
}

static unsigned char *element_of(const tensor *t, int64_t i)
{
    return t->at + ct_eval(t->layout, i) * t->elem;
}

/* Operands of one shape: the destination, which is met once, and inputs, which may repeat. */
static int take_operands(const kernel_row *row, tensor *t)
{
    static const int64_t sizes[] = {1, 2, 3, 4, 5, 8, 16, 31, 64};
    int64_t factor[4];
    const int factors = (int)sweep_int(1, 4);
    int64_t all = 1;
    for (int i = 0; i < factors; ++i) {
        factor[i] = sizes[sweep_int(0, 8)];
        if (sweep_int(0, 6) == 0) factor[i] = sweep_int(1, 2500);
        if (all * factor[i] > 6000) factor[i] = 1;
        all *= factor[i];
    }
    t[0] = take(layout_noncontiguous(factor, factors), row->bytes[0]);
    for (int k = 1; k <= row->inputs; ++k) {
        const int in_place = row->bytes[k] == row->bytes[0] && sweep_int(0, 9) == 0;
        const ct_layout L = sweep_int(0, 2) == 0 ? t[0].layout : layout_of(factor, factors);
        t[k] = in_place ? t[0] : take(L, row->bytes[k]);
        for (size_t i = 0; i < t[k].bytes; ++i) t[k].begin[i] = (unsigned char)sweep_int(0, 255);
        for (int64_t i = 0; row->kernel == &ek_halves && i < ct_size(t[k].layout); ++i) {
            uint32_t w = row->bytes[k] == 2 ? ct_half_of_float((float)sweep_int(-40, 40) / 8)
                                            : ct_bits_of_float((float)sweep_int(-40, 40) / 8);
            memcpy(element_of(&t[k], i), &w, (size_t)row->bytes[k]);
        }
    }
    return (int)ct_size(t[0].layout);
}

static int paths[4], tiles; /* that the sweep has seen */

static void check_operands(const kernel_row *row)
{
    tensor t[CT_SIDES];
    ct_operand from[CT_SIDES];
    ct_grid_buffer buffers[CT_SIDES];
    int count = 0;
    const int n = take_operands(row, t);
    unsigned char *const right = malloc(t[0].all);
    assert_non_null(right);
    memcpy(right, t[0].memory, t[0].all);
    for (int i = 0; i < n; ++i) {
        int64_t x[CT_SIDES] = {0};
        for (int k = 1; k <= row->inputs; ++k)
            memcpy(&x[k - 1], element_of(&t[k], i), (size_t)t[k].elem);
        const int64_t y = row->of(x);
        memcpy(right + (element_of(&t[0], i) - t[0].memory), &y, (size_t)t[0].elem);
    }
    for (int k = 0; k <= row->inputs; ++k) {
        if (k > 0) from[k - 1] = ct_make_operand(t[k].at, t[k].layout, t[k].elem);
        if (k == 0 || t[k].memory != t[0].memory)
            buffers[count++] = (ct_grid_buffer){"operand", t[k].begin, t[k].bytes, k == 0,
                                                (int32_t)((uintptr_t)t[k].begin % 256)};
    }
    const ct_elementwise_args args = ct_make_elementwise(
        from, row->inputs, ct_make_operand(t[0].at, t[0].layout, t[0].elem), row->access);
    if (args.err.status == CT_OK) {
        const ct_grid_options options = {
            .buffers = buffers, .buffer_count = count, .no_records = 1};
        ct_grid_report report;
        if (ct_grid_launch(row->kernel, (ct_dim3){(uint32_t)args.blocks, 1, 1},
                           (ct_dim3){CT_ELEMENTWISE_THREADS, 1, 1}, 0, &args, sizeof args, &options,
                           &report))
            fail_msg("%s: %s", row->kernel->name, report.message);
        ct_grid_report_free(&report);
        if (memcmp(t[0].memory, right, t[0].all) != 0) {
            for (int k = 0; k <= row->inputs; ++k)
                print_error("    %s at +%d\n", show(t[k].layout), (int)((uintptr_t)t[k].at % 256));
            fail_msg("%s, path %d", row->kernel->name, args.path);
        }
    } else {
        assert_int_equal(args.err.why, CT_WHY_RANK_MORE);
    }
    for (int k = row->inputs; k >= 0; --k)
        if (k == 0 || t[k].memory != t[0].memory) free(t[k].memory);
    free(right);
    paths[args.path] += args.err.status == CT_OK;
    tiles += args.whole > 0;
}

TEST(operands)
{
    sweep_seed(12);
    for (int round = 0; round < 3000; ++round)
        check_operands(&kernel_rows[round % (int)(sizeof kernel_rows / sizeof *kernel_rows)]);
    for (int path = 0; path < 4; ++path)
        assert_true(paths[path] > 50); /* the sweep sees them all */
    assert_true(tiles > 50);
}

GROUP("elementwise", NULL, NULL)
