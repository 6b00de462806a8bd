/**
 * The sub-commands of `cutlet`: each a folder, or a file, of tools/cutlet.
 */
#ifndef CUTLET_TOOLS_COMMON_COMMANDS_H
#define CUTLET_TOOLS_COMMON_COMMANDS_H

#include "cli.h"

/** Those of sub-commands that have options of their own; the last has no name. */
extern const ct_command ct_subcommands[];

extern const struct argp ct_eval_argp, ct_check_argp, ct_explain_argp, ct_explain_copy_argp,
    ct_explain_descriptor_argp, ct_explain_tma_argp, ct_draw_argp, ct_report_argp, ct_compare_argp,
    ct_access_argp, ct_relayout_argp, ct_run_argp, ct_gemm_argp, ct_sass_argp, ct_suggest_argp,
    ct_verify_argp, ct_convert_argp, ct_lint_argp, ct_redistribute_argp, ct_completion_argp;

int ct_cmd_eval(int argc, char **argv);
int ct_cmd_check(int argc, char **argv);
int ct_cmd_explain(int argc, char **argv);
int ct_cmd_explain_copy(int argc, char **argv);
int ct_cmd_explain_descriptor(int argc, char **argv);
int ct_cmd_explain_tma(int argc, char **argv);
int ct_cmd_draw(int argc, char **argv);
int ct_cmd_report(int argc, char **argv);
int ct_cmd_compare(int argc, char **argv);
int ct_cmd_access(int argc, char **argv);
int ct_cmd_relayout(int argc, char **argv);
int ct_cmd_run(int argc, char **argv);
int ct_cmd_gemm(int argc, char **argv);
int ct_cmd_sass(int argc, char **argv);
int ct_cmd_suggest(int argc, char **argv);
int ct_cmd_verify(int argc, char **argv);
int ct_cmd_convert(int argc, char **argv);
int ct_cmd_lint(int argc, char **argv);
int ct_cmd_redistribute(int argc, char **argv);
int ct_cmd_draw_redistribute(int argc, char **argv); /* cutlet draw redistribute */
int ct_cmd_completion(int argc, char **argv);
int ct_cmd_help(int argc, char **argv);

#endif
