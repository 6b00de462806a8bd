/* ct_gemm by every form of instruction and operand, each in a kernel that makes its own A and B. A pipeline that
 * threads fill by cp.async, a copy from another block, and parts of register tensors. */
#include <cutlet/algebra/read.h>
#include <cutlet/device/copy/peer.h>
#include <cutlet/device/mma/gemm.h>
#include <cutlet/device/pipeline/pipe.h>
#include <cutlet/mma/mma_descriptor_nearest.h>

#include "gemm_calls.h"

#if CT_HAS_WGMMA

enum { K_MAJOR, MN_MAJOR };

/* A tiled MMA whose order of n is given; "" leaves the order. */
CT_FN ct_tiled_mma gemm_call_mma(const char *atom, const char *atoms, const char *n)
{
    ct_tiler by = CT_ZERO;
    const ct_layout order = n[0] ? ct_read(n) : ct_layout1(1, 0);
    ct_tiler_push_any(&by);
    if (n[0]) ct_tiler_push(&by, &order);
    else ct_tiler_push_any(&by);
    return ct_make_tiled_mma(ct_make_mma_atom(atom), ct_read(atoms), by);
}

/* Two stages of an operand (mn,k) in shared memory. */
CT_FN ct_tensor gemm_call_tile(ct_mma_atom atom, int operand, int mn, int k, int major)
{
    ct_tensor t =
        ct_make_tensor(major == MN_MAJOR ? ct_layout2(mn, k, 1, mn) : ct_layout2(mn, k, k, 1));
    if (ct_mma_from(atom.op, operand) == CT_MMA_SHARED)
        t = ct_mma_descriptor_nearest(t, operand, atom);
    t.layout = ct_layout_append(t.layout, ct_layout1(GEMM_CALL_STAGES, mn * k));
    return t;
}

/* What each of the block's threads writes of an operand: single elements of a row or column in turn. */
CT_FN ct_partition gemm_call_fill(ct_tensor to, int threads, int bits, int mn, int k)
{
    const ct_tiled_copy by = ct_make_tiled_copy(ct_copy_atom_auto(bits),
                                                ct_layout2(threads / 8, 8, 8, 1), ct_layout1(1, 0));
    return ct_make_partition(by, ct_tuple2(mn, k), ct_in_registers(), ct_in_shared(to));
}

/* Writes both stages of an operand. */
#define FILL(ELEM, operand, load, at, K)                                                           \
    for (int s = 0; s < GEMM_CALL_STAGES; ++s) {                                                   \
        CT_REGISTERS(ELEM, x, load);                                                               \
        CT_EACH(i, x)                                                                              \
        ct_put(x, i, gemm_call_##operand(ct_coord(x, i, 0), s *(K) + ct_coord(x, i, 1)));          \
        ct_copy(&load, x, ct_view_stage(&load.dst, at, s));                                        \
    }
/* An operand of stage s in registers. */
#define HOLD(x, operand, K)                                                                        \
    CT_EACH(i, x) ct_put(x, i, gemm_call_##operand(ct_coord(x, i, 0), s *(K) + ct_coord(x, i, 1)))

/* Puts C where its coordinates say; atoms along k have sums of their own. */
#define PUT(c, M, N, threads_of_part)                                                              \
    CT_EACH(i, c)                                                                                  \
    {                                                                                              \
        const int part = (int)threadIdx.x / (threads_of_part);                                     \
        const float v = ct_val(c, i);                                                              \
        ct_store_global(args.out + ((part * (M) + ct_coord(c, i, 0)) * (N) + ct_coord(c, i, 1)),   \
                        &v, 32);                                                                   \
    }

/* C (M,N) of two stages of k: A and B of type ELEM, sums of type SUM, by MULTIPLY(stage s). */
#define PRODUCT(name, THREADS, ELEM, SUM, ATOM, ATOMS, ORDER, M, N, K, A, B, PART, READ_A, READ_B, \
                MULTIPLY)                                                                          \
    CT_KERNEL_THREADS(name, THREADS, gemm_call_args, args)                                         \
    {                                                                                              \
        CT_STATIC(ct_tiled_mma, mma, gemm_call_mma(ATOM, ATOMS, ORDER));                           \
        CT_STATIC(int, bits, ct_type_bits(CT_TYPE_OF_##ELEM));                                     \
        CT_STATIC(ct_tensor, tile_a, gemm_call_tile(mma.atom, CT_MMA_A, M, K, A));                 \
        CT_STATIC(ct_tensor, tile_b, gemm_call_tile(mma.atom, CT_MMA_B, N, K, B));                 \
        CT_STATIC(ct_partition, fill_a, gemm_call_fill(tile_a, THREADS, bits, M, K));              \
        CT_STATIC(ct_partition, fill_b, gemm_call_fill(tile_b, THREADS, bits, N, K));              \
        CT_STATIC(ct_gemm_partition, G,                                                            \
                  ct_make_gemm(mma, ct_tuple3(M, N, K), READ_A(tile_a), READ_B(tile_b)));          \
        CT_SHARED_DYNAMIC(unsigned char, memory);                                                  \
        unsigned char *const of_b = memory + GEMM_CALL_STAGES * (M) * (K)*bits / 8;                \
        CT_REGISTERS(SUM, c, ct_fragment_c(mma, ct_tuple2(M, N)));                                 \
        FILL(ELEM, a, fill_a, memory, K)                                                           \
        FILL(ELEM, b, fill_b, of_b, K)                                                             \
        ct_fence_async_shared();                                                                   \
        __syncthreads();                                                                           \
        const ct_gemm_operand a = ct_gemm_a(&G, ct_view_shared(memory), threadIdx.x);              \
        const ct_gemm_operand b = ct_gemm_b(&G, ct_view_shared(of_b), threadIdx.x);                \
        CT_UNROLL for (int s = 0; s < GEMM_CALL_STAGES;                                            \
                       ++s){MULTIPLY(ELEM, M, N, K)} ct_gemm_wait(&G, 0);                          \
        ct_gemm_done(&G, c);                                                                       \
        PUT(c, M, N, PART)                                                                         \
    }
#define SHARED(tile) ct_in_shared(tile)
#define HELD(tile) ct_in_registers()

/* Both from shared memory; A from registers; both from registers; fragments loaded step by step. */
#define BY_STAGES(ELEM, M, N, K) ct_gemm(&G, c, ct_gemm_stage(a, s), ct_gemm_stage(b, s), s > 0);
#define BY_A_HELD(ELEM, M, N, K)                                                                   \
    CT_REGISTERS(ELEM, ra, ct_fragment_a(mma, ct_tuple2(M, K)));                                   \
    HOLD(ra, a, K);                                                                                \
    (void)a;                                                                                       \
    ct_gemm(&G, c, ra, ct_gemm_stage(b, s), s > 0);                                                \
    ct_gemm_wait(&G, 0);
#define BY_REGISTERS(ELEM, M, N, K)                                                                \
    CT_REGISTERS(ELEM, ra, ct_fragment_a(mma, ct_tuple2(M, K)));                                   \
    CT_REGISTERS(ELEM, rb, ct_fragment_b(mma, ct_tuple2(N, K)));                                   \
    HOLD(ra, a, K);                                                                                \
    HOLD(rb, b, K);                                                                                \
    (void)a, (void)b;                                                                              \
    ct_gemm(&G, c, ra, rb, s > 0);
#define BY_STEPS(ELEM, M, N, K)                                                                    \
    CT_REGISTERS(ELEM, ra, ct_fragment_a(mma, ct_tuple2(M, K)));                                   \
    CT_REGISTERS(ELEM, rb, ct_fragment_b(mma, ct_tuple2(N, K)));                                   \
    if (s == 0) ct_clear(c);                                                                       \
    CT_UNROLL for (int step = 0; step < (K) / 16; ++step)                                          \
    {                                                                                              \
        ct_gemm_load(&G, ra, rb, ct_gemm_stage(a, s), ct_gemm_stage(b, s), step);                  \
        ct_gemm_step(&G, c, ra, rb, step);                                                         \
    }

/* clang-format off */
PRODUCT(gc_tall, 128, half, float, "SM90_64x32x16_F32F16F16_SS", "(1)", "", 128, 64, 64, K_MAJOR, K_MAJOR, 128, SHARED, SHARED, BY_STAGES)
PRODUCT(gc_transposed, 128, bfloat16, float, "SM90_64x64x16_F32BF16BF16_SS", "(1)", "", 64, 64, 32, MN_MAJOR, MN_MAJOR, 128, SHARED, SHARED, BY_STAGES)
PRODUCT(gc_parts, 256, half, float, "SM90_64x32x16_F32F16F16_SS", "(1,1,2)", "", 64, 32, 64, K_MAJOR, K_MAJOR, 128, SHARED, SHARED, BY_STAGES)
PRODUCT(gc_groups, 512, half, half, "SM90_64x32x16_F16F16F16_SS", "(2,2)", "(32,2,2):(1,64,32)", 128, 128, 32, MN_MAJOR, K_MAJOR, 512, SHARED, SHARED, BY_STAGES)
PRODUCT(gc_held, 256, half, float, "SM90_64x32x16_F32F16F16_RS", "(2,1)", "", 128, 64, 32, K_MAJOR, MN_MAJOR, 256, HELD, SHARED, BY_A_HELD)
PRODUCT(gc_tf32, 128, float, float, "SM90_64x32x8_F32TF32TF32_SS_TN", "(1)", "", 64, 32, 32, K_MAJOR, K_MAJOR, 128, SHARED, SHARED, BY_STAGES)
PRODUCT(gc_e4m3, 128, e4m3, float, "SM90_64x32x32_F32E4M3E4M3_RS_TN", "(1)", "", 128, 32, 64, K_MAJOR, K_MAJOR, 128, HELD, SHARED, BY_A_HELD)
PRODUCT(gc_warps, 128, half, float, "SM80_16x8x16_F32F16F16F32_TN", "(2,2)", "(8,2,2):(1,16,8)", 64, 64, 32, K_MAJOR, K_MAJOR, 128, SHARED, SHARED, BY_STAGES)
PRODUCT(gc_warps_transposed, 128, half, float, "SM80_16x8x16_F32F16F16F32_TN", "(2,2)", "(8,2,2):(1,16,8)", 64, 32, 32, MN_MAJOR, MN_MAJOR, 128, SHARED, SHARED, BY_STAGES)
PRODUCT(gc_warps_held, 64, bfloat16, float, "SM80_16x8x16_F32BF16BF16F32_TN", "(2,1)", "", 64, 16, 32, K_MAJOR, K_MAJOR, 64, HELD, HELD, BY_REGISTERS)
PRODUCT(gc_steps, 128, half, float, "SM80_16x8x16_F32F16F16F32_TN", "(2,2)", "(8,2,2):(1,16,8)", 32, 32, 64, K_MAJOR, MN_MAJOR, 128, SHARED, SHARED, BY_STEPS)
PRODUCT(gc_bytes, 64, e4m3, float, "SM89_16x8x32_F32E4M3E4M3F32_TN", "(1,2)", "", 16, 16, 64, K_MAJOR, K_MAJOR, 64, SHARED, SHARED, BY_STAGES)
PRODUCT(gc_bytes_transposed, 64, e4m3, float, "SM89_16x8x32_F32E4M3E4M3F32_TN", "(1,2)", "", 16, 16, 64, MN_MAJOR, K_MAJOR, 64, SHARED, SHARED, BY_STAGES)
PRODUCT(gc_fma, 64, float, float, "universal_fma", "(8,8)", "(8,2):(2,1)", 32, 32, 8, K_MAJOR, MN_MAJOR, 64, SHARED, SHARED, BY_STAGES)
PRODUCT(gc_fma_held, 64, float, float, "universal_fma", "(8,8)", "", 16, 24, 8, K_MAJOR, K_MAJOR, 64, HELD, HELD, BY_REGISTERS)
/* clang-format on */

/* Warp 0 fills two stages of 16 rows of 32 floats by cp.async; warp 1 copies them to out, eight tiles of `in`. */
CT_KERNEL_THREADS(gc_pipe, 64, gemm_call_args, args)
{
    CT_STATIC(ct_tiled_copy, by,
              ct_make_tiled_copy(ct_copy_atom_cp_async(CT_ATOM_CP_ASYNC_CG, 128, 32),
                                 ct_layout2(4, 8, 8, 1), ct_layout2(1, 4, 4, 1)));
    CT_STATIC(
        ct_tiled_copy, plain,
        ct_make_tiled_copy(ct_copy_atom_auto(32), ct_layout2(8, 4, 4, 1), ct_layout2(1, 4, 4, 1)));
    CT_STATIC(ct_memory, rows, ct_in_shared_plain(ct_read("(16,32,2):(32,1,512)")));
    CT_STATIC(ct_partition, fill, ct_make_partition(by, ct_tuple2(16, 32), ct_in_global(1), rows));
    CT_STATIC(ct_partition, read,
              ct_make_partition(plain, ct_tuple2(16, 32), rows, ct_in_registers()));
    CT_STATIC(ct_pipe_plan, plan, ct_make_pipe_of_threads(2, 32, 1));
    CT_SHARED(float, memory, 2 * 512);
    CT_SHARED(uint64_t, bars, 4);
    ct_pipe pipe = ct_pipe_begin(&plan, bars);
    for (int i = 0; i < 8; ++i) {
        if (threadIdx.x < 32) {
            (void)ct_pipe_fill(&pipe);
            ct_copy(&fill,
                    ct_view_src(&fill, ct_view_tile(&args.in, &fill, ct_index2(i, 0)), threadIdx.x),
                    ct_view_dst(&fill, ct_view_stage(&fill.dst, memory, pipe.stage), threadIdx.x));
            ct_pipe_filled(&pipe);
        } else {
            const uint32_t lane = threadIdx.x - 32;
            CT_REGISTERS(float, x, read);
            const ct_registers mine = ct_make_registers(x.as, x.type, x.words, lane);
            ct_pipe_wait(&pipe);
            ct_copy(&read, ct_view_src(&read, ct_view_stage(&read.src, memory, pipe.stage), lane),
                    ct_view_of_registers(mine));
            __syncwarp();
            ct_pipe_release(&pipe, 0);
            CT_EACH(j, x)
            {
                const int at = 32 * (16 * i + ct_coord(mine, j, 0)) + ct_coord(mine, j, 1);
                ct_store_global(args.out + at, x.words + j, 32);
            }
        }
        ct_pipe_next(&pipe);
    }
}

/* Each block of a pair writes its tile of 8 rows of 32 floats, and puts the other's to out. */
CT_KERNEL_CLUSTER(gc_peer, 2, 32, gemm_call_args, args)
{
    CT_STATIC(
        ct_tiled_copy, by,
        ct_make_tiled_copy(ct_copy_atom_auto(32), ct_layout2(4, 8, 8, 1), ct_layout2(1, 4, 4, 1)));
    CT_STATIC(ct_memory, rows, ct_in_shared_plain(ct_layout2(8, 32, 32, 1)));
    CT_STATIC(ct_partition, put, ct_make_partition(by, ct_tuple2(8, 32), ct_in_registers(), rows));
    CT_STATIC(ct_partition, get, ct_make_partition(by, ct_tuple2(8, 32), rows, ct_in_registers()));
    CT_SHARED(float, memory, 8 * 32);
    CT_REGISTERS(float, x, put);
    CT_REGISTERS(float, y, get);
    const int rank = ct_cluster_rank();
    CT_EACH(i, x) ct_put(x, i, gemm_call_a(ct_coord(x, i, 0) + 8 * rank, ct_coord(x, i, 1)));
    ct_copy(&put, x, ct_view_shared(memory));
    ct_cluster_sync();
    ct_copy_from_block(&get, y, ct_view_src(&get, ct_view_shared(memory), threadIdx.x), 1 - rank);
    CT_EACH(i, y)
    {
        const int at = 32 * (8 * rank + ct_coord(y, i, 0)) + ct_coord(y, i, 1);
        ct_store_global(args.out + at, y.words + i, 32);
    }
    ct_cluster_sync();
}

/* Parts of registers by numbers that are known at launch: of a tile of 4 rows of 64 halves, block b takes columns
 * 16 b to 16 b + 15 out, doubles them as elements of a type that is known at launch, and puts them to the next part. */
CT_KERNEL_THREADS(gc_registers, 32, gemm_call_args, args)
{
    CT_STATIC(
        ct_tiled_copy, by,
        ct_make_tiled_copy(ct_copy_atom_auto(16), ct_layout2(4, 8, 8, 1), ct_layout2(1, 2, 2, 1)));
    CT_STATIC(ct_partition, P,
              ct_make_partition(by, ct_tuple2(4, 64), ct_in_global(1), ct_in_registers()));
    CT_STATIC(ct_fragment, part, ct_fragment_part(ct_fragment_of(P), ct_tuple2(4, 16)));
    CT_REGISTERS(half, x, P);
    CT_REGISTERS(half, y, part);
    const int at = (int)blockIdx.x, type = at % 2 ? CT_TYPE_BFLOAT16 : CT_TYPE_HALF;
    const ct_registers mine = ct_recast_registers(x, type);
    CT_EACH(i, x)
    {
        const float v = gemm_call_a(ct_coord(x, i, 0), ct_coord(x, i, 1));
        if (at % 2) ct_put(ct_recast_registers(x, CT_TYPE_BFLOAT16), i, v);
        else ct_put(x, i, v);
    }
    ct_get_part(y, &part, mine, at);
    CT_EACH(i, y)
    {
        if (at % 2)
            ct_put(ct_recast_registers(y, type), i, 2 * ct_val(ct_recast_registers(y, type), i));
        else ct_put(y, i, 2 * ct_val(y, i));
    }
    ct_put_part(mine, &part, y, (at + 1) % 4);
    CT_EACH(i, x)
    {
        const float v = at % 2 ? ct_val(ct_recast_registers(x, CT_TYPE_BFLOAT16), i) : ct_val(x, i);
        ct_store_global(args.out + 256 * at + 64 * ct_coord(x, i, 0) + ct_coord(x, i, 1), &v, 32);
    }
}

#endif
