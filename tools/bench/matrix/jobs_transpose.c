/* The jobs of the transposes and of the best copy. */
#include "jobs.h"

#include "../kernels/misaligned_transposes.h"
#include <cutlet/device/staged/staged_job.h>
#include "kernels/best_copies.h"

static const bench_shape SHAPES[] = {
    {"", 0, 0, 0}, {" odd extents", 1, 3, 0}, {" misaligned", 0, 0, 1}};
enum { SHAPE_COUNT = sizeof SHAPES / sizeof SHAPES[0] };

/* ---- transposes ------------------------------------------------------------------------------ */

/* The kernel's name begins with this, which its job leaves out. */
static const char prefix[] = "ct_transpose_";

/* A transpose of data of one kind. */
static void add_transpose(bench_list *list, const bench_setup *setup, const char *kernel,
                          ct_staged_job job, const bench_shape *s)
{
    const ct_matrix from = bench_shaped(bench_matrix(setup, setup->src, job.elem_bytes, 1), s);
    const ct_matrix to = bench_shaped(bench_matrix(setup, setup->dst, job.elem_bytes, 0), s);
    const ct_staged_args args = ct_make_transpose_args(from.data, (void *)to.data, from.ld, to.ld,
                                                       from.rows, from.cols, job.elem_bytes);
    const ct_staged_grid grid = ct_staged_grid_of(job, from.rows, from.cols);
    bench_add(list, "transpose",
              bench_launch_of(kernel, (ct_dim3){grid.x, grid.y, grid.z},
                              (ct_dim3){(uint32_t)job.threads, 1, 1},
                              (size_t)ct_staged_shared_bytes(job), &args, sizeof args),
              from, to);
    bench_name(list, "%s%s", kernel + sizeof prefix - 1, s->note);
}

#define NAME_OF(name) NAME_AS_TEXT(name)
#define NAME_AS_TEXT(name) #name

/* All kernels for one size of elements and one kind of data, so that a result is worked out once. */
static void add_transposes(bench_list *list, const bench_setup *setup, int elem_bytes,
                           const bench_shape *s)
{
#define ADD(...)                                                                                   \
    {                                                                                              \
        const ct_staged_job job = CT_TRANSPOSE_JOB(__VA_ARGS__);                                   \
        if (job.elem_bytes == elem_bytes)                                                          \
            add_transpose(list, setup, NAME_OF(CT_TRANSPOSE_NAME(__VA_ARGS__)), job, s);           \
    }
    CT_TRANSPOSES(ADD)
    CT_TRANSPOSES_MISALIGNED(ADD)
}

void bench_add_transposes(bench_list *list, const bench_setup *setup)
{
    for (int e = 0; e < setup->elem_count; ++e)
        for (int s = 0; s < SHAPE_COUNT; ++s)
            add_transposes(list, setup, setup->elem_bytes[e], &SHAPES[s]);
}

/* ---- the best copy --------------------------------------------------------------------------- */

static void add_best_copy(bench_list *list, const bench_setup *setup, int elem_bytes, int row_major,
                          const bench_shape *s)
{
    enum { THREADS = 128 }; /* CT_BEST_COPY_CHOSEN */
    const ct_matrix from = bench_shaped(bench_matrix(setup, setup->src, elem_bytes, row_major), s);
    const ct_matrix to = bench_shaped(bench_matrix(setup, setup->dst, elem_bytes, row_major), s);
    const int64_t inner = row_major ? from.cols : from.rows,
                  outer = row_major ? from.rows : from.cols;
    const ct_staged_args args =
        ct_make_line_args(from.data, (void *)to.data, from.ld, to.ld, inner, outer, elem_bytes);
    const ct_staged_job job = ct_make_line_job(CT_STAGED_async, THREADS, 1);
    const ct_staged_grid grid = ct_staged_grid_of(job, args.src.extent[0], args.src.extent[1]);
    bench_add(list, "best",
              bench_launch_of("ct_best_copy_128x1_async", (ct_dim3){grid.x, grid.y, grid.z},
                              (ct_dim3){THREADS, 1, 1}, (size_t)ct_staged_shared_bytes(job), &args,
                              sizeof args),
              from, to);
    bench_name(list, "best_copy_128x1_async %s %d%s", row_major ? "row" : "col", elem_bytes,
               s->note);
}

void bench_add_best_copy(bench_list *list, const bench_setup *setup)
{
    for (int e = 0; e < setup->elem_count; ++e)
        for (int row_major = 1; row_major >= 0; --row_major)
            for (int s = 0; s < SHAPE_COUNT; ++s)
                add_best_copy(list, setup, setup->elem_bytes[e], row_major, &SHAPES[s]);
}
