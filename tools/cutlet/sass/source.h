/**
 * Where generated code comes from: a file, or the kernels built into the command.
 */
#ifndef CUTLET_TOOLS_SASS_SOURCE_H
#define CUTLET_TOOLS_SASS_SOURCE_H

#include "code.h"

typedef struct ct_source_query {
    const char *name;   /* of a file; without a file, of a kernel that the command carries */
    const char *arch;   /* `sm_90`, or NULL for all */
    const char *kernel; /* the kernels of that name or, if none, that contain it; NULL for all */
    int keeps_lines;
} ct_source_query;

typedef struct ct_source {
    ct_code code; /* at least one kernel, ordered */
    int is_ptx;
    char by[64]; /* the program that disassembled it; empty where it was text */
} ct_source;

/**
 * Reads the code of a file or of kernels inside.
 *
 * A file may be text, as cuobjdump and nvdisasm print it or PTX; any other file goes through
 * cuobjdump, or through nvdisasm when it is a cubin. CUTLET_CUOBJDUMP names another cuobjdump; when
 * it is set and empty, no program is used.
 *
 * Fails: CT_E_FILE, _E_ARGUMENT, _E_FAILED of a program, _E_MEMORY; then nothing is to be freed.
 */
ct_status ct_source_load(const ct_source_query *query, ct_source *source,
                         char message[CT_MESSAGE_BYTES]);

/** Frees what was read. */
void ct_source_free(ct_source *source);

#endif
