/**
 * Element types and swizzle modes of tensor maps, and their sizes in bytes.
 *
 * Cost:     O(1), no allocation, host and device.
 * Source:   NVIDIA, CUDA Driver API 13.0, cuTensorMapEncodeTiled; PTX ISA 9.0, tensors.
 */
#ifndef CUTLET_COPY_TMA_MODES_H
#define CUTLET_COPY_TMA_MODES_H

#include <cutlet/algebra/swizzle.h>

/** The types of elements, numbered as the driver numbers them. */
enum {
    CT_ELEM_U8 = 0,
    CT_ELEM_U16,
    CT_ELEM_U32,
    CT_ELEM_S32,
    CT_ELEM_U64,
    CT_ELEM_S64,
    CT_ELEM_F16,
    CT_ELEM_F32,
    CT_ELEM_F64,
    CT_ELEM_BF16,
    CT_ELEM_F32_FTZ,
    CT_ELEM_TF32,
    CT_ELEM_TF32_FTZ,
    CT_ELEM_COUNT
};

/** How chunks of 16 bytes (32, 64 for the atoms) change places within a span of shared memory. The
 *  GPU has the atoms from sm_100 on. */
enum {
    CT_TMA_SWIZZLE_NONE = 0,
    CT_TMA_SWIZZLE_32B,
    CT_TMA_SWIZZLE_64B,
    CT_TMA_SWIZZLE_128B,
    CT_TMA_SWIZZLE_128B_ATOM_32B,
    CT_TMA_SWIZZLE_128B_ATOM_32B_FLIP_8B,
    CT_TMA_SWIZZLE_128B_ATOM_64B,
    CT_TMA_SWIZZLE_COUNT
};

/**
 * The bytes of an element; 0 for an unknown type.
 * In C:    assert(ct_elem_bytes(CT_ELEM_BF16) == 2 && ct_elem_bytes(CT_ELEM_TF32) == 4);
 *          assert(ct_elem_bytes(CT_ELEM_COUNT) == 0);
 */
CT_FN int32_t ct_elem_bytes(int32_t elem)
{
    switch (elem) {
        case CT_ELEM_U8: return 1;
        case CT_ELEM_U16:
        case CT_ELEM_F16:
        case CT_ELEM_BF16: return 2;
        case CT_ELEM_U64:
        case CT_ELEM_S64:
        case CT_ELEM_F64: return 8;
        default: return elem >= 0 && elem < CT_ELEM_COUNT ? 4 : 0;
    }
}

/** @internal Whether an element is a floating-point number. */
CT_FN int ct_elem_is_float(int32_t elem) { return elem >= CT_ELEM_F16 && elem < CT_ELEM_COUNT; }

/**
 * The bytes of shared memory within which a swizzle mode moves chunks; 0 for CT_TMA_SWIZZLE_NONE
 * and for an unknown mode.
 * In C:    assert(ct_tma_span(CT_TMA_SWIZZLE_64B) == 64);
 *          assert(ct_tma_span(CT_TMA_SWIZZLE_128B_ATOM_32B) == 128);
 */
CT_FN int64_t ct_tma_span(int32_t swizzle)
{
    if (swizzle <= CT_TMA_SWIZZLE_NONE || swizzle >= CT_TMA_SWIZZLE_COUNT) return 0;
    return swizzle == CT_TMA_SWIZZLE_32B ? 32 : swizzle == CT_TMA_SWIZZLE_64B ? 64 : 128;
}

/**
 * A mode as a swizzle of byte offsets, for a tile at a multiple of its period. The number of a
 * 16-byte chunk (32, 64 for the atoms) in its span is XORed with the number of the 128-byte row.
 *
 * Fails:   CT_E_ARGUMENT for an unknown mode; CT_E_UNDECIDED for 128B_ATOM_32B_FLIP_8B,
 *          which no Sw<b,m,s> is: it is 128B_ATOM_32B with the 8-byte halves of each 16 bytes
 *          exchanged in odd rows.
 * In C:    const ct_swizzle s = ct_tma_swizzle(CT_TMA_SWIZZLE_128B); // Sw<3,4,3> of bytes
 *          assert(s.bits == 3 && s.base == 4 && s.shift == 3);
 *          assert(ct_swizzle_apply(s, 128) == 128 + 16); // row 1: chunk 0 goes to place 1
 *          assert(ct_tma_swizzle(CT_TMA_SWIZZLE_128B_ATOM_32B_FLIP_8B).err.status ==
 *                 CT_E_UNDECIDED);
 * Source:  PTX ISA, swizzling modes; CUTLASS, copy_traits_sm90_tma_swizzle.hpp.
 */
CT_FN ct_swizzle ct_tma_swizzle(int32_t swizzle)
{
    ct_swizzle none = ct_swizzle_none();
    switch (swizzle) {
        case CT_TMA_SWIZZLE_NONE: return none;
        case CT_TMA_SWIZZLE_32B: return ct_make_swizzle(1, 4, 3);
        case CT_TMA_SWIZZLE_64B: return ct_make_swizzle(2, 4, 3);
        case CT_TMA_SWIZZLE_128B: return ct_make_swizzle(3, 4, 3);
        case CT_TMA_SWIZZLE_128B_ATOM_32B: return ct_make_swizzle(2, 5, 2);
        case CT_TMA_SWIZZLE_128B_ATOM_64B: return ct_make_swizzle(1, 6, 1);
        default: break;
    }
    const int known = swizzle > 0 && swizzle < CT_TMA_SWIZZLE_COUNT;
    none.err = ct_make_error(known ? CT_E_UNDECIDED : CT_E_ARGUMENT, CT_OP_SWIZZLE, CT_WHY_SWIZZLE,
                             0, 0, 0);
    return none;
}

/**
 * The bytes after which a swizzle mode repeats: the alignment of a tile's address in shared memory.
 * Without a swizzle it is 128, which every tile needs.
 * Ensures: a multiple of 128, and of the period of ct_tma_swizzle.
 * In C:    assert(ct_tma_alignment(CT_TMA_SWIZZLE_NONE) == 128);
 *          assert(ct_tma_alignment(CT_TMA_SWIZZLE_128B) == 1024);
 */
CT_FN int64_t ct_tma_alignment(int32_t swizzle)
{
    switch (swizzle) {
        case CT_TMA_SWIZZLE_NONE: return 128;
        case CT_TMA_SWIZZLE_32B: return 256;
        case CT_TMA_SWIZZLE_64B:
        case CT_TMA_SWIZZLE_128B_ATOM_32B: return 512;
        default: return 1024;
    }
}

#endif
