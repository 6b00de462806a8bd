#include "sink.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void ct_sink_char(ct_sink *s, char c)
{
    if (s->count + 1 < s->size) s->buf[s->count] = c;
    ++s->count;
}

void ct_sink_text(ct_sink *s, const char *text)
{
    const size_t n = strlen(text);
    if (s->count + n < s->size) {
        memcpy(s->buf + s->count, text, n);
        s->count += n;
        return;
    }
    for (size_t i = 0; i < n; ++i) ct_sink_char(s, text[i]);
}

void ct_sink_int(ct_sink *s, int64_t v)
{
    char digits[24];
    int n = 0;
    uint64_t rest = v < 0 ? 0 - (uint64_t)v : (uint64_t)v;
    do {
        digits[n++] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest != 0);
    if (v < 0) ct_sink_char(s, '-');
    while (n > 0) ct_sink_char(s, digits[--n]);
}

void ct_sink_printf(ct_sink *s, const char *format, ...)
{
    va_list args;
    const int fits = s->count < s->size;
    va_start(args, format);
    const int n = vsnprintf(fits ? s->buf + s->count : NULL, fits ? s->size - s->count : 0, format,
                            args);
    va_end(args);
    if (n > 0) s->count += (size_t)n;
}

/* A leaf: 5, 3@0, 1@1@0 (innermost mode first), `_`. */
static void sink_leaf(ct_sink *s, int64_t value, uint32_t basis)
{
    if (basis == CT_ANY) {
        ct_sink_char(s, '_');
        return;
    }
    ct_sink_int(s, value);
    for (int level = 3; level >= 0; --level) {
        const uint32_t mode = (basis >> (8 * level)) & 0xffu;
        if (mode == 0) continue;
        ct_sink_char(s, '@');
        ct_sink_int(s, (int64_t)mode - 1);
    }
}

void ct_sink_tuple(ct_sink *s, ct_tuple t)
{
    if (t.profile.leaves == 0) ct_sink_text(s, "()");
    for (int i = 0; i < t.profile.leaves; ++i) {
        if (i > 0) ct_sink_char(s, ',');
        for (int k = 0; k < t.profile.open[i]; ++k) ct_sink_char(s, '(');
        sink_leaf(s, t.value[i], t.basis[i]);
        for (int k = 0; k < t.profile.close[i]; ++k) ct_sink_char(s, ')');
    }
}

void ct_sink_layout(ct_sink *s, ct_layout L)
{
    ct_sink_tuple(s, ct_shape(L));
    ct_sink_char(s, ':');
    ct_sink_tuple(s, ct_stride(L));
}

int ct_sink_end(ct_sink *s)
{
    if (s->size > 0) s->buf[s->count < s->size ? s->count : s->size - 1] = '\0';
    return s->count > INT_MAX ? INT_MAX : (int)s->count;
}
