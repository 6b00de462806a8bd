// What a kernel gets from layouts that are known when it is compiled: constants, no more.

#include <cutlet/cutlet.h>

// gate composed_layout
// gate composed_layout, instructions <= 12
// gate composed_layout, registers <= 16
extern "C" __global__ void composed_layout(int64_t *out)
{
    CT_CONST ct_layout A = ct_make_col_major(ct_int(64));
    CT_CONST ct_layout B = ct_logical_divide(A, ct_make_row_major(ct_int(8)));
    CT_CONST int64_t size = ct_size(ct_composition(A, B));
    *out = size + ct_cosize(B);
}
