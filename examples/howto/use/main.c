/* A program that uses cutlet: a layout from the headers, its text from the library. */
#include <cutlet/cutlet.h>
#include <cutlet/host/text.h>
#include <stdio.h>

int main(void)
{
    const ct_layout A = ct_layout2(6, 2, 8, 2), B = ct_layout2(4, 3, 3, 1);
    char text[CT_TEXT_BYTES];
    ct_format_layout(text, sizeof text, ct_composition(A, B));
    printf("%s\n", text);
}
