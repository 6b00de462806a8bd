/* Bulk copies, tile copies, mbarriers, clusters and pipelines on a real GPU: every form by a kernel
 * of its own, against the same kernel on the CPU grid, so that one that faults hides no other; and the
 * rules of tensor maps against the driver's. Skipped, with the reason, where there is no GPU.
 *
 *     test_cuda_tma_gpu PART            only the cases whose names contain PART
 *     test_cuda_tma_gpu undocumented    what the documentation does not allow, to see what happens
 */
#define _GNU_SOURCE /* memmem */
#include "test.h"

#include "tools/bench/kernels/pipelines.cu"
#include "tma_gpu_rules.h"
#include "tma_gpu_tiles.h"

/* ---- barriers and clusters ------------------------------------------------------------------- */

static void run_plain(const test_case *c)
{
    gpu_launch s = {
        .kernel = c->kernel, .blocks = c->p[0], .threads = 64, .dynamic_bytes = c->p[1]};
    s.args.n = c->p[2];
    fill_words(host_src, CAPACITY);
    check_on_gpu(&s);
}

static void add_barriers(void)
{
    add(run_plain, &tf_fence_async, P(1), "fence: ct_fence_async_shared alone");
    add(run_plain, &tf_mbarrier, P(1, 0, 5), "mbarrier: init, fence, arrive, wait");
    add(run_plain, &tf_try_wait, P(1), "mbarrier: try_wait, invalidate");
    add(run_plain, &tf_expect, P(1, 1024, 1024), "mbarrier: expect apart from arrive");
    add(run_plain, &tk_hand_over, P(1, 0, 7), "mbarrier: two warps hand over");
    add(run_plain, &tk_poll, P(1), "mbarrier: poll");
    add(run_plain, &tk_refill, P(1, 0, 9), "mbarrier: a stage filled again");
    add(run_plain, &tf_alignment, P(1, 2048), "dynamic shared memory: alignment");
    add(run_plain, &tf_cluster_1, P(3), "cluster of 1: rank, sync");
    add(run_plain, &tf_cluster_2, P(6), "cluster of 2: rank, sync");
    add(run_plain, &tf_cluster_4, P(8), "cluster of 4: rank, sync");
    add(run_plain, &tf_cluster_8, P(16), "cluster of 8: rank, sync");
    add(run_plain, &tf_arrive_remote_1, P(3, 0, 5), "cluster of 1: arrive_remote");
    add(run_plain, &tf_arrive_remote_2, P(6, 0, 5), "cluster of 2: arrive_remote");
    add(run_plain, &tf_arrive_remote_4, P(8, 0, 5), "cluster of 4: arrive_remote");
    add(run_plain, &tf_arrive_remote_8, P(16, 0, 5), "cluster of 8: arrive_remote");
    add(run_plain, &tk_read_cluster, P(12, 0, 1), "cluster of 4: ct_load_cluster");
}

/* ---- bulk copies ----------------------------------------------------------------------------- */

/* p: blocks, bytes, mask. */
static void run_bulk(const test_case *c)
{
    gpu_launch s = {
        .kernel = c->kernel, .blocks = c->p[0], .threads = 64, .dynamic_bytes = c->p[1] + 16};
    s.args.n = c->p[1];
    s.args.op = c->p[2];
    fill_words(host_src, CAPACITY);
    check_on_gpu(&s);
}

/* p: the element. Small numbers by three blocks, in any order. */
static void run_bulk_reduce(const test_case *c)
{
    gpu_launch s = {
        .kernel = c->kernel, .blocks = 3, .threads = 64, .dynamic_bytes = 1008, .elem = c->p[0]};
    s.args.n = 1008;
    fill_numbers(host_src, CAPACITY, c->p[0], 1);
    fill_numbers(before_dst, CAPACITY, c->p[0], 2);
    check_on_gpu(&s);
}

static void run_bulk_specials(const test_case *c)
{
    const int bytes = 256 * ct_elem_bytes(c->p[0]);
    gpu_launch s = {
        .kernel = c->kernel, .blocks = 1, .threads = 64, .dynamic_bytes = bytes, .elem = c->p[0]};
    s.args.n = bytes;
    fill_specials(c->p[0]);
    check_on_gpu(&s);
}

static void add_bulk(void)
{
    static const int32_t sizes[] = {0, 16, 32, 48, 128, 1008, 4096, 16384, 49152, 65536};
    for (int i = 0; i < LENGTH(sizes); ++i) {
        add(run_bulk, &tf_bulk_load, P(1, sizes[i]), "bulk: load %d", sizes[i]);
        add(run_bulk, &tf_bulk_store, P(1, sizes[i]), "bulk: store %d", sizes[i]);
        add(run_bulk, &tf_bulk_prefetch, P(1, sizes[i]), "bulk: prefetch_l2 %d", sizes[i]);
    }
    add(run_bulk, &tf_bulk_groups, P(1, 4096), "bulk: four groups, wait_group and _read");
    add(run_bulk, &tk_bulk, P(1, 1040), "bulk: in and out again");
    add(run_bulk, &tf_bulk_multicast_1, P(1, 1024, 1), "bulk: multicast to 1 of 1");
    add(run_bulk, &tf_bulk_multicast_2, P(2, 1024, 1), "bulk: multicast to the first of 2");
    add(run_bulk, &tf_bulk_multicast_2, P(4, 1024, 2), "bulk: multicast to the second of 2");
    add(run_bulk, &tf_bulk_multicast_2, P(4, 1024, 3), "bulk: multicast to both of 2");
    add(run_bulk, &tf_bulk_multicast_4, P(4, 4096, 15), "bulk: multicast to all of 4");
    add(run_bulk, &tf_bulk_multicast_4, P(8, 4096, 10), "bulk: multicast to two of 4");
#define REDUCE(op, name, ELEM)                                                                     \
    add(run_bulk_reduce, &tf_bulk_##op##_##name, P(CT_ELEM_##ELEM), "bulk: " #op " " #name);       \
    add(run_bulk_specials, &tf_bulk_##op##_##name, P(CT_ELEM_##ELEM),                              \
        "bulk: " #op " " #name " of special numbers");
    REDUCE(add, u32, U32)
    REDUCE(add, s32, S32)
    REDUCE(add, u64, U64)
    REDUCE(add, f16, F16)
    REDUCE(add, bf16, BF16)
    REDUCE(add, f32, F32)
    REDUCE(add, f64, F64)
#define COMPARE(name, ELEM) REDUCE(min, name, ELEM) REDUCE(max, name, ELEM)
    COMPARE(u32, U32)
    COMPARE(s32, S32)
    COMPARE(u64, U64)
    COMPARE(s64, S64)
    COMPARE(f16, F16)
    COMPARE(bf16, BF16)
}

/* ---- pipelines ------------------------------------------------------------------------------- */

/* p: inner, outer, ld, begin in bytes, blocks along outer. */
static void run_pipeline_cp_async(const test_case *c)
{
    const int32_t ld = c->p[2], at = c->p[3];
    gpu_launch s = {.kernel = c->kernel,
                    .blocks = (int)ct_ceil_div_int(c->p[0], 64),
                    .blocks_y = c->p[4],
                    .threads = 128,
                    .dynamic_bytes = 8192 * CT_PIPELINE_STAGES};
    s.matrix = ct_layout2(c->p[1], c->p[0], ld, 1);
    s.shift = at;
    s.which_args = ARGS_COPY;
    fill_words(host_src, CAPACITY);
    check_on_gpu(&s);
}

/* p: inner, outer, ld, begin in bytes, blocks along outer, swizzle. */
static void run_pipeline_tma(const test_case *c)
{
    const ct_tuple box = ct_pipeline_box(c->p[5]);
    const int32_t whole = ct_pipeline_whole(c->p[0]);
    const ct_layout L = ct_layout2(c->p[1], c->p[0], c->p[2], 1);
    const ct_layout M = ct_layout2(c->p[1], whole ? whole : c->p[0], c->p[2], 1);
    const ct_tma_desc d = ct_make_tma_desc(L, box, CT_ELEM_U16, c->p[5], (uint64_t)c->p[3]);
    gpu_launch s = {.kernel = c->kernel,
                    .blocks = (int)ct_ceil_div_int(c->p[0], box.value[1]),
                    .blocks_y = c->p[4],
                    .threads = 64,
                    .dynamic_bytes = (int)ct_tma_bytes(&d) * CT_PIPELINE_STAGES};
    s.desc[0] = d;
    s.desc[1] = ct_make_tma_desc(M, box, CT_ELEM_U16, c->p[5], (uint64_t)c->p[3]);
    s.has_desc[0] = s.has_desc[1] = 1;
    s.shift = c->p[3];
    s.matrix = L;
    s.which_args = ARGS_PIPELINE;
    fill_words(host_src, CAPACITY);
    check_on_gpu(&s);
}

static void add_pipelines(void)
{
    static const int32_t by_cp_async[][4] = {
        {64, 64, 64, 0},    {64, 640, 64, 0}, {128, 576, 160, 32},
        {200, 333, 208, 0}, {70, 100, 75, 2}, {1, 1, 1, 6},
        {129, 257, 130, 4}, {64, 1, 64, 16},  {3, 700, 8, 0}};
    static const int32_t by_tma[][4] = {{64, 64, 64, 0},    {64, 640, 64, 0}, {128, 576, 160, 32},
                                        {200, 333, 208, 0}, {1, 1, 8, 16},    {129, 257, 136, 0},
                                        {7, 100, 8, 0},     {63, 65, 64, 0},  {71, 64, 72, 32}};
    for (int i = 0; i < LENGTH(by_cp_async); ++i) {
        const int32_t *m = by_cp_async[i];
        add(run_pipeline_cp_async, &ct_pipeline_cp_async, P(m[0], m[1], m[2], m[3], 1 + i % 3),
            "pipeline: cp_async %d x %d", m[0], m[1]);
    }
    static const ct_grid_kernel *const by_swizzle[] = {&ct_pipeline_tma_plain, &ct_pipeline_tma_32b,
                                                       &ct_pipeline_tma_64b, &ct_pipeline_tma};
    for (int i = 0; i < LENGTH(by_tma); ++i) {
        const int32_t *m = by_tma[i];
        for (int z = 0; z <= CT_TMA_SWIZZLE_128B; ++z)
            add(run_pipeline_tma, by_swizzle[z], P(m[0], m[1], m[2], m[3], 1 + i % 3, z),
                "pipeline: tma %d x %d, swizzle %s", m[0], m[1], swizzle_names[z]);
    }
}

int main(int argc, char **argv)
{
    add_barriers();
    add_bulk();
    add_tiles();
    add_pipelines();
    add_rules();
    return run_cases(argc > 1 ? argv[1] : "");
}
