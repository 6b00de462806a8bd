/* The names of PTX: registers, variables and constants by scope, and the labels of a function. */
#include "parse.h"

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

const ct_ptx_name *ct_ptx_find_name(const ct_ptx_parser *p, const char *text, size_t length,
                                    long number)
{
    int32_t i = *bucket_of(p, text, length);
    for (; i >= 0; i = name_at(p, i)->older) {
        const ct_ptx_name *const name = name_at(p, i);
        if (name->length != length || memcmp(name->text, text, length) != 0) continue;
        if (number < 0 ? name->kind != NAME_REGISTERS : number < name->count) return name;
    }
    return NULL;
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
/* The number of the label of a text, of one kind, in a scope or, 0, in any; or -1. */
static int32_t find_label(const ct_ptx_parser *p, const char *text, size_t length, int kind,
                          int32_t scope)
{
    const ct_ptx_label *const all = p->labels.items;
    for (int32_t i = 0; i < p->labels.count; ++i)
        if (all[i].kind == kind && (!scope || all[i].scope == scope) && all[i].length == length &&
            memcmp(all[i].text, text, length) == 0)
            return i;
    return -1;
}

/* The instruction of a label as seen from a scope; NULL, with a message, where it has none. */
static const ct_ptx_ins *place(ct_ptx_parser *p, const char *text, size_t length, int32_t scope,
                               int line)
{
    int32_t found = -1;
    for (int32_t s = scope; s > 0 && found < 0; s = ((const int32_t *)p->parents.items)[s - 1])
        found = find_label(p, text, length, LABEL_PLACE, s);
    if (found >= 0) return &p->function->code[((const ct_ptx_label *)p->labels.items)[found].at];
    ct_ptx_refuse(p, line, "no label %.*s", (int)length, text);
    return NULL;
}
static void resolve_table(ct_ptx_parser *p, ct_ptx_ins *in, const char *name)
{
    const int32_t table = find_label(p, name, strlen(name), LABEL_TABLE, 0);
    const ct_ptx_label *const entry = (const ct_ptx_label *)p->labels.items + table + 1;
    int32_t count = 0;
    if (table < 0) ct_ptx_refuse(p, in->more->line, "no table of labels %s", name);
    while (table + 1 + count < p->labels.count && entry[count].kind == LABEL_ENTRY) ++count;
    in->offset = count;
    in->more->targets = ct_ptx_memory(p, sizeof *in->more->targets * (size_t)(count + 1));
    for (int32_t i = 0; i < count && !p->failed; ++i)
        in->more->targets[i] =
            place(p, entry[i].text, entry[i].length, entry[i].scope, in->more->line);
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
