/* Where the elements of a box lie in shared memory: one after another in the order of the way out,
 * with gaps behind its first modes such that the fewest passes through the banks are needed. */
#include <string.h>

#include "cutlet/host/access.h"
#include "gpu.h"

/* The first warp's access on its way. */
static ct_access first_access(const ct_box_plan *box, const ct_box_way *way, int is_store)
{
    ct_access a;
    const int64_t bytes = (int64_t)box->dst_bytes * (way->wide ? way->vector : 1);
    memset(&a, 0, sizeof a);
    a.kind = is_store ? CT_ACCESS_STS : CT_ACCESS_LDS;
    a.bits = (int32_t)(8 * bytes);
    for (int lane = 0; lane < 32; ++lane) {
        int64_t rest = lane;
        a.offset[lane] = lane < way->active ? 0 : CT_LANE_OFF;
        for (int w = 0; w < way->modes && lane < way->active; ++w) {
            const ct_box_mode *const m = &box->mode[way->mode[w]];
            const int64_t each = w == 0 ? way->vector : 1, n = m->tile / each;
            a.offset[lane] += rest % n * each * m->shared;
            rest /= n;
        }
        a.shared[lane] = CT_LANE_OFF;
    }
    return a;
}

/* Passes beyond those that so many bytes need. */
static int passes_over(const ct_box_plan *box, const ct_box_way *way, int is_store)
{
    const ct_access a = first_access(box, way, is_store);
    const ct_access_count c = ct_count_access_by(NULL, &a, NULL);
    return (c.wavefronts - c.ideal) * (way->wide ? 1 : way->vector);
}

/* Lays the modes out with gaps of so many bytes behind the first and the second. */
static void lay_out(ct_box_plan *box, int64_t gap1, int64_t gap2)
{
    const ct_box_way *const out = &box->out;
    int64_t step = box->dst_bytes;
    for (int w = 0; w < out->modes; ++w) {
        ct_box_mode *const m = &box->mode[out->mode[w]];
        m->shared = (int32_t)step;
        step = step * m->tile + (w == 0 ? gap1 : w == 1 ? gap2 : 0);
    }
    box->shared_bytes = (int32_t)step;
}

void ct_gpu_place(ct_box_plan *box)
{
    static const int gaps[] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
    enum { GAPS = sizeof gaps / sizeof *gaps };
    const int64_t granule = (int64_t)box->dst_bytes * box->out.vector;
    int64_t best1 = 0, best2 = 0;
    int least = -1;
    box->out.wide = box->out.vector > 1;
    box->in.wide = box->in.vector > 1 && box->in.mode[0] == box->out.mode[0] &&
                   box->out.vector % box->in.vector == 0;
    for (int second = 0; second < GAPS && least != 0; ++second) {
        if (second > 0 && box->out.modes < 3) break;
        for (int first = 0; first < GAPS && least != 0; ++first) {
            lay_out(box, gaps[first] * granule, gaps[second] * granule);
            const int over = passes_over(box, &box->in, 1) + passes_over(box, &box->out, 0);
            if (least >= 0 && over >= least) continue;
            least = over;
            best1 = gaps[first] * granule;
            best2 = gaps[second] * granule;
        }
    }
    lay_out(box, best1, best2);
}
