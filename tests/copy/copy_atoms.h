/* What the kernels of copy_atoms.cu are told. */
#ifndef TESTS_COPY_ATOMS_H
#define TESTS_COPY_ATOMS_H

#include <cutlet/device/tensor/global.h>
#include <cutlet/copy/tma.h>

typedef struct copy_atoms_args {
    ct_global src, dst;
    ct_tma_map src_map, dst_map;
} copy_atoms_args;

#endif
