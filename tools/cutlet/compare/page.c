/* The page that shows the results of `cutlet compare`: table and pictures, one file beside them. */
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "../common/page.h"
#include "compare.h"
#include <cutlet/host/access.h>
#include <cutlet/host/text.h>

static void put_cell(FILE *f, const char *text)
{
    fputs("<td class=\"text\"><code>", f);
    ct_page_text(f, text);
    fputs("</code></td>", f);
}

/* The columns of the GPU. */
static void put_figures(FILE *f, const ct_gpu_copy *copy)
{
    if (copy && copy->status == CT_OK)
        fprintf(f, "<td>%.0f</td><td>%.3f</td>", ct_gpu_copy_rate(copy),
                ct_gpu_copy_of_memcpy(copy));
    else if (copy)
        fprintf(f, "<td>%s</td><td>&ndash;</td>", copy->status == CT_E_WRONG ? "wrong" : "&ndash;");
}

static void put_row(FILE *f, const ct_ranking *c, const ct_compare_result *r, int rank)
{
    char thr[64], val[64], access[32], name[96];
    ct_format_layout(thr, sizeof thr, r->thr);
    ct_format_tuple(val, sizeof val, ct_shape(r->val));
    ct_ranking_access(r, access, sizeof access);
    ct_picture_folder_name(r, name, sizeof name);
    fprintf(f, "<tr><td>%d</td><td class=\"text\"><a href=\"#%s\">%s</a></td>", rank, name,
            r->variant->name);
    put_cell(f, thr);
    put_cell(f, val);
    put_cell(f, access);
    fprintf(f,
            "<td>%" PRId64 "</td><td>%.2f</td><td>%.0f %%<span class=\"bar\" aria-hidden=\"true\">"
            "<span style=\"width: %.0f%%\"></span></span></td><td>%.3f</td>",
            r->sectors, ct_ranking_excess(c, r), 100 * ct_compare_used(r), 100 * ct_compare_used(r),
            ct_compare_instructions(r));
    ct_picture_folder_banks(r, name, sizeof name);
    if (r->conflicts > 0)
        fprintf(f, "<td><a href=\"#%s\">%" PRId64 "</a></td>", name, r->conflicts);
    else fputs("<td>0</td>", f);
    put_figures(f, ct_ranking_gpu(c, r));
    fputs("</tr>\n", f);
}

static void put_table(FILE *f, const ct_ranking *c, int first, int n)
{
    fputs(
        "<div class=\"wide\"><table>\n<thead><tr><th>#</th><th class=\"text\">variant</th>"
        "<th class=\"text\">threads</th><th class=\"text\">values</th><th class=\"text\">bytes</th>"
        "<th>sectors</th><th>/ least</th><th>used</th><th>instr</th><th>conflicts</th>",
        f);
    if (c->gpu.copies) fputs("<th>GB/s</th><th>/ memcpy</th>", f);
    fputs("</tr></thead>\n<tbody>\n", f);
    for (int i = 0; i < n; ++i) put_row(f, c, &c->results[first + i], i + 1);
    fputs("</tbody>\n</table></div>\n", f);
}

/* An image that scrolls where the page is narrower. */
static void put_image(FILE *f, const char *name, const char *what, const char *words)
{
    fprintf(f, "<div class=\"wide\"><a href=\"%s\"><img src=\"%s\" alt=\"%s", name, name, what);
    ct_page_text(f, words);
    fputs("\"></a></div>", f);
}

static void put_figure(FILE *f, const ct_compare_result *r)
{
    char name[96];
    ct_picture_folder_name(r, name, sizeof name);
    fprintf(f, "<figure id=\"%s\"><figcaption><strong>%s</strong>: ", name, r->variant->name);
    ct_page_text(f, r->variant->about);
    fprintf(f, ".<br><span class=\"soft\">%c", toupper((unsigned char)r->reason[0]));
    ct_page_text(f, r->reason + 1);
    fputs(".</span></figcaption>\n", f);
    put_image(f, name, "Who touches what in the first load of a warp: ", r->reason);
    if (r->conflicts > 0) {
        char words[96];
        ct_picture_folder_banks(r, name, sizeof name);
        snprintf(words, sizeof words, "%s of %d bits", ct_access_name(r->worst.kind),
                 r->worst.bits);
        fprintf(
            f, "\n<p id=\"%s\">%" PRId64 " bank conflicts; the access with the most of them:</p>\n",
            name, r->conflicts);
        put_image(f, name, "The banks that the lanes ask for: ", words);
    }
    fputs("</figure>\n", f);
}

/* A paragraph, unless it is empty. */
static void put_note(FILE *f, const char *text)
{
    if (!text[0]) return;
    fputs("<p class=\"soft\">", f);
    ct_page_text(f, text);
    fputs("</p>\n", f);
}

static void put_page(FILE *f, const ct_ranking *c)
{
    char words[1024], verified[512];
    ct_page_begin(f, "cutlet compare");
    ct_ranking_input(c, words, sizeof words);
    fputs("<p>", f);
    ct_page_text(f, words);
    ct_ranking_tiles(c, words, sizeof words);
    ct_ranking_verified(c, verified, sizeof verified);
    fprintf(f, ".</p>\n<p>Global &rarr; shared &rarr; global %s, %s.</p>\n", words, verified);
    fputs(
        "<p class=\"soft\">bytes: of one access to global memory. sectors: of 32 bytes, read and written; / least: "
        "over the fewest that hold the matrix; used: of the bytes moved. instr: memory instructions of a thread for "
        "each element. conflicts: extra passes through the banks of shared memory. Ranked by sectors, then "
        "instructions, then cache lines touched.</p>\n",
        f);
    ct_ranking_gpu_words(c, words, sizeof words);
    put_note(f, words);
    put_note(f, c->gpu.reason);
    for (int row_major = 1; row_major >= 0; --row_major) {
        int first = 0;
        const int n = ct_ranking_part(c, row_major, &first);
        if (n == 0) continue;
        fprintf(f, "<h2>%s-major</h2>\n", row_major ? "Row" : "Column");
        put_table(f, c, first, n);
        for (int i = 0; i < n; ++i) put_figure(f, &c->results[first + i]);
    }
    ct_page_end(f);
}

int ct_ranking_html(const ct_ranking *c, const char *path)
{
    FILE *f = fopen(path, "w");
    if (!f) return -1;
    put_page(f, c);
    const int bad = ferror(f);
    return fclose(f) || bad ? -1 : 0;
}
