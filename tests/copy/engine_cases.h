/**
 * Tiles by the copy engines for whoever runs kernels: every rank, contiguous axis, element type and
 * swizzle, alone and for the blocks of a cluster, tensors that end within a tile, against the
 * definition: dst(c) becomes src(c), zero outside of src, or what an operation makes of the two.
 */
#ifndef TESTS_ENGINE_CASES_H
#define TESTS_ENGINE_CASES_H

#include "harness.h"

#include <cutlet/device/element/element.h>

#include "engine_kernels.cu"

/* How a tile comes to shared memory and leaves it; by threads: CT_ATOM_AUTO. */
typedef struct engine_way {
    int in, out, mask, behind;
} engine_way;

typedef struct engine_case {
    engine_way way;
    int elem, swizzle; /* of the maps */
    ct_tuple tile;
    ct_partition in, out;
    ct_layout src, dst; /* of the whole tensors */
} engine_case;

static ct_tma_desc engine_desc(const engine_case *c, ct_layout layout, const void *at)
{
    return ct_make_tma_desc(layout, c->tile, c->elem, c->swizzle, (uint64_t)(uintptr_t)at);
}

static int by_map(int atom) { return atom >= CT_ATOM_TMA_LOAD && atom <= CT_ATOM_TMA_MAX; }

/* ---- what is right -------------------------------------------------------------------------- */

static double double_of_bits(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static uint64_t bits_of_double(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* An element as a number that compares, and adds where both summands are exact in double. */
static double number_of_bits(int elem, uint64_t bits)
{
    if (elem == CT_ELEM_F16) return ct_float_of_half((uint32_t)bits);
    if (elem == CT_ELEM_BF16) return ct_float_of_bfloat16((uint32_t)bits);
    return ct_float_of_bits((uint32_t)bits);
}

static uint64_t sum_of(int elem, uint64_t a, uint64_t b)
{
    const float sum = (float)(number_of_bits(elem, a) + number_of_bits(elem, b));
    if (!ct_elem_is_float(elem)) return a + b;
    if (elem == CT_ELEM_F64) return bits_of_double(double_of_bits(a) + double_of_bits(b));
    return elem == CT_ELEM_F16    ? ct_half_of_float(sum)
           : elem == CT_ELEM_BF16 ? ct_bfloat16_of_float(sum)
                                  : ct_bits_of_float(sum);
}

static int is_less(int elem, uint64_t a, uint64_t b)
{
    if (ct_elem_is_float(elem)) return number_of_bits(elem, a) < number_of_bits(elem, b);
    if (elem == CT_ELEM_S32) return (int32_t)a < (int32_t)b;
    return elem == CT_ELEM_S64 ? (int64_t)a < (int64_t)b : a < b;
}

/* What an atom leaves of s and d. */
static uint64_t stored(int atom, int elem, uint64_t s, uint64_t d)
{
    switch (atom) {
        case CT_ATOM_TMA_ADD:
        case CT_ATOM_BULK_ADD: return sum_of(elem, s, d);
        case CT_ATOM_TMA_MIN:
        case CT_ATOM_BULK_MIN: return is_less(elem, s, d) ? s : d;
        case CT_ATOM_TMA_MAX:
        case CT_ATOM_BULK_MAX: return is_less(elem, d, s) ? s : d;
        default: return s;
    }
}

/* An element of a tensor, whose bytes begin at base; 0 outside. */
static uint64_t element_of(const tensor *t, const unsigned char *base, const int64_t *c)
{
    int64_t at = t->first;
    uint64_t bits = 0;
    for (int a = 0; a < ct_layout_rank(t->layout); ++a) {
        if (c[a] >= t->layout.shape[a]) return 0;
        at += c[a] * t->layout.stride[a] * t->bits / 8;
    }
    memcpy(&bits, base + at, (size_t)t->bits / 8);
    return bits;
}

static void coordinate_of(ct_layout L, int64_t i, int64_t *c)
{
    for (int a = 0; a < ct_layout_rank(L); ++a) {
        c[a] = i % L.shape[a];
        i /= L.shape[a];
    }
}

/* Compares dst element by element with what was there before and src, then all bytes beside them.
 * Says in what where they differ. */
static int is_right(const engine_case *c, const tensor *src, const tensor *dst,
                    unsigned char *before, char *what, size_t size)
{
    for (int64_t i = 0; i < ct_size(dst->layout); ++i) {
        int64_t x[CT_AXES];
        coordinate_of(dst->layout, i, x);
        unsigned char *const was = before + (begin(dst) - dst->memory);
        const uint64_t right =
            stored(c->way.out, c->elem, element_of(src, begin(src), x), element_of(dst, was, x));
        const uint64_t got = element_of(dst, begin(dst), x);
        memcpy(was + bit_of(dst, i) / 8, &right, (size_t)dst->bits / 8);
        if (memcmp(&got, &right, (size_t)dst->bits / 8) == 0) continue;
        snprintf(what, size, "element %lld is %llx, not %llx", (long long)i,
                 (unsigned long long)got, (unsigned long long)right);
        return 0;
    }
    if (memcmp(before, dst->memory, dst->all) == 0) return 1;
    snprintf(what, size, "bytes beside the tensor changed");
    return 0;
}

/* The axes of a tensor, the contiguous one first. */
static int axis_at(int axis, int k) { return k == 0 ? axis : k <= axis ? k - 1 : k; }

/* ---- cases ---------------------------------------------------------------------------------- */

/* The tiled copy of up to 32 threads, an element each, the contiguous axis first. */
static ct_tiled_copy by_threads(ct_tuple tile, int axis, int bits)
{
    const int axes = ct_rank(tile);
    int64_t extent[CT_AXES], left = 32;
    ct_tuple thr = ct_tuple0(), val = ct_tuple0();
    for (int k = 0; k < axes; ++k) {
        const int a = axis_at(axis, k);
        extent[a] = ct_gcd(tile.value[a], left);
        left /= extent[a];
    }
    for (int a = 0; a < axes; ++a) {
        thr = ct_append(thr, ct_int(extent[a]));
        val = ct_append(val, ct_int(1));
    }
    return ct_make_tiled_copy(ct_copy_atom_auto(bits), ct_make_col_major(thr),
                              ct_make_col_major(val));
}

static ct_partition engine_partition(int atom, ct_tuple tile, int axis, int elem, ct_memory src,
                                     ct_memory dst)
{
    const int bits = 8 * ct_elem_bytes(elem);
    const ct_tiled_copy copy = atom == CT_ATOM_AUTO ? by_threads(tile, axis, bits)
                               : ct_atom_is_reduction(atom)
                                   ? ct_make_bulk_copy(ct_copy_atom_reduction(atom, elem))
                                   : ct_make_bulk_copy(ct_copy_atom_tile(atom, bits));
    return ct_make_partition(copy, tile, src, dst);
}

/* A tile of at most 256 elements along an axis, 1024 in all, whose rows are whole pieces of 16
 * bytes. */
static ct_tuple random_tile(int axes, int axis, int elem_bytes, int64_t span)
{
    const int chunk = 16 / elem_bytes;
    const int most = span > 0 ? (int)span / 16 : axes == 1 ? 256 / chunk : 8;
    const int64_t inner = chunk * (1 + random_to((most < 16 ? most : 16) - 1));
    ct_tuple tile = ct_tuple0();
    int64_t left = 1024 / inner;
    for (int a = 0; a < axes; ++a) {
        const int64_t n = a == axis ? inner : 1 + random_to((int)(left < 8 ? left : 8) - 1);
        if (a != axis) left /= n;
        tile = ct_append(tile, ct_int(n));
    }
    return tile;
}

/* Extents of a tensor: whole tiles, or any number of pieces of 16 bytes along the axis, or of
 * elements. */
static void random_extents(int64_t *extent, ct_tuple tile, int axis, int chunk, int whole)
{
    const int axes = ct_rank(tile);
    for (int a = 0; a < axes; ++a) {
        const int n = (int)tile.value[a];
        extent[a] = whole ? n * (1 + random_to(1)) : 1 + random_to(2 * n);
        if (!whole && a == axis) extent[a] = chunk * (1 + random_to(2 * n / chunk));
        if (!whole && a == axis && chunk == 1) extent[a] += 1; /* one element alone is on no axis */
    }
}

/* A layout of these extents, contiguous along an axis, all other steps multiples of 16 bytes. */
static ct_layout engine_layout(const int64_t *extent, int axes, int axis, int chunk)
{
    ct_tuple shape = ct_tuple0(), stride = ct_tuple0();
    int64_t step[CT_AXES], next = 1;
    for (int k = 0; k < axes; ++k) {
        const int a = axis_at(axis, k);
        step[a] = next;
        next = (next * extent[a] + chunk - 1) / chunk * chunk + (random_to(2) == 0 ? chunk : 0);
    }
    for (int a = 0; a < axes; ++a) {
        shape = ct_append(shape, ct_int(extent[a]));
        stride = ct_append(stride, ct_int(step[a]));
    }
    return ct_make_layout(shape, stride);
}

/* A tile in shared memory for bulk copies: rows, 16 bytes between two. */
static ct_layout rows_noncontiguous(ct_tuple tile, int axis, int chunk)
{
    int64_t extent[CT_AXES];
    for (int a = 0; a < ct_rank(tile); ++a) extent[a] = tile.value[a] + (a == axis ? chunk : 0);
    ct_layout L = engine_layout(extent, ct_rank(tile), axis, chunk);
    for (int a = 0; a < ct_rank(tile); ++a) L.shape[a] = tile.value[a];
    return L;
}

/* One case of a way, a rank and a type; 0 where a thread would hold too many elements, the stages
 * are too large, or they lie closer than a map wants them. */
static int draw_engine(engine_case *c, engine_way way, int axes, int elem, int swizzle)
{
    const int maps = by_map(way.in) || by_map(way.out);
    const int bytes = ct_elem_bytes(elem), chunk = 16 / bytes;
    const int axis = random_to(axes - 1);
    int64_t src[CT_AXES], dst[CT_AXES];
    memset(c, 0, sizeof *c);
    c->way = way;
    c->elem = elem;
    c->swizzle = swizzle;
    c->tile = random_tile(axes, axis, bytes, maps ? ct_tma_span(swizzle) : 0);
    random_extents(src, c->tile, axis, by_map(way.out) ? chunk : 1, !maps || random_to(2) == 0);
    random_extents(dst, c->tile, axis, by_map(way.out) ? chunk : 1, !maps || random_to(2) == 0);
    if (!maps) { /* a bulk copy takes whole tiles: as many as there are blocks */
        dst[axes - 1] = ENGINE_BLOCKS * c->tile.value[axes - 1];
        memcpy(src, dst, sizeof src);
    }
    c->src = engine_layout(src, axes, axis, chunk);
    c->dst = engine_layout(dst, axes, axis, chunk);
    const ct_tma_desc desc = engine_desc(c, c->dst, NULL);
    const ct_memory shared = maps ? ct_in_shared(ct_tma_shared(&desc))
                                  : ct_in_shared_plain(rows_noncontiguous(c->tile, axis, chunk));
    c->in = engine_partition(way.in, c->tile, axis, elem, ct_in_global(axis), shared);
    c->out = engine_partition(way.out, c->tile, axis, elem, shared, ct_in_global(axis));
    return c->in.err.status == CT_OK && c->out.err.status == CT_OK && c->in.dst.bytes <= 16 << 10 &&
           c->in.dst.bytes % ct_tma_alignment(swizzle) == 0;
}

/* Bytes of a tensor: any, but of floating-point numbers in [0.5,1), of either sign. */
static void fill_tensor(tensor *t, int elem)
{
    unsigned char *const at = begin(t);
    for (size_t i = 0; i < t->bytes; ++i) at[i] = (unsigned char)random_bits();
    if (!ct_elem_is_float(elem)) return;
    const size_t bytes = (size_t)t->bits / 8;
    const int half = elem == CT_ELEM_F16;
    const unsigned keep = half ? 0x83 : 0x80, one = half ? 0x38 : 0x3f;
    for (size_t i = bytes - 1; i < t->bytes; i += bytes) {
        at[i] = (unsigned char)((at[i] & keep) | one);
        if (!half) at[i - 1] &= 0x7f;
    }
}

static int run_engine(const engine_case *c, run_launch *run, char *what, size_t size)
{
    tensor src = make_tensor(c->src, c->in.elem_bits, 0),
           dst = make_tensor(c->dst, c->in.elem_bits, 0);
    fill_tensor(&src, c->elem);
    fill_tensor(&dst, c->elem);
    unsigned char *const before = memory_like(&dst);
    engine_args args = {.in = c->in,
                        .out = c->out,
                        .mask = c->way.mask,
                        .behind = c->way.behind,
                        .src = global_of(&src),
                        .dst = global_of(&dst)};
    int64_t tiles = 1;
    for (int a = 0; a < c->in.axes; ++a) tiles *= ct_ceil_div_int(c->dst.shape[a], c->in.tile[a]);
    launch l = make_launch(&copy_by_engine,
                           grid_of(ct_ceil_div_int(tiles, ENGINE_BLOCKS) * ENGINE_BLOCKS, 1, 1), 32,
                           ENGINE_BLOCKS * c->in.dst.bytes, &args);
    add_sides(&l, &src, &args.src, &dst, &args.dst);
    l.desc[0] = engine_desc(c, c->src, args.src.at);
    l.desc[1] = engine_desc(c, c->dst, args.dst.at);
    l.maps[0] = by_map(c->way.in) ? &args.src_map : NULL;
    l.maps[1] = by_map(c->way.out) ? &args.dst_map : NULL;
    char stopped[WHAT_BYTES], a[400], b[400], t[100];
    const int ok =
        run(&l, stopped) == 0 && is_right(c, &src, &dst, before, stopped, sizeof stopped);
    ct_format_layout(a, sizeof a, c->src);
    ct_format_layout(b, sizeof b, c->dst);
    ct_format_tuple(t, sizeof t, c->tile);
    snprintf(what, size, "atoms %d and %d, mask %d, type %d, swizzle %d, tiles %s, %s -> %s: %s",
             c->way.in, c->way.out, c->way.mask, c->elem, c->swizzle, t, a, b,
             ok ? "right" : stopped);
    drop(&src);
    drop(&dst);
    free(before);
    return ok;
}

/* Every rank of a way and a type, in a random swizzle of the given ones. */
static int engine_ranks(engine_way way, int elem, const int *swizzles, int count, run_launch *run)
{
    static engine_case c;
    static char what[4000];
    int done = 0;
    for (int axes = 1; axes <= CT_TMA_RANK; ++axes, ++done) {
        const uint64_t first = rolls.state;
        while (!draw_engine(&c, way, axes, elem, swizzles[random_to(count - 1)])) continue;
        if (!run_engine(&c, run, what, sizeof what))
            fail_msg("seed %llu: %s", (unsigned long long)first, what);
    }
    return done;
}

/* So many rounds of every way, type and rank. */
static void every_tile(int rounds, const int *swizzles, int count, run_launch *run)
{
    enum { THREADS = CT_ATOM_AUTO };
    static const engine_way copies[] = {
        {CT_ATOM_TMA_LOAD, THREADS, 0, 0},           {THREADS, CT_ATOM_TMA_STORE, 0, 0},
        {CT_ATOM_TMA_LOAD, CT_ATOM_TMA_STORE, 0, 0}, {CT_ATOM_TMA_LOAD, THREADS, 15, 1},
        {CT_ATOM_TMA_LOAD, CT_ATOM_TMA_STORE, 8, 3}, {CT_ATOM_TMA_LOAD, THREADS, 5, 2},
    };
    static const engine_way bulk[] = {
        {CT_ATOM_BULK_LOAD, THREADS, 0, 0},
        {THREADS, CT_ATOM_BULK_STORE, 0, 0},
        {CT_ATOM_BULK_LOAD, CT_ATOM_BULK_STORE, 0, 0},
        {CT_ATOM_BULK_LOAD, THREADS, 15, 1},
        {CT_ATOM_BULK_LOAD, CT_ATOM_BULK_STORE, 8, 3},
        {CT_ATOM_BULK_LOAD, THREADS, 5, 2},
    };
    static const engine_way reductions[] = {
        {THREADS, CT_ATOM_TMA_ADD, 0, 0}, {CT_ATOM_TMA_LOAD, CT_ATOM_TMA_ADD, 6, 1},
        {THREADS, CT_ATOM_TMA_MIN, 0, 0}, {CT_ATOM_TMA_LOAD, CT_ATOM_TMA_MIN, 0, 0},
        {THREADS, CT_ATOM_TMA_MAX, 0, 0}, {CT_ATOM_TMA_LOAD, CT_ATOM_TMA_MAX, 0, 0},
    };
    static const engine_way bulk_reductions[] = {
        {THREADS, CT_ATOM_BULK_ADD, 0, 0}, {CT_ATOM_BULK_LOAD, CT_ATOM_BULK_ADD, 6, 1},
        {THREADS, CT_ATOM_BULK_MIN, 0, 0}, {CT_ATOM_BULK_LOAD, CT_ATOM_BULK_MIN, 0, 0},
        {THREADS, CT_ATOM_BULK_MAX, 0, 0}, {CT_ATOM_BULK_LOAD, CT_ATOM_BULK_MAX, 0, 0},
    };
    /* All but TF32, which a load rounds. */
    static const int types[] = {CT_ELEM_U8,  CT_ELEM_U16, CT_ELEM_U32, CT_ELEM_S32, CT_ELEM_U64,
                                CT_ELEM_S64, CT_ELEM_F16, CT_ELEM_F32, CT_ELEM_F64, CT_ELEM_BF16};
    static const int sizes[] = {CT_ELEM_U8, CT_ELEM_U16, CT_ELEM_U32, CT_ELEM_U64};
    static const int adds[] = {CT_ELEM_U32,  CT_ELEM_S32, CT_ELEM_U64, CT_ELEM_F16,
                               CT_ELEM_BF16, CT_ELEM_F32, CT_ELEM_F64}; /* F64 by bulk copies */
    static const int compares[] = {CT_ELEM_U32, CT_ELEM_S32, CT_ELEM_U64,
                                   CT_ELEM_S64, CT_ELEM_F16, CT_ELEM_BF16};
    int done = 0;
    for (int r = 0; r < rounds; ++r) {
        for (int w = 0; w < 6; ++w)
            for (int t = 0; t < 10; ++t)
                done += engine_ranks(copies[w], types[t], swizzles, count, run);
        for (int w = 0; w < 6; ++w)
            for (int t = 0; t < 4; ++t) done += engine_ranks(bulk[w], sizes[t], swizzles, 1, run);
        for (int w = 0; w < 6; ++w)
            for (int t = 0; t < 6; ++t)
                done += engine_ranks(reductions[w], w < 2 ? adds[t] : compares[t], swizzles, count,
                                     run);
        for (int w = 0; w < 6; ++w)
            for (int t = 0; t < (w < 2 ? 7 : 6); ++t)
                done += engine_ranks(bulk_reductions[w], w < 2 ? adds[t] : compares[t], swizzles, 1,
                                     run);
    }
    print_message("%d tensors\n", done);
}

#endif
