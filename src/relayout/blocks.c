/* The copy, block by block. A block is a part of the common modes of both files that fits in the
 * allowed memory. It is read in windows of one file, copied by a plan, and written in windows of
 * the other. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "run.h"

/* A block of a box, and the placement of both ends in memory. */
typedef struct block {
    const ct_relayout_pass *pass;
    const ct_relayout_box *box;
    int64_t extent[CT_PLAN_MODES];
    ct_relayout_stage src, dst;
    int64_t elems;
} block;

/* Runs the plan of a description, made once for all blocks that are alike. */
static ct_status copy_slab(ct_relayout_runner *r, const ct_plan_desc *desc, int32_t effort,
                           const ct_relayout_slab *slab, char *message)
{
    ct_relayout_plan *k = NULL;
    for (int i = 0; i < CT_RELAYOUT_PLANS && !k; ++i)
        if (r->kept[i].plan && r->kept[i].effort == effort &&
            memcmp(&r->kept[i].desc, desc, sizeof *desc) == 0)
            k = &r->kept[i];
    if (!k) {
        k = &r->kept[r->next];
        r->next = (r->next + 1) % CT_RELAYOUT_PLANS;
        ct_plan_destroy(k->plan);
        const ct_status bad = ct_plan_create(desc, effort, &k->plan, message);
        if (bad) return bad;
        k->desc = *desc;
        k->effort = effort;
    }
    return ct_relayout_mover_of(desc->backend)(k->plan, slab, message);
}

/* One end of a block as a side of a plan. */
static ct_plan_side side_of(const block *b, const ct_relayout_end *end, const ct_relayout_stage *s)
{
    ct_layout L;
    int n = 0;
    memset(&L, 0, sizeof L);
    for (int k = 0; k < b->box->modes; ++k) {
        if (b->extent[k] == 1) continue;
        L.shape[n] = b->extent[k];
        L.stride[n++] = s->step[k];
    }
    L.profile = n > 1 ? ct_profile_flat(n) : ct_int(0).profile;
    ct_plan_side side = ct_plan_side_of(n > 0 ? L : ct_layout1(1, 0), end->type);
    side.elem_bytes = end->elem_bytes;
    side.memory.offset = ct_int(s->base);
    if (end->swizzle.bits > 0 && !s->chunked) side.memory.swizzle = end->swizzle;
    return side;
}

/* The elements of a block, one after another. */
static ct_plan_side packed_of(const block *b)
{
    ct_relayout_stage s;
    ct_relayout_end end = b->pass->src;
    int64_t run = 1;
    memset(&s, 0, sizeof s);
    for (int k = 0; k < b->box->modes; run *= b->extent[k++]) s.step[k] = run;
    end.swizzle = ct_swizzle_none();
    return side_of(b, &end, &s);
}

static ct_status cannot(const ct_relayout_end *end, int writes, char *message)
{
    if (errno == 0)
        return ct_refuse(message, CT_E_FILE, "%.150s: it became shorter while it was read",
                         end->path);
    return ct_refuse(message, CT_E_FILE, "%.150s: cannot be %s: %s", end->path,
                     writes ? "written" : "read", strerror(errno));
}

static ct_status transfer(const block *b, int is_dst, int writes, unsigned char *buffer,
                          char *message)
{
    const ct_relayout_end *const end = is_dst ? &b->pass->dst : &b->pass->src;
    const ct_relayout_stage *const s = is_dst ? &b->dst : &b->src;
    const int bad = ct_relayout_transfer(end, b->box, is_dst, b->extent, s, writes, buffer);
    return bad ? cannot(end, writes, message) : CT_OK;
}

/* Copies from one file to the other. */
static ct_status move_block(ct_relayout_runner *r, const block *b, char *message)
{
    const ct_relayout_pass *const p = b->pass;
    const ct_relayout_slab slab = {r->dst, r->src,
                                   b->dst.windows * b->dst.length * p->dst.elem_bytes,
                                   b->src.windows * b->src.length * p->src.elem_bytes, b->dst.gaps};
    ct_plan_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.src = side_of(b, &p->src, &b->src);
    desc.dst = side_of(b, &p->dst, &b->dst);
    /* both ends are in host memory */
    desc.backend = r->job->backend == CT_BACKEND_AUTO ? CT_BACKEND_CPU : r->job->backend;
    ct_status bad = transfer(b, 0, 0, r->src, message);
    if (!bad && b->dst.gaps) bad = transfer(b, 1, 0, r->dst, message);
    if (!bad) bad = copy_slab(r, &desc, r->job->effort, &slab, message);
    if (!bad) bad = transfer(b, 1, 1, r->dst, message);
    return bad;
}

/* Reads both files, and compares the elements, brought into one order. */
static ct_status verify_block(ct_relayout_runner *r, const block *b, char *message)
{
    const ct_relayout_pass *const p = b->pass;
    const int64_t bytes = b->elems * p->src.elem_bytes;
    for (int is_dst = 0; is_dst < 2; ++is_dst) {
        const ct_relayout_end *const end = is_dst ? &p->dst : &p->src;
        const ct_relayout_stage *const s = is_dst ? &b->dst : &b->src;
        unsigned char *const from = is_dst ? r->dst : r->src, *const to =
                                                                  is_dst ? r->came : r->sent;
        const ct_relayout_slab slab = {to, from, bytes, s->windows * s->length * end->elem_bytes,
                                       0};
        ct_plan_desc desc;
        memset(&desc, 0, sizeof desc);
        desc.src = side_of(b, end, s);
        desc.dst = packed_of(b);
        desc.backend = CT_BACKEND_CPU;
        memset(to, is_dst ? 0xff : 0, (size_t)bytes);
        ct_status bad = transfer(b, is_dst, 0, from, message);
        if (!bad) bad = copy_slab(r, &desc, CT_EFFORT_ESTIMATE, &slab, message);
        if (bad) return bad;
    }
    if (memcmp(r->sent, r->came, (size_t)bytes) == 0) return 0;
    int64_t at = 0;
    while (r->sent[at] == r->came[at]) ++at;
    return ct_refuse(message, CT_E_WRONG,
                     "verification: element %lld of the block from element %lld of %.100s differs",
                     (long long)(at / p->src.elem_bytes), (long long)(b->src.start + b->src.base),
                     p->src.path);
}

/* Sets a block to the elements from coordinate `at` on. */
static void set_block(block *b, const int64_t *most, const int64_t *at, int64_t src, int64_t dst)
{
    b->elems = 1;
    for (int i = 0; i < b->box->modes; ++i) {
        b->extent[i] = ct_min(most[i], b->box->mode[i].extent - at[i]);
        b->elems *= b->extent[i];
    }
    ct_relayout_stage_of(&b->pass->src, b->box, 0, b->extent, src, &b->src);
    ct_relayout_stage_of(&b->pass->dst, b->box, 1, b->extent, dst, &b->dst);
}

ct_status ct_relayout_do_box(ct_relayout_runner *r, const ct_relayout_pass *p,
                             const ct_relayout_box *box, const int64_t *most, int verify,
                             char *message)
{
    block b = {.pass = p, .box = box};
    int64_t at[CT_PLAN_MODES] = {0}, src = box->src, dst = box->dst;
    int k;
    do {
        set_block(&b, most, at, src, dst);
        if (b.src.windows * b.src.length * p->src.elem_bytes > r->src_bytes ||
            b.dst.windows * b.dst.length * p->dst.elem_bytes > r->dst_bytes)
            return ct_refuse(message, CT_E_FAILED,
                             "a block takes more memory than was set aside for it");
        const ct_status bad = (verify ? verify_block : move_block)(r, &b, message);
        if (bad) return bad;
        r->done += b.elems * (p->src.elem_bytes + p->dst.elem_bytes);
        if (r->watch->progress) r->watch->progress(r->done, r->all);
        for (k = 0; k < box->modes; ++k) { /* to the next one */
            src += most[k] * box->mode[k].src;
            dst += most[k] * box->mode[k].dst;
            at[k] += most[k];
            if (at[k] < box->mode[k].extent) break;
            src -= at[k] * box->mode[k].src;
            dst -= at[k] * box->mode[k].dst;
            at[k] = 0;
        }
    } while (k < box->modes);
    return 0;
}
