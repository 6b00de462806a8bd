/* The GEMM by wgmma in tiles of (128,192), two blocks a cluster. */
#define GEMM_ROWS 128
#define GEMM_COLUMNS 192
#define GEMM_CLUSTER 2
#include "../../device/gemm/wgmma.cu"
