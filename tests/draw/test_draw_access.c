/* Pictures of accesses: their cells are read back and compared with the bytes that the lanes touch
 * and with the wavefronts of the access model. */
#include "test.h"

#include <cutlet/cutlet.h>
#include <cutlet/host/draw_access.h>
#include <cutlet/host/text.h>
#include "dice.h"
#include "svg_check.h"

enum { LANES = 32, BANKS = 32, WORD = 4, SECTOR = 32, LINE = 128, CASES = 400 };

static const int32_t shared_kinds[] = {CT_ACCESS_LDS, CT_ACCESS_STS, CT_ACCESS_LDSM,
                                       CT_ACCESS_STSM};
static const int32_t global_kinds[] = {CT_ACCESS_LDG, CT_ACCESS_STG, CT_ACCESS_LDGSTS,
                                       CT_ACCESS_LDGSTS_CG};

/* An access of a kind: lanes in order, apart by a stride, anywhere, or together; some are off. */
static ct_access any_access(dice *d, int32_t kind)
{
    ct_access a = {.kind = kind};
    while (!ct_access_has_width(kind, a.bits)) a.bits = 8 << dice_next(d) % 6;
    const int64_t width = a.bits / 8, first = width * (int64_t)(dice_next(d) % 64);
    const int how = (int)(dice_next(d) % 5), off = (int)(dice_next(d) % 4);
    const int64_t step = width * (int64_t)(1 << dice_next(d) % 8);
    const int64_t far = dice_next(d) % 8 == 0 ? (int64_t)1 << 40 : 0;
    for (int t = 0; t < LANES; ++t) {
        const int64_t at[5] = {t * step, t / 4 * step, t % 4 * step, 0,
                               width * (int64_t)(dice_next(d) % 4096)};
        a.offset[t] = far + first + at[how];
        a.shared[t] = CT_LANE_OFF;
        if (off == 0 && t > 0 && dice_next(d) % 2) a.offset[t] = CT_LANE_OFF;
    }
    return a;
}

static int is_on(const ct_access *a, int lane) { return a->offset[lane] != CT_LANE_OFF; }

/* The fill of a cell: `f12`; -1 for a cell without one. */
static int fill_of(const svg_item *cell)
{
    return cell->class[0] == 'f' ? atoi(cell->class + 1) : -1;
}

static void expect_cell(const svg_item *cell, const char *label, int fill, const char *what,
                        int row, int col)
{
    if (strcmp(cell->label, label) != 0 || fill_of(cell) != fill)
        fail_msg("%s: cell %d, %d is `%s` in %s, not `%s` in f%d", what, row, col, cell->label,
                 cell->class, label, fill);
}

/* ---- banks ------------------------------------------------------------------------------------ */

/* The row of shared memory whose word a lane asks of a bank; -1 for none: byte by byte. */
static int64_t row_asked(const ct_access *a, int lane, int bank)
{
    if (!is_on(a, lane)) return -1;
    for (int64_t byte = a->offset[lane]; byte < a->offset[lane] + a->bits / 8; ++byte)
        if (byte / WORD % BANKS == bank) return byte / (WORD * BANKS);
    return -1;
}

/* The first row of which a number stands in the cells, where they count from byte 0 only while they
 * are short. */
static int64_t row_zero(const ct_access *a)
{
    int64_t low = INT64_MAX, high = 0;
    for (int t = 0; t < LANES; ++t) {
        if (!is_on(a, t)) continue;
        low = ct_min(low, a->offset[t] / (WORD * BANKS));
        high = ct_max(high, a->offset[t] / (WORD * BANKS));
    }
    return high > 9999 ? low : 0;
}

/* Cells [first + row * step] of a grid of lanes. */
static void check_lanes(const svg_item *cell, int step, const ct_access *a,
                        const ct_access_detail *d)
{
    char label[32];
    for (int t = 0; t < LANES; ++t)
        for (int bank = 0; bank < BANKS; ++bank) {
            const int64_t row = row_asked(a, t, bank);
            snprintf(label, sizeof label, "%lld", (long long)(row - row_zero(a)));
            expect_cell(&cell[t * step + bank], row < 0 ? "" : label,
                        row < 0 ? -1 : d->wavefront[t], "lanes", t, bank);
        }
}

/* The cells of a grid of wavefronts: each names its first lane and how many more share the word. */
static void check_wavefronts(const svg_item *cell, const ct_access *a, const ct_access_detail *d,
                             int wavefronts)
{
    for (int w = 0; w < wavefronts; ++w)
        for (int bank = 0; bank < BANKS; ++bank) {
            char label[32] = "";
            int first = -1, more = 0;
            for (int t = 0; t < LANES; ++t) {
                if (d->wavefront[t] != w || row_asked(a, t, bank) < 0) continue;
                if (first < 0) first = t;
                else ++more;
            }
            if (first >= 0) snprintf(label, sizeof label, more ? "%d+%d" : "%d", first, more);
            expect_cell(&cell[w * BANKS + bank], label, first < 0 ? -1 : w, "wavefronts", w, bank);
        }
}

static void expect_words(const char *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void expect_words(const char *text, const char *format, ...)
{
    char words[160];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    if (!strstr(text, words)) fail_msg("`%s` is not in the picture", words);
}

TEST(test_banks)
{
    for (uint64_t i = 0; i < CASES; ++i) {
        dice d = dice_of_case(7, i);
        const ct_access a = any_access(&d, shared_kinds[i % 4]);
        ct_access_detail detail;
        const ct_access_count count = ct_count_access_by(NULL, &a, &detail);
        ct_picture *p = ct_picture_banks(NULL, &a, NULL, error);
        char *text;
        svg s = read_svg("banks", p, NULL, &text);
        assert_int_equal(cells_in_order(&s), BANKS * (LANES + count.wavefronts));
        check_lanes(s.rect, BANKS, &a, &detail);
        check_wavefronts(s.rect + LANES * BANKS, &a, &detail, count.wavefronts);
        expect_words(text, "%d wavefront%s, ", count.wavefronts, count.wavefronts == 1 ? "" : "s");
        if (count.conflicts)
            expect_words(text, "%d conflict%s; ", count.conflicts, count.conflicts == 1 ? "" : "s");
        else expect_words(text, "no conflict; ");
        expect_words(text, "; %d would do", count.wavefronts - count.conflicts);
        svg_free(&s);
        free(text);
        ct_picture_free(p);
    }
}

/* The colours that the cells of the lanes have are as many as the wavefronts. */
static int colours(const svg *s, int cells)
{
    char seen[CT_DRAW_THREADS + CT_DRAW_RAMP + 1] = {0};
    int count = 0;
    for (int i = 0; i < cells; ++i)
        if (fill_of(&s->rect[i]) >= 0) seen[fill_of(&s->rect[i])] = 1;
    for (size_t i = 0; i < sizeof seen; ++i) count += seen[i];
    return count;
}

/* 32 rows of 128 bytes, 16 bytes of each: a wavefront each; swizzled four in all. */
TEST(test_swizzle)
{
    const ct_swizzle sw = ct_make_swizzle(3, 4, 3);
    ct_access before = {.kind = CT_ACCESS_LDS, .bits = 128}, after;
    ct_access_detail detail[2];
    char *text, *alone;
    for (int t = 0; t < LANES; ++t) before.offset[t] = 128 * t;
    after = before;
    for (int t = 0; t < LANES; ++t) after.offset[t] = ct_swizzle_apply(sw, before.offset[t]);
    ct_count_access_by(NULL, &before, &detail[0]);
    ct_count_access_by(NULL, &after, &detail[1]);

    ct_picture *p =
        ct_picture_banks_beside(NULL, &before, "plain", &after, "Sw<3,4,3>", NULL, error);
    svg s = read_svg("swizzle", p, NULL, &text);
    assert_int_equal(cells_in_order(&s), 2 * BANKS * LANES + BANKS * (32 + 4));
    check_lanes(s.rect, 2 * BANKS, &before, &detail[0]);
    check_lanes(s.rect + BANKS, 2 * BANKS, &after, &detail[1]);
    expect_words(text, "plain: 32 wavefronts, 28 conflicts");
    expect_words(text, "Sw&lt;3,4,3&gt;: 4 wavefronts, no conflict");
    svg_free(&s);
    free(text);
    ct_picture_free(p);

    for (int side = 0; side < 2; ++side) {
        p = ct_picture_banks(NULL, side ? &after : &before, NULL, error);
        s = read_svg("one side", p, NULL, &alone);
        cells_in_order(&s);
        assert_int_equal(colours(&s, LANES * BANKS), side ? 4 : 32);
        svg_free(&s);
        free(alone);
        ct_picture_free(p);
    }
}

/* Two accesses far from byte 0 are numbered from the same row. */
TEST(test_far)
{
    ct_access a = {.kind = CT_ACCESS_STS, .bits = 32}, b = a;
    for (int t = 0; t < LANES; ++t) a.offset[t] = b.offset[t] = CT_LANE_OFF;
    a.offset[0] = 128 * 20000;
    b.offset[0] = 128 * 20003;
    char *text;
    ct_picture *p = ct_picture_banks_beside(NULL, &a, NULL, &b, NULL, NULL, error);
    svg s = read_svg("far", p, NULL, &text);
    cells_in_order(&s);
    expect_cell(&s.rect[0], "0", 0, "far", 0, 0);
    expect_cell(&s.rect[BANKS], "3", 0, "far", 0, BANKS);
    expect_words(text, "row 0 begins at byte 2560000.");
    svg_free(&s);
    free(text);
    ct_picture_free(p);
}

/* ---- sectors ---------------------------------------------------------------------------------- */

/* The lanes that touch any of the bytes: how many; the first. */
static int lanes_at(const ct_access *a, int64_t byte, int64_t bytes, int *first)
{
    int count = 0;
    for (int t = LANES - 1; t >= 0; --t) {
        if (!is_on(a, t) || a->offset[t] >= byte + bytes || a->offset[t] + a->bits / 8 <= byte)
            continue;
        ++count;
        *first = t;
    }
    return count;
}

/* The cells of one row, of `bytes` bytes each. Returns how many bytes of it move. */
static int check_row(const svg_item *cell, const ct_access *a, int64_t begin, int bytes)
{
    int moved = 0;
    for (int c = 0; c < BANKS; ++c) {
        char label[32] = "";
        int first = 0, any = 0;
        const int64_t byte = begin + c * bytes;
        const int count = lanes_at(a, byte, bytes, &first);
        const int moves = lanes_at(a, byte / SECTOR * SECTOR, SECTOR, &any) > 0;
        if (count) snprintf(label, sizeof label, count > 1 ? "%d+%d" : "%d", first, count - 1);
        expect_cell(&cell[c], label,
                    count   ? first
                    : moves ? CT_DRAW_THREADS + CT_DRAW_RAMP
                            : -1,
                    "sectors", (int)(begin / LINE), c);
        moved += moves ? bytes : 0;
    }
    return moved;
}

TEST(test_sectors)
{
    for (uint64_t i = 0; i < CASES; ++i) {
        dice d = dice_of_case(11, i);
        const ct_access a = any_access(&d, global_kinds[i % 4]);
        const ct_access_count count = ct_count_access_by(NULL, &a, NULL);
        const int bytes = ct_min(a.bits / 8, WORD), row = BANKS * bytes;
        ct_picture *p = ct_picture_sectors(NULL, &a, NULL, error);
        char *text;
        svg s = read_svg("sectors", p, NULL, &text);
        const int cells = cells_in_order(&s);
        int at = 0, moved = 0;
        for (int64_t begin = -1;; at += BANKS) { /* the rows that move, in order */
            int64_t next = INT64_MAX;
            for (int t = 0; t < LANES; ++t)
                if (is_on(&a, t) && a.offset[t] / row * row > begin)
                    next = ct_min(next, a.offset[t] / row * row);
            if (next == INT64_MAX) break;
            assert_true(at + BANKS <= cells);
            moved += check_row(&s.rect[at], &a, begin = next, bytes);
        }
        assert_int_equal(at, cells);
        assert_int_equal(moved, count.bytes_moved);
        expect_words(text, "%d sector%s of %d line%s move %d bytes, of which %d (", count.sectors,
                     count.sectors == 1 ? "" : "s", count.lines, count.lines == 1 ? "" : "s",
                     count.bytes_moved, count.bytes_used);
        svg_free(&s);
        free(text);
        ct_picture_free(p);
    }
}

/* ---- threads ---------------------------------------------------------------------------------- */

TEST(test_threads)
{
    const ct_layout tv = ct_make_layout2(ct_layout2(8, 8, 64, 1), ct_layout1(8, 8));
    const ct_tuple tile = ct_tuple2(8, 64);
    char *text, label[64];
    ct_picture *p = ct_picture_threads(tv, tile, 32, 8, NULL, error);
    svg s = read_svg("threads", p, NULL, &text);
    assert_int_equal(cells_in_order(&s), 32 * 8);
    for (int t = 0; t < 32; ++t)
        for (int v = 0; v < 8; ++v) {
            const int64_t index = ct_eval2(tv, 32 + t, v);
            snprintf(label, sizeof label, "(%d,%d)", (int)(index % 8), (int)(index / 8));
            expect_cell(&s.rect[8 * t + v], label, t, "threads", t, v);
        }
    svg_free(&s);
    free(text);
    ct_picture_free(p);
    assert_null(ct_picture_threads(tv, tile, 64, 8, NULL, error));
    assert_string_equal(error, "thread 64 of 64 threads, 8 values an access");
    assert_null(ct_picture_threads(tv, ct_tuple2(8, 32), 0, 8, NULL, error));
    assert_non_null(strstr(error, "outside the tile"));
}

/* ---- failures and formats --------------------------------------------------------------------- */

TEST(test_failures)
{
    static const struct {
        int32_t kind, bits;
        int64_t lane3;
        int banks;
        const char *error;
    } rows[] = {
        {CT_ACCESS_LDG, 32, 12, 1, "LDG touches global memory, which has no banks"},
        {CT_ACCESS_LDS, 32, 12, 0, "LDS touches shared memory, which has no sectors"},
        {CT_ACCESS_LDS, 256, 0, 1, "LDS has no accesses of 256 bits"},
        {CT_ACCESS_LDG, 24, 0, 0, "LDG has no accesses of 24 bits"},
        {CT_ACCESS_LDSM, 32, 0, 1, "LDSM has no accesses of 32 bits"},
        {CT_ACCESS_KINDS, 32, 0, 1, "there is no instruction 8"},
        {CT_ACCESS_LDS, 64, 12, 1, "lane 3 begins at byte 12, not a multiple of its 8 bytes"},
        {CT_ACCESS_LDG, 8, -1, 0, "lane 3 begins at byte -1; bytes are counted from 0"},
        {CT_ACCESS_STG, 8, CT_LANE_OFF, 0, "no lane takes part"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        ct_access a = {.kind = rows[i].kind, .bits = rows[i].bits};
        for (int t = 0; t < LANES; ++t) a.offset[t] = t == 3 ? rows[i].lane3 : CT_LANE_OFF;
        ct_picture *p = rows[i].banks ? ct_picture_banks(NULL, &a, NULL, error)
                                      : ct_picture_sectors(NULL, &a, NULL, error);
        assert_null(p);
        assert_string_equal(error, rows[i].error);
        if (rows[i].banks) assert_null(ct_picture_banks_beside(NULL, &a, "", &a, "", NULL, error));
    }
}

/* The other formats say the same: each lane with its wavefront, which needs no colour. */
TEST(test_formats)
{
    ct_access a = {.kind = CT_ACCESS_LDS, .bits = 32};
    for (int t = 0; t < LANES; ++t) a.offset[t] = t == 5 ? CT_LANE_OFF : 128 * (t % 3);
    ct_picture *p = ct_picture_access(NULL, &a, NULL, error);
    char *text = ct_picture_render(p, CT_DRAW_PLAIN, NULL, error);
    assert_non_null(strstr(text, "      4 w1   1"));
    assert_non_null(strstr(text, "     5 off"));
    assert_non_null(strstr(text, "w0  0+10"));
    free(text);
    text = ct_picture_render(p, CT_DRAW_TEX, NULL, error);
    assert_non_null(strstr(text, "{0+10}"));
    free(text);
    ct_picture_free(p);
    a.kind = CT_ACCESS_LDG;
    p = ct_picture_access(NULL, &a, NULL, error);
    text = ct_picture_render(p, CT_DRAW_PLAIN, NULL, error);
    assert_non_null(strstr(text, "LDG.32: sectors of global memory"));
    free(text);
    ct_picture_free(p);
}

GROUP("draw access", NULL, NULL)
