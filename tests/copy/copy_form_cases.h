/**
 * Accesses of every width, cp.async and matrices by the one copy, for whoever runs kernels: tensors
 * that are whole tiles, that end within one, and that lie at addresses that no access divides.
 * Outside of the source there are zeros; outside of the destination nothing is written.
 */
#ifndef TESTS_COPY_FORM_CASES_H
#define TESTS_COPY_FORM_CASES_H

#include "copy_atom_cases.h"
#include "copy_forms.cu"

typedef struct form_case {
    const ct_grid_kernel *kernel;
    int elem_bits, rows, cols, threads; /* of a tile, of a block */
    int bits, kind; /* of an access to global memory, and of those that load; 0: unsaid */
} form_case;

#define UNIVERSAL_FORM(name, bits, elem_bits)                                                      \
    {                                                                                              \
        &name##_##bits, elem_bits, 32, 8 * bits / elem_bits, 64, bits, CT_ACCESS_LDG               \
    }
#define UNIVERSAL_FORMS(bits, elem_bits)                                                           \
    UNIVERSAL_FORM(copy_shared, bits, elem_bits), UNIVERSAL_FORM(copy_registers, bits, elem_bits), \
        UNIVERSAL_FORM(copy_in_order, bits, elem_bits)
#define MATRIX_FORM(name, n, elem_bits, rows)                                                      \
    {                                                                                              \
        &name##_##n##_of_##elem_bits, elem_bits, (n) * (rows), 512 / elem_bits, 32, 0, 0           \
    }
#define MATRIX_FORMS(name, elem_bits, rows)                                                        \
    MATRIX_FORM(name, 1, elem_bits, rows), MATRIX_FORM(name, 2, elem_bits, rows),                  \
        MATRIX_FORM(name, 4, elem_bits, rows)
static const form_case FORMS[] = {
    UNIVERSAL_FORMS(8, 8),
    UNIVERSAL_FORMS(16, 8),
    UNIVERSAL_FORMS(32, 16),
    UNIVERSAL_FORMS(64, 16),
    UNIVERSAL_FORMS(128, 16),
    UNIVERSAL_FORM(copy_registers, 256, 16),
    UNIVERSAL_FORM(copy_in_order, 256, 16),
    {&copy_async_ca_4, 8, 32, 32, 64, 32, CT_ACCESS_LDGSTS},
    {&copy_async_ca_8, 16, 32, 32, 64, 64, CT_ACCESS_LDGSTS},
    {&copy_async_ca_16, 32, 32, 32, 64, 128, CT_ACCESS_LDGSTS},
    {&copy_async_cg_16, 16, 32, 64, 64, 128, CT_ACCESS_LDGSTS_CG},
    MATRIX_FORMS(copy_ldmatrix, 8, 8),
    MATRIX_FORMS(copy_ldmatrix, 32, 16),
    MATRIX_FORMS(copy_stmatrix, 8, 8),
    MATRIX_FORMS(copy_stmatrix, 32, 16),
};

/* What a test looks at after a case of whole, aligned tiles. */
typedef void after_form(const form_case *c);

/* Row-major matrices, rows a multiple of `apart` elements apart, first elements `shift` elements
 * away from a multiple of 256 bytes. */
typedef struct form_size {
    int64_t src_rows, src_cols, dst_rows, dst_cols;
    int spacing, shift;
} form_size;

static tensor form_tensor(int64_t rows, int64_t cols, const form_size *z, int elem_bits)
{
    const int64_t ld = ct_ceil_div_int(cols, z->spacing) * z->spacing;
    const tensor t =
        make_tensor(ct_layout2(rows, cols, ld, 1), elem_bits, z->shift * elem_bits / 8);
    for (size_t i = 0; i < t.bytes; ++i)
        begin(&t)[i] = (unsigned char)(1 + random_to(254)); /* no zeros */
    return t;
}

static void run_form(const form_case *c, form_size z, run_launch *run, after_form *after)
{
    tensor src = form_tensor(z.src_rows, z.src_cols, &z, c->elem_bits);
    tensor dst = form_tensor(z.dst_rows, z.dst_cols, &z, c->elem_bits);
    const size_t bytes = (size_t)c->elem_bits / 8;
    unsigned char *const right = memory_like(&dst);
    for (int64_t k = 0; k < z.dst_rows * z.dst_cols; ++k) {
        const int64_t i = k % z.dst_rows, j = k / z.dst_rows;
        unsigned char *const to = right + (begin(&dst) - dst.memory) + bit_of(&dst, k) / 8;
        if (i < z.src_rows && j < z.src_cols)
            memcpy(to, begin(&src) + (size_t)(i * src.layout.stride[0] + j) * bytes, bytes);
        else memset(to, 0, bytes);
    }
    copy_atoms_args args = {.src = global_of(&src), .dst = global_of(&dst)};
    const int whole = z.src_rows % c->rows == 0 && z.src_cols % c->cols == 0 &&
                      z.dst_rows % c->rows == 0 && z.dst_cols % c->cols == 0 && z.shift == 0 &&
                      z.spacing >= 16;
    launch l = make_launch(
        c->kernel,
        grid_of(ct_ceil_div_int(z.dst_cols, c->cols), ct_ceil_div_int(z.dst_rows, c->rows), 1),
        c->threads, 0, &args);
    add_sides(&l, &src, &args.src, &dst, &args.dst);
    run_well(&l, run);
    if (whole && c->bits && after) after(c);
    const int64_t wrong = wrong_byte(&dst, right);
    if (wrong != ALL_RIGHT)
        fail_msg("%s, %lld x %lld to %lld x %lld, apart %d, shift %d: byte %lld is wrong",
                 c->kernel->name, (long long)z.src_rows, (long long)z.src_cols,
                 (long long)z.dst_rows, (long long)z.dst_cols, z.spacing, z.shift,
                 (long long)wrong);
    drop(&src);
    drop(&dst);
    free(right);
}

static void every_form(run_launch *run, after_form *after)
{
    for (int k = 0; k < LENGTH(FORMS); ++k) {
        const form_case *const c = &FORMS[k];
        const int64_t m = c->rows, n = c->cols;
        const form_size sizes[] = {
            {m, n, m, n, 32, 0},                 /* whole tiles */
            {2 * m, 3 * n, 2 * m, 3 * n, 64, 0}, /* rows apart */
            {m + 3, n + 5, 2 * m, 2 * n, 32, 0}, /* the source ends within a tile, and an access */
            {m - 1, n - 1, m, n, 32, 0},         /* and within the first one */
            {2 * m, 2 * n, m + 3, n + 5, 32, 0}, /* the destination does */
            {m + 2, n + 1, m + 5, n + 3, 32, 0}, /* both do */
            {7, 3, m + 1, n + 1, 1, 0},          /* rows at any address */
            {m + 3, n + 3, 2 * m, 2 * n, 32, 1}, /* tensors at any address */
            {m, n, m, n, 32, 1},                 /* whole tiles, not aligned */
        };
        for (int z = 0; z < LENGTH(sizes); ++z) run_form(c, sizes[z], run, after);
    }
}

#endif
