/* cutlet gemm: the files that are read, whether they fit, and what computes the product. */
#include <stdlib.h>
#include <string.h>

#include "gemm.h"
#ifndef CT_IN_PACKAGE
#include "gemm_kernels.h"
#endif

#define WRONG(...) ct_refuse(error, CT_E_ARGUMENT, __VA_ARGS__)

static const ct_gemm_type types[] = {
    {"float16", 'f', 2, CT_TYPE_HALF, "float16", "<f2", 2},
    {"bfloat16", 'V', 2, CT_TYPE_BFLOAT16, "bfloat16", "|V2", 2},
    {"float32", 'f', 4, CT_TYPE_FLOAT, "float32", "<f4", 4},
    {"int8", 'i', 1, CT_TYPE_INT8, "int32", "<i4", 4},
};

static int is_type(const ct_npy *a, char kind, int32_t bytes)
{
    return a->kind == kind && a->elem_bytes == bytes && !a->big_endian;
}

/* The type of a file. NumPy has no name for bfloat16: its files say V2, and the name is given. */
static const ct_gemm_type *type_of(const ct_npy *a, const char *name)
{
    for (size_t i = 0; i < sizeof types / sizeof *types; ++i) {
        const int is_named = name ? strcmp(name, types[i].name) == 0 : types[i].kind != 'V';
        if (is_named && is_type(a, types[i].kind, types[i].bytes)) return &types[i];
    }
    return NULL;
}

/* Reads a matrix; exchanged: its modes are seen the other way round. */
static ct_status read_matrix(const char *path, int exchanged, ct_gemm_matrix *m, char *error)
{
    const ct_status bad = ct_npy_read(path, &m->file, error);
    if (bad) return bad;
    if (m->file.rank != 2)
        return WRONG("%.150s: an array of %d dimensions; a matrix has 2", path, m->file.rank);
    const ct_layout L = ct_npy_layout(&m->file);
    m->layout = exchanged ? ct_layout2(L.shape[1], L.shape[0], L.stride[1], L.stride[0]) : L;
    return 0;
}

static ct_status see_types(const ct_gemm_options *o, ct_gemm_job *j, char *error)
{
    j->type = type_of(&j->a.file, o->type);
    if (!j->type && o->type)
        return WRONG("%.150s: elements of type %.40s, which are not %s", o->a, j->a.file.descr,
                     o->type);
    if (!j->type && is_type(&j->a.file, 'V', 2))
        return WRONG("%.150s: elements of type %.40s; --type bfloat16 says that they are that",
                     o->a, j->a.file.descr);
    if (!j->type)
        return WRONG("%.150s: elements of type %.40s; float16, bfloat16, float32 and int8 are "
                     "multiplied, little-endian",
                     o->a, j->a.file.descr);
    if (type_of(&j->b.file, o->type) != j->type)
        return WRONG("%.100s: elements of type %.40s, where those of %.100s are %s", o->b,
                     j->b.file.descr, o->a, j->type->name);
    if (j->tf32 && j->type->type != CT_TYPE_FLOAT)
        return WRONG("--tf32 is for float32; the elements are %s", j->type->name);
    return 0;
}

static ct_status see_extents(const ct_gemm_options *o, ct_gemm_job *j, char *error)
{
    const ct_layout *const a = &j->a.layout, *const b = &j->b.layout;
    const int64_t *const s = j->b.file.shape;
    j->m = a->shape[0];
    j->n = b->shape[0];
    j->k = a->shape[1];
    if (b->shape[1] == j->k) return 0;
    return WRONG("%.80s is (%lld,%lld) and %.80s (%lld,%lld): mode 1 of the first is %lld, mode %d "
                 "of the second %lld",
                 o->a, (long long)j->m, (long long)j->k, o->b, (long long)s[0], (long long)s[1],
                 (long long)j->k, o->transpose_b != 0, (long long)b->shape[1]);
}

/* C is of the shape and type of the result. */
static ct_status see_c(const ct_gemm_options *o, ct_gemm_job *j, char *error)
{
    const int64_t *const s = j->c.file.shape;
    const ct_status bad = read_matrix(o->c, 0, &j->c, error);
    if (bad) return bad;
    if (!is_type(&j->c.file, j->type->kind, j->type->result_bytes))
        return WRONG("%.150s: elements of type %.40s, where the result has %s", o->c,
                     j->c.file.descr, j->type->result);
    if (s[0] == j->m && s[1] == j->n) return 0;
    return WRONG("%.150s is (%lld,%lld), the product (%lld,%lld)", o->c, (long long)s[0],
                 (long long)s[1], (long long)j->m, (long long)j->n);
}

/* Integers are multiplied by integers that a float holds. */
static ct_status see_factor(const ct_gemm_job *j, const char *name, float factor, char *error)
{
    const float most = 1 << 24;
    if (j->type->type != CT_TYPE_INT8 ||
        (factor >= -most && factor <= most && factor == (float)(int32_t)factor))
        return 0;
    return WRONG("%s: %g; for int8 it is an integer of at most %d", name, (double)factor, 1 << 24);
}

/* The GPU where there is one or one is asked for; else what fits the size. */
static ct_status choose(const ct_gemm_options *o, ct_gemm_job *j, char *error)
{
    int ok = 1;
    const int64_t work = ct_mul(ct_mul(j->m, j->n, &ok), j->k, &ok);
    j->on = o->on;
#ifdef CT_IN_PACKAGE /* which has no kernels */
    if (o->on == CT_GEMM_AUTO) j->on = CT_GEMM_CPU;
    (void)work, (void)ok;
#else
    if (o->on == CT_GEMM_AUTO || o->on == CT_GEMM_GPU) {
        j->gpu = ct_cuda_open_with(0, &gemm_images, j->no_gpu);
        j->on = j->gpu ? CT_GEMM_GPU : ok && work <= CT_GEMM_GRID_MOST ? CT_GEMM_GRID : CT_GEMM_CPU;
        if (o->on == CT_GEMM_GPU && !j->gpu) return ct_refuse(error, CT_E_BACKEND, "%s", j->no_gpu);
    }
#endif
    if (j->tf32 && j->on == CT_GEMM_CPU)
        return WRONG("--tf32 is done by the kernels, on a GPU or the grid (--on), not on the "
                     "CPU%s%s",
                     j->no_gpu[0] ? "; " : "", j->no_gpu);
    return 0;
}

/* By wgmma where that is asked for, or where a GPU has it and it takes the operands. */
static ct_status choose_instruction(const ct_gemm_options *o, ct_gemm_job *j, char *error)
{
    char why[CT_MESSAGE_BYTES];
    if (o->by != CT_GEMM_BY_ANY && j->on == CT_GEMM_CPU)
        return WRONG("--by names the instructions of a GPU or the grid (--on), not of the CPU%s%s",
                     j->no_gpu[0] ? "; " : "", j->no_gpu);
    if (o->by == CT_GEMM_BY_MMA_SYNC && j->type->type == CT_TYPE_FLOAT && !j->tf32)
        return WRONG("--by mma_sync multiplies float32 with --tf32 only");
    if (o->by == CT_GEMM_BY_WGMMA || (o->by == CT_GEMM_BY_ANY && j->on == CT_GEMM_GPU))
        j->by_wgmma = ct_gemm_takes_wgmma(j, why);
    if (o->by == CT_GEMM_BY_WGMMA && !j->by_wgmma) return WRONG("--by wgmma %s", why);
    return 0;
}

ct_status ct_gemm_prepare(const ct_gemm_options *o, ct_gemm_job *j, char *error)
{
    memset(j, 0, sizeof *j);
    j->alpha = o->alpha;
    j->beta = o->beta;
    j->tf32 = o->tf32;
    ct_status bad = read_matrix(o->a, 0, &j->a, error);
    if (!bad) bad = read_matrix(o->b, !o->transpose_b, &j->b, error);
    if (!bad) bad = see_types(o, j, error);
    if (!bad) bad = see_extents(o, j, error);
    if (!bad) bad = see_factor(j, "--alpha", j->alpha, error);
    if (!bad) bad = see_factor(j, "--beta", j->beta, error);
    if (!bad && j->beta != 0) bad = see_c(o, j, error);
    if (!bad) bad = ct_gemm_read_epilogue(o, j, error);
    if (!bad) bad = choose(o, j, error);
    if (!bad) bad = choose_instruction(o, j, error);
    return bad;
}

void ct_gemm_release(ct_gemm_job *j)
{
    ct_npy_free(&j->a.file);
    ct_npy_free(&j->b.file);
    ct_npy_free(&j->c.file);
    for (int i = 0; i < CT_GEMM_VECTORS; ++i) ct_npy_free(&j->vector[i]);
    ct_cuda_close(j->gpu);
    free(j->d);
}

ct_status ct_gemm_arrange(const ct_gemm_matrix *m, int32_t type, int64_t align_bytes,
                          ct_gemm_rows *rows, char *error)
{
    const ct_layout *const L = &m->layout;
    const int32_t bytes = type == CT_TYPE_RAW ? m->file.elem_bytes : (int32_t)sizeof(float);
    const int64_t across = ct_max(align_bytes / bytes, 1);
    int ok = 1;
    rows->step = ct_ceil_div_int(L->shape[1], across) * across;
    rows->bytes = ct_mul(ct_mul(L->shape[0], rows->step, &ok), bytes, &ok);
    rows->at = ok ? calloc((size_t)rows->bytes, 1) : NULL;
    if (!rows->at)
        return ct_refuse(error, CT_E_MEMORY, "not enough memory for a matrix of (%lld,%lld)",
                         (long long)L->shape[0], (long long)L->shape[1]);
    const ct_layout to = ct_layout2(L->shape[0], L->shape[1], rows->step, 1);
    ct_plan_desc desc = {.backend = CT_BACKEND_CPU};
    ct_plan *plan = NULL;
    desc.src = type == CT_TYPE_RAW ? ct_plan_side_raw(*L, bytes) : ct_plan_side_of(*L, type);
    desc.dst = ct_plan_side_of(to, CT_TYPE_FLOAT);
    if (type == CT_TYPE_RAW) desc.dst = ct_plan_side_raw(to, bytes);
    ct_status bad = ct_plan_create(&desc, CT_EFFORT_ESTIMATE, &plan, error);
    if (!bad) bad = ct_plan_run(plan, rows->at, m->file.data, NULL, error);
    ct_plan_destroy(plan);
    return bad;
}
