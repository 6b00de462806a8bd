/* The command: `cutlet COMMAND [ARGUMENT...]`. */
#include <string.h>

#include "common/commands.h"
#include "common/json.h"

#ifdef CT_IN_PACKAGE /* the Python package, whose main is its own */
const char ct_program[] = "python -m pycutlet";
#else
const char ct_program[] = "cutlet";
#endif

const ct_command ct_commands[] = {
    {"eval", "EXPR...", "evaluate expressions of layouts", ct_cmd_eval, &ct_eval_argp, NULL,
     CT_TAKES_EXPRESSION},
    {"check", "FILE...", "check files of assertions: unit tests for layouts", ct_cmd_check,
     &ct_check_argp, NULL, CT_TAKES_FILES},
    {"explain", "EXPR|copy|descriptor",
     "show how a result, a copy's width or a matrix descriptor comes about", ct_cmd_explain,
     &ct_explain_argp, "copy|descriptor", CT_TAKES_EXPRESSION},
    {"draw", "EXPR -o FILE", "draw a layout, a thread-value layout or a tiled copy", ct_cmd_draw,
     &ct_draw_argp, "access", CT_TAKES_EXPRESSION},
    {"report", "EXPR -o FILE", "write a page about a tiled copy or a tiled MMA", ct_cmd_report,
     &ct_report_argp, NULL, CT_TAKES_EXPRESSION},
    {"compare", "", "copy a matrix with several tiled copies and rank them", ct_cmd_compare,
     &ct_compare_argp, NULL, 0},
    {"access", "[EXPR]", "count the sectors and bank conflicts of accesses or layouts",
     ct_cmd_access, &ct_access_argp, NULL, CT_TAKES_EXPRESSION},
    {"relayout", "IN.npy OUT.npy", "move the elements of an array to another layout",
     ct_cmd_relayout, &ct_relayout_argp, NULL, CT_TAKES_FILES},
    {"run", "FILE", "run a kernel of PTX on the CPU grid: results, mistakes, costs", ct_cmd_run,
     &ct_run_argp, NULL, CT_TAKES_FILES},
    {"gemm", "A.npy B.npy -o D.npy", "multiply two matrices on a GPU, the CPU grid or the CPU",
     ct_cmd_gemm, &ct_gemm_argp, NULL, CT_TAKES_FILES},
#ifndef CT_IN_PACKAGE
    {"sass", "FILE|KERNEL", "count the memory accesses in generated code, by width", ct_cmd_sass,
     &ct_sass_argp, NULL, CT_TAKES_FILES},
#endif
    {"suggest", "", "find the best tiled copy and shared-memory layout of a tile", ct_cmd_suggest,
     &ct_suggest_argp, NULL, 0},
    {"verify", "TILED_COPY|TV|MMA", "prove a tiled copy or an MMA correct, or show where it is not",
     ct_cmd_verify, &ct_verify_argp, NULL, CT_TAKES_EXPRESSION},
    {"convert", "TEXT", "write the layout of another system, or compare two systems' layouts",
     ct_cmd_convert, &ct_convert_argp, NULL, CT_TAKES_EXPRESSION},
    {"lint", "FILE...", "find layouts in sources, and what is proved to be wrong about them",
     ct_cmd_lint, &ct_lint_argp, NULL, CT_TAKES_FILES},
#ifndef CT_WITHOUT_REDISTRIBUTE
    {"redistribute", "", "plan how ranks exchange a sharded tensor, and run it on the CPU",
     ct_cmd_redistribute, &ct_redistribute_argp, NULL, 0},
#endif
#ifndef CT_IN_PACKAGE
    {"completion", "bash|zsh|fish", "print a completion script for a shell", ct_cmd_completion,
     &ct_completion_argp, "bash|zsh|fish", 0},
#endif
    {"help", "[TOPIC]", "explain a command, the notation, or list the operations", ct_cmd_help,
     NULL, "notation|operations|atoms|types", CT_TAKES_TOPIC},
    {0},
};

const ct_command ct_subcommands[] = {
    {"explain copy", "", "", ct_cmd_explain_copy, &ct_explain_copy_argp, NULL, CT_TAKES_EXPRESSION},
    {"explain descriptor", "", "", ct_cmd_explain_descriptor, &ct_explain_descriptor_argp, NULL,
     CT_TAKES_EXPRESSION},
    {"explain tma", "", "", ct_cmd_explain_tma, &ct_explain_tma_argp, NULL, CT_TAKES_EXPRESSION},
    {0},
};

#ifndef CT_IN_PACKAGE
int main(int argc, char **argv)
{
    ct_json_watch();
#ifdef CT_WITHOUT_REDISTRIBUTE
    if (argc > 1 && strcmp(argv[1], "redistribute") == 0)
        return ct_cmd_redistribute(argc - 1, argv + 1);
#endif
    return ct_cli_main(argc, argv);
}
#endif
