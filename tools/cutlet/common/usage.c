/* The help of a sub-command, from its table of options. Paragraphs are wrapped; lines that begin
   with a blank, as commands to paste do, stay as they are. */
#include "options.h"

#include <stdio.h>
#include <string.h>

#include "cli.h"

enum { COLUMNS = 79, OPTION_AT = 29 };

/* The words of a text from a column on, each line after the first beginning at `indent`. */
static void print_words(const char *text, size_t length, int column, int indent)
{
    for (const char *const end = text + length; text < end;) {
        const size_t rest = (size_t)(end - text), found = strcspn(text, " ");
        const int word = (int)(found < rest ? found : rest);
        if (column > indent && column + 1 + word > COLUMNS) {
            printf("\n%*s", indent, "");
            column = indent;
        } else if (column > indent) {
            putchar(' ');
            ++column;
        }
        printf("%.*s", word, text);
        column += word;
        text += word + 1;
    }
    putchar('\n');
}

static void print_text(const char *text, size_t length)
{
    for (const char *const end = text + length; text <= end;) {
        const size_t found = strcspn(text, "\n"), rest = (size_t)(end - text);
        const size_t line = found < rest ? found : rest;
        if (*text == ' ') printf("%.*s\n", (int)line, text);
        else print_words(text, line, 0, 0);
        text += line + 1;
    }
}

/* A line of usage for each form. */
static void print_usage(const struct argp *argp, const char *name)
{
    const char *form = argp->args_doc ? argp->args_doc : "";
    const char *const options = argp->options ? " [OPTION...]" : "";
    for (int i = 0;; ++i) {
        const int length = (int)strcspn(form, "\n");
        printf("%s %s %s%s%s%.*s\n", i ? "  or: " : "Usage:", ct_program, name, options,
               length ? " " : "", length, form);
        if (!form[length]) return;
        form += length + 1;
    }
}

static void print_option(const struct argp_option *o)
{
    char left[112], value[80] = "";
    const int is_optional = o->flags & OPTION_ARG_OPTIONAL;
    if (o->arg) snprintf(value, sizeof value, is_optional ? "[=%s]" : "=%s", o->arg);
    if (o->key > ' ' && o->key < 127)
        snprintf(left, sizeof left, "  -%c, --%s%s", o->key, o->name, value);
    else snprintf(left, sizeof left, "      --%s%s", o->name, value);
    const int column = printf("%s", left);
    if (column + 1 < OPTION_AT) printf("%*s", OPTION_AT - column, "");
    else printf("\n%*s", OPTION_AT, "");
    print_words(o->doc, strlen(o->doc), OPTION_AT, OPTION_AT);
}

static void print_options(const struct argp_option *options)
{
    for (const struct argp_option *o = options; !ct_option_ends(o); ++o) {
        if (o->name) print_option(o);
        else printf("%s %s\n", o == options ? "" : "\n", o->doc);
    }
    putchar('\n');
}

void ct_cli_print_help(const struct argp *argp, const char *name)
{
    const size_t before = strcspn(argp->doc, "\v");
    print_usage(argp, name);
    print_text(argp->doc, before);
    putchar('\n');
    if (argp->options) print_options(argp->options);
    if (argp->doc[before]) print_text(argp->doc + before + 1, strlen(argp->doc + before + 1));
}
