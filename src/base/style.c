/* Colours of text on a terminal. */
#include "style.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int ct_has_colors(FILE *stream)
{
    const char *plain = getenv("NO_COLOR"), *term = getenv("TERM");
    if ((plain && *plain) || !isatty(fileno(stream))) return 0;
    return term && strcmp(term, "dumb") != 0;
}

void ct_put_style(FILE *stream, int style)
{
    static const char *const codes[] = {"0", "1;31", "32", "1;33"};
    if (ct_has_colors(stream)) fprintf(stream, "\x1b[%sm", codes[style]);
}
