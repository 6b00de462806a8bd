/* Pictures rendered: as a string, to a file, to a stream. */
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/whole_file.h"
#include "picture.h"

/* Renders with a point in numbers, whatever the locale of the program. */
static void render(ct_builder *out, const ct_picture *p, int format, const ct_draw_options *o)
{
    const locale_t c = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
    const locale_t before = c ? uselocale(c) : (locale_t)0;
    if (!c) out->failed = 1;
    else if (format == CT_DRAW_SVG) ct_render_svg(out, p, o);
    else if (format == CT_DRAW_TEX) ct_render_tex(out, p, o);
    else ct_render_text(out, p, format, o);
    if (!c) return;
    uselocale(before);
    freelocale(c);
}

char *ct_picture_render(const ct_picture *p, int format, const ct_draw_options *options,
                        char error[CT_MESSAGE_BYTES])
{
    const ct_draw_options o = ct_draw_defaults(options);
    ct_builder out = {0};
    if (p->grids == 0 && !p->failed) {
        ct_one_line(error, CT_MESSAGE_BYTES, "the picture has no grid");
        return NULL;
    }
    if (format < CT_DRAW_SVG || format > CT_DRAW_ANSI24) {
        ct_one_line(error, CT_MESSAGE_BYTES, "there is no format %d", format);
        return NULL;
    }
    if (!p->failed) render(&out, p, format, &o);
    if (!p->failed && !out.failed) return out.text;
    ct_builder_free(&out);
    ct_one_line(error, CT_MESSAGE_BYTES, "not enough memory for the picture");
    return NULL;
}

int ct_picture_write(const ct_picture *p, const char *path, const ct_draw_options *options,
                     char error[CT_MESSAGE_BYTES])
{
    ct_whole_file file;
    const int format = ct_draw_format_of(path);
    if (format < 0)
        return ct_one_line(error, CT_MESSAGE_BYTES,
                           "%.200s: pictures are written to files ending in .svg, .tex or .txt", path);
    char *text = ct_picture_render(p, format, options, error);
    if (!text) return -1;
    int result = ct_whole_open(&file, path, error, CT_MESSAGE_BYTES);
    if (!result) {
        ct_whole_write(&file, text, strlen(text));
        result = ct_whole_commit(&file, error, CT_MESSAGE_BYTES);
    }
    free(text);
    return result;
}

int ct_picture_print(const ct_picture *p, FILE *stream, int format, const ct_draw_options *options,
                     char error[CT_MESSAGE_BYTES])
{
    char *text = ct_picture_render(p, format, options, error);
    if (!text) return -1;
    const int bad = fputs(text, stream) < 0 || fflush(stream) != 0;
    free(text);
    return bad ? ct_one_line(error, CT_MESSAGE_BYTES, "the picture cannot be printed") : 0;
}

int ct_draw_format_of(const char *path)
{
    static const struct {
        const char *ending;
        int format;
    } known[] = {{".svg", CT_DRAW_SVG}, {".tex", CT_DRAW_TEX}, {".txt", CT_DRAW_PLAIN}};
    const size_t length = strlen(path);
    for (size_t i = 0; i < sizeof known / sizeof *known; ++i)
        if (length > 4 && strcmp(path + length - 4, known[i].ending) == 0) return known[i].format;
    return -1;
}

int ct_draw_format_for(FILE *stream)
{
    const char *plain = getenv("NO_COLOR"), *term = getenv("TERM"), *deep = getenv("COLORTERM");
    if ((plain && *plain) || !isatty(fileno(stream))) return CT_DRAW_PLAIN;
    if (!term || strcmp(term, "dumb") == 0) return CT_DRAW_PLAIN;
    if (deep && (strcmp(deep, "truecolor") == 0 || strcmp(deep, "24bit") == 0)) return CT_DRAW_ANSI24;
    return CT_DRAW_ANSI256;
}
