/* Reverses each 128 floats by way of shared memory. Three mistakes can be made on purpose. */
#include <cutlet/device/arch/atoms.h>
#include <cutlet/device/kernel/kernel.h>

enum { NO_MISTAKE, NO_BARRIER, NO_TEST_OF_N, TOO_WIDE };

/* part: kernel */
typedef struct reverse_args {
    const float *src;
    float *dst;
    int n, mistake;
} reverse_args;

CT_KERNEL_THREADS(reverse, 128, reverse_args, args)
{
    CT_SHARED(float, tile, 128);
    const int t = (int)threadIdx.x, i = 128 * (int)blockIdx.x + t;
    const int inside = i < args.n || args.mistake == NO_TEST_OF_N;
    CT_FRAGMENT(float, x, 4) = {0, 0, 0, 0};
    ct_load_global_if(inside, x, args.src + i, args.mistake == TOO_WIDE ? 128 : 32);
    ct_store_shared(tile + t, x, 32);
    if (args.mistake != NO_BARRIER) __syncthreads();
    ct_load_shared(x, tile + 127 - t, 32);
    ct_store_global_if(i < args.n, args.dst + i, x, 32);
}
/* end */
