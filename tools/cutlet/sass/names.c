#include "names.h"

#include <stdio.h>
#include <string.h>

enum { NEAR = 3, LONGEST = 255 /* characters of a name that are compared */ };

int ct_name_matches(const char *name, const char *wanted, int exact)
{
    return exact ? strcmp(name, wanted) == 0 : strstr(name, wanted) != NULL;
}

static int least(int a, int b, int c) { return a < b ? (a < c ? a : c) : (b < c ? b : c); }

/* How many characters are changed, added or left out between two names. */
static int distance(const char *a, const char *b)
{
    int row[LONGEST + 1];
    const int m = (int)strnlen(a, LONGEST), n = (int)strnlen(b, LONGEST);
    for (int j = 0; j <= n; ++j) row[j] = j;
    for (int i = 1; i <= m; ++i) {
        int diagonal = row[0];
        row[0] = i;
        for (int j = 1; j <= n; ++j) {
            const int above = row[j];
            row[j] = least(above + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1]));
            diagonal = above;
        }
    }
    return row[n];
}

static void add_name(char text[CT_NAMES_BYTES], const char *name)
{
    const size_t at = strlen(text);
    snprintf(text + at, CT_NAMES_BYTES - at, "%s%.80s", at ? ", " : "", name);
}

void ct_names_near(const ct_code *code, const char *wanted, char text[CT_NAMES_BYTES])
{
    const char *best[NEAR] = {NULL};
    int far[NEAR] = {0}, n = 0;
    for (int i = 0; i < code->count; ++i) {
        const char *const name = code->kernel[i].name;
        const int d = distance(wanted, name);
        int at = n, seen = 0;
        for (int k = 0; k < n; ++k) seen |= strcmp(best[k], name) == 0;
        while (at > 0 && d < far[at - 1]) --at;
        if (seen || at == NEAR) continue;
        if (n < NEAR) ++n;
        for (int k = n - 1; k > at; --k) {
            best[k] = best[k - 1];
            far[k] = far[k - 1];
        }
        best[at] = name;
        far[at] = d;
    }
    text[0] = '\0';
    for (int k = 0; k < n; ++k) add_name(text, best[k]);
}

void ct_names_archs(const ct_code *code, char text[CT_NAMES_BYTES])
{
    text[0] = '\0';
    for (int i = 0; i < code->count; ++i) {
        int seen = 0;
        const char *const arch = code->kernel[i].arch;
        for (int k = 0; k < i && !seen; ++k) seen = strcmp(code->kernel[k].arch, arch) == 0;
        if (!seen) add_name(text, arch[0] ? arch : "code that names no architecture");
    }
}
