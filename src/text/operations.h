/**
 * The table of operations: name, kinds of the arguments, function, one line of help.
 */
#ifndef CUTLET_SRC_TEXT_OPERATIONS_H
#define CUTLET_SRC_TEXT_OPERATIONS_H

#include <cutlet/host/eval.h>
#include "reader.h"

/**
 * How functions are called, a row each: ROW(name, kind of the result, its type, types of the arguments,
 * arguments). The letters of a name are the result, then the arguments: L layout, T tiler, t tuple,
 * i integer, m mode number, b true or false, x tensor, s swizzle.
 */
#define CT_SIGNATURES(ROW)                                                                         \
    ROW(L_L, layout, ct_layout, (ct_layout), (L(0)))                                               \
    ROW(L_LL, layout, ct_layout, (ct_layout, ct_layout), (L(0), L(1)))                             \
    ROW(L_LT, layout, ct_layout, (ct_layout, ct_tiler), (L(0), T(1)))                              \
    ROW(L_Li, layout, ct_layout, (ct_layout, int64_t), (L(0), i(1)))                               \
    ROW(L_Lii, layout, ct_layout, (ct_layout, int64_t, int64_t), (L(0), i(1), i(2)))               \
    ROW(L_Lmm, layout, ct_layout, (ct_layout, int, int), (L(0), m(1), m(2)))                       \
    ROW(L_Lm, layout, ct_layout, (ct_layout, int), (L(0), m(1)))                                   \
    ROW(L_Lt, layout, ct_layout, (ct_layout, ct_tuple), (L(0), t(1)))                              \
    ROW(L_LmL, layout, ct_layout, (ct_layout, int, ct_layout), (L(0), m(1), L(2)))                 \
    ROW(L_t, layout, ct_layout, (ct_tuple), (t(0)))                                                \
    ROW(L_tt, layout, ct_layout, (ct_tuple, ct_tuple), (t(0), t(1)))                               \
    ROW(L_ti, layout, ct_layout, (ct_tuple, int64_t), (t(0), i(1)))                                \
    ROW(t_t, tuple, ct_tuple, (ct_tuple), (t(0)))                                                  \
    ROW(t_tt, tuple, ct_tuple, (ct_tuple, ct_tuple), (t(0), t(1)))                                 \
    ROW(t_ttt, tuple, ct_tuple, (ct_tuple, ct_tuple, ct_tuple), (t(0), t(1), t(2)))                \
    ROW(t_it, tuple, ct_tuple, (int64_t, ct_tuple), (i(0), t(1)))                                  \
    ROW(t_tm, tuple, ct_tuple, (ct_tuple, int), (t(0), m(1)))                                      \
    ROW(t_tmm, tuple, ct_tuple, (ct_tuple, int, int), (t(0), m(1), m(2)))                          \
    ROW(t_tmt, tuple, ct_tuple, (ct_tuple, int, ct_tuple), (t(0), m(1), t(2)))                     \
    ROW(t_L, tuple, ct_tuple, (ct_layout), (L(0)))                                                 \
    ROW(t_Lt, tuple, ct_tuple, (ct_layout, ct_tuple), (L(0), t(1)))                                \
    ROW(t_Li, tuple, ct_tuple, (ct_layout, int64_t), (L(0), i(1)))                                 \
    ROW(b_t, bool, int, (ct_tuple), (t(0)))                                                        \
    ROW(b_tt, bool, int, (ct_tuple, ct_tuple), (t(0), t(1)))                                       \
    ROW(x_x, tensor, ct_tensor, (ct_tensor), (x(0)))                                               \
    ROW(x_xL, tensor, ct_tensor, (ct_tensor, ct_layout), (x(0), L(1)))                             \
    ROW(x_xT, tensor, ct_tensor, (ct_tensor, ct_tiler), (x(0), T(1)))                              \
    ROW(x_xm, tensor, ct_tensor, (ct_tensor, int), (x(0), m(1)))                                   \
    ROW(x_xmm, tensor, ct_tensor, (ct_tensor, int, int), (x(0), m(1), m(2)))                       \
    ROW(x_Lx, tensor, ct_tensor, (ct_layout, ct_tensor), (L(0), x(1)))                             \
    ROW(x_xt, tensor, ct_tensor, (ct_tensor, ct_tuple), (x(0), t(1)))                              \
    ROW(x_xi, tensor, ct_tensor, (ct_tensor, int64_t), (x(0), i(1)))                               \
    ROW(x_xii, tensor, ct_tensor, (ct_tensor, int64_t, int64_t), (x(0), i(1), i(2)))               \
    ROW(x_xTt, tensor, ct_tensor, (ct_tensor, ct_tiler, ct_tuple), (x(0), T(1), t(2)))             \
    ROW(x_xLi, tensor, ct_tensor, (ct_tensor, ct_layout, int64_t), (x(0), L(1), i(2)))             \
    ROW(L_xx, layout, ct_layout, (ct_tensor, ct_tensor), (x(0), x(1)))                             \
    ROW(t_x, tuple, ct_tuple, (ct_tensor), (x(0)))                                                 \
    ROW(t_xt, tuple, ct_tuple, (ct_tensor, ct_tuple), (x(0), t(1)))                                \
    ROW(s_si, swizzle, ct_swizzle, (ct_swizzle, int64_t), (s(0), i(1)))

/** Any function; its caller knows the type. */
typedef void ct_function(void);

/** Calls a function with the values of an expression. */
typedef void ct_caller(ct_function *function, const ct_value *arg, int count, ct_value *out);

/** A function that takes the values as they are. */
typedef void ct_type_own(const ct_value *arg, int count, ct_value *out);
ct_caller ct_call_own;

#define CT_SIGNATURE_TYPE(name, kind, result, takes, args)                                         \
    typedef result ct_type_##name takes;                                                           \
    ct_caller ct_call_##name;
CT_SIGNATURES(CT_SIGNATURE_TYPE)

typedef struct ct_operation {
    const char *name;
    const char *takes; /* a letter for each argument: i integer, m mode number, t tuple, L layout or
                          bare shape, l layout, T tiler or tuple, x tensor, X tensor or what L
                          takes, s swizzle, a copy atom, k tiled copy, A MMA atom, M tiled MMA,
                          n name; `+` repeats the last */
    const char *help;
    const char *source; /* the function of C, or TYPE.MEMBER */
    ct_caller *call;
    ct_function *function;
} ct_operation;

/** A function as the one of a row, which has its type, or it does not compile. */
#define CT_FUNCTION(name, function)                                                                \
    (ct_function *)_Generic((function), ct_type_##name * : (function))

/** A row of the table. Its function has one of the signatures, or takes values and names the C
 * function that it calls, or the member of a struct that it reads. */
#define CT_OPERATION(name, takes, signature, function, help)                                       \
    {                                                                                              \
        name, takes, help, #function, ct_call_##signature, CT_FUNCTION(signature, function)        \
    }
#define CT_OPERATION_OWN(name, takes, function, source, help)                                      \
    {                                                                                              \
        name, takes, help, sizeof(&source) ? #source : "", ct_call_own, CT_FUNCTION(own, function) \
    }
#define CT_OPERATION_FIELD(name, takes, function, type, member, help)                              \
    {                                                                                              \
        name, takes, help, sizeof(((type *)0)->member) ? #type "." #member : "", ct_call_own,      \
            CT_FUNCTION(own, function)                                                             \
    }

/** Defines a function that gives one value of a kind: CT_GIVES(run_tv, layout, arg[0].as.copy.tv). */
#define CT_GIVES(function, kind, ...)                                                              \
    static void function(const ct_value *arg, int count, ct_value *out)                            \
    {                                                                                              \
        (void)count;                                                                               \
        ct_give_##kind(out, __VA_ARGS__);                                                          \
    }

/** A group of entries; the last one has no name. */
typedef struct ct_operation_group {
    const char *title;
    const ct_operation *entry;
} ct_operation_group;

extern const ct_operation ct_operations_tuple[];
extern const ct_operation ct_operations_layout[];
extern const ct_operation ct_operations_divide[];
extern const ct_operation ct_operations_partition[];
extern const ct_operation ct_operations_tensor[];
extern const ct_operation ct_operations_swizzle[];
extern const ct_operation ct_operations_copy[];
extern const ct_operation ct_operations_mma[];
extern const ct_operation ct_operations_cost[];
extern const ct_operation_group ct_operation_groups[];

/** The header of each function and type of the public headers; the last has no name. Made by
 * headers.awk. */
typedef struct ct_function_header {
    const char *name, *header;
} ct_function_header;

extern const ct_function_header ct_function_headers[];

/** The meaning of a letter of `takes`, with its article. */
const char *ct_letter_name(char letter);

/** Results: a value, or CT_KIND_ERROR where it is failed. An integer is CT_INVALID where it failed,
 *  and e then says why. */
void ct_give_tuple(ct_value *out, ct_tuple t);
void ct_give_layout(ct_value *out, ct_layout L);
void ct_give_tensor(ct_value *out, ct_tensor t);
void ct_give_swizzle(ct_value *out, ct_swizzle s);
void ct_give_copy_atom(ct_value *out, ct_copy_atom a);
void ct_give_copy(ct_value *out, ct_tiled_copy c);
void ct_give_mma_atom(ct_value *out, ct_mma_atom a);
void ct_give_mma(ct_value *out, ct_tiled_mma m);
void ct_give_bool(ct_value *out, int yes);
void ct_give_int(ct_value *out, int64_t v, ct_error e);
void ct_give_error(ct_value *out, ct_error e);
void ct_give_list(ct_value *out, ct_list list);

/** The integer that an argument of kind i is. */
int64_t ct_arg_int(const ct_value *v);

/** The order of the modes of a shape, arguments 2 and 1: column-major where argument 2 is not given. */
ct_tuple ct_arg_order(const ct_value *arg, int count);

/** Why an integer of L could not be had: L itself, basis strides, overflow. */
ct_error ct_integer_error(ct_layout L, int32_t op);

/** The read of a name, CT_READ_...; -1: there is none. */
int ct_read_named(const char *name);

/** Calls the operation, whose arguments have been matched and converted. */
void ct_operation_run(const ct_operation *o, const ct_value *arg, int count, ct_value *out);

#endif
