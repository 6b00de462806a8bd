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
static void test_spins(void **state)
{
    const ct_dim3 two = {2, 1, 1}, warp = {32, 1, 1};
    const char *const rest = " was loaded 1048576 times with nothing between; the grid runs one "
                             "warp until it waits, and the blocks one after another";
    char message[512];
    (void)state;
    static const char *const places[] = {"global memory " AT "deadlock: byte 0 of dst",
                                         "shared memory " AT "deadlock: byte 0 of flag",
                                         "global memory " AT
                                         "deadlock: byte 8 of dst, with 1 other place,"};
    memset(dst, 0, 12);
    pass(launch(&gk_spin, two, warp, 0, 0, 12, 0, 0));
    for (int wrong = 1; wrong <= 3; ++wrong) {
        memset(dst, 0, 12);
        snprintf(message, sizeof message, THREAD("gk_spin", "0") "32-bit load from %s%s",
                 places[wrong - 1], rest);
        expect(launch(&gk_spin, two, warp, 0, 0, 12, 0, wrong), CT_GRID_E_DEADLOCK, message);
    }
}

static void test_local_memory(void **state)
{
    (void)state;
    pass(launch_block(&gk_local_array, 4, 0, 0));
    for (int t = 0; t < 4; ++t) {
        uint32_t sum;
        memcpy(&sum, dst + 4 * t, 4);
        assert_int_equal(sum, (uint32_t)(510 * 256 / 2 * (510 * 256 - 1ll)));
    }
}

/* More than that ends the launch, not the program, and the next launch runs. */
static void test_much_local_memory(void **state)
{
    (void)state;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    skip(); /* they end the program with a report of their own */
#endif
    struct sigaction before, after;
    sigaction(SIGSEGV, NULL, &before);
    for (int wrong = 0; wrong <= 3; ++wrong) {
        if (wrong)
            expect(launch_block(&gk_much_local, 40, 0, wrong), CT_GRID_E_MEMORY,
                   THREAD("gk_much_local", "0") "more local memory than its 786432 bytes of "
                   "stack; a GPU has 512 KiB for a thread, and stack_bytes sets the grid's");
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

static void test_other_faults(void **state)
{
    int status = 0;
    (void)state;
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

/* An element past an array is found where the next array does not begin there; a launch can
 * ask that none does. */
static void test_next_array(void **state)
{
    static unsigned char memory[512];
    const ct_dim3 one = {1, 1, 1};
    (void)state;
    for (int gap = 0; gap <= 4; gap += 4) {
        for (int turned = 0; turned <= 1; ++turned) {
            const ct_grid_buffer a = {"a", memory, 128, 0, 0};
            const ct_grid_buffer b = {"b", memory + 128 + gap, 256, 1, 0};
            const ct_grid_buffer buffers[] = {turned ? b : a, turned ? a : b};
            ct_grid_options options = {.buffers = buffers, .buffer_count = 2, .buffers_apart = 1};
            for (int wrong = 0; wrong <= 1; ++wrong) {
                const copy_args args = {memory, memory + 128 + gap, 31, wrong};
                ct_grid_report_free(&report);
                const int status = ct_grid_launch(&gk_next_array, one, one, 0, &args, sizeof args,
                                                  &options, &report);
                if (gap == 0)
                    expect(status, CT_GRID_E_LAUNCH,
                           "kernel gk_next_array: buffer b begins where a ends, so that an access "
                           "past that end would not be found: put a byte between them");
                else if (wrong)
                    expect(status, CT_GRID_E_BOUNDS,
                           THREAD("gk_next_array", "0") "32-bit load from global memory " AT
                           "bytes 128 to 131 of a, which has 128 bytes");
                else pass(status);
            }
            options.buffers_apart = 0;
            const copy_args args = {memory, memory + 128 + gap, 31, 0};
            ct_grid_report_free(&report);
            pass(ct_grid_launch(&gk_next_array, one, one, 0, &args, sizeof args, &options,
                                &report));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_spins, setup, teardown),
        cmocka_unit_test_setup_teardown(test_local_memory, setup, teardown),
        cmocka_unit_test_setup_teardown(test_much_local_memory, setup, teardown),
        cmocka_unit_test_setup_teardown(test_other_faults, setup, teardown),
        cmocka_unit_test_setup_teardown(test_next_array, setup, teardown)};
    return cmocka_run_group_tests_name("grid limits", tests, NULL, NULL);
}
