/* Each atom is one instruction of exactly its width: the kernels of the tests of the grid, whose
 * atoms can be counted by reading them, as nvcc compiles them. */
// arch sm_90
// gate gk_widths
// gate gk_widths, count ^ld\.global\.u8 == 1
// gate gk_widths, count ^ld\.global\.u16 == 1
// gate gk_widths, count ^ld\.global\.u32 == 1
// gate gk_widths, count ^ld\.global\.v2\.u32 == 1
// gate gk_widths, count ^ld\.global\.v4\.u32 == 1
// gate gk_widths, count ^st\.global\.u8 == 1
// gate gk_widths, count ^st\.global\.u16 == 1
// gate gk_widths, count ^st\.global\.u32 == 1
// gate gk_widths, count ^st\.global\.v2\.u32 == 1
// gate gk_widths, count ^st\.global\.v4\.u32 == 1
// gate gk_widths, count ^ld\.shared\.u8 == 1
// gate gk_widths, count ^ld\.shared\.u16 == 1
// gate gk_widths, count ^ld\.shared\.u32 == 1
// gate gk_widths, count ^ld\.shared\.v2\.u32 == 1
// gate gk_widths, count ^ld\.shared\.v4\.u32 == 1
// gate gk_widths, count ^st\.shared\.u8 == 1
// gate gk_widths, count ^st\.shared\.u16 == 1
// gate gk_widths, count ^st\.shared\.u32 == 1
// gate gk_widths, count ^st\.shared\.v2\.u32 == 1
// gate gk_widths, count ^st\.shared\.v4\.u32 == 1
// gate gk_widths, count \b(ld|st)\.(u|b|f|v) == 0
// gate gk_predicated
// gate gk_predicated, count ^@on ld\.global\.u32 == 1
// gate gk_predicated, count ^@on st\.shared\.u32 == 1
// gate gk_predicated, count ^@on ld\.shared\.u32 == 1
// gate gk_predicated, count ^@on st\.global\.u32 == 1
// gate gk_predicated, count \bbra\b == 0
// gate gk_async
// gate gk_async, count ^cp\.async\.ca\.shared\.global \[[^]]*\], \[[^]]*\], 16; == 1
// gate gk_async, count ^cp\.async\.ca\.shared\.global \[[^]]*\], \[[^]]*\], 8, % == 1
// gate gk_async, count ^cp\.async\.ca\.shared\.global \[[^]]*\], \[[^]]*\], 4; == 1
// gate gk_async, count ^@on cp\.async\.ca\.shared\.global \[[^]]*\], \[[^]]*\], 4; == 1
// gate gk_async, count ^cp\.async\.cg\.shared\.global \[[^]]*\], \[[^]]*\], 16; == 1
// gate gk_async, count ^cp\.async\.cg\.shared\.global \[[^]]*\], \[[^]]*\], 16, % == 1
// gate gk_async, count ^@on cp\.async\.cg\.shared\.global \[[^]]*\], \[[^]]*\], 16; == 1
// gate gk_async, count ^cp\.async\.commit_group; == 2
// gate gk_async, count ^cp\.async\.wait_group 1; == 1
// gate gk_async, count ^cp\.async\.wait_group 0; == 1
// gate gk_async, count ^cp\.async\.wait_all; == 1
// gate gk_pipeline
// gate gk_ldmatrix
// gate gk_ldmatrix, count ^ldmatrix\.sync\.aligned\.m8n8\.x1\.shared\.b16 == 1
// gate gk_ldmatrix, count ^ldmatrix\.sync\.aligned\.m8n8\.x2\.shared\.b16 == 1
// gate gk_ldmatrix, count ^ldmatrix\.sync\.aligned\.m8n8\.x4\.shared\.b16 == 1
// gate gk_ldmatrix, count ^ldmatrix\.sync\.aligned\.m8n8\.x1\.trans\.shared\.b16 == 1
// gate gk_ldmatrix, count ^ldmatrix\.sync\.aligned\.m8n8\.x2\.trans\.shared\.b16 == 1
// gate gk_ldmatrix, count ^ldmatrix\.sync\.aligned\.m8n8\.x4\.trans\.shared\.b16 == 1
// gate gk_stmatrix
// gate gk_stmatrix, count ^stmatrix\.sync\.aligned\.m8n8\.x1\.shared\.b16 == 1
// gate gk_stmatrix, count ^stmatrix\.sync\.aligned\.m8n8\.x2\.shared\.b16 == 1
// gate gk_stmatrix, count ^stmatrix\.sync\.aligned\.m8n8\.x4\.shared\.b16 == 1
// gate gk_stmatrix, count ^stmatrix\.sync\.aligned\.m8n8\.x1\.trans\.shared\.b16 == 1
// gate gk_stmatrix, count ^stmatrix\.sync\.aligned\.m8n8\.x2\.trans\.shared\.b16 == 1
// gate gk_stmatrix, count ^stmatrix\.sync\.aligned\.m8n8\.x4\.trans\.shared\.b16 == 1
#include "../grid/grid_kernels.cu"
