/* Results compared, and what lies beside them. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/refuse.h"
#include "harness.h"
#include "pattern.h"

/* More of the pattern than this is compared on the device. */
enum { ON_HOST = 64 << 20 };

int bench_same_bytes(const unsigned char *found, const unsigned char *right, int64_t at,
                     int64_t bytes, char wrong[BENCH_WRONG])
{
    int64_t i = 0;
    if (memcmp(found, right, (size_t)bytes) == 0) return 1;
    while (found[i] == right[i]) ++i;
    snprintf(wrong, BENCH_WRONG, "byte %" PRId64 " is %02x, expected %02x", at + i, found[i],
             right[i]);
    return 0;
}

int bench_compare_pattern(const void *user, int64_t set, int64_t at, int64_t bytes,
                          const unsigned char *found, char wrong[BENCH_WRONG])
{
    unsigned char right[4096];
    for (int64_t done = 0; done < bytes; done += (int64_t)sizeof right) {
        const int64_t n = ct_min((int64_t)sizeof right, bytes - done);
        bench_put_pattern(user, set, at + done, n, right);
        if (!bench_same_bytes(found + done, right, at + done, n, wrong)) return 0;
    }
    return 1;
}

int bench_is_on_device(const bench_target *t, const bench_right *right, int64_t bytes)
{
    return t->gpu && right->compare == bench_compare_pattern && bytes > ON_HOST;
}

/* ---- on the device --------------------------------------------------------------------------- */

/* 1 when the kernel finds every word right, 0 when it does not, or -1. */
static int compare_words(bench_target *t, const unsigned char *bytes, int64_t words)
{
    float wrong[PATTERN_BLOCKS];
    float *const counts = ct_cuda_alloc(t->gpu, sizeof wrong);
    const pattern_args args = {(const uint64_t *)(const void *)bytes, counts, words};
    const ct_dim3 grid = {PATTERN_BLOCKS, 1, 1}, block = {PATTERN_THREADS, 1, 1};
    const int failed =
        !counts || ct_cuda_fill(t->gpu, counts, 0xff, sizeof wrong) || /* not written: NaN */
        ct_cuda_launch(t->gpu, "bench_wrong_words", grid, block, 0, &args, sizeof args) ||
        ct_cuda_download(t->gpu, wrong, counts, sizeof wrong);
    if (bench_status(t, failed)) {
        ct_cuda_free(t->gpu, counts);
        return -1;
    }
    if (bench_status(t, ct_cuda_free(t->gpu, counts))) return -1;
    for (int i = 0; i < PATTERN_BLOCKS; ++i)
        if (wrong[i] != 0) return 0;
    return 1;
}

/* Whether the kernel finds one byte that is wrong, the last of the words. */
static int try_kernel(bench_target *t, unsigned char *bytes, int64_t words)
{
    unsigned char *const last = bytes + 8 * words - 1;
    unsigned char byte = 0;
    if (bench_read(t, &byte, last, 1)) return -1;
    const unsigned char planted = byte ^ 0x80;
    if (bench_write(t, last, &planted, 1)) return -1;
    const int found = compare_words(t, bytes, words);
    if (found < 0 || bench_write(t, last, &byte, 1)) return -1;
    if (found == 1) return bench_fail(t->error, "bench_wrong_words: a planted byte was not found");
    t->tried_device = 1;
    return 0;
}

/* Compares the pattern where it lies. The byte from which the host still has to compare: 0 where a
 * word is wrong; or -1. */
static int64_t compare_on_device(bench_target *t, unsigned char *bytes, int64_t count)
{
    const int64_t words = count / 8;
    if (!t->tried_device && try_kernel(t, bytes, words)) return -1;
    const int same = compare_words(t, bytes, words);
    return same < 0 ? -1 : same ? 8 * words : 0;
}

/* ---- parts ----------------------------------------------------------------------------------- */

/* What one verification compares, and where it has arrived. */
typedef struct checking {
    bench_target *t;
    const bench_array *dst;
    const bench_right *right;
    int64_t part;
    unsigned char *host; /* a part */
    char *wrong;
} checking;

/* The part of a set that begins at `at`. As bench_verify, and so below. */
static int check_part(const checking *c, int64_t set, int64_t at)
{
    const int64_t n = ct_min(c->part, c->dst->bytes - at);
    if (bench_read(c->t, c->host, bench_array_at(c->dst, set) + at, n)) return -1;
    const int same = c->right->compare(c->right->user, set, at, n, c->host, c->wrong);
    return same < 0 ? bench_no_memory(c->t) : same;
}

static int check_set(const checking *c, int64_t set)
{
    const int64_t bytes = c->dst->bytes;
    int64_t at = 0;
    int status = 1, by_device = bench_is_on_device(c->t, c->right, bytes);
    if (by_device) at = compare_on_device(c->t, bench_array_at(c->dst, set), bytes);
    if (at < 0) return -1;
    by_device = by_device && at == 0;
    for (at = at / c->part * c->part; at < bytes && status == 1; at += c->part)
        status = check_part(c, set, at);
    if (status == 1 && by_device)
        return bench_fail(c->t->error, "bench_wrong_words: finds a wrong byte that is not there");
    return status;
}

/* Whether the memory [from, to) still is poison; in wrong its number in the set. */
static int check_beside(const checking *c, int64_t set, const unsigned char *from,
                        const unsigned char *to)
{
    unsigned char found[1024];
    for (const unsigned char *p = from; p < to; p += sizeof found) {
        const int64_t n = ct_min((int64_t)sizeof found, to - p);
        if (bench_read(c->t, found, p, n)) return -1;
        for (int64_t i = 0; i < n; ++i) {
            if (found[i] == BENCH_POISON) continue;
            snprintf(c->wrong, BENCH_WRONG,
                     "byte %" PRId64 ", beside the result, is %02x, expected %02x",
                     (int64_t)(p - bench_array_at(c->dst, set)) + i, found[i], BENCH_POISON);
            return 0;
        }
    }
    return 1;
}

/* Flips a bit of the last byte of all, which the comparison has to find; done once. */
static int try_comparison(const checking *c)
{
    const int64_t set = c->dst->sets - 1, bytes = c->dst->bytes;
    unsigned char *const last = bench_array_at(c->dst, set) + bytes - 1;
    unsigned char byte = 0;
    const void *const compare = (const void *)(uintptr_t)c->right->compare;
    if (c->t->tried == compare) return 1;
    if (bench_read(c->t, &byte, last, 1)) return -1;
    const unsigned char planted = byte ^ 0x40; /* of a number, its exponent's highest */
    if (bench_write(c->t, last, &planted, 1)) return -1;
    const int found = check_part(c, set, (bytes - 1) / c->part * c->part);
    if (found < 0 || bench_write(c->t, last, &byte, 1)) return -1;
    if (found == 1)
        return bench_fail(c->t->error, "a planted byte was not found: %02x for %02x", planted,
                          byte);
    c->t->tried = compare;
    return 1;
}

static int check_all(const checking *c)
{
    const bench_array *const a = c->dst;
    int status = check_beside(c, 0, a->memory, bench_array_at(a, 0));
    for (int64_t set = 0; set < a->sets && status == 1; ++set) {
        const unsigned char *const behind = bench_array_at(a, set) + a->bytes;
        const int is_last = set + 1 == a->sets;
        status = check_set(c, set);
        if (status == 1)
            status = check_beside(c, set, behind,
                                  is_last ? behind + BENCH_GUARD : bench_array_at(a, set + 1));
    }
    return status == 1 ? try_comparison(c) : status;
}

/* ---- all ------------------------------------------------------------------------------------- */

static int poison(bench_target *t, const bench_array *a)
{
    const unsigned char *const end = bench_array_at(a, a->sets - 1) + a->bytes + BENCH_GUARD;
    const size_t bytes = (size_t)(end - a->memory);
    if (t->gpu) return bench_status(t, ct_cuda_fill(t->gpu, a->memory, BENCH_POISON, bytes));
    memset(a->memory, BENCH_POISON, bytes);
    return 0;
}

int bench_verify(bench_target *t, const bench_work *w, const bench_array *dst,
                 const bench_right *right, bench_result *result, char wrong[BENCH_WRONG])
{
    checking c = {t, dst, right, right->part ? right->part : BENCH_PART, NULL, wrong};
    t->instructions = t->requests = t->sectors = 0;
    if (poison(t, dst)) return -1;
    for (int64_t set = 0; set < dst->sets; ++set)
        if (bench_run(t, w, set)) return -1;
    c.host = malloc((size_t)ct_min(c.part, dst->bytes));
    const int status = c.host ? check_all(&c) : bench_no_memory(t);
    free(c.host);
    if (status < 0) return -1;
    *result = (bench_result){.status = status ? BENCH_IS_RIGHT : BENCH_IS_WRONG,
                             .instructions = t->instructions,
                             .requests = t->requests,
                             .sectors = t->sectors};
    return status;
}
