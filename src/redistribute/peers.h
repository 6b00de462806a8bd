/**
 * The ranks that a rank exchanges elements with, listed: a product of keys along each mode.
 */
#ifndef CUTLET_SRC_REDISTRIBUTE_PEERS_H
#define CUTLET_SRC_REDISTRIBUTE_PEERS_H

#include "pairs.h"

/** For a rank: the keys of the other side that it meets along each mode. The peers of a source's
 * rank are the ranks of the destination, of all copies. The peers of a destination's rank are
 * groups of source ranks that hold the same elements. */
typedef struct ct_peers {
    int32_t side; /* of the rank */
    int64_t rank;
    int64_t count; /* of all peers, the rank itself perhaps among them */
    ct_met *key[CT_SHARDED_MODES];
    int64_t keys[CT_SHARDED_MODES];
} ct_peers;

/** A rank beyond the mesh of its side has no peers. */
ct_status ct_peers_of(const ct_sides *s, int side, int64_t rank, ct_peers *out, char *message);
void ct_peers_free(ct_peers *p);

/** Peer i: the rank that needs elements, or the holder that sends them, which is the rank itself if
 * it holds them. */
int64_t ct_peers_rank(const ct_sides *s, const ct_peers *p, int64_t i);

/** The places of the keys of peer i in the lists, one for each mode. */
void ct_peers_place(const ct_sides *s, const ct_peers *p, int64_t i,
                    int64_t place[CT_SHARDED_MODES]);

/** The peer of a source's rank that is a rank which shares elements with it. */
int64_t ct_peers_find(const ct_sides *s, const ct_peers *p, int64_t rank);

/** A walk over the messages that the holders of the same elements send. */
typedef struct ct_givers {
    const ct_sides *sides;
    const ct_peers *peers; /* of one of the holders */
    int64_t next, turn;
} ct_givers;

/** The next message: the place of the receiver among the peers, and both ranks. The holders take
 *  turns; a receiver that is a holder itself gets none. Returns 0 after the last. */
int ct_givers_next(ct_givers *g, int64_t *i, int64_t *giver, int64_t *receiver);

#endif
