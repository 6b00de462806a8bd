/* What the sub-commands share: arguments, complaints, expressions. */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include <cutlet/host/check.h>
#include <cutlet/host/convert.h>
#include "base/style.h"
#include "convert/exchange.h"
#include "options.h"
#include "text/evaluate.h"
#include "text/extents.h"

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
}

int ct_cli_exit_of(ct_status result)
{
    return result == CT_OK ? CT_EXIT_OK : ct_is_unread(result) ? CT_EXIT_BAD : CT_EXIT_FAILED;
}

ct_status ct_cli_read(const char *text, ct_value *out, ct_diag *diag, const char **notation)
{
    ct_convert_options options = {.from = CT_SYSTEM_TRITON, .to = CT_SYSTEM_CUTLET};
    char own[CT_CONVERT_BYTES];
    ct_tuple shape;
    *notation = ct_foreign_notation(text);
    if (!*notation || (strcmp(*notation, "Triton") != 0 && strcmp(*notation, "Gluon") != 0))
        return ct_evaluate(text, out, diag);
    out->kind = CT_KIND_NONE;
    const char *const of = strstr(text, ") of ") ? strstr(text, ") of ") : strstr(text, "> of ");
    char *const alone = strndup(text, of ? (size_t)(of + 1 - text) : strlen(text));
    if (!alone) return CT_E_MEMORY;
    ct_status bad = of ? ct_extents_read(of + 5, &shape, diag) : CT_OK;
    if (of && !bad && shape.profile.leaves <= CT_CONVERT_RANK) {
        options.rank = shape.profile.leaves;
        memcpy(options.shape, shape.value, sizeof *shape.value * (size_t)options.rank);
    }
    if (!bad) bad = ct_convert_layout(alone, &options, own, diag);
    free(alone);
    if (!bad) return ct_evaluate(own, out, diag);
    if (bad == CT_E_ARGUMENT && strstr(diag->message, "--shape")) {
        const size_t n = strlen(diag->message);
        snprintf(diag->message + n, sizeof diag->message - n, "; or write `of 64x64` behind it");
    }
    return bad == CT_E_ARGUMENT ? CT_E_TEXT : bad;
}

void ct_cli_say_notation(const char *command, const char *notation)
{
    if (notation) fprintf(stderr, "%s %s: read as %s\n", ct_program, command, notation);
}

int ct_cli_evaluate(const char *command, const char *text, ct_value *out)
{
    ct_diag diag;
    const char *notation;
    const ct_status result = ct_cli_read(text, out, &diag, &notation);
    if (result) ct_cli_complain_at(command, text, &diag);
    ct_cli_say_notation(command, notation);
    return ct_cli_exit_of(result);
}

char *ct_cli_text(const ct_value *v)
{
    const int n = ct_format_value(NULL, 0, v);
    char *text = malloc((size_t)n + 1);
    if (text) ct_format_value(text, (size_t)n + 1, v);
    return text;
}

int ct_cli_finish(const char *command, int status)
{
    if (fflush(stdout) == 0 && !ferror(stdout)) return status;
    ct_cli_complain(command, "standard output: %s", strerror(errno ? errno : EIO));
    return CT_EXIT_BAD;
}
