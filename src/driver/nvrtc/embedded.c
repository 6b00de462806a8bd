/* Which of the headers inside libcutlet a source needs. */
#include "embedded.h"

#include <string.h>

/* The header of that name, which has `length` characters, or -1. */
static int find(const char *name, size_t length)
{
    for (int i = 0; i < ct_embedded_count; ++i)
        if (strncmp(ct_embedded[i].name, name, length) == 0 && ct_embedded[i].name[length] == 0)
            return i;
    return -1;
}

/* The header that an include names, from the character after `#` on; -1 for another library's
 * header, or for no include. */
static int included(const char *at)
{
    at += strspn(at, " \t");
    if (strncmp(at, "include", 7) != 0) return -1;
    at += 7 + strspn(at + 7, " \t");
    if (*at != '"' && *at != '<') return -1;
    return find(at + 1, strcspn(at + 1, *at == '"' ? "\"\n" : ">\n"));
}

int ct_embedded_needed(const char *source, const char *names[CT_EMBEDDED_MAX],
                       const char *texts[CT_EMBEDDED_MAX])
{
    unsigned char known[CT_EMBEDDED_MAX] = {0};
    int count = 0, read = 0; /* texts[0 .. read - 1] have been looked through, and source */
    for (const char *text = source; text; text = read < count ? texts[read++] : NULL) {
        for (const char *at = strchr(text, '#'); at; at = strchr(at + 1, '#')) {
            const int which = included(at + 1);
            if (which < 0 || known[which]) continue;
            known[which] = 1;
            names[count] = ct_embedded[which].name;
            texts[count++] = ct_embedded[which].text;
        }
    }
    return count;
}
