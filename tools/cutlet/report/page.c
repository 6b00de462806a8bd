/* The page of `cutlet report`: verdicts, pictures and totals of one tiled copy. */
#include <stdlib.h>
#include <string.h>

#include "../common/page.h"
#include <cutlet/copy/thread_values.h>
#include <cutlet/host/text.h>
#include "report.h"

/* The cells of the tile that are drawn, and those of the threads. */
#define TILE_CELLS 2048
#define THREAD_CELLS 512

typedef struct page {
    FILE *f;
    const ct_report *report;
    char *error;
} page;

void ct_report_code(FILE *f, const char *text)
{
    fputs("<code>", f);
    ct_page_text(f, text);
    fputs("</code>", f);
}

/* ---- pictures --------------------------------------------------------------------------------- */

int ct_report_figure(FILE *f, ct_picture *picture, const char *title, const char *name, char *error)
{
    const ct_draw_options o = {.title = title};
    char *svg = picture ? ct_picture_render(picture, CT_DRAW_SVG, &o, error) : NULL;
    ct_picture_free(picture);
    if (!svg) return -1;
    fprintf(f,
            "<figure><div class=\"wide\" role=\"region\" tabindex=\"0\" aria-label=\"%s\">\n"
            "%s</div></figure>\n",
            name, svg);
    free(svg);
    return 0;
}

static int put_figure(const page *p, ct_picture *picture, const char *title, const char *name)
{
    return ct_report_figure(p->f, picture, title, name, p->error);
}

/* Whether both sides hold the tile alike. */
static int holds_alike(ct_layout a, ct_layout b)
{
    for (int64_t i = 0; i < ct_size(a); ++i)
        if (ct_eval(a, i) != ct_eval(b, i)) return 0;
    return ct_size(a) == ct_size(b) && ct_size(ct_mode(a, 0)) == ct_size(ct_mode(b, 0));
}

/* The tile as one side holds it. */
static int put_holders(const page *p, ct_layout tv, const char *title)
{
    const ct_draw_options o = {.max_cells = TILE_CELLS, .truncate = 1};
    ct_picture *picture = ct_picture_tv(tv, ct_tiled_copy_shape(p->report->copy), &o, p->error);
    if (picture) ct_picture_dense(picture, 1);
    return put_figure(p, picture, title, title);
}

static int put_tile(const page *p)
{
    const ct_tiled_copy *copy = &p->report->copy;
    const ct_layout src = ct_tiled_copy_tv(*copy, copy->atom.src_tv);
    const ct_layout dst = ct_tiled_copy_tv(*copy, copy->atom.dst_tv);
    fputs("<h2>Tile</h2>\n", p->f);
    if (!holds_alike(src, dst))
        return put_holders(p, src, "The tile: who reads what") ||
               put_holders(p, dst, "The tile: who writes what");
    fputs("<p>Each element is written by the thread that reads it.</p>\n", p->f);
    return put_holders(p, src, "The tile: which thread holds which element");
}

static int put_threads(const page *p)
{
    const ct_tiled_copy *copy = &p->report->copy;
    const int dst = !p->report->side[0].text; /* the side that lies in memory */
    const ct_layout tv = ct_tiled_copy_tv(*copy, dst ? copy->atom.dst_tv : copy->atom.src_tv);
    const ct_draw_options o = {.max_cells = THREAD_CELLS, .truncate = 1};
    fputs("<h2>Threads</h2>\n<p>", p->f);
    fputs("The values that the threads of warp 0 hold, in the order in which they are moved.</p>\n",
          p->f);
    return put_figure(p,
                      ct_picture_threads(tv, ct_tiled_copy_shape(*copy), 0,
                                         copy->atom.bits / copy->atom.value_bits, &o, p->error),
                      NULL, "the threads of warp 0");
}

/* ---- totals ----------------------------------------------------------------------------------- */

typedef struct column {
    const char *name;
    int64_t first, sum;
} column;

static void put_row(FILE *f, const char *name, const column *c, int n, int sum)
{
    fprintf(f, "<tr><th scope=\"row\" class=\"text\">%s</th>", name);
    for (int i = 0; i < n; ++i)
        fprintf(f, "<td>%lld</td>", (long long)(sum ? c[i].sum : c[i].first));
    fputs("</tr>\n", f);
}

/* What the first instruction costs, and all of them. */
static void put_totals(FILE *f, const ct_report_side *s)
{
    const ct_access_count *c = &s->first.count;
    const ct_traffic *t = &s->sum;
    const column global[] = {{"instructions", 1, t->instructions},
                             {"lanes", c->lanes, t->lanes},
                             {"sectors", c->sectors, t->sectors},
                             {"lines", c->lines, t->lines},
                             {"bytes used", c->bytes_used, t->bytes_used},
                             {"bytes moved", c->bytes_moved, t->bytes_moved}};
    const column shared[] = {
        {"instructions", 1, t->instructions},         {"lanes", c->lanes, t->lanes},
        {"wavefronts", c->wavefronts, t->wavefronts}, {"ideal", c->ideal, t->ideal},
        {"conflicts", c->conflicts, t->conflicts},    {"broadcast", c->broadcast, t->broadcast},
        {"bytes used", c->bytes_used, t->bytes_used}};
    const column *columns = s->global ? global : shared;
    const int n = s->global ? 6 : 7;
    fputs("<div class=\"wide\" role=\"region\" tabindex=\"0\" aria-label=\"totals\"><table>\n"
          "<thead><tr><th class=\"text\" scope=\"col\">counted</th>",
          f);
    for (int i = 0; i < n; ++i) fprintf(f, "<th scope=\"col\">%s</th>", columns[i].name);
    fputs("</tr></thead>\n<tbody>\n", f);
    put_row(f, "first instruction", columns, n, 0);
    put_row(f, "all", columns, n, 1);
    fputs("</tbody>\n</table></div>\n", f);
}

/* The access of an instruction of a warp. */
typedef struct search {
    int64_t warp, instruction;
    ct_access *found;
} search;

static void keep_access(void *user, const ct_traffic_step *step)
{
    search *const s = user;
    if (step->warp == s->warp && step->instruction == s->instruction) *s->found = step->access;
}

/* The shown access of a swizzled side as it would be without the swizzle; 0 without an access. */
static int without_swizzle(const ct_report *r, int side, ct_access *out)
{
    ct_report bare = *r;
    ct_traffic sum;
    char message[CT_MESSAGE_BYTES];
    ct_traffic_side *in = &bare.side[side].in;
    memset(out, 0, sizeof *out);
    if (in->memory.swizzle.bits == 0) return 0;
    search s = {r->side[side].shown.warp, r->side[side].shown.instruction, out};
    in->memory.swizzle = ct_swizzle_none();
    const int bad =
        ct_traffic_of_copy(r->copy, ct_tiled_copy_shape(r->copy), side ? NULL : in,
                           side ? in : NULL, r->rules, keep_access, &s, &sum, &sum, message);
    return !bad && out->bits == r->side[side].shown.access.bits;
}

static ct_picture *draw_first(const page *p, int side)
{
    const ct_report *r = p->report;
    const ct_report_side *s = &r->side[side];
    ct_access bare;
    if (!s->global && without_swizzle(r, side, &bare))
        return ct_picture_banks_beside(r->rules, &bare, "without the swizzle", &s->shown.access,
                                       "as it is", NULL, p->error);
    return ct_picture_access(r->rules, &s->shown.access, NULL, p->error);
}

/* The section of a side; what: its name. */
static int put_side(const page *p, int side, const char *what)
{
    const ct_report_side *s = &p->report->side[side];
    char name[64];
    if (!s->text) return 0;
    snprintf(name, sizeof name, "%s: %s", s->global ? "Sectors" : "Banks", what);
    fprintf(p->f, "<h2>%s</h2>\n<p>", name);
    ct_report_code(p->f, s->text);
    fprintf(p->f, " in %s memory. The picture is ", s->global ? "global" : "shared");
    if (s->shown.warp == s->first.warp && s->shown.instruction == s->first.instruction)
        fputs("the first instruction of warp 0.</p>\n", p->f);
    else
        fprintf(p->f, "instruction %lld of warp %lld, which has the most bank conflicts.</p>\n",
                (long long)s->shown.instruction, (long long)s->shown.warp);
    put_totals(p->f, s);
    return s->steps ? put_figure(p, draw_first(p, side), NULL, name) : 0;
}

int ct_report_put_side(FILE *f, const ct_report *r, int side, const char *what, char *error)
{
    const page p = {f, r, error};
    return put_side(&p, side, what);
}

/* ---- the head --------------------------------------------------------------------------------- */

void ct_report_card(FILE *f, const char *of, const char *verdict, const char *words, int good)
{
    fprintf(f, "<div class=\"card %s\"><h3>%s</h3><p><strong>%s</strong>: ", good ? "good" : "poor",
            verdict, of);
    ct_page_text(f, words);
    fputs("</p></div>\n", f);
}

static void put_verdicts(const page *p)
{
    char verdict[64], words[CT_REPORT_WORDS], of[64];
    int good;
    fputs("<div class=\"cards\">\n", p->f);
    for (int side = 0; side < 2; ++side) {
        if (!p->report->side[side].text) continue;
        good = ct_report_memory(p->report, side, verdict, words, sizeof words);
        snprintf(of, sizeof of, "%s, %s memory", side ? "Destination" : "Source",
                 p->report->side[side].global ? "global" : "shared");
        ct_report_card(p->f, of, verdict, words, good);
    }
    good = ct_report_width(p->report, verdict, words, sizeof words);
    ct_report_card(p->f, "Width", verdict, words, good);
    fputs("</div>\n", p->f);
}

void ct_report_fact(FILE *f, const char *name, const char *text)
{
    fprintf(f, "<dt>%s</dt><dd>", name);
    ct_report_code(f, text);
    fputs("</dd>\n", f);
}

static void put_facts(const page *p)
{
    const ct_report *r = p->report;
    char text[CT_TEXT_BYTES];
    fputs("<dl>\n", p->f);
    ct_report_fact(p->f, "tiled copy", r->expression);
    ct_format_tuple(text, sizeof text, ct_tiled_copy_shape(r->copy));
    ct_report_fact(p->f, "tile", text);
    ct_format_tuple(text, sizeof text, r->shape);
    ct_report_fact(p->f, "tensor", text);
    for (int side = 0; side < 2; ++side)
        if (r->side[side].text) ct_report_fact(p->f, ct_report_role(side), r->side[side].text);
    ct_format_layout(text, sizeof text, r->copy.tv);
    ct_report_fact(p->f, "(thread, value)", text);
    snprintf(text, sizeof text, "%lld", (long long)ct_tiled_copy_threads(r->copy));
    ct_report_fact(p->f, "threads", text);
    snprintf(text, sizeof text, "%lld of %d bits", (long long)ct_size(ct_mode(r->copy.tv, 1)),
             r->copy.atom.value_bits);
    ct_report_fact(p->f, "values each", text);
    ct_report_fact(p->f, "rules", r->rules->arch);
    fputs("</dl>\n", p->f);
}

void ct_report_rules(FILE *f, const ct_access_rules *rules)
{
    fputs(
        "<h2>How this was counted</h2>\n<p>By rules, without a GPU: one 32-byte sector is moved for "
        "each that a lane touches; shared memory delivers a 4-byte word from each of 32 banks in a "
        "wavefront. ",
        f);
    if (rules->measured_on)
        fprintf(f, "The rules of %s were held to the counters of an NVIDIA %s.", rules->arch,
                rules->measured_on);
    else
        fprintf(f, "The rules of %s were not measured; they are taken to be those of sm_90.",
                rules->arch);
}

int ct_report_page(FILE *f, const ct_report *r, char error[CT_MESSAGE_BYTES])
{
    const page p = {f, r, error};
    ct_page_begin(f, "Tiled copy");
    put_verdicts(&p);
    ct_report_put_advice(f, r);
    put_facts(&p);
    if (put_tile(&p) || put_threads(&p) || put_side(&p, 0, ct_report_role(0)) ||
        put_side(&p, 1, ct_report_role(1)))
        return -1;
    ct_report_rules(f, r->rules);
    if (r->copy.atom.kind == CT_ATOM_CP_ASYNC_CA || r->copy.atom.kind == CT_ATOM_CP_ASYNC_CG)
        fputs(
            " The two sides of cp.async are counted together, but in the row and the picture of a "
            "first instruction, where its shared side is a store; where lanes of a group read one "
            "bank, counted in the global address, more than once, or halves of a sector part ways, "
            "the hardware may take more wavefronts.",
            f);
    fputs("</p>\n", f);
    ct_page_end(f);
    return 0;
}
