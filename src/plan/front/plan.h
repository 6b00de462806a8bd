/**
 * Internals of a copy plan: the common modes of two layouts, and the interface of a backend.
 */
#ifndef CUTLET_SRC_PLAN_FRONT_PLAN_H
#define CUTLET_SRC_PLAN_FRONT_PLAN_H

#include "base/whole_file.h"
#include <cutlet/host/plan.h>

/** The most common modes of two layouts, and one for an element of several units. */
#define CT_PLAN_MODES (2 * CT_MAX_LEAVES + 1)

/** A mode of both sides; steps in bytes. */
typedef struct ct_plan_mode {
    int64_t extent, src, dst;
} ct_plan_mode;

/** The normal form of a copy: units, each moved or converted at once, along modes. All steps of the
 *  destination are positive, and ascend from mode `first` on. */
typedef struct ct_plan_form {
    int32_t kind;                 /* CT_FORM_... */
    int32_t src_bytes, dst_bytes; /* of a unit */
    int64_t src_base, dst_base;   /* bytes from the pointers to unit 0 */
    int32_t first;                /* inner modes, in front: 2 of TILES (along the source, along the
                                      destination), 1 of the other forms */
    int32_t modes;                /* all modes; 0 for NOTHING and INDEXED */
    ct_plan_mode mode[CT_PLAN_MODES];
} ct_plan_form;

/** The bytes that a side accesses, relative to its pointer: low <= byte < high. */
typedef struct ct_plan_span {
    int64_t low, high;
} ct_plan_span;

/** The choices of a plan, by the model or by measuring. */
typedef struct ct_plan_choice {
    int32_t threads;
    int32_t tile_src, tile_dst; /* of TILES: units along the source's and the destination's mode */
    int32_t direct;             /* of TILES: whether they are stored without a buffer */
    int32_t streams;            /* whether stores are non-temporal */
    int32_t variant;            /* of the GPU's kernels: a number of ct_gpu_launch_of */
} ct_plan_choice;

struct ct_plan_backend;

struct ct_plan {
    ct_plan_desc desc; /* checked, with elem_bytes and align_bytes set */
    int64_t size;
    int32_t converts; /* whether elements change their type or are scaled */
    ct_plan_form form;
    ct_plan_span src_span, dst_span;
    ct_plan_choice choice;
    const struct ct_plan_backend *backend;
    int32_t backend_id;
    void *state;     /* of the backend: prepare makes it, drop releases it */
    ct_plan *device; /* of AUTO: the plan for device memory; NULL without a device */
    double seconds, bound_seconds;
    double bytes_per_second; /* the bandwidth of the memory; 0 if it is not known */
};

/**
 * A backend: how plans run on one kind of machine. A new one is a row in the table of
 * copy/backend.c.
 */
typedef struct ct_plan_backend {
    const char *name;
    int32_t any_address; /* whether units may be misaligned: short rows then become units */
    int32_t host_memory; /* whether it copies host memory, which MEASURE can allocate */
    int32_t sharded;     /* whether it is for sharded sides: its plans have only desc, backend and
                        state, run checks pointers, and say writes the full description */
    /** Sets choices and state of a plan with a normal form. CT_OK, or a status and a message. */
    ct_status (*prepare)(ct_plan *plan, char *message);
    /** What ct_plan_info_of says of sharded sides; else NULL. */
    void (*info)(const ct_plan *plan, ct_plan_info *info);
    /** Whether dst and src are device memory; NULL where none is. */
    int (*reaches)(const ct_plan *plan, const void *dst, const void *src);
    /** Runs a plan of at least one element; the pointers have been checked. */
    ct_status (*run)(const ct_plan *plan, void *dst, const void *src, void *stream, char *message);
    /** Releases plan->state; NULL without a state. */
    void (*drop)(ct_plan *plan);
    /** Chooses by timing, and sets the plan's seconds; NULL if ct_plan_measure does this. */
    ct_status (*measure)(ct_plan *plan, char *message);
    /** Candidate k of MEASURE; returns 0 if there are no more. NULL without candidates. */
    int (*candidate)(const ct_plan *plan, int k, ct_plan_choice *choice);
    /** Writes a line for ct_plan_describe; returns its length, like snprintf. */
    int (*say)(const ct_plan *plan, char *buf, size_t size);
} ct_plan_backend;

extern const ct_plan_backend ct_plan_cpu, ct_plan_grid, ct_plan_cuda;

/** Fills a plan whose desc is set; CT_OK, or a status and a message. */
typedef ct_status ct_plan_maker(ct_plan *plan, int32_t effort, char *message);

/** ct_plan_create, by one maker. */
ct_status ct_plan_make(const ct_plan_desc *desc, int32_t effort, ct_plan_maker *make,
                       ct_plan **plan, char *message);

/** The bytes of a type; 0 for CT_TYPE_RAW. */
int32_t ct_type_bytes(int32_t type);

/** Checks a side, called `name` in messages, and sets its elem_bytes and align_bytes. Sets *size to
 *  its number of elements. */
ct_status ct_plan_check_side(ct_plan_side *side, const char *name, int64_t *size, char *message);

/** The bytes that a side accesses; fails for offsets of 2^62 bytes or more. */
ct_status ct_plan_span_of(const ct_plan_side *side, const char *name, ct_plan_span *span,
                          char *message);

/** Decides whether a layout is injective: CT_OK, CT_E_ARGUMENT or CT_E_UNDECIDED. */
ct_status ct_plan_injective(ct_layout layout, char *message);

/** Whether the two sides share a byte at these pointers: 1, 0, or -1 if CT_MAX_PROOF steps do not
 *  decide it. A step is a pair of indices along modes that a swizzle moves, one on each side, or a
 *  coordinate tried along another mode. */
int ct_plan_meet(const ct_plan *plan, uintptr_t dst, uintptr_t src);

/** Sets the common modes of both layouts, without swizzles, in the order of the destination, and
 *  the bases. in_units: units are powers of two of bytes. Returns 0 without a common refinement. */
int ct_plan_cut(ct_plan_form *form, const ct_plan_desc *desc, int in_units);

/** How a plan converts elements. */
ct_conversion ct_plan_conversion(const ct_plan *plan);

/** Sets the normal form of a checked plan. */
void ct_plan_normalize(ct_plan *plan);

/** Times the backend's candidates and keeps the fastest. */
ct_status ct_plan_measure(ct_plan *plan, char *message);

#endif
