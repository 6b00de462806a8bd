/**
 * The order of an exchange: rounds, in which a rank sends and receives at most one message each.
 * Also the numbers of all ranks' exchange.
 */
#ifndef CUTLET_SRC_REDISTRIBUTE_ORDER_H
#define CUTLET_SRC_REDISTRIBUTE_ORDER_H

#include "colour.h"
#include "pairs.h"

/** How rounds are found. */
enum {
    CT_ORDER_ROTATION, /* in round k rank r sends to rank r + k + 1: fewest where all exchange */
    CT_ORDER_COLOURED, /* edges of a bipartite graph, coloured: always fewest */
    CT_ORDER_POSITIONS /* of the two ranks in each other's lists: groups of which all exchange */
};

typedef struct ct_order {
    int32_t kind;     /* CT_ORDER_... */
    int64_t messages; /* of all ranks */
    int64_t rounds, least_rounds;
    int64_t most_given; /* the most elements that one of several holders sends; -1: not counted */
    int64_t *begin;     /* COLOURED: rank r sends sent[begin[r]] .. sent[begin[r + 1] - 1] */
    ct_sent *sent;
} ct_order;

/** Counts the messages and orders them. */
ct_status ct_order_of(const ct_sides *s, ct_order *out, char *message);
void ct_order_free(ct_order *o);

/** The round in which a rank sends to another one. */
int64_t ct_order_round(const ct_order *o, const ct_sides *s, int64_t from, int64_t to);

/** The numbers of all ranks; wire_bytes are those of an element on its way. */
ct_status ct_order_count(const ct_sides *s, const ct_order *o, int32_t wire_bytes,
                         ct_redistribute_info *info, char *message);

#endif
