/**
 * Reductions of register tensors along an axis of their tile, and rows broadcast back.
 *
 *     CT_REGISTERS(float, sum, ct_fragment_reduced(ct_fragment_of(in), 1)); // a value for each row
 *     ct_reduce(x, ct_op_sum, sum);                    // lanes of one warp hold each row
 *     ct_reduce(x, ct_op_sum, sum, memory);            // or several warps: ct_reduce_elems floats of shared memory
 *     CT_EACH(i, x) ct_put(x, i, ct_val(x, i) / ct_val_row(sum, x, i));
 *
 * A thread reduces its own values in the order of its registers, then lanes that hold parts of a row exchange theirs,
 * the lowest bit of their numbers first, then warps through shared memory, in their order. So all holders of a row have
 * the same bits, and each run has them. The function is of two floats, associative and commutative. Any register tensor
 * that has the same rows takes them by ct_val_row: the other product of an attention has those of its scores.
 *
 * Fails:    Rows of another register tensor, and rows in several warps without shared memory, are refused: at the
 *           kernel's line on the CPU grid, and when nvcc compiles it. The grid ends the launch at a race in the
 *           shared memory, and where warps reduce in a block of other threads than the register tensor's.
 * Cost:     A shuffle for each row of a thread and bit of the lanes' numbers. Across warps a store for each row, a load
 *           for each row and warp, and a barrier; memory that is used again needs a barrier before.
 * In a kernel:
 *           // args.src: in as a matrix (32,32):(32,1)
 *           CT_STATIC(ct_tiled_copy, rows,
 *                     ct_make_tiled_copy(ct_copy_atom_auto(32), ct_layout2(4, 8, 8, 1),
 *                                        ct_layout2(1, 4, 4, 1)));
 *           CT_STATIC(ct_partition, P, ct_make_partition(rows, ct_tuple2(8, 32), ct_in_global(1),
 *                                                        ct_in_registers()));
 *           CT_REGISTERS(float, x, P);
 *           CT_REGISTERS(float, max, ct_fragment_reduced(ct_fragment_of(P), 1));
 *           CT_REGISTERS(float, all, ct_fragment_reduced(max_as, 0));
 *           ct_copy(ct_view_tile(&args.src, &P, ct_index2(0, 0)), x);
 *           ct_reduce(x, ct_op_max, max);
 *           CT_EACH(i, max) assert(ct_val(max, i) == (float)(32 * ct_coord(max, i, 0) + 31));
 *           CT_EACH(i, x) assert(ct_val_row(max, x, i) >= ct_val(x, i));
 *           ct_reduce(max, ct_op_sum, all); // 31, 63, .. 255
 *           assert(ct_val(all, 0) == 8 * 31 + 32 * 28);
 *           CT_REGISTERS(float, min, max_as);
 *           ct_reduce(x, ct_op_min, min);
 *           CT_EACH(i, x) ct_put_row(max, x, i, ct_val_row(min, x, i));
 *           assert(ct_val(max, 0) == ct_val(max, 0) && ct_val(max, 1) == ct_val(min, 1));
 * Used by:  examples/tutorial/softmax.cu, examples/attention/attention.cu
 */
#ifndef CUTLET_DEVICE_REGISTER_REDUCTIONS_H
#define CUTLET_DEVICE_REGISTER_REDUCTIONS_H

#include <cutlet/device/arch/load_store.h>
#include <cutlet/device/arch/warp.h>
#include <cutlet/device/register/values.h>

/** A function of two floats by which ct_reduce reduces. */
typedef float (*ct_op_function)(float, float);

/** a + b. */
CT_DEVICE float ct_op_sum(float a, float b) { return a + b; }
/** The larger of two floats; the other one of a NaN. */
CT_DEVICE float ct_op_max(float a, float b)
{
#if defined(__CUDACC__)
    return fmaxf(a, b);
#else
    return a != a || b > a ? b : a;
#endif
}
/** The smaller of two floats; the other one of a NaN. */
CT_DEVICE float ct_op_min(float a, float b)
{
#if defined(__CUDACC__)
    return fminf(a, b);
#else
    return a != a || b < a ? b : a;
#endif
}

/** @internal Why r does not have the rows of x; CT_OK if it has. */
CT_FN ct_error ct_rows_refusal(const ct_fragment *r, const ct_fragment *x)
{
    const ct_error none = CT_ZERO;
    if (r->axis >= 0 && r->axis < x->axes && r->hash == x->rows[r->axis]) return none;
    return ct_make_error(CT_E_ARGUMENT, CT_OP_FRAGMENT, CT_WHY_FRAGMENT, 0, r->count, x->count);
}

/** @internal The same, and why lanes of one warp do not have all of a row. */
CT_FN ct_error ct_lanes_refusal(const ct_fragment *r, const ct_fragment *x)
{
    const ct_error e = ct_rows_refusal(r, x);
    if (e.status || ct_reduce_elems(r) == 0) return e;
    return ct_make_error(CT_E_ARGUMENT, CT_OP_FRAGMENT, CT_WHY_ROW_WARPS, 0, ct_reduce_elems(r), 0);
}

/** @internal The number in r of the row that value i of x is in. r: of ct_fragment_reduced, of x or of another register
 *  tensor that has its rows. */
CT_DEVICE int32_t ct_row_of(const ct_registers r, const ct_registers x, const int i)
{
    CT_REFUSE("row of a register tensor", ct_rows_refusal(r.as, x.as));
    return x.as->row[r.as->axis & 3][i];
}

/** The value of r in the row of value i of x. */
CT_DEVICE float ct_val_row(const ct_registers r, const ct_registers x, const int i)
{
    return ct_val(r, ct_row_of(r, x, i));
}

/** The value of r in the row of value i of x becomes v. */
CT_DEVICE void ct_put_row(const ct_registers r, const ct_registers x, const int i, float v)
{
    ct_put(r, ct_row_of(r, x, i), v);
}

/** r: for each row of x the values of this thread; the rest of ct_reduce is ct_reduce_lanes, of rows in one warp. */
CT_DEVICE void ct_reduce_own(const ct_registers x, ct_op_function op, const ct_registers r)
{
    const int axis = r.as->axis & 3;
    CT_EACH(i, x)
    if (x.as->coord[axis][i] == 0) ct_put_row(r, x, i, ct_val(x, i));
    CT_EACH(i, x)
    if (x.as->coord[axis][i] != 0) ct_put_row(r, x, i, op(ct_val_row(r, x, i), ct_val(x, i)));
}

/** r: over the lanes of a warp that hold other parts of the rows. */
CT_DEVICE void ct_reduce_lanes(const ct_registers r, ct_op_function op)
{
    const ct_digits *const d = &r.as->thread;
    CT_UNROLL for (int bit = 0; bit < 5; ++bit) CT_UNROLL for (int k = 0; k < d->count; ++k)
    {
        const ct_value_digit g = d->digit[k];
        if (g.axis != CT_AXIS_LOST || g.div > 1 << bit || g.div * g.mod <= 1 << bit) continue;
        CT_EACH(i, r)
        {
            const float own = ct_val(r, i);
            ct_put(r, i, op(own, __shfl_xor_sync(0xffffffffu, own, 1 << bit)));
        }
    }
}

/** @internal The number of this warp among those that have parts of its rows, how many these are, and whether this
 *  thread writes the warp's part: the first of the lanes that have it. */
CT_DEVICE int32_t ct_reduce_part(const ct_registers r, int32_t *parts, int *writes)
{
    const ct_digits *const d = &r.as->thread;
    int32_t part = 0;
    CT_UNROLL for (int k = 0; k < d->count; ++k)
    {
        const ct_value_digit g = d->digit[k];
        const uint32_t n = r.thread / (uint32_t)g.div % (uint32_t)g.mod;
        const int lanes = g.div >= 32 ? 1 : (int)ct_min(g.mod, 32 / g.div); /* of one warp */
        if (g.axis == CT_AXIS_NONE) *writes = *writes && n == 0;
        if (g.axis != CT_AXIS_LOST) continue;
        *writes = *writes && n % (uint32_t)lanes == 0;
        part += (int32_t)(n / (uint32_t)lanes) * *parts;
        *parts *= g.mod / lanes;
    }
    return part;
}

/** @internal The place of row i of this thread among the rows of the tile. */
CT_DEVICE int32_t ct_reduce_place(const ct_registers r, const int i)
{
    int32_t at = 0, step = 1;
    CT_UNROLL for (int a = 0; a < r.as->axes; ++a)
    {
        at += ct_coord(r, i, a) * step;
        step *= r.as->tile[a];
    }
    return at;
}

/** @internal r: over the warps that hold other parts of the rows. */
CT_DEVICE void ct_reduce_warps(const ct_registers r, ct_op_function op, float *shared)
{
    int32_t parts = 1, rows = 1;
    int on = 1;
    const int32_t part = ct_reduce_part(r, &parts, &on);
    CT_REFUSE("reduction across warps", ct_block_refusal(r.as->threads));
    CT_UNROLL for (int a = 0; a < r.as->axes; ++a) rows *= r.as->tile[a];
    CT_EACH(i, r)
    {
        const float own = ct_val(r, i);
        ct_store_shared_if(on, shared + part * rows + ct_reduce_place(r, i), &own, 32);
    }
    __syncthreads();
    CT_EACH(i, r)
    {
        float all = 0;
        CT_UNROLL for (int k = 0; k < parts; ++k)
        {
            float other = 0;
            ct_load_shared(&other, shared + k * rows + ct_reduce_place(r, i), 32);
            all = k == 0 ? other : op(all, other);
        }
        ct_put(r, i, all);
    }
}

/** @internal r = x reduced along the axis that r lacks, through ct_reduce_elems(r.as) floats of shared memory, if rows
 *  are in several warps; then all threads of the block call it. */
CT_DEVICE void ct_reduce_by(const ct_registers x, ct_op_function op, const ct_registers r,
                            float *shared)
{
    CT_REFUSE("reduction", shared ? ct_rows_refusal(r.as, x.as) : ct_lanes_refusal(r.as, x.as));
    ct_reduce_own(x, op, r);
    ct_reduce_lanes(r, op);
    if (ct_reduce_elems(r.as) > 0) ct_reduce_warps(r, op, shared);
}

#if CT_KNOWS
#define CT_KNOWN_ROWS(refusal, r, x) ct_two_are_known<refusal, decltype(r), decltype(x)>()
#define ct_val_row(r, x, i) (CT_KNOWN_ROWS(ct_rows_refusal, r, x), ct_val_row(r, x, i))
#define ct_put_row(r, x, i, v) (CT_KNOWN_ROWS(ct_rows_refusal, r, x), ct_put_row(r, x, i, v))
#define CT_REDUCE_3(x, op, r)                                                                      \
    (CT_KNOWN_ROWS(ct_lanes_refusal, r, x), ct_reduce_by(x, op, r, (float *)0))
#define CT_REDUCE_4(x, op, r, shared)                                                              \
    (CT_KNOWN_ROWS(ct_rows_refusal, r, x), ct_reduce_by(x, op, r, shared))
#else
#define ct_val_row(...) CT_CALL(ct_val_row, __VA_ARGS__)
#define ct_put_row(...) CT_CALL(ct_put_row, __VA_ARGS__)
#define CT_REDUCE_3(x, op, r) CT_CALL(ct_reduce_by, x, op, r, (float *)0)
#define CT_REDUCE_4(...) CT_CALL(ct_reduce_by, __VA_ARGS__)
#endif

#define ct_reduce_own(...) CT_CALL(ct_reduce_own, __VA_ARGS__)
#define ct_reduce_lanes(...) CT_CALL(ct_reduce_lanes, __VA_ARGS__)

/* ct_reduce(x, op, r), or ct_reduce(x, op, r, shared). */
#define CT_REDUCE_OF(a, b, c, d, which, ...) which
#define ct_reduce(...) CT_REDUCE_OF(__VA_ARGS__, CT_REDUCE_4, CT_REDUCE_3, 0)(__VA_ARGS__)

#endif
