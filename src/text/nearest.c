/* "did you mean": the name that is most like a word. */
#include "nearest.h"

#include <stdio.h>
#include <string.h>

#include "evaluate.h"
#include "reader.h"

/* Levenshtein's distance, of short words. */
int ct_word_distance(const char *a, size_t n, const char *b)
{
    int row[64];
    const size_t m = strlen(b);
    if (n >= 64 || m >= 64) return 64;
    for (size_t j = 0; j <= m; ++j) row[j] = (int)j;
    for (size_t i = 1; i <= n; ++i) {
        int diagonal = row[0];
        row[0] = (int)i;
        for (size_t j = 1; j <= m; ++j) {
            const int up = row[j];
            int best = diagonal + (a[i - 1] != b[j - 1]);
            if (up + 1 < best) best = up + 1;
            if (row[j - 1] + 1 < best) best = row[j - 1] + 1;
            diagonal = up;
            row[j] = best;
        }
    }
    return row[m];
}

/* The distance from which on a word is not a typing error. */
static int too_far(const char *word) { return strlen(word) < 4 ? 2 : strlen(word) < 6 ? 3 : 4; }

void ct_nearest_try(ct_nearest *n, const char *name)
{
    const int d = ct_word_distance(n->word, strlen(n->word), name);
    if (d >= (n->name[0] ? n->distance : too_far(n->word))) return;
    n->distance = d;
    snprintf(n->name, sizeof n->name, "%.63s", name);
}

void ct_nearest_try_part(ct_nearest *n, const char *name, int length)
{
    char part[64];
    snprintf(part, sizeof part, "%.*s", length < 63 ? length : 63, name);
    ct_nearest_try(n, part);
}

const char *ct_nearest_ask(const ct_nearest *n, char *text)
{
    text[0] = '\0';
    if (n->name[0]) snprintf(text, CT_NEAREST_BYTES, " (did you mean `%s`?)", n->name);
    return text;
}
