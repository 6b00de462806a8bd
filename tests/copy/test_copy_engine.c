/* Tiles by the copy engines on the CPU grid; test_cuda_copy runs the same on a GPU. CUTLET_SEED
 * repeats a run. */
#include "engine_cases.h"

static int on_grid(const engine_case *c, engine_args *args, ct_dim3 grid, size_t shared_bytes,
                   tensor *src, tensor *dst, char *what, size_t size)
{
    const ct_tma_desc from = engine_desc(c, c->src, args->src.at),
                      to = engine_desc(c, c->dst, args->dst.at);
    char text[CT_MESSAGE_BYTES];
    if ((by_map(c->way.in) && ct_grid_tma_map(&from, &args->src_map, text)) ||
        (by_map(c->way.out) && ct_grid_tma_map(&to, &args->dst_map, text))) {
        snprintf(what, size, "%s", text);
        return -1;
    }
    const ct_grid_buffer buffers[] = {{"src", begin(src), src->bytes, 0, 0},
                                      {"dst", begin(dst), dst->bytes, 1, 0}};
    const ct_grid_options options = {.buffers = buffers, .buffer_count = 2};
    ct_grid_report report;
    const int status = ct_grid_launch(&copy_by_engine, grid, (ct_dim3){32, 1, 1}, shared_bytes,
                                      args, sizeof *args, &options, &report);
    if (status) snprintf(what, size, "%s", report.message);
    ct_grid_report_free(&report);
    return status;
}

static void every_engine(void **state)
{
    static const int swizzles[] = {CT_TMA_SWIZZLE_NONE,          CT_TMA_SWIZZLE_32B,
                                   CT_TMA_SWIZZLE_64B,           CT_TMA_SWIZZLE_128B,
                                   CT_TMA_SWIZZLE_128B_ATOM_32B, CT_TMA_SWIZZLE_128B_ATOM_64B};
    (void)state;
    every_tile(1, swizzles, 6, on_grid);
}

int main(void)
{
    const char *given = getenv("CUTLET_SEED");
    seed = given ? strtoull(given, NULL, 0) : 20260101;
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_engine)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
