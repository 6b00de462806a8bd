/**
 * The universal accesses: one load or store of 8, 16, 32, 64 or 128 bits per lane.
 *
 *     ct_load_global(reg, src, bits)
 *           Loads `bits` bits of global memory at src into the thread's variable at reg.
 *     ct_load_global_if(on, reg, src, bits)
 *           ct_load_global in lanes whose `on` is not 0. Other lanes keep their variable; src may
 *           be any address there.
 *     ct_store_global(dst, reg, bits)
 *           Stores `bits` bits of the thread's variable at reg to global memory at dst.
 *     ct_store_global_if(on, dst, reg, bits)
 *           ct_store_global in lanes whose `on` is not 0. Other lanes write nothing; dst may be any
 *           address there.
 *     ct_load_shared(reg, src, bits)
 *           Loads `bits` bits of shared memory at src into the thread's variable at reg.
 *     ct_load_shared_if(on, reg, src, bits)
 *           ct_load_shared in lanes whose `on` is not 0. Other lanes keep their variable; src may
 *           be any address there.
 *     ct_store_shared(dst, reg, bits)
 *           Stores `bits` bits of the thread's variable at reg to shared memory at dst.
 *     ct_store_shared_if(on, dst, reg, bits)
 *           ct_store_shared in lanes whose `on` is not 0. Other lanes write nothing; dst may be any
 *           address there.
 *
 * reg points to the thread's own variable of bits / 8 bytes, of any type, aligned to 4 bytes (to
 * the width for 8 and 16 bits; CT_FRAGMENT declares a variable aligned for all). src and dst are
 * aligned to the access. bits is a constant, and exactly the width of the instruction on the CPU
 * grid and in PTX. (ptxas may merge adjacent accesses to shared memory whose alignment it knows:
 * four stores of 32 bits to a CT_SPACE_SHARED array became one of 128 bits.) With on = 0 the lane
 * accesses neither memory nor reg.
 *
 * Fails:    The CPU grid ends the launch at another width: this traps on a GPU too. It ends it at
 *           a misaligned address, and at bytes outside of the launch's buffers or of shared memory.
 *           It also ends it at a store to a read-only buffer, and at a race.
 * Cost:     One ld or st for the warp; _if adds a comparison, not a branch. Global memory moves the
 *           sectors of 32 bytes that the lanes touch. Shared memory takes one wavefront for each
 *           128 bytes, and more where lanes conflict in a bank.
 * In a kernel:
 *           CT_SHARED(float, tile, 64);
 *           const int i = (int)threadIdx.x;
 *           CT_FRAGMENT(float, v, 2);
 *           ct_load_global(v, in + 2 * i, 64); // 8 bytes of each lane: eight sectors
 *           ct_store_shared(tile + 2 * i, v, 64);
 *           __syncthreads();
 *           float next = -1;
 *           ct_load_shared_if(i < 31, &next, tile + 2 * i + 2, 32);
 *           assert(next == (i < 31 ? (float)(2 * i + 2) : -1.0f));
 *           ct_load_shared(v, tile + 2 * (31 - i), 64); // another lane's
 *           __syncthreads();
 *           v[0] += v[1];
 *           ct_store_shared_if(i >= 16, tile + i, v, 32);
 *           ct_store_global(out + i, v, 32);
 *           ct_store_global_if(i == 0, out + 32, &next, 32);
 *           float first = -1;
 *           ct_load_global_if(i == 0, &first, out + 32, 32);
 *           assert(v[0] == (float)(125 - 4 * i) && first == (i == 0 ? 2.0f : -1.0f));
 * Source:   NVIDIA, PTX ISA 9.0, ld and st.
 */
#ifndef CUTLET_DEVICE_ARCH_LOAD_STORE_H
#define CUTLET_DEVICE_ARCH_LOAD_STORE_H

#include <cutlet/device/kernel/kernel.h>

#if defined(__CUDACC__)

/* An operand list: one 16-bit register, or one, two or four of 32 bits. io is "", "=" or "+". */
#define CT_PTX_H1(io) io "h"(v[0])
#define CT_PTX_R1(io) io "r"(v[0])
#define CT_PTX_R2(io) io "r"(v[0]), io "r"(v[1])
#define CT_PTX_R4(io) io "r"(v[0]), io "r"(v[1]), io "r"(v[2]), io "r"(v[3])

/* The address operand of each space. */
#define CT_PTX_AT_global(p) "l"((uint64_t)__cvta_generic_to_global(p))
#define CT_PTX_AT_shared(p) "r"((uint32_t)__cvta_generic_to_shared(p))

/* Predicates one instruction by the lane's `on`: no branch, and no access if it is 0. */
#define CT_PTX_IF(on, instruction)                                                                 \
    "{\n .reg .pred on;\n setp.ne.b32 on, " on ", 0;\n @on " instruction ";\n }"

/* The types by which a fragment is read and written; they may alias any type. */
typedef uint8_t __attribute__((__may_alias__)) ct_held8;
typedef uint16_t __attribute__((__may_alias__)) ct_held16;
typedef uint32_t __attribute__((__may_alias__)) ct_held32;

/* Load and store of one space and width. `list` names the registers v, `at` and `guard` the
 * operands after them; R is the operand list. reg is read and written as held, so that a fragment
 * stays in registers (memcpy would split it into bytes). */
#define CT_PTX_ACCESS(space, bits, held, word, words, type, list, at, guard, R)                    \
    CT_DEVICE void ct_load_##space##_##bits(void *reg, const void *src)                            \
    {                                                                                              \
        word v[words];                                                                             \
        asm volatile("ld." #space type " " list ", [" at "];"                                      \
                     : R("=")                                                                      \
                     : CT_PTX_AT_##space(src)                                                      \
                     : "memory");                                                                  \
        for (int i = 0; i < words; ++i) ((held *)reg)[i] = (held)v[i];                             \
    }                                                                                              \
    CT_DEVICE void ct_load_##space##_##bits##_if(int on, void *reg, const void *src)               \
    {                                                                                              \
        word v[words] = {0};                                                                       \
        for (int i = 0; i < words; ++i) v[i] = ((const held *)reg)[i];                             \
        asm volatile(CT_PTX_IF(guard, "ld." #space type " " list ", [" at "]")                     \
                     : R("+")                                                                      \
                     : CT_PTX_AT_##space(src), "r"(on)                                             \
                     : "memory");                                                                  \
        for (int i = 0; i < words; ++i) ((held *)reg)[i] = (held)v[i];                             \
    }                                                                                              \
    CT_DEVICE void ct_store_##space##_##bits(void *dst, const void *reg)                           \
    {                                                                                              \
        word v[words] = {0};                                                                       \
        for (int i = 0; i < words; ++i) v[i] = ((const held *)reg)[i];                             \
        asm volatile("st." #space type " [" at "], " list ";" ::R(""), CT_PTX_AT_##space(dst)      \
                     : "memory");                                                                  \
    }                                                                                              \
    CT_DEVICE void ct_store_##space##_##bits##_if(int on, void *dst, const void *reg)              \
    {                                                                                              \
        word v[words] = {0};                                                                       \
        for (int i = 0; i < words; ++i) v[i] = ((const held *)reg)[i];                             \
        asm volatile(CT_PTX_IF(guard, "st." #space type " [" at "], " list)::R(""),                \
                     CT_PTX_AT_##space(dst), "r"(on)                                               \
                     : "memory");                                                                  \
    }
/* The sum of the widths that a kernel uses. A kernel compiled at run time defines it, so that the
 * other widths take no compile time. */
#ifndef CT_WIDTHS
#define CT_WIDTHS (8 | 16 | 32 | 64 | 128)
#endif
#if CT_WIDTHS & 8
#define CT_PTX_8(...) __VA_ARGS__
#else
#define CT_PTX_8(...)
#endif
#if CT_WIDTHS & 16
#define CT_PTX_16(...) __VA_ARGS__
#else
#define CT_PTX_16(...)
#endif
#if CT_WIDTHS & 32
#define CT_PTX_32(...) __VA_ARGS__
#else
#define CT_PTX_32(...)
#endif
#if CT_WIDTHS & 64
#define CT_PTX_64(...) __VA_ARGS__
#else
#define CT_PTX_64(...)
#endif
#if CT_WIDTHS & 128
#define CT_PTX_128(...) __VA_ARGS__
#else
#define CT_PTX_128(...)
#endif

#define CT_PTX_ACCESSES(space)                                                                     \
    CT_PTX_8(CT_PTX_ACCESS(space, 8, ct_held8, uint16_t, 1, ".u8", "%0", "%1", "%2", CT_PTX_H1))   \
    CT_PTX_16(                                                                                     \
        CT_PTX_ACCESS(space, 16, ct_held16, uint16_t, 1, ".u16", "%0", "%1", "%2", CT_PTX_H1))     \
    CT_PTX_32(                                                                                     \
        CT_PTX_ACCESS(space, 32, ct_held32, uint32_t, 1, ".u32", "%0", "%1", "%2", CT_PTX_R1))     \
    CT_PTX_64(CT_PTX_ACCESS(space, 64, ct_held32, uint32_t, 2, ".v2.u32", "{%0, %1}", "%2", "%3",  \
                            CT_PTX_R2))                                                            \
    CT_PTX_128(CT_PTX_ACCESS(space, 128, ct_held32, uint32_t, 4, ".v4.u32", "{%0, %1, %2, %3}",    \
                             "%4", "%5", CT_PTX_R4))
CT_PTX_ACCESSES(global)
CT_PTX_ACCESSES(shared)

/* The public functions: bits is a constant after inlining, so one case remains. Any other width
 * traps; the CPU grid reports it. */
#define CT_PTX_DISPATCH(name, to, from)                                                            \
    CT_DEVICE void name(to, from, int bits)                                                        \
    {                                                                                              \
        switch (bits) {                                                                            \
            CT_PTX_8(case 8 : name##_8(a, b); break;)                                              \
            CT_PTX_16(case 16 : name##_16(a, b); break;)                                           \
            CT_PTX_32(case 32 : name##_32(a, b); break;)                                           \
            CT_PTX_64(case 64 : name##_64(a, b); break;)                                           \
            CT_PTX_128(case 128 : name##_128(a, b); break;)                                        \
            default: __trap();                                                                     \
        }                                                                                          \
    }                                                                                              \
    CT_DEVICE void name##_if(int on, to, from, int bits)                                           \
    {                                                                                              \
        switch (bits) {                                                                            \
            CT_PTX_8(case 8 : name##_8_if(on, a, b); break;)                                       \
            CT_PTX_16(case 16 : name##_16_if(on, a, b); break;)                                    \
            CT_PTX_32(case 32 : name##_32_if(on, a, b); break;)                                    \
            CT_PTX_64(case 64 : name##_64_if(on, a, b); break;)                                    \
            CT_PTX_128(case 128 : name##_128_if(on, a, b); break;)                                 \
            default: __trap();                                                                     \
        }                                                                                          \
    }
CT_PTX_DISPATCH(ct_load_global, void *a, const void *b)
CT_PTX_DISPATCH(ct_store_global, void *a, const void *b)
CT_PTX_DISPATCH(ct_load_shared, void *a, const void *b)
CT_PTX_DISPATCH(ct_store_shared, void *a, const void *b)

#else

#define ct_load_global(reg, src, bits) ct_load_global_if(1, reg, src, bits)
#define ct_load_global_if(on, reg, src, bits) ct_grid_load_global(CT_GRID_SITE, on, reg, src, bits)
#define ct_store_global(dst, reg, bits) ct_store_global_if(1, dst, reg, bits)
#define ct_store_global_if(on, dst, reg, bits)                                                     \
    ct_grid_store_global(CT_GRID_SITE, on, dst, reg, bits)
#define ct_load_shared(reg, src, bits) ct_load_shared_if(1, reg, src, bits)
#define ct_load_shared_if(on, reg, src, bits) ct_grid_load_shared(CT_GRID_SITE, on, reg, src, bits)
#define ct_store_shared(dst, reg, bits) ct_store_shared_if(1, dst, reg, bits)
#define ct_store_shared_if(on, dst, reg, bits)                                                     \
    ct_grid_store_shared(CT_GRID_SITE, on, dst, reg, bits)

#endif

#endif
