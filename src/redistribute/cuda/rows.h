/**
 * Copies whose rows are long enough for the copy engines of a device. These use no multiprocessors,
 * which continue with other work.
 */
#ifndef CUTLET_SRC_REDISTRIBUTE_CUDA_ROWS_H
#define CUTLET_SRC_REDISTRIBUTE_CUDA_ROWS_H

#include "driver/cuda/driver.h"
#include "plan/front/plan.h"

/** Copies of rows, one for each coordinate of the outer modes. */
typedef struct ct_rows {
    int64_t src_at, dst_at; /* bytes from the pointers to the first row */
    ct_plan_mode rows;      /* their number, and the bytes from one to the next */
    int64_t row_bytes;
    int modes;
    ct_plan_mode mode[CT_PLAN_MODES]; /* outer modes, which together have few coordinates */
} ct_rows;

/** Whether the copy of a plan consists of rows of at least this number of bytes; sets *rows
 * then. */
int ct_rows_of(const ct_plan *plan, int64_t least_bytes, ct_rows *rows);

/** Queues the copies. 0, or the driver's result. */
int ct_rows_start(const ct_driver *driver, const ct_rows *rows, void *dst, const void *src,
                  void *stream);

#endif
