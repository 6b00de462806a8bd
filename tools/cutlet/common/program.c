/* A program of subcommands: which one is asked for. */
#include <string.h>

#include "cli.h"
#include "text/nearest.h"

const ct_command *ct_command_named(const char *name)
{
    for (const ct_command *c = ct_commands; c->name; ++c) {
        if (strcmp(c->name, name) == 0) return c;
    }
    return NULL;
}

static int no_command(const char *word)
{
    char ask[CT_NEAREST_BYTES];
    ct_nearest near = {.word = word};
    for (const ct_command *c = ct_commands; c->name; ++c) ct_nearest_try(&near, c->name);
    if (word[0] == '-') {
        ct_nearest_try(&near, "--help");
        ct_nearest_try(&near, "--version");
    }
    ct_cli_complain("", "there is no %s `%.60s`%s; `%s help` lists the commands",
                    word[0] == '-' ? "option" : "command", word, ct_nearest_ask(&near, ask),
                    ct_program);
    return CT_EXIT_BAD;
}

int ct_cli_main(int argc, char **argv)
{
    char *help[] = {"help", NULL};
    if (argc < 2) {
        ct_cli_complain("", "a command is missing; `%s help` lists them", ct_program);
        return CT_EXIT_BAD;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
        return ct_command_named("help")->run(1, help);
    if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0) {
        printf("%s " CT_VERSION_STRING "\n", ct_program);
        return ct_cli_finish("", CT_EXIT_OK);
    }
    const ct_command *c = ct_command_named(argv[1]);
    if (!c) return no_command(argv[1]);
    return c->run(argc - 1, argv + 1);
}
