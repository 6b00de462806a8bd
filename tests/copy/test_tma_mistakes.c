/* Mbarriers, bulk copies and tile copies on the CPU grid: every mistake in their use stops a kernel
 * with its own message, and its correct twin passes. */
#include "tma_launch.h"
#include "mistakes.h"

#include "../../src/grid/run/map.h"

#include "tma_kernels.cu"

#define AT "at tma_kernels.cu:N: "
#define THREAD(kernel, t) "kernel " kernel ", block (0,0,0), thread (" t ",0,0): "

#define WAITS(parity, bar)                                                                         \
    "deadlock: waits at tma_kernels.cu:N for parity " parity " of the mbarrier at byte 0 of " bar  \
    ", which "

static const ct_grid_kernel *const kernels[] = {&tk_hand_over, &tk_poll,   &tk_barrier_use,
                                                &tk_bulk,      &tk_refill, NULL};

TEST(test_mistakes)
{
    char *const text = table_text("tests/copy/tma_mistakes.txt"), *at = text;
    int rows = 0;
    for (mistake m; next_mistake(&at, kernels, &m); ++rows) {
        const uint32_t threads = (uint32_t)m.number[0];
        const size_t shared_bytes = (size_t)m.number[1];
        tma_args args = {.n = m.number[2]};
        pass(launch(m.kernel, one, threads, shared_bytes, args));
        args.wrong = m.number[3];
        expect(launch(m.kernel, one, threads, shared_bytes, args), m.status, m.message);
    }
    free(text);
    assert_int_equal(rows, 30);
}

/* A tile of 16 rows of 128 bytes. */
static tma_args tile_args(int32_t wrong)
{
    const ct_tma_desc d = ct_make_tma_desc(ct_layout2(64, 64, 64, 1), ct_tuple2(16, 64),
                                           CT_ELEM_F16, CT_TMA_SWIZZLE_128B, (uintptr_t)src);
    tma_args args = {.n = 2048, .wrong = wrong};
    args.src_map = map_of(d);
    return args;
}

TEST(test_mistakes_with_tiles)
{
    tma_args args = tile_args(0);
    pass(launch(&tk_tile_raw, one, 64, 4096, args));
    expect(
        launch(&tk_tile_raw, one, 64, 4096, tile_args(1)), CT_GRID_E_IN_FLIGHT,
        THREAD(
            "tk_tile_raw",
            "0") "128-bit load from shared memory " AT
                 "byte 0 of tile: the bulk copy of thread (0,0,0) at tma_kernels.cu:N was not waited for");
    expect(launch(&tk_tile_raw, one, 64, 4096, tile_args(2)), CT_GRID_E_DEADLOCK,
           THREAD("tk_tile_raw", "0") WAITS(
               "0", "bar") "has completed 0 phases; the next lacks 0 of 1 arrivals and 128 bytes");
    expect(launch(&tk_tile_raw, one, 64, 4096, tile_args(3)), CT_GRID_E_MISALIGNED,
           THREAD("tk_tile_raw", "0") "tile copy to shared memory " AT
                                      "misaligned: offset 128 of tile is not a multiple of 1024");
    expect(launch(&tk_tile_raw, one, 64, 4096, tile_args(4)), CT_GRID_E_ATOM,
           THREAD("tk_tile_raw", "0") "tile copy to shared memory " AT
                                      "1 coordinates, and the map has 2 dimensions");
    expect(
        launch(&tk_tile_raw, one, 64, 4096, tile_args(5)), CT_GRID_E_IN_FLIGHT,
        THREAD(
            "tk_tile_raw",
            "0") "128-bit load from shared memory " AT
                 "byte 0 of tile: the bulk copy of thread (0,0,0) at tma_kernels.cu:N was not waited for");
    expect(launch(&tk_tile_raw, one, 64, 1024, args), CT_GRID_E_BOUNDS,
           THREAD("tk_tile_raw", "0") "tile copy to shared memory " AT
                                      "bytes 0 to 2047 of tile, which has 1024 bytes");
    args.src_map.opaque[offsetof(ct_grid_map, address) / 8] += 8;
    expect(launch(&tk_tile_raw, one, 64, 4096, args), CT_GRID_E_MISALIGNED,
           THREAD("tk_tile_raw", "0") "prefetch of a map " AT
                                      "the map's address is not a multiple of 16");
    memset(&args.src_map, 1, sizeof args.src_map);
    expect(launch(&tk_tile_raw, one, 64, 4096, args), CT_GRID_E_ATOM,
           THREAD("tk_tile_raw", "0") "prefetch of a map " AT
                                      "the map was not made by ct_grid_tma_map");
    args = tile_args(0);
    args.n = 2; /* dimensions */
    args.bytes = 2048;
    args.dst_map = map_of(ct_make_tma_desc(ct_layout2(64, 64, 64, 1), ct_tuple2(16, 64),
                                           CT_ELEM_F16, CT_TMA_SWIZZLE_128B, (uintptr_t)dst));
    pass(launch(&tk_bulk_copy, one, 32, 2048, args));
    args.wrong = 1;
    expect(
        launch(&tk_bulk_copy, one, 32, 2048, args), CT_GRID_E_PROXY,
        THREAD(
            "tk_bulk_copy",
            "0") "tile copy from shared memory " AT
                 "byte 0 of tile was stored by thread (0,0,0), and no ct_fence_async_shared follows");
    args.wrong = 0;
    args.c[1] = -1;
    expect(
        launch(&tk_bulk_copy, one, 32, 2048, args), CT_GRID_E_ATOM,
        THREAD("tk_bulk_copy", "0") "tile copy to global memory " AT
                                    "coordinate -1 of dimension 1; those of a store are 0 or more");
    args.c[1] = 0;
    args.c[0] = 4;
    expect(
        launch(&tk_tile_raw, one, 64, 4096, args), CT_GRID_E_ATOM,
        THREAD("tk_tile_raw", "0") "tile prefetch " AT
                                   "coordinate 4 of dimension 0 is 8 bytes, not a multiple of 16");
    expect(
        launch(&tk_bulk_copy, one, 32, 2048, args), CT_GRID_E_ATOM,
        THREAD("tk_bulk_copy", "0") "tile copy to shared memory " AT
                                    "coordinate 4 of dimension 0 is 8 bytes, not a multiple of 16");
    args.c[0] = 0;
    args.op = 1; /* stores 8 elements on */
    const ct_layout ragged = ct_layout2(64, 71, 128, 1);
    args.dst_map = map_of(ct_make_tma_desc(ragged, ct_tuple2(16, 64), CT_ELEM_F16,
                                           CT_TMA_SWIZZLE_128B, (uintptr_t)dst));
    expect(
        launch(&tk_bulk_copy, one, 32, 2048, args), CT_GRID_E_ATOM,
        THREAD(
            "tk_bulk_copy",
            "0") "tile copy to global memory " AT
                 "the tile reaches the end of dimension 0, and its extent 71 is 142 bytes, not a "
                 "multiple of 16: a store would write beyond it");
    args.op = 0; /* to the last whole 16 bytes, and no further */
    pass(launch(&tk_bulk_copy, one, 32, 2048, args));
    args.dst_map =
        map_of(ct_make_tma_desc(ct_layout2(64, 64, 64, 1), ct_tuple2(16, 64), CT_ELEM_F16,
                                CT_TMA_SWIZZLE_128B_ATOM_32B_FLIP_8B, (uintptr_t)dst));
    expect(launch(&tk_bulk_copy, one, 32, 2048, args), CT_GRID_E_ATOM,
           THREAD("tk_bulk_copy", "0") "tile copy to global memory " AT
                                       "swizzle 128B_ATOM_32B_FLIP_8B is one of loads only");
    args.dst_map = map_of(ct_make_tma_desc(ct_layout2(64, 64, 64, 1), ct_tuple2(16, 16),
                                           CT_ELEM_F64, CT_TMA_SWIZZLE_128B, (uintptr_t)dst));
    args.n = 0;
    expect(launch(&tk_tile_reduce, one, 32, 2048, args), CT_GRID_E_ATOM,
           THREAD("tk_tile_reduce", "0") "tile copy to global memory " AT
                                         "no such reduction for elements of type 8");
    args.n = 2;
    args.dst_map = args.src_map;
    expect(launch(&tk_bulk_copy, one, 32, 2048, args), CT_GRID_E_READ_ONLY,
           THREAD("tk_bulk_copy", "0") "tile copy to global memory " AT "src is not writable");
    memset(dst, 0, 1024);
    expect(launch(&tk_bulk_reduce, one, 64, 256,
                  (tma_args){.n = 256, .op = REDUCE_ADD_U32, .wrong = 1}),
           CT_GRID_E_RACE,
           THREAD("tk_bulk_reduce",
                  "0") "32-bit load from global memory " AT
                       "race: byte 0 of dst is reduced into by this launch, with no barrier since");
}

TEST(test_mistakes_in_clusters)
{
    const ct_dim3 two = {2, 1, 1}, three = {3, 1, 1};
    tma_args args = {.n = 3, .bytes = 1024, .wrong = 0};
    args.src_map = map_of(ct_make_tma_desc(ct_layout2(64, 64, 1, 64), ct_tuple2(32, 8), CT_ELEM_U32,
                                           CT_TMA_SWIZZLE_128B, (uintptr_t)src));
    pass(launch(&tk_multicast, two, 64, 2048, args));
    const struct {
        int status;
        const char *message;
    } rows[] = {
        /* clang-format off */
        {CT_GRID_E_RACE, THREAD("tk_multicast", "0") "tile copy to shared memory " AT
         "race: the mbarrier at byte 0 of full is initialised by another thread with no barrier since"},
        {CT_GRID_E_LAUNCH, THREAD("tk_multicast", "0") "tile copy to shared memory " AT
         "multicast mask 0x0007 names blocks outside the cluster, which has 2"},
        {CT_GRID_E_IN_FLIGHT, THREAD("tk_multicast", "0") "tile copy to shared memory " AT
         "byte 0 of tile: the bulk copy of thread (0,0,0) at tma_kernels.cu:N was not waited for"},
        {CT_GRID_E_LAUNCH, THREAD("tk_multicast", "32") "mbarrier.arrive " AT
         "block 2 of the cluster, which has 2"},
        {CT_GRID_E_DIVERGENCE, THREAD("tk_multicast", "0")
         "divergence: waits for its cluster at tma_kernels.cu:N, but not so thread (0,0,0) of block "
         "(1,0,0), which has ended"}};
    /* clang-format on */
    for (args.wrong = 1; args.wrong <= 5; ++args.wrong)
        expect(launch(&tk_multicast, two, 64, 2048, args), rows[args.wrong - 1].status,
               rows[args.wrong - 1].message);
    expect(launch(&tk_multicast, three, 64, 2048, args), CT_GRID_E_LAUNCH,
           "kernel tk_multicast: grid (3,1,1): x is not a multiple of the 2 blocks of a cluster");
    expect(launch(&tk_multicast, two, 48, 2048, args), CT_GRID_E_LAUNCH,
           "kernel tk_multicast: 48 threads: the grid runs clusters of blocks of whole warps only");
}

TEST(test_mistakes_in_reads_of_a_cluster)
{
    const ct_dim3 four = {4, 1, 1};
    tma_args args = {.n = 1, .wrong = 0};
    args.src = src;
    pass(launch(&tk_read_cluster, four, 64, 0, args));
    const struct {
        int status;
        const char *message;
    } rows[] = {
        {CT_GRID_E_UNWRITTEN,
         THREAD(
             "tk_read_cluster",
             "0") "128-bit load from a block's shared memory " AT
                  "byte 1008 of own is not written: never, or by a thread that no barrier puts before this one"},
        {CT_GRID_E_LAUNCH,
         THREAD("tk_read_cluster", "0") "128-bit load from a block's shared memory " AT
                                        "block 4 of the cluster, which has 4"},
        {CT_GRID_E_RACE,
         THREAD("tk_read_cluster",
                "32") "128-bit load from a block's shared memory " AT
                      "race: byte 496 of own was written by thread (31,0,0) with no barrier since"},
        {CT_GRID_E_BOUNDS,
         THREAD("tk_read_cluster", "0") "128-bit load from a block's shared memory " AT
                                        "the address is in src, which is global memory"}};
    for (args.wrong = 1; args.wrong <= 4; ++args.wrong)
        expect(launch(&tk_read_cluster, four, 64, 0, args), rows[args.wrong - 1].status,
               rows[args.wrong - 1].message);
}

GROUP_OF_EACH("tma mistakes", setup, teardown)
