// wgmma: one instruction is left of the call, with all of D in registers.
// arch sm_90a

#include <cutlet/device/kernel/static.h>
#include <cutlet/device/arch/wgmma.h>

CT_FN ct_mma_descriptor operand(int which, int rows)
{
    const ct_layout tile = ct_layout2(rows, 64, 64, 1);
    return ct_make_mma_descriptor(ct_make_swizzled(ct_make_swizzle(3, 3, 3), 0, tile), which,
                                  ct_make_mma_atom("SM90_64x256x16_F32F16F16_SS"));
}

// gate one
// gate one, count wgmma\.mma_async\.sync\.aligned\.m64n256k16\.f32\.f16\.f16 == 1
// gate one, count mov\.b32 <= 0
// gate one, registers <= 168
extern "C" __global__ void __launch_bounds__(128) one(uint32_t *out, uint32_t address)
{
    CT_STATIC(ct_mma_descriptor, a, operand(CT_MMA_A, 64));
    CT_STATIC(ct_mma_descriptor, b, operand(CT_MMA_B, 256));
    CT_STATIC(ct_mma_op, op,
              ct_wgmma_op(ct_make_mma_atom("SM90_64x256x16_F32F16F16_SS"), a.major, b.major));
    CT_CONST uint64_t none_a = ct_mma_descriptor_pack(a), none_b = ct_mma_descriptor_pack(b);
    uint32_t d[128];
    CT_UNROLL for (int i = 0; i < 128; ++i) d[i] = 0;
    ct_wgmma_fence();
    ct_wgmma(&op, d, ct_mma_descriptor_step(none_a, address),
             ct_mma_descriptor_step(none_b, address + 8192), 0);
    ct_wgmma_commit();
    ct_wgmma_wait(0);
    ct_wgmma_done(d, 128);
    CT_UNROLL for (int i = 0; i < 128; ++i) out[128 * i + threadIdx.x] = d[i];
}
