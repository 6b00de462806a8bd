/* What the kernel of engine_kernels.cu is told. */
#ifndef TESTS_ENGINE_KERNELS_H
#define TESTS_ENGINE_KERNELS_H

#include <cutlet/device/tensor/global.h>
#include <cutlet/copy/tma.h>

enum { ENGINE_BLOCKS = 4 }; /* of a cluster */

typedef struct engine_args {
    ct_tma_map src_map, dst_map;
    ct_partition in, out; /* to shared memory and from there: by a copy engine, or by threads */
    ct_global src, dst;
    int32_t
        mask; /* block r loads for block r + k of the cluster where bit k is set; 0: for itself */
    int32_t behind; /* and stores the tile that block r - behind has loaded for it */
} engine_args;

#endif
