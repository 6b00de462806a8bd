/* cutlet completion bash|zsh|fish: scripts made from the tables of commands and operations. */
#include <string.h>

#include "cli.h"

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

/* The commands whose argument is an expression. */
static void put_expression_commands(const char *between)
{
    int put = 0;
    for (const ct_command *c = ct_commands; c->name; ++c) {
        if (c->takes_expression) printf("%s%s", put++ ? between : "", c->name);
    }
}

static void bash(void)
{
    fputs("# bash completion for cutlet: source this file, or put it into\n"
          "# ~/.local/share/bash-completion/completions/cutlet\n"
          "_cutlet() {\n"
          "    local word=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]} words=\n"
          "    COMPREPLY=()\n"
          "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
          "        COMPREPLY=($(compgen -W '", stdout);
    put_commands();
    fputs(" --help --version' -- \"$word\"))\n"
          "        return\n"
          "    fi\n"
          "    case $command in\n", stdout);
    for (const ct_command *c = ct_commands; c->name; ++c)
        printf("    %s) words='%s --help' ;;\n", c->name,
               strcmp(c->name, "completion") == 0 ? "bash zsh fish" : c->options);
    fputs("    esac\n"
          "    case $command in\n"
          "    help) words='", stdout);
    put_commands();
    fputs(" notation operations atoms", stdout);
    put_operations(" ", "");
    fputs("' ;;\n"
          "    ", stdout);
    put_expression_commands("|");
    fputs(")\n"
          "        case $word in\n"
          "        -*) ;;\n"
          "        *) compopt -o nospace\n"
          "            words='", stdout);
    put_operations(" ", "(");
    fputs("' ;;\n"
          "        esac ;;\n"
          "    esac\n"
          "    COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
          "    case $command in\n"
          "    check|draw|access|report|compare|relayout|bench|sass) COMPREPLY+=($(compgen -f -- \"$word\")) ;;\n"
          "    esac\n"
          "}\n"
          "complete -o filenames -F _cutlet cutlet\n", stdout);
}

static void zsh(void)
{
    fputs("#compdef cutlet\n"
          "# zsh completion for cutlet: put it as _cutlet into a directory of $fpath.\n"
          "_cutlet() {\n"
          "    local -a commands operations\n"
          "    commands=(\n", stdout);
    for (const ct_command *c = ct_commands; c->name; ++c)
        printf("        '%s:%s'\n", c->name, c->help);
    fputs("    )\n"
          "    operations=(", stdout);
    put_operations(" ", "");
    fputs(" )\n"
          "    if (( CURRENT == 2 )); then\n"
          "        _describe command commands\n"
          "        return\n"
          "    fi\n"
          "    case $words[2] in\n", stdout);
    for (const ct_command *c = ct_commands; c->name; ++c) {
        if (strcmp(c->name, "completion") == 0)
            printf("    completion) compadd bash zsh fish ;;\n");
        else if (strcmp(c->name, "help") == 0)
            printf("    help) _describe command commands; compadd notation operations atoms $operations "
                   ";;\n");
        else
            printf("    %s) compadd -- %s --help; %s%s ;;\n", c->name, c->options,
                   c->takes_expression ? "compadd -S '(' -- $operations; " : "",
                   strcmp(c->name, "eval") && strcmp(c->name, "explain") &&
                           strcmp(c->name, "verify") ? "_files" : ":");
    }
    fputs("    esac\n"
          "}\n"
          "compdef _cutlet cutlet\n", stdout);
}

static void fish(void)
{
    fputs("# fish completion for cutlet: put it into ~/.config/fish/completions/cutlet.fish\n",
          stdout);
    for (const ct_command *c = ct_commands; c->name; ++c) {
        char options[512];
        printf("complete -c cutlet -n __fish_use_subcommand -f -a %s -d '%s'\n", c->name, c->help);
        snprintf(options, sizeof options, "%s --help", c->options);
        for (char *o = strtok(options, " "); o; o = strtok(NULL, " "))
            printf("complete -c cutlet -n '__fish_seen_subcommand_from %s' %s %s\n", c->name,
                   o[0] == '-' ? "-l" : "-a", o[0] == '-' ? o + 2 : o);
        if (strcmp(c->name, "completion") == 0)
            printf("complete -c cutlet -n '__fish_seen_subcommand_from completion' -f -a 'bash zsh "
                   "fish'\n");
    }
    fputs("complete -c cutlet -n '__fish_seen_subcommand_from ", stdout);
    put_expression_commands(" ");
    fputs(" help' -f -a '", stdout);
    put_operations("", " ");
    fputs("'\n", stdout);
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    const char **shell = state->input;
    switch (key) {
    case ARGP_KEY_ARG:
        if (strcmp(arg, "bash") != 0 && strcmp(arg, "zsh") != 0 && strcmp(arg, "fish") != 0)
            return ct_cli_wrong(state,
                                "there is completion for bash, zsh and fish, not for `%.40s`", arg);
        *shell = arg;
        return 0;
    case ARGP_KEY_END: return *shell ? 0 : ct_cli_wrong(state, "which shell? bash, zsh or fish");
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    NULL, parse, "bash|zsh|fish",
    "Prints a script that completes commands, options and the names of operations.\v"
    "  source <(cutlet completion bash)\n"
    "  cutlet completion zsh > ~/.zfunc/_cutlet\n"
    "  cutlet completion fish > ~/.config/fish/completions/cutlet.fish",
    NULL, NULL, NULL};

int ct_cmd_completion(int argc, char **argv)
{
    const char *shell = NULL;
    const int parsed = ct_cli_parse(&argp, argc, argv, &shell);
    if (parsed != 0) return ct_cli_finish("completion", parsed < 0 ? CT_EXIT_BAD : CT_EXIT_OK);
    if (strcmp(shell, "bash") == 0) bash();
    else if (strcmp(shell, "zsh") == 0) zsh();
    else fish();
    return ct_cli_finish("completion", CT_EXIT_OK);
}
