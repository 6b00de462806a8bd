/**
 * What benchmarks say and are told: progress, wrapped text, rates, sizes, numbers and lists.
 */
#ifndef CUTLET_TOOLS_BENCH_HARNESS_REPORT_H
#define CUTLET_TOOLS_BENCH_HARNESS_REPORT_H

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

/** GB/s; 0 where nothing was timed. */
double bench_rate(int64_t bytes, double seconds);

/** a / b; 0 where either is 0. */
double bench_over(double a, double b);

/* ---- sizes in bytes as people read them: 64 KiB, 1.5 MiB ------------------------------------- */

enum { BENCH_SIZE_TEXT = 32 };

/** `64 KiB`, `1.5 MiB`, `1000 bytes`. */
void bench_size_text(char text[BENCH_SIZE_TEXT], int64_t bytes);

#endif
