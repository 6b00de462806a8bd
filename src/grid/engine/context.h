/* Coroutines for the threads of a block: a stack each, a switch that costs a few nanoseconds. */
#ifndef CUTLET_SRC_GRID_ENGINE_CONTEXT_H
#define CUTLET_SRC_GRID_ENGINE_CONTEXT_H

#include <stddef.h>

/* A place to come back to. The first one is the caller's own and needs no stack. */
typedef struct ct_context {
    void *stack_pointer; /* where the hand-written switch left the registers */
    void *stack;         /* lowest byte; NULL for the caller's own */
    size_t stack_bytes;
    void *system;        /* ucontext_t, where the switch is the system's */
    void (*entry)(void *);
    void *data;
    void *shadow_stack;  /* of the address sanitizer */
} ct_context;

/* The stacks of n coroutines, each above memory that faults. */
typedef struct ct_stacks {
    void *base; /* NULL when there is no memory */
    int n;
    size_t stack_bytes, stride;
} ct_stacks;

/* At least n. Those that were kept last are taken again where they do: their contents are what was
 * left there. Any thread. */
ct_stacks ct_context_stacks_new(int n, size_t stack_bytes);
void ct_context_stacks_free(ct_stacks stacks, int keep);

/* 0 when there is not enough memory for a context; free what init made. */
int ct_context_init(ct_context *context, void *stack, size_t stack_bytes);
void ct_context_free(ct_context *context);

/* Lets the context begin in entry(data) when it is next switched to; entry must not return. */
void ct_context_start(ct_context *context, void (*entry)(void *), void *data);

/* Leaves `from` here and goes on in `to`. */
void ct_context_switch(ct_context *from, ct_context *to);

/* The first thing that an entry must call: `from` is the context that it was switched to from. */
void ct_context_arrived(ct_context *from);

#endif
