/**
 * The 64-bit numbers of matrix descriptors, at an address of shared memory.
 *
 *     CT_STATIC(ct_mma_descriptor, a, ct_make_mma_descriptor(tile_a, CT_MMA_A, atom));
 *     uint64_t first = ct_mma_descriptor_pack(ct_mma_descriptor_at(a, shared_address));
 *     uint64_t next = ct_mma_descriptor_step(first, bytes);   bytes = a.steps(i, j)
 *
 * Cost:    O(1).
 * In C:    const ct_mma_atom atom = ct_make_mma_atom("SM90_64x128x16_F32F16F16_SS");
 *          const ct_layout rows = ct_layout2(64, 64, 64, 1);
 *          const ct_tensor tile = ct_make_swizzled(ct_make_swizzle(3, 3, 3), 0, rows);
 *          ct_mma_descriptor a = ct_make_mma_descriptor(tile, CT_MMA_A, atom);
 *          a = ct_mma_descriptor_at(a, 0x400);
 *          const uint64_t first = ct_mma_descriptor_pack(a); // in 16 bytes: start, leading, stride
 *          assert(first == (0x40 | 1 << 16 | (uint64_t)64 << 32 | (uint64_t)1 << 62));
 *          const uint64_t next = ct_mma_descriptor_step(first, ct_eval2(a.steps, 0, 1));
 *          assert(next == first + 2); // 32 bytes on
 *          assert(ct_mma_descriptor_at(a, 0x410).err.status == CT_E_ARGUMENT);
 * Source:  PTX ISA, "Matrix Descriptor Format" of wgmma, "Shared Memory Descriptor" of tcgen05.
 */
#ifndef CUTLET_MMA_MMA_DESCRIPTOR_BITS_H
#define CUTLET_MMA_MMA_DESCRIPTOR_BITS_H

#include <cutlet/mma/mma_descriptor.h>

/**
 * The descriptor of a tile whose base, offset 0, is at that address of shared memory. If the
 * address is not a multiple of the swizzle's pattern, the base offset is the line of the pattern at
 * which the tile begins.
 * Fails:   CT_E_ARGUMENT when the address is not a multiple of 16, or with a swizzle of 128;
 *          CT_E_DOMAIN when the tile would reach past what a descriptor can name; a failed
 *          descriptor is the result.
 */
CT_FN ct_mma_descriptor ct_mma_descriptor_at(ct_mma_descriptor d, uint32_t address)
{
    const int swizzled = d.swizzle != CT_MMA_SWIZZLE_NONE;
    const int64_t align = swizzled ? 128 : 16;
    if (d.err.status) return d;
    if (address % align != 0)
        return ct_mma_descriptor_fail(
            ct_mma_descriptor_error(CT_WHY_ADDRESS, 0, 0, address % align, align, 0));
    const int64_t end = CT_CAST(int64_t, address) + d.start_bytes + ct_cosize(d.steps);
    if (end > CT_MMA_DESCRIPTOR_BYTES) {
        ct_error e =
            ct_mma_descriptor_error(CT_WHY_INDEX, 0, 0, end - 1, CT_MMA_DESCRIPTOR_BYTES, 0);
        e.status = CT_E_DOMAIN;
        return ct_mma_descriptor_fail(e);
    }
    d.start_bytes += CT_CAST(int32_t, address);
    if (swizzled && address % CT_CAST(uint32_t, ct_mma_pattern_bytes(d.swizzle)) != 0)
        d.base_offset = CT_CAST(int32_t, address >> 7 & 7);
    return d;
}

/** @internal The number of the swizzle mode in a descriptor. */
CT_FN uint64_t ct_mma_swizzle_code(int32_t arch, int32_t swizzle)
{
    switch (swizzle) {
        case CT_MMA_SWIZZLE_32B: return arch == 90 ? 3 : 6;
        case CT_MMA_SWIZZLE_64B: return arch == 90 ? 2 : 4;
        case CT_MMA_SWIZZLE_128B: return arch == 90 ? 1 : 2;
        case CT_MMA_SWIZZLE_128B_32B: return 1;
        default: return 0;
    }
}

/** The 64 bits that the instruction takes; 0 for a failed descriptor. Bit 52 of sm_100, which makes
 *  the leading dimension an address, stays 0. */
CT_FN uint64_t ct_mma_descriptor_pack(ct_mma_descriptor d)
{
    if (d.err.status) return 0;
    const uint64_t field = 0x3fff;
    return (CT_CAST(uint64_t, d.start_bytes) >> 4 & field) |
           (CT_CAST(uint64_t, d.leading_bytes) >> 4 & field) << 16 |
           (CT_CAST(uint64_t, d.stride_bytes) >> 4 & field) << 32 |
           CT_CAST(uint64_t, d.version) << 46 | CT_CAST(uint64_t, d.base_offset) << 49 |
           ct_mma_swizzle_code(d.arch, d.swizzle) << (d.arch == 90 ? 62 : 61);
}

/** A packed descriptor with its start moved by a number of bytes: a step, or a stage whose distance
 * from the first is a multiple of the swizzle's pattern. The tile ends within the 256 KiB that a
 * descriptor can name, so one 32-bit addition suffices. There is no time for more between two
 * matrix instructions. */
CT_FN uint64_t ct_mma_descriptor_step(uint64_t packed, int64_t bytes)
{
    const uint32_t low = CT_CAST(uint32_t, packed) + CT_CAST(uint32_t, bytes >> 4);
    return (packed & 0xffffffff00000000) | low;
}

#endif
