/* The GEMM by wgmma in tiles of (128,64), one block a cluster. */
#define GEMM_ROWS 128
#define GEMM_COLUMNS 64
#define GEMM_CLUSTER 1
#include "../../device/gemm/wgmma.cu"
