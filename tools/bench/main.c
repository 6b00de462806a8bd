/* cutlet-bench: every benchmark. Each verifies a result before it times it. */
#include <string.h>

#include "commands.h"
#include "tools/cutlet/common/cli.h"

const char ct_program[] = "cutlet-bench";

static int help(int argc, char **argv);

const ct_command ct_commands[] = {
    {"algebra", "", "operations on layouts, on one core of this CPU", bench_cmd_algebra,
     &bench_algebra_argp, NULL, 0},
    {"matrix", "", "tiled copies and transposes of matrices, on a GPU", bench_cmd_matrix,
     &bench_matrix_argp, NULL, 0},
    {"vector", "", "kernels that compute, by scalar and by wide accesses", bench_cmd_vector,
     &bench_vector_argp, NULL, 0},
    {"width", "", "copies by accesses of 1 to 32 bytes, over the array's size", bench_cmd_width,
     &bench_width_argp, NULL, 0},
    {"help", "[BENCHMARK]", "explain a benchmark, or list them", help, NULL, NULL, 0},
    {0},
};

static void list_benchmarks(void)
{
    fputs("Usage: cutlet-bench BENCHMARK [OPTION...]\n"
          "Times operations, copies and kernels. Each result is verified first; a wrong one is "
          "not timed.\n\n",
          stdout);
    for (const ct_command *c = ct_commands; c->name; ++c) {
        char usage[64];
        snprintf(usage, sizeof usage, "%s %s", c->name, c->arguments);
        printf("  %-18s  %s\n", usage, c->help);
    }
    fputs("\n"
          "  cutlet-bench algebra\n"
          "  cutlet-bench width --tsv                        # needs a GPU\n"
          "  cutlet-bench matrix --group plain,transpose     # needs a GPU\n"
          "\n"
          "`cutlet-bench BENCHMARK --help` explains one. Without a GPU, width and vector count on\n"
          "the CPU grid, and matrix says that there is none. No file is written unless an option\n"
          "names it.\n",
          stdout);
}

static int help(int argc, char **argv)
{
    const char *const topic = argc > 1 && strcmp(argv[1], "--help") != 0 ? argv[1] : "help";
    char *arguments[] = {(char *)topic, "--help", NULL};
    const ct_command *const c = ct_command_named(topic);
    if (argc > 2 || !c) {
        if (argc > 2) ct_cli_complain("help", "one benchmark at a time");
        else ct_cli_complain("help", "there is no benchmark `%.60s`", topic);
        return CT_EXIT_BAD;
    }
    if (c->run != help) return c->run(2, arguments);
    list_benchmarks();
    return ct_cli_finish("help", CT_EXIT_OK);
}

int main(int argc, char **argv) { return ct_cli_main(argc, argv); }
