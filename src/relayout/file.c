/* Windows of files, read and written. */
#include <errno.h>
#include <unistd.h>

#include "job.h"

/* Reads or writes all bytes at an offset of a file. */
static int move_bytes(int fd, int writes, unsigned char *bytes, int64_t count, int64_t at)
{
    while (count > 0) {
        const ssize_t n =
            writes ? pwrite(fd, bytes, (size_t)count, at) : pread(fd, bytes, (size_t)count, at);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) {
            if (n == 0) errno = 0; /* the end of the file */
            return -1;
        }
        bytes += n;
        at += n;
        count -= n;
    }
    return 0;
}

/* All elements of a file from `first` on. */
static int move_elems(const ct_relayout_end *end, int writes, unsigned char *buffer, int64_t first,
                      int64_t count)
{
    const int64_t some = ct_min(count, end->elems - first), bytes = some * end->elem_bytes;
    if (some <= 0) return 0;
    if (move_bytes(end->fd, writes, buffer, bytes, end->at + first * end->elem_bytes)) return -1;
    for (int64_t at = 0; end->swap && !writes && at < bytes; at += end->swap)
        for (int32_t low = 0, high = end->swap - 1; low < high; ++low, --high) {
            const unsigned char byte = buffer[at + low];
            buffer[at + low] = buffer[at + high];
            buffer[at + high] = byte;
        }
    return 0;
}

/* A window in order of the offsets before the swizzle: pieces that it keeps contiguous, and
 * adjacent pieces that stay adjacent. */
static int move_chunks(const ct_relayout_end *end, int writes, unsigned char *buffer, int64_t first,
                       int64_t count)
{
    const int64_t chunk = (int64_t)1 << end->swizzle.base;
    for (int64_t i = 0, some; i < count; i += some) {
        const int64_t at = ct_swizzle_apply(end->swizzle, first + i);
        some = chunk - (first + i) % chunk;
        while (some < count - i && ct_swizzle_apply(end->swizzle, first + i + some) == at + some)
            some += chunk;
        some = ct_min(some, count - i);
        if (move_elems(end, writes, buffer + i * end->elem_bytes, at, some)) return -1;
    }
    return 0;
}

int ct_relayout_transfer(const ct_relayout_end *end, const ct_relayout_box *box, int is_dst,
                         const int64_t *extent, const ct_relayout_stage *s, int writes,
                         unsigned char *buffer)
{
    int64_t at[CT_PLAN_MODES] = {0}, first = s->start;
    for (int64_t w = 0; w < s->windows; ++w, buffer += s->length * end->elem_bytes) {
        if ((s->chunked ? move_chunks : move_elems)(end, writes, buffer, first, s->length))
            return -1;
        for (int i = 0; i < s->outers; ++i) {
            const ct_relayout_mode m = box->mode[s->outer[i]];
            const int64_t step = is_dst ? m.dst : m.src, n = extent[s->outer[i]];
            first += step;
            if (++at[i] < n) break;
            at[i] = 0;
            first -= n * step;
        }
    }
    return 0;
}
