/**
 * One access of a copy: its address on its side of a partition, the number of its elements that are
 * in the tensor, and the access itself.
 *
 * In a kernel:
 *           // args.src and args.dst: in and out as matrices (32,32):(32,1)
 *           const int i = (int)threadIdx.x;
 *           float x = -1;
 *           ct_load_element(&x, &args.src, ct_index2(3, i), 32); // element (3,i)
 *           assert(x == (float)(32 * 3 + i));
 *           ct_load_element(&x, &args.src, ct_index2(32, i), 32); // no such row: x stays
 *           assert(x == (float)(32 * 3 + i));
 *           ct_store_element(&args.dst, ct_index2(i, 3), &x, 32);
 *           ct_store_element(&args.dst, ct_index2(i, -1), &x, 32); // outside: not written
 *           float y = -1;
 *           ct_load_element(&y, &args.dst, ct_index2(i, 3), 32);
 *           assert(y == x);
 * Source:   NVIDIA, PTX ISA 9.0, ld and st.
 */
#ifndef CUTLET_DEVICE_COPY_ACCESS_H
#define CUTLET_DEVICE_COPY_ACCESS_H

#include <cutlet/device/arch/load_store.h>
#include <cutlet/device/tensor/thread_slice.h>
/* Whether a side may be in shared memory. A kernel that knows it defines it before this header. */
#ifndef CT_SHARES
#define CT_SHARES 1
#endif

#if CT_OF_PLAN
#define CT_HAS_256 0 /* 16 bytes at most */
#else
#include <cutlet/device/arch/load_store_256.h>
#endif

/** @internal The bytes of n elements. */
CT_FN int32_t ct_bytes_of(const ct_partition *P, int32_t n) { return n * P->elem_bits / 8; }

/** @internal The bits of an element of a side; the bytes of one of its accesses, and the 32-bit
 *  registers that this occupies. */
CT_FN int32_t ct_side_bits(const ct_partition *P, const ct_side *side)
{
    return side == &P->src ? P->src_bits : P->elem_bits;
}
CT_FN int32_t ct_access_bytes(const ct_partition *P, const ct_side *side)
{
    return side->width * ct_side_bits(P, side) / 8;
}
CT_FN int32_t ct_access_words(const ct_partition *P, const ct_side *side)
{
    return (ct_access_bytes(P, side) + 3) / 4;
}

/** @internal Whether a step of one coordinate along an axis is added, not multiplied. Additions depend
 *  on each other: elements of 8 bytes with less than four accesses for each step would wait for them. */
CT_FN int ct_step_is_added(const ct_partition *P, const ct_side *side, int axis)
{
    const int fourth = CT_ACCESSES > 3 ? 3 : 0;
    return P->elem_bits == 32 || (P->elem_bits == 64 && ct_access_coord(side, fourth, axis) == 0);
}

/** @internal The bytes in global memory from access i - 1 of a thread to access i, without those
 *  along the contiguous axis, which ct_along_access adds. */
CT_DEVICE int64_t ct_step_to_access(const ct_partition *P, const ct_side *side, const ct_view *v,
                                    const int i)
{
    int64_t by = 0;
    CT_UNROLL for (int a = 0; a < P->axes; ++a) if (a != side->axis)
    {
        const int32_t d =
            ct_access_coord(side, i, a) - (i > 0 ? ct_access_coord(side, i > 0 ? i - 1 : 0, a) : 0);
        if (P->predicated && v->indexed == a + 1) continue;
        if (!CT_OF_PLAN && side == &P->src && (P->repeats >> a & 1) != 0) continue;
        if (d == 1 && P->unchecked && ct_step_is_added(P, side, a)) by += (int32_t)v->step[a];
        else if (d != 0) by += P->unchecked ? ct_wide((int32_t)v->step[a], d) : d * v->step[a];
    }
    return P->elem_bits < 8 ? by >> 3 : by;
}

/** @internal The offset of access i along the contiguous axis, in bytes. */
CT_DEVICE int32_t ct_along_access(const ct_partition *P, const ct_side *side, const int i)
{
    return side->axis < 0 ? 0 : ct_access_coord(side, i, side->axis) * ct_side_bits(P, side) / 8;
}

/** @internal The address of access i in global memory, for any steps. */
CT_DEVICE unsigned char *ct_access_at(const ct_partition *P, const ct_side *side, const ct_view *v,
                                      const int i)
{
    int64_t at = 0;
    CT_UNROLL for (int a = 0; a < P->axes; ++a) at += ct_access_coord(side, i, a) * v->step[a];
    return v->at + (P->elem_bits < 8 ? at >> 3 : at);
}

/** @internal The address of access i in shared memory. */
CT_DEVICE unsigned char *ct_access_in_shared(const ct_partition *P, const ct_side *side,
                                             const ct_view *v, const int i)
{
    if (side->separate) {
        const int32_t at = side->fold[i] == 0 ? v->own : v->own ^ side->fold[i];
        return v->at + at + side->add[i];
    }
    const ct_swizzle sw = side == &P->src ? P->src_swizzle : P->dst_swizzle;
    return v->at + ct_swizzle_apply(sw, v->own + side->add[i]);
}

/** @internal The number of elements of access i, from the first on, that are in the tensor; 0 or
 *  less if all are out of bounds. (Not clamped at 0: ptxas 13.0 compares the clamped number with
 *  the width by a wrong predicate of VIMNMX.RELU.) */
CT_DEVICE int32_t ct_access_has(const ct_partition *P, const ct_side *side, const ct_view *v,
                                const int i)
{
    int32_t n = side->width;
    CT_UNROLL for (int a = 0; a < P->axes; ++a)
    {
        const int32_t left = ct_clamp32(v->left[a]) - v->mine[a] - ct_access_coord(side, i, a);
        if (a == side->axis) n = left < n ? left : n;
        else if (left <= 0) n = 0;
    }
    return n;
}

/** @internal Stops the launch by an access that does not exist. */
CT_DEVICE void ct_no_access(const unsigned char *at)
{
    uint32_t none;
    ct_load_global(&none, at, 0);
}

/** @internal The address of the element at a coordinate of a tensor; elements have whole bytes. */
CT_DEVICE unsigned char *ct_element_at(const ct_global *g, const ct_index x)
{
    unsigned char *at = g->at;
    CT_UNROLL for (int a = 0; a < CT_AXES; ++a) if (a < g->axes) at += x.at[a] * g->step[a];
    return at;
}

/** @internal Whether a coordinate is in a tensor. */
CT_DEVICE int ct_element_is_there(const ct_global *g, const ct_index x)
{
    int there = 1;
    CT_UNROLL for (int a = 0; a < CT_AXES; ++a) if (a < g->axes) there =
        there && x.at[a] >= 0 && x.at[a] < g->extent[a];
    return there;
}

/**
 * Loads the element at a coordinate of a tensor to the thread's own variable. Outside of the tensor
 * it makes no access, and the variable stays. bits: of an element, a constant from 8 on.
 *
 * Fails:    as ct_load_global_if.
 * Cost:     a multiplication of 64 bits and two comparisons for each axis, and one load.
 */
CT_DEVICE void ct_load_element(void *own, const ct_global *g, const ct_index x, const int bits)
{
    ct_load_global_if(ct_element_is_there(g, x), own, ct_element_at(g, x), bits);
}

/**
 * Stores the thread's own variable to the element at a coordinate of a tensor. Outside of the
 * tensor it makes no access. bits: of an element, a constant from 8 on.
 *
 * Fails:    as ct_store_global_if.
 * Cost:     a multiplication of 64 bits and two comparisons for each axis, and one store.
 */
CT_DEVICE void ct_store_element(const ct_global *g, const ct_index x, const void *own,
                                const int bits)
{
    ct_store_global_if(ct_element_is_there(g, x), ct_element_at(g, x), own, bits);
}

/* 32 bytes of global memory: one access from sm_100 on, two of 16 bytes before. */
#if CT_HAS_256
#define ct_load_32_bytes(words, at) ct_load_global_256(words, at)
#define ct_store_32_bytes(at, words) ct_store_global_256(at, words)
#define ct_load_32_bytes_if(on, words, at) ct_load_global_256_if(on, words, at)
#define ct_store_32_bytes_if(on, at, words) ct_store_global_256_if(on, at, words)
#else
/** @internal Loads 32 bytes of global memory. */
CT_DEVICE void ct_load_32_bytes(void *words, const unsigned char *at)
{
    ct_load_global(words, at, 128);
    ct_load_global((unsigned char *)words + 16, at + 16, 128);
}

/** @internal Stores 32 bytes to global memory. */
CT_DEVICE void ct_store_32_bytes(unsigned char *at, const void *words)
{
    ct_store_global(at, words, 128);
    ct_store_global(at + 16, (const unsigned char *)words + 16, 128);
}

/** @internal Loads 32 bytes if `on` is not 0. */
CT_DEVICE void ct_load_32_bytes_if(const int on, void *words, const unsigned char *at)
{
    ct_load_global_if(on, words, at, 128);
    ct_load_global_if(on, (unsigned char *)words + 16, at + 16, 128);
}

/** @internal Stores 32 bytes if `on` is not 0. */
CT_DEVICE void ct_store_32_bytes_if(const int on, unsigned char *at, const void *words)
{
    ct_store_global_if(on, at, words, 128);
    ct_store_global_if(on, at + 16, (const unsigned char *)words + 16, 128);
}
#endif

/** @internal One access of 1 to 32 bytes, to or from a thread's words. */
CT_DEVICE void ct_load(const int space, uint32_t *words, const unsigned char *at, const int bytes)
{
    if (bytes < 4) words[0] = 0;
    if (space == CT_SPACE_SHARED) ct_load_shared(words, at, 8 * bytes);
    else if (!CT_OF_PLAN && bytes == 32) ct_load_32_bytes(words, at);
    else ct_load_global(words, at, 8 * bytes);
}

/** @internal The store of such an access. */
CT_DEVICE void ct_store(const int space, unsigned char *at, const uint32_t *words, const int bytes)
{
    if (space == CT_SPACE_SHARED) ct_store_shared(at, words, 8 * bytes);
    else if (!CT_OF_PLAN && bytes == 32) ct_store_32_bytes(at, words);
    else ct_store_global(at, words, 8 * bytes);
}

/** @internal One access if `on` is not 0; otherwise words and memory are unchanged. */
CT_DEVICE void ct_load_if(const int space, const int on, void *words, const unsigned char *at,
                          const int bytes)
{
    if (CT_SHARES && space == CT_SPACE_SHARED) ct_load_shared_if(on, words, at, 8 * bytes);
    else if (!CT_OF_PLAN && bytes == 32) ct_load_32_bytes_if(on, words, at);
    else ct_load_global_if(on, words, at, 8 * bytes);
}

/** @internal The store of such an access. */
CT_DEVICE void ct_store_if(const int space, const int on, unsigned char *at, const void *words,
                           const int bytes)
{
    if (CT_SHARES && space == CT_SPACE_SHARED) ct_store_shared_if(on, at, words, 8 * bytes);
    else if (!CT_OF_PLAN && bytes == 32) ct_store_32_bytes_if(on, at, words);
    else ct_store_global_if(on, at, words, 8 * bytes);
}

#define ct_load_element(...) CT_CALL(ct_load_element, __VA_ARGS__)
#define ct_store_element(...) CT_CALL(ct_store_element, __VA_ARGS__)

#endif
