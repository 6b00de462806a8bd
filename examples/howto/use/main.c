/* A program that uses cutlet: layouts from the headers, their text and errors from the library. */
#include <cutlet/cutlet.h>
#include <cutlet/host/text.h>
#include <stdio.h>

/* Prints A o B, or why there is none. */
static void show_composition(ct_layout A, ct_layout B)
{
    char text[CT_TEXT_BYTES];
    const ct_layout R = ct_composition(A, B);
    if (ct_err(R).status) ct_error_message(ct_err(R), text, sizeof text);
    else ct_format_layout(text, sizeof text, R);
    printf("%s\n", text);
}

int main(void)
{
    show_composition(ct_layout2(4, 2, 1, 8), ct_layout1(3, 3));
    show_composition(ct_layout2(6, 2, 8, 2), ct_layout2(4, 3, 3, 1));
}
