/* cutlet completion bash|zsh|fish: scripts made from the tables of commands and operations. */
#include <string.h>

#include "../common/commands.h"
#include "../common/options.h"
#include "completion_values.h"

/* The names of the operations, each once, between two texts. */
static void put_operations(const char *before, const char *after)
{
    ct_operation_info info, earlier;
    for (int i = 0; ct_operation_listed(i, &info); ++i) {
        int seen = 0;
        for (int k = 0; k < i && ct_operation_listed(k, &earlier); ++k)
            seen |= strcmp(info.name, earlier.name) == 0;
        if (!seen) printf("%s%s%s", before, info.name, after);
    }
}

static void put_commands(void)
{
    for (const ct_command *c = ct_commands; c->name; ++c)
        printf("%s%s", c == ct_commands ? "" : " ", c->name);
}

/* Calls put for each option of a command. */
static void each_option(const ct_command *c,
                        void (*put)(const ct_command *c, const struct argp_option *o))
{
    const struct argp_option *o = c->argp ? c->argp->options : NULL;
    for (; o && !ct_option_ends(o); ++o)
        if (o->name) put(c, o);
}

/* Calls put for each command, and each part of one that has options of its own. */
static void each_command(void (*put)(const ct_command *c))
{
    for (const ct_command *c = ct_subcommands; c->name; ++c) put(c);
    for (const ct_command *c = ct_commands; c->name; ++c) put(c);
}

static void put_option_name(const ct_command *c, const struct argp_option *o)
{
    (void)c;
    printf("--%s ", o->name);
}

/* The words that a command may be followed by, with blanks between. */
static void put_words(const ct_command *c)
{
    int n = 0;
    for (const char *word, *at = c->words; (word = ct_option_word(&at, &n));)
        printf("%.*s ", n, word);
}

/* ---- bash ------------------------------------------------------------------------------------ */

static void bash_value(const ct_command *c, const struct argp_option *o)
{
    char names[64], words[1024], pattern[96];
    if (!o->arg || (o->flags & OPTION_ARG_OPTIONAL)) return;
    const int kind = ct_completion_values(o, words, sizeof words);
    snprintf(pattern, sizeof pattern, "'|'%s ", c->name);
    ct_completion_names(o, pattern, names, sizeof names);
    printf("    '%s %s') ", c->name, names);
    if (kind == CT_VALUE_FILES) puts("COMPREPLY=($(compgen -f -- \"$word\")); return ;;");
    else if (kind == CT_VALUE_ATOMS)
        puts("words=$(cutlet help atoms | sed -n 's/^mma_atom *//p') is=value ;;");
    else printf("words='%s' is=value ;;\n", words);
}

static void bash_values(const ct_command *c) { each_option(c, bash_value); }

static void bash_words(const ct_command *c)
{
    printf("    '%s') words='", c->name);
    put_words(c);
    if (c->takes & CT_TAKES_TOPIC) {
        put_commands();
        put_operations(" ", "");
        putchar(' ');
    }
    each_option(c, put_option_name);
    puts("--help' ;;");
}

/* The commands whose arguments are of a kind. */
static void put_kind(int takes, const char *between)
{
    int put = 0;
    for (const ct_command *c = ct_commands; c->name; ++c)
        if (c->takes & takes) printf("%s%s", put++ ? between : "", c->name);
}

static void bash(void)
{
    fputs("# bash completion for cutlet: source this file, or put it into\n"
          "# ~/.local/share/bash-completion/completions/cutlet\n"
          "_cutlet() {\n"
          "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
          "    local command=${COMP_WORDS[1]} words= is=\n"
          "    COMPREPLY=()\n"
          "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
          "        COMPREPLY=($(compgen -W '",
          stdout);
    put_commands();
    fputs(" --help --version' -- \"$word\"))\n"
          "        return\n    fi\n"
          "    if [ \"$word\" = = ]; then word=\n"
          "    elif [ \"$before\" = = ]; then before=${COMP_WORDS[COMP_CWORD-2]}\n"
          "    fi\n"
          "    if [ \"$COMP_CWORD\" -gt 2 ]; then\n"
          "        case \"$command ${COMP_WORDS[2]}\" in\n"
          "        ",
          stdout);
    for (const ct_command *c = ct_subcommands; c->name; ++c)
        printf("%s'%s'", c == ct_subcommands ? "" : "|", c->name);
    fputs(") command+=\" ${COMP_WORDS[2]}\" ;;\n"
          "        esac\n"
          "    fi\n"
          "    case \"$command\" in\n",
          stdout);
    each_command(bash_words);
    fputs("    esac\n"
          "    case \"$command $before\" in\n",
          stdout);
    each_command(bash_values);
    fputs("    esac\n"
          "    COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
          "    case $is$word in value*|-*) return ;; esac\n"
          "    case ${COMP_WORDS[1]} in\n"
          "    ",
          stdout);
    put_kind(CT_TAKES_EXPRESSION, "|");
    fputs(")\n"
          "        compopt -o nospace\n"
          "        COMPREPLY+=($(compgen -W '",
          stdout);
    put_operations(" ", "(");
    fputs("' -- \"$word\")) ;;\n"
          "    ",
          stdout);
    put_kind(CT_TAKES_FILES, "|");
    fputs(") COMPREPLY+=($(compgen -f -- \"$word\")) ;;\n"
          "    esac\n"
          "}\n"
          "complete -o filenames -F _cutlet cutlet\n",
          stdout);
}

/* ---- zsh ------------------------------------------------------------------------------------- */

static void zsh_value(const ct_command *c, const struct argp_option *o)
{
    char names[64], words[1024], pattern[96];
    if (!o->arg || (o->flags & OPTION_ARG_OPTIONAL)) return;
    const int kind = ct_completion_values(o, words, sizeof words);
    snprintf(pattern, sizeof pattern, "'|'%s ", c->name);
    ct_completion_names(o, pattern, names, sizeof names);
    printf("    '%s %s') ", c->name, names);
    if (kind == CT_VALUE_FILES) fputs("_files", stdout);
    else if (kind == CT_VALUE_ATOMS)
        fputs("compadd -- $(cutlet help atoms | sed -n 's/^mma_atom *//p')", stdout);
    else printf("%s%s", words[0] ? "compadd -- " : ":", words);
    puts("; return ;;");
}

static void zsh_values(const ct_command *c) { each_option(c, zsh_value); }

static void zsh_words(const ct_command *c)
{
    printf("    '%s') compadd -- ", c->name);
    put_words(c);
    each_option(c, put_option_name);
    fputs("--help", stdout);
    if (c->takes & CT_TAKES_TOPIC)
        fputs("; _describe command commands; compadd -- $operations", stdout);
    if (c->takes & CT_TAKES_EXPRESSION) fputs("; compadd -S '(' -- $operations", stdout);
    puts(c->takes & CT_TAKES_FILES ? "; _files ;;" : " ;;");
}

static void zsh(void)
{
    fputs("#compdef cutlet\n"
          "# zsh completion for cutlet: put it as _cutlet into a directory of $fpath.\n"
          "_cutlet() {\n"
          "    local -a commands operations\n"
          "    local command=$words[2] before=$words[CURRENT-1]\n"
          "    commands=(\n",
          stdout);
    for (const ct_command *c = ct_commands; c->name; ++c)
        printf("        \"%s:%s\"\n", c->name, c->help);
    fputs("    )\n"
          "    operations=(",
          stdout);
    put_operations(" ", "");
    fputs(" )\n"
          "    if (( CURRENT == 2 )); then\n"
          "        _describe command commands\n"
          "        compadd -- --help --version\n"
          "        return\n    fi\n"
          "    if [[ $words[CURRENT] == --*=* ]]; then\n"
          "        before=${words[CURRENT]%%=*}\n"
          "        compset -P '*='\n"
          "    fi\n"
          "    if (( CURRENT > 3 )); then\n"
          "        case \"$command $words[3]\" in\n",
          stdout);
    for (const ct_command *c = ct_subcommands; c->name; ++c)
        printf("        '%s') command+=\" $words[3]\" ;;\n", c->name);
    fputs("        esac\n"
          "    fi\n"
          "    case \"$command $before\" in\n",
          stdout);
    each_command(zsh_values);
    fputs("    esac\n"
          "    case $command in\n",
          stdout);
    each_command(zsh_words);
    fputs("    esac\n"
          "}\n"
          "compdef _cutlet cutlet\n",
          stdout);
}

/* ---- fish ------------------------------------------------------------------------------------ */

/* The condition that the line has the words of a command. */
static void fish_condition(const ct_command *c)
{
    char words[64];
    snprintf(words, sizeof words, "%s", c->name);
    fputs("complete -c cutlet -n '", stdout);
    for (char *word = strtok(words, " "), *first = word; word; word = strtok(NULL, " "))
        printf("%s__fish_seen_subcommand_from %s", word == first ? "" : "; and ", word);
    fputs("'", stdout);
}

static void fish_option(const ct_command *c, const struct argp_option *o)
{
    char words[1024] = "";
    fish_condition(c);
    if (o->key > ' ' && o->key < 127) printf(" -s %c", o->key);
    printf(" -l %s", o->name);
    const int has_value = o->arg && !(o->flags & OPTION_ARG_OPTIONAL);
    const int kind = has_value ? ct_completion_values(o, words, sizeof words) : CT_VALUE_OTHER;
    if (kind == CT_VALUE_WORDS) printf(" -x -a '%s'", words);
    else if (kind == CT_VALUE_ATOMS)
        printf(" -x -a '(cutlet help atoms | string replace -rf \"^mma_atom *\" \"\")'");
    else if (kind == CT_VALUE_FILES) fputs(" -r -F", stdout);
    else if (has_value) fputs(" -x", stdout);
    putchar('\n');
}

static void fish_command(const ct_command *c)
{
    each_option(c, fish_option);
    fish_condition(c);
    puts(" -l help");
    if (!c->words) return;
    fish_condition(c);
    fputs(" -f -a '", stdout);
    put_words(c);
    puts("'");
}

static void fish(void)
{
    fputs("# fish completion for cutlet: put it into ~/.config/fish/completions/cutlet.fish\n",
          stdout);
    for (const ct_command *c = ct_commands; c->name; ++c)
        printf("complete -c cutlet -n __fish_use_subcommand -f -a %s -d \"%s\"\n", c->name,
               c->help);
    puts("complete -c cutlet -n __fish_use_subcommand -l help\n"
         "complete -c cutlet -n __fish_use_subcommand -l version");
    each_command(fish_command);
    fputs("complete -c cutlet -n '__fish_seen_subcommand_from ", stdout);
    put_kind(CT_TAKES_EXPRESSION | CT_TAKES_TOPIC, " ");
    fputs("' -f -a '", stdout);
    put_operations("", " ");
    puts("'");
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    const char **shell = state->input;
    switch (key) {
        case ARGP_KEY_ARG:
            if (strcmp(arg, "bash") != 0 && strcmp(arg, "zsh") != 0 && strcmp(arg, "fish") != 0)
                return ct_cli_wrong(state, "there is bash, zsh and fish, not `%.40s`", arg);
            *shell = arg;
            return 0;
        case ARGP_KEY_END:
            return *shell ? 0 : ct_cli_wrong(state, "which shell? bash, zsh or fish");
        default: return ARGP_ERR_UNKNOWN;
    }
}

const struct argp ct_completion_argp = CT_ARGP(
    NULL, parse, "bash|zsh|fish",
    "Prints a script that completes commands, options, their values and the names of operations.\v"
    "  source <(cutlet completion bash)\n"
    "  mkdir -p ~/.zfunc ~/.config/fish/completions\n"
    "  cutlet completion zsh > ~/.zfunc/_cutlet\n"
    "  cutlet completion fish > ~/.config/fish/completions/cutlet.fish");

int ct_cmd_completion(int argc, char **argv)
{
    const char *shell = NULL;
    const int parsed = ct_cli_parse(&ct_completion_argp, argc, argv, &shell);
    if (parsed != 0) return ct_cli_finish("completion", parsed < 0 ? CT_EXIT_BAD : CT_EXIT_OK);
    if (strcmp(shell, "bash") == 0) bash();
    else if (strcmp(shell, "zsh") == 0) zsh();
    else fish();
    return ct_cli_finish("completion", CT_EXIT_OK);
}
