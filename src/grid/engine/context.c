/* The switch of coroutines: it saves the callee-saved registers on the old stack, and restores them
 * from the new one. Architectures without such code use the system's ucontext. The address
 * sanitizer is told of each switch. */
#define _GNU_SOURCE
#include "context.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define CT_ASAN 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define CT_ASAN 1
#endif

#if !defined(CT_CONTEXT_SYSTEM) && (defined(__x86_64__) || defined(__aarch64__)) && defined(__ELF__)
#define CT_CONTEXT_OWN 1
#else
#include <ucontext.h>
#endif

#if defined(CT_ASAN)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

/* ---- the address sanitizer ------------------------------------------------------------------- */

#if defined(CT_ASAN)

static void leave(ct_context *from, const ct_context *to)
{
    __sanitizer_start_switch_fiber(&from->shadow_stack, to->stack, to->stack_bytes);
}

static void come_back(const ct_context *to)
{
    __sanitizer_finish_switch_fiber(to->shadow_stack, NULL, NULL);
}

/* Unpoisons the frames of functions that never returned. */
static void forget_frames(void *stack, size_t bytes)
{
    __asan_unpoison_memory_region(stack, bytes);
}

void ct_context_arrived(ct_context *from)
{
    const void *stack = NULL;
    __sanitizer_finish_switch_fiber(NULL, &stack, &from->stack_bytes);
    from->stack = (void *)(uintptr_t)stack;
}

#else

static void leave(const ct_context *from, const ct_context *to) { (void)from, (void)to; }
static void come_back(const ct_context *to) { (void)to; }
static void forget_frames(void *stack, size_t bytes) { (void)stack, (void)bytes; }
void ct_context_arrived(ct_context *from) { (void)from; }

#endif

/* ---- stacks ---------------------------------------------------------------------------------- */

/* Each stack has a guard area below it, larger than any likely array of a kernel: an array that
 * does not fit must not reach the stack below. The area uses addresses, but no memory. */
#if defined(CT_ASAN)
enum { GUARD_BYTES = 64 * 1024 }; /* the sanitizer's shadow takes an eighth of it */
#else
enum { GUARD_BYTES = 16 * 1024 * 1024 };
#endif

static void *stacks_between(int n, size_t stack_bytes, size_t guard_bytes, size_t *stride)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const size_t rounded = (stack_bytes + CT_STACK_SHIFTS + page - 1) / page * page;
    *stride = guard_bytes + rounded;
    unsigned char *stacks = mmap(NULL, *stride * (size_t)n, PROT_NONE,
                                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (stacks == MAP_FAILED) return NULL;
    for (int i = 0; i < n; ++i) {
        unsigned char *const own = stacks + *stride * (size_t)i + guard_bytes;
        if (mprotect(own, rounded, PROT_READ | PROT_WRITE) != 0) {
            munmap(stacks, *stride * (size_t)n);
            return NULL;
        }
    }
    return stacks;
}

/* The stacks of the last launch: mapping them again takes longer than many blocks run. */
enum { KEPT_MOST = 512 }; /* stacks; more would hold too many addresses */
static pthread_mutex_t keeping = PTHREAD_MUTEX_INITIALIZER;
static ct_stacks kept;

static ct_stacks exchange_kept(ct_stacks other)
{
    pthread_mutex_lock(&keeping);
    const ct_stacks before = kept;
    kept = other;
    pthread_mutex_unlock(&keeping);
    return before;
}

static void unmap(ct_stacks stacks)
{
    if (!stacks.base) return;
    forget_frames(stacks.base, stacks.stride * (size_t)stacks.n);
    munmap(stacks.base, stacks.stride * (size_t)stacks.n);
}

ct_stacks ct_context_stacks_new(int n, size_t stack_bytes)
{
    ct_stacks stacks = exchange_kept((ct_stacks){NULL, 0, 0, 0});
    if (stacks.base && stacks.n >= n && stacks.stack_bytes == stack_bytes) return stacks;
    unmap(stacks);
    stacks = (ct_stacks){NULL, n, stack_bytes, 0};
    stacks.base = stacks_between(n, stack_bytes, GUARD_BYTES, &stacks.stride);
    if (!stacks.base) /* addresses may be limited (ulimit -v) */
        stacks.base = stacks_between(n, stack_bytes, (size_t)sysconf(_SC_PAGESIZE), &stacks.stride);
    return stacks;
}

void ct_context_stacks_free(ct_stacks stacks, int keep)
{
    if (keep && stacks.base && stacks.n <= KEPT_MOST) {
        /* the system may reclaim the pages */
        (void)madvise(stacks.base, stacks.stride * (size_t)stacks.n, MADV_FREE);
        stacks = exchange_kept(stacks);
    }
    unmap(stacks);
}

/* ---- the switch ------------------------------------------------------------------------------ */

#if defined(CT_CONTEXT_OWN)

#if defined(__x86_64__)

/* rdi: the address for the old stack pointer; rsi: the new stack pointer. */
__asm__(".text\n"
        ".p2align 4\n"
        ".hidden ct_context_jump\n"
        ".globl ct_context_jump\n"
        ".type ct_context_jump, @function\n"
        "ct_context_jump:\n"
        "    pushq %rbp\n"
        "    pushq %rbx\n"
        "    pushq %r12\n"
        "    pushq %r13\n"
        "    pushq %r14\n"
        "    pushq %r15\n"
        "    movq %rsp, (%rdi)\n"
        "    movq %rsi, %rsp\n"
        "    popq %r15\n"
        "    popq %r14\n"
        "    popq %r13\n"
        "    popq %r12\n"
        "    popq %rbx\n"
        "    popq %rbp\n"
        "    ret\n"
        ".size ct_context_jump, .-ct_context_jump\n"
        ".p2align 4\n"
        ".hidden ct_context_begin\n"
        ".globl ct_context_begin\n"
        ".type ct_context_begin, @function\n"
        "ct_context_begin:\n"
        "    movq %r13, %rdi\n"
        "    callq *%r12\n"
        "    ud2\n"
        ".size ct_context_begin, .-ct_context_begin\n");

/* Nine words, so that the stack is aligned to 16 bytes at the call in ct_context_begin. */
enum { SAVED_WORDS = 9, SAVED_ENTRY = 3, SAVED_DATA = 2, SAVED_RETURN = 6 };

#else

/* x0: the address for the old stack pointer; x1: the new stack pointer. */
__asm__(".text\n"
        ".p2align 4\n"
        ".hidden ct_context_jump\n"
        ".globl ct_context_jump\n"
        ".type ct_context_jump, %function\n"
        "ct_context_jump:\n"
        "    sub sp, sp, #160\n"
        "    stp x19, x20, [sp, #0]\n"
        "    stp x21, x22, [sp, #16]\n"
        "    stp x23, x24, [sp, #32]\n"
        "    stp x25, x26, [sp, #48]\n"
        "    stp x27, x28, [sp, #64]\n"
        "    stp x29, x30, [sp, #80]\n"
        "    stp d8, d9, [sp, #96]\n"
        "    stp d10, d11, [sp, #112]\n"
        "    stp d12, d13, [sp, #128]\n"
        "    stp d14, d15, [sp, #144]\n"
        "    mov x9, sp\n"
        "    str x9, [x0]\n"
        "    mov sp, x1\n"
        "    ldp x19, x20, [sp, #0]\n"
        "    ldp x21, x22, [sp, #16]\n"
        "    ldp x23, x24, [sp, #32]\n"
        "    ldp x25, x26, [sp, #48]\n"
        "    ldp x27, x28, [sp, #64]\n"
        "    ldp x29, x30, [sp, #80]\n"
        "    ldp d8, d9, [sp, #96]\n"
        "    ldp d10, d11, [sp, #112]\n"
        "    ldp d12, d13, [sp, #128]\n"
        "    ldp d14, d15, [sp, #144]\n"
        "    add sp, sp, #160\n"
        "    ret\n"
        ".size ct_context_jump, .-ct_context_jump\n"
        ".p2align 4\n"
        ".hidden ct_context_begin\n"
        ".globl ct_context_begin\n"
        ".type ct_context_begin, %function\n"
        "ct_context_begin:\n"
        "    mov x0, x20\n"
        "    blr x19\n"
        "    brk #1\n"
        ".size ct_context_begin, .-ct_context_begin\n");

enum { SAVED_WORDS = 20, SAVED_ENTRY = 0, SAVED_DATA = 1, SAVED_RETURN = 11 };

#endif

void ct_context_jump(void **from, void *to);
void ct_context_begin(void);

int ct_context_init(ct_context *context, void *stack, size_t stack_bytes)
{
    memset(context, 0, sizeof *context);
    context->stack = stack;
    context->stack_bytes = stack_bytes;
    return 1;
}

void ct_context_free(ct_context *context) { (void)context; }

void ct_context_start(ct_context *context, void (*entry)(void *), void *data)
{
    /* the registers as ct_context_jump saves them, on an otherwise empty stack */
    const uintptr_t top = ((uintptr_t)context->stack + context->stack_bytes) & ~(uintptr_t)15;
    uintptr_t *saved = (uintptr_t *)top - SAVED_WORDS;
    forget_frames(context->stack, context->stack_bytes);
    memset(saved, 0, SAVED_WORDS * sizeof *saved);
    saved[SAVED_ENTRY] = (uintptr_t)entry;
    saved[SAVED_DATA] = (uintptr_t)data;
    saved[SAVED_RETURN] = (uintptr_t)ct_context_begin;
    context->stack_pointer = saved;
}

void ct_context_switch(ct_context *from, ct_context *to)
{
    leave(from, to);
    ct_context_jump(&from->stack_pointer, to->stack_pointer);
    come_back(from);
}

#else

/* The function to start, because makecontext passes only integers. */
static __thread void (*starting_entry)(void *);
static __thread void *starting_data;

static void start(void) { starting_entry(starting_data); }

int ct_context_init(ct_context *context, void *stack, size_t stack_bytes)
{
    memset(context, 0, sizeof *context);
    context->stack = stack;
    context->stack_bytes = stack_bytes;
    context->system = calloc(1, sizeof(ucontext_t));
    return context->system != NULL;
}

void ct_context_free(ct_context *context) { free(context->system); }

void ct_context_start(ct_context *context, void (*entry)(void *), void *data)
{
    ucontext_t *system = context->system;
    forget_frames(context->stack, context->stack_bytes);
    getcontext(system);
    system->uc_stack.ss_sp = context->stack;
    system->uc_stack.ss_size = context->stack_bytes;
    makecontext(system, start, 0);
    context->entry = entry;
    context->data = data;
}

void ct_context_switch(ct_context *from, ct_context *to)
{
    leave(from, to);
    starting_entry = to->entry;
    starting_data = to->data;
    swapcontext(from->system, to->system);
    come_back(from);
}

#endif
