/**
 * The names that a file defines, and its texts with their values in their places.
 */
#ifndef CUTLET_TOOLS_LINT_NAMES_H
#define CUTLET_TOOLS_LINT_NAMES_H

#include "base/builder.h"
#include "lint.h"

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

int ct_lint_is_letter(char c); /* of an identifier */

/** Where the identifier at `at` ends; `at` itself where none begins. */
size_t ct_lint_word_end(const ct_lint_file *f, size_t at);

/** Where the bracket at `at` is closed, behind it; 0 where it is not. `<` and `>` are brackets. */
size_t ct_lint_close(const ct_lint_file *f, size_t at);

/** Skips blanks. */
size_t ct_lint_skip(const ct_lint_file *f, size_t at);

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

#endif
