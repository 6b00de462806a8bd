/* cutlet access --batch: a table of accesses, each compared with the counters that it gives. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/refuse.h"
#include "../common/cli.h"
#include "access.h"
#include "base/number.h"

enum { COLUMNS = 24, GIVEN = 5, KINDS = 8 };

/* What a column holds: the first four say what the access is, the others what was counted. */
/* clang-format off */
enum { IS_KIND, IS_BITS, IS_LANES, IS_SHARED, IS_REQUESTS, IS_SECTORS, IS_WAVEFRONTS, IS_IDEAL,
       IS_CONFLICTS, IS_OTHER };
static const char *const names[] = {"kind",       "bits",  "lanes",     "shared", "requests",
                                    /* clang-format on */
                                    "sectors", "wavefronts", "ideal", "conflicts"};

/* A file that is read. */
typedef struct table {
    const ct_access_arguments *a;
    const char *path;
    int line;
    int column[COLUMNS], columns; /* what each holds */
    int64_t passed, failed, without, malformed;
    int64_t from_below; /* passed where the count is the least that the hardware takes */
} table;

/* One row: accesses of one or several kinds that have the same counters. */
typedef struct row {
    ct_access access;
    int kind[KINDS], kinds;
    int has_shared;
    int64_t given[GIVEN]; /* requests to conflicts; -1 where the file has none, or VARIES */
} row;

enum { VARIES = -2 }; /* `~`: the hardware did not give the same number each time */

static int malformed(table *t, const char *why)
{
    fflush(stdout);
    ct_cli_complain("access", "%s:%d: %s", t->path, t->line, why);
    ++t->malformed;
    return -1;
}

/* `# columns: kind bits ..` says what stands in the columns from there on. */
static void read_header(table *t, char *line)
{
    char *at = line + 1 + strspn(line + 1, " \t"), *next = NULL;
    int n = 0, seen = 0, column[COLUMNS];
    if (strncmp(at, "columns:", 8) != 0) return;
    for (char *word = strtok_r(at + 8, " \t,", &next); word && n < COLUMNS;
         word = strtok_r(NULL, " \t,", &next)) {
        int k = 0;
        while (k < IS_OTHER && strcmp(names[k], word) != 0) ++k;
        if (k < IS_OTHER && seen >> k & 1) {
            malformed(t, "a column is named twice");
            return;
        }
        seen |= 1 << k;
        column[n++] = k;
    }
    if (n == 0 || (seen & 7) != 7) {
        malformed(t, "columns: names the columns, kind, bits and lanes among them");
        return;
    }
    memcpy(t->column, column, sizeof column);
    t->columns = n;
}

/* A counter: a number, or nothing. */
static int read_counter(const char *text, int64_t *out)
{
    *out = strcmp(text, "~") == 0 ? VARIES : -1;
    return *text == 0 || *out == VARIES ? 0 : ct_number_read(text, 0, INT64_MAX, out);
}

/* `lds`, or `lds,sts` for several. */
static ct_status read_kinds(row *r, const char *text, char *why)
{
    while (r->kinds < KINDS) {
        char name[41];
        const int length = (int)strcspn(text, ",");
        snprintf(name, sizeof name, "%.*s", length, text);
        const int kind = ct_access_kind_named(name);
        if (kind < 0) return ct_refuse(why, CT_E_ARGUMENT, "there is no kind of access `%s`", name);
        r->kind[r->kinds++] = kind;
        if (!text[length]) return 0;
        text += length + 1;
    }
    return ct_refuse(why, CT_E_ARGUMENT, "a row has at most %d kinds", KINDS);
}

static ct_status read_cell(row *r, int what, const char *text, char *why)
{
    switch (what) {
        case IS_KIND: return read_kinds(r, text, why);
        case IS_BITS: {
            int64_t bits = -1;
            if (read_counter(text, &bits) || bits < 1 || bits > 256)
                return ct_refuse(why, CT_E_ARGUMENT, "an access has 8 to 256 bits, not `%.40s`",
                                 text);
            r->access.bits = (int32_t)bits;
            return 0;
        }
        case IS_LANES: return ct_access_read_lanes(text, r->access.offset, why);
        case IS_SHARED:
            r->has_shared = *text != 0;
            return *text ? ct_access_read_lanes(text, r->access.shared, why) : 0;
        case IS_OTHER: return 0;
        default:
            if (read_counter(text, &r->given[what - IS_REQUESTS]) == 0) return 0;
            return ct_refuse(why, CT_E_ARGUMENT, "%s is `%.40s`; it is a number or empty",
                             names[what], text);
    }
}

/* Reads the cells of a line. 0, or -1 after a complaint. */
static int read_row(table *t, char *line, row *r)
{
    char why[CT_MESSAGE_BYTES];
    char *at = line;
    int n = 0, seen = 0;
    memset(r, 0, sizeof *r);
    for (int i = 0; i < GIVEN; ++i) r->given[i] = -1;
    for (int t = 0; t < 32; ++t) r->access.shared[t] = CT_LANE_OFF;
    for (; at; ++n) {
        char *tab = strchr(at, '\t');
        if (tab) *tab = 0;
        if (n == t->columns && *at) {
            snprintf(why, sizeof why, "more than %d columns; a comment `# columns: ..` names them",
                     t->columns);
            return malformed(t, why);
        }
        if (n < t->columns && read_cell(r, t->column[n], at, why)) return malformed(t, why);
        if (n < t->columns) seen |= 1 << t->column[n];
        at = tab ? tab + 1 : NULL;
    }
    if ((seen & 7) != 7) return malformed(t, "a row has at least a kind, bits and lanes");
    for (int i = 0; i < r->kinds; ++i) {
        r->access.kind = r->kind[i];
        if (r->has_shared && r->access.kind != CT_ACCESS_LDGSTS &&
            r->access.kind != CT_ACCESS_LDGSTS_CG)
            return malformed(t, "only ldgsts has bytes of shared memory beside those of its lanes");
        if (ct_access_check(&r->access, r->has_shared, why)) return malformed(t, why);
    }
    return 0;
}

/* Whether the hardware may take more than count i: wavefronts and conflicts of the shared side of a
 * cp.async, past L1 sectors as well. */
static int is_least(int i, const ct_access_count *c, int kind)
{
    const int what = IS_REQUESTS + i;
    return c->at_least && (what == IS_WAVEFRONTS || what == IS_CONFLICTS ||
                           (what == IS_SECTORS && kind == CT_ACCESS_LDGSTS_CG));
}

/* Whether counter i is what the file says; where the count is the least, more is right too. */
static int agrees(int64_t given, int64_t got, int least)
{
    if (given == -1 || given == got) return 1;
    return least && (given == VARIES || given > got);
}

/* Compares the access of a row with what the row gives; prints it where they differ, and where it
 * gives nothing. */
static void check_access(table *t, const row *r)
{
    const ct_access_count c = ct_count_access_by(t->a->rules, &r->access, NULL);
    const int64_t got[GIVEN] = {c.requests, c.sectors, c.wavefronts, c.ideal, c.conflicts};
    int given = 0, wrong = 0, from_below = 0;
    for (int i = 0; i < GIVEN; ++i) {
        const int least = is_least(i, &c, r->access.kind);
        given += r->given[i] != -1;
        from_below += r->given[i] != -1 && least;
        wrong += !agrees(r->given[i], got[i], least);
    }
    t->without += !given;
    t->passed += given && !wrong;
    t->from_below += from_below > 0 && !wrong;
    t->failed += wrong > 0;
    if (given && !wrong) return;
    printf("%s:%d: %s %d bits: counted", t->path, t->line, ct_access_name(r->access.kind),
           r->access.bits);
    for (int i = 0; i < GIVEN; ++i) {
        if (!given || r->given[i] != -1)
            printf(" %s %lld", names[IS_REQUESTS + i], (long long)got[i]);
    }
    fputs(given ? ", the file says" : ", the file has no counters", stdout);
    for (int i = 0; i < GIVEN; ++i) {
        if (r->given[i] >= 0) printf(" %s %lld", names[IS_REQUESTS + i], (long long)r->given[i]);
        else if (r->given[i] == VARIES) printf(" %s ~", names[IS_REQUESTS + i]);
    }
    putchar('\n');
}

/* Whether counter i is one of the kind: of global memory, of shared memory, or of both. */
static int applies(int i, int kind)
{
    const int is_async = kind == CT_ACCESS_LDGSTS || kind == CT_ACCESS_LDGSTS_CG;
    return is_async || (IS_REQUESTS + i <= IS_SECTORS) == ct_access_is_global(kind);
}

/* Each access of a row. Among several kinds a counter is that of the kinds that it applies to. */
static void check_row(table *t, const row *r)
{
    for (int k = 0; k < r->kinds; ++k) {
        row one = *r;
        one.access.kind = r->kind[k];
        for (int i = 0; i < GIVEN && r->kinds > 1; ++i)
            if (!applies(i, r->kind[k])) one.given[i] = -1;
        check_access(t, &one);
    }
}

static void read_all(table *t, FILE *file)
{
    char *line = NULL;
    size_t capacity = 0;
    ssize_t n;
    row r;
    while ((n = getline(&line, &capacity, file)) >= 0) {
        ++t->line;
        if (strlen(line) < (size_t)n) {
            malformed(t, "the line has a byte of 0");
            continue;
        }
        line[strcspn(line, "\r\n")] = 0;
        if (line[0] == '#') read_header(t, line);
        else if (line[strspn(line, " \t")] && read_row(t, line, &r) == 0) check_row(t, &r);
    }
    free(line);
}

int ct_access_run_batch(const ct_access_arguments *a)
{
    static const int columns[] = {IS_KIND,     IS_BITS,    IS_LANES,      IS_SHARED,
                                  IS_REQUESTS, IS_SECTORS, IS_WAVEFRONTS, IS_CONFLICTS};
    table t = {.a = a, .path = a->batch, .columns = sizeof columns / sizeof *columns};
    const int is_stdin = strcmp(a->batch, "-") == 0;
    FILE *file = is_stdin ? stdin : fopen(a->batch, "r");
    memcpy(t.column, columns, sizeof columns);
    if (!file) {
        ct_cli_complain("access", "%s: %s", a->batch, strerror(errno));
        return CT_EXIT_BAD;
    }
    errno = 0;
    read_all(&t, file);
    const int bad = !feof(file), reason = errno;
    if (bad) ct_cli_complain("access", "%s: %s", a->batch, strerror(reason ? reason : EIO));
    if (!is_stdin) fclose(file);
    if (t.without)
        printf("%lld without a counter: neither passed nor failed\n", (long long)t.without);
    if (t.from_below)
        printf("%lld of those that passed were compared as lower bounds\n",
               (long long)t.from_below);
    if (!bad && !t.malformed && t.passed + t.failed + t.without == 0) {
        ct_cli_complain("access", "%s: it has no rows", a->batch);
        return CT_EXIT_BAD;
    }
    printf("%lld passed, %lld failed\n", (long long)t.passed, (long long)t.failed);
    return bad || t.malformed ? CT_EXIT_BAD : t.failed ? CT_EXIT_FAILED : CT_EXIT_OK;
}
