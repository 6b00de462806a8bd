/**
 * What a terminal is told while it waits: one line on stderr, which is gone in the end.
 */
#ifndef CUTLET_BENCH_COMMAND_PROGRESS_H
#define CUTLET_BENCH_COMMAND_PROGRESS_H

/** Shows a line in place of the last one; nothing where stderr is no terminal. */
void bench_tell(const char *format, ...) __attribute__((format(printf, 1, 2)));

/** Takes the line away: before anything else is printed. */
void bench_tell_end(void);

#endif
