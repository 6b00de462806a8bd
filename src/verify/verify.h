/**
 * What the parts of ct_verify share.
 */
#ifndef CUTLET_SRC_VERIFY_VERIFY_H
#define CUTLET_SRC_VERIFY_VERIFY_H

#include "holders.h"

/** A write to an offset: by which hold, or -1, and the index of the element in its tensor. */
typedef struct ct_writer {
    int64_t offset, element, hold;
} ct_writer;

/** Sorts by offset, then by element, then by hold. */
void ct_writers_sort(ct_writer *writer, int64_t count);

/** The name of thread and value of a pair of holds, as `threads 3 and 19, value 2 of each`. */
void ct_name_holds(char *text, size_t size, const ct_hold *a, const ct_hold *b);

/** The coordinate of an element by its number in the tensor. */
ct_tuple ct_side_coord(const ct_verify_side *s, int64_t element);

/** Fills the coordinates and offsets of a counterexample. */
void ct_finding_pair(ct_verify_finding *f, const ct_hold *a, const ct_hold *b);

/** Writes the sentence. */
void ct_finding_say(ct_verify_finding *f, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/** A coordinate as text, for sentences; `text` has CT_COORD_BYTES. */
enum { CT_COORD_BYTES = 80 };
const char *ct_coord_text(char *text, ct_tuple coord);

/** The properties, each into its finding. CT_E_MEMORY leaves the message as it was. */
ct_status ct_verify_cover(const ct_holders *h, ct_verify_finding *f);
ct_status ct_verify_idle(const ct_holders *h, ct_verify_finding *f);
ct_status ct_verify_doubled(const ct_holders *h, ct_verify_finding *f);
/** dst NULL: the offsets are the indices of the tile. covered: each element of the tile is held once,
 *  so that a large destination is proved by its strides. */
ct_status ct_verify_writes(const ct_holders *h, const ct_verify_side *dst, int covered,
                           ct_verify_finding *f, char *message);
ct_status ct_verify_shared(const ct_holders *h, const ct_verify_side *s, int64_t capacity_bits,
                           int32_t elem_bits, ct_verify_finding *f);
/** align: bytes that the base is a multiple of, 0: enough. */
void ct_verify_access(const ct_holders *h, const ct_verify_side *s, const ct_verify_job *job,
                      int64_t align, ct_verify_finding *f);

#endif
