/* Text that is put together piece by piece. */
#include "builder.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Makes room for count more bytes and a zero byte in a string that grows. */
static int reserve(ct_builder *b, size_t count)
{
    if (b->failed) return 0;
    if (b->length + count + 1 <= b->capacity) return 1;
    size_t capacity = b->capacity ? b->capacity : 256;
    while (capacity < b->length + count + 1) capacity *= 2;
    char *text = realloc(b->text, capacity);
    if (!text) {
        b->failed = 1;
        return 0;
    }
    b->text = text;
    b->capacity = capacity;
    return 1;
}

/* The bytes that count more become: what fits before the zero byte, or all of them. */
static size_t kept(ct_builder *b, size_t count)
{
    if (!b->is_fixed) return reserve(b, count) ? count : 0;
    const size_t left = b->length + 1 < b->capacity ? b->capacity - 1 - b->length : 0;
    return count < left ? count : left;
}

/* Counts bytes that were added to the text, of which some are kept. */
static void add(ct_builder *b, size_t count, size_t keep)
{
    if (keep > 0 || (!b->is_fixed && !b->failed)) b->text[b->length + keep] = 0;
    if (!b->failed) b->length += count;
}

void ct_put_bytes(ct_builder *b, const char *bytes, size_t count)
{
    const size_t keep = kept(b, count);
    if (keep > 0) memcpy(b->text + b->length, bytes, keep);
    add(b, count, keep);
}

void ct_put_repeat(ct_builder *b, char c, int count)
{
    if (count <= 0) return;
    const size_t keep = kept(b, (size_t)count);
    if (keep > 0) memset(b->text + b->length, c, keep);
    add(b, (size_t)count, keep);
}

void ct_put_char(ct_builder *b, char c)
{
    if (b->length + 1 >= b->capacity) {
        ct_put_bytes(b, &c, 1);
        return;
    }
    b->text[b->length++] = c;
    b->text[b->length] = 0;
}

void ct_put_text(ct_builder *b, const char *text) { ct_put_bytes(b, text, strlen(text)); }

void ct_put_int(ct_builder *b, int64_t v)
{
    if (v >= 0 && v < 10) {
        ct_put_char(b, (char)('0' + v));
        return;
    }
    char digits[24];
    int at = sizeof digits;
    uint64_t rest = v < 0 ? 0 - (uint64_t)v : (uint64_t)v;
    do {
        digits[--at] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest != 0);
    if (v < 0) digits[--at] = '-';
    ct_put_bytes(b, digits + at, sizeof digits - (size_t)at);
}

/* Into the caller's memory, where vsnprintf keeps what fits. */
static void put_fixed(ct_builder *b, const char *format, va_list arguments)
{
    const int fits = b->length < b->capacity;
    const int n = vsnprintf(fits ? b->text + b->length : NULL, fits ? b->capacity - b->length : 0,
                            format, arguments);
    if (n > 0) b->length += (size_t)n;
}

/* Into a string that grows: most pieces are short, and are formatted once. */
static void put_growing(ct_builder *b, const char *format, va_list arguments)
{
    char few[256];
    va_list again;
    va_copy(again, arguments);
    const int length = vsnprintf(few, sizeof few, format, arguments);
    if (length >= 0 && (size_t)length < sizeof few) {
        ct_put_bytes(b, few, (size_t)length);
    } else if (length >= 0 && reserve(b, (size_t)length)) {
        vsnprintf(b->text + b->length, (size_t)length + 1, format, again);
        b->length += (size_t)length;
    }
    va_end(again);
}

void ct_put(ct_builder *b, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (b->is_fixed) put_fixed(b, format, arguments);
    else put_growing(b, format, arguments);
    va_end(arguments);
}

int ct_builder_end(ct_builder *b)
{
    if (b->is_fixed && b->capacity > 0)
        b->text[b->length < b->capacity ? b->length : b->capacity - 1] = '\0';
    return b->length > INT_MAX ? INT_MAX : (int)b->length;
}

void ct_builder_free(ct_builder *b)
{
    if (!b->is_fixed) free(b->text);
    memset(b, 0, sizeof *b);
}
