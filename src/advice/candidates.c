/* Other threads and values for a copy. */
#include "changes.h"

static void add(ct_candidates *c, ct_layout thr, ct_layout val)
{
    if (c->count == CT_CANDIDATES || thr.err.status || val.err.status) return;
    c->of[c->count].thr = thr;
    c->of[c->count++].val = val;
}

/* A compact layout of a shape, mode `first` fastest. */
static ct_layout compact(const int64_t *shape, int rank, int first)
{
    ct_tuple s = ct_tuple0(), d = ct_tuple0();
    int64_t stride[CT_MAX_LEAVES] = {1}, run = shape[first];
    int ok = 1;
    stride[first] = 1;
    for (int k = 0; k < rank; ++k) {
        if (k == first) continue;
        stride[k] = run;
        run = ct_mul(run, shape[k], &ok);
    }
    for (int k = 0; k < rank; ++k) {
        s = ct_append(s, ct_int(shape[k]));
        d = ct_append(d, ct_int(stride[k]));
    }
    return rank == 1 ? ct_layout1(shape[0], 1) : ct_make_layout(s, d);
}

/* `values` along mode u for each thread: with unchanged threads, then with an unchanged tile, then
 * along mode u to the end of the tensor. */
static void add_along(const ct_advice_job *job, ct_candidates *c, int rank, int u, int64_t values,
                      int64_t threads)
{
    int64_t val[CT_MAX_LEAVES] = {1}, thr[CT_MAX_LEAVES] = {1}, all = 1;
    const int side = job->has[0] ? 0 : 1;
    for (int k = 0; k < rank; ++k) val[k] = k == u ? values : 1;
    const ct_layout v = compact(val, rank, u);
    if (job->has_blocks) add(c, job->thr, v);
    for (int k = 0; k < rank; ++k) {
        const int64_t tile = ct_product(ct_get(job->tile, k));
        thr[k] = tile % val[k] == 0 ? tile / val[k] : 0;
        all *= thr[k];
    }
    if (all == threads) add(c, compact(thr, rank, u), v);
    const int64_t extent = ct_size(ct_mode(job->memory[side].layout, u));
    int64_t along = ct_min(threads, ct_max(1, extent / values));
    while (threads % along != 0) --along;
    for (int k = 0; k < rank; ++k) thr[k] = k == u ? along : 1;
    if (rank == 1 && along != threads) return;
    if (rank > 1) thr[u == 0 ? 1 : 0] = threads / along;
    add(c, compact(thr, rank, u), v);
}

void ct_candidates_of(const ct_advice_job *job, ct_candidates *c)
{
    const int rank = ct_rank(job->tile);
    const int64_t threads = ct_size(ct_mode(job->tv, 0)), values = ct_size(ct_mode(job->tv, 1));
    int64_t shape[CT_MAX_LEAVES] = {1};
    c->count = 0;
    if (job->has_blocks) { /* the same values in another order */
        for (int k = 0; k < ct_layout_rank(job->val); ++k) shape[k] = ct_size(ct_mode(job->val, k));
        for (int u = 0; u < ct_layout_rank(job->val); ++u)
            add(c, job->thr, compact(shape, ct_layout_rank(job->val), u));
    }
    for (int64_t n = job->most_bytes / job->elem_bytes; n >= 2; n /= 2) {
        for (int u = 0; u < rank; ++u) {
            if (values > n && values % n == 0) add_along(job, c, rank, u, values, threads);
            add_along(job, c, rank, u, n, threads);
        }
    }
}
