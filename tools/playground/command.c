/* The command's own code: its words in, what it prints out. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../cutlet/common/commands.h"
#include "../cutlet/compare/compare.h"
#include "play.h"

enum { WORDS = 32, OPTION_BYTES = 24, COPIES = 8 };

FILE *ct_play_out, *ct_play_err;

const char ct_program[] = "cutlet";
const ct_command ct_commands[] = {
    {"convert", "", "", ct_cmd_convert, &ct_convert_argp, NULL, 0},
    {"explain copy", "", "", ct_cmd_explain_copy, &ct_explain_copy_argp, NULL, 0},
    {"explain descriptor", "", "", ct_cmd_explain_descriptor, &ct_explain_descriptor_argp, NULL, 0},
    {"explain tma", "", "", ct_cmd_explain_tma, &ct_explain_tma_argp, NULL, 0},
    {0},
};

/* The next key and value of a request; NULL after the last. */
static const char *next(const char **at, const char **value)
{
    const char *const key = *at;
    if (!*key) return NULL;
    *value = key + strlen(key) + 1;
    *at = *value + strlen(*value) + 1;
    return key;
}

/* The words of a command line: an option for each key but `command` and `layout`. */
static int run_command(const ct_command *c, const ct_play_request *r)
{
    static char option[WORDS][OPTION_BYTES];
    char *argv[2 * WORDS + 2] = {(char *)(uintptr_t)c->name};
    const char *at = r->at, *value = NULL;
    int argc = 1;
    for (const char *key; argc < 2 * WORDS && (key = next(&at, &value));) {
        char *const text = (char *)(uintptr_t)value; /* which no command writes to */
        if (!*value || strcmp(key, "command") == 0) continue;
        if (strcmp(key, "layout") != 0) {
            char *const name = option[argc / 2];
            snprintf(name, OPTION_BYTES, "--%s", key);
            argv[argc++] = name;
        }
        argv[argc++] = text;
    }
    return c->run(argc, argv);
}

/* `compare --copy`, whose copies have the keys copy.1, copy.2 .. */
static int run_compare(const ct_play_request *r)
{
    const char *copy[COPIES], *at = r->at, *value = NULL, *const type = ct_play_field(r, "type");
    ct_own_copies own = {.text = copy, .type = type ? type : "half", .no_gpu = 1};
    for (const char *key; own.count < COPIES && (key = next(&at, &value));)
        if (*value && strncmp(key, "copy.", 5) == 0) copy[own.count++] = value;
    own.src = ct_play_field(r, "src");
    own.dst = ct_play_field(r, "dst");
    own.shared = ct_play_field(r, "shared");
    if (own.count && own.src) return ct_compare_own(&own);
    ct_cli_complain("compare", own.count ? "--src is missing: the layout of the matrix"
                                         : "a copy is missing, as in (16,8):(8,1) x (1,8)");
    return CT_EXIT_BAD;
}

void ct_play_command(const ct_play_request *r, ct_play_answer *a)
{
    char *out = NULL, *err = NULL;
    size_t out_bytes = 0, err_bytes = 0;
    const char *const name = ct_play_field(r, "command");
    const ct_command *const c = name ? ct_command_named(name) : NULL;
    const int compares = name && strcmp(name, "compare") == 0;
    if (!c && !compares) {
        ct_play_wrong(a, "command", "there is no such command");
        return;
    }
    ct_play_out = open_memstream(&out, &out_bytes);
    ct_play_err = open_memstream(&err, &err_bytes);
    a->out.failed |= !ct_play_out || !ct_play_err;
    if (!a->out.failed) ct_play_int(a, "status", c ? run_command(c, r) : run_compare(r));
    if (ct_play_out) fclose(ct_play_out);
    if (ct_play_err) fclose(ct_play_err);
    ct_play_text(a, "out", out ? out : "");
    ct_play_text(a, "err", err ? err : "");
    free(out);
    free(err);
}
