/* Four ways to deal with an array whose size no vector divides: 2 x + 1 over n floats.
 *
 *   bulk      vectors, then the last one to three elements by the first threads of the grid. Needs
 *             addresses that 16 divides.
 *   padded    vectors only; whoever allocates rounds n up and lets the kernel write the padding
 *             too. Needs such addresses, and arrays of its own.
 *   width     the widest access that the addresses and n divide by, chosen when it is launched: 16,
 *             8 or 4 bytes. One odd element, and all of the array goes by 4.
 *   any       what this library does: vectors counted from an aligned address of the destination,
 *             cut in registers out of two where the source begins elsewhere, elements at both ends.
 *             Needs nothing, and stays at 16 bytes an access.
 *
 * The first three fault at an address that does not fit, so that their launches have to ask first:
 * the host part of the example, run.c, does. */
#include <cutlet/device/elementwise.h>

#include "vector.h"

/* part: access */
/* One access of `bytes` bytes of this thread, a constant. */
CT_DEVICE void vector_of(const remainder_args *args, int64_t first, const int bytes)
{
    CT_FRAGMENT(float, x, 4);
    ct_load_global(x, args->src + first, 8 * bytes);
    CT_UNROLL for (int i = 0; i < 4; ++i) if (4 * i < bytes) x[i] = 2 * x[i] + 1;
    ct_store_global(args->dst + first, x, 8 * bytes);
}
/* end */

CT_DEVICE int64_t thread_of(void)
{
    return (int64_t)blockIdx.x * REMAINDER_THREADS + threadIdx.x;
}

/* part: bulk */
CT_KERNEL_THREADS(remainder_bulk, REMAINDER_THREADS, remainder_args, args)
{
    const int64_t i = thread_of(), last = args.n / 4 * 4 + i;
    if (i < args.n / 4) vector_of(&args, 4 * i, 16);
    if (last < args.n) vector_of(&args, last, 4);
}
/* end */

CT_KERNEL_THREADS(remainder_padded, REMAINDER_THREADS, remainder_args, args)
{
    if (4 * thread_of() < args.n) vector_of(&args, 4 * thread_of(), 16);
}

#define WIDTH(bytes)                                                                      \
    CT_KERNEL_THREADS(remainder_width_##bytes, REMAINDER_THREADS, remainder_args, args)   \
    {                                                                                     \
        const int64_t first = bytes / 4 * thread_of();                                    \
        if (first < args.n) vector_of(&args, first, bytes);                               \
    }
WIDTH(4)
WIDTH(8)
WIDTH(16)

/* part: any */
CT_ELEMENTWISE(remainder_any, float, 2 * x + 1, (float, x))
/* end */
