/**
 * @internal What nvcc refuses of a copy in a kernel's body, with the sentences of the CPU grid: a
 * view of other memory than its side of the partition, a tile at constant coordinates of which one
 * is negative, and a kernel of fewer threads than the tiled copy.
 *
 * Views of a call's arguments have types that name their memory and what is known of the partition.
 * In a variable they are a ct_view, of which nothing is known. A choice by `?:` between two kinds of
 * views has no common type: name the two in variables, or use `if`.
 */
#ifndef CUTLET_DEVICE_COPY_REFUSAL_BY_NVCC_H
#define CUTLET_DEVICE_COPY_REFUSAL_BY_NVCC_H

#include <cutlet/device/copy/refusal.h>
#include <cutlet/device/kernel/static.h>
#include <cutlet/device/tensor/indexed_tile.h>

#if defined(__CUDACC__) && !defined(__CUDACC_RTC__)
#define CT_KNOWS 1

/* The value of an expression if it is a constant. */
enum { CT_UNKNOWN = -1 };
#define CT_KNOWN(x) (__builtin_constant_p(x) ? (x) : CT_UNKNOWN)

/** Of a partition, in a number: the memory of both sides, its threads, the bits of an element, the values of a thread,
 *  whether it is predicated, and what the values are. The last two are where ct_facts_of_registers has them. */
CT_FN int64_t ct_facts_of(const ct_partition *P)
{
    return ct_view_space(P->atom, P->src.space) | ct_view_space(P->atom, P->dst.space) << 2 |
           ct_min(P->threads, 2047) << 4 | (int64_t)P->predicated << 15 |
           (int64_t)P->elem_bits << 16 | (int64_t)(P->values & 511) << 24 |
           (int64_t)(P->hash >> 2) << 33;
}

/** Whether a partition takes tiles that begin before their tensor. */
CT_FN int ct_is_predicated(const ct_partition *P) { return P->predicated; }

/** The first negative coordinate of an index as 64 * coordinate + axis; 0 if there is none. */
CT_FN int64_t ct_negative_of(const ct_index x)
{
    for (int a = 0; a < CT_AXES; ++a)
        if (x.at[a] < 0) return 64 * x.at[a] + a;
    return 0;
}

/** A view of known memory, by a partition of known facts. */
template <int space, int64_t facts> struct ct_known_view : ct_view {
};
template <int space, int64_t facts> CT_FN int ct_space_of(const ct_known_view<space, facts> *)
{
    return space;
}
template <int space, int64_t facts>
CT_FN int64_t ct_partition_of(const ct_known_view<space, facts> *)
{
    return facts;
}
template <class F, int type> CT_FN int64_t ct_held_by(const ct_known_registers<F, type> *)
{
    return ct_facts_of_registers(F::is(), type);
}
CT_FN int64_t ct_held_by(const ct_view *) { return CT_UNKNOWN; }
CT_FN int64_t ct_held_by(const ct_registers *) { return CT_UNKNOWN; }
CT_FN int ct_space_of(const ct_registers *) { return CT_SPACE_REGISTERS; }
CT_FN int64_t ct_partition_of(const ct_registers *) { return CT_UNKNOWN; }
CT_FN int ct_space_of(const ct_view *) { return CT_UNKNOWN; }
CT_FN int64_t ct_partition_of(const ct_view *) { return CT_UNKNOWN; }

/** Whether a copy takes a thread's part of a view itself. */
template <class View> CT_FN int ct_is_whole_of(const View *v)
{
    return ct_space_of(v) == CT_SPACE_GLOBAL || ct_space_of(v) == CT_SPACE_SHARED;
}

/** The error of a copy between memories by a partition, in kernels of at most this many threads; 0:
 *  not known. whole: whether the copy takes a thread's part of a view itself. */
CT_FN ct_error ct_known_refusal(int64_t facts, int src, int dst, int whole, int64_t threads)
{
    ct_error e = CT_ZERO;
    if (facts == CT_UNKNOWN) return e;
    if (src != CT_UNKNOWN) e = ct_space_refusal(0, src, facts & 3);
    if (dst != CT_UNKNOWN && e.status == CT_OK) e = ct_space_refusal(1, dst, facts >> 2 & 3);
    if (whole && e.status == CT_OK && threads > 0 && threads < (facts >> 4 & 2047))
        e = ct_threads_refusal(facts >> 4 & 2047, threads);
    return e;
}

/** The error of a register tensor as a side of a copy by a partition. */
CT_FN ct_error ct_held_refusal(int64_t facts, int64_t held)
{
    const ct_error none = CT_ZERO;
    if (facts == CT_UNKNOWN || held == CT_UNKNOWN) return none;
    return ct_registers_refusal((int32_t)(held & 255), (int32_t)(held >> 24 & 511),
                                (int32_t)(facts >> 16 & 255), (int32_t)(facts >> 24 & 511),
                                facts >> 33 == held >> 33);
}

template <int64_t facts, int src, int dst, int whole, int threads> struct ct_copy_holds {
    static constexpr ct_error e = ct_known_refusal(facts, src, dst, whole, threads);
    static constexpr bool yes = CT_FAILED_BY(e);
};
template <int64_t facts, int64_t held> struct ct_registers_hold {
    static constexpr ct_error e = ct_held_refusal(facts, held);
    static constexpr bool yes = CT_FAILED_BY(e);
};
template <int64_t negative> struct ct_tile_holds {
    static constexpr int64_t x[1] = {negative < CT_UNKNOWN ? negative >> 6 : 0};
    static constexpr ct_error e = ct_index_refusal(x, 1, negative & 63);
    static constexpr bool yes = CT_FAILED_BY(e);
};

/** 1 + the axis of a tile, if it has no index; 0 if it may have one. */
CT_FN int64_t ct_not_indexed(const ct_partition *P, int axis)
{
    const ct_view whole = CT_ZERO;
    return ct_index_of_refusal(P, &whole, axis).status ? 1 + axis : 0;
}
template <int64_t axis> struct ct_index_holds {
    static constexpr ct_error none = CT_ZERO;
    static constexpr ct_error e = axis > 0 ? ct_make_error(CT_E_ARGUMENT, CT_OP_TENSOR,
                                                           CT_WHY_INDEXED, (int32_t)axis - 1, 0, 0)
                                           : none;
    static constexpr bool yes = CT_FAILED_BY(e);
};
template <int64_t facts, int64_t axis>
CT_DEVICE ct_known_view<CT_SPACE_GLOBAL, facts> ct_known_indexed(const ct_view v)
{
    static_assert(ct_index_holds<axis>::yes, "");
    return {v};
}

template <int64_t facts, int64_t negative>
CT_DEVICE ct_known_view<CT_SPACE_GLOBAL, facts> ct_known_tile(const ct_view v)
{
    static_assert(ct_tile_holds<negative>::yes, "");
    return {v};
}
template <int space, int64_t facts>
CT_DEVICE ct_known_view<space, facts> ct_known_as(const ct_view v)
{
    return {v};
}

/* In parentheses: a comma between < and > would divide the arguments of a macro around the call. */
#define CT_KNOWN_TILE(P, negative, view)                                                           \
    (ct_known_tile<CT_KNOWN(ct_facts_of(P)),                                                       \
                   (CT_KNOWN(ct_is_predicated(P)) == 1 ? 0 : CT_KNOWN(negative))>(view))
#undef ct_view_tile
#undef ct_view_at
#undef ct_view_indexed
#define ct_view_tile(g, P, ...)                                                                    \
    CT_KNOWN_TILE(P, ct_negative_of(__VA_ARGS__), ct_view_tile(g, P, __VA_ARGS__))
#define ct_view_at(g, P, ...)                                                                      \
    CT_KNOWN_TILE(P, ct_negative_of(__VA_ARGS__), ct_view_at(g, P, __VA_ARGS__))
#define ct_view_indexed(P, v, axis, ...)                                                           \
    (ct_known_indexed<CT_KNOWN(ct_facts_of(P)), CT_KNOWN(ct_not_indexed(P, axis))>(                \
        ct_view_indexed(P, v, axis, __VA_ARGS__)))
#define ct_view_map(map, P, ...)                                                                   \
    (ct_known_as<CT_MAP, CT_KNOWN(ct_facts_of(P))>(ct_view_map(map, P, __VA_ARGS__)))
#define ct_view_map_at(map, P, ...)                                                                \
    (ct_known_as<CT_MAP, CT_KNOWN(ct_facts_of(P))>(ct_view_map_at(map, P, __VA_ARGS__)))
#define ct_view_shared(...) (ct_known_as<CT_SPACE_SHARED, CT_UNKNOWN>(ct_view_shared(__VA_ARGS__)))
#define ct_view_stage(...) (ct_known_as<CT_SPACE_SHARED, CT_UNKNOWN>(ct_view_stage(__VA_ARGS__)))
#define ct_view_registers(...)                                                                     \
    (ct_known_as<CT_SPACE_REGISTERS, CT_UNKNOWN>(ct_view_registers(__VA_ARGS__)))

/* Fails to compile if a copy from Src to Dst by a partition is refused; if its facts are not known,
 * by that of a view. */
template <int64_t facts, int threads, class Src, class Dst> CT_DEVICE void ct_copy_is_known()
{
    constexpr const ct_bare_of<Src> *src = 0;
    constexpr const ct_bare_of<Dst> *dst = 0;
    constexpr int64_t of_src = ct_partition_of(src), of_dst = ct_partition_of(dst);
    constexpr int whole = ct_is_whole_of(src) || ct_is_whole_of(dst);
    constexpr int64_t of = facts != CT_UNKNOWN ? facts : of_src != CT_UNKNOWN ? of_src : of_dst;
    static_assert(ct_copy_holds<of, ct_space_of(src), ct_space_of(dst), whole, threads>::yes, "");
    static_assert(ct_registers_hold<of, ct_held_by(src)>::yes, "");
    static_assert(ct_registers_hold<of, ct_held_by(dst)>::yes, "");
}

/** Whether a view has no partition: the memory of ct_view_shared, or registers. */
template <class View> CT_FN bool ct_has_none()
{
    constexpr const ct_bare_of<View> *v = 0;
    return ct_partition_of(v) == CT_UNKNOWN &&
           (ct_space_of(v) == CT_SPACE_SHARED || ct_space_of(v) == CT_SPACE_REGISTERS);
}
template <int64_t src, int64_t dst, bool none> struct ct_views_hold {
    static constexpr ct_error one = CT_ZERO;
    static constexpr bool differ = src != CT_UNKNOWN && dst != CT_UNKNOWN && src != dst;
    static constexpr ct_error e =
        none || differ ? ct_make_error(CT_E_ARGUMENT, CT_OP_TENSOR, CT_WHY_TWO_PARTITIONS, 0, 0, 0)
                       : one;
    static constexpr bool yes = CT_FAILED_BY(e);
};
/** Fails to compile if two views have no partition, or two. */
template <class Src, class Dst> CT_DEVICE void ct_views_are_known()
{
    static_assert(ct_views_hold < ct_partition_of((const ct_bare_of<Src> *)0),
                  ct_partition_of((const ct_bare_of<Dst> *)0),
                  ct_has_none<Src>() && ct_has_none<Dst>() > ::yes, "");
}

/** Whether a copy of two views is known to be by a predicated partition. */
template <class Src, class Dst> CT_FN bool ct_predicated_by()
{
    constexpr int64_t of_src = ct_partition_of((const ct_bare_of<Src> *)0);
    constexpr int64_t of_dst = ct_partition_of((const ct_bare_of<Dst> *)0);
    return ((of_src != CT_UNKNOWN ? of_src : of_dst != CT_UNKNOWN ? of_dst : 0) >> 15 & 1) != 0;
}

/* The same for a thread's part of a view on one side. */
template <int64_t facts, int side, class View> CT_DEVICE void ct_part_is_known()
{
    constexpr const ct_bare_of<View> *v = 0;
    constexpr int space = ct_space_of(v);
    static_assert(ct_copy_holds < facts, side == 0 ? space : CT_UNKNOWN,
                  side == 1 ? space : CT_UNKNOWN, 0, 0 > ::yes, "");
}
#undef ct_view_src
#undef ct_view_dst
#define ct_view_src(P, v, thread)                                                                  \
    (ct_part_is_known<CT_KNOWN(ct_facts_of(P)), 0, decltype(v)>(), ct_view_src(P, v, thread))
#define ct_view_dst(P, v, thread)                                                                  \
    (ct_part_is_known<CT_KNOWN(ct_facts_of(P)), 1, decltype(v)>(), ct_view_dst(P, v, thread))

#else
#define CT_KNOWS 0
#endif

#endif
