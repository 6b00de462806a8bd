/* The words of PTX. */
#include "parse.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>

#include "base/refuse.h"

/* clang-format off */
const char *const ct_ptx_type_names[PTX_TYPES] = {
    "", "pred", "b8", "u8", "s8", "b16", "u16", "s16", "f16", "bf16", "b32", "u32", "s32", "f32", "f16x2", "bf16x2",
    "tf32", "b64", "u64", "s64", "f64", "e4m3x2", "e5m2x2", "b1", "s4", "u4", "e4m3", "e5m2"};
const unsigned char ct_ptx_type_bits[PTX_TYPES] = {
    0, 1, 8, 8, 8, 16, 16, 16, 16, 16, 32, 32, 32, 32, 32, 32, 32, 64, 64, 64, 64, 16, 16, 1, 4, 4, 8, 8};
/* clang-format on */

void ct_ptx_refuse(ct_ptx_parser *p, int line, const char *format, ...)
{
    char why[CT_MESSAGE_BYTES];
    va_list args;
    if (p->failed) return;
    va_start(args, format);
    vsnprintf(why, sizeof why, format, args);
    va_end(args);
    (void)ct_refuse(p->message, CT_E_TEXT, "line %d: %s", line, why);
    p->failed = 1;
    p->token = (ct_ptx_token){TOKEN_END, line, "", 0, 0};
}
void ct_ptx_refuse_token(ct_ptx_parser *p, const char *what)
{
    const int length = p->token.length > 60 ? 60 : (int)p->token.length;
    if (p->token.kind == TOKEN_END) ct_ptx_refuse(p, p->token.line, "the end of the text %s", what);
    else ct_ptx_refuse(p, p->token.line, "'%.*s' %s", length, p->token.text, what);
}
void *ct_ptx_memory(ct_ptx_parser *p, size_t bytes)
{
    void *const memory = p->failed ? NULL : ct_arena_take(&p->module->arena, bytes);
    if (!memory) ct_ptx_refuse(p, p->line, "not enough memory");
    return memory;
}
const char *ct_ptx_copy(ct_ptx_parser *p, const char *text, size_t length)
{
    char *const copy = ct_ptx_memory(p, length + 1);
    return copy ? memcpy(copy, text, length) : "";
}
void *ct_ptx_append(ct_ptx_parser *p, ct_ptx_list *list, size_t bytes)
{
    void *const items = ct_grown(list->items, list->count, &list->capacity, bytes);
    if (!items) ct_ptx_refuse(p, p->line, "not enough memory");
    if (items) list->items = items;
    if (p->failed) return NULL;
    return memset((char *)items + (size_t)list->count++ * bytes, 0, bytes);
}
static void skip_blanks(ct_ptx_parser *p)
{
    for (;; ++p->at) {
        if (p->at[0] == '/' && p->at[1] == '/') p->at += strcspn(p->at, "\n");
        if (p->at[0] == '/' && p->at[1] == '*') {
            const char *const end = strstr(p->at + 2, "*/");
            for (; *p->at && p->at != end; ++p->at) p->line += *p->at == '\n';
            p->at += *p->at != 0;
        } else if (*p->at == '\n') ++p->line;
        else if (!isspace((unsigned char)*p->at)) return;
        if (!*p->at) return;
    }
}
static int is_in_word(char c) { return isalnum((unsigned char)c) || (c && strchr("_$%.", c)); }

static size_t word_length(const char *at)
{
    for (size_t n = 0;; ++n)
        if (at[n] == ':' && at[n + 1] == ':' && is_in_word(at[n + 2])) n += 2;
        else if (!is_in_word(at[n])) return n;
}

/* 0f and 0d begin the bits of a float, and of a double. */
static void read_number(ct_ptx_parser *p)
{
    const char *const at = p->at, second = at[0] == '0' ? (char)tolower((unsigned char)at[1]) : 0;
    const int is_bits = (second == 'f' || second == 'd') && isxdigit((unsigned char)at[2]);
    char *end;
    errno = 0;
    if (is_bits) p->token.value = strtoull(at + 2, &end, 16);
    else p->token.value = second == 'b' ? strtoull(at + 2, &end, 2) : strtoull(at, &end, 0);
    if (*end == '.' && isdigit((unsigned char)end[1])) {
        const float value = strtof(at, &end);
        p->token.value = 0;
        memcpy(&p->token.value, &value, sizeof value);
    }
    end += *end == 'U';
    p->at = end;
    p->token.kind = TOKEN_NUMBER;
    p->token.length = (size_t)(end - at);
    if (errno || end == at || is_in_word(*end)) {
        p->token.length = word_length(at);
        ct_ptx_refuse_token(p, "is no number");
    }
}
void ct_ptx_next(ct_ptx_parser *p)
{
    if (p->failed) return;
    skip_blanks(p);
    p->token = (ct_ptx_token){TOKEN_END, p->line, p->at, 0, 0};
    if (!*p->at) return;
    if (isdigit((unsigned char)*p->at)) {
        read_number(p);
    } else if (*p->at == '"') {
        const size_t n = strcspn(p->at + 1, "\"\n");
        p->token = (ct_ptx_token){TOKEN_STRING, p->line, p->at + 1, n, 0};
        p->at += n + 1;
        if (*p->at == '"') ++p->at;
        else ct_ptx_refuse_token(p, "is a string without an end");
    } else {
        p->token.length = word_length(p->at);
        p->token.kind = p->token.length ? TOKEN_WORD : TOKEN_SIGN;
        p->token.length += !p->token.length;
        p->at += p->token.length;
    }
}
int ct_ptx_is(const ct_ptx_parser *p, const char *text)
{
    const ct_ptx_token *const t = &p->token;
    return (t->kind == TOKEN_WORD || t->kind == TOKEN_SIGN) && strlen(text) == t->length &&
           memcmp(text, t->text, t->length) == 0;
}
int ct_ptx_type(const char *word, size_t length)
{
    int i = PTX_TYPES - 1;
    while (i > 0 && ct_word_place(ct_ptx_type_names[i], word, length) < 0) --i;
    return i;
}
int ct_ptx_is_in(const ct_ptx_parser *p, const char *list)
{
    return p->token.kind == TOKEN_WORD && ct_word_place(list, p->token.text, p->token.length) >= 0;
}
int ct_ptx_take(ct_ptx_parser *p, const char *text)
{
    if (!ct_ptx_is(p, text)) return 0;
    ct_ptx_next(p);
    return 1;
}
void ct_ptx_expect(ct_ptx_parser *p, const char *text)
{
    char what[64];
    if (ct_ptx_take(p, text)) return;
    snprintf(what, sizeof what, "where '%s' is expected", text);
    ct_ptx_refuse_token(p, what);
}
ct_ptx_token ct_ptx_word(ct_ptx_parser *p)
{
    const ct_ptx_token word = p->token;
    if (word.kind != TOKEN_WORD) ct_ptx_refuse_token(p, "where a name is expected");
    ct_ptx_next(p);
    return p->failed ? (ct_ptx_token){TOKEN_WORD, word.line, "?", 1, 0} : word;
}
uint64_t ct_ptx_number(ct_ptx_parser *p)
{
    const int is_negative = ct_ptx_take(p, "-");
    const uint64_t value = p->token.value;
    if (p->token.kind != TOKEN_NUMBER) ct_ptx_refuse_token(p, "where a number is expected");
    ct_ptx_next(p);
    return is_negative ? 0 - value : value;
}
