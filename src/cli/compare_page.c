/* The page that shows the results of `cutlet compare`: table and pictures, one file beside them. */
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "compare.h"
#include "cutlet/host/text.h"

static const char head[] =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
    "<meta name=\"color-scheme\" content=\"light dark\">\n"
    "<title>cutlet compare</title>\n<style>\n"
    ":root { --ink: #1b1f24; --soft: #57606a; --line: #d0d7de; --page: #ffffff; --panel: #f6f8fa; --bar: #3b78c4; }\n"
    "@media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --soft: #9da7b3; --line: #3d444d;\n"
    "  --page: #0d1117; --panel: #161b22; --bar: #6ea8e6; } }\n"
    "body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--page); margin: 2rem auto;\n"
    "  max-width: 76rem; padding: 0 1rem; }\n"
    "h1 { font-size: 1.5rem; margin: 0; } h2 { font-size: 1.2rem; margin: 2.5rem 0 .5rem; }\n"
    "p { margin: .5rem 0; } .soft { color: var(--soft); }\n"
    ".wide { overflow-x: auto; } table { border-collapse: collapse; width: 100%; font-size: .9rem; }\n"
    "th, td { padding: .35rem .6rem; text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }\n"
    "th { border-bottom: 2px solid var(--line); color: var(--soft); font-weight: 600; }\n"
    "td { border-bottom: 1px solid var(--line); }\n"
    ".text { text-align: left; } code { font-family: ui-monospace, monospace; font-size: .95em; }\n"
    ".bar { display: inline-block; width: 5rem; height: .6rem; background: var(--panel); margin-left: .5rem;\n"
    "  border: 1px solid var(--line); } .bar span { display: block; height: 100%; background: var(--bar); }\n"
    "a { color: inherit; } figure { margin: 1.5rem 0; padding: 1rem; background: var(--panel);\n"
    "  border: 1px solid var(--line); border-radius: 6px; }\n"
    "figure img { max-width: 100%; height: auto; display: block; } figcaption { margin-bottom: .75rem; }\n"
    "</style>\n</head>\n<body>\n<h1>cutlet compare</h1>\n";

/* Text with the characters that HTML reserves written out. */
static void put(FILE *f, const char *text)
{
    for (; *text; ++text) {
        if (*text == '<') fputs("&lt;", f);
        else if (*text == '>') fputs("&gt;", f);
        else if (*text == '&') fputs("&amp;", f);
        else if (*text == '"') fputs("&quot;", f);
        else fputc(*text, f);
    }
}

static void put_cell(FILE *f, const char *text)
{
    fputs("<td class=\"text\"><code>", f);
    put(f, text);
    fputs("</code></td>", f);
}

/* The columns of the GPU. */
static void put_figures(FILE *f, const ct_gpu_copy *copy)
{
    if (copy && copy->status == CT_COMPARE_OK)
        fprintf(f, "<td>%.0f</td><td>%.3f</td>", ct_gpu_copy_rate(copy),
                ct_gpu_copy_of_memcpy(copy));
    else if (copy)
        fprintf(f, "<td>%s</td><td>&ndash;</td>",
                copy->status == CT_COMPARE_E_WRONG ? "wrong" : "&ndash;");
}

static void put_row(FILE *f, const ct_comparison *c, const ct_compare_result *r, int rank)
{
    char thr[64], val[64], access[32], name[96];
    ct_format_layout(thr, sizeof thr, r->thr);
    ct_format_tuple(val, sizeof val, ct_shape(r->val));
    ct_comparison_access(r, access, sizeof access);
    ct_gallery_name(r, name, sizeof name);
    fprintf(f, "<tr><td>%d</td><td class=\"text\"><a href=\"#%s\">%s</a></td>", rank, name,
            r->variant->name);
    put_cell(f, thr);
    put_cell(f, val);
    put_cell(f, access);
    fprintf(f,
            "<td>%" PRId64 "</td><td>%.2f</td><td>%.0f %%<span class=\"bar\" aria-hidden=\"true\">"
            "<span style=\"width: %.0f%%\"></span></span></td><td>%.3f</td><td>%" PRId64 "</td>",
            r->sectors, ct_comparison_excess(c, r), 100 * ct_compare_used(r),
            100 * ct_compare_used(r), ct_compare_instructions(r), r->conflicts);
    put_figures(f, ct_comparison_gpu(c, r));
    fputs("</tr>\n", f);
}

static void put_table(FILE *f, const ct_comparison *c, int first, int n)
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

static void put_figure(FILE *f, const ct_compare_result *r)
{
    char name[96];
    ct_gallery_name(r, name, sizeof name);
    fprintf(f, "<figure id=\"%s\"><figcaption><strong>%s</strong>: ", name, r->variant->name);
    put(f, r->variant->about);
    fprintf(f, ".<br><span class=\"soft\">%c", toupper((unsigned char)r->reason[0]));
    put(f, r->reason + 1);
    fprintf(
        f,
        ".</span></figcaption>\n<a href=\"%s\"><img src=\"%s\" alt=\"Who touches what in the first load of "
        "a warp: ",
        name, name);
    put(f, r->reason);
    fputs("\"></a></figure>\n", f);
}

/* A paragraph, unless it is empty. */
static void put_note(FILE *f, const char *text)
{
    if (!text[0]) return;
    fputs("<p class=\"soft\">", f);
    put(f, text);
    fputs("</p>\n", f);
}

static void put_page(FILE *f, const ct_comparison *c)
{
    char words[1024];
    fputs(head, f);
    ct_comparison_subject(c, words, sizeof words);
    fputs("<p>", f);
    put(f, words);
    ct_comparison_tiles(c, words, sizeof words);
    fprintf(f,
            ".</p>\n<p>Global &rarr; shared &rarr; global %s, every copy verified bit by bit.</p>\n",
            words);
    fputs(
        "<p class=\"soft\">bytes: of one access to global memory. sectors: of 32 bytes, read and written; / least: "
        "over the fewest that hold the matrix; used: of the bytes moved. instr: memory instructions of a thread for "
        "each element. conflicts: extra passes through the banks of shared memory. Ranked by sectors, then "
        "instructions, then cache lines touched.</p>\n",
        f);
    ct_comparison_gpu_words(c, words, sizeof words);
    put_note(f, words);
    put_note(f, c->gpu.reason);
    for (int row_major = 1; row_major >= 0; --row_major) {
        int first = 0;
        const int n = ct_comparison_part(c, row_major, &first);
        if (n == 0) continue;
        fprintf(f, "<h2>%s-major</h2>\n", row_major ? "Row" : "Column");
        put_table(f, c, first, n);
        for (int i = 0; i < n; ++i) put_figure(f, &c->results[first + i]);
    }
    fputs("</body>\n</html>\n", f);
}

int ct_comparison_html(const ct_comparison *c, const char *path)
{
    FILE *f = fopen(path, "w");
    if (!f) return -1;
    put_page(f, c);
    const int bad = ferror(f);
    return fclose(f) || bad ? -1 : 0;
}
