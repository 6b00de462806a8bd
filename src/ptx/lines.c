/* The lines of the source: `.file` and `.loc`. A place
 * may be inlined into another one, and that into a third. An instruction is named by the innermost of
 * them in the file of the outermost: the line that the kernel's author wrote. */
#include "parse.h"

enum { MAX_INLINED = 64, MAX_FILES = 1 << 16 };

void ct_ptx_read_loc(ct_ptx_parser *p)
{
    int32_t n[6] = {0};
    for (int i = 0; i < 3; ++i) n[i] = (int32_t)ct_ptx_number(p);
    if (ct_ptx_take(p, ",")) {
        ct_ptx_expect(p, "function_name");
        (void)ct_ptx_word(p);
        if (ct_ptx_take(p, "+")) (void)ct_ptx_number(p);
        ct_ptx_expect(p, ",");
        ct_ptx_expect(p, "inlined_at");
        for (int i = 3; i < 6; ++i) n[i] = (int32_t)ct_ptx_number(p);
    }
    ct_ptx_loc *const kept = ct_ptx_append(p, &p->locs, sizeof *kept);
    if (kept) *kept = (ct_ptx_loc){n[0], n[1], n[2], n[3], n[4], n[5]};
}

/* The place into which one is inlined; it most often was named last. */
static ct_ptx_loc around(const ct_ptx_parser *p, const ct_ptx_loc *inner)
{
    const ct_ptx_loc *const all = p->locs.items;
    for (int32_t i = p->locs.count - 1; i >= 0; --i)
        if (all[i].file == inner->at_file && all[i].line == inner->at_line &&
            all[i].column == inner->at_column)
            return all[i];
    return (ct_ptx_loc){.file = inner->at_file, .line = inner->at_line, .column = inner->at_column};
}
static ct_grid_site site_at(const ct_ptx_parser *p, const ct_ptx_loc *loc)
{
    const char *const *const files = p->files.items;
    const int is_known = loc->file >= 0 && loc->file < p->files.count && files[loc->file];
    return (ct_grid_site){is_known ? files[loc->file] : "ptx", loc->line, 0, 2, "", NULL, NULL};
}
void ct_ptx_set_site(ct_ptx_parser *p, ct_ptx_more *more)
{
    ct_ptx_loc chain[MAX_INLINED] = {{.file = -1, .line = more->line}};
    int count = 1, named = 0;
    if (p->locs.count) {
        const ct_ptx_loc *const last = &((const ct_ptx_loc *)p->locs.items)[p->locs.count - 1];
        if (last->line) chain[0] = *last;
    }
    for (; chain[count - 1].at_line && count < MAX_INLINED; ++count)
        chain[count] = around(p, &chain[count - 1]);
    while (chain[named].file != chain[count - 1].file) ++named;
    more->site = site_at(p, &chain[named]);
    ct_grid_site *const inside = named > 2 ? ct_ptx_memory(p, sizeof *inside) : NULL;
    more->site.inside = inside; /* a function with at most one inside stands for the instruction */
    if (inside) *inside = site_at(p, &chain[0]);
}

/* The names of files stand behind the functions that use them: they are read first. */
void ct_ptx_read_names(ct_ptx_parser *p)
{
    const char *const text = p->at;
    for (const char *at = text; !p->failed && (at = strstr(at, ".file")); ++at) {
        if (at != text && at[-1] != '\n' && at[-1] != '\t') continue;
        p->at = at + strlen(".file");
        ct_ptx_next(p);
        const uint64_t number = ct_ptx_number(p);
        const ct_ptx_token name = p->token;
        if (name.kind != TOKEN_STRING || number >= MAX_FILES)
            ct_ptx_refuse_token(p, "where a file's number and name are expected");
        while (!p->failed && (uint64_t)p->files.count <= number)
            ct_ptx_append(p, &p->files, sizeof(const char *));
        if (!p->failed)
            ((const char **)p->files.items)[number] = ct_ptx_copy(p, name.text, name.length);
    }
    p->at = text;
    p->line = 1;
}
