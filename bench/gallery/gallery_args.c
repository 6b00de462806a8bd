/* Tensors as kernels take them, and the class of rows, for gallery.py. */
#include <string.h>

#include "../../examples/rows/rows.h"

/* Writes a tensor of up to four axes to `out`. Its bytes; below 0 for one that is refused. */
int gallery_tensor(void *out, const void *at, int bits, int axes, const int64_t *n,
                   const int64_t *step)
{
    ct_tuple shape = ct_tuple0(), stride = ct_tuple0();
    for (int a = 0; a < axes; ++a) shape = ct_append(shape, ct_int(n[a]));
    for (int a = 0; a < axes; ++a) stride = ct_append(stride, ct_int(step[a]));
    const ct_global g = ct_make_global(at, bits, ct_make_layout(shape, stride));
    memcpy(out, &g, sizeof g);
    return g.err.status ? -1 : (int)sizeof g;
}

/* rows, threads, each and blocks of the class for rows of this many bytes, and its shared memory; its suffix. */
const char *gallery_class(int64_t bytes, int32_t *out)
{
    const rows_class c = rows_choose(bytes);
    memcpy(
        out,
        (int32_t[]){c.rows, c.threads, c.each, c.blocks, c.staged ? 16 * c.threads * c.each : 64},
        20);
    return c.suffix;
}
