/* y = x w^T with weights of four bits: y(i,j) = sum over k of x(i,k) w(j,k) scale(j, k / 128). w is (n,k) of int4 and x
 * (16,k) of halves, contiguous along k from multiples of 16 bytes on; scale is (n,k/128), and y (16,n), of halves. n is a
 * multiple of 64, k of 128. A launch has n / 16 blocks, clusters of four that divide k. A warp multiplies 64 rows of w by
 * a group. In an instruction k has any order if both operands do: by (2,4,2):(4,32,1) a lane has 32 consecutive weights,
 * which come from memory to its registers, and its pairs are four apart, which unpacks each by two instructions. */
#include <cutlet/algebra/read.h>
#include <cutlet/device/arch/cluster.h>
#include <cutlet/device/mma/gemm.h>
#include <cutlet/device/register/reductions.h>

typedef struct int4_gemm_args {
    ct_global w, scale, x, y;
} int4_gemm_args;

enum { INT4_ROWS = 64, INT4_WARPS = 8, INT4_BLOCKS = 4, INT4_K = 128 * INT4_WARPS, INT4_LINE = 68 };

/* What a thread loads of a tile (rows,INT4_K): 32 consecutive elements of each of its rows. */
CT_FN ct_partition int4_gemm_in(int32_t bits, int32_t rows)
{
    const ct_layout thr = ct_read("(8,(4,8)):(4,(1,32))"), val = ct_read("(1,32)");
    return ct_partition_unchecked(
        ct_make_partition(ct_make_tiled_copy(ct_copy_atom_auto(bits), thr, val),
                          ct_tuple2(rows, INT4_K), ct_in_global(1), ct_in_registers()));
}

CT_KERNEL_CLUSTER_RESIDENT(int4_gemm, INT4_BLOCKS, 32 * INT4_WARPS, 2, int4_gemm_args, args)
{
    CT_STATIC(ct_layout, order, ct_read("(2,4,2,8,2,4):(4,32,1,128,2,8)"));
    CT_STATIC(ct_tiled_mma, mma,
              ct_make_tiled_mma(ct_make_mma_atom("SM80_16x8x16_F32F16F16F32_TN"),
                                ct_read("(1,1,8)"),
                                ct_tiler3(ct_read("16"), ct_read("16"), order)));
    CT_STATIC(ct_gemm_partition, product,
              ct_make_gemm(mma, ct_tuple3(16, 16, INT4_K), ct_in_registers(), ct_in_registers()));
    CT_SHARED(float, sums, INT4_WARPS * 16 * INT4_LINE);
    CT_STATIC(ct_partition, in_w, int4_gemm_in(4, INT4_ROWS));
    CT_STATIC(ct_partition, in_x, int4_gemm_in(16, 16));
    CT_REGISTERS(int4, w, in_w);
    CT_REGISTERS(half, x, in_x);
    CT_REGISTERS(half, a, ct_fragment_a(mma, ct_tuple2(16, INT4_K)));
    CT_REGISTERS(half, b, ct_fragment_b(mma, ct_tuple2(16, INT4_K)));
    CT_REGISTERS(float, c, ct_fragment_c(mma, ct_tuple2(INT4_ROWS, 16)));
    CT_STATIC(ct_fragment, part_w, ct_fragment_part(w_as, ct_tuple2(16, INT4_K)));
    CT_STATIC(ct_fragment, part_c, ct_fragment_part(c_as, ct_tuple2(16, 16)));
    CT_REGISTERS(half, scale, ct_fragment_reduced(c_as, 1));
    const int warp = threadIdx.x / 32, rank = blockIdx.x % INT4_BLOCKS;
    const int tile = blockIdx.x / INT4_BLOCKS, groups = (int)args.scale.extent[1];
    const int m = rank * 16 / INT4_BLOCKS + threadIdx.x / 16, n = 4 * (threadIdx.x % 16);
    const int sums_y = threadIdx.x < 16 / INT4_BLOCKS * 16; /* four consecutive ones of row m */
    CT_FRAGMENT(float, f, 4) = {0, 0, 0, 0};
    float *const own = sums + 16 * INT4_LINE * warp;
    for (int g = 0; g < groups; g += INT4_BLOCKS * INT4_WARPS) {
        const int k = g / INT4_WARPS + rank, group = INT4_WARPS * k + warp;
        ct_clear(c);
        if (group < groups) {
            ct_copy(ct_view_tile(&args.w, &in_w, ct_index2(tile, k)), w);
            ct_copy(ct_view_tile(&args.x, &in_x, ct_index2(0, k)), x);
            ct_load_values(scale, &args.scale, ct_index2(tile * INT4_ROWS, group));
            ct_retile_registers(b, x);
            CT_UNROLL for (int i = 0; i < INT4_ROWS / 16; ++i)
            {
                ct_retile_registers(a, ct_part_of(&part_w, w, ct_index4(i, 0, 0, 0)));
                ct_gemm(&product, ct_part_of(&part_c, c, ct_index4(i, 0, 0, 0)), a, b, 0);
            }
            CT_EACH(i, c) ct_put(c, i, ct_val(c, i) * ct_val_row(scale, c, i));
        }
        CT_EACH(i, c)
        ct_store_shared(own + ct_coord(c, i, 1) * INT4_LINE + ct_coord(c, i, 0), &c.words[i], 32);
        ct_cluster_sync();
        CT_UNROLL for (int j = 0; sums_y && j < INT4_BLOCKS * INT4_WARPS; ++j)
        {
            CT_FRAGMENT(float, v, 4);
            ct_load_cluster(v, sums + (j / INT4_BLOCKS * 16 + m) * INT4_LINE + n, j % INT4_BLOCKS);
            CT_UNROLL for (int i = 0; i < 4; ++i) f[i] += v[i];
        }
        ct_cluster_sync(); /* others have read this block's sums */
    }
    const uint32_t y[2] = {ct_half_pair_of_floats(f[0], f[1]), ct_half_pair_of_floats(f[2], f[3])};
    ct_store_global_if(sums_y, args.y.at + m * args.y.step[0] + 2 * (tile * INT4_ROWS + n), y, 64);
}
