/* Transfers by way of scratch: packed by the sender, moved in one piece, unpacked by the receiver. */
#include "base/refuse.h"
#include "plan.h"

/* Where chunks begin, and the most chunks of a transfer that is cut for its size alone. */
enum { LINE_BYTES = 256, CHUNKS = 4 };

/* The model's constants for two H100 of one host, in bytes per second and seconds
 * (bench/data/h100_redistribute.tsv). They are for moves of one piece, for rows of at least
 * ROW_BYTES moved by copy engines and each of their calls, for stores of rows of at least LONG_RUN,
 * and for the extra time of a run with moves. */
enum { ROW_BYTES = 4096, ROW_CALLS = 64, LONG_RUN = 512, SHORT_RUN = 128 };
static const double move_rate = 340e9, rows_rate = 375e9, stage_seconds = 50e-6,
                    call_seconds = 2.5e-6;

/* Stores of elements to another device, whose runs there are short or not. */
static double store_rate(int32_t elem_bytes, int converts, int64_t run_bytes)
{
    const double rate = elem_bytes >= 8 ? 280e9 : elem_bytes >= 2 ? 215e9 : converts ? 80e9 : 300e9;
    return run_bytes < SHORT_RUN ? rate / 2 : rate;
}

/* The calls by which copy engines move the rows of a piece: each takes the longest mode around them. */
static int64_t row_calls(const ct_piece_leaves *p, int64_t run)
{
    int64_t most = 1;
    for (int32_t i = 0, inside = 1; i < p->leaves; ++i) {
        inside = inside && p->leaf[i].at[0] < run && p->leaf[i].at[1] < run;
        if (!inside) most = ct_max(most, p->leaf[i].count);
    }
    return p->elems / (run * most);
}

/* The elements of a piece that are one run on a side, or on both: side 2. */
static int64_t run_of(const ct_piece_leaves *p, int side)
{
    int64_t run = 1;
    for (int found = 1; found;) {
        found = 0;
        for (int32_t i = 0; i < p->leaves && !found; ++i) {
            const ct_piece_leaf *const leaf = &p->leaf[i];
            if (leaf->count < 2 || (side != 1 && leaf->at[0] != run) ||
                (side != 0 && leaf->at[1] != run))
                continue;
            run *= leaf->count;
            found = 1;
        }
    }
    return run;
}

/* The seconds in which the elements of a transfer get to their places one by one. */
static double seconds_direct(const ct_redistribute *plan, int32_t t)
{
    const int32_t bytes = plan->bytes[1];
    const int converts = plan->desc.src.type != plan->desc.dst.type || plan->desc.has_scale;
    double all = 0;
    for (int32_t k = 0; k < plan->transfer[t].pieces; ++k) {
        ct_piece_leaves p;
        ct_piece_leaves_of(plan, t, k, &p);
        const int64_t run = run_of(&p, 2), calls = row_calls(&p, run);
        const double all_bytes = (double)p.elems * bytes;
        if (!converts && run * bytes >= ROW_BYTES && calls <= ROW_CALLS)
            all += all_bytes / rows_rate + (double)calls * call_seconds;
        else if (!converts && run * bytes >= LONG_RUN) all += all_bytes / move_rate;
        else all += all_bytes / store_rate(bytes, converts, run_of(&p, 1) * bytes);
    }
    return all;
}

int ct_staged_wanted(const ct_redistribute *plan, int32_t t, int32_t carry)
{
    const ct_transfer *const x = &plan->transfer[t];
    if (x->from == x->to || x->bytes > ct_staged_slot(plan)) return 0;
    if (carry == CT_CARRY_STAGED) return 1;
    if (carry != CT_CARRY_AUTO) return 0;
    if (plan->bytes[1] > plan->wire_bytes)
        return 1; /* as written, elements would be more bytes than as sent */
    return (double)x->bytes / move_rate + stage_seconds < seconds_direct(plan, t);
}

/* At least two chunks of the description: a chunk costs the host a few microseconds. */
int64_t ct_staged_chunk(const ct_redistribute *plan, int32_t t)
{
    return ct_max(2 * plan->desc.chunk_bytes, ct_ceil_div_int(plan->transfer[t].bytes, CHUNKS));
}

static int64_t place_bytes(int64_t bytes)
{
    return ct_ceil_div_int(bytes, LINE_BYTES) * LINE_BYTES;
}

/* Two chunks one after another are more than 4096 bytes together: their places are at most an eighth more
 * than their bytes. */
int64_t ct_staged_slot(const ct_redistribute *plan)
{
    if (plan->info.rounds == 0) return 0;
    const int64_t most = ct_max(plan->info.most_sent, plan->info.most_received);
    const int64_t capacity =
        plan->desc.scratch_bytes / (2 * plan->info.rounds) / LINE_BYTES * LINE_BYTES;
    return most < capacity / 2 ? place_bytes(most + most / 8 + LINE_BYTES) : capacity;
}

int64_t ct_staged_bytes(const ct_redistribute *plan, int32_t t)
{
    int64_t all = 0;
    for (int32_t c = 0; c < plan->prepared[t].chunks; ++c)
        all += place_bytes(ct_redistribute_chunk(plan, t, c, NULL, NULL));
    return all;
}

int ct_is_staged(const ct_redistribute *plan, int32_t t)
{
    return plan->carry != CT_CARRY_MESSAGES && plan->prepared[t].chunk != NULL;
}

/* Chunk by chunk: while one is moved, the next is packed. Each slot of scratch is that of a round. */
static ct_status send(const ct_redistribute *plan, ct_engine *engine, int32_t t, char *own,
                      char *theirs, char *places, const void *src, void *stream, char *message)
{
    ct_status bad = CT_OK;
    for (int32_t c = 0; c < plan->prepared[t].chunks && !bad; ++c) {
        int64_t src_at, dst_at;
        const int64_t bytes = ct_redistribute_chunk(plan, t, c, &src_at, &dst_at);
        const char *const from = src_at < 0 ? own : (const char *)src + src_at;
        if (src_at < 0) bad = ct_redistribute_pack(plan, t, c, own, src, stream, message);
        if (!bad)
            bad = engine->move(engine, plan->transfer[t].to, dst_at < 0 ? theirs : places + dst_at,
                               from, bytes, stream, message);
        own += place_bytes(bytes);
        theirs += place_bytes(bytes);
    }
    return bad;
}

ct_status ct_send_staged(const ct_redistribute *plan, ct_engine *engine, char *scratch,
                         void **staged, void **shared, const void *src, void *stream, char *message)
{
    const int64_t slot = ct_staged_slot(plan);
    ct_status bad = CT_OK;
    for (int32_t t = 0; t < plan->transfers && !bad; ++t) {
        const ct_transfer *const x = &plan->transfer[t];
        if (x->from != plan->rank || !ct_is_staged(plan, t)) continue;
        bad = send(plan, engine, t, scratch + (plan->info.rounds + x->round) * slot,
                   (char *)staged[x->to] + x->round * slot, shared[x->to], src, stream, message);
    }
    return bad;
}

static ct_status receive(const ct_redistribute *plan, ct_engine *engine, int32_t t, const char *own,
                         void *dst, void *stream, char *message)
{
    ct_status bad = CT_OK;
    for (int32_t c = 0; c < plan->prepared[t].chunks && !bad; ++c) {
        int64_t dst_at;
        const int64_t bytes = ct_redistribute_chunk(plan, t, c, NULL, &dst_at);
        bad = engine->follow(engine, plan->transfer[t].from, c, stream, message);
        if (!bad && dst_at < 0) bad = ct_redistribute_unpack(plan, t, c, dst, own, stream, message);
        own += place_bytes(bytes);
    }
    return bad;
}

ct_status ct_receive_staged(const ct_redistribute *plan, ct_engine *engine, const char *scratch,
                            void *dst, void *stream, char *message)
{
    ct_status bad = CT_OK;
    for (int32_t t = 0; t < plan->transfers && !bad; ++t) {
        const ct_transfer *const x = &plan->transfer[t];
        if (x->to != plan->rank || x->from == x->to || !ct_is_staged(plan, t)) continue;
        bad = receive(plan, engine, t, scratch + x->round * ct_staged_slot(plan), dst, stream,
                      message);
    }
    return bad;
}
