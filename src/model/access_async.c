/* cp.async in shared memory.
 *
 * Through L1 (ca). Words go from the banks of L1, which holds the line in memory's order, to the
 * banks of shared memory. The groups of lanes are those of an access of that width. In a wavefront
 * a bank of either side moves one word, and lanes do not share words, even if they access the same
 * one. A group takes as many wavefronts as there are lanes in the busiest bank of either side. That
 * is exact where no bank of L1 has two. Otherwise the order matters too, and the profiler's two
 * counters disagree (smsp__sass_l1tex_... and l1tex__data_...). The count is then the least of the
 * first counter.
 *
 * Past L1 (cg). Sectors go from L2 to 32-byte pieces of shared memory. Each pair of a sector and a
 * piece is one request. If the halves of a sector go to different pieces, the sector is requested
 * twice. A wavefront moves sectors of one line of global memory to one line of shared memory. Their
 * offsets in the lines differ from their pieces' by the same bits, and they use the same halves.
 * That is exact where lines meet one to one and no bytes are named twice. */
#include "access_async.h"

enum { LANES = 32 };

int ct_count_different(const int64_t *value, int n, int per)
{
    enum { PLACE_BITS = 6, PLACES = 1 << PLACE_BITS };
    int64_t held[PLACES];
    uint64_t used = 0;
    int count = 0;
    for (int i = 0; i < n; ++i) {
        const int64_t v = value[i] / per;
        uint64_t at = (uint64_t)v * 0x9e3779b97f4a7c15u >> (64 - PLACE_BITS);
        while ((used >> at & 1) && held[at] != v) at = (at + 1) % PLACES;
        if (used >> at & 1) continue;
        used |= (uint64_t)1 << at;
        held[at] = v;
        ++count;
    }
    return count;
}

/* The lanes that have both sides. Returns how many. */
static int both_sides(const ct_access *access, int64_t src[LANES], int64_t dst[LANES])
{
    int n = 0;
    for (int t = 0; t < LANES; ++t) {
        if (access->offset[t] == CT_LANE_OFF || access->shared[t] == CT_LANE_OFF) continue;
        src[n] = access->offset[t];
        dst[n++] = access->shared[t];
    }
    return n;
}

/* The lanes of the busiest of the banks. */
static int busiest(const int64_t *offset, const int64_t *also, int lanes, int unit, int across)
{
    int held[LANES] = {0}, most = 0;
    for (int t = 0; t < lanes; ++t) {
        if (offset[t] == CT_LANE_OFF || also[t] == CT_LANE_OFF) continue;
        const int n = ++held[offset[t] / unit & (across - 1)];
        if (n > most) most = n;
    }
    return most;
}

void ct_count_async_ca(ct_access_count *count, const ct_access_rules *rules,
                       const ct_access *access)
{
    int64_t src[LANES], dst[LANES];
    const int n = both_sides(access, src, dst), unit = access->bits / 8;
    const int across = rules->banks * rules->bank_bytes / unit;
    int groups = 0;
    for (int first = 0; first < LANES; first += across) {
        const int64_t *const from = access->offset + first, *const to = access->shared + first;
        const int reads = busiest(from, to, across, unit, across);
        const int writes = busiest(to, from, across, unit, across);
        count->wavefronts += reads > writes ? reads : writes;
        count->at_least |= reads > 1;
        groups += reads > 0;
    }
    count->conflicts = count->wavefronts - groups;
    count->ideal = (n + across - 1) / across;
}

/* A sector and the piece of shared memory that it, or a half of it, goes to. */
typedef struct move {
    int64_t sector, piece;
    int halves; /* bit 2 a + b: its half a goes to half b */
} move;

static int collect_moves(const int64_t *src, const int64_t *dst, int n, int sector_bytes,
                         move moves[LANES])
{
    const int half = sector_bytes / 2;
    int count = 0;
    for (int t = 0; t < n; ++t) {
        const int64_t sector = src[t] / sector_bytes, piece = dst[t] / sector_bytes;
        const int halves = 1 << (2 * (src[t] / half & 1) + (dst[t] / half & 1));
        int k = 0;
        while (k < count && (moves[k].sector != sector || moves[k].piece != piece)) ++k;
        if (k == count) moves[count++] = (move){sector, piece, 0};
        moves[k].halves |= halves;
    }
    return count;
}

/* Whether two moves share a wavefront, for lines of a number of sectors. */
static int go_together(const move *a, const move *b, int in_line)
{
    return a->sector / in_line == b->sector / in_line && a->piece / in_line == b->piece / in_line &&
           ((a->sector ^ a->piece ^ b->sector ^ b->piece) & (in_line - 1)) == 0 &&
           a->halves == b->halves;
}

/* Whether a line of one side meets two of the other. */
static int lines_part(const move *moves, int n, int in_line)
{
    for (int i = 0; i < n; ++i) {
        for (int k = 0; k < i; ++k) {
            if ((moves[i].sector / in_line == moves[k].sector / in_line) !=
                (moves[i].piece / in_line == moves[k].piece / in_line))
                return 1;
        }
    }
    return 0;
}

void ct_count_async_cg(ct_access_count *count, const ct_access_rules *rules,
                       const ct_access *access)
{
    int64_t src[LANES], dst[LANES];
    move moves[LANES];
    const int n = both_sides(access, src, dst), unit = access->bits / 8;
    if (n == 0) return;
    const int in_line = rules->line_bytes / rules->sector_bytes;
    const int distinct = ct_count_different(dst, n, 1);
    const int count_of_moves = collect_moves(src, dst, n, rules->sector_bytes, moves);
    for (int i = 0; i < count_of_moves; ++i) {
        int is_new = 1;
        for (int k = 0; k < i && is_new; ++k) is_new = !go_together(&moves[i], &moves[k], in_line);
        count->wavefronts += is_new;
    }
    count->sectors = count_of_moves;
    count->ideal = (distinct * unit + rules->banks * rules->bank_bytes - 1) /
                   (rules->banks * rules->bank_bytes);
    const int twice = distinct < n || ct_count_different(src, n, 1) < n;
    count->at_least = twice || lines_part(moves, count_of_moves, in_line);
    if (!count->at_least) return;
    /* Each piece takes a sector; no wavefront moves more than a line, of one line, to one line. */
    const int from = ct_count_different(src, n, rules->line_bytes);
    const int to = ct_count_different(dst, n, rules->line_bytes);
    const int full = (distinct * unit + rules->line_bytes - 1) / rules->line_bytes;
    if (twice) {
        count->sectors = ct_count_different(dst, n, rules->sector_bytes);
        count->wavefronts = to > full ? to : full;
    } else {
        count->wavefronts = from > to ? from : to;
        if (count->wavefronts < full) count->wavefronts = full;
    }
}
