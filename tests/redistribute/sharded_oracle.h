/**
 * Sharded layouts by enumeration, and random ones. What a rank holds comes from the leaves of the
 * layout alone: each index of the mesh and of the local mode is tried.
 */
#ifndef CUTLET_TESTS_SHARDED_ORACLE_H
#define CUTLET_TESTS_SHARDED_ORACLE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cutlet/host/sharded.h>
#include "dice.h"

/** An element that a rank holds: its number in the tensor, the first mode fastest, and its place. */
typedef struct held_element {
    int64_t element, offset;
    int64_t coord[CT_SHARDED_MODES];
} held_element;

static inline int64_t tensor_size(const ct_sharded *s)
{
    int64_t size = 1;
    for (int d = 0; d < s->modes; ++d) size *= s->shape[d];
    return size;
}

/** Adds the steps of an index in leaves first .. last-1 to the coordinate. */
static inline void add_steps(const ct_layout *L, int first, int last, int64_t index, int64_t *coord)
{
    for (int i = first; i < last; ++i) {
        const int64_t k = index % L->shape[i];
        index /= L->shape[i];
        if (L->stride[i])
            coord[L->basis[i] == CT_INTEGER ? 0 : L->basis[i] - 1] += k * L->stride[i];
    }
}

/** Sets place[c] to how many of the coordinates that occur along mode d are below c. Returns how many
 *  occur. */
static inline int64_t places_along(const held_element *e, int64_t count, int d, int64_t n,
                                   int64_t *place)
{
    char seen[4096] = {0};
    int64_t below = 0;
    for (int64_t i = 0; i < count; ++i) seen[e[i].coord[d]] = 1;
    for (int64_t c = 0; c < n; ++c) {
        place[c] = below;
        below += seen[c];
    }
    return below;
}

/** What a rank holds. The caller frees *out. */
static inline int64_t held_by(const ct_sharded *s, int64_t rank, held_element **out)
{
    const ct_layout *const L = &s->layout;
    const int mesh = ct_mode(*L, 0).profile.leaves;
    const int64_t local = ct_size(ct_mode(*L, 1));
    held_element *const e = calloc((size_t)local + 1, sizeof *e);
    int64_t count = 0;
    *out = e;
    if (rank >= ct_size(ct_mode(*L, 0))) return 0;
    for (int64_t i = 0; i < local; ++i) {
        int64_t coord[CT_SHARDED_MODES] = {0}, weight = 1;
        int inside = 1;
        add_steps(L, 0, mesh, rank, coord);
        add_steps(L, mesh, L->profile.leaves, i, coord);
        for (int d = 0; d < s->modes; ++d) inside &= coord[d] < s->shape[d];
        if (!inside) continue;
        held_element *const h = &e[count++];
        memcpy(h->coord, coord, sizeof coord);
        h->offset = i;
        h->element = 0;
        for (int d = 0; d < s->modes; weight *= s->shape[d++]) h->element += coord[d] * weight;
    }
    if (s->memory == CT_MEMORY_LOCAL) return count;
    int64_t next = 1;
    for (int64_t i = 0; i < count; ++i) e[i].offset = 0;
    for (int k = 0; k < s->modes; ++k) {
        const int d = s->memory == CT_MEMORY_COLUMNS ? k : s->modes - 1 - k;
        int64_t place[4096];
        const int64_t extent = places_along(e, count, d, s->shape[d], place);
        const int64_t step = s->memory == CT_MEMORY_STRIDES ? s->stride[d] : next;
        for (int64_t i = 0; i < count; ++i) e[i].offset += place[e[i].coord[d]] * step;
        next *= extent;
    }
    return count;
}

typedef struct random_leaf {
    int64_t extent, step;
    int mode, is_mesh; /* mode -1: replicated */
} random_leaf;

/** Puts a leaf at a random place of a list. */
static inline void put_leaf(dice *d, random_leaf *list, int *count, int from, random_leaf leaf)
{
    const int at = (int)dice_int(d, from, *count);
    memmove(list + at + 1, list + at, (size_t)(*count - at) * sizeof *list);
    list[at] = leaf;
    ++*count;
}

/** The leaves of an extent: cut into random factors. */
static inline int64_t some_factor(dice *d, int64_t n)
{
    for (int tries = 0; tries < 8; ++tries) {
        const int64_t f = dice_int(d, 2, n);
        if (n % f == 0) return f;
    }
    return n;
}

static inline void write_leaves(char *text, const random_leaf *leaf, int count, int is_mesh,
                                int strides)
{
    int first = 1;
    strcat(text, "(");
    for (int i = 0; i < count; ++i) {
        if (leaf[i].is_mesh != is_mesh) continue;
        char *const end = text + strlen(text);
        if (!strides) sprintf(end, "%s%lld", first ? "" : ",", (long long)leaf[i].extent);
        else if (leaf[i].mode < 0) sprintf(end, "%s0", first ? "" : ",");
        else sprintf(end, "%s%lld@%d", first ? "" : ",", (long long)leaf[i].step, leaf[i].mode);
        first = 0;
    }
    if (first) strcat(text, strides ? "0" : "1");
    strcat(text, ")");
}

/** A random sharded layout of a tensor over this many ranks, as text: any digits of any mode on the mesh
 *  or local, in any order, uneven and empty shards, replicated mesh modes. */
static inline void random_sharded(dice *d, const int64_t *shape, int modes, int64_t ranks,
                                  char text[1024])
{
    random_leaf all[64];
    int count = 0;
    int64_t factor[32];
    int factors = 0;
    for (int64_t left = ranks; left > 1; left /= factor[factors++])
        factor[factors] = some_factor(d, left);
    int mode_of[32];
    for (int i = 0; i < factors; ++i) {
        mode_of[i] = (int)dice_int(d, dice_int(d, 0, 3) ? 0 : -1, modes - 1);
        if (mode_of[i] < 0) put_leaf(d, all, &count, 0, (random_leaf){factor[i], 0, -1, 1});
    }
    for (int m = 0; m < modes; ++m) {
        random_leaf own[32];
        int digits = 0;
        int64_t cover = 1;
        for (int i = 0; i < factors; ++i) {
            if (mode_of[i] != m) continue;
            put_leaf(d, own, &digits, 0, (random_leaf){factor[i], 0, m, 1});
            cover *= factor[i];
        }
        while (digits < 4 && cover < shape[m] && dice_int(d, 0, 1)) {
            const int64_t e = dice_int(d, 2, 4);
            put_leaf(d, own, &digits, 0, (random_leaf){e, 0, m, 0});
            cover *= e;
        }
        put_leaf(d, own, &digits, 0, (random_leaf){(shape[m] + cover - 1) / cover, 0, m, 0});
        int64_t step = 1;
        for (int i = 0; i < digits; ++i) {
            own[i].step = step;
            step *= own[i].extent;
            put_leaf(d, all, &count, 0, own[i]);
        }
    }
    strcpy(text, "(");
    write_leaves(text, all, count, 1, 0);
    strcat(text, ",");
    write_leaves(text, all, count, 0, 0);
    strcat(text, "):(");
    write_leaves(text, all, count, 1, 1);
    strcat(text, ",");
    write_leaves(text, all, count, 0, 1);
    strcat(text, ")");
    const int memory = (int)dice_int(d, 0, 3);
    if (memory == CT_MEMORY_STRIDES) { /* padded rows, the modes in a random order */
        int64_t stride[CT_SHARDED_MODES] = {0}, next = dice_int(d, 1, 2);
        int order[CT_SHARDED_MODES];
        for (int m = 0; m < modes; ++m) {
            const int at = (int)dice_int(d, 0, m);
            order[m] = order[at];
            order[at] = m;
        }
        for (int m = 0; m < modes; ++m) {
            stride[order[m]] = next;
            next = next * shape[order[m]] + dice_int(d, 0, 3);
        }
        strcat(text, "/(");
        for (int m = 0; m < modes; ++m)
            sprintf(text + strlen(text), "%s%lld", m ? "," : "", (long long)stride[m]);
        strcat(text, ")");
    } else
        strcat(text, memory == CT_MEMORY_ROWS      ? "/c"
                     : memory == CT_MEMORY_COLUMNS ? "/f"
                                                   : "/local");
}

/** A random tensor: rank 1 to 5, at most `most` elements. */
static inline int random_shape(dice *d, int64_t most, int64_t shape[CT_SHARDED_MODES])
{
    const int modes = (int)dice_int(d, 1, 5);
    for (int m = 0; m < modes; ++m) {
        shape[m] = dice_int(d, 1, modes == 1 ? 200 : modes == 2 ? 30 : 9);
        if (shape[m] > most) shape[m] = most;
        most /= shape[m];
    }
    return modes;
}

/** A random sharded layout that the library accepts; its text is in `text`. */
static inline ct_sharded any_sharded(dice *d, const int64_t *shape, int modes, int64_t ranks,
                                     char text[1024])
{
    for (;;) {
        ct_sharded s;
        char message[CT_MESSAGE_BYTES];
        ct_tuple extents = CT_ZERO;
        extents.profile = ct_profile_flat(modes);
        for (int m = 0; m < modes; ++m) extents.value[m] = shape[m];
        random_sharded(d, shape, modes, ranks, text);
        const ct_status bad = ct_parse_sharded(text, extents, ct_tuple0(), &s, message);
        if (bad == CT_OK) return s;
        if (!strstr(message, "leaves")) { /* those that have too many are thrown away */
            printf("# %s: %s\n", text, message);
            abort();
        }
    }
}

#endif
