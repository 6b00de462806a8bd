/**
 * What a subcommand's table of options gives: its help, the errors of a command line, the words
 * that a value may be.
 */
#ifndef CUTLET_TOOLS_COMMON_OPTIONS_H
#define CUTLET_TOOLS_COMMON_OPTIONS_H

#include <argp.h>

/** Whether this is the entry after the last. */
int ct_option_ends(const struct argp_option *o);

/** The option of a key. */
const struct argp_option *ct_option_of(const struct argp_option *options, int key);

/** Prints the help of `PROGRAM NAME`. */
void ct_cli_print_help(const struct argp *argp, const char *name);

/** The arguments with options in front, then `--` and the operands, of which negative numbers are some;
 *  `ordered` has room for argc + 2. Returns how many. */
int ct_cli_options_first(const struct argp *argp, int argc, char **argv, char **ordered);

/** What is wrong with the options of a command line: no such option, no value, one too many. 0
 * where that is found, and one line in why, of size; -1 otherwise. */
int ct_cli_find_wrong(const struct argp *argp, int argc, char **argv, char *why, size_t size);

/** The next of the words that an option takes, as `auto|light|dark`, from *at on; NULL after the
 * last.
 *  *length gets its length. */
const char *ct_option_word(const char **at, int *length);

/** Complains about an operand that is nearly one of the words for which a command has a meaning of
 *  its own, as `explain coyp`; 0 where it is not. */
error_t ct_cli_nearly_word(struct argp_state *state, const char *operand);

/** Which of its words the value of an option is; -1 after a complaint. */
int ct_cli_choice(struct argp_state *state, int key, const char *value);

#endif
