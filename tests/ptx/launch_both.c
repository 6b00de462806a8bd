/* Launches of a test by both front ends: a test is compiled with ct_grid_launch renamed to launch_both. Each
 * launch runs the kernel that gcc compiled, and that of the same name in the PTX of the files CUTLET_PTX, on
 * the same memory. What differs goes to the file CUTLET_DIFFERENCES, a line each; the test sees the launch of
 * gcc's kernel. */
#undef ct_grid_launch
#include <cutlet/host/ptx.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int launch_both(const ct_grid_kernel *kernel, ct_dim3 grid, ct_dim3 block, size_t shared_bytes,
                const void *args, size_t args_bytes, const ct_grid_options *options,
                ct_grid_report *report);

enum { MOST_MODULES = 16, MOST_BYTES = 1 << 25, MOST_BUFFERS = 32 };

static void fail(const char *what)
{
    fprintf(stderr, "%s\n", what);
    exit(3);
}

static ct_ptx *load(const char *path)
{
    static char text[MOST_BYTES];
    char message[CT_MESSAGE_BYTES];
    FILE *const file = fopen(path, "rb");
    const size_t n = file ? fread(text, 1, sizeof text - 1, file) : 0;
    if (n == 0) fail("CUTLET_PTX cannot be read");
    fclose(file);
    text[n] = 0;
    ct_ptx *const module = ct_ptx_load(text, message);
    if (!module) fail(message);
    return module;
}

/* The kernel of this name in one of the files, or NULL. */
static const ct_grid_kernel *same_kernel(const char *name)
{
    static ct_ptx *modules[MOST_MODULES]; /* reports have names of them */
    static int count;
    const ct_grid_kernel *found = NULL;
    if (count == 0) {
        char *const list = strdup(getenv("CUTLET_PTX"));
        for (char *path = strtok(list, ":"); path && count < MOST_MODULES; path = strtok(NULL, ":"))
            modules[count++] = load(path);
        free(list);
    }
    for (int i = 0; i < count && !found; ++i) found = ct_ptx_kernel(modules[i], name);
    return found;
}

__attribute__((format(printf, 2, 3))) static void differ(const char *kernel, const char *format,
                                                         ...)
{
    static FILE *file;
    va_list args;
    if (!file) file = fopen(getenv("CUTLET_DIFFERENCES"), "a");
    if (!file) fail("CUTLET_DIFFERENCES cannot be written");
    fprintf(file, "%s: ", kernel);
    va_start(args, format);
    vfprintf(file, format, args);
    va_end(args);
    fputc('\n', file);
    fflush(file);
}

/* ---- rows -------------------------------------------------------------------------------------- */

static const char *base_of(const char *path)
{
    const char *const slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static int is_same_row(const ct_grid_row *a, const ct_grid_row *b)
{
    return a->line == b->line && a->kind == b->kind && a->bits == b->bits && a->async == b->async &&
           a->buffer == b->buffer && strcmp(base_of(a->file), base_of(b->file)) == 0;
}

/* The sum of all rows like one of them; has: whether there is any. */
static ct_grid_row sum_like(const ct_grid_report *report, const ct_grid_row *row, int *has)
{
    ct_grid_row sum = {0};
    *has = 0;
    for (int i = 0; i < report->row_count; ++i) {
        const ct_grid_row *const r = &report->rows[i];
        if (!is_same_row(r, row)) continue;
        *has = 1;
        sum.instructions += r->instructions;
        sum.lanes += r->lanes;
        sum.requests += r->requests;
        sum.sectors += r->sectors;
        sum.wavefronts += r->wavefronts;
        sum.conflicts += r->conflicts;
    }
    return sum;
}

static const char *text_of(char *text, size_t bytes, const ct_grid_row *r, int has)
{
    if (has)
        snprintf(
            text, bytes,
            "%lld instructions, %lld lanes, %lld requests, %lld sectors, %lld + %lld wavefronts",
            (long long)r->instructions, (long long)r->lanes, (long long)r->requests,
            (long long)r->sectors, (long long)(r->wavefronts - r->conflicts),
            (long long)r->conflicts);
    else snprintf(text, bytes, "none");
    return text;
}

static void compare_rows(const char *kernel, const ct_grid_report *a, const ct_grid_report *b)
{
    for (int side = 0; side < 2; ++side) {
        const ct_grid_report *const of = side ? b : a;
        for (int i = 0; i < of->row_count; ++i) {
            const ct_grid_row *const row = &of->rows[i];
            char text[2][200];
            int has[2];
            const ct_grid_row sums[] = {sum_like(a, row, &has[0]), sum_like(b, row, &has[1])};
            text_of(text[0], sizeof text[0], &sums[0], has[0]);
            text_of(text[1], sizeof text[1], &sums[1], has[1]);
            if ((side && has[0]) || strcmp(text[0], text[1]) == 0) continue;
            differ(kernel, "%s:%d %s %d%s: %s; PTX %s", base_of(row->file), row->line,
                   ct_access_name(row->kind), row->bits, row->async ? " async" : "", text[0],
                   text[1]);
        }
    }
}

/* ---- results ----------------------------------------------------------------------------------- */

typedef struct memory {
    unsigned char *of[MOST_BUFFERS];
} memory;

/* Whether the buffers are memory: some tests launch what must be refused. */
static int has_memory(const ct_grid_options *options)
{
    if (!options || options->buffer_count < 0 || options->buffer_count > MOST_BUFFERS) return 0;
    for (int i = 0; i < options->buffer_count; ++i)
        if (!options->buffers || !options->buffers[i].base ||
            options->buffers[i].bytes > MOST_BYTES)
            return 0;
    return 1;
}

static memory saved(const ct_grid_options *options)
{
    memory m = {{0}};
    for (int i = 0; i < options->buffer_count; ++i) {
        const ct_grid_buffer *const b = &options->buffers[i];
        if (!b->writable || b->bytes == 0) continue;
        m.of[i] = malloc(b->bytes);
        if (!m.of[i]) fail("not enough memory");
        memcpy(m.of[i], b->base, b->bytes);
    }
    return m;
}

static void put_back(const ct_grid_options *options, const memory *m)
{
    for (int i = 0; i < options->buffer_count; ++i)
        if (m->of[i]) memcpy(options->buffers[i].base, m->of[i], options->buffers[i].bytes);
}

static void forget(memory *m)
{
    for (int i = 0; i < MOST_BUFFERS; ++i) free(m->of[i]);
}

static void compare_memory(const char *kernel, const ct_grid_options *options, const memory *m)
{
    for (int i = 0; i < options->buffer_count; ++i) {
        const ct_grid_buffer *const b = &options->buffers[i];
        if (m->of[i] && memcmp(b->base, m->of[i], b->bytes) != 0)
            differ(kernel, "%s has other values", b->name);
    }
}

/* ---- launches ---------------------------------------------------------------------------------- */

/* The message from the thread on, without the lines. */
static const char *reason_of(char *text, size_t bytes, const ct_grid_report *report)
{
    const char *at = strstr(report->message, "): ");
    size_t n = 0;
    for (at = at ? at + 3 : report->message; *at && n + 1 < bytes; ++at) {
        if (strncmp(at, " (", 2) == 0 && strchr(at, ')') && strstr(at, ".h:") &&
            strstr(at, ".h:") < strchr(at, ')'))
            at = strchr(at, ')') + 1;
        if (!*at) break;
        text[n++] = *at;
    }
    text[n] = 0;
    return text;
}

static void compare(const char *kernel, const ct_grid_report *a, const ct_grid_report *b)
{
    char text[2][CT_MESSAGE_BYTES];
    reason_of(text[0], sizeof text[0], a);
    reason_of(text[1], sizeof text[1], b);
    if (a->status != b->status || strcmp(text[0], text[1]) != 0)
        differ(kernel, "%s; PTX %s", a->status ? text[0] : "no mistake",
               b->status ? text[1] : "no mistake");
    else if (a->status == CT_GRID_OK) compare_rows(kernel, a, b);
}

int launch_both(const ct_grid_kernel *kernel, ct_dim3 grid, ct_dim3 block, size_t shared_bytes,
                const void *args, size_t args_bytes, const ct_grid_options *options,
                ct_grid_report *report)
{
    ct_grid_report by_ptx;
    const ct_grid_kernel *same = NULL;
    if (!has_memory(options))
        return ct_grid_launch(kernel, grid, block, shared_bytes, args, args_bytes, options, report);
    memory before = saved(options);
    ct_grid_launch(kernel, grid, block, shared_bytes, args, args_bytes, options, report);
    memory after = saved(options);
    if (report->status != CT_GRID_E_LAUNCH) same = same_kernel(kernel->name);
    if (report->status != CT_GRID_E_LAUNCH && !same)
        differ(kernel->name, "the PTX has no such kernel");
    if (same) {
        ct_grid_options quiet = *options;
        quiet.on_request = NULL;
        put_back(options, &before);
        ct_grid_launch(same, grid, block, shared_bytes, args, args_bytes, &quiet, &by_ptx);
        compare(kernel->name, report, &by_ptx);
        if (!report->status && !by_ptx.status) compare_memory(kernel->name, options, &after);
        put_back(options, &after);
        ct_grid_report_free(&by_ptx);
    }
    forget(&before);
    forget(&after);
    return report->status;
}
