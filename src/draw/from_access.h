/**
 * What the pictures of accesses share.
 */
#ifndef CUTLET_SRC_DRAW_FROM_ACCESS_H
#define CUTLET_SRC_DRAW_FROM_ACCESS_H

#include <cutlet/host/draw_access.h>
#include "picture.h"

#define CT_LANES 32

/** Whether the access can be counted, and is to global memory or not, as asked: CT_OK, or
 *  CT_E_ARGUMENT. */
ct_status ct_check_access(const ct_access *access, int global, char *message);

/** `LDS.128`: the instruction with its width, where it has one. */
void ct_access_words(const ct_access *access, char *text, size_t size);

/** `4 wavefronts`: a number and what it counts. */
void ct_count_words(char *text, size_t size, int64_t n, const char *what);

/** Lanes as they are named in one cell: `0`, or `0+7` for lane 0 and 7 more. */
void ct_lanes_words(char *text, size_t size, int first, int count);

/** Frees p; NULL, and one line about memory. */
ct_picture *ct_no_memory(ct_picture *p, char *message);

#endif
