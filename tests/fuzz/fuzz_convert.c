/* Layouts of other systems: any text is read or refused with a reason, and what is written in another
 * system is the same function. The first bytes choose the systems, the bits of an element, a shape. */
#include <string.h>

#include "bytes.h"
#include <cutlet/host/convert.h>

/* Encodings in shared memory have no shape in their text. */
static int has_shape(int system)
{
    return system != CT_SYSTEM_TRITON_SWIZZLED && system != CT_SYSTEM_TRITON_NVMMA &&
           system != CT_SYSTEM_TRITON_BLOCKED;
}

/* Whether what a text describes is small enough to be enumerated here. */
static int is_small(const char *text, ct_convert_options o)
{
    char out[CT_CONVERT_BYTES];
    ct_value v;
    o.to = CT_SYSTEM_CUTLET;
    if (ct_convert_layout(text, &o, out, NULL) || ct_parse_value(out, &v, NULL)) return 0;
    const ct_layout L = v.kind == CT_KIND_TENSOR ? v.as.tensor.layout : v.as.layout;
    return v.kind == CT_KIND_TUPLE || ct_size(L) <= 4096;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const int bits[] = {0, 4, 8, 16, 32, 64};
    char text[1024], out[CT_CONVERT_BYTES];
    ct_convert_options o;
    ct_diag diag;
    memset(&o, 0, sizeof o);
    if (size < 4 || size - 4 >= sizeof text) return 0;
    o.to = 1 + data[0] % (CT_SYSTEM_COUNT - 1);
    o.element_bits = bits[data[1] % 6];
    o.rank = data[2] % 4;
    for (int d = 0; d < o.rank; ++d) o.shape[d] = (int64_t)1 << (data[3] >> 2 * d & 7);
    memcpy(text, data + 4, size - 4);
    text[size - 4] = '\0';
    if (memchr(text, '\0', size - 4)) return 0;
    if (ct_convert_layout(text, &o, out, &diag)) {
        require(diag.message[0] != '\0' && diag.length >= 1 && diag.at <= strlen(text));
        for (const char *p = diag.message; *p; ++p) require((unsigned char)*p >= 0x20);
        return 0;
    }
    require(strlen(out) < sizeof out);
    int same = 0, failed = 0;
    if ((!has_shape(o.to) && o.rank == 0) || !is_small(text, o)) return 0;
    const ct_status status = ct_same_layout(text, out, &o, &same, &failed, &diag);
    require(failed != 0);    /* it was read before */
    require(status || same); /* two that are read and compared are one function */
    return 0;
}
