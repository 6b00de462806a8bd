/* A copy of a matrix through shared memory, tile by tile, for any extents, steps and addresses.
 * nvcc compiles it for a GPU, a C compiler for the CPU grid. A launch has a block (x,y) for each
 * tile, x along n. */
#include <cutlet/device/staged/copy_any.h>

typedef struct copy_args {
    ct_global src, dst; /* matrices (m,n) of 2-byte elements: ct_make_global, on the host */
} copy_args;

CT_KERNEL_THREADS(copy_tiles, 128, copy_args, args)
{
    CT_STATIC(ct_any_copy, copy, ct_make_any_copy(16, 64, 128)); /* bits, tile, threads */
    CT_SHARED(unsigned char, memory, copy.shared_bytes);
    ct_copy_any(&copy, &args.src, &args.dst, ct_index2(blockIdx.y, blockIdx.x), memory);
}
