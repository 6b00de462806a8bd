/* A program that uses cutlet from outside: the algebra from the headers, text from the library. */
#include <stdio.h>
#include <string.h>

#include <cutlet/cutlet.h>
#include <cutlet/host/eval.h>
#include <cutlet/host/text.h>

int main(void)
{
    char text[CT_TEXT_BYTES];
    ct_layout A, B;
    if (ct_parse_layout("(6,2):(8,2)", &A, NULL) || ct_parse_layout("(4,3):(3,1)", &B, NULL))
        return 1;
    ct_format_layout(text, sizeof text, ct_composition(A, B));
    if (strcmp(text, "((2,2),3):((24,2),8)") != 0) return 2;

    ct_value v;
    if (ct_evaluate("size((4,8))", &v, NULL)) return 3;
    ct_format_value(text, sizeof text, &v);
    ct_value_free(&v);
    if (strcmp(text, "32") != 0) return 4;

    printf("cutlet %s, %d leaves\n", CT_VERSION_STRING, CT_MAX_LEAVES);
    return 0;
}
