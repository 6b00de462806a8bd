// The examples that show the one copy, a step of a GEMM, and a copy of unchecked tiles: all offsets folded,
// no stack frame, and as many instructions as the partitions say.
// arch sm_90

#include "../../examples/batched_transpose.cu"
#include "../../bench/compile/unchecked.cu"
#include "../../examples/gemm_tiles.cu"
#include "../../examples/int4_gemm.cu"
#include "../../examples/tutorial/mma.cu"
#include "../../examples/stencil.cu"
#include "../../examples/cast_transpose.cu"
#include "../../examples/paged_gather.cu"
#include "../../examples/rotary.cu"

// gate unchecked
// gate unchecked, registers <= 32
// gate unchecked, count ^cp\.async\.cg\.shared\.global\.L2::128B .*, 16;$ == 4
// gate unchecked, count ^ld\.shared\.v4 == 4
// gate unchecked, count ^st\.global\.v4 == 4
// gate unchecked, count ^(?!mov|ld\.param)(@|[a-z]) <= 70
// gate gemm_tiles
// Its 96 KiB of shared memory leave two blocks on a multiprocessor, whatever the registers up to 255.
// gate gemm_tiles, registers <= 200
// gate gemm_tiles, count ^mma\.sync\.aligned\.m16n8k16\.row\.col\.f32\.f16 == 128
// gate gemm_tiles, count ^ldmatrix\.sync\.aligned\.m8n8\.x4 == 32
// gate gemm_tiles, count ^cp\.async\.cg\.shared\.global == 32
// gate int4_gemm
// gate int4_gemm, registers <= 128
// gate int4_gemm, count ^mma\.sync\.aligned\.m16n8k16\.row\.col\.f32\.f16 == 64
// gate int4_gemm, count ^ld\.global\.v4 == 8
// gate int4_gemm, count ^cp\.async\.cg\.shared\.global == 8
// gate int4_gemm, count ^lop3\.b32 .*, 0x6a;$ == 128
// gate batched_transpose
// gate batched_transpose, registers <= 40
// gate batched_transpose, count ^ld\.global\.v4 >= 4
// gate batched_transpose, count ^st\.shared\.v4 >= 4
// gate stencil_3x3
// gate stencil_3x3, registers <= 48
// gate stencil_3x3, count ^(@%?p?[0-9]* ?)?cp\.async\.cg\.shared\.global == 10
// gate stencil_5
// gate paged_gather
// gate rotary
// gate cast_transpose
// gate cast_transpose, registers <= 48
// gate swizzled
// gate swizzled, registers <= 80
// gate swizzled, count ^ldmatrix\.sync\.aligned\.m8n8\.x4 == 8
// gate swizzled, count ^mma\.sync\.aligned\.m16n8k16\.row\.col\.f32\.f16 == 16
// gate swizzled, count ^cp\.async\.cg\.shared\.global == 8
// gate swizzled, count ^st\.global\.v2 == 16
