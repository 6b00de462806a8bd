/**
 * Internals of the GPU backends: the launch of a plan, on a device or on the CPU grid.
 */
#ifndef CUTLET_SRC_PLAN_GPU_GPU_H
#define CUTLET_SRC_PLAN_GPU_GPU_H

#include "plan/kernels/box.h"
#include "plan/kernels/index_copy.h"
#include "plan/kernels/misaligned.h"
#include "plan/front/plan.h"
#include "plan/kernels/skew_move.h"
#include <cutlet/device/staged/transpose_tiling.h>
#include "plan/kernels/window.h"

/** What moves the elements. */
enum {
    CT_GPU_BOXES,      /* src/plan/kernels/box.h */
    CT_GPU_WINDOWS,    /* src/plan/kernels/window.h */
    CT_GPU_INDICES,    /* src/plan/kernels/index_copy.h */
    CT_GPU_MISALIGNED, /* src/plan/kernels/misaligned.h */
    CT_GPU_SKEWED,     /* src/plan/kernels/skew_move.h */
    CT_GPU_TRANSPOSE,  /* device/staged/transpose.h */
    CT_GPU_RUN         /* one run of bytes: the driver's own copy, where there is one */
};

/** A candidate tiling of a copy into boxes. */
typedef struct ct_gpu_variant {
    int32_t piece; /* contiguous bytes of a box, on either side */
    int32_t bytes; /* of a box */
    int32_t threads, resident;
    int32_t batch;   /* words that a thread loads at once */
    int32_t in, out; /* the widest access to global memory of elements that are turned */
    int32_t group;   /* adjacent boxes in the source that consecutive blocks take */
} ct_gpu_variant;

/** A candidate division of a copy between misaligned rows and lines. */
typedef struct ct_gpu_misaligned_way {
    int32_t run, line;                 /* bytes of a window of a run, and of a long line */
    int32_t lines;                     /* the most lines of a block */
    int32_t row_threads, row_blocks;   /* threads, and blocks of a multiprocessor, for rows */
    int32_t line_threads, line_blocks; /* the same for lines */
} ct_gpu_misaligned_way;

enum { CT_GPU_MISALIGNEDS = 3 };
extern const ct_gpu_misaligned_way ct_gpu_misaligned_ways[CT_GPU_MISALIGNEDS];

/** The walk of a partition along the axes of a box, the fastest axis first. */
typedef struct ct_gpu_walk {
    int axes, order[CT_AXES];
    int64_t val[CT_AXES];     /* contiguous elements of a thread */
    int64_t thr[CT_AXES];     /* threads */
    int64_t tile[CT_AXES];    /* elements of all accesses: at least the box's */
    int64_t active, accesses; /* threads that take part, accesses of each */
} ct_gpu_walk;

typedef struct ct_gpu_launch {
    int32_t kind;
    int64_t src_base, dst_base;   /* bytes from the pointers to element 0 */
    ct_plan_span src_span;        /* of the plan */
    int64_t src_align, dst_align; /* the alignment of the pointers that it is made for */
    uint32_t grid[3], threads;
    int32_t resident; /* blocks that are to fit on a multiprocessor */
    int32_t shared_bytes;
    int64_t bytes; /* of RUN */
    union {        /* the arguments of the kernel for all plans of that kind */
        ct_box box;
        ct_window window;
        ct_indexed index;
        ct_misaligned misaligned;
        ct_skewed skewed;
        ct_transpose_args transpose;
    };
    ct_transpose_job job; /* of TRANSPOSE, and the kernel of that job */
    const char *kernel;
} ct_gpu_launch;

/** The number of variants; variant 0 is what the model prefers. */
int ct_gpu_variants(void);

/** A fingerprint of the variants: it changes when one of them changes. */
uint64_t ct_gpu_variants_fingerprint(void);

/** The launch of a plan, for pointers of these alignments, by a variant of boxes. */
ct_status ct_gpu_launch_of(const ct_plan *plan, int64_t src_align, int64_t dst_align, int variant,
                           ct_gpu_launch *launch, char *message);

/** The boxes of a form whose modes ascend in the destination. 0, or -1 where no box fits. */
int ct_gpu_boxes(const ct_plan *plan, const ct_plan_form *form, int64_t src_align,
                 int64_t dst_align, const ct_gpu_variant *variant, ct_gpu_launch *launch);

/** Windows of 4, 8 or 16 bytes, of a form whose modes ascend in the destination. 0, or -1 where
 *  windows do not fit it, or addresses are not multiples of 4 bytes. */
int ct_gpu_windows(const ct_plan *plan, const ct_plan_form *form, int64_t src_align,
                   int64_t dst_align, ct_gpu_launch *launch);

/** Rows or lines of bytes at any addresses, by candidate `nth`, of a form whose modes ascend in the
 *  destination. -1 for rows that are not consecutive there, or lines that are short. */
int ct_gpu_misaligned(const ct_plan *plan, const ct_plan_form *form, int nth,
                      ct_gpu_launch *launch);

/** Skewed tiles, long or short along the destination, of a form whose modes ascend there. -1 where
 *  the sides do not have two different contiguous modes, or without a kernel for its elements. */
int ct_gpu_skewed(const ct_plan *plan, const ct_plan_form *form, int nth, ct_gpu_launch *launch);

/** The copy of two sides index by index. 0, or -1 for more blocks than a grid has. */
int ct_gpu_indices(const ct_plan *plan, ct_gpu_launch *launch);

/** The partitions of a box by two walks with their orders and values, of elements of `bits` bits,
 *  and of src_bits in the source. 0, or -1 where the box is too large. */
int ct_gpu_divide(ct_gpu_launch *launch, ct_gpu_walk *in, ct_gpu_walk *out,
                  const ct_gpu_variant *variant, int src_bits, int bits);

/** Room for the arguments of any kernel. */
typedef union ct_gpu_args {
    ct_plan_args args;
    ct_box box;
    ct_window window;
    ct_indexed index;
    ct_misaligned misaligned;
    ct_skewed skewed;
    ct_transpose_args transpose;
} ct_gpu_args;

/** The arguments of a kernel of the launch; is_own: of the one compiled for it. Returns the bytes. */
size_t ct_gpu_args_of(const ct_gpu_launch *launch, int is_own, void *dst, const void *src,
                      double scale, ct_gpu_args *kernel_args);

/** One line that describes the launch, as snprintf. */
int ct_gpu_say(const ct_gpu_launch *launch, char *buf, size_t size);

#endif
