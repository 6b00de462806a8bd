// What a kernel gets from layouts that are known when it is compiled: constants and a few shifts.
// arch sm_80

#include <cutlet/cutlet.h>

// The algebra leaves nothing behind but its result.
// gate composed_layout
// gate composed_layout, instructions <= 8
// gate composed_layout, registers <= 16
extern "C" __global__ void composed_layout(int64_t *out)
{
    CT_CONST ct_layout A = ct_make_col_major(ct_int(64));
    CT_CONST ct_layout B = ct_logical_divide(A, ct_make_row_major(ct_int(8)));
    CT_CONST int64_t size = ct_size(ct_composition(A, B));
    *out = size + ct_cosize(B);
}

// A layout at a thread's index: sizes that are powers of two become shifts and masks.
// gate evaluated
// gate evaluated, instructions <= 30
// gate evaluated, registers <= 16
extern "C" __global__ void evaluated(float *out, const float *in)
{
    CT_CONST ct_layout L = ct_make_layout2(ct_layout2(4, 8, 1, 64), ct_layout2(2, 4, 4, 8));
    const unsigned t = threadIdx.x;
    out[t] = in[ct_eval(L, t)];
}

// The same where both modes are given.
// gate evaluated_by_mode
// gate evaluated_by_mode, instructions <= 20
extern "C" __global__ void evaluated_by_mode(float *out, const float *in)
{
    CT_CONST ct_layout L = ct_layout2(16, 32, 32, 1);
    out[threadIdx.x + 16 * threadIdx.y] = in[ct_eval2(L, threadIdx.x, threadIdx.y)];
}

// A fixed coordinate, a swizzle: no memory, no search.
// gate swizzled
// gate swizzled, instructions <= 24
extern "C" __global__ void swizzled(float *out, const float *in)
{
    CT_CONST ct_tensor C =
        ct_make_swizzled(ct_make_swizzle(3, 2, 3), 0, ct_make_row_major(ct_tuple2(8, 32)));
    out[threadIdx.x] = in[ct_tensor_eval(C, threadIdx.x)];
}

// The elements of a thread when threads cover a tile again and again.
// gate partitioned
// gate partitioned, count ld.global >= 16
// gate partitioned, instructions <= 56
extern "C" __global__ void partitioned(float *out, const float *in)
{
    CT_CONST ct_layout data = ct_layout2(32, 64, 64, 1), thr = ct_layout2(8, 16, 16, 1);
    CT_CONST ct_layout part =
        ct_local_partition(ct_make_tensor(data), thr, 0).layout; /* the same for every thread */
    const unsigned t = threadIdx.x;
    const float *from = in + ct_eval2(data, t / 16, t % 16);
    float *to = out + ct_eval2(data, t / 16, t % 16);
#pragma unroll
    for (int i = 0; i < ct_size(part); ++i) to[ct_eval(part, i)] = from[ct_eval(part, i)];
}

// The tile of a block: one product for each block index.
// gate tiled
// gate tiled, instructions <= 26
extern "C" __global__ void tiled(float *out, const float *in)
{
    CT_CONST ct_layout data = ct_layout2(1024, 1024, 1024, 1);
    CT_CONST ct_layout z = ct_zipped_divide_by(data, ct_tiler_of_shape(ct_tuple2(16, 32)));
    CT_CONST ct_layout tile = ct_mode(z, 0), rest = ct_mode(z, 1);
    const int64_t first = ct_eval2(rest, blockIdx.x, blockIdx.y);
    const int64_t at = first + ct_eval2(tile, threadIdx.y, threadIdx.x);
    out[at] = in[at];
}

// The slice of a thread of a tiled copy: the values at constant distances, 128 bits at once.
// gate thread_slices
// gate thread_slices, count ld.global.v4 >= 4
// gate thread_slices, count st.global.v4 >= 4
// gate thread_slices, instructions <= 30
// gate thread_slices, registers <= 40
extern "C" __global__ void thread_slices(uint16_t *out, const uint16_t *in)
{
    CT_CONST ct_layout data = ct_layout2(64, 64, 64, 1);
    CT_CONST ct_tiled_copy tc = ct_make_tiled_copy(ct_copy_atom_universal(128, 16),
                                                   ct_layout2(16, 8, 8, 1), ct_layout2(1, 8, 1, 1));
    CT_CONST ct_layout part = ct_partition_src(tc, ct_make_tensor(data), 0).layout;
    CT_CONST ct_layout base = ct_mode(
        ct_composition_by(ct_zipped_divide_by(data, tc.tiler), ct_tiler2(tc.tv, ct_tile_any())), 0);
    CT_CONST ct_layout thread = ct_mode(base, 0);
    CT_CONST int64_t vector = ct_atom_vector(tc.atom), values = ct_size(part);
    static_assert(vector == 8 && values == 32, "four accesses for each thread");
    const int64_t first = ct_eval(thread, threadIdx.x);
#pragma unroll
    for (int i = 0; i < values; i += vector) {
        const int64_t at = first + ct_eval(part, i);
        *(uint4 *)(out + at) = *(const uint4 *)(in + at);
    }
}

// An error is a constant too: nothing of the failed operation is left, only its status.
// gate failed_operation
// gate failed_operation, instructions <= 8
extern "C" __global__ void failed_operation(int *out)
{
    CT_CONST ct_layout R = ct_composition(ct_layout2(4, 2, 1, 8), ct_layout1(3, 3));
    *out = R.err.status * 100 + R.err.why;
}

// A leading dimension known only at run time: a thread's values have constant coordinates, each
// costs at most one multiplication with the stride.
// gate run_time_stride
// gate run_time_stride, count ld.global.v4 >= 4
// gate run_time_stride, count mul.*\.s?u?64|mul\.wide|mad <= 2
// gate run_time_stride, instructions <= 40
extern "C" __global__ void run_time_stride(uint16_t *out, const uint16_t *in, int64_t ld)
{
    CT_CONST ct_tiled_copy tc = ct_make_tiled_copy(ct_copy_atom_universal(128, 16),
                                                   ct_layout2(16, 8, 8, 1), ct_layout2(1, 8, 1, 1));
    CT_CONST ct_layout row =
        ct_partition_src(tc, ct_make_tensor(ct_layout2(64, 64, 1, 0)), 0).layout;
    CT_CONST ct_layout col =
        ct_partition_src(tc, ct_make_tensor(ct_layout2(64, 64, 0, 1)), 0).layout;
    const int64_t first = threadIdx.x / 8 * ld + threadIdx.x % 8 * 8;
#pragma unroll
    for (int i = 0; i < ct_size(row); i += 8) {
        const int64_t at = first + ct_eval(row, i) * ld + ct_eval(col, i);
        *(uint4 *)(out + at) = *(const uint4 *)(in + at);
    }
}
