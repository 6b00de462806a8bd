/* Kernels whose accesses cutlet's headers make. HERE notes the lines of the calls. gcc compiles this
 * file as a part of test_grid_lines.c, nvcc for the GPU. */
/* HERE notes the line of the call beside it. */
/* clang-format off */
#include "grid_lines.h"

#include <cutlet/device/pipeline/pipe.h>
#include <cutlet/device/kernel/static.h>

#include "grid_planted.h"

/* A tile of 16 x 64 words, rows side by side. */
CT_FN ct_memory row_major(void)
{
    return ct_in_shared(ct_make_swizzled(ct_swizzle_none(), 0, ct_layout2(16, 64, 64, 1)));
}

/* Into it by 128 threads, 4 words to each at a time. */
CT_FN ct_partition in_by(ct_copy_atom atom)
{
    const ct_layout thr = ct_layout2(8, 16, 16, 1), val = ct_layout2(1, 4, 0, 1);
    const ct_tiled_copy copy = ct_make_tiled_copy(atom, thr, val);
    return ct_make_partition(copy, ct_tuple2(16, 64), ct_in_global(1), row_major());
}

/* Out again, other words by each thread. */
CT_FN ct_partition out_by(ct_copy_atom atom)
{
    const ct_layout thr = ct_layout2(16, 8, 1, 16), val = ct_layout2(1, 4, 0, 1);
    const ct_tiled_copy copy = ct_make_tiled_copy(atom, thr, val);
    return ct_make_partition(copy, ct_tuple2(16, 64), row_major(), ct_in_global(1));
}

/* wrong: 1 no barrier between the copies, 2 the same by a function of the author's, 3 none, but an
 * argument that makes accesses, 4 the next tile comes with no barrier. That the tensors
 * lie where they should is up to the launch. */
CT_KERNEL_THREADS(gl_copy, 128, line_args, args)
{
    CT_SHARED(uint32_t, memory, 16 * 64);
    CT_STATIC(ct_partition, in, in_by(ct_copy_atom_auto(32)));
    CT_STATIC(ct_partition, out, out_by(ct_copy_atom_auto(32)));
    const ct_view tile = ct_view_shared(memory);
    HERE(2); const ct_view src = ct_view_tile(&args.src, &in, ct_index2(0, 0));
    const ct_view dst = ct_view_tile(&args.dst, &out, ct_index2(0, 0));
    const ct_view from = ct_view_src(&in, src, threadIdx.x);
    const ct_view to = ct_view_dst(&in, tile, threadIdx.x);
    const ct_view back = ct_view_src(&out, tile, threadIdx.x);
    const ct_view home = ct_view_dst(&out, dst, threadIdx.x);
    HERE(0); ct_copy(&in, args.wrong == 3 ? peek(from) : from, to);
    if (args.wrong != 1 && args.wrong != 2) __syncthreads();
    if (args.wrong == 2) copy_of_mine(&out, back, home);
    HERE(1); ct_copy(&out, back, home);
    if (args.wrong == 4) {
        HERE(3); ct_copy(&in, from, to);
    }
}

/* wrong: 1 nobody waits, 2 only the other threads' part is waited for. */
CT_KERNEL_THREADS(gl_async, 128, line_args, args)
{
    CT_SHARED(uint32_t, memory, 16 * 64);
    CT_STATIC(ct_partition, in, in_by(ct_copy_atom_cp_async(CT_ATOM_CP_ASYNC_CG, 128, 32)));
    CT_STATIC(ct_partition, out, out_by(ct_copy_atom_auto(32)));
    const ct_view tile = ct_view_shared(memory);
    const ct_view src = ct_view_tile(&args.src, &in, ct_index2(0, 0));
    const ct_view dst = ct_view_tile(&args.dst, &out, ct_index2(0, 0));
    const ct_view from = ct_view_src(&in, src, threadIdx.x);
    const ct_view back = ct_view_src(&out, tile, threadIdx.x);
    const ct_view home = ct_view_dst(&out, dst, threadIdx.x);
    HERE(0); ct_copy(&in, from, ct_view_dst(&in, tile, threadIdx.x));
    if (args.wrong != 1 && (args.wrong != 2 || threadIdx.x > 0)) ct_cp_async_wait_all();
    __syncthreads();
    HERE(1); ct_copy(&out, back, home);
}

/* wrong: 1 the two warps meet in two sums of the block, 2 the halves of a warp in two of the warp. */
CT_KERNEL_THREADS(gl_sums, 64, line_args, args)
{
    CT_SHARED(float, part, 2);
    float x = 1;
    if (args.wrong == 1 && threadIdx.x >= 32) {
        HERE(1); x = ct_block_sum(x, part, 64);
    } else if (args.wrong == 2 && threadIdx.x % 32 >= 16) {
        HERE(1); x = ct_warp_sum(x);
    } else if (args.wrong == 2) {
        HERE(0); x = ct_warp_sum(x);
    } else {
        HERE(0); x = ct_block_sum(x, part, 64);
    }
    ct_store_global(args.dst.at + 4 * threadIdx.x, &x, 32);
}

#if CT_HAS_BULK

/* wrong: 1 nobody fills the stage that is waited for, 2 it is released once too often. */
CT_KERNEL_THREADS(gl_pipe, 32, line_args, args)
{
    CT_SHARED(uint64_t, bars, 2);
    CT_STATIC(ct_pipe_plan, plan, ct_make_pipe(1, 16, 1));
    ct_pipe p = ct_pipe_begin(&plan, bars);
    if (args.wrong == 1) {
        HERE(0); ct_pipe_wait(&p);
    }
    HERE(0); ct_pipe_release(&p, 0);
    if (args.wrong == 2) {
        HERE(0); ct_pipe_release(&p, 0);
        HERE(0); ct_pipe_release(&p, 0);
    }
}

/* An atom of a header with an argument that it cannot take. */
CT_KERNEL_THREADS(gl_atom, 32, line_args, args)
{
    HERE(0); planted_atom(args.wrong, &args.map, args.src.at);
}

#endif

/* The warp's halves copy by two calls, and then by one; then an atom. */
CT_KERNEL_THREADS(gl_records, 32, line_args, args)
{
    CT_FRAGMENT(uint32_t, x, CT_COPY_WORDS);
    CT_STATIC(ct_partition, P,
              ct_make_partition(ct_make_tiled_copy(ct_copy_atom_auto(32), ct_layout2(4, 8, 8, 1),
                                                   ct_layout2(1, 4, 0, 1)),
                                ct_tuple2(8, 32), ct_in_global(1), ct_in_registers()));
    const ct_view tile = ct_view_tile(&args.src, &P, ct_index2(0, 0));
    const ct_view from = ct_view_src(&P, tile, threadIdx.x), to = ct_view_registers(x);
    if (threadIdx.x < 16) {
        HERE(0); ct_copy(&P, from, to);
    } else {
        HERE(1); ct_copy(&P, from, to);
    }
    HERE(2); ct_copy(&P, from, to);
    HERE(3); ct_load_global(x, args.src.at + 4 * threadIdx.x, 32);
}
