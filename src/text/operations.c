/* Calling an entry of the table, whatever the form of its function. */
#include "operations.h"

#include <limits.h>
#include <string.h>

const ct_operation_group ct_operation_groups[] = {
    {"tuples: shapes, strides, coordinates", ct_operations_tuple},
    {"layouts", ct_operations_layout},
    {"divides and products", ct_operations_divide},
    {"tiles and partitions", ct_operations_partition},
    {"products and inverses of tensors", ct_operations_tensor},
    {"swizzles", ct_operations_swizzle},
    {"copies", ct_operations_copy},
    {"matrix multiplication", ct_operations_mma},
    {NULL, NULL},
};

const char *ct_letter_name(char letter)
{
    switch (letter) {
    case 'i': return "an integer";
    case 'm': return "a mode number";
    case 't': return "a tuple";
    case 'L': case 'l': return "a layout";
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

static void run_layout(const ct_operation *o, const ct_value *arg, ct_value *out)
{
    ct_layout r;
    switch (o->form) {
    case CT_FORM_L_L: r = o->call.L_L(L(0)); break;
    case CT_FORM_L_LL: r = o->call.L_LL(L(0), L(1)); break;
    case CT_FORM_L_LT: r = o->call.L_LT(L(0), T(1)); break;
    case CT_FORM_L_Li: r = o->call.L_Li(L(0), i(1)); break;
    case CT_FORM_L_Lii: r = o->call.L_Lii(L(0), i(1), i(2)); break;
    case CT_FORM_L_Lmm: r = o->call.L_Lmm(L(0), m(1), m(2)); break;
    case CT_FORM_L_Lm: r = o->call.L_Lm(L(0), m(1)); break;
    case CT_FORM_L_Lt: r = o->call.L_Lt(L(0), t(1)); break;
    case CT_FORM_L_LmL: r = o->call.L_LmL(L(0), m(1), L(2)); break;
    case CT_FORM_L_xx: r = o->call.L_xx(x(0), x(1)); break;
    case CT_FORM_L_t: r = o->call.L_t(t(0)); break;
    case CT_FORM_L_tt: r = o->call.L_tt(t(0), t(1)); break;
    default: r = o->call.L_ti(t(0), i(1)); break;
    }
    ct_give_layout(out, r);
}

static void run_tuple(const ct_operation *o, const ct_value *arg, ct_value *out)
{
    ct_tuple r;
    switch (o->form) {
    case CT_FORM_t_t: r = o->call.t_t(t(0)); break;
    case CT_FORM_t_tt: r = o->call.t_tt(t(0), t(1)); break;
    case CT_FORM_t_ttt: r = o->call.t_ttt(t(0), t(1), t(2)); break;
    case CT_FORM_t_it: r = o->call.t_it(i(0), t(1)); break;
    case CT_FORM_t_tm: r = o->call.t_tm(t(0), m(1)); break;
    case CT_FORM_t_tmm: r = o->call.t_tmm(t(0), m(1), m(2)); break;
    case CT_FORM_t_tmt: r = o->call.t_tmt(t(0), m(1), t(2)); break;
    case CT_FORM_t_L: r = o->call.t_L(L(0)); break;
    case CT_FORM_t_Lt: r = o->call.t_Lt(L(0), t(1)); break;
    case CT_FORM_t_Li: r = o->call.t_Li(L(0), i(1)); break;
    case CT_FORM_t_x: r = o->call.t_x(x(0)); break;
    default: r = o->call.t_xt(x(0), t(1)); break;
    }
    ct_give_tuple(out, r);
}

static void run_tensor(const ct_operation *o, const ct_value *arg, ct_value *out)
{
    ct_tensor r;
    switch (o->form) {
    case CT_FORM_x_x: r = o->call.x_x(x(0)); break;
    case CT_FORM_x_xL: r = o->call.x_xL(x(0), L(1)); break;
    case CT_FORM_x_xT: r = o->call.x_xT(x(0), T(1)); break;
    case CT_FORM_x_xt: r = o->call.x_xt(x(0), t(1)); break;
    case CT_FORM_x_xi: r = o->call.x_xi(x(0), i(1)); break;
    case CT_FORM_x_xii: r = o->call.x_xii(x(0), i(1), i(2)); break;
    case CT_FORM_x_xm: r = o->call.x_xm(x(0), m(1)); break;
    case CT_FORM_x_xmm: r = o->call.x_xmm(x(0), m(1), m(2)); break;
    case CT_FORM_x_Lx: r = o->call.x_Lx(L(0), x(1)); break;
    case CT_FORM_x_xTt: r = o->call.x_xTt(x(0), T(1), t(2)); break;
    default: r = o->call.x_xLi(x(0), L(1), i(2)); break;
    }
    ct_give_tensor(out, r);
}

void ct_operation_run(const ct_operation *o, const ct_value *arg, int count, ct_value *out)
{
    switch (o->form) {
    case CT_FORM_OWN: o->call.own(arg, count, out); break;
    case CT_FORM_b_t: ct_give_bool(out, o->call.b_t(t(0))); break;
    case CT_FORM_b_tt: ct_give_bool(out, o->call.b_tt(t(0), t(1))); break;
    case CT_FORM_s_si: ct_give_swizzle(out, o->call.s_si(arg[0].as.swizzle, i(1))); break;
    case CT_FORM_t_t: case CT_FORM_t_tt: case CT_FORM_t_ttt: case CT_FORM_t_it: case CT_FORM_t_tm:
    case CT_FORM_t_tmm: case CT_FORM_t_tmt: case CT_FORM_t_L: case CT_FORM_t_Lt: case CT_FORM_t_Li:
    case CT_FORM_t_x: case CT_FORM_t_xt:
        run_tuple(o, arg, out);
        break;
    case CT_FORM_x_x: case CT_FORM_x_xL: case CT_FORM_x_xT: case CT_FORM_x_xt: case CT_FORM_x_xi:
    case CT_FORM_x_xii: case CT_FORM_x_xm: case CT_FORM_x_xmm: case CT_FORM_x_Lx: case CT_FORM_x_xTt:
    case CT_FORM_x_xLi:
        run_tensor(o, arg, out);
        break;
    default: run_layout(o, arg, out); break;
    }
}
