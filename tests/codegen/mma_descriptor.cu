// A matrix descriptor of a constant layout: a constant, to which address and steps are added.
// arch sm_90

#include <cutlet/cutlet.h>

#include <cutlet/device/kernel/static.h>

CT_FN ct_mma_descriptor descriptor_of_a(void)
{
    const ct_layout rows = ct_layout2(64, 64, 64, 1);
    return ct_make_mma_descriptor(ct_make_swizzled(ct_make_swizzle(3, 3, 3), 0, rows), CT_MMA_A,
                                  ct_make_mma_atom("SM90_64x128x16_F32F16F16_SS"));
}

// One descriptor for each instruction along k.
// gate descriptors
// gate descriptors, count st.global >= 4
// gate descriptors, instructions <= 30
// gate descriptors, registers <= 24
extern "C" __global__ void descriptors(uint64_t *out, uint32_t address)
{
    CT_STATIC(ct_mma_descriptor, a, descriptor_of_a());
    CT_CONST uint64_t none = ct_mma_descriptor_pack(a);
    const uint64_t first = ct_mma_descriptor_step(none, address);
#pragma unroll
    for (int k = 0; k < 4; ++k) out[k] = ct_mma_descriptor_step(first, ct_eval2(a.steps, 0, k));
}

// Of a base that is known when the kernel runs: the base offset is made, and its rules kept.
// gate any_base
// gate any_base, instructions <= 100
// gate any_base, registers <= 24
extern "C" __global__ void any_base(uint64_t *out, uint32_t address)
{
    CT_STATIC(ct_mma_descriptor, a, descriptor_of_a());
    *out = ct_mma_descriptor_pack(ct_mma_descriptor_at(a, address));
}
