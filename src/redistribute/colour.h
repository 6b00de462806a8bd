/**
 * Rounds of messages by colouring the edges of a bipartite graph: what ranks send, and what they receive.
 */
#ifndef CUTLET_SRC_REDISTRIBUTE_COLOUR_H
#define CUTLET_SRC_REDISTRIBUTE_COLOUR_H

#include <cutlet/host/sharded.h>

/** A message between two ranks. */
typedef struct ct_message {
    int32_t from, to;
} ct_message;

/** What a rank sends in a round. */
typedef struct ct_sent {
    int32_t round, to;
} ct_sent;

/**
 * Gives each message a round below `rounds`, in which no rank sends or receives another one. That is at
 * least the most messages that a rank sends, or receives: no order has fewer.
 *
 * Ensures:  CT_OK, and sent[begin[r]] .. sent[begin[r + 1] - 1] are those of rank r. The caller frees both.
 * Fails:    CT_E_MEMORY.
 * Cost:     a message takes its first free round, or swaps two rounds along a path of messages. Memory
 *           for each message, and for up to 2^22 pairs of a rank and a round.
 */
ct_status ct_colour(const ct_message *list, int64_t messages, int64_t ranks, int64_t rounds,
                    int64_t **begin, ct_sent **sent, char *message);

#endif
