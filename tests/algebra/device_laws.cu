/* The laws and the shared tables inside kernels: a case or a row for each thread. gcc compiles this
 * file as a part of test_device_laws.c, nvcc for the GPU.
 *
 * Rows and values are only read, so that they are reached by plain pointers. */
#include "device_args.h"

#include <cutlet/device/kernel/kernel.h>

#include <cutlet/device/arch/atoms.h>

CT_KERNEL_THREADS(ct_test_laws, DEVICE_THREADS, law_args, args)
{
    const int32_t number = (int32_t)(blockIdx.x * DEVICE_THREADS + threadIdx.x);
    law_fault = args.fault; /* the same for all */
    if (number >= args.cases) return;
    law_operands o = CT_ZERO;
    law_operands_of(args.seed, (uint64_t)number, &o);
    const char *const broken = law_of_case((int)blockIdx.y, &o);
    law_outcome outcome = {law_operands_print(&o),
                           broken ? (uint64_t)DEVICE_BROKEN : (uint64_t)DEVICE_HOLDS};
    law_outcome *const out = args.out + (int64_t)blockIdx.y * args.cases + number;
    ct_store_global(&out->print, &outcome.print, 64);
    ct_store_global(&out->verdict, &outcome.verdict, 64);
}

CT_KERNEL_THREADS(ct_test_rows, DEVICE_THREADS, row_args, args)
{
    const int32_t number = (int32_t)(blockIdx.x * DEVICE_THREADS + threadIdx.x);
    if (number >= args.count) return;
    const int holds = row_holds(args.rows + number, args.pool);
    const uint32_t verdict = holds ? DEVICE_HOLDS : DEVICE_BROKEN;
    ct_store_global(args.out + number, &verdict, 32);
}
