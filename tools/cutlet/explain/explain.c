/* cutlet explain EXPR */
#include <cutlet/host/explain.h>

#include <stdlib.h>
#include <string.h>

#include "../common/cli.h"
#include "../common/commands.h"
#include "../common/copy_options.h"
#include "../common/json.h"
#include "../common/options.h"

typedef struct arguments {
    const char *expression;
    int json;
} arguments;

static const struct argp_option options[] = {
    {"json", CT_KEY_JSON, NULL, 0, "print JSON", 0},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    arguments *const a = state->input;
    switch (key) {
        case CT_KEY_JSON: a->json = 1; return 0;
        case ARGP_KEY_ARG:
            if (a->expression)
                return ct_cli_wrong(state, "one expression at a time; is it in quotes?");
            a->expression = arg;
            return ct_cli_nearly_word(state, arg);
        case ARGP_KEY_END:
            return a->expression
                       ? 0
                       : ct_cli_wrong(state, "an expression is missing, as in: "
                                             "cutlet explain 'composition((6,2):(8,2), 4:3)'");
        default: return ARGP_ERR_UNKNOWN;
    }
}

const struct argp ct_explain_argp = CT_ARGP(
    options, parse, "EXPR\ncopy [OPTION...]\ndescriptor [OPTION...] LAYOUT\ntma [OPTION...] LAYOUT",
    "Explains an expression: the rule and the numbers after each operation's result.\v"
    "  cutlet explain 'composition((6,2):(8,2), (4,3):(3,1))'\n"
    "  cutlet explain 'logical_divide((9,8):(8,1), <3:3,4:1>)'\n"
    "  cutlet explain 'Sw<3,4,3>(200)'\n"
    "  cutlet explain 'max_common_vector((16,8):(8,4096), (16,8):(8,128))'\n"
    "  cutlet explain 'tiled_copy(copy_atom(universal64, 16), (16,8), (1,4))'\n"
    "\n"
    "`cutlet explain copy` shows what limits the access width of a copy, and what would make it "
    "wider: `cutlet explain copy --help`. `cutlet explain descriptor` shows the matrix descriptor "
    "of an operand in shared memory: `cutlet explain descriptor --help`. `cutlet explain tma` shows "
    "the descriptor of a TMA copy: `cutlet explain tma --help`.\n"
    "\n"
    "Inner operations come first. The exit status is 0; 1 when an operation has no result (the "
    "steps show "
    "why); 2 when the expression cannot be read.");

static int explain(const arguments *a)
{
    ct_diag diag;
    char *text = NULL;
    size_t size = 0;
    FILE *const stream = a->json ? open_memstream(&text, &size) : stdout;
    if (!stream) {
        ct_cli_complain("explain", "out of memory");
        return CT_EXIT_BAD;
    }
    int status = ct_cli_exit_of(ct_explain(a->expression, stream, &diag));
    if (a->json) fclose(stream);
    if (status == CT_EXIT_BAD) ct_cli_complain_at("explain", a->expression, &diag);
    else if (a->json && (!text || ct_json_print_lines(a->expression, NULL, text))) {
        ct_cli_complain("explain", "out of memory");
        status = CT_EXIT_BAD;
    }
    free(text);
    fflush(stdout);
    ct_cli_say_notation("explain", a->expression);
    return status;
}

int ct_cmd_explain(int argc, char **argv)
{
    arguments a = {NULL, 0};
    if (argc > 1 && strcmp(argv[1], "copy") == 0) return ct_cmd_explain_copy(argc - 1, argv + 1);
    if (argc > 1 && strcmp(argv[1], "descriptor") == 0)
        return ct_cmd_explain_descriptor(argc - 1, argv + 1);
    if (argc > 1 && strcmp(argv[1], "tma") == 0) return ct_cmd_explain_tma(argc - 1, argv + 1);
    const int parsed = ct_cli_parse(&ct_explain_argp, argc, argv, &a);
    if (parsed != 0) return ct_cli_finish("explain", parsed < 0 ? CT_EXIT_BAD : CT_EXIT_OK);
    return ct_cli_finish("explain", explain(&a));
}
