/* cutlet gemm: the files that are read, whether they fit, and what computes the product. */
#include <stdlib.h>
#include <string.h>

#include "base/refuse.h"
#include "gemm.h"

#define WRONG(...) ct_refuse(error, CT_E_ARGUMENT, __VA_ARGS__)

static const ct_gemm_elements types[] = {
    {"float16", 'f', 2, CT_TYPE_HALF, "float16", "<f2", 'f', 2},
    {"bfloat16", 'V', 2, CT_TYPE_BFLOAT16, "bfloat16", "|V2", 'V', 2},
    {"float32", 'f', 4, CT_TYPE_FLOAT, "float32", "<f4", 'f', 4},
    {"int8", 'i', 1, CT_TYPE_INT8, "int32", "<i4", 'i', 4},
    {"e4m3", 'u', 1, CT_TYPE_E4M3, "bfloat16", "|V2", 'V', 2},
};

static int is_type(const ct_npy *a, char kind, int32_t bytes)
{
    return a->kind == kind && a->elem_bytes == bytes && !a->big_endian;
}

/* The type of a file. NumPy has no names for bfloat16 and e4m3: its files say V2 and uint8, and the name is given. */
static const ct_gemm_elements *type_of(const ct_npy *a, const char *name)
{
    for (size_t i = 0; i < sizeof types / sizeof *types; ++i) {
        const int is_named =
            name ? strcmp(name, types[i].name) == 0 : types[i].kind != 'V' && types[i].kind != 'u';
        if (is_named && is_type(a, types[i].kind, types[i].bytes)) return &types[i];
    }
    return NULL;
}

/* Reads a matrix; exchanged: its modes are seen the other way round. */
static ct_status read_matrix(const char *path, int exchanged, ct_npy *file, ct_layout *layout,
                             char *error)
{
    const ct_status bad = ct_npy_read(path, file, error);
    if (bad) return bad;
    if (file->rank != 2)
        return WRONG("%.150s: an array of %d dimensions; a matrix has 2", path, file->rank);
    const ct_layout L = ct_npy_layout(file);
    *layout = exchanged ? ct_layout2(L.shape[1], L.shape[0], L.stride[1], L.stride[0]) : L;
    return 0;
}

static ct_status see_types(const ct_gemm_options *o, ct_gemm_job *j, char *error)
{
    j->type = type_of(&j->a, o->type);
    if (!j->type && o->type)
        return WRONG("%.150s: elements of type %.40s, which are not %s", o->a, j->a.descr, o->type);
    if (!j->type && is_type(&j->a, 'V', 2))
        return WRONG("%.150s: elements of type %.40s; --type bfloat16 says that they are that",
                     o->a, j->a.descr);
    if (!j->type)
        return WRONG("%.150s: elements of type %.40s; float16, bfloat16, float32 and int8 are "
                     "multiplied, little-endian",
                     o->a, j->a.descr);
    if (type_of(&j->b, o->type) != j->type)
        return WRONG("%.100s: elements of type %.40s, where those of %.100s are %s", o->b,
                     j->b.descr, o->a, j->type->name);
    return 0;
}

static ct_status see_extents(const ct_gemm_options *o, ct_gemm_job *j, char *error)
{
    const ct_layout *const a = &j->desc.a, *const b = &j->desc.b;
    const int64_t *const s = j->b.shape;
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
static ct_status read_c(const ct_gemm_options *o, ct_gemm_job *j, char *error)
{
    const char *const path = o->file[CT_GEMM_C];
    ct_npy *const file = &j->file[CT_GEMM_C];
    const ct_status bad = read_matrix(path, 0, file, &j->desc.c, error);
    if (bad) return bad;
    if (!is_type(file, j->type->result_kind, j->type->result_bytes))
        return WRONG("%.150s: elements of type %.40s, where the result has %s", path, file->descr,
                     j->type->result);
    if (file->shape[0] == j->m && file->shape[1] == j->n) return 0;
    return WRONG("%.150s is (%lld,%lld), the product (%lld,%lld)", path, (long long)file->shape[0],
                 (long long)file->shape[1], (long long)j->m, (long long)j->n);
}

static ct_status read_vector(const char *path, int which, ct_gemm_job *j, char *error)
{
    static const char *const options[] = {"--c", "--bias", "--scale-rows", "--scale-cols"};
    ct_npy *const v = &j->file[which];
    const int of_ints = j->type->type == CT_TYPE_INT8;
    const int64_t count = which == CT_GEMM_SCALE_ROWS ? j->m : j->n;
    if (of_ints && which != CT_GEMM_BIAS)
        return WRONG("%s multiplies floats; the result of int8 is int32", options[which]);
    const ct_status bad = ct_npy_read(path, v, error);
    if (bad) return bad;
    if (v->rank != 1)
        return WRONG("%.150s: an array of %d dimensions; %s has 1", path, v->rank, options[which]);
    if (!is_type(v, of_ints ? 'i' : 'f', 4))
        return WRONG("%.150s: elements of type %.40s; with %s products %s has %s", path, v->descr,
                     j->type->name, options[which], of_ints ? "int32" : "float32");
    if (v->shape[0] == count) return CT_OK;
    return WRONG("%.150s has %lld elements, the product %lld %s", path, (long long)v->shape[0],
                 (long long)count, which == CT_GEMM_SCALE_ROWS ? "rows" : "columns");
}

/* The GPU where there is one or one is asked for; else what fits the size. */
static ct_status choose(const ct_gemm_options *o, ct_gemm_job *j, char *error)
{
    static const int32_t backends[] = {CT_BACKEND_AUTO, CT_BACKEND_CUDA, CT_BACKEND_GRID,
                                       CT_BACKEND_CPU};
    int ok = 1;
    const int64_t work = ct_mul(ct_mul(j->m, j->n, &ok), j->k, &ok);
#ifdef CT_IN_PACKAGE
    const int has_kernels = 0;
#else
    const int has_kernels = 1;
#endif
    j->where = o->on;
    if (o->on == CT_GEMM_AUTO && !has_kernels) j->where = CT_GEMM_CPU;
    else if (o->on == CT_GEMM_AUTO || o->on == CT_GEMM_GPU) {
        j->gpu = ct_gemm_open(0, j->no_gpu);
        j->where = j->gpu                            ? CT_GEMM_GPU
                   : ok && work <= CT_GEMM_GRID_MOST ? CT_GEMM_GRID
                                                     : CT_GEMM_CPU;
        if (o->on == CT_GEMM_GPU && !j->gpu) return ct_refuse(error, CT_E_BACKEND, "%s", j->no_gpu);
    }
    j->desc.backend = backends[j->where];
    j->desc.gpu = j->gpu;
    j->effort = o->effort;
    if (o->effort == CT_EFFORT_MEASURE && j->where != CT_GEMM_GPU)
        return WRONG("--effort measure times forms on a GPU (--on)%s%s", j->no_gpu[0] ? "; " : "",
                     j->no_gpu);
    if (j->where != CT_GEMM_CPU || (!o->tf32 && o->by == CT_GEMM_BY_ANY)) return CT_OK;
    return WRONG("%s, on a GPU or the grid (--on), not on the CPU%s%s",
                 o->tf32 ? "--tf32 is done by the kernels"
                         : "--by names the instructions of kernels",
                 j->no_gpu[0] ? "; " : "", j->no_gpu);
}

/* What the options say of the product, and its vectors. */
static ct_status describe(const ct_gemm_options *o, ct_gemm_job *j, char *error)
{
    ct_status bad = CT_OK;
    j->desc.d = ct_layout2(j->m, j->n, j->n, 1);
    j->desc.type = j->type->type;
    j->desc.tf32 = o->tf32;
    j->desc.by = o->by;
    j->desc.alpha = o->alpha;
    j->desc.beta = o->beta;
    j->desc.activation = o->activation;
    j->desc.has_bias = o->file[CT_GEMM_BIAS] != NULL;
    j->desc.has_scale_rows = o->file[CT_GEMM_SCALE_ROWS] != NULL;
    j->desc.has_scale_cols = o->file[CT_GEMM_SCALE_COLS] != NULL;
    if (o->beta != 0) bad = read_c(o, j, error);
    for (int i = CT_GEMM_BIAS; i < CT_GEMM_FILES && !bad; ++i)
        if (o->file[i]) bad = read_vector(o->file[i], i, j, error);
    return bad;
}

static ct_status make_result(ct_gemm_job *j, char *error)
{
    int ok = 1;
    const int64_t bytes = ct_mul(ct_mul(j->m, j->n, &ok), j->type->result_bytes, &ok);
    j->on = (ct_gemm_operands){j->a.data,
                               j->b.data,
                               j->file[CT_GEMM_C].data,
                               ok ? malloc((size_t)bytes) : NULL,
                               j->file[CT_GEMM_BIAS].data,
                               j->file[CT_GEMM_SCALE_ROWS].data,
                               j->file[CT_GEMM_SCALE_COLS].data,
                               NULL};
    if (j->on.d) return CT_OK;
    return ct_refuse(error, CT_E_MEMORY, "not enough memory for a result of (%lld,%lld)",
                     (long long)j->m, (long long)j->n);
}

ct_status ct_gemm_prepare(const ct_gemm_options *o, ct_gemm_job *j, char *error)
{
    memset(j, 0, sizeof *j);
    ct_status bad = read_matrix(o->a, 0, &j->a, &j->desc.a, error);
    if (!bad) bad = read_matrix(o->b, !o->transpose_b, &j->b, &j->desc.b, error);
    if (!bad) bad = see_types(o, j, error);
    if (!bad) bad = see_extents(o, j, error);
    if (!bad) bad = describe(o, j, error);
    if (!bad) bad = choose(o, j, error);
    if (!bad) bad = ct_gemm_plan_create(&j->desc, &j->plan, error);
    return bad ? bad : make_result(j, error);
}

void ct_gemm_release(ct_gemm_job *j)
{
    ct_gemm_plan_destroy(j->plan);
    ct_npy_free(&j->a);
    ct_npy_free(&j->b);
    for (int i = 0; i < CT_GEMM_FILES; ++i) ct_npy_free(&j->file[i]);
    ct_cuda_close(j->gpu);
    free(j->on.d);
}
