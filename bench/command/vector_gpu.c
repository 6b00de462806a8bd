/* Kernels by narrow and wide accesses on a GPU: compared over arrays that fit nothing, and over
 * those that are timed; then timed in turn with the driver's copy of the same array. */
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "copy/whole_file.h"
#include "cuda/gpu.h"
#include "progress.h"
#include "sizes.h"
#include "vector_check.h"
#include "vector_run.h"

enum { GUARD = 256, PART = 1 << 20, SETS_MOST = 64, LAUNCHES_MOST = 100 };
enum { RUN_BYTES = 256 << 20, ODD_ELEMENTS = 1000003, ODD_ROWS = 37, ODD_ROW = 1003 };

/* A case's arrays on the device: several sets of them, used in turn. */
typedef struct place {
    ct_cuda *gpu;
    const vector_case *c;
    const vector_values *v;
    bench_cub *cub; /* of a peer */
    int64_t elements, x_bytes, y_bytes, x_step, y_step;
    int32_t sets, processors;
    int32_t x_shift, y_shift;           /* elements past an aligned address */
    unsigned char *x, *y, *rows, *copy; /* memory; copy: where a sum's memcpy goes */
    float *parts;
    int64_t launched;
    vector_launch launch[SETS_MOST][2];
    int32_t launches;
} place;

static int64_t rounded(int64_t bytes) { return (bytes + GUARD - 1) / GUARD * GUARD; }

static unsigned char *x_of(const place *p, int64_t set)
{
    return p->x + set * p->x_step + p->x_shift * vector_elem_bytes(p->c);
}

static unsigned char *y_of(const place *p, int64_t set)
{
    return p->y + GUARD + set * p->y_step + p->y_shift * vector_elem_bytes(p->c);
}

/* ---- arrays ---------------------------------------------------------------------------------- */

static void drop(place *p)
{
    ct_cuda_free(p->gpu, p->copy);
    ct_cuda_free(p->gpu, p->parts);
    ct_cuda_free(p->gpu, p->rows);
    ct_cuda_free(p->gpu, p->y);
    ct_cuda_free(p->gpu, p->x);
    memset(p, 0, sizeof *p);
}

/* Bytes of memory that the arrays take. */
static int64_t room_of(const place *p)
{
    const int64_t copy = vector_adds(p->c) ? p->x_bytes : 0;
    return p->sets * (p->x_step + p->y_step) + 2 * GUARD + copy;
}

static int take(place *p)
{
    const int32_t row = p->v->row;
    ct_cuda *const gpu = p->gpu;
    const int sum = p->c->what == VECTOR_SUM;
    p->x = ct_cuda_alloc(gpu, (size_t)(p->sets * p->x_step));
    p->y = p->x ? ct_cuda_alloc(gpu, (size_t)(p->sets * p->y_step + 2 * GUARD)) : NULL;
    if (!p->y) return -1;
    if (row && !(p->rows = ct_cuda_alloc(gpu, (size_t)(8 * (row + 1) + 2 * GUARD)))) return -1;
    if (sum && !(p->parts = ct_cuda_alloc(gpu, VECTOR_PARTS * sizeof(float)))) return -1;
    if (vector_adds(p->c) && !(p->copy = ct_cuda_alloc(gpu, (size_t)p->x_bytes))) return -1;
    return 0;
}

/* Where gamma or beta lies, as far past an aligned address as x. */
static unsigned char *row_at(const place *p, int which)
{
    return p->rows + which * rounded(4 * (p->v->row + 1)) + p->x_shift * vector_elem_bytes(p->c);
}

static int fill_rows(const place *p)
{
    const size_t bytes = (size_t)(p->v->row * vector_elem_bytes(p->c));
    unsigned char *const host = malloc(2 * bytes + 1);
    if (!host) return ct_cuda_fail(p->gpu, "out of host memory");
    vector_put_doubles(p->v, p->v->gamma, p->v->row, host);
    vector_put_doubles(p->v, p->v->beta, p->v->row, host + bytes);
    const int status = ct_cuda_upload(p->gpu, row_at(p, 0), host, bytes) ||
                       ct_cuda_upload(p->gpu, row_at(p, 1), host + bytes, bytes);
    free(host);
    return status ? -1 : 0;
}

static int fill(const place *p)
{
    const int32_t bytes = vector_elem_bytes(p->c);
    unsigned char *const host = malloc((size_t)PART * (size_t)bytes);
    int status = host ? 0 : ct_cuda_fail(p->gpu, "out of host memory");
    for (int64_t set = 0; set < p->sets; ++set) {
        for (int64_t at = 0; at < p->elements && status == 0; at += PART) {
            const int64_t n = ct_min(PART, p->elements - at);
            vector_put(p->v, set * p->elements + at, n, host);
            status = ct_cuda_upload(p->gpu, x_of(p, set) + at * bytes, host, (size_t)(n * bytes));
        }
    }
    free(host);
    if (status == 0 && p->v->row) status = fill_rows(p);
    return status;
}

static void prepare(place *p)
{
    for (int32_t set = 0; set < p->sets; ++set) {
        const vector_arrays a = {x_of(p, set),
                                 p->rows ? row_at(p, 0) : NULL,
                                 p->rows ? row_at(p, 1) : NULL,
                                 y_of(p, set),
                                 p->parts,
                                 p->elements,
                                 p->v->row};
        p->launches = vector_launches(p->c, &a, p->processors, p->launch[set]);
    }
}

/* ---- comparing ------------------------------------------------------------------------------- */

static int queue_case(ct_cuda *gpu, void *user, int64_t turn)
{
    const place *const p = user;
    const vector_launch *const l = p->launch[turn % p->sets];
    if (p->c->is_peer)
        return bench_cub_queue(p->cub, gpu, (const float *)(void *)x_of(p, turn % p->sets),
                               (float *)(void *)y_of(p, turn % p->sets), p->elements);
    for (int32_t i = 0; i < p->launches; ++i)
        if (ct_cuda_launch(gpu, l[i].kernel, l[i].grid, l[i].block, 0, &l[i].args, l[i].args_bytes))
            return -1;
    return 0;
}

typedef struct set_of {
    const place *p;
    int64_t set;
} set_of;

static int read_result(void *user, int64_t at, int64_t bytes, unsigned char *to)
{
    const set_of *const s = user;
    return ct_cuda_download(s->p->gpu, to, y_of(s->p, s->set) + at, (size_t)bytes);
}

/* Runs the case on each set, and compares all results and what lies beside; as vector_check. */
static int verify(place *p, char wrong[VECTOR_WRONG_TEXT])
{
    const int32_t shift = p->y_shift * vector_elem_bytes(p->c);
    int status = 1;
    if (ct_cuda_fill(p->gpu, p->y, VECTOR_BEFORE, (size_t)(p->sets * p->y_step + 2 * GUARD)))
        return -1;
    for (int64_t set = 0; set < p->sets; ++set)
        if (queue_case(p->gpu, p, set)) return -1;
    for (int64_t set = 0; set < p->sets && status == 1; ++set) {
        set_of s = {p, set};
        const vector_source from = {read_result, &s};
        if (set == 0) status = vector_check_untouched(-GUARD - shift, GUARD + shift, &from, wrong);
        if (status == 1) status = vector_check(p->v, set * p->elements, p->elements, &from, wrong);
        if (status == 1)
            status = vector_check_untouched(p->y_bytes, p->y_step - p->y_bytes, &from, wrong);
    }
    return status;
}

/* ---- one case -------------------------------------------------------------------------------- */

/* From an aligned address, whatever the shift. */
static int queue_memcpy(ct_cuda *gpu, void *user, int64_t turn)
{
    const place *const p = user;
    unsigned char *const to = p->copy ? p->copy : y_of(p, turn % p->sets);
    const unsigned char *const from = p->x + turn % p->sets * p->x_step;
    return ct_cuda_copy(gpu, to, from, (size_t)p->x_bytes);
}

/* Arrays for so many elements; nothing is taken yet. */
static place place_for(ct_cuda *gpu, const vector_case *c, const vector_values *v, int64_t elements,
                       int32_t sets, int odd)
{
    place p;
    memset(&p, 0, sizeof p);
    p.gpu = gpu;
    p.c = c;
    p.v = v;
    p.elements = elements;
    p.sets = sets;
    p.processors = ct_cuda_about(gpu)->processors;
    p.x_shift = odd ? 1 : 0;
    p.y_shift = odd && !vector_adds(c) ? 3 : 0;
    p.x_bytes = elements * vector_elem_bytes(c);
    p.y_bytes = vector_result_bytes(c, elements);
    p.x_step = rounded(p.x_bytes) + GUARD;
    p.y_step = rounded(p.y_bytes) + GUARD;
    return p;
}

/* An array of an odd number of elements at odd addresses; as vector_check. */
static int verify_odd(ct_cuda *gpu, const vector_case *c, bench_cub *cub,
                      char wrong[VECTOR_WRONG_TEXT])
{
    const int norm = c->what == VECTOR_NORM;
    vector_values *const v = vector_values_make(c, norm ? ODD_ROW : 0);
    if (!v) return ct_cuda_fail(gpu, "out of host memory");
    place p = place_for(gpu, c, v, norm ? ODD_ROWS * ODD_ROW : ODD_ELEMENTS, 1, 1);
    p.cub = cub;
    int status = take(&p) || fill(&p) ? -1 : 1;
    if (status == 1) {
        prepare(&p);
        status = verify(&p, wrong);
    }
    drop(&p);
    vector_values_free(v);
    return status;
}

static int time_case(place *p, vector_result *result, int32_t runs)
{
    const int64_t launches = RUN_BYTES / vector_moved_bytes(p->c, p->elements);
    result->launches = (int32_t)ct_max(1, ct_min(launches, LAUNCHES_MOST));
    bench_work works[] = {{queue_memcpy, p, result->launches, 0},
                          {queue_case, p, result->launches, 0}};
    bench_times times[2];
    if (bench_time(p->gpu, works, 2, runs, times)) return -1;
    result->memcpy_seconds = times[0];
    result->seconds = times[1];
    return 0;
}

/* Adds a sentence to what is said of the cases that were left out. */
static void leave_out(vector_run *r, const vector_case *c, const char *why)
{
    const size_t used = strlen(r->left_out);
    ct_one_line(r->left_out + used, sizeof r->left_out - used, "%s%s: %s.",
                used ? " " : "Left out: ", c->kernel, why);
}

/* Whether the arrays fit the device's memory, and have it now. */
static int make_room(vector_run *r, place *p)
{
    char wanted[BENCH_SIZE_TEXT], memory[BENCH_SIZE_TEXT], why[CT_CUDA_LINE];
    if (room_of(p) <= r->device.memory_bytes && take(p) == 0) return 0;
    bench_size_text(wanted, room_of(p));
    bench_size_text(memory, r->device.memory_bytes);
    snprintf(why, sizeof why, "its arrays take %s, which the memory of %s has not free", wanted,
             memory);
    leave_out(r, p->c, why);
    return -1;
}

static int64_t elements_for(const vector_case *c, const vector_wish *wish)
{
    const vector_group *const g = vector_group_of(c);
    if (wish->mib == 0 || g->rows_fixed) return g->elements;
    const int64_t elements = (wish->mib << 20) / vector_elem_bytes(c);
    return g->row ? ct_max(1, elements / g->row) * g->row : elements;
}

/* 0; 1 when a result is wrong, after a line; or -1. */
static int measure_case(vector_run *r, ct_cuda *gpu, int32_t at, const vector_wish *wish)
{
    const vector_case *const c = &vector_cases[at];
    const int64_t elements = elements_for(c, wish);
    vector_result *const result = &r->result[at];
    char wrong[VECTOR_WRONG_TEXT];
    const int64_t moved = vector_moved_bytes(c, elements), enough = 4 * r->device.l2_bytes;
    result->elements = elements;
    result->sets = (int32_t)ct_max(1, ct_min(SETS_MOST, (enough + moved - 1) / moved));
    int status = verify_odd(gpu, c, wish->cub, wrong);
    vector_values *const v = vector_values_make(c, vector_group_of(c)->row);
    if (!v) return ct_cuda_fail(gpu, "out of host memory");
    place p = place_for(gpu, c, v, elements, result->sets, 0);
    p.cub = wish->cub;
    p.x_shift = (int32_t)vector_shift(c, wish->shift) / vector_elem_bytes(c);
    int there = 0;
    if (status == 1 && (there = make_room(r, &p) == 0)) {
        status = fill(&p) ? -1 : 1;
        if (status == 1) {
            prepare(&p);
            status = verify(&p, wrong);
        }
    }
    if (status == 0) {
        bench_tell_end();
        ct_cli_complain("bench", "%s: %s", c->kernel, wrong);
        result->status = VECTOR_WRONG;
    }
    if (status == 1 && there) {
        status = time_case(&p, result, r->runs) ? -1 : 1;
        if (status == 1) result->status = VECTOR_RIGHT;
    }
    drop(&p);
    vector_values_free(v);
    return status < 0 ? -1 : status == 0;
}

int vector_measure(vector_run *r, ct_cuda *gpu, const vector_wish *wish, char error[CT_CUDA_LINE])
{
    int32_t wanted = 0, done = 0;
    int status = 0;
    r->on_gpu = 1;
    r->runs = wish->runs;
    r->shift = wish->shift;
    if (wish->cub && vector_is_wanted(wish->only, "sum"))
        memcpy(r->cub, wish->cub->version, sizeof r->cub);
    for (int32_t i = 0; i < vector_case_count; ++i)
        wanted += vector_is_asked(wish, &vector_cases[i]);
    for (int32_t i = 0; i < vector_case_count && status >= 0; ++i) {
        const vector_case *const c = &vector_cases[i];
        if (!vector_is_asked(wish, c)) continue;
        bench_tell("%d of %d: %s, %s", ++done, wanted, c->group, c->kernel);
        const int wrong = measure_case(r, gpu, i, wish);
        status = wrong < 0 ? -1 : status | wrong;
    }
    bench_tell_end();
    if (status < 0) return ct_one_line(error, CT_CUDA_LINE, "%s", ct_cuda_error(gpu));
    if (vector_any(r)) return status;
    return ct_one_line(error, CT_CUDA_LINE, "nothing was measured: %s", r->left_out);
}
