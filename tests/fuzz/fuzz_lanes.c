/* Lists of lanes: any text is read or refused; a list that is written is read as what it was; and
 * what an access of such lanes costs keeps within what its bytes alone allow. */
#include "bytes.h"
#include "tools/cutlet/access/access.h"

enum { LANES = 32, BYTES_MAX = 32 };

/* The rest of `cutlet access`, which reading a list of lanes does not reach. */
int ct_access_gate(const ct_access_row *row, int rows, const ct_access_arguments *a);
void ct_cli_complain(const char *command, const char *format, ...);
int ct_access_gate(const ct_access_row *row, int rows, const ct_access_arguments *a)
{
    (void)row;
    (void)rows;
    (void)a;
    abort();
}
void ct_cli_complain(const char *command, const char *format, ...)
{
    (void)command;
    (void)format;
    abort();
}

/* How many different pieces of this many bytes the lanes that are on touch. */
static int pieces(const ct_access *a, int piece)
{
    int64_t seen[LANES * BYTES_MAX];
    int n = 0;
    for (int t = 0; t < LANES; ++t) {
        if (a->offset[t] == CT_LANE_OFF) continue;
        for (int64_t at = a->offset[t]; at < a->offset[t] + a->bits / 8; ++at) {
            int k = 0;
            while (k < n && seen[k] != at / piece) ++k;
            if (k == n) seen[n++] = at / piece;
        }
    }
    return n;
}

static void check_count(const ct_access *a, int has_shared)
{
    ct_access_detail detail;
    const ct_access_count c = ct_count_access_by(NULL, a, &detail);
    const ct_access_count again = ct_count_access_by(NULL, a, NULL);
    int on = 0;
    for (int t = 0; t < LANES; ++t) on += a->offset[t] != CT_LANE_OFF;
    require(memcmp(&c, &again, sizeof c) == 0);
    require(c.lanes == on && c.broadcast >= 0 && c.broadcast <= on);
    require(c.conflicts >= 0 && c.bytes_used >= 0 && c.bytes_moved >= 0);
    if (has_shared || a->kind == CT_ACCESS_LDGSTS_CG) return;
    require(c.bytes_used == pieces(a, 1));
    if (ct_access_is_global(a->kind)) {
        require(c.requests == (on > 0));
        require(c.sectors == pieces(a, 32) && c.lines == pieces(a, 128));
        require(c.bytes_moved == 32 * c.sectors);
    } else {
        require(c.wavefronts * 128 >= c.bytes_used && c.wavefronts <= on * 8);
        require((on > 0) == (c.wavefronts > 0) && c.wavefronts >= c.ideal);
        for (int t = 0; t < LANES; ++t) require(detail.wavefront[t] < c.wavefronts);
    }
}

/* Offsets of a kind that one meets: in a row, apart, folded, few lanes, any. */
static void choose_lanes(fuzz_bytes *b, int64_t offset[LANES], int64_t bytes)
{
    const int style = fuzz_pick(b, 5);
    const int64_t base = fuzz_int(b, 0, 200) * bytes, step = fuzz_int(b, 0, 300) * bytes;
    const int64_t fold = fuzz_int(b, 1, 40);
    for (int t = 0; t < LANES; ++t) {
        switch (style) {
            case 0: offset[t] = base + t * step; break;
            case 1: offset[t] = base + t % fold * step; break;
            case 2: offset[t] = fuzz_int(b, 0, 255) * bytes; break;
            case 3: offset[t] = fuzz_int(b, 0, INT64_MAX / 4) / bytes * bytes; break;
            default: offset[t] = fuzz_pick(b, 2) ? CT_LANE_OFF : fuzz_int(b, 0, 4000) * bytes;
        }
    }
}

static void check_list(fuzz_bytes *b)
{
    char why[CT_MESSAGE_BYTES] = "";
    fuzz_text t = {{0}, 0};
    ct_access a = {fuzz_pick(b, CT_ACCESS_KINDS), 8 << fuzz_pick(b, 6), {0}, {0}};
    int64_t again[LANES];
    const int has_shared =
        (a.kind == CT_ACCESS_LDGSTS || a.kind == CT_ACCESS_LDGSTS_CG) && fuzz_pick(b, 2);
    choose_lanes(b, a.offset, a.bits / 8);
    for (int k = 0; k < LANES; ++k) a.shared[k] = CT_LANE_OFF;
    if (has_shared) choose_lanes(b, a.shared, a.bits / 8);
    for (int k = 0; k < LANES; ++k) {
        if (k > 0) fuzz_put(&t, ",");
        if (a.offset[k] == CT_LANE_OFF) fuzz_put(&t, "-");
        else fuzz_put_int(&t, a.offset[k]);
    }
    require(ct_access_read_lanes(t.at, again, why) == 0);
    require(memcmp(again, a.offset, sizeof again) == 0);
    fuzz_put(&t, ",0");
    require(ct_access_read_lanes(t.at, again, why) == CT_E_ARGUMENT && why[0] != '\0');
    why[0] = '\0';
    if (ct_access_check(&a, has_shared, why) == 0) check_count(&a, has_shared);
    else require(why[0] != '\0');
}

/* Any text. What is read is no more than a lane may begin at; the bytes say kind and width. */
static void check_text(fuzz_bytes *b)
{
    char why[CT_MESSAGE_BYTES] = "";
    ct_access a = {fuzz_pick(b, CT_ACCESS_KINDS), 8 << fuzz_pick(b, 6), {0}, {0}};
    char *const text = calloc(fuzz_left(b) + 1, 1);
    if (!text) return;
    memcpy(text, b->at, fuzz_left(b));
    for (int k = 0; k < LANES; ++k) a.shared[k] = CT_LANE_OFF;
    if (ct_access_read_lanes(text, a.offset, why)) {
        require(why[0] != '\0');
    } else {
        for (int k = 0; k < LANES; ++k) {
            const int64_t at = a.offset[k];
            require(at == CT_LANE_OFF || (at >= 0 && at <= INT64_MAX / 4));
        }
        if (ct_access_check(&a, 0, why) == 0) check_count(&a, 0);
        else require(why[0] != '\0');
    }
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_bytes b = {data, data + size};
    if (fuzz_pick(&b, 2)) check_list(&b);
    else check_text(&b);
    return 0;
}
