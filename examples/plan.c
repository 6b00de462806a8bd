/* A matrix from rows to columns of tiles, and to half precision on the way: planned once, run often.
 * Links libcutlet only. */
#include <cutlet/cutlet.h>
#include <cutlet/host/cuda.h>
#include <cutlet/host/plan.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { M = 8, N = 6 };

/* The same plan in memory of a GPU, where there is one: 0, or -1 where it is not the same. */
static int on_device(const ct_plan *plan, const float matrix[M * N], const uint16_t tiles[M * N])
{
    char reason[CT_MESSAGE_BYTES], message[CT_MESSAGE_BYTES] = "";
    uint16_t result[M * N] = {0};
    ct_cuda *gpu = ct_cuda_open(0, reason);
    if (!gpu) {
        fprintf(stderr, "%s\n", reason);
        return 0;
    }
    void *src = ct_cuda_alloc(gpu, M * N * sizeof *matrix),
         *dst = ct_cuda_alloc(gpu, sizeof result);
    int bad = !src || !dst || ct_cuda_upload(gpu, src, matrix, M * N * sizeof *matrix) ||
              ct_plan_run(plan, dst, src, ct_cuda_stream(gpu), message) ||
              ct_cuda_download(gpu, result, dst, sizeof result);
    if (bad) fprintf(stderr, "%s\n", message[0] ? message : ct_cuda_error(gpu));
    else fprintf(stderr, "the same on %s\n", ct_cuda_about(gpu)->name);
    ct_cuda_close(gpu);
    return bad || memcmp(result, tiles, sizeof result) != 0 ? -1 : 0;
}

int main(void)
{
    static float matrix[M * N];
    static uint16_t tiles[M * N];
    char message[CT_MESSAGE_BYTES], text[1024];
    for (int i = 0; i < M * N; ++i) matrix[i] = (float)i;

    ct_plan_desc desc = {0};
    ct_layout rows = ct_make_row_major(ct_tuple2(M, N));
    ct_layout tiled = ct_make_layout2(ct_layout2(4, 2, 1, 24), ct_layout2(3, 2, 4, 12));
    desc.src = ct_plan_side_of(rows, CT_TYPE_FLOAT);
    desc.dst = ct_plan_side_of(tiled, CT_TYPE_HALF);
    ct_plan *plan = NULL;
    if (ct_plan_create(&desc, CT_EFFORT_ESTIMATE, &plan, message) ||
        ct_plan_run(plan, tiles, matrix, NULL, message)) {
        fprintf(stderr, "%s\n", message);
        return EXIT_FAILURE;
    }
    if (on_device(plan, matrix, tiles)) return EXIT_FAILURE;
    ct_plan_info info;
    ct_plan_info_of(plan, &info);
    printf("%lld elements, %lld bytes to read, %lld to write\n", (long long)info.elements,
           (long long)info.bytes_read, (long long)info.bytes_written);
    /* matrix element (5,4) is the number 34, in binary16 0x5040 */
    printf("element (5,4) lies at %lld: 0x%04x\n", (long long)ct_eval(tiled, 5 + M * 4),
           (unsigned)tiles[ct_eval(tiled, 5 + M * 4)]);
    ct_plan_destroy(plan);

    desc.dst = ct_plan_side_of(ct_layout2(M, N, 5, 1), CT_TYPE_HALF); /* rows that overlap */
    if (ct_plan_create(&desc, CT_EFFORT_ESTIMATE, &plan, message)) printf("%s\n", message);
    desc.dst = ct_plan_side_of(ct_layout2(M, N, 1, M), CT_TYPE_FLOAT);
    if (ct_plan_create(&desc, CT_EFFORT_ESTIMATE, &plan, message) == CT_OK) {
        ct_plan_describe(plan, text, sizeof text);
        printf("%.5s\n", text); /* what kind of copy it is */
    }
    ct_plan_destroy(plan);
    return EXIT_SUCCESS;
}
