/**
 * DLPack tensors in and out: arrays of NumPy, PyTorch and others as sides of a copy plan, and sides
 * as tensors for them.
 *
 *     ct_dl_tensor *a, *b;                  from `__dlpack__()` of two arrays of a shape
 *     ct_plan_copy_dlpack(b, a, message);   b[...] = a
 *
 * The structures have the order and sizes of the specification; a pointer to a DLTensor is one to a
 * ct_dl_tensor.
 *
 * Cost:     O(dimensions); where elements are copied that of ct_plan_create and ct_plan_run.
 * In C:     float a[6] = {0, 1, 2, 3, 4, 5}, b[6] = {0};
 *           int64_t shape[2] = {2, 3}, by_columns[2] = {1, 2};
 *           ct_dl_tensor from = {.data = a, .device_type = CT_DL_CPU, .ndim = 2, .shape = shape,
 *                                .code = CT_DL_FLOAT, .bits = 32, .lanes = 1};
 *           ct_dl_tensor to = from, back;
 *           to.data = b;
 *           to.strides = by_columns;
 *           char message[CT_MESSAGE_BYTES];
 *           assert(ct_plan_copy_dlpack(&to, &from, message) == CT_OK && b[2] == 1); // b(0,1)
 *           ct_plan_side side;
 *           void *at;
 *           assert(ct_plan_side_from_dlpack(&to, &side, &at, message) == CT_OK && at == b);
 *           assert(ct_layout_equal(side.memory.layout, ct_layout2(2, 3, 1, 2)));
 *           int64_t extents[CT_MAX_LEAVES], strides[CT_MAX_LEAVES];
 *           ct_plan_side_to_dlpack(&side, at, &back, extents, strides, message);
 *           assert(back.ndim == 2 && back.strides[1] == 2 && back.bits == 32);
 *           ct_dl_managed *given;
 *           ct_dl_versioned *versioned;
 *           ct_dl_tensor *writable;
 *           assert(ct_plan_give_dlpack(&side, at, NULL, NULL, &given, message) == CT_OK);
 *           assert(ct_plan_take_dlpack(&from, given, message) == CT_OK); // which releases it
 *           ct_plan_give_versioned_dlpack(&side, at, CT_DL_READ_ONLY, NULL, NULL, &versioned,
 *                                         message);
 *           assert(ct_plan_open_dlpack(versioned, 1, &writable, message) == CT_E_ARGUMENT);
 *           assert(ct_plan_take_versioned_dlpack(&from, versioned, message) == CT_OK);
 *           assert(a[1] == 1 && a[5] == 5);
 * Source:   DLPack, "C API (dlpack.h)" of the specification, version 1.0: dmlc.github.io/dlpack.
 */
#ifndef CUTLET_HOST_DLPACK_H
#define CUTLET_HOST_DLPACK_H

#include <cutlet/host/plan.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The devices that are distinguished here; others have other numbers. */
enum { CT_DL_CPU = 1, CT_DL_CUDA = 2, CT_DL_CUDA_HOST = 3, CT_DL_CUDA_MANAGED = 13 };

/** The kinds of elements. */
enum { CT_DL_INT, CT_DL_UINT, CT_DL_FLOAT, CT_DL_OPAQUE, CT_DL_BFLOAT, CT_DL_COMPLEX, CT_DL_BOOL };

/** A tensor that another library owns. */
typedef struct ct_dl_tensor {
    void *data;
    int32_t device_type; /* CT_DL_CPU ... */
    int32_t device_id;
    int32_t ndim;
    uint8_t code; /* CT_DL_INT ... */
    uint8_t bits; /* of a number; `lanes` of them are an element */
    uint16_t lanes;
    int64_t *shape;       /* ndim extents */
    int64_t *strides;     /* ndim strides in elements; NULL: compact, the last dimension fastest */
    uint64_t byte_offset; /* of element 0 from data */
} ct_dl_tensor;

/** A tensor with its owner, as `__dlpack__()` hands it over in a capsule named `dltensor`. */
typedef struct ct_dl_managed {
    ct_dl_tensor tensor;
    void *manager_ctx;
    void (*deleter)(struct ct_dl_managed *self);
} ct_dl_managed;

/** The flags of a tensor with a version. */
enum { CT_DL_READ_ONLY = 1, CT_DL_IS_COPIED = 2 };

/** The version that is written; of those with the same major number all are read. */
enum { CT_DL_MAJOR = 1, CT_DL_MINOR = 0 };

/** Such a tensor with a version and flags, in a capsule named `dltensor_versioned`. */
typedef struct ct_dl_versioned {
    uint32_t major, minor;
    void *manager_ctx;
    void (*deleter)(struct ct_dl_versioned *self);
    uint64_t flags; /* CT_DL_READ_ONLY ... */
    ct_dl_tensor tensor;
} ct_dl_versioned;

/**
 * The side of a tensor, and the pointer that ct_plan_run takes for it: dimension k is mode k. Half,
 * bfloat16, float, double and int8 have their types, all others are raw. On any device.
 *
 * Ensures:  CT_OK, *side and *at; or CT_E_ARGUMENT and one line.
 * Fails:    elements that are not 1 to 16 full bytes, negative extents, more than CT_MAX_LEAVES
 *           dimensions, strides that overflow. An extent of 0 is not an error: there are no elements.
 */
ct_status ct_plan_side_from_dlpack(const ct_dl_tensor *tensor, ct_plan_side *side, void **at,
                                   char message[CT_MESSAGE_BYTES]);

/**
 * The CPU tensor of a plain side at a pointer, with a dimension for each leaf of its layout. shape
 * and strides, of CT_MAX_LEAVES each, get the extents and strides. Raw elements of 1, 2, 4 and 8
 * bytes become unsigned integers, others several lanes of bytes.
 *
 * Fails:    CT_E_ARGUMENT where the side is swizzled, which no tensor can say.
 */
ct_status ct_plan_side_to_dlpack(const ct_plan_side *side, void *at, ct_dl_tensor *tensor,
                                 int64_t *shape, int64_t *strides, char message[CT_MESSAGE_BYTES]);

/**
 * Copies a tensor to another of the same shape with a new plan. Both are in host memory, or both on
 * one CUDA device, whose default stream is used. Elements are converted if the types are different
 * ones of plan.h; other elements may be at any address.
 *
 * Fails:    as the functions above and those of plan.h; CT_E_ARGUMENT where the shapes differ,
 *           or the types do and plan.h lacks one of them; CT_E_BACKEND for memory of other
 *           devices.
 */
ct_status ct_plan_copy_dlpack(const ct_dl_tensor *dst, const ct_dl_tensor *src,
                              char message[CT_MESSAGE_BYTES]);

/**
 * The tensor of a versioned one, to be written to where `writes` is not 0.
 *
 * Fails:    CT_E_ARGUMENT for another major version, and for writing to one that is read-only.
 */
ct_status ct_plan_open_dlpack(ct_dl_versioned *versioned, int writes, ct_dl_tensor **tensor,
                              char message[CT_MESSAGE_BYTES]);

/**
 * Copies a tensor that the caller owns to another, and releases it: its deleter, if any, is called
 * once for every status.
 *
 * Fails:    as ct_plan_copy_dlpack; the versioned one as ct_plan_open_dlpack besides.
 */
ct_status ct_plan_take_dlpack(const ct_dl_tensor *dst, ct_dl_managed *src,
                              char message[CT_MESSAGE_BYTES]);
ct_status ct_plan_take_versioned_dlpack(const ct_dl_tensor *dst, ct_dl_versioned *src,
                                        char message[CT_MESSAGE_BYTES]);

/**
 * A tensor of a plain side to give away, as ct_plan_side_to_dlpack makes it. Whoever gets it calls
 * its deleter, which calls release(owner) once; release may be NULL.
 *
 * Ensures:  CT_OK and *given; or another status and one line, *given NULL, and release not
 *           called.
 * Fails:    as ct_plan_side_to_dlpack; CT_E_MEMORY.
 */
ct_status ct_plan_give_dlpack(const ct_plan_side *side, void *at, void *owner,
                              void (*release)(void *owner), ct_dl_managed **given,
                              char message[CT_MESSAGE_BYTES]);
ct_status ct_plan_give_versioned_dlpack(const ct_plan_side *side, void *at, uint64_t flags,
                                        void *owner, void (*release)(void *owner),
                                        ct_dl_versioned **given, char message[CT_MESSAGE_BYTES]);

#ifdef __cplusplus
}
#endif

#endif
