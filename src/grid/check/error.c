/* The end of a launch by an error: one line with the site, then a switch to the scheduler. */
#include "check.h"

#include <stdarg.h>
#include <stdio.h>

#include <cutlet/host/text.h>

ct_dim3 ct_grid_thread_index(const ct_grid_state *r, int index)
{
    const ct_dim3 n = r->blocks[0].block_dim;
    const uint32_t i = (uint32_t)(index % r->block_threads);
    const ct_dim3 at = {i % n.x, i / n.x % n.y, i / n.x / n.y};
    return at;
}

void ct_grid_set_message(ct_grid_state *r, int status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    r->report->status = status;
    vsnprintf(r->report->message, sizeof r->report->message, format, args);
    va_end(args);
}

/* Writes "kernel k, block (0,0,0), thread (1,0,0): "; returns its length. */
static int write_site(ct_thread *t, char *text, size_t capacity)
{
    const ct_grid_state *r = t->grid;
    const ct_dim3 b = ct_grid_block_of(t), i = t->indices.thread;
    const int n = snprintf(text, capacity,
                           "kernel %s, block (%u,%u,%u), thread (%u,%u,%u): ", r->kernel->name, b.x,
                           b.y, b.z, i.x, i.y, i.z);
    return n < (int)capacity ? n : (int)capacity - 1;
}

/* The buffer that the access of a mistake is nearest to, and the byte. */
static void set_place(const ct_grid_state *r, ct_grid_report *report)
{
    const uintptr_t p = (uintptr_t)r->accessed;
    uintptr_t least = UINTPTR_MAX;
    for (int i = 0; i < r->options->buffer_count; ++i) {
        const ct_memory *const m = &r->memories[i];
        const uintptr_t begin = (uintptr_t)m->base, end = begin + m->bytes;
        const uintptr_t away = p < begin ? begin - p : p < end ? 0 : p - end;
        if (away >= least) continue;
        least = away;
        report->at_buffer = i + 1;
        report->at_byte = (int64_t)(p - begin);
    }
}

_Noreturn void ct_grid_fail_at(ct_thread *t, const ct_operation *op, int status, const char *format,
                               ...)
{
    ct_grid_report *report = t->grid->report;
    char *text = report->message;
    size_t capacity = sizeof report->message;
    report->status = status;
    if (op->bytes && !op->is_shared) set_place(t->grid, report);
    int n = write_site(t, text, capacity);
    if (op->bytes && !op->engine)
        n += snprintf(text + n, capacity - (size_t)n, "%d-bit ", 8 * op->bytes);
    n += snprintf(text + n, capacity - (size_t)n, "%s at %s: ", op->verb,
                  ct_grid_site_text(op->site).text);
    if (n < (int)capacity) {
        va_list args;
        va_start(args, format);
        vsnprintf(text + n, capacity - (size_t)n, format, args);
        va_end(args);
    }
    ct_context_switch(&self()->context, &t->grid->scheduler); /* t may be a waiting thread */
    __builtin_unreachable(); /* the scheduler does not resume a failed launch */
}

void ct_grid_refuse(ct_grid_site *site, const char *what, const ct_error *why)
{
    char text[CT_MESSAGE_BYTES];
    if (!ct_grid_self) return; /* on the host, the value itself carries the error */
    ct_error_message(*why, text, sizeof text);
    const ct_operation op = {site, what, 0, 0, 0, 0, 0};
    ct_grid_fail_at(self(), &op, CT_GRID_E_CONSTANT, "%s", text);
}

void ct_grid_lacks(ct_grid_site *site, const char *what)
{
    const ct_operation op = {site, what, 0, 0, 0, 0, 0};
    ct_grid_fail_at(self(), &op, CT_GRID_E_ATOM, "the CPU grid has no such instruction");
}

void ct_grid_no_constant(ct_grid_site *site, const char *name, const ct_error *why)
{
    char verb[64];
    snprintf(verb, sizeof verb, "constant %s", name);
    ct_grid_refuse(site, verb, why);
}
