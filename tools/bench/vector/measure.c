/* Kernels by narrow and wide accesses: compared over arrays that fit nothing, and over those that
 * are measured; then timed in turn with the driver's copy of the same array, or on the CPU grid
 * counted. */
#include <stdlib.h>
#include <string.h>

#include "../harness/report.h"
#include "base/refuse.h"
#include "kernels.h"
#include "run.h"
#include "tools/cutlet/common/cli.h"
#include "values.h"

/* Elements that no access fits, and of layer norm rows; on a GPU, and on the CPU grid, which also
 * measures less. */
enum { ODD = 1000003, ODD_ROWS = 37, ODD_ROW = 1003 };
enum { GRID_ODD = 1003, GRID_ROWS = 4, GRID_ODD_ROW = 251, GRID_BYTES = 64 << 10 };

/* A case's arrays, and its launches. */
typedef struct measured {
    bench_target *t;
    vector_values *v;
    bench_cub *cub; /* of a peer */
    vector_operands operands;
    bench_array x, y, gamma, beta, parts, copy; /* copy: where a sum's memcpy goes */
    bench_launch *launch, *copies;
    bench_work work, driver; /* the driver's copy */
} measured;

/* ---- arrays ---------------------------------------------------------------------------------- */

static void drop(measured *p)
{
    bench_array *const arrays[] = {&p->copy, &p->parts, &p->beta, &p->gamma, &p->y, &p->x};
    for (int i = 0; i < 6; ++i) bench_array_drop(p->t, arrays[i]);
    free(p->copies);
    free(p->launch);
    vector_values_free(p->v);
}

/* Whether a sum's memcpy has an array of its own. */
static int has_copy(const bench_target *t, const vector_case *c)
{
    return t->gpu && vector_adds(c);
}

/* Bytes of memory that the arrays take. */
static int64_t capacity_of(const measured *p, int32_t sets, int32_t shift)
{
    const vector_case *const c = p->v->c;
    const int64_t bytes = p->operands.elements * vector_elem_bytes(c);
    return bench_array_capacity(bytes, sets, shift) +
           bench_array_capacity(vector_result_bytes(c, p->operands.elements), sets, 0) +
           (has_copy(p->t, c) ? bench_array_capacity(bytes, 1, 0) : 0);
}

/* x begins `shift` bytes past an aligned address, y `y_shift`. */
static int take(measured *p, int32_t sets, int32_t shift, int32_t y_shift)
{
    bench_target *const t = p->t;
    const vector_case *const c = p->v->c;
    const int64_t bytes = p->operands.elements * vector_elem_bytes(c);
    const int64_t row = p->v->row * vector_elem_bytes(c);
    if (bench_array_take(t, &p->x, bytes, sets, shift) ||
        bench_array_take(t, &p->y, vector_result_bytes(c, p->operands.elements), sets, y_shift))
        return -1;
    if (row && (bench_array_take(t, &p->gamma, row, 1, shift) ||
                bench_array_take(t, &p->beta, row, 1, shift)))
        return -1;
    if (c->what == VECTOR_SUM && bench_array_take(t, &p->parts, VECTOR_PARTS * 4, 1, 0)) return -1;
    return has_copy(t, c) ? bench_array_take(t, &p->copy, bytes, 1, 0) : 0;
}

static int fill(const measured *p)
{
    if (bench_fill(p->t, &p->x, vector_put_x, &p->operands)) return -1;
    if (!p->v->row) return 0;
    return bench_fill(p->t, &p->gamma, vector_put_gamma, p->v) ||
                   bench_fill(p->t, &p->beta, vector_put_beta, p->v)
               ? -1
               : 0;
}

/* ---- launches -------------------------------------------------------------------------------- */

static int queue_cub(ct_cuda *gpu, void *user, int64_t set)
{
    const measured *const p = user;
    return bench_cub_queue(p->cub, gpu, (const float *)(void *)bench_array_at(&p->x, set),
                           (float *)(void *)bench_array_at(&p->y, set), p->operands.elements);
}

/* The launches of a set, and the driver's copy, from an aligned address whatever the shift. */
static int32_t prepare_set(measured *p, int32_t set, int32_t processors)
{
    const bench_array *const y = p->copy.memory ? &p->copy : &p->y;
    const int has_parts = p->parts.memory != NULL;
    const vector_arrays a = {.x = bench_array_at(&p->x, set),
                             .gamma = p->v->row ? bench_array_at(&p->gamma, 0) : NULL,
                             .beta = p->v->row ? bench_array_at(&p->beta, 0) : NULL,
                             .y = bench_array_at(&p->y, set),
                             .parts = has_parts ? (float *)bench_array_at(&p->parts, 0) : NULL,
                             .elements = p->operands.elements,
                             .row = p->v->row};
    bench_launch made[2];
    const int32_t parts = vector_launches(p->v->c, &a, processors, made);
    for (int32_t i = 0; i < parts; ++i) p->launch[set * parts + i] = made[i];
    p->copies[set] =
        bench_driver_copy(bench_array_at(y, y == &p->y ? set : 0), a.x - p->x.shift, p->x.bytes);
    return parts;
}

static int prepare(measured *p)
{
    const vector_case *const c = p->v->c;
    const int32_t sets = p->x.sets;
    const int64_t moved = vector_moved_bytes(c, p->operands.elements);
    p->launch = calloc(2 * (size_t)sets, sizeof *p->launch);
    p->copies = calloc((size_t)sets, sizeof *p->copies);
    if (!p->launch || !p->copies) return bench_fail(p->t->error, "out of memory");
    p->work = (bench_work){.launch = p->launch,
                           .sets = sets,
                           .repeats = bench_repeats(moved),
                           .peer = c->is_peer ? queue_cub : NULL,
                           .user = p,
                           .array = {&p->x, &p->y}};
    if (p->v->row) p->work.array[2] = &p->gamma, p->work.array[3] = &p->beta;
    if (p->parts.memory) p->work.array[2] = &p->parts;
    p->driver =
        (bench_work){.launch = p->copies, .parts = 1, .sets = sets, .repeats = p->work.repeats};
    const int32_t processors = p->t->gpu ? ct_cuda_about(p->t->gpu)->processors : 1;
    for (int32_t set = 0; set < sets; ++set) p->work.parts = prepare_set(p, set, processors);
    return 0;
}

/* ---- one case -------------------------------------------------------------------------------- */

/* Fills the arrays, runs the case and compares; as bench_verify. */
static int verify(measured *p, bench_result *result, char wrong[BENCH_WRONG])
{
    const bench_right right = vector_right(&p->operands);
    if (fill(p) || prepare(p)) return -1;
    return bench_verify(p->t, &p->work, &p->y, &right, result, wrong);
}

/* Room for this many elements of a case; no arrays are taken yet. */
static int start(measured *p, bench_target *t, const vector_case *c, int32_t row, int64_t elements,
                 bench_cub *cub)
{
    memset(p, 0, sizeof *p);
    p->t = t;
    p->cub = cub;
    p->x.name = "x", p->y.name = "y", p->y.is_result = 1;
    p->gamma.name = "gamma", p->beta.name = "beta";
    p->parts.name = "parts", p->parts.is_result = 1;
    p->v = vector_values_make(c, row);
    p->operands = (vector_operands){p->v, elements};
    return p->v ? 0 : bench_fail(t->error, "out of memory");
}

/* An array of an odd number of elements at odd addresses; as bench_verify. */
static int verify_odd(bench_target *t, const vector_case *c, bench_cub *cub,
                      char wrong[BENCH_WRONG])
{
    const int norm = c->what == VECTOR_NORM;
    const int32_t elem = vector_elem_bytes(c), row = t->gpu ? ODD_ROW : GRID_ODD_ROW;
    const int32_t rows = t->gpu ? ODD_ROWS : GRID_ROWS, odd = t->gpu ? ODD : GRID_ODD;
    bench_result result;
    measured p;
    int status = start(&p, t, c, norm ? row : 0, norm ? rows * row : odd, cub);
    if (status == 0) status = take(&p, 1, elem, vector_adds(c) ? 0 : 3 * elem);
    if (status == 0) status = verify(&p, &result, wrong);
    drop(&p);
    return status;
}

/* Adds a sentence to what is said of the cases that were left out. */
static void leave_out(vector_report *r, const vector_case *c, int64_t capacity)
{
    char wanted[BENCH_SIZE_TEXT], memory[BENCH_SIZE_TEXT];
    const size_t used = strlen(r->is.left_out);
    bench_size_text(wanted, capacity);
    bench_size_text(memory, r->is.device.about.memory_bytes);
    ct_one_line(r->is.left_out + used, sizeof r->is.left_out - used,
                "%s%s: its arrays take %s, which the memory of %s has not free.",
                used ? " " : "Left out: ", c->kernel, wanted, memory);
}

static int64_t elements_for(const bench_target *t, const vector_case *c, const vector_wish *wish)
{
    const vector_group *const g = vector_group_of(c);
    if (!t->gpu) return g->row ? GRID_ROWS * g->row : GRID_BYTES / vector_elem_bytes(c);
    if (wish->mib == 0 || g->rows_fixed) return g->elements;
    const int64_t elements = (wish->mib << 20) / vector_elem_bytes(c);
    return g->row ? ct_max(1, elements / g->row) * g->row : elements;
}

static int time_case(measured *p, vector_result *result, int32_t runs)
{
    bench_times times[2];
    bench_work works[] = {p->driver, p->work};
    if (bench_time(p->t, works, 2, BENCH_WARMUPS, runs, times)) return -1;
    result->launches = p->work.repeats;
    result->memcpy_seconds = times[0].median;
    result->is.seconds = times[1];
    return 0;
}

/* The case over the arrays that are measured; as bench_verify. 1 too where they do not fit. */
static int measure_arrays(vector_report *r, bench_target *t, measured *p, vector_result *result,
                          const vector_wish *wish, char wrong[BENCH_WRONG])
{
    const vector_case *const c = p->v->c;
    const int32_t shift = (int32_t)vector_shift(c, wish->shift);
    const int64_t capacity = capacity_of(p, result->sets, shift);
    if (t->gpu && capacity > r->is.device.about.memory_bytes) {
        leave_out(r, c, capacity);
        return 1;
    }
    if (take(p, result->sets, shift, 0)) {
        if (t->gpu) leave_out(r, c, capacity);
        return t->gpu ? 1 : -1;
    }
    const int status = verify(p, &result->is, wrong);
    if (status != 1 || !t->gpu) return status;
    if (time_case(p, result, r->is.runs) == 0) return 1;
    result->is.status = BENCH_NOT_RUN;
    return -1;
}

/* 0; 1 when a result is wrong, after a line; or -1. */
static int measure_case(vector_report *r, bench_target *t, int32_t at, const vector_wish *wish)
{
    const vector_case *const c = &vector_cases[at];
    vector_result *const result = &r->result[at];
    char wrong[BENCH_WRONG];
    measured p;
    result->elements = elements_for(t, c, wish);
    result->sets = bench_sets(t, vector_moved_bytes(c, result->elements));
    int status = verify_odd(t, c, wish->cub, wrong);
    if (status == 1) {
        status = start(&p, t, c, vector_group_of(c)->row, result->elements, wish->cub);
        if (status == 0) status = measure_arrays(r, t, &p, result, wish, wrong);
        drop(&p);
    }
    if (status != 0) return status < 0 ? -1 : 0;
    bench_tell_end();
    ct_cli_complain("vector", "%s: %s", c->kernel, wrong);
    result->is.status = BENCH_IS_WRONG;
    return 1;
}

/* ---- all of them ----------------------------------------------------------------------------- */

/* Groups of layer norm differ by the number of rows, which on the CPU grid is the same: one is
 * enough. */
static int is_repeated(const bench_target *t, const vector_case *c, const vector_wish *wish)
{
    const vector_group *const g = vector_group_of(c);
    return !t->gpu && g->row && !g->rows_fixed && bench_is_among(wish->only, "layer-norm");
}

static int is_wanted(const bench_target *t, int32_t at, const vector_wish *wish)
{
    const vector_case *const c = &vector_cases[at];
    return bench_is_among(wish->only, c->group) && (!c->is_peer || wish->cub) &&
           !is_repeated(t, c, wish);
}

int vector_measure(vector_report *r, ct_cuda *gpu, const vector_wish *wish,
                   char error[CT_MESSAGE_BYTES])
{
    bench_target t = {.gpu = gpu, .find = vector_kernel};
    int32_t wanted = 0, done = 0;
    int status = 0;
    r->is.on_gpu = gpu != NULL;
    r->is.runs = gpu ? wish->runs : 0;
    r->shift = wish->shift;
    if (wish->cub && bench_is_among(wish->only, "sum"))
        memcpy(r->cub, wish->cub->version, sizeof r->cub);
    for (int32_t i = 0; i < vector_case_count; ++i) wanted += is_wanted(&t, i, wish);
    for (int32_t i = 0; i < vector_case_count && status >= 0; ++i) {
        const vector_case *const c = &vector_cases[i];
        if (!is_wanted(&t, i, wish)) continue;
        bench_tell("%d of %d: %s, %s%s", ++done, wanted, c->group, c->kernel,
                   gpu ? "" : ", on the CPU grid");
        const int wrong = measure_case(r, &t, i, wish);
        status = wrong < 0 ? -1 : status | wrong;
    }
    bench_tell_end();
    if (status < 0) return bench_fail(error, "%s", t.error);
    if (vector_any(r)) return status;
    return bench_fail(error, "nothing was measured: %s", r->is.left_out);
}
