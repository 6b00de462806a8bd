/**
 * The kernels of some generated code, with the counts of their accesses.
 */
#ifndef CUTLET_TOOLS_SASS_CODE_H
#define CUTLET_TOOLS_SASS_CODE_H

#include <stdint.h>

#include "access.h"

enum { CT_ARCH_BYTES = 16, CT_NOT_KNOWN = -1 };

/** One instruction that accesses memory. */
typedef struct ct_code_line {
    ct_sass_sized what;
    char *at; /* its address in machine code, its line in PTX: `0120`, `line 31` */
    char *text;
} ct_code_line;

/** A kernel, or a function that kernels call, for one architecture. */
typedef struct ct_kernel_code {
    char *name;
    char arch[CT_ARCH_BYTES]; /* sm_90; empty where the code does not tell */
    int64_t count[CT_SASS_ACCESS_COUNT][CT_SASS_WIDTH_COUNT];
    int registers, stack_bytes; /* CT_NOT_KNOWN where nothing tells */
    ct_code_line *line;
    int lines;
} ct_kernel_code;

typedef struct ct_code {
    ct_kernel_code *kernel;
    int count;
    int keeps_lines; /* set by the user before reading */
    int out_of_memory;
} ct_code;

/** Adds a kernel without accesses. Its index, or -1 when memory runs out. */
int ct_code_add(ct_code *code, const char *name, size_t name_bytes, const char *arch);

/** Counts an access of a kernel; keeps the instruction of n characters where lines are kept. */
void ct_code_count(ct_code *code, int kernel, ct_sass_sized what, const char *at, const char *text,
                   size_t n);

/** All instructions of an access of a kernel, in the widths from first to last. */
int64_t ct_kernel_count(const ct_kernel_code *kernel, ct_sass_access access, ct_sass_width first,
                        ct_sass_width last);

/** `128:4 8:3`: the widths of an access that occur, the widest first; the bare number where there
 *  are not widths; `-` where the access does not occur. */
void ct_kernel_cell(const ct_kernel_code *kernel, ct_sass_access access, char *text, size_t size);

/** Keeps the kernels of an architecture; NULL keeps all. */
void ct_code_select_arch(ct_code *code, const char *arch);

/** Keeps the kernels of a name; if no kernel has it, those whose name contains it. NULL keeps
 *  all. */
void ct_code_select_name(ct_code *code, const char *name);

/** Gives each kernel the registers and the stack that the kernel of that name has in usage. */
void ct_code_set_usage(ct_code *code, const ct_code *usage);

/** Orders by architecture, the oldest first, then by name. */
void ct_code_sort(ct_code *code);

/** Orders two architectures by number: sm_90 is before sm_100. */
int ct_arch_compare(const char *a, const char *b);

void ct_code_free(ct_code *code);

#endif
