/* The choice of `cutlet suggest` as C: on the page, and as a program in a file. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../common/cli.h"
#include "base/whole_file.h"
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

/* Element (i,j) of the tile in shared memory. */
static int64_t place_of(const ct_suggest_report *report, int64_t i, int64_t j)
{
    return ct_tensor_offset(&report->result->item[0].shared, i + report->query->tile_m * j);
}

/* How many elements of a row, from a multiple of their number, lie one behind another everywhere: a power of two. */
static int64_t run_of(const ct_suggest_report *report)
{
    const ct_suggest_query *const q = report->query;
    int64_t run = 1;
    while (q->tile_n % (2 * run) == 0) run *= 2;
    for (int64_t i = 0; i < q->tile_m; ++i)
        for (int64_t j = 0; j < q->tile_n; ++j)
            while (place_of(report, i, j) != place_of(report, i, j - j % run) + j % run) run /= 2;
    return run;
}

/* Whether each element has a place of its own, below the cosize of the layout. */
static int is_injective(const ct_suggest_report *report)
{
    const ct_suggest_query *const q = report->query;
    const int64_t size = report->result->item[0].cost.shared_bytes * 8 / q->elem_bits;
    char *const taken = calloc((size_t)size, 1);
    int good = taken != NULL;
    for (int64_t i = 0; i < q->tile_m * q->tile_n && good; ++i) {
        const int64_t at = place_of(report, i % q->tile_m, i / q->tile_m);
        good = at >= 0 && at < size && !taken[at];
        if (good) taken[at] = 1;
    }
    free(taken);
    return good;
}

/* The shared layout of the first candidate as a table of C, each entry of which was compared with the layout. */
static void write_table(const ct_suggest_report *report, const char *about, FILE *stream)
{
    const ct_suggest_query *const q = report->query;
    const ct_suggestion *const s = &report->result->item[0];
    const int64_t run = run_of(report);
    char shared[CT_TEXT_BYTES];
    ct_suggest_shared_text(s, shared, sizeof shared);
    fprintf(
        stream,
        "/* %s: shared memory is\n * %s.\n * Written by `cutlet suggest`. Element (i,j) lies at "
        "tile_at[i][j / TILE_RUN] + j %% TILE_RUN, which was compared\n * with the layout for all %" PRId64
        " elements; each has its own place. A tile takes %" PRId64
        " wavefronts, written\n * and read; at least "
        "%" PRId64 " are needed. */\n",
        about, shared, q->tile_m * q->tile_n, s->cost.wavefronts, report->result->least.wavefronts);
    fprintf(stream,
            "#define TILE_M %" PRId64 "\n#define TILE_N %" PRId64 "\n#define TILE_RUN %" PRId64 "\n"
            "#define TILE_BYTES %" PRId64
            "\nstatic const %s tile_at[TILE_M][TILE_N / TILE_RUN] = {\n",
            q->tile_m, q->tile_n, run, s->cost.shared_bytes,
            s->cost.shared_bytes > 65536 ? "unsigned" : "unsigned short");
    for (int64_t i = 0; i < q->tile_m; ++i) {
        fputs("    {", stream);
        for (int64_t j = 0; j < q->tile_n; j += run)
            fprintf(stream, "%s%" PRId64, j ? ", " : "", place_of(report, i, j));
        fputs("},\n", stream);
    }
    fputs("};\n", stream);
}

/* The text, or the table where there is none, in a file that appears as a whole. */
static int write_file(const ct_suggest_report *report, const char *about, const char *text,
                      const char *path)
{
    ct_whole_file file;
    char message[CT_MESSAGE_BYTES];
    ct_status bad = ct_whole_open(&file, path, message);
    if (!bad) {
        if (text) ct_whole_write(&file, text, strlen(text));
        else write_table(report, about, file.stream);
        bad = ct_whole_commit(&file, message);
    }
    if (bad) ct_cli_complain("suggest", "%s", message);
    return bad ? CT_EXIT_BAD : CT_EXIT_OK;
}

static int emit_table(const ct_suggest_report *report, const char *about, const char *path)
{
    if (is_injective(report)) return write_file(report, about, NULL, path);
    ct_cli_complain("suggest", "no table: two elements have one place, or memory ran out");
    return CT_EXIT_FAILED;
}

int ct_suggest_emit(const ct_suggest_report *report, const char *path)
{
    char about[2 * CT_TEXT_BYTES], message[CT_MESSAGE_BYTES];
    ct_suggest_title(report, about, sizeof about);
    char *text;
    int status = CT_EXIT_OK;
    const char *const end = strrchr(path, '.');
    if (end && strcmp(end, ".h") == 0) return emit_table(report, about, path);
    if (make_text(report, about, &text, message)) {
        ct_cli_complain("suggest", "no program: %s", message);
        return CT_EXIT_FAILED;
    }
    if (strcmp(path, "-") == 0) fputs(text, stdout);
    else status = write_file(report, about, text, path);
    free(text);
    return status;
}
