/* Stack overflow of a thread of the grid: it ends the launch with a message, not the program. While
 * launches run, a handler of SIGSEGV tests whether the address is below the running thread's stack.
 * Any other fault goes to the previous handler. */
#define _GNU_SOURCE
#include "check.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)

/* The sanitizers report stack overflow themselves. */
int ct_grid_overflow_begin(ct_grid_state *r) { return r != NULL; }
void ct_grid_overflow_end(ct_grid_state *r) { (void)r; }

#else

enum { HANDLER_BYTES = 128 * 1024 };

static pthread_mutex_t counting = PTHREAD_MUTEX_INITIALIZER;
static int launches; /* running now, each in its own thread of the program */
static struct sigaction before;

static int is_past_stack(const ct_thread *t, uintptr_t at)
{
    const ct_grid_state *r = t->grid;
    const uintptr_t guard = (uintptr_t)r->stacks.base + r->stacks.stride * (size_t)t->index;
    return at >= guard && at < (uintptr_t)t->context.stack;
}

/* Switches from the handler to the scheduler, which does not resume the thread. */
static _Noreturn void fail(ct_thread *t)
{
    const ct_dim3 b = ct_grid_block_of(t), i = t->indices.thread;
    ct_grid_set_message(
        t->grid, CT_GRID_E_MEMORY,
        "kernel %s, block (%u,%u,%u), thread (%u,%u,%u): more local memory than its "
        "%zu bytes of stack; a GPU has 512 KiB for a thread, and stack_bytes sets the "
        "grid's",
        t->grid->kernel->name, b.x, b.y, b.z, i.x, i.y, i.z, t->context.stack_bytes);
    ct_context_switch(&t->context, &t->grid->scheduler);
    __builtin_unreachable();
}

static void on_fault(int signal, siginfo_t *info, void *registers)
{
    if (ct_grid_self && is_past_stack(self(), (uintptr_t)info->si_addr)) fail(self());
    if (before.sa_flags & SA_SIGINFO) {
        before.sa_sigaction(signal, info, registers);
    } else if (before.sa_handler == SIG_DFL || before.sa_handler == SIG_IGN) {
        /* the instruction faults again, with the default action */
        (void)sigaction(SIGSEGV, &(struct sigaction){.sa_handler = SIG_DFL}, NULL);
    } else {
        before.sa_handler(signal);
    }
}

/* The handler needs its own stack: the thread's is full. */
int ct_grid_overflow_begin(ct_grid_state *r)
{
    struct sigaction handler = {.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
    r->handler_stack = malloc(HANDLER_BYTES);
    if (!r->handler_stack) return 0;
    const stack_t own = {.ss_sp = r->handler_stack, .ss_size = HANDLER_BYTES};
    (void)sigaltstack(&own, &r->handler_before);
    handler.sa_sigaction = on_fault;
    pthread_mutex_lock(&counting);
    if (launches++ == 0) (void)sigaction(SIGSEGV, &handler, &before);
    pthread_mutex_unlock(&counting);
    return 1;
}

void ct_grid_overflow_end(ct_grid_state *r)
{
    if (!r->handler_stack) return;
    pthread_mutex_lock(&counting);
    if (--launches == 0) (void)sigaction(SIGSEGV, &before, NULL);
    pthread_mutex_unlock(&counting);
    (void)sigaltstack(&r->handler_before, NULL);
    free(r->handler_stack);
    r->handler_stack = NULL;
}

#endif
