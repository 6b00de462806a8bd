/* The GEMM by wgmma in its first shape for the CPU grid, apart from the others, whose names it shares. */
#include "../../device/gemm/wgmma.cu"
