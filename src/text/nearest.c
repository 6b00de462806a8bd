/* "did you mean": the name that is most like a word. */
#include "nearest.h"

#include <stdio.h>
#include <string.h>

#include "evaluate.h"
#include "reader.h"

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
