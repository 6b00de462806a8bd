/* Variables of PTX and their initial values. */
#include "parse.h"

#include <ctype.h>
#include <stdlib.h>

/* The name of a static variable of a function without C++'s mangling: `_ZZ4copyE4tile` is tile. */
static const char *shown_name(const char *name)
{
    for (const char *at = name + strlen(name); strncmp(name, "_ZZ", 3) == 0 && at > name; --at) {
        char *rest;
        if (at[0] != 'E' || !isdigit((unsigned char)at[1])) continue;
        const unsigned long length = strtoul(at + 1, &rest, 10);
        if (length == strlen(rest) || (length < strlen(rest) && rest[length] == '_')) return rest;
    }
    return name;
}
static void read_attributes(ct_ptx_parser *p, ct_ptx_variable *v)
{
    while (!p->failed && p->token.kind == TOKEN_WORD && p->token.text[0] == '.') {
        const int type = ct_ptx_type(p->token.text + 1, p->token.length - 1);
        if (ct_ptx_take(p, ".align")) {
            const size_t align = (size_t)ct_ptx_number(p);
            if (align < 1 || align > 4096 || (align & (align - 1)))
                ct_ptx_refuse(p, p->token.line, "an alignment is a power of two up to 4096");
            if (align > v->align) v->align = align;
            continue;
        }
        if (type) v->type = type;
        else if (!ct_ptx_is_in(p, ".ptr .global .shared .const .local .unified .managed"))
            ct_ptx_refuse_token(p, "of a variable is not known");
        ct_ptx_next(p);
    }
    if (ct_ptx_bits(v->type) < 8) ct_ptx_refuse_token(p, "is a variable without a type of memory");
}

/* `[8][4]`, or `[]` of memory that the launch gives. */
static void read_extents(ct_ptx_parser *p, ct_ptx_variable *v)
{
    enum { MOST = 1 << 30 };
    while (ct_ptx_take(p, "[")) {
        v->is_array = 1;
        v->is_dynamic = ct_ptx_is(p, "]");
        const uint64_t extent = v->is_dynamic ? 0 : ct_ptx_number(p);
        if (v->bytes && extent > MOST / v->bytes)
            ct_ptx_refuse(p, p->token.line, "more than 2^30 bytes");
        else v->bytes *= (size_t)extent;
        ct_ptx_expect(p, "]");
    }
}

/* Numbers, in braces or not; addresses are refused. */
static void read_values(ct_ptx_parser *p, ct_ptx_variable *v)
{
    const size_t each = (size_t)ct_ptx_bits(v->type) / 8;
    size_t at = 0;
    int depth = 0;
    v->data = ct_ptx_memory(p, v->bytes + 8);
    do {
        while (ct_ptx_take(p, "{")) ++depth;
        const int is_value = !ct_ptx_is(p, "}");
        const uint64_t value = is_value ? ct_ptx_number(p) : 0;
        if (is_value && at + each > v->bytes)
            ct_ptx_refuse(p, p->token.line, "more initial values than %s has elements", v->name);
        if (p->failed) return;
        if (is_value) memcpy(v->data + at, &value, each);
        at += each;
        while (depth > 0 && ct_ptx_take(p, "}")) --depth;
    } while (ct_ptx_take(p, ","));
    if (depth) ct_ptx_expect(p, "}");
}
ct_ptx_variable *ct_ptx_variable_read(ct_ptx_parser *p, int space)
{
    ct_ptx_variable *const v = ct_ptx_memory(p, sizeof *v);
    if (!v) return NULL;
    v->space = space;
    read_attributes(p, v);
    const ct_ptx_token name = ct_ptx_word(p);
    v->name = ct_ptx_copy(p, name.text, name.length);
    v->site = (ct_grid_site){.file = "ptx", .line = name.line, .own = 2, .home = ""};
    v->shown = shown_name(v->name);
    v->bytes = (size_t)ct_ptx_bits(v->type) / 8;
    if (v->align < v->bytes) v->align = v->bytes;
    read_extents(p, v);
    if (ct_ptx_take(p, "=")) read_values(p, v);
    ct_ptx_name *const declared = ct_ptx_declare(p, NAME_ONE, v->name, strlen(v->name));
    if (declared) declared->variable = v;
    return p->failed ? NULL : v;
}
