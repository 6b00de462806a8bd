/* What is wrong on a command line, by the table of options; and the words that an option takes. */
#include "options.h"

#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "text/nearest.h"

int ct_option_ends(const struct argp_option *o) { return !o->name && !o->key && !o->doc; }

const struct argp_option *ct_option_of(const struct argp_option *options, int key)
{
    while (!ct_option_ends(options) && options->key != key) ++options;
    return options;
}

/* ---- what is wrong --------------------------------------------------------------------------- */

/* The option that a long name of n characters stands for, which may be the beginning of one; how
   many it begins. */
static int find_long(const struct argp_option *options, const char *name, size_t n,
                     const struct argp_option **found)
{
    int count = 0;
    for (const struct argp_option *o = options; o && !ct_option_ends(o); ++o) {
        if (!o->name || strncmp(o->name, name, n) != 0) continue;
        *found = o;
        if (o->name[n] == '\0') return 1;
        ++count;
    }
    return count;
}

/* The option of one letter; NULL for none. */
static const struct argp_option *find_short(const struct argp *argp, char letter)
{
    const struct argp_option *const o = argp->options ? ct_option_of(argp->options, letter) : NULL;
    return o && !ct_option_ends(o) ? o : NULL;
}

static void say_unknown(const struct argp *argp, const char *arg, size_t n, const char *command,
                        char *why, size_t size)
{
    char word[48], ask[CT_NEAREST_BYTES];
    snprintf(word, sizeof word, "%.*s", (int)(n < 47 ? n : 47), arg);
    ct_nearest near = {.word = word};
    for (const struct argp_option *o = argp->options; o && !ct_option_ends(o); ++o) {
        char name[48];
        snprintf(name, sizeof name, "--%.40s", o->name ? o->name : "");
        if (o->name) ct_nearest_try(&near, name);
    }
    snprintf(why, size, "there is no option %s%s; see `%s %s --help`", word,
             ct_nearest_ask(&near, ask), ct_program, command);
}

static void say_several(const struct argp *argp, const char *arg, size_t n, char *why, size_t size)
{
    size_t at = (size_t)snprintf(why, size, "--%.*s may be", (int)n, arg);
    const char *between = " ";
    for (const struct argp_option *o = argp->options; !ct_option_ends(o) && at < size; ++o) {
        if (!o->name || strncmp(o->name, arg, n) != 0) continue;
        at += (size_t)snprintf(why + at, size - at, "%s--%s", between, o->name);
        between = ", ";
    }
}

/* Whether the option lacks its value, for which the next argument may stand, which *next then says. */
static int lacks_value(const struct argp_option *o, const char *given, const char *after, int *next)
{
    if (!o->arg || (o->flags & OPTION_ARG_OPTIONAL) || given) return 0;
    *next = 1;
    return !after;
}

/* Of one argument `--name`, `--name=value`. 0 where it is wrong, and one line in why. */
static int see_long(const struct argp *argp, char **argv, int i, int *next, char *why, size_t size)
{
    const char *const name = argv[i] + 2, *const value = strchr(name, '=');
    const size_t n = strcspn(name, "=");
    const struct argp_option *o = NULL;
    const int count = find_long(argp->options, name, n, &o);
    if (count == 0) say_unknown(argp, argv[i], n + 2, argv[0], why, size);
    else if (count > 1) say_several(argp, name, n, why, size);
    else if (value && !o->arg)
        snprintf(why, size, "--%s takes no value, and `%.40s` is given", o->name, value + 1);
    else if (lacks_value(o, value, argv[i + 1], next))
        snprintf(why, size, "--%s lacks its value: --%s=%s", o->name, o->name, o->arg);
    else return -1;
    return 0;
}

/* Of one argument of short options, `-o` or `-oVALUE`. */
static int see_short(const struct argp *argp, char **argv, int i, int *next, char *why, size_t size)
{
    for (const char *c = argv[i] + 1; *c; ++c) {
        const char option[] = {'-', *c, '\0'};
        const struct argp_option *const o = find_short(argp, *c);
        if (!o) {
            say_unknown(argp, option, 2, argv[0], why, size);
            return 0;
        }
        if (lacks_value(o, c[1] ? c + 1 : NULL, argv[i + 1], next)) {
            snprintf(why, size, "-%c lacks its value: -%c %s", *c, *c, o->arg);
            return 0;
        }
        if (o->arg) return -1;
    }
    return -1;
}

/* Whether an argument is written as an option, which a negative number is not. */
static int is_option(const struct argp *argp, const char *arg)
{
    const int number = arg[0] == '-' && arg[1] >= '0' && arg[1] <= '9' && !find_short(argp, arg[1]);
    return arg[0] == '-' && arg[1] && !number;
}

/* Whether the option argv[i] takes its value from the next argument. */
static int is_separate(const struct argp *argp, char **argv, int i)
{
    const char *c = argv[i] + 1;
    const struct argp_option *o = NULL;
    if (*c == '-') {
        const int known = find_long(argp->options, c + 1, strcspn(c + 1, "="), &o) == 1;
        if (!known || strchr(c, '=')) return 0;
    } else {
        while (c[1] && (o = find_short(argp, *c)) && !o->arg) ++c;
        o = find_short(argp, *c);
        if (c[1]) return 0;
    }
    return o && o->arg && !(o->flags & OPTION_ARG_OPTIONAL);
}

int ct_cli_options_first(const struct argp *argp, int argc, char **argv, char **ordered)
{
    static char end[] = "--";
    int n = 0;
    ordered[n++] = argv[0];
    for (int operands = 0; operands < 2; ++operands) {
        int ended = 0;
        if (operands) ordered[n++] = end;
        for (int i = 1; i < argc; ++i) {
            const int ends = !ended && strcmp(argv[i], "--") == 0;
            const int option = !ended && !ends && is_option(argp, argv[i]);
            const int values = option && is_separate(argp, argv, i);
            if (values && i + 1 == argc) { /* it lacks its value, for which `--` must not stand */
                memcpy(ordered, argv, ((size_t)argc + 1) * sizeof *ordered);
                return argc;
            }
            ended |= ends;
            for (int k = 0; k <= values && !ends && option != operands; ++k)
                ordered[n++] = argv[i + k];
            i += values;
        }
    }
    ordered[n] = NULL;
    return n;
}

int ct_cli_find_wrong(const struct argp *argp, int argc, char **argv, char *why, size_t size)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; ++i) {
        int next = 0, found = -1;
        if (!is_option(argp, argv[i])) continue;
        if (argv[i][1] == '-') found = see_long(argp, argv, i, &next, why, size);
        else found = see_short(argp, argv, i, &next, why, size);
        if (found == 0) return 0;
        i += next;
    }
    return -1;
}

/* ---- words ----------------------------------------------------------------------------------- */

const char *ct_option_word(const char **at, int *length)
{
    const char *const word = *at;
    if (!word || !*word) return NULL;
    *length = (int)strcspn(word, "|");
    *at = word + *length + (word[*length] == '|');
    return word;
}

/* "auto, light or dark". */
static void say_words(const char *words, char *text, size_t size)
{
    size_t used = 0;
    int n = 0;
    for (const char *word, *at = words; (word = ct_option_word(&at, &n)) && used < size;)
        used += (size_t)snprintf(text + used, size - used, "%s%.*s",
                                 word == words ? ""
                                 : *at         ? ", "
                                               : " or ",
                                 n, word);
}

error_t ct_cli_nearly_word(struct argp_state *state, const char *operand)
{
    const ct_command *const command = ct_command_named(state->name);
    char ask[CT_NEAREST_BYTES];
    ct_nearest near = {.word = operand};
    int n = 0;
    if (!command || operand[strspn(operand, "abcdefghijklmnopqrstuvwxyz")]) return 0;
    for (const char *word, *at = command->words; (word = ct_option_word(&at, &n));)
        ct_nearest_try_part(&near, word, n);
    if (!near.name[0]) return 0;
    return ct_cli_wrong(state, "there is no `%s %.40s`%s", state->name, operand,
                        ct_nearest_ask(&near, ask));
}

int ct_cli_choice(struct argp_state *state, int key, const char *value)
{
    const struct argp_option *const o = ct_option_of(state->root_argp->options, key);
    char words[160] = "", ask[CT_NEAREST_BYTES];
    ct_nearest near = {.word = value};
    int i = 0, n = 0;
    for (const char *word, *at = o->arg; (word = ct_option_word(&at, &n)); ++i) {
        if (strlen(value) == (size_t)n && strncmp(word, value, (size_t)n) == 0) return i;
        ct_nearest_try_part(&near, word, n);
    }
    say_words(o->arg, words, sizeof words);
    ct_cli_wrong(state, "--%s is %s, not `%.40s`%s", o->name, words, value,
                 ct_nearest_ask(&near, ask));
    return -1;
}
