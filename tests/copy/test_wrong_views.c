/* Views and blocks that a copy refuses on the CPU grid, by enumeration: a view of other memory than
 * its side, tiles that begin before their tensor, threads that the tiled copy lacks, a block of
 * another size. Each has its right twin. */
#include "test.h"

#include <cutlet/algebra/read.h>
#include <cutlet/host/grid.h>

#include <cutlet/device/copy/copy.h>
#include <cutlet/device/staged/copy_any.h>

enum { ROWS = 8, COLUMNS = 64, BATCH = 2, BYTES = 4 * ROWS * COLUMNS * BATCH };

static _Alignas(256) unsigned char memory[3 * BYTES];
static unsigned char *const src = memory, *const dst = memory + 2 * BYTES;
static ct_grid_report report;

/* The partitions of the next launch. */
static ct_partition P, Q;

typedef struct view_args {
    ct_global src, dst;
    int32_t how, from, to, axis; /* the form of the call, the memory of its views, an axis */
    int64_t at;                  /* a coordinate along it */
} view_args;

static int launch(const ct_grid_kernel *kernel, uint32_t threads, view_args args)
{
    const ct_grid_buffer buffers[] = {{"src", src, BYTES, 1, 0}, {"dst", dst, BYTES, 1, 0}};
    const ct_grid_options options = {.buffers = buffers, .buffer_count = 2};
    const ct_dim3 one = {1, 1, 1}, block = {threads, 1, 1};
    const ct_layout L = ct_layout3(ROWS, COLUMNS, BATCH, COLUMNS, 1, ROWS * COLUMNS);
    args.src = ct_make_global(src, 32, L);
    args.dst = ct_make_global(dst, 32, L);
    ct_grid_report_free(&report);
    return ct_grid_launch(kernel, one, block, 0, &args, sizeof args, &options, &report);
}

/* A launch passes, or is refused by a message with the words of `reason`. */
static void expect(const ct_grid_kernel *kernel, uint32_t threads, view_args args,
                   const char *reason)
{
    const int status = launch(kernel, threads, args);
    const int right = reason ? status == CT_GRID_E_CONSTANT && strstr(report.message, reason) &&
                                   strstr(report.message, " at test_wrong_views.c:")
                             : status == 0;
    if (!right)
        fail_msg(
            "how %d, from %d, to %d, axis %d, at %lld, %u threads: status %d, %s; expected: %s",
            args.how, args.from, args.to, args.axis, (long long)args.at, (unsigned)threads, status,
            report.message, reason ? reason : "none");
}

static ct_memory memory_of(int space)
{
    return space == CT_SPACE_GLOBAL   ? ct_in_global(1)
           : space == CT_SPACE_SHARED ? ct_in_shared_plain(ct_layout2(4, 32, 32, 1))
                                      : ct_in_registers();
}

/* 32 threads for tiles of 4 x 32 floats. */
static ct_partition partition_of(int from, int to)
{
    const ct_tiled_copy t =
        ct_make_tiled_copy(ct_copy_atom_auto(32), ct_read("(4,8):(8,1)"), ct_read("(1,4)"));
    return ct_make_partition(t, ct_tuple2(4, 32), memory_of(from), memory_of(to));
}

static ct_partition partition_by_map(int is_load)
{
    const ct_copy_atom a = ct_copy_atom_tile(is_load ? CT_ATOM_TMA_LOAD : CT_ATOM_TMA_STORE, 32);
    return ct_make_partition(ct_make_bulk_copy(a), ct_tuple2(4, 32),
                             memory_of(is_load ? CT_SPACE_GLOBAL : CT_SPACE_SHARED),
                             memory_of(is_load ? CT_SPACE_SHARED : CT_SPACE_GLOBAL));
}

/* ---- the memory of a view -------------------------------------------------------------------- */

static ct_view view_of(int space, const ct_global *g, const ct_partition *by, void *shared,
                       void *words)
{
    const ct_index x = ct_index3(0, 0, 0);
    return space == CT_SPACE_GLOBAL   ? ct_view_tile(g, by, x)
           : space == CT_SPACE_SHARED ? ct_view_shared(shared)
           : space == CT_MAP          ? ct_view_map(g, by, x)
                                      : ct_view_registers(words);
}

CT_KERNEL(wrong_memory, view_args, args)
{
    CT_SHARED(uint32_t, in, 128);
    CT_SHARED(uint32_t, out, 128);
    CT_FRAGMENT(uint32_t, words, 8) = {0};
    const ct_view from = view_of(args.from, &args.src, &P, in, words);
    const ct_view to = view_of(args.to, &args.dst, &P, out, words + 4);
    CT_UNROLL for (int i = 0; i < 4; ++i) ct_store_shared(in + 32 * i + threadIdx.x, words, 32);
    __syncthreads();
    if (args.how == 0) ct_copy(&P, from, to);
    if (args.how == 1)
        ct_copy(&P, ct_view_src(&P, from, threadIdx.x), ct_view_dst(&P, to, threadIdx.x));
    if (args.how == 2) ct_copy(from, to);
    if (args.how == 3) {
        const ct_view own = ct_view_src(&P, from, threadIdx.x),
                      other = ct_view_dst(&P, to, threadIdx.x);
        ct_copy_whole(&P, &own, &other);
    }
}

TEST(test_memory)
{
    int taken = 0, refused = 0, without = 0;
    for (int n = 0; n < 9 + 2; ++n) {
        P = n < 9 ? partition_of(n / 3, n % 3) : partition_by_map(n == 9);
        if (P.err.status || (n < 9 && n % 4 == 0))
            continue; /* both sides in one memory need room for both */
        const int src_space = n == 9 ? CT_MAP : P.src.space,
                  dst_space = n == 10 ? CT_MAP : P.dst.space;
        for (int v = 0; v < 16; ++v)
            for (int how = 0; how < 4; ++how) {
                const view_args args = {.how = how, .from = v / 4, .to = v % 4};
                const int side = args.from == src_space, fits = side && args.to == dst_space;
                const int alone = how == 2 && args.from % 3 != 0 && args.to % 3 != 0;
                if (n >= 9 && (how > 0 || fits)) continue;
                char reason[128];
                snprintf(reason, sizeof reason,
                         "side %d of the copy (0 is the source, 1 the destination) is a view "
                         "of memory %d, and the partition has memory %d",
                         side, side ? args.to : args.from, side ? dst_space : src_space);
                expect(&wrong_memory, 32, args,
                       alone  ? "the sides of the copy have different partitions, or none"
                       : fits ? NULL
                              : reason);
                taken += fits && !alone;
                refused += !fits;
                without += alone;
            }
    }
    assert_true(taken > 20 && refused > 300 && without == 24);
}

/* A part of the other side of a partition whose sides divide a tile in other ways among the threads. */
CT_KERNEL(wrong_side, view_args, args)
{
    const ct_index x = ct_index3(0, 0, 0);
    const ct_view from = ct_view_tile(&args.src, &P, x), to = ct_view_tile(&args.dst, &P, x);
    const uint32_t t = threadIdx.x;
    ct_copy(&P, args.how == 1 ? ct_view_dst(&P, from, t) : ct_view_src(&P, from, t),
            args.how == 2 ? ct_view_src(&P, to, t) : ct_view_dst(&P, to, t));
}

TEST(test_sides)
{
    P = partition_of(CT_SPACE_GLOBAL, CT_SPACE_GLOBAL);
    for (int how = 0; how < 3; ++how) /* the parts are the same */
        expect(&wrong_side, 32, (view_args){.how = how}, NULL);
    P.dst.digit[0].step *= 2;
    expect(
        &wrong_side, 32, (view_args){.how = 1},
        "the source of the copy is a thread's part of the partition's destination; ct_view_src takes one of its source");
    expect(
        &wrong_side, 32, (view_args){.how = 2},
        "the destination of the copy is a thread's part of the partition's source; ct_view_dst takes one of its destination");
}

/* ---- coordinates ----------------------------------------------------------------------------- */

enum { TILE, AT, INSIDE, NEXT, UNUSED, SLICE, FORMS };

CT_KERNEL(wrong_place, view_args, args)
{
    CT_SHARED(uint32_t, memory, 128);
    ct_index x = ct_index3(0, 0, 0);
    const ct_partition *const by = args.to == CT_SPACE_GLOBAL ? &Q : &P;
    const ct_global *const g = args.to == CT_SPACE_GLOBAL ? &args.dst : &args.src;
    ct_view v = ct_view_tile(g, by, x);
    x.at[args.axis] = args.at;
    if (args.how == TILE || args.how == UNUSED || args.how == SLICE) v = ct_view_tile(g, by, x);
    x.at[args.axis] *= args.how == AT ? 4 : 1; /* accesses are of four elements */
    if (args.how == AT) v = ct_view_at(g, by, x);
    if (args.how == INSIDE) v = ct_view_inside(by, v, x);
    if (args.how == NEXT) v = ct_view_next(by, v, args.axis, args.at);
    if (args.how == UNUSED && args.at < 0) return;
    if (args.to == CT_SPACE_GLOBAL) {
        CT_UNROLL for (int i = 0; i < 4; ++i)
            ct_store_shared(memory + 32 * i + threadIdx.x, &args.how, 32);
        __syncthreads();
        ct_copy(ct_view_shared(memory), v);
    } else {
        ct_copy(v, ct_view_shared(memory));
    }
}

TEST(test_places)
{
    P = partition_of(CT_SPACE_GLOBAL, CT_SPACE_SHARED);
    Q = partition_of(CT_SPACE_SHARED, CT_SPACE_GLOBAL);
    for (int how = 0; how < FORMS; ++how)
        for (int to = 0; to < 2; ++to)
            for (int axis = how == SLICE ? 2 : 0; axis < (how == SLICE ? 3 : 2); ++axis)
                for (int at = -3; at <= 3; ++at) {
                    const view_args args = {.how = how, .to = to, .axis = axis, .at = at};
                    const int extent = how == AT ? 4 : P.tile[axis],
                              out = how == SLICE && (at < 0 || at >= BATCH);
                    char reason[128];
                    if (how == SLICE)
                        snprintf(reason, sizeof reason,
                                 "the tile is at coordinate %d of axis 2, which it does not "
                                 "extend along; the tensor has 2 there",
                                 at);
                    else
                        snprintf(reason, sizeof reason,
                                 "the tile's coordinate %d along axis %d is negative", at * extent,
                                 axis);
                    expect(&wrong_place, 32, args, out || (at < 0 && how < UNUSED) ? reason : NULL);
                }
}

/* Outside of the tensor an element is neither loaded nor stored. */
CT_KERNEL(elements, view_args, args)
{
    ct_index x = ct_index3(0, 0, 0);
    uint32_t v = 7;
    x.at[args.axis] = args.at;
    ct_load_element(&v, &args.src, x, 32);
    if (threadIdx.x == 0) ct_store_element(&args.dst, x, &v, 32);
}

TEST(test_elements)
{
    for (int axis = 0; axis < 3; ++axis)
        for (int at = -2; at < 0; ++at) {
            memset(memory, 1, sizeof memory);
            expect(&elements, 32, (view_args){.axis = axis, .at = at}, NULL);
            for (size_t i = 0; i < sizeof memory; ++i) assert_int_equal(memory[i], 1);
        }
}

/* ---- threads --------------------------------------------------------------------------------- */

enum { ALL, GUARDED, SECOND_WARP, EACH, NUMBERED, ANY };

CT_KERNEL(wrong_block, view_args, args)
{
    CT_STATIC(ct_any_copy, any, ct_make_any_copy(32, 32, 32));
    CT_SHARED(unsigned char, shared, any.shared_bytes);
    CT_FRAGMENT(uint32_t, words, 4);
    const ct_view from = ct_view_tile(&args.src, &P, ct_index3(0, 0, 0));
    const uint32_t t = threadIdx.x;
    if (args.how == ALL || (args.how == GUARDED && t < 32)) ct_copy(from, ct_view_registers(words));
    if (args.how == SECOND_WARP && t >= 32)
        ct_copy(ct_view_src(&P, from, t - 32), ct_view_registers(words));
    for (uint32_t k = t; args.how == EACH && k < 32; k += blockDim.x)
        ct_copy(ct_view_src(&P, from, k), ct_view_registers(words));
    const ct_view part =
        ct_view_src(&P, from, t); /* that other threads have it too is no mistake */
    if (args.how == NUMBERED) ct_copy(part, ct_view_registers(words));
    if (args.how == ANY) ct_copy_any(&any, &args.src, &args.dst, ct_index2(0, 0), shared);
}

TEST(test_blocks)
{
    static const uint32_t blocks[] = {1, 16, 31, 32, 33, 64};
    P = partition_of(CT_SPACE_GLOBAL, CT_SPACE_REGISTERS);
    for (int i = 0; i < 6; ++i) {
        const uint32_t n = blocks[i];
        char reason[128];
        snprintf(reason, sizeof reason, "the tiled copy has 32 threads, the block %u along x",
                 (unsigned)n);
        expect(&wrong_block, n, (view_args){.how = ALL}, n == 32 ? NULL : reason);
        expect(&wrong_block, n, (view_args){.how = GUARDED}, n >= 32 ? NULL : reason);
        expect(&wrong_block, n, (view_args){.how = SECOND_WARP}, NULL);
        expect(&wrong_block, n, (view_args){.how = EACH}, NULL);
        expect(&wrong_block, n, (view_args){.how = NUMBERED},
               n <= 32 ? NULL : "there is no thread 32; there are 32 threads, 0 to 31");
        expect(&wrong_block, n, (view_args){.how = ANY}, n == 32 ? NULL : reason);
    }
}

static int teardown(void **state)
{
    (void)state;
    ct_grid_report_free(&report);
    return 0;
}

GROUP("wrong views", NULL, teardown)
