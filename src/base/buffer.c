/* A string that grows. */
#include "buffer.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Makes room for count more bytes and a zero byte. */
static int reserve(ct_buffer *b, size_t count)
{
    if (b->failed) return 0;
    if (b->length + count + 1 <= b->room) return 1;
    size_t room = b->room ? b->room : 256;
    while (room < b->length + count + 1) room *= 2;
    char *text = realloc(b->text, room);
    if (!text) {
        b->failed = 1;
        return 0;
    }
    b->text = text;
    b->room = room;
    return 1;
}

void ct_put_bytes(ct_buffer *b, const char *bytes, size_t count)
{
    if (!reserve(b, count)) return;
    memcpy(b->text + b->length, bytes, count);
    b->length += count;
    b->text[b->length] = 0;
}

void ct_put(ct_buffer *b, const char *format, ...)
{
    char few[256];
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    const int length = vsnprintf(few, sizeof few, format, arguments);
    if (length >= 0 && (size_t)length < sizeof few) {
        ct_put_bytes(b, few, (size_t)length);
    } else if (length >= 0 && reserve(b, (size_t)length)) {
        vsnprintf(b->text + b->length, (size_t)length + 1, format, again);
        b->length += (size_t)length;
    }
    va_end(again);
    va_end(arguments);
}

void ct_put_repeat(ct_buffer *b, char c, int count)
{
    if (count <= 0 || !reserve(b, (size_t)count)) return;
    memset(b->text + b->length, c, (size_t)count);
    b->length += (size_t)count;
    b->text[b->length] = 0;
}

void ct_buffer_free(ct_buffer *b)
{
    free(b->text);
    memset(b, 0, sizeof *b);
}

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
