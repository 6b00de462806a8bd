/**
 * Values of a register tensor: read and written by their number, converted, put into another order, loaded by their coordinates.
 *
 *     CT_EACH(i, x) ct_put(x, i, 2 * ct_val(x, i));
 *
 * ct_val and ct_put are of floats and of all types of up to 16 bits, whose values they round to and clamp at; ct_val_s32
 * and ct_put_s32 of integers, ct_val_f64 and ct_put_f64 of doubles. Elements may be written in place and in any order:
 * the others of a word stay. The number is a constant of an unrolled loop, so that the words stay in registers. Two
 * halves are converted at once by ct_convert_registers alone: compute in floats, and convert once.
 *
 * Fails:    A type that has no such value is refused: at the kernel's line on the CPU grid, and when nvcc compiles it.
 *           So are two register tensors of other values, or of another order.
 * Cost:     that of element/element.h. Loads by coordinates are one access for each value.
 * In a kernel:
 *           // args.src: in as a matrix (32,32):(32,1)
 *           CT_STATIC(ct_tiled_copy, rows,
 *                     ct_make_tiled_copy(ct_copy_atom_auto(32), ct_layout2(4, 8, 8, 1),
 *                                        ct_layout2(1, 4, 4, 1)));
 *           CT_STATIC(ct_partition, P, ct_make_partition(rows, ct_tuple2(8, 32), ct_in_global(1),
 *                                                        ct_in_registers()));
 *           CT_REGISTERS(float, x, P);
 *           CT_REGISTERS(half, h, P);
 *           const ct_view tile = ct_view_at(&args.src, &P, ct_index2(28, 0)); // 4 rows past the end
 *           ct_copy(tile, x);
 *           ct_fill_outside(x, tile, -1);
 *           ct_convert_registers(h, x);
 *           CT_EACH(i, h) assert(ct_val(h, i) == ct_val(x, i) && (ct_val(h, i) < 0) == (ct_coord(h, i, 0) >= 4));
 *           CT_REGISTERS(float, column, ct_fragment_reduced(ct_fragment_of(P), 0));
 *           ct_load_values(column, &args.src, ct_index2(3, 0)); // of row 3, once for each column of a thread
 *           assert(ct_val(column, 1) == (float)(32 * 3 + ct_coord(column, 1, 1)));
 *           CT_REGISTERS(int8, bytes, P);
 *           CT_REGISTERS(double, d, P);
 *           CT_EACH(i, bytes) ct_put(bytes, i, 2.5f); // ties to even
 *           ct_put_s32(bytes, 1, ct_val_s32(bytes, 0) - 3);
 *           ct_convert_registers(d, bytes);
 *           ct_put_f64(d, 0, 0.5 * ct_val_f64(d, 0));
 *           assert(ct_val_f64(d, 0) == 1 && ct_val_f64(d, 1) == -1);
 *           CT_STATIC(ct_partition, Q, ct_make_partition(rows, ct_tuple2(8, 32), ct_in_global(1),
 *                                                        ct_in_registers_by(ct_layout2(4, 2, 2, 1))));
 *           CT_REGISTERS(float, y, Q);
 *           ct_retile_registers(y, x); // value v of 8 is element 2 (v % 4) + v / 4 of y
 *           assert(ct_val(y, 2) == ct_val(x, 1));
 * Used by:  examples/tutorial/softmax.cu
 * Source:   NVIDIA, PTX ISA 9.0, cvt. OCP 8-bit Floating Point Specification 1.0: e4m3 and e5m2.
 */
#ifndef CUTLET_DEVICE_REGISTER_VALUES_H
#define CUTLET_DEVICE_REGISTER_VALUES_H

#include <cutlet/device/copy/access.h>
#include <cutlet/device/copy/refusal_by_nvcc.h>
#include <cutlet/device/element/element.h>
#include <cutlet/device/element/unpack.h>
#include <cutlet/device/tensor/registers.h>

/** @internal The kinds of values: floats, of types of up to 32 bits, integers and doubles. */
enum { CT_KIND_FLOAT, CT_KIND_S32, CT_KIND_F64 };

/** @internal Whether elements of a type are integers; and an integer of its bits. */
CT_FN int ct_type_is_integer(int32_t type)
{
    return type == CT_TYPE_INT32 || type == CT_TYPE_INT8 || type == CT_TYPE_UINT8 ||
           type == CT_TYPE_INT4 || type == CT_TYPE_UINT4;
}
CT_FN int32_t ct_integer_of_bits(uint32_t bits, int32_t type)
{
    return type == CT_TYPE_INT8   ? (int8_t)(uint8_t)bits
           : type == CT_TYPE_INT4 ? (int32_t)(bits << 28) >> 28
                                  : (int32_t)bits;
}

/** @internal Why elements of a type have no value of a kind; CT_OK if they have. */
CT_FN ct_error ct_value_refusal(int32_t type, int kind)
{
    const ct_error none = CT_ZERO;
    const int ok = kind == CT_KIND_FLOAT ? type != CT_TYPE_INT32 && type != CT_TYPE_DOUBLE
                   : kind == CT_KIND_S32 ? ct_type_is_integer(type)
                                         : type == CT_TYPE_DOUBLE;
    if (ok) return none;
    return ct_make_error(CT_E_ARGUMENT, CT_OP_FRAGMENT, CT_WHY_VALUE_TYPE, 0, type, kind);
}

/** @internal Why values of one register tensor are not those of another; CT_OK if they are. */
CT_FN ct_error ct_same_refusal(const ct_fragment *y, const ct_fragment *x)
{
    const ct_error none = CT_ZERO;
    if (y->hash == x->hash) return none;
    return ct_make_error(CT_E_ARGUMENT, CT_OP_FRAGMENT, CT_WHY_FRAGMENT, 0, x->count, y->count);
}

#if CT_KNOWS
typedef ct_error (*ct_refusal)(const ct_fragment *, const ct_fragment *);
template <int64_t held, int kind> struct ct_value_holds {
    static constexpr ct_error none = {};
    static constexpr ct_error e = held == CT_UNKNOWN ? none : ct_value_refusal(held & 255, kind);
    static constexpr bool yes = CT_FAILED_BY(e);
};
/** @internal Fails to compile if a register tensor's elements have no values of a kind. */
template <class X, int kind> CT_DEVICE void ct_value_is_known()
{
    constexpr const ct_bare_of<X> *x = 0;
    static_assert(ct_value_holds<ct_held_by(x), kind>::yes, "");
}
template <int64_t held, int to> struct ct_recast_holds {
    static constexpr ct_error none = {};
    static constexpr ct_error e =
        held == CT_UNKNOWN || to == CT_UNKNOWN ? none : ct_recast_refusal(held & 255, to);
    static constexpr bool yes = CT_FAILED_BY(e);
};
/** @internal Fails to compile if a register tensor is recast to a type of other bits. */
template <class X, int to> CT_DEVICE void ct_recast_is_known()
{
    constexpr const ct_bare_of<X> *x = 0;
    static_assert(ct_recast_holds<ct_held_by(x), to>::yes, "");
}
/** @internal The error of a function of two fragments; none if one is not known. */
template <ct_refusal f, class F, int a, class G, int b>
CT_FN ct_error ct_refusal_of(const ct_known_registers<F, a> *, const ct_known_registers<G, b> *)
{
    return f(F::is(), G::is());
}
template <ct_refusal f> CT_FN ct_error ct_refusal_of(const ct_registers *, const ct_registers *)
{
    return ct_error{};
}
template <ct_refusal f, class Y, class X> struct ct_two_hold {
    static constexpr ct_error e =
        ct_refusal_of<f>((const ct_bare_of<Y> *)0, (const ct_bare_of<X> *)0);
    static constexpr bool yes = CT_FAILED_BY(e);
};
/** @internal Fails to compile if the function refuses two register tensors. */
template <ct_refusal f, class Y, class X> CT_DEVICE void ct_two_are_known()
{
    static_assert(ct_two_hold<f, Y, X>::yes, "");
}
#endif

/* ---- values ---------------------------------------------------------------------------------- */

/** @internal The bits of value i, of up to 32 bits, zero-extended. */
CT_DEVICE uint32_t ct_value_bits(const ct_registers x, const int i)
{
    const int bits = ct_type_bits(x.type), each = 32 / bits;
    if (bits == 32) return x.words[i];
    return x.words[i / each] >> bits * (i % each) & ((1u << bits % 32) - 1);
}

/** @internal Replaces them; the other values of the word stay. */
CT_DEVICE void ct_put_value_bits(const ct_registers x, const int i, uint32_t v)
{
    const int bits = ct_type_bits(x.type), each = 32 / bits, by = bits * (i % each);
    const uint32_t own = (1u << bits % 32) - 1;
    if (bits == 32) x.words[i] = v;
    else x.words[i / each] = (x.words[i / each] & ~(own << by)) | (v & own) << by;
}

/** Value i as a float. */
CT_DEVICE float ct_val(const ct_registers x, const int i)
{
    CT_REFUSE("value of a register tensor", ct_value_refusal(x.type, CT_KIND_FLOAT));
    const uint32_t v = x.type == CT_TYPE_DOUBLE ? 0 : ct_value_bits(x, i);
    return ct_type_is_integer(x.type)   ? (float)ct_integer_of_bits(v, x.type)
           : x.type == CT_TYPE_HALF     ? ct_float_of_half(v)
           : x.type == CT_TYPE_BFLOAT16 ? ct_float_of_bfloat16(v)
           : ct_type_bits(x.type) == 8  ? ct_float_of_fp8(v, x.type == CT_TYPE_E4M3 ? 3 : 2)
                                        : ct_float_of_bits(v);
}

/** @internal x rounded to an integer, ties to even, and clamped; 0 of a NaN. */
CT_DEVICE int32_t ct_integer_of(float x, float least, float most)
{
    x = x == x ? x : 0.0f;
    x = x < least ? least : x > most ? most : x;
    return (int32_t)(ct_bits_of_float(x + 12582912.0f) -
                     0x4b400000u); /* 1.5 * 2^23: its last bit is 1 */
}

/** @internal The bits of a float as an element of a type that is not of 16 bits. */
CT_DEVICE uint32_t ct_bits_as(float v, const int type)
{
    const int is_signed = type == CT_TYPE_INT8 || type == CT_TYPE_INT4;
    const float values = ct_type_bits(type) == 8 ? 256 : 16, least = is_signed ? -values / 2 : 0;
    if (ct_type_is_integer(type)) return (uint32_t)ct_integer_of(v, least, least + values - 1);
    return ct_type_bits(type) == 8 ? ct_fp8_of_float(v, type == CT_TYPE_E4M3 ? 3 : 2)
                                   : ct_bits_of_float(v);
}

/** @internal Two floats as a word of halves or bfloat16s. */
CT_DEVICE uint32_t ct_pair_as(float low, float high, const int type)
{
    return type == CT_TYPE_HALF ? ct_half_pair_of_floats(low, high)
                                : ct_bfloat16_pair_of_floats(low, high);
}

/** Value i becomes v, rounded to the element type, ties to even; integers are clamped, and 0 of a NaN. (One float is
 *  converted to 16 bits as a pair: alone, nvcc 13.0 takes the slow F2F.) */
CT_DEVICE void ct_put(const ct_registers x, const int i, float v)
{
    CT_REFUSE("value of a register tensor", ct_value_refusal(x.type, CT_KIND_FLOAT));
    if (ct_type_bits(x.type) == 16) ct_put_value_bits(x, i, ct_pair_as(v, 0, x.type));
    else if (x.type != CT_TYPE_DOUBLE) ct_put_value_bits(x, i, ct_bits_as(v, x.type));
}

/** Value i of integers. */
CT_DEVICE int32_t ct_val_s32(const ct_registers x, const int i)
{
    CT_REFUSE("value of a register tensor", ct_value_refusal(x.type, CT_KIND_S32));
    return x.type == CT_TYPE_DOUBLE ? 0 : ct_integer_of_bits(ct_value_bits(x, i), x.type);
}

/** Value i of integers becomes the lowest bits of v. */
CT_DEVICE void ct_put_s32(const ct_registers x, const int i, int32_t v)
{
    CT_REFUSE("value of a register tensor", ct_value_refusal(x.type, CT_KIND_S32));
    if (x.type != CT_TYPE_DOUBLE) ct_put_value_bits(x, i, (uint32_t)v);
}

/** Value i of doubles. */
CT_DEVICE double ct_val_f64(const ct_registers x, const int i)
{
    CT_REFUSE("value of a register tensor", ct_value_refusal(x.type, CT_KIND_F64));
    return x.type == CT_TYPE_DOUBLE ? ct_get_double(x.words, i) : 0;
}

/** Value i of doubles becomes v. */
CT_DEVICE void ct_put_f64(const ct_registers x, const int i, double v)
{
    CT_REFUSE("value of a register tensor", ct_value_refusal(x.type, CT_KIND_F64));
    if (x.type == CT_TYPE_DOUBLE) ct_put_double(x.words, i, v);
}

/* ---- whole register tensors ------------------------------------------------------------------ */

/** @internal Value i becomes value j of another register tensor, of any type. */
CT_DEVICE void ct_put_from(const ct_registers y, const int i, const ct_registers x, const int j)
{
    const int of_ints = ct_type_is_integer(x.type);
    const int of_doubles = x.type == CT_TYPE_DOUBLE;
    if (y.type == x.type && !of_doubles) ct_put_value_bits(y, i, ct_value_bits(x, j));
    else if (y.type == CT_TYPE_DOUBLE)
        ct_put_f64(y, i, of_doubles ? ct_val_f64(x, j) : of_ints ? ct_val_s32(x, j) : ct_val(x, j));
    else if (y.type == CT_TYPE_INT32)
        ct_put_s32(y, i,
                   of_doubles ? (int32_t)ct_val_f64(x, j)
                   : of_ints  ? ct_val_s32(x, j)
                              : (int32_t)ct_val(x, j));
    else
        ct_put(y, i,
               of_doubles ? (float)ct_val_f64(x, j)
               : of_ints  ? (float)ct_val_s32(x, j)
                          : ct_val(x, j));
}

/** y(i) = x(i), rounded once; floats to halves and bfloat16s two at once, and int4, uint4, e4m3 and e5m2 word by word
 *  (element/unpack.h). Floats become int32 towards 0. */
CT_DEVICE void ct_convert_registers(const ct_registers y, const ct_registers x)
{
    CT_REFUSE("conversion of a register tensor", ct_same_refusal(y.as, x.as));
    const int pairs = ct_type_bits(y.type) == 16 && x.type == CT_TYPE_FLOAT && x.as->count % 2 == 0;
    if (ct_is_unpacked(x.type, y.type) && x.as->count * ct_type_bits(x.type) % 32 == 0) {
        const int words = 16 / ct_type_bits(x.type); /* of y for one of x */
        CT_UNROLL for (int w = 0; w * words * 2 < x.as->count; ++w)
            ct_unpack(y.words + w * words, x.words[w], x.type, y.type);
        return;
    }
    CT_EACH(i, y)
    {
        if (!pairs) ct_put_from(y, i, x, i);
        else if (i % 2 == 0) y.words[i / 2] = ct_pair_as(ct_val(x, i), ct_val(x, i + 1), y.type);
    }
}

/** The values whose coordinates are outside of a tile's tensor become v. tile: the whole tile in global memory. */
CT_DEVICE void ct_fill_outside(const ct_registers x, const ct_view tile, float v)
{
    int32_t left[CT_FRAGMENT_AXES] = {0, 0, 0, 0}; /* from the thread's first on */
    if (tile.whole) return;
    CT_UNROLL for (int a = 0; a < x.as->axes; ++a) left[a] =
        ct_clamp32(tile.left[a]) - ct_first_coord(x, a);
    CT_EACH(i, x)
    {
        int out = 0;
        CT_UNROLL for (int a = 0; a < x.as->axes; ++a) out = out || x.as->coord[a][i] >= left[a];
        if (out) ct_put(x, i, v);
    }
}

/** Loads each value by its coordinates, from element `at` of a tensor on; outside of the tensor it is 0. For vectors
 *  along an axis: a reduction's fragment has each coordinate of a thread once. */
CT_DEVICE void ct_load_values(const ct_registers x, const ct_global *g, const ct_index at)
{
    const int bits = ct_type_bits(x.type);
    CT_REFUSE("load of a register tensor",
              ct_registers_refusal(x.type, x.as->count, g->elem_bits, 0, 1));
    ct_index own = at;
    int32_t first[CT_FRAGMENT_AXES] = {0, 0, 0, 0}, end[CT_FRAGMENT_AXES] = {0, 0, 0, 0};
    CT_UNROLL for (int a = 0; a < x.as->axes; ++a)
    {
        own.at[a] += ct_first_coord(x, a);
        const int has = a < g->axes;
        first[a] = has ? ct_clamp32(-own.at[a]) : 0;
        end[a] = has ? ct_clamp32(g->extent[a] - own.at[a]) : 1 << 30;
    }
    ct_index other = own; /* the axes that the register tensor lacks */
    CT_UNROLL for (int a = 0; a < x.as->axes; ++a) other.at[a] = 0;
    const int there = ct_element_is_there(g, other);
    const unsigned char *const from = ct_element_at(g, own);
    CT_EACH(i, x)
    {
        uint32_t v[2] = {0, 0};
        int on = there;
        int64_t by = 0;
        CT_UNROLL for (int a = 0; a < x.as->axes; ++a)
        {
            const int32_t c = x.as->coord[a][i];
            on = on && c >= first[a] && c < end[a];
            by += a < g->axes ? c * g->step[a] : 0;
        }
        ct_load_global_if(on, v, from + by, bits);
        if (bits < 64) ct_put_value_bits(x, i, v[0]);
        else ct_put_f64(x, i, ct_get_double(v, 0));
    }
}

/* ---- another order --------------------------------------------------------------------------- */

/** @internal The element of a fragment at coordinates from the thread's first; -1 if there is none. */
CT_FN int32_t ct_fragment_element(const ct_fragment *f, const ct_fragment *of, int i)
{
    int32_t at = 0;
    for (int k = 0; k < CT_DIGITS; ++k) {
        const ct_value_digit g = f->value.digit[k];
        if (k < f->value.count && g.axis >= 0) at += of->coord[g.axis][i] / g.step % g.mod * g.div;
    }
    for (int a = 0; a < CT_FRAGMENT_AXES; ++a)
        if (at >= f->count || f->coord[a][at] != of->coord[a][i]) return -1;
    return at;
}

/** @internal Why x cannot be retiled as y: a thread has other elements in one than in the other; CT_OK if it can. */
CT_FN ct_error ct_retile_refusal(const ct_fragment *y, const ct_fragment *x)
{
    const ct_error none = CT_ZERO;
    const ct_digits nothing = CT_ZERO;
    int first = ct_digits_hash(y->threads, &y->thread, &nothing) !=
                        ct_digits_hash(x->threads, &x->thread, &nothing)
                    ? 0
                    : -1;
    for (int i = 0; i < y->count && first < 0; ++i)
        if (ct_fragment_element(x, y, i) < 0) first = i;
    if (first < 0 && y->count == x->count) return none;
    return ct_make_error(CT_E_ARGUMENT, CT_OP_FRAGMENT, CT_WHY_LANES, 0,
                         first < 0 ? y->count : first, x->count);
}

/** y = x in the order of y: each element from where the same thread has it in x, converted as by ct_convert_registers.
 *  Where pairs of y are elements of x of four bits that are four apart, a pair takes two instructions. */
CT_DEVICE void ct_retile_registers(const ct_registers y, const ct_registers x)
{
    CT_REFUSE("retiled register tensor", ct_retile_refusal(y.as, x.as));
    const int nibbles = ct_is_unpacked(x.type, y.type) && ct_type_bits(x.type) == 4;
    CT_UNROLL for (int i = 0; i < y.as->count; i += 2)
    {
        const int two = i + 1 < y.as->count, j = ct_fragment_element(x.as, y.as, i);
        const int k = two ? ct_fragment_element(x.as, y.as, i + 1) : -1;
        if (nibbles && k == j + 4 && j % 8 < 4) {
            y.words[i / 2] = ct_unpack_by_fours(x.words[j / 8], j % 4, x.type, y.type);
            continue;
        }
        ct_put_from(y, i, x, j);
        if (two) ct_put_from(y, i + 1, x, k);
    }
}

#if CT_KNOWS
#define ct_val(x, i) (ct_value_is_known<decltype(x), CT_KIND_FLOAT>(), ct_val(x, i))
#define ct_put(x, i, v) (ct_value_is_known<decltype(x), CT_KIND_FLOAT>(), ct_put(x, i, v))
#define ct_val_s32(x, i) (ct_value_is_known<decltype(x), CT_KIND_S32>(), ct_val_s32(x, i))
#define ct_put_s32(x, i, v) (ct_value_is_known<decltype(x), CT_KIND_S32>(), ct_put_s32(x, i, v))
#define ct_val_f64(x, i) (ct_value_is_known<decltype(x), CT_KIND_F64>(), ct_val_f64(x, i))
#define ct_put_f64(x, i, v) (ct_value_is_known<decltype(x), CT_KIND_F64>(), ct_put_f64(x, i, v))
#undef ct_recast_registers
#define ct_recast_registers(x, type)                                                               \
    (ct_recast_is_known<decltype(x), CT_KNOWN(type)>(), ct_recast_registers(x, type))
#define ct_convert_registers(y, x)                                                                 \
    (ct_two_are_known<ct_same_refusal, decltype(y), decltype(x)>(), ct_convert_registers(y, x))
#define ct_retile_registers(y, x)                                                                  \
    (ct_two_are_known<ct_retile_refusal, decltype(y), decltype(x)>(), ct_retile_registers(y, x))
#else
#define ct_val(...) CT_CALL(ct_val, __VA_ARGS__)
#define ct_put(...) CT_CALL(ct_put, __VA_ARGS__)
#define ct_val_s32(...) CT_CALL(ct_val_s32, __VA_ARGS__)
#define ct_put_s32(...) CT_CALL(ct_put_s32, __VA_ARGS__)
#define ct_val_f64(...) CT_CALL(ct_val_f64, __VA_ARGS__)
#define ct_put_f64(...) CT_CALL(ct_put_f64, __VA_ARGS__)
#define ct_convert_registers(...) CT_CALL(ct_convert_registers, __VA_ARGS__)
#define ct_retile_registers(...) CT_CALL(ct_retile_registers, __VA_ARGS__)
#endif
#define ct_load_values(...) CT_CALL(ct_load_values, __VA_ARGS__)
#define ct_fill_outside(...) CT_CALL(ct_fill_outside, __VA_ARGS__)

#endif
