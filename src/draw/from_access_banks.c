/* Lanes by banks: which words of shared memory the lanes of a warp ask for, and in which wavefront
 * each lane is served. */
#include <string.h>

#include "from_access.h"

/* Rows with larger numbers are counted from the first one that is accessed. */
#define ROW_PLAIN 9999

/* One access, counted. */
typedef struct banks {
    const ct_access *access;
    const ct_access_rules *rules;
    ct_access_count count;
    ct_access_detail detail;
    int64_t low_row, high_row; /* the rows of shared memory that are asked for */
    int64_t first_row;         /* the one that is called 0 */
} banks;

static int is_on(const banks *b, int lane) { return b->access->offset[lane] != CT_LANE_OFF; }

/* The words of a lane: [*first, *last]. */
static void words_of(const banks *b, int lane, int64_t *first, int64_t *last)
{
    const int64_t offset = b->access->offset[lane];
    *first = offset / b->rules->bank_bytes;
    *last = (offset + b->access->bits / 8 - 1) / b->rules->bank_bytes;
}

/* Whether two lanes are served by the same words in the same wavefront. */
static int is_shared(const banks *b, int s, int t)
{
    int64_t first[2], last[2];
    if (!is_on(b, s) || !is_on(b, t) || b->detail.wavefront[s] != b->detail.wavefront[t]) return 0;
    words_of(b, s, &first[0], &last[0]);
    words_of(b, t, &first[1], &last[1]);
    return first[0] == first[1];
}

static banks count_banks(const ct_access_rules *rules, const ct_access *access)
{
    int n;
    banks b = {.access = access, .rules = rules ? rules : ct_access_rules_all(&n)};
    b.low_row = INT64_MAX;
    b.count = ct_count_access_by(b.rules, access, &b.detail);
    for (int t = 0; t < CT_LANES; ++t) {
        if (!is_on(&b, t)) continue;
        const int64_t row = access->offset[t] / b.rules->bank_bytes / b.rules->banks;
        if (row < b.low_row) b.low_row = row;
        if (row > b.high_row) b.high_row = row;
    }
    return b;
}

/* Numbers the rows of two accesses alike, from byte 0 where the numbers are short. */
static void number_rows(banks *a, banks *b)
{
    int64_t first = 0;
    if (a->high_row > ROW_PLAIN || b->high_row > ROW_PLAIN)
        first = a->low_row < b->low_row ? a->low_row : b->low_row;
    a->first_row = b->first_row = first;
}

/* ---- lanes ------------------------------------------------------------------------------------ */

static void fill_lane(ct_panel *g, const banks *b, int lane)
{
    char label[32];
    int64_t first, last;
    int box = lane; /* that of the first lane which is served with it */
    words_of(b, lane, &first, &last);
    while (box > 0 && is_shared(b, box - 1, lane)) --box;
    for (int64_t word = first; word <= last; ++word) {
        snprintf(label, sizeof label, "%lld", (long long)(word / b->rules->banks - b->first_row));
        ct_panel_cell(g, lane, word % b->rules->banks, label, NULL, b->detail.wavefront[lane], box);
    }
}

/* The lanes of a group are consecutive, so a group begins where the previous lane is in another. */
static int begins_group(const banks *b, int lane)
{
    int before = lane - 1;
    while (before >= 0 && !is_on(b, before)) --before;
    return before >= 0 && is_on(b, lane) && b->detail.group[before] != b->detail.group[lane];
}

static void add_lanes(ct_picture *p, const banks *b, const char *caption)
{
    char head[32], sub[32];
    ct_panel *g = ct_picture_panel(p, CT_LANES, b->rules->banks, caption);
    ct_panel_axes(g, "lane", "bank");
    for (int t = 0; t < CT_LANES; ++t) {
        snprintf(head, sizeof head, "%d", t);
        snprintf(sub, sizeof sub, is_on(b, t) ? "w%d" : "off", b->detail.wavefront[t]);
        ct_panel_row_head(g, t, head, sub);
        if (begins_group(b, t)) ct_panel_row_rule(g, t, 3);
        if (is_on(b, t)) fill_lane(g, b, t);
    }
    for (int bank = 0; bank < b->rules->banks; ++bank) {
        snprintf(head, sizeof head, "%d", bank);
        ct_panel_col_head(g, bank, head, NULL);
    }
}

/* ---- wavefronts ------------------------------------------------------------------------------- */

/* The lanes that a bank serves in a wavefront: how many, and the first. */
static int lanes_served(const banks *b, int wavefront, int bank, int *first_lane)
{
    int count = 0;
    for (int t = CT_LANES - 1; t >= 0; --t) {
        int64_t first, last;
        if (!is_on(b, t) || b->detail.wavefront[t] != wavefront) continue;
        words_of(b, t, &first, &last);
        if ((bank - first % b->rules->banks + b->rules->banks) % b->rules->banks > last - first)
            continue;
        ++count;
        *first_lane = t;
    }
    return count;
}

static void add_wavefronts(ct_picture *p, const banks *b, const char *caption)
{
    char text[32];
    ct_panel *g = ct_picture_panel(p, b->count.wavefronts, b->rules->banks, caption);
    ct_panel_axes(g, "wavefront", "bank");
    for (int w = 0; w < b->count.wavefronts; ++w) {
        snprintf(text, sizeof text, "w%d", w);
        ct_panel_row_head(g, w, text, NULL);
        for (int bank = 0; bank < b->rules->banks; ++bank) {
            int first = 0;
            const int count = lanes_served(b, w, bank, &first);
            ct_lanes_words(text, sizeof text, first, count);
            if (count) ct_panel_cell(g, w, bank, text, NULL, w, -1);
        }
    }
    for (int bank = 0; bank < b->rules->banks; ++bank) {
        snprintf(text, sizeof text, "%d", bank);
        ct_panel_col_head(g, bank, text, NULL);
    }
}

/* ---- words ------------------------------------------------------------------------------------ */

/* The wavefronts that the same groups of lanes take without a conflict. */
static int least(const banks *b) { return b->count.wavefronts - b->count.conflicts; }

/* `8 wavefronts, 4 conflicts`. */
static void cost_words(const banks *b, char *text, size_t size)
{
    char wavefronts[40], conflicts[40];
    ct_count_words(wavefronts, sizeof wavefronts, b->count.wavefronts, "wavefront");
    ct_count_words(conflicts, sizeof conflicts, b->count.conflicts, "conflict");
    snprintf(text, size, "%s, %s", wavefronts, b->count.conflicts ? conflicts : "no conflict");
}

/* How many lanes are taken together where they are less than the warp; 0 where it is the warp. */
static int group_lanes(const banks *b)
{
    const int words = b->access->bits / 8 / b->rules->bank_bytes;
    if (words < 2) return 0;
    for (int t = 1; t < CT_LANES; ++t) /* a rule further down: the accesses take pairs of groups */
        if (begins_group(b, t)) return b->rules->banks / words;
    return 0;
}

/* Whether a word serves several lanes. */
static int has_shared(const banks *b)
{
    for (int s = 0; s < CT_LANES; ++s)
        for (int t = 0; t < s; ++t)
            if (is_shared(b, s, t)) return 1;
    return 0;
}

static void explain(ct_picture *p, const banks *b, int several, int shares)
{
    const int row_bytes = b->rules->banks * b->rules->bank_bytes;
    ct_picture_legend(p, 0,
                      "the word that a lane asks for: its row, in the colour of its wavefront");
    ct_picture_legend(p, CT_COLOR_NONE, "not asked for");
    ct_picture_note(p,
                    "w0 is wavefront 0. In a wavefront each bank delivers one word of %d bytes, "
                    "and the lanes that ask for it share it%s.",
                    b->rules->bank_bytes, shares ? ": 0+7 is lane 0 and 7 more" : "");
    ct_picture_note(p,
                    "A row of shared memory is %d bytes, a word in each bank; row 0 begins at byte "
                    "%lld.",
                    row_bytes, (long long)(b->first_row * row_bytes));
    if (!several && group_lanes(b))
        ct_picture_note(p, "Accesses of %d bits go by groups of lanes, which thick lines part.",
                        b->access->bits);
}

ct_picture *ct_picture_banks(const ct_access_rules *rules, const ct_access *access,
                             const ct_draw_options *options, char message[CT_MESSAGE_BYTES])
{
    char name[48], cost[96], lanes[48], words[320];
    (void)options; /* the picture has its own size; its title is set where it is rendered */
    if (ct_check_access(access, 0, message)) return NULL;
    banks b = count_banks(rules, access);
    number_rows(&b, &b);
    ct_access_words(access, name, sizeof name);
    cost_words(&b, cost, sizeof cost);
    ct_count_words(lanes, sizeof lanes, b.count.lanes, "lane");
    snprintf(words, sizeof words,
             "%s: %s; %d would do without conflicts. %d bytes used of the %d that the banks can "
             "deliver in these wavefronts.",
             lanes, cost, least(&b), b.count.bytes_used, b.count.bytes_moved);
    strncat(name, ": lanes by banks", sizeof name - strlen(name) - 1);
    ct_picture *p = ct_picture_new(name, words);
    if (!p) return ct_no_memory(p, message);
    ct_picture_dense(p, 1);
    ct_picture_across(p, 1);
    add_lanes(p, &b, "what each lane asks for");
    add_wavefronts(p, &b, "what each wavefront delivers");
    explain(p, &b, 0, has_shared(&b));
    return p;
}

/* `Sw<3,4,3>: 1 wavefront, no conflict`. */
static void caption_of(const banks *b, const char *name, char *text, size_t size)
{
    char cost[96];
    cost_words(b, cost, sizeof cost);
    snprintf(text, size, "%.160s: %s", name, cost);
}

ct_picture *ct_picture_banks_beside(const ct_access_rules *rules, const ct_access *before,
                                    const char *before_name, const ct_access *after,
                                    const char *after_name, const ct_draw_options *options,
                                    char message[CT_MESSAGE_BYTES])
{
    char name[64], caption[2][288], words[160];
    (void)options;
    if (ct_check_access(before, 0, message) || ct_check_access(after, 0, message)) return NULL;
    banks b = count_banks(rules, before), a = count_banks(rules, after);
    number_rows(&b, &a);
    ct_access_words(before, name, sizeof name);
    strncat(name, ": lanes by banks, before and after", sizeof name - strlen(name) - 1);
    snprintf(words, sizeof words,
             "%d wavefronts before, %d after; %d and %d would do without "
             "conflicts.",
             b.count.wavefronts, a.count.wavefronts, least(&b), least(&a));
    caption_of(&b, before_name ? before_name : "before", caption[0], sizeof caption[0]);
    caption_of(&a, after_name ? after_name : "after", caption[1], sizeof caption[1]);
    ct_picture *p = ct_picture_new(name, words);
    if (!p) return ct_no_memory(p, message);
    ct_picture_dense(p, 1);
    ct_picture_across(p, 2);
    add_lanes(p, &b, caption[0]);
    add_lanes(p, &a, caption[1]);
    add_wavefronts(p, &b, NULL);
    add_wavefronts(p, &a, NULL);
    explain(p, &b, 1, has_shared(&b) || has_shared(&a));
    return p;
}
