/**
 * The rows of a file of assertions, as records for rows.h: each line's outermost operation with its
 * operands, and the value that the line says.
 */
#ifndef CUTLET_TESTS_ROWS_READ_H
#define CUTLET_TESTS_ROWS_READ_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cutlet/host/eval.h>
#include "rows.h"
#include "text/evaluate.h"
#include "text/reader.h"

/** The rows of a text, and how many of its assertions are not among them. */
typedef struct row_table {
    const char *name; /* of the file */
    row_record *rows;
    ct_value *pool;
    int32_t row_count, value_count;
    int32_t without;   /* assertions that are not among the records, as rows.h says */
    char missing[256]; /* their operations, each once */
} row_table;

#define ROW_OP_TEXT(id, name, takes, gives, call) {name, takes},
static const struct {
    const char *name, *takes;
} row_ops[] = {ROW_OPS(ROW_OP_TEXT)};

static inline int row_kind_fits(char letter, const ct_value *v)
{
    switch (letter) {
        case 'L': return v->kind == CT_KIND_LAYOUT;
        case 't': return v->kind == CT_KIND_TUPLE;
        case 'i':
            return v->kind == CT_KIND_TUPLE && ct_is_integer(v->as.tuple) &&
                   v->as.tuple.basis[0] == CT_INTEGER;
        case 'T': return v->kind == CT_KIND_TILER;
        case 'x': return v->kind == CT_KIND_TENSOR;
        case 's': return v->kind == CT_KIND_SWIZZLE;
        case 'a': return v->kind == CT_KIND_COPY_ATOM;
        case 'k': return v->kind == CT_KIND_TILED_COPY;
        default: return 0;
    }
}

/* The operation of that name which takes such operands, or -1. */
static inline int32_t row_op_of(const ct_step *step)
{
    for (int32_t op = 0; op < ROW_OP_COUNT; ++op) {
        const char *const takes = row_ops[op].takes;
        int fits = strcmp(row_ops[op].name, step->name) == 0 && (int)strlen(takes) == step->count;
        for (int n = 0; n < step->count && fits; ++n) fits = row_kind_fits(takes[n], &step->arg[n]);
        if (fits) return op;
    }
    return -1;
}

static inline void *row_more(void *array, int32_t count, size_t bytes)
{
    if (count & (count - 1)) return array; /* doubled at each power of two, 0 included */
    void *const grown = realloc(array, (count ? 2 * (size_t)count : 1) * bytes);
    if (!grown) abort();
    return grown;
}

/* Bytes that the value does not use are zero: the pool goes to a GPU as a whole. */
static inline int32_t row_add_value(row_table *t, const ct_value *v)
{
    t->pool = row_more(t->pool, t->value_count, sizeof *t->pool);
    ct_value *const to = &t->pool[t->value_count];
    memset(to, 0, sizeof *to);
    to->kind = v->kind;
    switch (v->kind) {
        case CT_KIND_ERROR: to->as.failure.err = v->as.failure.err; break;
        case CT_KIND_BOOL: to->as.boolean = v->as.boolean; break;
        case CT_KIND_TUPLE: to->as.tuple = v->as.tuple; break;
        case CT_KIND_LAYOUT: to->as.layout = v->as.layout; break;
        case CT_KIND_TILER: to->as.tiler = v->as.tiler; break;
        case CT_KIND_TENSOR: to->as.tensor = v->as.tensor; break;
        case CT_KIND_SWIZZLE: to->as.swizzle = v->as.swizzle; break;
        case CT_KIND_COPY_ATOM: to->as.atom = v->as.atom; break;
        default: to->as.copy = v->as.copy; break;
    }
    return t->value_count++;
}

/* What the evaluation of a left side tells of its last, outermost, operation. */
typedef struct row_watch {
    row_table *table;
    row_record row;
    int32_t first_value;
    char name[64];
} row_watch;

static inline void row_observe(void *context, const ct_step *step)
{
    row_watch *const w = context;
    w->table->value_count = w->first_value; /* the operands of the operation before */
    w->row.op = row_op_of(step);
    snprintf(w->name, sizeof w->name, "%s", step->name);
    for (int n = 0; n < ROW_OPERANDS; ++n) {
        const int on = w->row.op >= 0 && n < step->count;
        w->row.operand[n] = on ? row_add_value(w->table, &step->arg[n]) : -1;
    }
}

/* The right side as a value of the kind that the operation gives. */
static inline void row_want(const char *gives, ct_value *v)
{
    if (strcmp(gives, "layout") == 0 && v->kind == CT_KIND_TUPLE) { /* a bare shape */
        v->as.layout = ct_layout_of_shape(v->as.tuple);
        v->kind = CT_KIND_LAYOUT;
    }
}

/* Counts an assertion that is no record. */
static inline void row_leave_out(row_table *t, const char *name)
{
    const size_t n = strlen(t->missing);
    ++t->without;
    if (!strstr(t->missing, name))
        snprintf(t->missing + n, sizeof t->missing - n, "%s%s", n ? ", " : "", name);
}

static inline void row_read_line(row_table *t, const char *line, size_t length, int32_t number)
{
#define ROW_OP_GIVES(id, name, takes, gives, call) #gives,
    static const char *const gives[] = {ROW_OPS(ROW_OP_GIVES)};
    row_watch w = {.table = t, .first_value = t->value_count, .row = {.op = -1, .line = number}};
    ct_assertion c;
    ct_diag diag;
    ct_value left, right = {.kind = CT_KIND_ERROR};
    if (ct_find_assertion(line, length, &c, &diag) ||
        ct_is_unread(ct_evaluate_span(&c.left, &left, &diag, row_observe, &w))) {
        row_leave_out(t, "(cannot be read)");
        return;
    }
    if (c.kind != CT_COMPARE_ERROR && ct_evaluate_span(&c.right, &right, &diag, NULL, NULL))
        w.row.op = -1;
    if (w.row.op < 0 || c.kind == CT_COMPARE_SAME || c.kind == CT_COMPARE_NONE) {
        t->value_count = w.first_value;
        row_leave_out(t, w.name);
    } else {
        row_want(gives[w.row.op], &right);
        w.row.want = row_add_value(t, &right);
        t->rows = row_more(t->rows, t->row_count, sizeof *t->rows);
        t->rows[t->row_count++] = w.row;
    }
    ct_value_free(&left);
    ct_value_free(&right);
}

/** The rows of a text. The caller frees rows and pool. */
static inline row_table rows_of_text(const char *name, const char *text)
{
    row_table t;
    memset(&t, 0, sizeof t);
    t.name = name;
    for (int32_t number = 1; *text; ++number) {
        size_t all = strcspn(text, "\n"), length = strcspn(text, "#\n");
        while (length > 0 && strchr(" \t\r", text[length - 1])) --length;
        if (length > 0) row_read_line(&t, text, length, number);
        text += all + (text[all] == '\n');
    }
    return t;
}

static inline void rows_free(row_table *t)
{
    free(t->rows);
    free(t->pool);
    memset(t, 0, sizeof *t);
}

#endif
