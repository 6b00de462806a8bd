/**
 * The sub-commands of `cutlet-bench`: each a folder, or a file, of this one.
 */
#ifndef CUTLET_TOOLS_BENCH_COMMANDS_H
#define CUTLET_TOOLS_BENCH_COMMANDS_H

#include <argp.h>

extern const struct argp bench_algebra_argp, bench_matrix_argp, bench_vector_argp, bench_width_argp;

int bench_cmd_algebra(int argc, char **argv);
int bench_cmd_matrix(int argc, char **argv);
int bench_cmd_vector(int argc, char **argv);
int bench_cmd_width(int argc, char **argv);

/** Of bench_cmd_matrix, beside the statuses of every command: there is no GPU. */
enum { BENCH_EXIT_SKIPPED = 77 };

#endif
