/* Copies at once: ends that no plan takes as they are go in units of bytes, or by memory between. */
#include <Python.h>

#include <string.h>

#include "arrays.h"

enum { PLAN_BYTES = 16 };

int core_end_is_plain(const core_end *e)
{
    const int32_t bytes = e->side.elem_bytes;
    int plain = e->swap == 0 && bytes <= PLAN_BYTES && (uintptr_t)e->at % (uintptr_t)(bytes & -bytes) == 0;
    for (int k = 0; e->steps && k < e->side.memory.layout.profile.leaves; ++k) plain &= e->steps[k] % bytes == 0;
    return plain;
}

void core_swap_bytes(void *at, int64_t bytes, int32_t number_bytes)
{
    unsigned char *const byte = at;
    for (int64_t first = 0; first + number_bytes <= bytes; first += number_bytes) {
        for (int32_t k = 0; k < number_bytes / 2; ++k) {
            const unsigned char low = byte[first + k];
            byte[first + k] = byte[first + number_bytes - 1 - k];
            byte[first + number_bytes - 1 - k] = low;
        }
    }
}

static int64_t elements(const core_end *e)
{
    return e->side.memory.layout.err.status ? 0 : ct_size(e->side.memory.layout);
}

/* Plans a copy and runs it. */
static int run(void *to, const void *from, const ct_plan_desc *d, int effort, void *stream)
{
    ct_plan *made = NULL;
    char message[CT_MESSAGE_BYTES];
    ct_status bad;
    Py_BEGIN_ALLOW_THREADS
    bad = ct_plan_create(d, effort, &made, message);
    if (!bad) bad = ct_plan_run(made, to, from, stream, message);
    ct_plan_destroy(made);
    Py_END_ALLOW_THREADS
    if (bad) core_raise(bad, message, NULL, NULL);
    return bad ? -1 : 0;
}

/* The end in units: an element is several of them, by one more mode, the last. */
static int in_units(const core_end *e, int32_t unit, ct_plan_side *side)
{
    const int64_t parts = e->side.elem_bytes / unit;
    ct_tensor t = e->side.memory;
    ct_tuple shape = ct_shape(t.layout), stride = ct_stride(t.layout);
    const int n = shape.profile.leaves;
    int ok = n < CT_MAX_LEAVES || parts == 1;
    for (int k = 0; k < n; ++k)
        stride.value[k] = e->steps ? e->steps[k] / unit : ct_mul(stride.value[k], parts, &ok);
    if (parts > 1 && ok) {
        shape.value[n] = parts;
        stride.value[n] = 1;
        shape.profile = stride.profile = ct_profile_flat(n + 1);
    }
    t.layout = ct_make_layout(shape, stride);
    t.offset.value[0] = ct_mul(t.offset.value[0], parts, &ok);
    if (t.swizzle.bits > 0) {
        int log = 0;
        while ((int64_t)1 << log < parts) ++log;
        ok &= (int64_t)1 << log == parts;
        t.swizzle = ct_make_swizzle(t.swizzle.bits, t.swizzle.base + log, t.swizzle.shift);
    }
    memset(side, 0, sizeof *side);
    side->memory = t;
    side->type = CT_TYPE_RAW;
    side->elem_bytes = unit;
    if (!ok)
        PyErr_Format(PyExc_ValueError, "elements of %d bytes at multiples of %d are not moved by this layout: it is "
                     "swizzled, or has %d modes", e->side.elem_bytes, unit, CT_MAX_LEAVES);
    return ok ? 0 : -1;
}

/* Copies the bytes of elements, in the largest units that both ends are aligned to. */
static int move_bytes(const core_end *to, const core_end *from, const ct_plan_desc *given, int effort, void *stream)
{
    const core_end *const both[2] = {to, from};
    ct_plan_desc d = *given;
    uint64_t bits = PLAN_BYTES | (uint64_t)to->side.elem_bytes | (uintptr_t)to->at | (uintptr_t)from->at;
    for (int k = 0; k < 2; ++k) {
        for (int i = 0; both[k]->steps && i < both[k]->side.memory.layout.profile.leaves; ++i)
            bits |= (uint64_t)both[k]->steps[i];
    }
    const int32_t unit = (int32_t)(bits & -bits);
    d.has_scale = 0;
    return in_units(to, unit, &d.dst) || in_units(from, unit, &d.src) || run(to->at, from->at, &d, effort, stream);
}

/* Memory for an end's elements, one after another in the order of its index. */
static int make_between(const core_end *e, core_end *between)
{
    const int64_t size = elements(e);
    between->side = e->side;
    between->side.memory = ct_make_tensor(ct_layout1(size, 1));
    between->at = PyMem_RawMalloc((size_t)(size * e->side.elem_bytes));
    if (!between->at) PyErr_NoMemory();
    return between->at ? 0 : -1;
}

static void swap_all(const core_end *between, int32_t number_bytes)
{
    if (number_bytes) core_swap_bytes(between->at, elements(between) * between->side.elem_bytes, number_bytes);
}

/* An end that is not plain goes by memory between: its bytes there, in the machine's order. */
static int move_between(core_end *to, core_end *from, int converts, ct_plan_desc *d, int effort, void *stream)
{
    core_end first = {.at = NULL}, last = {.at = NULL};
    const int reads = from->swap || (converts && !core_end_is_plain(from));
    const int writes = to->swap || (converts && !core_end_is_plain(to));
    int bad = (reads && make_between(from, &first)) || (writes && make_between(to, &last));
    if (!bad && reads) bad = move_bytes(&first, from, d, effort, stream);
    if (!bad && reads) swap_all(&first, from->swap);
    const core_end *const read = reads ? &first : from, *const written = writes ? &last : to;
    d->src = read->side;
    d->dst = written->side;
    if (!bad) bad = converts ? run(written->at, read->at, d, effort, stream) : move_bytes(written, read, d, effort, stream);
    if (!bad && writes) swap_all(&last, to->swap);
    if (!bad && writes) bad = move_bytes(to, &last, d, effort, stream);
    PyMem_RawFree(first.at);
    PyMem_RawFree(last.at);
    return bad;
}

int core_move(core_end *to, core_end *from, int converts, ct_plan_desc *d, int effort, void *stream)
{
    const int plain = core_end_is_plain(to) && core_end_is_plain(from);
    d->src = from->side;
    d->dst = to->side;
    if (plain) return run(to->at, from->at, d, effort, stream);
    if (elements(to) != elements(from)) {
        PyErr_Format(PyExc_ValueError, "the source has %lld elements, the destination %lld", (long long)elements(from),
                     (long long)elements(to));
        return -1;
    }
    if (elements(to) == 0) return 0;
    if (!converts && to->swap == from->swap) return move_bytes(to, from, d, effort, stream);
    if (d->device == 0) return move_between(to, from, converts, d, effort, stream);
    PyErr_Format(PyExc_ValueError, "elements on a device that are not aligned are not converted");
    return -1;
}
