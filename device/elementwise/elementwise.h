/**
 * An expression applied to every element: one line of C becomes a kernel with accesses of 16 bytes,
 * for operands of any layout, size and address.
 *
 *     CT_ELEMENTWISE(relu, float, x < 0 ? 0 : x, (float, x))
 *     CT_ELEMENTWISE(to_half, half, p[0] * x + p[1], (float, x))
 *     CT_ELEMENTWISE(add_bias, half, x + b, (half, x), (half, b))
 *     CT_ELEMENTWISE_BY(4, relu_scalar, float, x < 0 ? 0 : x, (float, x))
 *
 * The first line defines the kernel `relu`. It reads elements of one input, of type float, computes
 * the expression with x the element's value, and writes a float. Zero to eight inputs follow the
 * expression, each a type and a name in parentheses. p are the numbers of the arguments (floats).
 * Half and bfloat16 are computed as float and rounded to nearest; integers are converted as in C
 * (element.h has the types). ct_make_elementwise (elementwise_args.h) makes the kernel's argument
 * from the operands' layouts, for the same types and accesses; a kernel traps at the arguments of
 * another one. CT_ELEMENTWISE_BY sets the bytes of an access on the widest side: a power of two, at
 * least the widest type. A thread moves at least 16 bytes there, in one access or in several.
 *
 * An input may be the destination itself: the same elements at the same addresses. Otherwise inputs
 * and the destination may not overlap.
 *
 * Fails:    A kernel traps at the arguments of another one; the CPU grid ends the launch. A type
 *           that is wider than an access does not compile.
 * Cost:     One load for each vector of an input, two if it is cut, and one store. Of an input that
 *           repeats one element, a thread loads this element only. Ends of a run, and runs that are
 *           not contiguous, go element by element.
 * Used by:  examples/bias_gelu.cu, examples/vector/elementwise.cu
 * Source:   NVIDIA, PTX ISA 9.0, ld and st.
 */
#ifndef CUTLET_DEVICE_ELEMENTWISE_ELEMENTWISE_H
#define CUTLET_DEVICE_ELEMENTWISE_ELEMENTWISE_H

#include <cutlet/device/element/element.h>
#include <cutlet/device/elementwise/elementwise_run.h>
#include <cutlet/device/element/fast_math.h>

/* For input k in parentheses: the size of its type as a digit, the load of its elements, and the
 * value of one element. */
#define CT_INPUT_BYTES(type, name) CT_BYTES_##type
#define CT_INPUT_SIZE(k, input) | (uint64_t)(CT_INPUT_BYTES input) << 4 * (k)
#define CT_INPUT_LOAD(k, input)                                                                    \
    {                                                                                              \
        CT_ELEMENTWISE_PARTS(in, CT_INPUT_BYTES input)                                             \
        ct_elementwise_load(args, k, kernel.sides, &tile, &vector, part, w.at[k]);                 \
    }
#define CT_INPUT_TAKE(k, type, name)                                                               \
    CT_HOLDS_AN_ELEMENT(type)                                                                      \
    const CT_VALUE_##type name = ct_get_##type(ct_words.at[k], ct_i);                              \
    (void)name;
#define CT_INPUT_PARTS(type, name) type, name
#define CT_INPUT_CALL(macro, ...) macro(__VA_ARGS__)
#define CT_INPUT_VALUE(k, input) CT_INPUT_CALL(CT_INPUT_TAKE, k, CT_INPUT_PARTS input)
#define CT_HOLDS_AN_ELEMENT(type) (void)sizeof(char[ct_access >= CT_BYTES_##type ? 1 : -1]);

/* The partitions for loads (in) or stores (out) of elements of e bytes. */
#define CT_ELEMENTWISE_PARTS(in, e)                                                                \
    CT_STATIC(ct_partition, tile,                                                                  \
              ct_vectors_##in(kernel.width, CT_ELEMENTWISE_THREADS, 1, 8 * (e)));                  \
    CT_STATIC(ct_partition, vector, ct_vector_##in(kernel.width, 8 * (e)));

/* Resident blocks of a multiprocessor: full occupancy for kernels of at most one input, whose
 * registers suffice for it. */
#define CT_ELEMENTWISE_RESIDENT(sides) ((sides) <= 2 ? 2048 / CT_ELEMENTWISE_THREADS : 1)

/* The kernel of `sides` operands, with the sizes, loads and values of all inputs. */
#define CT_ELEMENTWISE_KERNEL(access, name, to, expression, sides, sizes, loads, values)           \
    CT_DEVICE void name##_elements(const ct_elementwise_words ct_words, const int ct_n,            \
                                   const float *p)                                                 \
    {                                                                                              \
        enum { ct_access = access };                                                               \
        (void)p;                                                                                   \
        CT_HOLDS_AN_ELEMENT(to)                                                                    \
        CT_UNROLL for (int ct_i = 0; ct_i < CT_ELEMENTWISE_MOST; ++ct_i) if (ct_i < ct_n)          \
        {                                                                                          \
            values ct_fill_##to(ct_words.at[0], ct_i, (CT_VALUE_##to)(expression));                \
        }                                                                                          \
    }                                                                                              \
    CT_DEVICE void name##_move(const ct_elementwise_args *args, const ct_elementwise_part part,    \
                               const ct_elementwise_words w, const int out)                        \
    {                                                                                              \
        CT_STATIC(ct_elementwise_kernel, kernel,                                                   \
                  ct_make_elementwise_kernel(access, sides, (uint64_t)CT_BYTES_##to sizes));       \
        if (out) {                                                                                 \
            CT_ELEMENTWISE_PARTS(out, CT_BYTES_##to)                                               \
            ct_elementwise_store(args, &tile, &vector, part, w.at[0]);                             \
        } else {                                                                                   \
            loads                                                                                  \
        }                                                                                          \
    }                                                                                              \
    CT_KERNEL_RESIDENT(name, CT_ELEMENTWISE_THREADS, CT_ELEMENTWISE_RESIDENT(sides),               \
                       ct_elementwise_args, args)                                                  \
    {                                                                                              \
        CT_STATIC(ct_elementwise_kernel, kernel,                                                   \
                  ct_make_elementwise_kernel(access, sides, (uint64_t)CT_BYTES_##to sizes));       \
        ct_elementwise(&args, &kernel, name##_move, name##_elements);                              \
    }

/* The sizes, loads and values of all inputs, for each number of inputs. */
#define CT_SIZES_0()
#define CT_LOADS_0()
#define CT_VALUES_0()
#define CT_SIZES_1(a) CT_SIZES_0() CT_INPUT_SIZE(1, a)
#define CT_LOADS_1(a) CT_LOADS_0() CT_INPUT_LOAD(1, a)
#define CT_VALUES_1(a) CT_VALUES_0() CT_INPUT_VALUE(1, a)
#define CT_SIZES_2(a, b) CT_SIZES_1(a) CT_INPUT_SIZE(2, b)
#define CT_LOADS_2(a, b) CT_LOADS_1(a) CT_INPUT_LOAD(2, b)
#define CT_VALUES_2(a, b) CT_VALUES_1(a) CT_INPUT_VALUE(2, b)
#define CT_SIZES_3(a, b, c) CT_SIZES_2(a, b) CT_INPUT_SIZE(3, c)
#define CT_LOADS_3(a, b, c) CT_LOADS_2(a, b) CT_INPUT_LOAD(3, c)
#define CT_VALUES_3(a, b, c) CT_VALUES_2(a, b) CT_INPUT_VALUE(3, c)
#define CT_SIZES_4(a, b, c, d) CT_SIZES_3(a, b, c) CT_INPUT_SIZE(4, d)
#define CT_LOADS_4(a, b, c, d) CT_LOADS_3(a, b, c) CT_INPUT_LOAD(4, d)
#define CT_VALUES_4(a, b, c, d) CT_VALUES_3(a, b, c) CT_INPUT_VALUE(4, d)
#define CT_SIZES_5(a, b, c, d, e) CT_SIZES_4(a, b, c, d) CT_INPUT_SIZE(5, e)
#define CT_LOADS_5(a, b, c, d, e) CT_LOADS_4(a, b, c, d) CT_INPUT_LOAD(5, e)
#define CT_VALUES_5(a, b, c, d, e) CT_VALUES_4(a, b, c, d) CT_INPUT_VALUE(5, e)
#define CT_SIZES_6(a, b, c, d, e, f) CT_SIZES_5(a, b, c, d, e) CT_INPUT_SIZE(6, f)
#define CT_LOADS_6(a, b, c, d, e, f) CT_LOADS_5(a, b, c, d, e) CT_INPUT_LOAD(6, f)
#define CT_VALUES_6(a, b, c, d, e, f) CT_VALUES_5(a, b, c, d, e) CT_INPUT_VALUE(6, f)
#define CT_SIZES_7(a, b, c, d, e, f, g) CT_SIZES_6(a, b, c, d, e, f) CT_INPUT_SIZE(7, g)
#define CT_LOADS_7(a, b, c, d, e, f, g) CT_LOADS_6(a, b, c, d, e, f) CT_INPUT_LOAD(7, g)
#define CT_VALUES_7(a, b, c, d, e, f, g) CT_VALUES_6(a, b, c, d, e, f) CT_INPUT_VALUE(7, g)
#define CT_SIZES_8(a, b, c, d, e, f, g, h) CT_SIZES_7(a, b, c, d, e, f, g) CT_INPUT_SIZE(8, h)
#define CT_LOADS_8(a, b, c, d, e, f, g, h) CT_LOADS_7(a, b, c, d, e, f, g) CT_INPUT_LOAD(8, h)
#define CT_VALUES_8(a, b, c, d, e, f, g, h) CT_VALUES_7(a, b, c, d, e, f, g) CT_INPUT_VALUE(8, h)
#define CT_NINTH(x, a, b, c, d, e, f, g, h, ninth, ...) ninth
#define CT_INPUTS_OF(...) CT_NINTH(__VA_ARGS__, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0)
#define CT_MERGED(a, b) a##b
#define CT_JOIN(a, b) CT_MERGED(a, b)

#define CT_ELEMENTWISE_0(bytes, name, to, x)                                                       \
    CT_ELEMENTWISE_KERNEL(bytes, name, to, x, 1, CT_SIZES_0(), CT_LOADS_0(), CT_VALUES_0())
#define CT_ELEMENTWISE_1(bytes, name, to, x, a)                                                    \
    CT_ELEMENTWISE_KERNEL(bytes, name, to, x, 2, CT_SIZES_1(a), CT_LOADS_1(a), CT_VALUES_1(a))
#define CT_ELEMENTWISE_2(bytes, name, to, x, a, b)                                                 \
    CT_ELEMENTWISE_KERNEL(bytes, name, to, x, 3, CT_SIZES_2(a, b), CT_LOADS_2(a, b),               \
                          CT_VALUES_2(a, b))
#define CT_ELEMENTWISE_3(bytes, name, to, x, a, b, c)                                              \
    CT_ELEMENTWISE_KERNEL(bytes, name, to, x, 4, CT_SIZES_3(a, b, c), CT_LOADS_3(a, b, c),         \
                          CT_VALUES_3(a, b, c))
#define CT_ELEMENTWISE_4(bytes, name, to, x, a, b, c, d)                                           \
    CT_ELEMENTWISE_KERNEL(bytes, name, to, x, 5, CT_SIZES_4(a, b, c, d), CT_LOADS_4(a, b, c, d),   \
                          CT_VALUES_4(a, b, c, d))
#define CT_ELEMENTWISE_5(bytes, name, to, x, a, b, c, d, e)                                        \
    CT_ELEMENTWISE_KERNEL(bytes, name, to, x, 6, CT_SIZES_5(a, b, c, d, e),                        \
                          CT_LOADS_5(a, b, c, d, e), CT_VALUES_5(a, b, c, d, e))
#define CT_ELEMENTWISE_6(bytes, name, to, x, a, b, c, d, e, f)                                     \
    CT_ELEMENTWISE_KERNEL(bytes, name, to, x, 7, CT_SIZES_6(a, b, c, d, e, f),                     \
                          CT_LOADS_6(a, b, c, d, e, f), CT_VALUES_6(a, b, c, d, e, f))
#define CT_ELEMENTWISE_7(bytes, name, to, x, a, b, c, d, e, f, g)                                  \
    CT_ELEMENTWISE_KERNEL(bytes, name, to, x, 8, CT_SIZES_7(a, b, c, d, e, f, g),                  \
                          CT_LOADS_7(a, b, c, d, e, f, g), CT_VALUES_7(a, b, c, d, e, f, g))
#define CT_ELEMENTWISE_8(bytes, name, to, x, a, b, c, d, e, f, g, h)                               \
    CT_ELEMENTWISE_KERNEL(bytes, name, to, x, 9, CT_SIZES_8(a, b, c, d, e, f, g, h),               \
                          CT_LOADS_8(a, b, c, d, e, f, g, h), CT_VALUES_8(a, b, c, d, e, f, g, h))

/* bytes: of an access; name: of the kernel; to: the destination's type; then expression, inputs. */
#define CT_ELEMENTWISE_BY(bytes, name, to, ...)                                                    \
    CT_JOIN(CT_ELEMENTWISE_, CT_INPUTS_OF(__VA_ARGS__))(bytes, name, to, __VA_ARGS__)

#define CT_ELEMENTWISE(name, to, ...) CT_ELEMENTWISE_BY(CT_ELEMENTWISE_BYTES, name, to, __VA_ARGS__)

#endif
