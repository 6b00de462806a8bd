// The copy of 32 bytes an access, which sm_100 and later have. Compiled, not run.
// (Once in the short way of one run, once in the other.)
// arch sm_100
#include "../../examples/vector/width_copy.cu"

// gate width_copy_32, division
// gate width_copy_32, count ^ld\.global\.v8\.b32 == 2
// gate width_copy_32, count ^st\.global\.v8\.b32 == 2
// gate width_copy_16, division
// gate width_copy_16, count ^ld\.global\.v8 == 0
