/* What of an expression is the same for all values of `?`. */
#include "unknown.h"

#include <stdlib.h>
#include <string.h>

#include "cute_tuple.h"

int ct_has_unknown(const char *text, size_t length)
{
    ct_reader r = {.text = text, .length = length};
    return memchr(text, '?', length) && !ct_read_with(&r) && r.unknowns == 0;
}

ct_status ct_ask_unknown(const ct_text_span *span, ct_diag *diag)
{
    const char *const mark = memchr(span->text + span->begin, '?', span->end - span->begin);
    ct_reader r = {.text = span->text, .length = span->end, .diag = diag};
    int64_t ignored;
    r.at = mark ? (size_t)(mark - span->text) : span->begin;
    return ct_read_unknown(&r, &ignored);
}

/* Whether some are made of the numbers: all that are as large. */
static int has_one(const int64_t *n, int count, int64_t first)
{
    for (int i = 0; i < count; ++i)
        if (n[i] >= first / 2 || n[i] <= -first / 2) return 1;
    return 0;
}

/* Where a value has one of the numbers. */
enum { IN_STRIDES = 1, IN_SHAPE = 2 };

static int of_layout(const ct_layout *L, int64_t first)
{
    const int n = L->profile.leaves;
    return has_one(L->stride, n, first) * IN_STRIDES | has_one(L->shape, n, first) * IN_SHAPE;
}

static int where(const ct_value *v, int64_t first)
{
    switch (v->kind) {
        case CT_KIND_TUPLE:
            return has_one(v->as.tuple.value, v->as.tuple.profile.leaves, first) * IN_SHAPE;
        case CT_KIND_LAYOUT: return of_layout(&v->as.layout, first);
        case CT_KIND_TILER: return of_layout(&v->as.tiler.tiles, first);
        case CT_KIND_TENSOR:
            return of_layout(&v->as.tensor.layout, first) |
                   has_one(v->as.tensor.offset.value, v->as.tensor.offset.profile.leaves, first);
        default: return 0;
    }
}

int ct_depends_on_unknown(const ct_step *step, int64_t first)
{
    static const char moves[] =
        "rank depth size shape stride mode get take select flatten unflatten group append prepend replace reverse "
        "concat layout make_layout";
    int found = 0;
    for (int i = 0; i < step->count; ++i) found |= where(&step->arg[i], first);
    if (!found) return 0;
    if (ct_is_one_of(step->name, moves)) return 0;
    const int is_swizzled =
        step->arg[0].kind == CT_KIND_TENSOR && step->arg[0].as.tensor.swizzle.bits > 0;
    return !ct_is_one_of(step->name, "at slice") || is_swizzled || found & IN_SHAPE;
}

void ct_write_unknown(char *text, int64_t first, int once)
{
    int next = 0;
    for (char *c = text; *c; ++c) {
        char *end;
        if (*c < '0' || *c > '9') continue;
        const long long n = strtoll(c, &end, 10);
        int i = once ? next : 0;
        while (i < CT_MAX_UNKNOWN && n != ct_assumed_number(first, i)) ++i;
        if (i < CT_MAX_UNKNOWN) {
            *c = '?';
            memmove(c + 1, end, strlen(end) + 1);
            next = i + 1;
        } else c = end - 1;
    }
}
