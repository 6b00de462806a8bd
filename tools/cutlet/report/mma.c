/* cutlet report TILED_MMA: who holds A, B and C, and what feeds A and B. */
#include "mma.h"

#include <ctype.h>
#include <string.h>

#include "../common/page.h"
#include "../verify/mma.h"
#include <cutlet/host/draw.h>
#include <cutlet/host/text.h>
#include <cutlet/mma/mma_tensor_memory.h>

/* The cells of each operand that are drawn. */
#define TILE_CELLS 2048

/* ---- counting ------------------------------------------------------------------------------- */

/* The report of the copy that feeds an operand. */
static int count_fed(ct_report_mma *r, int operand, char *message)
{
    const ct_mma_feed *const feed = &r->found.feed[operand];
    ct_report *const fed = &r->fed[operand];
    if (feed->by != CT_FEED_LDMATRIX || feed->traffic.instructions == 0) return 0;
    fed->expression = r->expression;
    fed->copy = feed->copy;
    fed->rules = r->rules;
    fed->shape = ct_product_each(ct_shape(r->shared[operand].layout));
    fed->side[0].text = r->text[operand];
    fed->side[0].in.kind = CT_ACCESS_LDSM;
    fed->side[0].in.elem_bits = feed->copy.atom.value_bits;
    fed->side[0].in.memory = r->shared[operand];
    return ct_report_count(fed, message);
}

int ct_report_mma_count(ct_report_mma *r, char message[CT_MESSAGE_BYTES])
{
    const ct_verify_mma_job job = {
        r->mma, {r->text[0] ? &r->shared[0] : NULL, r->text[1] ? &r->shared[1] : NULL}, r->rules};
    int bad = ct_verify_mma(&job, &r->found, message);
    for (int operand = CT_MMA_A; operand <= CT_MMA_B && !bad; ++operand)
        if (r->text[operand]) bad = count_fed(r, operand, message);
    return bad;
}

/* ---- verdicts ------------------------------------------------------------------------------- */

/* The operand that a property speaks of. */
static char letter_of(int property)
{
    const char *const name = ct_verify_mma_name(property);
    return name[strlen(name) - 1];
}

static void verdict_of(const ct_report_mma *r, int property, char verdict[32])
{
    const int holds = r->found.of[property].state == CT_VERIFY_OK;
    const ct_mma_feed *const feed = &r->found.feed[property >= CT_VERIFY_FEED_B];
    if (property < CT_VERIFY_FEED_A) strcpy(verdict, holds ? "Covered" : "Not covered");
    else if (property == CT_VERIFY_CONFLICTS_A || property == CT_VERIFY_CONFLICTS_B)
        strcpy(verdict, holds ? "No bank conflicts" : "Bank conflicts");
    else if (!holds) strcpy(verdict, "Not readable");
    else if (feed->by == CT_FEED_DESCRIPTOR) strcpy(verdict, "A descriptor");
    else ct_feed_name(feed, verdict);
}

/* The sentence of a property, and after one that does not hold the nearest layout. */
static void words_of(const ct_report_mma *r, int property, char *words, size_t size)
{
    char nearest[CT_TEXT_BYTES];
    const ct_verify_mma_finding *const f = &r->found.of[property];
    const size_t end = strlen(f->text);
    const int open = end > 0 && f->text[end - 1] == '.'; /* `threads 0, 1, 2, 3, ...` */
    snprintf(words, size, "%s%s", f->text, open ? "" : ".");
    const int is_name = strncmp(words, "ldmatrix", 8) == 0 || strncmp(words, "mma_", 4) == 0;
    if (!is_name) words[0] = (char)toupper((unsigned char)words[0]);
    const size_t n = strlen(words);
    if (f->state == CT_VERIFY_FAILED && property >= CT_VERIFY_FEED_A && n < size &&
        ct_nearest_text(nearest, r->found.feed[property >= CT_VERIFY_FEED_B].nearest))
        snprintf(words + n, size - n, " The nearest layout that works: %s.", nearest);
}

void ct_report_mma_print(FILE *stream, const ct_report_mma *r)
{
    char verdict[32], words[CT_TEXT_BYTES + CT_MESSAGE_BYTES];
    for (int p = 0; p < CT_VERIFY_MMA_PROPERTIES; ++p) {
        if (r->found.of[p].state == CT_VERIFY_SKIPPED) continue;
        verdict_of(r, p, verdict);
        words_of(r, p, words, sizeof words);
        fprintf(stream, "%c: %s. %s\n", letter_of(p), verdict, words);
    }
}

/* ---- the page ------------------------------------------------------------------------------- */

static void put_verdicts(FILE *f, const ct_report_mma *r)
{
    char verdict[32], words[CT_TEXT_BYTES + CT_MESSAGE_BYTES], of[2] = "";
    fputs("<div class=\"cards\">\n", f);
    for (int p = 0; p < CT_VERIFY_MMA_PROPERTIES; ++p) {
        if (r->found.of[p].state == CT_VERIFY_SKIPPED) continue;
        verdict_of(r, p, verdict);
        words_of(r, p, words, sizeof words);
        of[0] = letter_of(p);
        ct_report_card(f, of, verdict, words, r->found.of[p].state == CT_VERIFY_OK);
    }
    fputs("</div>\n", f);
}

static void put_facts(FILE *f, const ct_report_mma *r)
{
    char text[CT_TEXT_BYTES];
    static const char *const shared[] = {"A in shared memory", "B in shared memory"};
    fputs("<dl>\n", f);
    ct_report_fact(f, "tiled MMA", r->expression);
    ct_format_mma_atom(text, sizeof text, r->mma.atom);
    ct_report_fact(f, "atom", text);
    ct_format_tuple(text, sizeof text, ct_mma_shape(r->mma.atom));
    ct_report_fact(f, "its (m,n,k)", text);
    ct_format_tuple(text, sizeof text, ct_tiled_mma_shape(r->mma));
    ct_report_fact(f, "tile (m,n,k)", text);
    ct_format_layout(text, sizeof text, r->mma.thr);
    ct_report_fact(f, "(thread of the atom, m, n, k) -> thread", text);
    snprintf(text, sizeof text, "%lld", (long long)r->found.threads);
    ct_report_fact(f, "threads", text);
    for (int operand = CT_MMA_A; operand <= CT_MMA_B; ++operand)
        if (r->text[operand]) ct_report_fact(f, shared[operand], r->text[operand]);
    if (r->mma.atom.op.kind == CT_MMA_BLOCK) {
        ct_format_layout(text, sizeof text, ct_mma_tmem_c(r->mma.atom));
        ct_report_fact(f, "D of the atom, (m,n) -> (lane, column) of tensor memory", text);
    }
    if (r->rules) ct_report_fact(f, "rules", r->rules->arch);
    fputs("</dl>\n", f);
}

/* A row of the table: type, place, tile, layout, values of a thread, holders of an element. */
static void put_operand(FILE *f, const ct_report_mma *r, int operand)
{
    static const char *const modes[] = {"A (m,k)", "B (n,k)", "C (m,n)"};
    static const char *const places[] = {"registers", "shared memory", "tensor memory"};
    const ct_mma_op op = r->mma.atom.op;
    const int half = operand == CT_MMA_A && op.sparse;
    const ct_layout tv = ct_mma_tv(r->mma.atom, operand);
    char tile[CT_TEXT_BYTES], layout[CT_TEXT_BYTES];
    ct_format_tuple(tile, sizeof tile, ct_tiled_mma_tile(r->mma, operand));
    ct_format_layout(layout, sizeof layout, tv);
    fprintf(
        f,
        "<tr><th scope=\"row\" class=\"text\">%s</th><td>%s</td><td>%s</td><td>%s</td><td class=\"text\">",
        half ? "A (m,k/2)" : modes[operand], ct_mma_type_name(ct_mma_operand_type(op, operand)),
        places[ct_mma_from(op, operand)], tile);
    ct_report_code(f, layout);
    fprintf(f, "</td><td>%lld</td><td>%lld</td></tr>\n", (long long)ct_size(ct_mode(tv, 1)),
            (long long)r->found.of[CT_VERIFY_COVER_A + operand].times);
}

/* The metadata of a sparse atom. */
static void put_metadata(FILE *f, const ct_report_mma *r)
{
    const ct_mma_op op = r->mma.atom.op;
    char layout[CT_TEXT_BYTES];
    ct_format_layout(layout, sizeof layout, ct_mma_tv(r->mma.atom, CT_MMA_E));
    const int64_t bits = ct_size(ct_mode(ct_mma_tv(r->mma.atom, CT_MMA_E), 1));
    fprintf(
        f,
        "<tr><th scope=\"row\" class=\"text\">E (m,bit)</th><td>bits</td><td>%s</td><td>(%d,%d)</td>"
        "<td class=\"text\">",
        op.kind == CT_MMA_BLOCK ? "tensor memory" : "registers", (int)op.m,
        (int)ct_mma_row_bits(op));
    ct_report_code(f, layout);
    fprintf(f, "</td><td>%lld</td><td>%d</td></tr>\n", (long long)bits, (int)ct_mma_selectors(op));
}

static void put_operands(FILE *f, const ct_report_mma *r)
{
    fputs(
        "<h2>Operands</h2>\n<div class=\"wide\" role=\"region\" tabindex=\"0\" aria-label=\"operands\">"
        "<table>\n<thead><tr><th class=\"text\" scope=\"col\">operand</th><th scope=\"col\">type</th>"
        "<th scope=\"col\">in</th><th scope=\"col\">tile</th><th class=\"text\" scope=\"col\">atom: (thread, value)</th>"
        "<th scope=\"col\">values each</th><th scope=\"col\">threads holding "
        "each</th></tr></thead>\n<tbody>\n",
        f);
    for (int operand = CT_MMA_A; operand <= CT_MMA_C; ++operand) put_operand(f, r, operand);
    if (r->mma.atom.op.sparse) put_metadata(f, r);
    fputs("</tbody>\n</table></div>\n", f);
}

/* The atom, and the tiled MMA where it is another and has a picture. */
static int put_pictures(FILE *f, const ct_report_mma *r, char *error)
{
    const ct_draw_options o = {.max_cells = TILE_CELLS, .truncate = 1};
    const int alone = ct_size(r->mma.atoms) == 1 &&
                      ct_tuple_equal(ct_tiled_mma_shape(r->mma), ct_mma_shape(r->mma.atom));
    fputs("<h2>Which thread holds which element</h2>\n", f);
    if (!alone && ct_size(ct_mode(r->mma.atoms, 2)) > 1)
        fputs(
            "<p>Atoms along k each have a part of C of their own: the picture is the atom's.</p>\n",
            f);
    else if (!alone && ct_cosize(r->mma.thr) == ct_size(r->mma.thr))
        return ct_report_figure(f, ct_picture_tiled_mma(r->mma, &o, error),
                                "A, B and C of the tile", "A, B and C of the tile", error);
    return ct_report_figure(f, ct_picture_mma_atom(r->mma.atom, &o, error),
                            "A, B and C of the atom", "A, B and C of the atom", error);
}

int ct_report_mma_page(FILE *f, const ct_report_mma *r, char error[CT_MESSAGE_BYTES])
{
    static const char *const names[] = {"A", "B"};
    int counted = 0;
    ct_page_begin(f, "Tiled MMA");
    put_verdicts(f, r);
    put_facts(f, r);
    put_operands(f, r);
    if (put_pictures(f, r, error)) return -1;
    for (int operand = CT_MMA_A; operand <= CT_MMA_B; ++operand) {
        if (!r->fed[operand].side[0].text) continue;
        if (ct_report_put_side(f, &r->fed[operand], 0, names[operand], error)) return -1;
        counted = 1;
    }
    if (counted) {
        ct_report_rules(f, r->rules);
        fputs("</p>\n", f);
    }
    ct_page_end(f);
    return 0;
}
