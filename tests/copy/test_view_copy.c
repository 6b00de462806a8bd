/* Copies between views on the CPU grid: any extents, steps and addresses against the definition, and
 * the widths that they reach. */
#include "all_cases.h"
#include "on_grid.h"

#include "tools/bench/kernels/view_copy.cu"

#include "../../examples/copy_tiles.cu"
#include "../../examples/local_partition.cu"
_Static_assert(sizeof(copy_args) == offsetof(ct_view_copy_args, by_cols), "one is the first part");
_Static_assert(sizeof(partition_args) == sizeof(copy_args), "both examples have the same argument");

typedef struct view_case {
    const ct_grid_kernel *kernel;
    int elem_bytes;
    int64_t m, n;
    int64_t src_m, src_n, dst_m, dst_n; /* steps */
    int src_shift, dst_shift;           /* bytes */
} view_case;

static void check(view_case c)
{
    const ct_layout from = ct_layout2(c.m, c.n, c.src_m, c.src_n),
                    to = ct_layout2(c.m, c.n, c.dst_m, c.dst_n);
    const tensor src = random_tensor(from, 8 * c.elem_bytes, c.src_shift);
    const tensor dst = make_tensor(to, 8 * c.elem_bytes, c.dst_shift);
    /* The examples' argument is the first part of the other. */
    const int is_example = c.kernel == &copy_tiles || c.kernel == &copy_partitioned;
    ct_view_copy_args args =
        ct_make_view_copy_args(at_zero(&src), at_zero(&dst), c.elem_bytes, from, to);
    assert_int_equal(args.src.err.status | args.dst.err.status, CT_OK);
    if (is_example) args.by_cols = 0;
    const int64_t tall = ct_ceil_div_int(c.m, CT_VIEW_COPY_TILE),
                  wide = ct_ceil_div_int(c.n, CT_VIEW_COPY_TILE);
    launch l = make_launch(
        c.kernel, grid_of(args.by_cols ? tall : wide, args.by_cols ? wide : tall, 1),
        CT_VIEW_COPY_THREADS, is_example ? 0 : ct_view_copy_of(c.elem_bytes).shared_bytes, &args);
    add_sides(&l, &src, &args.src, &dst, &args.dst);
    check_copy(&l, on_grid, src, dst);
}

static const struct {
    const ct_grid_kernel *kernel;
    int elem_bytes;
} KERNELS[] = {{&ct_view_copy_1, 1}, {&ct_view_copy_2, 2},   {&ct_view_copy_4, 4},
               {&ct_view_copy_8, 8}, {&ct_view_copy_16, 16}, {&ct_view_copy_with_2, 2},
               {&copy_tiles, 2},     {&copy_partitioned, 2}};

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

TEST(any_views)
{
    for (int k = 0; k < LENGTH(KERNELS); ++k) {
        const int e = KERNELS[k].elem_bytes;
        for (int i = 0; i < (all_cases() ? 120 : 60); ++i) {
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
TEST(widths)
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
    for (int i = 0; i < LENGTH(rows); ++i) {
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
                fail_msg("row %d, with %d: %lld loads, %lld stores", i, with, (long long)loads,
                         (long long)stores);
        }
    }
}

GROUP("view copy", NULL, free_report)
