/* What the kernels of grid_lines.cu are told, and a header as their author writes them. */
/* HERE notes the line of the call beside it. */
/* clang-format off */
#ifndef CUTLET_TESTS_GRID_LINES_H
#define CUTLET_TESTS_GRID_LINES_H

#include <cutlet/device/copy/copy.h>
#include <cutlet/device/register/reduce.h>

#include <cutlet/copy/tma.h>

/* wrong: 0 for the kernel as it should be, otherwise which mistake it makes. */
typedef struct line_args {
    ct_tma_map map;
    ct_global src, dst;
    int32_t wrong;
} line_args;

/* Notes the line that it stands on as number i, for the test. */
#if defined(__CUDACC__)
#define HERE(i) ((void)0)
#else
static int32_t noted_lines[4];
#define HERE(i) ((void)(noted_lines[i] = __LINE__))
#endif

/* A function of the author's own. */
CT_DEVICE void copy_of_mine(const ct_partition *P, const ct_view from, const ct_view to)
{
    HERE(2); ct_copy(P, from, to);
}

/* Another, which an argument calls. It makes an access itself, and calls a header's function. */
CT_DEVICE ct_view peek(const ct_view v)
{
    float x = 0;
    HERE(2); ct_load_global_if(threadIdx.x == 0, &x, v.at, 32);
    x = ct_warp_sum(x);
    return v;
}

#endif
