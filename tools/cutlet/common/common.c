/* What the sub-commands share: arguments, complaints, expressions. */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include <cutlet/host/check.h>
#include "base/style.h"
#include "options.h"
#include "text/cute.h"
#include "text/evaluate.h"

/* Whether the parser has said what is wrong. */
static int complained;

static void complain(const char *command, const char *format, va_list args)
{
    ct_put_style(stderr, CT_STYLE_BAD);
    fprintf(stderr, "%s%s%s:", ct_program, command[0] ? " " : "", command);
    ct_put_style(stderr, CT_STYLE_NONE);
    fputc(' ', stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    complained = 1;
}

void ct_cli_complain(const char *command, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    complain(command, format, args);
    va_end(args);
}

error_t ct_cli_wrong(struct argp_state *state, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    complain(state->argv[0], format, args);
    va_end(args);
    return EINVAL;
}

static int asks_for_help(int argc, char **argv)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; ++i) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) return 1;
    }
    return 0;
}

int ct_cli_parse(const struct argp *argp, int argc, char **argv, void *input)
{
    char why[256];
    if (asks_for_help(argc, argv)) {
        ct_cli_print_help(argp, argv[0]);
        return 1;
    }
    complained = 0;
    char **const ordered = malloc(((size_t)argc + 2) * sizeof *ordered);
    const int count = ordered ? ct_cli_options_first(argp, argc, argv, ordered) : 0;
    const error_t bad = ordered
                            ? argp_parse(argp, count, ordered,
                                         ARGP_NO_ERRS | ARGP_NO_HELP | ARGP_NO_EXIT, NULL, input)
                            : ENOMEM;
    free(ordered);
    if (bad == 0) return 0;
    if (complained) return -1;
    if (bad == ENOMEM) ct_cli_complain(argv[0], "out of memory");
    else if (ct_cli_find_wrong(argp, argc, argv, why, sizeof why) == 0)
        ct_cli_complain(argv[0], "%s", why);
    else
        ct_cli_complain(argv[0], "these arguments are wrong; see `%s %s --help`", ct_program,
                        argv[0]);
    return -1;
}

void ct_cli_complain_at(const char *command, const char *text, const ct_diag *diag)
{
    char where[64];
    snprintf(where, sizeof where, "%s %s", ct_program, command);
    ct_report_place(stderr, where, text, strlen(text), diag->at, diag->length, diag->message);
    complained = 1;
}

int ct_cli_exit_of(ct_status result)
{
    return result == CT_OK ? CT_EXIT_OK : ct_is_unread(result) ? CT_EXIT_BAD : CT_EXIT_FAILED;
}

void ct_cli_say_notation(const char *command, const char *text)
{
    const char *const notation = ct_notation_of(text, strlen(text));
    if (notation) fprintf(stderr, "%s %s: read as %s\n", ct_program, command, notation);
}

int ct_cli_evaluate(const char *command, const char *text, ct_value *out)
{
    ct_diag diag;
    const ct_status result = ct_evaluate(text, out, &diag);
    if (result) ct_cli_complain_at(command, text, &diag);
    ct_cli_say_notation(command, text);
    return ct_cli_exit_of(result);
}

int ct_cli_finish(const char *command, int status)
{
    if (fflush(stdout) == 0 && !ferror(stdout)) return status;
    ct_cli_complain(command, "standard output: %s", strerror(errno ? errno : EIO));
    return CT_EXIT_BAD;
}
