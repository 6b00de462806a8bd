/* cutlet verify TILED_MMA: which thread holds which element, and what feeds A and B. */
#include "mma.h"

#include <jansson.h>

#include "../common/json.h"
#include "../common/operands.h"
#include <cutlet/host/text.h>
#include <cutlet/mma/mma_descriptor_bits.h>

int ct_nearest_text(char *text, ct_tensor nearest)
{
    if (nearest.layout.err.status || nearest.layout.profile.leaves == 0) return 0;
    if (nearest.swizzle.bits) ct_format_tensor(text, CT_TEXT_BYTES, nearest);
    else ct_format_layout(text, CT_TEXT_BYTES, nearest.layout);
    return 1;
}

void ct_feed_name(const ct_mma_feed *feed, char name[32])
{
    const ct_copy_atom *a = &feed->copy.atom;
    const char *const trans = a->kind == CT_ATOM_LDMATRIX_TRANS ? "_trans" : "";
    snprintf(name, 32, "ldmatrix_x%d%s", (int)a->matrices, trans);
}

/* The operand that a property speaks of: 0 for A, 1 for B; -1: none of those in shared memory. */
static int fed_by(int property)
{
    return property < CT_VERIFY_FEED_A ? -1 : (property - CT_VERIFY_FEED_A) / 2;
}

static void print(const ct_tiled_mma *t, const ct_verify_mma_report *r)
{
    char tile[CT_TEXT_BYTES], atom[CT_TEXT_BYTES];
    ct_format_tuple(tile, sizeof tile, ct_tiled_mma_shape(*t));
    ct_format_mma_atom(atom, sizeof atom, t->atom);
    printf("%lld thread%s over a tile (m,n,k) of %s by %s\n", (long long)r->threads,
           r->threads == 1 ? "" : "s", tile, atom);
    for (int p = 0; p < CT_VERIFY_MMA_PROPERTIES; ++p) {
        const ct_verify_mma_finding *f = &r->of[p];
        if (f->state == CT_VERIFY_SKIPPED) continue;
        printf("  %-18s %-6s %s\n", ct_verify_mma_name(p),
               f->state == CT_VERIFY_OK ? "ok" : "FAILS", f->text);
        if (fed_by(p) >= 0 && f->state == CT_VERIFY_FAILED &&
            ct_nearest_text(tile, r->feed[fed_by(p)].nearest))
            printf("  %-18s %-6s the nearest layout that works: %s\n", "", "", tile);
    }
}

static void set_cover(json_t *o, const ct_verify_mma_finding *f)
{
    json_t *threads = json_array();
    for (int i = 0; i < CT_VERIFY_HOLDERS && f->thread[i] >= 0; ++i)
        json_array_append_new(threads, json_integer(f->thread[i]));
    json_object_set_new(o, "elements", json_integer(f->elements));
    json_object_set_new(o, "times", json_integer(f->times));
    json_object_set_new(o, "threads", threads);
}

static void set_feed(json_t *o, const ct_mma_feed *feed)
{
    char text[CT_TEXT_BYTES], name[32];
    if (feed->by == CT_FEED_LDMATRIX) {
        ct_feed_name(feed, name);
        json_object_set_new(o, "by", json_string(name));
        json_object_set_new(o, "instructions", json_integer(feed->traffic.instructions));
        json_object_set_new(o, "wavefronts", json_integer(feed->traffic.wavefronts));
        json_object_set_new(o, "conflicts", json_integer(feed->traffic.conflicts));
    } else if (feed->by == CT_FEED_DESCRIPTOR) {
        snprintf(text, sizeof text, "0x%016llx",
                 (unsigned long long)ct_mma_descriptor_pack(feed->descriptor));
        json_object_set_new(o, "by", json_string("descriptor"));
        json_object_set_new(o, "number", json_string(text));
    } else {
        json_object_set_new(o, "by", json_null());
    }
    if (ct_nearest_text(text, feed->nearest)) json_object_set_new(o, "nearest", json_string(text));
}

static int print_json(const ct_tiled_mma *t, const ct_verify_mma_report *r)
{
    char atom[CT_TEXT_BYTES];
    json_t *all = json_array();
    for (int p = 0; p < CT_VERIFY_MMA_PROPERTIES; ++p) {
        const ct_verify_mma_finding *f = &r->of[p];
        if (f->state == CT_VERIFY_SKIPPED) continue;
        json_t *o = json_pack("{s:s, s:b, s:s}", "property", ct_verify_mma_name(p), "ok",
                              f->state == CT_VERIFY_OK, "text", f->text);
        if (fed_by(p) < 0) set_cover(o, f);
        else set_feed(o, &r->feed[fed_by(p)]);
        json_array_append_new(all, o);
    }
    ct_format_mma_atom(atom, sizeof atom, t->atom);
    json_t *root = json_pack("{s:s, s:I, s:o, s:b, s:o}", "atom", atom, "threads",
                             (json_int_t)r->threads, "tile", ct_json_tuple(ct_tiled_mma_shape(*t)),
                             "ok", r->failed == 0, "properties", all);
    const int bad = ct_json_write(stdout, root, JSON_INDENT(2));
    json_decref(root);
    return bad;
}

int ct_cmd_verify_mma(const ct_copy_options *o, const ct_copy_operands *x)
{
    ct_verify_mma_report report;
    char message[CT_MESSAGE_BYTES];
    const ct_verify_mma_job job = {
        x->mma,
        {x->has_shared_a ? &x->shared_a : NULL, x->has_shared_b ? &x->shared_b : NULL},
        ct_cli_rules(o->command, o->arch)};
    if (!job.rules) return CT_EXIT_BAD;
    if (ct_verify_mma(&job, &report, message)) {
        ct_cli_complain(o->command, "%s", message);
        return CT_EXIT_BAD;
    }
    if (!o->json) print(&x->mma, &report);
    else if (print_json(&x->mma, &report)) {
        ct_cli_complain(o->command, "out of memory");
        return CT_EXIT_BAD;
    }
    return report.failed ? CT_EXIT_FAILED : CT_EXIT_OK;
}
