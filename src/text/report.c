/* A message about a place in a line, with the line and a caret. */
#include <cutlet/host/check.h>

#include "base/style.h"

/* The most columns of a line that are shown. */
#define COLUMNS 100

/* Whether a byte begins a character of UTF-8 text. */
static int begins_character(char c) { return ((unsigned char)c & 0xc0) != 0x80; }

static void put_bytes(FILE *stream, const char *s, size_t n)
{
    for (size_t i = 0; i < n; ++i) {
        const unsigned char c = (unsigned char)s[i];
        fputc(c < 0x20 || c == 0x7f ? ' ' : c, stream);
    }
}

static size_t columns(const char *s, size_t n)
{
    size_t count = 0;
    for (size_t i = 0; i < n; ++i) count += (size_t)begins_character(s[i]);
    return count;
}

void ct_report_place(FILE *stream, const char *where, const char *line, size_t length, size_t at,
                     size_t width, const char *message)
{
    size_t begin = 0, end = length;
    if (at > length) at = length;
    if (length > COLUMNS) {
        begin = at > COLUMNS * 2 / 3 ? at - COLUMNS * 2 / 3 : 0;
        end = begin + COLUMNS < length ? begin + COLUMNS : length;
        while (begin > 0 && !begins_character(line[begin])) --begin;
        while (end < length && !begins_character(line[end])) ++end;
    }
    if (width > end - at) width = end - at;
    if (width < 1) width = 1;
    ct_put_style(stream, CT_STYLE_BAD);
    fprintf(stream, "%s:", where);
    ct_put_style(stream, CT_STYLE_NONE);
    fprintf(stream, " %s\n  %s", message, begin > 0 ? "..." : "");
    put_bytes(stream, line + begin, end - begin);
    fprintf(stream, "%s\n  %*s", end < length ? "..." : "",
            (int)(columns(line + begin, at - begin) + (begin > 0 ? 3 : 0)), "");
    ct_put_style(stream, CT_STYLE_PLACE);
    fputc('^', stream);
    const size_t marked = at < length ? columns(line + at, width) : 1;
    for (size_t i = 1; i < marked; ++i) fputc('~', stream);
    ct_put_style(stream, CT_STYLE_NONE);
    fputc('\n', stream);
}
