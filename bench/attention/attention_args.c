/* The arguments of the attention kernels, made for attention.py. */
#include <string.h>

#include "../../examples/attention/attention.h"
#include "encode_map.h"

static int map_of(ct_tma_map *map, encode_tiled *encode, const void *at, int64_t rows, int64_t d,
                  int64_t heads, int64_t box)
{
    const ct_layout L = ct_layout3(rows, d, heads, d, 1, rows * d);
    return encode_map(map, encode,
                      ct_make_tma_desc(L, ct_tuple3(box, 64, 1), CT_ELEM_BF16, CT_TMA_SWIZZLE_128B,
                                       (uint64_t)(uintptr_t)at));
}

/* Writes the arguments for Q, K, V and O of (heads, rows, d), contiguous, to `out`, aligned to 64 bytes, of `room`
 * bytes. Their size; below 0 for a tensor that is refused. */
int attention_make_args(void *out, int capacity, encode_tiled *encode, const void *const at[4],
                        int64_t m, int64_t n, int64_t d, int64_t heads, float scale)
{
    attention_args args;
    memset(&args, 0, sizeof args);
    args.o = ct_make_global(at[3], 16, ct_layout3(m, d, heads, d, 1, m * d));
    args.n = (int32_t)n;
    args.scale = scale;
    if (capacity < (int)sizeof args || args.o.err.status ||
        map_of(&args.q, encode, at[0], m, d, heads, ATTENTION_ROWS) ||
        map_of(&args.k, encode, at[1], n, d, heads, ATTENTION_KEYS) ||
        map_of(&args.v, encode, at[2], n, d, heads, ATTENTION_KEYS))
        return -1;
    memcpy(out, &args, sizeof args);
    return (int)sizeof args;
}

int attention_rows(void) { return ATTENTION_ROWS; }
int attention_threads(void) { return ATTENTION_THREADS; }
int attention_shared(int d) { return attention_shared_bytes(d); }
