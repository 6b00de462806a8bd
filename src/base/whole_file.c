/* Files that appear complete or not at all: written in the target's folder, then renamed. */
#include "whole_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char *duplicate(const char *text)
{
    const size_t bytes = strlen(text) + 1;
    char *copy = malloc(bytes);
    if (copy) memcpy(copy, text, bytes);
    return copy;
}

/* A new name in target's folder, opened for writing; -1 on failure. */
static int open_beside(const char *target, char **name, mode_t mode)
{
    const size_t bytes = strlen(target) + 48;
    *name = malloc(bytes);
    if (!*name) return -1;
    for (int attempt = 0; attempt < 100; ++attempt) {
        snprintf(*name, bytes, "%s.%ld-%d.part", target, (long)getpid(), attempt);
        const int fd = open(*name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        if (fd >= 0) return fd;
        if (errno != EEXIST) break;
    }
    const int reason = errno;
    free(*name);
    *name = NULL;
    errno = reason;
    return -1;
}

/* Whether a link leads to no file: to rename over it would put a file in its place. */
static int is_dangling(const char *path)
{
    struct stat link;
    return lstat(path, &link) == 0 && S_ISLNK(link.st_mode);
}

ct_status ct_whole_open(ct_whole_file *file, const char *path, char message[CT_MESSAGE_BYTES])
{
    struct stat there;
    int fd = -1;
    memset(file, 0, sizeof *file);
    const int exists = stat(path, &there) == 0, why = exists ? 0 : errno;
    if (!exists && is_dangling(path))
        return ct_refuse(message, CT_E_FILE, "%.200s: cannot be written: a dangling link: %s", path,
                         strerror(why));
    if (exists && S_ISDIR(there.st_mode)) {
        errno = EISDIR;
    } else if (exists && !S_ISREG(there.st_mode)) {
        file->target = duplicate(path);
        fd = open(path, O_WRONLY | O_CLOEXEC);
    } else if (exists && access(path, W_OK) != 0) {
        /* renaming over a file needs no right to write it: ask for that right all the same */
    } else {
        file->target = exists ? realpath(path, NULL) : duplicate(path); /* keep a link a link */
        if (file->target) fd = open_beside(file->target, &file->temporary, 0666);
        if (fd >= 0 && exists) (void)fchmod(fd, there.st_mode & 0777);
    }
    if (fd >= 0) file->stream = fdopen(fd, "wb");
    if (file->stream) return 0;
    const int reason = errno;
    if (fd >= 0) close(fd);
    ct_whole_abandon(file);
    return ct_refuse(message, reason == ENOMEM ? CT_E_MEMORY : CT_E_FILE,
                     "%.200s: cannot be written: %s", path, strerror(reason));
}

void ct_whole_write(ct_whole_file *file, const void *data, size_t count)
{
    if (count == 0 || file->reason) return;
    errno = 0;
    if (fwrite(data, 1, count, file->stream) != count) file->reason = errno ? errno : EIO;
}

ct_status ct_whole_commit(ct_whole_file *file, char message[CT_MESSAGE_BYTES])
{
    int reason = file->reason;
    if (!reason && ferror(file->stream)) reason = EIO; /* of who wrote to the stream itself */
    errno = 0;
    if (fclose(file->stream) != 0 && !reason) reason = errno ? errno : EIO;
    file->stream = NULL;
    if (!reason && file->temporary && rename(file->temporary, file->target) != 0) reason = errno;
    ct_status result = CT_OK;
    if (reason) {
        result = ct_refuse(message, CT_E_FILE, "%.200s: cannot be written: %s", file->target,
                           strerror(reason));
    } else {
        free(file->temporary); /* it has its name now: nothing to remove */
        file->temporary = NULL;
    }
    ct_whole_abandon(file);
    return result;
}

void ct_whole_abandon(ct_whole_file *file)
{
    if (file->stream) fclose(file->stream);
    if (file->temporary) unlink(file->temporary);
    free(file->temporary);
    free(file->target);
    memset(file, 0, sizeof *file);
}
