/* DLPack tensors as sides of a plan, and sides as tensors. */
#include <cutlet/host/dlpack.h>

#include <string.h>

#include <cutlet/algebra/make.h>
#include <cutlet/host/text.h>
#include "plan/front/plan.h"

_Static_assert(sizeof(void *) != 8 || (sizeof(ct_dl_tensor) == 48 && sizeof(ct_dl_managed) == 64 &&
                                       sizeof(ct_dl_versioned) == 80),
               "the sizes of DLTensor, DLManagedTensor and DLManagedTensorVersioned");

static int32_t type_of(const ct_dl_tensor *t)
{
    if (t->lanes != 1) return CT_TYPE_RAW;
    if (t->code == CT_DL_BFLOAT && t->bits == 16) return CT_TYPE_BFLOAT16;
    if (t->code == CT_DL_INT && t->bits == 8) return CT_TYPE_INT8;
    if (t->code != CT_DL_FLOAT) return CT_TYPE_RAW;
    return t->bits == 16   ? CT_TYPE_HALF
           : t->bits == 32 ? CT_TYPE_FLOAT
           : t->bits == 64 ? CT_TYPE_DOUBLE
                           : CT_TYPE_RAW;
}

ct_status ct_plan_side_from_dlpack(const ct_dl_tensor *t, ct_plan_side *side, void **at,
                                   char message[CT_MESSAGE_BYTES])
{
    const int64_t bits = (int64_t)t->bits * t->lanes;
    if (bits % 8 != 0 || bits < 8 || bits > 128)
        return ct_refuse(message, CT_E_ARGUMENT,
                         "tensor: elements of %lld bits; they have 1 to 16 whole bytes",
                         (long long)bits);
    if (t->ndim < 0 || t->ndim > CT_MAX_LEAVES)
        return ct_refuse(message, CT_E_ARGUMENT, "tensor: %d dimensions; a layout has at most %d",
                         t->ndim, CT_MAX_LEAVES);
    if (t->ndim > 0 && !t->shape)
        return ct_refuse(message, CT_E_ARGUMENT, "tensor: it has no shape");
    ct_tuple shape = ct_int(1), stride = ct_int(0);
    if (t->ndim > 1) shape.profile = stride.profile = ct_profile_flat(t->ndim);
    for (int k = 0; k < t->ndim; ++k) {
        if (t->shape[k] < 0)
            return ct_refuse(message, CT_E_ARGUMENT, "tensor: mode %d has the extent %lld", k,
                             (long long)t->shape[k]);
        shape.value[k] = t->shape[k];
        stride.value[k] = t->strides ? t->strides[k] : 1;
    }
    int ok = 1;
    for (int k = t->ndim - 2; k >= 0 && !t->strides; --k)
        stride.value[k] = ct_mul(stride.value[k + 1], shape.value[k + 1], &ok);
    const ct_layout L = ct_make_layout(shape, stride);
    const int empty = L.err.why == CT_WHY_SHAPE; /* an extent of 0, which a plan takes */
    if (!ok || (L.err.status && !empty))
        return ct_refuse(message, CT_E_ARGUMENT, "tensor: its offsets do not fit in 64 bits");
    *side = ct_plan_side_of(L, type_of(t));
    side->elem_bytes = (int32_t)(bits / 8);
    *at = t->data ? (unsigned char *)t->data + t->byte_offset : NULL;
    return CT_OK;
}

ct_status ct_plan_side_to_dlpack(const ct_plan_side *side, void *at, ct_dl_tensor *t,
                                 int64_t *shape, int64_t *strides, char message[CT_MESSAGE_BYTES])
{
    static const uint8_t codes[CT_TYPE_COUNT] = {CT_DL_UINT,  CT_DL_FLOAT, CT_DL_BFLOAT,
                                                 CT_DL_FLOAT, CT_DL_FLOAT, CT_DL_INT};
    ct_plan_side checked = *side;
    int64_t size = 0;
    const ct_status bad = ct_plan_check_side(&checked, "side", &size, message);
    if (bad) return bad;
    const ct_layout *const L = &checked.memory.layout;
    if (checked.memory.swizzle.bits > 0)
        return ct_refuse(message, CT_E_ARGUMENT,
                         "side: it is swizzled, which the strides of a tensor cannot say");
    const int32_t bytes = checked.elem_bytes, whole = (bytes & (bytes - 1)) == 0 && bytes <= 8;
    memset(t, 0, sizeof *t);
    t->data = (unsigned char *)at + checked.memory.offset.value[0] * bytes;
    t->device_type = CT_DL_CPU;
    t->ndim = size == 0 ? 1 : L->profile.leaves;
    t->code = codes[checked.type];
    t->bits = (uint8_t)(whole ? 8 * bytes : 8);
    t->lanes = (uint16_t)(whole ? 1 : bytes);
    t->shape = shape;
    t->strides = strides;
    shape[0] = strides[0] = 0; /* of an empty one */
    for (int k = 0; k < L->profile.leaves && size > 0; ++k) {
        shape[k] = L->shape[k];
        strides[k] = L->stride[k];
    }
    return CT_OK;
}

/* The backend for both: that of the host, or of the one device. */
static ct_status choose_backend(const ct_dl_tensor *dst, const ct_dl_tensor *src, ct_plan_desc *d,
                                char *message)
{
    const ct_dl_tensor *const both[2] = {src, dst};
    int devices = 0;
    for (int k = 0; k < 2; ++k) {
        const int32_t type = both[k]->device_type;
        if (type == CT_DL_CUDA || type == CT_DL_CUDA_MANAGED) ++devices;
        else if (type != CT_DL_CPU && type != CT_DL_CUDA_HOST)
            return ct_refuse(message, CT_E_BACKEND,
                             "%s: a tensor of device type %d, neither of the host nor of CUDA",
                             k ? "destination" : "source", type);
    }
    if (devices == 1 || (devices == 2 && src->device_id != dst->device_id))
        return ct_refuse(message, CT_E_BACKEND,
                         "the source is on device %d:%d, the destination on %d:%d",
                         src->device_type, src->device_id, dst->device_type, dst->device_id);
    d->backend = devices ? CT_BACKEND_CUDA : CT_BACKEND_CPU;
    d->device = devices ? src->device_id + 1 : 0;
    return CT_OK;
}

static ct_status check_shapes(const ct_dl_tensor *dst, const ct_dl_tensor *src, char *message)
{
    if (src->ndim != dst->ndim)
        return ct_refuse(message, CT_E_ARGUMENT, "the source has %d dimensions, the destination %d",
                         src->ndim, dst->ndim);
    for (int k = 0; k < src->ndim; ++k)
        if (src->shape[k] != dst->shape[k])
            return ct_refuse(message, CT_E_ARGUMENT,
                             "mode %d: the source has the extent %lld, the destination %lld", k,
                             (long long)src->shape[k], (long long)dst->shape[k]);
    return CT_OK;
}

/* Whether the elements mean the same. */
static int same_type(const ct_dl_tensor *a, const ct_dl_tensor *b)
{
    return a->code == b->code && a->bits == b->bits && a->lanes == b->lanes;
}

/* A side in raw units of which several are an element: one more mode, the last. */
static void split(ct_plan_side *side, int32_t unit)
{
    ct_layout *const L = &side->memory.layout;
    const int32_t parts = side->elem_bytes / unit;
    int ok = 1;
    ct_tuple shape = ct_shape(*L), stride = ct_stride(*L);
    for (int k = 0; k < stride.profile.leaves; ++k)
        stride.value[k] = ct_mul(stride.value[k], parts, &ok);
    if (!ok) return; /* the plan says how far that is */
    const int n = shape.profile.leaves;
    shape.value[n] = parts;
    stride.value[n] = 1;
    shape.profile = stride.profile = ct_profile_flat(n + 1);
    *side = ct_plan_side_raw(ct_make_layout(shape, stride), unit);
}

/* Elements of one type may be misaligned for their size (a complex number is aligned as its parts
 * are). They are then copied in aligned units. */
static void fit_alignment(ct_plan_desc *d, const void *to, const void *from)
{
    const uintptr_t bits = (uintptr_t)to | (uintptr_t)from | (uintptr_t)d->src.elem_bytes;
    const int32_t own = d->src.elem_bytes & -d->src.elem_bytes, unit = (int32_t)(bits & -bits);
    if (unit >= own || d->src.memory.layout.err.status || d->dst.memory.layout.err.status ||
        d->src.memory.layout.profile.leaves == CT_MAX_LEAVES)
        return;
    split(&d->src, unit);
    split(&d->dst, unit);
}

/* Says that 16 bytes divide the pointers where they do: the plan then needs no kernel for
 * others. */
static void promise_alignment(ct_plan_desc *d, const void *to, const void *from)
{
    enum { UNCHECKED = 16 };
    if ((((uintptr_t)to | (uintptr_t)from) & (UNCHECKED - 1)) != 0) return;
    d->src.align_bytes = d->dst.align_bytes = UNCHECKED;
}

ct_status ct_plan_copy_dlpack(const ct_dl_tensor *dst, const ct_dl_tensor *src,
                              char message[CT_MESSAGE_BYTES])
{
    ct_plan_desc desc;
    ct_plan *plan = NULL;
    void *from = NULL, *to = NULL;
    memset(&desc, 0, sizeof desc);
    ct_status bad = choose_backend(dst, src, &desc, message);
    if (!bad) bad = check_shapes(dst, src, message);
    if (!bad) bad = ct_plan_side_from_dlpack(src, &desc.src, &from, message);
    if (!bad) bad = ct_plan_side_from_dlpack(dst, &desc.dst, &to, message);
    if (!bad && !same_type(dst, src) &&
        (desc.src.type == CT_TYPE_RAW || desc.dst.type == CT_TYPE_RAW))
        bad = ct_refuse(message, CT_E_ARGUMENT,
                        "elements of code %d, %d bits, %d lanes are not converted to code %d, %d "
                        "bits, %d lanes",
                        src->code, src->bits, src->lanes, dst->code, dst->bits, dst->lanes);
    if (!bad && same_type(dst, src)) fit_alignment(&desc, to, from);
    if (!bad) promise_alignment(&desc, to, from);
    if (!bad) bad = ct_plan_create(&desc, CT_EFFORT_ESTIMATE, &plan, message);
    if (!bad) bad = ct_plan_run(plan, to, from, NULL, message);
    ct_plan_destroy(plan);
    return bad;
}
