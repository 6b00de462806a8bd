/* Calling a row of the table, for any signature of its function. */
#include "operations.h"

#include <limits.h>

const char *ct_letter_name(char letter)
{
    switch (letter) {
        case 'i': return "an integer";
        case 'm': return "a mode number";
        case 't': return "a tuple";
        case 'L':
        case 'l': return "a layout";
        case 'T': return "a tiler";
        case 'x': return "a tensor";
        case 'X': return "a tensor or a layout";
        case 's': return "a swizzle";
        case 'a': return "a copy atom";
        case 'k': return "a tiled copy";
        case 'A': return "an MMA atom";
        case 'M': return "a tiled MMA";
        case 'n': return "a name";
        default: return "a value";
    }
}

void ct_give_error(ct_value *out, ct_error e) { ct_value_fail(out, e, 0, 0); }

/* Ends a result: *out holds a value of the kind, which may carry an error. */
static void settle(ct_value *out, int kind)
{
    out->kind = kind;
    const ct_error e = ct_value_error(out);
    if (e.status) ct_give_error(out, e);
}

void ct_give_tuple(ct_value *out, ct_tuple t)
{
    out->as.tuple = t;
    settle(out, CT_KIND_TUPLE);
}

void ct_give_layout(ct_value *out, ct_layout L)
{
    out->as.layout = L;
    settle(out, CT_KIND_LAYOUT);
}

void ct_give_tensor(ct_value *out, ct_tensor t)
{
    out->as.tensor = t;
    settle(out, CT_KIND_TENSOR);
}

void ct_give_swizzle(ct_value *out, ct_swizzle s)
{
    out->as.swizzle = s;
    settle(out, CT_KIND_SWIZZLE);
}

void ct_give_copy_atom(ct_value *out, ct_copy_atom a)
{
    out->as.atom = a;
    settle(out, CT_KIND_COPY_ATOM);
}

void ct_give_copy(ct_value *out, ct_tiled_copy c)
{
    out->as.copy = c;
    settle(out, CT_KIND_TILED_COPY);
}

void ct_give_mma_atom(ct_value *out, ct_mma_atom a)
{
    out->as.mma_atom = a;
    settle(out, CT_KIND_MMA_ATOM);
}

void ct_give_mma(ct_value *out, ct_tiled_mma m)
{
    out->as.mma = m;
    settle(out, CT_KIND_TILED_MMA);
}

void ct_give_bool(ct_value *out, int yes)
{
    out->kind = CT_KIND_BOOL;
    out->as.boolean = yes != 0;
}

void ct_give_int(ct_value *out, int64_t v, ct_error e)
{
    if (v == CT_INVALID) ct_give_error(out, e);
    else ct_give_tuple(out, ct_int(v));
}

void ct_give_list(ct_value *out, ct_list list)
{
    out->kind = CT_KIND_LIST;
    out->as.list = list;
}

int64_t ct_arg_int(const ct_value *v) { return v->as.tuple.value[0]; }

ct_error ct_integer_error(ct_layout L, int32_t op)
{
    if (L.err.status) return L.err;
    for (int i = 0; i < L.profile.leaves; ++i) {
        if (L.basis[i] != CT_INTEGER)
            return ct_make_error(CT_E_ARGUMENT, op, CT_WHY_NOT_INTEGER, i, 0, 0);
    }
    return ct_make_error(CT_E_OVERFLOW, op, CT_WHY_OVERFLOW, 0, 0, 0);
}

ct_tuple ct_arg_order(const ct_value *arg, int count)
{
    if (count == 3) return arg[2].as.tuple;
    if (ct_is_integer(arg[1].as.tuple)) return ct_int(0);
    ct_tuple order = ct_tuple0();
    for (int k = 0; k < ct_rank(arg[1].as.tuple); ++k) order = ct_append(order, ct_int(k));
    return order;
}

/* A mode number; one that no mode has stays one that no mode has. */
static int mode(const ct_value *v)
{
    const int64_t k = ct_arg_int(v);
    return k < -1 ? -1 : k > INT_MAX ? INT_MAX : (int)k;
}

#define L(k) arg[k].as.layout
#define T(k) arg[k].as.tiler
#define t(k) arg[k].as.tuple
#define x(k) arg[k].as.tensor
#define i(k) ct_arg_int(&arg[k])
#define m(k) mode(&arg[k])

#define s(k) arg[k].as.swizzle

#define CALLER(name, kind, result, takes, args)                                                    \
    void ct_call_##name(ct_function *function, const ct_value *arg, int count, ct_value *out)      \
    {                                                                                              \
        (void)count;                                                                               \
        ct_give_##kind(out, ((ct_type_##name *)function)args);                                     \
    }
CT_SIGNATURES(CALLER)

void ct_call_own(ct_function *function, const ct_value *arg, int count, ct_value *out)
{
    ((ct_type_own *)function)(arg, count, out);
}

void ct_operation_run(const ct_operation *o, const ct_value *arg, int count, ct_value *out)
{
    o->call(o->function, arg, count, out);
}
