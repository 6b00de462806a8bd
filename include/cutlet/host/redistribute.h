/**
 * Redistribution: from any sharded layout of a tensor to any other, planned once and run often.
 *
 *     ct_redistribute_desc desc = {0};
 *     ct_parse_sharded("shard:0", shape, mesh, &desc.src.layout, message);
 *     ct_parse_sharded("shard:1", shape, mesh, &desc.dst.layout, message);
 *     desc.src.type = desc.dst.type = CT_TYPE_FLOAT;
 *     ct_redistribute *plan = NULL;
 *     if (ct_redistribute_create(&desc, engine.rank, &plan, message) ||
 *         ct_redistribute_run(plan, &engine, dst, src, NULL, message))
 *         fprintf(stderr, "%s\n", message);
 *     ct_redistribute_destroy(plan);
 *
 * Every rank makes its plan from the same description. The plan has the transfers that this rank
 * sends and receives. The set of elements that a rank sends to another is the intersection of those
 * that the sender holds and the receiver needs; its layouts are the pieces. Along each mode they
 * are one layout if one layout is that set, and otherwise the fewest layouts, if the set is small
 * (docs/redistribute.md). An element that a rank holds already stays on it. Any other is sent once,
 * in the type with fewer bytes. If several ranks hold it, they send alternately. Conversions and
 * the scale are those of a copy plan (plan.h).
 *
 * Transfers are in rounds. In a round a rank sends at most one message and receives at most one.
 *
 * A copy plan whose sides are sharded is the same thing, without the choices of this description:
 * ct_plan_side_sharded, ct_plan_create, ct_plan_run_with.
 *
 * Fails:    as each function says; message may be NULL.
 * Cost:     a plan has memory only for its rank's transfers.
 * Used by:  examples/redistribute.c, tests/redistribute/test_redistribute.c,
 *           tests/redistribute/test_redistribute_run.c
 */
#ifndef CUTLET_HOST_REDISTRIBUTE_H
#define CUTLET_HOST_REDISTRIBUTE_H

#include <stddef.h>

#include <cutlet/host/engine.h>
#include <cutlet/host/plan.h>
#include <cutlet/host/sharded.h>

#ifdef __cplusplus
extern "C" {
#endif

/** How elements get to another rank. MESSAGES: packed, sent by the engine, unpacked. DIRECT: each is
 *  written to its place in the receiver's memory. STAGED: packed, moved in one piece to the
 *  receiver's scratch, unpacked there; transfers that do not fit in scratch are DIRECT. AUTO: the
 *  faster of DIRECT and STAGED by estimate, if the engine can share memory; else MESSAGES. Elements
 *  that are written to their place have the destination's type: AUTO stages those of which the
 *  source's has fewer bytes. */
enum { CT_CARRY_AUTO, CT_CARRY_MESSAGES, CT_CARRY_DIRECT, CT_CARRY_STAGED, CT_CARRY_COUNT };

/** One side: who holds what, and of which type. Raw elements need elem_bytes, others have 0. */
typedef struct ct_redistribute_side {
    ct_sharded layout;
    int32_t type; /* CT_TYPE_... */
    int32_t elem_bytes;
} ct_redistribute_side;

/** What to redistribute: the same on every rank. All zero is a good choice, but for the sides. The
 *  meshes may differ: a rank beyond one of them holds nothing there. */
typedef struct ct_redistribute_desc {
    ct_redistribute_side src, dst;
    int32_t has_scale; /* whether elements are multiplied by scale on the way */
    double scale;
    int32_t
        backend;   /* CT_BACKEND_... of the copy plans; not the grid, whose copies are one rank's */
    int32_t carry; /* CT_CARRY_... */
    int64_t chunk_bytes;   /* the most bytes of a message at once; 0: 4 MiB */
    int64_t scratch_bytes; /* the most memory that a run takes; 0: 64 MiB. At least 4 chunks */
    double limit_seconds;  /* how long a rank waits for another one; 0: 30 */
} ct_redistribute_desc;

/** What one rank sends to another; from == to: what stays on a rank. */
typedef struct ct_transfer {
    int32_t from, to;
    int64_t round; /* from 0 on; -1 for what stays */
    int64_t elems;
    int64_t bytes;  /* of the message: elems times the smaller of the two elements' bytes */
    int32_t pieces; /* the layouts that together are the set */
    int32_t chunks; /* in which messages, or moves to scratch, send it one after another */
} ct_transfer;

/** A piece of a transfer: element i of src goes to element i of dst, offsets in elements. */
typedef struct ct_transfer_piece {
    ct_tensor src, dst;              /* in the memory of the sender and of the receiver */
    int64_t first[CT_SHARDED_MODES]; /* the coordinate of element 0 in the tensor */
} ct_transfer_piece;

/** A plan in numbers: of its rank, and of all ranks together. */
typedef struct ct_redistribute_info {
    int64_t ranks;
    int64_t elems_kept, elems_sent, elems_received; /* of this rank */
    int64_t bytes_sent, bytes_received;
    int64_t messages_sent, messages_received;
    int64_t scratch_bytes; /* that a run takes at most, when it sends or stages messages */
    int64_t all_bytes;     /* sent by all ranks */
    int64_t least_bytes;   /* that any exchange has to send: what ranks need and do not hold */
    int64_t all_messages;  /* of all ranks */
    int64_t most_sent, most_received; /* bytes of the rank that has the most. Sent by holders of the
                                             same: their even shares, beyond 2^19 messages */
    int64_t rounds;                   /* of all ranks */
    int64_t least_rounds;             /* the most messages that a rank sends, or receives */
} ct_redistribute_info;

typedef struct ct_redistribute ct_redistribute;

/**
 * Plans the redistribution for a rank.
 *
 * Ensures:  CT_OK and *plan; or another status, *plan NULL, and one line in message. Each element
 *           that the destination holds comes from exactly one transfer; bytes sent are the least.
 * Fails:    CT_E_ARGUMENT: shapes that differ, a number that is no type or no rank, sides that
 *           ct_sharded_check refuses, raw elements of two sizes, scratch of fewer than 4 chunks, a
 *           chunk of less than 4096 bytes; CT_E_CAPACITY: a piece has more than CT_MAX_LEAVES
 *           leaves, or a set more than 2^20 pieces; CT_E_OVERFLOW: bytes of all ranks that do not fit
 *           in 64 bits; CT_E_MEMORY.
 * Cost:     O(peers of the rank) and, for the rounds, O(messages of all ranks) where these are
 *           up to 2^19; docs/redistribute.md has times.
 */
ct_status ct_redistribute_create(const ct_redistribute_desc *desc, int64_t rank,
                                 ct_redistribute **plan, char message[CT_MESSAGE_BYTES]);

/** The plan in numbers. */
void ct_redistribute_info_of(const ct_redistribute *plan, ct_redistribute_info *info);

/**
 * The numbers of all ranks, without a plan of any: up to CT_SHARDED_RANKS ranks.
 * Fails:    as ct_redistribute_create.
 * Cost:     O(ranks), and O(messages) for the rounds where a closed form is not known.
 */
ct_status ct_redistribute_simulate(const ct_redistribute_desc *desc, ct_redistribute_info *info,
                                   char message[CT_MESSAGE_BYTES]);

/** The transfers of the plan's rank: first the elements that stay on it, if any, then those that it
 * sends and receives, by round. Returns their number; *list belongs to the plan. */
int32_t ct_redistribute_transfers(const ct_redistribute *plan, const ct_transfer **list);

/** Piece k of transfer t. */
void ct_redistribute_piece(const ct_redistribute *plan, int32_t t, int32_t k,
                           ct_transfer_piece *piece);

/** The transfers, their bytes against the minimum, the rounds, and a lower bound of the plan's time
 * over a link of this number of bytes per second; 0: no time. Returns the full length, as snprintf
 * does. */
int ct_redistribute_describe(const ct_redistribute *plan, double link_bytes_per_second, char *buf,
                             size_t size);

/**
 * Makes the copy plans of the rank, which a first run would make. On a device they compile kernels.
 * carry is CT_CARRY_...; AUTO as for an engine that shares memory and stages.
 * Fails:    as ct_plan_create; nothing is sent.
 */
ct_status ct_redistribute_prepare(ct_redistribute *plan, int32_t carry,
                                  char message[CT_MESSAGE_BYTES]);

/** Chunk c of transfer t, which must be prepared for messages or staged: its bytes, and its offset
 * in bytes in the memory of the sender and of the receiver. The offset is -1 if the chunk is not
 * contiguous there in the sent type. */
int64_t ct_redistribute_chunk(const ct_redistribute *plan, int32_t t, int32_t c, int64_t *src_bytes,
                              int64_t *dst_bytes);

/**
 * Packs chunk c of transfer t from the sender's memory into a buffer, unpacks it into the
 * receiver's, or copies a transfer directly. For engines.
 * Fails:    as ct_plan_run.
 */
ct_status ct_redistribute_pack(const ct_redistribute *plan, int32_t t, int32_t c, void *buffer,
                               const void *src, void *stream, char message[CT_MESSAGE_BYTES]);
ct_status ct_redistribute_unpack(const ct_redistribute *plan, int32_t t, int32_t c, void *dst,
                                 const void *buffer, void *stream, char message[CT_MESSAGE_BYTES]);
ct_status ct_redistribute_put(const ct_redistribute *plan, int32_t t, void *dst, const void *src,
                              void *stream, char message[CT_MESSAGE_BYTES]);

/**
 * Redistributes. Collective: every rank of the engine calls it, with a plan of the same description.
 * A rank without elements may pass NULL. src and dst must not share a byte; if both have gaps
 * between their elements, only the copies detect it. A plan runs once at a time; its first run
 * prepares it.
 *
 * Ensures:  CT_OK on every rank, when every rank has what it needs; or another status on every rank
 *           that returns, and one line in message that names the rank at fault and says whether
 *           anything may have been written. By threads (engine.h) no other rank reads or writes src
 *           or dst when a run has returned. Between GPUs a rank that is late may still write dst
 *           after a failure (engine_cuda.h).
 * Fails:    before anything is written: CT_E_ARGUMENT where ranks have different descriptions or an
 *           engine of another number of ranks, CT_E_MEMORY, CT_E_POINTER, CT_E_BACKEND, and what
 *           another rank failed by. CT_E_FAILED: a rank did not come within limit_seconds, or failed
 *           on the way. Each wait ends after limit_seconds; by threads, once a slice that is being
 *           written has ended too.
 */
ct_status ct_redistribute_run(ct_redistribute *plan, ct_engine *engine, void *dst, const void *src,
                              void *stream, char message[CT_MESSAGE_BYTES]);

/** Releases the plan; NULL is nothing. */
void ct_redistribute_destroy(ct_redistribute *plan);

/**
 * The side of a tensor that is sharded over ranks. A copy between two of them is a redistribution.
 * ct_plan_create plans it for the rank of the description, ct_plan_describe lists the transfers,
 * and ct_plan_run_with runs it with an engine. Raw elements need elem_bytes. The layout has to stay
 * until ct_plan_create returns.
 *
 * Ensures:  ct_plan_create refuses a layout that ct_sharded_check refuses, or a number that is no type.
 * Fails:    never.
 * Cost:     O(1).
 * In C:     ct_sharded rows, columns;
 *           char message[CT_MESSAGE_BYTES], text[1024];
 *           ct_parse_sharded("shard:0", ct_tuple2(10, 12), ct_tuple1(4), &rows, message);
 *           ct_parse_sharded("shard:1", ct_tuple2(10, 12), ct_tuple1(4), &columns, message);
 *           ct_plan_desc desc = {0};
 *           desc.src = ct_plan_side_sharded(&rows, CT_TYPE_FLOAT);
 *           desc.dst = ct_plan_side_sharded(&columns, CT_TYPE_FLOAT);
 *           desc.rank = 3;
 *           ct_plan *plan = NULL;
 *           assert(ct_plan_create(&desc, CT_EFFORT_ESTIMATE, &plan, message) == CT_OK);
 *           ct_plan_describe(plan, text, sizeof text);
 *           assert(strstr(text, "rank 3 keeps 3, sends 9 and receives 27 elements"));
 *           assert(ct_plan_run(plan, NULL, NULL, NULL, message) == CT_E_ARGUMENT); // it needs an engine
 *           ct_plan_destroy(plan);
 */
ct_plan_side ct_plan_side_sharded(const ct_sharded *layout, int32_t type);

/**
 * Runs a copy plan of sharded sides (ct_plan_side_sharded) by an engine: ct_redistribute_run with
 * chunks, scratch and limit as they are by default. Any other plan runs as by ct_plan_run.
 * Fails:    as ct_redistribute_run, or as ct_plan_run.
 * Cost:     as these.
 * In C:     ct_thread_group *group = NULL;
 *           char message[CT_MESSAGE_BYTES];
 *           ct_sharded rows, columns;
 *           ct_engine engine;
 *           ct_plan *plan = NULL;
 *           float src[4 * 2] = {0, 1, 2, 3, 4, 5, 6, 7}, dst[4 * 2];
 *           assert(ct_thread_group_create(1, &group, message) == CT_OK);
 *           ct_thread_group_engine(group, 0, &engine); // of the one rank
 *           ct_parse_sharded("shard:0/c", ct_tuple2(4, 2), ct_tuple1(1), &rows, message);
 *           ct_parse_sharded("shard:1/f", ct_tuple2(4, 2), ct_tuple1(1), &columns, message);
 *           ct_plan_desc desc = {0};
 *           desc.src = ct_plan_side_sharded(&rows, CT_TYPE_FLOAT);
 *           desc.dst = ct_plan_side_sharded(&columns, CT_TYPE_FLOAT);
 *           assert(ct_plan_create(&desc, CT_EFFORT_ESTIMATE, &plan, message) == CT_OK);
 *           assert(ct_plan_run_with(plan, &engine, dst, src, NULL, message) == CT_OK);
 *           assert(dst[1] == 2 && dst[4] == 1);
 *           ct_redistribute_info info;
 *           ct_redistribute_info_of(ct_plan_redistribution(plan), &info);
 *           assert(info.elems_kept == 8 && info.all_messages == 0);
 *           ct_plan_destroy(plan);
 *           ct_thread_group_destroy(group);
 */
ct_status ct_plan_run_with(const ct_plan *plan, ct_engine *engine, void *dst, const void *src,
                           void *stream, char message[CT_MESSAGE_BYTES]);

/**
 * The redistribution that a copy plan of sharded sides is, which belongs to it: for its numbers, its
 * transfers, and ct_redistribute_describe with a link.
 * Fails:    NULL for any other plan.
 * Cost:     O(1).
 * Example:  ct_redistribute_describe(ct_plan_redistribution(plan), 450e9, text, sizeof text);
 */
const ct_redistribute *ct_plan_redistribution(const ct_plan *plan);

#ifdef __cplusplus
}
#endif

#endif
