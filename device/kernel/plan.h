/**
 * A plan: the constants of a kernel as one structure, which its functions pass on.
 *
 *     typedef struct gemm_plan { ct_partition load; ct_gemm_partition mma; ct_fragment c; } gemm_plan;
 *     CT_PLAN(gemm_plan);
 *
 *     CT_DEVICE_OF(gemm_plan) void consume(const gemm_plan *p, ...)
 *     {
 *         CT_REGISTERS_OF(float, c, p, c);
 *         ct_gemm(CT_OF(p, mma), c, a, b, 0);
 *     }
 *     CT_KERNEL(product, args_type, args)
 *     {
 *         CT_STATIC_PLAN(gemm_plan, p, make_plan());
 *         consume(&p, ...);
 *     }
 *
 * CT_OF(p, member) is a pointer to a member whose value nvcc knows: calls select code by it, and name an instruction.
 * To that end the functions are templates of the plan's type, which nvcc has one of for each constant. In C they are
 * functions of a pointer. A member that is used as a number, or by a view, needs no more than p->member.
 *
 * Fails:    A member that carries an error is refused where CT_OF uses it, by its name: when nvcc compiles the call, and
 *           at the kernel's line on the CPU grid. A function of CT_DEVICE has no constant plan: nvcc says that the plan
 *           has no is().
 * Cost:     none in a GPU's kernel. Each constant plan compiles the functions again.
 * In a kernel:
 *           CT_STATIC(ct_layout, tv, ct_layout2(4, 8, 8, 1)); // plans of one's own are declared outside of functions
 *           assert(ct_size(tv) == 32);
 * Used by:  examples/tutorial/wgmma.cu
 */
#ifndef CUTLET_DEVICE_KERNEL_PLAN_H
#define CUTLET_DEVICE_KERNEL_PLAN_H

#include <cutlet/device/kernel/static.h>

#if defined(__CUDACC__)

/** T of a reference to it, of a constant, or of itself. */
template <class T> struct ct_bare {
    typedef T type;
};
template <class T> struct ct_bare<T &> : ct_bare<T> {
};
template <class T> struct ct_bare<const T> : ct_bare<T> {
};
template <class T> using ct_bare_of = typename ct_bare<T>::type;

/** @internal A member of a constant plan as a type: is() is the constant expression of its address. */
template <class T, class plan, auto member> struct ct_fixed_member : T {
    static CT_FN const T *is() { return &(plan::is()->*member); }
};
/** The type of a member; a header may specialise it, as ct_static_type. */
template <class T, class plan, auto member> struct ct_member_type {
    typedef ct_fixed_member<T, plan, member> type;
};
template <class plan, auto member> struct ct_member_holds {
    static constexpr ct_error e = ct_error_in(plan::is()->*member, ct_error_place<5>());
    static constexpr bool yes = CT_FAILED_BY(e);
};
template <class T, class plan, auto member> struct ct_member {
    static_assert(ct_member_holds<plan, member>::yes, "");
    typedef typename ct_member_type<T, plan, member>::type type;
};
template <class T, class plan, auto member>
using ct_member_as = typename ct_member<ct_bare_of<T>, ct_bare_of<plan>, member>::type;

#define CT_PLAN(plan)                                                                              \
    template <const plan &value, int number> struct ct_static_type<plan, value, number> {          \
        typedef ct_fixed<plan, value, number> type;                                                \
    }
/* The parameter of the template hides the structure's name: each constant plan has functions of its own. */
#define CT_DEVICE_OF(plan) template <class plan> CT_DEVICE
/* A cast, not a function: through the result of a function, which it inlines later, nvcc 13.0 takes twice as long to
 * compile a copy. */
#define CT_OF(p, member)                                                                           \
    (static_cast<const ct_member_as<decltype((p)->member), decltype(*(p)),                         \
                                    &ct_bare_of<decltype(*(p))>::member> *>(&(p)->member))
#define CT_STATIC_PLAN(type, name, ...) CT_STATIC(type, name, __VA_ARGS__)

#else

/** Says, after a structure, that it is a plan. */
#define CT_PLAN(plan) typedef plan plan##_of_kernel
/** Marks a function that takes a plan. */
#define CT_DEVICE_OF(plan) CT_DEVICE
/** A pointer to a member of a plan. */
#define CT_OF(p, member)                                                                           \
    (ct_static_check(CT_GRID_HERE, #member, &(p)->member, CT_ERROR_AT((p)->member)), &(p)->member)
/** CT_STATIC of a plan, whose members carry the errors. */
#define CT_STATIC_PLAN(type, name, ...) CT_STATIC_VALUE(type, name, __VA_ARGS__)

#endif

#endif
