#include "offsets.h"

#include <stdlib.h>

#include <cutlet/algebra/coord.h>
#include "operations.h"

int ct_function_size(const ct_value *v, int64_t *size)
{
    switch (v->kind) {
        case CT_KIND_LAYOUT: *size = ct_size(v->as.layout); return 1;
        case CT_KIND_TENSOR: *size = ct_size(v->as.tensor.layout); return 1;
        default: return 0;
    }
}

ct_tuple ct_function_at(const ct_value *v, int64_t i)
{
    switch (v->kind) {
        case CT_KIND_TUPLE: return ct_at(ct_layout_of_shape(v->as.tuple), ct_int(i));
        case CT_KIND_LAYOUT:
            if (ct_is_integral(v->as.layout)) return ct_int(ct_eval(v->as.layout, i));
            return ct_at(v->as.layout, ct_int(i));
        default:
            if (ct_is_integral(v->as.tensor.layout) && ct_offset_is_integer(&v->as.tensor.offset))
                return ct_int(ct_tensor_offset(&v->as.tensor, i));
            return ct_tensor_at(v->as.tensor, ct_int(i));
    }
}

void ct_run_offsets(const ct_value *arg, int count, ct_value *out)
{
    (void)count;
    int64_t size = 0;
    ct_function_size(arg, &size);
    if (size > CT_MAX_LIST) {
        ct_give_error(
            out, ct_make_error(CT_E_CAPACITY, CT_OP_OFFSETS, CT_WHY_LEAVES, 0, size, CT_MAX_LIST));
        return;
    }
    ct_tuple all = ct_tuple0();
    if (size <= CT_MAX_LEAVES) { /* coordinates too, as far as they fit */
        for (int64_t i = 0; i < size; ++i) all = ct_append(all, ct_function_at(arg, i));
        ct_give_tuple(out, all);
        return;
    }
    ct_list list = {size, malloc(sizeof(int64_t) * (size_t)size)};
    ct_error e = ct_make_error(CT_E_CAPACITY, CT_OP_OFFSETS, CT_WHY_LEAVES, 0, size, CT_MAX_LEAVES);
    int bad = list.item == NULL;
    if (bad) e = ct_make_error(CT_E_MEMORY, CT_OP_OFFSETS, CT_WHY_NONE, 0, 0, 0);
    for (int64_t i = 0; i < size && !bad; ++i) {
        const ct_tuple offset = ct_function_at(arg, i);
        if (offset.err.status) e = offset.err;
        bad = offset.err.status || !ct_is_integer(offset);
        list.item[i] = offset.value[0];
    }
    if (bad) {
        free(list.item);
        ct_give_error(out, e);
        return;
    }
    ct_give_list(out, list);
}
