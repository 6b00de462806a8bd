/* The layouts of a file: where each begins and ends, what it is called, and its value. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "../common/cli.h"
#include "lint.h"

enum { BLOCKS = 128 };

/* What a walk over a file knows at its cursor. */
typedef struct walk {
    ct_lint_file *f;
    ct_lint_names names;
    struct {
        size_t at, names; /* where a block begins, and how many names were known there */
        int indent;       /* of Python */
    } block[BLOCKS];
    int blocks;
    char name[CT_LINT_NAME]; /* that the statement at the cursor defines, to its end */
    size_t from, to;
} walk;

/* ---- where a layout begins and ends ----------------------------------------------------------- */

/* The words that begin a layout, each with what may follow. */
static const char *const heads[] = {"Layout<",
                                    "Layout(",
                                    "ComposedLayout<",
                                    "make_layout(",
                                    "composition(",
                                    "tile_to_shape(",
                                    "make_composed_layout(",
                                    "make_ordered_layout(",
                                    "make_tiled_copy(",
                                    "make_tiled_mma(",
                                    "tiled_copy(",
                                    "tiled_copy_of(",
                                    "tiled_mma(",
                                    "copy_atom(",
                                    "Copy_Atom<",
                                    "blocked_product(",
                                    "raked_product(",
                                    "Sw<",
                                    "S<",
                                    "Swizzle<",
                                    "smem_ptr[",
                                    "gmem_ptr[",
                                    "rmem_ptr[",
                                    "tensor<",
                                    "Tensor<",
                                    "BlockedLayout(",
                                    "SwizzledSharedLayout(",
                                    "PaddedSharedLayout("};

static int begins(const ct_lint_file *f, size_t at)
{
    const char *const t = f->text + at;
    if (f->language == CT_LINT_PLAIN &&
        (*t == '(' || strncmp(t, "#ttg.", 5) == 0 || strncmp(t, "!ttg.memdesc<", 13) == 0 ||
         strncmp(t, "!cute.", 6) == 0))
        return 1;
    for (size_t i = 0; i < sizeof heads / sizeof *heads; ++i)
        if (strncmp(t, heads[i], strlen(heads[i])) == 0) return 1;
    return 0;
}

/* Behind a word and its brackets, or a number; 0 where none stands here. */
static size_t operand_end(const ct_lint_file *f, size_t at)
{
    const char *const t = f->text;
    size_t i = at;
    while (t[i] && (strchr("!#-?.@", t[i]) || ct_lint_is_letter(t[i]))) ++i;
    while (t[i] == '(' || t[i] == '<' || t[i] == '[' || (t[i] == '{' && t[i + 1] == '}')) {
        const size_t close = ct_lint_close(f, i);
        if (!close) return 0;
        for (i = close; ct_lint_is_letter(t[i]);) ++i; /* Sw<3,4,3>_smem_ptr */
    }
    return i > at ? i : 0;
}

/* Behind the layout that begins at `at`: operands with `:` and ` o ` between them. */
static size_t layout_end(const ct_lint_file *f, size_t at)
{
    const char *const t = f->text;
    size_t end = operand_end(f, at);
    while (end) {
        size_t more = 0;
        if (t[end] == ':' && t[end + 1] != ':') more = operand_end(f, end + 1);
        else if (strncmp(t + end, " o ", 3) == 0) more = operand_end(f, end + 3);
        if (!more) return end;
        end = more;
    }
    return 0;
}

/* ---- what it is ------------------------------------------------------------------------------- */

static int has(const char *text, const char *part)
{
    const size_t n = strlen(part);
    for (; *text; ++text)
        if (strncasecmp(text, part, n) == 0) return 1;
    return 0;
}

/* Whether a name speaks of shared memory: SmemLayoutA, sA. */
static int names_shared(const char *name)
{
    return has(name, "smem") || has(name, "shared") || (name[0] == 's' && isupper(name[1]));
}

/* The bits of an element that a print or a type says: smem_ptr[16b], memdesc<64x64xf16. */
static int bits_said(const char *text)
{
    const char *at = strstr(text, "ptr[");
    if (at) return atoi(at + 4);
    if (!strstr(text, "memdesc<") && strncmp(text, "tensor<", 7) != 0) return 0;
    at = strchr(text, ',');
    while (at && at > text && isdigit((unsigned char)at[-1])) --at;
    return at ? atoi(at) : 0;
}

static const ct_lint_note *note_at(ct_lint_file *f, size_t at)
{
    const ct_lint_note *note = NULL;
    for (size_t i = 0; i < f->notes; ++i)
        if (f->note[i].line <= at) note = &f->note[i];
    for (size_t i = 0; note && i < f->layouts; ++i)
        if (f->layout[i].note == note) return NULL; /* it speaks of the first behind it */
    return note;
}

/* Whether a block is repeated elsewhere: tile_to_shape(NAME. */
static int is_repeated(const ct_lint_file *f, const char *name)
{
    static const char call[] = "tile_to_shape(";
    for (const char *at = f->text; name[0] && (at = strstr(at, call));) {
        at += sizeof call - 1;
        while (isspace((unsigned char)*at)) ++at;
        if (strncmp(at, "typename ", 9) == 0) at += 9;
        if (strncmp(at, name, strlen(name)) == 0 && !ct_lint_is_letter(at[strlen(name)])) return 1;
    }
    return 0;
}

/* Whether the text between the name's `=` and the layout is the name's value alone. */
static int is_value(const walk *w, size_t at)
{
    const ct_lint_names none = {0};
    char *const text = ct_lint_expand(w->f, &none, w->from, at);
    const int is = text && (!*text || strcmp(text, "decltype(") == 0 ||
                            (has(text, "make_tensor(") && has(text, "smem_ptr(")));
    free(text);
    return is;
}

/* The value of a text; that of a layout of Triton for the shape that a comment gives. */
static ct_status value_of(const char *text, const ct_lint_note *note, ct_value *out, ct_diag *diag)
{
    const ct_status bad = ct_evaluate(text, out, diag);
    if (bad != CT_E_TEXT || !note || !note->shape[0]) return bad;
    char *const with = malloc(strlen(text) + sizeof note->shape + 8);
    if (!with) return CT_E_MEMORY;
    sprintf(with, "%s of %s", text, note->shape);
    ct_value_free(out);
    const ct_status status = ct_evaluate(with, out, diag);
    free(with);
    return status;
}

/* Reads the layout at [at, end). Returns 1 where it is one, 0 where not, -1 without memory. */
static int take(walk *w, size_t at, size_t end)
{
    ct_lint_file *const f = w->f;
    ct_value v;
    ct_diag diag;
    char *const text = ct_lint_expand(f, &w->names, at, end);
    if (!text) return snprintf(f->message, sizeof f->message, "out of memory"), -1;
    const ct_lint_note *const note = note_at(f, at);
    const ct_status bad = value_of(text, note, &v, &diag);
    const int bits = bits_said(text);
    const int is_print = strstr(text, "smem_ptr[") || strstr(text, "memdesc<");
    free(text);
    if (bad == CT_E_MEMORY) return snprintf(f->message, sizeof f->message, "out of memory"), -1;
    if (v.kind == CT_KIND_ERROR && v.as.failure.err.why == CT_WHY_COVER_TWICE &&
        !(note && note->off)) {
        char why[CT_MESSAGE_BYTES];
        ct_error_message(v.as.failure.err, why, sizeof why);
        return ct_lint_report(f, CT_LINT_OVERLAP, at, end - at, NULL, "%s", why) ? -1 : 1;
    }
    if (bad ||
        (v.kind != CT_KIND_LAYOUT && v.kind != CT_KIND_TENSOR && v.kind != CT_KIND_TILED_COPY &&
         v.kind != CT_KIND_COPY_ATOM && v.kind != CT_KIND_TILED_MMA)) {
        ct_value_free(&v);
        return 0;
    }
    ct_lint_layout *const l = ct_lint_grow(f, (void **)&f->layout, &f->layouts, sizeof *f->layout);
    if (!l) return -1;
    *l = (ct_lint_layout){.value = v, .at = at, .length = end - at, .note = note, .bits = bits};
    l->block = w->blocks ? w->block[w->blocks - 1].at : 0;
    if (at < w->to && is_value(w, at)) memcpy(l->name, w->name, sizeof l->name);
    l->is_shared = (v.kind == CT_KIND_LAYOUT || v.kind == CT_KIND_TENSOR) &&
                   (is_print || names_shared(l->name));
    l->is_whole = !is_repeated(f, l->name);
    return 1;
}

/* ---- the walk --------------------------------------------------------------------------------- */

static void open_block(walk *w, size_t at, int indent)
{
    if (w->blocks == BLOCKS) return;
    w->block[w->blocks].at = at;
    w->block[w->blocks].names = w->names.count;
    w->block[w->blocks++].indent = indent;
}

static void close_block(walk *w)
{
    if (w->blocks) ct_lint_forget(&w->names, w->block[--w->blocks].names);
}

/* The line of Python that begins at `at`: blocks end where it is indented less, and begin. */
static void indent_to(walk *w, size_t at)
{
    int indent = 0;
    while (w->f->text[at + (size_t)indent] == ' ') ++indent;
    const char c = w->f->text[at + (size_t)indent];
    if (c == '\n' || c == '\r' || c == 0) return;
    while (w->blocks && w->block[w->blocks - 1].indent > indent) close_block(w);
    if (indent > (w->blocks ? w->block[w->blocks - 1].indent : 0)) open_block(w, at, indent);
}

/* The definition that the word at [at, end) begins, if it does. */
static ct_status define(walk *w, size_t at, size_t end)
{
    ct_lint_file *const f = w->f;
    const size_t sign = ct_lint_skip(f, end);
    if (f->text[sign] != '=' || f->text[sign + 1] == '=') return CT_OK;
    if (at > 0 && (f->text[at - 1] == '.' || f->text[at - 1] == ':')) return CT_OK;
    const size_t stop = ct_lint_statement_end(f, sign + 1);
    if (!stop) return CT_OK;
    snprintf(w->name, sizeof w->name, "%.*s", (int)(end - at), f->text + at);
    w->from = sign + 1;
    w->to = stop;
    return ct_lint_define(f, &w->names, at, end, sign + 1, stop);
}

/* What begins at the cursor. Returns where to go on, 0 where that failed. */
static size_t step(walk *w, size_t at)
{
    ct_lint_file *const f = w->f;
    const char c = f->text[at];
    if (c == '\n' && f->language == CT_LINT_PYTHON) indent_to(w, at + 1);
    if (f->language == CT_LINT_CPP && c == '{') open_block(w, at, 0);
    if (f->language == CT_LINT_CPP && c == '}') close_block(w);
    const int inside = at > 0 && ct_lint_is_letter(f->text[at - 1]);
    const size_t word = inside ? at : ct_lint_word_end(f, at);
    if (word > at && define(w, at, word)) return 0;
    if (!inside && begins(f, at)) {
        const size_t end = layout_end(f, at);
        const int is = end > at + 2 ? take(w, at, end) : 0;
        if (is < 0) return 0;
        if (is > 0 || (end && f->text[at] == 'S')) return end; /* no part of a swizzled layout */
    }
    return word > at ? word : at + 1;
}

ct_status ct_lint_find(ct_lint_file *f)
{
    walk w = {.f = f};
    size_t at = 0;
    if (f->language == CT_LINT_PYTHON && f->length) indent_to(&w, 0);
    while (at < f->length) {
        const size_t next = step(&w, at);
        if (!next) break;
        at = next;
    }
    ct_lint_forget(&w.names, 0);
    free(w.names.name);
    return at < f->length ? CT_E_MEMORY : CT_OK;
}
