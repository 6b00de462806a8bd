/* The sites of accesses in cutlet's headers, as seen from the kernel's line that calls them. */
#include "check.h"

#include <stdlib.h>
#include <string.h>

enum { OWN_UNKNOWN, OWN_YES, OWN_NO };

typedef ct_grid_seen_site ct_seen;

/* The length of a path's folder, with the slash after it. */
static size_t folder_length(const char *path) { return (size_t)(ct_grid_file_name(path) - path); }

/* Whether the rest of a path is a header in a room of cutlet's: `arch/tma.h`. The kernels below device/
 * are no headers of rooms. */
static int is_in_folder(const char *rest)
{
    const char *const slash = strchr(rest, '/');
    return slash && !strchr(slash + 1, '/') && strncmp(rest, "gemm/", 5) != 0 &&
           strncmp(rest, "kernels/", 8) != 0;
}

/* Cutlet's headers are in the rooms beside that of on_grid.h, or where they are installed. */
static int is_own(const ct_grid_site *site)
{
    static const char installed[] = "cutlet/device/", capacity[] = "kernel/";
    const size_t n = folder_length(site->home) - (sizeof capacity - 1);
    if (strncmp(site->file, site->home, n) == 0 && is_in_folder(site->file + n)) return 1;
    const char *const at = strstr(site->file, installed);
    return at && (at == site->file || at[-1] == '/') && is_in_folder(at + sizeof installed - 1);
}

static int find_own(ct_grid_site *site)
{
    int32_t own = __atomic_load_n(&site->own, __ATOMIC_RELAXED);
    if (own == OWN_UNKNOWN) {
        own = is_own(site) ? OWN_YES : OWN_NO;
        __atomic_store_n(&site->own, own, __ATOMIC_RELAXED);
    }
    return own == OWN_YES;
}

ct_grid_call *ct_grid_enter(ct_grid_call *call)
{
    if (!ct_grid_self) return NULL;
    ct_thread *t = self();
    ct_grid_call *const before = t->call;
    if (!find_own(&call->site)) t->call = call;
    return before;
}

void ct_grid_leave(ct_grid_call *const *before)
{
    if (ct_grid_self) self()->call = *before;
}

static ct_grid_site *find_seen(ct_seen *first, const ct_seen *end, const ct_grid_site *site)
{
    for (ct_seen *s = first; s != end; s = s->next) {
        if (s->site.inside == site) return &s->site;
    }
    return NULL;
}

static ct_seen *new_seen(ct_thread *t, ct_grid_site *site)
{
    ct_seen *s = malloc(sizeof *s);
    if (!s) {
        const ct_operation op = {site, "access", 0, 0, 0, 0, 0};
        ct_grid_fail_at(t, &op, CT_GRID_E_MEMORY, "not enough memory for its site");
    }
    s->site = t->call->site;
    s->site.id = 0;
    s->site.inside = site;
    return s;
}

static void keep_until_unloaded(ct_seen *s, ct_seen **made)
{
    s->made = __atomic_load_n(made, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(made, &s->made, s, 0, __ATOMIC_RELEASE, __ATOMIC_RELAXED)) {
    }
}

/* The lists only grow, at their heads: another launch may be reading them. */
ct_grid_site *ct_grid_seen(ct_grid_site *site)
{
    if (!ct_grid_self) return site; /* a function of a header that the host calls */
    ct_thread *t = self();
    if (!t->call || !find_own(site)) return site;
    ct_seen **list = &t->call->seen[(uintptr_t)site / sizeof *site % CT_GRID_CALL_LISTS];
    ct_seen *first = __atomic_load_n(list, __ATOMIC_ACQUIRE);
    ct_grid_site *found = find_seen(first, NULL, site);
    if (found) return found;
    ct_seen *made = new_seen(t, site);
    made->next = first;
    while (
        !__atomic_compare_exchange_n(list, &first, made, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
        found = find_seen(first, made->next, site);
        if (found) break; /* another launch was faster */
        made->next = first;
    }
    if (!found) {
        keep_until_unloaded(made, t->call->made);
        return &made->site;
    }
    free(made);
    return found;
}
