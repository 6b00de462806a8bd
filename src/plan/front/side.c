/* The sides of a copy, and their checks. */
#include <string.h>

#include <cutlet/algebra/tensor_ops.h>
#include <cutlet/host/text.h>
#include "plan.h"

int32_t ct_type_bytes(int32_t type)
{
    static const int32_t bytes[CT_TYPE_COUNT] = {0, 2, 2, 4, 8, 1};
    return type >= 0 && type < CT_TYPE_COUNT ? bytes[type] : 0;
}

ct_plan_side ct_plan_side_of(ct_layout layout, int32_t type)
{
    ct_plan_side side;
    memset(&side, 0, sizeof side);
    side.memory = ct_make_tensor(layout);
    side.type = type;
    side.elem_bytes = ct_type_bytes(type);
    return side;
}

ct_plan_side ct_plan_side_raw(ct_layout layout, int32_t elem_bytes)
{
    ct_plan_side side = ct_plan_side_of(layout, CT_TYPE_RAW);
    side.elem_bytes = elem_bytes;
    return side;
}

/* Whether the layout has an extent of 0: as an error of ct_make_layout, or set by hand. */
static int is_empty(const ct_layout *L)
{
    if (L->err.status) return L->err.why == CT_WHY_SHAPE && L->err.n[0] == 0;
    for (int i = 0; i < L->profile.leaves; ++i)
        if (L->shape[i] == 0) return 1;
    return 0;
}

static ct_status check_type(ct_plan_side *s, const char *name, char *message)
{
    const int32_t known = ct_type_bytes(s->type);
    if (s->type < 0 || s->type >= CT_TYPE_COUNT)
        return ct_refuse(message, CT_E_ARGUMENT, "%s: there is no element type %d", name, s->type);
    if (known && s->elem_bytes && s->elem_bytes != known)
        return ct_refuse(message, CT_E_ARGUMENT, "%s: elements of %d bytes, but its type has %d",
                         name, s->elem_bytes, known);
    if (known) s->elem_bytes = known;
    if (s->elem_bytes < 1 || s->elem_bytes > 16)
        return ct_refuse(message, CT_E_ARGUMENT, "%s: elements of %d bytes; they have 1 to 16",
                         name, s->elem_bytes);
    const int64_t own = s->elem_bytes & -s->elem_bytes;
    if (s->align_bytes == 0) s->align_bytes = own;
    if (s->align_bytes < 0 || (s->align_bytes & (s->align_bytes - 1)) != 0)
        return ct_refuse(message, CT_E_ARGUMENT,
                         "%s: an alignment of %lld bytes is not a power of two", name,
                         (long long)s->align_bytes);
    s->align_bytes = ct_max(s->align_bytes, own);
    return CT_OK;
}

ct_status ct_plan_check_side(ct_plan_side *s, const char *name, int64_t *size, char *message)
{
    ct_layout *const L = &s->memory.layout;
    char why[CT_MESSAGE_BYTES];
    const ct_status bad = check_type(s, name, message);
    if (bad) return bad;
    *size = 0;
    if (is_empty(L)) return CT_OK;
    ct_error e = s->memory.swizzle.err.status ? s->memory.swizzle.err
                                              : ct_layout_check(L, CT_OP_MAKE_LAYOUT);
    if (!e.status && s->memory.swizzle.bits > 0) e = ct_tensor_check(&s->memory);
    if (e.status) {
        ct_error_message(e, why, sizeof why);
        return ct_refuse(message, CT_E_ARGUMENT, "%s: %s", name, why);
    }
    if (!ct_offset_is_integer(&s->memory.offset))
        return ct_refuse(message, CT_E_ARGUMENT,
                         "%s: it begins at a coordinate; a copy needs an integer", name);
    for (int i = 0; i < L->profile.leaves; ++i)
        if (L->basis[i] != CT_INTEGER)
            return ct_refuse(message, CT_E_ARGUMENT,
                             "%s: mode %d has a basis stride; a copy needs integers", name, i);
    *size = ct_size(*L);
    return CT_OK;
}

ct_status ct_plan_span_of(const ct_plan_side *s, const char *name, ct_plan_span *span,
                          char *message)
{
    const ct_tensor *const c = &s->memory;
    int ok = 1;
    int64_t low = ct_add(c->offset.value[0], ct_lowest(c->layout), &ok);
    int64_t high = ct_add(low, ct_cosize(c->layout) - 1, &ok); /* the last element */
    if (ok && c->swizzle.bits > 0) { /* full periods, or the exact end if it is known */
        const ct_tuple exact = ct_tensor_cosize(*c);
        const int64_t period = (ct_swizzle_source(c->swizzle) | ct_swizzle_target(c->swizzle)) + 1;
        const int64_t round = (int64_t)1 << (64 - __builtin_clzll((uint64_t)period));
        low = low / round * round;
        high = ct_add(high / round * round, round - 1, &ok);
        if (!exact.err.status) high = exact.value[0] - 1;
    }
    span->low = ct_mul(low, s->elem_bytes, &ok);
    span->high = ct_mul(ct_add(high, 1, &ok), s->elem_bytes, &ok);
    if (ok && span->low > INT64_MIN / 2 && span->high < INT64_MAX / 2) return CT_OK;
    return ct_refuse(message, CT_E_ARGUMENT,
                     "%s: offsets of %lld to %lld elements of %d bytes are 2^62 bytes away or more",
                     name, (long long)low, (long long)high, s->elem_bytes);
}
