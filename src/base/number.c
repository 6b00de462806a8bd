/* Numbers as texts give them. */
#include "number.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static int is_hexadecimal(const char *digits)
{
    return digits[0] == '0' && (digits[1] | 0x20) == 'x' && digits[2] &&
           strchr("0123456789abcdefABCDEF", digits[2]);
}

int ct_number_begin(const char *text, int64_t least, int64_t most, int64_t *out, const char **rest)
{
    const char *const digits = text + (least < 0 && text[0] == '-');
    char *end = NULL;
    if (digits[0] < '0' || digits[0] > '9') return -1;
    errno = 0;
    const long long n = strtoll(text, &end, is_hexadecimal(digits) ? 16 : 10);
    *rest = end;
    if (errno || n < least || n > most) return -1;
    *out = n;
    return 0;
}

int ct_number_read(const char *text, int64_t least, int64_t most, int64_t *out)
{
    return ct_numbers_read(text, 0, 1, least, most, out);
}

int ct_numbers_read(const char *text, char between, int count, int64_t least, int64_t most,
                    int64_t *out)
{
    for (int i = 0; i < count; ++i, ++text) {
        int64_t n = 0;
        if (ct_number_begin(text, least, most, &n, &text)) return -1;
        if (*text != (i + 1 < count ? between : 0)) return -1;
        out[i] = n;
    }
    return 0;
}

/* The power of two of a unit, and the text after it. */
static int shift_of(const char **unit)
{
    static const char units[] = "kmg";
    const char *const found = **unit ? strchr(units, **unit | 0x20) : NULL;
    if (!found) return 0;
    ++*unit;
    if (strcasecmp(*unit, "ib") == 0 || strcasecmp(*unit, "b") == 0) *unit = "";
    return 10 * (int)(found - units + 1);
}

int ct_bytes_read(const char *text, int64_t *bytes)
{
    int64_t n = 0;
    if (ct_number_begin(text, 1, INT64_C(1) << 50, &n, &text)) return -1;
    const int shift = shift_of(&text);
    if (*text || n > INT64_C(1) << (50 - shift)) return -1;
    *bytes = n << shift;
    return 0;
}
