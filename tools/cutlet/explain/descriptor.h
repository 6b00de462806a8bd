/**
 * What the parts of `cutlet explain descriptor` share.
 */
#ifndef CUTLET_TOOLS_EXPLAIN_DESCRIPTOR_H
#define CUTLET_TOOLS_EXPLAIN_DESCRIPTOR_H

#include <stdio.h>

#include <cutlet/mma/mma_descriptor_bits.h>
#include <cutlet/mma/mma_descriptor_nearest.h>

/** The most fields of a descriptor. */
enum { CT_DESCRIPTOR_FIELDS = 8 };

/** One field: its bits, its number, and what that says. */
typedef struct ct_descriptor_field {
    int low, bits;
    const char *name;
    uint64_t value;
    char means[160];
} ct_descriptor_field;

/** What is explained. */
typedef struct ct_descriptor_job {
    const char *command, *name; /* of the command, of the atom */
    ct_mma_atom atom;
    int operand;
    ct_tensor tile;
    ct_mma_descriptor descriptor; /* failed: the tile is refused */
    int fields;
    ct_descriptor_field field[CT_DESCRIPTOR_FIELDS];
} ct_descriptor_job;

/** Prints it as JSON. 0, or -1 when memory runs out. */
int ct_descriptor_json(const ct_descriptor_job *job, FILE *stream);

#endif
