/* Pictures written: text in terminals, TeX, files, limits and errors. */
#define _GNU_SOURCE /* posix_openpt */
#include "test.h"

#include <dirent.h>
#include <fcntl.h>
#include <locale.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cutlet/host/draw.h>
#include <cutlet/host/text.h>
#include "svg_read.h"

#define LENGTH(array) (sizeof(array) / sizeof *(array))

static char error[CT_MESSAGE_BYTES];
static char directory[64];

static ct_layout layout(const char *text)
{
    ct_layout l;
    ct_diag d;
    if (ct_parse_layout(text, &l, &d)) fail_msg("%s: %s", text, d.message);
    return l;
}

static ct_picture *picture(const char *text)
{
    ct_picture *p = ct_picture_layout(layout(text), NULL, error);
    if (!p) fail_msg("%s: %s", text, error);
    return p;
}

static const char *path_of(const char *name)
{
    static char path[512];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    return path;
}

static int count_of(const char *text, const char *part)
{
    int count = 0;
    for (; (text = strstr(text, part)); text += strlen(part)) ++count;
    return count;
}

static void assert_one_line(const char *name)
{
    if (!error[0] || strlen(error) >= CT_MESSAGE_BYTES || strchr(error, '\n'))
        fail_msg("%s: not one line: `%s`", name, error);
}

/* ---- text ------------------------------------------------------------------------------------- */

/* The text without its escapes and without the spaces at the ends of lines. */
static void strip(char *text)
{
    char *to = text;
    for (const char *from = text; *from;) {
        if (*from == '\x1b') {
            from = strchr(from, 'm') + 1;
            continue;
        }
        if (*from == '\n')
            while (to > text && to[-1] == ' ') --to;
        *to++ = *from++;
    }
    *to = 0;
}

/* Colours change nothing of the text; each cell is coloured once, and plain text has no escapes. */
TEST(test_terminal)
{
    static const char *const text[] = {"(4,8):(8,1)", "((2,2),(2,4)):((1,4),(2,8))", "8:2", "70:3",
                                       "(2,3,4):(1,2,6)"};
    for (size_t i = 0; i < LENGTH(text); ++i) {
        ct_picture *p = picture(text[i]);
        char *plain = ct_picture_render(p, CT_DRAW_PLAIN, NULL, error);
        assert_null(strchr(plain, '\x1b'));
        assert_int_equal(strncmp(plain, text[i], strlen(text[i])), 0);
        for (int format = CT_DRAW_ANSI256; format <= CT_DRAW_ANSI24; ++format) {
            char *colored = ct_picture_render(p, format, NULL, error);
            const char *fill = format == CT_DRAW_ANSI24 ? "\x1b[48;2;" : "\x1b[48;5;";
            const char *ink = format == CT_DRAW_ANSI24 ? "m\x1b[38;2;" : "m\x1b[38;5;";
            assert_int_equal(count_of(colored, fill), ct_size(layout(text[i])));
            assert_int_equal(count_of(colored, ink), ct_size(layout(text[i])));
            strip(colored);
            assert_string_equal(colored, plain);
            free(colored);
        }
        free(plain);
        ct_picture_free(p);
    }
}

/* Text that is broken keeps within its columns and loses no cell. */
TEST(test_columns)
{
    ct_picture *p = picture("(2,40):(40,1)");
    for (int columns = 20; columns <= 120; columns += 25) {
        const ct_draw_options o = {.text_columns = columns};
        char *text = ct_picture_render(p, CT_DRAW_PLAIN, &o, error), label[16];
        const char *line = strstr(text, "\n\n") + 2;
        for (; *line; line += strcspn(line, "\n") + 1)
            if ((int)strcspn(line, "\n") > columns) fail_msg("%d columns:\n%s", columns, text);
        for (int k = 40; k < 80; ++k) { /* row 1 */
            snprintf(label, sizeof label, " %d", k);
            assert_int_equal(count_of(text, label), 1);
        }
        free(text);
    }
    ct_picture_free(p);
}

/* A terminal gets colours; NO_COLOR, a dumb terminal or a file do not. */
TEST(test_format_for)
{
    static const struct {
        const char *term, *colorterm, *no_color;
        int format;
    } row[] = {{"xterm-256color", "truecolor", NULL, CT_DRAW_ANSI24},
               {"xterm-256color", "24bit", NULL, CT_DRAW_ANSI24},
               {"xterm-256color", NULL, NULL, CT_DRAW_ANSI256},
               {"xterm-256color", "truecolor", "1", CT_DRAW_PLAIN},
               {"xterm-256color", "truecolor", "", CT_DRAW_ANSI24},
               {"dumb", "truecolor", NULL, CT_DRAW_PLAIN},
               {NULL, "truecolor", NULL, CT_DRAW_PLAIN}};
    const int master = posix_openpt(O_RDWR | O_NOCTTY);
    if (master < 0 || grantpt(master) || unlockpt(master)) skip();
    /* not as the controlling terminal, whose end would end this program */
    const int slave = open(ptsname(master), O_RDWR | O_NOCTTY);
    FILE *terminal = slave < 0 ? NULL : fdopen(slave, "r+"), *file = fopen(path_of("file"), "w");
    assert_non_null(terminal);
    assert_non_null(file);
    for (size_t i = 0; i < LENGTH(row); ++i) {
        if (row[i].term) setenv("TERM", row[i].term, 1);
        else unsetenv("TERM");
        if (row[i].colorterm) setenv("COLORTERM", row[i].colorterm, 1);
        else unsetenv("COLORTERM");
        if (row[i].no_color) setenv("NO_COLOR", row[i].no_color, 1);
        else unsetenv("NO_COLOR");
        if (ct_draw_format_for(terminal) != row[i].format)
            fail_msg("row %d: format %d", (int)i, ct_draw_format_for(terminal));
        assert_int_equal(ct_draw_format_for(file), CT_DRAW_PLAIN);
    }
    fclose(terminal);
    fclose(file);
    close(master);
}

/* ---- TeX -------------------------------------------------------------------------------------- */

/* Braces balance, every cell is filled and labelled, and pdflatex takes it where it is at hand. */
TEST(test_tex)
{
    ct_picture *p = picture("((2,2),(2,4)):((1,4),(2,8))");
    ct_picture_note(p, "100%% of #1 & $x_1$ {~^\\} <|>\"");
    char *text = ct_picture_render(p, CT_DRAW_TEX, NULL, error);
    int level = 0;
    for (const char *c = text; *c; ++c) {
        if (*c == '\\' && c[1]) {
            ++c;
            continue;
        }
        level += (*c == '{') - (*c == '}');
        assert_true(level >= 0);
    }
    assert_int_equal(level, 0);
    assert_int_equal(count_of(text, "\\filldraw["), 32);
    assert_int_equal(count_of(text, "\\node[cell]"), 32);
    assert_int_equal(count_of(text, "{31};"), 1);
    assert_int_equal(count_of(text, "\\end{document}"), 1);
    assert_non_null(strstr(text, "100\\% of \\#1 \\& \\$x\\_1\\$ \\{$\\sim$"));
    free(text);
    if (system("kpsewhich tikz.sty >/dev/null 2>&1 && command -v pdflatex >/dev/null") == 0) {
        char command[256];
        assert_int_equal(ct_picture_write(p, path_of("picture.tex"), NULL, error), 0);
        snprintf(
            command, sizeof command,
            "cd %s && pdflatex -interaction=nonstopmode -halt-on-error picture.tex >/dev/null 2>&1",
            directory);
        assert_int_equal(system(command), 0);
    }
    ct_picture_free(p);
}

/* ---- grids of one's own ----------------------------------------------------------------------- */

/* Whatever is written into a picture, its file can be read. */
TEST(test_grid)
{
    static const char *const label[] = {
        "<&>\"'", "a\nb\x01", "\xff\xfe", "\xc3\xa9", "\xe2\x82", "]]>", "", "\xed\xa0\x80", NULL};
    ct_picture *p = ct_picture_new("t <&>\xff \"x\"", "sub & <title>");
    ct_panel *g = ct_picture_panel(p, 3, 3, "cap <&>");
    ct_panel_axes(g, "r&", "c<");
    for (int k = 0; k < 9; ++k) {
        ct_panel_row_head(g, k, label[k % 3], label[k]); /* beyond the third row: ignored */
        ct_panel_col_head(g, k, label[k], NULL);
        ct_panel_cell(g, k / 3, k % 3, label[k], label[8 - k], k % 2 ? k : CT_COLOR_MUTED, k / 2);
    }
    ct_panel_cell(g, 3, 0, "outside", NULL, 0, 0);
    ct_panel_cell(g, 0, -1, "outside", NULL, 0, 0);
    ct_panel_row_rule(g, 1, 9);
    ct_panel_col_rule(g, 0, 1);
    ct_picture_legend(p, 3, "legend <&>");
    ct_picture_note(p, "note %s", "<&>");
    for (int format = CT_DRAW_SVG; format <= CT_DRAW_ANSI24; ++format) {
        char *text = ct_picture_render(p, format, NULL, error);
        assert_non_null(text);
        assert_null(strstr(text, "outside"));
        if (format == CT_DRAW_SVG) {
            svg s = svg_read(text);
            if (s.wrong) fail_msg("%s in\n%s", s.wrong, text);
            assert_int_equal(s.rects, 9 + 1 + 1); /* cells, page, legend */
            assert_non_null(strstr(text, "&lt;&amp;&gt;&quot;"));
            svg_free(&s);
            if (system("command -v xmllint >/dev/null") == 0) {
                char command[512];
                assert_int_equal(ct_picture_write(p, path_of("grid.svg"), NULL, error), 0);
                snprintf(command, sizeof command, "xmllint --noout %s", path_of("grid.svg"));
                assert_int_equal(system(command), 0);
            }
        }
        free(text);
    }
    ct_picture_free(p);
    ct_picture_free(NULL);
    p = ct_picture_new(NULL, NULL);
    assert_null(ct_picture_render(p, CT_DRAW_SVG, NULL, error));
    assert_string_equal(error, "the picture has no grid");
    assert_null(ct_picture_panel(p, 1 << 20, 2, NULL)); /* too many cells: the picture fails */
    assert_null(ct_picture_render(p, CT_DRAW_SVG, NULL, error));
    assert_one_line("too many cells");
    ct_picture_free(p);
}

/* Two pictures can stand in one document: their ids, which the styles are bound to, differ. */
TEST(test_ids)
{
    char id[2][16];
    for (int k = 0; k < 2; ++k) {
        ct_picture *p = picture(k ? "(4,8):(8,1)" : "(4,8):(1,4)");
        const ct_draw_options o = {.title = "same"};
        char *text = ct_picture_render(p, CT_DRAW_SVG, &o, error);
        assert_int_equal(sscanf(strstr(text, " id=\""), " id=\"%15[a-z0-9]\"", id[k]), 1);
        assert_non_null(strstr(text, ">same</title>"));
        free(text);
        ct_picture_free(p);
    }
    assert_string_not_equal(id[0], id[1]);
}

/* Numbers have a point even where the locale writes a comma. */
TEST(test_locale)
{
    static const char *const name[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "da_DK.UTF-8"};
    size_t i = 0;
    ct_picture *p = picture("(4,8):(8,1)");
    char *before = ct_picture_render(p, CT_DRAW_SVG, NULL, error);
    while (i < LENGTH(name) && !setlocale(LC_ALL, name[i])) ++i;
    char *after = ct_picture_render(p, CT_DRAW_SVG, NULL, error);
    setlocale(LC_ALL, "C");
    assert_string_equal(before, after);
    free(before);
    free(after);
    ct_picture_free(p);
    if (i == LENGTH(name)) skip();
}

/* ---- limits and errors ------------------------------------------------------------------------ */

/* Too many cells: an error with both numbers, or on demand the first of them and a note. */
TEST(test_limit)
{
    static const struct {
        const char *text, *note;
        int cells;
    } row[] = {{"(512,512):(512,1)", "first 10 of 512 rows and 10 of 512 columns", 100},
               {"(3,512):(512,1)", "first 3 of 3 rows and 33 of 512 columns", 99},
               {"1000:1", "first 96 of 1000 cells", 96},
               {"(4,4,100):(1,4,16)", "and 6 of 100 grids", 96},
               {"(3000000000,3000000000):(1,3000000000)", "first 10 of 3000000000 rows", 100}};
    for (size_t i = 0; i < LENGTH(row); ++i) {
        ct_draw_options o = {.max_cells = 100};
        const ct_layout L = layout(row[i].text);
        char size[32];
        assert_null(ct_picture_layout(L, &o, error));
        assert_one_line(row[i].text);
        snprintf(size, sizeof size, "%lld cells", (long long)ct_size(L));
        assert_non_null(strstr(error, size));
        assert_non_null(strstr(error, " cells are more than the limit of 100; truncate draws a "
                                      "part, max_cells raises the limit"));
        o.truncate = 1;
        ct_picture *p = ct_picture_layout(L, &o, error);
        assert_non_null(p);
        char *text = ct_picture_render(p, CT_DRAW_PLAIN, &o, error);
        if (!strstr(text, row[i].note))
            fail_msg("%s: no `%s` in\n%s", row[i].text, row[i].note, text);
        free(text);
        text = ct_picture_render(p, CT_DRAW_SVG, &o, error);
        svg s = svg_read(text);
        if (s.rects != row[i].cells + 1) fail_msg("%s: %d cells", row[i].text, s.rects - 1);
        svg_free(&s);
        free(text);
        ct_picture_free(p);
    }
}

static int64_t twice(const void *of, int64_t index) { return *(const int64_t *)of * index; }

/* The call draws nothing, and its line says why. */
#define REFUSED(why, call)                                                                         \
    do {                                                                                           \
        error[0] = 0;                                                                              \
        if (call) fail_msg("drawn: %s", #call);                                                    \
        assert_one_line(#call);                                                                    \
        if (!strstr(error, why)) fail_msg("%s: no `%s` in: %s", #call, why, error);                \
    } while (0)

TEST(test_errors)
{
    const ct_layout failed =
        ct_layout_fail(ct_make_error(CT_E_ARGUMENT, CT_OP_MODE, CT_WHY_MODE, 5, 2, 0));
    const ct_layout two = layout("(4,2):(1,4)");
    const ct_tuple tile = ct_tuple2(4, 2);
    static const int32_t none[8] = {-1, -1, -1, -1, -1, -1, -1, -1};
    const ct_touch touch[3] = {{NULL, failed, none, 2, 0, 0},
                               {NULL, layout("8:1"), none, 2, 0, 0},
                               {NULL, two, none, 0, 0, 0}};
    const ct_tuple bad = ct_tuple_fail(failed.err), small = ct_tuple2(2, 2);
    REFUSED("mode", ct_picture_layout(failed, NULL, error));
    REFUSED("mode", ct_picture_tv(failed, tile, NULL, error));
    REFUSED("mode", ct_picture_tv(two, bad, NULL, error));
    REFUSED("mode", ct_picture_copy(failed, two, tile, NULL, error));
    REFUSED("mode", ct_picture_copy(two, failed, tile, NULL, error));
    REFUSED("mode", ct_picture_touch(&touch[0], NULL, error));
    REFUSED("the matrix is a layout of two modes with integer strides",
            ct_picture_touch(&touch[1], NULL, error));
    REFUSED("elements of 0 bytes, sectors of 0", ct_picture_touch(&touch[2], NULL, error));
    REFUSED("mode", ct_picture_function(bad, twice, NULL, "f", NULL, error));
    REFUSED("two modes", ct_picture_tv(layout("8:1"), tile, NULL, error));
    REFUSED("value 1 of thread 0 is element 4, outside the tile of 4 elements",
            ct_picture_tv(two, small, NULL, error));
    REFUSED("element -1, outside", ct_picture_tv(layout("(4,2):(-1,4)"), tile, NULL, error));
    REFUSED("(0,2), outside", ct_picture_tv(layout("(3,2):(1@1,1@0)"), small, NULL, error));
    REFUSED("at most", ct_picture_tv(two, ct_tuple2(1 << 20, 1 << 20), NULL, error));
    REFUSED("at most", ct_picture_tv(layout("(2000000,2000000):(0,0)"), tile, NULL, error));
    REFUSED("there is nothing to draw",
            ct_picture_function(ct_int(0), twice, NULL, "f", NULL, error));
    const int64_t factor = 2;
    ct_picture *p = ct_picture_function(ct_int(4), twice, &factor, "2 i", NULL, error);
    char *text = ct_picture_render(p, CT_DRAW_PLAIN, NULL, error);
    assert_non_null(strstr(text, "0  2  4  6"));
    free(text);
    assert_null(ct_picture_render(p, 17, NULL, error));
    assert_string_equal(error, "there is no format 17");
    assert_int_equal(ct_picture_print(p, stdin, CT_DRAW_PLAIN, NULL, error), CT_E_FILE);
    assert_string_equal(error, "the picture cannot be printed");
    ct_picture_free(p);
}

static int files_in_directory(void)
{
    int count = 0;
    DIR *d = opendir(directory);
    while (readdir(d)) ++count;
    closedir(d);
    return count;
}

TEST(test_files)
{
    static const struct {
        const char *name, *begins;
    } row[] = {{"p.svg", "<svg xmlns="}, {"p.tex", "\\documentclass"}, {"p.txt", "(4,8):(8,1)\n"}};
    ct_picture *p = picture("(4,8):(8,1)");
    char start[32];
    for (size_t i = 0; i < LENGTH(row); ++i) {
        memset(start, 0, sizeof start);
        if (ct_picture_write(p, path_of(row[i].name), NULL, error)) fail_msg("%s", error);
        FILE *f = fopen(path_of(row[i].name), "rb");
        assert_int_equal(fread(start, 1, strlen(row[i].begins), f), strlen(row[i].begins));
        fclose(f);
        assert_string_equal(start, row[i].begins);
    }
    const int before = files_in_directory();
    static const char *const wrong[] = {"p.png", "p", ".sv", "svg"};
    for (size_t i = 0; i < LENGTH(wrong); ++i) {
        assert_int_equal(ct_picture_write(p, path_of(wrong[i]), NULL, error), CT_E_ARGUMENT);
        assert_non_null(
            strstr(error, ": pictures are written to files ending in .svg, .tex or .txt"));
    }
    assert_int_equal(ct_picture_write(p, path_of("no/such.svg"), NULL, error), CT_E_FILE);
    assert_non_null(strstr(error, "cannot be written"));
    assert_int_equal(mkdir(path_of("d.svg"), 0700), 0);
    assert_int_equal(ct_picture_write(p, path_of("d.svg"), NULL, error), CT_E_FILE);
    assert_non_null(strstr(error, "directory"));
    assert_int_equal(rmdir(path_of("d.svg")), 0);
    assert_int_equal(files_in_directory(), before);
    FILE *full = fopen("/dev/full", "w");
    if (full) {
        assert_int_equal(ct_picture_print(p, full, CT_DRAW_PLAIN, NULL, error), CT_E_FILE);
        assert_one_line("/dev/full");
        fclose(full);
    }
    ct_picture_free(p);
}

static int make_directory(void **state)
{
    (void)state;
    snprintf(directory, sizeof directory, "/tmp/cutlet-draw-XXXXXX");
    return mkdtemp(directory) ? 0 : -1;
}

static int remove_directory(void **state)
{
    (void)state;
    DIR *d = opendir(directory);
    for (struct dirent *e; d && (e = readdir(d));) unlink(path_of(e->d_name));
    if (d) closedir(d);
    return rmdir(directory);
}

GROUP("draw formats", make_directory, remove_directory)
