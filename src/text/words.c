/* Reading C++ and Python; see words.h. */
#include "words.h"

#include <string.h>

ct_reader ct_reader_of(const char *text, ct_diag *diag)
{
    ct_reader r;
    memset(&r, 0, sizeof r);
    r.text = text;
    r.length = strlen(text);
    r.diag = diag;
    return r;
}

static int begins_word(int c)
{
    return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static int goes_on(int c) { return begins_word(c) || (c >= '0' && c <= '9'); }

size_t ct_read_identifier(ct_reader *r, char word[CT_WORD_BYTES])
{
    ct_reader_peek(r);
    const size_t start = r->at;
    if (r->at < r->length && begins_word((unsigned char)r->text[r->at])) {
        while (r->at < r->length && goes_on((unsigned char)r->text[r->at])) ++r->at;
    }
    size_t n = r->at - start;
    if (n >= CT_WORD_BYTES) n = CT_WORD_BYTES - 1;
    memcpy(word, r->text + start, n);
    word[n] = '\0';
    return start;
}

size_t ct_read_word(ct_reader *r, char word[CT_WORD_BYTES])
{
    for (;;) {
        const size_t start = ct_read_identifier(r, word), n = r->length - r->at;
        const char *const rest = r->text + r->at;
        if (word[0] && n > 1 && rest[0] == '.' && begins_word((unsigned char)rest[1])) ++r->at;
        else if (word[0] && n > 2 && rest[0] == ':' && rest[1] == ':') r->at += 2;
        else return start;
    }
}

void ct_peek_word(ct_reader *r, char word[CT_WORD_BYTES])
{
    const size_t at = r->at;
    ct_read_word(r, word);
    r->at = at;
}

int ct_take_text(ct_reader *r, const char *text)
{
    ct_reader_peek(r);
    const size_t n = strlen(text);
    if (r->length - r->at < n || memcmp(r->text + r->at, text, n) != 0) return 0;
    r->at += n;
    return 1;
}

ct_status ct_take_open(ct_reader *r, const char *set, char *close)
{
    static const char opening[] = "({[<", closing[] = ")}]>";
    const int c = ct_reader_peek(r);
    if (c == 0 || !strchr(set, c)) {
        char wanted[8] = {'`', set[0], '`', 0};
        return ct_reader_expected(r, wanted);
    }
    *close = closing[strchr(opening, c) - opening];
    ++r->at;
    return CT_OK;
}

ct_status ct_take_closing(ct_reader *r, char c)
{
    const char wanted[8] = {'`', c, '`', 0};
    return ct_reader_take(r, c) ? CT_OK : ct_reader_expected(r, wanted);
}

void ct_take_empty_braces(ct_reader *r)
{
    const size_t at = r->at;
    if (ct_reader_take(r, '{') && ct_reader_take(r, '}')) return;
    r->at = at;
    if (ct_reader_take(r, '(') && ct_reader_take(r, ')')) return;
    r->at = at;
}

ct_status ct_read_integers(ct_reader *r, const char *brackets, int capacity, int64_t *out,
                           int *count)
{
    char close;
    *count = 0;
    if (ct_take_open(r, brackets, &close)) return r->failed;
    while (!ct_reader_take(r, close)) {
        if (*count > 0) {
            if (!ct_reader_take(r, ',')) return ct_take_closing(r, close);
            if (ct_reader_take(r, close)) break; /* (4,) */
        }
        ct_reader_peek(r);
        if (*count == capacity)
            return ct_reader_fail(r, r->at, 1, "more than %d integers", capacity);
        if (ct_read_integer(r, &out[*count])) return r->failed;
        ++*count;
    }
    return CT_OK;
}

ct_status ct_read_end(ct_reader *r)
{
    ct_reader_peek(r);
    return r->at >= r->length ? CT_OK : ct_reader_expected(r, "the end");
}
