/* The kernels around the GEMM by wgmma, compiled for the CPU grid. */
#include "wgmma_helpers.cu"
