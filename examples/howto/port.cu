/* The same work three times: dst = factor * src for a matrix of floats, from a kernel with pointers
 * to one with partitions. */
#include <cutlet/device/copy/copy.h>
#include <cutlet/device/register/values.h>
#include <cutlet/device/kernel/static.h>

/* part: pointers */
typedef struct pointer_args {
    const float *src;
    float *dst;
    int m, n;
    float factor;
} pointer_args;

CT_KERNEL_THREADS(by_pointers, 256, pointer_args, args)
{
    const int i = 8 * (int)blockIdx.y + (int)threadIdx.x / 32;
    const int j = 32 * (int)blockIdx.x + (int)threadIdx.x % 32;
    if (i < args.m && j < args.n) args.dst[i * args.n + j] = args.factor * args.src[i * args.n + j];
}
/* part: atoms */
CT_KERNEL_THREADS(by_atoms, 256, pointer_args, args)
{
    const int i = 8 * (int)blockIdx.y + (int)threadIdx.x / 32;
    const int j = 32 * (int)blockIdx.x + (int)threadIdx.x % 32;
    const int inside = i < args.m && j < args.n;
    float x = 0;
    ct_load_global_if(inside, &x, args.src + i * args.n + j, 32);
    x *= args.factor;
    ct_store_global_if(inside, args.dst + i * args.n + j, &x, 32);
}
/* part: partitions */
typedef struct tensor_args {
    ct_global src, dst; /* (m,n), any steps: ct_make_global */
    float factor;
} tensor_args;

CT_KERNEL_THREADS(by_partitions, 256, tensor_args, args)
{
    CT_STATIC(
        ct_tiled_copy, threads, /* 32 rows of 8 threads, four floats each */
        ct_make_tiled_copy(ct_copy_atom_auto(32), ct_layout2(32, 8, 8, 1), ct_layout2(1, 4, 1, 1)));
    CT_STATIC(ct_partition, in,
              ct_make_partition(threads, ct_tuple2(32, 32), ct_in_global(1), ct_in_registers()));
    CT_STATIC(ct_partition, out,
              ct_make_partition(threads, ct_tuple2(32, 32), ct_in_registers(), ct_in_global(1)));
    CT_REGISTERS(float, x, in);
    const ct_index tile = ct_index2(blockIdx.y, blockIdx.x);
    ct_copy(ct_view_tile(&args.src, &in, tile), x);
    CT_EACH(k, x) ct_put(x, k, args.factor * ct_val(x, k));
    ct_copy(x, ct_view_tile(&args.dst, &out, tile));
}
/* end */
