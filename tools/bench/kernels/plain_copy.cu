/* The simplest copy: each thread moves 16 bytes once. It is the baseline for tiled copies. */
#include <cutlet/device/arch/load_store.h>
#include "plain_copy.h"

CT_KERNEL_THREADS(ct_plain_copy, CT_PLAIN_COPY_THREADS, ct_plain_copy_args, args)
{
    const unsigned char *const src = (const unsigned char *)args.src;
    unsigned char *const dst = (unsigned char *)args.dst;
    const int64_t at = 16 * ((int64_t)blockIdx.x * CT_PLAIN_COPY_THREADS + threadIdx.x);
    const int on = at + 16 <= args.bytes;
    CT_FRAGMENT(uint32_t, held, 4) = {0, 0, 0, 0};
    ct_load_global_if(on, held, src + at, 128);
    ct_store_global_if(on, dst + at, held, 128);

    /* The bytes after the last multiple of 16, one for each of the first threads. */
    const int64_t last = (args.bytes & ~(int64_t)15) + threadIdx.x;
    const int rest = blockIdx.x == 0 && last < args.bytes;
    uint8_t byte = 0;
    ct_load_global_if(rest, &byte, src + last, 8);
    ct_store_global_if(rest, dst + last, &byte, 8);
}
