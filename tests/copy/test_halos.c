/* Copies by predicated partitions, against their definition by enumeration: tiles of any extents that
 * begin before a tensor and end after it, by each atom and memory that has them, in any order. */
#include "on_grid.h"
#include "cast_cases.h"
#include "gather_cases.h"
#include "stencil_cases.h"

#include <cutlet/algebra/read.h>
#include <cutlet/device/arch/bulk.h>
#include <cutlet/device/copy/copy.h>

#include "error_said.h"

enum { SHARED = 32768 };

/* The partitions of the next launch, and the bytes of shared memory that its tile has. */
static ct_partition in, out;
static unsigned char of_tile[SHARED];

typedef struct halo_args {
    ct_global src, dst;
    int64_t from[2], to[2];
    int32_t *index[2]; /* of the rows of src and of dst, or NULL; and its entries */
    int64_t entries, limit;
    int32_t some, first; /* whether by ct_copy_if, and its argument */
} halo_args;

/* Elements of a tile on diagonals, from `with` on; or all. */
static int on_diagonals(const void *with, ct_index x)
{
    return (x.at[0] + 2 * x.at[1] + *(const int32_t *)with) % 3 != 0;
}

/* The tile at `from` of src comes to the tile at `to` of dst, by way of the memory of `in`. */
CT_KERNEL(halo, halo_args, args)
{
    CT_SHARED(unsigned char, memory, SHARED);
    CT_FRAGMENT(uint32_t, words, 256) = {0};
    ct_view src = ct_view_at(&args.src, &in, ct_index2(args.from[0], args.from[1]));
    ct_view dst = ct_view_at(&args.dst, &out, ct_index2(args.to[0], args.to[1]));
    if (args.index[0]) src = ct_view_indexed(&in, src, 0, args.index[0], args.entries);
    if (args.index[1]) dst = ct_view_indexed(&out, dst, 0, args.index[1], args.entries);
    src = ct_view_limit(src, 1, args.limit);
    if (in.dst.space == CT_SPACE_GLOBAL) {
        const ct_view to = ct_view_at(&args.dst, &in, ct_index2(args.to[0], args.to[1]));
        if (args.some) ct_copy_if(&in, src, to, on_diagonals, &args.first);
        else ct_copy(src, to);
    } else if (in.dst.space == CT_SPACE_REGISTERS) {
        ct_copy(src, ct_view_registers(words));
        ct_copy(ct_view_registers(words), dst);
    } else {
        const uint32_t poison = POISON;
        for (uint32_t i = threadIdx.x; i < SHARED; i += blockDim.x)
            ct_store_shared(memory + i, &poison, 8);
        __syncthreads();
        if (args.some) ct_copy_if(&in, src, ct_view_shared(memory), on_diagonals, &args.first);
        else ct_copy(src, ct_view_shared(memory));
        ct_cp_async_wait_all();
        __syncthreads();
        for (int i = 0; i < SHARED && threadIdx.x == 0; ++i)
            if (!of_tile[i]) assert_int_equal(memory[i], POISON);
        ct_copy(ct_view_shared(memory), dst);
    }
}

/* The element at a coordinate of a tensor, or NULL outside. */
static unsigned char *element(const tensor *t, unsigned char *zero, int64_t i, int64_t j)
{
    const ct_layout *const L = &t->layout;
    if (i < 0 || j < 0 || i >= L->shape[0] || j >= L->shape[1]) return NULL;
    return zero + (i * L->stride[0] + j * L->stride[1]) * (t->bits / 8);
}

/* Row i of a side, or that of its index; -1 outside. */
static int64_t row_of(const halo_args *args, int side, int64_t i)
{
    if (!args->index[side]) return i;
    return i < 0 || i >= args->entries ? -1 : args->index[side][i];
}

/* What memory of dst must hold after the copy. */
static unsigned char *moved(const tensor *src, const tensor *dst, ct_tuple tile,
                            const halo_args *args)
{
    unsigned char *const right = memory_like(dst), *const zero =
                                                       right + GUARD + dst->shift + dst->first;
    for (int64_t i = 0; i < tile.value[0]; ++i)
        for (int64_t j = 0; j < tile.value[1]; ++j) {
            const unsigned char *const s =
                j < args->limit ? element(src, at_zero(src), row_of(args, 0, args->from[0] + i),
                                          args->from[1] + j)
                                : NULL;
            unsigned char *const d =
                element(dst, zero, row_of(args, 1, args->to[0] + i), args->to[1] + j);
            if (args->some && !on_diagonals(&args->first, ct_index2(i, j))) {
                if (d && in.dst.space == CT_SPACE_SHARED) memset(d, 0, (size_t)dst->bits / 8);
                continue;
            }
            if (d && s) memcpy(d, s, (size_t)dst->bits / 8);
            else if (d) memset(d, 0, (size_t)dst->bits / 8);
        }
    return right;
}

static ct_layout random_matrix(int64_t m, int64_t n)
{
    const int64_t gap = random_to(2) * random_to(8);
    const int kind = random_to(7);
    if (kind == 0) return ct_layout2(m, n, 1, m + gap);
    if (kind == 1) return ct_layout2(m, n, -(n + gap), 1);
    if (kind == 2) return ct_layout2(m, n, 2 * n + gap, 2);
    return ct_layout2(m, n, n + (kind < 5 ? gap : (16 - n % 16) % 16), 1);
}

/* Shared memory of a tile: rows, rows with a swizzle, columns. */
static ct_memory random_shared(ct_tuple tile)
{
    const int64_t m = tile.value[0], n = tile.value[1], ld = (n + 31) / 32 * 32;
    const int kind = random_to(3);
    memset(of_tile, 0, sizeof of_tile);
    if (kind == 0) return ct_in_shared_plain(ct_layout2(m, n, 1, m));
    if (kind == 1)
        return ct_in_shared(ct_make_swizzled(ct_make_swizzle(2, 2, 3), 0, ct_layout2(m, n, ld, 1)));
    return ct_in_shared_plain(ct_layout2(m, n, n + random_to(4), 1));
}

static void mark_shared(ct_memory m, ct_tuple tile, int bytes)
{
    for (int64_t i = 0; i < tile.value[0] * tile.value[1]; ++i) {
        const int64_t at = ct_swizzle_apply(m.layout.swizzle, ct_eval(m.layout.layout, i)) * bytes;
        assert_in_range(at, 0, SHARED - bytes);
        memset(of_tile + at, 1, (size_t)bytes);
    }
}

enum { THREADS = 32 };

static ct_tiled_copy random_copy(int bits, int kind, int registers)
{
    static const char *const thr[] = {"(4,8):(8,1)", "(8,4):(1,8)", "(1,32):(32,1)",
                                      "(32,1):(1,32)"};
    static const char *const val[] = {"(1,4):(4,1)", "(1,1)", "(2,2):(2,1)", "(1,8):(8,1)"};
    const int v = registers ? random_to(1) : random_to(3);
    const int width = kind == 1 ? bits : bits < 32 ? 32 : random_to(1) ? bits : 128;
    const ct_copy_atom atom = kind == 0   ? ct_copy_atom_auto(bits)
                              : kind == 1 ? ct_copy_atom_universal(width, bits)
                                          : ct_copy_atom_cp_async(CT_ATOM_CP_ASYNC_CA, width, bits);
    return ct_make_tiled_copy(atom, ct_read(thr[random_to(3)]), ct_read(val[v]));
}

static int64_t coordinate(int64_t extent, int64_t tile)
{
    const int64_t any = -tile - 1 + random_to((int)(extent + tile + 2));
    return random_to(2) ? any : any / 4 * 4;
}

/* Rows of src in any order, also none and some twice; those of dst each once. */
enum { ENTRIES = 24 };
static int32_t indices[2][ENTRIES];
static void random_indices(void)
{
    for (int i = 0; i < ENTRIES; ++i) indices[0][i] = random_to(33) - 2;
    for (int i = 0; i < ENTRIES; ++i) {
        const int j = random_to(i);
        indices[1][i] = indices[1][j];
        indices[1][j] = i - 2;
    }
}

/* One copy, by ct_make_partition where it is checked; 0 if the sides have no partition. */
enum { PREDICATED, CHECKED, INDEXED };
static int check_one(int kind, int by, int how)
{
    static const int bits[] = {32, 8, 16, 64, 128};
    const int b = bits[random_to(4)], indexed = how == INDEXED;
    const ct_tiled_copy copy = random_copy(b, kind, by == 1);
    const ct_tiled_copy back = kind == 2 ? random_copy(b, 0, 0) : copy;
    ct_tuple tile =
        random_to(7) ? ct_tuple2(1 + random_to(19), 1 + random_to(35)) : ct_tuple2(18, 66);
    if (how == CHECKED) tile = ct_tile_covered(back, ct_tile_covered(copy, tile));
    if (tile.value[0] * tile.value[1] * b / 8 > SHARED / 2) return 0;
    const ct_memory rows = ct_in_global(indexed || random_to(5) > 0), shared = random_shared(tile);
    const ct_memory between = by == 0 ? rows : by == 1 ? ct_in_registers() : shared;
    ct_partition (*const make)(ct_tiled_copy, ct_tuple, ct_memory, ct_memory) =
        how == CHECKED ? ct_make_partition : ct_make_predicated_partition;
    in = make(copy, tile, rows, between);
    out = make(back, tile, between, rows);
    if (in.err.status || out.err.status) return 0;
    mark_shared(shared, tile, b / 8);
    const int64_t m = 1 + random_to(30), n = 1 + random_to(50);
    const tensor src = random_tensor(random_matrix(m, n), b, b / 8 * random_to(3)),
                 dst = make_tensor(random_matrix(1 + random_to(30), 1 + random_to(50)), b,
                                   b / 8 * random_to(3));
    halo_args args = {.src = global_of(&src), .dst = global_of(&dst), .entries = ENTRIES};
    args.limit = random_to(2) ? 1000 : random_to(40);
    args.some = how != CHECKED && by != 1 && random_to(1);
    args.first = random_to(2);
    for (int a = 0; a < 2; ++a) {
        args.from[a] = coordinate(args.src.extent[a], how == CHECKED ? -1 : tile.value[a]);
        args.to[a] = coordinate(args.dst.extent[a], how == CHECKED ? -1 : tile.value[a]);
    }
    launch l = make_launch(&halo, grid_of(1, 1, 1), THREADS, 0, &args);
    char what[WHAT_BYTES] = "";
    l.records = 0;
    add_sides(&l, &src, &args.src, &dst, &args.dst);
    random_indices();
    for (int side = 0; side < 2 && indexed; ++side) {
        args.index[side] = random_to(1) || by == 0 ? NULL : indices[side];
        l.buffers[l.count++] = (ct_grid_buffer){"index", indices[side], sizeof indices[side], 0, 0};
    }
    if (by == 0 && indexed) args.index[0] = indices[0];
    unsigned char *const right = moved(&src, &dst, tile, &args);
    const int status = on_grid(&l, what);
    if (status || memcmp(right, dst.memory, dst.all) != 0)
        fail_msg(
            "atom %d by %d, %d bits, tile (%d,%d) at (%d,%d) to (%d,%d), %s: byte %lld; values %d, accesses %d x %d, %d x %d",
            kind, by, b, in.tile[0], in.tile[1], (int)args.from[0], (int)args.from[1],
            (int)args.to[0], (int)args.to[1], what, (long long)wrong_byte(&dst, right), in.values,
            in.src.accesses, in.src.width, out.dst.accesses, out.dst.width);
    free(right);
    drop(&src);
    drop(&dst);
    return 1;
}

/* Tiles of checked partitions begin in the tensor, at any coordinate: accesses may be misaligned. */
TEST(test_halos)
{
    seed_rolls();
    for (int kind = 0; kind < 3; ++kind)
        for (int i = 0; i < 6; ++i) {
            int made = 0;
            if (kind == 2 && i % 3 != 2) continue;
            for (int k = 0; k < 300; ++k)
                made += check_one(kind, i % 3, i < 3 ? PREDICATED : CHECKED);
            assert_in_range(made, 60, 300);
        }
}

/* The same with an index of the rows of either side. */
TEST(test_gathers)
{
    int made = 0;
    for (int k = 0; k < 300; ++k) made += check_one(k % 3, k % 3 == 2 ? 2 : k / 3 % 3, INDEXED);
    assert_in_range(made, 100, 300);
}

typedef struct map_args {
    ct_tma_map src, dst;
    unsigned char *from, *to;
    int32_t x[2], to_x[2];
} map_args;

/* A tile of a map's tensor at any coordinate, to a place of the other's. */
CT_KERNEL(halo_by_map, map_args, args)
{
    CT_STATIC(ct_memory, shared, ct_in_shared_plain(ct_layout2(8, 32, 32, 1)));
    CT_STATIC(ct_partition, load,
              ct_make_partition(ct_make_bulk_copy(ct_copy_atom_tile(CT_ATOM_TMA_LOAD, 32)),
                                ct_tuple2(8, 32), ct_in_global(1), shared));
    CT_STATIC(ct_partition, store,
              ct_make_partition(ct_make_bulk_copy(ct_copy_atom_tile(CT_ATOM_TMA_STORE, 32)),
                                ct_tuple2(8, 32), shared, ct_in_global(1)));
    CT_SHARED(float, memory, 8 * 32);
    CT_SHARED(uint64_t, bar, 1);
    const ct_index x = ct_index2(args.x[0], args.x[1]);
    const ct_index to = ct_index2(args.to_x[0], args.to_x[1]);
    ct_mbarrier_init(bar, 1);
    ct_fence_mbarrier_init();
    ct_mbarrier_arrive_expect(bar, ct_tile_bytes(&load));
    ct_copy(ct_view_map_at(&args.src, &load, x), ct_view_arriving(ct_view_shared(memory), bar, 0));
    ct_mbarrier_wait(bar, 0);
    ct_copy(ct_view_shared(memory), ct_view_map_at(&args.dst, &store, to));
    ct_bulk_commit();
    ct_bulk_wait_group(0);
}

TEST(test_maps)
{
    static const int32_t at[][2] = {{-1, -4}, {0, 0}, {-3, 8}, {15, 28}, {19, -28}, {-8, 0}};
    const ct_layout L = ct_layout2(20, 40, 40, 1);
    for (int k = 0; k < LENGTH(at); ++k) {
        const tensor src = random_tensor(L, 32, 0), dst = make_tensor(L, 32, 0);
        map_args args = {.x = {at[k][0], at[k][1]}, .to_x = {5 * k, 4 * k}};
        const halo_args place = {.limit = 1000, .from = {at[k][0], at[k][1]}, .to = {5 * k, 4 * k}};
        launch l = make_launch(&halo_by_map, grid_of(1, 1, 1), 1, 0, &args);
        add_buffer(&l, "src", &src, 0, &args.from);
        add_buffer(&l, "dst", &dst, 1, &args.to);
        l.desc[0] = ct_make_tma_desc(L, ct_tuple2(8, 32), CT_ELEM_F32, CT_TMA_SWIZZLE_NONE,
                                     (uintptr_t)begin(&src));
        l.desc[1] = ct_make_tma_desc(L, ct_tuple2(8, 32), CT_ELEM_F32, CT_TMA_SWIZZLE_NONE,
                                     (uintptr_t)begin(&dst));
        l.maps[0] = &args.src;
        l.maps[1] = &args.dst;
        unsigned char *const right = moved(&src, &dst, ct_tuple2(8, 32), &place);
        run_well(&l, on_grid);
        assert_int_equal(wrong_byte(&dst, right), ALL_RIGHT);
        free(right);
        drop(&src);
        drop(&dst);
    }
}

/* A tile that is no multiple of the tiled copy: narrower accesses where a wide one would cross its end. */
TEST(test_widths)
{
    const ct_tiled_copy any =
        ct_make_tiled_copy(ct_copy_atom_auto(32), ct_read("(8,16):(16,1)"), ct_read("(1,4):(1,1)"));
    const ct_memory g = ct_in_global(1);
    const ct_partition wide = ct_make_predicated_partition(
        any, ct_tuple2(34, 72), g, ct_in_shared_plain(ct_layout2(34, 72, 72, 1)));
    assert_int_equal(wide.src.width, 4);
    assert_int_equal(wide.dst.width, 4);
    assert_int_equal(wide.over, 3);
    assert_int_equal(wide.dst.bytes, 34 * 72 * 4 / 128 * 128 + 128);
    const ct_partition two = ct_make_predicated_partition(
        any, ct_tuple2(34, 66), g, ct_in_shared_plain(ct_layout2(34, 66, 68, 1)));
    assert_int_equal(two.src.width, 2);
    assert_int_equal(two.dst.width, 2);
    const ct_partition whole = ct_make_predicated_partition(any, ct_tuple2(16, 64), g, g);
    assert_int_equal(whole.over, 0);
    assert_int_equal(whole.src.width, 4);
}

/* Rows of shared memory that begin after some elements: accesses are as wide as all rows are aligned, or refused. */
TEST(test_shifted_rows)
{
    static const int widths[] = {4, 1, 2, 1, 4, 1, 2, 1, 4};
    const ct_layout thr = ct_layout2(4, 8, 8, 1), val = ct_layout2(1, 4, 4, 1);
    for (int shift = 0; shift < LENGTH(widths); ++shift) {
        const ct_memory rows =
            ct_in_shared(ct_make_swizzled(ct_swizzle_none(), shift, ct_layout2(8, 32, 36, 1)));
        const ct_partition any =
            ct_make_partition(ct_make_tiled_copy(ct_copy_atom_auto(32), thr, val), ct_tuple2(8, 32),
                              ct_in_global(1), rows);
        const ct_partition four =
            ct_make_partition(ct_make_tiled_copy(ct_copy_atom_universal(128, 32), thr, val),
                              ct_tuple2(8, 32), ct_in_global(1), rows);
        assert_int_equal(any.src.width, 4);
        assert_int_equal(any.dst.width, widths[shift]);
        assert_int_equal(any.dst.first, 4 * shift);
        if (widths[shift] == 4) assert_int_equal(four.err.status, CT_OK);
        if (shift == 2)
            assert_true(error_says(four.err,
                                   "partition_src: the atom moves 4 values at once, and only 2 are "
                                   "contiguous in the destination"));
    }
}

TEST(test_refusals)
{
    const ct_memory g = ct_in_global(1), s = ct_in_shared_plain(ct_layout2(34, 66, 68, 1));
    const ct_tuple tile = ct_tuple2(34, 66);
    const ct_layout thr = ct_layout2(8, 16, 16, 1), four = ct_layout2(1, 4, 1, 1);
    const ct_tiled_copy wide = ct_make_tiled_copy(ct_copy_atom_universal(128, 32), thr, four);
    const ct_tiled_copy bulk = ct_make_bulk_copy(ct_copy_atom_tile(CT_ATOM_BULK_LOAD, 32));
    const ct_tiled_copy nibbles =
        ct_make_tiled_copy(ct_copy_atom_auto(4), thr, ct_layout2(1, 8, 1, 1));
    const ct_partition p = ct_make_predicated_partition(
        ct_make_tiled_copy(ct_copy_atom_auto(32), thr, four), tile, g, g);
    assert_int_equal(ct_copy_if_refusal(&p).status, CT_OK);
    const ct_view whole = {.space = CT_SPACE_GLOBAL}, part = {.of_thread = 1};
    assert_int_equal(ct_index_of_refusal(&p, &whole, 0).status, CT_OK);
    assert_int_equal(ct_index_of_refusal(&p, &part, 0).why, CT_WHY_INDEXED);
    const struct {
        ct_error e;
        const char *sentence;
    } said[] = {
        {ct_index_of_refusal(&p, &whole, 1),
         "tensor: axis 1 has no index: that takes a tile in global memory of a predicated partition, and "
         "an axis along which no access lies"},
        {ct_make_predicated_partition(wide, tile, g, s).err,
         "partition_src: axis 1 of the tile ends after 66 elements, inside an access of 4; give the "
         "atom or the side narrower ones"},
        {ct_make_predicated_partition(bulk, ct_tuple2(8, 64), g,
                                      ct_in_shared_plain(ct_layout2(8, 64, 64, 1)))
             .err,
         "partition_src: only loads, stores and cp.async of whole bytes, checked and aligned, are tested by "
         "their coordinates; this is atom 9 with elements of 32 bits"},
        {ct_make_predicated_partition(nibbles, ct_tuple2(8, 128), g, g).err,
         "partition_src: only loads, stores and cp.async of whole bytes, checked and aligned, are tested by "
         "their coordinates; this is atom 8 with elements of 4 bits"},
        {ct_partition_unchecked(p).err,
         "partition_src: only loads, stores and cp.async of whole bytes, checked and aligned, are tested by "
         "their coordinates; this is atom 8 with elements of 32 bits"},
        {ct_partition_unaligned(p).err,
         "partition_src: only loads, stores and cp.async of whole bytes, checked and aligned, are tested by "
         "their coordinates; this is atom 8 with elements of 32 bits"},
    };
    int wrong = 0;
    for (size_t k = 0; k < sizeof said / sizeof *said; ++k)
        wrong += !error_says(said[k].e, said[k].sentence);
    assert_int_equal(wrong, 0);
    assert_int_equal(ct_make_predicated_partition(wide, ct_tuple2(34, 68), g, s).err.why,
                     CT_WHY_TILE_DIVIDES); /* shared memory has 66 columns */
    assert_int_equal(ct_make_predicated_partition(wide, ct_tuple2(0, 68), g, g).err.why,
                     CT_WHY_SHAPE);
}

/* A copy by a predicate, and rows by an index, of a partition that tests no access; of an axis along accesses. */
CT_KERNEL_THREADS(wrong_halos, 32, halo_args, args)
{
    CT_STATIC(
        ct_tiled_copy, copy,
        ct_make_tiled_copy(ct_copy_atom_auto(32), ct_layout2(4, 8, 8, 1), ct_layout2(1, 4, 4, 1)));
    CT_STATIC(ct_partition, plain,
              ct_make_partition(copy, ct_tuple2(4, 32), ct_in_global(1), ct_in_registers()));
    CT_STATIC(
        ct_partition, P,
        ct_make_predicated_partition(copy, ct_tuple2(4, 32), ct_in_global(1), ct_in_registers()));
    CT_FRAGMENT(uint32_t, words, 4) = {0};
    const ct_index at = ct_index2(0, 0);
    const ct_view tile = ct_view_at(&args.src, &plain, at), by_P = ct_view_at(&args.src, &P, at);
    const int32_t *const index = args.index[0];
    if (args.some == 1) ct_copy_if(&plain, tile, ct_view_registers(words), on_diagonals, &args);
    if (args.some == 2) ct_view_indexed(&plain, tile, 0, index, 4);
    if (args.some == 3) ct_view_indexed(&P, by_P, 1, index, 4);
    if (args.some == 4) ct_view_indexed(&P, ct_view_src(&P, by_P, threadIdx.x), 0, index, 4);
    ct_copy_if(&P, by_P, ct_view_registers(words), on_diagonals, &args.first);
}

TEST(test_wrong_halos)
{
    static const char *const says[] = {"", "tested by their coordinates", "axis 0 has no index",
                                       "axis 1 has no index", "axis 0 has no index"};
    const tensor data = random_tensor(ct_layout2(8, 32, 32, 1), 32, 0);
    for (int k = 0; k < 5; ++k) {
        halo_args args = {.src = global_of(&data), .some = k};
        launch l = make_launch(&wrong_halos, grid_of(1, 1, 1), 32, 0, &args);
        char what[WHAT_BYTES] = "";
        add_buffer(&l, "src", &data, 0, &args.src.at);
        const int status = on_grid(&l, what);
        if (status != (k ? CT_GRID_E_CONSTANT : 0) || !strstr(what, says[k]) ||
            (k && !strstr(what, "test_halos.c:")))
            fail_msg("mistake %d: status %d, %s", k, status, what);
    }
    drop(&data);
}

/* clang-format off */
TEST(stencils) { every_stencil(on_grid); }
TEST(gathers) { every_gather(on_grid); }
TEST(rotary_embedding) { check_rotary(21, 5, on_grid); }
TEST(casts) { every_cast(on_grid); }
/* clang-format on */

GROUP("halos", NULL, free_report)
