/**
 * What the sub-commands of a program share: of the command `cutlet`, and of `cutlet-bench`.
 */
#ifndef CUTLET_TOOLS_COMMON_CLI_H
#define CUTLET_TOOLS_COMMON_CLI_H

#include <argp.h>
#include <stdio.h>

#include <cutlet/host/eval.h>

/** Exit statuses: all went well; an assertion failed or an operation had no result; bad input. */
enum { CT_EXIT_OK = 0, CT_EXIT_FAILED = 1, CT_EXIT_BAD = 2 };

/** What the arguments of a sub-command are, for completion. */
enum { CT_TAKES_EXPRESSION = 1, CT_TAKES_FILES = 2, CT_TAKES_TOPIC = 4 };

/** A sub-command. argv[0] is its name. */
typedef struct ct_command {
    const char *name;
    const char *arguments; /* "EXPR..." */
    const char *help;      /* one line */
    int (*run)(int argc, char **argv);
    const struct argp *argp; /* its options and its help; NULL: it has none */
    const char *words;       /* what its first argument may be, "copy|descriptor", or NULL */
    int takes;               /* CT_TAKES_... */
} ct_command;

/** The program's name, with which its messages begin, and its sub-commands, of which one is `help`
 *  and the last has no name. Its main file defines both. */
extern const char ct_program[];
extern const ct_command ct_commands[];

/** The sub-command of that name, or NULL. */
const ct_command *ct_command_named(const char *name);

/** Runs the sub-command that argv[1] names. The exit status of the program. */
int ct_cli_main(int argc, char **argv);

/** The options of a sub-command: the table, its parser, the operands, and the help. */
#define CT_ARGP(options, parse, operands, help)                                                    \
    {                                                                                              \
        options, parse, operands, help, NULL, NULL, NULL                                           \
    }

/* ---- arguments and messages ------------------------------------------------------------------ */

/**
 * Parses the arguments of a sub-command. --help is answered here. Returns 0; or -1 after one line
 * on stderr, with which the sub-command ends; or 1 after --help.
 */
int ct_cli_parse(const struct argp *argp, int argc, char **argv, void *input);

/** For parsers: one line about what is wrong, then EINVAL. */
error_t ct_cli_wrong(struct argp_state *state, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/** One line on stderr: `PROGRAM COMMAND: message`. */
void ct_cli_complain(const char *command, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/** The same with the expression and a caret under the place. */
void ct_cli_complain_at(const char *command, const char *text, const ct_diag *diag);

/** The exit status for the result of ct_evaluate: CT_EXIT_FAILED where an operation failed,
 *  CT_EXIT_BAD where there is no expression. */
int ct_cli_exit_of(ct_status result);

/** Says on stderr in whose notation a text was read, where that is not cutlet's own. */
void ct_cli_say_notation(const char *command, const char *text);

/** Evaluates an expression, says its notation, complains where it has no value. Returns an exit
 *  status. */
int ct_cli_evaluate(const char *command, const char *text, ct_value *out);

/** Ends standard output; complains, and returns CT_EXIT_BAD, where it could not all be written,
 *  otherwise status. */
int ct_cli_finish(const char *command, int status);

#endif
