/**
 * Readers of generated code as text, line by line: what cuobjdump and nvdisasm print, and PTX. A
 * line ends with its newline or without. Lines that say nothing are passed over; none is wrong.
 */
#ifndef CUTLET_TOOLS_SASS_READ_H
#define CUTLET_TOOLS_SASS_READ_H

#include "code.h"

/** Reads machine code (SASS) as `cuobjdump -sass` and `nvdisasm -c` print it. */
typedef struct ct_sass_reader {
    ct_code *code;
    int inside; /* whether the lines are of the last kernel */
    int open;   /* whether the line with which a kernel ends is still to come: of cuobjdump, points;
                 * of nvdisasm, the label `end`, or another section */
    char end[64]; /* empty where it is not known */
    char arch[CT_ARCH_BYTES];
} ct_sass_reader;

/** Begins: the reader has nothing to free. */
ct_sass_reader ct_sass_begin(ct_code *code);
void ct_sass_line(ct_sass_reader *reader, const char *line);

/** Whether the lines so far end within a kernel, so that some are missing. A text that was cut
 *  between two kernels is not told from a whole one. */
int ct_sass_is_cut(const ct_sass_reader *reader);

/** Reads `cuobjdump -res-usage`: kernels with their registers and their stack, without accesses. */
void ct_usage_line(ct_sass_reader *reader, const char *line);

/** Reads PTX. Functions that are only declared are not kernels. */
typedef struct ct_ptx_reader {
    ct_code *code;
    int kernel; /* the index of the one being read, or -1 */
    char arch[CT_ARCH_BYTES];
    char *text; /* the statement so far */
    size_t bytes, capacity;
    int line, begin;    /* the number of the line, of the one where the statement begins */
    int depth, operand; /* open braces: of scopes, of operands */
    int in_comment;
} ct_ptx_reader;

ct_ptx_reader ct_ptx_begin(ct_code *code);
void ct_ptx_line(ct_ptx_reader *reader, const char *line);
int ct_ptx_is_cut(const ct_ptx_reader *reader);

/** Ends: frees what the reader holds, not the code. */
void ct_ptx_end(ct_ptx_reader *reader);

#endif
