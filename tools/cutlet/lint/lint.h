/**
 * `cutlet lint`: the layouts of a source file, and what the algebra proves about them.
 */
#ifndef CUTLET_TOOLS_LINT_LINT_H
#define CUTLET_TOOLS_LINT_LINT_H

#include <jansson.h>
#include <stddef.h>

#include <cutlet/host/eval.h>

/** The rules. */
enum {
    CT_LINT_OVERLAP,   /* a destination is written twice at one place */
    CT_LINT_CONFLICTS, /* a read of shared memory has bank conflicts */
    CT_LINT_SWIZZLE,   /* a swizzle moves no offset */
    CT_LINT_NARROW,    /* an access is narrower than the layouts allow */
    CT_LINT_LDMATRIX,  /* no ldmatrix reads the operand */
    CT_LINT_RULES
};

/** The name of a rule, and one line about it. */
extern const struct ct_lint_rule {
    const char *name, *help;
} ct_lint_rules[CT_LINT_RULES];

enum { CT_LINT_NAME = 64, CT_LINT_TEXT = 512 };

/** What a comment `cutlet-lint: WORD..` says about the layout behind it. */
typedef struct ct_lint_note {
    size_t line;                               /* where its line begins */
    int off, destination, read, bits, operand; /* read, operand: -1 where they are not given */
    char src[CT_LINT_TEXT], dst[CT_LINT_TEXT], mma[CT_LINT_NAME], shape[CT_LINT_NAME];
} ct_lint_note;

/** A layout of the file. */
typedef struct ct_lint_layout {
    ct_value value;
    size_t at, length;        /* in the file */
    size_t block;             /* where the block of its definition begins */
    char name[CT_LINT_NAME];  /* that it is given, or "" */
    int is_shared, is_whole;  /* in shared memory; not a block that is repeated */
    int bits;                 /* of an element, where the text says so, or 0 */
    const ct_lint_note *note; /* of a comment, or NULL */
} ct_lint_layout;

typedef struct ct_lint_finding {
    int rule;
    size_t at, length;
    char layout[CT_LINT_TEXT], text[CT_LINT_TEXT];
} ct_lint_finding;

/** How comments look, and what ends a statement. */
enum { CT_LINT_CPP, CT_LINT_PYTHON, CT_LINT_PLAIN };

/** A file, and what was found. */
typedef struct ct_lint_file {
    const char *path;
    int language;
    char *raw, *text; /* as read; with blanks for comments */
    size_t length;
    ct_lint_note *note;
    ct_lint_layout *layout;
    ct_lint_finding *finding;
    size_t notes, layouts, findings;
    char message[CT_MESSAGE_BYTES]; /* why it cannot be linted */
} ct_lint_file;

/** Reads a file: its text, its comments. CT_OK, or why not in message. */
ct_status ct_lint_read(ct_lint_file *f);

/** Finds its layouts, and then what the algebra proves about them. */
ct_status ct_lint_find(ct_lint_file *f);
ct_status ct_lint_prove(ct_lint_file *f);
void ct_lint_free(ct_lint_file *f);

/** Room for one more item of *items; NULL, and the file's message, without memory. */
void *ct_lint_grow(ct_lint_file *f, void **items, size_t *count, size_t size);

/** The first place of a word in a text, or NULL. */
const char *ct_lint_look(const char *text, size_t length, const char *word);

/** Adds a finding. v, where it is not NULL, is its layout. */
ct_status ct_lint_report(ct_lint_file *f, int rule, size_t at, size_t length, const ct_value *v,
                         const char *format, ...) __attribute__((format(printf, 6, 7)));

/** The line and the column of a place, both from 1. */
void ct_lint_place(const ct_lint_file *f, size_t at, int *line, int *column);

/* ---- the names that a file defines ------------------------------------------------------------ */

/** A name, and the text that it stands for: NULL where that is not known. */
typedef struct ct_lint_name {
    char name[CT_LINT_NAME];
    char *text;
} ct_lint_name;

/** The names that can be seen at a place. */
typedef struct ct_lint_names {
    ct_lint_name *name;
    size_t count;
} ct_lint_names;

int ct_lint_is_letter(char c);                         /* of an identifier */
size_t ct_lint_skip(const ct_lint_file *f, size_t at); /* blanks */

/** Where the identifier at `at` ends; `at` itself where none begins. */
size_t ct_lint_word_end(const ct_lint_file *f, size_t at);

/** Where the bracket at `at` is closed, behind it; 0 where it is not. `<` and `>` are brackets. */
size_t ct_lint_close(const ct_lint_file *f, size_t at);

/** Where the statement that goes on at `at` ends; 0 where a bracket or a comma ends it. */
size_t ct_lint_statement_end(const ct_lint_file *f, size_t at);

/** The text of [at, end) with the values of names, without namespaces and empty braces. From
 *  malloc; NULL without memory. */
char *ct_lint_expand(const ct_lint_file *f, const ct_lint_names *names, size_t at, size_t end);

/** Defines the name at [at, end): its value is [from, to). */
ct_status ct_lint_define(ct_lint_file *f, ct_lint_names *names, size_t at, size_t end, size_t from,
                         size_t to);

/** Forgets the names behind the first `count`; outer ones of the same name are not known any more. */
void ct_lint_forget(ct_lint_names *names, size_t count);

/* ---- output ----------------------------------------------------------------------------------- */

/** The findings of files as SARIF 2.1.0, and as the command's own JSON. */
json_t *ct_lint_sarif(const ct_lint_file *file, int files);
json_t *ct_lint_json(const ct_lint_file *file, int files);

#endif
