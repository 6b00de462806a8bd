/* The GEMM kernels by wgmma, in tiles of (128,256), compiled for the CPU grid. */
#include "wgmma.cu"
