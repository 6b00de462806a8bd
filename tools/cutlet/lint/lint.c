/* cutlet lint FILE... */
#include "lint.h"

#include <stdlib.h>
#include <string.h>

#include "../common/commands.h"
#include "../common/json.h"
#include "../common/options.h"
#include "base/style.h"

enum { KEY_JSON = 256, KEY_SARIF };

typedef struct arguments {
    char **file;
    int count, json, sarif;
} arguments;

static const struct argp_option options[] = {
    {"json", KEY_JSON, NULL, 0, "print JSON", 0},
    {"sarif", KEY_SARIF, NULL, 0, "print SARIF 2.1.0, as code hosts and editors read it", 0},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    arguments *a = state->input;
    switch (key) {
        case KEY_JSON: a->json = 1; return 0;
        case KEY_SARIF: a->sarif = 1; return 0;
        case ARGP_KEY_ARG: a->file[a->count++] = arg; return 0;
        case ARGP_KEY_END:
            if (a->json && a->sarif) return ct_cli_wrong(state, "either --json or --sarif");
            return a->count > 0
                       ? 0
                       : ct_cli_wrong(state, "a source file is missing; - is standard input");
        default: return ARGP_ERR_UNKNOWN;
    }
}

const struct argp ct_lint_argp = CT_ARGP(
    options, parse, "FILE...",
    "Finds layouts in C++, Python and text, in any notation that `cutlet eval` reads, and reports "
    "what is proved to be a mistake; - is standard input.\v"
    "  overlap    a destination has two elements at one offset: a layout in shared memory, the "
    "threads of a tiled copy, a layout marked `destination`\n"
    "  conflicts  a read of shared memory has bank conflicts\n"
    "  swizzle    a swizzle moves no offset of its layout\n"
    "  narrow     an access of a tiled copy is narrower than its layouts allow\n"
    "  ldmatrix   no ldmatrix reads the operand of an MMA\n"
    "\n"
    "Shared memory is what a print calls smem_ptr, or a name says: SmemLayoutA, sA. Copies go with the "
    "layouts of the same name: SmemCopyAtomA and GmemTiledCopyA with SmemLayoutA. A comment says what "
    "names do not, about the first layout on its line or below:\n"
    "\n"
    "  // cutlet-lint: read=ldmatrix type=half     how it is read: rows, columns, ldmatrix, "
    "ldmatrix.trans\n"
    "  // cutlet-lint: mma=SM80_16x8x16_F32F16F16F32_TN operand=a\n"
    "  // cutlet-lint: src=(512,512):(512,1) dst=(64,64):(64,1)    what a tiled copy copies\n"
    "  // cutlet-lint: destination                 each offset may be written once\n"
    "  // cutlet-lint: shape=64x64                 of a tensor, for layouts of Triton\n"
    "  // cutlet-lint: off                         it is not reported\n"
    "\n"
    "  echo 'sA = Sw<3,3,3> o 0 o (8,64):(64,1)  # cutlet-lint: read=ldmatrix type=half' > sA.txt\n"
    "  cutlet lint sA.txt\n"
    "  cutlet lint --sarif sA.txt > lint.sarif\n"
    "\n"
    "What depends on template parameters or on run-time values is not reported. The exit status is "
    "0; 1 when something was reported; 2 when a file or a comment cannot be read.");

static void print_finding(const ct_lint_file *f, const ct_lint_finding *found)
{
    int line, column;
    ct_lint_place(f, found->at, &line, &column);
    ct_put_style(stdout, CT_STYLE_PLACE);
    printf("%s:%d:%d:", strcmp(f->path, "-") == 0 ? "<stdin>" : f->path, line, column);
    ct_put_style(stdout, CT_STYLE_NONE);
    printf(" %s: %s\n", ct_lint_rules[found->rule].name, found->text);
    if (found->layout[0]) printf("  %s\n", found->layout);
}

/* The files without a message: those that were read to their ends. */
static int count_linted(const ct_lint_file *file, int files)
{
    int linted = 0;
    for (int i = 0; i < files; ++i) linted += !file[i].message[0];
    return linted;
}

static void print(const ct_lint_file *file, int files)
{
    const int linted = count_linted(file, files);
    size_t layouts = 0, findings = 0;
    for (int i = 0; i < files; ++i) {
        for (size_t k = 0; k < file[i].findings; ++k) print_finding(&file[i], &file[i].finding[k]);
        layouts += file[i].layouts;
        findings += file[i].findings;
    }
    ct_put_style(stdout, findings || linted < files ? CT_STYLE_BAD : CT_STYLE_GOOD);
    printf("%zu layout%s in %d file%s, %zu reported", layouts, layouts == 1 ? "" : "s", linted,
           linted == 1 ? "" : "s", findings);
    if (linted < files) printf("; not linted: %d", files - linted);
    putchar('\n');
    ct_put_style(stdout, CT_STYLE_NONE);
}

json_t *ct_lint_json(const ct_lint_file *file, int files)
{
    json_t *const all = json_array();
    size_t layouts = 0;
    for (int i = 0; i < files; ++i) {
        layouts += file[i].layouts;
        for (size_t k = 0; k < file[i].findings; ++k) {
            const ct_lint_finding *const found = &file[i].finding[k];
            int line, column;
            ct_lint_place(&file[i], found->at, &line, &column);
            json_array_append_new(all, json_pack("{s:s, s:i, s:i, s:s, s:s, s:s}", "file",
                                                 file[i].path, "line", line, "column", column,
                                                 "rule", ct_lint_rules[found->rule].name, "layout",
                                                 found->layout, "message", found->text));
        }
    }
    const int linted = count_linted(file, files);
    return json_pack("{s:i, s:i, s:I, s:o}", "files", linted, "not_linted", files - linted,
                     "layouts", (json_int_t)layouts, "findings", all);
}

/* The findings of all files in the form that was asked for. An exit status. */
static int show(const arguments *a, const ct_lint_file *file)
{
    if (!a->json && !a->sarif) {
        print(file, a->count);
        return CT_EXIT_OK;
    }
    json_t *const root = a->sarif ? ct_lint_sarif(file, a->count) : ct_lint_json(file, a->count);
    const int bad = ct_json_write(stdout, root, JSON_INDENT(2));
    json_decref(root);
    if (bad) ct_cli_complain("lint", "out of memory");
    return bad ? CT_EXIT_BAD : CT_EXIT_OK;
}

static int lint(const arguments *a, ct_lint_file *file)
{
    int status = CT_EXIT_OK;
    for (int i = 0; i < a->count; ++i) {
        file[i].path = a->file[i];
        if (ct_lint_read(&file[i]) == CT_OK && ct_lint_find(&file[i]) == CT_OK &&
            ct_lint_prove(&file[i]) == CT_OK) {
            if (file[i].findings && status == CT_EXIT_OK) status = CT_EXIT_FAILED;
            continue;
        }
        ct_cli_complain("lint", "%s", file[i].message);
        status = CT_EXIT_BAD;
    }
    return show(a, file) == CT_EXIT_OK ? status : CT_EXIT_BAD;
}

int ct_cmd_lint(int argc, char **argv)
{
    arguments a = {.file = calloc((size_t)argc + 1, sizeof(char *))};
    ct_lint_file *const file = calloc((size_t)argc + 1, sizeof *file);
    int status = CT_EXIT_BAD;
    if (!a.file || !file) ct_cli_complain("lint", "out of memory");
    else {
        const int parsed = ct_cli_parse(&ct_lint_argp, argc, argv, &a);
        status = parsed < 0 ? CT_EXIT_BAD : parsed > 0 ? CT_EXIT_OK : lint(&a, file);
    }
    for (int i = 0; file && i < argc; ++i) ct_lint_free(&file[i]);
    free(file);
    free(a.file);
    return ct_cli_finish("lint", status);
}
