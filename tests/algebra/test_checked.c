/* -DCT_CHECKED: a failed layout that is used as a number ends the program; one that was made does not. */
#define CT_CHECKED
#include <cutlet/cutlet.h>
#include "test.h"
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static int64_t lowest(ct_layout L) { return ct_lowest(L); }
static int64_t last(ct_layout L) { return ct_eval(L, 3); }

/* Whether a child that asks a layout for a number says so and is killed by a trap. */
static int is_trapped(int64_t (*number)(ct_layout L), ct_layout L)
{
    int status = 0, ends[2];
    char said[512];
    assert_int_equal(pipe(ends), 0);
    const pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], 2);
        signal(SIGILL, SIG_DFL); /* cmocka's own would go on */
        signal(SIGTRAP, SIG_DFL);
        _exit(number(L) == CT_INVALID);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    close(ends[1]);
    const ssize_t length = read(ends[0], said, sizeof said - 1);
    close(ends[0]);
    said[length > 0 ? length : 0] = '\0';
    assert_int_equal(strstr(said, "a failed layout is used as a number") != NULL,
                     WIFSIGNALED(status));
    return WIFSIGNALED(status) && (WTERMSIG(status) == SIGILL || WTERMSIG(status) == SIGTRAP);
}

TEST(failed_layouts_are_no_numbers)
{
    int64_t (*const numbers[])(ct_layout L) = {ct_size, ct_cosize, lowest, last};
    const ct_layout made = ct_layout2(4, 8, 8, 1);
    const ct_layout failed = ct_composition(ct_layout2(4, 2, 1, 8), ct_layout1(3, 3));
    assert_int_not_equal(failed.err.status, CT_OK);
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; ++k) {
        assert_true(is_trapped(numbers[k], failed));
        assert_false(is_trapped(numbers[k], made));
    }
}

/* Operations on failed layouts are errors, not numbers. */
TEST(operations_pass_failures_on)
{
    const ct_layout failed = ct_layout1(-1, 1), made = ct_layout2(4, 8, 8, 1);
    assert_int_not_equal(ct_composition(failed, made).err.status, CT_OK);
    assert_int_not_equal(ct_composition(made, failed).err.status, CT_OK);
    assert_int_not_equal(ct_complement(failed, 64).err.status, CT_OK);
    assert_int_not_equal(ct_logical_divide(made, failed).err.status, CT_OK);
    assert_int_not_equal(ct_logical_product(failed, made).err.status, CT_OK);
    assert_int_not_equal(ct_right_inverse(failed).err.status, CT_OK);
    assert_int_not_equal(ct_coalesce(failed).err.status, CT_OK);
}

GROUP("checked", NULL, NULL)
