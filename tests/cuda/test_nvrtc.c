/* The run-time compiler's library: found or not, what it is given, what each failure becomes; and
 * the headers inside. The compiler is a fake one (fake_nvrtc.c). */
#include "test.h"

#include <sys/wait.h>
#include <unistd.h>

#include "driver/nvrtc/compile.h"
#include "driver/nvrtc/embedded.h"

static const char source[] =
    "# include <cutlet/device/arch/load_store.h>\n#include <mine.h>\n#pragma once\n";

/* ---- the library ----------------------------------------------------------------------------- */

/* One process opens the library once, so each of these is a process: what is in the variables, then
 * the version, and the message or the text that the fake makes of the source. */
typedef struct row {
    const char *library, *fails, *version;
    int number;
    const char *expected;
} row;

#define MADE(minimal)                                                                                                                 \
    "plan.cu cutlet/device/arch/load_store.h cutlet/device/kernel/kernel.h stdint.h | -std=c++17 -default-device -w -DCT_MAX_LEAVES=" \
    "%d --gpu-architecture=sm_90 " minimal

static const row rows[] = {
    {"", NULL, NULL, 0, "no NVRTC: CUTLET_NVRTC turns it off"},
    {"0", NULL, NULL, 0, "no NVRTC: CUTLET_NVRTC turns it off"},
    {"/nowhere/nvrtc.so", NULL, NULL, 0,
     "no NVRTC: /nowhere/nvrtc.so: cannot open shared object file: No such file or directory"},
    {"libc.so.6", NULL, NULL, 0, "no NVRTC: libc.so.6 has no nvrtcVersion"},
    {"fake", "version", NULL, 0, " has no version"},
    {"fake", "create", NULL, 13000, "NVRTC: FAKE_FAILURE"},
    {"fake", "compile", NULL, 13000, "NVRTC: x.h(7): error: first??"},
    {"fake", "compile silently", NULL, 13000, "NVRTC: FAKE_FAILURE"},
    {"fake", "cubin size", NULL, 13000, "NVRTC: FAKE_FAILURE"},
    {"fake", "cubin", NULL, 13000, "NVRTC: FAKE_FAILURE"},
    {"fake", NULL, "1203", 12030, MADE("")},
    {"fake", NULL, "1204", 12040, MADE("-minimal ")},
    {"fake", NULL, NULL, 13000, MADE("-minimal ")},
};

static void set(const char *name, const char *value)
{
    if (value) setenv(name, value, 1);
    else unsetenv(name);
}

/* The number of things that are wrong; writes what was expected. */
static int run_row(const row *r)
{
    char message[CT_MESSAGE_BYTES] = "", expected[400];
    void *cubin = (void *)1;
    size_t bytes = 1;
    const int fake = strcmp(r->library, "fake") == 0;
    set("CUTLET_NVRTC", fake ? getenv("FAKE_NVRTC_LIBRARY") : r->library);
    set("FAKE_NVRTC", r->fails);
    set("FAKE_NVRTC_VERSION", r->version);
    snprintf(expected, sizeof expected, r->expected, CT_MAX_LEAVES);
    const int makes = r->number != 0 && !r->fails;
    const ct_status status = ct_nvrtc_compile(source, 90, &cubin, &bytes, message);
    int wrong = status != (makes ? CT_OK : r->number ? CT_E_FAILED : CT_E_BACKEND);
    if (makes) wrong += strcmp(cubin, expected) != 0 || bytes != strlen(expected) + 1;
    else wrong += cubin || bytes || !strstr(message, expected) || strchr(message, '\n');
    wrong += ct_nvrtc_version() != r->number;
    if (wrong)
        fprintf(stderr, "# expected %s\n# got %s%s\n", expected, message,
                makes && cubin ? (char *)cubin : "");
    free(cubin);
    wrong += ct_nvrtc_compile(source, 90, &cubin, &bytes, NULL) != status;
    free(cubin);
    return wrong;
}

TEST(test_library)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        int status = -1;
        fflush(NULL);
        const pid_t child = fork();
        if (child == 0) {
            const int wrong = run_row(&rows[i]);
            fflush(NULL);
            _exit(wrong);
        }
        assert_int_equal(waitpid(child, &status, 0), child);
        if (status) fail_msg("row %d (%s): %d", (int)i, rows[i].expected, status);
    }
}

/* ---- the headers inside ---------------------------------------------------------------------- */

/* The file of a header, by the name that includes it, or NULL. */
static FILE *open_header(const char *name)
{
    static const char *const folders[] = {"include", "src", "src/driver/nvrtc/stand_in"};
    const char *const root = getenv("CUTLET_SOURCE");
    FILE *file = NULL;
    for (int i = 0; i < 3 && !file; ++i) {
        char path[600];
        snprintf(path, sizeof path, "%s/%s/%s", root ? root : ".", folders[i], name);
        file = fopen(path, "r");
    }
    return file;
}

static size_t without_blanks(const char *line, size_t length, char *out)
{
    size_t n = 0;
    for (size_t i = 0; i < length; ++i)
        if (!strchr(" \t\n", line[i])) out[n++] = line[i];
    return n;
}

/* Line by line the file, but for comments, blanks and the names of includes: each line without a
 * comment in or around it is the same. */
static void check_text(const ct_embedded_header *header)
{
    char line[1000], a[1000], b[1000];
    int number = 0, inside = 0, same = 0;
    const char *at = header->text;
    FILE *const file = open_header(header->name);
    if (!file) fail_msg("no file for %s", header->name);
    while (fgets(line, sizeof line, file)) {
        const size_t length = strcspn(at, "\n");
        ++number;
        if (at[length] != '\n') fail_msg("%s ends before line %d", header->name, number);
        const char *const opens = strstr(line, "/*"), *const closes = strstr(line, "*/");
        if (!inside && !opens && !strstr(line, "//") && !strstr(line, "#include")) {
            const size_t m = without_blanks(line, strlen(line), a);
            const size_t n = without_blanks(at, length, b);
            if (m != n || memcmp(a, b, n) != 0)
                fail_msg("%s:%d: %.*s", header->name, number, (int)length, at);
            ++same;
        }
        if (opens || closes) inside = opens && (!closes || closes < opens);
        at += length + 1;
    }
    fclose(file);
    if (*at) fail_msg("%s goes on after line %d", header->name, number);
    assert_in_range(same, 2, number);
    assert_null(strstr(header->text, "*/"));
}

TEST(test_texts)
{
    assert_in_range(ct_embedded_count, 60, CT_EMBEDDED_MAX);
    for (int i = 0; i < ct_embedded_count; ++i) check_text(&ct_embedded[i]);
}

/* The names that a source needs, in one line. */
static const char *needed(const char *text)
{
    static char line[4000];
    const char *names[CT_EMBEDDED_MAX], *texts[CT_EMBEDDED_MAX];
    const int count = ct_embedded_needed(text, names, texts);
    line[0] = 0;
    for (int i = 0; i < count; ++i) {
        const size_t n = strlen(line);
        snprintf(line + n, sizeof line - n, "%s ", names[i]);
    }
    return line;
}

TEST(test_needed)
{
    assert_string_equal(needed(""), "");
    assert_string_equal(needed("#include"), "");
    assert_string_equal(needed("#include <cutlet/device/kernel/kernel.h"),
                        "cutlet/device/kernel/kernel.h stdint.h ");
    assert_string_equal(needed("#include <cutlet/algebra/base.h>\n#define X\n"),
                        "cutlet/algebra/base.h stdint.h ");
    assert_string_equal(needed("#include \"base.h\"\n#include \"kernel\"\n#inc <kernel.h>\n"), "");
    assert_string_equal(
        needed(
            "\t#\tinclude\t\"cutlet/device/kernel/kernel.h\"\n#include <cutlet/device/kernel/kernel.h>\n"),
        "cutlet/device/kernel/kernel.h stdint.h ");
    /* each of a header that all others need, and names that both folders have */
    const char *names[CT_EMBEDDED_MAX], *texts[CT_EMBEDDED_MAX];
    static char all[1 << 13];
    size_t n = 0;
    for (int i = 0; i < ct_embedded_count; ++i)
        n += (size_t)snprintf(all + n, sizeof all - n, "#include \"%s\"\n", ct_embedded[i].name);
    assert_int_equal(ct_embedded_needed(all, names, texts), ct_embedded_count);
    assert_non_null(strstr(needed("#include <cutlet/copy/tma_modes.h>"), "cutlet/"));
    assert_null(strstr(needed("#include \"cutlet/copy/tma.h\""), " tma.h"));
}

TEST(test_fingerprint)
{
    assert_true(ct_nvrtc_fingerprint() != 0);
    assert_true(ct_nvrtc_fingerprint() == ct_nvrtc_fingerprint());
}

GROUP("nvrtc", NULL, NULL)
