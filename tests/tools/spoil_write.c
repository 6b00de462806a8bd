/* Loaded before the C library: of the write of the number CUTLET_SPOIL_WRITE, the last byte is written
 * otherwise than it was asked for, as a disk may do. */
#undef _FILE_OFFSET_BITS /* which gives pwrite the name pwrite64: here both are meant */
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

static long asked;

/* pwrite64 is what it is called where offsets have 64 bits. */
ssize_t pwrite64(int fd, const void *bytes, size_t count, off_t at);

static ssize_t spoil(int fd, const void *bytes, size_t count, off_t at)
{
    const char *const text = getenv("CUTLET_SPOIL_WRITE");
    if (count > 0 && ++asked == (text ? strtol(text, NULL, 10) : 0)) {
        const unsigned char other = ((const unsigned char *)bytes)[count - 1] ^ 1;
        if (syscall(SYS_pwrite64, fd, &other, (size_t)1, at + (off_t)count - 1) != 1) return -1;
        if (count > 1 && syscall(SYS_pwrite64, fd, bytes, count - 1, at) != (long)(count - 1))
            return -1;
        return (ssize_t)count;
    }
    return syscall(SYS_pwrite64, fd, bytes, count, at);
}

ssize_t pwrite(int fd, const void *bytes, size_t count, off_t at)
{
    return spoil(fd, bytes, count, at);
}

ssize_t pwrite64(int fd, const void *bytes, size_t count, off_t at)
{
    return spoil(fd, bytes, count, at);
}
