/* How far a command is. */
#include "progress.h"

#include <stdarg.h>
#include <stdio.h>
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

void ct_cli_progress_end(void)
{
    if (state.shown) fputs("\r\033[K", stderr);
    state.shown = 0;
}
