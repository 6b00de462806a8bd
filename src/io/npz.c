/* Members of ZIP archives, found by the archive's directory at its end. */
#include "npz.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/refuse.h"

#define WRONG(...) ct_refuse(message, CT_E_FILE, __VA_ARGS__)

/* Records of an archive: what they begin with and their bytes, less what varies. */
enum {
    /* clang-format off */
    END = 0x06054b50, END_BYTES = 22, COMMENT_MAX = 65535,
    END64_LOCATOR = 0x07064b50, END64_LOCATOR_BYTES = 20, END64 = 0x06064b50, END64_BYTES = 56,
    ENTRY = 0x02014b50, ENTRY_BYTES = 46, LOCAL = 0x04034b50, LOCAL_BYTES = 30,
    /* clang-format on */
    DIRECTORY_MAX = 1 << 26
};

typedef struct directory {
    unsigned char *bytes;
    int64_t at, size, entries; /* in the archive; in bytes; members */
    int64_t before;            /* bytes of the file before the archive */
} directory;

static uint64_t number(const unsigned char *at, int bytes)
{
    uint64_t n = 0;
    for (int i = bytes - 1; i >= 0; --i) n = n << 8 | at[i];
    return n;
}

static int read_at(FILE *f, int64_t at, void *into, int64_t bytes)
{
    if (at < 0 || fseeko(f, at, SEEK_SET) != 0) return -1;
    return fread(into, 1, (size_t)bytes, f) == (size_t)bytes ? 0 : -1;
}

/* Finds the last record of the archive, before a comment or else before any bytes; its offset, or
   -1. */
static int64_t find_end(FILE *f, unsigned char *record)
{
    if (fseeko(f, 0, SEEK_END) != 0) return -1;
    const int64_t size = ftello(f), least = size - END_BYTES - COMMENT_MAX;
    int64_t last = -1;
    for (int64_t at = size - END_BYTES; at >= 0 && at >= least; --at) {
        if (read_at(f, at, record, END_BYTES)) return -1;
        if (number(record, 4) != END) continue;
        if (at + END_BYTES + (int64_t)number(record + 20, 2) == size) return at;
        last = ct_max(last, at);
    }
    return last < 0 || read_at(f, last, record, END_BYTES) ? -1 : last;
}

/* The offset of the directory, for small archives and those with 64-bit numbers. It ends at the
 * last records; a different stated offset means that bytes precede the archive. */
static int find_directory(FILE *f, directory *d)
{
    unsigned char end[END_BYTES], locator[END64_LOCATOR_BYTES], end64[END64_BYTES];
    const int64_t at = find_end(f, end), at64 = at - END64_LOCATOR_BYTES - END64_BYTES;
    if (at < 0) return -1;
    d->entries = (int64_t)number(end + 10, 2);
    d->size = (int64_t)number(end + 12, 4);
    d->at = (int64_t)number(end + 16, 4);
    d->before = at - d->size - d->at;
    if (read_at(f, at - END64_LOCATOR_BYTES, locator, END64_LOCATOR_BYTES)) return 0;
    if (number(locator, 4) != END64_LOCATOR) return 0;
    if (read_at(f, at64, end64, END64_BYTES) || number(end64, 4) != END64) return -1;
    d->entries = (int64_t)number(end64 + 32, 8);
    d->size = (int64_t)number(end64 + 40, 8);
    d->at = (int64_t)number(end64 + 48, 8);
    if (d->size < 0 || d->at < 0 || d->size > at64) return -1;
    d->before = at64 - d->size - d->at;
    return 0;
}

/* The directory in memory, which the caller frees. */
static ct_status read_directory(FILE *f, const char *path, directory *d, char *message)
{
    if (find_directory(f, d))
        return WRONG("%.150s: not a .npz file: it does not end as a ZIP archive", path);
    if (d->size < 0 || d->size > DIRECTORY_MAX)
        return WRONG("%.150s: a directory of %lld bytes; at most %d are read", path,
                     (long long)d->size, DIRECTORY_MAX);
    d->bytes = malloc((size_t)d->size + 1);
    if (!d->bytes) return ct_refuse(message, CT_E_MEMORY, "%.150s: no memory", path);
    if (d->before >= 0 && !read_at(f, d->before + d->at, d->bytes, d->size)) return 0;
    free(d->bytes);
    return WRONG("%.150s: truncated: its directory is not whole", path);
}

/* Whether an entry has the name that was asked for: 2; or followed by .npy: 1. */
static int is_named(const unsigned char *name, int64_t length, const char *wanted)
{
    const int64_t n = (int64_t)strlen(wanted);
    if (length < n || memcmp(name, wanted, (size_t)n) != 0) return 0;
    return length == n ? 2 : length == n + 4 && memcmp(name + n, ".npy", 4) == 0;
}

/* The CRC-32 of this number of bytes of the file from here on; -1 if they are missing. */
static int64_t checksum(FILE *f, int64_t bytes)
{
    enum { PIECE = 1 << 16, LANES = 8 };
    uint32_t *const table = malloc(LANES * 256 * sizeof *table), crc = 0xffffffff;
    unsigned char *const piece = malloc(PIECE);
    const int capacity = table && piece;
    for (uint32_t i = 0; capacity && i < 256; ++i) {
        table[i] = i;
        for (int bit = 0; bit < 8; ++bit)
            table[i] = table[i] & 1 ? 0xedb88320 ^ table[i] >> 1 : table[i] >> 1;
    }
    for (int i = 256; capacity && i < LANES * 256; ++i) /* followed by this number of zero bytes */
        table[i] = table[i - 256] >> 8 ^ table[table[i - 256] & 255];
    for (int64_t count; capacity && bytes > 0; bytes -= count) {
        const unsigned char *at = piece;
        count = ct_min(bytes, PIECE);
        if (fread(piece, 1, (size_t)count, f) != (size_t)count) break;
        for (; at + LANES <= piece + count; at += LANES) {
            const uint64_t word = number(at, LANES) ^ crc;
            crc = 0;
            for (int k = 0; k < LANES; ++k)
                crc ^= table[(LANES - 1 - k) * 256 + (word >> 8 * k & 255)];
        }
        for (; at < piece + count; ++at) crc = crc >> 8 ^ table[(crc ^ *at) & 255];
    }
    free(table);
    free(piece);
    return capacity && bytes == 0 ? (int64_t)(crc ^ 0xffffffff) : -1;
}

/* 64-bit sizes are in an extra field, in this order, if those of 32 bits are all ones. */
static void read_extra(const unsigned char *extra, int64_t length, int64_t value[3])
{
    while (length >= 4) {
        const int64_t n = (int64_t)number(extra + 2, 2);
        if (4 + n > length) return;
        int64_t at = 4;
        for (int i = 0; number(extra, 2) == 1 && i < 3; ++i) {
            if (value[i] != 0xffffffff || at + 8 > 4 + n) continue;
            value[i] = (int64_t)number(extra + at, 8);
            at += 8;
        }
        extra += 4 + n;
        length -= 4 + n;
    }
}

/* Stands at the data of an entry, whose bytes are those that were written. */
static ct_status open_entry(FILE *f, const char *path, const char *wanted, int64_t before,
                            const unsigned char *entry, int64_t *end, char *message)
{
    const int64_t extra_at = ENTRY_BYTES + (int64_t)number(entry + 28, 2);
    unsigned char local[LOCAL_BYTES];
    int64_t value[3] = {(int64_t)number(entry + 24, 4), (int64_t)number(entry + 20, 4),
                        (int64_t)number(entry + 42, 4)}; /* bytes, bytes stored, offset */
    read_extra(entry + extra_at, (int64_t)number(entry + 30, 2), value);
    if (number(entry + 8, 2) & 1) return WRONG("%.150s: member %.100s is encrypted", path, wanted);
    if (number(entry + 10, 2) != 0)
        return WRONG("%.150s: member %.100s is compressed; numpy.savez writes members that are not",
                     path, wanted);
    if (value[2] < 0 || value[2] > INT64_MAX - before ||
        read_at(f, before + value[2], local, LOCAL_BYTES) || number(local, 4) != LOCAL)
        return WRONG("%.150s: member %.100s is not where the directory says", path, wanted);
    const int64_t begin =
        before + value[2] + LOCAL_BYTES + (int64_t)(number(local + 26, 2) + number(local + 28, 2));
    const int64_t size = fseeko(f, 0, SEEK_END) == 0 ? (int64_t)ftello(f) : -1;
    if (value[1] < 0 || begin > size || value[1] > size - begin || fseeko(f, begin, SEEK_SET) != 0)
        return WRONG("%.150s: truncated: member %.100s is not whole", path, wanted);
    const int64_t wrote = (int64_t)number(entry + 16, 4), found = checksum(f, value[1]);
    if (found != wrote || fseeko(f, begin, SEEK_SET) != 0)
        return WRONG("%.150s: member %.100s is damaged: its CRC-32 is %08llx, written was %08llx",
                     path, wanted, (unsigned long long)found, (unsigned long long)wrote);
    *end = begin + value[1];
    return 0;
}

/* Adds a member's name to a list of them, as long as there is room. */
static void list(char *names, size_t capacity, const unsigned char *name, int64_t length)
{
    const size_t at = strlen(names);
    if (length > 4 && memcmp(name + length - 4, ".npy", 4) == 0) length -= 4;
    snprintf(names + at, capacity - at, "%s%.*s", at ? ", " : "",
             (int)(length < 100 ? length : 100), (const char *)name);
}

static ct_status open_member(FILE *f, const char *path, const char *wanted, int64_t *end,
                             char *message)
{
    directory d = {0};
    char names[200] = "";
    ct_status bad = read_directory(f, path, &d, message);
    if (bad) return bad;
    int found = 0;
    const unsigned char *entry = d.bytes, *chosen = NULL;
    for (int64_t left = d.size, i = 0; !bad && i < d.entries; ++i) {
        const int whole = left >= ENTRY_BYTES;
        const int64_t name = whole ? (int64_t)number(entry + 28, 2) : 0;
        const int64_t rest = whole ? (int64_t)(number(entry + 30, 2) + number(entry + 32, 2)) : 0;
        const int64_t all = ENTRY_BYTES + name + rest;
        if (left < all || number(entry, 4) != ENTRY) {
            bad = WRONG("%.150s: its directory is damaged at member %lld", path, (long long)i);
            break;
        }
        const int match = is_named(entry + ENTRY_BYTES, name, wanted);
        if (match && match >= found) chosen = entry, found = match; /* the last, as in NumPy */
        list(names, sizeof names, entry + ENTRY_BYTES, name);
        entry += all;
        left -= all;
    }
    if (!bad && chosen) bad = open_entry(f, path, wanted, d.before, chosen, end, message);
    else if (!bad && !*wanted)
        bad = WRONG("%.150s: an archive of arrays; name one, as in %.150s:NAME; it has %s", path,
                    path, *names ? names : "none");
    else if (!bad && !found)
        bad = WRONG("%.150s: no member `%.100s`; it has %s", path, wanted, *names ? names : "none");
    free(d.bytes);
    return bad;
}

/* Whether a file is an archive by its name and its first byte. */
static int is_archive(const char *name, FILE *f)
{
    const size_t n = strlen(name);
    if (n < 4 || strcmp(name + n - 4, ".npz") != 0) return 0;
    const int first = getc(f);
    if (first != EOF) ungetc(first, f);
    return first == 'P';
}

ct_status ct_npz_open(const char *name, FILE **stream, int64_t *end, char *message)
{
    const char *const colon = strstr(name, ".npz:");
    *end = -1;
    *stream = fopen(name, "rb");
    if (!*stream && !colon) return WRONG("%.200s: cannot be read: %s", name, strerror(errno));
    if (*stream && !is_archive(name, *stream)) return CT_OK;
    if (*stream) {
        const ct_status unnamed = open_member(*stream, name, "", end, message);
        fclose(*stream);
        *stream = NULL;
        return unnamed;
    }
    char *const path = strndup(name, (size_t)(colon + 4 - name));
    if (!path) return ct_refuse(message, CT_E_MEMORY, "%.150s: no memory", name);
    *stream = fopen(path, "rb");
    ct_status bad = CT_OK;
    if (!*stream) bad = WRONG("%.200s: cannot be read: %s", path, strerror(errno));
    else bad = open_member(*stream, path, colon + 5, end, message);
    if (bad && *stream) {
        fclose(*stream);
        *stream = NULL;
    }
    free(path);
    return bad;
}
