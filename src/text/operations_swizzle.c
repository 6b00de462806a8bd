/* Swizzles. */
#include <stdlib.h>

#include <cutlet/algebra/linear_layout.h>
#include "operations.h"

static int bound(int64_t v) { return v > 1000 ? 1000 : v < -1000 ? -1000 : (int)v; }

CT_GIVES(run_make_swizzle, swizzle,
         ct_make_swizzle(bound(ct_arg_int(&arg[0])), bound(ct_arg_int(&arg[1])),
                         bound(ct_arg_int(&arg[2]))))
CT_GIVES(run_swizzled, tensor, ct_make_swizzled(arg[0].as.swizzle, 0, arg[1].as.layout))
CT_GIVES(run_make_composed, tensor,
         ct_make_swizzled(arg[0].as.swizzle, ct_arg_int(&arg[1]), arg[2].as.layout))
CT_GIVES(run_composition, swizzle, ct_swizzle_composition(arg[0].as.swizzle, arg[1].as.swizzle))

static ct_linear_layout linear(const ct_value *arg) { return ct_make_linear(arg->as.tensor); }

/* The origin, then the image of each bit: a tuple, or a list of more than it holds. */
static void give_images(ct_linear_layout f, ct_value *out)
{
    ct_list list = {f.bits + 1, NULL};
    ct_error e = f.err;
    if (e.status == CT_OK) {
        e = ct_make_error(CT_E_MEMORY, CT_OP_LINEAR, CT_WHY_NONE, 0, 0, 0);
        list.item = malloc(sizeof(int64_t) * (size_t)list.count);
    }
    if (!list.item) {
        ct_give_error(out, e);
        return;
    }
    ct_tuple all = ct_tuple1(list.item[0] = f.origin);
    for (int k = 0; k < f.bits; ++k) {
        list.item[k + 1] = f.image[k];
        if (list.count <= CT_MAX_LEAVES) all = ct_append(all, ct_int(f.image[k]));
    }
    if (list.count > CT_MAX_LEAVES) {
        ct_give_list(out, list);
        return;
    }
    free(list.item);
    ct_give_tuple(out, all);
}

static void run_images(const ct_value *arg, int count, ct_value *out)
{
    give_images(count == 1 ? linear(arg) : ct_linear_composition(linear(arg), linear(arg + 1)),
                out);
}

/* Of a swizzle over a tensor: of all offsets of its bits. */
static void run_swizzle_images(const ct_value *arg, int count, ct_value *out)
{
    (void)count;
    const ct_linear_layout g = linear(arg + 1);
    int bits = 0;
    while (ct_linear_reach(&g) >> bits != 0) ++bits;
    const ct_layout all = ct_layout1((int64_t)1 << bits, 1);
    const ct_tensor f = ct_make_swizzled(arg[0].as.swizzle, 0, all);
    give_images(ct_linear_composition(ct_make_linear(f), g), out);
}

CT_GIVES(run_linear, tensor, ct_linear_tensor(linear(arg)))
CT_GIVES(run_linear_composition, tensor,
         ct_linear_tensor(ct_linear_composition(linear(arg), linear(arg + 1))))
CT_GIVES(run_linear_inverse, tensor, ct_linear_tensor(ct_linear_inverse(linear(arg))))

#define OP CT_OPERATION
#define OWN CT_OPERATION_OWN

const ct_operation ct_operations_swizzle[] = {
    OWN("make_swizzle", "iii", run_make_swizzle, ct_make_swizzle, "Sw<bits,base,shift>"),
    OWN("composition", "sL", run_swizzled, ct_make_swizzled,
        "a swizzle of the offsets of a layout: Sw<3,4,3> o 0 o L"),
    OWN("composition", "ss", run_composition, ct_swizzle_composition,
        "the swizzle that does what the second, then the first does"),
    OWN("make_composed", "siL", run_make_composed, ct_make_swizzled,
        "the same with an offset in between"),
    OWN("linear_images", "X", run_images, ct_make_linear,
        "a linear layout: the offset of index 0, then the bits that each bit of the index XORs in"),
    OWN("linear_images", "XX", run_images, ct_linear_composition,
        "the same of R(i) = F(G(i)), which no single swizzle need be"),
    OWN("linear_images", "sX", run_swizzle_images, ct_linear_composition,
        "the same of a swizzle over a tensor, swizzled or not"),
    OWN("linear_layout", "X", run_linear, ct_linear_tensor,
        "the same function as a swizzle of the fewest bits after a layout"),
    OWN("linear_composition", "XX", run_linear_composition, ct_linear_composition,
        "R(i) = F(G(i)) of linear layouts"),
    OWN("linear_inverse", "X", run_linear_inverse, ct_linear_inverse,
        "F(R(F(i))) = F(i) of a linear layout"),
    OP("upcast", "si", s_si, ct_swizzle_upcast, "the same on elements n times as large"),
    OP("downcast", "si", s_si, ct_swizzle_downcast, "the same on elements a factor n smaller"),
    {0},
};
