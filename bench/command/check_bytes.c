/* Copies of the pattern, compared. */
#include "check_bytes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda/gpu.h"
#include "pattern.h"

enum { PART = 1 << 22 };

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

/* Bytes [at, at + n) of the pattern; at is a multiple of 8. */
static void put_pattern(unsigned char *to, int64_t at, int64_t n)
{
    for (int64_t i = 0; i < n; i += 8) {
        const uint64_t word = bench_word((uint64_t)(at + i) / 8);
        memcpy(to + i, &word, (size_t)least(8, n - i));
    }
}

unsigned char *bench_bytes_dst(const bench_bytes *b) { return b->room + BENCH_GUARD; }

int bench_bytes_take(bench_bytes *b, ct_cuda *gpu, int64_t most)
{
    memset(b, 0, sizeof *b);
    b->gpu = gpu;
    b->most = most;
    b->host = malloc(2 * (size_t)PART);
    if (!b->host) return ct_cuda_fail(gpu, "out of host memory");
    b->src = ct_cuda_alloc(gpu, (size_t)most);
    b->room = b->src ? ct_cuda_alloc(gpu, (size_t)most + 2 * BENCH_GUARD) : NULL;
    b->wrong = b->room ? ct_cuda_alloc(gpu, PATTERN_BLOCKS * sizeof(float)) : NULL;
    int status = b->wrong ? 0 : -1;
    for (int64_t at = 0; at < most && status == 0; at += PART) {
        const int64_t n = least(PART, most - at);
        put_pattern(b->host, at, n);
        status = ct_cuda_upload(gpu, b->src + at, b->host, (size_t)n);
    }
    if (status) bench_bytes_drop(b);
    return status;
}

void bench_bytes_drop(bench_bytes *b)
{
    ct_cuda_free(b->gpu, b->wrong);
    ct_cuda_free(b->gpu, b->room);
    ct_cuda_free(b->gpu, b->src);
    free(b->host);
    memset(b, 0, sizeof *b);
}

int bench_bytes_poison(const bench_bytes *b, int64_t bytes)
{
    return ct_cuda_fill(b->gpu, b->room, PATTERN_BEFORE, (size_t)bytes + 2 * BENCH_GUARD);
}

/* ---- on the host ----------------------------------------------------------------------------- */

/* Compares `n` bytes of the room from `at` on with what stands in `right`. 1 when they are equal; 0
 * and in wrong the first that is not; or -1. */
static int compare_part(const bench_bytes *b, int64_t at, int64_t n, const unsigned char *right,
                        int64_t bytes, char *wrong)
{
    if (ct_cuda_download(b->gpu, b->host, b->room + at, (size_t)n)) return -1;
    if (memcmp(b->host, right, (size_t)n) == 0) return 1;
    int64_t i = 0;
    while (b->host[i] == right[i]) ++i;
    const int64_t byte = at + i - BENCH_GUARD;
    snprintf(wrong, BENCH_WRONG_TEXT, "byte %lld %s the copy of %lld is %02x and has to be %02x",
             (long long)byte, byte >= 0 && byte < bytes ? "of" : "beside", (long long)bytes,
             b->host[i], right[i]);
    return 0;
}

static int compare_guards(const bench_bytes *b, int64_t bytes, char *wrong)
{
    unsigned char right[BENCH_GUARD];
    memset(right, PATTERN_BEFORE, sizeof right);
    const int before = compare_part(b, 0, BENCH_GUARD, right, bytes, wrong);
    if (before != 1) return before;
    return compare_part(b, BENCH_GUARD + bytes, BENCH_GUARD, right, bytes, wrong);
}

static int compare_on_host(const bench_bytes *b, int64_t first, int64_t bytes, char *wrong)
{
    for (int64_t at = first; at < bytes; at += PART) {
        const int64_t n = least(PART, bytes - at);
        put_pattern(b->host + PART, at, n);
        const int same = compare_part(b, BENCH_GUARD + at, n, b->host + PART, bytes, wrong);
        if (same != 1) return same;
    }
    return 1;
}

/* ---- on the device --------------------------------------------------------------------------- */

/* 1 when the kernel finds every word right, 0 when it does not, or -1. */
static int compare_words(const bench_bytes *b, int64_t words)
{
    float wrong[PATTERN_BLOCKS];
    const pattern_args args = {(const uint64_t *)bench_bytes_dst(b), b->wrong, words};
    const ct_dim3 grid = {PATTERN_BLOCKS, 1, 1}, block = {PATTERN_THREADS, 1, 1};
    if (ct_cuda_fill(b->gpu, b->wrong, 0xff, sizeof wrong) || /* not written: NaN */
        ct_cuda_launch(b->gpu, "bench_wrong_words", grid, block, 0, &args, sizeof args) ||
        ct_cuda_download(b->gpu, wrong, b->wrong, sizeof wrong))
        return -1;
    for (int i = 0; i < PATTERN_BLOCKS; ++i)
        if (wrong[i] != 0) return 0;
    return 1;
}

/* Whether the kernel finds one byte that is wrong, the last of the words. */
static int try_kernel(bench_bytes *b, int64_t words)
{
    unsigned char *const last = bench_bytes_dst(b) + 8 * words - 1;
    unsigned char byte = 0;
    if (ct_cuda_download(b->gpu, &byte, last, 1)) return -1;
    const unsigned char planted = byte ^ 0x80;
    if (ct_cuda_upload(b->gpu, last, &planted, 1)) return -1;
    const int found = compare_words(b, words);
    if (found < 0 || ct_cuda_upload(b->gpu, last, &byte, 1)) return -1;
    if (found == 1) return ct_cuda_fail(b->gpu, "bench_wrong_words: a planted byte was not found");
    b->tried = 1;
    return 0;
}

static int compare_on_device(bench_bytes *b, int64_t bytes, char *wrong)
{
    const int64_t words = bytes / 8;
    if (!b->tried && try_kernel(b, words)) return -1;
    const int same = compare_words(b, words);
    if (same < 0) return -1;
    const int on_host = compare_on_host(b, same == 1 ? 8 * words : 0, bytes, wrong);
    if (same == 0 && on_host == 1)
        return ct_cuda_fail(b->gpu, "bench_wrong_words: finds a wrong byte that is not there");
    return on_host;
}

int bench_bytes_check(bench_bytes *b, int64_t bytes, char wrong[BENCH_WRONG_TEXT])
{
    const int on_host = bytes <= BENCH_ON_HOST;
    const int guards = compare_guards(b, bytes, wrong);
    if (guards != 1) return guards;
    const int same =
        on_host ? compare_on_host(b, 0, bytes, wrong) : compare_on_device(b, bytes, wrong);
    if (same != 1) return same;
    return on_host ? BENCH_BY_HOST : BENCH_BY_DEVICE;
}
