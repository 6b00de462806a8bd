/**
 * Global accesses of 256 bits per lane, for sm_100 and later (compiled, with the generated code
 * checked; not run).
 *
 *     ct_load_global_256(reg, src)
 *           Loads 32 bytes of global memory at src into the thread's variable at reg.
 *     ct_load_global_256_if(on, reg, src)
 *           ct_load_global_256 in lanes whose `on` is not 0; other lanes keep their variable.
 *     ct_store_global_256(dst, reg)
 *           Stores 32 bytes of the thread's variable at reg to global memory at dst.
 *     ct_store_global_256_if(on, dst, reg)
 *           ct_store_global_256 in lanes whose `on` is not 0; other lanes write nothing.
 *
 * Operands as in load_store.h: reg is 32 bytes of the thread's own, src and dst are aligned to 32.
 * CT_HAS_256 says whether they are available.
 *
 * Fails:    As the accesses of load_store.h: the CPU grid ends the launch at an address that is not
 *           a multiple of 32, and out of bounds.
 * Cost:     One ld or st of 32 bytes per lane: a warp moves 32 sectors of 32 bytes, if each lane's
 *           address is its own.
 * In a kernel:
 *           #if CT_HAS_256 // no, when nvcc compiles for an architecture before sm_100
 *           CT_FRAGMENT(float, v, 8);
 *           CT_FRAGMENT(float, w, 8) = {0};
 *           const int i = 8 * (int)threadIdx.x, on = threadIdx.x % 2 == 0;
 *           ct_load_global_256(v, in + i);
 *           ct_load_global_256_if(on, w, in + i);
 *           assert(v[7] == (float)(i + 7) && w[7] == (on ? v[7] : 0.0f));
 *           ct_store_global_256(out + i, v);
 *           ct_store_global_256_if(on, out + 256 + i, w);
 *           float last = -1;
 *           ct_load_global(&last, out + 256 + i + 7, 32);
 *           assert(last == w[7]);
 *           #endif
 * Source:   NVIDIA, PTX ISA 8.8, ld and st: vectors of eight 32-bit elements.
 */
#ifndef CUTLET_DEVICE_ARCH_LOAD_STORE_256_H
#define CUTLET_DEVICE_ARCH_LOAD_STORE_256_H

#include <cutlet/device/arch/load_store.h>

#if !defined(__CUDACC__) || (defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 1000)
#define CT_HAS_256 1
#else
#define CT_HAS_256 0
#endif

#if !defined(__CUDACC__)

#define ct_load_global_256(reg, src) ct_load_global_256_if(1, reg, src)
#define ct_load_global_256_if(on, reg, src) ct_grid_load_global_256(CT_GRID_SITE, on, reg, src)
#define ct_store_global_256(dst, reg) ct_store_global_256_if(1, dst, reg)
#define ct_store_global_256_if(on, dst, reg) ct_grid_store_global_256(CT_GRID_SITE, on, dst, reg)

#elif CT_HAS_256

#define CT_PTX_R8(io) CT_PTX_R4(io), io "r"(v[4]), io "r"(v[5]), io "r"(v[6]), io "r"(v[7])
#define CT_PTX_LIST8 "{%0, %1, %2, %3, %4, %5, %6, %7}"

CT_DEVICE void ct_load_global_256(void *reg, const void *src)
{
    uint32_t v[8];
    asm volatile("ld.global.v8.b32 " CT_PTX_LIST8 ", [%8];"
                 : CT_PTX_R8("=")
                 : CT_PTX_AT_global(src)
                 : "memory");
    for (int i = 0; i < 8; ++i) ((ct_held32 *)reg)[i] = v[i];
}

CT_DEVICE void ct_load_global_256_if(int on, void *reg, const void *src)
{
    uint32_t v[8] = {0};
    for (int i = 0; i < 8; ++i) v[i] = ((const ct_held32 *)reg)[i];
    asm volatile(CT_PTX_IF("%9", "ld.global.v8.b32 " CT_PTX_LIST8 ", [%8]")
                 : CT_PTX_R8("+")
                 : CT_PTX_AT_global(src), "r"(on)
                 : "memory");
    for (int i = 0; i < 8; ++i) ((ct_held32 *)reg)[i] = v[i];
}

CT_DEVICE void ct_store_global_256(void *dst, const void *reg)
{
    uint32_t v[8] = {0};
    for (int i = 0; i < 8; ++i) v[i] = ((const ct_held32 *)reg)[i];
    asm volatile("st.global.v8.b32 [%8], " CT_PTX_LIST8 ";" ::CT_PTX_R8(""), CT_PTX_AT_global(dst)
                 : "memory");
}

CT_DEVICE void ct_store_global_256_if(int on, void *dst, const void *reg)
{
    uint32_t v[8] = {0};
    for (int i = 0; i < 8; ++i) v[i] = ((const ct_held32 *)reg)[i];
    asm volatile(CT_PTX_IF("%9", "st.global.v8.b32 [%8], " CT_PTX_LIST8)::CT_PTX_R8(""),
                 CT_PTX_AT_global(dst), "r"(on)
                 : "memory");
}

#endif

#endif
