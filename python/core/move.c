/* Copies at once: an end that no plan takes as it is goes by memory between, element by element. */
#include <Python.h>

#include <string.h>

#include "arrays.h"

int core_end_is_plain(const core_end *e)
{
    const int32_t bytes = e->side.elem_bytes;
    int plain = e->swap == 0 && bytes <= 16 && (uintptr_t)e->at % (uintptr_t)(bytes & -bytes) == 0;
    for (int k = 0; e->steps && k < e->side.memory.layout.profile.leaves; ++k)
        plain &= e->steps[k] % bytes == 0;
    return plain;
}

void core_swap_bytes(void *at, int64_t bytes, int32_t number_bytes)
{
    unsigned char *byte = at;
    for (int64_t first = 0; number_bytes && first < bytes;
         first += number_bytes, byte += number_bytes) {
        for (int32_t low = 0, high = number_bytes - 1; low < high; ++low, --high) {
            const unsigned char kept = byte[low];
            byte[low] = byte[high];
            byte[high] = kept;
        }
    }
}

/* Plans a copy and runs it; to NULL: plans it alone. */
static int run(void *to, const void *from, const ct_plan_desc *d, int effort, void *stream)
{
    ct_plan *made = NULL;
    char message[CT_MESSAGE_BYTES];
    ct_status bad;
    Py_BEGIN_ALLOW_THREADS bad = ct_plan_create(d, effort, &made, message);
    if (!bad && to) bad = ct_plan_run(made, to, from, stream, message);
    ct_plan_destroy(made);
    Py_END_ALLOW_THREADS if (bad) core_raise(bad, message, NULL, NULL);
    return bad ? -1 : 0;
}

/* Copies the elements of an end to or from memory where they lie one after another, in the order of their index. */
static void pack(const core_end *e, unsigned char *packed, int64_t size, int writes)
{
    const int64_t bytes = e->side.elem_bytes;
    const ct_layout *const L = &e->side.memory.layout;
    const int counts =
        e->side.memory.swizzle.bits == 0; /* from one element to the next; else each by its index */
    int64_t at = ct_tensor_offset(&e->side.memory, 0) * bytes, coord[CT_MAX_LEAVES] = {0};
    for (int64_t i = 0; i < size; ++i, packed += bytes) {
        unsigned char *const own =
            (unsigned char *)e->at + (counts ? at : ct_tensor_offset(&e->side.memory, i) * bytes);
        memcpy(writes ? own : packed, writes ? packed : own, (size_t)bytes);
        for (int k = 0; counts && k < L->profile.leaves; ++k) {
            const int64_t step = e->steps ? e->steps[k] : L->stride[k] * bytes;
            at += step;
            if (++coord[k] < L->shape[k]) break;
            at -= step * coord[k];
            coord[k] = 0;
        }
    }
}

/* From memory to memory between, in this machine's byte order, and on; the destination is checked first. */
static int move_between(core_end *to, core_end *from, int converts, const ct_plan_desc *given,
                        int effort, int64_t size)
{
    const int64_t from_bytes = size * from->side.elem_bytes, to_bytes = size * to->side.elem_bytes;
    ct_plan_desc d = *given;
    d.has_scale = 0;
    d.src = ct_plan_side_raw(ct_layout1(size, 1), 1);
    d.dst = d.src;
    d.dst.memory = to->side.memory;
    for (int k = 0; to->steps && k < d.dst.memory.layout.profile.leaves; ++k)
        d.dst.memory.layout.stride[k] = to->steps[k];
    if (run(NULL, NULL, &d, effort, NULL)) return -1;
    unsigned char *const first = malloc((size_t)from_bytes);
    unsigned char *const last = converts ? malloc((size_t)to_bytes) : first;
    int bad = !first || !last;
    if (bad) PyErr_NoMemory();
    if (!bad) {
        pack(from, first, size, 0);
        core_swap_bytes(first, from_bytes, from->swap);
        d = *given;
        d.src.memory = d.dst.memory = ct_make_tensor(ct_layout1(size, 1));
        bad = converts && run(last, first, &d, effort, NULL);
    }
    if (!bad) {
        core_swap_bytes(last, to_bytes, to->swap);
        pack(to, last, size, 1);
    }
    free(first);
    if (converts) free(last);
    return bad ? -1 : 0;
}

int core_move(core_end *to, core_end *from, int converts, ct_plan_desc *d, int effort, void *stream)
{
    const ct_layout *const src = &from->side.memory.layout, *const dst = &to->side.memory.layout;
    const int64_t size = src->err.status ? 0 : ct_size(*src),
                  capacity = dst->err.status ? 0 : ct_size(*dst);
    d->src = from->side;
    d->dst = to->side;
    if (core_end_is_plain(to) && core_end_is_plain(from))
        return run(to->at, from->at, d, effort, stream);
    if (size == capacity && d->device == 0)
        return size ? move_between(to, from, converts, d, effort, size) : 0;
    if (size == capacity) PyErr_SetString(PyExc_ValueError, "elements on a device are not aligned");
    else
        PyErr_Format(PyExc_ValueError, "the source has %lld elements, the destination %lld",
                     (long long)size, (long long)capacity);
    return -1;
}
