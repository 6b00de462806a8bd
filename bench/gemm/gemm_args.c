/* The arguments of the GEMM kernels, made for gemm.py. */
#include <string.h>

#include "../../examples/gemm/mma_sync.h"
#include "../../examples/gemm/wgmma_args.h"

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

/* The driver's cuTensorMapEncodeTiled. */
typedef int encode_tiled(ct_tma_map *, int, uint32_t, uint64_t, const uint64_t *, const uint64_t *, const uint32_t *,
                         const uint32_t *, int, int, int, int);

/* The map of (rows,k) elements of 16 bits in boxes of 128 rows and 64 along k; 0, or what went wrong. */
static int map_of(ct_tma_map *map, encode_tiled *encode, const void *at, int64_t rows, int64_t k, int64_t step,
                  int type)
{
    ct_tma_desc d = ct_make_tma_desc(ct_layout2(rows, k, step, 1), ct_tuple2(128, 64), type, CT_TMA_SWIZZLE_128B,
                                     (uint64_t)(uintptr_t)at);
    d.l2 = CT_TMA_L2_256;
    d = ct_tma_check(d);
    if (d.rule != CT_TMA_OK) return -1;
    uint64_t extents[5], strides[5] = {0};
    uint32_t box[5], steps[5];
    for (int i = 0; i < d.rank; ++i) {
        extents[i] = (uint64_t)d.extent[i];
        box[i] = (uint32_t)d.box[i];
        steps[i] = (uint32_t)d.step[i];
        if (i > 0) strides[i - 1] = (uint64_t)d.stride[i];
    }
    return encode(map, d.elem, (uint32_t)d.rank, d.address, extents, strides, box, steps, d.interleave, d.swizzle,
                  d.l2, d.fill);
}

/* The same for the kernels of wgmma.cu: `out` is aligned to 64 bytes. Below 0 too for rows of A or B that
 * do not begin at multiples of 16 bytes. */
int gemm_make_wgmma_args(void *out, int room, encode_tiled *encode, const void *const at[4], const int64_t extent[3],
                         const int64_t step[4], int is_half, float alpha, float beta)
{
    const int type = is_half ? CT_ELEM_F16 : CT_ELEM_BF16;
    const int64_t m = extent[0], n = extent[1], k = extent[2];
    gemm_wgmma_args args;
    memset(&args, 0, sizeof args);
    args.c = ct_make_global(at[2], 16, ct_layout2(m, n, step[2], 1));
    args.d = ct_make_global(at[3], 16, ct_layout2(m, n, step[3], 1));
    args.k = (int32_t)k;
    args.alpha = alpha;
    args.beta = beta;
    if (room < (int)sizeof args || args.c.err.status || args.d.err.status ||
        map_of(&args.a, encode, at[0], m, k, step[0], type) || map_of(&args.b, encode, at[1], n, k, step[1], type))
        return -1;
    memcpy(out, &args, sizeof args);
    return (int)sizeof args;
}
