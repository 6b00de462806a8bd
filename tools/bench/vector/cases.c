/* The cases of `cutlet-bench vector`, and their launches. */
#include "cases.h"

#include <string.h>

#include "kernels.h"

#define M (INT64_C(1) << 20)

/* Sizes for which figures were claimed. ReLU has none: it gets those of GELU. */
const vector_group vector_groups[] = {
    {"copy", "Copy of floats", 64 * M, 0, 0},
    {"relu", "ReLU of floats", 64 * M, 0, 0},
    {"gelu", "GELU of floats", 64 * M, 0, 0},
    {"half-relu", "ReLU of halves", 128 * M, 0, 0},
    {"bfloat16", "ReLU and GELU of bfloat16", 128 * M, 0, 0},
    {"sum", "Sum of floats", 256 * M, 0, 0},
    {"read", "Reading floats", 256 * M, 0, 0},
    {"layer-norm", "Layer norm", 512 * 4096, 4096, 1},
    {"layer-norm-large", "Layer norm", 65536 * 4096, 4096, 0},
};
const int32_t vector_group_count = sizeof vector_groups / sizeof *vector_groups;

#define NORM(group, kernel, about, type, access, over, claimed)                                    \
    {                                                                                              \
        group, kernel, about, VECTOR_NORM, VECTOR_##type, access, over, claimed, 0, 0              \
    }
#define NORMS(group, scalar, wide)                                                                 \
    NORM(group, "layer_norm_passes_float_scalar", "3 passes, 4 bytes", FLOAT, 4, 0, scalar),       \
        NORM(group, "layer_norm_passes_float", "3 passes, 16 bytes", FLOAT, 16, 1, wide),          \
        NORM(group, "layer_norm_float", "1 read, 16 bytes", FLOAT, 16, 2, 0),                      \
        NORM(group, "layer_norm_passes_half_scalar", "3 passes, 2 bytes", HALF, 2, 0, 0),          \
        NORM(group, "layer_norm_passes_half", "3 passes, 8 halves", HALF, 16, 1, 0),               \
        NORM(group, "layer_norm_half", "1 read, 8 halves", HALF, 16, 2, 0)

const vector_case vector_cases[] = {
    {"copy", "width_copy_4", "4 bytes", VECTOR_COPY, VECTOR_FLOAT, 4, 0, 1420, 0, 0},
    {"copy", "width_copy_8", "8 bytes", VECTOR_COPY, VECTOR_FLOAT, 8, 1, 1720, 0, 0},
    {"copy", "width_copy_16", "16 bytes", VECTOR_COPY, VECTOR_FLOAT, 16, 2, 1870, 0, 0},
    {"relu", "relu_float_scalar", "4 bytes", VECTOR_RELU, VECTOR_FLOAT, 4, 0, 0, 0, 0},
    {"relu", "relu_float", "16 bytes", VECTOR_RELU, VECTOR_FLOAT, 16, 1, 0, 0, 0},
    {"gelu", "gelu_float_scalar", "4 bytes", VECTOR_GELU, VECTOR_FLOAT, 4, 0, 1430, 142, 0},
    {"gelu", "gelu_float", "16 bytes", VECTOR_GELU, VECTOR_FLOAT, 16, 1, 1880, 108, 0},
    {"half-relu", "relu_half_scalar", "1 half", VECTOR_RELU, VECTOR_HALF, 2, 0, 920, 0, 0},
    {"half-relu", "relu_half_2", "2 halves", VECTOR_RELU, VECTOR_HALF, 4, 1, 1410, 0, 0},
    {"half-relu", "relu_half", "8 halves", VECTOR_RELU, VECTOR_HALF, 16, 2, 1840, 0, 0},
    {"bfloat16", "relu_bfloat16", "8 bfloat16", VECTOR_RELU, VECTOR_BFLOAT16, 16, 0, 0, 0, 0},
    {"bfloat16", "gelu_bfloat16", "8 bfloat16", VECTOR_GELU, VECTOR_BFLOAT16, 16, 0, 0, 0, 0},
    {"sum", "sum_float_scalar", "4 bytes", VECTOR_SUM, VECTOR_FLOAT, 4, 0, 1420, 288, 0},
    {"sum", "sum_float", "16 bytes", VECTOR_SUM, VECTOR_FLOAT, 16, 1, 1880, 218, 0},
    {"sum", "cub_sum", "CUB's DeviceReduce", VECTOR_SUM, VECTOR_FLOAT, 16, 2, 0, 0, 1},
    {"read", "read_float", "16 bytes", VECTOR_READ, VECTOR_FLOAT, 16, 0, 0, 0, 0},
    NORMS("layer-norm", 1180, 1720),
    NORMS("layer-norm-large", 0, 0),
};
const int32_t vector_case_count = sizeof vector_cases / sizeof *vector_cases;

const vector_group *vector_group_of(const vector_case *c)
{
    int32_t i = 0;
    while (strcmp(vector_groups[i].name, c->group) != 0) ++i;
    return &vector_groups[i];
}

int32_t vector_elem_bytes(const vector_case *c) { return c->type == VECTOR_FLOAT ? 4 : 2; }

int vector_adds(const vector_case *c) { return c->what == VECTOR_SUM || c->what == VECTOR_READ; }

int64_t vector_shift(const vector_case *c, int64_t asked)
{
    return vector_adds(c) || c->what == VECTOR_NORM ? 0 : asked;
}

int64_t vector_result_bytes(const vector_case *c, int64_t elements)
{
    if (c->what == VECTOR_READ) return 4 * read_blocks(elements);
    return c->what == VECTOR_SUM ? 4 : elements * vector_elem_bytes(c);
}

int64_t vector_moved_bytes(const vector_case *c, int64_t elements)
{
    const int64_t read = elements * vector_elem_bytes(c);
    return vector_adds(c) ? read : 2 * read;
}

/* ---- launches -------------------------------------------------------------------------------- */

static bench_launch launch_of(const char *kernel, int64_t blocks, int32_t threads, const void *args,
                              size_t args_bytes)
{
    return bench_launch_of(kernel, (ct_dim3){(uint32_t)blocks, 1, 1},
                           (ct_dim3){(uint32_t)threads, 1, 1}, 0, args, args_bytes);
}

static bench_launch sum_launch(const char *kernel, const void *x, float *y, int64_t elements,
                               int64_t blocks, int32_t threads)
{
    const sum_args args = {x, y, elements};
    return launch_of(kernel, blocks, threads, &args, sizeof args);
}

/* Copies are of bytes, the others of elements. */
static bench_launch elementwise_launch(const vector_case *c, const vector_arrays *a)
{
    const int32_t elem = c->what == VECTOR_COPY ? 1 : vector_elem_bytes(c);
    const int64_t count = c->what == VECTOR_COPY ? a->elements * vector_elem_bytes(c) : a->elements;
    const ct_layout flat = ct_layout1(count, 1);
    const ct_operand from = ct_make_operand(a->x, flat, elem);
    const ct_operand to = ct_make_operand(a->y, flat, elem);
    const ct_elementwise_args args = ct_make_elementwise(&from, 1, to, c->access);
    return launch_of(c->kernel, args.blocks, CT_ELEMENTWISE_THREADS, &args, sizeof args);
}

static bench_launch norm_launch(const vector_case *c, const vector_arrays *a)
{
    const layer_norm_args args = {a->x, a->gamma, a->beta, a->y, a->row, a->row, a->row, 1e-5f};
    return launch_of(c->kernel, a->elements / a->row, vector_kernel(c->kernel)->max_threads, &args,
                     sizeof args);
}

int32_t vector_launches(const vector_case *c, const vector_arrays *a, int32_t processors,
                        bench_launch out[2])
{
    float *const y = (float *)(void *)a->y;
    const int64_t n = a->elements;
    if (c->what == VECTOR_NORM) out[0] = norm_launch(c, a);
    if (c->what == VECTOR_READ)
        out[0] = sum_launch(c->kernel, a->x, y, n, read_blocks(n), READ_THREADS);
    if (!vector_adds(c) && c->what != VECTOR_NORM) out[0] = elementwise_launch(c, a);
    if (c->what != VECTOR_SUM) return 1;
    const int64_t blocks = ct_min(sum_blocks(n, processors), VECTOR_PARTS);
    out[0] = sum_launch(c->kernel, a->x, a->parts, n, blocks, SUM_THREADS);
    out[1] = sum_launch("sum_float", a->parts, y, blocks, 1, SUM_THREADS);
    return 2;
}
