/* The names of PTX: registers, variables and constants by scope, the labels of a function, and the operands
 * that they make. */
#include "parse.h"

#include <ctype.h>
#include <stdlib.h>

#include "base/fnv.h"

static int32_t *bucket_of(const ct_ptx_parser *p, const char *text, size_t length)
{
    return (int32_t *)&p->buckets[ct_fnv(CT_FNV_BEGIN, text, length) % NAME_BUCKETS];
}
static ct_ptx_name *name_at(const ct_ptx_parser *p, int32_t i)
{
    return &((ct_ptx_name *)p->names.items)[i];
}
void ct_ptx_scope_begin(ct_ptx_parser *p)
{
    if (p->depth + 1 == MAX_SCOPES)
        ct_ptx_refuse(p, p->line, "%d blocks inside each other", p->depth);
    if (p->failed) return;
    p->first_name[++p->depth] = p->names.count;
    p->first_code[p->depth] = p->code.count;
}
ct_ptx_name *ct_ptx_declare(ct_ptx_parser *p, int kind, const char *text, size_t length)
{
    int32_t *const bucket = bucket_of(p, text, length);
    ct_ptx_name *const name = ct_ptx_append(p, &p->names, sizeof *name);
    if (!name) return NULL;
    *name = (ct_ptx_name){text, length, kind, 0, 0, 1, NULL, *bucket};
    *bucket = p->names.count - 1;
    return name;
}

/* A name of a kind; number: of one of many registers, otherwise 0. */
static const ct_ptx_name *find_name(const ct_ptx_parser *p, int kind, const char *text,
                                    size_t length, long number)
{
    for (int32_t i = *bucket_of(p, text, length); i >= 0; i = name_at(p, i)->older) {
        const ct_ptx_name *const name = name_at(p, i);
        if (name->kind == kind && name->length == length && number < name->count &&
            memcmp(name->text, text, length) == 0)
            return name;
    }
    return NULL;
}

/* Finds the labels of a jump, unless one is in a scope around this one. */
static void resolve(ct_ptx_parser *p, ct_ptx_ins *in, int32_t at)
{
    ct_ptx_more *const more = in->more;
    ct_ptx_operand *const to = more->count ? &more->operands[more->count - 1] : NULL;
    if (!to || to->kind != OPERAND_LABEL || !to->name || more->count > 2) return;
    const ct_ptx_name one = {.text = to->name, .length = strlen(to->name)},
                      *list = &one, *const end = name_at(p, p->names.count);
    const int is_table = more->count == 2;
    int32_t count = !is_table;
    if (is_table && (list = find_name(p, NAME_TABLE, one.text, one.length, 0)) != NULL)
        for (++list; list + count < end && list[count].kind == NAME_ENTRY;) ++count;
    if (!list && p->depth == BODY_DEPTH)
        ct_ptx_refuse(p, more->line, "no table of labels %s", one.text);
    int32_t *const ways = list ? ct_ptx_memory(p, sizeof *ways * (size_t)count) : NULL;
    for (int32_t i = 0; ways && i < count; ++i) {
        const ct_ptx_name *const label = find_name(p, NAME_LABEL, list[i].text, list[i].length, 0);
        if (!label && p->depth == BODY_DEPTH)
            ct_ptx_refuse(p, more->line, "no label %.*s", (int)list[i].length, list[i].text);
        if (!label) return;
        ways[i] = label->reg - at;
    }
    if (!ways) return;
    in->offset = is_table ? count : ways[0];
    more->ways = ways;
    more->way_count = count;
    to->name = NULL;
}
void ct_ptx_scope_end(ct_ptx_parser *p)
{
    for (int32_t i = p->first_code[p->depth]; i < p->code.count && !p->failed; ++i)
        resolve(p, &((ct_ptx_ins *)p->code.items)[i], i);
    while (p->names.count > p->first_name[p->depth]) {
        const ct_ptx_name *const last = name_at(p, --p->names.count);
        *bucket_of(p, last->text, last->length) = last->older;
    }
    --p->depth;
}

int32_t ct_ptx_new_registers(ct_ptx_parser *p, uint64_t count)
{
    enum { MOST = 1 << 20 };
    const int32_t first = p->image.count;
    if (count < 1 || count > (uint64_t)(MOST - first))
        ct_ptx_refuse(p, p->line, "a function has 1 to %d registers", MOST);
    for (uint64_t i = 0; !p->failed && i < count; ++i)
        ct_ptx_append(p, &p->image, sizeof(uint64_t));
    return p->failed ? 0 : first;
}
/* %r12 is a name of its own, or number 12 of the registers %r<..>. */
static const ct_ptx_name *find(const ct_ptx_parser *p, const char *text, size_t length,
                               int32_t *reg)
{
    const ct_ptx_name *name = find_name(p, NAME_ONE, text, length, 0);
    size_t digits = 0;
    while (digits + 1 < length && isdigit((unsigned char)text[length - digits - 1])) ++digits;
    *reg = name ? name->reg : 0;
    if (name || digits == 0 || digits > 9 || (digits > 1 && text[length - digits] == '0'))
        return name;
    const long number = strtol(text + length - digits, NULL, 10);
    name = find_name(p, NAME_MANY, text, length - digits, number);
    *reg = name ? name->reg + (int32_t)number : 0;
    return name;
}
static int32_t constant_register(ct_ptx_parser *p, uint64_t value)
{
    const ct_ptx_name *const known =
        find_name(p, NAME_CONSTANT, (const char *)&value, sizeof value, 0);
    if (known) return known->reg;
    const int32_t reg = ct_ptx_new_registers(p, 1);
    uint64_t *const text = ct_ptx_memory(p, sizeof value);
    if (!text) return 0;
    *text = ((uint64_t *)p->image.items)[reg] = value;
    ct_ptx_name *const name = ct_ptx_declare(p, NAME_CONSTANT, (const char *)text, sizeof value);
    if (name) name->reg = reg;
    return reg;
}
static int32_t value_register(ct_ptx_parser *p, int special, const ct_ptx_variable *v)
{
    const ct_ptx_value *const known = p->values.items;
    for (int32_t i = 0; i < p->values.count; ++i)
        if (known[i].special == special && known[i].variable == v) return known[i].reg;
    const int32_t reg = ct_ptx_new_registers(p, 1);
    ct_ptx_value *const value = ct_ptx_append(p, &p->values, sizeof *value);
    if (value) *value = (ct_ptx_value){reg, special, v};
    return reg;
}
static ct_ptx_operand constant(int32_t reg, const ct_ptx_variable *v)
{
    return (ct_ptx_operand){
        .kind = OPERAND_REGISTER, .is_constant = 1, .bits = 64, .reg = reg, .variable = v};
}
static ct_ptx_operand of_name(ct_ptx_parser *p, const ct_ptx_token *t)
{
    int32_t reg;
    const ct_ptx_name *const name = find(p, t->text, t->length, &reg);
    const int special = name ? -1 : ct_grid_special(t->text, t->length);
    if (name && name->variable)
        return constant(value_register(p, -1, name->variable), name->variable);
    if (name)
        return (ct_ptx_operand){
            .kind = OPERAND_REGISTER, .bits = (unsigned char)name->bits, .reg = reg};
    if (special >= ct_grid_special("%clock", strlen("%clock"))) p->function->updates = 1;
    if (special >= 0) return constant(value_register(p, special, NULL), NULL);
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

/* a, b, .. up to `}`, or `)` of a call: at most the words of D of a wgmma. */
static void vector(ct_ptx_parser *p, ct_ptx_operand *o, const char *end)
{
    ct_ptx_operand list[D_WORDS];
    o->count = 0;
    if (*end == ')' && ct_ptx_take(p, end)) return;
    do {
        if (o->count == D_WORDS)
            ct_ptx_refuse(p, p->token.line, "a vector of over %d elements", D_WORDS);
        else list[o->count++] = single(p);
    } while (ct_ptx_take(p, ","));
    ct_ptx_expect(p, end);
    o->list = ct_ptx_memory(p, (size_t)o->count * sizeof *list);
    if (o->list) memcpy(o->list, list, (size_t)o->count * sizeof *list);
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
        vector(p, &o, "}");
    }
    ct_ptx_expect(p, "]");
    return o;
}
ct_ptx_operand ct_ptx_operand_read(ct_ptx_parser *p)
{
    const int is_list = ct_ptx_is(p, "(");
    ct_ptx_operand o = {.kind = is_list ? OPERAND_LIST : OPERAND_VECTOR};
    if (ct_ptx_take(p, "[")) return memory(p);
    if (ct_ptx_take(p, is_list ? "(" : "{")) {
        vector(p, &o, is_list ? ")" : "}");
        return o;
    }
    o = single(p);
    if (!ct_ptx_take(p, "|")) return o;
    o.second = ct_ptx_memory(p, sizeof *o.second);
    const ct_ptx_operand second = single(p);
    if (o.second) *o.second = second;
    return o;
}
