/**
 * The table of operations: name, kinds of the arguments, function, one line of help.
 */
#ifndef CUTLET_SRC_TEXT_OPERATIONS_H
#define CUTLET_SRC_TEXT_OPERATIONS_H

#include "cutlet/host/eval.h"
#include "reader.h"

/** How a function is called: its result, then its arguments. L layout, T tiler, t tuple, i integer,
 *  b true or false, x tensor, s swizzle, k tiled copy, a copy atom, M tiled MMA, A MMA atom. */
enum {
    CT_FORM_OWN, CT_FORM_L_L, CT_FORM_L_LL, CT_FORM_L_LT, CT_FORM_L_Li, CT_FORM_L_Lii,
    CT_FORM_L_Lmm, CT_FORM_L_Lm, CT_FORM_L_Lt, CT_FORM_L_LmL, CT_FORM_L_t, CT_FORM_L_tt, CT_FORM_L_ti, CT_FORM_t_t, CT_FORM_t_tt, CT_FORM_t_ttt, CT_FORM_t_it,
    CT_FORM_t_tm, CT_FORM_t_tmm, CT_FORM_t_tmt, CT_FORM_t_L, CT_FORM_t_Lt, CT_FORM_t_Li,
    CT_FORM_b_t, CT_FORM_b_tt, CT_FORM_x_x, CT_FORM_x_xL, CT_FORM_x_xT, CT_FORM_x_xt, CT_FORM_x_xi,
    CT_FORM_x_xii, CT_FORM_x_xm, CT_FORM_x_xmm, CT_FORM_x_Lx, CT_FORM_x_xTt, CT_FORM_x_xLi, CT_FORM_L_xx, CT_FORM_t_x, CT_FORM_t_xt,
    CT_FORM_s_si
};

typedef struct ct_operation {
    const char *name;
    const char *takes; /* a letter for each argument: i integer, m mode number, t tuple, L layout or
                          bare shape, l layout, T tiler or tuple, x tensor, X tensor or what L
                          takes, s swizzle, a copy atom, k tiled copy, A MMA atom, M tiled MMA,
                          n name; `+` repeats the last */
    const char *help;
    const char *source; /* the function of C, or TYPE.MEMBER */
    int form;
    union {
        void (*own)(const ct_value *arg, int count, ct_value *out);
        ct_layout (*L_L)(ct_layout);
        ct_layout (*L_LL)(ct_layout, ct_layout);
        ct_layout (*L_LT)(ct_layout, ct_tiler);
        ct_layout (*L_Li)(ct_layout, int64_t);
        ct_layout (*L_Lii)(ct_layout, int64_t, int64_t);
        ct_layout (*L_Lmm)(ct_layout, int, int);
        ct_layout (*L_Lm)(ct_layout, int);
        ct_layout (*L_Lt)(ct_layout, ct_tuple);
        ct_layout (*L_LmL)(ct_layout, int, ct_layout);
        ct_layout (*L_t)(ct_tuple);
        ct_layout (*L_tt)(ct_tuple, ct_tuple);
        ct_layout (*L_ti)(ct_tuple, int64_t);
        ct_tuple (*t_t)(ct_tuple);
        ct_tuple (*t_tt)(ct_tuple, ct_tuple);
        ct_tuple (*t_ttt)(ct_tuple, ct_tuple, ct_tuple);
        ct_tuple (*t_it)(int64_t, ct_tuple);
        ct_tuple (*t_tm)(ct_tuple, int);
        ct_tuple (*t_tmm)(ct_tuple, int, int);
        ct_tuple (*t_tmt)(ct_tuple, int, ct_tuple);
        ct_tuple (*t_L)(ct_layout);
        ct_tuple (*t_Lt)(ct_layout, ct_tuple);
        ct_tuple (*t_Li)(ct_layout, int64_t);
        int (*b_t)(ct_tuple);
        int (*b_tt)(ct_tuple, ct_tuple);
        ct_tensor (*x_x)(ct_tensor);
        ct_tensor (*x_xL)(ct_tensor, ct_layout);
        ct_tensor (*x_xT)(ct_tensor, ct_tiler);
        ct_tensor (*x_xm)(ct_tensor, int);
        ct_tensor (*x_xmm)(ct_tensor, int, int);
        ct_tensor (*x_Lx)(ct_layout, ct_tensor);
        ct_tensor (*x_xt)(ct_tensor, ct_tuple);
        ct_tensor (*x_xi)(ct_tensor, int64_t);
        ct_tensor (*x_xii)(ct_tensor, int64_t, int64_t);
        ct_tensor (*x_xTt)(ct_tensor, ct_tiler, ct_tuple);
        ct_tensor (*x_xLi)(ct_tensor, ct_layout, int64_t);
        ct_layout (*L_xx)(ct_tensor, ct_tensor);
        ct_tuple (*t_x)(ct_tensor);
        ct_tuple (*t_xt)(ct_tensor, ct_tuple);
        ct_swizzle (*s_si)(ct_swizzle, int64_t);
    } call;
} ct_operation;

/** An entry whose function has one of the forms, and one whose function takes values: there the
 * function of C that it calls, or the member of a struct that it reads. */
#define CT_OPERATION(name, takes, form, function, help) \
    {name, takes, help, #function, CT_FORM_##form, {.form = function}}
#define CT_OPERATION_OWN(name, takes, function, source, help) \
    {name, takes, help, sizeof(&source) ? #source : "", CT_FORM_OWN, {.own = function}}
#define CT_OPERATION_FIELD(name, takes, function, type, member, help) \
    {name, takes, help, sizeof(((type *)0)->member) ? #type "." #member : "", CT_FORM_OWN, \
     {.own = function}}

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
extern const ct_operation_group ct_operation_groups[];

/** The header of each function and type of the public headers; the last has no name. Made by
 * headers.awk. */
typedef struct ct_function_header {
    const char *name, *header;
} ct_function_header;

extern const ct_function_header ct_function_headers[];

/** What a letter of `takes` stands for, with its article. */
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

/** Calls the operation, whose arguments have been matched and converted. */
void ct_operation_run(const ct_operation *o, const ct_value *arg, int count, ct_value *out);

#endif
