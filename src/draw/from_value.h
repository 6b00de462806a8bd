/**
 * The picture of a value of any kind: what `cutlet draw` and the playground show.
 */
#ifndef CUTLET_SRC_DRAW_FROM_VALUE_H
#define CUTLET_SRC_DRAW_FROM_VALUE_H

#include <cutlet/host/draw.h>
#include <cutlet/host/text.h>

/**
 * A picture of a layout, a tensor, a copy or MMA atom, a tiled copy or a tiled MMA. With a tile
 * (NULL: none) it is a thread-value layout over it.
 * Fails: NULL and one line in message: as the builders of draw.h; a value of another kind.
 */
ct_picture *ct_picture_value(const ct_value *v, const ct_tuple *tile,
                             const ct_draw_options *options, char message[CT_MESSAGE_BYTES]);

#endif
