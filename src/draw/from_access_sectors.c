/* The sectors of global memory that an access moves: its lines, who uses which bytes, and what
 * moves unused. */
#include <stdlib.h>

#include "from_access.h"

#define WORD_BYTES 4 /* the most that a cell represents */

/* One access, counted; memory in rows of cells. */
typedef struct strip {
    const ct_access *access;
    const ct_access_rules *rules;
    ct_access_count count;
    int64_t cell_bytes, row_bytes; /* a row has as many cells as a line has words */
    int64_t row[CT_LANES];         /* the rows of which something moves, ascending */
    int rows;
} strip;

static int by_number(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* An access is within a sector, because it is aligned to its width, so each lane has one row. */
static void find_rows(strip *s)
{
    int count = 0;
    for (int t = 0; t < CT_LANES; ++t) {
        const int64_t offset = s->access->offset[t];
        if (offset != CT_LANE_OFF) s->row[s->rows++] = offset / s->row_bytes;
    }
    qsort(s->row, (size_t)s->rows, sizeof *s->row, by_number);
    for (int i = 0; i < s->rows; ++i)
        if (i == 0 || s->row[i] != s->row[count - 1]) s->row[count++] = s->row[i];
    s->rows = count;
}

static strip strip_of(const ct_access_rules *rules, const ct_access *access)
{
    int n;
    strip s = {.access = access, .rules = rules ? rules : ct_access_rules_all(&n)};
    const int64_t bytes = access->bits / 8;
    ct_access global = *access; /* of LDGSTS the side of global memory alone */
    for (int t = 0; t < CT_LANES; ++t) global.shared[t] = CT_LANE_OFF;
    s.count = ct_count_access_by(s.rules, &global, NULL);
    s.cell_bytes = bytes < WORD_BYTES ? bytes : WORD_BYTES;
    s.row_bytes = s.rules->line_bytes / WORD_BYTES * s.cell_bytes;
    find_rows(&s);
    return s;
}

/* The lanes that use the byte: how many, and the first. */
static int lanes_at(const strip *s, int64_t byte, int *first)
{
    int count = 0;
    for (int t = CT_LANES - 1; t >= 0; --t) {
        const int64_t offset = s->access->offset[t];
        if (offset == CT_LANE_OFF || byte < offset || byte >= offset + s->access->bits / 8)
            continue;
        ++count;
        *first = t;
    }
    return count;
}

static int is_moved(const strip *s, int64_t byte)
{
    const int64_t sector = byte / s->rules->sector_bytes;
    for (int t = 0; t < CT_LANES; ++t) {
        const int64_t offset = s->access->offset[t];
        if (offset != CT_LANE_OFF && offset / s->rules->sector_bytes == sector) return 1;
    }
    return 0;
}

static void fill_row(ct_panel *g, const strip *s, int r)
{
    char text[32];
    const int64_t begin = s->row[r] * s->row_bytes;
    snprintf(text, sizeof text, "%lld", (long long)begin);
    ct_panel_row_head(g, r, text, NULL);
    for (int64_t c = 0; c < s->row_bytes / s->cell_bytes; ++c) {
        int lane = 0;
        const int64_t byte = begin + c * s->cell_bytes;
        const int count = lanes_at(s, byte, &lane), moved = is_moved(s, byte);
        ct_lanes_words(text, sizeof text, lane, count);
        ct_panel_cell(g, r, c, count ? text : NULL, NULL,
                      count   ? lane
                      : moved ? CT_COLOR_MUTED
                              : CT_COLOR_NONE,
                      moved ? byte / s->rules->sector_bytes : -1);
    }
}

static void add_strip(ct_picture *p, const strip *s)
{
    char text[32];
    const int64_t cells = s->row_bytes / s->cell_bytes;
    ct_panel *g = ct_picture_panel(p, s->rows, cells, NULL);
    ct_panel_axes(g, "byte", "+");
    for (int64_t c = 0; c < cells; ++c) {
        snprintf(text, sizeof text, "%lld", (long long)(c * s->cell_bytes));
        ct_panel_col_head(g, c, text, NULL);
        if (c * s->cell_bytes % s->rules->sector_bytes == 0) ct_panel_col_rule(g, c, 1);
    }
    for (int r = 0; r < s->rows; ++r) fill_row(g, s, r);
}

static void explain(ct_picture *p, const strip *s)
{
    int gaps = 0;
    ct_picture_legend(p, 0, "the lane that uses the bytes, in a colour for each lane");
    if (s->count.bytes_moved > s->count.bytes_used)
        ct_picture_legend(p, CT_COLOR_MUTED, "moved with its sector, used by no lane");
    if (s->rows * s->row_bytes > s->count.bytes_moved)
        ct_picture_legend(p, CT_COLOR_NONE, "not moved");
    for (int r = 1; r < s->rows; ++r) gaps += s->row[r] != s->row[r - 1] + 1;
    ct_picture_note(p, "A cell is %lld byte%s; outlines are sectors of %d bytes, lines have %d.%s",
                    (long long)s->cell_bytes, s->cell_bytes == 1 ? "" : "s", s->rules->sector_bytes,
                    s->rules->line_bytes, s->count.broadcast ? " 0+7 is lane 0 and 7 more." : "");
    if (gaps)
        ct_picture_note(p, "Rows begin at the byte that stands before them; rows of which nothing "
                           "moves are left out.");
}

ct_picture *ct_picture_sectors(const ct_access_rules *rules, const ct_access *access,
                               const ct_draw_options *options, char message[CT_MESSAGE_BYTES])
{
    char name[48], title[96], lanes[48], sectors[48], lines[48], words[256];
    (void)options; /* the picture has its own size; its title is set where it is rendered */
    if (ct_check_access(access, 1, message)) return NULL;
    const strip s = strip_of(rules, access);
    ct_access_words(access, name, sizeof name);
    snprintf(title, sizeof title, "%s: sectors of global memory", name);
    ct_count_words(lanes, sizeof lanes, s.count.lanes, "lane");
    ct_count_words(sectors, sizeof sectors, s.count.sectors, "sector");
    ct_count_words(lines, sizeof lines, s.count.lines, "line");
    snprintf(words, sizeof words, "%s: %s of %s move %d bytes, of which %d (%.0f %%) are used.",
             lanes, sectors, lines, s.count.bytes_moved, s.count.bytes_used,
             100.0 * s.count.bytes_used / s.count.bytes_moved);
    ct_picture *p = ct_picture_new(title, words);
    if (!p) return ct_no_memory(p, message);
    ct_picture_dense(p, 1);
    add_strip(p, &s);
    explain(p, &s);
    return p;
}
