/* What the sub-commands share: arguments, complaints, expressions. */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "cutlet/host/check.h"

/* Whether the parser has said what is wrong. */
static int complained;

static void complain(const char *command, const char *format, va_list args)
{
    fprintf(stderr, "cutlet%s%s: ", command[0] ? " " : "", command);
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

/* The first option that none of the options begins with, and that is therefore wrong by itself. */
static const char *unknown_option(const struct argp *argp, int argc, char **argv)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; ++i) {
        if (argv[i][0] != '-' || argv[i][1] == '\0') continue;
        const int is_long = argv[i][1] == '-';
        const size_t n = strcspn(argv[i], "=");
        int known = 0;
        for (const struct argp_option *o = argp->options; o && (o->name || o->key || o->doc); ++o)
            known |= is_long ? o->name && strncmp(argv[i] + 2, o->name, n - 2) == 0
                             : o->key == argv[i][1];
        if (!known) return argv[i];
    }
    return NULL;
}

int ct_cli_parse(const struct argp *argp, int argc, char **argv, void *input)
{
    if (asks_for_help(argc, argv)) {
        char name[64];
        snprintf(name, sizeof name, "cutlet %s", argv[0]);
        argp_help(argp, stdout, ARGP_HELP_STD_HELP & ~(ARGP_HELP_EXIT_OK), name);
        return 1;
    }
    complained = 0;
    if (argp_parse(argp, argc, argv, ARGP_NO_ERRS | ARGP_NO_HELP | ARGP_NO_EXIT, NULL, input) == 0)
        return 0;
    if (!complained) {
        const char *option = unknown_option(argp, argc, argv);
        if (option)
            ct_cli_complain(argv[0], "there is no option %s; see `cutlet %s --help`", option,
                            argv[0]);
        else ct_cli_complain(argv[0], "these arguments are wrong; see `cutlet %s --help`", argv[0]);
    }
    return -1;
}

void ct_cli_complain_at(const char *command, const char *text, const ct_diag *diag)
{
    char where[64];
    snprintf(where, sizeof where, "cutlet %s", command);
    ct_report_place(stderr, where, text, strlen(text), diag->at, diag->length, diag->message);
}

int ct_cli_evaluate(const char *command, const char *text, ct_value *out)
{
    ct_diag diag;
    const int result = ct_evaluate(text, out, &diag);
    if (result == 0) return CT_EXIT_OK;
    ct_cli_complain_at(command, text, &diag);
    return result < 0 ? CT_EXIT_BAD : CT_EXIT_FAILED;
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
