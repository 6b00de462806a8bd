/* The copy of device/copy/copy.h on a real GPU: random cases, every atom, form and tile, tensors, and three
 * examples.
 * Skipped, with the reason, where there is no GPU. CUTLET_GPU_CASES sets the random cases of each kind,
 * CUTLET_SEED which. */
#include "copy_cases.h"
#include "copy_form_cases.h"
#include "engine_cases.h"
#include "example_cases.h"
#include "tensor_cases.h"

#include "gpu_memory.h"

enum { RANDOM_CASES = 400 };

extern const ct_cuda_images ct_test_images;

/* Memory of the GPU with a tensor's bytes; the kernel's argument points there. */
static unsigned char *move_there(const tensor *t, ct_global *g)
{
    unsigned char *const there = device_take(t->all);
    device_put(there, t->memory, t->all);
    g->at = there + (g->at - t->memory);
    return there;
}

static int on_gpu(const copy_case *c, const copy_case_args *args, uint32_t blocks, tensor *src,
                  tensor *dst, char *what, size_t size)
{
    copy_case_args there = *args;
    unsigned char *const s = move_there(src, &there.src), *const d = move_there(dst, &there.dst);
    int status = ct_cuda_launch(gpu, c->kernel->name, (ct_dim3){blocks, 1, 1},
                                (ct_dim3){(uint32_t)c->in.threads, 1, 1}, c->shared_bytes, &there,
                                sizeof there);
    if (status == 0) status = ct_cuda_wait(gpu);
    if (status) snprintf(what, size, "%s", ct_cuda_error(gpu));
    if (status == 0) device_get(dst->memory, d, dst->all);
    device_give(s);
    device_give(d);
    return status;
}

static void atom_on_gpu(const atom_case *c, ct_dim3 grid, size_t shared_bytes, const matrix *src,
                        matrix *dst)
{
    void *const s = device_take(src->bytes), *const d = device_take(dst->bytes);
    device_put(s, src->at, src->bytes);
    device_put(d, dst->at, dst->bytes);
    copy_atoms_args args = {.src = ct_make_global(s, 16, layout_of(src)),
                            .dst = ct_make_global(d, 16, layout_of(dst))};
    const ct_tma_desc from = desc_of(src, s, c->tile_rows, c->tile_cols),
                      to = desc_of(dst, d, c->tile_rows, c->tile_cols);
    if (c->maps) expect(ct_cuda_tma_map(gpu, &from, &args.src_map));
    if (c->maps) expect(ct_cuda_tma_map(gpu, &to, &args.dst_map));
    if (ct_cuda_launch(gpu, c->kernel->name, grid, (ct_dim3){32, 1, 1}, shared_bytes, &args,
                       sizeof args) ||
        ct_cuda_wait(gpu))
        fail_msg("%s: %s", c->kernel->name, ct_cuda_error(gpu));
    device_get(dst->at, d, dst->bytes);
    device_give(s);
    device_give(d);
}

static void form_on_gpu(const form_case *c, copy_atoms_args *args, ct_dim3 grid, int whole,
                        tensor *src, tensor *dst)
{
    unsigned char *const s = move_there(src, &args->src), *const d = move_there(dst, &args->dst);
    (void)whole;
    if (ct_cuda_launch(gpu, c->kernel->name, grid, (ct_dim3){(uint32_t)c->threads, 1, 1}, 0, args,
                       sizeof *args) ||
        ct_cuda_wait(gpu))
        fail_msg("%s: %s", c->kernel->name, ct_cuda_error(gpu));
    device_get(dst->memory, d, dst->all);
    device_give(s);
    device_give(d);
}

static int engine_on_gpu(const engine_case *c, engine_args *args, ct_dim3 grid, size_t shared_bytes,
                         tensor *src, tensor *dst, char *what, size_t size)
{
    unsigned char *const s = move_there(src, &args->src), *const d = move_there(dst, &args->dst);
    const ct_tma_desc from = engine_desc(c, c->src, args->src.at),
                      to = engine_desc(c, c->dst, args->dst.at);
    const int status = (by_map(c->way.in) && ct_cuda_tma_map(gpu, &from, &args->src_map)) ||
                       (by_map(c->way.out) && ct_cuda_tma_map(gpu, &to, &args->dst_map)) ||
                       ct_cuda_launch(gpu, copy_by_engine.name, grid, (ct_dim3){32, 1, 1},
                                      shared_bytes, args, sizeof *args) ||
                       ct_cuda_wait(gpu);
    if (status) snprintf(what, size, "%s", ct_cuda_error(gpu));
    if (!status) device_get(dst->memory, d, dst->all);
    device_give(s);
    device_give(d);
    return status;
}

/* Memory of the GPU for a buffer, between guards, with the same skew; and its bytes. */
static unsigned char *guarded(const ct_grid_buffer *b, unsigned char **all, size_t *bytes)
{
    *bytes = 2 * GUARD + (size_t)b->skew + b->bytes;
    unsigned char *const host = malloc(*bytes);
    assert_non_null(host);
    memset(host, POISON, *bytes);
    memcpy(host + GUARD + b->skew, b->base, b->bytes);
    *all = device_take(*bytes);
    device_put(*all, host, *bytes);
    free(host);
    return *all + GUARD + b->skew;
}

/* Fetches what the kernel left in a buffer, gives the memory back, and says whether the guards hold. */
static int fetched(const ct_grid_buffer *b, unsigned char *all, size_t bytes)
{
    unsigned char *const host = malloc(bytes);
    assert_non_null(host);
    device_get(host, all, bytes);
    device_give(all);
    const size_t first = GUARD + (size_t)b->skew, last = first + b->bytes;
    int kept = b->writable || memcmp(b->base, host + first, b->bytes) == 0;
    for (size_t i = 0; i < bytes; ++i) kept &= (i >= first && i < last) || host[i] == POISON;
    memcpy(b->base, host + first, b->bytes);
    free(host);
    return kept;
}

static void example_on_gpu(const example *e)
{
    unsigned char *all[3];
    size_t bytes[3];
    for (int i = 0; i < e->count; ++i)
        *e->at[i] = guarded(&e->buffers[i], &all[i], &bytes[i]) +
                    (*e->at[i] - (unsigned char *)e->buffers[i].base);
    if (ct_cuda_launch(gpu, e->kernel->name, e->grid, e->block, e->shared_bytes, e->args,
                       e->args_bytes) ||
        ct_cuda_wait(gpu))
        fail_msg("%s: %s", e->kernel->name, ct_cuda_error(gpu));
    for (int i = 0; i < e->count; ++i)
        if (!fetched(&e->buffers[i], all[i], bytes[i]))
            fail_msg("%s writes outside of what it may, beside or in %s", e->kernel->name,
                     e->buffers[i].name);
}

static void random_cases(int through)
{
    many(through, (int)number_of("CUTLET_GPU_CASES", RANDOM_CASES), on_gpu);
}

/* clang-format off */
static void through_shared(void **state) { (void)state; random_cases(0); }
static void through_registers(void **state) { (void)state; random_cases(1); }
static void in_order(void **state) { (void)state; random_cases(2); }
static void every_atom(void **state) { (void)state; every_case(atom_on_gpu); }
/* clang-format on */

static void forms(void **state)
{
    (void)state;
    every_form(FORMS, sizeof FORMS / sizeof FORMS[0], form_on_gpu);
}

static void tiles(void **state)
{
    static const int swizzles[] = {CT_TMA_SWIZZLE_NONE, CT_TMA_SWIZZLE_32B, CT_TMA_SWIZZLE_64B,
                                   CT_TMA_SWIZZLE_128B};
    (void)state;
    every_tile(1, swizzles, 4, engine_on_gpu);
}

/* clang-format off */
static void gemm(void **state) { (void)state; every_gemm(example_on_gpu); }
static void batches(void **state) { (void)state; every_batch(example_on_gpu); }
static void bias_gelu_rows(void **state) { (void)state; every_bias_gelu(example_on_gpu); }
static void nested_tensors(void **state) { (void)state; every_nested(example_on_gpu); }
static void slices(void **state) { (void)state; every_slice(&tensor_slices, example_on_gpu); }
/* clang-format on */
static void parts(void **state)
{
    (void)state;
    every_slice(&tensor_parts, example_on_gpu);
    every_part(example_on_gpu);
}

int main(void)
{
    if (!open_gpu(&ct_test_images, 0)) return 77;
    seed = number_of("CUTLET_SEED", 20260101);
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_atom),
                                       cmocka_unit_test(forms),
                                       cmocka_unit_test(tiles),
                                       cmocka_unit_test(through_shared),
                                       cmocka_unit_test(through_registers),
                                       cmocka_unit_test(in_order),
                                       cmocka_unit_test(gemm),
                                       cmocka_unit_test(batches),
                                       cmocka_unit_test(bias_gelu_rows),
                                       cmocka_unit_test(nested_tensors),
                                       cmocka_unit_test(slices),
                                       cmocka_unit_test(parts)};
    const int failed = cmocka_run_group_tests_name("copies of tiles on the GPU", tests, NULL, NULL);
    ct_cuda_close(gpu);
    return failed;
}
