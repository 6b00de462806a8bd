/* The sources of kernels for one plan: what they say is right, as the CPU grid shows, for which the
 * host's compiler compiles them; and NVRTC takes them, where there is one. */
#define ORACLE_LIMIT (1 << 15)

#include "test.h"

#include <dlfcn.h>
#include <unistd.h>

#include "driver/nvrtc/compile.h"
#include "plan/cuda/cuda.h"
#include "plan_cases.h"

enum { CASES = 36, SOURCE_BYTES = 32768 };

static int64_t from[ORACLE_MAX], to[ORACLE_MAX];
static char message[CT_MESSAGE_BYTES];

/* A copy, and how a way launches it. */
typedef struct copy_case {
    ct_plan_desc desc;
    ct_plan *plan;
    ct_gpu_launch launch;
} copy_case;

static copy_case cases[CASES];

/* What a copy has to be like: any; boxes turned, in groups of blocks; rows of words, and of bytes that
 * begin anywhere. */
enum { ANY, WORDS = 2, GROUPS = 3, ROWS = 4, CONVERTS = 5, KINDS = 6 };

/* Whether blocks take a group of tiles along an axis before those along an earlier one. */
static int is_grouped(const ct_box *box)
{
    return box->modes > 1 && box->mode[1].axis >= 0 && box->mode[0].axis > box->mode[1].axis;
}

static int fits(const ct_gpu_launch *l, int kind)
{
    if (kind == GROUPS) return l->kind == CT_GPU_BOXES && is_grouped(&l->box);
    if (kind == WORDS) return l->kind == CT_GPU_VECTORS;
    return kind == ROWS ? l->kind == CT_GPU_MISALIGNED : l->kind < CT_GPU_SECTORS;
}

/* The launch by a random way. 0 where it is as it has to be. */
static int any_launch(copy_case *s, dice *d, int kind, int64_t src_align, int64_t dst_align)
{
    for (int k = 0; k < 60; ++k) {
        const int way = dice_int(d, 0, 1) ? 0 : (int)dice_int(d, 1, ct_gpu_variants() - 1);
        if (ct_gpu_launch_of(s->plan, src_align, dst_align, way, &s->launch, NULL) == CT_OK &&
            fits(&s->launch, kind))
            return 0;
    }
    return -1;
}

/* Random copies until each has a way whose kernel would be compiled: some small, some of rows, some
 * that convert. Their pointers are aligned, or only by the element. */
static void make_case(copy_case *s, uint64_t number)
{
    static const int types[] = {CT_TYPE_HALF, CT_TYPE_BFLOAT16, CT_TYPE_FLOAT, CT_TYPE_DOUBLE,
                                CT_TYPE_INT8};
    dice d = dice_of_case(71, number);
    for (int attempt = 0; attempt < 1000; ++attempt) {
        s->desc = random_desc(&d);
        const int kind = (int)(number % KINDS);
        if (kind == GROUPS) {
            const int64_t n = dice_int(&d, 8, 20), m = dice_int(&d, 65, 130); /* several boxes */
            s->desc.src = ct_plan_side_raw(ct_layout2(m, 12 * n, 1, m), 4);
            s->desc.dst = ct_plan_side_raw(ct_layout2(m, 12 * n, 12 * n, 1), 4);
        }
        if (kind == ROWS || kind == WORDS) { /* short ones without gaps, or any with gaps */
            const int bytes = kind == WORDS ? 4 : 1, gap = kind == WORDS || dice_int(&d, 0, 1);
            const int64_t row = kind == ROWS && gap ? dice_int(&d, 512, 700) : dice_int(&d, 17, 90);
            const int64_t n = dice_int(&d, 60, 85) / (row < 512 ? 1 : 16);
            s->desc.src = ct_plan_side_raw(ct_layout2(row, n, 1, row + dice_int(&d, 1, 9)), bytes);
            s->desc.dst =
                ct_plan_side_raw(ct_layout2(row, n, 1, row + gap * dice_int(&d, 1, 5)), bytes);
        }
        if (kind == CONVERTS) {
            s->desc.src.type = types[dice_int(&d, 0, 4)];
            s->desc.dst.type = types[dice_int(&d, 0, 4)];
            s->desc.src.elem_bytes = s->desc.dst.elem_bytes = 0;
            s->desc.has_scale = 1;
            s->desc.scale = 0.5;
        }
        s->desc.backend = CT_BACKEND_GRID;
        if (ct_plan_create(&s->desc, CT_EFFORT_ESTIMATE, &s->plan, message))
            fail_msg("%s", message);
        s->desc = s->plan->desc; /* with the sizes of elements */
        const int64_t src = s->desc.src.elem_bytes, dst = s->desc.dst.elem_bytes;
        const int aligned = number % 2 == 0;
        if (any_launch(s, &d, kind, aligned ? 16 : src & -src, aligned ? 16 : dst & -dst) == 0)
            return;
        ct_plan_destroy(s->plan);
    }
    fail_msg("no launch for case %llu", (unsigned long long)number);
}

static int make_cases(void **state)
{
    int kinds[CT_GPU_RUN + 1] = {0};
    (void)state;
    for (int i = 0; i < CASES; ++i) {
        make_case(&cases[i], (uint64_t)i);
        ++kinds[cases[i].launch.kind];
    }
    assert_true(kinds[CT_GPU_BOXES] >= 12 && kinds[CT_GPU_VECTORS] >= 3 &&
                kinds[CT_GPU_MISALIGNED] >= 3 && kinds[CT_GPU_INDICES] >= 3);
    return 0;
}

static int drop_cases(void **state)
{
    (void)state;
    for (int i = 0; i < CASES; ++i) ct_plan_destroy(cases[i].plan);
    return 0;
}

static void source_of(const copy_case *s, char source[SOURCE_BYTES])
{
    const int length = ct_gpu_source(&s->launch, source, SOURCE_BYTES);
    if (length >= SOURCE_BYTES) fail_msg("a source of %d bytes", length);
    assert_int_equal(strlen(source), length);
}

/* ---- on the grid ----------------------------------------------------------------------------- */

/* A plan that is written down is a constant in C too, but nothing that can be assigned. */
static const char prelude[] = "#include <cutlet/device/kernel/static.h>\n#undef CT_STATIC\n"
                              "#define CT_STATIC(type, name, ...) "
                              "static const type name = __VA_ARGS__\n";

static int write_source(const char *folder, int number)
{
    char path[64], source[SOURCE_BYTES];
    source_of(&cases[number], source);
    snprintf(path, sizeof path, "%s/%d.c", folder, number);
    FILE *const file = fopen(path, "w");
    if (!file) return -1;
    fprintf(file, "%s#define ct_own ct_own_%d\n%s", prelude, number, source);
    return fclose(file);
}

/* All sources as a library, the kernel of each under a name of its own. */
static void *compile_all(char folder[32])
{
    char path[64], command[1500];
    const char *const root = getenv("CUTLET_SOURCE"), *const cc = getenv("CC_PATH");
    snprintf(folder, 32, "/tmp/cutlet-source-XXXXXX");
    if (!root || !cc || !mkdtemp(folder)) return NULL;
    for (int i = 0; i < CASES; ++i)
        if (write_source(folder, i)) return NULL;
    snprintf(command, sizeof command,
             "'%s' -std=gnu11 -O1 -w -shared -fPIC -DCT_MAX_LEAVES=%d -I'%s/src' -I'%s/include' "
             "-o '%s/all.so' '%s'/*.c",
             cc, CT_MAX_LEAVES, root, root, folder, folder);
    if (system(command)) return NULL;
    snprintf(path, sizeof path, "%s/all.so", folder);
    return dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

/* The kernel's argument, as ct_cuda_start makes it. */
static int launch(const copy_case *s, const ct_grid_kernel *kernel, unsigned char *dst,
                  const unsigned char *src, const ct_grid_options *options, char *said)
{
    const ct_gpu_launch *const l = &s->launch;
    ct_gpu_args told;
    ct_grid_report report;
    assert_int_equal(ct_gpu_args_of(l, 1, dst, src, s->desc.scale, &told), kernel->args_bytes);
    const int status = ct_grid_launch(kernel, (ct_dim3){l->grid[0], l->grid[1], l->grid[2]},
                                      (ct_dim3){l->threads, 1, 1}, (size_t)l->shared_bytes, &told,
                                      kernel->args_bytes, options, &report);
    snprintf(said, CT_MESSAGE_BYTES, "%s", report.message);
    ct_grid_report_free(&report);
    return status;
}

/* What the destination is to hold: by the CPU's plan, which others test, guards and gaps too. */
static void check_kernel(const copy_case *s, const ct_grid_kernel *kernel, int number)
{
    dice d = dice_of((uint64_t)number);
    const int past = number % 2; /* those pointers are aligned by the element only */
    const int64_t n = side_offsets(&s->desc.src, from);
    const int32_t bytes = s->desc.dst.elem_bytes, each = s->desc.src.elem_bytes;
    char said[CT_MESSAGE_BYTES];
    side_offsets(&s->desc.dst, to);
    plan_memory src = memory_of(&s->desc.src, from, n, past * (each & -each));
    plan_memory dst = memory_of(&s->desc.dst, to, n, past * 3 * (bytes & -bytes));
    unsigned char *const right = malloc(dst.bytes);
    for (size_t i = 0; i < src.bytes; ++i) src.all[i] = (unsigned char)(dice_next(&d) >> 32 & 0x3f);
    memset(dst.all, 0x5a, dst.bytes);
    memset(right, 0x5a, dst.bytes);
    ct_plan_desc desc = s->desc;
    ct_plan *plan = NULL;
    desc.backend = CT_BACKEND_CPU;
    if (ct_plan_create(&desc, CT_EFFORT_ESTIMATE, &plan, message) ||
        ct_plan_run(plan, right + (dst.at - dst.all), src.at, NULL, message))
        fail_msg("%s", message);
    ct_plan_destroy(plan);
    const ct_grid_buffer buffers[] = {
        {"source", src.all, src.bytes, 0, (int32_t)((uintptr_t)src.all % 256)},
        {"destination", dst.all, dst.bytes, 1, (int32_t)((uintptr_t)dst.all % 256)}};
    const ct_grid_options options = {.buffers = buffers, .buffer_count = 2, .no_records = 1};
    if (launch(s, kernel, dst.at, src.at, &options, said))
        fail_msg("case %d, %s: %s", number, desc_text(&s->desc), said);
    if (memcmp(right, dst.all, dst.bytes) != 0)
        fail_msg("case %d, %s: wrong", number, desc_text(&s->desc));
    free(right);
    free(src.all);
    free(dst.all);
}

TEST(test_grid)
{
    char folder[32], command[64];
    void *const library = compile_all(folder);
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    const int removed = system(command);
    if (!library || removed) fail_msg("the sources do not compile for the CPU grid");
    for (int i = 0; i < CASES; ++i) {
        char name[32];
        snprintf(name, sizeof name, "ct_own_%d", i);
        const ct_grid_kernel *const kernel = dlsym(library, name);
        assert_non_null(kernel);
        check_kernel(&cases[i], kernel, i);
    }
    dlclose(library);
}

/* ---- NVRTC, and the text --------------------------------------------------------------------- */

TEST(test_nvrtc)
{
    char source[SOURCE_BYTES];
    if (ct_nvrtc_version() == 0) skip();
    for (int i = 0; i < CASES; i += 5) {
        void *cubin = NULL;
        size_t bytes = 0;
        source_of(&cases[i], source);
        if (ct_nvrtc_compile(source, 90, &cubin, &bytes, message))
            fail_msg("%s:\n%s", message, source);
        assert_memory_equal(cubin, "\177ELF", 4);
        free(cubin);
    }
}

/* A buffer that is too short gets the beginning, and the length is that of the whole. */
TEST(test_short_buffer)
{
    char whole[SOURCE_BYTES], part[SOURCE_BYTES];
    for (int i = 0; i < CASES; i += 3) {
        const int length = ct_gpu_source(&cases[i].launch, whole, sizeof whole);
        for (int size = 0; size <= length + 1; size += 97) {
            memset(part, '#', sizeof part);
            assert_int_equal(ct_gpu_source(&cases[i].launch, part, (size_t)size), length);
            const int kept = size > length ? length : size - 1;
            if (size > 0) assert_memory_equal(part, whole, (size_t)kept);
            if (size > 0) assert_int_equal(part[kept], 0);
            for (int at = size; at < size + 9; ++at) assert_int_equal(part[at], '#');
        }
    }
}

/* Tables of members have each member once, in the order of the structure. */
static void check_fields(const ct_gpu_field *f)
{
    assert_int_equal(f->offset, 0);
    for (; f->bytes > 0; ++f) {
        const int end = f->offset + f->bytes, next = f[1].bytes > 0 ? f[1].offset : end;
        if (next != end && (next != end + 4 || next % 8 != 0)) fail_msg("%d after %d", next, end);
        if (f->inner) check_fields(f->inner);
    }
}

TEST(test_fields)
{
    for (int k = 0; k < CT_GPU_ENGINES; ++k)
        if (ct_gpu_engines[k]->fields) check_fields(ct_gpu_engines[k]->fields);
}

GROUP("plan_source", make_cases, drop_cases)
