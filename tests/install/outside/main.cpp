// The same from C++: constant expressions from the headers, C functions from the library.
#include <cstdio>
#include <cstring>

#include <cutlet/cutlet.h>
#include <cutlet/host/text.h>

int main()
{
    constexpr ct_layout column = ct_make_col_major(ct_int(12));
    static_assert(ct_size(column) == 12, "folded by the compiler");
    char text[CT_TEXT_BYTES];
    ct_format_layout(text, sizeof text, column);
    if (std::strcmp(text, "12:1") != 0) return 1;
    std::printf("cutlet %s, %d leaves\n", CT_VERSION_STRING, CT_MAX_LEAVES);
    return 0;
}
