/* The operands of an instruction: registers, constants, memory, vectors, labels. */
#include "parse.h"

#include <ctype.h>
#include <stdlib.h>

/* %r12 is a name of its own, or number 12 of the registers %r<..>. */
static const ct_ptx_name *find(const ct_ptx_parser *p, const char *text, size_t length,
                               int32_t *reg)
{
    const ct_ptx_name *name = ct_ptx_find_name(p, text, length, -1);
    size_t digits = 0;
    if (name && name->kind == NAME_CONSTANT) name = NULL;
    while (digits + 1 < length && isdigit((unsigned char)text[length - digits - 1])) ++digits;
    *reg = name ? name->reg : 0;
    if (name || digits == 0 || digits > 9 || (digits > 1 && text[length - digits] == '0'))
        return name;
    const long number = strtol(text + length - digits, NULL, 10);
    name = ct_ptx_find_name(p, text, length - digits, number);
    *reg = name ? name->reg + (int32_t)number : 0;
    return name;
}
static int32_t constant_register(ct_ptx_parser *p, uint64_t value)
{
    const ct_ptx_name *const known = ct_ptx_find_name(p, (const char *)&value, sizeof value, -1);
    if (known && known->kind == NAME_CONSTANT) return known->reg;
    const int32_t reg = ct_ptx_new_registers(p, 1);
    uint64_t *const text = ct_ptx_memory(p, sizeof value);
    if (!text) return 0;
    *text = ((uint64_t *)p->image.items)[reg] = value;
    ct_ptx_name *const name = ct_ptx_declare(p, NAME_CONSTANT, (const char *)text, sizeof value);
    if (name) name->reg = reg;
    return reg;
}
static int32_t value_register(ct_ptx_parser *p, int kind, int special, const ct_ptx_variable *v)
{
    const ct_ptx_value *const known = p->values.items;
    for (int32_t i = 0; i < p->values.count; ++i)
        if (known[i].kind == kind && known[i].special == special && known[i].variable == v)
            return known[i].reg;
    const int32_t reg = ct_ptx_new_registers(p, 1);
    ct_ptx_value *const value = ct_ptx_append(p, &p->values, sizeof *value);
    if (value) *value = (ct_ptx_value){kind, reg, special, v};
    return reg;
}
static ct_ptx_operand constant(int32_t reg, const ct_ptx_variable *v)
{
    return (ct_ptx_operand){
        .kind = OPERAND_REGISTER, .is_constant = 1, .bits = 64, .reg = reg, .variable = v};
}
static ct_ptx_operand of_variable(ct_ptx_parser *p, const ct_ptx_variable *v)
{
    static const int kinds[] = {[SPACE_GLOBAL] = VALUE_GLOBAL,
                                [SPACE_CONST] = VALUE_GLOBAL,
                                [SPACE_SHARED] = VALUE_SHARED,
                                [SPACE_LOCAL] = VALUE_FRAME,
                                [SPACE_PARAM] = VALUE_FRAME};
    const int kind = v->is_argument ? VALUE_PARAM : kinds[v->space];
    return constant(value_register(p, kind, 0, v), v);
}
static ct_ptx_operand of_name(ct_ptx_parser *p, const ct_ptx_token *t)
{
    int32_t reg;
    const ct_ptx_name *const name = find(p, t->text, t->length, &reg);
    const int special = name ? -1 : ct_grid_special(t->text, t->length);
    if (name && name->kind == NAME_VARIABLE) return of_variable(p, name->variable);
    if (name)
        return (ct_ptx_operand){
            .kind = OPERAND_REGISTER, .bits = (unsigned char)name->bits, .reg = reg};
    if (special >= ct_grid_special("%clock", strlen("%clock"))) p->function->updates = 1;
    if (special >= 0) return constant(value_register(p, VALUE_SPECIAL, special, NULL), NULL);
    if (t->text[0] == '%')
        ct_ptx_refuse(p, t->line, "the register %.*s is not declared", (int)t->length, t->text);
    return (ct_ptx_operand){.kind = OPERAND_LABEL, .name = ct_ptx_copy(p, t->text, t->length)};
}

/* A register, a constant, `_`, or the name of something else. */
static ct_ptx_operand single(ct_ptx_parser *p)
{
    const int is_not = ct_ptx_take(p, "!");
    if (p->token.kind == TOKEN_NUMBER || ct_ptx_is(p, "-"))
        return constant(constant_register(p, ct_ptx_number(p)), NULL);
    const ct_ptx_token t = ct_ptx_word(p);
    if (t.length == 1 && t.text[0] == '_')
        return (ct_ptx_operand){.kind = OPERAND_SINK, .reg = ct_ptx_new_registers(p, 1)};
    ct_ptx_operand o = of_name(p, &t);
    o.is_not = (unsigned char)is_not;
    return o;
}

/* {a, b, ..}: at most the words of D of a wgmma. */
static void vector(ct_ptx_parser *p, ct_ptx_operand *o)
{
    ct_ptx_operand list[D_WORDS];
    o->count = 0;
    do {
        if (o->count == D_WORDS)
            ct_ptx_refuse(p, p->token.line, "a vector of over %d elements", D_WORDS);
        else list[o->count++] = single(p);
    } while (ct_ptx_take(p, ","));
    ct_ptx_expect(p, "}");
    o->list = ct_ptx_memory(p, (size_t)o->count * sizeof *list);
    o->regs = ct_ptx_memory(p, (size_t)o->count * sizeof *o->regs);
    if (o->list) memcpy(o->list, list, (size_t)o->count * sizeof *list);
    for (int i = 0; o->regs && i < o->count; ++i) o->regs[i] = list[i].reg;
}

/* [address], [address + number], [tensor map, {coordinates}] */
static ct_ptx_operand memory(ct_ptx_parser *p)
{
    ct_ptx_operand o = single(p);
    if (o.kind != OPERAND_REGISTER || o.is_not || (!o.is_constant && o.bits < 32))
        ct_ptx_refuse(p, p->token.line, "an address is a register of 32 or 64 bits, or a variable");
    o.kind = OPERAND_MEMORY;
    if (ct_ptx_take(p, "+") || ct_ptx_is(p, "-")) o.offset = (int64_t)ct_ptx_number(p);
    if (ct_ptx_take(p, ",")) {
        ct_ptx_expect(p, "{");
        vector(p, &o);
    }
    ct_ptx_expect(p, "]");
    return o;
}
ct_ptx_operand ct_ptx_operand_read(ct_ptx_parser *p)
{
    ct_ptx_operand o = {.kind = OPERAND_VECTOR};
    if (ct_ptx_take(p, "[")) return memory(p);
    if (ct_ptx_take(p, "{")) {
        vector(p, &o);
        return o;
    }
    o = single(p);
    if (!ct_ptx_take(p, "|")) return o;
    o.second = ct_ptx_memory(p, sizeof *o.second);
    const ct_ptx_operand second = single(p);
    if (o.second) *o.second = second;
    return o;
}
