/* cutlet relayout: a signal that ends the command leaves no unfinished file. */
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

#include "guard.h"

/* Those that end a command from outside: keys, a shell that goes, limits, a progress unread. */
static const int signals[] = {SIGINT,  SIGTERM, SIGHUP,  SIGQUIT, SIGPIPE,
                              SIGALRM, SIGXCPU, SIGUSR1, SIGUSR2};
enum { SIGNALS = sizeof signals / sizeof *signals };

static const char *volatile unfinished;
static struct sigaction before[SIGNALS];
static sigset_t mask_before;

/* Removes the file, and ends the command by the very signal, which is what a shell looks at. */
static void end_by(int signal_number)
{
    unlink(unfinished);
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

void ct_relayout_hold(void)
{
    sigset_t set;
    sigemptyset(&set);
    for (int i = 0; i < SIGNALS; ++i) sigaddset(&set, signals[i]);
    sigprocmask(SIG_BLOCK, &set, &mask_before);
}

void ct_relayout_guard(const char *path)
{
    struct sigaction action = {.sa_handler = end_by};
    sigfillset(&action.sa_mask);
    for (int i = 0; i < SIGNALS; ++i) {
        if (path && !unfinished) {
            sigaction(signals[i], NULL, &before[i]);
            if (before[i].sa_handler == SIG_IGN) continue; /* as nohup asks for */
            sigaction(signals[i], &action, NULL);
        } else if (!path && unfinished) {
            sigaction(signals[i], &before[i], NULL);
        }
    }
    unfinished = path;
    sigprocmask(SIG_SETMASK, &mask_before, NULL);
}
