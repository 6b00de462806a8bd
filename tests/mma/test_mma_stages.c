/* Stages that warps release before all have read them, by mma.sync: the grid finds each. */
#include "grid_launch.h"

#include "mma_stages.cu"

#define THREAD(t) "kernel mma_stages, block (0,0,0), thread (" t ",0,0): "
#define RACE(byte, by)                                                                             \
    THREAD("0")                                                                                    \
    "bulk copy to shared memory at mma_stages.cu:N: "                                              \
    "race: byte " byte " of stages was read by thread (" by ",0,0) with no barrier since"

static int run(int wrong)
{
    const ct_dim3 one = {1, 1, 1}, block = {96, 1, 1};
    const uint32_t ones = 0x3c003c00;
    for (int i = 0; i < 8 * MS_STAGE; i += 4) memcpy(src + i, &ones, 4);
    return launch(&mma_stages, one, block, 0, BUFFER_BYTES, BUFFER_BYTES, 8, wrong);
}

TEST(test_right)
{
    pass(run(0));
    for (int i = 0; i < 128; ++i) {
        float sum;
        memcpy(&sum, dst + 4 * i, 4);
        assert_true(sum == 8 * 16);
    }
}

TEST(test_mistakes)
{
    expect(run(1), CT_GRID_E_RACE, RACE("0", "64"));
    expect(run(2), CT_GRID_E_RACE, RACE("0", "32"));
    expect(run(3), CT_GRID_E_RACE, RACE("16", "80"));
    expect(
        run(4), CT_GRID_E_IN_FLIGHT,
        THREAD(
            "33") "128-bit ldmatrix from shared memory at mma_stages.cu:N: byte 32 of stages: the bulk "
                  "copy of thread (0,0,0) at mma_stages.cu:N was not waited for");
}

GROUP_OF_EACH("stages of mma.sync", setup, teardown)
