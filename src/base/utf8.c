/* Characters of UTF-8. */
#include "utf8.h"

int ct_text_width(const char *text)
{
    int width = 0;
    if (!text) return 0;
    for (; *text; ++text)
        if (((unsigned char)*text & 0xc0) != 0x80) ++width;
    return width;
}

int ct_text_char(const char *text)
{
    const unsigned char first = (unsigned char)text[0];
    const int bytes = first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    if (first > 0xf4) return 0;
    for (int i = 1; i < bytes; ++i)
        if (((unsigned char)text[i] & 0xc0) != 0x80) return 0;
    /* not the shortest form, a surrogate, or past the last character */
    const unsigned char second = bytes > 1 ? (unsigned char)text[1] : 0;
    if ((first == 0xe0 && second < 0xa0) || (first == 0xed && second > 0x9f) ||
        (first == 0xf0 && second < 0x90) || (first == 0xf4 && second > 0x8f))
        return 0;
    return bytes;
}
