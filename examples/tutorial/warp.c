#include <cutlet/cutlet.h>
#include <cutlet/host/access.h>
#include <stdio.h>

/* What the first load of warp 0 costs, when a tiled copy reads a matrix of half. */
static void show(const char *name, ct_layout threads, ct_layout values, int bits, ct_layout matrix)
{
    const ct_copy_atom atom = ct_copy_atom_universal(bits, 16);
    const ct_tiled_copy copy = ct_make_tiled_copy(atom, threads, values);
    int64_t byte[32];
    for (int lane = 0; lane < 32; ++lane)
        byte[lane] = 2 * ct_partition_src(copy, ct_make_tensor(matrix), lane).offset.value[0];
    const ct_access_count cost = ct_count_access(CT_ACCESS_LDG, bits, byte);
    printf("%-28s lanes 0, 1, 8 at bytes %3lld %5lld %6lld: %2d sectors, %3d %% used\n", name,
           (long long)byte[0], (long long)byte[1], (long long)byte[8], cost.sectors,
           100 * cost.bytes_used / (32 * cost.sectors));
}

int main(void)
{
    const ct_layout row = ct_make_row_major(ct_tuple2(4096, 4096));
    const ct_layout col = ct_make_col_major(ct_tuple2(4096, 4096));
    const ct_layout across = ct_layout2(16, 8, 8, 1);   /* neighbours along n */
    const ct_layout printed = ct_layout2(8, 16, 16, 1); /* sizes exchanged, strides not */
    const ct_layout down = ct_layout2(8, 16, 1, 8);     /* neighbours along m */
    const ct_layout half_line = ct_layout2(32, 4, 4, 1);
    show("row-major, (16,8):(8,1)", across, ct_layout2(1, 4, 1, 1), 16, row);
    show("column-major, (16,8):(8,1)", across, ct_layout2(1, 4, 1, 1), 16, col);
    show("column-major, (8,16):(16,1)", printed, ct_layout2(4, 1, 1, 1), 16, col);
    show("column-major, (8,16):(1,8)", down, ct_layout2(4, 1, 1, 1), 16, col);
    printf("16 bytes a thread:\n");
    show("row-major, (16,8):(8,1)", across, ct_layout2(1, 8, 1, 1), 128, row);
    show("row-major, (32,4):(4,1)", half_line, ct_layout2(1, 8, 1, 1), 128, row);
    show("column-major, (8,16):(16,1)", printed, ct_layout2(8, 1, 1, 1), 128, col);
    show("column-major, (8,16):(1,8)", down, ct_layout2(8, 1, 1, 1), 128, col);
}
