/* The copy plans of a rank: they pack and unpack messages chunk by chunk, or write straight into the
 * other rank's memory. */
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/refuse.h"
#include "plan.h"
#include "plan/copy/copy.h"

enum { PACK, UNPACK, PUT };

static ct_layout layout_of(const ct_prepared_copy *c, int side)
{
    ct_layout L;
    if (c->leaves == 0) return ct_layout1(1, 0);
    memset(&L, 0, sizeof L);
    L.profile = ct_profile_flat(c->leaves);
    for (int i = 0; i < c->leaves; ++i) {
        L.shape[i] = c->count[i];
        L.stride[i] = c->at[side][i];
    }
    return L;
}

/* The plan of a copy. A message holds elements of the smaller type: the other side converts. */
static ct_status plan_copy(const ct_redistribute *plan, ct_prepared_copy *c, char *message)
{
    const ct_redistribute_desc *const d = &plan->desc;
    const int32_t type[2] = {d->src.type, d->dst.type}, wire = type[plan->wire_side];
    const int32_t from = c->kind == UNPACK ? wire : type[0], to = c->kind == PACK ? wire : type[1];
    ct_plan_desc copy;
    memset(&copy, 0, sizeof copy);
    copy.src = ct_plan_side_of(layout_of(c, 0), from);
    copy.dst = ct_plan_side_of(layout_of(c, 1), to);
    if (from == CT_TYPE_RAW) copy.src.elem_bytes = copy.dst.elem_bytes = plan->wire_bytes;
    copy.backend = d->backend;
    copy.scale = d->scale;
    copy.has_scale = d->has_scale && c->kind != (plan->wire_side ? UNPACK : PACK);
    return ct_plan_create_copy(&copy, CT_EFFORT_ESTIMATE, &c->plan, message);
}

static int same_copy(const ct_prepared_copy *a, const ct_prepared_copy *b)
{
    const size_t bytes = (size_t)a->leaves * sizeof(int64_t);
    return a->kind == b->kind && a->leaves == b->leaves && memcmp(a->count, b->count, bytes) == 0 &&
           memcmp(a->at[0], b->at[0], bytes) == 0 && memcmp(a->at[1], b->at[1], bytes) == 0;
}

/* The number of the copy of these leaves: one that is there, or a new one. */
static ct_status copy_of(ct_redistribute *plan, int kind, const ct_piece_leaf *leaf, int32_t leaves,
                         int32_t *number, char *message)
{
    ct_prepared_copy c;
    int64_t run = 1;
    memset(&c, 0, sizeof c);
    c.kind = kind;
    for (int32_t i = 0; i < leaves; run *= leaf[i++].count) {
        if (leaf[i].count == 1) continue;
        c.count[c.leaves] = leaf[i].count;
        c.at[0][c.leaves] = kind == UNPACK ? run : leaf[i].at[0];
        c.at[1][c.leaves++] = kind == PACK ? run : leaf[i].at[1];
    }
    for (*number = 0; *number < plan->copies; ++*number)
        if (same_copy(&plan->copy[*number], &c)) return CT_OK;
    ct_prepared_copy *const more =
        ct_grown(plan->copy, plan->copies, &plan->copies_capacity, sizeof *more);
    if (!more) return ct_refuse(message, CT_E_MEMORY, "not enough memory");
    plan->copy = more;
    const ct_status bad = plan_copy(plan, &c, message);
    if (!bad) plan->copy[plan->copies++] = c;
    return bad;
}

static ct_status add_segment(ct_prepared *p, const ct_segment *segment, int32_t *capacity,
                             char *message)
{
    ct_segment *const grown = ct_grown(p->segment, p->segments, capacity, sizeof *grown);
    if (!grown) return ct_refuse(message, CT_E_MEMORY, "not enough memory");
    p->segment = grown;
    p->segment[p->segments++] = *segment;
    return CT_OK;
}

/* Whether a piece is contiguous in one memory, whose order its parts should keep: no copy is needed
 * there. A cut along the fastest leaf of the other memory that leaves it short runs costs more. */
static int keeps_order(const ct_redistribute *plan, const ct_piece_leaves *p, int64_t parts)
{
    enum { SHORT_RUN = 256 };
    const ct_piece_leaf *const last = &p->leaf[p->leaves - 1];
    const int is_run[2] = {ct_piece_is_run(p->leaf, p->leaves, 0),
                           ct_piece_is_run(p->leaf, p->leaves, 1)};
    if (is_run[0] == is_run[1]) return is_run[0];
    return last->at[is_run[0]] > 1 || last->count / parts * plan->wire_bytes >= SHORT_RUN;
}

/* Splits into this number of parts are along the last leaves. These become the leaves that are slow
 * in both memories, so that runs stay as long as they are on both sides. */
static void put_slowest_last(ct_piece_leaves *p, int64_t parts)
{
    for (int32_t end = p->leaves; end > 1 && parts > 1; --end) {
        int32_t slowest = end - 1;
        for (int32_t i = 0; i < end; ++i)
            if (ct_min(p->leaf[i].at[0], p->leaf[i].at[1]) >
                ct_min(p->leaf[slowest].at[0], p->leaf[slowest].at[1]))
                slowest = i;
        const ct_piece_leaf leaf = p->leaf[slowest];
        for (int32_t i = slowest; i + 1 < end; ++i) p->leaf[i] = p->leaf[i + 1];
        p->leaf[end - 1] = leaf;
        parts = ct_ceil_div_int(parts, leaf.count);
    }
}

/* Cuts a piece into segments of at most `most` elements. Elements that are put directly have a
 * separate order in each memory. */
static ct_status cut_piece(ct_redistribute *plan, int kind, ct_piece_leaves *piece, int64_t most,
                           ct_prepared *p, int32_t *capacity, char *message)
{
    const int64_t parts = ct_ceil_div_int(piece->elems, most);
    if (parts > 1 && (kind == PUT || !keeps_order(plan, piece, parts)))
        put_slowest_last(piece, parts);
    int32_t cut = 0;
    int64_t inner = 1;
    while (cut < piece->leaves && inner * piece->leaf[cut].count <= most)
        inner *= piece->leaf[cut++].count;
    const int64_t extent = cut < piece->leaves ? piece->leaf[cut].count : 1;
    const int64_t slice = cut < piece->leaves ? most / inner : 1;
    const int64_t outer = piece->elems / (inner * extent);
    for (int64_t o = 0; o < outer; ++o) {
        int64_t at[2] = {piece->at[0], piece->at[1]}, rest = o;
        for (int32_t i = cut + 1; i < piece->leaves; ++i) {
            const int64_t k = rest % piece->leaf[i].count;
            rest /= piece->leaf[i].count;
            for (int side = 0; side < 2; ++side) at[side] += k * piece->leaf[i].at[side];
        }
        for (int64_t k = 0; k < extent; k += slice) {
            ct_piece_leaf leaf[CT_MAX_LEAVES];
            ct_segment s;
            memset(&s, 0, sizeof s);
            memcpy(leaf, piece->leaf, sizeof leaf);
            const int32_t leaves = cut < piece->leaves ? cut + 1 : cut;
            if (cut < piece->leaves) leaf[cut].count = ct_min(slice, extent - k);
            s.elems = inner * (cut < piece->leaves ? leaf[cut].count : 1);
            for (int side = 0; side < 2; ++side) {
                s.at[side] = at[side] + (cut < piece->leaves ? k * leaf[cut].at[side] : 0);
                s.is_run[side] = ct_piece_is_run(leaf, leaves, side);
            }
            ct_status bad = copy_of(plan, kind, leaf, leaves, &s.plan, message);
            if (!bad) bad = add_segment(p, &s, capacity, message);
            if (bad) return bad;
        }
    }
    return CT_OK;
}

static ct_status prepare_chunks(ct_redistribute *plan, int32_t t, int64_t chunk_bytes,
                                ct_prepared *p, char *message)
{
    const int64_t most = chunk_bytes / plan->wire_bytes;
    const int kind = plan->transfer[t].from == plan->rank ? PACK : UNPACK;
    int32_t capacity = 0;
    for (int32_t k = 0; k < plan->transfer[t].pieces; ++k) {
        ct_piece_leaves piece;
        ct_piece_leaves_of(plan, t, k, &piece);
        const ct_status bad = cut_piece(plan, kind, &piece, most, p, &capacity, message);
        if (bad) return bad;
    }
    p->chunk = malloc(((size_t)p->segments + 1) * sizeof *p->chunk);
    if (!p->chunk) return ct_refuse(message, CT_E_MEMORY, "not enough memory");
    int64_t in_chunk = most;
    for (int32_t i = 0; i < p->segments; ++i) {
        if (in_chunk + p->segment[i].elems > most) {
            p->chunk[p->chunks++] = i;
            in_chunk = 0;
        }
        in_chunk += p->segment[i].elems;
    }
    p->chunk[p->chunks] = p->segments;
    plan->transfer[t].chunks = p->chunks;
    return CT_OK;
}

/* Elements that stay on the rank are full pieces: no other rank waits for them. */
static ct_status prepare_put(ct_redistribute *plan, int32_t t, ct_prepared *p, char *message)
{
    const int is_sliced = plan->slice_bytes > 0 && plan->transfer[t].from != plan->transfer[t].to;
    const int64_t most = is_sliced ? ct_max(1, plan->slice_bytes / plan->bytes[1]) : INT64_MAX;
    int32_t capacity = 0;
    ct_status bad = CT_OK;
    for (int32_t k = 0; k < plan->transfer[t].pieces && !bad; ++k) {
        ct_piece_leaves piece;
        ct_piece_leaves_of(plan, t, k, &piece);
        bad = cut_piece(plan, PUT, &piece, most, p, &capacity, message);
    }
    return bad;
}

/* Frees the prepared state of a transfer. */
static void drop_prepared(ct_redistribute *plan, int32_t t)
{
    ct_prepared *const p = &plan->prepared[t];
    free(p->segment);
    free(p->chunk);
    memset(p, 0, sizeof *p);
    plan->transfer[t].chunks = 0;
}

/* Chunks of a transfer that is to be staged, if they fit in its slot. */
static ct_status prepare_staged(ct_redistribute *plan, int32_t t, int32_t carry, char *message)
{
    ct_prepared *const p = &plan->prepared[t];
    if (!ct_staged_wanted(plan, t, carry)) return CT_OK;
    const ct_status bad = prepare_chunks(plan, t, ct_staged_chunk(plan, t), p, message);
    if (bad) return bad;
    if (ct_staged_bytes(plan, t) > ct_staged_slot(plan)) {
        drop_prepared(plan, t);
        return CT_OK;
    }
    const int sends = plan->transfer[t].from == plan->rank;
    const int64_t slots = plan->transfer[t].round + 1 + (sends ? plan->info.rounds : 0);
    plan->staging_bytes = ct_max(plan->staging_bytes, slots * ct_staged_slot(plan));
    return CT_OK;
}

void ct_redistribute_unprepare(ct_redistribute *plan)
{
    for (int32_t t = 0; plan->prepared && t < plan->transfers; ++t) drop_prepared(plan, t);
    for (int32_t i = 0; i < plan->copies; ++i) ct_plan_destroy(plan->copy[i].plan);
    free(plan->prepared);
    free(plan->copy);
    plan->prepared = NULL;
    plan->copy = NULL;
    plan->copies = plan->copies_capacity = 0;
    plan->staging_bytes = 0;
    plan->carry = -1;
}

/* One transfer: elements that stay are copied, others are sent in chunks or written to their
 * place. */
static ct_status prepare_transfer(ct_redistribute *plan, int32_t t, int32_t carry, char *message)
{
    const ct_transfer *const transfer = &plan->transfer[t];
    ct_prepared *const p = &plan->prepared[t];
    if (transfer->from == transfer->to) return prepare_put(plan, t, p, message);
    if (carry == CT_CARRY_MESSAGES)
        return prepare_chunks(plan, t, plan->desc.chunk_bytes, p, message);
    const ct_status bad = prepare_staged(plan, t, carry, message);
    if (bad || p->chunk || transfer->from != plan->rank) return bad;
    return prepare_put(plan, t, p, message);
}

/* Whether nothing that is sent is more than one slice. */
static int fits_slice(const ct_redistribute *plan, int64_t slice_bytes)
{
    for (int32_t t = 0; t < plan->transfers; ++t) {
        const ct_transfer *const x = &plan->transfer[t];
        if (x->from == plan->rank && x->to != plan->rank && x->elems > slice_bytes / plan->bytes[1])
            return 0;
    }
    return 1;
}

ct_status ct_redistribute_prepare_slices(ct_redistribute *plan, int32_t carry, int64_t slice_bytes,
                                         char *message)
{
    if (carry < 0 || carry >= CT_CARRY_COUNT)
        return ct_refuse(message, CT_E_ARGUMENT, "there is no way %d to carry elements", carry);
    if (fits_slice(plan, slice_bytes)) slice_bytes = 0;
    if (plan->carry == carry && plan->slice_bytes == slice_bytes) return CT_OK;
    ct_redistribute_unprepare(plan);
    plan->slice_bytes = slice_bytes;
    plan->prepared = calloc((size_t)plan->transfers + 1, sizeof *plan->prepared);
    if (!plan->prepared) return ct_refuse(message, CT_E_MEMORY, "not enough memory");
    ct_status bad = CT_OK;
    for (int32_t t = 0; t < plan->transfers && !bad; ++t)
        bad = prepare_transfer(plan, t, carry, message);
    if (bad) ct_redistribute_unprepare(plan);
    else plan->carry = carry;
    return bad;
}

ct_status ct_redistribute_prepare(ct_redistribute *plan, int32_t carry,
                                  char message[CT_MESSAGE_BYTES])
{
    return ct_redistribute_prepare_slices(plan, carry, 0, message);
}
