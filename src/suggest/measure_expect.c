/* What a kernel that is measured should give: worked out on the host from the source itself. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/pool.h"
#include "measure.h"

static uint64_t noise(uint64_t i)
{
    const uint64_t x = (i + 1) * 0x9e3779b97f4a7c15u;
    const uint64_t y = (x ^ x >> 29) * 0xbf58476d1ce4e5b9u;
    return y ^ y >> 32;
}

enum { CHUNK = 1 << 20 };

static void fill_chunk(void *user, int64_t chunk)
{
    const suggest_bench *const b = user;
    const size_t first = (size_t)chunk * CHUNK, left = b->src_bytes - first;
    const size_t end = first + (left < CHUNK ? left : CHUNK);
    for (size_t at = first; at < end; at += 8) {
        const uint64_t x = noise(at / 8);
        memcpy(b->host + at, &x, end - at < 8 ? end - at : 8);
    }
}

void ct_suggest_fill(suggest_bench *b)
{
    ct_pool_run(ct_pool_threads(), (int64_t)((b->src_bytes + CHUNK - 1) / CHUNK), fill_chunk, b);
}

/* ---- the sums of what was read --------------------------------------------------------------- */

typedef struct expectation {
    const suggest_bench *bench;
    suggest_read read;
    int32_t *index; /* [thread * values + value]: m + tile_m * n */
} expectation;

static void copy_element(unsigned char *to, const unsigned char *from, int bytes)
{
    switch (bytes) {
        case 1: *to = *from; break;
        case 2: memcpy(to, from, 2); break;
        case 4: memcpy(to, from, 4); break;
        case 8: memcpy(to, from, 8); break;
        default: memcpy(to, from, 16);
    }
}

/* The number that a thread adds up of the tile whose first coordinate is (m0,n0): zeros outside. */
static uint32_t sum_of(const expectation *e, int thread, const unsigned char *matrix, int64_t m0,
                       int64_t n0)
{
    const suggest_bench *const b = e->bench;
    const int bytes = suggest_elem_bytes(b->query);
    const int32_t *const index = e->index + (int64_t)thread * e->read.values;
    uint32_t words[CT_COPY_WORDS] = {0}, sum = 0;
    for (int v = 0; v < e->read.values; ++v) {
        const int64_t m = m0 + index[v] % b->query->tile_m, n = n0 + index[v] / b->query->tile_m;
        if (m >= b->src.extent[0] || n >= b->src.extent[1]) continue;
        copy_element((unsigned char *)words + v * bytes,
                     matrix + (m * b->src.stride[0] + n * b->src.stride[1]) * bytes, bytes);
    }
    for (int i = 0; i < e->read.words; ++i) sum = sum * 31 + words[i];
    return sum;
}

/* The sums of all blocks of a row of the grid: y + grid.y * z. */
static void expect_row(void *user, int64_t row)
{
    const expectation *const e = user;
    const suggest_bench *const b = e->bench;
    const int64_t y = row % b->grid.y, z = row / b->grid.y;
    const int along_m = ct_suggest_along_m(&b->src);
    const unsigned char *const matrix = b->host + z * b->src_step * suggest_elem_bytes(b->query);
    uint32_t *const out = b->sums + row * b->grid.x * b->warps;
    for (int64_t x = 0; x < b->grid.x; ++x) {
        const int64_t m0 = (along_m ? x : y) * b->query->tile_m;
        const int64_t n0 = (along_m ? y : x) * b->query->tile_n;
        for (int w = 0; w < b->warps; ++w) out[x * b->warps + w] = 0;
        for (int t = 0; t < e->read.threads; ++t)
            out[x * b->warps + t / 32] ^= sum_of(e, t, matrix, m0, n0) * (2 * (uint32_t)t + 1);
    }
}

ct_status ct_suggest_expect(suggest_bench *b, int32_t read_bits)
{
    expectation e = {.bench = b};
    if (b->sum_bits == read_bits) return 0;
    const ct_status bad = ct_suggest_read_of(&e.read, b->query, read_bits, b->message);
    if (bad) return bad;
    e.index = malloc((size_t)suggest_size(b->query) * sizeof *e.index);
    if (!e.index) return ct_refuse(b->message, CT_E_MEMORY, "out of host memory");
    const ct_layout threads = ct_mode(e.read.tv, 0), values = ct_mode(e.read.tv, 1);
    for (int t = 0; t < e.read.threads; ++t)
        for (int v = 0; v < e.read.values; ++v)
            e.index[(int64_t)t * e.read.values + v] =
                (int32_t)(ct_eval(threads, t) + ct_eval(values, v));
    ct_pool_run(ct_pool_threads(), (int64_t)b->grid.y * b->grid.z, expect_row, &e);
    free(e.index);
    b->sum_bits = read_bits;
    return 0;
}

/* ---- comparing ------------------------------------------------------------------------------- */

typedef struct comparison {
    const suggest_bench *bench;
    int64_t first; /* matrix * extent 0 + m of the first line that differs; INT64_MAX: none */
} comparison;

static int64_t differs_at(const suggest_bench *b, int64_t z, int64_t m)
{
    const int bytes = suggest_elem_bytes(b->query);
    const unsigned char *const src = b->host + (z * b->src_step + m * b->src.stride[0]) * bytes;
    const unsigned char *const dst = b->got + (z * b->dst_step + m * b->dst.stride[0]) * bytes;
    for (int64_t n = 0; n < b->src.extent[1]; ++n)
        if (memcmp(src + n * b->src.stride[1] * bytes, dst + n * b->dst.stride[1] * bytes,
                   (size_t)bytes) != 0)
            return n;
    return -1;
}

static void compare_line(void *user, int64_t line)
{
    comparison *const c = user;
    const int64_t rows = c->bench->src.extent[0];
    if (differs_at(c->bench, line / rows, line % rows) < 0) return;
    int64_t first = __atomic_load_n(&c->first, __ATOMIC_RELAXED);
    while (line < first && !__atomic_compare_exchange_n(&c->first, &first, line, 0,
                                                        __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        continue;
}

/* The sums reveal only the tile: its first element. */
static int sums_differ(const suggest_bench *b, int64_t where[3])
{
    const uint32_t *const got = (const uint32_t *)(const void *)b->got;
    const int64_t count = (int64_t)b->grid.x * b->grid.y * b->grid.z * b->warps;
    const int along_m = ct_suggest_along_m(&b->src);
    for (int64_t i = 0; i < count; ++i) {
        if (got[i] == b->sums[i]) continue;
        const int64_t block = i / b->warps, x = block % b->grid.x,
                      y = block / b->grid.x % b->grid.y;
        where[0] = block / b->grid.x / b->grid.y;
        where[1] = (along_m ? x : y) * b->query->tile_m;
        where[2] = (along_m ? y : x) * b->query->tile_n;
        return 1;
    }
    return 0;
}

int ct_suggest_differs(const suggest_bench *b, int64_t where[3])
{
    if (!b->query->has_dst) return sums_differ(b, where);
    comparison c = {b, INT64_MAX};
    ct_pool_run(ct_pool_threads(), b->src.extent[0] * b->matrices, compare_line, &c);
    if (c.first == INT64_MAX) return 0;
    where[0] = c.first / b->src.extent[0];
    where[1] = c.first % b->src.extent[0];
    where[2] = differs_at(b, where[0], where[1]);
    return 1;
}
