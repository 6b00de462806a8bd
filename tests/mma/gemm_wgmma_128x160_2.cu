/* The GEMM by wgmma in tiles of (128,160), two blocks a cluster. */
#define GEMM_ROWS 128
#define GEMM_COLUMNS 160
#define GEMM_CLUSTER 2
#include "../../device/gemm/wgmma.cu"
