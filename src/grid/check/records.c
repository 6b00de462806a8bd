/* Records: the addresses of the lanes of a warp for each instruction, and their cost.
 *
 * The lanes of a warp run one after another, so their accesses are matched afterwards. The k-th
 * execution of an instruction by one lane belongs to the k-th by the others. Executions are counted
 * from the last barrier of all lanes. */
#include "check.h"

#include <stdlib.h>
#include <string.h>

enum {
    SITE_FORMS = 9,    /* six widths, three sizes of the shared side of a cp.async */
    PAUSE_AFTER = 4096 /* executions by one lane, after which it waits for the other lanes */
};

int32_t ct_grid_site_id(ct_grid_site *site)
{
    static int32_t last;
    int32_t id = __atomic_load_n(&site->id, __ATOMIC_RELAXED);
    if (id) return id;
    const int32_t next = __atomic_add_fetch(&last, 1, __ATOMIC_RELAXED);
    if (__atomic_compare_exchange_n(&site->id, &id, next, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        return next;
    return id; /* another launch was faster */
}

/* Grows an array to at least n items by doubling; new items are 0. Returns 0 without memory. */
static int grow(void **array, int32_t *capacity, int32_t n, size_t item)
{
    if (n <= *capacity) return 1;
    int32_t more = *capacity ? *capacity : 16;
    while (more < n) more *= 2;
    char *p = realloc(*array, (size_t)more * item);
    if (!p) return 0;
    memset(p + (size_t)*capacity * item, 0, (size_t)(more - *capacity) * item);
    *array = p;
    *capacity = more;
    return 1;
}

static ct_instruction *new_instruction(ct_grid_state *r, const ct_grid_site *site, int kind,
                                       int bits, int async)
{
    ct_instruction *in = calloc(1, sizeof *in);
    if (!in || !grow((void **)&r->instructions, &r->instruction_capacity, r->instruction_count + 1,
                     sizeof *r->instructions)) {
        free(in);
        return NULL;
    }
    in->site = site;
    in->kind = kind;
    in->bits = bits;
    in->async = async;
    in->last_memory = -1;
    return r->instructions[r->instruction_count++] = in;
}

/* Links the two sides of a cp.async; the global side is recorded first. */
static void join_sides(ct_instruction *global, ct_instruction *shared)
{
    if (!global || !shared) return;
    global->other = shared;
    shared->other = global;
}

/* The instruction of a site; NULL without memory. */
static ct_instruction *find_instruction(ct_grid_state *r, ct_grid_site *site, int kind, int bits,
                                        int async)
{
    const int width = __builtin_ctz((unsigned)bits / 8);
    const int32_t at = ct_grid_site_id(site) * SITE_FORMS + (async ? 4 + width : width);
    if (!grow((void **)&r->instruction_of, &r->instruction_of_capacity, at + 1,
              sizeof *r->instruction_of))
        return NULL;
    if (!r->instruction_of[at]) {
        r->instruction_of[at] = new_instruction(r, site, kind, bits, async);
        if (async) join_sides(r->instruction_of[at - 4], r->instruction_of[at]);
    }
    return r->instruction_of[at];
}

/* Whether this is the first side of a cp.async: a lane does not pause there, so that both sides
 * have the same number of executions. */
static int is_first_side(int kind)
{
    return kind == CT_ACCESS_LDGSTS || kind == CT_ACCESS_LDGSTS_CG;
}

void ct_grid_record(ct_thread *t, ct_grid_site *site, int kind, int bits, int async,
                    int64_t address)
{
    ct_grid_state *r = t->grid;
    if (r->options->no_records) return;
    ct_instruction *in = find_instruction(r, site, kind, bits, async);
    ct_execution_log *log = in ? &in->logs[t->warp] : NULL;
    const int32_t k = log ? log->times[t->lane]++ : 0;
    if (!log || !grow((void **)&log->executions, &log->capacity, k + 1, sizeof *log->executions)) {
        const ct_operation op = {site, ct_access_name(kind), 0, 0, 0, 0, 0};
        ct_grid_fail_at(t, &op, CT_GRID_E_MEMORY, "not enough memory for the records");
    }
    ct_execution *e = &log->executions[k];
    if (k == log->count) {
        for (int i = 0; i < WARP_LANES; ++i) e->address[i] = CT_LANE_OFF;
        ++log->count;
    }
    e->address[t->lane] = address;
    if (k + 1 >= PAUSE_AFTER && !is_first_side(kind)) ct_grid_wait(t, THREAD_PAUSED, site);
}

static int is_same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

/* The row of another instruction of the same line, kind, width and memory, or -1: a compiler makes
 * several of one. */
static int32_t row_of_line(const ct_grid_state *r, const ct_instruction *in, int index)
{
    const int32_t buffer = r->memories[index].is_shared ? -1 : index;
    for (int32_t i = 0; i < r->report->row_count; ++i) {
        const ct_grid_row *const row = &r->report->rows[i];
        if (row->line == in->site->line && row->kind == in->kind && row->bits == in->bits &&
            row->async == in->async && row->buffer == buffer &&
            row->name == r->memories[index].name &&
            is_same_text(row->function, in->site->function) &&
            strcmp(row->file, ct_grid_file_name(in->site->file)) == 0)
            return i;
    }
    return -1;
}

static ct_grid_row *find_row(ct_grid_state *r, ct_instruction *in, int index)
{
    ct_grid_report *report = r->report;
    if (!in->row_of[index]) in->row_of[index] = 1 + row_of_line(r, in, index);
    if (in->row_of[index]) {
        ct_grid_row *const known = &report->rows[in->row_of[index] - 1];
        known->instructions += in->idle;
        in->idle = 0;
        return known;
    }
    if (!grow((void **)&report->rows, &r->row_capacity, report->row_count + 1,
              sizeof *report->rows))
        return NULL;
    ct_grid_row *row = &report->rows[report->row_count++];
    in->row_of[index] = report->row_count;
    row->name = r->memories[index].name;
    row->file = ct_grid_file_name(in->site->file);
    row->line = in->site->line;
    row->function = in->site->function;
    row->kind = in->kind;
    row->bits = in->bits;
    row->async = in->async;
    row->buffer = r->memories[index].is_shared ? -1 : index;
    row->instructions = in->idle;
    in->idle = 0;
    return row;
}

static void tell(const ct_grid_state *r, const ct_grid_row *row, int warp, const ct_memory *m,
                 const ct_execution *e, const ct_access_count *count)
{
    int64_t offset[WARP_LANES];
    const int64_t base = m->address;
    const ct_thread *first = &r->threads[warp * WARP_LANES];
    for (int i = 0; i < WARP_LANES; ++i)
        offset[i] = e->address[i] == CT_LANE_OFF ? CT_LANE_OFF : e->address[i] - base;
    /* clang-format off */
    const ct_grid_request request = {row->name, row->file, row->line, row->function, row->kind,
                                     row->bits, row->buffer, row->async, ct_grid_block_of(first),
                                     warp - first->rank * (r->block_threads / WARP_LANES), offset, *count};
    /* clang-format on */
    r->options->on_request(r->options->user, &request);
}

/* Whether the same lanes are active on both sides: a lane that fills with zeros only writes. */
static int are_same_lanes(const ct_execution *a, const ct_execution *b)
{
    for (int i = 0; i < WARP_LANES; ++i)
        if ((a->address[i] == CT_LANE_OFF) != (b->address[i] == CT_LANE_OFF)) return 0;
    return 1;
}

/* The cost of the k-th execution. A cp.async is counted by both sides together: the global side
 * gets the sectors, the shared side the wavefronts. */
static ct_access_count cost_of(const ct_instruction *in, int warp, int k)
{
    const ct_execution *const e = &in->logs[warp].executions[k];
    const ct_access_count alone = ct_count_access(in->kind, in->bits, e->address);
    if (!in->other || k >= in->other->logs[warp].capacity) return alone;
    const ct_execution *const o = &in->other->logs[warp].executions[k];
    if (!are_same_lanes(e, o)) return alone;
    ct_access both = {.kind = in->async ? in->other->kind : in->kind, .bits = in->bits};
    memcpy(both.offset, in->async ? o->address : e->address, sizeof both.offset);
    memcpy(both.shared, in->async ? e->address : o->address, sizeof both.shared);
    const ct_access_count together = ct_count_access_by(NULL, &both, NULL);
    ct_access_count count = alone;
    if (in->async) {
        count.wavefronts = together.wavefronts;
        count.conflicts = together.conflicts;
    } else count.sectors = together.sectors;
    return count;
}

/* Adds the k-th execution to the row of its memory, which is that of the first active lane. */
static void count_execution(ct_grid_state *r, ct_instruction *in, int warp, int k)
{
    const ct_execution *const e = &in->logs[warp].executions[k];
    int lanes = 0, index = in->last_memory;
    for (int i = WARP_LANES - 1; i >= 0; --i) {
        if (e->address[i] == CT_LANE_OFF) continue;
        ++lanes;
        index = (int)(e->address[i] >> MEMORY_SHIFT) - 1;
    }
    if (index < 0) {
        ++in->idle;
        return;
    }
    if (!in->first_row) in->lead = in->idle;
    in->last_memory = index;
    ct_grid_row *row = find_row(r, in, index);
    if (!row) {
        ct_grid_set_message(r, CT_GRID_E_MEMORY, "kernel %s: not enough memory for the report",
                            r->kernel->name);
        return;
    }
    const ct_access_count count = cost_of(in, warp, k);
    in->last_row = in->row_of[index];
    if (!in->first_row) in->first_row = in->last_row;
    ++row->instructions;
    row->lanes += lanes;
    row->requests += count.requests;
    row->sectors += count.sectors;
    row->bytes_used += count.bytes_used;
    row->wavefronts += count.wavefronts;
    row->conflicts += count.conflicts;
    if (r->options->on_request) tell(r, row, warp, &r->memories[index], e, &count);
}

void ct_grid_records_flush(ct_grid_state *r, int warp)
{
    for (int i = 0; i < r->instruction_count; ++i) {
        ct_instruction *in = r->instructions[i];
        ct_execution_log *log = &in->logs[warp];
        for (int k = 0; k < log->count; ++k) count_execution(r, in, warp, k);
        if (log->count) memset(log->times, 0, sizeof log->times);
        log->count = 0;
    }
}

static void add_counts(ct_grid_row *sum, const ct_grid_row *row)
{
    sum->instructions += row->instructions;
    sum->lanes += row->lanes;
    sum->requests += row->requests;
    sum->sectors += row->sectors;
    sum->bytes_used += row->bytes_used;
    sum->wavefronts += row->wavefronts;
    sum->conflicts += row->conflicts;
}

void ct_grid_records_finish(ct_grid_state *r)
{
    ct_grid_report *report = r->report;
    for (int i = 0; i < report->row_count; ++i)
        add_counts(report->rows[i].buffer < 0 ? &report->shared : &report->global,
                   &report->rows[i]);
}

static int is_same_row(const ct_grid_row *a, const ct_grid_row *b)
{
    return a->line == b->line && a->kind == b->kind && a->bits == b->bits && a->async == b->async &&
           a->buffer == b->buffer && a->name == b->name && is_same_text(a->function, b->function) &&
           strcmp(a->file, b->file) == 0;
}

/* The row of a report to which another one's is added; 1 + its index, or 0 without memory. */
static int32_t join_row(ct_grid_state *r, const ct_grid_row *row)
{
    ct_grid_report *const report = r->report;
    int32_t i = 0;
    while (i < report->row_count && !is_same_row(&report->rows[i], row)) ++i;
    if (i == report->row_count) {
        if (!grow((void **)&report->rows, &r->row_capacity, i + 1, sizeof *row)) return 0;
        report->rows[report->row_count++] = *row;
    } else add_counts(&report->rows[i], row);
    return i + 1;
}

/* Executions without an active lane count in the row of the last one with one, or else of the first. */
static void join_idle(ct_grid_row *rows, ct_instruction *in, const ct_instruction *more,
                      const int32_t *to)
{
    if (in->last_row && more->first_row) {
        rows[to[more->first_row - 1] - 1].instructions -= more->lead;
        rows[in->last_row - 1].instructions += more->lead;
    } else if (in->last_row) rows[in->last_row - 1].instructions += more->idle;
    else if (more->first_row) rows[to[more->first_row - 1] - 1].instructions += in->idle;
    else in->idle += more->idle;
    if (more->last_row) in->last_row = to[more->last_row - 1];
}

int ct_grid_records_join(ct_grid_state *r, const ct_grid_state *more)
{
    const int32_t count = more->report->row_count;
    int32_t *const to = malloc((size_t)(count + 1) * sizeof *to);
    int is_done = to != NULL;
    for (int32_t i = 0; is_done && i < count; ++i)
        is_done = (to[i] = join_row(r, &more->report->rows[i])) != 0;
    for (int32_t i = 0; is_done && i < more->instruction_count; ++i) {
        const ct_instruction *const other = more->instructions[i];
        ct_instruction *const in = find_instruction(r, (ct_grid_site *)(uintptr_t)other->site,
                                                    other->kind, other->bits, other->async);
        is_done = in != NULL;
        if (in) join_idle(r->report->rows, in, other, to);
    }
    free(to);
    return is_done;
}

void ct_grid_records_free(ct_grid_state *r)
{
    for (int i = 0; i < r->instruction_count; ++i) {
        for (int w = 0; w < MAX_WARPS; ++w) free(r->instructions[i]->logs[w].executions);
        free(r->instructions[i]);
    }
    free(r->instructions);
    free(r->instruction_of);
}
