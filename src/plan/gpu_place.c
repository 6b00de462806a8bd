/* Where the elements of a box lie in shared memory: one after another in the order of either way, with
 * gaps behind its first modes, whichever makes the fewest passes through the banks. */
#include <string.h>

#include "cutlet/host/access.h"
#include "gpu.h"

enum { WARP = 32, WARPS = 4 };

/* An access of a warp to shared memory on a way: its first, or those of later threads. */
static ct_access access_of(const ct_box_plan *box, const ct_box_way *way, int warp, int is_store)
{
    ct_access a;
    memset(&a, 0, sizeof a);
    a.kind = is_store ? CT_ACCESS_STS : CT_ACCESS_LDS;
    a.bits = 8 * box->dst_bytes * (way->wide ? way->vector : 1);
    for (int lane = 0; lane < WARP; ++lane) {
        int64_t rest = warp * WARP + lane;
        const int is_on = rest < way->active;
        a.offset[lane] = is_on ? 0 : CT_LANE_OFF;
        a.shared[lane] = CT_LANE_OFF;
        for (int w = 0; w < way->modes && is_on; ++w) {
            const ct_box_mode *const m = &box->mode[way->mode[w]];
            const int64_t each = w == 0 ? way->vector : 1, n = m->tile / each;
            a.offset[lane] += rest % n * each * m->shared;
            rest /= n;
        }
    }
    return a;
}

/* The passes of a way, over the first warps, for all accesses of a thread. *over: beyond the fewest
 * that so many bytes need. */
static int64_t passes(const ct_box_plan *box, const ct_box_way *way, int is_store, int *over)
{
    int64_t n = 0;
    for (int warp = 0; warp < WARPS && warp * WARP < way->active; ++warp) {
        const ct_access a = access_of(box, way, warp, is_store);
        const ct_access_count c = ct_count_access_by(NULL, &a, NULL);
        n += c.wavefronts;
        *over += c.wavefronts - c.ideal;
    }
    return n * way->accesses * (way->wide ? 1 : way->vector);
}

/* Lays the modes out in the order of a way with gaps of so many bytes behind the first and second. */
static void lay_out(ct_box_plan *box, const ct_box_way *order, int64_t gap1, int64_t gap2)
{
    int64_t step = box->dst_bytes;
    for (int w = 0; w < order->modes; ++w) {
        ct_box_mode *const m = &box->mode[order->mode[w]];
        m->shared = (int32_t)step;
        step = step * m->tile + (w == 0 ? gap1 : w == 1 ? gap2 : 0);
    }
    box->shared_bytes = (int32_t)step;
}

/* Whether the accesses of a way are one access to shared memory each, as it is laid out. */
static int is_wide(const ct_box_plan *box, const ct_box_way *way)
{
    const int bytes = box->dst_bytes * way->vector;
    if (way->vector == 1 || box->mode[way->mode[0]].shared != box->dst_bytes) return 0;
    for (int w = 1; w < way->modes; ++w)
        if (box->mode[way->mode[w]].shared % bytes != 0) return 0;
    return 1;
}

void ct_gpu_place(ct_box_plan *box)
{
    static const int gaps[] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
    enum { FIRST = sizeof gaps / sizeof *gaps, SECOND = 4 };
    ct_box_plan best = *box;
    int64_t least = -1;
    int over = 1;
    for (int by_in = 0; by_in < 2 && over > 0; ++by_in) {
        const ct_box_way order = by_in ? box->in : box->out;
        const int64_t granule = (int64_t)box->dst_bytes * order.vector;
        for (int second = 0; second < (order.modes > 2 ? SECOND : 1) && over > 0; ++second) {
            for (int first = 0; first < FIRST && over > 0; ++first) {
                lay_out(box, &order, gaps[first] * granule, gaps[second] * granule);
                box->in.wide = is_wide(box, &box->in);
                box->out.wide = is_wide(box, &box->out);
                over = 0;
                const int64_t n = passes(box, &box->in, 1, &over) + passes(box, &box->out, 0, &over);
                if (least >= 0 && n >= least) continue;
                least = n;
                best = *box;
            }
        }
    }
    *box = best;
}
