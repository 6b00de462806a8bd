/**
 * Text that is put together piece by piece: as much of it as fits is kept, and all of it counted.
 */
#ifndef CUTLET_SRC_PLAN_LINES_H
#define CUTLET_SRC_PLAN_LINES_H

#include <stddef.h>

typedef struct ct_plan_text {
    char *buf;
    size_t size, length; /* of buf; of the whole text */
} ct_plan_text;

/** Adds what snprintf would write. */
void ct_plan_add(ct_plan_text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
