/**
 * Matrix instructions of a warpgroup (wgmma), sm_90a: D = A * B + D, or D = A * B.
 *
 *     CT_STATIC(ct_mma_op, op, ct_wgmma_op(atom, a.major, b.major));
 *     uint32_t d[128];                 // the thread's values of D, by ct_mma_tv(atom, CT_MMA_C)
 *     ct_wgmma_fence();
 *     ct_wgmma(&op, d, a_packed, b_packed, 0);                              // 0: D = A * B
 *     ct_wgmma_commit();
 *     ct_wgmma_wait(0);
 *     ct_wgmma_done(d, 128);
 *
 * All four warps take part, with the same instruction, a constant. B is in shared memory, given by
 * a packed descriptor of mma_descriptor.h; so is A of an atom SS. A of an atom RS is the thread's
 * own words: its values in the order of the atom's thread-value layout. The instruction also says
 * which modes are contiguous; the matrix descriptor knows this from its layout.
 *
 *     ct_wgmma(op, d, a, b, scale_d)
 *           D = A * B + D, or D = A * B if scale_d is 0, asynchronously. d: the thread's words of
 *           D; a: a packed descriptor, or the thread's words of A; b: a packed descriptor.
 *     ct_wgmma_op(atom, major_a, major_b)
 *           The instruction of an atom; an A in registers is CT_MMA_K_MAJOR.
 *     ct_shared_address(memory)
 *           The address of shared memory in bytes, for a descriptor: ct_mma_descriptor_step.
 *     ct_wgmma_fence()
 *           Fence before the first instruction, and after the thread writes registers of D or A.
 *     ct_wgmma_commit()
 *           Closes the warpgroup's group of instructions.
 *     ct_wgmma_wait(n)
 *           Waits until all but the newest n groups, a constant, are done.
 *     ct_wgmma_done(d, words)
 *           Keeps reads of the thread's words of D after the wait before it.
 *
 * Before the wait, a thread neither reads nor writes D, and does not write an A in registers. The
 * instruction sees stores of threads to shared memory before a ct_fence_async_shared and a barrier. It
 * sees writes of a TMA copy after a wait for the copy's mbarrier.
 *
 * CT_HAS_WGMMA says whether this is available, for files compiled for several architectures.
 *
 * The CPU grid does the same. There D holds a NaN until the wait, 0x7fedfe09 to 0x7fedfef9. The
 * grid ends the launch if D or an A in registers is written before the wait, or after it without a
 * fence that follows. The launch also ends if an operand in shared memory is written before the
 * wait, or if no ct_fence_async_shared follows the stores to one. No thread may exit before the wait. A
 * read of D before the wait is found when an atom stores D, and at ct_wgmma_done. It is also found
 * at the next wgmma or wait, if the thread still has a copy of D, or a float made from it. The
 * whole warpgroup counts as the reader of an instruction's operands: any of its threads that has
 * waited may release a stage. Sums are exact up to 53 bits and then rounded, as in ct_mma.
 *
 * Fails:    The CPU grid ends the launch at the mistakes that the header names. nvcc refuses, by a
 *           static assertion, sparse instructions, those of other families, and a form that wgmma
 *           lacks. It also refuses an A that is not where the atom has it.
 * Cost:     One instruction of a warpgroup each. A wgmma reads A and B from shared memory by
 *           itself, and keeps D in the threads' registers. It runs beside the warps, which stall
 *           only at the wait. ct_wgmma_done is not an instruction.
 * Used by:  tests/mma/wgmma_kernels.cu
 * Source:   NVIDIA, PTX ISA 9.0, wgmma.mma_async, wgmma.fence, wgmma.commit_group and
 *           wgmma.wait_group.
 */
#ifndef CUTLET_DEVICE_ARCH_WGMMA_H
#define CUTLET_DEVICE_ARCH_WGMMA_H

#include <cutlet/mma/mma_descriptor_bits.h>

#include <cutlet/device/arch/warpgroup.h>
#include <cutlet/device/arch/wgmma_operands.h>

#if !defined(__CUDA_ARCH__) || defined(__CUDA_ARCH_FEAT_SM90_ALL)
#define CT_HAS_WGMMA 1
#else
#define CT_HAS_WGMMA 0
#endif

/**
 * The instruction of an atom with operands contiguous along these modes: CT_MMA_K_MAJOR, or m
 * and n.
 * Fails:    never: an atom that failed has its own error, which CT_STATIC refuses.
 * Cost:     O(1), no allocation, host and device; a constant in a kernel.
 */
CT_FN ct_mma_op ct_wgmma_op(ct_mma_atom atom, int32_t major_a, int32_t major_b)
{
    ct_mma_op op = atom.op;
    if (major_a == CT_MMA_K_MAJOR) op.major = major_b == CT_MMA_K_MAJOR ? CT_MMA_TN : CT_MMA_TT;
    else op.major = major_b == CT_MMA_K_MAJOR ? CT_MMA_NN : CT_MMA_NT;
    return op;
}

/** The address of shared memory for a descriptor. */
#if defined(__CUDACC__)
CT_DEVICE uint32_t ct_shared_address(const void *memory)
{
    return (uint32_t)__cvta_generic_to_shared(memory);
}
#else
#define ct_shared_address(memory) ct_grid_shared_address(CT_GRID_SITE, memory)
#endif

#if !defined(__CUDACC__)

/* A is a descriptor or the thread's words. */
#define ct_wgmma(op, d, a, b, scale_d)                                                             \
    (ct_grid_spill(), _Generic((a), unsigned long                                                  \
                               : ct_grid_wgmma_ss, unsigned long long                              \
                               : ct_grid_wgmma_ss, default                                         \
                               : ct_grid_wgmma_rs)(CT_GRID_SITE, op, d, a, b, scale_d))
#define ct_wgmma_fence() ct_grid_wgmma_fence()
#define ct_wgmma_commit() ct_grid_wgmma_commit()
#define ct_wgmma_wait(n) (ct_grid_spill(), ct_grid_wgmma_wait(CT_GRID_SITE, n))
#define ct_wgmma_done(d, words) ct_grid_wgmma_done(CT_GRID_SITE, d, words)

#elif CT_HAS_WGMMA

typedef uint32_t __attribute__((__may_alias__)) ct_wgmma_word;

/* The parts of an instruction's name and its last operands, as arrays: asm takes no other constants
 * of text. So there is one asm statement for each number of words, not for each instruction. */
template <int k, int d, int form> struct ct_wgmma_shape;
template <int a, int b> struct ct_wgmma_types;
template <int shorts, int in_registers, int major> struct ct_wgmma_tail { /* scales, and majors */
    static constexpr char text[] = ", 1, 1";
};
#define CT_WGMMA_SHAPE(k, D, FORM, as)                                                             \
    template <> struct ct_wgmma_shape<k, CT_MMA_##D, CT_MMA_##FORM> {                              \
        static constexpr char text[] = as;                                                         \
    };
#define CT_WGMMA_TYPES(A, B, as)                                                                   \
    template <> struct ct_wgmma_types<CT_MMA_##A, CT_MMA_##B> {                                    \
        static constexpr char text[] = as;                                                         \
    };
#define CT_WGMMA_TAIL(shorts, in_registers, MAJOR, as)                                             \
    template <> struct ct_wgmma_tail<shorts, in_registers, CT_MMA_##MAJOR> {                       \
        static constexpr char text[] = as;                                                         \
    };
CT_WGMMA_SHAPE(8, F32, PLAIN, "k8.f32")
CT_WGMMA_SHAPE(16, F32, PLAIN, "k16.f32")
CT_WGMMA_SHAPE(16, F16, PLAIN, "k16.f16")
CT_WGMMA_SHAPE(32, F32, PLAIN, "k32.f32")
CT_WGMMA_SHAPE(32, F16, PLAIN, "k32.f16")
CT_WGMMA_SHAPE(32, S32, PLAIN, "k32.s32")
CT_WGMMA_SHAPE(32, S32, SATURATE, "k32.s32.satfinite")
CT_WGMMA_TYPES(F16, F16, "f16.f16")
CT_WGMMA_TYPES(BF16, BF16, "bf16.bf16")
CT_WGMMA_TYPES(TF32, TF32, "tf32.tf32")
CT_WGMMA_TYPES(E4M3, E4M3, "e4m3.e4m3")
CT_WGMMA_TYPES(E4M3, E5M2, "e4m3.e5m2")
CT_WGMMA_TYPES(E5M2, E4M3, "e5m2.e4m3")
CT_WGMMA_TYPES(E5M2, E5M2, "e5m2.e5m2")
CT_WGMMA_TYPES(S8, S8, "s8.s8")
CT_WGMMA_TYPES(S8, U8, "s8.u8")
CT_WGMMA_TYPES(U8, S8, "u8.s8")
CT_WGMMA_TYPES(U8, U8, "u8.u8")
CT_WGMMA_TAIL(-1, 0, TN, "") /* integers */
CT_WGMMA_TAIL(-1, 1, TN, "")
CT_WGMMA_TAIL(1, 0, TN, ", 1, 1, 0, 0")
CT_WGMMA_TAIL(1, 0, TT, ", 1, 1, 0, 1")
CT_WGMMA_TAIL(1, 0, NN, ", 1, 1, 1, 0")
CT_WGMMA_TAIL(1, 0, NT, ", 1, 1, 1, 1")
CT_WGMMA_TAIL(1, 1, TN, ", 1, 1, 0")
CT_WGMMA_TAIL(1, 1, TT, ", 1, 1, 1")

/** An instruction as a type. */
template <int kind, int n_, int k, int d, int a, int b, int form, int a_from, int major, int sparse>
struct ct_wgmma_of {
    static_assert(!sparse, "ct_wgmma has no sparse instructions");
    static_assert(kind == CT_MMA_WARPGROUP, "ct_wgmma takes instructions of a warpgroup");
    static constexpr int n = n_;
    static constexpr int in_registers = a_from == CT_MMA_REGISTERS;
    static constexpr int words = n * ct_mma_bits(d) / 64;
    static constexpr int shorts = d == CT_MMA_S32 ? -1 : ct_mma_bits(a) == 16;
    static_assert(major == CT_MMA_TN || (shorts == 1 && (!in_registers || major == CT_MMA_TT)),
                  "only operands of 16 bits in shared memory are contiguous along m or n");
    typedef ct_wgmma_shape<k, d, form> shape;
    typedef ct_wgmma_types<a, b> types;
    typedef ct_wgmma_tail<shorts, in_registers, major> tail;
};

/* The call with W words of D; A is a descriptor or four words. The names in capitals are the
 * numbers of operands in the text. */
#define CT_WGMMA_TEXT(i) ", %" #i
#define CT_WGMMA_WORD(i) , "+r"(d[i])
#define CT_WGMMA_ASM(W, N, SHAPE, TYPES, TAIL, SCALE, B, A, ...)                                   \
    asm volatile("{\n .reg .pred p;\n setp.ne.b32 p, %" #SCALE ", 0;\n"                            \
                 " wgmma.mma_async.sync.aligned.m64n%" #N "%" #SHAPE ".%" #TYPES                   \
                 " {%0" CT_WGMMA_D##W(CT_WGMMA_TEXT) "}, " A ", %" #B ", p%" #TAIL ";\n }"         \
                 : "+r"(d[0])CT_WGMMA_D##W(CT_WGMMA_WORD)                                          \
                 : "n"(op::n), "C"(op::shape::text), "C"(op::types::text), "C"(op::tail::text),    \
                   "r"(scale_d), "l"(of_b), __VA_ARGS__)
#define CT_WGMMA_CALL(W, N, SHAPE, TYPES, TAIL, SCALE, B, A0, A1, A2, A3)                          \
    template <> struct ct_wgmma_by<W> {                                                            \
        template <class op>                                                                        \
        CT_DEVICE void call(void *to, uint64_t of_a, uint64_t of_b, int scale_d)                   \
        {                                                                                          \
            static_assert(!op::in_registers, "A of an atom RS is the thread's words");             \
            ct_wgmma_word *const d = (ct_wgmma_word *)to;                                          \
            CT_WGMMA_ASM(W, N, SHAPE, TYPES, TAIL, SCALE, B, "%" #A0, "l"(of_a));                  \
        }                                                                                          \
        template <class op>                                                                        \
        CT_DEVICE void call(void *to, const void *of_a, uint64_t of_b, int scale_d)                \
        {                                                                                          \
            static_assert(op::in_registers, "A of an atom SS is a descriptor");                    \
            ct_wgmma_word *const d = (ct_wgmma_word *)to;                                          \
            const ct_wgmma_word *const a = (const ct_wgmma_word *)of_a;                            \
            CT_WGMMA_ASM(W, N, SHAPE, TYPES, TAIL, SCALE, B,                                       \
                         "{%" #A0 ", %" #A1 ", %" #A2 ", %" #A3 "}", "r"(a[0]), "r"(a[1]),         \
                         "r"(a[2]), "r"(a[3]));                                                    \
        }                                                                                          \
    };
template <int words> struct ct_wgmma_by;
CT_WGMMA_EACH(CT_WGMMA_CALL)

#define CT_WGMMA_OF(op)                                                                            \
    ct_wgmma_of<(op)->kind, (op)->n, (op)->k, (op)->d, (op)->a, (op)->b, (op)->form, (op)->a_from, \
                (op)->major, (op)->sparse>
#define ct_wgmma(op, d, a, b, scale_d)                                                             \
    ct_wgmma_by<CT_WGMMA_OF(op)::words>::call<CT_WGMMA_OF(op)>(d, a, b, scale_d)

#define ct_wgmma_fence() asm volatile("wgmma.fence.sync.aligned;" ::: "memory")
#define ct_wgmma_commit() asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory")
#define ct_wgmma_wait(n) asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(n) : "memory")

/** Keeps reads of the thread's `words` words of D after this call: the compiler does not know that
 *  wgmma writes them later. */
CT_DEVICE void ct_wgmma_done(void *to, const int words)
{
    ct_wgmma_word *const d = (ct_wgmma_word *)to;
    CT_UNROLL for (int i = 0; i < words; ++i) asm volatile("" : "+r"(d[i])::"memory");
}

#endif

#endif
