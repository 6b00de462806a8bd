/* Two stencils of a matrix of floats: dst(i,j) is the weighted sum of the 3 x 3 elements of src around
 * (i,j), or of the five that share its row or its column. Outside of src there are zeros.
 * Any extents, steps and addresses. A launch has a block (x,y) for each tile of 32 x 128, x along n. */
#include <cutlet/device/copy/copy.h>
#include <cutlet/device/kernel/static.h>
#include <cutlet/device/register/values.h>

typedef struct stencil_args {
    ct_global src, dst; /* matrices (m,n) of floats */
    float weight[3][3];
} stencil_args;

/* part: halo */
/* A tile of shared memory begins a row above the block's and four columns before it: so its accesses
 * are aligned where those of the matrix are. */
enum { STENCIL_ROWS = 32, STENCIL_COLUMNS = 128, STENCIL_LINE = STENCIL_COLUMNS + 8 };

CT_FN ct_tiled_copy stencil_copy(ct_copy_atom atom, ct_layout val)
{
    return ct_make_tiled_copy(atom, ct_layout2(8, 32, 32, 1), val);
}
CT_FN ct_partition stencil_in(void)
{
    return ct_make_predicated_partition(
        stencil_copy(ct_copy_atom_cp_async(CT_ATOM_CP_ASYNC_CG, 128, 32), ct_layout2(1, 4, 4, 1)),
        ct_tuple2(STENCIL_ROWS + 2, STENCIL_LINE), ct_in_global(1),
        ct_in_shared_plain(ct_layout2(STENCIL_ROWS + 2, STENCIL_LINE, STENCIL_LINE, 1)));
}
/* end */
CT_FN ct_partition stencil_out(void)
{
    return ct_make_predicated_partition(
        stencil_copy(ct_copy_atom_auto(32), ct_layout2(4, 4, 4, 1)), /* four rows of four columns */
        ct_tuple2(STENCIL_ROWS, STENCIL_COLUMNS), ct_in_registers(), ct_in_global(1));
}

/* Adds to four values of a thread, from value i on, what a row of six elements around them gives. */
CT_DEVICE void stencil_add(const ct_registers y, const int i, const float *x, const float *weight,
                           const int corners)
{
    CT_UNROLL for (int j = 0; j < 4; ++j)
        CT_UNROLL for (int c = 0; c < 3; ++c) if (corners || c == 1)
            ct_put(y, i + j, ct_val(y, i + j) + weight[c] * x[j + c]);
}

/* points: 9, or 5 without the corners. A thread reads six rows of shared memory for its four. */
#define STENCIL(name, points)                                                                      \
    CT_KERNEL_THREADS(name, 256, stencil_args, args)                                               \
    {                                                                                              \
        CT_STATIC(ct_partition, in, stencil_in());                                                 \
        CT_STATIC(ct_partition, out, stencil_out());                                               \
        CT_SHARED(float, memory, (STENCIL_ROWS + 2) * STENCIL_LINE);                               \
        CT_REGISTERS(float, y, out);                                                               \
        const int i = blockIdx.y * STENCIL_ROWS, j = blockIdx.x * STENCIL_COLUMNS;                 \
        ct_copy(ct_view_at(&args.src, &in, ct_index2(i - 1, j - 4)), ct_view_shared(memory));      \
        ct_cp_async_wait_all();                                                                    \
        ct_clear(y);                                                                               \
        __syncthreads();                                                                           \
        const float *const at =                                                                    \
            memory + ct_first_coord(y, 0) * STENCIL_LINE + ct_first_coord(y, 1);                   \
        CT_UNROLL for (int k = 0; k < 6; ++k)                                                      \
        {                                                                                          \
            CT_FRAGMENT(float, x, 6);                                                              \
            ct_load_shared(x, at + k * STENCIL_LINE + 3, 32);                                      \
            ct_load_shared(x + 1, at + k * STENCIL_LINE + 4, 128);                                 \
            ct_load_shared(x + 5, at + k * STENCIL_LINE + 8, 32);                                  \
            CT_UNROLL for (int r = 0; r < 4; ++r) if (k >= r && k <= r + 2)                        \
                stencil_add(y, 4 * r, x, args.weight[k - r], points == 9 || k == r + 1);           \
        }                                                                                          \
        ct_copy(y, ct_view_at(&args.dst, &out, ct_index2(i, j)));                                  \
    }
STENCIL(stencil_3x3, 9)
STENCIL(stencil_5, 5)
