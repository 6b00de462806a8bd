/**
 * Machine code through the toolkit's disassemblers.
 */
#ifndef CUTLET_TOOLS_SASS_DISASSEMBLE_H
#define CUTLET_TOOLS_SASS_DISASSEMBLE_H

#include "driver/cuda/images.h"
#include "source.h"
#include "tool.h"

/** The programs; an empty path where one is not there. */
typedef struct ct_disassemblers {
    char cuobjdump[CT_TOOL_PATH_BYTES], nvdisasm[CT_TOOL_PATH_BYTES];
} ct_disassemblers;

/** Finds them. Fails where CUTLET_CUOBJDUMP names no program. */
ct_status ct_disassemblers_find(ct_disassemblers *found, char message[CT_MESSAGE_BYTES]);

/** cuobjdump -sass: adds a kernel of a file, or all where that is NULL. */
ct_status ct_cuobjdump_sass(const char *cuobjdump, const char *path, const char *kernel,
                            ct_code *code, char why[CT_MESSAGE_BYTES]);

/** cuobjdump -res-usage: adds the kernels of a file with registers and stack, without accesses. */
ct_status ct_cuobjdump_usage(const char *cuobjdump, const char *path, ct_code *usage,
                             char why[CT_MESSAGE_BYTES]);

/** Reads a file of device code; PTX where it holds no machine code. */
ct_status ct_disassemble_file(const char *path, ct_source *source, char message[CT_MESSAGE_BYTES]);

/** The tables of the kernels that the command carries, ended by NULL. */
extern const ct_cuda_images *const ct_carried_kernels[];

/** Reads the carried kernels that a query names. */
ct_status ct_disassemble_inside(const ct_source_query *query, ct_source *source,
                                char message[CT_MESSAGE_BYTES]);

#endif
