/* The CPU grid: kernels that would never end, that take too much local memory, or that reach
 * the array beside their own. */
#include "grid_launch.h"

#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "grid_mistakes.cu"

#define AT "at grid_mistakes.cu:N: "
#define THREAD(kernel, t) "kernel " kernel ", block (0,0,0), thread (" t ",0,0): "

/* A loop that loads until another thread stores ends. */
TEST(test_spins)
{
    const ct_dim3 two = {2, 1, 1}, warp = {32, 1, 1};
    const char *const rest = " was loaded 1048576 times with nothing between; the grid runs one "
                             "warp until it waits, and the blocks one after another";
    char message[512];
    static const char *const places[] = {"global memory " AT "deadlock: byte 0 of dst",
                                         "shared memory " AT "deadlock: byte 0 of flag",
                                         "global memory " AT
                                         "deadlock: byte 8 of dst, with 1 other address,"};
    memset(dst, 0, 12);
    pass(launch(&gk_spin, two, warp, 0, 0, 12, 0, 0));
    for (int wrong = 1; wrong <= 3; ++wrong) {
        memset(dst, 0, 12);
        snprintf(message, sizeof message, THREAD("gk_spin", "0") "32-bit load from %s%s",
                 places[wrong - 1], rest);
        expect(launch(&gk_spin, two, warp, 0, 0, 12, 0, wrong), CT_GRID_E_DEADLOCK, message);
    }
}

/* The kernel of two blocks of 32 threads; spin_accesses as given. */
static int launch_busy(int n, int wrong, int64_t spin_accesses)
{
    const ct_dim3 two = {2, 1, 1}, warp = {32, 1, 1};
    const copy_args args = {src, dst, n, wrong};
    const ct_grid_buffer buffers[] = {{"src", src, 4, 0, 0}, {"dst", dst, 4, 1, 0}};
    const ct_grid_options options = {
        .buffers = buffers, .buffer_count = 2, .spin_accesses = spin_accesses};
    memset(dst, 0, 4);
    ct_grid_report_free(&report);
    return ct_grid_launch(&gk_busy_spin, two, warp, 0, &args, sizeof args, &options, &report);
}

/* So does one that stores while it waits, or meets other threads; one that ends may last. */
TEST(test_busy_spins)
{
    const char *const text =
        "%s32-bit load from global memory " AT
        "deadlock: no thread accessed a new address in %d accesses, and byte 0 of dst stays the same; "
        "the grid runs one warp until it waits, and the blocks one after another; if the loop "
        "ends, raise spin_accesses";
    char message[512];
    pass(launch_busy(0, 0, 0));
    snprintf(message, sizeof message, text, THREAD("gk_busy_spin", "0"), 1 << 23);
    expect(launch_busy(0, 1, 0), CT_GRID_E_DEADLOCK, message);
    snprintf(message, sizeof message, text, THREAD("gk_busy_spin", "0"), 3000);
    expect(launch_busy(0, 1, 3000), CT_GRID_E_DEADLOCK, message);
    snprintf(message, sizeof message, text, THREAD("gk_busy_spin", "7"), 100000);
    expect(launch_busy(0, 2, 100000), CT_GRID_E_DEADLOCK, message);
    pass(launch_busy(2000, 3, 0));
    pass(launch_busy(2000, 3, 2000 * 32 * 3));
    assert_int_equal(launch_busy(2000, 3, 2000 * 32), CT_GRID_E_DEADLOCK);
    expect(
        launch_busy(0, 4, 1000), CT_GRID_E_DEADLOCK,
        "kernel gk_busy_spin, block (0,0,0), thread (14,0,0): deadlock: waits again and again at "
        "grid_mistakes.cu:N, and no thread accessed a new address in 2000 accesses and waits; if the "
        "loop ends, raise spin_accesses");
}

TEST(test_local_memory)
{
    pass(launch_block(&gk_local_array, 4, 0, 0));
    for (int t = 0; t < 4; ++t) {
        uint32_t sum;
        memcpy(&sum, dst + 4 * t, 4);
        assert_int_equal(sum, (uint32_t)(510 * 256 / 2 * (510 * 256 - 1ll)));
    }
}

/* Launches that follow each other take the same stacks where they do: fewer threads, more of them,
 * other stacks, after a launch that failed. */
TEST(test_stacks)
{
    static const struct {
        uint32_t threads;
        size_t stack_bytes;
    } rows[] = {{1, 0},        {64, 0}, {33, 0},  {200, 0}, {33, 1 << 20},
                {64, 1 << 20}, {64, 0}, {600, 0}, {8, 0}};
    const ct_dim3 one = {1, 1, 1};
    const ct_grid_buffer buffers[] = {{"src", src, 4, 0, 0}, {"dst", dst, 4096, 1, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        const ct_dim3 block = {rows[i].threads, 1, 1};
        const copy_args args = {src, dst, 0, 0};
        const ct_grid_options options = {
            .buffers = buffers, .buffer_count = 2, .stack_bytes = rows[i].stack_bytes};
        memset(dst, 0, 4096);
        ct_grid_report_free(&report);
        pass(ct_grid_launch(&gk_local_array, one, block, 0, &args, sizeof args, &options, &report));
        for (uint32_t t = 0; t < rows[i].threads; ++t) {
            uint32_t sum;
            memcpy(&sum, dst + 4 * t, 4);
            assert_int_equal(sum, (uint32_t)(510 * 256 / 2 * (510 * 256 - 1ll)));
        }
        if (i % 3 == 0) assert_int_equal(launch_busy(0, 1, 100), CT_GRID_E_DEADLOCK);
    }
}

/* More than that ends the launch, not the program, and the next launch runs. */
TEST(test_much_local_memory)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    skip(); /* they end the program with a report of their own */
#endif
    struct sigaction before, after;
    sigaction(SIGSEGV, NULL, &before);
    for (int wrong = 0; wrong <= 3; ++wrong) {
        if (wrong)
            expect(
                launch_block(&gk_much_local, 40, 0, wrong), CT_GRID_E_MEMORY,
                "kernel gk_much_local, block (0,0,0), thread (0,0,0): more local memory than its "
                "786432 bytes of stack; a GPU has 512 KiB for a thread, and stack_bytes sets the "
                "grid's");
        pass(launch_block(&gk_much_local, 40, 0, 0));
    }
    sigaction(SIGSEGV, NULL, &after);
    assert_true(before.sa_handler == after.sa_handler);
}

/* A fault of another kind goes to the handler that the program has. */
static void count_fault(int signal)
{
    (void)signal;
    _exit(7);
}

TEST(test_other_faults)
{
    int status = 0;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    skip();
#endif
    for (int handled = 0; handled <= 1; ++handled) {
        fflush(NULL);
        const pid_t child = fork();
        if (child == 0) {
            signal(SIGSEGV, handled ? count_fault : SIG_DFL);
            launch_block(&gk_null, 1, 0, 1);
            _exit(0);
        }
        assert_int_equal(waitpid(child, &status, 0), child);
        if (handled) assert_int_equal(WEXITSTATUS(status), 7);
        else assert_int_equal(WTERMSIG(status), SIGSEGV);
    }
}

/* The kernel on a and, this many bytes after its end, b; turned: b is given first. */
static int launch_beside(int gap, int transposed, int touch, int wrong)
{
    static unsigned char memory[512];
    const ct_dim3 one = {1, 1, 1};
    unsigned char *const behind = memory + 128 + gap;
    for (int i = 0; i < 512; ++i) memory[i] = (unsigned char)i;
    const ct_grid_buffer a = {"a", memory, 128, 0, 0}, b = {"b", behind, 256, 1, 0};
    const ct_grid_buffer buffers[] = {transposed ? b : a, transposed ? a : b};
    const ct_grid_options options = {.buffers = buffers, .buffer_count = 2, .buffers_touch = touch};
    const copy_args args = {memory, behind, 31, wrong};
    ct_grid_report_free(&report);
    const int status =
        ct_grid_launch(&gk_next_array, one, one, 0, &args, sizeof args, &options, &report);
    const int read = 4 * (31 + wrong);
    for (int i = 0; i < 4 && !status; ++i) assert_int_equal(behind[i], (read + i) % 256);
    assert_int_equal(behind[4], (132 + gap) % 256);
    return status;
}

/* An element past an array is found, also where the next array begins there. */
TEST(test_next_array)
{
    const char *const said =
        THREAD("gk_next_array", "0") "32-bit load from global memory " AT
                                     "bytes 128 to 131 of a, which has 128 bytes";
    char also[512];
    snprintf(also, sizeof also, "%s; b begins at byte 128", said);
    for (int transposed = 0; transposed <= 1; ++transposed) {
        for (int gap = 0; gap <= 4; gap += 4) {
            pass(launch_beside(gap, transposed, 0, 0));
            expect(launch_beside(gap, transposed, 0, 1), CT_GRID_E_BOUNDS, gap ? said : also);
        }
        pass(launch_beside(0, transposed, 1, 0));
        pass(launch_beside(0, transposed, 1, 1));
    }
}

/* What a kernel wrote to arrays that touch is there after a mistake too; one that is not writable
 * stays as it is, and before the first byte of one is outside it. */
TEST(test_touching_arrays)
{
    static unsigned char memory[3 * 512];
    const ct_dim3 one = {1, 1, 1}, block = {32, 1, 1};
    const ct_grid_buffer buffers[] = {
        {"c", memory + 1024, 512, 1, 0}, {"b", memory + 512, 512, 1, 0}, {"a", memory, 512, 0, 0}};
    const ct_grid_options options = {.buffers = buffers, .buffer_count = 3};
    for (int wrong = 0; wrong <= 1; ++wrong) {
        const copy_args args = {memory, memory + 1024, 0, wrong};
        memset(memory, 0xee, sizeof memory);
        ct_grid_report_free(&report);
        const int status =
            ct_grid_launch(&gk_before_begin, one, block, 0, &args, sizeof args, &options, &report);
        if (wrong)
            expect(status, CT_GRID_E_BOUNDS,
                   THREAD("gk_before_begin", "0") "64-bit store to global memory " AT
                                                  "bytes -16 to -9 of c, which has 512 bytes");
        else pass(status);
        assert_int_equal(memory[1023], 0xee);
        assert_int_equal(memory[1024], wrong ? 0xee : 0);
        assert_int_equal(memory[1024 + 31 * 16], wrong ? 0xee : 0);
    }
}

GROUP_OF_EACH("grid limits", setup, teardown)
