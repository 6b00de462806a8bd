/* DLPack tensors that change hands: taken, and released once; given, with what releases them. */
#include <stdlib.h>
#include <string.h>

#include <cutlet/host/dlpack.h>
#include "plan/front/plan.h"

ct_status ct_plan_open_dlpack(ct_dl_versioned *v, int writes, ct_dl_tensor **tensor,
                              char message[CT_MESSAGE_BYTES])
{
    *tensor = NULL;
    if (v->major != CT_DL_MAJOR)
        return ct_refuse(message, CT_E_ARGUMENT,
                         "tensor: version %u.%u of DLPack; versions %d are read", v->major,
                         v->minor, CT_DL_MAJOR);
    if (writes && (v->flags & CT_DL_READ_ONLY))
        return ct_refuse(message, CT_E_ARGUMENT, "tensor: it is read-only");
    *tensor = &v->tensor;
    return CT_OK;
}

ct_status ct_plan_take_dlpack(const ct_dl_tensor *dst, ct_dl_managed *src,
                              char message[CT_MESSAGE_BYTES])
{
    const ct_status bad = ct_plan_copy_dlpack(dst, &src->tensor, message);
    if (src->deleter) src->deleter(src);
    return bad;
}

ct_status ct_plan_take_versioned_dlpack(const ct_dl_tensor *dst, ct_dl_versioned *src,
                                        char message[CT_MESSAGE_BYTES])
{
    ct_dl_tensor *tensor;
    ct_status bad = ct_plan_open_dlpack(src, 0, &tensor, message);
    if (!bad) bad = ct_plan_copy_dlpack(dst, tensor, message);
    if (src->deleter) src->deleter(src); /* at its place in any version */
    return bad;
}

/* A tensor that was given away, of either kind, and the memory released with it. */
typedef struct given_tensor {
    ct_dl_managed managed;
    ct_dl_versioned versioned;
    void *owner;
    void (*release)(void *owner);
    int64_t shape[CT_MAX_LEAVES], strides[CT_MAX_LEAVES];
} given_tensor;

static void release(given_tensor *g)
{
    if (g->release) g->release(g->owner);
    free(g);
}

static void delete_managed(ct_dl_managed *self) { release(self->manager_ctx); }
static void delete_versioned(ct_dl_versioned *self) { release(self->manager_ctx); }

static ct_status make_given(const ct_plan_side *side, void *at, void *owner,
                            void (*release_owner)(void *), given_tensor **out, char *message)
{
    given_tensor *const g = calloc(1, sizeof *g);
    if (!g) return ct_refuse(message, CT_E_MEMORY, "not enough memory for a tensor");
    const ct_status bad =
        ct_plan_side_to_dlpack(side, at, &g->managed.tensor, g->shape, g->strides, message);
    if (bad) {
        free(g);
        return bad;
    }
    g->owner = owner;
    g->release = release_owner;
    g->versioned.tensor = g->managed.tensor;
    *out = g;
    return CT_OK;
}

ct_status ct_plan_give_dlpack(const ct_plan_side *side, void *at, void *owner,
                              void (*release_owner)(void *), ct_dl_managed **given,
                              char message[CT_MESSAGE_BYTES])
{
    given_tensor *g = NULL;
    const ct_status bad = make_given(side, at, owner, release_owner, &g, message);
    *given = NULL;
    if (bad) return bad;
    g->managed.manager_ctx = g;
    g->managed.deleter = delete_managed;
    *given = &g->managed;
    return CT_OK;
}

ct_status ct_plan_give_versioned_dlpack(const ct_plan_side *side, void *at, uint64_t flags,
                                        void *owner, void (*release_owner)(void *),
                                        ct_dl_versioned **given, char message[CT_MESSAGE_BYTES])
{
    given_tensor *g = NULL;
    const ct_status bad = make_given(side, at, owner, release_owner, &g, message);
    *given = NULL;
    if (bad) return bad;
    g->versioned.major = CT_DL_MAJOR;
    g->versioned.minor = CT_DL_MINOR;
    g->versioned.flags = flags;
    g->versioned.manager_ctx = g;
    g->versioned.deleter = delete_versioned;
    *given = &g->versioned;
    return CT_OK;
}
