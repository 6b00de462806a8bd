/* The registers of a function, numbered anew: values that are never live at once share one. nvcc gives each
 * value a register of its own, and so many do not fit in a cache. */
#include "handlers.h"

#include <stdlib.h>

enum { MOST_WORDS = 1 << 23 }; /* of all sets; a function with more keeps its numbers */

/* Instructions that are executed one after another. Sets of registers have a bit for each. */
typedef struct run_of {
    int32_t end;
    uint64_t *live, *written; /* before the first one; by some of them, with no guard */
} run_of;

typedef struct ranges {
    ct_ptx_function *f;
    run_of *runs;
    int32_t *run_at;       /* of each instruction */
    int32_t *first, *last; /* of each register: the instructions where it is live; last -1: none */
    int32_t *number;       /* its new one; before: whether it is written */
    int32_t *begin,
        *end; /* of each instruction: 1 + the first register that begins or ends there, */
    int32_t *next_begin, *next_end, *stack; /* 1 + the next one; numbers that are free */
    int32_t count, words;                   /* runs; words of a set */
    int32_t at;                             /* the instruction that is visited */
} ranges;

typedef void visit(ranges *s, int32_t *reg, int is_written);

static void visit_operand(ranges *s, ct_ptx_operand *o, visit *act)
{
    if (o->kind == OPERAND_REGISTER || o->kind == OPERAND_MEMORY || o->kind == OPERAND_SINK)
        act(s, &o->reg, o->is_written);
    for (int32_t i = 0; i < o->count; ++i) {
        act(s, &o->list[i].reg, o->is_written);
        if (o->regs) o->regs[i] = o->list[i].reg;
    }
    if (o->second) act(s, &o->second->reg, 1);
}

/* The registers of an instruction, those that it reads first. */
static void visit_all(ranges *s, int32_t at, visit *act)
{
    ct_ptx_ins *const in = &s->f->code[at];
    ct_ptx_operand *const o = in->more->operands;
    s->at = at;
    if (in->guard >= 0) act(s, &in->guard, 0);
    for (int written = 0; written < 2; ++written)
        for (int32_t i = 0; i < in->more->count; ++i)
            if (o[i].is_written == written) visit_operand(s, &o[i], act);
}
static uint64_t bit_of(int32_t reg) { return 1ull << reg % 64; }

static void extend(ranges *s, int32_t reg, int32_t at)
{
    if (at < s->first[reg]) s->first[reg] = at;
    if (at > s->last[reg]) s->last[reg] = at;
}
static void extend_all(ranges *s, const uint64_t *live, int32_t at)
{
    for (int32_t i = 0; i < s->words; ++i)
        for (uint64_t left = live[i]; left; left &= left - 1)
            extend(s, 64 * i + __builtin_ctzll(left), at);
}

/* A guarded write may leave the register as it was. */
static void note(ranges *s, int32_t *reg, int is_written)
{
    const run_of *const b = &s->runs[s->run_at[s->at]];
    const int is_sure = is_written && s->f->code[s->at].guard < 0;
    extend(s, *reg, s->at);
    s->number[*reg] |= is_written;
    if (is_sure) b->written[*reg / 64] |= bit_of(*reg);
    else b->live[*reg / 64] |= bit_of(*reg) & ~b->written[*reg / 64];
}
static int is_jump(const ct_ptx_ins *in)
{
    return in->target || in->more->targets || in->run == ct_ptx_ret || in->run == ct_ptx_exit;
}

/* What is live at an instruction is live before a run that goes there; whether this is new. */
static int join(ranges *s, const run_of *b, const ct_ptx_ins *to)
{
    const uint64_t *const live = s->runs[s->run_at[to - s->f->code]].live;
    uint64_t is_new = 0;
    extend_all(s, live, b->end - 1);
    for (int32_t i = 0; i < s->words; ++i) {
        is_new |= live[i] & ~b->written[i] & ~b->live[i];
        b->live[i] |= live[i] & ~b->written[i];
    }
    return is_new != 0;
}
static int join_all(ranges *s, const run_of *b)
{
    const ct_ptx_ins *const last = &s->f->code[b->end - 1];
    int is_new = last->target ? join(s, b, last->target) : 0;
    for (int64_t i = 0; last->more->targets && i < last->offset; ++i)
        is_new |= join(s, b, last->more->targets[i]);
    if (b->end < s->f->code_count && (last->guard >= 0 || !is_jump(last)))
        is_new |= join(s, b, last + 1);
    return is_new;
}

/* The runs begin at labels that are used, and behind jumps. */
static void find_runs(ranges *s)
{
    const ct_ptx_function *const f = s->f;
    for (int32_t i = 0; i < f->code_count; ++i) {
        const ct_ptx_ins *const in = &f->code[i];
        if (in->target) s->run_at[in->target - f->code] = 1;
        for (int64_t k = 0; in->more->targets && k < in->offset; ++k)
            s->run_at[in->more->targets[k] - f->code] = 1;
        if (is_jump(in)) s->run_at[i + 1] = 1;
    }
    s->run_at[0] = 0;
    for (int32_t i = 1; i < f->code_count; ++i) s->run_at[i] += s->run_at[i - 1];
    s->count = s->run_at[f->code_count - 1] + 1;
}
static void find_ranges(ranges *s)
{
    for (int32_t i = 0; i < s->f->registers; ++i) s->first[i] = INT32_MAX, s->last[i] = -1;
    for (int32_t i = 0; i < s->f->code_count; ++i) {
        s->runs[s->run_at[i]].end = i + 1;
        visit_all(s, i, note);
    }
    for (int is_new = 1; is_new;) {
        is_new = 0;
        for (int32_t n = s->count - 1; n >= 0; --n) is_new |= join_all(s, &s->runs[n]);
    }
    for (int32_t n = 1; n < s->count; ++n) extend_all(s, s->runs[n].live, s->runs[n - 1].end);
}

/* A function begins with its constants, and with registers that it may read before it writes them. */
static int is_first(const ranges *s, int32_t reg)
{
    return s->last[reg] >= 0 && (!s->number[reg] || s->runs[0].live[reg / 64] & bit_of(reg));
}

/* Those have the numbers from 0 on. Each other one has a number that is free from its first instruction on, and
 * gives it back behind the last. */
static void give_numbers(ranges *s)
{
    ct_ptx_function *const f = s->f;
    int32_t count = 0, unused = 0, *const stack = s->stack;
    for (int32_t i = 0; i < f->registers; ++i) {
        if (s->last[i] < 0) continue;
        if (is_first(s, i)) {
            f->image[count] = f->image[i];
            s->number[i] = count++;
        } else {
            s->next_begin[i] = s->begin[s->first[i]], s->begin[s->first[i]] = i + 1;
            s->next_end[i] = s->end[s->last[i]], s->end[s->last[i]] = i + 1;
        }
    }
    f->image_count = count;
    for (int32_t at = 0; at < f->code_count; ++at) {
        for (int32_t i = s->begin[at]; i; i = s->next_begin[i - 1])
            s->number[i - 1] = unused ? stack[--unused] : count++;
        for (int32_t i = s->end[at]; i; i = s->next_end[i - 1]) stack[unused++] = s->number[i - 1];
    }
    f->registers = count > 0 ? count : 1;
}
static void renumber(ranges *s, int32_t *reg, int is_written)
{
    (void)is_written;
    *reg = s->number[*reg];
}
static void renumber_all(ranges *s)
{
    ct_ptx_function *const f = s->f;
    for (int32_t at = 0; at < f->code_count; ++at) {
        ct_ptx_ins *const in = &f->code[at];
        visit_all(s, at, renumber);
        for (int32_t i = 0; i < in->more->count && i < 5; ++i) in->r[i] = in->more->operands[i].reg;
    }
    for (int32_t i = 0; i < f->value_count; ++i)
        if (s->last[f->values[i].reg] >= 0) f->values[i].reg = s->number[f->values[i].reg];
        else f->values[i--] = f->values[--f->value_count];
}
void ct_ptx_number_registers(ct_ptx_function *f)
{
    const size_t code = (size_t)f->code_count + 1, all = (size_t)f->registers;
    int32_t *const arrays = calloc(3 * code + 6 * all, sizeof *arrays);
    ranges s = {.f = f, .words = (f->registers + 63) / 64};
    int32_t *at = arrays;
    if (!arrays) return;
    s.run_at = at, s.begin = at += code, s.end = at += code, s.first = at += code;
    s.last = at += all, s.number = at += all, s.stack = at += all;
    s.next_begin = at += all, s.next_end = at + all;
    find_runs(&s);
    const size_t words = 2 * (size_t)s.count * (size_t)s.words;
    uint64_t *const sets = words > MOST_WORDS ? NULL : calloc(words, sizeof *sets);
    s.runs = sets ? calloc((size_t)s.count, sizeof *s.runs) : NULL;
    for (int32_t i = 0; s.runs && i < s.count; ++i) {
        s.runs[i].live = sets + 2 * (size_t)i * (size_t)s.words;
        s.runs[i].written = s.runs[i].live + s.words;
    }
    if (s.runs) {
        find_ranges(&s);
        give_numbers(&s);
        renumber_all(&s);
    }
    free(s.runs);
    free(sets);
    free(arrays);
}
