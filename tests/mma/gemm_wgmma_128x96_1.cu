/* The GEMM by wgmma in tiles of (128,96), one block a cluster. */
#define GEMM_ROWS 128
#define GEMM_COLUMNS 96
#define GEMM_CLUSTER 1
#include "../../device/gemm/wgmma.cu"
