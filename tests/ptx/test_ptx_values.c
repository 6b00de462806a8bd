/* PTX on the CPU grid: the result of each instruction, by rows with the numbers of the PTX ISA. */
#include "ptx_text.h"

/* %d1, %d2, %d3, and their lower bits %r1.. and %h1.., are a, b, c; %p1 is true, %p2 false. The result
 * is in %d0, %r0, %h0 or %p0. */
typedef struct row {
    const char *text;
    uint64_t a, b, c, result;
} row;

/* clang-format off */
static const row rows[] = {
    {"add.s32 %r0, %r1, %r2;", 0xffffffff, 2, 0, 1}, {"add.u16 %h0, %h1, %h2;", 0xffff, 3, 0, 2},
    {"add.s64 %d0, %d1, -1;", 5, 0, 0, 4}, {"sub.s32 %r0, %r1, %r2;", 1, 2, 0, 0xffffffff},
    {"mul.lo.s32 %r0, %r1, %r2;", 0x10000, 0x10001, 0, 0x10000}, {"mul.hi.s32 %r0, %r1, %r2;", 0xffffffff, 2, 0, 0xffffffff},
    {"mul.hi.u32 %r0, %r1, %r2;", 0xffffffff, 2, 0, 1}, {"mul.hi.u64 %d0, %d1, %d2;", ~0ull, 3, 0, 2},
    {"mul.hi.s64 %d0, %d1, %d2;", ~0ull, 3, 0, ~0ull}, {"mul.wide.s32 %d0, %r1, %r2;", 0xffffffff, 2, 0, ~1ull},
    {"mul.wide.u16 %r0, %h1, %h2;", 0xffff, 0xffff, 0, 0xfffe0001}, {"mul.wide.s16 %r0, %h1, %h2;", 0xffff, 2, 0, 0xfffffffe},
    {"mad.lo.s32 %r0, %r1, %r2, %r3;", 3, 4, 5, 17}, {"mad.wide.u32 %d0, %r1, %r2, %d3;", 0xffffffff, 2, 3, 0x200000001},
    {"mad.hi.u32 %r0, %r1, %r2, %r3;", 0x80000000, 4, 7, 9}, {"div.s32 %r0, %r1, %r2;", 0xfffffff9, 2, 0, 0xfffffffd},
    {"div.u32 %r0, %r1, %r2;", 0xfffffff9, 2, 0, 0x7ffffffc}, {"div.s32 %r0, %r1, %r2;", 0x80000000, 0xffffffff, 0, 0x80000000},
    {"rem.s32 %r0, %r1, %r2;", 0xfffffff9, 4, 0, 0xfffffffd}, {"rem.u64 %d0, %d1, %d2;", 100, 7, 0, 2},
    {"min.s32 %r0, %r1, %r2;", 0xffffffff, 1, 0, 0xffffffff}, {"min.u32 %r0, %r1, %r2;", 0xffffffff, 1, 0, 1},
    {"max.s64 %d0, %d1, %d2;", ~0ull, 1, 0, 1}, {"abs.s32 %r0, %r1;", 0xfffffffb, 0, 0, 5}, {"neg.s64 %d0, %d1;", 5, 0, 0, -5ull},
    {"add.cc.u64 %d4, %d1, %d2; addc.s64 %d0, %d3, 0;", ~0ull, 1, 5, 6}, {"sub.cc.s64 %d4, %d1, %d2; subc.u64 %d0, %d3, 0;", 1, 2, 5, 4},
    {"mad.hi.cc.s32 %r0, %r1, %r2, %r3;", 0xffffffff, 2, 5, 4}, {"mad.hi.cc.s64 %d4, %d1, %d2, %d3; addc.u64 %d0, 7, 0;", ~0ull, 3, 1, 8},
    {"mad.lo.cc.u64 %d4, %d1, %d2, %d3; madc.hi.u64 %d0, %d1, %d2, 0;", ~0ull, ~0ull, ~0ull, ~0ull}, {"add.cc.u32 %r4, %r1, %r2; add.u32 %r5, %r1, %r2; addc.u32 %r0, 0, 0;", 0xffffffff, 1, 0, 1},
    {"testp.finite.f32 %p0, %r1;", 0x7f7fffff, 0, 0, 1}, {"testp.infinite.f32 %p0, %r1;", 0xff800000, 0, 0, 1}, {"testp.number.f64 %p0, %d1;", 0x7ff8ull << 48, 0, 0, 0},
    {"testp.notanumber.f32 %p0, %r1;", 0x7f800001, 0, 0, 1}, {"testp.normal.f32 %p0, %r1;", 0, 0, 0, 0}, {"testp.subnormal.f64 %p0, %d1;", 1, 0, 0, 1},
    {"isspacep.global %p0, %d7;", 0, 0, 0, 1}, {"isspacep.shared %p0, %d7;", 0, 0, 0, 0}, {"isspacep.param::entry %p0, %d7;", 0, 0, 0, 0},
    {".shared .b32 s; mov.b64 %d6, s; cvta.shared.u64 %d6, %d6; isspacep.shared %p0, %d6;", 0, 0, 0, 1}, {".local .b32 l; mov.b64 %d6, l; isspacep.local %p0, %d6;", 0, 0, 0, 1},
    {".shared .b32 s; mov.b64 %d6, s; cvta.shared.u64 %d6, %d6; isspacep.shared::cluster %p0, %d6;", 0, 0, 0, 1}, {".local .b32 l; mov.b64 %d6, l; isspacep.global %p0, %d6;", 0, 0, 0, 0},
    {"mov.b64 %d6, src; isspacep.param %p0, %d6;", 0, 0, 0, 1}, {"mov.b64 %d6, src; isspacep.global %p0, %d6;", 0, 0, 0, 1}, {"mov.b64 %d6, src; isspacep.const %p0, %d6;", 0, 0, 0, 0},
    {"bar.red.popc.u32 %r0, 0, %p1;", 0, 0, 0, 1}, {"barrier.cta.red.and.pred %p0, 0, !%p2;", 0, 0, 0, 1}, {"bar.red.or.pred %p0, 0, %p2;", 0, 0, 0, 0},
    {"and.b32 %r0, %r1, %r2;", 12, 10, 0, 8}, {"or.b64 %d0, %d1, %d2;", 12, 10, 0, 14}, {"xor.b16 %h0, %h1, %h2;", 12, 10, 0, 6},
    {"not.b32 %r0, %r1;", 12, 0, 0, 0xfffffff3}, {"and.pred %p0, %p1, %p2;", 0, 0, 0, 0}, {"or.pred %p0, %p1, %p2;", 0, 0, 0, 1},
    {"xor.pred %p0, %p1, %p1;", 0, 0, 0, 0}, {"not.pred %p0, %p2;", 0, 0, 0, 1}, {"mov.pred %p0, -1;", 0, 0, 0, 1},
    {"shl.b32 %r0, %r1, %r2;", 3, 31, 0, 0x80000000}, {"shl.b32 %r0, %r1, %r2;", 3, 32, 0, 0}, {"shl.b64 %d0, %d1, %r2;", 3, 63, 0, 1ull << 63},
    {"shr.u32 %r0, %r1, %r2;", 0x80000000, 31, 0, 1}, {"shr.s32 %r0, %r1, %r2;", 0x80000000, 40, 0, 0xffffffff},
    {"shr.s64 %d0, %d1, %r2;", 1ull << 63, 62, 0, ~1ull}, {"shr.s16 %h0, %h1, %r2;", 0x8000, 3, 0, 0xf000},
    {"shf.r.wrap.b32 %r0, %r1, %r2, %r3;", 0x12345678, 0x9abcdef0, 36, 0x01234567}, {"shf.l.clamp.b32 %r0, %r1, %r2, %r3;", 0x12345678, 0x9abcdef0, 36, 0x12345678},
    {"popc.b32 %r0, %r1;", 0xff, 0, 0, 8}, {"popc.b64 %r0, %d1;", ~0ull, 0, 0, 64}, {"clz.b32 %r0, %r1;", 1, 0, 0, 31}, {"clz.b64 %r0, %d1;", 0, 0, 0, 64},
    {"bfind.u32 %r0, %r1;", 0x100, 0, 0, 8}, {"bfind.shiftamt.u32 %r0, %r1;", 0x100, 0, 0, 23}, {"bfind.s32 %r0, %r1;", 0xffffffff, 0, 0, 0xffffffff},
    {"brev.b32 %r0, %r1;", 1, 0, 0, 0x80000000}, {"bfe.u32 %r0, %r1, %r2, %r3;", 0xabcd1234, 8, 8, 0x12}, {"bfe.s32 %r0, %r1, %r2, %r3;", 0xabcd1234, 24, 8, 0xffffffab},
    {"bfe.s32 %r0, %r1, %r2, %r3;", 0x80000000, 28, 16, 0xfffffff8}, {"bfe.u64 %d0, %d1, %r2, %r3;", ~0ull, 60, 8, 15}, {"bfe.u32 %r0, %r1, 0, 0;", 5, 0, 0, 0},
    {"bfi.b32 %r0, %r1, %r2, %r3, 8;", 0xff, 0x11111111, 8, 0x1111ff11}, {"lop3.b32 %r0, %r1, %r2, %r3, 0xe8;", 12, 10, 6, 14},
    {"prmt.b32 %r0, %r1, %r2, %r3;", 0x33221100, 0x77665544, 0x7531, 0x77553311}, {"prmt.b32 %r0, %r1, %r2, %r3;", 0x80, 0, 0x8, 0x808080ff},
    {"setp.lt.s32 %p0, %r1, %r2;", 0xffffffff, 0, 0, 1}, {"setp.lt.u32 %p0, %r1, %r2;", 0xffffffff, 0, 0, 0}, {"setp.hi.u64 %p0, %d1, %d2;", 2, 1, 0, 1},
    {"setp.eq.and.s32 %p0, %r1, %r2, !%p1;", 1, 1, 0, 0}, {"setp.ne.or.s32 %p3|%p0, %r1, %r2, %p2;", 1, 1, 0, 1}, {"setp.ge.s16 %p0, %h1, %h2;", 0x8000, 0, 0, 0},
    {"setp.gt.f32 %p0, %r1, %r2;", 0x40000000, 0x3f800000, 0, 1}, {"setp.eq.f32 %p0, %r1, %r1;", 0x7fc00000, 0, 0, 0}, {"setp.neu.f32 %p0, %r1, %r1;", 0x7fc00000, 0, 0, 1},
    {"setp.nan.f32 %p0, %r1, %r2;", 0x7fc00000, 0, 0, 1}, {"setp.ne.f32 %p0, %r1, %r2;", 0x7fc00000, 0, 0, 0}, {"selp.b32 %r0, %r1, %r2, %p2;", 1, 2, 0, 2},
    {"mov.b64 %d0, {%r1, %r2};", 1, 2, 0, 0x200000001}, {"mov.b32 {%h5, %h0}, %r1;", 0x12345678, 0, 0, 0x1234}, {"mov.b32 {_, %h0}, %r1;", 0x12345678, 0, 0, 0x1234},
    {"add.f32 %r0, %r1, %r2;", 0x3f800000, 0x33800000, 0, 0x3f800000}, {"add.rp.f32 %r0, %r1, %r2;", 0x3f800000, 0x33000000, 0, 0x3f800001},
    {"add.rz.f32 %r0, %r1, %r2;", 0xbf800000, 0x33000000, 0, 0xbf7fffff}, {"sub.ftz.f32 %r0, %r1, %r2;", 0x00800001, 0x00800000, 0, 0},
    {"mul.f32 %r0, %r1, %r2;", 0x7f800000, 0, 0, 0x7fffffff}, {"add.sat.f32 %r0, %r1, %r2;", 0x3f800000, 0x3f800000, 0, 0x3f800000},
    {"fma.rn.f32 %r0, %r1, %r2, %r3;", 0x3f800001, 0x3f800001, 0xbf800002, 0x28800000}, {"fma.rn.f16 %h0, %h1, %h2, %h3;", 0x3c01, 0x3c01, 0xbc02, 0x0010},
    {"fma.rn.bf16 %h0, %h1, %h2, %h3;", 0x3f81, 0x3f81, 0x2f80, 0x3f82}, {"add.f16x2 %r0, %r1, %r2;", 0x40003c00, 0x3c003c00, 0, 0x42004000},
    {"div.rn.f32 %r0, %r1, %r2;", 0x3f800000, 0x40400000, 0, 0x3eaaaaab}, {"rcp.approx.ftz.f32 %r0, %r1;", 0x40000000, 0, 0, 0x3f000000},
    {"sqrt.rn.f32 %r0, %r1;", 0x40800000, 0, 0, 0x40000000}, {"rsqrt.approx.f32 %r0, %r1;", 0x40800000, 0, 0, 0x3f000000}, {"ex2.approx.f32 %r0, %r1;", 0x40400000, 0, 0, 0x41000000},
    {"lg2.approx.f32 %r0, %r1;", 0x41000000, 0, 0, 0x40400000}, {"min.f32 %r0, %r1, %r2;", 0x7fc00000, 0x3f800000, 0, 0x3f800000}, {"min.NaN.f32 %r0, %r1, %r2;", 0x7fc00000, 0x3f800000, 0, 0x7fffffff},
    {"max.f32 %r0, %r1, %r2;", 0x80000000, 0, 0, 0}, {"abs.f32 %r0, %r1;", 0xbf800000, 0, 0, 0x3f800000}, {"neg.f16x2 %r0, %r1;", 0x3c00bc00, 0, 0, 0xbc003c00},
    {"copysign.f32 %r0, %r1, %r2;", 0x80000000, 0x3f800000, 0, 0xbf800000},
    {"cvt.s64.s32 %d0, %r1;", 0xffffffff, 0, 0, ~0ull}, {"cvt.u32.u16 %r0, %h1;", 0xffff, 0, 0, 0xffff}, {"cvt.s32.s8 %r0, %r1;", 0x80, 0, 0, 0xffffff80},
    {"cvt.sat.u8.s32 %r0, %r1;", 300, 0, 0, 255}, {"cvt.sat.s8.s32 %r0, %r1;", -300u, 0, 0, 0xffffff80}, {"cvt.rn.f32.s32 %r0, %r1;", 0xffffffff, 0, 0, 0xbf800000},
    {"cvt.rz.f32.u32 %r0, %r1;", 0x1ffffff, 0, 0, 0x4bffffff}, {"cvt.rzi.s32.f32 %r0, %r1;", 0xbfc00000, 0, 0, 0xffffffff}, {"cvt.rmi.s32.f32 %r0, %r1;", 0xbfc00000, 0, 0, 0xfffffffe},
    {"cvt.rni.s32.f32 %r0, %r1;", 0x4f800000, 0, 0, 0x7fffffff}, {"cvt.rzi.u32.f32 %r0, %r1;", 0x7fc00000, 0, 0, 0}, {"cvt.rpi.f32.f32 %r0, %r1;", 0x3fc00000, 0, 0, 0x40000000},
    {"cvt.rn.f16.f32 %h0, %r1;", 0x477ff000, 0, 0, 0x7c00}, {"cvt.rz.f16.f32 %h0, %r1;", 0x477ff000, 0, 0, 0x7bff}, {"cvt.f32.f16 %r0, %h1;", 1, 0, 0, 0x33800000},
    {"cvt.rn.bf16x2.f32 %r0, %r1, %r2;", 0x3f800000, 0x40000000, 0, 0x3f804000}, {"cvt.rn.bf16.f32 %h0, %r1;", 0x3f808000, 0, 0, 0x3f80}, {"cvt.rna.tf32.f32 %r0, %r1;", 0x3f801000, 0, 0, 0x3f802000},
    {"cvt.rn.satfinite.e4m3x2.f32 %h0, %r1, %r2;", 0x47000000, 0x3f800000, 0, 0x7e38}, {"cvt.rn.f16x2.e5m2x2 %r0, %h1;", 0x3c40, 0, 0, 0x3c004000}, {"cvt.f64.f32 %d0, %r1;", 0x3f800000, 0, 0, 0x3ff0000000000000},
    {"cvt.rp.f16.f32 %h0, %r1;", 0x3f800008, 0, 0, 0x3c01}, {"cvt.rm.f16.f32 %h0, %r1;", 0xbf800008, 0, 0, 0xbc01}, {"cvt.rm.f16.f32 %h0, %r1;", 0x47800000, 0, 0, 0x7bff},
    {"cvt.rp.bf16.f32 %h0, %r1;", 0x3f800008, 0, 0, 0x3f81}, {"cvt.rp.f16.f32 %h0, %r1;", 1, 0, 0, 1}, {"cvt.rp.f16.f32 %h0, %r1;", 0x80000001, 0, 0, 0x8000},
    {"cvt.rn.relu.f16.f32 %h0, %r1;", 0xbf800000, 0, 0, 0}, {"mov.b32 %r0, 0f3F800000;", 0, 0, 0, 0x3f800000},
};
/* clang-format on */

static const char *result_of(char kind)
{
    switch (kind) {
        case 'd': return "mov.b64 %d9, %d0;";
        case 'r': return "cvt.u64.u32 %d9, %r0;";
        case 'h': return "cvt.u64.u16 %d9, %h0;";
        default: return "selp.b64 %d9, 1, 0, %p0;";
    }
}

/* The kind of the register that has the result: the letter before the number 0. */
static char kind_of(const char *text)
{
    for (const char *at = text; (at = strchr(at, '%')); ++at)
        if (at[2] == '0' && (at[3] < '0' || at[3] > '9')) return at[1];
    return 0;
}

TEST(test_values)
{
    static const char before[] = BEFORE
        "mov.b64 %d8, %d2; mov.b64 %d7, %d1; setp.eq.u32 %p1, 0, 0; not.pred %p2, %p1;\n"
        "ld.global.u64 %d1, [%d7]; ld.global.u64 %d2, [%d7+8]; ld.global.u64 %d3, [%d7+16];\n"
        "cvt.u32.u64 %r1, %d1; cvt.u32.u64 %r2, %d2; cvt.u32.u64 %r3, %d3;\n"
        "cvt.u16.u64 %h1, %d1; cvt.u16.u64 %h2, %d2; cvt.u16.u64 %h3, %d3;\n";
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        static char text[4096];
        const uint64_t given[] = {rows[i].a, rows[i].b, rows[i].c};
        uint64_t result;
        memcpy(src, given, sizeof given);
        snprintf(text, sizeof text, "%s %s %s %s}\n", before, rows[i].text,
                 result_of(kind_of(rows[i].text)), "st.global.u64 [%d8], %d9;");
        if (run_text(text, 1, 1)) fail_msg("%s %s", rows[i].text, report.message);
        memcpy(&result, dst, sizeof result);
        if (result != rows[i].result)
            fail_msg("%s 0x%llx, not 0x%llx", rows[i].text, (unsigned long long)result,
                     (unsigned long long)rows[i].result);
    }
}

/* Sums, differences and products of numbers of two words, by words and their carries. */
TEST(test_carries)
{
    static const uint32_t words[] = {0, 1, 0x7fffffff, 0x80000000, 0xffffffff};
    enum { COUNT = 5 * 5 * 5 * 5, RESULTS = 10 };
    static const char text[] = KERNEL(
        "mad.wide.u32 %d3, %t, 16, %d1; mad.wide.u32 %d4, %t, 40, %d2;\n"
        "ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%d3];\n"
        "add.cc.u32 %r5, %r1, %r3; addc.cc.s32 %r6, %r2, %r4; addc.u32 %r7, 0, 0;\n"
        "sub.cc.u32 %r8, %r1, %r3; subc.cc.s32 %r9, %r2, %r4; subc.u32 %r10, 0, 0;\n"
        "mul.lo.u32 %r11, %r1, %r3; mul.hi.u32 %r12, %r1, %r3;\n"
        "mad.lo.cc.u32 %r12, %r1, %r4, %r12; madc.hi.u32 %r13, %r1, %r4, 0;\n"
        "mad.lo.cc.u32 %r12, %r2, %r3, %r12; madc.hi.cc.u32 %r13, %r2, %r3, %r13; addc.u32 %r14, 0, 0;\n"
        "mad.lo.cc.u32 %r13, %r2, %r4, %r13; madc.hi.u32 %r14, %r2, %r4, %r14;\n"
        "st.global.v2.u32 [%d4], {%r5, %r6}; st.global.v2.u32 [%d4+8], {%r7, %r8};\n"
        "st.global.v2.u32 [%d4+16], {%r9, %r10}; st.global.v2.u32 [%d4+24], {%r11, %r12};\n"
        "st.global.v2.u32 [%d4+32], {%r13, %r14};\n");
    for (int i = 0; i < COUNT; ++i) {
        const uint32_t given[] = {words[i % 5], words[i / 5 % 5], words[i / 25 % 5],
                                  words[i / 125]};
        memcpy((char *)src + 16 * i, given, sizeof given);
    }
    pass(run_text(text, 1, COUNT));
    for (int i = 0; i < COUNT; ++i) {
        uint64_t given[2];
        uint32_t found[RESULTS];
        memcpy(given, (const char *)src + 16 * i, sizeof given);
        memcpy(found, (const char *)dst + 40 * i, sizeof found);
        const unsigned __int128 a = given[0], b = given[1], sum = a + b, product = a * b;
        const uint64_t difference = given[0] - given[1];
        const uint32_t wanted[RESULTS] = {(uint32_t)sum,
                                          (uint32_t)(sum >> 32),
                                          (uint32_t)(sum >> 64),
                                          (uint32_t)difference,
                                          (uint32_t)(difference >> 32),
                                          a < b ? UINT32_MAX : 0,
                                          (uint32_t)product,
                                          (uint32_t)(product >> 32),
                                          (uint32_t)(product >> 64),
                                          (uint32_t)(product >> 96)};
        assert_memory_equal(found, wanted, sizeof wanted);
    }
}

GROUP("ptx values", setup, teardown)
