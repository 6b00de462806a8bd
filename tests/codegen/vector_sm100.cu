// The copy of 32 bytes an access, which sm_100 and later have. Compiled, not run.
// (In whole tiles, and vector by vector; what is not aligned goes by accesses of 16, which are cut.)
// arch sm_100
#include "../../examples/vector/width_copy.cu"

// gate width_copy_32, division
// gate width_copy_32, count ^ld\.global\.v8\.b32 == 2
// gate width_copy_32, count ^st\.global\.v8\.b32 == 2
// gate width_copy_16, division
// gate width_copy_16, count ^ld\.global\.v8 == 0
