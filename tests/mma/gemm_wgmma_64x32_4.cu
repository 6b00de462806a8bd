/* The GEMM by wgmma in tiles of (64,32), A and B exchanged, whose clusters of four blocks share k. */
#define GEMM_ROWS 64
#define GEMM_COLUMNS 32
#define GEMM_CLUSTER 4
#include "../../device/gemm/wgmma.cu"
