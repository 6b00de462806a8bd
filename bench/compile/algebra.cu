/* What the algebra costs that a kernel does not use. */
#include <cutlet/cutlet.h>

extern "C" __global__ void empty() {}
