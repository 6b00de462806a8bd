/* Proofs about a tiled copy, a thread-value layout or a tiled MMA. */
#include <cutlet/host/verify.h>

#include <stdio.h>

#include <cutlet/cutlet.h>
#include <cutlet/host/verify_mma.h>
#include "play.h"

static void put_finding(ct_play_answer *a, const char *name, int state, const char *text,
                        const ct_tensor *nearest)
{
    char layout[CT_TEXT_BYTES];
    ct_play_open(a, NULL, '{');
    ct_play_text(a, "property", name);
    ct_play_bool(a, "ok", state == CT_VERIFY_OK);
    ct_play_text(a, "text", text);
    if (nearest && !nearest->layout.err.status && nearest->layout.profile.leaves > 0) {
        if (nearest->swizzle.bits) ct_format_tensor(layout, sizeof layout, *nearest);
        else ct_format_layout(layout, sizeof layout, nearest->layout);
        ct_play_text(a, "nearest", layout);
    }
    ct_play_close(a, '}');
}

/* ---- copies ---------------------------------------------------------------------------------- */

static void put_report(ct_play_answer *a, const ct_verify_job *job, const ct_verify_report *r)
{
    char tile[CT_TEXT_BYTES], head[CT_TEXT_BYTES + 160];
    ct_format_tuple(tile, sizeof tile, job->tile);
    snprintf(head, sizeof head,
             "%lld threads with %lld values each over a tile of %s, %lld elements of %d bits",
             (long long)r->threads, (long long)r->values, tile, (long long)r->elements,
             (int)job->elem_bits);
    ct_play_text(a, "head", head);
    ct_play_open(a, "properties", '[');
    for (int p = 0; p < CT_VERIFY_PROPERTIES; ++p) {
        if (r->of[p].state != CT_VERIFY_SKIPPED)
            put_finding(a, ct_verify_name(p), r->of[p].state, r->of[p].text, NULL);
    }
    ct_play_close(a, ']');
}

static void verify_copy(const ct_play_request *r, ct_play_answer *a, ct_verify_job job)
{
    int has_src, has_dst, has_shared;
    ct_tensor src, dst, shared;
    ct_verify_report report;
    char message[CT_MESSAGE_BYTES];
    int64_t bits = job.access_bits;
    if (ct_play_number(r, a, "bits", 8, 256, &bits) ||
        ct_play_number(r, a, "shared_bytes", 1, INT32_MAX, &job.shared_bytes) ||
        ct_play_memory(r, a, "src", &has_src, &src) ||
        ct_play_memory(r, a, "dst", &has_dst, &dst) ||
        ct_play_memory(r, a, "shared", &has_shared, &shared))
        return;
    job.access_bits = (int32_t)bits;
    job.src = has_src ? &src : NULL;
    job.dst = has_dst ? &dst : NULL;
    job.shared = has_shared ? &shared : NULL;
    if (ct_verify(&job, &report, message)) ct_play_wrong(a, "subject", message);
    else put_report(a, &job, &report);
}

static void verify_tv(const ct_play_request *r, ct_play_answer *a, ct_layout tv)
{
    ct_tuple tile;
    int32_t bits = 16;
    if (!ct_play_field(r, "tile")) {
        ct_play_wrong(a, "tile", "a thread-value layout needs the shape of its tile");
        return;
    }
    if (ct_play_shape(r, a, "tile", &tile) || ct_play_type(r, a, "type", &bits)) return;
    verify_copy(r, a, ct_verify_of_tv(tv, tile, bits));
}

/* ---- matrix instructions --------------------------------------------------------------------- */

static void put_mma_report(ct_play_answer *a, const ct_tiled_mma *mma,
                           const ct_verify_mma_report *r)
{
    char tile[CT_TEXT_BYTES], atom[CT_TEXT_BYTES], head[2 * CT_TEXT_BYTES + 64];
    ct_format_tuple(tile, sizeof tile, ct_tiled_mma_shape(*mma));
    ct_format_mma_atom(atom, sizeof atom, mma->atom);
    snprintf(head, sizeof head, "%lld thread%s over a tile (m,n,k) of %s by %s",
             (long long)r->threads, r->threads == 1 ? "" : "s", tile, atom);
    ct_play_text(a, "head", head);
    ct_play_open(a, "properties", '[');
    for (int p = 0; p < CT_VERIFY_MMA_PROPERTIES; ++p) {
        const ct_verify_mma_finding *const f = &r->of[p];
        const int feeds = p >= CT_VERIFY_FEED_A && f->state == CT_VERIFY_FAILED;
        if (f->state != CT_VERIFY_SKIPPED)
            put_finding(a, ct_verify_mma_name(p), f->state, f->text,
                        feeds ? &r->feed[(p - CT_VERIFY_FEED_A) / 2].nearest : NULL);
    }
    ct_play_close(a, ']');
}

static void verify_mma(const ct_play_request *r, ct_play_answer *a, ct_tiled_mma mma)
{
    int has_a, has_b;
    ct_tensor shared_a, shared_b;
    ct_verify_mma_job job = {.mma = mma};
    ct_verify_mma_report report;
    char message[CT_MESSAGE_BYTES];
    if (ct_play_rules(r, a, &job.rules) || ct_play_memory(r, a, "shared_a", &has_a, &shared_a) ||
        ct_play_memory(r, a, "shared_b", &has_b, &shared_b))
        return;
    job.shared[0] = has_a ? &shared_a : NULL;
    job.shared[1] = has_b ? &shared_b : NULL;
    if (ct_verify_mma(&job, &report, message)) ct_play_wrong(a, "subject", message);
    else put_mma_report(a, &mma, &report);
}

void ct_play_verify(const ct_play_request *r, ct_play_answer *a)
{
    char message[CT_MESSAGE_BYTES];
    ct_value v;
    if (ct_play_operand(r, a, "subject", &v)) return;
    ct_play_text(a, "kind", ct_kind_name(&v));
    switch (v.kind) {
        case CT_KIND_TILED_COPY: verify_copy(r, a, ct_verify_of_copy(&v.as.copy)); break;
        case CT_KIND_LAYOUT: verify_tv(r, a, v.as.layout); break;
        case CT_KIND_TILED_MMA: verify_mma(r, a, v.as.mma); break;
        case CT_KIND_MMA_ATOM:
            verify_mma(r, a, ct_make_tiled_mma(v.as.mma_atom, ct_layout1(1, 0), ct_tiler0()));
            break;
        default:
            snprintf(message, sizeof message,
                     "a tiled copy, a tiled MMA or a thread-value layout is needed, not %s",
                     ct_kind_name(&v));
            ct_play_wrong(a, "subject", message);
    }
    ct_value_free(&v);
}
