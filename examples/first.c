#include <cutlet/cutlet.h>
#include <cutlet/host/text.h>
#include <stdio.h>

int main(void)
{
    /* part: main */
    ct_tensor matrix = ct_make_tensor(ct_make_row_major(ct_tuple2(512, 512)));
    ct_copy_atom atom = ct_copy_atom_universal(128, 16); /* 128 bits: 8 values of 16 */
    ct_tiled_copy copy = ct_make_tiled_copy(atom, ct_layout2(16, 8, 8, 1), ct_layout2(1, 8, 1, 1));
    ct_tensor mine = ct_partition_src(copy, matrix, 9); /* what thread 9 copies */
    char text[CT_TEXT_BYTES];
    ct_format_tensor(text, sizeof text, mine);
    puts(text); /* the place it starts at, and its layout: ((values), tiles down, tiles across) */
    /* end */
}
