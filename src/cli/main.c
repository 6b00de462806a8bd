/* The command: `cutlet COMMAND [ARGUMENT...]`. */
#include <string.h>

#include "cli.h"

const ct_command ct_commands[] = {
    {"eval", "EXPR...", "evaluate expressions of layouts", ct_cmd_eval, "--json", 1},
    {"check", "FILE...", "check files of assertions: unit tests for layouts", ct_cmd_check,
     "--quiet --examples", 0},
    {"explain", "EXPR|copy|descriptor", "show how a result, a copy's width or a matrix descriptor comes about",
     ct_cmd_explain,
     "copy descriptor --thr --val --src --dst --type --tile --src-align --dst-align --arch --operand --atom "
     "--address --json", 1},
    {"draw", "EXPR -o FILE", "draw a layout, a thread-value layout or a tiled copy", ct_cmd_draw,
     "access --output --title --theme --color --tile --run --columns --max-cells --truncate --kind "
     "--bits --lanes --memory --type --warp --instruction --swizzle --arch", 1},
    {"report", "TILED_COPY -o FILE", "write a page about a tiled copy: threads, sectors, banks",
     ct_cmd_report, "--src --dst --shared --shape --arch --output", 1},
    {"compare", "", "copy a matrix with several tiled copies and rank them", ct_cmd_compare,
     "--input --rows --cols --type --order --tile --variants --output --svg --json "
     "--gpu-mib --no-gpu", 0},
    {"access", "[EXPR]", "count the sectors and bank conflicts of accesses or layouts",
     ct_cmd_access,
     "--kind --bits --lanes --shared-lanes --batch --type --elem-bits --memory --src --dst --shape "
     "--base --dst-base --src-kind --dst-kind --arch --list --json --max-conflicts "
     "--min-efficiency", 1},
    {"relayout", "IN.npy OUT.npy", "move the elements of an array to another layout",
     ct_cmd_relayout, "--to --from --inverse --shape --type --backend --effort --memory --verify "
     "--progress", 0},
    {"bench", "width|vector", "measure what wide accesses are worth", ct_cmd_bench,
     "width vector --runs --input --json --no-gpu --from --to --widths --svg --mib --only --cub", 0},
    {"sass", "FILE|KERNEL", "count the memory accesses of generated code, by width", ct_cmd_sass,
     "--arch --kernel --expect --list --json", 0},
    {"suggest", "", "find the best tiled copy and shared layout for a tile", ct_cmd_suggest,
     "--type --tile --src --threads --read --read-bits --dst --align --dst-align --no-cp-async "
     "--shared --arch --top --all --measure --emit --json", 0},
    {"verify", "TILED_COPY|TV", "prove that a copy holds each element once, or show where not",
     ct_cmd_verify,
     "--tile --thr --val --src --dst --shared --shared-bytes --src-align --dst-align --type --bits "
     "--json", 1},
    {"completion", "bash|zsh|fish", "print a completion script for a shell", ct_cmd_completion, "",
     0},
    {"help", "[TOPIC]", "explain a command, the notation, or list the operations", ct_cmd_help, "",
     0},
    {0},
};

const ct_command *ct_command_named(const char *name)
{
    for (const ct_command *c = ct_commands; c->name; ++c) {
        if (strcmp(c->name, name) == 0) return c;
    }
    return NULL;
}

int main(int argc, char **argv)
{
    char *help[] = {"help", NULL};
    if (argc < 2) {
        ct_cli_complain("", "a command is missing; `cutlet help` lists them");
        return CT_EXIT_BAD;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) return ct_cmd_help(1, help);
    if (strcmp(argv[1], "--version") == 0) {
        puts("cutlet " CT_VERSION_STRING);
        return ct_cli_finish("", CT_EXIT_OK);
    }
    const ct_command *c = ct_command_named(argv[1]);
    if (!c) {
        ct_cli_complain("", "there is no %s `%.60s`; `cutlet help` lists the commands",
                        argv[1][0] == '-' ? "option" : "command", argv[1]);
        return CT_EXIT_BAD;
    }
    return c->run(argc - 1, argv + 1);
}
