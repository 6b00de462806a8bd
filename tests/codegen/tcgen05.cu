// tcgen05 and cluster launch control: the instructions, which no device at hand runs.
// arch sm_100a

#include <cutlet/device/kernel/kernel.h>
#include <cutlet/device/arch/launch_control.h>
#include <cutlet/device/arch/load_store.h>
#include <cutlet/device/kernel/static.h>
#include <cutlet/device/arch/tcgen05.h>

typedef struct tcgen05_args {
    uint64_t a, b; /* packed descriptors */
    uint32_t *out;
} tcgen05_args;

/* One product of each kind, by the first warp, whose 32 lanes go to memory. */
#define PRODUCT(name, ATOM)                                                                        \
    CT_KERNEL_THREADS(name, 128, tcgen05_args, args)                                               \
    {                                                                                              \
        CT_STATIC(ct_mma_op, op, ct_make_mma_atom(ATOM).op);                                       \
        CT_SHARED(uint32_t, slot, 1);                                                              \
        CT_SHARED(uint64_t, bar, 1);                                                               \
        CT_FRAGMENT(uint32_t, words, 32);                                                          \
        if (threadIdx.x < 32) ct_tmem_alloc(&op, slot, 256);                                       \
        if (threadIdx.x == 0) ct_mbarrier_init(bar, 1);                                            \
        ct_tcgen05_before();                                                                       \
        __syncthreads();                                                                           \
        ct_tcgen05_after();                                                                        \
        if (threadIdx.x == 0) {                                                                    \
            ct_tcgen05_mma(&op, slot[0], args.a, args.b, 0);                                       \
            ct_tcgen05_mma(&op, slot[0], args.a + 2, args.b + 2, 1);                               \
            ct_tcgen05_commit(&op, bar);                                                           \
        }                                                                                          \
        ct_mbarrier_wait(bar, 0);                                                                  \
        ct_tcgen05_after();                                                                        \
        ct_tmem_load(words, slot[0] + (threadIdx.x / 32 * 32 << 16), 32);                          \
        ct_tmem_wait_load();                                                                       \
        for (int i = 0; i < 32; ++i)                                                               \
            ct_store_global(args.out + 32 * threadIdx.x + i, words + i, 32);                       \
        __syncthreads();                                                                           \
        if (threadIdx.x < 32) {                                                                    \
            ct_tmem_relinquish(&op);                                                               \
            ct_tmem_free(&op, slot[0], 256);                                                       \
        }                                                                                          \
    }
PRODUCT(tcgen05_f16, "SM100_128x256x16_F32F16F16_SS")
PRODUCT(tcgen05_tf32, "SM100_128x128x8_F32TF32TF32_SS")
PRODUCT(tcgen05_f8, "SM100_128x256x32_F32E4M3E5M2_SS")
PRODUCT(tcgen05_i8, "SM100_128x256x32_S32S8U8_SS")
PRODUCT(tcgen05_pair, "SM100_256x256x16_F32BF16BF16_2x1SM_SS")
PRODUCT(tcgen05_memory, "SM100_128x256x16_F32F16F16_TS")

CT_KERNEL_THREADS(launch_control, 32, tcgen05_args, args)
{
    CT_SHARED(uint32_t, answer, 4);
    CT_SHARED(uint64_t, bar, 1);
    uint32_t index[3] = {blockIdx.x, 0, 0};
    if (threadIdx.x == 0) ct_mbarrier_init(bar, 1);
    __syncthreads();
    for (int parity = 0;; parity ^= 1) {
        if (threadIdx.x == 0) {
            ct_mbarrier_arrive_expect(bar, 16);
            ct_launch_take(answer, bar);
        }
        ct_store_global(args.out + index[0], index, 32);
        ct_mbarrier_wait(bar, parity);
        if (!ct_launch_taken(answer, index)) break;
        __syncthreads();
    }
}

// gate tcgen05_f16
// gate tcgen05_f16, count ^tcgen05\.mma\.cta_group::1\.kind::f16 == 2
// gate tcgen05_f16, count ^tcgen05\.ld\.sync\.aligned\.32x32b\.x8 == 4
// gate tcgen05_f16, count 138412048 >= 1
// gate tcgen05_tf32, count ^tcgen05\.mma\.cta_group::1\.kind::tf32 == 2
// gate tcgen05_f8, count ^tcgen05\.mma\.cta_group::1\.kind::f8f6f4 == 2
// gate tcgen05_i8, count ^tcgen05\.mma\.cta_group::1\.kind::i8 == 2
// gate tcgen05_pair, count ^tcgen05\.mma\.cta_group::2\.kind::f16 == 2
// gate tcgen05_pair, count ^tcgen05\.commit\.cta_group::2 == 1
// gate tcgen05_memory, count ^tcgen05\.mma\.cta_group::1\.kind::f16 \[%r[0-9]+\], \[%r[0-9]+\], %rd[0-9]+ == 2
// gate launch_control
// gate launch_control, count ^clusterlaunchcontrol\.try_cancel == 1
// gate launch_control, count clusterlaunchcontrol\.query_cancel\.get_first_ctaid == 1
