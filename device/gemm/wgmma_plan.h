/* The constants of the GEMM kernels by wgmma, of a form. */
#ifndef CUTLET_EXAMPLES_GEMM_WGMMA_PLAN_H
#define CUTLET_EXAMPLES_GEMM_WGMMA_PLAN_H

#include <cutlet/copy/shared_space.h>
#include <cutlet/device/copy/peer.h>
#include <cutlet/device/element/element.h>
#include <cutlet/device/arch/warpgroup.h>
#include <cutlet/device/mma/gemm.h>
#include <cutlet/device/pipeline/pipe.h>
#include <cutlet/device/tensor/shared.h>

#include "wgmma_work.h"

enum { GROUPS = 2 /* warpgroups that multiply */ };
#define STAGES GEMM_WGMMA_STAGES(ROWS, COLUMNS, CLUSTER)
#define SHARE_B (ROWS == 128 ? CLUSTER : 1) /* blocks */
#define BLOCK_ROWS (64 / CLUSTER)           /* that add sums */
#define EXCHANGED (COLUMNS < 64) /* A and B: C and D are then contiguous along the rows */
#define RESIDENT GEMM_WGMMA_RESIDENT(ROWS, CLUSTER)
/* The columns of threads that add sums, 4 rows or 4 columns each, and how many threads they are. */
#define ADD_ROWS (EXCHANGED ? BLOCK_ROWS / 4 : 16)
#define ADD_COLUMNS (!EXCHANGED ? 16 : 256 / ADD_ROWS < COLUMNS ? 256 / ADD_ROWS : COLUMNS)
#define ADD_THREADS ((uint32_t)(ADD_ROWS * ADD_COLUMNS))
#define PART_COLUMNS (COLUMNS % 64 == 0 ? 64 : 32)
#define COLUMN_PARTS (COLUMNS / PART_COLUMNS)            /* of a tile */
#define PARTS (COLUMN_PARTS % 2 == 0 ? 2 : COLUMN_PARTS) /* of D in shared memory */
#define PART_ROWS                                                                                  \
    (COLUMNS > 64 ? 64 : 16) /* that one TMA store has: of a warpgroup, or of a warp */

typedef struct gemm_plan {
    ct_shared_tensor a, b; /* (m,k,stage), (n,k,stage) */
    ct_shared_tensor d;    /* after them parts of D, (128,PART_COLUMNS,part) */
    ct_shared_tensor
        sums; /* with 64 rows the sums of each warpgroup over a, (64,COLUMNS,warpgroup) */
    ct_pipe_plan pipe;
    ct_gemm_partition mma;
    ct_fragment c, part; /* the sums of a thread, and those of a part's columns */
    ct_partition load_a, load_b, load_c, take_c, keep_d, store_d, put_sums;
    ct_partition hand, take, c_in, d_out; /* with 64 rows */
    ct_fragment own, for_row, for_column; /* of the sums that a thread finishes */
} gemm_plan;
CT_PLAN(gemm_plan);

/* Swizzled lines of 128 or 64 bytes: (rows, elements of a line, stages). */
CT_FN ct_tensor lines_of(int32_t bits, int32_t rows, int32_t line, int32_t stages)
{
    const int32_t pattern = line * bits == 1024 ? CT_MMA_SWIZZLE_128B : CT_MMA_SWIZZLE_64B;
    return ct_make_swizzled(ct_mma_swizzle_of(pattern, bits), 0,
                            ct_layout3(rows, line, stages, line, 1, rows * line));
}

/* The TMA copy of `rows` rows of a line between the memory of a matrix and a tensor. */
CT_FN ct_partition by_map(int32_t kind, int32_t rows, int32_t line, ct_shared_tensor t)
{
    const ct_tuple tile = ct_tuple3(rows, line, 1);
    const ct_memory memory = ct_in_global(1), shared = ct_in_shared(t.tensor);
    const ct_tiled_copy one = ct_make_bulk_copy(ct_copy_atom_tile(kind, t.elem_bits));
    const int is_load = kind == CT_ATOM_TMA_LOAD;
    return ct_make_partition(one, tile, is_load ? memory : shared, is_load ? shared : memory);
}

/* The instruction of a type of A and B, for `columns` columns. */
CT_FN ct_mma_atom atom_of(int32_t type, int32_t columns)
{
    ct_mma_op op = ct_mma_op_named(type == CT_MMA_F16    ? "SM90_64x256x16_F32F16F16_SS"
                                   : type == CT_MMA_BF16 ? "SM90_64x256x16_F32BF16BF16_SS"
                                                         : "SM90_64x256x32_F32E4M3E4M3_SS_TN");
    op.n = columns;
    return ct_mma_atom_of(op);
}

/* A thread's part of some columns of the sums of `groups` warpgroups. */
CT_FN ct_partition of_part(ct_copy_atom atom, int32_t groups, int32_t columns, ct_memory from,
                           ct_memory to)
{
    const ct_tiled_mma mma =
        ct_make_tiled_mma(atom_of(CT_MMA_F16, columns), ct_layout1(groups, 1), ct_tiler0());
    return ct_make_partition(ct_make_tiled_copy_c(atom, mma), ct_tuple2(64 * groups, columns), from,
                             to);
}

/* A thread's part of a block's rows, of the sums of 64 rows: four contiguous elements of adjacent rows or columns. */
CT_FN ct_partition of_rows(int32_t bits, ct_memory from, ct_memory to)
{
    const ct_layout threads = EXCHANGED ? ct_layout2(ADD_ROWS, ADD_COLUMNS, 1, ADD_ROWS)
                                        : ct_layout2(ADD_ROWS, ADD_COLUMNS, ADD_COLUMNS, 1),
                    values = EXCHANGED ? ct_layout2(4, COLUMNS / ADD_COLUMNS, 1, 4)
                                       : ct_layout2(BLOCK_ROWS / ADD_ROWS, 4, 4, 1);
    const ct_tiled_copy copy = ct_make_tiled_copy(ct_copy_atom_auto(bits), threads, values);
    return ct_make_partition(copy, ct_tuple2(BLOCK_ROWS, COLUMNS), from, to);
}

/* Where the sums of the warpgroups of 64 rows lie. The accesses of a quarter warp are in different banks. */
CT_FN ct_layout handed(void)
{
    return EXCHANGED ? ct_layout3(64, COLUMNS, GROUPS, 1, 64 + 4, (64 + 4) * COLUMNS)
                     : ct_layout3(64, COLUMNS, GROUPS, COLUMNS + 8, 1, 64 * (COLUMNS + 8));
}

CT_FN gemm_plan plan_of(int32_t type)
{
    gemm_plan p = CT_ZERO;
    ct_shared_space space = CT_ZERO;
    /* two warpgroups have 64 rows each, or each takes every other stage of 64 rows */
    const ct_layout groups = ct_layout1(ROWS / 64, 1);
    const ct_tiled_mma mma = ct_make_tiled_mma(atom_of(type, COLUMNS), groups, ct_tiler0());
    const int32_t bits = ct_mma_bits(type), line = 1024 / bits;
    const ct_memory memory = ct_in_global(1), registers = ct_in_registers();
    const ct_memory out = ct_in_global(EXCHANGED ? 0 : 1);
    p.a = ct_shared_next(&space, bits, lines_of(bits, ROWS, line, STAGES));
    p.b = ct_shared_next(&space, bits, lines_of(bits, COLUMNS, line, STAGES));
    p.sums = ct_shared_over(&space, &p.a, 32, ct_make_tensor(handed()));
    if (ROWS == 128)
        p.d = ct_shared_next(&space, 16, lines_of(16, 64 * GROUPS, PART_COLUMNS, PARTS));
    const ct_memory in_d = ROWS == 128 ? ct_in_shared(p.d.tensor) : registers,
                    in_sums = ct_in_shared(p.sums.tensor);
    p.mma = ct_make_gemm(mma, ct_tuple3(ROWS, COLUMNS, line), ct_in_shared(p.a.tensor),
                         ct_in_shared(p.b.tensor));
    p.c = ct_fragment_c(mma, ct_tuple2(ROWS, COLUMNS));
    if (ROWS == 128) p.part = ct_fragment_part(p.c, ct_tuple2(ROWS, PART_COLUMNS));
    p.load_a = by_map(CT_ATOM_TMA_LOAD, ROWS, line, p.a);
    p.load_b = by_map(CT_ATOM_TMA_LOAD, COLUMNS / SHARE_B, line, p.b);
    p.pipe = ct_make_pipe_of_blocks(
        STAGES, ct_tile_bytes(&p.load_a) + SHARE_B * ct_tile_bytes(&p.load_b), ROWS / 16, SHARE_B);
    if (ROWS == 128) {
        p.load_c = by_map(CT_ATOM_TMA_LOAD, 64, PART_COLUMNS, p.d);
        p.store_d = by_map(CT_ATOM_TMA_STORE, PART_ROWS, PART_COLUMNS, p.d);
        p.take_c = of_part(ct_copy_atom_matrix(CT_ATOM_LDMATRIX, 4, 16), GROUPS, PART_COLUMNS, in_d,
                           registers);
        p.keep_d = of_part(ct_copy_atom_matrix(CT_ATOM_STMATRIX, 4, 16), GROUPS, PART_COLUMNS,
                           registers, in_d);
        p.put_sums = ct_partition_unchecked(
            of_part(ct_copy_atom_auto(32), GROUPS, PART_COLUMNS, registers, memory));
    }
    p.hand = of_part(ct_copy_atom_auto(32), 1, COLUMNS, registers, in_sums);
    p.take = of_rows(32, in_sums, registers);
    p.c_in = of_rows(16, out, registers);
    p.d_out = of_rows(16, registers, out);
    p.own = ct_fragment_of(p.take);
    p.for_row = ct_fragment_reduced(ROWS == 64 ? p.own : p.c, 1);
    p.for_column = ct_fragment_reduced(ROWS == 64 ? p.own : p.c, 0);
    return p;
}

#endif
