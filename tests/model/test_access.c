/* The access model against counters of the hardware, row by row, and against a direct count. */
#include "test.h"

#include <cutlet/host/access.h>

#include "dice.h"

enum { LANES = 32, COLUMNS = 10, WANTED = 8 };

/* One row of a table; a number that the table leaves empty is -1, one that was not the same each
 * time that it was read, VARIES. */
typedef struct row {
    ct_access access;
    char *kinds; /* `lds`, or `ldg,lds,sts`: the counters of each memory are those of its kinds */
    int several; /* kinds */
    int requests, sectors, wavefronts, conflicts, ideal;
} row;

enum { VARIES = -2 };

static int kind_of(const char *name)
{
    static const struct {
        const char *name;
        int kind;
    } kinds[] = {{"ldg", CT_ACCESS_LDG},       {"stg", CT_ACCESS_STG},
                 {"lds", CT_ACCESS_LDS},       {"sts", CT_ACCESS_STS},
                 {"ldgsts", CT_ACCESS_LDGSTS}, {"ldgsts.bypass", CT_ACCESS_LDGSTS_CG},
                 {"ldsm", CT_ACCESS_LDSM},     {"stsm", CT_ACCESS_STSM}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i) {
        if (strcmp(kinds[i].name, name) == 0) return kinds[i].kind;
    }
    fail_msg("unknown kind %s", name);
    return -1;
}

static int number(const char *text)
{
    if (*text == '~') return VARIES;
    return *text ? atoi(text) : -1;
}

/* Reads the offsets of the lanes; none in an empty text. */
static void read_lanes(const char *at, int64_t offset[LANES])
{
    for (int i = 0; i < LANES; ++i) offset[i] = CT_LANE_OFF;
    for (int i = 0; i < LANES && *at; ++i) {
        char *end = (char *)at + 1;
        if (*at != '-') offset[i] = strtoll(at, &end, 10);
        assert_int_equal(*end, i == LANES - 1 ? 0 : ',');
        at = end + 1;
    }
}

/* Reads a row; 0 for a comment. */
static int read_row(char *line, row *r)
{
    static char none[] = "";
    char *column[COLUMNS], *at = line;
    if (*line == '#') return 0;
    line[strcspn(line, "\r\n")] = 0;
    for (int i = 0; i < COLUMNS; ++i) {
        assert_true(at || i >= WANTED);
        column[i] = at ? at : none;
        at = at ? strchr(at, '\t') : NULL;
        if (at) *at++ = 0;
    }
    assert_null(at);
    r->kinds = column[0];
    r->several = strchr(r->kinds, ',') != NULL;
    r->access.bits = atoi(column[1]);
    read_lanes(column[2], r->access.offset);
    read_lanes(column[3], r->access.shared);
    r->requests = number(column[4]);
    r->sectors = number(column[5]);
    r->wavefronts = number(column[6]);
    r->conflicts = number(column[7]);
    r->ideal = number(column[8]);
    return 1;
}

/* Whether a count is what was measured, where it was; more was measured where it is the least. */
static int agrees(int count, int measured, int at_least)
{
    if (measured == VARIES) return at_least;
    return measured == -1 || count == measured || (at_least && count < measured);
}

static int is_right(const row *r, const ct_access_count *c)
{
    if (r->several && r->access.kind <= CT_ACCESS_STG)
        return agrees(c->requests, r->requests, 0) && agrees(c->sectors, r->sectors, 0);
    if (r->several && !ct_access_is_global(r->access.kind))
        return agrees(c->wavefronts, r->wavefronts, 0) && agrees(c->conflicts, r->conflicts, 0) &&
               agrees(c->ideal, r->ideal, 0);
    const int past_l1 = c->at_least && r->access.kind == CT_ACCESS_LDGSTS_CG;
    return agrees(c->requests, r->requests, 0) && agrees(c->sectors, r->sectors, past_l1) &&
           agrees(c->wavefronts, r->wavefronts, c->at_least) &&
           agrees(c->conflicts, r->conflicts, c->at_least) && agrees(c->ideal, r->ideal, 0);
}

/* Counts the access of a row; 0 where the model differs, which it prints. */
static int check_access(const char *path, int line, const row *r)
{
    const ct_access_count c = ct_count_access_by(NULL, &r->access, NULL);
    if (is_right(r, &c)) return 1;
    print_error("%s:%d: %s %d bits: counted requests %d sectors %d wavefronts %d conflicts %d "
                "ideal %d%s, measured %d %d %d %d %d\n",
                path, line, ct_access_name(r->access.kind), r->access.bits, c.requests, c.sectors,
                c.wavefronts, c.conflicts, c.ideal, c.at_least ? " at least" : "", r->requests,
                r->sectors, r->wavefronts, r->conflicts, r->ideal);
    return 0;
}

/* Compares every access of a file, and counts them by kind. */
static void check_file(const char *path, int rows_of[CT_ACCESS_KINDS])
{
    char line[4096];
    row r;
    int wrong = 0;
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    for (int n = 1; fgets(line, sizeof line, file); ++n) {
        if (!read_row(line, &r)) continue;
        for (char *kind = strtok(r.kinds, ","); kind; kind = strtok(NULL, ",")) {
            r.access.kind = kind_of(kind);
            ++rows_of[r.access.kind];
            wrong += !check_access(path, n, &r);
        }
    }
    fclose(file);
    assert_int_equal(wrong, 0);
}

TEST(test_one_warp)
{
    int rows[CT_ACCESS_KINDS] = {0};
    check_file("tests/data/h200_one_warp.tsv", rows);
    assert_int_equal(rows[CT_ACCESS_LDG], 29);
    assert_int_equal(rows[CT_ACCESS_STG], 41);
    assert_int_equal(rows[CT_ACCESS_LDS], 43);
    assert_int_equal(rows[CT_ACCESS_STS], 74);
    assert_int_equal(rows[CT_ACCESS_LDGSTS], 21);
}

TEST(test_pairs)
{
    int rows[CT_ACCESS_KINDS] = {0};
    check_file("tests/data/h200_pairs.tsv", rows);
    assert_int_equal(rows[CT_ACCESS_LDG], 45);
    assert_int_equal(rows[CT_ACCESS_STG], 45);
    assert_int_equal(rows[CT_ACCESS_LDS], 172);
    assert_int_equal(rows[CT_ACCESS_STS], 172);
    assert_int_equal(rows[CT_ACCESS_LDGSTS], 22);
    assert_int_equal(rows[CT_ACCESS_LDSM], 52);
    assert_int_equal(rows[CT_ACCESS_STSM], 44);
}

/* The corpus: chosen and random patterns, by bench/counters. */
TEST(test_corpus)
{
    int rows[CT_ACCESS_KINDS] = {0};
    check_file("tests/data/h200_corpus.tsv", rows);
    assert_int_equal(rows[CT_ACCESS_LDG], 201);
    assert_int_equal(rows[CT_ACCESS_STG], 203);
    assert_int_equal(rows[CT_ACCESS_LDS], 565);
    assert_int_equal(rows[CT_ACCESS_STS], 500);
    assert_int_equal(rows[CT_ACCESS_LDGSTS], 305);
    assert_int_equal(rows[CT_ACCESS_LDGSTS_CG], 115);
    assert_int_equal(rows[CT_ACCESS_LDSM], 119);
    assert_int_equal(rows[CT_ACCESS_STSM], 114);
}

/* The published answers of the hardware for 32 lanes of one 128-bit load each: NVIDIA forums,
 * threads 359822 and 373160. */
TEST(test_published)
{
    int64_t contiguous[LANES], twice[LANES], halves[LANES];
    for (int t = 0; t < LANES; ++t) {
        contiguous[t] = 16 * t;
        twice[t] = 32 * (t % 16);
        halves[t] = 32 * (t / 16);
    }
    ct_access_count c = ct_count_access(CT_ACCESS_LDS, 128, contiguous);
    assert_int_equal(c.wavefronts, 4);
    assert_int_equal(c.conflicts, 0);
    assert_int_equal(ct_count_access(CT_ACCESS_LDS, 128, twice).wavefronts, 8);
    assert_int_equal(ct_count_access(CT_ACCESS_LDS, 128, halves).wavefronts, 2);
    assert_int_equal(ct_count_access(CT_ACCESS_STS, 128, halves).wavefronts, 4);
}

TEST(test_no_lane)
{
    int64_t offset[LANES];
    for (int t = 0; t < LANES; ++t) offset[t] = CT_LANE_OFF;
    for (int kind = 0; kind < CT_ACCESS_KINDS; ++kind) {
        const ct_access_count c = ct_count_access(kind, 128, offset);
        assert_int_equal(c.requests + c.sectors + c.wavefronts + c.conflicts + c.bytes_used, 0);
    }
}

/* Bytes and sectors counted the slow way, over random lanes. */
TEST(test_sectors_and_bytes)
{
    enum { SPAN = 4096, ROUNDS = 2000 };
    static unsigned char touched[SPAN];
    dice rolls = dice_of(1);
    for (int round = 0; round < ROUNDS; ++round) {
        int64_t offset[LANES];
        int bytes = 1 << round % 5, used = 0, sectors = 0;
        memset(touched, 0, sizeof touched);
        for (int t = 0; t < LANES; ++t) {
            const int span = round % 7 ? SPAN : 256;
            offset[t] = dice_int(&rolls, 0, span / bytes - 1) * bytes;
            if (dice_int(&rolls, 0, 15) == 0) offset[t] = CT_LANE_OFF;
            else memset(touched + offset[t], 1, (size_t)bytes);
        }
        for (int i = 0; i < SPAN; i += 32) {
            int any = 0;
            for (int j = i; j < i + 32; ++j) {
                used += touched[j];
                any |= touched[j];
            }
            sectors += any;
        }
        const ct_access_count c = ct_count_access(CT_ACCESS_LDG, 8 * bytes, offset);
        assert_int_equal(c.bytes_used, used);
        assert_int_equal(c.sectors, sectors);
        assert_int_equal(c.requests, 1);
        assert_int_equal(ct_count_access(CT_ACCESS_LDS, 8 * bytes, offset).bytes_used, used);
    }
}

TEST(test_names)
{
    assert_string_equal(ct_access_name(CT_ACCESS_LDG), "LDG");
    assert_string_equal(ct_access_name(CT_ACCESS_LDGSTS_CG), "LDGSTS.BYPASS");
    assert_string_equal(ct_access_name(CT_ACCESS_STSM), "STSM");
    assert_string_equal(ct_access_name(CT_ACCESS_KINDS), "?");
    assert_true(ct_access_is_global(CT_ACCESS_LDGSTS_CG));
    assert_false(ct_access_is_global(CT_ACCESS_LDSM));
}

GROUP("access", NULL, NULL)
