/* Rotary embedding in place: elements d and d + 64 of each head, by the position of their token. A row of the table is
 * cosines, then sines, loaded once for both heads of a thread. A block (x,y) has 16 tokens and two heads. */
#include <cutlet/algebra/read.h>
#include <cutlet/device/copy/copy.h>
#include <cutlet/device/register/values.h>
#include <cutlet/device/tensor/indexed_tile.h>

typedef struct rotary_args {
    ct_global x;             /* (tokens,heads,2,64) of bfloat16 */
    ct_global table;         /* (positions,heads,2,64):(128,0,64,1) of floats */
    const int32_t *position; /* of each token; one outside of the table gives zeros */
} rotary_args;

/* A thread has eight elements of a head and the eight that they are rotated with. */
CT_FN ct_partition rotary_part(int32_t bits, ct_memory src, ct_memory dst)
{
    const ct_layout thr = ct_read("(16,1,1,8):(8,0,0,1)"), val = ct_read("(1,1,2,8):(0,0,8,1)");
    const ct_tiled_copy copy = ct_make_tiled_copy(ct_copy_atom_auto(bits), thr, val);
    return ct_make_predicated_partition(copy, ct_tuple4(16, 2, 2, 64), src, dst);
}

CT_KERNEL_THREADS(rotary, 128, rotary_args, args)
{
    CT_STATIC(ct_partition, in, rotary_part(16, ct_in_global(3), ct_in_registers()));
    CT_STATIC(ct_partition, out, rotary_part(16, ct_in_registers(), ct_in_global(3)));
    CT_STATIC(ct_partition, table,
              ct_partition_repeated(rotary_part(32, ct_in_global(3), ct_in_registers()), 1 << 1));
    CT_REGISTERS(bfloat16, x, in);
    CT_REGISTERS(float, by, table);
    const ct_index at = ct_index4(blockIdx.x, blockIdx.y, 0, 0);
    const ct_view rows = ct_view_tile(&args.table, &table, at);
    ct_copy(&in, ct_view_tile(&args.x, &in, at), x);
    ct_copy(&table, ct_view_indexed(&table, rows, 0, args.position, args.x.extent[0]), by);
    CT_EACH(i, x)
    {
        if (i % 16 >= 8) continue;
        const float a = ct_val(x, i), b = ct_val(x, i + 8);
        const float cosine = ct_val(by, i), sine = ct_val(by, i + 8);
        ct_put(x, i, a * cosine - b * sine);
        ct_put(x, i + 8, b * cosine + a * sine);
    }
    ct_copy(&out, x, ct_view_tile(&args.x, &out, at));
}
