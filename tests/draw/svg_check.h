/**
 * What every picture has, checked where it is read back; its cells in the order of reading. To be
 * included after cmocka.
 */
#ifndef CUTLET_TESTS_SVG_CHECK_H
#define CUTLET_TESTS_SVG_CHECK_H

#include <cutlet/host/draw.h>
#include "svg_read.h"

static char error[CT_MESSAGE_BYTES];

/* The picture as SVG, checked for what every picture has; the caller frees both. */
static svg read_svg(const char *name, const ct_picture *p, const ct_draw_options *o, char **text)
{
    if (!p) fail_msg("%s: %s", name, error);
    *text = ct_picture_render(p, CT_DRAW_SVG, o, error);
    if (!*text) fail_msg("%s: %s", name, error);
    svg s = svg_read(*text);
    if (s.wrong) fail_msg("%s: %s", name, s.wrong);
    if (s.titles != 1 || s.descs != 1) fail_msg("%s: %d titles, %d descs", name, s.titles, s.descs);
    if (!strstr(*text, "role=\"img\"") || !strstr(*text, "aria-labelledby=\""))
        fail_msg("%s: no role or label", name);
    if (strstr(*text, "http://") != strstr(*text, "http://www.w3.org/2000/svg") ||
        strstr(*text, "url(") || strstr(*text, "@import"))
        fail_msg("%s: refers to something outside", name);
    for (int i = 0; i < s.rects; ++i) {
        const svg_item *r = &s.rect[i];
        if (r->x < 0 || r->y < 0 || r->x + r->width > s.width + 0.01 ||
            r->y + r->height > s.height + 0.01)
            fail_msg("%s: a rectangle leaves the picture", name);
    }
    for (int i = 0; i < s.texts; ++i)
        if (s.text[i].x < 0 || s.text[i].y < 8 || s.text[i].x > s.width ||
            s.text[i].y > s.height - 3)
            fail_msg("%s: `%s` leaves the picture", name, s.text[i].label);
    if (s.low < 0 || s.high_x > s.width || s.high_y > s.height)
        fail_msg("%s: a stroke leaves the picture", name);
    return s;
}

static int by_place(const void *a, const void *b)
{
    const svg_item *p = a, *q = b;
    if (p->y != q->y) return p->y < q->y ? -1 : 1;
    return (p->x > q->x) - (p->x < q->x);
}

/* The cells, without the page and the legend, in the order of reading; how many there are. */
static int cells_in_order(svg *s)
{
    int count = 0;
    for (int i = 0; i < s->rects; ++i)
        if (s->rect[i].class[0] != 0 && strcmp(s->rect[i].class, "page") != 0 &&
            strcmp(s->rect[i].class, "thin") != 0)
            s->rect[count++] = s->rect[i];
    qsort(s->rect, (size_t)count, sizeof *s->rect, by_place);
    return count;
}

#endif
