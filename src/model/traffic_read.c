/* Reads of a tile in shared memory by a warp. */
#include <cutlet/host/traffic.h>

#include <cutlet/algebra/composition.h>
#include <cutlet/algebra/make.h>
#include "base/refuse.h"

enum { LANES = 32, WIDEST = 128 };

static int is_matrix(int read)
{
    return read == CT_READ_LDMATRIX || read == CT_READ_LDMATRIX_TRANS;
}

static int is_along_n(int read) { return read == CT_READ_ROWS || read == CT_READ_LDMATRIX; }

/* Piece u in the order of the lanes -> index of its first element. */
static ct_layout pieces_of(int read, int64_t m, int64_t n, int64_t run)
{
    switch (read) {
        case CT_READ_ROWS: return ct_layout2(n / run, m, run * m, 1);
        case CT_READ_COLS: return ct_layout2(m / run, n, run, m);
        case CT_READ_LDMATRIX: return ct_layout2(m, n / run, 1, run * m);
        default: return ct_layout2(n, m / run, m, run);
    }
}

ct_layout ct_read_layout(int32_t read, ct_tuple tile, int64_t run)
{
    const ct_error bad = ct_make_error(CT_E_ARGUMENT, CT_OP_NONE, CT_WHY_NONE, 0, 0, 0);
    if (ct_rank(tile) != 2 || read < 0 || read >= CT_READ_COUNT || run < 1)
        return ct_layout_fail(bad);
    const int64_t m = ct_product(ct_get(tile, 0)), n = ct_product(ct_get(tile, 1));
    if ((is_along_n(read) ? n : m) % run != 0) return ct_layout_fail(bad);
    const ct_layout pieces = pieces_of(read, m, n, run);
    const int64_t count = ct_size(pieces), lanes = ct_gcd(count, LANES);
    const ct_layout by = ct_composition(pieces, ct_layout2(lanes, count / lanes, 1, lanes));
    const ct_layout values =
        ct_make_layout2(ct_layout1(run, is_along_n(read) ? m : 1), ct_mode(by, 1));
    return ct_make_layout2(ct_mode(by, 0), values);
}

/* Why the lanes of a warp do not take a tile by such accesses. */
static ct_status refuse(ct_layout tile, int read, int bits, int64_t run, char *message)
{
    const int mode = is_along_n(read);
    const int64_t n = ct_size(ct_mode(tile, is_matrix(read) ? !mode : mode));
    if (ct_size(ct_mode(tile, mode)) % run != 0)
        return ct_refuse(message, CT_E_ARGUMENT,
                         "the tile is not whole accesses of %d bits along mode %d", bits, mode);
    return ct_refuse(
        message, CT_E_ARGUMENT,
        "the %lld accesses of %d bits along mode %d and the %d lanes of a warp: neither "
        "divides the other",
        (long long)(is_matrix(read) ? n : n / run), bits, is_matrix(read) ? !mode : mode, LANES);
}

ct_status ct_traffic_of_read(const ct_traffic_side *side, int32_t read, int32_t *bits,
                             const ct_access_rules *rules, ct_traffic_visit *visit, void *user,
                             ct_traffic *sum, char message[CT_MESSAGE_BYTES])
{
    const ct_traffic none = {0};
    const ct_layout L = side->memory.layout;
    const int32_t asked = is_matrix(read) ? WIDEST : *bits;
    ct_traffic_side one = *side;
    one.kind = is_matrix(read) ? CT_ACCESS_LDSM : CT_ACCESS_LDS;
    *sum = none;
    if (read < 0 || read >= CT_READ_COUNT || L.err.status || ct_layout_rank(L) != 2 ||
        side->elem_bits < 1)
        return ct_refuse(message, CT_E_ARGUMENT,
                         "a read is of a tile of two modes, (m,n) -> offset");
    ct_status bad = CT_E_ARGUMENT;
    for (*bits = asked ? asked : WIDEST; bad && *bits >= side->elem_bits; *bits /= 2) {
        const ct_layout tv =
            ct_read_layout(read, ct_product_each(ct_shape(L)), *bits / side->elem_bits);
        if (tv.err.status) bad = refuse(L, read, *bits, *bits / side->elem_bits, message);
        else bad = ct_traffic_of_tv(tv, &one, *bits, rules, visit, user, sum, message);
        if (!bad || asked) break;
    }
    return bad;
}
