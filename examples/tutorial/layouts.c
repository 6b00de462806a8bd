#include <cutlet/cutlet.h>
#include <cutlet/host/text.h>
#include <stdio.h>

/* Prints where each element (i,j) of a matrix of 4 rows and 8 columns lies. */
static void show(ct_layout L)
{
    char text[CT_TEXT_BYTES];
    ct_format_layout(text, sizeof text, L);
    printf("%s\n", text);
    for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < 8; ++j) printf("%4lld", (long long)ct_eval2(L, i, j));
        printf("\n");
    }
}

int main(void)
{
    show(ct_make_row_major(ct_tuple2(4, 8)));
    show(ct_make_col_major(ct_tuple2(4, 8)));
    show(ct_layout2(4, 8, 10, 1)); /* rows with a gap of two elements between them */
}
