/* The results of `cutlet access`: a table, JSON, a gate. */
#include <jansson.h>
#include <stdlib.h>

#include "../common/cli.h"
#include "../common/json.h"
#include "access.h"

enum { LANES = 32 };

static const char *name_of(const ct_access_row *row)
{
    return row->side[0] ? row->side : ct_access_name(row->kind);
}

/* ---- the table ------------------------------------------------------------------------------- */

/* Which columns some row has a number for. */
typedef struct columns {
    int named, global, shared;
} columns;

/* A number that a memory has, or -; nothing where no row has one. */
static void put(FILE *to, int shown, int has, int width, int64_t n)
{
    if (!shown) return;
    if (has) fprintf(to, " %*lld", width, (long long)n);
    else fprintf(to, " %*s", width, "-");
}

static void print_step(const ct_traffic_step *s, int named, FILE *to)
{
    const ct_access_count *c = &s->count;
    if (named) fprintf(to, "%s ", s->side ? "destination" : "source");
    fprintf(to, "tile %d warp %d access %d", s->tile, s->warp, s->instruction);
    if (s->piece >= 0) fprintf(to, " value %d", s->piece);
    fprintf(to, ": %s %d,", ct_access_name(s->access.kind), s->access.bits);
    if (ct_access_is_global(s->access.kind))
        fprintf(to, " sectors %d lines %d", c->sectors, c->lines);
    else fprintf(to, " wavefronts %d ideal %d conflicts %d", c->wavefronts, c->ideal, c->conflicts);
    fputs(", lanes ", to);
    for (int t = 0; t < LANES; ++t) {
        if (s->access.offset[t] == CT_LANE_OFF) fputs(t ? ",-" : "-", to);
        else fprintf(to, "%s%lld", t ? "," : "", (long long)s->access.offset[t]);
    }
    fputc('\n', to);
}

static void print_row(const ct_access_row *row, const columns *c, FILE *to)
{
    const int global = ct_access_is_global(row->kind);
    const ct_traffic *s = &row->sum;
    char what[48];
    snprintf(what, sizeof what, "%s %d", ct_access_name(row->kind), row->bits);
    if (c->named) fprintf(to, "%-11s ", row->side);
    fprintf(to, "%-17s %6lld", what, (long long)s->instructions);
    put(to, c->global, global, 8, s->requests);
    put(to, c->global, global, 8, s->sectors);
    put(to, c->global, global, 8, s->lines);
    if (global) fprintf(to, " %4.0f %%", 100 * ct_traffic_efficiency(s, 1));
    else if (c->global) fprintf(to, " %6s", "-");
    put(to, c->shared, !global, 10, s->wavefronts);
    if (!global && s->ideal > 0) fprintf(to, " %6.2f", (double)s->wavefronts / (double)s->ideal);
    else if (c->shared) fprintf(to, " %6s", "-");
    put(to, c->shared, !global, 9, s->conflicts);
    fputc('\n', to);
}

/* What was understood, then a verdict for each row. */
static void print_verdicts(const ct_access_report *r, int named, FILE *to)
{
    fprintf(to, "%s\n", r->reading);
    for (int i = 0; i < r->rows; ++i)
        fprintf(to, "%s%s%s\n", named ? r->row[i].side : "", named ? ": " : "", r->row[i].verdict);
    fputc('\n', to);
}

void ct_access_print(const ct_access_report *r, const ct_access_arguments *a, FILE *to)
{
    columns c = {.named = r->rows > 0 && r->row[0].side[0]};
    (void)a;
    for (int i = 0; i < r->rows; ++i)
        *(ct_access_is_global(r->row[i].kind) ? &c.global : &c.shared) = 1;
    print_verdicts(r, c.named, to);
    for (int64_t i = 0; i < r->steps; ++i) print_step(&r->step[i], c.named, to);
    if (r->steps > 0) fputc('\n', to);
    fprintf(to, "%swhat               instr%s%s\n", c.named ? "side        " : "",
            c.global ? " requests  sectors    lines   used" : "",
            c.shared ? " wavefronts /ideal conflicts" : "");
    for (int i = 0; i < r->rows; ++i) print_row(&r->row[i], &c, to);
    for (int i = 0; i < r->rows; ++i) {
        if (r->row[i].sum.at_least > 0)
            fprintf(to,
                    "%s: for %lld of the instructions these are lower bounds; the hardware "
                    "may take more\n",
                    name_of(&r->row[i]), (long long)r->row[i].sum.at_least);
    }
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static json_t *json_of_row(const ct_access_row *row)
{
    const ct_traffic *s = &row->sum;
    const int global = ct_access_is_global(row->kind);
    json_t *o = json_pack(
        "{s:s, s:i, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:f, s:I}", "kind",
        ct_access_name(row->kind), "bits", (int)row->bits, "instructions",
        (json_int_t)s->instructions, "lanes", (json_int_t)s->lanes, "requests",
        (json_int_t)s->requests, "sectors", (json_int_t)s->sectors, "lines", (json_int_t)s->lines,
        "wavefronts", (json_int_t)s->wavefronts, "ideal", (json_int_t)s->ideal, "conflicts",
        (json_int_t)s->conflicts, "broadcast", (json_int_t)s->broadcast, "bytes_used",
        (json_int_t)s->bytes_used, "bytes_moved", (json_int_t)s->bytes_moved, "efficiency",
        ct_traffic_efficiency(s, global), "at_least", (json_int_t)s->at_least);
    if (o) json_object_set_new(o, "verdict", json_string(row->verdict));
    if (o && row->side[0]) json_object_set_new(o, "side", json_string(row->side));
    return o;
}

static json_t *json_of_step(const ct_traffic_step *s, int named)
{
    json_t *offsets = json_array();
    for (int t = 0; offsets && t < LANES; ++t)
        json_array_append_new(offsets, s->access.offset[t] == CT_LANE_OFF
                                           ? json_null()
                                           : json_integer(s->access.offset[t]));
    json_t *o = json_pack(
        "{s:i, s:i, s:i, s:s, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:o}", "tile", (int)s->tile,
        "warp", (int)s->warp, "access", (int)s->instruction, "kind", ct_access_name(s->access.kind),
        "bits", (int)s->access.bits, "requests", (int)s->count.requests, "sectors",
        (int)s->count.sectors, "lines", (int)s->count.lines, "wavefronts", (int)s->count.wavefronts,
        "ideal", (int)s->count.ideal, "conflicts", (int)s->count.conflicts, "lanes", offsets);
    if (o && named) json_object_set_new(o, "side", json_string(s->side ? "destination" : "source"));
    if (o && s->piece >= 0) json_object_set_new(o, "value", json_integer(s->piece));
    return o;
}

int ct_access_print_json(const ct_access_report *r, const ct_access_arguments *a, FILE *to)
{
    json_t *rows = json_array(), *steps = json_array();
    const int named = r->rows > 0 && r->row[0].side[0];
    int bad = !rows || !steps;
    for (int i = 0; !bad && i < r->rows; ++i)
        bad = json_array_append_new(rows, json_of_row(&r->row[i])) != 0;
    for (int64_t i = 0; !bad && i < r->steps; ++i)
        bad = json_array_append_new(steps, json_of_step(&r->step[i], named)) != 0;
    json_t *o = json_pack("{s:s, s:s, s:s?, s:o}", "reading", r->reading, "arch", a->rules->arch,
                          "measured_on", a->rules->measured_on, "access", rows);
    if (o && a->list) json_object_set(o, "instructions", steps);
    bad = bad || ct_json_write(to, o, JSON_COMPACT);
    json_decref(steps);
    json_decref(o);
    return bad ? -1 : 0;
}

/* ---- the gate -------------------------------------------------------------------------------- */

int ct_access_gate(const ct_access_row *row, int rows, const ct_access_arguments *a)
{
    int failed = 0;
    for (int i = 0; i < rows; ++i) {
        const int global = ct_access_is_global(row[i].kind);
        const ct_traffic *s = &row[i].sum;
        const double efficiency = ct_traffic_efficiency(s, global);
        if (a->max_conflicts >= 0 && !global && s->conflicts > a->max_conflicts) {
            ct_cli_complain("access",
                            "%s: bank conflicts: %lld, more than the %lld of "
                            "--max-conflicts",
                            name_of(&row[i]), (long long)s->conflicts, (long long)a->max_conflicts);
            ++failed;
        }
        if (s->at_least > 0 && (a->max_conflicts >= 0 || a->min_efficiency > 0)) {
            ct_cli_complain("access",
                            "%s: the counts of %lld instruction%s are lower bounds: no "
                            "limit can be checked",
                            name_of(&row[i]), (long long)s->at_least, s->at_least == 1 ? "" : "s");
            ++failed;
        }
        if (efficiency >= a->min_efficiency) continue;
        ct_cli_complain("access",
                        "%s: efficiency %.3f, less than the %g of --min-efficiency: "
                        "%lld %s of %lld",
                        name_of(&row[i]), efficiency, a->min_efficiency,
                        (long long)(global ? s->bytes_used : s->ideal),
                        global ? "bytes used" : "wavefronts",
                        (long long)(global ? s->bytes_moved : s->wavefronts));
        ++failed;
    }
    return failed;
}
