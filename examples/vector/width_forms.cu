/* Copies by width of access in two other forms: what a thread does besides matters too.
 *
 * width_copy.cu gives each thread 16 bytes, however narrow its accesses. Here a thread of
 * width_one_W moves one vector of W bytes and is done, so that narrow accesses take more threads;
 * and a thread of width_loop_W strides through the array, as many blocks as the device holds at
 * once, one access at a time.
 *
 * Both addresses are multiples of W: whoever launches looks (width_is_aligned). The bytes after
 * the last vector are moved one by one, by the first block. */
#include <cutlet/device/copy/copy.h>
#include <cutlet/device/kernel/static.h>

#include "vector.h"

/* part: forms */
CT_FN ct_partition width_vector(int32_t bytes)
{
    return vector_partition(bytes, 8, ct_in_global(0), ct_in_global(0));
}

CT_DEVICE void width_move(const ct_partition *P, const width_args *args, int64_t i)
{
    ct_copy(P, vector_at(P, &P->src, &args->src, i), vector_at(P, &P->dst, &args->dst, i));
}

/* The bytes after the vectors, fewer than a block has threads. */
CT_DEVICE void width_rest(const width_args *args, int64_t vectors, const int bytes)
{
    CT_STATIC(ct_partition, byte, width_vector(1));
    const int64_t i = vectors * bytes + threadIdx.x;
    if (blockIdx.x == 0 && i < args->src.extent[0]) width_move(&byte, args, i);
}

#define WIDTH_ONE(width)                                                                           \
    CT_KERNEL_THREADS(width_one_##width, WIDTH_ONE_THREADS, width_args, args)                      \
    {                                                                                              \
        CT_STATIC(ct_partition, vector, width_vector(width));                                      \
        const int64_t vectors = args.src.extent[0] / width;                                        \
        const int64_t i = (int64_t)blockIdx.x * WIDTH_ONE_THREADS + threadIdx.x;                   \
        if (i < vectors) width_move(&vector, &args, i);                                            \
        width_rest(&args, vectors, width);                                                         \
    }
#define WIDTH_LOOP(width)                                                                          \
    CT_KERNEL_RESIDENT(width_loop_##width, WIDTH_LOOP_THREADS, WIDTH_LOOP_RESIDENT, width_args,    \
                       args)                                                                       \
    {                                                                                              \
        CT_STATIC(ct_partition, vector, width_vector(width));                                      \
        const int64_t vectors = args.src.extent[0] / width;                                        \
        const int64_t threads = (int64_t)gridDim.x * WIDTH_LOOP_THREADS;                           \
        int64_t i = (int64_t)blockIdx.x * WIDTH_LOOP_THREADS + threadIdx.x;                        \
        CT_ROLL for (; i < vectors; i += threads) width_move(&vector, &args, i);                   \
        width_rest(&args, vectors, width);                                                         \
    }
/* end */
WIDTH_ONE(1)
WIDTH_ONE(2)
WIDTH_ONE(4)
WIDTH_ONE(8)
WIDTH_ONE(16)
WIDTH_LOOP(1)
WIDTH_LOOP(2)
WIDTH_LOOP(4)
WIDTH_LOOP(8)
WIDTH_LOOP(16)
