/* What the pictures of accesses share. */
#include "from_access.h"

#include "base/refuse.h"

/* Offsets beyond this are refused, so that the end of an access is within 64 bits. */
#define OFFSET_MAX (INT64_MAX / 2)

ct_status ct_check_access(const ct_access *a, int global, char *message)
{
    int lanes = 0;
    if (a->kind < 0 || a->kind >= CT_ACCESS_KINDS)
        return ct_refuse(message, CT_E_ARGUMENT, "there is no instruction %d", a->kind);
    if (ct_access_is_global(a->kind) != global)
        return ct_refuse(message, CT_E_ARGUMENT, "%s touches %s memory, which has no %s",
                         ct_access_name(a->kind), global ? "shared" : "global",
                         global ? "sectors" : "banks");
    if (!ct_access_has_width(a->kind, a->bits))
        return ct_refuse(message, CT_E_ARGUMENT, "%s has no accesses of %d bits",
                         ct_access_name(a->kind), a->bits);
    for (int t = 0; t < CT_LANES; ++t) {
        const int64_t offset = a->offset[t];
        if (offset == CT_LANE_OFF) continue;
        ++lanes;
        if (offset < 0 || offset > OFFSET_MAX)
            return ct_refuse(message, CT_E_ARGUMENT,
                             "lane %d begins at byte %lld; bytes are counted from 0", t,
                             (long long)offset);
        if (offset % (a->bits / 8) != 0)
            return ct_refuse(message, CT_E_ARGUMENT,
                             "lane %d begins at byte %lld, not a multiple of its %d bytes", t,
                             (long long)offset, a->bits / 8);
    }
    if (!lanes) return ct_refuse(message, CT_E_ARGUMENT, "no lane takes part");
    return 0;
}

void ct_access_words(const ct_access *a, char *text, size_t size)
{
    if (a->kind == CT_ACCESS_LDSM || a->kind == CT_ACCESS_STSM)
        snprintf(text, size, "%s", ct_access_name(a->kind));
    else snprintf(text, size, "%s.%d", ct_access_name(a->kind), a->bits);
}

void ct_count_words(char *text, size_t size, int64_t n, const char *what)
{
    snprintf(text, size, "%lld %s%s", (long long)n, what, n == 1 ? "" : "s");
}

void ct_lanes_words(char *text, size_t size, int first, int count)
{
    if (count > 1) snprintf(text, size, "%d+%d", first, count - 1);
    else snprintf(text, size, "%d", first);
}

ct_picture *ct_no_memory(ct_picture *p, char *message)
{
    ct_picture_free(p);
    ct_refuse(message, CT_E_MEMORY, "not enough memory for the picture");
    return NULL;
}
