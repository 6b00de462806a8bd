/* Names and the texts that they stand for: constants, aliases of types, layouts. */
#include "base/builder.h"
#include "lint.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 4096 }; /* a text that is longer is no layout */

int ct_lint_is_letter(char c) { return isalnum((unsigned char)c) || c == '_'; }

size_t ct_lint_word_end(const ct_lint_file *f, size_t at)
{
    size_t end = at;
    if (f->language == CT_LINT_PLAIN && f->text[at] == '#') ++end; /* an alias of MLIR */
    if (isdigit((unsigned char)f->text[end])) return at;
    const size_t first = end;
    while (end < f->length && ct_lint_is_letter(f->text[end])) ++end;
    return end > first ? end : at;
}

size_t ct_lint_skip(const ct_lint_file *f, size_t at)
{
    while (at < f->length && isspace((unsigned char)f->text[at])) ++at;
    return at;
}

/* Whether `<` is a bracket: a word stands right in front of it, or a space and no space behind. */
static int opens_angle(const ct_lint_file *f, size_t at)
{
    return at > 0 && (ct_lint_is_letter(f->text[at - 1]) ||
                      (f->text[at - 1] == ' ' && at + 1 < f->length && f->text[at + 1] != ' ' &&
                       f->text[at + 1] != '<' && f->text[at + 1] != '='));
}

size_t ct_lint_close(const ct_lint_file *f, size_t at)
{
    char open[64];
    int depth = 0;
    for (size_t i = at; i < f->length; ++i) {
        const char c = f->text[i];
        if (c == '(' || c == '[' || c == '{' || (c == '<' && (i == at || opens_angle(f, i)))) {
            if (depth == (int)sizeof open) return 0;
            open[depth++] = c;
        } else if (c == '>' && depth > 0 && open[depth - 1] == '<' && f->text[i - 1] != '-') {
            if (--depth == 0) return i + 1;
        } else if (c == ')' || c == ']' || c == '}') {
            while (depth > 0 && open[depth - 1] == '<') --depth; /* it was no bracket */
            if (depth == 0 || --depth == 0) return depth == 0 && i > at ? i + 1 : 0;
        } else if (c == ';' && f->language == CT_LINT_CPP) return 0;
    }
    return 0;
}

size_t ct_lint_statement_end(const ct_lint_file *f, size_t at)
{
    for (size_t i = at; i < f->length; ++i) {
        const char c = f->text[i];
        if (c == ';' || (c == '\n' && f->language != CT_LINT_CPP)) return i;
        if (c == ')' || c == ']' || c == '}' || c == ',') return 0;
        if (c == '(' || c == '[' || c == '{' || (c == '<' && opens_angle(f, i))) {
            const size_t close = ct_lint_close(f, i);
            if (close) i = close - 1;
            else if (c != '<') return 0;
        }
    }
    return f->language == CT_LINT_CPP ? 0 : f->length;
}

/* ---- texts ------------------------------------------------------------------------------------ */

static const ct_lint_name *find(const ct_lint_names *names, const char *word, size_t n)
{
    for (size_t i = names->count; i-- > 0;)
        if (strncmp(names->name[i].name, word, n) == 0 && names->name[i].name[n] == 0)
            return &names->name[i];
    return NULL;
}

static int is_word(const char *word, size_t n, const char *words)
{
    for (const char *w = words; *w; w += strlen(w) + 1)
        if (strlen(w) == n && memcmp(w, word, n) == 0) return 1;
    return 0;
}

static void expand(const ct_lint_file *f, const ct_lint_names *names, size_t at, size_t end,
                   ct_builder *b);

/* A word: a namespace is left out, `decltype` is what it holds, a name its text. Returns where to go on. */
static size_t expand_word(const ct_lint_file *f, const ct_lint_names *names, size_t at, size_t end,
                          ct_builder *b)
{
    const char *const t = f->text;
    const size_t word_end = ct_lint_word_end(f, at), n = word_end - at;
    const int is_member = at > 0 && (t[at - 1] == '.' || t[at - 1] == ':');
    const size_t next = ct_lint_skip(f, word_end);
    if (is_word(t + at, n, "cute\0cutlass\0") && (t[word_end] == '.' || t[word_end] == ':'))
        return word_end + (t[word_end] == '.' ? 1 : 2);
    if (is_word(t + at, n, "typename\0const\0constexpr\0auto\0")) return word_end;
    if (is_word(t + at, n, "decltype\0") && t[next] == '(') {
        const size_t close = ct_lint_close(f, next);
        if (close && close <= end) {
            expand(f, names, next + 1, close - 1, b);
            return close;
        }
    }
    const int is_keyword = t[next] == '=' && t[next + 1] != '=';
    const ct_lint_name *const known = is_keyword ? NULL : find(names, t + at, n);
    const int own = is_member && !(at > 5 && memcmp(t + at - 6, "cute::", 6) == 0);
    if (!known || !known->text || own) {
        ct_put_bytes(b, t + at, n);
        return word_end;
    }
    ct_put_text(b, known->text);
    if ((t[next] == '{' && t[next + 1] == '}') || (t[next] == '(' && t[next + 1] == ')'))
        return next + 2;
    return word_end;
}

static void expand(const ct_lint_file *f, const ct_lint_names *names, size_t at, size_t end,
                   ct_builder *b)
{
    const char *const t = f->text;
    while (at < end && b->length < LONGEST) {
        const size_t word = ct_lint_word_end(f, at);
        if (word > at && !(at > 0 && ct_lint_is_letter(t[at - 1]))) {
            at = expand_word(f, names, at, end, b);
        } else if (t[at] == '{' && at + 1 < end && t[at + 1] == '}') {
            at += 2;
        } else if (isspace((unsigned char)t[at])) {
            if (b->length > 0 && b->text[b->length - 1] != ' ') ct_put_char(b, ' ');
            ++at;
        } else ct_put_char(b, t[at++]);
    }
}

char *ct_lint_expand(const ct_lint_file *f, const ct_lint_names *names, size_t at, size_t end)
{
    ct_builder b = {0};
    expand(f, names, ct_lint_skip(f, at), end, &b);
    while (b.length > 0 && b.text[b.length - 1] == ' ') b.text[--b.length] = 0;
    ct_put_text(&b, "");
    if (!b.failed) return b.text;
    ct_builder_free(&b);
    return NULL;
}

/* ---- definitions ------------------------------------------------------------------------------ */

static int is_integer(const char *text)
{
    char *end;
    (void)strtoll(text, &end, 0);
    return end > text && *end == 0;
}

/* Whether a name of C++ is declared here, and a number as a constant: `constexpr int`, `const auto`, `using`. */
static int is_declared(const ct_lint_file *f, size_t at, int is_number)
{
    size_t from = at, end = at;
    while (from > 0 && !strchr(";{}()", f->text[from - 1])) --from;
    while (end > from && isspace((unsigned char)f->text[end - 1])) --end;
    return end > from && (!is_number || ct_lint_look(f->text + from, at - from, "const"));
}

ct_status ct_lint_define(ct_lint_file *f, ct_lint_names *names, size_t at, size_t end, size_t from,
                         size_t to)
{
    char *text = ct_lint_expand(f, names, from, to);
    if (!text) return snprintf(f->message, sizeof f->message, "out of memory"), CT_E_MEMORY;
    if (strlen(text) >= LONGEST ||
        (f->language == CT_LINT_CPP && !is_declared(f, at, is_integer(text)))) {
        free(text);
        text = NULL;
    }
    ct_lint_name *const name =
        ct_lint_grow(f, (void **)&names->name, &names->count, sizeof *names->name);
    if (!name) {
        free(text);
        return CT_E_MEMORY;
    }
    snprintf(name->name, sizeof name->name, "%.*s", (int)(end - at), f->text + at);
    name->text = text;
    return CT_OK;
}

void ct_lint_forget(ct_lint_names *names, size_t count)
{
    while (names->count > count) {
        const ct_lint_name *const gone = &names->name[--names->count];
        for (size_t i = 0; i < count; ++i) {
            if (strcmp(names->name[i].name, gone->name) != 0) continue;
            free(names->name[i].text);
            names->name[i].text = NULL;
        }
        free(gone->text);
    }
}
