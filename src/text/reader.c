#include "reader.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* A message is one line of printable text for any quoted text. */
static void make_printable(char *text)
{
    for (; *text; ++text) {
        if ((unsigned char)*text < 0x20 || *text == 0x7f) *text = '?';
    }
}

ct_status ct_reader_fail(ct_reader *r, size_t at, size_t length, const char *format, ...)
{
    if (r->failed) return r->failed;
    r->failed = CT_E_TEXT;
    if (!r->diag) return r->failed;
    memset(r->diag, 0, sizeof *r->diag);
    r->diag->at = at;
    r->diag->length = length > 0 ? length : 1;
    va_list args;
    va_start(args, format);
    vsnprintf(r->diag->message, sizeof r->diag->message, format, args);
    va_end(args);
    make_printable(r->diag->message);
    return r->failed;
}

ct_status ct_reader_no_memory(ct_reader *r, size_t at)
{
    ct_reader_fail(r, at, 1, "out of memory");
    return r->failed = CT_E_MEMORY;
}

int ct_reader_peek(ct_reader *r)
{
    while (r->at < r->length) {
        const char c = r->text[r->at];
        if (c != ' ' && c != '\t' && c != '\r' && c != '\n') return (unsigned char)c;
        ++r->at;
    }
    return 0;
}

int ct_reader_take(ct_reader *r, char c)
{
    if (ct_reader_peek(r) != c) return 0;
    ++r->at;
    return 1;
}

static int is_word(char c)
{
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* The text at the cursor, for a message: a word, a character, the end. */
static size_t describe_here(ct_reader *r, char *buf, size_t size)
{
    const int c = ct_reader_peek(r);
    size_t n = 0;
    if (r->at >= r->length) {
        snprintf(buf, size, "the text ends");
        return 1;
    }
    while (r->at + n < r->length && n < 24 && is_word(r->text[r->at + n])) ++n;
    if (n == 0) n = 1;
    if (c < 0x20 || c >= 0x7f) {
        snprintf(buf, size, "there is the byte 0x%02x", (unsigned)c);
        return 1;
    }
    snprintf(buf, size, "there is `%.*s`", (int)n, r->text + r->at);
    return n;
}

ct_status ct_reader_expected(ct_reader *r, const char *wanted)
{
    char here[64];
    const size_t n = describe_here(r, here, sizeof here);
    return ct_reader_fail(r, r->at, n, "expected %s, but %s", wanted, here);
}

static int is_digit(int c) { return c >= '0' && c <= '9'; }

ct_status ct_read_integer(ct_reader *r, int64_t *out)
{
    ct_reader_peek(r);
    const size_t start = r->at;
    size_t i = start;
    uint64_t v = 0;
    int negative = 0, fits = 1;
    if (i < r->length && r->text[i] == '_') ++i;
    if (i < r->length && r->text[i] == '-') {
        negative = 1;
        ++i;
    }
    if (i >= r->length || !is_digit((unsigned char)r->text[i]))
        return ct_reader_expected(r, "an integer");
    for (; i < r->length && is_digit((unsigned char)r->text[i]); ++i) {
        const unsigned digit = (unsigned)(r->text[i] - '0');
        if (v > ((uint64_t)INT64_MAX - digit) / 10) fits = 0;
        else v = v * 10 + digit;
    }
    if (!fits)
        return ct_reader_fail(r, start, i - start,
                              "this integer is out of range: integers are from -%lld to %lld",
                              (long long)INT64_MAX, (long long)INT64_MAX);
    r->at = i;
    *out = negative ? -(int64_t)v : (int64_t)v;
    return 0;
}

ct_status ct_read_unknown(ct_reader *r, int64_t *out)
{
    const size_t at = r->at++;
    const int assumed = r->unknowns == 0 && r->assumed && r->taken < CT_MAX_UNKNOWN;
    if (r->unknowns == 0 && !assumed)
        return ct_reader_fail(
            r, at, 1,
            "`?` is known only at run time: write its value, or `with ?=8` behind "
            "the expression");
    if (r->unknowns > 1 && r->taken == r->unknowns)
        return ct_reader_fail(r, at, 1, "`with ?=` gives %d values, and this is another `?`",
                              r->unknowns);
    *out = assumed ? ct_assumed_number(r->assumed, r->taken)
                   : r->unknown[r->unknowns > 1 ? r->taken : 0];
    ++r->taken;
    if (r->at < r->length && r->text[r->at] == '{')
        while (r->at < r->length && r->text[r->at++] != '}') continue;
    return CT_OK;
}

/* Where the word `with` begins behind which `?` stands, or the end. */
static size_t find_with(const ct_reader *r)
{
    for (size_t at = r->at; at + 5 < r->length; ++at) {
        size_t next = at + 5;
        if (memcmp(r->text + at, " with", 5) != 0) continue;
        while (next < r->length && r->text[next] == ' ') ++next;
        if (next < r->length && r->text[next] == '?') return at;
    }
    return r->length;
}

ct_status ct_read_with(ct_reader *r)
{
    ct_reader list = *r;
    list.at = find_with(r);
    if (list.at == r->length) return CT_OK;
    r->length = list.at;
    list.at += 5;
    if (!ct_reader_take(&list, '?') || !ct_reader_take(&list, '='))
        return r->failed = ct_reader_expected(&list, "`?=` and a value, as in `with ?=8`");
    do {
        if (list.unknowns == CT_MAX_UNKNOWN)
            return r->failed = ct_reader_fail(&list, list.at, 1, "more than %d values of `?`",
                                              CT_MAX_UNKNOWN);
        if (ct_read_integer(&list, &list.unknown[list.unknowns++])) return r->failed = list.failed;
    } while (ct_reader_take(&list, ','));
    if (ct_reader_peek(&list)) return r->failed = ct_reader_expected(&list, "`,` or the end");
    memcpy(r->unknown, list.unknown, sizeof r->unknown);
    r->unknowns = list.unknowns;
    return CT_OK;
}
