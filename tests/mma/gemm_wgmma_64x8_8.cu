/* The GEMM by wgmma in tiles of (64,8), A and B exchanged, whose clusters of eight blocks share k. */
#define GEMM_ROWS 64
#define GEMM_COLUMNS 8
#define GEMM_CLUSTER 8
#include "../../device/gemm/wgmma.cu"
