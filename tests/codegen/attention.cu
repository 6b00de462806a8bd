// Attention by wgmma: scores and sums in registers, as many instructions as the tiles say, in the code before the
// loop, in the loop and after it.
// arch sm_90a

#include "../../examples/attention/attention.cu"

// gate attention_128, division
// gate attention_128, registers <= 168
// gate attention_128, count wgmma\.mma_async\.sync\.aligned\.m64n176k16\.f32\.bf16\.bf16 == 16
// gate attention_128, count wgmma\.mma_async\.sync\.aligned\.m64n128k16\.f32\.bf16\.bf16 == 22
// gate attention_128, count ^cp\.async\.bulk\.tensor\.3d == 6
// gate attention_128_causal, division
// gate attention_128_causal, registers <= 168
// gate attention_64, division
// gate attention_64, count wgmma\.mma_async\.sync\.aligned\.m64n176k16\.f32\.bf16\.bf16 == 8
// gate attention_64, count wgmma\.mma_async\.sync\.aligned\.m64n64k16\.f32\.bf16\.bf16 == 22
// gate attention_64_causal, division
