/* The symbol by which programs find a library of their own capacity. */
#include <cutlet/host/capacity.h>

const char CT_LIBRARY_OF(CT_MAX_LEAVES) = CT_MAX_LEAVES;
