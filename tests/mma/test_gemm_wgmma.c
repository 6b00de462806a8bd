/* Products by wgmma on the CPU grid: every form, by ct_gemm_plan. */
#include "all_cases.h"
#include "gemm_wgmma_cases.h"

/* Of this many cases one. */
static int thin(void)
{
#if defined(__SANITIZE_ADDRESS__)
    return 97;
#endif
    return all_cases() ? 5 : 89;
}

static void on_grid(const gemm_type *t, uint32_t blocks, const operand *o, const gemm_case *g)
{
    char message[CT_MESSAGE_BYTES];
    ct_gemm_plan *const plan = plan_of(t, o, g, NULL);
    const size_t bytes = (size_t)ct_gemm_plan_workspace(plan);
    unsigned char *const workspace = aligned_alloc(1024, bytes + 1024);
    const ct_gemm_operands on = operands_of(o, vectors, workspace);
    (void)blocks;
    assert_non_null(workspace);
    memset(workspace, 0xff, bytes); /* NaN: what is read before it is written shows in the result */
    if (ct_gemm_plan_run(plan, &on, message)) fail_msg("%s", message);
    ct_gemm_plan_destroy(plan);
    free(workspace);
}

TEST(test_wgmma)
{
    assert_int_equal(every_wgmma_gemm(on_grid, NULL, thin()), (1 << GEMM_WGMMA_SHAPES) - 1);
}

GROUP("GEMM by wgmma on the CPU grid", NULL, NULL)
