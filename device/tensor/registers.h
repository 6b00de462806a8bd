/**
 * Tensors in registers: a thread's values of a tile, of an element type, in an array that knows what it holds.
 *
 *     CT_REGISTERS(half, x, in);                         what a thread holds of a tile, by partition `in`
 *     CT_REGISTERS(float, c, ct_fragment_c(mma, tile));  by an operand of a tiled MMA
 *     CT_REGISTERS(float, max, ct_fragment_reduced(ct_fragment_of(in), 1));  a value for each row
 *     ct_copy(ct_view_tile(&args.x, &in, at), x);        a side of a copy
 *
 * The type is float, double, half, bfloat16, e4m3, e5m2, int32, int8, uint8, int4 or uint4. The number of words, the
 * order and the coordinates follow from the constant. A function takes a register tensor by value, as ct_registers,
 * and changes the words of the caller. On the CPU grid elements that were never written are NaNs, or -1. Values are
 * read and written by register/values.h, and reduced by register/reductions.h.
 *
 * Fails:    A constant that carries an error is refused as by CT_STATIC. ct_copy refuses a register tensor of other
 *           values, of another order or of elements of other bits than its partition has: at the kernel's line on the
 *           CPU grid, and when nvcc compiles it. In a function that takes a ct_registers only the grid does.
 * Cost:     none: the words stay in registers, and what follows from the constant is folded.
 * In a kernel:
 *           // args.src: in as a matrix (32,32):(32,1)
 *           CT_STATIC(ct_tiled_copy, rows,
 *                     ct_make_tiled_copy(ct_copy_atom_auto(32), ct_layout2(4, 8, 8, 1),
 *                                        ct_layout2(1, 4, 4, 1)));
 *           CT_STATIC(ct_partition, P, ct_make_partition(rows, ct_tuple2(8, 32), ct_in_global(1),
 *                                                        ct_in_registers()));
 *           CT_REGISTERS(float, x, P);
 *           ct_copy(ct_view_tile(&args.src, &P, ct_index2(1, 0)), x);
 *           CT_EACH(i, x)
 *           {
 *               const int row = 8 + ct_coord(x, i, 0), column = ct_coord(x, i, 1);
 *               assert(ct_float_of_bits(x.words[i]) == (float)(32 * row + column));
 *           }
 *           CT_STATIC(ct_fragment, half, ct_fragment_part(x_as, ct_tuple2(4, 32))); // rows 0 to 3, or 4 to 7
 *           const ct_registers lower = ct_part_of(&half, x, ct_index4(1, 0, 0, 0));
 *           assert(ct_fragment_of(half).count == 4 && ct_fragment_of(P).hash == x.as->hash);
 *           assert(lower.words == x.words + 4 && lower.as->count == 4 && ct_type_bits(lower.type) == 32);
 *           ct_copy(ct_view_tile(&args.src, &P, ct_index2(1, 0)), ct_view_of_registers(x)); // the same side
 *           assert(ct_first_coord(ct_make_registers(&x_as, CT_TYPE_FLOAT, x.words, 9), 0) == 1); // of thread 9
 *           CT_REGISTERS(float, one, half); // parts by numbers that are known at launch
 *           ct_get_part(one, &half, x, blockIdx.x + 1);
 *           assert(one.words[0] == x.words[4]);
 *           ct_put_part(x, &half, one, blockIdx.x);
 *           assert(x.words[3] == x.words[7] && ct_recast_registers(x, CT_TYPE_INT32).type == CT_TYPE_INT32);
 *           ct_clear(lower);
 *           assert(x.words[3] != 0 && x.words[4] == 0);
 */
#ifndef CUTLET_DEVICE_TENSOR_REGISTERS_H
#define CUTLET_DEVICE_TENSOR_REGISTERS_H

#include <string.h>

#include <cutlet/algebra/element_type.h>
#include <cutlet/copy/fragment.h>

#include <cutlet/device/kernel/plan.h>
#include <cutlet/device/tensor/tile.h>

/** A thread's values of a tile, packed into words in the order of the fragment. */
typedef struct ct_registers {
    const ct_fragment *as;
    uint32_t *words;
    int32_t type;    /* CT_TYPE_... */
    uint32_t thread; /* whose part of the tile it is */
} ct_registers;

#define CT_TYPE_OF_float CT_TYPE_FLOAT
#define CT_TYPE_OF_double CT_TYPE_DOUBLE
#define CT_TYPE_OF_half CT_TYPE_HALF
#define CT_TYPE_OF_bfloat16 CT_TYPE_BFLOAT16
#define CT_TYPE_OF_e4m3 CT_TYPE_E4M3
#define CT_TYPE_OF_e5m2 CT_TYPE_E5M2
#define CT_TYPE_OF_int32 CT_TYPE_INT32
#define CT_TYPE_OF_int8 CT_TYPE_INT8
#define CT_TYPE_OF_uint8 CT_TYPE_UINT8
#define CT_TYPE_OF_int4 CT_TYPE_INT4
#define CT_TYPE_OF_uint4 CT_TYPE_UINT4

/** The bits of an element of a type in registers, CT_TYPE_...; 0 of another type. */
CT_FN int32_t ct_type_bits(int32_t type)
{
    if (type == CT_TYPE_DOUBLE) return 64;
    if (type == CT_TYPE_FLOAT || type == CT_TYPE_INT32) return 32;
    if (type == CT_TYPE_HALF || type == CT_TYPE_BFLOAT16) return 16;
    if (type == CT_TYPE_INT4 || type == CT_TYPE_UINT4) return 4;
    const int is_byte = type == CT_TYPE_INT8 || type == CT_TYPE_UINT8 || type == CT_TYPE_E4M3 ||
                        type == CT_TYPE_E5M2;
    return is_byte ? 8 : 0;
}

/** @internal The words of this many elements of a type. */
CT_FN int32_t ct_type_words(int32_t type, int32_t count)
{
    return (count * ct_type_bits(type) + 31) / 32;
}

#if defined(__CUDACC__)
/** The fragment of a partition's side in registers, or a fragment itself: what CT_REGISTERS takes. */
CT_FN ct_fragment ct_fragment_of(ct_partition p) { return ct_fragment_of_partition(p); }
CT_FN ct_fragment ct_fragment_of(ct_fragment f) { return f; }

/** @internal What a copy asks of a register tensor: the hash of its values, and the bits of an element. */
CT_FN int64_t ct_facts_of_registers(const ct_fragment *f, int32_t type)
{
    return (int64_t)(f->hash >> 2) << 33 | (int64_t)f->count << 24 | type;
}

/** @internal A register tensor of which the type says what it holds: F::is(), a constant. */
template <class F, int type> struct ct_known_registers : ct_registers {
};
template <const ct_fragment &value, int number> struct ct_static_type<ct_fragment, value, number> {
    typedef ct_fixed<ct_fragment, value, number> type;
};

#define CT_REGISTERS(elem, name, ...)                                                              \
    CT_STATIC(ct_fragment, name##_as, ct_fragment_of(__VA_ARGS__));                                \
    CT_REGISTERS_AS(elem, name, ct_bare_of<decltype(name##_as)>)
#define CT_REGISTERS_OF(elem, name, p, member)                                                     \
    using name##_type = ct_bare_of<decltype(*CT_OF(p, member))>;                                   \
    CT_REGISTERS_AS(elem, name, name##_type)
#define CT_REGISTERS_AS(elem, name, source)                                                        \
    __align__(16) uint32_t name##_words[ct_type_words(                                             \
        CT_TYPE_OF_##elem, source::is()->count + !source::is()->count)];                           \
    const ct_known_registers<source, CT_TYPE_OF_##elem> name = {                                   \
        {source::is(), name##_words, CT_TYPE_OF_##elem, threadIdx.x}}
#else
/** The fragment of a partition's side in registers, or a fragment itself: what CT_REGISTERS takes. */
#define ct_fragment_of(of)                                                                         \
    _Generic((of), ct_partition : ct_fragment_of_partition, ct_fragment : ct_fragment_itself)(of)

/**
 * Declares a register tensor: its element type, its name, and what it is part of, a constant of a partition or of a
 * fragment.
 */
#define CT_REGISTERS(type, name, ...)                                                              \
    CT_STATIC(ct_fragment, name##_as, ct_fragment_of(__VA_ARGS__));                                \
    _Alignas(16) uint32_t name##_words[ct_type_words(CT_TYPE_OF_##type, name##_as.count)];         \
    memset(name##_words, 0xff, sizeof name##_words);                                               \
    const ct_registers name = {&name##_as, name##_words, CT_TYPE_OF_##type, threadIdx.x}

/** The same in a function that takes a plan (kernel/plan.h): of a fragment that is a member of it. */
#define CT_REGISTERS_OF(type, name, p, member)                                                     \
    const ct_fragment *const name##_as = CT_OF(p, member);                                         \
    _Alignas(16) uint32_t name##_words[ct_type_words(CT_TYPE_OF_##type, name##_as->count)];        \
    memset(name##_words, 0xff, sizeof name##_words);                                               \
    const ct_registers name = {name##_as, name##_words, CT_TYPE_OF_##type, threadIdx.x}
#endif

/** For each value i of x, a constant. */
#define CT_EACH(i, x) CT_UNROLL for (int i = 0; i < (x).as->count; ++i)

/** The register tensor of words that a kernel has of its own, of a type CT_TYPE_..., as thread `thread` has it: of
 *  threads that do not count from 0, as those of a second warpgroup. */
CT_DEVICE ct_registers ct_make_registers(const ct_fragment *as, int32_t type, void *words,
                                         uint32_t thread)
{
    const ct_registers x = {as, (uint32_t *)words, type, thread};
    return x;
}

/** The coordinate along an axis of the tile at which this thread's values begin. */
CT_DEVICE int32_t ct_first_coord(const ct_registers x, const int axis)
{
    const ct_digits *const d = &x.as->thread;
    int32_t at = 0;
    CT_UNROLL for (int k = 0; k < d->count; ++k)
    {
        const ct_value_digit g = d->digit[k];
        const uint32_t n = x.thread / (uint32_t)g.div;
        if (g.axis == axis)
            at += (int32_t)(g.div * g.mod < x.as->threads ? n % (uint32_t)g.mod : n) * g.step;
    }
    return at;
}

/** The coordinate of value i of this thread along an axis of the tile. */
CT_DEVICE int32_t ct_coord(const ct_registers x, const int i, const int axis)
{
    return ct_first_coord(x, axis) + x.as->coord[axis][i];
}

/** @internal Why a register tensor is no part of another, at words of its own; CT_OK if it is. */
CT_FN ct_error ct_part_refusal(const ct_fragment *part, const ct_fragment *x, int32_t type)
{
    ct_error e = part->err;
    if (e.status == CT_OK && part->whole != x->hash)
        e = ct_make_error(CT_E_ARGUMENT, CT_OP_FRAGMENT, CT_WHY_FRAGMENT, 0, x->count, part->count);
    for (int a = 0; a < CT_FRAGMENT_AXES && e.status == CT_OK; ++a)
        if (part->unit[a] * ct_type_bits(type) % 32 != 0)
            e = ct_make_error(CT_E_ARGUMENT, CT_OP_FRAGMENT, CT_WHY_PART, a, part->tile[a], 0);
    return e;
}

/** @internal Why elements of a type are not recast to another one; CT_OK if they are. */
CT_FN ct_error ct_recast_refusal(int32_t from, int32_t to)
{
    const ct_error none = CT_ZERO;
    const int32_t has = ct_type_bits(from), needs = ct_type_bits(to);
    if (has == needs) return none;
    return ct_make_error(CT_E_ARGUMENT, CT_OP_FRAGMENT, CT_WHY_ELEM_BITS, 0, has, needs);
}

/** Part `at` of a register tensor, by a constant of ct_fragment_part: the same words. at: constants, as in an unrolled
 *  loop. (The offset is a sum without a loop, which nvcc 13.0 would fold too late to keep the array in registers.) */
CT_DEVICE ct_registers ct_part_of(const ct_fragment *part, const ct_registers x, const ct_index at)
{
    const int32_t *const unit = part->unit;
    const int32_t offset = (int32_t)at.at[0] * unit[0] + (int32_t)at.at[1] * unit[1] +
                           (int32_t)at.at[2] * unit[2] + (int32_t)at.at[3] * unit[3];
    ct_registers r = x;
    CT_REFUSE("part of a register tensor", ct_part_refusal(part, x.as, x.type));
    r.as = part;
    r.words += offset * ct_type_bits(x.type) / 32;
    return r;
}

/** @internal The words of a part of a register tensor, and the parts that it has. */
CT_FN int32_t ct_part_words(const ct_fragment *part, int32_t type)
{
    return part->count * ct_type_bits(type) / 32;
}

/** @internal Why a register tensor does not hold such a part of one of elements of `type`; CT_OK if it does. */
CT_FN ct_error ct_held_part_refusal(const ct_fragment *part, int32_t type, const ct_registers *y)
{
    const ct_error none = CT_ZERO;
    const int32_t has = ct_type_bits(y->type), needs = ct_type_bits(type);
    if (has != needs)
        return ct_make_error(CT_E_ARGUMENT, CT_OP_FRAGMENT, CT_WHY_ELEM_BITS, 0, has, needs);
    if (y->as->count == part->count && y->as->hash >> 2 == part->hash >> 2) return none;
    return ct_make_error(CT_E_ARGUMENT, CT_OP_FRAGMENT, CT_WHY_FRAGMENT, 0, y->as->count,
                         part->count);
}

/** y = part `at` of x, where `at` is known at launch: registers have constant numbers, so each word is selected. */
CT_DEVICE void ct_get_part(const ct_registers y, const ct_fragment *part, const ct_registers x,
                           const int at)
{
    const int words = ct_part_words(part, x.type), all = ct_type_words(x.type, x.as->count);
    CT_REFUSE("part of a register tensor", ct_part_refusal(part, x.as, x.type));
    CT_REFUSE("part of a register tensor", ct_held_part_refusal(part, x.type, &y));
    CT_UNROLL for (int i = 0; i < all; ++i) y.words[i % words] =
        i < words || i / words == at ? x.words[i] : y.words[i % words];
}

/** Part `at` of x = y. */
CT_DEVICE void ct_put_part(const ct_registers x, const ct_fragment *part, const ct_registers y,
                           const int at)
{
    const int words = ct_part_words(part, x.type), all = ct_type_words(x.type, x.as->count);
    CT_REFUSE("part of a register tensor", ct_part_refusal(part, x.as, x.type));
    CT_REFUSE("part of a register tensor", ct_held_part_refusal(part, x.type, &y));
    CT_UNROLL for (int i = 0; i < all; ++i) x.words[i] =
        i / words == at ? y.words[i % words] : x.words[i];
}

/** The same words as elements of another type of as many bits, CT_TYPE_...: of a type that is known at launch. */
CT_DEVICE ct_registers ct_recast_registers(ct_registers x, const int32_t type)
{
    CT_REFUSE("recast register tensor", ct_recast_refusal(x.type, type));
    x.type = type;
    return x;
}

/** Sets all bits of a register tensor to 0: each value is 0. */
CT_DEVICE void ct_clear(const ct_registers x)
{
    CT_UNROLL for (int w = 0; w < ct_type_words(x.type, x.as->count); ++w) x.words[w] = 0;
}

/** The register tensor as a side of a copy: what ct_copy makes of one. */
CT_DEVICE ct_view ct_view_of_registers(const ct_registers x)
{
    ct_view v = ct_view_registers(x.words);
    v.type = x.type;
    v.count = x.as->count;
    v.hash = x.as->hash;
    return v;
}

#if defined(__CUDACC__)
/** @internal A view, or a register tensor, as a side of a copy. */
CT_DEVICE ct_view ct_side_of(const ct_view v) { return v; }
CT_DEVICE ct_view ct_side_of(const ct_registers x) { return ct_view_of_registers(x); }
#else
/** @internal A view itself. */
static inline ct_view ct_view_itself(const ct_view v) { return v; }
/** @internal A view, or a register tensor, as a side of a copy. */
#define ct_side_of(x)                                                                              \
    _Generic((x), ct_registers : ct_view_of_registers, ct_view : ct_view_itself)(x)
#endif

#define ct_recast_registers(...) CT_CALL(ct_recast_registers, __VA_ARGS__)
#define ct_part_of(...) CT_CALL(ct_part_of, __VA_ARGS__)
#define ct_get_part(...) CT_CALL(ct_get_part, __VA_ARGS__)
#define ct_put_part(...) CT_CALL(ct_put_part, __VA_ARGS__)

#endif
