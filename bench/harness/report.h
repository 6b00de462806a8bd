/**
 * What benchmarks say: progress, wrapped text, and rows of figures whose names are those of JSON
 * (json.h) and of tab-separated values alike.
 */
#ifndef CUTLET_BENCH_HARNESS_REPORT_H
#define CUTLET_BENCH_HARNESS_REPORT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/** Shows a line on stderr in place of the last one; nothing where stderr is no terminal. */
void bench_tell(const char *format, ...) __attribute__((format(printf, 1, 2)));

/** Takes the line away: before anything else is printed. */
void bench_tell_end(void);

/** Prints words in lines of at most 100 columns, and ends the last line. */
void bench_print_wrapped(FILE *stream, const char *text);

/** Whether a name is one of those between the commas of a list; NULL: of all. */
int bench_is_among(const char *list, const char *name);

/** Reads a number from least to most. 0; or -1 where it is something else. */
int bench_read_number(const char *text, int64_t least, int64_t most, int64_t *out);

/** GB/s; 0 where nothing was timed. */
double bench_rate(int64_t bytes, double seconds);

/** a / b; 0 where either is 0. */
double bench_over(double a, double b);

/** What a field of a row is. From BENCH_SECONDS on they are read back from a stored run. */
enum {
    BENCH_WORDS,   /* a const char *, not known where it is NULL or empty */
    BENCH_FIGURE,  /* a double, not known where it is 0 */
    BENCH_SECONDS, /* the same */
    BENCH_COUNT,   /* an int32_t, not negative */
    BENCH_LONG     /* an int64_t, not negative */
};

/** A field: where in the row's structure it lies. */
typedef struct bench_field {
    const char *name;
    int kind;
    size_t at;
} bench_field;

/** The names of so many fields, and the fields of a row, with tabs between. */
void bench_tsv_names(FILE *tsv, const bench_field *fields, int count);
void bench_tsv_row(FILE *tsv, const bench_field *fields, int count, const void *row);

#endif
