/**
 * Internals of a copy plan: the common modes of two layouts, and the interface of a backend.
 */
#ifndef CUTLET_SRC_PLAN_FRONT_PLAN_H
#define CUTLET_SRC_PLAN_FRONT_PLAN_H

#include "base/whole_file.h"
#include "cutlet/host/plan.h"

/** The most modes that two layouts are cut into, and one for an element of several units. */
#define CT_PLAN_MODES (2 * CT_MAX_LEAVES + 1)

/** A mode of both sides; steps in bytes. */
typedef struct ct_plan_mode {
    int64_t extent, src, dst;
} ct_plan_mode;

/** The copy as it is seen: units, which are moved or converted as one, along modes. All steps of the
 *  destination are positive, and ascend from mode `first` on. */
typedef struct ct_plan_form {
    int32_t kind;                  /* CT_FORM_... */
    int32_t src_bytes, dst_bytes;  /* of a unit */
    int64_t src_base, dst_base;    /* bytes from the pointers to unit 0 */
    int32_t first;                 /* modes in front that have a part: 2 of TILES (along the source,
                                      along the destination), 1 of the other forms */
    int32_t modes;                 /* all of them; none of NOTHING and INDEXED */
    ct_plan_mode mode[CT_PLAN_MODES];
} ct_plan_form;

/** The bytes that a side touches, relative to its pointer: low <= byte < high. */
typedef struct ct_plan_span {
    int64_t low, high;
} ct_plan_span;

/** What may be chosen by measuring; zero stands for the model's choice in ct_cpu_choose. */
typedef struct ct_plan_choice {
    int32_t threads;
    int32_t tile_src, tile_dst; /* of TILES: units along the source's and the destination's mode */
    int32_t direct;             /* of TILES: whether they go to the destination without a buffer */
    int32_t streams;            /* whether stores are non-temporal */
    int32_t variant;                /* of the GPU's kernels: a number of ct_gpu_launch_of */
} ct_plan_choice;

struct ct_plan_backend;

struct ct_plan {
    ct_plan_desc desc;          /* checked; elem_bytes and align_bytes filled in */
    int64_t size;
    int32_t converts;           /* whether elements change their type or are scaled */
    ct_plan_form form;
    ct_plan_span src_span, dst_span;
    ct_plan_choice choice;
    const struct ct_plan_backend *backend;
    int32_t backend_id;
    void *state;                /* of the backend: what prepare made and drop releases */
    ct_plan *device;            /* of AUTO: the plan for memory of a device; NULL without one */
    double seconds, bound_seconds;
    double bytes_per_second;    /* that the memory moves at best; 0 where it is not known */
};

/**
 * A backend: how plans run on one kind of machine. A new one is a row in the table of
 * backend.c.
 */
typedef struct ct_plan_backend {
    const char *name;
    int32_t any_address; /* whether units lie at any address: short rows then count as one unit */
    int32_t host_memory; /* whether it copies memory of the host, which MEASURE can provide */
    /** Completes a plan whose form is known: choices and state. CT_OK, or a status and a line. */
    ct_status (*prepare)(ct_plan *plan, char *message);
    /** Runs it; the pointers have been checked, and there is at least one element. */
    ct_status (*run)(const ct_plan *plan, void *dst, const void *src, void *stream, char *message);
    /** Releases plan->state; NULL without a state. */
    void (*drop)(ct_plan *plan);
    /** Chooses by timing, and sets the plan's seconds; NULL where ct_plan_measure does it. */
    ct_status (*measure)(ct_plan *plan, char *message);
    /** Choice k of those that MEASURE times, 0 when there are no more; NULL without choices. */
    int (*candidate)(const ct_plan *plan, int k, ct_plan_choice *choice);
    /** One line on how it goes, for ct_plan_describe, as snprintf. */
    int (*say)(const ct_plan *plan, char *buf, size_t size);
} ct_plan_backend;

/** The backend of that number, or NULL where this library has none. */
const ct_plan_backend *ct_plan_backend_of(int32_t id);

extern const ct_plan_backend ct_plan_cpu, ct_plan_grid, ct_plan_cuda;

/** Whether the memory is that of a device, for a plan of the CUDA backend. */
int ct_cuda_reaches(const ct_plan *plan, const void *dst, const void *src);

/** The bytes of a type; 0 for CT_TYPE_RAW. */
int32_t ct_type_bytes(int32_t type);

/** Checks a side, `name` in messages, and fills elem_bytes and align_bytes in. *size gets its number of
 *  elements. */
ct_status ct_plan_check_side(ct_plan_side *side, const char *name, int64_t *size, char *message);

/** The bytes that a side touches; fails where 63 bits do not count them. */
ct_status ct_plan_span_of(const ct_plan_side *side, const char *name, ct_plan_span *span,
                          char *message);

/** Decides whether a layout reaches no offset twice. CT_OK, _E_ARGUMENT or _E_UNDECIDED. */
ct_status ct_plan_injective(ct_layout layout, char *message);

/** Whether the two sides share a byte when their pointers are these: 1, 0, or -1 if CT_MAX_PROOF
 *  steps leave it open. A step is a pair of indices along modes that a swizzle moves, one on each
 *  side, or a coordinate tried along a plain mode. Fewer steps give an exact answer. */
int ct_plan_meet(const ct_plan *plan, uintptr_t dst, uintptr_t src);

/** Cuts the layouts of both sides, swizzles left out, into modes that both have, in the order of the
 *  destination, and sets the bases. in_units: elements become powers of two of bytes. 0 where they have
 *  no common refinement. */
int ct_plan_cut(ct_plan_form *form, const ct_plan_desc *desc, int in_units);

/** Sees the copy of a checked plan in its simplest form. */
void ct_plan_normalize(ct_plan *plan);

/** Times the backend's candidates and keeps the fastest. */
ct_status ct_plan_measure(ct_plan *plan, char *message);

#endif
