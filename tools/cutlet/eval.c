/* cutlet eval EXPR... */
#include <stdlib.h>
#include <string.h>

#include "common/cli.h"
#include "common/commands.h"
#include "common/json.h"
#include "text/evaluate.h"

typedef struct arguments {
    char **expression;
    int count, json;
} arguments;

static const struct argp_option options[] = {
    {"json", 'j', NULL, 0, "print one JSON object per line", 0},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    arguments *a = state->input;
    switch (key) {
        case 'j': a->json = 1; return 0;
        case ARGP_KEY_ARG: a->expression[a->count++] = arg; return 0;
        case ARGP_KEY_END:
            return a->count > 0
                       ? 0
                       : ct_cli_wrong(state, "an expression is missing, as in: "
                                             "cutlet eval 'coalesce((2,(1,6)):(1,(6,2)))'");
        default: return ARGP_ERR_UNKNOWN;
    }
}

const struct argp ct_eval_argp = CT_ARGP(
    options, parse, "EXPR...",
    "Evaluates layout expressions and prints one value per line; - reads lines of standard input.\v"
    "Quote each expression, "
    "because the shell interprets parentheses:\n"
    "\n"
    "  cutlet eval '((2,4),8):((1,16),2)'\n"
    "  cutlet eval 'composition((6,2):(8,2), (4,3):(3,1))'\n"
    "  cutlet eval 'offsets(logical_divide((4,6):(6,1), <2:1,3:1>))'\n"
    "  cutlet eval '(4,8):(8,1)(2,3)'      # the offset at a coordinate\n"
    "  cutlet eval '(4,8):(8,1)(2,_)'      # a slice, as offset@layout\n"
    "  cutlet eval 'size(4:1) == 4'        # true or false\n"
    "  cutlet eval 'mode((4,8):(?,1), 0)'  # for all values of ?; `with ?=8` gives one\n"
    "  echo 'coalesce((2,4):(1,2))' | cutlet eval -\n"
    "\n"
    "`cutlet help notation` explains how values are written, `cutlet help operations` lists what "
    "can be "
    "called. The exit status is 0; 1 when an operation has no result; 2 when an expression cannot "
    "be read.");

/* A line of standard input without its comment, its end and its spaces; NULL where nothing is left. */
static char *trimmed(char *line)
{
    if (memcmp(line, "\xef\xbb\xbf", ct_min(3, (int64_t)strlen(line) + 1)) == 0) line += 3;
    line[strcspn(line, "\r\n")] = 0;
    line[ct_text_without_comment(line, strlen(line))] = 0;
    while (*line == ' ' || *line == '\t') ++line;
    for (size_t n = strlen(line); n > 0 && (line[n - 1] == ' ' || line[n - 1] == '\t');
         line[--n] = 0)
        ;
    return *line ? line : NULL;
}

/* Prints one result; returns an exit status. */
static int evaluate(const char *expression, int json)
{
    ct_value v;
    ct_diag diag;
    char *text;
    const ct_status result = ct_evaluate_for_all(expression, &v, &text, &diag);
    int status = ct_cli_exit_of(result), no_memory = 0;
    if (json) no_memory = ct_json_print(stdout, expression, result ? NULL : &v, text, &diag);
    else if (!result && !text) no_memory = !(text = ct_value_text(&v));
    if (!json && text) puts(text);
    fflush(stdout);
    if (no_memory) {
        ct_cli_complain("eval", "out of memory");
        status = CT_EXIT_BAD;
    } else if (result && !json) ct_cli_complain_at("eval", expression, &diag);
    free(text);
    if (!json) ct_cli_say_notation("eval", expression);
    ct_value_free(&v);
    return status;
}

/* The expressions of standard input, one a line; the worst exit status. */
static int evaluate_lines(int json)
{
    char *line = NULL;
    size_t capacity = 0;
    int status = CT_EXIT_OK;
    while (getline(&line, &capacity, stdin) >= 0) {
        const char *const expression = trimmed(line);
        const int one = expression ? evaluate(expression, json) : CT_EXIT_OK;
        if (one > status) status = one;
        if (expression) fflush(stdout);
    }
    free(line);
    return status;
}

int ct_cmd_eval(int argc, char **argv)
{
    arguments a = {calloc((size_t)argc + 1, sizeof(char *)), 0, 0};
    int status = CT_EXIT_OK;
    if (!a.expression) {
        ct_cli_complain("eval", "out of memory");
        return CT_EXIT_BAD;
    }
    const int parsed = ct_cli_parse(&ct_eval_argp, argc, argv, &a);
    if (parsed < 0) status = CT_EXIT_BAD;
    for (int i = 0; parsed == 0 && i < a.count; ++i) {
        const int one = strcmp(a.expression[i], "-") == 0 ? evaluate_lines(a.json)
                                                          : evaluate(a.expression[i], a.json);
        if (one > status) status = one;
    }
    free(a.expression);
    return ct_cli_finish("eval", status);
}
