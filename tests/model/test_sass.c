/* The readers of generated code: single instructions; whole dumps by cuobjdump and nvdisasm 13.5,
 * of what nvcc 13.0 makes; text of another kind; the selection of kernels; expectations. */
#include "test.h"

#include "tools/cutlet/sass/expect.h"
#include "tools/cutlet/sass/names.h"
#include "tools/cutlet/sass/read.h"
#include "sass_rows.h"

#define LENGTH(array) (sizeof(array) / sizeof *(array))

static void check_rows(const row *rows, size_t n, ct_sass_sized (*read)(const char *))
{
    for (size_t i = 0; i < n; ++i) {
        char got[32] = "";
        const ct_sass_sized a = read(rows[i].instruction);
        if (a.access != CT_NO_ACCESS)
            snprintf(got, sizeof got, "%s %s", ct_sass_access_name(a.access),
                     ct_sass_width_name(a.width));
        if (strcmp(got, rows[i].access) != 0)
            fail_msg("`%s` is `%s`, not `%s`", rows[i].instruction, got, rows[i].access);
    }
}

TEST(test_instructions)
{
    check_rows(sass_rows, LENGTH(sass_rows), ct_sass_access_of);
    check_rows(ptx_rows, LENGTH(ptx_rows), ct_ptx_access_of);
}

/* ---- whole texts ----------------------------------------------------------------------------- */

/* Each line of a text through a reader; PTX where is_ptx. */
static ct_code read_text(const char *text, int is_ptx)
{
    ct_code code = {.keeps_lines = 1};
    ct_sass_reader sass = ct_sass_begin(&code);
    ct_ptx_reader ptx = ct_ptx_begin(&code);
    while (*text) {
        const size_t n = strcspn(text, "\n") + (strchr(text, '\n') != NULL);
        char *const line = strndup(text, n);
        assert_non_null(line);
        if (is_ptx) ct_ptx_line(&ptx, line);
        else ct_sass_line(&sass, line);
        free(line);
        text += n;
    }
    ct_ptx_end(&ptx);
    assert_false(code.out_of_memory);
    return code;
}

static ct_code read_data(const char *path, int is_ptx)
{
    FILE *const file = fopen(path, "r");
    assert_non_null(file);
    char *const text = calloc(1, 1 << 20);
    assert_non_null(text);
    assert_in_range(fread(text, 1, (1 << 20) - 1, file), 1000, (1 << 20) - 2);
    fclose(file);
    const ct_code code = read_text(text, is_ptx);
    free(text);
    return code;
}

static void expect_cell(const ct_kernel_code *k, ct_sass_access access, const char *wanted)
{
    char cell[64];
    ct_kernel_cell(k, access, cell, sizeof cell);
    if (strcmp(cell, wanted) != 0)
        fail_msg("%s, %s: %s is %s, not %s", k->name, k->arch, ct_sass_access_name(access), cell,
                 wanted);
}

/* The kernel plain_copy.cu moves 16 bytes a thread, and the bytes after the last 16 singly. */
static void check_plain_copy(const ct_kernel_code *k, const char *arch)
{
    int64_t all = 0;
    assert_string_equal(k->name, "ct_plain_copy");
    assert_string_equal(k->arch, arch);
    expect_cell(k, CT_LDG, "128:1 8:1");
    expect_cell(k, CT_STG, "128:1 8:1");
    expect_cell(k, CT_LDS, "-");
    for (int a = 0; a < CT_SASS_ACCESS_COUNT; ++a)
        all += ct_kernel_count(k, a, CT_SASS_8, CT_SASS_NONE);
    assert_int_equal(all, 4);
    assert_int_equal(k->lines, 4);
    assert_int_equal(k->registers, CT_NOT_KNOWN);
}

TEST(test_dumps)
{
    ct_code code = read_data("tests/data/plain_copy.cuobjdump.txt", 0);
    assert_int_equal(code.count, 2);
    check_plain_copy(&code.kernel[0], "sm_80");
    check_plain_copy(&code.kernel[1], "sm_90");
    assert_string_equal(code.kernel[1].line[0].at, "0120");
    assert_string_equal(code.kernel[1].line[0].text, "@!P0 LDG.E.128 R4, desc[UR4][R8.64]");
    ct_code_free(&code);
    code = read_data("tests/data/plain_copy.nvdisasm.txt", 0);
    assert_int_equal(code.count, 1);
    check_plain_copy(&code.kernel[0], "sm_100");
    ct_code_free(&code);
    code = read_data("tests/data/plain_copy.ptx", 1);
    assert_int_equal(code.count, 1);
    check_plain_copy(&code.kernel[0], "sm_90");
    assert_string_equal(code.kernel[0].line[0].at, "line 48");
    assert_string_equal(code.kernel[0].line[0].text,
                        "@on ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%rd1]");
    ct_code_free(&code);
    code = read_data("tests/data/plain_copy.ptx", 0); /* it is no machine code, nor is that PTX */
    assert_int_equal(code.count, 0);
    ct_code_free(&code);
    code = read_data("tests/data/plain_copy.cuobjdump.txt", 1);
    assert_int_equal(code.count, 0);
    ct_code_free(&code);
}

TEST(test_usage)
{
    ct_code usage = {0}, code = read_data("tests/data/plain_copy.cuobjdump.txt", 0);
    ct_sass_reader reader = ct_sass_begin(&usage);
    FILE *const file = fopen("tests/data/plain_copy.usage.txt", "r");
    char line[512];
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) ct_usage_line(&reader, line);
    fclose(file);
    ct_usage_line(&reader, "  REG:\n");
    ct_usage_line(&reader, " Function :\n");
    ct_usage_line(&reader, "  REG:5 STACK:6\n"); /* of a function without a name */
    assert_int_equal(usage.count, 2);
    ct_code_set_usage(&code, &usage);
    assert_int_equal(code.kernel[0].registers, 16);
    assert_int_equal(code.kernel[0].stack_bytes, 0);
    ct_code_free(&usage);
    ct_code_free(&code);
}

TEST(test_forms_of_dumps)
{
    /* Older tools tell the architecture in the flags; two instructions may begin together. */
    ct_code code = read_text("\t.headerflags\t@\"EF_CUDA_SM52 EF_CUDA_PTX_SM(EF_CUDA_SM52)\"\n"
                             "\t.section .text.a.b$1,\"ax\",@progbits\n"
                             ".text.a.b$1:\n"
                             "        /*0008*/                   { LDG.E.64 R2, [R2];\n"
                             "        /*0010*/         @!UP0     LDS.U.128 R4, [R2] }\n"
                             "                                   /* 0x001fc400fe2007f6 */\n"
                             "\t.section .nv.info\n"
                             "        /*0018*/ LDG.E R2, [R2];\n"
                             "\tcode for sm_90a\n"
                             "        /*0018*/ LDG.E R2, [R2];\n"
                             "\t\tFunction : _Z1kv\r\n"
                             "/*0020*/ STG.E [R2], R3 ;\r\n"
                             "\t\tFunction : \n"
                             "/*0020*/ STG.E [R2], R3 ;\n"
                             "\t\tFunction : last",
                             0);
    assert_int_equal(code.count, 3);
    assert_string_equal(code.kernel[0].name, "a.b$1");
    assert_string_equal(code.kernel[0].arch, "sm_52");
    expect_cell(&code.kernel[0], CT_LDG, "64:1");
    expect_cell(&code.kernel[0], CT_LDS, "128:1");
    assert_string_equal(code.kernel[1].name, "_Z1kv");
    assert_string_equal(code.kernel[1].arch, "sm_90a");
    expect_cell(&code.kernel[1], CT_STG, "32:1");
    assert_string_equal(code.kernel[2].name, "last");
    expect_cell(&code.kernel[2], CT_STG, "-");
    ct_code_free(&code);
}

TEST(test_forms_of_ptx)
{
    ct_code code =
        read_text(".version 9.0\n.target sm_90a, debug\n"
                  ".extern .func (.param .b32 r) declared (.param .b64 a);\n"
                  ".global .align 4 .b8 data[8] = {1, 2, {3}, 4, 5, 6, 7, 8};\n"
                  ".const .b8 text[2] = {123, 125};\n"
                  ".func  (.param .b32 func_retval0) helper(\n .param .b64 p\n)\n{\n"
                  "ld.global.u32 %r1, [%rd1]; st.local.u32 [%rd2], %r1;\n}\n"
                  "// .entry in_a_comment() {\n"
                  "/* .entry in_another() {\n ld.global.u32 %r, [%rd]; } */\n"
                  ".visible .entry _Z5thingPf(\n.param .u64 p /* { */\n)\n.maxntid 128, 1, 1\n{\n"
                  ".loc 1 20 3, function_name $L__info_string0, inlined_at 1 20 3\n"
                  "$L__BB0_2: // %a {\n"
                  "  $L__BB0_3:@!%p1   ld.global.v4.u32\n {%r1, %r2,\n %r3, %r4}, [%rd1];\n"
                  "{ .reg .b32 t; { st.shared.u16 [t], %rs1; } }\n"
                  "call.uni (retval0), helper, (param0);\n"
                  ".pragma \"a;{ \\ \"; cp.async.cg.shared.global [%r1], [%rd1], 16;\n"
                  "$L__BB0_4:\n{\nld.shared.u32 %r1, [%r2];}\n"
                  "}\n"
                  "ld.global.u32 %r1, [%rd1];\n"
                  ".section .debug_info\n{\n.b8 1\nld.global.u8 %r1, [%rd1];\n}\n"
                  ".entry unfinished() { ld.global.u64 %rd1, [%rd2]; st.global.u8 [%rd2]",
                  1);
    assert_int_equal(code.count, 3);
    assert_string_equal(code.kernel[0].name, "helper");
    expect_cell(&code.kernel[0], CT_LDG, "32:1");
    expect_cell(&code.kernel[0], CT_STL, "32:1");
    const ct_kernel_code *const k = &code.kernel[1];
    assert_string_equal(k->name, "_Z5thingPf");
    assert_string_equal(k->arch, "sm_90a");
    expect_cell(k, CT_LDG, "128:1");
    expect_cell(k, CT_STS, "16:1");
    expect_cell(k, CT_LDGSTS, "128:1");
    expect_cell(k, CT_LDS, "32:1");
    assert_int_equal(k->lines, 4);
    assert_string_equal(code.kernel[2].name, "unfinished");
    expect_cell(&code.kernel[2], CT_LDG, "64:1");
    expect_cell(&code.kernel[2], CT_STG, "-");
    ct_code_free(&code);
}

/* Nothing in a text is wrong; what is no code has no kernels. */
TEST(test_no_code)
{
    static const char *const texts[] = {
        /* clang-format off */
        "", "\n", "}", "}}}};;;", "{{{{", "/*", "*/", "\"", "/*0000*/ LDG.E R1, [R2] ;", "@", "@;",
        "Function :", ".text.:", ".text.name", "code for sm_", "/*", "/**/", "/*00", "/*0000*",
        ".entry", ".entry {", ".func ( {", ".func (a", ".target sm_", ".headerflags EF_CUDA_SM",
        "\x01\x02\xff\xfe", ".entry (a) { ld.global.u32 %r1, [%rd1]; }",
        /* clang-format on */
    };
    for (size_t i = 0; i < LENGTH(texts); ++i) {
        for (int is_ptx = 0; is_ptx <= 1; ++is_ptx) {
            ct_code code = read_text(texts[i], is_ptx);
            if (code.count != 0) fail_msg("`%s` has %d kernels", texts[i], code.count);
            ct_code_free(&code);
        }
    }
}

TEST(test_cut)
{
    for (size_t i = 0; i < LENGTH(cut_rows); ++i) {
        ct_code code = {0};
        ct_sass_reader sass = ct_sass_begin(&code);
        ct_ptx_reader ptx = ct_ptx_begin(&code);
        char line[128];
        for (const char *p = cut_rows[i].text; *p; p += strlen(line)) {
            snprintf(line, sizeof line, "%.*s", (int)strcspn(p, "\n") + 1, p);
            if (cut_rows[i].is_ptx) ct_ptx_line(&ptx, line);
            else ct_sass_line(&sass, line);
        }
        const int is_cut = cut_rows[i].is_ptx ? ct_ptx_is_cut(&ptx) : ct_sass_is_cut(&sass);
        if (is_cut != cut_rows[i].is_cut) fail_msg("row %zu: %s", i, cut_rows[i].text);
        ct_ptx_end(&ptx);
        ct_code_free(&code);
    }
}

/* A dump that ends after any of its lines is cut if that is within a kernel: from a line that
 * starts with begin to one that starts with end. */
static void check_cuts(const char *path, const char *begin, const char *end, int kernels)
{
    FILE *const file = fopen(path, "r");
    ct_code code = {0};
    ct_sass_reader reader = ct_sass_begin(&code);
    char line[512];
    int inside = 0, cuts = 0;
    assert_non_null(file);
    for (int n = 1; fgets(line, sizeof line, file); ++n) {
        const char *const text = line + strspn(line, " \t");
        if (strncmp(text, begin, strlen(begin)) == 0) inside = !strstr(text, "SYMBOLS");
        if (strncmp(text, end, strlen(end)) == 0) inside = 0;
        ct_sass_line(&reader, line);
        cuts += inside;
        if (ct_sass_is_cut(&reader) != inside) fail_msg("%s, line %d: %s", path, n, line);
    }
    fclose(file);
    assert_int_equal(code.count, kernels);
    assert_in_range(cuts, 40, 400);
    ct_code_free(&code);
}

TEST(test_cuts)
{
    check_cuts("tests/data/plain_copy.cuobjdump.txt", "Function :", "....", 2);
    check_cuts("tests/data/plain_copy.nvdisasm.txt", "//-----", ".L_x_5:", 1);
    /* A kernel with a function after it in its section, by nvcc for sm_80; nothing follows. */
    check_cuts("tests/data/call_twice.nvdisasm.txt", "//-----", ".L_x_2:", 1);
}

/* A statement of megabytes is cut off, and the next one is read. */
TEST(test_long_statement)
{
    const size_t n = 3 << 20;
    char *const text = malloc(n + 200);
    assert_non_null(text);
    char *at = text + sprintf(text, ".entry k() { ld.global.u32 %%r1, [");
    memset(at, 'x', n);
    strcpy(at + n, "]; st.global.u8 [%rd1], %rs1; }");
    ct_code code = read_text(text, 1);
    free(text);
    assert_int_equal(code.count, 1);
    expect_cell(&code.kernel[0], CT_LDG, "32:1");
    expect_cell(&code.kernel[0], CT_STG, "8:1");
    ct_code_free(&code);
}

/* ---- kernels --------------------------------------------------------------------------------- */

static ct_code some_kernels(void)
{
    static const char *const names[][2] = {{"copy_b", "sm_100"},
                                           {"copy_a", "sm_90"},
                                           {"copy_b", "sm_90"},
                                           {"copy", "sm_100"},
                                           {"transpose", "sm_90a"}};
    ct_code code = {0};
    for (size_t i = 0; i < LENGTH(names); ++i)
        assert_int_equal(ct_code_add(&code, names[i][0], strlen(names[i][0]), names[i][1]), i);
    return code;
}

static void expect_names(const ct_code *code, const char *wanted)
{
    char got[256] = "";
    for (int i = 0; i < code->count; ++i) {
        const size_t at = strlen(got);
        snprintf(got + at, sizeof got - at, "%s%s/%s", i ? " " : "", code->kernel[i].name,
                 code->kernel[i].arch);
    }
    assert_string_equal(got, wanted);
}

TEST(test_selection)
{
    static const struct {
        const char *arch, *name, *wanted;
    } rows[] = {
        {NULL, NULL, "copy_a/sm_90 copy_b/sm_90 transpose/sm_90a copy/sm_100 copy_b/sm_100"},
        {"sm_90", NULL, "copy_a/sm_90 copy_b/sm_90"},
        {NULL, "copy_b", "copy_b/sm_90 copy_b/sm_100"},
        {NULL, "copy", "copy/sm_100"},
        {"sm_90", "copy", "copy_a/sm_90 copy_b/sm_90"},
        {NULL, "spos", "transpose/sm_90a"},
        {NULL, "nothing", ""},
        {"sm_9", NULL, ""},
    };
    for (size_t i = 0; i < LENGTH(rows); ++i) {
        ct_code code = some_kernels();
        ct_code_select_arch(&code, rows[i].arch);
        ct_code_select_name(&code, rows[i].name);
        ct_code_sort(&code);
        expect_names(&code, rows[i].wanted);
        for (int k = 0; k < 9; ++k) assert_true(ct_code_add(&code, "more", 4, "") >= 0);
        ct_code_free(&code);
    }
}

TEST(test_names)
{
    char text[CT_NAMES_BYTES], longest[1000];
    ct_code code = some_kernels();
    ct_names_archs(&code, text);
    assert_string_equal(text, "sm_100, sm_90, sm_90a");
    ct_names_near(&code, "transpoes", text);
    assert_int_equal(strncmp(text, "transpose, ", 11), 0);
    ct_names_near(&code, "copy_c", text);
    assert_string_equal(text, "copy_b, copy_a, copy");
    memset(longest, 'a', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    ct_code_add(&code, longest, strlen(longest), "");
    ct_names_near(&code, longest, text);
    assert_int_equal(strncmp(text, "aaaa", 4), 0);
    ct_code_free(&code);
    ct_names_near(&code, "copy", text);
    assert_string_equal(text, "");
}

/* ---- expectations ---------------------------------------------------------------------------- */

TEST(test_expectations)
{
    static const struct {
        const char *text;
        int holds; /* by a kernel with LDG of 128 and 32 bits, LDSM x4, UBLKCP, UTMALDG 2D */
    } rows[] = {
        {"LDG", 1},      {"ldg", 1},      {"LDG.128", 1},    {"LDG.64", 0},     {"LDG.64+", 1},
        {"LDG.256+", 0}, {"LDG.64-", 1},  {"LDG.16-", 0},    {"LDG.32-", 1},    {"!LDG", 0},
        {"!LDG.64", 1},  {"!LDG.64-", 0}, {"!LDG.16-", 1},   {"!LDG.256", 1},   {"STG", 0},
        {"!STG", 1},     {"!STG.8+", 1},  {"LDSM.x4", 1},    {"LDSM.X2", 0},    {"LDSM.x2+", 1},
        {"UBLKCP", 1},   {"!UBLKCP", 0},  {"UTMALDG.2d", 1}, {"UTMALDG.3D", 0}, {"!LDL", 1},
    };
    ct_code code = {0};
    assert_int_equal(ct_code_add(&code, "k", 1, "sm_90"), 0);
    ct_code_count(&code, 0, (ct_sass_sized){CT_LDG, CT_SASS_128}, "", "", 0);
    ct_code_count(&code, 0, (ct_sass_sized){CT_LDG, CT_SASS_32}, "", "", 0);
    ct_code_count(&code, 0, (ct_sass_sized){CT_LDSM, CT_SASS_X4}, "", "", 0);
    ct_code_count(&code, 0, (ct_sass_sized){CT_UBLKCP, CT_SASS_NONE}, "", "", 0);
    ct_code_count(&code, 0, (ct_sass_sized){CT_UTMALDG, CT_SASS_2D}, "", "", 0);
    char message[CT_MESSAGE_BYTES];
    ct_expectations all = {0};
    for (size_t i = 0; i < LENGTH(rows); ++i) {
        assert_int_equal(ct_expect_read(&all, rows[i].text, message), 0);
        assert_int_equal(all.count, i + 1);
        assert_string_equal(all.item[i].text, rows[i].text);
        if (ct_expect_holds(&all.item[i], &code.kernel[0]) != rows[i].holds)
            fail_msg("%s", rows[i].text);
    }
    ct_expect_explain(&all.item[3], &code.kernel[0], message);
    assert_string_equal(message, "expected LDG.64; of LDG there is 128:1 32:1");
    ct_expect_explain(&all.item[14], &code.kernel[0], message);
    assert_string_equal(message, "expected STG; there is no STG");
    ct_expect_explain(&all.item[21], &code.kernel[0], message);
    assert_string_equal(message, "expected !UBLKCP; of UBLKCP there is 1");
    assert_int_equal(ct_expect_read(&all, "LDG,!STG.64,LDS", message), 0);
    assert_int_equal(all.count, LENGTH(rows) + 3);
    ct_expect_free(&all);
    ct_code_free(&code);
}

TEST(test_wrong_expectations)
{
    static const struct {
        const char *text, *message;
    } rows[] = {
        {"", "an expectation is empty"},
        {",", "an expectation is empty"},
        {"LDG,", "an expectation is empty"},
        {"!", "there is no access ``; there are LDG, STG, "},
        {"LDQ", "there is no access `LDQ`; there are LDG"},
        {"LDG 128", "there is no access `LDG 128`"},
        {"LDG=128", "there is no access `LDG=128`"},
        {"LDG.", "LDG has no width ``; it has 8, 16, 32, 64, 128, 256"},
        {"LDG.+", "LDG has no width `+`"},
        {"LDG.12", "LDG has no width `12`"},
        {"LDG.x4", "LDG has no width `x4`"},
        {"LDG.64++", "LDG has no width `64++`"},
        {"LDG.?", "LDG has no width `?`"},
        {"LDGSTS.8", "LDGSTS has no width `8`; it has 32, 64, 128"},
        {"LDSM.128", "LDSM has no width `128`; it has x1, x2, x4"},
        {"UBLKCP.128", "UBLKCP has no width `128`; it has none"},
        {"UTMALDG.6D", "UTMALDG has no width `6D`; it has 1D, 2D, 3D, 4D, 5D"},
    };
    for (size_t i = 0; i < LENGTH(rows); ++i) {
        char message[CT_MESSAGE_BYTES] = "";
        ct_expectations all = {0};
        if (ct_expect_read(&all, rows[i].text, message) == 0)
            fail_msg("`%s` is taken", rows[i].text);
        if (strncmp(message, rows[i].message, strlen(rows[i].message)) != 0)
            fail_msg("`%s`: %s", rows[i].text, message);
        ct_expect_free(&all);
    }
}

GROUP("sass", NULL, NULL)
