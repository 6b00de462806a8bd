/**
 * @internal The accesses of a predicated partition: each is tested by its coordinates, before the
 * tensor, past it, and past the tile.
 */
#ifndef CUTLET_DEVICE_COPY_PREDICATED_ACCESS_H
#define CUTLET_DEVICE_COPY_PREDICATED_ACCESS_H

#include <cutlet/device/arch/cp_async.h>
#include <cutlet/device/copy/split_access.h>

/** Elements of an access: from the first one to before the end. */
typedef struct ct_elements {
    int32_t first, end;
} ct_elements;

/** The coordinates of a tile, along an axis, that are in the tile and in the tensor. */
CT_DEVICE ct_elements ct_tile_has(const ct_partition *P, const ct_side *side, const ct_view *v,
                                  const int a)
{
    const int32_t tile = P->over >> a & 1 ? P->tile[a] : 0x3fffffff;
    ct_elements r = {0, tile};
    if (side->space != CT_SPACE_GLOBAL) return r;
    const int32_t left = ct_clamp32(v->left[a]);
    r.first = ct_clamp32(-v->first[a]);
    r.end = left < tile ? left : tile;
    return r;
}

/** Whether the predicate of ct_copy_if, if there is one, has element k of access i. */
CT_DEVICE int ct_when(const ct_partition *P, const ct_side *side, const ct_view *v, const int i,
                      const int k)
{
    ct_index x = CT_ZERO;
    if (!v->when || side->space != CT_SPACE_GLOBAL) return 1;
    CT_UNROLL for (int a = 0; a < P->axes; ++a) x.at[a] =
        v->mine[a] + ct_access_coord(side, i, a) + (a == side->axis ? k : 0);
    return v->when(v->with, x);
}

/** The elements of access i that are in the tile and in the tensor. */
CT_DEVICE ct_elements ct_access_elements(const ct_partition *P, const ct_side *side,
                                         const ct_view *v, const int i)
{
    ct_elements r = {0, side->width};
    int in = 1;
    CT_UNROLL for (int a = 0; a < P->axes; ++a)
    {
        const ct_elements has = ct_tile_has(P, side, v, a);
        if (v->indexed == a + 1) {
            in = in && v->entry[i] >= 0;
            continue;
        }
        const int32_t at = v->mine[a] - has.first + ct_access_coord(side, i, a);
        const int32_t n = has.end - has.first;
        if (a == side->axis && side->width > 1) {
            r.first = at < 0 ? -at : 0;
            r.end = n - at < side->width ? n - at : side->width;
        } else if (side->space == CT_SPACE_GLOBAL || (P->over >> a & 1) != 0) {
            in = in && (uint32_t)at < (uint32_t)(n < 0 ? 0 : n);
        }
    }
    r.end = in && (side->width > 1 || ct_when(P, side, v, i, 0)) ? r.end : 0;
    return r;
}

/** The coordinates of the tensor of a side's accesses along the axis that has an index: -1 outside of
 *  the tensor, of the index or of the tile. All are loaded before the first access waits. */
CT_DEVICE void ct_load_entries(const ct_partition *P, const ct_side *side, const ct_view *v,
                               int32_t *entry)
{
    CT_UNROLL for (int a = 0; a < P->axes; ++a) CT_UNROLL for (int i = 0; i < side->accesses; ++i)
    {
        if (side->space != CT_SPACE_GLOBAL || v->indexed != a + 1) continue;
        const int32_t c = ct_access_coord(side, i, a), at = v->mine[a] + c;
        const ct_elements has = ct_tile_has(P, side, v, a);
        const int again = i > 0 && c == ct_access_coord(side, i > 0 ? i - 1 : 0, a);
        entry[i] = again ? entry[i > 0 ? i - 1 : 0] : -1;
        if (!again)
            ct_load_global_if(at >= has.first && at < has.end, entry + i,
                              v->index + v->first[a] + at, 32);
    }
    CT_UNROLL for (int i = 0; i < side->accesses; ++i) if (v->indexed) entry[i] =
        (uint32_t)entry[i] < (uint32_t)v->rows ? entry[i] : -1;
}

/** Whether all accesses of a side are made at once or not at all: it is aligned, and its tensor and
 *  tile begin and end between accesses. All threads of a block have the same answer. fills: whether
 *  an access may end past the tensor, as cp.async does. */
CT_DEVICE int ct_is_in_accesses(const ct_partition *P, const ct_side *side, const ct_view *v,
                                const int fills)
{
    if (side->space != CT_SPACE_GLOBAL || side->axis < 0) return 1;
    const int a = side->axis;
    if (side->width == 1) return v->axis == a;
    if (v->when) return 0; /* asked for each element */
    const int64_t ends = v->first[a] | (fills ? 0 : v->left[a]);
    return v->axis == a && v->align >= ct_access_bytes(P, side) && (ends & (side->width - 1)) == 0;
}

/** The address of access i of a side. at: that of the last one in global memory. */
CT_DEVICE const unsigned char *ct_access_after(const ct_partition *P, const ct_side *side,
                                               const ct_view *v, const int i,
                                               const unsigned char **at)
{
    if (side->space == CT_SPACE_SHARED) return ct_access_in_shared(P, side, v, i);
    *at += ct_step_to_access(P, side, v, i);
    const unsigned char *to = *at;
    CT_UNROLL for (int a = 0; a < P->axes; ++a) if (v->indexed == a + 1) to +=
        v->entry[i] * v->step[a];
    if (v->whole || side->axis < 0) return to + ct_along_access(P, side, i);
    return to + ct_access_coord(side, i, side->axis) * v->step[side->axis];
}

/** Loads access i of a source; zeros where there is nothing. v->whole: whether it is made at once. */
CT_DEVICE void ct_load_predicated(const ct_partition *P, const ct_view *v, uint32_t *words,
                                  const int i, const unsigned char **at)
{
    const ct_side *const s = &P->src;
    if (s->space == CT_SPACE_REGISTERS) return;
    const int bytes = ct_access_bytes(P, s), unit = ct_unit_of(P);
    const int one = s->space == CT_SPACE_SHARED || s->axis < 0;
    const ct_elements has = ct_access_elements(P, s, v, i);
    const unsigned char *const from = ct_access_after(P, s, v, i, at);
    CT_UNROLL for (int w = 0; w < 8; ++w) if (4 * w < bytes || w == 0) words[w] = 0;
    if (one || v->whole) {
        const int on = has.first == 0 && has.end == s->width;
        ct_load_if(s->space, on, words, from, bytes);
        return;
    }
    CT_UNROLL for (int k = 0; k < s->width; ++k)
    {
        CT_FRAGMENT(uint32_t, x, 4) = {0, 0, 0, 0};
        const int on = k >= has.first && k < has.end && (s->width == 1 || ct_when(P, s, v, i, k));
        ct_load_global_if(on, x, from + k * v->step[s->axis], 8 * unit);
        if (unit < 4) words[k * unit / 4] |= x[0] << 8 * unit * k % 32;
        else CT_UNROLL for (int w = 0; w < 4; ++w) if (4 * w < unit) words[k * unit / 4 + w] = x[w];
    }
}

/** Stores access i of a destination, as ct_load_predicated loads one. */
CT_DEVICE void ct_store_predicated(const ct_partition *P, const ct_view *v, const uint32_t *words,
                                   const int i, unsigned char **at)
{
    const ct_side *const s = &P->dst;
    const int bytes = ct_access_bytes(P, s), unit = ct_unit_of(P);
    const int one = s->space == CT_SPACE_SHARED || s->axis < 0;
    const ct_elements has = ct_access_elements(P, s, v, i);
    unsigned char *const to =
        (unsigned char *)ct_access_after(P, s, v, i, (const unsigned char **)at);
    if (one || v->whole) {
        const int on = has.first == 0 && has.end == s->width;
        ct_store_if(s->space, on, to, words, bytes);
        return;
    }
    CT_UNROLL for (int k = 0; k < s->width; ++k)
    {
        CT_FRAGMENT(uint32_t, x, 4) = {0, 0, 0, 0};
        const int on = k >= has.first && k < has.end && (s->width == 1 || ct_when(P, s, v, i, k));
        if (unit < 4) x[0] = words[k * unit / 4] >> 8 * unit * k % 32;
        else CT_UNROLL for (int w = 0; w < 4; ++w) if (4 * w < unit) x[w] = words[k * unit / 4 + w];
        ct_store_global_if(on, to + k * v->step[s->axis], x, 8 * unit);
    }
}

/** Copies a thread's part by cp.async: zeros where the tensor has nothing, no access past the tile.
 *  The tile begins at a multiple of an access. */
CT_DEVICE void ct_async_predicated(const ct_partition *P, const ct_view *from, const ct_view *to)
{
    const ct_side *const s = &P->src;
    const int bytes = ct_access_bytes(P, s);
    const unsigned char *at = from->at;
    CT_UNROLL for (int i = 0; i < s->accesses; ++i)
    {
        const ct_elements has = ct_access_elements(P, s, from, i);
        const unsigned char *const src = ct_access_after(P, s, from, i, &at);
        unsigned char *const dst = ct_access_in_shared(P, &P->dst, to, i);
        const int n = has.first == 0 && has.end > 0 ? ct_bytes_of(P, has.end) : 0;
        if (ct_access_elements(P, &P->dst, to, i).end <= 0) continue;
        if (P->atom == CT_ATOM_CP_ASYNC_CG) ct_cp_async_cg_fill(dst, src, bytes, n);
        else ct_cp_async_ca_fill(dst, src, bytes, n);
    }
}

#endif
