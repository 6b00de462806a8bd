/* The passes of a job, most often one, and the file that appears complete. */
#include "run.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define WRONG_MEMORY(status, ...)                                                                  \
    (*r->job->wrong = "memory", ct_refuse(message, status, __VA_ARGS__))

static void hold(const ct_relayout_runner *r)
{
    if (r->watch->hold) r->watch->hold();
}

static void guard(const ct_relayout_runner *r, const char *unfinished)
{
    if (r->watch->guard) r->watch->guard(unfinished);
}

static int64_t elems_of(const ct_relayout_box *box)
{
    int64_t n = 1;
    for (int k = 0; k < box->modes; ++k) n *= box->mode[k].extent;
    return n;
}

/* Memory for the blocks of a box, of the extents that fit. */
static ct_status set_aside(ct_relayout_runner *r, const ct_relayout_pass *p,
                           const ct_relayout_box *box, int64_t *most, char *message)
{
    /* measuring takes the same memory again */
    const int64_t memory = r->job->memory / (r->job->effort == CT_EFFORT_MEASURE ? 2 : 1);
    int64_t bytes[2], elems = 1;
    ct_relayout_extents(&p->src, &p->dst, box, r->job->verify ? 2 : 0, memory, most, bytes);
    for (int k = 0; k < box->modes; ++k) elems *= most[k];
    free(r->src);
    free(r->dst);
    free(r->sent);
    r->src = r->dst = r->sent = r->came = NULL;
    r->src_bytes = bytes[0];
    r->dst_bytes = bytes[1];
    const int64_t packed = r->job->verify ? (elems * p->src.elem_bytes + 63) / 64 * 64 : 0;
    r->src = aligned_alloc(64, (size_t)((bytes[0] + 63) / 64 * 64));
    r->dst = aligned_alloc(64, (size_t)((bytes[1] + 63) / 64 * 64));
    r->sent = packed ? aligned_alloc(64, (size_t)(2 * packed)) : NULL;
    if (!r->src || !r->dst || (packed && !r->sent))
        return WRONG_MEMORY(CT_E_MEMORY,
                            "not enough memory for blocks of %lld and %lld bytes; allow less",
                            (long long)bytes[0], (long long)bytes[1]);
    r->came = packed ? r->sent + packed : NULL;
    return 0;
}

/* Every box, and then, to verify, every box of the written file. */
static ct_status do_pass(ct_relayout_runner *r, const ct_relayout_pass *p, char *message)
{
    int64_t most[CT_PLAN_MODES];
    for (int verify = 0; verify <= r->job->verify; ++verify)
        for (int32_t i = 0; i < r->job->parts; ++i) {
            ct_relayout_box box = p->box;
            if (r->job->tiled) ct_relayout_tile_box(r->job, i, &box);
            ct_status bad = set_aside(r, p, &box, most, message);
            if (!bad) bad = ct_relayout_do_box(r, p, &box, most, verify, message);
            if (bad) return bad;
        }
    return 0;
}

/* The box of a job in one pass; 0 where the shapes of its layouts have no common refinement. */
static int set_box(const ct_relayout_job *j, ct_relayout_pass *p)
{
    const ct_relayout_part *const w = &j->whole;
    if (j->tiled) return 1;
    p->box.src = j->forward ? w->array_at : w->memory_at;
    p->box.dst = j->forward ? w->memory_at : w->array_at;
    return ct_relayout_cut(j->forward ? w->array : w->memory, j->forward ? w->memory : w->array,
                           &p->box);
}

/* Two passes, through a file with the elements in order of their index, which has a common
 * refinement with any layout. It has no name any more when it is used. */
static ct_status do_two_passes(ct_relayout_runner *r, const ct_relayout_pass *whole,
                               const char *beside, char *message)
{
    const ct_relayout_job *const j = r->job;
    const ct_relayout_part *const t = &j->whole;
    const ct_layout index = ct_layout1(j->array.size, 1);
    const size_t capacity = strlen(beside) + 8;
    char *const name = malloc(capacity);
    ct_relayout_pass p = {.src = whole->src, .dst = whole->src};
    if (!name) return ct_refuse(message, CT_E_MEMORY, "out of memory");
    snprintf(name, capacity, "%s.XXXXXX", beside);
    hold(r);
    const int fd = mkstemp(name);
    if (fd >= 0) unlink(name);
    guard(r, beside);
    free(name);
    if (fd < 0 || ftruncate(fd, j->array.size * whole->src.elem_bytes)) {
        ct_refuse(message, CT_E_FILE, "%.150s: no file beside it for the elements in between: %s",
                  j->output, strerror(errno));
        if (fd >= 0) close(fd);
        return CT_E_FILE;
    }
    p.src.type = CT_TYPE_RAW; /* converted in the second pass */
    p.dst = (ct_relayout_end){
        j->output, fd, 0, j->array.size, CT_TYPE_RAW, whole->src.elem_bytes, ct_swizzle_none(), 0};
    p.box.src = whole->box.src;
    p.box.dst = 0;
    ct_relayout_cut(j->forward ? t->array : t->memory, index, &p.box);
    r->all += elems_of(&p.box) * 2 * p.src.elem_bytes * (1 + j->verify);
    ct_status bad = do_pass(r, &p, message);
    if (!bad) {
        p.src = p.dst;
        p.src.type = whole->src.type;
        p.dst = whole->dst;
        p.box.src = 0;
        p.box.dst = whole->box.dst;
        ct_relayout_cut(index, j->forward ? t->memory : t->array, &p.box);
        bad = do_pass(r, &p, message);
    }
    close(fd);
    return bad;
}

/* The ends of the job's two files. */
static void set_ends(const ct_relayout_job *j, ct_relayout_pass *p)
{
    ct_relayout_end *const array = j->forward ? &p->src : &p->dst;
    ct_relayout_end *const flat = j->forward ? &p->dst : &p->src;
    array->elems = j->array.size;
    array->type = j->array_type;
    array->elem_bytes = j->array.elem_bytes;
    array->swizzle = ct_swizzle_none();
    flat->elems = j->flat.size;
    flat->type = j->flat_type;
    flat->elem_bytes = j->flat.elem_bytes;
    flat->swizzle = j->swizzle;
    p->src.swap = j->swap;
    p->src.path = j->input;
    p->dst.path = j->output;
}

/* All passes, from the open input to the open output, the header of which is written. */
static ct_status do_passes(ct_relayout_runner *r, ct_whole_file *out, char *message)
{
    const ct_relayout_job *const j = r->job;
    ct_relayout_pass p;
    memset(&p, 0, sizeof p);
    set_ends(j, &p);
    p.src.fd = fileno(j->in);
    p.src.at = ftell(j->in);
    if (fflush(out->stream) || (p.dst.at = ftell(out->stream)) < 0)
        return ct_refuse(message, CT_E_FILE, "%.150s: cannot be written: %s", j->output,
                         strerror(errno));
    if (!out->temporary)
        return ct_refuse(message, CT_E_FILE, "%.150s: not a regular file", j->output);
    p.dst.fd = open(out->temporary, O_RDWR | O_CLOEXEC); /* gaps between elements are read too */
    if (p.dst.fd < 0 || ftruncate(p.dst.fd, p.dst.at + p.dst.elems * p.dst.elem_bytes)) {
        ct_refuse(message, CT_E_FILE, "%.150s: cannot be written: %s", j->output, strerror(errno));
        if (p.dst.fd >= 0) close(p.dst.fd);
        return CT_E_FILE;
    }
    const int one = set_box(j, &p);
    r->all = j->array.size * (p.src.elem_bytes + p.dst.elem_bytes) * (1 + j->verify);
    ct_status bad = one ? do_pass(r, &p, message) : do_two_passes(r, &p, out->temporary, message);
    if (close(p.dst.fd) && !bad)
        bad = ct_refuse(message, CT_E_FILE, "%.150s: cannot be written: %s", j->output,
                        strerror(errno));
    return bad;
}

static int changed(const struct stat *a, const struct stat *b)
{
    return a->st_size != b->st_size || a->st_mtim.tv_sec != b->st_mtim.tv_sec ||
           a->st_mtim.tv_nsec != b->st_mtim.tv_nsec;
}

/* A pipe is not a regular file, and opening it would wait for a reader while signals are held. */
static ct_status refuse_pipe(const char *path, char *message)
{
    struct stat there;
    if (stat(path, &there) != 0 || !S_ISFIFO(there.st_mode)) return 0;
    return ct_refuse(message, CT_E_FILE, "%.150s: not a regular file", path);
}

/* A name that means an archive, or a member of one, where it is read. */
static ct_status refuse_archive(const char *path, char *message)
{
    const size_t n = strlen(path);
    if (!strstr(path, ".npz:") && (n < 4 || strcmp(path + n - 4, ".npz") != 0)) return 0;
    return ct_refuse(message, CT_E_ARGUMENT,
                     "%.150s: archives are read, not written; the output is a .npy file", path);
}

/* The job, in its allowed memory. */
static ct_status run(const ct_relayout_job *j, const ct_relayout_watch *watch, char *message)
{
    ct_relayout_runner r;
    ct_whole_file out;
    struct stat before, after;
    memset(&r, 0, sizeof r);
    r.job = j;
    r.watch = watch;
    ct_status bad = refuse_archive(j->output, message);
    if (!bad) bad = refuse_pipe(j->output, message);
    if (bad) return bad;
    hold(&r);
    if (fstat(fileno(j->in), &before))
        bad = ct_refuse(message, CT_E_FILE, "%.150s: %s", j->input, strerror(errno));
    if (!bad) bad = ct_npy_begin(&out, j->output, j->forward ? &j->flat : &j->array, message);
    if (bad) {
        guard(&r, NULL);
        return bad;
    }
    guard(&r, out.temporary);
    if (j->array.size > 0) bad = do_passes(&r, &out, message);
    if (!bad && (fstat(fileno(j->in), &after) || changed(&before, &after)))
        bad = ct_refuse(message, CT_E_FILE, "%.150s: it changed while it was read", j->input);
    hold(&r);
    if (bad) ct_whole_abandon(&out);
    else bad = ct_whole_commit(&out, message);
    guard(&r, NULL);
    for (int i = 0; i < CT_RELAYOUT_PLANS; ++i) ct_plan_destroy(r.kept[i].plan);
    free(r.src);
    free(r.dst);
    free(r.sent);
    return bad;
}

ct_status ct_relayout(const ct_relayout_options *options, const ct_relayout_watch *watch,
                      ct_relayout_result *result, char *message)
{
    ct_relayout_job job;
    ct_status bad = ct_relayout_prepare(options, &job, &result->wrong, message);
    if (!bad) bad = run(&job, watch, message);
    result->elems = job.array.size;
    result->gaps = job.forward ? job.flat.size - job.array.size : 0;
    ct_relayout_release(&job);
    return bad;
}
