/* How far a command is. */
#include "progress.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "cli.h"

#define FIRST_SECONDS 2 /* of this process: what a busy machine adds does not count */
#define STEP_SECONDS 5.0
#define TERMINAL_SECONDS 0.1

static struct {
    double last; /* 0: not yet */
    int shown;   /* whether a line stands on the terminal */
} state;

/* Whether enough time has passed. */
static int is_due(int terminal)
{
    const double now = ct_now();
    const double step = terminal ? TERMINAL_SECONDS : STEP_SECONDS;
    if (!terminal && clock() < (clock_t)FIRST_SECONDS * CLOCKS_PER_SEC) return 0;
    if (state.last > 0 && now - state.last < step) return 0;
    state.last = now;
    return 1;
}

void ct_cli_progress(const char *command, const char *format, ...)
{
    const int terminal = isatty(STDERR_FILENO);
    va_list args;
    if (!is_due(terminal)) return;
    fprintf(stderr, "%s%s %s: ", terminal ? "\r\033[K" : "", ct_program, command);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    if (!terminal) fputc('\n', stderr);
    state.shown = terminal;
}

/* What stands in a line that a timer writes, and the seconds of work. */
static struct {
    char text[160];
    int length, seconds, step, on;
} watch;

/* Writes the line; only what a signal may call. */
static void on_timer(int signal)
{
    char line[192];
    int n = watch.length, digits = 1;
    (void)signal;
    watch.seconds += watch.step;
    memcpy(line, watch.text, (size_t)n);
    for (int s = watch.seconds; s >= 10; s /= 10) digits *= 10;
    for (; digits > 0; digits /= 10) line[n++] = (char)('0' + watch.seconds / digits % 10);
    memcpy(line + n, state.shown ? " s" : " s\n", 3);
    if (write(STDERR_FILENO, line, (size_t)n + (state.shown ? 2 : 3)) < 0) watch.on = 0;
}

void ct_cli_progress_begin(const char *command, const char *what)
{
    const int terminal = isatty(STDERR_FILENO);
    const struct sigaction act = {.sa_handler = on_timer, .sa_flags = SA_RESTART};
    const struct itimerval every = {{FIRST_SECONDS, 0}, {FIRST_SECONDS, 0}};
    watch.length = snprintf(watch.text, sizeof watch.text, "%s%s %s: %.80s, ",
                            terminal ? "\r\033[K" : "", ct_program, command, what);
    watch.seconds = 0;
    watch.step = FIRST_SECONDS;
    state.shown = terminal;
    watch.on = sigaction(SIGPROF, &act, NULL) == 0 && setitimer(ITIMER_PROF, &every, NULL) == 0;
}

void ct_cli_progress_end(void)
{
    static const struct itimerval never;
    if (watch.on) setitimer(ITIMER_PROF, &never, NULL);
    watch.on = 0;
    if (state.shown) fputs("\r\033[K", stderr);
    state.shown = 0;
}
