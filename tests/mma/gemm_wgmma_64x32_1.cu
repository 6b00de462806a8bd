/* The GEMM by wgmma in tiles of (64,32), A and B exchanged. */
#define GEMM_ROWS 64
#define GEMM_COLUMNS 32
#define GEMM_CLUSTER 1
#include "../../device/gemm/wgmma.cu"
