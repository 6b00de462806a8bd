/* The product where there are no kernels of it, as in the Python package: on the CPU alone. */
#include <string.h>

#include "base/refuse.h"
#include "gemm.h"

int ct_gemm_takes_wgmma(const ct_gemm_job *job, char *why)
{
    (void)job;
    strcpy(why, "is a kernel, of which the Python package has none");
    return 0;
}

ct_status ct_gemm_on_kernels(ct_gemm_job *job, ct_gemm_result *run, char *error)
{
    (void)job, (void)run;
    return ct_refuse(error, CT_E_BACKEND, "the Python package multiplies on the CPU: --on cpu");
}

ct_status ct_gemm_on_wgmma(ct_gemm_job *job, ct_gemm_result *run, char *error)
{
    return ct_gemm_on_kernels(job, run, error);
}
