/* Field names of NumPy files: Latin-1 in formats 1.0 and 2.0, UTF-8 in format 3.0 and here. */
#include "npy_header.h"

#include <string.h>

/* The bytes that follow the first of a character; -1 where none begins with it. */
static int followers(unsigned char first)
{
    if (first < 0x80) return 0;
    return first >> 5 == 6 ? 1 : first >> 4 == 14 ? 2 : first >> 3 == 30 ? 3 : -1;
}

/* Takes a character of UTF-8. -1 if the bytes are not a character: too few or too many, an overlong
 * form, half of a UTF-16 pair, or beyond the last character. */
static int32_t take_character(const unsigned char **at)
{
    static const int32_t least[4] = {0, 0x80, 0x800, 0x10000};
    const unsigned char first = *(*at)++;
    const int more = followers(first);
    if (more < 0) return -1;
    int32_t c = more ? first & (0x3f >> more) : first;
    for (int i = 0; i < more; ++i) {
        if (**at >> 6 != 2) return -1; /* the zero at the end, too */
        c = c << 6 | (*(*at)++ & 0x3f);
    }
    return c < least[more] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000) ? -1 : c;
}

int ct_npy_is_utf8(const char *text)
{
    const unsigned char *at = (const unsigned char *)text;
    while (*at)
        if (take_character(&at) < 0) return 0;
    return 1;
}

int ct_npy_from_latin1(char *text, size_t capacity)
{
    size_t length = strlen(text), more = 0;
    for (size_t i = 0; i < length; ++i) more += (unsigned char)text[i] >= 0x80;
    if (length + more >= capacity) return -1;
    for (size_t i = length + 1, to = length + more; i-- > 0; --to) { /* from the end: to >= i */
        const unsigned char c = (unsigned char)text[i];
        text[to] = (char)(c < 0x80 ? c : 0x80 | (c & 0x3f));
        if (c >= 0x80) text[--to] = (char)(0xc0 | c >> 6);
    }
    return 0;
}

int ct_npy_to_latin1(char *text)
{
    const unsigned char *at = (const unsigned char *)text;
    while (*at)
        if ((uint32_t)take_character(&at) > 0xff) return 0;
    at = (const unsigned char *)text;
    while (*at) *text++ = (char)take_character(&at);
    *text = 0;
    return 1;
}
