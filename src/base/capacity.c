/* The symbol by which programs link only to a library of the same capacity. */
#include <cutlet/host/capacity.h>

const char CT_LIBRARY_OF(CT_MAX_LEAVES) = CT_MAX_LEAVES;
