/* ct_verify_mma against a naive count by thread-value layouts; planted faults in the data of atoms; layouts in
 * shared memory that ldmatrix reads, with the conflicts of their rows counted here, and the nearest ones. */
#include <cutlet/host/verify_mma.h>
#include "sweep.h"

static ct_tiled_mma mma_of(const char *name, int64_t m, int64_t n, int64_t k)
{
    const ct_mma_atom atom = ct_make_mma_atom(name);
    if (atom.err.status) fail_msg("%s: %d", name, atom.err.why);
    return ct_make_tiled_mma(atom, ct_make_col_major(ct_tuple3(m, n, k)), ct_tiler0());
}

static ct_verify_mma_report verified(ct_tiled_mma t, const ct_tensor *a, const ct_tensor *b)
{
    const ct_verify_mma_job job = {t, {a, b}, NULL};
    ct_verify_mma_report r;
    char message[CT_MESSAGE_BYTES];
    if (ct_verify_mma(&job, &r, message)) fail_msg("%s", message);
    return r;
}

/* ---- which thread holds which element -------------------------------------------------------- */

/* Who holds element 0, by the thread-value layout; how many. */
static int naive_holders(const ct_tiled_mma *t, int operand, int64_t thread[CT_VERIFY_HOLDERS])
{
    const ct_layout tv = ct_tiled_mma_tv(*t, operand);
    const int64_t threads = oracle_size(ct_mode(tv, 0));
    int found = 0;
    for (int64_t i = 0; i < threads; ++i) {
        int holds = 0;
        for (int64_t at = i; at < oracle_size(tv); at += threads) holds |= oracle_eval(tv, at) == 0;
        if (holds && found < CT_VERIFY_HOLDERS) thread[found] = i;
        found += holds;
    }
    return found;
}

TEST(holders_are_counted)
{
    static const char *const names[] = {"universal_fma",
                                        "SM75_16x8x8_F32F16F16F32_TN",
                                        "SM80_16x8x16_F32F16F16F32_TN",
                                        "SM80_8x8x4_F64F64F64F64_TN",
                                        "SM80_SPARSE_16x8x32_F32F16F16F32_TN",
                                        "SM80_SPARSE_16x8x64_S32S8S8S32_TN",
                                        "SM90_64x16x16_F32F16F16_RS",
                                        "SM90_64x16x16_F32F16F16_SS"};
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        for (int shape = 0; shape < 4; ++shape) {
            const ct_tiled_mma t = mma_of(names[i], 1 + shape % 2, 1 + shape / 2, 1);
            const ct_verify_mma_report r = verified(t, NULL, NULL);
            assert_int_equal(r.failed, 0);
            assert_int_equal(r.threads, ct_tiled_mma_threads(t));
            for (int operand = CT_MMA_A; operand <= CT_MMA_C; ++operand) {
                int64_t thread[CT_VERIFY_HOLDERS] = {-1, -1, -1, -1};
                const ct_verify_mma_finding *f = &r.of[operand];
                assert_int_equal(f->state, CT_VERIFY_OK);
                assert_int_equal(f->times, naive_holders(&t, operand, thread));
                for (int k = 0; k < CT_VERIFY_HOLDERS; ++k)
                    assert_int_equal(f->thread[k], thread[k]);
                assert_int_equal(f->elements, ct_product(ct_tiled_mma_tile(t, operand)));
            }
            assert_int_equal(r.of[CT_VERIFY_COVER_E].state,
                             t.atom.op.sparse ? CT_VERIFY_OK : CT_VERIFY_SKIPPED);
        }
    }
}

/* Atoms along k add up parts of C, each of its own. */
TEST(parts_of_a_sum)
{
    const ct_verify_mma_report r =
        verified(mma_of("SM80_16x8x16_F32F16F16F32_TN", 1, 1, 2), NULL, NULL);
    assert_int_equal(r.of[CT_VERIFY_COVER_C].times, 2);
    assert_string_equal(
        r.of[CT_VERIFY_COVER_C].text,
        "each of 128 elements of C (16,8) is held by 2 threads, 1 of each of the 2 atoms along k, "
        "with a part of the sum; (0,0) by threads 0 and 32");
}

/* A wrong number in an atom's layout is found, with the element. */
TEST(a_wrong_layout_is_found)
{
    ct_tiled_mma t = mma_of("SM80_16x8x16_F32F16F16F32_TN", 1, 1, 1);
    t.atom.a_tv.shape[4] = 1; /* k from 8 on */
    ct_verify_mma_report r = verified(t, NULL, NULL);
    assert_int_equal(r.failed, 1);
    assert_int_equal(r.of[CT_VERIFY_COVER_A].state, CT_VERIFY_FAILED);
    assert_string_equal(r.of[CT_VERIFY_COVER_A].text,
                        "no thread holds element (0,8) of A (16,16); the atoms hold each 1 time");
    t = mma_of("SM80_16x8x16_F32F16F16F32_TN", 1, 1, 1);
    t.atom.a_tv.stride[1] = 2; /* rows 0, 2, ... */
    r = verified(t, NULL, NULL);
    assert_string_equal(
        r.of[CT_VERIFY_COVER_A].text,
        "thread 19, value 7 is at index 256, outside the 256 elements of A (16,16)");
    t = mma_of("SM80_16x8x16_F32F16F16F32_TN", 1, 1, 1);
    t.atom.c_tv.stride[3] = 0; /* rows t / 4 twice */
    r = verified(t, NULL, NULL);
    assert_string_equal(r.of[CT_VERIFY_COVER_C].text,
                        "element (0,0) of C (16,8) is held 2 times, and the atoms hold each 1");
    assert_int_equal(r.of[CT_VERIFY_COVER_C].thread[0], 0);
    t = mma_of("SM70_8x8x4_F32F16F16F32_TN", 1, 1, 1);
    t.thr.stride[0] = 2; /* threads 0, 2, 4, 6 and 3, 5, 7, 9, which no inverse counts */
    t.thr.stride[1] = 3;
    r = verified(t, NULL, NULL);
    assert_string_equal(
        r.of[CT_VERIFY_COVER_C].text,
        "thread 3, value 0 of C (8,8) is at index 1 in the thread-value layout, and at 4 in the "
        "partition");
}

/* ---- shared memory ---------------------------------------------------------------------------- */

/* The passes that 8 rows of 16 bytes need: the most rows that begin in one bank of 16 bytes. */
static int passes(const int64_t byte[8])
{
    int most = 0;
    for (int i = 0; i < 8; ++i) {
        int same = 0;
        for (int k = 0; k < 8; ++k)
            same += byte[k] / 16 % 8 == byte[i] / 16 % 8 && byte[k] / 16 != byte[i] / 16;
        if (same + 1 > most) most = same + 1;
    }
    return most;
}

/* The wavefronts of all ldmatrix of 16 bits that read an operand, row by row. */
static int64_t naive_wavefronts(const ct_mma_feed *feed, const ct_tensor *L)
{
    const ct_tiled_copy *copy = &feed->copy;
    int64_t sum = 0, byte[8];
    for (int64_t warp = 0; warp < ct_tiled_copy_threads(*copy); warp += 32) {
        ct_tensor rows[32];
        for (int lane = 0; lane < 32; ++lane) rows[lane] = ct_partition_src(*copy, *L, warp + lane);
        const int64_t values = oracle_size(rows[0].layout) / 8;
        for (int64_t v = 0; v < values; ++v)
            for (int matrix = 0; matrix < copy->atom.matrices; ++matrix) {
                for (int row = 0; row < 8; ++row)
                    byte[row] = 2 * oracle_tensor(&rows[8 * matrix + row], 8 * v);
                sum += passes(byte);
            }
    }
    return sum;
}

TEST(conflicts_are_counted)
{
    static const char *const names[] = {
        "SM80_16x8x16_F32F16F16F32_TN", "SM80_16x8x8_F32BF16BF16F32_TN",
        "SM80_SPARSE_16x8x32_F32F16F16F32_TN", "SM90_64x16x16_F32F16F16_RS"};
    int fed = 0, free_of = 0, refused = 0;
    sweep_seed(20260612);
    for (int round = 0; round < 120; ++round) {
        const ct_tiled_mma t = mma_of(names[sweep_int(0, 3)], sweep_int(1, 2), sweep_int(1, 2), 1);
        const ct_tuple tile = ct_tiled_mma_tile(t, CT_MMA_A);
        const int64_t m = tile.value[0] * sweep_int(1, 2), k = tile.value[1] * sweep_int(1, 4);
        const int64_t pad = 8 * sweep_int(0, 2) + (sweep_int(0, 7) == 0);
        const ct_layout L =
            sweep_int(0, 1) ? ct_layout2(m, k, k + pad, 1) : ct_layout2(m, k, 1, m + pad);
        const ct_swizzle s = sweep_int(0, 2)
                                 ? ct_swizzle_none()
                                 : ct_make_swizzle((int)sweep_int(1, 3), (int)sweep_int(2, 3), 3);
        const ct_tensor a = ct_make_swizzled(s, 0, L);
        const ct_verify_mma_report r = verified(t, &a, NULL);
        const ct_mma_feed *feed = &r.feed[0];
        if (r.of[CT_VERIFY_FEED_A].state == CT_VERIFY_OK) {
            const int64_t wavefronts = naive_wavefronts(feed, &a);
            const int64_t least = feed->traffic.instructions * feed->copy.atom.matrices;
            ++fed;
            free_of += wavefronts == least;
            assert_int_equal(feed->traffic.wavefronts, wavefronts);
            assert_int_equal(r.of[CT_VERIFY_CONFLICTS_A].state,
                             wavefronts == least ? CT_VERIFY_OK : CT_VERIFY_FAILED);
        } else {
            ++refused;
            assert_int_equal(feed->by, CT_FEED_NONE);
        }
        if (r.of[CT_VERIFY_FEED_A].state == CT_VERIFY_OK &&
            r.of[CT_VERIFY_CONFLICTS_A].state == CT_VERIFY_OK)
            continue;
        assert_int_equal(feed->nearest.layout.err.status,
                         CT_OK); /* there is one, and it has no conflict */
        const ct_verify_mma_report n = verified(t, &feed->nearest, NULL);
        assert_int_equal(n.failed, 0);
        assert_true(ct_tuple_equal(ct_product_each(ct_shape(feed->nearest.layout)),
                                   ct_product_each(ct_shape(a.layout))));
        assert_int_equal(naive_wavefronts(&n.feed[0], &feed->nearest),
                         n.feed[0].traffic.instructions * n.feed[0].copy.atom.matrices);
    }
    print_message("%d fed, %d without conflicts, %d refused\n", fed, free_of, refused);
    assert_true(fed > 40 && free_of > 5 && refused > 10);
}

/* wgmma reads by a descriptor, or says why not as ct_make_mma_descriptor does. */
TEST(descriptors_read)
{
    const ct_tiled_mma t = mma_of("SM90_64x64x16_F32F16F16_SS", 1, 1, 1);
    const ct_tensor good = ct_make_swizzled(ct_make_swizzle(3, 3, 3), 0, ct_layout2(64, 64, 64, 1));
    const ct_tensor poor = ct_make_tensor(ct_layout2(64, 64, 64, 1));
    const ct_verify_mma_report r = verified(t, &good, &poor);
    assert_int_equal(r.failed, 1);
    assert_int_equal(r.feed[0].by, CT_FEED_DESCRIPTOR);
    assert_true(ct_mma_descriptor_pack(r.feed[0].descriptor) ==
                ct_mma_descriptor_pack(ct_make_mma_descriptor(good, CT_MMA_A, t.atom)));
    char why[CT_MESSAGE_BYTES];
    ct_error_message(ct_make_mma_descriptor(poor, CT_MMA_B, t.atom).err, why, sizeof why);
    assert_string_equal(r.of[CT_VERIFY_FEED_B].text, why);
    assert_true(ct_layout_equal(r.feed[1].nearest.layout, good.layout));
}

/* What nothing reads, and what cannot be looked at. */
TEST(refusals)
{
    static const struct {
        const char *atom, *layout, *text;
    } rows[] = {
        {"SM61_DP4A", "(1,4)",
         "ldmatrix feeds fragments of a warp, and this atom is one of a thread"},
        {"SM70_8x8x4_F32F16F16F32_TN", "(8,4)",
         "ldmatrix feeds fragments of a warp, and this atom is one of a quad pair"},
        {"SM80_8x8x4_F64F64F64F64_TN", "(8,4)",
         "ldmatrix moves elements of at most 32 bits, and those of A have 64"},
        {"SM100_128x64x16_F32F16F16_TS", "(128,16)",
         "A is read from tensor memory, not from shared memory"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        const ct_tensor a = ct_make_tensor(L_(rows[i].layout));
        const ct_verify_mma_report r = verified(mma_of(rows[i].atom, 1, 1, 1), &a, NULL);
        assert_string_equal(r.of[CT_VERIFY_FEED_A].text, rows[i].text);
        assert_int_equal(r.of[CT_VERIFY_FEED_A].state, CT_VERIFY_FAILED);
    }
    static const struct {
        const char *layout, *message;
    } shapes[] = {{"(24,16)", "mode 0 of A has 24 elements, not a multiple of the tile's 16"},
                  {"(16,24)", "mode 1 of A has 24 elements, not a multiple of the tile's 16"},
                  {"(16,16,2)", "A has rank 3, and an operand has rank 2: m and k"}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; ++i) {
        const ct_tensor a = ct_make_tensor(L_(shapes[i].layout));
        const ct_verify_mma_job job = {
            mma_of("SM80_16x8x16_F32F16F16F32_TN", 1, 1, 1), {&a, NULL}, NULL};
        ct_verify_mma_report r;
        char message[CT_MESSAGE_BYTES];
        assert_int_equal(ct_verify_mma(&job, &r, message), CT_E_ARGUMENT);
        assert_string_equal(message, shapes[i].message);
    }
    ct_tiled_mma partless = mma_of("SM80_16x8x16_F32F16F16F32_TN", 1, 1, 1);
    partless.atom.a_tv = ct_layout_fail(ct_make_error(CT_E_CAPACITY, 0, 0, 0, 0, 0));
    const struct {
        ct_tiled_mma mma;
        const char *message;
    } tiles[] = {{mma_of("SM80_16x8x16_F32F16F16F32_TN", 1024, 1024, 1),
                  "A has 262144 elements, each held 1024 times; at most 4194304 can be counted"},
                 {partless, "a thread has no part of the tile"}};
    for (size_t i = 0; i < sizeof tiles / sizeof *tiles; ++i) {
        const ct_verify_mma_job job = {tiles[i].mma, {NULL, NULL}, NULL};
        ct_verify_mma_report r;
        char message[CT_MESSAGE_BYTES];
        assert_int_equal(ct_verify_mma(&job, &r, message), CT_E_CAPACITY);
        assert_string_equal(message, tiles[i].message);
    }
    const ct_verify_mma_job failed = {
        mma_of("SM80_16x8x16_F32F16F16F32_TN", 0, 1, 1), {NULL, NULL}, NULL};
    ct_verify_mma_report r;
    char message[CT_MESSAGE_BYTES];
    assert_int_equal(ct_verify_mma(&failed, &r, message), failed.mma.atom.err.status);
}

GROUP("verify an MMA", NULL, NULL)
