/* Copies between views on the CPU grid: any extents, steps and addresses against the definition, and
 * the widths that they reach. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include <cutlet/host/grid.h>

#include "tools/bench/kernels/view_copy.cu"

#include "../../examples/copy_tiles.cu"
#include "../../examples/local_partition.cu"
#include "grid_report.h"

enum { GUARD = 256, POISON = 0xa5 };
_Static_assert(sizeof(copy_args) == offsetof(ct_view_copy_args, by_cols), "one is the first part");
_Static_assert(sizeof(partition_args) == sizeof(copy_args), "both examples have the same argument");

static unsigned random_bits(void)
{
    static uint64_t x = 0x9e3779b97f4a7c15u;
    x = x * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(x >> 33);
}

static int random_to(int n) { return (int)(random_bits() % (unsigned)(n + 1)); }

/* A matrix in a buffer of its own, `shift` bytes past a multiple of 256; steps in elements. */
typedef struct matrix {
    unsigned char *memory, *base;
    size_t all, bytes;
    int64_t step_m, step_n;
    int shift;
} matrix;

static matrix make_matrix(int64_t m, int64_t n, int64_t step_m, int64_t step_n, int elem_bytes,
                          int shift)
{
    matrix x = {0};
    const int64_t down = (m - 1) * (step_m < 0 ? -step_m : step_m);
    const int64_t right = (n - 1) * (step_n < 0 ? -step_n : step_n);
    const int64_t before = (step_m < 0 ? down : 0) + (step_n < 0 ? right : 0);
    x.bytes = (size_t)((down + right + 1) * elem_bytes);
    x.all = (x.bytes + (size_t)shift + 3 * GUARD - 1) / GUARD * GUARD;
    x.memory = aligned_alloc(GUARD, x.all);
    assert_non_null(x.memory);
    memset(x.memory, POISON, x.all);
    x.base = x.memory + GUARD + shift + before * elem_bytes;
    x.step_m = step_m;
    x.step_n = step_n;
    x.shift = shift;
    return x;
}

static unsigned char *element(const matrix *x, int64_t i, int64_t j, int elem_bytes)
{
    return x->base + (i * x->step_m + j * x->step_n) * elem_bytes;
}

typedef struct view_case {
    const ct_grid_kernel *kernel;
    int elem_bytes;
    int64_t m, n;
    int64_t src_m, src_n, dst_m, dst_n; /* steps */
    int src_shift, dst_shift;           /* bytes */
} view_case;

static void check(view_case c)
{
    enum { SIDE = CT_VIEW_COPY_TILE };
    const int e = c.elem_bytes;
    matrix src = make_matrix(c.m, c.n, c.src_m, c.src_n, e, c.src_shift);
    matrix dst = make_matrix(c.m, c.n, c.dst_m, c.dst_n, e, c.dst_shift);
    unsigned char *const right = malloc(dst.all);
    assert_non_null(right);
    memset(right, POISON, dst.all);
    for (size_t i = 0; i < src.bytes; ++i)
        src.memory[GUARD + src.shift + i] = (unsigned char)random_bits();
    for (int64_t i = 0; i < c.m; ++i)
        for (int64_t j = 0; j < c.n; ++j)
            memcpy(right + (element(&dst, i, j, e) - dst.memory), element(&src, i, j, e),
                   (size_t)e);
    /* The examples' argument is the first part of the other. */
    const int is_example = c.kernel == &copy_tiles || c.kernel == &copy_partitioned;
    ct_view_copy_args args =
        ct_make_view_copy_args(src.base, dst.base, e, ct_layout2(c.m, c.n, c.src_m, c.src_n),
                               ct_layout2(c.m, c.n, c.dst_m, c.dst_n));
    assert_int_equal(args.src.err.status | args.dst.err.status, CT_OK);
    if (is_example) args.by_cols = 0;
    const int by_cols = args.by_cols;
    const uint32_t tall = (uint32_t)((c.m + SIDE - 1) / SIDE),
                   wide = (uint32_t)((c.n + SIDE - 1) / SIDE);
    const ct_dim3 grid = {by_cols ? tall : wide, by_cols ? wide : tall, 1};
    const ct_dim3 block = {CT_VIEW_COPY_THREADS, 1, 1};
    const ct_grid_buffer buffers[] = {
        {"src", src.memory + GUARD + src.shift, src.bytes, 0, src.shift},
        {"dst", dst.memory + GUARD + dst.shift, dst.bytes, 1, dst.shift}};
    const ct_grid_options options = {.buffers = buffers, .buffer_count = 2};
    ct_grid_report_free(&report);
    const int status = ct_grid_launch(c.kernel, grid, block,
                                      is_example ? 0 : (size_t)ct_view_copy_of(e).shared_bytes,
                                      &args, c.kernel->args_bytes, &options, &report);
    size_t wrong = 0;
    while (wrong < dst.all && dst.memory[wrong] == right[wrong]) ++wrong;
    const size_t all = dst.all;
    free(src.memory);
    free(dst.memory);
    free(right);
    if (status || wrong < all)
        fail_msg("%s: (%lld,%lld):(%lld,%lld) -> (%lld,%lld), shifts %d and %d: %s, byte %lld",
                 c.kernel->name, (long long)c.m, (long long)c.n, (long long)c.src_m,
                 (long long)c.src_n, (long long)c.dst_m, (long long)c.dst_n, c.src_shift,
                 c.dst_shift, status ? report.message : "wrong result",
                 (long long)wrong - GUARD - c.dst_shift);
}

static const struct {
    const ct_grid_kernel *kernel;
    int elem_bytes;
} KERNELS[] = {{&ct_view_copy_1, 1}, {&ct_view_copy_2, 2},   {&ct_view_copy_4, 4},
               {&ct_view_copy_8, 8}, {&ct_view_copy_16, 16}, {&ct_view_copy_with_2, 2},
               {&copy_tiles, 2},     {&copy_partitioned, 2}};
enum { KERNEL_COUNT = sizeof KERNELS / sizeof KERNELS[0] };

/* Steps of a matrix: row- or column-major, with gaps, both modes apart, rows or columns downwards. */
static void random_steps(int64_t m, int64_t n, int64_t *step_m, int64_t *step_n)
{
    const int gap = random_to(2) ? random_to(9) : 0, kind = random_to(5);
    const int64_t separate = kind == 2 || kind == 5 ? 2 + random_to(2) : 1;
    const int rows = random_to(1);
    *step_n = rows ? separate : (m - 1) * separate + 1 + gap;
    *step_m = rows ? (n - 1) * separate + 1 + gap : separate;
    if (kind == 3) *step_m = -*step_m;
    if (kind >= 4) *step_n = -*step_n;
}

static void any_views(void **state)
{
    (void)state;
    for (int k = 0; k < KERNEL_COUNT; ++k) {
        const int e = KERNELS[k].elem_bytes;
        for (int i = 0; i < 120; ++i) {
            view_case c = {
                KERNELS[k].kernel, e, 1 + random_to(150), 1 + random_to(150), 0, 0, 0, 0, 0, 0};
            random_steps(c.m, c.n, &c.src_m, &c.src_n);
            random_steps(c.m, c.n, &c.dst_m, &c.dst_n);
            if (i % 3) { /* the same order, so that wide accesses are met */
                c.dst_m = c.src_m;
                c.dst_n = c.src_n;
            }
            if (i % 4 == 1) c.src_shift = e * random_to(15), c.dst_shift = e * random_to(15);
            if (i % 4 == 2 && c.kernel != &copy_partitioned) /* by bytes; it moves whole elements */
                c.src_shift = random_to(31), c.dst_shift = random_to(31);
            check(c);
        }
    }
}

/* How many requests of a kind and width the last launch made. */
static int64_t requests(int kind, int bits)
{
    int64_t n = 0;
    for (int i = 0; i < report.row_count; ++i)
        if (report.rows[i].kind == kind && report.rows[i].bits == bits)
            n += report.rows[i].requests;
    return n;
}

/* 128 x 128 half: what both layouts and addresses allow is what is used, whatever nobody knew. A side
 * that is contiguous along either axis is loaded by 16 bytes, at any address; stores are as wide as
 * the addresses allow. */
static void widths(void **state)
{
    static const struct {
        int64_t src_m, src_n, dst_m, dst_n;
        int src_shift, dst_shift, load, store; /* bytes */
        int cut;                               /* loads are cut out of two */
        int with_load, with_store; /* of the tiled copy, where its order decides; 0: alike */
    } rows[] = {
        {128, 1, 128, 1, 0, 0, 16, 16, 0, 0, 0}, {1, 128, 1, 128, 0, 0, 16, 16, 0, 0, 0},
        {136, 1, 128, 1, 0, 0, 16, 16, 0, 0, 0}, {132, 1, 128, 1, 0, 0, 16, 16, 1, 0, 0},
        {130, 1, 144, 1, 0, 0, 16, 16, 1, 0, 0}, {129, 1, 128, 1, 0, 0, 16, 16, 1, 0, 0},
        {128, 1, 128, 1, 8, 0, 16, 16, 1, 0, 0}, {128, 1, 128, 1, 0, 4, 16, 4, 0, 0, 0},
        {128, 1, 132, 1, 0, 0, 16, 8, 0, 0, 0},  {1, 136, 1, 130, 0, 0, 16, 4, 0, 0, 0},
        {128, 1, 1, 128, 0, 0, 16, 16, 0, 0, 2}, {1, 128, 136, 1, 0, 0, 16, 16, 0, 0, 2},
        {256, 2, 128, 1, 0, 0, 2, 16, 0, 0, 0},  {128, 1, 256, 2, 0, 0, 16, 2, 0, 0, 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        for (int with = 0; with < 2; ++with) {
            check((view_case){with ? &ct_view_copy_with_2 : &ct_view_copy_2, 2, 128, 128,
                              rows[i].src_m, rows[i].src_n, rows[i].dst_m, rows[i].dst_n,
                              rows[i].src_shift, rows[i].dst_shift});
            const int64_t warps = 128 * 128 * 2 / 32;
            const int load = with && rows[i].with_load ? rows[i].with_load : rows[i].load;
            const int store = with && rows[i].with_store ? rows[i].with_store : rows[i].store;
            const int kind = load == 16 && !rows[i].cut ? CT_ACCESS_LDGSTS_CG : CT_ACCESS_LDG;
            const int64_t loads = requests(kind, 8 * load),
                          stores = requests(CT_ACCESS_STG, 8 * store);
            /* A cut out of two: the second where an access is not aligned; the last of a row that
             * ends where no second one may be read goes element by element. */
            const int right = rows[i].cut ? loads > warps / load && loads <= 2 * warps / load
                                          : loads == warps / load;
            if (!right || stores != warps / store)
                fail_msg("row %d, with %d: %lld loads, %lld stores", (int)i, with, (long long)loads,
                         (long long)stores);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_views),
        cmocka_unit_test(widths),
    };
    return cmocka_run_group_tests_name("view copy", tests, NULL, free_report);
}
