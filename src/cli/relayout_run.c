/* cutlet relayout: the copy, slab by slab. A slab is a part of the mode with the longest stride in the
 * memory: a window of it, and runs of the array, both of which fit in what may be used. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "relayout.h"

#define WRONG(...) ct_one_line(error, CT_NPY_ERROR_BYTES, __VA_ARGS__)

typedef struct slabs {
    const ct_relayout_job *job;
    ct_plan_form form;         /* array -> memory, in elements; the mode that is cut stands last */
    int whole;                 /* all at once: there is no mode to cut */
    int64_t extent, step;      /* of that mode, in the memory */
    int64_t array_step;        /* and in the array */
    int64_t count;             /* coordinates of it in a slab */
    int64_t outer;             /* runs of the array in a slab */
    int64_t period;            /* of the swizzle, in elements */
    int64_t elems;             /* of the memory */
    FILE *in;
    int64_t in_at, out_at;     /* where the data begin */
    ct_whole_file out;
    unsigned char *array, *memory, *check;
} slabs;

/* The modes that both sides have, found by planning a copy of bytes. */
static int find_modes(slabs *s, char *error)
{
    const ct_relayout_job *const j = s->job;
    ct_plan_desc desc;
    ct_plan *plan;
    memset(&desc, 0, sizeof desc);
    desc.src = ct_plan_side_raw(j->compact, 1);
    desc.dst = ct_plan_side_raw(j->layout.layout, 1);
    if (ct_plan_create(&desc, CT_EFFORT_ESTIMATE, &plan, error)) return -1;
    s->form = plan->form;
    ct_plan_destroy(plan);
    return 0;
}

/* Chooses the mode to cut, where the slabs' windows do not overlap, nor share a swizzle's period. */
static void choose_mode(slabs *s)
{
    ct_plan_form *const f = &s->form;
    const ct_composed *const c = &s->job->layout;
    int last = -1;
    int64_t below = f->src_bytes - 1;
    s->whole = 1;
    s->period = 1;
    if (c->swizzle.bits > 0)
        while (s->period <= (ct_swizzle_source(c->swizzle) | ct_swizzle_target(c->swizzle)))
            s->period *= 2;
    for (int k = 0; k < f->modes; ++k) {
        if (f->mode[k].src < 0) return;
        if (last < 0 || f->mode[k].dst > f->mode[last].dst) last = k;
    }
    if (last < 0 || f->modes + 1 > CT_MAX_LEAVES || c->offset % s->period != 0) return;
    for (int k = 0; k < f->modes; ++k)
        if (k != last) below += (f->mode[k].extent - 1) * f->mode[k].dst;
    if (f->mode[last].extent > 1 && below >= f->mode[last].dst) return;
    const ct_plan_mode m = f->mode[last];
    f->mode[last] = f->mode[f->modes - 1];
    f->mode[f->modes - 1] = m;
    s->whole = 0;
    s->extent = m.extent;
    s->step = m.dst;
    s->array_step = m.src;
}

/* Where the window of a slab begins in the memory; the last one ends with it. */
static int64_t window(const slabs *s, int64_t first)
{
    if (s->whole || first == 0) return 0;
    return first >= s->extent ? s->elems : s->job->layout.offset + first * s->step;
}

static int64_t slab_bytes(const slabs *s, int64_t count)
{
    const ct_relayout_job *const j = s->job;
    const int64_t part = j->array.size / s->extent * count;
    const int64_t win = ct_min(s->elems, j->layout.offset + count * s->step + s->period);
    return part * j->array_side.elem_bytes * (1 + j->verify) + win * j->flat_side.elem_bytes;
}

/* As many coordinates as fit, in whole periods. */
static int choose_count(slabs *s, char *error)
{
    if (s->whole) s->extent = s->step = 1;
    const ct_relayout_job *const j = s->job;
    const int64_t array = j->array.size * j->array_side.elem_bytes * (1 + j->verify);
    const int64_t all = s->whole ? array + s->elems * j->flat_side.elem_bytes
                                 : slab_bytes(s, s->extent);
    const int64_t each = s->whole ? 1 : s->period / ct_gcd(s->period, s->step);
    int64_t count = s->extent;
    if (all > s->job->memory && !s->whole) {
        int64_t low = 0, high = s->extent / each; /* so many times `each` fit, so many do not */
        while (high - low > 1) {
            const int64_t middle = low + (high - low) / 2;
            if (slab_bytes(s, middle * each) <= s->job->memory) low = middle;
            else high = middle;
        }
        count = low * each;
    }
    if (count < 1 || (s->whole && all > s->job->memory))
        return WRONG("%lld bytes of memory are needed, %lld may be used (--memory)",
                     (long long)(s->whole ? all : slab_bytes(s, ct_min(each, s->extent))),
                     (long long)s->job->memory);
    s->count = count;
    s->outer = s->whole ? 1 : s->job->array.size / (s->extent * s->array_step);
    return 0;
}

/* Both sides of a slab: the array's part packed, the memory's window from its beginning. */
static void slab_sides(const slabs *s, int64_t first, int64_t count, ct_plan_side *array,
                       ct_plan_side *memory)
{
    const ct_plan_form *const f = &s->form;
    *array = s->job->array_side;
    *memory = s->job->flat_side;
    if (s->whole) return;
    ct_layout a, b;
    memset(&a, 0, sizeof a);
    const int64_t beyond = s->extent * s->array_step;
    a.profile = ct_profile_flat(f->modes + 1);
    b = a;
    a.shape[0] = b.shape[0] = f->src_bytes; /* a unit of the form: elements side by side */
    a.stride[0] = b.stride[0] = 1;
    for (int k = 0; k < f->modes; ++k) {
        const ct_plan_mode m = f->mode[k];
        a.shape[k + 1] = b.shape[k + 1] = k == f->modes - 1 ? count : m.extent;
        a.stride[k + 1] = m.src < beyond || k == f->modes - 1 ? m.src : m.src / s->extent * count;
        b.stride[k + 1] = m.dst;
    }
    array->memory.layout = a;
    memory->memory.layout = b;
    memory->memory.offset = s->job->layout.offset + first * s->step - window(s, first);
}

/* Reads or writes all bytes at a place of a file. */
static int transfer(int fd, int writes, unsigned char *bytes, int64_t count, int64_t at)
{
    while (count > 0) {
        const ssize_t n = writes ? pwrite(fd, bytes, (size_t)count, at)
                                 : pread(fd, bytes, (size_t)count, at);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) {
            if (n == 0) errno = EIO;
            return -1;
        }
        bytes += n;
        at += n;
        count -= n;
    }
    return 0;
}

/* The array's runs of a slab, or the memory's window, between the file and where they lie here. */
static int move_array(const slabs *s, int writes, int64_t first, int64_t count)
{
    const int64_t bytes = s->job->array_side.elem_bytes;
    const int64_t step = s->whole ? s->job->array.size : s->array_step;
    const int fd = writes ? fileno(s->out.stream) : fileno(s->in);
    const int64_t run = count * step * bytes, stride = s->extent * step * bytes;
    for (int64_t k = 0; k < s->outer; ++k)
        if (transfer(fd, writes, s->array + k * run, run,
                     (writes ? s->out_at : s->in_at) + k * stride + first * step * bytes))
            return -1;
    return 0;
}

static int move_memory(const slabs *s, int writes, int64_t first, int64_t count)
{
    const int64_t bytes = s->job->flat_side.elem_bytes, from = window(s, first);
    const int64_t to = s->whole ? s->elems : window(s, first + count);
    return transfer(writes ? fileno(s->out.stream) : fileno(s->in), writes, s->memory,
                    (to - from) * bytes, (writes ? s->out_at : s->in_at) + from * bytes);
}

/* Runs a plan between the two sides: the job's, or, to verify, one of the CPU from the memory to the
 * array; back: the other way than the job's. */
static int copy(const slabs *s, int64_t first, int64_t count, int back, unsigned char *array,
                char *error)
{
    ct_plan_desc desc;
    ct_plan *plan;
    memset(&desc, 0, sizeof desc);
    const int forward = s->job->forward != back;
    slab_sides(s, first, count, forward ? &desc.src : &desc.dst, forward ? &desc.dst : &desc.src);
    const int checks = array == s->check;
    desc.backend = checks ? CT_BACKEND_CPU : s->job->backend;
    int bad = ct_plan_create(&desc, checks ? CT_EFFORT_ESTIMATE : s->job->effort, &plan, error);
    if (!bad)
        bad = forward ? ct_plan_run(plan, s->memory, array, NULL, error)
                      : ct_plan_run(plan, array, s->memory, NULL, error);
    ct_plan_destroy(plan);
    return bad ? -1 : 0;
}

/* Copies a slab back from the memory and compares it with the array's part. */
static int verify(const slabs *s, int64_t first, int64_t count, int64_t bytes, char *error)
{
    if (copy(s, first, count, s->job->forward, s->check, error)) return -1;
    if (memcmp(s->array, s->check, (size_t)bytes) == 0) return 0;
    int64_t at = 0;
    while (s->array[at] == s->check[at]) ++at;
    return WRONG("verification: byte %lld of coordinates %lld to %lld differs", (long long)at,
                 (long long)first, (long long)(first + count - 1));
}

static int do_slab(const slabs *s, int64_t first, int64_t count, char *error)
{
    const ct_relayout_job *const j = s->job;
    const int64_t window_bytes =
        ((s->whole ? s->elems : window(s, first + count)) - window(s, first)) * j->flat_side.elem_bytes;
    const int64_t bytes = j->array.size / s->extent * count * j->array_side.elem_bytes;
    if (j->forward) memset(s->memory, 0, (size_t)window_bytes);
    if (j->forward ? move_array(s, 0, first, count) : move_memory(s, 0, first, count))
        return WRONG("%.150s: cannot be read: %s", j->input, strerror(errno));
    if (copy(s, first, count, 0, s->array, error)) return -1;
    if (j->verify && verify(s, first, count, bytes, error)) return -1;
    if (j->forward ? move_memory(s, 1, first, count) : move_array(s, 1, first, count))
        return WRONG("%.150s: cannot be written: %s", j->output, strerror(errno));
    return 0;
}

static int do_all(slabs *s, void (*progress)(double done), char *error)
{
    const ct_relayout_job *const j = s->job;
    const int64_t part = j->array.size / s->extent * s->count * j->array_side.elem_bytes;
    const int64_t win = s->whole ? s->elems : ct_min(s->elems, j->layout.offset + s->count * s->step +
                                                                   s->period);
    s->array = aligned_alloc(64, (size_t)((part + 127) / 64 * 64));
    s->memory = aligned_alloc(64, (size_t)((win * j->flat_side.elem_bytes + 127) / 64 * 64));
    s->check = j->verify ? aligned_alloc(64, (size_t)((part + 127) / 64 * 64)) : NULL;
    if (!s->array || !s->memory || (j->verify && !s->check))
        return WRONG("no memory for slabs of %lld and %lld bytes", (long long)part,
                     (long long)(win * j->flat_side.elem_bytes));
    for (int64_t i = 0; i < s->extent; i += s->count) {
        if (do_slab(s, i, ct_min(s->count, s->extent - i), error)) return -1;
        if (progress) progress((double)ct_min(i + s->count, s->extent) / (double)s->extent);
    }
    return 0;
}

int ct_relayout_run(const ct_relayout_job *j, void (*progress)(double done), char *error)
{
    slabs s;
    ct_npy header;
    memset(&s, 0, sizeof s);
    s.job = j;
    s.elems = j->flat.size;
    if (find_modes(&s, error)) return -1;
    choose_mode(&s);
    if (choose_count(&s, error)) return -1;
    if (ct_npy_open(j->input, &s.in, &header, error)) return -1;
    s.in_at = ftell(s.in);
    int bad = ct_npy_begin(&s.out, j->output, j->forward ? &j->flat : &j->array, error);
    if (!bad) {
        if (fflush(s.out.stream) || (s.out_at = ftell(s.out.stream)) < 0)
            bad = WRONG("%.150s: cannot be written: %s", j->output, strerror(errno));
        if (!bad) bad = do_all(&s, progress, error);
        if (bad) ct_whole_abandon(&s.out);
        else bad = ct_whole_commit(&s.out, error, CT_NPY_ERROR_BYTES);
    }
    fclose(s.in);
    free(s.array);
    free(s.memory);
    free(s.check);
    return bad;
}
