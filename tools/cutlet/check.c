/* cutlet check FILE... */
#include <cutlet/host/check.h>

#include <stdlib.h>

#include "common/cli.h"
#include "common/commands.h"

typedef struct arguments {
    char **file;
    int count, quiet, which;
} arguments;

static const struct argp_option options[] = {
    {"quiet", 'q', NULL, 0, "print only the last line", 0},
    {"examples", 'e', NULL, 0, "check the lines that follow `Example:` in source files", 0},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    arguments *a = state->input;
    switch (key) {
        case 'q': a->quiet = 1; return 0;
        case 'e': a->which = CT_CHECK_EXAMPLES; return 0;
        case ARGP_KEY_ARG: a->file[a->count++] = arg; return 0;
        case ARGP_KEY_END:
            return a->count > 0
                       ? 0
                       : ct_cli_wrong(state,
                                      "a file of assertions is missing; - is standard input");
        default: return ARGP_ERR_UNKNOWN;
    }
}

const struct argp ct_check_argp = {
    options,
    parse,
    "FILE...",
    "Checks files of assertions about layouts; - is standard input.\v"
    "An assertion is a line of one of these forms; # begins a comment:\n"
    "\n"
    "  composition((6,2):(8,2), (4,3):(3,1)) == ((2,2),3):((24,2),8)\n"
    "  coalesce((2,(1,6)):(1,(6,2))) ~ (2,6):(1,2)\n"
    "  complement((2,2):(2,6), 24) == error\n"
    "\n"
    "== compares shape, stride and nesting. ~ compares functions: equal sizes, and equal offsets "
    "for every index. == error expects the operation to fail.\n"
    "\n"
    "  echo 'size(4:1) == 4' | cutlet check -\n"
    "  echo 'coalesce((2,4):(1,2)) == 8:1' > my_layouts.check\n"
    "  cutlet check my_layouts.check\n"
    "\n"
    "Each failing line is printed with the actual and the expected result. The last line counts "
    "the lines that passed and failed. The exit status is 0; 1 when a line failed; 2 when a file "
    "or a line cannot be "
    "read.",
    NULL,
    NULL,
    NULL};

int ct_cmd_check(int argc, char **argv)
{
    arguments a = {calloc((size_t)argc + 1, sizeof(char *)), 0, 0, CT_CHECK_LINES};
    ct_check_counts counts = {0, 0, 0};
    int unreadable = 0;
    if (!a.file) {
        ct_cli_complain("check", "out of memory");
        return CT_EXIT_BAD;
    }
    const int parsed = ct_cli_parse(&ct_check_argp, argc, argv, &a);
    for (int i = 0; parsed == 0 && i < a.count; ++i) {
        char message[CT_MESSAGE_BYTES];
        if (ct_check_file(a.file[i], a.which, a.quiet ? NULL : stdout, &counts, message) == 0)
            continue;
        fflush(stdout);
        ct_cli_complain("check", "%s", message);
        unreadable = 1;
    }
    free(a.file);
    if (parsed != 0) return ct_cli_finish("check", parsed < 0 ? CT_EXIT_BAD : CT_EXIT_OK);
    printf("%lld passed, %lld failed\n", (long long)counts.passed, (long long)counts.failed);
    const int status = unreadable || counts.bad ? CT_EXIT_BAD
                       : counts.failed          ? CT_EXIT_FAILED
                                                : CT_EXIT_OK;
    return ct_cli_finish("check", status);
}
