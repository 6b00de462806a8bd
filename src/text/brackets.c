/* Texts in brackets: tuples and lists, tilers, swizzles. */
#include <stdlib.h>
#include <string.h>

#include "cute.h"
#include "notation.h"
#include "words.h"

/* What a parenthesis collects: the elements as a tuple, or as a list once they are too many. */
typedef struct elements {
    size_t start; /* the opening parenthesis */
    int count;
    int too_deep_for_list; /* an element that no list can hold */
    ct_tuple tuple;
    ct_list list;
    ct_value failure; /* the first failed element */
} elements;

static ct_status add_to_list(ct_reader *r, elements *e, const ct_tuple *leaf, size_t at)
{
    if (e->too_deep_for_list || !ct_is_integer(*leaf) || leaf->basis[0] != CT_INTEGER)
        return ct_reader_fail(r, at, r->at - at,
                              "more than %d leaves: a tuple or layout holds at most %d",
                              CT_MAX_LEAVES, CT_MAX_LEAVES);
    const int64_t n = e->list.count;
    if (n >= CT_MAX_LIST)
        return ct_reader_fail(r, at, r->at - at, "a list holds at most %d integers", CT_MAX_LIST);
    if (n == 0 || (n >= 64 && (n & (n - 1)) == 0)) { /* room doubles at the powers of two */
        int64_t *more = realloc(e->list.item, sizeof *more * (size_t)(n < 64 ? 64 : 2 * n));
        if (!more) return ct_reader_no_memory(r, at);
        e->list.item = more;
    }
    e->list.item[n] = leaf->value[0];
    e->list.count = n + 1;
    return 0;
}

static ct_status add_element(ct_reader *r, elements *e, const ct_tuple *t, size_t at)
{
    ct_tuple *all = &e->tuple;
    if (t->profile.leaves == 0)
        return ct_reader_fail(r, at, r->at - at, "an empty tuple cannot stand inside another");
    if (t->err.status) {
        if (e->failure.kind != CT_KIND_ERROR) ct_value_fail(&e->failure, t->err, at, r->at - at);
        return 0;
    }
    if (e->list.count > 0) return add_to_list(r, e, t, at);
    const int n = all->profile.leaves;
    if (n + t->profile.leaves > CT_MAX_LEAVES) {
        for (int i = 0; i < n; ++i) {
            ct_tuple leaf = ct_int(all->value[i]);
            if (add_to_list(r, e, &leaf, at)) return r->failed;
        }
        return add_to_list(r, e, t, at);
    }
    for (int i = 0; i < t->profile.leaves; ++i) {
        all->value[n + i] = t->value[i];
        all->basis[n + i] = t->basis[i];
        all->profile.open[n + i] = t->profile.open[i];
        all->profile.close[n + i] = t->profile.close[i];
        if (t->basis[i] != CT_INTEGER) e->too_deep_for_list = 1;
    }
    if (!ct_is_integer(*t)) e->too_deep_for_list = 1;
    all->profile.leaves = n + t->profile.leaves;
    return 0;
}

/* One element, of any kind: into the tuple when it can be, otherwise into *alone. */
static ct_status read_element(ct_reader *r, elements *e, ct_value *alone)
{
    ct_reader_peek(r);
    const size_t at = r->at;
    if (ct_begins_integer(r)) { /* the usual case, without a value in between */
        ct_tuple leaf;
        if (ct_read_leaf(r, &leaf)) return r->failed;
        const int next = ct_reader_peek(r);
        if (next == ',' || next == ')') return add_element(r, e, &leaf, at);
        r->at = at;
    }
    ct_value v;
    if (ct_read_expr(r, &v)) return r->failed;
    if (v.kind == CT_KIND_TUPLE) return add_element(r, e, &v.as.tuple, at);
    if (v.kind == CT_KIND_ERROR) {
        if (e->failure.kind != CT_KIND_ERROR) e->failure = v;
        return 0;
    }
    if (e->count == 0 && ct_reader_peek(r) == ')') {
        *alone = v;
        return 0;
    }
    const size_t length = r->at - at;
    if (ct_reader_peek(r) == 0 && e->count == 0)
        ct_reader_fail(r, e->start, 1, "this parenthesis is never closed");
    ct_reader_fail(r, at, length, "a tuple holds integers and tuples, not %s%s", ct_kind_name(&v),
                   v.kind == CT_KIND_LAYOUT ? "; a tiler is written <4:1,8:2>" : "");
    ct_value_free(&v);
    return r->failed;
}

/* ( ... ): a tuple, a list, or any other single value in parentheses. */
ct_status ct_read_parenthesis(ct_reader *r, ct_value *out)
{
    elements e;
    ct_value alone;
    const size_t start = r->at++;
    memset(&e, 0, sizeof e);
    e.start = start;
    alone.kind = CT_KIND_NONE;
    if (ct_reader_enter(r)) return r->failed;
    if (!ct_reader_take(r, ')')) {
        int failed = 0;
        do {
            failed = read_element(r, &e, &alone);
            ++e.count;
        } while (!failed && ct_reader_take(r, ','));
        if (!failed && !ct_reader_take(r, ')')) {
            if (r->at >= r->length)
                failed = ct_reader_fail(r, start, 1, "this parenthesis is never closed");
            else failed = ct_reader_expected(r, "`,` or `)`");
        }
        if (failed) {
            free(e.list.item);
            ct_value_free(&alone);
            return r->failed;
        }
    }
    --r->depth;
    if (e.failure.kind == CT_KIND_ERROR) {
        free(e.list.item);
        *out = e.failure;
    } else if (alone.kind != CT_KIND_NONE) {
        *out = alone;
    } else if (e.list.count > 0) {
        out->kind = CT_KIND_LIST;
        out->as.list = e.list;
    } else {
        out->kind = CT_KIND_TUPLE;
        out->as.tuple = e.tuple;
        if (e.count > 0) out->as.tuple = ct_wrap(e.tuple);
    }
    return 0;
}

/* Whether a pointer follows: _smem_ptr[16b](..), or ` o smem_ptr[16b](unset)`. */
static int at_pointer(const ct_reader *r)
{
    ct_reader ahead = *r;
    return ct_take_text(&ahead, "_smem_ptr[") || ct_take_text(&ahead, "o smem_ptr");
}

ct_status ct_read_swizzle(ct_reader *r, size_t word, ct_value *out)
{
    const size_t start = r->at;
    int64_t n[3];
    r->at += word;
    if (!ct_reader_take(r, '<')) return ct_reader_expected(r, "`<`, as in Sw<3,4,3>");
    for (int i = 0; i < 3; ++i) {
        if (i > 0 && !ct_reader_take(r, ',')) return ct_reader_expected(r, "`,`, as in Sw<3,4,3>");
        if (ct_read_integer(r, &n[i])) return r->failed;
    }
    if (!ct_reader_take(r, '>')) return ct_reader_expected(r, "`>`, as in Sw<3,4,3>");
    ct_take_empty_braces(r);
    if (at_pointer(r)) {
        r->at = start;
        return ct_read_cute_value(r, out);
    }
    for (int i = 0; i < 3; ++i) { /* beyond 63 every one is refused alike */
        if (n[i] > 1000) n[i] = 1000;
        if (n[i] < -1000) n[i] = -1000;
    }
    const ct_swizzle w = ct_make_swizzle((int)n[0], (int)n[1], (int)n[2]);
    if (w.err.status) {
        ct_fail_literal(out, w.err, start, r->at);
        return 0;
    }
    out->kind = CT_KIND_SWIZZLE;
    out->as.swizzle = w;
    return 0;
}

int ct_value_to_tiler(ct_value *v)
{
    ct_tiler t;
    memset(&t, 0, sizeof t);
    if (v->kind == CT_KIND_TUPLE) {
        t = ct_tiler_of_shape(v->as.tuple);
        v->as.tiler = t;
    } else if (v->kind == CT_KIND_LAYOUT) {
        t.tiles = ct_layout_wrap(v->as.layout);
        t.nesting.leaves = 1;
        v->as.tiler = t;
    } else if (v->kind != CT_KIND_TILER) {
        return 0;
    }
    v->kind = CT_KIND_TILER;
    return v->as.tiler.tiles.err.status != CT_OK || v->as.tiler.nesting.leaves > 0;
}

static ct_status add_tiles(ct_reader *r, ct_tiler *all, const ct_tiler *t, size_t at)
{
    const int n = all->nesting.leaves, more = t->nesting.leaves;
    const ct_layout tiles = ct_layout_concat(all->tiles, t->tiles);
    if (tiles.err.status || n + more > CT_MAX_LEAVES) /* an empty tile is not a leaf of a layout */
        return ct_reader_fail(r, at, r->at - at, "more than %d leaves: a tiler holds at most %d",
                              CT_MAX_LEAVES, CT_MAX_LEAVES);
    all->tiles = tiles;
    for (int i = 0; i < more; ++i) {
        all->nesting.open[n + i] = t->nesting.open[i];
        all->nesting.close[n + i] = t->nesting.close[i];
        all->integer[n + i] = t->integer[i];
    }
    all->nesting.leaves = n + more;
    return 0;
}

static ct_status read_tile(ct_reader *r, ct_tiler *all, ct_value *failure)
{
    ct_value v;
    ct_reader_peek(r);
    const size_t at = r->at;
    if (ct_read_expr(r, &v)) return r->failed;
    if (v.kind == CT_KIND_ERROR) {
        if (failure->kind != CT_KIND_ERROR) *failure = v;
        return 0;
    }
    if (v.kind == CT_KIND_TUPLE) {
        for (int i = 0; i < v.as.tuple.profile.leaves; ++i) {
            if (v.as.tuple.basis[i] == CT_INTEGER && v.as.tuple.value[i] < 1)
                return ct_reader_fail(r, at, r->at - at,
                                      "a tile has shape %lld; a shape is at least 1",
                                      (long long)v.as.tuple.value[i]);
        }
    }
    if (v.kind == CT_KIND_TILER && v.as.tiler.nesting.leaves == 0)
        return ct_reader_fail(r, at, r->at - at, "an empty tiler cannot stand inside another");
    if (!ct_value_to_tiler(&v)) {
        ct_reader_fail(r, at, r->at - at, "a tiler holds layouts, shapes, `_` and tilers, not %s",
                       ct_kind_name(&v));
        ct_value_free(&v);
        return r->failed;
    }
    if (v.kind == CT_KIND_TILER && v.as.tiler.tiles.err.status == CT_OK &&
        ct_layout_rank(v.as.tiler.tiles) < ct_tiler_count(v.as.tiler))
        return ct_reader_fail(r, at, r->at - at,
                              "an empty layout is not a tile; `_` leaves a mode alone");
    const ct_error e = v.as.tiler.tiles.err;
    if (e.status) {
        if (failure->kind != CT_KIND_ERROR) ct_fail_literal(failure, e, at, r->at);
        return 0;
    }
    return add_tiles(r, all, &v.as.tiler, at);
}

/* < tile, .. > */
ct_status ct_read_tiler(ct_reader *r, ct_value *out)
{
    ct_tiler all;
    ct_value failure;
    const size_t start = r->at++;
    memset(&all, 0, sizeof all);
    failure.kind = CT_KIND_NONE;
    if (ct_reader_enter(r)) return r->failed;
    if (ct_reader_take(r, '>')) {
        --r->depth;
        out->kind = CT_KIND_TILER;
        out->as.tiler = all;
        return 0;
    }
    do {
        if (read_tile(r, &all, &failure)) return r->failed;
    } while (ct_reader_take(r, ','));
    if (!ct_reader_take(r, '>')) {
        if (r->at >= r->length)
            return ct_reader_fail(r, start, 1, "this angle bracket is never closed");
        return ct_reader_expected(r, "`,` or `>`");
    }
    --r->depth;
    if (failure.kind == CT_KIND_ERROR) {
        *out = failure;
        return 0;
    }
    all.nesting = ct_profile_wrap(all.nesting);
    out->kind = CT_KIND_TILER;
    out->as.tiler = all;
    return 0;
}
