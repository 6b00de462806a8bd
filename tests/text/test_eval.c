/* Expressions: what they give, how failures and wrong calls are told, comparisons, checks and
 * explanations. The values of the operations themselves are the business of the conformance
 * file. */
#include "test.h"

#include <cutlet/cutlet.h>
#include <cutlet/host/check.h>
#include <cutlet/host/eval.h>
#include <cutlet/host/explain.h>
#include <cutlet/host/testing.h>
#include "all_cases.h"
#include "table.h"
#include "text/mma_names.h"

static const struct {
    const char *text, *value;
} values[] = {
    {"(4,8):(8,1)(2,3)", "19"},
    {"(4,8):(8,1)(13)", "11"},
    {"((4,8):(8,1))(2,3)", "19"},
    {"(4,8)(2,3)", "14"},
    {"(4,(2,4)):(8,(4,1))(3,(1,2))", "30"},
    {"(4,8):(8,1)(2,_)", "16@(8):(1)"},
    {"(4,8):(8,1)(_,_)", "0@(4,8):(8,1)"},
    {"100@(4,8):(8,1)(2,3)", "119"},
    {"100@(4,8):(8,1)(_,3)", "103@(4):(8)"},
    {"(2,3):(1@0,1@1)(5)", "(1,2)"},
    {"Sw<3,4,3>(200)", "216"},
    {"Sw<2,0,3> o 0 o (8,8):(8,1)(1,2)", "11"},
    {"Sw<3,4,3> o 0 o (8,64):(64,1)(_,3)", "Sw<3,4,3> o 3 o (8):(64)"},
    {"offsets(4:2)", "(0,2,4,6)"},
    {"offsets((2,2):(1@0,1@1))", "((0,0),(1,0),(0,1),(1,1))"},
    {"offsets(20:3)(19)", "57"},
    {"offsets(Sw<1,0,1> o 0 o 4:1)", "(0,1,3,2)"},
    {"offsets(5@4:2)", "(5,7,9,11)"},
    {"shape((4,8):(8,1)):stride((8,4))", "(4,8):(1,8)"},
    {"(size(4:1),rank((1,2)),_)", "(4,2,_)"},
    {"make_layout((4,8),(8,1))", "(4,8):(8,1)"},
    {"make_layout(4:1,2:7)", "(4,2):(1,7)"},
    {"make_layout(4:1,(2,2))", "(4,(2,2)):(1,(1,2))"},
    {"make_layout(4:1,2:7,3:9,1:0)", "(4,2,3,1):(1,7,9,0)"},
    {"make_layout(6)", "6:1"},
    {"get((2,(3,4)),1)", "(3,4)"},
    {"get((2,(3,4)):(1,(2,6)),1)", "(3,4):(2,6)"},
    {"logical_divide((4,8), (2,2))", "((2,2),(2,4)):((1,2),(4,8))"},
    {"logical_divide((4,8), <2,_>)", "((2,2),8):((1,2),4)"},
    {"composition((8,8):(8,1), 4)", "4:8"},
    {"composition(Sw<3,4,3>, (8,64):(64,1))", "Sw<3,4,3> o 0 o (8,64):(64,1)"},
    {"eval(4:2, 10)", "20"},
    {"copy_atom(ldmatrix_x4_trans, 16)", "copy_atom(ldmatrix_x4_trans, 16)"},
    {"SM75_U32x1_LDSM_N", "ldmatrix_x1"},
    {"copy_atom(SM75_U32x4_LDSM_N, 16)", "copy_atom(ldmatrix_x4, 16)"},
    {"copy_atom(cute::SM75_U16x8_LDSM_T{}, 16)", "copy_atom(ldmatrix_x4_trans, 16)"},
    {"copy_atom(SM90_U32x2_STSM_N, 16)", "copy_atom(stmatrix_x2, 16)"},
    {"copy_atom(SM90_U16x2_STSM_T, 16)", "copy_atom(stmatrix_x1_trans, 16)"},
    {"copy_atom(SM80_CP_ASYNC_CACHEGLOBAL, 16)", "copy_atom(cp_async_cg128, 16)"},
    {"Copy_Atom<SM80_CP_ASYNC_CACHEALWAYS<cute::uint128_t, uint128_t>, half_t>{}",
     "copy_atom(cp_async_ca128, 16)"},
    {"Copy_Atom<SM80_CP_ASYNC_CACHEALWAYS_ZFILL<uint_byte_t<4>>, half_t>",
     "copy_atom(cp_async_ca32, 16)"},
    {"Copy_Atom<UniversalCopy<uint_bit_t<256>>, float>", "copy_atom(universal256, 32)"},
    {"Copy_Atom<AutoVectorizingCopy, half_t>", "copy_atom(auto, 16)"},
    {"Copy_Atom<AutoVectorizingCopyWithAssumedAlignment<128>, half_t>", "copy_atom(auto, 16)"},
    {"Copy_Atom<DefaultCopy, uint8_t>", "copy_atom(universal8, 8)"},
    {"Copy_Atom<DefaultCopy, half_t>", "copy_atom(universal16, 16)"},
    {"Copy_Atom<DefaultCopy, float>{}", "copy_atom(universal32, 32)"},
    {"Copy_Atom<SM90_TMA_LOAD_2D, half_t>", "copy_atom(tma_load, 16)"},
    {"Copy_Atom<SM90_TMA_STORE, float>", "copy_atom(tma_store, 32)"},
    {"Copy_Atom<SM90_TMA_REDUCE_ADD, float>", "copy_atom(tma_add, 32)"},
    {"Copy_Atom<SM90_BULK_COPY_G2S, double>", "copy_atom(bulk_load, 64)"},
    {"copy_atom(SM90_BULK_COPY_S2G, 8)", "copy_atom(bulk_store, 8)"},
    {"tiled_copy(Copy_Atom<UniversalCopy<uint64_t>, half_t>{}, (16,8):(8,1), (1,4):(1,1))",
     "tiled_copy_of(copy_atom(universal64, 16), ((8,16),4):((64,1),16), <16:1,32:1>)"},
    {"tiled_copy(copy_atom(universal64, 16), (16,8):(8,1), (1,4):(1,1))",
     "tiled_copy_of(copy_atom(universal64, 16), ((8,16),4):((64,1),16), <16:1,32:1>)"},
    {"tiled_copy_of(copy_atom(universal64, 16), ((8,16),4):((64,1),16), <16:1,32:1>)",
     "tiled_copy_of(copy_atom(universal64, 16), ((8,16),4):((64,1),16), <16:1,32:1>)"},
    {"size(tiled_copy(copy_atom(universal64, 16), (16,8):(8,1), (1,4):(1,1)))", "128"},
    {"congruent((1,2),(3,4))", "true"},
    {"true == 1", "true"},
    {"4:1 == 4", "true"},
    {"(4,8):(1,4) == (4,8):(1,5)", "false"},
    {"4:1 == 4:1 ", "true"},
    {"(4):(1) == 4:1", "false"},
    {"(2,2):(1,2) ~ 4:1", "true"},
    {"(2,2):(1,3) ~ 4:1", "false"},
    {"(2,1,3):(1,77,2) ~ 6:1", "true"},
    {"0@4:1 ~ 4:1", "true"},
    {"1@4:1 ~ 4:1", "false"},
    {"Sw<0,0,0> o 0 o 4:1 ~ (2,2)", "true"},
    {"(1073741824,4) ~ 4294967296:1", "true"},
    {"(1073741824,4):(1,1) ~ 4294967296:1", "false"},
    {"composition((4,2):(1,8), 3:3) == error", "true"},
    {"(0,4):(1,1) == error", "true"},
    {"4:1 == error", "false"},
    {"<4,2> == (4,2)", "true"},
    {"offsets(17:1) == (0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16)", "true"},
    {"offsets(17:1) == (0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,17)", "false"},
};

TEST(test_values)
{
    for (size_t i = 0; i < sizeof values / sizeof values[0]; ++i) {
        ct_value v;
        ct_diag diag;
        char text[CT_TEXT_BYTES];
        if (ct_evaluate(values[i].text, &v, &diag))
            fail_msg("%s: %s", values[i].text, diag.message);
        ct_format_value(text, sizeof text, &v);
        if (strcmp(text, values[i].value) != 0) fail_msg("%s gives %s", values[i].text, text);
        ct_value_free(&v);
    }
}

/* An expression that fails: where, and how. */
static void check_failure(const char *at, const char *text, const char *expected)
{
    ct_value v;
    ct_diag diag;
    char said[CT_MESSAGE_BYTES * 2];
    const ct_status result = ct_evaluate(text, &v, &diag);
    snprintf(said, sizeof said, "%s: %s", ct_status_name(result), diag.message);
    if (strcmp(said, expected) != 0) fail_msg("%s: %s", text, said);
    const char *place = strstr(text, at);
    if (strcmp(at, "== 4 ") == 0) place = strrchr(text, '=') - 1;
    if (at[0] == '\0') place = text + strlen(text);
    if (text + diag.at != place) fail_msg("%s: at %zu", text, diag.at);
    assert_true(diag.length >= 1);
    assert_int_equal(v.kind, result == CT_E_TEXT ? CT_KIND_NONE : CT_KIND_ERROR);
    ct_value_free(&v);
    assert_int_equal(ct_evaluate(text, &v, NULL), result);
    ct_value_free(&v);
}

TEST(test_failures)
{
    char *const table = table_text("tests/text/places.txt"), *at = table, *cell[3];
    int rows = 0;
    for (; table_row(&at, cell, 3); ++rows) check_failure(cell[0], cell[1], cell[2]);
    free(table);
    assert_int_equal(rows, 60);
}

/* Every reason has a sentence of one line that begins with the operation and names its numbers. */
TEST(test_every_reason_has_a_sentence)
{
    for (int why = 1; why <= CT_WHY_DEPTH; ++why) {
        for (int op = 1; op <= CT_OP_COSIZE; ++op) {
            ct_error e = ct_make_error(CT_E_ARGUMENT, op, why, 1, INT64_MAX, -INT64_MAX);
            char text[2 * CT_MESSAGE_BYTES];
            e.other = INT32_MAX;
            e.n[2] = INT64_MAX;
            const int n = ct_error_message(e, text, sizeof text);
            if (n >= CT_MESSAGE_BYTES) fail_msg("%d characters: %s", n, text);
            if (strstr(text, "reason")) fail_msg("reason %d has no sentence", why);
            if (strncmp(text, ct_op_name(op), strlen(ct_op_name(op))) != 0) fail_msg("%s", text);
            assert_string_not_equal(ct_op_name(op), "cutlet");
            assert_null(strpbrk(text, "%\n"));
        }
    }
    ct_error none;
    char text[8] = "x";
    memset(&none, 0, sizeof none);
    assert_int_equal(ct_error_message(none, text, sizeof text), 0);
    /* each status has a name of its own */
    for (int a = CT_OK; a <= CT_E_TEXT; ++a) {
        if (a > CT_E_UNDECIDED && a < CT_E_MEMORY) continue;
        assert_string_not_equal(ct_status_name(a), ct_status_name(-1));
        for (int b = CT_OK; b < a; ++b)
            if (b <= CT_E_UNDECIDED || b >= CT_E_MEMORY)
                assert_string_not_equal(ct_status_name(a), ct_status_name(b));
    }
    assert_string_equal(text, "");
}

static const struct {
    const char *line;
    int outcome;
} lines[] = {
    {"", CT_CHECK_BLANK},
    {"   # size(4:1) == 5", CT_CHECK_BLANK},
    {"size(4:1) == 4", CT_CHECK_PASSED},
    {"size(4:1) == 4 # four", CT_CHECK_PASSED},
    {"size(4:1) == 5", CT_CHECK_FAILED},
    {"(2,2):(1,2) ~ 4:1", CT_CHECK_PASSED},
    {"(2,2):(1,3) ~ 4:1", CT_CHECK_FAILED},
    {"(2,2):(1,2) == 4:1", CT_CHECK_FAILED},
    {"complement((2,2):(2,6), 24) == error", CT_CHECK_PASSED},
    {"complement((2,2):(1,6), 24) == error", CT_CHECK_FAILED},
    {"complement((2,2):(2,6), 24) == 4:1", CT_CHECK_FAILED},
    {"complement((2,2):(2,6), 24) == complement((2,2):(2,6), 24)", CT_CHECK_FAILED},
    {"frobnicate(4:1) == error", CT_CHECK_BAD},
    {"size(4:1, ) == error", CT_CHECK_BAD},
    {"composition((4,2):(1,8), 3:3), == error", CT_CHECK_BAD},
    {"composition(composition((4,2):(1,8), 3:3), frob) == error", CT_CHECK_BAD},
    {"size(4:1)", CT_CHECK_BAD},
    {"4:1 ~ error", CT_CHECK_BAD},
};

TEST(test_lines)
{
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; ++i) {
        ct_verdict v;
        ct_check_line(lines[i].line, strlen(lines[i].line), &v);
        if (v.outcome != lines[i].outcome) fail_msg("%s: %d", lines[i].line, (int)v.outcome);
        if (v.outcome == CT_CHECK_FAILED) {
            assert_non_null(v.got);
            assert_non_null(v.expected);
        }
        if (v.outcome == CT_CHECK_BAD) assert_string_not_equal(v.diag.message, "");
        ct_verdict_free(&v);
    }
}

/* What a stream holds, into buf. */
static void read_back(FILE *f, char *buf, size_t size)
{
    rewind(f);
    const size_t n = fread(buf, 1, size - 1, f);
    buf[n] = '\0';
    fclose(f);
}

TEST(test_report)
{
    static const char text[] =
        "# two of four\nsize(4:1) == 4\n  size(4:1) == 5\n(2,2):(1,3) ~ 4:1\r\nsize(4:1 == 4";
    static const char expected[] = "f:3: size(4:1) == 5\n"
                                   "  got       4\n"
                                   "  expected  5\n"
                                   "f:4: (2,2):(1,3) ~ 4:1\n"
                                   "  got       (2,2):(1,3)\n"
                                   "  expected  4:1\n"
                                   "  at index 2: 3 against 2\n"
                                   "f:5:5: this parenthesis is never closed\n"
                                   "  size(4:1 == 4\n"
                                   "      ^\n";
    char report[1024];
    ct_check_counts counts = {0, 0, 0};
    FILE *f = tmpfile();
    assert_non_null(f);
    ct_check_text("f", text, sizeof text - 1, CT_CHECK_LINES, f, &counts);
    read_back(f, report, sizeof report);
    assert_string_equal(report, expected);
    assert_int_equal(counts.passed, 1);
    assert_int_equal(counts.failed, 3);
    assert_int_equal(counts.bad, 1);
}

TEST(test_examples)
{
    static const char text[] = "/**\n"
                               " * Example: size(4:1) == 4\n"
                               " * Example:  size(\n"
                               " *               4:1)\n"
                               " *               == 5\n"
                               " * Not after Example: size(4:1) == 6\n"
                               " */\n";
    ct_check_counts counts = {0, 0, 0};
    ct_check_text("f", text, sizeof text - 1, CT_CHECK_EXAMPLES, NULL, &counts);
    assert_int_equal(counts.passed, 1);
    assert_int_equal(counts.failed, 1);
    assert_int_equal(counts.bad, 0);
}

TEST(test_conformance_file)
{
    char message[CT_MESSAGE_BYTES];
    ct_check_counts counts = {0, 0, 0};
    assert_int_equal(
        ct_check_file("tests/conformance/cute.check", CT_CHECK_LINES, stderr, &counts, message), 0);
    assert_int_equal(counts.passed, 5176);
    assert_int_equal(counts.failed, 0);
    assert_int_equal(
        ct_check_file("tests/conformance/mma.check", CT_CHECK_LINES, stderr, &counts, message), 0);
    assert_int_equal(counts.passed, 5176 + 535);
    assert_int_equal(counts.failed, 0);
    assert_int_equal(ct_check_file("tests/no such file", CT_CHECK_LINES, NULL, &counts, message),
                     CT_E_FILE);
    assert_non_null(strstr(message, "no such file"));
}

/* The last line of each step is the result; the numbers on the way are the real ones. */
static const struct {
    const char *text, *contains;
} explanations[] = {
    {"composition((6,2):(8,2), (4,3):(3,1))", "6:8: 2 of the 4 steps of 3 fit: 2:3*8; 2 left"},
    {"mma_atom(SM80_16x8x16_F32F16F16F32_TN)",
     "A (m,k) of F16, in registers: (thread, value) -> element: "
     "((4,8),(2,2,2)):((32,1),(16,8,128)), 8 values of each"},
    {"mma_atom(SM90_64x64x16_F32F16F16_SS)", "1024 values of each; every thread names the whole"},
    {"mma_atom(SM100_256x64x16_F32F16F16_2x1SM_TS)",
     "m, n, k = 256, 64, 16, on sm_100a and its family, carried out by two blocks."},
    {"mma_atom(SM90_64x64x16_F32F16F16_SS)",
     "m, n, k = 64, 64, 16, on sm_90a alone, carried out by a warpgroup, 128 threads."},
    {"mma_atom(SM90_16x8x4_F64F64F64F64_TN)",
     "m, n, k = 16, 8, 4, from sm_90 on, carried out by a warp."},
    {"tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2,1), <_,32,_>)",
     "the atoms cover (32,16,16) at once; the permutation's tile, a multiple, is (32,32,16)"},
    {"partition_b(tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2,1)), (64,32):(32,1), 40)",
     "thread 40 is at (thread of the atom, m, n, k) = (8,1,0,0) of (32,2,2,1):(1,32,64,0)"},
    {"partition_b(tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2,1), <_,(8,2,2):(1,16,8),_>), "
     "(64,32):(32,1), 40)",
     "((thread, value), (rest)): (((4,8),(2,2)),((2,2,2),2)):(((2,32),(1,8)),((512,256,1024),16))"},
    {"composition((6,2):(8,2), (4,3):(3,1))", "= ((2,2),3):((24,2),8)"},
    {"composition((4,2):(1,8), 3:3)", "fails: composition: mode 0 of B has stride 3"},
    {"coalesce((2,(1,6)):(1,(6,2)))", "2*1 = 2, the stride above: merged to 12:1"},
    {"coalesce((2,6):(1,3))", "2*1 = 2, not the stride 3 above: stays"},
    {"complement((2,2):(1,6), 24)", "2:6: 6/2 = 3 copies fit below: 3:2; extent 6*2 = 12"},
    {"logical_divide(10:1, 4:1)", "the last one reaches 2 elements past it"},
    {"logical_divide((9,8):(8,1), <3:3,4:1>)", "tile 3:24, rest 3:8"},
    {"blocked_product((2,5):(5,1), (3,4):(1,3))", "mode 1: A 5:1, copies 4:30"},
    {"right_inverse((4,8):(8,1))", "4:8: stride 8 is next; its index step is 1: 4:1"},
    {"left_inverse((2,3):(1,6))", "up to stride 6 come 6/1 = 6 steps of index 1"},
    {"left_inverse((2,3):(2,5))", "3:5: stride 5 does not nest with stride 2, whose extent is 4"},
    {"max_common_vector((4,8):(1,4), (4,8):(1,8))", "stride 1: 4 contiguous elements"},
    {"max_alignment((4,8):(1,6))", "gcd(4, 6) = 2"},
    {"Sw<3,4,3>(200)", "swizzled   0011011000  216"},
    {"(4,8):(8,1)(13)", "leaf 0: 13 mod 4 = 1, times stride 8: 8; 13/4 = 3 goes on"},
    {"upcast((8,4):(1,8), 4)", "8:1: 4/1 = 4 elements make a new one: shape 8/4"},
    {"downcast((2,4):(1,2), 4)", "2:1: shape 8"},
    {"nullspace((2,3,4):(1,0,2))", "leaf 1, 3:0: its index steps by 2"},
    {"tiled_copy(copy_atom(universal64, 16), (16,8):(8,1), (1,4):(1,1))",
     "raked_product(thr, val), (m,n) -> thread + 128*value: ((1,16),(4,8)):((128,8),(128,1))"},
    {"partition_src(tiled_copy(copy_atom(universal128, 16), (16,2):(1,16), (8,1):(1,8)), "
     "(128,4):(1,136), 1)",
     "thread 1 of (16,2):(8,136) begins at offset 8"},
    {"local_partition((128,16):(1,128), (8,4):(4,1), 7)",
     "thread 7 is at coordinate (1,3) of (8,4):(4,1)"},
    {"size(coalesce((2,3)))", "2. size(6:1)"},
    {"size(4) == 5", "the comparison is false"},
    {"7", "there is no operation to explain"},
    {"(4,8)", "(4,8) is a shape; as a layout it is compact, the first mode fastest:"},
    {"(4,8):(8,1)", "mode 0  4:8              offsets 0, 8, 16, 24"},
    {"(4,8):(8,1)", "coordinate (i,j) lies at 8*i + j"},
    {"(4,8):(8,1)", "32 coordinates reach offsets 0 to 31, each once, without gaps"},
    {"(4,8):(16,1)", "32 coordinates reach offsets 0 to 55, each at most once, with gaps"},
    {"(4,8):(0,1)", "8 different offsets: it is not injective"},
    {"(4,8):(8,1)", "contiguous along mode 1, 8 elements at a time"},
    {"(4,8):(8,2)", "no mode is contiguous"},
    {"(4,8):(1,4)", "the same function of an index: 32:1"},
    {"(4,8):(-8,1)", "32 coordinates reach offsets -24 to 7, each once, without gaps"},
    {"(4,8):(1@0,1@1)", "Its offsets are coordinates"},
    {"Sw<3,3,4>", "Bits 7 to 9 of an offset are added to bits 3 to 5, without a carry (XOR)."},
    {"Sw<3,3,4>", "Runs of 8 stay together; the pattern repeats after 1024."},
    {"Sw<2,0,-3>", "Bits 0 to 1 of an offset are added to bits 3 to 4"},
    {"Sw<3,3,3> o 5 o (8,64):(64,1)", "is a layout behind a swizzle and an offset"},
};

TEST(test_explanations)
{
    for (size_t i = 0; i < sizeof explanations / sizeof explanations[0]; ++i) {
        char text[8192];
        ct_diag diag;
        FILE *f = tmpfile();
        assert_non_null(f);
        assert_int_not_equal(ct_explain(explanations[i].text, f, &diag), CT_E_TEXT);
        read_back(f, text, sizeof text);
        if (!strstr(text, explanations[i].contains))
            fail_msg("%s:\n%s", explanations[i].text, text);
    }
}

/* Every case of a conformance file can be explained, and ends with its value. */
static void explain_cases(const char *path, int cases)
{
    static char line[1024], text[1 << 16], last[1 << 16];
    FILE *f = fopen(path, "r");
    int explained = 0;
    assert_non_null(f);
    while (fgets(line, sizeof line, f)) {
        char *sign = strstr(line, " == ");
        if (line[0] == '#' || !sign) continue;
        *sign = '\0';
        ct_diag diag;
        FILE *out = tmpfile();
        assert_non_null(out);
        assert_int_equal(ct_explain(line, out, &diag), 0);
        read_back(out, text, sizeof text);
        const char *result = strrchr(text, '=');
        assert_non_null(result);
        snprintf(last, sizeof last, "%.*s == %s", (int)strcspn(result + 2, "\n"), result + 2,
                 sign + 4);
        ct_assert_expr(last);
        ++explained;
    }
    fclose(f);
    assert_int_equal(explained, cases);
}

TEST(test_every_case_explained)
{
    explain_cases("tests/conformance/cute.check", 5176);
    explain_cases("tests/conformance/mma.check", 535);
}

/* Calls the operation of a step once more, with its values, and compares what comes of it. */
static void call_again(void *context, const ct_step *step)
{
    enum { MOST = 32 };
    static ct_value arg[MOST];
    ct_forms forms;
    ct_value out;
    char message[CT_MESSAGE_BYTES];
    if (strcmp(step->name, "at") == 0 || step->count > MOST)
        return; /* perhaps a value at a coordinate */
    memcpy(arg, step->arg, (size_t)step->count * sizeof *arg);
    assert_true(ct_operation_forms(step->name, &forms) > 0);
    const ct_status status = ct_operation_call(&forms, arg, step->count, &out, message);
    ++*(int *)context;
    assert_int_equal(out.kind, step->result->kind);
    if (out.kind == CT_KIND_ERROR) {
        char sentence[CT_MESSAGE_BYTES];
        ct_error_message(step->result->as.failure.err, sentence, sizeof sentence);
        assert_int_equal(status, step->result->as.failure.err.status);
        assert_memory_equal(message, sentence, strlen(sentence)); /* it may say what A and B are */
    } else {
        assert_int_equal(status, CT_OK);
        assert_true(ct_value_equal(&out, step->result));
    }
    ct_value_free(&out);
}

/* A call with values gives what the expression gives, in every case of a file. */
static void call_cases(const char *path, int least)
{
    static char line[1024];
    FILE *f = fopen(path, "r");
    int called = 0;
    assert_non_null(f);
    while (fgets(line, sizeof line, f)) {
        char *sign = strstr(line, " == ");
        if (line[0] == '#' || !sign) continue;
        *sign = '\0';
        ct_value out;
        ct_evaluate_observed(line, &out, NULL, call_again, &called);
        ct_value_free(&out);
    }
    fclose(f);
    assert_true(called >= least);
}

TEST(test_calls)
{
    call_cases("tests/conformance/cute.check", 5000);
    call_cases("tests/algebra/edges.check", 120);
}

TEST(test_calls_converted)
{
    ct_forms forms;
    ct_value arg[2], out;
    assert_int_equal(ct_operation_forms("composition", &forms), 9);
    arg[0].kind = arg[1].kind = CT_KIND_TUPLE; /* a bare shape and a tiler */
    arg[0].as.tuple = ct_tuple2(8, 8);
    arg[1].as.tuple = ct_tuple2(4, 2);
    assert_int_equal(ct_operation_call(&forms, arg, 2, &out, NULL), CT_OK);
    assert_int_equal(out.kind, CT_KIND_LAYOUT);
    ct_assert_layout(out.as.layout, "(4,2):(1,8)");
}

TEST(test_calls_refused)
{
    ct_forms forms;
    ct_value arg[3], out;
    char message[CT_MESSAGE_BYTES];
    assert_int_equal(ct_operation_forms("no_such", &forms), 0);
    assert_int_equal(ct_operation_call(&forms, arg, 0, &out, message), CT_E_TEXT);
    assert_string_equal(message, "there is no such operation");

    ct_operation_forms("complement", &forms);
    arg[0].kind = CT_KIND_LAYOUT;
    arg[0].as.layout = ct_layout1(4, 2);
    arg[1].kind = CT_KIND_SWIZZLE;
    arg[1].as.swizzle = ct_swizzle_none();
    assert_int_equal(ct_operation_call(&forms, arg, 2, &out, message), CT_E_TEXT);
    assert_int_equal(out.kind, CT_KIND_NONE);
    assert_string_equal(message, "complement: argument 2 must be an integer, not a swizzle");
    assert_int_equal(ct_operation_call(&forms, arg, 3, &out, message), CT_E_TEXT);
    assert_non_null(strstr(message, "; 3 arguments are given"));

    arg[1].kind = CT_KIND_TUPLE;
    arg[1].as.tuple = ct_int(0);
    assert_int_equal(ct_operation_call(&forms, arg, 2, &out, message), CT_E_ARGUMENT);
    assert_int_equal(out.kind, CT_KIND_ERROR);
    assert_non_null(strstr(message, "complement: "));
}

/* No operation has more forms than a ct_forms holds. */
TEST(test_all_forms_are_found)
{
    ct_operation_info info, other;
    ct_forms forms;
    for (int i = 0; ct_operation_listed(i, &info); ++i) {
        int count = 0;
        for (int k = 0; ct_operation_listed(k, &other); ++k)
            count += !strcmp(info.name, other.name);
        assert_int_equal(ct_operation_forms(info.name, &forms), count);
    }
}

/* The name that an instruction has is the only one: a text that reads as it is that name. */
static void only_name(const char *text)
{
    char name[CT_MMA_NAME_BYTES];
    const ct_mma_atom atom = ct_make_mma_atom(text);
    if (atom.err.status) return;
    ct_mma_op_name(name, atom.op);
    if (strcmp(name, text) != 0) fail_msg("%s is read as %s", text, name);
}

/* A zero put in anywhere, or a character left out. */
static int change_name(void *context, ct_mma_op op)
{
    static int number;
    char name[CT_MMA_NAME_BYTES], text[CT_MMA_NAME_BYTES + 1];
    (void)context;
    if (number++ % 5 != 0 && !all_cases()) return 0;
    ct_mma_op_name(name, op);
    only_name(name);
    for (int at = 0; at <= (int)strlen(name); ++at) {
        snprintf(text, sizeof text, "%.*s0%s", at, name, name + at);
        only_name(text);
        if (name[at]) snprintf(text, sizeof text, "%.*s%s", at, name, name + at + 1);
        only_name(text);
    }
    return 0;
}

TEST(test_mma_names)
{
    assert_int_equal(ct_mma_each(change_name, NULL), 0);
    assert_int_equal(ct_make_mma_atom("SM90_64x048x16_F32F16F16_SS").err.why, CT_WHY_MMA_NAME);
    assert_int_equal(ct_make_mma_atom("SM090_64x48x16_F32F16F16_SS").err.why, CT_WHY_MMA_NAME);
}

GROUP("eval", NULL, NULL)
