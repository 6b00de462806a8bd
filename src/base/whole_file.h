/**
 * Files that appear complete or not at all.
 */
#ifndef CUTLET_SRC_BASE_WHOLE_FILE_H
#define CUTLET_SRC_BASE_WHOLE_FILE_H

#include <stddef.h>
#include <stdio.h>

#include "refuse.h"

typedef struct ct_whole_file {
    FILE *stream;    /* open while the file is written */
    char *target;    /* the file that is to appear */
    char *temporary; /* the file that is written until then; NULL for a device or a pipe */
    int reason;      /* errno of the first write that failed, or 0 */
} ct_whole_file;

/** Opens a temporary file in the folder of path, or of the target of a link; a device or a pipe is
 * opened directly. A link that leads to no file is refused. CT_OK, CT_E_FILE or _E_MEMORY. */
ct_status ct_whole_open(ct_whole_file *file, const char *path, char message[CT_MESSAGE_BYTES]);

/** Writes `count` bytes; a failure is reported by ct_whole_commit. */
void ct_whole_write(ct_whole_file *file, const void *data, size_t count);

/** Ends the writing: the file appears under its name. On a failure, CT_E_FILE, nothing appears. */
ct_status ct_whole_commit(ct_whole_file *file, char message[CT_MESSAGE_BYTES]);

/** Drops what was written. */
void ct_whole_abandon(ct_whole_file *file);

#endif
