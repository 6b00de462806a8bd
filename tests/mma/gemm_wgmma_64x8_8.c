/* The GEMM by wgmma of that shape for the CPU grid, apart from the others, whose names it shares. */
#include "gemm_wgmma_64x8_8.cu"
