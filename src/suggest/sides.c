/* A side of global memory, index by index: the place of a tile, and its access widths. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <cutlet/host/text.h>

#include "suggest.h"

/* The modulus of all that matters of an address: of a sector, and of the widest access. */
static int64_t grain(const ct_suggest_query *query)
{
    return ct_suggest_rules(query)->sector_bytes;
}

/* The tensor without partial tiles: plain modes end at their last full tile. */
static ct_layout whole_tiles(ct_layout whole, const int64_t tile[2])
{
    if (whole.err.status || ct_layout_rank(whole) != 2) return whole;
    for (int k = 0; k < 2; ++k) {
        const ct_span span = ct_profile_mode_span(whole.profile, k);
        const int64_t extent = whole.shape[span.first];
        if (span.count == 1 && extent > tile[k])
            whole.shape[span.first] = extent - extent % tile[k];
    }
    return whole;
}

/* Adds to the shifts of a side what `n` steps of `stride` bytes reach, modulo the grain. */
static void add_shifts(suggest_side *side, int64_t grain_bytes, int64_t n, int64_t stride)
{
    int held[SUGGEST_SHIFTS] = {0};
    for (int i = 0; i < side->shifts; ++i) {
        for (int64_t k = 0; k < n && k < grain_bytes; ++k) {
            const int64_t at = (side->shift[i] + k * (stride % grain_bytes)) % grain_bytes;
            held[(at + grain_bytes) % grain_bytes] = 1;
        }
    }
    side->shifts = 0;
    for (int at = 0; at < grain_bytes; ++at) {
        if (held[at]) side->shift[side->shifts++] = at;
    }
}

/* Every run of 2^level indices along a mode is contiguous and, for any placement of the tile,
 * aligned. */
static int allows(const suggest_side *side, const ct_suggest_query *q, int along, int level)
{
    const int64_t extent[2] = {q->tile_m, q->tile_n}, step[2] = {1, q->tile_m};
    const int64_t run = (int64_t)1 << level, bytes = run * suggest_elem_bytes(q);
    if (bytes > SUGGEST_ACCESS_BYTES || extent[along] % run != 0) return 0;
    for (int64_t other = 0; other < extent[!along]; ++other) {
        for (int64_t i = 0; i < extent[along]; ++i) {
            const int64_t at = side->at[other * step[!along] + i * step[along]];
            const int64_t before =
                i % run ? side->at[other * step[!along] + (i - 1) * step[along]] : 0;
            if (i % run == 0 ? at % bytes != 0 : at != before + suggest_elem_bytes(q)) return 0;
        }
    }
    for (int i = 0; i < side->shifts; ++i) {
        if (side->shift[i] % bytes != 0) return 0;
    }
    return 1;
}

void ct_suggest_find_levels(suggest_side *side, const ct_suggest_query *query)
{
    for (int along = 0; along < 2; ++along) {
        side->level[along] = 0;
        while (side->level[along] + 1 < SUGGEST_LEVELS &&
               allows(side, query, along, side->level[along] + 1))
            ++side->level[along];
    }
}

/* Fills side->at with the bytes of the tile at the origin, and the shifts of all others. */
static ct_status fill(suggest_side *side, const ct_suggest_query *q, ct_layout divided,
                      int64_t align_bytes)
{
    const int elem = suggest_elem_bytes(q);
    const ct_layout tile = ct_mode(divided, 0), rest = ct_mode(divided, 1);
    const int64_t grain_bytes = grain(q), size = suggest_size(q);
    side->at = malloc((size_t)size * sizeof *side->at);
    if (!side->at) return CT_E_MEMORY;
    int64_t lowest = 0;
    for (int64_t i = 0; i < size; ++i) {
        side->at[i] = ct_eval(tile, i) * elem;
        lowest = ct_min(lowest, side->at[i]);
    }
    /* None below 0; full lines, so that nothing else changes. */
    for (int64_t i = 0; i < size; ++i) side->at[i] += (-lowest + 1023) / 1024 * 1024;
    side->shifts = 1;
    side->shift[0] = 0;
    if (align_bytes < grain_bytes) add_shifts(side, grain_bytes, grain_bytes, align_bytes);
    CT_FOR(i, rest.profile.leaves)
    add_shifts(side, grain_bytes, rest.shape[i], rest.stride[i] * elem);
    ct_suggest_find_levels(side, q);
    return 0;
}

ct_status ct_suggest_global_side(suggest_side *side, const ct_suggest_query *query, ct_layout whole,
                                 int64_t align_bytes, const char *name,
                                 char message[CT_MESSAGE_BYTES])
{
    const int64_t tile[2] = {query->tile_m, query->tile_n};
    const int64_t align = align_bytes ? align_bytes : 256;
    char why[CT_MESSAGE_BYTES];
    if (whole.err.status == CT_OK && (ct_layout_rank(whole) != 2 || !ct_is_integral(whole)))
        return ct_refuse(message, CT_E_ARGUMENT,
                         "%s has %d modes; a matrix has two, with integer strides", name,
                         ct_layout_rank(whole));
    whole = whole_tiles(whole, tile);
    for (int k = 0; k < 2 && whole.err.status == CT_OK; ++k) {
        const int64_t extent = ct_size(ct_mode(whole, k));
        if (extent % tile[k] != 0)
            return ct_refuse(message, CT_E_ARGUMENT,
                             "mode %d of %s has %" PRId64 " elements, which a tile of "
                             "%" PRId64 " does not divide",
                             k, name, extent, tile[k]);
    }
    if (align < 1 || (align & (align - 1)) != 0 || align < suggest_elem_bytes(query))
        return ct_refuse(message, CT_E_ARGUMENT,
                         "%s is aligned to %" PRId64 " bytes; an element of %d bytes "
                         "needs a power of two of at least that",
                         name, align, suggest_elem_bytes(query));
    const ct_layout divided =
        ct_zipped_divide_by(whole, ct_tiler_of_shape(ct_tuple2(tile[0], tile[1])));
    if (divided.err.status) {
        ct_error_message(divided.err, why, sizeof why);
        return ct_refuse(message, divided.err.status, "%s does not fall into tiles: %.200s", name,
                         why);
    }
    const ct_status bad = fill(side, query, divided, align);
    return bad ? ct_refuse(message, bad, "out of memory") : CT_OK;
}
