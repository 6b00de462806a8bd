/* The attention example on the CPU grid. */
#include "attention_cases.h"

#include "../../examples/attention/attention.cu"

/* The larger cases take too long with the sanitiser. */
#if defined(__SANITIZE_ADDRESS__)
enum { COUNT = 3 };
#else
enum { COUNT = ATTENTION_CASES };
#endif

static void on_grid(const attention_case *c, const char *name, const attention_operand *o)
{
    const ct_grid_kernel *const kernels[] = {&attention_64, &attention_64_causal, &attention_128,
                                             &attention_128_causal};
    static const char *const names[] = {"Q", "K", "V", "O"};
    char text[CT_MESSAGE_BYTES];
    ct_grid_buffer buffers[4];
    ct_grid_report report;
    attention_args args = attention_args_of(c, &o[3]);
    ct_tma_map *const maps[] = {&args.q, &args.k, &args.v};
    int k = 0;
    while (strcmp(kernels[k]->name, name) != 0) ++k;
    for (int i = 0; i < 4; ++i)
        buffers[i] = (ct_grid_buffer){names[i], o[i].first, 2 * (size_t)o[i].elems, i == 3, 0};
    for (int i = 0; i < 3; ++i) {
        const ct_tma_desc d = attention_desc(c, &o[i], i == 0 ? ATTENTION_ROWS : ATTENTION_KEYS);
        if (ct_grid_tma_map(&d, maps[i], text)) fail_msg("%s", text);
    }
    const ct_grid_options options = {.buffers = buffers, .buffer_count = 4, .no_records = 1};
    const ct_dim3 grid = {(uint32_t)((c->m + ATTENTION_ROWS - 1) / ATTENTION_ROWS),
                          (uint32_t)c->heads, 1};
    if (ct_grid_launch(kernels[k], grid, (ct_dim3){ATTENTION_THREADS, 1, 1},
                       (size_t)attention_shared_bytes((int32_t)c->d), &args, sizeof args, &options,
                       &report))
        fail_msg("%s: %s", name, report.message);
    ct_grid_report_free(&report);
}

TEST(attention) { every_attention(on_grid, COUNT); }

GROUP("attention on the CPU grid", NULL, NULL)
