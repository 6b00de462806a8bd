/* PTX on the CPU grid: what a text says, and what it must not say; the mistakes of kernels. */
#include "ptx_text.h"

/* ---- texts that are refused ---------------------------------------------------------------------- */

static const struct {
    const char *text, *message;
} refused[] = {
    {KERNEL("foo.bar.s32 %r1, %r2;\n"), "line 7: the instruction foo.bar.s32 is not known"},
    {KERNEL("tcgen05.mma.cta_group::1.kind::f16 [%r1], %d1;\n"),
     "line 7: the instruction tcgen05.mma.cta_group::1.kind::f16 is not known"},
    {KERNEL("add.b8 %r1, %r2, %r3;\n"), "line 7: add.b8: the type is not supported"},
    {KERNEL("add.wide.s32 %r1, %r2, %r3;\n"), "line 7: add.wide.s32: .wide is not supported"},
    {KERNEL("add.s32.s32 %r1, %r2, %r3;\n"), "line 7: add.s32.s32: .s32 is not supported"},
    {KERNEL("add.s32 %r1, %r2;\n"), "line 7: add.s32: 2 operands are not what it takes"},
    {KERNEL("add.s32 %r1, %r2, %r3, %r4;\n"), "line 7: add.s32: 4 operands are not what it takes"},
    {KERNEL("add.s32 %r1, %d2, %r3;\n"), "line 7: add.s32: operand 2 is not what it takes"},
    {KERNEL("add.s32 5, %r2, %r3;\n"), "line 7: add.s32: operand 1 is not what it takes"},
    {KERNEL("add.s32 %r1, !%r2, %r3;\n"), "line 7: add.s32: operand 2 is not what it takes"},
    {KERNEL("add.rz.f16 %h1, %h2, %h3;\n"), "line 7: add.rz.f16: it is rounded to nearest only"},
    {KERNEL("setp.s32 %p1, %r2, %r3;\n"), "line 7: setp.s32: a type or an operation is missing"},
    {KERNEL("setp.lt.and.s32 %p1, %r2, %r3;\n"),
     "line 7: setp.lt.and.s32: a third predicate is combined by and, or, xor"},
    {KERNEL("mov.b32 %r1, {%h1, %h2, %h3};\n"),
     "line 7: mov.b32: the registers do not have the width of the type"},
    {KERNEL("cvt.f32.f16 %r1, %h1, %h2;\n"),
     "line 7: cvt.f32.f16: it has another number of operands"},
    {KERNEL("cvt.rn.f16.tf32 %h1, %r1;\n"),
     "line 7: cvt.rn.f16.tf32: the types have no conversion"},
    {KERNEL("cvt.s64.s32 %r1, %r2;\n"), "line 7: cvt.s64.s32: the register is too narrow"},
    {KERNEL("ld.global.v4.u32 {%r1, %r2}, [%d1];\n"),
     "line 7: ld.global.v4.u32: operand 1 is not what it takes"},
    {KERNEL("ld.global.v8.u64 {%d0, %d1, %d2, %d3, %d4, %d5, %d6, %d7}, [%d1];\n"),
     "line 7: ld.global.v8.u64: an access has at most 256 bits"},
    {KERNEL("ld.global.u32 %r1, [%p1];\n"),
     "line 7: an address is a register of 32 or 64 bits, or a variable"},
    {KERNEL("atom.global.and.f32 %r1, [%d1], %r2;\n"),
     "line 7: atom.global.and.f32: the type has no such operation"},
    {KERNEL("red.global.cas.b32 [%d1], %r2;\n"),
     "line 7: red.global.cas.b32: it has another number of operands"},
    {KERNEL("mma.sync.aligned.m16n8k3.row.col.f32.f16.f16.f32 {%r1}, {%r1}, {%r1}, {%r1};\n"),
     "line 7: the grid has no instruction mma.sync.aligned.m16n8k3.row.col.f32.f16.f16.f32"},
    {KERNEL(
         "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%r1, %r2, %r3, %r4}, {%r1}, {%r1}, {%r1};\n"),
     "line 7: mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32: operand 2 has 1 registers; it takes 2"},
    {KERNEL(
         "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%r1], [%d1, {%r1}], [%r2];\n"),
     "line 7: cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes: operand 2 "
     "is not what it takes"},
    {KERNEL(
         "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%r1], [%d1], 64, [%r2];\n"),
     "line 7: cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster: 4 operands "
     "are not what it takes"},
    {KERNEL("cp.async.bulk.tensor.1d.global.shared::cta.bulk_group [%d1, {%r1}];\n"),
     "line 7: cp.async.bulk.tensor.1d.global.shared::cta.bulk_group: 1 operands are not what it takes"},
    {KERNEL("mov.u32 %r1, %q2;\n"), "line 7: the register %q2 is not declared"},
    {KERNEL("mov.u32 %r1, %r32;\n"), "line 7: the register %r32 is not declared"},
    {KERNEL("@%r1 ret;\n"), "line 7: a guard is a predicate"},
    {KERNEL("bra L;\n"), "line 7: no label L"},
    {KERNEL("{ L: ret; }\n bra L;\n"), "line 8: no label L"},
    {KERNEL("bar.red.popc.pred %p1, 0, %p2;\n"),
     "line 7: bar.red.popc.pred: the type is not supported"},
    {KERNEL("bar.red.and.pred %r1, 0, %p2;\n"),
     "line 7: bar.red.and.pred: operand 1 is not what it takes"},
    {KERNEL("bar.red.popc.u32 %r1, 0, %p1, %p2;\n"),
     "line 7: bar.red.popc.u32: operand 3 is not what it takes"},
    {KERNEL("brx.idx %r1, T;\n"), "line 7: no table of labels T"},
    {KERNEL("call f, ();\n"), "line 7: the text has no function f"},
    {KERNEL("call %d1, ();\n"), "line 7: a call through an address is not supported"},
    {KERNEL(".reg .b99 %x;\n"), "line 7: registers of '.b99'"},
    {KERNEL(".reg .b32 %x<99999999>;\n"), "line 7: a function has 1 to 1048576 registers"},
    {KERNEL(".local .b8 x[600000];\n"),
     "line 7: x has initial values, or makes more than 524288 bytes"},
    {KERNEL("mov.u32 %r1, 99999999999999999999;\n"), "line 7: '99999999999999999999' is no number"},
    {KERNEL("mov.u32 %r1, \"x\n;"), "line 7: 'x' is a string without an end"},
    {KERNEL("mov.u32 %r1"), "line 7: '}' where ';' is expected"},
    {HEAD ".entry k(.param .u64 a) {\n", "line 5: the end of the text where '}' is expected"},
    {HEAD ".entry k(.param .u64 a) .foo {}\n", "line 4: '.foo' of a function is not known"},
    {HEAD ".entry k(.param .u64 a) .reqnctapercluster 16 {}\n",
     "line 4: a cluster has up to 8 blocks, along x"},
    {HEAD ".entry k(.param .b8 a[40000]) {}\n",
     "line 4: parameters of more than 32768 bytes, or too many"},
    {HEAD ".global .align 3 .b8 x;\n", "line 4: an alignment is a power of two up to 4096"},
    {HEAD ".global .foo .b8 x;\n", "line 4: '.foo' of a variable is not known"},
    {HEAD ".global .pred x;\n", "line 4: 'x' is a variable without a type of memory"},
    {HEAD ".global .b8 x[2] = {1, 2, 3};\n", "line 4: more initial values than x has elements"},
    {HEAD ".global .b64 x[1] = {y};\n", "line 4: 'y' where a number is expected"},
    {HEAD ".global .b8 x[99999999999];\n", "line 4: more than 2^30 bytes"},
    {HEAD ".foo\n", "line 4: '.foo' is not known"},
    {HEAD ".file 99999999 \"x\"\n", "line 1: 'x' where a file's number and name are expected"},
    {HEAD ".func (.param .b32 r) f(.param .b32 a) { ret; }\n"
          ".entry k() { .param .b32 x; .param .b64 y; call (x), f, (y); }\n",
     "line 5: f: y has 8 bytes, not 4, or is only read"},
    {HEAD ".func f(.param .b32 a) { ret; }\n.entry k() { .reg .b32 %r1; call f, (%r1); }\n",
     "line 5: f: a call takes variables in .param"},
    {HEAD ".func f(.param .b32 a) { ret; }\n.entry k() { call f; }\n",
     "line 5: f: 0 parameters or results, not 1"},
};

TEST(test_refused)
{
    for (size_t i = 0; i < sizeof refused / sizeof *refused; ++i) {
        char message[CT_MESSAGE_BYTES] = "";
        ct_ptx *const module = ct_ptx_load(refused[i].text, message);
        if (module || strcmp(message, refused[i].message) != 0)
            fail_msg("%s\nnot: %s", message, refused[i].message);
    }
}

/* What is too much of something. */
TEST(test_too_much)
{
    static const struct {
        const char *begin, *text;
        int times;
        const char *message;
    } rows[] = {{"", "{", 70, " blocks inside each other"},
                {"add", "", 0, "add: the type is not supported"},
                {"add", ".a", 30, "a: the type is not supported"},
                {"add ", "{, ", 1, "line 7: ',' where a name is expected"},
                {"mov.u32 %r1", ", %r1", 14, "more than 12 operands"},
                {"mov.b64 %d1, {", "%r1, ", 130, "line 7: a vector of over 128 elements"}};
    static char text[8192];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        char message[CT_MESSAGE_BYTES] = "";
        strcpy(text, BEFORE);
        strcat(text, rows[i].begin);
        for (int k = 0; k < rows[i].times; ++k) strcat(text, rows[i].text);
        assert_null(ct_ptx_load(strcat(text, " ;}\n"), message));
        if (!strstr(message, rows[i].message)) fail_msg("%s, not %s", message, rows[i].message);
    }
}

/* ---- kernels ----------------------------------------------------------------------------------- */

TEST(test_list)
{
    char message[CT_MESSAGE_BYTES];
    ct_ptx *const module = ct_ptx_load(
        HEAD ".entry a(.param .u32 n, .param .align 16 .b8 s[20], .param .u16 h) .maxntid 64, 2, 1 "
             "{ ret; }\n.entry b() .reqnctapercluster 2, 1, 1 { ret; }\n.func f() { ret; }\n",
        message);
    assert_non_null(module);
    const ct_grid_kernel *const a = ct_ptx_kernel_at(module, 0), *const b =
                                                                     ct_ptx_kernel_at(module, 1);
    assert_string_equal(a->name, "a");
    assert_int_equal(a->max_threads, 128);
    assert_int_equal(a->args_bytes, 48); /* as the structure: 4, 16 to 36, 36 to 38 */
    assert_int_equal(b->cluster, 2);
    assert_null(ct_ptx_kernel_at(module, 2));
    assert_null(ct_ptx_kernel(module, "f"));
    assert_ptr_equal(ct_ptx_kernel(module, "b"), b);
    const ct_ptx_param s = ct_ptx_param_at(a, 1);
    assert_string_equal(s.name, "s");
    assert_string_equal(s.type, "b8");
    assert_true(s.offset_bytes == 16 && s.bytes == 20 && s.is_array);
    assert_int_equal(ct_ptx_param_at(a, 2).offset_bytes, 36);
    assert_null(ct_ptx_param_at(a, 3).name);
    ct_ptx_free(module);
    ct_ptx_free(NULL);
}

static const uint32_t *words(void) { return (const uint32_t *)(const void *)dst; }

/* Thread t's word of dst is at %d3. */
#define OWN "mad.wide.u32 %d3, %t, 4, %d2;\n"
#define STORE "st.global.u32 [%d3], %r1; ret;\n"

/* A function with a loop and a local array, a table of labels, a vector, a variable in global memory. */
static const char program[] = HEAD
    ".global .align 4 .u32 table[4] = {7, 11, 13};\n"
    ".func (.param .b32 result) power(.param .b32 x, .param .b32 n)\n{\n"
    ".reg .b32 %r<8>; .reg .pred %p; .reg .b64 %d<4>; .local .align 4 .b8 kept[16];\n"
    "ld.param.u32 %r1, [x]; ld.param.u32 %r2, [n]; mov.u32 %r3, 1;\n"
    "mov.b64 %d1, kept; cvta.local.u64 %d1, %d1;\n"
    "L: setp.eq.u32 %p, %r2, 0; @%p bra E; mul.lo.u32 %r3, %r3, %r1; sub.s32 %r2, %r2, 1; bra.uni L;\n"
    "E: st.u32 [%d1+12], %r3; ld.local.u32 %r4, [kept+12]; st.param.b32 [result], %r4; ret;\n}\n"
    ".entry k(.param .u64 src, .param .u64 dst)\n{\n"
    ".reg .b32 %r<8>, %t; .reg .b64 %d<8>;\n"
    "ld.param.u64 %d2, [dst]; mov.u32 %t, %tid.x;\n" OWN "T: .branchtargets A, B, C;\n"
    "brx.idx %t, T;\n"
    "A: { .param .b32 p0; .param .b32 p1; .param .b32 r0; st.param.b32 [p0], %t; st.param.b32 [p1], 2;\n"
    "call.uni (r0), power, (p0, p1); ld.param.b32 %r1, [r0]; } bra D;\n"
    "B: { .param .b32 p0; .param .b32 p1; .param .b32 r0; st.param.b32 [p0+0], 3; st.param.b32 [p1+0], 4;\n"
    "call.uni (r0), power, (p0, p1); ld.param.b32 %r1, [r0+0]; } bra D;\n"
    "C: ld.global.nc.u32 %r1, [table+4];\n"
    "D: " STORE "}\n";

TEST(test_program)
{
    pass(run_text(program, 1, 3));
    assert_true(words()[0] == 0 && words()[1] == 81 && words()[2] == 11);
}

/* Lanes of a warp: ballot, shuffle, elect, redux, match, any, all. */
TEST(test_warp)
{
    pass(run_text(
        KERNEL(OWN "and.b32 %r2, %t, 1; setp.eq.u32 %p1, %r2, 1;\n"
                   "vote.sync.ballot.b32 %r3, %p1, -1; shfl.sync.bfly.b32 %r4|%p2, %t, 5, 31, -1;\n"
                   "redux.sync.max.u32 %r5, %t, -1; match.any.sync.b32 %r6, %r2, -1;\n"
                   "elect.sync %r7|%p3, -1; selp.b32 %r8, 1000, 0, %p3;\n"
                   "vote.sync.any.pred %p4, %p1, -1; vote.sync.all.pred %p5, %p1, -1;\n"
                   "xor.b32 %r1, %r3, %r6; add.s32 %r1, %r1, %r4; add.s32 %r1, %r1, %r5;\n"
                   "add.s32 %r1, %r1, %r8; selp.b32 %r9, 4, 0, %p4; selp.b32 %r10, 8, 0, %p5;\n"
                   "add.s32 %r1, %r1, %r9; add.s32 %r1, %r1, %r10;\n" STORE),
        1, 32));
    for (uint32_t t = 0; t < 32; ++t) {
        const uint32_t same = t % 2 ? 0xaaaaaaaa : 0x55555555;
        assert_int_equal(words()[t], (0xaaaaaaaa ^ same) + (t ^ 5) + 31 + (t ? 0 : 1000) + 4);
    }
}

/* Waits for nothing. */
TEST(test_empty_waits)
{
    pass(run_text(KERNEL("wgmma.wait_group.sync.aligned 0; cp.async.bulk.wait_group 0;\n"
                         "cp.async.bulk.wait_group.read 0; cp.async.wait_all; membar.gl;\n"),
                  2, 128));
}

/* Votes of a block, at its barrier and at a named one of its first two warps: each twice, so that slow threads
 * read the first result while others have come again. The barrier orders accesses. */
TEST(test_votes_of_blocks)
{
    pass(run_text(
        KERNEL(
            ".shared .align 4 .b8 s[512]; mov.u32 %r9, s; shl.b32 %r8, %t, 2; add.u32 %r9, %r9, %r8;\n" OWN
            "st.shared.u32 [%r9], %t; and.b32 %r2, %t, 3; setp.eq.u32 %p1, %r2, 3;\n"
            "bar.red.popc.u32 %r1, 0, %p1; bar.red.popc.u32 %r3, 0, !%p1; xor.b32 %r9, %r9, 128;\n"
            "ld.shared.u32 %r4, [%r9]; mad.lo.u32 %r1, %r3, 100, %r1; setp.lt.u32 %p2, %r4, 128;\n"
            "bar.red.and.pred %p3, 0, %p2; selp.b32 %r5, 10000, 0, %p3; add.u32 %r1, %r1, %r5;\n"
            "setp.ge.u32 %p4, %t, 64; @%p4 bra E; setp.eq.u32 %p5, %t, 5;\n"
            "barrier.red.popc.aligned.u32 %r6, 3, 64, %p1; barrier.red.or.pred %p6, 3, 64, %p5;\n"
            "mad.lo.u32 %r1, %r6, 100000, %r1; selp.b32 %r7, 10000000, 0, %p6; add.u32 %r1, %r1, %r7;\n"
            "E: " STORE),
        1, 128));
    for (uint32_t t = 0; t < 128; ++t)
        assert_int_equal(words()[t], 32 + 9600 + 10000 + (t < 64 ? 1600000 + 10000000 : 0));
}

/* Atomic operations of two blocks do not race; each block counts its threads. */
TEST(test_atomics)
{
    memset(dst, 0, 64);
    pass(run_text(
        KERNEL("atom.global.add.u32 %r1, [%d2], 1; red.global.max.u32 [%d2+4], %t;\n"
               "atom.global.cas.b32 %r2, [%d2+8], 0, 5; red.global.add.f32 [%d2+12], 0f3F800000;\n"
               "atom.global.inc.u32 %r3, [%d2+16], 9; ret;\n"),
        2, 64));
    assert_true(words()[0] == 128 && words()[1] == 63 && words()[2] == 5 &&
                words()[3] == 0x43000000);
    assert_int_equal(words()[4], 128 % 10);
    memset(dst, 0, 64);
    assert_int_equal(
        run_text(KERNEL("atom.global.add.u32 %r1, [%d2], 1; ld.global.u32 %r2, [%d2]; ret;\n"), 2,
                 32),
        CT_GRID_E_RACE);
}

/* ---- mistakes ---------------------------------------------------------------------------------- */

#define TILE ".shared .align 16 .b8 _ZZ1kE4tile[256];\n"
#define OWN_SHARED TILE "mov.u32 %r9, _ZZ1kE4tile; shl.b32 %r8, %t, 2; add.u32 %r9, %r9, %r8;\n"
#define LINES                                                                                      \
    ".loc 1 30 1\n.loc 2 20 2, function_name $L1, inlined_at 1 30 1\n"                             \
    ".loc 2 10 2, function_name $L2, inlined_at 2 20 2\n.loc 2 5 1, function_name $L2, inlined_at 2 10 2\n"
#define NAMES                                                                                      \
    ".file 1 \"/a/kernel.cu\"\n.file 2 \"/a/tools.h\"\n.section .debug_str\n{\n$L1: .b8 95,0\n}\n"

/* A product of zeros by wgmma: A in registers, B of 256 bytes in shared memory; its factor of A. */
#define WGMMA(factor)                                                                              \
    ".shared .align 128 .b8 b[256]; mov.b32 %r9, b; shl.b32 %r8, %t, 1; add.u32 %r8, %r8, %r9;\n"  \
    "mov.b16 %h1, 0; st.shared.b16 [%r8], %h1; fence.proxy.async.shared::cta; bar.sync 0;\n"       \
    "shr.u32 %r9, %r9, 4; cvt.u64.u32 %d3, %r9; or.b64 %d3, %d3, 0x800080000;\n"                   \
    "setp.ne.b32 %p1, 0, 0; mov.b32 %r4, 0; wgmma.fence.sync.aligned;\n"                           \
    "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%r1, %r5, %r6, %r7}, {%r4, %r4, %r4, "     \
    "%r4}, %d3, %p1, " factor ", 1, 0;\n"

static const struct {
    const char *text;
    int threads, status;
    const char *message;
} mistakes[] = {
    {KERNEL(OWN_SHARED
            "st.shared.u32 [%r9], %t; xor.b32 %r9, %r9, 4; ld.shared.u32 %r1, [%r9]; ret;\n"),
     2, CT_GRID_E_UNWRITTEN,
     "kernel k, block (0,0,0), thread (0,0,0): 32-bit load from shared memory at ptx:9: byte 4 of tile is not "
     "written: never, or by a thread that no barrier puts before this one"},
    {KERNEL(OWN_SHARED "st.shared.u32 [%r9], %t; xor.b32 %r9, %r9, 4;\n" LINES
                       "ld.shared.u32 %r1, [%r9]; ret;\n") NAMES,
     2, CT_GRID_E_UNWRITTEN,
     "kernel k, block (0,0,0), thread (0,0,0): 32-bit load from shared memory at kernel.cu:30 ("
     "tools.h:5): byte 4 of tile is not written: never, or by a thread that no barrier puts before this one"},
    {KERNEL("st.global.u32 [%d1], %t; ret;\n"), 1, CT_GRID_E_READ_ONLY,
     "kernel k, block (0,0,0), thread (0,0,0): 32-bit store to global memory at ptx:7: src is not writable"},
    {KERNEL("ld.global.u64 %d3, [%d1+4]; ret;\n"), 1, CT_GRID_E_MISALIGNED,
     "kernel k, block (0,0,0), thread (0,0,0): 64-bit load from global memory at ptx:7: misaligned: offset 4 of "
     "src is not a multiple of 8"},
    {KERNEL("ld.global.u32 %r1, [%d1+65536]; ret;\n"), 1, CT_GRID_E_BOUNDS,
     "kernel k, block (0,0,0), thread (0,0,0): 32-bit load from global memory at ptx:7: bytes 65536 to 65539 of "
     "src, which has 65536 bytes; dst begins at byte 65536"},
    {KERNEL(
         "add.s64 %d3, %d1, 65472; mov.b32 %r9, 0; cp.async.bulk.prefetch.tensor.1d.L2.global.tile [%d3, {%r9}]; ret;\n"),
     1, CT_GRID_E_BOUNDS,
     "kernel k, block (0,0,0), thread (0,0,0): tensor map at ptx:7: bytes 65472 to 65599 of src, which has 65536 bytes"},
    {KERNEL("ld.param.u64 %d3, [src+12]; ret;\n"), 1, CT_GRID_E_BOUNDS,
     "kernel k, block (0,0,0), thread (0,0,0): ld.param.u64 at ptx:7: 8 bytes that are not in the thread's local "
     "memory, nor its parameters"},
    {KERNEL("st.param.u64 [src], %d1; ret;\n"), 1, CT_GRID_E_READ_ONLY,
     "kernel k, block (0,0,0), thread (0,0,0): st.param.u64 at ptx:7: 8 bytes that are not in the thread's local "
     "memory"},
    {KERNEL(TILE
            "ld.shared.v8.u32 {%r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7}, [_ZZ1kE4tile]; ret;\n"),
     1, CT_GRID_E_ATOM,
     "kernel k, block (0,0,0), thread (0,0,0): ld.shared.v8.u32 at ptx:8: 256 bits; an access to shared memory has "
     "up to 128"},
    {KERNEL("L: bra L;\n"), 1, CT_GRID_E_DEADLOCK,
     "kernel k, block (0,0,0), thread (0,0,0): bra at ptx:7: the thread has executed 100000 instructions, which is "
     "the limit"},
    {KERNEL("T: .branchtargets A, A; mov.u32 %r1, 2; brx.idx %r1, T;\nA: ret;\n"), 1,
     CT_GRID_E_BOUNDS,
     "kernel k, block (0,0,0), thread (0,0,0): brx.idx at ptx:7: index 2 of a table of 2 labels"},
    {KERNEL("trap;\n"), 1, CT_GRID_E_ATOM,
     "kernel k, block (0,0,0), thread (0,0,0): trap at ptx:7: the kernel traps"},
    {KERNEL("call __assertfail, ();\n"), 1, CT_GRID_E_ATOM,
     "kernel k, block (0,0,0), thread (0,0,0): call at ptx:7: an assertion of the kernel does not hold"},
    {HEAD
     ".func f() { call f, (); ret; }\n.entry k(.param .u64 a, .param .u64 b) { call f, (); ret; }\n",
     1, CT_GRID_E_MEMORY,
     "kernel k, block (0,0,0), thread (0,0,0): call at ptx:4: 65 calls inside each other take more than the stack"},
    {KERNEL("shfl.sync.idx.b32 %r1, %t, 0, 7, -1;\n"), 32, CT_GRID_E_ATOM,
     "kernel k, block (0,0,0), thread (0,0,0): shfl.sync.idx.b32 at ptx:7: c is 0x7; only segments of 1, 2, 4, 8, 16 "
     "or 32 lanes are supported"},
    {KERNEL("mapa.shared::cluster.u32 %r1, %r2, 1;\n"), 1, CT_GRID_E_LAUNCH,
     "kernel k, block (0,0,0), thread (0,0,0): mapa.shared::cluster.u32 at ptx:7: block 1 of the cluster, which has 1"},
    {KERNEL("setp.eq.u32 %p1, %t, 0; @%p1 bar.sync 0; @!%p1 bar.sync 0; ret;\n"), 2,
     CT_GRID_E_DIVERGENCE,
     "kernel k, block (0,0,0), thread (0,0,0): divergence: waits for __syncthreads at ptx:7, but not so thread "
     "(1,0,0), which waits for __syncthreads at ptx:7"},
    {KERNEL(
         TILE
         ".reg .b64 %a; mov.u64 %a, _ZZ1kE4tile; cvta.shared.u64 %a, %a; atom.add.u32 %r1, [%a], 1; ret;\n"),
     1, CT_GRID_E_UNWRITTEN,
     "kernel k, block (0,0,0), thread (0,0,0): atomic operation at ptx:8: byte 0 of tile is not written: never, or "
     "by a thread that no barrier puts before this one"},
    {KERNEL(WGMMA("-1") "ret;\n"), 128, CT_GRID_E_ATOM,
     "kernel k, block (0,0,0), thread (0,0,0): wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 at ptx:11: A or B "
     "is negated, which the grid does not do"},
    {KERNEL(WGMMA("1") "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%r10, %r1, %r6, %r7}, "
                       "{%r4, %r4, %r4, %r4}, %d3, %p1, 1, 1, 0; ret;\n"),
     128, CT_GRID_E_IN_FLIGHT,
     "kernel k, block (0,0,0), thread (127,0,0): wgmma at ptx:12: register 1 of D is one of another wgmma in flight"},
    {KERNEL(WGMMA("1") "add.s32 %r1, %r1, 1; ret;\n"), 128, CT_GRID_E_IN_FLIGHT,
     "kernel k, block (0,0,0), thread (127,0,0): add.s32 at ptx:12: it uses a register of D of a wgmma that was not "
     "waited for"},
    {KERNEL(OWN_SHARED
            "st.shared.u32 [%r9], %t; bar.red.popc.u32 %r1, 0, %p1; st.shared.u32 [%r9], %t;\n"
            "xor.b32 %r9, %r9, 128; ld.shared.u32 %r1, [%r9]; ret;\n"),
     64, CT_GRID_E_RACE,
     "kernel k, block (0,0,0), thread (32,0,0): 32-bit store to shared memory at ptx:9: race: byte 128 of tile was "
     "read by thread (0,0,0) with no barrier since"},
    {KERNEL("bar.red.popc.u32 %r1, 16, 64, %p1; ret;\n"), 64, CT_GRID_E_MBARRIER,
     "kernel k, block (0,0,0), thread (0,0,0): barrier.sync at ptx:7: barrier 16; they are 1 to 15, and 0 is that of "
     "__syncthreads"},
    {KERNEL(".local .b8 own[8]; mov.b64 %d3, own; atom.add.u32 %r1, [%d3], 1; ret;\n"), 1,
     CT_GRID_E_BOUNDS,
     "kernel k, block (0,0,0), thread (0,0,0): atom.add.u32 at ptx:7: the address is in the thread's own memory"},
};

TEST(test_mistakes)
{
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; ++i) {
        const int status = run_text(mistakes[i].text, 1, (uint32_t)mistakes[i].threads);
        if (status != mistakes[i].status || strcmp(report.message, mistakes[i].message) != 0)
            fail_msg("%d: %s\nnot %d: %s", status, report.message, mistakes[i].status,
                     mistakes[i].message);
    }
}

/* Warps may come to a barrier at two places; the lanes of one may not. */
TEST(test_barriers)
{
    pass(run_text(
        KERNEL(OWN_SHARED OWN
               "st.shared.u32 [%r9], %t; setp.lt.u32 %p1, %t, 32; @%p1 bra A; bar.sync 0; bra B;\n"
               "A: bar.sync 0;\nB: xor.b32 %r9, %r9, 128; ld.shared.u32 %r1, [%r9];\n" STORE),
        1, 64));
    for (uint32_t t = 0; t < 64; ++t) assert_int_equal(words()[t], t ^ 32);
}

/* Lanes of a warp store equal values to one place, or not; so do lanes of two warps. */
TEST(test_equal_stores)
{
    static const struct {
        const char *text;
        int threads, equal_stores, status;
    } rows[] = {
        {KERNEL(
             TILE
             "st.shared.u32 [_ZZ1kE4tile], 7; bar.sync 0; ld.shared.u32 %r1, [_ZZ1kE4tile]; ret;\n"),
         32, 0, CT_GRID_E_RACE},
        {KERNEL(
             TILE
             "st.shared.u32 [_ZZ1kE4tile], 7; bar.sync 0; ld.shared.u32 %r1, [_ZZ1kE4tile]; ret;\n"),
         32, 1, CT_GRID_OK},
        {KERNEL(
             TILE
             "st.shared.u32 [_ZZ1kE4tile], 7; bar.sync 0; ld.shared.u32 %r1, [_ZZ1kE4tile]; ret;\n"),
         64, 1, CT_GRID_E_RACE},
        {KERNEL(TILE "st.shared.u32 [_ZZ1kE4tile], %t; ret;\n"), 32, 1, CT_GRID_E_RACE},
        {KERNEL(
             TILE
             "setp.eq.u32 %p1, %t, 0; @%p1 st.shared.u32 [_ZZ1kE4tile], 7; bar.sync 0;\n"
             "setp.eq.u32 %p1, %t, 1; @%p1 st.shared.u32 [_ZZ1kE4tile], 7; setp.eq.u32 %p1, %t, 32;\n"
             "@%p1 ld.shared.u32 %r1, [_ZZ1kE4tile]; ret;\n"),
         64, 1, CT_GRID_E_RACE},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        char message[CT_MESSAGE_BYTES] = "";
        const uint64_t args[] = {(uintptr_t)src, (uintptr_t)dst};
        const ct_dim3 one = {1, 1, 1}, block = {(uint32_t)rows[i].threads, 1, 1};
        const ct_grid_options options = {.equal_stores = rows[i].equal_stores};
        ct_ptx *const module = ct_ptx_load(rows[i].text, message);
        assert_non_null(module);
        const int status = ct_grid_launch(ct_ptx_kernel(module, "k"), one, block, 0, args,
                                          sizeof args, &options, &report);
        if (status != rows[i].status) fail_msg("row %zu: %d: %s", i, status, report.message);
        ct_grid_report_free(&report);
        ct_ptx_free(module);
    }
}

/* A copy arrives at an mbarrier with no fence since its init: a mistake by the PTX ISA, which one may allow. */
#define BULK(fence)                                                                                \
    KERNEL(                                                                                        \
        ".shared .align 16 .b8 s[64]; .shared .b64 m; setp.ne.u32 %p1, %t, 0; @%p1 bra W;\n"       \
        "mbarrier.init.shared::cta.b64 [m], 1; " fence " \n"                                       \
        "mbarrier.arrive.expect_tx.shared::cta.b64 _, [m], 64;\n"                                  \
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [s], [%d1], 64, [m];\n" \
        "W: bar.sync 0;\n"                                                                         \
        "L: mbarrier.try_wait.parity.shared::cta.b64 %p2, [m], 0; @!%p2 bra L;\n" OWN              \
        "mov.b32 %r9, s; mad.lo.u32 %r9, %t, 4, %r9; ld.shared.u32 %r1, [%r9];\n" STORE)

TEST(test_init_fence)
{
    static const struct {
        const char *text;
        int no_init_fence, status;
    } rows[] = {{BULK("fence.mbarrier_init.release.cluster;"), 0, CT_GRID_OK},
                {BULK("fence.proxy.async.shared::cta;"), 0, CT_GRID_OK},
                {BULK("fence.acq_rel.cta;"), 0, CT_GRID_E_PROXY},
                {BULK(""), 0, CT_GRID_E_PROXY},
                {BULK(""), 1, CT_GRID_OK}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        char message[CT_MESSAGE_BYTES] = "";
        const uint64_t args[] = {(uintptr_t)src, (uintptr_t)dst};
        const ct_grid_buffer buffers[] = {{"src", src, BUFFER_BYTES, 0, 0},
                                          {"dst", dst, BUFFER_BYTES, 1, 0}};
        const ct_grid_options options = {
            .buffers = buffers, .buffer_count = 2, .no_init_fence = rows[i].no_init_fence};
        ct_ptx *const module = ct_ptx_load(rows[i].text, message);
        if (!module) fail_msg("%s", message);
        const int status =
            ct_grid_launch(ct_ptx_kernel(module, "k"), (ct_dim3){1, 1, 1}, (ct_dim3){16, 1, 1}, 0,
                           args, sizeof args, &options, &report);
        if (status != rows[i].status) fail_msg("row %zu: %d: %s", i, status, report.message);
        if (status == CT_GRID_OK) assert_memory_equal(src, dst, 64);
        ct_grid_report_free(&report);
        ct_ptx_free(module);
    }
}

/* Values that a renumbering of registers must keep: of a write under a guard, which leaves the one of a round before;
 * of a register that is written behind its reader in the text; of one that is read before any write; and
 * through a table of labels. What nobody reads overwrites nothing. */
TEST(test_registers)
{
    pass(run_text(
        KERNEL(
            "mov.u32 %r1, 0; mov.u32 %r2, 7; mov.u32 %r3, 100;\n"
            "LOOP: setp.eq.u32 %p1, %r1, 2; @%p1 add.u32 %r2, %r3, %r1;\n"
            "mov.b64 {_, %r4}, %d2; mov.b64 {%r5, _}, %d2; setp.lt.u32 %p2|%p3, %r1, 2;\n"
            "add.u32 %r6, %r1, %r2; mul.lo.u32 %r6, %r6, 3; @%p2 bra LATE;\n"
            "BACK: mul.wide.u32 %d3, %r1, 4; add.u64 %d4, %d2, %d3; st.global.u32 [%d4], %r6;\n"
            "add.u32 %r1, %r1, 1; setp.lt.u32 %p4, %r1, 5; @%p4 bra LOOP;\n"
            "add.u32 %r7, %r20, 9; add.u32 %r7, %r7, %r21; add.u32 %r7, %r7, %r22; st.global.u32 [%d2+20], %r7; mov.u32 %r20, 3;\n"
            "mov.u32 %r8, 1; mov.u32 %r9, 41; brx.idx %r8, TABLE;\n"
            "TABLE: .branchtargets FIRST, SECOND;\n"
            "FIRST: mov.u32 %r9, 5;\n"
            "SECOND: add.u32 %r9, %r9, %r20; st.global.u32 [%d2+24], %r9; bra SET;\n"
            "OVER: mov.u32 %r12, 1; mov.u32 %r13, 2; mov.u32 %r14, 3; add.u32 %r12, %r12, %r13;\n"
            "ADD: add.u32 %r11, %r11, %r10; st.global.u32 [%d2+28], %r11; bra END;\n"
            "SET: mov.u32 %r10, 50; mov.u32 %r11, 6; mov.u32 %r15, 0; brx.idx %r15, TO;\n"
            "TO: .branchtargets OVER, ADD;\n"
            "LATE: add.u32 %r6, %r6, %r3; bra BACK;\n"
            "END: ret;\n"),
        1, 1));
    const uint32_t wanted[] = {121, 124, 312, 315, 318, 9, 44, 56};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; ++i)
        assert_int_equal(words()[i], wanted[i]);
}

/* A product by mma.sync of ones. */
TEST(test_matrices)
{
    pass(run_text(KERNEL(OWN
                         "mov.b32 %r2, 0f3C003C00; mov.b32 %r4, 0x3c003c00; mov.b32 %r3, 0;\n"
                         "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%r1, %r5, %r6, %r7},\n"
                         "{%r4, %r4, %r4, %r4}, {%r4, %r4}, {%r3, %r3, %r3, %r3};\n" STORE),
                  1, 32));
    for (uint32_t t = 0; t < 32; ++t) assert_int_equal(words()[t], 0x41800000);
}

GROUP("ptx", setup, teardown)
