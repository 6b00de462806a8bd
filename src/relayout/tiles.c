/* Arrays in tiles of any rank, row-major one after another in row-major order. A tile that reaches over
 * the edge has room for all its elements all the same.
 *
 * Along each mode there are full tiles, a shorter one at the end, or both. A box takes one of the
 * two along every mode, so there are at most 2^rank boxes. Each is made when it is copied. */
#include "base/number.h"
#include "job.h"

/* Tiles along one mode: all full ones, or the shorter one. */
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

/* The extents of a tile, as in 4x16x32. Returns how many; 0: it is not a tile. */
static int read_extents(const char *text, int64_t extent[CT_MAX_LEAVES])
{
    int rank = 1;
    for (const char *c = text; *c; ++c) rank += *c == 'x';
    return rank > CT_MAX_LEAVES || ct_numbers_read(text, 'x', rank, 1, INT64_MAX, extent) ? 0
                                                                                          : rank;
}

ct_status ct_relayout_read_tiles(const char *text, ct_relayout_job *j, int64_t *elems,
                                 char *message)
{
    const ct_npy *const a = &j->array;
    const int rank = read_extents(text, j->tile);
    band bands[2];
    int ok = 1;
    if (rank == 0)
        return ct_refuse(message, CT_E_ARGUMENT,
                         "tiled:%.60s is not a tile; it is as tiled:128x64, with an extent of at "
                         "least 1 for each of at most %d modes",
                         text, CT_MAX_LEAVES);
    if (rank != a->rank)
        return ct_refuse(message, CT_E_ARGUMENT,
                         "tiled:%.60s has %d extent%s, the array %d mode%s; a tile has one for "
                         "each",
                         text, rank, rank == 1 ? "" : "s", a->rank, a->rank == 1 ? "" : "s");
    *elems = 1;
    j->parts = 1;
    for (int k = 0; k < rank; ++k) {
        const int64_t tiles = ct_ceil_div_int(a->shape[k], j->tile[k]);
        *elems = ct_mul(*elems, ct_mul(j->tile[k], tiles, &ok), &ok);
        j->parts *= bands_of(a->shape[k], j->tile[k], bands);
    }
    ct_mul(*elems, 16, &ok);
    if (!ok)
        return ct_refuse(message, CT_E_ARGUMENT,
                         "tiled:%.60s: the tiles have more bytes than 63 bits count", text);
    return 0;
}

/* Adds a mode that leads `array` elements further in the array and `memory` in the tiles. */
static void add(const ct_relayout_job *j, ct_normal_form *f, int64_t extent, int64_t array,
                int64_t memory)
{
    const ct_normal_mode m = {extent, {j->forward ? memory : array, j->forward ? array : memory}};
    ct_normal_insert(f, m);
}

void ct_relayout_tile_box(const ct_relayout_job *j, int32_t part, ct_relayout_box *box)
{
    const ct_npy *const a = &j->array;
    const ct_layout L = ct_npy_layout(a);
    ct_normal_form f = {.sides = 2};
    int64_t inside = 1, across = 1, array_at = 0, memory_at = 0;
    for (int k = 0; k < a->rank; ++k) across *= j->tile[k];
    for (int k = a->rank - 1; k >= 0; --k) {
        band bands[2];
        const int n = bands_of(a->shape[k], j->tile[k], bands);
        const band b = bands[part % n];
        part /= n;
        add(j, &f, b.extent, L.stride[k], inside);
        if (b.count > 1) add(j, &f, b.count, j->tile[k] * L.stride[k], across);
        if (b.first > 0) {
            array_at += b.first * j->tile[k] * L.stride[k];
            memory_at += b.first * across;
        }
        inside *= j->tile[k];
        across *= ct_ceil_div_int(a->shape[k], j->tile[k]);
    }
    ct_normal_join(&f);
    box->src = j->forward ? array_at : memory_at;
    box->dst = j->forward ? memory_at : array_at;
    ct_relayout_set_modes(&f, box);
}
