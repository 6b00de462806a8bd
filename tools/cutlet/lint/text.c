/* The text of a file, and the comments that speak to lint. */
#include "lint.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/builder.h"
#include "base/refuse.h"
#include "io/types.h"
#include "text/cute_tuple.h"

static const char mark[] = "cutlet-lint:";

void *ct_lint_grow(ct_lint_file *f, void **items, size_t *count, size_t size)
{
    char *more = *items;
    if ((*count & (*count - 1)) == 0) { /* a power of two, or none: it is full */
        more = realloc(*items, (*count ? 2 * *count : 1) * size);
        if (!more) {
            (void)ct_refuse(f->message, CT_E_MEMORY, "out of memory");
            return NULL;
        }
        *items = more;
    }
    return memset(more + (*count)++ * size, 0, size);
}

ct_status ct_lint_report(ct_lint_file *f, int rule, size_t at, size_t length, const ct_value *v,
                         const char *format, ...)
{
    ct_lint_finding *const found =
        ct_lint_grow(f, (void **)&f->finding, &f->findings, sizeof *f->finding);
    va_list args;
    if (!found) return CT_E_MEMORY;
    found->rule = rule;
    found->at = at;
    found->length = length;
    if (v && v->kind == CT_KIND_TENSOR && v->as.tensor.swizzle.bits == 0 &&
        ct_offset_is_zero(&v->as.tensor.offset))
        ct_format_layout(found->layout, sizeof found->layout, v->as.tensor.layout);
    else if (v) ct_format_value(found->layout, sizeof found->layout, v);
    va_start(args, format);
    vsnprintf(found->text, sizeof found->text, format, args);
    va_end(args);
    return CT_OK;
}

void ct_lint_place(const ct_lint_file *f, size_t at, int *line, int *column)
{
    *line = *column = 1;
    for (size_t i = 0; i < at && i < f->length; ++i) {
        *column += (f->raw[i] & 0xc0) != 0x80; /* characters of UTF-8 */
        if (f->raw[i] == '\n') ++*line, *column = 1;
    }
}

const char *ct_lint_look(const char *text, size_t length, const char *word)
{
    const size_t n = strlen(word);
    for (size_t i = 0; i + n <= length; ++i)
        if (memcmp(text + i, word, n) == 0) return text + i;
    return NULL;
}

/* ---- what a comment says --------------------------------------------------------------------- */

/* One of the words of a comment; those that have a value have it behind `=`. Returns 0 where there is no such word. */
static int take_word(ct_lint_note *note, const char *word, const char *value)
{
    static const char *const reads[] = {"rows", "columns", "ldmatrix", "ldmatrix.trans"};
    char why[CT_MESSAGE_BYTES];
    ct_named_type type;
    if (!value) {
        note->off |= strcmp(word, "off") == 0;
        note->destination |= strcmp(word, "destination") == 0;
        return strcmp(word, "off") == 0 || strcmp(word, "destination") == 0;
    }
    if (strcmp(word, "src") == 0) return snprintf(note->src, CT_LINT_TEXT, "%s", value) > 0;
    if (strcmp(word, "dst") == 0) return snprintf(note->dst, CT_LINT_TEXT, "%s", value) > 0;
    if (strcmp(word, "mma") == 0) return snprintf(note->mma, CT_LINT_NAME, "%s", value) > 0;
    if (strcmp(word, "shape") == 0) return snprintf(note->shape, CT_LINT_NAME, "%s", value) > 0;
    if (strcmp(word, "type") == 0) {
        note->bits = ct_named_type_read(value, &type, why) ? 0 : type.bits;
        return note->bits > 0;
    }
    if (strcmp(word, "operand") == 0) {
        note->operand = strcmp(value, "b") == 0;
        return note->operand || strcmp(value, "a") == 0;
    }
    for (int i = 0; i < 4 && strcmp(word, "read") == 0; ++i)
        if (strcmp(value, reads[i]) == 0) note->read = i;
    return note->read >= 0 && strcmp(word, "read") == 0;
}

/* The words of the comment of [at, end), if it has the mark. */
static ct_status read_note(ct_lint_file *f, size_t at, size_t end)
{
    char words[2 * CT_LINT_TEXT], *rest = NULL;
    const char *const begin = ct_lint_look(f->raw + at, end - at, mark);
    if (!begin) return CT_OK;
    ct_lint_note *const note = ct_lint_grow(f, (void **)&f->note, &f->notes, sizeof *f->note);
    if (!note) return CT_E_MEMORY;
    const size_t first = (size_t)(begin - f->raw) + sizeof mark - 1;
    snprintf(words, sizeof words, "%.*s", (int)(end - first), f->raw + first);
    words[strcspn(words, "\n*")] = 0;
    note->read = note->operand = -1;
    for (note->line = at; note->line > 0 && f->raw[note->line - 1] != '\n';) --note->line;
    for (char *w = strtok_r(words, " \t\r", &rest); w; w = strtok_r(NULL, " \t\r", &rest)) {
        char *const value = strchr(w, '=');
        if (value) *value = 0;
        if (take_word(note, w, value ? value + 1 : NULL)) continue;
        int line, column;
        ct_lint_place(f, at, &line, &column);
        return ct_refuse(f->message, CT_E_TEXT,
                         "%.200s:%d: `%.40s%s%.40s` is nothing that a comment says; `cutlet lint "
                         "--help` lists the words",
                         f->path, line, w, value ? "=" : "", value ? value + 1 : "");
    }
    return CT_OK;
}

/* ---- comments -------------------------------------------------------------------------------- */

/* Whether a comment up to the end of the line begins. */
static int begins_line_comment(const ct_lint_file *f, size_t i)
{
    const char c = f->raw[i], next = i + 1 < f->length ? f->raw[i + 1] : '\n';
    if (c == '/' && next == '/') return f->language != CT_LINT_PYTHON;
    if (c != '#' || f->language == CT_LINT_CPP) return 0;
    return f->language == CT_LINT_PYTHON || next == ' ' || next == '\n' || next == '#';
}

/* The end of a string, or of a comment, that begins at i; i where none does. */
static size_t end_of(const ct_lint_file *f, size_t i, int *is_comment)
{
    const char *const t = f->raw;
    const size_t n = f->length;
    size_t end = i;
    *is_comment = 1;
    if (begins_line_comment(f, i)) {
        while (end < n && t[end] != '\n') ++end;
        return end;
    }
    if (f->language == CT_LINT_CPP && t[i] == '/' && i + 1 < n && t[i + 1] == '*') {
        const char *const close = ct_lint_look(t + i + 2, n - i - 2, "*/");
        return close ? (size_t)(close - t) + 2 : n;
    }
    *is_comment = 0;
    if (f->language == CT_LINT_PLAIN || (t[i] != '"' && t[i] != '\'')) return i;
    if (t[i] == '\'' && f->language == CT_LINT_CPP && i > 0 && t[i - 1] >= '0' && t[i - 1] <= '9')
        return i; /* 1'000 */
    const int is_long =
        f->language == CT_LINT_PYTHON && i + 2 < n && t[i + 1] == t[i] && t[i + 2] == t[i];
    if (is_long) {
        const char quotes[] = {t[i], t[i], t[i], 0};
        const char *const close = ct_lint_look(t + i + 3, n - i - 3, quotes);
        return close ? (size_t)(close - t) + 3 : n;
    }
    for (end = i + 1; end < n && t[end] != t[i] && t[end] != '\n'; ++end) end += t[end] == '\\';
    return end < n ? end + 1 : n;
}

/* Blanks for comments and strings, lines as they are. */
static ct_status blank(ct_lint_file *f)
{
    memcpy(f->text, f->raw, f->length);
    for (size_t i = 0; i < f->length;) {
        int is_comment;
        const size_t end = end_of(f, i, &is_comment);
        const ct_status bad = is_comment && end > i ? read_note(f, i, end) : CT_OK;
        if (bad) return bad;
        for (size_t k = i; k < end && k < f->length; ++k)
            if (f->text[k] != '\n') f->text[k] = ' ';
        i = end > i ? end : i + 1;
    }
    return CT_OK;
}

static int language_of(const char *path)
{
    const char *const dot = strrchr(path, '.');
    if (!dot) return CT_LINT_PLAIN;
    if (ct_is_one_of(dot + 1, "c cc cpp cxx cu cuh h hh hpp hxx inl")) return CT_LINT_CPP;
    return strcmp(dot, ".py") == 0 ? CT_LINT_PYTHON : CT_LINT_PLAIN;
}

ct_status ct_lint_read(ct_lint_file *f)
{
    char piece[4096];
    ct_builder b = {0};
    const int standard = strcmp(f->path, "-") == 0;
    FILE *const file = standard ? stdin : fopen(f->path, "rb");
    for (size_t n; file && (n = fread(piece, 1, sizeof piece, file)) > 0;)
        ct_put_bytes(&b, piece, n);
    const int bad = file ? ferror(file) : 1;
    if (bad) (void)ct_refuse(f->message, CT_E_FILE, "%.300s: %s", f->path, strerror(errno));
    if (file && !standard) fclose(file);
    ct_put_text(&b, "");
    f->length = b.length;
    f->raw = b.text;
    f->text = bad || b.failed ? NULL : malloc(b.length + 1);
    f->language = language_of(f->path);
    if (bad) return CT_E_FILE;
    if (!f->text) return ct_refuse(f->message, CT_E_MEMORY, "out of memory");
    f->text[b.length] = 0;
    return b.length ? blank(f) : CT_OK;
}

void ct_lint_free(ct_lint_file *f)
{
    for (size_t i = 0; i < f->layouts; ++i) ct_value_free(&f->layout[i].value);
    free(f->layout);
    free(f->finding);
    free(f->note);
    free(f->raw);
    free(f->text);
}
