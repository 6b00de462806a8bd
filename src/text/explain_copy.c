/* How swizzles, tiles, partitions and tiled copies get their results, step by step. */
#include <string.h>

#include <cutlet/algebra/partition.h>
#include <cutlet/copy/thread_values.h>
#include "explainer.h"

/* v in binary, with the digits of its bits and the swizzle's. */
static void binary(char *text, int64_t v, int digits)
{
    for (int i = 0; i < digits; ++i) text[i] = (char)('0' + ((v >> (digits - 1 - i)) & 1));
    text[digits] = '\0';
}

void ct_explain_swizzle(ct_explainer *x, ct_swizzle s, int64_t offset)
{
    char text[3][65];
    const int64_t source = ct_swizzle_source(s), target = ct_swizzle_target(s);
    int digits = 1;
    if (offset < 0) return;
    while (digits < 63 && (offset | source | target) >> digits != 0) ++digits;
    binary(text[0], offset, digits);
    binary(text[1], offset & source, digits);
    binary(text[2], ct_swizzle_apply(s, offset), digits);
    ct_say(x, "Sw<%d,%d,%d>: %d bits from bit %d are XORed into those from bit %d.", (int)s.bits,
           (int)s.base, (int)s.shift, (int)s.bits, (int)(s.base + ct_max(s.shift, 0)),
           (int)(s.base - ct_min(s.shift, 0)));
    ct_say(x, "offset     %s  %lld", text[0], (long long)offset);
    ct_say(x, "read       %s", text[1]);
    ct_say(x, "swizzled   %s  %lld", text[2], (long long)ct_swizzle_apply(s, offset));
}

void ct_explain_tiled_copy(ct_explainer *x, ct_copy_atom atom, ct_layout thr, ct_layout val)
{
    const int64_t threads = ct_size(thr), values = ct_size(val);
    ct_say(x, "thr maps (m,n) to a thread, val maps (m,n) to one of its values.");
    ct_say(x, "%lld threads with %lld values each; the atom takes %lld thread%s with %lld value%s.",
           (long long)threads, (long long)values, (long long)ct_atom_threads(atom),
           ct_atom_threads(atom) == 1 ? "" : "s", (long long)ct_atom_values(atom),
           ct_atom_values(atom) == 1 ? "" : "s");
    const ct_layout mn = ct_raked_product(thr, val);
    ct_say(x, "raked_product(thr, val), (m,n) -> thread + %lld*value: %s", (long long)threads,
           ct_shown(x, mn));
    if (mn.err.status) return;
    const ct_layout inverse = ct_right_inverse(mn);
    ct_say(x, "its right inverse, thread + %lld*value -> index in the tile: %s", (long long)threads,
           ct_shown(x, inverse));
    if (ct_size(inverse) != ct_size(mn)) {
        ct_say(x, "which reaches only %lld of the %lld elements", (long long)ct_size(inverse),
               (long long)ct_size(mn));
        return;
    }
    const ct_layout split = ct_layout2(threads, values, 1, threads);
    const char *by = ct_shown(x, split);
    ct_say(x, "composed with %s, (thread, value) -> index in the tile: %s", by,
           ct_shown(x, ct_composition(inverse, split)));
    ct_say(x, "the tile is the size of each mode of (m,n): %s",
           ct_shown_tuple(x, ct_product_each(ct_shape(mn))));
}

void ct_explain_partition_copy(ct_explainer *x, ct_tiled_copy t, ct_layout L, int64_t thread,
                               int dst)
{
    const ct_layout tv = ct_tiled_copy_tv(t, dst ? t.atom.dst_tv : t.atom.src_tv);
    const ct_layout tiles = ct_zipped_divide_by(L, t.tiler);
    ct_say(x, "L is divided into tiles, each tile read in the order (thread, value), then sliced "
              "at the thread.");
    const char *tile = ct_shown_tuple(x, ct_tiled_copy_shape(t));
    ct_say(x, "zipped_divide(L, %s) = ((tile), (rest)): %s", tile, ct_shown(x, tiles));
    ct_say(x, "(thread, (values of one atom, atoms)) -> index in the tile: %s", ct_shown(x, tv));
    if (tiles.err.status || tv.err.status) return;
    const ct_layout by = ct_composition_by(tiles, ct_tiler2(tv, ct_tile_any()));
    ct_say(x, "the tile through it, ((thread, values), (rest)): %s", ct_shown(x, by));
    if (by.err.status || thread < 0 || thread >= ct_tiled_copy_threads(t)) return;
    const ct_layout threads = ct_mode(ct_mode(by, 0), 0);
    ct_say(x, "thread %lld of %s begins at offset %s", (long long)thread, ct_shown(x, threads),
           ct_shown_tuple(x, ct_at(threads, ct_int(thread))));
}

void ct_explain_local_partition(ct_explainer *x, ct_layout L, ct_layout thr, int64_t index)
{
    const ct_tuple tile = ct_product_each(ct_shape(thr));
    const ct_tuple coord = ct_thread_coord(thr, index);
    ct_say(x,
           "The thread layout is repeated over L; thread %lld has one element in each tile of "
           "its shape.",
           (long long)index);
    const char *shape = ct_shown_tuple(x, tile);
    ct_say(x, "tile %s, the shape of the threads; thread %lld is at coordinate %s of %s", shape,
           (long long)index, ct_shown_tuple(x, coord), ct_shown(x, thr));
    if (coord.err.status) return;
    ct_explain_tile(x, L, ct_tiler_of_shape(tile), coord, 0);
}

void ct_explain_tile(ct_explainer *x, ct_layout L, ct_tiler T, ct_tuple coord, int inner)
{
    const ct_layout z = ct_zipped_divide_by(L, T);
    ct_say(x, "zipped_divide(L, tiler) = ((tile), (rest)): %s", ct_shown(x, z));
    if (z.err.status) return;
    const ct_layout at = ct_mode(z, inner ? 1 : 0), kept = ct_mode(z, inner ? 0 : 1);
    ct_say(x, "%s at coordinate %s; %s is kept: %s", inner ? "the rest" : "the tile",
           ct_shown_tuple(x, coord), inner ? "the tile" : "the rest", ct_shown(x, kept));
    ct_say(x, "%s: %s", inner ? "the rest" : "the tile", ct_shown(x, at));
}
