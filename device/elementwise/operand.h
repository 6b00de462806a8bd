/**
 * An operand of an element-wise kernel: an address and a layout, which the host checks.
 *
 * In C:     static _Alignas(8) float data[8];
 *           const ct_operand x = ct_make_operand(data, ct_layout1(8, 1), 4);
 *           assert(x.at == data && x.elem_bytes == 4);
 *           assert(ct_address_check(x.at, x.elem_bytes, CT_OP_NONE, 0).status == CT_OK);
 *           const ct_error e = ct_address_check((char *)data + 2, 4, CT_OP_NONE, 0);
 *           assert(e.why == CT_WHY_ADDRESS && e.n[0] == 2 && e.n[1] == 4); // 2 bytes past
 */
#ifndef CUTLET_DEVICE_ELEMENTWISE_OPERAND_H
#define CUTLET_DEVICE_ELEMENTWISE_OPERAND_H

#include <cutlet/algebra/layout.h>

/** An operand: the address of offset 0, the layout, and the bytes of an element, 1 to 8. A stride
 *  of 0 repeats elements; only inputs may have one. */
typedef struct ct_operand {
    const void *at;
    ct_layout layout;
    int32_t elem_bytes;
} ct_operand;

/**
 * The operand of a layout at an address; elem_bytes: of an element. ct_make_elementwise checks it.
 * Cost:     O(1), no allocation.
 */
CT_FN ct_operand ct_make_operand(const void *at, ct_layout layout, int32_t elem_bytes)
{
    ct_operand o = CT_ZERO;
    o.at = at;
    o.layout = layout;
    o.elem_bytes = elem_bytes;
    return o;
}

/** @internal An error of an operand: mode -1 is the destination, mode k is input k. */
CT_FN ct_error ct_elementwise_error(int32_t status, int32_t why, int32_t side, int64_t a, int64_t b)
{
    return ct_make_error(status, CT_OP_ELEMENTWISE, why, side - 1, a, b);
}

/**
 * The error if an address is not a multiple of its element size, a power of two. op, which: the
 * operation and operand that the error names.
 *
 * Fails:    CT_E_ARGUMENT, CT_WHY_ADDRESS: the bytes past a multiple, and the element size.
 * Cost:     O(1), no allocation, host and device.
 */
CT_FN ct_error ct_address_check(const void *at, int32_t elem_bytes, int32_t op, int32_t which)
{
    const ct_error none = CT_ZERO;
    const int64_t past = (int64_t)((uintptr_t)at & (uintptr_t)(elem_bytes - 1));
    if (past == 0) return none;
    return ct_make_error(CT_E_ARGUMENT, op, CT_WHY_ADDRESS, which, past, elem_bytes);
}

/** @internal The error if a kernel with accesses of `bytes` bytes cannot take an operand. */
CT_FN ct_error ct_operand_check(const ct_operand *o, int32_t side, int32_t bytes)
{
    const int32_t e = o->elem_bytes;
    if (o->layout.err.status) return o->layout.err;
    if (e < 1 || e > 8 || (e & (e - 1)) || bytes < 1 || bytes > 32 || (bytes & (bytes - 1)))
        return ct_elementwise_error(CT_E_ARGUMENT, CT_WHY_ATOM, side, 8 * (int64_t)bytes,
                                    8 * (int64_t)e);
    if (bytes < e)
        return ct_elementwise_error(CT_E_ARGUMENT, CT_WHY_ATOM_BITS, side, 8 * bytes, 8 * e);
    return ct_address_check(o->at, e, CT_OP_ELEMENTWISE, side - 1);
}

#endif
