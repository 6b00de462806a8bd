/* The cases with tile copies on a real GPU: dimensions, elements, swizzles, steps, multicast,
 * reductions. */
#ifndef CUTLET_TESTS_TMA_GPU_TILES_H
#define CUTLET_TESTS_TMA_GPU_TILES_H

#include "tma_gpu_numbers.h"
#include "tma_gpu_launch.h"

#include "tma_forms.cu"
#include "tma_kernels.cu"

static const char *const elem_names[CT_ELEM_COUNT] = {"u8",      "u16",  "u32",     "s32", "u64",
                                                      "s64",     "f16",  "f32",     "f64", "bf16",
                                                      "f32_ftz", "tf32", "tf32_ftz"};
static const char *const swizzle_names[CT_TMA_SWIZZLE_COUNT] = {
    "none", "32b", "64b", "128b", "128b_atom_32b", "128b_atom_32b_flip_8b", "128b_atom_64b"};

/* The dense tensor of this many dimensions, and a box of it, in rows of 16 bytes and more. The rows
 * of one that is loaded end within 16 bytes; those of one that is stored to cannot. */
static ct_tma_desc tensor_of(int rank, int elem, int is_load, int64_t inner_bytes)
{
    const int64_t bytes = ct_elem_bytes(elem);
    const int64_t extent[] = {3 * inner_bytes / bytes - (is_load ? 1 : 16 / bytes), 9, 5, 3, 2};
    const int64_t box[] = {inner_bytes / bytes, rank == 2 ? 16 : 4, 3, 2, 2};
    int64_t stride = 1;
    ct_tuple shape = ct_tuple0(), strides = ct_tuple0(), boxes = ct_tuple0();
    for (int i = 0; i < rank; ++i) {
        shape = ct_append(shape, ct_int(extent[i]));
        strides = ct_append(strides, ct_int(stride));
        boxes = ct_append(boxes, ct_int(box[i]));
        stride = i == 0 ? 3 * inner_bytes / bytes : stride * (extent[i] + 1);
    }
    return ct_make_tma_desc(ct_make_layout(shape, strides), boxes, elem, CT_TMA_SWIZZLE_NONE, 0);
}

/* A case with a tile: the map of d is that of src or of dst, at coordinates (x,y,0,0,0). */
static gpu_launch tile_launch(const test_case *c, ct_tma_desc d, int is_load, int x, int y)
{
    gpu_launch s = {.kernel = c->kernel, .blocks = 1, .threads = 64, .elem = d.elem};
    if (d.rule != CT_TMA_OK) {
        char text[CT_MESSAGE_BYTES];
        give_up("%s", ct_tma_explain(&d, text));
    }
    s.desc[is_load ? 0 : 1] = d;
    s.has_desc[is_load ? 0 : 1] = 1;
    s.args.n = (int32_t)ct_tma_bytes(&d);
    s.dynamic_bytes = s.args.n;
    s.args.c[0] = x;
    s.args.c[1] = y;
    return s;
}

/* Where a tile begins, in pairs of bytes and in rows: inside, across the far edges, beyond them,
 * across the near ones. */
enum { AT_INSIDE, AT_FAR, AT_BEYOND, AT_NEAR, AT_COUNT };
static const char *const at_names[] = {"inside", "far edge", "beyond", "near edge"};
static const int at_place[][2] = {{8, 1}, {32, 7}, {1000, 0}, {-8, -1}};

/* p: rank, is a load, blocks, mask, where. */
static void run_rank(const test_case *c)
{
    const ct_tma_desc d = tensor_of(c->p[0], CT_ELEM_U16, c->p[1], 32);
    gpu_launch s = tile_launch(c, d, c->p[1], at_place[c->p[4]][0], at_place[c->p[4]][1]);
    s.blocks = c->p[2];
    s.args.op = c->p[3];
    fill_words(host_src, CAPACITY);
    if (!c->p[1]) describe(&s, &d, 0);
    check_on_gpu(&s);
}

/* p: rank, element, where. One tile onto what lies there. */
static void run_tile_reduce(const test_case *c)
{
    const ct_tma_desc d = tensor_of(c->p[0], c->p[1], 0, 32);
    const int x = at_place[c->p[2]][0] * 2 / ct_elem_bytes(c->p[1]);
    gpu_launch s = tile_launch(c, d, 0, x, at_place[c->p[2]][1]);
    fill_numbers(host_src, CAPACITY, c->p[1], 1);
    fill_numbers(before_dst, CAPACITY, c->p[1], 2);
    check_on_gpu(&s);
}

/* p: element. Rows of 16 elements. */
static void run_tile_reduce_specials(const test_case *c)
{
    const int bytes = ct_elem_bytes(c->p[0]);
    const ct_layout L = ct_layout2(16, 16, 1, 16);
    const ct_tma_desc d = ct_make_tma_desc(L, ct_tuple2(16, 16), c->p[0], 0, 0);
    gpu_launch s = tile_launch(c, d, 0, 0, 0);
    s.args.n = s.dynamic_bytes = 256 * bytes;
    fill_specials(c->p[0]);
    check_on_gpu(&s);
}

/* Special numbers in even rows of 32; in odd ones the low bits of numbers that are not special,
 * which a type may round away. */
static void fill_elem(int elem)
{
    uint64_t bits[16];
    const int n = specials(elem, bits), size = ct_elem_bytes(elem);
    for (int i = 0; i < 512; ++i) {
        uint64_t x = bits[i * 7 % n];
        if (i / 32 % 2) x = 0x3f80000000000000u + (uint64_t)(uint32_t)i * 2654435761u % 0x1000000;
        if (i / 32 % 2 && size < 8) x = 0x3f800000u + (uint32_t)i * 2654435761u % 0x1000000;
        if (i / 32 % 2 && size < 4) x = 0x3c00u + (uint32_t)i * 37 % 0x400;
        memcpy(host_src + i * size, &x, (size_t)size);
    }
}

/* p: element, fill. Every special number, and elements outside. */
static void run_elem(const test_case *c)
{
    const ct_layout L = ct_layout2(20, 15, 1, 32);
    ct_tma_desc d = ct_make_tma_desc(L, ct_tuple2(16, 16), c->p[0], 0, 0);
    d.fill = c->p[1];
    gpu_launch s = tile_launch(c, ct_tma_check(d), 1, c->p[0] == CT_ELEM_U8 ? 16 : 8, 3);
    fill_elem(c->p[0]);
    check_on_gpu(&s);
}

/* p: element. Every special number, stored. */
static void run_elem_store(const test_case *c)
{
    const ct_layout L = ct_layout2(32, 15, 1, 32);
    const ct_tma_desc d = ct_make_tma_desc(L, ct_tuple2(16, 16), c->p[0], 0, 0);
    gpu_launch s = tile_launch(c, d, 0, 16, 0);
    fill_elem(c->p[0]);
    check_on_gpu(&s);
}

/* p: element, first coordinate, is a load. */
static void run_coordinate(const test_case *c)
{
    const ct_tma_desc d = tensor_of(2, c->p[0], c->p[2], 32);
    gpu_launch s = tile_launch(c, d, c->p[2], c->p[1], 2);
    fill_words(host_src, CAPACITY);
    describe(&s, &d, c->p[2]);
    check_on_gpu(&s);
}

/* p: element, swizzle, rows, inner bytes, is a load. */
static void run_swizzle(const test_case *c)
{
    const int64_t inner = c->p[3] / ct_elem_bytes(c->p[0]);
    const ct_layout L = ct_layout2(3 * inner, 300, 1, 3 * inner);
    const ct_tma_desc d = ct_make_tma_desc(L, ct_tuple2(inner, c->p[2]), c->p[0], c->p[1], 0);
    const int x = 16 / ct_elem_bytes(c->p[0]);
    const int at[][2] = {{0, 0}, {x, 3}, {(int)(2 * inner + x), 290}, {-x, -2}};
    if (skip_swizzle(c->p[1])) return;
    for (int i = 0; i < LENGTH(at) - !c->p[4]; ++i) {
        gpu_launch s = tile_launch(c, d, c->p[4], at[i][0], at[i][1]);
        s.args.bytes = (int32_t)ct_tma_bytes(&d);
        s.is_image = c->p[4];
        fill_words(host_src, CAPACITY);
        describe(&s, &d, c->p[4]);
        check_on_gpu(&s);
    }
}

/* p: element, swizzle. Reduced out of a swizzled tile of whole rows. */
static void run_swizzle_add(const test_case *c)
{
    const int64_t inner = (c->p[1] ? ct_tma_span(c->p[1]) : 64) / ct_elem_bytes(c->p[0]);
    const ct_layout L = ct_layout2(3 * inner, 100, 1, 3 * inner);
    const ct_tma_desc d = ct_make_tma_desc(L, ct_tuple2(inner, 32), c->p[0], c->p[1], 0);
    if (skip_swizzle(c->p[1])) return;
    gpu_launch s = tile_launch(c, d, 0, 4, 3);
    fill_words(host_src, CAPACITY);
    check_on_gpu(&s);
}

/* p: L2 promotion. */
static void run_l2(const test_case *c)
{
    ct_tma_desc d = tensor_of(2, CT_ELEM_U16, 1, 64);
    d.l2 = c->p[0];
    gpu_launch s = tile_launch(c, ct_tma_check(d), 1, 8, 2);
    fill_words(host_src, CAPACITY);
    check_on_gpu(&s);
}

/* p: step[1], step[2], rank, is a load. */
static void run_step(const test_case *c)
{
    ct_tma_desc d = tensor_of(c->p[2], CT_ELEM_U16, c->p[3], 32);
    d.step[1] = c->p[0];
    if (d.rank > 2) d.step[2] = c->p[1];
    gpu_launch s = tile_launch(c, ct_tma_check(d), c->p[3], 8, 1);
    fill_words(host_src, CAPACITY);
    check_on_gpu(&s);
}

/* p: swizzle. Two clusters of two, three rounds. */
static void run_multicast_rounds(const test_case *c)
{
    const ct_layout L = ct_layout2(64, 64, 1, 64);
    const ct_tma_desc d = ct_make_tma_desc(L, ct_tuple2(32, 8), CT_ELEM_U32, c->p[0], 0);
    gpu_launch s = tile_launch(c, d, 1, 16, 8);
    s.blocks = 4;
    s.args.n = 3;
    s.args.bytes = 1024;
    s.dynamic_bytes = 2048;
    fill_words(host_src, CAPACITY);
    check_on_gpu(&s);
}

static const struct {
    const char *op;
    const ct_grid_kernel *kernel[CT_TMA_RANK];
    int elems[10]; /* those that it takes, -1 after the last */
} tile_reductions[] = {
    {"add",
     {&tf_add_1d, &tf_add_2d, &tf_add_3d, &tf_add_4d, &tf_add_5d},
     {CT_ELEM_U32, CT_ELEM_S32, CT_ELEM_U64, CT_ELEM_F16, CT_ELEM_BF16, CT_ELEM_F32, -1}},
    {"min",
     {&tf_min_1d, &tf_min_2d, &tf_min_3d, &tf_min_4d, &tf_min_5d},
     {CT_ELEM_U32, CT_ELEM_S32, CT_ELEM_U64, CT_ELEM_S64, CT_ELEM_F16, CT_ELEM_BF16, -1}},
    {"max",
     {&tf_max_1d, &tf_max_2d, &tf_max_3d, &tf_max_4d, &tf_max_5d},
     {CT_ELEM_U32, CT_ELEM_S32, CT_ELEM_U64, CT_ELEM_S64, CT_ELEM_F16, CT_ELEM_BF16, -1}}};

static int takes(int op, int elem)
{
    for (const int *e = tile_reductions[op].elems; *e >= 0; ++e)
        if (*e == elem) return 1;
    return 0;
}

static void add_tile_reductions(int op)
{
    const char *const name = tile_reductions[op].op;
    for (int n = 1; n <= CT_TMA_RANK; ++n) {
        for (int e = 0; e < CT_ELEM_COUNT; ++e) {
            const ct_grid_kernel *const kernel = tile_reductions[op].kernel[n - 1];
            const char *const is_told = takes(op, e) ? "tile" : "undocumented";
            if (n != 2 && e != CT_ELEM_U32 && e != CT_ELEM_F16) continue;
            for (int at = 0; at < (takes(op, e) ? AT_COUNT : 1); ++at)
                add(run_tile_reduce, kernel, P(n, e, at), "%s: %s_%dd %s, %s",
                    at == AT_NEAR ? "undocumented" : is_told, name, n, elem_names[e], at_names[at]);
            if (n == 2 && takes(op, e))
                add(run_tile_reduce_specials, kernel, P(e), "tile: %s_2d %s of special numbers",
                    name, elem_names[e]);
        }
    }
}

/* First coordinates, in bytes. Those that are not a multiple of 16, and negative ones of
   stores, end
 * the kernel with an illegal instruction. */
static void add_coordinates(void)
{
    static const int elems[] = {CT_ELEM_U8, CT_ELEM_U16, CT_ELEM_U32, CT_ELEM_F64};
    static const int places[] = {-48, -32, -24, -16, -8, 0, 8, 16, 24, 32, 48};
    for (int i = 0; i < LENGTH(elems); ++i) {
        for (int k = 0; k < LENGTH(places); ++k) {
            const int e = elems[i], at = places[k], x = at / ct_elem_bytes(e);
            add(run_coordinate, &tf_load_2d, P(e, x, 1), "%s: load_2d %s at %d",
                at % 16 == 0 ? "coordinate" : "undocumented", elem_names[e], x);
            add(run_coordinate, &tf_store_2d, P(e, x, 0), "%s: store_2d %s at %d",
                at % 16 == 0 && at >= 0 ? "coordinate" : "undocumented", elem_names[e], x);
        }
    }
}

static void add_tiles(void)
{
#define RANK(n)                                                                                    \
    for (int at = 0; at < AT_COUNT; ++at) {                                                        \
        add(run_rank, &tf_load_##n##d, P(n, 1, 1, 0, at), "tile: load_%dd, %s", n, at_names[at]);  \
        add(run_rank, &tf_multicast_2_##n##d, P(n, 1, 4, 3, at),                                   \
            "tile: multicast_%dd to both of 2, %s", n, at_names[at]);                              \
        add(run_rank, &tf_store_##n##d, P(n, 0, 1, 0, at), "%s: store_%dd, %s",                    \
            at == AT_NEAR ? "undocumented" : "tile", n, at_names[at]);                             \
    }                                                                                              \
    add(run_rank, &tf_load_first_##n##d, P(n, 1, 1), "tile: load_policy_%dd evict_first", n);      \
    add(run_rank, &tf_load_last_##n##d, P(n, 1, 1), "tile: load_policy_%dd evict_last", n);        \
    add(run_rank, &tf_multicast_1_##n##d, P(n, 1, 2, 1), "tile: multicast_%dd to 1 of 1", n);      \
    add(run_rank, &tf_multicast_2_##n##d, P(n, 1, 2, 2), "tile: multicast_%dd to the second of 2", \
        n);                                                                                        \
    add(run_rank, &tf_multicast_4_##n##d, P(n, 1, 4, 15), "tile: multicast_%dd to all of 4", n);   \
    add(run_rank, &tf_multicast_4_##n##d, P(n, 1, 8, 10), "tile: multicast_%dd to two of 4", n);   \
    add(run_rank, &tf_store_first_##n##d, P(n, 0, 1), "tile: store_policy_%dd", n);                \
    add(run_rank, &tf_prefetch_##n##d, P(n, 1, 1), "tile: prefetch_%dd", n);
    RANK(1)
    RANK(2)
    RANK(3)
    RANK(4)
    RANK(5)
    add(run_rank, &tf_prefetch_map, P(2, 1, 1), "tile: prefetch_map");
    for (int op = 0; op < LENGTH(tile_reductions); ++op) add_tile_reductions(op);
    for (int e = 0; e < CT_ELEM_COUNT; ++e) {
        add(run_elem, &tf_load_2d, P(e, CT_TMA_FILL_ZERO), "tile: elements %s", elem_names[e]);
        if (ct_elem_is_float(e))
            add(run_elem, &tf_load_2d, P(e, CT_TMA_FILL_NAN), "tile: elements %s, NaN outside",
                elem_names[e]);
        add(run_elem_store, &tf_store_2d, P(e), "tile: store elements %s", elem_names[e]);
    }
    add_coordinates();
    for (int z = 0; z < CT_TMA_SWIZZLE_COUNT; ++z) {
        const int span = z ? (int)ct_tma_span(z) : 64;
        for (int inner = 16; inner <= span; inner += 16) {
            if (inner != span && inner != span - 16 && inner != 16 && inner != span / 2) continue;
            add(run_swizzle, &tf_load_2d, P(CT_ELEM_F16, z, 32, inner, 1),
                "swizzle: load %s, rows of %d", swizzle_names[z], inner);
            add(run_swizzle, &tf_store_2d, P(CT_ELEM_F16, z, 32, inner, 0),
                "%s: store %s, rows of %d",
                z == CT_TMA_SWIZZLE_128B_ATOM_32B_FLIP_8B ? "undocumented" : "swizzle",
                swizzle_names[z], inner);
        }
        add(run_swizzle, &tf_load_2d, P(CT_ELEM_U8, z, 20, span, 1), "swizzle: load %s of u8",
            swizzle_names[z]);
        add(run_swizzle, &tf_load_2d, P(CT_ELEM_F64, z, 20, span, 1), "swizzle: load %s of f64",
            swizzle_names[z]);
        if (z <= CT_TMA_SWIZZLE_128B_ATOM_32B)
            add(run_swizzle_add, &tf_add_2d, P(CT_ELEM_U32, z), "swizzle: add %s of u32",
                swizzle_names[z]);
    }
    for (int l2 = CT_TMA_L2_NONE; l2 <= CT_TMA_L2_256; ++l2)
        add(run_l2, &tf_load_2d, P(l2), "tile: L2 promotion %d", l2);
    for (int step = 2; step <= 8; ++step) {
        add(run_step, &tf_load_2d, P(step, 1, 2, 1), "step: load_2d, every %d", step);
        add(run_step, &tf_store_2d, P(step, 1, 2, 0), "step: store_2d, every %d", step);
    }
    add(run_step, &tf_load_3d, P(2, 3, 3, 1), "step: load_3d, every 2 and 3");
    add(run_step, &tf_store_3d, P(2, 3, 3, 0), "step: store_3d, every 2 and 3");
    add(run_multicast_rounds, &tk_multicast, P(CT_TMA_SWIZZLE_NONE), "multicast: rounds");
    add(run_multicast_rounds, &tk_multicast, P(CT_TMA_SWIZZLE_128B), "multicast: rounds, swizzled");
}

#endif
