/* The code of the algebra's functions, once: see once.h. */
#include <cutlet/cutlet.h>
#include <cutlet/mma/mma_tensor_memory.h>
#include <cutlet/copy/tma.h>
