/**
 * @internal One element moved through a register: what the ends of lines take that no wide access
 * reaches.
 */
#ifndef CUTLET_DEVICE_ELEMENT_MOVE_H
#define CUTLET_DEVICE_ELEMENT_MOVE_H

#include <cutlet/copy/copy_sides.h>

#include <cutlet/device/arch/load_store.h>

/** Copies `bytes` bytes from shared or global memory to global memory if `on` is not 0, by one load
 *  and one store. bytes: a power of two up to `most`, which is a constant; both addresses are
 *  multiples of it. Where it is known at run time only, the loads and stores of the other widths are
 *  switched off. */
CT_DEVICE void ct_move_if(const int on, unsigned char *dst, const int space,
                          const unsigned char *src, const int32_t bytes, const int most)
{
    CT_FRAGMENT(uint32_t, x, 4) = {0, 0, 0, 0};
    CT_UNROLL for (int u = 1; u <= most; u *= 2)
    {
        if (space == CT_SPACE_SHARED) ct_load_shared_if(on && u == bytes, x, src, 8 * u);
        else ct_load_global_if(on && u == bytes, x, src, 8 * u);
    }
    CT_UNROLL for (int u = 1; u <= most; u *= 2)
        ct_store_global_if(on && u == bytes, dst, x, 8 * u);
}

#define ct_move_if(...) CT_CALL(ct_move_if, __VA_ARGS__)

#endif
