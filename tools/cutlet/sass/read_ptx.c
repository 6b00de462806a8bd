/* PTX: statements that end with `;`, in scopes of braces. Braces are also around operands. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "read.h"

enum { STATEMENT_BYTES = 1 << 20 /* what is longer is cut off */ };

static int is_name(int c) { return isalnum(c) || c == '_' || c == '$' || c == '%' || c == '.'; }

static const char *skip_space(const char *p)
{
    while (isspace((unsigned char)*p)) ++p;
    return p;
}

ct_ptx_reader ct_ptx_begin(ct_code *code) { return (ct_ptx_reader){.code = code, .kernel = -1}; }

void ct_ptx_end(ct_ptx_reader *reader)
{
    free(reader->text);
    reader->text = NULL;
    reader->bytes = reader->capacity = 0;
}

int ct_ptx_is_cut(const ct_ptx_reader *reader) { return reader->depth > 0 || reader->in_comment; }

static void put(ct_ptx_reader *r, char c)
{
    if (r->bytes == 0) {
        if (isspace((unsigned char)c)) return;
        r->begin = r->line;
    }
    if (r->bytes + 1 >= r->capacity) {
        if (r->capacity >= STATEMENT_BYTES) return;
        const size_t capacity = r->capacity ? 2 * r->capacity : 256;
        char *const grown = realloc(r->text, capacity);
        if (!grown) {
            r->code->out_of_memory = 1;
            return;
        }
        r->text = grown;
        r->capacity = capacity;
    }
    r->text[r->bytes++] = c;
    r->text[r->bytes] = '\0';
}

static void forget(ct_ptx_reader *r)
{
    r->bytes = 0;
    r->operand = 0;
    if (r->text) r->text[0] = '\0';
}

/* The statement without the labels before it: `$L__BB0_2:` is one, `L2::128B` in a mnemonic not. */
static const char *without_labels(const char *p)
{
    for (;;) {
        const char *end = p;
        while (is_name((unsigned char)*end)) ++end;
        if (end == p || end[0] != ':' || end[1] == ':') return p;
        p = skip_space(end + 1);
    }
}

/* A brace opens at the outermost level: `.visible .entry NAME(...)` or `.func (...) NAME(...)`
 * begins a kernel, all else is data. */
static void open_body(ct_ptx_reader *r)
{
    const char *name = NULL;
    for (const char *p = r->bytes ? r->text : ""; *p; ++p) {
        const int entry = strncmp(p, ".entry", 6) == 0, function = strncmp(p, ".func", 5) == 0;
        if (!entry && !function) continue;
        name = skip_space(p + (entry ? 6 : 5));
        if (function && *name == '(') {
            name += strcspn(name, ")");
            if (*name) name = skip_space(name + 1);
        }
    }
    size_t n = 0;
    while (name && is_name((unsigned char)name[n])) ++n;
    r->kernel = n ? ct_code_add(r->code, name, n, r->arch) : -1;
}

/* A whole statement of a kernel. */
static void count_statement(ct_ptx_reader *r)
{
    char place[32];
    if (r->kernel < 0 || r->bytes == 0) return;
    const char *const whole = without_labels(r->text), *p = whole;
    if (*p == '@') p = skip_space(p + strcspn(p, " \t\n"));
    snprintf(place, sizeof place, "line %d", r->begin);
    ct_code_count(r->code, r->kernel, ct_ptx_access_of(p), place, whole, strlen(whole));
}

/* Whether a brace that opens begins a scope, not an operand. */
static int opens_scope(const ct_ptx_reader *r)
{
    return r->depth == 0 || r->bytes == 0 || *without_labels(r->text) == '\0';
}

static void take(ct_ptx_reader *r, char c)
{
    if (c == '{' && r->operand == 0 && opens_scope(r)) {
        if (r->depth++ == 0) open_body(r);
        forget(r);
    } else if (c == '}' && r->operand == 0) {
        if (r->depth > 0 && --r->depth == 0) r->kernel = -1;
        forget(r);
    } else if (c == ';') {
        if (r->depth > 0) count_statement(r);
        forget(r);
    } else {
        r->operand += (c == '{') - (c == '}');
        put(r, c);
    }
}

/* `.target sm_90, debug`. */
static void read_target(ct_ptx_reader *r, const char *p)
{
    size_t n = 0;
    if (strncmp(p, ".target", 7) != 0) return;
    p = skip_space(p + 7);
    if (strncmp(p, "sm_", 3) != 0) return;
    while (n + 1 < CT_ARCH_BYTES && (isalnum((unsigned char)p[n]) || p[n] == '_')) ++n;
    memcpy(r->arch, p, n);
    r->arch[n] = '\0';
}

void ct_ptx_line(ct_ptx_reader *reader, const char *line)
{
    const char *p = skip_space(line);
    int quoted = 0;
    ++reader->line;
    if (!reader->in_comment) {
        if (reader->depth == 0) read_target(reader, p);
        /* The place in the source has no `;`. */
        if (strncmp(p, ".loc", 4) == 0 && isspace((unsigned char)p[4])) return;
    }
    for (; *p; ++p) {
        if (reader->in_comment) {
            if (p[0] == '*' && p[1] == '/') reader->in_comment = 0, ++p;
        } else if (quoted || *p == '"') {
            quoted ^= *p == '"';
            put(reader, *p);
        } else if (p[0] == '/' && p[1] == '/') {
            break;
        } else if (p[0] == '/' && p[1] == '*') {
            reader->in_comment = 1, ++p;
        } else {
            take(reader, *p);
        }
    }
    if (reader->bytes) put(reader, ' ');
}
