/* Proof by enumeration that a copy is correct. */
#include "verify.h"

#include <string.h>

#include "base/refuse.h"
#include <cutlet/copy/thread_values.h>

const char *ct_verify_name(int property)
{
    static const char *const names[CT_VERIFY_PROPERTIES] = {"cover",
                                                            "writes",
                                                            "idle",
                                                            "doubled",
                                                            "shared",
                                                            "source access",
                                                            "destination access",
                                                            "shared access"};
    return property >= 0 && property < CT_VERIFY_PROPERTIES ? names[property] : "";
}

ct_verify_job ct_verify_of_tv(ct_layout tv, ct_tuple tile, int32_t elem_bits)
{
    ct_verify_job job;
    memset(&job, 0, sizeof job);
    job.tv = job.src_tv = job.dst_tv = tv;
    job.tile = tile;
    job.elem_bits = job.access_bits = elem_bits;
    return job;
}

ct_verify_job ct_verify_of_copy(const ct_tiled_copy *copy)
{
    const int32_t kind = copy->atom.kind;
    ct_verify_job job =
        ct_verify_of_tv(copy->tv, ct_tiled_copy_shape(*copy), copy->atom.value_bits);
    if (copy->atom.err.status) {
        job.tv = ct_layout_fail(copy->atom.err);
        return job;
    }
    job.src_tv = ct_tiled_copy_tv(*copy, copy->atom.src_tv);
    job.dst_tv = ct_tiled_copy_tv(*copy, copy->atom.dst_tv);
    job.access_bits = copy->atom.bits;
    job.copies = copy->copies;
    job.dst_registers = kind == CT_ATOM_LDMATRIX || kind == CT_ATOM_LDMATRIX_TRANS;
    job.src_registers = kind == CT_ATOM_STMATRIX || kind == CT_ATOM_STMATRIX_TRANS;
    for (int k = 0; k < ct_tiler_count(copy->tiler); ++k) {
        const ct_layout tile = ct_coalesce(ct_tile(copy->tiler, k));
        job.has_gaps |= tile.profile.leaves != 1 || (tile.shape[0] > 1 && tile.stride[0] != 1);
    }
    return job;
}

ct_verify_job ct_verify_of_blocks(ct_layout thr, ct_layout val, ct_tuple tile, int32_t elem_bits)
{
    ct_verify_job job = ct_verify_of_tv(ct_layout1(1, 0), tile, elem_bits);
    job.by_blocks = 1;
    job.thr = thr;
    job.val = val;
    if (ct_rank(tile) > 0 || thr.err.status || val.err.status) return job;
    const int rank = (int)ct_max(ct_layout_rank(thr), ct_layout_rank(val));
    job.tile = ct_tuple0();
    for (int k = 0; k < rank; ++k) { /* of each, mode k counts as 1 where it has none */
        const int64_t threads = k < ct_layout_rank(thr) ? ct_size(ct_mode(thr, k)) : 1;
        const int64_t values = k < ct_layout_rank(val) ? ct_size(ct_mode(val, k)) : 1;
        int ok = 1;
        job.tile = ct_append(job.tile, ct_int(ct_mul(threads, values, &ok)));
    }
    return job;
}

/* ---- the work -------------------------------------------------------------------------------- */

enum { SRC, DST, SHARED, SIDES };

typedef struct work {
    const ct_verify_job *job;
    ct_verify_report *report;
    char *message;
    ct_holders holders; /* of tv */
    ct_verify_side side[SIDES];
    int has[SIDES];
} work;

static const char *const side_names[SIDES] = {"source", "destination", "shared layout"};

static ct_status make_holders(ct_holders *h, const ct_verify_job *job, ct_layout tv, char *message)
{
    return job->by_blocks ? ct_holders_of_blocks(h, job->thr, job->val, job->tile, message)
                          : ct_holders_of_tv(h, tv, job->tile, message);
}

static ct_status make_sides(work *w)
{
    const ct_tensor *const layouts[SIDES] = {w->job->src, w->job->dst, w->job->shared};
    for (int i = 0; i < SIDES; ++i) {
        if (!layouts[i]) continue;
        w->has[i] = 1;
        const ct_status bad = ct_side_make(&w->side[i], layouts[i], side_names[i], w->message);
        if (bad) return bad;
        if (w->side[i].rank < w->holders.rank)
            return ct_refuse(w->message, CT_E_ARGUMENT, "the %s has %d modes, and the tile has %d",
                             side_names[i], w->side[i].rank, w->holders.rank);
        if (i == SHARED && w->side[i].size > CT_VERIFY_MOST)
            return ct_refuse(w->message, CT_E_CAPACITY,
                             "the %s has %lld elements, and at most %d are enumerated",
                             side_names[i], (long long)w->side[i].size, CT_VERIFY_MOST);
        const int64_t align = w->job->access_bits / w->job->elem_bits;
        const ct_status more =
            ct_side_classes(&w->side[i], &w->holders, align, side_names[i], w->message);
        if (more) return more;
    }
    return 0;
}

static ct_status check_access(work *w, int side, int property)
{
    const ct_verify_job *job = w->job;
    const int by_src = side == SRC || (side == SHARED && job->dst_registers);
    const int64_t align[SIDES] = {job->src_align, job->dst_align, 0};
    ct_verify_finding *f = &w->report->of[property];
    ct_holders h;
    if (!w->has[side] || (side == SRC && job->src_registers) || (side == DST && job->dst_registers))
        return 0;
    ct_status bad = make_holders(&h, job, by_src ? job->src_tv : job->dst_tv, w->message);
    if (!bad && h.slots % (job->access_bits / job->elem_bits) != 0)
        bad = ct_refuse(w->message, CT_E_ARGUMENT,
                        "a thread's %lld values of %d bits are not a whole number of accesses of "
                        "%d bits",
                        (long long)h.slots, (int)job->elem_bits, (int)job->access_bits);
    if (!bad) ct_verify_access(&h, &w->side[side], job, align[side], f);
    if (!bad) f->state = CT_VERIFY_OK;
    ct_holders_free(&h);
    return bad;
}

/* Writes to registers: each value of each thread has a separate one. */
static void say_registers(const ct_holders *h, ct_verify_finding *f)
{
    f->count = h->count;
    ct_finding_say(f, "%lld writes, each to its own register of its thread", (long long)h->count);
}

static ct_status check_all(work *w)
{
    ct_verify_finding *const of = w->report->of;
    const ct_verify_job *job = w->job;
    const ct_verify_side *dst = w->has[DST] ? &w->side[DST] : NULL;
    const int registers = job->dst_registers || (!dst && w->holders.copies > 1);
    ct_refuse(w->message, CT_E_MEMORY, "out of memory"); /* what no function below says itself */
    ct_status bad = ct_verify_cover(&w->holders, &of[CT_VERIFY_COVER]);
    if (!bad && registers) say_registers(&w->holders, &of[CT_VERIFY_WRITES]);
    else if (!bad)
        bad = ct_verify_writes(&w->holders, dst, of[CT_VERIFY_COVER].bad == 0,
                               &of[CT_VERIFY_WRITES], w->message);
    if (!bad) bad = ct_verify_idle(&w->holders, &of[CT_VERIFY_IDLE]);
    if (!bad) bad = ct_verify_doubled(&w->holders, &of[CT_VERIFY_DOUBLED]);
    if (bad) return bad;
    for (int p = CT_VERIFY_COVER; p <= CT_VERIFY_DOUBLED; ++p) of[p].state = CT_VERIFY_OK;
    if (w->has[SHARED]) {
        bad = ct_verify_shared(&w->holders, &w->side[SHARED], 8 * job->shared_bytes, job->elem_bits,
                               &of[CT_VERIFY_SHARED]);
        if (bad) return bad;
        of[CT_VERIFY_SHARED].state = CT_VERIFY_OK;
    }
    bad = check_access(w, SRC, CT_VERIFY_SRC_ACCESS);
    if (!bad) bad = check_access(w, DST, CT_VERIFY_DST_ACCESS);
    if (!bad) bad = check_access(w, SHARED, CT_VERIFY_SHARED_ACCESS);
    return bad;
}

static ct_status check_job(const ct_verify_job *job, char *message)
{
    if (job->elem_bits < 1 || job->access_bits < job->elem_bits ||
        job->access_bits % job->elem_bits != 0 || job->access_bits > 4096)
        return ct_refuse(message, CT_E_ARGUMENT,
                         "an access is a whole number of elements, each of at least 1 bit");
    if (job->src_align < 0 || job->dst_align < 0 || job->shared_bytes < 0 ||
        job->shared_bytes > INT64_MAX / 16)
        return ct_refuse(message, CT_E_ARGUMENT, "alignments and sizes are at least 1 byte");
    if (job->has_gaps && (job->src || job->dst || job->shared))
        return ct_refuse(message, CT_E_ARGUMENT,
                         "the tile skips coordinates of its tensor; verify it without layouts in "
                         "memory");
    return 0;
}

ct_status ct_verify(const ct_verify_job *job, ct_verify_report *report,
                    char message[CT_MESSAGE_BYTES])
{
    work w;
    memset(&w, 0, sizeof w);
    memset(report, 0, sizeof *report);
    w.job = job;
    w.report = report;
    w.message = message;
    for (int p = 0; p < CT_VERIFY_PROPERTIES; ++p) {
        for (int k = 0; k < 2; ++k) report->of[p].thread[k] = report->of[p].value[k] = -1;
        report->of[p].offset[0] = report->of[p].offset[1] = CT_INVALID;
    }
    ct_status bad = check_job(job, message);
    if (bad) return bad;
    bad = make_holders(&w.holders, job, job->tv, message);
    w.holders.copies = ct_max(1, job->copies);
    if (!bad) {
        report->threads = w.holders.threads;
        report->values = w.holders.slots;
        report->elements = w.holders.size;
        bad = make_sides(&w);
        if (!bad) bad = check_all(&w);
    }
    for (int p = 0; p < CT_VERIFY_PROPERTIES && !bad; ++p) {
        if (report->of[p].bad == 0) continue;
        report->of[p].state = CT_VERIFY_FAILED;
        ++report->failed;
    }
    for (int i = 0; i < SIDES; ++i) ct_side_free(&w.side[i]);
    ct_holders_free(&w.holders);
    return bad;
}
