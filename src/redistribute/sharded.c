/* Sharded layouts: checks, and where a rank holds what. */
#include <string.h>

#include "axes.h"
#include "base/refuse.h"
#include <cutlet/algebra/profile.h>

/* The most elements, of the tensor and of memory: bytes and products with extents then fit in 64 bits. */
static const int64_t MOST = INT64_MAX / 64;

/* A leaf of the layout becomes a digit of the axis that it steps along, or a replicated mode. */
static ct_status take_leaf(const ct_layout *L, int i, int is_mesh, int64_t weight, ct_axes *out,
                           char *message)
{
    const ct_axis_digit digit = {L->shape[i], L->stride[i], is_mesh, weight, weight};
    if (L->shape[i] == 1) return CT_OK;
    if (L->stride[i] == 0 && is_mesh) {
        out->copy[out->copies++] = digit;
        out->holders *= L->shape[i];
        return CT_OK;
    }
    if (L->stride[i] == 0)
        return ct_refuse(message, CT_E_ARGUMENT,
                         "local leaf %d has stride 0: a rank would hold elements %lld times", i,
                         (long long)L->shape[i]);
    const int64_t mode =
        L->basis[i] == CT_INTEGER && out->modes == 1 ? 0 : (int64_t)L->basis[i] - 1;
    if (L->basis[i] == CT_INTEGER && out->modes > 1)
        return ct_refuse(message, CT_E_ARGUMENT,
                         "leaf %d has the stride %lld, which names no mode of the tensor; write "
                         "%lld@D for a step along mode D",
                         i, (long long)L->stride[i], (long long)L->stride[i]);
    if (mode < 0 || mode >= out->modes)
        return ct_refuse(message, CT_E_ARGUMENT,
                         "leaf %d steps along a mode that is not there; the tensor has %d modes", i,
                         out->modes);
    if (L->stride[i] < 0)
        return ct_refuse(message, CT_E_ARGUMENT, "leaf %d has the stride %lld; it is positive", i,
                         (long long)L->stride[i]);
    ct_axis *const a = &out->axis[mode];
    int at = a->digits++;
    for (; at > 0 && a->digit[at - 1].step > digit.step; --at) a->digit[at] = a->digit[at - 1];
    a->digit[at] = digit;
    return CT_OK;
}

static ct_status take_leaves(const ct_sharded *s, ct_axes *out, char *message)
{
    const ct_layout *const L = &s->layout;
    if (L->err.status) return ct_refuse_error(message, L->err);
    if (ct_layout_rank(*L) != 2 || ct_profile_is_integer(L->profile))
        return ct_refuse(message, CT_E_ARGUMENT,
                         "a sharded layout has two modes, the mesh and what is local; this has %d",
                         ct_layout_rank(*L));
    const int mesh_leaves = ct_mode(*L, 0).profile.leaves;
    int64_t weight = 1;
    int ok = 1;
    for (int i = 0; i < L->profile.leaves; ++i) {
        if (i == mesh_leaves) out->ranks = weight, weight = 1;
        const ct_status bad = take_leaf(L, i, i < mesh_leaves, weight, out, message);
        if (bad) return bad;
        weight = ct_mul(weight, L->shape[i], &ok);
        if (!ok || weight > MOST)
            return ct_refuse(message, CT_E_OVERFLOW,
                             "a mode of the layout has more than 2^57 - 1 coordinates");
    }
    if (out->ranks > CT_SHARDED_RANKS)
        return ct_refuse(message, CT_E_ARGUMENT, "%lld ranks; a mesh has up to %d",
                         (long long)out->ranks, CT_SHARDED_RANKS);
    return CT_OK;
}

/* The digits of mode d have to be those of a number: no gaps, no overlaps, n coordinates at least. */
static ct_status check_axis(ct_axis *a, int d, char *message)
{
    int64_t below = 1, weight = 1, keys = 1;
    int ok = 1;
    for (int i = 0; i < a->digits; ++i) {
        ct_axis_digit *const digit = &a->digit[i];
        if (digit->step != below)
            return ct_refuse(message, CT_E_ARGUMENT,
                             "mode %d: stride %lld follows leaves that cover %lld coordinates; %s",
                             d, (long long)digit->step, (long long)below,
                             digit->step < below ? "elements would be held twice"
                                                 : "those between would be held nowhere");
        if (digit->is_mesh) {
            digit->key = keys;
            keys *= digit->extent; /* at most the ranks */
        } else {
            digit->weight = weight;
            weight = ct_mul(weight, digit->extent, &ok);
        }
        below = ct_mul(below, digit->extent, &ok);
    }
    if (!ok) return ct_refuse(message, CT_E_OVERFLOW, "mode %d: the leaves overflow 64 bits", d);
    if (below < a->n)
        return ct_refuse(message, CT_E_ARGUMENT,
                         "mode %d: the leaves cover %lld of its %lld coordinates", d,
                         (long long)below, (long long)a->n);
    a->keys = keys;
    return CT_OK;
}

/* Sorted strides of memory have to exceed the extent of the modes before them. */
static ct_status check_strides(const ct_sharded *s, const ct_axes *a, char *message)
{
    int taken[CT_SHARDED_MODES] = {0};
    int64_t reach = 0;
    int ok = 1;
    for (int k = 0; k < a->modes; ++k) {
        int least = -1;
        for (int d = 0; d < a->modes; ++d)
            if (!taken[d] && (least < 0 || s->stride[d] < s->stride[least])) least = d;
        taken[least] = 1;
        const int64_t count = ct_axis_count(&a->axis[least], 0);
        if (count <= 1) continue;
        if (s->stride[least] <= reach)
            return ct_refuse(
                message, CT_E_ARGUMENT,
                "mode %d has stride %lld in memory, and those of smaller strides reach "
                "to %lld: two elements would lie at one offset",
                least, (long long)s->stride[least], (long long)reach);
        reach = ct_add(reach, ct_mul(s->stride[least], count - 1, &ok), &ok);
    }
    return ok && reach <= MOST ? CT_OK
                               : ct_refuse(message, CT_E_OVERFLOW,
                                           "the strides reach beyond element 2^57 - 1 of memory");
}

ct_status ct_axes_of(const ct_sharded *s, ct_axes *out, char *message)
{
    memset(out, 0, sizeof *out);
    if (s->modes < 1 || s->modes > CT_SHARDED_MODES)
        return ct_refuse(message, CT_E_ARGUMENT, "a tensor of %d modes; it has 1 to %d", s->modes,
                         CT_SHARDED_MODES);
    if (s->memory < 0 || s->memory >= CT_MEMORY_COUNT)
        return ct_refuse(message, CT_E_ARGUMENT, "there is no order of memory %d", s->memory);
    out->modes = s->modes;
    out->memory = s->memory;
    out->holders = 1;
    int64_t size = 1;
    int ok = 1;
    for (int d = 0; d < s->modes; ++d) {
        out->axis[d].n = s->shape[d];
        out->stride[d] = s->stride[d];
        if (s->shape[d] < 1)
            return ct_refuse(message, CT_E_ARGUMENT,
                             "mode %d has shape %lld; a shape is at least 1", d,
                             (long long)s->shape[d]);
        size = ct_mul(size, s->shape[d], &ok);
    }
    if (!ok || size > MOST)
        return ct_refuse(message, CT_E_OVERFLOW, "the tensor has more than 2^57 - 1 elements");
    ct_status bad = take_leaves(s, out, message);
    for (int d = 0; d < s->modes && !bad; ++d) bad = check_axis(&out->axis[d], d, message);
    if (!bad && s->memory == CT_MEMORY_STRIDES) bad = check_strides(s, out, message);
    return bad;
}

ct_status ct_sharded_check(const ct_sharded *s, char message[CT_MESSAGE_BYTES])
{
    ct_axes axes;
    return ct_axes_of(s, &axes, message);
}

int64_t ct_axis_key(const ct_axis *a, int64_t rank)
{
    int64_t key = 0;
    for (int i = 0; i < a->digits; ++i) {
        const ct_axis_digit *const d = &a->digit[i];
        if (d->is_mesh) key += rank / d->weight % d->extent * d->key;
    }
    return key;
}

int64_t ct_axis_first(const ct_axis *a, int64_t key)
{
    int64_t first = 0;
    for (int i = 0; i < a->digits; ++i) {
        const ct_axis_digit *const d = &a->digit[i];
        if (d->is_mesh) first += key / d->key % d->extent * d->step;
    }
    return first;
}

/* From the largest digit down: values below the digit of n leave all smaller digits free. */
int64_t ct_axis_count(const ct_axis *a, int64_t key)
{
    int64_t count = 0, left = a->n;
    for (int i = a->digits - 1; i >= 0; --i) {
        const ct_axis_digit *const d = &a->digit[i];
        const int64_t whole = left / d->step;
        if (d->is_mesh) {
            const int64_t own = key / d->key % d->extent;
            if (own > whole) return count;
            if (own == whole) {
                left %= d->step;
                continue;
            }
            int64_t free = 1;
            for (int k = 0; k < i; ++k)
                if (!a->digit[k].is_mesh) free *= a->digit[k].extent;
            return count + free;
        }
        count += ct_min(whole, d->extent) * d->weight;
        if (whole >= d->extent) return count;
        left %= d->step;
    }
    return count + (left > 0); /* an axis without digits has one coordinate */
}

int64_t ct_axes_rank(const ct_axes *a, const int64_t *keys, int64_t copy)
{
    int64_t rank = 0;
    for (int m = 0; m < a->modes; ++m)
        for (int i = 0; i < a->axis[m].digits; ++i) {
            const ct_axis_digit *const d = &a->axis[m].digit[i];
            if (d->is_mesh) rank += keys[m] / d->key % d->extent * d->weight;
        }
    for (int i = 0; i < a->copies; ++i) {
        rank += copy % a->copy[i].extent * a->copy[i].weight;
        copy /= a->copy[i].extent;
    }
    return rank;
}

int64_t ct_axes_copy(const ct_axes *a, int64_t rank)
{
    int64_t copy = 0, weight = 1;
    for (int i = 0; i < a->copies; ++i) {
        copy += rank / a->copy[i].weight % a->copy[i].extent * weight;
        weight *= a->copy[i].extent;
    }
    return copy;
}

void ct_axes_steps(const ct_axes *a, int64_t rank, int64_t step[CT_SHARDED_MODES])
{
    int64_t next = 1;
    for (int k = 0; k < a->modes; ++k) {
        const int d = a->memory == CT_MEMORY_COLUMNS ? k : a->modes - 1 - k;
        if (a->memory == CT_MEMORY_LOCAL) step[d] = 1;
        else if (a->memory == CT_MEMORY_STRIDES) step[d] = a->stride[d];
        else {
            step[d] = next;
            next *= ct_axis_count(&a->axis[d], ct_axis_key(&a->axis[d], rank));
        }
    }
}

int64_t ct_sharded_ranks(const ct_sharded *s) { return ct_size(ct_mode(s->layout, 0)); }

int64_t ct_sharded_holders(const ct_sharded *s)
{
    ct_axes a;
    return ct_axes_of(s, &a, NULL) ? 0 : a.holders;
}

void ct_sharded_extents(const ct_sharded *s, int64_t rank, int64_t extent[CT_SHARDED_MODES])
{
    ct_axes a;
    memset(extent, 0, CT_SHARDED_MODES * sizeof *extent);
    if (ct_axes_of(s, &a, NULL) || rank < 0 || rank >= a.ranks) return;
    for (int d = 0; d < a.modes; ++d)
        extent[d] = ct_axis_count(&a.axis[d], ct_axis_key(&a.axis[d], rank));
}

int64_t ct_sharded_elems(const ct_sharded *s, int64_t rank)
{
    int64_t extent[CT_SHARDED_MODES], elems = s->modes > 0;
    ct_sharded_extents(s, rank, extent);
    for (int d = 0; d < s->modes && d < CT_SHARDED_MODES; ++d) elems *= extent[d];
    return elems;
}

/* The largest index in the local mode, of the coordinates below n that a key holds: there is one. */
static int64_t largest_local(const ct_axis *a, int64_t key)
{
    int64_t most = 0, above = 0, left = a->n;
    for (int i = a->digits - 1; i >= 0; --i) {
        const ct_axis_digit *const d = &a->digit[i];
        const int64_t whole = left / d->step;
        const int64_t own = d->is_mesh ? key / d->key % d->extent : ct_min(whole, d->extent) - 1;
        if (own >= 0 && own < whole) { /* then all below are free */
            int64_t free = above + (d->is_mesh ? 0 : own * d->key);
            for (int k = 0; k < i; ++k)
                if (!a->digit[k].is_mesh) free += (a->digit[k].extent - 1) * a->digit[k].key;
            most = ct_max(most, free);
        }
        if (d->is_mesh ? own != whole : whole >= d->extent) return most;
        if (!d->is_mesh) above += whole * d->key;
        left %= d->step;
    }
    return most;
}

int64_t ct_sharded_span(const ct_sharded *s, int64_t rank)
{
    ct_axes a;
    int64_t step[CT_SHARDED_MODES], last = 0;
    if (ct_axes_of(s, &a, NULL) || rank < 0 || rank >= a.ranks) return 0;
    ct_axes_steps(&a, rank, step);
    for (int d = 0; d < a.modes; ++d) {
        const int64_t key = ct_axis_key(&a.axis[d], rank);
        const int64_t count = ct_axis_count(&a.axis[d], key);
        if (count == 0) return 0;
        last +=
            a.memory == CT_MEMORY_LOCAL ? largest_local(&a.axis[d], key) : (count - 1) * step[d];
    }
    return last + 1;
}

int64_t ct_sharded_offset(const ct_sharded *s, int64_t rank, const int64_t coord[CT_SHARDED_MODES])
{
    ct_axes a;
    int64_t step[CT_SHARDED_MODES], offset = 0;
    if (ct_axes_of(s, &a, NULL) || rank < 0 || rank >= a.ranks) return -1;
    ct_axes_steps(&a, rank, step);
    for (int m = 0; m < a.modes; ++m) {
        if (coord[m] < 0 || coord[m] >= a.axis[m].n) return -1;
        for (int i = 0; i < a.axis[m].digits; ++i) {
            const ct_axis_digit *const d = &a.axis[m].digit[i];
            const int64_t value = coord[m] / d->step % d->extent;
            if (d->is_mesh && value != rank / d->weight % d->extent) return -1;
            if (!d->is_mesh) offset += value * ct_axes_weight(&a, d) * step[m];
        }
    }
    return offset;
}
