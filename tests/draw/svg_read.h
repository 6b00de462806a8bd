/**
 * A reader of SVG for tests: checks that the text is well-formed XML and lists its rectangles, texts
 * and strokes.
 */
#ifndef CUTLET_TESTS_SVG_READ_H
#define CUTLET_TESTS_SVG_READ_H

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct svg_item {
    double x, y, width, height; /* of a text: its anchor, no width */
    char class[16];             /* of the group that it stands in, or its own */
    char label[64];             /* of a rectangle: the text that follows it */
    char sub[64];               /* and the smaller one */
} svg_item;

typedef struct svg {
    svg_item *rect, *text;
    int rects, texts, titles, descs;
    double width, height, low, high_x, high_y; /* of the view box; extremes of the strokes */
    const char *wrong;                         /* NULL, or why this is not well-formed */
} svg;

/* The value of an attribute within a tag, in a static buffer; NULL without the attribute. */
static inline const char *svg_attribute(const char *tag, const char *end, const char *name)
{
    static char value[20000];
    const size_t length = strlen(name);
    for (const char *p = tag; p + length + 2 < end; ++p) {
        if (!isspace((unsigned char)p[0]) || strncmp(p + 1, name, length) != 0) continue;
        if (p[1 + length] != '=' || p[2 + length] != '"') continue;
        const char *from = p + 3 + length, *to = memchr(from, '"', (size_t)(end - from));
        if (!to || (size_t)(to - from) >= sizeof value) return NULL;
        memcpy(value, from, (size_t)(to - from));
        value[to - from] = 0;
        return value;
    }
    return NULL;
}

static inline double svg_number(const char *tag, const char *end, const char *name)
{
    const char *value = svg_attribute(tag, end, name);
    return value ? strtod(value, NULL) : 0;
}

/* What is wrong with the text between tags. */
static inline const char *svg_bad_text(const char *from, const char *to)
{
    for (; from < to; ++from) {
        if (*from == '>') return "a bare > in text";
        if ((unsigned char)*from < 0x20 && *from != '\n') return "a control character";
        if (*from == '&' && strncmp(from, "&amp;", 5) && strncmp(from, "&lt;", 4) &&
            strncmp(from, "&gt;", 4) && strncmp(from, "&quot;", 6))
            return "a bare & in text";
    }
    return NULL;
}

/* What is wrong with the attributes of a tag: every one a name, =, and a quoted value. */
static inline const char *svg_bad_tag(const char *from, const char *to)
{
    while (from < to) {
        while (from < to && isspace((unsigned char)*from)) ++from;
        if (from == to || *from == '/') return NULL;
        while (from < to && (isalnum((unsigned char)*from) || *from == '-' || *from == ':')) ++from;
        if (from + 1 >= to || from[0] != '=' || from[1] != '"')
            return "an attribute without a value";
        from = memchr(from + 2, '"', (size_t)(to - from - 2));
        if (!from) return "an attribute without an end";
        ++from;
    }
    return NULL;
}

static inline void svg_stroke(svg *s, const char *d)
{
    while (*d == 'M') {
        char *after;
        double x = strtod(d + 1, &after), y = strtod(after, &after);
        const char step = *after;
        const double run = strtod(after + 1, &after);
        for (int end = 0; end < 2; ++end) {
            if (x < s->low) s->low = x;
            if (y < s->low) s->low = y;
            if (x > s->high_x) s->high_x = x;
            if (y > s->high_y) s->high_y = y;
            if (step == 'h') x += run;
            else y += run;
        }
        d = after;
    }
    if (*d) s->wrong = "a path that is not understood";
}

static inline void svg_add_rect(svg *s, const svg_item *item)
{
    s->rect = realloc(s->rect, sizeof *item * (size_t)(s->rects + 1));
    s->rect[s->rects++] = *item;
}

/* The cells of runs, each a subpath MX Y, hWIDTH for each cell, vHEIGHT, HX, z. */
static inline void svg_cells(svg *s, const char *d, const char *group)
{
    while (*d == 'M') {
        char *after;
        const int first = s->rects;
        svg_item cell;
        memset(&cell, 0, sizeof cell);
        snprintf(cell.class, sizeof cell.class, "%.15s", group);
        const double left = cell.x = strtod(d + 1, &after);
        for (cell.y = strtod(after, &after); *after == 'h'; cell.x += cell.width) {
            cell.width = strtod(after + 1, &after);
            svg_add_rect(s, &cell);
        }
        if (*after != 'v') break;
        const double height = strtod(after + 1, &after);
        for (int i = first; i < s->rects; ++i) s->rect[i].height = height;
        if (*after != 'H' || strtod(after + 1, &after) != left || *after != 'z') break;
        d = after + 1;
    }
    if (*d) s->wrong = "cells that are not understood";
}

/* One element, its content up to the next tag. */
static inline void svg_element(svg *s, const char *name, const char *tag, const char *end,
                               const char *group)
{
    svg_item item;
    memset(&item, 0, sizeof item);
    const char *class = svg_attribute(tag, end, "class");
    snprintf(item.class, sizeof item.class, "%.15s", class ? class : group);
    item.x = svg_number(tag, end, "x");
    item.y = svg_number(tag, end, "y");
    item.width = svg_number(tag, end, "width");
    item.height = svg_number(tag, end, "height");
    if (strcmp(name, "rect") == 0) {
        svg_add_rect(s, &item);
    } else if (strcmp(name, "text") == 0) {
        const char *to = strchr(end, '<');
        snprintf(item.label, sizeof item.label, "%.*s", (int)(to - end - 1), end + 1);
        s->text = realloc(s->text, sizeof item * (size_t)(s->texts + 1));
        s->text[s->texts++] = item;
        for (int i = s->rects - 1; i > 0; --i) { /* the first is the page */
            svg_item *const cell = &s->rect[i];
            if (item.x <= cell->x || item.x >= cell->x + cell->width || item.y <= cell->y ||
                item.y >= cell->y + cell->height)
                continue;
            strcpy(strcmp(item.class, "s") == 0 ? cell->sub : cell->label, item.label);
            break;
        }
    } else if (strcmp(name, "path") == 0) {
        const char *d = svg_attribute(tag, end, "d");
        if (d && class) svg_stroke(s, d);
        else if (d) svg_cells(s, d, group);
        else s->wrong = "a path without strokes, or with too many";
    } else if (strcmp(name, "svg") == 0) {
        const char *box = svg_attribute(tag, end, "viewBox");
        if (!box || sscanf(box, "0 0 %lf %lf", &s->width, &s->height) != 2) s->wrong = "no viewBox";
    }
}

/** Reads an SVG text. */
static inline svg svg_read(const char *text)
{
    static char stack[16][16];
    static char groups[16][16];
    svg s;
    int depth = 0;
    memset(&s, 0, sizeof s);
    for (const char *p = text; *p && !s.wrong;) {
        const char *tag = strchr(p, '<');
        if (!tag) tag = p + strlen(p);
        s.wrong = depth ? svg_bad_text(p, tag) : NULL;
        if (!*tag) break;
        const char *end = strchr(tag, '>');
        char name[16] = "";
        if (!end || sscanf(tag + 1, "%15[/a-z]", name) != 1)
            s.wrong = "a tag without a name or an end";
        if (s.wrong) break;
        if (name[0] == '/') {
            if (depth == 0 || strcmp(stack[--depth], name + 1) != 0)
                s.wrong = "a tag that closes none";
        } else {
            s.wrong = svg_bad_tag(tag + 1 + strlen(name), end);
            if (s.wrong) break;
            s.titles += depth == 1 && strcmp(name, "title") == 0;
            s.descs += depth == 1 && strcmp(name, "desc") == 0;
            svg_element(&s, name, tag, end, depth ? groups[depth - 1] : "");
            if (end[-1] != '/') {
                if (depth == 15) s.wrong = "nests too deep";
                const char *class = svg_attribute(tag, end, "class");
                snprintf(groups[depth], 16, "%.15s",
                         class                             ? class
                         : depth && strcmp(name, "g") == 0 ? groups[depth - 1]
                                                           : "");
                strcpy(stack[depth++], name);
            }
            if (strcmp(name, "style") == 0) end = strstr(end, "</style>") - 1;
        }
        p = end + 1;
    }
    if (!s.wrong && depth) s.wrong = "a tag is not closed";
    return s;
}

static inline void svg_free(svg *s)
{
    free(s->rect);
    free(s->text);
}

#endif
