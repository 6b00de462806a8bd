/* The GEMM by wgmma in tiles of (64,64). */
#define GEMM_ROWS 64
#define GEMM_COLUMNS 64
#define GEMM_CLUSTER 1
#include "../../device/gemm/wgmma.cu"
