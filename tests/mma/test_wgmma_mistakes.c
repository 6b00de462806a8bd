/* wgmma on the CPU grid: every mistake in its use stops a kernel with its own message, and the
 * correct kernel passes. */
#include "grid_launch.h"

#include "wgmma_mistakes.cu"

typedef struct mistake {
    const ct_grid_kernel *kernel;
    uint32_t threads;
    int n;
    uint32_t wrong; /* the mistakes that are told so, a bit each */
    int status;
    const char *message;
} mistake;

#define W(wrong) (1u << (wrong))
#define AT "at wgmma_mistakes.cu:N: "
#define THREAD(kernel, t) "kernel " kernel ", block (0,0,0), thread (" t ",0,0): "

static const mistake mistakes[] = {
    {&wm_before, 128, 0, W(1), CT_GRID_E_PROXY,
     THREAD("wm_before", "0") "wgmma " AT "no ct_wgmma_fence comes before the first wgmma"},
    {&wm_before, 128, 0, W(2) | W(5), CT_GRID_E_PROXY,
     THREAD("wm_before",
            "0") "A of wgmma from shared memory " AT
                 "byte 0 of a was stored by thread (0,0,0), and no ct_fence_async_shared follows"},
    {&wm_before, 128, 0, W(3), CT_GRID_E_UNWRITTEN,
     THREAD(
         "wm_before",
         "0") "B of wgmma from shared memory " AT
              "byte 252 of b is not written: never, or by a thread that no barrier puts before this one"},
    {&wm_before, 128, 0, W(4), CT_GRID_E_RACE,
     THREAD("wm_before",
            "1") "A of wgmma from shared memory " AT
                 "race: byte 0 of a was written by thread (0,0,0) with no barrier since"},
    {&wm_before, 128, 0, W(6), CT_GRID_E_IN_FLIGHT,
     THREAD(
         "wm_before",
         "0") "A of wgmma from shared memory " AT
              "byte 0 of a: the cp.async of thread (0,0,0) at wgmma_mistakes.cu:N was not waited for"},
    {&wm_before, 128, 0, W(7), CT_GRID_E_BOUNDS,
     THREAD("wm_before", "0") "B of wgmma from shared memory " AT
                              "byte 200000 of shared memory, which ends before"},
    {&wm_before, 128, 0, W(8), CT_GRID_E_ATOM,
     THREAD("wm_before", "0") "B of wgmma from shared memory " AT
                              "descriptor 0x00004000000800c0 sets bits that have no meaning"},
    {&wm_before, 128, 0, W(9), CT_GRID_E_DIVERGENCE,
     THREAD("wm_before",
            "96") "wgmma " AT
                  "the descriptor of B differs from that of the first thread of the warpgroup"},
    {&wm_before, 128, 0, W(10), CT_GRID_E_DIVERGENCE,
     THREAD(
         "wm_before",
         "0") "divergence: waits for its warpgroup at wgmma_mistakes.cu:N, but not so thread (96,0,0), "
              "which waits for __syncthreads at wgmma_mistakes.cu:N"},
    {&wm_before, 128, 0, W(11), CT_GRID_E_DIVERGENCE,
     THREAD(
         "wm_before",
         "0") "divergence: waits for its warpgroup at wgmma_mistakes.cu:N, but not so thread (96,0,0), "
              "which has ended"},
    {&wm_before, 128, 0, W(12), CT_GRID_E_BOUNDS,
     THREAD("wm_before", "0") "address in shared memory " AT
                              "the address is in src, which is global memory"},
    {&wm_before, 128, 0, W(13), CT_GRID_E_DIVERGENCE,
     THREAD("wm_before",
            "96") "wgmma " AT
                  "the scale of D differs from that of the first thread of the warpgroup"},
    {&wm_before, 128, 0, W(14), CT_GRID_E_DIVERGENCE,
     THREAD(
         "wm_before",
         "96") "wgmma " AT
               "the number of groups committed differs from that of the first thread of the warpgroup"},
    {&wm_behind, 128, 0, W(1), CT_GRID_E_IN_FLIGHT,
     THREAD(
         "wm_behind",
         "127") "wgmma " AT
                "word 2 of D of the wgmma at wgmma_mistakes.cu:N was written before the instruction was "
                "waited for"},
    {&wm_behind, 128, 0, W(2), CT_GRID_E_IN_FLIGHT,
     THREAD("wm_behind", "95") "ct_wgmma_done " AT
                               "D of the wgmma at wgmma_mistakes.cu:N was not waited for"},
    {&wm_behind, 128, 0, W(3) | W(5), CT_GRID_E_IN_FLIGHT,
     THREAD("wm_behind", "63") "ct_wgmma_done " AT
                               "D of the wgmma at wgmma_mistakes.cu:N was not waited for"},
    {&wm_behind, 128, 0, W(4), CT_GRID_E_IN_FLIGHT,
     THREAD("wm_behind", "95") "wgmma " AT "the thread has ended and not waited for it"},
    {&wm_behind, 128, 0, W(6) | W(7), CT_GRID_E_IN_FLIGHT,
     THREAD(
         "wm_behind",
         "0") "32-bit store to shared memory " AT
              "byte 0 of b is read by the wgmma at wgmma_mistakes.cu:N, which was not waited for"},
    {&wm_behind, 128, 0, W(8), CT_GRID_E_PROXY,
     THREAD("wm_behind", "63") "wgmma " AT
                               "word 1 of D was written, and no ct_wgmma_fence follows"},
    {&wm_behind, 128, 0, W(9), CT_GRID_E_IN_FLIGHT,
     THREAD(
         "wm_behind",
         "127") "wgmma " AT
                "its D is that of the wgmma of another shape at wgmma_mistakes.cu:N, which was not waited "
                "for"},
    {&wm_behind, 128, 0, W(10), CT_GRID_E_IN_FLIGHT,
     THREAD("wm_behind",
            "127") "wgmma " AT
                   "its A is D of the wgmma at wgmma_mistakes.cu:N, which was not waited for"},
    {&wm_behind, 128, 0, W(11), CT_GRID_E_DIVERGENCE,
     THREAD("wm_behind",
            "96") "wait for wgmma " AT
                  "the number of groups differs from that of the first thread of the warpgroup"},
    {&wm_behind, 128, 0, W(12), CT_GRID_E_DIVERGENCE,
     THREAD(
         "wm_behind",
         "63") "wait for wgmma " AT
               "divergence: thread (96,0,0) of the same warpgroup waits at wgmma_mistakes.cu:N instead"},
    {&wm_behind, 128, 0, W(13), CT_GRID_E_IN_FLIGHT,
     THREAD(
         "wm_behind",
         "127") "wgmma " AT
                "word 3 of D of the wgmma at wgmma_mistakes.cu:N was written before the instruction was "
                "waited for"},
    {&wm_behind, 128, 0, W(14), CT_GRID_E_DIVERGENCE,
     THREAD("wm_behind",
            "96") "wgmma " AT
                  "D is a different array from that of the first thread of the warpgroup"},
    {&wm_behind, 128, 0, W(15), CT_GRID_E_IN_FLIGHT,
     THREAD(
         "wm_behind",
         "95") "32-bit store to global memory " AT
               "the thread's own variable is D of the wgmma at wgmma_mistakes.cu:N, which was not waited "
               "for"},
    {&wm_behind, 128, 0, W(16) | W(17) | W(18), CT_GRID_E_IN_FLIGHT,
     THREAD(
         "wm_behind",
         "95") "wait for wgmma " AT
               "D of the wgmma at wgmma_mistakes.cu:N was read before the instruction was waited for"},
    {&wm_behind, 128, 0, W(19), CT_GRID_E_IN_FLIGHT,
     THREAD(
         "wm_behind",
         "127") "wgmma " AT
                "D of the wgmma at wgmma_mistakes.cu:N was read before the instruction was waited for"},
    {&wm_behind, 128, 0, W(20), CT_GRID_E_IN_FLIGHT,
     THREAD(
         "wm_behind",
         "95") "32-bit store to global memory " AT
               "D of the wgmma at wgmma_mistakes.cu:N was read before the instruction was waited for"},
    {&wm_registers, 128, 0, W(1), CT_GRID_E_IN_FLIGHT,
     THREAD(
         "wm_registers",
         "127") "wait for wgmma " AT
                "A of the wgmma at wgmma_mistakes.cu:N, in registers, was written before the instruction "
                "was waited for"},
    {&wm_registers, 128, 0, W(2), CT_GRID_E_PROXY,
     THREAD("wm_registers", "95") "wgmma " AT
                                  "word 0 of A was written, and no ct_wgmma_fence follows"},
    {&wm_registers, 128, 0, W(3), CT_GRID_E_IN_FLIGHT,
     THREAD("wm_registers",
            "127") "wgmma " AT
                   "its D is A of the wgmma at wgmma_mistakes.cu:N, which was not waited for"},
    {&wm_stages, 288, 6, W(1), CT_GRID_E_IN_FLIGHT,
     THREAD(
         "wm_stages",
         "256") "bulk copy to shared memory " AT
                "byte 0 of b is read by the wgmma at wgmma_mistakes.cu:N, which was not waited for"},
    {&wm_stages, 288, 6, W(2), CT_GRID_E_RACE,
     THREAD(
         "wm_stages",
         "256") "bulk copy to shared memory " AT
                "race: byte 0 of b was read by a wgmma of threads (128,0,0) to (255,0,0), with no barrier "
                "since its wait"},
    {&wm_stages, 288, 6, W(3), CT_GRID_E_UNWRITTEN,
     THREAD(
         "wm_stages",
         "0") "B of wgmma from shared memory " AT
              "byte 0 of b is not written: never, or by a thread that no barrier puts before this one"},
    {&wm_stages, 288, 6, W(4), CT_GRID_E_IN_FLIGHT,
     THREAD(
         "wm_stages",
         "1") "B of wgmma from shared memory " AT
              "byte 0 of b: the bulk copy of thread (256,0,0) at wgmma_mistakes.cu:N was not waited for"},
    {&wm_register_stages, 160, 6, W(1), CT_GRID_E_RACE,
     THREAD("wm_register_stages",
            "128") "bulk copy to shared memory " AT
                   "race: byte 512 of stages was read by thread (32,0,0) with no barrier since"},
    {&wm_register_stages, 160, 6, W(2), CT_GRID_E_RACE,
     THREAD("wm_register_stages",
            "128") "bulk copy to shared memory " AT
                   "race: byte 0 of stages was read by thread (0,0,0) with no barrier since"},
    {&wm_register_stages, 160, 6, W(3), CT_GRID_E_RACE,
     THREAD("wm_register_stages",
            "128") "bulk copy to shared memory " AT
                   "race: byte 16 of stages was read by thread (1,0,0) with no barrier since"},
    {&wm_register_stages, 160, 6, W(4), CT_GRID_E_UNWRITTEN,
     THREAD(
         "wm_register_stages",
         "1") "128-bit load from shared memory " AT
              "byte 16 of stages is not written: never, or by a thread that no barrier puts before this "
              "one"},
    {&wm_two_groups, 256, 0, W(1), CT_GRID_E_IN_FLIGHT,
     THREAD(
         "wm_two_groups",
         "130") "32-bit store to shared memory " AT
                "byte 0 of b is read by the wgmma at wgmma_mistakes.cu:N, which was not waited for"},
    {&wm_two_groups, 256, 0, W(2), CT_GRID_E_RACE,
     THREAD(
         "wm_two_groups",
         "130") "32-bit store to shared memory " AT
                "race: byte 0 of b was read by a wgmma of threads (0,0,0) to (127,0,0), with no barrier "
                "since its wait"},
    {&wm_two_groups, 256, 1, W(1), CT_GRID_E_IN_FLIGHT,
     THREAD(
         "wm_two_groups",
         "130") "32-bit store to shared memory " AT
                "byte 0 of b is read by the wgmma at wgmma_mistakes.cu:N, which was not waited for"},
    {&wm_two_groups, 256, 1, W(3), CT_GRID_E_RACE,
     THREAD(
         "wm_two_groups",
         "130") "32-bit store to shared memory " AT
                "race: byte 0 of b was read by a wgmma of threads (0,0,0) to (127,0,0), with no barrier "
                "since its wait"},
    {&wm_unknown, 128, 0, W(1), CT_GRID_E_ATOM,
     THREAD("wm_unknown", "0") "wgmma " AT "there is no such instruction: see ct_make_mma_atom"},
    {&wm_unknown, 128, 0, W(2), CT_GRID_E_ATOM,
     THREAD("wm_unknown", "0") "wgmma " AT "the instruction is not one of a warpgroup"},
    {&wm_unknown, 128, 0, W(3), CT_GRID_E_ATOM,
     THREAD("wm_unknown",
            "0") "wgmma " AT
                 "only operands of 16 bits in shared memory are contiguous along m or n"},
    {&wm_unknown, 128, 0, W(4), CT_GRID_E_ATOM,
     THREAD("wm_unknown", "0") "wgmma " AT "A of an atom RS is the thread's words"},
    {&wm_unknown, 128, 0, W(5), CT_GRID_E_ATOM,
     THREAD("wm_unknown", "0") "wgmma " AT "A of an atom SS is a descriptor"},
    {&wm_unknown, 128, 0, W(6), CT_GRID_E_ATOM,
     THREAD("wm_unknown", "0") "wait for wgmma " AT "all but 8 groups; 0 to 7 are allowed"},
    {&wm_setmaxnreg, 128, 0, W(1), CT_GRID_E_ATOM,
     THREAD("wm_setmaxnreg", "0") "setmaxnreg " AT
                                  "20 registers; 24 to 256 are allowed, a multiple of 8"},
    {&wm_setmaxnreg, 128, 0, W(2), CT_GRID_E_DIVERGENCE,
     THREAD(
         "wm_setmaxnreg",
         "0") "divergence: waits for its warpgroup at wgmma_mistakes.cu:N, but not so thread (32,0,0), "
              "which has ended"},
    {&wm_setmaxnreg, 128, 0, W(3), CT_GRID_E_DIVERGENCE,
     THREAD("wm_setmaxnreg", "32") "setmaxnreg " AT
                                   "240 registers, but 232 for the first thread of the warpgroup"},
};

static int run(const mistake *m, int wrong)
{
    const ct_dim3 one = {1, 1, 1}, block = {m->threads, 1, 1};
    return launch(m->kernel, one, block, 0, BUFFER_BYTES, BUFFER_BYTES, m->n, wrong);
}

TEST(test_mistakes)
{
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; ++i) {
        pass(run(&mistakes[i], 0));
        assert_true(mistakes[i].wrong > 1);
        for (int wrong = 1; wrong < 32; ++wrong)
            if (mistakes[i].wrong & W(wrong))
                expect(run(&mistakes[i], wrong), mistakes[i].status, mistakes[i].message);
    }
}

/* Products without a second fence give their sum if nothing was written, otherwise a message. */
TEST(test_again)
{
    for (int n = 1; n <= 5; ++n) {
        const mistake m = {&wm_again, 128, n, 0, 0, ""};
        pass(run(&m, 0));
        for (int i = 0; i < 128 * D_WORDS; ++i)
            assert_true(((const float *)(const void *)dst)[i] == (float)(16 * (n + 1)));
        expect(run(&m, 1), CT_GRID_E_PROXY,
               THREAD("wm_again", "77") "wgmma " AT
                                        "word 3 of D was written, and no ct_wgmma_fence follows");
        assert_int_equal(run(&m, 2), CT_GRID_E_IN_FLIGHT);
        expect(run(&m, 3), CT_GRID_E_PROXY,
               THREAD("wm_again", "77") "wgmma " AT
                                        "word 3 of A was written, and no ct_wgmma_fence follows");
    }
}

TEST(test_part_of_a_group)
{
    const mistake m = {&wm_before, 96, 0, 0, 0, ""};
    expect(run(&m, 0), CT_GRID_E_DIVERGENCE,
           THREAD("wm_before",
                  "0") "wgmma " AT
                       "a warpgroup has 128 threads, and the block has only 96 of this one");
}

/* A single lane may release a stage for its warpgroup: the instruction is that of all. */
TEST(test_one_releases)
{
    const mistake m = {&wm_stages, 288, 6, 5, 0, ""};
    pass(run(&m, 5));
}

GROUP_OF_EACH("wgmma mistakes", setup, teardown)
