/* Files of assertions; see include/cutlet/host/check.h. */
#include <cutlet/host/check.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/refuse.h"
#include "base/style.h"
#include "cute.h"
#include "evaluate.h"
#include "offsets.h"

static int is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

/* `at most 4`. */
static char *bound_text(const char *words, const ct_value *v)
{
    char *const value = ct_value_text(v), *const text =
                                              value ? malloc(strlen(words) + strlen(value) + 1)
                                                    : NULL;
    if (text) strcat(strcpy(text, words), value);
    free(value);
    return text;
}

static char *copy_text(const char *s)
{
    char *text = malloc(strlen(s) + 1);
    return text ? strcpy(text, s) : NULL;
}

static int bad(ct_verdict *v) { return v->outcome = CT_CHECK_BAD; }

static int bad_at(ct_verdict *v, size_t at, size_t length, const char *message)
{
    v->diag.at = at;
    v->diag.length = length ? length : 1;
    snprintf(v->diag.message, sizeof v->diag.message, "%s", message);
    return bad(v);
}

/* A == error: the left side must be a failed operation, or text that gives no layout. */
static int check_error(const ct_assertion *c, ct_verdict *v)
{
    ct_value a;
    ct_evaluate_span(&c->left, &a, &v->diag, NULL, NULL);
    if (a.kind == CT_KIND_NONE) return bad(v);
    v->outcome = a.kind == CT_KIND_ERROR ? CT_CHECK_PASSED : CT_CHECK_FAILED;
    if (v->outcome == CT_CHECK_FAILED) {
        v->got = ct_value_text(&a);
        v->expected = copy_text("error");
    }
    ct_value_free(&a);
    return v->outcome;
}

/* What the texts do not show: where two functions differ. */
static void describe_difference(const ct_value *a, const ct_value *b, int64_t index, ct_verdict *v)
{
    if (index < 0) {
        snprintf(v->note, sizeof v->note, "the sizes differ");
        return;
    }
    char x[64], y[64];
    ct_format_tuple(x, sizeof x, ct_function_at(a, index));
    ct_format_tuple(y, sizeof y, ct_function_at(b, index));
    snprintf(v->note, sizeof v->note, "at index %lld: %s against %s", (long long)index, x, y);
}

static int check_sides(const ct_assertion *c, ct_verdict *v)
{
    ct_value a, b;
    int64_t index = -1;
    if (ct_is_unread(ct_evaluate_span(&c->left, &a, &v->diag, NULL, NULL))) return bad(v);
    if (ct_is_unread(ct_evaluate_span(&c->right, &b, &v->diag, NULL, NULL))) {
        ct_value_free(&a);
        return bad(v);
    }
    int same = 0;
    const int failed = a.kind == CT_KIND_ERROR || b.kind == CT_KIND_ERROR;
    if (!failed && c->left.assumed && ct_check_assumed(c, &a, &b, &v->diag)) same = -1;
    else if (!failed) same = ct_compare_sides(&a, &b, c, &index, &v->diag);
    if (same < 0) bad(v);
    else if (same) {
        v->outcome = CT_CHECK_PASSED;
    } else {
        v->outcome = CT_CHECK_FAILED;
        v->got = ct_value_text(&a);
        v->expected = c->kind == CT_COMPARE_MOST    ? bound_text("at most ", &b)
                      : c->kind == CT_COMPARE_LEAST ? bound_text("at least ", &b)
                                                    : ct_value_text(&b);
        if (!failed && c->kind == CT_COMPARE_SAME) describe_difference(&a, &b, index, v);
    }
    ct_value_free(&a);
    ct_value_free(&b);
    return v->outcome;
}

int ct_check_line(const char *line, size_t length, ct_verdict *v)
{
    ct_assertion c;
    memset(v, 0, sizeof *v);
    length = ct_text_without_comment(line, length);
    while (length > 0 && is_space(line[length - 1])) --length;
    size_t begin = 0;
    while (begin < length && is_space(line[begin])) ++begin;
    if (begin == length) return v->outcome = CT_CHECK_BLANK;
    if (ct_find_assertion(line, length, &c, &v->diag)) return bad(v);
    if (c.kind != CT_COMPARE_ERROR) ct_assume_unknown(&c);
    if (c.kind == CT_COMPARE_NONE) {
        ct_value a;
        if (ct_is_unread(ct_evaluate_span(&c.left, &a, &v->diag, NULL, NULL))) return bad(v);
        ct_value_free(&a);
        return bad_at(
            v, begin, length - begin,
            "not an assertion: `== VALUE`, `~ VALUE`, `<= N`, `>= N` or `== error` is missing");
    }
    return c.kind == CT_COMPARE_ERROR ? check_error(&c, v) : check_sides(&c, v);
}

void ct_verdict_free(ct_verdict *v)
{
    free(v->got);
    free(v->expected);
    v->got = v->expected = NULL;
}

static void trim(const char **line, size_t *length)
{
    while (*length > 0 && is_space(**line)) {
        ++*line;
        --*length;
    }
    while (*length > 0 && is_space((*line)[*length - 1])) --*length;
}

/* Says in whose notation a line is that is not cutlet's own. */
static void report_notation(const char *line, size_t length, FILE *report)
{
    const char *const notation = ct_notation_of(line, ct_text_without_comment(line, length));
    if (notation) fprintf(report, "  read as   %s\n", notation);
}

static void report_line(const ct_check_result *c, FILE *report)
{
    const char *line = c->line;
    size_t length = c->length;
    trim(&line, &length);
    ct_put_style(report, CT_STYLE_BAD);
    fprintf(report, "%s:%lld:", c->name, (long long)c->number);
    ct_put_style(report, CT_STYLE_NONE);
    fprintf(report, " %.*s\n", (int)(length < 4000 ? length : 4000), line);
    fprintf(report, "  got       %s\n", c->verdict->got ? c->verdict->got : "(out of memory)");
    fprintf(report, "  expected  %s\n",
            c->verdict->expected ? c->verdict->expected : "(out of memory)");
    if (c->verdict->note[0]) fprintf(report, "  %s\n", c->verdict->note);
    report_notation(line, length, report);
}

void ct_check_report(const ct_check_result *c, FILE *report)
{
    if (c->verdict->outcome == CT_CHECK_FAILED) report_line(c, report);
    if (c->verdict->outcome != CT_CHECK_BAD) return;
    char where[512];
    const ct_diag *d = &c->verdict->diag;
    snprintf(where, sizeof where, "%s:%lld:%zu", c->name, (long long)c->number, d->at + 1);
    ct_report_place(report, where, c->line, c->length, d->at, d->length, d->message);
    report_notation(c->line, c->length, report);
}

void ct_check_count(ct_check_counts *counts, int outcome)
{
    counts->passed += outcome == CT_CHECK_PASSED;
    counts->failed += outcome == CT_CHECK_FAILED || outcome == CT_CHECK_BAD;
    counts->bad += outcome == CT_CHECK_BAD;
}

static void check_one(const char *name, int64_t number, const char *line, size_t length,
                      ct_check_visit *visit, void *user)
{
    ct_verdict v;
    ct_check_line(line, length, &v);
    const ct_check_result c = {name, number, line, length, &v};
    if (v.outcome != CT_CHECK_BLANK) visit(user, &c);
    ct_verdict_free(&v);
}

static size_t line_length(const char *text, size_t length)
{
    const char *end = memchr(text, '\n', length);
    return end ? (size_t)(end - text) : length;
}

/* Appends the part of a comment line that is not its ` * ` or `// `. */
static size_t append_comment(char *all, size_t n, size_t capacity, const char *line, size_t length)
{
    while (length > 0 && (is_space(*line) || *line == '*' || *line == '/')) {
        ++line;
        --length;
    }
    while (length > 0 && is_space(line[length - 1])) --length;
    if (length >= 2 && memcmp(line + length - 2, "*/", 2) == 0) length -= 2;
    if (n > 0 && n < capacity) all[n++] = ' ';
    for (size_t i = 0; i < length && n < capacity; ++i) all[n++] = line[i];
    return n;
}

/* Whether an example is complete: its brackets are closed, and a comparison has a right side. */
static int is_complete(const char *s, size_t n)
{
    int level = 0, sign = 0, right = 0;
    for (size_t i = 0; i < n; ++i) {
        if (s[i] == '(') ++level;
        if (s[i] == ')') --level;
        if (sign && !is_space(s[i]) && s[i] != '=') right = 1;
        if (s[i] == '~' || (i + 1 < n && s[i + 1] == '=')) sign = 1;
    }
    return level <= 0 && right;
}

static void check_examples(const char *name, const char *text, size_t length, ct_check_visit *visit,
                           void *user)
{
    static const char mark[] = "Example:";
    char all[2048];
    int64_t number = 1;
    size_t at = 0;
    while (at < length) {
        size_t n = line_length(text + at, length - at), i = 0;
        const int64_t first = number;
        while (i < n && (is_space(text[at + i]) || text[at + i] == '*' || text[at + i] == '/')) ++i;
        if (i + sizeof mark - 1 <= n && memcmp(text + at + i, mark, sizeof mark - 1) == 0) {
            i += sizeof mark - 1;
            size_t m = append_comment(all, 0, sizeof all, text + at + i, n - i);
            for (int more = 0; more < 4 && !is_complete(all, m) && at + n + 1 < length; ++more) {
                at += n + 1;
                ++number;
                n = line_length(text + at, length - at);
                m = append_comment(all, m, sizeof all, text + at, n);
            }
            check_one(name, first, all, m, visit, user);
        }
        at += n + 1;
        ++number;
    }
}

enum { MARK = 3 }; /* bytes of a byte-order mark */

static void check_each(const char *name, const char *text, size_t length, int which,
                       ct_check_visit *visit, void *user)
{
    if (length >= MARK && memcmp(text, "\xef\xbb\xbf", MARK) == 0) {
        text += MARK;
        length -= MARK;
    }
    if (which == CT_CHECK_EXAMPLES) {
        check_examples(name, text, length, visit, user);
        return;
    }
    int64_t number = 1;
    for (size_t at = 0; at < length; ++number) {
        const size_t n = line_length(text + at, length - at);
        check_one(name, number, text + at, n, visit, user);
        at += n + 1;
    }
}

/* What ct_check_text does with a line. */
typedef struct reporter {
    FILE *report;
    ct_check_counts *counts;
} reporter;

static void report_one(void *user, const ct_check_result *c)
{
    const reporter *r = user;
    ct_check_count(r->counts, c->verdict->outcome);
    if (r->report) ct_check_report(c, r->report);
}

void ct_check_text(const char *name, const char *text, size_t length, int which, FILE *report,
                   ct_check_counts *counts)
{
    reporter r = {report, counts};
    check_each(name, text, length, which, report_one, &r);
}

/* The full stream, or NULL. */
static char *read_stream(FILE *f, size_t *length)
{
    size_t capacity = 1 << 16, n = 0;
    char *text = malloc(capacity);
    while (text) {
        n += fread(text + n, 1, capacity - n, f);
        if (n < capacity) break;
        char *more = realloc(text, capacity *= 2);
        if (!more) free(text);
        text = more;
    }
    if (text && ferror(f)) {
        free(text);
        text = NULL;
    }
    *length = n;
    return text;
}

ct_status ct_check_each(const char *path, int which, ct_check_visit *visit, void *user,
                        char message[CT_MESSAGE_BYTES])
{
    const int standard = strcmp(path, "-") == 0;
    FILE *f = standard ? stdin : fopen(path, "rb");
    size_t length = 0;
    errno = f ? 0 : errno;
    char *text = f ? read_stream(f, &length) : NULL;
    const int reason = errno;
    if (f && !standard) fclose(f);
    if (!text)
        return ct_refuse(message, reason == ENOMEM ? CT_E_MEMORY : CT_E_FILE, "%.200s: %s", path,
                         reason ? strerror(reason) : "cannot be read");
    check_each(standard ? "<stdin>" : path, text, length, which, visit, user);
    free(text);
    return 0;
}

ct_status ct_check_file(const char *path, int which, FILE *report, ct_check_counts *counts,
                        char message[CT_MESSAGE_BYTES])
{
    reporter r = {report, counts};
    return ct_check_each(path, which, report_one, &r, message);
}
