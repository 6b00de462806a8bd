/* The partitions of a box: its threads along either side, and its layout in shared memory. That
 * layout has the order of either side, with gaps. The one with the fewest wavefronts is taken. */
#include <string.h>

#include <cutlet/copy/copy_partition.h>
#include <cutlet/host/access.h>
#include "gpu.h"

enum { WARP = 32, WARPS = 4, MOST_THREADS = 512, MOST_SHARED = 48 * 1024 };

/* The strides of the axes in shared memory, in bytes. A gap follows every `each` coordinates of one
 * axis. */
typedef struct placing {
    int64_t step[CT_AXES], gap, bytes;
    int axis, each;
} placing;

/* The values of a thread in one block of accesses. */
static int64_t values_of(const ct_gpu_walk *w)
{
    int64_t n = 1;
    for (int a = 0; a < w->axes; ++a) n *= w->val[a];
    return n;
}

/* Divides a box among a number of threads: they cover full axes, then rows of the next axis. */
static void divide(const ct_box *box, ct_gpu_walk *w, int threads)
{
    int whole = 1;
    w->active = w->accesses = 1;
    for (int i = 0; i < w->axes; ++i) {
        const int a = w->order[i];
        const int64_t n = box->axis[a].tile / w->val[a];
        const int64_t rows = whole ? ct_min(n, threads / w->active) : 1;
        const int64_t passes = ct_ceil_div_int(n, rows);
        whole = whole && rows == n;
        w->thr[a] = rows;
        w->tile[a] = rows * passes * w->val[a];
        w->active *= rows;
        w->accesses *= passes;
    }
}

/* The number of threads with the fewest idle ones, from half to twice the variant's. -1: each would
 * have more accesses than its limit. */
static int choose_threads(ct_gpu_launch *l, ct_gpu_walk *in, ct_gpu_walk *out,
                          const ct_gpu_variant *variant)
{
    const int64_t in_values = values_of(in), out_values = values_of(out);
    double best = -1;
    int64_t elements = 1;
    for (int a = 0; a < in->axes; ++a) elements *= l->box.axis[a].tile;
    l->threads = 0;
    for (int threads = variant->threads / 2; threads <= ct_min(2 * variant->threads, MOST_THREADS);
         threads += WARP) {
        divide(&l->box, in, threads);
        divide(&l->box, out, threads);
        const int64_t loads = in->accesses * in_values / in->val[in->order[0]];
        if (ct_max(in->accesses * in_values, out->accesses * out_values) > CT_VALUES ||
            ct_max(loads, out->accesses) > CT_ACCESSES)
            continue;
        const double slots = (double)threads * (double)(in->accesses + out->accesses);
        const double used =
            (double)elements / (double)in_values + (double)elements / (double)out_values;
        const double far =
            (double)ct_max(threads, variant->threads) / (double)ct_min(threads, variant->threads);
        const double good = used / slots - 0.02 * far; /* of two that are as good the nearer one */
        if (l->threads > 0 && good <= best) continue;
        best = good;
        l->threads = (uint32_t)threads;
    }
    if (l->threads == 0) return -1;
    divide(&l->box, in, (int)l->threads);
    divide(&l->box, out, (int)l->threads);
    l->resident = (int32_t)ct_max(1, (int64_t)variant->resident * variant->threads / l->threads);
    return 0;
}

/* ---- shared memory ----------------------------------------------------------------------------- */

static int64_t place_of(const placing *p, int axis, int64_t at)
{
    return at * p->step[axis] + (axis == p->axis ? at / p->each * p->gap : 0);
}

/* The elements of an access of a walk that are contiguous in shared memory. */
static int width_of(const placing *p, const ct_gpu_walk *w, int bytes)
{
    int64_t width = 1, all = p->gap;
    for (int a = 0; a < w->axes; ++a) {
        if (p->step[a] == bytes) width = w->val[a];
        else all = ct_gcd(all, p->step[a]);
    }
    width = ct_max(bytes, ct_min(width * bytes, 16));
    return (int)ct_power_of_two(ct_gcd(all, width), width) / bytes;
}

/* The wavefronts of the first warps of a walk, for all accesses of a thread. *over: those beyond
 * the fewest that the bytes need. */
static int64_t passes(const placing *p, const ct_gpu_walk *w, int bytes, int is_store, int *over)
{
    const int width = width_of(p, w, bytes);
    int64_t n = 0;
    for (int warp = 0; warp < WARPS && warp * WARP < w->active; ++warp) {
        ct_access a = {.kind = is_store ? CT_ACCESS_STS : CT_ACCESS_LDS, .bits = 8 * bytes * width};
        for (int lane = 0; lane < WARP; ++lane) {
            int64_t rest = warp * WARP + lane;
            a.offset[lane] = rest < w->active ? 0 : CT_LANE_OFF;
            a.shared[lane] = CT_LANE_OFF;
            for (int i = 0; i < w->axes && rest < w->active && a.offset[lane] >= 0; ++i) {
                const int axis = w->order[i];
                a.offset[lane] += place_of(p, axis, rest % w->thr[axis] * w->val[axis]);
                rest /= w->thr[axis];
            }
        }
        const ct_access_count c = ct_count_access_by(NULL, &a, NULL);
        n += c.wavefronts;
        *over += c.wavefronts - c.ideal;
    }
    return n * w->accesses * values_of(w) / width;
}

/* The best layout of a box in shared memory: the axes in the order of either walk, with gaps after the
 * first two. permuted: values are transposed in registers, so shared memory has the order of the
 * destination. */
static placing place(const ct_box *box, const ct_gpu_walk *in, const ct_gpu_walk *out, int bytes,
                     int permuted)
{
    enum { FIRST = 9, SECOND = 4 };
    const int seconds = in->axes > 2 ? SECOND : 1;
    placing best = {.bytes = 0};
    int64_t least = -1;
    int over = 1;
    for (int i = 0; i < 2 * seconds * FIRST && over > 0; ++i) {
        const int first = i % FIRST, second = i / FIRST % seconds, last = i / FIRST / seconds;
        const ct_gpu_walk *const order = last && !permuted ? in : out;
        const int64_t divisor = bytes * order->val[order->order[0]];
        placing p = {.axis = in->order[0], .each = (int)in->val[in->order[0]], .bytes = bytes};
        if (last && permuted) p.gap = divisor;
        for (int k = 0; k < order->axes; ++k) {
            const int a = order->order[k];
            p.step[a] = p.bytes;
            p.bytes *= box->axis[a].tile;
            if (k < 2) p.bytes += (k == 0 ? first : second) * divisor;
            if (a == p.axis) p.bytes += box->axis[a].tile / p.each * p.gap;
        }
        over = 0;
        const int64_t n = passes(&p, in, bytes, 1, &over) + passes(&p, out, bytes, 0, &over);
        if (least >= 0 && n >= least) continue;
        least = n;
        best = p;
    }
    return best;
}

/* ---- partitions -------------------------------------------------------------------------------- */

/* Shared memory as the axes of a walk see it. */
static ct_memory shared_of(const placing *p, const ct_gpu_walk *w, int bytes)
{
    ct_tuple shape = ct_tuple0(), stride = ct_tuple0();
    for (int a = 0; a < w->axes; ++a) {
        const int64_t step = p->step[a] / bytes, n = w->tile[a];
        if (a == p->axis && p->gap > 0 && n > p->each) {
            shape = ct_append(shape, ct_tuple2(p->each, n / p->each));
            stride = ct_append(stride, ct_tuple2(step, p->each * step + p->gap / bytes));
        } else {
            shape = ct_append(shape, ct_int(n));
            stride = ct_append(stride, ct_int(step));
        }
    }
    ct_memory m =
        ct_in_shared(ct_make_swizzled(ct_swizzle_none(), 0, ct_make_layout(shape, stride)));
    m.most = width_of(p, w, bytes);
    return m;
}

static ct_memory global_of(const ct_gpu_walk *w)
{
    const int64_t most = w->val[w->order[0]];
    ct_memory m = ct_in_global(most > 1 ? w->order[0] : -1);
    m.most = (int32_t)most;
    return m;
}

/* The partition of a walk. */
static ct_partition partition(const ct_box *box, const ct_gpu_walk *w, int bits, ct_memory src,
                              ct_memory dst, int in_flight)
{
    ct_layout thr = CT_ZERO, val = CT_ZERO;
    ct_tuple tile = ct_tuple0();
    int64_t threads = 1, values = 1;
    thr.profile = val.profile = ct_profile_flat(w->axes);
    for (int i = 0; i < w->axes; ++i) {
        const int a = w->order[i];
        thr.shape[a] = w->thr[a];
        thr.stride[a] = threads;
        threads *= w->thr[a];
        val.shape[i] = w->val[i];
        val.stride[i] = values;
        values *= w->val[i];
    }
    for (int a = 0; a < w->axes; ++a) tile = ct_append(tile, ct_int(w->tile[a]));
    ct_partition p =
        ct_make_partition(ct_make_tiled_copy(ct_copy_atom_auto(bits), thr, val), tile, src, dst);
    p.in_flight = in_flight;
    for (int a = 0; a < w->axes; ++a) {
        const ct_box_mode *const m = &box->axis[a];
        if (m->extent % m->tile != 0 || w->tile[a] != m->tile) p.ends = (uint8_t)(p.ends | 1 << a);
    }
    return p;
}

/* The bytes from a thread's first access to a side of global memory to each of them. Clears what no kernel
 * reads of a partition, which the source of one would have. */
static void bind(ct_box *box, ct_partition *p)
{
    const size_t permuted = p->permuted ? (size_t)(p->values / p->blocks) : 0;
    for (int is_dst = 0; is_dst < 2; ++is_dst) {
        ct_side *const s = is_dst ? &p->dst : &p->src;
        int64_t *const offset = is_dst ? box->dst_offset : box->src_offset;
        const int is_global = p == (is_dst && box->staged ? &box->out : &box->in);
        for (int i = 0; i < s->accesses && is_global; ++i) {
            offset[i] = 0;
            for (int a = 0; a < box->in.axes; ++a)
                offset[i] +=
                    ct_access_coord(s, i, a) * (is_dst ? box->axis[a].dst : box->axis[a].src);
        }
        if (!p->ends) memset(s->coord, 0, sizeof s->coord);
        if (s->space != CT_SPACE_SHARED) memset(s->add, 0, sizeof s->add);
    }
    memset(p->turn + permuted, 0, sizeof p->turn - permuted);
}

int ct_gpu_divide(ct_gpu_launch *l, ct_gpu_walk *in, ct_gpu_walk *out,
                  const ct_gpu_variant *variant, int src_bits, int bits)
{
    ct_box *const box = &l->box;
    const int bytes = bits / 8, a = in->order[0], b = out->order[0];
    const int permuted = box->staged && bytes < 4 && a != b && ct_min(in->val[a], out->val[b]) > 1;
    if (permuted) in->val[b] = out->val[b];
    if (choose_threads(l, in, out, variant)) return -1;
    box->threads = (int32_t)l->threads;
    if (box->staged) {
        const placing p = place(box, in, out, bytes, permuted);
        box->in = partition(box, in, bits, global_of(in), shared_of(&p, in, bytes), variant->batch);
        box->out = partition(box, out, bits, shared_of(&p, out, bytes), global_of(out), 0);
        l->shared_bytes = (int32_t)p.bytes;
    } else {
        box->in = partition(box, in, bits, global_of(in), global_of(in), variant->batch);
    }
    box->in.src_bits = src_bits;
    bind(box, &box->in);
    if (box->staged) bind(box, &box->out);
    if (box->in.err.status || box->out.err.status || l->shared_bytes > MOST_SHARED) return -1;
    const int32_t words = ct_max(src_bits, bits) * box->in.src.width / 32;
    const int32_t held = ct_copy_blocks(&box->in) * box->in.src_block;
    return held * ct_max(words, 1) > CT_BOX_WORDS ? -1 : 0;
}
