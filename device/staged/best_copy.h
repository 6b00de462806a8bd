/**
 * The copy of lines by its former names.
 */
#ifndef CUTLET_DEVICE_STAGED_BEST_COPY_H
#define CUTLET_DEVICE_STAGED_BEST_COPY_H

#include <cutlet/device/staged/staged_copy.h>

#define CT_BEST_COPY_async CT_STAGED_async
typedef ct_staged_args ct_best_copy_args;
typedef ct_staged_copy ct_best_copy_tiling;
#define ct_best_copy_tiling_of(staging, threads, accesses)                                         \
    ct_make_staged_copy(ct_make_line_job(staging, threads, accesses))
#define ct_best_copy_tile ct_copy_staged_tile

#endif
