/* Plans of products for gemm.py, which runs them: the library's own. */
#include <cutlet/host/gemm.h>

/* What gemm.py wants multiplied: m, n, k, batch; steps of A, B, C and D in elements, of rows, columns, batch; and what
 * ct_gemm_desc has. */
typedef struct gemm_wanted {
    int64_t extent[4], step[4][3];
    int32_t type, tf32, by, choice, effort, align_bytes;
    float alpha, beta;
} gemm_wanted;

int gemm_plan_of(ct_gemm_plan **plan, ct_cuda *gpu, const gemm_wanted *w, char *message)
{
    ct_layout of[4];
    for (int i = 0; i < 4; ++i) {
        const int64_t rows = w->extent[i == 1 ? 1 : 0], columns = w->extent[i < 2 ? 2 : 1];
        of[i] = ct_make_layout(ct_tuple3(rows, columns, w->extent[3]),
                               ct_tuple3(w->step[i][0], w->step[i][1], w->step[i][2]));
    }
    const ct_gemm_desc d = {.a = of[0],
                            .b = of[1],
                            .c = of[2],
                            .d = of[3],
                            .type = w->type,
                            .tf32 = w->tf32,
                            .by = w->by,
                            .gpu = gpu,
                            .backend = CT_BACKEND_CUDA,
                            .alpha = w->alpha,
                            .beta = w->beta,
                            .choice = w->choice,
                            .effort = w->effort,
                            .align_bytes = w->align_bytes};
    return ct_gemm_plan_create(&d, plan, message);
}
