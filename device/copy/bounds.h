/**
 * @internal The paths of a side of a copy: whole accesses, or accesses checked by their coordinates
 * and made as their addresses allow.
 */
#ifndef CUTLET_DEVICE_COPY_BOUNDS_H
#define CUTLET_DEVICE_COPY_BOUNDS_H

#include <cutlet/device/copy/split_access.h>

/** How a side of a copy is accessed. */
enum { CT_PATH_WHOLE, CT_PATH_EDGE, CT_PATH_CUT, CT_PATH_ELEMENTS, CT_PATH_BYTES };

/** The path of a view: whole and aligned; aligned but not whole; contiguous but not aligned; not
 *  contiguous; or with misaligned elements. All threads of a block have the same path. */
CT_DEVICE int ct_path_of(const ct_partition *P, const ct_side *side, const ct_view *v)
{
    if (side->space != CT_SPACE_GLOBAL || P->unchecked) return CT_PATH_WHOLE;
    const int bytes = ct_access_bytes(P, side), unit = ct_unit_of(P);
    const int along = side->axis < 0 || v->axis == side->axis;
    if (P->is_unaligned && v->align < unit) return CT_PATH_BYTES;
    if (along && (bytes == unit || v->align >= bytes))
        return v->whole ? CT_PATH_WHOLE : CT_PATH_EDGE;
    return along && bytes <= 16 ? CT_PATH_CUT : CT_PATH_ELEMENTS;
}

/** Whether a view in global memory is not contiguous along the axis of the partition's side. */
CT_DEVICE int ct_is_noncontiguous(const ct_side *side, const ct_view *v)
{
    return side->space == CT_SPACE_GLOBAL && v->axis != side->axis;
}

/** Whether accesses of a view at an edge may be partly out of bounds. All threads of a block have
 *  the same answer, so that a warp does not diverge. */
CT_DEVICE int ct_has_parts(const ct_side *side, const ct_view *v)
{
    return side->axis >= 0 && (v->left[side->axis] & (side->width - 1)) != 0;
}

/** The bytes from one element of an access to the next, on a path that is not whole. */
CT_DEVICE int64_t ct_element_step(const ct_side *side, const ct_view *v, const int path,
                                  const int unit)
{
    return path >= CT_PATH_ELEMENTS && side->axis >= 0 ? v->step[side->axis] : unit;
}

/** Whether the two aligned accesses that hold access i of a source are in the tensor. past: the
 *  elements of the access's address past an aligned one. */
CT_DEVICE int ct_holds_both(const ct_side *side, const ct_view *v, const int i, const int32_t past)
{
    if (side->axis < 0) return 0;
    const int32_t at = v->mine[side->axis] + ct_access_coord(side, i, side->axis) - past;
    const int32_t first = ct_clamp32(v->before + v->first[side->axis]) + at;
    const int32_t behind = ct_clamp32(v->left[side->axis]) - at;
    return first >= 0 && behind >= 2 * side->width;
}

/** Whether accesses have two elements of whole bytes. An access that cannot be made at once is then
 *  made as two: cutting it out of aligned accesses would take two as well. Fragments of an MMA have
 *  many such accesses, all unrolled. */
CT_FN int ct_is_pair(const ct_partition *P, const ct_side *side)
{
    return side->width == 2 && P->elem_bits >= 8 && P->elem_bits <= 64 && !P->is_unaligned;
}

/** Loads access i of a source in global memory on a path that is not whole. */
CT_DEVICE void ct_load_careful(const ct_partition *P, const ct_view *v, const int path,
                               uint32_t *words, const int i)
{
    const ct_side *const s = &P->src;
    const int bytes = ct_access_bytes(P, s), unit = ct_unit_of(P);
    const unsigned char *const at = ct_access_at(P, s, v, i);
    const int32_t has = ct_access_has(P, s, v, i);
    const int one = s->width == 1 && path != CT_PATH_BYTES; /* one element is always aligned */
    const int32_t past = (int32_t)((uint32_t)(uintptr_t)at & (uint32_t)(bytes - 1));
    int whole = has == s->width && (path <= CT_PATH_EDGE || one);
    CT_UNROLL for (int w = 0; w < 8; ++w) if (4 * w < bytes || w == 0) words[w] = 0;
    ct_load_if(CT_SPACE_GLOBAL, whole, words, at, bytes);
    if (one) return;
    if (ct_is_pair(P, s)) {
        ct_load_pair(!whole, words, at, ct_element_step(s, v, path, unit), has, unit);
        return;
    }
    if (path == CT_PATH_CUT && bytes > unit) {
        whole = has == s->width && (past == 0 || ct_holds_both(s, v, i, past * s->width / bytes));
        ct_load_cut_if(whole, words, at, bytes > 16 ? 16 : bytes, unit);
    }
    const int rest = has > 0 && !whole;
    const int64_t step = ct_element_step(s, v, path, unit);
    if (P->is_unaligned && path == CT_PATH_BYTES) ct_load_pieces(P, bytes, 1, words, at, step, has);
    else if (path == CT_PATH_EDGE ? ct_has_parts(s, v) : rest)
        ct_load_elements(P, s, words, at, step, rest ? has : 0);
}

/** Stores access i of a destination in global memory on a path that is not whole. */
CT_DEVICE void ct_store_careful(const ct_partition *P, const ct_view *v, const int path,
                                const uint32_t *words, const int i)
{
    const ct_side *const s = &P->dst;
    const int bytes = ct_access_bytes(P, s), unit = ct_unit_of(P);
    unsigned char *const at = ct_access_at(P, s, v, i);
    const int32_t has = ct_access_has(P, s, v, i);
    const int one = s->width == 1 && path != CT_PATH_BYTES;
    const int fits =
        path <= CT_PATH_EDGE || one ||
        (path == CT_PATH_CUT && ((uint32_t)(uintptr_t)at & (uint32_t)(bytes - 1)) == 0);
    const int whole = has == s->width && fits;
    ct_store_if(CT_SPACE_GLOBAL, whole, at, words, bytes);
    if (one) return;
    if (ct_is_pair(P, s)) {
        ct_store_pair(!whole, at, words, ct_element_step(s, v, path, unit), has, unit);
        return;
    }
    int rest = has > 0 && !whole;
    if (path == CT_PATH_CUT && bytes > 4 && unit < bytes / 2) {
        const int parts = has == s->width && !whole && v->align >= 4 && v->align > unit;
        ct_store_parts(parts ? v->align : 0, at, words, bytes, unit);
        rest = rest && !parts;
    }
    const int64_t step = ct_element_step(s, v, path, unit);
    if (P->is_unaligned && path == CT_PATH_BYTES)
        ct_store_pieces(P, bytes, 1, at, words, step, has);
    else if (path == CT_PATH_EDGE ? ct_has_parts(s, v) : rest)
        ct_store_elements(P, s, at, words, step, rest ? has : 0);
}

#endif
