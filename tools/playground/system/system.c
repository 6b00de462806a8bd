/* What a browser has instead of a command line, a terminal and a GPU. */
#include <argp.h>
#include <string.h>

#include "../../cutlet/common/json.h"
#include "../../cutlet/common/progress.h"
#include "suggest/measure.h"

static const struct argp_option *option_of(const struct argp *argp, const char *word)
{
    const struct argp_option *o = argp->options;
    if (strncmp(word, "--", 2) != 0) return NULL;
    while (o->name && strcmp(o->name, word + 2) != 0) ++o;
    return o->name ? o : NULL;
}

error_t argp_parse(const struct argp *argp, int argc, char **argv, unsigned flags, int *index,
                   void *input)
{
    struct argp_state state = {argp, argc, argv, input, argv[0]};
    error_t bad = 0;
    int i = 1;
    (void)flags, (void)index;
    for (; !bad && i < argc && strcmp(argv[i], "--") != 0; ++i) {
        const struct argp_option *const o = option_of(argp, argv[i]);
        if (!o || (o->arg && i + 1 == argc)) return EINVAL;
        bad = argp->parser(o->key, o->arg ? argv[++i] : NULL, &state);
    }
    for (++i; !bad && i < argc; ++i) bad = argp->parser(ARGP_KEY_ARG, argv[i], &state);
    if (!bad) bad = argp->parser(ARGP_KEY_END, NULL, &state);
    return bad == ARGP_ERR_UNKNOWN ? 0 : bad;
}

int ct_json_write(FILE *stream, const json_t *root, size_t flags)
{
    return (void)stream, (void)root, (void)flags, -1;
}

json_t *ct_json_tuple(ct_tuple t) { return (void)t, NULL; }

void ct_cli_progress(const char *command, const char *format, ...) { (void)command, (void)format; }

void ct_cli_progress_begin(const char *command, const char *what) { (void)command, (void)what; }
void ct_cli_progress_end(void) {}

ct_status ct_suggest_measure(const ct_suggest_query *query, ct_suggest_result *result,
                             ct_suggest_measured *measured, ct_suggest_tell *tell)
{
    (void)query, (void)result, (void)tell;
    *measured = (ct_suggest_measured){.message = "no GPU: a browser has none"};
    return CT_E_BACKEND;
}

void ct_suggest_measured_free(ct_suggest_measured *measured) { (void)measured; }
