/* ct_verify against a naive count of the same properties, over random thread-value layouts, thread
 * and value layouts, shared layouts and accesses; planted faults, each of which must be found;
 * every counterexample is looked up in the layout that it speaks of. */
#include <cutlet/host/verify.h>
#include "all_cases.h"
#include "sweep.h"
#include "verify/holders.h"

enum { MOST = 4096 };

/* (thread, value) -> index in the tile, or -1 outside: the naive table. */
typedef struct table {
    int64_t threads, slots, size;
    int64_t thread[MOST], value[MOST], at[MOST]; /* of each hold */
    int64_t holds;
} table;

static table the_table;

static void table_of_tv(table *t, ct_layout tv, int64_t size)
{
    t->threads = oracle_size(ct_mode(tv, 0));
    t->slots = oracle_size(ct_mode(tv, 1));
    t->size = size;
    t->holds = 0;
    for (int64_t v = 0; v < t->slots; ++v) {
        for (int64_t thread = 0; thread < t->threads; ++thread) {
            t->thread[t->holds] = thread;
            t->value[t->holds] = v;
            t->at[t->holds++] = oracle_eval(tv, v * t->threads + thread);
        }
    }
}

static int inside(const table *t, int64_t i) { return t->at[i] >= 0 && t->at[i] < t->size; }

static int times_held(const table *t, int64_t at)
{
    int n = 0;
    for (int64_t i = 0; i < t->holds; ++i) n += t->at[i] == at;
    return n;
}

static int holds(const table *t, int64_t thread, int64_t at)
{
    for (int64_t i = 0; i < t->holds; ++i) {
        if (t->thread[i] == thread && t->at[i] == at) return 1;
    }
    return 0;
}

static int naive_cover(const table *t)
{
    for (int64_t i = 0; i < t->holds; ++i) {
        if (!inside(t, i)) return 0;
        for (int64_t k = 0; k < i; ++k) {
            if (t->thread[i] == t->thread[k] && t->value[i] == t->value[k]) return 0;
        }
    }
    for (int64_t at = 0; at < t->size; ++at) {
        if (times_held(t, at) != 1) return 0;
    }
    return 1;
}

/* How many are wrong of the first kind that there is: values of two elements, indices outside,
   elements held more than once, elements left out. */
static int64_t naive_cover_count(const table *t)
{
    int64_t ambiguous = 0, outside = 0, twice = 0, missing = 0;
    for (int64_t i = 0; i < t->holds; ++i) {
        int before = 0;
        for (int64_t k = 0; k < i; ++k)
            before += t->thread[i] == t->thread[k] && t->value[i] == t->value[k];
        ambiguous += before == 1;
        outside += !inside(t, i);
    }
    for (int64_t at = 0; at < t->size; ++at) {
        twice += times_held(t, at) > 1;
        missing += times_held(t, at) == 0;
    }
    return ambiguous ? ambiguous : outside ? outside : twice ? twice : missing;
}

static int naive_writes(const table *t)
{
    for (int64_t at = 0; at < t->size; ++at) {
        if (times_held(t, at) > 1) return 0;
    }
    return 1;
}

/* How many threads have no element that no other thread holds. */
static int64_t naive_idle(const table *t)
{
    int64_t idle = 0;
    for (int64_t thread = 0; thread < t->threads; ++thread) {
        int own = 0;
        for (int64_t at = 0; at < t->size && !own; ++at) {
            int others = 0;
            if (!holds(t, thread, at)) continue;
            for (int64_t i = 0; i < t->holds; ++i)
                others |= t->at[i] == at && t->thread[i] != thread;
            own = !others;
        }
        idle += !own;
    }
    return idle;
}

static int same_elements(const table *t, int64_t a, int64_t b)
{
    int any = 0;
    for (int64_t at = 0; at < t->size; ++at) {
        if (holds(t, a, at) != holds(t, b, at)) return 0;
        any |= holds(t, a, at);
    }
    return any;
}

static int naive_doubled(const table *t)
{
    for (int64_t a = 0; a < t->threads; ++a) {
        for (int64_t b = 0; b < a; ++b) {
            if (same_elements(t, a, b)) return 1;
        }
    }
    return 0;
}

/* ---- counterexamples ------------------------------------------------------------------------- */

/* Whether thread and value of side k of the counterexample are at its offset, in the table. */
static void holder_is_real(const table *t, const ct_verify_finding *f, int k)
{
    int found = 0;
    for (int64_t i = 0; i < t->holds; ++i)
        found |= t->thread[i] == f->thread[k] && t->value[i] == f->value[k] &&
                 (t->at[i] == f->offset[k] || (f->offset[k] == CT_INVALID && !inside(t, i)));
    if (!found) print_error("%s\n", f->text);
    assert_true(found);
}

static void cover_is_real(const table *t, const ct_verify_finding *f)
{
    if (f->thread[0] < 0) { /* left out */
        assert_int_equal(times_held(t, f->offset[0]), 0);
        return;
    }
    holder_is_real(t, f, 0);
    if (f->thread[1] < 0) { /* outside */
        assert_true(f->offset[0] < 0 || f->offset[0] >= t->size);
        return;
    }
    holder_is_real(t, f, 1);
    const int same_value = f->thread[0] == f->thread[1] && f->value[0] == f->value[1];
    assert_true(same_value ? f->offset[0] != f->offset[1] : f->offset[0] == f->offset[1]);
}

static void check_findings(const table *t, const ct_verify_report *r)
{
    const ct_verify_finding *of = r->of;
    assert_int_equal(of[CT_VERIFY_COVER].state == CT_VERIFY_OK, naive_cover(t));
    assert_int_equal(of[CT_VERIFY_COVER].bad, naive_cover_count(t));
    assert_int_equal(of[CT_VERIFY_WRITES].state == CT_VERIFY_OK, naive_writes(t));
    assert_int_equal(of[CT_VERIFY_IDLE].bad, naive_idle(t));
    assert_int_equal(of[CT_VERIFY_DOUBLED].state == CT_VERIFY_FAILED, naive_doubled(t));
    if (of[CT_VERIFY_COVER].bad) cover_is_real(t, &of[CT_VERIFY_COVER]);
    if (of[CT_VERIFY_WRITES].bad) {
        holder_is_real(t, &of[CT_VERIFY_WRITES], 0);
        holder_is_real(t, &of[CT_VERIFY_WRITES], 1);
        assert_int_equal(of[CT_VERIFY_WRITES].offset[0], of[CT_VERIFY_WRITES].offset[1]);
    }
    if (of[CT_VERIFY_DOUBLED].bad) {
        assert_int_not_equal(of[CT_VERIFY_DOUBLED].thread[0], of[CT_VERIFY_DOUBLED].thread[1]);
        assert_true(
            same_elements(t, of[CT_VERIFY_DOUBLED].thread[0], of[CT_VERIFY_DOUBLED].thread[1]));
    }
    int failed = 0;
    for (int p = 0; p < CT_VERIFY_PROPERTIES; ++p) {
        failed += of[p].state == CT_VERIFY_FAILED;
        assert_int_equal(of[p].state == CT_VERIFY_FAILED, of[p].bad > 0);
        assert_int_equal(of[p].state != CT_VERIFY_SKIPPED, of[p].text[0] != 0);
    }
    assert_int_equal(r->failed, failed);
}

static void verify_tv(ct_layout tv, ct_tuple tile, ct_verify_report *r)
{
    char message[CT_MESSAGE_BYTES] = "";
    const ct_verify_job job = ct_verify_of_tv(tv, tile, 16);
    const int bad = ct_verify(&job, r, message);
    if (bad) print_error("%s: %s\n", show(tv), message);
    assert_int_equal(bad, 0);
    table_of_tv(&the_table, tv, ct_product(tile));
    check_findings(&the_table, r);
}

/* ---- random layouts -------------------------------------------------------------------------- */

TEST(random_tv_layouts)
{
    int failed[CT_VERIFY_PROPERTIES] = {0}, right = 0;
    ct_verify_report r;
    sweep_seed(20260101);
    for (int i = 0; i < 1200; ++i) {
        const int style = i % 4 == 3 ? DICE_NEGATIVE : i % 3;
        ct_layout all = dice_layout(&sweep_dice, 5, 64, style);
        const int cut = (int)sweep_int(0, all.profile.leaves); /* leaves of the threads */
        const ct_span a = {0, cut}, b = {cut, all.profile.leaves - cut};
        const ct_layout thr =
            cut == 0 ? ct_layout1(1, 0) : ct_layout_part(all, a, ct_profile_flat(cut));
        const ct_layout val =
            b.count == 0 ? ct_layout1(1, 0) : ct_layout_part(all, b, ct_profile_flat(b.count));
        const ct_layout tv = ct_make_layout2(thr, val);
        const int64_t size = oracle_size(tv);
        const ct_tuple tile = i % 2           ? ct_tuple1(size)
                              : size % 2 == 0 ? ct_tuple2(2, size / 2)
                                              : ct_tuple2(size + 1, 1);
        verify_tv(tv, tile, &r);
        for (int p = 0; p < CT_VERIFY_PROPERTIES; ++p)
            failed[p] += r.of[p].state == CT_VERIFY_FAILED;
        right += r.failed == 0;
    }
    for (int p = CT_VERIFY_COVER; p <= CT_VERIFY_DOUBLED; ++p) assert_true(failed[p] > 20);
    assert_true(right > 50);
}

/* Tiled copies are right; with one stride of the tv changed they are not, and it is found. */
TEST(planted_faults)
{
    static const char *const pairs[][2] = {{"(4,8):(8,1)", "(1,2):(1,1)"},
                                           {"(8,4):(4,1)", "(2,2):(2,1)"},
                                           {"(4,8):(1,4)", "(2,4):(1,2)"},
                                           {"16:1", "4:1"},
                                           {"((2,4),4):((16,1),4)", "((2,2),1):((2,1),1)"},
                                           {"(2,2,4):(8,4,1)", "(2,1,2):(1,1,2)"}};
    ct_verify_report r;
    int planted = 0;
    for (size_t p = 0; p < sizeof pairs / sizeof *pairs; ++p) {
        const ct_copy_atom atom = ct_copy_atom_universal(16, 16);
        const ct_tiled_copy copy = ct_make_tiled_copy(atom, L_(pairs[p][0]), L_(pairs[p][1]));
        verify_tv(copy.tv, ct_tiled_copy_shape(copy), &r);
        assert_int_equal(r.failed, 0);
        for (int leaf = 0; leaf < copy.tv.profile.leaves; ++leaf) {
            for (int64_t d = -2; d <= 2; ++d) {
                ct_layout wrong = copy.tv;
                wrong.stride[leaf] += d;
                if (d == 0 || wrong.shape[leaf] == 1) continue;
                verify_tv(wrong, ct_tiled_copy_shape(copy), &r);
                assert_int_equal(r.of[CT_VERIFY_COVER].state, CT_VERIFY_FAILED);
                ++planted;
            }
        }
    }
    assert_true(planted > 60);
}

/* ---- thread and value layouts ---------------------------------------------------------------- */

/* The table of blocks: every place of every thread's block, in each repetition. */
static void table_of_blocks(table *t, ct_layout thr, ct_layout val, const int64_t tile[2])
{
    const int64_t tm = oracle_size(ct_mode(thr, 0)), tn = oracle_size(ct_mode(thr, 1));
    const int64_t vm = oracle_size(ct_mode(val, 0)), vn = oracle_size(ct_mode(val, 1));
    int64_t most_thread = 0, most_value = 0;
    for (int64_t i = 0; i < tm * tn; ++i) most_thread = ct_max(most_thread, oracle_eval(thr, i));
    for (int64_t i = 0; i < vm * vn; ++i) most_value = ct_max(most_value, oracle_eval(val, i));
    const int64_t rm = (tile[0] + tm * vm - 1) / (tm * vm),
                  rn = (tile[1] + tn * vn - 1) / (tn * vn);
    t->threads = most_thread + 1;
    t->size = tile[0] * tile[1];
    t->holds = 0;
    for (int64_t m = 0; m < rm * tm * vm; ++m) {
        for (int64_t n = 0; n < rn * tn * vn; ++n) {
            const int64_t repeat = m / (tm * vm) + rm * (n / (tn * vn));
            t->thread[t->holds] = oracle_eval(thr, m / vm % tm + tm * (n / vn % tn));
            t->value[t->holds] =
                oracle_eval(val, m % vm + vm * (n % vn)) + repeat * (most_value + 1);
            t->at[t->holds++] = m < tile[0] && n < tile[1] ? m + tile[0] * n : -1;
        }
    }
}

TEST(random_blocks)
{
    char message[CT_MESSAGE_BYTES];
    ct_verify_report r;
    int refused_and_found = 0, right = 0;
    sweep_seed(20260102);
    for (int i = 0; i < 800; ++i) {
        const int64_t a = sweep_int(1, 4), b = sweep_int(1, 4), c = sweep_int(1, 3);
        const int64_t d = sweep_int(1, 3);
        const int wild = i % 2;
        const ct_layout thr =
            wild ? ct_layout2(a, b, sweep_int(0, 4), sweep_int(0, 4)) : ct_layout2(a, b, b, 1);
        const ct_layout val = i % 3 == 0 ? ct_layout2(c, d, sweep_int(0, 3), sweep_int(0, 3))
                                         : ct_layout2(c, d, 1, c);
        const int64_t tile[2] = {a * c * sweep_int(1, 2) + (i % 7 == 0), b * d * sweep_int(1, 2)};
        const ct_verify_job job = ct_verify_of_blocks(thr, val, ct_tuple2(tile[0], tile[1]), 16);
        assert_int_equal(ct_verify(&job, &r, message), 0);
        table_of_blocks(&the_table, thr, val, tile);
        assert_int_equal(r.threads, the_table.threads);
        check_findings(&the_table, &r);
        right += r.failed == 0;
        const ct_tiled_copy copy = ct_make_tiled_copy(ct_copy_atom_universal(16, 16), thr, val);
        if (copy.atom.err.status == CT_OK) {
            assert_int_equal(r.failed == 0, tile[0] % (a * c) == 0);
        } else refused_and_found += r.failed > 0;
    }
    assert_true(right > 100);
    assert_true(refused_and_found > 200);
}

/* ---- memory ---------------------------------------------------------------------------------- */

static int64_t naive_offset(ct_tensor c, int64_t i)
{
    const int64_t x = c.offset.value[0] + oracle_eval(c.layout, i);
    int64_t y = x;
    for (int b = 0; b < c.swizzle.bits; ++b) { /* each bit of the field by itself */
        const int from = c.swizzle.base + b + (c.swizzle.shift > 0 ? c.swizzle.shift : 0);
        const int to = from - c.swizzle.shift;
        if (x >> from & 1) y ^= (int64_t)1 << to;
    }
    return y;
}

TEST(random_shared)
{
    char message[CT_MESSAGE_BYTES];
    int aliased = 0, outside = 0, right = 0;
    sweep_seed(20260103);
    for (int i = 0; i < 900; ++i) {
        const ct_layout L = dice_layout(&sweep_dice, 4, 128, i % 3);
        const int bits = i % 4 ? (int)sweep_int(0, 2) : 0;
        const ct_tensor c = ct_make_swizzled(
            ct_make_swizzle(bits, (int)sweep_int(0, 3), bits + (int)sweep_int(0, 2)),
            sweep_int(0, 3), L);
        const int64_t n = oracle_size(L), bytes = i % 5 ? 2 * sweep_int(1, 2 * n) : 0;
        ct_verify_job job = ct_verify_of_tv(ct_layout2(1, 1, 0, 0), ct_tuple1(1), 16);
        ct_verify_report r;
        int64_t twice = 0, past = 0;
        job.shared = &c;
        job.shared_bytes = bytes;
        assert_int_equal(ct_verify(&job, &r, message), 0);
        const ct_verify_finding *f = &r.of[CT_VERIFY_SHARED];
        for (int64_t k = 0; k < n; ++k) {
            int before = 0;
            for (int64_t j = 0; j < n; ++j)
                before += naive_offset(c, j) == naive_offset(c, k) && j < k;
            twice += before == 1;
            past += bytes && naive_offset(c, k) >= bytes / 2;
        }
        assert_int_equal(f->bad, twice ? twice : past);
        if (twice || past) { /* the elements that are named do lie there */
            for (int k = 0; k < (twice ? 2 : 1); ++k) {
                const ct_tuple at = ct_tensor_at(c, f->coord[k]);
                assert_int_equal(at.err.status, CT_OK);
                assert_int_equal(at.value[0], f->offset[k]);
            }
            if (twice) assert_false(ct_tuple_equal(f->coord[0], f->coord[1]));
            else assert_true(f->offset[0] >= bytes / 2);
        }
        aliased += twice > 0;
        outside += !twice && past;
        right += !twice && !past;
    }
    assert_true(aliased > 50 && outside > 50 && right > 50);
}

/* Accesses of a tensor, tile by tile, each value looked at by its coordinate. */
static void naive_accesses(ct_layout tv, const int64_t tile[2], ct_tensor c, int64_t n,
                           int64_t *whole, int64_t *bad)
{
    const int64_t threads = oracle_size(ct_mode(tv, 0)), values = oracle_size(ct_mode(tv, 1));
    const int64_t em = oracle_size(ct_mode(c.layout, 0)), en = oracle_size(ct_mode(c.layout, 1));
    *whole = *bad = 0;
    for (int64_t om = 0; om < em; om += tile[0])
        for (int64_t on = 0; on < en; on += tile[1])
            for (int64_t t = 0; t < threads; ++t)
                for (int64_t v = 0; v < values; v += n) {
                    int in = 1, ok = 1;
                    int64_t first = 0;
                    for (int64_t k = 0; k < n && in; ++k) {
                        const int64_t at = oracle_eval(tv, t + threads * (v + k));
                        const int64_t m = om + at % tile[0], col = on + at / tile[0];
                        in = m < em && col < en;
                        if (!in) break;
                        const int64_t offset = naive_offset(c, m + em * col);
                        if (k == 0) first = offset;
                        ok &= offset == first + k && first % n == 0;
                    }
                    *whole += in;
                    *bad += in && !ok;
                }
}

TEST(random_accesses)
{
    char message[CT_MESSAGE_BYTES];
    int wrong = 0, right = 0, ragged = 0;
    sweep_seed(20260104);
    for (int i = 0; i < 400; ++i) {
        const int64_t n = (int64_t)1 << sweep_int(0, 3);
        const int along = i % 3 != 0;
        const ct_layout val = along ? ct_layout2(1, n, 1, 1) : ct_layout2(n, 1, 1, n);
        const ct_copy_atom atom = ct_copy_atom_universal((int32_t)(16 * n), 16);
        const ct_tiled_copy copy = ct_make_tiled_copy(atom, ct_layout2(4, 2, 2, 1), val);
        const int64_t em = sweep_int(1, 20), en = sweep_int(1, 40), ld = en + sweep_int(0, 8);
        const int bits = i % 5 == 0 ? 2 : 0;
        const ct_tensor c = ct_make_swizzled(ct_make_swizzle(bits, (int)sweep_int(0, 3), 3), 0,
                                             i % 4 ? ct_layout2(em, en, (ld + 7) / 8 * 8, 1)
                                                   : ct_layout2(em, en, ld, 1));
        const int64_t tile[2] = {ct_tiled_copy_shape(copy).value[0],
                                 ct_tiled_copy_shape(copy).value[1]};
        int64_t whole, bad;
        ct_verify_report r;
        ct_verify_job job = ct_verify_of_copy(&copy);
        job.src = &c;
        assert_int_equal(ct_verify(&job, &r, message), 0);
        naive_accesses(copy.tv, tile, c, n, &whole, &bad);
        const ct_verify_finding *f = &r.of[CT_VERIFY_SRC_ACCESS];
        assert_int_equal(f->bad, bad);
        assert_true(f->count >= whole);
        ragged += f->count > whole;
        wrong += bad > 0;
        right += bad == 0;
        for (int k = 0; bad && k < 1 + (f->thread[1] >= 0); ++k)
            assert_int_equal(ct_tensor_at(c, f->coord[k]).value[0], f->offset[k]);
        job.src_align = 1; /* an access of more than a byte needs more */
        assert_int_equal(ct_verify(&job, &r, message), 0);
        assert_int_equal(r.of[CT_VERIFY_SRC_ACCESS].state == CT_VERIFY_FAILED, whole > 0);
    }
    assert_true(wrong > 50 && right > 50 && ragged > 50);
}

/* Two elements of a destination at one offset. */
TEST(writes_to_one_place)
{
    char message[CT_MESSAGE_BYTES];
    sweep_seed(20260105);
    int wrong = 0, right = 0;
    for (int i = 0; i < 300; ++i) {
        const ct_tiled_copy copy = ct_make_tiled_copy(
            ct_copy_atom_universal(16, 16), ct_layout2(2, 2, 2, 1), ct_layout2(1, 2, 1, 1));
        const ct_tensor c = ct_make_swizzled(
            ct_swizzle_none(), 0,
            ct_layout2(sweep_int(1, 6), sweep_int(1, 6), sweep_int(0, 8), sweep_int(0, 8)));
        const int64_t n = oracle_size(c.layout);
        int64_t twice = 0;
        ct_verify_report r;
        ct_verify_job job = ct_verify_of_copy(&copy);
        job.dst = &c;
        assert_int_equal(ct_verify(&job, &r, message), 0);
        for (int64_t k = 0; k < n; ++k) {
            int before = 0;
            for (int64_t j = 0; j < k; ++j)
                before += oracle_eval(c.layout, j) == oracle_eval(c.layout, k);
            twice += before == 1;
        }
        assert_int_equal(r.of[CT_VERIFY_WRITES].bad, twice);
        assert_int_equal(r.of[CT_VERIFY_COVER].bad, 0);
        wrong += twice > 0;
        right += twice == 0;
    }
    assert_true(wrong > 30 && right > 30);
}

/* Three modes: each element of the tensor is written once, in runs; with two elements at one offset
   there are as many faults as there are pairs. */
TEST(three_modes)
{
    char message[CT_MESSAGE_BYTES];
    const ct_tiled_copy copy = ct_make_tiled_copy(ct_copy_atom_universal(32, 16),
                                                  L_("(2,2,2):(1,2,4)"), L_("(1,3,2):(1,2,1)"));
    const struct {
        const char *dst;
        int64_t writes, accesses, cut, twice, wrong;
    } rows[] = {
        {"(5,7,8):(56,8,1)", 280, 140, 0, 0, 0},
        {"(5,7,7):(56,8,1)", 245, 105, 35, 0, 0},
        {"(5,7,8):(8,40,1)", 280, 140, 0, 0, 0},
        {"(5,7,8):(57,8,1)", 280, 140, 0, 0, 56}, /* rows 1 and 3 begin at odd offsets */
        {"(2,7,8):(0,8,1)", 112, 56, 0, 56, 0},
        {"(5,7,8):(1,5,35)", 280, 140, 0, 0, 140},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        const ct_tensor c = ct_make_swizzled(ct_swizzle_none(), 0, L_(rows[i].dst));
        ct_verify_report r;
        ct_verify_job job = ct_verify_of_copy(&copy);
        job.dst = &c;
        assert_int_equal(ct_verify(&job, &r, message), 0);
        assert_int_equal(r.of[CT_VERIFY_COVER].bad, 0);
        assert_int_equal(r.of[CT_VERIFY_WRITES].count, rows[i].writes);
        assert_int_equal(r.of[CT_VERIFY_WRITES].bad, rows[i].twice);
        assert_int_equal(r.of[CT_VERIFY_DST_ACCESS].count, rows[i].accesses + rows[i].cut);
        assert_int_equal(r.of[CT_VERIFY_DST_ACCESS].bad, rows[i].wrong);
    }
}

/* What is found in a copy of an operand of a tiled MMA, and in copies that are wrong in one number:
 * `cover` holds where and only where each element has this many threads. */
static int check_copy_of_mma(const ct_tiled_copy *c, const char *name)
{
    static ct_verify_report r;
    char message[CT_MESSAGE_BYTES];
    const int64_t n = ct_product(ct_tiled_copy_shape(*c));
    const ct_tensor tile = ct_make_tensor(ct_make_col_major(ct_tiled_copy_shape(*c)));
    ct_verify_job job = ct_verify_of_copy(c);
    int wrong = 0;
    LAW(law_mma_copy(c), name, show(c->tv));
    assert_int_equal(ct_verify(&job, &r, message), CT_OK);
    if (r.failed || n > ORACLE_MAX) fail_msg("%s: %d fail", name, (int)r.failed);
    job.dst = &tile; /* in memory, several threads would write one place; registers are their own */
    assert_int_equal(ct_verify(&job, &r, message), CT_OK);
    const int twice = c->copies > 1 && !job.dst_registers;
    assert_int_equal(r.of[CT_VERIFY_WRITES].state, twice ? CT_VERIFY_FAILED : CT_VERIFY_OK);
    job.dst = NULL;
    for (int i = 0; i <= 2 * c->tv.profile.leaves; ++i) {
        ct_tiled_copy other = *c;
        const int leaf = i / 2;
        if (i == 2 * c->tv.profile.leaves) other.copies = c->copies + 1;
        else if (c->tv.shape[leaf] == 1) continue;
        else if (i % 2) other.tv.stride[leaf] = c->tv.stride[leaf] ? 0 : 1;
        else other.tv.stride[leaf] += 1;
        job = ct_verify_of_copy(&other);
        job.tv = other.tv; /* the atom's sides may have no layout any more */
        assert_int_equal(ct_verify(&job, &r, message), CT_OK);
        const int bad = law_mma_copy(&other) != NULL;
        assert_int_equal(r.of[CT_VERIFY_COVER].state, bad ? CT_VERIFY_FAILED : CT_VERIFY_OK);
        wrong += bad;
    }
    return wrong;
}

/* ldmatrix, stmatrix and accesses of their own for the operands of tiled MMAs. */
TEST(copies_of_tiled_mmas)
{
    /* clang-format off */
    static const char *const names[] = {
        "SM80_16x8x16_F32F16F16F32_TN", "SM75_16x8x8_F32F16F16F32_TN", "SM80_16x8x8_F32TF32TF32F32_TN",
        "SM80_16x8x32_S32S8S8S32_TN", "SM80_SPARSE_16x8x32_F32F16F16F32_TN", "SM80_8x8x4_F64F64F64F64_TN",
        "SM90_64x16x16_F32F16F16_RS", "SM70_8x8x4_F32F16F16F32_TN", "universal_fma"};
    static const char *const atoms[] = {"(1,1)", "(2,1)", "(1,2)", "(2,2):(2,1)", "(4,1)", "(1,1,2)"};
    const ct_copy_atom atom[] = {
        ct_copy_atom_matrix(CT_ATOM_LDMATRIX, 1, 16), ct_copy_atom_matrix(CT_ATOM_LDMATRIX, 2, 16),
        ct_copy_atom_matrix(CT_ATOM_LDMATRIX, 4, 16), ct_copy_atom_matrix(CT_ATOM_LDMATRIX_TRANS, 1, 16),
        ct_copy_atom_matrix(CT_ATOM_LDMATRIX_TRANS, 2, 16), ct_copy_atom_matrix(CT_ATOM_LDMATRIX_TRANS, 4, 16),
        ct_copy_atom_matrix(CT_ATOM_STMATRIX, 1, 16), ct_copy_atom_matrix(CT_ATOM_STMATRIX, 2, 16),
        ct_copy_atom_matrix(CT_ATOM_STMATRIX, 4, 16), ct_copy_atom_matrix(CT_ATOM_STMATRIX_TRANS, 2, 16),
        ct_copy_atom_matrix(CT_ATOM_LDMATRIX, 2, 32), ct_copy_atom_matrix(CT_ATOM_LDMATRIX, 4, 8),
        ct_copy_atom_auto(16), ct_copy_atom_universal(32, 16)};
    /* clang-format on */
    enum { ATOMS = sizeof atom / sizeof *atom };
    int made = 0, wrong = 0, several = 0;
    for (int i = 0; i < 9 * 6 * 2 * ATOMS * 3; ++i) {
        const int at = i / 3 % ATOMS, rest = i / 3 / ATOMS, operand = i % 3;
        const ct_mma_atom mma = ct_make_mma_atom(names[rest % 9]);
        const ct_tiled_mma one = ct_make_tiled_mma(mma, L_(atoms[rest / 9 % 6]), ct_tiler0());
        ct_tuple tile = ct_tiled_mma_shape(one);
        if (rest / 54 % 2 == 1) tile.value[1] *= 2; /* a larger tile: more values */
        const ct_tiled_mma t = ct_make_tiled_mma(mma, one.atoms, ct_tiler_of_shape(tile));
        const ct_tiled_copy c = ct_make_tiled_copy_mma(atom[at], t, operand);
        if (c.atom.err.status || ct_product(ct_tiled_copy_shape(c)) > ORACLE_MAX) continue;
        if (!all_cases() && i % 23 != 0) continue;
        ++made;
        several += c.copies > 1;
        wrong += check_copy_of_mma(&c, names[rest % 9]);
    }
    print_message("%d copies, %d of them by several threads, %d wrong ones\n", made, several,
                  wrong);
    assert_true(made > 80 && several > 20 && wrong > 600);
}

/* The job is refused with a status, by this line. */
static void refused(ct_verify_job job, ct_status status, const char *line)
{
    char message[CT_MESSAGE_BYTES] = "";
    ct_verify_report r;
    const ct_status bad = ct_verify(&job, &r, message);
    assert_string_equal(message, line);
    assert_int_equal(bad, status);
}

TEST(refused_operands)
{
    const struct {
        const char *tv;
        int64_t tile;
        int32_t access_bits;
        ct_status status;
        const char *line;
    } rows[] = {
        {"8:1", 8, 16, CT_E_ARGUMENT,
         "a thread-value layout has two modes, (thread, value), and integer strides; this one has 1"},
        {"(4,2):(1@0,1@1)", 8, 16, CT_E_ARGUMENT,
         "a thread-value layout has two modes, (thread, value), and integer strides; this one has 2"},
        {"(2000000,4):(1,2000000)", 8, 16, CT_E_CAPACITY,
         "more than 4194304 pairs of thread and value are too many to enumerate"},
        {"(4,2):(1,4)", 0, 16, CT_E_ARGUMENT,
         "the tile is a shape of up to 4194304 elements, each mode at least 1"},
        {"(4,2):(1,4)", 8, 24, CT_E_ARGUMENT,
         "an access is a whole number of elements, each of at least 1 bit"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        ct_verify_job job = ct_verify_of_tv(L_(rows[i].tv), ct_int(rows[i].tile), 16);
        job.access_bits = rows[i].access_bits;
        refused(job, rows[i].status, rows[i].line);
    }
    const struct {
        const char *thr, *val;
        ct_tuple tile;
        ct_status status;
        const char *line;
    } blocks[] = {
        {"(4,2):(1,4)", "2:1", ct_int(8), CT_E_ARGUMENT,
         "the thread and value layouts have 2 modes, the tile has 1"},
        {"4:1@0", "2:1", ct_int(8), CT_E_ARGUMENT, "thread and value layouts have integer strides"},
        {"4:-1", "2:1", ct_int(8), CT_E_ARGUMENT, "there is no thread or value -3"},
        {"8000000:1", "2:1", ct_int(8), CT_E_CAPACITY,
         "more than 4194304 threads or values are too many to enumerate"},
        {"(4,1):(1,4)", "(1,2):(1,1)", ct_tuple2((int64_t)1 << 40, (int64_t)1 << 40), CT_E_CAPACITY,
         "the tile is too large to enumerate"},
    };
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; ++i)
        refused(ct_verify_of_blocks(L_(blocks[i].thr), L_(blocks[i].val), blocks[i].tile, 16),
                blocks[i].status, blocks[i].line);
}

/* What is wrong beside the thread-value layout. */
TEST(refused_memory)
{
    const ct_verify_job good = ct_verify_of_tv(L_("(4,2):(1,4)"), ct_int(8), 16);
    const ct_tensor eight = ct_make_tensor(L_("8:1"));
    ct_tensor far = eight;
    far.offset = ct_int(INT64_MAX - 3);
    ct_verify_job job = good;
    job.src_align = -1;
    refused(job, CT_E_ARGUMENT, "alignments and sizes are at least 1 byte");
    job = good, job.has_gaps = 1, job.src = &eight;
    refused(job, CT_E_ARGUMENT,
            "the tile skips coordinates of its tensor; verify it without layouts in memory");
    job = good, job.dst = &far;
    refused(job, CT_E_OVERFLOW, "an offset of the destination does not fit in 64 bits");
}

/* Two elements of one offset by the strides, against all offsets of a small layout. */
TEST(meet)
{
    int found = 0, counted = 0;
    for (int64_t i = 0; i < 1000; ++i) {
        dice d = dice_of_case(2029, (uint64_t)i);
        const ct_tensor memory = ct_make_tensor(dice_any(&d, 4, 200));
        const int64_t size = ct_size(memory.layout);
        ct_verify_side s;
        char message[CT_MESSAGE_BYTES];
        int64_t coord[2][CT_MAX_LEAVES], offsets, shared = 0, alias = 0;
        assert_int_equal(ct_side_make(&s, &memory, "destination", message), CT_OK);
        for (int64_t a = 0; a < size; ++a) {
            int before = 0, after = 0;
            for (int64_t b = 0; b < size; ++b)
                if (oracle_eval(memory.layout, a) == oracle_eval(memory.layout, b))
                    ++*(b < a ? &before : &after);
            alias |= before > 0;
            shared += before == 0 && after > 1;
        }
        assert_int_equal(ct_side_meet(&s, coord, &offsets), alias);
        if (alias) {
            assert_int_equal(ct_side_at(&s, coord[0]), ct_side_at(&s, coord[1]));
            assert_memory_not_equal(coord[0], coord[1], (size_t)s.rank * sizeof **coord);
            for (int k = 0; k < 2 * s.rank; ++k)
                assert_in_range(coord[k / s.rank][k % s.rank], 0, s.extent[k % s.rank] - 1);
        }
        if (offsets) assert_int_equal(offsets, shared);
        found += (int)alias;
        counted += offsets > 0;
        ct_side_free(&s);
    }
    assert_true(found > 100 && counted > 30);
}

GROUP("verify", NULL, NULL)
