/* The traffic of cp.async, both sides counted together: against the sums of what a visitor of the
 * copy is told, each instruction counted by the model; and against pictures that are known. */
#include "test.h"

#include <cutlet/host/traffic.h>

#include "dice.h"

enum { CASES = 400 };

static dice rolls = {97};

static int64_t any(int64_t low, int64_t high) { return dice_int(&rolls, low, high); }

/* The sums that a visitor makes: of whole instructions by both sides, of pieces as they are. */
typedef struct sums {
    int64_t instructions, sectors, wavefronts, ideal, conflicts, at_least;
} sums;

static void visit(void *user, const ct_traffic_step *step)
{
    sums *const s = user;
    if (step->piece >= 0) {
        s->instructions += step->side == 0;
        s->sectors += step->count.sectors;
        s->wavefronts += step->count.wavefronts;
        s->ideal += step->count.ideal;
        s->conflicts += step->count.conflicts;
        return;
    }
    if (step->side == 1) return;
    const ct_access_count c = ct_count_access_by(NULL, &step->access, NULL);
    ++s->instructions;
    s->sectors += c.sectors;
    s->wavefronts += c.wavefronts;
    s->ideal += c.ideal;
    s->conflicts += c.conflicts;
    s->at_least += c.at_least;
}

/* A memory of (m,n): either mode contiguous, the other a multiple of 8 elements apart. */
static ct_tensor memory(int64_t m, int64_t n, int row, int64_t ld, ct_swizzle swizzle)
{
    return ct_make_swizzled(swizzle, 0, row ? ct_layout2(m, n, ld, 1) : ct_layout2(m, n, 1, ld));
}

static void check(ct_tiled_copy copy, ct_tuple shape, const ct_traffic_side *src,
                  const ct_traffic_side *dst)
{
    char message[CT_MESSAGE_BYTES] = "";
    ct_traffic a, b, one, other;
    sums s = {0};
    const int bad =
        ct_traffic_of_copy(copy, shape, src, dst, NULL, visit, &s, &one, &other, message);
    const int too = ct_traffic_of_async(copy, shape, src, dst, NULL, &a, &b, message);
    assert_int_equal(bad, too);
    if (bad) return;
    assert_int_equal(a.instructions, s.instructions);
    assert_int_equal(a.sectors, s.sectors);
    assert_int_equal(a.wavefronts + a.ideal + a.conflicts, 0);
    assert_int_equal(b.wavefronts, s.wavefronts);
    assert_int_equal(b.ideal, s.ideal);
    assert_int_equal(b.conflicts, s.conflicts);
    assert_int_equal(b.at_least, s.at_least);
    assert_int_equal(a.bytes_used, one.bytes_used);
    assert_int_equal(b.bytes_used, other.bytes_used);
}

TEST(test_random)
{
    static const int threads[][2] = {{32, 4}, {16, 8}, {8, 16}, {4, 8}, {1, 32}, {8, 6}};
    int counted = 0;
    for (int i = 0; i < CASES; ++i) {
        const int cg = (int)any(0, 1), row = (int)any(0, 1), dst_row = any(0, 3) ? row : !row;
        const int run = cg ? 8 : 1 << any(1, 3);
        const int *const t = threads[any(0, 5)];
        const ct_layout thr =
            any(0, 1) ? ct_layout2(t[0], t[1], t[1], 1) : ct_layout2(t[0], t[1], 1, t[0]);
        const ct_layout val = row ? ct_layout2(1, run, 1, 1) : ct_layout2(run, 1, 1, 1);
        const ct_tiled_copy copy = ct_make_tiled_copy(
            ct_copy_atom_cp_async(cg ? CT_ATOM_CP_ASYNC_CG : CT_ATOM_CP_ASYNC_CA, 16 * run, 16),
            thr, val);
        const int64_t m = t[0] * (row ? 1 : run), n = t[1] * (row ? run : 1);
        const int64_t M = any(0, 1) ? m * any(1, 3) : any(1, 3 * m);
        const int64_t N = any(0, 1) ? n * any(1, 3) : any(1, 3 * n);
        const ct_swizzle swizzle = any(0, 1) ? ct_swizzle_none() : ct_make_swizzle(3, 3, 3);
        const int64_t up = 8 * any(0, 2);
        const ct_traffic_side src = {
            cg ? CT_ACCESS_LDGSTS_CG : CT_ACCESS_LDGSTS, 16, 16 * any(0, 3),
            memory(M, N, row, (row ? N : M) / 8 * 8 + 8 + up, ct_swizzle_none())};
        const ct_traffic_side dst = {
            CT_ACCESS_STS, 16, 0, memory(m, n, dst_row, ((dst_row ? n : m) + 7) / 8 * 8, swizzle)};
        check(copy, ct_tuple2(M, N), &src, &dst);
        counted += dst_row == row;
    }
    assert_true(counted > CASES / 2);
}

/* Rows of 128 bytes to rows, swizzled: a wavefront for each. A column of words: 32 lanes read bank
 * 0 of L1. */
TEST(test_known)
{
    char message[CT_MESSAGE_BYTES];
    ct_traffic a, b;
    ct_tiled_copy copy = ct_make_tiled_copy(ct_copy_atom_cp_async(CT_ATOM_CP_ASYNC_CG, 128, 16),
                                            ct_layout2(16, 8, 8, 1), ct_layout2(1, 8, 1, 1));
    const ct_traffic_side rows = {CT_ACCESS_LDGSTS_CG, 16, 0,
                                  memory(64, 64, 1, 512, ct_swizzle_none())};
    const ct_traffic_side swizzled = {CT_ACCESS_STS, 16, 0,
                                      memory(16, 64, 1, 64, ct_make_swizzle(3, 3, 3))};
    assert_int_equal(
        ct_traffic_of_async(copy, ct_tuple2(64, 64), &rows, &swizzled, NULL, &a, &b, message), 0);
    assert_int_equal(a.sectors, 64 * 4);
    assert_int_equal(b.wavefronts, 64);
    assert_int_equal(b.at_least, 0);
    copy = ct_make_tiled_copy(ct_copy_atom_cp_async(CT_ATOM_CP_ASYNC_CA, 32, 32),
                              ct_layout2(1, 32, 1, 1), ct_layout2(1, 1, 1, 1));
    const ct_traffic_side columns = {CT_ACCESS_LDGSTS, 32, 0,
                                     memory(32, 32, 0, 1024, ct_swizzle_none())};
    const ct_traffic_side row = {CT_ACCESS_STS, 32, 0, memory(1, 32, 1, 32, ct_swizzle_none())};
    assert_int_equal(
        ct_traffic_of_async(copy, ct_tuple2(32, 32), &columns, &row, NULL, &a, &b, message), 0);
    assert_int_equal(b.wavefronts, 32 * 32);
    assert_int_equal(b.conflicts, 32 * 31);
    assert_int_equal(b.at_least, 32);
    assert_int_equal(a.at_least, 0);
}

TEST(test_refused)
{
    char message[CT_MESSAGE_BYTES];
    ct_traffic a, b;
    const ct_tiled_copy copy = ct_make_tiled_copy(ct_copy_atom_universal(128, 16),
                                                  ct_layout2(16, 8, 8, 1), ct_layout2(1, 8, 1, 1));
    const ct_traffic_side side = {CT_ACCESS_LDG, 16, 0, memory(64, 64, 1, 64, ct_swizzle_none())};
    assert_int_equal(
        ct_traffic_of_async(copy, ct_tuple2(64, 64), &side, &side, NULL, &a, &b, message),
        CT_E_ARGUMENT);
    assert_string_equal(message, "the atom is not a cp.async");
}

GROUP("traffic_async", NULL, NULL)
