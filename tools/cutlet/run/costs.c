/* What the accesses of a kernel cost, by source line: sums, the table, sentences. */
#include "run.h"

#include <stdlib.h>
#include <string.h>

#include "../access/verdict.h"

/* The file without its folder. */
static const char *name_of(const ct_run_line *l)
{
    const char *const slash = strrchr(l->at.file, '/');
    return slash ? slash + 1 : l->at.file;
}

static int is_at(const ct_grid_request *a, const ct_grid_request *b)
{
    return a->line == b->line && a->kind == b->kind && a->bits == b->bits &&
           a->buffer == b->buffer && a->async == b->async && a->name == b->name &&
           a->file == b->file && a->function == b->function;
}

static ct_run_line *line_of(ct_run_costs *c, const ct_grid_request *request)
{
    for (int i = 0; i < c->count; ++i)
        if (is_at(&c->lines[i].at, request)) return &c->lines[i];
    if (c->count == c->capacity) {
        const int capacity = c->capacity ? 2 * c->capacity : 16;
        ct_run_line *const lines = realloc(c->lines, (size_t)capacity * sizeof *lines);
        c->out_of_memory |= !lines;
        if (!lines) return NULL;
        c->lines = lines;
        c->capacity = capacity;
    }
    ct_run_line *const line = &c->lines[c->count++];
    *line = (ct_run_line){.at = *request};
    line->at.offset = NULL;
    return line;
}

void ct_run_count(void *user, const ct_grid_request *request)
{
    ct_run_line *const line = line_of(user, request);
    const ct_access_count *const n = &request->count;
    if (!line) return;
    ct_traffic *const s = &line->sum;
    const int is_global = ct_access_is_global(request->kind);
    const int64_t cost = is_global ? n->sectors : n->conflicts;
    ++s->instructions;
    // clang-format off
    s->lanes += n->lanes, s->requests += n->requests, s->sectors += n->sectors, s->lines += n->lines;
    s->wavefronts += n->wavefronts, s->ideal += n->ideal, s->conflicts += n->conflicts;
    s->bytes_used += n->bytes_used, s->bytes_moved += n->bytes_moved, s->at_least += n->at_least;
    // clang-format on
    if (n->lanes == 0) return;
    if (line->worst.count.lanes > 0 &&
        cost <= (is_global ? line->worst.count.sectors : line->worst.count.conflicts))
        return;
    line->worst =
        (ct_traffic_step){.access = {.kind = request->kind, .bits = request->bits}, .count = *n};
    memcpy(line->worst.access.offset, request->offset, sizeof line->worst.access.offset);
}

/* ---- sentences ------------------------------------------------------------------------------- */

/* Transactions that other addresses of the lanes would save: sectors, or wavefronts. */
static int64_t saved(const ct_run_line *l)
{
    const ct_traffic *const s = &l->sum;
    return ct_access_is_global(l->at.kind) ? s->sectors - (s->bytes_used + 31) / 32 : s->conflicts;
}

/* The bytes between neighbouring lanes, if all of the warp are as far apart; else 0. */
static int64_t stride_of(const int64_t offset[32])
{
    for (int t = 0; t < 32; ++t)
        if (offset[t] == CT_LANE_OFF) return 0;
    const int64_t stride = offset[1] - offset[0];
    for (int t = 2; t < 32; ++t)
        if (offset[t] - offset[t - 1] != stride) return 0;
    return stride;
}

void ct_run_sentence(const ct_run_line *l, char *text, size_t size)
{
    ct_access_row row = {.side = "", .kind = l->at.kind, .bits = l->at.bits, .sum = l->sum};
    const int64_t stride = stride_of(l->worst.access.offset);
    ct_access_verdict(&row, &l->worst, ct_access_rules_all(&(int){0}), row.verdict,
                      sizeof row.verdict);
    const int n = snprintf(text, size, "%s:%d, %s %d of %s: %s", name_of(l), (int)l->at.line,
                           ct_access_name(l->at.kind), (int)l->at.bits, l->at.name, row.verdict);
    if (stride && saved(l) > 0 && n < (int)size)
        snprintf(text + n, size - (size_t)n, "; neighbouring lanes are %lld bytes apart",
                 (long long)stride);
}

/* The most to be saved first, then the most transactions. */
static int by_cost(const void *a, const void *b)
{
    const ct_run_line *const x = *(ct_run_line *const *)a, *const y = *(ct_run_line *const *)b;
    const int64_t all_x = x->sum.sectors + x->sum.wavefronts,
                  all_y = y->sum.sectors + y->sum.wavefronts;
    if (saved(x) != saved(y)) return saved(x) > saved(y) ? -1 : 1;
    if (all_x != all_y) return all_x > all_y ? -1 : 1;
    return x < y ? -1 : 1;
}

int ct_run_costly(const ct_run_costs *c, const ct_run_line *most[CT_RUN_COSTLY])
{
    const ct_run_line **const all = malloc(((size_t)c->count + 1) * sizeof *all);
    int count = 0;
    if (!all) return 0;
    for (int i = 0; i < c->count; ++i) all[i] = &c->lines[i];
    qsort(all, (size_t)c->count, sizeof *all, by_cost);
    for (; count < c->count && count < CT_RUN_COSTLY; ++count) most[count] = all[count];
    free(all);
    return count;
}

/* ---- the table ------------------------------------------------------------------------------- */

static void print_line(const ct_run_line *l, FILE *to)
{
    const ct_traffic *const s = &l->sum;
    char where[256], what[32], used[16] = "-";
    snprintf(where, sizeof where, "%s:%d", name_of(l), (int)l->at.line);
    snprintf(what, sizeof what, "%s %d", ct_access_name(l->at.kind), (int)l->at.bits);
    fprintf(to, "%-20s %-17s %-12s %7lld", where, what, l->at.name, (long long)s->instructions);
    if (ct_access_is_global(l->at.kind)) {
        snprintf(used, sizeof used, "%.0f %%", 100 * ct_traffic_efficiency(s, 1));
        fprintf(to, " %8lld %8lld %6s %10s %9s\n", (long long)s->requests, (long long)s->sectors,
                used, "-", "-");
    } else
        fprintf(to, " %8s %8s %6s %10lld %9lld\n", "-", "-", used, (long long)s->wavefronts,
                (long long)s->conflicts);
}

void ct_run_print_costs(ct_run_costs *c, FILE *to)
{
    const ct_run_line *most[CT_RUN_COSTLY];
    const int count = ct_run_costly(c, most);
    char text[512];
    fprintf(to, "%-20s %-17s %-12s %7s %8s %8s %6s %10s %9s\n", "where", "what", "of", "instr",
            "requests", "sectors", "used", "wavefronts", "conflicts");
    for (int i = 0; i < c->count; ++i) print_line(&c->lines[i], to);
    if (count) fputc('\n', to);
    for (int i = 0; i < count; ++i) {
        ct_run_sentence(most[i], text, sizeof text);
        fprintf(to, "%s\n", text);
    }
}
