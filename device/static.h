/**
 * Constants of a kernel that a function computes: by the compiler on the GPU, once on the CPU grid.
 *
 *     CT_STATIC(ct_layout, tv, ct_composition(A, B));
 *
 * nvcc folds the value into the kernel. C has no constant structures made by functions, so there
 * the first thread that arrives makes it; the macro stands in for the keyword that C lacks.
 */
#ifndef CUTLET_DEVICE_STATIC_H
#define CUTLET_DEVICE_STATIC_H

#if defined(__CUDACC__)

#define CT_STATIC(type, name, ...) static constexpr type name = __VA_ARGS__

#else

enum { CT_STATIC_NONE, CT_STATIC_BUSY, CT_STATIC_DONE };

/** 1 for the thread that has to make the value; 0, the value made, for every other. */
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

static inline void ct_static_end(int *state)
{
    __atomic_store_n(state, CT_STATIC_DONE, __ATOMIC_RELEASE);
}

#define CT_STATIC(type, name, ...)                \
    static type name;                             \
    static int name##_state = CT_STATIC_NONE;     \
    if (ct_static_begin(&name##_state)) {         \
        name = __VA_ARGS__;                       \
        ct_static_end(&name##_state);             \
    }

#endif

#endif
