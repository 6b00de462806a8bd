/* Accesses given lane by lane: names, offsets, the count of one instruction. */
#include "base/refuse.h"
#include "access.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "../common/cli.h"
#include "base/number.h"

enum { LANES = 32 };

int ct_access_kind_named(const char *name)
{
    static const struct {
        const char *name;
        int kind;
    } kinds[] = {{"ldg", CT_ACCESS_LDG},       {"stg", CT_ACCESS_STG},
                 {"lds", CT_ACCESS_LDS},       {"sts", CT_ACCESS_STS},
                 {"ldgsts", CT_ACCESS_LDGSTS}, {"ldgsts.bypass", CT_ACCESS_LDGSTS_CG},
                 {"ldmatrix", CT_ACCESS_LDSM}, {"ldsm", CT_ACCESS_LDSM},
                 {"stmatrix", CT_ACCESS_STSM}, {"stsm", CT_ACCESS_STSM}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i) {
        if (strcasecmp(kinds[i].name, name) == 0) return kinds[i].kind;
    }
    return -1;
}

/* The offset that text begins with; *rest gets what stands after it. */
static int read_offset(const char *text, int64_t *offset, const char **rest)
{
    if (text[0] == '-') {
        *offset = CT_LANE_OFF;
        *rest = text + 1;
        return 0;
    }
    return ct_number_begin(text, 0, INT64_MAX / 4, offset, rest);
}

ct_status ct_access_read_lanes(const char *text, int64_t offset[LANES], char *message)
{
    const char *at = text;
    int n = 0;
    for (int t = 0; t < LANES; ++t) offset[t] = CT_LANE_OFF;
    for (;; ++at) {
        const int length = (int)strcspn(at, ",");
        if (n == LANES)
            return ct_refuse(message, CT_E_ARGUMENT, "a warp has %d lanes, and more are given",
                             LANES);
        const char *rest = at;
        if (read_offset(at, &offset[n], &rest) || (*rest && *rest != ','))
            return ct_refuse(message, CT_E_ARGUMENT,
                             "lane %d is `%.*s`; it takes the byte that it begins at, 0 or more, "
                             "or -",
                             n, length < 40 ? length : 40, at);
        ++n;
        at = rest;
        if (!*at) return 0;
    }
}

/* The bits of the accesses that a kind has, as a sentence. */
static const char *widths_of(int kind)
{
    switch (kind) {
        case CT_ACCESS_LDG:
        case CT_ACCESS_STG: return "8, 16, 32, 64, 128 or 256";
        case CT_ACCESS_LDGSTS: return "32, 64 or 128";
        case CT_ACCESS_LDS:
        case CT_ACCESS_STS: return "8, 16, 32, 64 or 128";
        default: return "128";
    }
}

static ct_status check_side(const int64_t *offset, const int64_t *on, int bytes, const char *side,
                            char *message)
{
    for (int t = 0; t < LANES; ++t) {
        if (on[t] == CT_LANE_OFF) continue;
        if (offset[t] == CT_LANE_OFF)
            return ct_refuse(message, CT_E_ARGUMENT,
                             "lane %d has a byte of global memory, and none of shared memory", t);
        if (offset[t] % bytes != 0)
            return ct_refuse(message, CT_E_ARGUMENT,
                             "lane %d begins at byte %lld%s, not a multiple of its %d bytes", t,
                             (long long)offset[t], side, bytes);
    }
    return CT_OK;
}

ct_status ct_access_check(const ct_access *access, int has_shared, char *message)
{
    if (!ct_access_has_width(access->kind, access->bits))
        return ct_refuse(message, CT_E_ARGUMENT, "%s has accesses of %s bits, not of %d",
                         ct_access_name(access->kind), widths_of(access->kind), access->bits);
    ct_status bad = check_side(access->offset, access->offset, access->bits / 8, "", message);
    if (!bad && has_shared)
        bad = check_side(access->shared, access->offset, access->bits / 8, " of shared memory",
                         message);
    return bad;
}

/* The rows of a gate: one for each memory. */
static int gate_lanes(const ct_access_arguments *a, const ct_access *access,
                      const ct_access_count *c)
{
    ct_access_row row[2] = {{"", access->kind, access->bits, {0}, ""},
                            {"the shared side", CT_ACCESS_STS, access->bits, {0}, ""}};
    row[0].sum.bytes_used = c->bytes_used;
    row[0].sum.bytes_moved = c->bytes_moved;
    for (int i = 0; i < 2; ++i) {
        row[i].sum.wavefronts = c->wavefronts;
        row[i].sum.ideal = c->ideal;
        row[i].sum.conflicts = c->conflicts;
    }
    row[a->shared_lanes != NULL].sum.at_least = c->at_least;
    return ct_access_gate(row, a->shared_lanes ? 2 : 1, a);
}

int ct_access_run_lanes(const ct_access_arguments *a)
{
    char message[CT_MESSAGE_BYTES];
    ct_access access = {a->kind, a->bits, {0}, {0}};
    const int has_shared = a->shared_lanes != NULL;
    for (int t = 0; t < LANES; ++t) access.shared[t] = CT_LANE_OFF;
    if (access.bits < 0) access.bits = 128;
    int bad = ct_access_read_lanes(a->lanes, access.offset, message);
    if (!bad && has_shared) bad = ct_access_read_lanes(a->shared_lanes, access.shared, message);
    if (bad || ct_access_check(&access, has_shared, message)) {
        ct_cli_complain("access", "%s", message);
        return CT_EXIT_BAD;
    }
    const ct_access_count c = ct_count_access_by(a->rules, &access, NULL);
    if (a->json)
        printf("{\"requests\":%d,\"sectors\":%d,\"lines\":%d,\"wavefronts\":%d,\"ideal\":%d,"
               "\"conflicts\":%d,\"lanes\":%d,\"broadcast\":%d,\"bytes_used\":%d,"
               "\"bytes_moved\":%d,\"at_least\":%s}\n",
               c.requests, c.sectors, c.lines, c.wavefronts, c.ideal, c.conflicts, c.lanes,
               c.broadcast, c.bytes_used, c.bytes_moved, c.at_least ? "true" : "false");
    else
        printf("requests %d sectors %d wavefronts %d ideal %d conflicts %d\n", c.requests,
               c.sectors, c.wavefronts, c.ideal, c.conflicts);
    if (c.at_least && !a->json)
        fputs("this is a lower bound; the hardware may take more\n", stderr);
    fflush(stdout);
    return gate_lanes(a, &access, &c) ? CT_EXIT_FAILED : CT_EXIT_OK;
}
