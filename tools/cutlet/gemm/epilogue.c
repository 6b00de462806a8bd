/* cutlet gemm: what becomes of the product's elements: scales, C, a bias and an activation. */
#include <math.h>
#include <string.h>

#include "base/refuse.h"
#include "gemm.h"

#define WRONG(...) ct_refuse(error, CT_E_ARGUMENT, __VA_ARGS__)

static const char *const options[] = {"--bias", "--scale-rows", "--scale-cols"};

static ct_status read_vector(const char *path, int which, ct_gemm_job *j, char *error)
{
    ct_npy *const v = &j->vector[which];
    const int of_ints = j->type->type == CT_TYPE_INT8;
    const int64_t count = which == CT_GEMM_SCALE_ROWS ? j->m : j->n;
    const ct_status bad = ct_npy_read(path, v, error);
    if (bad) return bad;
    if (v->rank != 1)
        return WRONG("%.150s: an array of %d dimensions; %s has 1", path, v->rank, options[which]);
    if (v->kind != (of_ints ? 'i' : 'f') || v->elem_bytes != 4 || v->big_endian)
        return WRONG("%.150s: elements of type %.40s; with %s products %s has %s", path, v->descr,
                     j->type->name, options[which], of_ints ? "int32" : "float32");
    if (v->shape[0] == count) return CT_OK;
    return WRONG("%.150s has %lld elements, the product %lld %s", path, (long long)v->shape[0],
                 (long long)count, which == CT_GEMM_SCALE_ROWS ? "rows" : "columns");
}

ct_status ct_gemm_read_epilogue(const ct_gemm_options *o, ct_gemm_job *j, char *error)
{
    static const char *const names[] = {"none", "relu", "gelu", "silu"};
    const int of_ints = j->type->type == CT_TYPE_INT8;
    ct_status bad = CT_OK;
    j->activation = o->activation;
    if (of_ints && (o->vector[CT_GEMM_SCALE_ROWS] || o->vector[CT_GEMM_SCALE_COLS]))
        return WRONG("%s multiplies floats; the result of int8 is int32",
                     options[o->vector[CT_GEMM_SCALE_ROWS] ? 1 : 2]);
    if (of_ints && o->activation > GEMM_RELU)
        return WRONG("--activation %s is of floats; the result of int8 is int32, which has relu",
                     names[o->activation]);
    for (int i = 0; i < CT_GEMM_VECTORS && !bad; ++i)
        if (o->vector[i]) bad = read_vector(o->vector[i], i, j, error);
    return bad;
}

gemm_epilogue ct_gemm_epilogue(const ct_gemm_job *j, void *const *at)
{
    gemm_epilogue e = {0,
                       j->activation,
                       j->m,
                       j->n,
                       at[CT_GEMM_BIAS],
                       at[CT_GEMM_SCALE_ROWS],
                       at[CT_GEMM_SCALE_COLS]};
    e.is_on = e.bias || e.scale_rows || e.scale_cols || e.activation != GEMM_NO_ACTIVATION;
    return e;
}

/* Element i of a vector of floats; `other` of one that is not there. */
static double element(const ct_gemm_job *j, int which, int64_t i, double other)
{
    const float *const data = j->vector[which].data;
    return data ? (double)data[i] : other;
}

static int64_t place_in_c(const ct_gemm_job *j, const int64_t *at)
{
    return at[0] * j->c.layout.stride[0] + at[1] * j->c.layout.stride[1];
}

double ct_gemm_factor(const ct_gemm_job *j, const int64_t *at)
{
    return element(j, CT_GEMM_SCALE_ROWS, at[0], 1) * element(j, CT_GEMM_SCALE_COLS, at[1], 1) *
           (double)j->alpha;
}

double ct_gemm_addend(const ct_gemm_job *j, const int64_t *at)
{
    const double bias = element(j, CT_GEMM_BIAS, at[1], 0);
    if (j->beta == 0) return bias;
    return (double)j->beta * ct_gemm_value(j->c.file.data, place_in_c(j, at), j->type->type) + bias;
}

int32_t ct_gemm_integer(const ct_gemm_job *j, const int64_t *at, uint32_t sum)
{
    const uint32_t *const c = j->c.file.data, *const bias = j->vector[CT_GEMM_BIAS].data;
    uint32_t x = (uint32_t)(int32_t)j->alpha * sum;
    if (j->beta != 0) x += (uint32_t)(int32_t)j->beta * c[place_in_c(j, at)];
    if (bias) x += bias[at[1]];
    return j->activation == GEMM_RELU && (int32_t)x < 0 ? 0 : (int32_t)x;
}

double ct_gemm_activated(int32_t activation, double x)
{
    const double root = 0.79788456080286536; /* of 2 / pi */
    switch (activation) {
        case GEMM_RELU: return x < 0 ? 0 : x;
        case GEMM_GELU: return x / (1 + exp(-2 * root * (x + 0.044715 * x * x * x)));
        case GEMM_SILU: return x / (1 + exp(-x));
        default: return x;
    }
}
