/**
 * Files that appear whole or not at all, and errors of one line.
 */
#ifndef CUTLET_SRC_BASE_WHOLE_FILE_H
#define CUTLET_SRC_BASE_WHOLE_FILE_H

#include <stddef.h>
#include <stdio.h>

typedef struct ct_whole_file {
    FILE *stream;    /* open while the file is written */
    char *target;    /* the file that is to appear */
    char *temporary; /* the file that is written until then; NULL for a device or a pipe */
    int reason;      /* errno of the first write that failed, or 0 */
} ct_whole_file;

/** Writes one line into error, of `bytes` bytes: control characters become `?`, a line that is too
 *  long ends in `...`. Returns -1, so that `return ct_one_line(...)` fails. */
int ct_one_line(char *error, size_t bytes, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/** Opens a temporary file beside path, or beside the file that a link leads to; a device or a pipe
 *  is opened itself. A link that leads to no file is refused. 0, or -1 and error. */
int ct_whole_open(ct_whole_file *file, const char *path, char *error, size_t bytes);

/** Writes `count` bytes; a failure is reported by ct_whole_commit. */
void ct_whole_write(ct_whole_file *file, const void *data, size_t count);

/** Ends the writing: the file appears under its name. On a failure nothing appears: -1 and error. */
int ct_whole_commit(ct_whole_file *file, char *error, size_t bytes);

/** Drops what was written. */
void ct_whole_abandon(ct_whole_file *file);

#endif
