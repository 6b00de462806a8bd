/* NCCL's library: where it is looked for, and the one line that says why it is not there. Each case is a
 * process of its own, because the library is opened once. */
#include "test.h"

#include <sys/wait.h>
#include <unistd.h>

#include "driver/nccl/library.h"
#include <cutlet/host/message.h>

/* Whether a process with that variable gets the line, or where it is NULL the library, which registers
 * memory or does not. */
static void expect_line(const char *value, const char *line, int registers)
{
    int status = 0;
    fflush(NULL);
    const pid_t pid = fork();
    if (pid == 0) {
        char message[CT_MESSAGE_BYTES] = "";
        setenv("CUTLET_NCCL", value, 1);
        const ct_nccl *const lib = ct_nccl_open(message);
        const int right = line ? !lib && strcmp(message, line) == 0
                               : lib && lib->number == 22809 &&
                                     (lib->comm_register != NULL) == registers &&
                                     (lib->comm_deregister != NULL) == registers;
        if (!right) fprintf(stderr, "# %s: %s\n", value, message);
        fflush(NULL);
        _exit(!right || ct_nccl_open(message) != lib);
    }
    assert_true(pid > 0 && waitpid(pid, &status, 0) == pid);
    if (status) fail_msg("CUTLET_NCCL=%s", value);
}

TEST(test_lines)
{
    expect_line(getenv("FAKE_NCCL"), NULL, 1);
    expect_line(getenv("FAKE_NCCL_OLD"), NULL, 0);
    expect_line("", "no NCCL: CUTLET_NCCL turns it off", 0);
    expect_line("0", "no NCCL: CUTLET_NCCL turns it off", 0);
    expect_line("/nowhere/libnccl.so.2",
                "no NCCL: /nowhere/libnccl.so.2: cannot open shared object file: "
                "No such file or directory",
                0);
    expect_line("libc.so.6", "no NCCL: libc.so.6 has no ncclGetVersion", 0);
}

GROUP("nccl_library", NULL, NULL)
