/* Coordinates, elements and bytes of the lanes of an instruction, checked one by one. */
#include "traffic_walk.h"

#include <string.h>

#include "base/refuse.h"

static ct_status check_memory(const traffic_walk *w, const traffic_memory *p)
{
    const ct_tensor *m = &p->side->memory;
    int ok = 1;
    const ct_error bad = ct_layout_check(&m->layout, CT_OP_COMPOSED);
    if (bad.status || m->swizzle.err.status)
        return ct_refuse(w->message, CT_E_ARGUMENT, "%sthe memory is not a layout", p->name);
    if (!ct_is_integral(m->layout) || !ct_offset_is_integer(&m->offset))
        return ct_refuse(w->message, CT_E_ARGUMENT,
                         "%sthe memory has basis strides; an address is an integer", p->name);
    const int64_t low = ct_add(m->offset.value[0], ct_lowest(m->layout), &ok);
    const int64_t high = ct_add(low, ct_cosize(m->layout), &ok);
    /* A swizzle changes the bits below 2^swizzled, and no others. */
    const int swizzled = m->swizzle.bits + m->swizzle.base + (int)ct_abs(m->swizzle.shift);
    const int64_t top = ct_add(high, m->swizzle.bits > 0 ? (int64_t)1 << swizzled : 0, &ok);
    ct_add(ct_mul(top, w->elem_bits / 8, &ok), p->side->base_bytes, &ok);
    if (!ok)
        return ct_refuse(w->message, CT_E_OVERFLOW, "%sthe addresses do not fit in 64 bits",
                         p->name);
    if (low < 0)
        return ct_refuse(w->message, CT_E_DOMAIN, "%sthe memory reaches element %lld, below 0",
                         p->name, (long long)low);
    return 0;
}

ct_status ct_traffic_memory_make(const traffic_walk *w, traffic_memory *p,
                                 const ct_traffic_side *side, const char *name, int by_index)
{
    const ct_layout L = side->memory.layout;
    p->side = side;
    p->name = name;
    if (side->elem_bits != w->elem_bits)
        return ct_refuse(w->message, CT_E_ARGUMENT,
                         "%selements of %d bits, and the atom has values of %d", name,
                         side->elem_bits, w->elem_bits);
    if (side->base_bytes < 0)
        return ct_refuse(w->message, CT_E_ARGUMENT, "%sthe base is %lld bytes; it is at least 0",
                         name, (long long)side->base_bytes);
    const ct_status bad = check_memory(w, p);
    if (bad) return bad;
    if (by_index) {
        p->mode[0] = L;
        p->extent[0] = ct_size(L);
        return 0;
    }
    if (ct_layout_rank(L) != w->rank)
        return ct_refuse(w->message, CT_E_ARGUMENT, "%sthe memory has %d modes, and the tensor %d",
                         name, ct_layout_rank(L), w->rank);
    for (int k = 0; k < w->rank; ++k) {
        p->mode[k] = ct_mode(L, k);
        p->extent[k] = ct_size(p->mode[k]);
        if (p->extent[k] < w->shape[k] && p->extent[k] % w->tile[k] != 0)
            return ct_refuse(w->message, CT_E_ARGUMENT,
                             "%smode %d of the memory has %lld, less than the tensor's %lld and "
                             "not a multiple of the tile's %lld",
                             name, k, (long long)p->extent[k], (long long)w->shape[k],
                             (long long)w->tile[k]);
    }
    return 0;
}

/* Where an element is before the swizzle, of the index in a tile; -1: beyond the tensor. */
static int64_t element_of(const traffic_walk *w, const traffic_memory *p, const int64_t *origin,
                          int64_t index)
{
    int64_t element = p->side->memory.offset.value[0];
    for (int k = 0; k < w->rank; ++k) {
        const int64_t in_tile = k + 1 < w->rank ? index % w->tile[k] : index;
        const int64_t at = origin[k] + in_tile;
        index /= w->tile[k];
        if (at >= w->shape[k]) return -1;
        element += ct_eval(p->mode[k], at < p->extent[k] ? at : at % p->extent[k]);
    }
    return element;
}

static ct_status refuse_cut(const traffic_walk *w, const traffic_memory *p, int64_t thread,
                            int64_t value, const int64_t plain[2], const int64_t swizzled[2])
{
    const ct_swizzle s = p->side->memory.swizzle;
    if (plain[1] == plain[0] + 1)
        return ct_refuse(w->message, CT_E_ARGUMENT,
                         "%sthread %lld: the swizzle Sw<%d,%d,%d> cuts its access of %d bits: "
                         "value %lld is element %lld, value %lld element %lld",
                         p->name, (long long)thread, s.bits, s.base, s.shift, w->bits,
                         (long long)value - 1, (long long)swizzled[0], (long long)value,
                         (long long)swizzled[1]);
    return ct_refuse(w->message, CT_E_ARGUMENT,
                     "%sthread %lld: the values of an access of %d bits are not contiguous: value "
                     "%lld is element %lld, value %lld element %lld",
                     p->name, (long long)thread, w->bits, (long long)value - 1,
                     (long long)swizzled[0], (long long)value, (long long)swizzled[1]);
}

static ct_status refuse_misaligned(const traffic_walk *w, const traffic_memory *p, int64_t thread,
                                   int64_t value, int64_t byte, int bits)
{
    return ct_refuse(w->message, CT_E_ARGUMENT,
                     "%sthread %lld: the access at value %lld begins at byte %lld, not a multiple "
                     "of its %d bytes",
                     p->name, (long long)thread, (long long)value, (long long)byte, bits / 8);
}

/* One thread's access: the bytes of its values, and which of them are inside. */
static ct_status gather_thread(const traffic_walk *w, const traffic_memory *p,
                               const int64_t *origin, int64_t thread, int64_t value,
                               uint32_t *inside, int64_t *bytes)
{
    const ct_tensor *const m = &p->side->memory;
    int64_t plain[2] = {0, 0}, swizzled[2] = {0, 0}; /* of the value before, of this one */
    for (int j = 0; j < w->width; ++j) {
        plain[1] = element_of(w, p, origin, ct_eval(w->tv, thread + w->threads * (value + j)));
        if (plain[1] < 0) continue;
        swizzled[1] = ct_swizzle_apply(m->swizzle, plain[1]);
        if (j > 0 && *inside >> (j - 1) & 1 && swizzled[1] != swizzled[0] + 1)
            return refuse_cut(w, p, thread, value + j, plain, swizzled);
        *inside |= (uint32_t)1 << j;
        bytes[j] = p->side->base_bytes + swizzled[1] * (w->elem_bits / 8);
        plain[0] = plain[1];
        swizzled[0] = swizzled[1];
    }
    return 0;
}

int ct_traffic_is_access(const traffic_walk *w, uint32_t inside, uint32_t whole)
{
    return inside == whole || (w->is_filled && inside != 0 && (inside & (inside + 1)) == 0);
}

static ct_status check_thread(const traffic_walk *w, const traffic_memory *p, int64_t thread,
                              int64_t value, uint32_t inside, uint32_t whole, const int64_t *bytes)
{
    if (ct_traffic_is_access(w, inside, whole))
        return bytes[0] % (w->bits / 8) == 0
                   ? CT_OK
                   : refuse_misaligned(w, p, thread, value, bytes[0], w->bits);
    if (w->is_matrix)
        return ct_refuse(w->message, CT_E_ARGUMENT,
                         "%sthread %lld: its row lies beyond the tensor; ldmatrix and stmatrix "
                         "take whole matrices",
                         p->name, (long long)thread);
    for (int j = 0; j < w->width; ++j) {
        if ((inside >> j & 1) && bytes[j] % (w->elem_bits / 8) != 0)
            return refuse_misaligned(w, p, thread, value + j, bytes[j], w->elem_bits);
    }
    return 0;
}

ct_status ct_traffic_gather(const traffic_walk *w, const traffic_memory *p, const int64_t *origin,
                            int64_t warp, int64_t access, traffic_lanes *out)
{
    const int64_t value = access * w->width;
    memset(out->inside, 0, sizeof out->inside);
    out->whole = (uint32_t)(((uint64_t)1 << w->width) - 1);
    for (int lane = 0; lane < w->lanes; ++lane) {
        const int64_t thread = warp * TRAFFIC_LANES + lane;
        if (thread >= w->threads) break;
        ct_status bad =
            gather_thread(w, p, origin, thread, value, &out->inside[lane], out->value[lane]);
        if (!bad)
            bad =
                check_thread(w, p, thread, value, out->inside[lane], out->whole, out->value[lane]);
        if (bad) return bad;
    }
    return 0;
}
