/**
 * Moving a box of a copy between two layouts; device/box_plan.h says what a box is.
 *
 *     CT_KERNEL_RESIDENT(my_copy, 256, 4, ct_box_args, args)
 *     {
 *         CT_STATIC(ct_box_plan, plan, {...});
 *         CT_SHARED_DYNAMIC(unsigned char, tile);
 *         ct_box(&plan, 16, &args, tile);
 *     }
 *
 * No access is wider than the plan says, so none is misaligned where the plan is right; elements
 * behind the end of a mode are left out one by one.
 */
#ifndef CUTLET_DEVICE_BOX_H
#define CUTLET_DEVICE_BOX_H

#include "box_plan.h"
#include "convert.h"
#include "load_store.h"

/** Where an access lies: bytes from the box's first element on either side, and in shared memory;
 *  whether it exists. */
typedef struct ct_box_spot {
    int64_t src, dst;
    int32_t shared;
    int on;
} ct_box_spot;

/** The first access of a thread, and its row of the mode that threads cover in part. */
typedef struct ct_box_start {
    ct_box_spot spot;
    uint32_t row;
} ct_box_start;

/** The coordinates that accesses have along mode w of a way. */
CT_DEVICE uint32_t ct_box_extent(const ct_box_plan *plan, const ct_box_way *way, const int w)
{
    return (uint32_t)(plan->mode[way->mode[w]].tile / (w == 0 ? way->vector : 1));
}

/** Moves a spot along mode w of a way. */
CT_DEVICE void ct_box_add(const ct_box_plan *plan, const ct_box_way *way, ct_box_spot *s,
                          const int w, const uint32_t accesses)
{
    const ct_box_mode *const m = &plan->mode[way->mode[w]];
    const uint32_t at = accesses * (w == 0 ? (uint32_t)way->vector : 1);
    s->src += at * m->src;
    s->dst += at * m->dst;
    s->shared += (int32_t)at * m->shared;
}

/** Whether the box really has that coordinate. left: how many elements of each mode it has. */
CT_DEVICE int ct_box_has(const ct_box_plan *plan, const ct_box_way *way, const uint32_t *left,
                         const int w, const uint32_t at)
{
    const ct_box_mode *const m = &plan->mode[way->mode[w]];
    return m->extent % m->tile == 0 ||
           at * (w == 0 ? (uint32_t)way->vector : 1) < left[way->mode[w]];
}

CT_DEVICE ct_box_start ct_box_start_of(const ct_box_plan *plan, const ct_box_way *way,
                                       const uint32_t *left)
{
    ct_box_start s = {{0, 0, 0, 0}, 0};
    uint32_t rest = threadIdx.x;
    s.spot.on = threadIdx.x < (uint32_t)way->active;
    CT_UNROLL
    for (int w = 0; w < CT_BOX_WAY; ++w) if (w < way->by_thread) {
        const uint32_t n = ct_box_extent(plan, way, w), at = rest % n;
        rest /= n;
        ct_box_add(plan, way, &s.spot, w, at);
        s.spot.on = s.spot.on && ct_box_has(plan, way, left, w, at);
    }
    s.row = rest;
    CT_UNROLL
    for (int w = 0; w < CT_BOX_WAY; ++w)
        if (w == way->by_thread) ct_box_add(plan, way, &s.spot, w, rest);
    return s;
}

/** Access j of a thread. */
CT_DEVICE ct_box_spot ct_box_spot_of(const ct_box_plan *plan, const ct_box_way *way,
                                     const uint32_t *left, const ct_box_start start,
                                     const uint32_t j)
{
    ct_box_spot s = start.spot;
    uint32_t rest = j;
    s.on = s.on && j < (uint32_t)way->accesses;
    CT_UNROLL
    for (int w = 0; w < CT_BOX_WAY; ++w) if (w >= way->by_thread && w < way->modes) {
        const uint32_t n = ct_box_extent(plan, way, w);
        const uint32_t rows = w == way->by_thread ? (uint32_t)way->rows : 1;
        const uint32_t passes = (n + rows - 1) / rows, at = rest % passes * rows;
        rest /= passes;
        ct_box_add(plan, way, &s, w, at);
        if (w == way->by_thread) {
            s.on = s.on && (n % rows == 0 || at + start.row < n) &&
                   ct_box_has(plan, way, left, w, at + start.row);
        } else {
            s.on = s.on && ct_box_has(plan, way, left, w, at);
        }
    }
    return s;
}

/** The words of an access of so many elements. */
CT_DEVICE int ct_box_words(const int vector, const int bytes)
{
    return vector * bytes < 4 ? 1 : vector * bytes / 4;
}

/** Elements as they are stored: converted, or the same. */
CT_DEVICE void ct_box_convert(const ct_box_plan *plan, uint32_t *out, const uint32_t *in,
                              const int vector, const double scale)
{
    if (plan->to == CT_TYPE_RAW) {
        CT_UNROLL
        for (int w = 0; w < 4; ++w)
            if (w < ct_box_words(vector, plan->dst_bytes)) out[w] = in[w];
        return;
    }
    CT_UNROLL
    for (int v = 0; v < 16; ++v)
        if (v < vector)
            ct_convert(out, v, in, v, plan->from, plan->to, plan->has_scale, scale);
}

/** The elements of one access to shared memory, side by side or one by one. */
CT_DEVICE void ct_box_put(const ct_box_plan *plan, unsigned char *tile, const ct_box_spot s,
                          const uint32_t *words)
{
    const ct_box_way *const way = &plan->in;
    const int bytes = plan->dst_bytes, step = plan->mode[way->mode[0]].shared;
    if (way->wide) {
        ct_store_shared_if(s.on, tile + s.shared, words, 8 * bytes * way->vector);
        return;
    }
    CT_UNROLL
    for (int v = 0; v < 16; ++v)
        if (v < way->vector)
            ct_store_shared_if(s.on, tile + s.shared + v * step,
                               (const unsigned char *)words + v * bytes, 8 * bytes);
}

CT_DEVICE void ct_box_get(const ct_box_plan *plan, const unsigned char *tile, const ct_box_spot s,
                          uint32_t *words)
{
    const ct_box_way *const way = &plan->out;
    const int bytes = plan->dst_bytes, step = plan->mode[way->mode[0]].shared;
    if (way->wide) {
        ct_load_shared_if(s.on, words, tile + s.shared, 8 * bytes * way->vector);
        return;
    }
    CT_UNROLL
    for (int v = 0; v < 16; ++v)
        if (v < way->vector)
            ct_load_shared_if(s.on, (unsigned char *)words + v * bytes,
                              tile + s.shared + v * step, 8 * bytes);
}

/** Loads accesses j to j + batch - 1 of a thread, to shared memory or straight to where they belong.
 *  All are under way before the first of them is waited for. */
CT_DEVICE void ct_box_in_batch(const ct_box_plan *plan, const int batch, const uint32_t *left,
                               const ct_box_start start, const unsigned char *src,
                               unsigned char *dst, const double scale, unsigned char *tile,
                               const int j)
{
    const ct_box_way *const way = &plan->in;
    const int words = ct_box_words(way->vector, plan->src_bytes);
    CT_FRAGMENT(uint32_t, in, CT_BOX_BATCH * 4);
    CT_UNROLL
    for (int b = 0; b < CT_BOX_BATCH; ++b) if (b < batch) {
        const ct_box_spot s = ct_box_spot_of(plan, way, left, start, (uint32_t)(j + b));
        CT_UNROLL
        for (int w = 0; w < 4; ++w)
            if (w < words) in[b * words + w] = 0;
        ct_load_global_if(s.on, in + b * words, src + s.src, 8 * plan->src_bytes * way->vector);
    }
    CT_UNROLL
    for (int b = 0; b < CT_BOX_BATCH; ++b) if (b < batch) {
        CT_FRAGMENT(uint32_t, out, 32);
        const ct_box_spot s = ct_box_spot_of(plan, way, left, start, (uint32_t)(j + b));
        ct_box_convert(plan, out, in + b * words, way->vector, scale);
        if (plan->staged) ct_box_put(plan, tile, s, out);
        else ct_store_global_if(s.on, dst + s.dst, out, 8 * plan->dst_bytes * way->vector);
    }
}

/** Loads the box the way in. */
CT_DEVICE void ct_box_in(const ct_box_plan *plan, const int batch, const uint32_t *left,
                         const unsigned char *src, unsigned char *dst, const double scale,
                         unsigned char *tile)
{
    const ct_box_start start = ct_box_start_of(plan, &plan->in, left);
    if (plan->in.accesses <= CT_BOX_SPREAD) {
        CT_UNROLL
        for (int j = 0; j < plan->in.accesses; j += batch)
            ct_box_in_batch(plan, batch, left, start, src, dst, scale, tile, j);
    } else {
        CT_ROLL
        for (int j = 0; j < plan->in.accesses; j += batch)
            ct_box_in_batch(plan, batch, left, start, src, dst, scale, tile, j);
    }
}

/** Stores accesses j to j + batch - 1 of a thread from shared memory. */
CT_DEVICE void ct_box_out_batch(const ct_box_plan *plan, const int batch, const uint32_t *left,
                                const ct_box_start start, unsigned char *dst,
                                const unsigned char *tile, const int j)
{
    const ct_box_way *const way = &plan->out;
    CT_UNROLL
    for (int b = 0; b < CT_BOX_BATCH; ++b) if (b < batch) {
        CT_FRAGMENT(uint32_t, words, 4);
        const ct_box_spot s = ct_box_spot_of(plan, way, left, start, (uint32_t)(j + b));
        CT_UNROLL
        for (int w = 0; w < 4; ++w) words[w] = 0;
        ct_box_get(plan, tile, s, words);
        ct_store_global_if(s.on, dst + s.dst, words, 8 * plan->dst_bytes * way->vector);
    }
}

/** Stores the box the way out. */
CT_DEVICE void ct_box_out(const ct_box_plan *plan, const int batch, const uint32_t *left,
                          unsigned char *dst, const unsigned char *tile)
{
    const ct_box_start start = ct_box_start_of(plan, &plan->out, left);
    if (plan->out.accesses <= CT_BOX_SPREAD) {
        CT_UNROLL
        for (int j = 0; j < plan->out.accesses; j += batch)
            ct_box_out_batch(plan, batch, left, start, dst, tile, j);
    } else {
        CT_ROLL
        for (int j = 0; j < plan->out.accesses; j += batch)
            ct_box_out_batch(plan, batch, left, start, dst, tile, j);
    }
}

/** How many steps blocks take along a mode: tiles, or groups of them. */
CT_DEVICE uint32_t ct_box_steps(const ct_box_plan *plan, const int k)
{
    const ct_box_mode *const m = &plan->mode[k];
    const uint32_t tiles = (uint32_t)((m->extent + m->tile - 1) / m->tile);
    const uint32_t group = (uint32_t)plan->group;
    return k == plan->group_mode && group > 1 ? (tiles + group - 1) / group : tiles;
}

/** Moves the box of this block. tile: plan->shared_bytes of shared memory, 16-byte aligned; batch:
 *  plan->batch, or fewer, as a constant. */
CT_DEVICE void ct_box(const ct_box_plan *plan, const int batch, const ct_box_args *args,
                      unsigned char *tile)
{
    const unsigned char *from = (const unsigned char *)args->src;
    unsigned char *to = (unsigned char *)args->dst;
    uint32_t left[CT_BOX_MODES] = {0};
    const uint32_t group = (uint32_t)plan->group, in_group = blockIdx.x % group;
    uint32_t rest = blockIdx.x / group;
    CT_UNROLL
    for (int k = 0; k < CT_BOX_MODES; ++k) if (k < plan->modes) {
        const int grouped = k == plan->group_mode && group > 1;
        const ct_box_mode *const m = &plan->mode[k];
        const uint32_t steps = ct_box_steps(plan, k);
        uint32_t tile = k + 1 < plan->modes ? rest % steps : rest;
        if (grouped) tile = tile * group + in_group;
        const int64_t first = (int64_t)tile * m->tile;
        if (grouped && first >= m->extent) return; /* the whole block: nothing is left for it */
        rest /= steps;
        from += first * m->src;
        to += first * m->dst;
        left[k] = (uint32_t)(m->extent - first < m->tile ? m->extent - first : m->tile);
    }
    ct_box_in(plan, batch, left, from, to, args->scale, tile);
    if (plan->staged) {
        __syncthreads();
        ct_box_out(plan, batch, left, to, tile);
    }
}

#define ct_box(...) CT_CALL(ct_box, __VA_ARGS__)

#endif
