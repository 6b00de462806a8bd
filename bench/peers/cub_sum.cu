/* CUB's sum of floats, as a library that `cutlet-bench vector --cub` opens and times beside its
 * own: same process, same array, in turn.
 *
 *     nvcc -std=c++17 -O3 -arch=sm_90 -shared -Xcompiler -fPIC -cudart static -o libcub_sum.so
 *     cub_sum.cu
 *
 * CUB comes with the CUDA Toolkit. */
#include <cub/device/device_reduce.cuh>

/* With scratch NULL: how many bytes of it are needed. Otherwise the sum of n floats goes to *dst.
 * Returns 0, or what CUDA says. */
extern "C" int cub_sum(const float *src, float *dst, long long n, void *scratch,
                       size_t *scratch_bytes, void *stream)
{
    return (int)cub::DeviceReduce::Sum(scratch, *scratch_bytes, src, dst, n, (cudaStream_t)stream);
}

/* CUB's version: 300001 is 3.0.1. */
extern "C" int cub_version(void) { return CUB_VERSION; }
