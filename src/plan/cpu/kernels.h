/**
 * The inner loops of the CPU backend, compiled for any processor of the architecture, and on x86
 * also for processors with AVX2.
 */
#ifndef CUTLET_SRC_PLAN_CPU_KERNELS_H
#define CUTLET_SRC_PLAN_CPU_KERNELS_H

#include <stddef.h>
#include <stdint.h>

#include <cutlet/algebra/element_type.h>

typedef struct ct_kernels {
    const char *name;

    /** Transposes: element (a,b) of dst, at dst + a * dst_step + b * unit, is element (b,a) of src, at
     *  src + b * src_step + a * unit, for a < na, b < nb. Units of 1, 2, 4, 8 or 16 bytes. */
    void (*transpose)(unsigned char *dst, int64_t dst_step, const unsigned char *src,
                      int64_t src_step, int64_t na, int64_t nb, int32_t unit);

    /** Transposes rows at any offsets into a buffer: element (a,b) of dst, at dst + a * dst_step +
     *  b * unit, is element (b,a) of src, at src + src_at[b] + a * unit. */
    void (*gather)(unsigned char *dst, int64_t dst_step, const unsigned char *src,
                   const int64_t *src_at, int64_t na, int64_t nb, int32_t unit);

    /** Copies `count` rows of `bytes` bytes, each dst_step and src_step after the previous row. */
    void (*rows)(unsigned char *dst, int64_t dst_step, const unsigned char *src, int64_t src_step,
                 int64_t count, int64_t bytes);

    /** Transposes with non-temporal stores of full lines; other bytes are stored normally. */
    void (*stream)(unsigned char *dst, int64_t dst_step, const unsigned char *src, int64_t src_step,
                   int64_t count, int64_t bytes);

    /** Copies n units of 1, 2, 4, 8 or 16 bytes, each dst_step and src_step after the previous. */
    void (*strided)(unsigned char *dst, int64_t dst_step, const unsigned char *src,
                    int64_t src_step, int64_t n, int32_t unit);

    /** Waits until non-temporal stores are visible to all threads. */
    void (*settle)(void);

    /** Converts n contiguous elements. */
    void (*convert)(unsigned char *dst, const unsigned char *src, int64_t n,
                    const ct_conversion *how);
} ct_kernels;

extern const ct_kernels ct_kernels_any;
extern const ct_kernels ct_kernels_avx2; /* x86 only */

/** The loops for this processor. */
const ct_kernels *ct_kernels_chosen(void);

/** The name of a function in the loops that are being compiled. */
#if defined(CT_KERNELS_AVX2)
#define CT_LOOPS(name) name##_avx2
#else
#define CT_LOOPS(name) name##_any
#endif

/** The loops in other files than the table. */
void CT_LOOPS(ct_rows)(unsigned char *dst, int64_t dst_step, const unsigned char *src,
                       int64_t src_step, int64_t count, int64_t bytes);
void CT_LOOPS(ct_stream)(unsigned char *dst, int64_t dst_step, const unsigned char *src,
                         int64_t src_step, int64_t count, int64_t bytes);
void CT_LOOPS(ct_strided)(unsigned char *dst, int64_t dst_step, const unsigned char *src,
                          int64_t src_step, int64_t n, int32_t unit);
void CT_LOOPS(ct_settle)(void);
void CT_LOOPS(ct_convert)(unsigned char *dst, const unsigned char *src, int64_t n,
                          const ct_conversion *how);

#endif
