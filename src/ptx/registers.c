/* The registers of a function, numbered anew: values that are never live at once share one. nvcc gives each
 * value a register of its own, and so many do not fit in a cache. */
#include "handlers.h"

enum { MOST_WORDS = 1 << 23 }; /* of all sets; a function with more keeps its numbers */

/* The instructions from the first to the last one where a register is live; last -1: none. */
typedef struct range {
    int32_t first, last, is_written, number; /* number: its new one */
    int32_t next_begin, next_end; /* 1 + the next one that begins there, that ends there */
} range;

/* Of an instruction: 1 + the set that is live at a label that is used; 1 + a register that begins or ends. */
typedef struct place {
    int32_t label, begin, end;
} place;

/* Sets of registers have a bit for each. */
typedef struct ranges {
    ct_ptx_function *f;
    range *of;     /* each register */
    place *places; /* and instruction */
    uint64_t *now, *labels;
    int32_t at, words; /* the instruction that is visited; words of a set */
} ranges;

typedef void visit(ranges *s, int32_t *reg, int is_written);

static void visit_operand(ranges *s, ct_ptx_operand *o, visit *act)
{
    if (o->kind == OPERAND_REGISTER || o->kind == OPERAND_MEMORY || o->kind == OPERAND_SINK)
        act(s, &o->reg, o->is_written);
    for (int32_t i = 0; i < o->count; ++i) act(s, &o->list[i].reg, o->is_written);
    if (o->second) act(s, &o->second->reg, 1);
}

/* The registers of an instruction, those that it reads last. */
static void visit_all(ranges *s, visit *act)
{
    ct_ptx_ins *const in = &s->f->code[s->at];
    ct_ptx_operand *const o = in->more->operands;
    for (int written = 1; written >= 0; --written)
        for (int32_t i = 0; i < in->more->count; ++i)
            if (o[i].is_written == written) visit_operand(s, &o[i], act);
    if (in->guard >= 0) act(s, &in->guard, 0);
}
static void extend(ranges *s, int32_t reg)
{
    range *const r = &s->of[reg];
    if (s->at < r->first) r->first = s->at;
    if (s->at > r->last) r->last = s->at;
}

/* Adds a set to another one, all of it live at this instruction; whether some of it is new. */
static int join(ranges *s, uint64_t *to, const uint64_t *from)
{
    uint64_t is_new = 0;
    for (int32_t i = 0; i < s->words; ++i) {
        for (uint64_t left = from[i]; left; left &= left - 1)
            extend(s, 64 * i + __builtin_ctzll(left));
        is_new |= from[i] & ~to[i];
        to[i] |= from[i];
    }
    return is_new != 0;
}

/* A guarded write may leave the register as it was. */
static void note(ranges *s, int32_t *reg, int is_written)
{
    uint64_t *const word = &s->now[*reg / 64], bit = 1ull << *reg % 64;
    extend(s, *reg);
    s->of[*reg].is_written |= is_written;
    *word = is_written && s->f->code[s->at].guard < 0 ? *word & ~bit : *word | bit;
}
static uint64_t *set_at(const ranges *s, int32_t label)
{
    return s->labels + (size_t)(label - 1) * (size_t)s->words;
}

/* What is live before each instruction, from the last to the first; whether some label has more than before. */
static int find_live(ranges *s)
{
    int is_new = 0;
    for (s->at = s->f->code_count - 1; s->at >= 0; --s->at) {
        const ct_ptx_ins *const in = &s->f->code[s->at];
        const ct_ptx_more *const more = in->more;
        const int32_t label = s->places[s->at].label;
        if (in->guard < 0 && (more->ways || in->run == ct_ptx_ret || in->run == ct_ptx_exit))
            memset(s->now, 0, (size_t)s->words * sizeof *s->now);
        for (int32_t i = 0; i < more->way_count; ++i)
            join(s, s->now, set_at(s, s->places[s->at + more->ways[i]].label));
        visit_all(s, note);
        if (label) is_new |= join(s, set_at(s, label), s->now);
    }
    return is_new;
}

/* A function begins with its constants, and with registers that it may read before it writes them. Those have
 * the numbers from 0 on. Each other one has a number that is free from its first instruction on, and gives it
 * back behind the last. */
static void give_numbers(ranges *s, int32_t *stack)
{
    ct_ptx_function *const f = s->f;
    int32_t count = 0, unused = 0;
    for (int32_t i = 0; i < f->registers; ++i) {
        range *const r = &s->of[i];
        if (r->last < 0) continue;
        if (!r->is_written || s->now[i / 64] >> i % 64 & 1) {
            f->image[count] = f->image[i];
            r->number = count++;
        } else {
            r->next_begin = s->places[r->first].begin, s->places[r->first].begin = i + 1;
            r->next_end = s->places[r->last].end, s->places[r->last].end = i + 1;
        }
    }
    f->image_count = count;
    for (const place *at = s->places; at < s->places + f->code_count; ++at) {
        for (int32_t i = at->begin; i; i = s->of[i - 1].next_begin)
            s->of[i - 1].number = unused ? stack[--unused] : count++;
        for (int32_t i = at->end; i; i = s->of[i - 1].next_end)
            stack[unused++] = s->of[i - 1].number;
    }
    f->registers = count > 0 ? count : 1;
}
static void renumber(ranges *s, int32_t *reg, int is_written)
{
    (void)is_written;
    *reg = s->of[*reg].number;
}
static void renumber_all(ranges *s)
{
    ct_ptx_function *const f = s->f;
    for (s->at = 0; s->at < f->code_count; ++s->at) {
        ct_ptx_ins *const in = &f->code[s->at];
        visit_all(s, renumber);
        for (int32_t i = 0; i < in->more->count && i < 5; ++i) in->r[i] = in->more->operands[i].reg;
    }
    for (int32_t i = 0; i < f->value_count; ++i)
        if (s->of[f->values[i].reg].last >= 0) renumber(s, &f->values[i].reg, 1);
        else f->values[i--] = f->values[--f->value_count];
}
void ct_ptx_number_registers(ct_ptx_function *f)
{
    const size_t registers = (size_t)f->registers, code = (size_t)f->code_count;
    const size_t words = (registers + 63) / 64;
    ranges s = {.f = f, .words = (int32_t)words};
    ct_arena *own = NULL;
    int32_t labels = 0, *const stack = ct_arena_take(&own, registers * sizeof *stack);
    s.of = ct_arena_take(&own, registers * sizeof *s.of);
    s.places = ct_arena_take(&own, code * sizeof *s.places);
    for (int32_t k = 0; s.places && k < f->code_count; ++k)
        for (int32_t i = 0; i < f->code[k].more->way_count; ++i) {
            int32_t *const label = &s.places[k + f->code[k].more->ways[i]].label;
            if (!*label) *label = ++labels;
        }
    const size_t most = (size_t)labels + 1;
    if (most * words <= MOST_WORDS) s.now = ct_arena_take(&own, most * words * sizeof *s.now);
    if (s.of && s.places && stack && s.now) {
        s.labels = s.now + words;
        for (size_t i = 0; i < registers; ++i) s.of[i].first = INT32_MAX, s.of[i].last = -1;
        while (find_live(&s)) {}
        give_numbers(&s, stack);
        renumber_all(&s);
    }
    ct_arena_free(own);
}
