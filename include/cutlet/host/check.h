/**
 * Files of assertions: layout unit tests.
 *
 *     # a comment
 *     composition((6,2):(8,2), (4,3):(3,1)) == ((2,2),3):((24,2),8)
 *     coalesce((2,(1,6)):(1,(6,2))) ~ (2,6):(1,2)
 *     complement((2,2):(2,6), 24) == error
 *
 * `==` asks for the same shape, stride and nesting, `~` for the same function of the index, `<=` and
 * `>=` for integers that are so, and `== error` for an operation that fails. A byte-order mark is
 * skipped.
 *
 * Cost:     that of the expressions; of `~` that of ct_value_same_function.
 * In C:     static const char text[] = "coalesce((4,8):(1,4)) == 32:1\n"
 *                                      "coalesce((4,8):(1,8)) == 32:1 # this fails\n";
 *           ct_check_counts counts = {0};
 *           FILE *const report = tmpfile();
 *           ct_check_text("mine.check", text, strlen(text), CT_CHECK_LINES, report, &counts);
 *           assert(counts.passed == 1 && counts.failed == 1 && counts.bad == 0);
 *           char line[80];
 *           rewind(report);
 *           assert(fgets(line, sizeof line, report));
 *           assert(strncmp(line, "mine.check:2: coalesce((4,8):(1,8)) == 32:1", 43) == 0);
 *           fclose(report);
 */
#ifndef CUTLET_HOST_CHECK_H
#define CUTLET_HOST_CHECK_H

#include <stdint.h>
#include <stdio.h>

#include <cutlet/host/eval.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What became of a line. */
enum {
    CT_CHECK_BLANK = 0, /* nothing to check: empty, or a comment */
    CT_CHECK_PASSED,
    CT_CHECK_FAILED,
    CT_CHECK_BAD /* not an assertion, or a text that cannot be read */
};

typedef struct ct_verdict {
    int32_t outcome;      /* CT_CHECK_... */
    char *got, *expected; /* both sides as text when the line failed, otherwise NULL */
    char note[192];       /* the difference of the sides, if their texts are equal; may be empty */
    ct_diag diag;         /* why a line is bad; places count from the beginning of the line */
} ct_verdict;

typedef struct ct_check_counts {
    int64_t passed, failed; /* a bad line counts as failed, too */
    int64_t bad;
} ct_check_counts;

/**
 * Checks one line of `length` bytes, which may end in a comment. *v is to be released with
 * ct_verdict_free.
 *
 * Returns:  the outcome, CT_CHECK_...; v->outcome is the same.
 * In C:     ct_verdict v;
 *           assert(ct_check_line("size((4,8)) == 33", 17, &v) == CT_CHECK_FAILED);
 *           assert(strcmp(v.got, "32") == 0 && strcmp(v.expected, "33") == 0);
 *           ct_verdict_free(&v);
 *           assert(ct_check_line("(4,8):(8,1 == 1", 15, &v) == CT_CHECK_BAD);
 *           assert(v.diag.at == 6); // the parenthesis that is never closed
 *           ct_verdict_free(&v);
 */
int ct_check_line(const char *line, size_t length, ct_verdict *v);

/**
 * Releases the texts of a verdict; it may be called again. See ct_check_line.
 * Cost:     O(1).
 * In C:     ct_verdict v;
 *           ct_check_line("4:1 == 4:2", 10, &v);
 *           ct_verdict_free(&v);
 *           assert(v.got == NULL && v.expected == NULL);
 */
void ct_verdict_free(ct_verdict *v);

/** The lines of a text that are assertions: all or, in a source file, those after `Example:` at the
 * beginning of a comment line. An incomplete one continues in the next line. */
enum { CT_CHECK_LINES = 0, CT_CHECK_EXAMPLES };

/**
 * Checks every line of a text, adds to *counts, and writes a report of each failing line to report,
 * unless that is NULL:
 *
 *     NAME:LINE: composition(4:1, 2:1) == 2:2
 *       got       2:1
 *       expected  2:2
 */
void ct_check_text(const char *name, const char *text, size_t length, int which, FILE *report,
                   ct_check_counts *counts);

/**
 * Checks every line of a file; "-" is standard input. An assertion that fails is not an error of
 * the function: *counts has it.
 * Fails:    CT_E_FILE where it cannot be read; CT_E_MEMORY. One line in message, and *counts as it
 *           was.
 * In C:     ct_check_counts counts = {0};
 *           char message[CT_MESSAGE_BYTES];
 *           assert(ct_check_file("no such file", CT_CHECK_LINES, NULL, &counts, message) ==
 *                  CT_E_FILE);
 */
ct_status ct_check_file(const char *path, int which, FILE *report, ct_check_counts *counts,
                        char message[CT_MESSAGE_BYTES]);

/** A line that was checked, as a visitor is told of it. */
typedef struct ct_check_result {
    const char *name; /* of the file */
    int64_t number;   /* of the line, from 1 */
    const char *line;
    size_t length;
    const ct_verdict *verdict;
} ct_check_result;

typedef void ct_check_visit(void *user, const ct_check_result *line);

/**
 * The same, and each line that is an assertion, or cannot be read, is told to visit.
 * Fails:    as ct_check_file.
 * In C:     ct_check_counts counts = {0}; // a visitor would count
 *           char message[CT_MESSAGE_BYTES];
 *           assert(ct_check_each("no such file", CT_CHECK_LINES, NULL, &counts, message) ==
 *                  CT_E_FILE);
 */
ct_status ct_check_each(const char *path, int which, ct_check_visit *visit, void *user,
                        char message[CT_MESSAGE_BYTES]);

/**
 * Writes the report of a line that failed, as ct_check_text does; of another, nothing.
 * In C:     ct_verdict v;
 *           ct_check_line("4:1 == 4:2", 10, &v);
 *           const ct_check_result line = {"mine.check", 1, "4:1 == 4:2", 10, &v};
 *           FILE *const report = tmpfile();
 *           ct_check_report(&line, report);
 *           assert(ftell(report) > 0);
 *           fclose(report);
 *           ct_verdict_free(&v);
 */
void ct_check_report(const ct_check_result *line, FILE *report);

/**
 * Adds an outcome to the counts.
 * Cost:     O(1).
 * In C:     ct_check_counts counts = {0};
 *           ct_check_count(&counts, CT_CHECK_BAD);
 *           assert(counts.failed == 1 && counts.bad == 1);
 */
void ct_check_count(ct_check_counts *counts, int outcome);

/** @internal Writes a message about a place in a line: `WHERE: message`, the line, and a caret
 *  under the place. Of a long line, the part around the place. */
void ct_report_place(FILE *stream, const char *where, const char *line, size_t length, size_t at,
                     size_t width, const char *message);

#ifdef __cplusplus
}
#endif

#endif
