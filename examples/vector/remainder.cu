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
#include <cutlet/device/copy/copy.h>
#include <cutlet/device/register/values.h>
#include <cutlet/device/elementwise/elementwise.h>
#include <cutlet/device/kernel/static.h>

#include "vector.h"

/* part: access */
/* A vector of `bytes` bytes to a thread's registers, and from there. */
CT_FN ct_partition load_of(int32_t bytes)
{
    return vector_partition(bytes, 32, ct_in_global(0), ct_in_registers());
}
CT_FN ct_partition store_of(int32_t bytes)
{
    return vector_partition(bytes, 32, ct_in_registers(), ct_in_global(0));
}

CT_DEVICE void vector_of(const ct_partition *load, const ct_partition *store,
                         const remainder_args *args, int64_t i, const ct_registers x)
{
    ct_copy(load, vector_at(load, &load->src, &args->src, i), x);
    CT_EACH(k, x) ct_put(x, k, 2 * ct_val(x, k) + 1);
    ct_copy(store, x, vector_at(store, &store->dst, &args->dst, i));
}
/* end */

CT_DEVICE int64_t thread_of(void) { return (int64_t)blockIdx.x * REMAINDER_THREADS + threadIdx.x; }

/* part: bulk */
CT_KERNEL_THREADS(remainder_bulk, REMAINDER_THREADS, remainder_args, args)
{
    CT_STATIC(ct_partition, load, load_of(16));
    CT_STATIC(ct_partition, store, store_of(16));
    CT_STATIC(ct_partition, load_one, load_of(4));
    CT_STATIC(ct_partition, store_one, store_of(4));
    CT_REGISTERS(float, x, load);
    CT_REGISTERS(float, one, load_one);
    const int64_t n = args.src.extent[0], i = thread_of(), last = n / 4 * 4 + i;
    if (i < n / 4) vector_of(&load, &store, &args, i, x);
    if (last < n) vector_of(&load_one, &store_one, &args, last, one);
}
/* end */

/* Vectors as long as they begin within the array. */
#define VECTORS(name, bytes)                                                                       \
    CT_KERNEL_THREADS(name, REMAINDER_THREADS, remainder_args, args)                               \
    {                                                                                              \
        CT_STATIC(ct_partition, load, load_of(bytes));                                             \
        CT_STATIC(ct_partition, store, store_of(bytes));                                           \
        CT_REGISTERS(float, x, load);                                                              \
        const int64_t i = thread_of();                                                             \
        if (bytes / 4 * i < args.src.extent[0]) vector_of(&load, &store, &args, i, x);             \
    }
VECTORS(remainder_padded, 16)
VECTORS(remainder_width_4, 4)
VECTORS(remainder_width_8, 8)
VECTORS(remainder_width_16, 16)

/* part: any */
CT_ELEMENTWISE(remainder_any, float, 2 * x + 1, (float, x))
/* end */
