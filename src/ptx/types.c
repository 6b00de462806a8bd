/* The types of PTX. */
#include "ptx.h"

/* clang-format off */
const char *const ct_ptx_type_names[PTX_TYPES] = {
    "", "pred", "b8", "u8", "s8", "b16", "u16", "s16", "f16", "bf16", "b32", "u32", "s32", "f32", "f16x2", "bf16x2",
    "tf32", "b64", "u64", "s64", "f64", "e4m3x2", "e5m2x2"};
const unsigned char ct_ptx_type_bits[PTX_TYPES] = {
    0, 1, 8, 8, 8, 16, 16, 16, 16, 16, 32, 32, 32, 32, 32, 32, 32, 64, 64, 64, 64, 16, 16};
/* clang-format on */

int ct_ptx_type(const char *word, size_t length)
{
    int i = PTX_TYPES - 1;
    while (i > 0 && (strlen(ct_ptx_type_names[i]) != length ||
                     memcmp(ct_ptx_type_names[i], word, length) != 0))
        --i;
    return i;
}
