/* The GEMM kernel of single threads, compiled for the CPU grid. */
#include "simt.cu"
