// The same copies for sm_100: each access of 256 bits is one instruction. Compiled, not run.
// arch sm_100
#include "copy_wide.cu"

// gate copy_wide
// gate copy_wide, count ^ld\.global\.v8\.b32 == 1
// gate copy_wide, count ^st\.global\.v8\.b32 == 1
// gate copy_wide, count ^(ld|st)\.global == 2
// gate copy_wide, count trap == 0
// gate copy_wide_any
// gate copy_wide_any, count ld\.global\.v8\.b32 == 2
// gate copy_wide_any, count st\.global\.v8\.b32 == 2
// gate copy_wide_any, count (ld|st)\.global\.v4 == 0
// gate copy_wide_any, count trap == 0
