/* y += x w^T with weights of four bits: y(i,j) += sum over k of x(i,k) w(j,k) scale(j, k / 128). w is (n,k) of int4 and x
 * (16,k) of halves, contiguous along k from multiples of 16 bytes on; scale is (n,k/128) of halves, y (16,n) of floats. n is
 * a multiple of 64, k of 512. A launch has blocks (x,y), x along k, for each tile of 64 rows and 512 columns of w.
 *
 * An instruction has any order of k if both operands have it: by (2,4,2):(4,32,1) a lane has 32 consecutive weights, which
 * come from memory to its registers, and pairs of them are four apart, which two instructions unpack. */
#include <cutlet/algebra/read.h>
#include <cutlet/copy/copy_choice.h>
#include <cutlet/device/mma/gemm.h>
#include <cutlet/device/register/reductions.h>

typedef struct int4_gemm_args {
    ct_global w, scale, x, y;
} int4_gemm_args;

enum { INT4_ROWS = 64, INT4_GROUPS = 4, INT4_K = 128 * INT4_GROUPS, INT4_LINE = INT4_ROWS + 4 };

CT_KERNEL_RESIDENT(int4_gemm, 128, 5, int4_gemm_args, args)
{
    CT_STATIC(ct_tuple, group, ct_tuple2(16, 128));
    CT_STATIC(ct_memory, rows, /* no bank conflicts: the elements of lanes are 80 bytes apart */
              ct_in_shared_plain(ct_read("(16,(32,16)):(672,(1,40))")));
    CT_STATIC(ct_tiled_copy, lanes_w, /* 32 weights of rows 0 and 32, ... of four groups */
              ct_make_tiled_copy(ct_copy_atom_auto(4), ct_read("(32,4):(4,1)"), ct_read("(1,32)")));
    CT_STATIC(ct_tiled_copy, lanes_x, /* the same of rows 0 and 8: all warps have them */
              ct_make_tiled_copy_tv(ct_copy_atom_auto(16),
                                    ct_read("((4,8,4),(32,2)):((512,1,0),(16,8))"), group));
    CT_STATIC(ct_partition, in_w,
              ct_partition_unchecked(ct_make_partition(lanes_w, ct_tuple2(INT4_ROWS, INT4_K),
                                                       ct_in_global(1), ct_in_registers())));
    CT_STATIC(ct_partition, in_x,
              ct_partition_unchecked(
                  ct_choose_partition(16, 128, ct_tuple2(16, INT4_K), ct_in_global(1), rows)));
    CT_STATIC(ct_memory, order, ct_in_registers_by(ct_read("(2,2,2,4,2):(2,8,1,16,4)")));
    CT_STATIC(ct_partition, take, ct_make_partition(lanes_x, group, rows, order));
    CT_STATIC(ct_tiled_mma, mma,
              ct_make_tiled_mma(ct_make_mma_atom("SM80_16x8x16_F32F16F16F32_TN"), ct_read("4"),
                                ct_tiler3(ct_read("(8,2,4):(1,32,8)"), ct_read("16"),
                                          ct_read("(2,4,2,2,4):(4,32,1,2,8)"))));
    CT_STATIC(
        ct_gemm_partition, product,
        ct_make_gemm(mma, ct_tuple3(INT4_ROWS, 16, 128), ct_in_registers(), ct_in_registers()));
    CT_SHARED(uint16_t, memory, 16 * 672);
    CT_SHARED(float, sums, 16 * INT4_LINE);
    CT_REGISTERS(int4, w, in_w);
    CT_REGISTERS(half, a, ct_fragment_a(mma, ct_tuple2(INT4_ROWS, 128)));
    CT_REGISTERS(half, b, ct_fragment_b(mma, group));
    CT_REGISTERS(float, c, ct_fragment_c(mma, ct_tuple2(INT4_ROWS, 16)));
    CT_REGISTERS(float, part, c_as);
    CT_STATIC(ct_fragment, part_w, ct_fragment_part(w_as, ct_tuple2(INT4_ROWS, 128)));
    CT_STATIC(ct_fragment, of_rows, ct_fragment_reduced(c_as, 1));
    CT_FRAGMENT(uint32_t, scales, INT4_GROUPS); /* of two rows each */
    const int i = threadIdx.x, j = INT4_ROWS * blockIdx.y;
    ct_copy(ct_view_tile(&args.w, &in_w, ct_index2(blockIdx.y, blockIdx.x)), w);
    ct_copy(ct_view_tile(&args.x, &in_x, ct_index2(0, blockIdx.x)), ct_view_shared(memory));
    CT_UNROLL for (int k = 0; k < INT4_GROUPS; ++k)
        ct_load_values(ct_make_registers(&of_rows, CT_TYPE_HALF, scales + k, i), &args.scale,
                       ct_index2(j, INT4_GROUPS * blockIdx.x + k));
    ct_clear(c);
    ct_cp_async_wait_all();
    __syncthreads();
    CT_UNROLL for (int k = 0; k < INT4_GROUPS; ++k)
    {
        const ct_registers scale = ct_make_registers(&of_rows, CT_TYPE_HALF, scales + k, i);
        ct_copy(&take, ct_view_inside(&take, ct_view_shared(memory), ct_index2(0, k)), b);
        ct_retile_registers(a, ct_part_of(&part_w, w, ct_index4(0, k, 0, 0)));
        ct_gemm(&product, part, a, b, 0);
        CT_EACH(e, c) ct_put(c, e, ct_val(c, e) + ct_val(part, e) * ct_val_row(scale, c, e));
    }
    CT_EACH(e, c)
    ct_store_shared(sums + ct_coord(c, e, 1) * INT4_LINE + ct_coord(c, e, 0), &c.words[e], 32);
    ct_fence_async_shared();
    __syncthreads();
    if (i >= 16) return;
    ct_bulk_add(args.y.at + i * args.y.step[0] + 4 * j, sums + i * INT4_LINE, 4 * INT4_ROWS,
                CT_ELEM_F32);
    ct_bulk_commit();
    ct_bulk_wait_group_read(0);
}
