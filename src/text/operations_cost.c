/* What accesses cost, for assertions. */
#include <string.h>

#include <cutlet/algebra/swizzle.h>
#include <cutlet/host/traffic.h>
#include "operations.h"

enum { LANES = 32, ROWS_LOOKED_AT = 4096 };

static const char *const reads[CT_READ_COUNT] = {"rows", "columns", "ldmatrix", "ldmatrix_trans"};

int ct_read_named(const char *name)
{
    for (int i = 0; i < CT_READ_COUNT; ++i)
        if (strcmp(reads[i], name) == 0) return i;
    return -1;
}

/* How many elements lie together from the first on, along the mode of a read; `enough` end the count. */
static int64_t run_of(const ct_tensor *t, int along_n, int64_t enough)
{
    const int64_t step = along_n ? ct_size(ct_mode(t->layout, 0)) : 1;
    const int64_t extent = ct_min(ct_size(ct_mode(t->layout, along_n)), enough);
    const int64_t first = ct_swizzle_apply(t->swizzle, t->offset.value[0] + ct_eval(t->layout, 0));
    int64_t n = 1;
    while (n < extent &&
           ct_swizzle_apply(t->swizzle, t->offset.value[0] + ct_eval(t->layout, n * step)) ==
               first + n)
        ++n;
    return n;
}

/* Why the lanes do not take rows that are long enough: how many lie along a mode, or where one begins. */
static ct_error lanes_error(const ct_tensor *t, int mode, int64_t moved)
{
    const ct_layout L = t->layout;
    const int64_t n = ct_size(ct_mode(L, mode)), step = mode ? ct_size(ct_mode(L, 0)) : 1;
    if (n % LANES != 0 && LANES % n != 0)
        return ct_make_error(CT_E_ARGUMENT, CT_OP_COPY_ATOM, CT_WHY_DIVIDE, mode, n, LANES);
    for (int64_t i = 0; i < n && i < ROWS_LOOKED_AT; ++i) {
        const int64_t at = t->offset.value[0] + ct_eval(L, i * step);
        if (at % moved != 0)
            return ct_make_error(CT_E_ARGUMENT, CT_OP_COPY_ATOM, CT_WHY_ALIGNMENT, mode, at, moved);
    }
    return ct_make_error(CT_E_ARGUMENT, CT_OP_COPY_ATOM, CT_WHY_CONTIGUOUS, 0, moved, 1);
}

/* Why a tile cannot be read so. */
static ct_error read_error(const ct_traffic_side *side, int read)
{
    const ct_layout L = side->memory.layout;
    if (L.err.status) return L.err;
    if (read < 0)
        return ct_make_error(CT_E_ARGUMENT, CT_OP_COPY_ATOM, CT_WHY_ATOM, -1, side->elem_bits, 0);
    if (ct_layout_rank(L) != 2)
        return ct_make_error(CT_E_ARGUMENT, CT_OP_COPY_ATOM, CT_WHY_RANK, 0, 2, ct_layout_rank(L));
    const int bits = side->elem_bits, matrix = read >= CT_READ_LDMATRIX;
    if (bits < 8 || bits > 128 || (bits & (bits - 1)))
        return ct_make_error(CT_E_ARGUMENT, CT_OP_COPY_ATOM, CT_WHY_VALUES, 0, bits, 0);
    if (!ct_is_integral(L) || !ct_offset_is_integer(&side->memory.offset))
        return ct_make_error(CT_E_ARGUMENT, CT_OP_COPY_ATOM, CT_WHY_NOT_INTEGER, 0, 0, 0);
    const int along_n = read == CT_READ_ROWS || read == CT_READ_LDMATRIX;
    const int64_t moved = matrix ? 128 / bits : 1;
    const int64_t run = run_of(&side->memory, along_n, moved);
    return run < moved
               ? ct_make_error(CT_E_ARGUMENT, CT_OP_COPY_ATOM, CT_WHY_CONTIGUOUS, 0, moved, run)
               : lanes_error(&side->memory, matrix ? !along_n : along_n, moved);
}

/* The bank conflicts of a read of a tile; an error where it cannot be read so. */
static void run_conflicts(const ct_value *arg, int count, ct_value *out)
{
    (void)count;
    const int read = ct_read_named(arg[2].as.name);
    const ct_traffic_side side = {
        .kind = CT_ACCESS_LDS,
        .memory = arg[0].as.tensor,
        .elem_bits = (int32_t)ct_min(ct_max(ct_arg_int(&arg[1]), INT32_MIN), INT32_MAX)};
    ct_traffic sum;
    int32_t bits = 0;
    if (ct_traffic_of_read(&side, read, &bits, NULL, NULL, NULL, &sum, NULL))
        ct_give_error(out, read_error(&side, read));
    else ct_give_tuple(out, ct_int(sum.conflicts));
}

const ct_operation ct_operations_cost[] = {
    CT_OPERATION_OWN(
        "conflicts", "Xin", run_conflicts, ct_traffic_of_read,
        "bank conflicts of reading a tile in shared memory: (tile, bits of an element, rows, "
        "columns, ldmatrix or ldmatrix_trans)"),
    {0},
};
