/* CUB's sum in plain C, for `cutlet-bench vector --cub` on the driver of fake_cuda.c. */
#include <stddef.h>

int cub_sum(const float *src, float *dst, long long n, void *scratch, size_t *scratch_bytes,
            void *stream);
int cub_version(void);

int cub_sum(const float *src, float *dst, long long n, void *scratch, size_t *scratch_bytes,
            void *stream)
{
    double sum = 0;
    (void)stream;
    if (!scratch) {
        *scratch_bytes = 8;
        return 0;
    }
    for (long long i = 0; i < n; ++i) sum += src[i];
    *dst = (float)sum;
    return 0;
}

int cub_version(void) { return 300102; }
