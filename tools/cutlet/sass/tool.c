/* pipe2 */
#define _GNU_SOURCE
#include "base/refuse.h"
#include "tool.h"

#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/trusted.h"

extern char **environ;

/* Whether folder/name, of n characters of folder, is a program. An empty folder is the current one,
 * as it is in PATH. */
static int is_program(const char *folder, size_t n, const char *name, char path[CT_TOOL_PATH_BYTES])
{
    struct stat info;
    const int length =
        snprintf(path, CT_TOOL_PATH_BYTES, "%.*s%s/%s", (int)n, folder, n ? "" : ".", name);
    return length > 0 && length < CT_TOOL_PATH_BYTES && stat(path, &info) == 0 &&
           S_ISREG(info.st_mode) && access(path, X_OK) == 0;
}

int ct_tool_find(const char *name, char path[CT_TOOL_PATH_BYTES])
{
    static const char *const homes[] = {"CUDA_HOME", "CUDA_PATH"};
    char folder[CT_TOOL_PATH_BYTES];
    const char *p = ct_trusted_variable("PATH");
    while (p) {
        const size_t n = strcspn(p, ":");
        if (is_program(p, n, name, path)) return 1;
        p = p[n] ? p + n + 1 : NULL;
    }
    for (size_t i = 0; i < sizeof homes / sizeof *homes; ++i) {
        const char *const home = ct_trusted_variable(homes[i]);
        if (!home || !*home) continue;
        const int n = snprintf(folder, sizeof folder, "%s/bin", home);
        if (n <= 0 || (size_t)n >= sizeof folder) continue;
        if (is_program(folder, (size_t)n, name, path)) return 1;
    }
    static const char usual[] = "/usr/local/cuda/bin";
    return is_program(usual, strlen(usual), name, path);
}

/* Starts the program with one end of a pipe as its output. 0, or an error number. */
static int start(const char *const *argv, int out, int err, pid_t *pid)
{
    posix_spawn_file_actions_t actions;
    int bad = posix_spawn_file_actions_init(&actions);
    if (bad) return bad;
    bad = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    if (!bad) bad = posix_spawn_file_actions_adddup2(&actions, out, 1);
    if (!bad) bad = posix_spawn_file_actions_adddup2(&actions, err, 2);
    if (!bad) bad = posix_spawn(pid, argv[0], &actions, NULL, (char *const *)argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    return bad;
}

/* All lines of what the program prints. 0, or an error number. */
static int read_lines(int in, void (*take)(void *user, const char *line), void *user)
{
    FILE *const stream = fdopen(in, "r");
    if (!stream) {
        close(in);
        return ENOMEM;
    }
    char *line = NULL;
    size_t capacity = 0;
    errno = 0;
    while (getline(&line, &capacity, stream) >= 0) take(user, line);
    const int bad = feof(stream) ? 0 : errno ? errno : EIO;
    free(line);
    fclose(stream);
    return bad;
}

/* What it said of its failure: the first line of its standard error that is not empty. */
static void say_failure(const char *program, int status, FILE *err, char message[CT_MESSAGE_BYTES])
{
    const char *const slash = strrchr(program, '/');
    const char *const name = slash ? slash + 1 : program;
    char line[256] = "";
    rewind(err);
    while (fgets(line, sizeof line, err)) {
        line[strcspn(line, "\r\n")] = '\0';
        if (line[0]) break;
    }
    char *to = line;
    for (const char *p = line; *p; ++p)
        if ((unsigned char)*p > ' ') *to++ = *p;
        else if (to > line && to[-1] != ' ') *to++ = ' ';
    *to = '\0';
    if (line[0]) ct_refuse(message, CT_E_FAILED, "%s", line);
    else if (WIFSIGNALED(status))
        ct_refuse(message, CT_E_FAILED, "%s was ended by signal %d", name, WTERMSIG(status));
    else ct_refuse(message, CT_E_FAILED, "%s ended with status %d", name, WEXITSTATUS(status));
}

int ct_tool_run(const char *const *argv, void (*take)(void *user, const char *line), void *user,
                char message[CT_MESSAGE_BYTES])
{
    int pipe_ends[2], status = 0, bad = 0;
    pid_t pid = -1;
    FILE *const err = tmpfile();
    if (!err || pipe2(pipe_ends, O_CLOEXEC)) {
        ct_refuse(message, CT_E_FAILED, "%s: %s", argv[0], strerror(errno));
        if (err) fclose(err);
        return CT_E_FAILED;
    }
    bad = start(argv, pipe_ends[1], fileno(err), &pid);
    close(pipe_ends[1]);
    if (bad) close(pipe_ends[0]);
    else {
        bad = read_lines(pipe_ends[0], take, user);
        while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {}
    }
    if (bad) ct_refuse(message, CT_E_FAILED, "%s: %s", argv[0], strerror(bad));
    else if (status) say_failure(argv[0], status, err, message);
    fclose(err);
    return bad || status ? CT_E_FAILED : CT_OK;
}
