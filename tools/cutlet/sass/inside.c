/* The kernels that the command carries. Each image goes to cuobjdump as a file in memory without a
 * name, so that nothing is left behind however the program ends. */
#define _GNU_SOURCE /* memfd_create */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/refuse.h"
#include "disassemble.h"
#include "driver/cuda/images.h"
#include "names.h"

/** What is read of an image. */
typedef ct_status read_image(const char *path, void *user, char why[CT_MESSAGE_BYTES]);

/* Image i of all tables, one after another; NULL after the last. */
static const ct_cuda_image *image_at(int i)
{
    for (int t = 0; ct_carried_kernels[t]; ++t) {
        if (i < ct_carried_kernels[t]->count) return &ct_carried_kernels[t]->image[i];
        i -= ct_carried_kernels[t]->count;
    }
    return NULL;
}

static int image_count(void)
{
    int n = 0;
    while (image_at(n)) ++n;
    return n;
}

/* A fat binary begins with 8 bytes, of which the last two hold the size of the header, and the size
 * of the rest in the next 8. */
static size_t image_bytes(const void *image)
{
    uint16_t header;
    uint64_t rest;
    memcpy(&header, (const char *)image + 6, sizeof header);
    memcpy(&rest, (const char *)image + 8, sizeof rest);
    return header + (size_t)rest;
}

static int write_all(int fd, const char *bytes, size_t n)
{
    while (n > 0) {
        const ssize_t written = write(fd, bytes, n);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return -1;
        bytes += written;
        n -= (size_t)written;
    }
    return 0;
}

/* Gives an image as a file. */
static ct_status with_image(const ct_cuda_image *image, read_image *read, void *user,
                            char why[CT_MESSAGE_BYTES])
{
    char path[64];
    const int fd = memfd_create(image->source, 0);
    ct_status bad = CT_OK;
    if (fd < 0 || write_all(fd, image->bytes, image_bytes(image->bytes))) {
        bad = ct_refuse(why, CT_E_FAILED, "the image of %s: %s", image->source, strerror(errno));
    } else {
        snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
        bad = read(path, user, why);
    }
    if (fd >= 0) close(fd);
    return bad;
}

/** What is done with every image of an architecture. */
typedef struct search {
    const char *cuobjdump;
    ct_code *code;
    const char *kernel; /* the one to read; NULL for all */
} search;

static ct_status find_kernels(const char *path, void *user, char why[CT_MESSAGE_BYTES])
{
    const search *const s = user;
    return ct_cuobjdump_usage(s->cuobjdump, path, s->code, why);
}

static ct_status read_kernels(const char *path, void *user, char why[CT_MESSAGE_BYTES])
{
    const search *const s = user;
    return ct_cuobjdump_sass(s->cuobjdump, path, s->kernel, s->code, why);
}

static int is_of(const ct_cuda_image *image, const char *arch)
{
    char name[CT_ARCH_BYTES];
    snprintf(name, sizeof name, "sm_%d%s", (int)image->arch, image->alone ? "a" : "");
    return !arch || strcmp(name, arch) == 0;
}

/* The first of the kernels from begin to end that matches, and how many do. */
static const char *first_match(const ct_code *usage, int begin, int end, const char *wanted,
                               int exact, int *count)
{
    const char *first = NULL;
    *count = 0;
    for (int i = begin; i < end; ++i) {
        if (!ct_name_matches(usage->kernel[i].name, wanted, exact)) continue;
        if (++*count == 1) first = usage->kernel[i].name;
    }
    return first;
}

/* What every image of the architecture has; end[i] is how many kernels there are up to image i. */
static ct_status find_all(const char *cuobjdump, const char *arch, ct_code *usage, int *end,
                          char why[CT_MESSAGE_BYTES])
{
    search s = {cuobjdump, usage, NULL};
    for (int i = 0; i < image_count(); ++i) {
        const ct_cuda_image *const image = image_at(i);
        const ct_status bad = is_of(image, arch) ? with_image(image, find_kernels, &s, why) : CT_OK;
        if (bad) return bad;
        end[i] = usage->count;
    }
    return 0;
}

/* The accesses of the kernels that match. Of an image with several all are read, because cuobjdump
 * takes far longer when it is to choose them. */
static ct_status read_all(const char *cuobjdump, const char *wanted, int exact,
                          const ct_code *usage, const int *end, ct_code *code,
                          char why[CT_MESSAGE_BYTES])
{
    search s = {cuobjdump, code, NULL};
    int bad = 0, count;
    for (int i = 0; i < image_count() && !bad; ++i) {
        s.kernel = first_match(usage, i ? end[i - 1] : 0, end[i], wanted, exact, &count);
        if (count > 1) s.kernel = NULL;
        if (count > 0) bad = with_image(image_at(i), read_kernels, &s, why);
    }
    ct_code_select_name(code, wanted);
    return bad;
}

/* One line for a name that no kernel has. */
static ct_status say_none(const ct_source_query *query, const ct_code *usage,
                          char message[CT_MESSAGE_BYTES])
{
    char names[CT_NAMES_BYTES];
    ct_names_near(usage, query->name, names);
    return ct_refuse(message, CT_E_ARGUMENT,
                     "there is no file `%.200s`, and no built-in kernel of that name; similar "
                     "names are %s",
                     query->name, names);
}

static ct_status load(const ct_source_query *query, const char *cuobjdump, int *end, ct_code *usage,
                      ct_source *source, char message[CT_MESSAGE_BYTES])
{
    char why[CT_MESSAGE_BYTES];
    int exact = 0, some = 0;
    ct_status bad = find_all(cuobjdump, query->arch, usage, end, why);
    for (int i = 0; i < usage->count; ++i) {
        exact |= ct_name_matches(usage->kernel[i].name, query->name, 1);
        some |= ct_name_matches(usage->kernel[i].name, query->name, 0);
    }
    if (!bad && !some) return say_none(query, usage, message);
    if (!bad) bad = read_all(cuobjdump, query->name, exact, usage, end, &source->code, why);
    if (bad) return ct_refuse(message, bad, "the built-in kernels: %s", why);
    ct_code_set_usage(&source->code, usage);
    return 0;
}

/* Whether there are images that can be read; or a message. */
static ct_status check_images(const ct_source_query *query, const ct_disassemblers *tools,
                              char message[CT_MESSAGE_BYTES])
{
    int archs = 0;
    for (int i = 0; i < image_count(); ++i) archs += is_of(image_at(i), query->arch);
    if (image_count() == 0)
        return ct_refuse(message, CT_E_ARGUMENT,
                         "there is no file `%.200s`, and no kernels are built in: the command was "
                         "built without nvcc",
                         query->name);
    if (archs == 0)
        return ct_refuse(message, CT_E_ARGUMENT, "there are no kernels for %.20s inside",
                         query->arch);
    if (!tools->cuobjdump[0])
        return ct_refuse(message, CT_E_BACKEND,
                         "there is no file `%.200s`; to look for a kernel inside, cuobjdump is "
                         "needed, and it is not in " CT_TOOL_PLACES "; " CT_TOOL_WAY_OUT,
                         query->name);
    return CT_OK;
}

ct_status ct_disassemble_inside(const ct_source_query *query, ct_source *source,
                                char message[CT_MESSAGE_BYTES])
{
    ct_disassemblers tools;
    ct_status bad = ct_disassemblers_find(&tools, message);
    if (!bad) bad = check_images(query, &tools, message);
    if (bad) return bad;
    int *const end = calloc((size_t)image_count(), sizeof *end);
    if (!end) return ct_refuse(message, CT_E_MEMORY, "out of memory");
    ct_code usage = {0};
    snprintf(source->by, sizeof source->by, "cuobjdump");
    bad = load(query, tools.cuobjdump, end, &usage, source, message);
    ct_code_free(&usage);
    free(end);
    return bad;
}
