/* Pictures: what they say is read back from each format and compared with the values drawn. */
#include "test.h"

#include <math.h>

#include <cutlet/cutlet.h>
#include <cutlet/host/draw.h>
#include <cutlet/host/text.h>
#include "svg_check.h"

#define LENGTH(array) (sizeof(array) / sizeof *(array))

static ct_layout layout(const char *text)
{
    ct_layout l;
    ct_diag d;
    if (ct_parse_layout(text, &l, &d)) fail_msg("%s: %s", text, d.message);
    return l;
}

static ct_tuple tuple(const char *text)
{
    ct_tuple t;
    ct_diag d;
    if (ct_parse_tuple(text, &t, &d)) fail_msg("%s: %s", text, d.message);
    return t;
}

/* ---- layouts ---------------------------------------------------------------------------------- */

typedef struct drawn {
    const char *text;
    int rows, cols; /* 0: several grids */
} drawn;

static const drawn layouts[] = {
    {"(4,8):(8,1)", 4, 8},
    {"((2,2),(2,4)):((1,4),(2,8))", 4, 8},
    {"8:2", 1, 8},
    {"1:0", 1, 1},
    {"(6):(-1)", 1, 6},
    {"32:1", 1, 32},
    {"70:3", 3, 32},
    {"(8,16):(16,1)", 8, 16},
    {"(4,4):(0,0)", 4, 4},
    {"(3,5):(-5,1)", 3, 5},
    {"(4,5):(1@0,1@1)", 4, 5},
    {"(4,(2,2)):(1@0,(1@0@1,1@1@1))", 4, 4},
    {"(1,1,1):(0,0,0)", 1, 1},
    {"(2,2):(4611686018427387903,1)", 2, 2},
    {"(2,3,4):(1,2,6)", 0, 0},
    {"(2,3,(2,2),2):(1,2,(6,12),24)", 0, 0},
    {"(((2,2),2),(2,2)):(((1,2),4),(8,16))", 8, 4},
};

/* The cell of each coordinate holds the layout's value there. */
TEST(test_layouts)
{
    for (size_t i = 0; i < LENGTH(layouts); ++i) {
        const drawn *d = &layouts[i];
        const ct_layout L = layout(d->text);
        char *text, label[CT_TEXT_BYTES];
        ct_picture *p = ct_picture_layout(L, NULL, error);
        svg s = read_svg(d->text, p, NULL, &text);
        const int cells = cells_in_order(&s), rank = ct_layout_rank(L);
        if (cells != ct_size(L)) fail_msg("%s: %d cells", d->text, cells);
        int found = 0;
        for (int k = 0; k < cells; ++k) {
            const int64_t index = rank < 2  ? k
                                  : d->rows ? k / d->cols + d->rows * (k % d->cols)
                                            : k;
            ct_format_tuple(label, sizeof label, ct_at(L, ct_int(index)));
            if (d->rows) {
                if (strcmp(s.rect[k].label, label) != 0)
                    fail_msg("%s: cell %d holds %s, not %s", d->text, k, s.rect[k].label, label);
            } else {
                for (int j = 0; j < cells && found == k; ++j)
                    found += strcmp(s.rect[j].label, label) == 0;
            }
        }
        if (!d->rows) assert_int_equal(found, cells);
        assert_non_null(strstr(text, "<title id="));
        svg_free(&s);
        free(text);
        ct_picture_free(p);
    }
}

/* Of a layout of rank 3, each grid is named by its coordinate and holds that slice. */
TEST(test_grids)
{
    const ct_layout L = layout("(2,3,(2,2)):(1,2,(6,12))");
    ct_picture *p = ct_picture_layout(L, NULL, error);
    char *text = ct_picture_render(p, CT_DRAW_PLAIN, NULL, error);
    const char *at = text;
    for (int k = 0; k < 4; ++k) {
        char caption[32], line[128] = "";
        snprintf(caption, sizeof caption, "(_,_,(%d,%d))\n", k % 2, k / 2);
        at = strstr(at, caption);
        if (!at) fail_msg("no grid %s in\n%s", caption, text);
        at += strlen(caption);
        at = strchr(at, '\n') + 1; /* the headings of the columns */
        for (int r = 0; r < 2; ++r, at = strchr(at, '\n') + 1) {
            int head, cell[3];
            snprintf(line, sizeof line, "%.*s", (int)strcspn(at, "\n"), at);
            assert_int_equal(sscanf(line, "%d %d %d %d", &head, &cell[0], &cell[1], &cell[2]), 4);
            assert_int_equal(head, r);
            for (int c = 0; c < 3; ++c) assert_int_equal(cell[c], r + 2 * c + 6 * k);
        }
    }
    free(text);
    ct_picture_free(p);
}

/* Nested modes: headings carry the coordinate, rules part the groups, in every format. */
TEST(test_groups)
{
    ct_picture *p = ct_picture_layout(layout("((2,2),(2,4)):((1,4),(2,8))"), NULL, error);
    char *text = ct_picture_render(p, CT_DRAW_PLAIN, NULL, error), *line;
    int bars = 0, dashes = 0;
    for (char *c = text; *c; ++c) bars += *c == '|';
    for (line = text; (line = strstr(line, "--+--")); line += 5) ++dashes;
    assert_int_equal(bars, 4 * 3);
    assert_int_equal(dashes, 3);
    assert_non_null(strstr(text, " 2 (0,1) "));
    free(text);
    svg s = read_svg("groups", p, NULL, &text);
    int heads = 0;
    for (int i = 0; i < s.texts; ++i) heads += strcmp(s.text[i].label, "(1,3)") == 0;
    assert_int_equal(heads, 1);
    assert_non_null(strstr(text, "class=\"rule\""));
    svg_free(&s);
    free(text);
    ct_picture_free(p);
}

TEST(test_composed)
{
    ct_tensor c;
    ct_diag d;
    char *text, label[32];
    assert_int_equal(ct_parse_tensor("Sw<3,3,3> o 0 o (8,64):(64,1)", &c, &d), 0);
    ct_picture *p = ct_picture_tensor(c, NULL, error);
    svg s = read_svg("swizzle", p, NULL, &text);
    assert_int_equal(cells_in_order(&s), 512);
    for (int k = 0; k < 512; ++k) {
        const int64_t offset = ct_tensor_eval(c, k / 64 + 8 * (k % 64));
        snprintf(label, sizeof label, "%ld", (long)offset);
        assert_string_equal(s.rect[k].label, label);
        snprintf(label, sizeof label, "f%ld",
                 (long)(offset / 8 % 8)); /* a colour for each run of 8 */
        assert_string_equal(s.rect[k].class, label);
    }
    svg_free(&s);
    free(text);
    ct_picture_free(p);
}

/* ---- threads and values ----------------------------------------------------------------------- */

typedef struct held {
    const char *tv, *tile;
    int rows, cols, blank, twice; /* elements that none holds, or several */
} held;

static const held tvs[] = {
    {"((8,16),4):((64,1),16)", "(16,32)", 16, 32, 0, 0}, /* (16,8):(8,1) x (1,4) */
    {"(4,2):(1,4)", "(4,2)", 4, 2, 0, 0},
    {"(4,2):(1@1,1@0)", "(2,4)", 2, 4, 0, 0},
    {"(4,2):(2,1)", "12", 1, 12, 4, 0},
    {"(4,2):(1,1)", "(5,2)", 5, 2, 5, 3},
    {"(40,1):(1,0)", "40", 2, 32, 0, 0},
};

TEST(test_tv)
{
    for (size_t i = 0; i < LENGTH(tvs); ++i) {
        const held *h = &tvs[i];
        const ct_layout tv = layout(h->tv);
        const ct_tuple tile = tuple(h->tile);
        const int64_t threads = ct_size(ct_mode(tv, 0)), values = ct_size(ct_mode(tv, 1));
        const int64_t size = ct_product(tile);
        char *text, label[32], sub[48], class[32];
        ct_picture *p = ct_picture_tv(tv, tile, NULL, error);
        svg s = read_svg(h->tv, p, NULL, &text);
        const int cells = cells_in_order(&s);
        assert_int_equal(cells, size);
        int blank = cells, twice = 0;
        for (int64_t e = 0; e < size; ++e) {
            const int64_t k = ct_rank(tile) < 2
                                  ? e
                                  : e % h->rows * h->cols + e / h->rows; /* its place on paper */
            int holders = 0;
            for (int64_t n = 0; n < threads * values; ++n) {
                const ct_tuple at = ct_at(tv, ct_int(n));
                if ((ct_is_integer(at) ? at.value[0] : ct_crd2idx(at, tile).value[0]) != e)
                    continue;
                if (holders++) continue;
                snprintf(label, sizeof label, "T%ld", (long)(n % threads));
                snprintf(sub, sizeof sub, "V%ld", (long)(n / threads));
                snprintf(class, sizeof class, "f%ld", (long)(n % threads % CT_DRAW_THREADS));
            }
            blank -= holders > 0;
            twice += holders > 1;
            if (holders > 1) snprintf(sub + strlen(sub), 16, " +%d", holders - 1);
            if (holders ? strcmp(s.rect[k].label, label) || strcmp(s.rect[k].sub, sub) ||
                              strcmp(s.rect[k].class, class)
                        : s.rect[k].label[0] || strcmp(s.rect[k].class, "n"))
                fail_msg("%s: element %ld shows %s %s", h->tv, (long)e, s.rect[k].label,
                         s.rect[k].sub);
        }
        assert_int_equal(blank, h->blank);
        assert_int_equal(twice, h->twice);
        assert_int_equal(strstr(text, "No thread holds") != NULL, h->blank > 0);
        assert_int_equal(strstr(text, "held more than once") != NULL, h->twice > 0);
        assert_int_equal(strstr(text, "Colours repeat") != NULL, threads > CT_DRAW_THREADS);
        svg_free(&s);
        free(text);
        ct_picture_free(p);
    }
}

/* Source and destination stand side by side, and each shows its own side of the atom. */
TEST(test_copy)
{
    const ct_copy_atom atom = ct_copy_atom_matrix(CT_ATOM_LDMATRIX, 4, 16);
    const ct_tiled_copy copy =
        ct_make_tiled_copy(atom, layout("(16,2):(1,16)"), layout("(1,8):(1,1)"));
    char *text, *other;
    ct_picture *p = ct_picture_tiled_copy(copy, NULL, error);
    svg s = read_svg("ldmatrix", p, NULL, &text);
    ct_picture *sides[2] = {
        ct_picture_tv(ct_tiled_copy_tv(copy, atom.src_tv), tuple("(16,16)"), NULL, error),
        ct_picture_tv(ct_tiled_copy_tv(copy, atom.dst_tv), tuple("(16,16)"), NULL, error)};
    assert_int_equal(cells_in_order(&s), 512);
    for (int side = 0; side < 2; ++side) {
        svg one = read_svg("side", sides[side], NULL, &other);
        assert_int_equal(cells_in_order(&one), 256);
        for (int k = 0; k < 256;
             ++k) { /* rows of the two grids alternate in the order of reading */
            const svg_item *both = &s.rect[k / 16 * 32 + side * 16 + k % 16];
            assert_string_equal(both->label, one.rect[k].label);
            assert_string_equal(both->sub, one.rect[k].sub);
        }
        svg_free(&one);
        free(other);
        ct_picture_free(sides[side]);
    }
    assert_non_null(strstr(text, ">source<"));
    assert_non_null(strstr(text, ">destination<"));
    svg_free(&s);
    free(text);
    ct_picture_free(p);
}

/* ---- memory ----------------------------------------------------------------------------------- */

/* Lanes of the first load: who touches what, which sectors move, for both orders of a matrix. */
TEST(test_touch)
{
    static const struct {
        const char *matrix;
        int row_step, col_step, per_row, first, sectors, muted, transposed;
    } row[] = {
        {"(16,64):(64,1)", 1, 4, 8, 0, 8, 8 * 16 - 32, 0}, /* (16,8):(8,1) x (1,4), one by one */
        {"(16,64):(64,1)", 1, 1, 32, 0, 2, 0, 0},          /* a warp along a row */
        {"(16,64):(64,1)", 1, 1, 32, 2, 3, 15, 0},         /* the same, one element past a sector */
        {"(64,16):(1,64)", 1, 1, 1, 0, 2, 0, 1},           /* down a column of a column-major one */
        {"(32,32):(1,32)", 1, 1, 32, 0, 32, 32 * 15, 1}, /* along its row: a sector for each lane */
    };
    for (size_t i = 0; i < LENGTH(row); ++i) {
        static int32_t thread[32 * 64];
        const ct_layout matrix = layout(row[i].matrix);
        const int rows = (int)ct_size(ct_mode(matrix, 0)), cols = (int)ct_size(ct_mode(matrix, 1));
        char *text, words[128], label[16];
        for (int k = 0; k < rows * cols; ++k) thread[k] = -1;
        for (int t = 0; t < 32; ++t)
            thread[t / row[i].per_row * row[i].row_step +
                   rows * (t % row[i].per_row * row[i].col_step)] = t;
        const ct_touch touch = {"t", matrix, thread, 2, 0, row[i].first};
        ct_picture *p = ct_picture_touch(&touch, NULL, error);
        svg s = read_svg(row[i].matrix, p, NULL, &text);
        assert_int_equal(cells_in_order(&s), rows * cols);
        int muted = 0;
        for (int k = 0; k < rows * cols; ++k) {
            const int m = row[i].transposed ? k % rows : k / cols;
            const int n = row[i].transposed ? k / rows : k % cols;
            const int t = thread[m + rows * n];
            snprintf(label, sizeof label, "%d", t);
            assert_string_equal(s.rect[k].label, t < 0 ? "" : label);
            muted += t < 0 && strcmp(s.rect[k].class, "n") != 0;
        }
        if (muted != row[i].muted) fail_msg("%s, row %d: %d muted", row[i].matrix, (int)i, muted);
        snprintf(words, sizeof words, "in %d sectors of 32 bytes: 64 of %d bytes used",
                 row[i].sectors, 32 * row[i].sectors);
        if (!strstr(text, words)) fail_msg("row %d: not `%s`", (int)i, words);
        svg_free(&s);
        free(text);
        /* in text a bar stands wherever a sector ends within a line of memory */
        const int line = row[i].transposed ? rows : cols, lines = rows * cols / line;
        int bars = 0, ends = 0;
        for (int k = 1; k < line; ++k) ends += (row[i].first + 2 * k) % 32 == 0;
        text = ct_picture_render(p, CT_DRAW_PLAIN, NULL, error);
        for (char *c = text; *c; ++c) bars += *c == '|';
        assert_int_equal(bars, ends * lines);
        free(text);
        ct_picture_free(p);
    }
}

/* ---- colours ---------------------------------------------------------------------------------- */

/* The colour that a rule gives, in the light part of the style or after @media. */
static int style_color(const char *text, const char *rule, int dark, double rgb[3])
{
    const char *at = strstr(text, "<style>");
    unsigned value;
    if (dark) at = strstr(at, "@media (prefers-color-scheme:dark)");
    at = at ? strstr(at, rule) : NULL;
    if (!at || sscanf(at + strlen(rule), "#%6x", &value) != 1) return 0;
    for (int k = 0; k < 3; ++k) {
        const double c = (value >> (16 - 8 * k) & 255) / 255.0;
        rgb[k] = c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
    }
    return 1;
}

static double contrast(const double a[3], const double b[3])
{
    const double x = 0.2126 * a[0] + 0.7152 * a[1] + 0.0722 * a[2] + 0.05;
    const double y = 0.2126 * b[0] + 0.7152 * b[1] + 0.0722 * b[2] + 0.05;
    return x > y ? x / y : y / x;
}

static void oklab(const double c[3], double lab[3])
{
    const double l = cbrt(0.4122214708 * c[0] + 0.5363325363 * c[1] + 0.0514459929 * c[2]);
    const double m = cbrt(0.2119034982 * c[0] + 0.6806995451 * c[1] + 0.1073969566 * c[2]);
    const double s = cbrt(0.0883024619 * c[0] + 0.2817188376 * c[1] + 0.6299787005 * c[2]);
    lab[0] = 0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s;
    lab[1] = 1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s;
    lab[2] = 0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s;
}

/* Sight as it is, and without one kind of cone (Machado, Oliveira and Fernandes 2009, severity 1). */
static const double sight[4][3][3] = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                                      {{0.152286, 1.052583, -0.204868},
                                       {0.114503, 0.786281, 0.099216},
                                       {-0.003882, -0.048116, 1.051998}},
                                      {{0.367322, 0.860646, -0.227968},
                                       {0.280085, 0.672501, 0.047413},
                                       {-0.011820, 0.042940, 0.968881}},
                                      {{1.255528, -0.076749, -0.178779},
                                       {-0.078411, 0.930809, 0.147602},
                                       {0.004733, 0.691367, 0.303900}}};

/* Text is legible on every fill and on the page, light and dark; the colours of 32 threads differ. */
TEST(test_colors)
{
    char *text, rule[32];
    ct_picture *p = ct_picture_tv(layout("(32,1):(1,0)"), tuple("32"), NULL, error);
    svg s = read_svg("colours", p, NULL, &text);
    svg_free(&s);
    for (int dark = 0; dark < 2; ++dark) {
        double fill[32][3], ink[3], page[3], faint[3];
        assert_true(style_color(text, ".page{fill:", dark, page));
        assert_true(style_color(text, " text{fill:", dark, ink));
        assert_true(style_color(text, "text.h{fill:", dark, faint));
        assert_true(dark ? page[1] < 0.02 : page[1] > 0.9);
        assert_true(contrast(page, ink) >= 7);
        assert_true(contrast(page, faint) >= 4.5);
        for (int f = 0; f < 32; ++f) {
            snprintf(rule, sizeof rule, ".f%d rect{fill:", f);
            assert_true(style_color(text, rule, dark, fill[f]));
            snprintf(rule, sizeof rule, ".f%d text{fill:", f);
            assert_true(style_color(text, rule, dark, ink));
            if (contrast(fill[f], ink) < 4.5)
                fail_msg("colour %d, dark %d: text too faint", f, dark);
        }
        for (int k = 0; k < 4; ++k) {
            double lab[32][3];
            for (int f = 0; f < 32; ++f) {
                double seen[3];
                for (int c = 0; c < 3; ++c)
                    seen[c] =
                        fmin(1, fmax(0, sight[k][c][0] * fill[f][0] + sight[k][c][1] * fill[f][1] +
                                            sight[k][c][2] * fill[f][2]));
                oklab(seen, lab[f]);
                for (int g = 0; g < f; ++g) {
                    const double d =
                        sqrt(pow(lab[f][0] - lab[g][0], 2) + pow(lab[f][1] - lab[g][1], 2) +
                             pow(lab[f][2] - lab[g][2], 2));
                    if (d < 0.034)
                        fail_msg("colours %d and %d, sight %d, dark %d: %g", f, g, k, dark, d);
                }
            }
        }
    }
    free(text);
    for (int theme = CT_THEME_LIGHT; theme <= CT_THEME_DARK; ++theme) {
        const ct_draw_options o = {.theme = theme};
        s = read_svg("theme", p, &o, &text);
        assert_null(strstr(text, "@media"));
        assert_int_equal(strstr(text, ".page{fill:#ffffff}") != NULL, theme == CT_THEME_LIGHT);
        svg_free(&s);
        free(text);
    }
    ct_picture_free(p);
}

/* ---- slices ----------------------------------------------------------------------------------- */

static int is_caption(const svg_item *text) { return strcmp(text->class, "r c") == 0; }

/* The captions in the order of reading, and how many stand in the first row. */
static int captions(svg *s, int *across)
{
    int count = 0;
    for (int i = 0; i < s->texts; ++i)
        if (is_caption(&s->text[i])) s->text[count++] = s->text[i];
    qsort(s->text, (size_t)count, sizeof *s->text, by_place);
    for (*across = 0; *across < count && s->text[*across].y == s->text[0].y; ++*across) {}
    return count;
}

/* Grids of rank 4 and above: rows end where the third mode does. */
TEST(test_rows_of_slices)
{
    static const struct {
        const char *layout;
        int grids, whole; /* this many, or a multiple of them, side by side; 0: any */
    } rows[] = {{"(4,4,3,5)", 15, 3},  {"(2,3,(2,2),2)", 8, 4}, {"(4,4,4,2)", 8, 4},
                {"(2,2,13,2)", 26, 0}, {"(2,3,7)", 7, 0},       {"(1,1,1,1,1,2)", 2, 1},
                {"(8,8,8,2)", 16, 2}};
    for (size_t i = 0; i < LENGTH(rows); ++i) {
        char *text, name[64];
        int across;
        const ct_layout L = layout(rows[i].layout);
        ct_picture *p = ct_picture_layout(L, NULL, error);
        svg s = read_svg(rows[i].layout, p, NULL, &text);
        const int grids = captions(&s, &across);
        if (grids != rows[i].grids || (rows[i].whole && across % rows[i].whole != 0) || across < 2)
            fail_msg("%s: %d grids, %d in a row", rows[i].layout, grids, across);
        for (int k = 0; k < grids; ++k) { /* they are named in the order of their index */
            ct_tuple slice = ct_append(ct_append(ct_tuple0(), ct_any()), ct_any());
            const ct_tuple at = ct_idx2crd(k * ct_product(ct_take(ct_shape(L), 0, 2)), ct_shape(L));
            for (int m = 2; m < ct_layout_rank(L); ++m) slice = ct_append(slice, ct_get(at, m));
            ct_format_tuple(name, sizeof name, slice);
            assert_string_equal(s.text[k].label, name);
        }
        assert_non_null(strstr(text, "Each grid is a slice"));
        svg_free(&s);
        free(text);
        ct_picture_free(p);
    }
}

/* A tiled copy of rank 3: each slice of the source stands beside the same one of the destination,
 * and each element is found in the slice of its third coordinate. */
TEST(test_copy_of_rank_3)
{
    const ct_copy_atom atom = ct_copy_atom_universal(64, 16);
    const ct_tiled_copy copy = ct_make_tiled_copy(atom, layout("(4,2,2)"), layout("(1,4,2)"));
    const ct_tuple tile = ct_tiled_copy_shape(copy);
    assert_int_equal(ct_rank(tile), 3);
    char *text, label[64];
    int across;
    ct_picture *p = ct_picture_tiled_copy(copy, NULL, error);
    svg s = read_svg("rank 3", p, NULL, &text);
    const int grids = captions(&s, &across);
    assert_int_equal(grids, 8);
    assert_int_equal(across % 2, 0);
    for (int k = 0; k < grids; ++k) {
        snprintf(label, sizeof label, "%s (_,_,%d)", k % 2 ? "destination" : "source", k / 2);
        assert_string_equal(s.text[k].label, label);
    }
    /* 4 x 8 cells in each grid; those of a row of grids are read together */
    const int cells = cells_in_order(&s);
    assert_int_equal(cells, 8 * 4 * 8);
    for (int t = 0; t < 16; ++t)
        for (int v = 0; v < 8; ++v) {
            const ct_tuple at = ct_idx2crd(ct_eval2(copy.tv, t, v), tile);
            const int grid = 2 * (int)at.value[2];
            const int first = grid / across * across * 32 + grid % across * 8;
            const int cell = first + (int)at.value[0] * 8 * across + (int)at.value[1];
            for (int side = 0; side < 2; ++side) {
                snprintf(label, sizeof label, "T%d", t);
                assert_string_equal(s.rect[cell + 8 * side].label, label);
                snprintf(label, sizeof label, "V%d", v);
                assert_string_equal(s.rect[cell + 8 * side].sub, label);
            }
        }
    svg_free(&s);
    free(text);
    ct_picture_free(p);
}

GROUP("draw", NULL, NULL)
