/**
 * The copy: a thread copies its part of a tile from one view to another, by the atom of the
 * partition's tiled copy.
 *
 *     CT_STATIC(ct_partition, load, ct_make_partition(copy, ct_tuple2(128, 64), ...));
 *     const ct_view tile = ct_view_tile(&args.a, &load, ct_index2(y, k));
 *     const ct_view from = ct_view_src(&load, tile, threadIdx.x);
 *     const ct_view to = ct_view_dst(&load, ct_view_shared(memory), threadIdx.x);
 *     ct_copy(&load, from, to);
 *
 * A whole, aligned tile is copied without bounds checks, and all offsets are constants. At an edge
 * every access is checked by its coordinates: elements out of bounds read as zero and are not
 * written. A misaligned load is cut out of the two aligned loads that hold it; a misaligned store
 * is made in parts. Elements that are not contiguous are copied one by one. Misaligned elements of
 * a loose partition are copied byte by byte.
 * No extent, no step and no coordinate from 0 on makes a copy fault. An address that is not a
 * multiple of the element makes it fault, except in a loose partition (ct_partition_unaligned).
 *
 * The copy neither commits nor waits for cp.async, and has no barrier. A misaligned load reads up to
 * 15 bytes before a thread's own and after them. So a tensor of misaligned rows is not updated in
 * place: a barrier of its readers comes before the stores, or they go to another tensor.
 *
 * Fails:    As its accesses: the CPU grid ends the launch at a race, at a tensor that is not in its
 *           buffers, and at views of two partitions or of none. It also ends it at a view of other
 *           memory than its side of the partition, at a tile with a negative coordinate unless the
 *           partition is predicated, and in a block of other threads than the tiled copy. nvcc refuses
 *           these where a kernel's call shows them, and on a GPU nothing is tested. ptxas fails, for
 *           want of ct_name_the_partition_of_this_copy, where views in variables have no partition,
 *           or a predicated one that the call does not name. Elements of less than a byte that are
 *           not contiguous stop the launch: a trap on a GPU.
 * In a kernel:
 *           // args.src and args.dst: in and out as matrices (32,32):(32,1); 16 rows at a time
 *           CT_STATIC(ct_layout, thr, ct_layout2(4, 8, 8, 1)); // 32 threads, eight on a row
 *           CT_STATIC(ct_layout, val, ct_layout2(1, 4, 4, 1)); // four floats each
 *           CT_STATIC(ct_copy_atom, async, ct_copy_atom_cp_async(CT_ATOM_CP_ASYNC_CG, 128, 32));
 *           CT_STATIC(ct_memory, shared, ct_in_shared_plain(ct_layout2(16, 32, 32, 1)));
 *           CT_STATIC(ct_partition, load,
 *                     ct_make_partition(ct_make_tiled_copy(async, thr, val), ct_tuple2(16, 32),
 *                                       ct_in_global(1), shared));
 *           CT_STATIC(ct_partition, take,
 *                     ct_make_partition(ct_make_tiled_copy(ct_copy_atom_auto(32), thr, val),
 *                                       ct_tuple2(16, 32), shared, ct_in_registers()));
 *           CT_STATIC(ct_partition, put,
 *                     ct_make_partition(ct_make_tiled_copy(ct_copy_atom_auto(32), thr, val),
 *                                       ct_tuple2(16, 32), ct_in_registers(), ct_in_global(1)));
 *           CT_SHARED(float, memory, 16 * 32);
 *           CT_FRAGMENT(float, v, 16);
 *           for (int k = 0; k < 2; ++k) {
 *               const ct_index x = ct_index2(k, 0);
 *               ct_copy(ct_view_tile(&args.src, &load, x), ct_view_shared(memory));
 *               ct_cp_async_wait_all();
 *               __syncthreads();
 *               ct_copy(&take, ct_view_shared(memory), ct_view_registers(v));
 *               const ct_view to = ct_view_dst(&put, ct_view_tile(&args.dst, &put, x),
 *                                              threadIdx.x);
 *               if (to.whole && to.align >= 16) { // the caller knows that nothing need be checked
 *                   const ct_view from = ct_view_registers(v);
 *                   ct_copy_whole(&put, &from, &to);
 *               } else {
 *                   ct_copy(&put, ct_view_registers(v), to);
 *               }
 *               __syncthreads(); // before the next tile
 *           }
 *           for (int row = 0; row < 32; ++row) {
 *               float x = 0;
 *               ct_load_global(&x, out + 32 * row + threadIdx.x, 32);
 *               assert(x == (float)(32 * row + threadIdx.x));
 *           }
 * Used by:  examples/quickstart.cu, and with a tensor map examples/tutorial/tma.cu
 * Source:   NVIDIA, PTX ISA 9.0, ld, st, cp.async, ldmatrix, stmatrix and cp.async.bulk.tensor.
 */
#ifndef CUTLET_DEVICE_COPY_COPY_H
#define CUTLET_DEVICE_COPY_COPY_H

#include <cutlet/copy/predicated_partition.h>

#include <cutlet/device/copy/through_registers.h>
#include <cutlet/device/copy/bulk.h>
#include <cutlet/device/copy/refusal_by_nvcc.h>
#include <cutlet/device/copy/ldmatrix.h>
#include <cutlet/device/copy/predicated_copy.h>
#include <cutlet/device/copy/bounds.h>
#include <cutlet/device/arch/cp_async.h>
#include <cutlet/device/arch/prefetch.h>
#include <cutlet/device/kernel/static.h>
#include <cutlet/device/tensor/global.h>

/* nvcc keeps this call in a copy that it cannot compile, and ptxas fails with the name, which no file defines. Code
 * that is not optimised keeps every call: there a trap stands for it. */
#if defined(__CUDACC_DEBUG__) || (defined(__clang__) && !defined(__OPTIMIZE__))
#define ct_name_the_partition_of_this_copy() __trap()
#elif defined(__CUDACC__)
extern "C" __device__ void ct_name_the_partition_of_this_copy(void);
#endif

#if CT_OF_PLAN
#error "ct_copy in a file of kernels of plans, which are compiled without what it needs"
#endif

/**
 * Copies a thread's part through registers without bounds checks. Each round loads as many blocks
 * of values as P->in_flight allows, then stores them. Both views are parts of a thread: of whole,
 * aligned tiles in global memory, of shared memory, or registers.
 *
 * Cost:     src.accesses loads and dst.accesses stores of the widths of the sides, with constant
 *           offsets; P->in_flight words of registers. Values whose order differs take byte
 *           permutations.
 */
CT_DEVICE void ct_copy_whole(const ct_partition *P, const ct_view *from, const ct_view *to)
{
    const ct_conversion none = CT_ZERO;
    CT_REFUSE("copy", ct_sides_refusal(P, from, to));
    CT_REFUSE("copy", ct_shared_refusal(P, &P->src, from));
    CT_REFUSE("copy", ct_shared_refusal(P, &P->dst, to));
    ct_copy_rounds(P, from, to, &none, 0);
}

/* In a loop over blocks the offsets of a copy that checks every access are read in a table in global memory. A
 * file that defines CT_COPY_BLOCKS as CT_UNROLL before it includes this has more code and no table. */
#if !defined(CT_COPY_BLOCKS)
#define CT_COPY_BLOCKS CT_ROLL
#endif

/** @internal Copies through registers, block by block, and checks every access. */
CT_DEVICE void ct_copy_careful(const ct_partition *P, const ct_view *from, const ct_view *to,
                               const int in_path, const int out_path)
{
    const int words = ct_access_words(P, &P->src);
    const unsigned char *in = from->at;
    unsigned char *out = to->at;
    CT_COPY_BLOCKS for (int b = 0; b < P->blocks; ++b)
    {
        CT_FRAGMENT(uint32_t, held, CT_COPY_WORDS);
        CT_FRAGMENT(uint32_t, permuted, 8);
        const uint32_t *const block = ct_copy_words(P, from, held, b);
        CT_UNROLL for (int k = 0; k < P->src_block; ++k)
        {
            const int i = b * P->src_block + k;
            const int back = ct_copy_back(P, k, i);
            if (P->src.space == CT_SPACE_GLOBAL && back > 0)
                ct_copy_again(P, held, k, back, ct_access_has(P, &P->src, from, i) > 0);
            else if (P->src.space == CT_SPACE_GLOBAL)
                ct_load_careful(P, from, in_path, held + k * words, i);
            else ct_copy_load(P, from, held, k, i, &in);
        }
        if (P->dst.space != CT_SPACE_GLOBAL) ct_copy_store(P, to, block, b, &out);
        else
            CT_UNROLL for (int k = 0; k < P->dst_block; ++k) ct_store_careful(
                P, to, out_path, ct_copy_permuted(P, permuted, block, k), b * P->dst_block + k);
    }
}

/** @internal Copies by cp.async, with zeros past an edge. cp.async.cg of a whole tile fetches lines
 *  of 128 bytes into L2: other threads, or the next access, need the rest. */
CT_DEVICE void ct_copy_by_async(const ct_partition *P, const ct_view *from, const ct_view *to,
                                const int path)
{
    const ct_side *const s = &P->src;
    const int bytes = ct_access_bytes(P, s);
    const unsigned char *at = from->at;
    CT_UNROLL for (int i = 0; i < s->accesses; ++i)
    {
        unsigned char *const in = ct_access_in_shared(P, &P->dst, to, i);
        at += ct_step_to_access(P, s, from, i);
        const unsigned char *const src = at + ct_along_access(P, s, i);
        if (path == CT_PATH_WHOLE) {
            if (P->atom == CT_ATOM_CP_ASYNC_CG) ct_cp_async_cg_l2(in, src, 16, 128);
            else ct_cp_async_ca(in, src, bytes);
        } else {
            const int32_t has = ct_access_has(P, s, from, i);
            const int n = has > 0 ? ct_bytes_of(P, has) : 0;
            if (P->atom == CT_ATOM_CP_ASYNC_CG)
                ct_cp_async_cg_fill(in, n > 0 ? src : from->at, bytes, n);
            else ct_cp_async_ca_fill(in, n > 0 ? src : from->at, bytes, n);
        }
    }
}

/** @internal Copies a thread's part through registers, without bounds checks. */
CT_DEVICE void ct_copy_unchecked(const ct_partition *P, const ct_view src, const ct_view dst)
{
    const ct_view from = ct_view_src(P, src, threadIdx.x), to = ct_view_dst(P, dst, threadIdx.x);
    ct_copy_whole(P, &from, &to);
}

/**
 * Copies from one view to the other: the part of a tile of thread threadIdx.x, or the part that
 * ct_view_src and ct_view_dst selected. ct_copy(src, dst) takes the partition of a view that is a
 * tile. A copy by TMA or of bulk kind is of the whole tile, by the thread that calls it.
 *
 * Cost:     a whole, aligned tile as ct_copy_whole, or one cp.async, ldmatrix or stmatrix for each
 *           access, or one tile copy. It also takes a test for each side, unless the partition is
 *           promised. At an edge a comparison for each access and axis; misaligned loads are two.
 */
CT_DEVICE void ct_copy(const ct_partition *P, const ct_view src, const ct_view dst)
{
    CT_REFUSE("copy", ct_copy_refusal(P, &src, &dst));
    CT_REFUSE("copy", ct_sides_refusal(P, &src, &dst));
    if (ct_atom_is_tile(P->atom)) {
#if CT_HAS_BULK
        ct_copy_by_engine(P, &src, &dst);
#endif
        return;
    }
    if (P->predicated) {
#if defined(__CUDACC__)
        ct_no_access(src.at); /* nvcc would compile this code for each copy: name the partition */
#else
        ct_copy_predicated(P, src, dst);
#endif
        return;
    }
    const ct_view from = ct_view_src(P, src, threadIdx.x), to = ct_view_dst(P, dst, threadIdx.x);
    if (ct_atom_is_matrix(P->atom)) {
        ct_copy_by_matrices(P, from, to);
        return;
    }
    if (P->elem_bits < 8 &&
        (ct_is_noncontiguous(&P->src, &from) || ct_is_noncontiguous(&P->dst, &to))) {
        ct_no_access(from.at); /* elements of less than a byte must be contiguous */
        return;
    }
    const int in = ct_path_of(P, &P->src, &from), out = ct_path_of(P, &P->dst, &to);
    const int async = ct_atom_is_async(P->atom);
    if (in == CT_PATH_WHOLE && out == CT_PATH_WHOLE) {
        if (async) ct_copy_by_async(P, &from, &to, CT_PATH_WHOLE);
        else ct_copy_whole(P, &from, &to);
    } else if (async && in == CT_PATH_EDGE) {
        ct_copy_by_async(P, &from, &to, CT_PATH_EDGE);
    } else {
        ct_copy_careful(P, &from, &to, in, out);
    }
}

/** @internal Why a copy asks no predicate; CT_OK if it does. */
CT_FN ct_error ct_copy_if_refusal(const ct_partition *P)
{
    const ct_error none = CT_ZERO;
    const int global = P->src.space == CT_SPACE_GLOBAL || P->dst.space == CT_SPACE_GLOBAL;
    if (P->predicated && global) return none;
    return ct_make_error(CT_E_ARGUMENT, CT_OP_TENSOR, CT_WHY_NO_PREDICATE, 0, P->atom,
                         P->elem_bits);
}

/**
 * The copy of those elements of a tile, by a predicated partition, whose coordinates x in the tile have a
 * when(with, x) other than 0: others read as zero from global memory, and are not written there.
 *
 * Fails:    the CPU grid ends the launch for a partition that is not predicated, or without a side in
 *           global memory.
 * Cost:     that of ct_copy, a call of `when`, inlined, for each element, and accesses of one element.
 * Used by:  tests/copy/test_halos.c
 */
CT_DEVICE void ct_copy_if(const ct_partition *P, ct_view src, ct_view dst,
                          int (*when)(const void *with, ct_index x), const void *with)
{
    CT_REFUSE("copy", ct_copy_if_refusal(P));
    src.when = dst.when = when;
    src.with = dst.with = with;
    CT_REFUSE("copy", ct_copy_refusal(P, &src, &dst));
    CT_REFUSE("copy", ct_sides_refusal(P, &src, &dst));
    ct_copy_predicated(P, src, dst);
}

#if defined(__CUDACC__)
/* A partition that CT_STATIC declares has a type of its own if its copy needs only a part of
 * ct_copy. So nvcc compiles only this part. Otherwise it inlines the code for every atom at each
 * call, and then removes it, which takes half of the time to compile a GEMM. */
CT_FN bool ct_copy_is_short(const ct_partition &P)
{
    return ct_atom_is_tile(P.atom) || ct_atom_is_matrix(P.atom) || P.predicated ||
           (P.unchecked && P.elem_bits >= 8 && !ct_atom_is_async(P.atom));
}
template <const ct_partition &P, int number, bool is_short> struct ct_partition_type {
    typedef ct_partition type;
};
template <const ct_partition &P, int number> struct ct_partition_type<P, number, true> {
    typedef ct_fixed<ct_partition, P, number> type;
};
template <const ct_partition &P, int number>
struct ct_static_type<ct_partition, P, number> : ct_partition_type<P, number, ct_copy_is_short(P)> {
};
template <bool is_short, class plan, auto member> struct ct_partition_member {
    typedef ct_partition type;
};
template <class plan, auto member> struct ct_partition_member<true, plan, member> {
    typedef ct_fixed_member<ct_partition, plan, member> type;
};
template <class plan, auto member>
struct ct_member_type<ct_partition, plan, member>
    : ct_partition_member<ct_copy_is_short(plan::is()->*member), plan, member> {
};

/** @internal The copy of a constant partition: only the part of ct_copy that its atom needs. */
template <class P> CT_DEVICE void ct_copy_short(const P *p, const ct_view src, const ct_view dst)
{
    if constexpr (ct_atom_is_tile(P::is()->atom)) {
#if CT_HAS_BULK
        ct_copy_by_engine(p, &src, &dst);
#endif
    } else if constexpr (ct_atom_is_matrix(P::is()->atom)) {
        ct_copy_by_matrices(p, src, dst);
    } else if constexpr (P::is()->predicated) {
        ct_copy_predicated(p, src, dst);
    } else {
        ct_copy_unchecked(p, src, dst);
    }
}
/** The same copy by such a partition. */
template <const ct_partition &P, int number>
CT_DEVICE void ct_copy(const ct_fixed<ct_partition, P, number> *p, const ct_view src,
                       const ct_view dst)
{
    ct_copy_short(p, src, dst);
}
template <class plan, auto member>
CT_DEVICE void ct_copy(const ct_fixed_member<ct_partition, plan, member> *p, const ct_view src,
                       const ct_view dst)
{
    ct_copy_short(p, src, dst);
}
#endif

/** @internal The error if two views are not the sides of one partition; CT_OK if they are. */
CT_FN ct_error ct_views_refusal(const ct_view *src, const ct_view *dst)
{
    const ct_error none = CT_ZERO;
    const int one = src->is_taken ? !dst->is_taken || dst->by == src->by : dst->is_taken;
    return one ? none : ct_make_error(CT_E_ARGUMENT, CT_OP_TENSOR, CT_WHY_TWO_PARTITIONS, 0, 0, 0);
}

/** @internal ct_copy by the partition that the views were made with. At least one view is a tile or
 *  a part of one; plain memory, as of ct_view_shared, takes the partition of the other. The CPU
 *  grid refuses views of two partitions, or of no partition. */
CT_DEVICE void ct_copy_views(const ct_view src, const ct_view dst)
{
    CT_REFUSE("copy", ct_views_refusal(&src, &dst));
    const ct_partition *const P = src.is_taken ? src.by : dst.by;
#if defined(__CUDACC__)
    const int is_named = (src.is_taken || dst.is_taken) && !P->predicated;
    if (!is_named) ct_name_the_partition_of_this_copy();
    else
#endif
        ct_copy(P, src, dst);
}

#if CT_KNOWS
/** @internal ct_copy_views of views that are known to be predicated, or not. */
template <bool predicated> CT_DEVICE void ct_copy_views(const ct_view src, const ct_view dst)
{
    if constexpr (predicated) ct_copy_predicated(src.is_taken ? src.by : dst.by, src, dst);
    else ct_copy_views(src, dst);
}
#define CT_COPY_3(P, src, dst)                                                                     \
    (ct_copy_is_known<CT_KNOWN(ct_facts_of(P)), CT_MAX_THREADS, decltype(src), decltype(dst)>(),   \
     ct_copy(P, ct_side_of(src), ct_side_of(dst)))
#define CT_COPY_2(src, dst)                                                                        \
    (ct_views_are_known<decltype(src), decltype(dst)>(),                                           \
     ct_copy_is_known<CT_UNKNOWN, CT_MAX_THREADS, decltype(src), decltype(dst)>(),                 \
     ct_copy_views<ct_predicated_by<decltype(src), decltype(dst)>()>(ct_side_of(src),              \
                                                                     ct_side_of(dst)))
#else
#define CT_COPY_3(P, src, dst) CT_CALL(ct_copy, P, ct_side_of(src), ct_side_of(dst))
#define CT_COPY_2(src, dst) ct_copy_views(ct_side_of(src), ct_side_of(dst))
#endif

/* ct_copy(P, src, dst) or ct_copy(src, dst). */
#define CT_COPY_OF(a, b, c, which, ...) which
#define ct_copy_views(...) CT_CALL(ct_copy_views, __VA_ARGS__)
#define ct_copy(...) CT_COPY_OF(__VA_ARGS__, CT_COPY_3, CT_COPY_2, 0)(__VA_ARGS__)

#if CT_KNOWS
/** @internal Of a partition whose copy asks no predicate: its atom and the bits of an element; 0 if it does. */
CT_FN int64_t ct_not_asked(const ct_partition *P)
{
    return ct_copy_if_refusal(P).status ? 256 * (int64_t)P->atom + P->elem_bits : 0;
}
template <int64_t of> struct ct_if_holds {
    static constexpr ct_error none = CT_ZERO;
    static constexpr ct_error e = of > 0 ? ct_make_error(CT_E_ARGUMENT, CT_OP_TENSOR,
                                                         CT_WHY_NO_PREDICATE, 0, of >> 8, of & 255)
                                         : none;
    static constexpr bool yes = CT_FAILED_BY(e);
};
/** @internal Fails to compile if a partition asks no predicate. */
template <int64_t of> CT_DEVICE void ct_if_is_known() { static_assert(ct_if_holds<of>::yes, ""); }
#define ct_copy_if(P, src, dst, ...)                                                               \
    (ct_if_is_known<CT_KNOWN(ct_not_asked(P))>(),                                                  \
     ct_copy_is_known<CT_KNOWN(ct_facts_of(P)), CT_MAX_THREADS, decltype(src), decltype(dst)>(),   \
     ct_copy_if(P, src, dst, __VA_ARGS__))
#else
#define ct_copy_if(...) CT_CALL(ct_copy_if, __VA_ARGS__)
#endif

#define ct_copy_whole(...) CT_CALL(ct_copy_whole, __VA_ARGS__)

#endif
