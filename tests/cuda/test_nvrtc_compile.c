/* Kernels from text, compiled by NVRTC where there is one: with the headers inside, errors of one
 * line, several threads. No GPU is needed. */
#include "test.h"

#include <limits.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "driver/nvrtc/compile.h"
#include "driver/nvrtc/embedded.h"

enum { ARCH = 90 };

/* A kernel that is `name`. */
static const char copy_kernel[] =
    "#include <cutlet/device/arch/load_store.h>\n"
    "#include <cutlet/algebra/layout.h>\n"
    "typedef struct copy_args { const uint32_t *src; uint32_t *dst; int64_t count; } copy_args;\n"
    "CT_KERNEL_THREADS(%s, 128, copy_args, args)\n"
    "{\n"
    "    const int64_t i = (int64_t)blockIdx.x * 128 + threadIdx.x;\n"
    "    uint32_t word = 0;\n"
    "    ct_load_global_if(i < args.count, &word, args.src + i, 32);\n"
    "    ct_store_global_if(i < args.count, args.dst + i, &word, 32);\n"
    "}\n";

/* Whether the bytes hold the text, as an ELF holds the name of a kernel. */
static int holds(const char *bytes, size_t count, const char *text)
{
    const size_t length = strlen(text);
    for (size_t i = 0; i + length <= count; ++i)
        if (memcmp(bytes + i, text, length) == 0) return 1;
    return 0;
}

/* Compiles; whether something is wrong. */
static int compile_kernel(const char *source, const char *kernel)
{
    char message[CT_MESSAGE_BYTES] = "";
    void *cubin = NULL;
    size_t bytes = 0;
    if (ct_nvrtc_compile(source, ARCH, &cubin, &bytes, message)) {
        fprintf(stderr, "# %s\n", message);
        return 1;
    }
    const int wrong = !cubin || bytes < 64 || memcmp(cubin, "\177ELF", 4) != 0 ||
                      !holds(cubin, bytes, kernel) || holds(cubin, bytes, "nowhere_found");
    free(cubin);
    return wrong;
}

TEST(test_kernel)
{
    char source[1000];
    assert_int_equal(compile_kernel("extern \"C\" __global__ void empty() {}", "empty"), 0);
    snprintf(source, sizeof source, copy_kernel, "my_copy");
    assert_int_equal(compile_kernel(source, "my_copy"), 0);
    assert_true(ct_nvrtc_version() >= 12000);
}

/* Every header inside compiles, and those of C mean what they mean here. */
TEST(test_headers)
{
#define ROW(expression)                                                                            \
    {                                                                                              \
#expression, (unsigned long long)(expression)                                              \
    }
    static const struct {
        const char *expression;
        unsigned long long value;
    } rows[] = {
        ROW(sizeof(int8_t)),   ROW(sizeof(uint8_t)),  ROW(sizeof(int16_t)), ROW(sizeof(uint16_t)),
        ROW(sizeof(int32_t)),  ROW(sizeof(uint32_t)), ROW(sizeof(int64_t)), ROW(sizeof(uint64_t)),
        ROW(sizeof(intptr_t)), ROW((uintptr_t)-1),    ROW((uint32_t)-1),    ROW((int8_t)255),
        ROW(INT8_MIN),         ROW(INT8_MAX),         ROW(UINT8_MAX),       ROW(INT16_MIN),
        ROW(INT16_MAX),        ROW(UINT16_MAX),       ROW(INT32_MIN),       ROW(INT32_MAX),
        ROW(UINT32_MAX),       ROW(INT64_MIN),        ROW(INT64_MAX),       ROW(UINT64_MAX),
        ROW(INTPTR_MIN),       ROW(INTPTR_MAX),       ROW(UINTPTR_MAX),     ROW(SIZE_MAX),
        ROW(CHAR_BIT),         ROW(SCHAR_MIN),        ROW(SCHAR_MAX),       ROW(UCHAR_MAX),
        ROW(SHRT_MIN),         ROW(SHRT_MAX),         ROW(USHRT_MAX),       ROW(INT_MIN),
        ROW(INT_MAX),          ROW(UINT_MAX),         ROW(LONG_MIN),        ROW(LONG_MAX),
        ROW(ULONG_MAX),        ROW(LLONG_MIN),        ROW(LLONG_MAX),       ROW(ULLONG_MAX),
        ROW(sizeof(size_t)),   ROW((ptrdiff_t)-1),    ROW(CT_MAX_LEAVES),   ROW(sizeof(ct_layout)),
    };
    static char source[1 << 15];
    size_t n = 0;
    for (int i = 0; i < ct_embedded_count; ++i)
        n +=
            (size_t)snprintf(source + n, sizeof source - n, "#include <%s>\n", ct_embedded[i].name);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
        n += (size_t)snprintf(source + n, sizeof source - n,
                              "static_assert((unsigned long long)(%s) == %lluull, \"%d\");\n",
                              rows[i].expression, rows[i].value, (int)i);
    snprintf(source + n, sizeof source - n,
             "extern \"C\" __global__ void all(int *p, int v)\n"
             "{ if (p != NULL) memcpy(p, &v, sizeof v); }\n");
    assert_int_equal(compile_kernel(source, "all"), 0);
}

TEST(test_errors)
{
    static const struct {
        const char *source;
        int arch;
        const char *expected[2];
    } rows[] = {
        {"int x = y;\nint z = w;\n", 90, {"NVRTC: plan.cu(1): error", "\"y\""}},
        {"\n\n#error enough\n", 90, {"NVRTC: plan.cu(3): ", "enough"}},
        {"\n#include \"no_such.h\"\n", 90, {"NVRTC: plan.cu(2): ", "no_such.h"}},
        {"#include <cutlet/device/kernel/on_grid.h>\n", 90, {"NVRTC: plan.cu(1): ", "on_grid.h"}},
        {"#define uint8_t 5\n#include <cutlet/device/kernel/kernel.h>\n",
         90,
         {"NVRTC: stdint.h(7): ", "error"}},
        {"__global__ void k() { asm(\"bogus;\"); }\n", 90, {"NVRTC: ptxas", "bogus"}},
        {"__global__ void k() {}\n", 17, {"NVRTC: ", "--gpu-architecture"}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        char message[CT_MESSAGE_BYTES] = "";
        void *cubin = (void *)1;
        size_t bytes = 1;
        assert_int_equal(ct_nvrtc_compile(rows[i].source, rows[i].arch, &cubin, &bytes, message),
                         CT_E_FAILED);
        assert_null(cubin);
        assert_int_equal(bytes, 0);
        assert_null(strchr(message, '\n'));
        for (int k = 0; k < 2; ++k)
            if (!strstr(message, rows[i].expected[k])) fail_msg("row %d: %s", (int)i, message);
        assert_int_equal(strncmp(message, rows[i].expected[0], strlen(rows[i].expected[0])), 0);
        assert_int_equal(ct_nvrtc_compile(rows[i].source, rows[i].arch, &cubin, &bytes, NULL),
                         CT_E_FAILED);
    }
}

enum { THREADS = 4, ROUNDS = 3 };

static void *compile_in_thread(void *number)
{
    intptr_t wrong = 0;
    for (int round = 0; round < ROUNDS; ++round) {
        char name[40], source[1000];
        snprintf(name, sizeof name, "copy_%d_%d", (int)(intptr_t)number, round);
        snprintf(source, sizeof source, copy_kernel, name);
        wrong += compile_kernel(source, name);
        void *cubin;
        size_t bytes;
        wrong += ct_nvrtc_compile("oops", ARCH, &cubin, &bytes, NULL) != CT_E_FAILED;
    }
    return (void *)wrong;
}

/* Run first, so that they also open the library at the same time. */
TEST(test_threads)
{
    pthread_t thread[THREADS];
    for (intptr_t i = 0; i < THREADS; ++i)
        assert_int_equal(pthread_create(&thread[i], NULL, compile_in_thread, (void *)i), 0);
    for (int i = 0; i < THREADS; ++i) {
        void *wrong;
        pthread_join(thread[i], &wrong);
        assert_null(wrong);
    }
}

/* In a process of its own, so that the library is not opened yet. */
static int is_missing(void)
{
    char message[CT_MESSAGE_BYTES] = "";
    void *cubin;
    size_t bytes;
    const ct_status bad = ct_nvrtc_compile("", ARCH, &cubin, &bytes, message);
    if (!bad) free(cubin);
    const int missing = bad == CT_E_BACKEND && strncmp(message, "no NVRTC: ", 10) == 0;
    if (missing) printf("%s\n", message);
    return missing;
}

int main(void)
{
    const pid_t child = fork();
    int status = 0;
    if (child == 0) {
        const int missing = is_missing();
        fflush(NULL);
        _exit(missing);
    }
    if (child < 0 || waitpid(child, &status, 0) != child) return 1;
    if (status) return WIFEXITED(status) ? 77 : 1;
    return run_registered("nvrtc compile", NULL, NULL);
}
