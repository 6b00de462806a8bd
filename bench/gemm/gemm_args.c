/* The argument of the GEMM kernels, made for gemm.py. */
#include <string.h>

#include "../../examples/gemm/mma_sync.h"

/* Writes it to `out`, which has room for `room` bytes. Its size; below 0 for a tensor that is refused. */
int gemm_make_args(void *out, int room, const void *const at[4], const int64_t extent[3], const int64_t step[4],
                   int bits, int result_bits, float alpha, float beta)
{
    const int64_t m = extent[0], n = extent[1], k = extent[2];
    const gemm_args args = {ct_make_global(at[0], bits, ct_layout2(m, k, step[0], 1)),
                            ct_make_global(at[1], bits, ct_layout2(n, k, step[1], 1)),
                            ct_make_global(at[2], result_bits, ct_layout2(m, n, step[2], 1)),
                            ct_make_global(at[3], result_bits, ct_layout2(m, n, step[3], 1)),
                            alpha,
                            beta};
    const int refused = args.a.err.status || args.b.err.status || args.c.err.status || args.d.err.status;
    if (refused || room < (int)sizeof args) return -1;
    memcpy(out, &args, sizeof args);
    return (int)sizeof args;
}
