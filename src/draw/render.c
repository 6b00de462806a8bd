/* Pictures rendered: as a string, to a file, to a stream. */
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "base/style.h"
#include "base/whole_file.h"
#include "picture.h"

/* Renders with a decimal point in any locale of the program. */
static void render_into(ct_builder *out, const ct_picture *p, int format, const ct_draw_options *o)
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

/* The picture as text, which the caller frees. */
static ct_status render(const ct_picture *p, int format, const ct_draw_options *options,
                        char **text, char *message)
{
    const ct_draw_options o = ct_draw_defaults(options);
    ct_builder out = {0};
    *text = NULL;
    if (p->grids == 0 && !p->failed)
        return ct_refuse(message, CT_E_ARGUMENT, "the picture has no grid");
    if (format < CT_DRAW_SVG || format > CT_DRAW_ANSI24)
        return ct_refuse(message, CT_E_ARGUMENT, "there is no format %d", format);
    if (!p->failed) render_into(&out, p, format, &o);
    if (p->failed || out.failed) {
        ct_builder_free(&out);
        return ct_refuse(message, CT_E_MEMORY, "not enough memory for the picture");
    }
    *text = out.text;
    return CT_OK;
}

char *ct_picture_render(const ct_picture *p, int format, const ct_draw_options *options,
                        char message[CT_MESSAGE_BYTES])
{
    char *text;
    render(p, format, options, &text, message);
    return text;
}

ct_status ct_picture_write(const ct_picture *p, const char *path, const ct_draw_options *options,
                           char message[CT_MESSAGE_BYTES])
{
    ct_whole_file file;
    const int format = ct_draw_format_of(path);
    if (format < 0)
        return ct_refuse(message, CT_E_ARGUMENT,
                         "%.200s: pictures are written to files ending in .svg, .tex or .txt",
                         path);
    char *text;
    ct_status bad = render(p, format, options, &text, message);
    if (!bad) bad = ct_whole_open(&file, path, message);
    if (!bad) {
        ct_whole_write(&file, text, strlen(text));
        bad = ct_whole_commit(&file, message);
    }
    free(text);
    return bad;
}

ct_status ct_picture_print(const ct_picture *p, FILE *stream, int format,
                           const ct_draw_options *options, char message[CT_MESSAGE_BYTES])
{
    char *text;
    ct_status bad = render(p, format, options, &text, message);
    if (!bad && (fputs(text, stream) < 0 || fflush(stream) != 0))
        bad = ct_refuse(message, CT_E_FILE, "the picture cannot be printed");
    free(text);
    return bad;
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
    const char *deep = getenv("COLORTERM");
    if (!ct_has_colors(stream)) return CT_DRAW_PLAIN;
    if (deep && (strcmp(deep, "truecolor") == 0 || strcmp(deep, "24bit") == 0))
        return CT_DRAW_ANSI24;
    return CT_DRAW_ANSI256;
}
