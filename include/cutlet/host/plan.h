/**
 * Copy plans: any layout to any layout, planned once and run often.
 *

 * Element i of the source goes to element i of the destination, for every index i. The two layouts
 * have the same size and any shapes. A plan does not change once it is made: any number of threads
 * may run it at the same time. On the CPU each of these runs has its own threads, by the number in
 * ct_plan_info, from a pool of at most 256 in the process. If all are busy, a run begins with its
 * caller's thread, and others join it when they are free.
 *
 * Conversions to half, bfloat16, float and double round once, to nearest even, with infinity beyond
 * the largest. To int8 they round likewise, values saturate at -128 and 127, and a NaN becomes 0. A
 * NaN becomes an unspecified NaN. A scale multiplies the value as a double, which rounds to the
 * nearest double; the product is converted. Elements of the same type without a scale are copied
 * bit by bit.
 *
 * In C:     static float src[512 * 256], dst[256 * 512];
 *           for (int i = 0; i < 512 * 256; ++i) src[i] = (float)i;
 *           ct_plan_desc desc = {0};
 *           desc.src = ct_plan_side_of(ct_layout2(512, 256, 256, 1), CT_TYPE_FLOAT);
 *           desc.dst = ct_plan_side_of(ct_layout2(512, 256, 1, 512), CT_TYPE_FLOAT);
 *           char message[CT_MESSAGE_BYTES], text[1024];
 *           ct_plan *plan = NULL;
 *           if (ct_plan_create(&desc, CT_EFFORT_ESTIMATE, &plan, message) ||
 *               ct_plan_run(plan, dst, src, NULL, message))
 *               puts(message);
 *           assert(plan && dst[3 + 512 * 200] == src[256 * 3 + 200]);
 *           ct_plan_info info;
 *           ct_plan_info_of(plan, &info);
 *           assert(info.form == CT_FORM_TILES && info.bytes_read == 512 * 256 * 4);
 *           assert(ct_plan_describe(plan, text, sizeof text) > 0);
 *           ct_plan_destroy(plan);
 */
#ifndef CUTLET_HOST_PLAN_H
#define CUTLET_HOST_PLAN_H

#include <stddef.h>

#include <cutlet/algebra/tensor.h>
#include <cutlet/algebra/element_type.h>
#include <cutlet/host/capacity.h>
#include <cutlet/host/message.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ct_sharded ct_sharded; /* sharded.h */

/** What moves the elements. AUTO is the CPU for host memory, and CUDA for device memory if there is
 * a device: a run checks its pointers. */
enum { CT_BACKEND_AUTO, CT_BACKEND_CPU, CT_BACKEND_GRID, CT_BACKEND_CUDA, CT_BACKEND_COUNT };

/** How a plan is chosen: by the model, or by timing the candidates, which takes memory for both
 * sides and many times as long as a run. */
enum { CT_EFFORT_ESTIMATE, CT_EFFORT_MEASURE };

/** What kind of copy it is. */
enum {
    CT_FORM_NOTHING,    /* no elements */
    CT_FORM_CONTIGUOUS, /* one run of memory on both sides */
    CT_FORM_ROWS,       /* rows that are contiguous on both sides */
    CT_FORM_TILES,      /* the contiguous modes of the two sides differ */
    CT_FORM_STRIDED,    /* elements along one mode, one by one */
    CT_FORM_INDEXED,    /* offsets computed for each element: swizzles, shapes that do not fit */
    CT_FORM_EXCHANGE    /* sharded sides: a redistribution between ranks */
};

/** One side of a copy. The pointer given to ct_plan_run is the address of offset 0: with negative
 * strides, elements are before it. */
typedef struct ct_plan_side {
    ct_tensor memory;          /* index -> offset in elements */
    int32_t type;              /* CT_TYPE_... */
    int32_t elem_bytes;        /* of CT_TYPE_RAW; the others know theirs: 0, or that */
    int64_t align_bytes;       /* a power of two that divides the pointer; 0: that of the element */
    const ct_sharded *sharded; /* NULL; or the elements of all ranks: memory is not read then */
} ct_plan_side;

/** What to copy. All zero is a good choice, but for the sides. */
typedef struct ct_plan_desc {
    ct_plan_side src, dst;
    int32_t has_scale; /* whether elements are multiplied by scale on the way */
    int32_t device;    /* the number of a CUDA device plus 1; 0: the device of the calling thread's
                          context, or the first */
    double scale;
    int32_t backend; /* CT_BACKEND_... */
    int64_t rank;    /* of sharded sides: the rank that the plan is of */
} ct_plan_desc;

/** What a plan will do. */
typedef struct ct_plan_info {
    int32_t form;    /* CT_FORM_... */
    int32_t backend; /* the one chosen */
    int32_t threads; /* that a run uses at most */
    int64_t elements;
    int64_t bytes_read, bytes_written; /* that are asked for: elements times their size */
    int64_t src_runs, dst_runs;        /* runs of neighbouring bytes on either side ... */
    int64_t src_sectors, dst_sectors;  /* ... and 32-byte sectors that they touch, run by run */
    double seconds;                    /* of a run, measured; 0 where it was not */
    double bound_seconds;              /* of memcpy of those sectors, measured too; else of the
                                          sectors at the memory's rate; 0 where that is not known */
} ct_plan_info;

typedef struct ct_plan ct_plan;

/**
 * The side of a plain layout, which may have negative strides. Raw elements need elem_bytes.
 * Ensures:  ct_plan_create refuses a failed layout, or an unknown type.
 * Cost:     O(1).
 */
ct_plan_side ct_plan_side_of(ct_layout layout, int32_t type);

/**
 * The side of raw elements of a plain layout, of 1 to 16 bytes each, which are copied as they are.
 * Cost:     O(1).
 * In C:     const ct_plan_side side = ct_plan_side_raw(ct_layout2(4, 8, 8, 1), 12);
 *           assert(side.type == CT_TYPE_RAW && side.elem_bytes == 12);
 */
ct_plan_side ct_plan_side_raw(ct_layout layout, int32_t elem_bytes);

/**
 * Plans a copy. message may be NULL.
 *
 * Ensures:  CT_OK and *plan; or another status, *plan NULL, and one line in message.
 * Fails:    CT_E_ARGUMENT: a failed or non-integral layout, sizes that differ, a number
 *           that is no type or no alignment, a destination that has an offset twice, a span of
 *           2^62 bytes or more, more bytes to read and write than 63 bits count;
 *           a sharded side with one that is not, and operands that ct_redistribute_create refuses;
 *           CT_E_UNDECIDED: its modes interleave so that more than CT_MAX_PROOF steps would
 *           be needed to decide that; CT_E_BACKEND;
 *           CT_E_MEMORY; CT_E_FAILED while a stream of the device is captured, if a
 *           kernel would have to be compiled or loaded: plans are to be made before a capture
 *           begins. (Of a stream that takes no part in the default one the driver tells only when
 *           it is asked to load, and then it may end the capture.) A layout with an extent of 0
 *           (CT_WHY_SHAPE with 0 as ct_make_layout makes it) has no elements: no error.
 * Cost:     O(leaves^2) and the proof; with CT_EFFORT_MEASURE many runs. On a device two kernels
 *           may have to be compiled, one for pointers that 16 bytes divide and one for all others
 *           that align_bytes allows: with align_bytes of 16 on both sides it is one. Threads compile
 *           at the same time; kernels that no plan uses are unloaded, but for about a hundred.
 */
ct_status ct_plan_create(const ct_plan_desc *desc, int32_t effort, ct_plan **plan,
                         char message[CT_MESSAGE_BYTES]);

/**
 * Runs the copy. stream is the CUDA stream in which a copy of device memory is queued, NULL the
 * default one; the copy has not ended when this returns. Copies in memory of the host have, and
 * take no notice of it. message may be NULL. A run compiles and loads nothing, so its stream may be
 * captured. The captured graph may be launched while the plan exists.
 *
 * Ensures:  CT_OK; or another status and one line in message. Bytes between the destination's
 *           elements stay as they are.
 * Fails:    before anything is written: CT_E_ARGUMENT for sharded sides of which elements go to
 *           other ranks: ct_plan_run_with runs these. CT_E_POINTER for a null pointer, one that is not a multiple
 *           of its element's alignment (the largest power of two in elem_bytes) or of
 *           align_bytes, elements of the two sides that share a byte, memory of the host for
 *           CT_BACKEND_CUDA or on one side only of CT_BACKEND_AUTO. Sides may interleave, as
 *           columns of one matrix do. Where their spans meet and CT_MAX_PROOF steps do not decide
 *           whether they share a byte, they are refused too, and the message says so. Afterwards:
 *           CT_E_FAILED, the message of the grid or of the driver.
 * Cost:     O(elements).
 */
ct_status ct_plan_run(const ct_plan *plan, void *dst, const void *src, void *stream,
                      char message[CT_MESSAGE_BYTES]);

/**
 * The work of the plan, in numbers. Runs and sectors are those of pointers that 32 bytes divide;
 * of a swizzled or sharded side they are 0. For sharded sides it is the rank's work: elements that
 * it gets, bytes that it reads, including sends, and bytes that it gets.
 * Cost:     O(leaves).
 */
void ct_plan_info_of(const ct_plan *plan, ct_plan_info *info);

/**
 * The plan and its reasons in a few lines of text. The kernel on a device is the one for pointers
 * that 16 bytes divide. On the grid both kernels are named if they differ. For sharded sides there
 * is no time, because a plan has no link. ct_redistribute_describe(ct_plan_redistribution(plan),
 * rate, buf, size) shows it for a link of `rate` bytes per second (redistribute.h).
 * Returns:  the full length, as snprintf does.
 * Cost:     O(leaves).
 */
int ct_plan_describe(const ct_plan *plan, char *buf, size_t size);

/**
 * Releases the plan; NULL is nothing. No thread may be running it, and no graph that it is part of
 * may be launched afterwards.
 * Cost:     O(1).
 */
void ct_plan_destroy(ct_plan *plan);

#ifdef __cplusplus
}
#endif

#endif
