/* cutlet explain EXPR */
#include <cutlet/host/explain.h>

#include <string.h>

#include "../common/cli.h"
#include "../common/commands.h"
#include "../common/options.h"

static error_t parse(int key, char *arg, struct argp_state *state)
{
    const char **expression = state->input;
    switch (key) {
        case ARGP_KEY_ARG:
            if (*expression)
                return ct_cli_wrong(state, "one expression at a time; is it in quotes?");
            *expression = arg;
            return ct_cli_nearly_word(state, arg);
        case ARGP_KEY_END:
            return *expression
                       ? 0
                       : ct_cli_wrong(state, "an expression is missing, as in: "
                                             "cutlet explain 'composition((6,2):(8,2), 4:3)'");
        default: return ARGP_ERR_UNKNOWN;
    }
}

const struct argp ct_explain_argp = {
    NULL,
    parse,
    "EXPR\ncopy [OPTION...]\ndescriptor [OPTION...] LAYOUT",
    "Explains an expression: the rule and the numbers behind each operation's result.\v"
    "  cutlet explain 'composition((6,2):(8,2), (4,3):(3,1))'\n"
    "  cutlet explain 'logical_divide((9,8):(8,1), <3:3,4:1>)'\n"
    "  cutlet explain 'Sw<3,4,3>(200)'\n"
    "  cutlet explain 'max_common_vector((16,8):(8,4096), (16,8):(8,128))'\n"
    "  cutlet explain 'tiled_copy(copy_atom(universal64, 16), (16,8), (1,4))'\n"
    "\n"
    "`cutlet explain copy` shows what limits the access width of a copy, and what would make it "
    "wider: `cutlet explain copy --help`. `cutlet explain descriptor` shows the matrix descriptor "
    "of an operand in shared memory: `cutlet explain descriptor --help`.\n"
    "\n"
    "Inner operations come first. The exit status is 0; 1 when an operation has no result (the "
    "steps show "
    "why); 2 when the expression cannot be read.",
    NULL,
    NULL,
    NULL};

int ct_cmd_explain(int argc, char **argv)
{
    const char *expression = NULL;
    ct_diag diag;
    if (argc > 1 && strcmp(argv[1], "copy") == 0) return ct_cmd_explain_copy(argc - 1, argv + 1);
    if (argc > 1 && strcmp(argv[1], "descriptor") == 0)
        return ct_cmd_explain_descriptor(argc - 1, argv + 1);
    const int parsed = ct_cli_parse(&ct_explain_argp, argc, argv, &expression);
    if (parsed != 0) return ct_cli_finish("explain", parsed < 0 ? CT_EXIT_BAD : CT_EXIT_OK);
    const int status = ct_cli_exit_of(ct_explain(expression, stdout, &diag));
    if (status == CT_EXIT_BAD) ct_cli_complain_at("explain", expression, &diag);
    return ct_cli_finish("explain", status);
}
