/* The read of a tile as a layout of threads and values. */
#include "code.h"

#include <inttypes.h>

/* Piece u of the read -> index in the tile of its first element. */
static ct_layout pieces_of(const ct_suggest_query *q, int64_t run)
{
    const int64_t m = q->tile_m, n = q->tile_n;
    switch (q->read) {
        case CT_READ_ROWS: return ct_layout2(n / run, m, run * m, 1);
        case CT_READ_COLS: return ct_layout2(m / run, n, run, m);
        case CT_READ_LDMATRIX: return ct_layout2(m, n / run, 1, run * m);
        default: return ct_layout2(n, m / run, m, run);
    }
}

/* The layouts, in order, as the modes of one. */
static ct_layout join(const ct_layout *mode, int count)
{
    ct_layout all = ct_make_layout2(mode[0], mode[1]);
    for (int i = 2; i < count; ++i) all = ct_layout_append(all, mode[i]);
    return all;
}

/* Accesses of `run` elements along rows or columns: thread, then step. */
static int take_plain(suggest_read *r, ct_layout pieces, int64_t run, int64_t along,
                      int64_t threads)
{
    const int64_t count = ct_size(pieces);
    if (count % threads != 0) return 0;
    const ct_layout by = ct_composition(pieces, ct_layout2(threads, count / threads, 1, threads));
    if (by.err.status) return 0;
    r->threads = (int32_t)threads;
    r->steps = (int32_t)(count / threads);
    r->tv =
        ct_make_layout2(ct_mode(by, 0), ct_make_layout2(ct_layout1(run, along), ct_mode(by, 1)));
    return r->tv.err.status == CT_OK;
}

/* ldmatrix of a number of matrices by a number of warps. Lane l has 32 bits of row l / 4 of matrix
 * i. Of a transposed one it has the elements 2 (l mod 4) and the next of column l / 4. */
static int take_matrices(suggest_read *r, const ct_suggest_query *q, ct_layout pieces,
                         int64_t along, int64_t matrices, int64_t warps)
{
    const int64_t count = ct_size(pieces), round = 8 * matrices * warps, pack = 32 / q->elem_bits;
    if (count % round != 0) return 0;
    const int trans = q->read == CT_READ_LDMATRIX_TRANS;
    const int64_t shape[5] = {trans ? 2 : 1, trans ? 4 : 8, warps, matrices, count / round};
    const int64_t stride[5] = {1, trans ? 2 : 1, 8 * matrices, 8, round};
    ct_tuple shapes = ct_int(shape[0]), strides = ct_int(stride[0]);
    for (int i = 1; i < 5; ++i) {
        shapes = ct_append(shapes, ct_int(shape[i]));
        strides = ct_append(strides, ct_int(stride[i]));
    }
    const ct_layout by = ct_composition(pieces, ct_make_layout(shapes, strides));
    if (by.err.status) return 0;
    const ct_layout in_row = trans ? ct_layout1(8, along) : ct_layout1(4, pack * along);
    const ct_layout pair = trans ? ct_mode(by, 0) : ct_layout1(pack, along);
    const ct_layout lanes[3] = {trans ? ct_mode(by, 1) : in_row, trans ? in_row : ct_mode(by, 1),
                                ct_mode(by, 2)};
    const ct_layout values[3] = {pair, ct_mode(by, 3), ct_mode(by, 4)};
    r->matrices = (int32_t)matrices;
    r->threads = (int32_t)(32 * warps);
    r->steps = (int32_t)(count / round);
    r->tv = ct_make_layout2(join(lanes, 3), join(values, 3));
    return r->tv.err.status == CT_OK;
}

/* The largest possible number of threads, full warps preferred: instructions of full warps have the
 * counted cost. */
static int find(suggest_read *r, const ct_suggest_query *q, int64_t run, int64_t along)
{
    const ct_layout pieces = pieces_of(q, run);
    const int64_t count = ct_size(pieces), most = ct_min(q->threads, count);
    if (q->read == CT_READ_LDMATRIX || q->read == CT_READ_LDMATRIX_TRANS) {
        for (int64_t matrices = 4; matrices > 0; matrices /= 2)
            for (int64_t warps = q->threads / 32; warps > 0; --warps)
                if (take_matrices(r, q, pieces, along, matrices, warps)) return 1;
        return 0;
    }
    if (count < SUGGEST_LANES && take_plain(r, pieces, run, along, count)) return 1;
    for (int64_t n = most - most % SUGGEST_LANES; n > 0; n -= SUGGEST_LANES)
        if (take_plain(r, pieces, run, along, n)) return 1;
    for (int64_t n = most; n > 0; --n)
        if (take_plain(r, pieces, run, along, n)) return 1;
    return 0;
}

ct_status ct_suggest_read_of(suggest_read *read, const ct_suggest_query *query, int32_t read_bits,
                             char message[CT_MESSAGE_BYTES])
{
    const int64_t run = read_bits / query->elem_bits;
    const int along_n = query->read == CT_READ_ROWS || query->read == CT_READ_LDMATRIX;
    *read = (suggest_read){0};
    if (!find(read, query, run, along_n ? query->tile_m : 1))
        return ct_refuse(message, CT_E_NO_LAYOUT,
                         "the read of %" PRId64 " x %" PRId64 " by accesses of %d "
                         "bits is not a layout of threads and values",
                         query->tile_m, query->tile_n, read_bits);
    read->values = (int32_t)(suggest_size(query) / read->threads);
    read->words = (read->values * query->elem_bits + 31) / 32;
    if (read->words > CT_COPY_WORDS)
        return ct_refuse(message, CT_E_CAPACITY,
                         "each of %d threads reads %d words of registers; a copy holds at most %d: "
                         "take more threads or a smaller tile",
                         read->threads, read->words, CT_COPY_WORDS);
    return 0;
}
