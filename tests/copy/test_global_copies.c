/* Bulk and tile copies in global memory on the CPU grid: of every copy, wait, fence and later access,
 * those that the PTX ISA leaves undefined stop the kernel, and the others pass. */
#include "tma_launch.h"

#include <stdio.h>

#include "global_copies.cu"

static int run(const ct_grid_kernel *kernel, int n, int a, int b, int c, int d)
{
    const ct_tma_desc tensor = ct_make_tma_desc(ct_layout2(64, 32, 32, 1), ct_tuple2(8, 32),
                                                CT_ELEM_F32, 0, (uintptr_t)dst);
    const tma_args args = {.dst_map = map_of(tensor), .n = n, .c = {a, b, c, d}};
    return launch(kernel, one, 64, 0, args);
}

/* A launch gives the status, and where it is not OK a message with the words. */
static void check(const char *name, int status, const char *words, int is_right, int right_or_wrong)
{
    if (status != (is_right ? CT_GRID_OK : right_or_wrong) ||
        (!is_right && !strstr(report.message, words)))
        fail_msg("%s: %s: status %d: %s", name, is_right ? "right" : "wrong", status,
                 report.message);
}

static int is_add(int what) { return what == BULK_ADD || what == TILE_ADD; }

TEST(test_stores)
{
    char name[64];
    for (int copy = 0; copy < STORES; ++copy)
        for (int wait = 0; wait < STORE_WAITS; ++wait)
            for (int then = 0; then < ACTIONS; ++then)
                for (int by = 0; by < 64; by += 21) {
                    const int is_right =
                        wait == WAIT_ALL || (is_add(copy) && is_add(then) && wait != NO_COMMIT);
                    snprintf(name, sizeof name, "store %d, wait %d, then %d by %d", copy, wait,
                             then, by);
                    check(name, run(&gc_store, 0, copy, wait, then, by), "was not waited for",
                          is_right, CT_GRID_E_IN_FLIGHT);
                }
    expect(
        run(&gc_store, 0, TILE_STORE, WAIT_READ, LOAD, 0), CT_GRID_E_IN_FLIGHT,
        "kernel gc_store, block (0,0,0), thread (0,0,0): 128-bit load from global memory at "
        "global_copies.cu:N: byte 1008 of dst: the bulk copy of thread (0,0,0) at global_copies.cu:N was "
        "not waited for; ct_bulk_wait_group_read waits only until it has read its source");
}

TEST(test_loads)
{
    char name[64];
    for (int copy = BULK_LOAD; copy < COPIES; ++copy)
        for (int wait = 0; wait < LOAD_WAITS; ++wait)
            for (int then = 0; then < ACTIONS; ++then)
                for (int by = 0; by < 64; by += 21) {
                    const int reads =
                        (then >= BULK_LOAD && then < COPIES) || then == LOAD || then == CP_ASYNC;
                    const int knows = wait >= WAITS_BEFORE || (wait == WAITS_ELSEWHERE && by == 63);
                    snprintf(name, sizeof name, "load %d, wait %d, then %d by %d", copy, wait, then,
                             by);
                    check(name, run(&gc_load, 0, copy, wait, then, by),
                          "of dst is the source of the bulk copy of thread (0,0,0) at ",
                          reads || knows, CT_GRID_E_IN_FLIGHT);
                }
}

TEST(test_fences)
{
    char name[64];
    for (int kind = 0; kind < 4; ++kind)
        for (int copy = 0; copy < COPIES; ++copy)
            for (int fence = 0; fence < FENCES; ++fence)
                for (int how = 0; how < MEETINGS; ++how)
                    for (int by = 0; by < 64; by += 21) {
                        snprintf(name, sizeof name, "kind %d, copy %d, fence %d, meeting %d, by %d",
                                 kind, copy, fence, how, by);
                        check(name, run(&gc_fence, kind, copy, fence, how, by),
                              kind & 1 ? "and no ct_fence_async_global follows"
                                       : "and no ct_fence_async_shared follows",
                              fence >= FENCE_WRITERS, CT_GRID_E_PROXY);
                    }
}

/* A barrier that expects the bytes of fewer loads, or of more. */
TEST(test_bytes)
{
    char name[64];
    for (int tile = 0; tile < 2; ++tile)
        for (int loads = 1; loads <= 4; ++loads)
            for (int expected = 1; expected <= 5; ++expected) {
                snprintf(name, sizeof name, "%d loads, %d expected, tile %d", loads, expected,
                         tile);
                check(name, run(&gc_expect, loads, expected, tile, 0, 0),
                      expected < loads ? "its mbarrier expects fewer bytes" : "deadlock",
                      expected == loads,
                      expected < loads ? CT_GRID_E_MBARRIER : CT_GRID_E_DEADLOCK);
            }
}

GROUP_OF_EACH("copies in global memory", setup, teardown)
