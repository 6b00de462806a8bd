/* The best tiled copy of a tile, and its runners-up. */
#include <cutlet/host/suggest.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cutlet/cutlet.h>
#include <cutlet/host/text.h>
#include "io/types.h"
#include "play.h"

enum { TOP = 8, CUTE_BYTES = 4096 };

static const char *const reads[CT_READ_COUNT] = {"rows", "cols", "ldmatrix", "ldmatrix.trans"};

static int read_layout(const ct_play_request *r, ct_play_answer *a, const char *key, ct_layout *out)
{
    int has;
    ct_tensor t;
    if (ct_play_memory(r, a, key, &has, &t)) return -1;
    if (has && t.swizzle.bits == 0 && ct_offset_is_zero(&t.offset)) {
        *out = t.layout;
        return 0;
    }
    ct_play_wrong(a, key,
                  has ? "a layout without a swizzle or an offset is needed"
                      : "the layout of the whole tensor in global memory is missing");
    return -1;
}

static int read_tile(const ct_play_request *r, ct_play_answer *a, ct_suggest_query *q)
{
    ct_tuple tile;
    if (ct_play_shape(r, a, "tile", &tile)) return -1;
    if (tile.profile.leaves != 2 || ct_rank(tile) != 2 || tile.basis[0] != CT_INTEGER ||
        tile.basis[1] != CT_INTEGER) {
        ct_play_wrong(a, "tile", "the tile is rows and columns, as 128x64");
        return -1;
    }
    q->tile_m = tile.value[0];
    q->tile_n = tile.value[1];
    return 0;
}

static int read_type(const ct_play_request *r, ct_play_answer *a, ct_named_type *type)
{
    char message[CT_MESSAGE_BYTES];
    const char *const name = ct_play_field(r, "type");
    if (ct_named_type_read(name ? name : "half", type, message)) {
        ct_play_wrong(a, "type", message);
        return -1;
    }
    if (type->cute) return 0;
    ct_play_wrong(a, "type", "CuTe has no elements of this type");
    return -1;
}

static int read_way(const ct_play_request *r, ct_play_answer *a, ct_suggest_query *q)
{
    const char *const read = ct_play_field(r, "read");
    q->has_dst = ct_play_field(r, "dst") != NULL;
    if (q->has_dst) return read_layout(r, a, "dst", &q->dst);
    for (int i = 0; i < CT_READ_COUNT; ++i) {
        if (strcmp(read ? read : reads[0], reads[i]) != 0) continue;
        q->read = i;
        return 0;
    }
    ct_play_wrong(a, "read", "there is no such way to read the tile");
    return -1;
}

static int read_query(const ct_play_request *r, ct_play_answer *a, ct_suggest_query *q,
                      ct_named_type *type)
{
    int64_t threads = 128;
    memset(q, 0, sizeof *q);
    if (read_type(r, a, type) || read_tile(r, a, q) || read_layout(r, a, "src", &q->src) ||
        ct_play_number(r, a, "threads", 1, 1024, &threads) || read_way(r, a, q) ||
        ct_play_rules(r, a, &q->rules))
        return -1;
    q->threads = (int32_t)threads;
    q->elem_bits = type->bits;
    q->no_cp_async = ct_play_field(r, "no_cp_async") != NULL;
    q->top = TOP;
    return 0;
}

/* ---- the answer ------------------------------------------------------------------------------ */

static const char *atom_name(const ct_suggest_copy *c, char name[32])
{
    const char *const kind = c->kind == CT_ATOM_UNIVERSAL     ? "universal"
                             : c->kind == CT_ATOM_CP_ASYNC_CG ? "cp_async_cg"
                                                              : "cp_async_ca";
    snprintf(name, 32, "%s%d", kind, c->bits);
    return name;
}

static void put_copy(ct_play_answer *a, const char *key, const ct_suggest_copy *c, int elem_bits)
{
    char thr[CT_TEXT_BYTES], val[CT_TEXT_BYTES], name[32], text[2 * CT_TEXT_BYTES + 96];
    ct_format_layout(thr, sizeof thr, c->thr);
    ct_format_layout(val, sizeof val, c->val);
    snprintf(text, sizeof text, "tiled_copy(copy_atom(%s, %d), %s, %s)", atom_name(c, name),
             elem_bits, thr, val);
    ct_play_text(a, key, text);
}

static void put_cost(ct_play_answer *a, const char *key, const ct_suggest_cost *c)
{
    ct_play_open(a, key, '{');
    ct_play_int(a, "sectors", c->sectors);
    ct_play_int(a, "wavefronts", c->wavefronts);
    ct_play_int(a, "instructions", c->instructions);
    ct_play_int(a, "shared_bytes", c->shared_bytes);
    ct_play_close(a, '}');
}

static void put_shared(ct_play_answer *a, const ct_suggestion *s)
{
    char text[CT_TEXT_BYTES];
    if (s->shared.swizzle.bits > 0) ct_format_tensor(text, sizeof text, s->shared);
    else ct_format_layout(text, sizeof text, s->shared.layout);
    ct_play_text(a, "shared", text);
}

static void put_code(ct_play_answer *a, const ct_suggest_query *q, const ct_suggestion *s,
                     const char *type)
{
    char message[CT_MESSAGE_BYTES], *const cute = malloc(CUTE_BYTES);
    const int length = ct_suggest_as_c(NULL, 0, q, s, message);
    char *const c = length < 0 ? NULL : malloc((size_t)length + 1);
    if (c) ct_suggest_as_c(c, (size_t)length + 1, q, s, message);
    if (cute) ct_suggest_as_cute(cute, CUTE_BYTES, q, s, type);
    ct_play_text(a, "c", c ? c : message);
    ct_play_text(a, "cute", cute);
    free(c);
    free(cute);
}

static void put_result(ct_play_answer *a, const ct_suggest_query *q, const ct_suggest_result *r,
                       const char *type)
{
    ct_play_text(a, "reason", r->reason);
    ct_play_bool(a, "optimal", r->optimal);
    ct_play_int(a, "placements", r->placements);
    ct_play_int(a, "tried", r->tried);
    put_cost(a, "least", &r->least);
    ct_play_open(a, "code", '{');
    put_code(a, q, &r->item[0], type);
    ct_play_close(a, '}');
    ct_play_open(a, "items", '[');
    for (int i = 0; i < r->count; ++i) {
        const ct_suggestion *const s = &r->item[i];
        ct_play_open(a, NULL, '{');
        put_copy(a, "copy", &s->in, q->elem_bits);
        if (s->out.kind) put_copy(a, "out", &s->out, q->elem_bits);
        put_shared(a, s);
        ct_play_int(a, "cycles", s->cycles);
        ct_play_bool(a, "at_least", s->at_least);
        put_cost(a, "cost", &s->cost);
        ct_play_close(a, '}');
    }
    ct_play_close(a, ']');
}

void ct_play_suggest(const ct_play_request *r, ct_play_answer *a)
{
    ct_suggest_query query;
    ct_suggest_result result;
    ct_named_type type;
    if (read_query(r, a, &query, &type)) return;
    if (ct_suggest(&query, &result)) ct_play_wrong(a, "", result.message);
    else put_result(a, &query, &result, type.cute);
    ct_suggest_free(&result);
}
