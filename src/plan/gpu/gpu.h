/**
 * Internals of the GPU backends: the launch of a plan, on a device or on the CPU grid.
 */
#ifndef CUTLET_SRC_PLAN_GPU_GPU_H
#define CUTLET_SRC_PLAN_GPU_GPU_H

#include "base/builder.h"
#include "plan/kernels/box_at_launch.h"
#include "plan/kernels/indexed.h"
#include "plan/kernels/misaligned.h"
#include "plan/front/plan.h"
#include "plan/kernels/sectors.h"
#include <cutlet/device/staged/staged_job.h>
#include "plan/kernels/vectors.h"

/** What moves the elements: the rows of ct_gpu_engines, from the most general to the most special. */
enum {
    CT_GPU_INDICES,
    CT_GPU_BOXES,
    CT_GPU_VECTORS,
    CT_GPU_MISALIGNED,
    CT_GPU_SECTORS,
    CT_GPU_TRANSPOSE,
    CT_GPU_RUN, /* one run of bytes: the driver's own copy, where there is one */
    CT_GPU_ENGINES
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

/** The walk of a partition along the axes of a box, the fastest axis first. */
typedef struct ct_gpu_walk {
    int axes, order[CT_AXES];
    int64_t val[CT_AXES];     /* contiguous elements of a thread */
    int64_t thr[CT_AXES];     /* threads */
    int64_t tile[CT_AXES];    /* elements of all accesses: at least the box's */
    int64_t active, accesses; /* threads that take part, accesses of each */
} ct_gpu_walk;

/** The arguments of a kernel: those of one compiled for its plan are `at` alone. */
typedef union ct_gpu_args {
    ct_plan_args at;
    ct_box_args box;
    ct_vectors vectors;
    ct_indexed indexed;
    ct_misaligned misaligned;
    ct_sectors sectors;
    ct_staged_args transpose;
} ct_gpu_args;

typedef struct ct_gpu_launch {
    int32_t kind;
    int64_t src_base, dst_base;   /* bytes from the pointers to element 0 */
    ct_plan_span src_span;        /* of the plan */
    int64_t src_align, dst_align; /* the alignment of the pointers that it is made for */
    uint32_t grid[3], threads;
    int32_t resident; /* blocks that are to fit on a multiprocessor */
    int32_t modes;    /* capacity of a source for modes */
    int32_t shared_bytes;
    int64_t bytes;      /* of RUN */
    ct_gpu_args args;   /* of the kernel for all plans of that kind */
    ct_box box;         /* of BOXES: the plan of which args has what a kernel reads */
    ct_staged_job job;  /* of TRANSPOSE */
    const char *kernel; /* inside libcutlet; NULL of RUN */
} ct_gpu_launch;

/** Members of a structure that a source has as a constant. A table has all members up to the last that
 *  is not zero, in their order, and ends with a row of no bytes. */
typedef struct ct_gpu_field {
    int32_t kind;                     /* bytes of a number, and how it is written; 0: no number */
    int32_t offset, bytes, each;      /* each: bytes of a structure */
    const struct ct_gpu_field *inner; /* of a structure; NULL where all is zero */
} ct_gpu_field;

enum { CT_GPU_ARRAY = 16, CT_GPU_UNSIGNED = 32 };

/** The rows of such a table: numbers of one type from a member to another, or an array of them; a structure
 *  or an array of structures; a member that is all zero. */
// clang-format off
#define CT_GPU_KIND(x) _Generic((x), int16_t: 2, int32_t: 4, int64_t: 8,                           \
    uint8_t *: CT_GPU_ARRAY + 1, uint32_t *: CT_GPU_ARRAY + CT_GPU_UNSIGNED + 4,                   \
    int32_t *: CT_GPU_ARRAY + 4, int64_t *: CT_GPU_ARRAY + 8)
#define CT_GPU_OF(type, member) ((type *)0)->member
#define CT_GPU_MEMBERS(type, first, last) {CT_GPU_KIND(CT_GPU_OF(type, first)),                    \
    offsetof(type, first),                                                                         \
    offsetof(type, last) + sizeof CT_GPU_OF(type, last) - offsetof(type, first), 0, NULL}
#define CT_GPU_STRUCTS(type, member, element, inner) {0, offsetof(type, member),                   \
    sizeof CT_GPU_OF(type, member), sizeof(element), inner}
#define CT_GPU_ZEROS(type, member) {0, offsetof(type, member), sizeof CT_GPU_OF(type, member),     \
    sizeof CT_GPU_OF(type, member), NULL}
// clang-format on

/** The name of a kernel as text. */
#define CT_GPU_TEXT(name) CT_GPU_TEXT_OF(name)
#define CT_GPU_TEXT_OF(name) #name

/** The members of structures that several engines have. */
extern const ct_gpu_field ct_gpu_mode_fields[], ct_gpu_conversion_fields[];

/** A way to move a plan's elements: what the backends ask of it. The table's last engine that
 *  chooses a copy moves it, unless a variant is asked for. */
typedef struct ct_gpu_engine {
    const char
        *name; /* of src/plan/kernels/NAME.h, ct_NAME, ct_NAME_move; NULL: it has no source */
    const char
        *inside; /* the kernel for all plans inside libcutlet, unless variants have their own */
    /** The candidate that the model takes: 0, or -1 where it has none, or another is faster. NULL: the
     *  only one. */
    int (*choose)(const ct_plan *plan, const ct_plan_form *form, ct_gpu_launch *launch);
    /** Candidate `nth` of `variants`, of a form whose modes ascend in the destination, for the
     *  launch's alignments: its grid, threads, shared memory and arguments. 0; -1: it does not fit. */
    int (*make)(const ct_plan *plan, const ct_plan_form *form, int nth, ct_gpu_launch *launch);
    int32_t variants;
    const void *table; /* the candidates, for a fingerprint */
    size_t table_bytes, args_bytes;
    /** Sets the arguments' addresses; NULL: arguments begin with ct_plan_args. */
    void (*bind)(ct_gpu_args *args, const ct_plan_args *at);
    /** Writes more capacities of a source; or NULL. */
    void (*limit)(ct_builder *text, const ct_gpu_launch *launch);
    const ct_gpu_field *fields; /* of the plan in a source */
    size_t plan_at;             /* in a launch; 0: it is the arguments */
    /** Writes one line that describes the launch, as snprintf. */
    int (*say)(const ct_gpu_launch *launch, char *buf, size_t size);
} ct_gpu_engine;

extern const ct_gpu_engine ct_gpu_indexed, ct_gpu_box, ct_gpu_vectors, ct_gpu_misaligned,
    ct_gpu_sectors, ct_gpu_transpose, ct_gpu_run;
extern const ct_gpu_engine *const ct_gpu_engines[CT_GPU_ENGINES];

/** The number of variants; variant 0 is what the model prefers. */
int ct_gpu_variants(void);

/** A fingerprint of the variants: it changes when one of them changes. */
uint64_t ct_gpu_variants_fingerprint(void);

/** The launch of a plan, for pointers of these alignments, by a variant. */
ct_status ct_gpu_launch_of(const ct_plan *plan, int64_t src_align, int64_t dst_align, int variant,
                           ct_gpu_launch *launch, char *message);

/** Whether the copy is a transpose of a matrix: two modes, of which each side has another
 *  contiguous. */
int ct_gpu_is_transpose(const ct_plan_form *form);

/** The mode that is contiguous in the source, or in the destination; -1: none is. */
int ct_gpu_contiguous(const ct_plan_form *form, int is_dst);

/** What divides every address and step of a form but those of contiguous modes, up to 16. */
int64_t ct_gpu_alignment(const ct_plan_form *form, const ct_gpu_launch *launch);

/** Adds a mode that is not tiled. */
void ct_gpu_add_mode(ct_box_mode *mode, int32_t *modes, const ct_plan_mode *m);

/** Sets the grid: `blocks` for each coordinate of modes begin to end - 1. 0; -1: more than a grid has. */
int ct_gpu_set_blocks(ct_gpu_launch *launch, int64_t blocks, const ct_box_mode *mode, int begin,
                      int end);

static inline int64_t ct_gpu_round_up(int64_t n, int64_t to) { return ct_ceil_div_int(n, to) * to; }

/** The partitions of a box by two walks with their orders and values, of elements of `bits` bits,
 *  and of src_bits in the source. 0, or -1 where the box is too large. */
int ct_gpu_divide(ct_gpu_launch *launch, ct_gpu_walk *in, ct_gpu_walk *out,
                  const ct_gpu_variant *variant, int src_bits, int bits);

/** Sets the arguments of the launch's kernel; is_own: of the one compiled for it. Returns the bytes. */
size_t ct_gpu_args_of(const ct_gpu_launch *launch, int is_own, void *dst, const void *src,
                      double scale, ct_gpu_args *args);

/** The source of a kernel for a launch; none has length 0. Returns the full length, as snprintf. */
int ct_gpu_source(const ct_gpu_launch *launch, char *buf, size_t size);

/** One line that describes the launch, as snprintf. */
int ct_gpu_say(const ct_gpu_launch *launch, char *buf, size_t size);

/** The same of the launches for pointers that 16 bytes divide, and for others where it is another. */
int ct_gpu_say_both(const char *aligned, const char *any, char *buf, size_t size);

#endif
