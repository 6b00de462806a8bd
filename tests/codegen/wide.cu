// 256-bit accesses: nothing here has run on such a GPU, so the generated code is all that is known.

#include "../grid/hint_kernels.cu"

// arch sm_100
// gate hk_wide
// gate hk_wide, count ld.global.v8.b32 == 2
// gate hk_wide, count st.global.v8.b32 == 2
// gate hk_wide, count (ld|st).global.(v4|v2|u) == 0
