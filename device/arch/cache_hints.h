/**
 * Global accesses with cache hints: how long the caches should keep their data.
 *
 *     ct_load_global_HINT(reg, src, bits)
 *           Loads `bits` bits of global memory at src into the variable at reg, with a cache hint.
 *     ct_load_global_HINT_if(on, reg, src, bits)
 *           ct_load_global_HINT in lanes whose `on` is not 0; other lanes keep their variable.
 *     ct_store_global_HINT(dst, reg, bits)
 *           Stores `bits` bits of the variable at reg to global memory at dst, with a cache hint.
 *     ct_store_global_HINT_if(on, dst, reg, bits)
 *           ct_store_global_HINT in lanes whose `on` is not 0; other lanes write nothing.
 *
 * HINT of a load:   cg (cache in L2 only), cs (streaming: evict first), lu (last use), cv (fetch
 *                   again), nc (read-only path; no thread writes it while the kernel runs),
 *                   no_allocate, evict_first, evict_last (in L1), nc_no_allocate,
 *                   l2_64, l2_128, l2_256 (also fetches this many bytes into L2)
 * HINT of a store:  cg, cs, wt (through to memory), no_allocate, evict_first, evict_last
 *
 * A policy is such a hint for L2, in a register. It covers all accesses that use it:
 *
 *     ct_policy_evict_first()
 *           The policy by which L2 evicts the lines before others: of data that is used once.
 *     ct_policy_evict_last()
 *           The policy by which L2 evicts the lines after others: of data that is used again.
 *     ct_policy_evict_normal()
 *           The policy of an access without one.
 *     ct_load_global_policy(reg, src, bits, policy)
 *           Loads `bits` bits of global memory at src into the variable at reg, with a policy of
 *           L2.
 *     ct_load_global_policy_if(on, reg, src, bits, policy)
 *           ct_load_global_policy in lanes whose `on` is not 0; other lanes keep their variable.
 *     ct_store_global_policy(dst, reg, bits, policy)
 *           Stores `bits` bits of the variable at reg to global memory at dst, with a policy of L2.
 *     ct_store_global_policy_if(on, dst, reg, bits, policy)
 *           ct_store_global_policy in lanes whose `on` is not 0; other lanes write nothing.
 *
 * Operands are those of load_store.h. A hint changes no result. The CPU grid has no caches: it
 * counts the access and ignores the hint.
 *
 * Fails:    As the access without a hint (load_store.h).
 * Cost:     As the access without a hint: one ld or st, and the sectors that it touches. l2_64,
 *           l2_128 and l2_256 may also move this many bytes from memory to L2. A policy costs one
 *           createpolicy and two registers.
 * In a kernel:
 *           const float *const p = in + threadIdx.x;
 *           float *const q = out + threadIdx.x;
 *           const int on = threadIdx.x < 16;
 *           float x[26] = {0};
 *           ct_load_global_cg(x + 0, p, 32);
 *           ct_load_global_cg_if(on, x + 1, p, 32);
 *           ct_load_global_cs(x + 2, p, 32);
 *           ct_load_global_cs_if(on, x + 3, p, 32);
 *           ct_load_global_lu(x + 4, p, 32);
 *           ct_load_global_lu_if(on, x + 5, p, 32);
 *           ct_load_global_cv(x + 6, p, 32);
 *           ct_load_global_cv_if(on, x + 7, p, 32);
 *           ct_load_global_nc(x + 8, p, 32);
 *           ct_load_global_nc_if(on, x + 9, p, 32);
 *           ct_load_global_no_allocate(x + 10, p, 32);
 *           ct_load_global_no_allocate_if(on, x + 11, p, 32);
 *           ct_load_global_nc_no_allocate(x + 12, p, 32);
 *           ct_load_global_nc_no_allocate_if(on, x + 13, p, 32);
 *           ct_load_global_evict_first(x + 14, p, 32);
 *           ct_load_global_evict_first_if(on, x + 15, p, 32);
 *           ct_load_global_evict_last(x + 16, p, 32);
 *           ct_load_global_evict_last_if(on, x + 17, p, 32);
 *           ct_load_global_l2_64(x + 18, p, 32);
 *           ct_load_global_l2_64_if(on, x + 19, p, 32);
 *           ct_load_global_l2_128(x + 20, p, 32);
 *           ct_load_global_l2_128_if(on, x + 21, p, 32);
 *           ct_load_global_l2_256(x + 22, p, 32);
 *           ct_load_global_l2_256_if(on, x + 23, p, 32);
 *           const uint64_t first = ct_policy_evict_first(), last = ct_policy_evict_last();
 *           ct_load_global_policy(x + 24, p, 32, first);
 *           ct_load_global_policy_if(on, x + 25, p, 32, last);
 *           for (int k = 0; k < 26; ++k)
 *               assert(x[k] == (k % 2 == 0 || on ? (float)threadIdx.x : 0.0f));
 *           ct_store_global_cg(q, x, 32);
 *           ct_store_global_cg_if(on, q + 32, x, 32);
 *           ct_store_global_cs(q, x, 32);
 *           ct_store_global_cs_if(on, q + 32, x, 32);
 *           ct_store_global_wt(q, x, 32);
 *           ct_store_global_wt_if(on, q + 32, x, 32);
 *           ct_store_global_no_allocate(q, x, 32);
 *           ct_store_global_no_allocate_if(on, q + 32, x, 32);
 *           ct_store_global_evict_first(q, x, 32);
 *           ct_store_global_evict_first_if(on, q + 32, x, 32);
 *           ct_store_global_evict_last(q, x, 32);
 *           ct_store_global_evict_last_if(on, q + 32, x, 32);
 *           ct_store_global_policy(q, x, 32, ct_policy_evict_normal());
 *           ct_store_global_policy_if(on, q + 32, x, 32, first);
 *           float y[2] = {-1, -1};
 *           ct_load_global(y, q, 32);
 *           ct_load_global(y + 1, q + 32, 32);
 *           assert(y[0] == x[0] && y[1] == (on ? x[0] : 0.0f));
 * Source:   NVIDIA, PTX ISA 9.0, ld, st and createpolicy.
 */
#ifndef CUTLET_DEVICE_ARCH_CACHE_HINTS_H
#define CUTLET_DEVICE_ARCH_CACHE_HINTS_H

#include <cutlet/device/arch/load_store.h>

#if defined(__CUDACC__)

/* One load or store of one width. op: the instruction up to the type; tail: what follows its
 * operands; cache: the operand of the tail. */
#define CT_PTX_HINTED_LOAD(name, op, held, word, words, type, list, at, on, cache, R, tail)        \
    CT_DEVICE void name##_if(int is_on, void *reg, const void *src, uint64_t policy)               \
    {                                                                                              \
        word v[words] = {0};                                                                       \
        (void)policy;                                                                              \
        for (int i = 0; i < words; ++i) v[i] = ((const held *)reg)[i];                             \
        asm volatile(CT_PTX_IF(on, op type " " list ", [" at "]" tail(cache))                      \
                     : R("+")                                                                      \
                     : CT_PTX_AT_global(src), "r"(is_on), "l"(policy)                              \
                     : "memory");                                                                  \
        for (int i = 0; i < words; ++i) ((held *)reg)[i] = (held)v[i];                             \
    }                                                                                              \
    CT_DEVICE void name(void *reg, const void *src, uint64_t policy)                               \
    {                                                                                              \
        word v[words];                                                                             \
        asm volatile(op type " " list ", [" at "]" tail(cache) ";"                                 \
                     : R("=")                                                                      \
                     : CT_PTX_AT_global(src), "r"(0), "l"(policy)                                  \
                     : "memory");                                                                  \
        for (int i = 0; i < words; ++i) ((held *)reg)[i] = (held)v[i];                             \
    }
#define CT_PTX_HINTED_STORE(name, op, held, word, words, type, list, at, on, cache, R, tail)       \
    CT_DEVICE void name##_if(int is_on, void *dst, const void *reg, uint64_t policy)               \
    {                                                                                              \
        word v[words] = {0};                                                                       \
        for (int i = 0; i < words; ++i) v[i] = ((const held *)reg)[i];                             \
        asm volatile(CT_PTX_IF(on, op type " [" at "], " list tail(cache))::R(""),                 \
                     CT_PTX_AT_global(dst), "r"(is_on), "l"(policy)                                \
                     : "memory");                                                                  \
    }                                                                                              \
    CT_DEVICE void name(void *dst, const void *reg, uint64_t policy)                               \
    {                                                                                              \
        word v[words] = {0};                                                                       \
        for (int i = 0; i < words; ++i) v[i] = ((const held *)reg)[i];                             \
        asm volatile(op type " [" at "], " list tail(cache) ";" ::R(""), CT_PTX_AT_global(dst),    \
                     "r"(0), "l"(policy)                                                           \
                     : "memory");                                                                  \
    }
#define CT_PTX_NO_TAIL(operand) ""
#define CT_PTX_POLICY_TAIL(operand) ", " operand

/* The five widths, and the function that selects one. */
#define CT_PTX_HINTED(ACCESS, name, op, tail, A, B)                                                \
    ACCESS(name##_8, op, ct_held8, uint16_t, 1, ".u8", "%0", "%1", "%2", "%3", CT_PTX_H1, tail)    \
    ACCESS(name##_16, op, ct_held16, uint16_t, 1, ".u16", "%0", "%1", "%2", "%3", CT_PTX_H1, tail) \
    ACCESS(name##_32, op, ct_held32, uint32_t, 1, ".u32", "%0", "%1", "%2", "%3", CT_PTX_R1, tail) \
    ACCESS(name##_64, op, ct_held32, uint32_t, 2, ".v2.u32", "{%0, %1}", "%2", "%3", "%4",         \
           CT_PTX_R2, tail)                                                                        \
    ACCESS(name##_128, op, ct_held32, uint32_t, 4, ".v4.u32", "{%0, %1, %2, %3}", "%4", "%5",      \
           "%6", CT_PTX_R4, tail)                                                                  \
    CT_DEVICE void name##_any_if(int on, A, B, int bits, uint64_t policy)                          \
    {                                                                                              \
        switch (bits) {                                                                            \
            case 8: name##_8_if(on, a, b, policy); break;                                          \
            case 16: name##_16_if(on, a, b, policy); break;                                        \
            case 32: name##_32_if(on, a, b, policy); break;                                        \
            case 64: name##_64_if(on, a, b, policy); break;                                        \
            case 128: name##_128_if(on, a, b, policy); break;                                      \
            default: __trap();                                                                     \
        }                                                                                          \
    }                                                                                              \
    CT_DEVICE void name##_any(A, B, int bits, uint64_t policy)                                     \
    {                                                                                              \
        switch (bits) {                                                                            \
            case 8: name##_8(a, b, policy); break;                                                 \
            case 16: name##_16(a, b, policy); break;                                               \
            case 32: name##_32(a, b, policy); break;                                               \
            case 64: name##_64(a, b, policy); break;                                               \
            case 128: name##_128(a, b, policy); break;                                             \
            default: __trap();                                                                     \
        }                                                                                          \
    }
#define CT_PTX_LOAD_HINT(hint, op)                                                                 \
    CT_PTX_HINTED(CT_PTX_HINTED_LOAD, ct_load_global_##hint, op, CT_PTX_NO_TAIL, void *a,          \
                  const void *b)                                                                   \
    CT_DEVICE void ct_load_global_##hint(void *reg, const void *src, int bits)                     \
    {                                                                                              \
        ct_load_global_##hint##_any(reg, src, bits, 0);                                            \
    }                                                                                              \
    CT_DEVICE void ct_load_global_##hint##_if(int on, void *reg, const void *src, int bits)        \
    {                                                                                              \
        ct_load_global_##hint##_any_if(on, reg, src, bits, 0);                                     \
    }
#define CT_PTX_STORE_HINT(hint, op)                                                                \
    CT_PTX_HINTED(CT_PTX_HINTED_STORE, ct_store_global_##hint, op, CT_PTX_NO_TAIL, void *a,        \
                  const void *b)                                                                   \
    CT_DEVICE void ct_store_global_##hint(void *dst, const void *reg, int bits)                    \
    {                                                                                              \
        ct_store_global_##hint##_any(dst, reg, bits, 0);                                           \
    }                                                                                              \
    CT_DEVICE void ct_store_global_##hint##_if(int on, void *dst, const void *reg, int bits)       \
    {                                                                                              \
        ct_store_global_##hint##_any_if(on, dst, reg, bits, 0);                                    \
    }

CT_PTX_LOAD_HINT(cg, "ld.global.cg")
CT_PTX_LOAD_HINT(cs, "ld.global.cs")
CT_PTX_LOAD_HINT(lu, "ld.global.lu")
CT_PTX_LOAD_HINT(cv, "ld.global.cv")
CT_PTX_LOAD_HINT(nc, "ld.global.nc")
CT_PTX_LOAD_HINT(no_allocate, "ld.global.L1::no_allocate")
CT_PTX_LOAD_HINT(nc_no_allocate, "ld.global.nc.L1::no_allocate")
CT_PTX_LOAD_HINT(evict_first, "ld.global.L1::evict_first")
CT_PTX_LOAD_HINT(evict_last, "ld.global.L1::evict_last")
CT_PTX_LOAD_HINT(l2_64, "ld.global.L2::64B")
CT_PTX_LOAD_HINT(l2_128, "ld.global.L2::128B")
CT_PTX_LOAD_HINT(l2_256, "ld.global.L2::256B")
CT_PTX_STORE_HINT(cg, "st.global.cg")
CT_PTX_STORE_HINT(cs, "st.global.cs")
CT_PTX_STORE_HINT(wt, "st.global.wt")
CT_PTX_STORE_HINT(no_allocate, "st.global.L1::no_allocate")
CT_PTX_STORE_HINT(evict_first, "st.global.L1::evict_first")
CT_PTX_STORE_HINT(evict_last, "st.global.L1::evict_last")

CT_PTX_HINTED(CT_PTX_HINTED_LOAD, ct_load_global_policy, "ld.global.L2::cache_hint",
              CT_PTX_POLICY_TAIL, void *a, const void *b)
CT_PTX_HINTED(CT_PTX_HINTED_STORE, ct_store_global_policy, "st.global.L2::cache_hint",
              CT_PTX_POLICY_TAIL, void *a, const void *b)
#define ct_load_global_policy(reg, src, bits, policy)                                              \
    ct_load_global_policy_any(reg, src, bits, policy)
#define ct_load_global_policy_if(on, reg, src, bits, policy)                                       \
    ct_load_global_policy_any_if(on, reg, src, bits, policy)
#define ct_store_global_policy(dst, reg, bits, policy)                                             \
    ct_store_global_policy_any(dst, reg, bits, policy)
#define ct_store_global_policy_if(on, dst, reg, bits, policy)                                      \
    ct_store_global_policy_any_if(on, dst, reg, bits, policy)

/* A policy that applies to all accesses that use it. */
#define CT_PTX_POLICY(name)                                                                        \
    CT_DEVICE uint64_t ct_policy_##name(void)                                                      \
    {                                                                                              \
        uint64_t policy;                                                                           \
        asm("createpolicy.fractional.L2::" #name ".b64 %0, 1.0;" : "=l"(policy));                  \
        return policy;                                                                             \
    }
CT_PTX_POLICY(evict_first)
CT_PTX_POLICY(evict_last)
CT_PTX_POLICY(evict_normal)

#else

#define ct_load_global_cg ct_load_global
#define ct_load_global_cs ct_load_global
#define ct_load_global_lu ct_load_global
#define ct_load_global_cv ct_load_global
#define ct_load_global_nc ct_load_global
#define ct_load_global_no_allocate ct_load_global
#define ct_load_global_nc_no_allocate ct_load_global
#define ct_load_global_evict_first ct_load_global
#define ct_load_global_evict_last ct_load_global
#define ct_load_global_l2_64 ct_load_global
#define ct_load_global_l2_128 ct_load_global
#define ct_load_global_l2_256 ct_load_global
#define ct_load_global_cg_if ct_load_global_if
#define ct_load_global_cs_if ct_load_global_if
#define ct_load_global_lu_if ct_load_global_if
#define ct_load_global_cv_if ct_load_global_if
#define ct_load_global_nc_if ct_load_global_if
#define ct_load_global_no_allocate_if ct_load_global_if
#define ct_load_global_nc_no_allocate_if ct_load_global_if
#define ct_load_global_evict_first_if ct_load_global_if
#define ct_load_global_evict_last_if ct_load_global_if
#define ct_load_global_l2_64_if ct_load_global_if
#define ct_load_global_l2_128_if ct_load_global_if
#define ct_load_global_l2_256_if ct_load_global_if
#define ct_store_global_cg ct_store_global
#define ct_store_global_cs ct_store_global
#define ct_store_global_wt ct_store_global
#define ct_store_global_no_allocate ct_store_global
#define ct_store_global_evict_first ct_store_global
#define ct_store_global_evict_last ct_store_global
#define ct_store_global_cg_if ct_store_global_if
#define ct_store_global_cs_if ct_store_global_if
#define ct_store_global_wt_if ct_store_global_if
#define ct_store_global_no_allocate_if ct_store_global_if
#define ct_store_global_evict_first_if ct_store_global_if
#define ct_store_global_evict_last_if ct_store_global_if
#define ct_load_global_policy(reg, src, bits, policy)                                              \
    ((void)(policy), ct_load_global(reg, src, bits))
#define ct_load_global_policy_if(on, reg, src, bits, policy)                                       \
    ((void)(policy), ct_load_global_if(on, reg, src, bits))
#define ct_store_global_policy(dst, reg, bits, policy)                                             \
    ((void)(policy), ct_store_global(dst, reg, bits))
#define ct_store_global_policy_if(on, dst, reg, bits, policy)                                      \
    ((void)(policy), ct_store_global_if(on, dst, reg, bits))

static inline uint64_t ct_policy_evict_first(void) { return 0; }
static inline uint64_t ct_policy_evict_last(void) { return 0; }
static inline uint64_t ct_policy_evict_normal(void) { return 0; }

#endif

#endif
