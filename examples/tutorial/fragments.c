#include <cutlet/cutlet.h>
#include <cutlet/host/text.h>
#include <stdio.h>

/* Of a matrix: what thread 37 holds, and how often all threads together hold each element. */
static void show(const char *name, ct_tiled_mma mma, ct_layout matrix,
                 ct_tensor (*partition)(ct_tiled_mma, ct_tensor, int64_t))
{
    const ct_tensor whole = ct_make_tensor(matrix);
    char text[CT_TEXT_BYTES];
    int held[64 * 64] = {0}, alike = 0;
    for (int64_t t = 0; t < ct_tiled_mma_threads(mma); ++t) {
        const ct_tensor mine = partition(mma, whole, t);
        for (int64_t v = 0; v < ct_tensor_size(mine); ++v) ++held[ct_tensor_eval(mine, v)];
    }
    for (int64_t e = 0; e < ct_size(matrix); ++e) alike += held[e] == held[0];
    ct_format_tensor(text, sizeof text, partition(mma, whole, 37));
    printf("%s: thread 37 has %-39s %d of %lld elements are held %d times\n", name, text, alike,
           (long long)ct_size(matrix), held[0]);
}

int main(void)
{
    const ct_mma_atom atom = ct_make_mma_atom("SM80_16x8x16_F32F16F16F32_TN");
    const ct_tiled_mma mma = ct_make_tiled_mma(atom, ct_layout2(2, 2, 1, 2), ct_tiler0());
    show("A", mma, ct_make_row_major(ct_tuple2(64, 32)), ct_partition_a);
    show("B", mma, ct_make_row_major(ct_tuple2(64, 32)), ct_partition_b);
    show("C", mma, ct_make_row_major(ct_tuple2(64, 64)), ct_partition_c);
}
