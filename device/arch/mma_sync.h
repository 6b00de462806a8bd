/**
 * Matrix instructions of a warp (mma.sync), and the fused multiply-add of a thread: D = A * B + C.
 *
 *     CT_STATIC(ct_mma_atom, atom, ct_make_mma_atom("SM80_16x8x16_F32F16F16F32_TN"));
 *     float c[4] = {0};                 // the thread's values of C, by ct_mma_tv(atom, CT_MMA_C)
 *     ct_mma(&atom.op, c, a, b, c);
 *
 * All lanes of a warp take part, with the same instruction; universal_fma is of one thread. Each
 * operand is the thread's own array: its values in the order of the atom's thread-value layout,
 * packed into 32-bit words; d may be c. op is a constant: the call compiles to one instruction.
 *
 * Supported: every mma.sync of PTX for sm_70 to sm_90, except those of complex numbers and sparse
 * ones, if the architecture has it. Any other instruction stops the launch. The CPU grid supports
 * the same. It sums exactly up to 53 bits, then rounds; a GPU rounds differently. Both agree if the
 * sum of all products is exact in the type of D.
 *
 * Fails:    An instruction that is sparse, or that the architecture lacks, stops the launch: a trap
 *           on a GPU, a message with the line on the CPU grid. The grid also ends it when not all
 *           lanes of the warp are there.
 * Cost:     One mma.sync of the warp, or for doubles and universal_fma one mma or fma; no memory
 *           traffic. A warp executes 2 m n k operations, 4096 for m16n8k16.
 * In a kernel:
 *           // C = A B: A(m,k) = 8 m + k, and B is the identity, (8,8)
 *           CT_STATIC(ct_mma_atom, atom, ct_make_mma_atom("SM80_16x8x8_F32F16F16F32_TN"));
 *           const int r = (int)threadIdx.x / 4, k = (int)threadIdx.x % 4 * 2;
 *           const float x = (float)(8 * r + k);
 *           const uint32_t a[2] = {ct_half_pair_of_floats(x, x + 1),         // row r
 *                                  ct_half_pair_of_floats(x + 64, x + 65)};  // row r + 8
 *           const uint32_t b[1] = {ct_half_pair_of_floats(k == r, k + 1 == r)};
 *           float c[4] = {0, 0, 0, 0};
 *           ct_mma(&atom.op, c, a, b, c);
 *           assert(c[0] == x && c[1] == x + 1 && c[2] == x + 64 && c[3] == x + 65);
 * Source:   NVIDIA, PTX ISA 9.0, mma.
 */
#ifndef CUTLET_DEVICE_ARCH_MMA_SYNC_H
#define CUTLET_DEVICE_ARCH_MMA_SYNC_H

#include <cutlet/mma/mma_op.h>

#include <cutlet/device/kernel/kernel.h>

typedef float __attribute__((__may_alias__)) ct_mma_float;

/** @internal Executes universal_fma. A GPU rounds once; the CPU grid does too if product and sum
 *  are exact in 53 bits. Returns 0 for any other instruction. */
CT_DEVICE int ct_mma_floats(const ct_mma_op *op, void *to, const void *of_a, const void *of_b,
                            const void *of_c)
{
    ct_mma_float *const d = (ct_mma_float *)to;
    const ct_mma_float *const a = (const ct_mma_float *)of_a, *const b = (const ct_mma_float *)of_b,
                              *const c = (const ct_mma_float *)of_c;
    if (op->kind != CT_MMA_THREAD || op->a != CT_MMA_F32) return 0;
#if defined(__CUDACC__)
    d[0] = __fmaf_rn(a[0], b[0], c[0]);
#else
    d[0] = (float)((double)a[0] * b[0] + c[0]);
#endif
    return 1;
}

#if defined(__CUDACC__)

typedef uint32_t __attribute__((__may_alias__)) ct_mma_word;
typedef double __attribute__((__may_alias__)) ct_mma_double;

/** @internal A number that identifies an instruction. */
CT_FN int64_t ct_mma_key(int m, int k, int d, int a, int b, int form, int major)
{
    return ((((((int64_t)m * 512 + k) * 32 + d) * 32 + a) * 32 + b) * 8 + form) * 4 + major;
}

/* asm statements, named by the words of D and C, of A and of B; text: the instruction's name. */
#define CT_MMA_4(io, p) io "r"(p[0]), io "r"(p[1]), io "r"(p[2]), io "r"(p[3])
#define CT_MMA_2(io, p) io "r"(p[0]), io "r"(p[1])
#define CT_MMA_1(io, p) io "r"(p[0])
#define CT_MMA_442(text)                                                                           \
    asm volatile(text " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%10,%11,%12,%13};"                 \
                 : CT_MMA_4("=", d)                                                                \
                 : CT_MMA_4("", a), CT_MMA_2("", b), CT_MMA_4("", c))
#define CT_MMA_421(text)                                                                           \
    asm volatile(text " {%0,%1,%2,%3}, {%4,%5}, {%6}, {%7,%8,%9,%10};"                             \
                 : CT_MMA_4("=", d)                                                                \
                 : CT_MMA_2("", a), CT_MMA_1("", b), CT_MMA_4("", c))
#define CT_MMA_242(text)                                                                           \
    asm volatile(text " {%0,%1}, {%2,%3,%4,%5}, {%6,%7}, {%8,%9};"                                 \
                 : CT_MMA_2("=", d)                                                                \
                 : CT_MMA_4("", a), CT_MMA_2("", b), CT_MMA_2("", c))
#define CT_MMA_221(text)                                                                           \
    asm volatile(text " {%0,%1}, {%2,%3}, {%4}, {%5,%6};"                                          \
                 : CT_MMA_2("=", d)                                                                \
                 : CT_MMA_2("", a), CT_MMA_1("", b), CT_MMA_2("", c))
#define CT_MMA_211(text)                                                                           \
    asm volatile(text " {%0,%1}, {%2}, {%3}, {%4,%5};"                                             \
                 : CT_MMA_2("=", d)                                                                \
                 : CT_MMA_1("", a), CT_MMA_1("", b), CT_MMA_2("", c))
/* of sm_70: eight or four words of D and C */
#define CT_MMA_822(text)                                                                           \
    asm volatile(text " {%0,%1,%2,%3,%4,%5,%6,%7}, {%8,%9}, {%10,%11}, "                           \
                      "{%12,%13,%14,%15,%16,%17,%18,%19};"                                         \
                 : CT_MMA_4("=", d), CT_MMA_4("=", (d + 4))                                        \
                 : CT_MMA_2("", a), CT_MMA_2("", b), CT_MMA_4("", c), CT_MMA_4("", (c + 4)))
#define CT_MMA_422(text)                                                                           \
    asm volatile(text " {%0,%1,%2,%3}, {%4,%5}, {%6,%7}, {%8,%9,%10,%11};"                         \
                 : CT_MMA_4("=", d)                                                                \
                 : CT_MMA_2("", a), CT_MMA_2("", b), CT_MMA_4("", c))

/* One instruction: its shape, types and form, the words of its operands, and its text. */
#define CT_MMA_CASE(m, n, k, D, A, B, FORM, MAJOR, words, text)                                    \
    case ct_mma_key(m, k, CT_MMA_##D, CT_MMA_##A, CT_MMA_##B, CT_MMA_##FORM, CT_MMA_##MAJOR):      \
        CT_MMA_##words("mma.sync.aligned.m" #m "n" #n "k" #k text);                                \
        break;
#define CT_MMA_TN_CASE(m, n, k, D, A, B, words, types)                                             \
    CT_MMA_CASE(m, n, k, D, A, B, PLAIN, TN, words, ".row.col" types)

/* Integer instructions: both forms, for each combination of signed and unsigned operands. */
#define CT_MMA_INTEGERS(m, n, k, A, B, words, a_b)                                                 \
    CT_MMA_CASE(m, n, k, S32, A, B, PLAIN, TN, words, ".row.col.s32." a_b ".s32")                  \
    CT_MMA_CASE(m, n, k, S32, A, B, SATURATE, TN, words, ".row.col.satfinite.s32." a_b ".s32")
#define CT_MMA_SIGNS(m, n, k, words, bits)                                                         \
    CT_MMA_INTEGERS(m, n, k, S##bits, S##bits, words, "s" #bits ".s" #bits)                        \
    CT_MMA_INTEGERS(m, n, k, U##bits, S##bits, words, "u" #bits ".s" #bits)                        \
    CT_MMA_INTEGERS(m, n, k, S##bits, U##bits, words, "s" #bits ".u" #bits)                        \
    CT_MMA_INTEGERS(m, n, k, U##bits, U##bits, words, "u" #bits ".u" #bits)
#define CT_MMA_BITS(m, n, k, words)                                                                \
    CT_MMA_CASE(m, n, k, S32, U1, U1, XORPOPC, TN, words, ".row.col.s32.b1.b1.s32.xor.popc")       \
    CT_MMA_CASE(m, n, k, S32, U1, U1, ANDPOPC, TN, words, ".row.col.s32.b1.b1.s32.and.popc")
#define CT_MMA_FP8(A, B, a_b)                                                                      \
    CT_MMA_TN_CASE(16, 8, 32, F32, A, B, 442, ".f32." a_b ".f32")                                  \
    CT_MMA_TN_CASE(16, 8, 32, F16, A, B, 242, ".f16." a_b ".f16")
#define CT_MMA_OF_SM70(MAJOR, order)                                                               \
    CT_MMA_CASE(8, 8, 4, F32, F16, F16, PLAIN, MAJOR, 822, order ".f32.f16.f16.f32")               \
    CT_MMA_CASE(8, 8, 4, F16, F16, F16, PLAIN, MAJOR, 422, order ".f16.f16.f16.f16")

/** @internal Executes an instruction of doubles. Returns 0 for any other instruction. */
CT_DEVICE int ct_mma_doubles(const ct_mma_op *op, void *to, const void *of_a, const void *of_b,
                             const void *of_c)
{
    ct_mma_double *const d = (ct_mma_double *)to;
    const ct_mma_double *const a = (const ct_mma_double *)of_a;
    const ct_mma_double *const b = (const ct_mma_double *)of_b;
    const ct_mma_double *const c = (const ct_mma_double *)of_c;
    if (op->d != CT_MMA_F64) return 0;
    (void)a, (void)b, (void)c, (void)d; /* unused before sm_80 */
#if __CUDA_ARCH__ >= 800
    if (op->m == 8) {
        asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%4,%5};"
                     : "=d"(d[0]), "=d"(d[1])
                     : "d"(a[0]), "d"(b[0]), "d"(c[0]), "d"(c[1]));
        return 1;
    }
#endif
#if __CUDA_ARCH__ >= 900
#define CT_MMA_D4(io, p) io "d"(p[0]), io "d"(p[1]), io "d"(p[2]), io "d"(p[3])
    if (op->k == 4)
        asm volatile(
            "mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, {%4,%5}, {%6}, "
            "{%7,%8,%9,%10};"
            : CT_MMA_D4("=", d)
            : "d"(a[0]), "d"(a[1]), "d"(b[0]), CT_MMA_D4("", c));
    else if (op->k == 8)
        asm volatile(
            "mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, {%4,%5,%6,%7}, "
            "{%8,%9}, {%10,%11,%12,%13};"
            : CT_MMA_D4("=", d)
            : CT_MMA_D4("", a), "d"(b[0]), "d"(b[1]), CT_MMA_D4("", c));
    else
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, "
                     "{%4,%5,%6,%7,%8,%9,%10,%11}, {%12,%13,%14,%15}, {%16,%17,%18,%19};"
                     : CT_MMA_D4("=", d)
                     : CT_MMA_D4("", a), CT_MMA_D4("", (a + 4)), CT_MMA_D4("", b),
                       CT_MMA_D4("", c));
#undef CT_MMA_D4
    return 1;
#else
    return 0;
#endif
}

/** D = A * B + C by one instruction of a warp. to, of_a, of_b, of_c: the thread's words of D, A, B
 *  and C; to may be of_c. */
CT_DEVICE void ct_mma(const ct_mma_op *op, void *to, const void *of_a, const void *of_b,
                      const void *of_c)
{
    ct_mma_word *const d = (ct_mma_word *)to;
    const ct_mma_word *const a = (const ct_mma_word *)of_a, *const b = (const ct_mma_word *)of_b,
                             *const c = (const ct_mma_word *)of_c;
    if (op->sparse) __trap();
    if (ct_mma_floats(op, to, of_a, of_b, of_c) || ct_mma_doubles(op, to, of_a, of_b, of_c)) return;
    switch (ct_mma_key(op->m, op->k, op->d, op->a, op->b, op->form, op->major)) {
        CT_MMA_OF_SM70(TN, ".row.col")
        CT_MMA_OF_SM70(NT, ".col.row")
        CT_MMA_OF_SM70(NN, ".col.col")
        CT_MMA_OF_SM70(TT, ".row.row")
        CT_MMA_TN_CASE(16, 8, 8, F32, F16, F16, 421, ".f32.f16.f16.f32")
        CT_MMA_TN_CASE(16, 8, 8, F16, F16, F16, 221, ".f16.f16.f16.f16")
#if __CUDA_ARCH__ >= 800
        CT_MMA_TN_CASE(16, 8, 16, F32, F16, F16, 442, ".f32.f16.f16.f32")
        CT_MMA_TN_CASE(16, 8, 16, F16, F16, F16, 242, ".f16.f16.f16.f16")
        CT_MMA_TN_CASE(16, 8, 8, F32, BF16, BF16, 421, ".f32.bf16.bf16.f32")
        CT_MMA_TN_CASE(16, 8, 16, F32, BF16, BF16, 442, ".f32.bf16.bf16.f32")
        CT_MMA_TN_CASE(16, 8, 4, F32, TF32, TF32, 421, ".f32.tf32.tf32.f32")
        CT_MMA_TN_CASE(16, 8, 8, F32, TF32, TF32, 442, ".f32.tf32.tf32.f32")
        CT_MMA_SIGNS(8, 8, 16, 211, 8)
        CT_MMA_SIGNS(16, 8, 16, 421, 8)
        CT_MMA_SIGNS(16, 8, 32, 442, 8)
        CT_MMA_SIGNS(8, 8, 32, 211, 4)
        CT_MMA_SIGNS(16, 8, 32, 421, 4)
        CT_MMA_SIGNS(16, 8, 64, 442, 4)
        CT_MMA_BITS(8, 8, 128, 211)
        CT_MMA_BITS(16, 8, 128, 421)
        CT_MMA_BITS(16, 8, 256, 442)
#endif
#if __CUDA_ARCH__ >= 890
        CT_MMA_FP8(E4M3, E4M3, "e4m3.e4m3")
        CT_MMA_FP8(E5M2, E4M3, "e5m2.e4m3")
        CT_MMA_FP8(E4M3, E5M2, "e4m3.e5m2")
        CT_MMA_FP8(E5M2, E5M2, "e5m2.e5m2")
#endif
        default: __trap();
    }
}

#else

#define ct_mma(op, d, a, b, c)                                                                     \
    ((void)(ct_mma_floats(op, d, a, b, c) || (ct_grid_mma(CT_GRID_SITE, op, d, a, b, c), 1)))

#endif

#endif
