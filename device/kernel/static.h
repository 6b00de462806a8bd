/**
 * Constants of a kernel that a function computes: at compile time for a GPU, once at run time on
 * the CPU grid.
 *
 *     CT_STATIC(ct_layout, tv, ct_composition(A, B));
 *
 * nvcc folds the value into the kernel. C has no constexpr functions: there the first thread that
 * reaches the constant computes it.
 *
 * CT_STATIC_AT names a pointer to the constant: the CPU grid allocates memory for it when a thread first needs it. A
 * library of many kernels, each with large constants, so reserves none for kernels that are never launched.
 *
 * A value that carries an error is refused: nvcc and NVRTC fail with the reason and its numbers,
 * and the CPU grid stops the launch with the same sentence. A structure of the kernel's own carries
 * the error of its parts in a member `ct_error err`. A C compiler fails for one without it.
 *
 * Cost:     none in a GPU's kernel: the value is folded. On the CPU grid a test of a flag.
 * In a kernel:
 *           CT_STATIC(ct_layout, tv, ct_composition(ct_layout2(4, 8, 8, 1), ct_layout1(8, 4)));
 *           assert(ct_eval(tv, 1) == 1 && ct_eval(tv, 7) == 7);
 *           CT_STATIC_AT(ct_layout, rows, ct_layout2(4, 8, 8, 1));
 *           assert(ct_size(*rows) == 32);
 */
#ifndef CUTLET_DEVICE_KERNEL_STATIC_H
#define CUTLET_DEVICE_KERNEL_STATIC_H

#if defined(__CUDACC__)

#include <cutlet/copy/copy_sides.h>

/* The error of a value, in the first of these members that its type has: a tiled copy or MMA
 * carries it in its atom, a tensor in its layout. */
template <int n> struct ct_error_place : ct_error_place<n - 1> {
};
template <> struct ct_error_place<0> {
};
#define CT_ERROR_IN(order, place)                                                                  \
    template <class T>                                                                             \
    CT_FN auto ct_error_in(const T &v, ct_error_place<order>)->decltype(v.place)                   \
    {                                                                                              \
        return v.place;                                                                            \
    }
CT_ERROR_IN(5, err)
CT_ERROR_IN(4, atom.err)
CT_ERROR_IN(3, tiles.err)
CT_ERROR_IN(2, layout.err)
CT_ERROR_IN(1, layout.layout.err)
template <class T> CT_FN ct_error ct_error_in(const T &, ct_error_place<0>) { return ct_error{}; }

/* A template for each reason: its assertion prints the sentence, and the compiler's trace of
 * instantiations the numbers, by the letters that the sentence has for them, and the line. C++ before
 * C++26 takes no other message than a literal. A call of a function that is not constexpr, or an
 * incomplete type of the reason's name, shows no more and is harder to read. */
enum { CT_WHY_UNSAID = -1 };
#define CT_FAILED_NUMBERS long long o, long long a, long long b, long long c
#define CT_FAILED(text)                                                                            \
    {                                                                                              \
        static_assert(o != o, text " [%m, %o, %a, %b, %c are m, o, a, b, c of ct_failed below]");  \
        static constexpr bool no = true;                                                           \
    }
template <int why, ct_op op, long long m, CT_FAILED_NUMBERS>
struct ct_failed CT_FAILED("the value carries an error");
template <ct_op op, long long m, CT_FAILED_NUMBERS>
struct ct_failed<CT_WHY_NONE, op, m, o, a, b, c> {
    static constexpr bool no = true;
};
#define CT_REASON(why, text)                                                                       \
    template <ct_op op, long long m, CT_FAILED_NUMBERS>                                            \
    struct ct_failed<why, op, m, o, a, b, c> CT_FAILED(text);
#define CT_REASON_OF(op, why, text)                                                                \
    template <long long m, CT_FAILED_NUMBERS>                                                      \
    struct ct_failed<why, op, m, o, a, b, c> CT_FAILED(text);
#define CT_REASON_OF_SIDE(op, why, m, text)                                                        \
    template <CT_FAILED_NUMBERS> struct ct_failed<why, op, m, o, a, b, c> CT_FAILED(text);
#include <cutlet/algebra/reasons.h>

#define CT_FAILED_BY(e)                                                                            \
    ct_failed<e.status == CT_OK      ? CT_WHY_NONE                                                 \
              : e.why == CT_WHY_NONE ? CT_WHY_UNSAID                                               \
                                     : e.why,                                                      \
              (ct_op)e.op, e.mode, e.other, e.n[0], e.n[1], e.n[2]>::no

/** Fails to compile if a constant carries an error. */
template <const auto &value> struct ct_holds {
    static constexpr ct_error e = ct_error_in(value, ct_error_place<5>());
    static constexpr bool yes = CT_FAILED_BY(e);
};

/** The type of a constant of type T. A header may specialise it: the constant then has a type of
 *  its own, derived from T, and a function template can select code by the constant's value.
 *  `number` is the constant's own: nvcc 13.0 gives constants of one name in two functions one
 *  template argument. */
template <class T, const T &value, int number> struct ct_static_type {
    typedef T type;
};

/** Such a type, whose values are all the constant: is() is a constant expression. */
template <class T, const T &value, int number> struct ct_fixed : T {
    static CT_FN const T *is() { return &value; }
};
template <class T, const T &value, int number>
using ct_static_as = typename ct_static_type<T, value, number>::type;

/** @internal The number of a constant where the compiler does not count, as NVRTC: a hash (FNV-1a) of
 *  its place. If two were equal, the compiler would report two definitions of one function. */
CT_FN int ct_static_number(const char *file, int line)
{
    uint32_t hash = 2166136261u ^ (uint32_t)line;
    for (; *file; ++file) hash = (hash ^ (unsigned char)*file) * 16777619u;
    return (int)(hash >> 1);
}

#if defined(__COUNTER__)
#define CT_STATIC_NUMBER __COUNTER__
#else
#define CT_STATIC_NUMBER ct_static_number(__FILE__, __LINE__)
#endif

#define CT_STATIC(type, name, ...)                                                                 \
    static constexpr type name##_value = __VA_ARGS__;                                              \
    static_assert(ct_holds<name##_value>::yes, "");                                                \
    static constexpr ct_static_as<type, name##_value, CT_STATIC_NUMBER> name = {name##_value}
#define CT_STATIC_AT(type, name, ...)                                                              \
    CT_STATIC(type, name##_here, __VA_ARGS__);                                                     \
    constexpr auto name = &name##_here

#else

#include <stddef.h>
#include <string.h>

#include <cutlet/copy/copy_partition.h>
#include <cutlet/algebra/tensor.h>
#include <cutlet/copy/tiled_copy.h>
#include <cutlet/mma/mma_values.h>

#include <cutlet/device/kernel/on_grid.h>

/* The offset of a value's error, or CT_NO_ERROR. C cannot test whether a type has a member: every
 * structure has `err`, but for these of cutlet. A value that is no structure is measured as one, so
 * that the expression compiles for every type. */
#define CT_NO_ERROR SIZE_MAX
#define CT_ERROR_ELSEWHERE(value, other)                                                           \
    _Generic((value), ct_tiler                                                                     \
             : offsetof(ct_tiler, tiles.err), ct_tensor                                            \
             : offsetof(ct_tensor, layout.err), ct_memory                                          \
             : offsetof(ct_memory, layout.layout.err), ct_tiled_copy                               \
             : offsetof(ct_tiled_copy, atom.err), ct_tiled_mma                                     \
             : offsetof(ct_tiled_mma, atom.err), ct_mma_op                                         \
             : CT_NO_ERROR, default                                                                \
             : other)
typedef struct ct_no_structure {
    ct_error err;
} ct_no_structure;
enum { CT_CLASS_STRUCTURE = 12 }; /* of __builtin_classify_type */
#define CT_ERROR_IS_HERE(value)                                                                    \
    (__builtin_classify_type(value) == CT_CLASS_STRUCTURE && CT_ERROR_ELSEWHERE(value, 1) == 1)
#define CT_ERROR_AT(value)                                                                         \
    (CT_ERROR_IS_HERE(value)                                                                       \
         ? offsetof(__typeof__(__builtin_choose_expr(CT_ERROR_IS_HERE(value), value,               \
                                                     (ct_no_structure)CT_ZERO)),                   \
                    err)                                                                           \
         : CT_ERROR_ELSEWHERE(value, CT_NO_ERROR))

enum { CT_STATIC_NONE, CT_STATIC_BUSY, CT_STATIC_DONE };

/** @internal Returns 1 to the thread that must compute the value; to others 0, when it is
 *  computed. */
static inline int ct_static_begin(int *state)
{
    int none = CT_STATIC_NONE;
    if (__atomic_load_n(state, __ATOMIC_ACQUIRE) == CT_STATIC_DONE) return 0;
    if (__atomic_compare_exchange_n(state, &none, CT_STATIC_BUSY, 0, __ATOMIC_ACQUIRE,
                                    __ATOMIC_ACQUIRE))
        return 1;
    while (__atomic_load_n(state, __ATOMIC_ACQUIRE) != CT_STATIC_DONE) continue;
    return 0;
}

/** @internal Says that the value is computed, or that the next thread must try again. */
static inline void ct_static_end(int *state, int done)
{
    __atomic_store_n(state, done ? CT_STATIC_DONE : CT_STATIC_NONE, __ATOMIC_RELEASE);
}

/** @internal A copy of a value that stays; NULL without memory. */
static inline void *ct_static_keep(const void *value, size_t bytes)
{
    void *const kept = malloc(bytes);
    return kept ? memcpy(kept, value, bytes) : NULL;
}

/** @internal Stops the launch if a value carries an error, or there was no memory for it. */
static inline void ct_static_check(ct_grid_site *site, const char *name, const void *value,
                                   size_t error_at)
{
    static const ct_error no_memory = {.status = CT_E_MEMORY};
    const void *const at = value && error_at != CT_NO_ERROR ? (const char *)value + error_at : NULL;
    const ct_error *const e = value ? (const ct_error *)at : &no_memory;
    if (e && e->status != CT_OK) ct_grid_no_constant(ct_grid_seen(site), name, e);
}

/** @internal CT_STATIC without a test of the value. */
#define CT_STATIC_VALUE(type, name, ...)                                                           \
    static type name;                                                                              \
    static int name##_state = CT_STATIC_NONE;                                                      \
    if (ct_static_begin(&name##_state)) {                                                          \
        name = __VA_ARGS__;                                                                        \
        ct_static_end(&name##_state, 1);                                                           \
    }
#define CT_STATIC(type, name, ...)                                                                 \
    CT_STATIC_VALUE(type, name, __VA_ARGS__)                                                       \
    ct_static_check(CT_GRID_HERE, #name, &name, CT_ERROR_AT(name))
#define CT_STATIC_AT(type, name, ...)                                                              \
    static type *name;                                                                             \
    static int name##_state = CT_STATIC_NONE;                                                      \
    if (ct_static_begin(&name##_state)) {                                                          \
        name = (type *)ct_static_keep(&(type[]){__VA_ARGS__}, sizeof(type));                       \
        ct_static_end(&name##_state, name != NULL);                                                \
    }                                                                                              \
    ct_static_check(CT_GRID_HERE, #name, name, CT_ERROR_AT(*name))

#endif

#endif
