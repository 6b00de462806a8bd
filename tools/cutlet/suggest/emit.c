/* The choice of `cutlet suggest` as C: on the page, and as a program in a file. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../common/cli.h"
#include <cutlet/host/text.h>
#include "suggest.h"

void ct_suggest_title(const ct_suggest_report *report, char *text, size_t size)
{
    const ct_suggest_query *const q = report->query;
    const int n = snprintf(text, size, "%s %" PRId64 " x %" PRId64 " of %s by %d threads, ",
                           report->type->name, q->tile_m, q->tile_n, report->src, q->threads);
    if (n < 0 || (size_t)n >= size) return;
    if (q->has_dst) snprintf(text + n, size - n, "copied on to %s", report->dst);
    else if (q->read == CT_READ_ROWS || q->read == CT_READ_COLS)
        snprintf(text + n, size - n, "read by %s, %d bits a lane", report->read,
                 report->result->item[0].read_bits);
    else snprintf(text + n, size - n, "read by %s", report->read);
}

/* Either text of the first candidate, by about: its program, or NULL: its kernel. */
static int write_text(const ct_suggest_report *report, const char *about, char *text, size_t size,
                      char message[CT_MESSAGE_BYTES])
{
    const ct_suggestion *const first = &report->result->item[0];
    return about ? ct_suggest_program(text, size, report->query, first, about, message)
                 : ct_suggest_as_c(text, size, report->query, first, message);
}

static ct_status make_text(const ct_suggest_report *report, const char *about, char **text,
                           char message[CT_MESSAGE_BYTES])
{
    const int length = write_text(report, about, NULL, 0, message);
    *text = length < 0 ? NULL : malloc((size_t)length + 1);
    if (length < 0) return CT_E_NO_LAYOUT;
    if (!*text) {
        snprintf(message, CT_MESSAGE_BYTES, "out of memory");
        return CT_E_MEMORY;
    }
    write_text(report, about, *text, (size_t)length + 1, message);
    return CT_OK;
}

ct_status ct_suggest_code(const ct_suggest_report *report, char **code,
                          char message[CT_MESSAGE_BYTES])
{
    return make_text(report, NULL, code, message);
}

static int write_file(const char *path, const char *text)
{
    FILE *const file = fopen(path, "w");
    if (file && fputs(text, file) >= 0 && fclose(file) == 0) return CT_EXIT_OK;
    ct_cli_complain("suggest", "cannot write %.200s: %s", path, strerror(errno));
    return CT_EXIT_BAD;
}

int ct_suggest_emit(const ct_suggest_report *report, const char *path)
{
    char about[2 * CT_TEXT_BYTES], message[CT_MESSAGE_BYTES];
    ct_suggest_title(report, about, sizeof about);
    char *text;
    int status = CT_EXIT_OK;
    if (make_text(report, about, &text, message)) {
        ct_cli_complain("suggest", "no program: %s", message);
        return CT_EXIT_FAILED;
    }
    if (strcmp(path, "-") == 0) fputs(text, stdout);
    else status = write_file(path, text);
    free(text);
    return status;
}
