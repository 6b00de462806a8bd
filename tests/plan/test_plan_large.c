/* Copy plans of more elements than 32 bits count, and of offsets that 32 bits do not hold. */
#if !defined(_GNU_SOURCE)
#define _GNU_SOURCE /* for memfd_create */
#endif
#include "test.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cutlet/host/plan.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { SANITISED = 1 };
#else
enum { SANITISED = 0 };
#endif

static char message[CT_MESSAGE_BYTES];

/* More elements than 32 bits count: plans are made, and say in their numbers what they will do. */
TEST(test_described)
{
    const int64_t m = (int64_t)1 << 20, n = (int64_t)1 << 14;
    static const int forms[] = {CT_FORM_CONTIGUOUS, CT_FORM_ROWS, CT_FORM_TILES, CT_FORM_INDEXED};
    for (int way = 0; way < 4; ++way) {
        ct_plan_desc desc = {0};
        ct_plan *plan;
        ct_plan_info info;
        char text[1024];
        desc.src = desc.dst = ct_plan_side_of(ct_layout2(m, n, 1, m), CT_TYPE_FLOAT);
        desc.backend = CT_BACKEND_CPU;
        if (way == 1) desc.dst.memory.layout = ct_layout2(m, n, 1, m + 8);
        if (way == 2) desc.dst.memory.layout = ct_layout2(m, n, n, 1);
        if (way == 3) desc.dst.memory.swizzle = ct_make_swizzle(3, 3, 3);
        assert_int_equal(ct_plan_create(&desc, CT_EFFORT_ESTIMATE, &plan, message), 0);
        ct_plan_info_of(plan, &info);
        assert_int_equal(info.form, forms[way]);
        assert_int_equal(info.elements, m * n);
        assert_int_equal(info.bytes_read, 4 * m * n);
        assert_int_equal(info.bytes_written, 4 * m * n);
        if (way < 3) assert_int_equal(info.src_sectors, m * n / 8);
        if (way == 1) assert_int_equal(info.dst_runs, n);
        if (way == 2) assert_int_equal(info.dst_sectors, m * n / 8);
        assert_true(ct_plan_describe(plan, text, sizeof text) < (int)sizeof text);
        assert_non_null(strstr(text, "reads 68719476736 bytes"));
        ct_plan_destroy(plan);
    }
}

/* Memory of which only what is touched is there. */
static unsigned char *sparse(size_t bytes)
{
    void *const at = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return at == MAP_FAILED ? NULL : at;
}

/* Few elements, far apart: offsets that 32 bits do not hold, of either sign. */
TEST(test_distant)
{
    const int64_t far = ((int64_t)1 << 31) + 4096, bytes = 2 * far + 100000;
    unsigned char *const a = sparse((size_t)bytes), *const b = sparse((size_t)bytes);
    if (!a || !b) skip();
    for (int way = 0; way < 4; ++way) {
        ct_plan_desc desc = {0};
        ct_plan *plan;
        const int backward = way & 1, swizzled = way >> 1;
        desc.src = ct_plan_side_raw(ct_layout2(1000, 3, 3, far), 1);
        desc.dst = ct_plan_side_raw(ct_layout2(1000, 3, 2, backward ? -far : far), 1);
        desc.backend = CT_BACKEND_CPU;
        if (swizzled) desc.src.memory.swizzle = ct_make_swizzle(2, 2, 2);
        for (int64_t k = 0; k < 3; ++k)
            for (int64_t i = 0; i < 3100; ++i) a[i + k * far] = (unsigned char)(i * 31 + 7 * k);
        assert_int_equal(ct_plan_create(&desc, CT_EFFORT_ESTIMATE, &plan, message), 0);
        unsigned char *const to_bytes = b + (backward ? 2 * far : 0);
        for (int64_t k = 0; k < 3; ++k) memset(to_bytes + k * (backward ? -far : far), 0xee, 2100);
        assert_int_equal(ct_plan_run(plan, to_bytes, a, NULL, message), 0);
        for (int64_t k = 0; k < 3; ++k) {
            for (int64_t i = 0; i < 2100; ++i) {
                int64_t s = i / 2 * 3;
                if (swizzled) s ^= (s >> 4 & 3) << 2;
                const int right = i % 2 == 0 && i < 2000 ? (unsigned char)(s * 31 + 7 * k) : 0xee;
                if (to_bytes[i + k * (backward ? -far : far)] != right)
                    fail_msg("way %d, (%lld,%lld)", way, (long long)i, (long long)k);
            }
        }
        ct_plan_destroy(plan);
    }
    munmap(a, (size_t)bytes);
    munmap(b, (size_t)bytes);
}

enum { PIECE = 1 << 21 };

/* So many bytes, every 2 MiB of which are the same ones; the last ones too where `whole`. */
static unsigned char *repeated(int64_t bytes, int whole)
{
    const int file = memfd_create("piece", 0);
    unsigned char *const at = sparse((size_t)bytes + PIECE);
    if (file < 0 || ftruncate(file, PIECE) || !at) skip();
    for (int64_t i = 0; i < bytes - (whole ? 0 : PIECE); i += PIECE)
        if (mmap(at + i, PIECE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0) ==
            MAP_FAILED)
            skip();
    close(file);
    return at;
}

/* More than 2^31 elements. Of the destination, the last 2 MiB are looked at, and those after. */
TEST(test_many)
{
    if (SANITISED) skip();
    const int64_t m = (int64_t)1 << 16, n = ((int64_t)1 << 15) + 64, bytes = m * n;
    unsigned char *const src = repeated(bytes, 1), *const dst = repeated(bytes, 0);
    for (int64_t i = 0; i < PIECE; ++i) src[i] = (unsigned char)(i * 2654435761u >> 13);
    for (int transposed = 0; transposed < 2; ++transposed) {
        ct_plan_desc desc = {0};
        ct_plan *plan;
        desc.src = desc.dst = ct_plan_side_raw(ct_layout2(m, n, 1, m), 1);
        if (transposed) desc.dst = ct_plan_side_raw(ct_layout2(m, n, n, 1), 1);
        desc.backend = CT_BACKEND_CPU;
        assert_int_equal(ct_plan_create(&desc, CT_EFFORT_ESTIMATE, &plan, message), 0);
        assert_int_equal(ct_plan_run(plan, dst, src, NULL, message), 0);
        ct_plan_destroy(plan);
        for (int64_t t = bytes - PIECE; t < bytes; ++t) {
            const int64_t s = transposed ? t / n + m * (t % n) : t;
            if (dst[t] != src[s % PIECE]) fail_msg("%lld, transposed %d", (long long)t, transposed);
        }
        for (int64_t t = bytes; t < bytes + PIECE; ++t) assert_int_equal(dst[t], 0);
    }
    munmap(src, (size_t)bytes + PIECE);
    munmap(dst, (size_t)bytes + PIECE);
}

GROUP("plan large", NULL, NULL)
