/* The rules of the access model; see cutlet/host/access.h for its counts.
 *
 * Global memory. One instruction of one warp is one request, for any width; it moves every 32-byte
 * sector that an active lane touches once.
 *
 * Shared memory. 32 banks of 4 bytes deliver 128 bytes in a wavefront. So 64-bit accesses are
 * served by half warps and 128-bit accesses by quarter warps, in lane order. Within such a group,
 * lanes that access the same word share it (a store too: one of them wins). The wavefronts are the
 * largest number of distinct words in one bank. A group with no active lane costs nothing.
 *
 * Loads of 64 and 128 bits are served two groups at a time if the lanes access memory in pairs. For
 * every lane t its partner t ^ 1 (or, for all lanes, t ^ 2) is inactive or accesses the same
 * address. Stores and matrix accesses never are.
 *
 * Bank conflicts are the wavefronts beyond one for each group that was taken.
 *
 * cp.async: see access_async.c. */
#include <cutlet/host/access.h>

#include <string.h>

#include "access_async.h"

enum { LANES = 32, IN_PAIRS = 1u << 1 | 1u << 2 };

static const ct_access_rules table[] = {
    {"sm_90", "H200", 32, 128, 32, 4, {[CT_ACCESS_LDS] = IN_PAIRS}},
    {"sm_80", NULL, 32, 128, 32, 4, {[CT_ACCESS_LDS] = IN_PAIRS}},
    {"sm_86", NULL, 32, 128, 32, 4, {[CT_ACCESS_LDS] = IN_PAIRS}},
    {"sm_89", NULL, 32, 128, 32, 4, {[CT_ACCESS_LDS] = IN_PAIRS}},
    {"sm_100", NULL, 32, 128, 32, 4, {[CT_ACCESS_LDS] = IN_PAIRS}},
    {"sm_120", NULL, 32, 128, 32, 4, {[CT_ACCESS_LDS] = IN_PAIRS}},
};

const ct_access_rules *ct_access_rules_all(int *count)
{
    *count = (int)(sizeof table / sizeof *table);
    return table;
}

const ct_access_rules *ct_access_rules_named(const char *arch)
{
    for (size_t i = 0; i < sizeof table / sizeof *table; ++i) {
        if (strcmp(table[i].arch, arch) == 0) return &table[i];
    }
    return NULL;
}

int ct_access_has_width(int kind, int bits)
{
    if (kind == CT_ACCESS_LDSM || kind == CT_ACCESS_STSM || kind == CT_ACCESS_LDGSTS_CG)
        return bits == 128;
    if (kind == CT_ACCESS_LDGSTS) return bits == 32 || bits == 64 || bits == 128;
    if (bits == 256) return kind == CT_ACCESS_LDG || kind == CT_ACCESS_STG;
    return bits == 8 || bits == 16 || bits == 32 || bits == 64 || bits == 128;
}

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

/* Wavefronts of one group of lanes: the largest number of distinct units in one bank. A unit is the
 * larger of the access and a word. A unit's wavefront is its rank among those. */
static int count_group(const int64_t *offset, int lanes, int unit_bytes, int units_across,
                       int *wavefront)
{
    int64_t units[LANES][LANES];
    int held[LANES] = {0}, most = 0;
    for (int t = 0; t < lanes; ++t) {
        if (offset[t] == CT_LANE_OFF) continue;
        const int64_t unit = offset[t] / unit_bytes;
        const int bank = (int)(unit & (units_across - 1));
        int j = 0;
        while (j < held[bank] && units[bank][j] != unit) ++j;
        if (j == held[bank]) units[bank][held[bank]++] = unit;
        if (held[bank] > most) most = held[bank];
        wavefront[t] = j;
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

static int merges(const ct_access_rules *rules, int kind, const int64_t *offset)
{
    for (int x = 1; x < LANES; ++x) {
        if ((rules->merges[kind] >> x & 1) && asks_in_pairs(offset, x)) return 1;
    }
    return 0;
}

static void count_shared(ct_access_count *count, const ct_access_rules *rules, int kind, int bytes,
                         const int64_t *offset, ct_access_detail *detail)
{
    const int unit = bytes < rules->bank_bytes ? rules->bank_bytes : bytes;
    const int across = rules->banks * rules->bank_bytes / unit;
    const int lanes = unit > rules->bank_bytes && merges(rules, kind, offset) ? 2 * across : across;
    int group = 0;
    for (int first = 0; first < LANES; first += lanes) {
        int wavefront[LANES];
        const int n = count_group(offset + first, lanes, unit, across, wavefront);
        for (int t = 0; detail && t < lanes; ++t) {
            if (offset[first + t] == CT_LANE_OFF) continue;
            detail->wavefront[first + t] = count->wavefronts + wavefront[t];
            detail->group[first + t] = group;
        }
        count->wavefronts += n;
        group += n > 0;
    }
    count->conflicts = count->wavefronts - group;
    const int full = (count->lanes + across - 1) / across;
    count->ideal = full < count->wavefronts ? full : count->wavefronts;
}

ct_access_count ct_count_access_by(const ct_access_rules *rules, const ct_access *access,
                                   ct_access_detail *detail)
{
    ct_access_count count = {0};
    const ct_access_rules *const by = rules ? rules : table;
    const int bytes = access->bits / 8;
    int64_t active[LANES];
    int n = 0;
    for (int t = 0; t < LANES; ++t) {
        if (access->offset[t] != CT_LANE_OFF) active[n++] = access->offset[t];
        if (detail) detail->wavefront[t] = detail->group[t] = -1;
    }
    const int different = ct_count_different(active, n, 1);
    count.lanes = n;
    count.broadcast = n - different;
    count.bytes_used = different * bytes;
    if (ct_access_is_global(access->kind)) {
        count.requests = n > 0;
        count.sectors = ct_count_different(active, n, by->sector_bytes);
        count.lines = ct_count_different(active, n, by->line_bytes);
        if (access->kind == CT_ACCESS_LDGSTS) ct_count_async_ca(&count, by, access);
        if (access->kind == CT_ACCESS_LDGSTS_CG) ct_count_async_cg(&count, by, access);
        count.bytes_moved = count.sectors * by->sector_bytes;
    } else {
        count_shared(&count, by, access->kind, bytes, access->offset, detail);
        count.bytes_moved = count.wavefronts * by->banks * by->bank_bytes;
    }
    return count;
}

ct_access_count ct_count_access(int kind, int bits, const int64_t offset[32])
{
    ct_access access = {kind, bits, {0}, {0}};
    memcpy(access.offset, offset, sizeof access.offset);
    for (int t = 0; t < LANES; ++t) access.shared[t] = CT_LANE_OFF;
    return ct_count_access_by(NULL, &access, NULL);
}
