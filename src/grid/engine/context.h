/* Coroutines for the threads of a block: each has a stack; a switch takes a few nanoseconds. */
#ifndef CUTLET_SRC_GRID_ENGINE_CONTEXT_H
#define CUTLET_SRC_GRID_ENGINE_CONTEXT_H

#include <stddef.h>

/* A coroutine. The first one is the caller itself, and needs no stack. */
typedef struct ct_context {
    void *stack_pointer; /* the registers saved by the hand-written switch */
    void *stack;         /* its lowest byte; NULL for the caller */
    size_t stack_bytes;
    void *system; /* ucontext_t, if the system switches */
    void (*entry)(void *);
    void *data;
    void *shadow_stack; /* of the address sanitizer */
} ct_context;

/* The tops of stacks at one offset in their pages would share the same few lines of a cache: each stack has so
 * many bytes more, of which some are left out above it. */
enum { CT_STACK_SHIFTS = 4096, CT_STACK_SHIFT = 64 };

/* The stacks of n coroutines, each above a guard area. */
typedef struct ct_stacks {
    void *base; /* NULL without memory */
    int n;
    size_t stack_bytes, stride;
} ct_stacks;

/* At least n stacks. Stacks kept by an earlier free are reused if they fit, with their contents.
 * Thread-safe. */
ct_stacks ct_context_stacks_new(int n, size_t stack_bytes);
void ct_context_stacks_free(ct_stacks stacks, int keep);

/* Returns 0 without memory. Every initialised context is freed. */
int ct_context_init(ct_context *context, void *stack, size_t stack_bytes);
void ct_context_free(ct_context *context);

/* Makes the next switch to the context call entry(data); entry must not return. */
void ct_context_start(ct_context *context, void (*entry)(void *), void *data);

/* Suspends `from` and resumes `to`. */
void ct_context_switch(ct_context *from, ct_context *to);

/* An entry must call this first; from: the context that switched to it. */
void ct_context_arrived(ct_context *from);

#endif
