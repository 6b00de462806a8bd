/* Values on standard output, by the functions that write them to a buffer. */
#include <cutlet/host/print.h>

#include <stdio.h>

#include <cutlet/host/text.h>

/* The text is complete: CT_TEXT_BYTES hold any value. */
static ct_status put_line(const char *text) { return puts(text) < 0 ? CT_E_FILE : CT_OK; }

#define PRINT(name, type)                                                                          \
    ct_status ct_print_##name(type value)                                                          \
    {                                                                                              \
        char text[CT_TEXT_BYTES];                                                                  \
        ct_format_##name(text, sizeof text, value);                                                \
        return put_line(text);                                                                     \
    }
PRINT(tuple, ct_tuple)
PRINT(layout, ct_layout)
PRINT(tiler, ct_tiler)
PRINT(tensor, ct_tensor)
PRINT(swizzle, ct_swizzle)
PRINT(copy_atom, ct_copy_atom)
PRINT(tiled_copy, ct_tiled_copy)
PRINT(mma_atom, ct_mma_atom)
PRINT(tiled_mma, ct_tiled_mma)
