/**
 * Inside of the GPU's backends: the launch that a plan becomes, on a device or on the CPU grid.
 */
#ifndef CUTLET_SRC_PLAN_GPU_H
#define CUTLET_SRC_PLAN_GPU_H

#include "box_plan.h"
#include "index_plan.h"
#include "plan.h"
#include "transpose_plan.h"
#include "window_plan.h"

/** What moves the elements. */
enum {
    CT_GPU_BOXES,     /* device/box.h */
    CT_GPU_WINDOWS,   /* device/window.h */
    CT_GPU_INDICES,   /* device/index_copy.h */
    CT_GPU_TRANSPOSE, /* device/transpose.h */
    CT_GPU_RUN        /* one run of bytes: the driver's own copy, where there is one */
};

/** A way to cut boxes, of those that are tried. */
typedef struct ct_gpu_way {
    int32_t piece;           /* bytes that a box has in one piece, on either side */
    int32_t bytes;           /* of a box */
    int32_t threads, resident;
    int32_t batch;           /* words that a thread loads at once */
    int32_t in, out;         /* the widest access to global memory of elements that are turned */
    int32_t group;           /* boxes side by side in the source that consecutive blocks take */
} ct_gpu_way;

typedef struct ct_gpu_launch {
    int32_t kind;
    int64_t src_base, dst_base; /* bytes from the pointers to element 0 */
    ct_plan_span src_span;      /* of the plan */
    int64_t src_align, dst_align; /* the alignment of the pointers that it is made for */
    uint32_t grid[3], threads;
    int32_t shared_bytes;
    int64_t bytes;              /* of RUN */
    ct_box_plan box;            /* of BOXES */
    ct_window_plan window;      /* of WINDOWS */
    ct_index_plan index;        /* of INDICES */
    ct_transpose_job job;       /* of TRANSPOSE, and the kernel of that job */
    ct_transpose_args transpose;
    const char *kernel;
} ct_gpu_launch;

/** The number of ways; way 0 is what the model prefers. */
int ct_gpu_ways(void);

/** A number of what the ways are: another where one of them is another. */
uint64_t ct_gpu_ways_fingerprint(void);

/** The launch of a plan, for pointers that are so aligned, by a way of cutting boxes. CT_PLAN_OK, or
 *  a status and a line. */
int ct_gpu_launch_of(const ct_plan *plan, int64_t src_align, int64_t dst_align, int way,
                     ct_gpu_launch *launch, char *message);

/** The boxes of a form whose modes ascend in the destination. 0, or -1 where boxes cannot do it. */
int ct_gpu_boxes(const ct_plan *plan, const ct_plan_form *form, int64_t src_align,
                 int64_t dst_align, const ct_gpu_way *way, ct_gpu_launch *launch);

/** Windows of so many bytes, 4 or 16, of a form whose modes ascend in the destination. 0, or -1 where it
 *  has none. */
int ct_gpu_windows(const ct_plan *plan, const ct_plan_form *form, int64_t src_align,
                   int64_t dst_align, int bytes, ct_gpu_launch *launch);

/** The order of two sides gone through index by index. 0, or -1 for more blocks than there can be. */
int ct_gpu_indices(const ct_plan *plan, ct_gpu_launch *launch);

/** The steps of a box in shared memory, such that the fewest passes through its banks are needed. */
void ct_gpu_place(ct_box_plan *box);

/** One line on how it goes, as snprintf. */
int ct_gpu_say(const ct_gpu_launch *launch, char *buf, size_t size);

#endif
