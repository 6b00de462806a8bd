/* The names of PTX: registers, variables and constants by scope, and the labels of a function. */
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
    int32_t *const parent = ct_ptx_append(p, &p->parents, sizeof *parent);
    if (p->depth + 1 == MAX_SCOPES)
        ct_ptx_refuse(p, p->line, "%d blocks inside each other", p->depth);
    if (p->failed) return;
    *parent = p->scopes[p->depth++];
    p->scopes[p->depth] = p->parents.count;
    p->first_name[p->depth] = p->names.count;
}
void ct_ptx_scope_end(ct_ptx_parser *p)
{
    while (p->names.count > p->first_name[p->depth]) {
        const ct_ptx_name *const last = name_at(p, --p->names.count);
        *bucket_of(p, last->text, last->length) = last->older;
    }
    --p->depth;
}
ct_ptx_name *ct_ptx_declare(ct_ptx_parser *p, int kind, const char *text, size_t length)
{
    int32_t *const bucket = bucket_of(p, text, length);
    ct_ptx_name *const name = ct_ptx_append(p, &p->names, sizeof *name);
    if (!name) return NULL;
    *name = (ct_ptx_name){.text = text, .length = length, .kind = kind, .older = *bucket};
    *bucket = p->names.count - 1;
    return name;
}

/* number < 0: a name of its own; otherwise that of registers up to a larger one. */
static const ct_ptx_name *find(const ct_ptx_parser *p, const char *text, size_t length, long number)
{
    int32_t i = *bucket_of(p, text, length);
    for (; i >= 0; i = name_at(p, i)->older) {
        const ct_ptx_name *const name = name_at(p, i);
        if (name->length != length || memcmp(name->text, text, length) != 0) continue;
        if (number < 0 ? name->kind != NAME_REGISTERS : number < name->count) return name;
    }
    return NULL;
}

/* %r12 is a name of its own, or number 12 of the registers %r<..>. */
const ct_ptx_name *ct_ptx_find(const ct_ptx_parser *p, const char *text, size_t length,
                               int32_t *reg)
{
    const ct_ptx_name *name = find(p, text, length, -1);
    size_t digits = 0;
    if (name && name->kind == NAME_CONSTANT) name = NULL;
    while (digits + 1 < length && isdigit((unsigned char)text[length - digits - 1])) ++digits;
    *reg = name ? name->reg : 0;
    if (name || digits == 0 || digits > 9 || (digits > 1 && text[length - digits] == '0'))
        return name;
    const long number = strtol(text + length - digits, NULL, 10);
    name = find(p, text, length - digits, number);
    *reg = name ? name->reg + (int32_t)number : 0;
    return name;
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
int32_t ct_ptx_constant(ct_ptx_parser *p, uint64_t value)
{
    const ct_ptx_name *const known = find(p, (const char *)&value, sizeof value, -1);
    if (known && known->kind == NAME_CONSTANT) return known->reg;
    const int32_t reg = ct_ptx_new_registers(p, 1);
    uint64_t *const text = ct_ptx_memory(p, sizeof value);
    if (!text) return 0;
    *text = ((uint64_t *)p->image.items)[reg] = value;
    ct_ptx_name *const name = ct_ptx_declare(p, NAME_CONSTANT, (const char *)text, sizeof value);
    if (name) name->reg = reg;
    return reg;
}
int32_t ct_ptx_value_of(ct_ptx_parser *p, int kind, int special, const ct_ptx_variable *v)
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
static int has_text(const ct_ptx_label *l, const char *text, size_t length)
{
    return l->length == length && memcmp(l->text, text, length) == 0;
}

/* The instruction of a label as seen from a scope; NULL, with a message, where it has none. */
static const ct_ptx_ins *place(ct_ptx_parser *p, const char *text, size_t length, int32_t scope,
                               int line)
{
    const ct_ptx_label *const all = p->labels.items;
    for (int32_t s = scope; s > 0; s = ((const int32_t *)p->parents.items)[s - 1])
        for (int32_t i = 0; i < p->labels.count; ++i)
            if (all[i].scope == s && !all[i].is_table && !all[i].is_entry &&
                has_text(&all[i], text, length))
                return &p->function->code[all[i].at];
    ct_ptx_refuse(p, line, "no label %.*s", (int)length, text);
    return NULL;
}
static void resolve_table(ct_ptx_parser *p, ct_ptx_ins *in, const char *name)
{
    const ct_ptx_label *const all = p->labels.items;
    int32_t table = 0, count = 0;
    while (table < p->labels.count &&
           !(all[table].is_table && has_text(&all[table], name, strlen(name))))
        ++table;
    if (table++ >= p->labels.count) ct_ptx_refuse(p, in->more->line, "no table of labels %s", name);
    while (table + count < p->labels.count && all[table + count].is_entry) ++count;
    in->offset = count;
    in->more->targets = ct_ptx_memory(p, sizeof *in->more->targets * (size_t)(count + 1));
    for (int32_t i = 0; i < count && !p->failed; ++i) {
        const ct_ptx_label *const l = &all[table + i];
        in->more->targets[i] = place(p, l->text, l->length, l->scope, in->more->line);
    }
}
void ct_ptx_resolve(ct_ptx_parser *p)
{
    for (int32_t i = 0; i < p->function->code_count && !p->failed; ++i) {
        ct_ptx_ins *const in = &p->function->code[i];
        const ct_ptx_more *const more = in->more;
        const ct_ptx_operand *const last = more->count ? &more->operands[more->count - 1] : NULL;
        if (!last || last->kind != OPERAND_LABEL || more->count > 2) continue;
        if (more->count == 2) resolve_table(p, in, last->name);
        else in->target = place(p, last->name, strlen(last->name), more->scope, more->line);
    }
}
