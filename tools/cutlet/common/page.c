/* Pages of HTML that stand by themselves. */
#include "page.h"

static const char meta[] =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
    "<meta name=\"color-scheme\" content=\"light dark\">\n";

static const char style[] =
    "<style>\n"
    ":root { --ink: #1b1f24; --soft: #57606a; --line: #d0d7de; --page: #ffffff; --panel: #f6f8fa;\n"
    "  --bar: #3b78c4; --good: #1a7f37; --poor: #a33600; }\n"
    "@media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --soft: #9da7b3;\n"
    "  --line: #3d444d; --page: #0d1117; --panel: #161b22; --bar: #6ea8e6; --good: #56d364;\n"
    "  --poor: #f0a35e; } }\n"
    "body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--page);\n"
    "  margin: 2rem auto; max-width: 76rem; padding: 0 1rem; overflow-wrap: break-word; }\n"
    "h1 { font-size: 1.5rem; margin: 0; } h2 { font-size: 1.2rem; margin: 2.5rem 0 .5rem; }\n"
    "p { margin: .5rem 0; } .soft { color: var(--soft); }\n"
    ".wide { overflow-x: auto; }\n"
    "table { border-collapse: collapse; width: 100%; font-size: .9rem; }\n"
    "th, td { padding: .35rem .6rem; text-align: right; white-space: nowrap;\n"
    "  font-variant-numeric: tabular-nums; }\n"
    "th { border-bottom: 2px solid var(--line); color: var(--soft); font-weight: 600; }\n"
    "td, tbody th { border-bottom: 1px solid var(--line); }\n"
    ".text { text-align: left; }\n"
    "code { font-family: ui-monospace, monospace; font-size: .95em; }\n"
    ".bar { display: inline-block; width: 5rem; height: .6rem; background: var(--panel);\n"
    "  margin-left: .5rem; border: 1px solid var(--line); }\n"
    ".bar span { display: block; height: 100%; background: var(--bar); }\n"
    "a { color: inherit; } figure { margin: 1.5rem 0; padding: 1rem; background: var(--panel);\n"
    "  border: 1px solid var(--line); border-radius: 6px; }\n"
    "figure img { display: block; }\n"
    "figcaption { margin-bottom: .75rem; }\n"
    "figure svg { display: block; }\n"
    "@media (max-width: 60rem) { figure { padding: .5rem; } }\n"
    ".cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 18rem), 1fr));\n"
    "  gap: 1rem; margin: 1.5rem 0; }\n"
    ".card { padding: .75rem 1rem; background: var(--panel); border: 1px solid var(--line);\n"
    "  border-left: 5px solid var(--line); border-radius: 6px; }\n"
    ".card h3 { font-size: 1rem; margin: 0; } .card p { margin: .25rem 0 0; }\n"
    ".good { border-left-color: var(--good); } .good h3 { color: var(--good); }\n"
    ".poor { border-left-color: var(--poor); } .poor h3 { color: var(--poor); }\n"
    "dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem; margin: 1rem 0; }\n"
    "dt { color: var(--soft); } dd { margin: 0; min-width: 0; overflow-wrap: anywhere; }\n"
    "@media (max-width: 40rem) { dl { grid-template-columns: 1fr; } dd { margin-bottom: .5rem; } }\n"
    "</style>\n";

void ct_page_text(FILE *f, const char *text)
{
    for (; *text; ++text) {
        if (*text == '<') fputs("&lt;", f);
        else if (*text == '>') fputs("&gt;", f);
        else if (*text == '&') fputs("&amp;", f);
        else if (*text == '"') fputs("&quot;", f);
        else fputc((unsigned char)*text < 0x20 ? ' ' : *text, f);
    }
}

void ct_page_begin(FILE *f, const char *title)
{
    fputs(meta, f);
    fputs("<title>", f);
    ct_page_text(f, title);
    fputs("</title>\n", f);
    fputs(style, f);
    fputs("</head>\n<body>\n<h1>", f);
    ct_page_text(f, title);
    fputs("</h1>\n", f);
}

void ct_page_end(FILE *f) { fputs("</body>\n</html>\n", f); }
