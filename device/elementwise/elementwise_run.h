/**
 * @internal The work of a thread of an element-wise kernel: the elements of all operands that it
 * moves, their loads and stores, and the calls of the expression.
 */
#ifndef CUTLET_DEVICE_ELEMENTWISE_ELEMENTWISE_RUN_H
#define CUTLET_DEVICE_ELEMENTWISE_ELEMENTWISE_RUN_H

#include <cutlet/device/elementwise/elementwise_args.h>
#include <cutlet/device/register/vectors.h>

/** The most words of a thread's elements of one operand, and the most elements of a vector. */
enum { CT_ELEMENTWISE_WORDS = 16, CT_ELEMENTWISE_MOST = 32 };

/** The constants of a kernel; side 0 is the destination. */
typedef struct ct_elementwise_kernel {
    ct_error err; /* none; a constant of a kernel has it */
    int32_t sides, bytes, signature;
    int32_t width, each; /* elements of a vector; vectors of a thread, which are tiles of a block */
    int32_t elem_bytes[CT_SIDES];
} ct_elementwise_kernel;

/** sizes: the element bytes of each side, in digits of 4 bits; side 0 has the lowest. */
CT_FN ct_elementwise_kernel ct_make_elementwise_kernel(int32_t bytes, int32_t sides, uint64_t sizes)
{
    ct_elementwise_kernel k = CT_ZERO;
    k.sides = sides;
    k.bytes = bytes;
    for (int i = 0; i < sides; ++i) k.elem_bytes[i] = (int32_t)(sizes >> 4 * i & 15);
    k.signature = ct_elementwise_signature(k.elem_bytes, sides, bytes);
    k.width = ct_elementwise_width(k.elem_bytes, sides, bytes);
    k.each = ct_elementwise_each(bytes);
    return k;
}

/** The words of a thread's elements of the destination, and of each input. */
typedef struct ct_elementwise_words {
    uint32_t *at[CT_SIDES];
} ct_elementwise_words;

/** What a thread moves of a run: its parts of tiles that are whole and aligned on all sides, or one
 *  vector at any address. */
typedef struct ct_elementwise_part {
    int64_t run[CT_SIDES]; /* the start of the run on each side, in bytes from the first run */
    int64_t extent;        /* elements of the run; 0: the thread has no run */
    int64_t number;        /* of the first tile, or of the vector */
    int32_t misalignment;  /* elements of vector 0 that are before the run */
    int32_t tiles;         /* a constant; 0: a vector */
} ct_elementwise_part;

/** Applies the expression to the first n elements of the words: at[0] = f(at[1], at[2], ...). */
typedef void (*ct_elementwise_function)(const ct_elementwise_words w, const int n, const float *p);

/** Loads the elements of all inputs, or stores those of the destination if `out` is 1. */
typedef void (*ct_elementwise_move)(const ct_elementwise_args *args, const ct_elementwise_part at,
                                    const ct_elementwise_words w, const int out);

/** a / b for b > 0, by a 32-bit division if both fit in 32 bits. */
CT_DEVICE uint64_t ct_divide_long(uint64_t a, uint64_t b)
{
    if (((a | b) >> 32) == 0) return (uint32_t)a / (uint32_t)b;
    return a / b;
}

/** Sets the starts of run `number` on all sides. */
CT_DEVICE void ct_elementwise_go(const ct_elementwise_args *args, ct_elementwise_part *part,
                                 uint64_t number, const int sides)
{
    CT_UNROLL for (int k = 0; k < CT_SIDES; ++k) part->run[k] = 0;
    CT_ROLL for (int i = 1; i < args->axes; ++i)
    {
        const uint64_t rest = ct_divide_long(number, (uint64_t)args->extent[i]);
        const int64_t c = (int64_t)(number - rest * (uint64_t)args->extent[i]);
        CT_UNROLL for (int k = 0; k < CT_SIDES; ++k) if (k < sides) part->run[k] +=
            c * args->side[k].step[i];
        number = rest;
    }
}

/** Whether input k repeats one element. A single input never does in tiles: ct_make_elementwise
 *  makes no tiles for it. */
CT_DEVICE int ct_elementwise_is_same(const ct_elementwise_args *args, const int k, const int sides,
                                     const int tiles)
{
    return (sides > 2 || tiles == 0) && (args->same >> k & 1);
}

/** The words of a vector of side k. */
CT_DEVICE int ct_elementwise_words_of(const ct_elementwise_kernel *K, const int k)
{
    return K->width * K->elem_bytes[k] < 4 ? 1 : K->width * K->elem_bytes[k] / 4;
}

/** Copies the one loaded element of each repeating input to all words of the thread. */
CT_DEVICE void ct_elementwise_repeat(const ct_elementwise_args *args,
                                     const ct_elementwise_kernel *K, const ct_elementwise_words w,
                                     const int tiles)
{
    CT_UNROLL for (int k = 1; k < CT_SIDES;
                   ++k) if (k < K->sides && ct_elementwise_is_same(args, k, K->sides, tiles))
    {
        const int e = K->elem_bytes[k];
        const int words = (tiles > 0 ? tiles : 1) * ct_elementwise_words_of(K, k);
        uint32_t *const x = w.at[k];
        if (e == 1) x[0] = (x[0] & 0xff) * 0x01010101u;
        if (e == 2) x[0] = (x[0] & 0xffff) * 0x00010001u;
        CT_UNROLL for (int i = 1; i < CT_ELEMENTWISE_WORDS; ++i) if (i < words) x[i] =
            e == 8 && i % 2 == 1 ? x[1] : x[0];
    }
}

/** Loads the elements of input k, as parts of tiles or as a vector. */
CT_DEVICE void ct_elementwise_load(const ct_elementwise_args *args, const int k, const int sides,
                                   const ct_partition *tile, const ct_partition *vector,
                                   const ct_elementwise_part part, uint32_t *words)
{
    const int e = tile->elem_bits / 8, n = tile->src.width;
    const unsigned char *const at = args->side[k].at + part.run[k];
    const ct_view row = ct_view_row(at, part.extent, e);
    if (ct_elementwise_is_same(args, k, sides, part.tiles)) {
        ct_load_global_if(part.extent > 0, words, at, 8 * e);
    } else if (part.tiles > 0) {
        const ct_view first = ct_view_from(row, part.number * tile->tile[0]);
        ct_view from = ct_view_src(tile, first, threadIdx.x);
        CT_UNROLL for (int i = 0; i < 16; ++i) if (i < part.tiles)
        {
            const ct_view to = ct_view_registers(words + i * ct_access_words(tile, &tile->src));
            ct_copy_whole(tile, &from, &to);
            from = ct_view_next(tile, from, 0, 1);
        }
    } else {
        ct_copy_vector_in(tile, vector, row, part.number * n - part.misalignment, words);
    }
}

/** Stores the elements of the destination. */
CT_DEVICE void ct_elementwise_store(const ct_elementwise_args *args, const ct_partition *tile,
                                    const ct_partition *vector, const ct_elementwise_part part,
                                    uint32_t *words)
{
    const int e = tile->elem_bits / 8, n = tile->dst.width;
    const ct_view row = ct_view_row(args->side[0].at + part.run[0], part.extent, e);
    if (part.tiles > 0) {
        const ct_view first = ct_view_from(row, part.number * tile->tile[0]);
        ct_view to = ct_view_dst(tile, first, threadIdx.x);
        CT_UNROLL for (int i = 0; i < 16; ++i) if (i < part.tiles)
        {
            const ct_view from = ct_view_registers(words + i * ct_access_words(tile, &tile->dst));
            ct_copy_whole(tile, &from, &to);
            to = ct_view_next(tile, to, 0, 1);
        }
    } else {
        ct_copy_vector_out(tile, vector, words, row, part.number * n - part.misalignment);
    }
}

/** A block's tiles of a run, whole and aligned on all sides: without bounds checks, and with all
 *  loads in flight before the first store. Nearly all of a large array is moved this way. */
CT_DEVICE void ct_elementwise_tiles(const ct_elementwise_args *args, const ct_elementwise_kernel *K,
                                    const ct_elementwise_move move, const ct_elementwise_function f,
                                    const ct_elementwise_words w, const ct_elementwise_part part)
{
    move(args, part, w, 0);
    ct_elementwise_repeat(args, K, w, K->each);
    CT_UNROLL for (int i = 0; i < 16; ++i) if (i < K->each)
    {
        ct_elementwise_words v = w;
        CT_UNROLL for (int k = 0; k < CT_SIDES; ++k) if (k < K->sides) v.at[k] =
            w.at[k] + i * ct_elementwise_words_of(K, k);
        f(v, K->width, args->number);
    }
    move(args, part, w, 1);
}

/** Element part.number of a run, if the run has it. */
CT_DEVICE void ct_elementwise_element(const ct_elementwise_args *args,
                                      const ct_elementwise_kernel *K,
                                      const ct_elementwise_function f, const ct_elementwise_words w,
                                      const ct_elementwise_part part)
{
    const int64_t i = part.number;
    CT_UNROLL for (int k = 1; k < CT_SIDES; ++k) if (k < K->sides) ct_load_global_if(
        i < part.extent, w.at[k], args->side[k].at + part.run[k] + i * args->side[k].step[0],
        8 * K->elem_bytes[k]);
    f(w, 1, args->number);
    ct_store_global_if(i < part.extent, args->side[0].at + part.run[0] + i * args->side[0].step[0],
                       w.at[0], 8 * K->elem_bytes[0]);
}

/** Vector or element `number`, counted over all runs if blocks span runs, else in part's run. */
CT_DEVICE void ct_elementwise_one(const ct_elementwise_args *args, const ct_elementwise_kernel *K,
                                  const ct_elementwise_move move, const ct_elementwise_function f,
                                  const ct_elementwise_words w, ct_elementwise_part part,
                                  uint64_t number)
{
    part.extent = args->extent[0];
    if (args->goes_on) {
        const uint64_t run = ct_divide_long(number, (uint64_t)args->vectors);
        number -= run * (uint64_t)args->vectors;
        if (run >= (uint64_t)args->runs) part.extent = 0;
        ct_elementwise_go(args, &part, part.extent > 0 ? run : 0, K->sides);
    }
    part.number = (int64_t)number;
    if (args->path >= CT_ELEMENTWISE_SHORT) {
        ct_elementwise_element(args, K, f, w, part);
        return;
    }
    part.misalignment =
        ct_misalignment_of(args->side[0].at + part.run[0], K->width, K->elem_bytes[0]);
    move(args, part, w, 0);
    ct_elementwise_repeat(args, K, w, 0);
    f(w, K->width, args->number);
    move(args, part, w, 1);
}

/** Computes the elements of this thread. */
CT_DEVICE void ct_elementwise(const ct_elementwise_args *args, const ct_elementwise_kernel *K,
                              const ct_elementwise_move move, const ct_elementwise_function f)
{
    CT_FRAGMENT(uint32_t, words, CT_SIDES * CT_ELEMENTWISE_WORDS);
    ct_elementwise_words w = CT_ZERO;
    ct_elementwise_part part = CT_ZERO;
    uint32_t block = blockIdx.x;
    CT_UNROLL for (int k = 0; k < CT_SIDES; ++k) w.at[k] = words + k * CT_ELEMENTWISE_WORDS;
    if (args->signature != K->signature) { /* the arguments of another kernel */
        ct_no_access(args->side[0].at);
        return;
    }
    if (args->run_blocks > 0) {
        const uint32_t run = block / args->run_blocks;
        block -= run * args->run_blocks;
        ct_elementwise_go(args, &part, run, K->sides);
    }
    if (block < args->whole) {
        part.tiles = K->each;
        part.extent = 1;
        part.number = (int64_t)block * K->each;
        ct_elementwise_tiles(args, K, move, f, w, part);
        return;
    }
    CT_ROLL for (int i = 0; i < K->each; ++i)
    {
        const uint64_t tile = (uint64_t)block * (uint32_t)K->each + (uint32_t)i;
        ct_elementwise_one(args, K, move, f, w, part, tile * CT_ELEMENTWISE_THREADS + threadIdx.x);
    }
}

#define ct_elementwise(...) CT_CALL(ct_elementwise, __VA_ARGS__)
#define ct_elementwise_load(...) CT_CALL(ct_elementwise_load, __VA_ARGS__)
#define ct_elementwise_store(...) CT_CALL(ct_elementwise_store, __VA_ARGS__)

#endif
