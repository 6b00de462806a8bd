/* The GEMM kernels by mma.sync, compiled for the CPU grid. */
#include "mma_sync.cu"
