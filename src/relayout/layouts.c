/* Where the elements of an array are in memory, as the command line names it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "cutlet/host/text.h"
#include "job.h"

#define WRONG(...) ct_one_line(error, CT_MESSAGE_BYTES, __VA_ARGS__)

/* Rows of tiles, or columns of them: all whole ones, or the one that is shorter. */
typedef struct band {
    int64_t extent, count, first; /* of each tile; tiles; the tile that they begin with */
} band;

/* The bands of one mode of an array; returns their number. */
static int bands_of(int64_t extent, int64_t tile, band bands[2])
{
    int n = 0;
    if (extent >= tile) bands[n++] = (band){tile, extent / tile, 0};
    if (extent % tile != 0) bands[n++] = (band){extent % tile, 1, extent / tile};
    return n;
}

/* The row-major tiles of a matrix, one after another in row-major order. Where they reach over the edge
 * there is room for a whole tile all the same. */
static int read_tiled(const char *text, ct_relayout_job *j, int64_t *elems, char *error)
{
    const ct_npy *const a = &j->array;
    int64_t extent[2];
    int ok = 1;
    band down[2], across[2];
    if (ct_numbers_read(text, 'x', 2, 1, INT64_MAX, extent))
        return WRONG("tiled:%.40s is no tile; it is as tiled:128x64", text);
    const int64_t r = extent[0], c = extent[1];
    if (a->rank != 2) return WRONG("tiled:%.40s is for matrices; the rank is %d", text, a->rank);
    const int64_t tile = ct_mul(r, c, &ok), wide = ct_ceil_div_int(a->shape[1], c);
    *elems = ct_mul(ct_mul(tile, wide, &ok), ct_ceil_div_int(a->shape[0], r), &ok);
    ct_mul(*elems, 16, &ok);
    if (!ok) return WRONG("tiled:%.40s: the tiles have more bytes than 63 bits count", text);
    const ct_layout L = ct_npy_layout(a);
    const int n = bands_of(a->shape[0], r, down), m = bands_of(a->shape[1], c, across);
    for (int i = 0; i < n * m; ++i) {
        const band v = down[i / m], h = across[i % m];
        ct_relayout_part *const p = &j->part[j->parts++];
        p->array = ct_make_layout2(ct_layout2(v.extent, v.count, L.stride[0], r * L.stride[0]),
                                   ct_layout2(h.extent, h.count, L.stride[1], c * L.stride[1]));
        p->memory = ct_make_layout2(ct_layout2(v.extent, v.count, c, wide * tile),
                                    ct_layout2(h.extent, h.count, 1, tile));
        p->array_at = v.first * r * L.stride[0] + h.first * c * L.stride[1];
        p->memory_at = (v.first * wide + h.first) * tile;
    }
    return 0;
}

/* A layout as text, or a swizzle of the array in C order. */
static int read_tensor(const char *name, const ct_npy *a, ct_tensor *out, char *error)
{
    int64_t n[3]; /* bits, base, shift */
    ct_npy rows = *a;
    ct_diag diag;
    rows.fortran = 0;
    if (strncmp(name, "swizzled:", 9) == 0) {
        if (ct_numbers_read(name + 9, ',', 3, -62, 62, n))
            return WRONG("%.60s is not a swizzle; it is as swizzled:3,3,3, numbers of -62 to 62",
                         name);
        *out = ct_make_swizzled(ct_make_swizzle((int)n[0], (int)n[1], (int)n[2]), 0,
                                ct_npy_layout(&rows));
    } else if (strncmp(name, "Sw<", 3) == 0) {
        if (ct_parse_tensor(name, out, &diag)) return WRONG("%.60s: %s", name, diag.message);
    } else {
        ct_layout L;
        if (ct_parse_layout(name, &L, &diag)) return WRONG("%.60s: %s", name, diag.message);
        *out = ct_make_tensor(L);
    }
    return 0;
}

/* How far a layout reaches, where elements do not meet if they are to be written. */
static int check_reach(const char *name, const ct_relayout_job *j, const ct_tensor *c, int64_t *elems,
                       char *error)
{
    char why[CT_MESSAGE_BYTES];
    int64_t size = 0;
    ct_plan_span span;
    ct_plan_side side = ct_plan_side_raw(c->layout, j->flat.elem_bytes);
    side.memory = *c;
    if (ct_plan_check_side(&side, "layout", &size, why) ||
        ct_plan_span_of(&side, "layout", &span, why) ||
        (j->forward && ct_plan_injective(c->layout, why)))
        return WRONG("%s", why);
    if (size != j->array.size)
        return WRONG("%.60s has %lld elements, the array %lld", name, (long long)size,
                     (long long)j->array.size);
    if (span.low < 0)
        return WRONG("%.60s reaches offset %lld; in a file offsets begin at 0", name,
                     (long long)(span.low / side.elem_bytes));
    *elems = span.high / side.elem_bytes;
    return 0;
}

int ct_relayout_parts(const char *name, ct_relayout_job *j, int64_t *elems, char *error)
{
    char why[CT_MESSAGE_BYTES];
    ct_tensor c;
    const ct_layout array = ct_npy_layout(&j->array);
    j->parts = 0;
    j->swizzle = ct_swizzle_none();
    if (array.err.status) {
        ct_error_message(array.err, why, sizeof why);
        return WRONG("the array: %s", why);
    }
    if (strncmp(name, "tiled:", 6) == 0) return read_tiled(name + 6, j, elems, error);
    if (read_tensor(name, &j->array, &c, error)) return -1;
    if (c.layout.err.status) {
        ct_error_message(c.layout.err, why, sizeof why);
        return WRONG("%.60s: %s", name, why);
    }
    if (check_reach(name, j, &c, elems, error)) return -1;
    j->swizzle = c.swizzle;
    j->parts = 1;
    j->part[0] = (ct_relayout_part){array, c.layout, 0, c.offset.value[0]};
    return 0;
}
