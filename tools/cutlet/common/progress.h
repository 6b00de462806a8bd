/**
 * How far a command is, on stderr: on a terminal one line that is written over; elsewhere a line
 * now and then, after the first two seconds of work.
 */
#ifndef CUTLET_TOOLS_COMMON_PROGRESS_H
#define CUTLET_TOOLS_COMMON_PROGRESS_H

/** Shows a line: `COMMAND: text`. */
void ct_cli_progress(const char *command, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/** From now on, while the command works: `COMMAND: WHAT, 7 s`, without further calls. */
void ct_cli_progress_begin(const char *command, const char *what);

/** Clears the line of a terminal, before anything else is printed, and ends what ct_cli_progress_begin
 *  began. */
void ct_cli_progress_end(void);

#endif
