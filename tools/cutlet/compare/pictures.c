/* The pictures of `cutlet compare`, in a folder that appears when all is in it: who touches what, one
 * for each result, and the banks of its worst access to shared memory if that has conflicts. */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/refuse.h"
#include "compare.h"
#include <cutlet/host/access.h>
#include <cutlet/host/draw_access.h>

enum { PATH_CAPACITY = 4096, WARP = 32, LINE = 128 };

void ct_picture_folder_name(const ct_compare_result *r, char *text, size_t size)
{
    snprintf(text, size, "%s-%s.svg", r->row_major ? "row" : "col", r->variant->name);
}

void ct_picture_folder_banks(const ct_compare_result *r, char *text, size_t size)
{
    snprintf(text, size, "%s-%s-banks.svg", r->row_major ? "row" : "col", r->variant->name);
}

/* ---- one picture ------------------------------------------------------------------------------ */

/* The part of the matrix that is drawn, from its first element on: `inner` elements of each of the
 * `outer` lines that a load reaches. */
typedef struct window {
    int64_t inner, outer, ld;
    int32_t bytes, elems; /* of an element; in an access */
    int folded;           /* a line that is touched alone, each cache line of it below the last */
} window;

static window window_of(const ct_compare_result *r, const ct_matrix *m)
{
    const int64_t inner = m->row_major ? m->cols : m->rows,
                  outer = m->row_major ? m->rows : m->cols;
    window w = {0, 0, m->ld, m->elem_bytes, r->first.bits / 8 / m->elem_bytes, 0};
    for (int t = 0; t < WARP; ++t) {
        if (r->first.offset[t] == CT_LANE_OFF) continue;
        const int64_t at = r->first.offset[t] / w.bytes;
        w.inner = ct_max(w.inner, at % w.ld + w.elems);
        w.outer = ct_max(w.outer, at / w.ld + 1);
    }
    const int64_t wide = LINE / w.bytes, deep = (w.inner + wide - 1) / wide;
    if (w.outer == 1 && deep > 1 && deep * wide <= inner)
        return (window){wide, deep, wide, w.bytes, w.elems, 1};
    w.inner = ct_max(w.inner, wide); /* a cache line, and one line more to compare with */
    w.inner = ct_min(w.inner, inner);
    w.outer = ct_min(w.outer + 1, outer);
    while (w.outer > 1 && w.inner * w.outer > CT_DRAW_CELLS) --w.outer;
    w.inner = ct_min(w.inner, CT_DRAW_CELLS);
    return w;
}

/* Who touches each element of the window: the threads by the index of the matrix, rows first. */
static int32_t *threads_of(const ct_compare_result *r, const ct_matrix *m, const window *w)
{
    const int64_t rows = m->row_major ? w->outer : w->inner;
    int32_t *thread = malloc((size_t)(w->inner * w->outer) * sizeof *thread);
    if (!thread) return NULL;
    for (int64_t i = 0; i < w->inner * w->outer; ++i) thread[i] = -1;
    for (int t = 0; t < WARP; ++t) {
        if (r->first.offset[t] == CT_LANE_OFF) continue;
        for (int32_t k = 0; k < w->elems; ++k) {
            const int64_t at = r->first.offset[t] / w->bytes + k, i = at % w->ld, o = at / w->ld;
            if (i < w->inner && o < w->outer)
                thread[m->row_major ? o + rows * i : i + rows * o] = t;
        }
    }
    return thread;
}

static int draw_result(const ct_compare_result *r, const ct_matrix *m, const char *path,
                       char *error)
{
    char title[160], why[CT_MESSAGE_BYTES] = "out of memory";
    const window w = window_of(r, m);
    int32_t *thread = threads_of(r, m, &w);
    if (!thread) return ct_refuse(error, CT_E_ARGUMENT, "not enough memory for the pictures");
    snprintf(title, sizeof title, "%s, %s-major: the first load of a warp", r->variant->name,
             m->row_major ? "row" : "column");
    const ct_touch touch = {title,
                            m->row_major ? ct_layout2(w.outer, w.inner, w.ld, 1)
                                         : ct_layout2(w.inner, w.outer, 1, w.ld),
                            thread,
                            w.bytes,
                            0,
                            (int64_t)((uintptr_t)m->data % 256)};
    ct_picture *p = ct_picture_touch(&touch, NULL, why);
    free(thread);
    int bad = !p;
    if (p) {
        ct_picture_note(p, "%c%s.", toupper((unsigned char)r->reason[0]), r->reason + 1);
        if (w.folded)
            ct_picture_note(p, "Folded: each row here is a cache line of one %s of the matrix.",
                            m->row_major ? "row" : "column");
        bad = ct_picture_write(p, path, NULL, why);
        ct_picture_free(p);
    }
    return bad ? ct_refuse(error, CT_E_ARGUMENT, "%s", why) : 0;
}

/* The banks of the access with the most conflicts. */
static int draw_banks(const ct_compare_result *r, const char *path, char *error)
{
    char title[160], why[CT_MESSAGE_BYTES] = "out of memory";
    snprintf(title, sizeof title, "%s, %s-major: the %s with the most bank conflicts",
             r->variant->name, r->row_major ? "row" : "column", ct_access_name(r->worst.kind));
    const ct_draw_options o = {.title = title};
    ct_picture *p = ct_picture_banks(NULL, &r->worst, &o, why);
    const int bad = !p || ct_picture_write(p, path, &o, why);
    ct_picture_free(p);
    return bad ? ct_refuse(error, CT_E_ARGUMENT, "%s", why) : 0;
}

/* ---- the folder ------------------------------------------------------------------------------- */

static int join(char *path, const char *folder, const char *name)
{
    return snprintf(path, PATH_CAPACITY, "%s/%s", folder, name) < PATH_CAPACITY ? 0 : -1;
}

int ct_picture_folder_open(ct_picture_folder *g, const char *folder, char error[CT_MESSAGE_BYTES])
{
    struct stat there;
    size_t n = strlen(folder);
    while (n > 1 && folder[n - 1] == '/') --n;
    g->stage = NULL;
    g->folder = strndup(folder, n);
    if (!g->folder) return ct_refuse(error, CT_E_MEMORY, "out of memory");
    if (n + 128 > PATH_CAPACITY || n == 0) /* of which the stage and a picture's name take 105 */
        return ct_refuse(error, CT_E_ARGUMENT, "%.200s: no folder can have this name", folder);
    if (stat(folder, &there) == 0 && !S_ISDIR(there.st_mode))
        return ct_refuse(error, CT_E_ARGUMENT, "%.200s: not a folder", folder);
    g->stage = malloc(n + 16);
    if (!g->stage) return ct_refuse(error, CT_E_ARGUMENT, "out of memory");
    snprintf(g->stage, n + 16, "%s.XXXXXX", g->folder);
    const int exists = access(g->folder, F_OK) == 0;
    if (mkdtemp(g->stage) && (!exists || access(g->folder, W_OK | X_OK) == 0)) return 0;
    const int reason = errno;
    if (access(g->stage, F_OK) != 0) {
        free(g->stage);
        g->stage = NULL;
    }
    return ct_refuse(error, CT_E_ARGUMENT, "%.200s: cannot be written: %s", folder,
                     strerror(reason));
}

void ct_picture_folder_close(ct_picture_folder *g)
{
    char path[PATH_CAPACITY];
    DIR *dir = g->stage ? opendir(g->stage) : NULL;
    for (struct dirent *e = dir ? readdir(dir) : NULL; e; e = readdir(dir)) {
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0 &&
            !join(path, g->stage, e->d_name))
            unlink(path);
    }
    if (dir) closedir(dir);
    if (g->stage) rmdir(g->stage);
    free(g->stage);
    free(g->folder);
    g->stage = g->folder = NULL;
}

/* Moves a file of the stage into the folder. */
static int show_file(const ct_picture_folder *g, const char *name)
{
    char from[PATH_CAPACITY], to[PATH_CAPACITY];
    if (join(from, g->stage, name) || join(to, g->folder, name)) return -1;
    return rename(from, to);
}

/* Shows the stage: as the folder if that does not exist yet, else file by file, the index last. */
static int show(ct_picture_folder *g, const ct_ranking *c, char *error)
{
    char name[96];
    if (chmod(g->stage, 0755) == 0 && rename(g->stage, g->folder) == 0) return 0;
    int bad = 0;
    for (int i = 0; i < c->count && !bad; ++i) {
        ct_picture_folder_name(&c->results[i], name, sizeof name);
        bad = show_file(g, name);
        if (bad || c->results[i].conflicts == 0) continue;
        ct_picture_folder_banks(&c->results[i], name, sizeof name);
        bad = show_file(g, name);
    }
    bad = bad || show_file(g, "index.html");
    return bad ? ct_refuse(error, CT_E_ARGUMENT, "%.200s: cannot be written: %s", g->folder,
                           strerror(errno))
               : 0;
}

int ct_picture_folder_fill(ct_picture_folder *g, const ct_ranking *c, char error[CT_MESSAGE_BYTES])
{
    char name[96], path[PATH_CAPACITY];
    ct_matrix matrix;
    for (int i = 0; i < c->count; ++i) {
        const ct_compare_result *r = &c->results[i];
        ct_picture_folder_name(r, name, sizeof name);
        ct_compare_input_shape(c->input, r->row_major, &matrix);
        if (join(path, g->stage, name) || draw_result(r, &matrix, path, error)) return -1;
        if (r->conflicts == 0) continue;
        ct_picture_folder_banks(r, name, sizeof name);
        if (join(path, g->stage, name) || draw_banks(r, path, error)) return -1;
    }
    if (join(path, g->stage, "index.html") || ct_ranking_html(c, path))
        return ct_refuse(error, CT_E_ARGUMENT, "%.200s: cannot be written: %s", g->folder,
                         strerror(errno));
    return show(g, c, error);
}
