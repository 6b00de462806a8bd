/* The results of `cutlet sass` as tables. */
#include <string.h>

#include "sass.h"

enum { COLUMNS = 100, CELL_BYTES = 128, KERNEL_LEAST = 8, NUMBER = 6 /* columns of a number */ };

/** The kernels of one architecture, and how wide each column of their table is. */
typedef struct table {
    const ct_kernel_code *kernel;
    int count;
    int name_width, has_usage;
    int width[CT_SASS_ACCESS_COUNT]; /* 0 where no kernel has the access */
} table;

static int whole_width(const table *t)
{
    int width = t->name_width + (t->has_usage ? 2 * (NUMBER + 1) : 0);
    for (int i = 0; i < CT_SASS_ACCESS_COUNT; ++i) width += t->width[i] ? t->width[i] + 2 : 0;
    return width;
}

/* The table of the kernels from the first one that have its architecture. */
static table measure(const ct_code *code, int first)
{
    table t = {.kernel = &code->kernel[first], .name_width = KERNEL_LEAST};
    char cell[CELL_BYTES];
    for (int i = first; i < code->count; ++i, ++t.count) {
        const ct_kernel_code *const k = &code->kernel[i];
        if (strcmp(k->arch, t.kernel->arch) != 0) break;
        const int name_width = (int)strlen(k->name);
        if (name_width > t.name_width) t.name_width = name_width;
        t.has_usage |= k->registers != CT_NOT_KNOWN;
        for (int a = 0; a < CT_SASS_ACCESS_COUNT; ++a) {
            ct_kernel_cell(k, a, cell, sizeof cell);
            const int there = strcmp(cell, "-") != 0, width = (int)strlen(cell);
            if (there && t.width[a] == 0) t.width[a] = (int)strlen(ct_sass_access_name(a));
            if (there && width > t.width[a]) t.width[a] = width;
        }
    }
    return t;
}

static void print_number(int value, FILE *stream)
{
    if (value == CT_NOT_KNOWN) fprintf(stream, " %*s", NUMBER, "-");
    else fprintf(stream, " %*d", NUMBER, value);
}

/* A row: the name, or the titles where k is NULL. Blanks at the end are left out. */
static void print_row(const table *t, const ct_kernel_code *k, FILE *stream)
{
    char cell[CELL_BYTES];
    int gap = t->name_width - fprintf(stream, "%s", k ? k->name : "kernel");
    if (t->has_usage) {
        fprintf(stream, "%*s", gap, "");
        gap = 0;
        if (!k) fprintf(stream, " %*s %*s", NUMBER, "regs", NUMBER, "stack");
        else {
            print_number(k->registers, stream);
            print_number(k->stack_bytes, stream);
        }
    }
    for (int a = 0; a < CT_SASS_ACCESS_COUNT; ++a) {
        if (t->width[a] == 0) continue;
        if (k) ct_kernel_cell(k, a, cell, sizeof cell);
        else snprintf(cell, sizeof cell, "%s", ct_sass_access_name(a));
        gap = t->width[a] - fprintf(stream, "%*s%s", gap + 2, "", cell) + gap + 2;
    }
    fputc('\n', stream);
}

/* Appends a word after a gap, in the next line where it no longer fits. */
static void print_word(const char *word, int *at, FILE *stream)
{
    const int n = (int)strlen(word);
    if (*at + 2 + n > COLUMNS) {
        fputc('\n', stream);
        *at = 2;
    }
    *at += fprintf(stream, "%*s%s", *at > 2 ? 2 : 4, "", word);
}

/* A kernel of a table that would be too wide: the name, and under it what it has. */
static void print_paragraph(const ct_kernel_code *k, FILE *stream)
{
    char cell[CELL_BYTES], word[CELL_BYTES + 16];
    int at = 2;
    fprintf(stream, "%s\n", k->name);
    if (k->registers != CT_NOT_KNOWN) {
        snprintf(word, sizeof word, "regs %d, stack %d", k->registers, k->stack_bytes);
        print_word(word, &at, stream);
    }
    for (int a = 0; a < CT_SASS_ACCESS_COUNT; ++a) {
        ct_kernel_cell(k, a, cell, sizeof cell);
        if (strcmp(cell, "-") == 0) continue;
        snprintf(word, sizeof word, "%s %s", ct_sass_access_name(a), cell);
        print_word(word, &at, stream);
    }
    if (at == 2) print_word("no accesses", &at, stream);
    fputc('\n', stream);
}

static void print_table(const table *t, FILE *stream)
{
    const int wide = whole_width(t) > COLUMNS;
    fprintf(stream, "\n%s\n", t->kernel->arch[0] ? t->kernel->arch : "architecture not told");
    if (!wide) print_row(t, NULL, stream);
    for (int i = 0; i < t->count; ++i) {
        if (wide) print_paragraph(&t->kernel[i], stream);
        else print_row(t, &t->kernel[i], stream);
    }
}

static void print_lines(const ct_code *code, FILE *stream)
{
    for (int i = 0; i < code->count; ++i) {
        const ct_kernel_code *const k = &code->kernel[i];
        fprintf(stream, "\n%s%s%s\n", k->name, k->arch[0] ? ", " : "", k->arch);
        for (int j = 0; j < k->lines; ++j)
            fprintf(stream, "  %-9s %s\n", k->line[j].at, k->line[j].text);
    }
}

void ct_sass_print(const ct_sass_report *report, FILE *stream)
{
    const ct_source *const s = report->source;
    const ct_code *const code = &s->code;
    const char *const plural = code->count == 1 ? "" : "s";
    fprintf(stream, "%s: %d kernel%s, %s%s%s.\n", report->name, code->count, plural,
            s->is_ptx ? "PTX instructions, not machine code" : "machine code",
            s->by[0] ? ", by " : "", s->by);
    for (int first = 0; first < code->count;) {
        const table t = measure(code, first);
        print_table(&t, stream);
        first += t.count;
    }
    fputs("\n128:4 is 4 instructions of 128 bits a thread; x4 and 2D are matrices and dimensions. "
          "Counted in the\ncode, not while it runs: one in a loop counts once.\n",
          stream);
    if (report->lists) print_lines(code, stream);
}
