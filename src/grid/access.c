/* The access model: see cutlet/host/access.h for what it counts; here are the rules.
 *
 * Global memory. One instruction of one warp is one request, whatever its width; it moves every
 * 32-byte sector that an active lane touches once.
 *
 * Shared memory. 32 banks of 4 bytes deliver 128 bytes in a wavefront, so 64-bit accesses go by
 * half warps and 128-bit accesses by quarter warps, in lane order. Within such a group, lanes that
 * name the same word share it (a store too: one of them wins), and the wavefronts are the largest
 * number of different words that any one bank has to deliver. A group with no active lane costs
 * nothing.
 *
 * Loads of 64 and 128 bits are taken two groups at a time when the lanes ask in pairs: for every
 * lane t its partner t ^ 1 (or, for all lanes alike, t ^ 2) is inactive or asks for the same
 * address. Stores and matrix accesses never are.
 *
 * Bank conflicts are the wavefronts beyond one for each group that was taken. */
#include <cutlet/host/access.h>

enum { LANES = 32, SECTOR_BYTES = 32, WAVEFRONT_BYTES = 128 };

const char *ct_access_name(int kind)
{
    switch (kind) {
    case CT_ACCESS_LDG: return "LDG";
    case CT_ACCESS_STG: return "STG";
    case CT_ACCESS_LDS: return "LDS";
    case CT_ACCESS_STS: return "STS";
    case CT_ACCESS_LDGSTS: return "LDGSTS";
    case CT_ACCESS_LDGSTS_CG: return "LDGSTS.BYPASS";
    case CT_ACCESS_LDSM: return "LDSM";
    case CT_ACCESS_STSM: return "STSM";
    default: return "?";
    }
}

int ct_access_is_global(int kind)
{
    return kind == CT_ACCESS_LDG || kind == CT_ACCESS_STG || kind == CT_ACCESS_LDGSTS ||
           kind == CT_ACCESS_LDGSTS_CG;
}

/* The number of different values, by a table with twice as many places as there can be values. */
static int count_different(const int64_t *value, int n)
{
    enum { PLACE_BITS = 6, PLACES = 1 << PLACE_BITS };
    int64_t held[PLACES];
    uint64_t used = 0;
    int count = 0;
    for (int i = 0; i < n; ++i) {
        uint64_t at = (uint64_t)value[i] * 0x9e3779b97f4a7c15u >> (64 - PLACE_BITS);
        while ((used >> at & 1) && held[at] != value[i]) at = (at + 1) % PLACES;
        if (used >> at & 1) continue;
        used |= (uint64_t)1 << at;
        held[at] = value[i];
        ++count;
    }
    return count;
}

/* Wavefronts of one group of lanes: the largest number of different units in one bank, a unit being
 * the access or a word, whichever is larger. */
static int count_group(const int64_t *offset, int lanes, int unit_bytes)
{
    const int banks = WAVEFRONT_BYTES / unit_bytes;
    int64_t units[LANES][LANES];
    int held[LANES] = {0}, most = 0;
    for (int t = 0; t < lanes; ++t) {
        if (offset[t] == CT_LANE_OFF) continue;
        const int64_t unit = offset[t] / unit_bytes;
        const int bank = (int)(unit & (banks - 1));
        int known = 0;
        for (int j = 0; j < held[bank] && !known; ++j) known = units[bank][j] == unit;
        if (known) continue;
        units[bank][held[bank]++] = unit;
        if (held[bank] > most) most = held[bank];
    }
    return most;
}

/* Whether every lane and its partner t ^ x ask for one address between them. */
static int asks_in_pairs(const int64_t *offset, int x)
{
    for (int t = 0; t < LANES; ++t) {
        const int64_t a = offset[t], b = offset[t ^ x];
        if (a != b && a != CT_LANE_OFF && b != CT_LANE_OFF) return 0;
    }
    return 1;
}

static void count_shared(ct_access_count *count, int kind, int bytes, const int64_t *offset)
{
    const int unit = bytes < 4 ? 4 : bytes;
    int lanes = WAVEFRONT_BYTES / unit;
    if (kind == CT_ACCESS_LDS && bytes > 4 &&
        (asks_in_pairs(offset, 1) || asks_in_pairs(offset, 2)))
        lanes *= 2;
    for (int first = 0; first < LANES; first += lanes) {
        const int wavefronts = count_group(offset + first, lanes, unit);
        count->wavefronts += wavefronts;
        if (wavefronts > 0) count->conflicts += wavefronts - 1;
    }
}

ct_access_count ct_count_access(int kind, int bits, const int64_t offset[32])
{
    ct_access_count count = {0};
    const int bytes = bits / 8;
    int64_t active[LANES], sector[LANES];
    int n = 0;
    for (int t = 0; t < LANES; ++t) {
        if (offset[t] == CT_LANE_OFF) continue;
        active[n] = offset[t];
        sector[n++] = offset[t] / SECTOR_BYTES;
    }
    count.bytes_used = count_different(active, n) * bytes;
    if (ct_access_is_global(kind)) {
        count.requests = n > 0;
        count.sectors = count_different(sector, n);
    } else {
        count_shared(&count, kind, bytes, offset);
    }
    return count;
}
