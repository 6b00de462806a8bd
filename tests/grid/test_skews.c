/* The CPU grid: buffers at any address, and with any skew. The kernel sees the address that counts, so the
 * transpose of the quick start, which looks at addresses, runs on all of them. */
#define main quick_main
#include "quickstart.cu"
#undef main

#include "test.h"

#include "all_cases.h"

enum { CAPACITY = 64 };

/* Whether the transpose of a matrix `from` bytes past a boundary runs, with these skews. */
static int transposes(int from, int to, int src_skew, int dst_skew, char *message)
{
    static _Alignas(256) float memory[2][M * N + CAPACITY];
    float *const src = memory[0] + from / 4, *const dst = memory[1] + to / 4;
    for (int i = 0; i < M * N; ++i) src[i] = (float)i, dst[i] = -1;
    const transpose_args args = make_args(src, dst);
    const ct_grid_buffer buffers[] = {{"src", src, sizeof *src * M * N, 0, src_skew},
                                      {"dst", dst, sizeof *dst * M * N, 1, dst_skew}};
    const ct_grid_options options = {.buffers = buffers, .buffer_count = 2};
    ct_grid_report report;
    int wrong = ct_grid_launch(&transpose, (ct_dim3){(N + 63) / 64, (M + 63) / 64, 1},
                               (ct_dim3){256, 1, 1}, 0, &args, sizeof args, &options, &report);
    for (int i = 0; i < M * N; ++i) wrong |= dst[i % N * M + i / N] != (float)i;
    memcpy(message, report.message, sizeof report.message);
    ct_grid_report_free(&report);
    return !wrong;
}

TEST(test_skews)
{
    char message[sizeof((ct_grid_report *)0)->message];
    for (int at = 0; at < 32; at += 4)
        for (int skew = 0; skew < 32; skew += 4) {
            const int is_taken = all_cases() || (at < 16 && skew == at) || (at == 8 && skew == 0);
            if (is_taken && !transposes(28 - at, at, skew, (28 - skew) % 16, message))
                fail_msg("address %d, skew %d: %s", at, skew, message);
        }
}

GROUP("skews", NULL, NULL)
