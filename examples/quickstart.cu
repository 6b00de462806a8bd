/* The transpose of a matrix of floats, explained in docs/quickstart.md. nvcc compiles it for a GPU, a C
 * compiler for the CPU grid. */
#define CT_COPY_BLOCKS CT_UNROLL /* few: their offsets are constants of the code */
#include <cutlet/device/copy/copy.h>
#include <cutlet/device/kernel/static.h>
#include <cutlet/algebra/read.h>

/* part: kernel */
typedef struct transpose_args {
    ct_global src, dst; /* made and checked on the host */
} transpose_args;

CT_KERNEL_THREADS(transpose, 256, transpose_args, args)
{
    /* (m,n) -> thread and (m,n) -> value: 4 x 4 floats for each thread along the rows, 4 x 1 along the
     * columns; accesses are as wide as each side allows */
    CT_STATIC(ct_copy_atom, widest, ct_copy_atom_auto(32));
    CT_STATIC(ct_tiled_copy, rows,
              ct_make_tiled_copy(widest, ct_read("(16,16):(16,1)"), ct_read("(4,4)")));
    CT_STATIC(ct_tiled_copy, columns,
              ct_make_tiled_copy(widest, ct_read("(16,16):(1,16)"), ct_read("(4,1)")));
    CT_STATIC(ct_tensor, tile,
              ct_make_swizzled(ct_make_swizzle(3, 2, 6), 0, ct_read("(64,64):(1,64)")));
    /* the source is contiguous along axis 1, the destination along axis 0 */
    CT_STATIC(ct_partition, in,
              ct_make_partition(rows, ct_tuple2(64, 64), ct_in_global(1), ct_in_shared(tile)));
    CT_STATIC(ct_partition, out,
              ct_make_partition(columns, ct_tuple2(64, 64), ct_in_shared(tile), ct_in_global(0)));
    CT_SHARED(float, memory, 64 * 64);
    const ct_index x = ct_index2(blockIdx.y, blockIdx.x);
    ct_copy(ct_view_tile(&args.src, &in, x), ct_view_shared(memory));
    __syncthreads();
    ct_copy(ct_view_shared(memory), ct_view_tile(&args.dst, &out, x));
}

/* end */
#include <stdio.h>
#include <stdlib.h>

enum { M = 1000, N = 777 };

/* part: arguments */
/* dst(i,j) = src(i,j); src is row-major, dst column-major. */
static transpose_args make_args(const float *src, float *dst)
{
    transpose_args args = CT_ZERO;
    args.src = ct_make_global(src, 32, ct_layout2(M, N, N, 1));
    args.dst = ct_make_global(dst, 32, ct_layout2(M, N, 1, M));
    return args;
}

/* end */
static int check(const float *src, const float *dst)
{
    for (int i = 0; i < M; ++i)
        for (int j = 0; j < N; ++j)
            if (dst[i + j * M] != src[i * N + j]) return printf("wrong at (%d,%d)\n", i, j), 1;
    return printf("%d x %d floats transposed\n", M, N), 0;
}

#if defined(__CUDACC__)

/* part: gpu */
int main(void)
{
    const size_t bytes = sizeof(float) * M * N;
    float *const src = (float *)malloc(bytes), *const dst = (float *)malloc(bytes);
    float *on_gpu_src = NULL, *on_gpu_dst = NULL;
    for (int i = 0; i < M * N; ++i) src[i] = (float)i;
    cudaError_t e = cudaMalloc(&on_gpu_src, bytes);
    if (!e) e = cudaMalloc(&on_gpu_dst, bytes);
    if (!e) e = cudaMemcpy(on_gpu_src, src, bytes, cudaMemcpyHostToDevice);
    const transpose_args args = make_args(on_gpu_src, on_gpu_dst);
    if (!e) transpose<<<dim3((N + 63) / 64, (M + 63) / 64), 256>>>(args);
    if (!e) e = cudaGetLastError();
    if (!e) e = cudaMemcpy(dst, on_gpu_dst, bytes, cudaMemcpyDeviceToHost);
    if (e) return fprintf(stderr, "CUDA: %s\n", cudaGetErrorString(e)), 2;
    return check(src, dst);
}

/* end */
#else

/* part: grid */
#include <cutlet/host/grid.h>

int main(void)
{
    static float src[M * N], dst[M * N];
    for (int i = 0; i < M * N; ++i) src[i] = (float)i;
    const transpose_args args = make_args(src, dst);
    const ct_grid_buffer buffers[] = {{"src", src, sizeof src, 0, 0},
                                      {"dst", dst, sizeof dst, 1, 0}};
    const ct_grid_options options = {.buffers = buffers, .buffer_count = 2};
    const ct_dim3 grid = {(N + 63) / 64, (M + 63) / 64, 1}, block = {256, 1, 1};
    ct_grid_report report = {0};
    const int bad =
        ct_grid_launch(&transpose, grid, block, 0, &args, sizeof args, &options, &report);
    if (bad) fprintf(stderr, "%s\n", report.message);
    ct_grid_report_free(&report);
    return bad ? 2 : check(src, dst);
}

/* end */
#endif
