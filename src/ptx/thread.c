/* The thread that runs a kernel: its registers and memory, its loop, calls of functions. */
#include "handlers.h"

#include <stdlib.h>

enum { LIMIT = 1 << 30, CALL_REGISTERS = 64 * 1024, CALL_BYTES = 512 * 1024 };

static uint64_t value_of(ct_ptx_thread *x, const ct_ptx_value *v)
{
    const ct_ptx_variable *const of = v->variable;
    if (!of) return ct_grid_special_value(x->thread, v->special);
    ct_grid_site *const site = (ct_grid_site *)(uintptr_t)&of->site;
    const int is_global = of->space == SPACE_GLOBAL;
    const void *at = x->memory + of->offset;
    if (of->is_argument) at = x->params + of->offset;
    else if (is_global || of->space == SPACE_CONST)
        at = ct_grid_global(site, of->shown, of->data, of->bytes, is_global);
    else if (of->space == SPACE_SHARED) {
        at = of->is_dynamic ? ct_grid_shared_dynamic(site, of->shown)
                            : ct_grid_shared(site, of->shown, of->bytes);
        return (uint64_t)((const unsigned char *)at - x->shared);
    }
    return (uint64_t)(uintptr_t)at;
}
static const ct_ptx_ins *begin_function(ct_ptx_thread *x, const ct_ptx_function *f)
{
    x->function = f;
    memcpy(x->r, f->image, (size_t)f->image_count * sizeof *x->r);
    for (int32_t i = 0; i < f->value_count; ++i)
        x->r[f->values[i].reg] = value_of(x, &f->values[i]);
    return f->code;
}
static size_t aligned(size_t bytes) { return (bytes + 63) / 64 * 64; }

static void *own(ct_thread *t, size_t count, size_t bytes)
{
    const ct_ptx_function *const f = (const ct_ptx_function *)(const void *)t->grid->kernel;
    const ct_operation op = {&f->code[0].more->site, "kernel", 0, 0, 0, 0, 0};
    void *const memory = ct_arena_take(&t->owned, count * bytes);
    if (!memory)
        ct_grid_fail_at(t, &op, CT_GRID_E_MEMORY, "not enough memory for a thread's registers");
    return memory;
}
static ct_ptx_thread *new_thread(ct_thread *t, const ct_ptx_function *f)
{
    const size_t registers = (size_t)f->registers + (f->has_calls ? CALL_REGISTERS : 0),
                 of_wgmma = f->module->has_wgmma ? 1 : 0;
    ct_ptx_thread *const x = own(t, 1, sizeof *x);
    x->memory_bytes = aligned(f->frame_bytes) + (f->has_calls ? CALL_BYTES : 0);
    x->all_memory = own(t, 1, x->memory_bytes + 64);
    x->all_memory += -(uintptr_t)x->all_memory & 63;
    x->file = (ct_registers){.r = own(t, registers, sizeof(uint64_t)),
                             .tags = own(t, of_wgmma * registers, sizeof(uint32_t)),
                             .d = own(t, of_wgmma * OWNED_MOST, sizeof(ct_owned_d)),
                             .a = own(t, of_wgmma * OWNED_A, sizeof(uint32_t[4])),
                             .count = (int32_t)registers};
    x->thread = t;
    return t->own = x;
}
static void run(ct_ptx_thread *x, const ct_ptx_ins *in, int64_t limit)
{
    int64_t count = limit;
    for (; in; --count) {
        if (__builtin_expect(x->file.tagged || count == 0, 0)) {
            if (count == 0)
                CT_PTX_FAIL(CT_GRID_E_DEADLOCK,
                            "the thread has executed %lld instructions, which is the limit",
                            (long long)limit);
            ct_ptx_check_tags(x, in);
        }
        if (in->guard < 0 || (int)(x->r[in->guard] & 1) != in->guard_not) in = in->run(x, in);
        else if (!in->takes_off) ++in;
        else {
            x->on = 0;
            in = in->run(x, in);
            x->on = 1;
        }
    }
    x->thread->grid->report->instructions += limit - count;
}
void ct_ptx_body(const void *args)
{
    ct_thread *const t = self();
    const ct_ptx_function *const f = (const ct_ptx_function *)(const void *)t->grid->kernel;
    ct_ptx_thread *const x = t->own ? t->own : new_thread(t, f);
    x->r = x->file.r;
    x->memory = x->all_memory;
    x->params = args;
    x->shared = ct_grid_window(t, t->rank);
    x->on = 1;
    x->file.tagged = x->frame_count = 0;
    run(x, begin_function(x, f), f->module->limit > 0 ? f->module->limit : LIMIT);
}
static CT_PTX_RUN(bra) { return in + in->offset; }
CT_PTX_RUN(ct_ptx_exit) { return NULL; }
CT_PTX_DO(nothing) {}
CT_PTX_DO(trap) { CT_PTX_FAIL(CT_GRID_E_ATOM, "the kernel traps"); }

static CT_PTX_RUN(brx)
{
    const uint32_t i = (uint32_t)D;
    if (i >= (uint64_t)in->offset)
        CT_PTX_FAIL(CT_GRID_E_BOUNDS, "index %u of a table of %lld labels", (unsigned)i,
                    (long long)in->offset);
    return in + in->more->ways[i];
}

static CT_PTX_RUN(call)
{
    const ct_ptx_function *const f = in->more->callee, *const from = x->function;
    if (!f && strcmp(OPERAND(2)->name, "__assertfail") == 0)
        CT_PTX_FAIL(CT_GRID_E_ATOM, "an assertion of the kernel does not hold");
    if (!f) return in + 1; /* vprintf, which prints nothing */
    unsigned char *const memory = x->memory + aligned(from->frame_bytes);
    uint64_t *const registers = x->r + from->registers;
    if (x->frame_count == MAX_FRAMES || memory + f->frame_bytes > x->all_memory + x->memory_bytes ||
        registers + f->registers > x->file.r + x->file.count)
        CT_PTX_FAIL(CT_GRID_E_MEMORY, "%d calls inside each other take more than the stack",
                    x->frame_count + 1);
    for (int32_t i = 0; i < f->param_count; ++i)
        memcpy(memory + f->params[i]->offset, ct_ptx_at(x, &OPERAND(1)->list[i]),
               f->params[i]->bytes);
    x->frames[x->frame_count++] = (ct_ptx_frame){from, in, x->r, x->memory};
    x->memory = memory;
    x->r = registers;
    return begin_function(x, f);
}
CT_PTX_RUN(ct_ptx_ret)
{
    if (x->frame_count == 0) return NULL;
    const ct_ptx_frame *const frame = &x->frames[--x->frame_count];
    const ct_ptx_function *const f = x->function;
    const unsigned char *const memory = x->memory;
    const ct_ptx_operand *const results = frame->call->more->operands[0].list;
    x->function = frame->function;
    x->r = frame->registers;
    x->memory = frame->memory;
    for (int32_t i = 0; i < f->result_count; ++i)
        memcpy(ct_ptx_at(x, &results[i]), memory + f->results[i]->offset, f->results[i]->bytes);
    return frame->call + 1;
}

/* clang-format off */
#define ROW(name, modes, modifiers, operands, run) {name, modes, modifiers, operands, 0, {run}, NULL}
const ct_ptx_opcode ct_ptx_control_rows[] = {
    ROW("bra", "", "uni", "l", bra), ROW("brx.idx", "", "uni", "wl", brx), ROW("call", "", "uni", "ccc", call),
    ROW("ret", "", "uni", "", ct_ptx_ret), ROW("exit", "", "", "", ct_ptx_exit), ROW("trap", "", "", "", trap_any),
    ROW("brkpt", "", "", "", nothing_any), {"nanosleep", "", "", "w", 1, {nothing_any}, NULL},
    ROW("griddepcontrol", "wait launch_dependents", "", "", nothing_any),
    {0},
};
/* clang-format on */
