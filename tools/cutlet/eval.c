/* cutlet eval EXPR... */
#include <stdlib.h>
#include <string.h>

#include "common/cli.h"
#include "common/commands.h"
#include "common/json.h"

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
    line[strcspn(line, "#\r\n")] = 0;
    while (*line == ' ' || *line == '\t') ++line;
    for (size_t n = strlen(line); n > 0 && (line[n - 1] == ' ' || line[n - 1] == '\t');
         line[--n] = 0)
        ;
    return *line ? line : NULL;
}

/* ---- for all values of `?` ------------------------------------------------------------------- */

enum { UNKNOWNS = 8 };

/* Notes an operation that looks at numbers: only those that move leaves, and those that are linear in strides, are
   the same for all of them. */
static void observe(void *context, const ct_step *step)
{
    static const char blind[] =
        " rank depth size shape stride mode get take select flatten unflatten group append prepend replace reverse "
        "concat layout make_layout at slice ";
    char name[48];
    snprintf(name, sizeof name, " %.40s ", step->name);
    const int is_swizzled = step->count > 0 && step->arg[0].kind == CT_KIND_TENSOR &&
                            step->arg[0].as.tensor.swizzle.bits > 0;
    if (!strstr(blind, name) || is_swizzled) *(int *)context = 1;
}

/* The text of the value with numbers from `first` on for its `?`, which stand for them again; NULL where it depends on
   them, and where they are not in their order. */
static char *text_with(const char *expression, int marks, long long first, int *no_memory)
{
    ct_value v = {0};
    ct_diag diag;
    char number[32];
    int depends = 0;
    char *const with = malloc(strlen(expression) + 32 * UNKNOWNS);
    size_t n = with ? (size_t)sprintf(with, "%s with ?=%lld", expression, first) : 0;
    for (int i = 1; with && i < marks; ++i) n += (size_t)sprintf(with + n, ",%lld", first + 2 * i);
    const ct_status bad =
        with ? ct_evaluate_observed(with, &v, &diag, observe, &depends) : CT_E_MEMORY;
    char *text = bad || depends ? NULL : ct_cli_text(&v), *last = text;
    *no_memory |= bad == CT_E_MEMORY || (!bad && !depends && !text);
    for (int i = 0; text && i < marks; ++i) {
        const size_t length = (size_t)sprintf(number, "%lld", first + 2 * i);
        char *const at = strstr(text, number);
        depends |= at && at < last;
        if (!at) continue;
        *at = '?';
        memmove(at + 1, at + length, strlen(at + length) + 1);
        last = at;
    }
    ct_value_free(&v);
    free(with);
    if (!depends) return text;
    free(text);
    return NULL;
}

/* The text of an expression with `?` where it is the same for all values, from malloc; NULL where it is not, or has none. */
static char *text_for_all(const char *expression, int *no_memory)
{
    int marks = 0;
    for (const char *c = expression; *c; ++c) marks += *c == '?';
    if (marks == 0 || marks > UNKNOWNS || strstr(expression, " with ?")) return NULL;
    char *const text = text_with(expression, marks, 8589934609LL, no_memory);
    char *const other = text ? text_with(expression, marks, 17179869209LL, no_memory) : NULL;
    const int is_same = other && strcmp(text, other) == 0;
    free(other);
    if (is_same) return text;
    free(text);
    return NULL;
}

/* Prints one result; returns an exit status. */
static int evaluate(const char *expression, int json)
{
    ct_value v;
    ct_diag diag;
    const char *notation;
    const ct_status result = ct_cli_read(expression, &v, &diag, &notation);
    int status = ct_cli_exit_of(result), no_memory = 0;
    char *const text = json                  ? NULL
                       : !result             ? ct_cli_text(&v)
                       : result == CT_E_TEXT ? text_for_all(expression, &no_memory)
                                             : NULL;
    no_memory |= !json && !result && !text;
    if (json) no_memory = ct_json_print(stdout, expression, result ? NULL : &v, &diag);
    if (text) {
        puts(text);
        status = CT_EXIT_OK;
    } else if (no_memory) {
        fflush(stdout);
        ct_cli_complain("eval", "out of memory");
        status = CT_EXIT_BAD;
    } else if (!json) {
        fflush(stdout);
        ct_cli_complain_at("eval", expression, &diag);
    }
    free(text);
    if (!json && notation) {
        fflush(stdout);
        ct_cli_say_notation("eval", notation);
    }
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
