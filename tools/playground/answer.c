/* Answers as JSON. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include <cutlet/host/check.h>
#include "play.h"
#include "text/evaluate.h"

/* A text in quotes. */
static void put_string(ct_builder *out, const char *text)
{
    ct_put_char(out, '"');
    while (*text) {
        const unsigned char c = (unsigned char)*text;
        const int bytes = ct_text_char(text);
        if (c == '"' || c == '\\') ct_put(out, "\\%c", c);
        else if (c == '\n') ct_put_text(out, "\\n");
        else if (c < 0x20) ct_put(out, "\\u%04x", c);
        else if (bytes > 0) ct_put_bytes(out, text, (size_t)bytes);
        else ct_put_char(out, '?');
        text += bytes > 0 ? bytes : 1;
    }
    ct_put_char(out, '"');
}

static void begin(ct_play_answer *a, const char *key)
{
    if (a->follows) ct_put_char(&a->out, ',');
    a->follows = 1;
    if (!key) return;
    put_string(&a->out, key);
    ct_put_char(&a->out, ':');
}

void ct_play_open(ct_play_answer *a, const char *key, char bracket)
{
    begin(a, key);
    ct_put_char(&a->out, bracket);
    a->follows = 0;
}

void ct_play_close(ct_play_answer *a, char bracket)
{
    ct_put_char(&a->out, bracket);
    a->follows = 1;
}

void ct_play_text(ct_play_answer *a, const char *key, const char *text)
{
    begin(a, key);
    if (text) put_string(&a->out, text);
    else ct_put_text(&a->out, "null");
}

void ct_play_int(ct_play_answer *a, const char *key, int64_t n)
{
    begin(a, key);
    ct_put_int(&a->out, n);
}

void ct_play_bool(ct_play_answer *a, const char *key, int is)
{
    begin(a, key);
    ct_put_text(&a->out, is ? "true" : "false");
}

void ct_play_value(ct_play_answer *a, const char *key, const ct_value *v)
{
    char *const text = ct_value_text(v);
    if (!text) a->out.failed = 1;
    ct_play_text(a, key, text);
    free(text);
}

void ct_play_picture(ct_play_answer *a, const char *key, ct_picture *picture, const char *why)
{
    char message[CT_MESSAGE_BYTES], no_key[48];
    char *const svg = picture ? ct_picture_render(picture, CT_DRAW_SVG, NULL, message) : NULL;
    snprintf(no_key, sizeof no_key, "no_%s", key);
    if (svg) ct_play_text(a, key, svg);
    else ct_play_text(a, no_key, picture ? message : why);
    free(svg);
    ct_picture_free(picture);
}

void ct_play_wrong(ct_play_answer *a, const char *field, const char *message)
{
    ct_play_open(a, "error", '{');
    ct_play_text(a, "field", field);
    ct_play_text(a, "message", message);
    ct_play_close(a, '}');
}

/* The line and the caret as ct_report_place writes them, from malloc, without its first line. */
static char *place_of(const char *text, const ct_diag *diag)
{
    char *report = NULL;
    size_t size = 0;
    FILE *const stream = open_memstream(&report, &size);
    if (!stream) return NULL;
    ct_report_place(stream, "", text, strlen(text), diag->at, diag->length, "");
    fclose(stream);
    const char *const line = report ? strchr(report, '\n') : NULL;
    if (line) memmove(report, line + 1, strlen(line));
    return report;
}

void ct_play_wrong_at(ct_play_answer *a, const char *field, const char *text, const ct_diag *diag)
{
    char *const place = place_of(text, diag);
    ct_play_open(a, "error", '{');
    ct_play_text(a, "field", field);
    ct_play_text(a, "message", diag->message);
    ct_play_int(a, "at", (int64_t)diag->at);
    ct_play_int(a, "length", (int64_t)diag->length);
    ct_play_text(a, "place", place ? place : "");
    ct_play_close(a, '}');
    free(place);
}
