/* The results of `cutlet suggest` as text. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <cutlet/host/text.h>
#include "suggest.h"

enum { COLUMNS = 100, CODE_BYTES = 4096 };

const char *ct_suggest_atom_text(const ct_suggest_copy *copy, char text[32])
{
    const char *const name = copy->kind == CT_ATOM_UNIVERSAL     ? "universal"
                             : copy->kind == CT_ATOM_CP_ASYNC_CG ? "cp.async.cg"
                                                                 : "cp.async.ca";
    snprintf(text, 32, "%s %d", name, copy->bits / 8);
    return text;
}

void ct_suggest_shared_text(const ct_suggestion *s, char *text, size_t size)
{
    if (s->shared.swizzle.bits > 0) ct_format_tensor(text, size, s->shared);
    else ct_format_layout(text, size, s->shared.layout);
}

/* The text in lines of at most COLUMNS characters. */
static void print_wrapped(const char *text, FILE *stream)
{
    int column = 0;
    while (*text) {
        const int n = (int)strcspn(text, " ");
        if (column > 0 && column + 1 + n > COLUMNS) {
            fputc('\n', stream);
            column = 0;
        }
        column += fprintf(stream, "%s%.*s", column > 0 ? " " : "", n, text);
        text += n + (text[n] == ' ');
    }
    fputc('\n', stream);
}

static void print_copy(const char *suffix, const ct_suggest_copy *c, FILE *stream)
{
    char text[CT_TEXT_BYTES], atom[32], label[16];
    snprintf(label, sizeof label, "thr%s", suffix);
    ct_format_layout(text, sizeof text, c->thr);
    fprintf(stream, "%-13s %s\n", label, text);
    snprintf(label, sizeof label, "val%s", suffix);
    ct_format_layout(text, sizeof text, c->val);
    fprintf(stream, "%-13s %s\n", label, text);
    snprintf(label, sizeof label, "atom%s", suffix);
    fprintf(stream, "%-13s %s\n", label, ct_suggest_atom_text(c, atom));
}

/* A number of sectors for one tile: a fraction where tiles lie in different ways. */
static void sectors_text(int64_t sectors, int placements, char text[24])
{
    if (sectors % placements == 0) snprintf(text, 24, "%" PRId64, sectors / placements);
    else snprintf(text, 24, "%.2f", (double)sectors / placements);
}

static void print_costs(const ct_suggest_report *report, FILE *stream)
{
    const ct_suggest_result *const r = report->result;
    const ct_suggest_cost *const c = &r->item[0].cost, *const least = &r->least;
    char takes[24], bound[24];
    sectors_text(c->sectors, r->placements, takes);
    sectors_text(least->sectors, r->placements, bound);
    fprintf(stream, "\n%-13s %8s %10s\n", "of a tile", "takes", "the least");
    fprintf(stream, "%-13s %8s %10s", "sectors", takes, bound);
    if (r->placements > 1)
        fprintf(stream, "   the mean of %d ways that a tile can lie", r->placements);
    fprintf(stream,
            "\n%-13s %8" PRId64 " %10" PRId64 "   %" PRId64 " written%s, %" PRId64 " read\n",
            "wavefronts", c->wavefronts, least->wavefronts, c->write,
            r->item[0].at_least ? " or more" : "", c->read);
    fprintf(stream, "%-13s %8" PRId64 " %10" PRId64 "\n", "instructions", c->instructions,
            least->instructions);
    fprintf(stream, "%-13s %8" PRId64 " %10" PRId64 "\n", "shared bytes", c->shared_bytes,
            least->shared_bytes);
    fprintf(stream, "%-13s %8" PRId64 "   estimated, of a multiprocessor\n\n", "cycles",
            r->item[0].cycles);
    print_wrapped(r->reason, stream);
}

static int print_code(const ct_suggest_report *report, FILE *stream)
{
    char message[CT_MESSAGE_BYTES];
    char *c, *const cute = malloc(CODE_BYTES);
    const int bad = ct_suggest_code(report, &c, message) == CT_E_MEMORY || !cute;
    if (c) fprintf(stream, "\nC:\n\n%s", c);
    else if (!bad) fprintf(stream, "\nC: %s\n", message);
    if (cute) {
        ct_suggest_as_cute(cute, CODE_BYTES, report->query, &report->result->item[0],
                           report->type->cute);
        fprintf(stream, "\nCuTe C++:\n\n%s", cute);
    }
    free(c);
    free(cute);
    return bad ? -1 : 0;
}

double ct_suggest_rate(const ct_suggest_measured *m, int i)
{
    return m->time[i].seconds > 0 ? 1e-9 * (double)m->bytes / m->time[i].seconds : 0;
}

/* The place by the estimate, and what was measured. */
static void print_rank(const ct_suggest_report *report, int i, FILE *stream)
{
    const ct_suggest_measured *const m = report->measured;
    fprintf(stream, "%5d", m ? m->time[i].rank + 1 : i + 1);
    if (!m) return;
    if (m->time[i].seconds > 0)
        fprintf(stream, " %8.2f %6.0f", 1e6 * m->time[i].seconds, ct_suggest_rate(m, i));
    else fprintf(stream, " %8s %6s", m->time[i].wrong ? "WRONG" : "-", "-");
}

static void print_row(const ct_suggest_report *report, int i, FILE *stream)
{
    const ct_suggestion *const s = &report->result->item[i];
    char thr[CT_TEXT_BYTES], val[CT_TEXT_BYTES], shared[CT_TEXT_BYTES], atom[32], sectors[24];
    ct_format_layout(thr, sizeof thr, s->in.thr);
    ct_format_layout(val, sizeof val, s->in.val);
    ct_suggest_shared_text(s, shared, sizeof shared);
    sectors_text(s->cost.sectors, report->result->placements, sectors);
    print_rank(report, i, stream);
    fprintf(stream,
            " %7" PRId64 " %8s %6" PRId64 "%c %5" PRId64 " %7" PRId64 "  %-17s %-13s %-14s %s\n",
            s->cycles, sectors, s->cost.wavefronts, s->at_least ? '+' : ' ', s->cost.instructions,
            s->cost.shared_bytes, thr, val, ct_suggest_atom_text(&s->in, atom), shared);
    if (!s->out.kind) return;
    ct_format_layout(thr, sizeof thr, s->out.thr);
    ct_format_layout(val, sizeof val, s->out.val);
    fprintf(stream, "%*s  %-17s %-13s %-14s\n", report->measured ? 61 : 45, "out", thr, val,
            ct_suggest_atom_text(&s->out, atom));
}

/* The sentences after the table of what was measured. */
static void print_measured(const ct_suggest_report *report, FILE *stream)
{
    enum { MIB_SHIFT = 20 };
    const ct_suggest_measured *const m = report->measured;
    char text[1024];
    int first = 0, n;
    while (m->time[first].rank != 0) ++first;
    n = snprintf(
        text, sizeof text,
        "us, GB/s: medians on %s of %d runs of the fastest and the first by the estimate, fewer of "
        "the others, each verified before; the source, %lld MiB, %s. #: the place by the estimate, "
        "cycles.",
        m->device.name, m->time[0].runs, (long long)(m->memory_bytes >> MIB_SHIFT),
        m->matrices == 1 ? "as it is" : "several times one after the other");
    if (first > 0 && m->time[first].seconds > 0 && n > 0)
        n += snprintf(text + n, sizeof text - (size_t)n,
                      " The first of the estimate reaches %.3f of the fastest.",
                      m->time[0].seconds / m->time[first].seconds);
    for (int i = 0; i < m->count && n > 0; ++i)
        if (m->time[i].message[0] && !m->time[i].wrong) {
            snprintf(text + n, sizeof text - (size_t)n, " -: no kernel for %d: %s.", m->none,
                     m->time[i].message);
            break;
        }
    print_wrapped(text, stream);
}

static void print_list(const ct_suggest_report *report, FILE *stream)
{
    fprintf(stream, "%5s", "#");
    if (report->measured) fprintf(stream, " %8s %6s", "us", "GB/s");
    fprintf(stream, " %7s %8s %6s %6s %7s  %-17s %-13s %-14s %s\n", "cycles", "sectors", "waves",
            "instr", "bytes", "thr", "val", "atom", "shared");
    int from_below = 0;
    for (int i = 0; i < report->result->count; ++i) {
        print_row(report, i, stream);
        from_below |= report->result->item[i].at_least;
    }
    fputs(from_below ? "+: or more; the cost of such a cp.async is known from below only.\n\n"
                     : "\n",
          stream);
    if (report->measured) print_measured(report, stream);
    else print_wrapped(report->result->reason, stream);
}

int ct_suggest_print(const ct_suggest_report *report, FILE *stream)
{
    char shared[CT_TEXT_BYTES], title[2 * CT_TEXT_BYTES];
    const ct_suggestion *const first = &report->result->item[0];
    ct_suggest_title(report, title, sizeof title);
    fprintf(stream, "%s\n\n", title);
    if (report->lists) {
        print_list(report, stream);
        return 0;
    }
    print_copy("", &first->in, stream);
    if (first->out.kind) print_copy(" out", &first->out, stream);
    ct_suggest_shared_text(first, shared, sizeof shared);
    fprintf(stream, "%-13s %s\n", "shared", shared);
    print_costs(report, stream);
    return print_code(report, stream);
}
