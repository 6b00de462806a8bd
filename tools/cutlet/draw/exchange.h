/**
 * The picture of a redistribution: who sends how many bytes to whom, in which round.
 */
#ifndef CUTLET_TOOLS_DRAW_EXCHANGE_H
#define CUTLET_TOOLS_DRAW_EXCHANGE_H

#include <cutlet/host/draw.h>
#include <cutlet/host/redistribute.h>

/** The most ranks that are drawn. */
#define CT_EXCHANGE_RANKS 64

/**
 * A row for each sender and a column for each receiver.
 * Fails: NULL and one line in message: more than CT_EXCHANGE_RANKS ranks, or as
 *        ct_redistribute_create.
 */
ct_picture *ct_draw_exchange(const ct_redistribute_desc *desc, const ct_redistribute_info *all,
                             char message[CT_MESSAGE_BYTES]);

#endif
